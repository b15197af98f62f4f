//! From a mesh to particles: inside it, on it, or both.
//!
//! Reads a mesh; writes where its particles are and what they weigh. What is inside is told by winding
//! numbers (`tree`), so that meshes with holes, open or crossing pieces work; flat sheets and thin strands
//! have no inside and become one layer or one row of particles. Same seed, same particles, on any
//! number of threads: threads only fill grids, one seeded generator makes all choices.

mod features;
mod lattice;
mod maps;
pub(crate) mod repair;
mod room;
mod scatter;
mod search;
mod shapes;
mod spacer;
mod strays;
mod surface;
pub(crate) mod tree;
mod triangle;

use crate::error::{Error, LARGEST, within};
use crate::membership::MOST_PARTICLES;

pub use surface::{Closest, MeshSurface};

/// How particles inside are laid out.
///
/// ```
/// use wobble::{Pattern, SamplingDef};
///
/// let layers = SamplingDef { pattern: Pattern::Grid, ..SamplingDef::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A cubic grid.
    Grid,
    /// A body-centred cubic grid: eight neighbours at the same distance.
    BodyCentred,
    /// Random places that keep their distance (RC 2.3.1): no direction is preferred.
    BlueNoise,
}

/// How many particles.
///
/// ```
/// use wobble::{Amount, SamplingDef};
///
/// let fine = SamplingDef { amount: Amount::Spacing(0.02), ..SamplingDef::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// About this many, within 5 %; from 4 to 2^24. A few particles more or less where there are few.
    Count(u32),
    /// Neighbours this far apart, metres. With [`Pattern::BlueNoise`] that is the least distance.
    Spacing(f32),
}

/// How to fill a mesh with particles.
///
/// ```
/// use wobble::{Amount, SamplingDef};
///
/// let balloon = SamplingDef { amount: Amount::Count(800), fill: false, ..SamplingDef::default() };
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SamplingDef {
    /// Default [`Pattern::BlueNoise`].
    pub pattern: Pattern,
    /// Default 5,000 particles.
    pub amount: Amount,
    /// Whether particles lie on the surface, so that the outline holds; those inside keep away from them.
    /// Default true.
    pub surface: bool,
    /// Whether particles lie inside; without them the body is hollow. Default true.
    pub fill: bool,
    /// kg/m³, from 1e-6 to 1e9; what is painted multiplies it. Default 1000, water.
    pub density: f32,
    /// Thickness of what has no inside, sheets and hollow bodies, metres, for their mass: as thick as
    /// the spacing when `None`, the default.
    pub thickness: Option<f32>,
    /// Vertices nearer than this share of the mesh's size are one, from 0 to 0.1. Default 1e-5.
    pub weld: f32,
    /// Seed of the random choices. Default 0.
    pub seed: u64,
}

impl Default for SamplingDef {
    fn default() -> Self {
        SamplingDef {
            pattern: Pattern::BlueNoise,
            amount: Amount::Count(5000),
            surface: true,
            fill: true,
            density: 1000.0,
            thickness: None,
            weld: 1e-5,
            seed: 0,
        }
    }
}

/// ```
/// use wobble::SamplingDef;
///
/// assert!(SamplingDef { density: 0.0, ..SamplingDef::default() }.check().is_err());
/// ```
impl SamplingDef {
    /// Refuses values out of range, naming the field and the value.
    pub fn check(&self) -> Result<(), Error> {
        match self.amount {
            Amount::Count(count) if !(FEWEST..=MOST_PARTICLES).contains(&(count as usize)) => {
                let wanted = "from 4 to 16777216 particles";
                return Err(Error::Value { field: "count", value: count.into(), wanted });
            }
            Amount::Count(_) => {}
            Amount::Spacing(spacing) => {
                within("spacing", spacing, f32::MIN_POSITIVE, LARGEST, "more than 0 m and at most 1e9 m")?;
            }
        }
        if !self.surface && !self.fill {
            let wanted = "true where fill is false: a body has particles inside, on its surface, or both";
            return Err(Error::Value { field: "surface", value: 0.0, wanted });
        }
        within("density", self.density, 1e-6, LARGEST, "from 1e-6 to 1e9 kg/m³")?;
        if let Some(thickness) = self.thickness {
            within("thickness", thickness, f32::MIN_POSITIVE, LARGEST, "more than 0 m and at most 1e9 m")?;
        }
        within("weld", self.weld, 0.0, 0.1, "from 0 to 0.1, a share of the mesh's size")
    }
}

/// Fewer particles do not make a body.
const FEWEST: usize = 4;
