//! Where a new cluster goes in the embedding, and how it hangs on the levels above.
//!
//! It begins at a particle that would be left alone and is moved by fuzzy c-means, all other weights being those that will be
//! when all has faded. Other than RC's it is never moved off the particle that it is there for.

use glam::{DMat3, DVec3, Mat3A, Quat, Vec3A, Vec4};

use super::embed::{Embedded, NONE};
use super::{Reclustered, Stage};
use crate::fitting::Fit;
use crate::math::rotation;
use crate::membership::Entry;
use crate::plasticity::{Dent, Frame, Plastic};

/// Rounds at most, and the move over the radius that ends them.
const ROUNDS: usize = 10;
const STILL: f32 = 1e-3;
/// Keeps the inverse square kernel finite at the centre, as clustering does at first.
const EPSILON: f32 = 1e-4;
/// Fewer members are of no use.
const FEWEST: usize = 4;
/// Weights in coarser clusters below this share are left out.
const SLIGHT: f64 = 0.02;

/// A cluster that is yet to join the tables.
pub(crate) struct New {
    pub(super) slot: usize,
    /// Particle, raw weight, and how far it rests from where the shape has it.
    pub(super) members: Vec<(u32, f32, Vec4)>,
    /// Of its rest space in the world.
    pub(crate) rotation: Vec4,
    /// Its centre in its rest space.
    pub(super) centre: Vec4,
    pub(super) dent: Dent,
    pub(super) frame: Frame,
    pub(super) parents: Vec<Entry>,
}

/// A member on its way: its place in the embedding, kernel, and the mass that the cluster will have of it.
struct Found {
    local: usize,
    kernel: f32,
    share: f64,
}

impl Embedded {
    /// Sums up what stays around every particle.
    pub(super) fn look_around(&mut self, own: &Reclustered) {
        let radius = own.radius();
        for (k, &i) in self.particles.iter().enumerate() {
            let (row, first) = own.row(i as usize);
            for (e, raw) in row.iter().zip(&own.raw[first..]) {
                if own.stages[e.index as usize].stays() {
                    self.raws[k] += raw;
                    if let Ok(c) = self.clusters.binary_search(&e.index) {
                        let away = (self.moments[c].centre - self.at[k]).with_w(0.0);
                        self.kernels[k] += kernel(away.length_squared(), radius);
                    }
                }
            }
        }
    }

    /// The place of a particle that no cluster will hold and about which one can be put here.
    pub(super) fn uncovered(&self, particle: u32) -> Option<usize> {
        let k = self.place[particle as usize];
        (k != NONE && self.inner[k as usize] && self.raws[k as usize] == 0.0).then_some(k as usize)
    }

    /// A new cluster about the particle at `seed`.
    pub(super) fn place(
        &mut self,
        own: &Reclustered,
        plastic: &Plastic,
        seed: usize,
        slot: usize,
        fits: &[Fit],
    ) -> New {
        let masses = own.tables.masses();
        let radius = own.radius();
        let near = self.near(seed, 2.0 * radius);
        let mut centre = self.at[seed];
        let mut found = self.members_about(&near, seed, centre, own);
        for _ in 0..ROUNDS {
            let next = self.centre_of(&found);
            let moved = next.distance(centre);
            if next.distance(self.at[seed]) > 0.9 * radius || moved <= STILL * radius {
                break;
            }
            centre = next;
            found = self.members_about(&near, seed, centre, own);
        }
        debug_assert!(found.iter().any(|f| f.local == seed));
        let holder = own.row(self.particles[seed] as usize).0.iter();
        let holder = holder.reduce(|a, b| if b.weight > a.weight { b } else { a });
        let start =
            holder.and_then(|e| self.rotation(e.index).or(fits.get(e.index as usize).map(|f| f.rotation)));
        let (rotation, middle, rest) = self.relative(&found, own, start.unwrap_or(Vec4::W));
        let mut new = New {
            slot,
            members: Vec::with_capacity(found.len()),
            rotation,
            centre: rest.as_vec3().extend(0.0),
            dent: Dent::default(),
            frame: Frame { turn: Vec4::W, centre: Vec4::ZERO, stretch: Mat3A::IDENTITY },
            parents: Vec::new(),
        };
        let back = Quat::from_vec4(rotation).inverse();
        for f in &found {
            let i = self.particles[f.local];
            let p = rest.as_vec3() + back * (self.at[f.local].truncate().as_dvec3() - middle).as_vec3();
            let apart = p.extend(0.0) - own.tables.rest()[i as usize].with_w(0.0);
            let others = self.kernels[f.local];
            let raw = match self.raws[f.local] {
                0.0 => 1.0,
                raws if others > 0.0 => raws * f.kernel / others,
                raws => raws,
            };
            new.members.push((i, raw, apart));
            self.kernels[f.local] += f.kernel;
            self.raws[f.local] += raw;
        }
        let shares: Vec<f64> = found.iter().map(|f| f.share).collect();
        debug_assert!(
            shares.iter().zip(&found).all(|(s, f)| *s <= f64::from(masses[self.particles[f.local] as usize]))
        );
        own.hang(plastic, &mut new, &shares);
        new
    }

