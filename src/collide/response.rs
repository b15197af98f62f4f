//! What contacts between bodies do in a substep.
//!
//! Reads positions and velocities after particles were moved; writes both. All contacts are solved at
//! once, each from the same state. Where a particle is in several, each gets its part of the particle's
//! mass (mass splitting): the parts are met exactly and together take no more than there is, so the
//! impulses of a crowd add up to no energy. What one side gets the other loses, to the bit: momentum is
//! kept, and angular momentum as far as the carriers' shares reproduce the contact's point.
//!
//! As with planes, velocities change as an impact with friction does and overlap is put back in positions
//! alone, so that it cannot turn into speed. What touches grips, which brings piles to rest (`settle.rs`).
//!
//! A body sums up its own contacts in their order, then those on it, neighbour by neighbour.

use glam::{Vec2, Vec3A, Vec4, Vec4Swizzles};

use super::between::Contact;

/// Impacts slower than this, m/s, do not bounce.
const SLOW: f32 = 0.25;

/// How two bodies meet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    pub(crate) friction: f32,
    pub(crate) restitution: f32,
    /// Share of old overlap that goes in a substep, CC's γ.
    pub(crate) parting: f32,
}

/// What contacts read of a body.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) x: &'a [Vec4],
    pub(crate) v: &'a [Vec4],
    /// How many contacts share each particle, how many of these close, and in z one over its mass, 0 where
    /// it is pinned.
    pub(crate) load: &'a [Vec4],
}

impl Side<'_> {
    /// One over the part of a particle's mass that one contact may use to put it back, and to stop it; 0
    /// for a pinned particle.
    #[inline(always)]
    fn yielding(&self, i: u32) -> Vec2 {
        let load = self.load[i as usize];
        load.xy() * load.z
    }
}

/// The mean of what the carriers have.
#[inline(always)]
fn carried(contact: &Contact, of: &[Vec4]) -> Vec3A {
    let at = |k: usize| of[contact.carriers[k] as usize] * contact.shares[k];
    Vec3A::from_vec4(at(0) + at(1) + at(2))
}

/// Notes in each contact's push how deep it is in w, metres, 0 if it does not touch; and in x how fast
/// it closes, m/s, 0 if it does not.
/// Adds the places of those that touch to `touching`, counted from `first`.
pub(crate) fn measure(
    contacts: &mut [Contact],
    (x, v): (&[Vec4], &[Vec4]),
    other: (&[Vec4], &[Vec4]),
    first: u32,
    touching: &mut Vec<u32>,
) {
    for (place, contact) in (first..).zip(contacts) {
        let i = contact.particle as usize;
        let apart = Vec3A::from_vec4(x[i]) - carried(contact, other.0);
        let depth = contact.offset - contact.normal.dot(apart);
        contact.push = Vec4::ZERO;
        if depth > 0.0 && depth.is_finite() {
            let velocity = Vec3A::from_vec4(v[i]) - carried(contact, other.1);
            contact.push = Vec4::new((-contact.normal.dot(velocity)).max(0.0), 0.0, 0.0, depth);
            touching.push(place);
        }
    }
}

/// What a contact counts for in the load of a particle.
#[inline(always)]
fn counts(contact: &Contact) -> Vec4 {
    Vec4::new(1.0, if contact.push.x > 0.0 { 1.0 } else { 0.0 }, 0.0, 0.0)
}

/// The loads of a body that nothing touches yet.
pub(crate) fn unload(x: &[Vec4], masses: &[f32], load: &mut Vec<Vec4>) {
    load.clear();
    load.extend(x.iter().zip(masses).map(|(x, m)| Vec4::new(0.0, 0.0, x.w / m, 0.0)));
}

/// Counts how many contacts share each particle, and how many of these close.
pub(crate) fn count<'a>(own: impl Iterator<Item = &'a Contact>, load: &mut [Vec4]) {
    own.for_each(|c| load[c.particle as usize] += counts(c));
}

/// Counts those of a neighbour that this body carries.
pub(crate) fn count_carried<'a>(of_neighbour: impl Iterator<Item = &'a Contact>, load: &mut [Vec4]) {
    for contact in of_neighbour {
        for (i, share) in contact.carriers.iter().zip(contact.shares) {
            load[*i as usize] += counts(contact) * share;
        }
    }
}

