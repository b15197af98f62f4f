//! Plays a variant to its end and measures it: what judges, curves and tables are made of.

use std::ops::Index;

use glam::{DMat3, DVec3, Vec3};
use wobble::{Body, Error, World};

use super::{Scene, Setup, Stage, Variant};

/// What was measured of a variant, one number a step in each list.
pub struct Run {
    pub variant: &'static str,
    pub dt: f32,
    /// Distance of the particles from the best rigid placement of the rest shape, root mean square, over that
    /// of the rest shape from its centre; the mean over the stage's bodies.
    pub errors: Vec<f32>,
    /// Height of the main body over that before the first step.
    pub heights: Vec<f32>,
    /// How fast particles of the main body move against its affine motion, root mean square, m/s.
    pub jitters: Vec<f32>,
    /// Speed of the centre of the main body, m/s.
    pub speeds: Vec<f32>,
    /// Kinetic energy of the main body, J, and its angular momentum about its centre, kg m²/s.
    pub kinetic: Vec<f32>,
    /// Elastic energy of the main body, J, where the stage asks for it.
    pub elastic: Vec<f32>,
    pub spins: Vec<f32>,
    /// Of the main body, kg.
    pub mass: f32,
    /// The scene's own number, if it has one.
    pub probes: Vec<f32>,
    /// Momentum of all bodies before the first step and after the last, kg m/s.
    pub momenta: [Vec3; 2],
    /// Where the centre of the main body ended, metres.
    pub centre: Vec3,
    /// How far the main body has turned in the end, degrees.
    pub turned: f32,
    /// Milliseconds a step, the median.
    pub ms: f32,
    /// Milliseconds a step by stage, the mean: match, goals, integrate, contacts, strain.
    pub stages: [f32; 5],
    /// Bits of the last state.
    pub hash: u64,
    /// Whether no body was frozen for no longer being finite.
    pub finite: bool,
}

/// Names of [`Run::stages`].
pub const STAGES: [&str; 5] = ["match", "goals", "integrate", "contacts", "strain"];

impl Run {
    /// Shape error over the last half second, the mean.
    pub fn error(&self) -> f32 {
        mean(self.late(&self.errors))
    }

    pub fn peak_error(&self) -> f32 {
        greatest(&self.errors)
    }

    /// Height kept over the last half second, the mean.
    pub fn height(&self) -> f32 {
        mean(self.late(&self.heights))
    }

    /// Jitter over the last half second, the mean.
    pub fn jitter(&self) -> f32 {
        mean(self.late(&self.jitters))
    }

    /// Speed over the last half second, the mean.
    pub fn speed(&self) -> f32 {
        mean(self.late(&self.speeds))
    }

    /// The scene's own number in the end.
    pub fn probe(&self) -> f32 {
        self.probes.last().copied().unwrap_or(f32::NAN)
    }

    pub fn greatest_probe(&self) -> f32 {
        greatest(&self.probes)
    }

    pub fn least_probe(&self) -> f32 {
        least(&self.probes)
    }

    /// Whatever `list` has at `time` seconds.
    pub fn at(&self, list: &[f32], time: f32) -> f32 {
        let step = (time / self.dt).round() as usize;
        list.get(step.saturating_sub(1)).or(list.last()).copied().unwrap_or(f32::NAN)
    }

    /// Kinetic and elastic energy of the main body from `time` on, J.
    pub fn energies_from(&self, time: f32) -> Vec<f32> {
        let first = (time / self.dt).round() as usize;
        self.kinetic
            .iter()
            .zip(&self.elastic)
            .skip(first)
            .map(|(kinetic, elastic)| kinetic + elastic)
            .collect()
    }

    /// How much the momentum of all bodies changed, as a share of it.
    pub fn momentum_lost(&self) -> f32 {
        self.momenta[0].distance(self.momenta[1]) / self.momenta[0].length()
    }

    /// Root mean square difference of the shape errors of two runs.
    pub fn apart(&self, other: &Run) -> f32 {
        let squares: Vec<f32> =
            self.errors.iter().zip(&other.errors).map(|(a, b)| (a - b) * (a - b)).collect();
        mean(&squares).sqrt()
    }

    fn late<'a>(&self, list: &'a [f32]) -> &'a [f32] {
        &list[list.len().saturating_sub((0.5 / self.dt) as usize)..]
    }
}

