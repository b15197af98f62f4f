//! Where a ray meets a collider: what the renderer draws besides particles.

use glam::{Quat, Vec3};
use wobble::{ColliderShape, World};

/// A collider to draw.
pub struct Block {
    pub shape: ColliderShape,
    pub position: Vec3,
    pub rotation: Quat,
}

/// The colliders of a world that can be drawn, and whether one of them is the ground at y = 0, which is not
/// among them.
pub fn blocks(world: &World) -> (Vec<Block>, bool) {
    let mut ground = false;
    let mut found = Vec::new();
    for (_, collider) in world.colliders() {
        let block = Block {
            shape: collider.shape().clone(),
            position: collider.position(),
            rotation: collider.rotation(),
        };
        match block.shape {
            ColliderShape::Plane { normal, offset } if normal.normalize().y > 0.999 && offset == 0.0 => {
                ground = true;
            }
            _ => found.push(block),
        }
    }
    (found, ground)
}

impl Block {
    /// How far along `ray` from `eye` the block is entered, in lengths of the ray, and the normal there. `None` if it is
    /// missed, if the eye is inside, and for meshes.
    pub fn hit(&self, eye: Vec3, ray: Vec3) -> Option<(f32, Vec3)> {
        let back = self.rotation.inverse();
        let (eye, ray) = (back * (eye - self.position), back * ray);
        let (t, normal) = match self.shape {
            ColliderShape::Plane { normal, offset } => plane(eye, ray, normal, offset),
            ColliderShape::Sphere { radius } => sphere(eye, ray, Vec3::ZERO, radius),
            ColliderShape::Box { half_extents } => cuboid(eye, ray, half_extents),
            ColliderShape::Cylinder { half_height, radius } => {
                nearer(side(eye, ray, half_height, radius), caps(eye, ray, half_height, radius))
            }
            ColliderShape::Capsule { half_height, radius } => {
                let ends = [-half_height, half_height].map(|y| sphere(eye, ray, Vec3::Y * y, radius));
                nearer(side(eye, ray, half_height, radius), nearer(ends[0], ends[1]))
            }
            _ => None,
        }?;
        (t > 0.0).then_some((t, self.rotation * normal))
    }
}

type Entry = Option<(f32, Vec3)>;

fn nearer(a: Entry, b: Entry) -> Entry {
    match (a, b) {
        (Some(first), Some(second)) => Some(if first.0 <= second.0 { first } else { second }),
        (a, b) => a.or(b),
    }
}

fn plane(eye: Vec3, ray: Vec3, normal: Vec3, offset: f32) -> Entry {
    let normal = normal.normalize();
    let (height, slope) = (normal.dot(eye) - offset, normal.dot(ray));
    (height > 0.0 && slope < 0.0).then(|| (-height / slope, normal))
}

fn sphere(eye: Vec3, ray: Vec3, centre: Vec3, radius: f32) -> Entry {
    let off = eye - centre;
    let t = first_root(ray.length_squared(), off.dot(ray), off.length_squared() - radius * radius)?;
    Some((t, (off + ray * t) / radius))
}

/// The lesser root of a t² + 2 b t + c.
fn first_root(a: f32, b: f32, c: f32) -> Option<f32> {
    let root = b * b - a * c;
    (root > 0.0 && a > 0.0).then(|| (-b - root.sqrt()) / a)
}

fn cuboid(eye: Vec3, ray: Vec3, half: Vec3) -> Entry {
    let (one, two) = ((-half - eye) / ray, (half - eye) / ray);
    let (enter, leave) = (one.min(two), one.max(two));
    let t = enter.max_element();
    let axis = if t == enter.x {
        Vec3::X
    } else if t == enter.y {
        Vec3::Y
    } else {
        Vec3::Z
    };
    (t <= leave.min_element()).then(|| (t, -axis * ray.dot(axis).signum()))
}

/// The round side of a cylinder along y.
fn side(eye: Vec3, ray: Vec3, half_height: f32, radius: f32) -> Entry {
    let (flat_eye, flat_ray) = (eye.with_y(0.0), ray.with_y(0.0));
    let t = first_root(
        flat_ray.length_squared(),
        flat_eye.dot(flat_ray),
        flat_eye.length_squared() - radius * radius,
    )?;
    let at = eye + ray * t;
    (at.y.abs() <= half_height).then(|| (t, at.with_y(0.0) / radius))
}

fn caps(eye: Vec3, ray: Vec3, half_height: f32, radius: f32) -> Entry {
    let up = -ray.y.signum();
    let t = (up * half_height - eye.y) / ray.y;
    let at = (eye + ray * t).with_y(0.0);
    (at.length_squared() <= radius * radius).then_some((t, Vec3::Y * up))
}
