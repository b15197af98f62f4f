//! Whether a box and a convex shape have a point in common (Gilbert, Johnson and Keerthi 1988).
//!
//! Looks for the origin among the differences of their points: from a simplex of differences, each
//! the furthest in the direction of the origin from the simplex before. In f64, with a bound on
//! the rounds; shapes that touch within rounding may be told either way.

use glam::{DVec3, Mat3A, Vec3A};

use crate::collide::bounds::Bounds;

/// Rounds after which what was not found to touch counts as apart.
const ROUNDS: usize = 64;

/// A turned box.
pub(super) struct Cuboid {
    pub(super) centre: Vec3A,
    pub(super) turn: Mat3A,
    pub(super) half: Vec3A,
}

impl Cuboid {
    /// The point furthest in a direction.
    pub(super) fn support(&self, direction: Vec3A) -> Vec3A {
        let local = self.turn.transpose() * direction;
        self.centre + self.turn * (self.half * Vec3A::ONE.copysign(local))
    }

    pub(super) fn corners(&self) -> [Vec3A; 8] {
        let sign = |i: usize, bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let at = |i: usize| self.half * Vec3A::new(sign(i, 0), sign(i, 1), sign(i, 2));
        std::array::from_fn(|i| self.centre + self.turn * at(i))
    }

    pub(super) fn bounds(&self) -> Bounds {
        let [x, y, z] = [self.turn.x_axis, self.turn.y_axis, self.turn.z_axis].map(Vec3A::abs);
        Bounds::about(self.centre, x * self.half.x + y * self.half.y + z * self.half.z)
    }
}

/// `support` gives the point of the other shape that is furthest in a direction.
pub(super) fn meet(cuboid: &Cuboid, support: impl Fn(Vec3A) -> Vec3A) -> bool {
    let difference = |d: DVec3| {
        let d = d.normalize_or_zero().as_vec3a();
        (cuboid.support(d) - support(-d)).as_dvec3()
    };
    let mut simplex = vec![difference(cuboid.centre.as_dvec3() + DVec3::X * 1e-9)];
    let scale = simplex[0].length() + cuboid.half.length() as f64;
    for _ in 0..ROUNDS {
        let nearest = reduce(&mut simplex);
        if simplex.len() == 4 || nearest.length() <= 1e-6 * scale {
            return true;
        }
        let next = difference(-nearest);
        // No difference lies further towards the origin, but for the rounding of supports.
        if nearest.dot(nearest - next) <= 1e-6 * scale * nearest.length() || simplex.contains(&next) {
            return false;
        }
        simplex.push(next);
    }
    false
}

/// Whether the box meets the convex hull of some points.
pub(super) fn meet_points(cuboid: &Cuboid, points: &[Vec3A]) -> bool {
    let further = |d: Vec3A| move |a: Vec3A, b: Vec3A| if b.dot(d) > a.dot(d) { b } else { a };
    meet(cuboid, |d| points.iter().copied().reduce(further(d)).unwrap_or_default())
}

/// The point of a simplex nearest to the origin; corners that do not help to make it are dropped. Four
/// stay only if the origin is inside.
fn reduce(simplex: &mut Vec<DVec3>) -> DVec3 {
    let mut best = (f64::INFINITY, DVec3::ZERO, 0u32);
    let count = simplex.len() as u32;
    for chosen in 1..1u32 << count {
        let corners: Vec<DVec3> =
            (0..count).filter(|k| chosen >> k & 1 == 1).map(|k| simplex[k as usize]).collect();
        if let Some(point) = projected(&corners) {
            let distance = point.length_squared();
            if distance < best.0 {
                best = (distance, point, chosen);
            }
        }
    }
    let mut k = 0;
    simplex.retain(|_| {
        k += 1;
        best.2 >> (k - 1) & 1 == 1
    });
    best.1
}

/// The origin projected to the flat through some corners, if that is between them.
fn projected(corners: &[DVec3]) -> Option<DVec3> {
    let a = corners[0];
    let edges: Vec<DVec3> = corners[1..].iter().map(|c| *c - a).collect();
    let dot = |i: usize, j: usize| edges[i].dot(edges[j]);
    let b = |i: usize| -edges[i].dot(a);
    let weights: Vec<f64> = match edges.len() {
        0 => return Some(a),
        1 => vec![b(0) / dot(0, 0)],
        2 => {
            let det = dot(0, 0) * dot(1, 1) - dot(0, 1) * dot(0, 1);
            vec![(b(0) * dot(1, 1) - b(1) * dot(0, 1)) / det, (b(1) * dot(0, 0) - b(0) * dot(0, 1)) / det]
        }
        _ => {
            let det = edges[0].dot(edges[1].cross(edges[2]));
            let part = |u: DVec3, v: DVec3, w: DVec3| u.dot(v.cross(w)) / det;
            vec![part(-a, edges[1], edges[2]), part(edges[0], -a, edges[2]), part(edges[0], edges[1], -a)]
        }
    };
    let between = weights.iter().all(|w| *w >= 0.0) && weights.iter().sum::<f64>() <= 1.0;
    if !between {
        return None;
    }
    let point = weights.iter().zip(&edges).fold(a, |p, (w, e)| p + *e * *w);
    Some(if edges.len() == 3 { DVec3::ZERO } else { point })
}
