//! Deformation that lasts: how much of a bend stays, and what must not change with it.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use support::{Scene, is_finite, positions, shape, velocities};
use wobble::{
    BodyDef, Damping, Error, Goals, Material, Nesting, Plane, Plasticity, Shape, StrainLimit, World, WorldDef,
};

const STEP: f32 = 1.0 / 60.0;
/// Particles along, across and deep; metres apart.
const BAR: (usize, usize, usize, f32) = (31, 7, 7, 1.0 / 30.0);

fn bar(nesting: Nesting) -> &'static Arc<Shape> {
    static SHAPES: OnceLock<[Arc<Shape>; 2]> = OnceLock::new();
    let (nx, ny, nz, spacing) = BAR;
    let make = |n| shape(&scenes::grid(nx, ny, nz, spacing), 20, n);
    &SHAPES.get_or_init(|| [Nesting::Nested, Nesting::Independent].map(make))
        [usize::from(nesting == Nesting::Independent)]
}

/// Particles of the slice number `x`, counted from the left.
fn slice(x: usize) -> std::ops::Range<usize> {
    let across = BAR.1 * BAR.2;
    x * across..(x + 1) * across
}

/// How far the middle of the bar lies off the line between its ends, metres.
fn bend(at: &[Vec3]) -> f32 {
    let middle = |x: usize| slice(x).map(|i| at[i]).sum::<Vec3>() / slice(x).len() as f32;
    let (left, right) = (middle(0), middle(BAR.0 - 1));
    let along = (right - left).normalize();
    (middle(BAR.0 / 2) - left).reject_from(along).length()
}

fn plastic(yield_strain: f32) -> Plasticity {
    Plasticity { yield_strain, ..Plasticity::default() }
}

fn bar_with(nesting: Nesting, plasticity: Option<Plasticity>) -> Scene {
    let material = Material { damping: Damping::PerSecond(20.0), ..Material::default() };
    let mut scene = Scene::new(bar(nesting), material);
    scene.world.set_substeps(4).unwrap();
    scene.body_mut().set_plasticity(plasticity).unwrap();
    scene
}

/// Bends a bar to an arc of `angle` in half a second, every particle held, waits, lets it go and waits again.
/// Returns the bend before and after.
fn bent(scene: &mut Scene, angle: f32) -> (f32, f32) {
    let at_rest = scene.positions();
    (0..at_rest.len()).for_each(|i| scene.body_mut().pin(i).unwrap());
    for step in 1..=42 {
        let curvature = angle * (step as f32 / 30.0).min(1.0);
        for (i, at) in at_rest.iter().enumerate() {
            // Lines across the bar stay straight and square to its axis, which keeps its length.
            let turn = Quat::from_rotation_z(-curvature * at.x);
            let axis = Vec3::new((curvature * at.x).sin(), (curvature * at.x).cos() - 1.0, 0.0) / curvature;
            scene.body_mut().move_pin(i, axis + turn * at.with_x(0.0)).unwrap();
        }
        scene.run(1, STEP);
    }
    let held = bend(&scene.positions());
    (0..at_rest.len()).for_each(|i| scene.body_mut().unpin(i).unwrap());
    scene.run(240, STEP);
    (held, bend(&scene.positions()))
}

fn kept(plasticity: Plasticity) -> f32 {
    let (held, kept) = bent(&mut bar_with(Nesting::Nested, Some(plasticity)), 1.2);
    kept / held
}

#[test]
fn a_bar_bent_past_its_yield_keeps_most_of_the_bend_and_the_more_the_sooner_it_yields() {
    let shares = [0.01, 0.02, 0.04].map(|yield_strain| kept(plastic(yield_strain)));
    println!("kept of a bend: {shares:?}");
    assert!(shares.is_sorted_by(|a, b| a > b), "{shares:?}");
    assert!(shares[..2].iter().all(|share| (0.6..=0.95).contains(share)), "{shares:?}");
}

#[test]
fn a_bar_bent_less_than_its_yield_keeps_nothing() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let mut scene = bar_with(nesting, Some(plastic(0.3)));
        let (held, kept) = bent(&mut scene, 0.8);
        assert!(held > 0.08 && kept < 1e-3, "{nesting:?}: {kept} of {held}");
        assert_eq!(scene.body().lasting_strain(), 0.0);
    }
}

