//! A world: its bodies and planes, and the step.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use glam::Vec3;

use crate::body::{Body, BodyDef};
use crate::bytes::Fnv;
use crate::collide::meeting::Meetings;
use crate::collide::plane::Plane;
use crate::error::{Error, finite, within};
use crate::parallel::{Spread, Team, chunks};
use crate::profile::{Clock, Profile, Stage};
use crate::shape::Shape;
use crate::slots::{MOST_GENERATIONS, Slot, Slots};
use crate::step::{self, Pass};

/// How a world is set up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldDef {
    /// Acceleration of gravity, m/s². Default (0, -9.81, 0).
    pub gravity: Vec3,
    /// Threads that step, the calling one counted; 0 (the default) takes all cores.
    pub threads: u32,
    /// Equal parts that a step is split into, 1 to 64; default 4. Small substeps keep a body's
    /// lowest layers apart under its weight at less cost than strain limiting.
    pub substeps: u32,
}

impl Default for WorldDef {
    fn default() -> Self {
        WorldDef { gravity: Vec3::new(0.0, -9.81, 0.0), threads: 0, substeps: 4 }
    }
}

/// Names a body of a world; of no use to another world or after removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyId {
    world: u32,
    index: u32,
    generation: u32,
}

/// Names a plane of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaneId {
    world: u32,
    number: u32,
}

/// The tag of the next world.
static NEXT_TAG: AtomicU32 = AtomicU32::new(0);

/// Bodies that live together.
pub struct World {
    /// Tells this world's names and snapshots from those of others.
    pub(crate) tag: u32,
    pub(crate) gravity: Vec3,
    pub(crate) substeps: u32,
    team: Team,
    pub(crate) slots: Slots,
    pub(crate) planes: Vec<Plane>,
    pub(crate) plane_ids: Vec<u32>,
    /// The number of the next plane; it never goes back.
    pub(crate) next_plane: u32,
    /// Contacts between bodies.
    meetings: Meetings,
    clock: Clock,
    profile: Profile,
    /// Bodies that the last step put back and froze.
    pub(crate) newly_frozen: Vec<BodyId>,
}

/// Bodies of at least this many particles are spread over threads by themselves.
const LARGE: usize = 4096;
/// Particles of small bodies that make a batch.
const BATCH: usize = 2048;
/// The longest step, s.
const LONGEST: f32 = 10.0;

impl World {
    /// An empty world.
    pub fn new(def: &WorldDef) -> Result<World, Error> {
        World::with_first_generation(def, 1)
    }

