//! Structs of colliders, contacts and queries, and what they mean in Rust.

use super::convert;
use super::defs::{WobbleQuat, WobbleVec3};
use super::handles::{self, WobbleBody, WobbleCollider};
use super::memory::{self, Sized32, Strided};
use super::status::Failure;
use crate::collide::collider::{Collider, ColliderDef, ColliderShape};
use crate::collide::events::{ContactEvent, Partner, Phase};
use crate::collide::surface::Groups;
use crate::collide::trimesh::Grid;
use crate::mesh::{Indices, Mesh, check_counts};

/// A half-space without end: solid where normal·p < offset. The default.
pub const WOBBLE_COLLIDER_PLANE: u32 = 0;
/// A sphere of radius.
pub const WOBBLE_COLLIDER_SPHERE: u32 = 1;
/// A box of half_extents.
pub const WOBBLE_COLLIDER_BOX: u32 = 2;
/// A cylinder with round ends along y, of half_height (to the centres of its ends) and radius.
pub const WOBBLE_COLLIDER_CAPSULE: u32 = 3;
/// A cylinder with flat ends along y, of half_height and radius.
pub const WOBBLE_COLLIDER_CYLINDER: u32 = 4;
/// The convex hull of points.
pub const WOBBLE_COLLIDER_HULL: u32 = 5;
/// Triangles: points and indices. Solid if they are closed.
pub const WOBBLE_COLLIDER_MESH: u32 = 6;
/// Heights over a grid, solid below.
pub const WOBBLE_COLLIDER_HEIGHT_FIELD: u32 = 7;
/// Triangles as a surface with two sides, a hair thick, also where they are closed: what is inside stays there, as in a room.
pub const WOBBLE_COLLIDER_SURFACE: u32 = 8;

/// How a collider is set up. Fill with wobble_collider_def_init(). Fields of other kinds are not looked at.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleColliderDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// A WOBBLE_COLLIDER_ constant. Default plane.
    pub kind: u32,
    /// Of a plane: direction out of the solid, of any length but zero. Default (0, 1, 0).
    pub normal: WobbleVec3,
    /// Of a plane: distance of the surface from the position along the normal, metres. Default 0.
    pub offset: f32,
    /// Of a box: from its centre to its faces, metres, 1e-6 to 1e6. Default 0.5 each.
    pub half_extents: WobbleVec3,
    /// Of a capsule or cylinder: half its length along y, round ends not counted, metres. Default 0.5.
    pub half_height: f32,
    /// Of a sphere, capsule or cylinder, metres, 1e-6 to 1e6. Default 0.5.
    pub radius: f32,
    /// Where it is, metres. Default the origin.
    pub position: WobbleVec3,
    /// How it is turned. Default not at all.
    pub rotation: WobbleQuat,
    /// How fast it moves, m/s, at most 1e6 in length. Steps move it on. Default zero.
    pub velocity: WobbleVec3,
    /// How fast it turns about its position, rad/s. Default zero.
    pub angular_velocity: WobbleVec3,
    /// Velocity of its surface against itself, in its own frame, m/s: a conveyor belt. Default zero.
    pub conveyor: WobbleVec3,
    /// Coulomb friction, 0 to 1e6. Default 0.5.
    pub friction: f32,
    /// Share of the approach speed that a particle leaves with, 0 to 1. Default 0.
    pub restitution: f32,
    /// How both are combined with those of bodies: a WOBBLE_COMBINE_ constant. Default natural.
    pub combine: u32,
    /// The groups it is in, a bit for each. Default 1.
    pub group: u32,
    /// The groups it meets. Default all.
    pub mask: u32,
    /// Of a hull (4 to 1024), mesh or surface: three floats a point, metres. Copied. Default null.
    pub points: *const f32,
    /// How many points there are.
    pub point_count: u32,
    /// Bytes from one point to the next; 0 for tightly packed.
    pub point_stride: u32,
    /// Of a mesh or surface: three indices of points a triangle, counted from 0. Copied. Default null.
    pub indices: *const u32,
    /// Of a height field: columns times rows heights along y, row by row, metres. Copied. Default null.
    pub heights: *const f32,
    /// How many indices there are: three times the triangles.
    pub index_count: u32,
    /// Of a height field: samples along x, 2 or more.
    pub columns: u32,
    /// Of a height field: samples along z, 2 or more.
    pub rows: u32,
    /// Of a height field: metres between samples along x. The field lies about the position. Default 1.
    pub spacing_x: f32,
    /// Of a height field: metres between samples along z. Default 1.
    pub spacing_z: f32,
    /// 0 if it is not there at first. Default 1.
    pub enabled: u32,
}

