//! Sums over a cluster's members: where it is, how it moves, how it is deformed.
//!
//! Reads positions and velocities; writes one [`Moments`] a cluster. A cluster of the
//! finest level, or of any independent one, sums over particles; a nested coarser one over
//! the clusters below, with the parallel-axis shift. Every cluster gathers its members in
//! ascending order, so the rounding is the same on one thread or sixteen.
//!
//! Positions are taken about the first member's, velocities likewise, and centres are kept
//! about an origin inside the body: sums stay small and precise wherever in the world it is.

use glam::{Vec3A, Vec4};

use crate::lanes::{Job, Lanes, Pair};
use crate::math::prefetch::prefetch;
use crate::membership::{Entry, Membership};
use crate::shape::RestCluster;

/// Sum up positions only.
pub(crate) const STILL: u8 = 0;
/// The velocity of the centre too.
pub(crate) const DRIFT: u8 = 1;
/// And the angular momentum and energy about it.
pub(crate) const SPIN: u8 = 2;

/// What fitting a cluster needs to know of its present state.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Moments {
    /// Centre of mass, metres, about the body's origin.
    pub(crate) centre: Vec4,
    /// Rows of A_xr = Σ m (x - x̄)(r - r̄)ᵀ, kg m²; w = 0.
    pub(crate) rows: [Vec4; 3],
    /// Velocity of the centre of mass, m/s; w is the share of mass in contact.
    pub(crate) velocity: Vec4,
    /// Angular momentum about the centre of mass, kg m²/s; w is twice the kinetic energy of the
    /// motion about it, joules.
    pub(crate) spin: Vec4,
}

impl Moments {
    /// Columns of A_xr; w = 0.
    pub(crate) fn columns(&self) -> [Vec4; 3] {
        let [x, y, z] = self.rows;
        [Vec4::new(x.x, y.x, z.x, 0.0), Vec4::new(x.y, y.y, z.y, 0.0), Vec4::new(x.z, y.z, z.z, 0.0)]
    }
}

/// Members summed before they join the total: in a large cluster late members would otherwise be
/// rounded against the sum of all earlier ones.
const CHUNK: usize = 128;

/// Sums on their way. Row k is Σ m d_k (q, 1): its w lane sums up the centre.
#[derive(Clone, Copy)]
struct Sums<L> {
    rows: [L; 3],
    momentum: L,
    /// Σ d × p but for the last turn of its components, which waits until all are summed.
    twist: L,
    /// Σ m v∘v.
    squares: L,
}

impl<L: Lanes> Sums<L> {
    #[inline(always)]
    fn zero() -> Self {
        let zero = L::all(Vec4::ZERO);
        Sums { rows: [zero; 3], momentum: zero, twist: zero, squares: zero }
    }

    /// Adds a member at `d` from the reference; `q` is its rest position from the cluster's
    /// centre times its mass share, and w that share; `v` is its velocity from the reference's.
    #[inline(always)]
    fn add<const MOTION: u8>(&mut self, d: L, q: L, v: L) {
        self.rows[0] = self.rows[0] + q * d.xxxx();
        self.rows[1] = self.rows[1] + q * d.yyyy();
        self.rows[2] = self.rows[2] + q * d.zzzz();
        if MOTION >= DRIFT {
            let p = v * q.wwww();
            self.momentum = self.momentum + p;
            if MOTION >= SPIN {
                self.squares = self.squares + p * v;
                self.twist = self.twist + (d * p.yzxw() - d.yzxw() * p);
            }
        }
    }
}

impl Sums<Vec4> {
    #[inline(always)]
    fn merge(&mut self, other: &Sums<Vec4>) {
        for k in 0..3 {
            self.rows[k] += other.rows[k];
        }
        self.momentum += other.momentum;
        self.twist += other.twist;
        self.squares += other.squares;
    }

