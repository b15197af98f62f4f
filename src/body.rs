//! The state of one body: its parameters, what can be read, what a step keeps.
//!
//! Particle arrays are in the shape's spatial order, 16 bytes a vector; every index a host
//! gives or gets is its own, in creation order. Setters check first and change nothing when
//! they refuse.

pub(crate) mod breaking;
mod contact;
mod copy;
mod lasting;
mod levels;
mod load;
mod reclustering;
pub(crate) mod rest;
mod stepping;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8};

use glam::{Quat, Vec3, Vec4};

use self::breaking::Unbroken;
use self::rest::Rest;
use crate::bulk::{self, Target};
use crate::collide::colliders::Touched;
use crate::collide::surface::{Groups, Surface, Touch};
use crate::drift::Drift;
use crate::error::{Error, finite};
use crate::fitting::{Fit, Rigid};
use crate::fracture::Breaking;
use crate::goals::{Pull, Strength};
use crate::headroom;
use crate::landing::Landing;
use crate::matching::Moments;
use crate::material::{Goals, Material};
use crate::moved::Moved;
use crate::painting::Tuning;
use crate::parallel::Spread;
use crate::plasticity::{Plastic, Plasticity};
use crate::quadratic::Quadratic;
use crate::query::outline::OutlineCache;
use crate::recluster::Reclustered;
use crate::settle::Grip;
use crate::shape::Shape;
use crate::shape::held::Held;
use crate::skinning::PoseCache;
use crate::step::support::Support;
use crate::strain::balance::Inertia;
use crate::volume::Swelling;

/// Where a body starts and what it is made of.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::cube()?;
/// use glam::Vec3;
/// use wobble::{BodyDef, Material, World, WorldDef};
///
/// let mut world = World::new(&WorldDef::default())?;
/// let material = Material::named("rubber").expect("a preset");
/// let thrown = BodyDef { position: Vec3::Y, velocity: Vec3::X * 5.0, material, ..BodyDef::default() };
/// world.add_body(&shape, &thrown)?;
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyDef {
    /// Where the centre of mass goes, metres. Default the origin.
    pub position: Vec3,
    /// How the rest shape is turned. Default not at all.
    pub rotation: Quat,
    /// Initial velocity, m/s. Default zero.
    pub velocity: Vec3,
    /// Default [`Material::default`].
    pub material: Material,
    /// Friction and restitution. Default [`Surface::default`].
    pub surface: Surface,
    /// Whom the body meets. Default everyone.
    pub groups: Groups,
    /// Distance that particles keep from what they touch, metres, 0 to 1e6. Default 0: the visible
    /// surface goes through the outermost particles.
    pub radius: f32,
    /// How it touches other bodies, and itself. Default [`Touch::default`].
    pub touch: Touch,
    /// Whether the body may fall asleep once it is at rest. Default true.
    pub can_sleep: bool,
}

impl Default for BodyDef {
    fn default() -> Self {
        BodyDef {
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            material: Material::default(),
            surface: Surface::default(),
            groups: Groups::default(),
            radius: 0.0,
            touch: Touch::default(),
            can_sleep: true,
        }
    }
}

/// A particle that the host holds or moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pin {
    pub(crate) particle: u32,
    pub(crate) target: Vec3,
}

/// Which clusters' moments are those of the present positions and velocities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// None.
    Stale,
    /// Those of the finest level: strain limiting found nothing to correct.
    AfterStrain,
}

