//! Meshes as they come: flat, thin, open, torn, crossing, turned, doubled. Each becomes a sensible body.

use glam::{Vec3, vec3};
use wobble::{Pattern, SamplingDef};

use super::scenes::meshes::{Triangles, ball, cuboid, sheet};
use super::{PATTERNS, count, expect_filled, points, sampled, surface};

/// The mass at a density of 1: the volume that was found.
fn volume(triangles: &Triangles) -> f32 {
    sampled(&triangles.mesh(), &SamplingDef { density: 1.0, ..count(2000) }).mass()
}

const BALL: f32 = 4.0 / 3.0 * std::f32::consts::PI * 0.125;

#[test]
fn a_flat_sheet_becomes_one_layer_and_keeps_its_corners() {
    for both_faces in [false, true] {
        let mut triangles = sheet(2.0, 1.0, 4, 2);
        if both_faces {
            triangles = triangles.clone().with(&triangles.flipped(1));
        }
        for pattern in PATTERNS {
            let def = SamplingDef { pattern, thickness: Some(0.01), density: 300.0, ..count(800) };
            let shape = sampled(&triangles.mesh(), &def);
            let off = shape.particle_count().abs_diff(800);
            assert!(off <= 40, "{} particles", shape.particle_count());
            let points = points(&shape);
            assert!(points.iter().all(|p| p.y.abs() < 1e-6 && p.x.abs() <= 1.0001 && p.z.abs() <= 0.5001));
            for corner in [vec3(1.0, 0.0, 0.5), vec3(-1.0, 0.0, 0.5), vec3(1.0, 0.0, -0.5)] {
                assert!(points.iter().any(|p| p.distance(corner) < 1e-5), "nobody at {corner}");
            }
            assert!((shape.mass() / 6.0 - 1.0).abs() < 0.01, "{} kg", shape.mass());
        }
    }
}

#[test]
fn a_thin_strand_becomes_a_row_of_particles_and_keeps_its_mass() {
    let strand = cuboid(vec3(1.0, 0.001, 0.001), 1);
    let shape = sampled(&strand.mesh(), &count(100));
    assert!((95..=105).contains(&shape.particle_count()), "{} particles", shape.particle_count());
    assert!((shape.mass() / 0.001 - 1.0).abs() < 0.01, "{} kg", shape.mass());
    let mut along: Vec<f32> = points(&shape).iter().map(|p| p.x).collect();
    along.sort_by(f32::total_cmp);
    let gaps = along.windows(2).map(|pair| pair[1] - pair[0]);
    assert!(gaps.fold(0.0, f32::max) < 0.03);
    assert!(along[0] < -0.49 && along[along.len() - 1] > 0.49);

    let ribbon = sheet(1.0, 1e-4, 1, 1);
    let shape = sampled(&ribbon.mesh(), &count(60));
    assert!((57..=63).contains(&shape.particle_count()), "{} particles", shape.particle_count());
}

#[test]
fn an_open_shell_is_filled_up_to_its_rim() {
    let bowl = ball(0.5, 20).cut(|p| p.y < 0.0);
    let shape = sampled(&bowl.mesh(), &count(2000));
    expect_filled("bowl", &bowl, &shape, 2000);
    assert!(points(&shape).iter().all(|p| p.y < 0.1));
    let found = volume(&bowl) / (BALL / 2.0);
    assert!((0.7..1.3).contains(&found), "{found} of half a ball");
}

#[test]
fn holes_in_a_surface_change_little() {
    let torn = ball(0.5, 20).cut(|p| p.y < 0.45);
    assert!(!surface(&torn).is_closed());
    assert!((volume(&torn) / BALL - 1.0).abs() < 0.04, "{}", volume(&torn) / BALL);
}

