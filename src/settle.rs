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

use std::sync::atomic::{AtomicU32, Ordering};

use glam::{Vec3A, Vec4};

use crate::fitting::{Fit, Rigid};
use crate::matching::Moments;
use crate::membership::Entry;

/// The firmest grip of a particle in the last substep; 0 if none was in contact. Threads may note
/// theirs in any order: the largest stays.
#[derive(Debug, Default)]
pub(crate) struct Grip(AtomicU32);

impl Grip {
    pub(crate) fn new(grip: f32) -> Grip {
        Grip(AtomicU32::new(grip.max(0.0).to_bits()))
    }

    pub(crate) fn note(&self, grip: f32) {
        if grip > 0.0 {
            // Floats above zero are in the order of their bits.
            self.0.fetch_max(grip.to_bits(), Ordering::Relaxed);
        }
    }

    pub(crate) fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }

    pub(crate) fn is_any(&self) -> bool {
        self.get() > 0.0
    }
}

impl Clone for Grip {
    fn clone(&self) -> Grip {
        Grip::new(self.get())
    }
}

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
