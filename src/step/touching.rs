//! Contacts between bodies as stages: found once a step, solved in every substep.
//!
//! What concerns one contact alone goes over pairs of bodies; what is summed up for a body goes over bodies.

use std::ops::Range;
use std::sync::atomic::Ordering;

use glam::{Vec3A, Vec4};

use super::{Pass, limit};
use crate::body::Body;
use crate::collide::between::{self, Contact, Side};
use crate::collide::bounds::Bounds;
use crate::collide::meeting::{Found, Meetings, PAIRS, Reach};
use crate::collide::outside::{self, Outside};
use crate::collide::pairs::{Outcome, Pair, Pairs, View};
use crate::collide::parts::{self, Chosen, Part, Parts};
use crate::collide::response::{self, Changed, Manner, Press};
use crate::collide::whole::Whole;
use crate::parallel::{Spread, chunks, rows};
use crate::slots::Slot;

/// Bodies in a block.
const BODIES: usize = 4;
/// Particles that get back at once what contacts made of them.
const PARTS: usize = 64;
/// The most speed that pull makes of what old overlap is put back by, m/s. Particles are put back against the pull of their clusters, which
/// costs nothing and comes back as speed, the more the stiffer a body is: unbounded, stiff bodies throw each other off.
const THROWN: f32 = 1.0;

/// What contacts read of some bodies: their parts, and each as a whole.
pub(crate) type Gathered<'a> = (&'a mut [Part], &'a mut [Whole]);