/// What happened between two bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pressed {
    /// Impulse along the normals, N s.
    pub(crate) impulse: f32,
    /// Sums of normals and points, by how far contacts were put back.
    pub(crate) normal: Vec3A,
    pub(crate) point: Vec3A,
    weight: f32,
    /// Whether anything touched.
    pub(crate) touched: bool,
}

impl Pressed {
    /// With the mean point, and a normal of length 1.
    pub(crate) fn joined(&self) -> Pressed {
        Pressed { point: self.point / self.weight, normal: self.normal.normalize_or(Vec3A::Y), ..*self }
    }
}

/// Finds what each contact gives its particle. `measure` has told how deep they are.
pub(crate) fn solve(
    contacts: &mut [Contact],
    touching: &[u32],
    manner: Manner,
    a: Side,
    b: Side,
    h: f32,
    pressed: &mut Pressed,
) {
    for &place in touching {
        let contact = &mut contacts[place as usize];
        let i = contact.particle;
        let (approach, depth) = (contact.push.x, contact.push.w);
        contact.push = Vec4::ZERO;
        let shared = |k: usize| b.yielding(contact.carriers[k]) * contact.shares[k];
        let yielding = a.yielding(i) + (shared(0) + shared(1) + shared(2));
        if yielding.x <= 0.0 {
            continue;
        }
        let mut stop = 0.0;
        let mut impulse = Vec3A::ZERO;
        if approach > 0.0 {
            let bounce = if approach > SLOW { manner.restitution } else { 0.0 };
            stop = approach * (1.0 + bounce) / yielding.y;
            let velocity = Vec3A::from_vec4(a.v[i as usize]) - carried(contact, b.v);
            let sliding = velocity + contact.normal * approach;
            let slowing = manner.friction * stop;
            let speed = sliding.length() / yielding.y;
            let brake = if speed > 0.0 { slowing.min(speed) / speed } else { 0.0 };
            impulse = contact.normal * stop - sliding * (brake / yielding.y);
        }
        // What came in this substep goes at once. Old overlap would squeeze the bodies and throw them apart.
        let put = depth.min(approach * h + depth * manner.parting);
        let push = impulse.extend(put / yielding.x);
        if push.is_finite() {
            contact.push = push;
            let point = Vec3A::from_vec4(a.x[i as usize]);
            pressed.touched = true;
            pressed.impulse += stop;
            let weight = push.w;
            pressed.weight += weight;
            pressed.normal += contact.normal * weight;
            pressed.point += point * weight;
        }
    }
}

/// The state that contacts change, of one body.
pub(crate) struct Changed<'a> {
    pub(crate) h: f32,
    pub(crate) x: &'a mut [Vec4],
    pub(crate) v: &'a mut [Vec4],
    /// Holds one over each particle's mass in z.
    pub(crate) load: &'a [Vec4],
    /// The firmest grip of a contact.
    pub(crate) grip: f32,
    /// A sum in which numbers that are not finite show.
    pub(crate) trace: Vec4,
}

impl Changed<'_> {
    /// Gives each particle what its own contacts give it.
    pub(crate) fn take<'a>(&mut self, own: impl Iterator<Item = &'a Contact>, grip: f32) {
        for contact in own.filter(|c| c.push.w > 0.0) {
            self.give(contact.particle, contact, 1.0, grip);
        }
    }

    /// Takes from the carriers what contacts of a neighbour gave there.
    pub(crate) fn carry<'a>(&mut self, of_neighbour: impl Iterator<Item = &'a Contact>, grip: f32) {
        for contact in of_neighbour.filter(|c| c.push.w > 0.0) {
            for (i, share) in contact.carriers.iter().zip(contact.shares) {
                if share > 0.0 {
                    self.give(*i, contact, -share, grip);
                }
            }
        }
    }

    #[inline(always)]
    fn give(&mut self, i: u32, contact: &Contact, share: f32, grip: f32) {
        let i = i as usize;
        let (impulse, back) = (Vec3A::from_vec4(contact.push), contact.push.w);
        // What friction takes off the velocity it also takes off the way of this substep.
        let slid = (impulse - contact.normal * contact.normal.dot(impulse)) * self.h;
        let part = share * self.load[i].z;
        self.x[i] += ((contact.normal * back + slid) * part).extend(0.0);
        self.v[i] += (impulse * part).extend(0.0);
        self.v[i].w = self.v[i].w.max(grip);
        self.grip = self.grip.max(grip);
        self.trace += self.x[i] + self.v[i];
    }
}
