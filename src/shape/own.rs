//! Tables of a body's own: those of its shape, with room for further finest clusters.
//!
//! A body that replaces clusters changes who holds whom. Shapes are shared and never change, so it works on a copy of what
//! a step reads of them: no mesh, no surface, no painted toughness, no name. Free places hold nobody and have no mass.

use std::sync::OnceLock;

use glam::Vec4;

use super::assembly::{Part, derived};
use super::{Level, RestCluster, Shape};
use crate::clustering::LevelReport;
use crate::membership::Membership;
use crate::painting::{self, Tuning};

impl Shape {
    /// A copy of the tables with `spare` more finest clusters.
    pub(crate) fn with_spare(&self, spare: usize) -> Shape {
        let at = self.first_cluster.get(1).map_or(0, |&end| end as usize);
        let mut own = Shape {
            rest: self.rest.clone(),
            masses: self.masses.clone(),
            order: self.order.clone(),
            place: self.place.clone(),
            nesting: self.nesting,
            levels: self.levels.iter().map(Level::copied).collect(),
            clusters: self.clusters.clone(),
            scatter: self.scatter.clone(),
            inverse_scatter: self.inverse_scatter.clone(),
            held_by_all: self.held_by_all.clone(),
            first_cluster: self.first_cluster.clone(),
            tuning: self.tuning.clone(),
            toughness: Vec::new(),
            painted: self.painted.clone(),
            pinned: self.pinned.clone(),
            centre: self.centre,
            mass: self.mass,
            inverse_inertia: self.inverse_inertia,
            has_equal_masses: self.has_equal_masses,
            planes: OnceLock::new(),
            field: OnceLock::new(),
            outline: OnceLock::new(),
            spacing: self.spacing,
            width: self.width,
            fingerprint: self.fingerprint,
            skin: None,
            part_of: None,
            carriers: OnceLock::new(),
        };
        insert(&mut own.clusters, at, spare, RestCluster::default());
        insert(&mut own.scatter, at, spare, [0.0; 6]);
        insert(&mut own.inverse_scatter, at, spare, [0.0; 6]);
        if !own.painted.is_empty() {
            insert(&mut own.painted, at, spare, Tuning { stiffness: 1.0, damping: 1.0 });
        }
        own.first_cluster.iter_mut().skip(1).for_each(|first| *first += spare as u32);
        if let [finest, above @ ..] = &mut own.levels[..] {
            (0..spare).for_each(|_| finest.members.push_row([]));
            above.iter_mut().take(1).for_each(|level| (0..spare).for_each(|_| level.held_by.push_row([])));
        }
        own
    }

    /// Says anew who holds the members of a level, and how much; `mass` is that of a member.
    pub(crate) fn set_held_by(&mut self, level: usize, held_by: Membership, mass: impl Fn(usize) -> f32) {
        let count = self.range(level).len();
        let Level { members, held_by: before, .. } = &mut self.levels[level];
        *members = held_by.transposed(count, |i, weight| weight * mass(i));
        *before = held_by;
    }

    /// The same where no more than the members' masses changed.
    pub(crate) fn set_masses_of(&mut self, level: usize, mass: impl Fn(usize) -> f32) {
        let count = self.range(level).len();
        let Level { members, held_by, .. } = &mut self.levels[level];
        *members = held_by.transposed(count, |i, weight| weight * mass(i));
    }

    /// What follows for finest cluster `c` from its members, each of which rests `apart` from where the shape has it.
    pub(crate) fn derived_apart(&self, c: usize, apart: &[Vec4]) -> (RestCluster, [f32; 6], [f32; 6]) {
        let part = |k: usize, i: usize| Part {
            at: self.rest[i] + apart[k],
            scatter: [0.0; 6],
            mass: self.masses[i],
            reach: 0.0,
        };
        derived(self.levels[0].members.row(c), &part)
    }

    /// Takes over what follows for finest cluster `c`, and what is painted on it.
    pub(crate) fn set_cluster(&mut self, c: usize, of: (RestCluster, [f32; 6], [f32; 6])) {
        (self.clusters[c], self.scatter[c], self.inverse_scatter[c]) = of;
        if let (Some(painted), true) = (self.painted.get_mut(c), of.0.mass > 0.0) {
            *painted = painting::mean(self.levels[0].members.row(c), &self.tuning);
        }
    }

    /// Who holds whom at the finest level, both ways, to change the weights.
    pub(crate) fn finest_tables(&mut self) -> (&mut Membership, &mut Membership) {
        let Level { members, held_by, .. } = &mut self.levels[0];
        (held_by, members)
    }

    /// How the finest level was made.
    pub(crate) fn finest_report(&self) -> Option<&LevelReport> {
        self.levels.first().map(Level::report)
    }
}

impl Level {
    fn copied(&self) -> Level {
        Level { members: self.members.clone(), held_by: self.held_by.clone(), report: self.report.clone() }
    }
}

/// Makes room for `count` more in the middle of a list.
pub(crate) fn insert<T: Clone>(list: &mut Vec<T>, at: usize, count: usize, value: T) {
    list.splice(at..at, std::iter::repeat_n(value, count));
}
