//! Maps painted on particles: stiffness, damping and pins that differ from place to place.

mod scenes;
mod support;

use std::sync::Arc;

use glam::{Quat, Vec3};
use support::{Scene, is_finite, materials, papers, reach, some_turn};
use wobble::{BodyDef, Damping, Error, Goals, LevelsDef, Material, Nesting, Particles, Shape, Stiffness};

const H: f32 = 1.0 / 480.0;

fn points() -> Vec<Vec3> {
    scenes::grid(12, 6, 6, 0.1)
}

fn build(particles: &Particles, nesting: Nesting) -> Arc<Shape> {
    let def = LevelsDef { particles_per_cluster: 8, nesting, ..LevelsDef::default() };
    Shape::from_particles(particles, &def, &mut |_| true).unwrap()
}

/// A bar with what is painted as a function of the place along it, 0 to 1.
fn bar(nesting: Nesting, stiffness: impl Fn(f32) -> f32, damping: impl Fn(f32) -> f32) -> Arc<Shape> {
    let points = points();
    let along = |p: &Vec3| (p.x - points[0].x) / 1.1;
    let stiffness: Vec<f32> = points.iter().map(|p| stiffness(along(p))).collect();
    let damping: Vec<f32> = points.iter().map(|p| damping(along(p))).collect();
    let maps = (Some(&stiffness[..]), Some(&damping[..]));
    let particles = Particles { points: &points, stiffness: maps.0, damping: maps.1, ..Particles::default() };
    build(&particles, nesting)
}

fn pluck(p: Vec3) -> Vec3 {
    p + Vec3::new(p.y * p.y + 0.5 * p.z, 0.8 * p.y - p.x * p.z, -0.6 * p.z + p.x * p.y) * 0.2
}

fn apart(a: &Scene, b: &Scene) -> f32 {
    a.positions().iter().zip(b.positions()).map(|(a, b)| a.distance(b)).fold(0.0, f32::max)
}

#[test]
fn painting_a_half_everywhere_is_half_the_material() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        for material in materials(0.4, 0.1) {
            let painted = bar(nesting, |_| 0.5, |_| 0.5);
            let plain = build(&Particles { points: &points(), ..Particles::default() }, nesting);
            let half =
                Material { stiffness: Stiffness::PerStep(0.2), damping: Damping::PerStep(0.05), ..material };
            let [mut painted, mut plain] = [Scene::new(&painted, material), Scene::new(&plain, half)];
            for scene in [&mut painted, &mut plain] {
                scene.body_mut().deform(pluck).unwrap();
                scene.run(30, H);
            }
            // Rounding alone differs, and grows with the swinging.
            assert!(apart(&painted, &plain) < 1e-4, "{nesting:?} {material:?}: {}", apart(&painted, &plain));
        }
    }
}

#[test]
fn momentum_and_spin_are_kept_whatever_is_painted() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let wild = |t: f32| if ((t * 5.0) as u32).is_multiple_of(2) { 0.1 } else { 3.0 };
        let mut scene = Scene::new(&bar(nesting, wild, |t| 2.0 * t), papers(0.3, 0.1));
        scene.body_mut().deform(pluck).unwrap();
        scene.spin(Vec3::new(1.0, 2.0, 3.0));
        let before = (scene.body().momentum(), scene.body().angular_momentum());
        scene.run(1000, H);
        let after = (scene.body().momentum(), scene.body().angular_momentum());
        // The bounds of tests/conservation.rs: rounding of a thousand steps.
        assert!(before.0.distance(after.0) < 1e-4, "{nesting:?}: {before:?} to {after:?}");
        assert!(
            before.1.distance(after.1) < 5e-4 * before.1.length(),
            "{nesting:?}: {before:?} to {after:?}"
        );
    }
}

#[test]
fn energy_is_kept_without_damping() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        for goals in [Goals::Rigid, Goals::Quadratic { beta: 0.5 }] {
            let stiffness = Stiffness::Hertz(10.0);
            let material =
                Material { stiffness, damping: Damping::PerSecond(0.0), goals, ..Material::default() };
            let mut scene = Scene::new(&bar(nesting, |t| 0.2 + t, |_| 1.0), material);
            scene.body_mut().deform(pluck).unwrap();
            let held = scene.body().elastic_energy(H).unwrap();
            let mut most = 0.0f32;
            for _ in 0..480 {
                // Positions lead velocities by half a substep: take the mean of both ends.
                let before = scene.body().elastic_energy(H).unwrap();
                scene.run(1, H);
                let now = 0.5 * (before + scene.body().elastic_energy(H).unwrap());
                most = most.max((now + scene.body().kinetic_energy() - held).abs());
            }
            assert!(most < 0.01 * held, "{nesting:?} {goals:?}: {most} of {held} J");
        }
    }
}

