//! Plasticity: clusters that are deformed beyond their yield keep a part of it (RC Eq. 9-16).
//!
//! Reads moments and fits; writes each cluster's Fp, the lasting part of its deformation gradient. With
//! F = A_xr A_rr⁻¹, Fe = F Fp⁻¹ and Σ its singular values scaled to unit volume, a cluster whose
//! |Σ - I| passes the yield takes V Σ^γ Vᵀ into Fp. V on the left, which RC leaves out because a
//! rotation from the left changes nothing, keeps Fp symmetric, so that its size can be limited. det Fp stays 1.
//! Every cluster is worked out by itself, so threads change no bit.

mod embedding;
mod state;

use glam::{DMat3, DVec3, Mat3A, Quat, Vec3A, Vec4};

use crate::error::{Error, within};
use crate::goals;
use crate::matching::Moments;
use crate::math::symmetric;

pub(crate) use embedding::Frame;
pub(crate) use state::{AtRest, Plastic};

/// How a body keeps what deforms it. Strains are |Σ - I|: Σ are the stretches along the axes of the
/// deformation at unit volume, so 0.1 is a stretch of about 8 %.
///
/// SM's dials are the same ones: c_yield is `yield_strain`, c_creep is `flow`, c_max is `limit`.
///
/// ```
/// use wobble::Plasticity;
///
/// let clay = Plasticity { yield_strain: 0.01, ..Plasticity::default() };
/// let memory_foam = Plasticity { yield_strain: 0.02, flow: 5.0, recovery: 0.5, ..Plasticity::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plasticity {
    /// Elastic strain from which on deformation lasts (RC's λ), 0 to 10. Default 0.1.
    pub yield_strain: f32,
    /// Share of the strain beyond the yield that becomes lasting in a second (RC's ν over the time step),
    /// 0 to 1e6. A substep takes all of it at most. Default 100.
    pub flow: f32,
    /// How much the yield rises with each unit of strain that has become lasting (RC's K), -100 to 100;
    /// below 0 the material softens. Default 0.
    pub hardening: f32,
    /// The largest lasting strain, 0 to 10. Default 1.
    pub limit: f32,
    /// Share of the lasting strain that is forgotten in a second, 0 to 1e6. Default 0. What clusters that were replaced had
    /// kept is not forgotten.
    pub recovery: f32,
    /// The condition number of Fp, its largest stretch over its smallest, from which on a finest cluster is replaced (RC 3.2),
    /// 1.05 to 1000; RC's scenes have 1.25 to 1.5. What flows is then bounded neither by `limit` nor by what its first clusters
    /// can bear. 0 for never, the default. Not for bodies whose levels are independent.
    pub recluster: f32,
    /// Steps in which such a cluster fades out, 1 to 1000. New ones fade in within half of them. Default 30.
    pub fade: u32,
    /// The most new clusters in a step, 1 to 1000; the rest waits. Default 8.
    pub most_new_clusters: u32,
}

impl Default for Plasticity {
    fn default() -> Self {
        Plasticity {
            yield_strain: 0.1,
            flow: 100.0,
            hardening: 0.0,
            limit: 1.0,
            recovery: 0.0,
            recluster: 0.0,
            fade: 30,
            most_new_clusters: 8,
        }
    }
}

/// ```
/// use wobble::Plasticity;
///
/// assert!(Plasticity { limit: 11.0, ..Plasticity::default() }.check().is_err());
/// ```
impl Plasticity {
    /// Refuses what is out of range, naming the field and the value.
    pub fn check(&self) -> Result<(), Error> {
        within("yield_strain", self.yield_strain, 0.0, 10.0, "from 0 to 10")?;
        within("flow", self.flow, 0.0, 1e6, "from 0 to 1e6 per second")?;
        within("hardening", self.hardening, -100.0, 100.0, "from -100 to 100")?;
        within("limit", self.limit, 0.0, 10.0, "from 0 to 10")?;
        within("recovery", self.recovery, 0.0, 1e6, "from 0 to 1e6 per second")?;
        if self.recluster != 0.0 {
            within("recluster", self.recluster, 1.05, 1000.0, "0, or from 1.05 to 1000")?;
        }
        within("fade", self.fade as f32, 1.0, 1000.0, "from 1 to 1000 steps")?;
        within("most_new_clusters", self.most_new_clusters as f32, 1.0, 1000.0, "from 1 to 1000")
    }
}

/// What lasts of a cluster's deformation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dent {
    /// Fp: symmetric, of determinant 1.
    pub(crate) fp: Mat3A,
    /// All the strain that has become lasting.
    pub(crate) hardened: f32,
    /// Share of the elastic strain that became lasting since coarser levels last followed.
    pub(crate) flowed: f32,
    /// The rotation that was taken out of Fp since then: a unit quaternion.
    pub(crate) turned: Vec4,
}

