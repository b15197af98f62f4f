//! Memory: what a particle takes, what a warm step asks of the heap; build time.

use std::sync::Arc;

use glam::Vec3;
use wobble::{BodyDef, Plane, Shape, World, WorldDef};

use crate::alloc;
use crate::harness::{Bench, Limit};
use crate::points;
use crate::scene::{Body, DT, Levels, Shapes, build, empty_world, strained};

/// All rows of this file.
pub fn run(bench: &mut Bench, shapes: &mut Shapes) {
    if bench.wants(&["core.bytes_per_particle", "core.bytes_second_body"]) {
        bytes(bench, shapes);
    }
    if bench.wants(&["core.allocations"]) {
        let shape = shapes.get(Body::Grid, Levels::Nested).shape;
        let calls = allocations(&shape, 1) + allocations(&shape, 2);
        bench.row("core.allocations", calls as f64, Limit::AtMost(0.0));
    }
    if bench.wants(&["core.build_s"]) {
        let built = shapes.get(Body::Grid, Levels::Nested);
        bench.row("core.build_s", built.seconds, Limit::AtMost(10.0));
    }
}

/// Heap bytes as the allocator counts them, scratch memory of the first step included. The second body lies
/// apart from the first; what its coming costs includes the surface of the shape, which one body alone does not need.
fn bytes(bench: &mut Bench, shapes: &mut Shapes) {
    let built = shapes.get(Body::Grid, Levels::Nested);
    let count = built.shape.particle_count() as f64;
    let mut world = empty_world(1);
    let first = grown_by_a_body(&mut world, &built.shape, 0.0);
    let second = grown_by_a_body(&mut world, &built.shape, 10.0);
    bench.row("core.bytes_per_particle", (built.bytes + first) as f64 / count, Limit::AtMost(300.0));
    bench.tell("core.bytes_per_particle.shape", built.bytes as f64 / count);
    bench.tell("core.bytes_per_particle.body", first as f64 / count);
    bench.row("core.bytes_second_body", second as f64 / count, Limit::AtMost(150.0));
}

fn grown_by_a_body(world: &mut World, shape: &Arc<Shape>, x: f32) -> usize {
    let before = alloc::live_bytes();
    let def = BodyDef { position: Vec3::X * x, material: strained(), ..BodyDef::default() };
    world.add_body(shape, &def).expect("the definition is sound");
    world.step(DT).expect("a body at rest stays finite");
    alloc::live_bytes().saturating_sub(before)
}

/// Allocations in 100 warm steps of a large body and fifty small ones that fall on the
/// ground, strain-limited, four substeps a step.
fn allocations(shape: &Arc<Shape>, threads: u32) -> u64 {
    let mut world = World::new(&WorldDef { threads, sleeping: false, ..WorldDef::default() })
        .expect("the definition is sound");
    world.add_plane(&Plane::default()).expect("the definition is sound");
    let small = build(&points::grid(5, 5, 5, 0.02), &wobble::LevelsDef::default()).shape;
    for i in 0..51 {
        let (shape, x) = if i == 0 { (shape, 0.0) } else { (&small, 1.0 + i as f32) };
        let def = BodyDef { position: Vec3::new(x, 0.55, 0.0), material: strained(), ..BodyDef::default() };
        world.add_body(shape, &def).expect("the definition is sound");
    }
    let mut step = || world.step(1.0 / 60.0).expect("bodies stay finite");
    (0..10).for_each(|_| step());
    let before = alloc::calls();
    (0..100).for_each(|_| step());
    alloc::calls() - before
}
