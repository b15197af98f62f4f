//! What contacts between bodies do in a substep.
//!
//! Reads positions and velocities after particles were moved; writes both. All contacts are solved at
//! once, each from the same state. Where a particle is in several, each gets its part of the particle's
//! mass (mass splitting): the parts are met exactly and together take no more than there is, so the
//! impulses of a crowd add up to no energy. What one side gets the other loses, to the bit: momentum is
//! kept. At edges the carriers lie beside the particle, and the pair of impulses turns them: the carriers' body is
//! turned back as a whole (`Pressed::twist`), so angular momentum is kept, too.
//!
//! As with planes, velocities change as an impact with friction does and overlap is put back in positions
//! alone, so that it cannot turn into speed. What touches grips, which brings piles to rest (`settle.rs`).
//!
//! A body sums up its own contacts in their order, then those on it, neighbour by neighbour.

use glam::{Vec2, Vec3, Vec3A, Vec4, Vec4Swizzles};

use super::between::Contact;
use super::pairs::{Outcome, Pair};
use super::parts::Part;
use super::whole::{self, Closing, Whole};

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

/// One over the part of a particle's mass that one contact may use to put it back, and to stop it; 0
/// for a pinned particle.
#[inline(always)]
fn yielding(part: &Part) -> Vec2 {
    part.load.xy() * part.load.w
}

/// The mean of what the carriers have.
#[inline(always)]
fn carried(contact: &Contact, parts: &[Part], of: impl Fn(&Part) -> Vec4) -> Vec3A {
    let at = |k: usize| of(&parts[contact.carriers[k] as usize]) * contact.shares[k];
    Vec3A::from_vec4(at(0) + at(1) + at(2))
}

/// A contact that touches in this substep, and what it does.
pub(crate) type Touching<'a> = (&'a Contact, &'a Press);

/// The same as lists have it.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub(crate) struct Press {
    /// As measured: in x how fast it closes, m/s, 0 if it does not. Once solved: the impulse that the particle gets, N s.
    pub(crate) push: Vec3,
    /// The place of the contact in its list.
    pub(crate) place: u32,
    /// How far the particle is put back, and what friction takes off its way in this substep, times its mass, kg m.
    pub(crate) shift: Vec3,
    /// How deep it is, metres; 0 if it turned out to give nothing.
    pub(crate) depth: f32,
}

/// Tells in `presses` those `contacts` that touch, which lie in their row from `first` on: how many, and those that close. `origin` is
/// that of the body whose particles they are.
pub(crate) fn measure(
    contacts: &[Contact],
    parts: &[Part],
    origin: Vec3A,
    first: u32,
    presses: &mut [Press],
) -> (u32, Closing) {
    let (mut touching, mut closing) = (0, Closing::default());
    for (place, contact) in (first..).zip(contacts) {
        let (part, normal) = (&parts[contact.particle as usize], Vec3A::from(contact.normal));
        let apart = Vec3A::from_vec4(part.x) - carried(contact, parts, |part| part.x);
        let depth = contact.offset - normal.dot(apart);
        if depth > 0.0 && depth.is_finite() {
            let velocity = Vec3A::from_vec4(part.v) - carried(contact, parts, |part| part.v);
            let press =
                Press { push: Vec3::X * (-normal.dot(velocity)).max(0.0), place, shift: Vec3::ZERO, depth };
            if press.push.x > 0.0 {
                closing.add(Vec3A::from_vec4(part.x) - origin, normal);
            }
            presses[touching] = press;
            touching += 1;
        }
    }
    (touching as u32, closing)
}

impl Press {
    /// What it counts for in the load of a particle, as measured.
    #[inline(always)]
    fn counts(&self) -> Vec4 {
        Vec4::new(1.0, if self.push.x > 0.0 { 1.0 } else { 0.0 }, 0.0, 0.0)
    }
}

/// Counts the contacts of a body for its `parts`, which lie in their row from `first` on.
pub(crate) fn count<'a>(own: impl Iterator<Item = Touching<'a>>, parts: &mut [Part], first: u32) {
    own.for_each(|(contact, press)| parts[(contact.particle - first) as usize].load += press.counts());
}

