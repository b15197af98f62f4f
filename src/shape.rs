//! The rest shape: what a body looks like when nothing pulls at it.
//!
//! Immutable and shared by any number of bodies. Particles are kept in spatial
//! (Morton) order, so that neighbours in space are neighbours in memory; `order` and
//! `place` translate to and from the caller's numbering. Every level keeps its
//! memberships flat, both ways: a cluster reads its members, a particle its clusters.

use std::sync::{Arc, OnceLock};

use glam::{DMat3, DVec3, Mat3A, Vec3, Vec3A, Vec4};

use crate::clustering::{self, Clusters, LevelReport, LevelsDef, Nesting};
use crate::collide::field::Field;
use crate::error::{Error, LARGEST, is_ordinary};
use crate::math::{morton, symmetric};
use crate::membership::{self, Membership};
use crate::painting::{self, Particles, Tuning};
use crate::query::outline::Outline;
use crate::skinning::Skin;
use crate::spacing;

/// What a step needs to know about a cluster at rest.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RestCluster {
    /// Centre of mass, metres, rest space; w is 0.
    pub centre: Vec4,
    /// What rounding `centre` left out, metres: without it a cluster would push its body along.
    pub residue: Vec3A,
    /// Mass, kg: its members' masses times their weights.
    pub mass: f32,
    /// One over `mass`.
    pub inverse_mass: f32,
    /// Trace of A_rr, kg m².
    pub spread: f32,
    /// SL Eq. 5: largest distance of a member from the centre, metres.
    pub width: f32,
}

/// One scale of a shape.
#[derive(Debug)]
pub struct Level {
    members: Membership,
    held_by: Membership,
    plane_starts: Vec<u32>,
    planes: Vec<Vec4>,
    report: LevelReport,
}

/// Planes nearer to the centre than this share of the radius cut a proxy (CC 3.4).
const PLANE_REACH: f32 = 0.5;

/// Directions with less than this share of A_rr's largest eigenvalue count as missing: a
/// cluster thinner than a thousandth of its width.
const FLAT: f64 = 1e-6;

/// A rest shape with its levels, finest first.
#[derive(Debug)]
pub struct Shape {
    rest: Vec<Vec4>,
    masses: Vec<f32>,
    order: Vec<u32>,
    place: Vec<u32>,
    nesting: Nesting,
    levels: Vec<Level>,
    /// The clusters of all levels in one row, finest level first.
    clusters: Vec<RestCluster>,
    /// Their A_rr as (xx, yy, zz, xy, xz, yz), kg m².
    scatter: Vec<[f32; 6]>,
    /// Inverses of `scatter` over the directions that a cluster has.
    inverse_scatter: Vec<[f32; 6]>,
    /// For independent levels: every particle's clusters of all levels in one row, numbered
    /// across levels. Empty for nested ones, where the finest level's table serves.
    held_by_all: Membership,
    /// Where each level's clusters begin when all are numbered in one row; one more at the end.
    first_cluster: Vec<u32>,
    /// Multipliers painted on each particle, and what they make of each cluster of all levels; empty
    /// if nothing is painted.
    tuning: Vec<Tuning>,
    painted: Vec<Tuning>,
    /// The particles that are pinned in a new body.
    pinned: Vec<u32>,
    centre: Vec3,
    mass: f32,
    /// Of the whole shape at rest, about its centre of mass, 1/(kg m²).
    inverse_inertia: Mat3A,
    has_equal_masses: bool,
    /// The surface, for contacts with other bodies.
    field: OnceLock<Field>,
    /// The surface that queries meet.
    outline: OnceLock<Outline>,
    spacing: f32,
    width: f32,
    fingerprint: u64,
    skin: Option<Skin>,
}

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
    /// Particles that a new body pins, ascending.
    pub(crate) pinned: Vec<u32>,
    /// Where the centre of mass lay in the space of the points.
    pub(crate) centre: Vec3,
    /// The render mesh that bodies carry.
    pub(crate) skin: Option<Skin>,
}

