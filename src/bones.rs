//! Clusters as bones: where each one is now, for hosts that skin a mesh by them.
//!
//! Reads positions; changes nothing. The fits that a step leaves behind are those of the
//! positions before it moved the particles, so the clusters are matched here anew, each search
//! starting from the last rotation as in a step.

use glam::{Quat, Vec3, Vec4};

use crate::body::Body;
use crate::clustering::Nesting;
use crate::error::Error;
use crate::fitting::{Fit, Rigid, Wanted};
use crate::lanes;
use crate::matching::{Moments, OfChildren, OfParticles, Particles, STILL};
use crate::material::Rotation;
use crate::plasticity::{AtRest, Plastic, seen_from};
use crate::shape::held::Matched;

impl Body {
    /// For each cluster of a level its rotation and where its rest centre is now, metres: what is
    /// at r in the shape's rest space, about its centre of mass, is carried to
    /// rotation * (r - centre) + position, centre being that of [`Shape::clusters`].
    ///
    /// Exact for the present positions, and the rotation is the one a step would find. Costs one
    /// match of the level, for nested levels of those below too; allocates. Of a body that has replaced clusters they are
    /// those of the shape all the same, as its particles carry them.
    ///
    /// ```
    /// # use glam::{Quat, Vec3};
    /// # use wobble::{BodyDef, LevelsDef, Shape, World, WorldDef};
    /// # let shape = Shape::from_points(&[Vec3::ZERO, Vec3::X, Vec3::Y], None, &LevelsDef::default())?;
    /// # let mut world = World::new(&WorldDef::default())?;
    /// let id = world.add_body(&shape, &BodyDef { position: Vec3::Y, ..BodyDef::default() })?;
    /// let mut bones = vec![(Quat::IDENTITY, Vec3::ZERO); shape.clusters(0).len()];
    /// world.body(id)?.cluster_transforms(0, &mut bones)?;
    /// let centre = shape.clusters(0)[0].centre.truncate();
    /// assert!(bones[0].1.distance(centre + Vec3::Y) < 1e-6);
    /// # Ok::<(), wobble::Error>(())
    /// ```
    ///
    /// [`Shape::clusters`]: crate::Shape::clusters
    pub fn cluster_transforms(&self, level: usize, out: &mut [(Quat, Vec3)]) -> Result<(), Error> {
        let count = self.shape().levels().len();
        if level >= count {
            return Err(Error::Index { field: "level", got: level, count });
        }
        let range = self.shape().range(level);
        if out.len() < range.len() {
            let wanted = format!("at least {}", range.len());
            return Err(Error::Length { field: "out", got: out.len(), wanted });
        }
        let origin = self.origin_now();
        let moments = self.moments_now(level, origin);
        let clusters = AtRest::of(Matched::of(self.shape(), None), self.known_plastic()).part(range).clusters;
        let fits = self.fits_now(level, &moments);
        for (c, out) in out.iter_mut().take(clusters.len()).enumerate() {
            let rotation = Quat::from_vec4(fits[c].rotation);
            let centre = (origin + moments[c].centre).truncate();
            *out = (rotation, centre - rotation * Vec3::from(clusters[c].residue));
        }
        Ok(())
    }

    /// What has lasted in the clusters of the shape; nothing that is known once the body has replaced some, or while pins make
    /// them others.
    pub(crate) fn known_plastic(&self) -> Option<&Plastic> {
        self.plastic.as_deref().filter(|_| self.reclustered.is_none() && self.held.is_none())
    }

    /// Where the search for the rotations of clusters of the shape begins.
    pub(crate) fn known_fits(&self, range: std::ops::Range<usize>, out: &mut [Fit]) {
        match (&self.reclustered, self.fits.last()) {
            (Some(_), Some(last)) => out.fill(*last),
            _ => out.copy_from_slice(&self.fits[range]),
        }
    }

    /// The rotations of one level's clusters that have these moments.
    pub(crate) fn fits_now(&self, level: usize, moments: &[Moments]) -> Vec<Fit> {
        let range = self.shape().range(level);
        let mut fits = vec![Fit::default(); range.len()];
        self.known_fits(range.clone(), &mut fits);
        let mut rigid = vec![Rigid::default(); range.len()];
        let stretch = self.material().rotation == Rotation::Stretch;
        let at_rest = AtRest::of(Matched::of(self.shape(), None), self.known_plastic());
        for from in (0..range.len()).step_by(AtRest::BLOCK) {
            let here = from..range.len().min(from + AtRest::BLOCK);
            let at_rest = at_rest.part(range.start + here.start..range.start + here.end);
            let wanted = Wanted { stretch: stretch.then_some(at_rest.inverse), spin: None };
            let (fits, rigid) = (&mut fits[here.clone()], &mut rigid[here.clone()]);
            at_rest.fit_where(&moments[here], wanted, |_| true, fits, rigid);
        }
        fits
    }

    /// The moments of one level's clusters about `origin`, at the present positions.
    pub(crate) fn moments_now(&self, level: usize, origin: Vec4) -> Vec<Moments> {
        let shape = self.shape();
        let plastic = self.known_plastic();
        let lowest = if shape.nesting() == Nesting::Nested { 0 } else { level };
        let mut below: Vec<Moments> = Vec::new();
        for l in lowest..=level {
            let table = shape.levels()[l].members();
            let clusters = AtRest::of(Matched::of(shape, None), plastic).part(shape.range(l)).clusters;
            let mut out = vec![Moments::default(); clusters.len()];
            if shape.sums_children(l) {
                let mut child_rest = shape.clusters(l - 1);
                if let Some(plastic) = plastic {
                    let range = shape.range(l - 1);
                    child_rest = &plastic.placed[range.clone()];
                    for (moments, frame) in below.iter_mut().zip(&plastic.frames[range]) {
                        *moments = seen_from(moments, frame.stretch);
                    }
                }
                let (children, first, out) = (&below[..], 0, &mut out[..]);
                lanes::run(OfChildren::<STILL> { table, clusters, child_rest, children, first, out });
            } else {
                let (rest, x, v) = (shape.rest(), self.raw_positions(), self.raw_velocities());
                let particles = Particles { table, clusters, rest, apart: &[], origin, x, v };
                let out = &mut out[..];
                lanes::run(OfParticles::<_, STILL> { particles, first: 0, out, wanted: |_| true });
            }
            below = out;
        }
        below
    }
}