    #[inline(always)]
    fn finish(self, cluster: &RestCluster, x0: Vec4, v0: Vec4) -> Moments {
        let [x, y, z] = self.rows;
        let shift = Vec4::new(x.w, y.w, z.w, 0.0) * cluster.inverse_mass;
        let about_reference = Vec3A::from_vec4(Lanes::yzxw(self.twist));
        let spin = about_reference - Vec3A::from_vec4(shift).cross(Vec3A::from_vec4(self.momentum));
        let drift = self.momentum * cluster.inverse_mass;
        let about = self.squares - self.momentum * drift;
        Moments {
            centre: x0 + shift,
            rows: self.rows.map(|row| row * Vec4::new(1.0, 1.0, 1.0, 0.0)),
            velocity: v0 + drift,
            spin: spin.extend((about.x + about.y + about.z).max(0.0)),
        }
    }
}

impl<P: Pair> Sums<P> {
    /// Both sides of every pair together.
    #[inline(always)]
    fn total(self) -> Sums<Vec4> {
        let [x, y, z] = self.rows;
        Sums {
            rows: [x.sum(), y.sum(), z.sum()],
            momentum: self.momentum.sum(),
            twist: self.twist.sum(),
            squares: self.squares.sum(),
        }
    }
}

/// Entries between a member that is summed and one whose data is fetched ahead: gathers miss the
/// near caches often enough that this takes a sixth off the match.
const AHEAD: usize = 192;

/// A level whose clusters sum over particles, and the state of these.
#[derive(Clone, Copy)]
pub(crate) struct Particles<'a> {
    pub(crate) table: &'a Membership,
    pub(crate) clusters: &'a [RestCluster],
    pub(crate) rest: &'a [Vec4],
    /// For each entry of the table, how far the member rests from there in that cluster; empty if all rest there.
    pub(crate) apart: &'a [Vec4],
    pub(crate) origin: Vec4,
    pub(crate) x: &'a [Vec4],
    pub(crate) v: &'a [Vec4],
}

/// The sums of a run of clusters from number `first` on, where `wanted` holds. `MOTION` says how
/// much of the motion to sum up.
pub(crate) struct OfParticles<'a, F, const MOTION: u8> {
    pub(crate) particles: Particles<'a>,
    pub(crate) first: usize,
    pub(crate) out: &'a mut [Moments],
    pub(crate) wanted: F,
}

impl<F: Fn(usize) -> bool, const MOTION: u8> Job for OfParticles<'_, F, MOTION> {
    type Out = ();

    #[inline(always)]
    fn with<P: Pair>(self) {
        let Particles { table, rest, x, v, .. } = self.particles;
        let least = rest.len().min(x.len()).min(v.len());
        assert!(table.bound() <= least, "members are numbered to {} of {least}", table.bound());
        for (c, out) in (self.first..).zip(self.out) {
            if (self.wanted)(c) {
                // SAFETY: every entry of the table is below its bound, which was compared with all three arrays.
                *out = unsafe { self.particles.sum::<P, MOTION>(c) };
            }
        }
    }
}

impl Particles<'_> {
    /// # Safety
    /// Every entry of the table is an index into `rest`, `x` and `v`.
    #[inline(always)]
    unsafe fn sum<P: Pair, const MOTION: u8>(&self, c: usize) -> Moments {
        let (members, mut beyond) = (self.table.row(c), self.table.beyond(c, AHEAD));
        let Some(first) = members.first() else { return Moments::default() };
        let (x0, v0) = (self.x[first.index as usize], self.v[first.index as usize]);
        let cluster = &self.clusters[c];
        let gather = Gather { rest: self.rest, x: self.x, v: self.v, x0, v0, centre: cluster.centre };
        if !self.apart.is_empty() {
            let apart = &self.apart[self.table.starts()[c] as usize..];
            let total = gather.sum_apart::<MOTION>(members, apart);
            return total.finish(cluster, x0.with_w(0.0) - self.origin, v0);
        }
        let (head, tail) = members.split_at(members.len().min(CHUNK));
        // SAFETY: promised by the caller.
        let mut total = unsafe { gather.sum::<P, MOTION>(head, beyond) };
        for run in tail.chunks(CHUNK) {
            beyond = beyond.get(CHUNK..).unwrap_or(&[]);
            // SAFETY: as above.
            total.merge(&unsafe { gather.sum::<P, MOTION>(run, beyond) });
        }
        total.finish(cluster, x0.with_w(0.0) - self.origin, v0)
    }
}

