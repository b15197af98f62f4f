//! A world: its bodies and colliders, and the step.

mod breaking;
mod colliders;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use glam::Vec3;

use crate::attach::Attachments;
use crate::body::{Body, BodyDef};
use crate::bytes::Fnv;
use crate::collide::collider::ColliderId;
use crate::collide::colliders::Colliders;
use crate::collide::events::{ContactEvent, Partner, Reporting, Touches};
use crate::collide::meeting::Meetings;
use crate::collide::response::Pressed;
use crate::error::{Error, finite, within};
use crate::fields::{self, Placed};
use crate::parallel::{Spread, Team};
use crate::profile::{Clock, Profile, Stage};
use crate::shape::Shape;
use crate::sleep::{self, Sleep, Surroundings};
use crate::slots::{MOST_GENERATIONS, Slot, Slots};
use crate::step::{self, Pass, sharing};

pub use breaking::BreakEvent;
pub(crate) use breaking::Breaks;

/// How a world is set up.
///
/// ```
/// use wobble::{World, WorldDef};
///
/// let world = World::new(&WorldDef { threads: 1, substeps: 8, ..WorldDef::default() })?;
/// assert_eq!((world.threads(), world.substeps()), (1, 8));
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldDef {
    /// Acceleration of gravity, m/s². Default (0, -9.81, 0).
    pub gravity: Vec3,
    /// Threads that step, the calling one counted; 0 (the default) takes all cores.
    pub threads: u32,
    /// Equal parts that a step is split into, 1 to 64; default 4. Small substeps keep a body's
    /// lowest layers apart under its weight at less cost than strain limiting.
    pub substeps: u32,
    /// Contacts are reported from this impulse on, N s in a step; default 0. Pairs that press less
    /// count as apart.
    pub contact_threshold: f32,
    /// The most contact events of a step; default 4096. The weakest beyond are left out.
    pub max_contacts: u32,
    /// Whether bodies at rest fall asleep; default true. See [`World::set_sleeping`].
    pub sleeping: bool,
    /// What counts as rest for a body of 1 m, m/s; default 0.03.
    pub sleep_speed: f32,
}

impl Default for WorldDef {
    fn default() -> Self {
        let gravity = Vec3::new(0.0, -9.81, 0.0);
        WorldDef {
            gravity,
            threads: 0,
            substeps: 4,
            contact_threshold: 0.0,
            max_contacts: 4096,
            sleeping: true,
            sleep_speed: 0.03,
        }
    }
}

/// Names a body of a world; of no use to another world or after removal.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// world.remove_body(id)?;
/// assert!(world.body(id).is_err(), "a name is never given out twice");
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    pub(crate) world: u32,
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// The tag of the next world.
static NEXT_TAG: AtomicU32 = AtomicU32::new(0);

/// Bodies that live together.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// for _frame in 0..120 {
///     world.step(1.0 / 60.0)?;
/// }
/// let (low, high) = world.body(id)?.bounds();
/// assert!(low.y.abs() < 0.01 && high.y > 0.45, "it lies on the ground");
/// # Ok::<(), wobble::Error>(())
/// ```
pub struct World {
    /// Tells this world's names and snapshots from those of others.
    pub(crate) tag: u32,
    pub(crate) gravity: Vec3,
    pub(crate) substeps: u32,
    team: Team,
    pub(crate) slots: Slots,
    pub(crate) colliders: Colliders,
    pub(crate) bodies_meet: bool,
    /// Contacts between bodies.
    meetings: Meetings,
    clock: Clock,
    profile: Profile,
    /// Bodies that the last step put back and froze.
    pub(crate) newly_frozen: Vec<BodyId>,
    pub(crate) attachments: Attachments,
    /// Force fields by ascending number.
    pub(crate) fields: Vec<Placed>,
    /// The number of the next attachment or force field; it never goes back.
    pub(crate) next_number: u32,
    pub(crate) reporting: Reporting,
    pub(crate) touches: Touches,
    pub(crate) sleep: Sleep,
    pub(crate) breaks: Breaks,
}

