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
#[derive(Clone, Copy, Default)]
struct Sums {
    rows: [Vec4; 3],
    momentum: Vec4,
    /// Σ d × p but for the last turn of its components, which waits until all are summed.
    twist: Vec4,
    /// Σ m v∘v.
    squares: Vec4,
}

impl Sums {
    /// Adds a member at `d` from the reference; `q` is its rest position from the cluster's
    /// centre times its mass share, and w that share.
    #[inline(always)]
    fn add<const MOTION: u8>(&mut self, d: Vec4, q: Vec4, speed: impl FnOnce() -> Vec4) {
        self.rows[0] += q * d.xxxx();
        self.rows[1] += q * d.yyyy();
        self.rows[2] += q * d.zzzz();
        if MOTION >= DRIFT {
            let v = speed();
            let p = v * q.wwww();
            self.momentum += p;
            if MOTION >= SPIN {
                self.squares += p * v;
                self.twist += d * p.yzxw() - d.yzxw() * p;
            }
        }
    }

    #[inline(always)]
    fn merge(&mut self, other: &Sums) {
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
        let about_reference = Vec3A::from_vec4(self.twist.yzxw());
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

/// Entries between a member that is summed and one whose data is fetched ahead: gathers miss the
/// near caches often enough that this takes a sixth off the match.
const AHEAD: usize = 32;

/// Sums over the particles of row `row` of `table`. `MOTION` says how much of
/// the motion to sum up.
///
/// # Safety
/// Every entry of the table is an index into `rest`, `x` and `v`.
#[inline]
pub(crate) unsafe fn of_particles<const MOTION: u8>(
    table: &Membership,
    row: usize,
    cluster: &RestCluster,
    rest: &[Vec4],
    origin: Vec4,
    x: &[Vec4],
    v: &[Vec4],
) -> Moments {
    let (members, mut beyond) = (table.row(row), table.beyond(row, AHEAD));
    let Some(first) = members.first() else { return Moments::default() };
    let (x0, v0) = (x[first.index as usize], v[first.index as usize]);
    let gather = Gather { rest, x, v, x0, v0, centre: cluster.centre };
    let (head, tail) = members.split_at(members.len().min(CHUNK));
    // SAFETY: promised by the caller.
    let mut total = unsafe { gather.sum::<MOTION>(head, beyond) };
    for run in tail.chunks(CHUNK) {
        beyond = beyond.get(CHUNK..).unwrap_or(&[]);
        // SAFETY: promised by the caller.
        total.merge(&unsafe { gather.sum::<MOTION>(run, beyond) });
    }
    total.finish(cluster, x0.with_w(0.0) - origin, v0)
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
    unsafe fn sum<const MOTION: u8>(&self, members: &[Entry], beyond: &[Entry]) -> Sums {
        let (rest, x, v) = (self.rest, self.x, self.v);
        let add = |sums: &mut Sums, e: &Entry| {
            let i = e.index as usize;
            debug_assert!(i < x.len() && i < rest.len() && i < v.len());
            // SAFETY: promised by the caller; checking each of three gathers costs a tenth of the step.
            let (x, r) = unsafe { (*x.get_unchecked(i), *rest.get_unchecked(i)) };
            // rest.w is 1 and centre.w is 0, so the w lane is the mass share itself.
            let q = (r - self.centre) * e.weight;
            // SAFETY: as above.
            sums.add::<MOTION>(x - self.x0, q, || unsafe { *v.get_unchecked(i) } - self.v0);
        };
        let fetch = |e: &Entry| {
            prefetch(x, e.index as usize);
            prefetch(rest, e.index as usize);
            if MOTION >= DRIFT {
                prefetch(v, e.index as usize);
            }
        };
        let mut sums = Sums::default();
        let fetched = members.len().min(beyond.len());
        let (now, unfetched) = members.split_at(fetched);
        if MOTION >= SPIN {
            for (e, later) in now.iter().zip(beyond) {
                fetch(later);
                add(&mut sums, e);
            }
        } else {
            // Two chains of sums hide the latency of an addition; more would not fit the registers.
            let mut odd = Sums::default();
            let (pairs, last) = now.as_chunks::<2>();
            for ([a, b], [c, d]) in pairs.iter().zip(beyond.as_chunks::<2>().0) {
                fetch(c);
                add(&mut sums, a);
                fetch(d);
                add(&mut odd, b);
            }
            last.iter().for_each(|e| add(&mut sums, e));
            sums.merge(&odd);
        }
        unfetched.iter().for_each(|e| add(&mut sums, e));
        sums
    }
}

/// Sums over the clusters of the level below.
#[inline]
pub(crate) fn of_children<const MOTION: u8>(
    members: &[Entry],
    cluster: &RestCluster,
    child_rest: &[RestCluster],
    children: &[Moments],
) -> Moments {
    let Some(first) = members.first() else { return Moments::default() };
    let first = &children[first.index as usize];
    let (x0, v0) = (first.centre, first.velocity);
    let unit = Vec4::W - cluster.centre;
    let mut sums = Sums::default();
    for e in members {
        let (child, rest) = (&children[e.index as usize], &child_rest[e.index as usize]);
        let share = e.weight * rest.inverse_mass;
        sums.add::<MOTION>(child.centre - x0, (rest.centre + unit) * e.weight, || child.velocity - v0);
        for k in 0..3 {
            sums.rows[k] += child.rows[k] * share;
        }
        if MOTION >= SPIN {
            sums.twist += child.spin.zxyw() * share;
            sums.squares.x += child.spin.w * share;
        }
    }
    sums.finish(cluster, x0, v0)
}
