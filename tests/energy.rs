//! The energy of deformation is the potential of the pull to the goals.

mod scenes;
mod support;

use std::sync::Arc;

use glam::Vec3;
use support::{Scene, materials, papers, shape, some_turn};
use wobble::{BodyDef, Damping, Goals, Material, Nesting, Rotation, Shape, Stiffness};

const H: f32 = 1.0 / 480.0;

/// 8 by 8 by 8 points, 1 kg, about 1 m wide: three levels.
fn cube(nesting: Nesting) -> Arc<Shape> {
    let shape = shape(&scenes::grid(8, 8, 8, 0.15), 8, nesting);
    assert_eq!(shape.levels().len(), 3);
    shape
}

fn undamped(hertz: f32) -> Material {
    Material { stiffness: Stiffness::Hertz(hertz), damping: Damping::PerSecond(0.0), ..Material::default() }
}

fn energy(scene: &Scene) -> f32 {
    scene.body().elastic_energy(H).unwrap()
}

/// A gentle bend, stretch and shear about the origin.
fn pluck(size: f32) -> impl Fn(Vec3) -> Vec3 {
    move |p| p + Vec3::new(p.y * p.y + 0.5 * p.z, 0.8 * p.y - p.x * p.z, -0.6 * p.z + p.x * p.y) * size
}

#[test]
fn a_rigidly_moved_body_holds_none() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        for material in materials(1.0, 0.0) {
            let (position, rotation) = (Vec3::new(3.0, -2.0, 1.0), some_turn(2.5));
            let def = BodyDef { position, rotation, material, ..BodyDef::default() };
            let scene = Scene::with(&cube(nesting), &def);
            // A stretch by a thousandth holds 0.01 J here.
            assert!(energy(&scene) < 1e-7, "{nesting:?} {material:?}: {}", energy(&scene));
        }
    }
}

#[test]
fn it_grows_with_the_square_of_a_small_stretch() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        for goals in [Goals::Rigid, Goals::Linear { beta: 0.6 }, Goals::Quadratic { beta: 0.6 }] {
            let at = |size: f32| {
                let mut scene = Scene::new(&cube(nesting), Material { goals, ..undamped(20.0) });
                scene.body_mut().deform(pluck(size)).unwrap();
                energy(&scene)
            };
            let (one, two) = (at(0.01), at(0.02));
            assert!((two / one - 4.0).abs() < 0.1, "{nesting:?} {goals:?}: {one} and {two}");
        }
    }
}

#[test]
fn one_stretched_cluster_holds_what_its_springs_do() {
    let points = scenes::grid(4, 4, 4, 0.2);
    let mut scene = Scene::new(&support::single_cluster(&points, None), undamped(10.0));
    scene.body_mut().deform(|p| Vec3::new(p.x, p.y * 1.1, p.z)).unwrap();
    let squares: f32 = points.iter().map(|p| (0.1 * p.y).powi(2)).sum::<f32>() / points.len() as f32;
    let expected = 0.5 * (std::f32::consts::TAU * 10.0).powi(2) * squares;
    assert!((energy(&scene) / expected - 1.0).abs() < 1e-3, "{} is not {expected}", energy(&scene));
    scene.body_mut().set_level_stiffness(0, 0.5).unwrap();
    assert!((energy(&scene) / expected - 0.5).abs() < 1e-3, "half the stiffness, half the energy");
}

/// Lets go of a plucked body and returns by which share of the energy at first the sum of both
/// kinds changes in one second, velocities taken in the middle between two substeps.
fn lost(nesting: Nesting, material: Material) -> f32 {
    let mut scene = Scene::new(&cube(nesting), material);
    scene.body_mut().deform(pluck(0.05)).unwrap();
    let first = energy(&scene);
    let (mut before, mut elastic, mut worst, mut least) = (0.0, first, 0.0f32, first);
    for _ in 0..480 {
        scene.run(1, H);
        let after = scene.body().kinetic_energy();
        worst = worst.max((elastic + 0.5 * (before + after) - first).abs());
        (before, elastic) = (after, energy(&scene));
        least = least.min(elastic);
    }
    assert!(least < 0.5 * first, "{nesting:?} {material:?}: it does not swing");
    worst / first
}

#[test]
fn kinetic_and_elastic_energy_of_a_plucked_body_sum_up_to_a_constant() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        for goals in [Goals::Rigid, Goals::Quadratic { beta: 0.6 }] {
            let share = lost(nesting, Material { goals, ..undamped(10.0) });
            println!("{nesting:?} {goals:?}: {share:.4}");
            assert!(share < 0.02, "{nesting:?} {goals:?}: {share}");
        }
        for (rotation, goals) in
            [(Rotation::Stretch, Goals::Rigid), (Rotation::Momentum, Goals::Linear { beta: 0.6 })]
        {
            let share = lost(nesting, Material { rotation, goals, ..undamped(10.0) });
            println!("{nesting:?} {rotation:?} {goals:?}: {share:.4}");
            assert!(share < 0.1, "no potential's gradient, but nearly: {rotation:?} {goals:?}: {share}");
        }
    }
}

#[test]
fn per_step_stiffness_asks_for_the_substep_and_hertz_do_not() {
    let stretched = |material: Material| {
        let mut scene = Scene::new(&cube(Nesting::Nested), material);
        scene.body_mut().deform(pluck(0.05)).unwrap();
        [H, 2.0 * H].map(|h| scene.body().elastic_energy(h).unwrap())
    };
    let [fine, coarse] = stretched(papers(0.5, 0.0));
    assert!((fine / coarse - 4.0).abs() < 1e-4, "{fine} and {coarse}");
    let [fine, coarse] = stretched(undamped(10.0));
    assert!((fine / coarse - 1.0).abs() < 1e-5, "{fine} and {coarse}");
}

#[test]
fn bodies_without_particles_or_extent_hold_none_and_bad_substeps_are_refused() {
    for points in [vec![], vec![Vec3::X], vec![Vec3::X; 5]] {
        let scene = Scene::new(&support::shape(&points, 15, Nesting::Nested), undamped(10.0));
        assert!(energy(&scene) < 1e-9);
        for h in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(scene.body().elastic_energy(h).unwrap_err().to_string().starts_with("h is "));
        }
    }
}
