//! Triangles that were left lying about: small and far away from all else.
//!
//! Reads welded triangles; writes those that are to be filled. A stray would draw particles to a place of
//! its own, far off, and make the grids about the rest coarse.

use glam::DVec3;

use super::repair::area;

/// Pieces that have less than this share of the whole area are small.
const SMALL: f64 = 0.005;

/// Pieces further away from the box of the others than this many of its diagonals are far.
const FAR: f64 = 1.0;

/// Triangles that hang together by their corners.
#[derive(Clone, Copy)]
struct Piece {
    area: f64,
    low: DVec3,
    high: DVec3,
}

impl Piece {
    const NONE: Piece = Piece { area: 0.0, low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn with(self, other: &Piece) -> Piece {
        Piece { area: self.area + other.area, low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Distance between the boxes.
    fn away(&self, other: &Piece) -> f64 {
        (self.low - other.high).max(other.low - self.high).max(DVec3::ZERO).length()
    }
}

/// Triangles but for strays, in order. `at` tells where a corner lies.
pub(super) fn left_out(triangles: &[[u32; 3]], places: usize, at: impl Fn(u32) -> DVec3) -> Vec<[u32; 3]> {
    let mut leader: Vec<u32> = (0..places as u32).collect();
    for &[a, b, c] in triangles {
        let first = find(&mut leader, a);
        for other in [b, c] {
            let other = find(&mut leader, other);
            leader[other as usize] = first;
        }
    }
    let mut pieces = vec![Piece::NONE; places];
    for t in triangles {
        let corners = t.map(&at);
        let (low, high) =
            (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
        let piece = &mut pieces[find(&mut leader, t[0]) as usize];
        *piece = piece.with(&Piece { area: area(corners), low, high });
    }
    let whole: f64 = pieces.iter().map(|piece| piece.area).sum();
    let is_small = |piece: &Piece| piece.area < SMALL * whole;
    let body =
        pieces.iter().filter(|piece| !is_small(piece)).fold(Piece::NONE, |body, piece| body.with(piece));
    let size = (body.high - body.low).length();
    let is_stray = |piece: &Piece| is_small(piece) && piece.away(&body) > FAR * size;
    triangles.iter().filter(|t| !is_stray(&pieces[find(&mut leader, t[0]) as usize])).copied().collect()
}

/// The one that stands for all that hang together with `place`.
fn find(leader: &mut [u32], mut place: u32) -> u32 {
    while leader[place as usize] != place {
        let above = leader[leader[place as usize] as usize];
        leader[place as usize] = above;
        place = above;
    }
    place
}
