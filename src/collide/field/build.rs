//! Baking the field: distances to particles, their closing, surface particles and their neighbours.
//!
//! The closing's distance: with D the distance to the nearest particle and E the distance to where
//! D ≥ reach, it is reach - E inside the dilation. E is measured from the nodes o outside it
//! as |q - o| - (D(o) - reach), which lies between the nodes because D grows by at most the way. The
//! nearest such o is handed from node to node in sweeps.

use glam::{UVec3, Vec3A, Vec4};
use rayon::prelude::*;

use super::{Field, Node, RING, SurfaceParticle};
use crate::collide::tree::{Bounds, Tree};
use crate::membership::Membership;

/// Dilation over the spacing: fills the middle between eight particles of a cubic grid, 0.87 spacings
/// from each, and most gaps of particles at random.
const REACH: f32 = 1.5;
/// Distance between nodes over the spacing.
const CELL: f32 = 0.75;
/// Nodes around the particles, spacings.
const MARGIN: f32 = 3.0;
/// Most nodes for each particle, and for any shape.
const MOST_NODES: (f32, f32) = (32.0, 32768.0);
/// No node outside found yet.
const NONE: u32 = u32::MAX;

impl Field {
    /// The field of particles at rest that the finest clusters hold as `held_by` says.
    pub(crate) fn new(rest: &[Vec4], held_by: &Membership) -> Field {
        let points: Vec<Vec3A> = rest.iter().map(|r| Vec3A::from_vec4(*r)).collect();
        let all = tree_over(&points);
        let spacing = spacing_of(&points, &all);
        let bounds = points.iter().fold(Bounds::default(), |b, p| b.joined(Bounds::at(*p)));
        if !(spacing > 0.0 && spacing.is_normal() && bounds.is_sound()) {
            return Field::default();
        }
        let mut field = Field::grid_over(bounds, spacing, points.len());
        field.close(&all, REACH * spacing);
        field.find_surface(&points, held_by);
        field
    }

    /// A grid about as fine as the particles, coarser where that would be too many nodes.
    fn grid_over(bounds: Bounds, spacing: f32, particles: usize) -> Field {
        let Bounds { low, high } = bounds.grown(MARGIN * spacing);
        let extent = (high - low).as_dvec3();
        let most = f64::from(MOST_NODES.0) * particles as f64 + f64::from(MOST_NODES.1);
        let nodes = |cell: f64| (extent / cell).ceil() + glam::DVec3::ONE;
        let mut cell = f64::from(CELL * spacing);
        while nodes(cell).element_product() > most {
            cell *= 1.1;
        }
        let size = nodes(cell).as_uvec3().max(UVec3::splat(2));
        Field {
            nodes: vec![Node::default(); (size.x * size.y * size.z) as usize],
            size,
            low,
            high,
            inverse_cell: (1.0 / cell) as f32,
            spacing,
            skin: 0.0,
            surface: Vec::new(),
        }
    }

    fn position(&self, place: usize) -> Vec3A {
        let (y, z) = (self.size.y as usize, self.size.z as usize);
        let at = [place / (y * z), place / z % y, place % z].map(|c| c as f32);
        self.low + Vec3A::from_array(at) / self.inverse_cell
    }

    /// Distances of the particles' closing.
    fn close(&mut self, particles: &Tree, reach: f32) {
        let positions: Vec<Vec3A> = (0..self.nodes.len()).map(|i| self.position(i)).collect();
        let away: Vec<f32> =
            positions.par_iter().map(|p| particles.nearest::<1>(*p)[0].0.sqrt()).collect();
        let mut source: Vec<u32> =
            (0u32..).zip(&away).map(|(i, d)| if *d >= reach { i } else { NONE }).collect();
        let outside = |q: usize, o: u32| match o {
            NONE => f32::INFINITY,
            o => positions[q].distance(positions[o as usize]) - (away[o as usize] - reach),
        };
        for _ in 0..2 {
            self.sweep(&mut source, &outside);
        }
        for (i, node) in self.nodes.iter_mut().enumerate() {
            node.distance = if away[i] >= reach { away[i] } else { reach - outside(i, source[i]).min(1e30) };
        }
    }

