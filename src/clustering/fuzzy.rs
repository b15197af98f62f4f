//! Fuzzy clusters (CC 3.3, the third algorithm; PHYSICS "Building the levels").
//!
//! Reads points, masses and seeds; writes centres and weighted memberships that
//! agree with each other: a further round would change no membership and move no
//! centre by more than 0.1 % of the radius. Every round is a pure map of points
//! followed by sums in index order.
//!
//! What CC leaves open: the radius, when not given, follows the overlap during the
//! first rounds and then stands still; centres step beyond their weighted mean,
//! which saves half of the rounds and leaves the resting places what they are; points that
//! stay out of reach are helped where they are (a spare cluster moves there) before
//! the radius grows for everybody, and that before the number of clusters does.

use glam::Vec3;

use super::kmeans;
use super::repair::{self, Remote};
use super::rows::Rows;
use super::task::{Found, Task};
use crate::error::Error;

/// Lloyd's rounds spent on seeds. They need to be spread, not settled.
const SEED_ROUNDS: u32 = 10;
/// Rounds in which a radius that was not given follows the overlap.
const FITTING_ROUNDS: u32 = 15;
/// How well the overlap must fit before the radius stands still early.
const OVERLAP_FITS: f32 = 0.005;
/// A centre moves this many times the way to its weighted mean at first...
const STRIDE: f32 = 1.7;
/// ...and more, up to a limit, while it keeps its direction; half as far, but never
/// short of the mean, when it turns back. With a stride of 1 MR's scenes take 120 to
/// 160 rounds, with 1.7 60 to 170, with strides that adapt 60 to 100.
const LONGER: f32 = 1.2;
const LONGEST: f32 = 8.0;
/// The largest move of a centre that counts as rest, in radii (CC 3.3).
const REST: f32 = 1e-3;
/// A centre nearer to its weighted mean than this, in radii, stays where it is: a
/// little less than what counts as rest. With thousands of points at the border of a cluster some
/// would change sides at the faintest drift, for hundreds of rounds. The threshold
/// rises to this over the first rounds, while drifts are still worth following.
const CALM: f32 = 0.8 * REST;
const CALM_ROUNDS: f32 = 100.0;
/// Rounds of unchanged membership that count as convergence (CC 3.3).
const QUIET_ROUNDS: u32 = 2;
/// Rounds the number of orphans may fail to fall before the attempt is given up.
const ORPHAN_PATIENCE: u32 = 8;
/// Largest growth of the radius after an attempt that did not converge...
const GROWTH: f32 = 1.08;
/// ...and when more than one point in `MANY` is an orphan: it is far too small then.
const LEAP: f32 = 1.4;
const MANY: usize = 16;
/// Attempts with a larger radius when there are orphans, and when there are none:
/// what merely settles slowly does not settle sooner for being larger.
const MOST_GROWTHS: u32 = 24;
const MOST_BLIND_GROWTHS: u32 = 3;
/// Attempts with more clusters.
const MOST_ADDITIONS: u32 = 8;
/// An orphan further than this from the nearest centre, in radii, is an outlier:
/// a radius grown to reach it would swallow the rest of the body.
const OUTLIER: f32 = 1.3;
/// Times a converged clustering is made better and brought to convergence again.
const POLISHINGS: u32 = 4;
/// Share of clusters that may sit upon others; fewer are not worth more rounds.
const TWINS_TOLERATED: f32 = 0.05;
/// How far the overlap may end from the aim before the radius is fitted again.
const OVERLAP_STRAYS: f32 = 0.05;

enum Verdict {
    Settled,
    Stalled,
}

struct Run {
    centres: Vec<Vec3>,
    radius: f32,
    rows: Rows,
    rounds: u32,
    growths: u32,
    additions: u32,
    polishings: u32,
    moved_away: usize,
}

/// Clusters `task` and says how it went.
pub(crate) fn cluster(task: &mut Task) -> Result<Found, Error> {
    let seeds = kmeans::seeds(task.cloud, task.distinct, task.count, &mut task.generator);
    let seeds = kmeans::lloyd(task.cloud, seeds, SEED_ROUNDS, task.workers, task.tick)?;
    let mut run = Run {
        radius: task.radius.unwrap_or_else(|| kmeans::spacing(&seeds.centres)),
        centres: seeds.centres,
        rows: Rows::new(task.cloud.points.len()),
        rounds: seeds.rounds,
        growths: 0,
        additions: 0,
        polishings: 0,
        moved_away: 0,
    };
    let mut fitting = task.radius.is_none();
    let mut best: Option<(f32, Found)> = None;
    loop {
        let verdict = run.attempt(task, fitting)?;
        fitting = false;
        match verdict {
            Verdict::Settled => {
                let flaws = run.flaws(task);
                if best.as_ref().is_some_and(|(least, _)| flaws >= *least) {
                    break;
                }
                best = Some((flaws, run.found(true)));
                if flaws == 0.0 || !run.polish(task) {
                    break;
                }
            }
            Verdict::Stalled if best.is_some() => break,
            Verdict::Stalled if !run.remedy(task) => break,
            Verdict::Stalled => {}
        }
    }
    let rounds = run.rounds;
    let found = best.map_or_else(|| run.found(false), |(_, found)| found);
    Ok(Found { rounds, ..found })
}

