//! The C interface in a process that may not have much memory: every call is done or answers that there is too little,
//! and what was there before goes on.

#![cfg(all(feature = "capi", target_os = "linux", target_pointer_width = "64"))]

mod scenes;

use std::process::Command;

use wobble::capi::{
    body::*, collider::*, collider_defs::*, defs::WobbleBodyDef, handles::*, library::wobble_last_error,
    mesh::*, shape::*, solid::*, status::*, world::*,
};

/// Kilobytes of address space that the process gets: a few times what it takes to begin with.
const LIMIT: u32 = 700_000;
/// The variable that tells a process that it is under the limit.
const LIMITED: &str = "WOBBLE_TEST_LIMITED";

/// Runs `under_the_limit` in a process of its own.
#[test]
fn no_call_ends_a_process_that_is_short_of_memory() {
    let program = std::env::current_exe().unwrap();
    let limited =
        format!("ulimit -v {LIMIT}; exec \"$0\" --exact --nocapture --test-threads 1 under_the_limit");
    let run = Command::new("sh").args(["-c", &limited]).arg(program).env(LIMITED, "yes").output().unwrap();
    let said = String::from_utf8_lossy(&[run.stdout, run.stderr].concat()).into_owned();
    println!("{said}");
    assert!(run.status.success() && said.contains("1 passed"), "{}: {said}", run.status);
}

#[track_caller]
fn ok(status: WobbleStatus) {
    assert_eq!(status, WOBBLE_STATUS_OK);
}

#[track_caller]
fn short(status: WobbleStatus) {
    assert_eq!(status, WOBBLE_STATUS_OUT_OF_MEMORY);
}

/// A definition as its init function fills it.
fn filled<T>(init: unsafe extern "C" fn(*mut T, u32) -> WobbleStatus) -> T {
    let mut def = std::mem::MaybeUninit::uninit();
    // SAFETY: the init function fills all of the definition.
    unsafe {
        ok(init(def.as_mut_ptr(), size_of::<T>() as u32));
        def.assume_init()
    }
}

fn shape_of(points: &[f32]) -> (WobbleStatus, WobbleShape) {
    let mut shape = WobbleShape::default();
    let (count, none) = (points.len() as u32 / 3, std::ptr::null());
    let def = std::ptr::null();
    // SAFETY: the points are there.
    let status =
        unsafe { wobble_shape_create_from_points(points.as_ptr(), count, 0, none, 0, def, &raw mut shape) };
    (status, shape)
}

fn world() -> WobbleWorld {
    let mut world = WobbleWorld::default();
    // SAFETY: a null definition stands for the defaults.
    ok(unsafe { wobble_world_create(std::ptr::null(), &raw mut world) });
    world
}

/// Adds bodies, each in a place of its own, until there is no memory for another one.
fn fill(world: WobbleWorld, shape: WobbleShape) -> Vec<WobbleBody> {
    let mut bodies = Vec::new();
    loop {
        let (mut def, mut body) = (WobbleBodyDef::default(), WobbleBody::default());
        def.position.x = 2.0 * bodies.len() as f32;
        // SAFETY: the definition is there, and the place for the result.
        match unsafe { wobble_body_create(world, shape, &raw const def, &raw mut body) } {
            WOBBLE_STATUS_OK => bodies.push(body),
            WOBBLE_STATUS_OUT_OF_MEMORY => return bodies,
            other => panic!("status {other}"),
        }
        assert!(bodies.len() < 10_000, "never refused");
    }
}

fn collider(world: WobbleWorld, set: impl FnOnce(&mut WobbleColliderDef)) -> WobbleStatus {
    let (mut def, mut collider) = (WobbleColliderDef::default(), WobbleCollider::default());
    set(&mut def);
    // SAFETY: what `set` points to is there.
    unsafe { wobble_collider_create(world, &raw const def, &raw mut collider) }
}

