//! The levels of a body, finest first (MR 4.1, Algorithm 1).
//!
//! Reads rest positions, masses and a [`LevelsDef`]; writes one [`Clusters`] a
//! level. The finest clusters particles; coarser ones cluster particles again, or,
//! nested, the mass centres of the level below. Each level has a random stream of
//! its own and one caller's thread for everything that is not a pure map.

use std::time::Instant;

use glam::{DVec3, Vec3};

use super::cloud::{Cloud, generator};
use super::rows::Rows;
use super::task::{Found, Task};
use super::workers::Workers;
use super::{Algorithm, Clusters, LevelReport, LevelsDef, Nesting, fuzzy, kmeans, random};
use crate::error::Error;
use crate::headroom;
use crate::math::morton;
use crate::membership::Membership;

/// Bytes that a point takes at most until a level has its first rows: where the search for its centres begins, and owners.
const POINT_BYTES: usize = 200;

/// How many clusters of one level make one of the next (MR 4.1: as in an octree).
const BRANCHING: usize = 8;

/// Memberships a cluster in the level above aimed at for nested levels. Weights of
/// nested levels multiply, so a particle is held by many coarse clusters even with
/// few parents a cluster, and every parent costs each pass over the levels.
const PARENTS: f32 = 3.0;

/// Few clusters cannot overlap much and still differ: the most memberships aimed
/// at are 1 and this for every cluster but one. 2 clusters of 16 points that are to
/// overlap by half end up in one place.
const FEW: f32 = 0.4;

/// Bounds of a radius within a cloud that lies within 1 of the origin: smaller or
/// larger ones hold the same points, but their squares do not fit into an `f32`.
const LEAST_RADIUS: f32 = 1e-6;
const MOST_RADIUS: f32 = 1e6;

/// Finds the clusters of every level, finest first; no points give no levels.
///
/// `points` are finite and in Morton order (any order works, spatial order is
/// fast), `masses` more than 0. `progress` is told the share done, rising from 0
/// to 1, at least once a round; returning false ends the build with
/// [`Error::Cancelled`].
///
/// ```
/// use glam::Vec3;
/// use wobble::clustering::{LevelsDef, build};
///
/// let points: Vec<Vec3> = (0..100).map(|i| Vec3::X * i as f32).collect();
/// let levels = build(&points, &[1.0; 100], &LevelsDef::default(), &mut |_done| true)?;
///
/// assert_eq!(levels.iter().map(|level| level.centres.len()).collect::<Vec<_>>(), [5, 1]);
/// # Ok::<(), wobble::Error>(())
/// ```
pub fn build(
    points: &[Vec3],
    masses: &[f32],
    def: &LevelsDef,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Result<Vec<Clusters>, Error> {
    def.check()?;
    if masses.len() != points.len() {
        let wanted = format!("one for each of the {} points", points.len());
        return Err(Error::Length { field: "masses", got: masses.len(), wanted });
    }
    if points.is_empty() {
        return Ok(Vec::new());
    }
    let particles: Vec<DVec3> = points.iter().map(|p| p.as_dvec3()).collect();
    let masses: Vec<f64> = masses.iter().map(|&m| f64::from(m)).collect();
    let finest = def.finest_count(points.len());
    let mut builder = Builder {
        def,
        workers: Workers::new(def.threads, points.len()),
        meter: Meter::new(progress, def, points.len(), finest),
        cloud: Cloud::new(&particles, masses),
        level: 0,
        count: finest,
    };
    let mut levels = Vec::new();
    while builder.level < def.max_levels as usize {
        let below = levels.last().map_or(usize::MAX, |clusters: &Clusters| clusters.centres.len());
        levels.push(builder.next_level(below)?);
        if levels.last().is_some_and(|clusters| clusters.centres.len() == 1) {
            break;
        }
    }
    count_holders(&mut levels, def.nesting, points.len(), &builder.workers);
    builder.meter.finish()?;
    Ok(levels)
}

struct Builder<'a> {
    def: &'a LevelsDef,
    workers: Workers,
    meter: Meter<'a>,
    /// What the next level clusters.
    cloud: Cloud,
    level: usize,
    /// Clusters the next level should have.
    count: usize,
}

