//! What a host reads of a body: arrays into its own memory, borrowed views, measures.

use glam::{Quat, Vec3, Vec4};

use super::defs::{WobbleBounds, WobbleTransform, WobbleVec3, WobbleView};
use super::guard::call;
use super::handles::{self, WobbleBody};
use super::memory::{self, Strided, out, reserve};
use super::shape::check_level;
use super::status::{Failure, WobbleStatus};
use crate::body::Body;
use crate::bulk::{self, Target};

pub(super) fn read<T>(
    body: WobbleBody,
    out_value: *mut T,
    name: &str,
    work: impl FnOnce(&Body) -> Result<T, Failure>,
) -> WobbleStatus {
    call(|| {
        let out = out(out_value, name)?;
        let named = handles::body(body)?;
        out.write(named.cell.with_body(&named, work)?);
        Ok(())
    })
}

fn copy(
    body: WobbleBody,
    target: *mut f32,
    stride: u32,
    capacity: u32,
    name: &str,
    array: impl FnOnce(&Body) -> &[Vec4],
) -> WobbleStatus {
    call(|| {
        let target = Strided::new(target, capacity, stride, 3, name)?;
        let named = handles::body(body)?;
        named.cell.with_body_and_team(&named, |b, spread| {
            let (from, place) = (array(b), b.shape().place());
            target.holds(place.len(), name)?;
            let target = Target { start: target.start(), stride: target.stride() };
            // SAFETY: a shape's places are indices of its particles; the target was checked.
            unsafe { bulk::copy_in_order(from, place, &target, spread) };
            Ok(())
        })
    })
}

/// Number of particles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_particle_count(body: WobbleBody, out_count: *mut u32) -> WobbleStatus {
    read(body, out_count, "out_count", |b| Ok(b.shape().particle_count() as u32))
}

/// Copies the particle positions, metres, world space. Does not allocate. Writes nothing on failure.
///
/// out_positions receives 3 floats a particle, in the order the points were given in
/// stride        bytes from one particle to the next; a multiple of 4, at least 12; 0 for tightly packed
/// capacity      particles that fit; at least wobble_body_particle_count()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_positions(
    body: WobbleBody,
    out_positions: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    copy(body, out_positions, stride, capacity, "out_positions", Body::raw_positions)
}

/// Copies the particle velocities, m/s. Parameters as for wobble_body_positions().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_velocities(
    body: WobbleBody,
    out_velocities: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    copy(body, out_velocities, stride, capacity, "out_velocities", Body::raw_velocities)
}

/// Copies the positions from before the last step, for interpolation. Parameters as for
/// wobble_body_positions().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_previous_positions(
    body: WobbleBody,
    out_positions: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    copy(body, out_positions, stride, capacity, "out_positions", Body::raw_previous)
}

/// Where one particle is, metres, world space.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_position_of(
    body: WobbleBody,
    particle: u32,
    out_position: *mut WobbleVec3,
) -> WobbleStatus {
    read(body, out_position, "out_position", |b| Ok(b.position(particle as usize)?.into()))
}

/// How fast one particle moves, m/s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_velocity_of(
    body: WobbleBody,
    particle: u32,
    out_velocity: *mut WobbleVec3,
) -> WobbleStatus {
    read(body, out_velocity, "out_velocity", |b| Ok(b.velocity(particle as usize)?.into()))
}

fn view(array: &[Vec4]) -> WobbleView {
    WobbleView { data: array.as_ptr().cast(), count: array.len() as u32, stride: size_of::<Vec4>() as u32 }
}

/// The particle positions where the library keeps them, without a copy: 3 floats each, 16 bytes
/// apart, the fourth not for use. They are in an order of the library's own, which
/// wobble_shape_view_order() gives. Good until the next step of the world or change of the body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_view_positions(
    body: WobbleBody,
    out_view: *mut WobbleView,
) -> WobbleStatus {
    read(body, out_view, "out_view", |b| Ok(view(b.raw_positions())))
}

/// The particle velocities likewise.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_view_velocities(
    body: WobbleBody,
    out_view: *mut WobbleView,
) -> WobbleStatus {
    read(body, out_view, "out_view", |b| Ok(view(b.raw_velocities())))
}

