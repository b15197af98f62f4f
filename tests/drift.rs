//! A body that nothing acts on stays where it is, for as long as one cares to look.

mod scenes;
mod support;

use std::sync::Arc;

use glam::Vec3;
use support::{Scene, shape, some_turn};
use wobble::{BodyDef, Goals, LevelsDef, Material, Nesting, Particles, Shape};

/// Most that a corner of a bar of 1.1 m may move in a minute, 14,400 substeps: rounding moves it by up to
/// 6e-8 m in each, this way and that. Not paid back it would go round more than half a turn.
const MOST: f32 = 5e-4;

fn stays(shape: &Arc<Shape>, goals: Goals) {
    let material = Material { goals, ..Material::default() };
    let def = BodyDef { position: Vec3::X, rotation: some_turn(2.0), material, ..BodyDef::default() };
    let mut scene = Scene::with(shape, &def);
    scene.world.set_substeps(4).unwrap();
    let before = scene.positions();
    scene.run(3600, 1.0 / 60.0);
    let moved = before.iter().zip(scene.positions()).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
    let (spin, energy) = (scene.body().angular_momentum().length(), scene.body().kinetic_energy());
    let told = format!("{:?} {goals:?}: {moved} m, {spin} kg m²/s, {energy} J", shape.nesting());
    assert!(moved < MOST && spin < 1e-5 && energy < 1e-8, "{told}");
}

#[test]
fn a_body_at_rest_neither_creeps_nor_turns() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        for goals in [Goals::Rigid, Goals::Linear { beta: 0.5 }, Goals::Quadratic { beta: 0.5 }] {
            stays(&shape(&scenes::grid(12, 6, 6, 0.1), 8, nesting), goals);
        }
    }
}

#[test]
fn neither_does_one_of_uneven_masses_and_stiffness() {
    let points = scenes::grid(12, 6, 6, 0.1);
    let masses: Vec<f32> = (0..points.len()).map(|i| 1e-3 * (1 + i % 7) as f32).collect();
    let stiffness: Vec<f32> = points.iter().map(|p| 1.0 + p.x).collect();
    let particles = Particles {
        points: &points,
        masses: Some(&masses),
        stiffness: Some(&stiffness),
        ..Particles::default()
    };
    let def = LevelsDef { particles_per_cluster: 8, ..LevelsDef::default() };
    stays(&Shape::from_particles(&particles, &def, &mut |_| true).unwrap(), Goals::Rigid);
}

#[test]
fn neither_do_a_sheet_and_a_strand() {
    stays(&shape(&scenes::sheet(12, 0.1), 8, Nesting::Nested), Goals::Rigid);
    stays(&shape(&scenes::strand(20, 0.05), 4, Nesting::Nested), Goals::Rigid);
}
