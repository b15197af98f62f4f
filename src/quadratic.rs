//! Quadratic goals (SM 2.5.3): clusters that may bend and twist, not only stretch.
//!
//! Reads positions, moments and fits; keeps per cluster the sums over products of rest
//! coordinates and one pull with ten columns, for 1, x, y, z, xx, yy, zz, xy, yz, zx.
//! The products are taken about their means, which SM does not do: only then do the goals of
//! a cluster keep its centre of mass. Nested levels sum over the clusters below and hand
//! their pulls down as in `matching` and `goals`.

use std::sync::Arc;

use glam::{DVec3, Vec3A, Vec4, Vec4Swizzles};

use crate::contact::by_level::{self, Gain};
use crate::fitting::{Fit, Rigid};
use crate::goals::{Pull, Strength, Strengths};
use crate::matching::Moments;
use crate::math::symmetric;
use crate::membership::Entry;
use crate::parallel::{Spread, chunks};
use crate::shape::Shape;

/// The products of coordinates, in order.
const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];
/// Directions of the nine-dimensional scatter with less than this share of its largest
/// eigenvalue count as missing.
const FLAT: f64 = 1e-7;
const BLOCK: usize = 32;

/// The additional state of a body with quadratic goals.
pub(crate) struct Quadratic {
    /// Σ m (x - x̄) q_a q_b for the six pairs.
    second: Vec<[Vec4; 6]>,
    pulls: Vec<[Vec4; 10]>,
    /// Never changes, so copies share it.
    rest: Arc<[RestQuadratic]>,
}

struct RestQuadratic {
    /// Means of the six products over the cluster, m².
    means: [f32; 6],
    /// Inverse of Σ m b bᵀ, b being (q, products minus means); dimensionless: coordinates in
    /// units of `width`.
    inverse: [[f32; 9]; 9],
    width: f32,
}

