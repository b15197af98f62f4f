//! Who touches whom: one event for each touching pair and step.
//!
//! While a step runs, every contact that was found is added; at its end those of one pair are
//! joined, sorted by body and partner, and compared with the pairs of the step before. Pairs that sleep
//! go on to touch, silently: they stay or end when they wake. Contacts are added in a fixed order on one thread, so sums round alike on any number of them.

use std::cmp::Ordering;

use glam::Vec3;

use super::collider::ColliderId;
use crate::error::{Error, within};
use crate::world::BodyId;

/// What a body touches, or what a query found.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::{Groups, Partner};
///
/// for found in world.overlap_sphere(Vec3::ZERO, 2.0, Groups::default())? {
///     match found {
///         Partner::Body(body) => println!("{} kg", world.body(body)?.shape().mass()),
///         Partner::Collider(collider) => println!("at {}", world.collider(collider)?.position()),
///     }
/// }
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Partner {
    /// Another body.
    Body(BodyId),
    /// A collider.
    Collider(ColliderId),
}

/// Where a pair is on its way from meeting to parting.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::Phase;
///
/// (0..60).try_for_each(|_frame| world.step(1.0 / 60.0))?;
/// assert!(world.contacts().iter().all(|contact| contact.phase != Phase::End), "it lies there");
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It did not touch in the step before.
    Begin,
    /// It touched in the step before, too.
    Stay,
    /// It touched in the step before and does not any more.
    End,
}

/// A pair that touched in the last step, or parted in it.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::{Partner, Phase};
///
/// let mut landings = 0;
/// for _frame in 0..60 {
///     world.step(1.0 / 60.0)?;
///     for contact in world.contacts() {
///         if contact.phase == Phase::Begin && matches!(contact.other, Partner::Collider(_)) {
///             println!("a thud of {} N s at {}", contact.impulse, contact.point);
///             landings += 1;
///         }
///     }
/// }
/// assert!(landings > 0);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactEvent {
    /// Whether the contact is new, lasting or over.
    pub phase: Phase,
    /// The body; of two bodies the one that comes first in [`World::bodies`](crate::World::bodies).
    pub body: BodyId,
    /// What it touches.
    pub other: Partner,
    /// The middle of the contact, metres, weighted by impulse; of a contact that is over, where
    /// it was last.
    pub point: Vec3,
    /// The mean direction towards `body`, of length 1.
    pub normal: Vec3,
    /// Sum of the impulses along the normal over the step, N s; 0 when over.
    pub impulse: f32,
    /// The cluster of the body's finest level whose centre is nearest to the point.
    pub cluster: u32,
}

/// What is reported of contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reporting {
    pub(crate) threshold: f32,
    pub(crate) most: u32,
}

impl Reporting {
    pub(crate) fn new(threshold: f32, most: u32) -> Result<Reporting, Error> {
        within("contact_threshold", threshold, 0.0, 1e9, "from 0 to 1e9 N s")?;
        if most > 1 << 24 {
            let wanted = "from 0 to 16777216";
            return Err(Error::Value { field: "max_contacts", value: most.into(), wanted });
        }
        Ok(Reporting { threshold, most })
    }
}

/// A contact that was found, and how many came before it.
#[derive(Clone, Copy)]
struct Touch {
    number: u32,
    body: BodyId,
    other: Partner,
    point: Vec3,
    normal: Vec3,
    impulse: f32,
}

/// The contacts of a step.
#[derive(Default)]
pub(crate) struct Touches {
    found: Vec<Touch>,
    /// Pairs that touched in the last step, in order.
    pub(crate) touching: Vec<ContactEvent>,
    /// Those of the step before it, while phases are found.
    before: Vec<ContactEvent>,
    events: Vec<ContactEvent>,
}

impl Touches {
    /// Makes room for what so many bodies usually touch, one of them with so many blocks of particles, so
    /// that steps seldom have to.
    pub(crate) fn make_room(&mut self, bodies: usize, blocks: usize) {
        self.found.reserve(4 * bodies + 2 * blocks);
        for pairs in [&mut self.touching, &mut self.before, &mut self.events] {
            pairs.reserve((2 * bodies).saturating_sub(pairs.len()));
        }
    }

