//! Baking the field: distances to particles, their closing, outer particles, a smooth surface through them.
//!
//! The closing's distance: with D the distance to the nearest particle and E the distance to where
//! D ≥ reach, it is reach - E inside the dilation. E is measured from the nodes o outside it
//! as |q - o| - (D(o) - reach), which lies between the nodes because D grows by at most the way. The
//! nearest such o is handed from node to node in sweeps.

use super::{Field, RING, Ring, SurfaceParticle};
use crate::clustering::Workers;
use crate::collide::bounds::Bounds;
use crate::collide::boxes::Tree;
use glam::{UVec3, Vec3A, Vec4};

/// Dilation over the spacing: fills the middle between eight particles of a cubic grid, 0.87 spacings
/// from each, and most gaps of particles at random.
const REACH: f32 = 1.5;
/// Distance between nodes over the spacing.
const CELL: f32 = 0.75;
/// Nodes around the particles, spacings.
const MARGIN: f32 = 3.0;
/// Most nodes for each particle, and for any shape.
const MOST_NODES: (f32, f32) = (32.0, 32768.0);
/// Outer particles that make the field near the surface, and how often it is made.
const NEAR: usize = 16;
const SMOOTHINGS: usize = 2;
/// How far from them, spacings.
const SMOOTHED: f32 = 1.5;
/// Their weight falls to 1/e over the root of this, spacings.
const SHARPNESS: f32 = 0.25;
/// Slopes whose product is below this look to different sides of a thin body.
const OTHER_SIDE: f32 = -0.25;
/// A slope that tells nothing; that of a cube's corner is 0.5 or more.
const FAINT: f32 = 0.4;
/// No node outside found yet.
const NONE: u32 = u32::MAX;

/// Bytes that a node and a particle take at most while a field is found.
const FOUND: [usize; 2] = [40, 320];

impl Field {
    /// Bytes that finding the field of so many particles takes at most.
    pub(crate) fn bytes_to_find(particles: usize) -> usize {
        let [node, particle] = FOUND;
        (MOST_NODES.0 as usize * particles + MOST_NODES.1 as usize) * node + particles * particle
    }

