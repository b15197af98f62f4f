//! Attachments: held particles, joints and drags, and what they keep.

mod scenes;
mod support;

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use scenes::worlds::{DT, awake as world, cube, run};
use wobble::{
    AttachmentDef, AttachmentId, BodyDef, BodyId, DragDef, Error, Hold, JointDef, LevelsDef, Plane, Shape,
    Space, World,
};

fn add(world: &mut World, shape: &Arc<Shape>, position: Vec3) -> BodyId {
    world.add_body(shape, &BodyDef { position, ..BodyDef::default() }).unwrap()
}

/// The particles at the top of a cube.
fn top(world: &World, id: BodyId) -> Vec<u32> {
    let (low, high) = (Vec3::new(-9.0, 0.45, -9.0), Vec3::splat(9.0));
    world.body(id).unwrap().particles_in_box(low, high, Space::Rest).unwrap()
}

#[test]
fn particles_are_chosen_by_where_they_are_now_or_at_rest() {
    let mut world = world(0.0, 1);
    let id = add(&mut world, &cube(5), Vec3::X * 10.0);
    let body = world.body(id).unwrap();
    let points = support::positions(body);
    for (space, shift) in [(Space::World, Vec3::ZERO), (Space::Rest, Vec3::X * 10.0)] {
        let inside = |test: &dyn Fn(Vec3) -> bool| -> Vec<u32> {
            (0..points.len() as u32).filter(|&i| test(points[i as usize])).collect()
        };
        let (low, high) = (Vec3::new(9.7, -0.3, -0.6), Vec3::new(10.8, 0.3, 0.1));
        let wanted = inside(&|p| p.cmpge(low).all() && p.cmple(high).all());
        assert!(wanted.len() > 10);
        assert_eq!(body.particles_in_box(low - shift, high - shift, space).unwrap(), wanted);
        let (centre, radius) = (Vec3::new(10.2, 0.1, 0.3), 0.4);
        let wanted = inside(&|p| p.distance(centre) <= radius);
        assert!(wanted.len() > 10);
        assert_eq!(body.particles_in_sphere(centre - shift, radius, space).unwrap(), wanted);
        assert_eq!(body.nearest_particle(points[77] - shift, space).unwrap(), Some(77));
    }
    assert!(body.particles_in_sphere(Vec3::ZERO, f32::NAN, Space::World).is_err());
}

#[test]
fn a_body_hung_from_the_world_keeps_what_is_held_in_place_and_weighs_what_it_weighs() {
    let mut world = world(-9.81, 1);
    let id = add(&mut world, &cube(6), Vec3::ZERO);
    let held = top(&world, id);
    assert_eq!(held.len(), 36);
    let before = support::positions(world.body(id).unwrap());
    let hung = world.attach(id, &held, &AttachmentDef::default()).unwrap();
    run(&mut world, 240);
    let mut force = Vec3::ZERO;
    for _ in 0..240 {
        world.step(DT).unwrap();
        force += world.attachment(hung).unwrap().impulse() / (240.0 * DT);
    }
    let after = support::positions(world.body(id).unwrap());
    for &i in &held {
        assert!(after[i as usize].distance(before[i as usize]) < 1e-5);
    }
    assert!(after[0].y < before[0].y - 1e-4, "it must hang through a little");
    assert!((force - Vec3::NEG_Y * 9.81).length() < 0.05, "{force} N for 1 kg");
    let torque = world.attachment(hung).unwrap().torque_impulse() / DT;
    assert!(torque.length() < 0.05, "{torque}");
    world.detach(hung).unwrap();
    run(&mut world, 30);
    assert!(world.body(id).unwrap().centre_of_mass().y < -0.9);
    assert_eq!(world.detach(hung), Err(Error::Stale { what: "attachment" }));
}

