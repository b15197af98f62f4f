//! What a shape is made of: masses, clusters, who belongs to whom, collision planes.

use super::defs::{WobbleClusterPlane, WobbleMembership};
use super::guard::call;
use super::handles::{self, WobbleShape};
use super::memory::{self, Strided, out};
use super::shape::check_level;
use super::status::{Failure, WobbleStatus};
use crate::clustering::Nesting;
use crate::shape::Shape;

fn count(
    shape: WobbleShape,
    out_count: *mut u32,
    work: impl FnOnce(&Shape) -> Result<usize, Failure>,
) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        out.write(work(&*handles::shape(shape)?)? as u32);
        Ok(())
    })
}

/// 1 if coarser levels cluster the clusters below them, 0 if every level clusters all particles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_is_nested(shape: WobbleShape, out_nested: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_nested, "out_nested")?;
        out.write((handles::shape(shape)?.nesting() == Nesting::Nested).into());
        Ok(())
    })
}

/// Mean distance from a particle to its nearest neighbour, metres; 0 if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_spacing(shape: WobbleShape, out_spacing: *mut f32) -> WobbleStatus {
    call(|| {
        let out = out(out_spacing, "out_spacing")?;
        out.write(handles::shape(shape)?.spacing());
        Ok(())
    })
}

/// Number of particles that are pinned when a body of this shape is made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_pin_count(shape: WobbleShape, out_count: *mut u32) -> WobbleStatus {
    count(shape, out_count, |s| Ok(s.pinned().len()))
}

/// The particles that are pinned when a body of this shape is made, in ascending order, into out_particles,
/// which holds capacity of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_pins(
    shape: WobbleShape,
    out_particles: *mut u32,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let shape = handles::shape(shape)?;
        let mut found: Vec<u32> = shape.pinned().iter().map(|&i| shape.order()[i as usize]).collect();
        found.sort_unstable();
        memory::write_list(&found, out_particles, capacity, out_count, "out_particles", "pins")
    })
}

/// Particle masses, kg, in the order the points were given in.
///
/// out_masses    receives a float a particle
/// stride        bytes from one to the next; a multiple of 4; 0 for tightly packed
/// capacity      particles that fit; at least wobble_shape_particle_count()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_masses(
    shape: WobbleShape,
    out_masses: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    call(|| {
        let shape = handles::shape(shape)?;
        let target = Strided::new(out_masses, capacity, stride, 1, "out_masses")?;
        target.holds(shape.particle_count(), "out_masses")?;
        for (i, &place) in shape.place().iter().enumerate() {
            target.write(i, [shape.masses()[place as usize]]);
        }
        Ok(())
    })
}

/// Widths of a level's clusters, metres: the largest distance of a member from the centre. Strain
/// limits are shares of the finest level's.
///
/// out_widths    receives a float a cluster
/// stride        bytes from one to the next; a multiple of 4; 0 for tightly packed
/// capacity      clusters that fit
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_cluster_widths(
    shape: WobbleShape,
    level: u32,
    out_widths: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    call(|| {
        let shape = handles::shape(shape)?;
        check_level(&shape, level)?;
        let clusters = shape.clusters(level as usize);
        let target = Strided::new(out_widths, capacity, stride, 1, "out_widths")?;
        target.holds(clusters.len(), "out_widths")?;
        clusters.iter().enumerate().for_each(|(i, cluster)| target.write(i, [cluster.width]));
        Ok(())
    })
}

/// Number of memberships of a level: who is held by whom.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_membership_count(
    shape: WobbleShape,
    level: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    count(shape, out_count, |s| {
        check_level(s, level)?;
        Ok(s.levels()[level as usize].held_by().len())
    })
}

/// All memberships of a level, member by member. The weights of a member sum to 1.
///
/// out_memberships receives them
/// capacity        memberships that fit; at least wobble_shape_membership_count()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_memberships(
    shape: WobbleShape,
    level: u32,
    out_memberships: *mut WobbleMembership,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let shape = handles::shape(shape)?;
        check_level(&shape, level)?;
        let table = shape.levels()[level as usize].held_by();
        let of_clusters = shape.sums_children(level as usize);
        let mut found = memory::reserve(table.len(), "memberships")?;
        for member in 0..table.rows() as u32 {
            let row = if of_clusters { member } else { shape.place()[member as usize] };
            found.extend(table.row(row as usize).iter().map(|e| WobbleMembership {
                member,
                cluster: e.index,
                weight: e.weight,
            }));
        }
        memory::write_list(&found, out_memberships, capacity, out_count, "out_memberships", "memberships")
    })
}

/// Number of collision planes of all finest clusters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_plane_count(shape: WobbleShape, out_count: *mut u32) -> WobbleStatus {
    count(shape, out_count, |s| Ok(planes(s).count()))
}

/// The planes that cut the finest clusters' collision spheres, cluster by cluster.
///
/// out_planes    receives them
/// capacity      planes that fit; at least wobble_shape_plane_count()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_planes(
    shape: WobbleShape,
    out_planes: *mut WobbleClusterPlane,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let shape = handles::shape(shape)?;
        let found: Vec<_> = planes(&shape).collect();
        memory::write_list(&found, out_planes, capacity, out_count, "out_planes", "planes")
    })
}

fn planes(shape: &Shape) -> impl Iterator<Item = WobbleClusterPlane> {
    let clusters = shape.levels().first().map_or(0, |level| level.cluster_count());
    (0..clusters).flat_map(|c| {
        shape.planes(c).iter().map(move |p| WobbleClusterPlane {
            cluster: c as u32,
            normal: p.truncate().into(),
            offset: p.w,
        })
    })
}
