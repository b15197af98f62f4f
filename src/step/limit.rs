//! Strain limiting as a stage: rounds of fits and corrections, only where needed.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use glam::{Vec3A, Vec4};

use super::{PARTICLES, Pass, match_finest, motion};
use crate::body::{Body, Freshness};
use crate::collide::bounds::Bounds;
use crate::collide::colliders::{self, Meets, Touched};
use crate::fitting::Rigid;
use crate::lanes::{self, Job, Pair};
use crate::matching::{DRIFT, SPIN, STILL};
use crate::material::StrainLimit;
use crate::membership::{Entry, Membership};
use crate::moved::Moved;
use crate::parallel::chunks;
use crate::recluster::Reclustered;
use crate::strain;
use crate::strain::balance::Inertia;

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
    let meets = pass.meets(body);
    let Body { shape, reclustered, origin, x, v, rigid, strain, faulty, grip, touched, .. } = body;
    let shape = Reclustered::tables(shape, reclustered);
    let moved = AtomicUsize::new(0);
    let shared = Correction {
        pass,
        round,
        limit,
        origin: *origin,
        rest: shape.rest(),
        held_by: shape.levels()[0].held_by(),
        apart: reclustered.as_ref().map_or(&[], |own| &own.apart_held),
        masses: shape.masses(),
        rigid,
        dirty: &strain.dirty,
        fitted: &strain.fitted,
    };
    let work = (chunks(x, PARTICLES), chunks(v, PARTICLES), chunks(&mut strain.moved, 1), chunks(touched, 1));
    pass.spread.for_blocks(work, |block, (x, v, sum, touched)| {
        let first = block * PARTICLES;
        let mut found = Corrected::default();
        let firmest = meet_after(meets, &shape.masses()[first..], x, v, &mut touched[0], |x, v| {
            found = lanes::run(Block { shared: &shared, first, x, v });
            found.count > 0
        });
        sum[0] = if round == 0 { found.moved } else { sum[0] + found.moved };
        moved.fetch_add(found.count, Ordering::Relaxed);
        grip.note(firmest);
        if found.count > 0 && !super::are_finite(x, v) {
            faulty.store(true, Ordering::Relaxed);
        }
    });
    moved.into_inner()
}

/// What correcting particles reads and all blocks share.
struct Correction<'a> {
    pass: Pass<'a>,
    round: u32,
    limit: StrainLimit,
    origin: Vec4,
    rest: &'a [Vec4],
    held_by: &'a Membership,
    /// For each of its entries, how far the particle rests from there in that cluster; empty if all rest there.
    apart: &'a [Vec4],
    masses: &'a [f32],
    rigid: &'a [Rigid],
    dirty: &'a [AtomicU8],
    fitted: &'a [AtomicU8],
}

/// Some of the particles: those from number `first` on.
struct Block<'a> {
    shared: &'a Correction<'a>,
    first: usize,
    x: &'a mut [Vec4],
    v: &'a mut [Vec4],
}

/// What became of a block.
#[derive(Default)]
struct Corrected {
    /// How many particles moved.
    count: usize,
    moved: Moved,
}

impl Job for Block<'_> {
    type Out = Corrected;

    #[inline(always)]
    fn with<P: Pair>(self) -> Corrected {
        let mut found = Corrected::default();
        for (i, (x, v)) in (self.first..).zip(self.x.iter_mut().zip(self.v)) {
            let change = self.shared.change::<P>(i, *x);
            if change != Vec3A::ZERO {
                self.shared.apply(i, change.extend(0.0), x, v, &mut found);
            }
        }
        found
    }
}

