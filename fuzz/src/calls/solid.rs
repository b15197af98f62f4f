//! Solids by rule, and by functions that mislead.

use std::ffi::c_void;

use wobble::capi::defs::{WobbleBounds, WobbleShapeDef, WobbleVec3};
use wobble::capi::handles::WobbleShape;
use wobble::capi::solid::*;

use super::mesh::sampling;
use super::shape::{MOST_SHAPES, adopt, release};
use crate::driver::Driver;
use crate::values::Input;
use crate::{api, ask};

pub(super) fn def_init(driver: &mut Driver) {
    super::init::<WobbleSolidDef>(driver, "wobble_solid_def_init", wobble_solid_def_init);
}

/// A distance of some sort, by the number that `user` is: the same for the same point.
extern "C" fn odd_distance(x: f32, y: f32, z: f32, user: *mut c_void) -> f32 {
    let ball = (x * x + y * y + z * z).sqrt() - 0.4;
    let bits = x.to_bits().wrapping_mul(0x9e37_79b1)
        ^ y.to_bits().wrapping_mul(0x85eb_ca77)
        ^ z.to_bits().wrapping_mul(0xc2b2_ae3d);
    let noise = (bits.wrapping_mul(0x27d4_eb2f) as i32) as f32;
    match user as usize {
        0 => ball,
        1 => noise,
        2 => noise * f32::MAX,
        3 => f32::INFINITY.copysign(ball),
        4 if ball.abs() < 0.01 => f32::NAN,
        4 => ball,
        5 if noise < -2e9 => f32::NAN,
        5 => noise * 1e-38,
        _ => -1.0,
    }
}

fn length(driver: &mut Driver) -> f32 {
    driver.float(1e-6, 1e9, (0.1, 2.0))
}

fn def(driver: &mut Driver) -> Input<WobbleSolidDef> {
    // Lengths may not go together, and a solid may slip through the grid.
    driver.unsure();
    let radius = length(driver);
    let (low, high) = match driver.wild {
        true => (driver.vector(1.0), driver.vector(1.0)),
        false => (WobbleVec3 { x: -0.5, y: -0.5, z: -0.5 }, WobbleVec3 { x: 0.5, y: 0.5, z: 0.6 }),
    };
    let kind = driver.constant(7);
    let mut solid = WobbleSolidDef {
        struct_size: 0,
        kind,
        size: WobbleVec3 { x: length(driver), y: length(driver), z: length(driver) },
        radius,
        tube: radius * driver.dice.float(0.1, 1.1),
        height: radius * driver.dice.float(1.5, 5.0),
        low,
        high,
        distance: Some(odd_distance),
        distance_user: driver.dice.index(7) as *mut c_void,
        cells: driver.integer(4, 256, 12),
        threads: driver.dice.between(0, 3),
    };
    solid.threads = (solid.threads + driver.run.variant) % 4;
    if driver.expect == crate::driver::Expect::Refusal && (4..=256).contains(&solid.cells) && kind < 7 {
        // What was spoilt may be a field that this kind does not look at.
        driver.expect = crate::driver::Expect::Either;
    }
    driver.sized(solid, false)
}

pub(super) fn distance(driver: &mut Driver) {
    let solid = def(driver);
    driver.expect = crate::driver::Expect::Either;
    let point = driver.vector(1.0);
    let point = driver.one(point, false);
    // A function may say that it is not a number.
    ask!(driver, wobble_solid_distance(solid.pointer, point.pointer) -> f32);
}

pub(super) fn bounds(driver: &mut Driver) {
    let solid = def(driver);
    driver.expect = crate::driver::Expect::Either;
    if let Some(b) = ask!(driver, wobble_solid_bounds(solid.pointer) -> WobbleBounds) {
        let ordered = b.low.x < b.high.x && b.low.y < b.high.y && b.low.z < b.high.z;
        driver.ensure(ordered, || format!("{b:?}"));
    }
}

pub(super) fn mesh_size(driver: &mut Driver) {
    let solid = def(driver);
    let (vertices, indices) = (driver.out::<u32>(), driver.out::<u32>());
    let status = api!(driver, wobble_solid_mesh_size(solid.pointer, vertices.pointer, indices.pointer));
    let (vertices, indices) = (driver.take(&vertices, status), driver.take(&indices, status));
    if let (Some(vertices), Some(indices)) = (vertices, indices) {
        let closed = vertices >= 4 && indices >= 12 && indices.is_multiple_of(6);
        driver.ensure(closed, || format!("{vertices} vertices, {indices} indices"));
    }
}

/// Vertices and indices of a solid, if it has any.
fn sizes(driver: &mut Driver, solid: *const WobbleSolidDef) -> Option<(u32, u32)> {
    driver.calmly(|driver| {
        driver.unsure();
        let (vertices, indices) = (driver.out::<u32>(), driver.out::<u32>());
        let status = api!(driver, wobble_solid_mesh_size(solid, vertices.pointer, indices.pointer));
        Some((driver.take(&vertices, status)?, driver.take(&indices, status)?))
    })
}

pub(super) fn mesh(driver: &mut Driver) {
    let solid = def(driver);
    let found = sizes(driver, solid.pointer);
    if found.is_none() {
        driver.bad();
    }
    let (vertices, corners) = found.unwrap_or((8, 36));
    let positions = driver.array_out(vertices, 12);
    let list = driver.list_out::<u32>(corners, corners);
    let (place, stride, count) = (positions.pointer, positions.stride, positions.count);
    let normals = std::ptr::null_mut();
    let status = api!(
        driver,
        wobble_solid_mesh(solid.pointer, place, normals, stride, count, list.pointer, list.capacity)
    );
    driver.check_array(&positions, status, vertices, 12);
    let all = list.take(driver, (status == 0).then_some(corners));
    driver.ensure(all.iter().all(|&i| i < vertices), || "indices of no vertices".into());
}

pub(super) fn create_from_solid(driver: &mut Driver) {
    if driver.shadow.shapes.len() >= MOST_SHAPES {
        return release(driver);
    }
    let solid = def(driver);
    let found = sizes(driver, solid.pointer);
    if found.is_none() {
        driver.bad();
    }
    let sampling = sampling(driver);
    let sampling = driver.sized(sampling, false);
    let no_def = std::ptr::null::<WobbleShapeDef>();
    let output = driver.out::<WobbleShape>();
    let status =
        api!(driver, wobble_shape_create_from_solid(solid.pointer, sampling.pointer, no_def, output.pointer));
    if let Some(shape) = driver.take(&output, status) {
        let info = adopt(driver, shape);
        driver.ensure(found == Some((info.vertices, info.indices)), || format!("{info:?} of {found:?}"));
    }
}