#[test]
fn hardening_softening_the_limit_and_recovery_change_how_much_is_kept() {
    let plain = kept(plastic(0.04));
    let hard = kept(Plasticity { hardening: 2.0, ..plastic(0.04) });
    let soft = kept(Plasticity { hardening: -2.0, ..plastic(0.04) });
    assert!(hard < plain - 0.03 && plain + 0.03 < soft, "{hard}, {plain}, {soft}");
    let limited = Plasticity { limit: 0.02, ..plastic(0.02) };
    let mut scene = bar_with(Nesting::Nested, Some(limited));
    bent(&mut scene, 1.2);
    let strain = scene.body().lasting_strain();
    assert!((0.019..=0.0201).contains(&strain), "{strain}");
    let forgetful = kept(Plasticity { recovery: 2.0, ..plastic(0.02) });
    assert!(forgetful < 0.02, "{forgetful}");
}

#[test]
fn coarse_levels_that_do_not_follow_bring_the_outline_back() {
    let mut scene = bar_with(Nesting::Nested, Some(plastic(0.02)));
    for level in 1..scene.body().shape().levels().len() {
        scene.body_mut().set_level_flow(level, 0.0).unwrap();
    }
    let (held, kept) = bent(&mut scene, 1.2);
    assert!(kept < 0.3 * held && scene.body().lasting_strain() > 0.0, "{kept} of {held}");
    assert!(matches!(scene.body_mut().set_level_flow(0, 1.5), Err(Error::Value { .. })));
    assert!(matches!(scene.body_mut().set_level_flow(9, 0.5), Err(Error::Index { .. })));
}

#[test]
fn what_lasts_keeps_volume_momentum_and_energy() {
    let mut scene = bar_with(Nesting::Nested, Some(plastic(0.01)));
    bent(&mut scene, 1.2);
    let volume = scene.body().volume();
    assert!((volume - 1.0).abs() < 0.01, "{volume}");
    // Stretched and twisted as a whole, it swings back while it yields, in free flight.
    let twisted = |p: Vec3| Quat::from_rotation_x(2.0 * p.x) * (p * Vec3::new(1.3, 0.9, 0.9));
    scene.body_mut().deform(twisted).unwrap();
    scene.spin(Vec3::new(0.0, 1.0, 2.0));
    let state = |scene: &Scene| {
        let (body, centre) = (scene.body(), scene.body().centre_of_mass());
        let each = positions(body).into_iter().zip(velocities(body));
        let mass = body.shape().masses()[0];
        each.fold((Vec3::ZERO, Vec3::ZERO), |(p, l), (x, v)| (p + v * mass, l + (x - centre).cross(v) * mass))
    };
    let before = state(&scene);
    let mut energy = f32::INFINITY;
    for _ in 0..30 {
        scene.run(4, STEP);
        let now = scene.body().kinetic_energy() + scene.body().elastic_energy(STEP / 4.0).unwrap();
        assert!(now < 1.02 * energy, "{now} after {energy}");
        energy = now;
    }
    let after = state(&scene);
    assert!((after.0 - before.0).length() < 1e-5, "{before:?} became {after:?}");
    assert!((after.1 - before.1).length() < 1e-3 * before.1.length(), "{before:?} became {after:?}");
}

#[test]
fn resetting_gives_the_undented_shape_back_and_teleporting_does_not() {
    let mut scene = bar_with(Nesting::Nested, Some(plastic(0.01)));
    let (_, kept) = bent(&mut scene, 1.2);
    scene.body_mut().teleport(Vec3::Y * 3.0, Quat::from_rotation_y(0.7)).unwrap();
    let there = bend(&scene.positions());
    assert!((there - kept).abs() < 0.1 * kept, "{there} instead of {kept}");
    scene.run(60, STEP);
    let later = bend(&scene.positions());
    assert!((later - kept).abs() < 0.1 * kept, "{later} instead of {kept}");
    scene.body_mut().reset();
    assert!(bend(&scene.positions()) < 1e-5 && scene.body().lasting_strain() == 0.0);
    scene.run(60, STEP);
    assert!(bend(&scene.positions()) < 1e-4);
}

#[test]
fn plasticity_can_be_taken_away_and_the_dent_stays() {
    let mut scene = bar_with(Nesting::Nested, Some(plastic(0.01)));
    let (_, kept) = bent(&mut scene, 1.2);
    scene.body_mut().set_plasticity(None).unwrap();
    let strain = scene.body().lasting_strain();
    scene.run(30, STEP);
    assert!(strain > 0.0 && scene.body().lasting_strain() == strain && scene.body().plasticity().is_none());
    assert!(bend(&scene.positions()) > 0.9 * kept);
}

