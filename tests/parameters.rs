//! Parameters: every one may change between steps, none takes nonsense.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use support::{Scene, positions, shape};
use wobble::{
    BodyDef, Damping, Error, Goals, LevelsDef, Material, Nesting, Particles, Plane, Shape, Stiffness,
    StrainLimit, Towards, Weighting, World, WorldDef,
};

const STEP: f32 = 1.0 / 60.0;
const NOT_NUMBERS: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

fn cube() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| shape(&scenes::grid(5, 5, 5, 0.2), 15, Nesting::Nested))
}

/// Refused, with words that name the field and the value; NaN and infinities as Rust prints them.
fn refused<T>(result: Result<T, Error>, field: &str, value: f32) {
    let Err(error) = result else { panic!("{field} = {value} was taken") };
    let text = error.to_string();
    assert!(text.contains(field), "{text:?} does not name {field}");
    assert!(text.contains(&f64::from(value).to_string()), "{text:?} does not name {value}");
}

/// A material with one field changed to a value.
type Change = fn(&mut Material, f32);

fn limit() -> StrainLimit {
    StrainLimit::default()
}

/// Every field of a material, its name, how to set it, and values just out of range.
fn material_fields() -> Vec<(&'static str, Change, Vec<f32>)> {
    vec![
        ("stiffness (per step)", |m, v| m.stiffness = Stiffness::PerStep(v), vec![-0.001, 2.001]),
        ("stiffness (hertz)", |m, v| m.stiffness = Stiffness::Hertz(v), vec![-0.001, 1.1e6]),
        ("damping (per step)", |m, v| m.damping = Damping::PerStep(v), vec![-0.001, 1.001]),
        ("damping (per second)", |m, v| m.damping = Damping::PerSecond(v), vec![-0.001, 1.1e6]),
        ("beta (linear)", |m, v| m.goals = Goals::Linear { beta: v }, vec![-0.001, 1.001]),
        ("beta (quadratic)", |m, v| m.goals = Goals::Quadratic { beta: v }, vec![-0.001, 1.001]),
        ("strain.gamma", |m, v| m.strain = Some(StrainLimit { gamma: v, ..limit() }), vec![-0.001]),
        ("strain.omega", |m, v| m.strain = Some(StrainLimit { omega: v, ..limit() }), vec![-0.001, 2.001]),
        ("gravity_scale", |m, v| m.gravity_scale = v, vec![-1.1e6, 1.1e6]),
        ("rebound", |m, v| m.rebound = v, vec![-0.1, 1.1]),
        ("volume_stiffness", |m, v| m.volume_stiffness = v, vec![-0.1, 100.1]),
        ("pressure", |m, v| m.pressure = v, vec![-0.91, 9.1]),
    ]
}

#[test]
fn materials_out_of_range_are_refused_and_change_nothing() {
    for (field, change, out_of_range) in material_fields() {
        for value in out_of_range.into_iter().chain(NOT_NUMBERS) {
            let mut material = Material::default();
            change(&mut material, value);
            let mut scene = Scene::new(cube(), Material::default());
            let hash = scene.world.state_hash();
            refused(scene.body_mut().set_material(material), field, value);
            assert_eq!(*scene.body().material(), Material::default());
            assert_eq!(scene.world.state_hash(), hash);
            refused(scene.world.add_body(cube(), &BodyDef { material, ..BodyDef::default() }), field, value);
            assert_eq!(scene.world.bodies().count(), 1, "a refused body was added");
        }
    }
    let strain = Some(StrainLimit { rounds: 65, ..limit() });
    let mut scene = Scene::new(cube(), Material::default());
    let result = scene.body_mut().set_material(Material { strain, ..Material::default() });
    refused(result, "strain.rounds", 65.0);
}

