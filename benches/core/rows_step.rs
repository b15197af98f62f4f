//! One step of 125,000 particles against the bare kernels; damping; strain limiting.

use std::cell::RefCell;

use wobble::{Damping, Material};

use crate::floor::Floor;
use crate::harness::{Bench, Limit};
use crate::scene::{Body, Levels, Motion, Scene, Shapes, strained};

/// All rows of this file.
pub fn run(bench: &mut Bench, shapes: &mut Shapes) {
    if bench.wants(&[
        "core.step_over_floor",
        "core.speedup_2t",
        "core.damping_over_none",
        "core.stage_ms",
        "core.stages_over_step",
        "floor.",
    ]) {
        step(bench, shapes);
    }
    if bench.wants(&["core.strain_calm"]) {
        strain_calm(bench, shapes);
    }
    if bench.wants(&["core.strain_violent", "core.ms_125k"]) {
        strain_violent(bench, shapes);
    }
}

fn step(bench: &mut Bench, shapes: &mut Shapes) {
    let shape = shapes.get(Body::Grid, Levels::Nested).shape;
    let undamped = Material { damping: Damping::PerStep(0.0), ..Material::default() };
    // The floor reads the positions of the body that it is compared with.
    let ours = RefCell::new(Scene::new(&shape, Material::default(), 1, Motion::Lively));
    let mut none = Scene::new(&shape, undamped, 1, Motion::Lively);
    let mut two = Scene::new(&shape, Material::default(), 2, Motion::Lively);
    let mut floor = Floor::new(&shape);
    let mut stages = [f32::INFINITY; 4];
    let best = bench.race(&mut [
        &mut || {
            let scene = ours.borrow();
            floor.run(scene.world.body(scene.body).expect("never removed").raw_positions())
        },
        &mut || ours.borrow_mut().step(),
        &mut || {
            let time = none.step();
            let profile = none.world.profile();
            let now = [profile.matching, profile.goals, profile.integrate, profile.total];
            stages.iter_mut().zip(now).for_each(|(best, now)| *best = best.min(now));
            time
        },
        &mut || two.step(),
    ]);
    bench.tell("floor.memberships_per_particle", floor.memberships() / shape.particle_count() as f64);
    bench.tell("floor.match_ns", floor.best[0] / floor.memberships() * 1e9);
    bench.tell("floor.blend_ns", floor.best[1] / floor.memberships() * 1e9);
    bench.tell("core.step_ms_1t", best[1] * 1e3);
    for (name, seconds) in ["match", "goals", "integrate", "whole"].iter().zip(stages) {
        bench.tell(format!("core.stage_ms.{name}"), f64::from(seconds) * 1e3);
    }
    let [matching, goals, integrate, whole] = stages.map(f64::from);
    bench.row("core.stages_over_step", (matching + goals + integrate) / whole, Limit::Within(0.5, 1.01));
    bench.row("core.step_over_floor", best[2] / best[0], Limit::AtMost(1.5));
    bench.tell("core.step_over_floor.damped", best[1] / best[0]);
    bench.row("core.speedup_2t", best[1] / best[3], Limit::AtLeast(1.7));
    bench.row("core.damping_over_none", best[1] / best[2], Limit::AtMost(1.35));
}

/// Five rounds that find nothing to do, against no rounds.
fn strain_calm(bench: &mut Bench, shapes: &mut Shapes) {
    let shape = shapes.get(Body::Grid, Levels::Nested).shape;
    let mut plain = Scene::new(&shape, Material::default(), 1, Motion::Calm);
    let mut limited = Scene::new(&shape, strained(), 1, Motion::Calm);
    let best = bench.race(&mut [&mut || plain.step(), &mut || limited.step()]);
    assert_eq!(limited.world.profile().strain_rounds, 0, "a body at rest broke its strain limit");
    bench.row("core.strain_calm", best[1] / best[0], Limit::AtMost(1.8));
}

/// Five rounds in which every cluster breaks its limit, against no rounds in the same motion.
fn strain_violent(bench: &mut Bench, shapes: &mut Shapes) {
    let shape = shapes.get(Body::Grid, Levels::Nested).shape;
    let mut plain = Scene::new(&shape, Material::default(), 1, Motion::Violent);
    let mut limited = Scene::new(&shape, strained(), 1, Motion::Violent);
    let mut two = Scene::new(&shape, strained(), 2, Motion::Violent);
    let best = bench.race(&mut [&mut || plain.step(), &mut || limited.step(), &mut || two.step()]);
    let profile = limited.world.profile();
    let all = 5 * shape.levels()[0].cluster_count();
    let fitted = profile.strain_fits as f64 / all as f64;
    assert!(
        profile.strain_rounds == 5 && fitted > 0.95,
        "not violent enough: {profile:?}, {all} fits wanted"
    );
    bench.tell("core.strain_violent.fitted_share", fitted);
    bench.row("core.strain_violent", best[1] / best[0], Limit::AtMost(9.0));
    bench.tell("core.strain_violent.speedup_2t", best[1] / best[2]);
    bench.tell("core.ms_125k", best[2] * 1e3);
}
