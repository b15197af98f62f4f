//! Reads of bodies, also while a step runs in the background.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Cell, Phase, State};
use crate::body::Body;
use crate::capi::guard;
use crate::capi::handles::Named;
use crate::capi::status::Failure;
use crate::parallel::{Spread, chunks};
use crate::world::World;

impl State {
    /// The world to read from; none while a step runs in the background, when copies are read.
    fn readable(&self) -> Result<Option<&World>, Failure> {
        if matches!(self.phase, Phase::Stepping | Phase::Stepped) {
            return Ok(None);
        }
        self.check()?;
        Ok(self.world.as_deref())
    }

    /// A body of that world, or its copy.
    fn body<'a>(&'a self, world: Option<&'a World>, named: &Named) -> Result<&'a Body, Failure> {
        let (index, generation) = named.body();
        let copy = || self.published.get(index as usize)?.as_ref().filter(|(g, _)| *g == generation);
        let found = match world {
            Some(world) => world.body(world.body_id(index, generation)).ok(),
            None => copy().map(|(_, body)| body),
        };
        found.ok_or_else(|| named.stale())
    }
}

impl Cell {
    /// Calls `work` with a body to read: the present one, or while a step runs in the background
    /// the one published when it began.
    pub(crate) fn with_body<R>(
        &self,
        named: &Named,
        work: impl FnOnce(&Body) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        self.with_body_and_team(named, |body, _| work(body))
    }

    /// The same, with threads to help where they have nothing else to do.
    pub(crate) fn with_body_and_team<R>(
        &self,
        named: &Named,
        work: impl FnOnce(&Body, Spread) -> Result<R, Failure>,
    ) -> Result<R, Failure> {
        let state = &mut *self.lock();
        let world = state.readable()?;
        let (body, spread) = (state.body(world, named)?, world.map_or(Spread::Here, World::spread));
        match catch_unwind(AssertUnwindSafe(|| work(body, spread))) {
            Ok(result) => result,
            Err(panic) => Err(state.poison(&guard::words(&*panic))),
        }
    }

    /// Calls `work` with each of some bodies to read and its place in the list, several at a time where threads have nothing
    /// else to do; with none of them if `check` refuses one.
    pub(crate) fn with_bodies<R: Send + Clone>(
        &self,
        named: &[Named],
        check: impl Fn(usize, &Body) -> Result<(), Failure>,
        work: impl Fn(usize, &Body) -> R + Sync,
    ) -> Result<Vec<R>, Failure> {
        let state = &mut *self.lock();
        let world = state.readable()?;
        let mut bodies = Vec::with_capacity(named.len());
        for (i, named) in named.iter().enumerate() {
            let body = state.body(world, named)?;
            check(i, body)?;
            bodies.push(body);
        }
        let mut results = vec![None; bodies.len()];
        let spread = world.map_or(Spread::Here, World::spread);
        let run = || {
            spread.for_blocks(chunks(&mut results, 1), |i, result| result[0] = Some(work(i, bodies[i])));
        };
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(()) => Ok(results.into_iter().flatten().collect()),
            Err(panic) => Err(state.poison(&guard::words(&*panic))),
        }
    }
}
