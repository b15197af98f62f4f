//! Forces and impulses.

use wobble::capi::body::*;

use super::body::particle;
use crate::api;
use crate::driver::Driver;
use crate::shadow::Use;

pub(super) fn apply_force(driver: &mut Driver) {
    let (body, f) = (driver.body(Use::Change), driver.vector(50.0));
    api!(driver, wobble_body_apply_force(body, f.x, f.y, f.z));
}

pub(super) fn apply_force_to(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (particle, f) = (particle(driver, body), driver.vector(5.0));
    api!(driver, wobble_body_apply_force_to(body, particle, f.x, f.y, f.z));
}

pub(super) fn apply_impulse(driver: &mut Driver) {
    let (body, i) = (driver.body(Use::Change), driver.vector(3.0));
    api!(driver, wobble_body_apply_impulse(body, i.x, i.y, i.z));
}

pub(super) fn apply_torque_impulse(driver: &mut Driver) {
    let (body, i) = (driver.body(Use::Change), driver.vector(0.5));
    // Bodies without extent take none.
    driver.unsure();
    api!(driver, wobble_body_apply_torque_impulse(body, i.x, i.y, i.z));
}

pub(super) fn apply_impulse_to(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (particle, i) = (particle(driver, body), driver.vector(0.1));
    api!(driver, wobble_body_apply_impulse_to(body, particle, i.x, i.y, i.z));
}

pub(super) fn apply_impulse_at(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (point, impulse) = (driver.vector(2.0), driver.vector(1.0));
    let radius = driver.float(f32::MIN_POSITIVE, 1e9, (0.1, 20.0));
    let point = driver.one(point, false);
    let impulse = driver.one(impulse, false);
    // There may be nobody within reach.
    driver.unsure();
    api!(driver, wobble_body_apply_impulse_at(body, point.pointer, impulse.pointer, radius));
}
