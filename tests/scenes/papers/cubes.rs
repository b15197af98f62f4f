//! Cubes that are stretched and let go, or spun, in free flight.

use glam::{Vec3, vec3};
use wobble::Towards::{Coarse, Fine};
use wobble::{
    BodyDef, BodyId, DampingForm, Error, LevelsDef, Material, Rotation, StrainLimit, Weighting, World,
};

use super::play::{self, Finding, Run, Runs, finding, greatest};
use super::stage::{Probe, material, several, shape, single};
use super::{Scene, Setup, Stage, baseline, sets, variant};

pub const HOVERING: Scene = Scene {
    name: "hovering-cube",
    title: "A cube of 1,331 particles, stretched to twice its length, is let go in free flight",
    paper: "MR 5.2 Hovering Cube",
    claim: "Fine levels sway richly and turn a little, coarse ones move stiffly and do not turn.",
    theirs: Some(1.27),
    judge: judge_hovering,
    variants: &[
        baseline("1-cluster", 0.24, |s| stretched(s, &single(1), &Weighting::Uniform)),
        baseline("8-clusters", 0.45, |s| stretched(s, &single(8), &Weighting::Uniform)),
        baseline("66-clusters", 0.99, |s| stretched(s, &single(66), &Weighting::Uniform)),
        variant("polynomial-fine", |s| stretched(s, &several(20), &polynomial(Fine))),
        variant("linear-fine", |s| stretched(s, &several(20), &linear(Fine))),
        variant("gaussian-fine", |s| stretched(s, &several(20), &Weighting::Gaussian { towards: Fine })),
        variant("uniform", |s| stretched(s, &several(20), &Weighting::Uniform)),
        variant("polynomial-coarse", |s| stretched(s, &several(20), &polynomial(Coarse))),
        variant("linear-coarse", |s| stretched(s, &several(20), &linear(Coarse))),
        variant("66-clusters-by-f", |s| by_f(s, DampingForm::Paper)),
        variant("66-clusters-by-f-rigid-damping", |s| by_f(s, DampingForm::Rigid)),
    ],
};

fn polynomial(towards: wobble::Towards) -> Weighting {
    Weighting::Polynomial { b: 1.0, c: 2.0, towards }
}

fn linear(towards: wobble::Towards) -> Weighting {
    Weighting::Linear { epsilon: 0.01, towards }
}

fn stretched(setup: &Setup, levels: &LevelsDef, weights: &Weighting) -> Result<Stage, Error> {
    hovering(setup, levels, weights, material(1.0, 0.1))
}

/// The finest level with rotations as the papers take them.
fn by_f(setup: &Setup, damping_form: DampingForm) -> Result<Stage, Error> {
    let papers = Material { rotation: Rotation::Stretch, damping_form, ..material(1.0, 0.1) };
    hovering(setup, &single(66), &Weighting::Uniform, papers)
}

fn hovering(
    setup: &Setup,
    levels: &LevelsDef,
    weights: &Weighting,
    material: Material,
) -> Result<Stage, Error> {
    let mut stage = Stage::new(setup, 1.0 / 30.0, 10.0)?;
    let def = BodyDef { position: Vec3::Y * 1.2, material, ..BodyDef::default() };
    let id = stage.add(&shape(&sets::cube(setup), levels)?, &def, weights)?;
    stage.world.body_mut(id)?.deform(|p| vec3(p.x * 2.0, p.y, p.z))?;
    stage.probe = Some(SWAY);
    Ok(stage.seen(vec3(1.6, 2.2, 4.6), vec3(0.0, 1.2, 0.0)))
}

/// How richly a body sways.
pub const SWAY: Probe = Probe { name: "non-affine deformation", read: sway };

fn sway(world: &World, bodies: &[BodyId]) -> f32 {
    world.body(bodies[0]).map_or(f32::NAN, |body| play::non_affine(body) as f32)
}

fn judge_hovering(runs: &Runs) -> Vec<Finding> {
    let richness = runs.each(&["66-clusters", "gaussian-fine", "uniform", "1-cluster"], Run::greatest_probe);
    let turned =
        runs.each(&["66-clusters", "gaussian-fine", "uniform", "8-clusters", "1-cluster"], |r| r.turned);
    let ours: Vec<f32> = runs.0[..9].iter().map(|run| spun_up(run)).collect();
    let by_f = runs.each(&["66-clusters-by-f", "66-clusters-by-f-rigid-damping"], spun_up);
    vec![
        finding(
            "the more weight the fine levels have, the richer the sway: peak non-affine deformation",
            &richness,
            richness.is_sorted_by(|a, b| a > b),
        ),
        finding(
            "fine levels turn the cube, coarse ones do not: degrees of 66, Gaussian-fine, uniform, 8, 1",
            &turned,
            turned[0] > 1.0 && turned[3..].iter().all(|t| *t < 1.0),
        ),
        finding(
            "its angular momentum stays zero all the same, with our rotations: at most, as a share of its scale",
            &ours,
            ours.iter().all(|spin| *spin < 1e-4),
        ),
        finding(
            "by F, as the papers have it, it does not: with their damping, with rigid damping",
            &by_f,
            by_f.iter().all(|spin| *spin > 10.0 * greatest(&ours)),
        ),
    ]
}

