//! Between Godot's mathematics and the library's.

use glam::{Mat3, Quat, Vec3};
use godot::prelude::*;

pub fn vec3(v: Vector3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

pub fn vector3(v: Vec3) -> Vector3 {
    Vector3::new(v.x, v.y, v.z)
}

/// A list of places as Godot packs it.
pub fn packed(places: &[Vec3]) -> PackedVector3Array {
    places.iter().map(|p| vector3(*p)).collect()
}

/// Where something is, how it is turned and how large it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    pub position: Vec3,
    pub rotation: Quat,
    /// Of each axis; the first is below 0 where the transform mirrors.
    pub scale: Vec3,
}

impl Placement {
    /// `None` if the transform is not finite, or flat: no axis may be shorter than a millionth.
    pub fn of(transform: Transform3D) -> Option<Placement> {
        let basis = transform.basis;
        let [a, b, c] = [basis.col_a(), basis.col_b(), basis.col_c()].map(vec3);
        let position = vec3(transform.origin);
        let mut scale = Vec3::new(a.length(), b.length(), c.length());
        if !(position.is_finite() && scale.is_finite() && scale.min_element() > 1e-6) {
            return None;
        }
        let (x, y) = (a / scale.x, b / scale.y);
        let across = x.cross(y);
        // Sheared to nothing is flat, too.
        let z = across.try_normalize().filter(|_| across.length() > 1e-6)?;
        let y = z.cross(x);
        let mirrored = z.dot(c) < 0.0;
        let axes = if mirrored { Mat3::from_cols(-x, y, -z) } else { Mat3::from_cols(x, y, z) };
        if mirrored {
            scale.x = -scale.x;
        }
        Some(Placement { position, rotation: Quat::from_mat3(&axes).normalize(), scale })
    }

    pub fn transform(&self) -> Transform3D {
        let axes = Mat3::from_quat(self.rotation);
        let basis = Basis::from_cols(
            vector3(axes.x_axis * self.scale.x),
            vector3(axes.y_axis * self.scale.y),
            vector3(axes.z_axis * self.scale.z),
        );
        Transform3D::new(basis, vector3(self.position))
    }

    /// Whether the two are the same but for rounding.
    pub fn is_near(&self, other: &Placement) -> bool {
        let size = self.position.abs().max_element().max(1.0);
        self.position.distance(other.position) < 1e-5 * size
            && self.rotation.dot(other.rotation).abs() > 1.0 - 1e-7
            && self.is_as_large_as(other)
    }

    /// Whether the two have the same scale but for rounding.
    pub fn is_as_large_as(&self, other: &Placement) -> bool {
        (self.scale - other.scale).abs().max_element() < 1e-4 * self.scale.abs().max_element()
    }
}

/// Tells the user what is wrong, and where.
pub fn warn(node: &Gd<Node>, what: impl std::fmt::Display) {
    let name = if node.is_inside_tree() { node.get_path().to_string() } else { node.get_name().to_string() };
    godot_warn!("{name}: {what}");
}
