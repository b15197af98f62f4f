//! Sleep: bodies at rest cost nothing until something disturbs them.
//!
//! A body that has been slow for half a second falls asleep once all bodies that it touches or is
//! joined to are as calm: an island sleeps as a whole and wakes as a whole. Before a step `rouse` finds
//! out who is to be moved: hosts wake bodies through every call that changes something about them,
//! colliders by coming, going, changing or moving nearby (`collide/unrest.rs`). During the step an awake body
//! that touches one that sleeps wakes its island, and after it `settle` counts time at rest.
//!
//! Reads how far particles moved, contacts between bodies, joints and force fields; writes who sleeps and the lists of
//! who fell asleep or woke. Bodies and pairs are taken in ascending order on one thread; only time at
//! rest is counted on all, body by body.

use crate::attach::Attachments;
use crate::body::Body;
use crate::body::rest::ALONE;
use crate::collide::meeting::Meetings;
use crate::collide::unrest::Unrest;
use crate::error::{Error, within};
use crate::fields::Placed;
use crate::parallel::{Spread, chunks};
use crate::slots::Slot;
use crate::world::{BodyId, World};

/// How long a body must be slow before it falls asleep, s.
const WAIT: f32 = 0.5;
/// How much faster a body may be for a moment: one that sways is at rest if it is slow most of the time.
const SWAYING: f32 = 2.0;
/// Places in a block.
const PLACES: usize = 16;

/// A world's way with bodies at rest, and what the last step did.
#[derive(Default)]
pub(crate) struct Sleep {
    pub(crate) enabled: bool,
    /// What counts as slow for a body of 1 m, m/s.
    pub(crate) speed: f32,
    pub(crate) slept: Vec<BodyId>,
    pub(crate) woke: Vec<BodyId>,
    /// For each place, one of its island, or the place itself if that is the lowest.
    island: Vec<u32>,
    /// For each place that is the lowest of an island, whether the island stirs.
    stirs: Vec<bool>,
}

impl Sleep {
    pub(crate) fn new(enabled: bool, speed: f32) -> Result<Sleep, Error> {
        within("sleep_speed", speed, 0.0, 1e6, "from 0 to 1e6 m/s")?;
        Ok(Sleep { enabled, speed, ..Sleep::default() })
    }

    /// Makes room for so many bodies, so that steps need not.
    pub(crate) fn make_room(&mut self, bodies: usize) {
        for list in [&mut self.slept, &mut self.woke] {
            list.reserve(bodies.saturating_sub(list.len()));
        }
        self.island.reserve(bodies.saturating_sub(self.island.len()));
        self.stirs.reserve(bodies.saturating_sub(self.stirs.len()));
    }

    /// The lowest place of an island, as far as it is known.
    fn lowest(&mut self, mut place: u32) -> u32 {
        while self.island[place as usize] != place {
            let next = self.island[self.island[place as usize] as usize];
            self.island[place as usize] = next;
            place = next;
        }
        place
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.lowest(a), self.lowest(b));
        self.island[a.max(b) as usize] = a.min(b);
    }
}

/// Before a step: finds out who takes part. Wakes whom a collider disturbs, who is joined to a body
/// that is awake, and the islands of all that were woken.
pub(crate) fn rouse(
    sleep: &mut Sleep,
    slots: &mut [Slot],
    unrest: &Unrest,
    attachments: &Attachments,
    world: u32,
) {
    sleep.slept.clear();
    sleep.woke.clear();
    for (index, slot) in (0..).zip(slots.iter_mut()) {
        slot.active = false;
        let generation = slot.generation;
        let Some(body) = slot.body_mut() else { continue };
        if body.is_sleeping() {
            if unrest.reaches(&body.rest.bounds, body.groups) {
                body.wake();
            } else if body.rest.island == ALONE {
                body.rest.island = index;
                sleep.slept.push(BodyId { world, index, generation });
            }
        }
    }
    for [a, b] in attachments.joints() {
        for [awake, asleep] in [[a, b], [b, a]] {
            let at = |place: u32| slots.get(place as usize)?.item.as_deref();
            let stirs = at(awake).is_some_and(|body| !body.is_sleeping() && body.takes_part());
            if stirs && at(asleep).is_some_and(Body::is_sleeping) {
                slots[asleep as usize].body_mut().into_iter().for_each(Body::wake);
            }
        }
    }
    wake_islands(sleep, slots, world);
}

