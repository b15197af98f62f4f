//! Solving attachments: once in each substep, one after the other.

use glam::Vec3;

use super::link::{self, Point, Spring};
use super::{Attachment, AttachmentId, Attachments, Frame, Held, Hold, Kind, Side};
use crate::body::Body;
use crate::slots::Slot;

/// What is the same for all attachments in a substep.
#[derive(Clone, Copy)]
struct Moment {
    h: f32,
    /// How much of the step is over at the end and at the start of the substep.
    now: f32,
    before: f32,
}

/// What an attachment took in a substep: impulse, and angular momentum about its frame.
type Load = (Vec3, Vec3);

impl Attachments {
    /// Before a step.
    pub(crate) fn begin(&mut self) {
        self.broken.clear();
        for attachment in &mut self.list {
            (attachment.impulse, attachment.torque) = (Vec3::ZERO, Vec3::ZERO);
        }
    }

    /// Substep number `substep` of `substeps`, each of `h` seconds, after the particles have moved.
    pub(crate) fn solve(&mut self, slots: &mut [Slot], h: f32, substep: u32, substeps: u32) {
        let part = |n: u32| n as f32 / substeps as f32;
        let moment = Moment { h, now: part(substep + 1), before: part(substep) };
        for attachment in self.list.iter_mut().filter(|a| !a.broken) {
            attachment.solve(slots, moment);
        }
    }

    /// After a step of the world with this tag: frames have arrived, and what broke goes.
    pub(crate) fn end(&mut self, world: u32) {
        for attachment in &mut self.list {
            match &mut attachment.kind {
                Kind::Frame { from, to, .. } => *from = *to,
                Kind::Drag { from, to, .. } => *from = *to,
                Kind::Joint { .. } => {}
            }
            if attachment.broken {
                self.broken.push(AttachmentId { world, number: attachment.number });
            }
        }
        if !self.broken.is_empty() {
            self.list.retain(|attachment| !attachment.broken);
        }
    }
}

impl Attachment {
    fn solve(&mut self, slots: &mut [Slot], moment: Moment) {
        let load = match &self.kind {
            Kind::Frame { body, held, from, to } => {
                hold_in_frame(slots, *body, held, [from, to], self.hold, moment)
            }
            Kind::Joint { sides, length } => hold_joint(slots, sides, *length, self.hold, moment),
            Kind::Drag { side, offset, from, to, most } => {
                drag(slots, side, [*from + *offset, *to + *offset], *most, self.hold, moment)
            }
        };
        let Some((impulse, torque)) = load.filter(|(i, t)| (*i + *t).is_finite()) else { return };
        self.impulse += impulse;
        self.torque += torque;
        self.broken = impulse.length() > self.break_force * moment.h;
    }
}

/// The body at a place, unless it sleeps, if its last attached particle is there: a host may have put
/// another body in its place.
fn body_at(slots: &mut [Slot], place: u32, last: Option<u32>) -> Option<&mut Body> {
    let body = slots.get_mut(place as usize)?.body_mut().filter(|body| !body.is_sleeping())?;
    last.is_some_and(|last| (last as usize) < body.x.len()).then_some(body)
}

fn side_at<'a>(slots: &'a mut [Slot], side: &Side) -> Option<&'a mut Body> {
    body_at(slots, side.body, side.shares.last().map(|share| share.0))
}

/// Every held particle to its place in the frame.
fn hold_in_frame(
    slots: &mut [Slot],
    place: u32,
    held: &[Held],
    [from, to]: [&Frame; 2],
    hold: Hold,
    moment: Moment,
) -> Option<Load> {
    let body = body_at(slots, place, held.last().map(|held| held.particle))?;
    let (before, now) = (from.towards(to, moment.before), from.towards(to, moment.now));
    let masses = body.shape.masses();
    let mass: f32 = held.iter().map(|held| masses[held.particle as usize]).sum();
    let spring = hold.spring(body.shape.mass());
    let (mut impulse, mut torque) = (Vec3::ZERO, Vec3::ZERO);
    for held in held {
        let share = body.shape.masses()[held.particle as usize] / mass;
        let target = moment.target(before.place(held.local), now.place(held.local));
        let shares = [(held.particle, 1.0)];
        let point = link::point(body, &shares);
        let given = link::hold(moment.h, point, target, spring.map(|spring| spring.share(share)));
        link::push(body, &shares, given, moment.h);
        impulse -= given;
        torque -= (target.at - to.position).cross(given);
    }
    Some((impulse, torque))
}

fn hold_joint(
    slots: &mut [Slot],
    sides: &[Side; 2],
    length: f32,
    hold: Hold,
    moment: Moment,
) -> Option<Load> {
    let [a, b] = sides;
    let of = |body: &mut Body, side: &Side| (link::point(body, &side.shares), body.shape.mass());
    let (here, mass) = side_at(slots, a).map(|body| of(body, a))?;
    let (there, other_mass) = side_at(slots, b).map(|body| of(body, b))?;
    let spring = hold.spring(mass * other_mass / (mass + other_mass));
    let given = link::hold_apart(moment.h, here, there, length, spring);
    link::push(side_at(slots, a)?, &a.shares, given, moment.h);
    link::push(side_at(slots, b)?, &b.shares, -given, moment.h);
    Some((-given, Vec3::ZERO))
}

fn drag(
    slots: &mut [Slot],
    side: &Side,
    [from, to]: [Vec3; 2],
    most: f32,
    hold: Hold,
    moment: Moment,
) -> Option<Load> {
    let body = side_at(slots, side)?;
    let target = moment.target(from + (to - from) * moment.before, from + (to - from) * moment.now);
    let spring: Option<Spring> = hold.spring(body.shape.mass());
    let given = link::hold(moment.h, link::point(body, &side.shares), target, spring);
    let given = given.clamp_length_max(most * moment.h);
    link::push(body, &side.shares, given, moment.h);
    Some((-given, -(target.at - to).cross(given)))
}

impl Moment {
    /// A target that moves and does not yield.
    fn target(&self, before: Vec3, now: Vec3) -> Point {
        Point { at: now, velocity: (now - before) / self.h, inverse_mass: 0.0 }
    }
}

impl Frame {
    /// Where a place in the frame is in the world, metres.
    fn place(&self, local: Vec3) -> Vec3 {
        self.position + self.rotation * local
    }
}
