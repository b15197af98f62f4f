//! How a soft body stands: a cube of 1 m at 10 Hz on the ground, of a few hundred and of many thousand particles.

use glam::Vec3;
use wobble::{Body, BodyDef, LevelsDef, Material, Plane, Shape, Stiffness, World, WorldDef};

use crate::harness::{Bench, Limit};
use crate::points;

const DT: f32 = 1.0 / 60.0;

/// All rows of this file.
pub fn run(bench: &mut Bench) {
    if !bench.wants(&["rest.gap.10hz", "rest.height.10hz", "rest.spread.10hz"]) {
        return;
    }
    let sides = bench.size([8, 13, 20, 32], [3, 4, 5, 6]);
    let stands: Vec<[f64; 2]> = sides.iter().map(|side| stand(*side, bench.size(300, 2))).collect();
    let of = |k: usize| stands.iter().map(move |stand| stand[k]);
    let (least, most) = (of(1).fold(f64::INFINITY, f64::min), of(1).fold(0.0, f64::max));
    bench.row("rest.gap.10hz", of(0).fold(f64::INFINITY, f64::min), Limit::AtLeast(0.9));
    bench.row("rest.height.10hz", least, Limit::AtLeast(0.98));
    bench.row("rest.spread.10hz", most / least, Limit::AtMost(1.01));
}

/// The lowest gap of a cube that was set down, over the spacing, and its height, metres.
fn stand(side: usize, steps: usize) -> [f64; 2] {
    let points = points::grid(side, side, side, 1.0 / (side - 1) as f32);
    let shape = Shape::from_points(&points, None, &LevelsDef::default()).expect("a grid is sound");
    let mut world =
        World::new(&WorldDef { sleeping: false, ..WorldDef::default() }).expect("a sound definition");
    world.add_plane(&Plane::default()).expect("the ground is sound");
    let material = Material { stiffness: Stiffness::Hertz(10.0), ..Material::default() };
    let def = BodyDef { position: Vec3::Y * 0.5, material, ..BodyDef::default() };
    let id = world.add_body(&shape, &def).expect("the definition is sound");
    (0..steps).for_each(|_| world.step(DT).expect("bodies stay finite"));
    let body = world.body(id).expect("it is there");
    let layer = |y| layer(body, side, y);
    [(layer(1) - layer(0)) * (side - 1) as f64, layer(side - 1) - layer(0)]
}

/// The mean height of a layer, metres.
fn layer(body: &Body, side: usize, y: usize) -> f64 {
    let at =
        |i: usize| f64::from(body.position((i / side * side + y) * side + i % side).expect("in the cube").y);
    (0..side * side).map(at).sum::<f64>() / (side * side) as f64
}
