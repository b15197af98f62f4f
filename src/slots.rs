//! Places for a world's bodies and colliders. A name is an index and a generation; a generation is given out
//! once for each place, even if the world goes back to an earlier state in between.
//!
//! What is new takes the lowest free place, so the same calls lead to the same places.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::body::Body;
use crate::error::Error;

/// The highest generation: names fit into 24 bits each of index and generation.
pub(crate) const MOST_GENERATIONS: u32 = (1 << 24) - 1;
/// The most places.
pub(crate) const MOST_SLOTS: usize = 1 << 24;

/// A place.
pub(crate) struct Slot<T = Body> {
    /// That of what is here, or was last.
    pub(crate) generation: u32,
    /// The highest generation ever given out here.
    pub(crate) issued: u32,
    /// While a step runs: whether it moves the body that is here. Found before the step, so that bodies
    /// asleep are passed over without a look at them.
    pub(crate) active: bool,
    pub(crate) item: Option<Box<T>>,
}

impl Slot {
    pub(crate) fn body_mut(&mut self) -> Option<&mut Body> {
        self.item.as_deref_mut()
    }

    /// The body here if this step moves it.
    pub(crate) fn active_body(&self) -> Option<&Body> {
        self.item.as_deref().filter(|_| self.active)
    }

    /// The same, to change it.
    pub(crate) fn active_mut(&mut self) -> Option<&mut Body> {
        let active = self.active;
        self.item.as_deref_mut().filter(|_| active)
    }
}

impl<T> Slot<T> {
    fn is_free(&self) -> bool {
        self.item.is_none() && self.issued < MOST_GENERATIONS
    }
}

/// All places of a world.
pub(crate) struct Slots<T = Body> {
    list: Vec<Slot<T>>,
    /// The free places, lowest first.
    free: BinaryHeap<Reverse<u32>>,
    /// The generation of the first item in each place.
    first: u32,
    /// What is counted, for refusals.
    what: &'static str,
}

impl<T> Slots<T> {
    /// No places; those to come give out generations from `first` on.
    pub(crate) fn new(first: u32, what: &'static str) -> Slots<T> {
        Slots { what, list: Vec::new(), free: BinaryHeap::new(), first }
    }

    pub(crate) fn list(&self) -> &[Slot<T>] {
        &self.list
    }

    pub(crate) fn list_mut(&mut self) -> &mut [Slot<T>] {
        &mut self.list
    }

    /// Refuses when every place is taken.
    pub(crate) fn check_room(&self) -> Result<(), Error> {
        if self.free.is_empty() && self.list.len() >= MOST_SLOTS {
            let wanted = format!("at most {MOST_SLOTS}");
            return Err(Error::Length { field: self.what, got: self.list.len() + 1, wanted });
        }
        Ok(())
    }

    /// What index and generation name.
    pub(crate) fn get(&self, index: u32, generation: u32) -> Option<&T> {
        let slot = self.list.get(index as usize).filter(|slot| slot.generation == generation)?;
        slot.item.as_deref()
    }

    /// The same, to change it.
    pub(crate) fn get_mut(&mut self, index: u32, generation: u32) -> Option<&mut T> {
        let slot = self.list.get_mut(index as usize).filter(|slot| slot.generation == generation)?;
        slot.item.as_deref_mut()
    }

    /// Puts an item in the lowest free place; returns index and generation.
    pub(crate) fn add(&mut self, item: Box<T>) -> Result<(u32, u32), Error> {
        self.check_room()?;
        let Some(Reverse(index)) = self.free.pop() else {
            let (generation, issued) = (self.first, self.first);
            self.list.push(Slot { generation, issued, active: false, item: Some(item) });
            return Ok((self.list.len() as u32 - 1, self.first));
        };
        let slot = &mut self.list[index as usize];
        let generation = slot.issued + 1;
        *slot = Slot { generation, issued: generation, active: false, item: Some(item) };
        Ok((index, generation))
    }

    /// Empties a place.
    pub(crate) fn remove(&mut self, index: u32) {
        let slot = &mut self.list[index as usize];
        slot.item = None;
        if slot.is_free() {
            self.free.push(Reverse(index));
        }
    }