impl Correction<'_> {
    /// The move of particle `i`; zero if it is pinned or none of its clusters is new or overdrawn.
    #[inline(always)]
    fn change<P: Pair>(&self, i: usize, x: Vec4) -> Vec3A {
        let (row, rest, gamma) = (self.held_by.row(i), self.rest[i], self.limit.gamma);
        let was_fitted = |e: &Entry| self.fitted[e.index as usize].load(Ordering::Relaxed) != 0;
        if x.w == 0.0 || self.round > 0 && !row.iter().any(was_fitted) {
            return Vec3A::ZERO;
        }
        if !self.apart.is_empty() {
            let apart = &self.apart[self.held_by.starts()[i] as usize..];
            let x = x - self.origin;
            return strain::correction_apart(gamma, row, apart, self.rigid, rest, x) * self.limit.omega;
        }
        // Calm bodies are checked once and rarely corrected; from the second round on most are.
        let change = match self.round {
            0 => strain::correction::<P, true>(gamma, row, self.rigid, rest, x - self.origin),
            _ => strain::correction::<P, false>(gamma, row, self.rigid, rest, x - self.origin),
        };
        change * self.limit.omega
    }

    #[inline(always)]
    fn apply(&self, i: usize, change: Vec4, x: &mut Vec4, v: &mut Vec4, found: &mut Corrected) {
        *x += change;
        *v += change * (1.0 / self.pass.h);
        self.held_by.row(i).iter().for_each(|e| self.dirty[e.index as usize].store(1, Ordering::Relaxed));
        found.moved = found.moved + Moved::of(*x - self.origin, change * self.masses[i]);
        found.count += 1;
    }
}

/// Lets the whole body take what the corrections gave it of momentum and angular momentum; a
/// pinned body hands it to its pins.
fn keep_momentum(body: &mut Body, pass: Pass) {
    let meets = pass.meets(body);
    let Body { shape, origin, x, v, strain, pins, faulty, touched, .. } = body;
    let moved = strain.moved.iter().fold(Moved::default(), |sum, m| sum + *m);
    if !pins.is_empty() || !moved.sum.is_finite() || moved == Moved::default() {
        return;
    }
    let masses = shape.masses();
    pass.spread.for_blocks(chunks(&mut strain.inertia, 1), |block, out| {
        let first = block * PARTICLES;
        let here = first..masses.len().min(first + PARTICLES);
        out[0] = Inertia::of(&x[here.clone()], &masses[here], *origin);
    });
    let total = strain.inertia.iter().fold(Inertia::default(), |sum, part| sum + *part);
    let (centre, shift, turn) = total.motion_against(moved, *origin);
    let gain = 1.0 / pass.h;
    let work = (chunks(x, PARTICLES), chunks(v, PARTICLES), chunks(touched, 1));
    pass.spread.for_blocks(work, |block, (x, v, touched)| {
        meet_after(meets, &masses[block * PARTICLES..], x, v, &mut touched[0], |x, v| {
            for (x, v) in x.iter_mut().zip(v) {
                let back = shift + turn.cross(Vec3A::from_vec4(*x) - centre);
                let back = back.extend(0.0);
                *x += back;
                *v += back * gain;
            }
            true
        });
        if !super::are_finite(x, v) {
            faulty.store(true, Ordering::Relaxed);
        }
    });
}

/// Lets particles that `change` moves meet what is on their way; it says whether there are any. Returns
/// the firmest grip of a particle.
fn meet_after(
    meets: Option<Meets>,
    masses: &[f32],
    x: &mut [Vec4],
    v: &mut [Vec4],
    touched: &mut Touched,
    change: impl FnOnce(&mut [Vec4], &mut [Vec4]) -> bool,
) -> f32 {
    let Some(meets) = meets else {
        change(x, v);
        return 0.0;
    };
    let mut before = [Vec4::ZERO; PARTICLES];
    let from = &mut before[..x.len()];
    from.copy_from_slice(x);
    if !change(x, v) {
        return 0.0;
    }
    meet_moved(meets, masses, from, x, v, touched)
}

/// Lets the particles of a block that were moved after they met what was on their way meet it again. Returns the
/// firmest grip of a particle.
pub(super) fn meet_moved(
    meets: Meets,
    masses: &[f32],
    from: &[Vec4],
    x: &mut [Vec4],
    v: &mut [Vec4],
    touched: &mut Touched,
) -> f32 {
    let bounds = Bounds::of(x.iter().chain(from).map(|p| Vec3A::from_vec4(*p)));
    if !meets.find(&bounds, touched) {
        return 0.0;
    }
    let moved: [bool; PARTICLES] = std::array::from_fn(|k| k < from.len() && from[k] != x[k]);
    let masses = &masses[..x.len()];
    meets.meet(colliders::Particles { from, x, v, masses, pressed: &[] }, touched, |k| moved[k])
}