// SAFETY: repr(C), begins with struct_size, and all other fields are numbers or pointers that are
// checked before they are followed.
unsafe impl Sized32 for WobbleColliderDef {}

impl Default for WobbleColliderDef {
    fn default() -> WobbleColliderDef {
        let ColliderDef { position, rotation, velocity, angular_velocity, conveyor, surface, groups, .. } =
            ColliderDef::default();
        let half = 0.5;
        WobbleColliderDef {
            struct_size: size_of::<WobbleColliderDef>() as u32,
            kind: WOBBLE_COLLIDER_PLANE,
            normal: WobbleVec3 { x: 0.0, y: 1.0, z: 0.0 },
            offset: 0.0,
            half_extents: WobbleVec3 { x: half, y: half, z: half },
            half_height: half,
            radius: half,
            position: position.into(),
            rotation: rotation.into(),
            velocity: velocity.into(),
            angular_velocity: angular_velocity.into(),
            conveyor: conveyor.into(),
            friction: surface.friction,
            restitution: surface.restitution,
            combine: surface.combine.into(),
            group: groups.group,
            mask: groups.mask,
            points: std::ptr::null(),
            point_count: 0,
            point_stride: 0,
            indices: std::ptr::null(),
            heights: std::ptr::null(),
            index_count: 0,
            columns: 0,
            rows: 0,
            spacing_x: 1.0,
            spacing_z: 1.0,
            enabled: 1,
        }
    }
}

impl From<&Collider> for WobbleColliderDef {
    fn from(collider: &Collider) -> WobbleColliderDef {
        let mut def = WobbleColliderDef {
            position: collider.position().into(),
            rotation: collider.rotation().into(),
            velocity: collider.velocity().into(),
            angular_velocity: collider.angular_velocity().into(),
            conveyor: collider.conveyor().into(),
            friction: collider.surface().friction,
            restitution: collider.surface().restitution,
            combine: collider.surface().combine.into(),
            group: collider.groups().group,
            mask: collider.groups().mask,
            enabled: collider.is_enabled().into(),
            ..WobbleColliderDef::default()
        };
        def.kind = match *collider.shape() {
            ColliderShape::Plane { normal, offset } => {
                (def.normal, def.offset) = (normal.into(), offset);
                WOBBLE_COLLIDER_PLANE
            }
            ColliderShape::Sphere { radius } => {
                def.radius = radius;
                WOBBLE_COLLIDER_SPHERE
            }
            ColliderShape::Box { half_extents } => {
                def.half_extents = half_extents.into();
                WOBBLE_COLLIDER_BOX
            }
            ColliderShape::Capsule { half_height, radius } => {
                (def.half_height, def.radius) = (half_height, radius);
                WOBBLE_COLLIDER_CAPSULE
            }
            ColliderShape::Cylinder { half_height, radius } => {
                (def.half_height, def.radius) = (half_height, radius);
                WOBBLE_COLLIDER_CYLINDER
            }
            ColliderShape::Hull(_) => WOBBLE_COLLIDER_HULL,
            ColliderShape::Mesh(ref mesh) if mesh.is_solid() => WOBBLE_COLLIDER_MESH,
            ColliderShape::Mesh(_) => WOBBLE_COLLIDER_SURFACE,
            ColliderShape::HeightField(_) => WOBBLE_COLLIDER_HEIGHT_FIELD,
        };
        def
    }
}

impl WobbleColliderDef {
    pub(crate) fn collider(&self) -> Result<ColliderDef, Failure> {
        Ok(ColliderDef {
            shape: self.shape()?,
            position: self.position.into(),
            rotation: self.rotation.into(),
            velocity: self.velocity.into(),
            angular_velocity: self.angular_velocity.into(),
            conveyor: self.conveyor.into(),
            surface: convert::surface(self.friction, self.restitution, self.combine)?,
            groups: Groups { group: self.group, mask: self.mask },
            enabled: self.enabled != 0,
        })
    }