/// Finds what may touch within `time` seconds from the beginning of the step, which has substeps of `h` seconds.
pub(crate) fn find(meetings: &mut Meetings, slots: &[Slot], (time, h): (f32, f32), spread: Spread) {
    let mut bodies = slots.iter().filter_map(|slot| slot.item.as_deref());
    let alone = bodies.next().is_none_or(|first| bodies.next().is_none() && !first.touch.itself);
    if alone || !slots.iter().any(|slot| slot.active) {
        return;
    }
    let Meetings { reaches, boxes, .. } = &mut *meetings;
    spread.for_blocks((chunks(reaches, BODIES), chunks(boxes, BODIES)), |block, (reaches, boxes)| {
        for (slot, (reach, bounds)) in slots[block * BODIES..].iter().zip(reaches.iter_mut().zip(boxes)) {
            let sleeper = slot.item.as_deref().filter(|body| !slot.active && body.is_sleeping());
            let asleep = sleeper.map(|body| body.rest.bounds);
            if asleep.is_some() && asleep == std::mem::replace(&mut reach.asleep, asleep) {
                continue;
            }
            let taking_part = slot.item.as_deref().filter(|body| body.takes_part());
            *bounds =
                taking_part.map_or(Bounds::default(), |body| outside::boxes(body, time, &mut reach.blocks));
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
    let Meetings { reaches, boxes, outsides, has_company, candidates, found, .. } = &mut *meetings;
    spread.for_blocks(chunks(outsides, BODIES), |block, outsides| {
        for (here, outside) in (block * BODIES..).zip(outsides) {
            if let Some(body) = body_at(slots, here).filter(|_| has_company[here]) {
                outside.look(body, time);
            }
        }
    });
    let finder = Finder { slots, reaches, boxes, outsides, time };
    let blocks = candidates.len().div_ceil(PAIRS);
    spread.for_blocks((chunks(candidates, PAIRS), chunks(&mut found[..blocks], 1)), |_, (pairs, found)| {
        found[0].contacts.clear();
        pairs.iter_mut().for_each(|pair| finder.find(pair, &mut found[0]));
    });
    meetings.join();
    let Meetings { pairs, parts, .. } = &mut *meetings;
    let view = pairs.view();
    spread.for_blocks(chunks(&mut parts.chosen, BODIES), |block, chosen| {
        (block * BODIES..).zip(chosen).for_each(|(here, chosen)| choose(here, view, slots, chosen, h));
    });
    parts.lay_out();
    let Pairs { list, contacts, starts, .. } = pairs;
    spread.for_blocks((chunks(list, PAIRS), rows(contacts, starts, PAIRS)), |_, (pairs, contacts)| {
        name_parts(pairs, contacts, parts);
    });
}

/// What finding contacts reads.
struct Finder<'a> {
    slots: &'a [Slot],
    reaches: &'a [Reach],
    boxes: &'a [Bounds],
    outsides: &'a [Outside],
    time: f32,
}

impl<'a> Finder<'a> {
    fn side(&self, place: usize) -> Option<Side<'a>> {
        Some(Side::of(body_at(self.slots, place)?, &self.outsides[place]))
    }

    /// The contacts of a pair, first those of one body's particles, then those of the other's.
    fn find(&self, pair: &mut Pair, found: &mut Found) {
        let [a, b] = pair.bodies.map(|place| place as usize);
        let Found { contacts, tree, points } = found;
        pair.contacts = [contacts.len() as u32; 3];
        if a == b {
            if let Some(side) = self.side(a) {
                between::find_own(&side, tree, points, self.time, contacts);
            }
            pair.contacts[1] = contacts.len() as u32;
        } else if !self.outsides[a].is_apart(&self.outsides[b])
            && let (Some(one), Some(other)) = (self.side(a), self.side(b))
        {
            let finer = (one.spacing(), a) < (other.spacing(), b);
            let (Reach { blocks: ours, .. }, Reach { blocks: theirs, .. }) =
                (&self.reaches[a], &self.reaches[b]);
            between::find(&one, ours, finer || other.proxies, &other, &self.boxes[b], self.time, contacts);
            pair.contacts[1] = contacts.len() as u32;
            between::find(&other, theirs, !finer || one.proxies, &one, &self.boxes[a], self.time, contacts);
        }
        pair.contacts[2] = contacts.len() as u32;
    }
}

/// Chooses those particles of the body at `here` that its contacts and those on it touch.
fn choose(here: usize, pairs: View, slots: &[Slot], chosen: &mut Chosen, h: f32) {
    chosen.clear();
    let Some(body) = body_at(slots, here).filter(|_| pairs.of(here).next().is_some()) else { return };
    let contacts = || pairs.of(here).map(|linked| linked.contacts());
    let own = contacts().flat_map(|[own, _]| own).map(|contact| contact.particle);
    let carriers = contacts().flat_map(|[_, theirs]| theirs).flat_map(|contact| contact.carriers);
    chosen.choose(&body.shape.field().surface, own.chain(carriers));
    chosen.fastest = THROWN / (body.total_strength(h).stiffness * h);
}

/// Tells the contacts of these pairs where among the parts their particles are.
fn name_parts(pairs: &mut [Pair], contacts: &mut [Contact], parts: &Parts) {
    let first = pairs.first().map_or(0, |pair| pair.contacts[0] as usize);
    for pair in pairs {
        let [a, b] = pair.bodies;
        pair.fastest = parts.chosen[a as usize].fastest.min(parts.chosen[b as usize].fastest);
        for (side, [own, other]) in [[a, b], [b, a]].into_iter().enumerate() {
            let range = pair.range(side);
            for contact in &mut contacts[range.start - first..range.end - first] {
                contact.particle = parts.at(own, contact.particle);
                contact.carriers = contact.carriers.map(|place| parts.at(other, place));
            }
        }
    }
}

/// Takes what contacts read of all bodies.
pub(crate) fn gather_all(meetings: &mut Meetings, slots: &[Slot], pass: Pass) {
    let Meetings { parts: Parts { starts, particles, list, .. }, wholes, .. } = meetings;
    pass.spread.for_blocks((rows(list, starts, BODIES), chunks(wholes, BODIES)), |block, gathered| {
        let slots = &slots[block * BODIES..];
        gather(block * BODIES, slots, (starts, particles), gathered, pass, &|_| true);
    });
}

/// Takes what contacts read of those bodies in `slots`, which begin at a place, that are `chosen` or that this step does not move.
pub(crate) fn gather(
    from: usize,
    slots: &[Slot],
    (starts, particles): (&[u32], &[u32]),
    (parts, wholes): Gathered,
    pass: Pass,
    chosen: &dyn Fn(&Body) -> bool,
) {
    let first = starts[from];
    for (here, (slot, whole)) in (from..).zip(slots.iter().zip(wholes)) {
        let range = starts[here]..starts[here + 1];
        let body = slot.item.as_deref().filter(|_| !range.is_empty());
        if let Some(body) = body.filter(|body| !slot.active || chosen(body)) {
            parts::gather(
                within(parts, &range, first),
                &particles[places(&range)],
                &body.x,
                &body.v,
                body.shape.masses(),
            );
            // Debris is owed nothing.
            let has_whole = !body.shape.is_debris();
            let gain = pass.gain(body).length();
            *whole = if has_whole { Whole::of(body, gain, (pass.dt, pass.h)) } else { Whole::default() };
        }
    }
}

/// Solves the contacts of a substep, once bodies are gathered.
pub(crate) fn resolve(meetings: &mut Meetings, slots: &mut [Slot], pass: Pass) {
    let Meetings { pairs, parts, wholes, .. } = meetings;
    let Parts { starts, particles, list: parts, .. } = parts;
    let Pairs { list, contacts, starts: firsts, presses, outcomes, .. } = pairs;
    let work = (chunks(list, PAIRS), rows(presses, firsts, PAIRS), chunks(outcomes, PAIRS));
    pass.spread.for_blocks(work, |_, (pairs, presses, outcomes)| {
        measure(pairs, contacts, parts, wholes, presses, outcomes);
    });
    let view = pairs.view();
    pass.spread.for_blocks(
        (rows(parts, starts, BODIES), chunks(wholes, BODIES)),
        |block, (parts, wholes)| {
            let first = starts[block * BODIES];
            for (here, whole) in (block * BODIES..).zip(wholes) {
                let range = starts[here]..starts[here + 1];
                count(here, view, within(parts, &range, first), range.start, whole);
            }
        },
    );
    let Pairs { list, contacts, starts: firsts, presses, outcomes, .. } = pairs;
    let work = (chunks(list, PAIRS), rows(presses, firsts, PAIRS), chunks(outcomes, PAIRS));
    pass.spread.for_blocks(work, |_, (pairs, presses, outcomes)| {
        solve(pairs, contacts, parts, wholes, presses, outcomes, pass.h);
    });
    let view = pairs.view();
    pass.spread.for_blocks((chunks(slots, BODIES), rows(parts, starts, BODIES)), |block, (slots, parts)| {
        let first = starts[block * BODIES];
        for (here, slot) in (block * BODIES..).zip(slots) {
            let touches = || view.of(here).any(|linked| linked.touches());
            if let Some(body) = slot.body_mut().filter(|_| touches()) {
                let range = starts[here]..starts[here + 1];
                let parts = within(parts, &range, first);
                apply(body, here, view, parts, range.start);
                owe(body, here, view, wholes);
                give_back(body, parts, &particles[places(&range)], pass);
            }
        }
    });
}

fn body_at(slots: &[Slot], place: usize) -> Option<&Body> {
    slots[place].item.as_deref()
}

fn places(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The parts in a range of their row, of those that lie there from `first` on.
fn within<'a>(parts: &'a mut [Part], range: &Range<u32>, first: u32) -> &'a mut [Part] {
    &mut parts[places(&(range.start - first..range.end - first))]
}

