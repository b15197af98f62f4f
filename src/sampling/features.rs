//! Where a surface is sharp: edges where it bends or ends, and the corners where such edges meet or end.
//!
//! Reads the triangles of a surface; writes line segments and points. Edges ascend by their places.

use glam::{DVec3, Vec3A};

use super::repair::{normal, sides};
use super::surface::MeshSurface;

/// The cosine of the angle between two triangles' normals below which the edge between them is sharp: 50°.
const SHARP: f64 = 0.64;

/// The cosine of the turn from one sharp edge to the next beyond which the place between them is a corner: 45°.
const CORNER: f64 = 0.7;

/// The outline of a surface, in its local coordinates.
pub(super) struct Features {
    pub(super) corners: Vec<Vec3A>,
    pub(super) edges: Vec<[Vec3A; 2]>,
}

impl Features {
    pub(super) fn of(surface: &MeshSurface) -> Features {
        let sharp = sharp_edges(surface);
        let mut ends: Vec<(u32, u32)> = sharp.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        ends.sort_unstable();
        let at = |place: u32| surface.place(place);
        let is_corner = |ends: &[(u32, u32)]| match *ends {
            [(here, a), (_, b)] => {
                let (to, from) = ((at(a) - at(here)).as_dvec3(), (at(here) - at(b)).as_dvec3());
                to.dot(from) < CORNER * to.length() * from.length()
            }
            _ => true,
        };
        let corners =
            ends.chunk_by(|a, b| a.0 == b.0).filter(|ends| is_corner(ends)).map(|ends| at(ends[0].0));
        Features { corners: corners.collect(), edges: sharp.iter().map(|&(a, b)| [at(a), at(b)]).collect() }
    }
}

/// Edges of one triangle, or of two that bend sharply. Those of more are left out: who knows what they are.
fn sharp_edges(surface: &MeshSurface) -> Vec<(u32, u32)> {
    let normals: Vec<DVec3> = surface.triangles().map(|t| normal(t).normalize_or_zero()).collect();
    let mut edges: Vec<(u32, u32, u32)> = Vec::with_capacity(3 * normals.len());
    for (t, corners) in (0u32..).zip(surface.corners()) {
        edges.extend(sides(corners).map(|(a, b)| (a.min(b), a.max(b), t)));
    }
    edges.sort_unstable();
    let same = edges.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1));
    let is_sharp = |same: &&[(u32, u32, u32)]| match **same {
        [_] => true,
        [(.., s), (.., t)] => {
            let (s, t) = (normals[s as usize], normals[t as usize]);
            s.dot(t) < SHARP && s != DVec3::ZERO && t != DVec3::ZERO
        }
        _ => false,
    };
    same.filter(is_sharp).map(|same| (same[0].0, same[0].1)).collect()
}