impl Builder<'_> {
    /// Builds one level of fewer clusters than `below` and prepares for the next.
    fn next_level(&mut self, below: usize) -> Result<Clusters, Error> {
        let start = Instant::now();
        headroom::ensure(self.cloud.points.len() * POINT_BYTES, "finding clusters")?;
        let distinct = self.cloud.distinct();
        let count = self.count.min(distinct.len()).min(below - 1);
        let found = if count == 1 { self.single() } else { self.search(&distinct, count, below / 2)? };
        let (mut clusters, masses, middles) = arranged(&self.cloud, &found);
        clusters.report.seconds = start.elapsed().as_secs_f32();
        let random_radius = self.def.algorithm == Algorithm::Random && self.def.radius.is_some();
        // Where the radius alone rules, the clusters found are the ones to be reduced.
        let reduced = if random_radius { clusters.centres.len() } else { count };
        self.count = (reduced / BRANCHING).max(1);
        self.level += 1;
        self.meter.next_level();
        if self.def.nesting == Nesting::Nested {
            self.cloud = Cloud::new(&middles, masses);
        }
        Ok(clusters)
    }

    /// At most `most` clusters come out, half of those below, so that even where the
    /// radius rules and points are scattered wide the levels come to an end.
    fn search(&mut self, distinct: &[u32], count: usize, most: usize) -> Result<Found, Error> {
        let def = self.def;
        let radius = self.asked_radius();
        let nested = def.nesting == Nesting::Nested && self.level > 0;
        let overlap = if nested { def.overlap.min(PARENTS) } else { def.overlap };
        let meter = &mut self.meter;
        let mut task = Task {
            cloud: &self.cloud,
            distinct,
            count,
            radius,
            overlap: overlap.min(1.0 + FEW * (count - 1) as f32),
            kernel: def.kernel,
            max_rounds: def.max_rounds,
            too_wide: def.too_wide(self.level),
            generator: generator(def.seed, self.level),
            workers: &self.workers,
            tick: &mut || meter.tick(),
        };
        match def.algorithm {
            Algorithm::Random => random::cluster(&mut task, most),
            Algorithm::KMeans => kmeans::cluster(&mut task),
            Algorithm::Fuzzy => fuzzy::cluster(&mut task),
        }
    }

    /// The radius that the definition asks for at this level, as long as it is within the cloud.
    fn asked_radius(&self) -> Option<f32> {
        let growth = (0..self.level).fold(1.0, |growth, _| growth * f64::from(self.def.radius_growth));
        let inside = |radius| self.cloud.length_inside(f64::from(radius) * growth);
        self.def.radius.map(|radius| inside(radius).clamp(LEAST_RADIUS, MOST_RADIUS))
    }

    /// The top: one cluster that holds everything, with weight exactly 1. A radius that was asked for is heeded
    /// where it is wide enough for that.
    fn single(&self) -> Found {
        let centre = self.cloud.middle().as_vec3();
        let farthest = |most: f32, p: &Vec3| most.max(p.distance(centre));
        let radius = self.cloud.points.iter().fold(self.asked_radius().unwrap_or(0.0), farthest);
        let mut rows = Rows::new(self.cloud.points.len());
        rows.fill_single(self.cloud.points.len());
        Found { centres: vec![centre], radius, rows, rounds: 1, converged: true }
    }
}

