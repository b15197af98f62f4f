//! A rigid box that the host integrates, pushed by what colliders report: momentum goes over from one
//! to the other and none is lost, and the box comes to rest on a soft body.

mod scenes;
mod support;

use glam::{Quat, Vec3};
use support::shape;
use wobble::{BodyDef, ColliderDef, ColliderId, ColliderShape, Nesting, Plane, Surface, World, WorldDef};

const STEP: f32 = 1.0 / 120.0;

/// A box of a host's rigid-body engine, without rotation.
struct HostBox {
    collider: ColliderId,
    mass: f32,
    position: Vec3,
    velocity: Vec3,
}

impl HostBox {
    fn new(world: &mut World, half: f32, mass: f32, position: Vec3, velocity: Vec3) -> HostBox {
        let shape = ColliderShape::Box { half_extents: Vec3::splat(half) };
        let surface = Surface { friction: 0.5, ..Surface::default() };
        let def = ColliderDef { shape, position, velocity, surface, ..ColliderDef::default() };
        HostBox { collider: world.add_collider(&def).unwrap(), mass, position, velocity }
    }

    /// Moves with its velocity in a step, then takes what it was given in it.
    fn step(&mut self, world: &mut World, gravity: Vec3) {
        self.velocity += gravity * STEP;
        world.set_collider_pose(self.collider, self.position, Quat::IDENTITY).unwrap();
        world.set_collider_velocity(self.collider, self.velocity, Vec3::ZERO).unwrap();
        world.step(STEP).unwrap();
        self.position += self.velocity * STEP;
        self.velocity += world.collider(self.collider).unwrap().impulse() / self.mass;
    }
}

fn world(gravity: Vec3) -> World {
    World::new(&WorldDef { gravity, threads: 1, sleeping: false, ..WorldDef::default() }).unwrap()
}

#[test]
fn a_soft_body_that_hits_a_box_gives_it_what_it_loses() {
    let mut world = world(Vec3::ZERO);
    let cube = shape(&scenes::grid(6, 6, 6, 0.1), 15, Nesting::Nested);
    let mass = cube.mass();
    let def = BodyDef { velocity: Vec3::new(4.0, 0.3, 0.0), ..BodyDef::default() };
    let id = world.add_body(&cube, &def).unwrap();
    let mut target = HostBox::new(&mut world, 0.3, mass, Vec3::X * 1.0, Vec3::ZERO);
    let total =
        |world: &World, target: &HostBox| world.body(id).unwrap().momentum() + target.velocity * target.mass;
    let before = total(&world, &target);
    for _ in 0..240 {
        target.step(&mut world, Vec3::ZERO);
        let now = total(&world, &target);
        assert!((now - before).length() < 1e-4 * before.length(), "{now} for {before}");
    }
    println!(
        "the box goes at {}, the body at {}",
        target.velocity,
        world.body(id).unwrap().momentum() / mass
    );
    assert!(
        target.velocity.x > 1.0 && world.body(id).unwrap().momentum().x / mass < target.velocity.x + 0.05
    );
}

#[test]
fn a_box_comes_to_rest_on_a_soft_body() {
    let gravity = Vec3::NEG_Y * 9.81;
    let mut world = world(gravity);
    world.add_plane(&Plane::default()).unwrap();
    let bed = shape(&scenes::grid(9, 5, 9, 0.1), 15, Nesting::Nested);
    let id = world.add_body(&bed, &BodyDef { position: Vec3::Y * 0.2, ..BodyDef::default() }).unwrap();
    let mut lid = HostBox::new(&mut world, 0.2, 0.1 * bed.mass(), Vec3::Y * 0.8, Vec3::ZERO);
    let (mut highest, mut lowest) = (f32::NEG_INFINITY, f32::INFINITY);
    for step in 0..1200 {
        lid.step(&mut world, gravity);
        if step >= 960 {
            (highest, lowest) = (highest.max(lid.position.y), lowest.min(lid.position.y));
        }
    }
    let speed = lid.velocity.length();
    println!("at {}, between {lowest} and {highest} in the last 2 s, {speed} m/s", lid.position);
    assert!(highest - lowest < 2e-3, "it still moves between {lowest} and {highest}");
    assert!((lid.position.y - 0.6).abs() < 0.05 && world.body(id).unwrap().shape_error() < 0.05);
}
