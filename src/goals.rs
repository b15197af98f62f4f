//! Goals: where shape matching wants each particle to go, and how fast.
//!
//! Reads the fits of every cluster; writes one pull a cluster, and blends the pulls of a
//! particle's clusters. The stiffness and damping terms of the integrator,
//! (α/h) goal + k_d v̂, are both linear in the cluster transforms and both act on the rest
//! position, so a cluster's pull is one 3x4 matrix and damping costs nothing to blend.
//!
//! With nested levels the coarse pulls go down: a cluster adds its parents' pulls to its own,
//! and particles read their finest clusters only.

use glam::{Mat3A, Vec3A, Vec4};

use crate::fitting::{Fit, Rigid};
use crate::lanes::{self, Pair};
use crate::matching::Moments;
use crate::membership::{Entry, Membership};
use crate::painting::Tuning;
use crate::plasticity::Frame;
use crate::shape::RestCluster;

/// Rows of a matrix that maps (rest, 1) to a change of velocity, m/s, and what goes with it: one cache line.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Pull {
    /// Row k gives component k; w of the last is what contacts add to the damping of the members, and the rest of it 0.
    pub(crate) rows: [Vec4; 4],
}

impl Pull {
    /// The first two rows, and the last two.
    #[inline(always)]
    fn halves(&self) -> [&[Vec4; 2]; 2] {
        let (halves, _) = self.rows.as_chunks::<2>();
        [&halves[0], &halves[1]]
    }

    /// Adds a velocity that is the same for all members, m/s; w is 0.
    pub(crate) fn add(&mut self, change: Vec4) {
        for (row, change) in self.rows.iter_mut().zip(change.to_array()) {
            row.w += change;
        }
    }
}

/// How strongly the clusters of one level pull.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Strength {
    /// Level weight times α over h, 1/s.
    pub(crate) stiffness: f32,
    /// Level weight times k_d.
    pub(crate) damping: f32,
}

impl Strength {
    /// `self` and a share `weight` of `other`.
    #[inline(always)]
    pub(crate) fn plus(self, other: Strength, weight: f32) -> Strength {
        Strength {
            stiffness: self.stiffness + other.stiffness * weight,
            damping: self.damping + other.damping * weight,
        }
    }
}

/// How strongly each of a row of clusters of one level pulls.
#[derive(Clone, Copy)]
pub(crate) struct Strengths<'a> {
    /// Where nothing is painted.
    pub(crate) level: Strength,
    /// The most that painting may multiply by: the integrator is stable up to there.
    pub(crate) most: Tuning,
    /// What is painted on the clusters; empty if nothing is.
    pub(crate) painted: &'a [Tuning],
    /// What contacts add to the clusters' damping; empty if they do not.
    pub(crate) brakes: &'a [f32],
    /// Whether damping leaves spin alone.
    pub(crate) spins: bool,
    /// What goals are scaled by, each about its cluster's centre, to keep or change the volume.
    pub(crate) swell: f32,
}

impl Strengths<'_> {
    /// Those from number `first` on.
    pub(crate) fn from(self, first: usize) -> Self {
        let painted = self.painted.get(first..).unwrap_or_default();
        Strengths { painted, brakes: self.brakes.get(first..).unwrap_or_default(), ..self }
    }

    /// Of cluster `i` of the row.
    #[inline(always)]
    pub(crate) fn of(&self, i: usize) -> Strength {
        let mut own = match self.painted.get(i) {
            None => self.level,
            Some(painted) => Strength {
                stiffness: self.level.stiffness * painted.stiffness.min(self.most.stiffness),
                damping: self.level.damping * painted.damping.min(self.most.damping),
            },
        };
        own.damping += self.brake(i);
        own
    }

    /// What contacts add to the damping of cluster `i` of the row.
    #[inline(always)]
    pub(crate) fn brake(&self, i: usize) -> f32 {
        self.brakes.get(i).copied().unwrap_or(0.0)
    }
}

/// The linear part of a goal, where it is not the rotation: M of SM 2.5.2.
pub(crate) struct Linear<'a> {
    /// Share of the linear map.
    pub(crate) beta: f32,
    /// A_rr of the row of clusters.
    pub(crate) scatter: &'a [[f32; 6]],
    /// And its inverses.
    pub(crate) inverse: &'a [[f32; 6]],
    /// Whether lasting deformation makes goals more than rotations.
    pub(crate) bent: bool,
}

/// Pulls of a row of clusters of one level, without their parents'. All slices are of one length.
#[inline]
pub(crate) fn own(
    strengths: Strengths,
    linear: Option<Linear>,
    moments: &[Moments],
    fits: &[Fit],
    rigid: &[Rigid],
    out: &mut [Pull],
) {
    for (i, pull) in out.iter_mut().enumerate() {
        let mut goal = rigid[i];
        if let Some(linear) = &linear {
            goal = softened(linear, strengths.swell, i, &moments[i], &rigid[i]);
        } else if strengths.swell != 1.0 {
            goal = swollen(strengths.swell, &moments[i], &goal);
        }
        let omega = if strengths.spins { fits[i].omega } else { Vec4::ZERO };
        *pull = own_pull(strengths.of(i), &moments[i], omega, &rigid[i], &goal);
        pull.rows[3].w = strengths.brake(i);
    }
}