impl Run {
    /// Rounds until converged, or until it shows that they will not.
    fn attempt(&mut self, task: &mut Task, mut fitting: bool) -> Result<Verdict, Error> {
        let mut quiet = 0;
        let mut patience = Patience::default();
        let mut strides = vec![Stride::default(); self.centres.len()];
        for round in 1..=task.max_rounds {
            (task.tick)()?;
            self.rounds += 1;
            self.fill(task)?;
            let changes = self.rows.changes();
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
            let calm = CALM * self.radius * (round as f32 / CALM_ROUNDS).min(1.0);
            for ((centre, mean), stride) in self.centres.iter_mut().zip(means).zip(&mut strides) {
                *centre += stride.step(mean - *centre, calm);
            }
            if fitting {
                let misfit = task.mean_overlap(&self.rows) / task.overlap - 1.0;
                fitting = round < FITTING_ROUNDS.min(task.max_rounds / 2);
                if misfit.abs() > OVERLAP_FITS {
                    self.radius = task.better_radius(self.radius, &self.rows);
                }
            }
        }
        Ok(Verdict::Stalled)
    }

    /// Makes the rows of this round. A radius far too large is refused if it was
    /// given, and taken back if it was found here.
    fn fill(&mut self, task: &Task) -> Result<(), Error> {
        loop {
            let rows = std::mem::replace(&mut self.rows, Rows::new(0));
            if let Some(rows) = task.rows(&self.centres, self.radius, rows)? {
                self.rows = rows;
                return Ok(());
            }
            if task.radius.is_some() && self.growths == 0 {
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
        let orphans = repair::remotest(task, &self.rows.orphans(), &self.centres, self.radius);
        let many = orphans.len() * MANY > task.cloud.points.len();
        let furthest = orphans.first().map_or(GROWTH, |&(distance, _)| distance / self.radius);
        if !many && !orphans.is_empty() && self.bring_clusters(task, &orphans, furthest > OUTLIER) {
            return true;
        }
        if self.growths < if orphans.is_empty() { MOST_BLIND_GROWTHS } else { MOST_GROWTHS } {
            self.growths += 1;
            // A hair more than the orphan needs: its cluster will give way a little.
            self.radius *= (furthest * 1.01).min(if many { LEAP } else { GROWTH });
            return true;
        }
        if !orphans.is_empty() && self.additions < MOST_ADDITIONS {
            self.additions += 1;
            let most = (task.count / 8).max(1);
            self.centres.extend(repair::places(task, &orphans, self.radius, most));
            return true;
        }
        false
    }

    /// Moves clusters that are not missed to where some are: surplus ones, and if
    /// `all` any that nobody depends on alone. A quarter of the clusters may be moved in
    /// the course of a run, or the moving would never end.
    fn bring_clusters(&mut self, task: &Task, remote: &[Remote], all: bool) -> bool {
        let donors = if all {
            repair::spare(task, &self.centres, &self.rows, self.radius)
        } else {
            repair::surplus(&self.centres, &self.rows, self.radius)
        };
        let left = (self.centres.len() / 4 + 1).saturating_sub(self.moved_away);
        let most = left.min(donors.len());
        let places = repair::places(task, remote, self.radius, most);
        self.moved_away += places.len();
        for (&donor, &place) in donors.iter().zip(&places) {
            self.centres[donor as usize] = place;
        }
        !places.is_empty()
    }

    /// What is wrong with a converged clustering: clusters that hold nothing or sit
    /// upon others, and an overlap off the aim.
    fn flaws(&self, task: &Task) -> f32 {
        let share = |clusters: usize| clusters as f32 / self.centres.len() as f32;
        let idle = share(self.rows.idle_clusters(self.centres.len()).len());
        let surplus = share(repair::surplus(&self.centres, &self.rows, self.radius).len());
        let counts = idle > 0.0 || surplus > TWINS_TOLERATED;
        self.strays(task) + if counts { idle + surplus } else { 0.0 }
    }

    /// How far a chosen radius, never grown, misses the overlap; 0 when near enough.
    fn strays(&self, task: &Task) -> f32 {
        let stray = (task.mean_overlap(&self.rows) / task.overlap - 1.0).abs();
        if task.radius.is_none() && self.growths == 0 && stray > OVERLAP_STRAYS { stray } else { 0.0 }
    }

    /// Mends the flaws of a converged clustering, for a further attempt.
    fn polish(&mut self, task: &Task) -> bool {
        self.polishings += 1;
        let everyone: Vec<u32> = (0..task.cloud.points.len() as u32).collect();
        let remote = repair::remotest(task, &everyone, &self.centres, self.radius);
        let moved = self.bring_clusters(task, &remote, false);
        let strays = self.strays(task) > 0.0;
        if strays {
            self.radius = task.better_radius(self.radius, &self.rows);
        }
        (moved || strays) && self.polishings <= POLISHINGS
    }

    /// The present state as a result.
    fn found(&self, converged: bool) -> Found {
        let (centres, rows) = (self.centres.clone(), self.rows.clone());
        Found { centres, radius: self.radius, rows, rounds: self.rounds, converged }
    }
}

/// How boldly one centre moves.
#[derive(Clone)]
struct Stride {
    way: Vec3,
    times: f32,
}

impl Default for Stride {
    fn default() -> Stride {
        Stride { way: Vec3::ZERO, times: STRIDE }
    }
}

impl Stride {
    /// The step of a centre whose mean is `way` off; none within `calm`.
    fn step(&mut self, way: Vec3, calm: f32) -> Vec3 {
        if way.length() <= calm {
            *self = Stride::default();
            return Vec3::ZERO;
        }
        let along = way.dot(self.way);
        if along > 0.5 * way.length() * self.way.length() {
            self.times = (self.times * LONGER).min(LONGEST);
        } else if along <= 0.0 {
            self.times = (self.times * 0.5).max(1.0);
        }
        self.way = way;
        way * self.times
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
