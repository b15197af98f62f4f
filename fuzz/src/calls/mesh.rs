//! Meshes: shapes from them, and what is read of bodies that carry them.

use std::ffi::c_void;

use wobble::capi::defs::{WobbleBounds, WobbleShapeDef, WobbleVec3};
use wobble::capi::handles::{WobbleBody, WobbleShape};
use wobble::capi::mesh::*;
use wobble::capi::mesh_defs::*;
use wobble::capi::skin::*;

use super::shape::{MOST_SHAPES, adopt, info, release};
use crate::driver::Driver;
use crate::memory::Memory;
use crate::shadow::Use;
use crate::{api, ask};

pub(super) fn mesh_def_init(driver: &mut Driver) {
    super::init::<WobbleMeshDef>(driver, "wobble_mesh_def_init", wobble_mesh_def_init);
}

pub(super) fn sampling_def_init(driver: &mut Driver) {
    super::init::<WobbleSamplingDef>(driver, "wobble_sampling_def_init", wobble_sampling_def_init);
}

pub(super) fn skin_buffers_init(driver: &mut Driver) {
    super::init::<WobbleSkinBuffers>(driver, "wobble_skin_buffers_init", wobble_skin_buffers_init);
}

/// Corners of a cube, moved about, and triangles that may be those of its faces or any.
pub(super) fn triangles(driver: &mut Driver) -> (Vec<[f32; 3]>, Vec<u32>) {
    const FACES: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let size = if driver.wild { driver.dice.pick(&[1.0, 1e-4, 1e4]) } else { 1.0 };
    let thin = driver.dice.pick(&[1.0, 1.0, 0.0]);
    let place = |i: u32| [(i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32 * thin];
    let shake = driver.dice.pick(&[0.0, 0.1, 1.0]);
    let moved =
        |driver: &mut Driver, p: [f32; 3]| p.map(|c| size * (c + driver.dice.float(-0.5, 0.5) * shake));
    let positions = (0..8).map(|i| moved(driver, place(i))).collect();
    let faces = FACES.iter().flat_map(|&[a, b, c, d]| [a, b, c, c, d, a]);
    let mut indices: Vec<u32> = faces.collect();
    if driver.dice.chance(25) {
        indices.iter_mut().for_each(|i| *i = driver.dice.between(0, 7));
    }
    if driver.spoil() {
        driver.bad();
        let at = driver.dice.index(indices.len());
        indices[at] = driver.dice.pick(&[8, 60_000]);
    }
    (positions, indices)
}

pub(super) fn sampling(driver: &mut Driver) -> WobbleSamplingDef {
    WobbleSamplingDef {
        struct_size: 0,
        pattern: driver.constant(3),
        count: driver.integer(4, 1 << 24, 300),
        spacing: f32::NAN,
        surface: 1,
        fill: driver.integer(0, 1, 1),
        density: driver.float(1e-6, 1e9, (10.0, 3000.0)),
        thickness: 0.0,
        weld: driver.float(0.0, 0.1, (0.0, 0.001)),
        reserved: 0,
        seed: driver.dice.bits(),
    }
}

pub(super) fn create_from_mesh(driver: &mut Driver) {
    if driver.shadow.shapes.len() >= MOST_SHAPES {
        return release(driver);
    }
    // Random triangles may enclose nothing, and a density may be too low.
    driver.unsure();
    let (points, indices) = triangles(driver);
    let (positions, map) = (driver.array_in(&points), vec![[driver.float(0.0, 1e6, (0.0, 1.0))]; 8]);
    let map = driver.array_in(&map);
    let mut tough = Memory::of(&[[driver.float(1e-3, 1e6, (0.1, 2.0))]; 8]);
    let short: Vec<u16> = indices.iter().map(|&i| i as u16).collect();
    let is_short = driver.dice.chance(50);
    let mut corners = if is_short { Memory::of(&short) } else { Memory::of(&indices) };
    let spoilt = positions.count != 8 || map.count != 8;
    let mesh = WobbleMeshDef {
        struct_size: 0,
        // The same count for all lists; one that fits no memory with its stride is refused.
        vertex_count: if spoilt { u32::MAX } else { 8 },
        positions: positions.pointer,
        normals: std::ptr::null(),
        tangents: std::ptr::null(),
        indices: corners.pointer::<c_void>(),
        stiffness: map.pointer,
        damping: std::ptr::null(),
        pin: std::ptr::null(),
        density: std::ptr::null(),
        positions_stride: positions.stride,
        normals_stride: 0,
        tangents_stride: 0,
        index_count: indices.len() as u32,
        index_size: if is_short { 2 } else { 4 },
        stiffness_stride: map.stride,
        damping_stride: 0,
        pin_stride: 0,
        density_stride: 0,
        toughness_stride: 0,
        toughness: tough.pointer(),
    };
    if map.pointer.is_null() {
        // The same as none.
        driver.expect = crate::driver::Expect::Either;
    }
    let (mesh, sampling) = (driver.sized(mesh, false), sampling(driver));
    let sampling = driver.sized(sampling, true);
    let output = driver.out::<WobbleShape>();
    let no_def = std::ptr::null::<WobbleShapeDef>();
    let status =
        api!(driver, wobble_shape_create_from_mesh(mesh.pointer, sampling.pointer, no_def, output.pointer));
    if let Some(shape) = driver.take(&output, status) {
        let info = adopt(driver, shape);
        driver.ensure(info.vertices == 8, || format!("{info:?} of 8 vertices"));
    }
}

pub(super) fn centre(driver: &mut Driver) {
    let shape = driver.shape();
    ask!(driver, wobble_shape_centre(shape) -> WobbleVec3);
}

fn vertices(driver: &Driver, shape: WobbleShape) -> u32 {
    info(driver, shape).map_or(0, |info| info.vertices)
}

pub(super) fn vertex_count(driver: &mut Driver) {
    let shape = driver.shape();
    if let Some(count) = ask!(driver, wobble_shape_vertex_count(shape) -> u32) {
        driver.ensure(count == vertices(driver, shape), || format!("{count} vertices"));
    }
}

pub(super) fn rest_vertices(driver: &mut Driver) {
    let shape = driver.shape();
    let count = vertices(driver, shape);
    let array = driver.array_out(count, 12);
    let status = api!(driver, wobble_shape_vertices(shape, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 12);
}

pub(super) fn normals(driver: &mut Driver) {
    let shape = driver.shape();
    let count = vertices(driver, shape);
    let array = driver.array_out(count, 12);
    let status = api!(driver, wobble_shape_normals(shape, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 12);
}

pub(super) fn tangents(driver: &mut Driver) {
    let shape = driver.shape();
    let count = vertices(driver, shape);
    // The mesh may have none.
    if count == 0 {
        driver.bad()
    } else {
        driver.unsure()
    }
    let array = driver.array_out(count, 16);
    let status = api!(driver, wobble_shape_tangents(shape, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 16);
}

pub(super) fn index_count(driver: &mut Driver) {
    let shape = driver.shape();
    let vertices = vertices(driver, shape);
    if let Some(count) = ask!(driver, wobble_shape_index_count(shape) -> u32) {
        driver
            .ensure(count.is_multiple_of(3) && (count > 0) == (vertices > 0), || format!("{count} indices"));
    }
}

pub(super) fn indices(driver: &mut Driver) {
    let shape = driver.shape();
    let (vertices, count) = info(driver, shape).map_or((0, 0), |info| (info.vertices, info.indices));
    let list = driver.list_out::<u32>(count, count);
    let found = ask!(driver, wobble_shape_indices(shape, list.pointer, list.capacity) -> u32);
    let all = list.take(driver, found).iter().all(|&i| i < vertices);
    driver.ensure(all, || "indices of no vertices".into());
}

pub(super) fn influences(driver: &mut Driver) {
    let shape = driver.shape();
    let count = vertices(driver, shape);
    let (mut clusters, mut weights) = (Memory::new(32 * count as usize), Memory::new(32 * count as usize));
    let (to, shares) = (clusters.pointer::<u32>(), weights.pointer::<f32>());
    let capacity = if count > 0 && driver.spoil() {
        driver.bad();
        count - 1
    } else {
        count
    };
    let status = api!(driver, wobble_shape_influences(shape, to, shares, capacity));
    let written = if status == 0 { 32 * count as usize } else { 0 };
    let kept = clusters.is_marked_from(written) && weights.is_marked_from(written);
    driver.ensure(kept, || "wrote where it must not".into());
    driver.note_bytes(&weights.bytes()[..written]);
}

/// Vertices of the mesh that a body carries, and its finest clusters.
fn carried(driver: &Driver, body: WobbleBody) -> (u32, u32) {
    driver.shadow.info_of(body).map_or((0, 0), |i| (i.vertices, i.clusters.first().copied().unwrap_or(0)))
}

fn fraction(driver: &mut Driver) -> f32 {
    driver.float(0.0, 1.0, (0.0, 1.0))
}

/// A node that is moved, and twice as large as the world.
static FRAME: [f32; 12] = [0.5, 0.0, 0.0, 1.0, 0.0, 0.5, 0.0, 2.0, 0.0, 0.0, 0.5, 3.0];

pub(super) fn read_skin(driver: &mut Driver) {
    read(driver, false);
}

pub(super) fn read_skins(driver: &mut Driver) {
    read(driver, true);
}

/// Reads the mesh of a body, by itself or as one of a world's, which may be another world.
fn read(driver: &mut Driver, of_world: bool) {
    let body = driver.body(Use::Read);
    let (count, _) = carried(driver, body);
    if count == 0 {
        driver.bad();
    }
    let (positions, normals) = (driver.array_out(count, 12), driver.array_out(count, 12));
    let spoilt = [&positions, &normals].iter().any(|a| a.count < count || a.count > count + 7);
    for array in [&positions, &normals] {
        if array.pointer.is_null() {
            // The same as not wanted.
            driver.expect = crate::driver::Expect::Either;
        }
    }
    let fraction = fraction(driver);
    let buffers = WobbleSkinBuffers {
        struct_size: 0,
        capacity: if spoilt { 0 } else { count },
        positions: positions.pointer,
        normals: normals.pointer,
        tangents: std::ptr::null_mut(),
        previous: std::ptr::null_mut(),
        positions_stride: positions.stride,
        normals_stride: normals.stride,
        tangents_stride: 0,
        previous_stride: 0,
        fraction,
        reserved: 0,
        frame: if fraction > 0.5 { FRAME.as_ptr() } else { std::ptr::null() },
    };
    if spoilt || count == 0 {
        // A capacity of 0 makes all pointers and strides right, and is itself too small.
        driver.bad();
    }
    let buffers = driver.sized(buffers, false);
    let output = driver.out::<WobbleBounds>();
    if output.pointer.is_null() {
        driver.expect = crate::driver::Expect::Either;
    }
    let status = if of_world {
        driver.unsure();
        let world = driver.world(Use::Read);
        api!(driver, wobble_world_read_skins(world, &raw const body, buffers.pointer, 1, output.pointer))
    } else {
        api!(driver, wobble_body_read_skin(body, buffers.pointer, output.pointer))
    };
    for array in [&positions, &normals] {
        if status != 0 {
            driver.check_array(array, status, count, 12);
        }
    }
    driver.take(&output, if output.pointer.is_null() { 1 } else { status });
}

pub(super) fn bones(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let (_, count) = carried(driver, body);
    let (array, fraction) = (driver.array_out(count, 48), fraction(driver));
    let status = api!(driver, wobble_body_bones(body, fraction, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 48);
}

pub(super) fn positions_at(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let count = driver.shadow.info_of(body).map_or(0, |info| info.particles);
    let (array, fraction) = (driver.array_out(count, 12), fraction(driver));
    let status =
        api!(driver, wobble_body_positions_at(body, fraction, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 12);
}
