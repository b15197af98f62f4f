//! Time steps and places: what may change without changing the look.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::Vec3;
use support::{Scene, is_finite, shape};
use wobble::{BodyDef, Damping, Material, Nesting, Plane, Shape, Stiffness};

const STEP: f32 = 1.0 / 60.0;

fn cube() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| shape(&scenes::grid(6, 6, 6, 0.2), 15, Nesting::Nested))
}

/// Seconds between two crossings of the rest width, in the same direction, of a cube that was
/// stretched by a tenth.
fn period(stiffness: Stiffness, substeps: u32) -> f32 {
    let material = Material { stiffness, damping: Damping::PerStep(0.0), ..Material::default() };
    let mut scene = Scene::new(cube(), material);
    scene.world.set_substeps(substeps).unwrap();
    // Every level answers to the same stretch with the same frequency.
    scene.body_mut().set_level_weights(&[0.0, 1.0]).unwrap();
    scene.body_mut().deform(|p| p * Vec3::new(1.1, 1.0, 1.0)).unwrap();
    let (mut crossings, mut last) = (Vec::new(), 0.1f32);
    for step in 0..200 {
        scene.run(1, STEP);
        let (low, high) = scene.body().bounds();
        let now = high.x - low.x - 1.0;
        if last < 0.0 && now >= 0.0 {
            crossings.push(STEP * (step as f32 + last / (last - now)));
        }
        last = now;
    }
    assert!(crossings.len() >= 2, "it does not swing: {crossings:?}");
    (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f32
}

#[test]
fn stiffness_in_hertz_keeps_the_look_when_substeps_change() {
    let periods = [2, 4, 8].map(|substeps| period(Stiffness::Hertz(2.0), substeps));
    println!("periods at 2 Hz with 2, 4, 8 substeps: {periods:.4?} s");
    // Symplectic Euler at 2 substeps rings faster by (ω h)²/24, 0.05 %.
    assert!(periods.iter().all(|p| (p - 0.5).abs() < 0.01), "{periods:?}");
}

#[test]
fn stiffness_per_step_does_not() {
    let periods = [2, 4, 8].map(|substeps| period(Stiffness::PerStep(0.01), substeps));
    println!("periods at α = 0.01 with 2, 4, 8 substeps: {periods:.4?} s");
    // α = (2π h / T)², so T goes with the substep: half for twice as many.
    for pair in periods.windows(2) {
        assert!((pair[0] / pair[1] - 2.0).abs() < 0.1, "{periods:?}");
    }
}

/// Shape error and speed of a default body that has been on a floor at `at` for 5 s.
fn calm(at: Vec3) -> (f32, f32) {
    let def = BodyDef { position: at + Vec3::Y * 0.7, ..BodyDef::default() };
    let mut scene = Scene::with(cube(), &def);
    scene.world.set_gravity(Vec3::NEG_Y * 9.81).unwrap();
    scene.world.set_substeps(4).unwrap();
    scene.world.add_plane(&Plane { offset: at.y, ..Plane::default() }).unwrap();
    scene.run(300, STEP);
    assert!(is_finite(scene.body()));
    let speed = (2.0 * scene.body().kinetic_energy() / scene.body().shape().mass()).sqrt();
    let (low, _) = scene.body().bounds();
    // One part in 16 million at 1 km is 6e-5 m.
    assert!((low.y - at.y).abs() < 1e-3, "it is not on the floor: {} for {}", low.y, at.y);
    (scene.body().shape_error(), speed)
}

#[test]
fn a_body_one_kilometre_from_the_origin_is_calm_and_keeps_its_shape() {
    let (near, speed) = calm(Vec3::ZERO);
    println!("at the origin: error {near:.4}, {speed:.1e} m/s");
    for at in [Vec3::new(1000.0, 0.0, 0.0), Vec3::new(-600.0, 400.0, 700.0)] {
        let (error, speed) = calm(at);
        println!("at {at}: error {error:.4}, {speed:.1e} m/s");
        assert!((error - near).abs() < 0.01, "error {error} at {at}, {near} at the origin");
        // A position rounded by 6e-5 m in a substep of 1/240 s is 0.015 m/s.
        assert!(speed < 0.03, "{speed} m/s at {at}");
    }
}

#[test]
fn a_body_far_away_still_flies_freely() {
    // Speeds are exact where positions round by 6e-5 m a step.
    let at = Vec3::new(1000.0, 1000.0, 1000.0);
    let mut scene =
        Scene::with(cube(), &BodyDef { position: at, velocity: Vec3::X * 2.0, ..BodyDef::default() });
    scene.run(120, STEP);
    let (moved, momentum) = (scene.body().centre_of_mass() - at, scene.body().momentum());
    assert!(moved.distance(Vec3::X * 4.0) < 0.02, "moved by {moved}");
    assert!(momentum.distance(Vec3::X * 2.0) < 0.01, "momentum {momentum}");
    assert!(scene.body().shape_error() < 1e-3, "{}", scene.body().shape_error());
}
