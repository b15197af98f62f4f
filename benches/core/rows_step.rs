//! One step of 125,000 particles against the bare kernels; damping; strain limiting.

use std::cell::RefCell;

use glam::Vec4;
use wobble::{Damping, Material};

use crate::floor;
use crate::harness::{Bench, Limit, seconds};
use crate::scene::{Body, Levels, Motion, Scene, Shapes, strained};

/// All rows of this file.
pub fn run(bench: &mut Bench, shapes: &mut Shapes) {
    if bench.wants(&["core.step_over_floor", "core.speedup_2t", "core.damping_over_none", "floor."]) {
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
    let finest = &shape.levels()[0];
    let undamped = Material { damping: Damping::PerStep(0.0), ..Material::default() };
    // The floor reads the positions of the body that it is compared with.
    let ours = RefCell::new(Scene::new(&shape, Material::default(), 1, Motion::Lively));
    let mut none = Scene::new(&shape, undamped, 1, Motion::Lively);
    let mut two = Scene::new(&shape, Material::default(), 2, Motion::Lively);
    let mut sums = vec![[Vec4::ZERO; 3]; finest.cluster_count()];
    let transforms = sums.clone();
    let mut goals = vec![Vec4::ZERO; shape.particle_count()];
    let best = bench.race(&mut [
        &mut || {
            let scene = ours.borrow();
            let positions = scene.world.body(scene.body).expect("never removed").raw_positions();
            seconds(|| floor::match_clusters(finest.members(), shape.rest(), positions, &mut sums))
        },
        &mut || seconds(|| floor::blend(finest.held_by(), shape.rest(), &transforms, &mut goals)),
        &mut || ours.borrow_mut().step(),
        &mut || none.step(),
        &mut || two.step(),
    ]);
    let memberships = finest.held_by().len() as f64;
    bench.tell("floor.memberships_per_particle", memberships / shape.particle_count() as f64);
    bench.tell("floor.match_ns", best[0] / memberships * 1e9);
    bench.tell("floor.blend_ns", best[1] / memberships * 1e9);
    bench.tell("core.step_ms_1t", best[2] * 1e3);
    bench.row("core.step_over_floor", best[2] / (best[0] + best[1]), Limit::AtMost(1.5));
    bench.tell("core.step_over_floor.undamped", best[3] / (best[0] + best[1]));
    bench.row("core.speedup_2t", best[2] / best[4], Limit::AtLeast(1.7));
    bench.row("core.damping_over_none", best[2] / best[3], Limit::AtMost(1.35));
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
