//! Contacts between bodies: which particles may touch which surface in this step.
//!
//! Reads the state of two bodies at the beginning of a step, their clusters' motions and the field of
//! the one that is touched; writes contacts. A particle is put into the other body's rest space
//! by the motion of the clusters around it, the field tells distance and normal there, and the
//! three surface particles around that point carry the contact: the surface between them is
//! where they are, however deformed the body is. From then on a contact is a plane that moves with
//! these three, so the substeps that follow look at four particles and nothing else.
//!
//! Each body finds the contacts of its own particles, neighbour by neighbour in ascending order, so the
//! lists are the same on any number of threads.

use glam::{Mat3A, Vec3, Vec3A, Vec4};
use wide::f32x8;

use crate::body::Body;
use crate::collide::bounds::Bounds;
use crate::collide::boxes::Tree;
use crate::collide::field::{Field, SurfaceParticle};
use crate::collide::outside::{BLOCK, EARLY, Outside, Point};
use crate::collide::proxies;
use crate::fitting::Rigid;
use crate::matching::Moments;
use crate::shape::Shape;

/// A particle of one body at the surface of another.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Contact {
    /// The particle: its place on the surface, and once all are found, among the parts of its body.
    pub(crate) particle: u32,
    /// The particles of the other body that carry it, told as well.
    pub(crate) carriers: [u32; 3],
    /// Their shares; they sum to 1.
    pub(crate) shares: [f32; 3],
    /// Distance of the surface from the carriers along the normal, metres.
    pub(crate) offset: f32,
    /// Out of the other body, of length 1.
    pub(crate) normal: Vec3,
}

/// What a contact may be found early by, as a share of the way to go.
const AHEAD: f32 = 1.25;
/// How far off a first look at a gap may be, spacings.
const ROUGH: f32 = 0.02;
/// Slopes shorter than this tell no plane: those of sheets.
const SURE: f32 = 0.2;
/// How far a gap at the surface goes by the plane of its carriers. With all of it stacks lean.
const FLAT: f32 = 0.7;
/// How far surface particles have a say in where the surface is, spacings. The ring around the nearest one reaches
/// as far, so nothing jumps where another becomes the nearest.
const SAY: f32 = 1.5;
/// How alike the ways out of two surfaces may be that touch, as their product: they ought to be opposed.
const THROUGH: f32 = 0.25;
/// A way that changes where a particle touches, spacings.
const FAR: f32 = 0.25;
/// How far parts of one body look for each other, spacings.
const OWN: f32 = 1.0;
/// Most steps along the surface on the way to the place next to a point.
const ROUNDS: usize = 6;

/// What finding contacts reads of a body.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    shape: &'a Shape,
    /// Its clusters.
    tables: &'a Shape,
    field: &'a Field,
    /// How far from the field's surface the body begins, metres.
    skin: f32,
    /// Whether its surface is that of its clusters' proxies.
    pub(crate) proxies: bool,
    origin: Vec3A,
    rigid: &'a [Rigid],
    outside: &'a Outside,
    points: &'a [Point],
    moments: &'a [Moments],
}

