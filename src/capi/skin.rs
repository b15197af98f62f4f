//! The mesh that a body carries, and states between two steps.

use std::sync::Arc;

use glam::{Affine3A, Mat3A, Vec3A, Vec4};

use super::defs::WobbleBounds;
use super::guard::call;
use super::handles::{self, WobbleBody, WobbleShape, WobbleWorld};
use super::memory::{self, Strided, out};
use super::mesh_defs::WobbleSkinBuffers;
use super::status::{Failure, WobbleStatus};
use crate::body::Body;
use crate::bulk::Target;
use crate::parallel::Spread;
use crate::skinning::{INFLUENCES, Skin, Targets, WHOLE, check_fraction, no_skin};

/// Fills the struct with null pointers and fraction = 1. size is sizeof(WobbleSkinBuffers).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_skin_buffers_init(
    buffers: *mut WobbleSkinBuffers,
    size: u32,
) -> WobbleStatus {
    call(|| memory::init(buffers, size, WobbleSkinBuffers::standard(), "buffers"))
}

/// Number of vertices of the mesh that bodies of this shape carry; 0 if it was not made from a mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_vertex_count(shape: WobbleShape, out_count: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        out.write(handles::shape(shape)?.skin().map_or(0, Skin::vertex_count) as u32);
        Ok(())
    })
}

/// Writes a vector for each vertex of the mesh, if there is one.
fn vectors(
    shape: WobbleShape,
    out: *mut f32,
    stride: u32,
    capacity: u32,
    name: &str,
    find: fn(&Skin) -> &[Vec4],
) -> WobbleStatus {
    call(|| {
        let shape = handles::shape(shape)?;
        let target = Strided::new(out, capacity, stride, 3, name)?;
        let all = shape.skin().map_or(&[][..], find);
        target.holds(all.len(), name)?;
        all.iter().enumerate().for_each(|(i, v)| target.write(i, v.truncate().to_array()));
        Ok(())
    })
}

/// The vertices at rest, metres about the shape's centre of mass, in the order of the mesh.
///
/// out_positions receives 3 floats a vertex
/// stride        bytes from one to the next; a multiple of 4, at least 12; 0 for tightly packed
/// capacity      vertices that fit; at least wobble_shape_vertex_count()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_vertices(
    shape: WobbleShape,
    out_positions: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    vectors(shape, out_positions, stride, capacity, "out_positions", Skin::rest)
}

/// The normals of the vertices at rest, of unit length.
///
/// out_normals   receives 3 floats a vertex
/// stride        bytes from one to the next; a multiple of 4, at least 12; 0 for tightly packed
/// capacity      vertices that fit; at least wobble_shape_vertex_count()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_normals(
    shape: WobbleShape,
    out_normals: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    vectors(shape, out_normals, stride, capacity, "out_normals", Skin::normals)
}

/// The tangents of the vertices at rest: a direction of unit length, and 1 or -1 for the side of the
/// bitangent. Refused if the mesh has none.
///
/// out_tangents  receives 4 floats a vertex
/// stride        bytes from one to the next; a multiple of 4, at least 16; 0 for tightly packed
/// capacity      vertices that fit; at least wobble_shape_vertex_count()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_tangents(
    shape: WobbleShape,
    out_tangents: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    call(|| {
        let shape = handles::shape(shape)?;
        let target = Strided::new(out_tangents, capacity, stride, 4, "out_tangents")?;
        let tangents = shape.skin().map_or(&[][..], Skin::tangents);
        if tangents.is_empty() {
            return Err(Failure::argument("the shape carries no mesh with tangents"));
        }
        target.holds(tangents.len(), "out_tangents")?;
        tangents.iter().enumerate().for_each(|(i, t)| target.write(i, t.to_array()));
        Ok(())
    })
}

/// Number of indices of the mesh, three a triangle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_index_count(shape: WobbleShape, out_count: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        out.write(3 * handles::shape(shape)?.skin().map_or(0, |skin| skin.triangles().len()) as u32);
        Ok(())
    })
}

/// The indices of the mesh, three a triangle, into out_indices, which holds capacity of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_indices(
    shape: WobbleShape,
    out_indices: *mut u32,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let shape = handles::shape(shape)?;
        let all = shape.skin().map_or(&[][..], |skin| skin.triangles().as_flattened());
        memory::write_list(all, out_indices, capacity, out_count, "out_indices", "indices")
    })
}

