//! Triangles put in order, so that what is inside can be told: each counted once, all facing out.
//!
//! Reads welded triangles; writes those that count. A triangle given twice counts once; one given with
//! both faces cancels itself out, as a wall between two rooms should, unless the whole mesh is given so.
//! Neighbours across an edge of two are turned to agree, the larger area deciding. A piece that then
//! faces inwards is turned round, unless it lies inside of others: then it bounds a hollow.
//! Everything runs in the order of sorted edges and triangles.

use std::collections::VecDeque;

use glam::{DVec3, Vec3A};

use super::tree::Tree;

/// A piece whose volume is less than this share of its area to the power of 3/2 is flat: it has no inside.
const FLAT: f64 = 1e-3;

/// The triangles that count, turned to face outwards. `at` tells where a corner lies.
pub(crate) fn repaired(triangles: &[[u32; 3]], at: &impl Fn(u32) -> Vec3A) -> Vec<[u32; 3]> {
    let mut triangles = without_copies(triangles);
    let pieces = pieces(&mut triangles, at);
    let inward: Vec<bool> = pieces.iter().map(|piece| faces_inwards(piece, &triangles, at)).collect();
    if inward.contains(&true) {
        let outward = pieces.iter().zip(&inward).filter(|(_, inward)| !**inward);
        let outward: Vec<[Vec3A; 3]> =
            outward.flat_map(|(piece, _)| piece.iter().map(|&t| triangles[t as usize].map(at))).collect();
        let tree = Tree::new(&outward);
        for (piece, _) in pieces.iter().zip(&inward).filter(|(_, inward)| **inward) {
            let bounds_a_hollow = tree.winding(at(triangles[piece[0] as usize][0])) > 0.5;
            if !bounds_a_hollow {
                piece.iter().for_each(|&t| triangles[t as usize].swap(1, 2));
            }
        }
    }
    triangles
}

/// Whether every edge is passed as often one way as the other: the surface has no border.
pub(super) fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let mut edges: Vec<(u32, u32, bool)> =
        triangles.iter().flat_map(sides).map(|(a, b)| (a.min(b), a.max(b), a < b)).collect();
    edges.sort_unstable();
    edges
        .chunk_by(|e, f| (e.0, e.1) == (f.0, f.1))
        .all(|same| same.iter().filter(|e| e.2).count() * 2 == same.len())
}

/// The directed edges of a triangle.
pub(super) fn sides(&[a, b, c]: &[u32; 3]) -> [(u32, u32); 3] {
    [(a, b), (b, c), (c, a)]
}

/// Each triangle once for each of its two faces that is given; once altogether where most are given
/// with both.
fn without_copies(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut listed: Vec<([u32; 3], bool, u32)> = (0u32..).zip(triangles).map(|(i, t)| named(*t, i)).collect();
    listed.sort_unstable();
    listed.dedup_by_key(|(corners, turned, _)| (*corners, *turned));
    let two_faced: usize =
        listed.chunk_by(|s, t| s.0 == t.0).map(|same| if same.len() == 2 { 2 } else { 0 }).sum();
    if 2 * two_faced > listed.len() {
        listed.sort_unstable_by_key(|(corners, _, i)| (*corners, *i));
        listed.dedup_by_key(|(corners, ..)| *corners);
    }
    let mut kept: Vec<u32> = listed.into_iter().map(|(.., i)| i).collect();
    kept.sort_unstable();
    kept.into_iter().map(|i| triangles[i as usize]).collect()
}

/// A triangle's corners in ascending order, whether that turns it round, and its number.
fn named(triangle: [u32; 3], i: u32) -> ([u32; 3], bool, u32) {
    let mut sorted = triangle;
    sorted.sort_unstable();
    let first = triangle.iter().position(|&c| c == sorted[0]).unwrap_or(0);
    (sorted, triangle[(first + 1) % 3] != sorted[1], i)
}