/// Brings clusters into spatial order, leaves out those that hold nothing, and
/// finds their masses and mass centres.
fn arranged(cloud: &Cloud, found: &Found) -> (Clusters, Vec<f64>, Vec<DVec3>) {
    let weighed = found.rows.centres_of_mass(cloud, found.centres.len());
    let held: Vec<usize> = (0..weighed.len()).filter(|&c| weighed[c].1 > 0.0).collect();
    let outside = |c: usize| cloud.outside(found.centres[c].as_dvec3()).as_vec3();
    let centres: Vec<Vec3> = held.iter().map(|&c| outside(c)).collect();
    let order: Vec<usize> = morton::order(&centres).into_iter().map(|i| held[i as usize]).collect();
    let mut place = vec![u32::MAX; found.centres.len()];
    for (to, &from) in order.iter().enumerate() {
        place[from] = to as u32;
    }
    let held_by = found.rows.membership(&place);
    let report = LevelReport {
        clusters: order.len(),
        radius: cloud.length_outside(found.radius),
        rounds: found.rounds,
        converged: found.converged,
        overlap: held_by.len() as f32 / held_by.rows() as f32,
        memberships_per_particle: 0.0,
        seconds: 0.0,
    };
    let masses = order.iter().map(|&c| weighed[c].1).collect();
    let middles = order.iter().map(|&c| cloud.outside(weighed[c].0)).collect();
    let centres = order.iter().map(|&c| outside(c)).collect();
    (Clusters { centres, held_by, report }, masses, middles)
}

/// Fills in how many clusters of each level hold a particle, through all levels below.
fn count_holders(levels: &mut [Clusters], nesting: Nesting, particles: usize, workers: &Workers) {
    const BLOCK: usize = 1024;
    let tables: Vec<&Membership> = levels.iter().map(|clusters| &clusters.held_by).collect();
    let mut sums = vec![vec![0u64; levels.len()]; particles.div_ceil(BLOCK)];
    workers.each(&mut sums, |b, sums| {
        let (mut holders, mut above) = (Vec::new(), Vec::new());
        for particle in b * BLOCK..particles.min((b + 1) * BLOCK) {
            holders.clear();
            holders.push(particle as u32);
            for (table, sum) in tables.iter().zip(&mut *sums) {
                above.clear();
                above.extend(holders.iter().flat_map(|&h| table.row(h as usize)).map(|entry| entry.index));
                above.sort_unstable();
                above.dedup();
                *sum += above.len() as u64;
                if nesting == Nesting::Nested {
                    std::mem::swap(&mut holders, &mut above);
                }
            }
        }
    });
    for (l, clusters) in levels.iter_mut().enumerate() {
        let total: u64 = sums.iter().map(|sums| sums[l]).sum();
        clusters.report.memberships_per_particle = (total as f64 / particles as f64) as f32;
    }
}

/// Turns rounds into a share of the whole that only rises.
struct Meter<'a> {
    progress: &'a mut dyn FnMut(f32) -> bool,
    /// Points that each level clusters: its share of the work.
    shares: Vec<f32>,
    level: usize,
    rounds: f32,
    shown: f32,
}

impl<'a> Meter<'a> {
    fn new(
        progress: &'a mut dyn FnMut(f32) -> bool,
        def: &LevelsDef,
        points: usize,
        finest: usize,
    ) -> Meter<'a> {
        let (mut shares, mut count) = (vec![points as f32], finest);
        while count > 1 && shares.len() < def.max_levels as usize {
            shares.push(if def.nesting == Nesting::Nested { count } else { points } as f32);
            count = (count / BRANCHING).max(1);
        }
        Meter { progress, shares, level: 0, rounds: 0.0, shown: 0.0 }
    }

    fn tick(&mut self) -> Result<(), Error> {
        self.rounds += 1.0;
        // Nobody knows how many rounds there will be; this share never quite arrives.
        let here = self.rounds / (self.rounds + 40.0);
        let done: f32 = self.shares.iter().take(self.level).sum();
        let share = self.shares.get(self.level).copied().unwrap_or(0.0);
        let all: f32 = self.shares.iter().sum();
        self.show((done + share * here) / all * 0.99)
    }

    fn next_level(&mut self) {
        self.level += 1;
        self.rounds = 0.0;
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.show(1.0)
    }

    fn show(&mut self, share: f32) -> Result<(), Error> {
        self.shown = self.shown.max(share);
        if (self.progress)(self.shown) { Ok(()) } else { Err(Error::Cancelled) }
    }
}
