//! A drop that other engines can be laid beside: solid cubes of 1 m fall on a plane.
//!
//! 240 steps of 1/60 s, everything as it is by default but that no body may sleep, one thread. Time is that of all steps, fall,
//! impact and rest alike; what is left of the cubes is measured at the end.

use std::sync::Arc;

use glam::{Quat, Vec3};
use wobble::{Body, BodyDef, LevelsDef, Plane, Shape, World, WorldDef};

use crate::harness::{Bench, Limit, seconds};
use crate::points;

/// Steps of a drop, and their length, s.
const STEPS: u32 = 240;
const DT: f32 = 1.0 / 60.0;

/// Drops of which the best counts.
const DROPS: u32 = 4;

/// What must be left of height and volume, over those at rest.
const KEPT: Limit = Limit::Within(0.95, 1.05);

/// All rows of this file.
pub fn run(bench: &mut Bench) {
    for side in bench.size([11, 17, 25, 50], [4, 5, 6, 7]) {
        let name = (side * side * side).to_string();
        if wants(bench, &name) {
            single(bench, side, &name);
        }
    }
    if wants(bench, "pile") {
        pile(bench);
    }
}

fn wants(bench: &Bench, name: &str) -> bool {
    let rows = ["us", "height", "volume", "layer_gap"].map(|what| format!("drop.{what}.{name}"));
    bench.wants(&rows.each_ref().map(String::as_str))
}

/// One cube falls 1 m.
fn single(bench: &mut Bench, side: usize, name: &str) {
    let shape = cube(side);
    let (best, world) = drop_at(bench, &shape, &[Vec3::Y * 1.5]);
    let (_, body) = world.bodies().next().expect("one was added");
    bench.row(format!("drop.us.{name}"), best, Limit::AtMost(0.15));
    bench.row(format!("drop.height.{name}"), height(body), KEPT);
    bench.row(format!("drop.volume.{name}"), body.volume().into(), KEPT);
    bench.row(format!("drop.layer_gap.{name}"), smallest_gap(body, side), Limit::AtLeast(0.6));
}

/// A hundred cubes of 5³ particles, four by five by five of them, each layer a little askew, fall on
/// each other.
fn pile(bench: &mut Bench) {
    let shape = cube(5);
    let at = |i: usize| {
        let (x, y, z) = (i % 4, i / 20, i / 4 % 5);
        let askew = 0.15 * (y % 2) as f32;
        Vec3::new(1.2 * x as f32 + askew, 1.5 + 1.3 * y as f32, 1.2 * z as f32 + askew)
    };
    let places: Vec<Vec3> = (0..bench.size(100, 8)).map(at).collect();
    let (best, world) = drop_at(bench, &shape, &places);
    let mean = |of: fn(&Body) -> f64| world.bodies().map(|(_, b)| of(b)).sum::<f64>() / places.len() as f64;
    bench.row("drop.us.pile", best, Limit::AtMost(0.5));
    bench.row("drop.height.pile", mean(height), KEPT);
    bench.row("drop.volume.pile", mean(|body| body.volume().into()), KEPT);
}

/// Microseconds a particle and step, the best of several drops, and the world after the first.
fn drop_at(bench: &Bench, shape: &Arc<Shape>, places: &[Vec3]) -> (f64, World) {
    let drop = || {
        let def = WorldDef { threads: 1, sleeping: false, ..WorldDef::default() };
        let mut world = World::new(&def).expect("the definition is sound");
        world.set_bodies_meet(places.len() > 1);
        world.add_plane(&Plane::default()).expect("the ground is sound");
        for &position in places {
            let def = BodyDef { position, ..BodyDef::default() };
            world.add_body(shape, &def).expect("the definition is sound");
        }
        let steps = bench.size(STEPS, 2);
        let time = seconds(|| (0..steps).for_each(|_| world.step(DT).expect("bodies stay finite")));
        (time * 1e6 / (f64::from(steps) * (places.len() * shape.particle_count()) as f64), world)
    };
    let (mut best, world) = drop();
    for _ in 1..bench.size(DROPS, 2) {
        best = best.min(drop().0);
    }
    (best, world)
}

/// `side` particles along an edge of 1 m.
fn cube(side: usize) -> Arc<Shape> {
    let points = points::grid(side, side, side, 1.0 / (side - 1) as f32);
    Shape::from_points(&points, None, &LevelsDef::default()).expect("a grid is sound")
}

/// How high a cube of 1 m is along its own upward edges.
fn height(body: &Body) -> f64 {
    let coarsest = body.shape().levels().len() - 1;
    let mut transforms = vec![(Quat::IDENTITY, Vec3::ZERO); body.shape().clusters(coarsest).len()];
    body.cluster_transforms(coarsest, &mut transforms).expect("one for each cluster");
    let up = transforms[0].0 * Vec3::Y;
    let along = body.raw_positions().iter().map(|x| up.dot(x.truncate()));
    let (low, high) = along.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
    f64::from(high - low)
}

/// The smallest gap between neighbouring layers, over the rest spacing. A layer's height is the mean
/// of its middle, where all those above press down.
fn smallest_gap(body: &Body, side: usize) -> f64 {
    let middle =
        || (side / 2 - 1..side / 2 + 2).flat_map(|x| (side / 2 - 1..side / 2 + 2).map(move |z| (x, z)));
    let at = |x: usize, y: usize, z: usize| body.position((x * side + y) * side + z).expect("in the cube").y;
    let height =
        |y: usize| middle().map(|(x, z)| f64::from(at(x, y, z))).sum::<f64>() / middle().count() as f64;
    let spacing = 1.0 / (side - 1) as f64;
    (1..side).map(|y| (height(y) - height(y - 1)) / spacing).fold(f64::INFINITY, f64::min)
}
