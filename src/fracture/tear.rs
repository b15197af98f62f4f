//! Who holds whom after clusters were torn.
//!
//! Reads a shape's tables and which finest clusters a cut crosses; writes new tables. A torn cluster's members go to its
//! two sides with the weights they had. A side with few members is dissolved where all of them have
//! other clusters. A coarse cluster whose matter no longer hangs together inside it is torn as well, level by level
//! upwards, so that no coarse level holds a crack shut. Clusters keep their numbers, new ones come after them; those that
//! are dissolved hold nobody any more.

use crate::clustering::Nesting;
use crate::membership::{Entry, Membership};
use crate::shape::Shape;

/// Torn clusters with fewer members are dissolved where they can be.
const FEW: usize = 4;
/// Not torn.
pub(crate) const WHOLE: u32 = u32::MAX;
/// In place of a cluster that was dissolved.
const GONE: u32 = u32::MAX;

/// The tables of all levels on their way to a new shape, finest first.
pub(crate) struct Tables {
    pub(crate) nesting: Nesting,
    pub(crate) levels: Vec<Table>,
    around: Around,
}

/// Those of one level.
#[derive(Default)]
pub(crate) struct Table {
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// For each cluster, which one of the shape's level it was.
    pub(crate) origin: Vec<u32>,
}

impl Table {
    fn of(held_by: &Membership, clusters: usize) -> Table {
        let (starts, entries) = (held_by.starts().to_vec(), held_by.entries().to_vec());
        Table { starts, entries, origin: (0..clusters as u32).collect() }
    }

    /// That of the level above: a row for each cluster of this one, empty for those that hold nobody.
    fn above(&self, held_by: &Membership, clusters: usize) -> Table {
        let mut holds = vec![false; self.origin.len()];
        self.entries.iter().filter(|e| e.index != GONE).for_each(|e| holds[e.index as usize] = true);
        let mut above = Table { origin: (0..clusters as u32).collect(), ..Table::default() };
        above.starts.push(0);
        for (&from, holds) in self.origin.iter().zip(holds) {
            let row = if holds { held_by.row(from as usize) } else { &[] };
            above.entries.extend_from_slice(row);
            above.starts.push(above.entries.len() as u32);
        }
        above
    }

    /// Particles, or clusters of the level below.
    pub(crate) fn rows(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// Who holds a particle, or a cluster of the level below; clusters that are new come in no order.
    pub(crate) fn row(&self, row: usize) -> impl Iterator<Item = &Entry> + Clone {
        self.entries[self.range(row)].iter().filter(|e| e.index != GONE)
    }

    /// Lets a member change from one cluster to another.
    fn rename(&mut self, row: usize, from: u32, to: u32) {
        let range = self.range(row);
        let entry = self.entries[range].iter_mut().find(|e| e.index == from);
        entry.into_iter().for_each(|e| e.index = to);
    }

    /// Takes a member out of a cluster; the weights of the others sum to 1 again.
    fn drop_out(&mut self, row: usize, cluster: u32) {
        self.rename(row, cluster, GONE);
        let sum: f32 = self.row(row).map(|e| e.weight).sum();
        let range = self.range(row);
        self.entries[range].iter_mut().for_each(|e| e.weight /= sum);
    }

    /// The members of each cluster.
    fn members(&self) -> Lists {
        let mut starts = vec![0u32; self.origin.len() + 1];
        let held = || self.entries.iter().filter(|e| e.index != GONE);
        held().for_each(|e| starts[e.index as usize + 1] += 1);
        (0..self.origin.len()).for_each(|c| starts[c + 1] += starts[c]);
        let (mut next, mut list) = (starts.clone(), vec![0; held().count()]);
        for row in 0..self.rows() {
            for e in self.row(row) {
                let place = &mut next[e.index as usize];
                list[*place as usize] = row as u32;
                *place += 1;
            }
        }
        Lists { starts, list }
    }
}

/// A list of numbers for each cluster.
#[derive(Default)]
struct Lists {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Lists {
    fn of(&self, c: u32) -> &[u32] {
        &self.list[self.starts[c as usize] as usize..self.starts[c as usize + 1] as usize]
    }
}

/// Tears finest clusters: `torn` gives each the number of the cut that crosses it, or [`WHOLE`], and `beyond` says whether a
/// particle is beyond that cut.
pub(crate) fn tear(shape: &Shape, torn: &[u32], beyond: impl Fn(u32, usize) -> bool) -> Tables {
    let mut tables = Tables { nesting: shape.nesting(), levels: Vec::new(), around: Around::default() };
    let Some(level) = shape.levels().first() else { return tables };
    let mut finest = Table::of(level.held_by(), torn.len());
    tear_finest(&mut finest, level.members(), torn, beyond);
    let mut changed: Vec<bool> = finest.origin.iter().map(|&c| torn[c as usize] != WHOLE).collect();
    tables.around = Around::of(&finest);
    tables.levels.push(finest);
    let mut below = Below::Itself;
    for l in 1..shape.levels().len() {
        changed = tables.release(shape, l, &changed, &mut below);
    }
    tables
}

fn tear_finest(finest: &mut Table, members: &Membership, torn: &[u32], beyond: impl Fn(u32, usize) -> bool) {
    let mut small: Vec<(u32, Vec<u32>)> = Vec::new();
    for c in (0..torn.len()).filter(|&c| torn[c] != WHOLE) {
        let other = finest.origin.len() as u32;
        finest.origin.push(c as u32);
        let all = members.row(c).iter().map(|e| e.index);
        let (there, here): (Vec<u32>, Vec<u32>) = all.partition(|&i| beyond(torn[c], i as usize));
        there.iter().for_each(|&i| finest.rename(i as usize, c as u32, other));
        small.extend([(c as u32, here), (other, there)].into_iter().filter(|(_, side)| side.len() < FEW));
    }
    small.sort_unstable_by_key(|(c, _)| *c);
    for (c, members) in small {
        let has_others = |i: &u32| finest.row(*i as usize).any(|e| e.index != c && e.weight > 0.0);
        if members.iter().all(has_others) {
            members.iter().for_each(|&i| finest.drop_out(i as usize, c));
        }
    }
}

/// Which finest clusters share a particle; one that is gone not even with itself.
#[derive(Default)]
struct Around(Lists);

impl Around {
    fn of(finest: &Table) -> Around {
        let members = finest.members();
        let mut seen = vec![GONE; finest.origin.len()];
        let (mut starts, mut list) = (vec![0], Vec::with_capacity(finest.entries.len()));
        for c in 0..finest.origin.len() as u32 {
            for e in members.of(c).iter().flat_map(|&member| finest.row(member as usize)) {
                if std::mem::replace(&mut seen[e.index as usize], c) != c {
                    list.push(e.index);
                }
            }
            starts.push(list.len() as u32);
        }
        Around(Lists { starts, list })
    }

