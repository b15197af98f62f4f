//! MR's scenes of collision, with its claims as numbers: Ball Colliding Into Wall and Plinko.
//!
//! The papers' particles are used where they are at hand, and others of the same number and size always.

mod scenes;
mod support;

use std::sync::Arc;

use glam::{Quat, Vec3, vec3};
use support::{papers, shape};
use wobble::{BodyDef, BodyId, ColliderDef, ColliderShape, Nesting, Partner, Plane, Shape, World, WorldDef};

const STEP: f32 = 1.0 / 60.0;

fn world(gravity: f32, substeps: u32) -> World {
    let def = WorldDef {
        gravity: Vec3::NEG_Y * gravity,
        threads: 1,
        substeps,
        sleeping: false,
        ..WorldDef::default()
    };
    World::new(&def).unwrap()
}

/// Speed of what is left of the motion when the best rigid one is taken off, m/s.
fn jitter(world: &World, id: BodyId) -> f64 {
    let body = world.body(id).unwrap();
    let masses = body.shape().masses();
    let state = || body.raw_positions().iter().zip(body.raw_velocities()).zip(masses);
    let mass: f64 = masses.iter().map(|m| f64::from(*m)).sum();
    let (centre, drift) = (body.centre_of_mass().as_dvec3(), body.momentum().as_dvec3() / mass);
    let mut inertia = glam::DMat3::ZERO;
    for ((x, _), m) in state() {
        let d = x.truncate().as_dvec3() - centre;
        let outer = glam::DMat3::from_cols(d * d.x, d * d.y, d * d.z);
        inertia +=
            (glam::DMat3::from_diagonal(glam::DVec3::splat(d.length_squared())) - outer) * f64::from(*m);
    }
    let omega = inertia.inverse() * body.angular_momentum().as_dvec3();
    let left = state().map(|((x, v), m)| {
        let carried = drift + omega.cross(x.truncate().as_dvec3() - centre);
        (v.truncate().as_dvec3() - carried).length_squared() * f64::from(*m)
    });
    (left.sum::<f64>() / mass).sqrt()
}

/// Balls of about 1,000 particles, 1 m wide.
fn small_balls() -> Vec<(&'static str, Vec<Vec3>)> {
    let papers = scenes::papers_particles("shell-1k").map(|points| ("the papers' ball", unit_wide(points)));
    papers.into_iter().chain([("a random ball", scenes::shell(1000, 0.5, 0.3, 2))]).collect()
}

