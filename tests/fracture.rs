//! Cutting and breaking: pieces, what they share, what they keep.

mod scenes;
mod support;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use support::{Scene, is_finite, positions, shape};
use wobble::{
    AttachmentDef, BodyDef, BodyId, Error, Fracture, Knife, LevelsDef, Material, Nesting, Particles, Plane,
    Plasticity, Shape, Skin, World, WorldDef,
};

const STEP: f32 = 1.0 / 60.0;

fn cube(nesting: Nesting) -> &'static Arc<Shape> {
    static SHAPES: OnceLock<[Arc<Shape>; 2]> = OnceLock::new();
    let make = |n| shape(&scenes::grid(12, 12, 12, 0.1), 20, n);
    &SHAPES.get_or_init(|| [Nesting::Nested, Nesting::Independent].map(make))
        [usize::from(nesting == Nesting::Independent)]
}

fn middle() -> Knife {
    Knife::Plane { point: Vec3::new(0.02, 0.0, 0.0), normal: Vec3::new(2.0, 0.3, 0.1) }
}

fn mass(world: &World) -> f64 {
    world.bodies().map(|(_, body)| f64::from(body.shape().mass())).sum()
}

/// Every particle of the whole is in exactly one body, and moves as it should.
fn check_particles(world: &World, whole: usize) {
    let count: usize = world.bodies().map(|(_, body)| body.shape().particle_count()).sum();
    assert_eq!(count, whole, "particles were lost or doubled");
    assert!(world.bodies().all(|(_, body)| is_finite(body) && !body.is_frozen()));
}

#[test]
fn a_plane_cuts_a_cube_into_halves_that_share_nothing_and_fall_apart() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let mut scene = Scene::new(cube(nesting), Material::default());
        scene.world.set_bodies_meet(false);
        let before = scene.positions();
        assert_eq!(scene.world.cut(scene.id, &middle()).unwrap(), 2);
        let events = scene.world.breaks().to_vec();
        assert_eq!(events.len(), 2);
        assert!(events[0].piece == scene.id && events[1].piece != scene.id && events[1].body == scene.id);
        assert!((mass(&scene.world) - 1.0).abs() < 1e-6);
        check_particles(&scene.world, 12 * 12 * 12);
        let mut seen = vec![false; before.len()];
        for event in &events {
            let names = &scene.world.broken_particles()[event.particles.clone()];
            for (now, &name) in positions(scene.world.body(event.piece).unwrap()).iter().zip(names) {
                assert_eq!(*now, before[name as usize]);
                assert!(!std::mem::replace(&mut seen[name as usize], true));
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
        // What one half does the other does not feel, at any level.
        let other = events[1].piece;
        scene.world.body_mut(other).unwrap().apply_impulse(Vec3::new(0.0, 3.0, 1.0)).unwrap();
        scene.run(60, STEP);
        let still = scene.body().velocity(0).unwrap();
        assert!(still.length() < 1e-4, "{nesting:?}: {still}");
        let gone = scene.world.body(other).unwrap().centre_of_mass();
        assert!(gone.y > 5.0, "{nesting:?}: {gone}");
        // And both keep the shape they have.
        assert!(scene.world.bodies().all(|(_, body)| body.shape_error() < 1e-3));
    }
}

#[test]
fn the_crack_joins_the_proxies_of_both_sides() {
    let whole = cube(Nesting::Nested);
    let mut scene = Scene::new(whole, Material::default());
    scene.world.set_bodies_meet(false);
    let normal = Vec3::new(2.0, 0.3, 0.1).normalize();
    assert_eq!(scene.world.cut(scene.id, &middle()).unwrap(), 2);
    for event in scene.world.breaks() {
        let shape = scene.world.body(event.piece).unwrap().shape();
        let moved = shape.centre() - whole.centre();
        let out = -normal * moved.dot(normal).signum();
        let (mut near, mut cut) = (0, 0);
        for (c, cluster) in shape.clusters(0).iter().enumerate() {
            let from_crack = (cluster.centre.truncate() + moved - Vec3::X * 0.02).dot(normal).abs();
            let facing = shape.planes(c).iter().find(|plane| plane.truncate().dot(out) > 0.9);
            near += usize::from(from_crack < 0.08);
            let Some(plane) = facing.filter(|_| from_crack < 0.08) else { continue };
            cut += 1;
            // Its own members are behind it, and it is no further out than the crack.
            let members = shape.levels()[0].members().row(c).iter();
            let mut depths =
                members.map(|e| plane.truncate().dot(shape.rest()[e.index as usize].truncate()) + plane.w);
            assert!(depths.all(|d| d < 1e-4), "{plane}");
        }
        assert!(near > 10 && cut * 10 >= near * 8, "{cut} of {near}");
    }
}

