//! What the structs of the header mean in Rust, and the other way round.

use glam::{Quat, Vec3};

use super::defs::*;
use super::status::Failure;
use crate::body::BodyDef;
use crate::clustering::{Algorithm, Kernel, LevelReport, LevelsDef, Nesting};
use crate::collide::surface::{Combine, Surface};
use crate::material::{Damping, DampingForm, Goals, Material, Rotation, Stiffness, StrainLimit};
use crate::profile::Profile;
use crate::statistics::Statistics;
use crate::world::WorldDef;

impl From<Vec3> for WobbleVec3 {
    fn from(v: Vec3) -> WobbleVec3 {
        WobbleVec3 { x: v.x, y: v.y, z: v.z }
    }
}

impl From<WobbleVec3> for Vec3 {
    fn from(v: WobbleVec3) -> Vec3 {
        Vec3::new(v.x, v.y, v.z)
    }
}

impl From<Quat> for WobbleQuat {
    fn from(q: Quat) -> WobbleQuat {
        WobbleQuat { x: q.x, y: q.y, z: q.z, w: q.w }
    }
}

impl From<WobbleQuat> for Quat {
    fn from(q: WobbleQuat) -> Quat {
        Quat::from_xyzw(q.x, q.y, q.z, q.w)
    }
}

/// A constant of the header that is none of its kind.
pub(crate) fn unknown(field: &str, value: u32, last: u32) -> Failure {
    Failure::argument(format!("{field} is {value}; it must be a constant of its kind, 0 to {last}"))
}

/// Yes or no from C.
pub(crate) fn flag(name: &str, value: u32) -> Result<bool, Failure> {
    match value {
        0 | 1 => Ok(value == 1),
        other => Err(Failure::argument(format!("{name} is {other}; it must be 0 or 1"))),
    }
}

fn size<T>() -> u32 {
    size_of::<T>() as u32
}

impl From<WorldDef> for WobbleWorldDef {
    fn from(def: WorldDef) -> WobbleWorldDef {
        let WorldDef { gravity, threads, substeps, contact_threshold, max_contacts, sleeping, sleep_speed } =
            def;
        WobbleWorldDef {
            struct_size: size::<WobbleWorldDef>(),
            threads,
            substeps,
            gravity: gravity.into(),
            contact_threshold,
            max_contacts,
            sleeping: sleeping.into(),
            sleep_speed,
        }
    }
}

impl Default for WobbleWorldDef {
    fn default() -> WobbleWorldDef {
        WorldDef::default().into()
    }
}

impl Default for WobbleBodyDef {
    fn default() -> WobbleBodyDef {
        let BodyDef { position, rotation, velocity, surface, groups, radius, can_sleep, .. } =
            BodyDef::default();
        WobbleBodyDef {
            struct_size: size::<WobbleBodyDef>(),
            position: position.into(),
            rotation: rotation.into(),
            velocity: velocity.into(),
            material: std::ptr::null(),
            friction: surface.friction,
            restitution: surface.restitution,
            combine: surface.combine.into(),
            group: groups.group,
            mask: groups.mask,
            radius,
            can_sleep: can_sleep.into(),
            reserved: 0,
        }
    }
}

impl WobbleWorldDef {
    /// What it says.
    pub(crate) fn world(self) -> Result<WorldDef, Failure> {
        let WobbleWorldDef { threads, substeps, contact_threshold, max_contacts, sleep_speed, .. } = self;
        Ok(WorldDef {
            gravity: self.gravity.into(),
            threads,
            substeps,
            contact_threshold,
            max_contacts,
            sleeping: flag("sleeping", self.sleeping)?,
            sleep_speed,
        })
    }
}

impl From<Combine> for u32 {
    fn from(combine: Combine) -> u32 {
        match combine {
            Combine::Natural => WOBBLE_COMBINE_NATURAL,
            Combine::Average => WOBBLE_COMBINE_AVERAGE,
            Combine::Minimum => WOBBLE_COMBINE_MINIMUM,
            Combine::Multiply => WOBBLE_COMBINE_MULTIPLY,
            Combine::Maximum => WOBBLE_COMBINE_MAXIMUM,
        }
    }
}

/// A surface from its three fields.
pub(crate) fn surface(friction: f32, restitution: f32, combine: u32) -> Result<Surface, Failure> {
    let combine = match combine {
        WOBBLE_COMBINE_NATURAL => Combine::Natural,
        WOBBLE_COMBINE_AVERAGE => Combine::Average,
        WOBBLE_COMBINE_MINIMUM => Combine::Minimum,
        WOBBLE_COMBINE_MULTIPLY => Combine::Multiply,
        WOBBLE_COMBINE_MAXIMUM => Combine::Maximum,
        other => return Err(unknown("combine", other, WOBBLE_COMBINE_MAXIMUM)),
    };
    Ok(Surface { friction, restitution, combine })
}

