//! Shapes saved and loaded, states written down and restored, from good bytes and from bad ones.

use std::rc::Rc;

use wobble::capi::body::{
    wobble_body_restore, wobble_body_shape, wobble_body_snapshot, wobble_body_snapshot_size,
};
use wobble::capi::handles::{WobbleBody, WobbleCollider, WobbleShape, WobbleWorld};
use wobble::capi::shape::*;
use wobble::capi::world::*;

use super::shape;
use crate::bytes::{self, Spoilt};
use crate::driver::{Driver, Expect};
use crate::memory::Memory;
use crate::shadow::{Any, BodyShadow, Kind, Saved, Use};
use crate::values::Input;
use crate::{api, ask};

/// Files at a time.
const MOST_SAVED: usize = 8;

/// Room for bytes that the library is to write, in bad cases too little.
struct Room {
    memory: Memory,
    pointer: *mut u8,
    capacity: u32,
}

impl Driver {
    /// Room for `size` bytes; none if the call is refused before anyone asks for it.
    fn room(&mut self, size: Option<u32>) -> Room {
        let size = size.unwrap_or(64);
        let mut capacity = size + self.dice.pick(&[0, 1, 64]);
        let mut memory = Memory::new(capacity as usize);
        let mut pointer: *mut u8 = memory.pointer();
        if self.spoil() {
            self.bad();
            if self.dice.chance(30) {
                pointer = std::ptr::null_mut();
            } else {
                capacity = self.dice.between(0, size - 1);
            }
        }
        Room { memory, pointer, capacity }
    }

    /// What was written into a room, of which the library says `size`.
    fn written(&mut self, room: &Room, size: Option<u32>) -> Option<Vec<u8>> {
        let size = size.map(|s| s as usize);
        self.ensure(room.memory.is_marked_from(size.unwrap_or(0)), || "wrote where it must not".into());
        Some(room.memory.bytes()[..size?].to_vec())
    }

    fn keep(&mut self, saved: Saved) {
        if self.shadow.saved.len() >= MOST_SAVED {
            let at = self.dice.index(MOST_SAVED);
            self.shadow.saved.swap_remove(at);
        }
        self.shadow.saved.push(saved);
    }

    /// Saved bytes, mostly of the wanted kind, now and then spoilt.
    fn bytes_of(&mut self, kind: Kind) -> Option<(usize, Input<u8>, Option<Spoilt>)> {
        let all = 0..self.shadow.saved.len();
        let places: Vec<usize> = all.filter(|&i| self.shadow.saved[i].kind == kind).collect();
        let any = self.sour && self.dice.chance(15);
        if self.shadow.saved.is_empty() || places.is_empty() && !any {
            return None;
        }
        let at = if any { self.dice.index(self.shadow.saved.len()) } else { self.dice.pick(&places) };
        let hopeless = self.expect == Expect::Refusal || self.shadow.saved[at].kind != kind;
        let mut bytes = self.shadow.saved[at].bytes.clone();
        let spoilt = (self.sour && self.dice.chance(75)).then(|| bytes::spoil(&mut bytes, &mut self.dice));
        match spoilt {
            Some(Spoilt::Plainly) => self.bad(),
            _ if hopeless => self.bad(),
            _ => {}
        }
        let mut memory = Memory::of(&bytes);
        let mut pointer: *const u8 = memory.pointer();
        if self.sour && self.dice.chance(5) {
            self.bad();
            pointer = std::ptr::null();
        }
        Some((at, Input { memory, pointer }, spoilt))
    }

    /// With a checksum that fits, what was right may be wrong now, and the other way round.
    fn forgive(&mut self, spoilt: Option<Spoilt>) {
        if spoilt == Some(Spoilt::Cunningly) {
            self.expect = Expect::Either;
        }
    }
}

pub(super) fn save_size(driver: &mut Driver) {
    let shape = driver.shape();
    ask!(driver, wobble_shape_save_size(shape) -> u32);
}

pub(super) fn save(driver: &mut Driver) {
    let shape = driver.shape();
    let at = driver.shadow.shape_at(shape);
    let size = at.and_then(|_| driver.calmly(|d| ask!(d, wobble_shape_save_size(shape) -> u32)));
    let room = driver.room(size);
    let size = ask!(driver, wobble_shape_save(shape, room.pointer, room.capacity) -> u32);
    let (Some(bytes), Some(at)) = (driver.written(&room, size), at) else { return };
    let info = Some(Rc::clone(&driver.shadow.shapes[at].info));
    let world = WobbleWorld::default();
    let (bodies, colliders) = (Vec::new(), Vec::new());
    driver.keep(Saved { kind: Kind::Shape, bytes, world, bodies, colliders, fragile: false, info });
}

