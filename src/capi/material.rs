//! Materials.

use std::ffi::c_char;

use super::defs::WobbleMaterial;
use super::guard::call;
use super::memory::{self, out_sized};
use super::status::{Failure, WOBBLE_STATUS_UNKNOWN_NAME, WobbleStatus};
use crate::material::Material;
use crate::presets::Preset;

/// Fills a material with the defaults. size is sizeof(WobbleMaterial).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_material_init(material: *mut WobbleMaterial, size: u32) -> WobbleStatus {
    call(|| memory::init(material, size, WobbleMaterial::from(&Material::default()), "material"))
}

/// Fills a material by name: "jelly", "rubber", "flesh", "foam", "gummy" or "water balloon". The
/// material must have been filled by wobble_material_init() before. A body takes material and
/// level weights together with wobble_body_set_preset().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_material_named(
    name: *const c_char,
    out_material: *mut WobbleMaterial,
) -> WobbleStatus {
    call(|| {
        let out = out_sized(out_material, "out_material")?;
        // SAFETY: by the caller's word the name ends.
        let preset = preset(unsafe { memory::text(name, "name")? })?;
        out.write(WobbleMaterial::from(&preset.material));
        Ok(())
    })
}

/// The material and weighting of that name.
pub(crate) fn preset(name: &str) -> Result<Preset, Failure> {
    Preset::named(name).ok_or_else(|| {
        let known = Material::NAMES.join(", ");
        Failure::new(WOBBLE_STATUS_UNKNOWN_NAME, format!("name is {name:?}; materials are called {known}"))
    })
}
