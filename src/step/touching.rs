//! Contacts between bodies as stages: found once a step, solved in every substep.

use std::sync::atomic::Ordering;

use glam::{Vec3A, Vec4};

use super::{Pass, limit};
use crate::body::Body;
use crate::collide::between::{self, Side};
use crate::collide::bounds::Bounds;
use crate::collide::meeting::{Meeting, Meetings, Neighbour, mirrored, on_me, touching_me};
use crate::collide::outside::{self, Outside};
use crate::collide::parts::Parts;
use crate::collide::response::{self, Changed, Manner};
use crate::collide::whole::Whole;
use crate::parallel::{Spread, chunks};
use crate::slots::Slot;

/// Bodies in a block.
const BODIES: usize = 4;
/// Particles that get back at once what contacts made of them.
const PARTS: usize = 64;
/// The most speed that pull makes of what old overlap is put back by, m/s. Particles are put back against the pull of their clusters, which
/// costs nothing and comes back as speed, the more the stiffer a body is: unbounded, stiff bodies throw each other off.
const THROWN: f32 = 1.0;

/// Finds what may touch within `time` seconds from the beginning of the step, which has substeps of `h` seconds.
pub(crate) fn find(meetings: &mut Meetings, slots: &[Slot], (time, h): (f32, f32), spread: Spread) {
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
            *bounds =
                taking_part.map_or(Bounds::default(), |body| outside::boxes(body, time, &mut meeting.blocks));
        }
    });
    let active = |place: u32| slots[place as usize].active;
    meetings.pair_up(active, |a, b| {
        let (a, b) = (body_at(slots, a as usize)?, body_at(slots, b as usize)?);
        let (friction, restitution) = a.surface.with(&b.surface);
        let parting = 0.5 * (a.touch.parting + b.touch.parting);
        let meet = if std::ptr::eq(a, b) { a.touch.itself } else { a.groups.meet(&b.groups) };
        meet.then_some(Manner { friction, restitution, parting })
    });
    let Meetings { list, boxes, outsides, .. } = &mut *meetings;
    spread.for_blocks(chunks(outsides, BODIES), |block, outsides| {
        for (here, outside) in (block * BODIES..).zip(outsides) {
            if let Some(body) = body_at(slots, here).filter(|_| !list[here].neighbours.is_empty()) {
                outside.look(body, time);
            }
        }
    });
    let side = |place: usize| Some(Side::of(body_at(slots, place)?, &outsides[place]));
    spread.for_blocks(chunks(list, BODIES), |block, list| {
        (block * BODIES..)
            .zip(list)
            .for_each(|(here, meeting)| find_of(here, meeting, &side, (boxes, outsides), time));
    });
    meetings.drop_distant();
    let Meetings { list, parts, .. } = &mut *meetings;
    spread.for_blocks(chunks(parts, BODIES), |block, parts| {
        (block * BODIES..).zip(parts).for_each(|(here, parts)| choose(here, list, slots, parts, h));
    });
    spread.for_blocks(chunks(list, BODIES), |block, list| {
        (block * BODIES..).zip(list).for_each(|(here, meeting)| name_parts(here, meeting, parts));
    });
}

/// The contacts of one body's particles.
fn find_of<'a>(
    here: usize,
    meeting: &mut Meeting,
    side: &impl Fn(usize) -> Option<Side<'a>>,
    (boxes, outsides): (&[Bounds], &[Outside]),
    time: f32,
) {
    let Meeting { blocks, neighbours, contacts, own, points, .. } = meeting;
    contacts.clear();
    let a = if neighbours.is_empty() { None } else { side(here) };
    for neighbour in neighbours {
        neighbour.first = contacts.len() as u32;
        let there = neighbour.body as usize;
        let is_near = || !outsides[here].is_apart(&outsides[there]);
        match &a {
            Some(a) if there == here => between::find_own(a, own, points, time, contacts),
            Some(a) if is_near() => {
                if let Some(b) = side(there) {
                    let all = b.proxies || (a.spacing(), here) < (b.spacing(), there);
                    between::find(a, blocks, all, &b, &boxes[there], time, contacts);
                }
            }
            _ => (),
        }
        neighbour.end = contacts.len() as u32;
    }
}

/// Chooses those particles of the body at `here` that its contacts and those on it touch.
fn choose(here: usize, list: &[Meeting], slots: &[Slot], parts: &mut Parts, h: f32) {
    let Meeting { neighbours, contacts, .. } = &list[here];
    let Some(body) = body_at(slots, here).filter(|_| !neighbours.is_empty()) else { return parts.clear() };
    let carriers = neighbours.iter().flat_map(|n| on_me(list, n)).flat_map(|contact| contact.carriers);
    let own = contacts.iter().map(|contact| contact.particle);
    parts.choose(&body.shape.field().surface, own.chain(carriers));
    parts.fastest = THROWN / (body.total_strength(h).stiffness * h);
}

/// Tells the contacts of the body at `here` where among the chosen their particles are.
fn name_parts(here: usize, meeting: &mut Meeting, parts: &[Parts]) {
    let Meeting { neighbours, contacts, .. } = meeting;
    for n in neighbours {
        for contact in &mut contacts[n.first as usize..n.end as usize] {
            contact.particle = parts[here].at(contact.particle);
            contact.carriers = contact.carriers.map(|place| parts[n.body as usize].at(place));
        }
    }
}

