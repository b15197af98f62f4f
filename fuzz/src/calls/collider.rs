//! Colliders of all kinds, moved and asked.

use wobble::capi::collider::*;
use wobble::capi::collider_defs::*;
use wobble::capi::defs::{WobbleQuat, WobbleVec3};
use wobble::capi::handles::{WobbleCollider, WobbleWorld};

use crate::driver::Driver;
use crate::shadow::{Any, Use};
use crate::values::{Array, Input};
use crate::{api, ask};

/// Colliders in a world.
const MOST_COLLIDERS: usize = 8;

pub(super) fn def_init(driver: &mut Driver) {
    super::init::<WobbleColliderDef>(driver, "wobble_collider_def_init", wobble_collider_def_init);
}

/// What a definition points to, which must outlive the call.
#[derive(Default)]
struct Arrays {
    points: Option<Array>,
    packed: Vec<Input<f32>>,
}

fn length(driver: &mut Driver) -> f32 {
    driver.float(1e-6, 1e6, (0.01, 3.0))
}

/// Points that may span a volume, a plane or nothing.
fn points(driver: &mut Driver, least: u32) -> Vec<[f32; 3]> {
    let count = driver.dice.between(least, 20);
    let scale = driver.dice.pick(&[1.0, 1.0, 1.0, 1e-3, 1e6, 1e9]);
    let flat = driver.dice.pick(&[1.0, 1.0, 0.0, 1e-7]);
    let mut one = || driver.dice.float(-1.0, 1.0) * scale;
    (0..count).map(|_| [one(), one() * flat, one()]).collect()
}

fn shape(driver: &mut Driver, def: &mut WobbleColliderDef, arrays: &mut Arrays) {
    match def.kind {
        WOBBLE_COLLIDER_PLANE => {
            def.normal = driver.dice.pick(&[def.normal, def.normal, WobbleVec3 { x: 1.0, y: 2.0, z: 0.0 }]);
            def.offset = driver.coordinate(3.0);
        }
        WOBBLE_COLLIDER_SPHERE => def.radius = length(driver),
        WOBBLE_COLLIDER_BOX => {
            def.half_extents = WobbleVec3 { x: length(driver), y: length(driver), z: length(driver) };
        }
        WOBBLE_COLLIDER_CAPSULE | WOBBLE_COLLIDER_CYLINDER => {
            (def.half_height, def.radius) = (length(driver), length(driver));
        }
        WOBBLE_COLLIDER_HULL | WOBBLE_COLLIDER_MESH | WOBBLE_COLLIDER_SURFACE => {
            // Points in a plane have no hull, triangles without area make no mesh.
            driver.unsure();
            let all = points(driver, 4);
            let array = driver.array_in(&all);
            (def.points, def.point_count, def.point_stride) = (array.pointer, array.count, array.stride);
            arrays.points = Some(array);
            let triangles = driver.dice.between(1, 30);
            let last = all.len() as u32 - 1;
            let indices: Vec<f32> =
                (0..3 * triangles).map(|_| f32::from_bits(driver.dice.between(0, last))).collect();
            if def.kind != WOBBLE_COLLIDER_HULL {
                let packed = driver.packed_in(&indices);
                (def.indices, def.index_count) = (packed.pointer.cast(), indices.len() as u32);
                arrays.packed.push(packed);
            }
        }
        WOBBLE_COLLIDER_HEIGHT_FIELD => {
            (def.columns, def.rows) = (driver.dice.between(2, 9), driver.dice.between(2, 9));
            let heights: Vec<f32> =
                (0..def.columns * def.rows).map(|_| driver.dice.float(-0.5, 0.5)).collect();
            (def.spacing_x, def.spacing_z) = (length(driver), length(driver));
            let packed = driver.packed_in(&heights);
            def.heights = packed.pointer;
            arrays.packed.push(packed);
        }
        _ => driver.bad(),
    }
}