    /// Particles within a distance of the seed.
    fn near(&self, seed: usize, reach: f32) -> Vec<usize> {
        let from = self.at[seed];
        (0..self.at.len()).filter(|&k| self.at[k].distance_squared(from) <= reach * reach).collect()
    }

    /// Who is within the radius of a centre: at least a few, no more than four times as many as others have, and the seed.
    fn members_about(&self, near: &[usize], seed: usize, centre: Vec4, own: &Reclustered) -> Vec<Found> {
        let radius = own.radius();
        let squared = |k: usize| self.at[k].distance_squared(centre);
        let mut chosen: Vec<usize> =
            near.iter().copied().filter(|&k| squared(k) <= radius * radius).collect();
        let most = own.most_members();
        if chosen.len() < FEWEST || chosen.len() > most {
            let mut all = near.to_vec();
            all.sort_by(|&a, &b| {
                let order = squared(a).total_cmp(&squared(b)).then(a.cmp(&b));
                (b == seed).cmp(&(a == seed)).then(order)
            });
            all.truncate(chosen.len().clamp(FEWEST, most));
            all.sort_unstable();
            chosen = all;
        }
        let found = |local: usize| {
            let kernel = kernel(squared(local), radius);
            let mass = own.tables.masses()[self.particles[local] as usize];
            let share = f64::from(mass) * f64::from(kernel) / f64::from(kernel + self.kernels[local]);
            Found { local, kernel, share }
        };
        chosen.into_iter().map(found).collect()
    }

    fn centre_of(&self, found: &[Found]) -> Vec4 {
        let mass: f64 = found.iter().map(|f| f.share).sum();
        let sum: DVec3 = found.iter().map(|f| self.at[f.local].truncate().as_dvec3() * f.share).sum();
        (sum / mass).as_vec3().extend(0.0)
    }

    /// The rotation from the shape's rest space to here about the members, and their centres here and there.
    fn relative(&self, found: &[Found], own: &Reclustered, start: Vec4) -> (Vec4, DVec3, DVec3) {
        let rest = |f: &Found| own.tables.rest()[self.particles[f.local] as usize].truncate().as_dvec3();
        let at = |f: &Found| self.at[f.local].truncate().as_dvec3();
        let mass: f64 = found.iter().map(|f| f.share).sum();
        let middle = found.iter().map(|f| at(f) * f.share).sum::<DVec3>() / mass;
        let centre = found.iter().map(|f| rest(f) * f.share).sum::<DVec3>() / mass;
        let a =
            found.iter().fold(DMat3::ZERO, |sum, f| sum + outer(at(f) - middle, rest(f) - centre) * f.share);
        let turn = rotation::closest_surely(a.to_cols_array_2d(), start.to_array());
        (Vec4::from(turn), middle, centre)
    }
}