    /// The highest generation given out, at least one less than the first.
    #[cfg(feature = "capi")]
    pub(crate) fn highest(&self) -> u32 {
        self.list.iter().map(|slot| slot.issued).fold(self.first - 1, u32::max)
    }

    /// Goes back to earlier places: `item` makes that of a place from what is here now. Places
    /// that came later stay, empty, and none forgets the generations it gave out. Unless the
    /// earlier places are these places' `own`, a generation that may have been given out here is
    /// replaced by a new one.
    pub(crate) fn go_back<S>(
        &mut self,
        own: bool,
        earlier: Vec<(u32, u32, Option<S>)>,
        mut item: impl FnMut(S, Option<Box<T>>) -> Box<T>,
    ) {
        let missing = earlier.len().saturating_sub(self.list.len());
        let issued = self.first - 1;
        let fresh = || Slot { generation: 0, issued, active: false, item: None };
        self.list.extend(std::iter::repeat_with(fresh).take(missing));
        let mut earlier = earlier.into_iter();
        for slot in &mut self.list {
            let present = slot.item.take();
            if let Some((generation, issued, state)) = earlier.next() {
                let used = !own && generation <= slot.issued;
                if own || state.is_some() {
                    slot.generation = if used { slot.issued + 1 } else { generation };
                    slot.issued = slot.issued.max(if own { issued } else { slot.generation });
                }
                slot.item = state.map(|state| item(state, present));
            }
        }
        let free = self.list.iter().enumerate().filter(|(_, slot)| slot.is_free());
        self.free = free.map(|(i, _)| Reverse(i as u32)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clustering::LevelsDef;
    use crate::shape::Shape;

    fn body() -> Box<Body> {
        Box::new(Body::blank(&Shape::from_points(&[], None, &LevelsDef::default()).unwrap()))
    }

    #[test]
    fn bodies_from_elsewhere_get_generations_that_were_not_given_out_here() {
        let mut slots = Slots::new(7, "bodies");
        assert_eq!([(); 2].map(|()| slots.add(body()).unwrap()), [(0, 7), (1, 7)]);
        slots.go_back(false, vec![(3, 3, Some(())), (9, 9, Some(())), (2, 4, Some(()))], |(), _| body());
        assert_eq!(slots.list().iter().map(|slot| slot.generation).collect::<Vec<_>>(), [8, 9, 7]);
    }

    #[test]
    fn generations_begin_where_they_are_told_and_places_are_taken_from_the_lowest() {
        let mut slots = Slots::new(7, "bodies");
        assert_eq!(slots.highest(), 6);
        assert_eq!([(); 3].map(|()| slots.add(body()).unwrap()), [(0, 7), (1, 7), (2, 7)]);
        slots.remove(2);
        slots.remove(0);
        assert_eq!([(); 3].map(|()| slots.add(body()).unwrap()), [(0, 8), (2, 8), (3, 7)]);
        assert_eq!(slots.highest(), 8);
    }

    #[test]
    fn a_place_that_gave_out_its_last_generation_is_not_used_again() {
        let mut slots = Slots::new(MOST_GENERATIONS - 1, "bodies");
        slots.add(body()).unwrap();
        slots.remove(0);
        assert_eq!(slots.add(body()).unwrap(), (0, MOST_GENERATIONS));
        slots.remove(0);
        assert_eq!(slots.add(body()).unwrap(), (1, MOST_GENERATIONS - 1));
        slots.go_back(true, vec![(MOST_GENERATIONS - 1, MOST_GENERATIONS - 1, None::<()>)], |(), _| body());
        assert_eq!(slots.add(body()).unwrap(), (1, MOST_GENERATIONS));
    }

    #[test]
    fn going_back_to_places_of_another_world_gives_out_no_generation_below_the_first() {
        let mut slots = Slots::new(100, "bodies");
        slots.go_back(true, vec![(3, 3, Some(())), (4, 5, None)], |(), _| body());
        assert_eq!(slots.list()[0].generation, 3);
        assert_eq!(slots.add(body()).unwrap(), (1, 100));
        slots.remove(0);
        assert_eq!(slots.add(body()).unwrap(), (0, 100));
    }
}
