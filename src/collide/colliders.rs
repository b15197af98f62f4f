//! All colliders of a world, and which of them a block of particles may meet.
//!
//! Planes have no bounds and are looked at one by one. Of the others, those that stand still are
//! in a tree that is built anew only when one of them changes; those that move are in a second
//! one, built for each step around the ways they take. What is found is sorted by number, so the
//! order in which a particle meets several does not depend on the trees.

use glam::{Vec3, Vec3A, Vec4};

use super::bounds::Bounds;
use super::collider::{Collider, ColliderShape};
use super::contact::{Meeting, Particle, Taken};
use super::surface::{Groups, Surface};
use super::tree::Tree;
use super::unrest::Unrest;
use crate::contact::by_level::Contact;
use crate::slots::Slots;

/// Colliders that a block of particles has room to be near, and to touch in a step.
const MOST_NEAR: usize = 64;
const MOST_TOUCHED: usize = 16;

/// What a block of particles met in a step, and memory for finding out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    near: Vec<u32>,
    pub(crate) taken: Vec<Taken>,
}

impl Touched {
    /// Makes room for as many of `colliders` as a block can be near and touch at the same time, all but in
    /// dense mazes of them, so that a touch allocates nothing.
    pub(crate) fn make_room(&mut self, colliders: usize) {
        self.near.reserve(colliders.min(MOST_NEAR).saturating_sub(self.near.len()));
        self.taken.reserve(colliders.min(MOST_TOUCHED).saturating_sub(self.taken.len()));
    }

    /// Adds what a collider got.
    pub(crate) fn take(&mut self, new: Taken) {
        add(&mut self.taken, new);
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.near.capacity() * 4 + self.taken.capacity() * size_of::<Taken>()
    }
}

/// Particles of one body that meet colliders together.
pub(crate) struct Particles<'a> {
    /// Where they were before they moved; may be empty where it does not matter.
    pub(crate) from: &'a [Vec4],
    pub(crate) x: &'a mut [Vec4],
    pub(crate) v: &'a mut [Vec4],
    pub(crate) masses: &'a [f32],
    /// What their clusters were pressed with, N s; may be empty where nothing was.
    pub(crate) pressed: &'a [f32],
}

/// How a body meets colliders.
#[derive(Clone, Copy)]
pub(crate) struct Meets<'a> {
    pub(crate) colliders: &'a Colliders,
    pub(crate) h: f32,
    pub(crate) surface: Surface,
    pub(crate) groups: Groups,
    pub(crate) radius: f32,
}

/// A world's colliders.
pub(crate) struct Colliders {
    pub(crate) slots: Slots<Collider>,
    planes: Vec<u32>,
    still: Searched,
    moving: Searched,
    /// Those that a step may move, planes too, ascending.
    movers: Vec<u32>,
    /// Where some came, went, changed or move.
    pub(crate) unrest: Unrest,
    /// Those that got something in the last step.
    hit: Vec<u32>,
    /// Whether the lists are those of the present colliders.
    listed: bool,
    /// Whether the trees are.
    searchable: bool,
}

/// A tree over some colliders.
#[derive(Default)]
struct Searched {
    /// Numbers of the colliders, ascending.
    ids: Vec<u32>,
    bounds: Vec<Bounds>,
    tree: Tree,
}

impl Searched {
    fn build(&mut self, slots: &Slots<Collider>, dt: f32) {
        self.bounds.clear();
        let all = self.ids.iter().filter_map(|&i| slots.list()[i as usize].item.as_ref()?.bounds(dt));
        self.bounds.extend(all);
        self.tree.build(&self.bounds);
    }
}

impl Colliders {
    pub(crate) fn new(first: u32) -> Colliders {
        Colliders {
            slots: Slots::new(first, "colliders"),
            planes: Vec::new(),
            still: Searched::default(),
            moving: Searched::default(),
            movers: Vec::new(),
            unrest: Unrest::default(),
            hit: Vec::new(),
            listed: true,
            searchable: true,
        }
    }

    /// Whether there is nothing to meet.
    pub(crate) fn is_empty(&self) -> bool {
        self.planes.is_empty() && self.still.ids.is_empty() && self.moving.ids.is_empty()
    }

