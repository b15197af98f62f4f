//! Attachments: particles held to the world or to a frame that the host moves, joints between bodies,
//! and points that are dragged.
//!
//! All are world objects with names. They are solved after the particles have moved, in each substep,
//! one after the other in the order they were made, on one thread: the same bits on any number.
//! Reads and writes positions and velocities of the particles that are attached; `link.rs` has the
//! physics.

mod def;
pub(crate) mod link;
mod solve;

use glam::{Quat, Vec3};

pub(crate) use def::check_force;
pub use def::{AttachmentDef, DragDef, JointDef};
pub use link::Hold;

use crate::body::{Body, unit};
use crate::error::{Error, finite};
use crate::slots::Slot;
use crate::world::World;

/// Names an attachment of a world: held particles, a joint or a drag.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::{AttachmentDef, Hold, Space};
///
/// let top = world.body(id)?.particles_in_box(Vec3::new(-1.0, 0.2, -1.0), Vec3::ONE, Space::Rest)?;
///
/// let rope = world.attach(id, &top, &AttachmentDef::default())?;
/// world.detach(rope)?;
/// assert!(world.attachment(rope).is_err());
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AttachmentId {
    pub(crate) world: u32,
    pub(crate) number: u32,
}

/// Where a host's frame is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) position: Vec3,
    pub(crate) rotation: Quat,
}

impl Frame {
    /// A part `t` of the way from here to there. The turn takes the shorter way.
    fn towards(&self, to: &Frame, t: f32) -> Frame {
        let sign = if self.rotation.dot(to.rotation) < 0.0 { -1.0 } else { 1.0 };
        let turn = self.rotation * (sign * (1.0 - t)) + to.rotation * t;
        let rotation = if turn.length_squared() > 1e-12 { turn.normalize() } else { to.rotation };
        Frame { position: self.position + (to.position - self.position) * t, rotation }
    }
}

/// A particle that is held, in spatial order, and its place in the frame, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) particle: u32,
    pub(crate) local: Vec3,
}

/// A weighted point of a body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Side {
    /// The place of the body in its world.
    pub(crate) body: u32,
    /// Particles in spatial order and their shares, which sum to 1.
    pub(crate) shares: Vec<(u32, f32)>,
}

/// What is held to what.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Particles of a body to a frame.
    Frame { body: u32, held: Vec<Held>, from: Frame, to: Frame },
    /// Points of two bodies at a distance from each other.
    Joint { sides: [Side; 2], length: f32 },
    /// A point of a body, `offset` from the place taken hold of, to a target with at most `most` newtons.
    Drag { side: Side, offset: Vec3, from: Vec3, to: Vec3, most: f32 },
}

