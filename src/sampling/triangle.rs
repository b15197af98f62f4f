//! One triangle: the solid angle it fills, and its point closest to another.
//!
//! Only additions, products, quotients and square roots, so that the bits are the same everywhere.

use glam::Vec3A;

/// The solid angle, steradians, that the triangle `a`, `b`, `c` fills as seen from the origin; positive
/// where its corners turn clockwise seen from there. Van Oosterom and Strackee, "The solid angle of a
/// plane triangle", 1983.
#[inline]
pub(super) fn solid_angle([a, b, c]: [Vec3A; 3]) -> f32 {
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let sine = a.dot(b.cross(c));
    let cosine = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * arc(sine, cosine)
}

/// The angle of the vector (`x`, `y`), to 2e-5 radians; 0 for the vector 0.
/// Abramowitz and Stegun, "Handbook of Mathematical Functions", 4.4.47.
#[inline]
fn arc(y: f32, x: f32) -> f32 {
    use std::f32::consts::{FRAC_PI_2, PI};
    let (across, along) = (y.abs(), x.abs());
    let larger = across.max(along);
    if larger == 0.0 {
        return 0.0;
    }
    let t = across.min(along) / larger;
    let s = t * t;
    let odd = [0.999_866, -0.330_299_5, 0.180_141, -0.085_133, 0.020_835_1];
    let angle = t * odd.iter().rev().fold(0.0, |sum, c| sum * s + c);
    let angle = if across > along { FRAC_PI_2 - angle } else { angle };
    let angle = if x < 0.0 { PI - angle } else { angle };
    if y < 0.0 { -angle } else { angle }
}

/// The shares of the corners in the point of the triangle that lies closest to the origin. Ericson,
/// "Real-Time Collision Detection", 5.1.5. A triangle without area is its longest edge, or a point.
pub(super) fn closest_shares([a, b, c]: [Vec3A; 3]) -> [f32; 3] {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = share(d1, d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = share(d2, d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let w = share(d4 - d3, (d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - w, w];
    }
    let (v, w) = (share(vb, va + vb + vc), share(vc, va + vb + vc));
    [1.0 - v - w, v, w]
}

fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec3a;
    use std::f32::consts::PI;

    #[test]
    fn angles_are_those_of_the_standard_library() {
        for k in 0..2000 {
            let angle = (k as f32 / 1000.0 - 1.0) * PI;
            let (y, x) = angle.sin_cos();
            assert!((arc(y * 3.0, x * 3.0) - y.atan2(x)).abs() < 2e-5, "{angle}");
        }
        assert_eq!(arc(0.0, 0.0), 0.0);
    }

    #[test]
    fn an_octant_fills_an_eighth_of_the_sphere() {
        let octant = [Vec3A::X, Vec3A::Y, Vec3A::Z];
        assert!((solid_angle(octant) - PI / 2.0).abs() < 1e-4);
        assert!((solid_angle([Vec3A::Y, Vec3A::X, Vec3A::Z]) + PI / 2.0).abs() < 1e-4);
    }

    #[test]
    fn the_closest_point_is_no_further_than_any_other() {
        let triangles = [
            [vec3a(1.0, 0.0, 0.2), vec3a(-1.0, 1.0, 0.3), vec3a(0.0, -1.0, 0.5)],
            [vec3a(1.0, 0.0, 0.0), vec3a(2.0, 1.0, 0.0), vec3a(3.0, -1.0, 1.0)],
            [vec3a(-1.0, 1.0, 0.0), vec3a(1.0, 1.0, 0.0), vec3a(3.0, 1.0, 0.0)],
            [vec3a(1.0, 1.0, 1.0); 3],
        ];
        for corners in triangles {
            let at = |s: [f32; 3]| corners[0] * s[0] + corners[1] * s[1] + corners[2] * s[2];
            let found = at(closest_shares(corners)).length();
            for i in 0..=50 {
                for j in 0..=50 - i {
                    let (v, w) = (i as f32 / 50.0, j as f32 / 50.0);
                    assert!(found <= at([1.0 - v - w, v, w]).length() + 1e-6, "{corners:?}");
                }
            }
        }
    }
}
