//! Bodies: made, moved, held.

use glam::{Quat, Vec3};

use super::defs::{WobbleBodyDef, WobbleMaterial, WobbleQuat, WobbleVec3};
use super::guard::call;
use super::handles::{self, WobbleBody, WobbleShape, WobbleWorld};
use super::memory::{self, Strided, out};
use super::status::WobbleStatus;
use super::{convert, handles::Named};
use crate::body::{Body, BodyDef};
use crate::collide::surface::Groups;
use crate::error::Error;
use crate::material::Material;

/// Calls `work` with a body to change.
pub(super) fn change(body: WobbleBody, work: impl FnOnce(&mut Body) -> Result<(), Error>) -> WobbleStatus {
    call(|| {
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| Ok(work(b)?))
    })
}

/// Fills a definition with the defaults. size is sizeof(WobbleBodyDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_def_init(def: *mut WobbleBodyDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleBodyDef::default(), "def"))
}

/// Makes a body of a shape. def may be null for the defaults. The shape may be released afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_create(
    world: WobbleWorld,
    shape: WobbleShape,
    def: *const WobbleBodyDef,
    out_body: *mut WobbleBody,
) -> WobbleStatus {
    call(|| {
        let out = out(out_body, "out_body")?;
        let def = if def.is_null() {
            WobbleBodyDef::default()
        } else {
            memory::read(def, WobbleBodyDef::default(), "def")?
        };
        let material = if def.material.is_null() {
            Material::default()
        } else {
            let standard = WobbleMaterial::from(&Material::default());
            memory::read(def.material, standard, "def.material")?.material()?
        };
        let (position, velocity) = (def.position.into(), def.velocity.into());
        let def = BodyDef {
            position,
            rotation: def.rotation.into(),
            velocity,
            material,
            surface: convert::surface(def.friction, def.restitution, def.combine)?,
            groups: Groups { group: def.group, mask: def.mask },
            radius: def.radius,
            can_sleep: convert::flag("can_sleep", def.can_sleep)?,
            ..BodyDef::default()
        };
        let shape = handles::shape(shape)?;
        let cell = handles::world(world)?;
        let id = cell.with(|w| Ok(w.add_body(&shape, &def)?))?;
        out.write(handles::body_handle(cell.place(), id.index(), id.generation()));
        Ok(())
    })
}

/// Destroys a body; its handle becomes stale. What is attached to it, and fields that act on it alone, end too.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_destroy(body: WobbleBody) -> WobbleStatus {
    call(|| {
        let named = handles::body(body)?;
        named.cell.with_body_id(&named, |w, id| Ok(w.remove_body(id)?))
    })
}

/// The world that a body lives in.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_world(body: WobbleBody, out_world: *mut WobbleWorld) -> WobbleStatus {
    call(|| {
        let out = out(out_world, "out_world")?;
        let named: Named = handles::body(body)?;
        named.cell.with_body(&named, |_| Ok(()))?;
        out.write(handles::world_of(&named)?);
        Ok(())
    })
}

/// The shape of a body, with a reference of its own: wobble_shape_release() it when done.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_shape(body: WobbleBody, out_shape: *mut WobbleShape) -> WobbleStatus {
    call(|| {
        let out = out(out_shape, "out_shape")?;
        let named = handles::body(body)?;
        let shape = named.cell.with_body(&named, |b| Ok(b.shape().clone()))?;
        out.write(handles::add_shape(shape)?);
        Ok(())
    })
}

/// Enables (1) or disables (0) a body. A disabled one is not stepped and costs nothing.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_enabled(body: WobbleBody, enabled: u32) -> WobbleStatus {
    call(|| {
        let enabled = convert::flag("enabled", enabled)?;
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| {
            b.set_enabled(enabled);
            Ok(())
        })
    })
}

/// Sets the velocity of all particles, m/s.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_velocity(body: WobbleBody, x: f32, y: f32, z: f32) -> WobbleStatus {
    change(body, |b| b.set_velocity(Vec3::new(x, y, z)))
}

/// Puts the centre of mass at position, metres, and the body about it in its rest shape, turned by rotation and
/// at rest. Dents, cuts and breaks stay; wobble_body_reset() ends them. Pins go along; frames that hold it are put
/// there by wobble_attachment_set_pose(). A frozen body goes on. A null position leaves the centre where it is; a
/// null rotation is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_teleport(
    body: WobbleBody,
    position: *const WobbleVec3,
    rotation: *const WobbleQuat,
) -> WobbleStatus {
    call(|| {
        let position = memory::optional(position, "position")?.map(Vec3::from);
        let rotation = memory::optional(rotation, "rotation")?.map_or(Quat::IDENTITY, Quat::from);
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| {
            let position = position.unwrap_or_else(|| b.centre_of_mass());
            Ok(b.teleport(position, rotation)?)
        })
    })
}

/// Back to the rest shape, upright and at rest, about the present centre of mass: undented, uncut and unbroken. Pieces that
/// broke off from it are destroyed, and the centre is that of all of them; a piece that broke off goes back to its own
/// rest shape. A frozen body goes on.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_reset(body: WobbleBody) -> WobbleStatus {
    call(|| {
        let named = handles::body(body)?;
        named.cell.with_body_id(&named, |w, id| Ok(w.reset_body(id)?))
    })
}

/// Applies a force, newtons, to the whole body during the next step.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_apply_force(body: WobbleBody, x: f32, y: f32, z: f32) -> WobbleStatus {
    change(body, |b| b.apply_force(Vec3::new(x, y, z)))
}

