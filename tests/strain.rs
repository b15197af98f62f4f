//! Strain limiting (SL): no effect where none is needed, a bound where it is.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::Vec3;
use support::reference::largest_strain;
use support::{Scene, papers, shape, velocities};
use wobble::{BodyDef, Material, Nesting, Rotation, Shape, Stiffness, StrainLimit, Towards, Weighting};

const STEP: f32 = 1.0 / 60.0;

/// 8 by 8 by 8 points, n = 15: levels of 34, 4 and 1.
fn cube() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| shape(&scenes::grid(8, 8, 8, 0.14), 15, Nesting::Nested))
}

fn limited(material: Material, gamma: f32, rounds: u32) -> Material {
    Material { strain: Some(StrainLimit { gamma, rounds, ..StrainLimit::default() }), ..material }
}

/// A cube in free flight, struck at one corner hard enough to send that particle off at 60 m/s.
fn struck(material: Material) -> Scene {
    let mut scene = Scene::new(cube(), material);
    let mass = scene.body().shape().mass() / 512.0;
    scene.body_mut().apply_impulse_to(0, Vec3::new(-1.0, 0.5, 0.2).normalize() * (60.0 * mass)).unwrap();
    scene
}

#[test]
fn a_limit_that_nothing_reaches_changes_no_bit() {
    let (mut free, mut idle) = (struck(papers(0.7, 0.1)), struck(limited(papers(0.7, 0.1), 1e6, 5)));
    for step in 0..100 {
        free.run(1, STEP);
        idle.run(1, STEP);
        assert_eq!(free.world.state_hash(), idle.world.state_hash(), "step {step}");
        assert_eq!(idle.world.profile().strain_rounds, 0);
    }
}

#[test]
fn rounds_that_are_not_needed_are_not_run_and_change_no_bit() {
    // Over-relaxed, so that rounds end inside the bound and not ever closer to it from outside.
    let start = |rounds| {
        let strain = Some(StrainLimit { gamma: 0.4, omega: 1.3, rounds });
        struck(Material { strain, ..papers(0.7, 0.1) })
    };
    let (mut few, mut many) = (start(40), start(64));
    let mut most = 0;
    for step in 0..60 {
        few.run(1, STEP);
        many.run(1, STEP);
        let rounds = few.world.profile().strain_rounds;
        most = most.max(rounds);
        assert!(rounds < 40, "step {step} did not end early: {rounds} rounds");
        assert_eq!(few.world.state_hash(), many.world.state_hash(), "step {step}");
    }
    assert!(most > 0, "nothing was limited");
}

#[test]
fn a_struck_cube_is_not_strained_beyond_the_limit() {
    let gamma = 0.3f32;
    let peak = |material| {
        let mut scene = struck(material);
        (0..30).fold(0.0f64, |peak, _| {
            scene.run(1, STEP);
            peak.max(largest_strain(scene.body(), Rotation::Momentum))
        })
    };
    let (free, bounded) = (peak(papers(0.5, 0.0)), peak(limited(papers(0.5, 0.0), gamma, 64)));
    println!("largest strain: free {free:.3}, limited to {gamma}: {bounded:.3}");
    assert!(free > 2.0 * f64::from(gamma), "the blow was too soft to tell: {free}");
    // Jacobi rounds approach the bound from outside.
    assert!(bounded < 1.02 * f64::from(gamma), "{bounded}");
}

#[test]
fn more_rounds_leave_less_strain() {
    let left = [1, 4, 16, 64].map(|rounds| {
        let mut scene = struck(limited(papers(0.5, 0.0), 0.1, rounds));
        scene.run(1, STEP);
        largest_strain(scene.body(), Rotation::Momentum)
    });
    println!("strain left after 1, 4, 16, 64 rounds: {left:.3?}");
    assert!(left.windows(2).all(|s| s[1] <= s[0]), "{left:?}");
}

