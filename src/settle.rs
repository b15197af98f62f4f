//! Bodies come to rest: contacts are inelastic for the clusters that touch, not for the
//! touching particles alone.
//!
//! A body meets the ground with one layer of particles, a small part of its mass. A contact
//! that stops only these leaves the rest to bounce on them almost forever. So the finest
//! clusters with members in contact also lose deformation velocity, towards their own rigid
//! motion, the more of their mass touches. Like damping this sums to zero over a cluster.
//!
//! Reads the state that matching summed up: w of a velocity is the particle's grip, 1 minus
//! the restitution it was met with, or 0 in the air; so w of a cluster's velocity is the share
//! of its mass that touches.

use glam::{Vec3A, Vec4};

use crate::fitting::{Fit, Rigid};
use crate::matching::Moments;
use crate::membership::Entry;

/// A cluster that touches with this share of its mass loses all deformation velocity.
const FULL: f32 = 0.125;

/// The velocity change of a particle by the contacts of its clusters, w = 0. `left` is the part
/// of the velocity difference that damping does not take already.
#[inline]
pub(crate) fn slow_down(
    left: f32,
    held_by: &[Entry],
    moments: &[Moments],
    fits: &[Fit],
    rigid: &[Rigid],
    rest: Vec4,
    v: Vec4,
) -> Vec4 {
    let mut change = Vec3A::ZERO;
    for e in held_by {
        let c = e.index as usize;
        let share = moments[c].velocity.w;
        if share > 0.0 {
            let columns = &rigid[c].columns;
            let turned = columns[0] * rest.x + columns[1] * rest.y + columns[2] * rest.z;
            let arm = Vec3A::from_vec4(turned + (rigid[c].shift - moments[c].centre));
            let carried = Vec3A::from_vec4(moments[c].velocity) + Vec3A::from_vec4(fits[c].omega).cross(arm);
            change += (carried - Vec3A::from_vec4(v)) * (e.weight * left * (share / FULL).min(1.0));
        }
    }
    change.extend(0.0)
}
