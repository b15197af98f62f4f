//! Lasting change: what plasticity and breaking cost.

use std::hint::black_box;

use glam::Vec3;
use wobble::{BodyDef, BodyId, Fracture, Knife, LevelsDef, Material, Plasticity, Shape, World, WorldDef};

use crate::harness::{Bench, Limit, seconds as timed};
use crate::points::{self, beams};

const STEP: f32 = 1.0 / 60.0;

/// All rows of this file.
pub fn run(bench: &mut Bench) {
    if bench.wants(&["plastic.calm_over_plain", "plastic.flowing_over_plain"]) {
        plastic(bench);
    }
    if bench.wants(&["plastic.recluster_over_plain"]) {
        recluster(bench);
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

/// Stretches a body about its middle: about any other place it would go further off every time.
fn stretch(world: &mut World, id: BodyId) {
    let body = world.body_mut(id).expect("there");
    let middle = body.centre_of_mass();
    body.deform(|p| middle + (p - middle) * Vec3::new(1.2, 0.95, 0.95)).expect("finite");
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
        stretch(&mut flowing, flowing_id);
        let time = step(&mut flowing);
        flowing.reset_body(flowing_id).expect("there");
        time
    }]);
    bench.row("plastic.calm_over_plain", best[1] / best[0], Limit::None);
    bench.row("plastic.flowing_over_plain", best[2] / best[0], Limit::None);
}

/// A plain step against one in which cracks open, one after which a plane parts the body, and the next one, which finds the
/// pieces' surfaces.
fn fracture(bench: &mut Bench) {
    let side = bench.size(27, 8);
    let (mut plain, _) = world(side);
    let (mut cracking, cracking_id) = world(side);
    let (mut parting, parting_id) = world(side);
    let (mut parted, parted_id) = world(side);
    let brittle = Fracture { toughness: 0.05, ..Fracture::default() };
    let set = |world: &mut World, id| world.body_mut(id).and_then(|body| body.set_fracture(Some(brittle)));
    set(&mut cracking, cracking_id).expect("a rule");
    set(&mut parting, parting_id).expect("a rule");
    set(&mut parted, parted_id).expect("a rule");
    let step = |world: &mut World| timed(|| world.step(STEP).expect("a step"));
    let middle = Knife::Plane { point: Vec3::ZERO, normal: Vec3::new(1.0, 0.4, 0.2) };
    let best = bench.race(&mut [
        &mut || step(&mut plain),
        &mut || {
            stretch(&mut cracking, cracking_id);
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
        &mut || {
            black_box(parted.cut(parted_id, &middle).expect("a cut"));
            let time = step(&mut parted);
            parted.reset_body(parted_id).expect("there");
            time
        },
    ]);
    bench.tell("fracture.plain_ms", best[0] * 1e3);
    bench.tell("fracture.cracks_over_plain", best[1] / best[0]);
    bench.tell("fracture.parting_over_plain", best[2] / best[0]);
    bench.tell("fracture.after_parting_over_plain", best[3] / best[0]);
    bench.tell("fracture.parting_sum_over_plain", (best[2] + best[3]) / best[0]);
    let worst = best[1].max(best[2]).max(best[3]);
    bench.row("fracture.worst_over_plain", worst / best[0], Limit::AtMost(10.0));
}

/// Seconds by stage, as RC's Table 1 has them: dynamics, plasticity, reclustering, embedding, total.
type Stages = [f64; 5];
/// RC's Table 1 in ms a frame: no reclustering, their algorithm, the twisted beam.
const TABLE: [(&str, Stages); 3] = [
    ("plain", [2.07, 0.07, 0.0, 0.0, 16.17]),
    ("recluster", [0.56, 0.07, 18.60, 6.64, 35.54]),
    ("twist", [1.12, 0.16, 12.56, 3.31, 46.54]),
];
/// How often a scene is run: of each step the quickest go counts.
const GOES: usize = 3;

/// RC's beams, one thread: pushed for four seconds and let go for one.
fn recluster(bench: &mut Bench) {
    let (points, clusters) = match bench.size(true, false) {
        true => (beams::particles(), beams::CLUSTERS),
        false => (points::grid(16, 4, 4, 0.125), 20),
    };
    let steps = bench.size(300, 20);
    let shape = beams::shape(&points, clusters, 1);
    let scenes = [(0.0, false), (beams::WORN, false), (beams::WORN, true)];
    let mut best = [(); 3].map(|()| vec![[f64::INFINITY; 5]; steps]);
    for _ in 0..bench.size(GOES, 1) {
        for ((limit, twist), best) in scenes.iter().zip(&mut best) {
            let (mut world, id) = beams::world(&shape, beams::flowing(*limit), 1);
            for (step, best) in best.iter_mut().enumerate() {
                let total = timed(|| beams::step(&mut world, id, *twist, step));
                let p = world.profile();
                let dynamics = p.matching + p.goals + p.integrate + p.strain;
                let told = [dynamics, p.plasticity, p.recluster - p.embed, p.embed].map(f64::from);
                let [a, b, c, d] = told;
                // The force is the host's and not part of it.
                let now = [a, b, c, d, f64::from(p.total).min(total)];
                best.iter_mut().zip(now).for_each(|(best, now)| *best = best.min(now));
            }
            assert!(!world.body(id).expect("a beam").is_frozen());
        }
    }
    let mean = |best: &Vec<Stages>| -> Stages {
        std::array::from_fn(|k| best.iter().map(|of| of[k]).sum::<f64>() / steps as f64 * 1e3)
    };
    let means = best.each_ref().map(mean);
    for ((name, paper), ours) in TABLE.iter().zip(&means) {
        let stages = ["dynamics", "plasticity", "reclustering", "embedding", "total"];
        for ((stage, ours), paper) in stages.iter().zip(ours).zip(paper) {
            bench.tell(format!("plastic.beam_{name}_{stage}_ms"), *ours);
            println!("{:<44} {paper:>12}  RC, Table 1", "");
        }
    }
    bench.row("plastic.recluster_over_plain", means[1][4] / means[0][4], Limit::AtMost(2.0));
}