/// Which contacts of these pairs touch.
fn measure(
    pairs: &mut [Pair],
    contacts: &[Contact],
    parts: &[Part],
    wholes: &[Whole],
    presses: &mut [Press],
    outcomes: &mut [[Outcome; 2]],
) {
    let first = pairs.first().map_or(0, |pair| pair.contacts[0] as usize);
    for (pair, outcomes) in pairs.iter_mut().zip(outcomes) {
        for (side, outcome) in outcomes.iter_mut().enumerate() {
            let (range, origin) = (pair.range(side), wholes[pair.bodies[side] as usize].origin);
            let presses = &mut presses[range.start - first..range.end - first];
            let start = range.start as u32;
            (pair.touching[side], outcome.closing) =
                response::measure(&contacts[range], parts, origin, start, presses);
        }
    }
}

/// How many contacts share each part of the body at `here`, and the whole of it.
fn count(here: usize, pairs: View, parts: &mut [Part], first: u32, whole: &mut Whole) {
    pairs.of(here).for_each(|linked| response::count(linked.own(), parts, first));
    pairs.of(here).for_each(|linked| response::count_carried(linked.theirs(), parts, first));
    let closing = pairs.of(here).map(|linked| linked.outcomes().map(|outcome| outcome.closing.contacts));
    whole.contacts = closing.map(|[own, theirs]| own + theirs).sum::<u32>() as f32;
}

