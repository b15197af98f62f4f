//! How bodies are shared out over threads: small ones in batches, each large one over all.

use crate::body::Body;
use crate::parallel::{Spread, chunks};
use crate::slots::Slot;

/// Bodies of at least this many particles are spread over threads by themselves.
const LARGE: usize = 4096;
/// Particles of small bodies that make a batch.
const BATCH: usize = 2048;

/// How much there is to step.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sizes {
    small: usize,
    small_particles: usize,
    large_particles: usize,
}

impl Sizes {
    /// `team` if there is enough for all of it.
    pub(crate) fn spread<'a>(&self, team: Spread<'a>) -> Spread<'a> {
        if self.small_particles + self.large_particles > BATCH { team } else { Spread::Here }
    }
}

fn is_large(body: &Body) -> bool {
    body.raw_positions().len() >= LARGE
}

pub(crate) fn sizes(slots: &[Slot]) -> Sizes {
    let mut sizes = Sizes::default();
    for body in slots.iter().filter_map(Slot::active_body) {
        let count = body.raw_positions().len();
        if is_large(body) {
            sizes.large_particles += count;
        } else {
            sizes.small += 1;
            sizes.small_particles += count;
        }
    }
    sizes
}

/// Hands out small bodies in batches over the threads, then each large one with all of them.
pub(crate) fn for_all(
    slots: &mut [Slot],
    sizes: Sizes,
    team: Spread,
    work: impl Fn(Spread, &mut [Slot], &dyn Fn(&Body) -> bool) + Sync,
) {
    if sizes.small > 0 {
        let batch = (BATCH * sizes.small / sizes.small_particles).clamp(1, 64);
        let spread = if sizes.small_particles > BATCH { team } else { Spread::Here };
        let small = |body: &Body| !is_large(body);
        spread.for_blocks(chunks(slots, batch), |_, slots| work(Spread::Here, slots, &small));
    }
    if sizes.large_particles > 0 {
        for slot in slots.iter_mut() {
            if slot.active_body().is_some_and(is_large) {
                work(team, std::slice::from_mut(slot), &|_| true);
            }
        }
    }
}