/// Which finest clusters carry each vertex and with what weight, for a host that skins on the GPU with
/// wobble_body_bones(). WOBBLE_INFLUENCES a vertex, largest weight first; weights of a vertex sum
/// to 1 and are multiples of 1/65535; those of 0 fill up.
///
/// out_clusters  receives WOBBLE_INFLUENCES numbers a vertex
/// out_weights   receives WOBBLE_INFLUENCES floats a vertex
/// capacity      vertices that fit; at least wobble_shape_vertex_count()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_influences(
    shape: WobbleShape,
    out_clusters: *mut u32,
    out_weights: *mut f32,
    capacity: u32,
) -> WobbleStatus {
    call(|| {
        let shape = handles::shape(shape)?;
        let clusters = Strided::new(out_clusters.cast(), capacity, 0, INFLUENCES, "out_clusters")?;
        let weights = Strided::new(out_weights, capacity, 0, INFLUENCES, "out_weights")?;
        let Some(skin) = shape.skin() else { return Ok(()) };
        clusters.holds(skin.vertex_count(), "out_clusters")?;
        for i in 0..skin.vertex_count() {
            let influences = skin.influences(i);
            // The bits of a number pass through a float unchanged: it is only moved.
            clusters.write(i, influences.map(|(cluster, _)| f32::from_bits(cluster)));
            weights.write(i, influences.map(|(_, share)| f32::from(share) / WHOLE as f32));
        }
        Ok(())
    })
}

/// Writes the deformed mesh into the host's vertex buffer: any of positions, normals, tangents and
/// positions before the last step, now or between the last two steps. Spread over the world's threads. While a
/// step runs in the background, the state before it is read. The first read after a step matches the finest
/// clusters, later ones reuse that. Allocates at a body's first read only. Writes nothing on failure.
///
/// buffers       what is wanted and where it goes
/// out_bounds    receives the smallest box along the axes that holds all vertices; or null
///
/// WOBBLE_STATUS_INVALID_ARGUMENT  the shape was not made from a mesh, or tangents are asked of a mesh without
/// WOBBLE_STATUS_BUFFER_TOO_SMALL  buffers.capacity is too small
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_read_skin(
    body: WobbleBody,
    buffers: *const WobbleSkinBuffers,
    out_bounds: *mut WobbleBounds,
) -> WobbleStatus {
    call(|| {
        let bounds = if out_bounds.is_null() { None } else { Some(out(out_bounds, "out_bounds")?) };
        let buffers = memory::read(buffers, WobbleSkinBuffers::standard(), "buffers")?;
        let targets = buffers.targets(bounds.is_some())?;
        let named = handles::body(body)?;
        let found = named.cell.with_body_and_team(&named, |b, spread| {
            buffers.room_for(b)?;
            // SAFETY: by the caller's word every buffer has room for `capacity` vertices.
            Ok(unsafe { b.deform_mesh(buffers.fraction, &targets, spread) }?)
        })?;
        if let Some(out) = bounds {
            out.write(WobbleBounds { low: found[0].into(), high: found[1].into() });
        }
        Ok(())
    })
}

/// The same for many bodies of one world, several at a time on the world's threads: for hosts that draw many small bodies,
/// which gain nothing from threads one by one. Writes nothing on failure.
///
/// bodies        count bodies of the world
/// buffers       one a body, one after the other, all with the first one's struct_size; no two may overlap
/// count         how many there are
/// out_bounds    receives the boxes that hold all vertices, one a body; or null
///
/// WOBBLE_STATUS_INVALID_ARGUMENT  a body is another world's, and as for wobble_body_read_skin()
/// WOBBLE_STATUS_STALE_HANDLE      a body is not there
/// WOBBLE_STATUS_BUFFER_TOO_SMALL  a capacity is too small
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_read_skins(
    world: WobbleWorld,
    bodies: *const WobbleBody,
    buffers: *const WobbleSkinBuffers,
    count: u32,
    out_bounds: *mut WobbleBounds,
) -> WobbleStatus {
    call(|| {
        let cell = handles::world(world)?;
        let bounds = match out_bounds.is_null() {
            true => None,
            false => Some(Strided::new(out_bounds.cast(), count, 0, 6, "out_bounds")?),
        };
        let mut named = memory::reserve(count as usize, "bodies")?;
        for body in memory::copied(bodies, count, "bodies")? {
            let body = handles::body(body)?;
            if !Arc::ptr_eq(&cell, &body.cell) {
                return Err(Failure::argument("bodies has one that lives in another world"));
            }
            named.push(body);
        }
        let buffers = memory::read_many(buffers, count, WobbleSkinBuffers::standard(), "buffers")?;
        let mut wanted = memory::reserve(buffers.len(), "buffers")?;
        for buffers in &buffers {
            wanted.push((buffers.fraction, buffers.targets(bounds.is_some())?));
        }
        let check = |i: usize, body: &Body| {
            buffers[i].room_for(body)?;
            body.check_mesh(wanted[i].0, &wanted[i].1)?;
            Ok(())
        };
        let found = cell.with_bodies(&named, check, |i, body| {
            // SAFETY: by the caller's word every buffer has room for `capacity` vertices, and no two overlap.
            unsafe { body.deform_mesh(wanted[i].0, &wanted[i].1, Spread::Here) }
        })?;
        for (i, found) in found.into_iter().enumerate() {
            let [low, high] = found?;
            if let Some(out) = &bounds {
                out.write(i, [low.x, low.y, low.z, high.x, high.y, high.z]);
            }
        }
        Ok(())
    })
}

