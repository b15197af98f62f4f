//! Lasting change: what plasticity and breaking cost.

use std::hint::black_box;

use glam::Vec3;
use wobble::{BodyDef, BodyId, Fracture, Knife, LevelsDef, Material, Plasticity, Shape, World, WorldDef};

use crate::harness::{Bench, Limit, seconds as timed};
use crate::points;

const STEP: f32 = 1.0 / 60.0;

/// All rows of this file.
pub fn run(bench: &mut Bench) {
    if bench.wants(&["plastic.calm_over_plain", "plastic.flowing_over_plain"]) {
        plastic(bench);
    }
    if bench.wants(&["fracture.worst_over_plain"]) {
        fracture(bench);
    }
}

/// A cube of so many particles along each side, and a small one far away so that bodies have surfaces.
fn world(side: usize) -> (World, BodyId) {
    let def = WorldDef { threads: 1, gravity: Vec3::ZERO, sleeping: false, ..WorldDef::default() };
    let mut world = World::new(&def).expect("a plain world");
    let cube = |n| Shape::from_points(&points::grid(n, n, n, 0.05), None, &LevelsDef::default());
    let id = world.add_body(&cube(side).expect("a cube"), &BodyDef::default()).expect("room");
    let far = BodyDef { position: Vec3::Y * 50.0, material: Material::default(), ..BodyDef::default() };
    world.add_body(&cube(3).expect("a cube"), &far).expect("room");
    (world, id)
}

fn stretched(p: Vec3) -> Vec3 {
    p * Vec3::new(1.2, 0.95, 0.95)
}

fn plastic(bench: &mut Bench) {
    let side = bench.size(27, 8);
    let (mut plain, _) = world(side);
    let (mut calm, calm_id) = world(side);
    let (mut flowing, flowing_id) = world(side);
    let rule = Plasticity { yield_strain: 0.02, ..Plasticity::default() };
    for (world, id) in [(&mut calm, calm_id), (&mut flowing, flowing_id)] {
        world.body_mut(id).and_then(|body| body.set_plasticity(Some(rule))).expect("a rule");
    }
    let step = |world: &mut World| timed(|| world.step(STEP).expect("a step"));
    let best = bench.race(&mut [&mut || step(&mut plain), &mut || step(&mut calm), &mut || {
        flowing.body_mut(flowing_id).and_then(|body| body.deform(stretched)).expect("finite");
        let time = step(&mut flowing);
        flowing.reset_body(flowing_id).expect("there");
        time
    }]);
    bench.row("plastic.calm_over_plain", best[1] / best[0], Limit::None);
    bench.row("plastic.flowing_over_plain", best[2] / best[0], Limit::None);
}

/// A plain step against one in which cracks open, and against one after which a plane parts the body.
fn fracture(bench: &mut Bench) {
    let side = bench.size(27, 8);
    let (mut plain, _) = world(side);
    let (mut cracking, cracking_id) = world(side);
    let (mut parting, parting_id) = world(side);
    let brittle = Fracture { toughness: 0.05, ..Fracture::default() };
    let set = |world: &mut World, id| world.body_mut(id).and_then(|body| body.set_fracture(Some(brittle)));
    set(&mut cracking, cracking_id).expect("a rule");
    set(&mut parting, parting_id).expect("a rule");
    let step = |world: &mut World| timed(|| world.step(STEP).expect("a step"));
    let middle = Knife::Plane { point: Vec3::ZERO, normal: Vec3::new(1.0, 0.4, 0.2) };
    let best = bench.race(&mut [
        &mut || step(&mut plain),
        &mut || {
            cracking.body_mut(cracking_id).and_then(|body| body.deform(stretched)).expect("finite");
            let time = step(&mut cracking);
            cracking.reset_body(cracking_id).expect("there");
            time
        },
        &mut || {
            let time = timed(|| {
                parting.step(STEP).expect("a step");
                black_box(parting.cut(parting_id, &middle).expect("a cut"));
            });
            parting.reset_body(parting_id).expect("there");
            time
        },
    ]);
    bench.tell("fracture.plain_ms", best[0] * 1e3);
    bench.tell("fracture.cracks_over_plain", best[1] / best[0]);
    bench.tell("fracture.parting_over_plain", best[2] / best[0]);
    bench.row("fracture.worst_over_plain", best[1].max(best[2]) / best[0], Limit::AtMost(10.0));
}
