//! Soft bodies that collide: MR's ball and wall and its three bunnies, CC's sphere on a sheet.

use glam::{Vec3, vec3};
use wobble::Towards::{Coarse, Fine};
use wobble::{BodyDef, BodyId, Error, LevelsDef, Material, Stiffness, Touch, Weighting, World};

use super::play::{Finding, Run, Runs, finding};
use super::stage::{Probe, material, several, shape, single};
use super::{Scene, Setup, Stage, baseline, sets, variant};

pub const WALL: Scene = Scene {
    name: "ball-wall",
    title: "A ball of 1,000 particles is thrown at a wall of 1,000, without gravity",
    paper: "MR 5.2 Ball Colliding Into Wall",
    claim: "With one cluster and its proxy the ball turns back well before the wall, with 8 close to it, with 66 it touches \
            and jitters; levels let it touch and stay calm, and damping calms it further.",
    theirs: Some(8.68),
    judge: judge_wall,
    variants: &[
        baseline("1-cluster", 0.64, |s| alone(s, &LevelsDef { radius: Some(WIDE), ..single(1) })),
        baseline("8-clusters", 2.93, |s| alone(s, &single(8))),
        baseline("66-clusters", 7.59, |s| alone(s, &single(66))),
        variant("finest", |s| thrown(s, [1.0, 0.0, 0.0], EVEN, 0.1)),
        variant("even", |s| thrown(s, EVEN, EVEN, 0.1)),
        variant("coarse", |s| thrown(s, COARSE, EVEN, 0.1)),
        variant("coarse-kd-0.3", |s| thrown(s, COARSE, EVEN, 0.3)),
        variant("coarse-kd-0.5", |s| thrown(s, COARSE, EVEN, 0.5)),
        variant("coarse-wall-middle", |s| thrown(s, COARSE, [0.2, 0.6, 0.2], 0.1)),
        variant("coarse-wall-coarse", |s| thrown(s, COARSE, COARSE, 0.1)),
    ],
};

const EVEN: [f32; 3] = [1.0, 1.0, 1.0];
const COARSE: [f32; 3] = [0.1, 0.2, 0.7];

/// Half as far again as the ball: what is meant by proxies that are "poorly defined" where clusters are large.
const WIDE: f32 = 0.75;

/// One level, touched at its proxies as in the papers.
fn alone(setup: &Setup, level: &LevelsDef) -> Result<Stage, Error> {
    let even = [Weighting::Uniform, Weighting::Uniform];
    throw(setup, level, even, 0.1, Touch { proxies: true, ..Touch::default() })
}

/// Three levels, touched at their surfaces.
fn thrown(setup: &Setup, ball: [f32; 3], wall: [f32; 3], k_d: f32) -> Result<Stage, Error> {
    let weights = [ball, wall].map(|w| Weighting::Manual(w.to_vec()));
    throw(setup, &several(15), weights, k_d, Touch::default())
}

/// At 5 m/s from 2 m away.
fn throw(
    setup: &Setup,
    levels: &LevelsDef,
    weights: [Weighting; 2],
    k_d: f32,
    touch: Touch,
) -> Result<Stage, Error> {
    let mut stage = Stage::new(setup, 1.0 / 60.0, 2.0)?;
    stage.world.set_substeps(4)?;
    let sets = [sets::small_shell(setup), sets::wall(setup)];
    for (k, points) in sets.iter().enumerate() {
        let (x, speed) = [(-2.0, 5.0), (0.0, 0.0)][k];
        let def = BodyDef {
            position: vec3(x, 1.2, 0.0),
            velocity: Vec3::X * speed,
            material: material(1.0, k_d),
            touch,
            ..BodyDef::default()
        };
        stage.add(&shape(points, levels)?, &def, &weights[k])?;
    }
    stage.probe = Some(Probe { name: "gap between ball and wall, m", read: gap });
    Ok(stage.seen(vec3(-2.6, 2.6, 6.4), vec3(0.3, 1.2, 0.0)))
}

/// Smallest distance between particles of the first two bodies, metres.
fn gap(world: &World, bodies: &[BodyId]) -> f32 {
    let (Ok(a), Ok(b)) = (world.body(bodies[0]), world.body(bodies[1])) else { return f32::NAN };
    let (low, high) = a.bounds();
    let reach = Vec3::splat(0.3);
    let (low, high) = (low - reach, high + reach);
    let near = |p: &Vec3| p.cmpge(low).all() && p.cmple(high).all();
    let others: Vec<Vec3> = b.raw_positions().iter().map(|y| y.truncate()).filter(near).collect();
    let nearest = |x: &glam::Vec4| {
        others.iter().map(|y| y.distance_squared(x.truncate())).fold(f32::INFINITY, f32::min)
    };
    let least = a.raw_positions().iter().map(nearest).fold(f32::INFINITY, f32::min);
    // Further than the reach the boxes tell.
    let (there, _) = b.bounds();
    if least.is_finite() { least.sqrt() } else { there.x - (high.x - reach.x) }
}

