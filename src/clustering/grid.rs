//! Range queries among centres: cubic cells, hashed, flat in memory.
//!
//! Reads positions of a [`Cloud`](super::cloud::Cloud), which lie within 1 of the
//! origin; writes the cells in compressed rows. Hashing instead of a box of cells
//! keeps one far outlier from making every cell huge. Items of a bucket ascend by
//! index and no order depends on the hash, so neither does any result.

use glam::{IVec3, Vec3};

/// Smallest cell: keeps cell coordinates within the 21 bits of a key.
const SMALLEST_CELL: f32 = 4e-6;

/// Cells are this much larger than the reach, so that rounding cannot place two
/// points within reach more than one cell apart.
const SLACK: f32 = 1.001;

struct Item {
    at: Vec3,
    index: u32,
    key: u64,
}

/// Centres sorted into cells as wide as the reach of a query.
pub(crate) struct Grid {
    inverse: f32,
    shift: u32,
    starts: Vec<u32>,
    items: Vec<Item>,
}

impl Grid {
    /// Sorts `centres` for queries that reach `reach` far.
    pub fn new(centres: &[Vec3], reach: f32) -> Grid {
        let inverse = 1.0 / (reach * SLACK).max(SMALLEST_CELL);
        let buckets = (2 * centres.len()).next_power_of_two().max(2);
        let shift = 64 - buckets.trailing_zeros();
        let keys: Vec<u64> = centres.iter().map(|&c| key(cell(c, inverse))).collect();
        let mut starts = vec![0u32; buckets + 1];
        for &key in &keys {
            starts[bucket(key, shift) + 1] += 1;
        }
        for i in 0..buckets {
            starts[i + 1] += starts[i];
        }
        let mut order = vec![0u32; centres.len()];
        let mut next = starts.clone();
        for (i, &key) in keys.iter().enumerate() {
            let place = &mut next[bucket(key, shift)];
            order[*place as usize] = i as u32;
            *place += 1;
        }
        let item = |&i: &u32| Item { at: centres[i as usize], index: i, key: keys[i as usize] };
        let items = order.iter().map(item).collect();
        Grid { inverse, shift, starts, items }
    }

    fn in_cell(&self, cell: IVec3) -> impl Iterator<Item = &Item> {
        let key = key(cell);
        let bucket = bucket(key, self.shift);
        let items = &self.items[self.starts[bucket] as usize..self.starts[bucket + 1] as usize];
        items.iter().filter(move |item| item.key == key)
    }
}

/// Points looked after by one gathering of candidates.
const RUN: usize = 32;

/// The centres that may be within reach of some points.
#[derive(Clone, Default)]
pub(crate) struct Candidates {
    found: Vec<(u32, Vec3)>,
}

impl Candidates {
    /// Calls `visit` with every point, its place in `points`, and the centres around
    /// it, ascending by index: all those within reach and some more. Points in
    /// spatial order share one gathering a run; a run too wide for that is halved.
    pub fn each(
        &mut self,
        grid: &Grid,
        points: &[Vec3],
        visit: &mut impl FnMut(usize, Vec3, &[(u32, Vec3)]),
    ) {
        for (run, points) in points.chunks(RUN).enumerate() {
            self.run(grid, run * RUN, points, visit);
        }
    }

    fn run(
        &mut self,
        grid: &Grid,
        first: usize,
        points: &[Vec3],
        visit: &mut impl FnMut(usize, Vec3, &[(u32, Vec3)]),
    ) {
        let low = points.iter().fold(Vec3::INFINITY, |low, &p| low.min(p));
        let high = points.iter().fold(Vec3::NEG_INFINITY, |high, &p| high.max(p));
        if points.len() > 1 && (high - low).max_element() * grid.inverse > 2.0 {
            let (left, right) = points.split_at(points.len() / 2);
            self.run(grid, first, left, visit);
            self.run(grid, first + left.len(), right, visit);
            return;
        }
        self.gather(grid, low, high);
        for (i, &point) in points.iter().enumerate() {
            visit(first + i, point, &self.found);
        }
    }

    /// Finds the centres within reach of the box from `low` to `high`.
    fn gather(&mut self, grid: &Grid, low: Vec3, high: Vec3) {
        self.found.clear();
        let square = 1.0 / (grid.inverse * grid.inverse);
        let (from, to) = (cell(low, grid.inverse) - 1, cell(high, grid.inverse) + 1);
        for z in from.z..=to.z {
            for y in from.y..=to.y {
                for x in from.x..=to.x {
                    let items = grid.in_cell(IVec3::new(x, y, z));
                    let near =
                        items.filter(|item| item.at.distance_squared(item.at.clamp(low, high)) <= square);
                    self.found.extend(near.map(|item| (item.index, item.at)));
                }
            }
        }
        self.found.sort_unstable_by_key(|&(index, _)| index);
    }
}

fn cell(at: Vec3, inverse: f32) -> IVec3 {
    (at * inverse).floor().as_ivec3()
}

/// The cell's coordinates, 21 bits each.
fn key(cell: IVec3) -> u64 {
    let bits = |c: i32| (c as u32 & 0x1f_ffff) as u64;
    bits(cell.x) | (bits(cell.y) << 21) | (bits(cell.z) << 42)
}

fn bucket(key: u64, shift: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cloud(count: u32) -> Vec<Vec3> {
        let unit = |n: u32| (n.wrapping_mul(2_654_435_761) >> 8) as f32 / (1 << 23) as f32 - 1.0;
        (0..count).map(|i| Vec3::new(unit(3 * i), unit(3 * i + 1), unit(3 * i + 2))).collect()
    }

    #[test]
    fn a_query_finds_what_comparing_all_pairs_finds() {
        let centres = cloud(300);
        for reach in [1e-9, 0.05, 0.3, 2.5] {
            let grid = Grid::new(&centres, reach);
            let points = &cloud(700)[300..];
            let mut visited = 0;
            Candidates::default().each(&grid, points, &mut |i, at, around| {
                assert_eq!((i, at), (visited, points[i]));
                visited += 1;
                let near = |c: Vec3| c.distance_squared(at) <= reach * reach;
                let found: Vec<u32> = around.iter().filter(|&&(_, c)| near(c)).map(|&(i, _)| i).collect();
                let all: Vec<u32> = (0..300).filter(|&i| near(centres[i as usize])).collect();
                assert_eq!(found, all, "reach {reach} at {at}");
            });
            assert_eq!(visited, 400);
        }
    }
}
