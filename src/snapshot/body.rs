//! The state of one body.

use std::sync::atomic::AtomicBool;

use glam::{Vec3, Vec4};

use super::lasting::{self, Lasting};
use super::material;
use crate::body::rest::{ALONE, Rest};
use crate::body::{Body, Freshness, Pin};
use crate::bytes::{Format, Reader, Writer, floats};
use crate::collide::surface::{Groups, Surface, Touch};
use crate::drift::Drift;
use crate::error::Error;
use crate::fitting::Rigid;
use crate::headroom;
use crate::landing::Landing;
use crate::matching::Moments;
use crate::material::Material;
use crate::painting::Tuning;
use crate::recluster;
use crate::settle::Grip;
use crate::shape::Shape;
use crate::volume::Swelling;

const FORMAT: Format = Format { magic: *b"WOBBLEBO", version: 7, what: "body snapshot" };

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// let before = world.body(id)?.snapshot();
/// world.step(1.0 / 60.0)?;
/// world.body_mut(id)?.restore(&before)?;
/// assert_eq!(world.body(id)?.snapshot(), before);
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// The state of the body as bytes, for [`Body::restore`]. Its shape is named by
    /// [`Shape::fingerprint`] and not part of it.
    pub fn snapshot(&self) -> Vec<u8> {
        headroom::or_end(self.snapshot_file())
    }

    /// The same, unless there is no memory for it.
    pub(crate) fn snapshot_file(&self) -> Result<Vec<u8>, Error> {
        let mut out = Writer::new(FORMAT);
        out.u64(self.shape.fingerprint());
        self.write_state(&mut out, self.is_sleeping());
        out.finish()
    }

    /// Puts the body in the state that [`Body::snapshot`] gave, this one's or that of another body
    /// of the same shape. From there it goes on bit for bit as that one did. Nothing changes when
    /// the snapshot is refused.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), Error> {
        let mut from = FORMAT.open(snapshot)?;
        let wanted = from.u64()?;
        if wanted != self.shape.fingerprint() {
            return Err(Error::Missing { what: "shape", id: wanted });
        }
        let state = State::read(&mut from, &self.shape)?;
        from.done()?;
        headroom::ensure(Body::bytes_of(&self.shape), "a body")?;
        let island = self.rest.island;
        self.take_over(state);
        // Others may rest on where it was.
        if island != ALONE {
            self.wake();
        }
        self.rest.island = island;
        Ok(())
    }

    /// `asleep` tells whether the body sleeps on.
    pub(super) fn write_state(&self, out: &mut Writer, asleep: bool) {
        let shape = &self.shape;
        let sizes = [self.x.len(), shape.all_clusters().len(), finest(shape), shape.levels().len()];
        sizes.into_iter().for_each(|n| out.u32(n as u32));
        out.u8(self.reclustered.is_some().into());
        material::write(out, &self.material);
        for (weight, tuning) in self.weights.iter().zip(&self.tuning) {
            [*weight, tuning.stiffness, tuning.damping].into_iter().for_each(|n| out.f32(n));
        }
        let fresh = self.freshness == Freshness::AfterStrain;
        let flags = [self.enabled, self.frozen, fresh, self.rest.allowed, asleep];
        flags.into_iter().for_each(|flag| out.u8(flag.into()));
        out.u32(self.rest.island);
        out.f32(if asleep == self.is_sleeping() { self.rest.calm } else { 0.0 });
        write_contact(out, self.surface, self.groups, self.radius, self.touch);
        [&self.x, &self.v, &self.previous].into_iter().for_each(|list| out.vec4s(list));
        out.vec3(self.acceleration);
        // That there are none is faster, and rounds otherwise, than that all are zero.
        out.u8(u8::from(!self.accelerations.is_empty()));
        out.vec4s(&self.accelerations);
        out.u32(self.pins.len() as u32);
        for pin in &self.pins {
            out.u32(pin.particle);
            out.vec3(pin.target);
        }
        out.vec4(self.origin);
        out.vec4(self.drift.slip);
        out.vec4(self.drift.spin);
        out.vec4(self.landing.unpushed);
        out.f32(self.grip.get());
        let Swelling { wanted, extra, before, .. } = self.swelling;
        [wanted, extra, before].into_iter().for_each(|n| out.f32(n));
        self.fits.iter().for_each(|fit| out.vec4(fit.rotation));
        lasting::write(out, self);
        if fresh || asleep {
            for c in 0..kept(self.tables(), asleep) {
                let (m, rigid) = (&self.moments[c], &self.rigid[c]);
                out.vec4s(&[
                    self.fits[c].omega,
                    m.centre,
                    m.rows[0],
                    m.rows[1],
                    m.rows[2],
                    m.velocity,
                    m.spin,
                ]);
                out.vec4s(&rigid.columns);
                out.vec4(rigid.shift);
            }
        }
    }

    pub(super) fn take_over(&mut self, mut state: State) {
        self.reclustered = state.lasting.reclustered.take();
        self.lay_out(self.finest_count() - finest(&self.shape));
        if self.reclustered.is_some() {
            // Free places are not matched.
            self.moments.fill(Moments::default());
        }
        self.use_material(state.material);
        self.weights = state.weights;
        self.tuning = state.tuning;
        self.enabled = state.enabled;
        self.frozen = state.frozen;
        self.grip = Grip::new(state.grip);
        self.landing = state.landing;
        self.faulty = AtomicBool::new(false);
        (self.surface, self.groups, self.radius) = (state.surface, state.groups, state.radius);
        self.touch = state.touch;
        self.x = state.x;
        self.v = state.v;
        self.previous = state.previous;
        self.acceleration = state.acceleration;
        self.accelerations = state.accelerations;
        self.pins = state.pins;
        self.origin = state.origin;
        (self.drift, self.gained) = (state.drift, None);
        self.swelling = state.swelling;
        for (fit, rotation) in self.fits.iter_mut().zip(state.rotations) {
            fit.rotation = rotation;
        }
        state.lasting.take_over(self);
        self.recall_pins();
        if let Some(clusters) = state.clusters {
            for (c, cluster) in clusters.into_iter().enumerate() {
                self.fits[c].omega = cluster.omega;
                self.moments[c] = cluster.moments;
                self.rigid[c] = cluster.rigid;
            }
        }
        if state.fresh {
            self.freshness = Freshness::AfterStrain;
        }
        self.rest = state.rest;
        if self.rest.asleep {
            self.rest.bounds = self.reach();
        }
    }
}

