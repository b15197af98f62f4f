//! Normals of a mesh at rest: the caller's, or smooth ones found from the triangles where there are none.
//!
//! A place's normal is the sum of its triangles' normals weighted by the angle they have there, so
//! that it does not depend on how faces are cut into triangles. Sums go by triangle, in `f64`.

use glam::{DVec3, Vec3};

use crate::mesh::{Mesh, Welded};

/// A unit normal for each of the caller's vertices.
pub(super) fn of(mesh: &Mesh, welded: &Welded) -> Vec<Vec3> {
    let found = match mesh.normals {
        Some(given) if given.iter().all(|n| n.try_normalize().is_some()) => Vec::new(),
        _ => found(welded),
    };
    let at = |vertex: usize| found[welded.place_of[vertex] as usize];
    match mesh.normals {
        Some(given) => (0..given.len()).map(|i| given[i].try_normalize().unwrap_or_else(|| at(i))).collect(),
        None => (0..welded.place_of.len()).map(at).collect(),
    }
}

/// A unit normal for each place, found from the triangles.
fn found(welded: &Welded) -> Vec<Vec3> {
    let mut sums = vec![DVec3::ZERO; welded.positions.len()];
    for triangle in &welded.triangles {
        let corners = triangle.map(|i| welded.positions[i as usize].as_dvec3());
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        for k in 0..3 {
            let [at, left, right] = [0, 1, 2].map(|j| corners[(k + j) % 3]);
            sums[triangle[k] as usize] += normal * angle(left - at, right - at);
        }
    }
    sums.iter().map(|sum| sum.normalize_or(DVec3::Y).as_vec3()).collect()
}

/// Between two edges, radians, with the same bits everywhere.
fn angle(a: DVec3, b: DVec3) -> f64 {
    libm::atan2(a.cross(b).length(), a.dot(b))
}
