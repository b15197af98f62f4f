//! Who belongs to whom, and how much: one sparse table, flat in memory.
//!
//! The same type serves both directions: the clusters that hold a particle
//! (weights sum to 1), and the members of a cluster (weights are shares of mass).
//! Entries of a row ascend by index, but for one that may have been put first, so sums over a row round the same way always.

use crate::error::Error;

/// One entry of a row: who, and with which weight.
///
/// ```
/// use wobble::membership::Entry;
///
/// let half = Entry { index: 3, weight: 0.5 };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Entry {
    /// Index on the other side of the table.
    pub index: u32,
    /// Weight or mass share, at least 0.
    pub weight: f32,
}

/// Rows of entries in compressed form.
///
/// ```
/// use wobble::membership::{Entry, Membership};
///
/// // Particle 0 is in clusters 0 and 1, particle 1 in cluster 1.
/// let mut held_by = Membership::with_capacity(2, 3);
/// held_by.push_row([Entry { index: 0, weight: 0.25 }, Entry { index: 1, weight: 0.75 }]);
/// held_by.push_row([Entry { index: 1, weight: 1.0 }]);
///
/// assert_eq!(held_by.row(1)[0].index, 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Membership {
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// Every entry's index is below this. Loops that do not check each index rely on it.
    bound: usize,
}

/// ```
/// use wobble::membership::{Entry, Membership};
///
/// // Particle 0 is in clusters 0 and 1, particle 1 in cluster 1.
/// let mut held_by = Membership::with_capacity(2, 3);
/// held_by.push_row([Entry { index: 0, weight: 0.25 }, Entry { index: 1, weight: 0.75 }]);
/// held_by.push_row([Entry { index: 1, weight: 1.0 }]);
///
/// assert_eq!((held_by.rows(), held_by.len(), held_by.is_empty()), (2, 3, false));
/// let members = held_by.transposed(2, |_particle, weight| weight);
/// assert_eq!(members.row(1).len(), 2);
/// assert!(members.bytes() >= 3 * size_of::<Entry>());
/// ```
impl Membership {
    /// An empty table with room for `rows` rows and `entries` entries.
    pub fn with_capacity(rows: usize, entries: usize) -> Self {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Membership { starts, entries: Vec::with_capacity(entries), bound: 0 }
    }

    /// A table from where its rows start, and one more at the end, and its entries; refused, with
    /// the reason, unless every row ascends within `columns` and every weight is finite, 0 or more.
    pub(crate) fn checked(starts: Vec<u32>, entries: Vec<Entry>, columns: usize) -> Result<Self, String> {
        let ends = (starts.first().copied(), starts.last().map(|&end| end as usize));
        if ends != (Some(0), Some(entries.len())) || !starts.is_sorted() {
            return Err(format!("its rows do not cut {} entries into parts", entries.len()));
        }
        let table = Membership::of(starts, entries);
        for row in 0..table.rows() {
            let entries = table.row(row);
            if !entries.is_sorted_by(|a, b| a.index < b.index) {
                return Err(format!("row {row} does not ascend"));
            }
            if let Some(e) = entries.last().filter(|e| e.index as usize >= columns) {
                return Err(format!("row {row} names {}, but there are only {columns}", e.index));
            }
            if let Some(e) = entries.iter().find(|e| !e.weight.is_finite() || e.weight < 0.0) {
                return Err(format!("a weight in row {row} is {}", e.weight));
            }
        }
        Ok(table)
    }

    fn of(starts: Vec<u32>, entries: Vec<Entry>) -> Self {
        let bound = entries.iter().map(bound).max().unwrap_or(0);
        Membership { starts, entries, bound }
    }

    /// A number that the index of every entry is below.
    #[inline(always)]
    pub(crate) fn bound(&self) -> usize {
        self.bound
    }

    /// Where each row starts, and one more at the end.
    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The entries of all rows.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Where each row starts, and the entries of all, to change their weights.
    pub(crate) fn weights_mut(&mut self) -> (&[u32], Weights<'_>) {
        (&self.starts, Weights(&mut self.entries))
    }

    /// Makes a row what it is in a table with the same rows, each weight times the `factor` of who it is, and puts the
    /// heaviest first.
    pub(crate) fn reweigh(&mut self, row: usize, like: &Membership, factor: impl Fn(usize) -> f32) {
        let entries = &mut self.entries[self.starts[row] as usize..self.starts[row + 1] as usize];
        entries.copy_from_slice(like.row(row));
        let mut heaviest = 0;
        let mut any = false;
        for k in 0..entries.len() {
            let factor = factor(entries[k].index as usize);
            entries[k].weight *= factor;
            any |= factor != 1.0;
            if entries[k].weight > entries[heaviest].weight {
                heaviest = k;
            }
        }
        if any {
            entries[..=heaviest].rotate_right(1);
        }
    }

    /// Appends one row. Its entries must ascend by index.
    pub fn push_row(&mut self, row: impl IntoIterator<Item = Entry>) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        self.entries.extend(row);
        // From where the row starts: there are more than were just added if an earlier `row` panicked on its way.
        let first = self.starts[self.starts.len() - 1] as usize;
        self.bound = self.entries[first..].iter().map(bound).fold(self.bound, usize::max);
        self.starts.push(self.entries.len() as u32);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Number of entries in all rows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True when no row has an entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries of one row.
    #[inline(always)]
    pub fn row(&self, row: usize) -> &[Entry] {
        &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Some of the rows, as they lie.
    #[inline(always)]
    pub(crate) fn rows_from(&self, first: usize, count: usize) -> Rows<'_> {
        Rows { starts: &self.starts[first..first + count + 1], entries: &self.entries }
    }