impl WobbleSkinBuffers {
    fn targets(&self, bounds: bool) -> Result<Targets, Failure> {
        let target = |start: *mut f32, stride: u32, floats: usize, name: &str| {
            if start.is_null() {
                return Ok(None);
            }
            let found = Strided::new(start, self.capacity, stride, floats, name)?;
            Ok::<_, Failure>(Some(Target { start: found.start(), stride: found.stride() }))
        };
        Ok(Targets {
            positions: target(self.positions, self.positions_stride, 3, "buffers.positions")?,
            normals: target(self.normals, self.normals_stride, 3, "buffers.normals")?,
            tangents: target(self.tangents, self.tangents_stride, 4, "buffers.tangents")?,
            octahedral: None,
            previous: target(self.previous, self.previous_stride, 3, "buffers.previous")?,
            bounds,
            frame: self.frame()?,
        })
    }

    /// Refuses a capacity that is less than a body's mesh has vertices.
    fn room_for(&self, body: &Body) -> Result<(), Failure> {
        let skin = body.shape().skin().ok_or_else(no_skin)?;
        let room = Strided::new(std::ptr::NonNull::dangling().as_ptr(), self.capacity, 0, 3, "buffers")?;
        room.holds(skin.vertex_count(), "buffers.capacity")
    }

    fn frame(&self) -> Result<Option<Affine3A>, Failure> {
        if self.frame.is_null() {
            return Ok(None);
        }
        let rows = Strided::new(self.frame.cast_mut(), 3, 0, 4, "buffers.frame")?;
        let [x, y, z]: [Vec4; 3] = std::array::from_fn(|k| Vec4::from_array(rows.read(k)));
        let linear = Mat3A::from_cols(Vec3A::from_vec4(x), Vec3A::from_vec4(y), Vec3A::from_vec4(z));
        Ok(Some(Affine3A { matrix3: linear.transpose(), translation: Vec3A::new(x.w, y.w, z.w) }))
    }
}

/// Copies the 3x4 matrix of each finest cluster: what is at rest position r of wobble_shape_vertices()
/// goes to the sum over its influences of weight times matrix times (r, 1), world space. Normals go by
/// the inverse transpose of that sum. For a host that skins on the GPU.
///
/// fraction      when, between the last two steps: 0 is before the last one, 1 is now
/// out_matrices  receives 12 floats a cluster: three rows of four
/// stride        bytes from one matrix to the next; a multiple of 4, at least 48; 0 for tightly packed
/// capacity      matrices that fit; at least as many as the finest level has clusters
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_bones(
    body: WobbleBody,
    fraction: f32,
    out_matrices: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    call(|| {
        let target = Strided::new(out_matrices, capacity, stride, 12, "out_matrices")?;
        let named = handles::body(body)?;
        named.cell.with_body_and_team(&named, |b, spread| {
            let count = b.shape().levels().first().map_or(0, |level| level.cluster_count());
            target.holds(count, "out_matrices")?;
            Ok(b.bones(fraction, spread, |i, bone| target.write(i, bone))?)
        })
    })
}

/// Copies the particle positions between the last two steps, metres, world space: for drawing more often
/// than stepping. What was teleported, reset or set in place does not slide there.
///
/// fraction      0 is before the last step, 1 is now
/// out_positions receives 3 floats a particle, in the order the points were given in
/// stride        bytes from one particle to the next; a multiple of 4, at least 12; 0 for tightly packed
/// capacity      particles that fit; at least wobble_body_particle_count()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_positions_at(
    body: WobbleBody,
    fraction: f32,
    out_positions: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    call(|| {
        check_fraction(fraction)?;
        let target = Strided::new(out_positions, capacity, stride, 3, "out_positions")?;
        let named = handles::body(body)?;
        named.cell.with_body_and_team(&named, |b, spread| {
            target.holds(b.shape().particle_count(), "out_positions")?;
            let target = Target { start: target.start(), stride: target.stride() };
            // SAFETY: the fraction and the target were checked.
            unsafe { b.copy_positions_at(fraction, &target, spread) };
            Ok(())
        })
    })
}
