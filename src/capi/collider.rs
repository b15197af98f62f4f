//! Colliders: what the host puts in the way of bodies.

use glam::{Quat, Vec3};

use super::collider_defs::WobbleColliderDef;
use super::convert;
use super::defs::{WobbleQuat, WobbleVec3};
use super::guard::call;
use super::handles::{self, WobbleCollider, WobbleWorld};
use super::memory::{self, out, out_sized, required};
use super::status::{Failure, WobbleStatus};
use crate::collide::collider::{Collider, ColliderId, ColliderShape};
use crate::collide::surface::Groups;
use crate::error::Error;
use crate::world::World;

/// Fills a definition with the defaults: the ground, solid below y = 0. size is
/// sizeof(WobbleColliderDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_collider_def_init(def: *mut WobbleColliderDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleColliderDef::default(), "def"))
}

/// Adds a collider to a world. def may be null for the ground. Points, indices and heights are
/// copied. A closed mesh, each of whose edges has one triangle on each side, is solid, and what gets
/// inside comes out again; any other is a surface with two sides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_collider_create(
    world: WobbleWorld,
    def: *const WobbleColliderDef,
    out_collider: *mut WobbleCollider,
) -> WobbleStatus {
    call(|| {
        let out = out(out_collider, "out_collider")?;
        let standard = WobbleColliderDef::default();
        let def = if def.is_null() { standard } else { memory::read(def, standard, "def")? };
        // Found before the world is locked: building a large mesh takes a while.
        let cell = handles::world(world)?;
        let def = def.collider()?;
        let id = cell.with(|w| Ok(w.add_collider(&def)?))?;
        out.write(handles::collider_handle(cell.place(), id.index, id.generation));
        Ok(())
    })
}

/// Calls `work` with a collider's world and name.
fn change(
    collider: WobbleCollider,
    work: impl FnOnce(&mut World, ColliderId) -> Result<(), Error>,
) -> WobbleStatus {
    call(|| {
        let named = handles::collider(collider)?;
        named.cell.with(|w| {
            let (index, generation) = named.collider();
            let id = w.collider_id(index, generation);
            w.collider(id).map_err(|_| named.stale())?;
            Ok(work(w, id)?)
        })
    })
}

/// What `find` reads of a collider.
fn read<R>(collider: WobbleCollider, find: impl FnOnce(&Collider) -> R) -> Result<R, Failure> {
    let named = handles::collider(collider)?;
    named.cell.with(|w| {
        let (index, generation) = named.collider();
        Ok(find(w.collider(w.collider_id(index, generation)).map_err(|_| named.stale())?))
    })
}

/// How a collider is set up at present: shape, place, velocities, surface, groups. Points, indices and
/// heights are not given back: their pointers are null and their counts 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_collider_definition(
    collider: WobbleCollider,
    out_def: *mut WobbleColliderDef,
) -> WobbleStatus {
    call(|| {
        let out = out_sized(out_def, "out_def")?;
        out.write(read(collider, |c| WobbleColliderDef::from(c))?);
        Ok(())
    })
}

/// 1 if a collider has an inside, out of which it pushes bodies; 0 for a mesh that is not closed, which is a
/// surface with two sides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_collider_is_solid(
    collider: WobbleCollider,
    out_solid: *mut u32,
) -> WobbleStatus {
    call(|| {
        let out = out(out_solid, "out_solid")?;
        let open = |c: &Collider| matches!(c.shape(), ColliderShape::Mesh(mesh) if !mesh.is_solid());
        out.write((!read(collider, open)?).into());
        Ok(())
    })
}

/// Number of colliders.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_collider_count(
    world: WobbleWorld,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        out.write(handles::world(world)?.with(|w| Ok(w.collider_count() as u32))?);
        Ok(())
    })
}

/// The handles of all colliders, in a fixed order, into out_colliders, which holds capacity of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_colliders(
    world: WobbleWorld,
    out_colliders: *mut WobbleCollider,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let cell = handles::world(world)?;
        let handle = |id: ColliderId| handles::collider_handle(cell.place(), id.index, id.generation);
        let found: Vec<WobbleCollider> =
            cell.with(|w| Ok(w.colliders().map(|(id, _)| handle(id)).collect()))?;
        memory::write_list(&found, out_colliders, capacity, out_count, "out_colliders", "colliders")
    })
}

/// Removes a collider; its handle becomes stale.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_collider_destroy(collider: WobbleCollider) -> WobbleStatus {
    change(collider, |w, id| w.remove_collider(id))
}

fn pose(position: *const WobbleVec3, rotation: *const WobbleQuat) -> Result<(Vec3, Quat), Failure> {
    let position = required(position, "position")?;
    let rotation = memory::optional(rotation, "rotation")?.map_or(Quat::IDENTITY, Into::into);
    Ok((position.into(), rotation))
}

