//! Contacts, and what bodies bring to them.

use wobble::capi::collider_defs::*;
use wobble::capi::contacts::*;

use crate::driver::Driver;
use crate::memory::Memory;
use crate::shadow::Use;
use crate::{api, ask};

pub(super) fn count(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    ask!(driver, wobble_world_contact_count(world) -> u32);
}

pub(super) fn contacts(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let mut memory = Memory::new(64 * size_of::<WobbleContact>());
    let out: *mut WobbleContact = memory.pointer();
    let capacity = driver.dice.pick(&[64, 64, 1, 0]);
    // There may be more than fit.
    driver.unsure();
    let count = driver.out::<u32>();
    let status = api!(driver, wobble_world_contacts(world, out, capacity, count.pointer));
    let Some(found) = driver.take(&count, status) else { return };
    for i in 0..found as usize {
        let contact: WobbleContact = memory.get(i * size_of::<WobbleContact>());
        let n = contact.normal;
        let length = (n.x * n.x + n.y * n.y + n.z * n.z).sqrt();
        let fine = contact.phase <= WOBBLE_CONTACT_END
            && contact.impulse >= 0.0
            && contact.impulse.is_finite()
            && (length - 1.0).abs() < 1e-3
            && (contact.other_body.bits == 0) != (contact.other_collider.bits == 0);
        driver.ensure(fine, || format!("{contact:?}"));
    }
}

pub(super) fn set_reporting(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let threshold = driver.float(0.0, 1e9, (0.0, 0.1));
    let most = driver.integer(0, 16_777_216, 60);
    api!(driver, wobble_world_set_contact_reporting(world, threshold, most));
}

pub(super) fn set_bodies_meet(driver: &mut Driver) {
    let (world, meet) = (driver.world(Use::Change), driver.integer(0, 1, 1));
    api!(driver, wobble_world_set_bodies_meet(world, meet));
}

pub(super) fn bodies_meet(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    ask!(driver, wobble_world_bodies_meet(world) -> u32);
}

pub(super) fn reporting(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let (threshold, most) = (driver.out::<f32>(), driver.out::<u32>());
    let status = api!(driver, wobble_world_contact_reporting(world, threshold.pointer, most.pointer));
    driver.take(&threshold, status);
    driver.take(&most, status);
}

pub(super) fn surface(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let (friction, restitution) = (driver.out::<f32>(), driver.out::<f32>());
    let combine = driver.out::<u32>();
    let (to, other) = (friction.pointer, restitution.pointer);
    let status = api!(driver, wobble_body_surface(body, to, other, combine.pointer));
    driver.take(&friction, status);
    driver.take(&restitution, status);
    driver.take(&combine, status);
}

pub(super) fn touch(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let (parting, itself, proxies) = (driver.out::<f32>(), driver.out::<u32>(), driver.out::<u32>());
    let status = api!(driver, wobble_body_touch(body, parting.pointer, itself.pointer, proxies.pointer));
    driver.take(&parting, status);
    driver.take(&itself, status);
    driver.take(&proxies, status);
}

pub(super) fn set_touch(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let parting = driver.float(0.0, 1.0, (0.0, 1.0));
    let (itself, proxies) = (driver.integer(0, 1, 1), driver.integer(0, 1, 1));
    api!(driver, wobble_body_set_touch(body, parting, itself, proxies));
}

pub(super) fn groups(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let (group, mask) = (driver.out::<u32>(), driver.out::<u32>());
    let status = api!(driver, wobble_body_groups(body, group.pointer, mask.pointer));
    driver.take(&group, status);
    driver.take(&mask, status);
}

pub(super) fn particle_radius(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_particle_radius(body) -> f32);
}

pub(super) fn is_touching(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    ask!(driver, wobble_body_is_touching(body) -> u32);
}

pub(super) fn set_surface(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (friction, restitution) = (driver.float(0.0, 1e6, (0.0, 2.0)), driver.float(0.0, 1.0, (0.0, 1.0)));
    let combine = driver.constant(5);
    api!(driver, wobble_body_set_surface(body, friction, restitution, combine));
}

pub(super) fn set_groups(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (group, mask) = (driver.dice.between(0, 3), driver.dice.pick(&[u32::MAX, 3, 0]));
    api!(driver, wobble_body_set_groups(body, group, mask));
}

pub(super) fn set_particle_radius(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let radius = driver.float(0.0, 1e6, (0.0, 0.1));
    api!(driver, wobble_body_set_particle_radius(body, radius));
}
