//! A particle meets a collider.
//!
//! The way of a particle through a substep is followed in the collider's frame, from where it was
//! at the beginning to where it is at the end, so that neither of them is ever fast enough to miss
//! the other: as far as the nearest surface the way is free, and so on from there. What it meets
//! is met as a plane through the nearest point. Only distances are asked of a shape, so a radius
//! costs nothing and no ray can slip between two triangles.

use glam::{Vec3A, Vec4};

use super::collider::{Collider, ColliderShape};
use super::solid::Near;

/// Rounds of following a way. Head-on one is enough, at a slant each leaves half or so.
const ROUNDS: usize = 16;
/// Share of the way that counts as arrived.
const ARRIVED: f32 = 0.02;

/// The grip of a particle on what gives back all its speed: it touches nevertheless.
const LEAST_GRIP: f32 = 1e-6;

/// Impacts slower than this, m/s, do not bounce.
const SLOW: f32 = 0.25;

/// What is the same for all particles of a body that meet one collider in a substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// Length of the substep, s.
    pub(crate) h: f32,
    pub(crate) friction: f32,
    pub(crate) restitution: f32,
    /// Of a particle, metres.
    pub(crate) radius: f32,
}

/// What a collider got from some particles.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taken {
    pub(crate) collider: u32,
    /// Particles in contact, each substep counted.
    pub(crate) count: u32,
    /// N s.
    pub(crate) impulse: Vec3A,
    /// N m s, about the collider's position: what the particles lost of angular momentum. Putting a
    /// particle back on the surface moves what it carries, and that counts, too.
    pub(crate) torque: Vec3A,
    /// Sum of the impulses along the normals, N s.
    pub(crate) pressed: f32,
    /// Sums of points, about the collider's position, and of normals: plain ones, and times the
    /// impulse along the normal.
    pub(crate) points: [Vec3A; 2],
    pub(crate) normals: [Vec3A; 2],
}

impl Taken {
    /// Middle of the contact about the collider's position, and direction out of the collider.
    pub(crate) fn middle(&self) -> (Vec3A, Vec3A) {
        let (k, sum) = if self.pressed > 0.0 { (1, self.pressed) } else { (0, self.count.max(1) as f32) };
        (self.points[k] / sum, self.normals[k].normalize_or(self.normals[0].normalize_or(Vec3A::Y)))
    }
}

/// A particle that meets something.
pub(crate) struct Particle<'a> {
    /// kg.
    pub(crate) mass: f32,
    /// What its clusters were pressed with, N s.
    pub(crate) pressed: f32,
    pub(crate) x: &'a mut Vec4,
    pub(crate) v: &'a mut Vec4,
}

impl Meeting {
    /// Lets a particle that came from `from` meet a collider; tells `taken` what it took.
    #[inline]
    pub(crate) fn meet(&self, collider: &Collider, from: Vec4, particle: Particle, taken: &mut Taken) {
        let a = collider.from.enter(Vec3A::from_vec4(from));
        let b = collider.to.enter(Vec3A::from_vec4(*particle.x));
        let shape = &collider.def.shape;
        if let Some((normal, depth)) = self.find(shape, a, b).or_else(|| self.rub(shape, b, &particle)) {
            let normal = collider.to.turn * normal;
            self.respond(collider, normal, depth, particle, taken);
        }
    }

    /// The same with the plane of a collider that is one, in the world.
    #[inline(always)]
    pub(crate) fn meet_plane(
        &self,
        collider: &Collider,
        (normal, offset): (Vec3A, f32),
        particle: Particle,
        taken: &mut Taken,
    ) {
        let depth = offset + self.radius - normal.dot(Vec3A::from_vec4(*particle.x));
        if depth > -self.hover(&particle) {
            self.respond(collider, normal, depth, particle, taken);
        }
    }

    /// How far off a particle may be that rubs since its clusters are carried, metres: as far as the impulse that carries them would take it.
    #[inline(always)]
    fn hover(&self, particle: &Particle) -> f32 {
        particle.pressed / particle.mass * self.h
    }

