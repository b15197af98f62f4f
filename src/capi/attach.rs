//! Attachments: particles held to a frame, joints between bodies, drags.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::defs::{WobbleQuat, WobbleVec3};
use super::guard::call;
use super::handles::{self, WobbleAttachment, WobbleBody, WobbleWorld};
use super::memory::{self, Sized32, out, required};
use super::status::{Failure, WobbleStatus};
use crate::attach::{AttachmentDef, AttachmentId, DragDef, Hold, JointDef};
use crate::error::Error;
use crate::world::{BodyId, World};

/// Particles to be held to the world, or to a frame that the host moves. Fill with
/// wobble_attachment_def_init().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleAttachmentDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Where the frame is now, metres: particles keep their place in it. Default the origin.
    pub position: WobbleVec3,
    /// How it is turned. Default not at all.
    pub rotation: WobbleQuat,
    /// 0 to hold firmly, which puts what is held back in every substep; above 0, up to 1e4, a damped spring on which the body would swing at that many hertz if it were rigid. Default 0. Springs are stable at any stiffness.
    pub hertz: f32,
    /// Damping of the spring, 0 to 100: 1 comes to rest soonest without swinging over. Default 1.
    pub damping_ratio: f32,
    /// Newtons: a substep that would need more of the attachment as a whole ends it. 0 for one that does not break. Default 0.
    pub break_force: f32,
}

/// Points of two bodies to be held together, or at a distance. Fill with wobble_joint_def_init().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleJointDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Where the first body is held, metres, world space. Default the origin.
    pub point: WobbleVec3,
    /// Where the second body is held; may be the same point. Default the origin.
    pub other_point: WobbleVec3,
    /// Particles within this distance of a point take part, those near it more; metres, 0 to 1e9. The nearest takes part in any case. Default 0: that one alone.
    pub radius: f32,
    /// Distance to keep between the held places, metres, 0 to 1e9; below 0 for that between them now. Default -1. Held places are means of particles, so they lie within the bodies.
    pub length: f32,
    /// 0 to hold firmly; above 0, up to 1e4, a damped spring of that many hertz. Default 0.
    pub hertz: f32,
    /// Damping of the spring, 0 to 100. Default 1.
    pub damping_ratio: f32,
    /// Newtons: a substep that would need more ends the joint. 0 for one that does not break. Default 0.
    pub break_force: f32,
}

/// A point of a body to be dragged, as with a mouse. Fill with wobble_drag_def_init().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleDragDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Where the body is taken hold of, metres, world space. Default the origin.
    pub point: WobbleVec3,
    /// Particles within this distance of the point take part, those near it more; metres, 0 to 1e9. The nearest takes part in any case. Default 0: that one alone.
    pub radius: f32,
    /// Frequency of the spring, hertz, above 0 to 1e4. Default 5.
    pub hertz: f32,
    /// Damping of the spring, 0 to 100. Default 1.
    pub damping_ratio: f32,
    /// The most force to drag with, newtons; 0 for any. Default 0. About ten times the weight of the body feels right.
    pub max_force: f32,
}

// SAFETY: repr(C), begins with struct_size, all other fields are numbers.
unsafe impl Sized32 for WobbleAttachmentDef {}
// SAFETY: as above.
unsafe impl Sized32 for WobbleJointDef {}
// SAFETY: as above.
unsafe impl Sized32 for WobbleDragDef {}

/// Fills a definition with the defaults. size is sizeof(WobbleAttachmentDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_attachment_def_init(
    def: *mut WobbleAttachmentDef,
    size: u32,
) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleAttachmentDef::standard(), "def"))
}

/// Fills a definition with the defaults. size is sizeof(WobbleJointDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_joint_def_init(def: *mut WobbleJointDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleJointDef::standard(), "def"))
}

/// Fills a definition with the defaults. size is sizeof(WobbleDragDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_drag_def_init(def: *mut WobbleDragDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleDragDef::standard(), "def"))
}

/// Holds particles of a body to a frame. wobble_attachment_move() moves it; one that never moves is the world
/// itself. Pinned particles are left to their pins. The attachment ends with wobble_attachment_destroy(), when
/// it breaks, and with the body.
///
/// particles      numbers of particles, of which some may come twice; wobble_body_particles_in_box() and others choose them
/// count          how many, at least 1
/// def            null for the defaults: firmly to the world
/// out_attachment receives the attachment
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_attach(
    body: WobbleBody,
    particles: *const u32,
    count: u32,
    def: *const WobbleAttachmentDef,
    out_attachment: *mut WobbleAttachment,
) -> WobbleStatus {
    call(|| {
        let standard = WobbleAttachmentDef::standard();
        let def = if def.is_null() { standard } else { memory::read(def, standard, "def")? }.attachment();
        let particles = memory::copied(particles, count, "particles")?;
        add(body, out_attachment, |w, id| Ok(w.attach(id, &particles, &def)?))
    })
}

