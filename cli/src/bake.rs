//! `wobble bake`: from a mesh to a file.

use std::fs;
use std::io::{IsTerminal, Write, stderr};
use std::time::Instant;

use wobble::Shape;

use crate::options::Bake;
use crate::{Fault, info, meshes};

/// Characters of the progress bar.
const BAR: usize = 40;

pub fn run(options: &Bake) -> Result<(), Fault> {
    let mut triangles = meshes::read(&options.mesh)?;
    if let Some(scale) = options.scale {
        triangles.positions.iter_mut().for_each(|p| *p *= scale);
    }
    let start = Instant::now();
    let mut shown = None;
    let mut progress = |done: f32| {
        show(done, &mut shown);
        true
    };
    let shape = Shape::from_mesh(&triangles.mesh(), &options.sampling, &options.levels, &mut progress);
    if shown.is_some() {
        eprintln!();
    }
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

/// Draws the bar where somebody watches, once for each per cent.
fn show(done: f32, shown: &mut Option<u32>) {
    let per_cent = (done * 100.0) as u32;
    if !stderr().is_terminal() || *shown == Some(per_cent) {
        return;
    }
    *shown = Some(per_cent);
    let full = (done * BAR as f32) as usize;
    eprint!("\r[{:<BAR$}] {per_cent:>3} %", "#".repeat(full.min(BAR)));
    // A bar that cannot be drawn is no reason to stop.
    let _ = stderr().flush();
}
