//! Rest shapes.

use std::ffi::c_void;
use std::rc::Rc;

use wobble::capi::defs::*;
use wobble::capi::handles::WobbleShape;
use wobble::capi::library::wobble_abi_version;
use wobble::capi::shape::*;
use wobble::capi::skin::{wobble_shape_index_count, wobble_shape_vertex_count};

use crate::driver::{Driver, Expect};
use crate::memory::Memory;
use crate::shadow::{Any, ShapeInfo, ShapeShadow};
use crate::values::Input;
use crate::{api, ask};

/// Shapes at a time.
pub(super) const MOST_SHAPES: usize = 8;

/// What a progress callback does: cancels when it has been called often enough.
struct Patience {
    left: u32,
    last: f32,
    strange: bool,
}

extern "C" fn progress(fraction: f32, user: *mut c_void) -> u32 {
    // SAFETY: the host's own, alive during the call.
    let patience = unsafe { &mut *user.cast::<Patience>() };
    patience.strange |= !(0.0..=1.0).contains(&fraction) || fraction < patience.last;
    patience.last = fraction;
    wobble_abi_version();
    patience.left = patience.left.saturating_sub(1);
    u32::from(patience.left > 0)
}

/// Points of all kinds: clouds, grids, lines, sheets, one place, tiny, huge, far away.
pub(super) fn points(driver: &mut Driver) -> Vec<[f32; 3]> {
    let most = driver.dice.pick(&[4, 30, 30, 60, 120, 500]);
    let count = if driver.dice.chance(5) { 0 } else { driver.dice.between(1, most) };
    let size = match driver.dice.below(12) {
        0 => 1e-6,
        1 => 1e6,
        2 if driver.wild => 1e9,
        3 if driver.wild => 1e-30,
        _ => 1.0,
    };
    let axes = driver.dice.pick(&[3, 3, 3, 3, 2, 1, 0]);
    let far = if driver.dice.chance(5) { 1e5 } else { 0.0 };
    let grid = driver.dice.chance(50);
    let mut all = Vec::new();
    for i in 0..count {
        let mut point = [0.0; 3];
        for (axis, c) in point.iter_mut().enumerate().take(axes) {
            let place = (i / [1, 6, 36][axis] % 6) as f32 / 6.0 - 0.5;
            *c = (if grid { place } else { driver.dice.float(-0.5, 0.5) } * size + far).clamp(-1e9, 1e9);
        }
        all.push(point);
    }
    if driver.spoil() && !all.is_empty() {
        driver.bad();
        let (at, axis) = (driver.dice.index(all.len()), driver.dice.index(3));
        all[at][axis] = driver.dice.pick(&[f32::NAN, f32::INFINITY, 1.001e9, f32::MIN]);
    }
    all
}

pub(super) fn masses(driver: &mut Driver, count: usize) -> Vec<[f32; 1]> {
    let ends: &[f32] = if driver.wild { &[1e-12, 1e9, 1e-6, 1.0] } else { &[1.0] };
    let scale = driver.dice.pick(ends);
    let mut mass = || (driver.dice.float(0.01, 2.0) * scale).clamp(1e-12, 1e9);
    let mut all: Vec<[f32; 1]> = (0..count).map(|_| [mass()]).collect();
    if driver.spoil() && !all.is_empty() {
        driver.bad();
        let at = driver.dice.index(count);
        all[at][0] = driver.dice.pick(&[0.0, -1.0, f32::NAN, f32::INFINITY]);
    }
    all
}

fn def(driver: &mut Driver, patience: &mut Patience) -> Input<WobbleShapeDef> {
    let kernel = driver.constant(5);
    let parameter = match kernel {
        WOBBLE_KERNEL_BLEND => driver.float(0.0, 1e6, (0.0, 0.5)),
        WOBBLE_KERNEL_INVERSE_SQUARE => driver.float(1e-12, 1e6, (1e-4, 0.5)),
        WOBBLE_KERNEL_FCM => driver.float(1.001, 1e3, (1.2, 3.0)),
        _ => f32::NAN,
    };
    let radius = if driver.dice.chance(15) { driver.float(0.0, 1e9, (0.05, 0.6)) } else { 0.0 };
    if radius != 0.0 {
        // It may reach too many.
        driver.unsure();
    }
    let threads = driver.dice.between(0, 3);
    let value = WobbleShapeDef {
        struct_size: 0,
        algorithm: driver.constant(3),
        kernel,
        kernel_parameter: parameter,
        nesting: driver.constant(2),
        particles_per_cluster: driver.integer(1, u32::MAX, 60),
        finest_clusters: if driver.dice.chance(20) { driver.dice.between(1, 30) } else { 0 },
        max_levels: driver.integer(1, u32::MAX, 16),
        radius,
        radius_growth: driver.float(1.0 + f32::EPSILON, 1e3, (1.1, 4.0)),
        overlap: driver.float(1.0, 64.0, (1.0, 9.0)),
        max_rounds: driver.integer(1, u32::MAX, 60),
        threads: (threads + driver.run.variant) % 4,
        reserved: 0,
        seed: driver.dice.bits(),
        progress: if driver.dice.chance(50) { Some(progress) } else { None },
        progress_user: (&raw mut *patience).cast(),
    };
    driver.sized(value, true)
}