/// Joins two bodies of a world, or two places of one. Momentum and angular momentum of both together are kept.
/// The joint ends with wobble_attachment_destroy(), when it breaks, and with either body.
///
/// other          the second body, or the same once more
/// def            where and how
/// out_attachment receives the joint
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_join(
    body: WobbleBody,
    other: WobbleBody,
    def: *const WobbleJointDef,
    out_attachment: *mut WobbleAttachment,
) -> WobbleStatus {
    call(|| {
        let def = memory::read(def, WobbleJointDef::standard(), "def")?.joint();
        let (first, second) = (handles::body(body)?, handles::body(other)?);
        if !Arc::ptr_eq(&first.cell, &second.cell) {
            return Err(Failure::argument("other is a body of another world; both must live in one"));
        }
        let second_id = second.cell.with_body_id(&second, |_, id| Ok(id))?;
        add(body, out_attachment, |w, id| Ok(w.join(id, second_id, &def)?))
    })
}

/// Takes hold of a body to drag it by a spring of bounded force. wobble_attachment_move() says where to, and
/// wobble_attachment_destroy() lets go. Until moved it is held where it is. wobble_world_cast_ray() finds the
/// point under a mouse.
///
/// def            where and how
/// out_attachment receives the drag
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_drag(
    body: WobbleBody,
    def: *const WobbleDragDef,
    out_attachment: *mut WobbleAttachment,
) -> WobbleStatus {
    call(|| {
        let def = memory::read(def, WobbleDragDef::standard(), "def")?.drag();
        add(body, out_attachment, |w, id| Ok(w.drag(id, &def)?))
    })
}

/// Moves the frame of held particles, or the target of a drag, in the course of the next step: what is held is
/// swept along and has its velocity. To jump, use wobble_attachment_set_pose(). A joint has neither frame nor
/// target and is refused. rotation may be null for none; a drag has no use for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_attachment_move(
    attachment: WobbleAttachment,
    position: *const WobbleVec3,
    rotation: *const WobbleQuat,
) -> WobbleStatus {
    lead(attachment, position, rotation, World::move_attachment)
}

/// Puts the frame of held particles, or the target of a drag, somewhere at once, without velocity, as when a
/// character is teleported. Particles stay where they are and would be pulled there over the whole distance: put
/// their body there too, before the next step, by wobble_body_teleport(), or by wobble_body_set_positions() bent as
/// it is. A joint has neither frame nor target and is refused. rotation may be null for none; a drag has no use for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_attachment_set_pose(
    attachment: WobbleAttachment,
    position: *const WobbleVec3,
    rotation: *const WobbleQuat,
) -> WobbleStatus {
    lead(attachment, position, rotation, World::set_attachment_pose)
}

/// What an attachment took in the last step: the impulse, N s, and the turning impulse about the frame's
/// position or the drag's target, N m s. A host gives them to a rigid body that carries the frame; since that
/// comes a step late, hold it by a spring of at most a tenth of the host's steps a second, or it gains energy.
/// Of a joint, what the second body got from the first, and no turning impulse.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_attachment_impulse(
    attachment: WobbleAttachment,
    out_impulse: *mut WobbleVec3,
    out_torque_impulse: *mut WobbleVec3,
) -> WobbleStatus {
    call(|| {
        let impulse = out(out_impulse, "out_impulse")?;
        let torque = out(out_torque_impulse, "out_torque_impulse")?;
        let found = find(attachment, |w, id| {
            let attachment = w.attachment(id)?;
            Ok((attachment.impulse(), attachment.torque_impulse()))
        })?;
        impulse.write(found.0.into());
        torque.write(found.1.into());
        Ok(())
    })
}

/// Ends an attachment: lets particles go, takes a joint apart, ends a drag. Its handle becomes stale.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_attachment_destroy(attachment: WobbleAttachment) -> WobbleStatus {
    call(|| find(attachment, |w, id| Ok(w.detach(id)?)))
}

/// Number of attachments, joints and drags.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_attachment_count(
    world: WobbleWorld,
    out_count: *mut u32,
) -> WobbleStatus {
    count(world, out_count, |w| w.attachments().count())
}

/// The handles of all attachments, joints and drags, in the order they were made, into out_attachments, which
/// holds capacity of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_attachments(
    world: WobbleWorld,
    out_attachments: *mut WobbleAttachment,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    list(world, out_attachments, capacity, out_count, |w| w.attachments().map(|(id, _)| id).collect())
}

/// Number of attachments that broke in the last step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_broken_attachment_count(
    world: WobbleWorld,
    out_count: *mut u32,
) -> WobbleStatus {
    count(world, out_count, |w| w.broken_attachments().len())
}

/// The handles of the attachments that broke in the last step, into out_attachments, which holds capacity of
/// them. They are gone: the handles are stale, and only tell which.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_broken_attachments(
    world: WobbleWorld,
    out_attachments: *mut WobbleAttachment,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    list(world, out_attachments, capacity, out_count, |w| w.broken_attachments().to_vec())
}

