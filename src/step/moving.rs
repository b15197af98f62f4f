//! The loop over particles: blend the pulls, gain velocity, move. Then each block meets what is near.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use glam::{Vec3A, Vec4};

use super::{PARTICLES, Pass};
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
use crate::settle::{self, Grip};

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
    settling: Option<Settling<'a>>,
    grip: &'a Grip,
    faulty: &'a AtomicBool,
}

/// What bringing a touching body to rest reads.
struct Settling<'a> {
    gripped: &'a [AtomicU8],
    held_by: &'a Membership,
    brakes: &'a [f32],
}

impl Settling<'_> {
    /// What contacts add to the damping of particle `i`.
    #[inline(always)]
    fn brake(&self, i: usize) -> f32 {
        // SAFETY: a shape's tables hold indices of its own clusters, and a body has a brake for each of the
        // finest.
        unsafe { settle::brake_on(self.held_by.row(i), self.brakes) }
    }
}

/// Moves every particle of a body by one substep.
pub(super) fn move_particles(body: &mut Body, pass: Pass) {
    let h = pass.h;
    let total = body.total_strength(h);
    let gain = pass.gain(body).extend(0.0) - body.drift.slip;
    let was_touched = std::mem::take(&mut body.grip).is_any();
    let shape = Reclustered::tables(&body.shape, &body.reclustered);
    let settling = was_touched.then(|| Settling {
        gripped: &body.gripped,
        held_by: shape.levels()[0].held_by(),
        brakes: &body.brakes,
    });
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
        settling,
        grip: &body.grip,
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
            inner[0] = mover.advance(first, Some(&old[first..first + x.len()]), x, v);
            mover.meet(first, x, v, &mut touched[0]);
        });
        std::mem::swap(x, previous);
    } else {
        let work = (chunks(x, PARTICLES), chunks(v, PARTICLES), chunks(inner, 1), chunks(touched, 1));
        pass.spread.for_blocks(work, |block, (x, v, inner, touched)| {
            inner[0] = mover.advance(block * PARTICLES, None, x, v);
            mover.meet(block * PARTICLES, x, v, &mut touched[0]);
        });
    }
    let inner = body.inner.iter().fold(Moved::default(), |sum, part| sum + *part);
    let rotation = body.fits.last().map_or(Vec4::W, |coarsest| coarsest.rotation);
    let inverse_inertia = drift::turned(body.shape.inverse_inertia(), rotation);
    let motion_is_known = was_touched || body.material.k_d(h) > 0.0;
    body.gained = motion_is_known.then_some(Drift { slip: gain, spin: -body.drift.spin });
    body.drift = body.drift.after(inner, body.shape.mass(), inverse_inertia, total.stiffness);
    body.freshness = Freshness::Stale;
}

/// Some of the particles: those from number `first` on.
struct Block<'a> {
    mover: &'a Mover<'a>,
    first: usize,
    old: Option<&'a [Vec4]>,
    x: &'a mut [Vec4],
    v: &'a mut [Vec4],
}

impl Job for Block<'_> {
    type Out = Moved;

    #[inline(always)]
    fn with<P: Pair>(self) -> Moved {
        let Block { mover, first, old, x, v } = self;
        let settling = mover.settling_of(first, x.len());
        match (mover.plain, old) {
            (true, _) => mover.advance_plainly::<P>(first, settling, old, x, v),
            (false, Some(old)) => mover.advance_with::<P>(first, settling, |k, _| old[k], x, v),
            (false, None) => mover.advance_with::<P>(first, settling, |_, x| x, x, v),
        }
    }
}