/// A ball with all that lasts, hurled at the ground.
fn hurled(threads: u32, nesting: Nesting, strain: bool) -> World {
    let ball = shape(&scenes::grid(17, 17, 17, 0.06), 20, nesting);
    let mut world = World::new(&WorldDef { threads, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane::default()).unwrap();
    let strain = strain.then(StrainLimit::default);
    let goals = if strain.is_some() { Goals::Linear { beta: 0.3 } } else { Goals::Rigid };
    let material = Material { strain, goals, ..Material::default() };
    let (position, velocity) = (Vec3::Y * 0.7, Vec3::new(2.0, -12.0, 0.0));
    let id = world.add_body(&ball, &BodyDef { position, velocity, material, ..BodyDef::default() }).unwrap();
    let rule = Plasticity { hardening: 0.5, recovery: 0.1, ..plastic(0.02) };
    world.body_mut(id).unwrap().set_plasticity(Some(rule)).unwrap();
    world
}

#[test]
fn dents_are_the_same_on_any_number_of_threads() {
    for (nesting, strain) in
        [(Nesting::Nested, false), (Nesting::Nested, true), (Nesting::Independent, false)]
    {
        let hashes = [1, 2, 3].map(|threads| {
            let mut world = hurled(threads, nesting, strain);
            let mut step = |_| {
                world.step(STEP).unwrap();
                world.state_hash()
            };
            (0..24).map(&mut step).collect::<Vec<_>>()
        });
        assert!(hashes[0] == hashes[1] && hashes[0] == hashes[2], "{nesting:?}");
    }
}

#[test]
fn a_snapshot_of_a_dented_body_goes_on_bit_for_bit() {
    for (nesting, strain) in
        [(Nesting::Nested, false), (Nesting::Nested, true), (Nesting::Independent, false)]
    {
        let mut world = hurled(1, nesting, strain);
        (0..7).for_each(|_| world.step(STEP).unwrap());
        let (id, body) = world.bodies().next().unwrap();
        assert!(body.lasting_strain() > 0.01 && is_finite(body), "{}", body.lasting_strain());
        let (snapshot, shape) = (world.snapshot(), body.shape().clone());
        let mut other = World::new(&WorldDef { threads: 2, ..WorldDef::default() }).unwrap();
        other.restore(&snapshot, &[shape]).unwrap();
        let copy = world.body(id).unwrap().clone();
        assert_eq!(copy.lasting_strain(), world.body(id).unwrap().lasting_strain());
        for _ in 0..20 {
            world.step(STEP).unwrap();
            other.step(STEP).unwrap();
            assert_eq!(world.state_hash(), other.state_hash());
        }
        world.restore(&snapshot, &[]).unwrap();
        assert_eq!(world.snapshot(), snapshot);
    }
}

#[test]
fn a_body_that_never_yields_moves_as_one_without_plasticity() {
    let run = |plasticity: Option<Plasticity>| {
        let mut scene = bar_with(Nesting::Nested, plasticity);
        scene.body_mut().deform(|p| p * Vec3::new(1.1, 0.95, 1.0)).unwrap();
        scene.run(20, STEP);
        scene.positions()
    };
    // Coarse pulls are added up in another order.
    let pairs = run(None).into_iter().zip(run(Some(plastic(9.0))));
    let apart = pairs.map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
    assert!(apart < 1e-5, "{apart}");
}

#[test]
fn what_cannot_be_is_refused() {
    let mut scene = bar_with(Nesting::Nested, None);
    for wrong in [
        Plasticity { yield_strain: -0.1, ..Plasticity::default() },
        Plasticity { flow: f32::NAN, ..Plasticity::default() },
        Plasticity { hardening: 1e3, ..Plasticity::default() },
        Plasticity { limit: 11.0, ..Plasticity::default() },
        Plasticity { recovery: -1.0, ..Plasticity::default() },
    ] {
        assert!(matches!(scene.body_mut().set_plasticity(Some(wrong)), Err(Error::Value { .. })));
    }
    let quadratic = Material { goals: Goals::Quadratic { beta: 0.5 }, ..Material::default() };
    scene.body_mut().set_material(quadratic).unwrap();
    assert!(scene.body_mut().set_plasticity(Some(Plasticity::default())).is_err());
    scene.body_mut().set_material(Material::default()).unwrap();
    scene.body_mut().set_plasticity(Some(Plasticity::default())).unwrap();
    assert!(scene.body_mut().set_material(quadratic).is_err());
    assert_eq!(scene.body().plasticity(), Some(Plasticity::default()));
}
