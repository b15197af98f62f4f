//! Snapshots: what is restored goes on bit for bit, and no snapshot does harm.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::Vec3;
use support::files::{Mutations, forged, payload, refuses_all_damage};
use support::{Scene, papers, shape, some_turn};
use wobble::{
    Body, BodyDef, BodyId, DampingForm, Error, Goals, LevelsDef, Material, Nesting, Plane, Rotation, Shape,
    StrainLimit, World, WorldDef,
};

const STEP: f32 = 1.0 / 60.0;

fn shapes() -> &'static [Arc<Shape>; 4] {
    static SHAPES: OnceLock<[Arc<Shape>; 4]> = OnceLock::new();
    SHAPES.get_or_init(|| {
        [
            shape(&scenes::grid(5, 5, 5, 0.1), 15, Nesting::Nested),
            shape(&scenes::shell(200, 0.3, 0.2, 4), 15, Nesting::Independent),
            shape(&scenes::sheet(9, 0.05), 15, Nesting::Nested),
            // 4,913 particles: enough to be spread over threads by themselves.
            shape(&scenes::grid(17, 17, 17, 0.06), 20, Nesting::Nested),
        ]
    })
}

fn limited(gamma: f32, material: Material) -> Material {
    Material { strain: Some(StrainLimit { gamma, ..StrainLimit::default() }), ..material }
}

fn materials() -> Vec<Material> {
    let quadratic = Material { goals: Goals::Quadratic { beta: 0.5 }, ..Material::default() };
    let papers_way =
        Material { rotation: Rotation::Stretch, damping_form: DampingForm::Paper, ..papers(0.6, 0.05) };
    vec![
        Material::default(),
        papers(0.5, 0.0),
        limited(0.5, Material::default()),
        limited(0.03, papers(0.3, 0.0)),
        limited(0.4, quadratic),
        quadratic,
        Material { goals: Goals::Linear { beta: 0.5 }, ..papers_way },
        papers_way,
    ]
}

