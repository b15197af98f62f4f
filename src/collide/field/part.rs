//! The field of a piece, from that of the whole.
//!
//! Away from the crack a piece has the surface of the whole. Near it the surface keeps about a spacing away from the
//! particles of others, which is where the piece's own outermost ones are: surfaces go through particles. That
//! takes a small part of the time of baking, so a body can break within a step. A plain function of the
//! whole's field and of which particles the piece has.

use glam::{IVec3, UVec3, Vec3A, Vec4};

use super::build::{ring, tree_over};
use super::{Field, Ring, SurfaceParticle};
use crate::collide::boxes::Bounds;

/// How far from others nodes are worked out anew, spacings.
const BAND: f32 = 1.75;
/// How far from others' particles the surface is, spacings: a little more than one, since it bulges between them.
const AWAY: f32 = 1.1;
/// Nodes around the particles, spacings.
const MARGIN: f32 = 3.0;
/// No surface particle.
const NONE: u32 = u32::MAX;

/// Particles of others by cells as wide as the band.
struct Cells {
    low: Vec3A,
    inverse: f32,
    size: IVec3,
    starts: Vec<u32>,
    list: Vec<u32>,
    /// Whether a cell or one of those around it has particles of the piece, and of others.
    own: Vec<bool>,
    others: Vec<bool>,
}

impl Cells {
    fn new(bounds: Bounds, width: f32, at: &[Vec4], mine: &[bool]) -> Cells {
        let extent = (bounds.high - bounds.low) / width;
        let size = extent.as_ivec3().max(IVec3::ZERO) + 1;
        let mut cells = Cells {
            low: bounds.low,
            inverse: 1.0 / width,
            size,
            starts: Vec::new(),
            list: Vec::new(),
            own: Vec::new(),
            others: Vec::new(),
        };
        let count = (size.x * size.y * size.z) as usize;
        let mut buckets: Vec<(u32, u32)> = Vec::with_capacity(at.len());
        let (mut own, mut others) = (vec![false; count], vec![false; count]);
        for (i, x) in (0u32..).zip(at) {
            let Some(cell) = cells.of(Vec3A::from_vec4(*x)) else { continue };
            if mine[i as usize] {
                own[cells.place(cell)] = true;
            } else {
                others[cells.place(cell)] = true;
                buckets.push((cells.place(cell) as u32, i));
            }
        }
        buckets.sort_unstable();
        cells.starts = vec![0; count + 1];
        buckets.iter().for_each(|(cell, _)| cells.starts[*cell as usize + 1] += 1);
        (0..count).for_each(|c| cells.starts[c + 1] += cells.starts[c]);
        cells.list = buckets.iter().map(|(_, i)| *i).collect();
        (cells.own, cells.others) = (cells.spread(&own), cells.spread(&others));
        cells
    }

    fn of(&self, at: Vec3A) -> Option<IVec3> {
        let cell = ((at - self.low) * self.inverse).floor().as_ivec3();
        (cell.cmpge(IVec3::ZERO).all() && cell.cmplt(self.size).all()).then_some(cell)
    }

    /// Whether particles of others are near.
    fn has_others(&self, at: Vec3A) -> bool {
        self.of(at).is_some_and(|cell| self.others[self.place(cell)])
    }

    fn place(&self, c: IVec3) -> usize {
        ((c.x * self.size.y + c.y) * self.size.z + c.z) as usize
    }

    /// A cell and those around it.
    fn around(&self, cell: IVec3) -> impl Iterator<Item = usize> + '_ {
        let steps = (0..27).map(|k| IVec3::new(k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1));
        steps
            .map(move |step| cell + step)
            .filter(|c| c.cmpge(IVec3::ZERO).all() && c.cmplt(self.size).all())
            .map(|c| self.place(c))
    }

    fn spread(&self, marks: &[bool]) -> Vec<bool> {
        let mut out = vec![false; marks.len()];
        for x in 0..self.size.x {
            for y in 0..self.size.y {
                for z in 0..self.size.z {
                    let cell = IVec3::new(x, y, z);
                    out[self.place(cell)] = self.around(cell).any(|c| marks[c]);
                }
            }
        }
        out
    }

    /// Particles of others in cells that have some of the piece's around them.
    fn others_near_own(&self) -> impl Iterator<Item = u32> + '_ {
        let range = |c: usize| self.starts[c] as usize..self.starts[c + 1] as usize;
        (0..self.own.len()).filter(|&c| self.own[c]).flat_map(move |c| self.list[range(c)].iter().copied())
    }

    /// Whether particles of the piece are near.
    fn has_own(&self, at: Vec3A) -> bool {
        self.of(at).is_some_and(|cell| self.own[self.place(cell)])
    }
}

