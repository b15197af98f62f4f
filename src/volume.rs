//! The volume of a body, from the deformation gradients of its finest clusters.
//!
//! Each finest cluster fills its share of the body's mass, and det F says how its volume has changed.
//! Sums run over clusters in ascending order.

use glam::{Mat3A, Quat};

use crate::body::Body;
use crate::goals;

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
        let shape = self.shape();
        let (mut volume, mut mass) = (0.0, 0.0);
        for (c, cluster) in shape.clusters(0).iter().enumerate() {
            let r = Mat3A::from_quat(Quat::from_vec4(fits[c].rotation));
            let f =
                goals::gradient(&moments[c].columns(), &shape.scatter()[c], &shape.inverse_scatter()[c], r);
            volume += f64::from(cluster.mass) * f64::from(f.determinant());
            mass += f64::from(cluster.mass);
        }
        (volume / mass) as f32
    }
}
