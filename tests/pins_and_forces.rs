//! What a host does to a body: pins, forces, impulses, teleports, switches.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use support::{Scene, papers, positions, shape, some_turn, velocities};
use wobble::{BodyDef, Goals, Material, Nesting, Plane, Shape, StrainLimit};

const STEP: f32 = 1.0 / 60.0;
/// A goal rounded by 3e-8 m pushes 2 kg by 1.4e-5 kg m/s in a substep of 1/240 s; twelve of them.
const ROUNDING: f32 = 2e-4;

/// 5 by 5 by 5 points, 2 kg in all; particle i weighs by its number.
fn cube() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| {
        let masses: Vec<f32> = (0..125).map(|i| 2.0 * (i + 1) as f32 / (125.0 * 63.0)).collect();
        let def = wobble::LevelsDef { particles_per_cluster: 15, ..Default::default() };
        Shape::from_points(&scenes::grid(5, 5, 5, 0.2), Some(&masses), &def).unwrap()
    })
}

/// A body with its top layer pinned.
fn hanging(material: Material) -> (Scene, Vec<usize>) {
    let mut scene = Scene::new(cube(), material);
    scene.world.set_gravity(Vec3::NEG_Y * 9.81).unwrap();
    scene.world.set_substeps(3).unwrap();
    let top = scene.body().bounds().1.y - 1e-3;
    let pins: Vec<usize> = (0..125).filter(|i| scene.positions()[*i].y > top).collect();
    for i in &pins {
        scene.body_mut().pin(*i).unwrap();
    }
    assert_eq!(pins.len(), 25);
    (scene, pins)
}

#[test]
fn pins_hold_exactly_whatever_pulls() {
    let strain = Some(StrainLimit { gamma: 0.02, ..StrainLimit::default() });
    for material in [papers(0.05, 0.1), Material { strain, ..papers(0.05, 0.1) }] {
        let (mut scene, pins) = hanging(material);
        let start = scene.positions();
        for _ in 0..120 {
            scene.body_mut().apply_force(Vec3::new(30.0, -50.0, 0.0)).unwrap();
            scene.body_mut().apply_force_to(pins[3], Vec3::X * 100.0).unwrap();
            scene.body_mut().apply_impulse_to(pins[3], Vec3::X).unwrap();
            scene.run(1, STEP);
            let now = scene.positions();
            assert!(pins.iter().all(|i| now[*i] == start[*i]), "a pin moved");
        }
        let sag = start[0].y - scene.positions()[0].y;
        assert!(sag > 0.005, "nothing pulled: {sag} m");
        assert!(scene.body().centre_of_mass().length() < 1.0, "pins did not hold the rest");
    }
}

#[test]
fn moved_pins_arrive_exactly_and_drag_the_body_along() {
    let (mut scene, pins) = hanging(Material::default());
    let start = scene.positions();
    let path = |step: usize| Vec3::new(0.02, 0.003, -0.01) * step as f32;
    for step in 1..=100 {
        for i in &pins {
            scene.body_mut().move_pin(*i, start[*i] + path(step)).unwrap();
        }
        scene.run(1, STEP);
        let now = scene.positions();
        assert!(
            pins.iter().all(|i| now[*i] == start[*i] + path(step)),
            "step {step}: a pin missed its target"
        );
    }
    // Their speed is that of the last move; then they stand still.
    let speed = velocities(scene.body())[pins[0]];
    assert!(speed.distance(path(1) / STEP) < 1e-3, "{speed}");
    scene.run(240, STEP);
    assert_eq!(velocities(scene.body())[pins[0]], Vec3::ZERO);
    let dragged = scene.body().centre_of_mass() - path(100);
    assert!(dragged.length() < 0.1, "the body is {dragged} from where its pins went");
}

