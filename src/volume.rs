//! The volume of a body, from the deformation gradients of its finest clusters; and how it is kept.
//!
//! Each finest cluster fills its share of the body's mass, and det F says how its volume has changed.
//! Sums run over clusters in ascending order, on one thread.
//!
//! To keep the volume V, all goals are scaled by s about their clusters' centres: forces inside the body
//! that sum to zero and turn nothing, and act as a pressure does, on the surface. With λ = V^(1/3) and λ*
//! the one wanted, corotated linear elasticity has s = λ* + k (λ* - λ), k = 3ν/(1 - 2ν) for Poisson's
//! ratio ν. Put in at once, that would multiply the stiffness by 1 + k and go unstable; so s comes near
//! it by a tenth of the error a substep, and falls with the rate of λ, which damps breathing. For one
//! breathing mode this is stable at every α in 0..2, k_d in 0..1 and k in 0..100.

use glam::{Mat3A, Quat};

use crate::body::Body;
use crate::fitting::Fit;
use crate::goals;
use crate::matching::Moments;
use crate::plasticity::Plastic;
use crate::shape::Shape;
use crate::shape::held::Matched;

/// How fast the scale follows the error, for each substep.
const FOLLOW: f32 = 0.1;
/// Share of the breathing velocity taken away in each substep.
const BREATH: f32 = 0.3;
/// How far the size asked for may change in a substep: a body that is blown up does not burst.
const INFLATE: f32 = 0.01;
/// Bounds of what is added to the scale: a body held flat would otherwise grow sideways without end.
const LEAST: f32 = -0.5;
const MOST: f32 = 1.0;
/// Sizes over the wanted one between which the volume is kept: further away the shape comes first.
const LOWEST: f32 = 0.6;
const HIGHEST: f32 = 1.6;
/// A body has no less of its volume than this, or the scale of one turned inside out would be lost.
const FLATTEST: f32 = 1e-3;

/// What keeps a body's volume, or changes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Swelling {
    /// What goals are scaled by; 1 where no volume is asked for.
    pub(crate) scale: f32,
    /// The size asked for by the pressure, as far as it has come.
    pub(crate) wanted: f32,
    /// What the scale has gained by volume that is missing.
    pub(crate) extra: f32,
    /// λ in the substep before, or 0 if it was not looked at.
    pub(crate) before: f32,
}

impl Default for Swelling {
    fn default() -> Self {
        Swelling { scale: 1.0, wanted: 1.0, extra: 0.0, before: 0.0 }
    }
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// let body = world.body_mut(id)?;
/// body.deform(|p| p * glam::Vec3::new(1.0, 0.5, 1.0))?;
/// assert!((body.volume() - 0.5).abs() < 0.01);
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// The present volume over that at rest: the mean of det F over the finest clusters, each counted
    /// by its mass. 1 at rest, 0.5 for a body pressed to half its height that cannot bulge, and 1 for
    /// one without particles.
    ///
    /// Exact where the deformation is the same all over the body, a good measure where it changes
    /// slowly from cluster to cluster. What is inside out counts as negative. A flat cluster counts
    /// by its area, a straight one by its length. Costs a match of the finest level; allocates.
    pub fn volume(&self) -> f32 {
        if self.shape().levels().is_empty() {
            return 1.0;
        }
        let moments = self.moments_now(0, self.origin_now());
        let fits = self.fits_now(0, &moments);
        volume_of(Matched::of(self.shape(), None), self.shape(), self.known_plastic(), &moments, &fits)
    }

    /// The volume over that at rest of clusters as they are matched.
    fn volume_now(&self) -> f32 {
        volume_of(self.matched(), self.tables(), self.plastic.as_deref(), &self.moments, &self.fits)
    }

    /// What is to be done about the volume in a substep of `h` seconds, from matched clusters.
    pub(crate) fn next_swelling(&self, h: f32) -> Swelling {
        let stiffness = self.material.volume_stiffness;
        let Swelling { wanted, extra, before, .. } = self.swelling;
        let wanted = wanted + (libm::cbrtf(1.0 + self.material.pressure) - wanted).clamp(-INFLATE, INFLATE);
        let total = self.total_strength(h);
        let alpha = total.stiffness * h;
        if stiffness == 0.0 || alpha <= 0.0 {
            return Swelling { scale: wanted, wanted, extra: 0.0, before: 0.0 };
        }
        let now = libm::cbrtf(self.volume_now().max(FLATTEST));
        if !(LOWEST..=HIGHEST).contains(&(now / wanted)) {
            let extra = extra * (1.0 - FOLLOW);
            return Swelling { scale: (wanted + extra).max(0.0), wanted, extra, before: 0.0 };
        }
        let missing = FOLLOW.min(stiffness) * ((wanted - now) - extra / stiffness);
        let extra = (extra + missing).clamp(LEAST, MOST);
        let rate = if before > 0.0 { now - before } else { 0.0 };
        let braked = rate * BREATH * (1.0 - total.damping).max(0.0) / alpha;
        let scale = (wanted + extra - braked).clamp(wanted + LEAST, wanted + MOST);
        if !scale.is_finite() {
            return Swelling::default();
        }
        Swelling { scale: scale.max(0.0), wanted, extra, before: now }
    }
}

/// The volume over that at rest of finest clusters that were matched as `matched` with these moments and fits; each counts by
/// its real mass.
fn volume_of(
    matched: Matched,
    tables: &Shape,
    plastic: Option<&Plastic>,
    moments: &[Moments],
    fits: &[Fit],
) -> f32 {
    let (mut volume, mut mass) = (0.0, 0.0);
    for (c, cluster) in tables.clusters(0).iter().enumerate() {
        let mut r = Mat3A::from_quat(Quat::from_vec4(fits[c].rotation));
        if let Some(plastic) = plastic {
            r *= plastic.dents[c].fp;
        }
        let f =
            goals::gradient(&moments[c].columns(), &matched.scatter()[c], &matched.inverse_scatter()[c], r);
        volume += f64::from(cluster.mass) * f64::from(f.determinant());
        mass += f64::from(cluster.mass);
    }
    (volume / mass) as f32
}