#[test]
fn the_soft_end_gives_way_and_the_stiff_end_holds() {
    let shape = bar(Nesting::Nested, |t| if t < 0.5 { 0.1 } else { 2.0 }, |_| 1.0);
    let mut scene = Scene::new(&shape, Material::default());
    let levels = scene.body().level_weights().len();
    let finest: Vec<f32> = (0..levels).map(|l| if l == 0 { 1.0 } else { 0.0 }).collect();
    scene.body_mut().set_level_weights(&finest).unwrap();
    let rest = scene.positions();
    // The middle is held, so that both ends hang free.
    for i in (0..rest.len()).filter(|&i| rest[i].x.abs() < 0.1) {
        scene.body_mut().pin(i).unwrap();
    }
    scene.world.set_gravity(Vec3::new(0.0, -9.81, 0.0)).unwrap();
    scene.run(1200, H);
    let sag = |end: f32| {
        let here = rest.iter().zip(scene.positions()).filter(|(r, _)| r.x * end > 0.5);
        let sags: Vec<f32> = here.map(|(r, p)| r.y - p.y).collect();
        sags.iter().sum::<f32>() / sags.len() as f32
    };
    let (soft, stiff) = (sag(-1.0), sag(1.0));
    // Twenty times softer; the clusters over the middle are in between.
    assert!(soft > 5.0 * stiff && stiff > 0.0, "the soft end sags by {soft}, the stiff one by {stiff}");
}

#[test]
fn extreme_paint_stays_bounded() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        for material in materials(2.0, 1.0) {
            let mut scene =
                Scene::new(&bar(nesting, |t| if t < 0.5 { 1e6 } else { 0.0 }, |t| 1e6 * t), material);
            scene.body_mut().deform(pluck).unwrap();
            scene.run(1000, 1.0 / 60.0);
            assert!(is_finite(scene.body()) && reach(scene.body()) < 3.0, "{nesting:?} {material:?}");
        }
    }
}

#[test]
fn painted_pins_hold_a_new_body_and_move_with_it() {
    let points = points();
    let pin: Vec<f32> = points.iter().map(|p| if p.x < points[0].x + 0.05 { 0.5 } else { 0.4 }).collect();
    let shape =
        build(&Particles { points: &points, pin: Some(&pin), ..Particles::default() }, Nesting::Nested);
    let def = BodyDef { position: Vec3::new(0.0, 5.0, 0.0), velocity: Vec3::X, ..BodyDef::default() };
    let mut scene = Scene::with(&shape, &def);
    let start = scene.positions();
    assert_eq!(scene.body().pins().count(), 36);
    scene.world.set_gravity(Vec3::new(0.0, -9.81, 0.0)).unwrap();
    scene.run(60, 1.0 / 60.0);
    for (i, (now, then)) in scene.positions().iter().zip(&start).enumerate() {
        assert_eq!(pin[i] >= 0.5, now == then, "particle {i}");
    }
    scene.body_mut().teleport(Vec3::ZERO, Quat::IDENTITY).unwrap();
    let placed = scene.positions();
    scene.run(10, 1.0 / 60.0);
    let held = |i: usize| scene.positions()[i] == placed[i];
    assert!((0..points.len()).all(|i| pin[i] < 0.5 || held(i)));
}

#[test]
fn a_rigidly_moved_painted_body_stays_as_it_is() {
    let def = BodyDef { position: Vec3::X, rotation: some_turn(2.0), ..BodyDef::default() };
    let mut scene = Scene::with(&bar(Nesting::Nested, |t| 3.0 * t, |t| 1.0 - t), &def);
    let before = scene.positions();
    scene.run(10, 1.0 / 60.0);
    let moved = before.iter().zip(scene.positions()).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
    // A rounding error of a metre's last digit in each step.
    assert!(moved < 2e-6, "moved by {moved} m");
}

#[test]
fn maps_that_cannot_be_are_refused_by_name() {
    let points = points();
    let build = |particles: Particles| {
        Shape::from_particles(&Particles { points: &points, ..particles }, &LevelsDef::default(), &mut |_| {
            true
        })
    };
    for value in [-0.1, f32::NAN, f32::INFINITY, 1e7] {
        let mut map = vec![1.0; points.len()];
        map[3] = value;
        let of = |e: Result<Arc<Shape>, Error>| match e {
            Err(Error::Element { field, index: 3, .. }) => field,
            other => panic!("{value}: {other:?}"),
        };
        assert_eq!(of(build(Particles { stiffness: Some(&map), ..Particles::default() })), "stiffness");
        assert_eq!(of(build(Particles { damping: Some(&map), ..Particles::default() })), "damping");
        assert_eq!(of(build(Particles { pin: Some(&map), ..Particles::default() })), "pin");
    }
    let short = build(Particles { pin: Some(&[1.0; 3]), ..Particles::default() });
    assert!(matches!(short, Err(Error::Length { field: "pin", got: 3, .. })));
}
