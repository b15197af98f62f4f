//! Fuzzy clusters (CC 3.3, the third algorithm; PHYSICS "Building the levels").
//!
//! Reads points, masses and seeds; writes centres and weighted memberships that
//! agree with each other: a further round would change no membership and move no
//! centre by more than 0.1 % of the radius. Every round is a pure map of points
//! followed by sums in index order.
//!
//! What CC leaves open: the radius, when not given, follows the overlap during the
//! first rounds and then stands still; centres step beyond their weighted mean,
//! which halves the rounds and leaves the resting places what they are; points that
//! stay out of reach are helped where they are (a spare cluster moves there) before
//! the radius grows for everybody, and that before the number of clusters does.

use glam::Vec3;

use super::kmeans;
use super::rows::Rows;
use super::task::{Found, Task};
use crate::error::Error;

/// Lloyd's rounds spent on seeds. They need to be spread, not settled.
const SEED_ROUNDS: u32 = 10;
/// Rounds in which a radius that was not given follows the overlap.
const FITTING_ROUNDS: u32 = 15;
/// How well the overlap must fit before the radius stands still early.
const OVERLAP_FITS: f32 = 0.005;
/// A centre moves this many times the way to its weighted mean. At 1 the last
/// stragglers take 120 to 160 rounds on MR's scenes, at 1.7 60 to 120; from 2 on
/// steps would no longer shrink.
const OVERSHOOT: f32 = 1.7;
/// The largest move of a centre that counts as rest, in radii (CC 3.3).
const REST: f32 = 1e-3;
/// Rounds of unchanged membership that count as convergence (CC 3.3).
const QUIET_ROUNDS: u32 = 2;
/// Rounds the number of orphans may fail to fall before the attempt is given up.
const ORPHAN_PATIENCE: u32 = 8;
/// Growth of the radius after an attempt that did not converge...
const GROWTH: f32 = 1.08;
/// ...and when more than one point in `MANY` is an orphan: it is far too small then.
const LEAP: f32 = 1.4;
const MANY: usize = 16;
/// Attempts with a larger radius, and then with more clusters.
const MOST_GROWTHS: u32 = 24;
const MOST_ADDITIONS: u32 = 8;
/// An orphan further than this from the nearest centre, in radii, is an outlier:
/// a radius grown to reach it would swallow the rest of the body.
const OUTLIER: f32 = 1.3;

enum Verdict {
    Settled,
    Stalled,
}

struct Run {
    centres: Vec<Vec3>,
    radius: f32,
    rows: Rows,
    before: Rows,
    rounds: u32,
    growths: u32,
    additions: u32,
    moved_away: usize,
}

/// Clusters `task` and says how it went.
pub(crate) fn cluster(task: &mut Task) -> Result<Found, Error> {
    let seeds = kmeans::seeds(task.cloud, task.distinct, task.count, &mut task.generator);
    let seeds = kmeans::lloyd(task.cloud, seeds, SEED_ROUNDS, task.workers, task.tick)?;
    let points = task.cloud.points.len();
    let mut run = Run {
        radius: task.radius.unwrap_or_else(|| kmeans::spacing(&seeds.centres)),
        centres: seeds.centres,
        rows: Rows::new(points),
        before: Rows::new(points),
        rounds: seeds.rounds,
        growths: 0,
        additions: 0,
        moved_away: 0,
    };
    let mut fitting = task.radius.is_none();
    let converged = loop {
        match run.attempt(task, fitting)? {
            Verdict::Settled => break true,
            Verdict::Stalled if !run.remedy(task) => break false,
            Verdict::Stalled => fitting = false,
        }
    };
    Ok(Found { centres: run.centres, radius: run.radius, rows: run.rows, rounds: run.rounds, converged })
}

impl Run {
    /// Rounds until converged, or until it shows that they will not.
    fn attempt(&mut self, task: &mut Task, mut fitting: bool) -> Result<Verdict, Error> {
        let mut quiet = 0;
        let mut patience = Patience::default();
        for round in 1..=task.max_rounds {
            (task.tick)()?;
            self.rounds += 1;
            self.fill(task, fitting)?;
            let changes = self.rows.changes(&self.before, task.workers);
            let orphans = self.rows.orphans().len();
            let means = self.rows.centres_of_mass(task.cloud, self.centres.len());
            let mean = |c: usize| if means[c].1 > 0.0 { means[c].0.as_vec3() } else { self.centres[c] };
            let means: Vec<Vec3> = (0..self.centres.len()).map(mean).collect();
            let way = self.centres.iter().zip(&means).fold(0.0, |most: f32, (c, m)| most.max(c.distance(*m)));
            quiet = if changes == 0 && orphans == 0 { quiet + 1 } else { 0 };
            if quiet >= QUIET_ROUNDS && way <= REST * self.radius {
                return Ok(Verdict::Settled);
            }
            if round == task.max_rounds || !fitting && patience.is_lost(orphans, &self.centres) {
                break;
            }
            for (centre, mean) in self.centres.iter_mut().zip(means) {
                *centre += (mean - *centre) * OVERSHOOT;
            }
            if fitting {
                let misfit = task.mean_overlap(&self.rows) / task.overlap - 1.0;
                fitting = round < FITTING_ROUNDS.min(task.max_rounds / 2);
                if misfit.abs() > OVERLAP_FITS {
                    self.radius = task.better_radius(self.radius, &self.rows);
                }
            }
            std::mem::swap(&mut self.rows, &mut self.before);
        }
        Ok(Verdict::Stalled)
    }

