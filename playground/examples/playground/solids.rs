//! Triangles of what is drawn besides bodies: spheres for particles, and colliders.

use glam::{Vec2, Vec3, vec3};
use wobble::ColliderShape;

/// Vertices with normals, and triangles.
#[derive(Clone, Default)]
pub struct Triangles {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub indices: Vec<u32>,
}

/// Half the side of the square that stands for a plane without end, metres.
pub const PLANE: f32 = 40.0;

impl Triangles {
    /// A grid of `columns` by `rows` squares; `at` gives a vertex and its normal for shares from 0 to 1.
    fn grid(&mut self, columns: u32, rows: u32, at: impl Fn(f32, f32) -> (Vec3, Vec3)) {
        let first = self.positions.len() as u32;
        for row in 0..=rows {
            for column in 0..=columns {
                let (position, normal) = at(column as f32 / columns as f32, row as f32 / rows as f32);
                self.positions.push(position);
                self.normals.push(normal);
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let a = first + row * (columns + 1) + column;
                let (b, c, d) = (a + 1, a + columns + 2, a + columns + 1);
                self.indices.extend([a, b, c, a, c, d]);
            }
        }
    }

    /// What a collider looks like in its own frame, or nothing for hulls, meshes and height fields, whose
    /// triangles are the host's.
    pub fn of_collider(shape: &ColliderShape) -> Triangles {
        match *shape {
            ColliderShape::Plane { normal, offset } => plane(normal.normalize_or(Vec3::Y), offset),
            ColliderShape::Sphere { radius } => rounded(radius, 0.0),
            ColliderShape::Capsule { half_height, radius } => rounded(radius, half_height),
            ColliderShape::Box { half_extents } => cuboid(half_extents),
            ColliderShape::Cylinder { half_height, radius } => cylinder(half_height, radius),
            _ => Triangles::default(),
        }
    }
}

fn plane(normal: Vec3, offset: f32) -> Triangles {
    // Along x and z for the ground, so that its tiles are.
    let a = if normal.x.abs() < 0.9 { (Vec3::X - normal * normal.x).normalize() } else { Vec3::Z };
    let b = a.cross(normal);
    let mut square = Triangles::default();
    square.grid(1, 1, |u, v| (normal * offset + (a * (2.0 * u - 1.0) + b * (1.0 - 2.0 * v)) * PLANE, normal));
    square
}

/// A ball whose halves are pulled apart along y.
fn rounded(radius: f32, half_height: f32) -> Triangles {
    let mut ball = Triangles::default();
    ball.grid(32, 17, |u, v| {
        let (around, down) = (u * std::f32::consts::TAU, v * std::f32::consts::PI);
        let normal = vec3(down.sin() * around.sin(), down.cos(), down.sin() * around.cos());
        let middle = if v < 0.5 { half_height } else { -half_height };
        (normal * radius + Vec3::Y * middle, normal)
    });
    ball.indices.chunks_mut(3).for_each(|t| t.swap(1, 2));
    ball
}

fn cuboid(half: Vec3) -> Triangles {
    let mut cuboid = Triangles::default();
    for (normal, a) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
        for sign in [1.0, -1.0] {
            let (normal, b) = (normal * sign, normal.cross(a) * sign);
            cuboid.grid(1, 1, |u, v| ((normal + a * (2.0 * u - 1.0) + b * (2.0 * v - 1.0)) * half, normal));
        }
    }
    cuboid
}

fn cylinder(half_height: f32, radius: f32) -> Triangles {
    let mut cylinder = Triangles::default();
    let rim = |u: f32| Vec2::from_angle(u * std::f32::consts::TAU);
    let side = |u: f32| vec3(rim(u).y, 0.0, rim(u).x);
    cylinder.grid(40, 1, |u, v| (side(u) * radius + Vec3::Y * (half_height * (2.0 * v - 1.0)), side(u)));
    for sign in [1.0, -1.0] {
        let end = Vec3::Y * sign;
        cylinder.grid(40, 1, |u, v| (side(u * sign) * (radius * (1.0 - v)) + end * half_height, end));
    }
    cylinder
}

