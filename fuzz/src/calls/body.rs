//! Bodies: made, destroyed, placed, held.

use wobble::capi::body::*;
use wobble::capi::defs::*;
use wobble::capi::handles::{WobbleBody, WobbleShape, WobbleWorld};

use super::torn::{self, Happened};
use super::{shape, tuning};
use crate::driver::{Driver, Expect};
use crate::shadow::{Any, BodyShadow, Use};
use crate::{api, ask};

/// Bodies in a world.
const MOST_BODIES: usize = 8;

pub(super) fn def_init(driver: &mut Driver) {
    super::init::<WobbleBodyDef>(driver, "wobble_body_def_init", wobble_body_def_init);
}

pub(super) fn create(driver: &mut Driver) {
    let material = tuning::material(driver);
    let material = driver.sized(material, true);
    let value = WobbleBodyDef {
        struct_size: 0,
        position: driver.vector(4.0),
        rotation: driver.quaternion(),
        velocity: driver.vector(5.0),
        material: material.pointer,
        friction: driver.float(0.0, 1e6, (0.0, 2.0)),
        restitution: driver.float(0.0, 1.0, (0.0, 1.0)),
        combine: driver.integer(0, 4, 4),
        group: driver.dice.pick(&[1, 1, 2, 0]),
        mask: driver.dice.pick(&[u32::MAX, u32::MAX, 1, 0]),
        radius: driver.float(0.0, 1e6, (0.0, 0.1)),
        can_sleep: driver.integer(0, 1, 1),
        reserved: 0,
    };
    let def = driver.sized(value, true);
    let (world, shape) = (driver.world(Use::Change), driver.shape());
    let full =
        driver.shadow.world_at(world).is_some_and(|at| driver.shadow.worlds[at].bodies.len() >= MOST_BODIES);
    if full {
        driver.expect = Expect::Success;
        return destroy(driver);
    }
    let made = ask!(driver, wobble_body_create(world, shape, def.pointer) -> WobbleBody);
    let Some(handle) = made else { return };
    let dead =
        driver.shadow.dead.contains(&Any::Body(handle.bits)) || driver.shadow.body_at(handle).is_some();
    driver.ensure(!dead, || format!("{handle:?} was given out before"));
    let (Some(w), Some(s)) = (driver.shadow.world_at(world), driver.shadow.shape_at(shape)) else {
        driver.fail("a body of unknown origin")
    };
    let info = driver.shadow.shapes[s].info.clone();
    driver.shadow.worlds[w].bodies.push(BodyShadow { handle, info });
}

pub(super) fn destroy(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    if api!(driver, wobble_body_destroy(body)) == 0 {
        let Some((w, b)) = driver.shadow.body_at(body) else { driver.fail("destroyed an unknown body") };
        driver.shadow.worlds[w].bodies.swap_remove(b);
        driver.shadow.dead.push(Any::Body(body.bits));
    }
}

pub(super) fn world(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    if let Some(world) = ask!(driver, wobble_body_world(body) -> WobbleWorld) {
        let right = driver.shadow.body_at(body).is_some_and(|(w, _)| driver.shadow.worlds[w].handle == world);
        driver.ensure(right, || format!("lives in {world:?}"));
    }
}

pub(super) fn get_shape(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    if let Some(handle) = ask!(driver, wobble_body_shape(body) -> WobbleShape) {
        let found = shape::adopt(driver, handle);
        let right = driver.shadow.info_of(body).is_some_and(|info| info == found);
        driver.ensure(right, || format!("is of the shape {found:?}"));
    }
}

pub(super) fn set_enabled(driver: &mut Driver) {
    let (body, enabled) = (driver.body(Use::Change), driver.index(2));
    // Mostly on, or nothing moves after a while.
    let enabled = if enabled == 0 && driver.dice.chance(50) { 1 } else { enabled };
    api!(driver, wobble_body_set_enabled(body, enabled));
}

pub(super) fn set_velocity(driver: &mut Driver) {
    let (body, v) = (driver.body(Use::Change), driver.vector(10.0));
    api!(driver, wobble_body_set_velocity(body, v.x, v.y, v.z));
}

pub(super) fn teleport(driver: &mut Driver) {
    let (position, rotation) = (driver.vector(5.0), driver.quaternion());
    let position = driver.one(position, true);
    let rotation = driver.one(rotation, true);
    let body = driver.body(Use::Change);
    api!(driver, wobble_body_teleport(body, position.pointer, rotation.pointer));
}

pub(super) fn reset(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    if api!(driver, wobble_body_reset(body)) == 0
        && let Some((at, _)) = driver.shadow.body_at(body)
    {
        let world = driver.shadow.worlds[at].handle;
        torn::settle(driver, world, Happened::Mended);
    }
}

/// A particle of a body.
pub(super) fn particle(driver: &mut Driver, body: WobbleBody) -> u32 {
    let count = driver.shadow.info_of(body).map_or(0, |info| info.particles);
    driver.index(count)
}

pub(super) fn pin(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let particle = particle(driver, body);
    api!(driver, wobble_body_pin(body, particle));
}

pub(super) fn unpin(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let particle = particle(driver, body);
    api!(driver, wobble_body_unpin(body, particle));
}

pub(super) fn move_pin(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (particle, to) = (particle(driver, body), driver.vector(5.0));
    if driver.dice.chance(70) && driver.expect == Expect::Success {
        api!(driver, wobble_body_pin(body, particle));
    } else {
        // Is it pinned?
        driver.unsure();
    }
    api!(driver, wobble_body_move_pin(body, particle, to.x, to.y, to.z));
}

pub(super) fn set_position_of(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (particle, p) = (particle(driver, body), driver.vector(5.0));
    api!(driver, wobble_body_set_position_of(body, particle, p.x, p.y, p.z));
}

pub(super) fn set_velocity_of(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (particle, v) = (particle(driver, body), driver.vector(10.0));
    api!(driver, wobble_body_set_velocity_of(body, particle, v.x, v.y, v.z));
}

/// A vector for every particle of a body; in bad cases one more or a bad one.
fn vectors(driver: &mut Driver, body: WobbleBody, scale: f32) -> Vec<[f32; 3]> {
    let mut count = driver.shadow.info_of(body).map_or(0, |info| info.particles);
    if driver.spoil() {
        driver.bad();
        count += 1;
    }
    let mut part = || driver.dice.float(-scale, scale);
    let mut all: Vec<[f32; 3]> = (0..count).map(|_| [part(), part(), part()]).collect();
    if let Some(last) = all.last_mut() {
        last[1] = driver.coordinate(scale);
    }
    all
}

pub(super) fn set_positions(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let vectors = vectors(driver, body, 2.0);
    let array = driver.array_in(&vectors);
    api!(driver, wobble_body_set_positions(body, array.pointer, array.count, array.stride));
}

pub(super) fn set_velocities(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let vectors = vectors(driver, body, 5.0);
    let array = driver.array_in(&vectors);
    api!(driver, wobble_body_set_velocities(body, array.pointer, array.count, array.stride));
}
