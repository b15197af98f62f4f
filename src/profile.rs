//! Where the time of a step went.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// The stages that are timed apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Sums and rotations of the clusters of every level.
    Match,
    /// From cluster fits to what each finest cluster pulls with.
    Goals,
    /// Blend, integrate and meet the planes.
    Integrate,
    /// Contacts between bodies.
    Contacts,
    /// Strain-limiting rounds.
    Strain,
    /// Deformation that becomes lasting.
    Plasticity,
    /// Clusters of bodies that flowed far are replaced.
    Recluster,
    /// Of that, where new ones are found a place: the embedding.
    Embed,
}

const STAGES: usize = 8;

/// Seconds by stage of the last step. Small bodies are stepped several at a time, so on
/// several threads their stages add up to more than `total`, which is wall time.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// world.step(1.0 / 60.0)?;
/// let profile = world.profile();
/// println!("{:.3} ms, of which matching {:.3}", 1e3 * profile.total, 1e3 * profile.matching);
/// assert_eq!(profile.substeps, 4);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Profile {
    /// Sums and rotations of the clusters of every level.
    pub matching: f32,
    /// From cluster fits to what each finest cluster pulls with.
    pub goals: f32,
    /// Blend, integrate and meet the planes.
    pub integrate: f32,
    /// Contacts between bodies.
    pub contacts: f32,
    /// Strain-limiting rounds.
    pub strain: f32,
    /// Deformation that becomes lasting.
    pub plasticity: f32,
    /// Replacing clusters of bodies that flowed far.
    pub recluster: f32,
    /// Of that, finding where all would lie without stress.
    pub embed: f32,
    /// Clusters that took the place of others.
    pub new_clusters: u32,
    /// The whole step, wall time.
    pub total: f32,
    /// Substeps run.
    pub substeps: u32,
    /// Strain-limiting rounds run in which some particle moved, over all bodies and substeps.
    pub strain_rounds: u32,
    /// Cluster fits made by strain limiting, over all bodies, substeps and rounds.
    pub strain_fits: u64,
    /// Particles that were so near to another body that they might have touched it.
    pub contact_count: u32,
}

/// Collects times from all threads; sums of whole nanoseconds, so order does not matter.
#[derive(Default)]
pub(crate) struct Clock {
    nanos: [AtomicU64; STAGES],
    rounds: AtomicU64,
    fits: AtomicU64,
    clusters: AtomicU64,
}

impl Clock {
    pub(crate) fn reset(&self) {
        self.nanos
            .iter()
            .chain([&self.rounds, &self.fits, &self.clusters])
            .for_each(|n| n.store(0, Ordering::Relaxed));
    }

    /// Runs `work` and books its time under `stage`.
    pub(crate) fn time<R>(&self, stage: Stage, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        let spent = start.elapsed().as_nanos() as u64;
        self.nanos[stage as usize].fetch_add(spent, Ordering::Relaxed);
        result
    }

    /// Books what strain limiting did.
    pub(crate) fn count_strain(&self, rounds: u32, fits: u64) {
        self.rounds.fetch_add(rounds.into(), Ordering::Relaxed);
        self.fits.fetch_add(fits, Ordering::Relaxed);
    }

    /// Books clusters that took the place of others.
    pub(crate) fn count_clusters(&self, new: usize) {
        self.clusters.fetch_add(new as u64, Ordering::Relaxed);
    }

    pub(crate) fn read(&self, total: f32, substeps: u32, contact_count: u32) -> Profile {
        let seconds = |stage: Stage| self.nanos[stage as usize].load(Ordering::Relaxed) as f32 * 1e-9;
        Profile {
            matching: seconds(Stage::Match),
            goals: seconds(Stage::Goals),
            integrate: seconds(Stage::Integrate),
            contacts: seconds(Stage::Contacts),
            strain: seconds(Stage::Strain),
            plasticity: seconds(Stage::Plasticity),
            recluster: seconds(Stage::Recluster),
            embed: seconds(Stage::Embed),
            new_clusters: self.clusters.load(Ordering::Relaxed) as u32,
            total,
            substeps,
            strain_rounds: self.rounds.load(Ordering::Relaxed) as u32,
            strain_fits: self.fits.load(Ordering::Relaxed),
            contact_count,
        }
    }
}
