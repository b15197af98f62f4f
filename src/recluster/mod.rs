//! Reclustering (RC 3.2): clusters that flowed too far fade out, and new ones fade in where particles would be left alone.
//!
//! ```text
//! mark      clusters whose Fp is worn fade out                          (mod.rs)
//! embed     about particles that would be left alone: where everything would lie without stress   (embed.rs)
//! place     a new cluster there, the weights of all others fixed        (place.rs)
//! follow    how new clusters hang on the levels above                   (place.rs)
//! fade      weights of those that come and go, and what follows         (fade.rs)
//! ```
//!
//! Runs in every second step, before its first match, on a body's own copy of its shape's tables. A member of a new cluster has a
//! rest position of its own there (RC's p_ic): that of the shape and what it lies `apart` from it. The rest spaces of new clusters are
//! turned as the shape's is, so that rotations go on to mean the same for all clusters. Loops run in ascending
//! order, and threads only share out what is worked out by itself, so they change no bit.

mod embed;
mod fade;
mod place;
mod undo;

#[cfg(test)]
mod tests;

use glam::{Mat3A, Vec4};

use crate::clustering::Nesting;
use crate::fitting::Fit;
use crate::math::symmetric;
use crate::membership::{Entry, Membership};
use crate::parallel::Spread;
use crate::plasticity::{Dent, Plastic, Plasticity};
use crate::profile::{self, Clock};
use crate::shape::Shape;

pub(crate) use embed::Embedded;
pub(crate) use place::New;

/// Where a finest cluster is in its life.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stage {
    /// A place for a new one.
    Free,
    Whole,
    /// Fades out; the share of its weights that is left.
    Leaving(f32),
    /// Fades in; the share that is there.
    Coming(f32),
}

impl Stage {
    /// The share of its weights that counts.
    fn factor(self) -> f32 {
        match self {
            Stage::Free => 0.0,
            Stage::Whole => 1.0,
            Stage::Leaving(left) => left,
            Stage::Coming(there) => there,
        }
    }

    /// Whether it will be there when all has faded.
    pub(crate) fn stays(self) -> bool {
        matches!(self, Stage::Whole | Stage::Coming(_))
    }

    fn fades(self) -> bool {
        matches!(self, Stage::Leaving(_) | Stage::Coming(_))
    }

    /// Whether a snapshot may say so.
    pub(crate) fn is_sound(self) -> bool {
        !self.fades() || self.factor() > 0.0 && self.factor() <= 1.0
    }
}

/// Clusters of a body's own.
pub(crate) struct Reclustered {
    /// What a step reads in place of the shape's.
    pub(crate) tables: Shape,
    /// For each membership among the finest level's `members`, how far the member rests from where the shape has it; w = 0.
    pub(crate) apart: Vec<Vec4>,
    /// The same for each in `held_by`.
    pub(crate) apart_held: Vec<Vec4>,
    /// For each in `held_by`, its weight before fading and normalising.
    pub(crate) raw: Vec<f32>,
    /// For each in `held_by`, its place among `members`.
    place: Vec<u32>,
    /// Of each finest cluster.
    pub(crate) stages: Vec<Stage>,
    /// Steps since it has them.
    pub(crate) age: u32,
}

impl Clone for Reclustered {
    fn clone(&self) -> Self {
        Reclustered {
            tables: self.tables.with_spare(0),
            apart: self.apart.clone(),
            apart_held: self.apart_held.clone(),
            raw: self.raw.clone(),
            place: self.place.clone(),
            stages: self.stages.clone(),
            age: self.age,
        }
    }
}

/// Spare places of a body with this many finest clusters: while all fade out, as many can fade in.
pub(crate) fn spare_for(finest: usize) -> usize {
    finest + 4
}

/// Whether clusters of a shape can be replaced: debris and single points have none that reach anywhere.
pub(crate) fn can_replace(shape: &Shape) -> bool {
    shape.nesting() == Nesting::Nested && shape.finest_report().is_some_and(|report| report.radius > 0.0)
}

impl Reclustered {
    /// The clusters of a shape, with room for as many again.
    pub(crate) fn new(shape: &Shape) -> Reclustered {
        let finest = shape.range(0).len();
        let spare = spare_for(finest);
        let tables = shape.with_spare(spare);
        let held_by = tables.levels()[0].held_by();
        let mut own = Reclustered {
            apart: vec![Vec4::ZERO; held_by.len()],
            apart_held: vec![Vec4::ZERO; held_by.len()],
            raw: held_by.entries().iter().map(|e| e.weight).collect(),
            place: Vec::new(),
            stages: [vec![Stage::Whole; finest], vec![Stage::Free; spare]].concat(),
            // The first step is one in which tables change.
            age: STRIDE - 1,
            tables,
        };
        own.find_places();
        own
    }

    /// The tables that a step reads of a body.
    pub(crate) fn tables<'a>(shape: &'a Shape, own: &'a Option<Box<Reclustered>>) -> &'a Shape {
        own.as_deref().map_or(shape, |own| &own.tables)
    }