    /// How many there are to meet.
    pub(crate) fn count(&self) -> usize {
        self.planes.len() + self.still.ids.len() + self.moving.ids.len()
    }

    pub(crate) fn get(&self, index: u32) -> Option<&Collider> {
        self.slots.list().get(index as usize)?.item.as_deref()
    }

    fn get_mut(&mut self, index: u32) -> Option<&mut Collider> {
        self.slots.list_mut().get_mut(index as usize)?.item.as_deref_mut()
    }

    /// Notes that a collider was added, removed or changed. One that moves and did before only
    /// needs its tree built anew, as every step does.
    pub(crate) fn changed(&mut self, index: u32) {
        let moved_before = self.movers.binary_search(&index).is_ok();
        self.listed &= moved_before && self.get(index).is_some_and(|c| c.def.enabled);
        self.searchable = false;
    }

    /// Notes that any collider may have changed.
    pub(crate) fn all_changed(&mut self) {
        (self.listed, self.searchable) = (false, false);
    }

    /// Puts every collider in its list.
    fn list(&mut self) {
        [&mut self.planes, &mut self.still.ids, &mut self.moving.ids, &mut self.movers]
            .into_iter()
            .for_each(Vec::clear);
        for (i, slot) in (0..).zip(self.slots.list()) {
            let Some(collider) = slot.item.as_deref().filter(|c| c.def.enabled) else { continue };
            let moves = collider.moves();
            if moves {
                self.movers.push(i);
            }
            match collider.def.shape {
                ColliderShape::Plane { .. } => self.planes.push(i),
                _ if moves => self.moving.ids.push(i),
                _ => self.still.ids.push(i),
            }
        }
        self.still.build(&self.slots, 0.0);
        self.hit.reserve(self.count().saturating_sub(self.hit.len()));
        self.listed = true;
    }

    /// Before a step of `dt` seconds.
    pub(crate) fn begin(&mut self, dt: f32) {
        if !self.listed {
            self.list();
        }
        for k in 0..self.hit.len() {
            if let Some(collider) = self.get_mut(self.hit[k]) {
                (collider.impulse, collider.torque, collider.hit) = (Vec3::ZERO, Vec3::ZERO, false);
            }
        }
        self.hit.clear();
        for k in 0..self.movers.len() {
            let slot = &mut self.slots.list_mut()[self.movers[k] as usize];
            if let Some(collider) = slot.item.as_deref_mut() {
                collider.aim(dt);
                self.unrest.note_moving(collider, dt);
            }
        }
        self.moving.build(&self.slots, dt);
        self.unrest.prepare();
    }

    /// Before a substep of `h` seconds.
    pub(crate) fn advance(&mut self, h: f32) {
        for k in 0..self.movers.len() {
            if let Some(collider) = self.get_mut(self.movers[k]) {
                collider.advance(h);
            }
        }
    }

    /// After a step.
    pub(crate) fn end(&mut self) {
        for k in 0..self.movers.len() {
            if let Some(collider) = self.get_mut(self.movers[k]) {
                collider.arrive();
            }
        }
        self.moving.build(&self.slots, 0.0);
        self.searchable = true;
    }

    /// Adds what bodies gave a collider.
    pub(crate) fn take(&mut self, taken: &Taken) {
        let Some(collider) = self.get_mut(taken.collider) else { return };
        collider.impulse += Vec3::from(taken.impulse);
        collider.torque += Vec3::from(taken.torque);
        if !std::mem::replace(&mut collider.hit, true) {
            self.hit.push(taken.collider);
        }
    }

    /// Numbers of all colliders that may meet `bounds`, ascending, into `found`. Only right in a step.
    fn find(&self, bounds: &Bounds, groups: Groups, found: &mut Vec<u32>) {
        found.clear();
        let wanted = |i: u32| self.get(i).is_some_and(|c| c.def.groups.meet(&groups));
        let reached = |i: &&u32| self.get(**i).is_some_and(|c| plane_reaches(c, bounds));
        found.extend(self.planes.iter().filter(reached).filter(|i| wanted(**i)));
        for searched in [&self.still, &self.moving] {
            searched.tree.visit(bounds, |k| {
                let i = searched.ids[k as usize];
                if searched.bounds[k as usize].meets(bounds) && wanted(i) {
                    found.push(i);
                }
            });
        }
        found.sort_unstable();
    }

