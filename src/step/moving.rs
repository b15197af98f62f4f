//! The loop over particles: blend the pulls, gain velocity, move. Then each block meets what is near.

use std::sync::atomic::{AtomicBool, Ordering};

use glam::{Vec3A, Vec4};

use super::{PARTICLES, Pass, RUN};
use crate::body::{Body, Freshness};
use crate::collide::bounds::Bounds;
use crate::collide::colliders::{self, Meets, Touched};
use crate::drift::{self, Drift};
use crate::goals::{self, Pull, Strength};
use crate::integrate::{self, Drive};
use crate::lanes::{self, Job, Pair};
use crate::membership::Membership;
use crate::moved::{Moved, Sums};
use crate::parallel::chunks;
use crate::quadratic::Quadratic;
use crate::recluster::Reclustered;
use crate::settle::Grip;

/// What the loop reads and all blocks share.
struct Mover<'a> {
    drive: Drive,
    rest: &'a [Vec4],
    masses: &'a [f32],
    held_by: &'a Membership,
    /// For each of its entries, how far the particle rests from there in that cluster; empty if all rest there.
    apart: &'a [Vec4],
    pulls: &'a [Pull],
    quadratic: Option<&'a Quadratic>,
    accelerations: &'a [Vec4],
    /// Velocities gained from force fields; empty if there are none.
    blown: &'a [Vec4],
    meets: Option<Meets<'a>>,
    /// No pins, one mass for all, and nothing but gravity and the clusters acts, but for contacts.
    plain: bool,
    /// What holds the clusters' members, where something is painted; else empty.
    holds: &'a [Strength],
    grip: &'a Grip,
    /// What the clusters of each particle were pressed with, N s; empty if nothing was.
    pressed: &'a [f32],
    faulty: &'a AtomicBool,
}

/// Moves every particle of a body by one substep.
pub(super) fn move_particles(body: &mut Body, pass: Pass) {
    let h = pass.h;
    let total = body.total_strength(h);
    let gain = pass.gain(body).extend(0.0) - body.drift.slip;
    let was_touched = std::mem::take(&mut body.grip).is_any();
    let shape = Reclustered::tables(&body.shape, &body.reclustered);
    let plain = body.quadratic.is_none()
        && body.accelerations.is_empty()
        && body.blown.is_empty()
        && body.pins.is_empty()
        && body.holds.is_empty()
        && body.reclustered.is_none()
        && shape.has_equal_masses();
    let mover = Mover {
        drive: Drive {
            h,
            stiffness: total.stiffness,
            damping: total.damping,
            origin: body.origin.with_w(1.0),
            gain,
        },
        rest: shape.rest(),
        masses: shape.masses(),
        held_by: shape.blended_from(),
        apart: body.reclustered.as_ref().map_or(&[], |own| &own.apart_held),
        pulls: &body.pulls,
        quadratic: body.quadratic.as_deref(),
        accelerations: &body.accelerations,
        blown: &body.blown,
        meets: pass.meets(body),
        plain,
        holds: &body.holds,
        grip: &body.grip,
        pressed: body.support.pressed(),
        faulty: &body.faulty,
    };
    let (x, v, previous, inner) = (&mut body.x, &mut body.v, &mut body.previous, &mut body.inner);
    let touched = &mut body.touched;
    if pass.first {
        // Old positions stay where they are and become the previous ones: no copy.
        let old = &x[..];
        let work = (chunks(previous, PARTICLES), chunks(v, PARTICLES), chunks(inner, 1), chunks(touched, 1));
        pass.spread.for_blocks(work, |block, (x, v, inner, touched)| {
            let first = block * PARTICLES;
            inner[0] = mover.go(first, Some(&old[first..first + x.len()]), x, v, &mut touched[0]);
        });
        std::mem::swap(x, previous);
    } else {
        let work = (chunks(x, PARTICLES), chunks(v, PARTICLES), chunks(inner, 1), chunks(touched, 1));
        pass.spread.for_blocks(work, |block, (x, v, inner, touched)| {
            inner[0] = mover.go(block * PARTICLES, None, x, v, &mut touched[0]);
        });
    }
    let inner = body.inner.iter().fold(body.support.got * -1.0, |sum, part| sum + *part);
    let rotation = body.fits.last().map_or(Vec4::W, |coarsest| coarsest.rotation);
    let inverse_inertia = drift::turned(body.shape.inverse_inertia(), rotation);
    let motion_is_known = was_touched || body.material.k_d(h) > 0.0;
    body.gained = motion_is_known.then_some(Drift { slip: gain, spin: -body.drift.spin });
    // A body that hangs on heavy pins gives them its momentum.
    body.drift = match body.held {
        Some(_) => Drift::default(),
        None => body.drift.after(inner, body.shape.mass(), inverse_inertia, total.stiffness),
    };
    body.freshness = Freshness::Stale;
}

