//! `wobble info`: what a baked file holds.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use wobble::{Nesting, Shape};

use crate::Fault;

pub fn run(file: &Path) -> Result<(), Fault> {
    let shape = load(file)?;
    report(&shape);
    Ok(())
}

/// Loads a baked file.
pub fn load(file: &Path) -> Result<Arc<Shape>, Fault> {
    let told = |why: String| Fault::Failed(format!("{}: {why}", file.display()));
    let bytes = fs::read(file).map_err(|error| told(error.to_string()))?;
    Shape::from_bytes(&bytes).map_err(|error| told(error.to_string()))
}

/// Prints what a shape is made of, and how building it went.
pub fn report(shape: &Shape) {
    let (low, high) = shape.rest().iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), r| {
        (low.min(r.truncate()), high.max(r.truncate()))
    });
    let size = high - low;
    println!("particles  {}, {} pinned", shape.particle_count(), shape.pinned().len());
    if let [first, rest @ ..] = shape.toughness() {
        let (low, high) = rest.iter().fold((*first, *first), |(low, high), t| (low.min(*t), high.max(*t)));
        println!("toughness  painted, {low:.3} to {high:.3}");
    }
    println!("mass       {:.6} kg", shape.mass());
    println!("size       {:.4} x {:.4} x {:.4} m", size.x, size.y, size.z);
    let centre = shape.centre();
    println!("centre     {:.4} {:.4} {:.4} in the mesh", centre.x, centre.y, centre.z);
    if let Some(skin) = shape.skin() {
        println!("skin       {} vertices, {} triangles", skin.vertex_count(), skin.triangles().len());
    }
    let nesting = if shape.nesting() == Nesting::Nested { "nested" } else { "independent" };
    println!("levels     {}, {nesting}", shape.levels().len());
    println!("  level  clusters    radius m  overlap  rounds  converged");
    for (l, level) in shape.levels().iter().enumerate() {
        let r = level.report();
        let converged = if r.converged { "yes" } else { "no" };
        println!(
            "  {l:>5}  {:>8}  {:>10.4}  {:>7.2}  {:>6}  {converged:>9}",
            r.clusters, r.radius, r.overlap, r.rounds
        );
    }
    println!("memory     {} bytes", shape.bytes());
}
