//! What the C interface costs: a call, and reading all positions.

use std::ptr::null;

use wobble::capi::body::wobble_body_create;
use wobble::capi::handles::{WobbleBody, WobbleShape, WobbleWorld};
use wobble::capi::reading::{wobble_body_positions, wobble_body_view_positions};
use wobble::capi::shape::{wobble_shape_create_from_points, wobble_shape_release};
use wobble::capi::status::{WOBBLE_STATUS_OK, WobbleStatus};
use wobble::capi::world::{wobble_world_create, wobble_world_destroy, wobble_world_step};

use crate::harness::{Bench, Limit, seconds};
use crate::points;

/// All rows of this file.
pub fn run(bench: &mut Bench) {
    if bench.wants(&["capi.call_ns"]) {
        call(bench);
    }
    if bench.wants(&["capi.read_over_copy"]) {
        read(bench);
    }
}

fn ok(status: WobbleStatus) {
    assert_eq!(status, WOBBLE_STATUS_OK);
}

fn new_world() -> WobbleWorld {
    let mut world = WobbleWorld::default();
    // SAFETY: the pointers are null or lead to what they should, here and below.
    ok(unsafe { wobble_world_create(null(), &raw mut world) });
    world
}

/// An empty step of an empty world.
fn call(bench: &mut Bench) {
    const CALLS: u32 = 10_000;
    let world = new_world();
    let best = bench
        .race(&mut [&mut || seconds(|| (0..CALLS).for_each(|_| ok(wobble_world_step(world, 1.0 / 60.0))))]);
    ok(wobble_world_destroy(world));
    bench.row("capi.call_ns", best[0] / f64::from(CALLS) * 1e9, Limit::AtMost(1000.0));
}

/// All positions into the caller's memory, in the caller's order, against copying as many bytes.
fn read(bench: &mut Bench) {
    let side = bench.size(50, 10);
    let cloud = points::grid(side, side, side, 0.02);
    let flat: Vec<[f32; 3]> = cloud.iter().map(|p| p.to_array()).collect();
    let count = flat.len() as u32;
    let (world, mut shape, mut body) = (new_world(), WobbleShape::default(), WobbleBody::default());
    // SAFETY: the arrays are as long as said.
    unsafe {
        let points = flat.as_ptr().cast();
        ok(wobble_shape_create_from_points(points, count, 0, null(), 0, null(), &raw mut shape));
        ok(wobble_body_create(world, shape, null(), &raw mut body));
    }
    let (mut copied, mut positions) = (flat.clone(), flat.clone());
    let best = bench.race(&mut [
        &mut || seconds(|| std::hint::black_box(&mut copied).copy_from_slice(std::hint::black_box(&flat))),
        // SAFETY: as above.
        &mut || {
            seconds(|| ok(unsafe { wobble_body_positions(body, positions.as_mut_ptr().cast(), 0, count) }))
        },
        &mut || {
            let mut view = std::mem::MaybeUninit::uninit();
            // SAFETY: as above.
            seconds(|| ok(unsafe { wobble_body_view_positions(body, view.as_mut_ptr()) }))
        },
    ]);
    ok(wobble_shape_release(shape));
    ok(wobble_world_destroy(world));
    bench.tell("capi.copy_us", best[0] * 1e6);
    bench.tell("capi.read_us", best[1] * 1e6);
    bench.tell("capi.view_ns", best[2] * 1e9);
    bench.row("capi.read_over_copy", best[1] / best[0], Limit::AtMost(1.5));
}
