//! Cost as numbers grow: more particles in one body, more bodies.

use std::sync::Arc;

use wobble::{BodyDef, LevelsDef, Material, Shape, World, WorldDef};

use crate::harness::{Bench, Limit, seconds};
use crate::points;
use crate::scene::{Body, DT, Levels, Motion, Scene, Shapes, build, world_without_contacts};

/// All rows of this file.
pub fn run(bench: &mut Bench, shapes: &mut Shapes) {
    if bench.wants(&["core.scaling_spread", "core.ns_per_particle."]) {
        scaling(bench);
    }
    if bench.wants(&["world.places_growth"]) {
        places(bench);
    }
    if bench.wants(&["core.many_bodies"]) {
        many_bodies(bench, shapes);
    }
}

/// Nanoseconds a particle and step, from a thousand particles to a million.
fn scaling(bench: &mut Bench) {
    let sizes = bench.size(
        [(10, 10, 10), (20, 20, 25), (50, 50, 40), (100, 100, 100)],
        [(5, 5, 5), (6, 6, 6), (7, 7, 7), (8, 8, 8)],
    );
    let def = LevelsDef { particles_per_cluster: 15, threads: 2, ..LevelsDef::default() };
    let mut scenes = sizes.map(|(x, y, z)| {
        let shape = build(&points::grid(x, y, z, 0.02), &def).shape;
        Scene::new(&shape, Material::default(), 1, Motion::Lively)
    });
    let mut goes = scenes.each_mut().map(|scene| move || scene.step());
    let mut best = bench.race(&mut goes.each_mut().map(|go| go as &mut dyn FnMut() -> f64));
    for ((x, y, z), time) in sizes.into_iter().zip(&mut best) {
        let count = x * y * z;
        *time /= count as f64;
        bench.tell(format!("core.ns_per_particle.{count}"), *time * 1e9);
    }
    let slowest = best.iter().copied().fold(0.0, f64::max);
    let fastest = best.iter().copied().fold(f64::INFINITY, f64::min);
    bench.row("core.scaling_spread", slowest / fastest, Limit::AtMost(2.0));
}

/// What a body costs that comes and goes: among many over among few.
fn places(bench: &mut Bench) {
    let shape = Shape::from_points(&[], None, &LevelsDef::default()).expect("no points are sound");
    let counts = bench.size([1000, 100_000], [10, 20]);
    let mut goes = counts.map(|count| {
        let shape = &shape;
        move || seconds(|| come_and_go(shape, count))
    });
    let best = bench.race(&mut goes.each_mut().map(|go| go as &mut dyn FnMut() -> f64));
    let [few, many] = [0, 1].map(|k| best[k] / counts[k] as f64);
    bench.tell("world.places_ns", few * 1e9);
    bench.row("world.places_growth", many / few, Limit::AtMost(4.0));
}

/// Bodies without particles are added, every other is removed from the last on, and their places are taken again.
fn come_and_go(shape: &Arc<Shape>, count: usize) {
    let mut world =
        World::new(&WorldDef { threads: 1, ..WorldDef::default() }).expect("the definition is sound");
    let add =
        |world: &mut World| world.add_body(shape, &BodyDef::default()).expect("the definition is sound");
    let ids: Vec<_> = (0..count).map(|_| add(&mut world)).collect();
    ids.iter().rev().step_by(2).for_each(|id| world.remove_body(*id).expect("it is there"));
    (0..count / 2).for_each(|_| {
        add(&mut world);
    });
}

/// A thousand bodies of 125 particles against one of 125,000.
fn many_bodies(bench: &mut Bench, shapes: &mut Shapes) {
    let large = shapes.get(Body::Grid, Levels::Nested).shape;
    let wanted = per_particle(&large);
    let small = small_shape(wanted);
    // What the search for an equal overlap leaves over is divided out.
    let inequality = per_particle(&small) / wanted;
    let count = large.particle_count() / small.particle_count();
    let mut one = Scene::new(&large, Material::default(), 1, Motion::Calm);
    let mut one_2t = Scene::new(&large, Material::default(), 2, Motion::Calm);
    let mut many = crowd(&small, count, 1);
    let mut many_2t = crowd(&small, count, 2);
    let step = |world: &mut World| seconds(|| world.step(DT).expect("bodies stay finite"));
    let best =
        bench.race(&mut [&mut || one.step(), &mut || step(&mut many), &mut || one_2t.step(), &mut || {
            step(&mut many_2t)
        }]);
    let (on_one, on_two) = (best[1] / best[0] / inequality, best[3] / best[2] / inequality);
    bench.row("core.many_bodies", on_one.max(on_two), Limit::AtMost(1.3));
    bench.tell("core.many_bodies.1t", on_one);
    bench.tell("core.many_bodies.2t", on_two);
    bench.tell("core.many_bodies.memberships_ratio", inequality);
}

/// Memberships a particle of the finest level.
fn per_particle(shape: &Shape) -> f64 {
    shape.levels()[0].held_by().len() as f64 / shape.particle_count() as f64
}

/// 125 particles with as nearly `wanted` memberships a particle as can be found. So small
/// a body is mostly surface, where few clusters reach, so it takes smaller ones.
fn small_shape(wanted: f64) -> Arc<Shape> {
    let points = points::grid(5, 5, 5, 0.02);
    let sizes =
        [15, 12, 10, 8].into_iter().flat_map(|size| (0..20).map(move |i| (size, 3.0 + 0.2 * i as f32)));
    let tries = sizes.map(|(particles_per_cluster, overlap)| {
        let def = LevelsDef { particles_per_cluster, overlap, threads: 1, ..LevelsDef::default() };
        build(&points, &def).shape
    });
    let gap = |shape: &Arc<Shape>| (per_particle(shape) / wanted).ln().abs();
    tries.min_by(|a, b| gap(a).total_cmp(&gap(b))).expect("there are eighty")
}

/// `count` bodies far apart.
fn crowd(shape: &Arc<Shape>, count: usize, threads: u32) -> World {
    let mut world = world_without_contacts(threads);
    for i in 0..count {
        let position = glam::Vec3::new(i as f32, 0.0, 0.0);
        let def = BodyDef { position, ..BodyDef::default() };
        world.add_body(shape, &def).expect("the definition is sound");
    }
    world
}