/// Boxes around the ways of the runs of a block; empty ones where there are no more particles.
type Ways = [Bounds; PARTICLES / RUN];

/// Some of the particles: those from number `first` on.
struct Block<'a> {
    mover: &'a Mover<'a>,
    first: usize,
    /// Where they were, if not at `x`.
    old: Option<&'a [Vec4]>,
    x: &'a mut [Vec4],
    v: &'a mut [Vec4],
}

impl Job for Block<'_> {
    /// What they got from inside the body, and their ways.
    type Out = (Moved, Ways);

    #[inline(always)]
    fn with<P: Pair>(self) -> (Moved, Ways) {
        let Block { mover, first, old, x, v } = self;
        let (mut got, mut ways) = (Got::<P>::default(), [Bounds::EMPTY; PARTICLES / RUN]);
        let runs = x.chunks_mut(RUN).zip(v.chunks_mut(RUN)).zip(&mut ways).zip((0..).step_by(RUN));
        for (((x, v), way), from) in runs {
            let old = old.map(|old| &old[from..from + x.len()]);
            *way = if mover.plain {
                mover.advance_plainly(first + from, old, x, v, &mut got)
            } else {
                mover.advance_with(first + from, old, x, v, &mut got)
            };
        }
        let mass = if mover.plain { mover.masses[first] } else { 1.0 };
        ((got.pairs.total() + got.odd) * mass, ways)
    }
}

/// What the particles of a block got from inside the body, each time its mass unless all have the same: pairs, and odd ones.
struct Got<P> {
    pairs: Sums<P>,
    odd: Moved,
}

impl<P: Pair> Default for Got<P> {
    #[inline(always)]
    fn default() -> Self {
        Got { pairs: Sums::zero(), odd: Moved::default() }
    }
}

