//! One link: what holds a weighted point of a body to a target, or to such a point of another body.
//!
//! A point is p = Σ a_i x_i with Σ a_i = 1. An impulse J at it changes velocities by a_i J / m_i, the
//! transpose of that sum, so the body gains momentum J and angular momentum p × J exactly.
//!
//! Works on the state after the particles were moved: the impulse is also carried into the positions,
//! as if it had been there before, x += h Δv. Impulses between bodies lie along the line between their
//! points as it was at the start of the substep (as SHAKE takes gradients): since the integrator's
//! angular momentum is Σ m x_start × v_end, joints then keep that of both bodies together, too.

use glam::{Vec3, Vec4};

use crate::body::Body;

/// A point of a body: particles in spatial order and their shares, which sum to 1.
pub(crate) type Shares = [(u32, f32)];

/// How firmly a link holds.
///
/// ```
/// use wobble::{AttachmentDef, Hold};
///
/// let bungee = AttachmentDef {
///     hold: Hold::Spring { hertz: 1.0, damping_ratio: 0.1 },
///     break_force: 2000.0,
///     ..AttachmentDef::default()
/// };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Hold {
    /// Exactly: what is attached is put back in every substep.
    Firm,
    /// As a damped spring that is stable at any stiffness.
    Spring {
        /// Frequency at which the body, or two bodies against each other, would swing on the
        /// attachment if they were rigid, hertz, above 0 to 1e4. A body that is softer or held by
        /// few particles swings more slowly.
        hertz: f32,
        /// Damping of that swing, 0 to 100: 1 comes to rest soonest without swinging over.
        damping_ratio: f32,
    },
}

/// A spring between two points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spring {
    /// N/m.
    stiffness: f32,
    /// N s/m.
    damping: f32,
}

impl Hold {
    /// The spring that swings a mass, kg, as asked; none if firm.
    pub(crate) fn spring(&self, mass: f32) -> Option<Spring> {
        match *self {
            Hold::Firm => None,
            Hold::Spring { hertz, damping_ratio } => {
                let omega = std::f32::consts::TAU * hertz;
                let damping = 2.0 * mass * damping_ratio * omega;
                Some(Spring { stiffness: mass * omega * omega, damping })
            }
        }
    }
}

impl Spring {
    /// Its share in holding part of the mass.
    pub(crate) fn share(self, part: f32) -> Spring {
        Spring { stiffness: self.stiffness * part, damping: self.damping * part }
    }

    /// The impulse of a substep of `h` seconds against a way of `distance` and a `speed`, both taken
    /// at its end: the implicit Euler method for a point of the given inverse mass.
    fn impulse(self, h: f32, inverse_mass: f32, distance: Vec3, speed: Vec3) -> Vec3 {
        let push = distance * self.stiffness + speed * self.damping;
        push * (-h / (1.0 + h * inverse_mass * (h * self.stiffness + self.damping)))
    }
}

/// Where a point is, how it moves, and one over the mass that an impulse at it meets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) at: Vec3,
    pub(crate) velocity: Vec3,
    pub(crate) inverse_mass: f32,
}

/// The point of a body's particles. Pinned particles, and those of a body that is not stepped, do not
/// yield.
pub(crate) fn point(body: &Body, shares: &Shares) -> Point {
    let (mut at, mut velocity, mut inverse_mass) = (Vec4::ZERO, Vec4::ZERO, 0.0);
    let takes_part = body.takes_part();
    for &(i, a) in shares {
        let i = i as usize;
        at += body.x[i] * a;
        if takes_part {
            velocity += body.v[i] * a;
            inverse_mass += a * a * body.x[i].w / body.shape.masses()[i];
        }
    }
    Point { at: at.truncate(), velocity: velocity.truncate(), inverse_mass }
}

/// Gives a point of a body an impulse that acted over the last `h` seconds. One that is not finite is
/// left out: a body that is lost does not take those with it that hang on it.
pub(crate) fn push(body: &mut Body, shares: &Shares, impulse: Vec3, h: f32) {
    if !body.takes_part() || !impulse.is_finite() {
        return;
    }
    let mut trace = Vec4::ZERO;
    for &(i, a) in shares {
        let i = i as usize;
        let gained = (impulse * (a * body.x[i].w / body.shape.masses()[i])).extend(0.0);
        body.v[i] += gained;
        body.x[i] += gained * h;
        trace += body.x[i];
    }
    if !trace.is_finite() {
        *body.faulty.get_mut() = true;
    }
    body.touched();
}