/// Wakes those who fell asleep with a body that was woken, and notes who is active.
fn wake_islands(sleep: &mut Sleep, slots: &mut [Slot], world: u32) {
    sleep.stirs.clear();
    sleep.stirs.resize(slots.len(), false);
    let mut any = false;
    for slot in slots.iter_mut() {
        let Some(body) = slot.item.as_deref_mut() else { continue };
        if !body.is_sleeping() && body.rest.island != ALONE {
            let stirs = sleep.stirs.get_mut(body.rest.island as usize);
            stirs.into_iter().for_each(|stirs| *stirs = true);
            any = true;
        }
        slot.active = !body.is_sleeping() && body.takes_part();
        if !slot.active && !body.is_sleeping() {
            body.forget_forces();
        }
    }
    if !any {
        return;
    }
    for (index, slot) in (0..).zip(slots) {
        let generation = slot.generation;
        let Some(body) = slot.item.as_deref_mut().filter(|body| body.rest.island != ALONE) else { continue };
        if !body.is_sleeping() || sleep.stirs.get(body.rest.island as usize).is_none_or(|stirs| *stirs) {
            body.disturbed();
            body.rest.island = ALONE;
            slot.active = body.takes_part();
            sleep.woke.push(BodyId { world, index, generation });
        }
    }
}

/// In a step: wakes who sleeps and is touched by an active body, with their islands. Says whether there
/// were any.
pub(crate) fn wake_touched(sleep: &mut Sleep, slots: &mut [Slot], meetings: &Meetings, world: u32) -> bool {
    let mut any = false;
    meetings.for_touching(|a, b| {
        let [first, second] = [a, b].map(|place| slots[place as usize].active);
        if first != second {
            let touched = slots[if first { b } else { a } as usize].body_mut();
            if let Some(body) = touched.filter(|body| body.is_sleeping()) {
                body.wake();
                any = true;
            }
        }
    });
    if any {
        wake_islands(sleep, slots, world);
        sleep.woke.sort_unstable();
    }
    any
}

/// What counting time at rest asks of the world.
pub(crate) struct Surroundings<'a> {
    pub(crate) meetings: &'a Meetings,
    pub(crate) attachments: &'a Attachments,
    pub(crate) fields: &'a [Placed],
    pub(crate) unrest: &'a Unrest,
    pub(crate) spread: Spread<'a>,
    /// The tag of the world.
    pub(crate) world: u32,
}

/// After a step of `dt` seconds: counts the time that bodies have been at rest and puts islands to sleep
/// whose bodies all have been long enough.
pub(crate) fn settle(sleep: &mut Sleep, slots: &mut [Slot], dt: f32, around: &Surroundings) {
    if !sleep.enabled {
        return;
    }
    let speed = sleep.speed;
    around.spread.for_blocks(chunks(slots, PLACES), |_, slots| {
        slots.iter_mut().filter_map(Slot::active_mut).for_each(|body| count_rest(body, speed, dt, around));
    });
    let is_calm = |body: &Body| body.rest.calm >= WAIT;
    if !slots.iter().filter_map(Slot::active_body).any(is_calm) {
        return;
    }
    sleep.island.clear();
    sleep.island.extend(0..slots.len() as u32);
    around.meetings.for_touching(|a, b| sleep.join(a, b));
    for [a, b] in around.attachments.joints() {
        if [a, b].into_iter().all(|place| slots.get(place as usize).is_some_and(|slot| slot.active)) {
            sleep.join(a, b);
        }
    }
    sleep.stirs.clear();
    sleep.stirs.resize(slots.len(), false);
    for (place, slot) in (0..).zip(slots.iter()) {
        if slot.active_body().is_some_and(|body| !is_calm(body)) {
            let island = sleep.lowest(place);
            sleep.stirs[island as usize] = true;
        }
    }
    for (index, slot) in (0..).zip(slots) {
        let (generation, island) = (slot.generation, sleep.lowest(index));
        if let Some(body) = slot.active_mut().filter(|_| !sleep.stirs[island as usize]) {
            body.fall_asleep(island);
            slot.active = false;
            sleep.slept.push(BodyId { world: around.world, index, generation });
        }
    }
    sleep.slept.sort_unstable();
}