/// Makes an attachment of a body.
fn add(
    body: WobbleBody,
    out_attachment: *mut WobbleAttachment,
    make: impl FnOnce(&mut World, BodyId) -> Result<AttachmentId, Failure>,
) -> Result<(), Failure> {
    let out = out(out_attachment, "out_attachment")?;
    let named = handles::body(body)?;
    let id = named.cell.with_body_id(&named, make)?;
    out.write(handles::attachment_handle(named.cell.place(), id.number));
    Ok(())
}

/// Tells an attachment where to be, in one way or the other.
fn lead(
    attachment: WobbleAttachment,
    position: *const WobbleVec3,
    rotation: *const WobbleQuat,
    work: fn(&mut World, AttachmentId, Vec3, Quat) -> Result<(), Error>,
) -> WobbleStatus {
    call(|| {
        let position = required(position, "position")?.into();
        let rotation = memory::optional(rotation, "rotation")?.map_or(Quat::IDENTITY, Into::into);
        find(attachment, |w, id| Ok(work(w, id, position, rotation)?))
    })
}

/// Calls `work` with an attachment's world and name.
fn find<R>(
    attachment: WobbleAttachment,
    work: impl FnOnce(&mut World, AttachmentId) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let named = handles::attachment(attachment)?;
    named.cell.with(|w| {
        let id = named.number().map(|number| w.attachment_id(number));
        let id = id.filter(|id| w.attachment(*id).is_ok()).ok_or_else(|| named.stale())?;
        work(w, id)
    })
}

fn count(world: WobbleWorld, out_count: *mut u32, find: impl FnOnce(&World) -> usize) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        out.write(handles::world(world)?.with(|w| Ok(find(w)))? as u32);
        Ok(())
    })
}

fn list(
    world: WobbleWorld,
    out_attachments: *mut WobbleAttachment,
    capacity: u32,
    out_count: *mut u32,
    find: impl FnOnce(&World) -> Vec<AttachmentId>,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let cell = handles::world(world)?;
        let handle = |id: &AttachmentId| handles::attachment_handle(cell.place(), id.number);
        let found: Vec<WobbleAttachment> = cell.with(|w| Ok(find(w)))?.iter().map(handle).collect();
        memory::write_list(&found, out_attachments, capacity, out_count, "out_attachments", "attachments")
    })
}

fn hold(hertz: f32, damping_ratio: f32) -> Hold {
    if hertz == 0.0 { Hold::Firm } else { Hold::Spring { hertz, damping_ratio } }
}

/// A limit of which 0 means none.
fn limit(force: f32) -> f32 {
    if force == 0.0 { f32::INFINITY } else { force }
}

impl WobbleAttachmentDef {
    fn standard() -> WobbleAttachmentDef {
        let AttachmentDef { position, rotation, .. } = AttachmentDef::default();
        WobbleAttachmentDef {
            struct_size: size_of::<WobbleAttachmentDef>() as u32,
            position: position.into(),
            rotation: rotation.into(),
            hertz: 0.0,
            damping_ratio: 1.0,
            break_force: 0.0,
        }
    }

    fn attachment(&self) -> AttachmentDef {
        AttachmentDef {
            position: self.position.into(),
            rotation: self.rotation.into(),
            hold: hold(self.hertz, self.damping_ratio),
            break_force: limit(self.break_force),
        }
    }
}

impl WobbleJointDef {
    fn standard() -> WobbleJointDef {
        let JointDef { point, other_point, radius, .. } = JointDef::default();
        WobbleJointDef {
            struct_size: size_of::<WobbleJointDef>() as u32,
            point: point.into(),
            other_point: other_point.into(),
            radius,
            length: -1.0,
            hertz: 0.0,
            damping_ratio: 1.0,
            break_force: 0.0,
        }
    }

    fn joint(&self) -> JointDef {
        JointDef {
            point: self.point.into(),
            other_point: self.other_point.into(),
            radius: self.radius,
            length: if self.length < 0.0 { None } else { Some(self.length) },
            hold: hold(self.hertz, self.damping_ratio),
            break_force: limit(self.break_force),
        }
    }
}

impl WobbleDragDef {
    fn standard() -> WobbleDragDef {
        let DragDef { point, radius, hertz, damping_ratio, .. } = DragDef::default();
        WobbleDragDef {
            struct_size: size_of::<WobbleDragDef>() as u32,
            point: point.into(),
            radius,
            hertz,
            damping_ratio,
            max_force: 0.0,
        }
    }

    fn drag(&self) -> DragDef {
        let WobbleDragDef { radius, hertz, damping_ratio, .. } = *self;
        DragDef { point: self.point.into(), radius, hertz, damping_ratio, max_force: limit(self.max_force) }
    }
}