/// A world full of bodies of every kind about to hit the ground; the ids in order.
fn crowd(threads: u32, large: bool) -> (World, Vec<BodyId>) {
    let mut world = World::new(&WorldDef { threads, substeps: 2, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane { restitution: 0.3, ..Plane::default() }).unwrap();
    world.add_plane(&Plane { normal: Vec3::new(3.0, 1.0, 0.5), offset: -2.0, ..Plane::default() }).unwrap();
    let mut ids = Vec::new();
    for (i, material) in materials().into_iter().enumerate() {
        for k in 0..if large && i % 3 == 0 { 4 } else { 3 } {
            let def = BodyDef {
                position: Vec3::new(i as f32 * 1.3, 0.45 + 0.02 * k as f32, k as f32),
                rotation: some_turn(0.4 * i as f32),
                velocity: Vec3::new(0.3, -3.0, 0.2 * k as f32),
                material,
                ..BodyDef::default()
            };
            ids.push(world.add_body(&shapes()[k], &def).unwrap());
        }
    }
    (world, ids)
}

/// What a host does before step `n`: pulls, pushes, pins, retunes.
fn meddle(world: &mut World, ids: &[BodyId], n: usize) {
    for (k, id) in ids.iter().enumerate() {
        let body = world.body_mut(*id).unwrap();
        if k % 4 == 1 {
            body.apply_force(Vec3::new(0.5, 1.0, 0.0)).unwrap();
        }
        if k % 4 == 2 {
            body.apply_force_to(n % 50, Vec3::Y * 0.05).unwrap();
        }
        if k % 5 == 3 {
            match n {
                2 => (0..4).for_each(|i| body.pin(i).unwrap()),
                30 => body.unpin(2).unwrap(),
                _ if n > 2 => {
                    let at = body.position(0).unwrap();
                    body.move_pin(0, at + Vec3::new(0.01, 0.005, 0.0)).unwrap();
                }
                _ => {}
            }
        }
        if k % 7 == 4 && n == 5 {
            body.set_level_stiffness(0, 0.5).unwrap();
            body.set_weighting(&wobble::Weighting::Manual(
                (1..=body.level_weights().len()).map(|l| l as f32).collect(),
            ))
            .unwrap();
        }
        if k % 11 == 5 {
            body.set_enabled(n % 9 < 6);
        }
    }
}

/// The state hash after each of `steps` steps.
fn run(world: &mut World, ids: &[BodyId], from: usize, steps: usize) -> Vec<u64> {
    let one = |n| {
        meddle(world, ids, n);
        world.step(STEP).unwrap();
        world.state_hash()
    };
    (from..from + steps).map(one).collect()
}

#[test]
fn a_restored_world_goes_on_bit_for_bit_on_any_threads() {
    for large in [false, true] {
        let (mut world, ids) = crowd(2, large);
        run(&mut world, &ids, 0, 12);
        let snapshot = world.snapshot();
        let wanted = run(&mut world, &ids, 12, 60);
        for threads in [1, 3] {
            world.set_threads(threads).unwrap();
            world.restore(&snapshot, &[]).unwrap();
            assert_eq!(world.threads(), threads);
            assert!(world.snapshot() == snapshot, "it does not come back as it was");
            assert_eq!(run(&mut world, &ids, 12, 60), wanted, "on {threads} threads");
        }
    }
}

#[test]
fn every_moment_of_a_fall_can_be_gone_back_to() {
    let (mut world, ids) = crowd(1, false);
    for n in 0..40 {
        let snapshot = world.snapshot();
        let wanted = run(&mut world, &ids, n, 3);
        world.restore(&snapshot, &[]).unwrap();
        assert_eq!(run(&mut world, &ids, n, 3), wanted, "from step {n} on");
        world.restore(&snapshot, &[]).unwrap();
        run(&mut world, &ids, n, 1);
    }
}

#[test]
fn an_empty_world_takes_over_everything_from_a_snapshot_and_the_shapes() {
    let (mut world, ids) = crowd(1, true);
    run(&mut world, &ids, 0, 10);
    let snapshot = world.snapshot();
    let mut other =
        World::new(&WorldDef { threads: 2, gravity: Vec3::X, substeps: 7, ..WorldDef::default() }).unwrap();
    let missing = shapes()[1].fingerprint();
    let three = [0, 2, 3].map(|i| Arc::clone(&shapes()[i]));
    assert_eq!(other.restore(&snapshot, &three), Err(Error::Missing { what: "shape", id: missing }));
    assert_eq!((other.bodies().count(), other.gravity(), other.substeps()), (0, Vec3::X, 7));
    let loaded = shapes().each_ref().map(|shape| Shape::from_bytes(&shape.to_bytes()).unwrap());
    other.restore(&snapshot, &loaded).unwrap();
    assert_eq!((other.gravity(), other.substeps()), (world.gravity(), world.substeps()));
    let others: Vec<BodyId> = other.bodies().map(|(id, _)| id).collect();
    assert_eq!(run(&mut other, &others, 10, 60), run(&mut world, &ids, 10, 60));
}

#[test]
fn forces_not_yet_stepped_are_part_of_a_snapshot() {
    let mut scene = Scene::new(&shapes()[0], Material::default());
    scene.body_mut().apply_force(Vec3::new(3.0, 0.0, 1.0)).unwrap();
    scene.body_mut().apply_force_to(17, Vec3::Y).unwrap();
    let (whole, body) = (scene.world.snapshot(), scene.body().snapshot());
    scene.run(5, STEP);
    let wanted = scene.world.state_hash();
    scene.world.restore(&whole, &[]).unwrap();
    scene.run(5, STEP);
    assert_eq!(scene.world.state_hash(), wanted);
    let mut other = Scene::new(&shapes()[0], papers(1.0, 0.0));
    other.body_mut().restore(&body).unwrap();
    other.run(5, STEP);
    assert_eq!(other.world.state_hash(), wanted);
}

#[test]
fn a_body_that_strain_limiting_left_alone_goes_on_from_its_fits() {
    let mut left_alone = 0;
    for material in materials().into_iter().filter(|m| m.strain.is_some()) {
        let def = BodyDef { position: Vec3::Y * 0.3, material, ..BodyDef::default() };
        let mut scene = Scene::on_ground(&shapes()[0], &def);
        scene.run(20, STEP);
        let snapshot = scene.body().snapshot();
        let mut other = Scene::on_ground(&shapes()[0], &def);
        other.body_mut().restore(&snapshot).unwrap();
        assert!(other.body().snapshot() == snapshot);
        for step in 0..60 {
            scene.run(1, STEP);
            other.run(1, STEP);
            assert_eq!(scene.world.state_hash(), other.world.state_hash(), "step {step}, {material:?}");
        }
        // Fits of positions that were touched since are not worth keeping.
        scene.body_mut().restore(&snapshot).unwrap();
        scene.body_mut().apply_impulse(Vec3::ZERO).unwrap();
        left_alone += u32::from(scene.body().snapshot().len() < snapshot.len());
    }
    assert!(left_alone > 0, "strain limiting was never at rest");
}

#[test]
fn a_snapshot_of_a_body_of_another_shape_is_refused_and_changes_nothing() {
    let (from, mut to) =
        (Scene::new(&shapes()[0], papers(1.0, 0.0)), Scene::new(&shapes()[1], papers(0.5, 0.0)));
    let before = to.world.snapshot();
    let error = to.body_mut().restore(&from.body().snapshot()).unwrap_err();
    assert_eq!(error, Error::Missing { what: "shape", id: shapes()[0].fingerprint() });
    assert!(error.to_string().contains("load it and hand it over"));
    assert!(to.body_mut().restore(&from.world.snapshot()).is_err());
    assert!(to.world.snapshot() == before);
}

#[test]
fn bodies_without_particles_or_with_one_can_be_restored() {
    for points in [vec![], vec![Vec3::ONE]] {
        let shape = Shape::from_points(&points, None, &LevelsDef::default()).unwrap();
        let mut scene = Scene::on_ground(&shape, &BodyDef { position: Vec3::Y, ..BodyDef::default() });
        scene.run(30, STEP);
        let snapshot = scene.world.snapshot();
        scene.run(10, STEP);
        let wanted = scene.world.state_hash();
        scene.world.restore(&snapshot, &[]).unwrap();
        scene.run(10, STEP);
        assert_eq!(scene.world.state_hash(), wanted);
    }
}

#[test]
fn names_from_before_name_the_same_and_names_from_after_stay_stale() {
    let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    let add = |world: &mut World, x: f32| {
        world.add_body(&shapes()[2], &BodyDef { position: Vec3::X * x, ..BodyDef::default() }).unwrap()
    };
    let [a, b, c] = [1.0, 2.0, 3.0].map(|x| add(&mut world, x));
    world.remove_body(b).unwrap();
    let floor = world.add_plane(&Plane::default()).unwrap();
    let snapshot = world.snapshot();

    world.remove_body(a).unwrap();
    world.remove_collider(floor).unwrap();
    let later = [4.0, 5.0, 6.0].map(|x| add(&mut world, x));
    let wall = world.add_plane(&Plane { normal: Vec3::X, ..Plane::default() }).unwrap();
    world.restore(&snapshot, &[]).unwrap();

    let x = |world: &World, id| world.body(id).map(|body: &Body| body.centre_of_mass().x.round());
    assert_eq!([a, c].map(|id| x(&world, id).unwrap()), [1.0, 3.0]);
    assert_eq!(world.bodies().map(|(id, _)| id).collect::<Vec<_>>(), [a, c]);
    assert!([b, later[0], later[1], later[2]].iter().all(|id| world.body(*id).is_err()));
    assert!(world.remove_collider(wall).is_err());
    let mut issued = vec![a, b, c, later[0], later[1], later[2]];
    for _ in 0..5 {
        let id = add(&mut world, 7.0);
        assert!(!issued.contains(&id), "{id:?} was given out before");
        issued.push(id);
        world.restore(&snapshot, &[]).unwrap();
        let plane = world.add_plane(&Plane::default()).unwrap();
        assert!(plane != wall && plane != floor);
    }
    assert!(world.remove_collider(floor).is_ok());
}

/// That many come and go as quickly as few is the row `world.places_growth` of the benchmark.
#[test]
fn a_body_gets_the_lowest_free_place_among_many() {
    let shape = Shape::from_points(&[], None, &LevelsDef::default()).unwrap();
    let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    let ids: Vec<_> = (0..100_000).map(|_| world.add_body(&shape, &BodyDef::default()).unwrap()).collect();
    ids.iter().rev().step_by(2).for_each(|id| world.remove_body(*id).unwrap());
    let again: Vec<_> = (0..50_000).map(|_| world.add_body(&shape, &BodyDef::default()).unwrap()).collect();
    let order: Vec<_> = world.bodies().map(|(id, _)| id).filter(|id| again.contains(id)).take(20).collect();
    assert_eq!(order, again[..20], "not the lowest first");
    assert_eq!(world.bodies().count(), 100_000);
}

/// A small scene with everything in it: contact, a pin, a strain limit, a force.
fn small() -> Scene {
    let shape = shape(&scenes::grid(3, 3, 2, 0.1), 5, Nesting::Nested);
    let material = limited(0.5, Material::default());
    let def = BodyDef { position: Vec3::Y * 0.1, material, ..BodyDef::default() };
    let mut scene = Scene::on_ground(&shape, &def);
    scene.run(5, STEP);
    scene.body_mut().pin(3).unwrap();
    scene.body_mut().apply_force_to(1, Vec3::X).unwrap();
    scene
}

#[test]
fn no_damage_to_a_snapshot_goes_unseen() {
    let scene = std::cell::RefCell::new(small());
    let (whole, body) = (scene.borrow().world.snapshot(), scene.borrow().body().snapshot());
    refuses_all_damage(&whole, |bytes| scene.borrow_mut().world.restore(bytes, &[]).is_ok());
    refuses_all_damage(&body, |bytes| scene.borrow_mut().body_mut().restore(bytes).is_ok());
    assert!(scene.borrow().world.snapshot() == whole, "a refused snapshot changed something");
}

/// How many are tried: most are refused at once.
const FORGERIES: usize = 20_000;

#[test]
fn forged_snapshots_are_refused_or_step_without_harm() {
    let mut scene = small();
    let shapes = [Arc::clone(scene.body().shape())];
    let whole = scene.world.snapshot();
    let (mut tried, mut accepted) = (0, 0);
    for file in Mutations::of(&whole, 1).take(FORGERIES) {
        tried += 1;
        let before = (tried % 64 == 0).then(|| scene.world.snapshot());
        if scene.world.restore(&file, &shapes).is_err() {
            assert!(before.is_none_or(|before| before == scene.world.snapshot()));
            continue;
        }
        accepted += 1;
        scene.world.step(STEP).unwrap();
        let first = scene.world.bodies().next().map(|(id, _)| id);
        if let Some(id) = first {
            scene.world.body_mut(id).unwrap().set_velocity(Vec3::X).unwrap();
        }
        scene.world.step(STEP).unwrap();
        scene.world.restore(&whole, &shapes).unwrap();
    }
    assert!(accepted > 20 && accepted < tried, "{accepted} of {tried} accepted");
}

#[test]
fn a_snapshot_whose_counts_do_not_fit_its_shape_is_refused() {
    let mut scene = small();
    let snapshot = scene.body().snapshot();
    for (count, place) in ["particles", "clusters", "finest clusters", "levels"].iter().zip([8, 12, 16, 20]) {
        let mut bytes = payload(&snapshot).to_vec();
        bytes[place] += 1;
        let error = scene.body_mut().restore(&forged(&snapshot, &bytes)).unwrap_err();
        assert!(error.to_string().contains("where its shape has"), "{count}: {error}");
    }
}
