//! MR's ball that falls, on the ground and on a Plinko board.

use glam::{Quat, Vec3, vec3};
use wobble::Towards::{Coarse, Fine};
use wobble::{BodyDef, BodyId, ColliderDef, ColliderShape, Error, LevelsDef, Nesting, Weighting, World};

use super::play::{Finding, Runs, finding, greatest, least};
use super::stage::{Probe, material, several, shape, single};
use super::{Scene, Setup, Stage, baseline, sets, variant};

pub const BALL: Scene = Scene {
    name: "falling-ball",
    title: "A hollow ball of 5,098 particles falls on the ground",
    paper: "MR 5.2 Falling Ball",
    claim: "The finest level alone ends as a puddle; every blend of levels squashes and returns to a ball, the \
            sooner the more weight the coarse levels have.",
    theirs: Some(10.82),
    judge: judge_ball,
    variants: &[
        baseline("1-cluster", 3.95, |s| ball(s, &single(1), &Weighting::Uniform)),
        baseline("12-clusters", 7.93, |s| ball(s, &single(12), &Weighting::Uniform)),
        baseline("101-clusters", 9.50, |s| ball(s, &single(101), &Weighting::Uniform)),
        variant("polynomial-coarse", |s| ball(s, &levels(s), &polynomial(Coarse))),
        variant("gaussian-coarse", |s| ball(s, &levels(s), &Weighting::Gaussian { towards: Coarse })),
        variant("linear-coarse", |s| {
            ball(s, &levels(s), &Weighting::Linear { epsilon: 0.01, towards: Coarse })
        }),
        variant("uniform", |s| ball(s, &levels(s), &Weighting::Uniform)),
        variant("middle", |s| ball(s, &levels(s), &Weighting::Manual(vec![0.2, 0.6, 0.2]))),
        variant("gaussian-fine", |s| ball(s, &levels(s), &Weighting::Gaussian { towards: Fine })),
        variant("independent-gaussian-coarse", |s| {
            ball(s, &independent(s), &Weighting::Gaussian { towards: Coarse })
        }),
        variant("independent-uniform", |s| ball(s, &independent(s), &Weighting::Uniform)),
        variant("independent-gaussian-fine", |s| {
            ball(s, &independent(s), &Weighting::Gaussian { towards: Fine })
        }),
    ],
};

/// MR's 101, 12, 1; quick ones have three levels too.
fn levels(setup: &Setup) -> LevelsDef {
    several(if setup.quick { 15 } else { 50 })
}

/// The same to MR's letter: every level clusters the particles.
fn independent(setup: &Setup) -> LevelsDef {
    LevelsDef { nesting: Nesting::Independent, ..levels(setup) }
}

fn polynomial(towards: wobble::Towards) -> Weighting {
    Weighting::Polynomial { b: 1.0, c: 2.0, towards }
}

/// From 2 m, at MR's 30 Hz.
fn ball(setup: &Setup, levels: &LevelsDef, weights: &Weighting) -> Result<Stage, Error> {
    let mut stage = Stage::on_ground(setup, 1.0 / 30.0, 8.0)?;
    let def = BodyDef { position: Vec3::Y * 2.0, material: material(1.0, 0.1), ..BodyDef::default() };
    stage.add(&shape(&sets::large_shell(setup), levels)?, &def, weights)?;
    Ok(stage.seen(vec3(0.6, 1.3, 4.6), vec3(0.0, 0.75, 0.0)))
}

/// Whether each is less than the one before, as far as more than a hundredth is left: below, the ground carries all that weights decide.
fn falls(errors: &[f32]) -> bool {
    errors.is_sorted_by(|a, b| a > b || a.max(*b) < 0.01)
}

fn judge_ball(runs: &Runs) -> Vec<Finding> {
    // From all weight on the finest level to all of it on the coarsest.
    const ORDER: [&str; 5] = ["101-clusters", "gaussian-fine", "uniform", "gaussian-coarse", "1-cluster"];
    const BLENDS: [&str; 6] =
        ["gaussian-fine", "uniform", "middle", "linear-coarse", "gaussian-coarse", "polynomial-coarse"];
    let (errors, heights) = (runs.each(&ORDER, |r| r.error()), runs.each(&BLENDS, |r| r.height()));
    let (puddle, blends) = (&runs["101-clusters"], runs.each(&BLENDS, |r| r.error()));
    const INDEPENDENT: [&str; 5] = [
        "101-clusters",
        "independent-gaussian-fine",
        "independent-uniform",
        "independent-gaussian-coarse",
        "1-cluster",
    ];
    let independent = runs.each(&INDEPENDENT, |r| r.error());
    let calm = runs.each(&BLENDS, |r| r.jitter());
    let middle = &runs["12-clusters"];
    vec![
        finding(
            "101 clusters end as a puddle: shape error, height kept",
            &[puddle.error(), puddle.height()],
            puddle.error() > 0.4 && puddle.height() < 0.35,
        ),
        finding("every blend ends as a ball: height kept", &heights, heights.iter().all(|h| *h > 0.55)),
        finding(
            "the finest level alone ends flatter than any blend: its height, then the lowest blend's",
            &[puddle.height(), least(&heights)],
            puddle.height() < least(&heights),
        ),
        finding(
            "the shape error left at rest falls as weight moves from fine to coarse, to less than a hundredth",
            &errors,
            falls(&errors),
        ),
        finding("so it does with independent levels", &independent, falls(&independent)),
        finding(
            "12 clusters alone do not return to the ball as blends do: their error, then the blends'",
            &[&[middle.error()][..], &blends].concat(),
            blends.iter().all(|b| *b < middle.error()),
        ),
        finding(
            "12 clusters alone do not come to rest: jitter of theirs, then of the liveliest blend, m/s",
            &[middle.jitter(), greatest(&calm)],
            middle.jitter() > 3.0 * greatest(&calm),
        ),
        finding(
            "weight on the middle adds fluidity against Gaussian-coarse: peak errors",
            &[runs["middle"].peak_error(), runs["gaussian-coarse"].peak_error()],
            runs["middle"].peak_error() > runs["gaussian-coarse"].peak_error(),
        ),
    ]
}

