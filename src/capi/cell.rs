//! One world behind its lock, and its step in the background.
//!
//! While a background step has the world, reads are answered from copies of the bodies as they
//! were when it began, and everything else is refused as busy. A panic inside poisons the
//! world: it is kept aside until it is destroyed, and every call says so.

mod reading;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

use super::defs::{WOBBLE_LOG_ERROR, WOBBLE_LOG_WARNING};
use super::guard;
use super::handles::{self, Named};
use super::status::{
    Failure, WOBBLE_STATUS_BUSY, WOBBLE_STATUS_INTERNAL, WOBBLE_STATUS_OUT_OF_MEMORY, WOBBLE_STATUS_POISONED,
    WOBBLE_STATUS_STALE_HANDLE,
};
use crate::body::Body;
use crate::error::Error;
use crate::headroom;
use crate::world::{BodyId, World, check_dt};

/// What a world is doing.
enum Phase {
    /// Waiting for calls.
    Idle,
    /// Stepping in the background.
    Stepping,
    /// The background step is over, but the host was not told yet and still sees the state before
    /// it: what a host reads does not depend on how fast the step was.
    Stepped,
    /// A call failed inside; the sentence says how.
    Poisoned(String),
    /// Destroyed by another thread while this one looked it up.
    Closed,
}

struct State {
    phase: Phase,
    /// Away during a background step and after the end.
    world: Option<Box<World>>,
    /// Bodies as they were when the background step began, by place, with their generation.
    published: Vec<Option<(u32, Body)>>,
    background: Option<Background>,
    /// How the last background step went, until someone waits for it.
    result: Result<(), Error>,
    /// Log lines of the last background step, until its end is told: no thread of the library's runs host code.
    lines: guard::Lines,
    /// Length of the last substep, s.
    substep: f32,
}

/// A world and its lock.
pub(crate) struct Cell {
    /// Its place among worlds.
    place: u64,
    state: Mutex<State>,
    /// Told when a background step ends.
    done: Condvar,
}

/// The thread that steps in the background.
struct Background {
    orders: SyncSender<Order>,
    thread: JoinHandle<()>,
}

struct Order {
    cell: Arc<Cell>,
    world: Box<World>,
    dt: f32,
}

impl Cell {
    pub(crate) fn new(world: World, place: u64) -> Cell {
        let state = State {
            phase: Phase::Idle,
            world: Some(Box::new(world)),
            published: Vec::new(),
            background: None,
            result: Ok(()),
            lines: guard::Lines::new(),
            substep: 1.0 / 240.0,
        };
        Cell { place, state: Mutex::new(state), done: Condvar::new() }
    }

