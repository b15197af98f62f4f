//! The colliders of a world, as hosts see them.

use glam::{Quat, Vec3};

use super::World;
use crate::body::{Body, unit};
use crate::collide::collider::{Collider, ColliderDef, ColliderId, check_velocity};
use crate::collide::colliders::Colliders;
use crate::collide::events::Partner;
use crate::collide::plane::Plane;
use crate::collide::surface::{Groups, Surface};
use crate::error::{Error, finite};
use crate::slots::Slot;

/// What of a collider matters to a body that lies still on it, but for motion, which steps look at.
#[derive(PartialEq)]
struct Standing {
    position: Vec3,
    rotation: Quat,
    conveyor: Vec3,
    surface: Surface,
    groups: Groups,
    enabled: bool,
}

impl Standing {
    fn of(collider: &Collider) -> Standing {
        let ColliderDef { position, rotation, conveyor, surface, groups, enabled, .. } = collider.def;
        Standing { position, rotation, conveyor, surface, groups, enabled }
    }
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::{ColliderDef, ColliderShape, Groups, Plane, Surface};
///
/// let wall = world.add_plane(&Plane { normal: Vec3::X, offset: -5.0, ..Plane::default() })?;
/// let shape = ColliderShape::Box { half_extents: Vec3::new(1.0, 0.1, 1.0) };
/// let lift = world.add_collider(&ColliderDef { shape, ..ColliderDef::default() })?;
/// world.set_collider_surface(lift, Surface { friction: 1.0, ..Surface::default() })?;
/// world.set_collider_pose(lift, Vec3::Y * 0.2, Quat::IDENTITY)?; // at once
/// world.move_collider(lift, Vec3::Y * 0.21, Quat::IDENTITY)?; // in the course of the next step
/// world.step(1.0 / 60.0)?;
/// assert_eq!(world.collider(lift)?.position().y, 0.21);
///
/// world.set_collider_velocity(lift, Vec3::Y * 0.5, Vec3::ZERO)?; // on and on
/// world.set_collider_conveyor(lift, Vec3::X)?; // its surface runs along x
/// world.set_collider_groups(lift, Groups { group: 2, ..Groups::default() })?;
/// world.set_collider_enabled(wall, false)?;
/// assert_eq!(world.colliders().count(), world.collider_count());
/// world.remove_collider(wall)?;
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// Adds a collider.
    pub fn add_collider(&mut self, def: &ColliderDef) -> Result<ColliderId, Error> {
        let (index, generation) = self.colliders.slots.add(Box::new(Collider::new(def)?))?;
        self.unsettle(index);
        self.colliders.changed(index);
        Ok(self.collider_id(index, generation))
    }

    /// Adds a collider that is a plane.
    pub fn add_plane(&mut self, plane: &Plane) -> Result<ColliderId, Error> {
        self.add_collider(&plane.collider()?)
    }

    /// Removes a collider.
    pub fn remove_collider(&mut self, id: ColliderId) -> Result<(), Error> {
        self.collider(id)?;
        self.touches.forget(|_, other| other == Partner::Collider(id));
        self.unsettle(id.index);
        self.colliders.slots.remove(id.index);
        self.colliders.changed(id.index);
        Ok(())
    }

    /// The collider named `id`.
    pub fn collider(&self, id: ColliderId) -> Result<&Collider, Error> {
        let found = self.colliders.slots.get(id.index, id.generation).filter(|_| id.world == self.tag);
        found.ok_or(Error::Stale { what: "collider" })
    }

    /// All colliders with their names, in a fixed order.
    pub fn colliders(&self) -> impl Iterator<Item = (ColliderId, &Collider)> {
        let slots = (0..).zip(self.colliders.slots.list());
        slots.filter_map(|(i, slot)| Some((self.collider_id(i, slot.generation), slot.item.as_deref()?)))
    }

    /// Number of colliders.
    pub fn collider_count(&self) -> usize {
        self.colliders().count()
    }

    /// Changes a collider and notes that it changed.
    fn change_collider(&mut self, id: ColliderId, change: impl FnOnce(&mut Collider)) -> Result<(), Error> {
        let Colliders { slots, unrest, .. } = &mut self.colliders;
        let found = slots.get_mut(id.index, id.generation).filter(|_| id.world == self.tag);
        let collider = found.ok_or(Error::Stale { what: "collider" })?;
        let before = Standing::of(collider);
        let noted = unrest.mark();
        unrest.note(collider, 0.0);
        change(collider);
        if before == Standing::of(collider) {
            unrest.go_back(noted);
        } else {
            unrest.note(collider, 0.0);
        }
        self.colliders.changed(id.index);
        Ok(())
    }

    /// Notes a collider that came or goes.
    fn unsettle(&mut self, index: u32) {
        let Colliders { slots, unrest, .. } = &mut self.colliders;
        slots.list()[index as usize].item.iter().for_each(|collider| unrest.note(collider, 0.0));
    }

