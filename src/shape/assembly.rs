//! From parts to a shape: all that follows from who is held by whom.
//!
//! Reads [`Parts`], from a build or from a file; writes the tables that a step reads. Every cluster is
//! worked out by itself, so threads change no bit.

use std::sync::OnceLock;

use glam::{DMat3, DVec3, Mat3A, Vec3, Vec4};

use super::{Level, RestCluster, Shape};
use crate::clustering::{LevelReport, Nesting, Workers};
use crate::error::Error;
use crate::headroom;
use crate::math::symmetric;
use crate::membership::{self, Membership};
use crate::painting::{self, Tuning};
use crate::skinning::Skin;
use crate::spacing;

/// Directions with less than this share of A_rr's largest eigenvalue count as missing: a
/// cluster thinner than a thousandth of its width.
const FLAT: f64 = 1e-6;

/// What a shape is made of; all else follows from it, to the last bit.
pub(crate) struct Parts {
    pub(crate) rest: Vec<Vec4>,
    pub(crate) masses: Vec<f32>,
    pub(crate) order: Vec<u32>,
    pub(crate) nesting: Nesting,
    /// For each level, finest first, which clusters hold which member.
    pub(crate) levels: Vec<(Membership, LevelReport)>,
    /// Multipliers painted on each particle; empty if nothing is painted.
    pub(crate) tuning: Vec<Tuning>,
    /// What multiplies the toughness of each particle; empty if nothing is painted.
    pub(crate) toughness: Vec<f32>,
    /// Particles that a new body pins, ascending.
    pub(crate) pinned: Vec<u32>,
    /// Where the centre of mass lay in the space of the points.
    pub(crate) centre: Vec3,
    /// The render mesh that bodies carry.
    pub(crate) skin: Option<Skin>,
}

/// Bytes that a particle, a membership and a cluster take at most while a shape is assembled.
const ASSEMBLED: [usize; 3] = [80, 4 * size_of::<membership::Entry>(), 512];

/// Refuses a shape that there is no memory for; of each level the memberships and clusters.
pub(crate) fn ensure_assembly(
    particles: usize,
    levels: impl Iterator<Item = (usize, usize)>,
) -> Result<(), Error> {
    let [particle, membership, cluster] = ASSEMBLED;
    let tables: usize = levels.map(|(held, clusters)| held * membership + clusters * cluster).sum();
    headroom::ensure(particles * particle + tables, "a shape")
}

impl Parts {
    /// Refuses parts that there is no memory to assemble for.
    pub(crate) fn ensure_room(&self) -> Result<(), Error> {
        let tables = self.levels.iter().map(|(held_by, report)| (held_by.len(), report.clusters));
        ensure_assembly(self.rest.len(), tables)
    }
}

impl Shape {
    /// A shape of parts that fit together.
    pub(crate) fn assembled(parts: Parts, workers: &Workers) -> Shape {
        let fingerprint = parts.fingerprint();
        let Parts { rest, masses, order, nesting, levels, tuning, toughness, pinned, centre, skin } = parts;
        let mut place = vec![0u32; order.len()];
        for (i, &caller) in order.iter().enumerate() {
            place[caller as usize] = i as u32;
        }
        let mass = masses.iter().map(|&m| f64::from(m)).sum::<f64>() as f32;
        let has_equal_masses = masses.iter().all(|m| *m == masses[0]);
        let mut shape = Shape {
            has_equal_masses,
            rest,
            masses,
            order,
            place,
            nesting,
            levels: Vec::new(),
            clusters: Vec::new(),
            scatter: Vec::new(),
            inverse_scatter: Vec::new(),
            held_by_all: Membership::default(),
            first_cluster: vec![0],
            tuning,
            toughness,
            painted: Vec::new(),
            pinned,
            centre,
            mass,
            inverse_inertia: Mat3A::ZERO,
            planes: OnceLock::new(),
            field: OnceLock::new(),
            outline: OnceLock::new(),
            spacing: 0.0,
            width: 0.0,
            fingerprint,
            skin,
            part_of: None,
            carriers: OnceLock::new(),
        };
        for (held_by, report) in levels {
            shape.add_level(held_by, report, workers);
        }
        shape.clusters.shrink_to_fit();
        shape.scatter.shrink_to_fit();
        shape.inverse_scatter.shrink_to_fit();
        shape.inverse_inertia = shape.find_inverse_inertia();
        shape.join_independent_levels();
        shape.width = 2.0 * shape.rest.iter().map(|r| r.truncate().length()).fold(0.0, f32::max);
        shape.spacing = shape.levels.first().map_or(0.0, |finest| spacing::of(&shape.rest, &finest.members));
        shape
    }

