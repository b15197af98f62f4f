//! Sleep: bodies at rest that cost nothing until something disturbs them.

use super::body::change;
use super::convert;
use super::guard::call;
use super::handles::{self, WobbleBody, WobbleWorld};
use super::memory::out;
use super::reading::read;
use super::status::WobbleStatus;
use super::world::list;

/// Lets bodies at rest fall asleep (1), or keeps all awake (0). A body falls asleep when it has been
/// moving, all its particles taken together, at no more than speed times the square root of its width,
/// in metres and seconds, for half a second, and so has every body that it touches or is joined to; these
/// sleep and wake together. speed is 0 to 1e6 m/s; 0.03 at first.
///
/// One that sleeps costs next to nothing and stays where it is. It wakes when a body touches it, when a
/// collider near it comes, goes, changes or moves, and by every call that changes something about it.
/// Nothing is told of its contacts while it sleeps: they go on, and stay or end when it wakes. It pushes
/// nothing, so keep bodies awake whose weight your own rigid bodies are to carry.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_set_sleeping(world: WobbleWorld, enabled: u32, speed: f32) -> WobbleStatus {
    call(|| {
        let enabled = convert::flag("enabled", enabled)?;
        handles::world(world)?.with(|w| Ok(w.set_sleeping(enabled, speed)?))
    })
}

/// Whether bodies at rest fall asleep, 1 or 0, and what counts as rest for a body of 1 m, m/s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_sleeping(
    world: WobbleWorld,
    out_enabled: *mut u32,
    out_speed: *mut f32,
) -> WobbleStatus {
    call(|| {
        let (on, at) = (out(out_enabled, "out_enabled")?, out(out_speed, "out_speed")?);
        let (enabled, speed) = handles::world(world)?.with(|w| Ok(w.sleeping()))?;
        on.write(enabled.into());
        at.write(speed);
        Ok(())
    })
}

/// The handles of those bodies that fell asleep in the last step, or were put to sleep before it, into
/// out_bodies. There are at most wobble_world_body_count().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_slept(
    world: WobbleWorld,
    out_bodies: *mut WobbleBody,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    list(world, out_bodies, capacity, out_count, |w| w.slept().to_vec())
}

/// The handles of those bodies that woke in the last step, or were woken before it, into out_bodies.
/// There are at most wobble_world_body_count().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_woke(
    world: WobbleWorld,
    out_bodies: *mut WobbleBody,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    list(world, out_bodies, capacity, out_count, |w| w.woke().to_vec())
}

/// Wakes every body of a world.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_wake_all(world: WobbleWorld) -> WobbleStatus {
    call(|| {
        handles::world(world)?.with(|w| {
            w.wake_all();
            Ok(())
        })
    })
}

/// Lets a body fall asleep once it is at rest (1), or keeps it awake (0).
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_can_sleep(body: WobbleBody, can_sleep: u32) -> WobbleStatus {
    match convert::flag("can_sleep", can_sleep) {
        Ok(can_sleep) => change(body, |b| {
            b.set_can_sleep(can_sleep);
            Ok(())
        }),
        Err(failure) => call(|| Err(failure)),
    }
}

/// 1 if the body may fall asleep once it is at rest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_can_sleep(body: WobbleBody, out_can_sleep: *mut u32) -> WobbleStatus {
    read(body, out_can_sleep, "out_can_sleep", |b| Ok(b.can_sleep().into()))
}

/// 1 if the body sleeps: steps pass over it, and it stays where it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_is_sleeping(body: WobbleBody, out_sleeping: *mut u32) -> WobbleStatus {
    read(body, out_sleeping, "out_sleeping", |b| Ok(b.is_sleeping().into()))
}

/// Wakes a body; the next step wakes those that fell asleep with it. One that is awake begins to count
/// its time at rest anew.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_wake(body: WobbleBody) -> WobbleStatus {
    change(body, |b| {
        b.wake();
        Ok(())
    })
}

/// Puts a body to sleep where it is, whatever it does: its velocities and the forces on it are gone.
/// Whatever is awake and touches it or is joined to it wakes it again. Does nothing to a body that is
/// disabled or frozen.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_put_to_sleep(body: WobbleBody) -> WobbleStatus {
    change(body, |b| {
        b.put_to_sleep();
        Ok(())
    })
}
