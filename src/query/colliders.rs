//! Queries against colliders.

use glam::{Mat3A, Quat, Vec3, Vec3A};

use super::{Hit, gjk};
use crate::collide::bounds::Bounds;
use crate::collide::collider::{Collider, ColliderShape};
use crate::collide::events::Partner;
use crate::collide::surface::Groups;
use crate::world::World;

fn name(world: &World, index: u32) -> Partner {
    Partner::Collider(world.collider_id(index, world.colliders.slots.list()[index as usize].generation))
}

/// `direction` is of length 1.
pub(super) fn cast_ray(
    world: &World,
    origin: Vec3,
    direction: Vec3,
    most: f32,
    groups: Groups,
) -> Option<Hit> {
    let (o, d) = (Vec3A::from(origin), Vec3A::from(direction));
    let mut best = None;
    world.colliders.cast((o, d), most, groups, |i, collider, most| {
        let (t, normal) = cast_one(collider, o, d, most)?;
        let sooner = best.is_none_or(|(found, at, _)| (t, i) < (found, at));
        sooner.then(|| {
            best = Some((t, i, normal));
            t
        })
    });
    best.map(|(distance, i, normal)| Hit {
        what: name(world, i),
        point: origin + direction * distance,
        normal: normal.into(),
        distance,
        particle: None,
        cluster: None,
    })
}

fn cast_one(collider: &Collider, origin: Vec3A, direction: Vec3A, most: f32) -> Option<(f32, Vec3A)> {
    let (pose, shape) = (&collider.to, &collider.def.shape);
    let (o, d) = (pose.enter(origin), pose.turn.transpose() * direction);
    // A ray that begins on the surface goes in at once or leaves, whichever side rounding has put it on.
    let rounding = pose.rounding(origin, o);
    let within = shape.near(o, rounding).filter(|_| shape.is_solid());
    let (t, normal) = match within {
        Some(near) if near.distance < -rounding || near.normal.dot(d) < 0.0 => (0.0, near.normal),
        _ => shape.cast(o, d, most, rounding)?,
    };
    Some((t, pose.turn * normal))
}

pub(super) fn closest_point(world: &World, point: Vec3, most: f32, groups: Groups) -> Option<Hit> {
    let mut best: Option<(u32, Hit)> = None;
    world.colliders.nearest(point.into(), most, groups, |i, collider, most| {
        let near = collider.def.shape.near(collider.to.enter(point.into()), most)?;
        let nearer = best.as_ref().is_none_or(|(at, hit)| (near.distance, i) < (hit.distance, *at));
        nearer.then(|| {
            let (on, normal) =
                (collider.to.leave(near.point).into(), (collider.to.turn * near.normal).into());
            let (what, distance) = (name(world, i), near.distance);
            best = Some((i, Hit { what, point: on, normal, distance, particle: None, cluster: None }));
            near.distance
        })
    });
    best.map(|(_, hit)| hit)
}

pub(super) fn overlap_sphere(world: &World, centre: Vec3, radius: f32, groups: Groups) -> Vec<Partner> {
    let mut found = Vec::new();
    let bounds = Bounds::about(centre.into(), Vec3A::splat(radius));
    world.colliders.search(&bounds, groups, |i, collider| {
        if collider.def.shape.near(collider.to.enter(centre.into()), radius).is_some() {
            found.push(name(world, i));
        }
    });
    found
}

pub(super) fn overlap_box(
    world: &World,
    centre: Vec3,
    half: Vec3,
    rotation: Quat,
    groups: Groups,
) -> Vec<Partner> {
    let mut found = Vec::new();
    let turn = Mat3A::from_quat(rotation);
    let reach = turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
    world.colliders.search(&Bounds::about(centre.into(), reach), groups, |i, collider| {
        let pose = &collider.to;
        let inner = gjk::Cuboid {
            centre: pose.enter(centre.into()),
            turn: pose.turn.transpose() * turn,
            half: half.into(),
        };
        if box_meets(&collider.def.shape, &inner) {
            found.push(name(world, i));
        }
    });
    found
}

/// Whether a box in the frame of a shape meets it.
fn box_meets(shape: &ColliderShape, cuboid: &gjk::Cuboid) -> bool {
    // What meets no triangle is inside a solid as a whole or not at all.
    let held = |p: Vec3A| shape.near(p, 0.0).is_some_and(|near| near.distance <= 0.0);
    let inside = || held(cuboid.centre) || cuboid.corners().into_iter().any(held);
    let around = |y: f32, r: f32, d: Vec3A| {
        let flat = d.with_y(0.0);
        flat * (r / flat.length().max(f32::MIN_POSITIVE)) + Vec3A::Y * y.copysign(d.y)
    };
    match shape {
        ColliderShape::Plane { normal, offset } => {
            let normal = Vec3A::from(*normal);
            normal.dot(cuboid.support(-normal)) <= *offset
        }
        ColliderShape::Sphere { radius } => {
            let at = cuboid.turn.transpose() * -cuboid.centre;
            (at - at.clamp(-cuboid.half, cuboid.half)).length() <= *radius
        }
        ColliderShape::Box { half_extents } => {
            let half = Vec3A::from(*half_extents);
            gjk::meet(cuboid, |d| half * Vec3A::ONE.copysign(d))
        }
        ColliderShape::Capsule { half_height, radius } => {
            gjk::meet(cuboid, |d| Vec3A::Y * half_height.copysign(d.y) + d.normalize_or_zero() * *radius)
        }
        ColliderShape::Cylinder { half_height, radius } => {
            gjk::meet(cuboid, |d| around(*half_height, *radius, d))
        }
        ColliderShape::Hull(mesh) | ColliderShape::Mesh(mesh) => {
            mesh.any(&cuboid.bounds(), |corners| gjk::meet_points(cuboid, &corners)) || inside()
        }
        ColliderShape::HeightField(mesh) => {
            // Below each triangle a column is solid.
            let floor = mesh.floor();
            let above = Bounds { high: cuboid.bounds().high.with_y(f32::INFINITY), ..cuboid.bounds() };
            mesh.any(&above, |[a, b, c]| {
                gjk::meet_points(cuboid, &[a, b, c, a.with_y(floor), b.with_y(floor), c.with_y(floor)])
            })
        }
    }
}
