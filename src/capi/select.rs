//! Choosing particles of a body by where they are.

use super::convert::unknown;
use super::defs::{WobbleBounds, WobbleVec3};
use super::guard::call;
use super::handles::{self, WobbleBody};
use super::memory::{self, out, required};
use super::status::{Failure, WobbleStatus};
use crate::select::Space;

/// Positions of particles as they are now, metres.
pub const WOBBLE_SPACE_WORLD: u32 = 0;
/// Positions in the rest shape, metres from its centre of mass.
pub const WOBBLE_SPACE_REST: u32 = 1;

fn space(value: u32) -> Result<Space, Failure> {
    match value {
        WOBBLE_SPACE_WORLD => Ok(Space::World),
        WOBBLE_SPACE_REST => Ok(Space::Rest),
        other => Err(unknown("space", other, WOBBLE_SPACE_REST)),
    }
}

/// The particles in a box along the axes, its faces included, in ascending order.
///
/// bounds        the box
/// space         a WOBBLE_SPACE_ constant: where particles are now, or at rest
/// out_particles receives their numbers
/// capacity      numbers that fit; wobble_body_particle_count() is always enough
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_particles_in_box(
    body: WobbleBody,
    bounds: *const WobbleBounds,
    space: u32,
    out_particles: *mut u32,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let (bounds, space) = (required(bounds, "bounds")?, self::space(space)?);
        let named = handles::body(body)?;
        let found = named
            .cell
            .with_body(&named, |b| Ok(b.particles_in_box(bounds.low.into(), bounds.high.into(), space)?))?;
        memory::write_list(&found, out_particles, capacity, out_count, "out_particles", "particles")
    })
}

/// The particles in a sphere, its surface included, in ascending order.
///
/// radius        metres, 0 to 1e9
/// space         a WOBBLE_SPACE_ constant: where particles are now, or at rest
/// out_particles receives their numbers
/// capacity      numbers that fit; wobble_body_particle_count() is always enough
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_particles_in_sphere(
    body: WobbleBody,
    centre: *const WobbleVec3,
    radius: f32,
    space: u32,
    out_particles: *mut u32,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let (centre, space) = (required(centre, "centre")?.into(), self::space(space)?);
        let named = handles::body(body)?;
        let found = named.cell.with_body(&named, |b| Ok(b.particles_in_sphere(centre, radius, space)?))?;
        memory::write_list(&found, out_particles, capacity, out_count, "out_particles", "particles")
    })
}

/// The particle nearest to a point, whatever the distance. Refused if the body has no particles.
///
/// space         a WOBBLE_SPACE_ constant: where particles are now, or at rest
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_nearest_particle(
    body: WobbleBody,
    point: *const WobbleVec3,
    space: u32,
    out_particle: *mut u32,
) -> WobbleStatus {
    call(|| {
        let out = out(out_particle, "out_particle")?;
        let (point, space) = (required(point, "point")?.into(), self::space(space)?);
        let named = handles::body(body)?;
        let found = named.cell.with_body(&named, |b| Ok(b.nearest_particle(point, space)?))?;
        out.write(found.ok_or_else(|| Failure::argument("the body has no particles, so none is nearest"))?);
        Ok(())
    })
}
