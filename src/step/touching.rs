//! Contacts between bodies as stages: found once a step, solved in every substep.

use std::sync::atomic::Ordering;

use glam::{Vec3A, Vec4};

use super::{PARTICLES, Pass, limit};
use crate::body::Body;
use crate::collide::between::{self, Side};
use crate::collide::boxes::Bounds;
use crate::collide::meeting::{Meeting, Meetings, Neighbour, mirrored, touching_me};
use crate::collide::response::{self, Changed, Manner};
use crate::collide::whole::{Closing, Whole};
use crate::parallel::{Spread, chunks};
use crate::slots::Slot;

/// Bodies in a block.
const BODIES: usize = 4;
/// Most of an overlap that goes in a substep between proxies: they overlap far, and would throw bodies off.
const LUMPY: f32 = 0.05;

/// Finds what may touch within `time` seconds from the beginning of the step.
pub(crate) fn find(meetings: &mut Meetings, slots: &[Slot], time: f32, spread: Spread) {
    meetings.resize(slots.len());
    let mut bodies = slots.iter().filter_map(|slot| slot.item.as_deref());
    let alone = bodies.next().is_none_or(|first| bodies.next().is_none() && !first.touch.itself);
    if alone || !slots.iter().any(|slot| slot.active) {
        return meetings.forget_contacts();
    }
    let Meetings { list, boxes, .. } = &mut *meetings;
    spread.for_blocks((chunks(list, BODIES), chunks(boxes, BODIES)), |block, (list, boxes)| {
        for (slot, (meeting, bounds)) in slots[block * BODIES..].iter().zip(list.iter_mut().zip(boxes)) {
            let sleeper = slot.item.as_deref().filter(|body| !slot.active && body.is_sleeping());
            let asleep = sleeper.map(|body| body.rest.bounds);
            if asleep.is_some() && asleep == std::mem::replace(&mut meeting.asleep, asleep) {
                continue;
            }
            let taking_part = slot.item.as_deref().filter(|body| body.takes_part());
            *bounds = taking_part
                .map_or(Bounds::default(), |body| Side::of(body, &[]).bounds(time, &mut meeting.blocks));
        }
    });
    let active = |place: u32| slots[place as usize].active;
    meetings.pair_up(active, |a, b| {
        let (a, b) = (body_at(slots, a as usize)?, body_at(slots, b as usize)?);
        let (friction, restitution) = a.surface.with(&b.surface);
        let most = if a.touch.proxies || b.touch.proxies { LUMPY } else { 1.0 };
        let parting = (0.5 * (a.touch.parting + b.touch.parting)).min(most);
        let meet = if std::ptr::eq(a, b) { a.touch.itself } else { a.groups.meet(&b.groups) };
        meet.then_some(Manner { friction, restitution, parting })
    });
    let Meetings { list, boxes, turns, .. } = &mut *meetings;
    spread.for_blocks(chunks(turns, BODIES), |block, turns| {
        for (here, turns) in (block * BODIES..).zip(turns) {
            if let Some(body) = body_at(slots, here).filter(|_| !list[here].neighbours.is_empty()) {
                Side::of(body, &[]).find_turns(turns);
            }
        }
    });
    let side = |place: usize| Some(Side::of(body_at(slots, place)?, &turns[place]));
    spread.for_blocks(chunks(list, BODIES), |block, list| {
        (block * BODIES..).zip(list).for_each(|(here, meeting)| find_of(here, meeting, &side, boxes, time));
    });
    meetings.drop_distant();
}

/// The contacts of one body's particles.
fn find_of<'a>(
    here: usize,
    meeting: &mut Meeting,
    side: &impl Fn(usize) -> Option<Side<'a>>,
    boxes: &[Bounds],
    time: f32,
) {
    let Meeting { blocks, neighbours, contacts, own, points, .. } = meeting;
    contacts.clear();
    for neighbour in neighbours {
        neighbour.first = contacts.len() as u32;
        let there = neighbour.body as usize;
        if let (Some(a), Some(b)) = (side(here), side(there)) {
            if there == here {
                between::find_own(&a, own, points, time, contacts);
            } else {
                let all = (a.spacing(), here) < (b.spacing(), there);
                between::find(&a, blocks, all, &b, &boxes[there], time, contacts);
            }
        }
        neighbour.end = contacts.len() as u32;
    }
}

