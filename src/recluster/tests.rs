//! What must hold in every step while clusters come and go.

use std::sync::Arc;

use glam::{Quat, Vec3, Vec4};

use super::*;
use crate::{Body, BodyDef, BodyId, LevelsDef, Shape, World, WorldDef};

fn bar(levels: u32) -> Arc<Shape> {
    let at = |i: usize| Vec3::new((i / 25) as f32, (i / 5 % 5) as f32, (i % 5) as f32) * 0.1;
    let points: Vec<Vec3> = (0..500).map(at).collect();
    let def = LevelsDef { max_levels: levels, particles_per_cluster: 15, ..LevelsDef::default() };
    Shape::from_points(&points, None, &def).unwrap()
}

/// A bar in empty space that flows and is squeezed along its length.
fn squeezed(levels: u32) -> (World, BodyId) {
    let def = WorldDef { gravity: Vec3::ZERO, threads: 1, sleeping: false, ..WorldDef::default() };
    let mut world = World::new(&def).unwrap();
    let velocity = Vec3::new(0.3, 0.1, 0.0);
    let id = world.add_body(&bar(levels), &BodyDef { velocity, ..BodyDef::default() }).unwrap();
    let rule = Plasticity {
        yield_strain: 0.0,
        limit: 10.0,
        recluster: 1.2,
        fade: 12,
        most_new_clusters: 3,
        ..Plasticity::default()
    };
    world.body_mut(id).unwrap().set_plasticity(Some(rule)).unwrap();
    (world, id)
}

fn squeeze(world: &mut World, id: BodyId) {
    let body = world.body_mut(id).unwrap();
    let (centre, mass) = (body.centre_of_mass(), body.shape().masses()[0]);
    // Coarse levels bear more.
    let strength = if body.shape().levels().len() == 1 { 60.0 } else { 400.0 };
    for i in 0..body.shape().particle_count() {
        let x = body.position(i).unwrap() - centre;
        body.apply_force_to(i, Vec3::new(-strength * x.x * mass, 0.0, 0.0)).unwrap();
    }
    world.step(1.0 / 60.0).unwrap();
}

/// Of all particles by the shares that clusters of the finest level have of them: mass and its centre.
fn shared(body: &Body) -> (f64, glam::DVec3) {
    let members = body.tables().levels()[0].members();
    members.entries().iter().fold((0.0, glam::DVec3::ZERO), |(mass, sum), e| {
        let x = body.x[e.index as usize].truncate().as_dvec3();
        (mass + f64::from(e.weight), sum + x * f64::from(e.weight))
    })
}

#[test]
fn every_particle_is_held_and_mass_and_its_centre_stay_while_weights_fade() {
    for levels in [1, 16] {
        let (mut world, id) = squeezed(levels);
        let (mut made, mut gone, mut fading) = (0, 0, 0);
        for step in 0..150 {
            squeeze(&mut world, id);
            let new = world.profile().new_clusters;
            let body = world.body(id).unwrap();
            assert!(!body.is_frozen(), "step {step}");
            let Some(own) = &body.reclustered else { continue };
            assert!(new <= 3, "{new} in one step");
            made += new;
            fading += u32::from(own.is_fading());
            let finest = own.tables.range(0).len();
            gone += u32::from(own.stages[..finest / 2].contains(&Stage::Free));
            let held_by = own.held_by();
            for i in 0..held_by.rows() {
                let sum: f64 = held_by.row(i).iter().map(|e| f64::from(e.weight)).sum();
                assert!((sum - 1.0).abs() < 1e-6, "particle {i} is held by {sum}");
            }
            let (mass, sum) = shared(body);
            assert!((mass - f64::from(body.shape().mass())).abs() < 1e-6, "{mass} kg");
            assert!((sum / mass - body.centre_of_mass().as_dvec3()).length() < 1e-5);
            let plastic = body.plastic.as_ref().unwrap();
            for l in 0..own.tables.levels().len() {
                let clusters = &plastic.clusters[own.tables.range(l)];
                let mass: f64 = clusters.iter().map(|c| f64::from(c.mass)).sum();
                assert!((mass - 1.0).abs() < 1e-5, "level {l} has {mass} kg");
                assert!(clusters.iter().all(|c| c.centre.is_finite() && c.width.is_finite()));
            }
        }
        assert!(made > 20 && gone > 0 && fading > 50, "{made} made, {gone} gone, {fading} fading");
        let v = &world.body(id).unwrap().v;
        let velocity = v.iter().map(|v| v.truncate()).sum::<Vec3>() / v.len() as f32;
        assert!((velocity - Vec3::new(0.3, 0.1, 0.0)).length() < 1e-3, "{velocity}");
    }
}

