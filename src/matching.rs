//! Sums over a cluster's members: where it is, how it moves, how it is deformed.
//!
//! Reads positions and velocities; writes one [`Moments`] a cluster. A cluster of the
//! finest level, or of any independent one, sums over particles; a nested coarser one over
//! the clusters below, with the parallel-axis shift. Every cluster gathers its members in
//! ascending order, so the rounding is the same on one thread or sixteen.
//!
//! Positions are taken about the first member's, velocities likewise, and centres are kept
//! about an origin inside the body: sums stay small and precise wherever in the world it is.

use glam::{Vec3A, Vec4, Vec4Swizzles};

use crate::membership::Entry;
use crate::shape::RestCluster;

/// What fitting a cluster needs to know of its present state. The w lanes carry nothing.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Moments {
    /// Centre of mass, metres, about the body's origin.
    pub centre: Vec4,
    /// Columns of A_xr = Σ m (x - x̄)(r - r̄)ᵀ, kg m².
    pub a: [Vec4; 3],
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec4,
    /// Angular momentum about the centre of mass, kg m²/s.
    pub spin: Vec4,
}

/// Sums over particles. Velocity and spin are summed only if `MOVING`.
#[inline]
pub fn of_particles<const MOVING: bool>(
    members: &[Entry],
    cluster: &RestCluster,
    rest: &[Vec4],
    origin: Vec4,
    x: &[Vec4],
    v: &[Vec4],
) -> Moments {
    let Some(first) = members.first() else { return Moments::default() };
    let (x0, v0) = (x[first.index as usize], v[first.index as usize]);
    let mut a = [Vec4::ZERO; 3];
    let mut sum = Vec4::ZERO;
    let mut momentum = Vec4::ZERO;
    let mut spin = Vec3A::ZERO;
    for e in members {
        let i = e.index as usize;
        let d = x[i] - x0;
        // rest.w is 1 and centre.w is 0, so the w lane is the mass share itself.
        let q = (rest[i] - cluster.centre) * e.weight;
        a[0] += d * q.xxxx();
        a[1] += d * q.yyyy();
        a[2] += d * q.zzzz();
        sum += d * q.wwww();
        if MOVING {
            let p = (v[i] - v0) * q.wwww();
            momentum += p;
            spin += Vec3A::from_vec4(d).cross(Vec3A::from_vec4(p));
        }
    }
    let shift = sum * cluster.inverse_mass;
    let drift = momentum * cluster.inverse_mass;
    let spin = spin - Vec3A::from_vec4(shift).cross(Vec3A::from_vec4(momentum));
    Moments { centre: (x0 - origin) + shift, a, velocity: v0 + drift, spin: spin.extend(0.0) }
}

/// Sums over the clusters of the level below.
#[inline]
pub fn of_children<const MOVING: bool>(
    members: &[Entry],
    cluster: &RestCluster,
    child_rest: &[RestCluster],
    children: &[Moments],
) -> Moments {
    let Some(first) = members.first() else { return Moments::default() };
    let first = &children[first.index as usize];
    let (x0, v0) = (first.centre, first.velocity);
    let mut a = [Vec4::ZERO; 3];
    let mut sum = Vec4::ZERO;
    let mut momentum = Vec4::ZERO;
    let mut spin = Vec3A::ZERO;
    for e in members {
        let (child, rest) = (&children[e.index as usize], &child_rest[e.index as usize]);
        let share = e.weight * rest.inverse_mass;
        let d = child.centre - x0;
        let q = (rest.centre - cluster.centre) * e.weight;
        a[0] += d * q.xxxx() + child.a[0] * share;
        a[1] += d * q.yyyy() + child.a[1] * share;
        a[2] += d * q.zzzz() + child.a[2] * share;
        sum += d * e.weight;
        if MOVING {
            let p = (child.velocity - v0) * e.weight;
            momentum += p;
            spin += Vec3A::from_vec4(d).cross(Vec3A::from_vec4(p)) + Vec3A::from_vec4(child.spin) * share;
        }
    }
    let shift = sum * cluster.inverse_mass;
    let drift = momentum * cluster.inverse_mass;
    let spin = spin - Vec3A::from_vec4(shift).cross(Vec3A::from_vec4(momentum));
    Moments { centre: x0 + shift, a, velocity: v0 + drift, spin: spin.extend(0.0) }
}
