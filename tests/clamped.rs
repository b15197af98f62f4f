//! Pins hold a body at every level: what is clamped neither sags, tears, twists in one place nor swings on.

mod scenes;
mod support;

use std::f32::consts::PI;
use std::sync::Arc;

use glam::{Quat, Vec3};
use support::{positions, velocities};
use wobble::{
    BodyDef, BodyId, Damping, Goals, Knife, LevelsDef, Material, Plasticity, Rotation, Shape, Stiffness,
    StrainLimit, World, WorldDef,
};

const DT: f32 = 1.0 / 60.0;
const G: f32 = 9.81;

/// Particles and the body that they are, where they were made, in a world of four substeps a step.
struct Clamped {
    world: World,
    id: BodyId,
    at: Vec<Vec3>,
}

impl Clamped {
    fn new(at: Vec<Vec3>, material: Material, gravity: f32, pinned: impl Fn(Vec3) -> bool) -> Clamped {
        let shape = Shape::from_points(&at, None, &LevelsDef::default()).unwrap();
        Clamped::of(&shape, at, material, gravity, pinned)
    }

    fn of(
        shape: &Arc<Shape>,
        at: Vec<Vec3>,
        material: Material,
        gravity: f32,
        pinned: impl Fn(Vec3) -> bool,
    ) -> Clamped {
        let gravity = Vec3::NEG_Y * gravity;
        let def = WorldDef { threads: 1, substeps: 4, sleeping: false, gravity, ..WorldDef::default() };
        let mut world = World::new(&def).unwrap();
        let def = BodyDef { material, position: shape.centre(), ..BodyDef::default() };
        let id = world.add_body(shape, &def).unwrap();
        let pins = (0..at.len()).filter(|&i| pinned(at[i]));
        pins.for_each(|i| world.body_mut(id).unwrap().pin(i).unwrap());
        Clamped { world, id, at }
    }

    fn body(&self) -> &wobble::Body {
        self.world.body(self.id).unwrap()
    }

    fn body_mut(&mut self) -> &mut wobble::Body {
        self.world.body_mut(self.id).unwrap()
    }

    fn run(&mut self, steps: usize) {
        (0..steps).for_each(|_| self.world.step(DT).unwrap());
    }

    fn now(&self) -> Vec<Vec3> {
        positions(self.body())
    }

    fn fastest(&self) -> f32 {
        velocities(self.body()).iter().map(|v| v.length()).fold(0.0, f32::max)
    }

    /// How far the particles for which `at` holds have sunk in the mean, metres.
    fn sunk(&self, at: impl Fn(Vec3) -> bool) -> f32 {
        let now = self.now();
        let those: Vec<usize> = (0..now.len()).filter(|&i| at(self.at[i])).collect();
        those.iter().map(|&i| self.at[i].y - now[i].y).sum::<f32>() / those.len() as f32
    }

    /// Kinetic, elastic and potential energy together, joules.
    fn energy(&self) -> f64 {
        let body = self.body();
        let height = body.centre_of_mass().y * G * body.shape().mass();
        f64::from(body.kinetic_energy() + body.elastic_energy(DT / 4.0).unwrap() + height)
    }
}

/// 2 by 0.4 by 0.4 m, `k` particles thick.
fn bar(k: usize) -> Vec<Vec3> {
    let spacing = 0.4 / (k - 1) as f32;
    let length = (2.0 / spacing).round() as usize + 1;
    let at = |i: usize| Vec3::new((i / k / k) as f32, (i / k % k) as f32, (i % k) as f32) * spacing;
    (0..length * k * k).map(|i| at(i) - Vec3::new(0.0, 0.2, 0.2)).collect()
}

fn at_wall(p: Vec3) -> bool {
    p.x < 1e-4
}

fn at_tip(p: Vec3) -> bool {
    p.x > 1.9999
}

/// 1 by 1 m in the xz plane.
fn sheet(n: usize) -> Vec<Vec3> {
    (0..n * n).map(|i| Vec3::new((i % n) as f32, 0.0, (i / n) as f32) / (n - 1) as f32).collect()
}

/// A cube of 0.4 m about the origin.
fn cube(n: usize) -> Vec<Vec3> {
    scenes::grid(n, n, n, 0.4 / (n - 1) as f32)
}

