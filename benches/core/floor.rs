//! The yardstick: match and blend, the two sparse products a step cannot do
//! without, over the library's own arrays and nothing else.
//!
//! No fit, no integration, no threads, no checks: as fast as four lanes without
//! fused multiply-add go on this machine. What the library does beyond it shows as
//! a ratio above 1.

use glam::{Vec4, Vec4Swizzles};
use wobble::Shape;
use wobble::membership::{Entry, Membership};

use crate::harness::seconds;

/// Three rows of four: a cluster's twelve sums, or its transform.
type Rows = [Vec4; 3];

/// Both kernels over the finest level of one shape, with room for what they write.
pub struct Floor<'a> {
    shape: &'a Shape,
    sums: Vec<Rows>,
    goals: Vec<Vec4>,
    /// Best seconds of match and of blend so far.
    pub best: [f64; 2],
}

impl<'a> Floor<'a> {
    /// For bodies of `shape`.
    pub fn new(shape: &'a Shape) -> Floor<'a> {
        let sums = vec![[Vec4::ZERO; 3]; shape.levels()[0].cluster_count()];
        let goals = vec![Vec4::ZERO; shape.particle_count()];
        Floor { shape, sums, goals, best: [f64::INFINITY; 2] }
    }

    /// Memberships that each kernel visits.
    pub fn memberships(&self) -> f64 {
        self.shape.levels()[0].held_by().len() as f64
    }

    /// Seconds of one match and one blend, one after the other as in a step. The sums
    /// stand in for transforms: what is blended does not change how long it takes.
    pub fn run(&mut self, positions: &[Vec4]) -> f64 {
        let (finest, rest) = (&self.shape.levels()[0], self.shape.rest());
        let matched = seconds(|| match_clusters(finest.members(), rest, positions, &mut self.sums));
        let blended = seconds(|| blend(finest.held_by(), rest, &self.sums, &mut self.goals));
        self.best = [self.best[0].min(matched), self.best[1].min(blended)];
        matched + blended
    }
}

/// For every cluster, `Σ w x (r, 1)ᵀ` over its members: positions by rest positions.
fn match_clusters(members: &Membership, rest: &[Vec4], positions: &[Vec4], sums: &mut [Rows]) {
    assert!(members.rows() == sums.len() && rest.len() == positions.len());
    for (cluster, out) in sums.iter_mut().enumerate() {
        let row = members.row(cluster);
        // Two chains of sums hide the latency of an addition.
        let (pairs, last) = row.as_chunks::<2>();
        let (mut even, mut odd) = ([Vec4::ZERO; 3], [Vec4::ZERO; 3]);
        for [a, b] in pairs {
            // SAFETY: a shape's members are indices of its particles.
            unsafe {
                add_member(&mut even, a, rest, positions);
                add_member(&mut odd, b, rest, positions);
            }
        }
        for a in last {
            // SAFETY: as above.
            unsafe { add_member(&mut even, a, rest, positions) };
        }
        *out = [even[0] + odd[0], even[1] + odd[1], even[2] + odd[2]];
    }
}

#[inline(always)]
unsafe fn add_member(sum: &mut Rows, entry: &Entry, rest: &[Vec4], positions: &[Vec4]) {
    let i = entry.index as usize;
    // SAFETY: the caller promises that the index is in range.
    let (r, x) = unsafe { (*rest.get_unchecked(i), *positions.get_unchecked(i)) };
    let weighted = r * entry.weight;
    sum[0] += weighted * x.xxxx();
    sum[1] += weighted * x.yyyy();
    sum[2] += weighted * x.zzzz();
}

/// For every particle, the weighted transforms of its clusters applied to its rest position.
fn blend(held_by: &Membership, rest: &[Vec4], transforms: &[Rows], goals: &mut [Vec4]) {
    assert!(held_by.rows() == goals.len() && rest.len() == goals.len());
    for (i, goal) in goals.iter_mut().enumerate() {
        let mut sum = [Vec4::ZERO; 3];
        for entry in held_by.row(i) {
            // SAFETY: a particle is held by clusters of its own shape.
            let rows = unsafe { transforms.get_unchecked(entry.index as usize) };
            sum[0] += rows[0] * entry.weight;
            sum[1] += rows[1] * entry.weight;
            sum[2] += rows[2] * entry.weight;
        }
        *goal = apply(&sum, rest[i]);
    }
}

/// The transform applied to `(r, 1)`; a transposition and four additions beat three dot products.
#[inline(always)]
fn apply(rows: &Rows, r: Vec4) -> Vec4 {
    let products = glam::Mat4::from_cols(rows[0] * r, rows[1] * r, rows[2] * r, Vec4::ZERO).transpose();
    (products.x_axis + products.y_axis) + (products.z_axis + products.w_axis)
}