/// The longest step, s.
const LONGEST: f32 = 10.0;

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::cube()?;
/// use glam::Vec3;
/// use wobble::{BodyDef, Plane, World, WorldDef};
///
/// let mut world = World::new(&WorldDef::default())?;
/// world.set_gravity(Vec3::Y * -1.6)?; // the moon's
/// world.set_substeps(2)?;
/// world.set_threads(2)?;
/// world.set_bodies_meet(false); // they pass through each other
/// world.set_contact_reporting(0.1, 100)?; // contacts from 0.1 N s on, at most 100 of them
/// assert_eq!((world.gravity().y, world.substeps(), world.threads()), (-1.6, 2, 2));
/// assert_eq!((world.bodies_meet(), world.contact_reporting()), (false, (0.1, 100)));
///
/// world.add_plane(&Plane::default())?;
/// let id = world.add_body(&shape, &BodyDef { position: Vec3::Y, ..BodyDef::default() })?;
/// world.body_mut(id)?.set_velocity(Vec3::NEG_Y)?;
/// for _frame in 0..60 {
///     world.step(1.0 / 60.0)?;
///     for contact in world.contacts() {
///         println!("{:?} at {}: {} N s", contact.phase, contact.point, contact.impulse);
///     }
/// }
/// assert!(world.newly_frozen().is_empty(), "nothing went wrong");
/// assert!(world.profile().total > 0.0);
/// println!("{} bodies, state {:x}", world.bodies().count(), world.state_hash());
/// assert!(world.body(id)?.centre_of_mass().y < 1.0);
/// world.remove_body(id)?;
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// An empty world.
    pub fn new(def: &WorldDef) -> Result<World, Error> {
        World::with_first_generation(def, 1)
    }

    /// An empty world whose generations of bodies and colliders begin at `first`, above those of an earlier world whose names must stay stale. At least 1.
    pub(crate) fn with_first_generation(def: &WorldDef, first: u32) -> Result<World, Error> {
        finite("gravity", def.gravity)?;
        check_substeps(def.substeps)?;
        if !(1..=MOST_GENERATIONS).contains(&first) {
            let wanted = "from 1 to 16777215";
            return Err(Error::Value { field: "first generation", value: first.into(), wanted });
        }
        Ok(World {
            tag: NEXT_TAG.fetch_add(1, Ordering::Relaxed),
            gravity: def.gravity,
            substeps: def.substeps,
            team: team(def.threads)?,
            slots: Slots::new(first, "bodies"),
            colliders: Colliders::new(first),
            bodies_meet: true,
            meetings: Meetings::default(),
            clock: Clock::default(),
            profile: Profile::default(),
            newly_frozen: Vec::new(),
            attachments: Attachments::default(),
            fields: Vec::new(),
            next_number: first,
            reporting: Reporting::new(def.contact_threshold, def.max_contacts)?,
            touches: Touches::default(),
            sleep: Sleep::new(def.sleeping, def.sleep_speed)?,
            breaks: Breaks::default(),
        })
    }

    /// Acceleration of gravity, m/s².
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// Sets the acceleration of gravity, m/s².
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        finite("gravity", gravity)?;
        if gravity != self.gravity {
            self.wake_all();
        }
        self.gravity = gravity;
        Ok(())
    }

    /// Parts that a step is split into.
    pub fn substeps(&self) -> u32 {
        self.substeps
    }

    /// Sets the parts that a step is split into, 1 to 64.
    pub fn set_substeps(&mut self, substeps: u32) -> Result<(), Error> {
        check_substeps(substeps)?;
        if substeps != self.substeps {
            self.wake_all();
        }
        self.substeps = substeps;
        Ok(())
    }

    /// Threads that step, the calling one counted.
    pub fn threads(&self) -> u32 {
        self.team.threads() as u32
    }

    /// Sets the threads that step; 0 takes all cores. Results do not depend on it.
    pub fn set_threads(&mut self, threads: u32) -> Result<(), Error> {
        self.team = team(threads)?;
        Ok(())
    }

    /// Adds a body of `shape`.
    pub fn add_body(&mut self, shape: &Arc<Shape>, def: &BodyDef) -> Result<BodyId, Error> {
        self.slots.check_room()?;
        if self.bodies_meet
            && let Some((_, first)) = self.bodies().next()
        {
            // The first one was alone until now.
            for shape in [first.shape(), shape] {
                shape.ensure_field()?;
            }
        }
        let (index, generation) = self.slots.add(Box::new(Body::new(shape, def)?))?;
        self.sleep.make_room(self.slots.list().len());
        self.touches.make_room(self.slots.list().len(), shape.particle_count().div_ceil(step::PARTICLES));
        Ok(self.body_id(index, generation))
    }

    /// Whether bodies push each other apart where they touch; they do at first.
    pub fn bodies_meet(&self) -> bool {
        self.bodies_meet
    }

    /// Lets bodies push each other apart where they touch, or pass through each other. The surfaces of
    /// shapes are found once there are two bodies, so that no step has to.
    pub fn set_bodies_meet(&mut self, meet: bool) {
        if meet != self.bodies_meet {
            self.wake_all();
        }
        self.bodies_meet = meet;
        self.meetings = Meetings::default();
        if meet && self.bodies().nth(1).is_some() {
            self.bodies().for_each(|(_, body)| {
                body.shape().field();
            });
        }
    }

    /// Removes a body.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), Error> {
        self.body(id)?;
        self.wake_island_of(id.index);
        for list in [&mut self.newly_frozen, &mut self.sleep.slept, &mut self.sleep.woke] {
            list.retain(|told| *told != id);
        }
        self.breaks.events.retain(|event| event.piece != id);
        self.attachments.forget_body(id.index);
        self.fields.retain(|field| field.body != Some(id.index));
        self.touches.forget(|body, other| body == id || other == Partner::Body(id));
        self.slots.remove(id.index);
        Ok(())
    }

    /// The body named `id`.
    pub fn body(&self, id: BodyId) -> Result<&Body, Error> {
        let found = self.slots.get(id.index, id.generation).filter(|_| id.world == self.tag);
        found.ok_or(Error::Stale { what: "body" })
    }

    /// The body named `id`, to change it.
    pub fn body_mut(&mut self, id: BodyId) -> Result<&mut Body, Error> {
        let found = self.slots.get_mut(id.index, id.generation).filter(|_| id.world == self.tag);
        found.ok_or(Error::Stale { what: "body" })
    }

    /// All bodies with their names, in a fixed order.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        let slots = (0..).zip(self.slots.list());
        slots.filter_map(|(i, slot)| Some((self.body_id(i, slot.generation), slot.item.as_deref()?)))
    }

    /// Moves the world on by `dt` seconds, above 0 and up to 10.
    ///
    /// Allocates nothing and takes no lock once forces, strain limits and threads are set up, unless a body breaks.
    pub fn step(&mut self, dt: f32) -> Result<(), Error> {
        check_dt(dt)?;
        let start = Instant::now();
        self.clock.reset();
        self.begin_step(dt);
        for substep in 0..self.substeps {
            let h = dt / self.substeps as f32;
            self.colliders.advance(h);
            self.substep(h, substep == 0);
            self.attachments.solve(self.slots.list_mut(), h, substep, self.substeps);
            self.fields.iter_mut().for_each(|field| field.age += f64::from(h));
        }
        self.end_step(dt);
        self.break_bodies(dt);
        let (taken, contacts) = (start.elapsed().as_secs_f32(), self.meetings.count() as u32);
        self.profile = self.clock.read(taken, self.substeps, contacts);
        Ok(())
    }

    /// Finds out who is awake and what acts on them.
    fn begin_step(&mut self, dt: f32) {
        self.breaks.events.clear();
        self.breaks.particles.clear();
        self.colliders.begin(dt);
        let World { slots, sleep, colliders, attachments, fields, .. } = self;
        sleep::rouse(sleep, slots.list_mut(), &colliders.unrest, attachments, self.tag);
        slots.list_mut().iter_mut().filter_map(Slot::active_mut).for_each(|body| body.aim_pins(dt));
        fields::assign(fields, slots.list_mut());
        self.attachments.begin();
        self.note_grips();
        self.prepare_contacts();
    }

    /// Moves every body, lets those that touch push each other apart, then limits their strain.
    fn substep(&mut self, h: f32, first: bool) {
        let World { team, slots, colliders, fields, clock, gravity, meetings, sleep, .. } = self;
        let slots = slots.list_mut();
        let team = if team.threads() > 1 { Spread::Over(team) } else { Spread::Here };
        let dt = h * self.substeps as f32;
        let pass = Pass { h, dt, gravity: *gravity, colliders, fields, first, spread: Spread::Here, clock };
        let sizes = sharing::sizes(slots);
        if first {
            meetings.begin(slots.len());
        }
        step::bodies::move_all(pass, slots, sizes, team, meetings);
        let spread = sizes.spread(team);
        clock.time(Stage::Contacts, || {
            let pass = Pass { spread, ..pass };
            if first && self.bodies_meet {
                step::touching::find(meetings, slots, (dt, h), spread);
                if sleep::wake_touched(sleep, slots, meetings, self.tag) {
                    fields::assign(fields, slots);
                }
                step::touching::gather_all(meetings, slots, pass);
            }
            if meetings.count() > 0 {
                step::touching::resolve(meetings, slots, pass);
            }
        });
        step::bodies::limit_all(pass, slots, sizes, team);
    }

    /// Tells what became of bodies, attachments and contacts, and lets those at rest fall asleep.
    fn end_step(&mut self, dt: f32) {
        self.attachments.end(self.tag);
        self.newly_frozen.clear();
        for (index, slot) in (0..).zip(self.slots.list_mut()) {
            let (world, generation) = (self.tag, slot.generation);
            if slot.active_mut().is_some_and(Body::settle) {
                self.newly_frozen.push(BodyId { world, index, generation });
            }
        }
        self.collect_contacts();
        let World { team, slots, touches, meetings, sleep, .. } = self;
        meetings.report(|here, there, pressed| {
            let generation = |index: u32| slots.list()[index as usize].generation;
            let name = |index| BodyId { world: self.tag, index, generation: generation(index) };
            let Pressed { point, normal, impulse, .. } = pressed;
            touches.add(name(here), Partner::Body(name(there)), point.into(), normal.into(), impulse);
        });
        let at = |id: BodyId| slots.get(id.index, id.generation);
        let sleeps = |id: BodyId| at(id).is_some_and(Body::is_sleeping);
        touches.finish(
            self.reporting,
            |id, point| at(id).map_or(0, |body| body.nearest_cluster(point)),
            |event| sleeps(event.body) && !matches!(event.other, Partner::Body(id) if !sleeps(id)),
        );
        let around = Surroundings {
            meetings,
            attachments: &self.attachments,
            fields: &self.fields,
            unrest: &self.colliders.unrest,
            spread: if team.threads() > 1 { Spread::Over(team) } else { Spread::Here },
            world: self.tag,
        };
        sleep::settle(sleep, slots.list_mut(), dt, &around);
        self.colliders.unrest.clear();
    }

    /// The bodies that went non-finite in the last step, and were put back and frozen.
    pub fn newly_frozen(&self) -> &[BodyId] {
        &self.newly_frozen
    }

    /// Pairs that touched in the last step or parted in it, sorted by body and partner.
    pub fn contacts(&self) -> &[ContactEvent] {
        self.touches.events()
    }

    /// Reports contacts from an impulse of `threshold` N s in a step on, at most `most` of them.
    pub fn set_contact_reporting(&mut self, threshold: f32, most: u32) -> Result<(), Error> {
        self.reporting = Reporting::new(threshold, most)?;
        Ok(())
    }

    /// From which impulse on contacts are reported, N s in a step, and the most of them.
    pub fn contact_reporting(&self) -> (f32, u32) {
        (self.reporting.threshold, self.reporting.most)
    }

    /// Where the time of the last step went.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// A number that changes with any bit of any body's positions and velocities. Generations do not
    /// count: they depend on worlds that were there before, and machines in step must agree.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv::new();
        for (id, body) in self.bodies() {
            hash.add(id.index.into());
            for v in body.raw_positions().iter().chain(body.raw_velocities()) {
                hash.add_floats(&v.to_array());
            }
        }
        hash.0
    }

    /// A number for a new attachment or force field.
    pub(crate) fn new_number(&mut self, field: &'static str) -> Result<u32, Error> {
        let number = self.next_number;
        let wanted = "below 4294967295 in number; make a new world";
        let next = number.checked_add(1).ok_or(Error::Value { field, value: number.into(), wanted })?;
        self.next_number = next;
        Ok(number)
    }

    /// The name that a body at `index` has or would have.
    pub(crate) fn body_id(&self, index: u32, generation: u32) -> BodyId {
        BodyId { world: self.tag, index, generation }
    }
}