#[test]
fn strain_limiting_keeps_linear_momentum_in_free_flight() {
    for gamma in [0.0, 0.05, 0.3] {
        let mut scene = struck(limited(papers(0.5, 0.1), gamma, 5));
        let before = scene.body().momentum();
        let mut rounds = 0;
        for _ in 0..100 {
            scene.run(1, STEP);
            rounds += scene.world.profile().strain_rounds;
            let drift = scene.body().momentum().distance(before) / before.length();
            // Corrections of 1 m in 1/60 s round by 4e-6 m/s a round, against a drift of 0.1 m/s of the
            // whole; a bound that simply took the stray corner back would take all of it.
            assert!(drift < 1e-3, "γ = {gamma}: {drift}");
        }
        assert!(rounds > 0, "γ = {gamma}: nothing was limited");
    }
}

#[test]
fn pinned_particles_are_not_moved_by_strain_limiting() {
    let mut scene = Scene::new(cube(), limited(papers(0.5, 0.1), 0.05, 10));
    scene.world.set_gravity(Vec3::NEG_Y * 30.0).unwrap();
    scene.body_mut().pin(0).unwrap();
    let held = scene.positions()[0];
    let mut rounds = 0;
    for _ in 0..60 {
        scene.run(1, STEP);
        rounds += scene.world.profile().strain_rounds;
        assert_eq!(scene.positions()[0], held);
        assert_eq!(velocities(scene.body())[0], Vec3::ZERO);
    }
    assert!(rounds > 0, "nothing was limited");
}

#[test]
fn strain_limiting_does_not_push_a_body_into_the_ground() {
    // What the corrections of the touching layer give, the whole body takes back.
    let limits = [(0.05, 1.0, 5), (0.28, 1.5, 1), (0.0, 1.0, 3)];
    let lowest = limits.map(|(gamma, omega, rounds)| {
        let strain = Some(StrainLimit { gamma, omega, rounds });
        let material = Material { strain, ..papers(1.0, 0.1) };
        let (position, velocity) = (Vec3::Y, Vec3::new(3.0, -15.0, 1.0));
        let mut scene =
            Scene::on_ground(cube(), &BodyDef { position, velocity, material, ..BodyDef::default() });
        (0..120).fold(0.0f32, |lowest, _| {
            scene.run(1, STEP);
            lowest.min(scene.body().bounds().0.y)
        })
    });
    assert!(lowest.iter().all(|y| *y > -1e-4), "{lowest:?} m below the ground with {limits:?}");
}

/// Corrections of some members of a cluster have no reaction of their own; what they would give
/// the body of spin has to be taken back, or a ball whose limit is active at rest rolls for ever.
#[test]
fn a_soft_ball_that_its_limit_holds_up_comes_to_rest() {
    let ball = shape(&scenes::ball(0.5, 0.07), 20, Nesting::Nested);
    let material = Material { stiffness: Stiffness::Hertz(10.0), ..limited(Material::default(), 0.3, 5) };
    let def = BodyDef { position: Vec3::new(0.0, 1.5, 0.0), material, ..BodyDef::default() };
    let mut scene = Scene::on_ground(&ball, &def);
    scene.body_mut().set_weighting(&Weighting::Gaussian { towards: Towards::Fine }).unwrap();
    scene.run(15 * 60, STEP);
    let there = scene.body().centre_of_mass();
    scene.run(5 * 60, STEP);
    let way = scene.body().centre_of_mass().distance(there);
    println!("in 5 s it moves {way:.3} m, with {:.5} J", scene.body().kinetic_energy());
    assert!(scene.world.profile().strain_rounds > 0, "the limit has to be active");
    // Unbalanced it rolls 3.8 m with 0.5 J.
    assert!(way < 0.1 && scene.body().kinetic_energy() < 0.005);
}

#[test]
fn a_contact_during_strain_limiting_leaves_the_marks_of_pins_alone() {
    let def = BodyDef {
        position: Vec3::Y * 0.6,
        material: limited(papers(0.3, 0.0), 0.02, 5),
        ..BodyDef::default()
    };
    let mut scene = Scene::on_ground(cube(), &def);
    for step in 0..200 {
        scene.run(1, STEP);
        assert!(scene.body().raw_positions().iter().all(|x| x.w == 1.0), "step {step}");
    }
}
