//! A solid cube falls 1 m on its face: how high it comes back, and how it ends.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::Vec3;
use wobble::{Body, BodyDef, LevelsDef, Material, Plane, Shape, World, WorldDef};

fn cube() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| {
        Shape::from_points(&scenes::grid(13, 13, 13, 1.0 / 12.0), None, &LevelsDef::default()).unwrap()
    })
}

/// How high the centre comes again after the first impact, metres, and the body after 4 s.
fn drop(rebound: f32, restitution: f32) -> (f32, Body) {
    let mut world = World::new(&WorldDef { sleeping: false, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane { restitution, ..Plane::default() }).unwrap();
    let material = Material { rebound, ..Material::default() };
    let def = BodyDef { position: Vec3::Y * 1.5, material, ..BodyDef::default() };
    let id = world.add_body(cube(), &def).unwrap();
    let (mut lowest, mut highest) = (f32::MAX, 0.0f32);
    for _ in 0..240 {
        world.step(1.0 / 60.0).unwrap();
        let height = world.body(id).unwrap().centre_of_mass().y;
        if height > lowest {
            highest = highest.max(height - 0.5);
        }
        lowest = lowest.min(height);
    }
    (highest, world.body(id).unwrap().clone())
}

#[test]
fn a_cube_of_the_default_material_is_at_rest_on_its_face_after_four_seconds() {
    let (_, body) = drop(0.0, 0.0);
    let (low, high) = body.bounds();
    let (height, energy) = (high.y - low.y, body.kinetic_energy());
    assert!((0.98..1.02).contains(&height) && energy < 0.01, "{height} m high, {energy} J");
    assert!(body.shape_error() < 0.01, "its shape error is {}", body.shape_error());
}

#[test]
fn rebound_and_restitution_let_it_spring_back() {
    let heights =
        [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0)].map(|(rebound, restitution)| drop(rebound, restitution).0);
    println!("by rebound: {heights:.3?} m");
    assert!(heights[0] < 0.4 && heights[0] < heights[1] && heights[1] < heights[2], "{heights:?}");
    let heights = [0.0, 0.5, 0.9].map(|restitution| drop(0.0, restitution).0);
    println!("by restitution: {heights:.3?} m");
    assert!(heights[0] < heights[1] && heights[1] < heights[2], "{heights:?}");
}
