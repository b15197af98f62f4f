//! Bodies that are cut or break: pieces become bodies of their own.
//!
//! The largest piece keeps the name of the body, the others get new ones. Runs between steps and at the end of
//! one, on one thread. The surfaces of pieces are found by the next step, when it looks for what touches, so that no step pays
//! for all of it.

use std::ops::Range;
use std::sync::Arc;

use glam::{DVec3, Vec3A, Vec4};

use super::{BodyId, World};
use crate::attach::{Kind, Side};
use crate::body::Body;
use crate::body::breaking::Unbroken;
use crate::error::Error;
use crate::fracture::pieces::{self, Piece};
use crate::fracture::tear::{self, WHOLE};
use crate::fracture::{Cut, Knife, Overstretched};
use crate::step;

/// A piece of a body that broke in the last step, or was cut since. There is one for each piece, that which kept the
/// name included.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::Knife;
///
/// let knife = Knife::Plane { point: world.body(id)?.centre_of_mass(), normal: Vec3::X };
///
/// world.cut(id, &knife)?;
/// for piece in world.breaks() {
///     println!("{:?} has {} particles of {:?}", piece.piece, piece.particles.len(), piece.body);
/// }
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BreakEvent {
    /// The body that broke.
    pub body: BodyId,
    /// The piece.
    pub piece: BodyId,
    /// Whether the piece is debris: particles that nothing holds.
    pub is_debris: bool,
    /// Where its particles are in [`World::broken_particles`].
    pub particles: Range<usize>,
}

/// What a world knows about bodies that break.
pub(crate) struct Breaks {
    /// Cracks that may open in a step.
    pub(crate) most: u32,
    /// The number of the next family of pieces.
    pub(crate) next_family: u32,
    pub(crate) events: Vec<BreakEvent>,
    pub(crate) particles: Vec<u32>,
    /// Cracks that open in a step: how urgent, whose, where.
    queue: Vec<(f32, u32, Overstretched)>,
}

impl Default for Breaks {
    fn default() -> Self {
        Breaks { most: 16, next_family: 0, events: Vec::new(), particles: Vec::new(), queue: Vec::new() }
    }
}

impl Breaks {
    /// Back to the state of a snapshot. Numbers of families are not given out twice.
    pub(crate) fn go_back(&mut self, most: u32, next_family: u32) {
        *self = Breaks { most, next_family: self.next_family.max(next_family), ..Breaks::default() };
    }
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::Knife;
///
/// let knife = Knife::Plane { point: world.body(id)?.centre_of_mass(), normal: Vec3::X };
///
/// world.set_most_fractures(8)?; // cracks that may open in a step
/// assert_eq!(world.most_fractures(), 8);
/// assert_eq!(world.cut(id, &knife)?, 2);
/// assert_eq!(world.breaks().len(), 2);
/// assert_eq!(world.broken_particles().len(), 216, "which particle went where");
///
/// world.reset_body(id)?; // whole again
/// assert_eq!(world.bodies().count(), 1);
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// What broke in the last step or was cut since: one event for each piece.
    pub fn breaks(&self) -> &[BreakEvent] {
        &self.breaks.events
    }

    /// For each particle of each piece in [`World::breaks`], in its creation order, the one it was of the body that
    /// broke, in that one's creation order.
    pub fn broken_particles(&self) -> &[u32] {
        &self.breaks.particles
    }

    /// The most cracks that open in a step.
    pub fn most_fractures(&self) -> u32 {
        self.breaks.most
    }

    /// Bounds the cracks that open in a step, 0 to 1000; 16 at first. The least stretched wait for the next step.
    pub fn set_most_fractures(&mut self, most: u32) -> Result<(), Error> {
        crate::error::within("most_fractures", most as f32, 0.0, 1000.0, "from 0 to 1000")?;
        self.breaks.most = most;
        Ok(())
    }

    /// Cuts a body. Returns how many bodies it is then: 1 if it still hangs together. [`World::breaks`] names them.
    pub fn cut(&mut self, id: BodyId, knife: &Knife) -> Result<usize, Error> {
        let cut = knife.cut()?;
        let body = self.body(id)?;
        let at = body.x.clone();
        self.tear(id.index, &[cut], &at)
    }

