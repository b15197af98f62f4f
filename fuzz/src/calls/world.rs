//! Worlds.

use wobble::capi::defs::*;
use wobble::capi::handles::{WobbleBody, WobbleWorld};
use wobble::capi::world::*;

use super::torn::{self, Happened};
use crate::driver::Driver;
use crate::shadow::{Any, Use, WorldShadow};
use crate::values::LARGEST;
use crate::{api, ask};

/// Worlds at a time.
const MOST_WORLDS: usize = 3;

/// Threads as the variant of the run has them: never the same number in two variants.
fn threads(driver: &mut Driver) -> u32 {
    let chosen = driver.integer(0, 256, 4);
    if chosen > 256 { chosen } else { (chosen + driver.run.variant) % 5 }
}

/// Steps mostly of a sixtieth of a second, some of odd lengths.
fn seconds(driver: &mut Driver) -> f32 {
    if !driver.sour && driver.dice.chance(70) {
        return 1.0 / 60.0;
    }
    let usual = driver.dice.pick(&[(1e-3, 0.05), (1e-3, 0.05), (0.05, 0.5)]);
    driver.float(f32::MIN_POSITIVE, 10.0, usual)
}

pub(super) fn def_init(driver: &mut Driver) {
    super::init::<WobbleWorldDef>(driver, "wobble_world_def_init", wobble_world_def_init);
}

pub(super) fn create(driver: &mut Driver) {
    if driver.shadow.worlds.len() >= MOST_WORLDS {
        return destroy(driver);
    }
    let threads = threads(driver);
    let substeps = driver.integer(1, 64, 6);
    let gravity = driver.vector(12.0);
    let contact_threshold = driver.float(0.0, 1e9, (0.0, 0.1));
    let max_contacts = driver.integer(0, 16_777_216, 100);
    let def = WobbleWorldDef {
        struct_size: 0,
        threads,
        substeps,
        gravity,
        contact_threshold,
        max_contacts,
        sleeping: driver.integer(0, 1, 1),
        sleep_speed: driver.float(0.0, 1e6, (0.0, 5.0)),
    };
    let def = driver.sized(def, true);
    let made = ask!(driver, wobble_world_create(def.pointer) -> WobbleWorld);
    let Some(handle) = made else { return };
    let fresh =
        driver.shadow.world_at(handle).is_none() && !driver.shadow.dead.contains(&Any::World(handle.bits));
    driver.ensure(fresh, || format!("{handle:?} was given out before"));
    let (bodies, colliders) = (Vec::new(), Vec::new());
    driver.shadow.worlds.push(WorldShadow { handle, bodies, colliders, stepping: false, fragile: false });
}

pub(super) fn destroy(driver: &mut Driver) {
    let world = driver.world(Use::Always);
    if api!(driver, wobble_world_destroy(world)) == 0 {
        let at = driver.shadow.world_at(world).unwrap_or_else(|| driver.fail("destroyed an unknown world"));
        driver.shadow.bury_world(at);
    }
}

pub(super) fn set_gravity(driver: &mut Driver) {
    let (world, g) = (driver.world(Use::Change), driver.vector(20.0));
    api!(driver, wobble_world_set_gravity(world, g.x, g.y, g.z));
}

pub(super) fn gravity(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    if let Some(g) = ask!(driver, wobble_world_gravity(world) -> WobbleVec3) {
        let ordinary = [g.x, g.y, g.z].iter().all(|c| c.abs() <= LARGEST);
        driver.ensure(ordinary, || format!("gravity is {g:?}"));
    }
}

pub(super) fn set_threads(driver: &mut Driver) {
    let (threads, world) = (threads(driver), driver.world(Use::Change));
    api!(driver, wobble_world_set_threads(world, threads));
}

pub(super) fn get_threads(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let output = driver.out::<u32>();
    let status = api!(driver, wobble_world_threads(world, output.pointer));
    if let Some(threads) = driver.take_unnoted(&output, status) {
        driver.ensure((1..=256).contains(&threads), || format!("{threads} threads"));
    }
}

pub(super) fn set_substeps(driver: &mut Driver) {
    let (world, substeps) = (driver.world(Use::Change), driver.integer(1, 64, 8));
    api!(driver, wobble_world_set_substeps(world, substeps));
}

pub(super) fn substeps(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    ask!(driver, wobble_world_substeps(world) -> u32);
}

pub(super) fn step(driver: &mut Driver) {
    let (world, dt) = (driver.world(Use::Change), seconds(driver));
    if api!(driver, wobble_world_step(world, dt)) == 0 {
        torn::settle(driver, world, Happened::Stepped);
    }
}

pub(super) fn step_begin(driver: &mut Driver) {
    let (world, dt) = (driver.world(Use::Change), seconds(driver));
    if api!(driver, wobble_world_step_begin(world, dt)) == 0
        && let Some(at) = driver.shadow.world_at(world)
    {
        driver.shadow.worlds[at].stepping = true;
    }
}

