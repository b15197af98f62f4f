//! Who is near whom: memory of a step's contacts, kept by the world and used again.

use super::between::Contact;
use super::bounds::Bounds;
use super::boxes::Tree;
use super::outside::Outside;
use super::parts::Parts;
use super::response::{Manner, Press, Pressed, Touching};
use super::whole::{Closing, Whole};

/// Another body that is near, and the contacts of this one's particles with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbour {
    /// Its place among the bodies.
    pub(crate) body: u32,
    /// The place of this body among the neighbours of that one.
    pub(crate) mirror: u32,
    /// The contacts, as a range of the list.
    pub(crate) first: u32,
    pub(crate) end: u32,
    /// Those that touch in this substep, as a range of the list of them.
    pub(crate) first_touching: u32,
    pub(crate) end_touching: u32,
    /// Those of them that close.
    pub(crate) closing: Closing,
    pub(crate) manner: Manner,
    pub(crate) pressed: Pressed,
}

/// The contacts of one body.
#[derive(Debug, Default)]
pub(crate) struct Meeting {
    /// Boxes of its surface, block by block.
    pub(crate) blocks: Vec<Bounds>,
    /// In ascending order.
    pub(crate) neighbours: Vec<Neighbour>,
    pub(crate) contacts: Vec<Contact>,
    /// The contacts that touch in this substep, in order.
    pub(crate) touching: Vec<Press>,
    /// To find its own parts that are near each other.
    pub(crate) own: Tree,
    pub(crate) points: Vec<Bounds>,
    /// Where the body sleeps whose boxes these are; they stay as they are while it does.
    pub(crate) asleep: Option<Bounds>,
}

/// Those of all bodies.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    /// One for each place of a body.
    pub(crate) list: Vec<Meeting>,
    /// For each body with neighbours, its outside.
    pub(crate) outsides: Vec<Outside>,
    /// For each body, its particles that contacts touch.
    pub(crate) parts: Vec<Parts>,
    /// For each body, what contacts may use of it as a whole in this substep.
    pub(crate) wholes: Vec<Whole>,
    /// Where each body may be during the step; empty boxes for those that take no part.
    pub(crate) boxes: Vec<Bounds>,
    tree: Tree,
    /// Bodies that may touch, in order.
    pairs: Vec<(u32, u32)>,
    /// For each body how many of its neighbours were looked at and how many of them stay.
    places: Vec<(usize, usize)>,
}

impl Meetings {
    /// Makes room for `bodies` bodies.
    pub(crate) fn resize(&mut self, bodies: usize) {
        self.list.resize_with(bodies, Meeting::default);
        self.parts.resize_with(bodies, Parts::default);
        self.wholes.resize(bodies, Whole::default());
        self.outsides.resize_with(bodies, Outside::default);
        self.boxes.resize(bodies, Bounds::default());
    }

    /// Finds the bodies that may touch: those whose boxes overlap and who `meet`, and how. A body may meet itself.
    /// Of two one must be `active`.
    pub(crate) fn pair_up(
        &mut self,
        active: impl Fn(u32) -> bool,
        meet: impl Fn(u32, u32) -> Option<Manner>,
    ) {
        self.list.iter_mut().for_each(|meeting| meeting.neighbours.clear());
        self.tree.build(&self.boxes);
        self.pairs.clear();
        for (a, bounds) in (0..).zip(&self.boxes) {
            if bounds.is_sound() && active(a) {
                self.pairs.push((a, a));
                self.tree.overlapping(bounds, |b| {
                    let new = a != b && (a < b || !active(b));
                    self.pairs.extend(new.then_some((a.min(b), a.max(b))));
                });
            }
        }
        self.pairs.sort_unstable();
        let Meetings { list, pairs, .. } = self;
        pairs.retain(|&(a, b)| {
            let Some(manner) = meet(a, b) else { return false };
            let places = [a, b].map(|i| list[i as usize].neighbours.len() as u32);
            let sides = [(a, b, places[1]), (b, a, places[0])];
            for &(here, body, mirror) in if a == b { &sides[..1] } else { &sides } {
                list[here as usize].neighbours.push(Neighbour::new(body, mirror, manner));
            }
            true
        });
    }

