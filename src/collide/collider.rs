//! Colliders: what the host puts in the way of bodies.

use glam::{Mat3A, Quat, Vec3, Vec3A};

use super::bounds::Bounds;
use super::surface::{Groups, Surface};
use crate::body::unit;
use crate::error::{Error, finite, within};

pub use super::shape::ColliderShape;

/// Names a collider of a world; of no use to another world or after removal.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::{ColliderDef, ColliderShape};
///
/// let shape = ColliderShape::Box { half_extents: Vec3::new(1.0, 0.1, 1.0) };
///
/// let table = world.add_collider(&ColliderDef { shape, ..ColliderDef::default() })?;
/// world.remove_collider(table)?;
/// assert!(world.collider(table).is_err(), "a name is never given out twice");
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColliderId {
    pub(crate) world: u32,
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

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

    /// How far off its true place `p`, entered as `local`, may be by rounding alone, metres. Point and position
    /// were rounded by half a step of f32 each, the difference and its products with the rotation by a few.
    pub(crate) fn rounding(&self, p: Vec3A, local: Vec3A) -> f32 {
        const TURNED: f32 = 8.0;
        f32::EPSILON * (p.length() + self.position.length() + TURNED * local.length())
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
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::{ColliderDef, ColliderShape};
///
/// let shape = ColliderShape::Box { half_extents: Vec3::new(1.0, 0.1, 1.0) };
///
/// let turning = Vec3::Y; // rad/s
/// world.add_collider(&ColliderDef { shape, angular_velocity: turning, ..ColliderDef::default() })?;
/// # Ok::<(), wobble::Error>(())
/// ```
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
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::{ColliderDef, ColliderShape};
///
/// let shape = ColliderShape::Box { half_extents: Vec3::new(1.0, 0.1, 1.0) };
///
/// let table = world.add_collider(&ColliderDef { shape, position: Vec3::Y * 0.5, ..ColliderDef::default() })?;
/// world.set_sleeping(false, 0.02)?; // sleepers push nothing
/// (0..240).try_for_each(|_frame| world.step(1.0 / 60.0))?;
/// let pressed = world.collider(table)?.impulse() * 60.0;
/// assert!((pressed.y + 9.81).abs() < 1.0, "1 kg lies on it: {pressed}");
/// # Ok::<(), wobble::Error>(())
/// ```
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

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::ColliderShape;
///
/// let (_id, ground) = world.colliders().next().expect("the ground");
/// assert!(matches!(ground.shape(), ColliderShape::Plane { .. }));
/// assert_eq!((ground.position(), ground.rotation()), (Vec3::ZERO, Quat::IDENTITY));
/// assert_eq!((ground.velocity(), ground.angular_velocity()), (Vec3::ZERO, Vec3::ZERO));
/// assert_eq!((ground.conveyor(), ground.is_enabled()), (Vec3::ZERO, true));
/// assert_eq!((ground.surface().friction, ground.groups().group), (0.5, 1));
/// assert_eq!((ground.impulse(), ground.torque_impulse()), (Vec3::ZERO, Vec3::ZERO));
/// # Ok::<(), wobble::Error>(())
/// ```
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
