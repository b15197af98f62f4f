//! The same bits on any number of threads, after every step, and the same as ever.
//!
//! When physics changes on purpose, `WOBBLE_GOLDEN=print cargo test --test determinism -- --nocapture`
//! prints the table of golden hashes to paste below.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use support::{papers, shape, some_turn};
use wobble::{
    BodyDef, BodyId, DampingForm, Goals, Material, Nesting, Plane, Rotation, Shape, StrainLimit, World,
    WorldDef,
};

const STEP: f32 = 1.0 / 60.0;
const STEPS: usize = 24;

/// State hashes after the last step of each scene.
const GOLDEN: [(&str, u64); 8] = [
    ("small bodies", 0x55b9c630357da191),
    ("a large body", 0xafc603e00bb911a4),
    ("many bodies", 0x963ab57be2ccd1c1),
    ("violent strain limiting", 0xae0162f2d5db5c92),
    ("quadratic goals", 0x772dfd68d6de5a9d),
    ("linear goals", 0xf2712b1fa839cfc6),
    ("independent levels", 0xaf090e2b210b8f1d),
    ("pins and planes", 0xb258247f820eb41a),
];

/// 17 by 17 by 17 points are 4,913, enough to be spread over threads by themselves.
fn large(nesting: Nesting) -> &'static Arc<Shape> {
    static SHAPES: OnceLock<[Arc<Shape>; 2]> = OnceLock::new();
    let build =
        || [Nesting::Nested, Nesting::Independent].map(|n| shape(&scenes::grid(17, 17, 17, 0.06), 20, n));
    &SHAPES.get_or_init(build)[usize::from(nesting == Nesting::Independent)]
}

fn small() -> &'static [Arc<Shape>; 3] {
    static SHAPES: OnceLock<[Arc<Shape>; 3]> = OnceLock::new();
    SHAPES.get_or_init(|| {
        [
            shape(&scenes::grid(5, 5, 5, 0.1), 15, Nesting::Nested),
            shape(&scenes::shell(200, 0.3, 0.2, 4), 15, Nesting::Independent),
            shape(&scenes::sheet(9, 0.05), 15, Nesting::Nested),
        ]
    })
}

/// Called with the world and the number of the step to come.
type Host = Box<dyn FnMut(&mut World, usize)>;

/// A scene: a world, and what the host does to it before each step.
struct Play {
    world: World,
    before: Host,
}

