//! The bodies that are timed, and the motion they are in.
//!
//! Shapes are built once and shared by all rows. A scene is one world with one
//! body; only the call to `step` is ever inside a measurement.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use wobble::{BodyDef, BodyId, LevelsDef, Material, Nesting, Shape, StrainLimit, World, WorldDef};

use crate::alloc;
use crate::harness::{Bench, seconds};
use crate::points;

/// Seconds a step: one substep of a world at 60 Hz with the default four.
pub const DT: f32 = 1.0 / 240.0;

/// Steps from one stir of a lively body to the next.
pub const STIR: u32 = 32;

/// Whose particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Body {
    /// MR's Falling Ball, levels 101, 12, 1.
    Ball,
    /// MR's Hovering Cube, levels 66, 8, 1.
    Cube,
    /// MR's Falling Bunny, levels 330, 41, 5, 1.
    Bunny,
    /// 50 by 50 by 50, levels 8192, 1024, 128, 16, 2, 1.
    Grid,
}

impl Body {
    /// All of them, in the order of the table.
    pub const ALL: [Body; 4] = [Body::Ball, Body::Cube, Body::Bunny, Body::Grid];

    /// How rows call it.
    pub fn name(self) -> &'static str {
        match self {
            Body::Ball => "ball",
            Body::Cube => "cube",
            Body::Bunny => "bunny",
            Body::Grid => "grid",
        }
    }

    fn points(self, smoke: bool) -> Vec<Vec3> {
        let papers = |name, stand_in: fn() -> Vec<Vec3>| {
            points::papers_particles(name).unwrap_or_else(|| {
                println!("a made-up set of as many particles stands in for {name}");
                stand_in()
            })
        };
        match self {
            Body::Grid if smoke => points::grid(10, 10, 10, 0.02),
            Body::Grid => points::grid(50, 50, 50, 0.02),
            Body::Ball => papers("shell-5k", points::shell_5098),
            Body::Cube => papers("cube-1331", points::cube_1331),
            Body::Bunny => papers("bunny-16525", || points::shell(16_525, 0.5, 0.0, 2)),
        }
    }

    fn def(self, smoke: bool) -> LevelsDef {
        let mut def = LevelsDef { threads: 2, ..LevelsDef::default() };
        match self {
            Body::Ball | Body::Bunny => def.particles_per_cluster = 50,
            Body::Cube => def.particles_per_cluster = 20,
            Body::Grid => def.finest_clusters = Some(if smoke { 65 } else { 8192 }),
        }
        def
    }
}

/// Which levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Levels {
    /// All, each clustering the one below.
    Nested,
    /// All, each clustering the particles.
    Independent,
    /// The finest alone: the classic method.
    Finest,
}

/// A shape and what making it took.
#[derive(Clone)]
pub struct Built {
    /// The shape.
    pub shape: Arc<Shape>,
    /// Wall time, on 2 threads.
    pub seconds: f64,
    /// Heap it holds.
    pub bytes: usize,
}

/// Shapes made so far.
pub struct Shapes {
    smoke: bool,
    built: BTreeMap<(Body, Levels), Built>,
}

impl Shapes {
    /// None yet.
    pub fn new(bench: &Bench) -> Shapes {
        Shapes { smoke: bench.smoke(), built: BTreeMap::new() }
    }

    /// The shape, made at the first call.
    pub fn get(&mut self, body: Body, levels: Levels) -> Built {
        let smoke = self.smoke;
        let make = || {
            let mut def = body.def(smoke);
            match levels {
                Levels::Nested => def.nesting = Nesting::Nested,
                Levels::Independent => def.nesting = Nesting::Independent,
                Levels::Finest => def.max_levels = 1,
            }
            build(&body.points(smoke), &def)
        };
        self.built.entry((body, levels)).or_insert_with(make).clone()
    }
}

