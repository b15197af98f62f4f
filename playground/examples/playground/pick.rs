//! The mouse takes hold of a body and drags it.

use glam::{Quat, Vec3};
use wobble::{AttachmentId, BodyId, ColliderShape, DragDef, Error, Groups, Partner, World};

/// A body in the hand.
pub struct Hand {
    attachment: AttachmentId,
    pub body: BodyId,
    /// Where it was taken hold of and where the hand is, metres.
    pub from: Vec3,
    pub at: Vec3,
}

impl Hand {
    /// Takes hold of the first body along a line of sight, if it meets one.
    pub fn take(world: &mut World, eye: Vec3, along: Vec3) -> Result<Option<Hand>, Error> {
        let eye = eye + along * way_out(world, eye, along);
        let Some(hit) = world.cast_ray(eye, along, 1000.0, Groups::default())? else { return Ok(None) };
        let Partner::Body(body) = hit.what else { return Ok(None) };
        let held = world.body(body)?;
        let (low, high) = held.bounds();
        let weight = held.shape().mass() * 9.81;
        let drag = DragDef {
            point: hit.point,
            radius: 0.15 * (high - low).max_element(),
            max_force: 15.0 * weight,
            ..DragDef::default()
        };
        let attachment = world.drag(body, &drag)?;
        world.body_mut(body)?.wake();
        Ok(Some(Hand { attachment, body, from: hit.point, at: hit.point }))
    }

    /// Moves to where a line of sight meets the plane through the place taken hold of that faces the eye.
    pub fn follow(&mut self, world: &mut World, eye: Vec3, along: Vec3, forward: Vec3) -> Result<(), Error> {
        let depth = (self.from - eye).dot(forward) / along.dot(forward);
        self.at = eye + along * depth;
        world.body_mut(self.body)?.wake();
        world.move_attachment(self.attachment, self.at, Quat::IDENTITY)
    }

    pub fn let_go(self, world: &mut World) -> Result<(), Error> {
        world.detach(self.attachment)
    }
}

/// How far along a line it leaves the walls that it begins behind, which are not drawn from there.
fn way_out(world: &World, eye: Vec3, along: Vec3) -> f32 {
    let exits = world.colliders().filter_map(|(_, collider)| {
        let &ColliderShape::Plane { normal, offset } = collider.shape() else { return None };
        let (normal, off) = (collider.rotation() * normal.normalize_or_zero(), eye - collider.position());
        let (height, climb) = (normal.dot(off) - offset, normal.dot(along));
        (height < 0.0 && climb > 0.0).then_some(-height / climb + 1e-3)
    });
    exits.fold(0.0, f32::max)
}