impl World {
    /// The body named `id`, and the threads to read it with.
    pub(crate) fn body_and_team(&mut self, id: BodyId) -> Result<(&Body, Spread<'_>), Error> {
        let body = self.body(id)?;
        Ok((body, self.spread()))
    }

    /// The threads to work on. Who has the world to itself may use them.
    pub(crate) fn spread(&self) -> Spread<'_> {
        if self.team.threads() > 1 { Spread::Over(&self.team) } else { Spread::Here }
    }

    /// Above every generation of a body or collider that was given out.
    #[cfg(feature = "capi")]
    pub(crate) fn first_unused_generation(&self) -> u32 {
        let highest = self.slots.highest().max(self.colliders.slots.highest()).saturating_add(1);
        highest.max(self.next_number).min(MOST_GENERATIONS)
    }
}

#[cfg(feature = "capi")]
impl BodyId {
    /// Its place, below 2^24.
    pub(crate) fn index(self) -> u32 {
        self.index
    }

    /// Tells it from others in the same place; 1 to 2^24 - 1.
    pub(crate) fn generation(self) -> u32 {
        self.generation
    }
}

/// Refuses steps of no, endless or unwieldy length.
pub(crate) fn check_dt(dt: f32) -> Result<(), Error> {
    within("dt", dt, f32::MIN_POSITIVE, LONGEST, "above 0 and at most 10 seconds")
}