impl Quadratic {
    pub(crate) fn new(shape: &Shape) -> Quadratic {
        let clusters = shape.all_clusters().len();
        Quadratic {
            second: vec![[Vec4::ZERO; 6]; clusters],
            pulls: vec![[Vec4::ZERO; 10]; clusters],
            rest: rest_of(shape).into(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.second.capacity() * size_of::<[Vec4; 6]>()
            + self.pulls.capacity() * size_of::<[Vec4; 10]>()
            + self.rest.len() * size_of::<RestQuadratic>()
    }

    /// Sums over the members of every cluster, finest level first.
    pub(crate) fn sum(
        &mut self,
        shape: &Shape,
        origin: Vec4,
        x: &[Vec4],
        moments: &[Moments],
        spread: Spread,
    ) {
        for l in 0..shape.levels().len() {
            let range = shape.range(l);
            let (below, here) = self.second.split_at_mut(range.start);
            let members = shape.levels()[l].members();
            spread.for_blocks(chunks(&mut here[..range.len()], BLOCK), |block, out| {
                for (c, out) in (block * BLOCK..).zip(out) {
                    let (row, me) = (members.row(c), range.start + c);
                    *out = if shape.sums_children(l) {
                        let first = shape.range(l - 1).start;
                        of_children(row, me, first, shape, moments, below)
                    } else {
                        of_particles(
                            row,
                            shape.all_clusters()[me].centre,
                            origin + moments[me].centre,
                            shape.rest(),
                            x,
                        )
                    };
                }
            });
        }
    }

    /// Adds to the pull of cluster `c` a velocity that is the same for all members, m/s; w is 0.
    pub(crate) fn add_to_pull(&mut self, c: usize, change: Vec4) {
        self.pulls[c][0] += change;
    }

    /// The pull of every cluster, coarsest level first: `rigid_pulls` are those with rigid goals,
    /// without the parents'; the share β of their stiffness goes to the quadratic fit instead. The
    /// coarsest level also turns the whole body by `turn`, rad/s.
    #[allow(clippy::too_many_arguments, reason = "a stage over the body's arrays")]
    pub(crate) fn find_pulls<'a>(
        &mut self,
        shape: &Shape,
        beta: f32,
        strengths: impl Fn(usize) -> Strengths<'a>,
        turn: Vec3A,
        moments: &[Moments],
        fits: &[Fit],
        rigid: &[Rigid],
        gains: &[Gain],
        spread: Spread,
    ) {
        let Quadratic { second, pulls, rest } = self;
        for l in (0..shape.levels().len()).rev() {
            let range = shape.range(l);
            let strengths = strengths(l);
            let (here, above) = pulls[range.start..].split_at_mut(range.len());
            let parents = (l + 1 < shape.levels().len() && shape.sums_children(l + 1))
                .then(|| (shape.levels()[l + 1].held_by(), &*above));
            spread.for_blocks(chunks(here, BLOCK), |block, out| {
                for (c, out) in (block * BLOCK..).zip(out) {
                    let me = range.start + c;
                    let mut own = [Pull::default()];
                    let s = strengths.of(c);
                    let level = Strength { stiffness: s.stiffness * (1.0 - beta), ..s };
                    let one = me..me + 1;
                    crate::goals::own(
                        Strengths { level, painted: &[], brakes: &[], ..strengths },
                        None,
                        &moments[one.clone()],
                        &fits[one.clone()],
                        &rigid[one.clone()],
                        &mut own,
                    );
                    if range.end == rigid.len() {
                        crate::goals::add_turn(turn, &rigid[one.clone()], &mut own);
                    }
                    by_level::add_gains(gains, one, moments, rigid, &mut own);
                    let centre = shape.all_clusters()[me].centre;
                    *out = polynomial(&rest[me], &moments[me], &second[me], centre, s.stiffness * beta);
                    add_rows(&own[0], out);
                    if let Some((held_by, parents)) = parents {
                        for e in held_by.row(c) {
                            add_scaled(out, &parents[e.index as usize], e.weight);
                        }
                    }
                    out[0].w = strengths.brake(c);
                }
            });
        }
    }

    /// The velocity change that a particle's clusters want, and in w what contacts add to its damping.
    #[inline]
    pub(crate) fn blend(&self, held_by: &[Entry], rest: Vec4) -> Vec4 {
        let mut sum = [Vec4::ZERO; 10];
        for e in held_by {
            add_scaled(&mut sum, &self.pulls[e.index as usize], e.weight);
        }
        let [x, y, z, _] = rest.to_array();
        let basis = [1.0, x, y, z, x * x, y * y, z * z, x * y, y * z, z * x];
        let wish = sum.iter().zip(basis).fold(Vec4::ZERO, |total, (column, b)| total + *column * b);
        wish.with_w(sum[0].w)
    }
}

impl Quadratic {
    /// For each cluster how much of Σ m |d|² the best quadratic map takes off, `away` giving d for
    /// a particle and a cluster: with d = x - T r, what quadratic goals meet better than rigid ones.
    pub(crate) fn met(&self, shape: &Shape, away: impl Fn(usize, usize) -> DVec3) -> Vec<f64> {
        let mut sums = vec![[DVec3::ZERO; 9]; self.rest.len()];
        for_each_membership(shape, |i, c, weight| {
            let rest = &self.rest[c];
            let d = away(i, c) * (weight * f64::from(shape.masses()[i]));
            let centre = shape.all_clusters()[c].centre;
            let q = ((shape.rest()[i] - centre) / rest.width).truncate().as_dvec3().to_array();
            for (k, sum) in sums[c].iter_mut().enumerate() {
                let product = |(a, b): (usize, usize)| q[a] * q[b] - f64::from(rest.means[k - 3]);
                *sum += d * if k < 3 { q[k] } else { product(PAIRS[k - 3]) };
            }
        });
        let met = |(sums, rest): (&[DVec3; 9], &RestQuadratic)| {
            let fit = |k: usize| {
                let terms = sums.iter().zip(&rest.inverse[k]);
                terms.fold(DVec3::ZERO, |sum, (s, i)| sum + *s * f64::from(*i))
            };
            (0..9).map(|k| sums[k].dot(fit(k))).sum()
        };
        sums.iter().zip(self.rest.iter()).map(met).collect()
    }
}

impl Clone for Quadratic {
    fn clone(&self) -> Quadratic {
        let (second, pulls) = (self.second.clone(), self.pulls.clone());
        Quadratic { second, pulls, rest: Arc::clone(&self.rest) }
    }

