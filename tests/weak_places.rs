//! Where bodies break: where they are thin, and where they are painted weak; not where they are held.

mod scenes;
mod support;

use std::sync::Arc;

use glam::{Quat, Vec3};
use support::{Scene, shape};
use wobble::{
    Amount, AttachmentDef, AttachmentId, Fracture, LevelsDef, Material, Nesting, Particles, Pattern,
    SamplingDef, Shape, Weighting,
};

const STEP: f32 = 1.0 / 60.0;
const LENGTH: usize = 40;
const NOTCH: usize = 25;

/// A bar along x, 40 by 6 by 6, half as high at one of its slices; and which slice each particle is in.
fn bar(notch: Option<usize>, nesting: Nesting) -> (Arc<Shape>, Vec<usize>) {
    let (all, slice) = (scenes::grid(LENGTH, 6, 6, 0.05), |i: usize| i / 36);
    let chosen: Vec<usize> = (0..all.len()).filter(|&i| Some(slice(i)) != notch || all[i].y < 0.0).collect();
    let points: Vec<Vec3> = chosen.iter().map(|&i| all[i]).collect();
    (shape(&points, 20, nesting), chosen.into_iter().map(slice).collect())
}

fn scene(shape: &Arc<Shape>) -> Scene {
    let mut scene = Scene::new(shape, Material::default());
    scene.world.set_substeps(4).unwrap();
    scene.body_mut().set_fracture(Some(Fracture { toughness: 0.15, ..Fracture::default() })).unwrap();
    scene
}

/// Pulls harder and harder at all particles, the more the further out they are, until the bar breaks.
fn pull_all_over(scene: &mut Scene, slices: &[usize]) {
    let mut force = 0.02;
    for _ in 0..1200 {
        force *= 1.008;
        for (i, &x) in slices.iter().enumerate() {
            scene.body_mut().apply_force_to(i, Vec3::X * (force * (x as f32 - 19.5) / 19.5)).unwrap();
        }
        scene.run(1, STEP);
        if !scene.world.breaks().is_empty() {
            return;
        }
    }
    panic!("it did not break");
}

/// Takes the bar by both ends and draws them apart at 0.15 m/s, until it breaks.
fn pull_at_the_ends(scene: &mut Scene, slices: &[usize]) {
    let end = |scene: &mut Scene, from: usize, to: usize| -> AttachmentId {
        let held: Vec<u32> =
            (0..slices.len() as u32).filter(|i| (from..to).contains(&slices[*i as usize])).collect();
        scene.world.attach(scene.id, &held, &AttachmentDef::default()).unwrap()
    };
    let ends = [end(scene, 0, 3), end(scene, LENGTH - 3, LENGTH)];
    for step in 1..900 {
        for (k, id) in ends.iter().enumerate() {
            let way = Vec3::X * (0.00125 * step as f32 * (2.0 * k as f32 - 1.0));
            scene.world.move_attachment(*id, way, Quat::IDENTITY).unwrap();
        }
        scene.run(1, STEP);
        if !scene.world.breaks().is_empty() {
            return;
        }
    }
    panic!("it did not break");
}

/// The slices between which the bar broke: the last of the left piece and the first of the right one.
fn gap(scene: &Scene, slices: &[usize]) -> (usize, usize) {
    let spans = scene.world.breaks().iter().filter(|event| event.particles.len() > 200).map(|event| {
        let of = scene.world.broken_particles()[event.particles.clone()].iter().map(|&i| slices[i as usize]);
        (of.clone().min().unwrap(), of.max().unwrap())
    });
    let mut spans: Vec<(usize, usize)> = spans.collect();
    spans.sort_unstable();
    assert_eq!(spans.len(), 2, "{spans:?}");
    (spans[0].1, spans[1].0)
}

type Pull = fn(&mut Scene, &[usize]);

#[test]
fn a_pulled_bar_breaks_where_it_is_notched_however_its_levels_are_weighted() {
    let (shape, slices) = bar(Some(NOTCH), Nesting::Nested);
    let levels = shape.levels().len();
    let fine: Vec<f32> = (0..levels).map(|l| if l == 0 { 4.0 } else { 1.0 }).collect();
    let coarse: Vec<f32> = (0..levels).map(|l| if l + 1 == levels { 4.0 } else { 1.0 }).collect();
    for pull in [pull_all_over as Pull, pull_at_the_ends] {
        for weights in [vec![1.0; levels], fine.clone(), coarse.clone()] {
            let mut scene = scene(&shape);
            scene.body_mut().set_level_weights(&weights).unwrap();
            pull(&mut scene, &slices);
            let (left, right) = gap(&scene, &slices);
            assert!((NOTCH - 2..=NOTCH + 2).contains(&left), "{weights:?}: {left} and {right}");
            assert!((NOTCH - 2..=NOTCH + 3).contains(&right), "{weights:?}: {left} and {right}");
        }
    }
}