#[test]
fn a_clamped_bar_sags_alike_whatever_it_is_made_of() {
    // As many levels as there are share the stiffness, and the coarsest one carries the bar: it has the same share of it.
    let found = [4, 5, 7, 12].map(|k| {
        let mut scene = Clamped::new(bar(k), Material::default(), G, at_wall);
        let coarsest = scene.body().shape().levels().len() - 1;
        scene.body_mut().set_level_weight(coarsest, 0.25).unwrap();
        scene.run(240);
        let sags = (0..60).map(|_| {
            scene.run(1);
            scene.sunk(at_tip) / 60.0
        });
        sags.sum::<f32>()
    });
    let (least, most) = found.iter().fold((f32::MAX, 0.0f32), |(l, m), s| (l.min(*s), m.max(*s)));
    assert!(most < 1.1 * least && most < 0.002, "{found:?} m");
}

#[test]
fn with_uniform_weights_a_clamped_bar_sags_by_less_than_two_millimetres() {
    for k in [4, 7, 12] {
        let mut scene = Clamped::new(bar(k), Material::default(), G, at_wall);
        scene.run(240);
        let sag = scene.sunk(at_tip);
        assert!((0.0001..0.002).contains(&sag), "{k} particles thick: {sag} m");
    }
}

#[test]
fn damping_stops_a_clamped_bar_within_a_second() {
    for k in [4, 7, 12] {
        let material = Material { damping: Damping::PerSecond(20.0), ..Material::default() };
        let mut scene = Clamped::new(bar(k), material, 0.0, at_wall);
        // As if it had been struck at its tip.
        for i in 0..scene.at.len() {
            let (y, x) = (Vec3::NEG_Y, scene.at[i].x);
            scene.body_mut().set_velocity_of(i, y * 0.5 * x).unwrap();
        }
        scene.run(60);
        let fastest = scene.fastest();
        assert!(fastest < 0.1, "{k} particles thick: {fastest} m/s of 1 are left");
        scene.run(60);
        let left = scene.fastest();
        assert!(left < 0.01, "{k} particles thick: {left} m/s after 2 s");
    }
}

#[test]
fn a_twist_is_spread_over_the_bar() {
    for (k, at_ends) in [(4, 95.0), (7, 60.0), (12, 40.0)] {
        let mut scene = Clamped::new(bar(k), Material::default(), 0.0, |p| at_wall(p) || at_tip(p));
        let ends: Vec<usize> = scene.body().pins().collect();
        for step in 1..=480 {
            for &i in &ends {
                let sign = if at_wall(scene.at[i]) { -0.5 } else { 0.5 };
                let angle = sign * PI * (step as f32 / 300.0).min(1.0);
                let target = Quat::from_rotation_x(angle) * scene.at[i];
                scene.body_mut().move_pin(i, target).unwrap();
            }
            scene.run(1);
        }
        let now = scene.now();
        let of_layer = |layer: (&[Vec3], &[Vec3])| {
            let (mut sine, mut cosine) = (0.0, 0.0);
            for (a, b) in layer.0.iter().zip(layer.1) {
                sine += a.y * b.z - a.z * b.y;
                cosine += a.y * b.y + a.z * b.z;
            }
            f32::atan2(sine, cosine).to_degrees()
        };
        let angles: Vec<f32> = scene.at.chunks(k * k).zip(now.chunks(k * k)).map(of_layer).collect();
        let away = |two: &[f32]| (two[1] - two[0] + 540.0).rem_euclid(360.0) - 180.0;
        let turns: Vec<f32> = angles.windows(2).map(away).collect();
        let total: f32 = turns.iter().sum();
        let (first, last) = (turns[0], turns[turns.len() - 1]);
        assert!((total.abs() - 180.0).abs() < 0.1, "{total} in all");
        assert!((first + last).abs() < at_ends, "{} of 180 degrees at the ends of {k}", first + last);
        assert!(turns.iter().all(|t| t * total > -180.0), "it turns back somewhere: {turns:?}");
    }
}

