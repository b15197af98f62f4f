//! How bodies are shared out over threads: small ones in batches, each large one over all.

use crate::body::Body;
use crate::parallel::{Spread, Work, chunks};
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

    /// Places of small bodies that make a batch.
    pub(crate) fn batch(&self) -> usize {
        (BATCH * self.small / self.small_particles.max(1)).clamp(1, 64)
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

/// Hands out small bodies in batches over the threads, each with its part of what goes `beside` them, cut by `Sizes::batch` places. `work`
/// also gets the first place of a batch, and which bodies in it are small.
pub(crate) fn for_small<W: Work>(
    slots: &mut [Slot],
    sizes: Sizes,
    team: Spread,
    beside: W,
    work: impl Fn(usize, &mut [Slot], W::Block, &dyn Fn(&Body) -> bool) + Sync,
) {
    if sizes.small > 0 {
        let spread = if sizes.small_particles > BATCH { team } else { Spread::Here };
        spread.for_blocks((chunks(slots, sizes.batch()), beside), |block, (slots, beside)| {
            work(block * sizes.batch(), slots, beside, &|body| !is_large(body));
        });
    }
}

/// Hands out large bodies one after the other, each with its part of what goes `beside` them, cut place by place, and tells its place.
pub(crate) fn for_large<W: Work>(
    slots: &mut [Slot],
    sizes: Sizes,
    beside: W,
    work: impl Fn(usize, &mut [Slot], W::Block) + Sync,
) {
    if sizes.large_particles > 0 {
        Spread::Here.for_blocks((chunks(slots, 1), beside), |place, (slot, beside)| {
            if slot[0].active_body().is_some_and(is_large) {
                work(place, slot, beside);
            }
        });
    }
}