    /// Whether one of them that was found may meet `bounds`. Only right in a step.
    fn reaches(&self, index: u32, bounds: &Bounds) -> bool {
        self.get(index).is_some_and(|c| match c.bounds(0.0) {
            None => plane_reaches(c, bounds),
            // Where it may be by the end of the step only its tree knows.
            Some(around) => c.moves() || around.meets(bounds),
        })
    }

    /// Calls `found` for all colliders that may meet `bounds`, in ascending order. Between steps, where
    /// hosts may have changed something since the last, as are the next two.
    pub(crate) fn search(&self, bounds: &Bounds, groups: Groups, mut found: impl FnMut(u32, &Collider)) {
        let mut near = Vec::new();
        if self.searchable {
            self.find(bounds, groups, &mut near);
        } else {
            let meets = |c: &Collider| match c.bounds(0.0) {
                Some(around) => around.meets(bounds),
                None => plane_reaches(c, bounds),
            };
            near.extend(self.present(groups).filter(|(_, c)| meets(c)).map(|(i, _)| i));
        }
        near.iter().for_each(|&i| self.get(i).into_iter().for_each(|c| found(i, c)));
    }

    /// Calls `measure` for those that a ray may meet, as [`Tree::cast`] does.
    pub(crate) fn cast(
        &self,
        (origin, direction): (Vec3A, Vec3A),
        most: f32,
        groups: Groups,
        measure: impl FnMut(u32, &Collider, f32) -> Option<f32>,
    ) {
        self.first(most, groups, measure, |tree, most, each| {
            tree.cast(origin, direction, most, |k, _| each(k));
        });
    }

    /// Calls `measure` for those that may be nearest to a point, as [`Tree::nearest`] does; distances
    /// are not squared.
    pub(crate) fn nearest(
        &self,
        point: Vec3A,
        most: f32,
        groups: Groups,
        measure: impl FnMut(u32, &Collider, f32) -> Option<f32>,
    ) {
        let squared = |distance: f32| distance.max(0.0) * distance.max(0.0);
        self.first(most, groups, measure, |tree, most, each| {
            tree.nearest(point, squared(most), |k, _| each(k).map(squared));
        });
    }

    /// Calls `measure` for those that may be before `most`, which it lowers; `walk` looks for them in a
    /// tree, and is given the limit and what to call for an item.
    fn first(
        &self,
        mut most: f32,
        groups: Groups,
        mut measure: impl FnMut(u32, &Collider, f32) -> Option<f32>,
        walk: impl Fn(&Tree, f32, &mut dyn FnMut(u32) -> Option<f32>),
    ) {
        let mut each = |i: u32, most: f32| {
            let collider = self.get(i).filter(|c| c.def.groups.meet(&groups))?;
            measure(i, collider, most)
        };
        if !self.searchable {
            self.present(groups).for_each(|(i, _)| most = each(i, most).unwrap_or(most));
            return;
        }
        self.planes.iter().for_each(|&i| most = each(i, most).unwrap_or(most));
        for Searched { ids, tree, .. } in [&self.still, &self.moving] {
            walk(tree, most, &mut |k| {
                most = each(ids[k as usize], most)?;
                Some(most)
            });
        }
    }

    /// Those that are there and meet `groups`.
    fn present(&self, groups: Groups) -> impl Iterator<Item = (u32, &Collider)> {
        let wanted = move |c: &&Collider| c.def.enabled && c.def.groups.meet(&groups);
        let all = (0..).zip(self.slots.list());
        all.filter_map(move |(i, slot)| Some((i, slot.item.as_deref().filter(wanted)?)))
    }
}

/// Whether a collider is a plane that a box is in.
fn plane_reaches(collider: &Collider, bounds: &Bounds) -> bool {
    collider.plane().is_some_and(|(normal, offset)| bounds.lowest(normal) <= offset)
}

