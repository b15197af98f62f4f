//! What colliders look like: how far a point is from each shape, and where a ray meets it.

use std::sync::Arc;

use glam::{Vec3, Vec3A};

use super::bounds::Bounds;
use super::plane::Plane;
use super::solid::{self, Entry, Near};
use super::trimesh::{Grid, Interior, TriMesh, hull};
use crate::error::{Error, within};
use crate::mesh::Mesh;

/// What a collider looks like, in its own frame, metres. Capsules and cylinders stand along y.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::{ColliderDef, ColliderShape};
///
/// let shape = ColliderShape::Capsule { half_height: 0.5, radius: 0.2 };
/// world.add_collider(&ColliderDef { shape, ..ColliderDef::default() })?;
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum ColliderShape {
    /// Solid where normal·p < offset, without end. The normal may have any length but zero.
    Plane {
        /// Direction out of the solid.
        normal: Vec3,
        /// Distance of the surface from the collider's position along the normal.
        offset: f32,
    },
    /// A sphere.
    Sphere {
        /// Above 0.
        radius: f32,
    },
    /// A box along the axes.
    Box {
        /// From its centre to its faces, each above 0.
        half_extents: Vec3,
    },
    /// A cylinder with round ends.
    Capsule {
        /// From its centre to the centres of its ends, 0 or more.
        half_height: f32,
        /// Above 0.
        radius: f32,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// From its centre to its ends, above 0.
        half_height: f32,
        /// Above 0.
        radius: f32,
    },
    /// A convex hull; see [`ColliderShape::hull`].
    Hull(Arc<TriMesh>),
    /// Triangles; see [`ColliderShape::mesh`].
    Mesh(Arc<TriMesh>),
    /// A height field; see [`ColliderShape::height_field`].
    HeightField(Arc<TriMesh>),
}

const LENGTHS: &str = "above 1e-6 and at most 1e6 metres";

/// ```
/// use glam::Vec3;
/// use wobble::{ColliderShape, Indices, Mesh};
///
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
/// let tetrahedron = Mesh { positions: &corners, indices: Indices::U16(&faces), ..Mesh::default() };
///
/// let hull = ColliderShape::hull(&corners)?;
/// let solid = ColliderShape::mesh(&tetrahedron)?;
/// let room = ColliderShape::surface(&tetrahedron)?; // what is inside stays there
/// let hills = ColliderShape::height_field(3, 2, [1.0, 1.0], &[0.0, 0.5, 0.0, 0.1, 0.6, 0.1])?;
/// # Ok::<(), wobble::Error>(())
/// ```
impl ColliderShape {
    /// The convex hull of 4 to 1024 points that do not lie in one plane.
    pub fn hull(points: &[Vec3]) -> Result<ColliderShape, Error> {
        Ok(ColliderShape::Hull(Arc::new(hull(points)?)))
    }

    /// Triangles. A closed mesh, each of whose edges has one triangle on each side, is solid, and what
    /// gets inside comes out again. Any other is a surface with two sides, a hair thick; what is put right on it
    /// is in front, where triangles are seen counterclockwise.
    pub fn mesh(mesh: &Mesh) -> Result<ColliderShape, Error> {
        Ok(ColliderShape::Mesh(Arc::new(TriMesh::new(mesh)?)))
    }

    /// Triangles as a surface with two sides, a hair thick, whether they are closed or not: what is inside stays
    /// there, as in a room.
    pub fn surface(mesh: &Mesh) -> Result<ColliderShape, Error> {
        Ok(ColliderShape::Mesh(Arc::new(TriMesh::surface(mesh)?)))
    }

    /// Heights along y over a grid about the collider's position, row by row: `columns` along x and
    /// `rows` along z, `spacing` metres apart. Solid below, as deep again as it is wide or high.
    pub fn height_field(
        columns: u32,
        rows: u32,
        spacing: [f32; 2],
        heights: &[f32],
    ) -> Result<ColliderShape, Error> {
        let grid = Grid { columns, rows, spacing };
        Ok(ColliderShape::HeightField(Arc::new(TriMesh::height_field(grid, heights)?)))
    }