    /// Makes room for what so many blocks of particles touch of so many colliders, but for mazes of them.
    pub(crate) fn make_room_for(&mut self, blocks: usize, colliders: usize) {
        let most = 64 + 8 * blocks;
        self.found.reserve(most.min(blocks * colliders).saturating_sub(self.found.len()));
        for pairs in [&mut self.touching, &mut self.before, &mut self.events] {
            pairs.reserve(most.min(blocks * colliders).saturating_sub(pairs.len()));
        }
    }

    /// Adds a contact of `body` with `other` at `point`; `normal` leads from the other to the
    /// body, `impulse` (N s) is along it. A pair may be added many times in a step, and from
    /// either side.
    pub(crate) fn add(&mut self, body: BodyId, other: Partner, point: Vec3, normal: Vec3, impulse: f32) {
        let (body, other, normal) = match other {
            Partner::Body(second) if second < body => (second, Partner::Body(body), -normal),
            _ => (body, other, normal),
        };
        let number = self.found.len() as u32;
        self.found.push(Touch { number, body, other, point, normal, impulse });
    }

    /// Ends the step: finds the events. `cluster` tells which cluster of a body is nearest to a point,
    /// `asleep` whether a pair sleeps: it goes on to touch, and nothing is told of it.
    pub(crate) fn finish(
        &mut self,
        reporting: Reporting,
        cluster: impl Fn(BodyId, Vec3) -> u32,
        asleep: impl Fn(&ContactEvent) -> bool,
    ) {
        std::mem::swap(&mut self.touching, &mut self.before);
        self.touching.clear();
        self.found.sort_unstable_by_key(|touch| (touch.body, touch.other, touch.number));
        for pair in self.found.chunk_by(|a, b| (a.body, a.other) == (b.body, b.other)) {
            let event = joined(pair);
            if event.impulse >= reporting.threshold {
                self.touching.push(ContactEvent { cluster: cluster(event.body, event.point), ..event });
            }
        }
        self.found.clear();
        let sleeping = self.before.iter().filter(|event| asleep(event));
        self.touching.extend(sleeping);
        self.touching.sort_unstable_by_key(pair);
        self.find_events(asleep);
        self.keep_hardest(reporting.most as usize);
    }

    /// Lays the pairs of this step beside those of the step before.
    fn find_events(&mut self, asleep: impl Fn(&ContactEvent) -> bool) {
        self.events.clear();
        let (mut now, mut before) = (self.touching.iter().peekable(), self.before.iter().peekable());
        loop {
            let order = match (now.peek(), before.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => pair(a).cmp(&pair(b)),
            };
            if order.is_gt() {
                let over = before.next().map(|e| ContactEvent { phase: Phase::End, impulse: 0.0, ..*e });
                self.events.extend(over);
            } else {
                let phase = if order.is_eq() { Phase::Stay } else { Phase::Begin };
                let told = now.next().filter(|e| !asleep(e));
                self.events.extend(told.map(|e| ContactEvent { phase, ..*e }));
                if order.is_eq() {
                    before.next();
                }
            }
        }
    }

    /// Leaves out the weakest events beyond `most`.
    fn keep_hardest(&mut self, most: usize) {
        if self.events.len() > most {
            let hardest = |a: &ContactEvent, b: &ContactEvent| {
                b.impulse.total_cmp(&a.impulse).then(pair(a).cmp(&pair(b)))
            };
            self.events.sort_unstable_by(hardest);
            self.events.truncate(most);
            self.events.sort_unstable_by_key(pair);
        }
    }

    pub(crate) fn events(&self) -> &[ContactEvent] {
        &self.events
    }

    /// Forgets all contacts of pairs for which `gone` holds; there is nobody left to tell about.
    pub(crate) fn forget(&mut self, gone: impl Fn(BodyId, Partner) -> bool) {
        self.touching.retain(|e| !gone(e.body, e.other));
        self.events.retain(|e| !gone(e.body, e.other));
    }

    /// Goes back to a state in which these pairs touched.
    pub(crate) fn go_back(&mut self, touching: Vec<ContactEvent>) {
        self.events.clear();
        self.touching = touching;
    }
}

fn pair(event: &ContactEvent) -> (BodyId, Partner) {
    (event.body, event.other)
}