/// What a snapshot says about a body, checked.
pub(super) struct State {
    material: Material,
    weights: Vec<f32>,
    tuning: Vec<Tuning>,
    enabled: bool,
    frozen: bool,
    grip: f32,
    landing: Landing,
    surface: Surface,
    groups: Groups,
    radius: f32,
    touch: Touch,
    x: Vec<Vec4>,
    v: Vec<Vec4>,
    previous: Vec<Vec4>,
    acceleration: Vec3,
    accelerations: Vec<Vec4>,
    pins: Vec<Pin>,
    origin: Vec4,
    drift: Drift,
    swelling: Swelling,
    rotations: Vec<Vec4>,
    lasting: Lasting,
    /// Whether strain limiting left the finest clusters fresh.
    fresh: bool,
    rest: Rest,
    clusters: Option<Vec<KeptCluster>>,
}

/// A cluster as strain limiting or falling asleep left it.
struct KeptCluster {
    omega: Vec4,
    moments: Moments,
    rigid: Rigid,
}

impl State {
    pub(super) fn read(from: &mut Reader, shape: &Shape) -> Result<State, Error> {
        let levels = shape.levels().len();
        let (particles, clusters) = (shape.particle_count(), shape.all_clusters().len());
        for wanted in [particles, clusters, finest(shape), levels] {
            let got = from.u32()? as usize;
            from.ensure(got == wanted, || format!("it counts {got} where its shape has {wanted}"))?;
        }
        let replaced = from.flag("clusters of its own")?;
        let spare = if replaced { recluster::spare_for(finest(shape)) } else { 0 };
        let material = material::read(from)?;
        let numbers = from.list(levels, floats::<12, 3>)?;
        let weights = numbers.iter().map(|n| n[0]).collect();
        let tuning = numbers.iter().map(|n| Tuning { stiffness: n[1], damping: n[2] }).collect();
        let [enabled, frozen, fresh] = [from.flag("enabled")?, from.flag("frozen")?, from.flag("fresh")?];
        let rest = read_rest(from)?;
        let (surface, groups, radius, touch) = read_contact(from)?;
        let (x, v, previous) = (from.vec4s(particles)?, from.vec4s(particles)?, from.vec4s(particles)?);
        let acceleration = from.vec3()?;
        let pushed = from.flag("pushed")?;
        let accelerations = from.vec4s(if pushed { particles } else { 0 })?;
        let pins = read_pins(from)?;
        let (origin, drift) = (from.vec4()?, Drift { slip: from.vec4()?, spin: from.vec4()? });
        let (landing, grip) = (Landing { unpushed: from.vec4()? }, from.f32()?);
        let [wanted, extra, before] = [from.f32()?, from.f32()?, from.f32()?];
        let swelling = Swelling { wanted, extra, before, ..Swelling::default() };
        let rotations = from.vec4s(clusters + spare)?;
        let lasting = Lasting::read(from, shape, spare, &material)?;
        let count = kept(shape, rest.asleep) + spare;
        let clusters = if fresh || rest.asleep { Some(from.list(count, kept_cluster)?) } else { None };
        let state = State {
            material,
            weights,
            tuning,
            enabled,
            frozen,
            grip,
            landing,
            surface,
            groups,
            radius,
            touch,
            x,
            v,
            previous,
            acceleration,
            accelerations,
            pins,
            origin,
            drift,
            swelling,
            rotations,
            lasting,
            fresh,
            rest,
            clusters,
        };
        state.check(from)?;
        Ok(state)
    }

