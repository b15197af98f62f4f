//! Planes: bodies rest on them, slide by their friction, bounce by their restitution.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use support::{Scene, is_finite, shape};
use wobble::{BodyDef, Nesting, Plane, Shape, Surface};

const STEP: f32 = 1.0 / 60.0;

fn cube() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| shape(&scenes::grid(5, 5, 5, 0.2), 15, Nesting::Nested))
}

/// A cube that lies on a slope of `degrees`, four substeps as by default, after 3 s: how far it
/// went down the slope, and how fast it still goes.
fn slide(degrees: f32, friction: f32) -> (f32, f32) {
    let turn = Quat::from_rotation_z(-degrees.to_radians());
    let (normal, down) = (turn * Vec3::Y, turn * Vec3::X);
    let surface = Surface { friction, ..Surface::default() };
    let def = BodyDef { position: normal * 0.4, rotation: turn, surface, ..BodyDef::default() };
    let mut scene = Scene::with(cube(), &def);
    scene.world.set_gravity(Vec3::NEG_Y * 9.81).unwrap();
    scene.world.set_substeps(4).unwrap();
    scene.world.add_plane(&Plane { normal, friction, ..Plane::default() }).unwrap();
    scene.run(180, STEP);
    (scene.body().centre_of_mass().dot(down), scene.body().momentum().dot(down))
}

#[test]
fn friction_holds_on_a_gentle_slope_and_not_on_a_steep_one() {
    // tan 15° = 0.27 is less than 0.5, tan 40° = 0.84 is more.
    let (still, speed) = slide(15.0, 0.5);
    println!("15°, friction 0.5: {still:.4} m in 3 s, {speed:.4} m/s");
    assert!(still.abs() < 0.05 && speed.abs() < 0.01, "{still} m, {speed} m/s");
    let (slid, speed) = slide(40.0, 0.5);
    // g (sin 40° - 0.5 cos 40°) = 2.55 m/s².
    println!("40°, friction 0.5: {slid:.2} m in 3 s, {speed:.2} m/s");
    assert!((slid - 0.5 * 2.55 * 9.0).abs() < 0.15 * 11.5, "{slid} m");
    assert!((speed - 2.55 * 3.0).abs() < 0.15 * 7.65, "{speed} m/s");
}

#[test]
fn without_friction_a_body_slides_by_gravity_alone() {
    let (slid, _) = slide(15.0, 0.0);
    let wanted = 0.5 * 9.81 * 15f32.to_radians().sin() * 9.0;
    assert!((slid - wanted).abs() < 0.02 * wanted, "{slid} m for {wanted} m");
}

/// How high the foot of a dropped cube comes after its first contact, over the drop.
fn rebound(restitution: f32) -> f32 {
    let surface = Surface { restitution, ..Surface::default() };
    let def = BodyDef { position: Vec3::Y * 1.4, surface, ..BodyDef::default() };
    let mut scene = Scene::with(cube(), &def);
    scene.world.set_gravity(Vec3::NEG_Y * 9.81).unwrap();
    scene.world.set_substeps(4).unwrap();
    scene.world.add_plane(&Plane { restitution, ..Plane::default() }).unwrap();
    let (mut touched, mut highest) = (false, 0.0f32);
    for _ in 0..90 {
        scene.run(1, STEP);
        let foot = scene.body().bounds().0.y;
        touched |= foot < 0.02;
        if touched {
            highest = highest.max(foot);
        }
    }
    assert!(touched, "it did not come down");
    highest
}

#[test]
fn restitution_makes_a_body_bounce() {
    let [dead, half, full] = [0.0, 0.5, 1.0].map(rebound);
    println!(
        "foot after the first contact with restitution 0, 0.5, 1: {dead:.3}, {half:.3}, {full:.3} m of 1"
    );
    assert!(dead < half && half < full, "{dead}, {half}, {full}");
    assert!(full > 0.4, "a plane of restitution 1 returns {full} m of 1");
    // No more than it fell from.
    assert!(full < 1.02, "{full}");
}

