//! The local embedding (RC Eq. 21-23): where particles would lie if nothing were under stress.
//!
//! Reads the clusters of particles that would be left alone and their neighbours, which are those they share a
//! particle with; writes a position for each of their members. Positions begin where the particles are and go in Jacobi rounds to the
//! weighted mean of their goals: strain limiting (SL) with nothing allowed. Each cluster and each particle is worked
//! out by itself.

use glam::{Vec3A, Vec4};

use super::Reclustered;
use crate::fitting::{self, Fit, Rigid, Wanted};
use crate::matching::Moments;
use crate::parallel::{Spread, chunks};
use crate::plasticity::Plastic;
use crate::shape::RestCluster;

/// Rounds at most.
const ROUNDS: usize = 20;
/// It is done when squared moves sum to this share of the first round's.
const STILL: f32 = 1e-8;
/// Clusters, and particles, that a thread works on at a time.
const CLUSTERS: usize = 8;
const PARTICLES: usize = 256;
/// Not in the embedding.
pub(super) const NONE: u32 = u32::MAX;

/// A member of an embedded cluster.
#[derive(Clone, Copy)]
struct Member {
    /// Fp p about the cluster's centre; w = 1.
    at: Vec4,
    particle: u32,
    mass: f32,
}

/// A cluster of an embedded particle.
#[derive(Clone, Copy)]
struct Holder {
    cluster: u32,
    member: u32,
    weight: f32,
}

/// A part of a body without stress.
pub(crate) struct Embedded {
    /// Clusters, as the body counts them.
    pub(super) clusters: Vec<u32>,
    /// Particles, ascending, and for each of the body its place here.
    pub(super) particles: Vec<u32>,
    pub(super) place: Vec<u32>,
    /// About the body's origin, metres; w = 0.
    pub(super) at: Vec<Vec4>,
    /// Particles whose neighbours are here, too: where a cluster may be placed.
    pub(super) inner: Vec<bool>,
    member_starts: Vec<u32>,
    members: Vec<Member>,
    holder_starts: Vec<u32>,
    holders: Vec<Holder>,
    rest: Vec<RestCluster>,
    pub(super) moments: Vec<Moments>,
    fits: Vec<Fit>,
    rigid: Vec<Rigid>,
    /// For each particle, the sum of kernels and of raw weights of those clusters that stay.
    pub(super) kernels: Vec<f32>,
    pub(super) raws: Vec<f32>,
}

impl Embedded {
    /// What surrounds some of the `orphans`: those, in ascending order, that up to `most` new clusters begin at.
    pub(super) fn new(
        own: &Reclustered,
        plastic: &Plastic,
        fits: &[Fit],
        (x, origin): (&[Vec4], Vec4),
        orphans: &[u32],
        most: usize,
    ) -> Embedded {
        let core = core(own, orphans, most);
        let clusters = with_neighbours(own, &core);
        let mut place = vec![NONE; x.len()];
        for &c in &clusters {
            own.members(c as usize).iter().for_each(|e| place[e.index as usize] = 0);
        }
        let particles: Vec<u32> = (0..x.len() as u32).filter(|&i| place[i as usize] != NONE).collect();
        (0..).zip(&particles).for_each(|(k, &i)| place[i as usize] = k);
        let inner = |&i: &u32| own.row(i as usize).0.iter().all(|e| core[e.index as usize]);
        let mut embedded = Embedded {
            at: particles.iter().map(|&i| (x[i as usize] - origin).with_w(0.0)).collect(),
            inner: particles.iter().map(inner).collect(),
            member_starts: vec![0],
            members: Vec::new(),
            holder_starts: vec![0],
            holders: Vec::new(),
            rest: Vec::with_capacity(clusters.len()),
            moments: vec![Moments::default(); clusters.len()],
            fits: clusters.iter().map(|&c| fits[c as usize]).collect(),
            rigid: vec![Rigid::default(); clusters.len()],
            kernels: vec![0.0; particles.len()],
            raws: vec![0.0; particles.len()],
            clusters,
            particles,
            place,
        };
        embedded.fill(own, plastic);
        embedded
    }

    /// Fills both tables.
    fn fill(&mut self, own: &Reclustered, plastic: &Plastic) {
        let starts = own.tables.levels()[0].members().starts();
        let mut local = vec![NONE; own.stages.len()];
        for (k, &c) in self.clusters.iter().enumerate() {
            let (c, first) = (c as usize, starts[c as usize] as usize);
            local[c] = k as u32;
            let (fp, cluster) = (plastic.dents[c].fp, &own.tables.clusters(0)[c]);
            for (e, apart) in own.members(c).iter().zip(&own.apart[first..]) {
                let p = own.tables.rest()[e.index as usize] + *apart - cluster.centre;
                let at = (fp * Vec3A::from_vec4(p)).extend(1.0);
                self.members.push(Member { at, particle: self.place[e.index as usize], mass: e.weight });
            }
            self.member_starts.push(self.members.len() as u32);
            let RestCluster { mass, inverse_mass, spread, .. } = plastic.clusters[c];
            self.rest.push(RestCluster { mass, inverse_mass, spread, ..RestCluster::default() });
        }
        for &i in &self.particles {
            let (row, first) = own.row(i as usize);
            let known =
                || row.iter().zip(&own.place[first..]).filter(|(e, _)| local[e.index as usize] != NONE);
            let sum: f32 = known().map(|(e, _)| e.weight).sum();
            self.holders.extend(known().map(|(e, &place)| {
                let cluster = local[e.index as usize];
                let member = place - starts[e.index as usize] + self.member_starts[cluster as usize];
                Holder { cluster, member, weight: e.weight / sum }
            }));
            self.holder_starts.push(self.holders.len() as u32);
        }
    }