pub const PLINKO: Scene = Scene {
    name: "plinko",
    title: "A ball falls through rows of rods",
    paper: "MR 5.2 Plinko",
    claim: "Whatever level is favoured, the ball bounces between the rods, keeps its shape and comes to rest; the \
            finest level alone ends as a puddle.",
    theirs: Some(12.20),
    judge: judge_plinko,
    variants: &[
        baseline("1-cluster", 5.15, |s| plinko(s, &single(1), &Weighting::Uniform)),
        baseline("12-clusters", 8.56, |s| plinko(s, &single(12), &Weighting::Uniform)),
        baseline("101-clusters", 10.75, |s| plinko(s, &single(101), &Weighting::Uniform)),
        variant("coarsest", |s| plinko(s, &levels(s), &Weighting::Manual(vec![0.2, 0.2, 0.6]))),
        variant("middle", |s| plinko(s, &levels(s), &Weighting::Manual(vec![0.2, 0.6, 0.2]))),
        variant("finest", |s| plinko(s, &levels(s), &Weighting::Manual(vec![0.6, 0.2, 0.2]))),
    ],
};

/// Radius of the rods, metres.
const ROD: f32 = 0.15;

/// Places of the rods in x and y: rows of them, each shifted by half against the one above.
fn rods() -> impl Iterator<Item = (f32, f32)> {
    let row = |r: i32| (-3..=3).map(move |k| (1.5 * k as f32 + 0.75 * (r % 2) as f32, 1.6 + 1.3 * r as f32));
    (0..3).flat_map(row)
}

fn plinko(setup: &Setup, levels: &LevelsDef, weights: &Weighting) -> Result<Stage, Error> {
    let mut stage = Stage::on_ground(setup, 1.0 / 60.0, 15.0)?;
    for (x, y) in rods() {
        let def = ColliderDef {
            shape: ColliderShape::Cylinder { half_height: 3.0, radius: ROD },
            position: vec3(x, y, 0.0),
            rotation: Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
            ..ColliderDef::default()
        };
        stage.world.add_collider(&def)?;
    }
    let def = BodyDef { position: vec3(0.1, 5.6, 0.0), material: material(1.0, 0.1), ..BodyDef::default() };
    stage.add(&shape(&sets::large_shell(setup), levels)?, &def, weights)?;
    stage.probe = Some(Probe { name: "deepest in a rod, m", read: depth_in_rods });
    Ok(stage.seen(vec3(0.5, 3.2, 9.5), vec3(0.0, 2.6, 0.0)))
}

fn judge_plinko(runs: &Runs) -> Vec<Finding> {
    const BLENDS: [&str; 3] = ["finest", "middle", "coarsest"];
    let blends = |measure: fn(&super::play::Run) -> f32| runs.each(&BLENDS, measure);
    let (errors, heights) = (blends(|r| r.error()), blends(|r| r.height()));
    let (jitters, speeds) = (blends(|r| r.jitter()), blends(|r| r.speed()));
    let depths: Vec<f32> = runs.0.iter().map(|r| r.greatest_probe()).collect();
    let puddle = &runs["101-clusters"];
    let shaking = runs["12-clusters"].jitter();
    vec![
        finding("nothing passes through a rod: deepest, m", &depths, depths.iter().all(|d| *d < 0.01)),
        finding("every blend touches rods: deepest, m", &depths[3..], depths[3..].iter().all(|d| *d > -0.02)),
        finding(
            "blends keep their shape: shape errors, heights kept",
            &[&errors[..], &heights].concat(),
            errors.iter().all(|e| *e < 0.25) && heights.iter().all(|h| *h > 0.6),
        ),
        finding(
            "blends come to rest: jitter, speed, m/s",
            &[&jitters[..], &speeds].concat(),
            jitters.iter().all(|j| *j < 0.02) && speeds.iter().all(|s| *s < 0.1),
        ),
        finding(
            "101 clusters alone end as a puddle: error against the worst blend",
            &[puddle.error(), greatest(&errors)],
            puddle.error() > 0.3 && puddle.error() > greatest(&errors),
        ),
        finding(
            "12 clusters alone go on vibrating: jitter against that of the liveliest blend, m/s",
            &[shaking, greatest(&jitters)],
            shaking > 3.0 * greatest(&jitters),
        ),
        finding(
            "a single cluster travels straight through the rods: deepest, m",
            &depths[..1],
            depths[0] > 0.5 * ROD,
        ),
    ]
}

/// How deep the deepest particle is in a rod, metres; less than zero outside of all.
fn depth_in_rods(world: &World, bodies: &[BodyId]) -> f32 {
    let Ok(ball) = world.body(bodies[0]) else { return f32::NAN };
    let depth = |x: &glam::Vec4| {
        let off = rods().map(|(rx, ry)| (x.x - rx) * (x.x - rx) + (x.y - ry) * (x.y - ry));
        ROD - off.fold(f32::INFINITY, f32::min).sqrt()
    };
    ball.raw_positions().iter().map(depth).fold(f32::NEG_INFINITY, f32::max)
}