#[test]
fn a_body_in_a_corner_of_several_planes_comes_to_rest_inside_all() {
    let def = BodyDef {
        position: Vec3::new(1.0, 1.5, 1.0),
        velocity: Vec3::new(-3.0, 0.0, -2.0),
        ..BodyDef::default()
    };
    let mut scene = Scene::on_ground(cube(), &def);
    scene.world.set_substeps(4).unwrap();
    for normal in [Vec3::X, Vec3::Z] {
        scene.world.add_plane(&Plane { normal, ..Plane::default() }).unwrap();
    }
    for _ in 0..480 {
        scene.run(1, STEP);
        let low = scene.body().bounds().0;
        assert!(low.min_element() > -1e-5, "it went into a wall: {low}");
    }
    let speed = (2.0 * scene.body().kinetic_energy()).sqrt();
    assert!(speed < 0.01, "it still moves, {speed} m/s");
    assert!(scene.body().shape_error() < 0.05, "{}", scene.body().shape_error());
}

#[test]
fn a_body_rests_on_the_ground_at_its_full_height() {
    let mut scene = Scene::on_ground(cube(), &BodyDef { position: Vec3::Y * 0.9, ..BodyDef::default() });
    scene.world.set_substeps(4).unwrap();
    scene.run(300, STEP);
    let (low, high) = scene.body().bounds();
    println!("height {:.4} of 0.8 m, error {:.4}", high.y - low.y, scene.body().shape_error());
    assert!((low.y).abs() < 1e-3, "its foot is at {}", low.y);
    assert!(high.y - low.y > 0.95 * 0.8, "it sank to {}", high.y - low.y);
    assert!((2.0 * scene.body().kinetic_energy()).sqrt() < 1e-3, "{} J", scene.body().kinetic_energy());
}

#[test]
fn a_plane_takes_normals_of_any_length_and_goes_when_removed() {
    let mut scene = Scene::with(cube(), &BodyDef { position: Vec3::Y, ..BodyDef::default() });
    scene.world.set_gravity(Vec3::NEG_Y * 9.81).unwrap();
    let plane = Plane { normal: Vec3::Y * 100.0, offset: 0.25, ..Plane::default() };
    let ground = scene.world.add_plane(&plane).unwrap();
    scene.run(240, STEP);
    assert!((scene.body().bounds().0.y - 0.25).abs() < 1e-3, "{}", scene.body().bounds().0.y);
    scene.world.remove_collider(ground).unwrap();
    scene.run(60, STEP);
    assert!(scene.body().bounds().1.y < 0.0, "it hangs in the air");
}

#[test]
fn opposing_planes_too_close_for_the_body_do_not_break_it() {
    let mut scene = Scene::on_ground(cube(), &BodyDef { position: Vec3::Y * 0.4, ..BodyDef::default() });
    scene.world.add_plane(&Plane { normal: Vec3::NEG_Y, offset: -0.3, ..Plane::default() }).unwrap();
    scene.run(300, STEP);
    assert!(is_finite(scene.body()) && !scene.body().is_frozen());
    // The one met last wins by no more than the other asks for.
    let (low, high) = scene.body().bounds();
    assert!(high.y < 0.3 + 1e-4 && low.y > -0.5, "{low} to {high}");
}

#[test]
fn a_ball_bounces_on_dead_ground_and_nothing_holds_on_ice() {
    let rebound = |body: f32, ground: f32| {
        let surface = Surface { restitution: body, ..Surface::default() };
        let def = BodyDef { position: Vec3::Y * 1.5, surface, ..BodyDef::default() };
        let mut scene = Scene::with(cube(), &def);
        scene.world.set_gravity(Vec3::NEG_Y * 9.81).unwrap();
        scene.world.add_plane(&Plane { restitution: ground, ..Plane::default() }).unwrap();
        scene.run(120, STEP);
        scene.positions()
    };
    assert_eq!(rebound(0.75, 0.0), rebound(0.75, 0.75));
    assert_eq!(rebound(0.0, 0.75), rebound(0.75, 0.0));
    let mut scene =
        Scene::with(cube(), &BodyDef { velocity: Vec3::X, position: Vec3::Y * 0.5, ..BodyDef::default() });
    scene.world.set_gravity(Vec3::NEG_Y * 9.81).unwrap();
    scene.world.add_plane(&Plane { friction: 0.0, ..Plane::default() }).unwrap();
    scene.run(120, STEP);
    let speed = scene.body().momentum().x / scene.body().shape().mass();
    assert!((speed - 1.0).abs() < 1e-3, "{speed} m/s is left of 1 on ice");
}
