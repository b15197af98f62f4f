//! Weights while clusters come and go, and all that follows from them.
//!
//! A particle's weight in a cluster is its raw weight times the share of the cluster that is there, over the sum of
//! these: they sum to 1 in every step, so mass and centre of mass are kept. What a cluster is at rest is a pure function of
//! its row, so a snapshot need not hold it.

use glam::{Vec3A, Vec4};

use super::{New, Reclustered, Stage, shares};
use crate::membership::{Entry, Membership};
use crate::parallel::{Spread, chunks};
use crate::plasticity::{Dent, Frame, Plastic};
use crate::shape::RestCluster;
use crate::shape::held::Matched;

/// Raw weights are no less than this.
const LEAST: f32 = 1e-6;

/// A membership that is yet to join the tables.
struct Joining {
    particle: u32,
    cluster: u32,
    raw: f32,
    apart: Vec4,
}

impl Reclustered {
    /// Lets clusters fade by one step. Those that have gone, and whose members all have others, are free afterwards;
    /// says whether there are any.
    pub(crate) fn fade(&mut self, plastic: &mut Plastic, fade: u32) -> bool {
        let (out, into) = shares(fade);
        let mut any = false;
        for c in 0..self.stages.len() {
            self.stages[c] = match self.stages[c] {
                Stage::Leaving(left) if left > 1.5 * out => Stage::Leaving(left - out),
                Stage::Leaving(_) if self.members(c).iter().all(|e| self.is_held(e.index as usize)) => {
                    plastic.dents[c] = Dent::default();
                    any = true;
                    Stage::Free
                }
                Stage::Coming(there) if there + 1.5 * into > 1.0 => Stage::Whole,
                Stage::Coming(there) => Stage::Coming(there + into),
                stage => stage,
            };
        }
        any
    }

    /// Takes new clusters into the tables, and those that are free out of them.
    pub(crate) fn take_in(&mut self, plastic: &mut Plastic, found: Vec<New>, fade: u32) {
        let there = shares(fade).1;
        let mut joining = Vec::new();
        let coarse = self.tables.levels().len() > 1;
        let mut parents: Vec<Option<Vec<Entry>>> = vec![None; self.stages.len()];
        for new in found {
            let New { slot, members, dent, frame, centre, parents: above, .. } = new;
            self.stages[slot] = Stage::Coming(there);
            plastic.dents[slot] = dent;
            if let Some(place) = plastic.frames.get_mut(slot) {
                *place = frame;
            }
            parents[slot] = Some(above);
            self.tables
                .set_cluster(slot, (RestCluster { centre, ..RestCluster::default() }, [0.0; 6], [0.0; 6]));
            joining.extend(members.into_iter().map(|(particle, raw, apart)| Joining {
                particle,
                cluster: slot as u32,
                raw,
                apart,
            }));
        }
        joining.sort_by_key(|j| (j.particle, j.cluster));
        self.rebuild(&joining);
        if coarse {
            let before = self.tables.levels()[1].held_by();
            let mut held_by = Membership::with_capacity(before.rows(), before.len());
            for (c, new) in parents.iter().enumerate() {
                let row = new.as_deref().unwrap_or(before.row(c));
                held_by.push_row(row.iter().filter(|_| self.stages[c] != Stage::Free).copied());
            }
            held_by.complete_rows();
            // Masses are not known yet.
            self.tables.set_held_by(1, held_by, |_| 0.0);
        }
    }

    /// Rows without those of free clusters and with those that join.
    fn rebuild(&mut self, joining: &[Joining]) {
        let rows = self.held_by().rows();
        let room = self.raw.len() + joining.len();
        let mut held_by = Membership::with_capacity(rows, room);
        let (mut raw, mut apart) = (Vec::with_capacity(room), Vec::with_capacity(room));
        let mut next = joining.iter().peekable();
        let mut row: Vec<(u32, f32, Vec4)> = Vec::new();
        for i in 0..rows {
            row.clear();
            let (entries, first) = self.row(i);
            let kept =
                entries.iter().enumerate().filter(|(_, e)| self.stages[e.index as usize] != Stage::Free);
            row.extend(kept.map(|(k, e)| (e.index, self.raw[first + k], self.apart_held[first + k])));
            while let Some(j) = next.next_if(|j| j.particle as usize == i) {
                row.push((j.cluster, j.raw, j.apart));
            }
            row.sort_by_key(|(c, ..)| *c);
            let stays = |(c, ..): &&(u32, f32, Vec4)| self.stages[*c as usize].stays();
            // Only ratios count: kept near 1 they neither vanish nor overflow in the course of generations.
            let sum: f32 = row.iter().filter(stays).map(|(_, raw, _)| raw).sum();
            let scale = if sum > 0.0 { 1.0 / sum } else { 1.0 };
            held_by.push_row(row.iter().map(|&(index, ..)| Entry { index, weight: 0.0 }));
            raw.extend(row.iter().map(|(_, raw, _)| (raw * scale).clamp(LEAST, 1.0 / LEAST)));
            apart.extend(row.iter().map(|(.., apart)| *apart));
        }
        (self.raw, self.apart_held) = (raw, apart);
        self.set_rows(held_by);
    }

