//! Lasting change: bars fall across a rail. The first springs back, the second stays bent, the third is cut in the air, the
//! fourth breaks.
//!
//! `cargo run --release --example lasting` writes target/demo/lasting.png: four moments.

#[path = "../tests/scenes/mod.rs"]
mod scenes;
mod support;

use std::error::Error;
use std::path::Path;

use glam::Vec3;
use support::picture::Picture;
use support::render::{Camera, Renderer, Splat};
use wobble::{
    BodyDef, BodyId, ColliderDef, ColliderShape, Fracture, Knife, LevelsDef, Material, Plane, Plasticity,
    Shape, Stiffness, World, WorldDef,
};

const SPACING: f32 = 0.04;
/// Steps after which a picture is taken.
const MOMENTS: [usize; 4] = [0, 16, 30, 200];
/// Of the bars, and of the pieces that come off them.
const COLOURS: [Vec3; 5] = [
    Vec3::new(0.05, 0.38, 0.42),
    Vec3::new(0.85, 0.18, 0.10),
    Vec3::new(0.88, 0.50, 0.06),
    Vec3::new(0.30, 0.45, 0.10),
    Vec3::new(0.60, 0.55, 0.50),
];

fn main() -> Result<(), Box<dyn Error>> {
    let (mut world, bars) = scene()?;
    let camera = Camera { eye: Vec3::new(2.2, 2.6, 4.4), target: Vec3::new(0.0, 0.5, -0.2), opening: 0.75 };
    let mut renderer = Renderer::new(1280, 800, &camera, 3.0);
    let mut pictures = Vec::new();
    for step in 0..=MOMENTS[3] {
        if step == 8 {
            let normal = Vec3::new(1.0, 0.5, 0.0);
            world.cut(bars[2], &Knife::Plane { point: world.body(bars[2])?.centre_of_mass(), normal })?;
        }
        if MOMENTS.contains(&step) {
            pictures.push(renderer.draw(&splats(&world, &bars)).halved());
        }
        world.step(1.0 / 60.0)?;
        for piece in world.breaks() {
            println!("step {step}: a piece of {} particles", piece.particles.len());
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/demo");
    std::fs::create_dir_all(&folder)?;
    Picture::sheet(&pictures, 2).write(&folder.join("lasting.png"))?;
    Ok(())
}

/// The ground, the rail, and the bars above it.
fn scene() -> Result<(World, Vec<BodyId>), wobble::Error> {
    let bar = Shape::from_points(&scenes::grid(41, 6, 6, SPACING), None, &LevelsDef::default())?;
    let mut world = World::new(&WorldDef::default())?;
    world.add_plane(&Plane::default())?;
    let rail = ColliderShape::Box { half_extents: Vec3::new(0.06, 0.3, 2.0) };
    world.add_collider(&ColliderDef { shape: rail, position: Vec3::Y * 0.3, ..ColliderDef::default() })?;
    let material = Material { stiffness: Stiffness::Hertz(25.0), ..Material::default() };
    let mut bars = Vec::new();
    for k in 0..4 {
        let position = Vec3::new(0.0, 1.4, 1.05 - 0.7 * k as f32);
        let def = BodyDef { position, velocity: Vec3::Y * -4.0, material, ..BodyDef::default() };
        bars.push(world.add_body(&bar, &def)?);
    }
    let dented = Plasticity { yield_strain: 0.03, ..Plasticity::default() };
    world.body_mut(bars[1])?.set_plasticity(Some(dented))?;
    let brittle = Fracture { toughness: 0.12, ..Fracture::default() };
    world.body_mut(bars[3])?.set_fracture(Some(brittle))?;
    Ok((world, bars))
}

fn splats(world: &World, bars: &[BodyId]) -> Vec<Splat> {
    let mut splats = Vec::new();
    for (id, body) in world.bodies() {
        let k = bars.iter().position(|bar| *bar == id).unwrap_or(COLOURS.len() - 1);
        splats.extend(body.raw_positions().iter().map(|x| Splat {
            centre: x.truncate(),
            radius: 0.75 * SPACING,
            colour: COLOURS[k],
        }));
    }
    splats
}
