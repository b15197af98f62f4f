//! `WobbleMaterial`: how a body answers.

use godot::classes::Resource;
use godot::prelude::*;
use wobble::{
    Damping, DampingForm, Fracture, Goals, Material, Plasticity, Preset, Rotation, Stiffness, StrainLimit,
    Surface, Towards, Weighting,
};

/// Starting points by name.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum MaterialPreset {
    #[default]
    Custom = 0,
    Jelly = 1,
    Rubber = 2,
    Flesh = 3,
    Foam = 4,
    Gummy = 5,
    WaterBalloon = 6,
}

/// How weight is spread over the levels.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum LevelWeighting {
    /// Of a body: that of its material. Of a material: uniform.
    #[default]
    Default = 0,
    Uniform = 1,
    LinearFine = 2,
    LinearCoarse = 3,
    GaussianFine = 4,
    GaussianCoarse = 5,
    PolynomialFine = 6,
    PolynomialCoarse = 7,
    /// By `level_weights`.
    Manual = 8,
}

impl LevelWeighting {
    /// What the library makes of it; `None` for [`LevelWeighting::Default`].
    pub fn weighting(self, manual: &[f32]) -> Option<Weighting> {
        use Towards::{Coarse, Fine};
        let linear = |towards| Weighting::Linear { epsilon: 0.5, towards };
        let polynomial = |towards| Weighting::Polynomial { b: 3.0, c: 2.0, towards };
        Some(match self {
            LevelWeighting::Default => return None,
            LevelWeighting::Uniform => Weighting::Uniform,
            LevelWeighting::LinearFine => linear(Fine),
            LevelWeighting::LinearCoarse => linear(Coarse),
            LevelWeighting::GaussianFine => Weighting::Gaussian { towards: Fine },
            LevelWeighting::GaussianCoarse => Weighting::Gaussian { towards: Coarse },
            LevelWeighting::PolynomialFine => polynomial(Fine),
            LevelWeighting::PolynomialCoarse => polynomial(Coarse),
            LevelWeighting::Manual => Weighting::Manual(manual.to_vec()),
        })
    }
}