impl Default for Dent {
    fn default() -> Self {
        Dent { fp: Mat3A::IDENTITY, hardened: 0.0, flowed: 0.0, turned: Vec4::W }
    }
}

/// A cluster at rest, as its shape has it.
pub(crate) struct Undented<'a> {
    pub(crate) scatter: &'a [f32; 6],
    pub(crate) inverse: &'a [f32; 6],
}

impl Dent {
    /// Fe of a cluster with these moments, the rotation being the fitted one.
    pub(crate) fn elastic(&self, moments: &Moments, rest: &Undented, rotation: Vec4) -> Mat3A {
        let goal = Mat3A::from_quat(Quat::from_vec4(rotation)) * self.fp;
        goals::gradient(&moments.columns(), rest.scatter, rest.inverse, goal) * self.fp.inverse()
    }

    /// Lets elastic strain beyond the yield become lasting, `share` of it at most. Says whether any did.
    pub(crate) fn flow(&mut self, rule: &Plasticity, share: f32, elastic: Mat3A) -> bool {
        let volume = elastic.determinant();
        if !(volume > 0.0 && volume.is_finite()) {
            return false;
        }
        let size = libm::cbrtf(volume);
        let squared = elastic.transpose() * elastic * (1.0 / (size * size));
        let threshold = (rule.yield_strain + rule.hardening * self.hardened).max(0.0);
        // |Σ² - I| is never less than |Σ - I|, and needs no axes.
        if norm(squared - Mat3A::IDENTITY) <= threshold {
            return false;
        }
        let (stretches, axes) = stretches(squared.as_dmat3());
        let strain = size_of_strain(stretches);
        if strain.is_nan() || strain <= f64::from(threshold) {
            return false;
        }
        let gamma = (f64::from(share) * (strain - f64::from(threshold)) / strain).min(1.0);
        let grown = along(axes, stretches.map(|s| libm::pow(s, gamma))) * self.fp.as_dmat3();
        self.take(grown, rule.limit, gamma, strain)
    }

    /// Takes the stretch of `grown` as Fp, within the limit.
    fn take(&mut self, grown: DMat3, limit: f32, gamma: f64, strain: f64) -> bool {
        let (lasting, axes) = stretches(grown.transpose() * grown);
        let unit = 1.0 / libm::cbrt(lasting.x * lasting.y * lasting.z);
        let lasting = lasting * unit;
        if !lasting.is_finite() || lasting.min_element() <= 0.0 {
            return false;
        }
        let turn = grown * along(axes, lasting.map(|s| unit / s));
        let allowed = within_limit(lasting, f64::from(limit));
        self.fp = rounded(along(axes, allowed));
        if allowed == lasting {
            self.hardened += (gamma * strain) as f32;
            self.flowed = 1.0 - (1.0 - self.flowed) * (1.0 - gamma as f32);
        }
        let turn = Quat::from_mat3a(&rounded(turn)).normalize();
        self.turned = Vec4::from(Quat::from_vec4(self.turned) * turn);
        true
    }

    /// Whether a snapshot may say so.
    pub(crate) fn is_sound(&self) -> bool {
        let symmetric = norm(self.fp - self.fp.transpose()) <= 1e-3 * norm(self.fp);
        let turns = (self.turned.length_squared() - 1.0).abs() <= 1e-2;
        let shares = self.hardened.is_finite() && (0.0..=1.0).contains(&self.flowed);
        symmetric && turns && shares && (self.fp.determinant() - 1.0).abs() < 1e-3
    }

    /// Forgets a share of the lasting strain.
    pub(crate) fn recover(&mut self, share: f32) {
        let (lasting, axes) = stretches(self.fp.as_dmat3() * self.fp.as_dmat3());
        let kept = 1.0 - f64::from(share);
        self.fp = rounded(along(axes, lasting.map(|s| libm::pow(s, kept))));
    }

    /// The lasting strain.
    pub(crate) fn strain(&self) -> f32 {
        size_of_strain(stretches(self.fp.as_dmat3() * self.fp.as_dmat3()).0) as f32
    }
}

/// The largest stretch of a deformation and its direction at rest, if it is beyond `least`.
pub(crate) fn largest_stretch(deformation: Mat3A, least: f32) -> Option<(f32, Vec3A)> {
    let squared = deformation.transpose() * deformation;
    // No stretch is further from 1 than this.
    let most = norm(squared - Mat3A::IDENTITY);
    if most.is_nan() || most <= least * least - 1.0 {
        return None;
    }
    let (stretches, axes) = stretches(squared.as_dmat3());
    let stretch = stretches.x as f32;
    (stretch > least && stretch.is_finite()).then(|| (stretch, axes.x_axis.as_vec3a()))
}

