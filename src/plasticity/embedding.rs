//! How coarser nested levels follow what the finest clusters keep.
//!
//! A bar that was bent for good is bent at every scale, but Fp of a single coarse cluster can stretch it
//! only. So each cluster has a place in the rest space of the level above: its frame, a turn Q and where its centre
//! lies. Coarse clusters are matched and pull through the frames of those below; with all frames at rest they
//! are what the shape has. While matter flows, frames go towards where the clusters are at present,
//! seen from the coarse cluster and scaled to its volume, by the share of elastic strain that the finest
//! clusters in it, weighted by mass, gave up. So coarse levels keep as much elastic deformation as the
//! matter in them does, and a bar that is bent but does not yield keeps none of it.
//!
//! Clusters gather from their parents in ascending order, so threads change no bit.

use std::ops::Range;

use glam::{Mat3A, Quat, Vec3A, Vec4};

use super::{Plastic, Plasticity, Undented, carried};
use crate::fitting::Fit;
use crate::goals;
use crate::matching::Moments;
use crate::membership::Entry;
use crate::parallel::{Spread, chunks};
use crate::shape::held::Matched;
use crate::shape::{Part, RestCluster, Shape, derived};

/// Where a cluster lies in the rest space of the level above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Unit quaternion Q.
    pub(crate) turn: Vec4,
    /// Of the cluster, metres; w is 0.
    pub(crate) centre: Vec4,
    /// Q Fp, or Q for a cluster that has no Fp.
    pub(crate) stretch: Mat3A,
}

impl Frame {
    /// Where the shape has it.
    pub(crate) fn at_rest(cluster: &RestCluster) -> Frame {
        Frame { turn: Vec4::W, centre: cluster.centre, stretch: Mat3A::IDENTITY }
    }

    /// Whether a snapshot may say so.
    pub(crate) fn is_sound(&self) -> bool {
        let turns = (self.turn.length_squared() - 1.0).abs() <= 1e-2;
        turns && self.centre.is_finite() && (self.stretch.determinant() - 1.0).abs() < 1e-2
    }

    /// The map from the cluster's own rest space: linear part and shift.
    pub(crate) fn map_from(&self, cluster: &RestCluster) -> (Mat3A, Vec3A) {
        (self.stretch, Vec3A::from_vec4(self.centre) - self.stretch * Vec3A::from_vec4(cluster.centre))
    }
}

/// A cluster as those below are drawn to it.
#[derive(Clone, Copy, Default)]
pub(super) struct Parent {
    back: Quat,
    /// Present centre, about the body's origin.
    centre: Vec3A,
    rest_centre: Vec3A,
    /// What brings its volume back to that at rest.
    scale: f32,
    /// How far frames follow.
    share: f32,
}

/// Volumes beyond these do not count: a coarse cluster that is squashed flat.
const VOLUMES: (f32, f32) = (0.2, 5.0);
/// Dents a thread works on at a time.
const DENTS: usize = 64;

impl Plastic {
    /// Lets the dents of clusters `range`, all of one level, take up `share` of the strain beyond the yield.
    pub(crate) fn flow(
        &mut self,
        rest: Matched,
        rule: &Plasticity,
        range: Range<usize>,
        share: f32,
        (moments, fits): (&[Moments], &[Fit]),
        spread: Spread,
    ) {
        let work = (
            chunks(&mut self.dents[range.clone()], DENTS),
            chunks(&mut self.scatter[range.clone()], DENTS),
            chunks(&mut self.inverse[range.clone()], DENTS),
        );
        spread.for_blocks(work, |block, (dents, scatter, inverse)| {
            for (i, dent) in dents.iter_mut().enumerate() {
                let c = range.start + block * DENTS + i;
                if rest.all_clusters()[c].mass == 0.0 {
                    continue;
                }
                let undented = Undented { scatter: &rest.scatter()[c], inverse: &rest.inverse_scatter()[c] };
                let elastic = dent.elastic(&moments[c], &undented, fits[c].rotation);
                if dent.flow(rule, share, elastic) {
                    (scatter[i], inverse[i]) = Plastic::scatters(rest, c, dent);
                }
            }
        });
    }

    /// Lets dents and frames forget a share of what they keep.
    pub(crate) fn recover(&mut self, rest: Matched, share: f32) {
        for (c, dent) in self.dents.iter_mut().enumerate().filter(|(_, dent)| dent.fp != Mat3A::IDENTITY) {
            dent.recover(share);
            (self.scatter[c], self.inverse[c]) = Plastic::scatters(rest, c, dent);
        }
        for (frame, cluster) in self.frames.iter_mut().zip(rest.all_clusters()) {
            frame.centre += (cluster.centre - frame.centre) * share;
            frame.turn = between(frame.turn, Vec4::W, share);
        }
    }

