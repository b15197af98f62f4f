//! Copies of a body, for a host that reads one while the other is stepped.
//!
//! A copy is the whole state: stepped alike, both go on with the same bits. `clone_from` writes
//! into the memory the copy already has, so a copy kept for reading costs no allocation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use super::{Body, StrainState};
use crate::collide::colliders::Touched;
use crate::query::outline::OutlineCache;
use crate::skinning::PoseCache;

impl Clone for Body {
    fn clone(&self) -> Body {
        Body {
            shape: Arc::clone(&self.shape),
            material: self.material,
            weights: self.weights.clone(),
            tuning: self.tuning.clone(),
            x: self.x.clone(),
            v: self.v.clone(),
            previous: self.previous.clone(),
            acceleration: self.acceleration,
            accelerations: self.accelerations.clone(),
            fields: self.fields.clone(),
            blown: self.blown.clone(),
            swelling: self.swelling,
            pins: self.pins.clone(),
            held: self.held.clone(),
            origin: self.origin,
            moments: self.moments.clone(),
            fits: self.fits.clone(),
            rigid: self.rigid.clone(),
            pulls: self.pulls.clone(),
            holds: self.holds.clone(),
            inner: self.inner.clone(),
            drift: self.drift,
            gained: self.gained,
            landing: self.landing,
            quadratic: self.quadratic.clone(),
            plasticity: self.plasticity,
            flows: self.flows.clone(),
            plastic: self.plastic.clone(),
            reclustered: self.reclustered.clone(),
            breaking: self.breaking.clone(),
            family: self.family,
            unbroken: self.unbroken.clone(),
            strain: self.strain.clone(),
            grip: self.grip.clone(),
            support: Default::default(),
            brakes: self.brakes.clone(),
            freshness: self.freshness,
            faulty: AtomicBool::new(self.faulty.load(Ordering::Relaxed)),
            frozen: self.frozen,
            enabled: self.enabled,
            rest: self.rest,
            surface: self.surface,
            groups: self.groups,
            radius: self.radius,
            touch: self.touch,
            touched: vec![Touched::default(); self.touched.len()],
            poses: PoseCache::default(),
            outline: OutlineCache::default(),
        }
    }

    /// As `*self = source.clone()`, without allocating where both have the same shape and kind of
    /// material.
    fn clone_from(&mut self, source: &Body) {
        self.shape.clone_from(&source.shape);
        self.material = source.material;
        self.weights.clone_from(&source.weights);
        self.tuning.clone_from(&source.tuning);
        self.x.clone_from(&source.x);
        self.v.clone_from(&source.v);
        self.previous.clone_from(&source.previous);
        self.acceleration = source.acceleration;
        self.accelerations.clone_from(&source.accelerations);
        self.fields.clone_from(&source.fields);
        self.blown.clone_from(&source.blown);
        self.swelling = source.swelling;
        self.pins.clone_from(&source.pins);
        self.held.clone_from(&source.held);
        self.origin = source.origin;
        self.moments.clone_from(&source.moments);
        self.fits.clone_from(&source.fits);
        self.rigid.clone_from(&source.rigid);
        self.pulls.clone_from(&source.pulls);
        self.holds.clone_from(&source.holds);
        self.inner.clone_from(&source.inner);
        (self.drift, self.gained) = (source.drift, source.gained);
        self.landing = source.landing;
        self.quadratic.clone_from(&source.quadratic);
        self.plasticity = source.plasticity;
        self.flows.clone_from(&source.flows);
        match (&mut self.plastic, &source.plastic) {
            (Some(here), Some(there)) => here.clone_from(there),
            (here, there) => here.clone_from(there),
        }
        self.reclustered.clone_from(&source.reclustered);
        self.breaking.clone_from(&source.breaking);
        self.family = source.family;
        self.unbroken.clone_from(&source.unbroken);
        self.strain.clone_from(&source.strain);
        self.grip = source.grip.clone();
        self.brakes.clone_from(&source.brakes);
        self.freshness = source.freshness;
        *self.faulty.get_mut() = source.faulty.load(Ordering::Relaxed);
        self.frozen = source.frozen;
        self.enabled = source.enabled;
        self.rest = source.rest;
        self.surface = source.surface;
        self.groups = source.groups;
        self.radius = source.radius;
        self.touch = source.touch;
        self.touched.resize_with(source.touched.len(), Touched::default);
        self.poses.forget();
        self.outline = OutlineCache::default();
    }
}

impl Clone for StrainState {
    fn clone(&self) -> StrainState {
        StrainState {
            dirty: flags(&self.dirty),
            fitted: flags(&self.fitted),
            moved: self.moved.clone(),
            inertia: self.inertia.clone(),
        }
    }