/// Solves the contacts of a substep.
pub(crate) fn resolve(meetings: &mut Meetings, slots: &mut [Slot], pass: Pass) {
    let Meetings { list, parts, wholes, .. } = meetings;
    let bodies = &*slots;
    pass.spread.for_blocks(chunks(parts, BODIES), |block, parts| {
        let bodies = bodies[block * BODIES..].iter().map(|slot| slot.item.as_deref());
        for (body, parts) in bodies.zip(parts).filter(|(_, parts)| !parts.particles.is_empty()) {
            let Some(body) = body else { continue };
            parts.gather(&body.x, &body.v, body.shape.masses(), body.origin);
        }
    });
    pass.spread.for_blocks(chunks(list, BODIES), |block, list| {
        (block * BODIES..).zip(list).for_each(|(here, meeting)| measure(here, meeting, parts));
    });
    pass.spread.for_blocks((chunks(parts, BODIES), chunks(wholes, BODIES)), |block, (parts, wholes)| {
        for (here, (parts, whole)) in (block * BODIES..).zip(parts.iter_mut().zip(wholes)) {
            let neighbours = &list[here].neighbours;
            neighbours.iter().for_each(|n| response::count(list[here].touching(n), &mut parts.list));
            neighbours.iter().for_each(|n| response::count_carried(touching_me(list, n), &mut parts.list));
            let closes = |n: &Neighbour| n.closing.contacts + mirrored(list, n).closing.contacts;
            let closing: u32 = neighbours.iter().map(closes).sum();
            // Debris is owed nothing.
            let body = body_at(bodies, here).filter(|body| closing > 0 && !body.shape.is_debris());
            *whole = body.map_or(Whole::default(), |body| {
                Whole::of(body, closing, pass.gain(body).length(), (pass.dt, pass.h))
            });
        }
    });
    pass.spread.for_blocks(chunks(list, BODIES), |block, list| {
        (block * BODIES..).zip(list).for_each(|(here, meeting)| {
            solve(here, meeting, parts, wholes, pass.h);
        });
    });
    pass.spread.for_blocks((chunks(slots, BODIES), chunks(parts, BODIES)), |block, (slots, parts)| {
        for (here, (slot, parts)) in (block * BODIES..).zip(slots.iter_mut().zip(parts)) {
            let touches = |n| list[here].touching(n).chain(touching_me(list, n)).next().is_some();
            if let Some(body) = slot.body_mut().filter(|_| list[here].neighbours.iter().any(touches)) {
                apply(body, parts, list, here);
                owe(body, list, here, wholes);
                give_back(body, parts, pass);
            }
        }
    });
}

fn body_at(slots: &[Slot], place: usize) -> Option<&Body> {
    slots[place].item.as_deref()
}

/// Which contacts of the body at `here` touch.
fn measure(here: usize, meeting: &mut Meeting, parts: &[Parts]) {
    let Meeting { neighbours, contacts, touching, .. } = meeting;
    touching.clear();
    for n in neighbours {
        n.first_touching = touching.len() as u32;
        let contacts = &contacts[n.first as usize..n.end as usize];
        n.closing = response::measure(contacts, &parts[here], &parts[n.body as usize], n.first, touching);
        n.end_touching = touching.len() as u32;
    }
}

/// What the contacts of the body at `here` give its particles.
fn solve(here: usize, meeting: &mut Meeting, parts: &[Parts], wholes: &[Whole], h: f32) {
    let side = |place: usize| response::Side {
        parts: &parts[place].list,
        whole: &wholes[place],
        fastest: parts[place].fastest,
    };
    let Meeting { neighbours, contacts, touching, .. } = meeting;
    for n in neighbours {
        let touching = &mut touching[n.first_touching as usize..n.end_touching as usize];
        let (a, b) = (side(here), side(n.body as usize));
        response::solve(contacts, (touching, &n.closing), n.manner, a, b, h, &mut n.pressed);
    }
}

/// What the particles of a body get from their contacts and those on them: velocities, and in their loads how far they are moved.
fn apply(body: &mut Body, parts: &mut Parts, list: &[Meeting], here: usize) {
    let meeting = &list[here];
    let mut changed = Changed::new(&mut parts.list);
    for n in &meeting.neighbours {
        changed.take(meeting.touching(n), 1.0 - n.manner.restitution);
    }
    for n in &meeting.neighbours {
        changed.carry(touching_me(list, n), 1.0 - n.manner.restitution);
    }
    body.grip.note(changed.grip);
    if !changed.trace.is_finite() {
        body.faulty.store(true, Ordering::Relaxed);
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

/// Gives particles back what contacts made of them, and lets those that were moved meet colliders again: bodies press each other into
/// the ground otherwise.
fn give_back(body: &mut Body, parts: &Parts, pass: Pass) {
    let meets = pass.meets(body);
    let Body { shape, x, v, touched, grip, faulty, .. } = body;
    for (particles, parts) in parts.particles.chunks(PARTS).zip(parts.list.chunks(PARTS)) {
        let (mut before, mut at, mut moving) =
            ([Vec4::ZERO; PARTS], [Vec4::ZERO; PARTS], [Vec4::ZERO; PARTS]);
        let mut masses = [0.0; PARTS];
        for (k, (i, part)) in particles.iter().zip(parts).enumerate() {
            (before[k], at[k], moving[k]) = (part.x, part.x + part.load.with_w(0.0), part.v);
            masses[k] = shape.masses()[*i as usize];
        }
        let (before, at, moving) =
            (&before[..parts.len()], &mut at[..parts.len()], &mut moving[..parts.len()]);
        if let (Some(meets), false) = (meets, before == at) {
            grip.note(limit::meet_moved(meets, &masses, before, at, moving, &mut touched[0]));
        }
        if !super::are_finite(at, moving) {
            faulty.store(true, Ordering::Relaxed);
        }
        for (i, (at, moving)) in particles.iter().zip(at.iter().zip(moving)) {
            (x[*i as usize], v[*i as usize]) = (*at, *moving);
        }
    }
}