impl Meets<'_> {
    /// Finds what is near to particles within `bounds`; false if nothing is.
    pub(crate) fn find(&self, bounds: &Bounds, touched: &mut Touched) -> bool {
        self.colliders.find(&bounds.grown(self.radius + SLACK), self.groups, &mut touched.near);
        !touched.near.is_empty()
    }

    /// Finds what is near to particles within `bounds`.
    pub(crate) fn find_near(&self, bounds: &Bounds, near: &mut Vec<u32>) {
        self.colliders.find(&bounds.grown(self.radius + SLACK), self.groups, near);
    }

    /// The contact of a particle with a collider that stands still, if that is within `reach`.
    pub(crate) fn touching(&self, index: u32, x: Vec4, reach: f32) -> Option<Contact> {
        let collider = self.colliders.get(index).filter(|collider| !collider.moves())?;
        let (x, apart) = (Vec3A::from_vec4(x), self.radius + collider.def.shape.skin());
        let near = collider.def.shape.near(collider.to.enter(x), apart + reach)?;
        let normal = collider.to.turn * near.normal;
        let against = collider.velocity_at(x - normal * near.distance, normal);
        Some(Contact { normal, against, gap: near.distance - apart, ..Contact::default() })
    }

    /// Whether some of these particles, those within `bounds`, may meet what was found near to all of them.
    pub(crate) fn reaches(&self, bounds: &Bounds, touched: &Touched) -> bool {
        let bounds = bounds.grown(self.radius + SLACK);
        touched.near.iter().any(|&i| self.colliders.reaches(i, &bounds))
    }

    /// Whether it matters which way particles came to what was found near: to planes it does not.
    pub(crate) fn follows_ways(&self, touched: &Touched) -> bool {
        touched.near.iter().any(|&i| self.colliders.get(i).is_some_and(|c| c.plane().is_none()))
    }

    /// Lets particles that have moved meet what was found near, those where `wanted` holds. Returns
    /// the firmest grip of a particle, 0 if none touches anything.
    pub(crate) fn meet(
        &self,
        mut particles: Particles,
        touched: &mut Touched,
        wanted: impl Fn(usize) -> bool,
    ) -> f32 {
        let Touched { near, taken } = touched;
        let mut touching = 0;
        // What a second collider does to a particle, the first may not want.
        for _round in 0..2 {
            touching = 0;
            for &i in near.iter() {
                let Some(collider) = self.colliders.get(i) else { continue };
                let mut new = Taken { collider: i, ..Taken::default() };
                self.meet_one(collider, &wanted, &mut particles, &mut new);
                if new.count > 0 {
                    touching += 1;
                    add(taken, new);
                }
            }
            if touching < 2 {
                break;
            }
        }
        if touching > 0 { particles.v.iter().fold(0.0, |most, v| v.w.max(most)) } else { 0.0 }
    }

    #[inline(always)]
    fn meet_one(
        &self,
        collider: &Collider,
        wanted: &impl Fn(usize) -> bool,
        particles: &mut Particles,
        taken: &mut Taken,
    ) {
        let (friction, restitution) = self.surface.with(&collider.def.surface);
        let meeting = Meeting { h: self.h, friction, restitution, radius: self.radius };
        let plane = collider.plane();
        let Particles { from, x, v, masses, pressed } = particles;
        for k in (0..x.len()).filter(|&k| wanted(k)) {
            if x[k].w == 0.0 {
                continue;
            }
            let pressed = pressed.get(k).copied().unwrap_or(0.0);
            let particle = Particle { mass: masses[k], pressed, x: &mut x[k], v: &mut v[k] };
            match plane {
                Some(plane) => meeting.meet_plane(collider, plane, particle, taken),
                None => meeting.meet(collider, from[k], particle, taken),
            }
        }
    }
}

/// What surfaces without inside reach beyond their bounds, metres.
const SLACK: f32 = 2e-3;

/// Adds to what a collider got from a block before.
fn add(all: &mut Vec<Taken>, new: Taken) {
    let Some(old) = all.iter_mut().find(|taken| taken.collider == new.collider) else {
        return all.push(new);
    };
    old.count += new.count;
    old.impulse += new.impulse;
    old.torque += new.torque;
    old.pressed += new.pressed;
    for k in 0..2 {
        old.points[k] += new.points[k];
        old.normals[k] += new.normals[k];
    }
}
