//! The particles of a body that take part in contacts.
//!
//! Few particles of a body are near another, and solving contacts goes over them several times in every substep. So what it needs of
//! them is gathered after particles were moved, side by side in memory, and what it did to them is given back at the end.

use glam::Vec4;

use super::field::SurfaceParticle;

/// No part.
const NONE: u32 = u32::MAX;

/// A particle as contacts have it in a substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) x: Vec4,
    pub(crate) v: Vec4,
    /// How many contacts share it, how many of these close, and in w one over its mass, 0 where it is pinned. Once they are solved, how
    /// far they move it, metres.
    pub(crate) load: Vec4,
}

/// Those of a body in a step.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// The particles, in ascending order.
    pub(crate) particles: Vec<u32>,
    /// For each place on the surface, the part there, `NONE` if it takes no part.
    at: Vec<u32>,
    pub(crate) list: Vec<Part>,
    /// A point inside the body.
    pub(crate) origin: Vec4,
    /// How fast old overlap goes at most, m/s.
    pub(crate) fastest: f32,
}

impl Parts {
    /// Takes the parts at these `places` of a surface.
    pub(crate) fn choose(&mut self, surface: &[SurfaceParticle], places: impl Iterator<Item = u32>) {
        let Parts { particles, at, .. } = self;
        particles.clear();
        at.clear();
        at.resize(surface.len(), NONE);
        places.for_each(|place| at[place as usize] = 0);
        for (part, on_surface) in at.iter_mut().zip(surface).filter(|(part, _)| **part != NONE) {
            *part = particles.len() as u32;
            particles.push(on_surface.particle);
        }
    }

    /// Takes none.
    pub(crate) fn clear(&mut self) {
        self.particles.clear();
        self.list.clear();
    }

    /// The part at a place on the surface that was chosen.
    pub(crate) fn at(&self, place: u32) -> u32 {
        self.at[place as usize]
    }

    /// Takes the state of particles after they were moved.
    pub(crate) fn gather(&mut self, x: &[Vec4], v: &[Vec4], masses: &[f32], origin: Vec4) {
        self.origin = origin;
        self.list.clear();
        self.list.extend(self.particles.iter().map(|&i| {
            let (x, v, mass) = (x[i as usize], v[i as usize], masses[i as usize]);
            Part { x, v, load: Vec4::new(0.0, 0.0, 0.0, x.w / mass) }
        }));
    }
}
