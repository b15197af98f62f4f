//! Worlds of cubes, as several tests begin with.

use std::sync::Arc;

use glam::Vec3;
use wobble::{LevelsDef, Shape, World, WorldDef};

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
