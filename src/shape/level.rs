//! One scale of a shape: its clusters at rest, and who belongs to whom, both ways.

use glam::{Vec3A, Vec4};

use crate::clustering::LevelReport;
use crate::membership::Membership;

/// What a step needs to know about a cluster at rest.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::cube()?;
/// let [whole] = shape.clusters(shape.levels().len() - 1) else { panic!("the coarsest level is one cluster") };
/// assert!((whole.mass - shape.mass()).abs() < 1e-5);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct RestCluster {
    /// Centre of mass, metres, rest space; w is 0.
    pub centre: Vec4,
    /// What rounding `centre` left out, metres: without it a cluster would push its body along.
    pub residue: Vec3A,
    /// Mass, kg: its members' masses times their weights.
    pub mass: f32,
    /// One over `mass`.
    pub inverse_mass: f32,
    /// Trace of A_rr, kg m².
    pub spread: f32,
    /// SL Eq. 5: largest distance of a member from the centre, metres.
    pub width: f32,
}

/// One scale of a shape.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::cube()?;
/// let counts: Vec<usize> = shape.levels().iter().map(|level| level.cluster_count()).collect();
/// assert_eq!(counts, [10, 1]);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Debug)]
pub struct Level {
    pub(super) members: Membership,
    pub(super) held_by: Membership,
    pub(super) report: LevelReport,
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::cube()?;
/// let finest = &shape.levels()[0];
/// assert_eq!(finest.members().rows(), finest.cluster_count());
/// assert_eq!(finest.held_by().rows(), shape.particle_count());
/// assert!(finest.report().converged);
/// # Ok::<(), wobble::Error>(())
/// ```
impl Level {
    /// Number of clusters.
    pub fn cluster_count(&self) -> usize {
        self.members.rows()
    }

    /// For each cluster its members, weighted by mass times weight. Members are particles in
    /// spatial order or, for a coarser nested level, clusters of the level below.
    pub fn members(&self) -> &Membership {
        &self.members
    }

    /// For each member, the clusters that hold it; weights sum to 1.
    pub fn held_by(&self) -> &Membership {
        &self.held_by
    }

    /// How building it went.
    pub fn report(&self) -> &LevelReport {
        &self.report
    }

    pub(super) fn bytes(&self) -> usize {
        self.members.bytes() + self.held_by.bytes()
    }
}
