//! RC's beams: compressed, twisted, and hanging bars with more and more clusters.

use glam::{Quat, Vec3, vec3};
use wobble::{
    Body, BodyDef, BodyId, Damping, Error, LevelsDef, Material, Plasticity, Stiffness, Weighting, World,
};

use super::play::{Finding, Runs, finding, mean};
use super::stage::{Probe, shape, single};
use super::{Scene, Setup, Stage, sets, variant};

pub const COMPRESSED: Scene = Scene {
    name: "compressed-beam",
    title: "A plastic beam of 5,317 particles is pressed together for 4 s and let go",
    paper: "RC 4, Fig. 2",
    claim: "Without a yield all of the deformation stays, with a yield of 0.1 some of it springs back; nothing becomes \
            unstable.",
    theirs: None,
    judge: judge_compressed,
    variants: &[
        variant("yield-0", |s| compressed(s, Some(0.0), 15.0)),
        variant("yield-0.1", |s| compressed(s, Some(0.1), 26.0)),
        variant("elastic", |s| compressed(s, None, 15.0)),
    ],
};

/// Seconds that a force or a hand acts.
const PRESSED: f32 = 4.0;

/// Half a second.
const HALF: f32 = 0.5;

/// The rule of a beam that flows. RC's beams recluster as they flow.
fn flowing(yield_strain: f32) -> Plasticity {
    Plasticity { yield_strain, recluster: 1.25, ..Plasticity::default() }
}

/// A beam with so many levels at most, stiffness in hertz and damping per second.
fn beam(
    setup: &Setup,
    plasticity: Option<Plasticity>,
    max_levels: u32,
    hertz: f32,
    damping: f32,
) -> Result<Stage, Error> {
    let mut stage = Stage::new(setup, 1.0 / 60.0, PRESSED + 4.0)?;
    stage.world.set_substeps(if hertz > 20.0 { 4 } else { 2 })?;
    let material = Material {
        stiffness: Stiffness::Hertz(hertz),
        damping: Damping::PerSecond(damping),
        ..Material::default()
    };
    let levels = LevelsDef { max_levels, ..single(if setup.quick { 30 } else { 200 }) };
    let def = BodyDef { position: Vec3::Y * 1.0, material, ..BodyDef::default() };
    let id = stage.add(&shape(&sets::beam(setup), &levels)?, &def, &Weighting::Uniform)?;
    stage.world.body_mut(id)?.set_plasticity(plasticity)?;
    Ok(stage.seen(vec3(1.2, 1.9, 4.0), vec3(0.0, 1.0, 0.0)))
}

/// RC's force, s (-x, 0, 0) for each particle, but along the beam: along x of the world a beam that is a hair askew would
/// turn over, since it lies lowest across. `pull` is s over the mass of a particle, 1/s².
fn compressed(setup: &Setup, yield_strain: Option<f32>, pull: f32) -> Result<Stage, Error> {
    let mut stage = beam(setup, yield_strain.map(flowing), 1, 40.0, 20.0)?;
    let points = sets::beam(setup);
    stage.drive = Some(Box::new(move |world, bodies, time| {
        if time >= PRESSED {
            return Ok(());
        }
        let body = world.body_mut(bodies[0])?;
        let mass = body.shape().mass() / points.len() as f32;
        let (middle, along) = (body.centre_of_mass(), axis(body).normalize_or_zero());
        for i in 0..points.len() {
            let x = (body.position(i)? - middle).dot(along);
            body.apply_force_to(i, along * (-pull * mass * x))?;
        }
        Ok(())
    }));
    stage.probe = Some(Probe { name: "length between the ends, m", read: length });
    stage.elastic = true;
    Ok(stage)
}

/// From the left end to the right one, metres.
fn axis(body: &Body) -> Vec3 {
    let end = |side: f32| {
        let particles = body.raw_positions().iter().zip(body.shape().rest());
        let end = particles.filter(|(_, r)| r.x * side > 0.9);
        let (n, sum) = end.fold((0.0, Vec3::ZERO), |(n, sum), (x, _)| (n + 1.0, sum + x.truncate()));
        sum / n
    };
    end(1.0) - end(-1.0)
}

fn length(world: &World, bodies: &[BodyId]) -> f32 {
    world.body(bodies[0]).map_or(f32::NAN, |body| axis(body).length())
}

