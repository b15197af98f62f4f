//! Landings: a body that is pressed together on something does not spring back at full speed.
//!
//! Damping by clusters hardly feels a landing: the whole body is compressed and expands again over
//! its full height, and a cluster sees of that only its own share. So a body that touches something
//! also loses speed of compression and expansion along the push that it gets there, in proportion to
//! its own frequency, and the less the more restitution there is or the material's `rebound` is. Sideways wobble is left alone.
//!
//! Reads the velocities of the finest clusters; writes what joins their pulls. What is taken off is what
//! remains of the velocities along the push after the best rigid motion: it sums to zero over the
//! body and turns nothing, so momentum and angular momentum are kept, and energy is only lost.
//! The push is what changed the body's momentum beyond gravity and the host's forces. Sums run in
//! ascending order.

use glam::{DMat3, Mat3A, Vec3A, Vec4};

use crate::matching::Moments;
use crate::math::symmetric;
use crate::shape::{RestCluster, full};

/// What is taken off in a second, over the natural angular frequency of particles about their goals.
/// With 0.8 a solid cube of the default material that falls 1 m rises by 0.3 to 0.4 m again, with 0 by
/// 0.5 to 0.75 m, whereupon it tumbles.
const RATE: f32 = 0.8;

/// Directions with less than this share of the largest lever count as missing: a strand along the push.
const FLAT: f64 = 1e-6;

/// What a body in contact remembers from the substep before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Landing {
    /// The velocity of the whole body if nothing had pushed it since, m/s, in three lanes; w is 1 if the
    /// body was in contact, else all is 0.
    pub(crate) unpushed: Vec4,
}

impl Landing {
    /// The direction in which the body, now at this velocity, was pushed, if it was.
    pub(crate) fn push(&self, velocity: Vec3A) -> Option<Vec3A> {
        let push = velocity - Vec3A::from_vec4(self.unpushed);
        if self.unpushed.w > 0.0 { push.try_normalize() } else { None }
    }

    /// Remembers for the next substep a body at this velocity that gains `gain` in the present one.
    pub(crate) fn of(velocity: Vec3A, gain: Vec3A) -> Landing {
        Landing { unpushed: (velocity + gain).extend(1.0) }
    }
}

/// The share of the speed of compression taken off in a substep: `alpha` is that of all levels, `grip`
/// 1 minus the restitution.
pub(crate) fn share(alpha: f32, grip: f32, rebound: f32) -> f32 {
    RATE * alpha.sqrt() * grip * (1.0 - rebound)
}

/// The velocity of all clusters together, m/s.
pub(crate) fn velocity(clusters: &[RestCluster], moments: &[Moments]) -> Vec3A {
    let (mut mass, mut momentum) = (0.0, Vec3A::ZERO);
    for (c, m) in clusters.iter().zip(moments) {
        mass += c.mass;
        momentum += Vec3A::from_vec4(m.velocity) * c.mass;
    }
    momentum / mass
}

/// The rigid motion of a body along a push; what clusters do beyond it is compression.
pub(crate) struct Brake {
    push: Vec3A,
    centre: Vec3A,
    /// Speed of the centre, m/s.
    speed: f32,
    /// Angular velocity, of which what is along the push means nothing, rad/s.
    turn: Vec3A,
}

impl Brake {
    pub(crate) fn of(push: Vec3A, clusters: &[RestCluster], moments: &[Moments]) -> Brake {
        let rows = || clusters.iter().zip(moments);
        let (mut mass, mut centre, mut momentum) = (0.0, Vec3A::ZERO, 0.0);
        for (c, m) in rows() {
            mass += c.mass;
            centre += Vec3A::from_vec4(m.centre) * c.mass;
            momentum += push.dot(Vec3A::from_vec4(m.velocity)) * c.mass;
        }
        let mut brake = Brake { push, centre: centre / mass, speed: momentum / mass, turn: Vec3A::ZERO };
        let (mut twist, mut levers) = (Vec3A::ZERO, [0.0f32; 6]);
        for (c, m) in rows() {
            let lever = brake.lever(m);
            twist += lever * (brake.beyond(m) * c.mass);
            let [x, y, z] = lever.to_array();
            for (sum, product) in levers.iter_mut().zip([x * x, y * y, z * z, x * y, x * z, y * z]) {
                *sum += product * c.mass;
            }
        }
        let inverse = symmetric::pseudo_inverse(full(levers.map(f64::from)), FLAT);
        brake.turn = Mat3A::from(DMat3::from_cols_array_2d(&inverse).as_mat3()) * twist;
        brake
    }

