//! Where particles are drawn to, against an independent computation.

mod scenes;
mod support;

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use support::reference::{self, goals};
use support::{Scene, papers, shape, single_cluster, some_turn, velocities};
use wobble::{BodyDef, Damping, DampingForm, LevelsDef, Material, Nesting, Rotation, Shape, Weighting};

const STEP: f32 = 1.0 / 60.0;

/// RC's rectangle, flat in z.
const RECTANGLE: [Vec3; 4] = [
    Vec3::new(1.0, 3.0, 0.0),
    Vec3::new(3.0, 1.0, 0.0),
    Vec3::new(-1.0, -3.0, 0.0),
    Vec3::new(-3.0, -1.0, 0.0),
];

/// How far the rectangle turns, in degrees, when it lets go of a stretch by 2 in x.
fn turn_of_the_rectangle(rotation: Rotation) -> f32 {
    let mut scene = Scene::new(&single_cluster(&RECTANGLE, None), Material { rotation, ..papers(1.0, 0.0) });
    scene.body_mut().deform(|p| p * Vec3::new(2.0, 1.0, 1.0)).unwrap();
    scene.run(1, STEP);
    let angle = |p: Vec3| p.y.atan2(p.x).to_degrees();
    let turns: Vec<f32> =
        scene.positions().iter().zip(RECTANGLE).map(|(p, r)| angle(*p) - angle(r)).collect();
    for (p, r) in scene.positions().iter().zip(RECTANGLE) {
        assert!((p.length() - r.length()).abs() < 1e-5, "{p} has not the distance of {r}");
    }
    assert!(turns.iter().all(|t| (t - turns[0]).abs() < 1e-3), "{turns:?}");
    turns[0]
}

#[test]
fn the_stretched_rectangle_of_rc_stays_by_f_and_turns_by_a_xr() {
    // A_xr = [[40, 24], [12, 20]]: its rotation is atan((12 - 24) / (40 + 20)).
    let turned = turn_of_the_rectangle(Rotation::Momentum);
    assert!((turned + 11.31).abs() < 0.01, "{turned}° by A_xr");
    let stayed = turn_of_the_rectangle(Rotation::Stretch);
    assert!(stayed.abs() < 1e-3, "{stayed}° by F");
}

/// Moved, stretched, sheared and bent, with a turn on top.
fn deformed(p: Vec3) -> Vec3 {
    let bent = Vec3::new(1.4 * p.x + 0.5 * p.y * p.z, p.y - 0.3 * p.z + 0.2 * p.x * p.x, 0.9 * p.z);
    some_turn(0.7) * bent + Vec3::new(1.0, 2.0, -3.0)
}

/// Largest distance of a particle from the goal computed here, after one step at α = 1 from rest.
fn miss(shape: &Arc<Shape>, rotation: Rotation, weighting: &Weighting, map: fn(Vec3) -> Vec3) -> f64 {
    let mut scene = Scene::new(shape, Material { rotation, ..papers(1.0, 0.0) });
    scene.body_mut().set_weighting(weighting).unwrap();
    scene.body_mut().deform(map).unwrap();
    let goals = goals(scene.body(), rotation);
    scene.run(1, STEP);
    let landed = scene.body().raw_positions().iter().map(|x| x.truncate().as_dvec3());
    landed.zip(goals).map(|(x, g)| x.distance(g)).fold(0.0, f64::max)
}

#[test]
fn at_alpha_one_particles_of_a_single_cluster_land_on_their_goals() {
    let points = scenes::box_cloud(60, Vec3::new(1.0, 0.8, 0.6), 7);
    let masses: Vec<f32> = (0..60).map(|i| 0.1 + 0.05 * (i % 7) as f32).collect();
    let shape = single_cluster(&points, Some(&masses));
    let maps: [fn(Vec3) -> Vec3; 2] = [deformed, |p| deformed(p * Vec3::new(1.0, 1.0, -0.5))];
    for rotation in [Rotation::Momentum, Rotation::Stretch] {
        for map in maps {
            // Positions within 4 m of the origin round to 2.4e-7 m; a rotation 0.01° off would
            // miss by 1e-4 m.
            let miss = miss(&shape, rotation, &Weighting::Uniform, map);
            assert!(miss < 5e-6, "{rotation:?}: {miss} m");
        }
    }
}

#[test]
fn at_alpha_one_particles_of_several_levels_land_on_the_blend_of_their_goals() {
    let points = scenes::box_cloud(600, Vec3::new(1.0, 0.8, 0.6), 8);
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let shape = shape(&points, 15, nesting);
        assert_eq!(shape.levels().iter().map(|l| l.cluster_count()).collect::<Vec<_>>(), [40, 5, 1]);
        let weightings = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.3, 0.2]];
        for weights in weightings {
            for rotation in [Rotation::Momentum, Rotation::Stretch] {
                let weighting = Weighting::Manual(weights.to_vec());
                let miss = miss(&shape, rotation, &weighting, deformed);
                assert!(miss < 5e-6, "{nesting:?} {weights:?} {rotation:?}: {miss} m");
            }
        }
    }
}

