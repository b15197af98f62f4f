//! A tree whose triangles move: boxes and dipoles are found anew, who is beside whom stays.
//!
//! Reads where the corners are; writes nodes from the leaves up, in a fixed order. Boxes overlap the more
//! the further the surface is bent from what the tree was made for: a search slows down, and stays right.

use glam::Vec3A;

use super::{Sum, Tree};
use crate::collide::bounds::Bounds;
use crate::collide::triangle::cast_triangle;

impl Tree {
    /// Puts every triangle to where `corners` says, by its place in the list that the tree was made from.
    pub(crate) fn refit(&mut self, corners: impl Fn(u32) -> [Vec3A; 3]) {
        let Tree { nodes, corners: all, order } = self;
        all.iter_mut().zip(order.iter()).for_each(|(place, &t)| *place = corners(t));
        let mut sums = vec![Sum::default(); nodes.len()];
        for i in (0..nodes.len()).rev() {
            let node = nodes[i];
            let leaf = &all[node.first as usize..][..node.count as usize];
            sums[i] = leaf.iter().copied().fold(Sum::default(), Sum::with);
            if node.count == 0 {
                let [a, b] = [i + 1, nodes[i + 1].next as usize].map(|child| sums[child]);
                sums[i] = a.joined(&b);
            }
            let sum = &sums[i];
            let reach = (sum.centre() - sum.low).max(sum.high - sum.centre()).length_squared();
            let (first, count, next) = (node.first, node.count, node.next);
            nodes[i] = super::Node { first, count, next, ..sum.node(reach) };
        }
    }

    /// Where a ray first meets a triangle from either side, up to `most` times its direction, and which one.
    pub(crate) fn cast(&self, origin: Vec3A, direction: Vec3A, most: f32) -> Option<(f32, u32)> {
        let inverse = direction.recip();
        let mut found: Option<(f32, u32)> = None;
        self.walk(|bounds, place, corners| {
            let best = found.map_or(most, |(t, _)| t);
            let Some(corners) = corners else { return bounds.enter(origin, inverse, best).is_some() };
            let sooner = |t: &f32| *t < best || found.is_none() && *t <= best;
            if let Some(t) = cast_triangle(*corners, origin, direction).filter(sooner) {
                found = Some((t, self.order[place]));
            }
            true
        });
        found
    }

    /// Whether `wanted` holds for a triangle that may meet `bounds`.
    pub(crate) fn any(&self, bounds: &Bounds, mut wanted: impl FnMut([Vec3A; 3]) -> bool) -> bool {
        let mut found = false;
        self.walk(|around, _, corners| {
            if let Some(corners) = corners {
                found = found || wanted(*corners);
            }
            !found && around.meets(bounds)
        });
        found
    }

    /// Calls `look` with the box of every node, and if it returns true with those of the nodes in it or
    /// with its triangles and their places.
    #[inline(always)]
    fn walk(&self, mut look: impl FnMut(&Bounds, usize, Option<&[Vec3A; 3]>) -> bool) {
        let mut i = 0;
        while let Some(node) = self.nodes.get(i) {
            let bounds = Bounds { low: node.low, high: node.high };
            let near = look(&bounds, 0, None);
            if near {
                for place in node.first as usize..(node.first + node.count) as usize {
                    look(&bounds, place, Some(&self.corners[place]));
                }
            }
            i = if near { i + 1 } else { node.next as usize };
        }
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<super::Node>()
            + self.corners.capacity() * size_of::<[Vec3A; 3]>()
            + self.order.capacity() * 4
    }
}

impl Sum {
    fn joined(&self, other: &Sum) -> Sum {
        Sum {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            normal: self.normal + other.normal,
            moment: self.moment + other.moment,
            area: self.area + other.area,
        }
    }
}
