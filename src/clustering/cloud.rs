//! The points of one level, moved and scaled to lie within 1 of the origin.
//!
//! Reads rest positions and masses; writes local coordinates. Thresholds and cells
//! then work at every scale of length, and squares neither overflow nor vanish.
//! The scale is a power of two, so scaling itself does not round.

use glam::{DVec3, Vec3};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Points in local coordinates with their masses.
pub(crate) struct Cloud {
    /// Positions, every component within -1..=1.
    pub points: Vec<Vec3>,
    /// Masses, more than 0.
    pub masses: Vec<f64>,
    origin: DVec3,
    scale: f64,
}

impl Cloud {
    /// Takes points in any unit; there must be at least one.
    pub fn new(points: &[DVec3], masses: Vec<f64>) -> Cloud {
        let low = points.iter().fold(DVec3::INFINITY, |low, &p| low.min(p));
        let high = points.iter().fold(DVec3::NEG_INFINITY, |high, &p| high.max(p));
        let origin = (low + high) * 0.5;
        let (_, exponent) = libm::frexp(((high - low) * 0.5).max_element());
        let scale = libm::ldexp(1.0, exponent);
        // Adding zero turns -0 into 0, so that equal positions have equal bits.
        let local = |&p: &DVec3| ((p - origin) / scale).as_vec3() + Vec3::ZERO;
        Cloud { points: points.iter().map(local).collect(), masses, origin, scale }
    }

    /// A local position in the unit the points came in.
    pub fn outside(&self, local: DVec3) -> DVec3 {
        self.origin + local * self.scale
    }

    /// A local length in the unit the points came in.
    pub fn length_outside(&self, local: f32) -> f32 {
        (f64::from(local) * self.scale) as f32
    }

    /// A length given in the unit of the points, in local units.
    pub fn length_inside(&self, length: f64) -> f32 {
        (length / self.scale) as f32
    }

    /// Indices of the points, one for each position taken, ascending.
    pub fn distinct(&self) -> Vec<u32> {
        let bits = |i: u32| self.points[i as usize].to_array().map(f32::to_bits);
        let mut order: Vec<u32> = (0..self.points.len() as u32).collect();
        order.sort_unstable_by_key(|&i| (bits(i), i));
        order.dedup_by_key(|i| bits(*i));
        order.sort_unstable();
        order
    }

    /// The centre of mass.
    pub fn middle(&self) -> DVec3 {
        let mut sum = DVec3::ZERO;
        let mut mass = 0.0;
        for (point, &m) in self.points.iter().zip(&self.masses) {
            sum += point.as_dvec3() * m;
            mass += m;
        }
        sum / mass
    }
}

/// The generator of one level: levels do not share a stream, so that changing one
/// leaves the others as they are.
pub(crate) fn generator(seed: u64, level: usize) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(level as u64);
    generator
}

/// A number below `count`. Not `random_range`, whose draws differ with the width of `usize`.
pub(crate) fn below(generator: &mut ChaCha8Rng, count: usize) -> usize {
    ((u128::from(generator.next_u64()) * count as u128) >> 64) as usize
}