    /// Hands the nearest outside nodes on, forwards and backwards through the grid.
    fn sweep(&self, source: &mut [u32], outside: &impl Fn(usize, u32) -> f32) {
        let size = [self.size.x, self.size.y, self.size.z].map(|n| n as i32);
        let place = |c: [i32; 3]| ((c[0] * size[1] + c[1]) * size[2] + c[2]) as usize;
        let steps = (-1..2).flat_map(|x| (-1..2).flat_map(move |y| (-1..2).map(move |z| [x, y, z])));
        let earlier: Vec<[i32; 3]> = steps.take(13).collect();
        let count = source.len();
        for (sign, order) in [(1, 0..count), (-1, 0..count)] {
            for i in order {
                let i = if sign > 0 { i } else { count - 1 - i };
                let (y, z) = (size[1] as usize, size[2] as usize);
                let here = [i / (y * z), i / z % y, i % z].map(|c| c as i32);
                let mut best = (outside(i, source[i]), source[i]);
                for step in &earlier {
                    let there: [i32; 3] = std::array::from_fn(|k| here[k] + sign * step[k]);
                    if (0..3).all(|k| (0..size[k]).contains(&there[k])) {
                        let from = source[place(there)];
                        let distance = outside(i, from);
                        if distance < best.0 {
                            best = (distance, from);
                        }
                    }
                }
                source[i] = best.1;
            }
        }
    }

    /// The outer particles, the field put so that they lie at zero on the whole, and who is near whom.
    fn find_surface(&mut self, points: &[Vec3A], held_by: &Membership) {
        let depths: Vec<f32> = points.iter().map(|p| self.interpolated(*p).0).collect();
        let outer = |d: &&f32| **d > -0.5 * self.spacing;
        let count = depths.iter().filter(outer).count();
        let bias = (depths.iter().filter(outer).map(|d| f64::from(*d)).sum::<f64>() / count.max(1) as f64) as f32;
        let deepest = depths.iter().fold(0.0f32, |deepest, d| deepest.max(bias - d));
        let surface: Vec<u32> = (0u32..).zip(&depths).filter(|(_, d)| outer(d)).map(|(i, _)| i).collect();
        self.nodes.iter_mut().for_each(|node| node.distance -= bias);
        self.skin = (0.5 * self.spacing - deepest).max(0.0);
        let at: Vec<Vec3A> = surface.iter().map(|&i| points[i as usize]).collect();
        let tree = tree_over(&at);
        let positions: Vec<Vec3A> = (0..self.nodes.len()).map(|i| self.position(i)).collect();
        let nearest: Vec<u32> = positions.par_iter().map(|p| tree.nearest::<1>(*p)[0].1).collect();
        self.nodes.iter_mut().zip(nearest).for_each(|(node, nearest)| node.nearest = nearest);
        let normals: Vec<Vec3A> = at.iter().map(|p| self.interpolated(*p).1.normalize_or_zero()).collect();
        let known = |k: usize| SurfaceParticle {
            particle: surface[k],
            cluster: heaviest(held_by, surface[k] as usize),
            ring: ring(k, &at, &normals, &tree),
        };
        self.surface = (0..surface.len()).map(known).collect();
    }
}

/// The nearest surface particles whose normals do not look the other way.
fn ring(k: usize, at: &[Vec3A], normals: &[Vec3A], tree: &Tree) -> [u32; RING] {
    let mut ring = [k as u32; RING];
    let near = tree.nearest::<{ 2 * RING }>(at[k]);
    let same_side = |i: usize| normals[i].dot(normals[k]) > -0.25 && at[i] != at[k];
    let fit = near.iter().filter(|(_, i)| *i != u32::MAX && same_side(*i as usize));
    ring.iter_mut().zip(fit).for_each(|(place, (_, i))| *place = *i);
    ring
}

/// The cluster that holds a particle most; of equals the first.
fn heaviest(held_by: &Membership, particle: usize) -> u32 {
    let row = held_by.row(particle);
    let heavier = row.iter().reduce(|best, e| if e.weight > best.weight { e } else { best });
    heavier.map_or(0, |e| e.index)
}

fn tree_over(points: &[Vec3A]) -> Tree {
    let mut tree = Tree::default();
    tree.build(&points.iter().map(|p| Bounds::at(*p)).collect::<Vec<_>>());
    tree
}

/// The mean distance to the third neighbour, or to the last where there are fewer: in a grid of cubes
/// the side of one, corners included.
fn spacing_of(points: &[Vec3A], tree: &Tree) -> f32 {
    let third = |p: &Vec3A| {
        let near = tree.nearest::<4>(*p);
        near.iter().rev().find(|(d, _)| d.is_finite()).map_or(0.0, |(d, _)| d.sqrt())
    };
    let distances: Vec<f32> = points.par_iter().map(third).collect();
    (distances.iter().map(|d| f64::from(*d)).sum::<f64>() / points.len().max(1) as f64) as f32
}