/// How a [WobbleBody3D] answers: how stiff it is, how soon it comes to rest, how it touches, dents and breaks.
///
/// Bodies that share a material follow every change of it at once. A preset fills in the other properties; changing
/// one of them afterwards makes the material a custom one.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct WobbleMaterial {
    /// Fills in the other properties, but not those of plasticity and fracture.
    #[export]
    #[var(set)]
    preset: MaterialPreset,

    /// Natural frequency of a particle about its place, hertz. The higher, the stiffer; a body of 1 m stands well with
    /// 40, jelly has 10. Bounded by the substep: more substeps allow more.
    #[export(range = (0.0, 200.0, 0.1, or_greater))]
    #[init(val = 40.0)]
    stiffness: f32,
    /// How soon deformation dies down, 1/s. Motion and spin of the whole are left alone.
    #[export(range = (0.0, 500.0, 0.1, or_greater))]
    #[init(val = 10.0)]
    damping: f32,
    /// How freely a body springs back from a landing: 1 leaves it to `damping`, less takes off speed of compression.
    #[export(range = (0.0, 1.0, 0.01))]
    rebound: f32,
    /// How far clusters may stretch instead of only moving and turning: 0 keeps them rigid, 1 lets them go.
    #[export(range = (0.0, 1.0, 0.01))]
    stretch: f32,
    /// How many times stiffer the volume is than the shape: a squeezed body bulges. 30 keeps it within a few percent.
    #[export(range = (0.0, 100.0, 0.1))]
    volume_stiffness: f32,
    /// How much more volume than at rest the body wants: 0.5 blows it up by half.
    #[export(range = (-0.9, 9.0, 0.01))]
    pressure: f32,
    /// The world's gravity times this.
    #[export(range = (-10.0, 10.0, 0.01, or_less, or_greater))]
    #[init(val = 1.0)]
    gravity_scale: f32,
    /// Weights of the levels for bodies that have none of their own.
    #[export]
    weighting: LevelWeighting,

    /// Whether particles that stray too far from their place are taken back.
    #[export_group(name = "Strain limit", prefix = "strain_")]
    #[export]
    strain_limit: bool,
    /// How far they may stray, as a share of a cluster's width.
    #[export(range = (0.0, 2.0, 0.01, or_greater))]
    #[init(val = 0.3)]
    strain_gamma: f32,
    /// Most rounds of correction a substep.
    #[export(range = (0.0, 64.0, 1.0))]
    #[init(val = 5)]
    strain_rounds: i32,

    /// Coulomb friction. With a partner's it makes the geometric mean.
    #[export_group(name = "Surface")]
    #[export(range = (0.0, 2.0, 0.01, or_greater))]
    #[init(val = 0.5)]
    friction: f32,
    /// Share of the approach speed that particles leave with; of two partners the greater one counts.
    #[export(range = (0.0, 1.0, 0.01))]
    bounce: f32,

    /// Whether deformation lasts.
    #[export_group(name = "Plasticity", prefix = "plastic_")]
    #[export]
    plasticity: bool,
    /// Strain from which on it lasts: 0.1 is a stretch of about 8 %.
    #[export(range = (0.0, 1.0, 0.001, or_greater))]
    #[init(val = 0.1)]
    plastic_yield: f32,
    /// Share of the strain beyond the yield that becomes lasting in a second; 100 takes it nearly at once.
    #[export(range = (0.0, 200.0, 0.1, or_greater))]
    #[init(val = 100.0)]
    plastic_flow: f32,
    /// How much the yield rises with each unit of strain that has become lasting; below 0 the material softens.
    #[export(range = (-10.0, 10.0, 0.01, or_less, or_greater))]
    plastic_hardening: f32,
    /// The largest strain that lasts.
    #[export(range = (0.0, 10.0, 0.01))]
    #[init(val = 1.0)]
    plastic_limit: f32,
    /// Share of the lasting strain that is forgotten in a second.
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    plastic_recovery: f32,
    /// Largest over smallest lasting stretch of a finest cluster from which on it is replaced, so that the body can flow
    /// without end; 1.25 to 1.5 are common, 0 for never.
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    plastic_recluster: f32,
    /// Steps in which such a cluster fades out.
    #[export(range = (1.0, 1000.0, 1.0))]
    #[init(val = 30)]
    plastic_fade: i32,
    /// The most new clusters of a body in a step; the rest waits.
    #[export(range = (1.0, 1000.0, 1.0))]
    #[init(val = 8)]
    plastic_most_new_clusters: i32,
    /// Multiplies the flow of each level, finest first, 0 to 1; 1 for levels that are not named. With 0 for coarse levels a
    /// surface is dented while the outline comes back.
    #[export]
    plastic_level_flow: PackedFloat32Array,

    /// Whether the body breaks where it is stretched too far.
    #[export_group(name = "Fracture")]
    #[export]
    breakable: bool,
    /// The stretch beyond 1 at which it breaks: with 0.3 at 1.3 times its length.
    #[export(range = (0.01, 2.0, 0.01, or_greater))]
    #[init(val = 0.3)]
    toughness: f32,
    /// Pieces of fewer particles become debris: one body whose particles fly freely.
    #[export(range = (1.0, 1000.0, 1.0))]
    #[init(val = 4)]
    smallest_piece: i32,

    base: Base<Resource>,
}

#[godot_api]
impl WobbleMaterial {
    #[constant]
    const PRESET_CUSTOM: i64 = 0;
    #[constant]
    const PRESET_JELLY: i64 = 1;
    #[constant]
    const PRESET_RUBBER: i64 = 2;
    #[constant]
    const PRESET_FLESH: i64 = 3;
    #[constant]
    const PRESET_FOAM: i64 = 4;
    #[constant]
    const PRESET_GUMMY: i64 = 5;
    #[constant]
    const PRESET_WATER_BALLOON: i64 = 6;