impl<'a> Side<'a> {
    pub(crate) fn of(body: &'a Body, outside: &'a Outside) -> Side<'a> {
        Side {
            shape: &body.shape,
            tables: body.tables(),
            field: body.shape.field(),
            skin: body.shape.field().skin + body.radius,
            proxies: body.touch.proxies,
            origin: Vec3A::from_vec4(body.origin),
            rigid: &body.rigid,
            outside,
            points: &outside.points,
            moments: &body.moments,
        }
    }

    /// Distance between its particles, about, metres.
    pub(crate) fn spacing(&self) -> f32 {
        self.field.spacing
    }

    /// Distance of a point of rest space from the surface, metres, next to the surface particle at `near`.
    #[inline(always)]
    fn distance(&self, near: usize, rest: Vec3A) -> f32 {
        if self.proxies {
            proxies::at(self.shape, self.field, near, rest).w
        } else {
            self.field.distance(rest)
        }
    }

    /// Distance that the surface gives for the particle at a place of its own: the grid rounds edges off.
    #[inline(always)]
    fn height(&self, place: usize) -> f32 {
        if self.proxies { 0.0 } else { self.field.surface[place].height }
    }

    /// The finest cluster that is nearest to a point, found from the coarsest level down.
    fn nearest_cluster(&self, point: Vec3A) -> usize {
        let point = point - self.origin;
        let distance = |c: usize| Vec3A::from_vec4(self.moments[c].centre).distance_squared(point);
        let nearer = |best: (f32, usize), c: usize| match distance(c) {
            d if d < best.0 => (d, c),
            _ => best,
        };
        let tables = self.tables;
        let top = if tables.sums_children(1) { tables.levels().len() - 1 } else { 0 };
        let held = |c: &usize| tables.all_clusters()[*c].mass > 0.0;
        let mut best = tables.range(top).filter(held).fold((f32::INFINITY, 0), nearer).1;
        for l in (1..=top).rev() {
            let row = tables.levels()[l].members().row(best - tables.range(l).start);
            let first = tables.range(l - 1).start;
            best = row.iter().map(|e| first + e.index as usize).fold((f32::INFINITY, first), nearer).1;
        }
        best
    }

    /// Where a point is in rest space. Goes from neighbour to neighbour along the surface, from where another was seen if
    /// that leads to a particle near the point, else from the finest cluster nearest to it.
    fn rest_of(&self, point: Vec3A, start: Option<&Seen>) -> Seen {
        let close = 4.0 * self.field.spacing * self.field.spacing;
        let near = |seen: &Seen| self.field.surface[seen.near].rest.distance_squared(seen.rest) < close;
        if let Some(seen) = start.and_then(|start| self.walk(point, start.near, start.turn)).filter(near) {
            return seen;
        }
        let rigid = &self.rigid[self.nearest_cluster(point)];
        let [x, y, z] = rigid.columns.map(Vec3A::from_vec4);
        let about = point - self.origin - Vec3A::from_vec4(rigid.shift);
        let first = Mat3A::from_cols(x, y, z).transpose() * about;
        let start = self.field.nearer(self.field.nearest(first), first);
        let turn = self.turn_about(start);
        self.walk(point, start, turn).unwrap_or_else(|| self.seen_from(start, turn, point))
    }

    /// Goes along the surface to the particle nearest to a point, from `start`, where the body is turned like that; `None` if
    /// that takes too long.
    fn walk(&self, point: Vec3A, start: usize, turn: Mat3A) -> Option<Seen> {
        let far = 4.0 * self.field.spacing * self.field.spacing;
        let mut found = self.seen_from(start, turn, point);
        for round in 0..ROUNDS {
            let Seen { near, rest, .. } = found;
            let next = match self.field.nearer(near, rest) {
                next if next == near => return Some(found),
                _ if round == 0 && self.field.surface[near].rest.distance_squared(rest) > far => {
                    self.field.nearest(rest)
                }
                next => next,
            };
            found = self.seen_from(next, self.turn_about(next), point);
        }
        None
    }

    /// A point in rest space, by the motion about a surface particle, where the body is turned like that.
    #[inline(always)]
    fn seen_from(&self, near: usize, turn: Mat3A, point: Vec3A) -> Seen {
        let rest = self.field.surface[near].rest + turn.transpose() * (point - self.points[near].at);
        Seen { near, turn, rest }
    }

    /// The rotation about a surface particle: that of its clusters, by their weights. Few are asked for, and clusters stay in the cache where
    /// rotations of all particles would not.
    #[inline]
    fn turn_about(&self, place: usize) -> Mat3A {
        let mut columns = [Vec4::ZERO; 3];
        for e in self.tables.levels()[0].held_by().row(self.field.surface[place].particle as usize) {
            let of = &self.rigid[e.index as usize].columns;
            columns.iter_mut().zip(of).for_each(|(sum, column)| *sum += *column * e.weight);
        }
        let [x, y, z] = columns.map(Vec3A::from_vec4);
        Mat3A::from_cols(x, y, z)
    }

    /// The contact of a particle that is `seen` there, if it comes so near to this body within `time` seconds.
    fn contact(&self, touching: &Touching, seen: Seen, time: f32) -> Option<Contact> {
        let Touching { point, velocity, skin, early, .. } = *touching;
        let (near, there) = (&self.field.surface[seen.near], &self.points[seen.near]);
        let gap = self.distance(seen.near, seen.rest) - self.height(seen.near) - skin;
        let velocity = velocity - there.velocity;
        let rough = early + ROUGH * self.field.spacing;
        if gap.is_nan() || gap >= rough + AHEAD * time * velocity.length() {
            return None;
        }
        let out = seen.turn * near.slope;
        let approach = -out.dot(velocity);
        // Beside an edge the field is rounder than the body: the plane there tells that the body ends before it. Proxies
        // and sheets have no such plane.
        let length = near.slope.length();
        let plane = out.dot(point - there.at) / length - skin;
        let least = if self.proxies || length < SURE { gap } else { gap.max(plane) };
        if least >= rough + AHEAD * time * approach.max(0.0) {
            return None;
        }
        // Where it will touch, if that is far from where it is.
        let wait = if gap > 0.0 { (gap / approach.max(f32::MIN_POSITIVE)).min(time) } else { 0.0 };
        let meets = point + velocity * wait;
        let far = meets.distance_squared(point) > FAR * FAR * self.field.spacing * self.field.spacing;
        let ahead = if far { self.walk(meets, seen.near, seen.turn) } else { None };
        let (contact, gap) = self.contact_at(touching, meets, ahead.unwrap_or(seen))?;
        let approach = -Vec3A::from(contact.normal).dot(velocity);
        (gap + wait * approach < early + AHEAD * time * approach.max(0.0)).then_some(contact)
    }

    /// The contact of a particle that touches at `meets`, which is `seen` there, and how far off it is then.
    /// All of it changes smoothly with where the particle is, whichever three carry it: a surface that jumps
    /// by a millimetre as bodies sway pumps them up.
    fn contact_at(&self, touching: &Touching, meets: Vec3A, seen: Seen) -> Option<(Contact, f32)> {
        let Touching { place: particle, slope, skin, .. } = *touching;
        let Seen { near, turn, rest } = seen;
        let (places, shares) =
            self.field.carriers(near, rest, self.field.surface[near].slope.try_normalize()?);
        let carriers = places.map(|place| place as u32);
        let mean = |of: [Vec3A; 3]| of[0] * shares[0] + of[1] * shares[1] + of[2] * shares[2];
        let turns = places.map(|place| if place == near { turn } else { self.turn_about(place) });
        let by = |k: usize| self.seen_from(places[k], turns[k], meets).rest;
        let distance = self.distance(near, mean([by(0), by(1), by(2)]));
        let normal = if self.proxies {
            turn * Vec3A::from_vec4(proxies::at(self.shape, self.field, near, rest))
        } else {
            let way_out = |k: usize| turns[k] * self.field.surface[places[k]].slope;
            between(mean([way_out(0), way_out(1), way_out(2)]), slope)?
        };
        let over = normal.dot(meets - mean(places.map(|place| self.points[place].at)));
        let field = distance - self.height_at(near, meets) - skin;
        let gap = if self.proxies { field } else { self.flattened(field, over - skin) };
        let offset = over - gap;
        Some((Contact { particle, carriers, shares, offset, normal: normal.into() }, gap))
    }

    /// A gap by the field, drawn towards that over the plane of the carriers near the surface: between particles the field
    /// has bumps of which normals know nothing, and bodies that rock over them are fed. Further off the plane means little.
    fn flattened(&self, field: f32, plane: f32) -> f32 {
        let away = (4.0 * field.abs() / self.field.spacing - 1.0).clamp(0.0, 1.0);
        field + (plane - field) * (FLAT * (1.0 - away))
    }

    /// The height at a point, from those of the surface particles around it, by how near they are: at each of them its own
    /// (Shepard's interpolation). Of their roots, since the field rounds edges off ever faster towards them.
    fn height_at(&self, near: usize, point: Vec3A) -> f32 {
        if self.proxies {
            return 0.0;
        }
        let SurfaceParticle { root, ring, .. } = &self.field.surface[near];
        let around = ring.places.map(|place| place as usize);
        let away = |place: usize| (point - self.points[place].at).length_squared();
        let weights = self.says(f32x8::from(around.map(away))) & ring.is_there();
        let roots = (weights * f32x8::from(around.map(|place| self.field.surface[place].root))).to_array();
        let [own, ..] = self.says(f32x8::splat(away(near))).to_array();
        let weights = weights.to_array().iter().fold(own, |sum, weight| sum + weight);
        let roots = roots.iter().fold(own * root, |sum, root| sum + root);
        let mean = if weights > 0.0 { roots / weights } else { *root };
        mean * mean.abs()
    }

    /// How much of a say surface particles have whose squared distances these are.
    fn says(&self, squared: f32x8) -> f32x8 {
        let reach = SAY * self.field.spacing;
        let away = squared.sqrt();
        let weight = (f32x8::splat(reach) - away).max(f32x8::ZERO) / away.max(f32x8::splat(1e-3 * reach));
        weight * weight
    }

    /// Whether two particles are held by one cluster.
    fn share_a_cluster(&self, a: u32, b: u32) -> bool {
        let held_by = self.tables.levels()[0].held_by();
        let theirs = held_by.row(b as usize);
        held_by.row(a as usize).iter().any(|e| theirs.iter().any(|other| other.index == e.index))
    }
}