    /// Checks the numbers and makes the normal of a plane a unit vector.
    pub(crate) fn checked(self) -> Result<ColliderShape, Error> {
        let length = |field, value| within(field, value, 1e-6, 1e6, LENGTHS);
        match self {
            ColliderShape::Plane { normal, offset } => {
                let Plane { normal, offset, .. } = Plane { normal, offset, ..Plane::default() }.checked()?;
                return Ok(ColliderShape::Plane { normal, offset });
            }
            ColliderShape::Sphere { radius } => length("radius", radius)?,
            ColliderShape::Box { half_extents } => {
                half_extents.to_array().into_iter().try_for_each(|half| length("half_extents", half))?;
            }
            ColliderShape::Capsule { half_height, radius } => {
                within("half_height", half_height, 0.0, 1e6, "from 0 to 1e6 metres")?;
                length("radius", radius)?;
            }
            ColliderShape::Cylinder { half_height, radius } => {
                length("half_height", half_height)?;
                length("radius", radius)?;
            }
            ColliderShape::Hull(_) | ColliderShape::Mesh(_) | ColliderShape::HeightField(_) => (),
        }
        Ok(self)
    }

    /// Around the shape in its own frame; none for a plane.
    pub(crate) fn bounds(&self) -> Option<Bounds> {
        let reach = match self {
            ColliderShape::Plane { .. } => return None,
            ColliderShape::Sphere { radius } => Vec3A::splat(*radius),
            ColliderShape::Box { half_extents } => (*half_extents).into(),
            ColliderShape::Capsule { half_height, radius } => {
                Vec3A::new(*radius, half_height + radius, *radius)
            }
            ColliderShape::Cylinder { half_height, radius } => Vec3A::new(*radius, *half_height, *radius),
            ColliderShape::Hull(mesh) | ColliderShape::Mesh(mesh) | ColliderShape::HeightField(mesh) => {
                let mut bounds = mesh.bounds;
                if let Interior::Below(_) = mesh.interior {
                    // What fell through is still to be found.
                    bounds.low.y = mesh.floor();
                }
                return Some(bounds);
            }
        };
        Some(Bounds::about(Vec3A::ZERO, reach))
    }

    /// The nearest point of the surface to a point of the shape's frame, unless it is further than `reach` and
    /// outside.
    pub(crate) fn near(&self, p: Vec3A, reach: f32) -> Option<Near> {
        let near = match self {
            ColliderShape::Plane { normal, offset } => {
                let normal = Vec3A::from(*normal);
                let distance = normal.dot(p) - offset;
                Near { point: p - normal * distance, normal, distance }
            }
            ColliderShape::Sphere { radius } => solid::near_sphere(*radius, p),
            ColliderShape::Box { half_extents } => solid::near_box((*half_extents).into(), p),
            ColliderShape::Capsule { half_height, radius } => solid::near_capsule(*half_height, *radius, p),
            ColliderShape::Cylinder { half_height, radius } => solid::near_cylinder(*half_height, *radius, p),
            ColliderShape::Hull(mesh) | ColliderShape::Mesh(mesh) | ColliderShape::HeightField(mesh) => {
                return mesh.near(p, reach);
            }
        };
        (near.distance <= reach).then_some(near)
    }

    /// Where a ray that begins outside first meets the shape, up to `most` times its direction. A surface without
    /// inside that it begins on, within `rounding` metres, it leaves.
    pub(crate) fn cast(&self, origin: Vec3A, direction: Vec3A, most: f32, rounding: f32) -> Option<Entry> {
        let entry = match self {
            ColliderShape::Plane { normal, offset } => {
                let normal = Vec3A::from(*normal);
                let (height, speed) = (normal.dot(origin) - offset, normal.dot(direction));
                (speed < 0.0 && height >= 0.0).then(|| (height / -speed, normal))
            }
            ColliderShape::Sphere { radius } => solid::cast_sphere(*radius, origin, direction),
            ColliderShape::Box { half_extents } => solid::cast_box((*half_extents).into(), origin, direction),
            ColliderShape::Capsule { half_height, radius } => {
                solid::cast_capsule(*half_height, *radius, origin, direction)
            }
            ColliderShape::Cylinder { half_height, radius } => {
                solid::cast_cylinder(*half_height, *radius, origin, direction)
            }
            ColliderShape::Hull(mesh) | ColliderShape::Mesh(mesh) | ColliderShape::HeightField(mesh) => {
                mesh.cast(origin, direction, most, rounding)
            }
        };
        entry.filter(|(t, _)| *t <= most)
    }

    /// Whether points can be inside.
    pub(crate) fn is_solid(&self) -> bool {
        !matches!(self, ColliderShape::Mesh(mesh) if !mesh.is_solid())
    }

    /// Half the thickness that a surface without inside is given, so that a particle at rest on it has a
    /// side; metres.
    pub(crate) fn skin(&self) -> f32 {
        if self.is_solid() { 0.0 } else { SKIN }
    }
}

/// See [`ColliderShape::skin`]. Rounding of a position a kilometre away is a tenth of it.
const SKIN: f32 = 1e-3;