/// Makes a shape, timed and weighed.
pub fn build(points: &[Vec3], def: &LevelsDef) -> Built {
    let before = alloc::live_bytes();
    let mut shape = None;
    let seconds = seconds(|| shape = Some(Shape::from_points(points, None, def)));
    let shape = shape.expect("was just made").expect("the points are sound");
    Built { shape, seconds, bytes: alloc::live_bytes().saturating_sub(before) }
}

/// How a body is kept moving while it is timed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// Left alone at rest, without gravity.
    Calm,
    /// Swayed now and then, so that rotations change from step to step.
    Lively,
    /// Torn at before every step, so that every cluster breaks the strain limit in every round.
    Violent,
}

/// One world with one body.
pub struct Scene {
    /// The world.
    pub world: World,
    /// The body.
    pub body: BodyId,
    motion: Motion,
    steps: u32,
    velocities: Vec<Vec3>,
}

impl Scene {
    /// A body of `shape` on `threads` threads, one substep a step, no gravity.
    pub fn new(shape: &Arc<Shape>, material: Material, threads: u32, motion: Motion) -> Scene {
        let mut world = empty_world(threads);
        let def = BodyDef { material, ..BodyDef::default() };
        let body = world.add_body(shape, &def).expect("the material is sound");
        let velocities = velocities(shape, motion);
        let mut scene = Scene { world, body, motion, steps: 0, velocities };
        scene.step();
        scene
    }

    /// Seconds of one step.
    pub fn step(&mut self) -> f64 {
        match self.motion {
            Motion::Calm => {}
            Motion::Lively if self.steps.is_multiple_of(STIR) => self.stir(),
            Motion::Lively => {}
            Motion::Violent => self.stir(),
        }
        self.steps += 1;
        seconds(|| self.world.step(DT).expect("the body stays finite"))
    }

    /// Puts the body back to rest and gives every particle its velocity.
    fn stir(&mut self) {
        let body = self.world.body_mut(self.body).expect("never removed");
        body.reset();
        for (i, &velocity) in self.velocities.iter().enumerate() {
            body.set_velocity_of(i, velocity).expect("finite");
        }
    }
}

/// A world without gravity that takes one substep a step.
pub fn empty_world(threads: u32) -> World {
    let def = WorldDef { gravity: Vec3::ZERO, threads, substeps: 1, sleeping: false, ..WorldDef::default() };
    World::new(&def).expect("the definition is sound")
}

/// One for many bodies whose contacts do not count: these have rows of their own.
pub fn world_without_contacts(threads: u32) -> World {
    let mut world = empty_world(threads);
    world.set_bodies_meet(false);
    world
}

/// The default material with five strain-limiting rounds.
pub fn strained() -> Material {
    Material { strain: Some(StrainLimit { rounds: 5, ..StrainLimit::default() }), ..Material::default() }
}

/// Velocities that bring about `motion`, in the caller's order of particles.
pub fn velocities(shape: &Shape, motion: Motion) -> Vec<Vec3> {
    let finest = shape.clusters(0);
    let width = finest.iter().map(|cluster| cluster.width).sum::<f32>() / finest.len() as f32;
    // One wave over five clusters, moving a particle by a hundredth of a cluster a
    // step; or half a wave over one, moving it by more than one.
    let (wave, reach) = match motion {
        Motion::Calm => return Vec::new(),
        Motion::Lively => (10.0 * width, 0.01 * width),
        Motion::Violent => (2.0 * width, 2.0 * width),
    };
    let mut out = vec![Vec3::ZERO; shape.particle_count()];
    for (rest, &caller) in shape.rest().iter().zip(shape.order()) {
        let phase = rest.truncate() * (std::f32::consts::TAU / wave);
        let sway = Vec3::new(
            phase.y.sin() + phase.z.cos(),
            phase.z.sin() + phase.x.cos(),
            phase.x.sin() + phase.y.cos(),
        );
        out[caller as usize] = sway * (reach / DT);
    }
    out
}
