//! Clusters as they are matched while the host holds some of their particles.
//!
//! A pinned particle has infinite mass, and shape matching weighs by mass. With its real mass, one layer of pins would
//! hardly count in a cluster that reaches far: coarse levels would pull a clamped body away from its clamp, each particle
//! next to it would bear the load of all others, and damping would brake it towards a motion that the pins forbid. So in
//! the match of every level pins outweigh the rest of the body.
//!
//! Reads a shape's tables and the pins; writes the rows that hold one, the clusters that these are and all that
//! follows from them. The same weights go into every sum of a cluster, so its goal is still the minimum of an energy and its pull
//! that energy's gradient. Who holds whom, and how much, stays: blending, momentum, contacts and kinetic energy know real masses alone.
//! Rows of clusters that hold no pin are the shape's to the last bit. All is a pure function of the shape and the list of pins.

use super::assembly::{Part, derived};
use super::{RestCluster, Shape};
use crate::membership::Membership;

/// How many times the body's mass all pins together weigh. A clamp holds a cluster by its width against a load at the cluster's
/// length: a bar five times as long as thick sags twice as far with 100 as with 1,000, and a tenth less with 10,000. But with that a body
/// that hangs on a row of pins turns about it by less than pivots are told from nothing (`math/rotation.rs`), and damping brakes its swing.
const OUTWEIGH: f64 = 1e3;
/// The most that a pin weighs over its own mass: beside it, `f32` keeps what the free members of a finest cluster give to within a hundredth.
const HEAVIEST: f64 = 1e6;

/// What matching reads in place of a shape's tables.
#[derive(Clone)]
pub(crate) struct Held {
    /// The pinned particles, in the order in which they were pinned.
    pins: Vec<u32>,
    /// What pins weigh over their mass.
    factor: f32,
    /// For each level, the members of its clusters. Of a row with pins the heaviest comes first: sums are about it, and what it weighs
    /// takes no digits from the others.
    members: Vec<Membership>,
    /// Of all levels.
    clusters: Vec<RestCluster>,
    scatter: Vec<[f32; 6]>,
    inverse_scatter: Vec<[f32; 6]>,
    /// For each level, the clusters that are not as in the shape, ascending.
    heavy: Vec<Vec<u32>>,
}

impl Held {
    /// A shape's tables before anything is held.
    pub(crate) fn new(shape: &Shape) -> Held {
        Held {
            pins: Vec::new(),
            factor: 1.0,
            members: shape.levels().iter().map(|level| level.members().clone()).collect(),
            clusters: shape.all_clusters().to_vec(),
            scatter: shape.scatter().to_vec(),
            inverse_scatter: shape.inverse_scatter().to_vec(),
            heavy: vec![Vec::new(); shape.levels().len()],
        }
    }

    /// Whether these are the particles that are held.
    pub(crate) fn is_of(&self, pins: impl ExactSizeIterator<Item = u32>) -> bool {
        pins.len() == self.pins.len() && pins.zip(&self.pins).all(|(a, b)| a == *b)
    }

    /// Takes other pins. Costs what the clusters with pins cost, old ones and new.
    pub(crate) fn hold(&mut self, shape: &Shape, pins: impl Iterator<Item = u32>) {
        self.pins.clear();
        self.pins.extend(pins);
        let mut is_pin = vec![false; shape.particle_count()];
        self.pins.iter().for_each(|&i| is_pin[i as usize] = true);
        let own: f64 = self.pins.iter().map(|&i| f64::from(shape.masses()[i as usize])).sum();
        self.factor = (1.0 + (OUTWEIGH * f64::from(shape.mass()) / own).min(HEAVIEST)) as f32;
        let mut heavy = self.pins.clone();
        for l in 0..shape.levels().len() {
            let before = std::mem::take(&mut self.heavy[l]);
            before.into_iter().for_each(|c| self.lighten(shape, l, c as usize));
            let held = if shape.sums_children(l) { &heavy } else { &self.pins };
            let held_by = shape.levels()[l].held_by();
            let mut now: Vec<u32> =
                held.iter().flat_map(|&i| held_by.row(i as usize)).map(|e| e.index).collect();
            now.sort_unstable();
            now.dedup();
            now.iter().for_each(|&c| self.weigh(shape, l, c as usize, &is_pin));
            self.heavy[l].clone_from(&now);
            heavy = now;
        }
    }

