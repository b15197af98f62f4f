//! Materials by name differ as their names say: a hollow ball falls 1 m in a default world, and
//! the same ball is stretched in free flight.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{DMat3, DVec3, Quat, Vec3};
use support::is_finite;
use wobble::{Body, BodyDef, BodyId, LevelsDef, Material, Plane, Preset, Shape, World, WorldDef};

const STEP: f32 = 1.0 / 60.0;

/// What becomes of a ball of one material.
#[derive(Debug)]
struct Look {
    name: &'static str,
    /// How far the centre rises above where it is in a ball that stands on the ground, metres.
    rebound: f32,
    /// Smallest height and largest width after it first touched, of the diameter.
    squash: f32,
    spread: f32,
    /// Height in the end, of the diameter.
    height: f32,
    /// Shape error in the end.
    error: f32,
    /// When the last deforming motion of a millijoule was seen, seconds.
    rest: f32,
    /// Deforming motion in the end, joules.
    left: f64,
    /// How long a stretch in free flight takes to die down to a tenth, seconds.
    jiggle: f32,
    finite: bool,
}

fn ball() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| Shape::from_points(&scenes::shell_5098(), None, &LevelsDef::default()).unwrap())
}

fn looks() -> &'static [Look] {
    static LOOKS: OnceLock<Vec<Look>> = OnceLock::new();
    LOOKS.get_or_init(|| Material::NAMES.iter().map(|name| look(name)).collect())
}

fn of(name: &str) -> &'static Look {
    looks().iter().find(|look| look.name == name).unwrap()
}

fn world_with(shape: &Arc<Shape>, preset: &Preset, gravity: Vec3) -> (World, BodyId) {
    let mut world = World::new(&WorldDef { gravity, sleeping: false, ..WorldDef::default() }).unwrap();
    let def = BodyDef { position: Vec3::Y * 1.5, material: preset.material, ..BodyDef::default() };
    let id = world.add_body(shape, &def).unwrap();
    world.body_mut(id).unwrap().set_weighting(&preset.weighting).unwrap();
    (world, id)
}

fn look(name: &'static str) -> Look {
    let preset = Preset::named(name).unwrap();
    let (mut world, id) = world_with(ball(), &preset, WorldDef::default().gravity);
    world.add_plane(&Plane::default()).unwrap();
    let (mut lowest, mut rebound, mut squash, mut spread, mut rest) = (f32::MAX, 0.0f32, 1.0f32, 0.0f32, 0.0);
    let mut rising = false;
    for step in 1..=900 {
        world.step(STEP).unwrap();
        let body = world.body(id).unwrap();
        let (low, high) = body.bounds();
        let centre = body.centre_of_mass().y;
        rising |= centre > lowest;
        lowest = lowest.min(centre);
        if rising {
            rebound = rebound.max(centre - 0.5);
        }
        if low.y < 1e-3 {
            squash = squash.min(high.y - low.y);
            spread = spread.max(high.x - low.x);
        }
        if deforming(body) > 1e-3 {
            rest = step as f32 * STEP;
        }
    }
    let body = world.body(id).unwrap();
    let (low, high) = body.bounds();
    let (error, left) = (body.shape_error(), deforming(body));
    let jiggle = jiggle(&preset);
    let finite = is_finite(body) && !body.is_frozen();
    let look =
        Look { name, rebound, squash, spread, height: high.y - low.y, error, rest, left, jiggle, finite };
    println!("{look:.3?}");
    look
}

/// How long a stretch by a fifth takes to die down to a tenth of its shape error, seconds.
fn jiggle(preset: &Preset) -> f32 {
    let (mut world, id) = world_with(ball(), preset, Vec3::ZERO);
    let body = world.body_mut(id).unwrap();
    body.deform(|p| Vec3::new(p.x * 0.9, 1.5 + (p.y - 1.5) * 1.2, p.z * 0.9)).unwrap();
    let first = body.shape_error();
    let mut last = 0.0;
    for step in 1..=900 {
        world.step(STEP).unwrap();
        if world.body(id).unwrap().shape_error() > 0.1 * first {
            last = step as f32 * STEP;
        }
    }
    last
}

/// Kinetic energy of the motion that is not rigid, joules: a ball may well roll on.
fn deforming(body: &Body) -> f64 {
    let masses = body.shape().masses();
    let centre = body.centre_of_mass().as_dvec3();
    let v = body.momentum().as_dvec3() / f64::from(body.shape().mass());
    let places = || body.raw_positions().iter().map(|x| x.truncate().as_dvec3() - centre);
    let inertia = places().zip(masses).fold(DMat3::ZERO, |sum, (d, m)| {
        let turned = DMat3::from_cols(d * d.x, d * d.y, d * d.z);
        sum + (DMat3::from_diagonal(DVec3::splat(d.length_squared())) - turned) * f64::from(*m)
    });
    let omega = inertia.inverse() * body.angular_momentum().as_dvec3();
    let left = places().zip(body.raw_velocities()).map(|(d, u)| u.truncate().as_dvec3() - v - omega.cross(d));
    left.zip(masses).map(|(u, m)| 0.5 * f64::from(*m) * u.length_squared()).sum()
}

