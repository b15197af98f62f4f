//! The state of a world.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::body::State;
use crate::body::Body;
use crate::bytes::{Format, Reader, Writer};
use crate::collide::plane::Plane;
use crate::error::{Error, finite};
use crate::shape::Shape;
use crate::slots::{MOST_GENERATIONS, MOST_SLOTS, Slot};
use crate::world::{World, check_substeps};

const FORMAT: Format = Format { magic: *b"WOBBLEWO", version: 3, what: "world snapshot" };

/// A place as a snapshot has it: generation, highest generation, and who is there.
type Place = (u32, u32, Option<(Arc<Shape>, State)>);

impl World {
    /// The state of the world as bytes, for [`World::restore`]: gravity, substeps, planes and
    /// bodies with their names. Not the shapes, which bodies name by [`Shape::fingerprint`], and not
    /// the number of threads.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut out = Writer::new(FORMAT);
        out.u32(self.tag);
        out.vec3(self.gravity);
        out.u32(self.substeps);
        out.u32(self.next_plane);
        out.u32(self.planes.len() as u32);
        for (plane, number) in self.planes.iter().zip(&self.plane_ids) {
            out.u32(*number);
            out.vec3(plane.normal);
            [plane.offset, plane.friction, plane.restitution].into_iter().for_each(|n| out.f32(n));
        }
        out.u32(self.slots.list().len() as u32);
        for slot in self.slots.list() {
            out.u32(slot.generation);
            out.u32(slot.issued);
            out.u8(u8::from(slot.item.is_some()));
            if let Some(body) = &slot.item {
                out.u64(body.shape.fingerprint());
                body.write_state(&mut out);
            }
        }
        out.finish()
    }

    /// Puts the world in the state that [`World::snapshot`] gave. From there it goes on bit for bit
    /// as the other did, on any number of threads. Nothing changes when the snapshot is refused.
    ///
    /// Shapes are looked up by fingerprint among `shapes` and those of the present bodies;
    /// [`Error::Missing`] names one that is not there.
    ///
    /// Names from before the snapshot name the same bodies and planes again. Names given out since
    /// then are stale and stay so: no other body or plane gets them. Bodies of another world's
    /// snapshot get names that were never given out here; ask [`World::bodies`] for them. Worlds
    /// are told apart within a process: a snapshot from another one may count as this world's own.
    pub fn restore(&mut self, snapshot: &[u8], shapes: &[Arc<Shape>]) -> Result<(), Error> {
        let mut from = FORMAT.open(snapshot)?;
        let own = from.u32()? == self.tag;
        let (gravity, substeps, next_plane) = (from.vec3()?, from.u32()?, from.u32()?);
        from.checked(finite("gravity", gravity))?;
        from.checked(check_substeps(substeps))?;
        let (planes, plane_ids) = read_planes(&mut from, next_plane)?;
        let places = read_places(&mut from, self.slots.list(), shapes)?;
        from.done()?;
        let plane_ids = if own { plane_ids } else { self.new_plane_numbers(plane_ids.len())? };
        self.check_generations(own, &places)?;
        self.gravity = gravity;
        self.substeps = substeps;
        let used = plane_ids.last().map_or(0, |last| last + 1);
        self.next_plane = self.next_plane.max(if own { next_plane } else { used });
        self.planes = planes;
        self.plane_ids = plane_ids;
        self.newly_frozen.clear();
        self.slots.go_back(own, places, |(shape, state), present| {
            let same = present.filter(|body| Arc::ptr_eq(&body.shape, &shape));
            let mut body = same.unwrap_or_else(|| Box::new(Body::blank(&shape)));
            body.take_over(state);
            body
        });
        Ok(())
    }
}

impl World {
    /// Numbers for planes of another world.
    fn new_plane_numbers(&self, count: usize) -> Result<Vec<u32>, Error> {
        let end = u64::from(self.next_plane) + count as u64;
        if end > u64::from(u32::MAX) {
            let wanted = "below 4294967295; make a new world";
            return Err(Error::Value { field: "plane number", value: end as f64, wanted });
        }
        Ok((self.next_plane..end as u32).collect())
    }

    /// Refuses bodies of another world where a place has given out all its generations.
    fn check_generations(&self, own: bool, places: &[Place]) -> Result<(), Error> {
        let worn_out = |(slot, place): (&Slot, &Place)| place.2.is_some() && slot.issued >= MOST_GENERATIONS;
        if own || !self.slots.list().iter().zip(places).any(worn_out) {
            return Ok(());
        }
        let wanted = "below 16777215 at every place; make a new world";
        Err(Error::Value { field: "generation", value: MOST_GENERATIONS.into(), wanted })
    }
}

fn read_planes(from: &mut Reader, next: u32) -> Result<(Vec<Plane>, Vec<u32>), Error> {
    let count = from.count("planes", 28)?;
    let (mut planes, mut numbers) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for _ in 0..count {
        numbers.push(from.u32()?);
        let (normal, offset) = (from.vec3()?, from.f32()?);
        let plane = Plane { normal, offset, friction: from.f32()?, restitution: from.f32()? };
        from.checked(plane.checked())?;
        from.ensure(normal.is_normalized(), || format!("a plane's normal is {normal}, not of length 1"))?;
        planes.push(plane);
    }
    let ascending = numbers.is_sorted_by(|a, b| a < b) && numbers.last().is_none_or(|last| *last < next);
    from.ensure(ascending, || "the numbers of its planes do not ascend".into())?;
    Ok((planes, numbers))
}

fn read_places(from: &mut Reader, present: &[Slot], shapes: &[Arc<Shape>]) -> Result<Vec<Place>, Error> {
    let at = |i: usize| present.get(i).and_then(|slot| Some(&slot.item.as_ref()?.shape));
    let known = (0..present.len()).filter_map(at).chain(shapes);
    let known: BTreeMap<u64, &Arc<Shape>> = known.map(|shape| (shape.fingerprint(), shape)).collect();
    let count = from.count("places for bodies", 9)?;
    from.ensure(count <= MOST_SLOTS, || format!("{count} places for bodies; {MOST_SLOTS} at most"))?;
    let mut places = Vec::with_capacity(count);
    for i in 0..count {
        let (generation, issued, taken) = (from.u32()?, from.u32()?, from.flag("taken")?);
        let named = (u32::from(taken)..=issued).contains(&generation) && issued <= MOST_GENERATIONS;
        from.ensure(named, || format!("place {i} has generation {generation} of {issued}"))?;
        if !taken {
            places.push((generation, issued, None));
            continue;
        }
        let id = from.u64()?;
        // The body that is there already, if it has the right shape, need not be made anew.
        let same = at(i).filter(|shape| shape.fingerprint() == id);
        let shape = same.or_else(|| known.get(&id).copied()).ok_or(Error::Missing { what: "shape", id })?;
        places.push((generation, issued, Some((Arc::clone(shape), State::read(from, shape)?))));
    }
    Ok(places)
}