/// A ball of radius 1: an icosahedron whose faces are cut in four so many times.
pub fn icosphere(cuts: u32) -> Triangles {
    let t = (1.0 + 5.0_f32.sqrt()) / 2.0;
    let mut points = Vec::new();
    for [a, b] in [[-1.0, t], [1.0, t], [-1.0, -t], [1.0, -t]] {
        points.extend([vec3(a, b, 0.0), vec3(0.0, a, b), vec3(b, 0.0, a)]);
    }
    let points: Vec<Vec3> = points.into_iter().map(Vec3::normalize).collect();
    // Faces are the triples of neighbours.
    let near = |i: usize, j: usize| points[i].distance(points[j]) < 1.2;
    let mut faces = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(i, k) {
                    faces.push(outwards([points[i], points[j], points[k]]));
                }
            }
        }
    }
    for _ in 0..cuts {
        faces = faces.into_iter().flat_map(quartered).collect();
    }
    let mut sphere = Triangles::default();
    for corner in faces.into_iter().flatten() {
        let known = sphere.positions.iter().position(|p| p.distance(corner) < 1e-4);
        let index = known.unwrap_or_else(|| {
            sphere.positions.push(corner);
            sphere.positions.len() - 1
        });
        sphere.indices.push(index as u32);
    }
    sphere.normals = sphere.positions.clone();
    sphere
}

/// Half a ball of radius 1 towards z, of few triangles: turned to the eye it looks like a whole one.
pub fn dome(rings: u32, segments: u32) -> Triangles {
    let mut dome = Triangles { positions: vec![Vec3::Z], ..Triangles::default() };
    for ring in 1..=rings {
        let (sine, cosine) = (ring as f32 / rings as f32 * std::f32::consts::FRAC_PI_2).sin_cos();
        for segment in 0..segments {
            let around = Vec2::from_angle((segment as f32 + 0.5) / segments as f32 * std::f32::consts::TAU);
            dome.positions.push((around * sine).extend(cosine));
            let next = (segment + 1) % segments;
            let [a, b] = [segment, next].map(|s| 1 + (ring - 1) * segments + s);
            match ring {
                1 => dome.indices.extend([0, a, b]),
                _ => dome.indices.extend([a - segments, a, b, a - segments, b, b - segments]),
            }
        }
    }
    dome.normals = dome.positions.clone();
    dome
}

fn outwards([a, b, c]: [Vec3; 3]) -> [Vec3; 3] {
    if (b - a).cross(c - a).dot(a) > 0.0 { [a, b, c] } else { [a, c, b] }
}

fn quartered([a, b, c]: [Vec3; 3]) -> [[Vec3; 3]; 4] {
    let [ab, bc, ca] = [(a + b).normalize(), (b + c).normalize(), (c + a).normalize()];
    [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_of_colliders_face_the_way_their_normals_do() {
        let half_extents = vec3(1.0, 2.0, 3.0);
        let shapes = [
            ColliderShape::Plane { normal: vec3(0.3, 1.0, -0.2), offset: 0.5 },
            ColliderShape::Sphere { radius: 0.7 },
            ColliderShape::Box { half_extents },
            ColliderShape::Capsule { half_height: 0.5, radius: 0.3 },
            ColliderShape::Cylinder { half_height: 0.5, radius: 0.3 },
        ];
        for shape in shapes {
            faces_out(&Triangles::of_collider(&shape), &format!("{shape:?}"));
        }
        (0..3).for_each(|cuts| faces_out(&icosphere(cuts), "icosphere"));
        (1..4).for_each(|rings| faces_out(&dome(rings, 7), "dome"));
    }

    fn faces_out(solid: &Triangles, name: &str) {
        assert!(!solid.indices.is_empty(), "{name}");
        for t in solid.indices.chunks(3) {
            let [a, b, c] = [t[0], t[1], t[2]].map(|i| solid.positions[i as usize]);
            let face = (b - a).cross(c - a);
            let normal: Vec3 = t.iter().map(|&i| solid.normals[i as usize]).sum();
            assert!(face.length() < 1e-5 || face.dot(normal) > 0.0, "{name}: {a} {b} {c}");
        }
    }
}