    /// Lets the frames follow what has flowed, `follow` for each level, and works out what coarser clusters
    /// are at rest then.
    pub(crate) fn embed(
        &mut self,
        (shape, rest): (&Shape, Matched),
        follow: &[f32],
        (moments, fits): (&[Moments], &[Fit]),
        spread: Spread,
    ) {
        for (frame, dent) in self.frames.iter_mut().zip(&mut self.dents) {
            let turned = Quat::from_vec4(frame.turn) * Quat::from_vec4(dent.turned);
            (frame.turn, dent.turned) = (Vec4::from(turned.normalize()), Vec4::W);
        }
        for (flowed, dent) in self.flowed.iter_mut().zip(&mut self.dents) {
            *flowed = std::mem::take(&mut dent.flowed);
        }
        for (l, follow) in follow.iter().enumerate().skip(1) {
            let members = shape.levels()[l].members();
            for (row, p) in shape.range(l).enumerate() {
                let below = shape.range(l - 1).start;
                let sum = members.row(row).iter().map(|e| self.flowed[below + e.index as usize] * e.weight);
                // Pins are no more of the matter than they were.
                let all = if rest.is_held() { shape.all_clusters()[p] } else { self.clusters[p] };
                self.flowed[p] = sum.sum::<f32>() * all.inverse_mass;
                self.parents[p] = self.parent(p, *follow, &moments[p], &fits[p]);
            }
            self.draw_frames(shape, l, moments, fits);
        }
        for (c, frame) in self.frames.iter_mut().enumerate() {
            let turn = Mat3A::from_quat(Quat::from_vec4(frame.turn));
            frame.stretch = self.dents.get(c).map_or(turn, |dent| turn * dent.fp);
        }
        self.derive(shape, rest, spread);
    }

    /// Works out what follows from dents and frames.
    pub(crate) fn recall(&mut self, shape: &Shape) {
        let rest = Matched::of(shape, None);
        for (c, dent) in self.dents.iter().enumerate() {
            (self.scatter[c], self.inverse[c]) = Plastic::scatters(rest, c, dent);
        }
        if self.frames.iter().zip(shape.all_clusters()).any(|(f, c)| *f != Frame::at_rest(c)) {
            self.derive(shape, rest, Spread::Here);
        }
    }

    /// Takes clusters that weigh otherwise. Frames are of these already or, if they are to be `carried`, go along with the
    /// centres of clusters: each maps what it did to where it did.
    pub(crate) fn weigh(&mut self, shape: &Shape, rest: Matched, carried: bool) {
        for l in 0..shape.levels().len() {
            let range = shape.range(l);
            let before: Vec<Vec4> = self.clusters[range.clone()].iter().map(|c| c.centre).collect();
            if range.end <= self.dents.len() {
                for c in range.clone() {
                    self.clusters[c] = rest.all_clusters()[c];
                    (self.scatter[c], self.inverse[c]) = Plastic::scatters(rest, c, &self.dents[c]);
                }
            } else {
                self.derive_level(shape, rest, l, Spread::Here);
            }
            if range.end > self.frames.len() {
                continue;
            }
            for (c, before) in range.zip(before).filter(|_| carried) {
                let moved = Vec3A::from_vec4(self.clusters[c].centre - before);
                let frame = &mut self.frames[c];
                frame.centre += (frame.stretch * moved).extend(0.0);
            }
            self.place_level(shape, rest, l);
        }
    }

    fn parent(&self, p: usize, follow: f32, moments: &Moments, fit: &Fit) -> Parent {
        let rotation = Quat::from_vec4(fit.rotation);
        let r = Mat3A::from_quat(rotation);
        let f = goals::gradient(&moments.columns(), &self.scatter[p], &self.inverse[p], r);
        let volume = f.determinant().clamp(VOLUMES.0, VOLUMES.1);
        Parent {
            back: rotation.inverse(),
            centre: Vec3A::from_vec4(moments.centre),
            rest_centre: Vec3A::from_vec4(self.clusters[p].centre),
            scale: 1.0 / libm::cbrtf(volume),
            share: (self.flowed[p] * follow).min(1.0),
        }
    }

    /// Frames of the clusters below level `l`.
    fn draw_frames(&mut self, shape: &Shape, l: usize, moments: &[Moments], fits: &[Fit]) {
        let (held_by, above) = (shape.levels()[l].held_by(), shape.range(l).start);
        for (row, c) in shape.range(l - 1).enumerate() {
            let (mut moved, mut turned) = (Vec3A::ZERO, Vec4::ZERO);
            let Frame { centre, turn, .. } = self.frames[c];
            for e in held_by.row(row) {
                let parent = &self.parents[above + e.index as usize];
                let away = parent.back * (Vec3A::from_vec4(moments[c].centre) - parent.centre);
                let share = parent.share * e.weight;
                moved += (parent.rest_centre + away * parent.scale - Vec3A::from_vec4(centre)) * share;
                let there = Vec4::from(parent.back * Quat::from_vec4(fits[c].rotation));
                turned += (if there.dot(turn) < 0.0 { -there } else { there } - turn) * share;
            }
            if turned != Vec4::ZERO || moved != Vec3A::ZERO {
                self.frames[c].centre += moved.extend(0.0);
                self.frames[c].turn = (turn + turned).normalize_or(turn);
            }
        }
    }