impl Mover<'_> {
    /// Moves the particles from number `first` on, from `old` positions if given, else in place.
    /// Returns what they got from inside the body.
    fn advance(&self, first: usize, old: Option<&[Vec4]>, x: &mut [Vec4], v: &mut [Vec4]) -> Moved {
        lanes::run(Block { mover: self, first, old, x, v })
    }

    /// What brings `count` particles from number `first` on to rest, if a cluster that touches something
    /// holds any of them. Their marks are taken off.
    fn settling_of(&self, first: usize, count: usize) -> Option<&Settling<'_>> {
        let settling = self.settling.as_ref()?;
        let marks = &settling.gripped[first..first + count];
        let gripped = marks.iter().fold(0, |any, mark| any | mark.load(Ordering::Relaxed)) != 0;
        if gripped {
            marks.iter().for_each(|mark| mark.store(0, Ordering::Relaxed));
        }
        gripped.then_some(settling)
    }

    /// Lets particles that were just moved meet the colliders near them.
    fn meet(&self, first: usize, x: &mut [Vec4], v: &mut [Vec4], touched: &mut Touched) {
        let Some(meets) = &self.meets else { return };
        let (mut low, mut high, mut fastest) = (Vec4::INFINITY, Vec4::NEG_INFINITY, Vec4::ZERO);
        for (x, v) in x.iter().zip(&*v) {
            (low, high, fastest) = (low.min(*x), high.max(*x), fastest.max(v.abs()));
        }
        let way = fastest * self.drive.h;
        let bounds = Bounds { low: Vec3A::from_vec4(low - way), high: Vec3A::from_vec4(high + way) };
        if !meets.find(&bounds, touched) {
            return;
        }
        let mut from = [Vec4::ZERO; PARTICLES];
        for (from, (x, v)) in from.iter_mut().zip(x.iter().zip(&*v)) {
            *from = *x - *v * self.drive.h;
        }
        let masses = &self.masses[first..first + x.len()];
        let particles = colliders::Particles { from: &from[..x.len()], x, v, masses };
        self.grip.note(meets.meet(particles, touched, |_| true));
        if !super::are_finite(x, v) {
            self.faulty.store(true, Ordering::Relaxed);
        }
    }

    /// As above for a block where `plain` holds, two particles at a time.
    #[inline(always)]
    fn advance_plainly<P: Pair>(
        &self,
        first: usize,
        settling: Option<&Settling>,
        old: Option<&[Vec4]>,
        x: &mut [Vec4],
        v: &mut [Vec4],
    ) -> Moved {
        let rest = &self.rest[first..first + x.len()];
        let damping =
            |i: usize| Vec4::splat(self.drive.damping + settling.map_or(0.0, |settling| settling.brake(i)));
        let everywhere = P::all(Vec4::splat(self.drive.damping));
        // Takes off the grip that a particle may have from a contact.
        let free = P::all(Vec4::new(1.0, 1.0, 1.0, 0.0));
        let mut trace = P::all(Vec4::ZERO);
        let mut got = Sums::<P>::zero();
        let (pairs, last) = x.as_chunks_mut::<2>();
        let old = old.map(|old| old.as_chunks::<2>());
        let speeds = v.as_chunks_mut::<2>();
        for (k, ((x, v), rest)) in pairs.iter_mut().zip(speeds.0).zip(rest.as_chunks::<2>().0).enumerate() {
            let here = P::load(old.map_or(x, |old| &old.0[k]));
            let rows = [self.held_by.row(first + 2 * k), self.held_by.row(first + 2 * k + 1)];
            // SAFETY: a shape's tables hold indices of its own clusters, and a body has a pull for each.
            let pull = unsafe { goals::blend_two::<P>(rows, self.pulls, rest) };
            let own = match settling {
                None => everywhere,
                Some(_) => P::of(damping(first + 2 * k), damping(first + 2 * k + 1)),
            };
            let (next, speed, inner) =
                integrate::advance_freely(&self.drive, own, here, P::load(v) * free, pull);
            got.add(here - P::all(self.drive.origin), inner);
            next.store(x);
            speed.store(v);
            trace = trace + next;
        }
        let mut got = got.total();
        let mut trace = trace.sum();
        if let ([x], [v]) = (last, speeds.1) {
            let here = old.map_or(*x, |old| old.1[0]);
            let i = first + rest.len() - 1;
            // SAFETY: as above.
            let pull = unsafe { goals::blend::<P>(self.held_by.row(i), self.pulls, self.rest[i]) };
            let (next, speed, inner) =
                integrate::advance_freely(&self.drive, damping(i), here, v.with_w(0.0), pull);
            got = got + Moved::of(here - self.drive.origin, inner);
            (*x, *v) = (next, speed);
            trace += next;
        }
        self.judge(trace);
        got * self.masses[first]
    }

    /// As above with all that may act on particles, and one way to read old positions.
    #[inline(always)]
    fn advance_with<P: Pair>(
        &self,
        first: usize,
        settling: Option<&Settling>,
        old: impl Fn(usize, Vec4) -> Vec4,
        x: &mut [Vec4],
        v: &mut [Vec4],
    ) -> Moved {
        let mut trace = Vec4::ZERO;
        let mut got = Moved::default();
        let (rest, masses) = (&self.rest[first..first + x.len()], &self.masses[first..first + x.len()]);
        for (k, ((x, v), rest)) in x.iter_mut().zip(v).zip(rest).enumerate() {
            let here = old(k, *x);
            let (next, speed, inner) = self.one::<P>(first + k, settling, here, *v, *rest);
            got = got + Moved::of(here - self.drive.origin, inner * masses[k]);
            (*x, *v) = (next, speed);
            trace += next;
        }
        self.judge(trace);
        got
    }

    /// Notes that particles are lost: what is not finite stays visible in the sum of positions, and a
    /// velocity that is not shows in the position.
    #[inline(always)]
    fn judge(&self, trace: Vec4) {
        if !trace.is_finite() {
            self.faulty.store(true, Ordering::Relaxed);
        }
    }

    /// One particle, with all that may act on it.
    #[inline(always)]
    fn one<P: Pair>(
        &self,
        i: usize,
        settling: Option<&Settling>,
        x: Vec4,
        v: Vec4,
        rest: Vec4,
    ) -> (Vec4, Vec4, Vec4) {
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
        } else if let Some(settling) = settling {
            drive.damping += settling.brake(i);
        }
        let mut push = self.accelerations.get(i).map_or(Vec4::ZERO, |a| *a * self.drive.h);
        push += self.blown.get(i).copied().unwrap_or(Vec4::ZERO);
        integrate::advance(&drive, x, v.with_w(0.0), pull, push)
    }
}
