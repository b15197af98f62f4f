//! `wobble bake`: from a mesh to a file.

use std::fs;
use std::time::Instant;

use wobble::{Mesh, Shape};

use crate::options::Bake;
use crate::{Fault, bar, info, meshes};

pub fn run(options: &Bake) -> Result<(), Fault> {
    let mut triangles = meshes::read(&options.mesh)?;
    if let Some(scale) = options.scale {
        triangles.positions.iter_mut().for_each(|p| *p *= scale);
    }
    let start = Instant::now();
    let mut shown = None;
    let mut progress = |done: f32| {
        bar::show(done, &mut shown);
        true
    };
    let toughness = options.toughness.map(|channel| triangles.toughness(channel));
    let mesh = Mesh { toughness: toughness.as_deref(), ..triangles.mesh() };
    let shape = Shape::from_mesh(&mesh, &options.sampling, &options.levels, &mut progress);
    bar::clear(shown.is_some());
    let told = |why: String| Fault::Failed(format!("{}: {why}", options.mesh.display()));
    let shape = shape.map_err(|error| told(error.to_string()))?;
    let bytes = shape.to_bytes();
    fs::write(&options.out, &bytes)
        .map_err(|error| Fault::Failed(format!("{}: {error}", options.out.display())))?;
    let (vertices, corners) = (triangles.positions.len(), triangles.indices.len());
    println!("mesh       {vertices} vertices, {} triangles", corners / 3);
    info::report(&shape);
    let (file, seconds) = (options.out.display(), start.elapsed().as_secs_f32());
    println!("baked      {file}, {} bytes, in {seconds:.2} s", bytes.len());
    Ok(())
}