#[test]
fn independent_levels_break_at_the_notch_as_well() {
    let (shape, slices) = bar(Some(NOTCH), Nesting::Independent);
    for pull in [pull_all_over as Pull, pull_at_the_ends] {
        let mut scene = scene(&shape);
        scene.body_mut().set_weighting(&Weighting::Uniform).unwrap();
        pull(&mut scene, &slices);
        let (left, right) = gap(&scene, &slices);
        assert!(
            (NOTCH - 2..=NOTCH + 2).contains(&left) && (NOTCH - 2..=NOTCH + 3).contains(&right),
            "{left} {right}"
        );
    }
}

#[test]
fn an_even_bar_that_is_pulled_all_over_breaks_in_its_middle() {
    let (shape, slices) = bar(None, Nesting::Nested);
    let mut scene = scene(&shape);
    pull_all_over(&mut scene, &slices);
    let (left, right) = gap(&scene, &slices);
    assert!((15..=23).contains(&left) && (16..=24).contains(&right), "{left} and {right}");
}

#[test]
fn toughness_painted_on_particles_and_vertices_is_kept_in_files_and_decides_where_a_body_breaks() {
    let (plain, slices) = bar(None, Nesting::Nested);
    let map: Vec<f32> = slices.iter().map(|x| if (9..13).contains(x) { 0.2 } else { 1.0 }).collect();
    let points: Vec<Vec3> = scenes::grid(LENGTH, 6, 6, 0.05);
    let levels = LevelsDef { particles_per_cluster: 20, ..LevelsDef::default() };
    let particles = Particles { points: &points, toughness: Some(&map), ..Particles::default() };
    let painted = Shape::from_particles(&particles, &levels, &mut |_| true).unwrap();
    assert!(plain.toughness().is_empty());
    assert_ne!(painted.fingerprint(), Shape::from_points(&points, None, &levels).unwrap().fingerprint());
    let loaded = Shape::from_bytes(&painted.to_bytes()).unwrap();
    assert_eq!((loaded.toughness(), loaded.fingerprint()), (painted.toughness(), painted.fingerprint()));
    for (i, &t) in painted.toughness().iter().enumerate() {
        assert_eq!(t, map[painted.order()[i] as usize]);
    }
    assert_eq!(painted.scaled(Vec3::splat(2.0), None).unwrap().toughness(), painted.toughness());
    let mut scene = scene(&loaded);
    pull_all_over(&mut scene, &slices);
    let (left, right) = gap(&scene, &slices);
    assert!((7..=14).contains(&left) && (8..=15).contains(&right), "{left} and {right}");
    // Pieces have their part of the map, and a mended body all of it.
    for (_, body) in scene.world.bodies() {
        let part = body.shape().toughness();
        assert_eq!(part.len(), body.shape().particle_count());
        assert!(part.iter().all(|t| [0.2, 1.0].contains(t)));
    }
    scene.world.reset_body(scene.id).unwrap();
    assert_eq!(scene.body().shape().toughness(), painted.toughness());
}

#[test]
fn toughness_painted_on_a_mesh_reaches_the_particles_near_it() {
    let owned = scenes::spheres::sphere(16, 0.5);
    let mesh = owned.mesh();
    let map: Vec<f32> = mesh.positions.iter().map(|p| if p.x > 0.0 { 0.1 } else { 1.0 }).collect();
    let mesh = wobble::Mesh { toughness: Some(&map), ..mesh };
    let sampling =
        SamplingDef { amount: Amount::Count(500), pattern: Pattern::Grid, ..SamplingDef::default() };
    let ball = Shape::from_mesh(&mesh, &sampling, &LevelsDef::default(), &mut |_| true).unwrap();
    assert_eq!(ball.toughness().len(), ball.particle_count());
    for (r, t) in ball.rest().iter().zip(ball.toughness()).filter(|(r, _)| r.x.abs() > 0.25) {
        assert_eq!(*t, if r.x > 0.0 { 0.1 } else { 1.0 }, "at {r}");
    }
    let refused = wobble::Mesh { toughness: Some(&map[1..]), ..mesh };
    assert!(Shape::from_mesh(&refused, &sampling, &LevelsDef::default(), &mut |_| true).is_err());
    let weak = vec![0.0; map.len()];
    let refused = wobble::Mesh { toughness: Some(&weak), ..mesh };
    assert!(Shape::from_mesh(&refused, &sampling, &LevelsDef::default(), &mut |_| true).is_err());
}