/// stiffness · [M | x̄ - M r̄] + damping · [ω × R | v̄ - ω × R r̄].
#[inline(always)]
fn own_pull(s: Strength, m: &Moments, omega: Vec4, rigid: &Rigid, goal: &Rigid) -> Pull {
    let mut columns = goal.columns.map(|c| c * s.stiffness);
    let mut shift = goal.shift * s.stiffness;
    if s.damping > 0.0 {
        let omega = Vec3A::from_vec4(omega);
        let rate = |v: Vec4| omega.cross(Vec3A::from_vec4(v)).extend(0.0);
        for (column, r) in columns.iter_mut().zip(rigid.columns) {
            *column += rate(r) * s.damping;
        }
        // shift - centre is -R r̄: the difference keeps its digits far from the origin.
        shift += (m.velocity + rate(rigid.shift - m.centre)) * s.damping;
    }
    let [a, b, c] = columns;
    let rows = [
        Vec4::new(a.x, b.x, c.x, shift.x),
        Vec4::new(a.y, b.y, c.y, shift.y),
        Vec4::new(a.z, b.z, c.z, shift.z),
        Vec4::ZERO,
    ];
    Pull { rows }
}

/// A goal scaled about the cluster's centre: its pulls still sum to zero and turn nothing.
#[inline(always)]
fn swollen(scale: f32, m: &Moments, goal: &Rigid) -> Rigid {
    let shift = m.centre - (m.centre - goal.shift) * scale;
    Rigid { columns: goal.columns.map(|c| c * scale), shift: shift.with_w(goal.shift.w) }
}

/// F of a cluster with these columns of A_xr. Directions that a flat cluster lacks are left out by the
/// inverse of its scatter; they turn with `r`.
#[inline(always)]
pub(crate) fn gradient(columns: &[Vec4; 3], scatter: &[f32; 6], inverse: &[f32; 6], r: Mat3A) -> Mat3A {
    let inverse = scatter_matrix(inverse);
    let present = scatter_matrix(scatter) * inverse;
    matrix(columns) * inverse + r * (Mat3A::IDENTITY - present)
}

/// The matrix of (xx, yy, zz, xy, xz, yz).
#[inline(always)]
pub(crate) fn scatter_matrix(s: &[f32; 6]) -> Mat3A {
    Mat3A::from_cols(Vec3A::new(s[0], s[3], s[4]), Vec3A::new(s[3], s[1], s[5]), Vec3A::new(s[4], s[5], s[2]))
}

/// The matrix of these columns.
#[inline(always)]
fn matrix(columns: &[Vec4; 3]) -> Mat3A {
    let [x, y, z] = columns.map(Vec3A::from_vec4);
    Mat3A::from_cols(x, y, z)
}

/// The goal with M = β F' + (1 - β) s R, F' being F scaled to the volume of s R, s being `swell`.
fn softened(linear: &Linear, swell: f32, i: usize, m: &Moments, rigid: &Rigid) -> Rigid {
    let r = matrix(&rigid.columns);
    let f = gradient(&m.columns(), &linear.scatter[i], &linear.inverse[i], r);
    // That volume, but within bounds: a cluster that the ground holds flat would otherwise grow
    // sideways without end. Inside out no scale helps; stay with the rotation.
    let volume = f.determinant();
    let f = if volume > 0.0 { f * (swell / libm::cbrtf(volume)).clamp(0.8, 1.25) } else { r };
    let goal = f * linear.beta + r * ((1.0 - linear.beta) * swell);
    // rigid.shift is x̄ - R r̄, so r̄ is Rᵀ (x̄ - shift).
    let back = if linear.bent { r.inverse() } else { r.transpose() };
    let rest_centre = back * Vec3A::from_vec4(m.centre - rigid.shift);
    let shift = Vec3A::from_vec4(m.centre) - goal * rest_centre;
    let columns = [goal.x_axis, goal.y_axis, goal.z_axis].map(|c| c.extend(0.0));
    Rigid { columns, shift: shift.extend(rigid.shift.w) }
}

/// Adds to the pulls of a row of clusters a turn of the whole body about its origin by `omega`, rad/s.
pub(crate) fn add_turn(omega: Vec3A, rigid: &[Rigid], out: &mut [Pull]) {
    for (pull, rigid) in out.iter_mut().zip(rigid) {
        let turned = |v: Vec4| omega.cross(Vec3A::from_vec4(v)).extend(0.0);
        let [a, b, c] = rigid.columns.map(turned);
        let rows = glam::Mat4::from_cols(a, b, c, turned(rigid.shift)).transpose();
        pull.rows[0] += rows.x_axis;
        pull.rows[1] += rows.y_axis;
        pull.rows[2] += rows.z_axis;
    }
}

