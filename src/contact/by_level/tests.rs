//! The solver alone, on clusters in random states.

use super::*;
use crate::membership::Entry;

/// Numbers of no particular pattern, from -1 to 1.
struct Noise(u32);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vector(&mut self) -> Vec3A {
        Vec3A::new(self.next(), self.next(), self.next())
    }
}

/// A few clusters of a level that share particles, each held by all of them.
struct Level {
    held: Vec<Held>,
    masses: Vec<f32>,
    /// Their members: where they are, their velocities and masses.
    members: Vec<(Vec3A, Vec3A, f32)>,
    /// How much of each member each cluster has.
    weights: Vec<Vec<f32>>,
}

impl Level {
    fn new(noise: &mut Noise, clusters: usize) -> Level {
        let members: Vec<_> =
            (0..30).map(|_| (noise.vector(), noise.vector() * 3.0, 1.0 + 0.5 * noise.next())).collect();
        let weights: Vec<Vec<f32>> = members
            .iter()
            .map(|_| {
                let row: Vec<f32> = (0..clusters).map(|_| 0.1 + noise.next().abs()).collect();
                let sum: f32 = row.iter().sum();
                row.iter().map(|weight| weight / sum).collect()
            })
            .collect();
        let mut level = Level { held: Vec::new(), masses: Vec::new(), members, weights };
        for c in 0..clusters {
            let weighed =
                || level.members.iter().zip(&level.weights).map(|((x, v, m), w)| (*x, *v, m * w[c]));
            let mass: f32 = weighed().map(|(_, _, m)| m).sum();
            let centre = weighed().map(|(x, _, m)| x * m).sum::<Vec3A>() / mass;
            let velocity = weighed().map(|(_, v, m)| v * m).sum::<Vec3A>() / mass;
            let mut inertia = Mat3A::ZERO;
            let mut spin = Vec3A::ZERO;
            for (x, v, m) in weighed() {
                let d = x - centre;
                inertia += (Mat3A::from_diagonal(Vec3::splat(d.length_squared())) - outer(d)) * m;
                spin += d.cross(v - velocity) * m;
            }
            let turning = inertia.inverse();
            let omega = turning * spin;
            level.masses.push(mass);
            level.held.push(Held {
                centre,
                velocity,
                omega,
                inverse_mass: 1.0 / mass,
                turning,
                inertia,
                ..Held::default()
            });
        }
        level
    }

    /// The members' velocities with what the clusters gained.
    fn after(&self, gains: &[Gain]) -> Vec<Vec3A> {
        let gained = |x: Vec3A, row: &[f32]| {
            row.iter().zip(gains.iter().zip(&self.held)).fold(Vec3A::ZERO, |sum, (weight, (gain, held))| {
                sum + (gain.velocity + gain.omega.cross(x - held.centre)) * *weight
            })
        };
        self.members.iter().zip(&self.weights).map(|((x, v, _), row)| *v + gained(*x, row)).collect()
    }

    fn energy(&self, velocities: &[Vec3A]) -> f32 {
        self.members.iter().zip(velocities).map(|((_, _, m), v)| 0.5 * m * v.length_squared()).sum()
    }
}

fn outer(d: Vec3A) -> Mat3A {
    Mat3A::from_cols(d * d.x, d * d.y, d * d.z)
}

#[test]
fn energy_never_rises_and_both_momenta_change_by_the_impulses() {
    let mut noise = Noise(7);
    let mut stopped = 0;
    for round in 0..400 {
        let level = Level::new(&mut noise, 1 + round % 3);
        let mut held = level.held.clone();
        let normal = noise.vector().normalize();
        // Contacts at some of the members.
        let touching: Vec<usize> = (0..30).filter(|k| k % 5 == round % 5 || k % 7 == 0).collect();
        let rows = Rows::of(touching.iter().map(|k| {
            let row = level.weights[*k].iter().enumerate();
            row.map(|(c, weight)| Entry { index: c as u32, weight: *weight }).collect()
        }));
        let mut contacts: Vec<Contact> = touching
            .iter()
            .map(|k| Contact { at: level.members[*k].0, normal, ..Contact::default() })
            .collect();
        let mut gains = vec![Gain::default(); held.len()];
        let most = if round % 2 == 0 { 1e9 } else { 0.1 };
        measure(&mut contacts, &rows, &held, 1.0 / 240.0);
        act(&mut contacts, &rows, &mut held, &mut gains, Taking { share: 1.0, most });
        let before: Vec<Vec3A> = level.members.iter().map(|(_, v, _)| *v).collect();
        let after = level.after(&gains);
        let (had, has) = (level.energy(&before), level.energy(&after));
        assert!(has <= had * (1.0 + 1e-5), "round {round}: {had} J became {has} J");
        stopped += usize::from(has < had);
        let (mut momentum, mut spin, mut given, mut turned) =
            (Vec3A::ZERO, Vec3A::ZERO, Vec3A::ZERO, Vec3A::ZERO);
        for ((x, v, m), new) in level.members.iter().zip(&after) {
            momentum += (*new - *v) * *m;
            spin += x.cross(*new - *v) * *m;
        }
        for contact in &contacts {
            assert!(contact.carried >= 0.0);
            given += contact.normal * contact.carried;
            turned += contact.at.cross(contact.normal * contact.carried);
        }
        let size = given.length() + 1e-3;
        assert!((momentum - given).length() < 1e-3 * size, "{momentum} {given}");
        assert!((spin - turned).length() < 1e-3 * size, "{spin} {turned}");
    }
    assert!(stopped > 300, "{stopped} of 400 closed at all");
}

#[test]
fn a_face_that_comes_down_evenly_is_stopped_at_once_and_does_not_turn() {
    let mut noise = Noise(3);
    let mut level = Level::new(&mut noise, 1);
    for (x, v, _) in &mut level.members {
        (x.y, *v) = (0.0, Vec3A::NEG_Y);
    }
    let centre = level.held[0].centre;
    let rest = Mat3A::from_diagonal(Vec3::splat(5.0));
    let still = Held {
        velocity: Vec3A::NEG_Y,
        omega: Vec3A::ZERO,
        inertia: rest,
        turning: rest.inverse(),
        ..level.held[0]
    };
    let corners = [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)];
    let rows = Rows::of(corners.iter().map(|_| vec![Entry { index: 0, weight: 1.0 }]));
    let at = |(x, z): (f32, f32)| centre + Vec3A::new(x, -0.5, z);
    let mut contacts: Vec<Contact> =
        corners.iter().map(|c| Contact { at: at(*c), normal: Vec3A::Y, ..Contact::default() }).collect();
    let mut gains = [Gain::default()];
    measure(&mut contacts, &rows, &[still], 1.0 / 240.0);
    act(&mut contacts, &rows, &mut [still], &mut gains, Taking { share: 1.0, most: 9.0 });
    assert!((gains[0].velocity - Vec3A::Y).length() < 1e-5 && gains[0].omega.length() < 1e-5, "{gains:?}");
    let carried: f32 = contacts.iter().map(|contact| contact.carried).sum();
    assert!((carried - level.masses[0]).abs() < 1e-3 * carried, "{carried} N s stop {} kg", level.masses[0]);
}
