//! Worlds: made, stepped, saved.

use glam::Vec3;

use super::defs::{WobbleProfile, WobbleStatistics, WobbleVec3, WobbleWorldDef};
use super::guard::call;
use super::handles::{self, WobbleBody, WobbleShape, WobbleWorld};
use super::memory::{self, Strided, out, out_sized};
use super::status::{Failure, WobbleStatus};
use crate::world::{BodyId, World, WorldDef};

/// Fills a definition with the defaults. size is sizeof(WobbleWorldDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_def_init(def: *mut WobbleWorldDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WorldDef::default().into(), "def"))
}

/// Makes an empty world. def may be null for the defaults. Starts the world's threads, which sleep
/// between steps and end when it is destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_create(
    def: *const WobbleWorldDef,
    out_world: *mut WobbleWorld,
) -> WobbleStatus {
    call(|| {
        let out = out(out_world, "out_world")?;
        let standard = WobbleWorldDef::from(WorldDef::default());
        let def = if def.is_null() { standard } else { memory::read(def, standard, "def")? };
        out.write(handles::add_world(&def.world()?)?);
        Ok(())
    })
}

/// Destroys a world with all that lives in it, whose handles become stale. Waits for a step
/// in the background to end. Shapes stay.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_destroy(world: WobbleWorld) -> WobbleStatus {
    call(|| handles::remove_world(world))
}

/// Sets the acceleration of gravity, m/s².
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_set_gravity(world: WobbleWorld, x: f32, y: f32, z: f32) -> WobbleStatus {
    call(|| handles::world(world)?.with(|w| Ok(w.set_gravity(Vec3::new(x, y, z))?)))
}

/// The acceleration of gravity, m/s².
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_gravity(
    world: WobbleWorld,
    out_gravity: *mut WobbleVec3,
) -> WobbleStatus {
    call(|| {
        let out = out(out_gravity, "out_gravity")?;
        out.write(handles::world(world)?.with(|w| Ok(w.gravity()))?.into());
        Ok(())
    })
}

/// Sets the threads that step, the calling one counted; 0 takes all cores, at most 256. Results do
/// not depend on it.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_set_threads(world: WobbleWorld, threads: u32) -> WobbleStatus {
    call(|| handles::world(world)?.with(|w| Ok(w.set_threads(threads)?)))
}

/// The threads that step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_threads(world: WobbleWorld, out_threads: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_threads, "out_threads")?;
        out.write(handles::world(world)?.with(|w| Ok(w.threads()))?);
        Ok(())
    })
}

/// Sets the equal parts that a step is split into, 1 to 64.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_set_substeps(world: WobbleWorld, substeps: u32) -> WobbleStatus {
    call(|| handles::world(world)?.with(|w| Ok(w.set_substeps(substeps)?)))
}

/// The equal parts that a step is split into.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_substeps(world: WobbleWorld, out_substeps: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_substeps, "out_substeps")?;
        out.write(handles::world(world)?.with(|w| Ok(w.substeps()))?);
        Ok(())
    })
}

/// Moves the world on by dt seconds, above 0 and up to 10, and returns when done. Does not
/// allocate once forces, strain limits and threads are set up. A body that goes out of bounds is
/// put back, frozen and told to the log; the others go on, and the step succeeds.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_step(world: WobbleWorld, dt: f32) -> WobbleStatus {
    call(|| handles::world(world)?.step(dt))
}

/// Begins a step in the background and returns at once. Until wobble_world_step_is_done() says 1
/// or wobble_world_step_wait() returns, positions and everything else that is read of a body are
/// those from before the step, and calls that would change the world or a body of it return
/// WOBBLE_STATUS_BUSY. Copies the state of every body, about 70 bytes a particle.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_step_begin(world: WobbleWorld, dt: f32) -> WobbleStatus {
    call(|| handles::world(world)?.begin(dt))
}

/// 1 if no step runs in the background, 0 while one does. Never waits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_step_is_done(world: WobbleWorld, out_done: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_done, "out_done")?;
        out.write(handles::world(world)?.is_done()?.into());
        Ok(())
    })
}

/// Waits for the step in the background and returns what wobble_world_step() would have. Returns
/// at once if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_step_wait(world: WobbleWorld) -> WobbleStatus {
    call(|| handles::world(world)?.wait())
}

/// Where the time of the last step went.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_profile(
    world: WobbleWorld,
    out_profile: *mut WobbleProfile,
) -> WobbleStatus {
    call(|| {
        let out = out_sized(out_profile, "out_profile")?;
        out.write(handles::world(world)?.with(|w| Ok(w.profile()))?.into());
        Ok(())
    })
}