impl Mover<'_> {
    /// Moves the particles from number `first` on, from `old` positions if given, else in place, and lets them meet the
    /// colliders near them. Returns what they got from inside the body.
    fn go(
        &self,
        first: usize,
        old: Option<&[Vec4]>,
        x: &mut [Vec4],
        v: &mut [Vec4],
        touched: &mut Touched,
    ) -> Moved {
        let (got, ways) = lanes::run(Block { mover: self, first, old, x, v });
        let all = ways.iter().fold(Bounds::EMPTY, |all, way| all.with(*way));
        // What is infinite shows in the box, and what is no number in the sum of what it got.
        if !(all.is_sound() && got.sum.is_finite()) {
            self.faulty.store(true, Ordering::Relaxed);
        }
        if let Some(meets) = self.meets.filter(|meets| meets.find(&all, touched)) {
            self.meet(&meets, first, &ways, x, v, touched);
        }
        got
    }

    /// Lets particles from number `first` on, which have just gone these ways, meet the colliders that were found near them.
    fn meet(
        &self,
        meets: &Meets,
        first: usize,
        ways: &Ways,
        x: &mut [Vec4],
        v: &mut [Vec4],
        touched: &mut Touched,
    ) {
        let near = ways.each_ref().map(|way| meets.reaches(way, touched));
        let before;
        let from: &[Vec4] = if meets.follows_ways(touched) {
            before = self.before(x, v);
            &before[..x.len()]
        } else {
            &[]
        };
        let masses = &self.masses[first..first + x.len()];
        let particles = colliders::Particles {
            from,
            x,
            v,
            masses,
            pressed: self.pressed.get(first..).unwrap_or_default(),
        };
        self.grip.note(meets.meet(particles, touched, |k| near[k / RUN]));
        let mut runs = x.chunks(RUN).zip(v.chunks(RUN)).zip(near);
        if runs.any(|((x, v), near)| near && !super::are_finite(x, v)) {
            self.faulty.store(true, Ordering::Relaxed);
        }
    }

    /// Where particles were that have just been moved.
    fn before(&self, x: &[Vec4], v: &[Vec4]) -> [Vec4; PARTICLES] {
        let mut from = [Vec4::ZERO; PARTICLES];
        for (from, (x, v)) in from.iter_mut().zip(x.iter().zip(v)) {
            *from = *x - *v * self.drive.h;
        }
        from
    }

    /// Moves a run of particles where `plain` holds, two at a time. Returns a box around their ways.
    #[inline(always)]
    fn advance_plainly<P: Pair>(
        &self,
        first: usize,
        old: Option<&[Vec4]>,
        x: &mut [Vec4],
        v: &mut [Vec4],
        got: &mut Got<P>,
    ) -> Bounds {
        let rest = &self.rest[first..first + x.len()];
        // Taken out of the mover, or they would be read anew for every pair.
        let (drive, held_by, pulls) = (self.drive, self.held_by.rows_from(first, x.len()), self.pulls);
        let (mut low, mut high) = (P::all(Vec4::INFINITY), P::all(Vec4::NEG_INFINITY));
        let (pairs, last) = x.as_chunks_mut::<2>();
        let old = old.map(|old| old.as_chunks::<2>());
        let speeds = v.as_chunks_mut::<2>();
        for (k, ((x, v), rest)) in pairs.iter_mut().zip(speeds.0).zip(rest.as_chunks::<2>().0).enumerate() {
            let here = P::load(old.map_or(x, |old| &old.0[k]));
            let rows = [held_by.row(2 * k), held_by.row(2 * k + 1)];
            // SAFETY: a shape's tables hold indices of its own clusters, and a body has a pull for each.
            let pull = unsafe { goals::blend_two::<P>(rows, pulls, rest) };
            let (next, speed, inner) = integrate::advance_freely(&drive, here, P::load(v), pull);
            got.pairs.add(here - P::all(drive.origin), inner);
            next.store(x);
            speed.store(v);
            (low, high) = (low.least(here).least(next), high.greatest(here).greatest(next));
        }
        let ([a, b], [c, d]) = (low.parts(), high.parts());
        let mut way = around(a.min(b), c.max(d));
        if let ([x], [v]) = (last, speeds.1) {
            let here = old.map_or(*x, |old| old.1[0]);
            let i = first + rest.len() - 1;
            // SAFETY: as above.
            let pull = unsafe { goals::blend::<P>(self.held_by.row(i), self.pulls, self.rest[i]) };
            let (next, speed, inner) = integrate::advance_freely(&self.drive, here, *v, pull);
            got.odd = got.odd + Moved::of(here - self.drive.origin, inner);
            (*x, *v) = (next, speed);
            way = way.with(around(here.min(next), here.max(next)));
        }
        way
    }

    /// The same with all that may act on particles.
    #[inline(always)]
    fn advance_with<P: Pair>(
        &self,
        first: usize,
        old: Option<&[Vec4]>,
        x: &mut [Vec4],
        v: &mut [Vec4],
        got: &mut Got<P>,
    ) -> Bounds {
        let (mut low, mut high) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        let (rest, masses) = (&self.rest[first..first + x.len()], &self.masses[first..first + x.len()]);
        for (k, ((x, v), rest)) in x.iter_mut().zip(v).zip(rest).enumerate() {
            let here = old.map_or(*x, |old| old[k]);
            let (next, speed, inner) = self.one::<P>(first + k, here, *v, *rest);
            got.odd = got.odd + Moved::of(here - self.drive.origin, inner * masses[k]);
            (*x, *v) = (next, speed);
            (low, high) = (low.min(here).min(next), high.max(here).max(next));
        }
        around(low, high)
    }

    /// One particle, with all that may act on it.
    #[inline(always)]
    fn one<P: Pair>(&self, i: usize, x: Vec4, v: Vec4, rest: Vec4) -> (Vec4, Vec4, Vec4) {
        let row = self.held_by.row(i);
        let pull = match self.quadratic {
            None if !self.apart.is_empty() => {
                let apart = &self.apart[self.held_by.starts()[i] as usize..];
                goals::blend_apart(row, apart, self.pulls, rest)
            }
            // SAFETY: a shape's tables hold indices of its own clusters, and a body has a pull for each.
            None => unsafe { goals::blend::<P>(row, self.pulls, rest) },
            Some(quadratic) => quadratic.blend(row, rest),
        };
        let mut drive = self.drive;
        if !self.holds.is_empty() {
            let own = goals::held(row, self.holds, Strength::default());
            (drive.stiffness, drive.damping) = (own.stiffness, own.damping);
        } else {
            drive.damping += pull.w;
        }
        let mut push = self.accelerations.get(i).map_or(Vec4::ZERO, |a| *a * self.drive.h);
        push += self.blown.get(i).copied().unwrap_or(Vec4::ZERO);
        integrate::advance(&drive, x, v, pull, push)
    }
}

/// The box between two corners.
#[inline(always)]
fn around(low: Vec4, high: Vec4) -> Bounds {
    Bounds { low: Vec3A::from_vec4(low), high: Vec3A::from_vec4(high) }
}