    fn clone_from(&mut self, source: &Quadratic) {
        self.second.clone_from(&source.second);
        self.pulls.clone_from(&source.pulls);
        self.rest.clone_from(&source.rest);
    }
}

fn add_scaled(to: &mut [Vec4; 10], from: &[Vec4; 10], weight: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += *from * weight;
    }
}

/// Adds an affine pull, kept in rows, to the first four columns.
fn add_rows(pull: &Pull, out: &mut [Vec4; 10]) {
    let [x, y, z, _] = pull.rows;
    out[0] += Vec4::new(x.w, y.w, z.w, 0.0);
    out[1] += Vec4::new(x.x, y.x, z.x, 0.0);
    out[2] += Vec4::new(x.y, y.y, z.y, 0.0);
    out[3] += Vec4::new(x.z, y.z, z.z, 0.0);
}

fn of_particles(row: &[Entry], centre: Vec4, present: Vec4, rest: &[Vec4], x: &[Vec4]) -> [Vec4; 6] {
    let mut sums = [Vec4::ZERO; 6];
    for e in row {
        let i = e.index as usize;
        let d = (x[i] - present) * e.weight;
        let q = rest[i] - centre;
        let squares = q * q;
        let mixed = q * q.yzxw();
        sums[0] += d * squares.xxxx();
        sums[1] += d * squares.yyyy();
        sums[2] += d * squares.zzzz();
        sums[3] += d * mixed.xxxx();
        sums[4] += d * mixed.yyyy();
        sums[5] += d * mixed.zzzz();
    }
    sums
}

/// The parallel-axis shift of the second sums: with q = q_c + e and x - x̄ = (x - x̄_c) + D,
/// N += N_c + A_a e_b + A_b e_a + D (S_ab + m e_a e_b).
fn of_children(
    row: &[Entry],
    me: usize,
    first: usize,
    shape: &Shape,
    moments: &[Moments],
    below: &[[Vec4; 6]],
) -> [Vec4; 6] {
    let clusters = shape.all_clusters();
    let mut sums = [Vec4::ZERO; 6];
    for entry in row {
        let c = first + entry.index as usize;
        let share = entry.weight * clusters[c].inverse_mass;
        let e = (clusters[c].centre - clusters[me].centre).to_array();
        let d = moments[c].centre - moments[me].centre;
        let [xx, yy, zz, xy, xz, yz] = shape.scatter()[c];
        let scatter = [xx, yy, zz, xy, yz, xz];
        let columns = moments[c].columns();
        for (k, (a, b)) in PAIRS.into_iter().enumerate() {
            let shifted = columns[a] * e[b] + columns[b] * e[a];
            sums[k] += (below[c][k] + shifted + d * scatter[k]) * share + d * (entry.weight * e[a] * e[b]);
        }
    }
    sums
}