impl WobbleShapeDef {
    pub(crate) fn standard() -> WobbleShapeDef {
        let def = LevelsDef::default();
        WobbleShapeDef {
            struct_size: size::<WobbleShapeDef>(),
            algorithm: WOBBLE_ALGORITHM_FUZZY,
            kernel: WOBBLE_KERNEL_INVERSE_SQUARE,
            kernel_parameter: 1e-4,
            nesting: WOBBLE_NESTING_NESTED,
            particles_per_cluster: def.particles_per_cluster,
            finest_clusters: 0,
            max_levels: def.max_levels,
            radius: 0.0,
            radius_growth: def.radius_growth,
            overlap: def.overlap,
            max_rounds: def.max_rounds,
            threads: def.threads,
            reserved: 0,
            seed: def.seed,
            progress: None,
            progress_user: std::ptr::null_mut(),
        }
    }

    /// What tells the host how far building has got, and whether to go on.
    pub(crate) fn watcher(&self) -> impl FnMut(f32) -> bool + use<> {
        let (progress, user) = (self.progress, self.progress_user);
        move |fraction| progress.is_none_or(|tell| tell(fraction, user) != 0)
    }

    pub(crate) fn levels(&self) -> Result<LevelsDef, Failure> {
        let algorithm = match self.algorithm {
            WOBBLE_ALGORITHM_RANDOM => Algorithm::Random,
            WOBBLE_ALGORITHM_K_MEANS => Algorithm::KMeans,
            WOBBLE_ALGORITHM_FUZZY => Algorithm::Fuzzy,
            other => return Err(unknown("algorithm", other, WOBBLE_ALGORITHM_FUZZY)),
        };
        let parameter = self.kernel_parameter;
        let kernel = match self.kernel {
            WOBBLE_KERNEL_BOX => Kernel::Box,
            WOBBLE_KERNEL_POLY6 => Kernel::Poly6,
            WOBBLE_KERNEL_BLEND => Kernel::Blend { beta: parameter },
            WOBBLE_KERNEL_INVERSE_SQUARE => Kernel::InvSq { epsilon: parameter },
            WOBBLE_KERNEL_FCM => Kernel::Fcm { m: parameter },
            other => return Err(unknown("kernel", other, WOBBLE_KERNEL_FCM)),
        };
        let nesting = match self.nesting {
            WOBBLE_NESTING_NESTED => Nesting::Nested,
            WOBBLE_NESTING_INDEPENDENT => Nesting::Independent,
            other => return Err(unknown("nesting", other, WOBBLE_NESTING_INDEPENDENT)),
        };
        Ok(LevelsDef {
            algorithm,
            kernel,
            nesting,
            particles_per_cluster: self.particles_per_cluster,
            finest_clusters: (self.finest_clusters != 0).then_some(self.finest_clusters),
            max_levels: self.max_levels,
            radius: (self.radius != 0.0).then_some(self.radius),
            radius_growth: self.radius_growth,
            overlap: self.overlap,
            max_rounds: self.max_rounds,
            seed: self.seed,
            threads: self.threads,
        })
    }
}

impl From<&LevelReport> for WobbleLevelReport {
    fn from(report: &LevelReport) -> WobbleLevelReport {
        WobbleLevelReport {
            struct_size: size::<WobbleLevelReport>(),
            clusters: report.clusters as u32,
            rounds: report.rounds,
            converged: report.converged.into(),
            radius: report.radius,
            overlap: report.overlap,
            memberships_per_particle: report.memberships_per_particle,
            seconds: report.seconds,
        }
    }
}