    pub(crate) fn place(&self) -> u64 {
        self.place
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Calls `work` with the world.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut World) -> Result<R, Failure>) -> Result<R, Failure> {
        let state = &mut *self.lock();
        state.check()?;
        let world = state.world.as_deref_mut().ok_or_else(busy)?;
        match catch_unwind(AssertUnwindSafe(|| work(world))) {
            Ok(result) => result,
            Err(panic) => Err(state.poison(&guard::words(&*panic))),
        }
    }

    /// Calls `work` with the world and the name of a body in it.
    pub(crate) fn with_body_id<R>(
        &self,
        named: &Named,
        work: impl FnOnce(&mut World, BodyId) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        self.with(|world| {
            let (index, generation) = named.body();
            let id = world.body_id(index, generation);
            world.body(id).map_err(|_| named.stale())?;
            work(world, id)
        })
    }

    /// Calls `work` with a body to change.
    pub(crate) fn with_body_mut<R>(
        &self,
        named: &Named,
        work: impl FnOnce(&mut Body) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        self.with_body_id(named, |world, id| work(world.body_mut(id)?))
    }

    /// Steps, while others wait.
    pub(crate) fn step(&self, dt: f32) -> Result<(), Failure> {
        self.with(|world| Ok(step(world, self.place, dt)?))?;
        self.lock().note_substep(dt);
        Ok(())
    }

    /// Length of the last substep, s.
    pub(crate) fn substep(&self) -> f32 {
        self.lock().substep
    }

    /// Begins a step in the background.
    pub(crate) fn begin(self: &Arc<Cell>, dt: f32) -> Result<(), Failure> {
        let mut state = self.lock();
        state.check()?;
        if state.background.is_none() {
            state.background = Some(Background::start()?);
        }
        check_dt(dt)?;
        state.publish()?;
        state.note_substep(dt);
        let Some(world) = state.world.take() else { return Err(busy()) };
        state.phase = Phase::Stepping;
        state.result = Ok(());
        let order = Order { cell: Arc::clone(self), world, dt };
        let Some(background) = &state.background else { return Err(busy()) };
        if let Err(unsent) = background.orders.send(order) {
            state.world = Some(unsent.0.world);
            return Err(state.poison("the background thread has ended"));
        }
        Ok(())
    }

    /// Whether no background step is running.
    pub(crate) fn is_done(&self) -> Result<bool, Failure> {
        let mut state = self.lock();
        if matches!(state.phase, Phase::Stepping) {
            return Ok(false);
        }
        state.tell();
        state.check().map(|()| true)
    }

    /// Waits for the background step, if there is one, and says how it went.
    pub(crate) fn wait(&self) -> Result<(), Failure> {
        let mut state = self.idle();
        state.tell();
        state.check()?;
        Ok(std::mem::replace(&mut state.result, Ok(()))?)
    }

    fn idle(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while matches!(state.phase, Phase::Stepping) {
            state = self.done.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        state
    }

    /// Ends the world: waits for its step, joins its threads, frees its bodies. Returns the first
    /// generation that was not given out.
    pub(crate) fn close(&self) -> u32 {
        let mut state = self.idle();
        state.tell();
        state.phase = Phase::Closed;
        let (world, background) = (state.world.take(), state.background.take());
        state.published = Vec::new();
        drop(state);
        if let Some(Background { orders, thread }) = background {
            drop(orders);
            // The thread catches panics, so it ends well.
            let _ = thread.join();
        }
        world.map_or(crate::slots::MOST_GENERATIONS, |world| world.first_unused_generation())
    }

    /// The step itself, on the background thread.
    fn finish(&self, mut world: Box<World>, dt: f32) {
        let result = catch_unwind(AssertUnwindSafe(|| step(&mut world, self.place, dt)));
        let mut state = self.lock();
        state.world = Some(world);
        match result {
            Ok(result) => {
                state.result = result;
                state.phase = Phase::Stepped;
            }
            Err(panic) => {
                state.poison(&guard::words(&*panic));
            }
        }
        state.lines = guard::take_log();
        drop(state);
        self.done.notify_all();
    }
}

/// One step; bodies that went wrong in it are told.
fn step(world: &mut World, place: u64, dt: f32) -> Result<(), Error> {
    world.step(dt)?;
    for &id in world.newly_frozen() {
        let handle = handles::body_handle(place, id.index(), id.generation()).bits;
        guard::log(
            WOBBLE_LOG_WARNING,
            format!(
                "body {handle:#x} went out of bounds; it was put back and stays frozen until reset or teleported"
            ),
        );
    }
    Ok(())
}

impl State {
    fn check(&self) -> Result<(), Failure> {
        match &self.phase {
            Phase::Idle => Ok(()),
            Phase::Stepping | Phase::Stepped => Err(busy()),
            Phase::Poisoned(why) => Err(Failure::new(
                WOBBLE_STATUS_POISONED,
                format!("an earlier call failed inside this world ({why}); destroy it"),
            )),
            Phase::Closed => Err(Failure::new(WOBBLE_STATUS_STALE_HANDLE, "the world was destroyed")),
        }
    }

    /// The host learns that the background step is over, and hears what it logged when the present call ends.
    fn tell(&mut self) {
        std::mem::take(&mut self.lines).into_iter().for_each(|(severity, line)| guard::log(severity, line));
        if matches!(self.phase, Phase::Stepped) {
            self.phase = Phase::Idle;
        }
    }

    fn note_substep(&mut self, dt: f32) {
        if let Some(world) = &self.world {
            // Parts of the shortest step there is are no step.
            self.substep = (dt / world.substeps() as f32).max(f32::MIN_POSITIVE);
        }
    }

