//! What a soft body stands on carries all of it: it does not sink into the ground, however many layers it has.

mod scenes;

use glam::Vec3;
use wobble::{
    Body, BodyDef, BodyId, ColliderDef, ColliderShape, DampingForm, Goals, LevelsDef, Material, Plane,
    Rotation, Shape, Stiffness, World, WorldDef,
};

const DT: f32 = 1.0 / 60.0;

/// A cube of 1 m, `side` particles along an edge, set down at 10 Hz for five seconds, with what else the material is to have.
fn stand(side: usize, material: Material, ground: &ColliderDef) -> (World, BodyId) {
    let points = scenes::grid(side, side, side, 1.0 / (side - 1) as f32);
    let shape = Shape::from_points(&points, None, &LevelsDef::default()).unwrap();
    let mut world = World::new(&WorldDef { sleeping: false, ..WorldDef::default() }).unwrap();
    world.add_collider(ground).unwrap();
    let material = Material { stiffness: Stiffness::Hertz(10.0), ..material };
    let id = world
        .add_body(&shape, &BodyDef { position: Vec3::Y * 0.52, material, ..BodyDef::default() })
        .unwrap();
    (0..300).for_each(|_| world.step(DT).unwrap());
    (world, id)
}

/// The mean height of a layer of particles, metres.
fn layer(body: &Body, side: usize, y: usize) -> f32 {
    let at = |i: usize| body.position((i / side * side + y) * side + i % side).unwrap().y;
    (0..side * side).map(at).sum::<f32>() / (side * side) as f32
}

/// The lowest gap over the spacing, and the height in metres.
fn gap_and_height(body: &Body, side: usize) -> (f32, f32) {
    let layer = |y| layer(body, side, y);
    ((layer(1) - layer(0)) * (side - 1) as f32, layer(side - 1) - layer(0))
}

fn speed(body: &Body) -> f32 {
    (2.0 * body.kinetic_energy() / body.shape().mass()).sqrt()
}

#[test]
fn a_soft_cube_keeps_its_height_and_its_lowest_layer_at_every_resolution() {
    let mut heights = Vec::new();
    for side in [8, 13, 20] {
        let (world, id) = stand(side, Material::default(), &ColliderDef::default());
        let body = world.body(id).unwrap();
        let (gap, height) = gap_and_height(body, side);
        println!("{side} along an edge: gap {gap}, height {height} m, {} m/s", speed(body));
        assert!(gap > 0.9 && height > 0.98, "{side}: gap {gap}, height {height} m");
        assert!(speed(body) < 5e-3, "{side}: {} m/s", speed(body));
        heights.push(height);
    }
    let (low, high) =
        (heights.iter().copied().fold(9.0, f32::min), heights.iter().copied().fold(0.0, f32::max));
    assert!(high < 1.01 * low, "{heights:?}");
}

#[test]
fn it_does_so_whatever_the_ground_is_and_whatever_moves_its_particles() {
    let half_extents = Vec3::new(2.0, 0.5, 2.0);
    let below = |shape| ColliderDef { shape, position: Vec3::NEG_Y * 0.5, ..ColliderDef::default() };
    let corners: Vec<Vec3> =
        (0..8).map(|k| Vec3::new([-2.0, 2.0][k & 1], [-0.5, 0.5][k >> 1 & 1], [-2.0, 2.0][k >> 2])).collect();
    let hull = ColliderShape::hull(&corners).unwrap();
    let restitution = ColliderDef {
        surface: wobble::Surface { restitution: 1.0, ..wobble::Surface::default() },
        ..ColliderDef::default()
    };
    let grounds = [below(ColliderShape::Box { half_extents }), below(hull), restitution];
    for (k, ground) in grounds.iter().enumerate() {
        let (world, id) = stand(9, Material::default(), ground);
        let (gap, height) = gap_and_height(world.body(id).unwrap(), 9);
        assert!(gap > 0.9 && height > 0.98, "ground {k}: gap {gap}, height {height} m");
    }
    let materials = [
        Material { goals: Goals::Quadratic { beta: 0.3 }, ..Material::default() },
        Material { goals: Goals::Linear { beta: 0.3 }, ..Material::default() },
        Material { damping_form: DampingForm::Paper, rotation: Rotation::Stretch, ..Material::default() },
    ];
    for (k, material) in materials.into_iter().enumerate() {
        let (world, id) = stand(9, material, &ColliderDef::default());
        let (gap, height) = gap_and_height(world.body(id).unwrap(), 9);
        assert!(gap > 0.85 && height > 0.97, "material {k}: gap {gap}, height {height} m");
    }
}

#[test]
fn the_ground_gets_the_weight_that_it_carries() {
    let (mut world, id) = stand(9, Material::default(), &ColliderDef::default());
    let (ground, _) = world.colliders().next().unwrap();
    let mut pressed = 0.0;
    for _ in 0..60 {
        world.step(DT).unwrap();
        pressed += world.collider(ground).unwrap().impulse().y;
    }
    let weight = -9.81 * world.body(id).unwrap().shape().mass();
    assert!((pressed / weight - 1.0).abs() < 1e-3, "{pressed} N s of {weight}");
}

#[test]
fn a_level_without_weight_carries_nothing() {
    let side = 13;
    let points = scenes::grid(side, side, side, 1.0 / (side - 1) as f32);
    let shape = Shape::from_points(&points, None, &LevelsDef::default()).unwrap();
    let mut heights = Vec::new();
    for weights in [[1.0, 0.0, 0.0], [0.8, 0.1, 0.1], [1.0, 1.0, 1.0]] {
        let mut world = World::new(&WorldDef { sleeping: false, ..WorldDef::default() }).unwrap();
        world.add_plane(&Plane::default()).unwrap();
        let material = Material { stiffness: Stiffness::Hertz(10.0), ..Material::default() };
        let def = BodyDef { position: Vec3::Y * 0.5, material, ..BodyDef::default() };
        let id = world.add_body(&shape, &def).unwrap();
        world.body_mut(id).unwrap().set_level_weights(&weights).unwrap();
        (0..300).for_each(|_| world.step(DT).unwrap());
        heights.push(gap_and_height(world.body(id).unwrap(), side).1);
    }
    println!("by weight: {heights:?} m");
    assert!(heights[0] < 0.9 && heights[0] < heights[1] && heights[1] < heights[2], "{heights:?}");
}

#[test]
fn dust_is_not_carried_as_a_whole() {
    let side = 6;
    let points = scenes::grid(side, side, side, 0.2);
    let shape = Shape::from_points(&points, None, &LevelsDef::default()).unwrap();
    let mut world = World::new(&WorldDef { sleeping: false, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane::default()).unwrap();
    let material = Material {
        stiffness: Stiffness::Hertz(0.0),
        damping: wobble::Damping::PerSecond(0.0),
        ..Material::default()
    };
    let def = BodyDef { position: Vec3::Y * 0.5, material, ..BodyDef::default() };
    let id = world.add_body(&shape, &def).unwrap();
    (0..240).for_each(|_| world.step(DT).unwrap());
    let (low, high) = world.body(id).unwrap().bounds();
    println!("from {low} to {high}");
    assert!(high.y < 0.4, "it is as high as {high}");
}
