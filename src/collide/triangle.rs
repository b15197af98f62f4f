//! One triangle: its nearest point, where a ray meets it, which way it faces.

use glam::Vec3A;

/// What of a triangle is nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Feature {
    Face,
    /// ab, bc or ca.
    Edge(usize),
    Corner(usize),
}

/// The point of a triangle that is nearest to `p` (Ericson, Real-Time Collision Detection, 5.1.5).
pub(crate) fn closest_on_triangle([a, b, c]: [Vec3A; 3], p: Vec3A) -> (Vec3A, Feature) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (a, Feature::Corner(0));
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (b, Feature::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return (a + ab * (d1 / (d1 - d3)), Feature::Edge(0));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (c, Feature::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return (a + ac * (d2 / (d2 - d6)), Feature::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let along = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return (b + (c - b) * along, Feature::Edge(1));
    }
    let scale = 1.0 / (va + vb + vc);
    (a + ab * (vb * scale) + ac * (vc * scale), Feature::Face)
}

/// Where a ray meets a triangle from either side (Möller and Trumbore 1997).
pub(crate) fn cast_triangle(corners: [Vec3A; 3], origin: Vec3A, direction: Vec3A) -> Option<f32> {
    let [a, b, c] = corners.map(|v| v.as_dvec3());
    let (o, d) = (origin.as_dvec3(), direction.as_dvec3());
    let (ab, ac) = (b - a, c - a);
    let h = d.cross(ac);
    let det = ab.dot(h);
    if det == 0.0 {
        return None;
    }
    let s = o - a;
    let q = s.cross(ab);
    let (u, v) = (s.dot(h) / det, d.dot(q) / det);
    let t = ac.dot(q) / det;
    // A hair's breadth more than the triangle, so that nothing slips between two.
    let slack = 1e-9;
    (u >= -slack && v >= -slack && u + v <= 1.0 + slack && t >= 0.0).then_some(t as f32)
}

/// The direction that a triangle faces, none if it has no area to speak of.
pub(crate) fn face_normal([a, b, c]: [Vec3A; 3]) -> Option<Vec3A> {
    let (ab, ac) = ((b - a).as_dvec3(), (c - a).as_dvec3());
    let cross = ab.cross(ac);
    let longest = ab.length_squared().max(ac.length_squared()).max((ab - ac).length_squared());
    let told = cross.length() > 1e-10 * longest;
    told.then(|| cross.normalize().as_vec3a())
}
