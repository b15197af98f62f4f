//! The pictures of the README and the book: what a dial does to the look, side by side.
//!
//! `cargo run --release --example pictures` writes weightings.png, materials.png and stiffness.png into docs/src; each row is
//! a moment: soon after the landing, and rest. `--out DIR` chooses another folder, `--quick` makes small pictures.

#[path = "../tests/scenes/mod.rs"]
mod scenes;
mod support;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use support::picture::Picture;
use support::render::{Camera, Renderer, Splat};
use wobble::{
    BodyDef, BodyId, Damping, LevelsDef, Material, Particles, Plane, Preset, Shape, SkinBuffers, Solid,
    Stiffness, Towards, Weighting, World, WorldDef,
};

/// Cells of the grid that the mesh of a ball is made on, and the radius its vertices are drawn with, metres: enough to close
/// the gaps of a stretched one.
const CELLS: u32 = 72;
const DRAWN: f32 = 0.022;
/// Metres from one ball to the next.
const APART: f32 = 1.35;
/// From how high the lowest points fall, metres.
const DROP: f32 = 0.8;
/// The steps, of 1/60 s, at which pictures are taken.
const MOMENTS: [usize; 2] = [36, 300];
const COLOURS: [Vec3; 6] = [
    Vec3::new(0.85, 0.18, 0.10),
    Vec3::new(0.88, 0.50, 0.06),
    Vec3::new(0.40, 0.45, 0.08),
    Vec3::new(0.05, 0.38, 0.42),
    Vec3::new(0.10, 0.16, 0.55),
    Vec3::new(0.40, 0.12, 0.45),
];

type Look = (Material, Weighting);

fn main() -> Result<(), Box<dyn Error>> {
    let (mut folder, mut height) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src"), 240);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--out" => folder = PathBuf::from(arguments.next().ok_or("--out needs a folder")?),
            "--quick" => height = 60,
            _ => return Err(format!("{argument:?} is none of --out DIR and --quick").into()),
        }
    }
    std::fs::create_dir_all(&folder)?;
    let levels = LevelsDef { particles_per_cluster: 50, ..LevelsDef::default() };
    let points = scenes::shell_5098();
    let particles = Particles { points: &points, ..Particles::default() };
    let mesh = Solid::ball(0.5 - DRAWN)?.mesh(CELLS)?;
    let shape = Shape::from_particles_and_mesh(&particles, &mesh.as_mesh(), &levels, &mut |_| true)?;
    for (name, looks) in
        [("weightings", weightings()), ("materials", materials()), ("stiffness", stiffness())]
    {
        let file = folder.join(name).with_extension("png");
        rows(&shape, &looks, height)?.write(&file)?;
        println!("{}", file.display());
    }
    Ok(())
}

/// One soft material; from left to right the weight moves from the coarsest level to the finest.
fn weightings() -> Vec<Look> {
    let soft = Material {
        stiffness: Stiffness::Hertz(15.0),
        damping: Damping::PerSecond(12.0),
        ..Material::default()
    };
    let steep = |towards| Weighting::Polynomial { b: 9.0, c: 4.0, towards };
    let all = [
        Weighting::Manual(vec![0.0, 0.0, 1.0]),
        steep(Towards::Coarse),
        Weighting::Uniform,
        steep(Towards::Fine),
        Weighting::Manual(vec![1.0, 0.0, 0.0]),
    ];
    all.into_iter().map(|weighting| (soft, weighting)).collect()
}

/// Every material by name.
fn materials() -> Vec<Look> {
    let presets = Material::NAMES.iter().filter_map(|name| Preset::named(name));
    presets.map(|Preset { material, weighting }| (material, weighting)).collect()
}

/// Nothing differs but the frequency.
fn stiffness() -> Vec<Look> {
    let look = |hertz| Material { stiffness: Stiffness::Hertz(hertz), ..Material::default() };
    [5.0, 10.0, 20.0, 40.0, 80.0].map(|hertz| (look(hertz), Weighting::Uniform)).into()
}

/// One ball for each look, side by side, at each of the moments.
fn rows(shape: &Arc<Shape>, looks: &[Look], height: usize) -> Result<Picture, wobble::Error> {
    let width = APART * looks.len() as f32;
    let mut world = World::new(&WorldDef::default())?;
    world.add_plane(&Plane::default())?;
    world.set_bodies_meet(false);
    let mut balls = Vec::new();
    for (index, (material, weighting)) in looks.iter().enumerate() {
        let x = (index as f32 + 0.5) * APART - 0.5 * width;
        let position = Vec3::new(x, 0.5 + DROP, 0.0);
        let ball = world.add_body(shape, &BodyDef { position, material: *material, ..BodyDef::default() })?;
        world.body_mut(ball)?.set_weighting(weighting)?;
        balls.push(ball);
    }
    // Far off, so that the outer balls are seen from the side as the middle ones are.
    let camera = Camera { eye: Vec3::new(0.0, 2.6, 22.0), target: Vec3::new(0.0, 0.62, 0.0), opening: 0.068 };
    // Drawn twice as large and halved: vertices are so dense that they would flicker.
    let pixels = (height as f32 * width / (camera.opening * 22.0)) as usize;
    let mut renderer = Renderer::new(2 * pixels, 2 * height, &camera, width);
    let mut pictures = Vec::new();
    for step in 0..=MOMENTS[1] {
        if MOMENTS.contains(&step) {
            let mut splats = Vec::new();
            for (index, ball) in balls.iter().enumerate() {
                let x = (index as f32 + 0.5) * APART - 0.5 * width;
                splats.extend(drawn(&world, *ball, x, COLOURS[index])?);
            }
            pictures.push(renderer.draw(&splats).halved());
        }
        world.step(1.0 / 60.0)?;
    }
    Ok(Picture::sheet(&pictures, 1))
}

/// A ball as it is now, drawn where it fell: balls of points at random roll off a little.
fn drawn(world: &World, ball: BodyId, x: f32, colour: Vec3) -> Result<Vec<Splat>, wobble::Error> {
    let body = world.body(ball)?;
    let mut vertices = vec![Vec3::ZERO; body.shape().skin().map_or(0, |skin| skin.vertex_count())];
    body.read_skin(1.0, &mut SkinBuffers { positions: Some(&mut vertices), ..SkinBuffers::default() })?;
    let (centre, place) = (body.centre_of_mass(), Vec3::new(x, 0.0, 0.0));
    let shift = (place - centre).with_y(0.0);
    Ok(vertices.iter().map(|v| Splat { centre: *v + shift, radius: DRAWN, colour }).collect())
}