/// Puts a collider somewhere at once: it meets nothing on its way and takes nothing along, however far it is.
/// Bodies that jump with it are put there, too, before the next step, by wobble_body_teleport() or
/// wobble_body_set_positions(). For what moves by and by, see wobble_collider_move(). rotation may be null for
/// none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_collider_set_pose(
    collider: WobbleCollider,
    position: *const WobbleVec3,
    rotation: *const WobbleQuat,
) -> WobbleStatus {
    match pose(position, rotation) {
        Ok((position, rotation)) => change(collider, |w, id| w.set_collider_pose(id, position, rotation)),
        Err(failure) => call(|| Err(failure)),
    }
}

/// Lets the next step take a collider to a place: it has the velocity of that way, pushes what is in it and drags
/// along what lies on it. There it stays until it is moved again. Not for jumps: ground that is moved by 1 km in
/// a step of 1/60 s runs at 60 km/s under a body that was teleported with it, and throws it kilometres away. Use
/// wobble_collider_set_pose() for both to lie as they lay. rotation may be null for none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_collider_move(
    collider: WobbleCollider,
    position: *const WobbleVec3,
    rotation: *const WobbleQuat,
) -> WobbleStatus {
    match pose(position, rotation) {
        Ok((position, rotation)) => change(collider, |w, id| w.move_collider(id, position, rotation)),
        Err(failure) => call(|| Err(failure)),
    }
}

/// Where a collider is, metres, and how it is turned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_collider_pose(
    collider: WobbleCollider,
    out_position: *mut WobbleVec3,
    out_rotation: *mut WobbleQuat,
) -> WobbleStatus {
    call(|| {
        let (position, rotation) = (out(out_position, "out_position")?, out(out_rotation, "out_rotation")?);
        let found = read(collider, |c| (c.position(), c.rotation()))?;
        position.write(found.0.into());
        rotation.write(found.1.into());
        Ok(())
    })
}

/// Sets how fast a collider moves, m/s, and turns about its position, rad/s, each at most 1e6 in
/// length. Steps move it on from where it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_collider_set_velocity(
    collider: WobbleCollider,
    velocity: *const WobbleVec3,
    angular_velocity: *const WobbleVec3,
) -> WobbleStatus {
    let both = || -> Result<(WobbleVec3, WobbleVec3), Failure> {
        Ok((required(velocity, "velocity")?, required(angular_velocity, "angular_velocity")?))
    };
    match both() {
        Ok((velocity, spin)) => {
            change(collider, |w, id| w.set_collider_velocity(id, velocity.into(), spin.into()))
        }
        Err(failure) => call(|| Err(failure)),
    }
}

/// Sets the velocity of a collider's surface against itself, in its own frame, m/s: a conveyor belt.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_collider_set_conveyor(
    collider: WobbleCollider,
    x: f32,
    y: f32,
    z: f32,
) -> WobbleStatus {
    change(collider, |w, id| w.set_collider_conveyor(id, Vec3::new(x, y, z)))
}

/// Sets friction, 0 to 1e6, and restitution, 0 to 1, and how they are combined with those of bodies: a
/// WOBBLE_COMBINE_ constant.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_collider_set_surface(
    collider: WobbleCollider,
    friction: f32,
    restitution: f32,
    combine: u32,
) -> WobbleStatus {
    match convert::surface(friction, restitution, combine) {
        Ok(surface) => change(collider, |w, id| w.set_collider_surface(id, surface)),
        Err(failure) => call(|| Err(failure)),
    }
}

/// Sets the groups that a collider is in, and those that it meets. A body and a collider meet if each
/// one's group has a bit in the other's mask.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_collider_set_groups(
    collider: WobbleCollider,
    group: u32,
    mask: u32,
) -> WobbleStatus {
    change(collider, |w, id| w.set_collider_groups(id, Groups { group, mask }))
}

/// Takes a collider out of the way with 0, puts it back with anything else.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_collider_set_enabled(collider: WobbleCollider, enabled: u32) -> WobbleStatus {
    change(collider, |w, id| w.set_collider_enabled(id, enabled != 0))
}

/// What bodies gave a collider in the last step: the impulse, N s, and the turning impulse about the
/// collider's position, N m s. A host adds them to the momentum of its rigid body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_collider_impulse(
    collider: WobbleCollider,
    out_impulse: *mut WobbleVec3,
    out_torque_impulse: *mut WobbleVec3,
) -> WobbleStatus {
    call(|| {
        let impulse = out(out_impulse, "out_impulse")?;
        let torque = out(out_torque_impulse, "out_torque_impulse")?;
        let found = read(collider, |c| (c.impulse(), c.torque_impulse()))?;
        impulse.write(found.0.into());
        torque.write(found.1.into());
        Ok(())
    })
}
