//! What random calls of the C interface have found, each as small as it gets.

#![cfg(feature = "capi")]

use wobble::capi::body::*;
use wobble::capi::collider::*;
use wobble::capi::collider_defs::*;
use wobble::capi::defs::*;
use wobble::capi::handles::{WobbleBody, WobbleCollider, WobbleShape, WobbleWorld};
use wobble::capi::mesh::*;
use wobble::capi::mesh_defs::*;
use wobble::capi::reading::*;
use wobble::capi::shape::*;
use wobble::capi::status::*;
use wobble::capi::tuning::*;
use wobble::capi::world::*;

const OK: i32 = WOBBLE_STATUS_OK;

fn world() -> WobbleWorld {
    let mut world = WobbleWorld::default();
    assert_eq!(unsafe { wobble_world_create(std::ptr::null(), &raw mut world) }, OK);
    world
}

/// A body of 27 particles.
fn body(world: WobbleWorld) -> (WobbleShape, WobbleBody) {
    let points: Vec<f32> = (0..27).flat_map(|i| [i % 3, i / 3 % 3, i / 9].map(|c| c as f32 * 0.1)).collect();
    let (mut shape, mut body) = (WobbleShape::default(), WobbleBody::default());
    let (none, def) = (std::ptr::null(), std::ptr::null());
    let made =
        unsafe { wobble_shape_create_from_points(points.as_ptr(), 27, 0, none, 0, def, &raw mut shape) };
    assert_eq!(made, OK);
    assert_eq!(unsafe { wobble_body_create(world, shape, std::ptr::null(), &raw mut body) }, OK);
    (shape, body)
}

fn centre(body: WobbleBody) -> WobbleVec3 {
    let mut centre = WobbleVec3::default();
    assert_eq!(unsafe { wobble_body_centre_of_mass(body, &raw mut centre) }, OK);
    centre
}

#[test]
fn a_background_step_shows_only_when_the_host_has_asked_for_it() {
    let world = world();
    let (_, body) = body(world);
    assert_eq!(wobble_world_step_begin(world, 0.1), OK);
    // The step has most likely ended by now; nothing here depends on it.
    std::thread::sleep(std::time::Duration::from_millis(50));
    assert_eq!(centre(body), WobbleVec3::default());
    assert_eq!(wobble_body_set_velocity(body, 0.0, 0.0, 0.0), WOBBLE_STATUS_BUSY);
    assert_eq!(wobble_world_step_begin(world, 0.1), WOBBLE_STATUS_BUSY);
    let mut done = 0;
    while done == 0 {
        assert_eq!(unsafe { wobble_world_step_is_done(world, &raw mut done) }, OK);
    }
    assert!(centre(body).y < 0.0);
    assert_eq!(wobble_body_set_velocity(body, 0.0, 0.0, 0.0), OK);
    assert_eq!(wobble_world_destroy(world), OK);
}

#[test]
fn a_struct_that_ends_within_a_pointer_is_refused() {
    let world = world();
    let (shape, _) = body(world);
    let mut def = WobbleBodyDef::default();
    // Half of this would be followed.
    let material = [0_u32; 64];
    def.material = material.as_ptr().cast();
    def.struct_size = std::mem::offset_of!(WobbleBodyDef, material) as u32 + 4;
    let mut body = WobbleBody::default();
    let status = unsafe { wobble_body_create(world, shape, &raw const def, &raw mut body) };
    assert_eq!(status, WOBBLE_STATUS_STRUCT_SIZE);
    assert_eq!(wobble_world_destroy(world), OK);
}

#[test]
fn a_collider_goes_by_one_handle_only() {
    let world = world();
    let mut collider = WobbleCollider::default();
    assert_eq!(unsafe { wobble_collider_create(world, std::ptr::null(), &raw mut collider) }, OK);
    for bit in 0..64 {
        let other = WobbleCollider { bits: collider.bits ^ 1 << bit };
        assert_ne!(wobble_collider_destroy(other), OK, "bit {bit}");
    }
    assert_eq!(wobble_collider_destroy(collider), OK);
    assert_eq!(wobble_world_destroy(world), OK);
}

#[test]
fn a_world_with_a_frozen_body_can_be_restored() {
    let world = world();
    let (_, body) = body(world);
    // A pin that is to cross the world in no time.
    assert_eq!(wobble_body_pin(body, 13), OK);
    assert_eq!(wobble_body_move_pin(body, 13, 1e9, 1e9, 1e9), OK);
    assert_eq!(wobble_world_step(world, f32::MIN_POSITIVE), OK);
    let mut frozen = 0;
    assert_eq!(unsafe { wobble_body_is_frozen(body, &raw mut frozen) }, OK);
    assert_eq!(frozen, 1);
    let (mut bytes, mut size) = (vec![0; 100_000], 0);
    let capacity = bytes.len() as u32;
    assert_eq!(unsafe { wobble_world_snapshot(world, bytes.as_mut_ptr(), capacity, &raw mut size) }, OK);
    assert_eq!(unsafe { wobble_world_restore(world, bytes.as_ptr(), size, std::ptr::null(), 0) }, OK);
    assert_eq!(wobble_world_destroy(world), OK);
}

