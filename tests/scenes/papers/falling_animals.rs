//! MR's animals that fall: the bunny into a cavity, the armadillo on a pyramid.

use glam::{Quat, Vec3, vec3};
use wobble::Towards::Fine;
use wobble::{
    BodyDef, ColliderDef, ColliderShape, Damping, Error, LevelsDef, Material, Plane, Stiffness, Weighting,
};

use super::play::{Finding, Run, Runs, finding};
use super::stage::{as_published, material, several, shape, single};
use super::{Scene, Setup, Stage, baseline, sets, variant};

pub const BUNNY: Scene = Scene {
    name: "falling-bunny",
    title: "A bunny of 16,510 particles falls into a cavity of three planes",
    paper: "MR 5.2 Falling Bunny",
    claim: "The larger the power c towards fine levels, the more fluid the impact and the more the bunny turns; a larger ε \
            of linear weights stiffens it, towards uniform weights.",
    theirs: Some(108.92),
    judge: judge_bunny,
    variants: &[
        baseline("1-cluster", 22.38, |s| bunny(s, &single(1), &Weighting::Uniform)),
        baseline("330-clusters", 89.92, |s| bunny(s, &single(330), &Weighting::Uniform)),
        variant("c-0", |s| bunny(s, &levels(s), &polynomial(0.0))),
        variant("c-1", |s| bunny(s, &levels(s), &polynomial(1.0))),
        variant("c-2", |s| bunny(s, &levels(s), &polynomial(2.0))),
        variant("c-4", |s| bunny(s, &levels(s), &polynomial(4.0))),
        variant("epsilon-0.01", |s| bunny(s, &levels(s), &linear(0.01))),
        variant("epsilon-1", |s| bunny(s, &levels(s), &linear(1.0))),
        variant("epsilon-100", |s| bunny(s, &levels(s), &linear(100.0))),
    ],
};

/// MR's 330, 41, 5, 1.
fn levels(setup: &Setup) -> LevelsDef {
    several(if setup.quick { 15 } else { 50 })
}

fn polynomial(c: f32) -> Weighting {
    Weighting::Polynomial { b: 10.0, c, towards: Fine }
}

fn linear(epsilon: f32) -> Weighting {
    Weighting::Linear { epsilon, towards: Fine }
}

fn bunny(setup: &Setup, levels: &LevelsDef, weights: &Weighting) -> Result<Stage, Error> {
    let points = sets::large_bunny(setup);
    let (low, high) = sets::bounds(&points);
    let size = high.y - low.y;
    let mut stage = Stage::on_ground(setup, 1.0 / 30.0, 5.0)?;
    for side in [-1.0, 1.0] {
        let normal = vec3(side, 1.0, 0.0);
        stage.world.add_plane(&Plane { normal, offset: -0.2 * size, ..Plane::default() })?;
    }
    let def = BodyDef { position: Vec3::Y * 2.0 * size, material: material(1.0, 0.1), ..BodyDef::default() };
    stage.add(&shape(&points, levels)?, &def, weights)?;
    Ok(stage.seen(vec3(1.2, 3.4, 8.5), vec3(0.0, 1.7, 0.0)))
}

fn judge_bunny(runs: &Runs) -> Vec<Finding> {
    // Of the impact: its first two seconds.
    let impact = |run: &Run| run.errors[..(2.0 / run.dt) as usize].iter().copied().fold(0.0, f32::max);
    let (powers, epsilons) = (["c-0", "c-1", "c-2", "c-4"], ["epsilon-0.01", "epsilon-1", "epsilon-100"]);
    let fluid = runs.each(&powers, impact);
    let turned = runs.each(&powers, |r| r.turned);
    let stiff = runs.each(&epsilons, impact);
    let puddle = runs.each(&["330-clusters", "c-4", "1-cluster"], |r| r.error());
    let like_uniform = runs["epsilon-100"].apart(&runs["c-0"]);
    let unlike = runs["epsilon-0.01"].apart(&runs["c-0"]);
    vec![
        finding(
            "larger c is more fluid on impact: peak shape errors",
            &fluid,
            fluid.is_sorted_by(|a, b| a < b),
        ),
        finding("larger c turns more: degrees in the end", &turned, turned.is_sorted_by(|a, b| a < b)),
        finding("larger ε is stiffer on impact: peak shape errors", &stiff, stiff.is_sorted_by(|a, b| a > b)),
        finding(
            "a large ε comes to uniform weights: how far its curve is from theirs, and ε = 0.01's",
            &[like_uniform, unlike],
            like_uniform < 0.2 * unlike,
        ),
        finding(
            "330 clusters alone become puddle-like, one stays stiff: errors left of 330, of c = 4, of one",
            &puddle,
            puddle.is_sorted_by(|a, b| a > b) && puddle[0] > 0.3,
        ),
    ]
}