/// Where a cluster's sums are gathered from.
struct Gather<'a> {
    rest: &'a [Vec4],
    x: &'a [Vec4],
    v: &'a [Vec4],
    x0: Vec4,
    v0: Vec4,
    centre: Vec4,
}

impl Gather<'_> {
    /// Sums over a run of members while fetching those `beyond`.
    ///
    /// # Safety
    /// Every member is an index into all three arrays.
    #[inline(always)]
    unsafe fn sum<P: Pair, const MOTION: u8>(&self, members: &[Entry], beyond: &[Entry]) -> Sums<Vec4> {
        let mut sums = Sums::<P>::zero();
        let (pairs, last) = members.as_chunks::<2>();
        let ahead = beyond.as_chunks::<2>().0;
        let (now, unfetched) = pairs.split_at(pairs.len().min(ahead.len()));
        for (two, later) in now.iter().zip(ahead) {
            self.fetch::<MOTION>(later);
            // SAFETY: promised by the caller.
            unsafe { self.add::<P, MOTION>(&mut sums, two) };
        }
        for two in unfetched {
            // SAFETY: promised by the caller.
            unsafe { self.add::<P, MOTION>(&mut sums, two) };
        }
        for &e in last {
            // SAFETY: promised by the caller. An odd one goes together with nothing.
            unsafe { self.add::<P, MOTION>(&mut sums, &[e, Entry { weight: 0.0, ..e }]) };
        }
        sums.total()
    }

    /// Sums over members that rest `apart` from where the shape has them.
    #[inline(always)]
    fn sum_apart<const MOTION: u8>(&self, members: &[Entry], apart: &[Vec4]) -> Sums<Vec4> {
        let mut total = Sums::<Vec4>::zero();
        for (members, apart) in members.chunks(CHUNK).zip(apart.chunks(CHUNK)) {
            let mut sums = Sums::<Vec4>::zero();
            for (e, apart) in members.iter().zip(apart) {
                let i = e.index as usize;
                let q = (self.rest[i] + *apart - self.centre) * e.weight;
                let v = if MOTION >= DRIFT { self.v[i] - self.v0 } else { Vec4::ZERO };
                sums.add::<MOTION>(self.x[i] - self.x0, q, v);
            }
            total.merge(&sums);
        }
        total
    }

    /// Adds two members.
    ///
    /// # Safety
    /// As for `sum`.
    #[inline(always)]
    unsafe fn add<P: Pair, const MOTION: u8>(&self, sums: &mut Sums<P>, two: &[Entry; 2]) {
        // SAFETY: promised by the caller.
        let (x, rest) = unsafe { (gather::<P>(self.x, two), gather::<P>(self.rest, two)) };
        // rest.w is 1 and centre.w is 0, so the w lane is the mass share itself.
        let q = (rest - P::all(self.centre)) * P::weights(two);
        let v = if MOTION >= DRIFT {
            // SAFETY: promised by the caller.
            unsafe { gather::<P>(self.v, two) - P::all(self.v0) }
        } else {
            P::all(Vec4::ZERO)
        };
        sums.add::<MOTION>(x - P::all(self.x0), q, v);
    }

    /// Fetches what two members will need.
    #[inline(always)]
    fn fetch<const MOTION: u8>(&self, two: &[Entry; 2]) {
        for e in two {
            prefetch(self.x, e.index as usize);
            prefetch(self.rest, e.index as usize);
            if MOTION >= DRIFT {
                prefetch(self.v, e.index as usize);
            }
        }
    }
}