impl Reclustered {
    fn radius(&self) -> f32 {
        self.tables.finest_report().map_or(0.0, |report| report.radius)
    }

    /// The most members that a new cluster may have.
    fn most_members(&self) -> usize {
        let alive = self.stages.iter().filter(|stage| **stage != Stage::Free).count().max(1);
        (4 * self.raw.len() / alive).max(2 * FEWEST)
    }

    /// Lets a new cluster hang on the level above as its members do, and be as hard as they are.
    fn hang(&self, plastic: &Plastic, new: &mut New, shares: &[f64]) {
        let mass: f64 = shares.iter().sum();
        let mut hardened = 0.0;
        let mut parents: Vec<(u32, f64)> = Vec::new();
        let mut placed: Vec<DVec3> = Vec::with_capacity(shares.len());
        for ((i, ..), share) in new.members.iter().zip(shares) {
            let (row, first) = self.row(*i as usize);
            let mut place = Vec3A::ZERO;
            for (e, apart) in row.iter().zip(&self.apart_held[first..]) {
                let (c, weight) = (e.index as usize, f64::from(e.weight) * share);
                hardened += f64::from(plastic.dents[c].hardened) * weight;
                if let Some(frame) = plastic.frames.get(c) {
                    let (linear, shift) = frame.map_from(&plastic.clusters[c]);
                    let p = Vec3A::from_vec4(self.tables.rest()[*i as usize] + *apart);
                    place += (linear * p + shift) * e.weight;
                    let above = self.tables.levels()[1].held_by().row(c).iter();
                    parents.extend(above.map(|u| (u.index, f64::from(u.weight) * weight)));
                }
            }
            placed.push(place.as_dvec3());
        }
        new.dent.hardened = (hardened / mass) as f32;
        new.parents = summed(parents, mass);
        if !plastic.frames.is_empty() {
            new.frame = self.frame(new, shares, &placed, mass);
        }
    }

    /// The frame that carries the rest positions of members to where they lie in the rest space of the level above.
    fn frame(&self, new: &New, shares: &[f64], placed: &[DVec3], mass: f64) -> Frame {
        let middle = placed.iter().zip(shares).map(|(y, s)| *y * *s).sum::<DVec3>() / mass;
        let centre = new.centre.truncate().as_dvec3();
        let mut a = DMat3::ZERO;
        for (((i, _, apart), y), share) in new.members.iter().zip(placed).zip(shares) {
            let p = (self.tables.rest()[*i as usize] + *apart).truncate().as_dvec3();
            a += outer(*y - middle, p - centre) * *share;
        }
        let turn = Vec4::from(rotation::closest_surely(a.to_cols_array_2d(), Vec4::W.to_array()));
        let turn = turn.normalize_or(Vec4::W);
        let stretch = Mat3A::from_quat(Quat::from_vec4(turn));
        Frame { turn, centre: middle.as_vec3().extend(0.0), stretch }
    }
}

fn kernel(squared: f32, radius: f32) -> f32 {
    1.0 / (squared / (radius * radius) + EPSILON)
}

pub(super) fn outer(p: DVec3, q: DVec3) -> DMat3 {
    DMat3::from_cols(p * q.x, p * q.y, p * q.z)
}

/// Weights by cluster, ascending, without slight ones, that sum to 1.
fn summed(mut parents: Vec<(u32, f64)>, mass: f64) -> Vec<Entry> {
    parents.sort_by_key(|(c, _)| *c);
    let mut sums: Vec<(u32, f64)> = Vec::new();
    for (c, weight) in parents {
        match sums.last_mut() {
            Some((last, sum)) if *last == c => *sum += weight,
            _ => sums.push((c, weight)),
        }
    }
    let largest = sums.iter().map(|(_, w)| *w).fold(0.0, f64::max);
    sums.retain(|(_, w)| *w >= SLIGHT * mass || *w == largest);
    let total: f64 = sums.iter().map(|(_, w)| w).sum();
    sums.into_iter().map(|(index, w)| Entry { index, weight: (w / total) as f32 }).collect()
}
