//! Random clusters (SL 2 "Clustering"; CC 3.3, the first algorithm).
//!
//! Reads points and a radius; writes centres, each a random point that no earlier
//! centre reaches, until every point is reached. The number of clusters follows
//! from the radius; without a radius, bisection looks for the one that gives about
//! the number asked for. One seeded order of the points serves all trials.

use glam::Vec3;

use super::cloud::below;
use super::grid::{Candidates, Grid};
use super::rows::Rows;
use super::task::{Found, Task};
use crate::error::Error;

/// Trials of the bisection. The range spans 18 octaves, so this many leave steps
/// far below what one cluster more or less is worth.
const TRIALS: u32 = 28;

/// Smallest and largest radius tried; the cloud lies within 1 of the origin.
const RANGE: (f32, f32) = (1.5e-5, 4.0);

/// Clusters `task` by random choice. At most `most` clusters come out: a radius
/// that gives more grows until it does not.
pub(crate) fn cluster(task: &mut Task, most: usize) -> Result<Found, Error> {
    let order = shuffled(task);
    let mut rounds = 0;
    let (mut radius, mut centres) = match task.radius {
        Some(radius) => (radius, chosen(task, &order, radius)),
        None => bisected(task, &order, &mut rounds)?,
    };
    while centres.len() > most {
        (task.tick)()?;
        radius *= 1.1;
        centres = chosen(task, &order, radius);
        rounds += 1;
    }
    let rows = task.rows(&centres, radius, Rows::new(task.cloud.points.len()))?;
    let rows = rows.ok_or_else(|| task.too_wide.clone())?;
    Ok(Found { centres, radius, rows, rounds: rounds + 1, converged: true })
}

/// The radius whose number of centres comes closest to the one asked for.
fn bisected(task: &mut Task, order: &[u32], rounds: &mut u32) -> Result<(f32, Vec<Vec3>), Error> {
    let (mut low, mut high) = RANGE;
    let mut best: Option<(f32, Vec<Vec3>)> = None;
    for _ in 0..TRIALS {
        (task.tick)()?;
        *rounds += 1;
        let radius = (low * high).sqrt();
        let centres = chosen(task, order, radius);
        let count = centres.len();
        let miss = |centres: &[Vec3]| centres.len().abs_diff(task.count);
        if best.as_ref().is_none_or(|(_, best)| miss(&centres) < miss(best)) {
            best = Some((radius, centres));
        }
        match count.cmp(&task.count) {
            std::cmp::Ordering::Equal => break,
            std::cmp::Ordering::Less => high = radius,
            std::cmp::Ordering::Greater => low = radius,
        }
    }
    Ok(best.unwrap_or_default())
}

/// All points in random order (Fisher and Yates).
fn shuffled(task: &mut Task) -> Vec<u32> {
    let mut order: Vec<u32> = (0..task.cloud.points.len() as u32).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, below(&mut task.generator, i + 1));
    }
    order
}

/// The centres that `radius` gives when points are drawn in `order`.
fn chosen(task: &Task, order: &[u32], radius: f32) -> Vec<Vec3> {
    let points = &task.cloud.points;
    let grid = Grid::new(points, radius);
    let mut candidates = Candidates::default();
    let mut reached = vec![false; points.len()];
    let mut centres = Vec::new();
    for &i in order {
        if reached[i as usize] {
            continue;
        }
        let centre = points[i as usize];
        centres.push(centre);
        candidates.each(&grid, &[centre], &mut |_, _, around| {
            for &(index, point) in around {
                if point.distance_squared(centre) <= radius * radius {
                    reached[index as usize] = true;
                }
            }
        });
    }
    centres
}
