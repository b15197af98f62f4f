//! Points that keep their distance from each other.
//!
//! Cells half as wide again as the distance, hashed into buckets, each a list of points. Buckets are only ever asked
//! whether any point in them is too near, so nothing depends on the hash.

use glam::{IVec3, Vec3A};

/// Width of a cell, distances.
const CELL: f32 = 1.5;

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
        (at / (CELL * self.distance)).floor().as_ivec3()
    }

    /// Calls `found` with points of the cells within `reach` of a place; with some more than once.
    fn around(&self, at: Vec3A, reach: f32, mut found: impl FnMut(Vec3A)) {
        let (low, high) = (self.cell(at - reach), self.cell(at + reach));
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let mut point = self.last[self.bucket(IVec3::new(x, y, z))];
                    while let Some(other) = self.points.get(point as usize) {
                        found(*other);
                        point = self.before[point as usize];
                    }
                }
            }
        }
    }

    /// Teschner and others, "Optimized spatial hashing for collision detection", 2003.
    fn bucket(&self, cell: IVec3) -> usize {
        let x = (cell.x as u32).wrapping_mul(73_856_093);
        let y = (cell.y as u32).wrapping_mul(19_349_663);
        let z = (cell.z as u32).wrapping_mul(83_492_791);
        (x ^ y ^ z) as usize & (self.last.len() - 1)
    }
}

/// The points about a place, side by side, so that many places nearby can be tried quickly.
#[derive(Default)]
pub(super) struct Neighbours {
    /// Eight points each: all x, all y, all z. Those that are missing are nowhere.
    eights: Vec<[[f32; 8]; 3]>,
    count: usize,
}

impl Neighbours {
    /// Takes those that are nearer to `at` than `reach`.
    pub(super) fn gather(&mut self, spacer: &Spacer, at: Vec3A, reach: f32) {
        self.eights.clear();
        self.count = 0;
        spacer.around(at, reach, |point| {
            if point.distance_squared(at) < reach * reach {
                self.add(point);
            }
        });
    }

    pub(super) fn add(&mut self, point: Vec3A) {
        if self.count.is_multiple_of(8) {
            self.eights.push([[f32::INFINITY; 8]; 3]);
        }
        let last = self.eights.len() - 1;
        for axis in 0..3 {
            self.eights[last][axis][self.count % 8] = point[axis];
        }
        self.count += 1;
    }

    /// Whether nobody is nearer to `at` than `distance`.
    pub(super) fn leave_free(&self, at: Vec3A, distance: f32) -> bool {
        let [x, y, z] = at.to_array();
        self.eights.iter().all(|[xs, ys, zs]| {
            let is_near = |k: usize| {
                let [dx, dy, dz] = [xs[k] - x, ys[k] - y, zs[k] - z];
                dx * dx + dy * dy + dz * dz < distance * distance
            };
            // All of them, since eight at once are quicker than one after the other.
            !(0..8).fold(false, |near, k| near | is_near(k))
        })
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