impl Field {
    /// The field of the piece that has `particles` of the whole, whose field this is and which rests at `whole`; the piece
    /// itself rests at `rest`.
    pub(crate) fn part(&self, whole: &[Vec4], particles: &[u32], rest: &[Vec4]) -> Field {
        if self.is_empty() || particles.is_empty() {
            return Field::default();
        }
        let mut mine = vec![false; whole.len()];
        particles.iter().for_each(|&i| mine[i as usize] = true);
        let at = |i: &u32| Vec3A::from_vec4(whole[*i as usize]);
        let bounds = particles.iter().fold(Bounds::default(), |b, i| b.joined(Bounds::at(at(i))));
        let band = BAND * self.spacing;
        let cells = Cells::new(bounds.grown(MARGIN * self.spacing + band), band, whole, &mine);
        let shift = at(&particles[0]) - Vec3A::from_vec4(rest[0]);
        let (mut part, first) = self.cropped(bounds.grown(MARGIN * self.spacing), shift);
        let mut nearest = vec![NONE; part.nodes.len()];
        let others = part.distances_from(cells.others_near_own(), band, shift, whole);
        for_all(part.size, |i, node| {
            let node = first + node;
            let before = self.place_of(node);
            let beyond = match others[i] {
                squared if squared <= band * band => AWAY * self.spacing - squared.sqrt(),
                _ if cells.has_own(self.node_position(node)) => f32::NEG_INFINITY,
                _ => band,
            };
            part.nodes[i] = self.nodes[before].max(beyond);
            if beyond == f32::NEG_INFINITY {
                nearest[i] = self.nearest[before];
            }
        });
        part.steepen();
        part.take_surface(self, &cells, (whole, particles, rest), nearest);
        part
    }

    /// For each node the square of its distance from the nearest of some particles of the whole, exact within `band`.
    fn distances_from(
        &self,
        particles: impl Iterator<Item = u32>,
        band: f32,
        shift: Vec3A,
        whole: &[Vec4],
    ) -> Vec<f32> {
        let mut squared = vec![f32::INFINITY; self.nodes.len()];
        let (reach, cell) = (band * self.inverse_cell, 1.0 / self.inverse_cell);
        let last = (self.size - 1).as_vec3a();
        for i in particles {
            let at = (Vec3A::from_vec4(whole[i as usize]) - shift - self.low) * self.inverse_cell;
            let (from, to) = ((at - reach).ceil().max(Vec3A::ZERO), (at + reach).floor().min(last));
            if from.cmpgt(to).any() {
                continue;
            }
            let (from, to) = (from.as_uvec3(), to.as_uvec3());
            for x in from.x..=to.x {
                for y in from.y..=to.y {
                    let (dx, dy) = ((x as f32 - at.x) * cell, (y as f32 - at.y) * cell);
                    let row = self.place(x, y, from.z)..=self.place(x, y, to.z);
                    for (z, squared) in (from.z..).zip(&mut squared[row]) {
                        let dz = (z as f32 - at.z) * cell;
                        *squared = squared.min(dx * dx + dy * dy + dz * dz);
                    }
                }
            }
        }
        squared
    }

    /// Lets no node be deeper inside than its way to the nodes beside it allows: distances change no faster than the place.
    fn steepen(&mut self) {
        let steps = [(self.size.y * self.size.z) as usize, self.size.z as usize, 1];
        let (cell, count) = (1.0 / self.inverse_cell, self.nodes.len());
        for i in 0..count {
            let before = steps.iter().filter(|s| **s <= i).map(|s| self.nodes[i - s]);
            self.nodes[i] = before.fold(self.nodes[i], |d, near| d.max(near.min(0.0) - cell));
        }
        for i in (0..count).rev() {
            let after = steps.iter().filter(|s| i + **s < count).map(|s| self.nodes[i + s]);
            self.nodes[i] = after.fold(self.nodes[i], |d, near| d.max(near.min(0.0) - cell));
        }
    }

    /// The nodes around a box, moved by `shift`, and which of the whole's the first one is.
    fn cropped(&self, bounds: Bounds, shift: Vec3A) -> (Field, UVec3) {
        let cell = 1.0 / self.inverse_cell;
        let last = self.size - 1;
        let node = |p: Vec3A, up: f32| {
            ((p - self.low) * self.inverse_cell + up).max(Vec3A::ZERO).as_uvec3().min(last)
        };
        let (first, end) = (node(bounds.low, 0.0).min(last - 1), node(bounds.high, 1.0));
        let size = (end.max(first + 1) - first) + 1;
        let low = self.low + first.as_vec3a() * cell - shift;
        let part = Field {
            nodes: vec![0.0; (size.x * size.y * size.z) as usize],
            nearest: Vec::new(),
            size,
            low,
            high: low + (size - 1).as_vec3a() * cell,
            inverse_cell: self.inverse_cell,
            spacing: self.spacing,
            skin: self.skin,
            surface: Vec::new(),
        };
        (part, first)
    }

    fn place_of(&self, node: UVec3) -> usize {
        self.place(node.x, node.y, node.z)
    }

    fn node_position(&self, node: UVec3) -> Vec3A {
        self.low + node.as_vec3a() / self.inverse_cell
    }

