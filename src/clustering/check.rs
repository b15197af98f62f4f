//! What a [`LevelsDef`] may contain.

use super::LevelsDef;
use crate::error::{Error, LARGEST, within};

impl LevelsDef {
    /// Refuses values out of range, naming the field and the value.
    pub(crate) fn check(&self) -> Result<(), Error> {
        at_least_one("particles_per_cluster", self.particles_per_cluster)?;
        at_least_one("finest_clusters", self.finest_clusters.unwrap_or(1))?;
        at_least_one("max_levels", self.max_levels)?;
        at_least_one("max_rounds", self.max_rounds)?;
        if let Some(radius) = self.radius {
            within("radius", radius, f32::MIN_POSITIVE, LARGEST, "more than 0 and at most 1e9")?;
        }
        let growth = "more than 1 and at most 1000";
        within("radius_growth", self.radius_growth, 1.0 + f32::EPSILON, 1e3, growth)?;
        within("overlap", self.overlap, 1.0, 64.0, "from 1 to 64")?;
        self.kernel.check()
    }

    /// Clusters the finest level should have (MR Eq. 13).
    pub(crate) fn finest_count(&self, points: usize) -> usize {
        let asked = match self.finest_clusters {
            Some(count) => count as usize,
            None => points / self.particles_per_cluster as usize,
        };
        asked.clamp(1, points)
    }

    /// The refusal of a radius with which a particle would be in hundreds of clusters.
    pub(crate) fn too_wide(&self, level: usize) -> Error {
        let wanted = "smaller: particles would be in hundreds of clusters each";
        let (field, value) = match level {
            0 => ("radius", self.radius.unwrap_or_default()),
            _ => ("radius_growth", self.radius_growth),
        };
        Error::Value { field, value: value.into(), wanted }
    }
}

fn at_least_one(field: &'static str, value: u32) -> Result<(), Error> {
    if value >= 1 { Ok(()) } else { Err(Error::Value { field, value: value.into(), wanted: "1 or more" }) }
}
