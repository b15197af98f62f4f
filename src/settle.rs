//! Bodies come to rest: contacts are inelastic for the clusters that touch, not for the
//! touching particles alone.
//!
//! A body meets the ground with one layer of particles, a small part of its mass. A contact
//! that stops only these leaves the rest to bounce on them almost forever. So the finest
//! clusters with members in contact also lose deformation velocity, towards their own rigid
//! motion, the more of their mass touches. This is damping by another amount for each cluster, so it joins
//! the clusters' pulls and sums to zero over each of them.
//!
//! Reads the state that matching summed up: w of a velocity is the particle's grip, 1 minus
//! the restitution it was met with, or 0 in the air; so w of a cluster's velocity is the share
//! of its mass that touches.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::matching::Moments;

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

/// What the contacts of a cluster add to its damping; `left` is what damping leaves of the velocity that
/// deforms it.
pub(crate) fn brake(left: f32, moments: &Moments) -> f32 {
    left * (moments.velocity.w / FULL).min(1.0)
}