/// The vectors of two members.
///
/// # Safety
/// Both are indices into `from`; checking each gather costs a tenth of the step.
#[inline(always)]
unsafe fn gather<P: Pair>(from: &[Vec4], two: &[Entry; 2]) -> P {
    let [a, b] = [two[0].index as usize, two[1].index as usize];
    debug_assert!(a < from.len() && b < from.len());
    // SAFETY: promised by the caller.
    unsafe { P::of(*from.get_unchecked(a), *from.get_unchecked(b)) }
}

/// The same for clusters below, which are larger.
const CHILDREN_AHEAD: usize = 16;

/// The sums of a run of clusters, from number `first` on, over the clusters of the level below.
pub(crate) struct OfChildren<'a, const MOTION: u8> {
    pub(crate) table: &'a Membership,
    pub(crate) clusters: &'a [RestCluster],
    pub(crate) child_rest: &'a [RestCluster],
    pub(crate) children: &'a [Moments],
    pub(crate) first: usize,
    pub(crate) out: &'a mut [Moments],
}

impl<const MOTION: u8> Job for OfChildren<'_, MOTION> {
    type Out = ();

    #[inline(always)]
    fn with<P: Pair>(mut self) {
        for (c, out) in (self.first..).zip(std::mem::take(&mut self.out)) {
            *out = self.sum::<P>(c);
        }
    }
}

impl<const MOTION: u8> OfChildren<'_, MOTION> {
    #[inline(always)]
    fn sum<P: Pair>(&self, c: usize) -> Moments {
        let (members, beyond) = (self.table.row(c), self.table.beyond(c, CHILDREN_AHEAD));
        let Some(first) = members.first() else { return Moments::default() };
        let first = &self.children[first.index as usize];
        let cluster = &self.clusters[c];
        let (x0, v0, unit) = (P::all(first.centre), P::all(first.velocity), P::all(Vec4::W - cluster.centre));
        let mut sums = Sums::<P>::zero();
        for k in (0..members.len()).step_by(2) {
            let e = members[k];
            let two = [e, members.get(k + 1).copied().unwrap_or(Entry { weight: 0.0, ..e })];
            for later in beyond.iter().skip(k).take(2) {
                prefetch(self.child_rest, later.index as usize);
                prefetch(self.children, later.index as usize);
            }
            let [a, b] = [&self.children[two[0].index as usize], &self.children[two[1].index as usize]];
            let [ra, rb] = [&self.child_rest[two[0].index as usize], &self.child_rest[two[1].index as usize]];
            let weight = P::weights(&two);
            let share = weight * P::of(Vec4::splat(ra.inverse_mass), Vec4::splat(rb.inverse_mass));
            let q = (P::of(ra.centre, rb.centre) + unit) * weight;
            sums.add::<MOTION>(P::of(a.centre, b.centre) - x0, q, P::of(a.velocity, b.velocity) - v0);
            sums.rows[0] = sums.rows[0] + P::of(a.rows[0], b.rows[0]) * share;
            sums.rows[1] = sums.rows[1] + P::of(a.rows[1], b.rows[1]) * share;
            sums.rows[2] = sums.rows[2] + P::of(a.rows[2], b.rows[2]) * share;
            if MOTION >= SPIN {
                let spin = P::of(a.spin, b.spin) * share;
                sums.twist = sums.twist + spin.yzxw().yzxw();
                sums.squares = sums.squares + P::of(Vec4::X, Vec4::X) * spin.wwww();
            }
        }
        sums.total().finish(cluster, first.centre, first.velocity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "members are numbered to 6 of 3")]
    fn a_table_with_members_that_are_not_there_is_refused() {
        let mut table = Membership::with_capacity(1, 2);
        table.push_row([0, 5].map(|index| Entry { index, weight: 0.5 }));
        let (clusters, three) = ([RestCluster::default()], [Vec4::ZERO; 3]);
        let (rest, x, v) = (&three[..], &three[..], &three[..]);
        let particles =
            Particles { table: &table, clusters: &clusters, rest, apart: &[], origin: Vec4::ZERO, x, v };
        let mut out = [Moments::default()];
        crate::lanes::run(OfParticles::<_, SPIN> { particles, first: 0, out: &mut out, wanted: |_| true });
    }
}
