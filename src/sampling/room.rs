//! The room inside a surface: its volume, and quick answers to whether a point has room in it.
//!
//! Reads a surface; keeps, for every cell of a regular grid, the signed distance of its middle. Distance
//! changes no faster than the place, so most points need no look at the triangles. All cells are found on
//! their own, on any number of threads; points near the surface or near a hole are asked exactly.

use glam::{IVec3, Vec3A};

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

/// What is inside of a surface, in its local coordinates.
pub(super) struct Room<'a> {
    surface: &'a MeshSurface,
    low: Vec3A,
    /// Sides of a cell: whole cells fill the box about the surface.
    side: Vec3A,
    cells: IVec3,
    /// Distance of each cell's middle, greater than zero inside; zero where it tells nothing.
    depths: Vec<f32>,
    volume: f64,
}

impl Room<'_> {
    /// Looks at the inside of `surface`, finely enough for `particles` particles.
    pub(super) fn new<'a>(surface: &'a MeshSurface, particles: usize, workers: &Workers) -> Room<'a> {
        let extent = surface.high - surface.low;
        let wanted = (CELLS_PER_PARTICLE * particles).clamp(FEWEST_CELLS, MOST_CELLS);
        let (mut fine, mut coarse) = (extent.max_element() / 65536.0, extent.max_element());
        for _ in 0..40 {
            let side = (fine * coarse).sqrt();
            *(if cells(extent, side).as_dvec3().element_product() > wanted as f64 {
                &mut fine
            } else {
                &mut coarse
            }) = side;
        }
        let mut room = Room {
            surface,
            low: surface.low,
            side: (extent / cells(extent, coarse).as_vec3a()).max(Vec3A::splat(f32::MIN_POSITIVE)),
            cells: cells(extent, coarse),
            depths: Vec::new(),
            volume: 0.0,
        };
        room.look(workers);
        room
    }

    fn look(&mut self, workers: &Workers) {
        let mut layers = vec![(Vec::new(), 0usize); self.cells.z as usize];
        workers.each(&mut layers, |z, (depths, inside)| {
            let rows =
                (0..self.cells.y).flat_map(|y| (0..self.cells.x).map(move |x| IVec3::new(x, y, z as i32)));
            for cell in rows {
                let middle = self.middle(cell);
                let depth = self.depth(middle);
                *inside +=
                    usize::from(depth > 0.0 || depth == 0.0 && self.surface.winding_local(middle) > INSIDE);
                depths.push(depth);
            }
        });
        let inside: usize = layers.iter().map(|(_, inside)| inside).sum();
        self.depths = layers.into_iter().flat_map(|(depths, _)| depths).collect();
        let counted = inside as f64 * self.side.as_dvec3().element_product();
        let bounded = self.surface.bounded_volume_local();
        let exact = self.surface.is_closed() && inside < TELLING;
        self.volume = if exact { bounded.max(0.0) } else { counted };
    }

    /// The volume inside, in local coordinates.
    pub(super) fn volume(&self) -> f64 {
        self.volume
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
        self.known(at, radius, margin).or_else(|| told(self.depth(at), radius, margin))
    }

    /// The same by the cells alone.
    fn known(&self, at: Vec3A, radius: f32, margin: f32) -> Option<bool> {
        let cell = ((at - self.low) / self.side).floor().as_ivec3();
        let cell = cell.clamp(IVec3::ZERO, self.cells - 1);
        let place = (cell.z * self.cells.y + cell.y) * self.cells.x + cell.x;
        told(self.depths[place as usize], radius + at.distance(self.middle(cell)), margin)
    }

    /// Distance from the surface, greater than zero inside; zero if the winding number leaves open
    /// on which side places nearby are.
    fn depth(&self, at: Vec3A) -> f32 {
        let winding = self.surface.winding_local(at);
        let distance = self.surface.distance_local(at);
        match winding - INSIDE {
            beyond if beyond > DOUBTFUL => distance,
            beyond if beyond < -DOUBTFUL => -distance,
            _ => 0.0,
        }
    }

    fn middle(&self, cell: IVec3) -> Vec3A {
        self.low + (cell.as_vec3a() + 0.5) * self.side
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
