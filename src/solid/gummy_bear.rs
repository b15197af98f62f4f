//! The mascot: a gummy bear of height 1, made of balls and capsules that melt into each other.
//!
//! Only additions, products, quotients and square roots, so that it is the same everywhere.

use glam::{Vec3, vec3};

/// The box about it.
pub(super) const BOUNDS: (Vec3, Vec3) = (vec3(-0.36, -0.005, -0.26), vec3(0.36, 1.01, 0.38));

/// Distance from the bear, nearly, less than zero inside.
pub(super) fn distance(at: Vec3) -> f32 {
    // Left and right are alike.
    let p = vec3(at.x.abs(), at.y, at.z);
    let body = ellipsoid(p, vec3(0.0, 0.37, 0.0), vec3(0.235, 0.31, 0.19));
    let belly = ellipsoid(p, vec3(0.0, 0.33, 0.07), vec3(0.185, 0.21, 0.16));
    let head = ellipsoid(p, vec3(0.0, 0.77, 0.015), vec3(0.205, 0.175, 0.17));
    let cheek = ellipsoid(p, vec3(0.085, 0.72, 0.07), vec3(0.10, 0.085, 0.09));
    let arm = capsule(p, vec3(0.20, 0.52, 0.05), vec3(0.17, 0.46, 0.20), 0.072);
    let leg = capsule(p, vec3(0.14, 0.10, 0.0), vec3(0.185, 0.095, 0.23), 0.095);
    let trunk = melted(melted(body, belly, 0.06), melted(arm, leg, 0.03), 0.045);
    let ear = ellipsoid(p, vec3(0.155, 0.915, 0.0), vec3(0.083, 0.085, 0.055));
    let hollow = ellipsoid(p, vec3(0.158, 0.918, 0.055), vec3(0.045, 0.047, 0.03));
    let ear = carved(ear, hollow, 0.02);
    let snout = ellipsoid(p, vec3(0.0, 0.725, 0.16), vec3(0.088, 0.066, 0.075));
    let nose = ellipsoid(p, vec3(0.0, 0.757, 0.228), vec3(0.032, 0.024, 0.022));
    let eye = ellipsoid(p, vec3(0.078, 0.815, 0.152), vec3(0.027, 0.030, 0.022));
    let face = melted(melted(head, cheek, 0.05), ear, 0.025);
    let face = melted(melted(face, snout, 0.03), eye.min(nose), 0.008);
    let navel = ellipsoid(p, vec3(0.0, 0.33, 0.235), vec3(0.022, 0.022, 0.02));
    let paw = ellipsoid(p, vec3(0.187, 0.10, 0.325), vec3(0.04, 0.045, 0.015));
    carved(melted(trunk, face, 0.06), navel.min(paw), 0.012)
}

/// Nearly the distance from an ellipsoid: right at its surface, and of the right sign.
fn ellipsoid(p: Vec3, centre: Vec3, radii: Vec3) -> f32 {
    let q = (p - centre) / radii;
    let slope = (q / radii).length();
    if slope > 0.0 { q.length() * (q.length() - 1.0) / slope } else { -radii.min_element() }
}

fn capsule(p: Vec3, from: Vec3, to: Vec3, radius: f32) -> f32 {
    let along = ((p - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
    p.distance(from + (to - from) * along) - radius
}

/// Both, with a fillet where they meet.
fn melted(a: f32, b: f32, fillet: f32) -> f32 {
    let overlap = (fillet - (a - b).abs()).max(0.0) / fillet;
    a.min(b) - overlap * overlap * fillet * 0.25
}

/// The first without the second, with a fillet along the rim.
fn carved(from: f32, what: f32, fillet: f32) -> f32 {
    -melted(-from, what, fillet)
}