/// Points as wide as 1 m along their widest axis, about their middle.
fn unit_wide(points: Vec<Vec3>) -> Vec<Vec3> {
    let (low, high) = points.iter().fold((Vec3::MAX, Vec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
    let width = (high - low).max_element();
    points.into_iter().map(|p| (p - (low + high) * 0.5) / width).collect()
}

/// What became of a throw.
#[derive(Debug)]
struct Throw {
    /// The smallest distance between a particle of the ball and one of the wall, metres.
    nearest: f32,
    /// Greatest shape error of the ball.
    squashed: f32,
    /// Velocity of the ball and of the wall along x afterwards, m/s.
    ball: f32,
    wall: f32,
    /// Jitter of the ball, m/s, 3 and 10 steps after it last touched the wall.
    jitter: [f64; 2],
}

/// Throws a ball at 5 m/s at a wall of 10 by 10 by 10 particles without gravity.
fn throw(ball: &Arc<Shape>, weights: [f32; 3], wall_weights: [f32; 3], k_d: f32) -> Throw {
    let mut world = world(0.0, 4);
    world.set_bodies_meet(true);
    let wall = shape(&scenes::box_grid(vec3(0.5, 2.0, 2.0), 2.0 / 13.0), 15, Nesting::Nested);
    let def = |x: f32, v: f32| BodyDef {
        position: vec3(x, 0.0, 0.0),
        velocity: vec3(v, 0.0, 0.0),
        material: papers(1.0, k_d),
        ..BodyDef::default()
    };
    let thrown = world.add_body(ball, &def(-2.0, 5.0)).unwrap();
    let hit = world.add_body(&wall, &def(0.0, 0.0)).unwrap();
    world.body_mut(thrown).unwrap().set_level_weights(&weights).unwrap();
    world.body_mut(hit).unwrap().set_level_weights(&wall_weights).unwrap();
    let start = world.body(thrown).unwrap().momentum();
    let mut found = Throw { nearest: f32::INFINITY, squashed: 0.0, ball: 0.0, wall: 0.0, jitter: [0.0; 2] };
    let mut since = None;
    for _ in 0..120 {
        world.step(STEP).unwrap();
        since = if world.contacts().is_empty() { since.map(|steps| steps + 1) } else { Some(0) };
        if let Some(k) = [3, 10].iter().position(|steps| since == Some(*steps)) {
            found.jitter[k] = jitter(&world, thrown);
        }
        let (a, b) = (world.body(thrown).unwrap(), world.body(hit).unwrap());
        found.squashed = found.squashed.max(a.shape_error());
        let face = b.raw_positions().iter().map(|x| x.truncate()).filter(|x| x.x < 0.0);
        let face: Vec<Vec3> = face.collect();
        for x in a.raw_positions() {
            let near = face.iter().map(|y| y.distance_squared(x.truncate())).fold(f32::INFINITY, f32::min);
            found.nearest = found.nearest.min(near.sqrt());
        }
    }
    let (a, b) = (world.body(thrown).unwrap(), world.body(hit).unwrap());
    let lost = start - a.momentum() - b.momentum();
    assert!(lost.length() < 1e-4 * start.length(), "momentum changed by {lost}");
    (found.ball, found.wall) = (a.momentum().x / a.shape().mass(), b.momentum().x / b.shape().mass());
    found
}

const FINEST: [f32; 3] = [1.0, 0.0, 0.0];
const EVEN: [f32; 3] = [1.0, 1.0, 1.0];
const COARSE: [f32; 3] = [0.1, 0.2, 0.7];
const COARSEST: [f32; 3] = [0.0, 0.0, 1.0];

#[test]
fn a_ball_thrown_at_a_wall_reaches_it_whatever_the_weights_and_bounces_off() {
    for (name, points) in small_balls() {
        let ball = shape(&points, 15, Nesting::Nested);
        let levels: Vec<usize> = ball.levels().iter().map(|l| l.cluster_count()).collect();
        println!("{name}: {levels:?}");
        let spacing = 2.0 / 13.0;
        let (mut squashed, mut jitters) = (Vec::new(), Vec::new());
        for weights in [FINEST, EVEN, COARSE, COARSEST] {
            let found = throw(&ball, weights, EVEN, 0.1);
            println!("  {weights:?}: {found:?}");
            // With one proxy for all of it MR's ball turns back well before it touches.
            assert!(found.nearest < 0.5 * spacing, "{weights:?}: it turned {} m away", found.nearest);
            assert!(found.wall - found.ball > 0.5, "{weights:?}: {found:?}");
            squashed.push(found.squashed);
            jitters.push(found.jitter[1]);
        }
        // As fluid as MR's ball of 66 clusters.
        assert!(jitters[1..].iter().all(|j| *j < 0.1 * jitters[0]), "{jitters:?}");
        assert!(squashed.is_sorted_by(|a, b| a >= b), "coarser ones keep more of their shape: {squashed:?}");
    }
}

#[test]
fn more_damping_calms_the_ball_after_it_hit_the_wall() {
    for (name, points) in small_balls() {
        let ball = shape(&points, 15, Nesting::Nested);
        let jitter = [0.1, 0.3, 0.5].map(|k_d| throw(&ball, COARSE, EVEN, k_d).jitter[0]);
        println!("{name}: jitter {jitter:?} m/s");
        assert!(jitter[0] > jitter[1] && jitter[1] > jitter[2], "{jitter:?}");
    }
}

/// A ball of 5,098 particles after a fall through rods.
struct Fall {
    /// Rods that it touched.
    rods: usize,
    /// Deepest that a particle was in a rod, metres.
    deepest: f32,
    error: f32,
    /// Jitter and velocity of the whole at the end, m/s.
    jitter: f64,
    speed: f32,
    height: f32,
}

const ROD: f32 = 0.15;

/// Places of the rods in x and y: rows of them, each shifted by half against the one above.
fn rods() -> Vec<(f32, f32)> {
    let row = |r: i32| (-3..=3).map(move |k| (1.5 * k as f32 + 0.75 * (r % 2) as f32, 1.6 + 1.3 * r as f32));
    (0..3).flat_map(row).collect()
}

fn plinko(ball: &Arc<Shape>, weights: [f32; 3]) -> Fall {
    let mut world = world(9.81, 1);
    world.add_plane(&Plane::default()).unwrap();
    for (x, y) in rods() {
        let def = ColliderDef {
            shape: ColliderShape::Cylinder { half_height: 3.0, radius: ROD },
            position: vec3(x, y, 0.0),
            rotation: Quat::from_rotation_x(std::f32::consts::FRAC_PI_2),
            ..ColliderDef::default()
        };
        world.add_collider(&def).unwrap();
    }
    let def = BodyDef { position: vec3(0.1, 5.6, 0.0), material: papers(1.0, 0.1), ..BodyDef::default() };
    let id = world.add_body(ball, &def).unwrap();
    world.body_mut(id).unwrap().set_level_weights(&weights).unwrap();
    let mut touched = std::collections::BTreeSet::new();
    let mut deepest = f32::NEG_INFINITY;
    for _ in 0..900 {
        world.step(STEP).unwrap();
        touched.extend(world.contacts().iter().filter_map(|c| match c.other {
            Partner::Collider(id) => Some(id),
            Partner::Body(_) => None,
        }));
        for x in world.body(id).unwrap().raw_positions() {
            let off = |(rx, ry): (f32, f32)| ROD - (x.x - rx).hypot(x.y - ry);
            deepest = rods().into_iter().map(off).fold(deepest, f32::max);
        }
    }
    let body = world.body(id).unwrap();
    let (low, high) = body.bounds();
    Fall {
        rods: touched.len() - 1,
        deepest,
        error: body.shape_error(),
        jitter: jitter(&world, id),
        speed: body.momentum().length() / body.shape().mass(),
        height: high.y - low.y,
    }
}

fn large_balls() -> Vec<(&'static str, Vec<Vec3>)> {
    let papers = scenes::papers_particles("shell-5k").map(|points| ("the papers' ball", unit_wide(points)));
    papers.into_iter().chain([("a random ball", scenes::shell_5098())]).collect()
}

#[test]
fn a_ball_falls_between_the_rods_of_a_plinko_board_keeps_its_shape_and_comes_to_rest() {
    for (name, points) in large_balls() {
        let ball = shape(&points, 50, Nesting::Nested);
        assert_eq!(ball.levels().iter().map(|l| l.cluster_count()).collect::<Vec<_>>(), [101, 12, 1]);
        let favouring = [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6], FINEST];
        for (k, weights) in favouring.into_iter().enumerate() {
            let Fall { rods, deepest, error, jitter, speed, height } = plinko(&ball, weights);
            println!(
                "{name}, {weights:?}: {rods} rods, {deepest:.4} m deep at most, error {error:.3}, \
                 {height:.2} m high, jitter {jitter:.4} m/s, {speed:.4} m/s"
            );
            assert!(rods >= 2 && deepest < 0.01, "it must bounce between the rods, not through them");
            if weights == FINEST {
                assert!(error > 0.3, "alone the finest level ends as a puddle: {error}");
            } else {
                assert!(error < 0.25 && height > 0.6, "{k}: its shape is lost");
                assert!(jitter < 0.02 && speed < 0.1, "{k}: it does not come to rest");
            }
        }
    }
}