#[test]
fn a_sheet_that_is_held_round_its_edge_bends_as_a_bowl_without_walls() {
    for n in [15, 31] {
        let material = Material { stiffness: Stiffness::Hertz(10.0), ..Material::default() };
        let edge = |p: Vec3| p.x.min(p.z) < 1e-4 || p.x.max(p.z) > 0.9999;
        let mut scene = Clamped::new(sheet(n), material, G, edge);
        scene.run(300);
        let now = scene.now();
        let depth = |i: usize| -now[n / 2 * n + i].y;
        let spacing = 1.0 / (n - 1) as f32;
        assert!(depth(1) < 0.1 * spacing, "a wall of {} m beside {spacing} m of floor", depth(1));
        assert!(depth(n / 2) > 1.25 * depth(1), "a tray: {} m, {} m in the middle", depth(1), depth(n / 2));
    }
}

#[test]
fn a_body_swings_freely_on_one_pin_and_on_a_row_of_them() {
    let corner = |p: Vec3| p.cmpgt(Vec3::splat(0.199)).all();
    let edge = |p: Vec3| p.x > 0.199 && p.y > 0.199;
    // Damping takes deformation alone, and of that there is next to none.
    for (n, rate) in [(5, 0.0), (5, 10.0), (9, 10.0)] {
        for (pinned, what) in [(&corner as &dyn Fn(Vec3) -> bool, "corner"), (&edge, "edge")] {
            let material = Material { damping: Damping::PerSecond(rate), ..Material::default() };
            let mut scene = Clamped::new(cube(n), material, G, pinned);
            let before = scene.energy();
            let mut fastest = 0.0f64;
            for _ in 0..10 {
                scene.run(60);
                fastest = fastest.max(scene.body().kinetic_energy().into());
            }
            let lost = (scene.energy() - before).abs();
            assert!(fastest > 0.5, "{what} of {n}: {fastest} J");
            // Velocities are those of half a substep before the positions.
            assert!(lost < 0.03 * fastest, "{what} of {n}, damped by {rate}: {lost} J of {fastest}");
        }
    }
}

#[test]
fn a_hung_sheet_keeps_its_edges() {
    for n in [15, 31] {
        for corners in [false, true] {
            let material = Material { stiffness: Stiffness::Hertz(10.0), ..Material::default() };
            let upright = sheet(n).iter().map(|p| Vec3::new(p.x, -p.z, 0.0)).collect();
            let held = |p: Vec3| p.y > -1e-4 && (!corners || p.x < 1e-4 || p.x > 0.9999);
            let mut scene = Clamped::new(upright, material, G, held);
            for _ in 0..180 {
                scene.run(1);
                let now = scene.now();
                let along = (0..n * n).filter(|i| (i + 1) % n != 0).map(|i| now[i].distance(now[i + 1]));
                let down = (n..n * n).map(|i| now[i].distance(now[i - n]));
                let longest = along.chain(down).fold(0.0, f32::max) * (n - 1) as f32;
                assert!(longest < 1.3, "an edge of {n} by {n} is {longest} times as long");
            }
        }
    }
}

#[test]
fn a_hung_strand_is_still_within_five_seconds() {
    for n in [10, 40, 100] {
        for sideways in [true, false] {
            let at = |i: usize| if sideways { Vec3::X } else { Vec3::NEG_Y } * (i as f32 / (n - 1) as f32);
            let held = |p: Vec3| p == Vec3::ZERO || sideways && p.x == 1.0;
            let mut scene = Clamped::new((0..n).map(at).collect(), Material::default(), G, held);
            scene.run(300);
            let fastest = scene.fastest();
            assert!(fastest < 0.001, "{n} particles: {fastest} m/s");
        }
    }
}

#[test]
fn pins_add_no_energy_of_their_own() {
    let linear = Goals::Linear { beta: 0.5 };
    for goals in [Goals::Rigid, linear] {
        // Velocities are those of half a substep before the positions, which is next to nothing of so slow a swing.
        let (stiffness, damping) = (Stiffness::Hertz(3.0), Damping::PerSecond(0.0));
        let material = Material { goals, stiffness, damping, ..Material::default() };
        let mut scene = Clamped::new(bar(5), material, 0.0, |p| at_wall(p) || at_tip(p));
        scene.body_mut().deform(|p| p + Vec3::Y * 0.05 * (p.x * PI).cos()).unwrap();
        // The step that follows brings the pins back.
        scene.run(1);
        let before = scene.energy();
        let most = (0..300).map(|_| {
            scene.run(1);
            scene.energy()
        });
        let most = most.fold(0.0, f64::max);
        // The unit volume of linear goals is no potential's gradient.
        let slack = if goals == linear { 1.1 } else { 1.02 };
        assert!(before > 0.1 && most < slack * before, "{goals:?}: {most} J of {before}");
    }
}

