//! Shapes from particles that are painted and carry meshes.

use std::ffi::c_void;

use wobble::capi::defs::WobbleShapeDef;
use wobble::capi::handles::WobbleShape;
use wobble::capi::mesh::wobble_mesh_def_init;
use wobble::capi::mesh_defs::WobbleMeshDef;
use wobble::capi::particles::*;

use super::mesh::triangles;
use super::shape::{MOST_SHAPES, adopt, masses, points, release};
use crate::ask;
use crate::driver::{Driver, Expect};
use crate::memory::Memory;

pub(super) fn def_init(driver: &mut Driver) {
    super::init::<WobbleParticlesDef>(driver, "wobble_particles_def_init", wobble_particles_def_init);
}

/// The standard definition.
fn standard() -> WobbleMeshDef {
    let mut memory = Memory::new(size_of::<WobbleMeshDef>());
    // SAFETY: there is room for it.
    unsafe { wobble_mesh_def_init(memory.pointer(), size_of::<WobbleMeshDef>() as u32) };
    memory.get(0)
}

pub(super) fn create_from_particles(driver: &mut Driver) {
    if driver.shadow.shapes.len() >= MOST_SHAPES {
        return release(driver);
    }
    let points = points(driver);
    let masses = masses(driver, points.len());
    let map = vec![[driver.float(0.0, 1e6, (0.0, 2.0))]; points.len()];
    let pin = vec![[driver.float(0.0, 1.0, (0.0, 1.0))]; points.len()];
    let tough = vec![[driver.float(1e-3, 1e6, (0.1, 2.0))]; points.len()];
    let expected = if points.is_empty() { Expect::Either } else { driver.expect };
    let (places, weights) = (Memory::of(&points), Memory::of(&masses));
    let (mut places, mut weights) = (places, weights);
    let (mut map, mut pin, mut tough) = (Memory::of(&map), Memory::of(&pin), Memory::of(&tough));
    let count = points.len() as u32;
    let def = WobbleParticlesDef {
        struct_size: 0,
        count,
        points: places.pointer(),
        masses: weights.pointer(),
        stiffness: map.pointer(),
        damping: std::ptr::null(),
        pin: pin.pointer(),
        points_stride: 0,
        masses_stride: 0,
        stiffness_stride: 0,
        damping_stride: 0,
        pin_stride: 0,
        toughness_stride: 0,
        toughness: tough.pointer(),
    };
    driver.expect = expected;
    let def = driver.sized(def, false);
    let (corners, indices) = triangles(driver);
    let (mut corners, mut indices) = (Memory::of(&corners), Memory::of(&indices));
    let mut tangents = Memory::of(&[[1.0_f32, 0.0, 0.0, -1.0]; 8]);
    let mesh = WobbleMeshDef {
        vertex_count: 8,
        positions: corners.pointer(),
        tangents: if driver.dice.chance(60) { tangents.pointer() } else { std::ptr::null() },
        indices: indices.pointer::<c_void>(),
        index_count: 36,
        ..standard()
    };
    let mesh = driver.sized(mesh, true);
    if points.is_empty() {
        // There is nobody to carry a mesh.
        driver.expect = Expect::Either;
    }
    let no_def = std::ptr::null::<WobbleShapeDef>();
    let (all, carried) = (def.pointer, mesh.pointer);
    let made = ask!(driver, wobble_shape_create_from_particles(all, carried, no_def) -> WobbleShape);
    if let Some(shape) = made {
        let info = adopt(driver, shape);
        let vertices = if carried.is_null() { 0 } else { 8 };
        driver.ensure(info.particles == count && info.vertices == vertices, || format!("{info:?}"));
    }
}
