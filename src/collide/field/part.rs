//! The field of a piece, from that of the whole.
//!
//! Away from the crack a piece has the surface of the whole. Near it the surface keeps about a spacing away from the
//! particles of others, which is where the piece's own outermost ones are: surfaces go through particles. That
//! takes a small part of the time of baking, so a body can break within a step. A plain function of the
//! whole's field and of which particles the piece has.

use glam::{IVec3, UVec3, Vec3A, Vec4};

use super::build::ring;
use super::cells::{Buckets, Cells};
use super::{Field, RING, Ring, SurfaceParticle};
use crate::collide::bounds::Bounds;

/// How far from others nodes are worked out anew, spacings.
const BAND: f32 = 1.75;
/// How far from others' particles the surface is, spacings: a little more than one, since it bulges between them.
const AWAY: f32 = 1.1;
/// Nodes around the particles, spacings.
const MARGIN: f32 = 3.0;
/// No surface particle.
const NONE: u32 = u32::MAX;

/// Who is where: particles of the piece and of others by cells at least as wide as the band.
struct Whereabouts {
    cells: Cells,
    /// Particles of others.
    others: Buckets,
    /// Whether a cell or one of those around it has particles of the piece, and of others.
    near_own: Vec<bool>,
    near_others: Vec<bool>,
}

impl Whereabouts {
    fn new(cells: Cells, at: &[Vec4], mine: &[bool]) -> Whereabouts {
        let mut near_own = vec![false; cells.count()];
        let mut near_others = near_own.clone();
        for (x, mine) in at.iter().zip(mine) {
            if let Some(place) = cells.place(Vec3A::from_vec4(*x)) {
                let marks = if *mine { &mut near_own } else { &mut near_others };
                marks[place] = true;
            }
        }
        cells.spread(&mut near_own);
        cells.spread(&mut near_others);
        let points = (0..).zip(at).map(|(i, x)| (i, Vec3A::from_vec4(*x)));
        let others = cells.buckets(points.filter(|(i, _)| !mine[*i as usize]));
        Whereabouts { cells, others, near_own, near_others }
    }

    /// Whether particles of others are near.
    fn has_others(&self, at: Vec3A) -> bool {
        self.cells.place(at).is_some_and(|place| self.near_others[place])
    }