#[test]
fn held_particles_follow_a_frame_that_moves_and_turns() {
    let mut world = world(0.0, 1);
    let id = add(&mut world, &cube(5), Vec3::ZERO);
    let held = top(&world, id);
    let before = support::positions(world.body(id).unwrap());
    let frame = world.attach(id, &held, &AttachmentDef::default()).unwrap();
    let (mut position, mut rotation) = (Vec3::ZERO, Quat::IDENTITY);
    for step in 0..120 {
        position = Vec3::new(0.02 * step as f32, 0.0, 0.0);
        rotation = Quat::from_rotation_y(0.01 * step as f32);
        world.move_attachment(frame, position, rotation).unwrap();
        world.step(DT).unwrap();
    }
    let after = support::positions(world.body(id).unwrap());
    for &i in &held {
        let wanted = position + rotation * before[i as usize];
        assert!(after[i as usize].distance(wanted) < 1e-4);
    }
    // The rest has come along.
    let centre = position + rotation * Vec3::ZERO;
    assert!(world.body(id).unwrap().centre_of_mass().distance(centre) < 0.1);
}

#[test]
fn a_rigid_body_of_the_hosts_is_pulled_by_what_hangs_on_it() {
    // 2 kg of the host's carry 1 kg of jelly; both fall together, so the frame feels nothing in the end,
    // and momentum of both together follows gravity alone.
    let mut world = world(-9.81, 1);
    let id = add(&mut world, &cube(5), Vec3::ZERO);
    let held = top(&world, id);
    let hold = Hold::Spring { hertz: 4.0, damping_ratio: 1.0 };
    let frame = world.attach(id, &held, &AttachmentDef { hold, ..AttachmentDef::default() }).unwrap();
    let (mut position, mut velocity) = (Vec3::ZERO, Vec3::X * 3.0);
    for step in 1..=120 {
        velocity += Vec3::NEG_Y * (9.81 * DT);
        position += velocity * DT;
        world.move_attachment(frame, position, Quat::IDENTITY).unwrap();
        world.step(DT).unwrap();
        velocity += world.attachment(frame).unwrap().impulse() / 2.0;
        let momentum = velocity * 2.0 + world.body(id).unwrap().momentum();
        let wanted = Vec3::X * 6.0 + Vec3::NEG_Y * (3.0 * 9.81 * DT * step as f32);
        assert!((momentum - wanted).length() < 1e-3, "{momentum} is not {wanted}");
    }
    let sideways = world.body(id).unwrap().momentum().x;
    assert!((sideways - 2.0).abs() < 0.1, "both end at 2 m/s: {sideways}");
}

/// Momentum and angular momentum about the origin of some bodies.
fn momenta(world: &World, bodies: &[BodyId]) -> (DVec3, DVec3) {
    let mut sum = (DVec3::ZERO, DVec3::ZERO);
    for &id in bodies {
        let body = world.body(id).unwrap();
        let (x, v) = (body.raw_positions(), body.raw_velocities());
        for ((x, v), m) in x.iter().zip(v).zip(body.shape().masses()) {
            let p = v.truncate().as_dvec3() * f64::from(*m);
            sum.0 += p;
            sum.1 += x.truncate().as_dvec3().cross(p);
        }
    }
    sum
}

/// Two cubes side by side, one of them thrown, joined where they are nearest.
fn joined(hold: Hold, length: Option<f32>, threads: u32) -> (World, [BodyId; 2], AttachmentId) {
    let mut world = world(0.0, threads);
    let shape = cube(6);
    let (a, b) = (add(&mut world, &shape, Vec3::ZERO), add(&mut world, &shape, Vec3::X * 1.2));
    world.body_mut(b).unwrap().set_velocity(Vec3::new(0.4, 1.0, 0.3)).unwrap();
    world.body_mut(a).unwrap().apply_torque_impulse(Vec3::new(0.0, 0.1, 0.2)).unwrap();
    let def = JointDef {
        point: Vec3::X * 0.5,
        other_point: Vec3::X * 0.7,
        radius: 0.35,
        length,
        hold,
        ..JointDef::default()
    };
    let joint = world.join(a, b, &def).unwrap();
    (world, [a, b], joint)
}