/// Solves the contacts of a substep.
pub(crate) fn resolve(meetings: &mut Meetings, slots: &mut [Slot], pass: Pass) {
    let Meetings { list, loads, wholes, .. } = meetings;
    let bodies = &*slots;
    pass.spread.for_blocks((chunks(list, BODIES), chunks(loads, BODIES)), |block, (list, loads)| {
        let work = (block * BODIES..).zip(list.iter_mut().zip(loads));
        work.for_each(|(here, (meeting, load))| measure(here, meeting, load, bodies));
    });
    pass.spread.for_blocks((chunks(loads, BODIES), chunks(wholes, BODIES)), |block, (loads, wholes)| {
        for (here, (load, whole)) in (block * BODIES..).zip(loads.iter_mut().zip(wholes)) {
            let neighbours = &list[here].neighbours;
            neighbours.iter().for_each(|n| response::count_carried(touching_me(list, n), load));
            let closes = |n: &Neighbour| n.closing.contacts + mirrored(list, n).closing.contacts;
            let closing: u32 = neighbours.iter().map(closes).sum();
            // Debris is owed nothing.
            let body = body_at(bodies, here).filter(|body| closing > 0 && !body.shape.is_debris());
            *whole = body
                .map_or(Whole::default(), |body| Whole::of(body, closing, pass.gain(body).length(), pass.h));
        }
    });
    pass.spread.for_blocks(chunks(list, BODIES), |block, list| {
        (block * BODIES..).zip(list).for_each(|(here, meeting)| {
            solve(here, meeting, (loads, wholes), bodies, pass.h);
        });
    });
    pass.spread.for_blocks((chunks(slots, BODIES), chunks(loads, BODIES)), |block, (slots, loads)| {
        for (here, (slot, load)) in (block * BODIES..).zip(slots.iter_mut().zip(loads)) {
            let touches = |n| list[here].touching(n).chain(touching_me(list, n)).next().is_some();
            if let Some(body) = slot.body_mut().filter(|_| list[here].neighbours.iter().any(touches)) {
                apply(body, load, list, here);
                owe(body, list, here, wholes);
                shift(body, load, pass);
            }
        }
    });
}

fn body_at(slots: &[Slot], place: usize) -> Option<&Body> {
    slots[place].item.as_deref()
}

/// Which contacts of the body at `here` touch, and how many share each of its particles.
fn measure(here: usize, meeting: &mut Meeting, load: &mut Vec<Vec4>, slots: &[Slot]) {
    let Meeting { neighbours, contacts, touching, .. } = meeting;
    touching.clear();
    let Some(body) = body_at(slots, here).filter(|_| !neighbours.is_empty()) else { return };
    response::unload(&body.x, body.shape.masses(), load);
    for n in neighbours {
        (n.first_touching, n.closing) = (touching.len() as u32, Closing::default());
        if let Some(other) = body_at(slots, n.body as usize) {
            let contacts = &contacts[n.first as usize..n.end as usize];
            n.closing = response::measure(
                contacts,
                (&body.x, &body.v, body.origin),
                (&other.x, &other.v),
                n.first,
                touching,
                load,
            );
        }
        n.end_touching = touching.len() as u32;
    }
}

