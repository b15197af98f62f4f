//! Bodies against the host's world: they rest on every kind of collider, slide, bounce, are carried
//! and pushed, and nothing passes through.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use support::{is_finite, shape};
use wobble::{
    BodyDef, BodyId, ColliderDef, ColliderId, ColliderShape, Indices, Material, Mesh, Nesting, Shape,
    Stiffness, Surface, World, WorldDef,
};

const STEP: f32 = 1.0 / 60.0;

fn ball() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| shape(&scenes::ball(0.25, 0.08), 15, Nesting::Nested))
}

fn cube() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| shape(&scenes::grid(6, 6, 6, 0.08), 15, Nesting::Nested))
}

fn world() -> World {
    World::new(&WorldDef { threads: 1, sleeping: false, ..WorldDef::default() }).unwrap()
}

fn add(world: &mut World, shape: &Arc<Shape>, position: Vec3, velocity: Vec3) -> BodyId {
    world.add_body(shape, &BodyDef { position, velocity, ..BodyDef::default() }).unwrap()
}

fn put(world: &mut World, shape: ColliderShape, position: Vec3) -> ColliderId {
    world.add_collider(&ColliderDef { shape, position, ..ColliderDef::default() }).unwrap()
}

fn run(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| world.step(STEP).unwrap());
}

/// Fastest particle, m/s.
fn speed(world: &World, id: BodyId) -> f32 {
    let body = world.body(id).unwrap();
    body.raw_velocities().iter().map(|v| v.truncate().length()).fold(0.0, f32::max)
}

fn block(half: Vec3) -> ColliderShape {
    ColliderShape::Box { half_extents: half }
}

/// A box as triangles; closed, or without its lid and so open.
fn box_mesh(half: Vec3, closed: bool) -> ColliderShape {
    with_box_mesh(half, closed, ColliderShape::mesh)
}

fn with_box_mesh(
    half: Vec3,
    closed: bool,
    made: fn(&Mesh) -> Result<ColliderShape, wobble::Error>,
) -> ColliderShape {
    let corner = |i: usize| {
        let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        half * Vec3::new(sign(0), sign(1), sign(2))
    };
    let positions: Vec<Vec3> = (0..8).map(corner).collect();
    let quads: [[u32; 4]; 6] =
        [[2, 6, 7, 3], [0, 1, 5, 4], [1, 3, 7, 5], [0, 4, 6, 2], [4, 5, 7, 6], [0, 2, 3, 1]];
    let some = if closed { &quads[..] } else { &quads[..1] };
    let indices: Vec<u32> = some.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect();
    let mesh = Mesh { positions: &positions, indices: Indices::U32(&indices), ..Mesh::default() };
    made(&mesh).unwrap()
}