    fn poison(&mut self, why: &str) -> Failure {
        self.phase = Phase::Poisoned(why.to_string());
        guard::log(WOBBLE_LOG_ERROR, format!("a world failed inside and is closed to all calls: {why}"));
        Failure::new(WOBBLE_STATUS_INTERNAL, format!("a fault in the library: {why}; the world is poisoned"))
    }

    /// Copies every body for reading, into the copies of the step before where they fit.
    fn publish(&mut self) -> Result<(), Error> {
        let Some(world) = &self.world else { return Ok(()) };
        let copied = |id: &BodyId| self.published.get(id.index() as usize).is_some_and(Option::is_some);
        let new = world.bodies().filter(|(id, _)| !copied(id));
        headroom::ensure(new.map(|(_, body)| body.bytes()).sum(), "copying bodies, to be read meanwhile,")?;
        let mut before = std::mem::take(&mut self.published);
        let mut kept = vec![false; before.len()];
        for (id, body) in world.bodies() {
            let (index, generation) = (id.index() as usize, id.generation());
            if before.len() <= index {
                before.resize_with(index + 1, || None);
                kept.resize(index + 1, false);
            }
            match &mut before[index] {
                Some((g, copy)) => {
                    *g = generation;
                    copy.clone_from(body);
                }
                empty => *empty = Some((generation, body.clone())),
            }
            kept[index] = true;
        }
        for (place, kept) in before.iter_mut().zip(kept) {
            if !kept {
                *place = None;
            }
        }
        self.published = before;
        Ok(())
    }
}

impl Background {
    fn start() -> Result<Background, Failure> {
        let (orders, inbox): (SyncSender<Order>, Receiver<Order>) = sync_channel(1);
        let work = move || {
            for Order { cell, world, dt } in inbox {
                cell.finish(world, dt);
            }
        };
        let thread = thread::Builder::new().name("wobble background".into()).spawn(work);
        let thread = thread.map_err(|why| {
            Failure::new(WOBBLE_STATUS_OUT_OF_MEMORY, format!("no thread for the background step: {why}"))
        })?;
        Ok(Background { orders, thread })
    }
}

fn busy() -> Failure {
    let sentence = "the world steps in the background; call wobble_world_step_wait() first";
    Failure::new(WOBBLE_STATUS_BUSY, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capi::status::WOBBLE_STATUS_OK;
    use crate::world::WorldDef;

    #[test]
    fn a_background_step_shows_only_when_the_host_is_told() {
        let def = WorldDef { threads: 1, ..WorldDef::default() };
        let cell = Arc::new(Cell::new(World::new(&def).unwrap(), 0));
        cell.begin(0.1).unwrap();
        drop(cell.idle());
        let code = guard::call(|| cell.with(|_| Ok(())));
        assert_eq!(code, WOBBLE_STATUS_BUSY);
        assert!(cell.is_done().unwrap());
        assert_eq!(guard::call(|| cell.with(|_| Ok(()))), WOBBLE_STATUS_OK);
        cell.close();
    }

    #[test]
    fn a_panic_inside_poisons_the_world_and_leaves_others_alone() {
        let def = WorldDef { threads: 1, ..WorldDef::default() };
        let (sick, well) = (handles::add_world(&def).unwrap(), handles::add_world(&def).unwrap());
        let code =
            guard::call(|| handles::world(sick)?.with(|_| -> Result<(), Failure> { panic!("on purpose") }));
        assert_eq!(code, WOBBLE_STATUS_INTERNAL);
        let code = guard::call(|| handles::world(sick)?.with(|world| Ok(world.step(0.1)?)));
        assert_eq!(code, WOBBLE_STATUS_POISONED);
        assert_eq!(guard::call(|| handles::world(sick)?.begin(0.1)), WOBBLE_STATUS_POISONED);
        assert_eq!(
            guard::call(|| handles::world(well)?.with(|world| Ok(world.step(0.1)?))),
            WOBBLE_STATUS_OK
        );
        assert_eq!(guard::call(|| handles::remove_world(sick)), WOBBLE_STATUS_OK);
        assert_eq!(guard::call(|| handles::remove_world(sick)), WOBBLE_STATUS_STALE_HANDLE);
        assert_eq!(guard::call(|| handles::remove_world(well)), WOBBLE_STATUS_OK);
    }
}