    #[func]
    fn set_preset(&mut self, preset: MaterialPreset) {
        self.preset = preset;
        let name = match preset {
            MaterialPreset::Custom => return,
            MaterialPreset::WaterBalloon => "water balloon".to_string(),
            named => format!("{named:?}").to_lowercase(),
        };
        if let Some(found) = Preset::named(&name) {
            self.take(&found);
            self.base_mut().notify_property_list_changed();
            self.base_mut().emit_changed();
        }
    }

    /// A material by the name of a preset: jelly, rubber, flesh, foam, gummy or water balloon.
    #[func]
    fn named(name: GString) -> Option<Gd<WobbleMaterial>> {
        let found = Preset::named(&name.to_string());
        if found.is_none() {
            godot_warn!("there is no material {name:?}; there are {}", Material::NAMES.join(", "));
        }
        let preset = found?;
        let mut made = WobbleMaterial::new_gd();
        made.bind_mut().take(&preset);
        Some(made)
    }
}

impl WobbleMaterial {
    fn take(&mut self, preset: &Preset) {
        let Preset { material, weighting } = preset;
        let plain = Material::default();
        if let (Stiffness::Hertz(hertz), Damping::PerSecond(rate)) = (material.stiffness, material.damping) {
            (self.stiffness, self.damping) = (hertz, rate);
        }
        self.stretch = match material.goals {
            Goals::Linear { beta } | Goals::Quadratic { beta } => beta,
            Goals::Rigid => 0.0,
        };
        (self.rebound, self.gravity_scale) = (material.rebound, plain.gravity_scale);
        (self.volume_stiffness, self.pressure) = (material.volume_stiffness, material.pressure);
        let strain = material.strain.unwrap_or_default();
        self.strain_limit = material.strain.is_some();
        (self.strain_gamma, self.strain_rounds) = (strain.gamma, strain.rounds as i32);
        self.weighting = match weighting {
            Weighting::Linear { .. } => LevelWeighting::LinearCoarse,
            Weighting::Gaussian { .. } => LevelWeighting::GaussianCoarse,
            _ => LevelWeighting::Uniform,
        };
    }

    pub fn material(&self) -> Material {
        let (gamma, rounds) = (self.strain_gamma, self.strain_rounds.max(0) as u32);
        Material {
            stiffness: Stiffness::Hertz(self.stiffness),
            damping: Damping::PerSecond(self.damping),
            damping_form: DampingForm::Rigid,
            rotation: Rotation::Momentum,
            goals: if self.stretch > 0.0 { Goals::Linear { beta: self.stretch } } else { Goals::Rigid },
            strain: self.strain_limit.then_some(StrainLimit { gamma, rounds, ..StrainLimit::default() }),
            gravity_scale: self.gravity_scale,
            rebound: self.rebound,
            volume_stiffness: self.volume_stiffness,
            pressure: self.pressure,
        }
    }

    pub fn plasticity(&self) -> Option<Plasticity> {
        self.plasticity.then_some(Plasticity {
            yield_strain: self.plastic_yield,
            flow: self.plastic_flow,
            hardening: self.plastic_hardening,
            limit: self.plastic_limit,
            recovery: self.plastic_recovery,
            recluster: self.plastic_recluster,
            fade: self.plastic_fade.max(0) as u32,
            most_new_clusters: self.plastic_most_new_clusters.max(0) as u32,
        })
    }

    /// What multiplies the flow of the levels, finest first.
    pub fn level_flow(&self) -> Vec<f32> {
        self.plastic_level_flow.to_vec()
    }

    pub fn fracture(&self) -> Option<Fracture> {
        let smallest = self.smallest_piece.max(0) as u32;
        self.breakable.then_some(Fracture { toughness: self.toughness, smallest })
    }

    pub fn surface(&self) -> Surface {
        Surface { friction: self.friction, restitution: self.bounce, ..Surface::default() }
    }

    pub fn weighting(&self) -> Weighting {
        self.weighting
            .weighting(&[])
            .filter(|w| *w != Weighting::Manual(Vec::new()))
            .unwrap_or(Weighting::Uniform)
    }
}