pub fn mean(list: &[f32]) -> f32 {
    list.iter().sum::<f32>() / list.len().max(1) as f32
}

pub fn greatest(list: &[f32]) -> f32 {
    list.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

pub fn least(list: &[f32]) -> f32 {
    list.iter().copied().fold(f32::INFINITY, f32::min)
}

/// The runs of all variants of a scene, by name.
pub struct Runs<'a>(pub Vec<&'a Run>);

impl Index<&str> for Runs<'_> {
    type Output = Run;

    fn index(&self, name: &str) -> &Run {
        let found = self.0.iter().find(|run| run.variant == name);
        found.unwrap_or_else(|| panic!("the variant {name} was not played"))
    }
}

impl Runs<'_> {
    /// A measure of some of the runs, in the order of the names.
    pub fn each(&self, names: &[&str], measure: impl Fn(&Run) -> f32) -> Vec<f32> {
        names.iter().map(|name| measure(&self[name])).collect()
    }
}

/// One thing that a paper says, held against what was measured.
pub struct Finding {
    pub says: &'static str,
    /// The numbers.
    pub measured: String,
    pub holds: bool,
}

/// A finding whose numbers are a list.
pub fn finding(says: &'static str, measured: &[f32], holds: bool) -> Finding {
    let numbers: Vec<String> = measured.iter().map(|m| told(*m)).collect();
    Finding { says, measured: numbers.join(", "), holds }
}

/// Three digits that count.
fn told(number: f32) -> String {
    match number.abs() {
        0.0 => "0".into(),
        size if size < 0.001 => format!("{number:.1e}"),
        size if size < 0.01 => format!("{number:.5}"),
        size if size < 10.0 => format!("{number:.3}"),
        _ => format!("{number:.1}"),
    }
}

/// Plays a variant of a scene to its end; `watch` sees the stage before the first step and after each.
pub fn play(
    variant: &Variant,
    setup: &Setup,
    watch: &mut dyn FnMut(&Stage) -> Result<(), Error>,
) -> Result<Run, Error> {
    let mut stage = (variant.build)(setup)?;
    let mut run = Run {
        variant: variant.name,
        dt: stage.dt,
        errors: Vec::new(),
        heights: Vec::new(),
        jitters: Vec::new(),
        speeds: Vec::new(),
        kinetic: Vec::new(),
        elastic: Vec::new(),
        spins: Vec::new(),
        mass: stage.world.body(stage.bodies[0])?.shape().mass(),
        probes: Vec::new(),
        momenta: [momentum(&stage.world); 2],
        centre: Vec3::ZERO,
        turned: 0.0,
        ms: 0.0,
        stages: [0.0; 5],
        hash: 0,
        finite: true,
    };
    let before = height(stage.world.body(stage.bodies[0])?);
    let mut times = Vec::new();
    watch(&stage)?;
    for _ in 0..stage.steps() {
        stage.step()?;
        run.measure(&stage, before)?;
        times.push(stage.world.profile().total * 1e3);
        watch(&stage)?;
    }
    times.sort_by(f32::total_cmp);
    run.ms = times.get(times.len() / 2).copied().unwrap_or(0.0);
    run.stages = run.stages.map(|all| all * 1e3 / times.len().max(1) as f32);
    let main = stage.world.body(stage.bodies[0])?;
    (run.turned, run.centre, run.momenta[1]) = (turned(main), main.centre_of_mass(), momentum(&stage.world));
    run.hash = stage.world.state_hash();
    Ok(run)
}

/// Plays all variants of a scene.
pub fn play_all(scene: &Scene, setup: &Setup) -> Result<Vec<Run>, Error> {
    scene.variants.iter().map(|v| play(v, setup, &mut |_| Ok(()))).collect()
}

