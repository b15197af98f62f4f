//! Who carries each vertex, laid out for deforming two vertices at a time.
//!
//! Vertices have from one to [`INFLUENCES`] carriers. Those of two neighbours lie side by side, as many as the one with more
//! of them has. In runs of pairs those with equally many come together, which spares mispredicted ends of loops.

use super::{INFLUENCES, WHOLE};
use crate::membership::Entry;

/// Pairs that are put in order of how many influences they have.
const RUN: usize = 64;

/// Floats of a bone. An entry's index is that of its bone's first float, which saves a multiplication at every gather.
pub(super) const FLOATS: u32 = 12;

/// The influences of all vertices of a mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Influences {
    pairs: Vec<PairOfVertices>,
    entries: Vec<[Entry; 2]>,
}

/// Two vertices side by side, and where their influences are.
#[derive(Clone, Copy, Debug)]
struct PairOfVertices {
    vertex: u32,
    start: u32,
    count: u32,
}

impl Influences {
    /// Of clusters and shares, largest first, one list a vertex.
    pub(super) fn new(shares: &[[(u32, u16); INFLUENCES]]) -> Influences {
        let of = |vertex: usize| shares[vertex.min(shares.len() - 1)];
        let mut order: Vec<(usize, usize)> =
            (0..shares.len()).step_by(2).map(|i| (i, carriers(&of(i)).max(carriers(&of(i + 1))))).collect();
        order.chunks_mut(RUN).for_each(|run| run.sort_by_key(|(_, count)| *count));
        let mut all = Influences {
            pairs: Vec::with_capacity(order.len()),
            entries: Vec::with_capacity(order.iter().map(|(_, count)| count).sum()),
        };
        for (vertex, count) in order {
            let start = all.entries.len() as u32;
            all.pairs.push(PairOfVertices { vertex: vertex as u32, start, count: count as u32 });
            let both = [of(vertex), of(vertex + 1)];
            all.entries.extend((0..count).map(|k| both.map(|shares| entry(&shares, k))));
        }
        all
    }

    /// Number of pairs.
    pub(super) fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The first vertex of the pair at a place in the order they are deformed in, and what carries both.
    #[inline(always)]
    pub(super) fn pair(&self, place: usize) -> (usize, &[[Entry; 2]]) {
        let PairOfVertices { vertex, start, count } = self.pairs[place];
        (vertex as usize, &self.entries[start as usize..][..count as usize])
    }

    /// Clusters and shares of a vertex, largest first; shares of 0 fill up.
    pub(super) fn of(&self, vertex: usize) -> [(u32, u16); INFLUENCES] {
        let run = vertex / 2 / RUN * RUN;
        let mut places = run..self.pairs().min(run + RUN);
        let place = places.find(|&place| self.pairs[place].vertex as usize == vertex / 2 * 2);
        let entries = place.map_or(&[][..], |place| self.pair(place).1);
        let mut shares = [(0, 0); INFLUENCES];
        for (share, both) in shares.iter_mut().zip(entries) {
            let Entry { index, weight } = both[vertex % 2];
            *share = (index / FLOATS, (weight * WHOLE as f32).round() as u16);
        }
        let first = shares[0].0;
        shares.iter_mut().filter(|(_, share)| *share == 0).for_each(|filling| filling.0 = first);
        shares
    }

    /// Whether every influence is one of so many bones.
    pub(super) fn are_within(&self, bones: usize) -> bool {
        self.entries.iter().flatten().all(|entry| (entry.index / FLOATS) < bones as u32)
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<PairOfVertices>()
            + self.entries.capacity() * size_of::<[Entry; 2]>()
    }
}

/// How many carry a vertex.
fn carriers(shares: &[(u32, u16); INFLUENCES]) -> usize {
    shares.iter().rposition(|(_, share)| *share > 0).map_or(1, |last| last + 1)
}

/// What fills up names the first carrier, as in a file that was read.
fn entry(shares: &[(u32, u16); INFLUENCES], k: usize) -> Entry {
    let (cluster, share) = if shares[k].1 > 0 { shares[k] } else { (shares[0].0, 0) };
    Entry { index: cluster * FLOATS, weight: f32::from(share) / WHOLE as f32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_is_found_again_by_vertex_and_nothing_twice() {
        let shares = |i: u32| {
            let count = 1 + i as usize * 7 % INFLUENCES;
            let mut list = [(i, 0); INFLUENCES];
            (1..count).for_each(|k| list[k] = (i + k as u32, 1000));
            list[0].1 = (WHOLE - 1000 * (count as u32 - 1)) as u16;
            list
        };
        let given: Vec<_> = (0..301).map(shares).collect();
        let influences = Influences::new(&given);
        (0..301).for_each(|i| assert_eq!(influences.of(i), given[i], "vertex {i}"));
        let mut seen: Vec<usize> = (0..influences.pairs()).map(|place| influences.pair(place).0).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..301).step_by(2).collect::<Vec<_>>());
        assert!(influences.are_within(308) && !influences.are_within(300));
    }
}
