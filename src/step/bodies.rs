//! Stages of single bodies, for all of them: small ones in batches over the threads, each large one by all.

use super::sharing::{self, Sizes};
use super::touching::{self, Gathered};
use super::{Pass, limit_strain, move_bodies};
use crate::body::Body;
use crate::collide::meeting::Meetings;
use crate::collide::parts::Parts;
use crate::parallel::{Nothing, Spread, chunks, rows};
use crate::profile::Stage;
use crate::slots::Slot;

/// Moves every body by a substep and, while it is in the cache, takes what contacts that are known read of it.
pub(crate) fn move_all(pass: Pass, slots: &mut [Slot], sizes: Sizes, team: Spread, meetings: &mut Meetings) {
    let Meetings { parts: Parts { starts, particles, list: parts, .. }, wholes, .. } = meetings;
    let laid_out = (&starts[..], &particles[..]);
    let work = |spread, from, slots: &mut [Slot], gathered: Gathered, chosen: &dyn Fn(&Body) -> bool| {
        move_bodies(Pass { spread, ..pass }, slots, chosen);
        if !particles.is_empty() {
            pass.clock.time(Stage::Contacts, || {
                touching::gather(from, slots, laid_out, gathered, pass, chosen);
            });
        }
    };
    let beside = (rows(parts, starts, sizes.batch()), chunks(wholes, sizes.batch()));
    sharing::for_small(slots, sizes, team, beside, |from, slots, gathered, small| {
        work(Spread::Here, from, slots, gathered, small);
    });
    let beside = (rows(parts, starts, 1), chunks(wholes, 1));
    sharing::for_large(slots, sizes, beside, |from, slot, gathered| {
        work(team, from, slot, gathered, &|_| true);
    });
}

/// Strain-limits every body, after contacts.
pub(crate) fn limit_all(pass: Pass, slots: &mut [Slot], sizes: Sizes, team: Spread) {
    let work = |spread, slots: &mut [Slot], chosen: &dyn Fn(&Body) -> bool| {
        limit_strain(Pass { spread, ..pass }, slots, chosen);
    };
    sharing::for_small(slots, sizes, team, Nothing, |_, slots, (), small| work(Spread::Here, slots, small));
    sharing::for_large(slots, sizes, Nothing, |_, slot, ()| work(team, slot, &|_| true));
}
