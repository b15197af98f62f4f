//! Rays, closest points and overlaps.

use wobble::capi::collider_defs::WobblePartner;
use wobble::capi::handles::WobbleWorld;
use wobble::capi::query::*;

use crate::ask;
use crate::driver::Driver;
use crate::list::List;
use crate::shadow::Use;

fn groups(driver: &mut Driver) -> (u32, u32) {
    (driver.dice.pick(&[1, 1, u32::MAX, 0]), driver.dice.pick(&[u32::MAX, u32::MAX, 1, 0]))
}

fn distance(driver: &mut Driver) -> f32 {
    driver.float(0.0, 1e9, (0.0, 20.0))
}

/// A hit names one thing of the world, at a finite place, with a direction.
fn check_hit(driver: &mut Driver, world: WobbleWorld, hit: Option<WobbleHit>) {
    let (Some(hit), Some(at)) = (hit, driver.shadow.world_at(world)) else { return };
    let known = &driver.shadow.worlds[at];
    let body = known.bodies.iter().find(|b| b.handle == hit.body);
    let (p, n) = (hit.point, hit.normal);
    let length = (n.x * n.x + n.y * n.y + n.z * n.z).sqrt();
    let finite = [p.x, p.y, p.z, hit.distance].iter().all(|c| c.is_finite());
    let named = match body {
        Some(body) => hit.collider.bits == 0 && hit.particle < body.info.particles,
        None => known.colliders.contains(&hit.collider) && hit.particle == WOBBLE_NONE,
    };
    let sound = match hit.found {
        0 => hit.body.bits == 0 && hit.collider.bits == 0,
        _ => hit.found == 1 && named && finite && (length - 1.0).abs() < 1e-3,
    };
    driver.ensure(sound, || format!("{hit:?}"));
}

fn check_list(driver: &mut Driver, world: WobbleWorld, list: &List<WobblePartner>, found: Option<u32>) {
    let all = list.take(driver, found);
    let Some(at) = driver.shadow.world_at(world) else { return };
    let known = &driver.shadow.worlds[at];
    let is_known = |p: &WobblePartner| match p.collider.bits {
        0 => known.bodies.iter().any(|b| b.handle == p.body),
        _ => p.body.bits == 0 && known.colliders.contains(&p.collider),
    };
    driver.ensure(all.iter().all(is_known), || format!("{all:?} are not all of the world"));
}

/// The most that an overlap can find.
fn most(driver: &Driver, world: WobbleWorld) -> u32 {
    let at = driver.shadow.world_at(world);
    at.map_or(0, |at| {
        (driver.shadow.worlds[at].bodies.len() + driver.shadow.worlds[at].colliders.len()) as u32
    })
}

pub(super) fn cast_ray(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let (origin, direction) = (driver.vector(5.0), driver.vector(1.0));
    let (origin, direction) = (driver.one(origin, false), driver.one(direction, false));
    let (most, (group, mask)) = (distance(driver), groups(driver));
    // The direction may be too short.
    driver.unsure();
    let (from, to) = (origin.pointer, direction.pointer);
    let hit = ask!(driver, wobble_world_cast_ray(world, from, to, most, group, mask) -> WobbleHit);
    check_hit(driver, world, hit);
}

pub(super) fn closest_point(driver: &mut Driver) {
    let (world, point) = (driver.world(Use::Change), driver.vector(5.0));
    let point = driver.one(point, false);
    let (most, (group, mask)) = (distance(driver), groups(driver));
    let hit = ask!(driver, wobble_world_closest_point(world, point.pointer, most, group, mask) -> WobbleHit);
    check_hit(driver, world, hit);
}

pub(super) fn overlap_sphere(driver: &mut Driver) {
    let (world, centre) = (driver.world(Use::Change), driver.vector(5.0));
    let (centre, most) = (driver.one(centre, false), most(driver, world));
    let (radius, (group, mask)) = (distance(driver), groups(driver));
    let list = driver.list_out::<WobblePartner>(0, most);
    let (at, to, capacity) = (centre.pointer, list.pointer, list.capacity);
    let found = ask!(
        driver,
        wobble_world_overlap_sphere(world, at, radius, group, mask, to, capacity) -> u32
    );
    check_list(driver, world, &list, found);
}

pub(super) fn overlap_box(driver: &mut Driver) {
    let (world, centre) = (driver.world(Use::Change), driver.vector(5.0));
    let mut length = || driver.float(0.0, 1e6, (0.0, 3.0));
    let half = wobble::capi::defs::WobbleVec3 { x: length(), y: length(), z: length() };
    let rotation = driver.quaternion();
    let (centre, half) = (driver.one(centre, false), driver.one(half, false));
    let spoilt = driver.expect;
    let rotation = driver.one(rotation, true);
    if rotation.pointer.is_null() && spoilt == crate::driver::Expect::Success {
        driver.expect = spoilt;
    }
    let ((group, mask), most) = (groups(driver), most(driver, world));
    let list = driver.list_out::<WobblePartner>(0, most);
    let (at, half, turn) = (centre.pointer, half.pointer, rotation.pointer);
    let (to, capacity) = (list.pointer, list.capacity);
    let found = ask!(
        driver,
        wobble_world_overlap_box(world, at, half, turn, group, mask, to, capacity) -> u32
    );
    check_list(driver, world, &list, found);
}
