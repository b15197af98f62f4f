//! The room inside a surface: its volume, and quick answers to whether a point has room in it.
//!
//! Reads a surface; keeps, for every cell of a regular grid, the signed distance of its middle. Distance
//! changes no faster than the place, so most points need no look at the triangles, and neither do cells far
//! from them: blocks of cells are split until one look tells enough about all. Blocks are found on their
//! own, on any number of threads; points near the surface or near a hole are asked exactly.

use glam::{DVec3, IVec3, Vec3A};

use super::surface::{INSIDE, MeshSurface};
use crate::clustering::Workers;

/// Cells aimed at, for each particle and at least.
const CELLS_PER_PARTICLE: usize = 6;
const FEWEST_CELLS: usize = 60_000;
const MOST_CELLS: usize = 4_000_000;

/// Middles of cells inside from which on they tell the volume: to half a per cent or so.
const TELLING: usize = 2000;

/// A winding number nearer to [`INSIDE`] than this may be on the other side elsewhere in the cell.
const DOUBTFUL: f32 = 0.3;

/// A winding number at least as far from [`INSIDE`] tells on which side a whole block is.
const CERTAIN: f32 = 0.45;

/// Cells along the side of a block that is looked at first.
const BLOCK: i32 = 8;

/// Sides of a cell: who is deeper may be deeper than told.
const DEEP: f32 = 2.5;

/// What is inside of a surface, in its local coordinates.
pub(super) struct Room<'a> {
    surface: &'a MeshSurface,
    low: Vec3A,
    /// Sides of a cell: whole cells fill the box about the surface.
    side: Vec3A,
    cells: IVec3,
    /// Distance of each cell's middle, greater than zero inside; zero where it tells nothing. Those of
    /// `deep` or more, on either side, may be less than the true one.
    depths: Vec<f32>,
    deep: f32,
    volume: f64,
    centre: Option<DVec3>,
}

/// Bytes that a cell takes at most while the inside is looked at.
const CELL_BYTES: usize = 36;

fn cells_for(particles: usize) -> usize {
    (CELLS_PER_PARTICLE * particles).clamp(FEWEST_CELLS, MOST_CELLS)
}