    /// Goes to where elastic energy is least.
    pub(super) fn relax(&mut self, spread: Spread) {
        let mut next = self.at.clone();
        let mut moved = vec![0.0f32; self.at.len().div_ceil(PARTICLES)];
        let mut first = 0.0;
        for round in 0..ROUNDS {
            self.fit(spread);
            let work = (chunks(&mut next, PARTICLES), chunks(&mut moved, 1));
            let here = &*self;
            spread.for_blocks(work, |block, (next, moved)| {
                moved[0] = 0.0;
                for (k, next) in (block * PARTICLES..).zip(next) {
                    *next = here.goal(k);
                    moved[0] += (*next - here.at[k]).length_squared();
                }
            });
            std::mem::swap(&mut self.at, &mut next);
            let total: f32 = moved.iter().sum();
            if round == 0 {
                first = total;
            } else if total <= STILL * first {
                break;
            }
        }
        self.fit(spread);
    }

    /// Where every cluster is.
    fn fit(&mut self, spread: Spread) {
        let Embedded { at, members, member_starts, rest, moments, fits, rigid, .. } = self;
        let work = (chunks(moments, CLUSTERS), chunks(fits, CLUSTERS), chunks(rigid, CLUSTERS));
        spread.for_blocks(work, |block, (moments, fits, rigid)| {
            let first = block * CLUSTERS;
            for (c, moments) in (first..).zip(&mut *moments) {
                let here = member_starts[c] as usize..member_starts[c + 1] as usize;
                *moments = summed(&members[here], at, rest[c].inverse_mass);
            }
            let rest = &rest[first..first + moments.len()];
            let wanted = Wanted { stretch: None, spin: None };
            fitting::fit_where(rest, moments, wanted, |_| true, fits, rigid);
        });
    }

    /// The mean of what the clusters of a particle want.
    fn goal(&self, k: usize) -> Vec4 {
        let here = self.holder_starts[k] as usize..self.holder_starts[k + 1] as usize;
        let mut sum = Vec4::ZERO;
        for holder in &self.holders[here] {
            let Rigid { columns: [a, b, c], shift } = self.rigid[holder.cluster as usize];
            let q = self.members[holder.member as usize].at;
            sum += (a * q.x + b * q.y + c * q.z + shift) * holder.weight;
        }
        sum.with_w(0.0)
    }

    /// How a cluster is turned here, counted as the body does.
    pub(super) fn rotation(&self, c: u32) -> Option<Vec4> {
        self.clusters.binary_search(&c).ok().map(|k| self.fits[k].rotation)
    }
}

/// Centre, and rows of A_xr.
fn summed(members: &[Member], at: &[Vec4], inverse_mass: f32) -> Moments {
    let Some(first) = members.first() else { return Moments::default() };
    let from = at[first.particle as usize];
    let mut rows = [Vec4::ZERO; 3];
    for member in members {
        let (d, q) = (at[member.particle as usize] - from, member.at * member.mass);
        rows[0] += q * d.x;
        rows[1] += q * d.y;
        rows[2] += q * d.z;
    }
    let shift = Vec4::new(rows[0].w, rows[1].w, rows[2].w, 0.0) * inverse_mass;
    Moments { centre: from + shift, rows: rows.map(|row| row.with_w(0.0)), ..Moments::default() }
}

/// Clusters that hold those orphans, in ascending order, that up to `most` new clusters begin at.
fn core(own: &Reclustered, orphans: &[u32], most: usize) -> Vec<bool> {
    let mut core = vec![false; own.stages.len()];
    let mut left = most;
    for &i in orphans {
        let row = own.row(i as usize).0;
        if left > 0 && !row.iter().all(|e| core[e.index as usize]) {
            row.iter().for_each(|e| core[e.index as usize] = true);
            left -= 1;
        }
    }
    core
}

/// Those and all that share a particle with them.
fn with_neighbours(own: &Reclustered, core: &[bool]) -> Vec<u32> {
    let mut found = core.to_vec();
    for c in (0..core.len()).filter(|&c| core[c]) {
        for member in own.members(c) {
            own.row(member.index as usize).0.iter().for_each(|e| found[e.index as usize] = true);
        }
    }
    (0..found.len() as u32).filter(|&c| found[c as usize]).collect()
}
