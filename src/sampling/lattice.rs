//! Regular grids: the points of a cubic or body-centred lattice that have room inside.
//!
//! Boxes of the lattice are halved until they are wholly inside or outside, or small, so that a thin
//! strand in a wide box costs no more than its surface. Slabs are found on their own, on any number of
//! threads, and joined from the lowest up.

use glam::{DVec3, I64Vec3, Vec3A};

use super::room::Room;
use crate::clustering::Workers;

/// A lattice that fills space.
pub(super) struct Lattice {
    /// Side of a cubic cell.
    pub(super) side: f32,
    /// Whether there is a point in the middle of each cell, too.
    pub(super) is_centred: bool,
    /// A point of the lattice.
    pub(super) origin: Vec3A,
}

/// Slabs that threads share, at most.
const SLABS: i64 = 64;

/// A box of this many cells is looked at cell by cell.
const FEW: f64 = 27.0;

/// What a lattice is laid over.
struct Laid<'a> {
    lattice: &'a Lattice,
    room: &'a Room<'a>,
    margin: f32,
    low: Vec3A,
    high: Vec3A,
}

impl Lattice {
    /// The points within the box from `low` to `high` that are inside and `margin` away from the surface.
    pub(super) fn inside(
        &self,
        room: &Room,
        (low, high): (Vec3A, Vec3A),
        margin: f32,
        workers: &Workers,
    ) -> Vec<Vec3A> {
        let cell = |at: Vec3A| ((at - self.origin) / self.side).floor().as_dvec3().as_i64vec3();
        let (first, end) = (cell(low) - 1, cell(high) + 2);
        let layers = end.z - first.z;
        let count = layers.min(SLABS);
        let mut slabs = vec![Vec::new(); count as usize];
        let laid = Laid { lattice: self, room, margin, low, high };
        workers.each(&mut slabs, |slab, points| {
            let z = |slab: i64| first.z + layers * slab / count;
            let (first, end) = (first.with_z(z(slab as i64)), end.with_z(z(slab as i64 + 1)));
            laid.add(first, end, points);
        });
        slabs.concat()
    }
}

impl Laid<'_> {
    /// Adds the points of the cells from `first` to `end`, that excluded.
    fn add(&self, first: I64Vec3, end: I64Vec3, points: &mut Vec<Vec3A>) {
        let size = end - first;
        let few = size.as_dvec3().element_product() <= FEW;
        let middle = (first + end).as_dvec3() * 0.5;
        let radius = size.as_dvec3().length() as f32 * 0.5 * self.lattice.side;
        match self.room.has_all(self.at(middle), radius, self.margin) {
            Some(false) => {}
            None if !few => {
                let axis = size.max_position();
                let (mut lower_end, mut upper_first) = (end, first);
                lower_end[axis] -= size[axis] / 2;
                upper_first[axis] = lower_end[axis];
                self.add(first, lower_end, points);
                self.add(upper_first, end, points);
            }
            all => self.add_each(first, end, all.is_some(), points),
        }
    }

    /// The same, looking at each point unless `all` are known to have room.
    fn add_each(&self, first: I64Vec3, end: I64Vec3, all: bool, points: &mut Vec<Vec3A>) {
        let halves: &[f64] = if self.lattice.is_centred { &[0.0, 0.5] } else { &[0.0] };
        for z in first.z..end.z {
            for y in first.y..end.y {
                for x in first.x..end.x {
                    let corner = I64Vec3::new(x, y, z).as_dvec3();
                    let found = halves.iter().map(|half| self.at(corner + *half));
                    points.extend(found.filter(|at| all || self.has(*at)));
                }
            }
        }
    }

    fn has(&self, at: Vec3A) -> bool {
        at.cmpge(self.low).all() && at.cmple(self.high).all() && self.room.has(at, self.margin)
    }

    /// A place given in cells.
    fn at(&self, cell: DVec3) -> Vec3A {
        self.lattice.origin + cell.as_vec3a() * self.lattice.side
    }
}
