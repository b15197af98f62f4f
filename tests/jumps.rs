//! What is put elsewhere at once: it gains no speed by it, however far it is.

mod scenes;
mod support;

use glam::{Affine3A, Quat, Vec3};
use scenes::worlds::{DT, awake as world, cube};
use wobble::{
    AttachmentDef, AttachmentId, BodyDef, BodyId, ColliderDef, ColliderId, ColliderShape, DragDef, Hold,
    Space, World,
};

/// How a host leads what is attached.
type Lead = fn(&mut World, AttachmentId, Vec3, Quat) -> Result<(), wobble::Error>;

/// A character that holds a cube by its left and its right side, and by the hand.
struct Character {
    world: World,
    body: BodyId,
    sides: [AttachmentId; 2],
    hand: AttachmentId,
}

const HAND: Vec3 = Vec3::new(0.0, 0.5, 0.0);

fn character(hold: Hold) -> Character {
    let mut world = world(-9.81, 1);
    let body = world.add_body(&cube(6), &BodyDef::default()).unwrap();
    let side = |world: &mut World, x: f32| {
        let (low, high) = (Vec3::new(x - 0.1, -9.0, -9.0), Vec3::new(x + 0.1, 9.0, 9.0));
        let held = world.body(body).unwrap().particles_in_box(low, high, Space::Rest).unwrap();
        let def = AttachmentDef { hold, break_force: 1000.0, ..AttachmentDef::default() };
        world.attach(body, &held, &def).unwrap()
    };
    let sides = [side(&mut world, -0.5), side(&mut world, 0.5)];
    let hand = world.drag(body, &DragDef { point: HAND, radius: 0.3, ..DragDef::default() }).unwrap();
    Character { world, body, sides, hand }
}

impl Character {
    /// Puts the body elsewhere and leads what it is held by there.
    fn go(&mut self, position: Vec3, rotation: Quat, lead: Lead) {
        self.world.body_mut(self.body).unwrap().teleport(position, rotation).unwrap();
        for side in self.sides {
            lead(&mut self.world, side, position, rotation).unwrap();
        }
        lead(&mut self.world, self.hand, position + rotation * HAND, rotation).unwrap();
    }

    /// The most that a particle's speed comes to in a second, m/s, and the most impulse of a step, N s.
    fn most(&mut self) -> (f32, f32) {
        let mut most = (0.0, 0.0);
        for _ in 0..60 {
            self.world.step(DT).unwrap();
            let body = self.world.body(self.body).unwrap();
            let speed = body.raw_velocities().iter().map(|v| v.truncate().length()).fold(0.0, f32::max);
            let held = self.sides.iter().chain([&self.hand]).filter_map(|id| self.world.attachment(*id).ok());
            let impulse = held.map(|held| held.impulse().length()).fold(0.0, f32::max);
            most = (f32::max(most.0, speed), f32::max(most.1, impulse));
        }
        most
    }
}

#[test]
fn a_teleported_character_takes_along_what_it_holds_without_speed() {
    let (position, rotation) = (Vec3::new(40.0, 3.0, -30.0), Quat::from_rotation_y(2.0));
    for hold in [Hold::Firm, Hold::Spring { hertz: 8.0, damping_ratio: 0.5 }] {
        let mut stays = character(hold);
        let (speed, impulse) = stays.most();
        let mut jumps = character(hold);
        jumps.go(position, rotation, World::set_attachment_pose);
        let after = jumps.most();
        assert!(
            after.0 < 1.02 * speed && after.1 < 1.02 * impulse,
            "{hold:?}: {after:?}, {speed}, {impulse}"
        );
        assert_eq!(jumps.world.attachments().count(), 3);
        let (there, here) = (jumps.world.body(jumps.body).unwrap(), stays.world.body(stays.body).unwrap());
        let to = Affine3A::from_rotation_translation(rotation, position);
        for (a, b) in there.raw_positions().iter().zip(here.raw_positions()) {
            assert!(a.truncate().distance(to.transform_point3(b.truncate())) < 1e-3);
        }
    }
    let mut swept = character(Hold::Firm);
    swept.go(position, rotation, World::move_attachment);
    let (speed, _) = swept.most();
    assert!(speed > 1000.0, "moving is told from jumping: {speed} m/s");
}

#[test]
fn a_jump_cancels_a_move_and_the_next_move_begins_at_its_end() {
    let mut here = character(Hold::Firm);
    let side = here.sides[0];
    here.world.detach(here.sides[1]).unwrap();
    here.world.detach(here.hand).unwrap();
    here.world.move_attachment(side, Vec3::X * 50.0, Quat::IDENTITY).unwrap();
    here.world.set_attachment_pose(side, Vec3::ZERO, Quat::IDENTITY).unwrap();
    assert!(here.most().0 < 5.0);
    here.world.body_mut(here.body).unwrap().teleport(Vec3::X * 50.0, Quat::IDENTITY).unwrap();
    here.world.set_attachment_pose(side, Vec3::X * 50.0, Quat::IDENTITY).unwrap();
    here.world.move_attachment(side, Vec3::X * 50.01, Quat::IDENTITY).unwrap();
    assert!(here.most().0 < 5.0);
}

/// How a host puts a collider elsewhere.
type Put = fn(&mut World, ColliderId, Vec3, Quat) -> Result<(), wobble::Error>;

/// How far off its place a cube is, metres, a second after it and the ground it lies on were put 1 km away.
fn strayed(put: Put) -> f32 {
    let away = Vec3::new(800.0, 0.0, 600.0);
    let mut world = world(-9.81, 1);
    let shape = ColliderShape::Box { half_extents: Vec3::new(2.0, 0.5, 2.0) };
    let at = Vec3::NEG_Y * 0.5;
    let ground = world.add_collider(&ColliderDef { shape, position: at, ..ColliderDef::default() }).unwrap();
    let id = world.add_body(&cube(6), &BodyDef { position: Vec3::Y * 0.5, ..BodyDef::default() }).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    let before = world.body(id).unwrap().centre_of_mass();
    put(&mut world, ground, at + away, Quat::IDENTITY).unwrap();
    world.body_mut(id).unwrap().deform(|p| p + away).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    world.body(id).unwrap().centre_of_mass().distance(before + away)
}

#[test]
fn a_body_and_the_ground_under_it_jump_together_and_lie_as_they_lay() {
    let (jumped, moved) = (strayed(World::set_collider_pose), strayed(World::move_collider));
    println!("jumped: {jumped} m off; moved: {moved} m");
    assert!(jumped < 1e-3, "{jumped} m off");
    assert!(moved > 1000.0, "what is moved has a speed: {moved} m off");
}