    /// Takes over who holds whom, raw weights and what particles rest apart being there already.
    pub(crate) fn set_rows(&mut self, held_by: Membership) {
        self.tables.set_held_by(0, held_by, |_| 0.0);
        self.find_places();
    }

    /// Finds where each entry of `held_by` is among `members`, and puts what members rest apart there, too.
    pub(super) fn find_places(&mut self) {
        let level = &self.tables.levels()[0];
        let mut next = level.members().starts().to_vec();
        self.place.clear();
        for e in level.held_by().entries() {
            let place = &mut next[e.index as usize];
            self.place.push(*place);
            *place += 1;
        }
        self.apart.clear();
        self.apart.resize(self.apart_held.len(), Vec4::ZERO);
        for (&place, &apart) in self.place.iter().zip(&self.apart_held) {
            self.apart[place as usize] = apart;
        }
    }

    /// Works out the weights, and what clusters of all levels are at rest. Frames move along with centres if `framed`.
    pub(crate) fn follow(&mut self, plastic: &mut Plastic, framed: bool, spread: Spread) {
        self.weigh();
        let count = self.stages.len();
        let mut found = vec![(RestCluster::default(), [0.0; 6], [0.0; 6]); count];
        let own = &*self;
        let starts = own.tables.levels()[0].members().starts();
        spread.for_blocks(chunks(&mut found, 16), |block, found| {
            for (c, found) in (block * 16..).zip(found) {
                let here = starts[c] as usize..starts[c + 1] as usize;
                *found = own.tables.derived_apart(c, &own.apart[here]);
            }
        });
        for (c, of) in found.into_iter().enumerate() {
            let moved = Vec3A::from_vec4(of.0.centre - self.tables.clusters(0)[c].centre);
            self.tables.set_cluster(c, of);
            plastic.refresh(&self.tables, c, if framed { moved } else { Vec3A::ZERO });
        }
        plastic.derive_own(&mut self.tables, spread);
    }

    fn weigh(&mut self) {
        let Reclustered { tables, raw, place, stages, .. } = self;
        let masses: Vec<f32> = tables.masses().to_vec();
        let (held_by, members) = tables.finest_tables();
        let (starts, mut entries) = held_by.weights_mut();
        let mut others = members.weights_mut().1;
        for (i, ends) in starts.windows(2).enumerate() {
            let here = ends[0] as usize..ends[1] as usize;
            let share = |k: usize, e: Entry| f64::from(raw[k]) * f64::from(stages[e.index as usize].factor());
            let sum: f64 = here.clone().map(|k| share(k, entries.entry(k))).sum();
            let (mut rest, mut largest) = (1.0, here.start);
            for k in here.clone() {
                let weight = (share(k, entries.entry(k)) / sum) as f32;
                entries.set(k, weight);
                rest -= f64::from(weight);
                if weight > entries.entry(largest).weight {
                    largest = k;
                }
            }
            if !here.is_empty() {
                entries.set(largest, (f64::from(entries.entry(largest).weight) + rest) as f32);
            }
            for k in here {
                others.set(place[k] as usize, entries.entry(k).weight * masses[i]);
            }
        }
    }
}

impl Plastic {
    /// After a finest cluster's members changed, and its centre by `moved`.
    fn refresh(&mut self, tables: &crate::shape::Shape, c: usize, moved: Vec3A) {
        self.clusters[c] = tables.clusters(0)[c];
        (self.scatter[c], self.inverse[c]) = Plastic::scatters(Matched::of(tables, None), c, &self.dents[c]);
        if let Some(frame) = self.frames.get_mut(c) {
            // The same map as before, about the new centre.
            frame.centre += (frame.stretch * moved).extend(0.0);
            if tables.clusters(0)[c].mass == 0.0 {
                *frame = Frame::at_rest(&RestCluster::default());
            }
        }
    }
}
