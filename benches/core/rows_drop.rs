//! A drop that other engines can be laid beside: solid cubes of 1 m fall on a plane.
//!
//! 240 steps of 1/60 s, everything as it is by default but that no body may sleep, one thread. Time is that of all steps, fall,
//! impact and rest alike, each of them the best of several drops: these are alike to the bit, and machines are disturbed now
//! and then. What is left of the cubes is measured at the end.

use std::sync::Arc;

use glam::{Quat, Vec3};
use wobble::{Body, BodyDef, LevelsDef, Plane, Shape, World, WorldDef};

use crate::harness::{Bench, Limit, seconds};
use crate::points;

/// Steps of a drop, and their length, s.
const STEPS: usize = 240;
const DT: f32 = 1.0 / 60.0;

/// Rounds in which all are dropped, each step's best of which counts.
const ROUNDS: usize = 8;

/// What must be left of height and volume, over those at rest.
const KEPT: Limit = Limit::Within(0.95, 1.05);

/// Bodies to be dropped, and the rows that come of it.
struct Drop {
    name: String,
    shape: Arc<Shape>,
    places: Vec<Vec3>,
    /// The shortest time of each step, s.
    best: Vec<f64>,
    /// After the last drop.
    world: Option<World>,
}

/// All rows of this file.
pub fn run(bench: &mut Bench) {
    let sides = bench.size([11, 17, 25, 50], [4, 5, 6, 7]);
    let singles = sides.map(|side| (side, (side * side * side).to_string(), vec![Vec3::Y * 1.5]));
    let piled = (5, String::from("pile"), pile(bench.size(100, 8)));
    let chosen = singles.into_iter().chain([piled]).filter(|(_, name, _)| wants(bench, name));
    let best = vec![f64::INFINITY; bench.size(STEPS, 2)];
    let new =
        |(side, name, places)| Drop { name, shape: cube(side), places, best: best.clone(), world: None };
    let mut drops: Vec<Drop> = chosen.map(new).collect();
    for _ in 0..bench.size(ROUNDS, 1) {
        drops.iter_mut().for_each(Drop::go);
    }
    drops.iter().for_each(|drop| drop.tell(bench));
}

fn wants(bench: &Bench, name: &str) -> bool {
    let rows = ["us", "height", "volume", "layer_gap"].map(|what| format!("drop.{what}.{name}"));
    bench.wants(&rows.each_ref().map(String::as_str))
}

/// Cubes, four by five by five of them if they are a hundred, each layer a little askew, fall on each other.
fn pile(count: usize) -> Vec<Vec3> {
    let at = |i: usize| {
        let (x, y, z) = (i % 4, i / 20, i / 4 % 5);
        let askew = 0.15 * (y % 2) as f32;
        Vec3::new(1.2 * x as f32 + askew, 1.5 + 1.3 * y as f32, 1.2 * z as f32 + askew)
    };
    (0..count).map(at).collect()
}

impl Drop {
    /// Drops them once.
    fn go(&mut self) {
        let def = WorldDef { threads: 1, sleeping: false, ..WorldDef::default() };
        let mut world = World::new(&def).expect("the definition is sound");
        world.set_bodies_meet(self.places.len() > 1);
        world.add_plane(&Plane::default()).expect("the ground is sound");
        for &position in &self.places {
            let def = BodyDef { position, ..BodyDef::default() };
            world.add_body(&self.shape, &def).expect("the definition is sound");
        }
        for best in &mut self.best {
            *best = best.min(seconds(|| world.step(DT).expect("bodies stay finite")));
        }
        self.world = Some(world);
    }

    fn tell(&self, bench: &mut Bench) {
        let world = self.world.as_ref().expect("they were dropped");
        let (name, count) = (&self.name, self.places.len());
        let steps_of_particles = (self.best.len() * count * self.shape.particle_count()) as f64;
        let us = self.best.iter().sum::<f64>() * 1e6 / steps_of_particles;
        let mean =
            |of: fn(&Body) -> f64| world.bodies().map(|(_, body)| of(body)).sum::<f64>() / count as f64;
        let most = if count > 1 { 0.5 } else { 0.15 };
        bench.row(format!("drop.us.{name}"), us, Limit::AtMost(most));
        bench.row(format!("drop.height.{name}"), mean(height), KEPT);
        bench.row(format!("drop.volume.{name}"), mean(|body| body.volume().into()), KEPT);
        if count == 1 {
            bench.row(format!("drop.layer_gap.{name}"), mean(smallest_gap), Limit::AtLeast(0.6));
        }
    }
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
fn smallest_gap(body: &Body) -> f64 {
    let side = (body.shape().particle_count() as f64).cbrt().round() as usize;
    let middle =
        || (side / 2 - 1..side / 2 + 2).flat_map(|x| (side / 2 - 1..side / 2 + 2).map(move |z| (x, z)));
    let at = |x: usize, y: usize, z: usize| body.position((x * side + y) * side + z).expect("in the cube").y;
    let height =
        |y: usize| middle().map(|(x, z)| f64::from(at(x, y, z))).sum::<f64>() / middle().count() as f64;
    let spacing = 1.0 / (side - 1) as f64;
    (1..side).map(|y| (height(y) - height(y - 1)) / spacing).fold(f64::INFINITY, f64::min)
}