    /// The entries from `distance` after the beginning of a row on, into the rows that follow: what
    /// a loop over rows will soon need.
    #[inline(always)]
    pub(crate) fn beyond(&self, row: usize, distance: usize) -> &[Entry] {
        self.entries.get(self.starts[row] as usize + distance..).unwrap_or(&[])
    }

    /// The same table seen from the other side, which has `columns` rows there;
    /// `weight` maps (row, weight) here to the weight there.
    pub fn transposed(&self, columns: usize, weight: impl Fn(usize, f32) -> f32) -> Membership {
        let mut starts = vec![0u32; columns + 1];
        for entry in &self.entries {
            starts[entry.index as usize + 1] += 1;
        }
        for i in 0..columns {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut entries = vec![Entry { index: 0, weight: 0.0 }; self.entries.len()];
        for row in 0..self.rows() {
            for entry in self.row(row) {
                let place = &mut next[entry.index as usize];
                entries[*place as usize] = Entry { index: row as u32, weight: weight(row, entry.weight) };
                *place += 1;
            }
        }
        Membership::of(starts, entries)
    }

    /// The table with its rows in another order: row i is row `order[i]` of this one.
    pub(crate) fn reordered(&self, order: &[u32]) -> Membership {
        let mut out = Membership::with_capacity(self.rows(), self.len());
        order.iter().for_each(|&row| out.push_row(self.row(row as usize).iter().copied()));
        out
    }

    /// Lets the largest weight of each row take what rounding left of a sum of exactly 1. Errors
    /// that stay the same step after step would otherwise add up to a drift.
    pub(crate) fn complete_rows(&mut self) {
        for row in 0..self.rows() {
            let range = self.starts[row] as usize..self.starts[row + 1] as usize;
            let entries = &mut self.entries[range];
            let sum: f64 = entries.iter().map(|e| f64::from(e.weight)).sum();
            if let Some(largest) = entries.iter_mut().max_by(|a, b| a.weight.total_cmp(&b.weight)) {
                largest.weight = (f64::from(largest.weight) + (1.0 - sum)) as f32;
            }
        }
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.entries.capacity() * size_of::<Entry>()
    }

    /// Gives back what `with_capacity` asked for in excess.
    pub(crate) fn shrink(&mut self) {
        self.starts.shrink_to_fit();
        self.entries.shrink_to_fit();
    }
}

/// One more than the index of an entry; where that is no number, one that is longer than any array.
fn bound(entry: &Entry) -> usize {
    (entry.index as usize).saturating_add(1)
}

/// The entries of a table, of which nothing but the weights may change.
pub(crate) struct Weights<'a>(&'a mut [Entry]);

impl Weights<'_> {
    /// Entry `k` of all.
    pub(crate) fn entry(&self, k: usize) -> Entry {
        self.0[k]
    }

    pub(crate) fn set(&mut self, k: usize, weight: f32) {
        self.0[k].weight = weight;
    }
}

/// Rows of a table that follow each other.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    starts: &'a [u32],
    entries: &'a [Entry],
}

impl<'a> Rows<'a> {
    /// The entries of one of them.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &'a [Entry] {
        &self.entries[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// More entries than a `u32` can count are refused before a table is made.
pub(crate) fn countable(field: &'static str, count: usize) -> Result<(), Error> {
    if count <= MOST_PARTICLES {
        Ok(())
    } else {
        Err(Error::Length { field, got: count, wanted: format!("at most {MOST_PARTICLES}") })
    }
}

/// The most particles a shape may have.
///
/// ```
/// assert_eq!(wobble::membership::MOST_PARTICLES, 16_777_216);
/// ```
pub const MOST_PARTICLES: usize = 1 << 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_knows_a_bound_of_its_indices_however_it_was_made() {
        let entry = |index| Entry { index, weight: 1.0 };
        let mut table = Membership::with_capacity(2, 3);
        assert_eq!(table.bound(), 0);
        table.push_row([entry(0), entry(7)]);
        table.push_row([entry(3)]);
        assert_eq!((table.bound(), table.reordered(&[1]).bound()), (8, 4));
        assert_eq!(table.transposed(8, |_, weight| weight).bound(), 2);
        let checked = Membership::checked(vec![0, 2], vec![entry(1), entry(4)], 5);
        assert_eq!(checked.map(|table| table.bound()), Ok(5));
    }

    #[test]
    fn entries_that_a_row_left_when_it_panicked_are_below_the_bound() {
        let mut table = Membership::default();
        let row = [9, 10].map(|index| Entry { index, weight: 1.0 }).into_iter();
        let broken = row.inspect(|e| assert!(e.index == 9, "no more"));
        let pushed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| table.push_row(broken)));
        assert!(pushed.is_err());
        table.push_row([Entry { index: 2, weight: 1.0 }]);
        assert!(table.row(0).iter().all(|e| (e.index as usize) < table.bound()));
    }
}