/// The stretches raised to the power at which their strain is within the limit.
fn within_limit(stretches: DVec3, limit: f64) -> DVec3 {
    if size_of_strain(stretches) <= limit {
        return stretches;
    }
    let raised = |power: f64| stretches.map(|s| libm::pow(s, power));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..24 {
        let middle = 0.5 * (low + high);
        if size_of_strain(raised(middle)) <= limit { low = middle } else { high = middle }
    }
    raised(low)
}

/// |Σ - I|.
fn size_of_strain(stretches: DVec3) -> f64 {
    (stretches - DVec3::ONE).length()
}

/// Roots of the eigenvalues of a symmetric matrix, largest first, and its axes as columns.
fn stretches(squared: DMat3) -> (DVec3, DMat3) {
    let (values, vectors) = symmetric::eigen(squared.to_cols_array_2d());
    (DVec3::from(values.map(|v| v.max(0.0).sqrt())), DMat3::from_cols_array_2d(&vectors))
}

/// The symmetric matrix with these stretches along these axes.
fn along(axes: DMat3, stretches: DVec3) -> DMat3 {
    axes * DMat3::from_diagonal(stretches) * axes.transpose()
}

fn norm(m: Mat3A) -> f32 {
    (m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared()).sqrt()
}

fn rounded(m: DMat3) -> Mat3A {
    m.as_mat3().into()
}

/// M s Mᵀ for a symmetric s.
pub(crate) fn carried(m: Mat3A, s: &[f32; 6]) -> [f32; 6] {
    let full = m * goals::scatter_matrix(s) * m.transpose();
    let [x, y, z] = [full.x_axis, full.y_axis, full.z_axis];
    [x.x, y.y, z.z, x.y, x.z, y.z]
}

/// Moments as seen from rest positions that `m` has deformed about their centre.
pub(crate) fn seen_from(moments: &Moments, m: Mat3A) -> Moments {
    let rows = moments.rows.map(|row| (m * Vec3A::from_vec4(row)).extend(0.0));
    Moments { rows, ..*moments }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// Random-looking numbers from -1 to 1.
    fn noise(seed: u32) -> impl FnMut() -> f32 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        }
    }

    #[test]
    fn lasting_deformation_keeps_its_volume_whatever_flows() {
        let mut next = noise(7);
        for limit in [0.5, 2.0, 10.0] {
            let mut dent = Dent::default();
            let rule = Plasticity { yield_strain: 0.05, limit, ..Plasticity::default() };
            for _ in 0..2000 {
                let column = |next: &mut dyn FnMut() -> f32| Vec3A::new(next(), next(), next()) * 0.4;
                let columns = [column(&mut next), column(&mut next), column(&mut next)];
                let elastic = Mat3A::IDENTITY + Mat3A::from_cols(columns[0], columns[1], columns[2]);
                dent.flow(&rule, 0.3, elastic);
                assert!((dent.fp.determinant() - 1.0).abs() < 1e-4, "{}", dent.fp.determinant());
                assert!(dent.strain() <= limit * 1.001 && dent.is_sound());
            }
            assert!(dent.strain() > 0.1);
        }
    }

    #[test]
    fn a_cluster_flows_along_the_axes_of_its_stretch_down_to_the_yield() {
        let rule = Plasticity { yield_strain: 0.1, ..Plasticity::default() };
        let turn = Mat3A::from_quat(Quat::from_rotation_z(0.7));
        let stretch = turn * Mat3A::from_diagonal(Vec3::new(1.5, 0.9, 1.0)) * turn.transpose();
        let mut dent = Dent::default();
        for _ in 0..200 {
            dent.flow(&rule, 0.5, stretch * dent.fp.inverse());
        }
        let left = (stretch * dent.fp.inverse()) / libm::cbrtf(stretch.determinant());
        assert!((norm(left - Mat3A::IDENTITY) - 0.1).abs() < 1e-3, "{left}");
        let along = turn * Vec3A::X;
        assert!((dent.fp * along).normalize().dot(along) > 0.9999);
    }

    #[test]
    fn what_is_inside_out_or_not_finite_does_not_flow() {
        let rule = Plasticity { yield_strain: 0.0, ..Plasticity::default() };
        let mut dent = Dent::default();
        for elastic in [-Mat3A::IDENTITY, Mat3A::ZERO, Mat3A::IDENTITY * f32::NAN, Mat3A::IDENTITY * 1e30] {
            assert!(!dent.flow(&rule, 1.0, elastic) && dent == Dent::default());
        }
    }
}