    /// Puts a collider somewhere at once: it meets nothing on its way and takes nothing along, however far it is.
    /// Bodies that jump with it are put there, too, before the next step, by [`Body::teleport`] or
    /// [`Body::deform`]. For what moves by and by, see [`World::move_collider`].
    pub fn set_collider_pose(&mut self, id: ColliderId, position: Vec3, rotation: Quat) -> Result<(), Error> {
        finite("position", position)?;
        let rotation = unit(rotation)?;
        self.change_collider(id, |c| {
            c.target = None;
            c.put(position, rotation);
        })
    }

    /// Lets the next step take a collider to a place: it has the velocity of that way, pushes what is in it and
    /// drags along what lies on it. There it stays until it is moved again. Not for jumps: ground that is
    /// moved by 1 km in a step of 1/60 s runs at 60 km/s under a body that was teleported with it, and throws it
    /// kilometres away. Use [`World::set_collider_pose`] for both to lie as they lay.
    pub fn move_collider(&mut self, id: ColliderId, position: Vec3, rotation: Quat) -> Result<(), Error> {
        finite("position", position)?;
        let rotation = unit(rotation)?;
        self.change_collider(id, |c| c.target = Some((position, rotation)))
    }

    /// Sets how fast a collider moves, m/s, and turns about its position, rad/s, each at most 1e6 in
    /// length. Steps move it on from where it is.
    pub fn set_collider_velocity(&mut self, id: ColliderId, velocity: Vec3, spin: Vec3) -> Result<(), Error> {
        check_velocity(velocity, spin)?;
        self.change_collider(id, |c| {
            c.target = None;
            (c.def.velocity, c.def.angular_velocity) = (velocity, spin);
        })
    }

    /// Sets the velocity of a collider's surface against itself, in its own frame, m/s.
    pub fn set_collider_conveyor(&mut self, id: ColliderId, conveyor: Vec3) -> Result<(), Error> {
        finite("conveyor", conveyor)?;
        self.change_collider(id, |c| c.def.conveyor = conveyor)
    }

    /// Sets friction and restitution of a collider.
    pub fn set_collider_surface(&mut self, id: ColliderId, surface: Surface) -> Result<(), Error> {
        surface.check()?;
        self.change_collider(id, |c| c.def.surface = surface)
    }

    /// Sets whom a collider meets.
    pub fn set_collider_groups(&mut self, id: ColliderId, groups: Groups) -> Result<(), Error> {
        self.change_collider(id, |c| c.def.groups = groups)
    }

    /// Takes a collider out of the way, or puts it back.
    pub fn set_collider_enabled(&mut self, id: ColliderId, enabled: bool) -> Result<(), Error> {
        self.change_collider(id, |c| c.def.enabled = enabled)
    }

    /// The name that a collider at `index` has or would have.
    pub(crate) fn collider_id(&self, index: u32, generation: u32) -> ColliderId {
        ColliderId { world: self.tag, index, generation }
    }

    /// Before a step: makes room to note contacts.
    pub(super) fn prepare_contacts(&mut self) {
        let (count, mut blocks) = (self.colliders.count(), 0);
        for body in self.slots.list_mut().iter_mut().filter_map(Slot::active_mut) {
            body.touched.iter_mut().for_each(|touched| touched.make_room(count));
            blocks += body.touched.len();
        }
        self.touches.make_room_for(blocks, count);
    }

    /// After a step: hands what blocks of particles met to the colliders and to the events, body by body
    /// and block by block.
    pub(super) fn collect_contacts(&mut self) {
        let world = self.tag;
        for (index, slot) in (0..).zip(self.slots.list_mut()) {
            let id = super::BodyId { world, index, generation: slot.generation };
            let Some(body) = slot.active_mut() else { continue };
            let lost = body.is_frozen();
            for taken in body.touched.iter_mut().flat_map(|touched| touched.taken.drain(..)) {
                let Some(collider) = self.colliders.slots.list().get(taken.collider as usize) else {
                    continue;
                };
                if lost || !(taken.impulse + taken.torque).is_finite() {
                    continue;
                }
                let other =
                    super::ColliderId { world, index: taken.collider, generation: collider.generation };
                let position = collider.item.as_ref().map_or(Vec3::ZERO, |c| c.to.position.into());
                let (middle, normal) = taken.middle();
                let point = position + Vec3::from(middle);
                self.touches.add(id, Partner::Collider(other), point, normal.into(), taken.pressed);
                self.colliders.take(&taken);
            }
        }
        self.colliders.end();
    }
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// assert!(!world.body(id)?.is_touching());
/// (0..60).try_for_each(|_frame| world.step(1.0 / 60.0))?;
/// assert!(world.body(id)?.is_touching());
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// Whether a particle was in contact with a collider in the last substep.
    pub fn is_touching(&self) -> bool {
        self.grip.is_any()
    }
}
