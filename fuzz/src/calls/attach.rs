//! Attachments, joints and drags.

use wobble::capi::attach::*;
use wobble::capi::defs::{WobbleQuat, WobbleVec3};
use wobble::capi::handles::{WobbleAttachment, WobbleBody, WobbleWorld};

use crate::driver::{Driver, Expect};
use crate::shadow::{Any, Use};
use crate::values::Input;
use crate::{api, ask};

/// Attachments in a world.
const MOST_ATTACHMENTS: usize = 10;

pub(super) fn attachment_def_init(driver: &mut Driver) {
    super::init::<WobbleAttachmentDef>(driver, "wobble_attachment_def_init", wobble_attachment_def_init);
}

pub(super) fn joint_def_init(driver: &mut Driver) {
    super::init::<WobbleJointDef>(driver, "wobble_joint_def_init", wobble_joint_def_init);
}

pub(super) fn drag_def_init(driver: &mut Driver) {
    super::init::<WobbleDragDef>(driver, "wobble_drag_def_init", wobble_drag_def_init);
}

/// The attachments of a world by its own account.
fn listed(driver: &mut Driver, world: WobbleWorld) -> Vec<WobbleAttachment> {
    driver.calmly(|driver| {
        let count = ask!(driver, wobble_world_attachment_count(world) -> u32).unwrap_or(0);
        let list = driver.list_out::<WobbleAttachment>(count, count);
        let found = ask!(driver, wobble_world_attachments(world, list.pointer, list.capacity) -> u32);
        list.take(driver, found)
    })
}

/// An attachment of a world that does not step.
fn attachment(driver: &mut Driver) -> WobbleAttachment {
    let worlds = driver.shadow.quiet_worlds();
    let all: Vec<WobbleAttachment> = worlds.into_iter().flat_map(|world| listed(driver, world)).collect();
    if !all.is_empty() && !driver.spoil() {
        return driver.dice.pick(&all);
    }
    let chosen = WobbleAttachment { bits: driver.wrong(|a| matches!(a, Any::Attachment(_))) };
    if all.contains(&chosen) {
        // A bit of another handle may make it that of an attachment.
        driver.expect = Expect::Either;
    }
    chosen
}

/// A spring or none: frequency and damping.
fn hold(driver: &mut Driver) -> (f32, f32) {
    match driver.dice.chance(40) {
        true => (0.0, 1.0),
        false => (driver.float(f32::MIN_POSITIVE, 1e4, (0.5, 30.0)), driver.float(0.0, 100.0, (0.0, 2.0))),
    }
}

fn force(driver: &mut Driver) -> f32 {
    driver.float(0.0, f32::INFINITY, (0.0, 300.0))
}

fn count_of(driver: &Driver, body: WobbleBody) -> u32 {
    driver.shadow.info_of(body).map_or(0, |info| info.particles)
}

/// Whether the world of a body has as many attachments as it should; lets one go then.
fn is_full(driver: &mut Driver, body: WobbleBody) -> bool {
    let Some((at, _)) = driver.shadow.body_at(body) else { return false };
    let world = &driver.shadow.worlds[at];
    let (world, stepping) = (world.handle, world.stepping);
    let full = !stepping && listed(driver, world).len() >= MOST_ATTACHMENTS;
    if full {
        driver.expect = Expect::Success;
        destroy(driver);
    }
    full
}

/// Takes a new attachment into the books.
fn adopt(driver: &mut Driver, made: Option<WobbleAttachment>) {
    let Some(made) = made else { return };
    let dead = driver.shadow.dead.contains(&Any::Attachment(made.bits));
    driver.ensure(!dead, || format!("{made:?} was given out before"));
}

pub(super) fn attach(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    if is_full(driver, body) {
        return;
    }
    let (count, wanted) = (count_of(driver, body), driver.dice.between(1, 12));
    // The numbers go through an array of floats, which is only moved.
    let particles: Vec<f32> = (0..wanted).map(|_| f32::from_bits(driver.index(count))).collect();
    let input = driver.packed_in(&particles);
    let ((hertz, damping_ratio), break_force) = (hold(driver), force(driver));
    let def = WobbleAttachmentDef {
        struct_size: 0,
        position: driver.vector(2.0),
        rotation: driver.quaternion(),
        hertz,
        damping_ratio,
        break_force,
    };
    let spoilt_before = driver.expect;
    let def = driver.sized(def, true);
    if def.pointer.is_null() && spoilt_before == Expect::Refusal {
        driver.expect = Expect::Either;
    }
    let pointer: *const u32 = input.pointer.cast();
    let made = ask!(driver, wobble_body_attach(body, pointer, wanted, def.pointer) -> WobbleAttachment);
    adopt(driver, made);
}

