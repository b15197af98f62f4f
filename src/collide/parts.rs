//! The particles that take part in contacts.
//!
//! Few particles of a body are near another, and solving contacts goes over them several times in every substep. So what it needs of
//! them is gathered after particles were moved, side by side in memory, body by body, and what it did to them is given back at the end.

use glam::Vec4;

use super::field::SurfaceParticle;

/// No part.
const NONE: u32 = u32::MAX;

/// A particle as contacts have it in a substep.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    pub(crate) x: Vec4,
    pub(crate) v: Vec4,
    /// How many contacts share it, how many of these close, and in w one over its mass, 0 where it is pinned. Once they are solved, how
    /// far they move it, metres, or `UNTOUCHED`.
    pub(crate) load: Vec4,
}

impl Part {
    /// The load of one that no contact touches in this substep.
    pub(crate) const UNTOUCHED: Vec4 = Vec4::NEG_W;

    /// Whether a contact touches it, once they are solved.
    pub(crate) fn is_touched(&self) -> bool {
        self.load.w >= 0.0
    }
}

/// Which particles of a body take part.
#[derive(Debug, Default)]
pub(crate) struct Chosen {
    /// In ascending order.
    particles: Vec<u32>,
    /// For each place on the surface, the part there, counted from the body's first; `NONE` if it takes no part.
    at: Vec<u32>,
    /// How fast old overlap goes at most, m/s.
    pub(crate) fastest: f32,
}

impl Chosen {
    /// Takes those at these `places` of a surface.
    pub(crate) fn choose(&mut self, surface: &[SurfaceParticle], places: impl Iterator<Item = u32>) {
        let Chosen { particles, at, .. } = self;
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
    }
}

/// Those of all bodies in a step.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// Of each body.
    pub(crate) chosen: Vec<Chosen>,
    /// Where the parts of each body begin, and one more at the end.
    pub(crate) starts: Vec<u32>,
    /// Which particles they are, of their bodies.
    pub(crate) particles: Vec<u32>,
    pub(crate) list: Vec<Part>,
}

impl Parts {
    /// None, of so many bodies.
    pub(crate) fn begin(&mut self, bodies: usize) {
        self.chosen.resize_with(bodies, Chosen::default);
        self.starts.clear();
        self.starts.resize(bodies + 1, 0);
        self.particles.clear();
    }

    /// Once all are chosen: lays them out.
    pub(crate) fn lay_out(&mut self) {
        let Parts { chosen, starts, particles, list } = self;
        starts.clear();
        particles.clear();
        for chosen in chosen {
            starts.push(particles.len() as u32);
            particles.extend_from_slice(&chosen.particles);
        }
        starts.push(particles.len() as u32);
        list.resize(particles.len(), Part::default());
    }

    /// The part at a place on a body's surface that was chosen.
    pub(crate) fn at(&self, body: u32, place: u32) -> u32 {
        self.starts[body as usize] + self.chosen[body as usize].at[place as usize]
    }
}

/// Takes the state of particles after they were moved.
pub(crate) fn gather(parts: &mut [Part], particles: &[u32], x: &[Vec4], v: &[Vec4], masses: &[f32]) {
    for (part, &i) in parts.iter_mut().zip(particles) {
        let (x, v, mass) = (x[i as usize], v[i as usize], masses[i as usize]);
        *part = Part { x, v, load: Vec4::new(0.0, 0.0, 0.0, x.w / mass) };
    }
}
