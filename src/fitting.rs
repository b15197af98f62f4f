//! The best rigid motion of each cluster, eight clusters at a time.
//!
//! Reads the moments of a row of clusters; writes their rotations, angular velocities and
//! rigid transforms. Rotation from A_xr (SM, momentum is kept) or from F (RC 3.1).

use glam::Vec4;

use crate::lanes::{self, Job, Pair};
use crate::matching::Moments;
use crate::math::rotation::{self, LANES, Mat};
use crate::shape::RestCluster;

/// The rigid motion found for a cluster.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Fit {
    /// Unit quaternion; also where the search starts in the next step.
    pub(crate) rotation: Vec4,
    /// Angular velocity, rad/s; zero unless damping asks for it.
    pub(crate) omega: Vec4,
}

impl Default for Fit {
    fn default() -> Self {
        Fit { rotation: Vec4::W, omega: Vec4::ZERO }
    }
}

/// Where a cluster would put its members, about the body's origin: column k times r_k, plus
/// the shift.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct Rigid {
    /// Columns of R, w = 0.
    pub(crate) columns: [Vec4; 3],
    /// x̄ - R r̄; w is the cluster's width, which strain limiting reads beside it.
    pub(crate) shift: Vec4,
}

/// What to fit.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// Take rotations from F = A_xr A_rr⁻¹ with these inverses, else from A_xr.
    pub(crate) stretch: Option<&'a [[f32; 6]]>,
    /// Find angular velocities too.
    pub(crate) spin: Option<&'a [[f32; 6]]>,
}

/// Fits those clusters of a row for which `stale` holds, and leaves the others alone. All slices are of one
/// length.
#[inline]
pub(crate) fn fit_where(
    clusters: &[RestCluster],
    moments: &[Moments],
    wanted: Wanted,
    stale: impl Fn(usize) -> bool,
    fits: &mut [Fit],
    out: &mut [Rigid],
) {
    lanes::run(Fitting { clusters, moments, wanted, stale, fits, out });
}

/// What `fit_where` does, in the widest registers there are.
struct Fitting<'a, F> {
    clusters: &'a [RestCluster],
    moments: &'a [Moments],
    wanted: Wanted<'a>,
    stale: F,
    fits: &'a mut [Fit],
    out: &'a mut [Rigid],
}

impl<F: Fn(usize) -> bool> Job for Fitting<'_, F> {
    type Out = ();

    #[inline(always)]
    fn with<P: Pair>(self) {
        let Fitting { clusters, moments, wanted, stale, fits, out } = self;
        for from in (0..clusters.len()).step_by(LANES) {
            let to = (from + LANES).min(clusters.len());
            if !(from..to).any(&stale) {
                continue;
            }
            let group = Group { clusters: &clusters[from..to], moments: &moments[from..to], first: from };
            let found = group.fit::<P>(wanted, &fits[from..to]);
            for lane in (0..to - from).filter(|lane| stale(from + lane)) {
                let Found { rotations, omegas, columns: [x, y, z], shifts } = &found;
                fits[from + lane] = Fit { rotation: rotations[lane], omega: omegas[lane] };
                out[from + lane] = Rigid { columns: [x[lane], y[lane], z[lane]], shift: shifts[lane] };
            }
        }
    }
}

/// What `Fit` and `Rigid` are made of, for each lane.
struct Found {
    rotations: [Vec4; LANES],
    omegas: [Vec4; LANES],
    columns: [[Vec4; LANES]; 3],
    shifts: [Vec4; LANES],
}

/// Up to eight clusters, a lane for each; what lanes are left over do again what the last one does.
struct Group<'a> {
    clusters: &'a [RestCluster],
    moments: &'a [Moments],
    /// Number of the first in its row.
    first: usize,
}