/// Whether a step is done hangs on the time, so the episode goes on after waiting for it.
pub(super) fn step_is_done(driver: &mut Driver) {
    let world = driver.world(Use::Always);
    let output = driver.out::<u32>();
    let status = api!(driver, wobble_world_step_is_done(world, output.pointer));
    let Some(done) = driver.take_unnoted(&output, status) else { return };
    let stepping = driver.shadow.world_at(world).is_some_and(|at| driver.shadow.worlds[at].stepping);
    driver.ensure(done == 1 || stepping && done == 0, || format!("is done: {done}"));
    wait_for(driver, world);
}

pub(super) fn step_wait(driver: &mut Driver) {
    // Rather for a world that there is something to wait for in.
    let stepping = driver.shadow.worlds.iter().find(|w| w.stepping).map(|w| w.handle);
    let world = if driver.sour { driver.world(Use::Always) } else { stepping.unwrap_or_default() };
    if world.bits == 0 {
        driver.bad();
    }
    wait_for(driver, world);
}

/// Waits for the step of a world.
pub(crate) fn wait_for(driver: &mut Driver, world: WobbleWorld) {
    if api!(driver, wobble_world_step_wait(world)) == 0
        && let Some(at) = driver.shadow.world_at(world)
    {
        let stepped = std::mem::take(&mut driver.shadow.worlds[at].stepping);
        if stepped {
            torn::settle(driver, world, Happened::Stepped);
        }
    }
}

pub(super) fn profile(driver: &mut Driver) {
    let (memory, pointer) = driver.out_sized::<WobbleProfile>();
    let world = driver.world(Use::Change);
    let status = api!(driver, wobble_world_profile(world, pointer));
    if let Some(profile) = driver.take_sized::<WobbleProfile>(&memory, status) {
        let WobbleProfile { matching, goals, integrate, strain, total, .. } = profile;
        let sound = [matching, goals, integrate, strain, total].iter().all(|t| t.is_finite() && *t >= 0.0);
        driver.ensure(sound, || format!("{profile:?}"));
    }
}

pub(super) fn statistics(driver: &mut Driver) {
    let (memory, pointer) = driver.out_sized::<WobbleStatistics>();
    let world = driver.world(Use::Change);
    let status = api!(driver, wobble_world_statistics(world, pointer));
    if let Some(statistics) = driver.take_sized::<WobbleStatistics>(&memory, status) {
        check_statistics(driver, world, &statistics);
    }
}

/// Compares what a world holds with what it should.
fn check_statistics(driver: &mut Driver, world: WobbleWorld, found: &WobbleStatistics) {
    let Some(at) = driver.shadow.world_at(world) else { driver.fail("statistics of an unknown world") };
    let known = &driver.shadow.worlds[at];
    let particles: u64 = known.bodies.iter().map(|b| u64::from(b.info.particles)).sum();
    let clusters = known.bodies.iter().flat_map(|b| b.info.clusters.iter());
    let clusters: u64 = clusters.map(|c| u64::from(*c)).sum();
    let colliders = known.colliders.len() as u32;
    let wanted = (known.bodies.len() as u32, colliders, particles, clusters);
    let got = (found.bodies, found.colliders, found.particles, found.clusters);
    driver
        .ensure(got == wanted, || format!("bodies, colliders, particles, clusters: {got:?}, not {wanted:?}"));
    let few = found.enabled <= found.bodies && found.frozen <= found.bodies;
    driver.ensure(few, || format!("{found:?}"));
    [u64::from(found.enabled), u64::from(found.frozen), found.memberships]
        .iter()
        .for_each(|w| driver.note(*w));
}

pub(super) fn state_hash(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    ask!(driver, wobble_world_state_hash(world) -> u64);
}

pub(super) fn body_count(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    if let Some(count) = ask!(driver, wobble_world_body_count(world) -> u32)
        && let Some(at) = driver.shadow.world_at(world)
    {
        let wanted = driver.shadow.worlds[at].bodies.len() as u32;
        driver.ensure(count == wanted, || format!("{count} bodies instead of {wanted}"));
    }
}

pub(super) fn bodies(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let at = driver.shadow.world_at(world);
    let wanted = at.map_or(0, |at| driver.shadow.worlds[at].bodies.len() as u32);
    let list = driver.list_out::<WobbleBody>(wanted, wanted);
    let found = ask!(driver, wobble_world_bodies(world, list.pointer, list.capacity) -> u32);
    let listed = list.take(driver, found);
    let all = listed.iter().all(|b| is_body_of(driver, at, *b));
    driver.ensure(all && found.is_none_or(|n| n == wanted), || {
        format!("{listed:?} are not the bodies of the world")
    });
}

pub(super) fn newly_frozen(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let at = driver.shadow.world_at(world);
    let most = at.map_or(0, |at| driver.shadow.worlds[at].bodies.len() as u32);
    let list = driver.list_out::<WobbleBody>(0, most);
    let found = ask!(driver, wobble_world_newly_frozen(world, list.pointer, list.capacity) -> u32);
    let listed = list.take(driver, found);
    let all = listed.iter().all(|b| is_body_of(driver, at, *b));
    driver.ensure(all, || format!("{listed:?} are frozen, but not all bodies of the world"));
}

pub(super) fn is_body_of(driver: &Driver, world: Option<usize>, body: WobbleBody) -> bool {
    world.is_some_and(|at| driver.shadow.worlds[at].bodies.iter().any(|known| known.handle == body))
}
