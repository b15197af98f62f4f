//! Seeds, nearest centres and Lloyd's rounds (CC 3.3, "k-means").
//!
//! Reads the points of a level; writes centres. Ties go to the centre of lower
//! index, sums run in index order, and the nearest centre is found in a grid whose
//! cells double for those points that find none: exact, never all pairs.

use glam::{DVec3, Vec3};
use rand_chacha::ChaCha8Rng;

use super::cloud::{Cloud, below};
use super::grid::{Candidates, Grid};
use super::rows::{BLOCK, Rows};
use super::task::{Found, Task};
use super::workers::Workers;
use crate::error::Error;

/// Marks a point whose nearest centre is further than the grid reaches.
const UNKNOWN: u32 = u32::MAX;

/// Centres in one place still need a length to start from.
const LEAST_SPACING: f32 = 1e-5;
/// Steps in which the radius nears the overlap aimed at.
const FITTING_ROUNDS: u32 = 30;
/// How well the overlap must fit.
const OVERLAP_FITS: f32 = 0.005;

/// Picks `count` of the `distinct` points, one from each of as many equal stretches
/// of the spatial order: random, yet spread over the whole body.
pub(crate) fn seeds(cloud: &Cloud, distinct: &[u32], count: usize, generator: &mut ChaCha8Rng) -> Vec<Vec3> {
    let stretch = |k: usize| (k as u64 * distinct.len() as u64 / count as u64) as usize;
    (0..count)
        .map(|k| {
            let (from, to) = (stretch(k), stretch(k + 1));
            cloud.points[distinct[from + below(generator, to - from)] as usize]
        })
        .collect()
}

/// The usual distance from one centre to the next along the spatial order.
/// A median, so that outliers and empty space between parts do not count.
pub(crate) fn spacing(centres: &[Vec3]) -> f32 {
    let mut steps: Vec<f32> = centres.windows(2).map(|pair| pair[0].distance(pair[1])).collect();
    steps.sort_unstable_by(f32::total_cmp);
    steps.get(steps.len() / 2).map_or(1.0, |&step| step.max(LEAST_SPACING))
}

/// The index of the nearest centre for each of the points listed in `which`.
pub(crate) fn nearest(
    cloud: &Cloud,
    which: &[u32],
    centres: &[Vec3],
    reach: f32,
    workers: &Workers,
) -> Vec<u32> {
    let mut owners = vec![UNKNOWN; which.len()];
    let mut pending: Vec<u32> = (0..which.len() as u32).collect();
    // Local coordinates lie within 1 of the origin: 4 reaches everything.
    let mut reach = reach.clamp(1e-5, 4.0);
    while !pending.is_empty() {
        let grid = Grid::new(centres, reach);
        let at: Vec<Vec3> = pending.iter().map(|&p| cloud.points[which[p as usize] as usize]).collect();
        let mut found = vec![UNKNOWN; at.len()];
        let mut blocks: Vec<&mut [u32]> = found.chunks_mut(BLOCK).collect();
        workers.each(&mut blocks, |b, block| {
            let points = &at[b * BLOCK..b * BLOCK + block.len()];
            Candidates::default().each(&grid, points, &mut |i, at, around| {
                block[i] = nearest_of(around, at, reach);
            });
        });
        for (&p, &owner) in pending.iter().zip(&found) {
            owners[p as usize] = owner;
        }
        pending.retain(|&p| owners[p as usize] == UNKNOWN);
        reach *= 2.0;
    }
    owners
}

fn nearest_of(candidates: &[(u32, Vec3)], at: Vec3, reach: f32) -> u32 {
    let mut best = (reach * reach, UNKNOWN);
    for &(index, centre) in candidates {
        let square = centre.distance_squared(at);
        if square < best.0 {
            best = (square, index);
        }
    }
    best.1
}

/// What Lloyd's rounds arrived at.
pub(crate) struct Lloyd {
    /// Mass centres of the points nearest to each.
    pub centres: Vec<Vec3>,
    /// Rounds run.
    pub rounds: u32,
    /// Whether the last round gave every point the owner it had.
    pub settled: bool,
}

/// Gives each point to its nearest centre and moves each centre to the mass centre
/// of its points, until nothing changes or `rounds` are over. A centre without
/// points stays where it is.
pub(crate) fn lloyd(
    cloud: &Cloud,
    seeds: Vec<Vec3>,
    rounds: u32,
    workers: &Workers,
    tick: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Lloyd, Error> {
    let everyone: Vec<u32> = (0..cloud.points.len() as u32).collect();
    let reach = spacing(&seeds);
    let mut lloyd = Lloyd { centres: seeds, rounds: 0, settled: false };
    let mut before = Vec::new();
    while lloyd.rounds < rounds && !lloyd.settled {
        tick()?;
        let owners = nearest(cloud, &everyone, &lloyd.centres, reach, workers);
        let mut sums = vec![(DVec3::ZERO, 0.0); lloyd.centres.len()];
        for (i, &owner) in owners.iter().enumerate() {
            let (sum, mass) = &mut sums[owner as usize];
            *sum += cloud.points[i].as_dvec3() * cloud.masses[i];
            *mass += cloud.masses[i];
        }
        for (centre, (sum, mass)) in lloyd.centres.iter_mut().zip(sums) {
            if mass > 0.0 {
                *centre = (sum / mass).as_vec3();
            }
        }
        lloyd.rounds += 1;
        lloyd.settled = owners == before;
        before = owners;
    }
    Ok(lloyd)
}

/// Clusters `task` by k-means: Lloyd's rounds to their end, then all points within
/// the radius of a centre as members. A radius that leaves orphans grows to reach
/// the last of them; the centres do not depend on it.
pub(crate) fn cluster(task: &mut Task) -> Result<Found, Error> {
    let seeds = seeds(task.cloud, task.distinct, task.count, &mut task.generator);
    let lloyd = lloyd(task.cloud, seeds, task.max_rounds, task.workers, task.tick)?;
    let mut radius = task.radius.unwrap_or_else(|| spacing(&lloyd.centres));
    let mut rows = widest_rows(task, &lloyd.centres, &mut radius)?;
    for _ in 0..FITTING_ROUNDS {
        let misfit = task.mean_overlap(&rows) / task.overlap - 1.0;
        if task.radius.is_some() || misfit.abs() <= OVERLAP_FITS {
            break;
        }
        (task.tick)()?;
        radius = task.better_radius(radius, &rows);
        rows = widest_rows(task, &lloyd.centres, &mut radius)?;
    }
    let orphans = rows.orphans();
    if !orphans.is_empty() {
        let owners = nearest(task.cloud, &orphans, &lloyd.centres, radius, task.workers);
        for (&point, &owner) in orphans.iter().zip(&owners) {
            let distance = task.cloud.points[point as usize].distance(lloyd.centres[owner as usize]);
            // A hair more: the distance itself is rounded.
            radius = radius.max(distance * 1.00001);
        }
        rows = widest_rows(task, &lloyd.centres, &mut radius)?;
    }
    Ok(Found { centres: lloyd.centres, radius, rows, rounds: lloyd.rounds, converged: lloyd.settled })
}

/// Rows for `radius`, or for as much of it as can be held if it was found here.
fn widest_rows(task: &Task, centres: &[Vec3], radius: &mut f32) -> Result<Rows, Error> {
    loop {
        match task.rows(centres, *radius, Rows::new(task.cloud.points.len()))? {
            Some(rows) => return Ok(rows),
            None if task.radius.is_some_and(|given| *radius <= given) => return Err(task.too_wide.clone()),
            None => *radius *= 0.7,
        }
    }
}
