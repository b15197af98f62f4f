//! The surface of a rest shape as triangles between its outer particles.
//!
//! Reads the grid of distances; writes a closed mesh whose vertices are carried by particles. The mesh is
//! that of a level a little outside (surface nets: Gibson, "Constrained elastic surface nets", 1998), where
//! sheets and strands have an inside too; its vertices are then drawn to the outer particles next to them,
//! so edges and corners are as sharp as those. A plain function of the field.

use glam::{UVec3, Vec3A};

use super::Field;
use crate::collide::bounds::Bounds;
use crate::collide::boxes::Tree;

/// The level that is meshed, in cells: a particle alone in a cell is no further than 0.87 from a node.
const LEVEL: f32 = 0.9;

/// Marks a cell that the level does not pass.
const EMPTY: u32 = u32::MAX;

/// A vertex between up to three particles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    /// Spatial indices.
    pub(crate) particles: [u32; 3],
    /// They sum to 1.
    pub(crate) shares: [f32; 3],
    /// From there to the surface of a thin body, metres at rest; zero for others.
    pub(crate) offset: Vec3A,
}

impl Field {
    /// Vertices and triangles, facing out; `skin` metres off the particles.
    pub(crate) fn outline(&self, skin: f32) -> (Vec<Carried>, Vec<[u32; 3]>) {
        if self.is_empty() {
            return (Vec::new(), Vec::new());
        }
        let at = |k: usize| self.surface[k].rest;
        let mut tree = Tree::default();
        tree.build(&(0..self.surface.len()).map(|k| Bounds::at(at(k))).collect::<Vec<_>>());
        let (points, triangles) = self.level();
        let carried = |point: &Vec3A| {
            let near = tree.nearest::<1>(*point)[0].1 as usize;
            let out = (*point - at(near)).normalize_or(Vec3A::Y);
            let normal = self.slope(*point).normalize_or(out);
            let (places, shares) = self.carriers(near, *point, normal);
            let particles = places.map(|place| self.surface[place].particle);
            Carried { particles, shares, offset: normal * skin }
        };
        (points.iter().map(carried).collect(), triangles)
    }

    fn is_in(&self, x: u32, y: u32, z: u32) -> bool {
        self.nodes[self.place(x, y, z)] * self.inverse_cell < LEVEL
    }

    /// Vertices and triangles of the level.
    fn level(&self) -> (Vec<Vec3A>, Vec<[u32; 3]>) {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        let mut vertex_of = vec![EMPTY; self.nodes.len()];
        let cells = self.size - 1;
        for_all(cells, |cell| {
            if let Some(point) = self.vertex(cell) {
                vertex_of[self.place(cell.x, cell.y, cell.z)] = points.len() as u32;
                points.push(point);
            }
        });
        for_all(cells, |node| {
            for axis in 0..3 {
                let (mut step, mut u, mut v) = (UVec3::ZERO, UVec3::ZERO, UVec3::ZERO);
                (step[axis], u[(axis + 1) % 3], v[(axis + 2) % 3]) = (1, 1, 1);
                let (there, side) = (node + step, u + v);
                let outwards = self.is_in(node.x, node.y, node.z);
                if node.cmplt(side).any() || outwards == self.is_in(there.x, there.y, there.z) {
                    continue;
                }
                let around = [node - u - v, node - v, node, node - u];
                let [a, b, c, d] = around.map(|cell| vertex_of[self.place(cell.x, cell.y, cell.z)]);
                triangles.extend(if outwards { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
            }
        });
        (points, triangles)
    }

    /// The middle of where the level cuts the edges of a cell.
    fn vertex(&self, cell: UVec3) -> Option<Vec3A> {
        let corner = |k: u32| UVec3::new(k & 1, k >> 1 & 1, k >> 2);
        let height = |k: u32| {
            let UVec3 { x, y, z } = cell + corner(k);
            self.nodes[self.place(x, y, z)] * self.inverse_cell - LEVEL
        };
        let heights: [f32; 8] = std::array::from_fn(|k| height(k as u32));
        let (mut sum, mut cuts) = (Vec3A::ZERO, 0.0);
        for a in 0..8u32 {
            for bit in [1, 2, 4].into_iter().filter(|bit| a & bit == 0) {
                let [from, to] = [a, a | bit].map(|k| heights[k as usize]);
                if (from < 0.0) != (to < 0.0) {
                    let [p, q] = [a, a | bit].map(|k| corner(k).as_vec3a());
                    sum += p + (q - p) * (from / (from - to));
                    cuts += 1.0;
                }
            }
        }
        (cuts > 0.0).then(|| self.low + (cell.as_vec3a() + sum / cuts) / self.inverse_cell)
    }
}

/// Calls `look` for all places of a box, z fastest.
fn for_all(size: UVec3, mut look: impl FnMut(UVec3)) {
    for x in 0..size.x {
        for y in 0..size.y {
            (0..size.z).for_each(|z| look(UVec3::new(x, y, z)));
        }
    }
}
