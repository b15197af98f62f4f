//! How a body answers: the parameters a host may change between any two steps.

use crate::error::{Error, within};

/// How strongly particles are drawn to their goals.
///
/// ```
/// use wobble::{Material, Stiffness};
///
/// let soft = Material { stiffness: Stiffness::Hertz(10.0), ..Material::default() };
/// let as_in_the_papers = Material { stiffness: Stiffness::PerStep(0.5), ..Material::default() };
/// assert_eq!(as_in_the_papers.alpha(1.0 / 240.0), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stiffness {
    /// The papers' α, 0 to 2: the share of the way to the goal taken in one substep. The look
    /// changes with the substep length.
    PerStep(f32),
    /// Natural frequency of a particle about its goal, hertz, 0 or more: α = min((2π f h)², 2).
    /// The look stays when the substep changes.
    Hertz(f32),
}

/// How quickly deformation dies down.
///
/// ```
/// use wobble::{Damping, Material};
///
/// let quivering = Material { damping: Damping::PerSecond(1.5), ..Material::default() };
/// let dead = Material { damping: Damping::PerStep(1.0), ..Material::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// The papers' k_d, 0 to 1: the share of the velocity difference taken away in one substep.
    PerStep(f32),
    /// Decay rate, 1/s, 0 or more: k_d = min(rate · h, 1).
    PerSecond(f32),
}

/// Which motion damping leaves alone.
///
/// ```
/// use wobble::{DampingForm, Material};
///
/// let braked = Material { damping_form: DampingForm::Paper, ..Material::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DampingForm {
    /// Clusters may move and spin; only deformation is braked.
    Rigid,
    /// Clusters may move; spin is braked too (MR Eq. 7).
    Paper,
}

/// Where a cluster's rotation comes from.
///
/// ```
/// use wobble::{DampingForm, Material, Rotation};
///
/// // As the papers have it: with their damping, or a stretched body begins to spin.
/// let paper =
///     Material { rotation: Rotation::Stretch, damping_form: DampingForm::Paper, ..Material::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// From A_xr: elastic forces exert no net torque, so angular momentum is kept.
    Momentum,
    /// From F = A_xr A_rr⁻¹, as the papers do: follows the axes of the stretch.
    Stretch,
}

/// What shapes a cluster wants to take.
///
/// ```
/// use wobble::{Goals, Material};
///
/// let stretchy = Material { goals: Goals::Linear { beta: 0.4 }, ..Material::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goals {
    /// Its rest shape, moved and turned.
    Rigid,
    /// Blended with the best linear map of unit volume (SM 2.5.2).
    Linear {
        /// Share of the linear map, 0 to 1.
        beta: f32,
    },
    /// Blended with the best quadratic map (SM 2.5.3). Costs several times a rigid step.
    Quadratic {
        /// Share of the quadratic map, 0 to 1.
        beta: f32,
    },
}

/// Strain limiting at the finest level (SL).
///
/// ```
/// use wobble::{Material, StrainLimit};
///
/// let strain = Some(StrainLimit { gamma: 0.2, ..StrainLimit::default() });
/// let taut = Material { strain, ..Material::default() };
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrainLimit {
    /// Distance from the goal allowed, as a share of the cluster's width. 0 or more; good values
    /// 0.1 to 0.5; default 0.3.
    pub gamma: f32,
    /// Relaxation of a round, 0 to 2; default 1.
    pub omega: f32,
    /// Most rounds a substep, 0 to 64; default 5. Rounds end early once nothing violates the limit.
    pub rounds: u32,
}

impl Default for StrainLimit {
    fn default() -> Self {
        StrainLimit { gamma: 0.3, omega: 1.0, rounds: 5 }
    }
}

/// All of it.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::{Damping, Material, Stiffness};
///
/// let pudding = Material {
///     stiffness: Stiffness::Hertz(8.0),
///     damping: Damping::PerSecond(5.0),
///     volume_stiffness: 10.0,
///     ..Material::default()
/// };
/// world.body_mut(id)?.set_material(pudding)?;
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Default 40 Hz.
    pub stiffness: Stiffness,
    /// Default 10 per second.
    pub damping: Damping,
    /// Default [`DampingForm::Rigid`].
    pub damping_form: DampingForm,
    /// Default [`Rotation::Momentum`].
    pub rotation: Rotation,
    /// Default [`Goals::Rigid`].
    pub goals: Goals,
    /// Default none.
    pub strain: Option<StrainLimit>,
    /// The world's gravity times this. Default 1.
    pub gravity_scale: f32,
    /// How freely a body springs back from a landing, 0 to 1. With 1 only damping holds it back; with
    /// less, what it touches also takes off speed of compression, unless that has restitution. Default 0.
    pub rebound: f32,
    /// How many times stiffer the volume of the whole body is than its shape, 0 to 100; a squeezed body
    /// then bulges. 0, the default, lets the volume go with the shape; 30 keeps it within a few percent.
    /// Each substep then takes at least 5 % of the deformation velocity.
    pub volume_stiffness: f32,
    /// How much more volume than at rest the body wants, as a share, -0.9 to 9: 0.5 blows it up by half.
    /// It comes to that by at most a hundredth of its size a substep. Default 0.
    pub pressure: f32,
}