    fn shape(&self) -> Result<ColliderShape, Failure> {
        let Self { half_height, radius, .. } = *self;
        Ok(match self.kind {
            WOBBLE_COLLIDER_PLANE => ColliderShape::Plane { normal: self.normal.into(), offset: self.offset },
            WOBBLE_COLLIDER_SPHERE => ColliderShape::Sphere { radius },
            WOBBLE_COLLIDER_BOX => ColliderShape::Box { half_extents: self.half_extents.into() },
            WOBBLE_COLLIDER_CAPSULE => ColliderShape::Capsule { half_height, radius },
            WOBBLE_COLLIDER_CYLINDER => ColliderShape::Cylinder { half_height, radius },
            WOBBLE_COLLIDER_HULL => ColliderShape::hull(&self.points()?)?,
            WOBBLE_COLLIDER_MESH | WOBBLE_COLLIDER_SURFACE => {
                check_counts(self.point_count as usize, self.index_count as usize)?;
                let indices = Strided::new(self.indices.cast(), self.index_count, 4, 1, "indices")?;
                let mut list = memory::reserve(indices.count, "indices")?;
                list.extend((0..indices.count).map(|i| indices.read::<1>(i)[0].to_bits()));
                let (positions, indices) = (self.points()?, Indices::U32(&list));
                let mesh = Mesh { positions: &positions, indices, ..Mesh::default() };
                let is_surface = self.kind == WOBBLE_COLLIDER_SURFACE;
                if is_surface { ColliderShape::surface(&mesh)? } else { ColliderShape::mesh(&mesh)? }
            }
            WOBBLE_COLLIDER_HEIGHT_FIELD => {
                // Before the caller's memory is read: a count that cannot be leads past its end.
                let spacing = [self.spacing_x, self.spacing_z];
                let grid = Grid { columns: self.columns, rows: self.rows, spacing };
                let heights = Strided::new(self.heights, grid.samples()? as u32, 4, 1, "heights")?;
                let mut list = memory::reserve(heights.count, "heights")?;
                list.extend((0..heights.count).map(|i| heights.read::<1>(i)[0]));
                ColliderShape::height_field(self.columns, self.rows, spacing, &list)?
            }
            other => return Err(convert::unknown("kind", other, WOBBLE_COLLIDER_SURFACE)),
        })
    }

    fn points(&self) -> Result<Vec<glam::Vec3>, Failure> {
        Strided::new(self.points, self.point_count, self.point_stride, 3, "points")?.vectors("points")
    }
}

/// The pair did not touch in the step before.
pub const WOBBLE_CONTACT_BEGIN: u32 = 0;
/// It touched in the step before, too.
pub const WOBBLE_CONTACT_STAY: u32 = 1;
/// It touched in the step before and does not any more.
pub const WOBBLE_CONTACT_END: u32 = 2;

/// A pair that touched in the last step, or parted in it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WobbleContact {
    /// The body; of two bodies the one that comes first in wobble_world_bodies().
    pub body: WobbleBody,
    /// The other body; null if it is a collider.
    pub other_body: WobbleBody,
    /// The collider; null if it is a body.
    pub other_collider: WobbleCollider,
    /// A WOBBLE_CONTACT_ constant.
    pub phase: u32,
    /// The cluster of the body's finest level that is nearest to the point.
    pub cluster: u32,
    /// The middle of the contact, metres, weighted by impulse; at the end, where it was last.
    pub point: WobbleVec3,
    /// The mean direction towards body, of length 1.
    pub normal: WobbleVec3,
    /// Sum of the impulses along the normal over the step, N s; 0 at the end.
    pub impulse: f32,
    /// Not used; zero.
    pub reserved: u32,
}

/// A body or a collider.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WobblePartner {
    /// The body; null if it is a collider.
    pub body: WobbleBody,
    /// The collider; null if it is a body.
    pub collider: WobbleCollider,
}

impl WobblePartner {
    /// What hosts of the world at `place` call it.
    pub(crate) fn new(place: u64, partner: Partner) -> WobblePartner {
        let (mut body, mut collider) = (WobbleBody::default(), WobbleCollider::default());
        match partner {
            Partner::Body(id) => body = handles::body_handle(place, id.index, id.generation),
            Partner::Collider(id) => collider = handles::collider_handle(place, id.index, id.generation),
        }
        WobblePartner { body, collider }
    }
}

impl WobbleContact {
    /// The event as hosts of the world at `place` see it.
    pub(crate) fn new(place: u64, event: &ContactEvent) -> WobbleContact {
        let other = WobblePartner::new(place, event.other);
        WobbleContact {
            body: handles::body_handle(place, event.body.index, event.body.generation),
            other_body: other.body,
            other_collider: other.collider,
            phase: match event.phase {
                Phase::Begin => WOBBLE_CONTACT_BEGIN,
                Phase::Stay => WOBBLE_CONTACT_STAY,
                Phase::End => WOBBLE_CONTACT_END,
            },
            cluster: event.cluster,
            point: event.point.into(),
            normal: event.normal.into(),
            impulse: event.impulse,
            reserved: 0,
        }
    }
}
