//! The surface where a function is zero, as a closed mesh with its edges sharp.
//!
//! Reads the sign of a function at the nodes of a grid; writes one vertex in every cell that the surface
//! passes and four triangles' halves across every grid edge that it cuts, so every edge is shared. Ju and
//! others, "Dual contouring of Hermite data", 2002. Layers of nodes and cells are found on their own, on
//! any number of threads; vertices are numbered in the order of their cells.

use glam::{DVec3, IVec3, Vec3};

use super::{Solid, SolidMesh};
use crate::clustering::Workers;
use crate::error::Error;
use crate::headroom;
use crate::math::symmetric;

/// Cells beyond the solid on each side; not a whole number, so that flat sides miss the nodes.
const BEYOND: f32 = 1.37;

/// Halvings that find where the surface cuts an edge.
const HALVINGS: usize = 14;

/// The step over which a slope is found, in cells.
const SLOPE: f32 = 0.01;

/// Directions in which normals vary less than this share of the most are left as they are: rounding and
/// gentle bends are no edges.
const EDGE: f64 = 0.1;

/// Marks a cell that the surface does not pass.
const EMPTY: u32 = u32::MAX;

/// Bytes that a node of the grid takes at most while the surface is found.
const NODE_BYTES: usize = 128;

struct Grid<'a> {
    solid: &'a Solid<'a>,
    low: Vec3,
    side: f32,
    /// Nodes along each axis.
    nodes: IVec3,
    /// Whether each node is inside.
    inside: Vec<bool>,
}

pub(super) fn mesh(solid: &Solid, cells: u32, threads: u32) -> Result<SolidMesh, Error> {
    if !(4..=256).contains(&cells) {
        return Err(Error::Value { field: "cells", value: cells.into(), wanted: "from 4 to 256" });
    }
    let extent = solid.high - solid.low;
    let side = extent.max_element() / cells as f32;
    let nodes = (extent / side + 2.0 * BEYOND).ceil().as_ivec3() + 1;
    let workers = Workers::new(threads, usize::MAX);
    headroom::ensure(
        nodes.as_i64vec3().element_product() as usize * NODE_BYTES,
        "finding the surface of a solid",
    )?;
    let mut grid = Grid { solid, low: solid.low - side * BEYOND, side, nodes, inside: Vec::new() };
    grid.look(&workers)?;
    let mesh = grid.contoured(&workers);
    if mesh.indices.is_empty() {
        let why = "no part of it is inside; give bounds that hold it, a distance that is less than zero \
                   inside, or more cells";
        return Err(Error::Unsuitable { what: "solid", why: why.into() });
    }
    Ok(mesh)
}