fn judge_compressed(runs: &Runs) -> Vec<Finding> {
    // A free beam of one level rings on: it is the mean length that tells what stays.
    let kept = |name: &str| {
        let run = &runs[name];
        let (first, pressed) = (run.probes[0], run.at(&run.probes, PRESSED));
        let free = &run.probes[(PRESSED / run.dt).round() as usize..];
        (first - mean(free)) / (first - pressed)
    };
    let names = ["yield-0", "yield-0.1", "elastic"];
    let (shares, pressed) = (names.map(kept), runs.each(&names, |r| r.at(&r.probes, PRESSED)));
    // Velocities are those of half a substep before positions, so energy sways with every swing.
    let energies = names.map(|name| {
        let run = &runs[name];
        run.energies_from(PRESSED)
            .chunks_exact((HALF / run.dt).round() as usize)
            .map(mean)
            .collect::<Vec<f32>>()
    });
    let ends = energies.each_ref().map(|energies| [energies[0], energies[energies.len() - 1]]);
    let gained = energies.each_ref().map(|energies| risen(energies) / energies[0]);
    vec![
        finding(
            "the force presses the beam together: lengths at 4 s, m, of 1.9 m (yield 0, yield 0.1, elastic)",
            &pressed,
            pressed.iter().all(|length| *length < 0.96 * 1.9),
        ),
        finding(
            "what stays of the compression: yield 0, yield 0.1, elastic",
            &shares,
            shares.is_sorted_by(|a, b| a > b) && shares[0] > 0.8 && shares[2].abs() < 0.1,
        ),
        finding(
            "let go it loses energy: J in the first and last half second (yield 0, yield 0.1, elastic)",
            &ends.concat(),
            ends.iter().all(|[first, last]| last < first),
        ),
        finding(
            "and never gains any: the most that a half second has over one before, of the first",
            &gained,
            gained.iter().all(|share| *share < 0.01),
        ),
    ]
}

/// By how much the numbers of a list rise above one before.
fn risen(list: &[f32]) -> f32 {
    let rise = |(least, most): (f32, f32), x: &f32| (least.min(*x), most.max(x - least.min(*x)));
    list.iter().fold((f32::INFINITY, 0.0), rise).1
}

pub const TWISTED: Scene = Scene {
    name: "twisted-beam",
    title: "A plastic beam is twisted by its ends through half a turn, and let go",
    paper: "RC 4, Fig. 4",
    claim: "The twist stays.",
    theirs: None,
    judge: judge_twisted,
    variants: &[
        variant("plastic", |s| twisted(s, Some(flowing(0.05)))),
        variant("elastic", |s| twisted(s, None)),
    ],
};

/// Half a turn between the ends, in 3 s.
fn twisted(setup: &Setup, plasticity: Option<Plasticity>) -> Result<Stage, Error> {
    // On one level alone 32 of 180 degrees stay.
    let mut stage = beam(setup, plasticity, 16, 12.0, 10.0)?;
    let body = stage.world.body_mut(stage.bodies[0])?;
    let held: Vec<(usize, Vec3)> = (0..body.shape().particle_count())
        .map(|i| Ok((i, body.position(i)?)))
        .filter(|held| !matches!(held, Ok((_, at)) if at.x.abs() < 0.85))
        .collect::<Result<_, Error>>()?;
    held.iter().try_for_each(|(i, _)| body.pin(*i))?;
    stage.drive = Some(Box::new(move |world, bodies, time| {
        let body = world.body_mut(bodies[0])?;
        if time >= PRESSED {
            return held.iter().try_for_each(|(i, _)| body.unpin(*i));
        }
        let angle = std::f32::consts::FRAC_PI_2 * (time / 3.0).min(1.0);
        held.iter().try_for_each(|(i, at)| {
            let (turn, axis) = (Quat::from_rotation_x(angle * at.x.signum()), vec3(at.x, 1.0, 0.0));
            body.move_pin(*i, axis + turn * (*at - axis))
        })
    }));
    stage.probe = Some(Probe { name: "twist between the ends, degrees", read: twist });
    Ok(stage)
}