pub(crate) fn check_substeps(substeps: u32) -> Result<(), Error> {
    within("substeps", substeps as f32, 1.0, 64.0, "from 1 to 64")
}

fn team(threads: u32) -> Result<Team, Error> {
    within("threads", threads as f32, 0.0, 256.0, "from 0 (all cores) to 256")?;
    let cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
    let count = if threads == 0 { cores() } else { threads as usize };
    Team::new(count).map_err(|_| Error::Value {
        field: "threads",
        value: count as f64,
        wanted: "no more than the system can start",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clustering::LevelsDef;
    use crate::collide::plane::Plane;

    #[test]
    fn names_of_another_world_are_refused() {
        let shape = Shape::from_points(&[Vec3::ZERO, Vec3::X], None, &LevelsDef::default()).unwrap();
        let def = WorldDef { threads: 1, ..WorldDef::default() };
        let (mut here, mut there) = (World::new(&def).unwrap(), World::new(&def).unwrap());
        let body = here.add_body(&shape, &BodyDef::default()).unwrap();
        there.add_body(&shape, &BodyDef::default()).unwrap();
        let plane = here.add_plane(&Plane::default()).unwrap();
        there.add_plane(&Plane::default()).unwrap();
        assert!(here.body(body).is_ok() && there.body_mut(body).is_err());
        assert!(there.remove_body(body).is_err() && there.remove_collider(plane).is_err());
        assert!(here.remove_collider(plane).is_ok());
    }

    #[test]
    fn a_world_may_begin_its_names_above_those_of_another() {
        let shape = Shape::from_points(&[Vec3::ZERO], None, &LevelsDef::default()).unwrap();
        let def = WorldDef { threads: 1, ..WorldDef::default() };
        let mut world = World::with_first_generation(&def, 40).unwrap();
        assert_eq!(world.first_unused_generation(), 40);
        let body = world.add_body(&shape, &BodyDef::default()).unwrap();
        let plane = world.add_plane(&Plane::default()).unwrap();
        assert_eq!((body.index(), body.generation(), (plane.index, plane.generation)), (0, 40, (0, 40)));
        assert_eq!((world.body_id(0, 40), world.collider_id(0, 40)), (body, plane));
        assert_eq!(world.first_unused_generation(), 41);
        for first in [0, MOST_GENERATIONS + 1] {
            assert!(World::with_first_generation(&def, first).is_err());
        }
    }
}