impl Run {
    fn measure(&mut self, stage: &Stage, before: f32) -> Result<(), Error> {
        let world: &World = &stage.world;
        let main = world.body(stage.bodies[0])?;
        let bodies = stage.bodies.iter().map(|id| world.body(*id));
        let errors = bodies.map(|body| Ok(body?.shape_error())).collect::<Result<Vec<f32>, Error>>()?;
        self.errors.push(mean(&errors));
        self.heights.push(height(main) / before);
        self.jitters.push(unsteadiness(main, stage.dt)? as f32);
        self.speeds.push(main.momentum().length() / main.shape().mass());
        self.kinetic.push(main.kinetic_energy());
        if stage.elastic {
            self.elastic.push(main.elastic_energy(stage.dt / world.substeps() as f32)?);
        }
        self.spins.push(main.angular_momentum().length());
        self.probes.extend(stage.probed());
        self.finite &=
            world.newly_frozen().is_empty() && self.errors.iter().rev().take(1).all(|e| e.is_finite());
        let p = world.profile();
        let now = [p.matching, p.goals, p.integrate, p.contacts, p.strain];
        self.stages.iter_mut().zip(now).for_each(|(all, now)| *all += now);
        Ok(())
    }
}

fn momentum(world: &World) -> Vec3 {
    world.bodies().map(|(_, body)| body.momentum()).sum()
}

pub fn height(body: &Body) -> f32 {
    let (low, high) = body.bounds();
    high.y - low.y
}

/// How fast particles moved in a step of `dt` seconds against the affine motion of their body, root mean square, m/s. Moved,
/// not at what velocity: contacts take back what clusters give to particles that carry a body.
pub fn unsteadiness(body: &Body, dt: f32) -> Result<f64, Error> {
    let [mut before, mut now] = [0; 2].map(|_| vec![Vec3::ZERO; body.shape().particle_count()]);
    body.read_positions_at(0.0, &mut before)?;
    body.read_positions_at(1.0, &mut now)?;
    let pairs = || before.iter().zip(&now);
    Ok(off_affine(|| pairs().map(|(from, to)| ((*to - *from) / dt, *to))).0)
}

/// Distance of the particles from the best affine image of the rest shape, root mean square, over that of
/// the rest shape from its centre: what is left when stretch and shear are taken out.
pub fn non_affine(body: &Body) -> f64 {
    let pairs = || body.raw_positions().iter().zip(body.shape().rest());
    let (off, size) = off_affine(|| pairs().map(|(x, r)| (x.truncate(), r.truncate())));
    off / size
}

/// Root mean square distance of the first of each pair from the best affine image of the second, and that of
/// the second from its mean.
fn off_affine<I: Iterator<Item = (Vec3, Vec3)>>(pairs: impl Fn() -> I) -> (f64, f64) {
    let (mut n, mut y, mut r) = (0.0, DVec3::ZERO, DVec3::ZERO);
    pairs().for_each(|(a, b)| (n, y, r) = (n + 1.0, y + a.as_dvec3(), r + b.as_dvec3()));
    let (y, r) = (y / n, r / n);
    let outer = |p: DVec3, q: DVec3| DMat3::from_cols(p * q.x, p * q.y, p * q.z);
    let (mut a, mut s, mut all) = (DMat3::ZERO, DMat3::ZERO, 0.0);
    for (p, q) in pairs() {
        let (p, q) = (p.as_dvec3() - y, q.as_dvec3() - r);
        (a, s, all) = (a + outer(p, q), s + outer(q, q), all + p.length_squared());
    }
    // Flat bodies have no inverse; a hair more scatter gives them one.
    let size = s.x_axis.x + s.y_axis.y + s.z_axis.z;
    let f = a * (s + DMat3::IDENTITY * (1e-12 * size)).inverse();
    let matched = (f.transpose() * a).to_cols_array();
    (((all - matched[0] - matched[4] - matched[8]).max(0.0) / n).sqrt(), (size / n).sqrt())
}

/// Degrees that the whole body has turned: by the rotation of its best rigid placement, A_xr made orthogonal by
/// Higham's iteration. Not a number for a body turned inside out.
fn turned(body: &Body) -> f32 {
    let centre = body.centre_of_mass().as_dvec3();
    let mut r = DMat3::ZERO;
    for (x, q) in body.raw_positions().iter().zip(body.shape().rest()) {
        let (p, q) = (x.truncate().as_dvec3() - centre, q.truncate().as_dvec3());
        r += DMat3::from_cols(p * q.x, p * q.y, p * q.z);
    }
    for _ in 0..40 {
        r = (r + r.inverse().transpose()) * 0.5;
    }
    let trace = r.x_axis.x + r.y_axis.y + r.z_axis.z;
    ((trace - 1.0) * 0.5).clamp(-1.0, 1.0).acos().to_degrees() as f32
}
