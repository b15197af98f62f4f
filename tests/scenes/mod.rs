//! Point sets and meshes shared by tests, benchmarks and examples: made by rule, so that
//! every platform starts from the same bits, and the papers' own particles
//! where they are at hand.
//!
//! Sets are in metres, in rest space. Seeded ones use ChaCha8 and only
//! multiplies and adds, so a seed names the same points everywhere.

// Each crate that includes this module uses some of the sets.
#![allow(dead_code)]

pub mod beams;
pub mod meshes;
pub mod spheres;
pub mod worlds;

use std::path::PathBuf;

use glam::Vec3;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// `nx` by `ny` by `nz` points, `spacing` apart, about the origin; x outermost.
pub fn grid(nx: usize, ny: usize, nz: usize, spacing: f32) -> Vec<Vec3> {
    let middle = Vec3::new(nx as f32 - 1.0, ny as f32 - 1.0, nz as f32 - 1.0) * 0.5;
    let mut points = Vec::with_capacity(nx * ny * nz);
    for x in 0..nx {
        for y in 0..ny {
            for z in 0..nz {
                points.push((Vec3::new(x as f32, y as f32, z as f32) - middle) * spacing);
            }
        }
    }
    points
}

/// The points of a grid with a point at the origin that lie within `radius` of it.
/// A radius of 10.6 spacings gives about 5,000.
pub fn ball(radius: f32, spacing: f32) -> Vec<Vec3> {
    let across = 2 * (radius / spacing).floor() as usize + 1;
    let mut points = grid(across, across, across, spacing);
    points.retain(|p| p.length_squared() <= radius * radius);
    points
}

/// Exactly `count` points spread evenly at random between two spheres about the
/// origin; an `inner` of 0 gives a solid ball.
pub fn shell(count: usize, outer: f32, inner: f32, seed: u64) -> Vec<Vec3> {
    assert!(0.0 <= inner && inner < outer, "inner is {inner}; it must be in 0..{outer}");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut points = Vec::with_capacity(count);
    while points.len() < count {
        let p = in_unit_cube(&mut random) * (2.0 * outer);
        if (inner * inner..=outer * outer).contains(&p.length_squared()) {
            points.push(p);
        }
    }
    points
}

/// Exactly `count` points spread evenly at random in a box about the origin.
pub fn box_cloud(count: usize, size: Vec3, seed: u64) -> Vec<Vec3> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| in_unit_cube(&mut random) * size).collect()
}

/// The grid that fills a box of `size` about the origin, faces included, with
/// points at most `spacing` apart along each axis.
pub fn box_grid(size: Vec3, spacing: f32) -> Vec<Vec3> {
    let steps = (size / spacing - 1e-3).ceil().max(Vec3::ONE);
    let unit = grid(steps.x as usize + 1, steps.y as usize + 1, steps.z as usize + 1, 1.0);
    unit.into_iter().map(|p| p * size / steps).collect()
}

/// The cube of the Hovering Cube scene: 11 by 11 by 11 points, 1 m wide.
pub fn cube_1331() -> Vec<Vec3> {
    grid(11, 11, 11, 0.1)
}

/// As many points, between the same radii, as the ball of the Falling Ball scene.
pub fn shell_5098() -> Vec<Vec3> {
    shell(5098, 0.5, 0.4, 1)
}

/// A flat square sheet in x and z, one layer, `n` by `n` points, `spacing` apart.
pub fn sheet(n: usize, spacing: f32) -> Vec<Vec3> {
    grid(n, 1, n, spacing)
}

/// A straight strand along x, `n` points, `spacing` apart.
pub fn strand(n: usize, spacing: f32) -> Vec<Vec3> {
    grid(n, 1, 1, spacing)
}

/// The particles of a scene of the papers, such as `"cube-1331"`: the lines
/// `x y z` of `<name>.txt` in the folder `WOBBLE_DATA`, or else in
/// `../shared/data/particles` beside the repository.
///
/// `None`, and a line beginning with `skipped:` on the standard output, when
/// the file is absent: the caller returns, and the summary of the tests counts
/// the line.
pub fn papers_particles(name: &str) -> Option<Vec<Vec3>> {
    let found = papers_particles_at_hand(name);
    if found.is_none() {
        println!("skipped: the particles {name} are absent; WOBBLE_DATA can name their folder");
    }
    found
}

/// The same without a word, for those who have something to stand in.
pub fn papers_particles_at_hand(name: &str) -> Option<Vec<Vec3>> {
    let text = std::fs::read_to_string(papers_folder().join(name).with_extension("txt")).ok()?;
    let points = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    Some(
        points.map(|(n, line)| point(line).unwrap_or_else(|| panic!("{name}:{}: {line:?}", n + 1))).collect(),
    )
}

fn papers_folder() -> PathBuf {
    std::env::var_os("WOBBLE_DATA").map_or_else(|| beside("particles"), PathBuf::from)
}

/// A folder of the data that lie beside the repository; crates inside it are one folder deeper.
fn beside(folder: &str) -> PathBuf {
    let crate_folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let near = crate_folder.join("../shared/data").join(folder);
    if near.exists() { near } else { crate_folder.join("../../shared/data").join(folder) }
}

fn point(line: &str) -> Option<Vec3> {
    let mut numbers = line.split_whitespace().map(str::parse::<f32>);
    let mut next = || numbers.next()?.ok().filter(|n| n.is_finite());
    let point = Vec3::new(next()?, next()?, next()?);
    numbers.next().is_none().then_some(point)
}

/// A point in the cube of side 1 about the origin.
fn in_unit_cube(random: &mut ChaCha8Rng) -> Vec3 {
    // 24 bits fill the fraction of an `f32` exactly.
    let mut next = || (random.next_u32() >> 8) as f32 / (1 << 24) as f32 - 0.5;
    Vec3::new(next(), next(), next())
}