impl Default for Material {
    fn default() -> Self {
        Material {
            stiffness: Stiffness::Hertz(40.0),
            damping: Damping::PerSecond(10.0),
            damping_form: DampingForm::Rigid,
            rotation: Rotation::Momentum,
            goals: Goals::Rigid,
            strain: None,
            gravity_scale: 1.0,
            rebound: 0.0,
            volume_stiffness: 0.0,
            pressure: 0.0,
        }
    }
}

/// The least k_d of a body that keeps its volume: undamped, the largest stiffness would let what keeps
/// the volume feed a swing.
const LEAST_WITH_VOLUME: f32 = 0.05;

/// ```
/// use wobble::{Material, Stiffness};
///
/// let material = Material { stiffness: Stiffness::Hertz(20.0), ..Material::default() };
/// material.check()?;
/// let (h, twice_as_long) = (1.0 / 480.0, 1.0 / 240.0);
/// assert!((material.alpha(twice_as_long) / material.alpha(h) - 4.0).abs() < 1e-4);
/// assert_eq!(material.k_d(h), 10.0 / 480.0);
/// assert!(Material { rebound: 2.0, ..material }.check().is_err());
/// # Ok::<(), wobble::Error>(())
/// ```
impl Material {
    /// Refuses what is out of range, naming the field and the value.
    pub fn check(&self) -> Result<(), Error> {
        match self.stiffness {
            Stiffness::PerStep(a) => within("stiffness (per step)", a, 0.0, 2.0, "from 0 to 2"),
            Stiffness::Hertz(f) => within("stiffness (hertz)", f, 0.0, 1e6, "from 0 to 1e6 Hz"),
        }?;
        match self.damping {
            Damping::PerStep(k) => within("damping (per step)", k, 0.0, 1.0, "from 0 to 1"),
            Damping::PerSecond(r) => within("damping (per second)", r, 0.0, 1e6, "from 0 to 1e6 per second"),
        }?;
        match self.goals {
            Goals::Rigid => Ok(()),
            Goals::Linear { beta } => within("goals.beta (linear)", beta, 0.0, 1.0, "from 0 to 1"),
            Goals::Quadratic { beta } => within("goals.beta (quadratic)", beta, 0.0, 1.0, "from 0 to 1"),
        }?;
        if let Some(s) = self.strain {
            within("strain.gamma", s.gamma, 0.0, 1e6, "0 or more")?;
            within("strain.omega", s.omega, 0.0, 2.0, "from 0 to 2")?;
            within("strain.rounds", s.rounds as f32, 0.0, 64.0, "from 0 to 64")?;
        }
        within("rebound", self.rebound, 0.0, 1.0, "from 0 to 1")?;
        within("volume_stiffness", self.volume_stiffness, 0.0, 100.0, "from 0 to 100")?;
        within("pressure", self.pressure, -0.9, 9.0, "from -0.9 to 9")?;
        within("gravity_scale", self.gravity_scale, -1e6, 1e6, "finite, from -1e6 to 1e6")
    }

    /// α for a substep of `h` seconds.
    pub fn alpha(&self, h: f32) -> f32 {
        match self.stiffness {
            Stiffness::PerStep(alpha) => alpha,
            Stiffness::Hertz(f) => {
                let angle = std::f32::consts::TAU * f * h;
                (angle * angle).min(2.0)
            }
        }
    }

    /// k_d for a substep of `h` seconds; at least 0.05 where the volume is kept.
    pub fn k_d(&self, h: f32) -> f32 {
        let asked = match self.damping {
            Damping::PerStep(k) => k,
            Damping::PerSecond(rate) => (rate * h).min(1.0),
        };
        if self.volume_stiffness > 0.0 { asked.max(LEAST_WITH_VOLUME) } else { asked }
    }
}
