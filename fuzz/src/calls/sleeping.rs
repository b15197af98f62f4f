//! Bodies at rest.

use wobble::capi::handles::{WobbleBody, WobbleWorld};
use wobble::capi::sleeping::*;

use super::world::is_body_of;
use crate::driver::Driver;
use crate::shadow::Use;
use crate::{api, ask};

pub(super) fn set_sleeping(driver: &mut Driver) {
    let (world, enabled) = (driver.world(Use::Change), driver.integer(0, 1, 1));
    let speed = driver.float(0.0, 1e6, (0.0, 5.0));
    api!(driver, wobble_world_set_sleeping(world, enabled, speed));
}

pub(super) fn sleeping(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let enabled = driver.out::<u32>();
    let speed = driver.out::<f32>();
    let status = api!(driver, wobble_world_sleeping(world, enabled.pointer, speed.pointer));
    let (enabled, speed) = (driver.take(&enabled, status), driver.take(&speed, status));
    let fine = enabled.is_none_or(|on| on <= 1) && speed.is_none_or(|speed| (0.0..=1e6).contains(&speed));
    driver.ensure(fine, || format!("{enabled:?}, {speed:?}"));
}

pub(super) fn slept(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let list = driver.list_out::<WobbleBody>(0, body_count(driver, world));
    let found = ask!(driver, wobble_world_slept(world, list.pointer, list.capacity) -> u32);
    let listed = list.take(driver, found);
    all_are_of(driver, world, &listed);
}

pub(super) fn woke(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let list = driver.list_out::<WobbleBody>(0, body_count(driver, world));
    let found = ask!(driver, wobble_world_woke(world, list.pointer, list.capacity) -> u32);
    let listed = list.take(driver, found);
    all_are_of(driver, world, &listed);
}

fn body_count(driver: &Driver, world: WobbleWorld) -> u32 {
    let at = driver.shadow.world_at(world);
    at.map_or(0, |at| driver.shadow.worlds[at].bodies.len() as u32)
}

fn all_are_of(driver: &mut Driver, world: WobbleWorld, listed: &[WobbleBody]) {
    let at = driver.shadow.world_at(world);
    let all = listed.iter().all(|b| is_body_of(driver, at, *b));
    driver.ensure(all, || format!("{listed:?} are not all bodies of the world"));
}

pub(super) fn wake_all(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    api!(driver, wobble_world_wake_all(world));
}

pub(super) fn set_can_sleep(driver: &mut Driver) {
    let (body, can_sleep) = (driver.body(Use::Change), driver.integer(0, 1, 1));
    api!(driver, wobble_body_set_can_sleep(body, can_sleep));
}

pub(super) fn can_sleep(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_can_sleep(body) -> u32);
}

pub(super) fn is_sleeping(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_is_sleeping(body) -> u32);
}

pub(super) fn wake(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    api!(driver, wobble_body_wake(body));
}

pub(super) fn put_to_sleep(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    api!(driver, wobble_body_put_to_sleep(body));
}
