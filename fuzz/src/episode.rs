//! Some hundred calls from nothing to nothing.

use wobble::capi::attach::wobble_attachment_destroy;
use wobble::capi::body::wobble_body_destroy;
use wobble::capi::collider::wobble_collider_destroy;
use wobble::capi::field::wobble_field_destroy;
use wobble::capi::handles::*;
use wobble::capi::reading::*;
use wobble::capi::shape::{wobble_shape_particle_count, wobble_shape_release};
use wobble::capi::status::{WOBBLE_STATUS_INVALID_HANDLE, WOBBLE_STATUS_STALE_HANDLE};
use wobble::capi::world::*;

use crate::calls::{self, CALLS};
use crate::driver::{Driver, Expect, Run};
use crate::memory::Memory;
use crate::shadow::{Any, BodyShadow};
use crate::{api, ask};

/// Calls between two looks at everything.
const BETWEEN_CHECKS: u64 = 40;

/// Runs one episode; what the driver counted is left in it.
pub fn run(run: Run) -> Driver {
    let mut driver = Driver::new(run);
    let usual = u64::from(driver.dice.between(150, 500));
    let end = if run.steps == 0 { usual } else { run.steps };
    let total: u32 = CALLS.iter().map(|(_, weight, _)| weight).sum();
    let mut next_check = BETWEEN_CHECKS;
    begin(&mut driver);
    while driver.calls - driver.bookkeeping < end {
        driver.sour = driver.dice.chance(35);
        if driver.shadow.worlds.iter().any(|w| w.stepping) && driver.dice.chance(15) {
            wait(&mut driver);
        }
        let mut at = driver.dice.between(0, total - 1);
        let chosen = CALLS.iter().find(|(_, weight, _)| {
            let here = at < *weight;
            at = at.saturating_sub(*weight);
            here
        });
        if let Some((_, _, call)) = chosen {
            driver.expect = Expect::Success;
            call(&mut driver);
        }
        if driver.calls >= next_check {
            driver.calmly(check);
            next_check = driver.calls + BETWEEN_CHECKS;
        }
    }
    driver.sour = false;
    check(&mut driver);
    finish(&mut driver);
    driver
}

/// A world, a shape and a body of it, so that there is something to call for.
fn begin(driver: &mut Driver) {
    for name in [
        "wobble_set_log_callback",
        "wobble_world_create",
        "wobble_shape_create_from_points",
        "wobble_body_create",
    ] {
        if let Some((_, _, call)) = CALLS.iter().find(|(called, _, _)| *called == name) {
            call(driver);
        }
    }
}

fn wait(driver: &mut Driver) {
    for at in 0..driver.shadow.worlds.len() {
        if driver.shadow.worlds[at].stepping {
            let world = driver.shadow.worlds[at].handle;
            driver.calmly(|d| calls::wait_for(d, world));
        }
    }
}

/// Looks at everything: finite, alive or dead as it should be, the same in a replay.
fn check(driver: &mut Driver) {
    wait(driver);
    for at in 0..driver.shadow.worlds.len() {
        let world = driver.shadow.worlds[at].handle;
        ask!(driver, wobble_world_state_hash(world) -> u64);
        let count = ask!(driver, wobble_world_body_count(world) -> u32);
        let wanted = driver.shadow.worlds[at].bodies.len() as u32;
        driver.ensure(count == Some(wanted), || format!("{count:?} bodies instead of {wanted}"));
        for body in driver.shadow.worlds[at].bodies.clone() {
            check_body(driver, &body);
        }
    }
    for at in 0..driver.shadow.shapes.len() {
        let (handle, wanted) = (driver.shadow.shapes[at].handle, driver.shadow.shapes[at].info.particles);
        let count = ask!(driver, wobble_shape_particle_count(handle) -> u32);
        driver.ensure(count == Some(wanted), || format!("{count:?} particles instead of {wanted}"));
    }
    for _ in 0..5.min(driver.shadow.dead.len()) {
        let at = driver.dice.index(driver.shadow.dead.len());
        check_dead(driver, driver.shadow.dead[at]);
    }
}

fn check_body(driver: &mut Driver, body: &BodyShadow) {
    let (handle, count) = (body.handle, body.info.particles);
    let mut memory = Memory::new(12 * count as usize);
    let pointer: *mut f32 = memory.pointer();
    for velocities in [false, true] {
        match velocities {
            false => api!(driver, wobble_body_positions(handle, pointer, 0, count)),
            true => api!(driver, wobble_body_velocities(handle, pointer, 0, count)),
        };
        for i in 0..3 * count as usize {
            let value: f32 = memory.get(4 * i);
            driver.ensure(value.is_finite(), || {
                format!("component {} of particle {} is {value}", i % 3, i / 3)
            });
        }
    }
}

/// A handle of something destroyed must be told apart.
fn check_dead(driver: &mut Driver, handle: Any) {
    driver.bad();
    let mut number = 0_u32;
    let out = &raw mut number;
    let status = match handle {
        Any::World(bits) => api!(driver, wobble_world_substeps(WobbleWorld { bits }, out)),
        Any::Shape(bits) => api!(driver, wobble_shape_particle_count(WobbleShape { bits }, out)),
        Any::Body(bits) => api!(driver, wobble_body_particle_count(WobbleBody { bits }, out)),
        Any::Collider(bits) => api!(driver, wobble_collider_destroy(WobbleCollider { bits })),
        Any::Attachment(bits) => api!(driver, wobble_attachment_destroy(WobbleAttachment { bits })),
        Any::Field(bits) => api!(driver, wobble_field_destroy(WobbleField { bits })),
    };
    let told = [WOBBLE_STATUS_STALE_HANDLE, WOBBLE_STATUS_INVALID_HANDLE].contains(&status);
    driver.ensure(told, || format!("a stale handle got status {status}"));
}

/// Destroys everything: some bodies and colliders one by one, the others with their worlds.
fn finish(driver: &mut Driver) {
    while let Some(world) = driver.shadow.worlds.first() {
        let (handle, bodies, colliders) = (world.handle, world.bodies.clone(), world.colliders.clone());
        for body in bodies.iter().filter(|_| driver.dice.chance(50)).map(|b| b.handle).collect::<Vec<_>>() {
            api!(driver, wobble_body_destroy(body));
        }
        for collider in colliders.into_iter().filter(|_| driver.dice.chance(50)).collect::<Vec<_>>() {
            api!(driver, wobble_collider_destroy(collider));
        }
        api!(driver, wobble_world_destroy(handle));
        driver.shadow.bury_world(0);
    }
    while let Some(shape) = driver.shadow.shapes.pop() {
        for _ in 0..shape.references {
            api!(driver, wobble_shape_release(shape.handle));
        }
        driver.shadow.dead.push(Any::Shape(shape.handle.bits));
    }
    for handle in std::mem::take(&mut driver.shadow.dead) {
        check_dead(driver, handle);
    }
}