/// Something attached. See [`World::attach`], [`World::join`] and [`World::drag`].
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::{AttachmentDef, Hold, Space};
///
/// let top = world.body(id)?.particles_in_box(Vec3::new(-1.0, 0.2, -1.0), Vec3::ONE, Space::Rest)?;
///
/// let rope = world.attach(id, &top, &AttachmentDef::default())?;
/// world.set_sleeping(false, 0.02)?; // sleepers pull at nothing
/// (0..300).try_for_each(|_frame| world.step(1.0 / 60.0))?;
/// let weight = world.attachment(rope)?.impulse() * 60.0;
/// assert!((weight.y.abs() - 9.81).abs() < 1.0, "it carries 1 kg: {weight}");
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Attachment {
    pub(crate) number: u32,
    pub(crate) kind: Kind,
    pub(crate) hold: Hold,
    /// N; infinite for what does not break.
    pub(crate) break_force: f32,
    pub(crate) impulse: Vec3,
    pub(crate) torque: Vec3,
    pub(crate) broken: bool,
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::{AttachmentDef, Hold, Space};
///
/// let top = world.body(id)?.particles_in_box(Vec3::new(-1.0, 0.2, -1.0), Vec3::ONE, Space::Rest)?;
///
/// let rope = world.attach(id, &top, &AttachmentDef::default())?;
/// world.step(1.0 / 60.0)?;
/// let held = world.attachment(rope)?;
/// println!("{} N s and {} N m s in this step", held.impulse(), held.torque_impulse());
/// # Ok::<(), wobble::Error>(())
/// ```
impl Attachment {
    /// What the last step's pull gave to the frame, in newton seconds: give it to a rigid body that
    /// carries the frame. It comes a step late, so hold what is to pull a rigid body by a spring of at
    /// most a tenth of the host's steps a second: a firm hold, answered late, gains energy. Of a drag what the target took; of a joint what the second body got from
    /// the first.
    pub fn impulse(&self) -> Vec3 {
        self.impulse
    }

    /// The same as angular momentum about the frame's position, or about the target of a drag, kg m²/s;
    /// zero for a joint.
    pub fn torque_impulse(&self) -> Vec3 {
        self.torque
    }

    /// The particles that it holds of the body at a place, in spatial order of the body.
    pub(crate) fn particles_of(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        let (held, sides): (&[Held], [Option<&Side>; 2]) = match &self.kind {
            Kind::Frame { body, held, .. } if *body == place => (held, [None; 2]),
            Kind::Frame { .. } => (&[], [None; 2]),
            Kind::Joint { sides: [a, b], .. } => (&[], [Some(a), Some(b)]),
            Kind::Drag { side, .. } => (&[], [Some(side), None]),
        };
        let of_sides = sides.into_iter().flatten().filter(move |side| side.body == place);
        let of_sides = of_sides.flat_map(|side| side.shares.iter().map(|(i, _)| *i));
        held.iter().map(|h| h.particle).chain(of_sides)
    }

    /// The places of the bodies that it holds.
    fn bodies(&self) -> [u32; 2] {
        match &self.kind {
            Kind::Frame { body, .. } => [*body; 2],
            Kind::Joint { sides: [a, b], .. } => [a.body, b.body],
            Kind::Drag { side, .. } => [side.body; 2],
        }
    }
}

/// Sets the end of a way, and its start if it is a jump; whether that is anything new.
fn lead<T: Copy + PartialEq>([from, to]: [&mut T; 2], there: T, jumps: bool) -> bool {
    let before = (*from, *to);
    *to = there;
    if jumps {
        *from = there;
    }
    (*from, *to) != before
}

/// All attachments of a world.
#[derive(Default)]
pub(crate) struct Attachments {
    /// By ascending number.
    pub(crate) list: Vec<Attachment>,
    /// Those that broke in the last step.
    pub(crate) broken: Vec<AttachmentId>,
}

impl Attachments {
    /// Forgets what holds the body at this place.
    pub(crate) fn forget_body(&mut self, place: u32) {
        self.list.retain(|attachment| !attachment.bodies().contains(&place));
    }

    /// The places of every two bodies that a joint holds together.
    pub(crate) fn joints(&self) -> impl Iterator<Item = [u32; 2]> {
        self.list.iter().filter_map(|attachment| match &attachment.kind {
            Kind::Joint { sides: [a, b], .. } => Some([a.body, b.body]),
            _ => None,
        })
    }

    fn position(&self, number: u32) -> Option<usize> {
        self.list.binary_search_by_key(&number, |attachment| attachment.number).ok()
    }
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::{AttachmentDef, Hold, Space};
///
/// let top = world.body(id)?.particles_in_box(Vec3::new(-1.0, 0.2, -1.0), Vec3::ONE, Space::Rest)?;
///
/// let crane = world.attach(id, &top, &AttachmentDef { break_force: 1e4, ..AttachmentDef::default() })?;
/// for frame in 1..=60 {
///     world.move_attachment(crane, Vec3::Y * frame as f32 / 60.0, Quat::IDENTITY)?; // up by a metre
///     world.step(1.0 / 60.0)?;
///     assert!(world.broken_attachments().is_empty());
/// }
/// assert!(world.body(id)?.centre_of_mass().y > 1.8);
/// assert_eq!(world.attachments().count(), 1);
/// assert!(world.attachment(crane)?.impulse().is_finite());
///
/// let far = Vec3::X * 100.0; // both at once, without speed
/// world.body_mut(id)?.deform(|p| p + far)?;
/// world.set_attachment_pose(crane, Vec3::Y + far, Quat::IDENTITY)?;
/// world.detach(crane)?;
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// The attachment named `id`.
    pub fn attachment(&self, id: AttachmentId) -> Result<&Attachment, Error> {
        let found = self.attachments.position(id.number).filter(|_| id.world == self.tag);
        found.map(|i| &self.attachments.list[i]).ok_or(Error::Stale { what: "attachment" })
    }

    /// All attachments, in the order they were made.
    pub fn attachments(&self) -> impl Iterator<Item = (AttachmentId, &Attachment)> {
        self.attachments.list.iter().map(|a| (self.attachment_id(a.number), a))
    }

    /// Those that broke in the last step; they are gone.
    pub fn broken_attachments(&self) -> &[AttachmentId] {
        &self.attachments.broken
    }

    /// Ends an attachment: lets particles go, takes a joint apart, ends a drag.
    pub fn detach(&mut self, id: AttachmentId) -> Result<(), Error> {
        let bodies = self.attachment(id)?.bodies();
        self.wake_at(bodies);
        self.attachments.list.retain(|a| a.number != id.number);
        Ok(())
    }

    /// Moves the frame of an attachment, or the target of a drag, in the course of the next step: what
    /// is held is swept along and has its velocity. To jump, use [`World::set_attachment_pose`]. A drag
    /// has no use for the rotation. A joint has nothing to move and is refused.
    pub fn move_attachment(&mut self, id: AttachmentId, position: Vec3, rotation: Quat) -> Result<(), Error> {
        self.lead_attachment(id, position, rotation, false)
    }

    /// Puts the frame of an attachment, or the target of a drag, somewhere at once, without velocity, as
    /// when a character is teleported. Particles stay where they are and would be pulled there over the
    /// whole distance: put their body there too, before the next step, by [`Body::teleport`] or
    /// [`Body::deform`]. A drag has no use for the rotation; a joint is refused.
    pub fn set_attachment_pose(
        &mut self,
        id: AttachmentId,
        position: Vec3,
        rotation: Quat,
    ) -> Result<(), Error> {
        self.lead_attachment(id, position, rotation, true)
    }

    /// Says where an attachment is after the next step, and, if it jumps, also before it.
    fn lead_attachment(
        &mut self,
        id: AttachmentId,
        position: Vec3,
        rotation: Quat,
        jumps: bool,
    ) -> Result<(), Error> {
        self.attachment(id)?;
        finite("position", position)?;
        let rotation = unit(rotation)?;
        let number = id.number;
        let found = self.attachments.list.iter_mut().find(|a| a.number == number);
        let (place, led) = match found.map(|a| &mut a.kind) {
            Some(Kind::Frame { body, from, to, .. }) => {
                (*body, lead([from, to], Frame { position, rotation }, jumps))
            }
            Some(Kind::Drag { side, from, to, .. }) => (side.body, lead([from, to], position, jumps)),
            _ => {
                let wanted = "that of held particles or of a drag; a joint has no frame";
                return Err(Error::Value { field: "attachment", value: number.into(), wanted });
            }
        };
        if led {
            self.wake_at([place; 2]);
        }
        Ok(())
    }

    /// Wakes the bodies at these places.
    fn wake_at(&mut self, places: [u32; 2]) {
        let slots = self.slots.list_mut();
        for place in places {
            slots.get_mut(place as usize).and_then(Slot::body_mut).into_iter().for_each(Body::wake);
        }
    }

    /// The name that attachment `number` has or would have.
    pub(crate) fn attachment_id(&self, number: u32) -> AttachmentId {
        AttachmentId { world: self.tag, number }
    }

    fn add_attachment(&mut self, kind: Kind, hold: Hold, break_force: f32) -> Result<AttachmentId, Error> {
        let number = self.new_number("attachments")?;
        let (impulse, torque, broken) = (Vec3::ZERO, Vec3::ZERO, false);
        let made = Attachment { number, kind, hold, break_force, impulse, torque, broken };
        self.wake_at(made.bodies());
        self.attachments.list.push(made);
        // A step that breaks all of them does not allocate.
        let room =
            self.attachments.list.len() - self.attachments.broken.len().min(self.attachments.list.len());
        self.attachments.broken.reserve(room);
        Ok(self.attachment_id(number))
    }
}
