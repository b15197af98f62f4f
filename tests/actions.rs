//! What a host does to a part of a body, and reads back of what it set.

mod scenes;
mod support;

use glam::Vec3;
use support::{Scene, positions, shape, single_cluster, some_turn, velocities};
use wobble::{BodyDef, Material, Nesting};

fn cube() -> Scene {
    let def = BodyDef { position: Vec3::new(2.0, 1.0, 0.0), rotation: some_turn(0.7), ..BodyDef::default() };
    Scene::with(&shape(&scenes::grid(6, 6, 6, 0.2), 15, Nesting::Nested), &def)
}

#[test]
fn an_impulse_at_a_point_goes_to_the_particles_near_it_and_sums_up() {
    let mut scene = cube();
    let impulse = Vec3::new(1.0, -2.0, 0.5);
    let point = scene.body().position(0).unwrap();
    let pinned = 1;
    scene.body_mut().pin(pinned).unwrap();
    scene.body_mut().apply_impulse_at(point, impulse, 0.5).unwrap();
    assert!(scene.body().momentum().distance(impulse) < 1e-5, "{}", scene.body().momentum());
    let (x, v) = (positions(scene.body()), velocities(scene.body()));
    let fastest = v[0].length();
    for i in 0..x.len() {
        let distance = x[i].distance(point);
        match distance {
            _ if i == pinned => assert_eq!(v[i], Vec3::ZERO),
            d if d > 0.5 => assert_eq!(v[i], Vec3::ZERO),
            d => {
                let wanted = fastest * (1.0 - d * d / 0.25).powi(2);
                assert!((v[i].length() - wanted).abs() < 1e-4 * fastest, "{i} at {d} m");
            }
        }
    }
}

#[test]
fn an_impulse_out_of_reach_is_refused_and_says_what_to_do() {
    let mut scene = cube();
    let point = Vec3::new(50.0, 0.0, 0.0);
    let refusal = scene.body_mut().apply_impulse_at(point, Vec3::Y, 3.0).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "radius is 3; it must be more than the distance from the point to the nearest particle that is not pinned"
    );
    for radius in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(scene.body_mut().apply_impulse_at(Vec3::ZERO, Vec3::Y, radius).is_err());
    }
    assert!(scene.body_mut().apply_impulse_at(Vec3::NAN, Vec3::Y, 100.0).is_err());
    assert!(scene.body_mut().apply_impulse_at(Vec3::ZERO, Vec3::INFINITY, 100.0).is_err());
    assert_eq!(scene.body().kinetic_energy(), 0.0);
}

#[test]
fn a_torque_impulse_changes_the_angular_momentum_by_itself_and_nothing_else() {
    let mut scene = cube();
    scene.body_mut().set_velocity(Vec3::new(0.5, 0.0, -1.0)).unwrap();
    scene.body_mut().deform(|p| Vec3::new(p.x * 1.4, p.y + 0.3 * p.x, p.z)).unwrap();
    let (momentum, spin) = (scene.body().momentum(), scene.body().angular_momentum());
    let impulse = Vec3::new(0.3, 1.0, -0.4);
    scene.body_mut().apply_torque_impulse(impulse).unwrap();
    assert!(scene.body().momentum().distance(momentum) < 1e-5);
    assert!((scene.body().angular_momentum() - spin).distance(impulse) < 1e-5);
    let x = positions(scene.body());
    scene.run(1, 1e-4);
    let moved = positions(scene.body());
    let stretch = (moved[0].distance(moved[215]) - x[0].distance(x[215])).abs();
    assert!(stretch < 1e-4, "a rigid turn leaves distances: {stretch}");
}

#[test]
fn a_strand_takes_no_torque_about_itself_and_a_point_none() {
    let strand = single_cluster(&scenes::strand(10, 0.1), None);
    let mut scene = Scene::new(&strand, Material::default());
    assert!(scene.body_mut().apply_torque_impulse(Vec3::X).is_err());
    assert_eq!(scene.body().kinetic_energy(), 0.0);
    scene.body_mut().apply_torque_impulse(Vec3::Y * 0.1).unwrap();
    assert!(scene.body().angular_momentum().distance(Vec3::Y * 0.1) < 1e-6);
    for points in [vec![Vec3::ZERO], vec![]] {
        let mut scene = Scene::new(&single_cluster(&points, None), Material::default());
        assert!(scene.body_mut().apply_torque_impulse(Vec3::X).is_err());
        assert!(scene.body_mut().apply_torque_impulse(Vec3::NAN).is_err());
    }
}

#[test]
fn pins_are_read_back_by_the_callers_numbers() {
    let mut scene = cube();
    for particle in [200, 3, 77, 3] {
        scene.body_mut().pin(particle).unwrap();
    }
    assert_eq!(scene.body().pins().collect::<Vec<_>>(), [200, 3, 77]);
    scene.body_mut().unpin(200).unwrap();
    assert_eq!(scene.body().pins().len(), 2);
    let pinned: Vec<usize> = (0..216).filter(|&i| scene.body().is_pinned(i).unwrap()).collect();
    assert_eq!(pinned, [3, 77]);
    assert!(scene.body().is_pinned(216).unwrap_err().to_string().starts_with("particle is 216,"));
}

#[test]
fn multipliers_are_read_back_by_level() {
    let mut scene = cube();
    scene.body_mut().set_level_stiffness(1, 0.25).unwrap();
    scene.body_mut().set_level_damping(0, 3.0).unwrap();
    let body = scene.body();
    assert_eq!((body.level_stiffness(0), body.level_stiffness(1)), (Ok(1.0), Ok(0.25)));
    assert_eq!((body.level_damping(0), body.level_damping(1)), (Ok(3.0), Ok(1.0)));
    assert!(body.level_stiffness(2).is_err() && body.level_damping(2).is_err());
}

#[test]
fn one_levels_weight_leaves_the_others_their_proportions() {
    let mut scene = Scene::new(&shape(&scenes::grid(8, 8, 8, 0.15), 8, Nesting::Nested), Material::default());
    let body = scene.body_mut();
    body.set_level_weights(&[3.0, 1.0, 4.0]).unwrap();
    body.set_level_weight(2, 0.2).unwrap();
    let close = |a: &[f32], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(close(body.level_weights(), [0.6, 0.2, 0.2]), "{:?}", body.level_weights());
    body.set_level_weight(1, 1.0).unwrap();
    assert_eq!(body.level_weights(), [0.0, 1.0, 0.0]);
    body.set_level_weight(1, 0.5).unwrap();
    assert!(close(body.level_weights(), [0.25, 0.5, 0.25]), "{:?}", body.level_weights());
    for weight in [-0.1, 1.1, f32::NAN] {
        assert!(body.set_level_weight(1, weight).is_err());
    }
    assert!(body.set_level_weight(3, 0.5).unwrap_err().to_string().starts_with("level is 3,"));
    let mut single = Scene::new(&single_cluster(&scenes::grid(3, 3, 3, 0.1), None), Material::default());
    assert!(single.body_mut().set_level_weight(0, 0.5).is_err());
    single.body_mut().set_level_weight(0, 1.0).unwrap();
    assert_eq!(single.body().level_weights(), [1.0]);
}
