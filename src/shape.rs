//! The rest shape: what a body looks like when nothing pulls at it.
//!
//! Immutable and shared by any number of bodies. Particles are kept in spatial
//! (Morton) order, so that neighbours in space are neighbours in memory; `order` and
//! `place` translate to and from the caller's numbering. Every level keeps its
//! memberships flat, both ways: a cluster reads its members, a particle its clusters.

mod assembly;
mod building;
pub(crate) mod held;
mod level;
pub(crate) mod own;
mod planes;
mod scaling;

use std::sync::{Arc, OnceLock};

use glam::{Mat3A, Vec3, Vec4};

use crate::bytes::Fnv;
use crate::clustering::{LevelsDef, Nesting, Workers};
use crate::collide::field::Field;
use crate::error::Error;
use crate::fracture::pieces::PartOf;
use crate::headroom;
use crate::membership::Membership;
use crate::painting::{Particles, Tuning};
use crate::query::outline::Outline;
use crate::skinning::divide::{self, Carriers};
use crate::skinning::{Skin, SkinSource};
use planes::Planes;

pub(crate) use assembly::{Part, Parts, derived, full};
pub(crate) use building::is_mass;
pub use level::{Level, RestCluster};

/// A rest shape with its levels, finest first.
///
/// ```
/// use glam::Vec3;
/// use wobble::{LevelsDef, Shape};
///
/// let points: Vec<Vec3> = (0..100).map(|i| Vec3::new((i % 10) as f32, (i / 10) as f32, 0.0)).collect();
/// let sheet = Shape::from_points(&points, None, &LevelsDef::default())?;
/// let file = sheet.to_bytes();
/// assert_eq!(Shape::from_bytes(&file)?.fingerprint(), sheet.fingerprint());
/// # Ok::<(), wobble::Error>(())
/// ```
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
    /// What multiplies the toughness of each particle; empty if nothing is painted.
    toughness: Vec<f32>,
    /// The particles that are pinned in a new body.
    pinned: Vec<u32>,
    centre: Vec3,
    mass: f32,
    /// Of the whole shape at rest, about its centre of mass, 1/(kg m²).
    inverse_inertia: Mat3A,
    has_equal_masses: bool,
    /// What cuts the finest clusters' spheres.
    planes: OnceLock<Planes>,
    /// The surface, for contacts with other bodies.
    field: OnceLock<Arc<Field>>,
    /// The surface that queries meet.
    outline: OnceLock<Outline>,
    spacing: f32,
    width: f32,
    fingerprint: u64,
    skin: Option<Skin>,
    /// The shape that it is a piece of.
    part_of: Option<PartOf>,
    /// What divides its mesh when it breaks.
    carriers: OnceLock<Carriers>,
}

