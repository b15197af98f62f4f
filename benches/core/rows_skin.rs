//! The mesh that a body carries: deforming it against copying it, loading it against building it.

use std::hint::black_box;
use std::sync::Arc;

use glam::Vec3;
use wobble::{BodyDef, LevelsDef, Particles, Shape, SkinBuffers, World, WorldDef};

use crate::harness::{Bench, Limit, seconds};
use crate::points::{self, spheres};
use crate::scene::{Body, Levels, Shapes};

/// All rows of this file.
pub fn run(bench: &mut Bench, shapes: &mut Shapes) {
    if bench.wants(&["skin.over_copy"]) {
        over_copy(bench);
    }
    if bench.wants(&["shape.build_over_load"]) {
        over_load(bench, shapes);
    }
}

/// Loading a shape of 125,000 particles against building it.
fn over_load(bench: &mut Bench, shapes: &mut Shapes) {
    let built = shapes.get(Body::Grid, Levels::Nested);
    let file = built.shape.to_bytes();
    let load = || seconds(|| drop(black_box(Shape::from_bytes(&file).expect("what was saved"))));
    let best = bench.race(&mut [&mut { load }]);
    bench.tell("shape.load_ms", best[0] * 1e3);
    bench.tell("shape.file_bytes_per_particle", file.len() as f64 / built.shape.particle_count() as f64);
    bench.row("shape.build_over_load", built.seconds / best[0], Limit::AtLeast(50.0));
}

/// A ball of about 5,000 particles that carries `rings` by `2 * rings` quadrilaterals.
fn ball(rings: usize) -> Arc<Shape> {
    let points = points::ball(0.53, 0.05);
    let particles = Particles { points: &points, ..Particles::default() };
    let owned = spheres::sphere(rings, 0.55);
    let def = LevelsDef { threads: 2, ..LevelsDef::default() };
    Shape::from_particles_and_mesh(&particles, &owned.mesh(), &def, &mut |_| true).expect("sound")
}

/// Positions and normals of 100,000 vertices on two threads, against a plain copy of as many; the
/// match of the clusters, which the first read after a step pays, is told apart.
fn over_copy(bench: &mut Bench) {
    let shape = ball(bench.size(223, 20));
    let count = shape.skin().expect("a mesh").vertex_count();
    let mut world =
        World::new(&WorldDef { threads: 2, sleeping: false, ..WorldDef::default() }).expect("sound");
    let id = world.add_body(&shape, &BodyDef::default()).expect("sound");
    world.step(1.0 / 60.0).expect("sound");
    let at = vec![[Vec3::ONE; 2]; count];
    let mut copied = at.clone();
    let (mut positions, mut normals) = (vec![Vec3::ZERO; count], vec![Vec3::ZERO; count]);
    let mut read = |world: &mut World| {
        let (positions, normals) = (Some(&mut positions[..]), Some(&mut normals[..]));
        let mut out = SkinBuffers { positions, normals, ..SkinBuffers::default() };
        black_box(world.read_skin(id, 1.0, &mut out).expect("sound"));
    };
    let best = bench.race(&mut [
        &mut || seconds(|| black_box(&mut copied).copy_from_slice(black_box(&at))),
        &mut || {
            // Moving a particle makes the next read match the clusters anew.
            let body = world.body_mut(id).expect("there");
            body.set_velocity_of(0, Vec3::ZERO).expect("finite");
            seconds(|| read(&mut world))
        },
    ]);
    bench.tell("skin.vertices", count as f64);
    bench.tell("skin.copy_us", best[0] * 1e6);
    bench.tell("skin.read_us", best[1] * 1e6);
    bench.row("skin.over_copy", best[1] / best[0], Limit::AtMost(6.0));
}
