//! What is read of bodies.

use wobble::capi::defs::*;
use wobble::capi::handles::WobbleBody;
use wobble::capi::reading::*;

use super::body::particle;
use crate::driver::Driver;
use crate::memory::Memory;
use crate::shadow::Use;
use crate::{api, ask};

fn particles(driver: &Driver, body: WobbleBody) -> u32 {
    driver.shadow.info_of(body).map_or(0, |info| info.particles)
}

pub(super) fn particle_count(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    if let Some(count) = ask!(driver, wobble_body_particle_count(body) -> u32) {
        driver.ensure(count == particles(driver, body), || format!("{count} particles"));
    }
}

pub(super) fn positions(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let count = particles(driver, body);
    let array = driver.array_out(count, 12);
    let status = api!(driver, wobble_body_positions(body, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 12);
}

pub(super) fn velocities(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let count = particles(driver, body);
    let array = driver.array_out(count, 12);
    let status = api!(driver, wobble_body_velocities(body, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 12);
}

pub(super) fn previous_positions(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let count = particles(driver, body);
    let array = driver.array_out(count, 12);
    let status = api!(driver, wobble_body_previous_positions(body, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 12);
}

/// Looks at every number of a view while it is good.
fn look(driver: &mut Driver, body: WobbleBody, view: Option<WobbleView>) {
    let Some(view) = view else { return };
    let right = view.count == particles(driver, body) && view.stride == 16;
    driver.ensure(right, || format!("{view:?} of {} particles", particles(driver, body)));
    for i in 0..view.count as usize {
        let mut memory = Memory::new(12);
        // SAFETY: by the header there are three numbers in every element, until the next change.
        unsafe { std::ptr::copy_nonoverlapping(view.data.cast::<u8>().add(16 * i), memory.pointer(), 12) };
        driver.note_bytes(&memory.bytes()[..12]);
    }
}

pub(super) fn view_positions(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let output = driver.out::<WobbleView>();
    let status = api!(driver, wobble_body_view_positions(body, output.pointer));
    let view = driver.take_unnoted(&output, status);
    look(driver, body, view);
}

pub(super) fn view_velocities(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let output = driver.out::<WobbleView>();
    let status = api!(driver, wobble_body_view_velocities(body, output.pointer));
    let view = driver.take_unnoted(&output, status);
    look(driver, body, view);
}

pub(super) fn cluster_transforms(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let clusters = driver.shadow.info_of(body).map_or(Vec::new(), |info| info.clusters.clone());
    let level = driver.index(clusters.len() as u32);
    let count = clusters.get(level as usize).copied().unwrap_or(0);
    let array = driver.array_out(count, 28);
    let pointer = array.pointer.cast::<WobbleTransform>();
    let status =
        api!(driver, wobble_body_cluster_transforms(body, level, pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 28);
}

pub(super) fn centre_of_mass(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_centre_of_mass(body) -> WobbleVec3);
}

pub(super) fn momentum(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_momentum(body) -> WobbleVec3);
}

pub(super) fn angular_momentum(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_angular_momentum(body) -> WobbleVec3);
}

pub(super) fn bounds(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    if let Some(WobbleBounds { low, high }) = ask!(driver, wobble_body_bounds(body) -> WobbleBounds) {
        let sound = low.x <= high.x && low.y <= high.y && low.z <= high.z;
        driver.ensure(sound, || format!("from {low:?} to {high:?}"));
    }
}

pub(super) fn shape_error(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_shape_error(body) -> f32);
}

pub(super) fn volume(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_volume(body) -> f32);
}

pub(super) fn kinetic_energy(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_kinetic_energy(body) -> f32);
}

pub(super) fn elastic_energy(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_elastic_energy(body) -> f32);
}

fn flag(driver: &Driver, value: Option<u32>) {
    driver.ensure(value.is_none_or(|v| v <= 1), || format!("{value:?} is neither 0 nor 1"));
}

pub(super) fn is_enabled(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let found = ask!(driver, wobble_body_is_enabled(body) -> u32);
    flag(driver, found);
}

pub(super) fn is_frozen(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let found = ask!(driver, wobble_body_is_frozen(body) -> u32);
    flag(driver, found);
}

pub(super) fn is_pinned(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let particle = particle(driver, body);
    let found = ask!(driver, wobble_body_is_pinned(body, particle) -> u32);
    flag(driver, found);
}

pub(super) fn pin_count(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let most = particles(driver, body);
    if let Some(count) = ask!(driver, wobble_body_pin_count(body) -> u32) {
        driver.ensure(count <= most, || format!("{count} pins of {most} particles"));
    }
}

pub(super) fn pins(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let most = particles(driver, body);
    let list = driver.list_out::<u32>(0, most);
    let found = ask!(driver, wobble_body_pins(body, list.pointer, list.capacity) -> u32);
    for pin in list.take(driver, found) {
        driver.ensure(pin < most, || format!("pin {pin} of {most} particles"));
    }
}

pub(super) fn position_of(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let particle = particle(driver, body);
    ask!(driver, wobble_body_position_of(body, particle) -> WobbleVec3);
}

pub(super) fn velocity_of(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let particle = particle(driver, body);
    ask!(driver, wobble_body_velocity_of(body, particle) -> WobbleVec3);
}