    /// Puts a body back to the rest shape it had before it was dented, cut or broken, upright and at rest, about the
    /// present centre of mass of all its pieces; those that broke off are gone. A piece whose body was
    /// removed goes back to its own rest shape.
    pub fn reset_body(&mut self, id: BodyId) -> Result<(), Error> {
        let body = self.body_mut(id)?;
        let whole = body.shape().part_of().map(|part| Arc::clone(&part.whole));
        let (Some(whole), true) = (whole, body.unbroken.is_some()) else {
            body.reset();
            return Ok(());
        };
        let family = body.family;
        let (mut sum, mut mass) = (DVec3::ZERO, 0.0);
        let mut pieces = Vec::new();
        for (piece, body) in self.bodies() {
            if piece == id || family.is_some() && body.family == family {
                let own = f64::from(body.shape().mass());
                (sum, mass) = (sum + body.centre_of_mass().as_dvec3() * own, mass + own);
                pieces.push(piece);
            }
        }
        for piece in pieces.into_iter().filter(|piece| *piece != id) {
            self.remove_body(piece)?;
        }
        self.attachments.forget_body(id.index);
        let body = self.body_mut(id)?;
        *body = body.mended(&whole, sum / mass);
        Ok(())
    }

    /// Before a step: tells bodies that can break where attachments hold them.
    pub(super) fn note_grips(&mut self) {
        let World { slots, attachments, .. } = self;
        for (index, slot) in (0..).zip(slots.list_mut()) {
            if let Some(body) = slot.active_mut().filter(|body| body.breaking.rule.is_some()) {
                body.note_grips(
                    attachments.list.iter().flat_map(|attachment| attachment.particles_of(index)),
                );
            }
        }
    }

    /// At the end of a step of `dt` seconds: opens cracks where bodies are stretched too far.
    pub(super) fn break_bodies(&mut self, dt: f32) {
        let Breaks { queue, most, .. } = &mut self.breaks;
        queue.clear();
        for (index, slot) in (0..).zip(self.slots.list_mut()) {
            if let Some(body) = slot.active_mut().filter(|body| body.breaking.rule.is_some()) {
                body.take_overstretched(dt, |crack| queue.push((crack.severity, index, crack)));
            }
        }
        if queue.is_empty() {
            return;
        }
        queue.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2.cluster).cmp(&(b.1, b.2.cluster))));
        queue.truncate(*most as usize);
        queue.sort_by_key(|(_, index, _)| *index);
        let queue = std::mem::take(&mut self.breaks.queue);
        for of_body in queue.chunk_by(|a, b| a.1 == b.1) {
            let index = of_body[0].1;
            let Some(body) = self.slots.list_mut()[index as usize].body_mut() else { continue };
            let cuts: Vec<Cut> = of_body.iter().map(|(_, _, found)| body.crack(found)).collect();
            of_body.iter().for_each(|(_, _, found)| body.relax(found.cluster));
            let at = body.shape().rest().to_vec();
            // Refused only where no place is left for another body; it stays whole then.
            let _ = self.tear(index, &cuts, &at);
        }
        self.breaks.queue = queue;
    }

    /// Tears the body at a place along cuts, its particles being at `at`. Returns how many bodies there are then.
    fn tear(&mut self, index: u32, cuts: &[Cut], at: &[Vec4]) -> Result<usize, Error> {
        self.slots.check_room()?;
        let Some(body) = self.slots.list()[index as usize].item.as_deref() else { return Ok(0) };
        let torn = body.crossed(cuts, at);
        if body.shape().is_debris() || torn.iter().all(|&cut| cut == WHOLE) {
            return Ok(1);
        }
        self.slots.list_mut()[index as usize].body_mut().into_iter().for_each(Body::give_up_clusters);
        let Some(body) = self.slots.list()[index as usize].item.as_deref() else { return Ok(0) };
        let beyond = |cut: u32, i: usize| cuts[cut as usize].height(Vec3A::from_vec4(at[i])) >= 0.0;
        let tables = tear::tear(body.shape(), &torn, beyond);
        let smallest = body.breaking.rule.unwrap_or_default().smallest as usize;
        let found = pieces::pieces(body.shape(), &tables, smallest);
        let order = body.shape().order().to_vec();
        let bodies: Vec<Body> = found.iter().map(|piece| body.piece(piece, &torn)).collect();
        self.wake_island_of(index);
        self.part(index, &order, found, bodies)
    }

    /// Puts the pieces of a body in its place and in new ones.
    fn part(
        &mut self,
        index: u32,
        order: &[u32],
        found: Vec<Piece>,
        bodies: Vec<Body>,
    ) -> Result<usize, Error> {
        let apart = found.len() > 1;
        let body = self.slots.list_mut()[index as usize].body_mut();
        let Some(before) = body.filter(|_| !bodies.is_empty()) else { return Ok(0) };
        let (known, unbroken) = (before.family, before.unbroken.take());
        let unbroken = unbroken.or_else(|| known.is_none().then(|| Box::new(unbroken_state(before))));
        let family = match (known, apart) {
            (None, true) => {
                self.breaks.next_family = self.breaks.next_family.wrapping_add(1);
                Some(self.breaks.next_family)
            }
            (known, _) => known,
        };
        let mut places = Vec::with_capacity(bodies.len());
        let mut unbroken = Some(unbroken);
        for mut piece in bodies {
            piece.family = family;
            let place = if let Some(unbroken) = unbroken.take() {
                piece.unbroken = unbroken;
                let slot = &mut self.slots.list_mut()[index as usize];
                slot.item = Some(Box::new(piece));
                (index, slot.generation)
            } else {
                self.slots.add(Box::new(piece))?
            };
            places.push(place);
        }
        self.after_parting(index, order, &found, &places, apart);
        Ok(places.len())
    }

    fn after_parting(
        &mut self,
        index: u32,
        order: &[u32],
        found: &[Piece],
        places: &[(u32, u32)],
        apart: bool,
    ) {
        let (bodies, old) = (self.slots.list().len(), places[0]);
        for (piece, &place) in found.iter().zip(places) {
            self.sleep.make_room(bodies);
            self.touches.make_room(bodies, piece.particles.len().div_ceil(step::PARTICLES));
            if apart {
                let first = self.breaks.particles.len();
                let creation =
                    piece.shape.place().iter().map(|&k| order[piece.particles[k as usize] as usize]);
                self.breaks.particles.extend(creation);
                self.breaks.events.push(BreakEvent {
                    body: self.body_id(old.0, old.1),
                    piece: self.body_id(place.0, place.1),
                    is_debris: piece.is_debris,
                    particles: first..self.breaks.particles.len(),
                });
            }
        }
        self.hand_on_attachments(index, found, places);
    }

    /// What held particles of a torn body holds those of the piece that has most of them.
    fn hand_on_attachments(&mut self, index: u32, found: &[Piece], places: &[(u32, u32)]) {
        let lists: Vec<&[u32]> = found.iter().map(|piece| &piece.particles[..]).collect();
        self.attachments.list.retain_mut(|attachment| match &mut attachment.kind {
            Kind::Frame { body, held, .. } if *body == index => {
                let count =
                    |list: &&[u32]| held.iter().filter(|h| list.binary_search(&h.particle).is_ok()).count();
                let Some(k) = most(lists.iter().map(|list| count(list) as f32)) else { return false };
                *body = places[k].0;
                held.retain_mut(|h| renamed(lists[k], &mut h.particle));
                true
            }
            Kind::Joint { sides: [a, b], .. } => {
                hand_on(a, index, &lists, places) && hand_on(b, index, &lists, places)
            }
            Kind::Drag { side, .. } => hand_on(side, index, &lists, places),
            Kind::Frame { .. } => true,
        });
    }
}