/// Counts the time that a body has been at rest. It is not while it may not sleep, a wind blows in gusts
/// or a collider moves nearby.
fn count_rest(body: &mut Body, speed: f32, dt: f32, around: &Surroundings) {
    let gusts = || body.fields.iter().filter_map(|&k| around.fields.get(k as usize)).any(Placed::varies);
    let way = speed * body.shape.width().sqrt() * dt;
    let calm = match body.rest.calm {
        _ if !body.rest.allowed || gusts() => 0.0,
        calm if body.has_stayed(way) => calm + dt,
        calm if body.has_stayed(SWAYING * way) => (calm - dt).max(0.0),
        _ => 0.0,
    };
    let disturbed = calm >= WAIT && around.unrest.reaches(&body.reach(), body.groups);
    body.rest.calm = if disturbed { 0.0 } else { calm.min(WAIT) };
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// world.set_sleeping(true, 0.05)?; // a body of 1 m that moves at less than 5 cm/s is at rest
/// assert_eq!(world.sleeping(), (true, 0.05));
/// for _frame in 0..600 {
///     world.step(1.0 / 60.0)?;
///     world.slept().iter().for_each(|id| println!("{id:?} fell asleep"));
///     world.woke().iter().for_each(|id| println!("{id:?} woke"));
/// }
/// assert!(world.body(id)?.is_sleeping());
/// world.wake_all();
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// Whether bodies at rest fall asleep, and what counts as rest for a body of 1 m, m/s.
    pub fn sleeping(&self) -> (bool, f32) {
        (self.sleep.enabled, self.sleep.speed)
    }

    /// Lets bodies at rest fall asleep, or keeps all awake. A body is at rest if it has been moving, all its
    /// particles taken together, at no more than `speed` times the square root of its width, both in metres and
    /// seconds, for half a second. Speeds are from 0 to 1e6; 0.03 at first.
    pub fn set_sleeping(&mut self, enabled: bool, speed: f32) -> Result<(), Error> {
        within("sleep_speed", speed, 0.0, 1e6, "from 0 to 1e6 m/s")?;
        if !enabled {
            self.wake_all();
        }
        (self.sleep.enabled, self.sleep.speed) = (enabled, speed);
        Ok(())
    }

    /// The bodies that fell asleep in the last step or were put to sleep before it, sorted.
    pub fn slept(&self) -> &[BodyId] {
        &self.sleep.slept
    }

    /// The bodies that woke in the last step or were woken before it, sorted.
    pub fn woke(&self) -> &[BodyId] {
        &self.sleep.woke
    }

    /// Wakes every body.
    pub fn wake_all(&mut self) {
        self.slots.list_mut().iter_mut().filter_map(Slot::body_mut).for_each(Body::wake);
    }

    /// Wakes the bodies that fell asleep with the one at a place, which is about to go.
    pub(crate) fn wake_island_of(&mut self, place: u32) {
        let island = self.slots.list()[place as usize].item.as_ref().map_or(ALONE, |body| body.rest.island);
        if island != ALONE {
            let bodies = self.slots.list_mut().iter_mut().filter_map(Slot::body_mut);
            bodies.filter(|body| body.rest.island == island).for_each(Body::wake);
        }
    }
}