/// What the world holds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_statistics(
    world: WobbleWorld,
    out_statistics: *mut WobbleStatistics,
) -> WobbleStatus {
    call(|| {
        let out = out_sized(out_statistics, "out_statistics")?;
        out.write(handles::world(world)?.with(|w| Ok(w.statistics()))?.into());
        Ok(())
    })
}

/// A number that changes with any bit of any body's positions and velocities: equal after
/// equal calls, on any number of threads and on every x86-64 machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_state_hash(world: WobbleWorld, out_hash: *mut u64) -> WobbleStatus {
    call(|| {
        let out = out(out_hash, "out_hash")?;
        out.write(handles::world(world)?.with(|w| Ok(w.state_hash()))?);
        Ok(())
    })
}

/// Number of bodies.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_body_count(world: WobbleWorld, out_count: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        out.write(handles::world(world)?.with(|w| Ok(w.bodies().count() as u32))?);
        Ok(())
    })
}

/// The handles of all bodies, in a fixed order, into out_bodies, which holds capacity of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_bodies(
    world: WobbleWorld,
    out_bodies: *mut WobbleBody,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    list(world, out_bodies, capacity, out_count, |w| w.bodies().map(|(id, _)| id).collect())
}

/// The handles of those bodies that went out of bounds in the last step, were put back and are
/// frozen now, into out_bodies. There are at most wobble_world_body_count().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_newly_frozen(
    world: WobbleWorld,
    out_bodies: *mut WobbleBody,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    list(world, out_bodies, capacity, out_count, |w| w.newly_frozen().to_vec())
}

/// Writes the handles of bodies.
pub(super) fn list(
    world: WobbleWorld,
    out_bodies: *mut WobbleBody,
    capacity: u32,
    out_count: *mut u32,
    find: impl Fn(&World) -> Vec<BodyId>,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let cell = handles::world(world)?;
        let handle = |id: &BodyId| handles::body_handle(cell.place(), id.index(), id.generation());
        let found: Vec<WobbleBody> = cell.with(|w| Ok(find(w)))?.iter().map(handle).collect();
        memory::write_list(&found, out_bodies, capacity, out_count, "out_bodies", "bodies")
    })
}

/// Bytes that wobble_world_snapshot() takes now. Costs as much as the snapshot; the size changes
/// with what the world holds, which pairs touch and who sleeps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_snapshot_size(world: WobbleWorld, out_size: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_size, "out_size")?;
        let bytes = handles::world(world)?.with(|w| Ok(w.snapshot_file()?.len()))?;
        out.write(memory::size32(bytes, "snapshot")?);
        Ok(())
    })
}

/// The state of a world as bytes: gravity, substeps, colliders, bodies, attachments, force fields. Shapes are not in it, only
/// what tells them apart. A restored world goes on bit for bit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_snapshot(
    world: WobbleWorld,
    out_bytes: *mut u8,
    capacity: u32,
    out_size: *mut u32,
) -> WobbleStatus {
    call(|| {
        let bytes = handles::world(world)?.with(|w| Ok(w.snapshot_file()?))?;
        memory::write_bytes(&bytes, out_bytes, capacity, out_size, "snapshot")
    })
}

/// Puts a world into the state of a snapshot, of this or another world. Shapes are looked up among
/// the given ones and those of the world's present bodies. Handles of bodies, colliders, attachments and fields
/// that were there at the time of the snapshot are good again, those made since become stale. In another world
/// all get handles of their own: ask wobble_world_bodies(), wobble_world_colliders(),
/// wobble_world_attachments() and wobble_world_fields(). Changes nothing on failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_restore(
    world: WobbleWorld,
    bytes: *const u8,
    size: u32,
    shapes: *const WobbleShape,
    shape_count: u32,
) -> WobbleStatus {
    call(|| {
        // SAFETY: by the caller's word the bytes are there.
        let bytes = unsafe { memory::bytes(bytes, size, "bytes")? };
        // A handle is two floats wide, as far as reading an array goes.
        let handles = Strided::new(shapes.cast(), shape_count, 8, 2, "shapes")?;
        let shapes = (0..handles.count).map(|i| {
            let [low, high] = handles.read::<2>(i).map(|word| u64::from(word.to_bits()));
            let bits = if cfg!(target_endian = "little") { high << 32 | low } else { low << 32 | high };
            handles::shape(WobbleShape { bits })
        });
        let shapes = shapes.collect::<Result<Vec<_>, Failure>>()?;
        handles::world(world)?.with(|w| Ok(w.restore(bytes, &shapes)?))
    })
}