#[test]
fn the_pull_is_the_gradient_of_the_elastic_energy_with_pins_too() {
    let material = Material {
        stiffness: Stiffness::Hertz(10.0),
        damping: Damping::PerSecond(0.0),
        ..Material::default()
    };
    let bend = |p: Vec3| p + Vec3::new(0.02 * p.y, 0.1 * p.x * p.x, 0.05 * p.x * p.y);
    let scene = || {
        let mut scene = Clamped::new(bar(4), material, 0.0, at_wall);
        scene.world.set_substeps(1).unwrap();
        scene.run(1);
        scene.body_mut().deform(bend).unwrap();
        (0..scene.at.len()).for_each(|i| scene.body_mut().set_velocity_of(i, Vec3::ZERO).unwrap());
        scene
    };
    let h = DT;
    let mut stepped = scene();
    let places = stepped.now();
    stepped.run(1);
    let (after, mass) = (velocities(stepped.body()), stepped.body().shape().masses()[0]);
    for i in [40, 111, 180, 255] {
        let mut wanted = Vec3::ZERO;
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let energy = |by: f32| {
                let mut scene = scene();
                scene.body_mut().set_position_of(i, places[i] + axis * by).unwrap();
                scene.body().elastic_energy(h).unwrap()
            };
            wanted -= axis * (energy(2e-3) - energy(-2e-3)) / 4e-3 * h / mass;
        }
        let off = after[i].distance(wanted);
        assert!(off < 0.01 * wanted.length() + 1e-4, "particle {i}: {} where {wanted} was due", after[i]);
    }
}

#[test]
fn a_clamped_bar_holds_with_stretch_rotations_and_strain_limits() {
    let strain = Some(StrainLimit { gamma: 0.1, ..StrainLimit::default() });
    for material in [
        Material { strain, ..Material::default() },
        Material { rotation: Rotation::Stretch, ..Material::default() },
        Material { goals: Goals::Linear { beta: 0.5 }, ..Material::default() },
    ] {
        let mut scene = Clamped::new(bar(5), material, G, at_wall);
        scene.run(240);
        let (sag, fastest) = (scene.sunk(at_tip), scene.fastest());
        assert!(sag < 0.01 && fastest < 0.01, "{material:?}: {sag} m, {fastest} m/s");
    }
}

#[test]
fn pins_may_come_and_go_between_any_two_steps() {
    let material = Material { stiffness: Stiffness::Hertz(20.0), ..Material::default() };
    let mut scene = Clamped::new(bar(5), material, 0.0, |_| false);
    scene.run(1);
    let at = scene.now();
    for step in 0..240 {
        let i = step * 7 % at.len();
        scene.body_mut().pin(i).unwrap();
        scene.run(1);
        assert_eq!(scene.now()[i], scene.body().position(i).unwrap());
        scene.body_mut().unpin(i).unwrap();
    }
    let strayed = scene.now().iter().zip(&at).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(strayed < 1e-3, "a body at rest was moved by {strayed} m by pins that held it where it was");
    // And what is not held any more goes on as if it never had been.
    let mut never = Clamped::new(bar(5), material, G, |_| false);
    scene.world.set_gravity(Vec3::NEG_Y * G).unwrap();
    scene.body_mut().reset();
    never.body_mut().reset();
    scene.run(30);
    never.run(30);
    let fell = |scene: &Clamped| scene.body().centre_of_mass().y;
    assert!((fell(&scene) - fell(&never)).abs() < 1e-4);
}

#[test]
fn a_restored_body_goes_on_with_the_same_bits_whatever_was_pinned_meanwhile() {
    let strain = Some(StrainLimit { gamma: 0.1, ..StrainLimit::default() });
    for material in [Material::default(), Material { strain, ..Material::default() }] {
        let shape = Shape::from_points(&bar(5), None, &LevelsDef::default()).unwrap();
        let mut scene = Clamped::of(&shape, bar(5), material, G, at_wall);
        scene.run(20);
        let kept = scene.body().snapshot();
        scene.run(20);
        let wanted = scene.world.state_hash();
        for other in [true, false] {
            if other {
                scene = Clamped::of(&shape, bar(5), material, G, at_tip);
                scene.run(3);
            } else {
                scene.body_mut().pin(100).unwrap();
                scene.run(3);
            }
            scene.body_mut().restore(&kept).unwrap();
            scene.run(20);
            assert_eq!(scene.world.state_hash(), wanted);
        }
    }
}