    fn add_level(&mut self, held_by: Membership, report: LevelReport, workers: &Workers) {
        let below = self.sums_children(self.levels.len()).then(|| self.range(self.levels.len() - 1));
        let part = |i: usize| match &below {
            None => Part { at: self.rest[i], scatter: [0.0; 6], mass: self.masses[i], reach: 0.0 },
            Some(range) => {
                let c = &self.clusters[range.start + i];
                let scatter = self.scatter[range.start + i];
                Part { at: c.centre, scatter, mass: c.mass, reach: c.width }
            }
        };
        let members = held_by.transposed(report.clusters, |i, w| w * part(i).mass);
        let mut found = vec![Derived::default(); members.rows()];
        workers.each(&mut found, |c, derived| *derived = Derived::of(members.row(c), &|_, i| part(i)));
        self.clusters.extend(found.iter().map(|d| d.cluster));
        self.scatter.extend(found.iter().map(|d| d.scatter));
        self.inverse_scatter.extend(found.iter().map(|d| d.inverse_scatter));
        if !self.tuning.is_empty() {
            let below = self.levels.len().checked_sub(1).map(|l| self.range(l));
            let of = below.filter(|_| self.sums_children(self.levels.len())).map(|r| &self.painted[r]);
            let means = painting::means(&members, of.unwrap_or(&self.tuning));
            self.painted.extend(means);
        }
        self.first_cluster.push(self.clusters.len() as u32);
        self.levels.push(Level { members, held_by, report });
    }

    fn find_inverse_inertia(&self) -> Mat3A {
        let mut inertia = DMat3::ZERO;
        for (r, m) in self.rest.iter().zip(&self.masses) {
            let (r, m) = (r.truncate().as_dvec3(), f64::from(*m));
            let squared = DMat3::from_diagonal(DVec3::splat(r.length_squared()));
            inertia += (squared - DMat3::from_cols(r * r.x, r * r.y, r * r.z)) * m;
        }
        let inverse = symmetric::pseudo_inverse(inertia.to_cols_array_2d(), FLAT);
        DMat3::from_cols_array_2d(&inverse).as_mat3().into()
    }

    fn join_independent_levels(&mut self) {
        if self.nesting == Nesting::Nested {
            return;
        }
        let entries = self.levels.iter().map(|l| l.held_by.len()).sum();
        let mut all = Membership::with_capacity(self.rest.len(), entries);
        for i in 0..self.rest.len() {
            let rows = self.levels.iter().zip(&self.first_cluster);
            all.push_row(rows.flat_map(|(level, &first)| {
                level.held_by.row(i).iter().map(move |e| membership::Entry { index: e.index + first, ..*e })
            }));
        }
        self.held_by_all = all;
    }
}

/// What a cluster is made of: a particle, or a cluster of the level below.
pub(crate) struct Part {
    /// Where it is, metres.
    pub(crate) at: Vec4,
    /// Its own A_rr, kg m².
    pub(crate) scatter: [f32; 6],
    pub(crate) mass: f32,
    /// How far it reaches from there, metres.
    pub(crate) reach: f32,
}

/// What follows from a cluster's members, told by their places in the row and their indices: the cluster at rest, its A_rr
/// and the inverse.
pub(crate) fn derived(
    members: &[membership::Entry],
    part: &impl Fn(usize, usize) -> Part,
) -> (RestCluster, [f32; 6], [f32; 6]) {
    let Derived { cluster, scatter, inverse_scatter } = Derived::of(members, part);
    (cluster, scatter, inverse_scatter)
}

/// What follows from a cluster's members.
#[derive(Clone, Copy, Default)]
struct Derived {
    cluster: RestCluster,
    scatter: [f32; 6],
    inverse_scatter: [f32; 6],
}

impl Derived {
    /// Sums in `f64`, rounded once.
    fn of(members: &[membership::Entry], part: &impl Fn(usize, usize) -> Part) -> Derived {
        let mut mass = 0.0f64;
        let mut centre = glam::DVec3::ZERO;
        for (k, e) in members.iter().enumerate() {
            mass += f64::from(e.weight);
            centre += part(k, e.index as usize).at.truncate().as_dvec3() * f64::from(e.weight);
        }
        // Only where a body has replaced clusters: nobody is left in it.
        if mass <= 0.0 {
            return Derived::default();
        }
        let exact = centre / mass;
        let centre = exact.as_vec3();
        let mut scatter = [0.0f64; 6];
        let mut width = 0.0f32;
        for (k, e) in members.iter().enumerate() {
            let part = part(k, e.index as usize);
            let q = (part.at.truncate() - centre).as_dvec3();
            let m = f64::from(e.weight);
            let share = if part.mass > 0.0 { m / f64::from(part.mass) } else { 0.0 };
            let outer = [q.x * q.x, q.y * q.y, q.z * q.z, q.x * q.y, q.x * q.z, q.y * q.z];
            for k in 0..6 {
                scatter[k] += m * outer[k] + share * f64::from(part.scatter[k]);
            }
            width = width.max(q.as_vec3().length() + part.reach);
        }
        let spread = (scatter[0] + scatter[1] + scatter[2]) as f32;
        let cluster = RestCluster {
            centre: centre.extend(0.0),
            residue: (exact - centre.as_dvec3()).as_vec3a(),
            mass: mass as f32,
            inverse_mass: (1.0 / mass) as f32,
            spread,
            width,
        };
        let scatter = scatter.map(|s| s as f32);
        let inverse = symmetric::pseudo_inverse(full(scatter.map(f64::from)), FLAT);
        Derived { cluster, scatter, inverse_scatter: packed(inverse).map(|v| v as f32) }
    }
}

/// The full matrix of (xx, yy, zz, xy, xz, yz).
pub(crate) fn full(s: [f64; 6]) -> [[f64; 3]; 3] {
    [[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]]
}

fn packed(m: [[f64; 3]; 3]) -> [f64; 6] {
    [m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]]
}
