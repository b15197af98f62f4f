//! Three hollow balls, alike but for their level weights, fall on the ground: from
//! left to right the weight lies towards the coarse levels, on all levels alike,
//! and towards the fine ones.
//!
//! `cargo xtask demo` runs it. `--out DIR` chooses the folder of the pictures,
//! `--width PIXELS` their size, and `--quick` makes it short and small.

#[path = "../tests/scenes/mod.rs"]
mod scenes;
mod support;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use support::picture::{Picture, write_animation};
use support::render::{Camera, Renderer, Splat};
use support::tints::tints;
use wobble::{
    Body, BodyDef, BodyId, Damping, LevelsDef, Material, Plane, Profile, Shape, Stiffness, Towards,
    Weighting, World, WorldDef,
};

/// Drawn radius of a particle, metres: enough to close the gaps of a stretched ball.
const DRAWN: f32 = 0.04;
const STEPS_PER_SECOND: usize = 60;
/// Every how many steps a picture is taken.
const STEPS_PER_FRAME: usize = 2;
/// Moments on the sheet of stills.
const STILLS: usize = 6;

/// Weighting, its name, where the ball is let go, and its colour (linear).
const BALLS: [(Weighting, &str, Vec3, Vec3); 3] = [
    (steep(Towards::Coarse), "coarse", Vec3::new(-1.45, 1.3, 0.0), Vec3::new(0.85, 0.18, 0.10)),
    (Weighting::Uniform, "uniform", Vec3::new(0.0, 1.3, 0.0), Vec3::new(0.88, 0.50, 0.06)),
    (steep(Towards::Fine), "fine", Vec3::new(1.45, 1.3, 0.0), Vec3::new(0.05, 0.38, 0.42)),
];

/// Of three levels, the one preferred gets nine tenths of the weight.
const fn steep(towards: Towards) -> Weighting {
    Weighting::Polynomial { b: 9.0, c: 4.0, towards }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read(std::env::args().skip(1))?;
    let def = LevelsDef { particles_per_cluster: 50, ..LevelsDef::default() };
    let shape = Shape::from_points(&scenes::shell_5098(), None, &def)?;
    print_levels(&shape);

    let (mut world, balls) = scene(&shape)?;
    let heights: Vec<f32> =
        balls.iter().map(|ball| Ok(height(world.body(*ball)?))).collect::<Result<_, wobble::Error>>()?;
    let mut film = Film::new(&shape, &options);
    let mut profiles = Vec::with_capacity(options.steps);
    for step in 0..options.steps {
        if step % STEPS_PER_FRAME == 0 {
            film.take(&world, &balls)?;
        }
        world.step(1.0 / STEPS_PER_SECOND as f32)?;
        profiles.push(world.profile());
    }
    print_times(&profiles);
    print_shapes(&world, &balls, &heights)?;
    film.write(&options.out)
}

struct Options {
    out: PathBuf,
    steps: usize,
    /// Pixels.
    width: usize,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/demo");
        let mut options = Options { out: folder, steps: 5 * STEPS_PER_SECOND / 2, width: 576 };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--out" => options.out = arguments.next().ok_or("--out needs a folder")?.into(),
                "--quick" => (options.steps, options.width) = (STEPS_PER_SECOND / 2, 160),
                "--width" => {
                    options.width =
                        arguments.next().and_then(even).ok_or("--width needs an even number, 32 to 4096")?
                }
                _ => return Err(format!("{argument:?} is none of --quick, --out DIR and --width PIXELS")),
            }
        }
        Ok(options)
    }
}

fn even(text: String) -> Option<usize> {
    text.parse().ok().filter(|width| (32..=4096).contains(width) && width % 2 == 0)
}

