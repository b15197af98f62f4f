//! Triangles in a tree of boxes: how often a surface winds about a point, and how far it is away.
//!
//! Jacobson and others, "Robust inside-outside segmentation using generalized winding numbers", 2013:
//! the solid angles of all triangles over 4π are 1 inside and 0 outside of a closed surface, and fall
//! smoothly from one to the other across a hole. Barill and others, "Fast winding numbers for soups and
//! clouds", 2018: triangles far away count together, as one dipole. The order of all sums is that of the
//! tree, which depends on the triangles alone.

mod moving;

use glam::Vec3A;

use super::triangle::{closest_shares, solid_angle};

/// Most triangles of a leaf.
const LEAF: usize = 6;

/// A box is far away from here on, in radii of what is in it: the error of a dipole falls by the
/// square of this. Winding numbers are right to 0.01.
const FAR: f32 = 2.5;

/// Branches that wait while the nearer one is searched; each level of the tree leaves one at most.
const DEPTH: usize = 64;

#[derive(Clone, Copy)]
struct Node {
    low: Vec3A,
    high: Vec3A,
    /// Where the dipole sits: the triangles' centres, each with its area.
    centre: Vec3A,
    /// The sum of the triangles' normals, each as long as its area, over 4π.
    dipole: Vec3A,
    /// Beyond the root of this distance the dipole stands for the triangles.
    far_squared: f32,
    first: u32,
    /// Triangles of a leaf; 0 for a branch, whose children follow.
    count: u32,
    /// The node that comes when this one and all in it is done.
    next: u32,
}

/// Triangles sorted into a tree.
#[derive(Clone, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Corners of the triangles, in the order of the leaves.
    corners: Vec<[Vec3A; 3]>,
    /// For each triangle in the order of the leaves, its place in the list that it came from.
    order: Vec<u32>,
}

/// The point of a surface closest to another.
pub(crate) struct Nearest {
    pub(crate) distance_squared: f32,
    pub(crate) triangle: u32,
    pub(crate) shares: [f32; 3],
}

impl Tree {
    pub(crate) fn new(triangles: &[[Vec3A; 3]]) -> Tree {
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        let middles: Vec<Vec3A> = triangles.iter().map(|[a, b, c]| (a + b + c) / 3.0).collect();
        let mut nodes = Vec::with_capacity(2 * triangles.len() / LEAF + 1);
        if !triangles.is_empty() {
            branch(&mut nodes, &mut order, 0, &middles, triangles);
        }
        let corners = order.iter().map(|&t| triangles[t as usize]).collect();
        Tree { nodes, corners, order }
    }

    /// How often the surface winds about `at`.
    pub(crate) fn winding(&self, at: Vec3A) -> f32 {
        let (mut angle, mut dipoles, mut i) = (0.0, 0.0, 0);
        while let Some(node) = self.nodes.get(i) {
            let towards = node.centre - at;
            let distance_squared = towards.length_squared();
            if distance_squared > node.far_squared {
                dipoles += node.dipole.dot(towards) / (distance_squared * distance_squared.sqrt());
                i = node.next as usize;
            } else {
                let leaf = &self.corners[node.first as usize..][..node.count as usize];
                angle += leaf.iter().map(|corners| solid_angle(corners.map(|c| c - at))).sum::<f32>();
                i += 1;
            }
        }
        angle / (4.0 * std::f32::consts::PI) + dipoles
    }

    /// The triangle closest to `at`; the first of the tree's where several are.
    pub(crate) fn nearest(&self, at: Vec3A) -> Nearest {
        self.nearest_within(at, f32::INFINITY)
    }

    /// The same, if its squared distance is less than `most`; that is left as it is if not.
    pub(crate) fn nearest_within(&self, at: Vec3A, most: f32) -> Nearest {
        let mut found = Nearest { distance_squared: most, triangle: 0, shares: [1.0, 0.0, 0.0] };
        let mut waiting = [(0.0, 0); DEPTH];
        let mut count = usize::from(!self.nodes.is_empty());
        while count > 0 {
            count -= 1;
            let (distance_squared, i) = waiting[count];
            if distance_squared >= found.distance_squared {
                continue;
            }
            let node = &self.nodes[i];
            for t in node.first..node.first + node.count {
                let corners = self.corners[t as usize].map(|c| c - at);
                let shares = closest_shares(corners);
                let point = corners[0] * shares[0] + corners[1] * shares[1] + corners[2] * shares[2];
                if point.length_squared() < found.distance_squared {
                    let triangle = self.order[t as usize];
                    found = Nearest { distance_squared: point.length_squared(), triangle, shares };
                }
            }
            if node.count == 0 {
                let children = [i + 1, self.nodes[i + 1].next as usize].map(|i| (self.nodes[i].away(at), i));
                let [near, far] = if children[0].0 <= children[1].0 { [0, 1] } else { [1, 0] };
                waiting[count] = children[far];
                waiting[count + 1] = children[near];
                count += 2;
            }
        }
        found
    }
}

impl Node {
    /// Squared distance of the box.
    fn away(&self, at: Vec3A) -> f32 {
        (self.low - at).max(at - self.high).max(Vec3A::ZERO).length_squared()
    }
}