    /// An empty world whose generations of bodies and numbers of planes begin at `first`, above
    /// those of an earlier world whose names must stay stale. At least 1.
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
            slots: Slots::new(first),
            planes: Vec::new(),
            plane_ids: Vec::new(),
            next_plane: first,
            meetings: Meetings::default(),
            clock: Clock::default(),
            profile: Profile::default(),
            newly_frozen: Vec::new(),
        })
    }

    /// Acceleration of gravity, m/s².
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// Sets the acceleration of gravity, m/s².
    pub fn set_gravity(&mut self, gravity: Vec3) -> Result<(), Error> {
        finite("gravity", gravity)?;
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
        let (index, generation) = self.slots.add(Box::new(Body::new(shape, def)?))?;
        Ok(self.body_id(index, generation))
    }

    /// Removes a body.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), Error> {
        self.body(id)?;
        self.newly_frozen.retain(|frozen| *frozen != id);
        self.slots.remove(id.index);
        Ok(())
    }

    /// The body named `id`.
    pub fn body(&self, id: BodyId) -> Result<&Body, Error> {
        let slot = self.slots.list().get(id.index as usize);
        let slot = slot.filter(|slot| slot.generation == id.generation && id.world == self.tag);
        slot.and_then(|slot| slot.body.as_deref()).ok_or(Error::Stale { what: "body" })
    }

    /// The body named `id`, to change it.
    pub fn body_mut(&mut self, id: BodyId) -> Result<&mut Body, Error> {
        let slot = self.slots.list_mut().get_mut(id.index as usize);
        let slot = slot.filter(|slot| slot.generation == id.generation && id.world == self.tag);
        slot.and_then(Slot::body_mut).ok_or(Error::Stale { what: "body" })
    }

    /// All bodies with their names, in a fixed order.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        let slots = (0..).zip(self.slots.list());
        slots.filter_map(|(i, slot)| Some((self.body_id(i, slot.generation), slot.body.as_deref()?)))
    }

    /// Adds a plane.
    pub fn add_plane(&mut self, plane: &Plane) -> Result<PlaneId, Error> {
        let plane = plane.checked()?;
        let number = self.next_plane;
        self.next_plane = number.checked_add(1).ok_or(Error::Value {
            field: "plane number",
            value: number.into(),
            wanted: "below 4294967295; make a new world",
        })?;
        self.planes.push(plane);
        self.plane_ids.push(number);
        Ok(self.plane_id(number))
    }

    /// Removes a plane.
    pub fn remove_plane(&mut self, id: PlaneId) -> Result<(), Error> {
        let found = self.plane_ids.iter().position(|&p| p == id.number && id.world == self.tag);
        let index = found.ok_or(Error::Stale { what: "plane" })?;
        self.planes.remove(index);
        self.plane_ids.remove(index);
        Ok(())
    }

    /// Number of planes.
    pub fn plane_count(&self) -> usize {
        self.planes.len()
    }

    /// Moves the world on by `dt` seconds, above 0 and up to 10.
    ///
    /// Allocates nothing and takes no lock once forces, strain limits and threads are set up.
    pub fn step(&mut self, dt: f32) -> Result<(), Error> {
        check_dt(dt)?;
        let start = Instant::now();
        self.clock.reset();
        for body in self.slots.list_mut().iter_mut().filter_map(Slot::body_mut) {
            body.aim_pins(dt);
        }
        for substep in 0..self.substeps {
            self.substep(dt / self.substeps as f32, substep == 0);
        }
        self.newly_frozen.clear();
        for (index, slot) in (0..).zip(self.slots.list_mut()) {
            let (world, generation) = (self.tag, slot.generation);
            if slot.body_mut().is_some_and(Body::settle) {
                self.newly_frozen.push(BodyId { world, index, generation });
            }
        }
        self.profile = self.clock.read(start.elapsed().as_secs_f32(), self.substeps, self.meetings.count() as u32);
        Ok(())
    }

    /// Moves every body, lets those that touch push each other apart, then limits their strain.
    fn substep(&mut self, h: f32, first: bool) {
        let World { team, slots, planes, clock, gravity, meetings, substeps, .. } = self;
        let slots = slots.list_mut();
        let team = if team.threads() > 1 { Spread::Over(team) } else { Spread::Here };
        let pass = Pass { h, gravity: *gravity, planes, first, spread: Spread::Here, clock };
        let sizes = sizes(slots);
        for_all(slots, sizes, team, |spread, slots, chosen| {
            step::move_bodies(Pass { spread, ..pass }, slots, chosen);
        });
        let spread = if sizes.particles() > BATCH { team } else { Spread::Here };
        clock.time(Stage::Contacts, || {
            if first {
                step::touching::find(meetings, slots, h * *substeps as f32, spread);
            }
            if meetings.count() > 0 {
                step::touching::resolve(meetings, slots, Pass { spread, ..pass });
            }
        });
        for_all(slots, sizes, team, |spread, slots, chosen| {
            step::limit_strain(Pass { spread, ..pass }, slots, chosen);
        });
    }

    /// The bodies that went non-finite in the last step, and were put back and frozen.
    pub fn newly_frozen(&self) -> &[BodyId] {
        &self.newly_frozen
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

    /// The name that a body at `index` has or would have.
    pub(crate) fn body_id(&self, index: u32, generation: u32) -> BodyId {
        BodyId { world: self.tag, index, generation }
    }

    /// The name that plane `number` has or would have.
    pub(crate) fn plane_id(&self, number: u32) -> PlaneId {
        PlaneId { world: self.tag, number }
    }
}

