//! CC's comparisons on a stretched cube: kernels, clustering algorithms, numbers and radii of clusters.

use glam::{Vec3, vec3};
use wobble::{Algorithm, BodyDef, Error, Kernel, LevelsDef, Weighting};

use super::play::{Finding, Run, Runs, finding, mean};
use super::stage::{material, shape, single};
use super::{Scene, Setup, Stage, sets, variant};

const POLY6: Kernel = Kernel::Poly6;
const BLEND: Kernel = Kernel::Blend { beta: 0.2 };
const INVSQ: Kernel = Kernel::InvSq { epsilon: 1e-4 };
const FCM: Kernel = Kernel::Fcm { m: 2.0 };

pub const KERNELS: Scene = Scene {
    name: "kernels",
    title: "A cube stretched to twice its length, its clusters weighted by each of five kernels",
    paper: "CC 4, kernels",
    claim: "Kernels change how a body answers: poly6 resists deformation least, invsq and fcm are alike.",
    theirs: None,
    judge: judge_kernels,
    variants: &[
        variant("box-10", |s| weighted(s, Kernel::Box, 10)),
        variant("poly6-10", |s| weighted(s, POLY6, 10)),
        variant("blend-10", |s| weighted(s, BLEND, 10)),
        variant("invsq-10", |s| weighted(s, INVSQ, 10)),
        variant("fcm-10", |s| weighted(s, FCM, 10)),
        variant("box-50", |s| weighted(s, Kernel::Box, 50)),
        variant("poly6-50", |s| weighted(s, POLY6, 50)),
        variant("blend-50", |s| weighted(s, BLEND, 50)),
        variant("invsq-50", |s| weighted(s, INVSQ, 50)),
        variant("fcm-50", |s| weighted(s, FCM, 50)),
    ],
};

pub const CLUSTERINGS: Scene = Scene {
    name: "clusterings",
    title: "A cube stretched to twice its length, clustered in other ways",
    paper: "CC 4, clustering",
    claim: "More clusters soften the body; a larger radius is akin to fewer clusters; the algorithm matters too.",
    theirs: None,
    judge: judge_clusterings,
    variants: &[
        variant("1", |s| stretched(s, &single(1))),
        variant("5", |s| stretched(s, &single(5))),
        variant("10", |s| stretched(s, &single(10))),
        variant("25", |s| stretched(s, &single(25))),
        variant("50", |s| stretched(s, &single(50))),
        variant("10-wider", |s| stretched(s, &wider(s, 1.25)?)),
        variant("10-widest", |s| stretched(s, &wider(s, 1.6)?)),
        variant("10-k-means", |s| stretched(s, &by(Algorithm::KMeans, 10))),
        variant("50-k-means", |s| stretched(s, &by(Algorithm::KMeans, 50))),
        variant("random", |s| stretched(s, &by(Algorithm::Random, 10))),
    ],
};

fn weighted(setup: &Setup, kernel: Kernel, clusters: u32) -> Result<Stage, Error> {
    stretched(setup, &LevelsDef { kernel, ..single(clusters) })
}

fn by(algorithm: Algorithm, clusters: u32) -> LevelsDef {
    // Random clustering takes a radius and finds how many it needs.
    let radius = (algorithm == Algorithm::Random).then_some(0.45);
    LevelsDef { algorithm, radius, ..single(clusters) }
}

/// Ten clusters of a radius so many times the one that was chosen.
fn wider(setup: &Setup, times: f32) -> Result<LevelsDef, Error> {
    let chosen = shape(&sets::cube(setup), &single(10))?.levels()[0].report().radius;
    Ok(LevelsDef { radius: Some(chosen * times), ..single(10) })
}

fn stretched(setup: &Setup, levels: &LevelsDef) -> Result<Stage, Error> {
    let mut stage = Stage::new(setup, 1.0 / 60.0, 4.0)?;
    let def = BodyDef { position: Vec3::Y * 1.2, material: material(0.5, 0.05), ..BodyDef::default() };
    let id = stage.add(&shape(&sets::cube(setup), levels)?, &def, &Weighting::Uniform)?;
    stage.world.body_mut(id)?.deform(|p| vec3(p.x * 2.0, p.y, p.z))?;
    stage.probe = Some(super::cubes::SWAY);
    Ok(stage.seen(vec3(1.6, 2.2, 4.6), vec3(0.0, 1.2, 0.0)))
}

/// How long deformation lasts: shape error times seconds.
fn softness(run: &Run) -> f32 {
    mean(&run.errors) * run.errors.len() as f32 * run.dt
}

fn judge_kernels(runs: &Runs) -> Vec<Finding> {
    let of = |names: &[&str]| runs.each(names, softness);
    let ten = of(&["box-10", "poly6-10", "blend-10", "invsq-10", "fcm-10"]);
    let fifty = of(&["box-50", "poly6-50", "blend-50", "invsq-50", "fcm-50"]);
    let softest = |list: &[f32]| list.iter().all(|s| *s <= list[1]);
    let alike = [
        runs["invsq-50"].apart(&runs["fcm-50"]),
        runs["invsq-50"].apart(&runs["poly6-50"]),
        runs["invsq-50"].apart(&runs["box-50"]),
    ];
    let resists = "poly6 resists least: softness (shape error times s) of box, poly6, blend, invsq, fcm";
    vec![
        finding(resists, &[&ten[..], &fifty].concat(), softest(&ten) && softest(&fifty)),
        finding(
            "invsq and fcm are alike: how far fcm's, poly6's and box's curves are from invsq's",
            &alike,
            alike[0] < alike[1] && alike[0] < alike[2],
        ),
    ]
}

fn judge_clusterings(runs: &Runs) -> Vec<Finding> {
    let numbers = runs.each(&["1", "5", "10", "25", "50"], softness);
    let radii = runs.each(&["10", "10-wider", "10-widest", "1"], softness);
    let by_algorithm = [runs["10"].apart(&runs["10-k-means"]), runs["50"].apart(&runs["50-k-means"])];
    vec![
        finding(
            "more clusters soften: softness of 1, 5, 10, 25, 50",
            &numbers,
            numbers.is_sorted_by(|a, b| a < b),
        ),
        finding(
            "a larger radius is akin to fewer clusters: softness of 10 clusters, wider, widest, and of one",
            &radii,
            radii.is_sorted_by(|a, b| a > b),
        ),
        finding(
            "the algorithm matters: how far k-means' curves are from ours, for 10 and 50 clusters",
            &by_algorithm,
            by_algorithm.iter().all(|off| *off > 0.002),
        ),
    ]
}
