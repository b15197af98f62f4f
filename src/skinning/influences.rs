//! Who carries each vertex, laid out for deforming eight vertices at a time.
//!
//! Vertices have from one to [`INFLUENCES`] carriers. Eight that lie close to each other have most of them in common, so they
//! are kept as one list of bones with a weight for each of the eight: the numbers of a bone are loaded once for all of them.
//! Meshes mostly name vertices in a row that are neighbours. For one that does not, pairs are put in the order of who
//! carries them.

use glam::Vec4;

use super::{INFLUENCES, WHOLE};

/// Pairs of vertices that are deformed together.
pub(super) const PAIRS: usize = 4;

/// Floats of a bone, which is named by its first one: that saves a multiplication at every load.
pub(super) const FLOATS: u32 = 12;

/// The influences of all vertices of a mesh.
#[derive(Clone, Debug, Default)]
pub(super) struct Influences {
    groups: Vec<Group>,
    bones: Vec<u32>,
    /// Of a bone's share in each vertex: in the first ones of the pairs, and in the second ones.
    weights: Vec<[Vec4; 2]>,
    /// Where in the order of groups each pair is.
    places: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    vertices: [u32; PAIRS],
    start: u32,
    count: u32,
}

/// What carries eight vertices.
#[derive(Clone, Copy)]
pub(super) struct Carried<'a> {
    /// The first vertex of each pair. The last pair of a mesh may be there several times.
    pub(super) vertices: [u32; PAIRS],
    pub(super) bones: &'a [u32],
    pub(super) weights: &'a [[Vec4; 2]],
}

impl Influences {
    /// Of clusters and shares, one list a vertex.
    pub(super) fn new(shares: &[[(u32, u16); INFLUENCES]]) -> Influences {
        let given: Vec<usize> = (0..shares.len()).step_by(2).collect();
        let mut sorted = given.clone();
        sorted.sort_by_cached_key(|&vertex| shares[vertex].map(|(cluster, _)| cluster));
        let bones_of = |order: &[usize]| order.chunks(PAIRS).map(|some| carriers(shares, some).len()).sum();
        let by_order: [usize; 2] = [bones_of(&given), bones_of(&sorted)];
        let (order, count) =
            if by_order[1] < by_order[0] { (sorted, by_order[1]) } else { (given, by_order[0]) };
        let mut all = Influences {
            groups: Vec::with_capacity(order.len().div_ceil(PAIRS)),
            bones: Vec::with_capacity(count),
            weights: Vec::with_capacity(count),
            places: vec![0; order.len()],
        };
        for some in order.chunks(PAIRS) {
            all.push(shares, some);
        }
        for (place, vertex) in order.iter().enumerate() {
            all.places[vertex / 2] = place as u32;
        }
        all
    }

    fn push(&mut self, shares: &[[(u32, u16); INFLUENCES]], pairs: &[usize]) {
        let vertices: [usize; PAIRS] = std::array::from_fn(|k| pairs[k.min(pairs.len() - 1)]);
        let start = self.bones.len() as u32;
        for cluster in carriers(shares, pairs) {
            let weight = |vertex: usize| {
                let found =
                    shares.get(vertex).and_then(|list| list.iter().find(|(c, s)| *c == cluster && *s > 0));
                found.map_or(0.0, |(_, share)| f32::from(*share) / WHOLE as f32)
            };
            let side = |side: usize| Vec4::from_array(vertices.map(|vertex| weight(vertex + side)));
            self.bones.push(cluster * FLOATS);
            self.weights.push([side(0), side(1)]);
        }
        let count = self.bones.len() as u32 - start;
        self.groups.push(Group { vertices: vertices.map(|vertex| vertex as u32), start, count });
    }

    /// Number of groups.
    pub(super) fn groups(&self) -> usize {
        self.groups.len()
    }

    /// What carries the vertices of a group.
    #[inline(always)]
    pub(super) fn group(&self, index: usize) -> Carried<'_> {
        let Group { vertices, start, count } = self.groups[index];
        let range = start as usize..start as usize + count as usize;
        Carried { vertices, bones: &self.bones[range.clone()], weights: &self.weights[range] }
    }

    /// Clusters and shares of a vertex, largest first; shares of 0 fill up.
    pub(super) fn of(&self, vertex: usize) -> [(u32, u16); INFLUENCES] {
        let place = self.places[vertex / 2] as usize;
        let group = self.group(place / PAIRS);
        let share = |weights: &[Vec4; 2]| (weights[vertex % 2][place % PAIRS] * WHOLE as f32).round() as u16;
        let mut found: Vec<(u32, u16)> = group
            .bones
            .iter()
            .zip(group.weights)
            .map(|(bone, weights)| (bone / FLOATS, share(weights)))
            .collect();
        found.retain(|(_, share)| *share > 0);
        found.sort_by_key(|&(cluster, share)| (std::cmp::Reverse(share), cluster));
        std::array::from_fn(|k| found.get(k).copied().unwrap_or((found[0].0, 0)))
    }

    /// Whether every influence is one of so many bones.
    pub(super) fn are_within(&self, bones: usize) -> bool {
        self.bones.iter().all(|bone| (bone / FLOATS) < bones as u32)
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.groups.capacity() * size_of::<Group>()
            + self.bones.capacity() * size_of::<u32>()
            + self.weights.capacity() * size_of::<[Vec4; 2]>()
            + self.places.capacity() * size_of::<u32>()
    }
}

/// All that carry some pairs, in ascending order.
fn carriers(shares: &[[(u32, u16); INFLUENCES]], pairs: &[usize]) -> Vec<u32> {
    let lists = pairs.iter().flat_map(|&vertex| shares.iter().skip(vertex).take(2)).flatten();
    let mut found: Vec<u32> = lists.filter(|(_, share)| *share > 0).map(|(cluster, _)| *cluster).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(i: u32) -> [(u32, u16); INFLUENCES] {
        let count = 1 + i as usize * 7 % INFLUENCES;
        let mut list = [(i, 0); INFLUENCES];
        (1..count).for_each(|k| list[k] = (i + k as u32, 1000));
        list[0].1 = (WHOLE - 1000 * (count as u32 - 1)) as u16;
        list
    }

    fn check(given: &[[(u32, u16); INFLUENCES]]) -> Influences {
        let influences = Influences::new(given);
        (0..given.len()).for_each(|i| assert_eq!(influences.of(i), given[i], "vertex {i}"));
        let mut seen: Vec<u32> =
            (0..influences.groups()).flat_map(|index| influences.group(index).vertices).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, (0..given.len() as u32).step_by(2).collect::<Vec<_>>());
        influences
    }

    #[test]
    fn what_was_given_is_found_again_by_vertex_and_nothing_is_left_out() {
        let given: Vec<_> = (0..301).map(shares).collect();
        let influences = check(&given);
        assert!(influences.are_within(308) && !influences.are_within(300));
        assert_eq!(influences.group(0).vertices, [0, 2, 4, 6]);
    }

    #[test]
    fn neighbours_are_deformed_together_in_whatever_order_a_mesh_has_them() {
        let given: Vec<_> = (0..302).map(shares).collect();
        let shuffled: Vec<_> = (0..302).map(|i| given[i / 2 * 2 * 59 % 302 + i % 2]).collect();
        let (plain, sorted) = (check(&given), check(&shuffled));
        assert!(
            sorted.bones.len() * 10 < plain.bones.len() * 11,
            "{} {}",
            sorted.bones.len(),
            plain.bones.len()
        );
    }
}