/// How much there is to step.
#[derive(Clone, Copy, Default)]
struct Sizes {
    small: usize,
    small_particles: usize,
    large_particles: usize,
}

impl Sizes {
    fn particles(&self) -> usize {
        self.small_particles + self.large_particles
    }
}

fn is_large(body: &Body) -> bool {
    body.raw_positions().len() >= LARGE
}

fn sizes(slots: &[Slot]) -> Sizes {
    let mut sizes = Sizes::default();
    for body in slots.iter().filter_map(|slot| slot.body.as_deref()).filter(|body| body.takes_part()) {
        let count = body.raw_positions().len();
        if is_large(body) {
            sizes.large_particles += count;
        } else {
            sizes.small += 1;
            sizes.small_particles += count;
        }
    }
    sizes
}

/// Hands out small bodies in batches over the threads, then each large one with all of them.
fn for_all(
    slots: &mut [Slot],
    sizes: Sizes,
    team: Spread,
    work: impl Fn(Spread, &mut [Slot], &dyn Fn(&Body) -> bool) + Sync,
) {
    if sizes.small > 0 {
        let batch = (BATCH * sizes.small / sizes.small_particles).clamp(1, 64);
        let spread = if sizes.small_particles > BATCH { team } else { Spread::Here };
        let small = |body: &Body| body.takes_part() && !is_large(body);
        spread.for_blocks(chunks(slots, batch), |_, slots| work(Spread::Here, slots, &small));
    }
    if sizes.large_particles > 0 {
        for slot in slots.iter_mut() {
            if slot.body_mut().is_some_and(|body| body.takes_part() && is_large(body)) {
                work(team, std::slice::from_mut(slot), &|_| true);
            }
        }
    }
}

#[cfg(feature = "capi")]
impl World {
    /// The body named `id`, and the threads to read it with.
    pub(crate) fn body_and_team(&mut self, id: BodyId) -> Result<(&Body, Spread<'_>), Error> {
        let body = self.body(id)?;
        Ok((body, if self.team.threads() > 1 { Spread::Over(&self.team) } else { Spread::Here }))
    }

    /// Above every generation of a body and number of a plane that was given out.
    pub(crate) fn first_unused_generation(&self) -> u32 {
        self.next_plane.max(self.slots.highest() + 1).min(MOST_GENERATIONS)
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

#[cfg(feature = "capi")]
impl PlaneId {
    /// At least 1.
    pub(crate) fn number(self) -> u32 {
        self.number
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
        assert!(there.remove_body(body).is_err() && there.remove_plane(plane).is_err());
        assert!(here.remove_plane(plane).is_ok());
    }

    #[test]
    fn a_world_may_begin_its_names_above_those_of_another() {
        let shape = Shape::from_points(&[Vec3::ZERO], None, &LevelsDef::default()).unwrap();
        let def = WorldDef { threads: 1, ..WorldDef::default() };
        let mut world = World::with_first_generation(&def, 40).unwrap();
        assert_eq!(world.first_unused_generation(), 40);
        let body = world.add_body(&shape, &BodyDef::default()).unwrap();
        let plane = world.add_plane(&Plane::default()).unwrap();
        assert_eq!((body.index(), body.generation(), plane.number()), (0, 40, 40));
        assert_eq!((world.body_id(0, 40), world.plane_id(40)), (body, plane));
        assert_eq!(world.first_unused_generation(), 41);
        for first in [0, MOST_GENERATIONS + 1] {
            assert!(World::with_first_generation(&def, first).is_err());
        }
    }
}
