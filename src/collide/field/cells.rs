//! Points by the cells of a coarse grid: what is near what, for the field of a piece.

use glam::{IVec3, Vec3A};

use crate::collide::bounds::Bounds;

/// A grid of cubes. What is nearer than their width lies in a cell or one of those around it.
pub(super) struct Cells {
    low: Vec3A,
    inverse: f32,
    size: IVec3,
}

impl Cells {
    pub(super) fn new(bounds: Bounds, width: f32) -> Cells {
        let extent = (bounds.high - bounds.low) / width;
        Cells { low: bounds.low, inverse: 1.0 / width, size: extent.as_ivec3().max(IVec3::ZERO) + 1 }
    }

    pub(super) fn count(&self) -> usize {
        (self.size.x * self.size.y * self.size.z) as usize
    }

    fn cell(&self, at: Vec3A) -> IVec3 {
        ((at - self.low) * self.inverse).floor().as_ivec3()
    }

    /// The place of the cell that a point is in, if it is in one.
    pub(super) fn place(&self, at: Vec3A) -> Option<usize> {
        let cell = self.cell(at);
        let inside = cell.cmpge(IVec3::ZERO).all() && cell.cmplt(self.size).all();
        inside.then(|| ((cell.x * self.size.y + cell.y) * self.size.z + cell.z) as usize)
    }

    /// For each of some places along an axis, what the cell there adds to its place; beyond the grid that of the last cell.
    pub(super) fn along(&self, axis: usize, places: impl Iterator<Item = f32>) -> Vec<usize> {
        let step = [self.size.y * self.size.z, self.size.z, 1][axis];
        let cell = |at: f32| ((at - self.low[axis]) * self.inverse).floor() as i32;
        places.map(|at| (cell(at).clamp(0, self.size[axis] - 1) * step) as usize).collect()
    }

    /// Marks the cells around those that are marked.
    pub(super) fn spread(&self, marks: &mut [bool]) {
        let (size, mut before) = (self.size.as_uvec3(), Vec::new());
        for (step, length) in [(size.y * size.z, size.x), (size.z, size.y), (1, size.z)] {
            before.clear();
            before.extend_from_slice(marks);
            for (i, mark) in (0..).zip(marks.iter_mut()) {
                let along = i / step % length;
                *mark |= along > 0 && before[(i - step) as usize]
                    || along + 1 < length && before[(i + step) as usize];
            }
        }
    }

    /// Some of a list of points by their cells: those that are in one, each with a number.
    pub(super) fn buckets(&self, points: impl Iterator<Item = (u32, Vec3A)>) -> Buckets {
        let placed: Vec<(u32, u32)> =
            points.filter_map(|(i, at)| Some((self.place(at)? as u32, i))).collect();
        let mut starts = vec![0; self.count() + 1];
        placed.iter().for_each(|(cell, _)| starts[*cell as usize + 1] += 1);
        (0..self.count()).for_each(|c| starts[c + 1] += starts[c]);
        let (mut next, mut list) = (starts.clone(), vec![0; placed.len()]);
        for (cell, i) in placed {
            let place = &mut next[cell as usize];
            list[*place as usize] = i;
            *place += 1;
        }
        Buckets { starts, list }
    }

    /// Of points by cells, which begin `shift` away, the `K` nearest to one of them, as far as they are in its cell or those
    /// around it, with their squared distances, nearest first; of equals the one with the lower number. Those that do not
    /// exist are `u32::MAX`.
    pub(super) fn nearest<const K: usize>(
        &self,
        buckets: &Buckets,
        at: &[Vec3A],
        one: usize,
        shift: Vec3A,
    ) -> [(f32, u32); K] {
        let mut best = [(f32::INFINITY, u32::MAX); K];
        let (here, cell) = (at[one], self.cell(at[one] + shift));
        let (from, to) = ((cell - 1).max(IVec3::ZERO), (cell + 1).min(self.size - 1));
        for x in from.x..=to.x {
            for y in from.y..=to.y {
                // Cells along z follow each other.
                let row = ((x * self.size.y + y) * self.size.z) as usize;
                for &i in buckets.of(row + from.z.max(0) as usize, row + to.z.max(0) as usize) {
                    let item = (at[i as usize].distance_squared(here), i);
                    if item < best[K - 1] {
                        let place = best.iter().position(|other| item < *other).unwrap_or(K - 1);
                        best[place..].rotate_right(1);
                        best[place] = item;
                    }
                }
            }
        }
        best
    }
}

/// Numbers of points, cell by cell.
pub(super) struct Buckets {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Buckets {
    /// Those in a run of cells, the last one included.
    pub(super) fn of(&self, first: usize, last: usize) -> &[u32] {
        &self.list[self.starts[first] as usize..self.starts[last + 1] as usize]
    }
}