/// What the contacts of these pairs give their particles.
fn solve(
    pairs: &[Pair],
    contacts: &[Contact],
    parts: &[Part],
    wholes: &[Whole],
    presses: &mut [Press],
    outcomes: &mut [[Outcome; 2]],
    h: f32,
) {
    let first = pairs.first().map_or(0, |pair| pair.contacts[0] as usize);
    for (pair, outcomes) in pairs.iter().zip(outcomes) {
        let [a, b] = pair.bodies.map(|place| &wholes[place as usize]);
        for (side, (outcome, bodies)) in outcomes.iter_mut().zip([[a, b], [b, a]]).enumerate() {
            let range = pair.pressing(side);
            let presses = &mut presses[range.start - first..range.end - first];
            response::solve(contacts, parts, presses, (pair, h), bodies, outcome);
        }
    }
}

/// What the particles of a body get from their contacts and those on them: velocities, and in their loads how far they are moved.
fn apply(body: &mut Body, here: usize, pairs: View, parts: &mut [Part], first: u32) {
    let mut changed = Changed::new(parts, first);
    for linked in pairs.of(here) {
        changed.take(linked.own(), 1.0 - linked.pair.manner.restitution);
    }
    for linked in pairs.of(here) {
        changed.carry(linked.theirs(), 1.0 - linked.pair.manner.restitution);
    }
    body.grip.note(changed.grip);
    if !changed.trace.is_finite() {
        body.faulty.store(true, Ordering::Relaxed);
    }
}

/// What the body as a whole gets in the next substep.
fn owe(body: &mut Body, here: usize, pairs: View, wholes: &[Whole]) {
    if body.shape.is_debris() {
        return;
    }
    let inverse_inertia = wholes[here].inverse_inertia;
    let Body { shape, drift, .. } = body;
    let pressed = || pairs.of(here).map(|linked| &linked.outcomes()[1].pressed);
    let twist: Vec3A = pressed().map(|p| p.twist).sum();
    // No end of the body gets more speed by it than the whole gets by the impulses: what is torn out of shape, or thin,
    // would be spun off.
    let most = 2.0 * pressed().map(|p| p.force).sum::<f32>() / (shape.mass() * shape.width());
    drift.owe_turn((inverse_inertia * twist).clamp_length_max(most));
    let (mut push, mut moment) = (Vec3A::ZERO, Vec3A::ZERO);
    for linked in pairs.of(here).filter(|linked| !linked.is_itself()) {
        let [own, theirs] = linked.outcomes().map(|outcome| &outcome.pressed);
        let apart = wholes[linked.other()].centre - wholes[here].centre;
        push += own.push - theirs.push;
        moment += own.moment - (theirs.moment + apart.cross(theirs.push));
    }
    drift.owe_push(push / shape.mass());
    drift.owe_turn(inverse_inertia * moment);
}

/// Gives particles back what contacts made of them, and lets those that were moved meet colliders again: bodies press each other into
/// the ground otherwise.
fn give_back(body: &mut Body, parts: &[Part], particles: &[u32], pass: Pass) {
    let meets = pass.meets(body);
    let Body { shape, x, v, touched, grip, faulty, .. } = body;
    let mut rest = particles.iter().zip(parts).filter(|(_, part)| part.is_touched()).peekable();
    while rest.peek().is_some() {
        let (mut before, mut at, mut moving) =
            ([Vec4::ZERO; PARTS], [Vec4::ZERO; PARTS], [Vec4::ZERO; PARTS]);
        let (mut masses, mut chosen, mut count) = ([0.0; PARTS], [0; PARTS], 0);
        for (k, (&i, part)) in rest.by_ref().take(PARTS).enumerate() {
            (before[k], at[k], moving[k]) = (part.x, part.x + part.load.with_w(0.0), part.v);
            (masses[k], chosen[k]) = (shape.masses()[i as usize], i as usize);
            count = k + 1;
        }
        let (before, at, moving) = (&before[..count], &mut at[..count], &mut moving[..count]);
        if let (Some(meets), false) = (meets, before == at) {
            grip.note(limit::meet_moved(meets, &masses, before, at, moving, &mut touched[0]));
        }
        if !super::are_finite(at, moving) {
            faulty.store(true, Ordering::Relaxed);
        }
        for (i, (at, moving)) in chosen.iter().zip(at.iter().zip(moving)) {
            (x[*i], v[*i]) = (*at, *moving);
        }
    }
}