    fn clone_from(&mut self, source: &StrainState) {
        copy_flags(&mut self.dirty, &source.dirty);
        copy_flags(&mut self.fitted, &source.fitted);
        self.moved.clone_from(&source.moved);
        self.inertia.clone_from(&source.inertia);
    }
}

fn flags(from: &[AtomicU8]) -> Vec<AtomicU8> {
    from.iter().map(|flag| AtomicU8::new(flag.load(Ordering::Relaxed))).collect()
}

fn copy_flags(to: &mut Vec<AtomicU8>, from: &[AtomicU8]) {
    to.resize_with(from.len(), || AtomicU8::new(0));
    for (to, from) in to.iter_mut().zip(from) {
        *to.get_mut() = from.load(Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{BodyDef, Goals, LevelsDef, Material, Plane, Shape, StrainLimit, World, WorldDef};

    fn shape(points: usize) -> Arc<Shape> {
        let at = |i: usize| Vec3::new((i % 8) as f32, (i / 8 % 8) as f32, (i / 64) as f32) * 0.1;
        let points: Vec<Vec3> = (0..points).map(at).collect();
        Shape::from_points(&points, None, &LevelsDef::default()).unwrap()
    }

    /// A body with every part of the state in use, in a world where it lies on the ground.
    fn busy(goals: Goals) -> (World, crate::BodyId) {
        let strain = Some(StrainLimit { gamma: 0.05, ..StrainLimit::default() });
        let material = Material { goals, strain, ..Material::default() };
        let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
        world.add_plane(&Plane::default()).unwrap();
        let def = BodyDef { position: Vec3::Y * 0.4, material, ..BodyDef::default() };
        let id = world.add_body(&shape(512), &def).unwrap();
        let body = world.body_mut(id).unwrap();
        body.pin(3).unwrap();
        body.set_level_stiffness(0, 0.7).unwrap();
        (0..20).for_each(|_| world.step(1.0 / 60.0).unwrap());
        world.body_mut(id).unwrap().apply_force_to(7, Vec3::X).unwrap();
        (world, id)
    }

    /// Where the vectors of a body lie.
    fn places(body: &Body) -> [usize; 13] {
        [
            body.weights.as_ptr() as usize,
            body.tuning.as_ptr() as usize,
            body.x.as_ptr() as usize,
            body.v.as_ptr() as usize,
            body.previous.as_ptr() as usize,
            body.accelerations.as_ptr() as usize,
            body.pins.as_ptr() as usize,
            body.moments.as_ptr() as usize,
            body.fits.as_ptr() as usize,
            body.rigid.as_ptr() as usize,
            body.pulls.as_ptr() as usize,
            body.strain.dirty.as_ptr() as usize,
            body.strain.moved.as_ptr() as usize,
        ]
    }

    #[test]
    fn a_copy_goes_on_with_the_same_bits() {
        for goals in [Goals::Rigid, Goals::Quadratic { beta: 0.5 }] {
            let (mut world, id) = busy(goals);
            let copy = world.body(id).unwrap().clone();
            (0..30).for_each(|_| world.step(1.0 / 60.0).unwrap());
            let ahead = world.state_hash();
            *world.body_mut(id).unwrap() = copy;
            (0..30).for_each(|_| world.step(1.0 / 60.0).unwrap());
            assert_eq!(world.state_hash(), ahead);
        }
    }

    #[test]
    fn copying_into_a_copy_reuses_its_memory() {
        let (mut world, id) = busy(Goals::Quadratic { beta: 0.5 });
        let mut copy = world.body(id).unwrap().clone();
        let (before, bytes) = (places(&copy), copy.bytes());
        (0..30).for_each(|_| world.step(1.0 / 60.0).unwrap());
        copy.clone_from(world.body(id).unwrap());
        assert_eq!((places(&copy), copy.bytes()), (before, bytes));
        assert_eq!(copy.x, world.body(id).unwrap().x);
        (0..30).for_each(|_| world.step(1.0 / 60.0).unwrap());
        let ahead = world.state_hash();
        world.body_mut(id).unwrap().clone_from(&copy);
        (0..30).for_each(|_| world.step(1.0 / 60.0).unwrap());
        assert_eq!(world.state_hash(), ahead);
    }

    #[test]
    fn a_copy_of_another_shape_takes_its_place_whole() {
        let (world, id) = busy(Goals::Rigid);
        let mut copy = Body::new(&shape(100), &BodyDef::default()).unwrap();
        copy.clone_from(world.body(id).unwrap());
        assert!(Arc::ptr_eq(copy.shape(), world.body(id).unwrap().shape()));
        assert_eq!((copy.x.len(), copy.v.len()), (512, 512));
        assert_eq!(copy.material, world.body(id).unwrap().material);
    }
}
