//! Animals that stand in for the papers' models where these are not at hand: solids by distance, filled
//! with exactly as many particles.
//!
//! Only additions, products, quotients and square roots, so that they are the same everywhere.

use glam::{Vec3, vec3};

/// A sitting bunny with upright ears that looks along x, 1.85 m high.
pub fn bunny(count: usize) -> Vec<Vec3> {
    filled(count, vec3(-0.95, 0.0, -0.75), vec3(0.95, 1.86, 0.75), |at| {
        let p = vec3(at.x, at.y, at.z.abs());
        let body = ellipsoid(p, vec3(-0.15, 0.55, 0.0), vec3(0.66, 0.55, 0.52));
        let haunch = ellipsoid(p, vec3(-0.30, 0.38, 0.40), vec3(0.40, 0.38, 0.26));
        let chest = ellipsoid(p, vec3(0.32, 0.58, 0.0), vec3(0.34, 0.46, 0.36));
        let head = ellipsoid(p, vec3(0.46, 1.08, 0.0), vec3(0.36, 0.28, 0.27));
        let nose = ellipsoid(p, vec3(0.74, 1.02, 0.0), vec3(0.17, 0.14, 0.15));
        let ear = capsule(p, vec3(0.34, 1.24, 0.12), vec3(0.10, 1.74, 0.24), 0.10);
        let paw = capsule(p, vec3(0.36, 0.10, 0.20), vec3(0.62, 0.10, 0.22), 0.10);
        let foot = capsule(p, vec3(-0.20, 0.10, 0.46), vec3(0.22, 0.10, 0.48), 0.10);
        let tail = (p - vec3(-0.80, 0.34, 0.0)).length() - 0.15;
        let trunk = melted(melted(body, haunch, 0.12), melted(chest, paw, 0.10), 0.20);
        let face = melted(melted(head, nose, 0.12), ear, 0.06);
        melted(melted(trunk, face, 0.15), foot.min(tail), 0.06)
    })
}

/// A toy duck that looks along x, about 1 m long.
pub fn duck(count: usize) -> Vec<Vec3> {
    filled(count, vec3(-0.62, 0.0, -0.36), vec3(0.62, 0.98, 0.36), |p| {
        let body = ellipsoid(p, vec3(-0.06, 0.27, 0.0), vec3(0.44, 0.27, 0.31));
        let tail = ellipsoid(p, vec3(-0.46, 0.42, 0.0), vec3(0.15, 0.12, 0.13));
        let head = (p - vec3(0.22, 0.70, 0.0)).length() - 0.22;
        let neck = capsule(p, vec3(0.16, 0.42, 0.0), vec3(0.22, 0.62, 0.0), 0.14);
        let beak = ellipsoid(p, vec3(0.46, 0.66, 0.0), vec3(0.14, 0.055, 0.12));
        let wing = ellipsoid(vec3(p.x, p.y, p.z.abs()), vec3(-0.10, 0.34, 0.28), vec3(0.25, 0.13, 0.07));
        let trunk = melted(melted(body, tail, 0.12), wing, 0.04);
        melted(melted(trunk, melted(neck, head, 0.06), 0.08), beak, 0.04)
    })
}

/// A standing beast with arms held out, ears, a snout, a shell and a tail, that looks along z, about 2 m high.
pub fn armadillo(count: usize) -> Vec<Vec3> {
    filled(count, vec3(-0.90, 0.0, -0.85), vec3(0.90, 2.0, 0.75), |at| {
        let p = vec3(at.x.abs(), at.y, at.z);
        let belly = ellipsoid(p, vec3(0.0, 0.88, 0.02), vec3(0.36, 0.46, 0.30));
        let shell = ellipsoid(p, vec3(0.0, 0.98, -0.16), vec3(0.42, 0.52, 0.30));
        let head = ellipsoid(p, vec3(0.0, 1.58, 0.10), vec3(0.22, 0.20, 0.24));
        let snout = capsule(p, vec3(0.0, 1.54, 0.26), vec3(0.0, 1.48, 0.52), 0.09);
        let ear = capsule(p, vec3(0.15, 1.70, 0.02), vec3(0.27, 1.92, -0.04), 0.065);
        let upper = capsule(p, vec3(0.32, 1.26, 0.0), vec3(0.62, 1.30, 0.14), 0.125);
        let lower = capsule(p, vec3(0.62, 1.30, 0.14), vec3(0.76, 1.50, 0.34), 0.095);
        let thigh = capsule(p, vec3(0.20, 0.62, 0.02), vec3(0.36, 0.34, 0.14), 0.175);
        let shin = capsule(p, vec3(0.36, 0.34, 0.14), vec3(0.38, 0.12, 0.02), 0.115);
        let foot = capsule(p, vec3(0.38, 0.085, 0.0), vec3(0.42, 0.085, 0.28), 0.085);
        let root = capsule(p, vec3(0.0, 0.55, -0.30), vec3(0.0, 0.24, -0.56), 0.13);
        let tip = capsule(p, vec3(0.0, 0.24, -0.56), vec3(0.0, 0.10, -0.76), 0.07);
        let trunk = melted(melted(belly, shell, 0.10), melted(root, tip, 0.10), 0.10);
        let limbs = melted(melted(upper, lower, 0.06), melted(melted(thigh, shin, 0.08), foot, 0.05), 0.05);
        let face = melted(melted(head, snout, 0.10), ear, 0.04);
        melted(melted(trunk, limbs, 0.12), face, 0.16)
    })
}

/// The `count` deepest points of a body-centred lattice about a solid: as evenly spaced as they can be, and the
/// outermost lie on one surface of equal distance.
fn filled(count: usize, low: Vec3, high: Vec3, distance: impl Fn(Vec3) -> f32) -> Vec<Vec3> {
    let size = high - low;
    let within = |spacing: f32| {
        let steps = (size / spacing).ceil();
        let mut found = Vec::new();
        for i in 0..=steps.x as usize {
            for j in 0..=steps.y as usize {
                for k in 0..=steps.z as usize {
                    for half in [0.0, 0.5] {
                        let at = low + (vec3(i as f32, j as f32, k as f32) + half) * spacing;
                        found.push((distance(at), at));
                    }
                }
            }
        }
        found
    };
    // The volume by a coarse count tells the spacing: two points a cell.
    let coarse = size.max_element() / 60.0;
    let inside = within(coarse).iter().filter(|(d, _)| *d <= 0.0).count();
    let spacing = coarse * libm::cbrtf(inside as f32 / count as f32);
    let mut found = within(spacing);
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.truncate(count);
    assert_eq!(found.len(), count, "the box has room for more points than the solid");
    found.into_iter().map(|(_, at)| at).collect()
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
