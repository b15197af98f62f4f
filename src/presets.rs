//! Materials by name: starting points for hosts, each with the level weights that go with it.
//!
//! The figures are those of a hollow ball, 5,098 particles between radii of 0.4 m and 0.5 m, with
//! default levels in a default world at 60 steps a second, that falls 1 m (`tests/presets.rs`):
//! how high its centre rebounds, the smallest height on impact and the one it comes to rest with,
//! as shares of the height before, and how long a stretch by a fifth in free flight takes to die
//! down to a tenth. Other shapes and levels give other figures.

use crate::clustering::{Towards, Weighting};
use crate::material::{Damping, Goals, Material, Stiffness, StrainLimit};

/// A material and the level weights that go with it: the look comes from both.
///
/// ```
/// # use wobble::{BodyDef, LevelsDef, Preset, Shape, World, WorldDef};
/// # let shape = Shape::from_points(&[glam::Vec3::ZERO], None, &LevelsDef::default())?;
/// # let mut world = World::new(&WorldDef::default())?;
/// let jelly = Preset::named("jelly").expect("one of Material::NAMES");
/// let id = world.add_body(&shape, &BodyDef { material: jelly.material, ..BodyDef::default() })?;
/// world.body_mut(id)?.set_weighting(&jelly.weighting)?;
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// What [`Material::named`] gives.
    pub material: Material,
    /// For [`Body::set_weighting`](crate::Body::set_weighting).
    pub weighting: Weighting,
}

/// ```
/// use wobble::Material;
///
/// let gummy = Material::named("gummy").expect("one of Material::NAMES");
/// assert_eq!(gummy.rebound, 1.0);
/// assert_eq!(Material::named("granite"), None);
/// ```
impl Material {
    /// The names that [`Material::named`] and [`Preset::named`] know.
    pub const NAMES: &[&str] = &["jelly", "rubber", "flesh", "foam", "gummy", "water balloon"];

    /// The material called `name`, one of [`Material::NAMES`]. It looks as meant with the level
    /// weights of the [`Preset`] of that name.
    pub fn named(name: &str) -> Option<Material> {
        Preset::named(name).map(|preset| preset.material)
    }
}

/// ```
/// use wobble::{Material, Preset};
///
/// assert!(Material::NAMES.iter().all(|name| Preset::named(name).is_some()));
/// ```
impl Preset {
    /// The preset called `name`, one of [`Material::NAMES`]:
    ///
    /// - `"jelly"`: soft, hardly damped; quivers longest: rebounds to 0.44 m, is pressed
    ///   to 0.60 of its height on impact, stands at 0.97 of it, jiggles 6.4 s.
    /// - `"rubber"`: stiffest and liveliest: 0.78 m, 0.87, 0.98, 2.3 s.
    /// - `"flesh"`: as soft as jelly and damped: 0.24 m, 0.63, 0.96, 0.3 s.
    /// - `"foam"`: gives way and creeps back; deadest: 0.03 m, 0.76, 0.97, no swing.
    /// - `"gummy"`: stiff and damped: 0.37 m, 0.83, 0.98, no swing.
    /// - `"water balloon"`: softest; spreads on impact, and strain limiting keeps a hard landing from
    ///   flattening it: 0.06 m, 0.40, 0.94, 0.6 s; 1.21 of its width on impact.
    pub fn named(name: &str) -> Option<Preset> {
        let uniform = Weighting::Uniform;
        let linear = Weighting::Linear { epsilon: 0.5, towards: Towards::Coarse };
        let gaussian = Weighting::Gaussian { towards: Towards::Coarse };
        let preset = match name {
            "jelly" => simple(10.0, 1.5, uniform),
            "rubber" => simple(60.0, 3.0, linear),
            "flesh" => simple(10.0, 30.0, uniform),
            "foam" => simple(15.0, 240.0, uniform),
            "gummy" => simple(25.0, 120.0, gaussian),
            "water balloon" => {
                let Preset { material, weighting } = simple(6.5, 16.0, uniform);
                // Loose, for hard landings: limits of 0.5 and less bear the weight of so soft a body,
                // and a solid ball then does not come to rest.
                let strain = Some(StrainLimit { gamma: 0.7, ..StrainLimit::default() });
                let goals = Goals::Linear { beta: 0.4 };
                Preset { material: Material { goals, strain, ..material }, weighting }
            }
            _ => return None,
        };
        Some(preset)
    }
}

/// Rigid goals with this natural frequency, Hz, and decay rate, 1/s, which alone holds a rebound back.
fn simple(hertz: f32, rate: f32, weighting: Weighting) -> Preset {
    let (stiffness, damping) = (Stiffness::Hertz(hertz), Damping::PerSecond(rate));
    Preset { material: Material { stiffness, damping, rebound: 1.0, ..Material::default() }, weighting }
}