/// One soft body.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
///
/// world.body_mut(id)?.apply_impulse(Vec3::Y)?; // N s
/// world.step(1.0 / 60.0)?;
/// assert!(world.body(id)?.momentum().y > 0.8);
/// # Ok::<(), wobble::Error>(())
/// ```
pub struct Body {
    pub(crate) shape: Arc<Shape>,
    pub(crate) material: Material,
    pub(crate) weights: Vec<f32>,
    /// Multipliers of each level.
    pub(crate) tuning: Vec<Tuning>,
    /// Positions, w = 1 for free particles and 0 for kinematic ones.
    pub(crate) x: Vec<Vec4>,
    /// Velocities; w is the grip of the contact that a particle is in, 0 in the air.
    pub(crate) v: Vec<Vec4>,
    /// Positions before the last step.
    pub(crate) previous: Vec<Vec4>,
    /// Acceleration of the whole body by forces in the next step, m/s².
    pub(crate) acceleration: Vec3,
    /// Accelerations of single particles in the next step; empty until first used.
    pub(crate) accelerations: Vec<Vec4>,
    /// The world's force fields that act in this step, by their places in the list.
    pub(crate) fields: Vec<u32>,
    /// The velocity that they give each particle in this substep, m/s; empty if there are none.
    pub(crate) blown: Vec<Vec4>,
    pub(crate) swelling: Swelling,
    pub(crate) pins: Vec<Pin>,
    /// Clusters as they are matched, while some particles are pinned; as of the last step.
    pub(crate) held: Option<Box<Held>>,
    /// A point inside the body that moments and fits are about, metres; w = 0.
    pub(crate) origin: Vec4,
    pub(crate) moments: Vec<Moments>,
    pub(crate) fits: Vec<Fit>,
    pub(crate) rigid: Vec<Rigid>,
    pub(crate) pulls: Vec<Pull>,
    /// What holds the clusters' members, where something is painted; else empty.
    pub(crate) holds: Vec<Strength>,
    /// For each block of particles, what it got from inside the body in the last substep.
    pub(crate) inner: Vec<Moved>,
    pub(crate) drift: Drift,
    /// What the whole got since its clusters were matched: from gravity and the like, and of what was owed to it. None if it was
    /// not stepped since it was changed, or how the clusters move is not known.
    pub(crate) gained: Option<Drift>,
    pub(crate) landing: Landing,
    pub(crate) quadratic: Option<Box<Quadratic>>,
    /// How deformation lasts.
    pub(crate) plasticity: Option<Plasticity>,
    /// What multiplies the flow of each level.
    pub(crate) flows: Vec<f32>,
    /// What has lasted; there while deformation can last or has.
    pub(crate) plastic: Option<Box<Plastic>>,
    /// Clusters of its own, if it has replaced some of its shape's.
    pub(crate) reclustered: Option<Box<Reclustered>>,
    pub(crate) breaking: Breaking,
    /// A number that all pieces of one body have.
    pub(crate) family: Option<u32>,
    /// What it had before it broke; only of the piece that kept the name.
    pub(crate) unbroken: Option<Box<Unbroken>>,
    pub(crate) strain: StrainState,
    pub(crate) grip: Grip,
    pub(crate) support: Support,
    /// For each finest cluster, what contacts add to its damping while the body touches something.
    pub(crate) brakes: Vec<f32>,
    pub(crate) freshness: Freshness,
    pub(crate) faulty: AtomicBool,
    pub(crate) frozen: bool,
    pub(crate) enabled: bool,
    pub(crate) rest: Rest,
    pub(crate) surface: Surface,
    pub(crate) groups: Groups,
    /// Of a particle, metres.
    pub(crate) radius: f32,
    pub(crate) touch: Touch,
    /// For each block of particles, what it met in this step.
    pub(crate) touched: Vec<Touched>,
    /// Where the clusters carry the mesh; forgotten whenever positions change.
    pub(crate) poses: PoseCache,
    /// Where queries meet the body; forgotten as well.
    pub(crate) outline: OutlineCache,
}

/// What strain limiting remembers between rounds; empty while the body has no limit.
#[derive(Default)]
pub(crate) struct StrainState {
    /// For each finest cluster: 1 if a member moved since its moments were summed.
    pub(crate) dirty: Vec<AtomicU8>,
    /// For each finest cluster: 1 if it was fitted in this round.
    pub(crate) fitted: Vec<AtomicU8>,
    /// For each block of particles, what the corrections moved.
    pub(crate) moved: Vec<Moved>,
    /// For each block of particles, how its mass is spread.
    pub(crate) inertia: Vec<Inertia>,
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::{Material, Stiffness};
///
/// let body = world.body_mut(id)?;
/// body.set_material(Material { stiffness: Stiffness::Hertz(10.0), ..*body.material() })?;
/// body.set_enabled(true); // a body that is not enabled is left out of steps
/// world.step(1.0 / 60.0)?;
///
/// let body = world.body(id)?;
/// let mut places = vec![Vec3::ZERO; body.shape().particle_count()];
/// body.read_positions(&mut places)?; // in the order of creation
/// assert_eq!(body.position(0)?, places[0]);
/// body.read_velocities(&mut places)?;
/// assert_eq!(body.velocity(0)?, places[0]);
/// // In spatial order, without a copy; w of a position is 0 where the particle is pinned.
/// assert_eq!(body.raw_positions().len(), body.raw_velocities().len());
/// assert!(body.is_enabled() && !body.is_frozen() && body.bytes() > 0);
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    pub(crate) fn new(shape: &Arc<Shape>, def: &BodyDef) -> Result<Body, Error> {
        headroom::ensure(Body::bytes_of(shape), "a body")?;
        finite("position", def.position)?;
        finite("velocity", def.velocity)?;
        let rotation = unit(def.rotation)?;
        let mut body = Body::blank(shape);
        body.set_material(def.material)?;
        body.set_surface(def.surface)?;
        body.set_particle_radius(def.radius)?;
        body.set_touch(def.touch)?;
        body.groups = def.groups;
        body.rest.allowed = def.can_sleep;
        body.v.fill(def.velocity.extend(0.0));
        body.put(def.position, rotation);
        body.pin_painted();
        Ok(body)
    }