fn corners(half: Vec3) -> Vec<Vec3> {
    let sign = |i: usize, bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    (0..8).map(|i| half * Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
}

/// Every kind of collider with its top at y = 0, wide enough for a cube to lie on.
fn grounds() -> Vec<(&'static str, ColliderShape, Vec3)> {
    let wide = Vec3::new(2.0, 0.5, 2.0);
    let down = Vec3::NEG_Y * 0.5;
    let heights = vec![0.0; 81];
    vec![
        ("plane", ColliderShape::Plane { normal: Vec3::Y, offset: 0.0 }, Vec3::ZERO),
        ("box", block(wide), down),
        ("cylinder", ColliderShape::Cylinder { half_height: 0.5, radius: 2.0 }, down),
        ("hull", ColliderShape::hull(&corners(wide)).unwrap(), down),
        ("closed mesh", box_mesh(wide, true), down),
        ("open mesh", box_mesh(wide, false), down),
        ("height field", ColliderShape::height_field(9, 9, [0.5, 0.5], &heights).unwrap(), Vec3::ZERO),
    ]
}

#[test]
fn a_cube_comes_to_rest_on_every_kind_of_ground() {
    for (name, shape, position) in grounds() {
        let mut world = world();
        put(&mut world, shape, position);
        let cube = add(&mut world, cube(), Vec3::Y * 0.5, Vec3::ZERO);
        run(&mut world, 240);
        let foot = world.body(cube).unwrap().bounds().0.y;
        let fastest = speed(&world, cube);
        println!("{name}: foot at {foot:.5} m, fastest particle {fastest:.5} m/s");
        assert!(foot.abs() < 2e-3, "{name}: foot at {foot}");
        assert!(fastest < 0.01, "{name}: {fastest} m/s");
        assert!(world.body(cube).unwrap().shape_error() < 0.05);
    }
}

#[test]
fn a_ball_lies_on_round_colliders_as_long_as_it_is_held() {
    // Balanced on top it would roll off; a ring of four keeps it.
    for capsules in [false, true] {
        let mut world = world();
        for k in 0..4 {
            let turn = Quat::from_rotation_y(k as f32 * std::f32::consts::FRAC_PI_2);
            let at = turn * Vec3::new(0.3, 0.2, 0.0);
            let shape = match capsules {
                false => ColliderShape::Sphere { radius: 0.2 },
                true => ColliderShape::Capsule { half_height: 0.3, radius: 0.2 },
            };
            let rotation = turn * Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
            let def = ColliderDef { shape, position: at, rotation, ..ColliderDef::default() };
            world.add_collider(&def).unwrap();
        }
        let ball = add(&mut world, ball(), Vec3::Y * 1.0, Vec3::ZERO);
        run(&mut world, 400);
        let body = world.body(ball).unwrap();
        println!("capsules {capsules}: centre at {}, {} m/s", body.centre_of_mass(), speed(&world, ball));
        assert!(body.centre_of_mass().y > 0.3 && speed(&world, ball) < 0.05);
    }
}

/// A plate of 1 cm in the way of a ball at 100 m/s along -x; where the ball's particles are at most.
fn thrown_at(plate: ColliderShape, radius: f32) -> f32 {
    let mut world = world();
    world.set_gravity(Vec3::ZERO).unwrap();
    put(&mut world, plate, Vec3::ZERO);
    let def =
        BodyDef { position: Vec3::X * 3.1, velocity: Vec3::NEG_X * 100.0, radius, ..BodyDef::default() };
    let id = world.add_body(ball(), &def).unwrap();
    let mut least = f32::INFINITY;
    for _ in 0..60 {
        world.step(STEP).unwrap();
        assert!(is_finite(world.body(id).unwrap()));
        least = least.min(world.body(id).unwrap().bounds().0.x);
    }
    least
}

#[test]
fn a_ball_at_100_metres_a_second_does_not_pass_a_plate_of_a_centimetre() {
    let thin = Vec3::new(0.005, 2.0, 2.0);
    let plates = [
        ("box", block(thin)),
        ("hull", ColliderShape::hull(&corners(thin)).unwrap()),
        ("closed mesh", box_mesh(thin, true)),
    ];
    for (name, plate) in plates {
        for radius in [0.0, 0.01] {
            let least = thrown_at(plate.clone(), radius);
            println!("{name}, radius {radius}: no particle further than {least}");
            assert!(least > 0.005 + radius - 1e-3, "{name}: {least}");
        }
    }
    let positions = [Vec3::new(0.0, -2.0, -2.0), Vec3::new(0.0, 3.0, -2.0), Vec3::new(0.0, -2.0, 3.0)];
    for indices in [[0, 1, 2], [0, 2, 1]] {
        let mesh = Mesh { positions: &positions, indices: Indices::U32(&indices), ..Mesh::default() };
        let least = thrown_at(ColliderShape::mesh(&mesh).unwrap(), 0.0);
        println!("one triangle: no particle further than {least}");
        assert!(least > 0.0, "{least}");
    }
}

#[test]
fn a_plate_at_100_metres_a_second_takes_a_ball_along() {
    let mut world = world();
    world.set_gravity(Vec3::ZERO).unwrap();
    let plate = put(&mut world, block(Vec3::new(0.005, 2.0, 2.0)), Vec3::NEG_X * 2.1);
    let ball = add(&mut world, ball(), Vec3::ZERO, Vec3::ZERO);
    world.set_collider_velocity(plate, Vec3::X * 100.0, Vec3::ZERO).unwrap();
    for _ in 0..30 {
        world.step(STEP).unwrap();
        let (front, least) =
            (world.collider(plate).unwrap().position().x, world.body(ball).unwrap().bounds().0.x);
        assert!(least > front, "a particle at {least} is behind the plate at {front}");
    }
    assert!(world.body(ball).unwrap().centre_of_mass().x > 40.0);
}

#[test]
fn a_body_squeezed_between_two_colliders_stays_finite_and_comes_back() {
    let mut world = world();
    put(&mut world, block(Vec3::new(2.0, 0.5, 2.0)), Vec3::NEG_Y * 0.5);
    let press = put(&mut world, block(Vec3::new(2.0, 0.1, 2.0)), Vec3::Y * 0.8);
    let cube = add(&mut world, cube(), Vec3::Y * 0.21, Vec3::ZERO);
    let height = |k: f32| Vec3::Y * (0.12 + 0.6 * k);
    for k in (0..60).rev().chain(0..60) {
        world.move_collider(press, height(k as f32 / 60.0), Quat::IDENTITY).unwrap();
        world.step(STEP).unwrap();
        assert!(is_finite(world.body(cube).unwrap()));
    }
    run(&mut world, 180);
    let body = world.body(cube).unwrap();
    let (low, high) = body.bounds();
    println!("after being pressed to 2 cm: {low} to {high}, shape error {}", body.shape_error());
    assert!(body.shape_error() < 0.05 && low.y > -2e-3 && high.y < 0.6);
    assert!((high.y - low.y - 0.4).abs() < 0.03, "{low} to {high}");
}

#[test]
fn a_moving_platform_drags_what_lies_on_it_and_a_conveyor_does_so_standing() {
    let stand = |velocity: Vec3, conveyor: Vec3, spin: Vec3| {
        let mut world = world();
        let shape = block(Vec3::new(20.0, 0.5, 20.0));
        let position = Vec3::NEG_Y * 0.5;
        let def = ColliderDef { shape, position, conveyor, ..ColliderDef::default() };
        let floor = world.add_collider(&def).unwrap();
        let cube = add(&mut world, cube(), Vec3::new(1.0, 0.21, 0.0), Vec3::ZERO);
        run(&mut world, 30);
        world.set_collider_velocity(floor, velocity, spin).unwrap();
        run(&mut world, 120);
        (world.body(cube).unwrap().momentum() / world.body(cube).unwrap().shape().mass(), {
            world.body(cube).unwrap().centre_of_mass()
        })
    };
    let (speed, at) = stand(Vec3::X * 2.0, Vec3::ZERO, Vec3::ZERO);
    println!("on a platform at 2 m/s: {speed}, {at}");
    // Friction 0.5 brings it to 2 m/s within 0.41 s, 0.41 m behind the platform.
    assert!((speed - Vec3::X * 2.0).length() < 0.02 && (at.x - 1.0 - 3.59).abs() < 0.1);
    let (speed, _) = stand(Vec3::ZERO, Vec3::Z * 1.5, Vec3::ZERO);
    println!("on a conveyor at 1.5 m/s: {speed}");
    assert!((speed - Vec3::Z * 1.5).length() < 0.02);
    let (speed, at) = stand(Vec3::ZERO, Vec3::ZERO, Vec3::Y * 0.5);
    let carried = Vec3::Y.cross(at) * 0.5;
    println!("on a disc at 0.5 rad/s: {speed} at {at}");
    assert!((speed - carried).length() < 0.05 && (at.with_y(0.0).length() - 1.0).abs() < 0.15);
}

#[test]
fn the_height_of_a_bounce_grows_with_restitution() {
    let bounce = |restitution: f32| {
        let mut world = world();
        let surface = Surface { restitution, ..Surface::default() };
        let shape = block(Vec3::new(2.0, 0.5, 2.0));
        let def = ColliderDef { shape, surface, position: Vec3::NEG_Y * 0.5, ..ColliderDef::default() };
        world.add_collider(&def).unwrap();
        let material = Material { stiffness: Stiffness::Hertz(60.0), ..Material::default() };
        let def = BodyDef { position: Vec3::Y * 1.2, surface, material, ..BodyDef::default() };
        let id = world.add_body(cube(), &def).unwrap();
        let (mut touched, mut highest) = (false, 0f32);
        for _ in 0..90 {
            world.step(STEP).unwrap();
            touched |= !world.contacts().is_empty();
            if touched {
                highest = highest.max(world.body(id).unwrap().bounds().0.y);
            }
        }
        highest
    };
    let heights = [0.0, 0.25, 0.5, 0.75, 1.0].map(bounce);
    println!("of 1 m, with restitution 0, 1/4, 1/2, 3/4, 1: {heights:?}");
    assert!(heights.is_sorted() && heights[4] < 1.02 && heights[4] > 0.4, "{heights:?}");
}

#[test]
fn a_block_on_a_slope_stays_or_slides_by_its_angle_of_friction() {
    let slide = |degrees: f32, friction: f32| {
        let turn = Quat::from_rotation_z(-degrees.to_radians());
        let mut world = world();
        let surface = Surface { friction, ..Surface::default() };
        let shape = block(Vec3::new(40.0, 0.5, 2.0));
        let position = turn * (Vec3::NEG_Y * 0.5);
        world
            .add_collider(&ColliderDef { shape, surface, position, rotation: turn, ..ColliderDef::default() })
            .unwrap();
        let position = turn * Vec3::Y * 0.2;
        let def = BodyDef { position, rotation: turn, surface, ..BodyDef::default() };
        let id = world.add_body(cube(), &def).unwrap();
        run(&mut world, 120);
        world.body(id).unwrap().centre_of_mass().dot(turn * Vec3::X)
    };
    // tan 20° = 0.364.
    let still = slide(20.0, 0.4);
    println!("20°, friction 0.4: {still} m in 2 s");
    assert!(still.abs() < 0.02, "{still}");
    let slid = slide(20.0, 0.3);
    let wanted = 0.5 * 9.81 * (20f32.to_radians().sin() - 0.3 * 20f32.to_radians().cos()) * 4.0;
    println!("20°, friction 0.3: {slid} m in 2 s of {wanted} m");
    assert!((slid - wanted).abs() < 0.15 * wanted, "{slid} of {wanted}");
}

/// A bowl as an open mesh: a part of a sphere of 1 m about (0, 1, 0).
fn bowl() -> ColliderShape {
    let (rings, sides) = (12, 24);
    let mut positions = vec![Vec3::ZERO];
    for r in 1..=rings {
        let polar = r as f32 / rings as f32 * 1.3;
        for s in 0..sides {
            let turn = Quat::from_rotation_y(s as f32 / sides as f32 * std::f32::consts::TAU);
            positions.push(Vec3::Y + turn * Vec3::new(polar.sin(), -polar.cos(), 0.0));
        }
    }
    let at = |r: usize, s: usize| if r == 0 { 0 } else { (1 + (r - 1) * sides + s % sides) as u32 };
    let mut indices = Vec::new();
    for r in 0..rings {
        for s in 0..sides {
            indices.extend([
                at(r, s),
                at(r + 1, s),
                at(r + 1, s + 1),
                at(r, s),
                at(r + 1, s + 1),
                at(r, s + 1),
            ]);
        }
    }
    ColliderShape::mesh(&Mesh { positions: &positions, indices: Indices::U32(&indices), ..Mesh::default() })
        .unwrap()
}

#[test]
fn a_ball_in_a_bowl_of_triangles_comes_to_rest_at_its_bottom() {
    let mut world = world();
    put(&mut world, bowl(), Vec3::ZERO);
    let ball = add(&mut world, ball(), Vec3::new(0.5, 1.0, 0.1), Vec3::ZERO);
    let mut lowest = f32::INFINITY;
    for _ in 0..2400 {
        world.step(STEP).unwrap();
        lowest = lowest.min(world.body(ball).unwrap().bounds().0.y);
    }
    let body = world.body(ball).unwrap();
    let centre = body.centre_of_mass();
    println!("after 40 s at {centre}, {} m/s, never below {lowest}", speed(&world, ball));
    assert!(lowest > 0.0, "a particle was at {lowest}");
    assert!(centre.with_y(0.0).length() < 0.1 && speed(&world, ball) < 0.01);
    assert!(body.shape_error() < 0.05);
}

#[test]
fn what_is_inside_a_closed_mesh_comes_out() {
    for shape in [box_mesh(Vec3::splat(0.5), true), ColliderShape::hull(&corners(Vec3::splat(0.5))).unwrap()]
    {
        let mut world = world();
        world.set_gravity(Vec3::ZERO).unwrap();
        put(&mut world, shape, Vec3::ZERO);
        let id = add(&mut world, cube(), Vec3::new(0.0, 0.45, 0.0), Vec3::ZERO);
        run(&mut world, 120);
        let body = world.body(id).unwrap();
        let inside = support::positions(body).iter().filter(|p| p.abs().max_element() < 0.498).count();
        println!("centre at {}, {inside} inside", body.centre_of_mass());
        assert!(inside == 0 && is_finite(body));
    }
}

#[test]
fn what_is_inside_a_closed_surface_lies_on_its_floor() {
    let mut world = world();
    put(&mut world, with_box_mesh(Vec3::splat(2.0), true, ColliderShape::surface), Vec3::ZERO);
    let id = add(&mut world, cube(), Vec3::ZERO, Vec3::ZERO);
    run(&mut world, 240);
    let (low, high) = world.body(id).unwrap().bounds();
    println!("from {low} to {high}");
    assert!((low.y + 2.0).abs() < 0.01 && high.y < -0.5 && speed(&world, id) < 0.01);
}

#[test]
fn what_colliders_take_is_what_bodies_lose() {
    let mut world = world();
    world.set_gravity(Vec3::ZERO).unwrap();
    let mass = cube().mass();
    let wall = put(&mut world, block(Vec3::new(0.5, 2.0, 2.0)), Vec3::X * 1.0);
    let cube = add(&mut world, cube(), Vec3::new(0.0, 0.3, 0.1), Vec3::new(5.0, 1.0, 0.0));
    let about = world.collider(wall).unwrap().position();
    let angular = |world: &World| {
        let body = world.body(cube).unwrap();
        let masses = body.shape().masses();
        let each = body.raw_positions().iter().zip(body.raw_velocities()).zip(masses);
        each.map(|((x, v), m)| {
            (x.truncate() - about).as_dvec3().cross(v.truncate().as_dvec3()) * f64::from(*m)
        })
        .sum::<glam::DVec3>()
    };
    let mut hits = 0;
    for _ in 0..60 {
        let before = (world.body(cube).unwrap().momentum(), angular(&world));
        world.step(STEP).unwrap();
        let after = (world.body(cube).unwrap().momentum(), angular(&world));
        let wall = world.collider(wall).unwrap();
        let lost = before.0 - after.0;
        assert!((lost - wall.impulse()).length() < 1e-4 * mass * 5.0, "{lost} for {}", wall.impulse());
        let turned = before.1 - after.1;
        assert!(
            (turned.as_vec3() - wall.torque_impulse()).length()
                < 1e-4 * wall.torque_impulse().length() + 1e-5 * mass,
            "{turned}, {}",
            wall.torque_impulse()
        );
        hits += usize::from(wall.impulse().length() > 0.0);
    }
    assert!(hits > 0, "it missed the wall");
}
