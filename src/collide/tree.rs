//! A tree of boxes: finds what is near without looking at the rest.
//!
//! Halved at the median along the longest axis, so its depth is that of a balanced tree and a
//! short stack does. It is a plain function of the boxes it is built of; building reuses memory.

use glam::Vec3A;

use super::bounds::Bounds;

/// Items in a leaf.
const LEAF: usize = 4;
/// Deeper than any tree of 2³² items.
const STACK: usize = 64;

/// A box around two nodes or a few items.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// The first item of a leaf; of others the second child, the first being next in the row.
    start: u32,
    /// Items of a leaf, 0 for others.
    count: u32,
}

/// The tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

impl Tree {
    /// The tree of these boxes; items are their numbers.
    pub(crate) fn build(&mut self, boxes: &[Bounds]) {
        self.nodes.clear();
        self.items.clear();
        self.items.extend(0..boxes.len() as u32);
        if !boxes.is_empty() {
            self.split(boxes, 0, boxes.len());
        }
    }

    /// Makes the node of a range of items. Recursion is as deep as the tree, 30 at most.
    fn split(&mut self, boxes: &[Bounds], from: usize, to: usize) {
        let here = &mut self.items[from..to];
        let of = |i: &u32| boxes[*i as usize];
        let bounds = here.iter().map(of).fold(Bounds::EMPTY, Bounds::with);
        let place = self.nodes.len();
        self.nodes.push(Node { bounds, start: from as u32, count: (to - from) as u32 });
        if to - from <= LEAF {
            return;
        }
        let centres = Bounds::of(here.iter().map(|i| of(i).centre()));
        let size = centres.high - centres.low;
        let axis = (0..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
        let middle = (to - from) / 2;
        let key = |i: &u32| of(i).centre()[axis];
        here.select_nth_unstable_by(middle, |a, b| key(a).total_cmp(&key(b)).then(a.cmp(b)));
        self.split(boxes, from, from + middle);
        let second = self.nodes.len() as u32;
        self.split(boxes, from + middle, to);
        (self.nodes[place].start, self.nodes[place].count) = (second, 0);
    }

    /// Calls `found` for every leaf's items where `wanted` holds for all boxes around.
    #[inline(always)]
    fn walk(&self, mut wanted: impl FnMut(&Bounds) -> bool, mut found: impl FnMut(&[u32])) {
        let (mut stack, mut size) = ([0u32; STACK], usize::from(!self.nodes.is_empty()));
        while size > 0 {
            size -= 1;
            let place = stack[size];
            let node = &self.nodes[place as usize];
            if !wanted(&node.bounds) {
                continue;
            }
            if node.count > 0 {
                found(&self.items[node.start as usize..][..node.count as usize]);
            } else {
                (stack[size], stack[size + 1]) = (node.start, place + 1);
                size += 2;
            }
        }
    }

    /// Calls `found` for every item that may meet `bounds`.
    pub(crate) fn visit(&self, bounds: &Bounds, mut found: impl FnMut(u32)) {
        self.walk(|node| node.meets(bounds), |items| items.iter().for_each(|&i| found(i)));
    }

    /// The nearest item: `measure` gives the square of its distance if below the one given.
    pub(crate) fn nearest(
        &self,
        point: Vec3A,
        within: f32,
        mut measure: impl FnMut(u32, f32) -> Option<f32>,
    ) {
        let mut best = within;
        let (mut stack, mut size) = ([(0u32, 0f32); STACK], usize::from(!self.nodes.is_empty()));
        while size > 0 {
            size -= 1;
            let (place, distance) = stack[size];
            if distance > best {
                continue;
            }
            let node = &self.nodes[place as usize];
            if node.count > 0 {
                for &item in &self.items[node.start as usize..][..node.count as usize] {
                    best = measure(item, best).unwrap_or(best);
                }
                continue;
            }
            let children = [place + 1, node.start];
            let [a, b] = children.map(|c| self.nodes[c as usize].bounds.distance_squared(point));
            // The nearer child is looked at first, so it goes on top.
            let (near, far) = if a <= b { (0, 1) } else { (1, 0) };
            let distances = [a, b];
            for k in [far, near] {
                if distances[k] <= best {
                    stack[size] = (children[k], distances[k]);
                    size += 1;
                }
            }
        }
    }

    /// The first item that a ray meets: `measure` gives where, as a multiple of the direction, if
    /// before what it is given.
    pub(crate) fn cast(
        &self,
        origin: Vec3A,
        direction: Vec3A,
        most: f32,
        mut measure: impl FnMut(u32, f32) -> Option<f32>,
    ) {
        let (inverse, best) = (direction.recip(), std::cell::Cell::new(most));
        self.walk(
            |node| node.enter(origin, inverse, best.get()).is_some(),
            |items| {
                for &item in items {
                    best.set(measure(item, best.get()).unwrap_or(best.get()));
                }
            },
        );
    }
}
