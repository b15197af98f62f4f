//! Bodies at rest fall asleep, stay where they are, cost nothing and wake when something disturbs them.

mod scenes;

use std::sync::Arc;

use glam::{Quat, Vec3, vec3};
use wobble::{
    AttachmentDef, BodyDef, BodyId, ColliderDef, ColliderShape, DragDef, Explosion, Field, FieldDef, Groups,
    JointDef, LevelsDef, Material, Phase, Plane, Shape, Surface, World, WorldDef,
};

const STEP: f32 = 1.0 / 60.0;

/// A cube of 5³ particles, 1 m wide.
fn cube() -> Arc<Shape> {
    Shape::from_points(&scenes::grid(5, 5, 5, 0.25), None, &LevelsDef::default()).unwrap()
}

fn world(threads: u32) -> World {
    let mut world = World::new(&WorldDef { threads, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane::default()).unwrap();
    world
}

fn add(world: &mut World, shape: &Arc<Shape>, position: Vec3) -> BodyId {
    world.add_body(shape, &BodyDef { position, ..BodyDef::default() }).unwrap()
}

fn run(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| world.step(STEP).unwrap());
}

fn sleeps(world: &World, id: BodyId) -> bool {
    world.body(id).unwrap().is_sleeping()
}

/// A world in which a cube sleeps on the ground.
fn asleep() -> (World, BodyId) {
    let mut world = world(1);
    let id = add(&mut world, &cube(), Vec3::Y * 0.51);
    run(&mut world, 240);
    assert!(sleeps(&world, id));
    (world, id)
}

/// Steps until a body sleeps; the number of steps.
fn fall_asleep(world: &mut World, id: BodyId) -> usize {
    (0..1200)
        .find(|_| {
            world.step(STEP).unwrap();
            sleeps(world, id)
        })
        .expect("it comes to rest")
}

#[test]
fn a_body_at_rest_falls_asleep_once_and_stays_to_the_bit_without_a_jump() {
    let mut world = world(1);
    let id = add(&mut world, &cube(), Vec3::Y * 1.5);
    let mut before = Vec::new();
    let mut slept = 0;
    for _ in 0..1200 {
        world.step(STEP).unwrap();
        let body = world.body(id).unwrap();
        if !world.slept().is_empty() {
            assert_eq!(world.slept(), [id]);
            slept += 1;
            let farthest = body
                .raw_positions()
                .iter()
                .zip(&before)
                .map(|(a, b): (_, &glam::Vec4)| (*a - *b).truncate().length());
            assert!(farthest.fold(0.0, f32::max) < 0.08 * STEP, "it jumped");
            assert_eq!(body.raw_previous(), body.raw_positions());
            assert!(body.raw_velocities().iter().all(|v| v.truncate() == Vec3::ZERO));
        }
        before = body.raw_positions().to_vec();
    }
    assert_eq!((slept, sleeps(&world, id)), (1, true));
    let hash = world.state_hash();
    run(&mut world, 600);
    assert_eq!(world.state_hash(), hash);
    assert_eq!(world.statistics().sleeping, 1);
}

#[test]
fn a_body_that_wakes_where_it_slept_does_not_stir() {
    let (mut world, id) = asleep();
    let before = world.body(id).unwrap().raw_positions().to_vec();
    world.body_mut(id).unwrap().wake();
    let mut farthest = 0.0f32;
    for _ in 0..60 {
        world.step(STEP).unwrap();
        let now = world.body(id).unwrap().raw_positions();
        let moved = now.iter().zip(&before).map(|(a, b)| (*a - *b).truncate().length());
        farthest = moved.fold(farthest, f32::max);
    }
    assert!(farthest < 2e-4, "{farthest}");
}

#[test]
fn a_falling_a_rolling_and_a_swinging_body_stay_awake() {
    let mut world = world(1);
    let falling = add(&mut world, &cube(), Vec3::Y * 500.0);
    let ball = Shape::from_points(&scenes::ball(0.5, 0.125), None, &LevelsDef::default()).unwrap();
    let rolling = add(&mut world, &ball, vec3(10.0, 0.5, 0.0));
    world.body_mut(rolling).unwrap().set_velocity(Vec3::X).unwrap();
    let swinging = add(&mut world, &cube(), vec3(-10.0, 5.0, 0.0));
    world.attach(swinging, &[0], &AttachmentDef::default()).unwrap();
    for _ in 0..240 {
        world.step(STEP).unwrap();
        assert!([falling, rolling, swinging].iter().all(|id| !sleeps(&world, *id)));
    }
}

