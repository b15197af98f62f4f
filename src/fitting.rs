//! The best rigid motion of each cluster, eight clusters at a time.
//!
//! Reads the moments of a row of clusters; writes their rotations, angular velocities and
//! rigid transforms. Rotation from A_xr (SM, momentum is kept) or from F (RC 3.1).

use glam::{Mat3A, Quat, Vec3A, Vec4};
use wide::f32x8;

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
    for from in (0..clusters.len()).step_by(LANES) {
        let to = (from + LANES).min(clusters.len());
        if !(from..to).any(&stale) {
            continue;
        }
        let (found, spins) =
            fit_group(&clusters[from..to], &moments[from..to], wanted, from, &fits[from..to]);
        for lane in (0..to - from).filter(|lane| stale(from + lane)) {
            let i = from + lane;
            fits[i] = Fit { rotation: found[lane], omega: spins[lane] };
            out[i] = rigid(found[lane], &moments[i], &clusters[i]);
        }
    }
}

/// Rotations and angular velocities of up to eight clusters.
#[inline]
fn fit_group(
    clusters: &[RestCluster],
    moments: &[Moments],
    wanted: Wanted,
    first: usize,
    fits: &[Fit],
) -> ([Vec4; LANES], [Vec4; LANES]) {
    let last = clusters.len() - 1;
    let at = |lane: usize| lane.min(last);
    let rows: Mat = std::array::from_fn(|i| across(|lane| moments[at(lane)].rows[i]));
    let a: Mat = std::array::from_fn(|k| std::array::from_fn(|i| rows[i][k]));
    let spread = f32x8::new(std::array::from_fn(|lane| clusters[at(lane)].spread));
    let [qx, qy, qz] = across(|lane| fits[at(lane)].rotation);
    let qw = f32x8::new(std::array::from_fn(|lane| fits[at(lane)].rotation.w));
    let q = match wanted.stretch {
        None => rotation::closest(&a, spread, [qx, qy, qz, qw]),
        Some(inverse) => {
            let f: Mat = gradient(&a, |lane| &inverse[first + at(lane)]);
            rotation::closest(&f, f32x8::ONE, [qx, qy, qz, qw])
        }
    };
    let mut spins = [Vec4::ZERO; LANES];
    if let Some(scatter) = wanted.spin {
        let scatter: [f32x8; 6] =
            std::array::from_fn(|k| f32x8::new(std::array::from_fn(|lane| scatter[first + at(lane)][k])));
        let spin = across(|lane| moments[at(lane)].spin);
        let energy = f32x8::new(std::array::from_fn(|lane| moments[at(lane)].spin.w));
        let [x, y, z] =
            rotation::angular_velocity(&a, q, spin, energy, spread, scatter).map(|c| c.to_array());
        spins = std::array::from_fn(|lane| Vec4::new(x[lane], y[lane], z[lane], 0.0));
    }
    let [x, y, z, w] = q.map(|c| c.to_array());
    (std::array::from_fn(|lane| Vec4::new(x[lane], y[lane], z[lane], w[lane])), spins)
}

/// The x, y and z of eight vectors, each in its lane.
#[inline(always)]
fn across(vector: impl Fn(usize) -> Vec4) -> [f32x8; 3] {
    let v: [Vec4; LANES] = std::array::from_fn(vector);
    [v.map(|v| v.x), v.map(|v| v.y), v.map(|v| v.z)].map(f32x8::new)
}

/// F = A_xr A_rr⁻¹ in each lane.
#[inline(always)]
fn gradient<'a>(a: &Mat, inverse: impl Fn(usize) -> &'a [f32; 6]) -> Mat {
    let s: [f32x8; 6] = std::array::from_fn(|k| f32x8::new(std::array::from_fn(|lane| inverse(lane)[k])));
    let columns = [[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]];
    columns.map(|c| std::array::from_fn(|row| a[0][row] * c[0] + a[1][row] * c[1] + a[2][row] * c[2]))
}

#[inline(always)]
fn rigid(rotation: Vec4, moments: &Moments, cluster: &RestCluster) -> Rigid {
    let m = Mat3A::from_quat(Quat::from_vec4(rotation));
    let columns = [m.x_axis, m.y_axis, m.z_axis].map(|c: Vec3A| c.extend(0.0));
    let r = cluster.centre;
    let turned = columns[0] * r.x + columns[1] * r.y + columns[2] * r.z;
    let shift = moments.centre - turned - (m * cluster.residue).extend(0.0);
    Rigid { columns, shift: Vec4::new(shift.x, shift.y, shift.z, cluster.width) }
}