/// Calls with one bad coordinate, and the field they must name.
fn vector_calls(scene: &mut Scene, bad: Vec3) -> Vec<(&'static str, Result<(), Error>)> {
    let mut results = vec![
        ("gravity", scene.world.set_gravity(bad)),
        ("plane.normal", scene.world.add_plane(&Plane { normal: bad, ..Plane::default() }).map(|_| ())),
    ];
    for (field, def) in [
        ("position", BodyDef { position: bad, ..BodyDef::default() }),
        ("velocity", BodyDef { velocity: bad, ..BodyDef::default() }),
    ] {
        results.push((field, scene.world.add_body(cube(), &def).map(|_| ())));
    }
    let body = scene.body_mut();
    results.extend([
        ("position", body.set_position_of(3, bad)),
        ("velocity", body.set_velocity_of(3, bad)),
        ("velocity", body.set_velocity(bad)),
        ("deformed position", body.deform(|p| if p.x > 0.0 { bad } else { p })),
        ("force", body.apply_force(bad)),
        ("force", body.apply_force_to(3, bad)),
        ("impulse", body.apply_impulse(bad)),
        ("impulse", body.apply_impulse_to(3, bad)),
        ("target", body.move_pin(0, bad)),
        ("position", body.teleport(bad, Quat::IDENTITY)),
    ]);
    results
}

#[test]
fn vectors_that_are_not_finite_or_too_large_are_refused_and_change_nothing() {
    for value in NOT_NUMBERS.into_iter().chain([2e9, -2e9]) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let bad = Vec3::select(axis.cmpgt(Vec3::ZERO), Vec3::splat(value), Vec3::ONE);
            let mut scene = Scene::new(cube(), Material::default());
            scene.body_mut().pin(0).unwrap();
            let hash = scene.world.state_hash();
            for (field, result) in vector_calls(&mut scene, bad) {
                refused(result, field, value);
            }
            assert_eq!(scene.world.state_hash(), hash);
            assert_eq!(scene.world.gravity(), Vec3::ZERO);
            // Nothing was left behind to act later either.
            let before = scene.positions();
            scene.run(1, STEP);
            let moved = before.iter().zip(scene.positions()).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
            assert!(moved < 1e-5, "a refused call moved the body by {moved} m");
        }
    }
}

#[test]
fn world_and_level_parameters_out_of_range_are_refused_and_change_nothing() {
    let mut scene = Scene::new(cube(), Material::default());
    let hash = scene.world.state_hash();
    for dt in [0.0, -STEP, 10.1].into_iter().chain(NOT_NUMBERS) {
        refused(scene.world.step(dt), "dt", dt);
    }
    for substeps in [0, 65] {
        refused(scene.world.set_substeps(substeps), "substeps", substeps as f32);
        refused(World::new(&WorldDef { substeps, ..WorldDef::default() }), "substeps", substeps as f32);
    }
    refused(scene.world.set_threads(257), "threads", 257.0);
    refused(World::new(&WorldDef { threads: 257, ..WorldDef::default() }), "threads", 257.0);
    for value in [-0.1, 1.1e6].into_iter().chain(NOT_NUMBERS) {
        refused(scene.body_mut().set_level_stiffness(0, value), "stiffness multiplier", value);
        refused(scene.body_mut().set_level_damping(0, value), "damping multiplier", value);
    }
    for value in [-0.1, 1.1].into_iter().chain(NOT_NUMBERS) {
        let plane = Plane { restitution: value, ..Plane::default() };
        refused(scene.world.add_plane(&plane), "plane.restitution", value);
    }
    for value in [-0.1].into_iter().chain(NOT_NUMBERS) {
        refused(
            scene.world.add_plane(&Plane { friction: value, ..Plane::default() }),
            "plane.friction",
            value,
        );
    }
    for value in NOT_NUMBERS {
        refused(scene.world.add_plane(&Plane { offset: value, ..Plane::default() }), "plane.offset", value);
    }
    refused(scene.world.add_plane(&Plane { normal: Vec3::ZERO, ..Plane::default() }), "plane.normal", 0.0);
    let nothing = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    refused(scene.body_mut().teleport(Vec3::ZERO, nothing), "rotation", 0.0);
    assert_eq!((scene.world.substeps(), scene.world.threads()), (1, 1));
    assert_eq!(scene.world.state_hash(), hash);
}

