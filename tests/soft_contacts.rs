//! Bodies against bodies: stacks, collisions, groups, and the same bits on any number of threads.

mod scenes;

use std::sync::Arc;

use glam::{DVec3, EulerRot, Quat, Vec3};
use wobble::{
    BodyDef, BodyId, Groups, LevelsDef, Material, Partner, Plane, Shape, Stiffness, Surface, World, WorldDef,
};

const DT: f32 = 1.0 / 60.0;
/// Between the particles of the cubes, metres.
const SPACING: f32 = 0.25;

fn cube() -> Arc<Shape> {
    Shape::from_points(&scenes::grid(5, 5, 5, SPACING), None, &LevelsDef::default()).unwrap()
}

fn world(gravity: f32, threads: u32) -> World {
    let mut world = World::new(&WorldDef {
        gravity: Vec3::Y * -gravity,
        threads,
        sleeping: false,
        ..WorldDef::default()
    })
    .unwrap();
    world.set_bodies_meet(true);
    world
}

/// Cubes on the ground, one on the other.
fn stack(count: usize, material: Material, substeps: u32) -> (World, Vec<BodyId>) {
    let mut world = world(9.81, 1);
    world.set_substeps(substeps).unwrap();
    world.add_plane(&Plane::default()).unwrap();
    let shape = cube();
    let at = |i: usize| Vec3::Y * (0.5 + 1.001 * i as f32);
    // Asleep they would stand whatever the contacts do.
    let def = |i: usize| BodyDef { position: at(i), material, can_sleep: false, ..BodyDef::default() };
    let ids = (0..count).map(|i| world.add_body(&shape, &def(i)).unwrap()).collect();
    (world, ids)
}

/// Distance between neighbours of a stack, negative where they overlap.
fn gaps(world: &World, ids: &[BodyId]) -> Vec<f32> {
    let bounds = |id: BodyId| world.body(id).unwrap().bounds();
    ids.windows(2).map(|two| bounds(two[1]).0.y - bounds(two[0]).1.y).collect()
}

/// Momentum, angular momentum about the origin, and kinetic energy of all bodies.
fn motion(world: &World) -> (DVec3, DVec3, f64) {
    let mut sums = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (_, body) in world.bodies() {
        let state = body.raw_positions().iter().zip(body.raw_velocities()).zip(body.shape().masses());
        for ((x, v), &m) in state {
            let (x, v, m) = (x.truncate().as_dvec3(), v.truncate().as_dvec3(), f64::from(m));
            sums = (sums.0 + v * m, sums.1 + x.cross(v) * m, sums.2 + 0.5 * m * v.length_squared());
        }
    }
    sums
}

#[test]
fn five_cubes_of_the_default_material_stand_with_hardly_a_gap() {
    let (mut world, ids) = stack(5, Material::default(), 4);
    (0..10 * 60).for_each(|_| world.step(DT).unwrap());
    for gap in gaps(&world, &ids) {
        assert!(gap.abs() < 0.1 * SPACING, "{gap}");
    }
    assert!(motion(&world).2 < 1e-3);
}

#[test]
fn ten_stiff_cubes_stand_for_a_minute() {
    let material = Material { stiffness: Stiffness::Hertz(100.0), ..Material::default() };
    let (mut world, ids) = stack(10, material, 8);
    (0..60 * 60).for_each(|_| world.step(DT).unwrap());
    for gap in gaps(&world, &ids) {
        assert!(gap.abs() < 0.1 * SPACING, "{gap}");
    }
    let top = world.body(ids[9]).unwrap().centre_of_mass();
    assert!(Vec3::new(top.x, 0.0, top.z).length() < 0.1 && top.y > 9.4, "{top}");
}

/// Awake they lean over within ten seconds: a soft column of this height buckles under its weight.
#[test]
fn ten_cubes_of_the_default_material_stand_for_a_minute_where_they_may_sleep() {
    let (mut world, ids) = stack(10, Material::default(), 4);
    world.set_sleeping(true, WorldDef::default().sleep_speed).unwrap();
    ids.iter().for_each(|&id| world.body_mut(id).unwrap().set_can_sleep(true));
    (0..60 * 60).for_each(|_| world.step(DT).unwrap());
    assert_eq!(world.statistics().sleeping, 10);
    for gap in gaps(&world, &ids) {
        assert!(gap.abs() < 0.1 * SPACING, "{gap}");
    }
    let top = world.body(ids[9]).unwrap().centre_of_mass();
    assert!(Vec3::new(top.x, 0.0, top.z).length() < 0.1 && top.y > 9.3, "{top}");
}