/// What a body needs to be mended.
fn unbroken_state(body: &Body) -> Unbroken {
    Unbroken {
        weights: body.weights.clone(),
        tuning: body.tuning.clone(),
        flows: body.flows.clone(),
        painted: body.breaking.painted.clone(),
    }
}

/// The place of the first largest number; none if all are zero.
fn most(numbers: impl Iterator<Item = f32>) -> Option<usize> {
    let best = numbers.enumerate().fold((0, 0.0), |best, (k, n)| if n > best.1 { (k, n) } else { best });
    (best.1 > 0.0).then_some(best.0)
}

/// Renames a particle to what it is in the list; says whether it is there.
fn renamed(list: &[u32], particle: &mut u32) -> bool {
    let found = list.binary_search(particle);
    found.iter().for_each(|&k| *particle = k as u32);
    found.is_ok()
}

fn hand_on(side: &mut Side, index: u32, lists: &[&[u32]], places: &[(u32, u32)]) -> bool {
    if side.body != index {
        return true;
    }
    let sum = |list: &&[u32]| -> f32 {
        side.shares.iter().filter(|(i, _)| list.binary_search(i).is_ok()).map(|(_, share)| share).sum()
    };
    let Some(k) = most(lists.iter().map(sum)) else { return false };
    let whole = sum(&lists[k]);
    side.body = places[k].0;
    side.shares.retain_mut(|(i, _)| renamed(lists[k], i));
    side.shares.iter_mut().for_each(|(_, share)| *share /= whole);
    true
}
