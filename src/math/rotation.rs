//! The rotation closest to a 3x3 matrix, for eight matrices at a time.
//!
//! Finds the R in SO(3) that maximises tr(Rᵀ A): the rotation of the polar decomposition,
//! with the smallest direction flipped where A is inside out, so that det R = +1 always.
//!
//! Newton's method on the rotation itself, from the rotation of the step before. With
//! B = Rᵀ A, S its symmetric part and a the axial vector of its skew part, turning R by a
//! small δ changes the trace by δ·a - ½ δᵀ J δ with J = tr(S) I - S. So δ = J⁻¹ a. Adding
//! ½(√(j² + |a|²) - j) to J, where j is the curvature along a, makes the step exact for any
//! angle when the stretch is isotropic, and does not change the order of convergence.
//!
//! Directions that A leaves open (a strand's twist, a cluster squashed to a point) have no
//! curvature; a floor under J's pivots keeps the rotation there as it was, so it stays
//! continuous from step to step. A critical point with J ≥ 0 is the maximum; if Newton ends
//! anywhere else, the eigenvector of Horn's 4x4 matrix decides.

use super::symmetric::eigen;
use wide::f32x8;

/// Matrices fitted at a time.
///
/// ```
/// assert_eq!(wobble::math::rotation::LANES, 8);
/// ```
pub const LANES: usize = 8;

/// Pivots below this share of the matrix norm count as "no information".
const FLOOR: f32 = 1e-4;
/// A step below this angle (squared) is the last: convergence is cubic from there.
const SMALL: f32 = 1e-7;
/// A rigid spin has at most this much more energy, by the estimate with the largest moment of
/// inertia: twice it is reached by a flat cluster that turns about a diameter.
const MOST_ENERGY: f32 = 1.25;
const MOST_STEPS: usize = 12;

/// A 3x3 matrix in each lane; `m[column][row]`.
///
/// ```
/// use wide::f32x8;
/// use wobble::math::rotation::Mat;
///
/// let (zero, one) = (f32x8::splat(0.0), f32x8::splat(1.0));
/// let identities: Mat = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
/// ```
pub type Mat = [[f32x8; 3]; 3];
/// A vector in each lane.
///
/// ```
/// use wide::f32x8;
/// use wobble::math::rotation::Vec;
///
/// let along_x: Vec = [f32x8::splat(1.0), f32x8::splat(0.0), f32x8::splat(0.0)];
/// ```
pub type Vec = [f32x8; 3];
/// A unit quaternion (x, y, z, w) in each lane.
///
/// ```
/// use wide::f32x8;
/// use wobble::math::rotation::Quat;
///
/// let unturned: Quat = [0.0, 0.0, 0.0, 1.0].map(f32x8::splat);
/// ```
pub type Quat = [f32x8; 4];

/// The matrix of a unit quaternion.
///
/// ```
/// use wide::f32x8;
/// use wobble::math::rotation::matrix;
///
/// let about_x = [1.0, 0.0, 0.0, 0.0].map(f32x8::splat); // half a turn
/// let columns = matrix(about_x).map(|column| column.map(|lanes| lanes.to_array()[0]));
/// assert_eq!(columns, [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]);
/// ```
#[inline(always)]
pub fn matrix(q: Quat) -> Mat {
    let [x, y, z, w] = q;
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let one = f32x8::ONE;
    [
        [one - (yy + zz), xy + wz, xz - wy],
        [xy - wz, one - (xx + zz), yz + wx],
        [xz + wy, yz - wx, one - (xx + yy)],
    ]
}

/// Rᵀ A.
#[inline(always)]
fn transposed_product(r: &Mat, a: &Mat) -> Mat {
    let dot = |u: &Vec, v: &Vec| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    std::array::from_fn(|column| std::array::from_fn(|row| dot(&r[row], &a[column])))
}

/// L D Lᵀ of a symmetric matrix, its pivots kept at `floor` or above.
struct Factors {
    inverse_pivots: Vec,
    l10: f32x8,
    l20: f32x8,
    l21: f32x8,
    smallest: f32x8,
}

/// J = tr(S) I - S for the symmetric part S of `b`, as (00, 11, 22, 10, 20, 21).
#[inline(always)]
fn curvature(b: &Mat) -> [f32x8; 6] {
    let half = f32x8::splat(-0.5);
    [
        b[1][1] + b[2][2],
        b[0][0] + b[2][2],
        b[0][0] + b[1][1],
        (b[0][1] + b[1][0]) * half,
        (b[0][2] + b[2][0]) * half,
        (b[1][2] + b[2][1]) * half,
    ]
}