pub(super) fn join(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    if is_full(driver, body) {
        return;
    }
    let neighbours = driver.shadow.body_at(body).map(|(at, _)| driver.shadow.worlds[at].bodies.clone());
    let other = match neighbours {
        Some(bodies) if !driver.spoil() => bodies[driver.dice.index(bodies.len())].handle,
        _ => {
            driver.unsure();
            driver.body(Use::Change)
        }
    };
    if count_of(driver, body) == 0 || count_of(driver, other) == 0 {
        driver.bad();
    }
    let ((hertz, damping_ratio), break_force) = (hold(driver), force(driver));
    let def = WobbleJointDef {
        struct_size: 0,
        point: driver.vector(1.0),
        other_point: driver.vector(1.0),
        radius: driver.float(0.0, 1e9, (0.0, 0.5)),
        length: driver.dice.pick(&[-1.0, -1.0, 0.0, 0.3, 1e9]),
        hertz,
        damping_ratio,
        break_force,
    };
    let def = driver.sized(def, false);
    let made = ask!(driver, wobble_body_join(body, other, def.pointer) -> WobbleAttachment);
    adopt(driver, made);
}

pub(super) fn drag(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    if is_full(driver, body) {
        return;
    }
    if count_of(driver, body) == 0 {
        driver.bad();
    }
    let def = WobbleDragDef {
        struct_size: 0,
        point: driver.vector(1.0),
        radius: driver.float(0.0, 1e9, (0.0, 0.5)),
        hertz: driver.float(f32::MIN_POSITIVE, 1e4, (1.0, 20.0)),
        damping_ratio: driver.float(0.0, 100.0, (0.0, 2.0)),
        max_force: force(driver),
    };
    let def = driver.sized(def, false);
    let made = ask!(driver, wobble_body_drag(body, def.pointer) -> WobbleAttachment);
    adopt(driver, made);
}

/// An attachment, and where it is to be. A joint is refused.
fn led(driver: &mut Driver) -> (WobbleAttachment, Input<WobbleVec3>, Input<WobbleQuat>) {
    let attachment = attachment(driver);
    let (position, rotation) = (driver.vector(3.0), driver.quaternion());
    driver.unsure();
    (attachment, driver.one(position, false), driver.one(rotation, true))
}

pub(super) fn move_to(driver: &mut Driver) {
    let (attachment, position, rotation) = led(driver);
    api!(driver, wobble_attachment_move(attachment, position.pointer, rotation.pointer));
}

pub(super) fn set_pose(driver: &mut Driver) {
    let (attachment, position, rotation) = led(driver);
    api!(driver, wobble_attachment_set_pose(attachment, position.pointer, rotation.pointer));
}

pub(super) fn impulse(driver: &mut Driver) {
    let attachment = attachment(driver);
    let (impulse, torque) = (driver.out::<WobbleVec3>(), driver.out::<WobbleVec3>());
    let status = api!(driver, wobble_attachment_impulse(attachment, impulse.pointer, torque.pointer));
    let (impulse, torque) = (driver.take(&impulse, status), driver.take(&torque, status));
    if let (Some(i), Some(t)) = (impulse, torque) {
        let finite = [i.x, i.y, i.z, t.x, t.y, t.z].iter().all(|n| n.is_finite());
        driver.ensure(finite, || format!("{i:?}, {t:?}"));
    }
}

pub(super) fn destroy(driver: &mut Driver) {
    let attachment = attachment(driver);
    if api!(driver, wobble_attachment_destroy(attachment)) == 0 {
        driver.shadow.dead.push(Any::Attachment(attachment.bits));
    }
}

pub(super) fn count(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    ask!(driver, wobble_world_attachment_count(world) -> u32);
}

pub(super) fn attachments(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let known = driver.shadow.quiet_worlds().contains(&world);
    let count = if known { listed(driver, world).len() as u32 } else { 0 };
    let list = driver.list_out::<WobbleAttachment>(count, count);
    let found = ask!(driver, wobble_world_attachments(world, list.pointer, list.capacity) -> u32);
    let all = list.take(driver, found);
    let live = all.iter().all(|a| !driver.shadow.dead.contains(&Any::Attachment(a.bits)));
    driver.ensure(live, || format!("{all:?} are not all alive"));
}

pub(super) fn broken_count(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    ask!(driver, wobble_world_broken_attachment_count(world) -> u32);
}

pub(super) fn broken(driver: &mut Driver) {
    let world = driver.world(Use::Change);
    let list = driver.list_out::<WobbleAttachment>(0, 4 * MOST_ATTACHMENTS as u32);
    // There may be more than fit.
    driver.unsure();
    let found = ask!(driver, wobble_world_broken_attachments(world, list.pointer, list.capacity) -> u32);
    for broken in list.take(driver, found) {
        let dead = Any::Attachment(broken.bits);
        if !driver.shadow.dead.contains(&dead) {
            driver.shadow.dead.push(dead);
        }
    }
}