#[test]
fn joints_keep_momentum_and_angular_momentum_of_both_bodies() {
    let soft = Hold::Spring { hertz: 4.0, damping_ratio: 0.2 };
    let stiff = Hold::Spring { hertz: 5000.0, damping_ratio: 1.0 };
    for hold in [Hold::Firm, soft, stiff] {
        for length in [None, Some(0.0)] {
            let (mut world, bodies, _) = joined(hold, length, 1);
            let (p, l) = momenta(&world, &bodies);
            run(&mut world, 1000);
            let (after_p, after_l) = momenta(&world, &bodies);
            assert!((after_p - p).length() < 2e-5, "{hold:?} {length:?}: {p} became {after_p}");
            assert!(
                (after_l - l).length() < 5e-4 * l.length().max(1.0),
                "{hold:?} {length:?}: {l} became {after_l}"
            );
        }
    }
}

#[test]
fn a_firm_joint_keeps_its_length_and_a_spring_comes_back_to_it() {
    let gap = |world: &World, bodies: [BodyId; 2]| {
        let mean = |id: BodyId, point: Vec3| {
            // The same kernel as the joint's, over the rest positions.
            let body = world.body(id).unwrap();
            let places = body.raw_positions().iter().zip(body.shape().rest());
            let weighed = places.filter_map(|(x, r)| {
                let s = 1.0 - (r.truncate() - point).length_squared() / (0.35 * 0.35);
                (s > 0.0).then_some((x.truncate(), s * s))
            });
            let (sum, weight) = weighed.fold((Vec3::ZERO, 0.0), |(s, w), (x, a)| (s + x * a, w + a));
            sum / weight
        };
        mean(bodies[0], Vec3::X * 0.5).distance(mean(bodies[1], Vec3::NEG_X * 0.5))
    };
    for (hold, tolerance) in [(Hold::Firm, 1e-4), (Hold::Spring { hertz: 3.0, damping_ratio: 0.7 }, 0.05)] {
        let (mut world, bodies, _) = joined(hold, None, 1);
        let before = gap(&world, bodies);
        run(&mut world, 300);
        assert!(
            (gap(&world, bodies) - before).abs() < tolerance,
            "{hold:?}: {before}, {}",
            gap(&world, bodies)
        );
        assert!(bodies.iter().all(|id| world.body(*id).unwrap().shape_error() < 0.1));
    }
}

#[test]
fn no_joint_gives_energy_from_nowhere() {
    for hertz in [0.5, 10.0, 100.0, 1e4] {
        for damping_ratio in [0.0, 1.0, 100.0] {
            let (mut world, bodies, _) = joined(Hold::Spring { hertz, damping_ratio }, Some(0.0), 1);
            // What the spring holds at first comes on top.
            let energy = |world: &World| -> f32 {
                bodies.iter().map(|id| world.body(*id).unwrap().kinetic_energy()).sum()
            };
            let stored = 0.5 * 0.5 * (std::f32::consts::TAU * hertz).powi(2) * 0.6 * 0.6;
            let most = energy(&world) + stored;
            for _ in 0..600 {
                world.step(DT).unwrap();
                assert!(energy(&world) < 1.05 * most, "{hertz} Hz, {damping_ratio}");
            }
        }
    }
}

#[test]
fn an_attachment_breaks_at_its_force_and_is_reported_once() {
    for (break_force, breaks) in [(5.0, true), (30.0, false)] {
        let mut world = world(-9.81, 1);
        let id = add(&mut world, &cube(5), Vec3::ZERO);
        let held = top(&world, id);
        let def = AttachmentDef { break_force, ..AttachmentDef::default() };
        let hung = world.attach(id, &held, &def).unwrap();
        let mut told = Vec::new();
        for _ in 0..120 {
            world.step(DT).unwrap();
            told.extend_from_slice(world.broken_attachments());
        }
        assert_eq!(told, if breaks { vec![hung] } else { vec![] });
        assert_eq!(world.attachment(hung).is_err(), breaks);
        assert_eq!(world.body(id).unwrap().centre_of_mass().y < -1.0, breaks);
    }
}