/// What a host may do that wakes a body.
type Poke = (&'static str, fn(&mut World, BodyId));

const POKES: [Poke; 25] = [
    ("wake", |w, id| w.body_mut(id).unwrap().wake()),
    ("force", |w, id| w.body_mut(id).unwrap().apply_force(Vec3::X).unwrap()),
    ("force on a particle", |w, id| w.body_mut(id).unwrap().apply_force_to(3, Vec3::X).unwrap()),
    ("impulse", |w, id| w.body_mut(id).unwrap().apply_impulse(Vec3::X).unwrap()),
    ("impulse at a point", |w, id| {
        w.body_mut(id).unwrap().apply_impulse_at(Vec3::Y, Vec3::X, 1.0).unwrap();
    }),
    ("torque", |w, id| w.body_mut(id).unwrap().apply_torque_impulse(Vec3::Y).unwrap()),
    ("position", |w, id| w.body_mut(id).unwrap().set_position_of(0, Vec3::Y).unwrap()),
    ("velocity", |w, id| w.body_mut(id).unwrap().set_velocity(Vec3::Y).unwrap()),
    ("velocities", |w, id| w.body_mut(id).unwrap().set_velocities(&[Vec3::X; 125]).unwrap()),
    ("teleport", |w, id| w.body_mut(id).unwrap().teleport(Vec3::Y, Quat::IDENTITY).unwrap()),
    ("pin", |w, id| w.body_mut(id).unwrap().pin(7).unwrap()),
    ("material", |w, id| {
        let material = Material { gravity_scale: 0.5, ..Material::default() };
        w.body_mut(id).unwrap().set_material(material).unwrap();
    }),
    ("weights", |w, id| {
        let levels = w.body(id).unwrap().level_weights().len();
        let weights: Vec<f32> = (1..=levels).map(|l| l as f32).collect();
        w.body_mut(id).unwrap().set_level_weights(&weights).unwrap();
    }),
    ("level stiffness", |w, id| w.body_mut(id).unwrap().set_level_stiffness(0, 0.5).unwrap()),
    ("surface", |w, id| {
        w.body_mut(id).unwrap().set_surface(Surface { friction: 0.1, ..Surface::default() }).unwrap();
    }),
    ("groups", |w, id| w.body_mut(id).unwrap().set_groups(Groups { group: 2, mask: 2 })),
    ("radius", |w, id| w.body_mut(id).unwrap().set_particle_radius(0.1).unwrap()),
    ("gravity", |w, _| w.set_gravity(Vec3::X).unwrap()),
    ("attachment", |w, id| {
        w.attach(id, &[3], &AttachmentDef::default()).unwrap();
    }),
    ("drag", |w, id| {
        w.drag(id, &DragDef { point: Vec3::Y, ..DragDef::default() }).unwrap();
    }),
    ("explosion", |w, _| {
        w.explode(&Explosion { centre: Vec3::Y, radius: 3.0, speed: 1.0, mask: 1 }).unwrap();
    }),
    ("field", |w, _| {
        let field = Field::Attractor { centre: Vec3::Y * 3.0, strength: 20.0, radius: 4.0 };
        w.add_field(&FieldDef::new(field)).unwrap();
    }),
    ("a collider comes", |w, _| {
        let shape = ColliderShape::Sphere { radius: 0.2 };
        w.add_collider(&ColliderDef { shape, position: Vec3::Y, ..ColliderDef::default() }).unwrap();
    }),
    ("the ground goes", |w, _| {
        let ground = w.colliders().next().unwrap().0;
        w.remove_collider(ground).unwrap();
    }),
    ("the ground moves", |w, _| {
        let ground = w.colliders().next().unwrap().0;
        w.move_collider(ground, Vec3::Y * -0.1, Quat::IDENTITY).unwrap();
    }),
];

#[test]
fn whatever_a_host_does_to_a_body_or_near_it_wakes_it() {
    for (what, poke) in POKES {
        let (mut world, id) = asleep();
        poke(&mut world, id);
        world.step(STEP).unwrap();
        assert!(!sleeps(&world, id), "{what} left it asleep");
        assert_eq!(world.woke(), [id], "{what}");
        world.step(STEP).unwrap();
        assert!(world.woke().is_empty(), "{what} told twice");
    }
}

#[test]
fn what_changes_nothing_for_a_body_lets_it_sleep() {
    let (mut world, id) = asleep();
    let ground = world.colliders().next().unwrap().0;
    let turned = Quat::from_rotation_y(0.3);
    world.set_collider_pose(ground, Vec3::ZERO, turned).unwrap();
    run(&mut world, 120);
    assert!(sleeps(&world, id));
    let far = ColliderShape::Sphere { radius: 1.0 };
    let def =
        ColliderDef { shape: far, position: Vec3::X * 9.0, velocity: Vec3::Z, ..ColliderDef::default() };
    let others = Groups { group: 2, mask: 2 };
    let through = ColliderDef { position: Vec3::Y * 0.5, groups: others, ..def.clone() };
    let far = world.add_collider(&def).unwrap();
    world.add_collider(&through).unwrap();
    let attractor = Field::Attractor { centre: Vec3::Y * 30.0, strength: 20.0, radius: 4.0 };
    world.add_field(&FieldDef::new(attractor)).unwrap();
    for _ in 0..60 {
        world.set_gravity(world.gravity()).unwrap();
        world.move_collider(ground, Vec3::ZERO, turned).unwrap();
        let (material, surface) = (*world.body(id).unwrap().material(), world.body(id).unwrap().surface());
        world.body_mut(id).unwrap().set_material(material).unwrap();
        world.body_mut(id).unwrap().set_surface(surface).unwrap();
        world.step(STEP).unwrap();
        assert!(sleeps(&world, id) && world.woke().is_empty());
    }
    world.remove_collider(far).unwrap();
    world.step(STEP).unwrap();
    assert!(sleeps(&world, id));
}

#[test]
fn a_collider_that_moves_by_keeps_a_body_awake_and_one_that_comes_down_wakes_it() {
    let (mut world, id) = asleep();
    let shape = ColliderShape::Box { half_extents: Vec3::splat(0.5) };
    let velocity = Vec3::Y * -1.0;
    let def = ColliderDef { shape, position: Vec3::Y * 3.0, velocity, ..ColliderDef::default() };
    let press = world.add_collider(&def).unwrap();
    let woke = (1..).find(|_| {
        world.step(STEP).unwrap();
        !sleeps(&world, id)
    });
    let gap = world.collider(press).unwrap().position().y - 1.5;
    assert!(woke > Some(60) && gap > -0.03, "it woke at step {woke:?}, {gap} above it");
    world.set_collider_velocity(press, Vec3::ZERO, Vec3::Y * 0.5).unwrap();
    run(&mut world, 240);
    assert!(!sleeps(&world, id), "what turns on top of it keeps it awake");
    world.set_collider_velocity(press, Vec3::ZERO, Vec3::ZERO).unwrap();
    fall_asleep(&mut world, id);
}

#[test]
fn bodies_that_touch_sleep_and_wake_together_and_others_do_not() {
    let mut world = world(1);
    world.set_bodies_meet(true);
    let shape = cube();
    let low = add(&mut world, &shape, Vec3::Y * 0.5);
    let alone = add(&mut world, &shape, vec3(3.0, 0.5, 0.0));
    let high = add(&mut world, &shape, Vec3::Y * 1.52);
    let mut told = Vec::new();
    for _ in 0..900 {
        world.step(STEP).unwrap();
        told.extend(world.slept().to_vec());
        assert_eq!(sleeps(&world, low), sleeps(&world, high));
    }
    told.sort_unstable();
    assert_eq!(told, [low, alone, high]);
    world.body_mut(high).unwrap().apply_impulse(Vec3::X * 0.1).unwrap();
    world.step(STEP).unwrap();
    assert_eq!(world.woke(), [low, high]);
    assert!(sleeps(&world, alone));
    fall_asleep(&mut world, low);
    world.remove_body(low).unwrap();
    run(&mut world, 60);
    let height = world.body(high).unwrap().centre_of_mass().y;
    assert!(height < 0.7, "it hangs at {height} where nothing holds it");
}

#[test]
fn an_awake_body_that_touches_a_sleeping_one_wakes_it_and_one_that_passes_does_not() {
    let mut world = world(1);
    world.set_bodies_meet(true);
    world.set_gravity(Vec3::ZERO).unwrap();
    let shape = cube();
    let target = add(&mut world, &shape, Vec3::Y * 3.0);
    world.body_mut(target).unwrap().put_to_sleep();
    let passing = add(&mut world, &shape, vec3(-3.0, 4.2, 0.0));
    world.body_mut(passing).unwrap().set_velocity(Vec3::X * 4.0).unwrap();
    run(&mut world, 90);
    assert!(sleeps(&world, target));
    let hitting = add(&mut world, &shape, vec3(-3.0, 3.0, 0.0));
    world.body_mut(hitting).unwrap().set_velocity(Vec3::X * 4.0).unwrap();
    run(&mut world, 60);
    assert!(!sleeps(&world, target));
    let [a, b] = [target, hitting].map(|id| world.body(id).unwrap().momentum());
    assert!((a + b - Vec3::X * 4.0).length() < 1e-3, "{a} {b}");
    assert!(a.x > 1.0, "the sleeper takes its share: {a}");
}

#[test]
fn joined_bodies_sleep_and_wake_together() {
    let mut world = world(1);
    let shape = cube();
    let [a, b] = [0.0, 1.5].map(|x| add(&mut world, &shape, vec3(x, 0.5, 0.0)));
    let (point, other_point) = (vec3(0.5, 0.5, 0.0), vec3(1.0, 0.5, 0.0));
    world.join(a, b, &JointDef { point, other_point, ..JointDef::default() }).unwrap();
    world.body_mut(b).unwrap().set_can_sleep(false);
    run(&mut world, 300);
    assert!(!sleeps(&world, a));
    world.body_mut(b).unwrap().set_can_sleep(true);
    fall_asleep(&mut world, b);
    assert!(sleeps(&world, a));
    world.body_mut(b).unwrap().wake();
    world.step(STEP).unwrap();
    assert_eq!(world.woke(), [a, b]);
    world.body_mut(a).unwrap().put_to_sleep();
    world.step(STEP).unwrap();
    assert!(!sleeps(&world, a), "its partner is awake");
}

#[test]
fn gusts_keep_bodies_awake_and_a_steady_wind_does_not() {
    for (gusts, expected) in [(0.0, true), (0.5, false)] {
        let (mut world, id) = asleep();
        let wind = Field::Wind { velocity: Vec3::X * 0.1, drag: 0.5, gusts, gust_hertz: 1.0 };
        world.add_field(&FieldDef::new(wind)).unwrap();
        run(&mut world, 240);
        assert_eq!(sleeps(&world, id), expected);
    }
}

#[test]
fn contacts_are_silent_in_sleep_and_go_on_or_end_after_it() {
    let (mut world, id) = asleep();
    run(&mut world, 30);
    assert!(world.contacts().is_empty());
    world.body_mut(id).unwrap().wake();
    world.step(STEP).unwrap();
    assert_eq!(world.contacts().iter().map(|c| c.phase).collect::<Vec<_>>(), [Phase::Stay]);
    fall_asleep(&mut world, id);
    world.step(STEP).unwrap();
    world.body_mut(id).unwrap().teleport(Vec3::Y * 5.0, Quat::IDENTITY).unwrap();
    world.step(STEP).unwrap();
    assert_eq!(world.contacts().iter().map(|c| c.phase).collect::<Vec<_>>(), [Phase::End]);
}

#[test]
fn bodies_and_worlds_may_keep_from_sleeping_and_hosts_put_to_sleep_what_they_like() {
    let (mut world, id) = asleep();
    world.body_mut(id).unwrap().set_can_sleep(false);
    run(&mut world, 120);
    assert!(!sleeps(&world, id) && !world.body(id).unwrap().can_sleep());
    world.body_mut(id).unwrap().set_can_sleep(true);
    world.set_sleeping(false, 0.02).unwrap();
    run(&mut world, 120);
    assert!(!sleeps(&world, id));
    assert!(world.set_sleeping(true, f32::NAN).is_err() && world.set_sleeping(true, -1.0).is_err());
    assert_eq!(world.sleeping(), (false, 0.02));
    world.body_mut(id).unwrap().teleport(Vec3::Y * 5.0, Quat::IDENTITY).unwrap();
    world.body_mut(id).unwrap().put_to_sleep();
    run(&mut world, 60);
    assert!(sleeps(&world, id));
    assert!(world.body(id).unwrap().centre_of_mass().y == 5.0);
}

/// Two cubes on top of each other, and others that fall on the ground one after the other.
fn heap(threads: u32) -> (World, Arc<Shape>) {
    let mut world = world(threads);
    world.set_bodies_meet(true);
    let shape = cube();
    add(&mut world, &shape, Vec3::Y * 1.52);
    add(&mut world, &shape, Vec3::Y * 0.5);
    for i in 1..5 {
        add(&mut world, &shape, vec3(1.6 * i as f32, 0.5 * i as f32, 0.1 * i as f32));
    }
    (world, shape)
}

/// 48 cubes, each turned another way, above each other.
fn thrown(heap: usize) -> World {
    let mut world = world(1);
    let shape = cube();
    for i in 0..48 {
        let at = [i % 4, i / 16, i / 4 % 4].map(|k| 1.5 * k as f32);
        let turn = (i + 100 * heap) as f32;
        let rotation = Quat::from_euler(glam::EulerRot::XYZ, turn, 1.7 * turn, 0.3 * turn);
        let position = Vec3::from_array(at) + Vec3::Y;
        world.add_body(&shape, &BodyDef { position, rotation, ..BodyDef::default() }).unwrap();
    }
    world
}

#[test]
fn heaps_of_cubes_thrown_on_each_other_fall_asleep() {
    let slept = |heap: usize| {
        let mut world = thrown(heap);
        let asleep = (0..1800).position(|_| {
            world.step(STEP).unwrap();
            world.statistics().sleeping == 48
        });
        asleep.map(|steps| steps as f32 * STEP)
    };
    let times: Vec<_> = std::thread::scope(|scope| {
        let heaps: Vec<_> = (0..6).map(|heap| scope.spawn(move || slept(heap))).collect();
        heaps.into_iter().map(|heap| heap.join().unwrap()).collect()
    });
    println!("seconds until all 48 sleep: {times:?}");
    assert!(times.iter().all(Option::is_some), "after 30 s some are awake: {times:?}");
}

#[test]
fn who_sleeps_and_wakes_does_not_depend_on_the_number_of_threads() {
    let story = |threads: u32| {
        let (mut world, shape) = heap(threads);
        let mut told = Vec::new();
        for step in 0..600 {
            if step == 400 {
                add(&mut world, &shape, vec3(0.9, 5.0, 0.0));
            }
            world.step(STEP).unwrap();
            told.extend(world.slept().iter().map(|id| (step, true, format!("{id:?}"))));
            told.extend(world.woke().iter().map(|id| (step, false, format!("{id:?}"))));
        }
        let names = |text: &str| text.split_once(", ").unwrap().1.to_string();
        let told: Vec<_> = told.into_iter().map(|(step, slept, id)| (step, slept, names(&id))).collect();
        (world.state_hash(), told)
    };
    let first = story(1);
    assert!(first.1.len() >= 8, "too little happens: {:?}", first.1);
    assert_eq!(first, story(2));
    assert_eq!(first, story(3));
}

#[test]
fn a_restored_world_goes_on_to_the_bit_with_who_sleeps_who_is_about_to_and_who_was_woken() {
    for (step, change) in [(100, 0), (150, 0), (400, 1), (430, 2), (490, 3), (520, 0)] {
        let (mut world, shape) = heap(1);
        run(&mut world, step);
        let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
        match change {
            1 => world.body_mut(ids[0]).unwrap().wake(),
            2 => {
                let def = ColliderDef {
                    shape: ColliderShape::Sphere { radius: 0.3 },
                    position: vec3(0.0, 0.1, 0.0),
                    ..ColliderDef::default()
                };
                world.add_collider(&def).unwrap();
            }
            3 => {
                add(&mut world, &shape, vec3(1.5, 3.5, 0.0));
            }
            _ => (),
        }
        let snapshot = world.snapshot();
        let mut other = World::new(&WorldDef { threads: 2, ..WorldDef::default() }).unwrap();
        other.restore(&snapshot, std::slice::from_ref(&shape)).unwrap();
        let places = |ids: &[BodyId], world: &World| -> Vec<usize> {
            let place = |id: &BodyId| world.bodies().position(|(other, _)| other == *id).unwrap();
            ids.iter().map(place).collect()
        };
        for k in 0..240 {
            world.step(STEP).unwrap();
            other.step(STEP).unwrap();
            assert_eq!(world.state_hash(), other.state_hash(), "{step}: step {k}");
            assert_eq!(places(world.slept(), &world), places(other.slept(), &other), "{step}: step {k}");
            assert_eq!(places(world.woke(), &world), places(other.woke(), &other), "{step}: step {k}");
            assert_eq!(world.contacts().len(), other.contacts().len(), "{step}: step {k}");
        }
    }
}
