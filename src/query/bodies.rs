//! Queries against bodies, at their surfaces as deformed as they are.
//!
//! Bodies whose boxes are missed are not looked at. Of equals the first in [`World::bodies`] is taken.

use glam::{Mat3A, Quat, Vec3, Vec3A};

use super::outline::Surface;
use super::{Hit, gjk};
use crate::body::Body;
use crate::collide::bounds::Bounds;
use crate::collide::events::Partner;
use crate::collide::surface::Groups;
use crate::select::Space;
use crate::world::{BodyId, World};

/// Those that are there, meet `groups` and are at a distance.
fn by_distance(
    world: &World,
    groups: Groups,
    distance: impl Fn(&Bounds) -> Option<f32>,
) -> Vec<(f32, BodyId, &Body)> {
    let mut found: Vec<(f32, BodyId, &Body)> = present(world, groups)
        .filter_map(|(id, body)| Some((distance(&body.surface_bounds())?, id, body)))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    found
}

fn present(world: &World, groups: Groups) -> impl Iterator<Item = (BodyId, &Body)> {
    let wanted = move |body: &Body| body.is_enabled() && body.groups().meet(&groups);
    world.bodies().filter(move |(_, body)| wanted(body))
}

/// A hit as hosts get it.
fn named(id: BodyId, body: &Body, point: Vec3, normal: Vec3A, distance: f32) -> Hit {
    let particle = body.nearest_particle(point, Space::World).ok().flatten();
    let cluster = particle.and_then(|i| body.shape().holder(body.shape().place()[i as usize] as usize));
    Hit { what: Partner::Body(id), point, normal: normal.into(), distance, particle, cluster }
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
    let mut best: Option<(f32, Vec3A, BodyId, &Body)> = None;
    for (enters, id, body) in by_distance(world, groups, |bounds| bounds.enter(o, d.recip(), most)) {
        let limit = best.map_or(most, |(t, ..)| t);
        if enters > limit {
            break;
        }
        let met = body.with_surface(|surface| cast_one(surface, o, d, limit));
        if let Some((t, normal)) = met.filter(|(t, _)| best.is_none() || *t < limit) {
            best = Some((t, normal, id, body));
        }
    }
    best.map(|(t, normal, id, body)| named(id, body, origin + direction * t, normal, t))
}

fn cast_one(surface: &Surface, origin: Vec3A, direction: Vec3A, most: f32) -> Option<(f32, Vec3A)> {
    if surface.holds(origin) {
        return Some((0.0, nearest(surface, origin, f32::INFINITY)?.normal));
    }
    let (t, triangle) = surface.tree.cast(origin, direction, most)?;
    let normal = surface.normal(triangle);
    Some((t, normal * -1f32.copysign(normal.dot(direction))))
}

/// A point of the surface.
struct Near {
    point: Vec3A,
    normal: Vec3A,
    /// Below 0 if seen from inside.
    distance: f32,
}

/// The point of a surface nearest to `at`, unless it is further than `most` and outside.
fn nearest(surface: &Surface, at: Vec3A, most: f32) -> Option<Near> {
    let inside = surface.holds(at);
    let reach = if inside { f32::INFINITY } else { most.max(0.0) };
    // A hair more: the search wants less than it is given.
    let limit = reach * reach * (1.0 + f32::EPSILON) + f32::MIN_POSITIVE;
    let found = surface.tree.nearest_within(at, limit);
    let corners = surface.corners(found.triangle);
    let point = corners[0] * found.shares[0] + corners[1] * found.shares[1] + corners[2] * found.shares[2];
    let away = if inside { point - at } else { at - point };
    let distance = if inside { -away.length() } else { away.length() };
    // Where the point is on the surface but for rounding, its direction says nothing.
    let size = (surface.bounds.high - surface.bounds.low).max_element();
    let told = away.length() > 1e-5 * size;
    let normal = if told { away.normalize() } else { surface.normal(found.triangle) };
    let found = found.distance_squared < limit && distance <= most;
    found.then_some(Near { point, normal, distance })
}

pub(super) fn closest_point(world: &World, point: Vec3, most: f32, groups: Groups) -> Option<Hit> {
    let at = Vec3A::from(point);
    let mut best: Option<(Near, BodyId, &Body)> = None;
    let away = |bounds: &Bounds| Some(bounds.distance_squared(at).sqrt()).filter(|d| *d <= most);
    for (away, id, body) in by_distance(world, groups, away) {
        let limit = best.as_ref().map_or(most, |(near, ..)| near.distance);
        if away > limit.max(0.0) {
            break;
        }
        let near = body.with_surface(|surface| nearest(surface, at, limit));
        if let Some(near) = near.filter(|near| best.is_none() || near.distance < limit) {
            best = Some((near, id, body));
        }
    }
    best.map(|(near, id, body)| named(id, body, near.point.into(), near.normal, near.distance))
}

pub(super) fn overlap_sphere(world: &World, centre: Vec3, radius: f32, groups: Groups) -> Vec<Partner> {
    let at = Vec3A::from(centre);
    overlap(world, groups, |body| {
        body.surface_bounds().distance_squared(at).sqrt() <= radius
            && body.with_surface(|surface| nearest(surface, at, radius).is_some())
    })
}

pub(super) fn overlap_box(
    world: &World,
    centre: Vec3,
    half: Vec3,
    rotation: Quat,
    groups: Groups,
) -> Vec<Partner> {
    let cuboid = gjk::Cuboid { centre: centre.into(), turn: Mat3A::from_quat(rotation), half: half.into() };
    let bounds = cuboid.bounds();
    overlap(world, groups, |body| {
        body.surface_bounds().meets(&bounds)
            && body.with_surface(|surface| {
                let meets = |corners: [Vec3A; 3]| gjk::meet_points(&cuboid, &corners);
                // What meets no triangle is inside as a whole or not at all.
                surface.tree.any(&bounds, meets) || surface.holds(cuboid.centre)
            })
    })
}

fn overlap(world: &World, groups: Groups, wanted: impl Fn(&Body) -> bool) -> Vec<Partner> {
    present(world, groups).filter(|(_, body)| wanted(body)).map(|(id, _)| Partner::Body(id)).collect()
}
