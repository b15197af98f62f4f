//! `wobble check`: drops a body on the ground and reports whether it stays in shape.

use std::path::Path;

use glam::{Quat, Vec3};
use wobble::{Body, BodyDef, Plane, World, WorldDef};

use crate::{Fault, info};

/// Seconds that the body has to come to rest.
const SECONDS: usize = 10;
const STEPS_A_SECOND: usize = 60;
/// Height kept, shape error and speed that pass; the speed in body heights a second.
const LEAST_HEIGHT: f32 = 0.8;
const MOST_ERROR: f32 = 0.15;
const MOST_SPEED: f32 = 0.05;

pub fn run(file: &Path) -> Result<(), Fault> {
    let shape = info::load(file)?;
    if shape.particle_count() == 0 {
        return Err(Fault::Failed(format!("{}: it has no particles; bake a mesh", file.display())));
    }
    let mut world = World::new(&WorldDef::default())?;
    world.add_plane(&Plane::default())?;
    let lowest = shape.rest().iter().map(|r| r.y).fold(f32::INFINITY, f32::min);
    let size = shape.rest().iter().map(|r| r.truncate().length()).fold(0.0, f32::max);
    // Half its size above the ground.
    let position = Vec3::Y * (0.5 * size - lowest);
    let id = world.add_body(&shape, &BodyDef { position, ..BodyDef::default() })?;
    for _ in 0..SECONDS * STEPS_A_SECOND {
        world.step(1.0 / STEPS_A_SECOND as f32)?;
    }
    let body = world.body(id)?;
    let finite = !body.is_frozen() && body.raw_positions().iter().all(|p| p.is_finite());
    let kept = height_kept(body)?;
    let speed = body.raw_velocities().iter().map(|v| v.truncate().length()).fold(0.0, f32::max);
    let checks = [
        ("finite", if finite { 1.0 } else { 0.0 }, finite, "1"),
        ("height kept", kept, kept >= LEAST_HEIGHT, "0.8 or more"),
        ("shape error", body.shape_error(), body.shape_error() <= MOST_ERROR, "0.15 or less"),
        ("speed, sizes a second", speed / size, speed / size <= MOST_SPEED, "0.05 or less"),
    ];
    println!("dropped from {:.4} m, after {SECONDS} s:", 0.5 * size);
    for (name, value, passed, wanted) in checks {
        println!("  {name:<22} {value:>8.4}  {}  ({wanted})", if passed { "ok " } else { "bad" });
    }
    match checks.iter().find(|(_, _, passed, _)| !passed) {
        None => Ok(()),
        Some((name, ..)) => {
            let advice = "bake it with more particles, or give it a stiffer material and more substeps";
            Err(Fault::Failed(format!("{}: the {name} is bad; {advice}", file.display())))
        }
    }
}

/// The height now over that of the rest shape turned the same way: a body may well tip over.
fn height_kept(body: &Body) -> Result<f32, Fault> {
    let shape = body.shape();
    let top = shape.levels().len() - 1;
    let mut turns = vec![(Quat::IDENTITY, Vec3::ZERO); shape.levels()[top].cluster_count()];
    body.cluster_transforms(top, &mut turns)?;
    let turned = shape.rest().iter().map(|r| (turns[0].0 * r.truncate()).y);
    let (low, high) = turned.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), y| (l.min(y), h.max(y)));
    let (now_low, now_high) = body.bounds();
    // A flat sheet has no height to lose.
    let flat = 0.01 * shape.rest().iter().map(|r| r.truncate().length()).fold(0.0, f32::max);
    Ok((now_high.y - now_low.y + flat) / (high - low + flat))
}