/// Appends the node of the triangles in `order`, which begin at `first` in the whole, and all below it.
fn branch(
    nodes: &mut Vec<Node>,
    order: &mut [u32],
    first: usize,
    middles: &[Vec3A],
    triangles: &[[Vec3A; 3]],
) {
    let place = nodes.len();
    nodes.push(summary(order, first, triangles));
    if order.len() > LEAF {
        let (low, high) = order.iter().fold((Vec3A::INFINITY, Vec3A::NEG_INFINITY), |(low, high), &t| {
            (low.min(middles[t as usize]), high.max(middles[t as usize]))
        });
        let axis = (high - low).max_position();
        let half = order.len() / 2;
        let along = |t: u32| middles[t as usize][axis];
        order.select_nth_unstable_by(half, |&s, &t| along(s).total_cmp(&along(t)).then(s.cmp(&t)));
        let (left, right) = order.split_at_mut(half);
        branch(nodes, left, first, middles, triangles);
        branch(nodes, right, first + half, middles, triangles);
        nodes[place].count = 0;
    }
    nodes[place].next = nodes.len() as u32;
}

/// The node of the triangles in `order`, as a leaf.
fn summary(order: &[u32], first: usize, triangles: &[[Vec3A; 3]]) -> Node {
    let corners = || order.iter().map(|&t| triangles[t as usize]);
    let sum = corners().fold(Sum::default(), Sum::with);
    let centre = sum.centre();
    let reach = corners().flatten().map(|c| c.distance_squared(centre)).fold(0.0, f32::max);
    Node { first: first as u32, count: order.len() as u32, next: 0, ..sum.node(reach) }
}

/// What a node tells of its triangles.
#[derive(Clone, Copy)]
struct Sum {
    low: Vec3A,
    high: Vec3A,
    /// Of the normals, each as long as its area.
    normal: Vec3A,
    /// Of the centres, each with its area.
    moment: Vec3A,
    area: f32,
}

impl Default for Sum {
    fn default() -> Sum {
        let (low, high) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        Sum { low, high, normal: Vec3A::ZERO, moment: Vec3A::ZERO, area: 0.0 }
    }
}

impl Sum {
    fn with(self, [a, b, c]: [Vec3A; 3]) -> Sum {
        let normal = (b - a).cross(c - a) * 0.5;
        let area = normal.length();
        Sum {
            low: self.low.min(a).min(b).min(c),
            high: self.high.max(a).max(b).max(c),
            normal: self.normal + normal,
            moment: self.moment + (a + b + c) / 3.0 * area,
            area: self.area + area,
        }
    }

    fn centre(&self) -> Vec3A {
        let middle = (self.low + self.high) * 0.5;
        let known = self.area > f32::MIN_POSITIVE;
        if known { (self.moment / self.area).clamp(self.low, self.high) } else { middle }
    }

    /// A node whose triangles lie within the root of `reach` of its centre; which ones is not told.
    fn node(&self, reach: f32) -> Node {
        Node {
            low: self.low,
            high: self.high,
            centre: self.centre(),
            dipole: self.normal / (4.0 * std::f32::consts::PI),
            far_squared: FAR * FAR * reach,
            first: 0,
            count: 0,
            next: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec3a;

    /// A bumpy closed surface about the origin, `n` by `2 n` squares of two triangles.
    fn potato(n: u32) -> Vec<[Vec3A; 3]> {
        let at = |i: u32, j: u32| {
            let (up, round) =
                (i as f32 / n as f32 * std::f32::consts::PI, j as f32 / n as f32 * std::f32::consts::PI);
            let radius = 0.7 + 0.1 * (3.0 * round).sin() * up.sin().powi(3);
            vec3a(up.sin() * round.cos(), up.sin() * round.sin(), up.cos()) * radius
        };
        let square = |i, j| {
            let (a, b, c, d) =
                (at(i, j), at(i + 1, j), at(i + 1, (j + 1) % (2 * n)), at(i, (j + 1) % (2 * n)));
            [[a, b, c], [a, c, d]]
        };
        (0..n).flat_map(|i| (0..2 * n).flat_map(move |j| square(i, j))).collect()
    }

    fn somewhere(i: u32) -> Vec3A {
        let hash = |k: u32| (i * 3 + k).wrapping_mul(2_654_435_761) as f32 / u32::MAX as f32 * 2.0 - 1.0;
        vec3a(hash(0), hash(1), hash(2))
    }

    #[test]
    fn dipoles_tell_the_winding_number_to_a_hundredth() {
        let triangles = potato(40);
        // Open at one end, so that the number takes all values between 0 and 1.
        let triangles = &triangles[..triangles.len() * 3 / 4];
        let tree = Tree::new(triangles);
        let mut worst = 0.0f32;
        for at in (0..2000).map(somewhere) {
            let exact: f64 = triangles.iter().map(|t| f64::from(solid_angle(t.map(|c| c - at)))).sum();
            worst = worst.max((tree.winding(at) - (exact / (4.0 * std::f64::consts::PI)) as f32).abs());
        }
        assert!(worst < 0.01, "{worst}");
    }

    #[test]
    fn the_nearest_triangle_is_the_nearest_of_all() {
        let triangles = potato(12);
        let tree = Tree::new(&triangles);
        for at in (0..500).map(somewhere) {
            let all = triangles.iter().map(|t| {
                let corners = t.map(|c| c - at);
                let s = closest_shares(corners);
                (corners[0] * s[0] + corners[1] * s[1] + corners[2] * s[2]).length_squared()
            });
            assert_eq!(tree.nearest(at).distance_squared, all.fold(f32::INFINITY, f32::min));
        }
    }

    #[test]
    fn any_number_of_triangles_may_coincide() {
        let tree = Tree::new(&[[Vec3A::X, Vec3A::Y, Vec3A::Z]; 1000]);
        assert!(tree.winding(Vec3A::ZERO) > 100.0);
        assert!((tree.nearest(Vec3A::ZERO).distance_squared - 1.0 / 3.0).abs() < 1e-6);
        assert_eq!(Tree::new(&[]).winding(Vec3A::ZERO), 0.0);
    }
}
