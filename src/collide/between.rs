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

use glam::{Mat3A, Vec3A, Vec4};

use crate::body::Body;
use crate::collide::boxes::Bounds;
use crate::collide::field::Field;
use crate::fitting::Rigid;
use crate::matching::Moments;
use crate::shape::Shape;

/// A particle of one body at the surface of another.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Contact {
    /// The particle.
    pub(crate) particle: u32,
    /// The particles of the other body that carry it.
    pub(crate) carriers: [u32; 3],
    /// Their shares; they sum to 1.
    pub(crate) shares: [f32; 3],
    /// Distance of the surface from the carriers along the normal, metres.
    pub(crate) offset: f32,
    /// Out of the other body, of length 1.
    pub(crate) normal: Vec3A,
    /// What this substep gives the particle: the impulse, N s, and in w how far it is put back along
    /// the normal times its mass, kg m; that is 0 if they do not touch.
    pub(crate) push: Vec4,
}

/// Surface particles in a block that is looked at or left out as a whole.
pub(crate) const BLOCK: usize = 64;
/// What a contact may be found early by, spacings: forces change velocities during the step.
const EARLY: f32 = 0.1;
/// The same as a share of the way to go.
const AHEAD: f32 = 1.25;
/// A way that changes where a particle touches, spacings.
const FAR: f32 = 0.25;
/// Most rounds of putting a point into rest space.
const ROUNDS: usize = 4;

/// What finding contacts reads of a body.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    shape: &'a Shape,
    field: &'a Field,
    /// How far from the field's surface the body begins, metres.
    skin: f32,
    /// Positions before the step: those that the clusters' motions fit.
    x: &'a [Vec4],
    v: &'a [Vec4],
    origin: Vec3A,
    rigid: &'a [Rigid],
    moments: &'a [Moments],
}

