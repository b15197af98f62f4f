//! Meshes made by rule, as engines have them: vertices split where texture coordinates jump.

use glam::{Vec3, Vec4};
use wobble::{Indices, Mesh};

/// A mesh that owns its lists.
pub struct Owned {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub tangents: Vec<Vec4>,
    pub indices: Vec<u32>,
}

impl Owned {
    pub fn mesh(&self) -> Mesh<'_> {
        Mesh {
            positions: &self.positions,
            normals: Some(&self.normals),
            tangents: Some(&self.tangents),
            indices: Indices::U32(&self.indices),
            ..Mesh::default()
        }
    }
}

/// A sphere about the origin of `rings` by `2 * rings` quadrilaterals, cut open along a meridian;
/// every pole is many vertices.
pub fn sphere(rings: usize, radius: f32) -> Owned {
    let columns = 2 * rings;
    let mut mesh =
        Owned { positions: Vec::new(), normals: Vec::new(), tangents: Vec::new(), indices: Vec::new() };
    for ring in 0..=rings {
        for column in 0..=columns {
            let (down, along) = (turn(ring, 2 * rings), turn(column % columns, columns));
            let sine = if ring % rings == 0 { 0.0 } else { down.1 };
            let normal = Vec3::new(sine * along.0, down.0, sine * along.1);
            mesh.positions.push(normal * radius);
            mesh.normals.push(normal);
            mesh.tangents.push(Vec4::new(-along.1, 0.0, along.0, -1.0));
        }
    }
    for ring in 0..rings {
        for column in 0..columns {
            let [a, b] = [0, 1].map(|k| ((ring + k) * (columns + 1) + column) as u32);
            mesh.indices.extend([a, a + 1, b, b, a + 1, b + 1]);
        }
    }
    mesh
}

/// Cosine and sine of a part of a full turn.
fn turn(part: usize, whole: usize) -> (f32, f32) {
    let angle = part as f64 / whole as f64 * std::f64::consts::TAU;
    (libm::cos(angle) as f32, libm::sin(angle) as f32)
}