/// A body with clusters of its own, two of them marked, where every particle is where `map` puts it.
fn marked(map: impl Fn(Vec3) -> Vec3) -> (World, BodyId) {
    let (mut world, id) = squeezed(16);
    let body = world.body_mut(id).unwrap();
    body.deform(map).unwrap();
    body.take_own_clusters();
    let own = body.reclustered.as_mut().unwrap();
    own.stages[..33].fill(Stage::Leaving(1.0));
    own.stages[20] = Stage::Whole;
    (world, id)
}

fn found(body: &Body, most: u32) -> Vec<New> {
    let own = body.reclustered.as_ref().unwrap();
    let plastic = body.plastic.as_ref().unwrap();
    let rule = Plasticity { most_new_clusters: most, ..Plasticity::default() };
    let mut fits = body.fits.clone();
    let state = (&body.x[..], Vec4::ZERO, &mut fits[..]);
    own.new_clusters(plastic, &rule, state, &own.orphans(), (Spread::Here, &Clock::default()))
}

#[test]
fn without_stress_members_of_a_new_cluster_rest_where_the_shape_has_them() {
    let turn = Quat::from_rotation_y(0.8);
    let (world, id) = marked(|p| turn * p + Vec3::new(1.0, 2.0, 0.5));
    let body = world.body(id).unwrap();
    let new = found(body, 5);
    assert!(!new.is_empty());
    for new in &new {
        assert!(new.members.len() >= 4 && new.members.iter().all(|(.., apart)| apart.length() < 1e-5));
        assert!(new.dent.fp == Mat3A::IDENTITY);
        let turned = Quat::from_vec4(new.rotation).angle_between(turn);
        assert!(turned < 1e-3, "{turned}");
        let parents: f32 = new.parents.iter().map(|e| e.weight).sum();
        assert!((parents - 1.0).abs() < 1e-6);
        let placed = new.frame.centre - new.centre;
        assert!(placed.length() < 1e-5 && new.frame.turn.w.abs() > 0.99999, "{placed}");
    }
}

#[test]
fn a_stretch_that_is_elastic_is_taken_out_by_the_embedding() {
    let (world, id) = marked(|p| p * Vec3::new(1.1, 0.97, 0.97));
    let body = world.body(id).unwrap();
    for new in found(body, 3) {
        let rest = body.shape().rest();
        let (mut stretched, mut count) = (0.0, 0);
        for (i, _, apart) in &new.members {
            let from = (rest[*i as usize] - new.centre).x;
            if from.abs() > 0.05 {
                stretched += apart.x / from;
                count += 1;
            }
        }
        let mean = stretched / count as f32;
        assert!(mean.abs() < 0.06, "rests stretched by {mean} of 0.1");
    }
}

#[test]
fn a_new_cluster_holds_the_particle_that_it_is_there_for() {
    let (world, id) = marked(|p| p);
    let body = world.body(id).unwrap();
    let own = body.reclustered.as_ref().unwrap();
    let orphans = own.orphans();
    let new = found(body, 100);
    let covered = |i: &u32| new.iter().any(|new| new.members.iter().any(|(p, ..)| p == i));
    assert!(!orphans.is_empty() && orphans.iter().all(covered));
    let slots: Vec<usize> = new.iter().map(|new| new.slot).collect();
    assert!(slots.is_sorted_by(|a, b| a < b) && slots.iter().all(|&c| own.is_free(c)));
}

