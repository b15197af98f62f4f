//! What a body with plasticity keeps, and its clusters at rest as a step sees them.
//!
//! The finest clusters, and all of independent levels, have a [`Dent`] each. Coarser nested ones have
//! none: their rest shape is made of where the clusters below have come to lie (`embedding.rs`).

use glam::{Mat3A, Vec3A, Vec4};

use super::{Dent, Frame, carried, seen_from};
use crate::clustering::Nesting;
use crate::fitting::{self, Fit, Rigid, Wanted};
use crate::matching::Moments;
use crate::shape::held::Matched;
use crate::shape::own::insert;
use crate::shape::{RestCluster, Shape};

/// Lasting deformation of one body.
#[derive(Clone)]
pub(crate) struct Plastic {
    /// Of the finest clusters; of all where levels are independent.
    pub(crate) dents: Vec<Dent>,
    /// Where clusters lie in the rest space of the level above; nested levels but the coarsest.
    pub(crate) frames: Vec<Frame>,
    /// All clusters at rest, each level in its own rest space.
    pub(crate) clusters: Vec<RestCluster>,
    /// A_rr of all clusters as deformed for good, and its inverses.
    pub(crate) scatter: Vec<[f32; 6]>,
    pub(crate) inverse: Vec<[f32; 6]>,
    /// Those with frames as the level above sees them: at rest, their A_rr, and their present moments.
    pub(crate) placed: Vec<RestCluster>,
    pub(super) placed_scatter: Vec<[f32; 6]>,
    pub(crate) seen: Vec<Moments>,
    /// For each cluster, the share of elastic strain that became lasting since frames last followed.
    pub(super) flowed: Vec<f32>,
    pub(super) parents: Vec<super::embedding::Parent>,
}

impl Plastic {
    /// Nothing has lasted yet.
    pub(crate) fn new(shape: &Shape) -> Plastic {
        let (all, levels) = (shape.all_clusters().len(), shape.levels().len());
        let nested = shape.nesting() == Nesting::Nested && levels > 0;
        let dented = if nested { shape.range(0).len() } else { all };
        let placed = if nested { shape.range(levels - 1).start } else { 0 };
        let clusters = shape.all_clusters().to_vec();
        Plastic {
            dents: vec![Dent::default(); dented],
            frames: clusters[..placed].iter().map(Frame::at_rest).collect(),
            placed: clusters[..placed].to_vec(),
            placed_scatter: shape.scatter()[..placed].to_vec(),
            seen: vec![Moments::default(); placed],
            clusters,
            scatter: shape.scatter().to_vec(),
            inverse: shape.inverse_scatter().to_vec(),
            flowed: vec![0.0; all],
            parents: vec![Default::default(); all],
        }
    }

    /// Whether nothing has lasted.
    pub(crate) fn is_undented(&self) -> bool {
        self.dents.iter().all(|dent| dent.fp == Mat3A::IDENTITY)
    }

    /// Whether a dent took up strain since frames last followed.
    pub(crate) fn has_flowed(&self) -> bool {
        self.dents.iter().any(|dent| dent.flowed > 0.0 || dent.turned != Vec4::W)
    }

    /// Makes room for `spare` more finest clusters after the first `at`.
    pub(crate) fn make_room(&mut self, at: usize, spare: usize) {
        let none = RestCluster::default();
        insert(&mut self.dents, at, spare, Dent::default());
        insert(&mut self.clusters, at, spare, none);
        insert(&mut self.scatter, at, spare, [0.0; 6]);
        insert(&mut self.inverse, at, spare, [0.0; 6]);
        insert(&mut self.flowed, at, spare, 0.0);
        insert(&mut self.parents, at, spare, Default::default());
        if !self.frames.is_empty() {
            insert(&mut self.frames, at, spare, Frame::at_rest(&none));
            insert(&mut self.placed, at, spare, none);
            insert(&mut self.placed_scatter, at, spare, [0.0; 6]);
            insert(&mut self.seen, at, spare, Moments::default());
        }
    }

    /// The map from a finest cluster's own rest space to that of the level above; where there is none, what lasts of its
    /// deformation about its centre.
    pub(crate) fn map_of(&self, c: usize) -> (Mat3A, Vec3A) {
        match self.frames.get(c) {
            Some(frame) => frame.map_from(&self.clusters[c]),
            None => {
                let (fp, centre) = (self.dents[c].fp, Vec3A::from_vec4(self.clusters[c].centre));
                (fp, centre - fp * centre)
            }
        }
    }

