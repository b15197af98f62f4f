//! What a body is made of, and how its levels are blended.

use std::ffi::c_char;

use super::body::change;
use super::defs::WobbleMaterial;
use super::guard::call;
use super::handles::{self, WobbleBody};
use super::memory::{self, Strided, out, out_sized};
use super::shape::check_level;
use super::status::WobbleStatus;
use crate::body::Body;
use crate::clustering::Weighting;
use crate::error::Error;
use crate::material::Material;

fn ask(
    body: WobbleBody,
    out_value: *mut f32,
    name: &str,
    work: impl FnOnce(&Body) -> Result<f32, Error>,
) -> WobbleStatus {
    call(|| {
        let out = out(out_value, name)?;
        let named = handles::body(body)?;
        out.write(named.cell.with_body(&named, |b| Ok(work(b)?))?);
        Ok(())
    })
}

/// The material of a body.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_material(
    body: WobbleBody,
    out_material: *mut WobbleMaterial,
) -> WobbleStatus {
    call(|| {
        let out = out_sized(out_material, "out_material")?;
        let named = handles::body(body)?;
        out.write(named.cell.with_body(&named, |b| Ok(b.material().into()))?);
        Ok(())
    })
}

/// Sets the material of a body. Can be done at any time, every frame if need be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_set_material(
    body: WobbleBody,
    material: *const WobbleMaterial,
) -> WobbleStatus {
    call(|| {
        let standard = WobbleMaterial::from(&Material::default());
        let material = memory::read(material, standard, "material")?.material()?;
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| Ok(b.set_material(material)?))
    })
}

/// Sets material and level weights by name: see wobble_material_named().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_set_preset(body: WobbleBody, name: *const c_char) -> WobbleStatus {
    call(|| {
        // SAFETY: by the caller's word the name ends.
        let preset = super::material::preset(unsafe { memory::text(name, "name")? })?;
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| {
            b.set_weighting(&preset.weighting)?;
            Ok(b.set_material(preset.material)?)
        })
    })
}

/// Number of levels, finest first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_level_count(body: WobbleBody, out_count: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        let named = handles::body(body)?;
        out.write(named.cell.with_body(&named, |b| Ok(b.shape().levels().len() as u32))?);
        Ok(())
    })
}

/// The weight of a level, 0 being the finest. The weights of all levels sum to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_level_weight(
    body: WobbleBody,
    level: u32,
    out_weight: *mut f32,
) -> WobbleStatus {
    call(|| {
        let out = out(out_weight, "out_weight")?;
        let named = handles::body(body)?;
        out.write(named.cell.with_body(&named, |b| {
            check_level(b.shape(), level)?;
            Ok(b.level_weights()[level as usize])
        })?);
        Ok(())
    })
}

/// Sets the weights of all levels, finest first: 0 or more, not all 0. They are scaled to sum to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_set_level_weights(
    body: WobbleBody,
    weights: *const f32,
    count: u32,
) -> WobbleStatus {
    call(|| {
        let weights = Strided::new(weights, count, 0, 1, "weights")?;
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| {
            weights.is_exactly(b.shape().levels().len(), "weights", "levels")?;
            let weights: Vec<f32> = (0..weights.count).map(|i| weights.read::<1>(i)[0]).collect();
            Ok(b.set_level_weights(&weights)?)
        })
    })
}

/// Sets the weight of one level, from 0 to 1; the others keep their proportions and share the rest.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_level_weight(body: WobbleBody, level: u32, weight: f32) -> WobbleStatus {
    change(body, |b| b.set_level_weight(level as usize, weight))
}

/// Sets the weights of all levels by a scheme:
///
/// "uniform"                                all alike; a and b are not used
/// "linear_fine", "linear_coarse"           rising by equal steps; a is the lowest weight, the step being 1
/// "gaussian_fine", "gaussian_coarse"       falling off like a normal distribution
/// "polynomial_fine", "polynomial_coarse"   (1 + a s) to the power b
///
/// _fine gives fine levels more: softer, with more detail. _coarse gives coarse levels more:
/// stiffer, returns sooner to its shape.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_set_weighting(
    body: WobbleBody,
    name: *const c_char,
    a: f32,
    b: f32,
) -> WobbleStatus {
    call(|| {
        // SAFETY: by the caller's word the name ends.
        let weighting = Weighting::named(unsafe { memory::text(name, "name")? }, a, b)?;
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| Ok(b.set_weighting(&weighting)?))
    })
}

/// What multiplies the stiffness of a level. Default 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_level_stiffness(
    body: WobbleBody,
    level: u32,
    out_multiplier: *mut f32,
) -> WobbleStatus {
    ask(body, out_multiplier, "out_multiplier", |b| b.level_stiffness(level as usize))
}

/// Multiplies the stiffness of a level.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_level_stiffness(
    body: WobbleBody,
    level: u32,
    multiplier: f32,
) -> WobbleStatus {
    change(body, |b| b.set_level_stiffness(level as usize, multiplier))
}

/// What multiplies the damping of a level. Default 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_level_damping(
    body: WobbleBody,
    level: u32,
    out_multiplier: *mut f32,
) -> WobbleStatus {
    ask(body, out_multiplier, "out_multiplier", |b| b.level_damping(level as usize))
}

/// Multiplies the damping of a level.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_body_set_level_damping(
    body: WobbleBody,
    level: u32,
    multiplier: f32,
) -> WobbleStatus {
    change(body, |b| b.set_level_damping(level as usize, multiplier))
}
