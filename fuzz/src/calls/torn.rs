//! The books of a world whose bodies may have broken: who is there now, and whether all particles still are.

use std::collections::BTreeMap;

use wobble::capi::body::wobble_body_destroy;
use wobble::capi::breaking::*;
use wobble::capi::handles::WobbleWorld;

use super::saving;
use crate::driver::Driver;
use crate::shadow::{Any, BodyShadow};
use crate::{api, ask};

/// Bodies in a world that may be in pieces; more are destroyed.
const MOST_PIECES: usize = 24;

/// What may have happened to the bodies of a world.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happened {
    /// A step, in which they may have broken.
    Stepped,
    /// One was cut, into so many pieces.
    Cut(u32),
    /// One was mended.
    Mended,
}

/// Brings the books in line, if something in the world can be in pieces at all.
pub(crate) fn settle(driver: &mut Driver, world: WobbleWorld, happened: Happened) {
    let Some(at) = driver.shadow.world_at(world).filter(|&at| driver.shadow.worlds[at].fragile) else {
        return;
    };
    let calls = driver.calls;
    driver.calmly(|driver| {
        let before = std::mem::take(&mut driver.shadow.worlds[at].bodies);
        saving::refresh(driver, world);
        let now = driver.shadow.worlds[at].bodies.clone();
        check_names(driver, &before, &now);
        let particles =
            |bodies: &[BodyShadow]| bodies.iter().map(|b| u64::from(b.info.particles)).sum::<u64>();
        let (had, has) = (particles(&before), particles(&now));
        driver
            .ensure(happened == Happened::Mended || had == has, || format!("{had} particles are {has} now"));
        match happened {
            Happened::Stepped => check_events(driver, world, &before, &now),
            Happened::Cut(pieces) => {
                let new = now.len() + 1 - before.len();
                driver.ensure(new == pieces as usize, || format!("{new} pieces, not {pieces}"));
            }
            Happened::Mended => {}
        }
        for body in now.iter().skip(MOST_PIECES) {
            api!(driver, wobble_body_destroy(body.handle));
            driver.shadow.dead.push(Any::Body(body.handle.bits));
        }
        driver.shadow.worlds[at].bodies.truncate(MOST_PIECES);
    });
    driver.bookkeeping += driver.calls - calls;
}

/// Pieces have names that nobody had before.
fn check_names(driver: &mut Driver, before: &[BodyShadow], now: &[BodyShadow]) {
    let is_in = |list: &[BodyShadow], b: &BodyShadow| list.iter().any(|other| other.handle == b.handle);
    for new in now.iter().filter(|b| !is_in(before, b)) {
        let dead = driver.shadow.dead.contains(&Any::Body(new.handle.bits));
        driver.ensure(!dead, || format!("{:?} was given out before", new.handle));
    }
    let gone: Vec<Any> = before.iter().filter(|b| !is_in(now, b)).map(|b| Any::Body(b.handle.bits)).collect();
    driver.shadow.dead.extend(gone);
}

/// Each particle of a body that broke in a step is in one of its pieces, once.
fn check_events(driver: &mut Driver, world: WobbleWorld, before: &[BodyShadow], now: &[BodyShadow]) {
    let list = driver.list_out::<WobbleBreak>(0, 4096);
    let found = ask!(driver, wobble_world_breaks(world, list.pointer, list.capacity) -> u32);
    let events = list.take(driver, found);
    let list = driver.list_out::<u32>(0, 1 << 16);
    let found = ask!(driver, wobble_world_broken_particles(world, list.pointer, list.capacity) -> u32);
    let all = list.take(driver, found);
    let size = |bodies: &[BodyShadow], bits: u64| {
        bodies.iter().find(|b| b.handle.bits == bits).map(|b| b.info.particles)
    };
    let mut seen: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for event in &events {
        let right = size(now, event.piece.bits) == Some(event.particle_count);
        driver.ensure(right, || format!("{event:?}, but the piece is not so large"));
        let range = event.first_particle as usize..(event.first_particle + event.particle_count) as usize;
        let Some(part) = all.get(range) else { driver.fail("an event names particles that are not told") };
        seen.entry(event.body.bits).or_default().extend(part);
    }
    for (body, mut particles) in seen {
        particles.sort_unstable();
        let whole = size(before, body).is_some_and(|count| particles.iter().copied().eq(0..count));
        driver.ensure(whole, || format!("the pieces of {body:x} are not the whole of it"));
    }
    let new = now.iter().filter(|b| size(before, b.handle.bits).is_none());
    for new in new {
        let told = events.iter().any(|event| event.piece == new.handle);
        driver.ensure(told, || format!("nobody told of {:?}", new.handle));
    }
}