/// Counts those of a neighbour that this body carries.
pub(crate) fn count_carried<'a>(
    of_neighbour: impl Iterator<Item = Touching<'a>>,
    parts: &mut [Part],
    first: u32,
) {
    for (contact, press) in of_neighbour {
        for (i, share) in contact.carriers.iter().zip(contact.shares) {
            parts[(*i - first) as usize].load += press.counts() * share;
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
    /// What the carriers' body has to be given in this substep, as the impulses act at the particles and not at
    /// their carriers, N m s.
    pub(crate) twist: Vec3A,
    /// The sum of the lengths of these impulses, N s.
    pub(crate) force: f32,
    /// What the body as a whole gets in this substep, N s, and about its centre, N m s; the carriers' body loses it.
    pub(crate) push: Vec3A,
    pub(crate) moment: Vec3A,
    /// Whether anything touched.
    pub(crate) touched: bool,
}

impl Pressed {
    /// With the mean point, and a normal of length 1.
    pub(crate) fn joined(&self) -> Pressed {
        Pressed { point: self.point / self.weight, normal: self.normal.normalize_or(Vec3A::Y), ..*self }
    }
}

/// Finds what each contact gives its particle, for the contacts of one side of a pair. `measure` has told how deep they are. `a` is the
/// body of the particles.
pub(crate) fn solve(
    contacts: &[Contact],
    parts: &[Part],
    presses: &mut [Press],
    (pair, h): (&Pair, f32),
    [a, b]: [&Whole; 2],
    Outcome { closing, pressed }: &mut Outcome,
) {
    let manner = pair.manner;
    (pressed.twist, pressed.force) = (Vec3A::ZERO, 0.0);
    (pressed.push, pressed.moment) = (Vec3A::ZERO, Vec3A::ZERO);
    let closing = closing.speed(a, b);
    let farthest = h * pair.fastest;
    let bounces = |approach: f32| if approach > SLOW { manner.restitution } else { 0.0 };
    for press in presses {
        let contact = &contacts[press.place as usize];
        let (part, normal) = (&parts[contact.particle as usize], Vec3A::from(contact.normal));
        let (approach, depth) = (press.push.x, std::mem::take(&mut press.depth));
        let shared = |k: usize| yielding(&parts[contact.carriers[k] as usize]) * contact.shares[k];
        let yielding = yielding(part) + (shared(0) + shared(1) + shared(2));
        if yielding.x <= 0.0 {
            continue;
        }
        let mut stop = 0.0;
        let (mut impulse, mut slid) = (Vec3A::ZERO, Vec3A::ZERO);
        if approach > 0.0 {
            stop = approach * (1.0 + bounces(approach)) / yielding.y;
            let velocity = Vec3A::from_vec4(part.v) - carried(contact, parts, |part| part.v);
            let sliding = velocity + normal * approach;
            let slowing = manner.friction * stop;
            let speed = sliding.length() / yielding.y;
            let brake = if speed > 0.0 { slowing.min(speed) / speed } else { 0.0 };
            // What friction takes off the velocity it also takes off the way of this substep.
            let rubbed = sliding * (brake / yielding.y);
            (impulse, slid) = (normal * stop - rubbed, rubbed * -h);
        }
        // What came in this substep goes at once. Old overlap would squeeze the bodies and throw them apart.
        let put = depth.min(approach * h + (depth * manner.parting).min(farthest));
        let weight = put / yielding.x;
        let shift = normal * weight + slid;
        if impulse.is_finite() && shift.is_finite() {
            (press.push, press.shift, press.depth) = (impulse.into(), shift.into(), depth);
            let point = Vec3A::from_vec4(part.x);
            pressed.touched = true;
            pressed.impulse += stop;
            pressed.twist -= (point - carried(contact, parts, |part| part.x)).cross(impulse);
            pressed.force += impulse.length();
            pressed.weight += weight;
            pressed.normal += normal * weight;
            pressed.point += point * weight;
            if closing > 0.0 && approach > 0.0 {
                let part = closing * (1.0 + bounces(closing)) + whole::lift(a, b, depth, h);
                let push = whole::push(a, b, point, normal, approach, part);
                pressed.impulse += push;
                pressed.push += normal * push;
                pressed.moment += (point - a.centre).cross(normal * push);
            }
        }
    }
}

/// The state that contacts change, of one body.
pub(crate) struct Changed<'a> {
    /// How far each is moved comes to be in its load.
    pub(crate) parts: &'a mut [Part],
    /// Where in their row they begin.
    first: u32,
    /// The firmest grip of a contact.
    pub(crate) grip: f32,
    /// A sum in which velocities that are not finite show.
    pub(crate) trace: Vec4,
}

impl<'a> Changed<'a> {
    /// Of particles none of which is moved yet.
    pub(crate) fn new(parts: &'a mut [Part], first: u32) -> Changed<'a> {
        for Part { load, .. } in &mut *parts {
            *load = if load.x > 0.0 { *load * Vec4::W } else { Part::UNTOUCHED };
        }
        Changed { parts, first, grip: 0.0, trace: Vec4::ZERO }
    }

    /// Gives each particle what its own contacts give it.
    pub(crate) fn take<'b>(&mut self, own: impl Iterator<Item = Touching<'b>>, grip: f32) {
        for (contact, press) in own.filter(|touching| touching.1.depth > 0.0) {
            self.give(contact.particle, press, 1.0, grip);
        }
    }

    /// Takes from the carriers what contacts of a neighbour gave there.
    pub(crate) fn carry<'b>(&mut self, of_neighbour: impl Iterator<Item = Touching<'b>>, grip: f32) {
        for (contact, press) in of_neighbour.filter(|touching| touching.1.depth > 0.0) {
            for (i, share) in contact.carriers.iter().zip(contact.shares) {
                if share > 0.0 {
                    self.give(*i, press, -share, grip);
                }
            }
        }
    }

    #[inline(always)]
    fn give(&mut self, i: u32, press: &Press, share: f32, grip: f32) {
        let Part { v, load: moved, .. } = &mut self.parts[(i - self.first) as usize];
        let part = share * moved.w;
        *moved += press.shift.extend(0.0) * part;
        *v += press.push.extend(0.0) * part;
        v.w = v.w.max(grip);
        self.grip = self.grip.max(grip);
        self.trace += *v;
    }
}