impl From<&Material> for WobbleMaterial {
    fn from(material: &Material) -> WobbleMaterial {
        let (stiffness_kind, stiffness) = match material.stiffness {
            Stiffness::Hertz(value) => (WOBBLE_STIFFNESS_HERTZ, value),
            Stiffness::PerStep(value) => (WOBBLE_STIFFNESS_PER_STEP, value),
        };
        let (damping_kind, damping) = match material.damping {
            Damping::PerSecond(value) => (WOBBLE_DAMPING_PER_SECOND, value),
            Damping::PerStep(value) => (WOBBLE_DAMPING_PER_STEP, value),
        };
        let (goals, goals_beta) = match material.goals {
            Goals::Rigid => (WOBBLE_GOALS_RIGID, 0.0),
            Goals::Linear { beta } => (WOBBLE_GOALS_LINEAR, beta),
            Goals::Quadratic { beta } => (WOBBLE_GOALS_QUADRATIC, beta),
        };
        let strain = material.strain.unwrap_or_default();
        WobbleMaterial {
            struct_size: size::<WobbleMaterial>(),
            stiffness_kind,
            stiffness,
            damping_kind,
            damping,
            damping_form: match material.damping_form {
                DampingForm::Rigid => WOBBLE_DAMPING_FORM_RIGID,
                DampingForm::Paper => WOBBLE_DAMPING_FORM_PAPER,
            },
            rotation: match material.rotation {
                Rotation::Momentum => WOBBLE_ROTATION_MOMENTUM,
                Rotation::Stretch => WOBBLE_ROTATION_STRETCH,
            },
            goals,
            goals_beta,
            strain_rounds: if material.strain.is_some() { strain.rounds } else { 0 },
            strain_gamma: strain.gamma,
            strain_omega: strain.omega,
            gravity_scale: material.gravity_scale,
            rebound: material.rebound,
            volume_stiffness: material.volume_stiffness,
            pressure: material.pressure,
        }
    }
}

impl WobbleMaterial {
    pub(crate) fn material(&self) -> Result<Material, Failure> {
        let material = Material {
            stiffness: match self.stiffness_kind {
                WOBBLE_STIFFNESS_HERTZ => Stiffness::Hertz(self.stiffness),
                WOBBLE_STIFFNESS_PER_STEP => Stiffness::PerStep(self.stiffness),
                other => return Err(unknown("stiffness_kind", other, WOBBLE_STIFFNESS_PER_STEP)),
            },
            damping: match self.damping_kind {
                WOBBLE_DAMPING_PER_SECOND => Damping::PerSecond(self.damping),
                WOBBLE_DAMPING_PER_STEP => Damping::PerStep(self.damping),
                other => return Err(unknown("damping_kind", other, WOBBLE_DAMPING_PER_STEP)),
            },
            damping_form: match self.damping_form {
                WOBBLE_DAMPING_FORM_RIGID => DampingForm::Rigid,
                WOBBLE_DAMPING_FORM_PAPER => DampingForm::Paper,
                other => return Err(unknown("damping_form", other, WOBBLE_DAMPING_FORM_PAPER)),
            },
            rotation: match self.rotation {
                WOBBLE_ROTATION_MOMENTUM => Rotation::Momentum,
                WOBBLE_ROTATION_STRETCH => Rotation::Stretch,
                other => return Err(unknown("rotation", other, WOBBLE_ROTATION_STRETCH)),
            },
            goals: match self.goals {
                WOBBLE_GOALS_RIGID => Goals::Rigid,
                WOBBLE_GOALS_LINEAR => Goals::Linear { beta: self.goals_beta },
                WOBBLE_GOALS_QUADRATIC => Goals::Quadratic { beta: self.goals_beta },
                other => return Err(unknown("goals", other, WOBBLE_GOALS_QUADRATIC)),
            },
            strain: (self.strain_rounds > 0).then_some(StrainLimit {
                gamma: self.strain_gamma,
                omega: self.strain_omega,
                rounds: self.strain_rounds,
            }),
            gravity_scale: self.gravity_scale,
            rebound: self.rebound,
            volume_stiffness: self.volume_stiffness,
            pressure: self.pressure,
        };
        material.check()?;
        Ok(material)
    }
}

impl From<Profile> for WobbleProfile {
    fn from(profile: Profile) -> WobbleProfile {
        let Profile { matching, goals, integrate, contacts, strain, total, substeps, .. } = profile;
        let Profile { strain_rounds, strain_fits, contact_count, .. } = profile;
        let Profile { plasticity, recluster, embed, new_clusters, .. } = profile;
        let struct_size = size::<WobbleProfile>();
        WobbleProfile {
            struct_size,
            substeps,
            matching,
            goals,
            integrate,
            strain,
            total,
            strain_rounds,
            strain_fits,
            contacts,
            contact_count,
            plasticity,
            recluster,
            embed,
            new_clusters,
        }
    }
}

impl From<Statistics> for WobbleStatistics {
    fn from(s: Statistics) -> WobbleStatistics {
        WobbleStatistics {
            struct_size: size::<WobbleStatistics>(),
            bodies: s.bodies as u32,
            enabled: s.enabled as u32,
            frozen: s.frozen as u32,
            colliders: s.colliders as u32,
            threads: s.threads,
            particles: s.particles as u64,
            clusters: s.clusters as u64,
            memberships: s.memberships as u64,
            body_bytes: s.body_bytes as u64,
            shape_bytes: s.shape_bytes as u64,
            sleeping: s.sleeping as u32,
            shapes: s.shapes as u32,
        }
    }
}