/// What the contacts of the body at `here` give its particles.
fn solve(
    here: usize,
    meeting: &mut Meeting,
    (loads, wholes): (&[Vec<Vec4>], &[Whole]),
    slots: &[Slot],
    h: f32,
) {
    let side = |place: usize| {
        let Body { x, v, .. } = body_at(slots, place)?;
        Some(response::Side { x, v, load: &loads[place], whole: &wholes[place] })
    };
    let Meeting { neighbours, contacts, touching, .. } = meeting;
    for n in neighbours {
        if let (Some(a), Some(b)) = (side(here), side(n.body as usize)) {
            let touching = &mut touching[n.first_touching as usize..n.end_touching as usize];
            response::solve(contacts, (touching, &n.closing), n.manner, a, b, h, &mut n.pressed);
        }
    }
}

/// Gives the particles of a body what their contacts and those on them give: velocities, and in `load` how far they are
/// moved.
fn apply(body: &mut Body, load: &mut [Vec4], list: &[Meeting], here: usize) {
    let meeting = &list[here];
    let Body { v, grip, faulty, .. } = body;
    let mut changed = Changed::new(v, load);
    for n in &meeting.neighbours {
        let grip = 1.0 - n.manner.restitution;
        changed.take(meeting.touching(n), grip);
    }
    for n in &meeting.neighbours {
        changed.carry(touching_me(list, n), 1.0 - n.manner.restitution);
    }
    grip.note(changed.grip);
    if !changed.trace.is_finite() {
        faulty.store(true, Ordering::Relaxed);
    }
}

/// What the body as a whole gets in the next substep.
fn owe(body: &mut Body, list: &[Meeting], here: usize, wholes: &[Whole]) {
    if body.shape.is_debris() {
        return;
    }
    let inverse_inertia = wholes[here].inverse_inertia;
    let Body { shape, drift, .. } = body;
    let neighbours = &list[here].neighbours;
    let pressed = || neighbours.iter().map(|n| &mirrored(list, n).pressed);
    let twist: Vec3A = pressed().map(|p| p.twist).sum();
    // No end of the body gets more speed by it than the whole gets by the impulses: what is torn out of shape, or thin,
    // would be spun off.
    let most = 2.0 * pressed().map(|p| p.force).sum::<f32>() / (shape.mass() * shape.width());
    drift.owe_turn((inverse_inertia * twist).clamp_length_max(most));
    let (mut push, mut moment) = (Vec3A::ZERO, Vec3A::ZERO);
    for n in others(neighbours, here) {
        let (own, theirs) = (&n.pressed, &mirrored(list, n).pressed);
        let apart = wholes[n.body as usize].centre - wholes[here].centre;
        push += own.push - theirs.push;
        moment += own.moment - (theirs.moment + apart.cross(theirs.push));
    }
    drift.owe_push(push / shape.mass());
    drift.owe_turn(inverse_inertia * moment);
}

/// The neighbours of a body but itself.
fn others(neighbours: &[Neighbour], here: usize) -> impl Iterator<Item = &Neighbour> {
    neighbours.iter().filter(move |n| n.body as usize != here)
}

/// Moves the particles of a body as contacts `moved` them, and lets them meet colliders again: bodies press each other into
/// the ground otherwise.
fn shift(body: &mut Body, moved: &[Vec4], pass: Pass) {
    let meets = pass.meets(body);
    let Body { shape, x, v, touched, grip, faulty, .. } = body;
    let blocks = x.chunks_mut(PARTICLES).zip(v.chunks_mut(PARTICLES)).zip(moved.chunks(PARTICLES));
    let masses = shape.masses().chunks(PARTICLES);
    for (((x, v), moved), (masses, touched)) in blocks.zip(masses.zip(touched)) {
        let mut before = [Vec4::ZERO; PARTICLES];
        let before = &mut before[..x.len()];
        before.copy_from_slice(x);
        x.iter_mut().zip(moved).for_each(|(x, moved)| *x += moved.with_w(0.0));
        if before == x {
            continue;
        }
        if let Some(meets) = meets {
            grip.note(limit::meet_moved(meets, masses, before, x, v, touched));
        }
        if !super::are_finite(x, v) {
            faulty.store(true, Ordering::Relaxed);
        }
    }
}