    /// Bytes that a new body of a shape takes at most, or one that a snapshot is put into.
    pub(crate) fn bytes_of(shape: &Shape) -> usize {
        let cluster = [size_of::<Moments>(), size_of::<Fit>(), size_of::<Rigid>(), size_of::<Pull>()];
        let cluster: usize = cluster.iter().sum::<usize>() + size_of::<Strength>() + size_of::<f32>();
        let particle = 3 * size_of::<Vec4>() + size_of::<Moved>() + size_of::<f32>();
        // A list that grows is there twice for a while, once half as large again.
        let pins = 3 * shape.pinned().len() * size_of::<Pin>();
        size_of::<Body>() + shape.particle_count() * particle + shape.all_clusters().len() * cluster + pins
    }

    /// A body of the default material, its particles not yet placed.
    pub(crate) fn blank(shape: &Arc<Shape>) -> Body {
        let (particles, clusters) = (shape.particle_count(), shape.all_clusters().len());
        let levels = shape.levels().len();
        Body {
            shape: Arc::clone(shape),
            material: Material::default(),
            weights: vec![1.0 / levels.max(1) as f32; levels],
            tuning: vec![Tuning { stiffness: 1.0, damping: 1.0 }; levels],
            x: vec![Vec4::W; particles],
            v: vec![Vec4::ZERO; particles],
            previous: vec![Vec4::ZERO; particles],
            acceleration: Vec3::ZERO,
            accelerations: Vec::new(),
            fields: Vec::new(),
            blown: Vec::new(),
            swelling: Swelling::default(),
            pins: Vec::new(),
            held: None,
            origin: Vec4::ZERO,
            moments: vec![Moments::default(); clusters],
            fits: vec![Fit::default(); clusters],
            rigid: vec![Rigid::default(); clusters],
            pulls: vec![Pull::default(); clusters],
            holds: vec![Strength::default(); shape.painted().len()],
            inner: vec![Moved::default(); particles.div_ceil(crate::step::PARTICLES)],
            drift: Drift::default(),
            gained: None,
            landing: Landing::default(),
            quadratic: None,
            plasticity: None,
            flows: vec![1.0; levels],
            plastic: None,
            reclustered: None,
            breaking: Breaking::default(),
            family: None,
            unbroken: None,
            strain: StrainState::default(),
            grip: Grip::default(),
            support: Default::default(),
            brakes: vec![0.0; shape.levels().first().map_or(0, |finest| finest.cluster_count())],
            freshness: Freshness::Stale,
            faulty: AtomicBool::new(false),
            frozen: false,
            enabled: true,
            rest: Rest::default(),
            surface: Surface::default(),
            groups: Groups::default(),
            radius: 0.0,
            touch: Touch::default(),
            touched: vec![Touched::default(); particles.div_ceil(crate::step::PARTICLES)],
            poses: PoseCache::default(),
            outline: OutlineCache::default(),
        }
    }

    /// The rest shape.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// The present material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Changes the material from the next step on.
    pub fn set_material(&mut self, material: Material) -> Result<(), Error> {
        material.check()?;
        if let (Goals::Quadratic { beta }, true) = (material.goals, self.plastic.is_some()) {
            let wanted = "of another kind for a body whose deformation lasts";
            return Err(Error::Value { field: "goals (quadratic)", value: beta.into(), wanted });
        }
        if material != self.material {
            self.wake();
        }
        self.use_material(material);
        Ok(())
    }

    /// Takes over a material that was checked.
    pub(crate) fn use_material(&mut self, material: Material) {
        let clusters = self.finest_count();
        let limited = material.strain.is_some();
        let size = |n: usize| if limited { n } else { 0 };
        let particles = self.shape.particle_count();
        self.strain.dirty.resize_with(size(clusters), || AtomicU8::new(1));
        self.strain.fitted.resize_with(size(clusters), || AtomicU8::new(0));
        let blocks = size(particles.div_ceil(crate::step::PARTICLES));
        self.strain.moved.resize(blocks, Moved::default());
        self.strain.inertia.resize(blocks, Inertia::default());
        self.quadratic = match material.goals {
            Goals::Quadratic { .. } => {
                self.quadratic.take().or_else(|| Some(Box::new(Quadratic::new(&self.shape))))
            }
            _ => None,
        };
        self.material = material;
        self.touched();
    }