    fn is_gone(&self, c: u32) -> bool {
        self.0.of(c).is_empty()
    }

    /// Numbers the parts into which the clusters `among` fall; `part` has [`WHOLE`] for all others. Returns how many.
    fn parts(&self, among: &[u32], part: &mut [u32]) -> u32 {
        const LATER: u32 = WHOLE - 1;
        among.iter().for_each(|&c| part[c as usize] = LATER);
        let (mut count, mut open) = (0, Vec::new());
        for &c in among {
            if part[c as usize] == LATER {
                part[c as usize] = count;
                open.push(c);
                while let Some(c) = open.pop() {
                    for &next in self.0.of(c) {
                        if part[next as usize] == LATER {
                            part[next as usize] = count;
                            open.push(next);
                        }
                    }
                }
                count += 1;
            }
        }
        count
    }
}

/// The finest clusters that a member of a level is made of, or is in.
enum Below {
    /// Members are finest clusters.
    Itself,
    /// Members are clusters of a level between, each with those that it is made of.
    Clusters(Vec<Vec<u32>>),
}

impl Below {
    /// Calls `each` with those of a member; `finest` is asked where members are particles.
    fn all(&self, row: u32, particles: Option<&Table>, mut each: impl FnMut(u32)) {
        match (self, particles) {
            (_, Some(finest)) => finest.row(row as usize).for_each(|e| each(e.index)),
            (Below::Itself, _) => each(row),
            (Below::Clusters(lists), _) => lists[row as usize].iter().for_each(|&f| each(f)),
        }
    }

    /// Those of every cluster of the level whose members they were.
    fn next(&self, children: &Lists, clusters: usize) -> Below {
        let of = |c: u32| {
            let mut list = Vec::new();
            children.of(c).iter().for_each(|&row| self.all(row, None, |f| list.push(f)));
            list.sort_unstable();
            list.dedup();
            list
        };
        Below::Clusters((0..clusters as u32).map(of).collect())
    }
}

impl Tables {
    /// For each finest cluster the number of the piece it belongs to, and how many pieces there are.
    pub(crate) fn components(&self) -> (Vec<u32>, u32) {
        let Some(finest) = self.levels.first() else { return (Vec::new(), 0) };
        let count = finest.origin.len();
        let all: Vec<u32> = (0..count as u32).filter(|&c| !self.around.is_gone(c)).collect();
        let mut part = vec![WHOLE; count];
        let count = self.around.parts(&all, &mut part);
        (part, count)
    }

    /// Adds level `l`, with those of its clusters torn that hold together what is apart; `changed` are the clusters of the level
    /// below, or the finest ones, that did. Returns which of this level did.
    fn release(&mut self, shape: &Shape, l: usize, changed: &[bool], below: &mut Below) -> Vec<bool> {
        let (held_by, count) = (shape.levels()[l].held_by(), shape.clusters(l).len());
        let nested = self.nesting == Nesting::Nested;
        let mut table =
            if nested { self.levels[l - 1].above(held_by, count) } else { Table::of(held_by, count) };
        let finest = &self.levels[0];
        let particles = (!nested).then_some(finest);
        let is_changed = |row: u32| match particles {
            None => changed[row as usize],
            Some(finest) => finest.row(row as usize).any(|e| changed[e.index as usize]),
        };
        let children = table.members();
        let mut suspect: Vec<bool> =
            (0..count as u32).map(|c| children.of(c).iter().any(|&row| is_changed(row))).collect();
        let mut part = vec![WHOLE; finest.origin.len()];
        for c in (0..count as u32).filter(|&c| suspect[c as usize]) {
            let mut among: Vec<u32> = Vec::new();
            children.of(c).iter().for_each(|&row| below.all(row, particles, |f| among.push(f)));
            among.sort_unstable();
            among.dedup();
            let parts = self.around.parts(&among, &mut part);
            let first = table.origin.len() as u32;
            table.origin.extend((1..parts).map(|_| c));
            for &row in children.of(c).iter().filter(|_| parts > 1) {
                let mut own = WHOLE;
                below.all(row, particles, |f| own = if own == WHOLE { part[f as usize] } else { own });
                if own > 0 && own != WHOLE {
                    table.rename(row as usize, c, first + own - 1);
                }
            }
            among.iter().for_each(|&f| part[f as usize] = WHOLE);
        }
        suspect.extend(table.origin[count..].iter().map(|_| true));
        if nested {
            *below = below.next(&table.members(), table.origin.len());
        }
        self.levels.push(table);
        if nested { suspect } else { changed.to_vec() }
    }
}