#[test]
fn a_sprung_attachment_swings_at_its_frequency() {
    // Everything is held, so the body moves as a whole.
    let mut world = world(0.0, 1);
    let id = add(&mut world, &cube(5), Vec3::ZERO);
    let all: Vec<u32> = (0..125).collect();
    let def =
        AttachmentDef { hold: Hold::Spring { hertz: 2.0, damping_ratio: 0.05 }, ..AttachmentDef::default() };
    world.attach(id, &all, &def).unwrap();
    world.body_mut(id).unwrap().set_velocity(Vec3::X).unwrap();
    let mut turns = Vec::new();
    let mut before = 1.0;
    for step in 0..240 {
        world.step(DT).unwrap();
        let speed = world.body(id).unwrap().momentum().x;
        if speed * before < 0.0 {
            turns.push(step);
        }
        before = speed;
    }
    let period = 2.0 * (turns[4] - turns[0]) as f32 / 4.0 * DT;
    assert!((period - 0.5).abs() < 0.02, "{period} s");
}

#[test]
fn a_drag_takes_the_picked_place_to_its_target_with_no_more_than_its_force() {
    let mut world = world(-9.81, 1);
    world.add_plane(&Plane::default()).unwrap();
    let id = add(&mut world, &cube(6), Vec3::Y * 0.5);
    let picked = Vec3::new(0.5, 1.0, 0.5);
    let def = DragDef { point: picked, radius: 0.4, max_force: 200.0, ..DragDef::default() };
    let drag = world.drag(id, &def).unwrap();
    let target = Vec3::new(1.0, 2.5, 0.0);
    for step in 0..300 {
        let t = (step as f32 / 60.0).min(1.0);
        world.move_attachment(drag, picked.lerp(target, t), Quat::IDENTITY).unwrap();
        world.step(DT).unwrap();
        let force = world.attachment(drag).unwrap().impulse().length() / DT;
        assert!(force <= 200.0 * 1.0001, "{force} N");
    }
    let corner = support::positions(world.body(id).unwrap())[215];
    assert!(corner.distance(target) < 0.15, "{corner}");
    world.detach(drag).unwrap();
    run(&mut world, 300);
    let y = world.body(id).unwrap().centre_of_mass().y;
    assert!(y < 1.0, "it must fall when let go: {y}");
    // Too weak to lift it.
    let def =
        DragDef { point: world.body(id).unwrap().centre_of_mass(), max_force: 5.0, ..DragDef::default() };
    let drag = world.drag(id, &def).unwrap();
    world.move_attachment(drag, Vec3::Y * 50.0, Quat::IDENTITY).unwrap();
    run(&mut world, 120);
    assert!(world.body(id).unwrap().centre_of_mass().y < 1.0);
}

/// Bodies that hang, are joined and dragged, some of them soft.
fn busy(threads: u32) -> World {
    let mut world = world(-9.81, threads);
    let shape = cube(6);
    let ids: Vec<BodyId> = (0..6).map(|i| add(&mut world, &shape, Vec3::X * (1.2 * i as f32))).collect();
    let held = top(&world, ids[0]);
    world.attach(ids[0], &held, &AttachmentDef::default()).unwrap();
    for (k, pair) in ids.windows(2).enumerate() {
        let x = Vec3::X * (1.2 * k as f32 + 0.6);
        let hold = if k % 2 == 0 { Hold::Firm } else { Hold::Spring { hertz: 8.0, damping_ratio: 0.3 } };
        let def = JointDef {
            point: x,
            other_point: x,
            radius: 0.4,
            hold,
            break_force: 400.0,
            ..JointDef::default()
        };
        world.join(pair[0], pair[1], &def).unwrap();
    }
    let drag = world.drag(ids[5], &DragDef { max_force: 30.0, ..DragDef::default() }).unwrap();
    world.move_attachment(drag, Vec3::new(3.0, 5.0, 1.0), Quat::IDENTITY).unwrap();
    world
}

#[test]
fn attachments_give_the_same_bits_on_any_number_of_threads() {
    let hash = |threads| {
        let mut world = busy(threads);
        run(&mut world, 90);
        world.state_hash()
    };
    assert_eq!(hash(1), hash(2));
    assert_eq!(hash(1), hash(5));
}