    /// Refuses what no body can be in.
    fn check(&self, from: &Reader) -> Result<(), Error> {
        let within = |value: f32, high: f32| (0.0..=high).contains(&value);
        let sum: f32 = self.weights.iter().sum();
        let even = self.weights.is_empty() || (sum - 1.0).abs() <= 1e-3;
        from.ensure(even && self.weights.iter().all(|w| within(*w, 1.0)), || {
            format!("its level weights are {:?}", self.weights)
        })?;
        let tuned = self.tuning.iter().all(|t| within(t.stiffness, 1e6) && within(t.damping, 1e6));
        from.ensure(tuned, || "a level's multiplier is not from 0 to 1e6".into())?;
        let lists = [&self.x, &self.v, &self.previous, &self.accelerations, &self.rotations];
        let finite = lists
            .into_iter()
            .flatten()
            .chain([&self.origin, &self.drift.slip, &self.drift.spin, &self.landing.unpushed])
            .all(|v| v.is_finite())
            && self.acceleration.is_finite()
            && (self.swelling.wanted + self.swelling.extra + self.swelling.before).is_finite();
        from.ensure(finite, || "a position, velocity, force or rotation is not finite".into())?;
        let turns = self.rotations.iter().all(|r| (r.length_squared() - 1.0).abs() <= 1e-2);
        from.ensure(turns, || "a rotation is not a unit quaternion".into())?;
        from.ensure(within(self.grip, 1.0), || format!("its grip is {}", self.grip))?;
        self.check_pins(from)
    }

    /// w of a position is 0 for the pinned and 1 for all others.
    fn check_pins(&self, from: &Reader) -> Result<(), Error> {
        let mut free = vec![1.0; self.x.len()];
        for pin in &self.pins {
            let i = pin.particle;
            let first = free.get_mut(i as usize).is_some_and(|w| std::mem::replace(w, 0.0) == 1.0);
            from.ensure(first && pin.target.is_finite(), || {
                format!("pin {i} is out of range, occurs twice, or has no finite target")
            })?;
        }
        let marked = self.x.iter().zip(&free).all(|(x, free)| x.w == *free);
        from.ensure(marked, || "its particles and its pins disagree".into())
    }
}

fn write_contact(out: &mut Writer, surface: Surface, groups: Groups, radius: f32, touch: Touch) {
    material::write_surface(out, surface, groups);
    out.f32(radius);
    out.f32(touch.parting);
    out.u8(touch.itself.into());
    out.u8(touch.proxies.into());
}

fn read_contact(from: &mut Reader) -> Result<(Surface, Groups, f32, Touch), Error> {
    let (surface, groups) = material::read_surface(from)?;
    let radius = from.f32()?;
    from.ensure((0.0..=1e6).contains(&radius), || format!("its particles have the radius {radius}"))?;
    let parting = from.f32()?;
    let touch = Touch { parting, itself: from.flag("touching itself")?, proxies: from.flag("proxies")? };
    from.checked(touch.check())?;
    Ok((surface, groups, radius, touch))
}

fn read_pins(from: &mut Reader) -> Result<Vec<Pin>, Error> {
    let count = from.count("pins", 16)?;
    let mut pins = headroom::vec(count, "the pins of a snapshot")?;
    for _ in 0..count {
        pins.push(Pin { particle: from.u32()?, target: from.vec3()? });
    }
    Ok(pins)
}

fn kept_cluster(bytes: [u8; 176]) -> KeptCluster {
    let n: [f32; 44] = floats(bytes);
    let v = |i: usize| Vec4::new(n[4 * i], n[4 * i + 1], n[4 * i + 2], n[4 * i + 3]);
    KeptCluster {
        omega: v(0),
        moments: Moments { centre: v(1), rows: [v(2), v(3), v(4)], velocity: v(5), spin: v(6) },
        rigid: Rigid { columns: [v(7), v(8), v(9)], shift: v(10) },
    }
}

fn read_rest(from: &mut Reader) -> Result<Rest, Error> {
    let (allowed, asleep) = (from.flag("can_sleep")?, from.flag("asleep")?);
    let (island, calm) = (from.u32()?, from.f32()?);
    from.ensure((0.0..=1.0).contains(&calm), || format!("it has been at rest for {calm} s"))?;
    Ok(Rest { allowed, asleep, island, calm, ..Rest::default() })
}

/// How many clusters' moments and fits are kept: all if others may come near while the body sleeps.
fn kept(shape: &Shape, asleep: bool) -> usize {
    if asleep { shape.all_clusters().len() } else { finest(shape) }
}

/// How many clusters the finest level has.
fn finest(shape: &Shape) -> usize {
    shape.levels().first().map_or(0, |level| level.cluster_count())
}