#[test]
fn turned_and_doubled_triangles_make_no_difference() {
    let whole = ball(0.5, 12);
    let expected = volume(&whole);
    let turned = whole.clone().flipped(5);
    let inside_out = whole.clone().flipped(1);
    let mut doubled = whole.clone();
    doubled.indices.extend(whole.indices.iter().take(300));
    for (name, triangles) in [("turned", &turned), ("inside out", &inside_out), ("doubled", &doubled)] {
        assert!(
            (volume(triangles) / expected - 1.0).abs() < 1e-3,
            "{name}: {}",
            volume(triangles) / expected
        );
        assert!(surface(triangles).is_closed(), "{name}");
        expect_filled(name, triangles, &sampled(&triangles.mesh(), &count(1000)), 1000);
    }
    let both_ways = whole.clone().with(&inside_out);
    assert!((volume(&both_ways) / expected - 1.0).abs() < 1e-3, "both ways");
}

#[test]
fn pieces_that_cross_are_one_body() {
    let two = cuboid(Vec3::ONE, 4).with(&cuboid(Vec3::ONE, 4).moved(vec3(0.5, 0.0, 0.0)));
    let found = volume(&two);
    assert!((found / 1.5 - 1.0).abs() < 0.02, "{found}");
    expect_filled("two boxes", &two, &sampled(&two.mesh(), &count(2000)), 2000);
}

#[test]
fn a_hollow_inside_stays_hollow_and_pieces_apart_are_filled_each() {
    let hollow = ball(0.5, 20).with(&ball(0.3, 12).flipped(1));
    let found = volume(&hollow) / (BALL * (1.0 - 0.216));
    assert!((found - 1.0).abs() < 0.02, "{found}");
    assert!(points(&sampled(&hollow.mesh(), &count(2000))).iter().all(|p| p.length() > 0.28));

    let apart = ball(0.5, 12).with(&ball(0.5, 12).moved(vec3(5.0, 0.0, 0.0)).flipped(1));
    let shape =
        sampled(&apart.mesh(), &SamplingDef { pattern: Pattern::BlueNoise, surface: false, ..count(1000) });
    let right = points(&shape).iter().filter(|p| p.x > 2.5).count();
    assert!((450..550).contains(&right), "{right} of {} in the right ball", shape.particle_count());
}

#[test]
fn slivers_and_vertices_nobody_uses_are_fine() {
    let mut triangles = ball(0.5, 8);
    let far = triangles.positions.len() as u32;
    triangles.positions.extend([vec3(100.0, 0.0, 0.0), triangles.positions[0], triangles.positions[0]]);
    triangles.indices.extend([0, far + 1, far + 2, 0, 0, 1, 1, 2, 1]);
    let shape = sampled(&triangles.mesh(), &count(500));
    expect_filled("slivers", &triangles, &shape, 500);
}

#[test]
fn a_small_piece_far_away_is_left_out() {
    let whole = ball(0.5, 20);
    let alone = sampled(&whole.mesh(), &count(2000));
    for far in [5.0, 1e3, 1e5] {
        let chip = sheet(0.02, 0.02, 1, 1).moved(vec3(far, 0.1, 0.0));
        for pattern in PATTERNS {
            let shape = sampled(&whole.clone().with(&chip).mesh(), &SamplingDef { pattern, ..count(2000) });
            assert!(points(&shape).iter().all(|p| p.length() < 0.501), "{far}, {pattern:?}");
            expect_filled("ball with a chip", &whole, &shape, 2000);
            assert!((shape.mass() / alone.mass() - 1.0).abs() < 0.01, "{far}, {pattern:?}: {}", shape.mass());
        }
    }
    // Not one that is near, nor one as large as the rest.
    for (near, size) in [(0.8, 0.1), (5.0, 1.0)] {
        let chip = sheet(size, size, 1, 1).moved(vec3(near, 0.1, 0.0));
        let shape = sampled(&whole.clone().with(&chip).mesh(), &count(2000));
        assert!(points(&shape).iter().any(|p| p.x > 0.7), "{near}");
    }
}