    /// The particles on the surface, and for each node one that is near: `nearest` has those of the whole's surface.
    fn take_surface(
        &mut self,
        whole: &Field,
        cells: &Cells,
        (at, particles, rest): (&[Vec4], &[u32], &[Vec4]),
        mut nearest: Vec<u32>,
    ) {
        let mut before = vec![NONE; at.len()];
        (0..).zip(&whole.surface).for_each(|(k, s)| before[s.particle as usize] = k);
        let here = |k: usize| Vec3A::from_vec4(rest[k]);
        let is_cracked = |k: usize| cells.has_others(Vec3A::from_vec4(at[particles[k] as usize]));
        let is_outer = |k: &usize| {
            let known = before[particles[*k] as usize] != NONE;
            known || is_cracked(*k) && self.distance(here(*k)) > -0.5 * self.spacing
        };
        let list: Vec<usize> = (0..particles.len()).filter(is_outer).collect();
        let kept =
            |k: usize| whole.surface.get(before[particles[k] as usize] as usize).filter(|_| !is_cracked(k));
        let kept: Vec<Option<&SurfaceParticle>> = list.iter().map(|&k| kept(k)).collect();
        let places: Vec<Vec3A> = list.iter().map(|&k| here(k)).collect();
        let slope = |(place, kept): (&Vec3A, &Option<&SurfaceParticle>)| {
            kept.map_or_else(|| self.slope(*place), |kept| kept.slope)
        };
        let slopes: Vec<Vec3A> = places.iter().zip(&kept).map(slope).collect();
        let mut new = vec![NONE; at.len()];
        (0..).zip(&list).for_each(|(place, &k)| new[particles[k] as usize] = place);
        let tree = tree_over(&places);
        let known = |place: usize| {
            let named = |p: u32| new[whole.surface[p as usize].particle as usize];
            let moved = kept[place].map(|kept| kept.ring.places.map(named));
            let around = moved.filter(|moved| !moved.contains(&NONE));
            let around = around.unwrap_or_else(|| ring(place, &places, &slopes, &tree));
            SurfaceParticle {
                particle: list[place] as u32,
                rest: places[place],
                slope: slopes[place],
                height: kept[place].map_or_else(|| self.distance(places[place]), |kept| kept.height),
                ring: Ring::new(places[place], around, |p| places[p as usize]),
            }
        };
        let surface: Vec<SurfaceParticle> = (0..list.len()).map(known).collect();
        if surface.is_empty() {
            *self = Field::default();
            return;
        }
        let named = |p: u32| whole.surface.get(p as usize).map_or(NONE, |s| new[s.particle as usize]);
        nearest.iter_mut().for_each(|n| *n = named(*n));
        for place in (0..list.len()).filter(|&place| kept[place].is_none()) {
            self.mark_around(places[place], place as u32, &mut nearest);
        }
        (self.nearest, self.surface) = (nearest, surface);
        self.hand_on_nearest();
    }

    /// Tells the nodes around a new surface particle, if they know of none, that it is near.
    fn mark_around(&self, at: Vec3A, place: u32, nearest: &mut [u32]) {
        let node = ((at - self.low) * self.inverse_cell).as_ivec3();
        for k in 0..64 {
            let here = (node + IVec3::new(k / 16, k / 4 % 4, k % 4) - 1).as_uvec3();
            // A number below zero has become a large one.
            if here.cmplt(self.size).all() {
                let nearest = &mut nearest[self.place_of(here)];
                *nearest = if *nearest == NONE { place } else { *nearest };
            }
        }
    }

    /// Nodes whose nearest surface particle went to another piece take that of a node beside them: searches begin
    /// there and walk on.
    fn hand_on_nearest(&mut self) {
        let steps = [(self.size.y * self.size.z) as usize, self.size.z as usize, 1];
        let count = self.nearest.len();
        for _ in 0..2 {
            for i in 0..count {
                let from =
                    steps.iter().filter(|s| **s <= i).map(|s| self.nearest[i - s]).find(|n| *n != NONE);
                if let (NONE, Some(from)) = (self.nearest[i], from) {
                    self.nearest[i] = from;
                }
            }
            for i in (0..count).rev() {
                let from = steps
                    .iter()
                    .filter(|s| i + **s < count)
                    .map(|s| self.nearest[i + s])
                    .find(|n| *n != NONE);
                if let (NONE, Some(from)) = (self.nearest[i], from) {
                    self.nearest[i] = from;
                }
            }
        }
        self.nearest.iter_mut().filter(|n| **n == NONE).for_each(|n| *n = 0);
    }
}

/// Calls `look` for all nodes of a grid in order, with their places.
fn for_all(size: UVec3, mut look: impl FnMut(usize, UVec3)) {
    let mut place = 0;
    for x in 0..size.x {
        for y in 0..size.y {
            for z in 0..size.z {
                look(place, UVec3::new(x, y, z));
                place += 1;
            }
        }
    }
}