/// Copies how the clusters of a level are placed and turned: bones to skin a mesh with, at the
/// scale of that level. Exact for the present positions; costs about a match of the levels up to
/// this one.
///
/// out_transforms receives 7 floats a cluster: quaternion x, y, z, w, then position
/// stride        bytes from one to the next; a multiple of 4, at least 28; 0 for tightly packed
/// capacity      clusters that fit
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_cluster_transforms(
    body: WobbleBody,
    level: u32,
    out_transforms: *mut WobbleTransform,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    call(|| {
        let target = Strided::new(out_transforms.cast(), capacity, stride, 7, "out_transforms")?;
        let named = handles::body(body)?;
        named.cell.with_body(&named, |b| {
            check_level(b.shape(), level)?;
            let count = b.shape().clusters(level as usize).len();
            target.holds(count, "out_transforms")?;
            let mut found = reserve(count, "cluster transforms")?;
            found.resize(count, (Quat::IDENTITY, Vec3::ZERO));
            b.cluster_transforms(level as usize, &mut found)?;
            for (i, (q, p)) in found.iter().enumerate() {
                target.write(i, [q.x, q.y, q.z, q.w, p.x, p.y, p.z]);
            }
            Ok(())
        })
    })
}

/// The centre of mass, metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_centre_of_mass(
    body: WobbleBody,
    out_centre: *mut WobbleVec3,
) -> WobbleStatus {
    read(body, out_centre, "out_centre", |b| Ok(b.centre_of_mass().into()))
}

/// The momentum, kg m/s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_momentum(
    body: WobbleBody,
    out_momentum: *mut WobbleVec3,
) -> WobbleStatus {
    read(body, out_momentum, "out_momentum", |b| Ok(b.momentum().into()))
}

/// The angular momentum about the centre of mass, kg m²/s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_angular_momentum(
    body: WobbleBody,
    out_momentum: *mut WobbleVec3,
) -> WobbleStatus {
    read(body, out_momentum, "out_momentum", |b| Ok(b.angular_momentum().into()))
}

/// The smallest box along the axes that holds all particles. An empty body has low = high = 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_bounds(body: WobbleBody, out_bounds: *mut WobbleBounds) -> WobbleStatus {
    read(body, out_bounds, "out_bounds", |b| {
        let (low, high) = b.bounds();
        Ok(WobbleBounds { low: low.into(), high: high.into() })
    })
}

/// How far the body is from its rest shape: 0 when it is only moved and turned; the mean distance
/// of particles from there, as a share of the body's size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_shape_error(body: WobbleBody, out_error: *mut f32) -> WobbleStatus {
    read(body, out_error, "out_error", |b| Ok(b.shape_error()))
}

/// The present volume over that at rest: 1 at rest, 0.5 for a body pressed to half its height that
/// cannot bulge. Where parts are inside out they count as negative; a flat body counts by its area.
/// Costs about a match of the finest level.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_volume(body: WobbleBody, out_volume: *mut f32) -> WobbleStatus {
    read(body, out_volume, "out_volume", |b| Ok(b.volume()))
}

/// The kinetic energy, joules.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_kinetic_energy(body: WobbleBody, out_energy: *mut f32) -> WobbleStatus {
    read(body, out_energy, "out_energy", |b| Ok(b.kinetic_energy()))
}

/// The energy held in deformation, joules, for substeps as long as the last one (1/240 s before the
/// first). Costs about a match of all levels.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_elastic_energy(body: WobbleBody, out_energy: *mut f32) -> WobbleStatus {
    call(|| {
        let out = out(out_energy, "out_energy")?;
        let named = handles::body(body)?;
        let substep = named.cell.substep();
        out.write(named.cell.with_body(&named, |b| Ok(b.elastic_energy(substep)?))?);
        Ok(())
    })
}

/// 1 if the body takes part in steps, 0 if it was disabled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_is_enabled(body: WobbleBody, out_enabled: *mut u32) -> WobbleStatus {
    read(body, out_enabled, "out_enabled", |b| Ok(b.is_enabled().into()))
}

/// 1 if the body went out of bounds in a step, was put back and is frozen until reset or teleported.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_is_frozen(body: WobbleBody, out_frozen: *mut u32) -> WobbleStatus {
    read(body, out_frozen, "out_frozen", |b| Ok(b.is_frozen().into()))
}

/// 1 if the particle is pinned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_is_pinned(
    body: WobbleBody,
    particle: u32,
    out_pinned: *mut u32,
) -> WobbleStatus {
    read(body, out_pinned, "out_pinned", |b| Ok(b.is_pinned(particle as usize)?.into()))
}

/// Number of pinned particles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_pin_count(body: WobbleBody, out_count: *mut u32) -> WobbleStatus {
    read(body, out_count, "out_count", |b| Ok(b.pins().len() as u32))
}

/// The pinned particles, in the order they were pinned in, into out_particles, which holds capacity
/// of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_pins(
    body: WobbleBody,
    out_particles: *mut u32,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let named = handles::body(body)?;
        let found: Vec<u32> = named.cell.with_body(&named, |b| Ok(b.pins().map(|i| i as u32).collect()))?;
        memory::write_list(&found, out_particles, capacity, out_count, "out_particles", "pins")
    })
}
