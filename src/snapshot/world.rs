//! The state of a world.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::attach;
use super::body::State;
use super::{collider, contacts, pieces};
use crate::body::Body;
use crate::bytes::{Format, Reader, Writer};
use crate::collide::events::{ContactEvent, Partner, Reporting};
use crate::error::{Error, finite};
use crate::headroom;
use crate::shape::Shape;
use crate::sleep::Sleep;
use crate::slots::{MOST_GENERATIONS, MOST_SLOTS, Slot};
use crate::world::{World, check_substeps};

const FORMAT: Format = Format { magic: *b"WOBBLEWO", version: 6, what: "world snapshot" };

/// A place as a snapshot has it: generation, highest generation, and who is there.
type Place<T> = (u32, u32, Option<T>);
/// The same for bodies.
type BodyPlace = Place<(Arc<Shape>, State)>;

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// let before = world.snapshot();
/// world.step(1.0 / 60.0)?;
/// let then = world.state_hash();
///
/// world.restore(&before, &[])?; // the shapes of bodies that are there are known
/// world.step(1.0 / 60.0)?;
/// assert_eq!(world.state_hash(), then);
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// The state of the world as bytes, for [`World::restore`]: gravity, substeps, colliders and
    /// bodies with their names. Not the shapes, which bodies name by [`Shape::fingerprint`], but for pieces of
    /// them, and not the number of threads.
    pub fn snapshot(&self) -> Vec<u8> {
        headroom::or_end(self.snapshot_file())
    }

    /// The same, unless there is no memory for it.
    pub(crate) fn snapshot_file(&self) -> Result<Vec<u8>, Error> {
        let mut out = Writer::new(FORMAT);
        out.u32(self.tag);
        out.vec3(self.gravity);
        out.u32(self.substeps);
        out.u8(self.bodies_meet.into());
        out.f32(self.reporting.threshold);
        out.u32(self.reporting.most);
        out.u8(self.sleep.enabled.into());
        out.f32(self.sleep.speed);
        out.u32(self.breaks.most);
        out.u32(self.breaks.next_family);
        write_places(&mut out, self.colliders.slots.list(), collider::write);
        write_places(&mut out, self.slots.list(), |out, body| {
            pieces::write(out, &body.shape);
            // The next step would wake it before anything else.
            let woken = self.colliders.unrest.reaches_slowly(&body.rest.bounds, body.groups);
            body.write_state(out, body.is_sleeping() && !woken);
        });
        contacts::write(&mut out, &self.touches.touching);
        self.write_attachments(&mut out);
        out.finish()
    }

    /// Puts the world in the state that [`World::snapshot`] gave. From there it goes on bit for bit
    /// as the other did, on any number of threads. Nothing changes when the snapshot is refused.
    ///
    /// Shapes are looked up by fingerprint among `shapes` and those of the present bodies;
    /// [`Error::Missing`] names one that is not there.
    ///
    /// Names from before the snapshot name the same bodies and colliders again. Names given out since
    /// then are stale and stay so: no other body or collider gets them. Those of another world's
    /// snapshot get names that were never given out here; ask [`World::bodies`] for them. Worlds
    /// are told apart within a process: a snapshot from another one may count as this world's own.
    pub fn restore(&mut self, snapshot: &[u8], shapes: &[Arc<Shape>]) -> Result<(), Error> {
        let mut from = FORMAT.open(snapshot)?;
        let own = from.u32()? == self.tag;
        let (gravity, substeps, meet) = (from.vec3()?, from.u32()?, from.flag("bodies_meet")?);
        from.checked(finite("gravity", gravity))?;
        from.checked(check_substeps(substeps))?;
        let (threshold, most) = (from.f32()?, from.u32()?);
        let reporting = from.checked(Reporting::new(threshold, most))?;
        let (sleeping, speed) = (from.flag("sleeping")?, from.f32()?);
        let sleep = from.checked(Sleep::new(sleeping, speed))?;
        let (fractures, family) = (from.u32()?, from.u32()?);
        from.ensure(fractures <= 1000, || format!("{fractures} cracks a step"))?;
        let present = self.colliders.slots.list();
        let colliders = read_places(&mut from, "colliders", |from, i| {
            collider::read(from, present.get(i).and_then(|slot| slot.item.as_deref()))
        })?;
        let bodies = read_bodies(&mut from, self.slots.list(), shapes)?;
        let taken = |i: u32, collider: bool| match collider {
            true => colliders.get(i as usize).is_some_and(|place| place.2.is_some()),
            false => bodies.get(i as usize).is_some_and(|place| place.2.is_some()),
        };
        let pairs = contacts::read(&mut from, taken)?;
        let particles =
            |i: u32| bodies.get(i as usize).and_then(|place| Some(place.2.as_ref()?.0.particle_count()));
        let attachments = attach::read(&mut from, &particles)?;
        from.done()?;
        ensure_room(&bodies)?;
        let attachments = self.renumbered(own, attachments)?;
        check_generations(own, present, &colliders)?;
        check_generations(own, self.slots.list(), &bodies)?;
        (self.gravity, self.substeps, self.reporting) = (gravity, substeps, reporting);
        self.newly_frozen.clear();
        self.breaks.go_back(fractures, family);
        self.take_attachments(attachments);
        self.colliders.slots.go_back(own, colliders, |collider, _| Box::new(collider));
        self.colliders.all_changed();
        self.slots.go_back(own, bodies, |(shape, state), present| {
            let same = present.filter(|body| Arc::ptr_eq(&body.shape, &shape));
            let mut body = same.unwrap_or_else(|| Box::new(Body::blank(&shape)));
            body.take_over(state);
            body
        });
        self.bodies_meet = meet;
        self.set_bodies_meet(meet);
        self.sleep = sleep;
        self.sleep.make_room(self.slots.list().len());
        self.colliders.unrest.clear();
        let mut touching: Vec<ContactEvent> = pairs.iter().map(|pair| self.named(pair)).collect();
        touching.sort_unstable_by_key(|event| (event.body, event.other));
        self.touches.go_back(touching);
        Ok(())
    }

    /// A touching pair by its present names.
    fn named(&self, pair: &contacts::Pair) -> ContactEvent {
        let body = |i: u32| self.body_id(i, self.slots.list()[i as usize].generation);
        let other = match pair.other {
            (i, false) => Partner::Body(body(i)),
            (i, true) => {
                let generation = self.colliders.slots.list()[i as usize].generation;
                Partner::Collider(self.collider_id(i, generation))
            }
        };
        pair.named(body(pair.body), other)
    }
}