#[test]
fn a_collision_keeps_momentum_and_adds_no_energy() {
    let shape = cube();
    // What the angular momentum may move by, metres of the cubes' width of 1 m: at 20 m/s it is a matter of substeps.
    let cases = [
        (2.0, 0.0, 4, 0.001),
        (2.0, 0.3, 4, 0.001),
        (10.0, 0.0, 4, 0.003),
        (20.0, 0.25, 4, 0.01),
        (20.0, 0.25, 16, 0.001),
    ];
    for (speed, aside, substeps, most) in cases {
        let mut world = world(0.0, 1);
        world.set_substeps(substeps).unwrap();
        for (side, rotation) in [(-1.0, Quat::IDENTITY), (1.0, Quat::from_rotation_z(0.3))] {
            let position = Vec3::new(1.5 * side, if side < 0.0 { aside } else { 0.0 }, 0.1 * side);
            let velocity = Vec3::X * (-side * speed);
            let def = BodyDef { position, rotation, velocity, ..BodyDef::default() };
            world.add_body(&shape, &def).unwrap();
        }
        let before = motion(&world);
        let mut energy = before.2;
        (0..60).for_each(|_| world.step(DT).unwrap());
        let after = motion(&world);
        // Each body has 1 kg: their momenta are `speed`.
        assert!((after.0 - before.0).length() < 2e-5 * f64::from(speed), "{} {}", after.0, before.0);
        let turned = (after.1 - before.1).length() / f64::from(speed);
        assert!(turned < most, "{turned} m at {speed} m/s, {aside} m aside, {substeps} substeps");
        energy -= after.2;
        assert!(energy > 0.0, "{energy} J were gained");
        let apart: Vec<f32> = world.bodies().map(|(_, body)| body.centre_of_mass().x).collect();
        assert!(apart[0] < apart[1], "at {speed} m/s they passed through each other: {apart:?}");
    }
}

#[test]
fn only_bodies_whose_groups_want_to_meet_do() {
    let shape = cube();
    for (mask, meets) in [(2, true), (1, false)] {
        let mut world = world(0.0, 1);
        let def = |x: f32, groups| BodyDef {
            position: Vec3::X * x,
            velocity: Vec3::X * (-2.0 * x),
            groups,
            ..BodyDef::default()
        };
        let first = world.add_body(&shape, &def(-1.0, Groups { group: 1, mask })).unwrap();
        let second = world.add_body(&shape, &def(1.0, Groups { group: 2, mask: 1 })).unwrap();
        let mut touched = false;
        for _ in 0..60 {
            world.step(DT).unwrap();
            touched |= world.contacts().iter().any(|e| e.body == first && e.other == Partner::Body(second));
        }
        let x = |id| world.body(id).unwrap().centre_of_mass().x;
        assert_eq!((touched, x(first) < x(second)), (meets, meets));
    }
}

#[test]
fn what_lies_on_another_slides_or_stays_by_its_friction() {
    let shape = cube();
    for (friction, stays) in [(0.6, true), (0.0, false)] {
        let mut world = world(0.0, 1);
        // Gravity leans by a fifth, as on a slope of 11 degrees; the lower cube is held.
        world.set_gravity(Vec3::new(1.9, -9.6, 0.0)).unwrap();
        let surface = Surface { friction, ..Surface::default() };
        let def = |y: f32| BodyDef { position: Vec3::Y * y, surface, ..BodyDef::default() };
        let low = world.add_body(&shape, &def(0.0)).unwrap();
        let high = world.add_body(&shape, &def(1.0)).unwrap();
        (0..125).for_each(|i| world.body_mut(low).unwrap().pin(i).unwrap());
        (0..40).for_each(|_| world.step(DT).unwrap());
        let slid = world.body(high).unwrap().centre_of_mass().x;
        assert!(if stays { slid.abs() < 0.03 } else { slid > 0.3 }, "{slid} m with friction {friction}");
    }
}

fn heap(threads: u32) -> World {
    let mut world = world(9.81, threads);
    world.add_plane(&Plane::default()).unwrap();
    let shape = cube();
    for i in 0..48 {
        let at = [i % 4, i / 4 % 4, i / 16].map(|k| k as f32);
        let position = Vec3::new(at[0] * 1.2 + 0.05 * (i % 3) as f32, 0.8 + 1.3 * at[2], at[1] * 1.2);
        let rotation = Quat::from_euler(EulerRot::XYZ, 0.1 * (i % 5) as f32 - 0.2, 0.1 * (i % 7) as f32, 0.1);
        world.add_body(&shape, &BodyDef { position, rotation, ..BodyDef::default() }).unwrap();
    }
    world
}

#[test]
fn a_heap_is_the_same_to_the_bit_on_any_number_of_threads() {
    let mut worlds = [1, 2, 3, 8].map(heap);
    let mut most = 0;
    for step in 0..150 {
        worlds.iter_mut().for_each(|world| world.step(DT).unwrap());
        most = most.max(worlds[0].profile().contact_count);
        let hashes = worlds.each_ref().map(|world| world.state_hash());
        assert_eq!(hashes, [hashes[0]; 4], "at step {step}");
    }
    assert!(most > 300, "{most} contacts are too few to tell");
}

#[test]
fn a_restored_heap_goes_on_to_the_bit() {
    let mut world = heap(2);
    (0..60).for_each(|_| world.step(DT).unwrap());
    let snapshot = world.snapshot();
    (0..60).for_each(|_| world.step(DT).unwrap());
    let ahead = world.state_hash();
    world.restore(&snapshot, &[]).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    assert_eq!(world.state_hash(), ahead);
}