impl Grid<'_> {
    /// Finds which nodes are inside; those at the border of the grid are not.
    fn look(&mut self, workers: &Workers) -> Result<(), Error> {
        let mut layers = vec![(Vec::new(), None); self.nodes.z as usize];
        workers.each(&mut layers, |z, (inside, wrong)| {
            for node in plane(self.nodes, z as i32) {
                let distance = self.solid.distance(self.at(node));
                if distance.is_nan() {
                    *wrong = Some(self.at(node));
                }
                let border = node.min_element() == 0 || (self.nodes - 1 - node).min_element() == 0;
                inside.push(distance < 0.0 && !border);
            }
        });
        if let Some(at) = layers.iter().find_map(|(_, wrong)| *wrong) {
            let why = format!("its distance at {at} is not a number; let it give one everywhere");
            return Err(Error::Unsuitable { what: "solid", why });
        }
        self.inside = layers.into_iter().flat_map(|(inside, _)| inside).collect();
        Ok(())
    }

    fn contoured(&self, workers: &Workers) -> SolidMesh {
        let cells = self.nodes - 1;
        let mut layers = vec![Vec::new(); cells.z as usize];
        workers.each(&mut layers, |z, vertices: &mut Vec<Option<(Vec3, Vec3)>>| {
            vertices.extend(plane(cells, z as i32).map(|cell| self.vertex(cell)));
        });
        let mut mesh = SolidMesh::default();
        let mut vertex_of = Vec::with_capacity(layers.len() * layers[0].len());
        for vertex in layers.into_iter().flatten() {
            vertex_of.push(if vertex.is_some() { mesh.positions.len() as u32 } else { EMPTY });
            if let Some((position, normal)) = vertex {
                mesh.positions.push(position);
                mesh.normals.push(normal);
            }
        }
        let vertex_of = |cell: IVec3| vertex_of[((cell.z * cells.y + cell.y) * cells.x + cell.x) as usize];
        for node in (1..self.nodes.z - 1).flat_map(|z| plane(self.nodes, z)) {
            for axis in 0..3 {
                let (mut step, mut u, mut v) = (IVec3::ZERO, IVec3::ZERO, IVec3::ZERO);
                (step[axis], u[(axis + 1) % 3], v[(axis + 2) % 3]) = (1, 1, 1);
                let is_border = node.min_element() == 0 || (cells - node).min_element() == 0;
                if !is_border && self.is_inside(node) != self.is_inside(node + step) {
                    let around = [node - u - v, node - v, node, node - u].map(vertex_of);
                    let [a, b, c, d] = around;
                    let outwards = self.is_inside(node);
                    mesh.indices.extend(if outwards { [a, b, c, a, c, d] } else { [a, c, b, a, d, c] });
                }
            }
        }
        mesh
    }

    /// The vertex of a cell and its normal, if the surface passes the cell: where the planes that touch
    /// the surface at the cell's edges meet.
    fn vertex(&self, cell: IVec3) -> Option<(Vec3, Vec3)> {
        let cuts: Vec<(Vec3, Vec3)> =
            EDGES.iter().filter_map(|&[a, b]| self.cut(cell + a, cell + b)).collect();
        if cuts.is_empty() {
            return None;
        }
        let middle = cuts.iter().map(|(at, _)| *at).sum::<Vec3>() / cuts.len() as f32;
        let (mut matrix, mut right) = ([[0.0; 3]; 3], DVec3::ZERO);
        for (at, normal) in &cuts {
            let n = normal.as_dvec3();
            for (i, row) in matrix.iter_mut().enumerate() {
                (0..3).for_each(|j| row[j] += n[i] * n[j]);
            }
            right += n * n.dot((at - middle).as_dvec3());
        }
        let inverse = symmetric::pseudo_inverse(matrix, EDGE);
        let off = DVec3::from_array(inverse.map(|row| DVec3::from_array(row).dot(right)));
        let (low, high) = (self.at(cell), self.at(cell + 1));
        let at = (middle + off.as_vec3()).clamp(low, high);
        Some((at, self.normal(at)))
    }

    /// Where the surface cuts the edge between two nodes, and its normal there.
    fn cut(&self, a: IVec3, b: IVec3) -> Option<(Vec3, Vec3)> {
        if self.is_inside(a) == self.is_inside(b) {
            return None;
        }
        let (inner, outer) = if self.is_inside(a) { (a, b) } else { (b, a) };
        let (mut inner, mut outer) = (self.at(inner), self.at(outer));
        for _ in 0..HALVINGS {
            let middle = (inner + outer) * 0.5;
            *(if self.solid.distance(middle) < 0.0 { &mut inner } else { &mut outer }) = middle;
        }
        let at = (inner + outer) * 0.5;
        Some((at, self.normal(at)))
    }

    fn normal(&self, at: Vec3) -> Vec3 {
        let step = self.side * SLOPE;
        let slope =
            |axis: Vec3| self.solid.distance(at + axis * step) - self.solid.distance(at - axis * step);
        Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z)).normalize_or(Vec3::Y)
    }

    fn at(&self, node: IVec3) -> Vec3 {
        self.low + node.as_vec3() * self.side
    }

    fn is_inside(&self, node: IVec3) -> bool {
        self.inside[((node.z * self.nodes.y + node.y) * self.nodes.x + node.x) as usize]
    }
}

/// The places with this z of a box of `count` places along each axis, x fastest.
fn plane(count: IVec3, z: i32) -> impl Iterator<Item = IVec3> {
    (0..count.y).flat_map(move |y| (0..count.x).map(move |x| IVec3::new(x, y, z)))
}

/// The edges of a cell, between corners.
const EDGES: [[IVec3; 2]; 12] = {
    let c = [
        IVec3::new(0, 0, 0),
        IVec3::new(1, 0, 0),
        IVec3::new(0, 1, 0),
        IVec3::new(1, 1, 0),
        IVec3::new(0, 0, 1),
        IVec3::new(1, 0, 1),
        IVec3::new(0, 1, 1),
        IVec3::new(1, 1, 1),
    ];
    [
        [c[0], c[1]],
        [c[2], c[3]],
        [c[4], c[5]],
        [c[6], c[7]],
        [c[0], c[2]],
        [c[1], c[3]],
        [c[4], c[6]],
        [c[5], c[7]],
        [c[0], c[4]],
        [c[1], c[5]],
        [c[2], c[6]],
        [c[3], c[7]],
    ]
};
