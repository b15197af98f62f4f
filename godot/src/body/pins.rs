//! Particles held to the world by a box, or to nodes by their paths or their group.

use glam::Vec3;
use godot::classes::{Node, Node3D};
use godot::obj::{InstanceId, WithBaseField};
use godot::prelude::*;
use wobble::{AttachmentDef, AttachmentId, BodyId, Space, World};

use super::WobbleBody3D;
use crate::convert::{Placement, vec3};

/// A node that holds particles.
pub struct NodeHold {
    node: InstanceId,
    /// With where the node was last; `None` until it has taken hold, which it does in the first tick.
    attachment: Option<(AttachmentId, Placement)>,
}

impl WobbleBody3D {
    /// Pins the particles that lie in the box at rest.
    pub(super) fn pin_by_box(&mut self) {
        let Some(home) = &self.home else { return };
        let Aabb { position, size } = self.pin_box.abs();
        if size == Vector3::ZERO {
            return;
        }
        let (scale, centre) = (self.placed.map_or(Vec3::ONE, |p| p.scale), home.shape.centre());
        let (low, high) = (vec3(position) * scale - centre, vec3(position + size) * scale - centre);
        let mut found = 0;
        self.act(|body| {
            let inside = body.particles_in_box(low, high, Space::Rest)?;
            found = inside.len();
            inside.into_iter().try_for_each(|particle| body.pin(particle as usize))
        });
        if found == 0 {
            self.complain("no particle lies in pin_box at rest; it is in the space of the mesh");
        }
    }

    /// Nodes that are to hold particles: those of the paths, then those of the group.
    fn holders(&self) -> Vec<Gd<Node3D>> {
        let by_path =
            self.pin_paths.iter_shared().filter_map(|path| self.base().try_get_node_as::<Node3D>(&path));
        let mut all: Vec<Gd<Node3D>> = by_path.collect();
        if !self.pin_group.is_empty()
            && let Some(tree) = self.base().get_tree_or_null()
        {
            let group = tree.get_nodes_in_group(&self.pin_group);
            all.extend(group.iter_shared().filter_map(|node: Gd<Node>| node.try_cast::<Node3D>().ok()));
        }
        all
    }

    /// Lets nodes take hold in the first tick, and takes particles along with them in all others.
    pub(super) fn follow_holders(&mut self) {
        if self.holds.is_empty() && !self.pin_paths.is_empty() | !self.pin_group.is_empty() {
            let holders = self.holders();
            self.holds =
                holders.iter().map(|node| NodeHold { node: node.instance_id(), attachment: None }).collect();
        }
        let mut holds = std::mem::take(&mut self.holds);
        holds.retain_mut(|hold| self.follow_holder(hold));
        self.holds = holds;
    }

    /// Whether the node still holds.
    fn follow_holder(&mut self, hold: &mut NodeHold) -> bool {
        let Some((core, body)) = self.place_in_world() else { return false };
        let node = Gd::<Node3D>::try_from_instance_id(hold.node).ok().filter(|node| node.is_inside_tree());
        let placement = node.and_then(|node| Placement::of(node.get_global_transform()));
        match (hold.attachment, placement) {
            (Some((id, _)), None) => {
                let _ = core.lock().world.detach(id);
                false
            }
            (None, None) => false,
            (Some((id, from)), Some(to)) => {
                hold.attachment = Some((id, to));
                let jumps = core.lock().is_jump(from.position, to.position);
                if jumps {
                    self.go_along(from, to);
                }
                core.lock().lead(id, to, jumps).is_ok()
            }
            (None, Some(at)) => {
                let taken = take_hold(&mut core.lock().world, body, at, self.pin_radius.max(0.0));
                hold.attachment = taken.map(|id| (id, at));
                taken.is_some()
            }
        }
    }

    pub(super) fn let_go_of_nodes(&mut self) {
        let Some(home) = &self.home else { return };
        for hold in self.holds.drain(..) {
            if let Some((id, _)) = hold.attachment {
                let _ = home.core.lock().world.detach(id);
            }
        }
    }
}

/// Holds the particles around a place, or the nearest.
fn take_hold(world: &mut World, id: BodyId, at: Placement, radius: f32) -> Option<AttachmentId> {
    let body = world.body(id).ok()?;
    let mut held = body.particles_in_sphere(at.position, radius, Space::World).unwrap_or_default();
    if held.is_empty() {
        held.extend(body.nearest_particle(at.position, Space::World).ok().flatten());
    }
    let def = AttachmentDef { position: at.position, rotation: at.rotation, ..AttachmentDef::default() };
    world.attach(id, &held, &def).ok()
}
