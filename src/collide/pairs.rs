//! Contacts of a step, pair by pair of bodies.
//!
//! All contacts lie in one row, in the order of the pairs they belong to, and what comes of them in a substep in another. Passes that look at
//! each contact by itself go over pairs; those that sum up what a body gets go over its pairs, which ascend by the other body. Both come along
//! as memory does, which is what they wait for.

use std::ops::Range;

use super::between::Contact;
use super::response::{Manner, Press, Pressed, Touching};
use super::whole::Closing;

/// Two bodies that are near each other, or a body and itself. Its sides are numbered 0 and 1; that of a body and itself is 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    /// Their places, in ascending order.
    pub(crate) bodies: [u32; 2],
    /// The contacts of the first one's particles begin, those of the second's, and they end.
    pub(crate) contacts: [u32; 3],
    /// How many of each side touch in this substep.
    pub(crate) touching: [u32; 2],
    pub(crate) manner: Manner,
    /// How fast old overlap goes at most, m/s.
    pub(crate) fastest: f32,
}

impl Pair {
    pub(crate) fn new(bodies: [u32; 2], manner: Manner) -> Pair {
        Pair { bodies, contacts: [0; 3], touching: [0; 2], manner, fastest: 0.0 }
    }

    /// The side of the body at `here`, and the other one.
    #[inline(always)]
    pub(crate) fn sides(&self, here: u32) -> [usize; 2] {
        match self.bodies {
            [a, b] if a == b => [0, 0],
            [a, _] if a == here => [0, 1],
            _ => [1, 0],
        }
    }

    /// The contacts of a side's particles.
    #[inline(always)]
    pub(crate) fn range(&self, side: usize) -> Range<usize> {
        self.contacts[side] as usize..self.contacts[side + 1] as usize
    }

    /// Where those of them are told that touch.
    #[inline(always)]
    pub(crate) fn pressing(&self, side: usize) -> Range<usize> {
        let first = self.contacts[side] as usize;
        first..first + self.touching[side] as usize
    }
}

/// What comes of the contacts of one side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    /// Those that close.
    pub(crate) closing: Closing,
    pub(crate) pressed: Pressed,
}

/// Pairs with contacts.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// In ascending order.
    pub(crate) list: Vec<Pair>,
    pub(crate) contacts: Vec<Contact>,
    /// Where the contacts of each pair begin, and one more at the end.
    pub(crate) starts: Vec<u32>,
    /// As many as there are contacts; those of a side that touch are told from its first place on.
    pub(crate) presses: Vec<Press>,
    /// For each pair, what comes of both sides.
    pub(crate) outcomes: Vec<[Outcome; 2]>,
    /// The pairs of each body, body by body; `firsts` tells where those of each begin.
    links: Vec<u32>,
    firsts: Vec<u32>,
}

impl Pairs {
    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.contacts.clear();
        self.link(0);
    }

    /// Takes a pair and the contacts that its ranges tell, unless there are none.
    pub(crate) fn take(&mut self, pair: Pair, found: &[Contact]) {
        let [from, middle, end] = pair.contacts;
        if from < end {
            let first = self.contacts.len() as u32;
            self.contacts.extend_from_slice(&found[from as usize..end as usize]);
            self.list.push(Pair { contacts: [first, first + middle - from, first + end - from], ..pair });
        }
    }

    /// Once all are taken: which are those of each of so many bodies.
    pub(crate) fn link(&mut self, bodies: usize) {
        let Pairs { list, contacts, starts, presses, outcomes, links, firsts } = self;
        starts.clear();
        starts.extend(list.iter().map(|pair| pair.contacts[0]).chain([contacts.len() as u32]));
        presses.resize(contacts.len(), Press::default());
        outcomes.clear();
        outcomes.resize(list.len(), Default::default());
        firsts.clear();
        firsts.resize(bodies + 1, 0);
        list.iter().flat_map(places).for_each(|place| firsts[place as usize] += 1);
        let mut sum = 0;
        for first in firsts.iter_mut() {
            sum += *first;
            *first = sum;
        }
        links.resize(sum as usize, 0);
        // Each list is filled from its end, so what told its end tells where it begins.
        for (number, pair) in (0..list.len() as u32).zip(list.iter()).rev() {
            for place in places(pair) {
                firsts[place as usize] -= 1;
                links[firsts[place as usize] as usize] = number;
            }
        }
    }

    /// What is read while nothing of it changes.
    pub(crate) fn view(&self) -> View<'_> {
        let Pairs { list, contacts, presses, outcomes, links, firsts, .. } = self;
        View { list, contacts, presses, outcomes, links, firsts }
    }
}

/// The bodies of a pair, one of itself once.
fn places(pair: &Pair) -> impl Iterator<Item = u32> {
    let [a, b] = pair.bodies;
    [a].into_iter().chain((a != b).then_some(b))
}

/// Pairs to read.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) list: &'a [Pair],
    contacts: &'a [Contact],
    presses: &'a [Press],
    outcomes: &'a [[Outcome; 2]],
    links: &'a [u32],
    firsts: &'a [u32],
}

impl<'a> View<'a> {
    /// The pairs of the body at `here`, in ascending order of the other.
    pub(crate) fn of(self, here: usize) -> impl Iterator<Item = Linked<'a>> + Clone {
        let links = &self.links[self.firsts[here] as usize..self.firsts[here + 1] as usize];
        links.iter().map(move |number| {
            let pair = &self.list[*number as usize];
            let sides = pair.sides(here as u32);
            Linked { pair, own: sides[0], theirs: sides[1], number: *number, view: self }
        })
    }
}

/// A pair as one of its bodies has it.
#[derive(Clone, Copy)]
pub(crate) struct Linked<'a> {
    pub(crate) pair: &'a Pair,
    own: usize,
    theirs: usize,
    number: u32,
    view: View<'a>,
}

impl<'a> Linked<'a> {
    /// The other body, or the same one.
    pub(crate) fn other(&self) -> usize {
        self.pair.bodies[self.theirs] as usize
    }

    /// Whether it is a body and itself.
    pub(crate) fn is_itself(&self) -> bool {
        self.pair.bodies[0] == self.pair.bodies[1]
    }

    /// Whether anything touches.
    pub(crate) fn touches(&self) -> bool {
        self.pair.touching != [0; 2]
    }

    /// The contacts of this body's particles, and those on it.
    pub(crate) fn contacts(&self) -> [&'a [Contact]; 2] {
        [self.own, self.theirs].map(|side| &self.view.contacts[self.pair.range(side)])
    }

    /// The same of those that touch.
    #[inline(always)]
    pub(crate) fn own(&self) -> impl Iterator<Item = Touching<'a>> + use<'a> {
        self.touching(self.own)
    }

    #[inline(always)]
    pub(crate) fn theirs(&self) -> impl Iterator<Item = Touching<'a>> + use<'a> {
        self.touching(self.theirs)
    }

    #[inline(always)]
    fn touching(&self, side: usize) -> impl Iterator<Item = Touching<'a>> + use<'a> {
        let contacts = self.view.contacts;
        self.view.presses[self.pair.pressing(side)]
            .iter()
            .map(|press| (&contacts[press.place as usize], press))
    }

    /// What comes of this body's contacts, and of those on it.
    pub(crate) fn outcomes(&self) -> [&'a Outcome; 2] {
        let both = &self.view.outcomes[self.number as usize];
        [&both[self.own], &both[self.theirs]]
    }
}
