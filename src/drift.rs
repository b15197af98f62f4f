//! Rounding, and how it is taken back.
//!
//! Internal forces sum to zero and turn nothing; their rounding does not, and a body left alone would
//! creep and turn. So what particles get from inside the body is summed up and paid back in the next
//! substep: the momentum with gravity, the turn with the pulls of the coarsest level, which costs
//! nothing for particles.

use glam::{Mat3A, Quat, Vec3A, Vec4};

use crate::moved::Moved;

/// A turn beyond this share of the stiffness, 1/s, is no rounding: rotations by stretch and the
/// papers' damping do not keep angular momentum.
const ROUNDING: f32 = 1e-6;

/// What rounding gave the whole body and is not yet paid back, and what contacts owe it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drift {
    /// m/s; w = 0.
    pub(crate) slip: Vec4,
    /// rad/s; w = 0.
    pub(crate) spin: Vec4,
}

impl Drift {
    /// After a substep: `inner` is what particles got from inside, about the body's origin;
    /// `stiffness` is that of all levels, 1/s.
    pub(crate) fn after(&self, inner: Moved, mass: f32, inverse_inertia: Mat3A, stiffness: f32) -> Drift {
        let slip = (inner.sum * (1.0 / mass)).with_w(0.0);
        // What was summed up holds the present payment.
        let spin = Vec3A::from_vec4(self.spin) + inverse_inertia * inner.turned;
        Drift {
            slip: if slip.is_finite() { slip } else { Vec4::ZERO },
            spin: if spin.length() < ROUNDING * stiffness { spin.extend(0.0) } else { Vec4::ZERO },
        }
    }

    /// The next substep is to give the whole body so much speed, m/s.
    pub(crate) fn owe_push(&mut self, speed: Vec3A) {
        if speed.is_finite() {
            self.slip -= speed.extend(0.0);
        }
    }

    /// The next substep is to turn the body by so much more, rad/s.
    pub(crate) fn owe_turn(&mut self, turn: Vec3A) {
        if turn.is_finite() {
            self.spin -= turn.extend(0.0);
        }
    }
}

/// The inverse inertia of a body turned by `rotation`, from that at rest.
pub(crate) fn turned(inverse_inertia: Mat3A, rotation: Vec4) -> Mat3A {
    let r = Mat3A::from_quat(Quat::from_vec4(rotation));
    r * inverse_inertia * r.transpose()
}
