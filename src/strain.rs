//! Strain limiting at the finest level (SL Algorithm 2, with fuzzy weights).
//!
//! Reads the rigid fits of a particle's finest clusters; gives the correction of its
//! position. A cluster may let a member stray from its goal by γ times its width; what is
//! beyond is taken back, and the particle moves by the weighted mean of its clusters' wishes.
//!
//! SL takes positions back without a reaction, so where only some members of a cluster stray
//! the corrections do not sum to zero, and momentum would be lost and spin come from nowhere: a
//! soft ball would roll about by itself. The caller sums them up and lets the whole body take the
//! difference (`balance`).

pub(crate) mod balance;

use glam::{Vec3A, Vec4};

use crate::fitting::Rigid;
use crate::lanes::{Lanes, Pair};
use crate::membership::Entry;

/// The move that a particle's clusters ask for; zero when none is strained beyond the limit. The
/// result does not depend on `RARE`, which says that most are not: then a branch is quicker than
/// a square root for each.
#[inline(always)]
pub(crate) fn correction<P: Pair, const RARE: bool>(
    gamma: f32,
    held_by: &[Entry],
    fits: &[Rigid],
    rest: Vec4,
    x: Vec4,
) -> Vec3A {
    let particle = Particle {
        gamma: P::all(Vec4::splat(gamma)),
        rest: [P::all(rest.xxxx()), P::all(rest.yyyy()), P::all(rest.zzzz())],
        x: P::all(x),
    };
    let mut total = P::all(Vec4::ZERO);
    let (pairs, last) = held_by.as_chunks::<2>();
    for two in pairs {
        total = particle.add_wishes::<RARE>(two, fits, total);
    }
    for &e in last {
        total = particle.add_wishes::<RARE>(&[e, Entry { weight: 0.0, ..e }], fits, total);
    }
    Vec3A::from_vec4(total.sum())
}

/// The same for a particle that rests `apart` from there in its clusters.
pub(crate) fn correction_apart(
    gamma: f32,
    held_by: &[Entry],
    apart: &[Vec4],
    fits: &[Rigid],
    rest: Vec4,
    x: Vec4,
) -> Vec3A {
    let mut total = Vec3A::ZERO;
    for (e, apart) in held_by.iter().zip(apart) {
        let Rigid { columns: [a, b, c], shift } = fits[e.index as usize];
        let p = rest + *apart;
        let away = Vec3A::from_vec4(a * p.x + b * p.y + c * p.z + shift - x);
        let (distance, allowed) = (away.length(), gamma * shift.w);
        if distance > allowed {
            total += away * (e.weight * (1.0 - allowed / distance));
        }
    }
    total
}

/// What two clusters at a time compare with their goals.
struct Particle<P> {
    gamma: P,
    rest: [P; 3],
    x: P,
}

impl<P: Pair> Particle<P> {
    /// `total` and what two clusters ask for.
    #[inline(always)]
    fn add_wishes<const RARE: bool>(&self, two: &[Entry; 2], fits: &[Rigid], total: P) -> P {
        let [a, b] = [&fits[two[0].index as usize], &fits[two[1].index as usize]];
        let shift = P::of(a.shift, b.shift);
        let goal = P::of(a.columns[0], b.columns[0]) * self.rest[0]
            + P::of(a.columns[1], b.columns[1]) * self.rest[1]
            + P::of(a.columns[2], b.columns[2]) * self.rest[2]
            + shift;
        let away = goal - self.x;
        let squares = away * away;
        let distance = squares.xxxx() + squares.yyyy() + squares.zzzz();
        let allowed = self.gamma * shift.wwww();
        if RARE && !distance.any_above(allowed * allowed) {
            return total;
        }
        let excess = P::all(Vec4::ONE) - allowed / distance.sqrt();
        total + away * (P::weights(two) * distance.where_above(allowed * allowed, excess))
    }
}