    /// Cluster `c` of a level as the shape has it.
    fn lighten(&mut self, shape: &Shape, level: usize, c: usize) {
        let all = shape.range(level).start + c;
        self.members[level].reweigh(c, shape.levels()[level].members(), |_| 1.0);
        self.clusters[all] = shape.all_clusters()[all];
        self.scatter[all] = shape.scatter()[all];
        self.inverse_scatter[all] = shape.inverse_scatter()[all];
    }

    /// Cluster `c` of a level from members that weigh what they do now.
    fn weigh(&mut self, shape: &Shape, level: usize, c: usize, is_pin: &[bool]) {
        let Held { members, clusters, scatter, inverse_scatter, factor, .. } = self;
        let below = shape.sums_children(level).then(|| shape.range(level - 1).start);
        let times = |i: usize| match below {
            None if is_pin[i] => *factor,
            None => 1.0,
            Some(first) => clusters[first + i].mass * shape.all_clusters()[first + i].inverse_mass,
        };
        members[level].reweigh(c, shape.levels()[level].members(), times);
        let part = |_, i: usize| match below {
            None => Part { at: shape.rest()[i], scatter: [0.0; 6], mass: shape.masses()[i], reach: 0.0 },
            Some(first) => {
                let RestCluster { centre, mass, width, .. } = clusters[first + i];
                Part { at: centre, scatter: scatter[first + i], mass, reach: width }
            }
        };
        let all = shape.range(level).start + c;
        let (cluster, own, inverse) = derived(members[level].row(c), &part);
        clusters[all] = cluster.of_size(&shape.all_clusters()[all]);
        (scatter[all], inverse_scatter[all]) = (own, inverse);
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.members.iter().map(Membership::bytes).sum::<usize>()
            + self.clusters.capacity() * size_of::<RestCluster>()
            + (self.scatter.capacity() + self.inverse_scatter.capacity()) * size_of::<[f32; 6]>()
            + (self.pins.capacity() + self.heavy.iter().map(Vec::capacity).sum::<usize>()) * 4
    }
}

impl RestCluster {
    /// How far members may stray, and how fast a cluster may spin, are matters of its size, which pins do not change.
    pub(crate) fn of_size(self, other: &RestCluster) -> RestCluster {
        RestCluster { width: other.width, spread: other.spread, ..self }
    }
}

/// The clusters of a body as they are matched: those of its tables, but for those that hold pins.
#[derive(Clone, Copy)]
pub(crate) struct Matched<'a> {
    tables: &'a Shape,
    held: Option<&'a Held>,
}

impl<'a> Matched<'a> {
    /// `held` is of these tables.
    pub(crate) fn of(tables: &'a Shape, held: Option<&'a Held>) -> Matched<'a> {
        Matched { tables, held }
    }

    /// For each cluster of a level its members, weighted by what they weigh in the match times weight.
    pub(crate) fn members(&self, level: usize) -> &'a Membership {
        self.held.map_or(self.tables.levels()[level].members(), |held| &held.members[level])
    }

    /// The clusters of one level at rest.
    pub(crate) fn clusters(&self, level: usize) -> &'a [RestCluster] {
        &self.all_clusters()[self.tables.range(level)]
    }

    /// Those of all levels, finest first.
    pub(crate) fn all_clusters(&self) -> &'a [RestCluster] {
        self.held.map_or(self.tables.all_clusters(), |held| &held.clusters)
    }

    /// A_rr of each.
    pub(crate) fn scatter(&self) -> &'a [[f32; 6]] {
        self.held.map_or(self.tables.scatter(), |held| &held.scatter)
    }

    /// The inverses of these; directions that a flat cluster lacks give zero.
    pub(crate) fn inverse_scatter(&self) -> &'a [[f32; 6]] {
        self.held.map_or(self.tables.inverse_scatter(), |held| &held.inverse_scatter)
    }

    /// Whether some of them hold pins.
    pub(crate) fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// What a pinned particle weighs over its own mass.
    pub(crate) fn factor(&self) -> f32 {
        self.held.map_or(1.0, |held| held.factor)
    }
}