pub(super) fn create(driver: &mut Driver) {
    let mut arrays = Arrays::default();
    let mut def = WobbleColliderDef {
        kind: driver.constant(WOBBLE_COLLIDER_SURFACE + 1),
        ..WobbleColliderDef::default()
    };
    shape(driver, &mut def, &mut arrays);
    def.position = driver.vector(4.0);
    def.rotation = driver.quaternion();
    if driver.dice.chance(30) {
        (def.velocity, def.angular_velocity, def.conveyor) =
            (speed(driver), speed(driver), driver.vector(3.0));
    }
    def.friction = driver.float(0.0, 1e6, (0.0, 2.0));
    def.restitution = driver.float(0.0, 1.0, (0.0, 1.0));
    def.combine = driver.constant(5);
    def.group = driver.dice.pick(&[1, 1, 3, 0]);
    def.mask = driver.dice.pick(&[u32::MAX, u32::MAX, 2]);
    def.enabled = driver.dice.pick(&[1, 1, 1, 0]);
    let def = driver.sized(def, true);
    let world = driver.world(Use::Change);
    let full = driver
        .shadow
        .world_at(world)
        .is_some_and(|at| driver.shadow.worlds[at].colliders.len() >= MOST_COLLIDERS);
    if full {
        driver.expect = crate::driver::Expect::Success;
        return;
    }
    let made = ask!(driver, wobble_collider_create(world, def.pointer) -> WobbleCollider);
    drop(arrays);
    if let (Some(collider), Some(at)) = (made, driver.shadow.world_at(world)) {
        let dead = driver.shadow.dead.contains(&Any::Collider(collider.bits));
        driver.ensure(!dead, || format!("{collider:?} was given out before"));
        driver.shadow.worlds[at].colliders.push(collider);
    }
}

pub(super) fn destroy(driver: &mut Driver) {
    let collider = driver.collider();
    if api!(driver, wobble_collider_destroy(collider)) != 0 {
        return;
    }
    let owner = driver.shadow.worlds.iter_mut().find(|w| w.colliders.contains(&collider));
    let Some(world) = owner else { driver.fail("destroyed an unknown collider") };
    world.colliders.retain(|p| *p != collider);
    driver.shadow.dead.push(Any::Collider(collider.bits));
}

/// The colliders of a world by its own account.
pub(super) fn listed(driver: &mut Driver, world: WobbleWorld) -> Vec<WobbleCollider> {
    let count = ask!(driver, wobble_world_collider_count(world) -> u32).unwrap_or(0);
    let list = driver.list_out::<WobbleCollider>(count, count);
    let found = ask!(driver, wobble_world_colliders(world, list.pointer, list.capacity) -> u32);
    list.take(driver, found)
}

pub(super) fn count(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    if let Some(count) = ask!(driver, wobble_world_collider_count(world) -> u32)
        && let Some(at) = driver.shadow.world_at(world)
    {
        let wanted = driver.shadow.worlds[at].colliders.len() as u32;
        driver.ensure(count == wanted, || format!("{count} colliders instead of {wanted}"));
    }
}

pub(super) fn colliders(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let at = driver.shadow.world_at(world);
    let wanted = at.map_or(0, |at| driver.shadow.worlds[at].colliders.len() as u32);
    let list = driver.list_out::<WobbleCollider>(wanted, wanted);
    let found = ask!(driver, wobble_world_colliders(world, list.pointer, list.capacity) -> u32);
    let listed = list.take(driver, found);
    let known = |c: &WobbleCollider| at.is_some_and(|at| driver.shadow.worlds[at].colliders.contains(c));
    let all = listed.iter().all(known) && found.is_none_or(|n| n == wanted);
    driver.ensure(all, || format!("{listed:?} are not the colliders of the world"));
}

pub(super) fn definition(driver: &mut Driver) {
    let (memory, pointer) = driver.out_sized::<WobbleColliderDef>();
    let collider = driver.collider();
    let status = api!(driver, wobble_collider_definition(collider, pointer));
    if let Some(def) = driver.take_sized::<WobbleColliderDef>(&memory, status) {
        let sound = def.kind <= WOBBLE_COLLIDER_SURFACE && def.points.is_null() && def.radius.is_finite();
        driver.ensure(sound, || format!("{def:?}"));
    }
}