    /// Particles of others in cells that have some of the piece's around them.
    fn others_near_own(&self) -> impl Iterator<Item = u32> + '_ {
        let near = (0..self.near_own.len()).filter(|&c| self.near_own[c]);
        near.flat_map(|c| self.others.of(c, c).iter().copied())
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
        let bounds = particles.iter().fold(Bounds::default(), |b, i| b.with(Bounds::at(at(i))));
        let band = BAND * self.spacing;
        // The grid of a shape that spans much more than it fills is coarse, and so are these cells.
        let width = band.max(2.0 / self.inverse_cell);
        let cells = Cells::new(bounds.grown(MARGIN * self.spacing + width), width);
        let around = Whereabouts::new(cells, whole, &mine);
        let shift = at(&particles[0]) - Vec3A::from_vec4(rest[0]);
        let (mut part, first) = self.cropped(bounds.grown(MARGIN * self.spacing), shift);
        part.take_nodes(self, first, &around, (whole, shift));
        part.steepen();
        part.take_surface(self, &around, (whole, particles, rest));
        part
    }

    /// The whole's nodes from `first` on, no further inside than others' particles allow, and the surface particles of the
    /// whole that are nearest to them.
    fn take_nodes(&mut self, whole: &Field, first: UVec3, near: &Whereabouts, at: (&[Vec4], Vec3A)) {
        let band = BAND * self.spacing;
        let others = self.distances_from(near.others_near_own(), band, at);
        let cell = 1.0 / self.inverse_cell;
        let [x_cells, y_cells, z_cells] = [0, 1, 2].map(|k| {
            let places = (0..self.size[k]).map(|n| whole.low[k] + (first[k] + n) as f32 * cell);
            near.cells.along(k, places)
        });
        let length = self.size.z as usize;
        for (row, squared) in others.chunks_exact(length).enumerate() {
            let (x, y) = (row as u32 / self.size.y, row as u32 % self.size.y);
            let from = whole.place(first.x + x, first.y + y, first.z);
            let corner = x_cells[x as usize] + y_cells[y as usize];
            let before = whole.nodes[from..from + length].iter().zip(&whole.nearest[from..from + length]);
            for ((squared, (before, nearest)), z_cell) in squared.iter().zip(before).zip(&z_cells) {
                let (beyond, known) = match *squared {
                    squared if squared <= band * band => (AWAY * self.spacing - squared.sqrt(), NONE),
                    _ if near.near_own[corner + z_cell] => (f32::NEG_INFINITY, *nearest),
                    _ => (band, NONE),
                };
                self.nodes.push(before.max(beyond));
                self.nearest.push(known);
            }
        }
    }

    /// For each node the square of its distance from the nearest of some particles of the whole, exact within `band`.
    fn distances_from(
        &self,
        particles: impl Iterator<Item = u32>,
        band: f32,
        (whole, shift): (&[Vec4], Vec3A),
    ) -> Vec<f32> {
        let mut squared = vec![f32::INFINITY; self.size.element_product() as usize];
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
                    let flat = dx * dx + dy * dy;
                    let row = self.place(x, y, from.z)..=self.place(x, y, to.z);
                    for (z, squared) in (from.z..).zip(&mut squared[row]) {
                        let dz = (z as f32 - at.z) * cell;
                        *squared = squared.min(flat + dz * dz);
                    }
                }
            }
        }
        squared
    }

    /// Lets no node be deeper inside than its way to the nodes around it allows: distances change no faster than the place.
    /// One axis after the other, as ways along the grid can be ordered.
    fn steepen(&mut self) {
        let cell = 1.0 / self.inverse_cell;
        let reached = |here: f32, near: f32| here.max(near.min(0.0) - cell);
        let [rows, length] = [self.size.y as usize, self.size.z as usize];
        for plane in self.nodes.chunks_exact_mut(rows * length) {
            // Rows side by side, so that none waits for its last node.
            for z in 1..length {
                (0..rows).map(|y| y * length + z).for_each(|i| plane[i] = reached(plane[i], plane[i - 1]));
            }
            for z in (0..length - 1).rev() {
                (0..rows).map(|y| y * length + z).for_each(|i| plane[i] = reached(plane[i], plane[i + 1]));
            }
            sweep(plane, length, reached);
        }
        sweep(&mut self.nodes, rows * length, reached);
    }

    /// A field without nodes for those around a box, moved by `shift`, and which of the whole's the first one is.
    fn cropped(&self, bounds: Bounds, shift: Vec3A) -> (Field, UVec3) {
        let cell = 1.0 / self.inverse_cell;
        let last = self.size - 1;
        let node = |p: Vec3A, up: f32| {
            ((p - self.low) * self.inverse_cell + up).max(Vec3A::ZERO).as_uvec3().min(last)
        };
        let (first, end) = (node(bounds.low, 0.0).min(last - 1), node(bounds.high, 1.0));
        let size = (end.max(first + 1) - first) + 1;
        let low = self.low + first.as_vec3a() * cell - shift;
        let count = size.element_product() as usize;
        let part = Field {
            nodes: Vec::with_capacity(count),
            nearest: Vec::with_capacity(count),
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

    /// The particles on the surface, and for each node one that is near, where it knows one of the whole's surface.
    fn take_surface(
        &mut self,
        whole: &Field,
        around: &Whereabouts,
        (at, particles, rest): (&[Vec4], &[u32], &[Vec4]),
    ) {
        let mut before = vec![NONE; at.len()];
        (0..).zip(&whole.surface).for_each(|(k, s)| before[s.particle as usize] = k);
        let here = |k: usize| Vec3A::from_vec4(rest[k]);
        let is_cracked = |k: usize| around.has_others(Vec3A::from_vec4(at[particles[k] as usize]));
        // Each as a place in the piece, and the whole's surface particle that it stays.
        let mut list: Vec<(usize, Option<&SurfaceParticle>)> = Vec::with_capacity(whole.surface.len());
        let mut renamed = vec![NONE; whole.surface.len()];
        for k in 0..particles.len() {
            let known = before[particles[k] as usize];
            let cracked = is_cracked(k);
            if known != NONE {
                renamed[known as usize] = list.len() as u32;
                list.push((k, (!cracked).then(|| &whole.surface[known as usize])));
            } else if cracked && self.distance(here(k)) > -0.5 * self.spacing {
                list.push((k, None));
            }
        }
        if list.is_empty() {
            *self = Field::default();
            return;
        }
        let places: Vec<Vec3A> = list.iter().map(|(k, _)| here(*k)).collect();
        let slope = |(place, (_, kept)): (&Vec3A, &(usize, Option<&SurfaceParticle>))| {
            kept.map_or_else(|| self.slope(*place), |kept| kept.slope)
        };
        let slopes: Vec<Vec3A> = places.iter().zip(&list).map(slope).collect();
        let shift = Vec3A::from_vec4(at[particles[0] as usize]) - here(0);
        let buckets = around.cells.buckets((0..).zip(&places).map(|(i, p)| (i, *p + shift)));
        let known = |place: usize| {
            let (k, kept) = list[place];
            let whole =
                kept.map(|kept| Ring { places: kept.ring.places.map(|p| renamed[p as usize]), ..kept.ring });
            let nearest = || around.cells.nearest::<{ 2 * RING }>(&buckets, &places, place, shift);
            let ring_of = || {
                let places_of = ring(place, &places, &slopes, &nearest());
                Ring::new(places[place], places_of, |p| places[p as usize])
            };
            let height = kept.map_or_else(|| self.distance(places[place]), |kept| kept.height);
            let ring = whole.filter(|ring| !ring.places.contains(&NONE)).unwrap_or_else(ring_of);
            SurfaceParticle::new(k as u32, places[place], slopes[place], height, ring)
        };
        let surface: Vec<SurfaceParticle> = (0..list.len()).map(known).collect();
        let named = |n: u32| renamed.get(n as usize).copied().unwrap_or(NONE);
        self.nearest.iter_mut().for_each(|n| *n = named(*n));
        for (place, _) in (0..).zip(&list).filter(|(_, (_, kept))| kept.is_none()) {
            self.mark_around(places[place as usize], place);
        }
        self.surface = surface;
        self.hand_on_nearest();
    }

    /// Tells the nodes around a new surface particle, if they know of none, that it is near.
    fn mark_around(&mut self, at: Vec3A, place: u32) {
        let node = ((at - self.low) * self.inverse_cell).as_ivec3();
        for k in 0..64 {
            let here = (node + IVec3::new(k / 16, k / 4 % 4, k % 4) - 1).as_uvec3();
            // A number below zero has become a large one.
            if here.cmplt(self.size).all() {
                let node = self.place(here.x, here.y, here.z);
                let nearest = &mut self.nearest[node];
                *nearest = if *nearest == NONE { place } else { *nearest };
            }
        }
    }

    /// Nodes whose nearest surface particle went to another piece take that of a node beside them: searches begin
    /// there and walk on.
    fn hand_on_nearest(&mut self) {
        let steps = [(self.size.y * self.size.z) as usize, self.size.z as usize, 1];
        let nearest = &mut self.nearest;
        let mut open: Vec<usize> = (0..nearest.len()).filter(|&i| nearest[i] == NONE).collect();
        for _ in 0..2 {
            for &i in &open {
                let before = steps.iter().filter(|s| **s <= i).map(|s| nearest[i - s]);
                nearest[i] = before.fold(NONE, |found, n| if found == NONE { n } else { found });
            }
            open.retain(|&i| nearest[i] == NONE);
            for &i in open.iter().rev() {
                let after = steps.iter().filter_map(|s| nearest.get(i + s).copied());
                nearest[i] = after.fold(NONE, |found, n| if found == NONE { n } else { found });
            }
            open.retain(|&i| nearest[i] == NONE);
        }
        open.iter().for_each(|&i| nearest[i] = 0);
    }
}

/// There and back along an axis whose nodes are `step` apart: each takes what the one before it allows.
fn sweep(nodes: &mut [f32], step: usize, reached: impl Fn(f32, f32) -> f32) {
    for at in (step..nodes.len()).step_by(step) {
        let (before, here) = nodes[at - step..].split_at_mut(step);
        here[..step].iter_mut().zip(before).for_each(|(here, near)| *here = reached(*here, *near));
    }
    for at in (step..nodes.len()).step_by(step).rev() {
        let (here, after) = nodes[at - step..].split_at_mut(step);
        here.iter_mut().zip(&after[..step]).for_each(|(here, near)| *here = reached(*here, *near));
    }
}
