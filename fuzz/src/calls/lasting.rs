//! Lasting change.

use wobble::capi::breaking::*;
use wobble::capi::defs::WobbleVec3;
use wobble::capi::handles::{WobbleBody, WobbleWorld};
use wobble::capi::lasting::*;

use super::init;
use super::torn::{self, Happened};
use crate::driver::Driver;
use crate::shadow::Use;
use crate::{api, ask};

pub(super) fn init_plasticity(driver: &mut Driver) {
    init(driver, "wobble_plasticity_init", wobble_plasticity_init);
}

pub(super) fn init_fracture(driver: &mut Driver) {
    init(driver, "wobble_fracture_init", wobble_fracture_init);
}

pub(super) fn set_plasticity(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let rule = WobblePlasticity {
        struct_size: size_of::<WobblePlasticity>() as u32,
        yield_strain: driver.float(0.0, 10.0, (0.0, 0.3)),
        flow: driver.float(0.0, 1e6, (0.0, 200.0)),
        hardening: driver.float(-100.0, 100.0, (-1.0, 1.0)),
        limit: driver.float(0.0, 10.0, (0.0, 2.0)),
        recovery: driver.float(0.0, 1e6, (0.0, 1.0)),
        recluster: driver.float(1.05, 1000.0, (1.05, 1.6)),
        fade: driver.integer(1, 1000, 40),
        most_new_clusters: driver.integer(1, 1000, 10),
    };
    let input = driver.sized(rule, true);
    // Its goals may be quadratic.
    driver.unsure();
    api!(driver, wobble_body_set_plasticity(body, input.pointer));
}

pub(super) fn plasticity(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let (memory, pointer) = driver.out_sized::<WobblePlasticity>();
    let enabled = driver.out::<u32>();
    let status = api!(driver, wobble_body_plasticity(body, pointer, enabled.pointer));
    driver.take_sized::<WobblePlasticity>(&memory, status);
    driver.take(&enabled, status);
}

pub(super) fn set_level_flow(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let levels = driver.shadow.info_of(body).map_or(1, |info| info.clusters.len() as u32);
    let level = driver.index(levels);
    let multiplier = driver.float(0.0, 1.0, (0.0, 1.0));
    api!(driver, wobble_body_set_level_flow(body, level, multiplier));
}

pub(super) fn level_flow(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let levels = driver.shadow.info_of(body).map_or(1, |info| info.clusters.len() as u32);
    let level = driver.index(levels);
    ask!(driver, wobble_body_level_flow(body, level) -> f32);
}

pub(super) fn lasting_strain(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let strain = ask!(driver, wobble_body_lasting_strain(body) -> f32);
    driver.ensure(strain.is_none_or(|s| (0.0..=10.1).contains(&s)), || format!("{strain:?}"));
}

pub(super) fn set_fracture(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let rule = WobbleFracture {
        struct_size: size_of::<WobbleFracture>() as u32,
        toughness: driver.float(1e-3, 100.0, (0.02, 0.5)),
        smallest: driver.integer(1, 1000, 20),
    };
    let input = driver.sized(rule, true);
    if api!(driver, wobble_body_set_fracture(body, input.pointer)) == 0 {
        fragile(driver, body);
    }
}

pub(super) fn fracture(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let (memory, pointer) = driver.out_sized::<WobbleFracture>();
    let enabled = driver.out::<u32>();
    let status = api!(driver, wobble_body_fracture(body, pointer, enabled.pointer));
    driver.take_sized::<WobbleFracture>(&memory, status);
    driver.take(&enabled, status);
}

pub(super) fn paint_toughness(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let count = driver.shadow.info_of(body).map_or(0, |info| info.particles);
    let values: Vec<[f32; 1]> = (0..count).map(|_| [driver.dice.pick(&[0.5, 1.0, 3.0])]).collect();
    let map = driver.array_in(&values);
    api!(driver, wobble_body_paint_toughness(body, map.pointer, map.count, map.stride));
}

pub(super) fn cut_plane(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (point, normal) = (driver.vector(2.0), driver.vector(1.0));
    let (point, normal) = (driver.one(point, false), driver.one(normal, false));
    // A normal may be too short.
    driver.unsure();
    let cut = ask!(driver, wobble_body_cut_plane(body, point.pointer, normal.pointer) -> u32);
    parted(driver, body, cut);
}

pub(super) fn cut_blade(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let [from, to] = [0, 1].map(|_| [driver.vector(2.0), driver.vector(2.0)]);
    let (from, to) = (driver.one(from, false), driver.one(to, false));
    driver.unsure();
    let cut = ask!(driver, wobble_body_cut_blade(body, from.pointer.cast::<WobbleVec3>(), to.pointer.cast::<WobbleVec3>()) -> u32);
    parted(driver, body, cut);
}

/// From now on the bodies of its world may be in pieces. Gives the world.
fn fragile(driver: &mut Driver, body: WobbleBody) -> Option<WobbleWorld> {
    let (at, _) = driver.shadow.body_at(body)?;
    driver.shadow.worlds[at].fragile = true;
    Some(driver.shadow.worlds[at].handle)
}

fn parted(driver: &mut Driver, body: WobbleBody, cut: Option<u32>) {
    if let Some(pieces) = cut
        && let Some(world) = fragile(driver, body)
    {
        torn::settle(driver, world, Happened::Cut(pieces));
    }
}

pub(super) fn breaks(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let list = driver.list_out::<WobbleBreak>(0, 64);
    driver.unsure();
    let found = ask!(driver, wobble_world_breaks(world, list.pointer, list.capacity) -> u32);
    list.take(driver, found);
}

pub(super) fn break_count(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let (count, particles) = (driver.out::<u32>(), driver.out::<u32>());
    let status = api!(driver, wobble_world_break_count(world, count.pointer, particles.pointer));
    driver.take(&count, status);
    driver.take(&particles, status);
}

pub(super) fn broken_particles(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let list = driver.list_out::<u32>(0, 4096);
    driver.unsure();
    let found = ask!(driver, wobble_world_broken_particles(world, list.pointer, list.capacity) -> u32);
    list.take(driver, found);
}

pub(super) fn set_most_fractures(driver: &mut Driver) {
    let (world, most) = (driver.world(Use::Change), driver.integer(0, 1000, 16));
    api!(driver, wobble_world_set_most_fractures(world, most));
}

pub(super) fn most_fractures(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    ask!(driver, wobble_world_most_fractures(world) -> u32);
}

pub(super) fn skin_sources(driver: &mut Driver) {
    let shape = driver.shape();
    let list = driver.list_out::<WobbleSkinSource>(0, 16);
    let found = ask!(driver, wobble_shape_skin_sources(shape, list.pointer, list.capacity) -> u32);
    list.take(driver, found);
}