pub(super) fn is_solid(driver: &mut Driver) {
    let collider = driver.collider();
    ask!(driver, wobble_collider_is_solid(collider) -> u32);
}

/// A velocity.
fn speed(driver: &mut Driver) -> WobbleVec3 {
    let mut v = driver.dice.pick(&[5.0, 5.0, 100.0, 5e5]);
    if driver.spoil() {
        driver.bad();
        v = driver.dice.pick(&[f32::NAN, f32::INFINITY, 2e6]);
    }
    let mut one = || driver.dice.float(0.5, 1.0) * v;
    WobbleVec3 { x: one(), y: -one(), z: one() }
}

fn pose_of(driver: &mut Driver) -> (Input<WobbleVec3>, Input<WobbleQuat>) {
    let (position, rotation) = (driver.vector(4.0), driver.quaternion());
    (driver.one(position, false), driver.one(rotation, true))
}

pub(super) fn set_pose(driver: &mut Driver) {
    let (collider, (position, rotation)) = (driver.collider(), pose_of(driver));
    api!(driver, wobble_collider_set_pose(collider, position.pointer, rotation.pointer));
}

pub(super) fn move_to(driver: &mut Driver) {
    let (collider, (position, rotation)) = (driver.collider(), pose_of(driver));
    api!(driver, wobble_collider_move(collider, position.pointer, rotation.pointer));
}

pub(super) fn pose(driver: &mut Driver) {
    let collider = driver.collider();
    let position = driver.out::<WobbleVec3>();
    let rotation = driver.out::<WobbleQuat>();
    let status = api!(driver, wobble_collider_pose(collider, position.pointer, rotation.pointer));
    let (position, rotation) = (driver.take(&position, status), driver.take(&rotation, status));
    if let (Some(p), Some(r)) = (position, rotation) {
        let finite = [p.x, p.y, p.z, r.x, r.y, r.z, r.w].iter().all(|n| n.is_finite());
        driver.ensure(finite, || format!("{p:?}, {r:?}"));
    }
}

pub(super) fn set_velocity(driver: &mut Driver) {
    let collider = driver.collider();
    let (velocity, spin) = (speed(driver), speed(driver));
    let (velocity, spin) = (driver.one(velocity, false), driver.one(spin, false));
    api!(driver, wobble_collider_set_velocity(collider, velocity.pointer, spin.pointer));
}

pub(super) fn set_conveyor(driver: &mut Driver) {
    let (collider, v) = (driver.collider(), driver.vector(3.0));
    api!(driver, wobble_collider_set_conveyor(collider, v.x, v.y, v.z));
}

pub(super) fn set_surface(driver: &mut Driver) {
    let collider = driver.collider();
    let (friction, restitution) = (driver.float(0.0, 1e6, (0.0, 2.0)), driver.float(0.0, 1.0, (0.0, 1.0)));
    let combine = driver.constant(5);
    api!(driver, wobble_collider_set_surface(collider, friction, restitution, combine));
}

pub(super) fn set_groups(driver: &mut Driver) {
    let (collider, group) = (driver.collider(), driver.dice.between(0, 7));
    let mask = driver.dice.pick(&[u32::MAX, 7, 0]);
    api!(driver, wobble_collider_set_groups(collider, group, mask));
}

pub(super) fn set_enabled(driver: &mut Driver) {
    let (collider, enabled) = (driver.collider(), driver.dice.between(0, 2));
    api!(driver, wobble_collider_set_enabled(collider, enabled));
}

pub(super) fn impulse(driver: &mut Driver) {
    let collider = driver.collider();
    let impulse = driver.out::<WobbleVec3>();
    let torque = driver.out::<WobbleVec3>();
    let status = api!(driver, wobble_collider_impulse(collider, impulse.pointer, torque.pointer));
    let (impulse, torque) = (driver.take(&impulse, status), driver.take(&torque, status));
    if let (Some(i), Some(t)) = (impulse, torque) {
        let finite = [i.x, i.y, i.z, t.x, t.y, t.z].iter().all(|n| n.is_finite());
        driver.ensure(finite, || format!("{i:?}, {t:?}"));
    }
}