    /// After a dent changed: the cluster's scatter at rest.
    pub(crate) fn scatters(rest: Matched, c: usize, dent: &Dent) -> ([f32; 6], [f32; 6]) {
        let back = dent.fp.inverse();
        (carried(dent.fp, &rest.scatter()[c]), carried(back.transpose(), &rest.inverse_scatter()[c]))
    }

    /// Where clusters `range` of a level are seen from the level above.
    pub(crate) fn look_from_above(&mut self, range: std::ops::Range<usize>, moments: &[Moments]) {
        for c in range {
            self.seen[c] = seen_from(&moments[c], self.frames[c].stretch);
        }
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.dents.capacity() * size_of::<Dent>()
            + self.frames.capacity() * size_of::<Frame>()
            + (self.clusters.capacity() + self.placed.capacity()) * size_of::<RestCluster>()
            + (self.scatter.capacity() + self.inverse.capacity() + self.placed_scatter.capacity()) * 24
            + self.seen.capacity() * size_of::<Moments>()
            + self.flowed.capacity() * 4
            + self.parents.capacity() * size_of::<super::embedding::Parent>()
    }
}

/// Clusters of a body at rest: as in its shape, or as lasting deformation has left them.
#[derive(Clone, Copy)]
pub(crate) struct AtRest<'a> {
    pub(crate) clusters: &'a [RestCluster],
    pub(crate) scatter: &'a [[f32; 6]],
    pub(crate) inverse: &'a [[f32; 6]],
    /// Empty where no cluster can be dented.
    pub(crate) dents: &'a [Dent],
}

impl<'a> AtRest<'a> {
    /// Clusters that are fitted together at most.
    pub(crate) const BLOCK: usize = 64;

    pub(crate) fn of(shape: Matched<'a>, plastic: Option<&'a Plastic>) -> AtRest<'a> {
        match plastic {
            None => AtRest {
                clusters: shape.all_clusters(),
                scatter: shape.scatter(),
                inverse: shape.inverse_scatter(),
                dents: &[],
            },
            Some(p) => {
                AtRest { clusters: &p.clusters, scatter: &p.scatter, inverse: &p.inverse, dents: &p.dents }
            }
        }
    }

    /// Clusters `range` of all levels.
    pub(crate) fn part(&self, range: std::ops::Range<usize>) -> AtRest<'a> {
        AtRest {
            clusters: &self.clusters[range.clone()],
            scatter: &self.scatter[range.clone()],
            inverse: &self.inverse[range.clone()],
            dents: self.dents.get(range).unwrap_or_default(),
        }
    }

    /// Fits those of at most 64 clusters for which `stale` holds. All slices are of one length.
    #[inline]
    pub(crate) fn fit_where(
        &self,
        moments: &[Moments],
        wanted: Wanted,
        stale: impl Fn(usize) -> bool,
        fits: &mut [Fit],
        out: &mut [Rigid],
    ) {
        if self.dents.is_empty() {
            return fitting::fit_where(self.clusters, moments, wanted, stale, fits, out);
        }
        let mut bent = [Moments::default(); AtRest::BLOCK];
        for (bent, (moments, dent)) in bent.iter_mut().zip(moments.iter().zip(self.dents)) {
            *bent = seen_from(moments, dent.fp);
        }
        fitting::fit_where(self.clusters, &bent[..moments.len()], wanted, &stale, fits, out);
        for c in (0..moments.len()).filter(|&c| stale(c)) {
            out[c] = bent_goal(&out[c], self.dents[c].fp, &self.clusters[c]);
        }
    }
}

/// The goal R Fp about a cluster's centre, where `rigid` is R.
fn bent_goal(rigid: &Rigid, fp: Mat3A, cluster: &RestCluster) -> Rigid {
    let [x, y, z] = rigid.columns.map(Vec3A::from_vec4);
    let rotation = Mat3A::from_cols(x, y, z);
    let centre = Vec3A::from_vec4(cluster.centre) + cluster.residue;
    let bent = rotation * fp;
    let shift = Vec3A::from_vec4(rigid.shift) + rotation * (centre - fp * centre);
    let columns = [bent.x_axis, bent.y_axis, bent.z_axis].map(|c| c.extend(0.0));
    Rigid { columns, shift: Vec4::from((shift, rigid.shift.w)) }
}