pub(super) fn def_init(driver: &mut Driver) {
    super::init::<WobbleShapeDef>(driver, "wobble_shape_def_init", wobble_shape_def_init);
}

pub(super) fn create_from_points(driver: &mut Driver) {
    if driver.shadow.shapes.len() >= MOST_SHAPES {
        return release(driver);
    }
    let left = if driver.dice.chance(15) { driver.dice.between(1, 40) } else { u32::MAX };
    let mut patience = Patience { left, last: 0.0, strange: false };
    let def = def(driver, &mut patience);
    if left < u32::MAX {
        driver.unsure();
    }
    let points = points(driver);
    let array = driver.array_in(&points);
    let masses = if driver.dice.chance(40) { Some(masses(driver, points.len())) } else { None };
    let masses = masses.map(|m| driver.array_in(&m));
    // A count is shared by both arrays, and so is its being wrong.
    let overflow = masses.as_ref().is_some_and(|m| m.count != points.len() as u32);
    let count = if overflow { u32::MAX } else { array.count };
    let (mass_pointer, mass_stride) =
        masses.as_ref().map_or((std::ptr::null_mut(), 0), |m| (m.pointer, m.stride));
    if masses.is_some() && mass_pointer.is_null() {
        // The same as none.
        driver.expect = Expect::Either;
    }
    let output = driver.out::<WobbleShape>();
    let (out, stride) = (output.pointer, array.stride);
    let status = api!(
        driver,
        wobble_shape_create_from_points(
            array.pointer,
            count,
            stride,
            mass_pointer,
            mass_stride,
            def.pointer,
            out
        )
    );
    driver.ensure(!patience.strange, || "progress went backwards".into());
    if let Some(shape) = driver.take(&output, status) {
        let info = adopt(driver, shape);
        driver.ensure(info.particles as usize == points.len(), || {
            format!("{info:?} of {} points", points.len())
        });
    }
}

/// Takes a new shape into the books: asks the library what it is.
pub(super) fn adopt(driver: &mut Driver, handle: WobbleShape) -> Rc<ShapeInfo> {
    let known =
        driver.shadow.dead.contains(&Any::Shape(handle.bits)) || driver.shadow.shape_at(handle).is_some();
    driver.ensure(!known, || format!("{handle:?} was given out before"));
    let sour = std::mem::replace(&mut driver.sour, false);
    let particles = ask!(driver, wobble_shape_particle_count(handle) -> u32).unwrap_or_default();
    let levels = ask!(driver, wobble_shape_level_count(handle) -> u32).unwrap_or_default();
    let fingerprint = ask!(driver, wobble_shape_fingerprint(handle) -> u64).unwrap_or_default();
    let vertices = ask!(driver, wobble_shape_vertex_count(handle) -> u32).unwrap_or_default();
    let indices = ask!(driver, wobble_shape_index_count(handle) -> u32).unwrap_or_default();
    let mut clusters = Vec::new();
    for level in 0..levels {
        let (memory, pointer) = driver.out_sized::<WobbleLevelReport>();
        let status = api!(driver, wobble_shape_level_report(handle, level, pointer));
        let report = driver.take_sized::<WobbleLevelReport>(&memory, status);
        clusters.push(report.map_or(0, |r| r.clusters));
    }
    driver.ensure((levels == 0) == (particles == 0), || format!("{levels} levels of {particles} particles"));
    driver.sour = sour;
    let info = Rc::new(ShapeInfo { particles, vertices, indices, clusters, fingerprint });
    driver.shadow.shapes.push(ShapeShadow { handle, references: 1, info: Rc::clone(&info) });
    info
}

pub(super) fn create_scaled(driver: &mut Driver) {
    if driver.shadow.shapes.len() >= MOST_SHAPES {
        return release(driver);
    }
    let shape = driver.shape();
    let mut factor = || driver.float(1e-3, 1e3, (0.3, 3.0));
    let (x, y, z) = (factor(), factor(), factor());
    let mass = if driver.dice.chance(50) { 0.0 } else { driver.float(1e-9, 1e9, (0.1, 10.0)) };
    // Particles may get too light or too heavy, and tiny or huge clusters unsound.
    driver.unsure();
    if let Some(handle) = ask!(driver, wobble_shape_create_scaled(shape, x, y, z, mass) -> WobbleShape) {
        adopt(driver, handle);
    }
}