impl Group<'_> {
    #[inline(always)]
    fn fit<P: Pair>(&self, wanted: Wanted, before: &[Fit]) -> Found {
        let x: [P; 4] = self.across(|lane| self.moments[lane].rows[0]);
        let y: [P; 4] = self.across(|lane| self.moments[lane].rows[1]);
        let z: [P; 4] = self.across(|lane| self.moments[lane].rows[2]);
        let a = [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]];
        let [_, _, spread, width] = self.across::<P>(|lane| {
            let RestCluster { mass, inverse_mass, spread, width, .. } = self.clusters[lane];
            Vec4::new(mass, inverse_mass, spread, width)
        });
        let start = self.across(|lane| before[lane].rotation);
        let q = match wanted.stretch {
            None => rotation::closest(&a, spread, start),
            Some(inverse) => {
                let f = gradient(&a, self.six(inverse));
                rotation::closest(&f, P::all(Vec4::ONE), start)
            }
        };
        let (r, zero) = (rotation::matrix(q), P::all(Vec4::ZERO));
        let mut omega = [zero; 3];
        if let Some(scatter) = wanted.spin {
            let [x, y, z, energy] = self.across(|lane| self.moments[lane].spin);
            omega = rotation::angular_velocity(&a, &r, [x, y, z], energy, spread, self.six(scatter));
        }
        let shift = self.shift(&r);
        Found {
            rotations: apart(q),
            omegas: apart([omega[0], omega[1], omega[2], zero]),
            columns: [
                apart([r[0][0], r[0][1], r[0][2], zero]),
                apart([r[1][0], r[1][1], r[1][2], zero]),
                apart([r[2][0], r[2][1], r[2][2], zero]),
            ],
            shifts: apart([shift[0], shift[1], shift[2], width]),
        }
    }

    /// x̄ - R r̄.
    #[inline(always)]
    fn shift<P: Pair>(&self, r: &Mat<P>) -> [P; 3] {
        let now: [P; 4] = self.across(|lane| self.moments[lane].centre);
        let [x, y, z, _] = self.across(|lane| self.clusters[lane].centre);
        let rest = rotation::product(r, &[x, y, z]);
        let [x, y, z, _] = self.across(|lane| self.clusters[lane].residue.extend(0.0));
        let residue = rotation::product(r, &[x, y, z]);
        [now[0] - rest[0] - residue[0], now[1] - rest[1] - residue[1], now[2] - rest[2] - residue[2]]
    }

    /// The x, y, z and w of the vectors of eight clusters, each in its lane.
    #[inline(always)]
    fn across<P: Pair>(&self, vector: impl Fn(usize) -> Vec4) -> [P; 4] {
        let last = self.clusters.len() - 1;
        let v: [Vec4; LANES] = std::array::from_fn(|lane| vector(lane.min(last)));
        P::transposed([P::of(v[0], v[4]), P::of(v[1], v[5]), P::of(v[2], v[6]), P::of(v[3], v[7])])
    }

    /// The six numbers of each cluster's symmetric matrix.
    #[inline(always)]
    fn six<P: Pair>(&self, matrices: &[[f32; 6]]) -> [P; 6] {
        let row = &matrices[self.first..];
        let [a, b, c, d] = self.across(|lane| Vec4::from_slice(&row[lane][..4]));
        let [_, _, e, f] = self.across(|lane| Vec4::from_slice(&row[lane][2..]));
        [a, b, c, d, e, f]
    }
}

/// The vectors whose x, y, z and w these are, lane by lane.
#[inline(always)]
fn apart<P: Pair>(lanes: [P; 4]) -> [Vec4; LANES] {
    let [a, b, c, d] = P::transposed(lanes);
    let ([a, e], [b, f], [c, g], [d, h]) = (a.parts(), b.parts(), c.parts(), d.parts());
    [a, b, c, d, e, f, g, h]
}

/// F = A_xr A_rr⁻¹ in each lane.
#[inline(always)]
fn gradient<P: Pair>(a: &Mat<P>, inverse: [P; 6]) -> Mat<P> {
    let [xx, yy, zz, xy, xz, yz] = inverse;
    let along = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    [rotation::product(a, &along[0]), rotation::product(a, &along[1]), rotation::product(a, &along[2])]
}
