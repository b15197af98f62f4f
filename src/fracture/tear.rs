//! Who holds whom after clusters were torn.
//!
//! Reads a shape's tables and which finest clusters a cut crosses; writes new tables. A torn cluster's members go to its
//! two sides with the weights they had. A side with few members is dissolved where all of them have
//! other clusters. A coarse cluster whose matter no longer hangs together inside it is torn as well, level by level
//! upwards, so that no coarse level holds a crack shut. Clusters keep their numbers, new ones come after them.

use crate::clustering::Nesting;
use crate::membership::{Entry, Membership};
use crate::shape::Shape;

/// Torn clusters with fewer members are dissolved where they can be.
const FEW: u32 = 4;
/// Not torn.
pub(crate) const WHOLE: u32 = u32::MAX;

/// The tables of all levels on their way to a new shape, finest first.
pub(crate) struct Tables {
    pub(crate) nesting: Nesting,
    pub(crate) levels: Vec<Table>,
    around: Around,
}

/// Those of one level.
#[derive(Clone, Default)]
pub(crate) struct Table {
    /// For each particle, or each cluster of the level below, who holds it.
    pub(crate) rows: Vec<Vec<Entry>>,
    /// For each cluster, which one of the shape's level it was.
    pub(crate) origin: Vec<u32>,
}

impl Table {
    fn of(held_by: &Membership, clusters: usize) -> Table {
        let rows = (0..held_by.rows()).map(|i| held_by.row(i).to_vec()).collect();
        Table { rows, origin: (0..clusters as u32).collect() }
    }

    /// Leaves out clusters that hold nobody, and puts rows in order. Returns the new number of each.
    fn compact(&mut self) -> Vec<u32> {
        let mut number = vec![WHOLE; self.origin.len()];
        for e in self.rows.iter().flatten() {
            number[e.index as usize] = 0;
        }
        let mut origin = Vec::with_capacity(self.origin.len());
        for (number, from) in number.iter_mut().zip(&self.origin).filter(|(number, _)| **number == 0) {
            *number = origin.len() as u32;
            origin.push(*from);
        }
        for row in &mut self.rows {
            row.iter_mut().for_each(|e| e.index = number[e.index as usize]);
            row.sort_unstable_by_key(|e| e.index);
        }
        self.origin = origin;
        number
    }
}

/// Tears finest clusters: `torn` gives each the number of the cut that crosses it, or [`WHOLE`], and `beyond` says whether a
/// particle is beyond that cut.
pub(crate) fn tear(shape: &Shape, torn: &[u32], beyond: impl Fn(u32, usize) -> bool) -> Tables {
    let of = |l: usize| Table::of(shape.levels()[l].held_by(), shape.clusters(l).len());
    let levels = (0..shape.levels().len()).map(of).collect();
    let mut tables = Tables { nesting: shape.nesting(), levels, around: Around::default() };
    let Some(finest) = tables.levels.first_mut() else { return tables };
    tear_finest(finest, torn, beyond);
    finest.compact();
    let mut touched: Vec<bool> = finest.origin.iter().map(|&c| torn[c as usize] != WHOLE).collect();
    tables.around = Around::of(finest);
    for l in 1..tables.levels.len() {
        touched = tables.release(shape, l, &touched, torn);
    }
    tables
}

fn tear_finest(finest: &mut Table, torn: &[u32], beyond: impl Fn(u32, usize) -> bool) {
    let mut other = vec![WHOLE; torn.len()];
    for c in (0..torn.len()).filter(|&c| torn[c] != WHOLE) {
        other[c] = finest.origin.len() as u32;
        finest.origin.push(c as u32);
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); finest.origin.len()];
    for (i, row) in finest.rows.iter_mut().enumerate() {
        for e in row.iter_mut().filter(|e| torn[e.index as usize] != WHOLE) {
            if beyond(torn[e.index as usize], i) {
                e.index = other[e.index as usize];
            }
            members[e.index as usize].push(i as u32);
        }
    }
    for (c, members) in members.iter().enumerate().filter(|(_, m)| (1..FEW as usize).contains(&m.len())) {
        let has_others =
            |i: &u32| finest.rows[*i as usize].iter().any(|e| e.index != c as u32 && e.weight > 0.0);
        if members.iter().all(has_others) {
            for &i in members {
                let row = &mut finest.rows[i as usize];
                row.retain(|e| e.index != c as u32);
                even_out(row);
            }
        }
    }
}

/// Lets weights sum to 1 again.
fn even_out(row: &mut [Entry]) {
    let sum: f32 = row.iter().map(|e| e.weight).sum();
    row.iter_mut().for_each(|e| e.weight /= sum);
}