    /// Its product with an angular velocity is the speed along the push.
    fn lever(&self, m: &Moments) -> Vec3A {
        (Vec3A::from_vec4(m.centre) - self.centre).cross(self.push)
    }

    /// The speed of a cluster along the push beyond the rigid motion, m/s.
    fn beyond(&self, m: &Moments) -> f32 {
        self.push.dot(Vec3A::from_vec4(m.velocity)) - self.speed - self.turn.dot(self.lever(m))
    }

    /// The velocity that takes a share of it off a cluster's members, m/s; w is 0.
    pub(crate) fn change(&self, share: f32, m: &Moments) -> Vec4 {
        (self.push * (-share * self.beyond(m))).extend(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clusters about a tilted body, and velocities of no particular pattern.
    fn some() -> (Vec<RestCluster>, Vec<Moments>) {
        let number = |i: usize, k: usize| ((i * 37 + k * 101) % 64) as f32 / 64.0 - 0.5;
        let cluster = |i: usize| RestCluster {
            centre: Vec4::ZERO,
            residue: Vec3A::ZERO,
            mass: 1.0 + i as f32 / 16.0,
            inverse_mass: 1.0,
            spread: 1.0,
            width: 1.0,
        };
        let moments = |i: usize| Moments {
            centre: Vec4::new(number(i, 1), 3.0 + 2.0 * number(i, 2), number(i, 3), 0.0),
            velocity: Vec4::new(number(i, 4), number(i, 5), number(i, 6), 0.0),
            ..Moments::default()
        };
        (0..20).map(|i| (cluster(i), moments(i))).unzip()
    }

    #[test]
    fn what_is_taken_off_keeps_momentum_and_angular_momentum_and_loses_energy() {
        let (clusters, moments) = some();
        let brake = Brake::of(Vec3A::new(0.6, 0.8, 0.0), &clusters, &moments);
        let (mut momentum, mut spin, mut gain, mut size) = (Vec3A::ZERO, Vec3A::ZERO, 0.0, 0.0);
        for (c, m) in clusters.iter().zip(&moments) {
            let change = Vec3A::from_vec4(brake.change(0.7, m)) * c.mass;
            momentum += change;
            spin += Vec3A::from_vec4(m.centre).cross(change);
            gain += change.dot(Vec3A::from_vec4(m.velocity)) + 0.5 * change.length_squared() / c.mass;
            size += change.length();
        }
        assert!(
            momentum.length() < 1e-5 * size && spin.length() < 1e-5 * size,
            "{momentum} {spin} of {size}"
        );
        assert!(gain < -0.01 * size, "{gain} J");
    }

    #[test]
    fn rigid_motion_and_sideways_wobble_are_left_alone() {
        let (clusters, mut moments) = some();
        for m in &mut moments {
            let turn = Vec3A::new(0.3, -0.2, 0.7).cross(Vec3A::from_vec4(m.centre));
            m.velocity = (turn + Vec3A::new(m.velocity.x, 2.0, m.velocity.z)).extend(0.0);
        }
        let brake = Brake::of(Vec3A::Y, &clusters, &moments);
        for m in &moments {
            assert!(brake.change(1.0, m).length() < 1e-5, "{}", brake.change(1.0, m));
        }
    }

    #[test]
    fn a_push_is_what_gravity_does_not_explain() {
        let gravity = Vec3A::new(0.0, -0.04, 0.0);
        let falling = Landing::of(Vec3A::NEG_Y, gravity);
        assert_eq!(falling.push(Vec3A::new(0.0, -0.9, 0.0)), Some(Vec3A::Y));
        assert_eq!(falling.push(Vec3A::NEG_Y + gravity), None);
        assert_eq!(Landing::default().push(Vec3A::X), None);
    }
}
