//! From points to overlapping clusters, at one scale or several.
//!
//! Reads rest positions and masses; writes, for every level, which clusters hold
//! which point and how much. Papers: CC 3.2 and 3.3 (kernels, algorithms), MR 4.1
//! (levels). Same seed, same clusters, on any number of threads: the
//! generator is ChaCha8, sums run in index order, parallel loops only map.

mod check;
pub(crate) mod cloud;
mod fuzzy;
pub(crate) mod grid;
mod kernel;
mod kmeans;
pub mod levels;
mod random;
mod repair;
mod rows;
mod task;
pub mod weights;
mod workers;

use crate::membership::Membership;

pub use levels::build;
pub use weights::{Towards, Weighting};
pub(crate) use workers::Workers;

/// How clusters are found (CC 3.3).
///
/// ```
/// use wobble::{Algorithm, LevelsDef};
///
/// let quick = LevelsDef { algorithm: Algorithm::KMeans, ..LevelsDef::default() };
/// assert_eq!(LevelsDef::default().algorithm, Algorithm::Fuzzy);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Random particles become centres until everything is in reach of one (SL 2).
    Random,
    /// Lloyd's k-means; members are all points within the radius of a centre.
    KMeans,
    /// k-means seeds, then memberships, weights and weighted centres in turn.
    Fuzzy,
}

/// How a point's membership falls off with distance from a cluster's centre (CC Eq. 8-12).
///
/// ```
/// use wobble::{Kernel, LevelsDef};
///
/// let smooth = LevelsDef { kernel: Kernel::Poly6, ..LevelsDef::default() };
/// assert_eq!(LevelsDef::default().kernel, Kernel::InvSq { epsilon: 1e-4 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// The same for all members.
    Box,
    /// Smooth, zero at the radius.
    Poly6,
    /// `beta` + poly6, poly6 being 1 at the centre.
    Blend {
        /// The constant share, at least 0.
        beta: f32,
    },
    /// Inverse squared distance.
    InvSq {
        /// Keeps the centre finite; relative to the radius squared.
        epsilon: f32,
    },
    /// Fuzzy c-means.
    Fcm {
        /// Fuzziness, greater than 1.
        m: f32,
    },
}

/// What a coarser level clusters.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// use wobble::{LevelsDef, Nesting};
///
/// assert_eq!(doc::cube()?.nesting(), Nesting::Nested);
/// let as_in_the_paper = LevelsDef { nesting: Nesting::Independent, ..LevelsDef::default() };
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// The clusters of the level below: a step touches particles at the finest level only.
    Nested,
    /// All particles anew at every level, as MR does.
    Independent,
}

/// How to build the levels of a shape.
///
/// ```
/// use glam::Vec3;
/// use wobble::{LevelsDef, Shape};
///
/// let points: Vec<Vec3> = (0..200).map(|i| Vec3::new((i % 20) as f32, (i / 20) as f32, 0.0)).collect();
/// let def = LevelsDef { particles_per_cluster: 50, ..LevelsDef::default() };
/// let shape = Shape::from_points(&points, None, &def)?;
/// assert_eq!(shape.levels()[0].cluster_count(), 4);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LevelsDef {
    /// Default [`Algorithm::Fuzzy`].
    pub algorithm: Algorithm,
    /// Default `InvSq { epsilon: 1e-4 }`.
    pub kernel: Kernel,
    /// Default [`Nesting::Nested`].
    pub nesting: Nesting,
    /// Particles for each cluster of the finest level (MR Eq. 13): that level has
    /// floor(particles / this) clusters, at least 1. 1 or more; good values 15 to 50; default 20.
    pub particles_per_cluster: u32,
    /// Clusters of the finest level, in place of `particles_per_cluster`. 1 or more.
    pub finest_clusters: Option<u32>,
    /// Stop after this many levels, finest first. 1 is the classic single-level
    /// method; the default, 16, always reaches the single top cluster.
    pub max_levels: u32,
    /// Cluster radius of the finest level in metres; chosen when `None` (the default).
    pub radius: Option<f32>,
    /// Each coarser level's radius over that of the level below, when `radius` is
    /// given (MR's m). More than 1; default 2.
    pub radius_growth: f32,
    /// Memberships a particle aimed at when the radius is chosen: it is the smallest that
    /// gives them and leaves no particle out. Nested coarser levels aim at 3 at most,
    /// and n clusters at 1 + 0.4 (n - 1). Not used by [`Algorithm::Random`]. 1 to 64; default 4.
    pub overlap: f32,
    /// Rounds of one clustering attempt before its radius grows. 1 or more; default 300.
    /// Most attempts converge within 60 to 200.
    pub max_rounds: u32,
    /// Seed of the random choices. Default 0.
    pub seed: u64,
    /// Threads to build with; 0 (the default) takes all cores. Does not change the result.
    pub threads: u32,
}

impl Default for LevelsDef {
    fn default() -> Self {
        LevelsDef {
            algorithm: Algorithm::Fuzzy,
            kernel: Kernel::InvSq { epsilon: 1e-4 },
            nesting: Nesting::Nested,
            particles_per_cluster: 20,
            finest_clusters: None,
            max_levels: 16,
            radius: None,
            radius_growth: 2.0,
            overlap: 4.0,
            max_rounds: 300,
            seed: 0,
            threads: 0,
        }
    }
}

/// What building one level took.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::cube()?;
/// let report = shape.levels()[0].report();
/// println!("{} clusters of {} m, found in {} rounds", report.clusters, report.radius, report.rounds);
/// assert!(report.memberships_per_particle > 1.0);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LevelReport {
    /// Clusters made. More than asked for only if some particles stay out of reach
    /// otherwise; fewer only if particles coincide or lie far apart.
    pub clusters: usize,
    /// Radius used, metres. A single cluster reaches just its furthest member, 0 when all coincide, unless
    /// more was asked for.
    pub radius: f32,
    /// Rounds run, those of k-means for the seeds included, over all attempts.
    pub rounds: u32,
    /// Whether the last attempt converged.
    pub converged: bool,
    /// Mean memberships of a clustered point: particles, or for a nested level the
    /// clusters of the level below.
    pub overlap: f32,
    /// Mean clusters of this level that hold a particle, directly or through the levels below.
    pub memberships_per_particle: f32,
    /// Wall time of building the level, seconds; 0 for a shape that was loaded, or torn from another.
    pub seconds: f32,
}

/// One level as clustering finds it.
///
/// ```
/// use glam::Vec3;
/// use wobble::clustering::{LevelsDef, build};
///
/// let points: Vec<Vec3> = (0..100).map(|i| Vec3::X * i as f32).collect();
/// let levels = build(&points, &[1.0; 100], &LevelsDef::default(), &mut |_done| true)?;
///
/// let finest = &levels[0];
/// assert_eq!(finest.centres.len(), 5);
/// let weights: f32 = finest.held_by.row(50).iter().map(|entry| entry.weight).sum();
/// assert!((weights - 1.0).abs() < 1e-6);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Clusters {
    /// Centres of the spheres that hold the members, in spatial order: with
    /// [`Algorithm::Fuzzy`], once converged, the weighted centres of mass to within
    /// 0.1 % of the radius; with [`Algorithm::Random`] particles.
    pub centres: Vec<glam::Vec3>,
    /// For each clustered point, the clusters that hold it; weights sum to 1.
    pub held_by: Membership,
    /// How it went.
    pub report: LevelReport,
}
