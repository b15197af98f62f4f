//! The volume of bodies: measured, kept, grown.

mod scenes;
mod support;

use glam::{Quat, Vec3};
use support::Scene;
use wobble::{LevelsDef, Material, Shape};

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