/// A point as a body's rest space has it.
#[derive(Clone, Copy)]
struct Seen {
    /// The place of the surface particle next to it.
    near: usize,
    /// How the body is turned there.
    turn: Mat3A,
    rest: Vec3A,
}

/// A particle that may touch another body.
struct Touching {
    /// Its place on its body's surface.
    place: u32,
    point: Vec3A,
    velocity: Vec3A,
    /// The slope of its own body's field there, in the world.
    slope: Vec3A,
    /// That of both bodies.
    skin: f32,
    /// How far away it may be, metres.
    early: f32,
}

impl Touching {
    fn of(a: &Side, place: usize, skin: f32, early: f32) -> Touching {
        let Point { at, velocity } = a.points[place];
        let slope = a.turn_about(place) * a.field.surface[place].slope;
        Touching { place: place as u32, point: at, velocity, slope, skin, early }
    }
}

/// The direction of a contact: the way out of the surface and against that of the touching one's own,
/// each the more the surer it is. Edge on edge the two make up for each other; of a corner on a face
/// only the face counts. None where both look the same way: the particle has come to the far side of a thin body, and
/// would be pushed out there and hooked.
fn between(away: Vec3A, own: Vec3A) -> Option<Vec3A> {
    let alike = away.dot(own);
    if alike > THROUGH {
        return None;
    }
    let cubed = |v: Vec3A| v * v.length_squared() * v.length();
    (cubed(away) - cubed(own) * (1.0 - (2.0 * alike).max(0.0))).try_normalize()
}