    /// Makes the rows of this round. A radius far too large is refused if it was
    /// given, and taken back if it was found here.
    fn fill(&mut self, task: &Task, fitting: bool) -> Result<(), Error> {
        loop {
            let rows = std::mem::replace(&mut self.rows, Rows::new(0));
            if let Some(rows) = task.rows(&self.centres, self.radius, rows) {
                self.rows = rows;
                return Ok(());
            }
            if !fitting && self.growths == 0 {
                return Err(task.too_wide.clone());
            }
            self.rows = Rows::new(task.cloud.points.len());
            self.radius *= 0.7;
            self.growths = MOST_GROWTHS;
        }
    }

    /// Changes what kept the last attempt from converging; it goes on from the
    /// present centres. False when all has been tried.
    fn remedy(&mut self, task: &Task) -> bool {
        let orphans = self.distant_orphans(task);
        let points = task.cloud.points.len();
        let far = orphans.first().is_some_and(|&(distance, _)| distance > OUTLIER * self.radius);
        if far && orphans.len() * MANY < points && self.move_spare_clusters(task, &orphans) {
            return true;
        }
        if self.growths < MOST_GROWTHS {
            self.growths += 1;
            self.radius *= if orphans.len() * MANY > points { LEAP } else { GROWTH };
            return true;
        }
        if !orphans.is_empty() && self.additions < MOST_ADDITIONS {
            self.additions += 1;
            let most = (task.count / 8).max(1);
            let places = self.places_for(task, &orphans, most);
            self.centres.extend(places);
            return true;
        }
        false
    }

    /// Points in reach of no centre with their distance to the nearest, furthest first.
    fn distant_orphans(&self, task: &Task) -> Vec<(f32, u32)> {
        let orphans = self.rows.orphans();
        let owners = kmeans::nearest(task.cloud, &orphans, &self.centres, self.radius, task.workers);
        let distance = |(&point, &owner): (&u32, &u32)| {
            (task.cloud.points[point as usize].distance(self.centres[owner as usize]), point)
        };
        let mut orphans: Vec<(f32, u32)> = orphans.iter().zip(&owners).map(distance).collect();
        orphans.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        orphans
    }

    /// Up to `most` orphans, furthest first, none within a radius of another chosen one.
    fn places_for(&self, task: &Task, orphans: &[(f32, u32)], most: usize) -> Vec<Vec3> {
        let mut places: Vec<Vec3> = Vec::new();
        for &(_, point) in orphans {
            let at = task.cloud.points[point as usize];
            if places.len() < most && places.iter().all(|place| place.distance(at) > self.radius) {
                places.push(at);
            }
        }
        places
    }

    /// Moves clusters that nobody depends on alone, lightest first, to the orphans.
    /// At most a quarter of all clusters, or the moving would never end.
    fn move_spare_clusters(&mut self, task: &Task, orphans: &[(f32, u32)]) -> bool {
        let left = (self.centres.len() / 4).saturating_sub(self.moved_away);
        let places = self.places_for(task, orphans, left.min(self.centres.len() / 16 + 1));
        let spare = self.rows.spare_clusters(task.cloud, self.centres.len());
        let moves = places.len().min(spare.len());
        for (place, cluster) in places.into_iter().zip(spare) {
            self.centres[cluster as usize] = place;
        }
        self.moved_away += moves;
        moves > 0
    }
}

/// Notices an attempt that gets nowhere.
#[derive(Default)]
struct Patience {
    fewest: Option<usize>,
    waited: u32,
    seen: Vec<u64>,
}

impl Patience {
    /// True when orphans have persisted too long, or when the centres are exactly
    /// where they have been before: the rounds then repeat for ever.
    fn is_lost(&mut self, orphans: usize, centres: &[Vec3]) -> bool {
        let fewer = self.fewest.is_none_or(|fewest| orphans < fewest);
        self.waited = if fewer || orphans == 0 { 0 } else { self.waited + 1 };
        if fewer {
            self.fewest = Some(orphans);
        }
        let bits = centres.iter().flat_map(|c| c.to_array()).map(|c| u64::from(c.to_bits()));
        let mark = bits.fold(0xcbf2_9ce4_8422_2325, |mark: u64, b| (mark ^ b).wrapping_mul(0x0100_0000_01b3));
        // At a resting place a centre repeats too, but then the round before has settled.
        let repeats = self.seen.iter().rev().skip(QUIET_ROUNDS as usize).any(|&seen| seen == mark);
        self.seen.push(mark);
        self.waited >= ORPHAN_PATIENCE || repeats
    }
}
