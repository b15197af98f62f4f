//! A world: its bodies and planes, and the step.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use glam::Vec3;

use crate::body::{Body, BodyDef};
use crate::collide::plane::Plane;
use crate::error::{Error, finite, within};
use crate::parallel::{Spread, Team, chunks};
use crate::profile::{Clock, Profile};
use crate::shape::Shape;
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

/// A place for a body; the generation tells it from those that were here before.
pub(crate) struct Slot {
    generation: u32,
    body: Option<Box<Body>>,
}

impl Slot {
    pub(crate) fn body_mut(&mut self) -> Option<&mut Body> {
        self.body.as_deref_mut()
    }
}

/// The tag of the next world.
static NEXT_TAG: AtomicU32 = AtomicU32::new(0);

/// Bodies that live together.
pub struct World {
    /// Tells this world's names from those of others.
    tag: u32,
    gravity: Vec3,
    substeps: u32,
    team: Team,
    slots: Vec<Slot>,
    planes: Vec<Plane>,
    plane_ids: Vec<u32>,
    next_plane: u32,
    clock: Clock,
    profile: Profile,
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
        finite("gravity", def.gravity)?;
        check_substeps(def.substeps)?;
        Ok(World {
            tag: NEXT_TAG.fetch_add(1, Ordering::Relaxed),
            gravity: def.gravity,
            substeps: def.substeps,
            team: team(def.threads)?,
            slots: Vec::new(),
            planes: Vec::new(),
            plane_ids: Vec::new(),
            next_plane: 0,
            clock: Clock::default(),
            profile: Profile::default(),
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
        let body = Some(Box::new(Body::new(shape, def)?));
        let free = self.slots.iter().position(|slot| slot.body.is_none() && slot.generation < u32::MAX);
        let index = free.unwrap_or(self.slots.len());
        match free {
            Some(i) => self.slots[i] = Slot { generation: self.slots[i].generation + 1, body },
            None => self.slots.push(Slot { generation: 1, body }),
        }
        Ok(BodyId { world: self.tag, index: index as u32, generation: self.slots[index].generation })
    }

    /// Removes a body.
    pub fn remove_body(&mut self, id: BodyId) -> Result<(), Error> {
        self.body(id)?;
        self.slots[id.index as usize].body = None;
        Ok(())
    }

    /// The body named `id`.
    pub fn body(&self, id: BodyId) -> Result<&Body, Error> {
        let slot = self
            .slots
            .get(id.index as usize)
            .filter(|slot| slot.generation == id.generation && id.world == self.tag);
        slot.and_then(|slot| slot.body.as_deref()).ok_or(Error::Stale { what: "body" })
    }

    /// The body named `id`, to change it.
    pub fn body_mut(&mut self, id: BodyId) -> Result<&mut Body, Error> {
        let slot = self
            .slots
            .get_mut(id.index as usize)
            .filter(|slot| slot.generation == id.generation && id.world == self.tag);
        slot.and_then(Slot::body_mut).ok_or(Error::Stale { what: "body" })
    }

    /// All bodies with their names, in a fixed order.
    pub fn bodies(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        self.slots.iter().enumerate().filter_map(|(i, slot)| {
            let id = BodyId { world: self.tag, index: i as u32, generation: slot.generation };
            slot.body.as_deref().map(|body| (id, body))
        })
    }

    /// Adds a plane.
    pub fn add_plane(&mut self, plane: &Plane) -> Result<PlaneId, Error> {
        self.planes.push(plane.checked()?);
        self.plane_ids.push(self.next_plane);
        self.next_plane += 1;
        Ok(PlaneId { world: self.tag, number: self.next_plane - 1 })
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
        within("dt", dt, f32::MIN_POSITIVE, LONGEST, "above 0 and at most 10 seconds")?;
        let start = Instant::now();
        self.clock.reset();
        for body in self.slots.iter_mut().filter_map(Slot::body_mut) {
            body.aim_pins(dt);
        }
        for substep in 0..self.substeps {
            self.substep(dt / self.substeps as f32, substep == 0);
        }
        for body in self.slots.iter_mut().filter_map(Slot::body_mut) {
            body.settle();
        }
        self.profile = self.clock.read(start.elapsed().as_secs_f32(), self.substeps);
        Ok(())
    }

    /// Small bodies in batches over the threads, then each large one over all of them.
    fn substep(&mut self, h: f32, first: bool) {
        let World { team, slots, planes, clock, gravity, .. } = self;
        let team = if team.threads() > 1 { Spread::Over(team) } else { Spread::Here };
        let pass = Pass { h, gravity: *gravity, planes, first, spread: Spread::Here, clock };
        let is_large = |body: &Body| body.raw_positions().len() >= LARGE;
        let small = |body: &Body| body.takes_part() && !is_large(body);
        let sizes =
            slots.iter_mut().filter_map(Slot::body_mut).filter(|b| small(b)).map(|b| b.raw_positions().len());
        let (count, particles) = sizes.fold((0, 0), |(count, sum), size| (count + 1, sum + size));
        if count > 0 {
            let batch = (BATCH * count / particles).clamp(1, 64);
            let spread = if particles > BATCH { team } else { Spread::Here };
            spread.for_blocks(chunks(slots, batch), |_, slots| step::run(pass, slots, small));
        }
        for slot in slots.iter_mut() {
            if slot.body_mut().is_some_and(|body| body.takes_part() && is_large(body)) {
                step::run(Pass { spread: team, ..pass }, std::slice::from_mut(slot), |_| true);
            }
        }
    }

    /// Where the time of the last step went.
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// A number that changes with any bit of any body's positions and velocities.
    pub fn state_hash(&self) -> u64 {
        let mut hash = FNV_START;
        let mut add = |word: u64| hash = (hash ^ word).wrapping_mul(FNV_PRIME);
        for (id, body) in self.bodies() {
            add(u64::from(id.index) << 32 | u64::from(id.generation));
            for v in body.raw_positions().iter().chain(body.raw_velocities()) {
                v.to_array().iter().for_each(|c| add(c.to_bits().into()));
            }
        }
        hash
    }
}

/// Constants of the 64-bit FNV-1a hash, fed whole words here.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

fn check_substeps(substeps: u32) -> Result<(), Error> {
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
}
