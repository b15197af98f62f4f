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

use glam::Vec4;

use super::symmetric::eigen;
use crate::lanes::Pair;

/// Matrices fitted at a time: one in each lane of a pair of four.
pub(crate) const LANES: usize = 8;
/// Bits of all lanes.
const ALL: u32 = (1 << LANES) - 1;

/// Pivots below this share of the matrix norm count as "no information".
const FLOOR: f32 = 1e-4;
/// A step below this angle (squared) is the last: convergence is cubic from there.
const SMALL: f32 = 1e-7;
/// A rigid spin has at most this much more energy, by the estimate with the largest moment of
/// inertia: twice it is reached by a flat cluster that turns about a diameter.
const MOST_ENERGY: f32 = 1.25;
const MOST_STEPS: usize = 12;

/// A 3x3 matrix in each lane; `m[column][row]`.
pub(crate) type Mat<P> = [[P; 3]; 3];
/// A vector in each lane.
pub(crate) type Vec<P> = [P; 3];
/// A unit quaternion (x, y, z, w) in each lane.
pub(crate) type Quat<P> = [P; 4];

/// The number in every lane.
#[inline(always)]
fn every<P: Pair>(number: f32) -> P {
    P::all(Vec4::splat(number))
}

/// The matrix of a unit quaternion.
#[inline(always)]
pub(crate) fn matrix<P: Pair>(q: Quat<P>) -> Mat<P> {
    let [x, y, z, w] = q;
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let one = every::<P>(1.0);
    [
        [one - (yy + zz), xy + wz, xz - wy],
        [xy - wz, one - (xx + zz), yz + wx],
        [xz + wy, yz - wx, one - (xx + yy)],
    ]
}

