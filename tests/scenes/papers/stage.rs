//! A scene about to be played, and what scenes are set up with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use glam::Vec3;
use wobble::{
    BodyDef, BodyId, Damping, Error, LevelsDef, Material, Plane, Shape, Stiffness, Weighting, World, WorldDef,
};

/// How a scene is to be built.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Threads that step; 0 takes all cores. Changes no bit.
    pub threads: u32,
    /// With a few hundred particles in place of the papers' numbers: for tests, and for those in a hurry.
    pub quick: bool,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup { threads: 1, quick: false }
    }
}

/// What the host does before a step: the world, the stage's bodies, and seconds since the beginning.
pub type Drive = Box<dyn FnMut(&mut World, &[BodyId], f32) -> Result<(), Error> + Send>;

/// A number that a scene is about, besides shape and speed.
#[derive(Clone, Copy)]
pub struct Probe {
    /// With its unit: `"gap between ball and wall, m"`.
    pub name: &'static str,
    /// Read between steps.
    pub read: fn(&World, &[BodyId]) -> f32,
}

/// A world ready for its first step, and how to look at it.
pub struct Stage {
    pub world: World,
    /// The bodies that the scene is about, the main one first.
    pub bodies: Vec<BodyId>,
    /// Radius to draw the particles of each of them with, metres, so that no gaps show.
    pub drawn: Vec<f32>,
    /// Seconds a step, and of the whole scene.
    pub dt: f32,
    pub seconds: f32,
    /// Where to look from, and at what.
    pub eye: Vec3,
    pub target: Vec3,
    pub drive: Option<Drive>,
    pub probe: Option<Probe>,
    /// Whether the elastic energy of the main body is measured, which takes as long as a step.
    pub elastic: bool,
    /// Steps so far.
    pub done: u32,
}

impl Stage {
    /// An empty world without gravity, one substep a step, in which nothing falls asleep.
    pub fn new(setup: &Setup, dt: f32, seconds: f32) -> Result<Stage, Error> {
        let def = WorldDef {
            gravity: Vec3::ZERO,
            threads: setup.threads,
            substeps: 1,
            sleeping: false,
            ..WorldDef::default()
        };
        Ok(Stage {
            world: World::new(&def)?,
            bodies: Vec::new(),
            drawn: Vec::new(),
            dt,
            seconds,
            eye: Vec3::new(0.0, 1.5, 6.0),
            target: Vec3::Y * 0.7,
            drive: None,
            probe: None,
            elastic: false,
            done: 0,
        })
    }

    /// With earth's gravity and a floor at y = 0.
    pub fn on_ground(setup: &Setup, dt: f32, seconds: f32) -> Result<Stage, Error> {
        let mut stage = Stage::new(setup, dt, seconds)?;
        stage.world.set_gravity(Vec3::Y * -9.81)?;
        stage.world.add_plane(&Plane::default())?;
        Ok(stage)
    }

    /// Adds a body that the scene is about.
    pub fn add(&mut self, shape: &Arc<Shape>, def: &BodyDef, weights: &Weighting) -> Result<BodyId, Error> {
        let id = self.world.add_body(shape, def)?;
        self.world.body_mut(id)?.set_weighting(weights)?;
        self.bodies.push(id);
        self.drawn.push(0.85 * spacing(shape));
        Ok(id)
    }

    /// Seen from `eye`, looking at `target`.
    pub fn seen(mut self, eye: Vec3, target: Vec3) -> Stage {
        (self.eye, self.target) = (eye, target);
        self
    }

    /// Steps of the whole scene.
    pub fn steps(&self) -> u32 {
        (self.seconds / self.dt).round() as u32
    }

    /// Seconds so far.
    pub fn time(&self) -> f32 {
        self.done as f32 * self.dt
    }

    /// What the host does, then a step.
    pub fn step(&mut self) -> Result<(), Error> {
        let time = self.time();
        if let Some(drive) = &mut self.drive {
            drive(&mut self.world, &self.bodies, time)?;
        }
        self.world.step(self.dt)?;
        self.done += 1;
        Ok(())
    }

    /// The probe's number now.
    pub fn probed(&self) -> Option<f32> {
        self.probe.map(|probe| (probe.read)(&self.world, &self.bodies))
    }
}

/// α and k_d per step as the papers give them, all else as it is by default.
pub fn material(alpha: f32, k_d: f32) -> Material {
    Material { stiffness: Stiffness::PerStep(alpha), damping: Damping::PerStep(k_d), ..Material::default() }
}

/// So many clusters on one level, as MR's baselines.
pub fn single(clusters: u32) -> LevelsDef {
    LevelsDef { finest_clusters: Some(clusters), max_levels: 1, ..as_published() }
}

/// Five clusters a particle, about as many as in the scenes as their authors ran them; the library's default is fewer.
pub fn as_published() -> LevelsDef {
    LevelsDef { overlap: 5.0, ..LevelsDef::default() }
}

/// One cluster for so many particles on the finest level, and all levels above.
pub fn several(per_cluster: u32) -> LevelsDef {
    LevelsDef { particles_per_cluster: per_cluster, ..as_published() }
}

/// The shape of a set of points, made at the first call: variants share it.
pub fn shape(points: &[Vec3], def: &LevelsDef) -> Result<Arc<Shape>, Error> {
    type Known = BTreeMap<(usize, u64, String), Arc<Shape>>;
    static KNOWN: Mutex<Known> = Mutex::new(Known::new());
    // FNV-1a: tells sets of the same number apart.
    let bits = points.iter().flat_map(|p| p.to_array()).map(|c| u64::from(c.to_bits()));
    let hash = bits.fold(0xcbf2_9ce4_8422_2325, |h: u64, b| (h ^ b).wrapping_mul(0x100_0000_01b3));
    let key = (points.len(), hash, format!("{def:?}"));
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(shape) = known().get(&key) {
        return Ok(shape.clone());
    }
    let shape = Shape::from_points(points, None, def)?;
    known().insert(key, shape.clone());
    Ok(shape)
}

/// How far apart the particles of a shape are, metres: the median distance to the sixth nearest, for some of them.
fn spacing(shape: &Shape) -> f32 {
    let rest = shape.rest();
    let mut all: Vec<f32> = rest
        .iter()
        .step_by(rest.len().div_ceil(60).max(1))
        .map(|p| {
            let mut off: Vec<f32> = rest.iter().map(|q| p.truncate().distance(q.truncate())).collect();
            let sixth = 6.min(off.len() - 1);
            *off.select_nth_unstable_by(sixth, f32::total_cmp).1
        })
        .collect();
    all.sort_by(f32::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(0.05)
}