/// Adds to each cluster of a row, the first being number `first` of its level, the pulls of its
/// parents in the level above.
#[inline]
pub(crate) fn add_parents(held_by: &Membership, first: usize, parents: &[Pull], out: &mut [Pull]) {
    for (i, pull) in out.iter_mut().enumerate() {
        for e in held_by.row(first + i) {
            let parent = &parents[e.index as usize];
            for k in 0..3 {
                pull.rows[k] += parent.rows[k] * e.weight;
            }
        }
    }
}

/// The same where lasting deformation has moved the clusters in the rest space of the level above.
pub(crate) fn add_placed_parents(
    held_by: &Membership,
    first: usize,
    parents: &[Pull],
    frames: &[Frame],
    rest: &[RestCluster],
    out: &mut [Pull],
) {
    for (i, pull) in out.iter_mut().enumerate() {
        let mut sum = Pull::default();
        for e in held_by.row(first + i) {
            let parent = &parents[e.index as usize];
            (0..3).for_each(|k| sum.rows[k] += parent.rows[k] * e.weight);
        }
        let (linear, shift) = frames[i].map_from(&rest[i]);
        for (row, sum) in pull.rows.iter_mut().zip(sum.rows).take(3) {
            let along = Vec3A::from_vec4(sum);
            *row += (linear.transpose() * along).extend(sum.w + along.dot(shift));
        }
    }
}

/// What holds each cluster of a level where something is painted: its own strength and, by their
/// weights, that of its parents.
pub(crate) fn find_holds(
    strengths: Strengths,
    parents: Option<(&Membership, &[Strength])>,
    out: &mut [Strength],
) {
    for (i, hold) in out.iter_mut().enumerate() {
        let own = strengths.of(i);
        *hold = parents.map_or(own, |(held_by, above)| held(held_by.row(i), above, own));
    }
}

/// `own` and, by their weights, what the entries have.
#[inline(always)]
pub(crate) fn held(held_by: &[Entry], holds: &[Strength], own: Strength) -> Strength {
    held_by.iter().fold(own, |sum, e| sum.plus(holds[e.index as usize], e.weight))
}

/// The velocity change that a particle's clusters want, and in w what contacts add to its damping. Clusters are
/// gathered in ascending order.
///
/// # Safety
/// Every entry is an index into `pulls`.
#[inline(always)]
pub(crate) unsafe fn blend<P: Pair>(held_by: &[Entry], pulls: &[Pull], rest: Vec4) -> Vec4 {
    // SAFETY: promised by the caller.
    let ([x, y], [z, brake]) = unsafe { blended::<P>(held_by, pulls) }.map(P::parts).into();
    lanes::lane_sums([x, y, z, brake].map(|row| row * rest))
}

/// The same for a particle that rests `apart` from there in its clusters.
#[inline(always)]
pub(crate) fn blend_apart(held_by: &[Entry], apart: &[Vec4], pulls: &[Pull], rest: Vec4) -> Vec4 {
    let mut sums = [Vec4::ZERO; 4];
    for (e, apart) in held_by.iter().zip(apart) {
        let (p, rows) = ((rest + *apart) * e.weight, &pulls[e.index as usize].rows);
        (0..4).for_each(|k| sums[k] += rows[k] * p);
    }
    lanes::lane_sums(sums)
}

/// The same for two particles.
///
/// # Safety
/// Every entry is an index into `pulls`.
#[inline(always)]
pub(crate) unsafe fn blend_two<P: Pair>(held_by: [&[Entry]; 2], pulls: &[Pull], rest: &[Vec4; 2]) -> P {
    // SAFETY: promised by the caller.
    let [a, b] = held_by.map(|row| unsafe { blended::<P>(row, pulls) });
    let (at_a, at_b) = (P::all(rest[0]), P::all(rest[1]));
    let [x, y] = (a[0] * at_a).regrouped(b[0] * at_b);
    let [z, brake] = (a[1] * at_a).regrouped(b[1] * at_b);
    P::lane_sums([x, y, z, brake])
}

/// The pulls of a particle's clusters, by their weights: the first two rows, and the last two.
///
/// # Safety
/// Every entry is an index into `pulls`.
#[inline(always)]
unsafe fn blended<P: Pair>(held_by: &[Entry], pulls: &[Pull]) -> [P; 2] {
    let mut sums = [P::all(Vec4::ZERO); 2];
    for e in held_by {
        debug_assert!((e.index as usize) < pulls.len());
        // SAFETY: promised by the caller.
        let pull = unsafe { pulls.get_unchecked(e.index as usize) };
        let weight = P::all(Vec4::splat(e.weight));
        let [upper, lower] = pull.halves();
        sums[0] = sums[0] + P::load(upper) * weight;
        sums[1] = sums[1] + P::load(lower) * weight;
    }
    sums
}