#[inline(always)]
fn dot<P: Pair>(u: &Vec<P>, v: &Vec<P>) -> P {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

/// M v.
#[inline(always)]
pub(crate) fn product<P: Pair>(m: &Mat<P>, v: &Vec<P>) -> Vec<P> {
    let [x, y, z] = m;
    [
        x[0] * v[0] + y[0] * v[1] + z[0] * v[2],
        x[1] * v[0] + y[1] * v[1] + z[1] * v[2],
        x[2] * v[0] + y[2] * v[1] + z[2] * v[2],
    ]
}

/// Mᵀ v.
#[inline(always)]
fn transposed_product<P: Pair>(m: &Mat<P>, v: &Vec<P>) -> Vec<P> {
    [dot(&m[0], v), dot(&m[1], v), dot(&m[2], v)]
}

/// Rᵀ A.
#[inline(always)]
fn seen_from<P: Pair>(r: &Mat<P>, a: &Mat<P>) -> Mat<P> {
    [transposed_product(r, &a[0]), transposed_product(r, &a[1]), transposed_product(r, &a[2])]
}

/// The vector times a number, or zero where `squared` is more than a number holds.
#[inline(always)]
fn scaled_if_sound<P: Pair>(v: Vec<P>, scale: P, squared: P) -> Vec<P> {
    let most = every::<P>(f32::MAX);
    let [x, y, z] = v;
    [
        most.where_above(squared, x * scale),
        most.where_above(squared, y * scale),
        most.where_above(squared, z * scale),
    ]
}

/// L D Lᵀ of a symmetric matrix, its pivots kept at `floor` or above.
struct Factors<P> {
    inverse_pivots: Vec<P>,
    l10: P,
    l20: P,
    l21: P,
    smallest: P,
}

/// J = tr(S) I - S for the symmetric part S of `b`, as (00, 11, 22, 10, 20, 21).
#[inline(always)]
fn curvature<P: Pair>(b: &Mat<P>) -> [P; 6] {
    let half = every::<P>(-0.5);
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
fn factor<P: Pair>(j: &[P; 6], floor: P) -> Factors<P> {
    let one = every::<P>(1.0);
    let d0 = j[0].greatest(floor);
    let i0 = one / d0;
    let (l10, l20) = (j[3] * i0, j[4] * i0);
    let p1 = j[1] - l10 * j[3];
    let i1 = one / p1.greatest(floor);
    let e21 = j[5] - l20 * j[3];
    let l21 = e21 * i1;
    let p2 = j[2] - l20 * j[4] - l21 * e21;
    let i2 = one / p2.greatest(floor);
    Factors { inverse_pivots: [i0, i1, i2], l10, l20, l21, smallest: j[0].least(p1).least(p2) }
}

#[inline(always)]
fn solve<P: Pair>(f: &Factors<P>, b: Vec<P>) -> Vec<P> {
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
#[inline(always)]
pub(crate) fn closest<P: Pair>(a: &Mat<P>, spread: P, start: Quat<P>) -> Quat<P> {
    let mut squares = every::<P>(0.0);
    for c in a.as_flattened() {
        squares = squares + *c * *c;
    }
    // Lanes without any size, such as padding, divide by one.
    let size = squares.sqrt().greatest(spread * every(1e-6));
    let scale = every::<P>(1.0) / size.where_above_else(every(0.0), size, every(1.0));
    let mut a = *a;
    for c in a.as_flattened_mut() {
        *c = *c * scale;
    }
    let floor = every(FLOOR);
    let mut q = start;
    for _ in 0..MOST_STEPS {
        let (turn, lowest) = newton(&a, &q, floor);
        q = turned(&q, turn);
        let angle = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
        if angle.below(every(SMALL)) == ALL {
            let good = every::<P>(-1e-3).below(lowest);
            return if good == ALL { q } else { rescued(&a, &start, &q, good) };
        }
    }
    rescued(&a, &start, &q, 0)
}

/// One Newton turn for normalised `a`, and the smallest pivot of J (lifted, which near the
/// solution makes no difference).
#[inline(always)]
fn newton<P: Pair>(a: &Mat<P>, q: &Quat<P>, floor: P) -> (Vec<P>, P) {
    let b = seen_from(&matrix(*q), a);
    let axial = [b[1][2] - b[2][1], b[2][0] - b[0][2], b[0][1] - b[1][0]];
    let mut j = curvature(&b);
    let [x, y, z] = axial;
    let tiny = every::<P>(1e-30);
    let squared = x * x + y * y + z * z;
    let across = x * x * j[0]
        + y * y * j[1]
        + z * z * j[2]
        + every::<P>(2.0) * (x * y * j[3] + x * z * j[4] + y * z * j[5]);
    let along = across / (squared + tiny);
    let lift = every::<P>(0.5) * ((along * along + squared).sqrt() - along);
    for diagonal in &mut j[..3] {
        *diagonal = *diagonal + lift;
    }
    let factors = factor(&j, floor);
    (bounded(solve(&factors, axial)), factors.smallest)
}

/// A turn of at most two thirds of a half turn; none at all where J, far from definite, asks for
/// more than a number holds. The search then ends where it is, and J tells that it failed.
#[inline(always)]
fn bounded<P: Pair>(turn: Vec<P>) -> Vec<P> {
    let squared = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
    let largest = every::<P>(12.0);
    let scale = squared.where_above_else(largest, (largest / squared).sqrt(), every(1.0));
    scaled_if_sound(turn, scale, squared)
}

/// `q` followed by the small rotation `turn` in the turned frame, of unit length.
#[inline(always)]
fn turned<P: Pair>(q: &Quat<P>, turn: Vec<P>) -> Quat<P> {
    let half = every::<P>(0.5);
    let [a, b, c] = [turn[0] * half, turn[1] * half, turn[2] * half];
    let [x, y, z, w] = *q;
    let n = [
        x + w * a + y * c - z * b,
        y + w * b + z * a - x * c,
        z + w * c + x * b - y * a,
        w - x * a - y * b - z * c,
    ];
    let scale = every::<P>(1.0) / (n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]).sqrt();
    [n[0] * scale, n[1] * scale, n[2] * scale, n[3] * scale]
}

/// The angular velocity ω for which Σ m p × (ω × R q) is the angular momentum `spin`: the
/// spin of the rigid goal that carries a cluster's angular momentum, R being `r`. With A = Σ m p qᵀ that
/// sum is R J Rᵀ ω, J being the curvature above: the match already holds all it takes.
///
/// In a cluster that is squashed or inside out, little spin may ask for a fast ω. It is kept to
/// what the cluster's own motion can feed, `energy` being twice its kinetic energy: damping
/// towards it then brakes such a cluster's spin rather than adding to its energy.
#[inline(always)]
pub(crate) fn angular_velocity<P: Pair>(
    a: &Mat<P>,
    r: &Mat<P>,
    spin: Vec<P>,
    energy: P,
    spread: P,
    scatter: [P; 6],
) -> Vec<P> {
    let b = seen_from(r, a);
    // Zero where R is the closest rotation; elsewhere J alone would be too small.
    let axial = [b[1][2] - b[2][1], b[2][0] - b[0][2], b[0][1] - b[1][0]];
    let skew = (axial[0] * axial[0] + axial[1] * axial[1] + axial[2] * axial[2]).sqrt();
    let mut j = curvature(&b);
    for diagonal in &mut j[..3] {
        *diagonal = *diagonal + skew;
    }
    let floor = (spread * every(1e-3)).greatest(every(f32::MIN_POSITIVE));
    let w = solve(&factor(&j, floor), transposed_product(r, &spin));
    // Twice the energy of the goal's spin: w (tr(A_rr) I - A_rr) w.
    let [xx, yy, zz, xy, xz, yz] = scatter;
    let two = every::<P>(2.0);
    let carried = w[0] * w[0] * (yy + zz) + w[1] * w[1] * (xx + zz) + w[2] * w[2] * (xx + yy)
        - two * (w[0] * w[1] * xy + w[0] * w[2] * xz + w[1] * w[2] * yz)
        + (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) * spread * every::<P>(0.01);
    let allowed = energy * every::<P>(MOST_ENERGY);
    let scale = carried.where_above_else(allowed, (allowed / carried).sqrt(), every(1.0));
    // J far from definite can ask for more than a number holds; then no spin is the better answer.
    product(r, &scaled_if_sound(w, scale, carried))
}

/// Replaces the lanes that are not in `good` by the answer of the slow, sure method.
#[inline(always)]
fn rescued<P: Pair>(a: &Mat<P>, start: &Quat<P>, found: &Quat<P>, good: u32) -> Quat<P> {
    let numbers = |c: P| c.parts().map(|part| part.to_array());
    let columns = a.map(|column| column.map(numbers));
    surely(columns, start.map(numbers), found.map(numbers), good)
        .map(|[low, high]| P::of(low.into(), high.into()))
}

/// The numbers of all lanes, half by half.
type Numbers = [[f32; 4]; 2];

#[cold]
fn surely(columns: [[Numbers; 3]; 3], start: [Numbers; 4], found: [Numbers; 4], good: u32) -> [Numbers; 4] {
    let mut out = found;
    for lane in (0..LANES).filter(|lane| good >> lane & 1 == 0) {
        let of = |numbers: Numbers| numbers[lane / 4][lane % 4];
        let m = columns.map(|column| column.map(|c| f64::from(of(c))));
        for (row, value) in out.iter_mut().zip(closest_surely(m, start.map(of))) {
            row[lane / 4][lane % 4] = value;
        }
    }
    out
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
    use crate::lanes::{Job, Lanes, Two, run};
    use glam::{DMat3, DQuat, DVec3};

    fn eight(numbers: [f32; LANES]) -> Two {
        Two::of(Vec4::from_slice(&numbers[..4]), Vec4::from_slice(&numbers[4..]))
    }

    fn of_lane(lane: usize, c: Two) -> f64 {
        c.parts()[lane / 4][lane % 4].into()
    }

    fn lanes(m: [DMat3; LANES]) -> Mat<Two> {
        let at = |k: usize, i: usize| eight(m.map(|m| m.col(k)[i] as f32));
        std::array::from_fn(|k| std::array::from_fn(|i| at(k, i)))
    }

    fn start(q: DQuat) -> Quat<Two> {
        q.to_array().map(|c| every(c as f32))
    }

    fn first(q: Quat<Two>) -> DQuat {
        let [x, y, z, w] = q.map(|c| of_lane(0, c));
        DQuat::from_xyzw(x, y, z, w)
    }

    fn found(a: DMat3, from: DQuat) -> DMat3 {
        DMat3::from_quat(first(closest(&lanes([a; LANES]), every(1.0), start(from))).normalize())
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
            let q = closest(&m, every(3.0 * size as f32), start(DQuat::IDENTITY));
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
        let q = closest(&lanes(a), every(1.0), start(DQuat::IDENTITY));
        for k in [0, 1, 2, 4, 6, 7] {
            let r = DMat3::from_quat(DQuat::from_array(q.map(|c| of_lane(k, c))));
            assert!(far(r, turns[k]) < 1e-6, "lane {k}");
        }
        assert!(q.iter().all(|&c| of_lane(5, c).is_finite()), "the lane without a number keeps its start");
    }

    /// Rotations and spins of matrices of which some need the sure method, as bits.
    struct Awkward;

    impl Job for Awkward {
        type Out = std::vec::Vec<u32>;

        #[inline(always)]
        fn with<P: Pair>(self) -> Self::Out {
            let numbers = [1.0, 0.8, -0.6, 0.0, 1e-20, 3e18, f32::NAN, -1.0];
            let eight = |k: usize| {
                let of = |lane: usize| numbers[(k * lane + k) % LANES];
                P::of(Vec4::new(of(0), of(1), of(2), of(3)), Vec4::new(of(4), of(5), of(6), of(7)))
            };
            let mut bits = std::vec::Vec::new();
            for k in 0..64 {
                let a = [0, 3, 6].map(|c| [eight(k + c), eight(k / 8 + c), eight(c)]);
                let half_turn = [1.0, 0.0, 0.0, 0.0].map(every);
                let q = closest(&a, every(1.0), half_turn);
                let w = angular_velocity(&a, &matrix(q), a[1], every(2.0), every(1.0), [eight(k); 6]);
                let of_lanes =
                    q.into_iter().chain(w).flat_map(|c| c.parts()).flat_map(|part| part.to_array());
                // How a number is missing may differ, and nothing depends on it.
                bits.extend(of_lanes.map(|c| if c.is_nan() { f32::NAN.to_bits() } else { c.to_bits() }));
            }
            bits
        }
    }

    #[test]
    fn wide_registers_find_the_same_rotations() {
        let bits = run(Awkward);
        assert_eq!(bits, Awkward.with::<Two>());
        assert!(bits.iter().any(|&c| c != bits[0]));
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
        let spin = spin.to_array().map(|c| every(c as f32));
        let w = angular_velocity(
            &lanes([a; LANES]),
            &matrix(start(turn)),
            spin,
            every(energy),
            every(spread),
            [Two::all(Vec4::ZERO); 6],
        );
        let w = DVec3::from(w.map(|c| of_lane(0, c)));
        assert!((w - omega).length() < 1e-5, "{w}");
    }
}