/// The largest angular momentum of a run, over that of all its motion going round the cube at half a metre.
fn spun_up(run: &Run) -> f32 {
    let scale = (2.0 * greatest(&run.kinetic) * run.mass).sqrt() * 0.5;
    greatest(&run.spins) / scale
}

pub const STRETCHED: Scene = Scene {
    name: "stretched-cube",
    title: "A cube is stretched by half its length and let go",
    paper: "SL 3, first example",
    claim: "One cluster swings as a whole, 29 sway locally; strain limiting bounds the swing without damping.",
    theirs: None,
    judge: judge_stretched,
    variants: &[
        variant("1-cluster", |s| by_half(s, 1, None)),
        variant("29-clusters", |s| by_half(s, 29, None)),
        variant("29-clusters-limited", |s| by_half(s, 29, Some(0.1))),
    ],
};

/// Without damping, as SL's examples are.
fn by_half(setup: &Setup, clusters: u32, gamma: Option<f32>) -> Result<Stage, Error> {
    let strain = gamma.map(|gamma| StrainLimit { gamma, ..StrainLimit::default() });
    let mut stage = Stage::new(setup, 1.0 / 60.0, 5.0)?;
    let material = Material { strain, ..material(0.5, 0.0) };
    let def = BodyDef { position: Vec3::Y * 1.2, material, ..BodyDef::default() };
    let id = stage.add(&shape(&sets::cube(setup), &single(clusters))?, &def, &Weighting::Uniform)?;
    stage.world.body_mut(id)?.deform(|p| vec3(p.x * 1.5, p.y, p.z))?;
    stage.probe = Some(SWAY);
    Ok(stage.seen(vec3(1.6, 2.2, 4.6), vec3(0.0, 1.2, 0.0)))
}

fn judge_stretched(runs: &Runs) -> Vec<Finding> {
    let sway = runs.each(&["29-clusters", "1-cluster"], Run::greatest_probe);
    let swing = runs.each(&["29-clusters-limited", "29-clusters"], |r| play::mean(&r.errors));
    let peak = runs.each(&["29-clusters-limited", "29-clusters"], |r| r.peak_error());
    vec![
        finding(
            "29 clusters sway locally, one does not: peak non-affine deformation",
            &sway,
            sway[0] > 0.02 && sway[1] < 1e-3,
        ),
        finding(
            "strain limiting keeps the swing smaller: mean shape error with it, without",
            &swing,
            swing[0] < swing[1],
        ),
        finding("and bounded: peak shape error with it, without", &peak, peak[0] <= peak[1]),
    ]
}

pub const SPINNING: Scene = Scene {
    name: "spinning-cube",
    title: "A cube spins in free flight for 5 s",
    paper: "SL Fig. 2",
    claim: "Shape matching keeps kinetic energy and angular momentum; position-based dynamics, which is the same \
            with α = 0 and γ = 0, loses both.",
    theirs: None,
    judge: judge_spinning,
    variants: &[
        variant("shape-matching", |s| spinning(s, 1.0, 0.3)),
        variant("position-based", |s| spinning(s, 0.0, 0.0)),
    ],
};

fn spinning(setup: &Setup, alpha: f32, gamma: f32) -> Result<Stage, Error> {
    let mut stage = Stage::new(setup, 1.0 / 60.0, 5.0)?;
    let strain = Some(StrainLimit { gamma, ..StrainLimit::default() });
    let material = Material { strain, ..material(alpha, 0.0) };
    let def = BodyDef { position: Vec3::Y * 1.2, material, ..BodyDef::default() };
    let id = stage.add(&shape(&sets::cube(setup), &several(20))?, &def, &Weighting::Uniform)?;
    let body = stage.world.body_mut(id)?;
    let centre = body.centre_of_mass();
    for i in 0..body.shape().particle_count() {
        let velocity = Vec3::Y.cross(body.position(i)? - centre) * 3.0;
        body.set_velocity_of(i, velocity)?;
    }
    Ok(stage.seen(vec3(1.2, 3.0, 3.6), vec3(0.0, 1.2, 0.0)))
}

fn judge_spinning(runs: &Runs) -> Vec<Finding> {
    let left = |name: &str| {
        let run = &runs[name];
        [&run.kinetic, &run.spins].map(|list| list[list.len() - 1] / list[0])
    };
    let (matching, based) = (left("shape-matching"), left("position-based"));
    vec![
        finding(
            "shape matching keeps its motion: shares of energy and angular momentum left",
            &matching,
            (matching[0] - 1.0).abs() < 0.02 && (matching[1] - 1.0).abs() < 1e-3,
        ),
        finding("position-based dynamics loses both: shares left", &based, based[0] < 0.8 && based[1] < 0.9),
    ]
}