pub(super) fn load(driver: &mut Driver) {
    if driver.shadow.shapes.len() >= 8 {
        return shape::release(driver);
    }
    let Some((at, input, spoilt)) = driver.bytes_of(Kind::Shape) else { return save(driver) };
    if driver.expect == Expect::Success {
        driver.forgive(spoilt);
    }
    let size = input.memory.size() as u32;
    let loaded = ask!(driver, wobble_shape_load(input.pointer, size) -> WobbleShape);
    if let Some(handle) = loaded {
        let found = shape::adopt(driver, handle);
        let same = driver.shadow.saved[at].info.as_ref() == Some(&found);
        driver.ensure(same || spoilt.is_some(), || format!("loaded {found:?}"));
    }
}

pub(super) fn body_snapshot_size(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_snapshot_size(body) -> u32);
}

pub(super) fn body_snapshot(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let info = driver.shadow.info_of(body);
    let size = info.as_ref().and_then(|_| driver.calmly(|d| ask!(d, wobble_body_snapshot_size(body) -> u32)));
    let room = driver.room(size);
    let size = ask!(driver, wobble_body_snapshot(body, room.pointer, room.capacity) -> u32);
    let (Some(bytes), Some(info)) = (driver.written(&room, size), info) else { return };
    driver.note_bytes(&bytes);
    let (bodies, colliders) = (vec![BodyShadow { handle: body, info }], Vec::new());
    let world = WobbleWorld::default();
    driver.keep(Saved { kind: Kind::Body, bytes, world, bodies, colliders, fragile: false, info: None });
}

pub(super) fn body_restore(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let hopeless = driver.expect == Expect::Refusal;
    let Some((at, input, spoilt)) = driver.bytes_of(Kind::Body) else {
        driver.expect = Expect::Success;
        return body_snapshot(driver);
    };
    let wanted = driver.shadow.info_of(body).map(|info| info.fingerprint);
    let right = driver.shadow.saved[at].bodies.first().is_some_and(|b| Some(b.info.fingerprint) == wanted);
    if !right {
        driver.bad();
    } else if driver.shadow.body_at(body).is_some_and(|(w, _)| driver.shadow.worlds[w].fragile) {
        // A piece has more to it than its shape.
        driver.unsure();
    }
    if !hopeless && !input.pointer.is_null() {
        driver.forgive(spoilt);
    }
    let size = input.memory.size() as u32;
    api!(driver, wobble_body_restore(body, input.pointer, size));
}

pub(super) fn world_snapshot_size(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    ask!(driver, wobble_world_snapshot_size(world) -> u32);
}

pub(super) fn world_snapshot(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let at = driver.shadow.world_at(world).filter(|_| driver.expect == Expect::Success);
    let size = at.and_then(|_| driver.calmly(|d| ask!(d, wobble_world_snapshot_size(world) -> u32)));
    let room = driver.room(size);
    let size = ask!(driver, wobble_world_snapshot(world, room.pointer, room.capacity) -> u32);
    let (Some(bytes), Some(at)) = (driver.written(&room, size), at) else { return };
    driver.note_bytes(&bytes);
    let known = &driver.shadow.worlds[at];
    let (bodies, colliders, fragile) = (known.bodies.clone(), known.colliders.clone(), known.fragile);
    driver.keep(Saved { kind: Kind::World, bytes, world, bodies, colliders, fragile, info: None });
}

pub(super) fn world_restore(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let mut handles: Vec<WobbleShape> = driver.shadow.shapes.iter().map(|s| s.handle).collect();
    if driver.spoil() {
        handles.push(WobbleShape { bits: driver.dice.bits() });
        driver.bad();
    } else if driver.dice.chance(30) {
        handles.truncate(driver.dice.index(handles.len() + 1));
    }
    let mut memory = Memory::of(&handles);
    let shapes: *const WobbleShape = memory.pointer();
    let hopeless = driver.expect == Expect::Refusal;
    let Some((from, input, spoilt)) = driver.bytes_of(Kind::World) else {
        driver.expect = Expect::Success;
        return world_snapshot(driver);
    };
    let fingerprint = |handle: &WobbleShape| {
        driver.shadow.shape_at(*handle).map(|at| driver.shadow.shapes[at].info.fingerprint)
    };
    let mut known: Vec<u64> = handles.iter().filter_map(fingerprint).collect();
    let mut fragile = driver.shadow.saved[from].fragile;
    if let Some(at) = driver.shadow.world_at(world) {
        known.extend(driver.shadow.worlds[at].bodies.iter().map(|b| b.info.fingerprint));
        fragile |= driver.shadow.worlds[at].fragile;
    }
    if fragile {
        // Pieces are in the bytes, or in the world, and which whole they are of is not in the books.
        driver.unsure();
    } else if !driver.shadow.saved[from].bodies.iter().all(|b| known.contains(&b.info.fingerprint)) {
        driver.bad();
    }
    if !hopeless && !input.pointer.is_null() {
        driver.forgive(spoilt);
    }
    let (size, count) = (input.memory.size() as u32, handles.len() as u32);
    if api!(driver, wobble_world_restore(world, input.pointer, size, shapes, count)) == 0 {
        driver.calmly(|d| after_restore(d, world, from, spoilt.is_none()));
    }
}

