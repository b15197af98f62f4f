//! Who is near whom: memory of a step's contacts, kept by the world and used again.

use super::between::Contact;
use super::bounds::Bounds;
use super::boxes::Tree;
use super::outside::Outside;
use super::pairs::{Pair, Pairs};
use super::parts::Parts;
use super::response::{Manner, Pressed};
use super::whole::Whole;

/// Pairs that are looked at together.
pub(crate) const PAIRS: usize = 16;

/// Where the surface of a body may be during the step.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// Boxes of its particles, block by block.
    pub(crate) blocks: Vec<Bounds>,
    /// Where the body sleeps whose boxes these are; they stay as they are while it does.
    pub(crate) asleep: Option<Bounds>,
}

/// Contacts of a few pairs, as they are found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) contacts: Vec<Contact>,
    /// To find parts of one body that are near each other.
    pub(crate) tree: Tree,
    pub(crate) points: Vec<Bounds>,
}

/// Those of all bodies.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    /// For each place of a body, where that may be: an empty box for one that takes no part.
    pub(crate) reaches: Vec<Reach>,
    pub(crate) boxes: Vec<Bounds>,
    tree: Tree,
    near: Vec<(u32, u32)>,
    /// Pairs that may touch, in order.
    pub(crate) candidates: Vec<Pair>,
    /// For every `PAIRS` of them, what was found.
    pub(crate) found: Vec<Found>,
    /// For each body, whether it is in one of them, and its outside if so.
    pub(crate) has_company: Vec<bool>,
    pub(crate) outsides: Vec<Outside>,
    /// Those with contacts.
    pub(crate) pairs: Pairs,
    /// The particles that contacts touch.
    pub(crate) parts: Parts,
    /// For each body, what contacts may use of it as a whole in this substep.
    pub(crate) wholes: Vec<Whole>,
}

impl Meetings {
    /// Makes room for `bodies` bodies, and forgets the contacts of the step before.
    pub(crate) fn begin(&mut self, bodies: usize) {
        self.pairs.clear();
        self.reaches.resize_with(bodies, Reach::default);
        self.boxes.resize(bodies, Bounds::default());
        self.outsides.resize_with(bodies, Outside::default);
        self.parts.begin(bodies);
        self.wholes.resize(bodies, Whole::default());
    }

    /// Finds the bodies that may touch: those whose boxes overlap and who `meet`, and how. A body may meet itself.
    /// Of two one must be `active`.
    pub(crate) fn pair_up(
        &mut self,
        active: impl Fn(u32) -> bool,
        meet: impl Fn(u32, u32) -> Option<Manner>,
    ) {
        let Meetings { boxes, tree, near, candidates, found, has_company, .. } = self;
        tree.build(boxes);
        near.clear();
        for (a, bounds) in (0..).zip(&*boxes) {
            if bounds.is_sound() && active(a) {
                near.push((a, a));
                tree.overlapping(bounds, |b| {
                    let new = a != b && (a < b || !active(b));
                    near.extend(new.then_some((a.min(b), a.max(b))));
                });
            }
        }
        near.sort_unstable();
        candidates.clear();
        candidates.extend(near.iter().filter_map(|&(a, b)| Some(Pair::new([a, b], meet(a, b)?))));
        has_company.clear();
        has_company.resize(boxes.len(), false);
        candidates.iter().flat_map(|pair| pair.bodies).for_each(|place| has_company[place as usize] = true);
        let blocks = candidates.len().div_ceil(PAIRS).max(found.len());
        found.resize_with(blocks, Found::default);
    }

    /// Joins the contacts that were found.
    pub(crate) fn join(&mut self) {
        let Meetings { candidates, found, pairs, boxes, .. } = self;
        pairs.clear();
        for (candidates, found) in candidates.chunks(PAIRS).zip(found) {
            candidates.iter().for_each(|pair| pairs.take(*pair, &found.contacts));
        }
        pairs.link(boxes.len());
    }

    /// Calls `tell` with every two bodies, from either side, that touched in the step and what happened
    /// there: the middle of the contact, the direction to the first body and the impulse along it.
    pub(crate) fn report(&self, mut tell: impl FnMut(u32, u32, Pressed)) {
        let pairs = self.pairs.view();
        for here in (0..self.boxes.len()).filter(|_| !pairs.list.is_empty()) {
            for linked in pairs.of(here).filter(|linked| !linked.is_itself()) {
                let pressed = &linked.outcomes()[0].pressed;
                if pressed.touched {
                    tell(here as u32, linked.other() as u32, pressed.joined());
                }
            }
        }
    }

    /// Calls `tell` with every two bodies that have contacts which came or may come to be, in ascending order.
    pub(crate) fn for_touching(&self, mut tell: impl FnMut(u32, u32)) {
        let two = self.pairs.list.iter().map(|pair| pair.bodies).filter(|[a, b]| a != b);
        two.for_each(|[a, b]| tell(a, b));
    }

    /// Contacts that may come to be.
    pub(crate) fn count(&self) -> usize {
        self.pairs.contacts.len()
    }
}