#[test]
fn weightings_out_of_range_are_refused_and_change_nothing() {
    let mut scene = Scene::new(cube(), Material::default());
    let before = scene.body().level_weights().to_vec();
    let towards = Towards::Fine;
    for value in [0.0, -1.0].into_iter().chain(NOT_NUMBERS) {
        refused(
            scene.body_mut().set_weighting(&Weighting::Linear { epsilon: value, towards }),
            "epsilon",
            value,
        );
    }
    for value in [-0.1].into_iter().chain(NOT_NUMBERS) {
        let body = scene.body_mut();
        refused(body.set_weighting(&Weighting::Polynomial { b: value, c: 1.0, towards }), "b", value);
        refused(body.set_weighting(&Weighting::Polynomial { b: 1.0, c: value, towards }), "c", value);
        refused(body.set_level_weights(&[1.0, value]), "weights[1]", value);
    }
    refused(scene.body_mut().set_level_weights(&[0.0, 0.0]), "weights", 0.0);
    refused(scene.body_mut().set_level_weights(&[1.0]), "weights", 1.0);
    assert_eq!(scene.body().level_weights(), before);
}

#[test]
fn indices_past_the_end_are_refused() {
    let mut scene = Scene::new(cube(), Material::default());
    let hash = scene.world.state_hash();
    let body = scene.body_mut();
    let results = [
        body.position(125).map(|_| ()),
        body.velocity(125).map(|_| ()),
        body.set_position_of(125, Vec3::ZERO),
        body.set_velocity_of(125, Vec3::ZERO),
        body.apply_force_to(125, Vec3::X),
        body.apply_impulse_to(125, Vec3::X),
        body.pin(125),
        body.unpin(125),
        body.move_pin(125, Vec3::ZERO),
    ];
    for result in results {
        refused(result, "particle", 125.0);
    }
    refused(scene.body_mut().set_level_stiffness(2, 1.0), "level", 2.0);
    refused(scene.body_mut().set_level_damping(2, 1.0), "level", 2.0);
    refused(scene.body_mut().move_pin(7, Vec3::ZERO), "particle", 7.0);
    let mut short = vec![Vec3::ZERO; 124];
    refused(scene.body().read_positions(&mut short), "out", 124.0);
    refused(scene.body().read_velocities(&mut short), "out", 124.0);
    assert!(short.iter().all(|p| *p == Vec3::ZERO), "a refused read wrote something");
    assert_eq!(scene.world.state_hash(), hash);
}

#[test]
fn shapes_of_nonsense_are_refused() {
    let points = scenes::grid(3, 3, 3, 0.1);
    let build =
        |points: &[Vec3], masses: Option<&[f32]>| Shape::from_points(points, masses, &LevelsDef::default());
    for value in NOT_NUMBERS.into_iter().chain([2e9]) {
        let mut bad = points.clone();
        bad[5].y = value;
        refused(build(&bad, None), "points[5]", value);
    }
    for value in NOT_NUMBERS.into_iter().chain([0.0, -1.0, 2e9]) {
        let mut masses = vec![1.0; 27];
        masses[4] = value;
        refused(build(&points, Some(&masses)), "masses[4]", value);
    }
    refused(build(&points, Some(&[1.0; 26])), "masses", 26.0);
    let cancelled = Shape::from_particles(
        &Particles { points: &points, ..Particles::default() },
        &LevelsDef::default(),
        &mut |_| false,
    );
    assert_eq!(cancelled.unwrap_err(), Error::Cancelled);
}

#[test]
fn stale_names_are_refused() {
    let mut scene = Scene::new(cube(), Material::default());
    let (old, plane) = (scene.id, scene.world.add_plane(&Plane::default()).unwrap());
    scene.world.remove_body(old).unwrap();
    scene.world.remove_collider(plane).unwrap();
    let new = scene.world.add_body(cube(), &BodyDef::default()).unwrap();
    assert_ne!(old, new, "a name was given twice");
    assert!(scene.world.body(old).is_err() && scene.world.body_mut(old).is_err());
    assert_eq!(scene.world.remove_body(old).unwrap_err(), Error::Stale { what: "body" });
    assert_eq!(scene.world.remove_collider(plane).unwrap_err(), Error::Stale { what: "collider" });
    assert_eq!(scene.world.bodies().map(|(id, _)| id).collect::<Vec<_>>(), [new]);
    assert_eq!(positions(scene.world.body(new).unwrap()).len(), 125);
    let empty = World::new(&WorldDef::default()).unwrap();
    assert!(empty.body(new).is_err(), "another world's name was taken");
}
