//! Memberships in the making: which centres hold each point, and how much.
//!
//! Reads points, centres and a radius; writes one row a point, in blocks of points
//! so that threads fill them side by side (CC 3.3, step 1), and from the rows the
//! weighted centres (CC Eq. 7, step 2). Blocks are of one fixed size and sums run
//! over them in index order: the thread count leaves no trace.

use glam::{DVec3, Vec3};

use super::Kernel;
use super::cloud::Cloud;
use super::grid::{Candidates, Grid};
use super::workers::Workers;
use crate::membership::{Entry, Membership};

/// Points in a block.
pub(crate) const BLOCK: usize = 1024;

/// Mean memberships of a point within a block beyond which the radius is absurd
/// and the rows would no longer fit into memory.
const MOST_HELD: usize = 256;

/// A share below this adds nothing to a sum of 1 in single precision.
const LEAST_SHARE: f32 = 6e-8;

#[derive(Default)]
struct Block {
    /// Where the row of each point ends.
    ends: Vec<u32>,
    entries: Vec<Entry>,
    /// Points in reach of no centre, with the place of their one entry.
    orphans: Vec<(u32, u32)>,
    overfull: bool,
    changed: usize,
    candidates: Candidates,
    shares: Vec<f32>,
}

impl Block {
    fn row(&self, i: usize) -> &[Entry] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.entries[start as usize..self.ends[i] as usize]
    }

    fn fill(&mut self, first: usize, points: &[Vec3], reach: &Reach) {
        let Block { ends, entries, orphans, overfull, candidates, shares, .. } = self;
        ends.clear();
        entries.clear();
        orphans.clear();
        *overfull = false;
        candidates.each(&reach.grid, points, &mut |i, point, around| {
            let start = entries.len();
            *overfull |= start > BLOCK * MOST_HELD;
            if *overfull {
                return;
            }
            shares.clear();
            for &(index, centre) in around {
                let square = centre.distance_squared(point);
                if square <= reach.square {
                    entries.push(Entry { index, weight: 0.0 });
                    shares.push(square / reach.square);
                }
            }
            if shares.is_empty() {
                orphans.push(((first + i) as u32, start as u32));
                entries.push(Entry { index: u32::MAX, weight: 1.0 });
            } else {
                reach.kernel.weigh(shares);
                for (entry, &share) in entries[start..].iter_mut().zip(&*shares) {
                    entry.weight = share;
                }
            }
            ends.push(entries.len() as u32);
        });
    }
}

/// What decides who holds whom in one round.
struct Reach {
    grid: Grid,
    square: f32,
    kernel: Kernel,
}

/// The rows of all points.
pub(crate) struct Rows {
    blocks: Vec<Block>,
}

impl Rows {
    /// Empty rows for `points` points.
    pub fn new(points: usize) -> Rows {
        Rows { blocks: (0..points.div_ceil(BLOCK)).map(|_| Block::default()).collect() }
    }

    /// Fills the rows: members are all points within `radius` of a centre. False
    /// when there would be far too many. Orphans await [`Rows::adopt`].
    pub fn fill(
        &mut self,
        cloud: &Cloud,
        centres: &[Vec3],
        radius: f32,
        kernel: Kernel,
        workers: &Workers,
    ) -> bool {
        let reach = Reach { grid: Grid::new(centres, radius), square: radius * radius, kernel };
        workers.each(&mut self.blocks, |b, block| {
            let first = b * BLOCK;
            let last = cloud.points.len().min(first + BLOCK);
            block.fill(first, &cloud.points[first..last], &reach);
        });
        self.blocks.iter().all(|block| !block.overfull)
    }

    /// Gives every one of `points` points to cluster 0.
    pub fn fill_single(&mut self, points: usize) {
        for (b, block) in self.blocks.iter_mut().enumerate() {
            let count = BLOCK.min(points - b * BLOCK);
            block.ends = (1..=count as u32).collect();
            block.entries = vec![Entry { index: 0, weight: 1.0 }; count];
        }
    }

    /// Points in reach of no centre, ascending.
    pub fn orphans(&self) -> Vec<u32> {
        self.blocks.iter().flat_map(|block| block.orphans.iter().map(|&(point, _)| point)).collect()
    }

    /// Gives every orphan the one owner found for it, in the order of [`Rows::orphans`].
    pub fn adopt(&mut self, owners: &[u32]) {
        let mut owners = owners.iter();
        for block in &mut self.blocks {
            for (&(_, place), &owner) in block.orphans.iter().zip(&mut owners) {
                block.entries[place as usize].index = owner;
            }
        }
    }

    /// How many points are held by other clusters than in `before`.
    pub fn changes(&mut self, before: &Rows, workers: &Workers) -> usize {
        workers.each(&mut self.blocks, |b, block| {
            let before = &before.blocks[b];
            let same = |i: usize| {
                let (now, then) = (block.row(i), before.row(i));
                now.len() == then.len() && now.iter().zip(then).all(|(n, t)| n.index == t.index)
            };
            block.changed = if before.ends.len() == block.ends.len() {
                (0..block.ends.len()).filter(|&i| !same(i)).count()
            } else {
                block.ends.len()
            };
        });
        self.blocks.iter().map(|block| block.changed).sum()
    }

    /// Memberships in all rows.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.entries.len()).sum()
    }

    /// Weighted centre and mass of each of `count` clusters; a mass of 0 has no centre.
    pub fn centres_of_mass(&self, cloud: &Cloud, count: usize) -> Vec<(DVec3, f64)> {
        let mut sums = vec![(DVec3::ZERO, 0.0); count];
        let mut point = 0;
        for block in &self.blocks {
            for i in 0..block.ends.len() {
                let (at, mass) = (cloud.points[point].as_dvec3(), cloud.masses[point]);
                for entry in block.row(i) {
                    let share = f64::from(entry.weight) * mass;
                    let (sum, total) = &mut sums[entry.index as usize];
                    *sum += at * share;
                    *total += share;
                }
                point += 1;
            }
        }
        for (sum, total) in &mut sums {
            if *total > 0.0 {
                *sum /= *total;
            }
        }
        sums
    }

    /// Clusters whose every member is held by another one too, lightest first.
    pub fn spare_clusters(&self, cloud: &Cloud, count: usize) -> Vec<u32> {
        let mut needed = vec![false; count];
        for block in &self.blocks {
            for i in 0..block.ends.len() {
                if let [only] = block.row(i) {
                    needed[only.index as usize] = true;
                }
            }
        }
        let masses: Vec<f64> = self.centres_of_mass(cloud, count).into_iter().map(|(_, mass)| mass).collect();
        let mut spare: Vec<u32> = (0..count as u32).filter(|&c| !needed[c as usize]).collect();
        spare.sort_by(|&a, &b| masses[a as usize].total_cmp(&masses[b as usize]));
        spare
    }

    /// The finished table. `place` gives each cluster its final index. Shares that
    /// do not count are left out, so that no step pays for them.
    pub fn membership(&self, place: &[u32]) -> Membership {
        let rows = self.blocks.iter().map(|block| block.ends.len()).sum();
        let mut table = Membership::with_capacity(rows, self.len());
        let mut row = Vec::new();
        for block in &self.blocks {
            for i in 0..block.ends.len() {
                let counts = block.row(i).iter().filter(|entry| entry.weight > LEAST_SHARE);
                row.clear();
                row.extend(counts.map(|e| Entry { index: place[e.index as usize], weight: e.weight }));
                row.sort_unstable_by_key(|entry| entry.index);
                table.push_row(row.iter().copied());
            }
        }
        table.shrink();
        table
    }
}