    /// The same for what is no plane: the way out and how deep the particle is, below 0.
    fn rub(&self, shape: &ColliderShape, b: Vec3A, particle: &Particle) -> Option<(Vec3A, f32)> {
        let (apart, hover) = (self.radius + shape.skin(), self.hover(particle));
        let near = if hover > 0.0 { shape.near(b, apart + hover)? } else { return None };
        Some((near.normal, apart - near.distance))
    }

    /// Follows the way from `a` to `b`: the normal of the plane that is met and how deep `b` is below it.
    fn find(&self, shape: &ColliderShape, a: Vec3A, b: Vec3A) -> Option<(Vec3A, f32)> {
        let apart = self.radius + shape.skin();
        let (way, length) = (b - a, (b - a).length());
        let depth = |near: &Near| apart - near.normal.dot(b - near.point);
        let arrived = ARRIVED * length;
        let mut along = 0.0;
        let mut near = shape.near(a, apart + length)?;
        for _ in 0..ROUNDS {
            let gap = near.distance - apart;
            if gap <= arrived {
                break;
            }
            along += gap / length;
            if along >= 1.0 {
                return None;
            }
            near = shape.near(a + way * along, apart + length * (1.0 - along))?;
        }
        if depth(&near) > 0.0 {
            return Some((near.normal, depth(&near)));
        }
        // The way leads along the surface here. Does it lead into it further on?
        let start = a + way * along;
        let start = start + near.normal * (apart - near.distance).max(0.0);
        if let Some((t, normal)) = shape.cast(start, b - start, 1.0, 0.0) {
            let point = start + (b - start) * t;
            let met = Near { point, normal, distance: 0.0 };
            return Some((normal, depth(&met))).filter(|(_, depth)| *depth > 0.0);
        }
        let near = shape.near(b, apart)?;
        Some((near.normal, depth(&near))).filter(|(_, depth)| *depth > 0.0)
    }

    /// Puts a particle back on the surface and changes its velocity as an impact with friction
    /// does: the impulse along the surface is at most friction times the one along the normal.
    /// What friction takes off the velocity is also taken off the way of this substep, or a body
    /// at rest would creep down a slope. What the levels of the body were pressed with counts for friction, too. Slow impacts do not
    /// bounce, or it would tremble. `v.w` becomes the particle's grip, 1 minus the restitution.
    #[inline(always)]
    fn respond(
        &self,
        collider: &Collider,
        normal: Vec3A,
        depth: f32,
        Particle { mass, pressed, x, v }: Particle,
        taken: &mut Taken,
    ) {
        let (from, before) = (Vec3A::from_vec4(*x), Vec3A::from_vec4(*v));
        *x += (normal * depth.max(0.0)).extend(0.0);
        let point = Vec3A::from_vec4(*x) - normal * self.radius;
        let carried = collider.velocity_at(point, normal);
        let velocity = before - carried;
        let approach = -normal.dot(velocity);
        v.w = (1.0 - self.restitution).max(LEAST_GRIP);
        taken.count += 1;
        let arm = point - collider.to.position;
        taken.points[0] += arm;
        taken.normals[0] += normal;
        if approach > 0.0 || pressed > 0.0 {
            let approach = approach.max(0.0);
            let bounce = if approach > SLOW { self.restitution } else { 0.0 };
            let sliding = velocity - normal * normal.dot(velocity);
            let speed = sliding.length();
            let stopped = (self.friction * (approach * (1.0 + bounce) + pressed / mass)).min(speed);
            let kept = if speed > 0.0 { (speed - stopped) / speed } else { 0.0 };
            *x += (sliding * ((kept - 1.0) * self.h)).extend(0.0);
            let away = (approach * bounce).max(normal.dot(velocity));
            let after = sliding * kept + normal * away + carried;
            *v = after.extend(v.w);
            let impulse = (before - after) * mass;
            let pressed = mass * approach * (1.0 + bounce);
            taken.impulse += impulse;
            taken.pressed += pressed;
            taken.points[1] += arm * pressed;
            taken.normals[1] += normal * pressed;
        }
        let (to, after) = (Vec3A::from_vec4(*x), Vec3A::from_vec4(*v));
        let lever = from - collider.to.position;
        taken.torque += (lever.cross(before - after) - (to - from).cross(after)) * mass;
    }
}