/// stiffness · (x̄ + Ã b) as columns over the rest position.
fn polynomial(
    rest: &RestQuadratic,
    m: &Moments,
    second: &[Vec4; 6],
    centre: Vec4,
    stiffness: f32,
) -> [Vec4; 10] {
    let (w, per) = (rest.width, 1.0 / rest.width);
    // Σ m p b: p sums to zero, so the means drop out of the right-hand side.
    let columns = m.columns();
    let sums: [Vec4; 9] =
        std::array::from_fn(|k| if k < 3 { columns[k] * per } else { second[k - 3] * (per * per) });
    let fit: [Vec4; 9] = std::array::from_fn(|k| {
        let column = sums.iter().zip(&rest.inverse[k]).fold(Vec4::ZERO, |sum, (s, i)| sum + *s * *i);
        column * (stiffness * if k < 3 { per } else { per * per })
    });
    let r = centre.to_array();
    let mut out = [Vec4::ZERO; 10];
    out[0] = m.centre * stiffness;
    for a in 0..3 {
        out[1 + a] += fit[a];
        out[0] -= fit[a] * r[a];
    }
    for (k, (a, b)) in PAIRS.into_iter().enumerate() {
        let column = fit[3 + k];
        out[4 + k] = column;
        out[1 + a] -= column * r[b];
        out[1 + b] -= column * r[a];
        out[0] += column * (r[a] * r[b] - rest.means[k] * w * w);
    }
    out
}

/// Rest sums of every cluster over the particles it holds, through all levels.
fn rest_of(shape: &Shape) -> Vec<RestQuadratic> {
    let clusters = shape.all_clusters();
    let mut first = vec![([0.0f64; 6], 0.0f64); clusters.len()];
    let products = |i: usize, c: usize| {
        let width = if clusters[c].width > 0.0 { clusters[c].width } else { 1.0 };
        let q = ((shape.rest()[i] - clusters[c].centre) / width).truncate().as_dvec3().to_array();
        (q, PAIRS.map(|(a, b)| q[a] * q[b]))
    };
    for_each_membership(shape, |i, c, weight| {
        let mass = weight * f64::from(shape.masses()[i]);
        let (_, p) = products(i, c);
        (0..6).for_each(|k| first[c].0[k] += mass * p[k]);
        first[c].1 += mass;
    });
    let means: Vec<[f64; 6]> = first.iter().map(|(sum, mass)| sum.map(|s| s / mass)).collect();
    let mut scatter = vec![[[0.0f64; 9]; 9]; clusters.len()];
    for_each_membership(shape, |i, c, weight| {
        let mass = weight * f64::from(shape.masses()[i]);
        let (q, p) = products(i, c);
        let b: [f64; 9] = std::array::from_fn(|k| if k < 3 { q[k] } else { p[k - 3] - means[c][k - 3] });
        for (row, a) in scatter[c].iter_mut().zip(b) {
            row.iter_mut().zip(b).for_each(|(cell, b)| *cell += mass * a * b);
        }
    });
    let rest = clusters.iter().zip(scatter).zip(means);
    rest.map(|((cluster, scatter), means)| RestQuadratic {
        means: means.map(|m| m as f32),
        inverse: symmetric::pseudo_inverse(scatter, FLAT).map(|row| row.map(|v| v as f32)),
        width: if cluster.width > 0.0 { cluster.width } else { 1.0 },
    })
    .collect()
}

/// Calls `visit(particle, cluster, weight)` for every cluster of every level that holds a
/// particle, directly or through the levels below.
fn for_each_membership(shape: &Shape, mut visit: impl FnMut(usize, usize, f64)) {
    for i in 0..shape.particle_count() {
        let mut held: Vec<(usize, f64)> = vec![(i, 1.0)];
        for (l, level) in shape.levels().iter().enumerate() {
            if !shape.sums_children(l) {
                held = vec![(i, 1.0)];
            }
            let mut next: Vec<(usize, f64)> = Vec::new();
            for (member, share) in held {
                let row = level.held_by().row(member);
                next.extend(row.iter().map(|e| (e.index as usize, share * f64::from(e.weight))));
            }
            next.sort_by_key(|(c, _)| *c);
            next.dedup_by(|b, a| {
                let same = a.0 == b.0;
                a.1 += if same { b.1 } else { 0.0 };
                same
            });
            next.iter().for_each(|&(c, weight)| visit(i, shape.range(l).start + c, weight));
            held = next;
        }
    }
}