    /// Positions in spatial order, metres; w is 1 for free particles, 0 for pinned ones. See
    /// [`Shape::order`] for the way back to creation order.
    pub fn raw_positions(&self) -> &[Vec4] {
        &self.x
    }

    /// Velocities in spatial order, m/s; w is above 0 for particles in contact.
    pub fn raw_velocities(&self) -> &[Vec4] {
        &self.v
    }

    /// Copies the positions in creation order, metres.
    pub fn read_positions(&self, out: &mut [Vec3]) -> Result<(), Error> {
        self.read(&self.x, out)
    }

    /// Copies the velocities in creation order, m/s.
    pub fn read_velocities(&self, out: &mut [Vec3]) -> Result<(), Error> {
        self.read(&self.v, out)
    }

    fn read(&self, from: &[Vec4], out: &mut [Vec3]) -> Result<(), Error> {
        if out.len() < from.len() {
            return Err(Error::Length {
                field: "out",
                got: out.len(),
                wanted: format!("at least {}", from.len()),
            });
        }
        let target = Target { start: out.as_mut_ptr().cast(), stride: size_of::<Vec3>() };
        // SAFETY: a shape's places are indices of its particles, a body has as many, and so has `out`.
        unsafe { bulk::copy_in_order(from, self.shape.place(), &target, Spread::Here) };
        Ok(())
    }

    /// Position of one particle, metres.
    pub fn position(&self, particle: usize) -> Result<Vec3, Error> {
        Ok(self.x[self.index(particle)?].truncate())
    }

    /// Velocity of one particle, m/s.
    pub fn velocity(&self, particle: usize) -> Result<Vec3, Error> {
        Ok(self.v[self.index(particle)?].truncate())
    }

    pub(crate) fn index(&self, particle: usize) -> Result<usize, Error> {
        let count = self.shape.particle_count();
        let place = self.shape.place().get(particle);
        place.map(|&i| i as usize).ok_or(Error::Index { field: "particle", got: particle, count })
    }

    /// Whether the body takes part in steps.
    pub fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Takes the body out of the simulation, or back in. One that is taken out stands where it is:
    /// there is no motion left to interpolate.
    pub fn set_enabled(&mut self, enabled: bool) {
        if enabled != self.enabled {
            self.wake();
        }
        self.enabled = enabled;
        if !enabled {
            self.previous.copy_from_slice(&self.x);
            self.forget_places();
        }
    }

    /// True if a step gave numbers that are not finite: the body was put back to where it was
    /// before that step and stays there until it is reset or teleported.
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// Heap bytes held, without the shape.
    pub fn bytes(&self) -> usize {
        let vectors = self.x.capacity() + self.v.capacity() + self.previous.capacity();
        (vectors + self.accelerations.capacity() + self.blown.capacity()) * size_of::<Vec4>()
            + (self.inner.capacity() + self.strain.moved.capacity()) * size_of::<Moved>()
            + self.strain.inertia.capacity() * size_of::<Inertia>()
            + self.moments.capacity() * size_of::<Moments>()
            + self.fits.capacity() * size_of::<Fit>()
            + self.rigid.capacity() * size_of::<Rigid>()
            + self.pulls.capacity() * size_of::<Pull>()
            + self.holds.capacity() * size_of::<Strength>()
            + self.strain.dirty.capacity()
            + self.strain.fitted.capacity()
            + self.brakes.capacity() * 4
            + self.support.bytes()
            + self.pins.capacity() * size_of::<Pin>()
            + self.held.as_ref().map_or(0, |held| size_of::<Held>() + held.bytes())
            + self.quadratic.as_ref().map_or(0, |q| q.bytes())
            + self.plastic.as_ref().map_or(0, |p| size_of::<Plastic>() + p.bytes())
            + self.reclustered.as_ref().map_or(0, |own| size_of::<Reclustered>() + own.bytes())
            + self.flows.capacity() * 4
            + self.breaking.bytes()
            + self.poses.bytes()
            + self.outline.bytes()
            + self.weights.capacity() * 4
            + self.tuning.capacity() * size_of::<Tuning>()
            + self.touched.capacity() * size_of::<Touched>()
            + self.touched.iter().map(Touched::bytes).sum::<usize>()
    }
}

pub(crate) fn unit(rotation: Quat) -> Result<Quat, Error> {
    let length = rotation.length();
    if length.is_finite() && length > 1e-6 {
        Ok(rotation / length)
    } else {
        let wanted = "a quaternion of finite length above 1e-6";
        Err(Error::Value { field: "rotation (length)", value: length.into(), wanted })
    }
}