/// The contacts of one pair in one: where they press on the whole, or in their middle if none does.
fn joined(touches: &[Touch]) -> ContactEvent {
    let impulse: f32 = touches.iter().map(|t| t.impulse).sum();
    let weight = |t: &Touch| if impulse > 0.0 { t.impulse / impulse } else { 1.0 / touches.len() as f32 };
    let (mut point, mut normal) = (Vec3::ZERO, Vec3::ZERO);
    for touch in touches {
        point += touch.point * weight(touch);
        normal += touch.normal * weight(touch);
    }
    let Touch { body, other, .. } = touches[0];
    let normal = normal.try_normalize().unwrap_or(touches[0].normal);
    ContactEvent { phase: Phase::Stay, body, other, point, normal, impulse, cluster: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Reporting = Reporting { threshold: 0.0, most: 100 };

    fn body(index: u32) -> BodyId {
        BodyId { world: 0, index, generation: 1 }
    }

    fn phases(touches: &Touches) -> Vec<(u32, Phase)> {
        touches.events().iter().map(|e| (e.body.index, e.phase)).collect()
    }

    fn step(touches: &mut Touches, reporting: Reporting, bodies: &[(u32, f32)]) -> Vec<(u32, Phase)> {
        for &(index, impulse) in bodies {
            touches.add(body(index), Partner::Body(body(9)), Vec3::X * impulse, Vec3::Y, impulse);
        }
        touches.finish(reporting, |body, _| body.index + 100, |_| false);
        phases(touches)
    }

    #[test]
    fn a_pair_begins_stays_and_ends_once() {
        let mut touches = Touches::default();
        assert_eq!(step(&mut touches, ALL, &[(3, 1.0), (1, 1.0)]), [(1, Phase::Begin), (3, Phase::Begin)]);
        assert_eq!(touches.events()[1].cluster, 103);
        assert_eq!(
            step(&mut touches, ALL, &[(3, 1.0), (2, 0.0)]),
            [(1, Phase::End), (2, Phase::Begin), (3, Phase::Stay)]
        );
        assert_eq!(step(&mut touches, ALL, &[]), [(2, Phase::End), (3, Phase::End)]);
        assert_eq!(step(&mut touches, ALL, &[]), []);
    }

    #[test]
    fn a_pair_that_sleeps_goes_on_to_touch_and_nothing_is_told_of_it() {
        let mut touches = Touches::default();
        let touching = |touches: &Touches| touches.touching.iter().map(|e| e.body.index).collect::<Vec<_>>();
        let tell = |touches: &mut Touches, asleep: bool| {
            touches.finish(ALL, |_, _| 0, |event| asleep && event.body.index == 2);
            phases(touches)
        };
        touches.add(body(1), Partner::Body(body(9)), Vec3::X, Vec3::Y, 1.0);
        touches.add(body(2), Partner::Body(body(9)), Vec3::X, Vec3::Y, 1.0);
        assert_eq!(tell(&mut touches, false), [(1, Phase::Begin), (2, Phase::Begin)]);
        assert_eq!(tell(&mut touches, true), [(1, Phase::End)]);
        assert_eq!(touching(&touches), [2]);
        assert_eq!(tell(&mut touches, true), []);
        assert_eq!(tell(&mut touches, false), [(2, Phase::End)]);
        assert_eq!(touching(&touches), []);
    }

    #[test]
    fn contacts_of_a_pair_are_joined_from_either_side_and_weighted_by_impulse() {
        let mut touches = Touches::default();
        touches.add(body(2), Partner::Body(body(1)), Vec3::X * 4.0, Vec3::Y, 3.0);
        touches.add(body(1), Partner::Body(body(2)), Vec3::ZERO, -Vec3::Y, 1.0);
        touches.finish(ALL, |_, _| 0, |_| false);
        let event = touches.events()[0];
        assert_eq!((touches.events().len(), event.body, event.other), (1, body(1), Partner::Body(body(2))));
        assert_eq!((event.point, event.normal, event.impulse), (Vec3::X * 3.0, -Vec3::Y, 4.0));
    }

    #[test]
    fn weak_pairs_count_as_apart_and_the_weakest_events_beyond_the_most_are_left_out() {
        let mut touches = Touches::default();
        let some = Reporting { threshold: 0.5, most: 2 };
        let found = step(&mut touches, some, &[(1, 0.4), (2, 1.0), (3, 0.7), (4, 2.0)]);
        assert_eq!(found, [(2, Phase::Begin), (4, Phase::Begin)]);
        let found = step(&mut touches, Reporting { most: 9, ..some }, &[(1, 0.6), (3, 0.7), (4, 0.1)]);
        assert_eq!(found, [(1, Phase::Begin), (2, Phase::End), (3, Phase::Stay), (4, Phase::End)]);
    }
}
