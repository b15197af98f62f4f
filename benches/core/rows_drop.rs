//! A drop that other engines can be laid beside: solid cubes of 1 m fall 1 m on a plane.
//!
//! 240 steps of 1/60 s, everything as it is by default, one thread. Time is that of all steps, fall,
//! impact and rest alike; what is left of the cube is measured at the end.

use std::sync::Arc;

use glam::Vec3;
use wobble::{Body, BodyDef, LevelsDef, Plane, Shape, World, WorldDef};

use crate::harness::{Bench, Limit, seconds};
use crate::points;

/// Steps of a drop, and their length, s.
const STEPS: u32 = 240;
const DT: f32 = 1.0 / 60.0;

/// What must be left of height and volume, over those at rest.
const KEPT: Limit = Limit::Within(0.95, 1.05);

/// All rows of this file.
pub fn run(bench: &mut Bench) {
    for side in bench.size([11, 17, 25, 50], [4, 5, 6, 7]) {
        let count = side * side * side;
        let name = |what: &str| format!("drop.{what}.{count}");
        if bench.wants(&[&name("us"), &name("height"), &name("volume"), &name("layer_gap")]) {
            single(bench, side, name);
        }
    }
}

/// One cube.
fn single(bench: &mut Bench, side: usize, name: impl Fn(&str) -> String) {
    let shape = cube(side);
    let def = BodyDef { position: Vec3::Y * 1.5, ..BodyDef::default() };
    let drop = || {
        let mut world = empty();
        let id = world.add_body(&shape, &def).expect("the definition is sound");
        (fall(bench, &mut world), world, id)
    };
    let (first, world, id) = drop();
    let best = drop().0.min(first);
    let body = world.body(id).expect("never removed");
    let (low, high) = body.bounds();
    bench.row(name("us"), best * 1e6 / shape.particle_count() as f64, Limit::AtMost(0.15));
    bench.row(name("height"), f64::from(high.y - low.y), KEPT);
    bench.row(name("layer_gap"), smallest_gap(body, side), Limit::AtLeast(0.6));
}

/// Seconds a step.
fn fall(bench: &Bench, world: &mut World) -> f64 {
    let steps = bench.size(STEPS, 2);
    seconds(|| (0..steps).for_each(|_| world.step(DT).expect("bodies stay finite"))) / f64::from(steps)
}

/// `side` particles along an edge of 1 m.
fn cube(side: usize) -> Arc<Shape> {
    let points = points::grid(side, side, side, 1.0 / (side - 1) as f32);
    Shape::from_points(&points, None, &LevelsDef::default()).expect("a grid is sound")
}

fn empty() -> World {
    let mut world =
        World::new(&WorldDef { threads: 1, ..WorldDef::default() }).expect("the definition is sound");
    world.add_plane(&Plane::default()).expect("the ground is sound");
    world
}

/// The smallest gap between neighbouring layers, over the rest spacing. A layer's height is the mean
/// of its middle, where all those above press down.
fn smallest_gap(body: &Body, side: usize) -> f64 {
    let middle = side / 2 - 1..side / 2 + 2;
    let height = |y: usize| {
        let at = |x: usize, z: usize| body.position((x * side + y) * side + z).expect("in the cube").y;
        middle.clone().flat_map(|x| middle.clone().map(move |z| (x, z))).map(|(x, z)| at(x, z)).sum::<f32>()
            / 9.0
    };
    let spacing = 1.0 / (side - 1) as f32;
    (1..side).map(|y| f64::from((height(y) - height(y - 1)) / spacing)).fold(f64::INFINITY, f64::min)
}