#[test]
fn an_unpinned_particle_goes_free() {
    let (mut scene, pins) = hanging(Material::default());
    scene.run(60, STEP);
    for i in pins {
        scene.body_mut().unpin(i).unwrap();
    }
    let (before, fallen) = (scene.body().centre_of_mass().y, 0.5 * 9.81);
    scene.run(60, STEP);
    let after = scene.body().centre_of_mass().y;
    assert!((before - after - fallen).abs() < 0.05 * fallen, "fell {} m in 1 s", before - after);
}

#[test]
fn a_force_on_the_body_gives_it_momentum_f_dt_once() {
    for goals in [Goals::Rigid, Goals::Quadratic { beta: 0.5 }] {
        for substeps in [1, 4] {
            let mut scene = Scene::new(cube(), Material { goals, ..papers(1.0, 0.1) });
            scene.world.set_substeps(substeps).unwrap();
            scene.body_mut().apply_force(Vec3::new(3.0, 0.0, -6.0)).unwrap();
            scene.body_mut().apply_force(Vec3::new(0.0, 1.5, 0.0)).unwrap();
            let wanted = Vec3::new(3.0, 1.5, -6.0) * STEP;
            for _ in 0..3 {
                scene.run(1, STEP);
                let off = scene.body().momentum().distance(wanted);
                assert!(off < ROUNDING, "{substeps} substeps: {off} kg m/s off {wanted}");
            }
            assert!(
                scene.body().angular_momentum().length() < ROUNDING,
                "a force on all particles made it turn"
            );
        }
    }
}

#[test]
fn a_force_on_one_particle_gives_the_body_momentum_f_dt_once() {
    for substeps in [1, 4] {
        let mut scene = Scene::new(cube(), papers(1.0, 0.1));
        scene.world.set_substeps(substeps).unwrap();
        let (particle, force) = (124, Vec3::new(0.0, 2.0, -1.0));
        let arm = scene.positions()[particle] - scene.body().centre_of_mass();
        scene.body_mut().apply_force_to(particle, force).unwrap();
        for _ in 0..3 {
            scene.run(1, STEP);
            let body = scene.body();
            assert!(body.momentum().distance(force * STEP) < ROUNDING, "{}", body.momentum());
            // The arm moves a little during the step.
            let spin = arm.cross(force) * STEP;
            let off = body.angular_momentum().distance(spin);
            assert!(off < 0.03 * spin.length(), "{} for {spin}", body.angular_momentum());
        }
    }
}

#[test]
fn an_impulse_is_momentum_at_once() {
    let mut scene = Scene::new(cube(), Material::default());
    scene.body_mut().apply_impulse(Vec3::new(4.0, 0.0, 2.0)).unwrap();
    assert!(scene.body().momentum().distance(Vec3::new(4.0, 0.0, 2.0)) < 1e-5);
    assert!(velocities(scene.body()).iter().all(|v| v.distance(Vec3::new(2.0, 0.0, 1.0)) < 1e-5));
    scene.body_mut().apply_impulse_to(7, Vec3::Y * 0.5).unwrap();
    assert!(scene.body().momentum().distance(Vec3::new(4.0, 0.5, 2.0)) < 1e-5);
    scene.run(60, STEP);
    assert!(scene.body().momentum().distance(Vec3::new(4.0, 0.5, 2.0)) < 1e-3);
}

#[test]
fn gravity_scale_multiplies_gravity() {
    for scale in [0.0, 0.5, 1.0, -2.0] {
        let mut scene = Scene::new(cube(), Material { gravity_scale: scale, ..Material::default() });
        scene.world.set_gravity(Vec3::new(1.0, -8.0, 0.0)).unwrap();
        scene.run(60, STEP);
        let wanted = Vec3::new(1.0, -8.0, 0.0) * (scale * 2.0);
        assert!(scene.body().momentum().distance(wanted) < 1e-3, "{scale}: {}", scene.body().momentum());
    }
}

