//! Which clusters of every level hold a particle, and by how much.
//!
//! Reads a shape's tables; writes one row a particle and level. With nested levels the weights are those of the finest clusters passed
//! upwards, so that each row sums to 1. Clusters are numbered in the order in which they are met, which is the same on any number of
//! threads.

use crate::membership::Entry;
use crate::shape::Shape;

/// Clusters of a level that hold a particle, about.
const FEW: usize = 4;

/// No number.
const NONE: u32 = u32::MAX;

/// The rows of one level.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    starts: Vec<u32>,
    /// Indices are numbers in the level's list of clusters.
    entries: Vec<Entry>,
    /// The clusters that hold any of the particles, by their places among all clusters of the shape.
    pub(crate) clusters: Vec<u32>,
}

impl Rows {
    #[inline(always)]
    pub(crate) fn row(&self, k: usize) -> &[Entry] {
        &self.entries[self.starts[k] as usize..self.starts[k + 1] as usize]
    }

    /// Rows of clusters that are numbered as they lie.
    #[cfg(test)]
    pub(crate) fn of(all: impl Iterator<Item = Vec<Entry>>) -> Rows {
        let mut rows = Rows::default();
        rows.clear();
        for row in all {
            rows.entries.extend(row);
            rows.starts.push(rows.entries.len() as u32);
        }
        let count = rows.entries.iter().map(|e| e.index + 1).max().unwrap_or(0);
        rows.clusters.extend(0..count);
        rows
    }

    fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.entries.clear();
        self.clusters.clear();
    }
}

/// The rows of all levels, and what it takes to find them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holds {
    /// Finest level first.
    pub(crate) levels: Vec<Rows>,
    /// For each cluster of the shape, its number in its level's list.
    numbers: Vec<u32>,
    row: Vec<Entry>,
    next: Vec<Entry>,
}

impl Holds {
    /// Makes room for so many particles of `shape`, each held by a few clusters of a level.
    pub(crate) fn make_room(&mut self, shape: &Shape, particles: usize) {
        self.levels.resize_with(shape.levels().len(), Rows::default);
        for (l, rows) in self.levels.iter_mut().enumerate() {
            rows.starts.reserve(particles + 1);
            rows.entries.reserve(FEW * particles);
            rows.clusters.reserve(shape.range(l).len().min(particles));
        }
        self.numbers.resize(shape.all_clusters().len(), NONE);
        self.row.reserve(4 * FEW);
        self.next.reserve(4 * FEW);
    }

    /// Begins anew, for particles of `shape`.
    pub(crate) fn clear(&mut self, shape: &Shape) {
        self.levels.resize_with(shape.levels().len(), Rows::default);
        for rows in &mut self.levels {
            for cluster in &rows.clusters {
                if let Some(number) = self.numbers.get_mut(*cluster as usize) {
                    *number = NONE;
                }
            }
            rows.clear();
        }
        self.numbers.resize(shape.all_clusters().len(), NONE);
    }

    /// Adds a row for a particle to every level.
    pub(crate) fn push(&mut self, shape: &Shape, particle: usize) {
        let Holds { levels, numbers, row, next } = self;
        for (l, rows) in levels.iter_mut().enumerate() {
            let held_by = shape.levels()[l].held_by();
            next.clear();
            if l == 0 || !shape.sums_children(l) {
                next.extend_from_slice(held_by.row(particle));
            } else {
                for e in row.iter() {
                    for parent in held_by.row(e.index as usize) {
                        let weight = e.weight * parent.weight;
                        match next.iter_mut().find(|known| known.index == parent.index) {
                            Some(known) => known.weight += weight,
                            None => next.push(Entry { index: parent.index, weight }),
                        }
                    }
                }
            }
            std::mem::swap(row, next);
            let first = shape.range(l).start;
            for e in row.iter() {
                let number = &mut numbers[first + e.index as usize];
                if *number == NONE {
                    *number = rows.clusters.len() as u32;
                    rows.clusters.push((first + e.index as usize) as u32);
                }
                rows.entries.push(Entry { index: *number, weight: e.weight });
            }
            rows.starts.push(rows.entries.len() as u32);
        }
    }
}
