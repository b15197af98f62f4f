//! From Godot's collision shapes to the library's.

use glam::Vec3;
use godot::classes::{
    BoxShape3D, CapsuleShape3D, ConcavePolygonShape3D, ConvexPolygonShape3D, CylinderShape3D,
    HeightMapShape3D, Shape3D, SphereShape3D, WorldBoundaryShape3D,
};
use godot::prelude::*;
use wobble::{ColliderShape, Indices, Mesh};

use crate::convert::vec3;

/// The same shape `scale` times as large; `None` for kinds that are not solid, such as rays.
pub fn collider_shape(shape: &Gd<Shape3D>, scale: Vec3) -> Result<Option<ColliderShape>, String> {
    let size = scale.abs();
    let round = size.x.max(size.z);
    if let Ok(s) = shape.clone().try_cast::<SphereShape3D>() {
        return Ok(Some(ColliderShape::Sphere { radius: s.get_radius() * size.max_element() }));
    }
    if let Ok(s) = shape.clone().try_cast::<BoxShape3D>() {
        return Ok(Some(ColliderShape::Box { half_extents: vec3(s.get_size()) * 0.5 * size }));
    }
    if let Ok(s) = shape.clone().try_cast::<CapsuleShape3D>() {
        let radius = s.get_radius() * round;
        let half_height = (0.5 * s.get_height() * size.y - radius).max(0.0);
        return Ok(Some(ColliderShape::Capsule { half_height, radius }));
    }
    if let Ok(s) = shape.clone().try_cast::<CylinderShape3D>() {
        let (half_height, radius) = (0.5 * s.get_height() * size.y, s.get_radius() * round);
        return Ok(Some(ColliderShape::Cylinder { half_height, radius }));
    }
    if let Ok(s) = shape.clone().try_cast::<ConvexPolygonShape3D>() {
        let points: Vec<Vec3> = s.get_points().as_slice().iter().map(|p| vec3(*p) * scale).collect();
        return ColliderShape::hull(&points).map(Some).map_err(|error| error.to_string());
    }
    if let Ok(s) = shape.clone().try_cast::<ConcavePolygonShape3D>() {
        return surface(&s, scale).map(Some);
    }
    if let Ok(s) = shape.clone().try_cast::<HeightMapShape3D>() {
        let heights: Vec<f32> = s.get_map_data().as_slice().iter().map(|h| h * scale.y).collect();
        let (columns, rows) = (s.get_map_width() as u32, s.get_map_depth() as u32);
        let made = ColliderShape::height_field(columns, rows, [size.x, size.z], &heights);
        return made.map(Some).map_err(|error| error.to_string());
    }
    if let Ok(s) = shape.clone().try_cast::<WorldBoundaryShape3D>() {
        let plane = s.get_plane();
        return Ok(Some(ColliderShape::Plane { normal: vec3(plane.normal), offset: plane.d * size.y }));
    }
    Ok(None)
}

/// Triangles are walls, as in Godot: a closed mesh may be a room.
fn surface(shape: &Gd<ConcavePolygonShape3D>, scale: Vec3) -> Result<ColliderShape, String> {
    let corners: Vec<Vec3> = shape.get_faces().as_slice().iter().map(|p| vec3(*p) * scale).collect();
    let indices: Vec<u32> = (0..corners.len() as u32).collect();
    let mesh = Mesh { positions: &corners, indices: Indices::U32(&indices), ..Mesh::default() };
    ColliderShape::surface(&mesh).map_err(|error| error.to_string())
}
