//! Clusters of a body's own, in place of those of its shape.

use std::borrow::Cow;
use std::sync::atomic::AtomicU8;

use super::Body;
use crate::fitting::{Fit, Rigid};
use crate::goals::{Pull, Strength};
use crate::matching::Moments;
use crate::recluster::{Reclustered, Stage};
use crate::shape::Shape;
use crate::shape::held::{Held, Matched};

impl Body {
    /// The tables that a step reads: its own, or those of its shape.
    pub(crate) fn tables(&self) -> &Shape {
        Reclustered::tables(&self.shape, &self.reclustered)
    }

    /// Its clusters as the step that goes on, or the last one, matches them.
    pub(crate) fn matched(&self) -> Matched<'_> {
        Matched::of(self.tables(), self.held.as_deref())
    }

    /// Whether pins outweigh the rest where clusters are matched. Not with quadratic goals, nor where clusters are replaced.
    fn has_heavy_pins(&self) -> bool {
        let replaces = self.reclustered.is_some() || self.plasticity.is_some_and(|rule| rule.recluster > 0.0);
        !self.pins.is_empty() && self.quadratic.is_none() && !replaces
    }

    /// How clusters are matched with the present pins, be it that no step knows of them yet.
    pub(crate) fn held_now(&self) -> Option<Cow<'_, Held>> {
        let pins = self.pins.iter().map(|pin| pin.particle);
        match self.held.as_deref() {
            // What has lasted is told about clusters as they were matched.
            held if self.plastic.is_some() => held.map(Cow::Borrowed),
            _ if !self.has_heavy_pins() => None,
            Some(held) if held.is_of(pins.clone()) => Some(Cow::Borrowed(held)),
            _ => {
                let mut held = Held::new(&self.shape);
                held.hold(&self.shape, pins);
                Some(Cow::Owned(held))
            }
        }
    }

    /// Before a step: finds how clusters are matched if other particles are pinned than in the last one.
    pub(crate) fn weigh_pins(&mut self) {
        if self.find_held() {
            self.weigh_plastic(true);
        }
    }

    /// After a body was restored.
    pub(crate) fn recall_pins(&mut self) {
        self.find_held();
        if self.held.is_some() {
            self.weigh_plastic(false);
        }
    }

    /// Lets clusters weigh what they do in the shape.
    pub(crate) fn forget_heavy_pins(&mut self) {
        if self.held.take().is_some() {
            self.weigh_plastic(true);
        }
    }

    fn weigh_plastic(&mut self, carried: bool) {
        let Body { held, shape, plastic, .. } = self;
        let rest = Matched::of(shape, held.as_deref());
        plastic.iter_mut().for_each(|plastic| plastic.weigh(shape, rest, carried));
    }

    /// Says whether clusters are matched otherwise now.
    fn find_held(&mut self) -> bool {
        if !self.has_heavy_pins() {
            return self.held.take().is_some();
        }
        let Body { held, shape, pins, .. } = self;
        let pins = pins.iter().map(|pin| pin.particle);
        let is_known = held.as_ref().is_some_and(|held| held.is_of(pins.clone()));
        if !is_known {
            held.get_or_insert_with(|| Box::new(Held::new(shape))).hold(shape, pins);
        }
        !is_known
    }

    /// Finest clusters as a step counts them, free places among them.
    pub(crate) fn finest_count(&self) -> usize {
        self.tables().levels().first().map_or(0, |finest| finest.cluster_count())
    }

    /// Gives the body clusters of its own, which are those of its shape at first.
    pub(crate) fn take_own_clusters(&mut self) {
        let Some(plastic) = &mut self.plastic else { return };
        let own = Reclustered::new(&self.shape);
        let finest = self.shape.range(0).len();
        let spare = own.stages.len() - finest;
        plastic.make_room(finest, spare);
        self.lay_out(spare);
        self.reclustered = Some(Box::new(own));
    }

    /// Makes room for `spare` finest clusters more than the shape has, in all lists of clusters.
    pub(crate) fn lay_out(&mut self, spare: usize) {
        let at = self.shape.levels().first().map_or(0, |finest| finest.cluster_count());
        let had = self.fits.len() - self.shape.all_clusters().len();
        relaid(&mut self.moments, at, had, spare, Moments::default());
        relaid(&mut self.fits, at, had, spare, Fit::default());
        relaid(&mut self.rigid, at, had, spare, Rigid::default());
        relaid(&mut self.pulls, at, had, spare, Pull::default());
        self.support = Default::default();
        if !self.holds.is_empty() {
            relaid(&mut self.holds, at, had, spare, Strength::default());
        }
        self.brakes.resize(at + spare, 0.0);
        if !self.strain.dirty.is_empty() {
            self.strain.dirty.resize_with(at + spare, || AtomicU8::new(1));
            self.strain.fitted.resize_with(at + spare, || AtomicU8::new(0));
        }
        if !self.breaking.relaxing.is_empty() {
            self.breaking.relaxing.resize(at + spare, 0.0);
        }
        self.breaking.worst.clear();
    }

    /// Forgets clusters of its own.
    pub(crate) fn forget_own_clusters(&mut self) {
        if self.reclustered.take().is_some() {
            self.lay_out(0);
        }
    }

    /// With one level alone the last cluster stands for how the body is turned, and it may be a free place.
    pub(crate) fn turn_last(&mut self) {
        let Some(own) = &self.reclustered else { return };
        if own.tables.levels().len() == 1 && own.stages.last() == Some(&Stage::Free) {
            let some = own.stages.iter().position(|stage| *stage != Stage::Free);
            let rotation = some.map(|c| self.fits[c].rotation);
            let last = self.fits.last_mut().zip(rotation);
            last.into_iter().for_each(|(fit, rotation)| fit.rotation = rotation);
        }
    }
}

fn relaid<T: Clone>(list: &mut Vec<T>, at: usize, had: usize, spare: usize, value: T) {
    list.splice(at..at + had, std::iter::repeat_n(value, spare));
}
