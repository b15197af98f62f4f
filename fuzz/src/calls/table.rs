//! All functions of the header, and how often they are called.

use super::{anatomy, body, collider, contacts, library, pushing, reading, saving, shape, tuning, world};
use crate::driver::Driver;

/// Functions that have no status.
pub const INFALLIBLE: [&str; 5] = [
    "wobble_version",
    "wobble_abi_version",
    "wobble_last_error",
    "wobble_status_name",
    "wobble_set_log_callback",
];

/// A function of the header, its share of all calls, and what calls it.
pub type Call = (&'static str, u32, fn(&mut Driver));

/// Every function of the header.
#[rustfmt::skip]
pub const CALLS: &[Call] = &[
    ("wobble_version", 2, library::version),
    ("wobble_abi_version", 2, library::abi_version),
    ("wobble_last_error", 2, library::last_error),
    ("wobble_status_name", 2, library::status_name),
    ("wobble_set_log_callback", 2, library::set_log_callback),
    ("wobble_world_def_init", 2, world::def_init),
    ("wobble_world_create", 6, world::create),
    ("wobble_world_destroy", 1, world::destroy),
    ("wobble_world_set_gravity", 2, world::set_gravity),
    ("wobble_world_gravity", 2, world::gravity),
    ("wobble_world_set_threads", 2, world::set_threads),
    ("wobble_world_threads", 2, world::get_threads),
    ("wobble_world_set_substeps", 2, world::set_substeps),
    ("wobble_world_substeps", 2, world::substeps),
    ("wobble_world_step", 30, world::step),
    ("wobble_world_step_begin", 5, world::step_begin),
    ("wobble_world_step_is_done", 2, world::step_is_done),
    ("wobble_world_step_wait", 2, world::step_wait),
    ("wobble_world_profile", 2, world::profile),
    ("wobble_world_statistics", 2, world::statistics),
    ("wobble_world_state_hash", 2, world::state_hash),
    ("wobble_world_body_count", 2, world::body_count),
    ("wobble_world_bodies", 2, world::bodies),
    ("wobble_world_newly_frozen", 2, world::newly_frozen),
    ("wobble_world_snapshot_size", 2, saving::world_snapshot_size),
    ("wobble_world_snapshot", 4, saving::world_snapshot),
    ("wobble_world_restore", 6, saving::world_restore),
    ("wobble_collider_def_init", 2, collider::def_init),
    ("wobble_collider_create", 8, collider::create),
    ("wobble_collider_destroy", 2, collider::destroy),
    ("wobble_collider_set_pose", 2, collider::set_pose),
    ("wobble_collider_move", 4, collider::move_to),
    ("wobble_collider_pose", 2, collider::pose),
    ("wobble_collider_set_velocity", 2, collider::set_velocity),
    ("wobble_collider_set_conveyor", 2, collider::set_conveyor),
    ("wobble_collider_set_surface", 2, collider::set_surface),
    ("wobble_collider_set_groups", 2, collider::set_groups),
    ("wobble_collider_set_enabled", 2, collider::set_enabled),
    ("wobble_collider_impulse", 2, collider::impulse),
    ("wobble_world_contact_count", 2, contacts::count),
    ("wobble_world_contacts", 4, contacts::contacts),
    ("wobble_world_set_contact_reporting", 2, contacts::set_reporting),
    ("wobble_body_set_surface", 2, contacts::set_surface),
    ("wobble_body_set_groups", 2, contacts::set_groups),
    ("wobble_body_set_particle_radius", 2, contacts::set_particle_radius),
    ("wobble_shape_def_init", 2, shape::def_init),
    ("wobble_shape_create_from_points", 10, shape::create_from_points),
    ("wobble_shape_retain", 2, shape::retain),
    ("wobble_shape_release", 3, shape::release),
    ("wobble_shape_save_size", 2, saving::save_size),
    ("wobble_shape_save", 5, saving::save),
    ("wobble_shape_load", 8, saving::load),
    ("wobble_shape_particle_count", 2, shape::particle_count),
    ("wobble_shape_level_count", 2, shape::level_count),
    ("wobble_shape_mass", 2, shape::mass),
    ("wobble_shape_fingerprint", 2, shape::fingerprint),
    ("wobble_shape_level_report", 2, shape::level_report),
    ("wobble_shape_rest_positions", 2, shape::rest_positions),
    ("wobble_shape_cluster_centres", 2, shape::cluster_centres),
    ("wobble_shape_view_order", 2, shape::view_order),
    ("wobble_shape_is_nested", 2, anatomy::is_nested),
    ("wobble_shape_masses", 2, anatomy::masses),
    ("wobble_shape_cluster_widths", 2, anatomy::cluster_widths),
    ("wobble_shape_membership_count", 2, anatomy::membership_count),
    ("wobble_shape_memberships", 2, anatomy::memberships),
    ("wobble_shape_plane_count", 2, anatomy::plane_count),
    ("wobble_shape_planes", 2, anatomy::planes),
    ("wobble_material_init", 2, tuning::material_init),
    ("wobble_material_named", 2, tuning::material_named),
    ("wobble_body_def_init", 2, body::def_init),
    ("wobble_body_create", 20, body::create),
    ("wobble_body_destroy", 4, body::destroy),
    ("wobble_body_world", 2, body::world),
    ("wobble_body_shape", 2, body::get_shape),
    ("wobble_body_set_enabled", 2, body::set_enabled),
    ("wobble_body_set_velocity", 2, body::set_velocity),
    ("wobble_body_teleport", 4, body::teleport),
    ("wobble_body_reset", 3, body::reset),
    ("wobble_body_apply_force", 2, pushing::apply_force),
    ("wobble_body_apply_force_to", 2, pushing::apply_force_to),
    ("wobble_body_apply_impulse", 2, pushing::apply_impulse),
    ("wobble_body_apply_torque_impulse", 2, pushing::apply_torque_impulse),
    ("wobble_body_apply_impulse_to", 2, pushing::apply_impulse_to),
    ("wobble_body_apply_impulse_at", 2, pushing::apply_impulse_at),
    ("wobble_body_pin", 2, body::pin),
    ("wobble_body_unpin", 2, body::unpin),
    ("wobble_body_move_pin", 2, body::move_pin),
    ("wobble_body_set_position_of", 2, body::set_position_of),
    ("wobble_body_set_velocity_of", 2, body::set_velocity_of),
    ("wobble_body_set_positions", 2, body::set_positions),
    ("wobble_body_set_velocities", 2, body::set_velocities),
    ("wobble_body_snapshot_size", 2, saving::body_snapshot_size),
    ("wobble_body_snapshot", 4, saving::body_snapshot),
    ("wobble_body_restore", 8, saving::body_restore),
    ("wobble_body_material", 2, tuning::get_material),
    ("wobble_body_set_material", 6, tuning::set_material),
    ("wobble_body_set_preset", 2, tuning::set_preset),
    ("wobble_body_level_count", 2, tuning::level_count),
    ("wobble_body_level_weight", 2, tuning::level_weight),
    ("wobble_body_set_level_weights", 2, tuning::set_level_weights),
    ("wobble_body_set_level_weight", 2, tuning::set_level_weight),
    ("wobble_body_set_weighting", 2, tuning::set_weighting),
    ("wobble_body_level_stiffness", 2, tuning::level_stiffness),
    ("wobble_body_set_level_stiffness", 2, tuning::set_level_stiffness),
    ("wobble_body_level_damping", 2, tuning::level_damping),
    ("wobble_body_set_level_damping", 2, tuning::set_level_damping),
    ("wobble_body_particle_count", 2, reading::particle_count),
    ("wobble_body_positions", 5, reading::positions),
    ("wobble_body_velocities", 2, reading::velocities),
    ("wobble_body_previous_positions", 2, reading::previous_positions),
    ("wobble_body_view_positions", 2, reading::view_positions),
    ("wobble_body_view_velocities", 2, reading::view_velocities),
    ("wobble_body_cluster_transforms", 2, reading::cluster_transforms),
    ("wobble_body_centre_of_mass", 2, reading::centre_of_mass),
    ("wobble_body_momentum", 2, reading::momentum),
    ("wobble_body_angular_momentum", 2, reading::angular_momentum),
    ("wobble_body_bounds", 2, reading::bounds),
    ("wobble_body_shape_error", 2, reading::shape_error),
    ("wobble_body_volume", 2, reading::volume),
    ("wobble_body_kinetic_energy", 2, reading::kinetic_energy),
    ("wobble_body_elastic_energy", 2, reading::elastic_energy),
    ("wobble_body_is_enabled", 2, reading::is_enabled),
    ("wobble_body_is_frozen", 2, reading::is_frozen),
    ("wobble_body_is_pinned", 2, reading::is_pinned),
    ("wobble_body_pin_count", 2, reading::pin_count),
    ("wobble_body_pins", 2, reading::pins),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_of_the_header_is_called() {
        let header = include_str!("../../../include/wobble.h");
        let code = header.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
        let names = code.filter_map(|line| line.find("wobble_").map(|at| &line[at..]));
        let names: Vec<&str> = names.filter_map(|rest| rest.split_once('(')).map(|(name, _)| name).collect();
        assert!(names.len() > 90);
        for name in &names {
            assert!(CALLS.iter().any(|(called, _, _)| called == name), "{name} is not called");
        }
        assert_eq!(names.len(), CALLS.len());
    }
}
