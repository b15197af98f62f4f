//! Sizes and offsets of the structs that cross the border, as Rust, the C compiler and
//! `tests/layout.txt` have them. A change shows here: hosts built earlier, and bindings that repeat
//! the structs, depend on the numbers.

#![cfg(all(feature = "capi", target_pointer_width = "64"))]

use std::fmt::Write;
use std::mem::{offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::Command;

use wobble::capi::attach::*;
use wobble::capi::breaking::*;
use wobble::capi::collider_defs::*;
use wobble::capi::defs::*;
use wobble::capi::field::*;
use wobble::capi::handles::*;
use wobble::capi::lasting::*;
use wobble::capi::mesh_defs::*;
use wobble::capi::particles::*;
use wobble::capi::query::*;
use wobble::capi::solid::*;

/// The size of a field, by way of a pointer to it.
fn size_of_pointee<T, F>(_: impl Fn(&T) -> &F) -> usize {
    size_of::<F>()
}

macro_rules! layout {
    ($out:ident, $($type:ident { $($field:ident),* })*) => {$(
        writeln!($out, "{} {}", stringify!($type), size_of::<$type>()).unwrap();
        $(
            let (offset, size) = (offset_of!($type, $field), size_of_pointee(|s: &$type| &s.$field));
            writeln!($out, "{}.{} {offset} {size}", stringify!($type), stringify!($field)).unwrap();
        )*
    )*};
}

/// A line `struct size` for each struct, and `struct.field offset size` for each of its fields.
fn layout_in_rust() -> String {
    let mut out = String::new();
    layout! { out,
        WobbleVec3 { x, y, z }
        WobbleQuat { x, y, z, w }
        WobbleBounds { low, high }
        WobbleTransform { rotation, position }
        WobbleMembership { member, cluster, weight }
        WobbleClusterPlane { cluster, normal, offset }
        WobbleView { data, count, stride }
        WobbleWorld { bits }
        WobbleShape { bits }
        WobbleBody { bits }
        WobbleCollider { bits }
        WobbleWorldDef { struct_size, threads, substeps, gravity, contact_threshold, max_contacts, sleeping, sleep_speed }
        WobbleColliderDef {
            struct_size, kind, normal, offset, half_extents, half_height, radius, position, rotation,
            velocity, angular_velocity, conveyor, friction, restitution, combine, group, mask, points,
            point_count, point_stride, indices, heights, index_count, columns, rows, spacing_x, spacing_z,
            enabled
        }
        WobbleContact {
            body, other_body, other_collider, phase, cluster, point, normal, impulse, reserved
        }
        WobbleShapeDef {
            struct_size, algorithm, kernel, kernel_parameter, nesting, particles_per_cluster,
            finest_clusters, max_levels, radius, radius_growth, overlap, max_rounds, threads,
            reserved, seed, progress, progress_user
        }
        WobbleBodyDef {
            struct_size, position, rotation, velocity, material, friction, restitution, combine,
            group, mask, radius, can_sleep, reserved
        }
        WobbleMaterial {
            struct_size, stiffness_kind, stiffness, damping_kind, damping, damping_form,
            rotation, goals, goals_beta, strain_rounds, strain_gamma, strain_omega, gravity_scale, rebound,
            volume_stiffness, pressure
        }
        WobbleProfile {
            struct_size, substeps, matching, goals, integrate, strain, total, strain_rounds,
            strain_fits, contacts, contact_count, plasticity, recluster, embed, new_clusters
        }
        WobbleStatistics {
            struct_size, bodies, enabled, frozen, colliders, threads, particles, clusters,
            memberships, body_bytes, shape_bytes, sleeping, shapes
        }
        WobbleLevelReport {
            struct_size, clusters, rounds, converged, radius, overlap, memberships_per_particle,
            seconds
        }
        WobbleMeshDef {
            struct_size, vertex_count, positions, normals, tangents, indices, stiffness, damping, pin,
            density, positions_stride, normals_stride, tangents_stride, index_count, index_size,
            stiffness_stride, damping_stride, pin_stride, density_stride, toughness_stride, toughness
        }
        WobbleSamplingDef {
            struct_size, pattern, count, spacing, surface, fill, density, thickness, weld, reserved,
            seed
        }
        WobbleSkinBuffers {
            struct_size, capacity, positions, normals, tangents, previous, positions_stride,
            normals_stride, tangents_stride, previous_stride, fraction, reserved, frame
        }
        WobbleSolidDef {
            struct_size, kind, size, radius, tube, height, low, high, distance, distance_user, cells,
            threads
        }
        WobbleAttachment { bits }
        WobbleField { bits }
        WobblePartner { body, collider }
        WobbleHit { body, collider, found, point, normal, distance, particle, cluster }
        WobbleAttachmentDef { struct_size, position, rotation, hertz, damping_ratio, break_force }
        WobbleJointDef {
            struct_size, point, other_point, radius, length, hertz, damping_ratio, break_force
        }
        WobbleDragDef { struct_size, point, radius, hertz, damping_ratio, max_force }
        WobbleFieldDef {
            struct_size, kind, velocity, drag, gusts, gust_hertz, centre, strength, radius,
            normal, offset, density_ratio, mask, body
        }
        WobbleParticlesDef {
            struct_size, count, points, masses, stiffness, damping, pin, points_stride,
            masses_stride, stiffness_stride, damping_stride, pin_stride, toughness_stride, toughness
        }
        WobblePlasticity {
            struct_size, yield_strain, flow, hardening, limit, recovery, recluster, fade, most_new_clusters
        }
        WobbleFracture { struct_size, toughness, smallest }
        WobbleBreak { body, piece, first_particle, particle_count, is_debris, reserved }
        WobbleSkinSource { first, second, share, is_cap }
    }
    out
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares line by line, so that a failure names the field.
fn compare(name: &str, found: &str, wanted: &str) {
    for (found, wanted) in found.lines().zip(wanted.lines()) {
        assert_eq!(found, wanted, "{name} and the structs in Rust differ");
    }
    assert_eq!(found.lines().count(), wanted.lines().count(), "{name} lacks structs or fields, or has more");
}

/// Writes the table anew when `WOBBLE_LAYOUT=write`, else compares.
#[test]
fn the_layout_is_the_one_in_the_table() {
    let (path, wanted) = (root().join("tests/layout.txt"), layout_in_rust());
    if std::env::var("WOBBLE_LAYOUT").is_ok_and(|value| value == "write") {
        std::fs::write(&path, &wanted).expect("the table can be written");
    }
    compare("tests/layout.txt", &std::fs::read_to_string(&path).unwrap_or_default(), &wanted);
}

#[test]
fn the_c_compiler_sees_the_same_layout() {
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("layout");
    let mut compile = Command::new("cc");
    compile.args(["-std=c99", "-I"]).arg(root().join("include"));
    compile.arg(root().join("tests/c/layout.c")).arg("-o").arg(&program);
    match compile.status() {
        Err(error) => return println!("skipped: no C compiler named cc: {error}"),
        Ok(status) => assert!(status.success(), "tests/c/layout.c does not compile"),
    }
    let run = Command::new(&program).output().expect("the program runs");
    compare("tests/c/layout.c", &String::from_utf8_lossy(&run.stdout), &layout_in_rust());
}

/// Every struct of the header is in the table, with every field.
#[test]
fn no_struct_of_the_header_is_left_out() {
    let header = std::fs::read_to_string(root().join("include/wobble.h")).expect("the header is there");
    let layout = layout_in_rust();
    let mut structs = 0;
    for definition in header.split("typedef struct ").skip(1) {
        let (name, rest) = definition.split_once(" {").expect("a struct has fields");
        let (body, _) = rest.split_once("\n}").expect("a struct ends");
        for line in body.lines().filter(|line| line.ends_with(';')) {
            let field = line.trim_end_matches(';').rsplit([' ', '*']).next().expect("a field has a name");
            assert!(layout.contains(&format!("{name}.{field} ")), "{name}.{field} is not in the table");
        }
        structs += 1;
    }
    assert_eq!(structs, layout.lines().filter(|line| !line.contains('.')).count());
}