    /// How far members rest from where the shape has them; nothing where all rest there.
    pub(crate) fn apart(own: &Option<Box<Reclustered>>) -> &[Vec4] {
        own.as_deref().map_or(&[], |own| &own.apart)
    }

    /// Whether a finest cluster is a place for a new one.
    pub(crate) fn is_free(&self, c: usize) -> bool {
        self.stages[c] == Stage::Free
    }

    fn held_by(&self) -> &Membership {
        self.tables.levels()[0].held_by()
    }

    /// The clusters of particle `i`, and where in the table they begin.
    fn row(&self, i: usize) -> (&[Entry], usize) {
        (self.held_by().row(i), self.held_by().starts()[i] as usize)
    }

    /// Members of finest cluster `c`.
    fn members(&self, c: usize) -> &[Entry] {
        self.tables.levels()[0].members().row(c)
    }

    /// Lets worn clusters fade out, as long as there are places for what may take theirs.
    pub(crate) fn mark(&mut self, plastic: &Plastic, limit: f32) {
        let free = self.stages.iter().filter(|stage| **stage == Stage::Free).count();
        let leaving = self.stages.iter().filter(|stage| matches!(stage, Stage::Leaving(_))).count();
        let mut room = free.saturating_sub(leaving);
        for (stage, dent) in self.stages.iter_mut().zip(&plastic.dents) {
            if room > 0 && *stage == Stage::Whole && dent.is_worn(limit) {
                *stage = Stage::Leaving(1.0);
                room -= 1;
            }
        }
    }

    pub(crate) fn is_fading(&self) -> bool {
        self.stages.iter().any(|stage| stage.fades())
    }

    /// Particles all of whose clusters fade out, ascending.
    pub(crate) fn orphans(&self) -> Vec<u32> {
        let stays = |e: &Entry| self.stages[e.index as usize].stays();
        (0..self.held_by().rows() as u32).filter(|&i| !self.row(i as usize).0.iter().any(stays)).collect()
    }

    /// Whether a particle is held by somebody who stays.
    fn is_held(&self, i: usize) -> bool {
        self.row(i).0.iter().any(|e| self.stages[e.index as usize].stays())
    }

    /// New clusters where particles would be left alone, a bounded number; the rest waits.
    pub(crate) fn new_clusters(
        &self,
        plastic: &Plastic,
        rule: &Plasticity,
        (x, origin, fits): (&[Vec4], Vec4, &mut [Fit]),
        orphans: &[u32],
        (spread, clock): (Spread, &Clock),
    ) -> Vec<New> {
        let most = rule.most_new_clusters as usize;
        let is_empty = |c: &usize| self.is_free(*c) && self.members(*c).is_empty();
        let mut free: Vec<usize> = (0..self.stages.len()).filter(is_empty).collect();
        free.truncate(most);
        if orphans.is_empty() || free.is_empty() {
            return Vec::new();
        }
        let mut embedded = clock.time(profile::Stage::Embed, || {
            let mut embedded = Embedded::new(self, plastic, fits, (x, origin), orphans, free.len());
            embedded.relax(spread);
            embedded
        });
        embedded.look_around(self);
        let mut found = Vec::new();
        let mut free = free.into_iter();
        for &seed in orphans {
            let Some(local) = embedded.uncovered(seed) else { continue };
            let Some(slot) = free.next() else { break };
            let new = embedded.place(self, plastic, local, slot, fits);
            fits[slot] = Fit { rotation: new.rotation, ..Fit::default() };
            found.push(new);
        }
        found
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.tables.bytes()
            + (self.apart.capacity() + self.apart_held.capacity()) * size_of::<Vec4>()
            + (self.raw.capacity() + self.place.capacity()) * 4
            + self.stages.capacity() * size_of::<Stage>()
    }
}

/// Tables change in every second step: it costs half as much, and fades take many steps.
pub(crate) const STRIDE: u32 = 2;

/// What fades out of a cluster, and what of a new one fades in, at a time; the latter takes half as many steps.
fn shares(fade: u32) -> (f32, f32) {
    let share = |steps: u32| (STRIDE as f32 / steps as f32).min(1.0);
    (share(fade), share(fade.div_ceil(2)))
}

impl Dent {
    /// Whether the condition number of Fp is beyond a limit.
    pub(crate) fn is_worn(&self, limit: f32) -> bool {
        let away = self.fp - Mat3A::IDENTITY;
        let size = away.x_axis.length_squared() + away.y_axis.length_squared() + away.z_axis.length_squared();
        // No eigenvalue is further from 1 than this.
        let most = size.sqrt();
        if most < (limit - 1.0) / (limit + 1.0) {
            return false;
        }
        let (values, _) = symmetric::eigen(self.fp.as_dmat3().to_cols_array_2d());
        values[0] > f64::from(limit) * values[2]
    }
}