#[test]
fn after_the_shortest_step_velocities_are_finite_and_energies_can_be_read() {
    let world = world();
    let (_, body) = body(world);
    let mut material: WobbleMaterial = unsafe { std::mem::zeroed() };
    material.struct_size = size_of::<WobbleMaterial>() as u32;
    assert_eq!(unsafe { wobble_body_material(body, &raw mut material) }, OK);
    (material.strain_rounds, material.strain_gamma, material.strain_omega) = (4, 0.01, 1.0);
    assert_eq!(unsafe { wobble_body_set_material(body, &raw const material) }, OK);
    assert_eq!(wobble_body_set_position_of(body, 0, 10.0, 10.0, 10.0), OK);
    assert_eq!(wobble_world_step(world, f32::MIN_POSITIVE), OK);
    let mut velocities = [0.0_f32; 81];
    assert_eq!(unsafe { wobble_body_velocities(body, velocities.as_mut_ptr(), 0, 27) }, OK);
    assert!(velocities.iter().all(|v| v.is_finite()), "{velocities:?}");
    let mut energy = 0.0;
    assert_eq!(unsafe { wobble_body_elastic_energy(body, &raw mut energy) }, OK);
    assert_eq!(wobble_world_destroy(world), OK);
}

#[test]
fn level_weights_above_the_largest_number_are_refused() {
    let world = world();
    let (_, body) = body(world);
    let mut levels = 0;
    assert_eq!(unsafe { wobble_body_level_count(body, &raw mut levels) }, OK);
    let mut weights = vec![1.0_f32; levels as usize];
    weights[0] = 1.1e9;
    let status = unsafe { wobble_body_set_level_weights(body, weights.as_ptr(), levels) };
    assert_eq!(status, WOBBLE_STATUS_INVALID_ARGUMENT);
    assert_eq!(wobble_world_destroy(world), OK);
}

#[test]
fn a_step_leaves_the_pins_of_a_disabled_body_alone() {
    let world = world();
    let (_, body) = body(world);
    assert_eq!(wobble_body_pin(body, 13), OK);
    assert_eq!(wobble_body_move_pin(body, 13, 1e9, 0.0, 0.0), OK);
    assert_eq!(wobble_body_set_enabled(body, 0), OK);
    assert_eq!(wobble_world_step(world, f32::MIN_POSITIVE), OK);
    let mut state = [0.0_f32; 81];
    assert_eq!(unsafe { wobble_body_velocities(body, state.as_mut_ptr(), 0, 27) }, OK);
    assert_eq!(state, [0.0; 81]);
    assert_eq!(unsafe { wobble_body_positions(body, state.as_mut_ptr(), 0, 27) }, OK);
    assert!(state.iter().all(|c| c.abs() < 1.0), "{state:?}");
    assert_eq!(wobble_world_destroy(world), OK);
}

#[test]
fn numbers_of_vertices_and_indices_that_no_mesh_has_are_refused_before_lists_are_read() {
    let (corners, map, faces) = ([0.0_f32; 9], [1.0_f32; 3], [0_u32, 1, 2]);
    for (vertices, indices) in [(u32::MAX, 3), (3, u32::MAX)] {
        let mut def = std::mem::MaybeUninit::<WobbleMeshDef>::uninit();
        let size = size_of::<WobbleMeshDef>() as u32;
        // SAFETY: the init function fills all of the definition.
        let mut mesh = unsafe {
            assert_eq!(wobble_mesh_def_init(def.as_mut_ptr(), size), OK);
            def.assume_init()
        };
        (mesh.positions, mesh.stiffness, mesh.vertex_count) = (corners.as_ptr(), map.as_ptr(), vertices);
        (mesh.indices, mesh.index_count, mesh.index_size) = (faces.as_ptr().cast(), indices, 4);
        let (mut shape, none) = (WobbleShape::default(), std::ptr::null());
        let status =
            unsafe { wobble_shape_create_from_mesh(&raw const mesh, none, std::ptr::null(), &raw mut shape) };
        assert_eq!(status, WOBBLE_STATUS_INVALID_ARGUMENT, "{vertices} vertices, {indices} indices");

        let (world, mut collider) = (world(), WobbleCollider::default());
        let def = WobbleColliderDef {
            kind: WOBBLE_COLLIDER_MESH,
            points: corners.as_ptr(),
            point_count: vertices,
            indices: faces.as_ptr(),
            index_count: indices,
            ..WobbleColliderDef::default()
        };
        let status = unsafe { wobble_collider_create(world, &raw const def, &raw mut collider) };
        assert_eq!(status, WOBBLE_STATUS_INVALID_ARGUMENT, "{vertices} points, {indices} indices");
        assert_eq!(wobble_world_destroy(world), OK);
    }
}