pub const ARMADILLO: Scene = Scene {
    name: "armadillo",
    title: "An armadillo of 124,631 particles falls on a pyramid of cylinders",
    paper: "MR 5.2 Armadillo",
    claim: "The more clusters, the more fluid; the finest level alone ends as a puddle, and blends of levels do not.",
    theirs: Some(1818.50),
    judge: judge_armadillo,
    variants: &[
        baseline("1-cluster", 235.36, |s| large(s, &single(1), &Weighting::Uniform)),
        baseline("2-clusters", 386.97, |s| large(s, &single(2), &Weighting::Uniform)),
        baseline("16-clusters", 1254.37, |s| large(s, &single(16), &Weighting::Uniform)),
        baseline("128-clusters", 1718.34, |s| large(s, &single(128), &Weighting::Uniform)),
        baseline("1024-clusters", 1456.65, |s| large(s, &single(1024), &Weighting::Uniform)),
        baseline("finest-alone", 1067.08, |s| large(s, &finest(s, 8192, 1), &Weighting::Uniform)),
        variant("linear-fine", |s| large(s, &finest(s, 8192, 16), &linear(0.01))),
        variant("finest-and-coarsest", |s| large(s, &finest(s, 8192, 16), &ends(6))),
    ],
};

pub const ARMADILLO_20K: Scene = Scene {
    name: "armadillo-20k",
    title: "The same with 20,115 particles",
    paper: "MR 5.2 Armadillo, smaller",
    claim: ARMADILLO.claim,
    theirs: None,
    judge: judge_armadillo,
    variants: &[
        variant("1-cluster", |s| small(s, &single(1), &Weighting::Uniform)),
        variant("16-clusters", |s| small(s, &single(16), &Weighting::Uniform)),
        variant("128-clusters", |s| small(s, &single(128), &Weighting::Uniform)),
        variant("finest-alone", |s| small(s, &finest(s, 1024, 1), &Weighting::Uniform)),
        variant("linear-fine", |s| small(s, &finest(s, 1024, 16), &linear(0.01))),
        variant("finest-and-coarsest", |s| small(s, &finest(s, 1024, 16), &ends(5))),
    ],
};

/// So many clusters on the finest level, and so many levels at most.
fn finest(setup: &Setup, clusters: u32, max_levels: u32) -> LevelsDef {
    let clusters = if setup.quick { 64 } else { clusters };
    LevelsDef { finest_clusters: Some(clusters), max_levels, ..as_published() }
}

/// MR's weights by hand: much for the finest of so many levels, some for the coarsest two, hardly any between.
fn ends(levels: usize) -> Weighting {
    let weight = |l: usize| {
        if l == 0 {
            0.7
        } else if l + 2 >= levels {
            0.12
        } else {
            0.02
        }
    };
    Weighting::Manual((0..levels).map(weight).collect())
}

fn large(setup: &Setup, levels: &LevelsDef, weights: &Weighting) -> Result<Stage, Error> {
    armadillo(setup, &sets::large_armadillo(setup), levels, weights)
}

fn small(setup: &Setup, levels: &LevelsDef, weights: &Weighting) -> Result<Stage, Error> {
    armadillo(setup, &sets::armadillo(setup), levels, weights)
}

/// Radius of the cylinders, metres.
const LOG: f32 = 0.3;

fn armadillo(
    setup: &Setup,
    points: &[Vec3],
    levels: &LevelsDef,
    weights: &Weighting,
) -> Result<Stage, Error> {
    let mut stage = Stage::on_ground(setup, 1.0 / 60.0, 4.0)?;
    stage.world.set_substeps(4)?;
    for row in 0..3 {
        for k in 0..3 - row {
            let def = ColliderDef {
                shape: ColliderShape::Cylinder { half_height: 1.5, radius: LOG },
                position: vec3(LOG * (2 * k + row - 2) as f32, LOG * (1.0 + 1.732 * row as f32), 0.0),
                rotation: Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
                ..ColliderDef::default()
            };
            stage.world.add_collider(&def)?;
        }
    }
    let low = sets::bounds(points).0;
    let material = Material {
        stiffness: Stiffness::Hertz(12.0),
        damping: Damping::PerSecond(6.0),
        ..Material::default()
    };
    let position = vec3(0.12, 2.2 - low.y, 0.0);
    let shape = shape(points, levels)?;
    // A quick one has fewer levels than the weights by hand are for.
    let weights = match weights {
        Weighting::Manual(_) => &ends(shape.levels().len()),
        others => others,
    };
    stage.add(&shape, &BodyDef { position, material, ..BodyDef::default() }, weights)?;
    Ok(stage.seen(vec3(2.4, 2.4, 6.2), vec3(0.0, 1.4, 0.0)))
}

fn judge_armadillo(runs: &Runs) -> Vec<Finding> {
    let alone = runs.each(&["finest-alone", "16-clusters", "1-cluster"], |r| r.error());
    let blends = runs.each(&["linear-fine", "finest-and-coarsest"], |r| r.error());
    vec![
        finding(
            "the finest level alone ends as a puddle, blends do not: errors left of it, of the blends",
            &[&alone[..1], &blends].concat(),
            alone[0] > 0.3 && blends.iter().all(|b| *b < 0.6 * alone[0]),
        ),
        finding(
            "the more clusters, the more fluid: errors left of the finest, of 16 clusters, of one",
            &alone,
            alone.is_sorted_by(|a, b| a > b),
        ),
    ]
}