#[test]
fn teleport_puts_a_body_elsewhere_at_rest_and_in_shape() {
    let mut scene = Scene::on_ground(cube(), &BodyDef::default());
    scene.run(30, STEP);
    let (at, turn) = (Vec3::new(-4.0, 7.0, 2.0), some_turn(1.0));
    scene.body_mut().teleport(at, turn).unwrap();
    assert!(velocities(scene.body()).iter().all(|v| *v == Vec3::ZERO));
    assert!(scene.body().shape_error() < 1e-5);
    let rest = Scene::new(cube(), Material::default()).positions();
    for (x, r) in scene.positions().iter().zip(rest) {
        assert!(x.distance(at + turn * r) < 2e-6);
    }
    scene.run(1, STEP);
    assert!(scene.body().shape_error() < 1e-4, "it remembers its old place: {}", scene.body().shape_error());
}

#[test]
fn reset_returns_to_the_rest_shape_upright_where_the_body_is() {
    let mut scene = Scene::with(cube(), &BodyDef { rotation: some_turn(2.0), ..BodyDef::default() });
    scene.body_mut().deform(|p| p * 1.5 + Vec3::X * 3.0).unwrap();
    let centre = scene.body().centre_of_mass();
    scene.body_mut().reset();
    assert!(scene.body().centre_of_mass().distance(centre) < 1e-5);
    let rest =
        Scene::with(cube(), &BodyDef { position: centre, rotation: Quat::IDENTITY, ..BodyDef::default() });
    for (x, r) in scene.positions().iter().zip(rest.positions()) {
        assert!(x.distance(r) < 2e-6);
    }
}

#[test]
fn a_disabled_body_stands_still_and_goes_on_when_enabled() {
    let mut scene = Scene::on_ground(cube(), &BodyDef { position: Vec3::Y * 3.0, ..BodyDef::default() });
    let position = Vec3::new(5.0, 3.0, 0.0);
    let other = scene.world.add_body(cube(), &BodyDef { position, ..BodyDef::default() }).unwrap();
    scene.run(10, STEP);
    let (held, speed) = (scene.positions(), velocities(scene.body()));
    scene.body_mut().set_enabled(false);
    assert!(!scene.body().is_enabled());
    let at_stop = positions(scene.world.body(other).unwrap());
    scene.run(10, STEP);
    assert_eq!((scene.positions(), velocities(scene.body())), (held, speed));
    assert_ne!(positions(scene.world.body(other).unwrap()), at_stop, "the other stopped too");
    scene.body_mut().set_enabled(true);
    scene.run(10, STEP);
    // As far as the other was after as many steps of its own.
    let fallen = 3.0 - scene.body().centre_of_mass().y;
    assert!((fallen - 0.5 * 9.81 * (20.0 / 60.0f32).powi(2)).abs() < 0.05, "{fallen} m");
}

#[test]
fn a_body_fixed_at_all_particles_follows_the_host_alone() {
    let mut scene = Scene::on_ground(cube(), &BodyDef { position: Vec3::Y * 0.1, ..BodyDef::default() });
    for i in 0..125 {
        scene.body_mut().pin(i).unwrap();
    }
    scene.world.add_plane(&Plane { normal: Vec3::X, offset: 1.0, ..Plane::default() }).unwrap();
    let before = scene.positions();
    scene.run(60, STEP);
    assert_eq!(scene.positions(), before);
}

#[test]
fn removing_a_body_leaves_the_others_alone() {
    let shape = shape(&scenes::grid(4, 4, 4, 0.2), 15, Nesting::Nested);
    let mut scene = Scene::on_ground(cube(), &BodyDef { position: Vec3::Y, ..BodyDef::default() });
    let mut alone = Scene::on_ground(cube(), &BodyDef { position: Vec3::Y, ..BodyDef::default() });
    let position = Vec3::new(5.0, 0.0, 0.0);
    let other = scene.world.add_body(&shape, &BodyDef { position, ..BodyDef::default() }).unwrap();
    for step in 0..60 {
        if step == 30 {
            scene.world.remove_body(other).unwrap();
        }
        scene.run(1, STEP);
        alone.run(1, STEP);
        assert_eq!(scene.positions(), alone.positions());
    }
}