/// ```
/// use glam::Vec3;
/// use wobble::{LevelsDef, Nesting, Particles, Shape};
///
/// let at = |i: usize| Vec3::new((i % 6) as f32, (i / 6 % 6) as f32, (i / 36) as f32) * 0.1;
/// let points: Vec<Vec3> = (0..216).map(at).collect();
/// let masses = vec![0.01; 216]; // kg each
/// let shape = Shape::from_points(&points, Some(&masses), &LevelsDef::default())?;
/// let painted = Particles { points: &points, masses: Some(&masses), ..Particles::default() };
/// let same = Shape::from_particles(&painted, &LevelsDef::default(), &mut |_done| true)?;
/// assert_eq!(shape.fingerprint(), same.fingerprint());
///
/// assert_eq!((shape.particle_count(), shape.nesting()), (216, Nesting::Nested));
/// assert!((shape.mass() - 2.16).abs() < 1e-4 && (shape.spacing() - 0.1).abs() < 0.02);
/// assert!((shape.centre() - 0.25).length() < 1e-5, "where the origin lay in the points' space");
/// assert!(shape.skin().is_none() && shape.pinned().is_empty() && shape.toughness().is_empty());
///
/// // Particles are in spatial order inside: `order` leads to the caller's numbers and `place` back.
/// let first = shape.place()[0] as usize;
/// assert_eq!(shape.order()[first], 0);
/// assert!((shape.rest()[first].truncate() + shape.centre() - points[0]).length() < 1e-5);
/// assert_eq!(shape.masses()[first], 0.01);
///
/// // Clusters of all levels are in one row, finest first.
/// assert_eq!(shape.levels().len(), 2);
/// assert_eq!(shape.clusters(0).len() + shape.clusters(1).len(), shape.all_clusters().len());
/// assert_eq!(shape.scatter().len(), shape.all_clusters().len());
/// assert!(shape.planes(0).len() <= 6, "that bound the proxy of a finest cluster");
/// assert_eq!(shape.blended_from().rows(), 216);
/// println!("{} bytes", shape.bytes());
/// # Ok::<(), wobble::Error>(())
/// ```
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

    /// A number that tells shapes apart by everything that a step depends on. It is the same for
    /// a shape that was built and one that was loaded.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The render mesh that bodies of this shape carry, if it was made with one.
    pub fn skin(&self) -> Option<&Skin> {
        self.skin.as_ref()
    }

    pub(crate) fn set_skin_sources(&mut self, sources: Vec<SkinSource>) {
        self.skin.iter_mut().for_each(|skin| skin.set_sources(sources.clone()));
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
        self.field.get_or_init(|| match &self.part_of {
            None => Arc::new(Field::new(&self.rest, &Workers::new(0, self.particle_count()))),
            // Nothing can touch it but colliders: its particles are nowhere near where they rest.
            Some(_) if self.is_debris() => Arc::default(),
            Some(part) if part.particles.len() == part.whole.particle_count() => part.whole.shared_field(),
            Some(part) => Arc::new(part.whole.field().part(&part.whole.rest, &part.particles, &self.rest)),
        })
    }

    /// Finds [`Shape::field`] now, or refuses where there is no memory for that.
    pub(crate) fn ensure_field(&self) -> Result<(), Error> {
        if self.field.get().is_some() {
            return Ok(());
        }
        let workers = Workers::new(0, self.particle_count());
        headroom::ensure(Field::bytes_to_find(self.particle_count()), "the surface of a shape")?;
        if self.part_of.is_none() {
            self.field.get_or_init(|| Arc::new(Field::new(&self.rest, &workers)));
        }
        self.field();
        Ok(())
    }

    fn shared_field(&self) -> Arc<Field> {
        self.field();
        self.field.get().map(Arc::clone).unwrap_or_default()
    }

    /// The shape that it is a piece of, if it was torn.
    pub(crate) fn part_of(&self) -> Option<&PartOf> {
        self.part_of.as_ref()
    }

    /// Makes it a piece of another shape.
    pub(crate) fn set_part_of(&mut self, part: PartOf) {
        let mut hash = Fnv::new();
        [self.fingerprint, part.whole.fingerprint].into_iter().for_each(|id| hash.add(id));
        part.particles.iter().chain(&part.clusters).for_each(|&i| hash.add(i.into()));
        self.fingerprint = hash.0;
        self.part_of = Some(part);
    }

    /// Takes a part of the mesh of the shape that it was torn from.
    pub(crate) fn take_skin(&mut self, torn: &PartOf) {
        if let (Some(skin), Some(carriers)) = (torn.whole.skin(), torn.whole.carriers()) {
            self.skin = divide::divide(skin, carriers, self, torn);
        }
    }

    /// What divides the mesh when the shape breaks, found when it is first asked for.
    pub(crate) fn carriers(&self) -> Option<&Carriers> {
        let skin = self.skin.as_ref()?;
        Some(self.carriers.get_or_init(|| Carriers::of(skin, &self.rest)))
    }

    /// Whether its particles are held by nobody but themselves.
    pub(crate) fn is_debris(&self) -> bool {
        self.part_of.is_some() && self.levels.first().is_some_and(|finest| finest.report.radius == 0.0)
    }

    /// The surface that queries meet, found when it is first asked for.
    pub(crate) fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Outline::new(self))
    }

    /// The finest cluster that holds a particle, given in spatial order, most.
    pub(crate) fn holder(&self, particle: usize) -> Option<u32> {
        let row = self.levels.first()?.held_by().row(particle).iter();
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

    /// What multiplies the toughness of each particle, in spatial order; empty if nothing is painted.
    pub fn toughness(&self) -> &[f32] {
        &self.toughness
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

    /// Collision planes of a finest cluster as (normal, a), rest space: inside is where normal·r + a < 0.
    /// Those of all are found when they are first asked for.
    pub fn planes(&self, cluster: usize) -> &[Vec4] {
        self.planes.get_or_init(|| Planes::of(self)).of_cluster(cluster)
    }

    /// The range of a level's clusters when all levels are numbered in one row.
    pub(crate) fn range(&self, level: usize) -> std::ops::Range<usize> {
        self.first_cluster[level] as usize..self.first_cluster[level + 1] as usize
    }

    /// The clusters that each particle's goal is blended from, numbered across levels.
    pub fn blended_from(&self) -> &Membership {
        match (self.nesting, self.levels.first()) {
            (Nesting::Nested, Some(finest)) => finest.held_by(),
            _ => &self.held_by_all,
        }
    }

    /// Heap bytes held.
    pub fn bytes(&self) -> usize {
        let levels: usize = self.levels.iter().map(Level::bytes).sum();
        self.rest.capacity() * size_of::<Vec4>()
            + (self.masses.capacity() + self.order.capacity() + self.place.capacity()) * 4
            + (self.tuning.capacity() + self.painted.capacity()) * size_of::<Tuning>()
            + (self.pinned.capacity() + self.toughness.capacity()) * 4
            + self.held_by_all.bytes()
            + self.planes.get().map_or(0, Planes::bytes)
            + self.field.get().map_or(0, |field| field.bytes())
            + self.outline.get().map_or(0, Outline::bytes)
            + self.clusters.capacity() * size_of::<RestCluster>()
            + (self.scatter.capacity() + self.inverse_scatter.capacity()) * size_of::<[f32; 6]>()
            + self.skin.as_ref().map_or(0, Skin::bytes)
            + self.carriers.get().map_or(0, Carriers::bytes)
            + self.part_of.as_ref().map_or(0, |p| (p.particles.capacity() + p.clusters.capacity()) * 4)
            + levels
    }

    /// Whether level `level` clusters the clusters below it rather than particles.
    pub(crate) fn sums_children(&self, level: usize) -> bool {
        level > 0 && self.nesting == Nesting::Nested
    }
}