#[inline(always)]
fn factor(j: &[f32x8; 6], floor: f32x8) -> Factors {
    let one = f32x8::ONE;
    let d0 = j[0].fast_max(floor);
    let i0 = one / d0;
    let (l10, l20) = (j[3] * i0, j[4] * i0);
    let p1 = j[1] - l10 * j[3];
    let i1 = one / p1.fast_max(floor);
    let e21 = j[5] - l20 * j[3];
    let l21 = e21 * i1;
    let p2 = j[2] - l20 * j[4] - l21 * e21;
    let i2 = one / p2.fast_max(floor);
    Factors { inverse_pivots: [i0, i1, i2], l10, l20, l21, smallest: j[0].fast_min(p1).fast_min(p2) }
}

#[inline(always)]
fn solve(f: &Factors, b: Vec) -> Vec {
    let y0 = b[0];
    let y1 = b[1] - f.l10 * y0;
    let y2 = b[2] - f.l20 * y0 - f.l21 * y1;
    let z2 = y2 * f.inverse_pivots[2];
    let z1 = y1 * f.inverse_pivots[1] - f.l21 * z2;
    let z0 = y0 * f.inverse_pivots[0] - f.l10 * z1 - f.l20 * z2;
    [z0, z1, z2]
}

/// The rotations closest to `a`, searched from `start`. `spread` is the size a matrix has when
/// its cluster is not deformed; far below it, the rotation is kept.
///
/// ```
/// use wide::f32x8;
/// use wobble::math::rotation::closest;
///
/// // Stretched along x, not turned.
/// let stretched = [[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|column| column.map(f32x8::splat));
/// let near = [0.1, 0.0, 0.0, 0.995].map(f32x8::splat);
/// let found = closest(&stretched, f32x8::splat(3.0), near).map(|lanes| lanes.to_array()[0]);
/// assert!(found[3] > 0.99999);
/// ```
#[inline]
pub fn closest(a: &Mat, spread: f32x8, start: Quat) -> Quat {
    let squares = a.iter().flatten().fold(f32x8::ZERO, |sum, &c| sum + c * c);
    // Lanes without any size, such as padding, divide by one.
    let size = squares.sqrt().fast_max(spread * f32x8::splat(1e-6));
    let empty = size.simd_le(f32x8::ZERO);
    let scale = f32x8::ONE / empty.select(f32x8::ONE, size);
    let a: Mat = std::array::from_fn(|k| std::array::from_fn(|i| a[k][i] * scale));
    let floor = f32x8::splat(FLOOR);
    let mut q = start;
    for _ in 0..MOST_STEPS {
        let (turn, lowest) = newton(&a, &q, floor);
        q = turned(&q, turn);
        let angle = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
        if angle.simd_lt(f32x8::splat(SMALL)).all() {
            let good = lowest.simd_gt(f32x8::splat(-1e-3));
            return if good.all() { q } else { rescued(&a, start, q, good.to_bitmask()) };
        }
    }
    rescued(&a, start, q, 0)
}

/// One Newton turn for normalised `a`, and the smallest pivot of J (lifted, which near the
/// solution makes no difference).
#[inline(always)]
fn newton(a: &Mat, q: &Quat, floor: f32x8) -> (Vec, f32x8) {
    let b = transposed_product(&matrix(*q), a);
    let axial = [b[1][2] - b[2][1], b[2][0] - b[0][2], b[0][1] - b[1][0]];
    let mut j = curvature(&b);
    let [x, y, z] = axial;
    let tiny = f32x8::splat(1e-30);
    let squared = x * x + y * y + z * z;
    let across = x * x * j[0]
        + y * y * j[1]
        + z * z * j[2]
        + f32x8::splat(2.0) * (x * y * j[3] + x * z * j[4] + y * z * j[5]);
    let along = across / (squared + tiny);
    let lift = f32x8::splat(0.5) * ((along * along + squared).sqrt() - along);
    for diagonal in &mut j[..3] {
        *diagonal += lift;
    }
    let factors = factor(&j, floor);
    (bounded(solve(&factors, axial)), factors.smallest)
}

