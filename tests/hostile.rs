//! A body driven past all reason harms nobody, and can be brought back.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use support::{Scene, is_finite, papers, positions, shape};
use wobble::{
    BodyDef, Goals, LevelsDef, Material, Nesting, Shape, Stiffness, StrainLimit, Touch, World, WorldDef,
};

const STEP: f32 = 1.0 / 60.0;

fn cube() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| shape(&scenes::grid(5, 5, 5, 0.2), 15, Nesting::Nested))
}

fn sane() -> BodyDef {
    BodyDef { position: Vec3::new(0.0, 2.0, 0.0), ..BodyDef::default() }
}

/// Gives a body velocities of the largest size that setters take, in all directions.
fn provoke(scene: &mut Scene, id: wobble::BodyId) {
    let body = scene.world.body_mut(id).unwrap();
    for i in 0..125 {
        let side = |bit: usize| if i >> bit & 1 == 1 { 1e9 } else { -1e9 };
        body.set_velocity_of(i, Vec3::new(side(0), side(1), side(2))).unwrap();
    }
}

#[test]
fn a_body_with_absurd_velocities_does_not_touch_its_neighbour() {
    for material in [papers(2.0, 0.0), papers(1.0, 1.0), Material::default()] {
        let mut alone = Scene::on_ground(cube(), &sane());
        let mut both = Scene::on_ground(cube(), &sane());
        let def = BodyDef { position: Vec3::new(3.0, 2.0, 0.0), material, ..BodyDef::default() };
        let absurd = both.world.add_body(cube(), &def).unwrap();
        for step in 0..120 {
            provoke(&mut both, absurd);
            alone.run(1, STEP);
            both.run(1, STEP);
            assert_eq!(alone.positions(), both.positions(), "step {step}");
            assert!(is_finite(both.world.body(absurd).unwrap()), "step {step}: {material:?}");
        }
    }
}

/// Drives a body until it overflows and is frozen.
fn freeze(scene: &mut Scene) {
    let id = scene.id;
    for _ in 0..20 {
        for i in 0..125 {
            let side = if i % 2 == 0 { 1e9 } else { -1e9 };
            scene.body_mut().set_position_of(i, Vec3::new(side, -side, side)).unwrap();
        }
        provoke(scene, id);
        for _ in 0..40 {
            for i in 0..125 {
                scene.body_mut().apply_force_to(i, Vec3::splat(1e9)).unwrap();
            }
            scene.run(1, 10.0);
            assert!(is_finite(scene.body()), "something that is not a number got out");
            if scene.body().is_frozen() {
                return;
            }
        }
    }
}

/// A body of the largest size and of large mass, whose quadratic sums overflow once its particles
/// are 1e12 m apart: mass times distance times size squared is 1e8 · 1e12 · 1e18.
fn overflowing() -> Scene {
    let shape = Shape::from_points(&scenes::grid(3, 3, 3, 5e8), Some(&[1e8; 27]), &LevelsDef::default());
    let goals = Goals::Quadratic { beta: 0.5 };
    Scene::new(&shape.unwrap(), Material { goals, ..papers(0.0, 0.0) })
}

/// Scatters the body until it is frozen; returns where it was before.
fn overflow(scene: &mut Scene) -> Vec<Vec3> {
    for _ in 0..300 {
        for i in 0..27 {
            scene.body_mut().set_velocity_of(i, Vec3::splat(if i < 13 { 1e9 } else { -1e9 })).unwrap();
        }
        let before = scene.positions();
        scene.run(1, 10.0);
        assert!(is_finite(scene.body()), "something that is not a number got out");
        if scene.body().is_frozen() {
            return before;
        }
    }
    panic!("nothing overflowed");
}

#[test]
fn a_body_that_overflows_is_frozen_where_it_was() {
    let mut scene = overflowing();
    let before = overflow(&mut scene);
    assert_eq!(scene.positions(), before);
    let hash = scene.world.state_hash();
    scene.run(10, STEP);
    assert_eq!(scene.world.state_hash(), hash, "a frozen body moved");
}

#[test]
fn reset_and_teleport_bring_a_frozen_body_back() {
    for teleports in [false, true] {
        let mut scene = overflowing();
        overflow(&mut scene);
        if teleports {
            scene.body_mut().teleport(Vec3::new(1.0, 2.0, 3.0), Quat::IDENTITY).unwrap();
        } else {
            scene.body_mut().reset();
        }
        assert!(!scene.body().is_frozen());
        let start = scene.body().centre_of_mass();
        scene.body_mut().set_material(papers(0.5, 0.1)).unwrap();
        scene.body_mut().set_velocity(Vec3::X * 1e7).unwrap();
        scene.run(60, STEP);
        assert!(!scene.body().is_frozen() && is_finite(scene.body()));
        let moved = (scene.body().centre_of_mass() - start).distance(Vec3::X * 1e7);
        // Reset leaves it where it froze, 1e12 m out, where a step rounds by 65 km.
        assert!(moved < 2e6, "it moved {moved} m from where it should be");
        assert!(scene.body().shape_error() < 0.01);
    }
}

#[test]
fn scattered_over_a_billion_metres_a_body_gives_finite_numbers_or_freezes() {
    let strain = Some(StrainLimit::default());
    for material in [papers(2.0, 0.0), papers(1.0, 1.0), Material { strain, ..papers(1.0, 0.1) }] {
        let mut scene = Scene::on_ground(cube(), &BodyDef { material, ..sane() });
        freeze(&mut scene);
        scene.body_mut().teleport(Vec3::Y * 2.0, Quat::IDENTITY).unwrap();
        scene.run(120, STEP);
        assert!(!scene.body().is_frozen() && is_finite(scene.body()));
        assert!(scene.body().shape_error() < 0.3, "{}", scene.body().shape_error());
    }
}

#[test]
fn extreme_but_allowed_parameters_stay_finite() {
    let stiffest = Material { stiffness: Stiffness::Hertz(1e6), gravity_scale: 1e6, ..papers(1.0, 0.1) };
    let mut scene = Scene::on_ground(cube(), &BodyDef { material: stiffest, ..sane() });
    scene.world.set_gravity(Vec3::new(0.0, -1e9, 0.0)).unwrap();
    for level in 0..2 {
        scene.body_mut().set_level_stiffness(level, 1e6).unwrap();
        scene.body_mut().set_level_damping(level, 1e6).unwrap();
    }
    scene.run(50, 10.0);
    assert!(is_finite(scene.body()));
    scene.run(50, f32::MIN_POSITIVE);
    assert!(is_finite(scene.body()));
    assert!(positions(scene.body()).iter().all(|p| p.is_finite()));
}

#[test]
fn bodies_without_extent_meet_others_in_every_manner() {
    for points in [vec![], vec![Vec3::ZERO], vec![Vec3::ZERO; 5], vec![Vec3::ZERO, Vec3::X]] {
        for proxies in [false, true] {
            let mut world = World::new(&WorldDef::default()).unwrap();
            let touch = Touch { proxies, itself: true, ..Touch::default() };
            let small = Shape::from_points(&points, None, &LevelsDef::default()).unwrap();
            for shape in [&small, cube(), &small] {
                world.add_body(shape, &BodyDef { touch, ..sane() }).unwrap();
            }
            (0..10).for_each(|_| world.step(STEP).unwrap());
            assert!(world.newly_frozen().is_empty());
            assert!(world.bodies().all(|(_, body)| body.raw_positions().iter().all(|x| x.is_finite())));
        }
    }
}
