//! The C interface in a process that may not have much memory: every call is done or answers that there is too little,
//! and what was there before goes on.

#![cfg(all(feature = "capi", target_os = "linux", target_pointer_width = "64"))]

mod scenes;

use std::process::Command;

use wobble::capi::{
    body::*, collider::*, collider_defs::*, defs::WobbleBodyDef, handles::*, library::wobble_last_error,
    shape::*, solid::*, status::*, world::*,
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

fn ok(status: WobbleStatus) {
    assert_eq!(status, WOBBLE_STATUS_OK);
}

fn short(status: WobbleStatus) {
    assert_eq!(status, WOBBLE_STATUS_OUT_OF_MEMORY);
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
    let world = world();
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

    // SAFETY: the init function fills all of the definition.
    let mut solid = unsafe {
        let mut solid = std::mem::MaybeUninit::<WobbleSolidDef>::uninit();
        ok(wobble_solid_def_init(solid.as_mut_ptr(), size_of::<WobbleSolidDef>() as u32));
        solid.assume_init()
    };
    solid.cells = 256;
    let (mut vertices, mut indices) = (0, 0);
    // SAFETY: the places for results are there.
    short(unsafe { wobble_solid_mesh_size(&raw const solid, &raw mut vertices, &raw mut indices) });

    let points: Vec<f32> = scenes::shell(30_000, 0.5, 0.1, 7).iter().flat_map(|p| p.to_array()).collect();
    let (status, shape) = shape_of(&points);
    ok(status);
    let bodies = fill(world, shape);
    println!("{} bodies of 30,000 particles", bodies.len());
    let mut size = 0;
    // SAFETY: places for results are there, and as many bytes as are told.
    unsafe {
        short(wobble_world_snapshot_size(world, &raw mut size));
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
        ok(wobble_world_destroy(world));
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
