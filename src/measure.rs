//! What can be read off a body: where it is, how it moves, how far it is from its rest shape.
//!
//! Sums run in `f64` over particles in spatial order.

use glam::{DMat3, DVec3, Vec3};

use crate::body::Body;
use crate::math::rotation;

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
///
/// world.body_mut(id)?.set_velocity(Vec3::X * 2.0)?;
/// let body = world.body(id)?;
/// assert!((body.centre_of_mass() - Vec3::Y).length() < 1e-5);
/// assert!((body.momentum() - Vec3::X * 2.0).length() < 1e-5); // 1 kg
/// assert!(body.angular_momentum().length() < 1e-4, "it does not spin");
/// assert!((body.kinetic_energy() - 2.0).abs() < 1e-4);
/// let (low, high) = body.bounds();
/// assert!((high - low - 0.5).length() < 1e-5);
/// assert!(body.shape_error() < 1e-5, "it is in its rest shape");
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    fn sum<T: std::iter::Sum<T>>(&self, term: impl Fn(f64, DVec3, DVec3) -> T) -> T {
        let state = self.raw_positions().iter().zip(self.raw_velocities()).zip(self.shape().masses());
        state.map(|((x, v), &m)| term(m.into(), x.truncate().as_dvec3(), v.truncate().as_dvec3())).sum()
    }

    fn centre(&self) -> DVec3 {
        let mass = self.sum(|m, _, _| m);
        if mass > 0.0 { self.sum(|m, x, _| x * m) / mass } else { DVec3::ZERO }
    }

    /// Centre of mass, metres.
    pub fn centre_of_mass(&self) -> Vec3 {
        self.centre().as_vec3()
    }

    /// Momentum, kg m/s.
    pub fn momentum(&self) -> Vec3 {
        self.sum(|m, _, v| v * m).as_vec3()
    }

    /// Angular momentum about the centre of mass, kg m²/s.
    pub fn angular_momentum(&self) -> Vec3 {
        let centre = self.centre();
        self.sum(|m, x, v| (x - centre).cross(v) * m).as_vec3()
    }

    /// Kinetic energy, joules.
    pub fn kinetic_energy(&self) -> f32 {
        self.sum(|m, _, v| 0.5 * m * v.length_squared()) as f32
    }

    /// Smallest and largest coordinates, metres; zeros for a body without particles.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let mut points = self.raw_positions().iter().map(|x| x.truncate());
        let Some(first) = points.next() else { return (Vec3::ZERO, Vec3::ZERO) };
        points.fold((first, first), |(low, high), p| (low.min(p), high.max(p)))
    }

    /// How far the body is from its rest shape: the root mean square distance of its particles
    /// from the best rigid placement of the rest shape, over that of the rest shape from its
    /// centre. 0 is undeformed, about 0.58 flat as a puddle.
    pub fn shape_error(&self) -> f32 {
        let centre = self.centre();
        let shape = self.shape();
        let (mut a, mut size, mut spread) = (DMat3::ZERO, 0.0, 0.0);
        let particles = || self.raw_positions().iter().zip(shape.rest()).zip(shape.masses());
        for ((x, r), &m) in particles() {
            let (p, q, m) = (x.truncate().as_dvec3() - centre, r.truncate().as_dvec3(), f64::from(m));
            a += DMat3::from_cols(p * q.x, p * q.y, p * q.z) * m;
            size += m * p.length_squared();
            spread += m * q.length_squared();
        }
        if spread <= 0.0 {
            return 0.0;
        }
        let q = rotation::closest_surely(a.to_cols_array_2d(), [0.0, 0.0, 0.0, 1.0]);
        let r = DMat3::from_quat(glam::Quat::from_array(q).as_dquat().normalize());
        let matched = (r.transpose() * a).to_cols_array();
        let squared = size + spread - 2.0 * (matched[0] + matched[4] + matched[8]);
        (squared.max(0.0) / spread).sqrt() as f32
    }
}