/// A turn of at most two thirds of a half turn; none at all where J, far from definite, asks for
/// more than a number holds. The search then ends where it is, and J tells that it failed.
#[inline(always)]
fn bounded(turn: Vec) -> Vec {
    let squared = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
    let largest = f32x8::splat(12.0);
    let scale = squared.simd_gt(largest).select((largest / squared).sqrt(), f32x8::ONE);
    let sound = squared.simd_lt(f32x8::splat(f32::MAX));
    turn.map(|c| sound.select(c * scale, f32x8::ZERO))
}

/// `q` followed by the small rotation `turn` in the turned frame, of unit length.
#[inline(always)]
fn turned(q: &Quat, turn: Vec) -> Quat {
    let half = f32x8::splat(0.5);
    let [a, b, c] = [turn[0] * half, turn[1] * half, turn[2] * half];
    let [x, y, z, w] = *q;
    let n = [
        x + w * a + y * c - z * b,
        y + w * b + z * a - x * c,
        z + w * c + x * b - y * a,
        w - x * a - y * b - z * c,
    ];
    let scale = f32x8::ONE / (n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]).sqrt();
    n.map(|c| c * scale)
}

/// The angular velocity ω for which Σ m p × (ω × R q) is the angular momentum `spin`: the
/// spin of the rigid goal that carries a cluster's angular momentum. With A = Σ m p qᵀ that
/// sum is R J Rᵀ ω, J being the curvature above: the match already holds all it takes.
///
/// In a cluster that is squashed or inside out, little spin may ask for a fast ω. It is kept to
/// what the cluster's own motion can feed, `energy` being twice its kinetic energy: damping
/// towards it then brakes such a cluster's spin rather than adding to its energy.
///
/// ```
/// use wide::f32x8;
/// use wobble::math::rotation::angular_velocity;
///
/// // A ball of scatter 1 along each axis that is neither deformed nor turned: its inertia is 2.
/// let scatter = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|column| column.map(f32x8::splat));
/// let unturned = [0.0, 0.0, 0.0, 1.0].map(f32x8::splat);
/// let (spin, energy) = ([0.0, 0.0, 2.0].map(f32x8::splat), f32x8::splat(2.0));
/// let six = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0].map(f32x8::splat);
/// let omega = angular_velocity(&scatter, unturned, spin, energy, f32x8::splat(3.0), six);
/// assert!((omega[2].to_array()[0] - 1.0).abs() < 1e-3);
/// ```
#[inline]
pub fn angular_velocity(
    a: &Mat,
    q: Quat,
    spin: Vec,
    energy: f32x8,
    spread: f32x8,
    scatter: [f32x8; 6],
) -> Vec {
    let r = matrix(q);
    let b = transposed_product(&r, a);
    // Zero where R is the closest rotation; elsewhere J alone would be too small.
    let axial = [b[1][2] - b[2][1], b[2][0] - b[0][2], b[0][1] - b[1][0]];
    let skew = (axial[0] * axial[0] + axial[1] * axial[1] + axial[2] * axial[2]).sqrt();
    let mut j = curvature(&b);
    for diagonal in &mut j[..3] {
        *diagonal += skew;
    }
    let floor = (spread * f32x8::splat(1e-3)).fast_max(f32x8::splat(f32::MIN_POSITIVE));
    let local: Vec = std::array::from_fn(|i| r[i][0] * spin[0] + r[i][1] * spin[1] + r[i][2] * spin[2]);
    let w = solve(&factor(&j, floor), local);
    // Twice the energy of the goal's spin: w (tr(A_rr) I - A_rr) w.
    let [xx, yy, zz, xy, xz, yz] = scatter;
    let two = f32x8::splat(2.0);
    let carried = w[0] * w[0] * (yy + zz) + w[1] * w[1] * (xx + zz) + w[2] * w[2] * (xx + yy)
        - two * (w[0] * w[1] * xy + w[0] * w[2] * xz + w[1] * w[2] * yz)
        + (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) * spread * f32x8::splat(0.01);
    let allowed = energy * f32x8::splat(MOST_ENERGY);
    let scale = carried.simd_gt(allowed).select((allowed / carried).sqrt(), f32x8::ONE);
    // J far from definite can ask for more than a number holds; then no spin is the better answer.
    let sound = carried.simd_lt(f32x8::splat(f32::MAX));
    let w = w.map(|c| sound.select(c * scale, f32x8::ZERO));
    std::array::from_fn(|i| r[0][i] * w[0] + r[1][i] * w[1] + r[2][i] * w[2])
}