fn world(threads: u32) -> World {
    let mut world = World::new(&WorldDef { threads, substeps: 2, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane::default()).unwrap();
    world
}

/// One body of `shape`, a little turned, that hits the ground at 6 m/s.
fn falling(threads: u32, shape: &Arc<Shape>, material: Material) -> Play {
    let mut world = world(threads);
    let (position, velocity) = (Vec3::new(0.3, 0.9, -0.2), Vec3::new(2.0, -6.0, 1.0));
    world
        .add_body(
            shape,
            &BodyDef { position, rotation: some_turn(0.6), velocity, material, ..BodyDef::default() },
        )
        .unwrap();
    Play { world, before: Box::new(|_, _| ()) }
}

fn small_bodies(threads: u32, count: usize) -> Play {
    let mut world = world(threads);
    for i in 0..count {
        let strain = (i % 3 == 1).then(|| StrainLimit { gamma: 0.1, ..StrainLimit::default() });
        let damping_form = if i % 2 == 0 { DampingForm::Rigid } else { DampingForm::Paper };
        let rotation = if i % 2 == 0 { Rotation::Momentum } else { Rotation::Stretch };
        let def = BodyDef {
            position: Vec3::new(i as f32 * 0.7, 0.5 + 0.01 * i as f32, 0.0),
            rotation: some_turn(i as f32 * 0.4),
            velocity: Vec3::new(0.0, -3.0, 0.5),
            material: Material { strain, damping_form, rotation, ..Material::default() },
            ..BodyDef::default()
        };
        world.add_body(&small()[i % 3], &def).unwrap();
    }
    Play { world, before: Box::new(|_, _| ()) }
}

fn pins_and_planes(threads: u32) -> Play {
    let material =
        Material { rotation: Rotation::Stretch, damping_form: DampingForm::Paper, ..papers(1.0, 0.1) };
    let mut play = falling(threads, large(Nesting::Nested), material);
    for normal in [Vec3::new(1.0, 1.0, 0.0), Vec3::new(-1.0, 1.0, 0.2)] {
        let plane = Plane { normal, offset: -0.1, friction: 0.8, restitution: 0.4 };
        play.world.add_plane(&plane).unwrap();
    }
    let id: BodyId = play.world.bodies().next().unwrap().0;
    play.before = Box::new(move |world, step| {
        let body = world.body_mut(id).unwrap();
        if step == 0 {
            (0..17).for_each(|i| body.pin(i).unwrap());
        }
        if step == 12 {
            body.unpin(16).unwrap();
            body.set_level_weights(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        }
        for i in 0..if step < 12 { 17 } else { 16 } {
            let at = body.position(i).unwrap();
            body.move_pin(i, at + Vec3::new(0.0, 0.02, 0.01)).unwrap();
        }
        body.apply_force_to(4000, Vec3::Y * 0.5).unwrap();
    });
    play
}

fn play(name: &str, threads: u32) -> Play {
    let nested = || large(Nesting::Nested);
    let goals = |goals| Material { goals, ..Material::default() };
    let strain = Some(StrainLimit { gamma: 0.02, ..StrainLimit::default() });
    match name {
        "small bodies" => small_bodies(threads, 5),
        "many bodies" => small_bodies(threads, 60),
        "a large body" => falling(threads, nested(), Material::default()),
        "violent strain limiting" => falling(threads, nested(), Material { strain, ..papers(0.3, 0.0) }),
        "quadratic goals" => falling(threads, nested(), goals(Goals::Quadratic { beta: 0.5 })),
        "linear goals" => falling(threads, nested(), goals(Goals::Linear { beta: 0.5 })),
        "independent levels" => falling(threads, large(Nesting::Independent), Material::default()),
        "pins and planes" => pins_and_planes(threads),
        _ => panic!("no scene {name}"),
    }
}

/// The state hash after each step.
fn hashes(name: &str, threads: u32) -> Vec<u64> {
    let Play { mut world, mut before } = play(name, threads);
    assert_eq!(world.threads(), threads);
    (0..STEPS)
        .map(|step| {
            before(&mut world, step);
            world.step(STEP).unwrap();
            assert!(world.bodies().all(|(_, body)| support::is_finite(body) && !body.is_frozen()), "{name}");
            world.state_hash()
        })
        .collect()
}

fn same_on_any_threads(names: &[&str]) {
    for name in names {
        let alone = hashes(name, 1);
        assert!(alone.windows(2).all(|h| h[0] != h[1]), "{name}: nothing moves");
        for threads in [2, 3, 8] {
            let many = hashes(name, threads);
            let parting = alone.iter().zip(&many).position(|(a, b)| a != b);
            assert_eq!(parting, None, "{name}: {threads} threads differ from one after this many steps");
        }
    }
}

#[test]
fn bodies_of_any_size_and_number_have_the_same_bits_on_any_threads() {
    same_on_any_threads(&["small bodies", "a large body", "many bodies"]);
}

#[test]
fn every_kind_of_material_has_the_same_bits_on_any_threads() {
    same_on_any_threads(&["violent strain limiting", "quadratic goals", "linear goals"]);
}

#[test]
fn independent_levels_pins_and_planes_have_the_same_bits_on_any_threads() {
    same_on_any_threads(&["independent levels", "pins and planes"]);
}

#[test]
fn every_scene_ends_in_the_bits_it_always_did() {
    let found = GOLDEN.map(|(name, _)| (name, *hashes(name, 2).last().unwrap()));
    if std::env::var("WOBBLE_GOLDEN").is_ok_and(|v| v == "print") {
        for (name, hash) in found {
            println!("    ({name:?}, 0x{hash:016x}),");
        }
        return;
    }
    let changed: Vec<_> = found.iter().zip(GOLDEN).filter(|(a, b)| **a != *b).map(|(a, _)| a.0).collect();
    assert!(changed.is_empty(), "{changed:?} end differently; see the top of this file if that is meant");
}

#[test]
fn strain_limiting_is_violent_in_the_scene_that_says_so() {
    let Play { mut world, .. } = play("violent strain limiting", 1);
    let mut rounds = 0;
    for _ in 0..STEPS {
        world.step(STEP).unwrap();
        rounds += world.profile().strain_rounds;
    }
    assert!(rounds > 100, "{rounds} rounds in {STEPS} steps of two parts");
}

#[test]
fn threads_may_change_between_steps_and_worlds_repeat_themselves() {
    let wanted = hashes("many bodies", 1);
    let mut play = play("many bodies", 4);
    for (step, wanted) in wanted.into_iter().enumerate() {
        play.world.set_threads(1 + step as u32 % 5).unwrap();
        play.world.step(STEP).unwrap();
        assert_eq!(play.world.state_hash(), wanted, "step {step}");
    }
}

#[test]
fn the_hash_sees_every_bit_of_the_state() {
    let Play { mut world, .. } = play("small bodies", 1);
    let id = world.bodies().next().unwrap().0;
    let before = world.state_hash();
    let place = world.body(id).unwrap().position(7).unwrap();
    let next = Vec3::new(place.x, f32::from_bits(place.y.to_bits() + 1), place.z);
    world.body_mut(id).unwrap().set_position_of(7, next).unwrap();
    assert_ne!(world.state_hash(), before);
    world.body_mut(id).unwrap().set_position_of(7, place).unwrap();
    assert_eq!(world.state_hash(), before);
    world.body_mut(id).unwrap().teleport(place, Quat::IDENTITY).unwrap();
    assert_ne!(world.state_hash(), before);
}