/// Adds the contacts that particles of `a`, whose surface is in `blocks`, may have with `b` within `time`
/// seconds; `reach` is the box of `b` over that time. Of two bodies the finer one looks with `all` of its
/// particles and the other only with those at edges and corners, which may come between the finer one's.
pub(crate) fn find(
    a: &Side,
    blocks: &[Bounds],
    all: bool,
    b: &Side,
    reach: &Bounds,
    time: f32,
    out: &mut Vec<Contact>,
) {
    if b.field.is_empty() {
        return;
    }
    let skin = a.skin + b.skin;
    let early = EARLY * a.spacing().max(b.spacing());
    let margin = a.skin + EARLY * a.spacing();
    let reach = reach.grown(margin);
    let mut start = None;
    let surface = a.field.surface.chunks(BLOCK).zip(a.points.chunks(BLOCK));
    for (first, (block, (surface, points))) in (0..).step_by(BLOCK).zip(blocks.iter().zip(surface)) {
        if !block.meets(&reach) {
            continue;
        }
        for (place, (s, point)) in (first..).zip(surface.iter().zip(points)) {
            let looks = || all || s.is_sharp();
            if point.way(time).meets(&reach) && looks() && b.outside.is_near(point, time, margin) {
                let touching = Touching::of(a, place, skin, early);
                let seen = b.rest_of(touching.point, start.as_ref());
                start = Some(seen);
                out.extend(b.contact(&touching, seen, time));
            }
        }
    }
}

/// Adds the contacts that particles of `a` may have with other parts of `a` within `time` seconds. Parts that
/// share a cluster do not touch: the cluster keeps them apart. `tree` is used to find who is near.
pub(crate) fn find_own(
    a: &Side,
    tree: &mut Tree,
    boxes: &mut Vec<Bounds>,
    time: f32,
    out: &mut Vec<Contact>,
) {
    if a.field.is_empty() {
        return;
    }
    boxes.clear();
    boxes.extend(a.points.iter().map(|point| Bounds::at(point.at)));
    tree.build(boxes);
    for (place, (s, point)) in a.field.surface.iter().zip(a.points).enumerate() {
        let mut nearest = (f32::INFINITY, 0);
        tree.overlapping(&point.way(time).grown(a.skin + OWN * a.field.spacing), |place| {
            let item = (a.points[place as usize].at.distance_squared(point.at), place);
            if item < nearest && !a.share_a_cluster(s.particle, a.field.surface[place as usize].particle) {
                nearest = item;
            }
        });
        let start = nearest.1 as usize;
        let seen = if nearest.0.is_finite() { a.walk(point.at, start, a.turn_about(start)) } else { None };
        let strange = |seen: &Seen| !a.share_a_cluster(s.particle, a.field.surface[seen.near].particle);
        if let Some(seen) = seen.filter(strange) {
            let touching = Touching::of(a, place, 2.0 * a.skin, EARLY * a.spacing());
            out.extend(a.contact(&touching, seen, time));
        }
    }
}

#[cfg(test)]
mod tests;