/// The impulse on point `a` that holds it to `b`, which may be a target with no inverse mass.
pub(crate) fn hold(h: f32, a: Point, b: Point, spring: Option<Spring>) -> Vec3 {
    let inverse_mass = a.inverse_mass + b.inverse_mass;
    if inverse_mass <= 0.0 {
        return Vec3::ZERO;
    }
    let apart = a.at - b.at;
    match spring {
        None => apart * (-1.0 / (h * inverse_mass)),
        Some(spring) => spring.impulse(h, inverse_mass, apart, a.velocity - b.velocity),
    }
}

/// The impulse on point `a` that holds it `length` metres from `b`, along the line between them.
pub(crate) fn hold_apart(h: f32, a: Point, b: Point, length: f32, spring: Option<Spring>) -> Vec3 {
    let inverse_mass = a.inverse_mass + b.inverse_mass;
    let (apart, speed) = (a.at - b.at, a.velocity - b.velocity);
    let before = apart - speed * h;
    // Points that lay on one another have no line between them, and nothing to turn about it.
    let line = if before.length() > NO_LINE * apart.length() { before } else { apart };
    let Some(along) = line.try_normalize() else { return Vec3::ZERO };
    if inverse_mass <= 0.0 {
        return Vec3::ZERO;
    }
    let Some(spring) = spring else {
        return put_apart(apart, along, length) * (1.0 / (h * inverse_mass));
    };
    let stretched = apart.dot(along) - length;
    spring.impulse(h, inverse_mass, along * stretched, along * speed.dot(along))
}

/// Below this share of the present distance the one before gives no direction.
const NO_LINE: f32 = 1e-3;

/// The move along a line that takes `apart` to the given length, or as near to it as the line leads.
fn put_apart(apart: Vec3, along: Vec3, length: f32) -> Vec3 {
    let ahead = apart.dot(along);
    let square = ahead * ahead - (apart.length_squared() - length * length);
    along * (square.max(0.0).sqrt() - ahead)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: f32, velocity: f32, inverse_mass: f32) -> Point {
        Point { at: Vec3::X * x, velocity: Vec3::X * velocity, inverse_mass }
    }

    #[test]
    fn a_firm_link_moves_two_points_onto_each_other_by_their_masses() {
        let (a, b, h) = (at(0.3, 0.0, 2.0), at(0.0, 0.0, 1.0), 0.1);
        let impulse = hold(h, a, b, None);
        let moved = |p: Point, sign: f32| p.at + impulse * (sign * p.inverse_mass * h);
        assert!((moved(a, 1.0) - moved(b, -1.0)).length() < 1e-6);
        assert!((moved(a, 1.0).x - 0.1).abs() < 1e-6);
    }

    #[test]
    fn a_spring_of_any_stiffness_never_swings_over() {
        for hertz in [0.01, 1.0, 100.0, 1e4] {
            let hold_with = Hold::Spring { hertz, damping_ratio: 1.0 };
            let (mut x, mut v, h) = (1.0f32, 0.0f32, 0.1);
            for _ in 0..1000 {
                x += v * h;
                let j = hold(h, at(x, v, 1.0), at(0.0, 0.0, 0.0), hold_with.spring(1.0)).x;
                v += j;
                x += j * h;
                assert!((-0.15..=1.0).contains(&x), "{hertz} Hz: {x}");
            }
        }
    }

    #[test]
    fn points_are_put_to_their_distance_where_the_line_between_them_leads_there() {
        for apart in [Vec3::X, Vec3::new(-3.0, 0.1, 0.0), Vec3::new(1e-20, 0.0, 0.2)] {
            for length in [0.5, 2.0] {
                let moved = apart + put_apart(apart, Vec3::X, length);
                assert!((moved.length() - length).abs() < 1e-5, "{apart} to {length}: {moved}");
            }
        }
        let aside = Vec3::new(3.0, 2.0, 0.0);
        assert_eq!(aside + put_apart(aside, Vec3::X, 0.0), Vec3::Y * 2.0);
    }
}
