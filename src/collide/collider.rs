//! Colliders: what the host puts in the way of bodies.

use std::sync::Arc;

use glam::{Mat3A, Quat, Vec3, Vec3A};

use super::bounds::Bounds;
use super::plane::Plane;
use super::solid::{self, Entry, Near};
use super::surface::{Groups, Surface};
use super::trimesh::{Grid, Interior, TriMesh, hull};
use crate::body::unit;
use crate::error::{Error, finite, within};
use crate::mesh::Mesh;

/// Names a collider of a world; of no use to another world or after removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColliderId {
    pub(crate) world: u32,
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// What a collider looks like, in its own frame, metres. Capsules and cylinders stand along y.
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

impl ColliderShape {
    /// The convex hull of 4 to 1024 points that do not lie in one plane.
    pub fn hull(points: &[Vec3]) -> Result<ColliderShape, Error> {
        Ok(ColliderShape::Hull(Arc::new(hull(points)?)))
    }

    /// Triangles. A closed mesh, each of whose edges has one triangle on each side, is solid, and what
    /// gets inside comes out again. Any other is a surface with two sides, a hair thick.
    pub fn mesh(mesh: &Mesh) -> Result<ColliderShape, Error> {
        Ok(ColliderShape::Mesh(Arc::new(TriMesh::new(mesh)?)))
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

    /// Where a ray that begins outside first meets the shape, up to `most` times its direction.
    pub(crate) fn cast(&self, origin: Vec3A, direction: Vec3A, most: f32) -> Option<Entry> {
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
                mesh.cast(origin, direction, most)
            }
        };
        entry.filter(|(t, _)| *t <= most)
    }

    /// Half the thickness that a surface without inside is given, so that a particle at rest on it has a
    /// side; metres.
    pub(crate) fn skin(&self) -> f32 {
        match self {
            ColliderShape::Mesh(mesh) if !mesh.is_solid() => SKIN,
            _ => 0.0,
        }
    }
}

/// See [`ColliderShape::skin`]. Rounding of a position a kilometre away is a tenth of it.
const SKIN: f32 = 1e-3;

/// Where a collider is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    pub(crate) position: Vec3A,
    pub(crate) rotation: Quat,
    /// The same rotation.
    pub(crate) turn: Mat3A,
}

impl Pose {
    pub(crate) fn new(position: Vec3, rotation: Quat) -> Pose {
        Pose { position: position.into(), rotation, turn: Mat3A::from_quat(rotation) }
    }

    /// From the world to the collider's own frame.
    #[inline(always)]
    pub(crate) fn enter(&self, p: Vec3A) -> Vec3A {
        self.turn.transpose() * (p - self.position)
    }

    /// Back to the world.
    #[inline(always)]
    pub(crate) fn leave(&self, p: Vec3A) -> Vec3A {
        self.turn * p + self.position
    }

    /// After `h` seconds of moving on.
    pub(crate) fn moved(&self, velocity: Vec3, spin: Vec3, h: f32) -> Pose {
        let half = spin * (0.5 * h);
        let angle = half.length();
        let sinc = if angle > 1e-6 { libm::sinf(angle) / angle } else { 1.0 };
        let turn = Quat::from_xyzw(half.x * sinc, half.y * sinc, half.z * sinc, libm::cosf(angle));
        let position = Vec3::from(self.position) + velocity * h;
        Pose::new(position, (turn * self.rotation).normalize())
    }
}

/// How a collider is set up.
#[derive(Clone, Debug)]
pub struct ColliderDef {
    /// What it looks like. Default the ground: solid below y = 0.
    pub shape: ColliderShape,
    /// Where it is, metres. Default the origin.
    pub position: Vec3,
    /// How it is turned. Default not at all.
    pub rotation: Quat,
    /// How fast it moves, m/s. A step moves it on. Default zero.
    pub velocity: Vec3,
    /// How fast it turns, rad/s, about its position. Default zero.
    pub angular_velocity: Vec3,
    /// Velocity of its surface against the collider itself, in its own frame, m/s: a conveyor belt.
    /// Default zero.
    pub conveyor: Vec3,
    /// Friction and restitution.
    pub surface: Surface,
    /// Whom it meets. Default everyone.
    pub groups: Groups,
    /// Whether it is there. Default true.
    pub enabled: bool,
}

impl Default for ColliderDef {
    fn default() -> Self {
        ColliderDef {
            shape: ColliderShape::Plane { normal: Vec3::Y, offset: 0.0 },
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            conveyor: Vec3::ZERO,
            surface: Surface::default(),
            groups: Groups::default(),
            enabled: true,
        }
    }
}

/// Something that bodies cannot enter.
pub struct Collider {
    pub(crate) def: ColliderDef,
    /// At the beginning of the substep, and at its end.
    pub(crate) from: Pose,
    pub(crate) to: Pose,
    /// Where the next step is to take it, instead of its velocities.
    pub(crate) target: Option<(Vec3, Quat)>,
    /// What bodies gave it in the last step, N s and N m s about its position.
    pub(crate) impulse: Vec3,
    pub(crate) torque: Vec3,
    /// Whether it got any.
    pub(crate) hit: bool,
}

impl Collider {
    pub(crate) fn new(def: &ColliderDef) -> Result<Collider, Error> {
        finite("position", def.position)?;
        let rotation = unit(def.rotation)?;
        check_velocity(def.velocity, def.angular_velocity)?;
        finite("conveyor", def.conveyor)?;
        def.surface.check()?;
        let shape = def.shape.clone().checked()?;
        let pose = Pose::new(def.position, rotation);
        let def = ColliderDef { shape, rotation, ..*def };
        let (impulse, torque) = (Vec3::ZERO, Vec3::ZERO);
        Ok(Collider { def, from: pose, to: pose, target: None, impulse, torque, hit: false })
    }