impl Room<'_> {
    /// Bytes that looking at the inside for so many particles takes at most.
    pub(super) fn bytes_to_look(particles: usize) -> usize {
        cells_for(particles) * CELL_BYTES
    }

    /// Looks at the inside of `surface`, finely enough for `particles` particles.
    pub(super) fn new<'a>(surface: &'a MeshSurface, particles: usize, workers: &Workers) -> Room<'a> {
        let extent = surface.high - surface.low;
        let wanted = cells_for(particles);
        let (mut fine, mut coarse) = (extent.max_element() / 65536.0, extent.max_element());
        for _ in 0..40 {
            let side = (fine * coarse).sqrt();
            *(if cells(extent, side).as_dvec3().element_product() > wanted as f64 {
                &mut fine
            } else {
                &mut coarse
            }) = side;
        }
        let cells = cells(extent, coarse);
        let side = (extent / cells.as_vec3a()).max(Vec3A::splat(f32::MIN_POSITIVE));
        let deep = DEEP * side.max_element();
        let mut room = Room {
            surface,
            low: surface.low,
            side,
            cells,
            depths: Vec::new(),
            deep,
            volume: 0.0,
            centre: None,
        };
        room.look(workers);
        room
    }

    fn look(&mut self, workers: &Workers) {
        let blocks = (self.cells + (BLOCK - 1)) / BLOCK;
        let mut found = vec![(Vec::new(), 0usize, DVec3::ZERO); (blocks.x * blocks.y * blocks.z) as usize];
        workers.each(&mut found, |b, (depths, inside, sum)| {
            let b = b as i32;
            let first = IVec3::new(b % blocks.x, b / blocks.x % blocks.y, b / blocks.x / blocks.y) * BLOCK;
            let end = (first + BLOCK).min(self.cells);
            self.look_at(first, end, f32::INFINITY, &mut |cell, depth, is_inside| {
                if is_inside {
                    *inside += 1;
                    *sum += self.middle(cell).as_dvec3();
                }
                depths.push((self.place(cell), depth));
            });
        });
        let inside: usize = found.iter().map(|(_, inside, _)| inside).sum();
        let sum: DVec3 = found.iter().map(|(.., sum)| *sum).sum();
        self.centre = (inside >= TELLING).then(|| sum / inside as f64);
        self.depths = vec![0.0; self.cells.as_i64vec3().element_product() as usize];
        found.iter().flat_map(|(depths, ..)| depths).for_each(|&(place, depth)| self.depths[place] = depth);
        let counted = inside as f64 * self.side.as_dvec3().element_product();
        let bounded = self.surface.bounded_volume_local();
        let exact = self.surface.is_closed() && inside < TELLING;
        self.volume = if exact { bounded.max(0.0) } else { counted };
    }

    /// Calls `put` with the depth of each cell from `first` to `end`, that excluded, and whether its middle
    /// is inside; the surface is no further than `within` from the middle of them all.
    fn look_at(&self, first: IVec3, end: IVec3, within: f32, put: &mut impl FnMut(IVec3, f32, bool)) {
        let size = end - first;
        let middle = self.low + (first + end).as_vec3a() * 0.5 * self.side;
        let distance = self.surface.distance_within(middle, within);
        let beyond = self.surface.winding_local(middle) - INSIDE;
        if size == IVec3::ONE {
            return put(first, signed(distance, beyond), beyond > 0.0);
        }
        let radius = ((size - 1).as_vec3a() * 0.5 * self.side).length();
        if beyond.abs() > CERTAIN && distance - radius > self.deep {
            let least = |cell: IVec3| distance - middle.distance(self.middle(cell));
            return for_all(first, end, |cell| put(cell, signed(least(cell), beyond), beyond > 0.0));
        }
        let half = first + (size / 2).max(IVec3::ONE);
        for octant in 0..8 {
            let upper = [0, 1, 2].map(|bit| octant >> bit & 1 == 1);
            let low = IVec3::from_array([0, 1, 2].map(|k| if upper[k] { half[k] } else { first[k] }));
            let high = IVec3::from_array([0, 1, 2].map(|k| if upper[k] { end[k] } else { half[k] }));
            if low.cmplt(high).all() {
                let there = self.low + (low + high).as_vec3a() * 0.5 * self.side;
                self.look_at(low, high, distance + middle.distance(there), put);
            }
        }
    }

    fn place(&self, cell: IVec3) -> usize {
        let [x, y, z] = cell.to_array().map(|c| c as usize);
        (z * self.cells.y as usize + y) * self.cells.x as usize + x
    }

    /// The volume inside, in local coordinates.
    pub(super) fn volume(&self) -> f64 {
        self.volume
    }

    /// The middle of the volume, if enough of it was seen to tell.
    pub(super) fn centre(&self) -> Option<DVec3> {
        self.centre
    }

    /// Whether a point is inside and at least `margin` away from the surface.
    pub(super) fn has(&self, at: Vec3A, margin: f32) -> bool {
        let known = self.known(at, 0.0, margin);
        known.unwrap_or_else(|| {
            (margin == 0.0 || self.surface.distance_local(at) >= margin)
                && self.surface.winding_local(at) > INSIDE
        })
    }

    /// Whether all points, or none, within `radius` of one are inside and at least `margin` away from the
    /// surface; `None` if neither can be said.
    pub(super) fn has_all(&self, at: Vec3A, radius: f32, margin: f32) -> Option<bool> {
        self.known(at, radius, margin).or_else(|| {
            let beyond = self.surface.winding_local(at) - INSIDE;
            told(signed(self.surface.distance_local(at), beyond), radius, margin)
        })
    }

    /// The same by the cells alone.
    fn known(&self, at: Vec3A, radius: f32, margin: f32) -> Option<bool> {
        let cell = ((at - self.low) / self.side).floor().as_ivec3();
        let cell = cell.clamp(IVec3::ZERO, self.cells - 1);
        let (depth, radius) = (self.depths[self.place(cell)], radius + at.distance(self.middle(cell)));
        told(depth, radius, margin).filter(|has| *has || depth < self.deep)
    }

    fn middle(&self, cell: IVec3) -> Vec3A {
        self.low + (cell.as_vec3a() + 0.5) * self.side
    }
}

/// Distance from the surface, greater than zero inside; zero if the winding number, told by how far it is
/// beyond [`INSIDE`], leaves open on which side places nearby are.
fn signed(distance: f32, beyond: f32) -> f32 {
    match beyond {
        beyond if beyond > DOUBTFUL => distance,
        beyond if beyond < -DOUBTFUL => -distance,
        _ => 0.0,
    }
}

/// Calls `look` for all cells from `first` to `end`, that excluded.
fn for_all(first: IVec3, end: IVec3, mut look: impl FnMut(IVec3)) {
    for z in first.z..end.z {
        for y in first.y..end.y {
            (first.x..end.x).for_each(|x| look(IVec3::new(x, y, z)));
        }
    }
}

/// Whether all places within `radius` of one at this depth are at least `margin` deep, or none.
fn told(depth: f32, radius: f32, margin: f32) -> Option<bool> {
    match depth {
        0.0 => None,
        depth if depth - radius > margin => Some(true),
        depth if depth + radius < margin || -depth > radius => Some(false),
        _ => None,
    }
}

/// Cells of width `side` that cover a box.
fn cells(extent: Vec3A, side: f32) -> IVec3 {
    (extent / side).ceil().as_ivec3().max(IVec3::ONE)
}