    /// Takes those off the lists of neighbours that no contact came of.
    pub(crate) fn drop_distant(&mut self) {
        let Meetings { list, pairs, places, .. } = self;
        places.clear();
        places.resize(list.len(), (0, 0));
        for &(a, b) in pairs.iter() {
            let (a, b) = (a as usize, b as usize);
            let ((next_a, kept_a), (next_b, kept_b)) = (places[a], places[b]);
            let (of_a, of_b) = (list[a].neighbours[next_a], list[b].neighbours[next_b]);
            let kept = usize::from(of_a.first < of_a.end || of_b.first < of_b.end);
            list[a].neighbours[kept_a] = Neighbour { mirror: kept_b as u32, ..of_a };
            list[b].neighbours[kept_b] = Neighbour { mirror: kept_a as u32, ..of_b };
            places[a] = (next_a + 1, kept_a + kept);
            places[b] = (next_b + 1, kept_b + kept);
        }
        list.iter_mut().zip(places).for_each(|(meeting, place)| meeting.neighbours.truncate(place.1));
    }

    /// Calls `tell` with every two bodies, from either side, that touched in the step and what happened
    /// there: the middle of the contact, the direction to the first body and the impulse along it.
    pub(crate) fn report(&self, mut tell: impl FnMut(u32, u32, Pressed)) {
        for (here, meeting) in (0..).zip(&self.list) {
            for n in meeting.neighbours.iter().filter(|n| n.pressed.touched && n.body != here) {
                tell(here, n.body, n.pressed.joined());
            }
        }
    }

    /// Calls `tell` with every two bodies that have contacts which came or may come to be, in ascending order.
    pub(crate) fn for_touching(&self, mut tell: impl FnMut(u32, u32)) {
        for (here, meeting) in (0..).zip(&self.list) {
            for n in meeting.neighbours.iter().filter(|n| n.body > here) {
                if n.first < n.end || !on_me(&self.list, n).is_empty() {
                    tell(here, n.body);
                }
            }
        }
    }

    /// Forgets all contacts, of bodies that all sleep.
    pub(crate) fn forget_contacts(&mut self) {
        for meeting in &mut self.list {
            meeting.neighbours.clear();
            meeting.contacts.clear();
        }
    }

    /// Contacts that may come to be.
    pub(crate) fn count(&self) -> usize {
        self.list.iter().map(|meeting| meeting.contacts.len()).sum()
    }
}

/// A pair of neighbours as the other one has it.
pub(crate) fn mirrored<'a>(list: &'a [Meeting], neighbour: &Neighbour) -> &'a Neighbour {
    &list[neighbour.body as usize].neighbours[neighbour.mirror as usize]
}

/// The contacts of a neighbour on the body that has it.
pub(crate) fn on_me<'a>(list: &'a [Meeting], neighbour: &Neighbour) -> &'a [Contact] {
    let mirror = mirrored(list, neighbour);
    &list[neighbour.body as usize].contacts[mirror.first as usize..mirror.end as usize]
}

/// Those of them that touch in this substep.
pub(crate) fn touching_me<'a>(
    list: &'a [Meeting],
    neighbour: &Neighbour,
) -> impl Iterator<Item = Touching<'a>> {
    list[neighbour.body as usize].touching(mirrored(list, neighbour))
}

impl Meeting {
    /// The contacts with a neighbour that touch in this substep.
    pub(crate) fn touching(&self, neighbour: &Neighbour) -> impl Iterator<Item = Touching<'_>> {
        let range = neighbour.first_touching as usize..neighbour.end_touching as usize;
        self.touching[range].iter().map(|press| (&self.contacts[press.place as usize], press))
    }
}

impl Neighbour {
    fn new(body: u32, mirror: u32, manner: Manner) -> Neighbour {
        let pressed = Pressed::default();
        Neighbour {
            body,
            mirror,
            first: 0,
            end: 0,
            first_touching: 0,
            end_touching: 0,
            closing: Closing::default(),
            manner,
            pressed,
        }
    }
}
