//! Particles chosen by where they are.

use wobble::capi::defs::WobbleBounds;
use wobble::capi::handles::WobbleBody;
use wobble::capi::select::*;

use crate::ask;
use crate::driver::Driver;
use crate::list::List;
use crate::shadow::Use;

fn particles(driver: &Driver, body: WobbleBody) -> u32 {
    driver.shadow.info_of(body).map_or(0, |info| info.particles)
}

/// What was chosen must be particles of the body, in order.
fn check(driver: &mut Driver, body: WobbleBody, list: &List<u32>, found: Option<u32>) {
    let (chosen, count) = (list.take(driver, found), particles(driver, body));
    let ordered = chosen.is_sorted_by(|a, b| a < b) && chosen.last().is_none_or(|last| *last < count);
    driver.ensure(ordered, || format!("{chosen:?} of {count} particles"));
}

pub(super) fn in_box(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let bounds = WobbleBounds { low: driver.vector(1.0), high: driver.vector(3.0) };
    let (bounds, space) = (driver.one(bounds, false), driver.constant(2));
    let count = particles(driver, body);
    let list = driver.list_out::<u32>(0, count);
    let (pointer, capacity) = (list.pointer, list.capacity);
    let found = ask!(
        driver,
        wobble_body_particles_in_box(body, bounds.pointer, space, pointer, capacity) -> u32
    );
    check(driver, body, &list, found);
}

pub(super) fn in_sphere(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let (centre, radius) = (driver.vector(2.0), driver.float(0.0, 1e9, (0.0, 3.0)));
    let (centre, space) = (driver.one(centre, false), driver.constant(2));
    let count = particles(driver, body);
    let list = driver.list_out::<u32>(0, count);
    let (pointer, capacity) = (list.pointer, list.capacity);
    let found = ask!(
        driver,
        wobble_body_particles_in_sphere(body, centre.pointer, radius, space, pointer, capacity) -> u32
    );
    check(driver, body, &list, found);
}

pub(super) fn nearest(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let point = driver.vector(2.0);
    let (point, space) = (driver.one(point, false), driver.constant(2));
    let count = particles(driver, body);
    if count == 0 {
        driver.bad();
    }
    if let Some(nearest) = ask!(driver, wobble_body_nearest_particle(body, point.pointer, space) -> u32) {
        driver.ensure(nearest < count, || format!("particle {nearest} of {count}"));
    }
}
