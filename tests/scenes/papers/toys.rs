//! SM's examples: a duck that is squashed flat, and a hundred bodies of a hundred particles.

use glam::{Vec3, vec3};
use wobble::{BodyDef, Error, Goals, LevelsDef, Material, Plane, Weighting};

use super::play::{Finding, Runs, finding};
use super::stage::{material, several, shape, single};
use super::{Scene, Setup, Stage, points, sets, variant};

pub const DUCK: Scene = Scene {
    name: "squashed-duck",
    title: "A duck of 2,000 particles is squashed completely flat, and let go",
    paper: "SM 4.1",
    claim: "A completely squashed duck takes its shape again.",
    theirs: None,
    judge: judge_duck,
    variants: &[
        variant("1-cluster", |s| duck(s, &single(1), Goals::Rigid)),
        variant("linear", |s| duck(s, &single(1), Goals::Linear { beta: 0.5 })),
        variant("quadratic", |s| duck(s, &single(1), Goals::Quadratic { beta: 0.5 })),
        variant("levels", |s| duck(s, &several(20), Goals::Rigid)),
    ],
};

fn duck(setup: &Setup, levels: &LevelsDef, goals: Goals) -> Result<Stage, Error> {
    let mut stage = Stage::new(setup, 1.0 / 60.0, 4.0)?;
    let material = Material { goals, ..material(0.3, 0.1) };
    let def = BodyDef { position: Vec3::Y * 0.6, material, ..BodyDef::default() };
    let id = stage.add(&shape(&sets::duck(setup), levels)?, &def, &Weighting::Uniform)?;
    stage.world.body_mut(id)?.deform(|p| vec3(p.x, 0.05, p.z))?;
    Ok(stage.seen(vec3(1.4, 1.4, 2.6), vec3(0.0, 0.5, 0.0)))
}

fn judge_duck(runs: &Runs) -> Vec<Finding> {
    let before: Vec<f32> = runs.0.iter().map(|run| run.peak_error()).collect();
    let after: Vec<f32> = runs.0.iter().map(|run| run.error()).collect();
    vec![finding(
        "it takes its shape again: peak shape errors, then those in the end",
        &[&before[..], &after].concat(),
        before.iter().all(|e| *e > 0.2) && after.iter().all(|e| *e < 0.01),
    )]
}

pub const HUNDRED: Scene = Scene {
    name: "hundred-bodies",
    title: "A hundred bodies of a hundred particles fall into a pen",
    paper: "SM 4.2",
    claim: "10,000 particles in a hundred bodies run at 50 frames a second (in 2005), and come to rest in a heap.",
    theirs: None,
    judge: judge_hundred,
    variants: &[variant("heap", heap)],
};

fn heap(setup: &Setup) -> Result<Stage, Error> {
    let mut stage = Stage::on_ground(setup, 1.0 / 60.0, 6.0)?;
    stage.world.set_substeps(4)?;
    for normal in [Vec3::X, Vec3::NEG_X, Vec3::Z, Vec3::NEG_Z] {
        stage.world.add_plane(&Plane { normal, offset: -1.3, ..Plane::default() })?;
    }
    // 4 by 5 by 5 is a hundred.
    let shape = shape(&points::grid(4, 5, 5, 0.09), &several(20))?;
    let layers = if setup.quick { 1 } else { 4 };
    for k in 0..25 * layers {
        let (i, j, layer) = (k % 5, k / 5 % 5, k / 25);
        let place = vec3(0.5 * (i - 2) as f32, 0.4 + 0.55 * layer as f32, 0.5 * (j - 2) as f32);
        // Turned so that they do not stack.
        let rotation =
            glam::Quat::from_euler(glam::EulerRot::YXZ, 0.7 * k as f32, 0.4 * i as f32, 0.3 * j as f32);
        let def = BodyDef { position: place, rotation, ..BodyDef::default() };
        stage.add(&shape, &def, &Weighting::Uniform)?;
    }
    Ok(stage.seen(vec3(2.6, 3.0, 4.6), vec3(0.0, 0.5, 0.0)))
}

fn judge_hundred(runs: &Runs) -> Vec<Finding> {
    let run = &runs["heap"];
    vec![
        finding("all keep their shape: mean shape error in the end", &[run.error()], run.error() < 0.15),
        finding("the heap comes to rest: speed of one in the end, m/s", &[run.speed()], run.speed() < 0.1),
    ]
}