#[test]
fn a_blade_that_goes_half_way_leaves_one_body_and_the_other_half_makes_two() {
    let mut scene = Scene::new(cube(Nesting::Nested), Material::default());
    let blade = |from: f32, to: f32| Knife::Blade {
        from: [Vec3::new(0.0, from, -2.0), Vec3::new(0.0, from, 2.0)],
        to: [Vec3::new(0.0, to, -2.0), Vec3::new(0.0, to, 2.0)],
    };
    let clusters = scene.body().shape().clusters(0).len();
    assert_eq!(scene.world.cut(scene.id, &blade(1.0, 0.0)).unwrap(), 1);
    assert!(scene.world.breaks().is_empty());
    assert!(scene.body().shape().clusters(0).len() > clusters, "nothing was torn");
    scene.run(30, STEP);
    assert!(scene.body().shape_error() < 1e-3);
    assert_eq!(scene.world.cut(scene.id, &blade(0.1, -1.0)).unwrap(), 2);
    check_particles(&scene.world, 12 * 12 * 12);
    assert_eq!(scene.world.cut(scene.id, &blade(5.0, 4.0)).unwrap(), 1, "that blade went by");
}

#[test]
fn pieces_stand_on_each_other_as_bodies_do() {
    let mut world = World::new(&WorldDef { threads: 1, sleeping: false, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane::default()).unwrap();
    let def = BodyDef { position: Vec3::Y * 0.56, ..BodyDef::default() };
    let id = world.add_body(cube(Nesting::Nested), &def).unwrap();
    (0..30).for_each(|_| world.step(STEP).unwrap());
    let level = Knife::Plane { point: Vec3::Y * 0.55, normal: Vec3::Y };
    assert_eq!(world.cut(id, &level).unwrap(), 2);
    let heights = |world: &World| {
        let mut heights: Vec<f32> = world.bodies().map(|(_, body)| body.centre_of_mass().y).collect();
        heights.sort_by(f32::total_cmp);
        heights
    };
    let before = heights(&world);
    (0..180).for_each(|_| world.step(STEP).unwrap());
    let after = heights(&world);
    // The particles on both sides of the cut were a spacing apart; surfaces go through them, so the upper half settles by as much.
    assert!((after[0] - before[0]).abs() < 0.02, "{before:?} became {after:?}");
    assert!((-0.13..0.02).contains(&(after[1] - before[1])), "{before:?} became {after:?}");
}

/// A bar along x, 40 by 6 by 6, thinner at its 25th slice; and which slice each particle is in.
fn notched() -> (Arc<Shape>, Vec<usize>) {
    let (all, slices) = (scenes::grid(40, 6, 6, 0.05), |i: usize| i / 36);
    let kept = |&i: &usize| slices(i) != 25 || all[i].y < 0.0;
    let chosen: Vec<usize> = (0..all.len()).filter(kept).collect();
    let points: Vec<Vec3> = chosen.iter().map(|&i| all[i]).collect();
    (shape(&points, 20, Nesting::Nested), chosen.into_iter().map(slices).collect())
}

/// Pulls a bar apart along x, each particle the more the further out it is, harder and harder, until it
/// breaks; says whether it did.
fn pulled(scene: &mut Scene, slices: &[usize], steps: usize) -> bool {
    for step in 0..steps {
        let force = 0.04 * step as f32 / 60.0;
        for (i, &x) in slices.iter().enumerate() {
            scene.body_mut().apply_force_to(i, Vec3::X * (force * (x as f32 - 19.5) / 19.5)).unwrap();
        }
        scene.run(1, STEP);
        if !scene.world.breaks().is_empty() {
            return true;
        }
    }
    false
}

fn bar(shape: &Arc<Shape>, fracture: Fracture) -> Scene {
    let mut scene = Scene::new(shape, Material::default());
    scene.world.set_substeps(4).unwrap();
    scene.body_mut().set_fracture(Some(fracture)).unwrap();
    // Only the finest level feels how thin the bar is at the notch; coarse ones pull at every particle alike.
    let levels = shape.levels().len();
    let weights: Vec<f32> = (0..levels).map(|l| f32::from(l == 0)).collect();
    scene.body_mut().set_level_weights(&weights).unwrap();
    scene
}

#[test]
fn a_pulled_bar_breaks_where_it_is_notched() {
    let (shape, slices) = notched();
    let mut scene = bar(&shape, Fracture { toughness: 0.15, ..Fracture::default() });
    assert!(pulled(&mut scene, &slices, 600), "it did not break");
    let events = scene.world.breaks().to_vec();
    let large = events.iter().filter(|event| event.particles.len() > 200);
    let spans: Vec<(usize, usize)> = large
        .map(|event| {
            let of =
                scene.world.broken_particles()[event.particles.clone()].iter().map(|&i| slices[i as usize]);
            (of.clone().min().unwrap(), of.max().unwrap())
        })
        .collect();
    assert_eq!(spans.len(), 2, "{events:?}");
    let (left, right) = if spans[0].0 == 0 { (spans[0], spans[1]) } else { (spans[1], spans[0]) };
    assert!(left.0 == 0 && right.1 == 39, "{spans:?}");
    assert!((22..=27).contains(&left.1) && (23..=28).contains(&right.0), "{spans:?}");
    check_particles(&scene.world, slices.len());
}

#[test]
fn a_bar_that_yields_stretches_where_a_brittle_one_breaks() {
    let (shape, slices) = notched();
    let fracture = Fracture { toughness: 0.15, ..Fracture::default() };
    let steps = (0..).find(|steps| pulled(&mut bar(&shape, fracture), &slices, 30 * steps)).unwrap() * 30;
    let mut ductile = bar(&shape, fracture);
    let rule = Plasticity { yield_strain: 0.03, flow: 1e3, ..Plasticity::default() };
    ductile.body_mut().set_plasticity(Some(rule)).unwrap();
    assert!(!pulled(&mut ductile, &slices, steps), "the ductile one broke as well");
    assert!(ductile.body().lasting_strain() > 0.05, "{}", ductile.body().lasting_strain());
}

#[test]
fn painted_toughness_decides_where_it_breaks() {
    let (shape, slices) = notched();
    let mut scene = bar(&shape, Fracture { toughness: 0.15, ..Fracture::default() });
    let map: Vec<f32> = slices.iter().map(|x| if (10..14).contains(x) { 0.3 } else { 1.0 }).collect();
    scene.body_mut().paint_toughness(Some(&map)).unwrap();
    assert!(pulled(&mut scene, &slices, 600));
    let largest = scene.world.breaks().iter().max_by_key(|event| event.particles.len()).unwrap();
    let names = &scene.world.broken_particles()[largest.particles.clone()];
    let ends =
        (names.iter().map(|&i| slices[i as usize]).min(), names.iter().map(|&i| slices[i as usize]).max());
    assert!(ends.1 == Some(39) && (8..=15).contains(&ends.0.unwrap()), "{ends:?}");
}

fn random(rng: &mut ChaCha8Rng) -> f32 {
    (rng.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0
}

fn random_vector(rng: &mut ChaCha8Rng) -> Vec3 {
    Vec3::new(random(rng), random(rng), random(rng))
}

/// Cuts or hits one of the bodies, as chance has it.
fn harm(world: &mut World, rng: &mut ChaCha8Rng) {
    let all: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    let id = all[rng.next_u32() as usize % all.len()];
    let centre = world.body(id).unwrap().centre_of_mass();
    let point = centre + random_vector(rng) * 0.3;
    match rng.next_u32() % 4 {
        0 => drop(world.cut(id, &Knife::Plane { point, normal: random_vector(rng) })),
        1 => {
            let (edge, way) = (random_vector(rng), random_vector(rng));
            drop(world.cut(
                id,
                &Knife::Blade { from: [point, point + edge], to: [point + way, point + edge + way] },
            ));
        }
        _ => {
            let mass = world.body(id).unwrap().shape().mass();
            let hit =
                world.body_mut(id).unwrap().apply_impulse_at(point, random_vector(rng) * (8.0 * mass), 0.4);
            // Some are out of reach.
            drop(hit);
        }
    }
}

fn fragile_cube(threads: u32, nesting: Nesting) -> (World, BodyId) {
    let mut world = World::new(&WorldDef { threads, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane::default()).unwrap();
    let def = BodyDef { position: Vec3::Y * 1.5, ..BodyDef::default() };
    let id = world.add_body(cube(nesting), &def).unwrap();
    let body = world.body_mut(id).unwrap();
    body.set_fracture(Some(Fracture { toughness: 0.15, ..Fracture::default() })).unwrap();
    body.set_plasticity(Some(Plasticity { yield_strain: 0.05, ..Plasticity::default() })).unwrap();
    (world, id)
}

#[test]
fn a_thousand_cuts_and_hits_lose_no_particle() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let (mut world, _) = fragile_cube(2, nesting);
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let (mut most, mut debris) = (0, 0);
        for _ in 0..1000 {
            harm(&mut world, &mut rng);
            check_particles(&world, 1728);
            world.step(STEP).unwrap();
            check_particles(&world, 1728);
            assert!((mass(&world) - 1.0).abs() < 1e-5);
            most = most.max(world.bodies().count());
            debris += world.breaks().iter().filter(|event| event.is_debris).count();
        }
        assert!(most > 20 && debris > 0, "{most} bodies, {debris} times debris");
    }
}

#[test]
fn bodies_break_alike_on_any_number_of_threads() {
    let hashes = [1, 2, 3].map(|threads| {
        let (mut world, _) = fragile_cube(threads, Nesting::Nested);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut one = |_| {
            harm(&mut world, &mut rng);
            world.step(STEP).unwrap();
            (world.state_hash(), world.breaks().len())
        };
        (0..60).map(&mut one).collect::<Vec<_>>()
    });
    assert!(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
    assert!(hashes[0].iter().any(|(_, breaks)| *breaks > 0));
}

#[test]
fn a_snapshot_of_broken_bodies_goes_on_bit_for_bit_from_the_whole_shape_alone() {
    let (mut world, id) = fragile_cube(1, Nesting::Nested);
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..40 {
        harm(&mut world, &mut rng);
        world.step(STEP).unwrap();
    }
    assert!(world.bodies().count() > 3);
    let snapshot = world.snapshot();
    let mut other = World::new(&WorldDef { threads: 2, ..WorldDef::default() }).unwrap();
    assert!(matches!(other.restore(&snapshot, &[]), Err(Error::Missing { .. })));
    other.restore(&snapshot, &[cube(Nesting::Nested).clone()]).unwrap();
    let (mut here, mut there) = (rng.clone(), rng.clone());
    for _ in 0..30 {
        harm(&mut world, &mut here);
        harm(&mut other, &mut there);
        world.step(STEP).unwrap();
        other.step(STEP).unwrap();
        assert_eq!(world.state_hash(), other.state_hash());
    }
    // Going back and then mending brings the one body back.
    world.restore(&snapshot, &[]).unwrap();
    let mut again = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    again.restore(&snapshot, &[cube(Nesting::Nested).clone()]).unwrap();
    assert_eq!(world.state_hash(), again.state_hash());
    world.reset_body(id).unwrap();
    assert_eq!(world.bodies().count(), 1);
    assert_eq!(world.body(id).unwrap().shape().fingerprint(), cube(Nesting::Nested).fingerprint());
}

#[test]
fn resetting_gives_the_unbroken_shape_back_with_all_that_was_set() {
    let (mut world, id) = fragile_cube(1, Nesting::Nested);
    let levels = world.body(id).unwrap().shape().levels().len();
    let weights: Vec<f32> = (0..levels).map(|l| 1.0 + l as f32).collect();
    world.body_mut(id).unwrap().set_level_weights(&weights).unwrap();
    let before = world.body(id).unwrap().level_weights().to_vec();
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..30 {
        harm(&mut world, &mut rng);
        world.step(STEP).unwrap();
    }
    let pieces: Vec<BodyId> = world.bodies().map(|(id, _)| id).filter(|other| *other != id).collect();
    assert!(!pieces.is_empty());
    world.reset_body(id).unwrap();
    assert!(pieces.iter().all(|piece| world.body(*piece).is_err()));
    let body = world.body(id).unwrap();
    assert!(Arc::ptr_eq(body.shape(), cube(Nesting::Nested)) && body.level_weights() == before);
    assert!(body.fracture().is_some() && body.plasticity().is_some() && body.lasting_strain() == 0.0);
    assert!(body.shape_error() < 1e-6);
    (0..10).for_each(|_| world.step(STEP).unwrap());
    check_particles(&world, 1728);
}

/// Twice the number of edges that no other triangle has the other way round, and six times the volume inside.
fn openness_and_volume(skin: &Skin) -> (usize, f32) {
    let at = |v: u32| skin.rest()[v as usize].truncate();
    let key = |v: u32| at(v).to_array().map(|c| (c * 1e5).round() as i64);
    let mut edges: BTreeMap<([i64; 3], [i64; 3]), i64> = BTreeMap::new();
    let mut volume = 0.0;
    for [a, b, c] in skin.triangles() {
        volume += at(*a).dot(at(*b).cross(at(*c)));
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let (from, to) = (key(*from), key(*to));
            let sign = if from < to { 1 } else { -1 };
            if from != to {
                *edges.entry((from.min(to), from.max(to))).or_default() += sign;
            }
        }
    }
    (edges.values().filter(|sum| **sum != 0).count(), volume / 6.0)
}

/// A ball in a closed mesh.
fn meshed_ball() -> Arc<Shape> {
    let (points, owned) = (scenes::ball(0.53, 0.08), scenes::spheres::sphere(30, 0.55));
    let particles = Particles { points: &points, ..Particles::default() };
    Shape::from_particles_and_mesh(&particles, &owned.mesh(), &LevelsDef::default(), &mut |_| true).unwrap()
}

#[test]
fn a_crack_that_parts_nothing_leaves_the_numbers_of_vertices() {
    let mut scene = Scene::new(&meshed_ball(), Material::default());
    scene.world.set_bodies_meet(false);
    let halfway = |x: f32| {
        let edge = |y: f32| [Vec3::new(x, y, -2.0), Vec3::new(x, y, 2.0)];
        Knife::Blade { from: edge(1.0), to: edge(0.1) }
    };
    let seen = |scene: &Scene| {
        let skin = scene.body().shape().skin().unwrap();
        (skin.rest().to_vec(), skin.triangles().to_vec(), skin.sources().to_vec())
    };
    let (whole, uncracked) = (seen(&scene), Arc::clone(scene.body().shape()));
    assert_eq!(scene.world.cut(scene.id, &halfway(0.01)).unwrap(), 1);
    assert!(!Arc::ptr_eq(scene.body().shape(), &uncracked), "it has no crack");
    let cracked = seen(&scene);
    assert_eq!((&whole.0, &whole.1), (&cracked.0, &cracked.1));
    let slice = Knife::Plane { point: Vec3::new(0.0, -0.3, 0.0), normal: Vec3::Y };
    assert_eq!(scene.world.cut(scene.id, &slice).unwrap(), 2);
    let (piece, uncracked) = (seen(&scene), Arc::clone(scene.body().shape()));
    assert!(piece.2.iter().any(|source| source.is_cap));
    assert_eq!(scene.world.cut(scene.id, &halfway(-0.25)).unwrap(), 1);
    assert!(!Arc::ptr_eq(scene.body().shape(), &uncracked), "it has no crack");
    assert_eq!(piece, seen(&scene));
}

#[test]
fn a_closed_mesh_is_divided_into_closed_meshes_that_fill_the_same_space() {
    let ball = meshed_ball();
    let (open, whole) = openness_and_volume(ball.skin().unwrap());
    assert_eq!(open, 0);
    let mut scene = Scene::new(&ball, Material::default());
    scene.world.set_bodies_meet(false);
    let tilted = Knife::Plane { point: Vec3::splat(0.03), normal: Vec3::new(0.5, 1.0, 0.2) };
    assert_eq!(scene.world.cut(scene.id, &tilted).unwrap(), 2);
    let second = scene.world.breaks()[1].piece;
    assert_eq!(scene.world.cut(second, &middle()).unwrap(), 2);
    let mut sum = 0.0;
    for (_, body) in scene.world.bodies() {
        let skin = body.shape().skin().unwrap();
        let (open, volume) = openness_and_volume(skin);
        assert!(open == 0 && volume > 0.0, "{open} edges are open, volume {volume}");
        sum += volume;
        assert_eq!(skin.sources().len(), skin.vertex_count());
        assert!(skin.sources().iter().any(|source| source.is_cap));
        let normals = skin.normals().iter().all(|n| (n.length() - 1.0).abs() < 1e-3);
        assert!(
            normals
                && (0..skin.vertex_count()).all(|v| skin
                    .influences(v)
                    .iter()
                    .all(|(c, _)| (*c as usize) < body.shape().clusters(0).len()))
        );
        // The mesh lies where the particles are.
        let reach = body.shape().rest().iter().map(|r| r.truncate().length()).fold(0.0, f32::max);
        assert!(skin.rest().iter().all(|r| r.truncate().length() < reach + 0.1));
    }
    assert!((sum / whole - 1.0).abs() < 0.05, "{sum} of {whole}");
}

#[test]
fn pins_attachments_and_motion_go_with_the_piece_that_has_them() {
    let mut scene = Scene::new(cube(Nesting::Nested), Material::default());
    scene.world.set_bodies_meet(false);
    let far = (0..1728).filter(|&i| positions(scene.body())[i].x > 0.5).collect::<Vec<_>>();
    scene.body_mut().pin(far[0]).unwrap();
    let held: Vec<u32> = far.iter().map(|&i| i as u32).collect();
    scene.world.attach(scene.id, &held, &AttachmentDef::default()).unwrap();
    scene.body_mut().set_velocity(Vec3::Y).unwrap();
    scene.world.cut(scene.id, &middle()).unwrap();
    let with_pin = scene.world.bodies().filter(|(_, body)| body.pins().len() == 1);
    let (pinned, _) = with_pin.fold((None, 0), |(_, n), (id, _)| (Some(id), n + 1));
    let pinned = pinned.unwrap();
    let other = scene.world.bodies().map(|(id, _)| id).find(|id| *id != pinned).unwrap();
    assert_eq!(scene.world.attachments().count(), 1);
    scene.run(60, STEP);
    let height = |id| scene.world.body(id).unwrap().centre_of_mass().y;
    assert!(height(pinned).abs() < 0.2 && height(other) > 0.9, "{} and {}", height(pinned), height(other));
}

#[test]
fn small_pieces_become_debris_that_flies_freely() {
    let (mut world, id) = fragile_cube(1, Nesting::Nested);
    let rule = Fracture { smallest: 100, ..Fracture::default() };
    world.body_mut(id).unwrap().set_fracture(Some(rule)).unwrap();
    let corner = Knife::Plane { point: Vec3::new(0.45, 1.95, 0.45), normal: Vec3::ONE };
    assert_eq!(world.cut(id, &corner).unwrap(), 2);
    let debris = world.breaks().iter().find(|event| event.is_debris).unwrap().piece;
    let count = world.body(debris).unwrap().shape().particle_count();
    assert!((2..100).contains(&count), "{count}");
    world.body_mut(debris).unwrap().set_velocity_of(0, Vec3::X * 3.0).unwrap();
    (0..20).for_each(|_| world.step(STEP).unwrap());
    let body = world.body(debris).unwrap();
    assert!(body.position(0).unwrap().x - body.position(1).unwrap().x > 0.5);
    (0..100).for_each(|_| world.step(STEP).unwrap());
    assert!(positions(world.body(debris).unwrap()).iter().all(|p| p.y > -0.01), "through the ground");
}

#[test]
fn what_cannot_be_is_refused() {
    let (mut world, id) = fragile_cube(1, Nesting::Nested);
    let zero = Knife::Plane { point: Vec3::ZERO, normal: Vec3::ZERO };
    let nowhere = Knife::Plane { point: Vec3::NAN, normal: Vec3::Y };
    let still = Knife::Blade { from: [Vec3::ZERO, Vec3::X], to: [Vec3::ZERO, Vec3::X] };
    for knife in [zero, nowhere, still] {
        assert!(matches!(world.cut(id, &knife), Err(Error::Value { .. })), "{knife:?}");
    }
    let body = world.body_mut(id).unwrap();
    for toughness in [0.0, -1.0, f32::NAN, 1e9] {
        assert!(body.set_fracture(Some(Fracture { toughness, ..Fracture::default() })).is_err());
    }
    assert!(body.set_fracture(Some(Fracture { smallest: 0, ..Fracture::default() })).is_err());
    assert!(matches!(body.paint_toughness(Some(&[1.0])), Err(Error::Length { .. })));
    assert!(body.paint_toughness(Some(&[-1.0; 1728])).is_err());
    assert!(world.set_most_fractures(1001).is_err());
    world.set_most_fractures(0).unwrap();
    let stretch = |p: Vec3| p * Vec3::new(3.0, 1.0, 1.0);
    world.body_mut(id).unwrap().deform(stretch).unwrap();
    world.step(STEP).unwrap();
    assert_eq!(world.bodies().count(), 1, "no crack may open");
    let turned = Quat::from_rotation_x(0.3);
    world.body_mut(id).unwrap().teleport(Vec3::Y * 2.0, turned).unwrap();
    let empty = Shape::from_points(&[], None, &LevelsDef::default()).unwrap();
    let nothing = world.add_body(&empty, &BodyDef::default()).unwrap();
    world.body_mut(nothing).unwrap().set_fracture(Some(Fracture::default())).unwrap();
    assert_eq!(world.cut(nothing, &middle()).unwrap(), 1);
    world.step(STEP).unwrap();
}