    /// What it looks like.
    pub fn shape(&self) -> &ColliderShape {
        &self.def.shape
    }

    /// Where it is, metres.
    pub fn position(&self) -> Vec3 {
        self.def.position
    }

    /// How it is turned.
    pub fn rotation(&self) -> Quat {
        self.def.rotation
    }

    /// How fast it moves, m/s.
    pub fn velocity(&self) -> Vec3 {
        self.def.velocity
    }

    /// How fast it turns, rad/s.
    pub fn angular_velocity(&self) -> Vec3 {
        self.def.angular_velocity
    }

    /// Velocity of its surface against itself, in its own frame, m/s.
    pub fn conveyor(&self) -> Vec3 {
        self.def.conveyor
    }

    /// Friction and restitution.
    pub fn surface(&self) -> Surface {
        self.def.surface
    }

    /// Whom it meets.
    pub fn groups(&self) -> Groups {
        self.def.groups
    }

    /// Whether it is there.
    pub fn is_enabled(&self) -> bool {
        self.def.enabled
    }

    /// What bodies gave it in the last step, N s.
    pub fn impulse(&self) -> Vec3 {
        self.impulse
    }

    /// The turning impulse that bodies gave it in the last step about its position, N m s.
    pub fn torque_impulse(&self) -> Vec3 {
        self.torque
    }

    /// Whether a step moves it.
    pub(crate) fn moves(&self) -> bool {
        self.target.is_some() || self.def.velocity != Vec3::ZERO || self.def.angular_velocity != Vec3::ZERO
    }

    /// Puts it somewhere at once.
    pub(crate) fn put(&mut self, position: Vec3, rotation: Quat) {
        (self.def.position, self.def.rotation) = (position, rotation);
        self.to = Pose::new(position, rotation);
        self.from = self.to;
    }

    /// Before a step of `dt` seconds: finds the velocities that lead to the target.
    pub(crate) fn aim(&mut self, dt: f32) {
        if let Some((position, rotation)) = self.target {
            self.def.velocity = ((position - self.def.position) / dt).clamp_length_max(FASTEST);
            self.def.angular_velocity = spin_between(self.def.rotation, rotation, dt);
        }
    }

    /// One substep on.
    pub(crate) fn advance(&mut self, h: f32) {
        self.from = self.to;
        self.to = self.from.moved(self.def.velocity, self.def.angular_velocity, h);
    }

    /// After a step: it is where it was to go.
    pub(crate) fn arrive(&mut self) {
        if let Some((position, rotation)) = self.target.take() {
            (self.def.velocity, self.def.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
            self.put(position, rotation);
        } else {
            let largest = Vec3::splat(crate::error::LARGEST);
            self.put(Vec3::from(self.to.position).clamp(-largest, largest), self.to.rotation);
        }
    }

    /// Around it, wherever it is in the next `dt` seconds; none for a plane.
    pub(crate) fn bounds(&self, dt: f32) -> Option<Bounds> {
        let local = self.def.shape.bounds()?;
        let pose = &self.to;
        if !self.moves() {
            let centre = pose.leave(local.centre());
            let half = (local.high - local.low) * 0.5;
            let [x, y, z] = [pose.turn.x_axis, pose.turn.y_axis, pose.turn.z_axis].map(Vec3A::abs);
            return Some(Bounds::about(centre, x * half.x + y * half.y + z * half.z));
        }
        let reach = Vec3A::splat(local.low.abs().max(local.high.abs()).length());
        let end = pose.position + Vec3A::from(self.def.velocity * dt);
        Some(Bounds::about(pose.position, reach).with(Bounds::about(end, reach)))
    }

    /// Its plane in the world, if it is one, at the end of the substep.
    pub(crate) fn plane(&self) -> Option<(Vec3A, f32)> {
        let ColliderShape::Plane { normal, offset } = self.def.shape else { return None };
        let normal = self.to.turn * Vec3A::from(normal);
        Some((normal, offset + normal.dot(self.to.position)))
    }

    /// Velocity of the surface at a point of the world, m/s; `normal` is out of it.
    #[inline(always)]
    pub(crate) fn velocity_at(&self, point: Vec3A, normal: Vec3A) -> Vec3A {
        let (velocity, spin) = (Vec3A::from(self.def.velocity), Vec3A::from(self.def.angular_velocity));
        let belt = self.to.turn * Vec3A::from(self.def.conveyor);
        velocity + spin.cross(point - self.to.position) + (belt - normal * belt.dot(normal))
    }
}

/// Velocities beyond are cut down, m/s.
const FASTEST: f32 = 1e6;

pub(crate) fn check_velocity(velocity: Vec3, spin: Vec3) -> Result<(), Error> {
    for (field, v) in [("velocity", velocity), ("angular_velocity", spin)] {
        let wanted = "at most 1e6 in length";
        within(field, v.length(), 0.0, FASTEST, wanted)?;
    }
    Ok(())
}

/// The angular velocity that leads from one rotation to another in `dt` seconds, the short way.
fn spin_between(from: Quat, to: Quat, dt: f32) -> Vec3 {
    let turn = to * from.conjugate();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let axis = turn.xyz();
    let sine = axis.length();
    let spin =
        if sine > 1e-12 { axis * (2.0 * libm::atan2f(sine, turn.w) / (sine * dt)) } else { Vec3::ZERO };
    spin.clamp_length_max(FASTEST)
}