/// Refuses bodies that there is no memory to make anew; those that are there already may be used again.
fn ensure_room(bodies: &[BodyPlace]) -> Result<(), Error> {
    let shapes = bodies.iter().filter_map(|(.., taken)| Some(&taken.as_ref()?.0));
    headroom::ensure(shapes.map(|shape| Body::bytes_of(shape)).sum(), "the bodies of a snapshot")
}

/// Refuses bodies or colliders of another world where a place has given out all its generations.
fn check_generations<T, S>(own: bool, slots: &[Slot<T>], places: &[Place<S>]) -> Result<(), Error> {
    let worn_out =
        |(slot, place): (&Slot<T>, &Place<S>)| place.2.is_some() && slot.issued >= MOST_GENERATIONS;
    if own || !slots.iter().zip(places).any(worn_out) {
        return Ok(());
    }
    let wanted = "below 16777215 at every place; make a new world";
    Err(Error::Value { field: "generation", value: MOST_GENERATIONS.into(), wanted })
}

fn write_places<T>(out: &mut Writer, slots: &[Slot<T>], write: impl Fn(&mut Writer, &T)) {
    out.u32(slots.len() as u32);
    for slot in slots {
        out.u32(slot.generation);
        out.u32(slot.issued);
        out.u8(u8::from(slot.item.is_some()));
        if let Some(item) = &slot.item {
            write(out, item);
        }
    }
}

/// `read` makes what is in a place.
fn read_places<T>(
    from: &mut Reader,
    what: &'static str,
    mut read: impl FnMut(&mut Reader, usize) -> Result<T, Error>,
) -> Result<Vec<Place<T>>, Error> {
    let count = from.count(what, 9)?;
    from.ensure(count <= MOST_SLOTS, || format!("{count} places for {what}; {MOST_SLOTS} at most"))?;
    let mut places = Vec::with_capacity(count);
    for i in 0..count {
        let (generation, issued, taken) = (from.u32()?, from.u32()?, from.flag("taken")?);
        let named = (u32::from(taken)..=issued).contains(&generation) && issued <= MOST_GENERATIONS;
        from.ensure(named, || format!("place {i} has generation {generation} of {issued}"))?;
        places.push((generation, issued, if taken { Some(read(from, i)?) } else { None }));
    }
    Ok(places)
}

fn read_bodies(from: &mut Reader, present: &[Slot], shapes: &[Arc<Shape>]) -> Result<Vec<BodyPlace>, Error> {
    let at = |i: usize| present.get(i).and_then(|slot| Some(&slot.item.as_ref()?.shape));
    let wholes = |shape: &Arc<Shape>| shape.part_of().map(|part| Arc::clone(&part.whole));
    let known = (0..present.len()).filter_map(at).chain(shapes);
    let known = known.flat_map(|shape| wholes(shape).into_iter().chain([Arc::clone(shape)]));
    let known: BTreeMap<u64, Arc<Shape>> = known.map(|shape| (shape.fingerprint(), shape)).collect();
    read_places(from, "bodies", |from, i| {
        // The body that is there already, if it has the right shape, need not be made anew.
        let shape = pieces::read(from, at(i), &known)?;
        let state = State::read(from, &shape)?;
        Ok((shape, state))
    })
}
