//! Worlds of cubes and of pegs, as several tests begin with.

use std::sync::Arc;

use glam::{Quat, Vec3};
use wobble::{ColliderDef, ColliderShape, LevelsDef, Shape, World, WorldDef};

pub const DT: f32 = 1.0 / 60.0;

/// A cube of 1 m with `side` particles along each edge.
pub fn cube(side: usize) -> Arc<Shape> {
    let spacing = 1.0 / (side - 1) as f32;
    Shape::from_points(&super::grid(side, side, side, spacing), None, &LevelsDef::default()).unwrap()
}

/// An empty world in which nothing falls asleep; `gravity` along y, m/s².
pub fn awake(gravity: f32, threads: u32) -> World {
    let gravity = Vec3::Y * gravity;
    World::new(&WorldDef { gravity, threads, sleeping: false, ..WorldDef::default() }).unwrap()
}

pub fn run(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| world.step(DT).unwrap());
}

/// A world with `across` by `across` pegs, 0.4 m apart, in the plane y = 0; those in the middle are the same for all even numbers.
pub fn pegs(across: usize, threads: u32) -> World {
    let def = WorldDef { threads, sleeping: false, ..WorldDef::default() };
    let mut world = World::new(&def).unwrap();
    let middle = (across / 2) as i32;
    for (x, z) in (0..across * across).map(|i| ((i % across) as i32 - middle, (i / across) as i32 - middle)) {
        let shape = match (x + 2 * z).rem_euclid(3) {
            0 => ColliderShape::Sphere { radius: 0.25 },
            1 => ColliderShape::Box { half_extents: Vec3::splat(0.22) },
            _ => ColliderShape::Capsule { half_height: 0.1, radius: 0.22 },
        };
        let position = Vec3::new(0.4 * x as f32, -0.25, 0.4 * z as f32);
        let rotation = Quat::from_rotation_x(0.1 * (x + 3 * z).rem_euclid(7) as f32);
        world.add_collider(&ColliderDef { shape, position, rotation, ..ColliderDef::default() }).unwrap();
    }
    world
}
