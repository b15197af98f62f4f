//! The volume of bodies: measured, kept, grown.

mod scenes;
mod support;

use glam::{Quat, Vec3};
use support::Scene;
use wobble::{BodyDef, Damping, Goals, LevelsDef, Material, Plane, Shape, Stiffness};

fn cube(side: usize) -> std::sync::Arc<Shape> {
    let spacing = 1.0 / (side - 1) as f32;
    Shape::from_points(&scenes::grid(side, side, side, spacing), None, &LevelsDef::default()).unwrap()
}

#[test]
fn the_volume_of_a_stretched_body_is_the_product_of_its_stretches() {
    let mut scene = Scene::new(&cube(8), Material::default());
    assert!((scene.body().volume() - 1.0).abs() < 1e-5);
    let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 2.0);
    scene.body_mut().deform(|p| turn * (p * Vec3::new(2.0, 0.5, 1.5)) + Vec3::X * 7.0).unwrap();
    assert!((scene.body().volume() - 1.5).abs() < 1e-3, "{}", scene.body().volume());
    scene.body_mut().deform(|p| p * Vec3::new(1.0, -1.0, 1.0)).unwrap();
    assert!((scene.body().volume() + 1.5).abs() < 1e-3, "{}", scene.body().volume());
}

#[test]
fn a_bent_body_has_the_volume_that_its_parts_add_up_to() {
    // Sheared more and more along x: every slice keeps its area.
    let mut scene = Scene::new(&cube(12), Material::default());
    scene.body_mut().deform(|p| p + Vec3::Y * (0.5 * p.x * p.x)).unwrap();
    assert!((scene.body().volume() - 1.0).abs() < 0.02, "{}", scene.body().volume());
    // Twice as wide on one side only: half of it has twice the volume.
    let mut scene = Scene::new(&cube(12), Material::default());
    scene.body_mut().deform(|p| if p.x > 0.0 { p * Vec3::new(2.0, 1.0, 1.0) } else { p }).unwrap();
    assert!((scene.body().volume() - 1.5).abs() < 0.03, "{}", scene.body().volume());
}

#[test]
fn a_sheet_counts_by_its_area_and_a_strand_by_its_length() {
    for (nx, ny, wanted) in [(20, 20, 6.0), (40, 1, 3.0)] {
        let points = scenes::grid(nx, ny, 1, 0.1);
        let shape = Shape::from_points(&points, None, &LevelsDef::default()).unwrap();
        let mut scene = Scene::new(&shape, Material::default());
        let turn = Quat::from_axis_angle(Vec3::X, 1.0);
        scene.body_mut().deform(|p| turn * (p * Vec3::new(3.0, 2.0, 1.0))).unwrap();
        assert!((scene.body().volume() - wanted).abs() < 0.02, "{}", scene.body().volume());
    }
}

#[test]
fn a_body_without_particles_has_its_rest_volume() {
    let shape = Shape::from_points(&[], None, &LevelsDef::default()).unwrap();
    assert_eq!(Scene::new(&shape, Material::default()).body().volume(), 1.0);
}

/// A cube of 1 m between the ground and a plane that has come down to `height`.
fn pressed(material: Material, height: f32) -> Scene {
    let def = BodyDef { position: Vec3::Y * 0.5, material, ..BodyDef::default() };
    let mut scene = Scene::with(&cube(9), &def);
    scene.world.set_substeps(4).unwrap();
    let still = Plane { friction: 0.0, ..Plane::default() };
    scene.world.add_plane(&still).unwrap();
    let lid = |height: f32| Plane { normal: Vec3::NEG_Y, offset: -height, ..still };
    let mut above = scene.world.add_plane(&lid(1.0)).unwrap();
    for step in 0..=120 {
        scene.world.remove_collider(above).unwrap();
        above = scene.world.add_plane(&lid(1.0 + (height - 1.0) * step as f32 / 120.0)).unwrap();
        scene.world.step(1.0 / 60.0).unwrap();
    }
    scene.run(240, 1.0 / 60.0);
    scene
}

fn width(scene: &Scene) -> f32 {
    let (low, high) = scene.body().bounds();
    high.x - low.x
}