fn clay() -> Plasticity {
    Plasticity { yield_strain: 0.02, flow: 20.0, ..Plasticity::default() }
}

#[test]
fn a_clamped_bar_holds_while_its_deformation_can_last() {
    for k in [4, 7] {
        let mut scene = Clamped::new(bar(k), Material::default(), G, at_wall);
        scene.body_mut().set_plasticity(Some(clay())).unwrap();
        scene.run(240);
        let sag = scene.sunk(at_tip);
        assert!(sag < 0.002, "{k} particles thick: {sag} m");
    }
}

/// Bends a clamped bar of clay round an arc by its tip, and lets the tip go.
fn bent_for_good() -> Clamped {
    let mut scene = Clamped::new(bar(5), Material::default(), 0.0, |p| at_wall(p) || at_tip(p));
    scene.body_mut().set_plasticity(Some(clay())).unwrap();
    let tip: Vec<usize> = scene.body().pins().filter(|&i| at_tip(scene.at[i])).collect();
    for step in 1..=180 {
        let angle = 0.6 * (step as f32 / 150.0).min(1.0);
        let radius = 2.0 / angle;
        let middle = Vec3::new(radius * angle.sin(), radius * (1.0 - angle.cos()), 0.0);
        for &i in &tip {
            let target = middle + Quat::from_rotation_z(angle) * (scene.at[i] - Vec3::X * 2.0);
            scene.body_mut().move_pin(i, target).unwrap();
        }
        scene.run(1);
    }
    tip.iter().for_each(|&i| scene.body_mut().unpin(i).unwrap());
    scene.run(240);
    scene.body_mut().set_plasticity(Some(Plasticity { yield_strain: 10.0, ..clay() })).unwrap();
    scene
}

#[test]
fn a_bar_that_was_bent_for_good_keeps_its_form_when_its_clamp_lets_go() {
    let mut scene = bent_for_good();
    let (bent, pins) = (scene.now(), scene.body().pins().collect::<Vec<_>>());
    let sunk = scene.sunk(at_tip);
    assert!(sunk < -0.1 && scene.body().lasting_strain() > 0.02, "the tip rose by {} m", -sunk);
    pins.iter().for_each(|&i| scene.body_mut().unpin(i).unwrap());
    scene.run(30);
    let off = scene.now().iter().zip(&bent).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(off < 0.02, "{off} m when it was let go");
    // What lasts leaves some stress, and a clamp holds the end as that has it.
    pins.iter().for_each(|&i| scene.body_mut().pin(i).unwrap());
    scene.run(240);
    let off = scene.now().iter().zip(&bent).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert!(off < 0.2 && scene.fastest() < 0.05, "{off} m when it was clamped again");
}

#[test]
fn a_restored_body_that_is_bent_and_clamped_goes_on_with_the_same_bits() {
    let mut scene = bent_for_good();
    let kept = scene.body().snapshot();
    scene.run(10);
    let wanted = scene.world.state_hash();
    scene.body_mut().pin(60).unwrap();
    scene.run(2);
    scene.body_mut().restore(&kept).unwrap();
    scene.run(10);
    assert_eq!(scene.world.state_hash(), wanted);
    let shape = Arc::clone(scene.body().shape());
    let mut other = Clamped::of(&shape, bar(5), Material::default(), 0.0, |_| false);
    other.body_mut().restore(&kept).unwrap();
    other.run(10);
    assert_eq!(other.now(), scene.now());
}

#[test]
fn what_is_cut_off_a_clamped_body_that_may_flow_stays_where_it_is() {
    let mut scene = Clamped::new(bar(5), Material::default(), 0.0, at_wall);
    scene.body_mut().set_plasticity(Some(clay())).unwrap();
    scene.run(5);
    scene.world.cut(scene.id, &Knife::Plane { point: Vec3::X * 0.95, normal: Vec3::X }).unwrap();
    scene.run(60);
    assert_eq!(scene.world.bodies().count(), 2);
    for (_, body) in scene.world.bodies() {
        let fastest = velocities(body).iter().map(|v| v.length()).fold(0.0, f32::max);
        assert!(fastest < 1e-3, "{fastest} m/s");
    }
}
