//! What one level asks of a clustering algorithm, and what it gets back.

use glam::Vec3;
use rand_chacha::ChaCha8Rng;

use super::Kernel;
use super::cloud::Cloud;
use super::kmeans;
use super::rows::Rows;
use super::workers::Workers;
use crate::error::Error;

/// Everything an algorithm reads. Lengths are local to the cloud.
pub(crate) struct Task<'a> {
    /// The points to cluster.
    pub cloud: &'a Cloud,
    /// One point for each position taken; at least `count` of them.
    pub distinct: &'a [u32],
    /// Clusters asked for, 2 or more.
    pub count: usize,
    /// The radius asked for; chosen when `None`.
    pub radius: Option<f32>,
    /// Memberships a point aimed at when the radius is chosen.
    pub overlap: f32,
    /// How membership falls off.
    pub kernel: Kernel,
    /// Rounds of one attempt.
    pub max_rounds: u32,
    /// Refused when it holds far too many points.
    pub too_wide: Error,
    /// Source of the random choices.
    pub generator: ChaCha8Rng,
    /// The threads.
    pub workers: &'a Workers,
    /// Reports progress; an error ends the build.
    pub tick: &'a mut dyn FnMut() -> Result<(), Error>,
}

impl Task<'_> {
    /// Rows for `centres`, orphans given to the nearest centre. `None` if the radius
    /// holds far too many points.
    pub fn rows(&self, centres: &[Vec3], radius: f32, mut rows: Rows) -> Result<Option<Rows>, Error> {
        if !rows.fill(self.cloud, centres, radius, self.kernel, self.workers)? {
            return Ok(None);
        }
        let orphans = rows.orphans();
        if !orphans.is_empty() {
            rows.adopt(&kmeans::nearest(self.cloud, &orphans, centres, radius, self.workers));
        }
        Ok(Some(rows))
    }

    /// Mean memberships of a point.
    pub fn mean_overlap(&self, rows: &Rows) -> f32 {
        rows.len() as f32 / self.cloud.points.len() as f32
    }

    /// The radius that would bring the overlap of `rows`, filled with `radius`, to
    /// the one aimed at, if memberships grew with the volume. They grow more slowly
    /// in sheets and strands, so this nears the aim in steps and does not pass it.
    pub fn better_radius(&self, radius: f32, rows: &Rows) -> f32 {
        let ratio = self.overlap / self.mean_overlap(rows);
        radius * libm::cbrtf(ratio).clamp(0.5, 2.0)
    }
}

/// A finished clustering, lengths local to the cloud.
pub(crate) struct Found {
    /// Centres of the range queries that made the rows.
    pub centres: Vec<Vec3>,
    /// The radius of those queries.
    pub radius: f32,
    /// Who holds whom.
    pub rows: Rows,
    /// Rounds over all attempts.
    pub rounds: u32,
    /// Whether the last attempt converged.
    pub converged: bool,
}