#[test]
fn a_pressed_cube_bulges_if_it_keeps_its_volume() {
    let loose = pressed(Material::default(), 0.7);
    let tight = pressed(Material { volume_stiffness: 30.0, ..Material::default() }, 0.7);
    assert!(loose.body().volume() < 0.85, "{}", loose.body().volume());
    assert!((tight.body().volume() - 1.0).abs() < 0.04, "{}", tight.body().volume());
    assert!(width(&tight) > width(&loose) + 0.08, "{} against {}", width(&tight), width(&loose));
}

#[test]
fn pressure_blows_a_body_up_and_draws_it_together() {
    for (pressure, stiffness) in [(0.5, 0.0), (0.5, 20.0), (-0.4, 0.0), (-0.4, 20.0), (3.0, 20.0)] {
        let material = Material { pressure, volume_stiffness: stiffness, ..Material::default() };
        let mut scene = Scene::new(&cube(8), material);
        scene.world.set_substeps(4).unwrap();
        scene.run(600, 1.0 / 60.0);
        let volume = scene.body().volume();
        assert!((volume / (1.0 + pressure) - 1.0).abs() < 0.05, "{pressure} with {stiffness}: {volume}");
        assert!(scene.body().kinetic_energy() < 1e-4, "{}", scene.body().kinetic_energy());
    }
}

#[test]
fn keeping_the_volume_keeps_momentum_and_angular_momentum() {
    for goals in [Goals::Rigid, Goals::Linear { beta: 0.5 }, Goals::Quadratic { beta: 0.5 }] {
        let material = Material { volume_stiffness: 30.0, pressure: 0.3, goals, ..Material::default() };
        let mut scene = Scene::new(&cube(7), material);
        scene.world.set_substeps(4).unwrap();
        scene.body_mut().deform(|p| p * Vec3::new(1.3, 0.6, 0.9)).unwrap();
        scene.spin(Vec3::new(1.0, 2.0, -0.5));
        let (p, l) = (scene.body().momentum(), scene.body().angular_momentum());
        scene.run(1000, 1.0 / 60.0);
        let (after, turned) = (scene.body().momentum(), scene.body().angular_momentum());
        assert!((after - p).length() < 1e-5, "{goals:?}: {p} became {after}");
        assert!((turned - l).length() < 2e-3 * l.length(), "{goals:?}: {l} became {turned}");
    }
}

#[test]
fn a_body_that_keeps_its_volume_stays_calm_whatever_its_parameters() {
    let shape = cube(5);
    let stiffnesses =
        [Stiffness::PerStep(0.001), Stiffness::PerStep(1.0), Stiffness::PerStep(1.9), Stiffness::Hertz(10.0)];
    for stiffness in stiffnesses {
        for damping in [Damping::PerStep(0.0), Damping::PerStep(0.5)] {
            for (pressure, weight) in [(0.0, 0.1), (9.0, 0.5), (-0.9, 0.9)] {
                let volume_stiffness = 100.0;
                let material =
                    Material { stiffness, damping, volume_stiffness, pressure, ..Material::default() };
                let mut scene = Scene::new(&shape, material);
                scene.body_mut().set_level_weight(0, weight).unwrap();
                scene.body_mut().deform(|p| p * Vec3::new(1.2, 0.7, 1.0)).unwrap();
                let mut wildest = |steps: usize| {
                    let energies = (0..steps).map(|_| {
                        scene.run(1, 1.0 / 240.0);
                        scene.body().kinetic_energy()
                    });
                    energies.fold(0.0, f32::max)
                };
                let (first, _, last) = (wildest(1000), wildest(8000), wildest(1000));
                let told = format!("{stiffness:?} {damping:?} {pressure} {weight}");
                assert!(!scene.body().is_frozen(), "{told}");
                assert!(last <= 1.05 * first, "{told}: {first} J at first, {last} J at last");
            }
        }
    }
}

#[test]
fn a_body_that_keeps_its_volume_goes_on_bit_for_bit_from_a_snapshot() {
    let mut scene = pressed(Material { volume_stiffness: 30.0, pressure: 0.1, ..Material::default() }, 0.8);
    let saved = scene.world.snapshot();
    scene.run(50, 1.0 / 60.0);
    let ahead = scene.world.state_hash();
    scene.world.restore(&saved, &[]).unwrap();
    scene.run(50, 1.0 / 60.0);
    assert_eq!(scene.world.state_hash(), ahead);
}
