//! Contacts: who touches whom, and what bodies bring to it.

use super::body::change;
use super::collider_defs::WobbleContact;
use super::convert;
use super::guard::call;
use super::handles::{self, WobbleBody, WobbleWorld};
use super::memory::{self, out};
use super::status::{Failure, WobbleStatus};
use crate::body::Body;
use crate::collide::events::ContactEvent;
use crate::collide::surface::{Groups, Touch};

/// Number of pairs that touched in the last step or parted in it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_contact_count(world: WobbleWorld, out_count: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        out.write(handles::world(world)?.with(|w| Ok(w.contacts().len() as u32))?);
        Ok(())
    })
}

/// The pairs that touched in the last step or parted in it, sorted by body and partner, into
/// out_contacts, which holds capacity of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_contacts(
    world: WobbleWorld,
    out_contacts: *mut WobbleContact,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let cell = handles::world(world)?;
        let event = |event: &ContactEvent| WobbleContact::new(cell.place(), event);
        let found: Vec<WobbleContact> = cell.with(|w| Ok(w.contacts().iter().map(event).collect()))?;
        memory::write_list(&found, out_contacts, capacity, out_count, "out_contacts", "contacts")
    })
}

/// Reports contacts from an impulse of threshold N s in a step on, 0 to 1e9, at most max_contacts of
/// them, up to 16777216. Pairs that press less count as apart; the weakest events beyond the most are
/// left out.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_set_contact_reporting(
    world: WobbleWorld,
    threshold: f32,
    max_contacts: u32,
) -> WobbleStatus {
    call(|| handles::world(world)?.with(|w| Ok(w.set_contact_reporting(threshold, max_contacts)?)))
}

/// From which impulse on contacts are reported, N s in a step, and the most of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_contact_reporting(
    world: WobbleWorld,
    out_threshold: *mut f32,
    out_max_contacts: *mut u32,
) -> WobbleStatus {
    call(|| {
        let threshold = out(out_threshold, "out_threshold")?;
        let most = out(out_max_contacts, "out_max_contacts")?;
        let found = handles::world(world)?.with(|w| Ok(w.contact_reporting()))?;
        threshold.write(found.0);
        most.write(found.1);
        Ok(())
    })
}

/// Lets bodies push each other apart where they touch (1, the default), or pass through each other (0). The surfaces of
/// shapes are found once there are two bodies, which for small shapes takes as long as building them.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_set_bodies_meet(world: WobbleWorld, meet: u32) -> WobbleStatus {
    call(|| {
        let meet = convert::flag("meet", meet)?;
        handles::world(world)?.with(|w| {
            w.set_bodies_meet(meet);
            Ok(())
        })
    })
}

/// 1 if bodies push each other apart where they touch, 0 if they pass through each other.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_bodies_meet(world: WobbleWorld, out_meet: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_meet, "out_meet")?;
        out.write(handles::world(world)?.with(|w| Ok(w.bodies_meet()))?.into());
        Ok(())
    })
}

/// Sets friction, 0 to 1e6, and restitution, 0 to 1, of a body, and how they are combined with those of
/// what it touches: a WOBBLE_COMBINE_ constant.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_surface(
    body: WobbleBody,
    friction: f32,
    restitution: f32,
    combine: u32,
) -> WobbleStatus {
    match convert::surface(friction, restitution, combine) {
        Ok(surface) => change(body, |b| b.set_surface(surface)),
        Err(failure) => call(|| Err(failure)),
    }
}

/// Friction and restitution of a body, and how they are combined with those of what it touches: a
/// WOBBLE_COMBINE_ constant.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_surface(
    body: WobbleBody,
    out_friction: *mut f32,
    out_restitution: *mut f32,
    out_combine: *mut u32,
) -> WobbleStatus {
    call(|| {
        let friction = out(out_friction, "out_friction")?;
        let restitution = out(out_restitution, "out_restitution")?;
        let combine = out(out_combine, "out_combine")?;
        let surface = read(body, |b| b.surface())?;
        friction.write(surface.friction);
        restitution.write(surface.restitution);
        combine.write(surface.combine.into());
        Ok(())
    })
}

/// Sets how a body touches other bodies, and itself. parting is the share of an overlap that goes in a substep,
/// 0 to 1; of two bodies the mean counts. More than the default of 0.4 throws apart what begins inside each other,
/// less leaves bodies inside each other that were pressed together hard. Stiff bodies, whose pull would make speed of it, part more slowly. touches_itself is 1 if parts of the body touch each other, 0 (the default) if they pass through each
/// other. proxies is 1 if the body is touched at its clusters' spheres cut by planes, which are lumpy, and 0 (the
/// default) if at its surface.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_touch(
    body: WobbleBody,
    parting: f32,
    touches_itself: u32,
    proxies: u32,
) -> WobbleStatus {
    let flags = convert::flag("touches_itself", touches_itself)
        .and_then(|itself| Ok((itself, convert::flag("proxies", proxies)?)));
    match flags {
        Ok((itself, proxies)) => change(body, |b| b.set_touch(Touch { parting, itself, proxies })),
        Err(failure) => call(|| Err(failure)),
    }
}

/// How a body touches other bodies, and itself: what wobble_body_set_touch was given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_touch(
    body: WobbleBody,
    out_parting: *mut f32,
    out_touches_itself: *mut u32,
    out_proxies: *mut u32,
) -> WobbleStatus {
    call(|| {
        let parting = out(out_parting, "out_parting")?;
        let itself = out(out_touches_itself, "out_touches_itself")?;
        let proxies = out(out_proxies, "out_proxies")?;
        let touch = read(body, |b| b.touch())?;
        parting.write(touch.parting);
        itself.write(touch.itself.into());
        proxies.write(touch.proxies.into());
        Ok(())
    })
}

/// The groups that a body is in, and those that it meets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_groups(
    body: WobbleBody,
    out_group: *mut u32,
    out_mask: *mut u32,
) -> WobbleStatus {
    call(|| {
        let (group, mask) = (out(out_group, "out_group")?, out(out_mask, "out_mask")?);
        let groups = read(body, |b| b.groups())?;
        group.write(groups.group);
        mask.write(groups.mask);
        Ok(())
    })
}

/// The distance that the particles of a body keep from what they touch, metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_particle_radius(body: WobbleBody, out_radius: *mut f32) -> WobbleStatus {
    call(|| {
        let out = out(out_radius, "out_radius")?;
        out.write(read(body, |b| b.particle_radius())?);
        Ok(())
    })
}

/// 1 if a particle of a body was in contact with a collider at the end of the last step, 0 if not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_is_touching(body: WobbleBody, out_touching: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_touching, "out_touching")?;
        out.write(read(body, |b| b.is_touching())?.into());
        Ok(())
    })
}

/// What `find` reads of a body.
fn read<R>(body: WobbleBody, find: impl FnOnce(&Body) -> R) -> Result<R, Failure> {
    let named = handles::body(body)?;
    named.cell.with_body(&named, |b| Ok(find(b)))
}

/// Sets the groups that a body is in, and those that it meets. Two meet if each one's group has a bit
/// in the other's mask.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_groups(body: WobbleBody, group: u32, mask: u32) -> WobbleStatus {
    change(body, |b| {
        b.set_groups(Groups { group, mask });
        Ok(())
    })
}

/// Sets the distance that the particles of a body keep from what they touch, metres, 0 to 1e6.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_particle_radius(body: WobbleBody, radius: f32) -> WobbleStatus {
    change(body, |b| b.set_particle_radius(radius))
}
