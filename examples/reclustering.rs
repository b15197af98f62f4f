//! Large flow: RC's beam, compressed for four seconds and let go, without and with new clusters for what has flowed far.
//!
//! `cargo run --release --example reclustering` writes target/demo/reclustering.png: above without, below with; left when it is
//! let go, right three seconds later. With `twisted` it is twisted instead.

#[path = "../tests/scenes/mod.rs"]
mod scenes;
mod support;

use std::error::Error;
use std::path::Path;

use glam::Vec3;
use scenes::beams;
use support::picture::Picture;
use support::render::{Camera, Renderer, Splat};
use wobble::Body;

/// Of the stripes that the beam has at rest.
const COLOURS: [Vec3; 2] = [Vec3::new(0.85, 0.18, 0.10), Vec3::new(0.05, 0.38, 0.42)];
/// Steps after which pictures are taken.
const MOMENTS: [usize; 2] = [beams::PUSHED, beams::PUSHED + 180];

fn main() -> Result<(), Box<dyn Error>> {
    let twisted = std::env::args().any(|word| word == "twisted");
    let points = beams::particles();
    let shape = beams::shape(&points, beams::CLUSTERS, 1);
    let camera = Camera { eye: Vec3::new(0.6, 1.6, 3.4), target: Vec3::ZERO, opening: 0.75 };
    let mut renderer = Renderer::new(960, 640, &camera, 2.0);
    let mut pictures = Vec::new();
    for limit in [0.0, beams::WORN] {
        let (mut world, id) = beams::world(&shape, beams::flowing(limit), 0);
        let mut new = 0;
        for step in 0..=MOMENTS[1] {
            if MOMENTS.contains(&step) {
                let body = world.body(id)?;
                println!("step {step}: {:?}, {new} new clusters", beams::sizes(body));
                pictures.push(renderer.draw(&splats(&points, body)).halved());
            }
            beams::step(&mut world, id, twisted, step);
            new += world.profile().new_clusters;
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/demo");
    std::fs::create_dir_all(&folder)?;
    Picture::sheet(&pictures, 2).write(&folder.join("reclustering.png"))?;
    Ok(())
}

fn splats(rest: &[Vec3], body: &Body) -> Vec<Splat> {
    let stripe = |r: &Vec3| COLOURS[(r.x * 5.0).floor().rem_euclid(2.0) as usize];
    let at = beams::positions(body);
    at.iter().zip(rest).map(|(x, r)| Splat { centre: *x, radius: 0.035, colour: stripe(r) }).collect()
}