fn judge_wall(runs: &Runs) -> Vec<Finding> {
    let gaps = runs.each(&["1-cluster", "8-clusters", "66-clusters"], Run::least_probe);
    let ours = runs.each(&["finest", "even", "coarse"], Run::least_probe);
    let squashed = runs.each(&["finest", "even", "coarse"], |r| r.peak_error());
    let jitter = runs.each(&["finest", "even", "coarse"], |r| r.jitter());
    let damped = runs.each(&["coarse", "coarse-kd-0.3", "coarse-kd-0.5"], |r| r.jitter());
    let speeds = runs.each(&["coarse", "coarse-wall-middle", "coarse-wall-coarse"], |r| r.speed());
    let lost: Vec<f32> = runs.0.iter().map(|run| run.momentum_lost()).collect();
    let levels = [
        "finest",
        "even",
        "coarse",
        "coarse-kd-0.3",
        "coarse-kd-0.5",
        "coarse-wall-middle",
        "coarse-wall-coarse",
    ];
    // It is at the wall from 0.27 s to about 0.45 s, and does not bounce: restitution is 0.
    let after = |r: &Run| (0..32).map(|k| r.at(&r.probes, 0.4 + 0.05 * k as f32)).fold(0.0, f32::max);
    let apart = runs.each(&levels, after);
    vec![
        finding("momentum is kept: share of it that is lost", &lost, lost.iter().all(|share| *share < 1e-4)),
        finding(
            "with fewer clusters a ball turns back farther from the wall: nearest of 1, 8, 66 clusters, m",
            &gaps,
            gaps[0] > 0.1 && gaps.is_sorted_by(|a, b| a > b),
        ),
        finding(
            "with levels it reaches the wall whatever the weights: nearest, m",
            &ours,
            ours.iter().all(|gap| *gap < 0.08),
        ),
        finding(
            "and comes off it by more than a spacing of the wall, with all weights: m",
            &apart,
            apart.iter().all(|gap| *gap > 0.1),
        ),
        finding(
            "the coarser, the more shape is kept on impact: peak shape errors of finest, even, coarse",
            &squashed,
            squashed.is_sorted_by(|a, b| a > b),
        ),
        finding(
            "the finest level alone jitters on, blends are calm: m/s",
            &jitter,
            jitter[1..].iter().all(|j| *j < 0.5 * jitter[0]),
        ),
        finding(
            "damping calms the ball: jitter at k_d of 0.1, 0.3, 0.5, m/s",
            &damped,
            damped.is_sorted_by(|a, b| a > b),
        ),
        finding(
            "a wall on its coarser levels dampens the speed of the ball: even, middle, coarse, m/s",
            &speeds,
            speeds.is_sorted_by(|a, b| a > b),
        ),
    ]
}

pub const BUNNIES: Scene = Scene {
    name: "three-bunnies",
    title: "Two bunnies of 4,131 particles are thrown at a third, without gravity",
    paper: "MR 5.2 Three Bunnies Collide",
    claim: "The finest level alone jitters after the impact; blends are calmer, and go other ways with other weights.",
    theirs: Some(63.90),
    judge: judge_bunnies,
    variants: &[
        baseline("206-clusters", 58.83, |s| bunnies(s, &single(206), [&Weighting::Uniform; 2], [20.0; 2])),
        variant("mixed", |s| {
            let (sides, middle) = (
                Weighting::Gaussian { towards: Fine },
                Weighting::Polynomial { b: 1.0, c: 2.0, towards: Coarse },
            );
            // Half the stiffness in the middle, as MR's 1.5 and 0.75.
            bunnies(s, &several(20), [&sides, &middle], [20.0, 14.14])
        }),
        variant("uniform", |s| bunnies(s, &several(20), [&Weighting::Uniform; 2], [20.0; 2])),
    ],
};

/// Weights and hertz of the bunnies at the sides and of the one in the middle, which is the main body.
fn bunnies(
    setup: &Setup,
    levels: &LevelsDef,
    weights: [&Weighting; 2],
    hertz: [f32; 2],
) -> Result<Stage, Error> {
    let points = sets::small_bunny(setup);
    let (low, high) = sets::bounds(&points);
    let size = (high - low).max_element();
    let mut stage = Stage::new(setup, 1.0 / 60.0, 2.0)?;
    stage.world.set_substeps(4)?;
    let shape = shape(&points, levels)?;
    for place in [0.0, -1.6, 1.6f32] {
        let side = usize::from(place == 0.0);
        let def = BodyDef {
            position: vec3(place * size, 2.0 + 0.05 * place * size, 0.0),
            velocity: if side == 1 { Vec3::ZERO } else { Vec3::X * (-place.signum() * 3.0 * size) },
            material: Material { stiffness: Stiffness::Hertz(hertz[side]), ..Material::default() },
            ..BodyDef::default()
        };
        stage.add(&shape, &def, weights[side])?;
    }
    stage.probe = Some(Probe { name: "how far the right one is right of the left one, m", read: right_of });
    Ok(stage.seen(vec3(2.0, 4.2, 10.5), vec3(0.0, 2.0, 0.0)))
}

