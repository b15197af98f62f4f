//! Spheres, boxes, capsules and cylinders: how far a point is from them, where a ray meets them.
//!
//! All are about the origin of their own frame, capsules and cylinders along y. Plain functions of
//! a few lines, exact but for rounding; rays are followed in f64, because squares of large
//! coordinates leave nothing of the difference in f32.

use glam::{DVec3, Vec3A};

/// The nearest point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    pub(crate) point: Vec3A,
    /// Direction out of the solid there, of length 1.
    pub(crate) normal: Vec3A,
    /// Below 0 inside.
    pub(crate) distance: f32,
}

/// Where a ray meets a surface: a multiple of its direction, and the direction out of the solid.
pub(crate) type Entry = (f32, Vec3A);

pub(crate) fn near_sphere(radius: f32, p: Vec3A) -> Near {
    let length = p.length();
    let normal = if length > 0.0 { p / length } else { Vec3A::Y };
    Near { point: normal * radius, normal, distance: length - radius }
}

pub(crate) fn near_box(half: Vec3A, p: Vec3A) -> Near {
    let beyond = p.abs() - half;
    let sign = Vec3A::ONE.copysign(p);
    if beyond.max_element() > 0.0 {
        let point = p.clamp(-half, half);
        let distance = beyond.max(Vec3A::ZERO).length();
        return Near { point, normal: ((p - point) / distance).normalize_or(Vec3A::Y), distance };
    }
    let axis = (0..3).fold(0, |best, k| if beyond[k] > beyond[best] { k } else { best });
    let normal = Vec3A::AXES[axis] * sign[axis];
    let mut point = p;
    point[axis] = half[axis] * sign[axis];
    Near { point, normal, distance: beyond[axis] }
}

pub(crate) fn near_capsule(half_height: f32, radius: f32, p: Vec3A) -> Near {
    let centre = Vec3A::Y * p.y.clamp(-half_height, half_height);
    let away = p - centre;
    let length = away.length();
    let normal = if length > 0.0 { away / length } else { Vec3A::X };
    Near { point: centre + normal * radius, normal, distance: length - radius }
}

pub(crate) fn near_cylinder(half_height: f32, radius: f32, p: Vec3A) -> Near {
    let flat = p.with_y(0.0);
    let across = flat.length();
    let out = if across > 0.0 { flat / across } else { Vec3A::X };
    let up = Vec3A::Y * 1f32.copysign(p.y);
    let (side, cap) = (across - radius, p.y.abs() - half_height);
    if side <= 0.0 && cap <= 0.0 {
        return if side > cap {
            Near { point: out * radius + Vec3A::Y * p.y, normal: out, distance: side }
        } else {
            Near { point: flat + up * half_height, normal: up, distance: cap }
        };
    }
    let point = out * across.min(radius) + Vec3A::Y * p.y.clamp(-half_height, half_height);
    let away = out * side.max(0.0) + up * cap.max(0.0);
    let distance = away.length();
    Near { point, normal: (away / distance).normalize_or(up), distance }
}

/// The lesser root t ≥ 0 of a t² + 2 b t + c = 0.
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    let under = b * b - a * c;
    if a <= 0.0 || under < 0.0 {
        return None;
    }
    let t = (-b - under.sqrt()) / a;
    (t >= 0.0).then_some(t)
}

fn sphere_root(centre: DVec3, radius: f64, o: DVec3, d: DVec3) -> Option<f64> {
    let o = o - centre;
    first_root(d.length_squared(), o.dot(d), o.length_squared() - radius * radius)
}

pub(crate) fn cast_sphere(radius: f32, origin: Vec3A, direction: Vec3A) -> Option<Entry> {
    let (o, d) = (origin.as_dvec3(), direction.as_dvec3());
    let t = sphere_root(DVec3::ZERO, radius.into(), o, d)?;
    Some((t as f32, (o + d * t).as_vec3a().normalize_or(Vec3A::Y)))
}

pub(crate) fn cast_box(half: Vec3A, origin: Vec3A, direction: Vec3A) -> Option<Entry> {
    let (o, d, h) = (origin.as_dvec3(), direction.as_dvec3(), half.as_dvec3());
    let (mut first, mut last, mut axis) = (0.0, f64::INFINITY, 3);
    for k in 0..3 {
        if d[k] == 0.0 {
            if o[k].abs() > h[k] {
                return None;
            }
            continue;
        }
        let sign = d[k].signum();
        let (near, far) = ((-h[k] * sign - o[k]) / d[k], (h[k] * sign - o[k]) / d[k]);
        if near > first {
            (first, axis) = (near, k);
        }
        last = far.min(last);
    }
    if axis == 3 || first > last {
        return None;
    }
    Some((first as f32, Vec3A::AXES[axis] * -1f32.copysign(direction[axis])))
}

/// Where a ray meets the side of an endless cylinder along y.
fn side_root(radius: f64, o: DVec3, d: DVec3) -> Option<f64> {
    let (o, d) = (o.with_y(0.0), d.with_y(0.0));
    first_root(d.length_squared(), o.dot(d), o.length_squared() - radius * radius)
}

fn earliest(found: impl IntoIterator<Item = Option<(f64, DVec3)>>) -> Option<Entry> {
    let earlier = |a: (f64, DVec3), b: (f64, DVec3)| if b.0 < a.0 { b } else { a };
    let (t, normal) = found.into_iter().flatten().reduce(earlier)?;
    Some((t as f32, normal.as_vec3a().normalize_or(Vec3A::Y)))
}

pub(crate) fn cast_capsule(half_height: f32, radius: f32, origin: Vec3A, direction: Vec3A) -> Option<Entry> {
    let (o, d) = (origin.as_dvec3(), direction.as_dvec3());
    let (half, r) = (f64::from(half_height), f64::from(radius));
    let side = side_root(r, o, d).map(|t| (t, o + d * t)).filter(|(_, p)| p.y.abs() <= half);
    let end = |y: f64| {
        let centre = DVec3::Y * y;
        sphere_root(centre, r, o, d).map(|t| (t, o + d * t - centre)).filter(|(_, n)| n.y * y >= 0.0)
    };
    earliest([side.map(|(t, p)| (t, p.with_y(0.0))), end(half), end(-half)])
}

pub(crate) fn cast_cylinder(half_height: f32, radius: f32, origin: Vec3A, direction: Vec3A) -> Option<Entry> {
    let (o, d) = (origin.as_dvec3(), direction.as_dvec3());
    let (half, r) = (f64::from(half_height), f64::from(radius));
    let side = side_root(r, o, d).map(|t| (t, o + d * t)).filter(|(_, p)| p.y.abs() <= half);
    let cap = |y: f64| {
        let t = (y - o.y) / d.y;
        let across = (o + d * t).with_y(0.0).length_squared();
        (t >= 0.0 && d.y * y < 0.0 && across <= r * r).then_some((t, DVec3::Y * y))
    };
    // A disc without height has two caps at one place; the side that the ray comes from counts.
    let caps =
        if half > 0.0 { [cap(half), cap(-half)] } else { [cap(f64::MIN_POSITIVE), cap(-f64::MIN_POSITIVE)] };
    let [upper, lower] = caps.map(|c| c.map(|(t, n)| (t, DVec3::Y * n.y.signum())));
    earliest([side.map(|(t, p)| (t, p.with_y(0.0))), upper, lower])
}
