//! Strain limiting as a stage: rounds of fits and corrections, only where needed.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{Vec3A, Vec4};

use super::{PARTICLES, Pass, match_finest, motion};
use crate::body::{Body, Freshness};
use crate::matching::{DRIFT, SPIN, STILL};
use crate::membership::Entry;
use crate::parallel::chunks;
use crate::strain;

/// Strain-limiting rounds. A particle none of whose clusters is overdrawn does not move, and a
/// cluster none of whose members moved is not fitted again, so a calm body pays one check, and
/// its fits serve the next substep.
pub(super) fn limit_strain(body: &mut Body, pass: Pass) {
    let Some(limit) = body.material.strain else { return };
    let motion = motion(body, pass);
    let (mut rounds, mut fits, mut any_moved) = (0, 0, false);
    for round in 0..limit.rounds {
        // Velocities are summed for the next substep, should this round be the last.
        fits += match (round, motion) {
            (0, SPIN) => refit::<SPIN>(body, pass, round),
            (0, DRIFT) => refit::<DRIFT>(body, pass, round),
            _ => refit::<STILL>(body, pass, round),
        };
        if correct(body, pass, round) == 0 {
            break;
        }
        any_moved = true;
        rounds += 1;
    }
    if any_moved {
        keep_momentum(body, pass);
    } else if limit.rounds > 0 {
        body.freshness = Freshness::AfterStrain;
    }
    pass.clock.count_strain(rounds, fits);
}

/// Matches and fits all clusters in round 0, later those with members that moved. Returns how many.
fn refit<const MOTION: u8>(body: &mut Body, pass: Pass, round: u32) -> u64 {
    if round == 0 {
        body.move_origin();
    }
    let mut fitted = 0;
    for (dirty, fit) in body.strain.dirty.iter().zip(&body.strain.fitted) {
        let stale = u8::from(dirty.swap(0, Ordering::Relaxed) != 0 || round == 0);
        fit.store(stale, Ordering::Relaxed);
        fitted += u64::from(stale);
    }
    let flags = std::mem::take(&mut body.strain.fitted);
    match_finest::<MOTION>(body, pass.spread, |c| flags[c].load(Ordering::Relaxed) != 0);
    body.strain.fitted = flags;
    fitted
}

/// Corrects the particles of overdrawn clusters; returns how many moved.
fn correct(body: &mut Body, pass: Pass, round: u32) -> usize {
    let Some(limit) = body.material.strain else { return 0 };
    let Body { shape, origin, x, v, rigid, strain, faulty, touching, .. } = body;
    let (rest, held_by, masses) = (shape.rest(), shape.levels()[0].held_by(), shape.masses());
    let (dirty, fitted, per_h) = (&strain.dirty, &strain.fitted, 1.0 / pass.h);
    let moved = AtomicUsize::new(0);
    let work = (chunks(x, PARTICLES), chunks(v, PARTICLES), chunks(&mut strain.moved, 1));
    pass.spread.for_blocks(work, |block, (x, v, sum)| {
        let first = block * PARTICLES;
        let (mut count, mut contact) = (0, 0.0);
        let mut total = if round == 0 { Vec4::ZERO } else { sum[0] };
        for (k, (x, v)) in x.iter_mut().zip(v).enumerate() {
            let i = first + k;
            let row = held_by.row(i);
            let was_fitted = |e: &Entry| fitted[e.index as usize].load(Ordering::Relaxed) != 0;
            if x.w == 0.0 || round > 0 && !row.iter().any(was_fitted) {
                continue;
            }
            // Calm bodies are checked once and rarely corrected; from the second round on most are.
            let change = match round {
                0 => strain::correction::<true>(limit.gamma, row, rigid, rest[i], *x - *origin),
                _ => strain::correction::<false>(limit.gamma, row, rigid, rest[i], *x - *origin),
            } * limit.omega;
            if change == Vec3A::ZERO {
                continue;
            }
            let change = change.extend(0.0);
            *x += change;
            *v += change * per_h;
            pass.planes.iter().for_each(|plane| plane.meet(pass.h, x, v));
            contact += v.w;
            total += change * masses[i];
            row.iter().for_each(|e| dirty[e.index as usize].store(1, Ordering::Relaxed));
            count += 1;
        }
        sum[0] = total;
        moved.fetch_add(count, Ordering::Relaxed);
        if contact > 0.0 {
            touching.store(true, Ordering::Relaxed);
        }
        if !total.is_finite() {
            faulty.store(true, Ordering::Relaxed);
        }
    });
    moved.into_inner()
}

/// Lets the whole body take what the corrections gave it of momentum; a pinned body hands it to
/// its pins.
fn keep_momentum(body: &mut Body, pass: Pass) {
    let Body { shape, x, v, strain, pins, .. } = body;
    let sum = strain.moved.iter().fold(Vec4::ZERO, |sum, m| sum + *m);
    let back = sum * (-1.0 / shape.mass());
    if !pins.is_empty() || !back.is_finite() || back == Vec4::ZERO {
        return;
    }
    let gain = back * (1.0 / pass.h);
    pass.spread.for_blocks((chunks(x, PARTICLES), chunks(v, PARTICLES)), |_, (x, v)| {
        for (x, v) in x.iter_mut().zip(v) {
            *x += back;
            *v += gain;
            pass.planes.iter().for_each(|plane| plane.meet(pass.h, x, v));
        }
    });
}