/// Applies a force, newtons, to one particle during the next step.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_apply_force_to(
    body: WobbleBody,
    particle: u32,
    x: f32,
    y: f32,
    z: f32,
) -> WobbleStatus {
    change(body, |b| b.apply_force_to(particle as usize, Vec3::new(x, y, z)))
}

/// Applies an impulse, newton seconds, to the whole body at once.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_apply_impulse(body: WobbleBody, x: f32, y: f32, z: f32) -> WobbleStatus {
    change(body, |b| b.apply_impulse(Vec3::new(x, y, z)))
}

/// Applies an impulse, newton seconds, to one particle at once.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_apply_impulse_to(
    body: WobbleBody,
    particle: u32,
    x: f32,
    y: f32,
    z: f32,
) -> WobbleStatus {
    change(body, |b| b.apply_impulse_to(particle as usize, Vec3::new(x, y, z)))
}

/// Applies an impulse, newton seconds, to the particles within radius metres of a point, more to
/// nearer ones. Refused if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_apply_impulse_at(
    body: WobbleBody,
    point: *const WobbleVec3,
    impulse: *const WobbleVec3,
    radius: f32,
) -> WobbleStatus {
    call(|| {
        let point = memory::required(point, "point")?.into();
        let impulse = memory::required(impulse, "impulse")?.into();
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| Ok(b.apply_impulse_at(point, impulse, radius)?))
    })
}

/// Applies an angular impulse, N m s, to the whole body at once: it spins up about its centre of
/// mass. Refused if the body has no extent to take it.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_apply_torque_impulse(body: WobbleBody, x: f32, y: f32, z: f32) -> WobbleStatus {
    change(body, |b| b.apply_torque_impulse(Vec3::new(x, y, z)))
}

/// Holds a particle where it is. Particles count from 0 in the order the points were given in.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_pin(body: WobbleBody, particle: u32) -> WobbleStatus {
    change(body, |b| b.pin(particle as usize))
}

/// Lets a pinned particle go.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_unpin(body: WobbleBody, particle: u32) -> WobbleStatus {
    change(body, |b| b.unpin(particle as usize))
}

/// Moves a pinned particle to a point, metres, in the course of the next step.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_move_pin(
    body: WobbleBody,
    particle: u32,
    x: f32,
    y: f32,
    z: f32,
) -> WobbleStatus {
    change(body, |b| b.move_pin(particle as usize, Vec3::new(x, y, z)))
}

/// Puts one particle somewhere, metres.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_position_of(
    body: WobbleBody,
    particle: u32,
    x: f32,
    y: f32,
    z: f32,
) -> WobbleStatus {
    change(body, |b| b.set_position_of(particle as usize, Vec3::new(x, y, z)))
}

/// Sets the velocity of one particle, m/s.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_velocity_of(
    body: WobbleBody,
    particle: u32,
    x: f32,
    y: f32,
    z: f32,
) -> WobbleStatus {
    change(body, |b| b.set_velocity_of(particle as usize, Vec3::new(x, y, z)))
}

/// Sets all positions, metres, world space. Changes nothing if one is refused.
///
/// positions     3 floats a particle, in the order the points were given in
/// count         must be the number of particles
/// stride        bytes from one to the next; a multiple of 4, at least 12; 0 for tightly packed
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_set_positions(
    body: WobbleBody,
    positions: *const f32,
    count: u32,
    stride: u32,
) -> WobbleStatus {
    call(|| {
        let positions = Strided::new(positions, count, stride, 3, "positions")?;
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| {
            positions.is_exactly(b.shape().particle_count(), "positions", "particles")?;
            Ok(b.set_positions(&positions.vectors("positions")?)?)
        })
    })
}

/// Sets all velocities, m/s. Changes nothing if one is refused. Parameters as for
/// wobble_body_set_positions().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_set_velocities(
    body: WobbleBody,
    velocities: *const f32,
    count: u32,
    stride: u32,
) -> WobbleStatus {
    call(|| {
        let velocities = Strided::new(velocities, count, stride, 3, "velocities")?;
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| {
            velocities.is_exactly(b.shape().particle_count(), "velocities", "particles")?;
            Ok(b.set_velocities(&velocities.vectors("velocities")?)?)
        })
    })
}

/// Bytes that wobble_body_snapshot() takes now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_snapshot_size(body: WobbleBody, out_size: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_size, "out_size")?;
        let named = handles::body(body)?;
        let bytes = named.cell.with_body(&named, |b| Ok(b.snapshot_file()?.len()))?;
        out.write(memory::size32(bytes, "snapshot")?);
        Ok(())
    })
}

/// The state of a body as bytes, its material and level weights included, its shape not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_snapshot(
    body: WobbleBody,
    out_bytes: *mut u8,
    capacity: u32,
    out_size: *mut u32,
) -> WobbleStatus {
    call(|| {
        let named = handles::body(body)?;
        let bytes = named.cell.with_body(&named, |b| Ok(b.snapshot_file()?))?;
        memory::write_bytes(&bytes, out_bytes, capacity, out_size, "snapshot")
    })
}

/// Puts a body into the state of a snapshot of a body of the same shape. Changes nothing on failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_restore(body: WobbleBody, bytes: *const u8, size: u32) -> WobbleStatus {
    call(|| {
        // SAFETY: by the caller's word the bytes are there.
        let bytes = unsafe { memory::bytes(bytes, size, "bytes")? };
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| Ok(b.restore(bytes)?))
    })
}
