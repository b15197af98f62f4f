//! Points that keep their distance from each other.
//!
//! Cells as wide as the distance, hashed into buckets, each a list of points. Buckets are only ever asked
//! whether any point in them is too near, so nothing depends on the hash.

use glam::{IVec3, Vec3A};

const NOBODY: u32 = u32::MAX;

/// Points, no two of them nearer than a distance.
pub(super) struct Spacer {
    pub(super) points: Vec<Vec3A>,
    distance: f32,
    /// The last point of each bucket, and for each point the one before it.
    last: Vec<u32>,
    before: Vec<u32>,
}

impl Spacer {
    /// Room for about `expected` points.
    pub(super) fn new(distance: f32, expected: usize) -> Spacer {
        let buckets = (2 * expected).clamp(64, 1 << 26).next_power_of_two();
        Spacer { points: Vec::new(), distance, last: vec![NOBODY; buckets], before: Vec::new() }
    }

    /// Adds a point.
    pub(super) fn add(&mut self, at: Vec3A) {
        let bucket = self.bucket(self.cell(at));
        self.before.push(std::mem::replace(&mut self.last[bucket], self.points.len() as u32));
        self.points.push(at);
    }

    /// Whether no point is nearer than the distance.
    pub(super) fn is_free(&self, at: Vec3A) -> bool {
        let cell = self.cell(at);
        // The middle first: it is the likeliest to hold someone.
        let around = (0..27).map(|k| (k + 13) % 27).map(|k| IVec3::new(k % 3, k / 3 % 3, k / 9) - 1);
        around.map(|off| self.bucket(cell + off)).all(|bucket| {
            let mut point = self.last[bucket];
            while let Some(other) = self.points.get(point as usize) {
                if other.distance_squared(at) < self.distance * self.distance {
                    return false;
                }
                point = self.before[point as usize];
            }
            true
        })
    }

    /// Adds a point if it is free; whether it was.
    pub(super) fn try_add(&mut self, at: Vec3A) -> bool {
        let free = self.is_free(at);
        if free {
            self.add(at);
        }
        free
    }

    fn cell(&self, at: Vec3A) -> IVec3 {
        (at / self.distance).floor().as_ivec3()
    }

    /// Teschner and others, "Optimized spatial hashing for collision detection", 2003.
    fn bucket(&self, cell: IVec3) -> usize {
        let x = (cell.x as u32).wrapping_mul(73_856_093);
        let y = (cell.y as u32).wrapping_mul(19_349_663);
        let z = (cell.z as u32).wrapping_mul(83_492_791);
        (x ^ y ^ z) as usize & (self.last.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec3a;

    #[test]
    fn points_are_free_just_beyond_the_distance_and_not_within() {
        let mut spacer = Spacer::new(0.1, 4);
        spacer.add(vec3a(-0.05, 0.31, 0.2));
        for direction in [Vec3A::X, Vec3A::Y, Vec3A::Z, Vec3A::ONE.normalize(), -Vec3A::ONE.normalize()] {
            assert!(!spacer.is_free(vec3a(-0.05, 0.31, 0.2) + direction * 0.0999));
            assert!(spacer.is_free(vec3a(-0.05, 0.31, 0.2) + direction * 0.1001));
        }
    }
}
