//! The layer that carries the weight: a tall body stands on its lowest particles without
//! squashing them, with everything as it is by default.

mod scenes;

use glam::Vec3;
use wobble::{BodyDef, LevelsDef, Plane, Shape, World, WorldDef};

/// Particles along an edge of the cube, 1 m wide.
const SIDE: usize = 50;

#[test]
fn a_cube_of_fifty_layers_keeps_its_height_and_its_lowest_layer() {
    let spacing = 1.0 / (SIDE - 1) as f32;
    let points = scenes::grid(SIDE, SIDE, SIDE, spacing);
    let def = LevelsDef { particles_per_cluster: 15, ..LevelsDef::default() };
    let shape = Shape::from_points(&points, None, &def).unwrap();
    let mut world = World::new(&WorldDef { sleeping: false, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane::default()).unwrap();
    let id = world.add_body(&shape, &BodyDef { position: Vec3::Y * 0.5, ..BodyDef::default() }).unwrap();
    for _ in 0..180 {
        world.step(1.0 / 60.0).unwrap();
    }
    let body = world.body(id).unwrap();
    // Mean height of the middle of a layer, where all those above press down.
    let layer = |y: usize| {
        let middle = SIDE / 2 - 2..SIDE / 2 + 3;
        let at = |x: usize, z: usize| body.position((x * SIDE + y) * SIDE + z).unwrap().y;
        middle.clone().flat_map(|x| middle.clone().map(move |z| at(x, z))).sum::<f32>() / 25.0
    };
    let gaps: Vec<f32> = (1..SIDE).map(|y| (layer(y) - layer(y - 1)) / spacing).collect();
    let smallest = gaps.iter().copied().fold(f32::INFINITY, f32::min);
    let (low, high) = body.bounds();
    println!("height {:.3}, lowest gap {:.2}, smallest gap {smallest:.2}", high.y - low.y, gaps[0]);
    assert!(high.y - low.y > 0.95, "the height is {}", high.y - low.y);
    // n g h²/α = 50 · 9.81 / 240² / 1.1 = 7.7 mm of 20.4 mm: a gap of 0.62 is what theory leaves.
    assert!(smallest > 0.5, "a gap of {smallest} spacings is left");
    assert!(body.kinetic_energy() < 1e-3, "it still moves: {} J", body.kinetic_energy());
}
