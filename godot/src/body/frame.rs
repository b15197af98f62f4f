//! The node's transform and the body's motion: each follows the other.

use glam::{Affine3A, Mat3, Quat, Vec3};
use godot::classes::MeshInstance3D;
use godot::obj::WithBaseField;
use godot::prelude::*;
use wobble::Body;

use super::WobbleBody3D;
use crate::convert::{Placement, vec3};

impl WobbleBody3D {
    /// Sets the node's transform.
    pub(super) fn place(&mut self, placement: Placement) {
        self.placed = Some(placement);
        if self.base().is_inside_tree() {
            self.base_mut().set_global_transform(placement.transform());
        }
    }

    /// Where the host moved the node, the body goes along as it is; or is made anew if it was scaled.
    pub(super) fn follow_node(&mut self) {
        if !self.base().is_inside_tree() {
            return;
        }
        let (Some(before), Some(home)) = (self.placed, &self.home) else { return };
        let Some(now) = Placement::of(self.base().get_global_transform()).filter(|now| now.scale.x > 0.0)
        else {
            self.complain(
                "a transform that is flat, mirrored or not finite was set; the body stays where it was",
            );
            self.place(before);
            return;
        };
        if now.is_near(&before) {
            return;
        }
        if !now.is_as_large_as(&before) && self.is_piece() {
            self.complain("a piece cannot be scaled; it stays as it was");
            self.place(before);
            return;
        }
        if !now.is_as_large_as(&before) {
            let (core, velocity) = (home.core.clone(), self.velocity());
            self.leave();
            self.build(core);
            self.act(|body| body.set_velocity(velocity));
            return;
        }
        self.carry(before, now);
    }

    /// Moves the body as it is.
    fn carry(&mut self, from: Placement, to: Placement) {
        let turn = to.rotation * from.rotation.inverse();
        (self.placed, self.is_carried) = (Some(to), true);
        self.act(|body| body.deform(|p| turn * (p - from.position) + to.position));
    }

    /// Where a node that holds the body jumped, the body goes along: once in a tick, and not if the host moved it itself.
    pub fn go_along(&mut self, from: Placement, to: Placement) {
        self.follow_node();
        let Some(before) = self.placed.filter(|_| !self.is_carried) else { return };
        let turn = to.rotation * from.rotation.inverse();
        let position = to.position + turn * (before.position - from.position);
        let there = Placement { position, rotation: turn * before.rotation, ..before };
        self.carry(before, there);
        self.jump_to(there);
    }

    /// Sets the node's transform; the engine does not show it on its way there.
    pub(super) fn jump_to(&mut self, placement: Placement) {
        self.place(placement);
        self.base_mut().reset_physics_interpolation();
    }

    /// From the world to the space of the node that shows the body, where the engine shows it: it interpolates between
    /// ticks, too.
    pub(super) fn to_local(&self, target: Option<Gd<MeshInstance3D>>) -> Option<Affine3A> {
        let mut node = target.unwrap_or_else(|| self.to_gd().upcast());
        let transform = node.get_global_transform_interpolated();
        let [x, y, z] = [transform.basis.col_a(), transform.basis.col_b(), transform.basis.col_c()].map(vec3);
        let inverse =
            Affine3A::from_mat3_translation(Mat3::from_cols(x, y, z), vec3(transform.origin)).inverse();
        inverse.is_finite().then_some(inverse)
    }
}

impl Placement {
    /// Where a body went that was here: its origin is that of the mesh, whose centre of mass is at `centre`, its turn
    /// that of the whole.
    pub fn moved_with(&self, body: &Body, centre: Vec3) -> Placement {
        let (position, rotation) = motion(body, self.rotation);
        Placement { position: position - rotation * centre, rotation, ..*self }
    }

    /// From the world to here.
    pub fn to_local(self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.position).inverse()
    }
}

/// Where the centre of mass is, and how the body as a whole is turned: from its clusters, which drawing has matched
/// already. `before` is the turn where the body has none, as when it is squashed flat.
fn motion(body: &Body, before: Quat) -> (Vec3, Quat) {
    let clusters = body.shape().clusters(0);
    let mut bones = vec![[0.0; 12]; clusters.len()];
    if body.read_bones(1.0, &mut bones).is_err() {
        return (body.centre_of_mass(), before);
    }
    let (mut place, mut rows, mut mass) = (Vec3::ZERO, [Vec3::ZERO; 3], 0.0);
    for (bone, cluster) in bones.iter().zip(clusters) {
        let row = |k: usize| Vec3::from_slice(&bone[4 * k..]);
        let rest = cluster.centre.truncate();
        let shift = Vec3::new(bone[3], bone[7], bone[11]);
        place += cluster.mass * (Vec3::new(row(0).dot(rest), row(1).dot(rest), row(2).dot(rest)) + shift);
        (0..3).for_each(|k| rows[k] += cluster.mass * row(k));
        mass += cluster.mass;
    }
    let map = Mat3::from_cols(rows[0], rows[1], rows[2]).transpose() * (1.0 / mass);
    (place / mass, rotation(map).unwrap_or(before))
}

/// The rotation nearest to a map, by Newton's method; none if the map is flat or mirrors.
fn rotation(map: Mat3) -> Option<Quat> {
    let mut turn = map;
    for _ in 0..12 {
        if turn.determinant().is_nan() || turn.determinant() <= 1e-6 {
            return None;
        }
        let next = (turn + turn.inverse().transpose()) * 0.5;
        let change = (next - turn).to_cols_array().iter().fold(0.0f32, |most, c| most.max(c.abs()));
        turn = next;
        if change < 1e-6 {
            break;
        }
    }
    let found = Quat::from_mat3(&turn).normalize();
    found.is_finite().then_some(found)
}
