//! Where colliders came, went, changed or move, so that bodies that sleep there wake.
//!
//! Noted by the world when a host changes a collider and before each step for those that it moves;
//! read when the step finds out who sleeps on. Boxes are in a tree, so many colliders and many
//! sleepers cost what is near. Planes reach everywhere below them and are looked at one by one.

use glam::{Vec3, Vec3A};

use super::bounds::Bounds;
use super::collider::Collider;
use super::surface::Groups;
use super::tree::Tree;

/// Turns smaller than this in a step, rad, are those between equal rotations that were rounded.
const TURNED: f32 = 2e-6;
/// How near a collider must be to count, metres: what surfaces without inside reach beyond their bounds.
const NEAR: f32 = 2e-3;

/// What was noted since the last step.
#[derive(Default)]
pub(crate) struct Unrest {
    bounds: Vec<Bounds>,
    /// Those of the collider in each of the boxes.
    groups: Vec<Groups>,
    tree: Tree,
    /// Half-spaces: normal and offset.
    planes: Vec<(Vec3A, f32, Groups)>,
}

impl Unrest {
    /// Notes a collider where it is and where it goes in the next `dt` seconds.
    pub(crate) fn note(&mut self, collider: &Collider, dt: f32) {
        if !collider.def.enabled {
            return;
        }
        let groups = collider.def.groups;
        if let Some((normal, offset)) = collider.plane() {
            let way = if turns(collider, dt) { f32::INFINITY } else { collider.def.velocity.length() * dt };
            self.planes.push((normal, offset + way, groups));
        } else if let Some(bounds) = collider.bounds(dt) {
            self.bounds.push(bounds);
            self.groups.push(groups);
        }
    }

    /// Notes a collider that a step of `dt` seconds moves, unless it is told to move to where it is.
    pub(crate) fn note_moving(&mut self, collider: &Collider, dt: f32) {
        if collider.def.velocity != Vec3::ZERO || turns(collider, dt) {
            self.note(collider, dt);
        }
    }

    /// How much was noted so far.
    pub(crate) fn mark(&self) -> (usize, usize) {
        (self.bounds.len(), self.planes.len())
    }

    /// Forgets what was noted since.
    pub(crate) fn go_back(&mut self, (bounds, planes): (usize, usize)) {
        self.bounds.truncate(bounds);
        self.groups.truncate(bounds);
        self.planes.truncate(planes);
    }

    /// Before `reaches` is asked.
    pub(crate) fn prepare(&mut self) {
        self.tree.build(&self.bounds);
    }

    /// Whether something that was noted is at a body in this box. After `prepare`.
    pub(crate) fn reaches(&self, bounds: &Bounds, groups: Groups) -> bool {
        let near = bounds.grown(NEAR);
        let mut found = self.planes_reach(&near, groups);
        self.tree.visit(&near, |k| found |= self.box_reaches(k as usize, &near, groups));
        found
    }

    /// The same at any time, box by box.
    pub(crate) fn reaches_slowly(&self, bounds: &Bounds, groups: Groups) -> bool {
        let near = bounds.grown(NEAR);
        self.planes_reach(&near, groups) || (0..self.bounds.len()).any(|k| self.box_reaches(k, &near, groups))
    }

    fn box_reaches(&self, k: usize, near: &Bounds, groups: Groups) -> bool {
        self.bounds[k].meets(near) && self.groups[k].meet(&groups)
    }

    fn planes_reach(&self, near: &Bounds, groups: Groups) -> bool {
        let reaches = |(normal, offset, own): &(Vec3A, f32, Groups)| {
            near.lowest(*normal) <= *offset && own.meet(&groups)
        };
        self.planes.iter().any(reaches)
    }

    /// After a step.
    pub(crate) fn clear(&mut self) {
        self.bounds.clear();
        self.groups.clear();
        self.planes.clear();
    }
}

fn turns(collider: &Collider, dt: f32) -> bool {
    collider.def.angular_velocity.length() * dt > TURNED
}
