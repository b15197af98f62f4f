//! Meshes: made by rule, and those that users bring where they are at hand.

use std::path::PathBuf;

use glam::{Vec3, vec3};
use wobble::{Indices, Mesh};

/// Positions and triangles, owned.
#[derive(Clone, Default)]
pub struct Triangles {
    pub positions: Vec<Vec3>,
    pub indices: Vec<u32>,
}

impl Triangles {
    pub fn mesh(&self) -> Mesh<'_> {
        Mesh { positions: &self.positions, indices: Indices::U32(&self.indices), ..Mesh::default() }
    }

    /// Appends another.
    pub fn with(mut self, other: &Triangles) -> Triangles {
        let first = self.positions.len() as u32;
        self.positions.extend(&other.positions);
        self.indices.extend(other.indices.iter().map(|i| i + first));
        self
    }

    pub fn moved(mut self, by: Vec3) -> Triangles {
        self.positions.iter_mut().for_each(|p| *p += by);
        self
    }

    /// Turns those triangles round whose number is a multiple of `every`.
    pub fn flipped(mut self, every: usize) -> Triangles {
        self.indices.chunks_mut(3).step_by(every).for_each(|t| t.swap(1, 2));
        self
    }

    /// Without those triangles whose middle is outside of `keep`.
    pub fn cut(mut self, keep: impl Fn(Vec3) -> bool) -> Triangles {
        let middle = |t: &[u32]| t.iter().map(|&i| self.positions[i as usize]).sum::<Vec3>() / 3.0;
        let kept = self.indices.chunks(3).filter(|t| keep(middle(t)));
        self.indices = kept.flatten().copied().collect();
        self
    }
}

/// A flat grid of `nx` by `nz` squares, `x` by `z` metres, facing up.
pub fn sheet(x: f32, z: f32, nx: u32, nz: u32) -> Triangles {
    let at = |i: u32, j: u32| vec3((i as f32 / nx as f32 - 0.5) * x, 0.0, (j as f32 / nz as f32 - 0.5) * z);
    let positions = (0..=nz).flat_map(|j| (0..=nx).map(move |i| at(i, j))).collect();
    let square = |i: u32, j: u32| {
        let a = j * (nx + 1) + i;
        let (b, c, d) = (a + 1, a + nx + 2, a + nx + 1);
        [a, d, c, a, c, b]
    };
    let indices = (0..nz).flat_map(|j| (0..nx).flat_map(move |i| square(i, j))).collect();
    Triangles { positions, indices }
}

/// A box whose sides are cut into `n` by `n` squares; vertices are split along its edges.
pub fn cuboid(size: Vec3, n: u32) -> Triangles {
    let flat = sheet(1.0, 1.0, n, n).moved(vec3(0.0, 0.5, 0.0));
    let side = |map: fn(Vec3) -> Vec3| {
        let positions = flat.positions.iter().map(|&p| map(p) * size).collect();
        Triangles { positions, indices: flat.indices.clone() }
    };
    side(|p| p)
        .with(&side(|p| vec3(p.x, -p.y, -p.z)))
        .with(&side(|p| vec3(p.y, p.z, p.x)))
        .with(&side(|p| vec3(-p.y, p.z, -p.x)))
        .with(&side(|p| vec3(p.z, p.x, p.y)))
        .with(&side(|p| vec3(-p.z, p.x, -p.y)))
}

/// A ball: a box of `n` by `n` squares a side, blown up.
pub fn ball(radius: f32, n: u32) -> Triangles {
    let mut ball = cuboid(Vec3::ONE, n);
    ball.positions.iter_mut().for_each(|p| *p = p.normalize() * radius);
    ball
}

/// A mesh as users bring it, such as `"cow"`: `<name>.obj` in the folder `WOBBLE_MESHES`, or else in
/// `../shared/data/meshes` beside the repository. `None`, and a line beginning with `skipped:`, when the
/// file is absent.
pub fn brought(name: &str) -> Option<Triangles> {
    let beside = || super::beside("meshes");
    let folder = std::env::var_os("WOBBLE_MESHES").map_or_else(beside, PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join(name).with_extension("obj")) else {
        println!("skipped: the mesh {name} is absent; WOBBLE_MESHES can name its folder");
        return None;
    };
    let mut mesh = Triangles::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut number = || words.next().and_then(|w| w.parse().ok()).expect("a coordinate");
                mesh.positions.push(vec3(number(), number(), number()));
            }
            Some("f") => {
                let index =
                    |w: &str| w.split('/').next().and_then(|w| w.parse::<u32>().ok()).expect("an index");
                let corners: Vec<u32> = words.map(|w| index(w) - 1).collect();
                let fan = corners[1..].windows(2).flat_map(|pair| [corners[0], pair[0], pair[1]]);
                mesh.indices.extend(fan);
            }
            _ => {}
        }
    }
    Some(mesh)
}