/// Does nothing but in the process that the test above starts: elsewhere it would take all the memory there is.
#[test]
fn under_the_limit() {
    if std::env::var_os(LIMITED).is_none() {
        return;
    }
    let (world, other) = (world(), world());
    // 2,000,000 particles.
    let mut line: Vec<f32> = (0..6_000_000).map(|i| i as f32).collect();
    short(shape_of(&line).0);
    line.truncate(300);
    line.shrink_to_fit();

    let heights = vec![0.0f32; 2048 * 2048];
    short(collider(world, |def| {
        (def.kind, def.columns, def.rows) = (WOBBLE_COLLIDER_HEIGHT_FIELD, 2048, 2048);
        def.heights = heights.as_ptr();
    }));
    drop(heights);

    let mut solid: WobbleSolidDef = filled(wobble_solid_def_init);
    solid.cells = 256;
    let (mut vertices, mut indices) = (0, 0);
    // SAFETY: the places for results are there.
    short(unsafe { wobble_solid_mesh_size(&raw const solid, &raw mut vertices, &raw mut indices) });
    meshes(world);

    let points: Vec<f32> = scenes::shell(30_000, 0.5, 0.1, 7).iter().flat_map(|p| p.to_array()).collect();
    let (status, shape) = shape_of(&points);
    ok(status);
    let bodies = fill(world, shape);
    println!("{} bodies of 30,000 particles", bodies.len());
    let mut size = 0;
    // SAFETY: places for results are there, and as many bytes as are told.
    unsafe {
        short(wobble_world_snapshot_size(world, &raw mut size));
        short(wobble_world_snapshot(world, std::ptr::null_mut(), 0, &raw mut size));
        assert_eq!(size, 0);
        // With the memory of half of the bodies, everything goes on.
        bodies[bodies.len() / 2..].iter().for_each(|&body| ok(wobble_body_destroy(body)));
        ok(wobble_world_step(world, 1.0 / 60.0));
        ok(wobble_shape_save_size(shape, &raw mut size));
        let mut file = vec![0u8; size as usize];
        ok(wobble_shape_save(shape, file.as_mut_ptr(), size, &raw mut size));
        let mut loaded = WobbleShape::default();
        let mut copies = Vec::new();
        let last = loop {
            match wobble_shape_load(file.as_ptr(), size, &raw mut loaded) {
                WOBBLE_STATUS_OK if copies.len() < 10_000 => copies.push(loaded),
                last => break last,
            }
        };
        println!("{} shapes beside {} bodies", copies.len(), bodies.len() / 2);
        short(last);
        copies.into_iter().for_each(|copy| ok(wobble_shape_release(copy)));
        ok(wobble_world_step(world, 1.0 / 60.0));
        restoring(world, &bodies[..bodies.len() / 2], shape, other);
    }
}

/// Meshes of 3,000,000 triangles, and one that is to be filled with 10,000,000 particles.
fn meshes(world: WobbleWorld) {
    let corners = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let faces = [0u32, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3].repeat(750_000);
    for kind in [WOBBLE_COLLIDER_MESH, WOBBLE_COLLIDER_SURFACE] {
        short(collider(world, |def| {
            (def.kind, def.points, def.point_count) = (kind, corners.as_ptr(), 4);
            (def.indices, def.index_count) = (faces.as_ptr(), faces.len() as u32);
        }));
    }
    for (triangles, count) in [(3_000_000, 5000), (4, 10_000_000)] {
        let (mut mesh, mut sampling) = (filled(wobble_mesh_def_init), filled(wobble_sampling_def_init));
        (mesh.positions, mesh.vertex_count) = (corners.as_ptr(), 4);
        (mesh.indices, mesh.index_count) = (faces.as_ptr().cast(), 3 * triangles);
        sampling.count = count;
        let mut shape = WobbleShape::default();
        // SAFETY: the mesh and the place for the result are there.
        short(unsafe {
            let (mesh, sampling) = (&raw const mesh, &raw const sampling);
            wobble_shape_create_from_mesh(mesh, sampling, std::ptr::null(), &raw mut shape)
        });
    }
}

/// A snapshot is refused where there is no memory for its bodies, and restored once there is.
fn restoring(full: WobbleWorld, bodies: &[WobbleBody], shape: WobbleShape, other: WobbleWorld) {
    let (kept, rest) = bodies.split_at(10);
    let mut size = 0;
    // SAFETY: places for results are there, and as many bytes as are told.
    unsafe {
        rest.iter().for_each(|&body| ok(wobble_body_destroy(body)));
        ok(wobble_world_snapshot_size(full, &raw mut size));
        let mut snapshot = vec![0u8; size as usize];
        ok(wobble_world_snapshot(full, snapshot.as_mut_ptr(), size, &raw mut size));
        fill(full, shape);
        short(wobble_world_restore(other, snapshot.as_ptr(), size, &raw const shape, 1));
        ok(wobble_world_destroy(full));
        ok(wobble_world_restore(other, snapshot.as_ptr(), size, &raw const shape, 1));
        println!("{} bodies restored from {size} bytes", kept.len());
        ok(wobble_world_step(other, 1.0 / 60.0));
        ok(wobble_world_destroy(other));
    }
}

#[test]
fn height_fields_whose_samples_cannot_be_are_refused_before_they_are_read() {
    let (world, heights) = (world(), [0.0f32; 4]);
    let most = u32::MAX;
    for (columns, rows) in
        [(65_536, 65_536), (most, most), (most, 2), (1 << 24, 1 << 24), (4097, 4096), (1, 4)]
    {
        let status = collider(world, |def| {
            (def.kind, def.columns, def.rows) = (WOBBLE_COLLIDER_HEIGHT_FIELD, columns, rows);
            def.heights = heights.as_ptr();
        });
        assert_eq!(status, WOBBLE_STATUS_INVALID_ARGUMENT, "{columns} columns, {rows} rows");
        // SAFETY: the sentence lasts until the next call on this thread.
        let told = unsafe { std::ffi::CStr::from_ptr(wobble_last_error()) };
        assert!(told.to_string_lossy().contains("columns"), "{told:?}");
    }
    ok(collider(world, |def| {
        (def.kind, def.columns, def.rows) = (WOBBLE_COLLIDER_HEIGHT_FIELD, 2, 2);
        def.heights = heights.as_ptr();
    }));
    ok(wobble_world_destroy(world));
}
