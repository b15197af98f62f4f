//! What is where: rays, closest points and overlaps.

use glam::Quat;

use super::collider_defs::WobblePartner;
use super::defs::{WobbleQuat, WobbleVec3};
use super::guard::call;
use super::handles::{self, WobbleBody, WobbleCollider, WobbleWorld};
use super::memory::{self, out, required};
use super::status::{Failure, WobbleStatus};
use crate::collide::events::Partner;
use crate::collide::surface::Groups;
use crate::error::Error;
use crate::query::Hit;
use crate::world::World;

/// In place of a number: there is none.
pub const WOBBLE_NONE: u32 = 0xffff_ffff;

/// What a ray or a search for the closest point found.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WobbleHit {
    /// The body; null if it is a collider, or nothing was found.
    pub body: WobbleBody,
    /// The collider; null if it is a body, or nothing was found.
    pub collider: WobbleCollider,
    /// 1 if something was found; 0 if not, and all else is zero but particle and cluster.
    pub found: u32,
    /// Where, metres; on the surface.
    pub point: WobbleVec3,
    /// Direction out of it at that point, of length 1.
    pub normal: WobbleVec3,
    /// Metres from where the search began, along the ray or straight; below 0 if a search for the closest point began inside.
    pub distance: f32,
    /// Of a body, the particle nearest to the point; otherwise WOBBLE_NONE.
    pub particle: u32,
    /// Of a body, the cluster of the finest level that holds this particle most; otherwise WOBBLE_NONE.
    pub cluster: u32,
}

impl WobbleHit {
    /// The hit as hosts of the world at `place` see it.
    fn new(place: u64, hit: Option<Hit>) -> WobbleHit {
        let nothing = WobbleHit { particle: WOBBLE_NONE, cluster: WOBBLE_NONE, ..WobbleHit::default() };
        let Some(hit) = hit else { return nothing };
        let WobblePartner { body, collider } = WobblePartner::new(place, hit.what);
        WobbleHit {
            body,
            collider,
            found: 1,
            point: hit.point.into(),
            normal: hit.normal.into(),
            distance: hit.distance,
            particle: hit.particle.unwrap_or(WOBBLE_NONE),
            cluster: hit.cluster.unwrap_or(WOBBLE_NONE),
        }
    }
}

/// The first body or collider that a ray meets. One that begins inside meets it at once; one that begins on a
/// collider's surface goes in at once or leaves it. Bodies are met at
/// their mesh as it is deformed, or where they have none at the surface through their outer particles; disabled
/// ones are not met. The first query after a body changed finds out where its surface is; for the first body of
/// a shape that takes about as long as building the shape did.
///
/// origin        where the ray begins, metres
/// direction     of any length but zero
/// max_distance  metres, 0 to 1e9
/// group, mask   as those of a body: only what meets them is looked at; bodies have 1 and UINT32_MAX by default
/// out_hit       receives what was found; its found is 0 if nothing was
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_cast_ray(
    world: WobbleWorld,
    origin: *const WobbleVec3,
    direction: *const WobbleVec3,
    max_distance: f32,
    group: u32,
    mask: u32,
    out_hit: *mut WobbleHit,
) -> WobbleStatus {
    call(|| {
        let origin = required(origin, "origin")?.into();
        let direction = required(direction, "direction")?.into();
        let groups = Groups { group, mask };
        find(world, out_hit, |w| w.cast_ray(origin, direction, max_distance, groups))
    })
}

/// The point nearest to a point on the surface of a body or collider within a distance. From inside, the way out
/// counts, as a distance below 0. Bodies are met as by wobble_world_cast_ray().
///
/// max_distance  metres, 0 to 1e9
/// group, mask   as those of a body: only what meets them is looked at
/// out_hit       receives what was found; its found is 0 if nothing was
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_closest_point(
    world: WobbleWorld,
    point: *const WobbleVec3,
    max_distance: f32,
    group: u32,
    mask: u32,
    out_hit: *mut WobbleHit,
) -> WobbleStatus {
    call(|| {
        let (point, groups) = (required(point, "point")?.into(), Groups { group, mask });
        find(world, out_hit, |w| w.closest_point(point, max_distance, groups))
    })
}

/// The bodies and colliders that a sphere has points in common with, bodies first, in a fixed order.
///
/// radius        metres, 0 to 1e9
/// group, mask   as those of a body: only what meets them is looked at
/// out_found     receives them
/// capacity      how many fit; wobble_world_body_count() and wobble_world_collider_count() together are always enough
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_overlap_sphere(
    world: WobbleWorld,
    centre: *const WobbleVec3,
    radius: f32,
    group: u32,
    mask: u32,
    out_found: *mut WobblePartner,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        let (centre, groups) = (required(centre, "centre")?.into(), Groups { group, mask });
        list(world, out_found, capacity, out_count, |w| w.overlap_sphere(centre, radius, groups))
    })
}

/// The bodies and colliders that a turned box has points in common with, bodies first, in a fixed order.
///
/// half_extents  from its centre to its faces, metres, 0 to 1e6
/// rotation      null for none
/// group, mask   as those of a body: only what meets them is looked at
/// out_found     receives them
/// capacity      how many fit; wobble_world_body_count() and wobble_world_collider_count() together are always enough
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_overlap_box(
    world: WobbleWorld,
    centre: *const WobbleVec3,
    half_extents: *const WobbleVec3,
    rotation: *const WobbleQuat,
    group: u32,
    mask: u32,
    out_found: *mut WobblePartner,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        let (centre, groups) = (required(centre, "centre")?.into(), Groups { group, mask });
        let half = required(half_extents, "half_extents")?.into();
        let rotation = memory::optional(rotation, "rotation")?.map_or(Quat::IDENTITY, Into::into);
        list(world, out_found, capacity, out_count, |w| w.overlap_box(centre, half, rotation, groups))
    })
}

fn find(
    world: WobbleWorld,
    out_hit: *mut WobbleHit,
    query: impl FnOnce(&World) -> Result<Option<Hit>, Error>,
) -> Result<(), Failure> {
    let out = out(out_hit, "out_hit")?;
    let cell = handles::world(world)?;
    out.write(WobbleHit::new(cell.place(), cell.with(|w| Ok(query(w)?))?));
    Ok(())
}

fn list(
    world: WobbleWorld,
    out_found: *mut WobblePartner,
    capacity: u32,
    out_count: *mut u32,
    query: impl FnOnce(&World) -> Result<Vec<Partner>, Error>,
) -> Result<(), Failure> {
    out(out_count, "out_count")?;
    let cell = handles::world(world)?;
    let partner = |partner| WobblePartner::new(cell.place(), partner);
    let found: Vec<WobblePartner> = cell.with(|w| Ok(query(w)?))?.into_iter().map(partner).collect();
    memory::write_list(&found, out_found, capacity, out_count, "out_found", "bodies and colliders")
}