pub(super) fn retain(driver: &mut Driver) {
    let shape = driver.shape();
    if api!(driver, wobble_shape_retain(shape)) == 0
        && let Some(at) = driver.shadow.shape_at(shape)
    {
        driver.shadow.shapes[at].references += 1;
    }
}

pub(super) fn release(driver: &mut Driver) {
    let shape = driver.shape();
    if api!(driver, wobble_shape_release(shape)) == 0 {
        let Some(at) = driver.shadow.shape_at(shape) else { driver.fail("released an unknown shape") };
        driver.shadow.shapes[at].references -= 1;
        if driver.shadow.shapes[at].references == 0 {
            driver.shadow.shapes.swap_remove(at);
            driver.shadow.dead.push(Any::Shape(shape.bits));
        }
    }
}

pub(super) fn info(driver: &Driver, shape: WobbleShape) -> Option<Rc<ShapeInfo>> {
    driver.shadow.shape_at(shape).map(|at| Rc::clone(&driver.shadow.shapes[at].info))
}

pub(super) fn particle_count(driver: &mut Driver) {
    let shape = driver.shape();
    if let Some(count) = ask!(driver, wobble_shape_particle_count(shape) -> u32) {
        let right = info(driver, shape).is_some_and(|info| info.particles == count);
        driver.ensure(right, || format!("{count} particles"));
    }
}

pub(super) fn level_count(driver: &mut Driver) {
    let shape = driver.shape();
    if let Some(count) = ask!(driver, wobble_shape_level_count(shape) -> u32) {
        let right = info(driver, shape).is_some_and(|info| info.clusters.len() == count as usize);
        driver.ensure(right, || format!("{count} levels"));
    }
}

pub(super) fn mass(driver: &mut Driver) {
    let shape = driver.shape();
    if let Some(mass) = ask!(driver, wobble_shape_mass(shape) -> f32) {
        driver.ensure(mass >= 0.0 && mass.is_finite(), || format!("a mass of {mass}"));
    }
}

pub(super) fn fingerprint(driver: &mut Driver) {
    let shape = driver.shape();
    if let Some(fingerprint) = ask!(driver, wobble_shape_fingerprint(shape) -> u64) {
        let right = info(driver, shape).is_some_and(|info| info.fingerprint == fingerprint);
        driver.ensure(right, || format!("fingerprint {fingerprint:x}"));
    }
}

pub(super) fn level_report(driver: &mut Driver) {
    let (memory, pointer) = driver.out_sized::<WobbleLevelReport>();
    let shape = driver.shape();
    let levels = info(driver, shape).map_or(0, |info| info.clusters.len() as u32);
    let level = driver.index(levels);
    let status = api!(driver, wobble_shape_level_report(shape, level, pointer));
    driver.take_sized::<WobbleLevelReport>(&memory, status);
}

pub(super) fn rest_positions(driver: &mut Driver) {
    let shape = driver.shape();
    let count = info(driver, shape).map_or(0, |info| info.particles);
    let array = driver.array_out(count, 12);
    let status = api!(driver, wobble_shape_rest_positions(shape, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 12);
}

pub(super) fn cluster_centres(driver: &mut Driver) {
    let shape = driver.shape();
    let clusters = info(driver, shape).map_or(Vec::new(), |info| info.clusters.clone());
    let level = driver.index(clusters.len() as u32);
    let count = clusters.get(level as usize).copied().unwrap_or(0);
    let array = driver.array_out(count, 12);
    let status =
        api!(driver, wobble_shape_cluster_centres(shape, level, array.pointer, array.stride, array.count));
    driver.check_array(&array, status, count, 12);
}

pub(super) fn view_order(driver: &mut Driver) {
    let shape = driver.shape();
    let order = driver.out::<*const u32>();
    let count = driver.out::<u32>();
    let status = api!(driver, wobble_shape_view_order(shape, order.pointer, count.pointer));
    let found = driver.take_unnoted(&order, status);
    let (Some(order), Some(count)) = (found, driver.take(&count, status)) else { return };
    let mut memory = Memory::new(4 * count as usize);
    // SAFETY: by the header so many numbers are there while the shape lives.
    unsafe { std::ptr::copy_nonoverlapping(order, memory.pointer(), count as usize) };
    let mut places: Vec<u32> = (0..count as usize).map(|i| memory.get(4 * i)).collect();
    places.sort_unstable();
    driver.ensure(places.iter().enumerate().all(|(i, p)| i as u32 == *p), || "not an order".into());
}