impl<'a> Side<'a> {
    pub(crate) fn of(body: &'a Body) -> Side<'a> {
        Side {
            shape: &body.shape,
            field: body.shape.field(),
            skin: body.shape.field().skin + body.radius,
            x: &body.previous,
            v: &body.v,
            origin: Vec3A::from_vec4(body.origin),
            rigid: &body.rigid,
            moments: &body.moments,
        }
    }

    fn at(&self, particle: u32) -> Vec3A {
        Vec3A::from_vec4(self.x[particle as usize])
    }

    fn velocity_of(&self, particle: u32) -> Vec3A {
        Vec3A::from_vec4(self.v[particle as usize])
    }

    fn rest(&self, particle: u32) -> Vec3A {
        Vec3A::from_vec4(self.shape.rest()[particle as usize])
    }

    /// Boxes of the surface, a block of particles each, and of all of it over the next `time` seconds.
    pub(crate) fn bounds(&self, time: f32, blocks: &mut Vec<Bounds>) -> Bounds {
        blocks.clear();
        blocks.extend(self.field.surface.chunks(BLOCK).map(|block| {
            block.iter().fold(Bounds::default(), |sum, s| {
                let (from, way) = (self.at(s.particle), self.velocity_of(s.particle) * time);
                sum.joined(Bounds::at(from)).joined(Bounds::at(from + way))
            })
        }));
        let all = blocks.iter().fold(Bounds::default(), |sum, block| sum.joined(*block));
        all.grown(EARLY * self.field.spacing + self.skin)
    }

    /// The finest cluster that is nearest to a point, found from the coarsest level down.
    fn nearest_cluster(&self, point: Vec3A) -> usize {
        let point = point - self.origin;
        let distance = |c: usize| Vec3A::from_vec4(self.moments[c].centre).distance_squared(point);
        let nearer = |best: (f32, usize), c: usize| match distance(c) {
            d if d < best.0 => (d, c),
            _ => best,
        };
        let top = if self.shape.sums_children(1) { self.shape.levels().len() - 1 } else { 0 };
        let mut best = self.shape.range(top).fold((f32::INFINITY, 0), nearer).1;
        for l in (1..=top).rev() {
            let row = self.shape.levels()[l].members().row(best - self.shape.range(l).start);
            let first = self.shape.range(l - 1).start;
            best = row.iter().map(|e| first + e.index as usize).fold((f32::INFINITY, first), nearer).1;
        }
        best
    }

    /// The rotation about a surface particle: that of its clusters, by their weights.
    fn rotation(&self, particle: u32) -> Mat3A {
        let mut columns = [Vec4::ZERO; 3];
        for e in self.shape.levels()[0].held_by().row(particle as usize) {
            let of = &self.rigid[e.index as usize].columns;
            columns.iter_mut().zip(of).for_each(|(sum, column)| *sum += *column * e.weight);
        }
        let [x, y, z] = columns.map(Vec3A::from_vec4);
        Mat3A::from_cols(x, y, z)
    }

    /// Where a point is in rest space: the place of the surface particle next to it, the rotation there,
    /// and the point.
    fn rest_of(&self, point: Vec3A) -> (usize, Mat3A, Vec3A) {
        let rigid = &self.rigid[self.nearest_cluster(point)];
        let [x, y, z] = rigid.columns.map(Vec3A::from_vec4);
        let about = point - self.origin - Vec3A::from_vec4(rigid.shift);
        let mut near = self.field.nearest(Mat3A::from_cols(x, y, z).transpose() * about);
        let mut round = 0;
        loop {
            let particle = self.field.surface[near].particle;
            let rotation = self.rotation(particle);
            let rest = self.rest(particle) + rotation.transpose() * (point - self.at(particle));
            let next = self.field.nearest(rest);
            round += 1;
            if next == near || round == ROUNDS {
                return (near, rotation, rest);
            }
            near = next;
        }
    }

    /// The contact of a particle, if it comes so near to this body within `time` seconds.
    fn contact(&self, touching: &Touching, time: f32) -> Option<Contact> {
        let Touching { particle, point, velocity, slope, skin } = *touching;
        let (mut near, mut rotation, mut rest) = self.rest_of(point);
        let gap = self.field.distance(rest) - self.field.surface[near].height - skin;
        let velocity = velocity - self.velocity_of(self.field.surface[near].particle);
        let early = EARLY * self.field.spacing;
        let reach = early + AHEAD * time * velocity.length();
        if gap.is_nan() || gap >= reach {
            return None;
        }
        let mut away = self.field.slope(rest);
        let approach = -(rotation * away).dot(velocity);
        if gap >= early + AHEAD * time * approach.max(0.0) {
            return None;
        }
        // Where it will touch, if that is far from where it is.
        let wait = if gap > 0.0 { (gap / approach.max(f32::MIN_POSITIVE)).min(time) } else { 0.0 };
        let meets = point + velocity * wait;
        if meets.distance_squared(point) > FAR * FAR * self.field.spacing * self.field.spacing {
            (near, rotation, rest) = self.rest_of(meets);
            away = self.field.slope(rest);
        }
        let (places, shares) = self.field.carriers(self.shape.rest(), near, rest, away.try_normalize()?);
        let on_surface = places.map(|place| &self.field.surface[place]);
        let carriers = on_surface.map(|s| s.particle);
        let height: f32 = on_surface.iter().zip(shares).map(|(s, share)| s.height * share).sum();
        let mean = |of: &dyn Fn(u32) -> Vec3A| {
            of(carriers[0]) * shares[0] + of(carriers[1]) * shares[1] + of(carriers[2]) * shares[2]
        };
        let (base, rest_base) = (mean(&|i| self.at(i)), mean(&|i| self.rest(i)));
        let distance = self.field.distance(rest_base + rotation.transpose() * (meets - base));
        let normal = between(rotation * away, slope)?;
        let offset = normal.dot(meets - base) - (distance - height) + skin;
        Some(Contact { particle, carriers, shares, offset, normal, push: Vec4::ZERO })
    }
}

/// A particle that may touch another body.
struct Touching {
    particle: u32,
    point: Vec3A,
    velocity: Vec3A,
    /// The slope of its own body's field there, in the world.
    slope: Vec3A,
    /// That of both bodies.
    skin: f32,
}

/// The direction of a contact: the way out of the surface and against that of the touching one's own,
/// each the more the surer it is. Edge on edge the two make up for each other; of a corner on a face
/// only the face counts.
fn between(away: Vec3A, own: Vec3A) -> Option<Vec3A> {
    let cubed = |v: Vec3A| v * v.length_squared() * v.length();
    // Of a thin body that has gone in the far side looks the same way; it has no say.
    let opposed = 1.0 - (2.0 * away.dot(own)).clamp(0.0, 1.0);
    (cubed(away) - cubed(own) * opposed).try_normalize()
}

/// Adds the contacts that particles of `a`, whose surface is in `blocks`, may have with `b` within `time`
/// seconds; `reach` is the box of `b` over that time.
pub(crate) fn find(a: &Side, blocks: &[Bounds], b: &Side, reach: &Bounds, time: f32, out: &mut Vec<Contact>) {
    if b.field.is_empty() {
        return;
    }
    let skin = a.skin + b.skin;
    let reach = reach.grown(a.skin);
    for (block, surface) in blocks.iter().zip(a.field.surface.chunks(BLOCK)) {
        if !block.overlaps(&reach) {
            continue;
        }
        for s in surface {
            let (particle, point, velocity) = (s.particle, a.at(s.particle), a.velocity_of(s.particle));
            if Bounds::at(point).joined(Bounds::at(point + velocity * time)).overlaps(&reach) {
                let slope = a.rotation(particle) * s.slope;
                out.extend(b.contact(&Touching { particle, point, velocity, slope, skin }, time));
            }
        }
    }
}