/// How far the third body is to the right of the second, metres.
fn right_of(world: &World, bodies: &[BodyId]) -> f32 {
    let x = |k: usize| world.body(bodies[k]).map_or(f32::NAN, |body| body.centre_of_mass().x);
    x(2) - x(1)
}

fn judge_bunnies(runs: &Runs) -> Vec<Finding> {
    const ALL: [&str; 3] = ["206-clusters", "uniform", "mixed"];
    let jitter = runs.each(&ALL, |r| r.jitter());
    let apart = runs.each(&ALL, Run::least_probe);
    let lost = runs.each(&ALL, |r| r.momenta[1].length() / r.mass);
    let ways = [
        runs["uniform"].centre.distance(runs["mixed"].centre),
        runs["uniform"].centre.distance(runs["206-clusters"].centre),
    ];
    vec![
        finding(
            "206 clusters alone jitter after the impact more than blends: m/s of them, uniform, mixed",
            &jitter,
            jitter[1..].iter().all(|j| jitter[0] > 1.2 * j),
        ),
        finding(
            "nobody passes through the middle one: how near the outer ones came, m",
            &apart,
            apart.iter().all(|gap| *gap > 1.0),
        ),
        finding("momentum, zero in all, stays so: m/s of one bunny", &lost, lost.iter().all(|v| *v < 1e-3)),
        finding(
            "other weights, other ways: how far the middle one ends from where it does with uniform ones, m",
            &ways,
            ways.iter().all(|way| *way > 0.01),
        ),
    ]
}

pub const SHEET: Scene = Scene {
    name: "sphere-sheet",
    title: "A sphere falls on a thin sheet of 20,335 particles that is held at two edges",
    paper: "CC 4, sphere and sheet",
    claim: "Half-spaces cut the clusters' spheres to the sheet, so that the sphere comes near and does not pass.",
    theirs: None,
    judge: judge_sheet,
    variants: &[
        variant("proxies", |s| sheet(s, Touch { proxies: true, ..Touch::default() })),
        variant("surfaces", |s| sheet(s, Touch::default())),
    ],
};

fn sheet(setup: &Setup, touch: Touch) -> Result<Stage, Error> {
    let mut stage = Stage::new(setup, 1.0 / 60.0, 3.0)?;
    stage.world.set_gravity(Vec3::Y * -9.81)?;
    stage.world.set_substeps(4)?;
    let material = Material::default();
    let ball = shape(&sets::large_shell(setup), &several(if setup.quick { 15 } else { 50 }))?;
    let def = BodyDef { position: vec3(0.0, 2.4, 0.0), material, touch, ..BodyDef::default() };
    stage.add(&ball, &def, &Weighting::Uniform)?;
    let points = sets::sheet(setup);
    let def = BodyDef { position: Vec3::Y * 1.0, ..def };
    let id = stage.add(&shape(&points, &several(20))?, &def, &Weighting::Uniform)?;
    let held = (0..points.len()).filter(|&i| points[i].x.abs() > 1.4);
    held.into_iter().try_for_each(|i| stage.world.body_mut(id)?.pin(i))?;
    stage.probe = Some(Probe { name: "sphere above the sheet, m", read: above });
    Ok(stage.seen(vec3(1.4, 2.6, 5.4), vec3(0.0, 1.0, 0.0)))
}

/// How far the lowest particle of the ball is above the highest of the sheet beneath its middle, metres; below
/// zero the ball sits in the sheet or under it.
fn above(world: &World, bodies: &[BodyId]) -> f32 {
    let (Ok(ball), Ok(sheet)) = (world.body(bodies[0]), world.body(bodies[1])) else { return f32::NAN };
    let middle = ball.centre_of_mass();
    let beneath = |x: &&glam::Vec4| (x.x - middle.x).abs() < 0.15 && (x.z - middle.z).abs() < 0.15;
    let top = sheet.raw_positions().iter().filter(beneath).map(|x| x.y).fold(f32::NEG_INFINITY, f32::max);
    ball.raw_positions().iter().filter(beneath).map(|x| x.y).fold(f32::INFINITY, f32::min) - top
}

fn judge_sheet(runs: &Runs) -> Vec<Finding> {
    let nearest = runs.each(&["proxies", "surfaces"], Run::least_probe);
    let (end, shapes) = (
        runs.each(&["proxies", "surfaces"], |r| r.probe()),
        runs.each(&["proxies", "surfaces"], |r| r.error()),
    );
    vec![
        finding(
            "the sphere does not pass: how near it came and where it ended above the sheet, m (proxies, surfaces)",
            &[&nearest[..], &end].concat(),
            nearest.iter().chain(&end).all(|gap| *gap > -0.1),
        ),
        finding(
            "it comes nearer than the radius of a cluster of the sheet: nearest, m",
            &nearest,
            nearest.iter().all(|gap| *gap < 0.1),
        ),
        finding(
            "both keep their shape: mean shape errors in the end",
            &shapes,
            shapes.iter().all(|e| *e < 0.2),
        ),
    ]
}