    /// The field of particles at rest.
    pub(crate) fn new(rest: &[Vec4], workers: &Workers) -> Field {
        let points: Vec<Vec3A> = rest.iter().map(|r| Vec3A::from_vec4(*r)).collect();
        let all = tree_over(&points);
        let spacing = spacing_of(&points, &all, workers);
        let bounds = points.iter().fold(Bounds::default(), |b, p| b.with(Bounds::at(*p)));
        if !(spacing > 0.0 && spacing.is_normal() && bounds.is_sound()) {
            return Field::default();
        }
        let mut field = Field::grid_over(bounds, spacing, points.len());
        field.close(&all, REACH * spacing, workers);
        field.find_surface(&points, workers);
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
        // About the middle, so that a shape that is its own mirror image has such a field.
        let half = (size - 1).as_dvec3() * (0.5 * cell);
        let middle = (low + high).as_dvec3() * 0.5;
        let (low, high) = ((middle - half).as_vec3a(), (middle + half).as_vec3a());
        Field {
            nodes: vec![0.0; (size.x * size.y * size.z) as usize],
            nearest: vec![0; (size.x * size.y * size.z) as usize],
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
    fn close(&mut self, particles: &Tree, reach: f32, workers: &Workers) {
        let positions: Vec<Vec3A> = (0..self.nodes.len()).map(|i| self.position(i)).collect();
        let mut away = vec![0.0; positions.len()];
        workers.each(&mut away, |i, away| *away = particles.nearest::<1>(positions[i])[0].0.sqrt());
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
            *node = if away[i] >= reach { away[i] } else { reach - outside(i, source[i]).min(1e30) };
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

    /// The outer particles, a smooth field near them, and who is near whom.
    fn find_surface(&mut self, points: &[Vec3A], workers: &Workers) {
        let depths: Vec<f32> = points.iter().map(|p| self.interpolated(*p)).collect();
        let deepest = depths.iter().fold(0.0f32, |deepest, d| deepest.max(-d));
        self.skin = (0.5 * self.spacing - deepest).max(0.0);
        let outer = |i: &u32| depths[*i as usize] > -0.5 * self.spacing;
        let surface: Vec<u32> = (0..points.len() as u32).filter(outer).collect();
        let at: Vec<Vec3A> = surface.iter().map(|&i| points[i as usize]).collect();
        let tree = tree_over(&at);
        for _ in 0..SMOOTHINGS {
            let slopes: Vec<Vec3A> = at.iter().map(|p| self.slope(*p)).collect();
            self.smooth(&at, &slopes, &tree, workers);
        }
        let slopes: Vec<Vec3A> = at.iter().map(|p| self.slope(*p)).collect();
        let known = |k: usize| {
            let places = ring(k, &at, &slopes, &tree.nearest::<{ 2 * RING }>(at[k]));
            let ring = Ring::new(at[k], places, |place| at[place as usize]);
            SurfaceParticle::new(surface[k], at[k], slopes[k], self.distance(at[k]), ring)
        };
        self.surface = (0..surface.len()).map(known).collect();
    }

    /// Near the surface takes the distance from the planes through the nearest outer particles, by weights
    /// that fall with distance: balls that roll over single particles would leave dimples.
    fn smooth(&mut self, at: &[Vec3A], slopes: &[Vec3A], tree: &Tree, workers: &Workers) {
        let mut nodes = std::mem::take(&mut self.nodes);
        let mut nearest = std::mem::take(&mut self.nearest);
        let spacing = self.spacing;
        workers.each(&mut nearest, |i, nearest| *nearest = tree.nearest::<1>(self.position(i))[0].1);
        workers.each(&mut nodes, |i, node| {
            let here = self.position(i);
            let distance = here.distance(at[nearest[i] as usize]) / spacing;
            if distance >= SMOOTHED {
                return;
            }
            let near = tree.nearest::<NEAR>(here);
            let side = slopes[near[0].1 as usize];
            let (mut sum, mut weights) = (0.0, 0.0);
            for (squared, k) in near.into_iter().filter(|(_, k)| *k != NONE) {
                let slope = slopes[k as usize];
                if let (Some(normal), true) = (slope.try_normalize(), slope.dot(side) > OTHER_SIDE) {
                    let sureness = slope.length_squared() * slope.length_squared();
                    let weight = sureness
                        * sureness
                        * libm::expf((near[0].0 - squared) / (SHARPNESS * spacing * spacing));
                    sum += normal.dot(here - at[k as usize]) * weight;
                    weights += weight;
                }
            }
            let share = (2.0 * (SMOOTHED - distance)).clamp(0.0, 1.0);
            // A sheet has no slope to build on: there the closing's distance serves.
            if side.length() > FAINT && weights > 0.0 {
                *node += (sum / weights - *node) * share;
            }
        });
        (self.nodes, self.nearest) = (nodes, nearest);
    }
}

/// Of the nearest surface particles those whose slopes do not lead the other way, the ones whose slopes are like its own
/// before others that are as near: across an edge of the body there are as many as on its own side.
pub(super) fn ring(k: usize, at: &[Vec3A], slopes: &[Vec3A], near: &[(f32, u32)]) -> [u32; RING] {
    let alike = |i: u32| slopes[i as usize].dot(slopes[k]);
    let fits = |(_, i): &&(f32, u32)| *i != u32::MAX && alike(*i) > OTHER_SIDE && at[*i as usize] != at[k];
    let mut fit: Vec<(f32, u32)> =
        near.iter().filter(fits).map(|(squared, i)| (squared * (2.0 - alike(*i)), *i)).collect();
    fit.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut ring = [k as u32; RING];
    ring.iter_mut().zip(fit).for_each(|(place, (_, i))| *place = i);
    ring
}

fn tree_over(points: &[Vec3A]) -> Tree {
    let mut tree = Tree::default();
    tree.build(&points.iter().map(|p| Bounds::at(*p)).collect::<Vec<_>>());
    tree
}

/// The mean distance to the third neighbour, or to the last where there are fewer: in a grid of cubes
/// the side of one, corners included.
fn spacing_of(points: &[Vec3A], tree: &Tree, workers: &Workers) -> f32 {
    let third = |p: &Vec3A| {
        let near = tree.nearest::<4>(*p);
        near.iter().rev().find(|(d, _)| d.is_finite()).map_or(0.0, |(d, _)| d.sqrt())
    };
    let mut distances = vec![0.0; points.len()];
    workers.each(&mut distances, |i, distance| *distance = third(&points[i]));
    (distances.iter().map(|d| f64::from(*d)).sum::<f64>() / points.len().max(1) as f64) as f32
}