#[test]
fn all_stay_finite_come_to_rest_and_keep_their_height() {
    for look in looks() {
        assert!(look.finite, "{look:?}");
        assert!(look.rest < 12.0 && look.left < 1e-4, "{look:?}");
        assert!(look.squash > 0.3 && look.height > 0.7 && look.error < 0.2, "{look:?}");
    }
}

#[test]
fn a_solid_ball_of_each_comes_to_rest_too() {
    let shape = Shape::from_points(&scenes::ball(0.5, 0.05), None, &LevelsDef::default()).unwrap();
    for name in Material::NAMES {
        let (mut world, id) = world_with(&shape, &Preset::named(name).unwrap(), WorldDef::default().gravity);
        world.add_plane(&Plane::default()).unwrap();
        (0..900).for_each(|_| world.step(STEP).unwrap());
        let body = world.body(id).unwrap();
        let (low, high) = body.bounds();
        println!("{name}: {:.1e} J, height {:.3}", deforming(body), high.y - low.y);
        assert!(deforming(body) < 1e-4 && high.y - low.y > 0.65, "{name}: {} J", deforming(body));
    }
}

#[test]
fn a_water_balloon_does_not_collapse_when_it_falls_3_m() {
    let (mut world, id) = world_with(ball(), &Preset::named("water balloon").unwrap(), -9.81 * Vec3::Y);
    world.add_plane(&Plane::default()).unwrap();
    world.body_mut(id).unwrap().teleport(Vec3::Y * 3.5, Quat::IDENTITY).unwrap();
    let heights = (0..300).map(|_| {
        world.step(STEP).unwrap();
        let (low, high) = world.body(id).unwrap().bounds();
        high.y - low.y
    });
    let lowest = heights.fold(1.0, f32::min);
    assert!(lowest > 0.15, "pressed to {lowest} of its height");
}

#[test]
fn rubber_is_the_stiffest_and_liveliest() {
    let rubber = of("rubber");
    for other in looks().iter().filter(|look| look.name != "rubber") {
        assert!(rubber.rebound > 1.2 * other.rebound, "{other:?}");
        assert!(rubber.squash > other.squash && rubber.height > other.height, "{other:?}");
    }
}

#[test]
fn jelly_jiggles_longest() {
    for other in looks().iter().filter(|look| look.name != "jelly") {
        assert!(of("jelly").jiggle > 2.0 * other.jiggle, "{other:?}");
    }
    assert!(of("jelly").squash < 0.7 * of("rubber").squash, "it is soft");
}

#[test]
fn foam_is_the_deadest() {
    for other in looks().iter().filter(|look| look.name != "foam") {
        assert!(of("foam").rebound < 0.7 * other.rebound, "{other:?}");
        assert!(of("foam").rest < other.rest, "{other:?}");
    }
    assert!(of("foam").jiggle < 0.1, "it creeps back and does not swing");
}

#[test]
fn flesh_is_as_soft_as_jelly_and_calms_down_far_sooner() {
    let (flesh, jelly) = (of("flesh"), of("jelly"));
    assert!((flesh.squash - jelly.squash).abs() < 0.1 && (flesh.height - jelly.height).abs() < 0.02);
    assert!(flesh.rebound < 0.7 * jelly.rebound && flesh.jiggle < 0.2 * jelly.jiggle);
}

#[test]
fn gummy_is_stiff_like_rubber_but_damped() {
    let (gummy, rubber, flesh) = (of("gummy"), of("rubber"), of("flesh"));
    assert!(gummy.squash > 0.9 * rubber.squash && gummy.squash > 1.2 * flesh.squash);
    assert!(gummy.rebound < 0.6 * rubber.rebound && gummy.jiggle < 0.2 * rubber.jiggle);
}

#[test]
fn a_water_balloon_is_the_softest_and_spreads_widest() {
    let balloon = of("water balloon");
    for other in looks().iter().filter(|look| look.name != "water balloon") {
        assert!(balloon.squash < 0.7 * other.squash && balloon.height < other.height - 0.02, "{other:?}");
        assert!(balloon.spread > 1.1 * other.spread && balloon.error > other.error, "{other:?}");
    }
}

#[test]
fn every_name_gives_a_sound_material_and_others_none() {
    for name in Material::NAMES {
        let preset = Preset::named(name).unwrap();
        preset.material.check().unwrap();
        assert_eq!(Material::named(name), Some(preset.material));
        assert!(preset.weighting.level_weights(3).is_ok());
    }
    assert_eq!((Material::named("Jelly"), Preset::named("")), (None, None));
}
