//! A body's surface as the proxies of its finest clusters make it (CC 3.4): spheres cut by planes.
//!
//! Reads a shape; a plain function of a point of rest space. Only clusters around the nearest surface
//! particle are asked, so the cost does not grow with the body.

use glam::{Vec3A, Vec4};

use super::field::Field;
use crate::shape::Shape;

/// The way out at a point, of length 1, and in w the distance from the union of the proxies, metres, negative
/// inside; `near` is the surface particle next to it.
pub(crate) fn at(shape: &Shape, field: &Field, near: usize, rest: Vec3A) -> Vec4 {
    let level = &shape.levels()[0];
    let around = field.surface[near].ring.places.into_iter().chain([near as u32]);
    let holders =
        around.flat_map(|place| level.held_by().row(field.surface[place as usize].particle as usize));
    holders.fold(Vec4::new(0.0, 0.0, 0.0, f32::INFINITY), |nearest, holder| {
        let proxy = of_cluster(shape, holder.index as usize, rest);
        if proxy.w < nearest.w { proxy } else { nearest }
    })
}

/// How far proxies may reach out of the surface, metres.
pub(crate) fn reach(shape: &Shape) -> f32 {
    shape.finest_report().map_or(0.0, |report| report.radius)
}

/// The distance from the proxy of one cluster, and the way out.
fn of_cluster(shape: &Shape, cluster: usize, rest: Vec3A) -> Vec4 {
    let from = rest - Vec3A::from_vec4(shape.clusters(0)[cluster].centre);
    let sphere = from.normalize_or(Vec3A::Y).extend(from.length() - reach(shape));
    shape.planes(cluster).iter().fold(sphere, |outermost, plane| {
        let normal = Vec3A::from_vec4(*plane);
        let distance = normal.dot(rest) + plane.w;
        if distance > outermost.w { normal.extend(distance) } else { outermost }
    })
}
