//! Strain limiting at the finest level (SL Algorithm 2, with fuzzy weights).
//!
//! Reads the rigid fits of a particle's finest clusters; gives the correction of its
//! position. A cluster may let a member stray from its goal by γ times its width; what is
//! beyond is taken back, and the particle moves by the weighted mean of its clusters' wishes.
//!
//! SL takes positions back without a reaction, so where only some members of a cluster stray
//! the corrections do not sum to zero and momentum would be lost. The caller sums them up and
//! lets the whole body take the difference.

use glam::{Vec3A, Vec4};

use crate::fitting::Rigid;
use crate::membership::Entry;

/// The move that a particle's clusters ask for; zero when none is strained beyond the limit. The
/// result does not depend on `RARE`, which says that most are not: then a branch is quicker than
/// a square root for each.
#[inline(always)]
pub(crate) fn correction<const RARE: bool>(
    gamma: f32,
    held_by: &[Entry],
    fits: &[Rigid],
    rest: Vec4,
    x: Vec4,
) -> Vec3A {
    let mut total = Vec3A::ZERO;
    for e in held_by {
        let fit = &fits[e.index as usize];
        let goal = fit.columns[0] * rest.x + fit.columns[1] * rest.y + fit.columns[2] * rest.z + fit.shift;
        let away = Vec3A::from_vec4(goal - x);
        let distance = away.length_squared();
        let allowed = gamma * fit.shift.w;
        if !RARE || distance > allowed * allowed {
            // At the goal itself the quotient is infinite or not a number; `max` takes the zero.
            total += away * (e.weight * (1.0 - allowed / distance.sqrt()).max(0.0));
        }
    }
    total
}
