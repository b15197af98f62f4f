//! Local help for a clustering: where clusters are wanting, and which to spare.
//!
//! Reads centres and rows; writes places and cluster indices, both in an order fixed
//! by distance, mass and index. Moving a cluster that nobody misses keeps both the
//! radius and the number of clusters where they are.

use glam::Vec3;

use super::grid::{Candidates, Grid};
use super::kmeans;
use super::rows::Rows;
use super::task::Task;

/// Centres nearer to each other than this, in radii, do one cluster's work. Fuzzy
/// centres attract each other where bodies are thinner than the radius.
const TWIN: f32 = 0.25;

/// A point and its distance to the nearest centre.
pub(crate) type Remote = (f32, u32);

/// The points listed in `which`, furthest from any centre first.
pub(crate) fn remotest(task: &Task, which: &[u32], centres: &[Vec3], radius: f32) -> Vec<Remote> {
    let owners = kmeans::nearest(task.cloud, which, centres, radius, task.workers);
    let distance = |(&point, &owner): (&u32, &u32)| {
        (task.cloud.points[point as usize].distance(centres[owner as usize]), point)
    };
    let mut remote: Vec<Remote> = which.iter().zip(&owners).map(distance).collect();
    remote.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    remote
}

/// Positions of up to `most` of the `remote` points, each out of reach of the others.
pub(crate) fn places(task: &Task, remote: &[Remote], radius: f32, most: usize) -> Vec<Vec3> {
    let mut places: Vec<Vec3> = Vec::new();
    for &(_, point) in remote {
        if places.len() == most {
            break;
        }
        let at = task.cloud.points[point as usize];
        if places.iter().all(|place| place.distance(at) > radius) {
            places.push(at);
        }
    }
    places
}

/// Clusters that sit upon another one; of each pair the later. Ascending.
fn twins(centres: &[Vec3], radius: f32) -> Vec<u32> {
    let near = TWIN * radius;
    let grid = Grid::new(centres, near);
    let mut twin = vec![false; centres.len()];
    let mut candidates = Candidates::default();
    candidates.each(&grid, centres, &mut |i, at, around| {
        let upon = |&(j, other): &(u32, Vec3)| {
            (j as usize) < i && !twin[j as usize] && other.distance_squared(at) < near * near
        };
        twin[i] = around.iter().any(upon);
    });
    (0..centres.len() as u32).filter(|&c| twin[c as usize]).collect()
}

/// Clusters that hold nothing, then those that sit upon another one.
pub(crate) fn surplus(centres: &[Vec3], rows: &Rows, radius: f32) -> Vec<u32> {
    let mut surplus = rows.idle_clusters(centres.len());
    let idle = surplus.clone();
    surplus.extend(twins(centres, radius).into_iter().filter(|c| idle.binary_search(c).is_err()));
    surplus
}

/// Clusters that nobody depends on alone: surplus ones first, then by mass.
pub(crate) fn spare(task: &Task, centres: &[Vec3], rows: &Rows, radius: f32) -> Vec<u32> {
    let mut spare = surplus(centres, rows, radius);
    let others = rows.spare_clusters(task.cloud, centres.len());
    let first: std::collections::BTreeSet<u32> = spare.iter().copied().collect();
    spare.extend(others.into_iter().filter(|c| !first.contains(c)));
    spare
}