/// Replaces the lanes that are not in `good` by the answer of the slow, sure method.
#[cold]
fn rescued(a: &Mat, start: Quat, found: Quat, good: u32) -> Quat {
    let columns = a.map(|c| c.map(|v| v.to_array()));
    let starts = start.map(|c| c.to_array());
    let mut out = found.map(|c| c.to_array());
    for lane in (0..LANES).filter(|lane| good >> lane & 1 == 0) {
        let m = std::array::from_fn(|k| std::array::from_fn(|i| f64::from(columns[k][i][lane])));
        let q = closest_surely(m, starts.map(|c| c[lane]));
        for (row, value) in out.iter_mut().zip(q) {
            row[lane] = value;
        }
    }
    out.map(f32x8::new)
}

/// The maximiser of tr(Rᵀ A) as the top eigenvector of Horn's symmetric 4x4 matrix; where
/// several are equally good, the one nearest to `start`. `m[column][row]`.
///
/// ```
/// use wobble::math::rotation::closest_surely;
///
/// let unturned = closest_surely([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]], [0.0, 0.0, 0.0, 1.0]);
/// assert!(unturned[3].abs() > 0.9999);
/// ```
pub fn closest_surely(m: [[f64; 3]; 3], start: [f32; 4]) -> [f32; 4] {
    if m.iter().flatten().any(|c| !c.is_finite()) {
        return start;
    }
    let [[xx, yx, zx], [xy, yy, zy], [xz, yz, zz]] = m;
    let horn = [
        [xx - yy - zz, xy + yx, xz + zx, zy - yz],
        [xy + yx, yy - xx - zz, yz + zy, xz - zx],
        [xz + zx, yz + zy, zz - xx - yy, yx - xy],
        [zy - yz, xz - zx, yx - xy, xx + yy + zz],
    ];
    let (values, vectors) = eigen(horn);
    let size = values[0].abs().max(values[3].abs());
    let start = start.map(f64::from);
    let mut near = [0.0; 4];
    for (value, vector) in values.iter().zip(&vectors) {
        if values[0] - value <= 1e-5 * size {
            let share: f64 = (0..4).map(|i| vector[i] * start[i]).sum();
            (0..4).for_each(|i| near[i] += share * vector[i]);
        }
    }
    let norm = near.iter().map(|c| c * c).sum::<f64>().sqrt();
    let best = if norm > 1e-3 { near.map(|c| c / norm) } else { vectors[0] };
    best.map(|c| c as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DQuat, DVec3};

    fn lanes(m: [DMat3; LANES]) -> Mat {
        let at = |k: usize, i: usize| f32x8::new(m.map(|m| m.col(k)[i] as f32));
        std::array::from_fn(|k| std::array::from_fn(|i| at(k, i)))
    }

    fn start(q: DQuat) -> Quat {
        q.to_array().map(|c| f32x8::splat(c as f32))
    }

    fn first(q: Quat) -> DQuat {
        let [x, y, z, w] = q.map(|c| f64::from(c.to_array()[0]));
        DQuat::from_xyzw(x, y, z, w)
    }

    fn found(a: DMat3, from: DQuat) -> DMat3 {
        DMat3::from_quat(first(closest(&lanes([a; LANES]), f32x8::splat(1.0), start(from))).normalize())
    }

    fn far(a: DMat3, b: DMat3) -> f64 {
        (a - b).to_cols_array().iter().fold(0.0, |worst, c| worst.max(c.abs()))
    }

    #[test]
    fn a_stretched_rotation_is_found_from_any_start() {
        let r = DMat3::from_quat(DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -3.0).normalize(), 2.9));
        let stretch =
            DMat3::from_cols(DVec3::new(2.0, 0.3, 0.1), DVec3::new(0.3, 1.0, 0.2), DVec3::new(0.1, 0.2, 0.4));
        for k in 0..40 {
            let axis = DVec3::new((k as f64).sin(), (1.7 * k as f64).cos(), (0.3 * k as f64).sin() + 0.1);
            let from = DQuat::from_axis_angle(axis.normalize(), 0.16 * k as f64);
            assert!(far(found(r * stretch, from), r) < 2e-6, "from start {k}");
        }
    }

    #[test]
    fn the_half_turn_saddle_is_left() {
        let half = DQuat::from_axis_angle(DVec3::X, std::f64::consts::PI);
        assert!(far(found(DMat3::from_diagonal(DVec3::new(1.0, 0.8, 0.6)), half), DMat3::IDENTITY) < 1e-6);
    }

    #[test]
    fn a_start_at_the_minimum_does_not_overflow() {
        let a = [
            [0.757_517, -0.115_118, -0.037_448],
            [-0.115_115, 0.505_759, 0.142_399],
            [-0.037_45, 0.142_395, 0.615_64],
        ];
        let from = DQuat::from_xyzw(-0.793_718_76, 0.446_812_15, 0.412_758_5, 1.946_612e-6);
        let r = found(DMat3::from_cols_array_2d(&a), from);
        assert!(far(r, DMat3::IDENTITY) < 1e-4, "{r}");
    }

    #[test]
    fn an_inside_out_matrix_gives_a_proper_rotation_with_the_smallest_direction_flipped() {
        let r = found(DMat3::from_diagonal(DVec3::new(3.0, 2.0, -1.0)), DQuat::from_rotation_y(0.4));
        assert!(far(r, DMat3::IDENTITY) < 1e-6);
    }

    #[test]
    fn what_the_matrix_leaves_open_stays_as_it_was() {
        let twist = DQuat::from_rotation_x(0.7);
        let strand = found(DMat3::from_diagonal(DVec3::new(1.0, 0.0, 0.0)), twist);
        assert!(far(strand, DMat3::from_quat(twist)) < 1e-4);
        assert!(far(found(DMat3::ZERO, twist), DMat3::from_quat(twist)) < 1e-6);
        let flat = found(DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0)), twist);
        assert!(far(flat, DMat3::IDENTITY) < 1e-6);
    }

    #[test]
    fn matrices_of_any_size_work_alike() {
        let r = DMat3::from_quat(DQuat::from_rotation_z(0.3));
        for size in [1e-12, 1e-6, 1.0, 1e6, 1e12] {
            let m = lanes([r * size; LANES]);
            let q = closest(&m, f32x8::splat(3.0 * size as f32), start(DQuat::IDENTITY));
            assert!(far(DMat3::from_quat(first(q).normalize()), r) < 1e-6, "at size {size}");
        }
    }

    #[test]
    fn neighbouring_lanes_do_not_disturb_each_other() {
        let turns: [DMat3; LANES] =
            std::array::from_fn(|k| DMat3::from_quat(DQuat::from_rotation_y(0.1 * k as f64)));
        let mut a = turns;
        a[3] = DMat3::ZERO;
        a[5] = DMat3::from_diagonal(DVec3::splat(f64::NAN));
        let q = closest(&lanes(a), f32x8::splat(1.0), start(DQuat::IDENTITY)).map(|c| c.to_array());
        for k in [0, 1, 2, 4, 6, 7] {
            let r = DMat3::from_quat(DQuat::from_array(q.map(|c| f64::from(c[k]))));
            assert!(far(r, turns[k]) < 1e-6, "lane {k}");
        }
        assert!(q.iter().all(|c| c[5].is_finite()), "the lane without a number keeps its start");
    }

    #[test]
    fn a_rigid_spin_gives_its_angular_velocity_back() {
        let points =
            [DVec3::new(1.0, 0.2, 0.0), DVec3::new(-0.3, 1.0, 0.4), DVec3::new(-0.7, -1.2, -0.4), DVec3::Z];
        let (turn, omega) = (DQuat::from_rotation_z(0.8), DVec3::new(1.0, -2.0, 0.5));
        let (mut a, mut spin, mut energy, mut spread) = (DMat3::ZERO, DVec3::ZERO, 0.0, 0.0);
        for q in points {
            let p = turn * q;
            energy += omega.cross(p).length_squared() as f32;
            spread += q.length_squared() as f32;
            a += DMat3::from_cols(p * q.x, p * q.y, p * q.z);
            spin += p.cross(omega.cross(p));
        }
        let spin = spin.to_array().map(|c| f32x8::splat(c as f32));
        let w = angular_velocity(
            &lanes([a; LANES]),
            start(turn),
            spin,
            f32x8::splat(energy),
            f32x8::splat(spread),
            [f32x8::ZERO; 6],
        );
        let w = DVec3::from(w.map(|c| f64::from(c.to_array()[0])));
        assert!((w - omega).length() < 1e-5, "{w}");
    }
}