/// Triangles that hang together across edges of two, each piece turned to agree with itself.
fn pieces(triangles: &mut [[u32; 3]], at: &impl Fn(u32) -> Vec3A) -> Vec<Vec<u32>> {
    let neighbours = neighbours(triangles);
    let mut turned: Vec<Option<bool>> = vec![None; triangles.len()];
    let mut pieces = Vec::new();
    for start in 0..triangles.len() as u32 {
        if turned[start as usize].is_some() {
            continue;
        }
        turned[start as usize] = Some(false);
        let (mut piece, mut waiting) = (Vec::new(), VecDeque::from([start]));
        while let Some(t) = waiting.pop_front() {
            piece.push(t);
            for (other, agrees) in neighbours[t as usize].into_iter().flatten() {
                if turned[other as usize].is_none() {
                    turned[other as usize] = turned[t as usize].map(|turned| turned == agrees);
                    waiting.push_back(other);
                }
            }
        }
        let (mut as_given, mut against) = (0.0, 0.0);
        for &t in &piece {
            let area = normal(triangles[t as usize].map(at)).length();
            *(if turned[t as usize] == Some(true) { &mut against } else { &mut as_given }) += area;
        }
        let majority = Some(as_given >= against);
        piece
            .iter()
            .filter(|&&t| turned[t as usize] == majority)
            .for_each(|&t| triangles[t as usize].swap(1, 2));
        pieces.push(piece);
    }
    pieces
}

/// For each triangle those that share an edge with it and nobody else, and whether they agree about
/// which side is out.
fn neighbours(triangles: &[[u32; 3]]) -> Vec<[Option<(u32, bool)>; 3]> {
    let mut edges: Vec<(u32, u32, u32, u8, bool)> = Vec::with_capacity(3 * triangles.len());
    for (t, triangle) in (0u32..).zip(triangles) {
        for (side, (a, b)) in (0u8..).zip(sides(triangle)) {
            edges.push((a.min(b), a.max(b), t, side, a < b));
        }
    }
    edges.sort_unstable();
    let mut neighbours = vec![[None; 3]; triangles.len()];
    for shared in edges.chunk_by(|e, f| (e.0, e.1) == (f.0, f.1)) {
        if let [(_, _, s, at_s, forth), (_, _, t, at_t, back)] = *shared {
            neighbours[s as usize][at_s as usize] = Some((t, forth != back));
            neighbours[t as usize][at_t as usize] = Some((s, forth != back));
        }
    }
    neighbours
}

/// Whether the volume of a piece about its middle is less than zero.
fn faces_inwards(piece: &[u32], triangles: &[[u32; 3]], at: &impl Fn(u32) -> Vec3A) -> bool {
    let corners = || piece.iter().map(|&t| triangles[t as usize].map(at));
    let (mut middle, mut area) = (DVec3::ZERO, 0.0);
    for corners in corners() {
        let weight = normal(corners).length();
        middle += corners.iter().map(|c| c.as_dvec3()).sum::<DVec3>() / 3.0 * weight;
        area += weight;
    }
    let middle = if area > 0.0 { middle / area } else { middle };
    volume(corners(), middle) < -FLAT * area * area.sqrt()
}

/// The volume of the cones from `apex` over all triangles.
pub(super) fn volume(triangles: impl Iterator<Item = [Vec3A; 3]>, apex: DVec3) -> f64 {
    let cones = triangles.map(|t| (t[0].as_dvec3() - apex).dot(normal(t)) / 3.0);
    cones.sum()
}

/// The normal, as long as the area.
pub(super) fn normal(corners: [Vec3A; 3]) -> DVec3 {
    let [a, b, c] = corners.map(|c| c.as_dvec3());
    (b - a).cross(c - a) * 0.5
}

pub(super) fn area([a, b, c]: [DVec3; 3]) -> f64 {
    (b - a).cross(c - a).length() * 0.5
}