/// Where the bytes came from that a world was restored from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// That world itself.
    Own,
    /// Another one.
    Foreign,
    /// They were spoilt, so that anything may be in them.
    Unclear,
}

/// Brings the books in line with a world that was restored.
fn after_restore(driver: &mut Driver, world: WobbleWorld, from: usize, intact: bool) {
    let Some(at) = driver.shadow.world_at(world) else { driver.fail("restored an unknown world") };
    let saved = &driver.shadow.saved[from];
    let source = match intact {
        true if saved.world == world => Source::Own,
        true => Source::Foreign,
        false => Source::Unclear,
    };
    let mut wanted: Vec<u64> = saved.bodies.iter().map(|b| b.handle.bits).collect();
    let (colliders, fragile) = (saved.colliders.clone(), saved.fragile);
    let before: Vec<u64> = driver.shadow.worlds[at].bodies.iter().map(|b| b.handle.bits).collect();
    driver.shadow.worlds[at].bodies.clear();
    driver.shadow.worlds[at].fragile |= fragile;
    refresh(driver, world);
    let mut now: Vec<u64> = driver.shadow.worlds[at].bodies.iter().map(|b| b.handle.bits).collect();
    let old = |bits: &u64| before.contains(bits) || driver.shadow.dead.contains(&Any::Body(*bits));
    let again = now.iter().find(|bits| old(bits));
    driver.ensure(source != Source::Foreign || again.is_none(), || {
        format!("handle {again:x?} names a body of another world now")
    });
    driver.shadow.dead.retain(|d| !matches!(d, Any::Body(bits) if now.contains(bits)));
    driver.shadow.dead.extend(before.into_iter().filter(|b| !now.contains(b)).map(Any::Body));
    now.sort_unstable();
    wanted.sort_unstable();
    driver.ensure(source != Source::Own || now == wanted, || {
        format!("restored {now:x?} instead of {wanted:x?}")
    });
    restore_colliders(driver, at, source, colliders);
    // Attachments and fields that were destroyed may be there again.
    let here = |bits: u64| bits >> 48 & 0x1fff == world.bits >> 48 & 0x1fff;
    let again = |d: &Any| matches!(d, Any::Attachment(bits) | Any::Field(bits) if here(*bits));
    driver.shadow.dead.retain(|d| !again(d));
}

/// The same for its colliders.
fn restore_colliders(driver: &mut Driver, at: usize, source: Source, wanted: Vec<WobbleCollider>) {
    let now = super::collider::listed(driver, driver.shadow.worlds[at].handle);
    let before = std::mem::take(&mut driver.shadow.worlds[at].colliders);
    let old = |c: &WobbleCollider| before.contains(c) || driver.shadow.dead.contains(&Any::Collider(c.bits));
    let again = now.iter().find(|c| old(c));
    driver.ensure(source != Source::Foreign || again.is_none(), || {
        format!("handle {again:x?} names a collider of another world now")
    });
    let same = now.len() == wanted.len() && now.iter().all(|c| wanted.contains(c));
    driver.ensure(source != Source::Own || same, || format!("restored {now:x?} instead of {wanted:x?}"));
    driver.shadow.dead.retain(|d| !now.iter().any(|c| Any::Collider(c.bits) == *d));
    let gone = before.into_iter().filter(|c| !now.contains(c)).map(|c| Any::Collider(c.bits));
    driver.shadow.dead.extend(gone);
    driver.shadow.worlds[at].colliders = now;
}

/// Asks a world for its bodies and puts them into the books.
pub(super) fn refresh(driver: &mut Driver, world: WobbleWorld) {
    let count = ask!(driver, wobble_world_body_count(world) -> u32).unwrap_or(0);
    let mut memory = Memory::new(8 * count as usize);
    let pointer = memory.pointer::<WobbleBody>();
    ask!(driver, wobble_world_bodies(world, pointer, count) -> u32);
    for i in 0..count as usize {
        let handle: WobbleBody = memory.get(8 * i);
        let Some(lent) = ask!(driver, wobble_body_shape(handle) -> WobbleShape) else { return };
        let info = shape::adopt(driver, lent);
        api!(driver, wobble_shape_release(lent));
        driver.shadow.shapes.retain(|s| s.handle != lent);
        driver.shadow.dead.push(Any::Shape(lent.bits));
        if let Some(at) = driver.shadow.world_at(world) {
            driver.shadow.worlds[at].bodies.push(BodyShadow { handle, info });
        }
    }
}