impl Shape {
    /// A shape from points in metres, 1 kg in all unless `masses` gives each particle's, kg.
    ///
    /// The shape's origin is its centre of mass: a body placed at p has its centre there.
    pub fn from_points(
        points: &[Vec3],
        masses: Option<&[f32]>,
        def: &LevelsDef,
    ) -> Result<Arc<Shape>, Error> {
        Shape::from_particles(&Particles { points, masses, ..Particles::default() }, def, &mut |_| true)
    }

    /// A shape from particles with all they can have. `progress` is told the fraction done, 0 to 1,
    /// and returns false to cancel. The shape's origin is its centre of mass.
    pub fn from_particles(
        particles: &Particles,
        def: &LevelsDef,
        progress: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Arc<Shape>, Error> {
        Shape::built(particles, def, progress).map(Arc::new)
    }

    /// What `from_particles` makes, before it is shared.
    pub(crate) fn built(
        particles: &Particles,
        def: &LevelsDef,
        progress: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Shape, Error> {
        let Particles { points, masses, .. } = *particles;
        check_points(points, masses)?;
        particles.check_maps()?;
        let order = morton::order(points);
        let each = 1.0 / points.len().max(1) as f32;
        let masses: Vec<f32> = order.iter().map(|&i| masses.map_or(each, |m| m[i as usize])).collect();
        let sorted: Vec<Vec3> = order.iter().map(|&i| points[i as usize]).collect();
        let centre = centre_of_mass(&sorted, &masses);
        let rest: Vec<Vec3> = sorted.iter().map(|p| (p.as_dvec3() - centre).as_vec3()).collect();
        let mut found = clustering::build(&rest, &masses, def, progress)?;
        let even = evened_out(&mut found, def.nesting);
        let order: Vec<u32> = even.iter().map(|&i| order[i as usize]).collect();
        let masses: Vec<f32> = even.iter().map(|&i| masses[i as usize]).collect();
        let rest: Vec<Vec4> = even.iter().map(|&i| rest[i as usize].extend(1.0)).collect();
        let levels = found.into_iter().map(|Clusters { mut held_by, report, .. }| {
            held_by.complete_rows();
            held_by.shrink();
            (held_by, report)
        });
        let levels = levels.collect();
        let (tuning, pinned) = (particles.tuning(&order), particles.pinned(&order));
        let (nesting, centre) = (def.nesting, centre.as_vec3());
        let parts = Parts { rest, masses, order, nesting, levels, tuning, pinned, centre, skin: None };
        Ok(Shape::assembled(parts))
    }

    /// A shape of parts that fit together.
    pub(crate) fn assembled(parts: Parts) -> Shape {
        let fingerprint = parts.fingerprint();
        let Parts { rest, masses, order, nesting, levels, tuning, pinned, centre, skin } = parts;
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
            painted: Vec::new(),
            pinned,
            centre,
            mass,
            inverse_inertia: Mat3A::ZERO,
            field: OnceLock::new(),
            outline: OnceLock::new(),
            spacing: 0.0,
            width: 0.0,
            fingerprint,
            skin,
        };
        for (held_by, report) in levels {
            shape.add_level(held_by, report);
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

    /// A number that tells shapes apart by everything that a step depends on. It is the same for
    /// a shape that was built and one that was loaded, on every platform.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The render mesh that bodies of this shape carry, if it was made with one.
    pub fn skin(&self) -> Option<&Skin> {
        self.skin.as_ref()
    }

    /// Lets bodies carry a mesh whose influences are finest clusters of this shape.
    pub(crate) fn set_skin(&mut self, skin: Skin) {
        self.skin = Some(skin);
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.rest.len()
    }

    /// Rest positions in spatial order, metres about the centre of mass; w is 1.
    pub fn rest(&self) -> &[Vec4] {
        &self.rest
    }

    /// Particle masses in spatial order, kg.
    pub fn masses(&self) -> &[f32] {
        &self.masses
    }

    /// Total mass, kg.
    pub fn mass(&self) -> f32 {
        self.mass
    }

    /// Where the shape's origin, its centre of mass, lay in the space of the points or the mesh that
    /// it was made from, metres. A body placed there coincides with them.
    pub fn centre(&self) -> Vec3 {
        self.centre
    }

    pub(crate) fn inverse_inertia(&self) -> Mat3A {
        self.inverse_inertia
    }

    /// Mean distance from a particle to its nearest neighbour, metres; 0 if there is none.
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Twice the distance of the outermost particle from the centre of mass, metres.
    pub(crate) fn width(&self) -> f32 {
        self.width
    }

    pub(crate) fn has_equal_masses(&self) -> bool {
        self.has_equal_masses
    }

    /// The surface by which bodies touch each other, found when it is first asked for: a body that is alone
    /// has no use for it, and it takes a part of the time that building the levels takes.
    pub(crate) fn field(&self) -> &Field {
        self.field.get_or_init(|| Field::new(&self.rest))
    }

    /// The surface that queries meet, found when it is first asked for.
    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::new(self))
    }

    /// The finest cluster that holds a particle, given in spatial order, most.
    pub(crate) fn holder(&self, particle: usize) -> Option<u32> {
        let row = self.levels.first()?.held_by.row(particle).iter();
        row.reduce(|a, b| if b.weight > a.weight { b } else { a }).map(|e| e.index)
    }

    /// The multipliers painted on each particle; empty if nothing is painted.
    pub(crate) fn tuning(&self) -> &[Tuning] {
        &self.tuning
    }

    /// What is painted on each cluster of all levels; empty if nothing is.
    pub(crate) fn painted(&self) -> &[Tuning] {
        &self.painted
    }

    /// The particles, in spatial order, that are pinned in a new body.
    pub fn pinned(&self) -> &[u32] {
        &self.pinned
    }

    /// For each spatial index, the caller's.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// For each of the caller's indices, the spatial one.
    pub fn place(&self) -> &[u32] {
        &self.place
    }

    /// How the levels hang together.
    pub fn nesting(&self) -> Nesting {
        self.nesting
    }

    /// The levels, finest first. Empty for a shape without particles.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The clusters of one level at rest.
    pub fn clusters(&self, level: usize) -> &[RestCluster] {
        &self.clusters[self.range(level)]
    }

    /// The clusters of all levels at rest, finest level first.
    pub fn all_clusters(&self) -> &[RestCluster] {
        &self.clusters
    }

    /// A_rr of each cluster of all levels, kg m², as (xx, yy, zz, xy, xz, yz).
    pub fn scatter(&self) -> &[[f32; 6]] {
        &self.scatter
    }

    /// The inverses of [`Shape::scatter`]; directions that a flat cluster lacks give zero.
    pub(crate) fn inverse_scatter(&self) -> &[[f32; 6]] {
        &self.inverse_scatter
    }

    /// The range of a level's clusters when all levels are numbered in one row.
    pub(crate) fn range(&self, level: usize) -> std::ops::Range<usize> {
        self.first_cluster[level] as usize..self.first_cluster[level + 1] as usize
    }

    /// The clusters that each particle's goal is blended from, numbered across levels.
    pub fn blended_from(&self) -> &Membership {
        match (self.nesting, self.levels.first()) {
            (Nesting::Nested, Some(finest)) => &finest.held_by,
            _ => &self.held_by_all,
        }
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(Level::bytes).sum();
        self.rest.capacity() * size_of::<Vec4>()
            + (self.masses.capacity() + self.order.capacity() + self.place.capacity()) * 4
            + (self.tuning.capacity() + self.painted.capacity()) * size_of::<Tuning>()
            + self.pinned.capacity() * 4
            + self.held_by_all.bytes()
            + self.field.get().map_or(0, Field::bytes)
            + self.outline.get().map_or(0, Outline::bytes)
            + self.clusters.capacity() * size_of::<RestCluster>()
            + (self.scatter.capacity() + self.inverse_scatter.capacity()) * size_of::<[f32; 6]>()
            + self.skin.as_ref().map_or(0, Skin::bytes)
            + levels
    }

    /// Whether level `level` clusters the clusters below it rather than particles.
    pub(crate) fn sums_children(&self, level: usize) -> bool {
        level > 0 && self.nesting == Nesting::Nested
    }

    fn add_level(&mut self, held_by: Membership, report: LevelReport) {
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
        let found: Vec<_> = (0..members.rows()).map(|c| rest_cluster(members.row(c), &part)).collect();
        for (cluster, scatter) in found {
            let inverse = symmetric::pseudo_inverse(full(scatter.map(f64::from)), FLAT);
            self.clusters.push(cluster);
            self.scatter.push(scatter);
            self.inverse_scatter.push(packed(inverse).map(|v| v as f32));
        }
        if !self.tuning.is_empty() {
            let below = self.levels.len().checked_sub(1).map(|l| self.range(l));
            let of = below.filter(|_| self.sums_children(self.levels.len())).map(|r| &self.painted[r]);
            let means = painting::means(&members, of.unwrap_or(&self.tuning));
            self.painted.extend(means);
        }
        self.first_cluster.push(self.clusters.len() as u32);
        let mut level = Level { members, held_by, plane_starts: Vec::new(), planes: Vec::new(), report };
        if self.levels.is_empty() {
            level.find_planes(&self.rest, &self.clusters, &self.scatter);
        }
        self.levels.push(level);
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

/// Brings particles held by equally many clusters together within short runs, so that the loop
/// over a particle's clusters ends where the processor expects it. Returns the new order.
fn evened_out(found: &mut [Clusters], nesting: Nesting) -> Vec<u32> {
    let Some(finest) = found.first() else { return Vec::new() };
    let mut order: Vec<u32> = (0..finest.held_by.rows() as u32).collect();
    let levels = if nesting == Nesting::Nested { 1 } else { found.len() };
    for run in order.chunks_mut(RUN) {
        run.sort_by_key(|&i| found[..levels].iter().map(|l| l.held_by.row(i as usize).len()).sum::<usize>());
    }
    for level in &mut found[..levels] {
        level.held_by = level.held_by.reordered(&order);
    }
    order
}

/// Particles in a run: few enough to stay neighbours in memory.
const RUN: usize = 64;

/// What a cluster is made of: a particle, or a cluster of the level below.
struct Part {
    at: Vec4,
    scatter: [f32; 6],
    mass: f32,
    reach: f32,
}

impl Level {
    /// Planes normal to the eigenvectors of A_rr that bound a cluster's members and pass
    /// close to its centre (CC 3.4), as (normal, a): inside is where normal·r + a < 0.
    fn find_planes(&mut self, rest: &[Vec4], clusters: &[RestCluster], scatter: &[[f32; 6]]) {
        self.plane_starts.push(0);
        for (c, cluster) in clusters.iter().enumerate() {
            let (_, vectors) = symmetric::eigen(full(scatter[c].map(f64::from)));
            for vector in vectors {
                let normal = Vec3::from(vector.map(|v| v as f32));
                let along = |i: u32| normal.dot((rest[i as usize] - cluster.centre).truncate());
                let reaches = self.members.row(c).iter().map(|e| along(e.index));
                let (low, high) = reaches.fold((0.0f32, 0.0f32), |(l, h), d| (l.min(d), h.max(d)));
                let at_centre = normal.dot(cluster.centre.truncate());
                let near = PLANE_REACH * self.report.radius;
                if high < near {
                    self.planes.push(normal.extend(-(at_centre + high)));
                }
                if -low < near {
                    self.planes.push((-normal).extend(at_centre + low));
                }
            }
            self.plane_starts.push(self.planes.len() as u32);
        }
        self.planes.shrink_to_fit();
    }

    /// Number of clusters.
    pub fn cluster_count(&self) -> usize {
        self.members.rows()
    }

    /// For each cluster its members, weighted by mass times weight. Members are particles in
    /// spatial order or, for a coarser nested level, clusters of the level below.
    pub fn members(&self) -> &Membership {
        &self.members
    }

    /// For each member, the clusters that hold it; weights sum to 1.
    pub fn held_by(&self) -> &Membership {
        &self.held_by
    }

    /// Collision planes of a cluster as (normal, a), rest space: inside is where
    /// normal·r + a < 0. The finest level has them; coarser ones have none.
    pub fn planes(&self, cluster: usize) -> &[Vec4] {
        match self.plane_starts.get(cluster..cluster + 2) {
            Some(&[from, to]) => &self.planes[from as usize..to as usize],
            _ => &[],
        }
    }

    /// How building it went.
    pub fn report(&self) -> &LevelReport {
        &self.report
    }

    fn bytes(&self) -> usize {
        self.members.bytes()
            + self.held_by.bytes()
            + self.plane_starts.capacity() * 4
            + self.planes.capacity() * size_of::<Vec4>()
    }
}

/// Mass, centre, scatter and width of a cluster; sums in `f64`, rounded once.
fn rest_cluster(members: &[membership::Entry], part: &impl Fn(usize) -> Part) -> (RestCluster, [f32; 6]) {
    let mut mass = 0.0f64;
    let mut centre = glam::DVec3::ZERO;
    for e in members {
        mass += f64::from(e.weight);
        centre += part(e.index as usize).at.truncate().as_dvec3() * f64::from(e.weight);
    }
    let exact = centre / mass;
    let centre = exact.as_vec3();
    let mut scatter = [0.0f64; 6];
    let mut width = 0.0f32;
    for e in members {
        let part = part(e.index as usize);
        let q = (part.at.truncate() - centre).as_dvec3();
        let m = f64::from(e.weight);
        let share = m / f64::from(part.mass);
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
    (cluster, scatter.map(|s| s as f32))
}

/// The full matrix of (xx, yy, zz, xy, xz, yz).
pub(crate) fn full(s: [f64; 6]) -> [[f64; 3]; 3] {
    [[s[0], s[3], s[4]], [s[3], s[1], s[5]], [s[4], s[5], s[2]]]
}

fn packed(m: [[f64; 3]; 3]) -> [f64; 6] {
    [m[0][0], m[1][1], m[2][2], m[0][1], m[0][2], m[1][2]]
}

fn check_points(points: &[Vec3], masses: Option<&[f32]>) -> Result<(), Error> {
    membership::countable("points", points.len())?;
    for (index, p) in points.iter().enumerate() {
        if let Some(c) = p.to_array().into_iter().find(|c| !is_ordinary(*c)) {
            let wanted = "finite and at most 1e9 in size";
            return Err(Error::Element { field: "points", index, value: c.into(), wanted });
        }
    }
    let Some(masses) = masses else { return Ok(()) };
    if masses.len() != points.len() {
        let wanted = format!("{}, one for each point", points.len());
        return Err(Error::Length { field: "masses", got: masses.len(), wanted });
    }
    match masses.iter().position(|m| !is_mass(*m)) {
        None => Ok(()),
        Some(index) => {
            let wanted = "from 1e-12 to 1e9 kg (pin a particle to make it immovable)";
            Err(Error::Element { field: "masses", index, value: masses[index].into(), wanted })
        }
    }
}

/// Whether a particle may have this mass, kg.
pub(crate) fn is_mass(mass: f32) -> bool {
    (SMALLEST_MASS..=LARGEST).contains(&mass)
}

/// Lighter particles would vanish beside others in single precision.
const SMALLEST_MASS: f32 = 1e-12;

fn centre_of_mass(points: &[Vec3], masses: &[f32]) -> glam::DVec3 {
    let mass: f64 = masses.iter().map(|&m| f64::from(m)).sum();
    let sum = points.iter().zip(masses).fold(glam::DVec3::ZERO, |s, (p, &m)| s + p.as_dvec3() * f64::from(m));
    if mass > 0.0 { sum / mass } else { sum }
}
