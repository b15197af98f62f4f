//! Materials and levels.

use std::ffi::{CString, c_char};

use wobble::capi::defs::*;
use wobble::capi::handles::WobbleBody;
use wobble::capi::material::*;
use wobble::capi::tuning::*;

use crate::driver::{Driver, Expect};
use crate::shadow::Use;
use crate::{api, ask};

const MATERIALS: [&str; 6] = ["jelly", "rubber", "flesh", "foam", "gummy", "water balloon"];
const WEIGHTINGS: [&str; 7] = [
    "uniform",
    "linear_fine",
    "linear_coarse",
    "gaussian_fine",
    "gaussian_coarse",
    "polynomial_fine",
    "polynomial_coarse",
];

fn pointer(name: &Option<CString>) -> *const c_char {
    name.as_ref().map_or(std::ptr::null(), |text| text.as_ptr())
}

/// A material of any kind.
pub(super) fn material(driver: &mut Driver) -> WobbleMaterial {
    let (stiffness_kind, damping_kind) = (driver.constant(2), driver.constant(2));
    let stiffness = match stiffness_kind {
        WOBBLE_STIFFNESS_PER_STEP => driver.float(0.0, 2.0, (0.0, 1.5)),
        _ => driver.float(0.0, 1e6, (1.0, 80.0)),
    };
    let damping = match damping_kind {
        WOBBLE_DAMPING_PER_STEP => driver.float(0.0, 1.0, (0.0, 1.0)),
        _ => driver.float(0.0, 1e6, (0.0, 50.0)),
    };
    let goals = if driver.dice.chance(60) { 0 } else { driver.constant(3) };
    let strain_rounds = if driver.dice.chance(60) { 0 } else { driver.integer(0, 64, 6) };
    let mut limit =
        |high: f32, usual: (f32, f32)| if strain_rounds == 0 { 0.0 } else { driver.float(0.0, high, usual) };
    let (strain_gamma, strain_omega) = (limit(1e6, (0.01, 1.0)), limit(2.0, (0.1, 1.0)));
    let goals_beta = if goals == 0 { 0.0 } else { driver.float(0.0, 1.0, (0.0, 1.0)) };
    WobbleMaterial {
        struct_size: 0,
        stiffness_kind,
        stiffness,
        damping_kind,
        damping,
        damping_form: driver.constant(2),
        rotation: driver.constant(2),
        goals,
        goals_beta,
        strain_rounds,
        strain_gamma,
        strain_omega,
        gravity_scale: driver.float(-1e6, 1e6, (-1.0, 2.0)),
        rebound: driver.float(0.0, 1.0, (0.0, 1.0)),
        volume_stiffness: if driver.dice.chance(60) { 0.0 } else { driver.float(0.0, 100.0, (0.0, 40.0)) },
        pressure: if driver.dice.chance(60) { 0.0 } else { driver.float(-0.9, 9.0, (-0.3, 0.5)) },
    }
}

pub(super) fn material_init(driver: &mut Driver) {
    super::init::<WobbleMaterial>(driver, "wobble_material_init", wobble_material_init);
}

pub(super) fn material_named(driver: &mut Driver) {
    let name = driver.name(&MATERIALS);
    let (memory, out) = driver.out_sized::<WobbleMaterial>();
    let text = pointer(&name);
    let status = api!(driver, wobble_material_named(text, out));
    driver.take_sized::<WobbleMaterial>(&memory, status);
}

pub(super) fn get_material(driver: &mut Driver) {
    let (memory, out) = driver.out_sized::<WobbleMaterial>();
    let body = driver.body(Use::Read);
    let status = api!(driver, wobble_body_material(body, out));
    if let Some(material) = driver.take_sized::<WobbleMaterial>(&memory, status) {
        driver.note(u64::from(material.stiffness.to_bits()));
    }
}

pub(super) fn set_material(driver: &mut Driver) {
    let material = material(driver);
    if material.goals == WOBBLE_GOALS_QUADRATIC {
        // Refused where deformation lasts.
        driver.unsure();
    }
    let material = driver.sized(material, false);
    let body = driver.body(Use::Change);
    api!(driver, wobble_body_set_material(body, material.pointer));
}

pub(super) fn set_preset(driver: &mut Driver) {
    let (name, body) = (driver.name(&MATERIALS), driver.body(Use::Change));
    let text = pointer(&name);
    api!(driver, wobble_body_set_preset(body, text));
}

pub(super) fn set_weighting(driver: &mut Driver) {
    let (a, b) = (driver.float(0.0, 1000.0, (0.1, 4.0)), driver.float(0.0, 10.0, (0.0, 3.0)));
    // Not every scheme uses both, and each has its bounds.
    driver.expect = Expect::Either;
    let (name, body) = (driver.name(&WEIGHTINGS), driver.body(Use::Change));
    let text = pointer(&name);
    api!(driver, wobble_body_set_weighting(body, text, a, b));
}

fn levels(driver: &Driver, body: WobbleBody) -> u32 {
    driver.shadow.info_of(body).map_or(0, |info| info.clusters.len() as u32)
}

pub(super) fn level_count(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    if let Some(count) = ask!(driver, wobble_body_level_count(body) -> u32) {
        driver.ensure(count == levels(driver, body), || format!("{count} levels"));
    }
}

pub(super) fn level_weight(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let level = driver.index(levels(driver, body));
    if let Some(weight) = ask!(driver, wobble_body_level_weight(body, level) -> f32) {
        driver.ensure((0.0..=1.0).contains(&weight), || format!("a weight of {weight}"));
    }
}

pub(super) fn set_level_weights(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let mut count = levels(driver, body);
    if driver.spoil() {
        driver.bad();
        count += 1;
    }
    let weights: Vec<[f32; 1]> = (0..count).map(|_| [driver.float(0.0, 1e9, (0.1, 2.0))]).collect();
    if weights.iter().map(|w| w[0]).sum::<f32>() < 1e-3 {
        driver.unsure();
    }
    let array = driver.packed_in(&weights.concat());
    api!(driver, wobble_body_set_level_weights(body, array.pointer, count));
}

pub(super) fn set_level_weight(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (level, weight) = (driver.index(levels(driver, body)), driver.float(0.0, 1.0, (0.0, 1.0)));
    // A single level cannot have less than all.
    driver.unsure();
    api!(driver, wobble_body_set_level_weight(body, level, weight));
}

pub(super) fn level_stiffness(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let level = driver.index(levels(driver, body));
    ask!(driver, wobble_body_level_stiffness(body, level) -> f32);
}

pub(super) fn set_level_stiffness(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (level, multiplier) = (driver.index(levels(driver, body)), driver.float(0.0, 1e6, (0.0, 3.0)));
    api!(driver, wobble_body_set_level_stiffness(body, level, multiplier));
}

pub(super) fn level_damping(driver: &mut Driver) {
    let body = driver.body(Use::Read);
    let level = driver.index(levels(driver, body));
    ask!(driver, wobble_body_level_damping(body, level) -> f32);
}

pub(super) fn set_level_damping(driver: &mut Driver) {
    let body = driver.body(Use::Change);
    let (level, multiplier) = (driver.index(levels(driver, body)), driver.float(0.0, 1e6, (0.0, 3.0)));
    api!(driver, wobble_body_set_level_damping(body, level, multiplier));
}