/// Which finest clusters share a particle.
#[derive(Default)]
struct Around {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Around {
    fn of(finest: &Table) -> Around {
        let mut held_by = Membership::with_capacity(finest.rows.len(), 0);
        finest.rows.iter().for_each(|row| held_by.push_row(row.iter().copied()));
        let members = held_by.transposed(finest.origin.len(), |_, weight| weight);
        let mut seen = vec![WHOLE; members.rows()];
        let mut around = Around { starts: vec![0], list: Vec::new() };
        for c in 0..members.rows() {
            for e in members.row(c).iter().flat_map(|member| held_by.row(member.index as usize)) {
                if std::mem::replace(&mut seen[e.index as usize], c as u32) != c as u32 {
                    around.list.push(e.index);
                }
            }
            around.starts.push(around.list.len() as u32);
        }
        around
    }

    fn of_cluster(&self, c: u32) -> &[u32] {
        &self.list[self.starts[c as usize] as usize..self.starts[c as usize + 1] as usize]
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
                    for &next in self.of_cluster(c) {
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

impl Tables {
    /// For each finest cluster the number of the piece it belongs to, and how many pieces there are.
    pub(crate) fn components(&self) -> (Vec<u32>, u32) {
        let Some(finest) = self.levels.first() else { return (Vec::new(), 0) };
        let all: Vec<u32> = (0..finest.origin.len() as u32).collect();
        let mut part = vec![WHOLE; all.len()];
        let count = self.around.parts(&all, &mut part);
        (part, count)
    }

    /// Tears those clusters of level `l` that hold together what is apart; `touched` are the clusters of the level below
    /// that changed. Returns which of this level did.
    fn release(&mut self, shape: &Shape, l: usize, touched: &[bool], torn: &[u32]) -> Vec<bool> {
        let nested = self.nesting == Nesting::Nested;
        let (below, above) = self.levels.split_at_mut(l);
        let table = &mut above[0];
        if nested {
            let held_by = shape.levels()[l].held_by();
            table.rows = below[l - 1].origin.iter().map(|&c| held_by.row(c as usize).to_vec()).collect();
        }
        let changed = |row: usize| match nested {
            true => touched[row],
            false => {
                below[0].rows[row].iter().any(|e| torn[below[0].origin[e.index as usize] as usize] != WHOLE)
            }
        };
        let count = table.origin.len();
        let mut suspect = vec![false; count];
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (row, entries) in table.rows.iter().enumerate() {
            for e in entries {
                children[e.index as usize].push(row as u32);
                suspect[e.index as usize] |= changed(row);
            }
        }
        let finest_of = FinestOf::new(below, nested);
        let mut part = vec![WHOLE; below[0].origin.len()];
        for c in (0..count).filter(|&c| suspect[c]) {
            let mut among: Vec<u32> = children[c].iter().flat_map(|&row| finest_of.all(row)).collect();
            among.sort_unstable();
            among.dedup();
            let parts = self.around.parts(&among, &mut part);
            if parts > 1 {
                let first = table.origin.len() as u32;
                table.origin.extend((1..parts).map(|_| c as u32));
                for &row in &children[c] {
                    let part = part[finest_of.one(row) as usize];
                    let entries = &mut table.rows[row as usize];
                    for e in entries.iter_mut().filter(|e| e.index == c as u32 && part > 0) {
                        e.index = first + part - 1;
                    }
                }
            }
            among.iter().for_each(|&f| part[f as usize] = WHOLE);
        }
        table.compact();
        table.origin.iter().map(|&c| suspect[c as usize]).collect()
    }
}

/// The finest clusters that a member of a level is made of, or is in.
struct FinestOf {
    lists: Vec<Vec<u32>>,
}

impl FinestOf {
    fn new(below: &[Table], nested: bool) -> FinestOf {
        let finest = &below[0];
        if !nested {
            let of = |row: &Vec<Entry>| row.iter().map(|e| e.index).collect();
            return FinestOf { lists: finest.rows.iter().map(of).collect() };
        }
        let mut lists: Vec<Vec<u32>> = (0..finest.origin.len() as u32).map(|c| vec![c]).collect();
        for table in &below[1..] {
            let mut next: Vec<Vec<u32>> = vec![Vec::new(); table.origin.len()];
            for (row, entries) in table.rows.iter().enumerate() {
                entries.iter().for_each(|e| next[e.index as usize].extend(&lists[row]));
            }
            for list in &mut next {
                list.sort_unstable();
                list.dedup();
            }
            lists = next;
        }
        FinestOf { lists }
    }

    fn all(&self, row: u32) -> impl Iterator<Item = u32> + '_ {
        self.lists[row as usize].iter().copied()
    }

    fn one(&self, row: u32) -> u32 {
        self.lists[row as usize][0]
    }
}
