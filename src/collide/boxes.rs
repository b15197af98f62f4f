//! A tree of boxes: who overlaps whom, and what is nearest, without looking at every pair.
//!
//! Reads boxes; writes an order of them in which every node of the tree is a run, halved at the
//! middle by the axis along which its centres spread most. Ties are broken by number, so the tree is
//! the same everywhere. Built anew whenever things moved: that costs a sort and keeps no state.

use glam::Vec3A;

use super::bounds::Bounds;

/// Items in a run that is not halved further.
const LEAF: usize = 4;
/// Halvings of the largest number of items.
const DEEPEST: usize = 32;

/// A tree over numbered boxes. Its memory is kept when it is built again.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// The items: numbers of boxes, every node's in one run.
    order: Vec<u32>,
    /// The items' boxes, in that order.
    items: Vec<Bounds>,
    /// Each followed by those of its first half.
    nodes: Vec<Node>,
}

/// A run of items.
#[derive(Debug)]
struct Node {
    bounds: Bounds,
    /// Number of the node of its second half.
    second: u32,
}

impl Tree {
    /// Builds the tree over those boxes that are sound.
    pub(crate) fn build(&mut self, boxes: &[Bounds]) {
        self.order.clear();
        self.order.extend((0..boxes.len() as u32).filter(|&i| boxes[i as usize].is_sound()));
        self.items.clear();
        self.nodes.clear();
        if !self.order.is_empty() {
            let Tree { order, nodes, .. } = self;
            halve(order, boxes, nodes);
        }
        self.items.extend(self.order.iter().map(|&i| boxes[i as usize]));
    }

    /// Calls `found` with the number of every box that overlaps `bounds`, in no particular order.
    pub(crate) fn overlapping(&self, bounds: &Bounds, mut found: impl FnMut(u32)) {
        self.visit(
            |node| node.meets(bounds),
            |i| {
                if self.items[i].meets(bounds) {
                    found(self.order[i]);
                }
            },
        );
    }

    /// The nearest `K` items to a point and their squared distances, nearest first; of equals the one with
    /// the lower number. Those that do not exist are `u32::MAX`.
    pub(crate) fn nearest<const K: usize>(&self, point: Vec3A) -> [(f32, u32); K] {
        let mut best = [(f32::INFINITY, u32::MAX); K];
        let away = |node: u32| self.nodes[node as usize].bounds.distance_squared(point);
        // Runs still to look at: distance, first place, length, node. The nearest of them is the last.
        let mut waiting = [(0.0, 0u32, 0u32, 0u32); DEEPEST];
        let mut count = usize::from(!self.order.is_empty());
        waiting[0] = (0.0, 0, self.order.len() as u32, 0);
        while count > 0 {
            count -= 1;
            let (distance, first, length, node) = waiting[count];
            if distance > best[K - 1].0 {
                continue;
            }
            if length as usize <= LEAF {
                for i in first as usize..(first + length) as usize {
                    let item = (self.items[i].distance_squared(point), self.order[i]);
                    if item < best[K - 1] {
                        let place = best.iter().position(|other| item < *other).unwrap_or(K - 1);
                        best[place..].rotate_right(1);
                        best[place] = item;
                    }
                }
                continue;
            }
            let (half, second) = (length / 2, self.nodes[node as usize].second);
            let mut halves = [
                (away(node + 1), first, half, node + 1),
                (away(second), first + half, length - half, second),
            ];
            if halves[0].0 <= halves[1].0 {
                halves.swap(0, 1);
            }
            waiting[count..count + 2].copy_from_slice(&halves);
            count += 2;
        }
        best
    }

    /// Calls `item` with every place whose nodes are all `wanted`.
    #[inline(always)]
    fn visit(&self, wanted: impl Fn(&Bounds) -> bool, mut item: impl FnMut(usize)) {
        // Runs still to look at: first place, length, node.
        let mut waiting = [(0u32, 0u32, 0u32); DEEPEST];
        let mut count = usize::from(!self.order.is_empty());
        waiting[0] = (0, self.order.len() as u32, 0);
        while count > 0 {
            count -= 1;
            let (first, length, node) = waiting[count];
            let Node { bounds, second } = &self.nodes[node as usize];
            if !wanted(bounds) {
                continue;
            }
            if length as usize <= LEAF {
                (first..first + length).for_each(|i| item(i as usize));
                continue;
            }
            let half = length / 2;
            waiting[count] = (first + half, length - half, *second);
            waiting[count + 1] = (first, half, node + 1);
            count += 2;
        }
    }
}

/// Puts a run in order and writes its nodes.
fn halve(run: &mut [u32], boxes: &[Bounds], nodes: &mut Vec<Node>) {
    let middle = |i: u32| boxes[i as usize].low + boxes[i as usize].high;
    let (mut all, mut centres) = (Bounds::default(), Bounds::default());
    for &i in run.iter() {
        all = all.with(boxes[i as usize]);
        centres = centres.with(Bounds::at(middle(i)));
    }
    let here = nodes.len();
    nodes.push(Node { bounds: all, second: 0 });
    if run.len() <= LEAF {
        return;
    }
    let spread = centres.high - centres.low;
    let axis = (1..3).fold(0, |best, k| if spread[k] > spread[best] { k } else { best });
    let half = run.len() / 2;
    run.select_nth_unstable_by(half, |&a, &b| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(&b)));
    let (first, second) = run.split_at_mut(half);
    halve(first, boxes, nodes);
    nodes[here].second = nodes.len() as u32;
    halve(second, boxes, nodes);
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    fn some_boxes(count: usize, size: f32) -> Vec<Bounds> {
        let mut random = ChaCha8Rng::seed_from_u64(count as u64);
        let mut next = || (random.next_u32() >> 8) as f32 / (1 << 24) as f32;
        let mut point = || Vec3A::new(next(), next(), next());
        (0..count)
            .map(|_| {
                let low = point();
                Bounds { low, high: low + point() * size }
            })
            .collect()
    }

    #[test]
    fn it_finds_every_overlap_and_no_other() {
        for count in [0, 1, 4, 5, 9, 300] {
            let boxes = some_boxes(count, 0.2);
            let mut tree = Tree::default();
            tree.build(&boxes);
            for query in &boxes {
                let mut found = Vec::new();
                tree.overlapping(query, |i| found.push(i));
                found.sort_unstable();
                let all = (0..count as u32).filter(|&i| boxes[i as usize].meets(query));
                assert_eq!(found, all.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn it_finds_what_is_nearest() {
        let boxes = some_boxes(200, 0.0);
        let mut tree = Tree::default();
        tree.build(&boxes);
        for query in some_boxes(50, 0.0) {
            let mut all: Vec<(f32, u32)> =
                (0..).zip(&boxes).map(|(i, b)| (b.distance_squared(query.low), i)).collect();
            all.sort_by(|a, b| a.partial_cmp(b).unwrap());
            assert_eq!(tree.nearest::<7>(query.low), all[..7]);
        }
    }

    #[test]
    fn boxes_that_are_not_finite_are_left_out() {
        let mut boxes = some_boxes(9, 0.5);
        boxes[3].high = Vec3A::NAN;
        boxes[5] = Bounds::default();
        let mut tree = Tree::default();
        tree.build(&boxes);
        let mut found = 0;
        tree.overlapping(&Bounds { low: Vec3A::splat(-9.0), high: Vec3A::splat(9.0) }, |_| found += 1);
        assert_eq!(found, 7);
    }
}
