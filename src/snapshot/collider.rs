//! The state of one collider. Meshes go along, because hosts make them anew for each collider; one
//! that the world has already in the same place is not built again.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec3A};

use super::material;
use crate::bytes::{Reader, Writer, floats};
use crate::collide::collider::{Collider, ColliderDef, ColliderShape};
use crate::collide::trimesh::{Grid, Interior, TriMesh};
use crate::error::Error;

pub(super) fn write(out: &mut Writer, collider: &Collider) {
    let def = &collider.def;
    write_shape(out, &def.shape);
    write_pose(out, def.position, def.rotation);
    [def.velocity, def.angular_velocity, def.conveyor].into_iter().for_each(|v| out.vec3(v));
    material::write_surface(out, def.surface, def.groups);
    out.u8(def.enabled.into());
    out.u8(collider.target.is_some().into());
    if let Some((position, rotation)) = collider.target {
        write_pose(out, position, rotation);
    }
}

/// `present` is what is in its place now.
pub(super) fn read(from: &mut Reader, present: Option<&Collider>) -> Result<Collider, Error> {
    let shape = read_shape(from, present.map(|c| &c.def.shape))?;
    let (position, rotation) = read_pose(from)?;
    let [velocity, angular_velocity, conveyor] = [from.vec3()?, from.vec3()?, from.vec3()?];
    let (surface, groups) = material::read_surface(from)?;
    let enabled = from.flag("enabled")?;
    let target = if from.flag("target")? { Some(read_pose(from)?) } else { None };
    let def = ColliderDef {
        shape,
        position,
        rotation,
        velocity,
        angular_velocity,
        conveyor,
        surface,
        groups,
        enabled,
    };
    let mut collider = from.checked(Collider::new(&def))?;
    // As it was, to the bit: making it divides by lengths anew.
    if let (ColliderShape::Plane { normal, .. }, ColliderShape::Plane { normal: made, .. }) =
        (&def.shape, &mut collider.def.shape)
    {
        *made = *normal;
    }
    collider.put(position, rotation);
    collider.target = target;
    Ok(collider)
}

fn write_pose(out: &mut Writer, position: Vec3, rotation: Quat) {
    out.vec3(position);
    out.vec4(rotation.into());
}

fn read_pose(from: &mut Reader) -> Result<(Vec3, Quat), Error> {
    let (position, rotation) = (from.vec3()?, Quat::from_vec4(from.vec4()?));
    let fine = position.is_finite() && (rotation.length_squared() - 1.0).abs() <= 1e-2;
    from.ensure(fine, || format!("a collider is at {position}, turned by {rotation}"))?;
    Ok((position, rotation))
}

fn write_shape(out: &mut Writer, shape: &ColliderShape) {
    let mut numbers = |kind: u8, numbers: [f32; 4]| {
        out.u8(kind);
        numbers.into_iter().for_each(|n| out.f32(n));
    };
    match shape {
        ColliderShape::Plane { normal: n, offset } => numbers(0, [n.x, n.y, n.z, *offset]),
        ColliderShape::Sphere { radius } => numbers(1, [*radius, 0.0, 0.0, 0.0]),
        ColliderShape::Box { half_extents: h } => numbers(2, [h.x, h.y, h.z, 0.0]),
        ColliderShape::Capsule { half_height, radius } => numbers(3, [*half_height, *radius, 0.0, 0.0]),
        ColliderShape::Cylinder { half_height, radius } => numbers(4, [*half_height, *radius, 0.0, 0.0]),
        ColliderShape::Hull(mesh) => write_mesh(out, 5, mesh),
        ColliderShape::Mesh(mesh) => write_mesh(out, 6, mesh),
        ColliderShape::HeightField(mesh) => write_mesh(out, 7, mesh),
    }
}

fn read_shape(from: &mut Reader, present: Option<&ColliderShape>) -> Result<ColliderShape, Error> {
    let kind = from.u8()?;
    from.ensure(kind <= 7, || format!("a collider is of the unknown kind {kind}"))?;
    if kind >= 5 {
        let mesh = read_mesh(from, kind, present)?;
        return Ok(match kind {
            5 => ColliderShape::Hull(mesh),
            6 => ColliderShape::Mesh(mesh),
            _ => ColliderShape::HeightField(mesh),
        });
    }
    let [a, b, c, d] = [from.f32()?, from.f32()?, from.f32()?, from.f32()?];
    Ok(match kind {
        0 => ColliderShape::Plane { normal: Vec3::new(a, b, c), offset: d },
        1 => ColliderShape::Sphere { radius: a },
        2 => ColliderShape::Box { half_extents: Vec3::new(a, b, c) },
        3 => ColliderShape::Capsule { half_height: a, radius: b },
        _ => ColliderShape::Cylinder { half_height: a, radius: b },
    })
}

fn write_mesh(out: &mut Writer, kind: u8, mesh: &TriMesh) {
    out.u8(kind);
    out.u8(mesh.is_solid().into());
    out.u32(mesh.positions.len() as u32);
    mesh.positions.iter().for_each(|p| out.vec3((*p).into()));
    if let Interior::Below(grid) = mesh.interior {
        out.u32(grid.columns);
        out.u32(grid.rows);
        grid.spacing.into_iter().for_each(|n| out.f32(n));
        return;
    }
    out.u32(mesh.triangles.len() as u32);
    mesh.triangles.iter().flatten().for_each(|i| out.u32(*i));
}

fn read_mesh(from: &mut Reader, kind: u8, present: Option<&ColliderShape>) -> Result<Arc<TriMesh>, Error> {
    let solid = from.flag("solid")?;
    let count = from.count("vertices of a collider", 12)?;
    let positions: Vec<Vec3A> =
        from.list(count, floats::<12, 3>)?.into_iter().map(Vec3A::from_array).collect();
    let ordinary = positions.iter().all(|p| p.abs().max_element() <= crate::error::LARGEST);
    from.ensure(ordinary, || "a vertex of a collider is not finite".into())?;
    if kind == 7 {
        let (columns, rows, spacing) = (from.u32()?, from.u32()?, [from.f32()?, from.f32()?]);
        let heights: Vec<f32> = positions.iter().map(|p| p.y).collect();
        let made = TriMesh::height_field(Grid { columns, rows, spacing }, &heights);
        return Ok(Arc::new(from.checked(made)?));
    }
    let count = from.count("triangles of a collider", 12)?;
    let triangles = from.list(count, |bytes: [u8; 12]| {
        let word = |k: usize| u32::from_le_bytes([bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]]);
        [word(0), word(4), word(8)]
    })?;
    let inside = triangles.iter().flatten().all(|i| (*i as usize) < positions.len());
    from.ensure(inside, || "a triangle of a collider has a corner that is not there".into())?;
    if let Some(ColliderShape::Hull(mesh) | ColliderShape::Mesh(mesh)) = present {
        let same = mesh.is_solid() == solid && mesh.positions == positions && mesh.triangles == triangles;
        if same {
            return Ok(Arc::clone(mesh));
        }
    }
    let interior = if solid { Interior::Enclosed } else { Interior::None };
    Ok(Arc::new(from.checked(TriMesh::assembled(positions, triangles, Some(interior)))?))
}