#[test]
fn at_alpha_zero_a_body_flies_a_parabola() {
    let velocity = Vec3::new(2.0, 5.0, -1.0);
    let material = papers(0.0, 0.0);
    let mut scene = Scene::with(
        &shape(&scenes::grid(6, 6, 6, 0.2), 15, Nesting::Nested),
        &BodyDef { velocity, material, ..BodyDef::default() },
    );
    let gravity = Vec3::new(0.0, -9.81, 0.5);
    scene.world.set_gravity(gravity).unwrap();
    scene.body_mut().deform(deformed).unwrap();
    let start = scene.positions();
    let steps = 120;
    scene.run(steps, STEP);
    // Symplectic Euler, exactly: x = x0 + n h v + n (n + 1) / 2 h² g.
    let (n, h) = (steps as f64, f64::from(STEP));
    let moved = velocity.as_dvec3() * (n * h) + gravity.as_dvec3() * (0.5 * n * (n + 1.0) * h * h);
    for (x, x0) in scene.positions().iter().zip(start) {
        let off = (x.as_dvec3() - x0.as_dvec3() - moved).length();
        // 120 roundings of up to 1e-6 m about 20 m.
        assert!(off < 1e-4, "{off} m off the parabola");
    }
}

#[test]
fn full_rigid_damping_leaves_the_best_rigid_motion_of_a_cluster() {
    let points = scenes::box_cloud(60, Vec3::new(1.0, 0.8, 0.6), 9);
    let noise = scenes::box_cloud(60, Vec3::splat(4.0), 10);
    let mut scene = Scene::new(&single_cluster(&points, None), papers(0.0, 1.0));
    for (i, v) in noise.iter().enumerate() {
        scene.body_mut().set_velocity_of(i, *v).unwrap();
    }
    let (momentum, spin) = (scene.body().momentum(), scene.body().angular_momentum());
    let places = scene.positions();
    scene.run(1, STEP);
    let found = velocities(scene.body());
    // A rigid motion keeps the distances of particles: (v_i - v_j) · (x_i - x_j) = 0.
    for i in 1..60 {
        let rate = (found[i] - found[0]).dot(places[i] - places[0]);
        assert!(rate.abs() < 1e-5, "particle {i} moves off particle 0 at {rate}");
    }
    assert!(scene.body().momentum().distance(momentum) < 1e-5);
    let centre = places.iter().sum::<Vec3>() / 60.0;
    let kept: Vec3 = places.iter().zip(&found).map(|(x, v)| (*x - centre).cross(*v) / 60.0).sum();
    assert!(kept.distance(spin) < 1e-5, "{kept} for {spin}");
}

#[test]
fn full_paper_damping_leaves_the_mean_velocity_of_a_cluster() {
    let points = scenes::box_cloud(60, Vec3::ONE, 11);
    let noise = scenes::box_cloud(60, Vec3::splat(4.0), 12);
    let material = Material { damping_form: DampingForm::Paper, ..papers(0.0, 1.0) };
    let mut scene = Scene::new(&single_cluster(&points, None), material);
    for (i, v) in noise.iter().enumerate() {
        scene.body_mut().set_velocity_of(i, *v).unwrap();
    }
    let mean = scene.body().momentum() / scene.body().shape().mass();
    scene.run(1, STEP);
    assert!(velocities(scene.body()).iter().all(|v| v.distance(mean) < 1e-5));
}

#[test]
fn levels_pull_by_their_weights_and_multipliers() {
    // With the multiplier of one level at zero, α = 1 goes the other level's share of the way.
    let points = scenes::grid(6, 6, 6, 0.2);
    let shape = shape(&points, 15, Nesting::Nested);
    let mut scene = Scene::new(&shape, papers(1.0, 0.0));
    scene.body_mut().set_level_weights(&[3.0, 1.0]).unwrap();
    scene.body_mut().set_level_stiffness(0, 0.0).unwrap();
    scene.body_mut().deform(|p| p * Vec3::new(1.5, 1.0, 1.0)).unwrap();
    let top = reference::placements(scene.body(), 1, Rotation::Momentum)[0];
    let before: Vec<DVec3> = scene.body().raw_positions().iter().map(|x| x.truncate().as_dvec3()).collect();
    scene.run(1, STEP);
    for ((x, rest), x0) in scene.body().raw_positions().iter().zip(shape.rest()).zip(before) {
        let wanted = x0 + (top.goal(rest.truncate().as_dvec3()) - x0) * 0.25;
        assert!(x.truncate().as_dvec3().distance(wanted) < 2e-6);
    }
}

#[test]
fn a_body_starts_where_its_definition_says() {
    let points = scenes::box_cloud(40, Vec3::ONE, 3);
    let masses: Vec<f32> = (1..=40).map(|i| i as f32).collect();
    let (position, rotation) = (Vec3::new(5.0, -1.0, 2.0), Quat::from_rotation_y(1.0));
    let def = LevelsDef { particles_per_cluster: 15, ..LevelsDef::default() };
    let shape = Shape::from_points(&points, Some(&masses), &def).unwrap();
    let material = Material { damping: Damping::PerSecond(0.0), ..Material::default() };
    let scene = Scene::with(&shape, &BodyDef { position, rotation, material, ..BodyDef::default() });
    let total: f32 = masses.iter().sum();
    let centre = points.iter().zip(&masses).map(|(p, m)| *p * *m).sum::<Vec3>() / total;
    for (x, p) in scene.positions().iter().zip(&points) {
        assert!(x.distance(position + rotation * (*p - centre)) < 2e-6);
    }
    assert!(scene.body().centre_of_mass().distance(position) < 2e-6);
    assert!(scene.body().shape_error() < 1e-6);
}