    /// What coarser clusters are at rest, from the frames of those below.
    fn derive(&mut self, shape: &Shape, rest: Matched, spread: Spread) {
        for l in 1..shape.levels().len() {
            self.place_level(shape, rest, l - 1);
            self.derive_level(shape, rest, l, spread);
        }
    }

    /// The same where clusters of the body's own have changed in mass.
    pub(crate) fn derive_own(&mut self, tables: &mut Shape, spread: Spread) {
        for l in 1..tables.levels().len() {
            self.place_level(tables, Matched::of(tables, None), l - 1);
            let below = &self.clusters[tables.range(l - 1)];
            tables.set_masses_of(l, |i| below[i].mass);
            self.derive_level(tables, Matched::of(tables, None), l, spread);
        }
    }

    /// Clusters of a level as the level above sees them at rest.
    fn place_level(&mut self, shape: &Shape, rest: Matched, l: usize) {
        for c in shape.range(l) {
            let frame = &self.frames[c];
            let own = if c < self.dents.len() { &rest.scatter()[c] } else { &self.scatter[c] };
            self.placed_scatter[c] = carried(frame.stretch, own);
            self.placed[c] = RestCluster { centre: frame.centre, ..self.clusters[c] };
        }
    }

    fn derive_level(&mut self, shape: &Shape, rest: Matched, l: usize, spread: Spread) {
        let (range, below, members) = (shape.range(l), shape.range(l - 1).start, rest.members(l));
        let sizes = rest.is_held().then(|| shape.clusters(l));
        let part = |i: usize| {
            let c = &self.placed[below + i];
            Part { at: c.centre, scatter: self.placed_scatter[below + i], mass: c.mass, reach: c.width }
        };
        let work = (
            chunks(&mut self.clusters[range.clone()], COARSE),
            chunks(&mut self.scatter[range.clone()], COARSE),
            chunks(&mut self.inverse[range], COARSE),
        );
        spread.for_blocks(work, |block, (clusters, scatter, inverse)| {
            for i in 0..clusters.len() {
                let c = block * COARSE + i;
                (clusters[i], scatter[i], inverse[i]) = derived(members.row(c), &|_, i| part(i));
                if let Some(sizes) = sizes {
                    clusters[i] = clusters[i].of_size(&sizes[c]);
                }
            }
        });
    }

    /// Rest positions of all particles with what has lasted, in the coarsest level's rest space; members of clusters rest
    /// `apart` from where the shape has them.
    pub(crate) fn rest_positions(&self, shape: &Shape, apart: &[Vec4]) -> Vec<Vec3A> {
        let mut maps = vec![(Mat3A::IDENTITY, Vec3A::ZERO); self.clusters.len()];
        if self.frames.is_empty() {
            maps = (0..self.dents.len()).map(|c| self.map_of(c)).collect();
        }
        for l in (1..shape.levels().len()).rev().filter(|_| !self.frames.is_empty()) {
            let (held_by, above) = (shape.levels()[l].held_by(), shape.range(l).start);
            for (row, c) in shape.range(l - 1).enumerate() {
                let (own, shift) = self.frames[c].map_from(&self.clusters[c]);
                let entries = held_by.row(row).iter();
                maps[c] = entries.fold((Mat3A::ZERO, Vec3A::ZERO), |(m, s), e| {
                    let (linear, moved) = maps[above + e.index as usize];
                    (m + linear * own * e.weight, s + (linear * shift + moved) * e.weight)
                });
            }
        }
        let held_by = |i: usize| shape.levels().first().map_or(&[][..], |finest| finest.held_by().row(i));
        let blended = |(i, r): (usize, &Vec4)| {
            let first = shape.levels().first().map_or(0, |finest| finest.held_by().starts()[i] as usize);
            let at = |(k, e): (usize, &Entry)| {
                let (linear, shift) = maps[e.index as usize];
                let away = apart.get(first + k).copied().unwrap_or(Vec4::ZERO);
                (linear * Vec3A::from_vec4(*r + away) + shift) * e.weight
            };
            held_by(i).iter().enumerate().map(at).sum::<Vec3A>()
        };
        shape.rest().iter().enumerate().map(blended).collect()
    }
}

/// Coarse clusters that a thread works out at a time.
const COARSE: usize = 8;

/// A share of the way from one rotation to another.
fn between(from: Vec4, to: Vec4, share: f32) -> Vec4 {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    (from + (to - from) * share).normalize_or(from)
}