/// The ground, and the balls above it.
fn scene(shape: &Arc<Shape>) -> Result<(World, Vec<BodyId>), wobble::Error> {
    let mut world = World::new(&WorldDef::default())?;
    world.add_plane(&Plane::default())?;
    let material = Material {
        stiffness: Stiffness::Hertz(15.0),
        damping: Damping::PerSecond(12.0),
        ..Material::default()
    };
    let mut balls = Vec::new();
    for (weighting, _, position, _) in BALLS {
        let ball = world.add_body(shape, &BodyDef { position, material, ..BodyDef::default() })?;
        world.body_mut(ball)?.set_weighting(&weighting)?;
        balls.push(ball);
    }
    Ok((world, balls))
}

/// Takes the pictures, and keeps them until they are written.
struct Film {
    renderer: Renderer,
    splats: Vec<Splat>,
    frames: Vec<Picture>,
}

impl Film {
    fn new(shape: &Shape, options: &Options) -> Film {
        let camera =
            Camera { eye: Vec3::new(0.0, 1.5, 7.5), target: Vec3::new(0.0, 0.85, 0.0), opening: 0.34 };
        let tints = tints(shape);
        let splat = |colour| Splat { centre: Vec3::ZERO, radius: DRAWN, colour };
        Film {
            renderer: Renderer::new(options.width, options.width * 9 / 16, &camera, 4.0),
            splats: BALLS
                .iter()
                .flat_map(|ball| tints.iter().map(move |tint| splat(ball.3 * *tint)))
                .collect(),
            frames: Vec::new(),
        }
    }

    fn take(&mut self, world: &World, balls: &[BodyId]) -> Result<(), wobble::Error> {
        let mut splats = self.splats.iter_mut();
        for ball in balls {
            // Drawn one particle's radius above the ground, on which the centres lie.
            for (position, splat) in world.body(*ball)?.raw_positions().iter().zip(&mut splats) {
                splat.centre = position.truncate() + Vec3::Y * DRAWN;
            }
        }
        self.frames.push(self.renderer.draw(&self.splats));
        Ok(())
    }

    fn write(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        std::fs::create_dir_all(folder)?;
        let (film, sheet) = (folder.join("drop.png"), folder.join("drop-sheet.png"));
        write_animation(&self.frames, (STEPS_PER_SECOND / STEPS_PER_FRAME) as u16, &film)?;
        let moments =
            (0..STILLS).map(|still| self.frames[still * (self.frames.len() - 1) / (STILLS - 1)].halved());
        Picture::sheet(&moments.collect::<Vec<_>>(), 3).write(&sheet)?;
        println!("\npictures: {} (moving), {}", film.display(), sheet.display());
        Ok(())
    }
}

fn print_levels(shape: &Shape) {
    println!("{} particles\n\nlevel  clusters  radius (m)  clusters a particle", shape.particle_count());
    for (index, level) in shape.levels().iter().enumerate() {
        let report = level.report();
        let (clusters, held) = (level.cluster_count(), report.memberships_per_particle);
        println!("{index:>5}  {clusters:>8}  {:>10.3}  {held:>19.1}", report.radius);
    }
}

fn print_times(profiles: &[Profile]) {
    let row = |stage: &str, seconds: fn(&Profile) -> f32| {
        let mut times: Vec<f32> = profiles.iter().map(|profile| seconds(profile) * 1e3).collect();
        times.sort_by(f32::total_cmp);
        println!("{stage:<9}  {:>7.3}  {:>7.3}", times[times.len() / 2], times[times.len() - 1]);
    };
    println!("\nms a step   median  longest");
    row("match", |profile| profile.matching);
    row("goals", |profile| profile.goals);
    row("integrate", |profile| profile.integrate);
    row("strain", |profile| profile.strain);
    row("all", |profile| profile.total);
}

fn print_shapes(world: &World, balls: &[BodyId], heights: &[f32]) -> Result<(), wobble::Error> {
    println!("\nweights towards  height kept  shape error");
    for ((ball, (_, name, ..)), at_first) in balls.iter().zip(&BALLS).zip(heights) {
        let body = world.body(*ball)?;
        println!("{name:<15}  {:>11.3}  {:>11.4}", height(body) / at_first, body.shape_error());
    }
    Ok(())
}

fn height(body: &Body) -> f32 {
    let (low, high) = body.bounds();
    high.y - low.y
}
