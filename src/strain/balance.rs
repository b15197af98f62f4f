//! The rigid motion that takes back what corrections gave a body of momentum and spin.
//!
//! Reads sums over blocks of particles, adds them up in their order, in f64 from there on.

use std::ops::Add;

use glam::{DVec3, Vec3A, Vec4};

use crate::math::symmetric;
use crate::moved::Moved;

/// How mass is spread about the body's origin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inertia {
    mass: f64,
    /// Σ m x.
    first: DVec3,
    /// Σ m of (xx, yy, zz) and of (xy, xz, yz).
    squares: DVec3,
    products: DVec3,
}

impl Inertia {
    /// Of some particles.
    pub(crate) fn of(x: &[Vec4], masses: &[f32], origin: Vec4) -> Inertia {
        let (mut first, mut squares, mut products) = (Vec4::ZERO, Vec4::ZERO, Vec4::ZERO);
        let mut mass = 0.0;
        for (x, &m) in x.iter().zip(masses) {
            let x = *x - origin;
            let weighted = x * m;
            mass += m;
            first += weighted;
            squares += weighted * x;
            products += Vec4::new(x.x, x.x, x.y, 0.0) * Vec4::new(weighted.y, weighted.z, weighted.z, 0.0);
        }
        let wide = |v: Vec4| v.truncate().as_dvec3();
        Inertia { mass: mass.into(), first: wide(first), squares: wide(squares), products: wide(products) }
    }

    /// The centre of mass, a shift and a turn about it, radians, with which the whole body moves
    /// against `moved`. A direction about which the body has no extent is not turned about.
    pub(crate) fn motion_against(&self, moved: Moved, origin: Vec4) -> (Vec3A, Vec3A, Vec3A) {
        let centre = self.first / self.mass;
        let sum = moved.sum.truncate().as_dvec3();
        let squares = self.squares - self.mass * centre * centre;
        let crossed = DVec3::new(centre.x * centre.y, centre.x * centre.z, centre.y * centre.z);
        let products = self.products - self.mass * crossed;
        let trace = squares.x + squares.y + squares.z;
        let inertia = [
            [trace - squares.x, -products.x, -products.y],
            [-products.x, trace - squares.y, -products.z],
            [-products.y, -products.z, trace - squares.z],
        ];
        let inverse = symmetric::pseudo_inverse(inertia, FLAT);
        let spin = moved.turned.as_dvec3() - centre.cross(sum);
        let row = |r: [f64; 3]| -DVec3::from(r).dot(spin);
        let turn = DVec3::new(row(inverse[0]), row(inverse[1]), row(inverse[2]));
        // A turn of more than this is not small, and stems from a body without extent.
        let turn = if turn.length_squared() < 0.01 { turn } else { DVec3::ZERO };
        let centre = (origin.truncate().as_dvec3() + centre).as_vec3a();
        (centre, (-sum / self.mass).as_vec3a(), turn.as_vec3a())
    }
}

/// Moments of inertia below this share of the largest count as none.
const FLAT: f64 = 1e-6;

impl Add for Inertia {
    type Output = Inertia;

    fn add(self, other: Inertia) -> Inertia {
        Inertia {
            mass: self.mass + other.mass,
            first: self.first + other.first,
            squares: self.squares + other.squares,
            products: self.products + other.products,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_motion_takes_back_momentum_and_spin() {
        let origin = Vec4::new(3.0, 0.0, -2.0, 0.0);
        let corner = |i: i32, bit: i32| if i >> bit & 1 == 1 { 0.7 } else { -0.4 };
        let x: Vec<Vec4> =
            (0..8).map(|i| Vec4::new(corner(i, 0), 2.0 * corner(i, 1), corner(i, 2), 0.0) + origin).collect();
        let masses: Vec<f32> = (0..8).map(|i| 1.0 + 0.1 * i as f32).collect();
        let change = Vec4::new(0.001, 0.002, -0.003, 0.0);
        let moved = Moved::of(x[5] - origin, change * masses[5]);
        let (centre, shift, turn) = Inertia::of(&x, &masses, origin).motion_against(moved, origin);
        let (mut sum, mut spin) = (Vec3A::from_vec4(change) * masses[5], Vec3A::ZERO);
        spin += (Vec3A::from_vec4(x[5]) - centre).cross(Vec3A::from_vec4(change)) * masses[5];
        for (x, m) in x.iter().zip(&masses) {
            let arm = Vec3A::from_vec4(*x) - centre;
            let back = (shift + turn.cross(arm)) * *m;
            sum += back;
            spin += arm.cross(back);
        }
        assert!(sum.length() < 1e-8 && spin.length() < 1e-8, "{sum} {spin}");
    }
}