#[test]
fn a_restored_world_goes_on_with_its_attachments_bit_for_bit() {
    let mut first = busy(1);
    run(&mut first, 30);
    let saved = first.snapshot();
    let shape = Arc::clone(first.bodies().next().unwrap().1.shape());
    let names: Vec<AttachmentId> = first.attachments().map(|(id, _)| id).collect();
    run(&mut first, 60);
    let ahead = first.state_hash();
    first.restore(&saved, &[]).unwrap();
    assert_eq!(first.attachments().map(|(id, _)| id).collect::<Vec<_>>(), names);
    assert_eq!(first.snapshot(), saved);
    run(&mut first, 60);
    assert_eq!(first.state_hash(), ahead);
    let mut other = world(0.0, 1);
    let id = add(&mut other, &shape, Vec3::ZERO);
    let before = other.attach(id, &[0], &AttachmentDef::default()).unwrap();
    other.restore(&saved, &[shape]).unwrap();
    assert!(other.attachment(before).is_err(), "a name given out here names nothing of another world's");
    assert_eq!(other.attachments().count(), names.len());
    run(&mut other, 60);
    assert_eq!(other.state_hash(), ahead);
    for at in 0..saved.len() {
        let mut damaged = saved.clone();
        damaged[at] ^= 0x41;
        if at % 97 == 0 {
            assert!(other.restore(&damaged, &[]).is_err());
        }
    }
}

#[test]
fn attachments_go_with_their_bodies_and_survive_bodies_that_freeze() {
    let mut world = busy(1);
    let ids: Vec<BodyId> = world.bodies().map(|(id, _)| id).collect();
    world.remove_body(ids[2]).unwrap();
    assert_eq!(world.attachments().count(), 5);
    world.body_mut(ids[3]).unwrap().set_enabled(false);
    run(&mut world, 60);
    for _ in 0..3 {
        world.body_mut(ids[4]).unwrap().set_velocity(Vec3::splat(1e9)).unwrap();
        world.body_mut(ids[4]).unwrap().set_position_of(0, Vec3::splat(1e9)).unwrap();
        run(&mut world, 10);
    }
    for (_, body) in world.bodies() {
        assert!(body.raw_positions().iter().chain(body.raw_velocities()).all(|v| v.is_finite()));
    }
}

#[test]
fn attachments_that_cannot_be_are_refused_by_name() {
    let mut world = world(0.0, 1);
    let id = add(&mut world, &cube(4), Vec3::ZERO);
    let text = |result: Result<AttachmentId, Error>| result.unwrap_err().to_string();
    assert!(text(world.attach(id, &[], &AttachmentDef::default())).contains("particles"));
    assert!(text(world.attach(id, &[64], &AttachmentDef::default())).contains("particle"));
    let weak = AttachmentDef { break_force: 0.0, ..AttachmentDef::default() };
    assert!(text(world.attach(id, &[0], &weak)).contains("break_force"));
    let nowhere = AttachmentDef { position: Vec3::NAN, ..AttachmentDef::default() };
    assert!(text(world.attach(id, &[0], &nowhere)).contains("position"));
    for hertz in [0.0, -1.0, f32::NAN, 1e5] {
        let hold = Hold::Spring { hertz, damping_ratio: 1.0 };
        assert!(text(world.join(id, id, &JointDef { hold, ..JointDef::default() })).contains("hertz"));
        assert!(text(world.drag(id, &DragDef { hertz, ..DragDef::default() })).contains("hertz"));
    }
    let long = JointDef { length: Some(f32::INFINITY), ..JointDef::default() };
    assert!(text(world.join(id, id, &long)).contains("length"));
    let none = Shape::from_points(&[], None, &LevelsDef::default()).unwrap();
    let empty = add(&mut world, &none, Vec3::ZERO);
    assert!(text(world.drag(empty, &DragDef::default())).contains("particles"));
    let joint = world.join(id, id, &JointDef::default()).unwrap();
    assert!(world.move_attachment(joint, Vec3::ZERO, Quat::IDENTITY).is_err());
    assert_eq!(world.attachments().count(), 1);
}