/// Angle between the two ends about x, degrees: of the line between two places across each end.
fn twist(world: &World, bodies: &[BodyId]) -> f32 {
    let Ok(body) = world.body(bodies[0]) else { return f32::NAN };
    let across = |side: f32| {
        let particles = body.raw_positions().iter().zip(body.shape().rest());
        let end = particles.filter(|(_, r)| r.x * side > 0.85);
        // Σ of the place now times the place at rest, as complex numbers in y and z.
        let (mut n, mut now, mut rest) = (0.0, [0.0f32; 2], [0.0f32; 2]);
        end.clone().for_each(|(x, r)| {
            n += 1.0;
            (now[0], now[1], rest[0], rest[1]) = (now[0] + x.y, now[1] + x.z, rest[0] + r.y, rest[1] + r.z);
        });
        let (mut re, mut im) = (0.0, 0.0);
        end.for_each(|(x, r)| {
            let (y, z) = (x.y - now[0] / n, x.z - now[1] / n);
            let (b, c) = (r.y - rest[0] / n, r.z - rest[1] / n);
            (re, im) = (re + y * b + z * c, im + z * b - y * c);
        });
        im.atan2(re)
    };
    let angle = (across(1.0) - across(-1.0)).to_degrees();
    // Half a turn is where the angle jumps from one side to the other.
    if angle < -90.0 { angle + 360.0 } else { angle }
}

fn judge_twisted(runs: &Runs) -> Vec<Finding> {
    let twists = |name: &str| [runs[name].at(&runs[name].probes, PRESSED), runs[name].probe()];
    let (plastic, elastic) = (twists("plastic"), twists("elastic"));
    vec![
        finding(
            "most of the twist stays: degrees when let go and in the end",
            &plastic,
            plastic[0] > 170.0 && plastic[1] > 0.6 * plastic[0],
        ),
        finding(
            "of an elastic beam nothing does: degrees when let go and in the end",
            &elastic,
            elastic[0] > 170.0 && elastic[1].abs() < 0.05 * elastic[0],
        ),
    ]
}

pub const HANGING: Scene = Scene {
    name: "hanging-bars",
    title: "A bar that is held at one end, with more and more clusters of one radius",
    paper: "RC Fig. 3",
    claim: "Fewer clusters are stiffer; with more of them the sag converges.",
    theirs: None,
    judge: judge_hanging,
    variants: &[
        variant("10", |s| hanging(s, 10)),
        variant("20", |s| hanging(s, 20)),
        variant("40", |s| hanging(s, 40)),
        variant("80", |s| hanging(s, 80)),
        variant("160", |s| hanging(s, 160)),
    ],
};

fn hanging(setup: &Setup, clusters: u32) -> Result<Stage, Error> {
    let mut stage = Stage::new(setup, 1.0 / 60.0, 4.0)?;
    stage.world.set_gravity(Vec3::Y * -9.81)?;
    stage.world.set_substeps(4)?;
    let points = sets::beam(setup);
    let material = Material {
        stiffness: Stiffness::Hertz(50.0),
        damping: Damping::PerSecond(20.0),
        ..Material::default()
    };
    let def = BodyDef { position: Vec3::Y * 2.0, material, ..BodyDef::default() };
    let levels = LevelsDef { radius: Some(0.35), ..single(clusters) };
    let id = stage.add(&shape(&points, &levels)?, &def, &Weighting::Uniform)?;
    let held = (0..points.len()).filter(|&i| points[i].x < -0.9);
    held.into_iter().try_for_each(|i| stage.world.body_mut(id)?.pin(i))?;
    stage.probe = Some(Probe { name: "sag of the free end, m", read: sag });
    Ok(stage.seen(vec3(0.6, 1.9, 4.6), vec3(0.0, 1.4, 0.0)))
}

/// How far the free end is below the held one, metres.
fn sag(world: &World, bodies: &[BodyId]) -> f32 {
    let Ok(body) = world.body(bodies[0]) else { return f32::NAN };
    let ends = body.raw_positions().iter().zip(body.shape().rest()).filter(|(_, r)| r.x > 0.9);
    let (n, sum) = ends.fold((0.0, 0.0), |(n, sum), (x, _)| (n + 1.0, sum + x.y));
    2.0 - sum / n
}

fn judge_hanging(runs: &Runs) -> Vec<Finding> {
    let sags: Vec<f32> = runs.0.iter().map(|run| run.probe()).collect();
    let gaps: Vec<f32> = sags.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
    vec![
        finding(
            "the fewest clusters are the stiffest: sags, m",
            &sags,
            sags[1..].iter().all(|sag| *sag > sags[0]),
        ),
        finding(
            "the sag converges: differences from one to the next, m",
            &gaps,
            gaps[gaps.len() - 1] < 0.5 * gaps.iter().copied().fold(0.0, f32::max)
                && gaps[gaps.len() - 1] < 0.1 * sags[sags.len() - 1],
        ),
    ]
}
