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
use crate::error::Error;
use crate::headroom;
use crate::membership::{Entry, Membership};

/// Points in a block.
pub(crate) const BLOCK: usize = 512;

/// Mean memberships of a point within a block beyond which the radius is absurd
/// and the rows would no longer fit into memory.
const MOST_HELD: usize = 256;

/// What is refused if there is no memory for it.
const ROWS: &str = "finding who is in which cluster";

/// Bytes that a membership and a point take at most between two fillings, and from the last one to the finished table:
/// copies of both fillings of the rows, lists of points that are far from centres, the table as it is made and as it
/// is shrunk.
const WORKED_ON: [usize; 2] = [6 * size_of::<Entry>(), 160];

/// A share below this adds nothing to a sum of 1 in single precision.
const LEAST_SHARE: f32 = 6e-8;

/// Rounds in which more than one centre in this many moved fill all blocks:
/// looking for those that need not be filled would cost more than it saves.
const FEW_MOVED: usize = 4;

#[derive(Clone, Default)]
struct Block {
    /// Where the row of each point ends.
    ends: Vec<u32>,
    entries: Vec<Entry>,
    /// The rows before the last filling.
    old_ends: Vec<u32>,
    old_entries: Vec<Entry>,
    /// Points in reach of no centre, with the place of their one entry.
    orphans: Vec<(u32, u32)>,
    overfull: bool,
    /// Why entries were left out: there is no memory for them.
    short: Option<Error>,
    /// Rows that the last filling changed.
    changed: usize,
    candidates: Candidates,
    shares: Vec<f32>,
}

impl Block {
    fn row(&self, i: usize) -> &[Entry] {
        row(&self.ends, &self.entries, i)
    }

    fn fill(&mut self, first: usize, points: &[Vec3], reach: &Reach) {
        std::mem::swap(&mut self.ends, &mut self.old_ends);
        std::mem::swap(&mut self.entries, &mut self.old_entries);
        let Block { ends, entries, orphans, overfull, short, candidates, shares, .. } = self;
        ends.clear();
        entries.clear();
        orphans.clear();
        (*overfull, *short) = (false, None);
        candidates.each(&reach.grid, points, &mut |i, point, around| {
            let start = entries.len();
            *overfull |= start > BLOCK * MOST_HELD;
            if !*overfull && short.is_none() {
                *short = headroom::extend(entries, around.len() + 1, ROWS).err();
            }
            if *overfull || short.is_some() {
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
        self.changed = self.count_changes();
    }

    /// Rows held by other clusters than before. The row of an orphan always counts.
    fn count_changes(&self) -> usize {
        if self.ends.len() != self.old_ends.len() {
            return self.ends.len();
        }
        let old = |i: usize| row(&self.old_ends, &self.old_entries, i);
        let same = |i: usize| {
            let (now, then) = (self.row(i), old(i));
            now.len() == then.len() && now.iter().zip(then).all(|(n, t)| n.index == t.index)
        };
        (0..self.ends.len()).filter(|&i| !same(i)).count()
    }

    /// Whether rows filled before are still right although some centres moved.
    fn is_untouched(&self, points: &[Vec3], reach: &Reach) -> bool {
        let Some(moves) = &reach.moves else { return false };
        let low = points.iter().fold(Vec3::INFINITY, |low, &p| low.min(p));
        let high = points.iter().fold(Vec3::NEG_INFINITY, |high, &p| high.max(p));
        // A little more than the reach: distances to the box round differently.
        let square = reach.square * 1.001;
        let out = |&c: &Vec3| c.distance_squared(c.clamp(low, high)) > square;
        self.orphans.is_empty() && self.ends.len() == points.len() && moves.iter().all(out)
    }
}

fn row<'a>(ends: &[u32], entries: &'a [Entry], i: usize) -> &'a [Entry] {
    let start = if i == 0 { 0 } else { ends[i - 1] };
    &entries[start as usize..ends[i] as usize]
}

/// What decides who holds whom in one round.
struct Reach {
    grid: Grid,
    square: f32,
    kernel: Kernel,
    /// Old and new places of the centres that moved since the last filling; `None`
    /// when everything is to be filled anew.
    moves: Option<Vec<Vec3>>,
}

/// The rows of all points.
#[derive(Clone)]
pub(crate) struct Rows {
    blocks: Vec<Block>,
    /// What the rows were filled with.
    centres: Vec<Vec3>,
    radius: f32,
}

impl Rows {
    /// Empty rows for `points` points.
    pub fn new(points: usize) -> Rows {
        let blocks = (0..points.div_ceil(BLOCK)).map(|_| Block::default()).collect();
        Rows { blocks, centres: Vec::new(), radius: 0.0 }
    }

    /// Fills the rows: members are all points within `radius` of a centre. Blocks
    /// whose centres have not moved since the last filling are left alone. False
    /// when there would be far too many, an error when they find no memory. Orphans await [`Rows::adopt`].
    pub fn fill(
        &mut self,
        cloud: &Cloud,
        centres: &[Vec3],
        radius: f32,
        kernel: Kernel,
        workers: &Workers,
    ) -> Result<bool, Error> {
        let moves = self.moves(centres, radius);
        let reach = Reach { grid: Grid::new(centres, radius), square: radius * radius, kernel, moves };
        workers.each(&mut self.blocks, |b, block| {
            let first = b * BLOCK;
            let points = &cloud.points[first..cloud.points.len().min(first + BLOCK)];
            if block.is_untouched(points, &reach) {
                block.changed = 0;
            } else {
                block.fill(first, points, &reach);
            }
        });
        self.centres.clear();
        self.centres.extend_from_slice(centres);
        self.radius = radius;
        if let Some(error) = self.blocks.iter_mut().find_map(|block| block.short.take()) {
            return Err(error);
        }
        let [membership, point] = WORKED_ON;
        headroom::ensure(self.len() * membership + cloud.points.len() * point, ROWS)?;
        Ok(self.blocks.iter().all(|block| !block.overfull))
    }

    fn moves(&self, centres: &[Vec3], radius: f32) -> Option<Vec<Vec3>> {
        if self.radius != radius || self.centres.len() != centres.len() {
            return None;
        }
        let pairs = self.centres.iter().zip(centres);
        let moves: Vec<Vec3> =
            pairs.filter(|(old, new)| old != new).flat_map(|(&old, &new)| [old, new]).collect();
        (moves.len() / 2 * FEW_MOVED < centres.len()).then_some(moves)
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

    /// Points that the last filling gave to other clusters than the one before.
    pub fn changes(&self) -> usize {
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

    /// Clusters that hold nothing, ascending.
    pub fn idle_clusters(&self, count: usize) -> Vec<u32> {
        let mut holds = vec![false; count];
        for entry in self.blocks.iter().flat_map(|block| &block.entries) {
            holds[entry.index as usize] = true;
        }
        (0..count as u32).filter(|&c| !holds[c as usize]).collect()
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
