//! Lasting change: two bars fall across a rail. The first springs back, the second stays bent.
//!
//! `cargo run --release --example lasting` writes target/demo/lasting.png: a row for each moment.

#[path = "../tests/scenes/mod.rs"]
mod scenes;
mod support;

use std::error::Error;
use std::path::Path;

use glam::Vec3;
use support::picture::Picture;
use support::render::{Camera, Renderer, Splat};
use wobble::{
    BodyDef, BodyId, ColliderDef, ColliderShape, LevelsDef, Material, Plane, Plasticity, Shape, Stiffness,
    World, WorldDef,
};

const SPACING: f32 = 0.04;
/// Steps after which a picture is taken.
const MOMENTS: [usize; 4] = [0, 18, 30, 240];

fn main() -> Result<(), Box<dyn Error>> {
    let bar = Shape::from_points(&scenes::grid(41, 6, 6, SPACING), None, &LevelsDef::default())?;
    let mut world = World::new(&WorldDef::default())?;
    world.add_plane(&Plane::default())?;
    let half_extents = Vec3::new(0.06, 0.3, 1.6);
    let rail = ColliderShape::Box { half_extents };
    world.add_collider(&ColliderDef { shape: rail, position: Vec3::Y * 0.3, ..ColliderDef::default() })?;
    let material = Material { stiffness: Stiffness::Hertz(25.0), ..Material::default() };
    let mut bars = Vec::new();
    for (k, plasticity) in
        [None, Some(Plasticity { yield_strain: 0.03, ..Plasticity::default() })].into_iter().enumerate()
    {
        let position = Vec3::new(0.0, 1.4, 0.8 - 1.6 * k as f32);
        let velocity = Vec3::Y * -4.0;
        let id = world.add_body(&bar, &BodyDef { position, velocity, material, ..BodyDef::default() })?;
        world.body_mut(id)?.set_plasticity(plasticity)?;
        bars.push(id);
    }
    let camera = Camera { eye: Vec3::new(0.6, 1.9, 4.6), target: Vec3::new(0.0, 0.5, 0.0), opening: 0.7 };
    let mut renderer = Renderer::new(1280, 800, &camera, 3.0);
    let mut pictures = Vec::new();
    for step in 0..=MOMENTS[3] {
        if MOMENTS.contains(&step) {
            pictures.push(renderer.draw(&splats(&world, &bars)?).halved());
        }
        world.step(1.0 / 60.0)?;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/demo");
    std::fs::create_dir_all(&folder)?;
    Picture::sheet(&pictures, 2).write(&folder.join("lasting.png"))?;
    Ok(())
}

fn splats(world: &World, bars: &[BodyId]) -> Result<Vec<Splat>, wobble::Error> {
    let colours = [Vec3::new(0.05, 0.38, 0.42), Vec3::new(0.85, 0.18, 0.10)];
    let mut splats = Vec::new();
    for (id, body) in world.bodies() {
        let k = bars.iter().position(|bar| *bar == id).unwrap_or(0);
        splats.extend(body.raw_positions().iter().map(|x| Splat {
            centre: x.truncate(),
            radius: 0.75 * SPACING,
            colour: colours[k % 2],
        }));
    }
    Ok(splats)
}