#[test]
fn clusters_given_up_leave_particles_at_rest_where_they_are() {
    for levels in [1, 16] {
        let (mut world, id) = squeezed(levels);
        (0..100).for_each(|_| squeeze(&mut world, id));
        (0..60).for_each(|_| world.step(1.0 / 60.0).unwrap());
        let body = world.body_mut(id).unwrap();
        assert!(body.reclustered.is_some());
        let before = body.x.clone();
        let width = (before.iter().map(|x| x.x).fold(f32::MIN, f32::max)
            - before.iter().map(|x| x.x).fold(f32::MAX, f32::min))
        .abs();
        body.give_up_clusters();
        assert!(body.reclustered.is_none() && body.fits.len() == body.shape().all_clusters().len());
        let rule = Plasticity { recluster: 0.0, ..body.plasticity().unwrap() };
        body.set_plasticity(Some(rule)).unwrap();
        body.set_velocity(Vec3::ZERO).unwrap();
        (0..30).for_each(|_| world.step(1.0 / 60.0).unwrap());
        let body = world.body(id).unwrap();
        let moved: f32 = body.x.iter().zip(&before).map(|(a, b)| (*a - *b).length_squared()).sum();
        let moved = (moved / before.len() as f32).sqrt();
        assert!(!body.is_frozen() && moved < 0.1 * width, "{moved} of {width}");
    }
}

/// All that a step reads of a body's clusters, by name.
fn read_by_steps(body: &Body) -> Vec<(&'static str, String)> {
    let (own, plastic) = (body.reclustered.as_ref().unwrap(), body.plastic.as_ref().unwrap());
    let tables = || own.tables.levels().iter().map(|l| (l.held_by().clone(), l.members().clone()));
    vec![
        ("stages", format!("{:?}", own.stages)),
        ("raw", format!("{:?}", own.raw)),
        ("place", format!("{:?}", own.place)),
        ("apart", format!("{:?}", (&own.apart, &own.apart_held))),
        ("held_by", format!("{:?}", tables().map(|(held_by, _)| held_by).collect::<Vec<_>>())),
        ("members", format!("{:?}", tables().map(|(_, members)| members).collect::<Vec<_>>())),
        ("clusters", format!("{:?}", own.tables.clusters(0))),
        ("scatter", format!("{:?}", &own.tables.scatter()[own.tables.range(0)])),
        ("dents", format!("{:?}", plastic.dents)),
        ("frames", format!("{:?}", plastic.frames)),
        ("bent clusters", format!("{:?}", plastic.clusters)),
        ("bent scatter", format!("{:?}", (&plastic.scatter, &plastic.inverse))),
        ("placed", format!("{:?}", plastic.placed)),
        ("rotations", format!("{:?}", body.fits.iter().map(|fit| fit.rotation).collect::<Vec<_>>())),
        ("origin", format!("{:?}", (body.origin, own.age, body.plasticity))),
    ]
}

#[test]
fn a_snapshot_gives_everything_back_that_a_step_reads() {
    for levels in [1, 16] {
        let (mut world, id) = squeezed(levels);
        for step in 0..120 {
            squeeze(&mut world, id);
            let body = world.body(id).unwrap();
            if body.reclustered.is_none() || step % 7 != 0 {
                continue;
            }
            let (mut other, there) = squeezed(levels);
            let other = other.body_mut(there).unwrap();
            other.restore(&body.snapshot()).unwrap();
            for ((name, before), (_, after)) in read_by_steps(body).iter().zip(read_by_steps(other)) {
                assert!(*before == after, "step {step}: {name}");
            }
        }
    }
}
