//! Scenes of soft bodies that touch: a ball that rolls on a soft floor, a fork whose prongs meet, a sheet, and the
//! clusters' proxies. The papers' own are in `papers.rs`.

mod scenes;
mod support;

use std::sync::Arc;

use glam::{Quat, Vec3};
use wobble::{
    Body, BodyDef, BodyId, LevelsDef, Material, Shape, Stiffness, Surface, Touch, Weighting, World, WorldDef,
};

const DT: f32 = 1.0 / 60.0;

fn world(gravity: f32) -> World {
    World::new(&WorldDef { gravity: Vec3::Y * -gravity, threads: 1, ..WorldDef::default() }).unwrap()
}

fn shape(points: &[Vec3]) -> Arc<Shape> {
    Shape::from_points(points, None, &LevelsDef::default()).unwrap()
}

#[test]
fn a_ball_rolls_on_a_soft_floor_without_steps() {
    let mut world = world(9.81);
    let spacing = 0.1;
    let points = scenes::box_grid(Vec3::new(4.0, 0.2, 1.6), spacing);
    // As dense as the ball.
    let masses = vec![1000.0 * spacing * spacing * spacing; points.len()];
    let floor = Shape::from_points(&points, Some(&masses), &LevelsDef::default()).unwrap();
    let stiff = Material { stiffness: Stiffness::Hertz(60.0), ..Material::default() };
    let id = world.add_body(&floor, &BodyDef { material: stiff, ..BodyDef::default() }).unwrap();
    let bottom: Vec<usize> = (0..)
        .zip(support::positions(world.body(id).unwrap()))
        .filter(|(_, x)| x.y < -0.05)
        .map(|(i, _)| i)
        .collect();
    bottom.iter().for_each(|&i| world.body_mut(id).unwrap().pin(i).unwrap());
    let round = wobble::Solid::ball(0.4).unwrap();
    let sampling = wobble::SamplingDef { amount: wobble::Amount::Spacing(0.08), ..Default::default() };
    let round = Shape::from_solid(&round, 24, &sampling, &LevelsDef::default(), &mut |_| true).unwrap();
    let surface = Surface { friction: 0.6, ..Surface::default() };
    let def =
        BodyDef { position: Vec3::new(-1.5, 0.51, 0.0), material: stiff, surface, ..BodyDef::default() };
    let ball = world.add_body(&round, &def).unwrap();
    (0..60).for_each(|_| world.step(DT).unwrap());
    let body = world.body_mut(ball).unwrap();
    body.set_velocity(Vec3::X * 1.0).unwrap();
    let (centre, inertia) =
        (body.centre_of_mass(), 0.4 * 0.4 * 0.4 * body.shape().masses().iter().sum::<f32>());
    body.apply_torque_impulse(Vec3::Z * (-1.0 / 0.4 * inertia)).unwrap();
    let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
    let mut speeds = Vec::new();
    for _ in 0..100 {
        let before = world.body(ball).unwrap().centre_of_mass();
        world.step(DT).unwrap();
        let now = world.body(ball).unwrap().centre_of_mass();
        (low, high) = (low.min(now.y), high.max(now.y));
        speeds.push((now.x - before.x) / DT);
    }
    let way = world.body(ball).unwrap().centre_of_mass().x - centre.x;
    println!("rolled {way} m, between {low} and {high} m; speed {} to {}", speeds[0], speeds[99]);
    assert!(way > 0.8, "it stopped after {way} m");
    assert!(high - low < 0.25 * spacing, "it bobbed by {} m", high - low);
    let jolt = speeds.windows(2).map(|two| (two[1] - two[0]).abs()).fold(0.0, f32::max);
    assert!(jolt < 0.15, "its speed jumped by {jolt} m/s");
}

/// A tuning fork with prongs 0.6 m apart and the particles of either's tip.
fn fork(itself: bool) -> (World, BodyId, [Vec<usize>; 2]) {
    let mut world = world(0.0);
    let spacing = 0.1;
    let prong = |x: f32| {
        scenes::box_grid(Vec3::new(0.2, 2.0, 0.3), spacing).into_iter().map(move |p| p + Vec3::X * x)
    };
    let base = scenes::box_grid(Vec3::new(0.8, 0.2, 0.3), spacing).into_iter().map(|p| p - Vec3::Y * 1.2);
    let points: Vec<Vec3> = prong(-0.3).chain(prong(0.3)).chain(base).collect();
    let soft = Material { stiffness: Stiffness::Hertz(8.0), ..Material::default() };
    let touch = Touch { itself, ..Touch::default() };
    let id =
        world.add_body(&shape(&points), &BodyDef { material: soft, touch, ..BodyDef::default() }).unwrap();
    let body = world.body_mut(id).unwrap();
    // Coarse levels would keep the prongs straight.
    let finest = (0..body.shape().levels().len()).map(|l| f32::from(l == 0)).collect();
    body.set_weighting(&Weighting::Manual(finest)).unwrap();
    let tip =
        |side: f32| (0..points.len()).filter(|&i| points[i].x * side > 0.1 && points[i].y > 0.7).collect();
    (world, id, [tip(-1.0), tip(1.0)])
}

/// How far apart the tips of a fork are, metres, when its prongs are pressed together; at first 0.6.
fn pressed_fork(itself: bool) -> f32 {
    let (mut world, id, tips) = fork(itself);
    let body = world.body_mut(id).unwrap();
    let low = support::positions(body).into_iter().map(|x| x.y < -1.05);
    low.enumerate().filter(|(_, low)| *low).for_each(|(i, _)| body.pin(i).unwrap());
    for _ in 0..120 {
        for (list, force) in tips.iter().zip([1.0, -1.0]) {
            let body = world.body_mut(id).unwrap();
            list.iter().for_each(|&i| body.apply_force_to(i, Vec3::X * (force / list.len() as f32)).unwrap());
        }
        world.step(DT).unwrap();
    }
    let now = support::positions(world.body(id).unwrap());
    let mean = |list: &[usize]| list.iter().map(|&i| now[i].x).sum::<f32>() / list.len() as f32;
    mean(&tips[1]) - mean(&tips[0])
}

#[test]
fn parts_of_a_body_that_strike_each_other_keep_its_momentum_and_angular_momentum() {
    let mut energies = Vec::new();
    for itself in [false, true] {
        let (mut world, id, tips) = fork(itself);
        let body = world.body_mut(id).unwrap();
        // The left tip comes faster, and the two aside: at 7 and 4 m/s.
        for (list, impulse) in tips.iter().zip([Vec3::new(0.5, 0.0, -0.1), Vec3::new(-0.3, 0.0, 0.1)]) {
            list.iter().for_each(|&i| body.apply_impulse_to(i, impulse / list.len() as f32).unwrap());
        }
        let motion = |body: &Body| (body.momentum(), body.angular_momentum(), body.kinetic_energy());
        let before = motion(body);
        (0..60).for_each(|_| world.step(DT).unwrap());
        let after = motion(world.body(id).unwrap());
        println!("touches itself {itself}: {before:?} became {after:?}");
        assert!(after.0.distance(before.0) < 1e-5, "{} became {}", before.0, after.0);
        // Of the 0.8 N s that meet 1 m from the middle.
        assert!(after.1.distance(before.1) < 0.0008 * 0.8, "{} became {}", before.1, after.1);
        energies.push(after.2);
    }
    assert!(energies[1] < 0.5 * energies[0], "nothing struck: {energies:?} J");
}

#[test]
fn the_prongs_of_a_fork_stop_each_other_if_it_touches_itself() {
    let (free, kept) = (pressed_fork(false), pressed_fork(true));
    println!("tips {free} m apart without, {kept} m with");
    assert!(free < 0.0, "the prongs did not pass through each other: {free} m");
    // Each is 0.2 m thick between its outer particles.
    assert!(kept > 0.15, "the middles of the tips are {kept} m apart");
}

#[test]
fn proxies_hold_bodies_apart_as_well_but_lumpily() {
    let (cube, slab) = (shape(&scenes::grid(6, 6, 6, 0.2)), shape(&scenes::grid(16, 4, 16, 0.2)));
    for proxies in [false, true] {
        let mut world = world(9.81);
        let touch = Touch { proxies, ..Touch::default() };
        let def = |y: f32| BodyDef { position: Vec3::Y * y, touch, ..BodyDef::default() };
        let low = world.add_body(&slab, &def(0.0)).unwrap();
        (0..slab.particle_count()).for_each(|i| world.body_mut(low).unwrap().pin(i).unwrap());
        let ids = [low, world.add_body(&cube, &def(1.8)).unwrap()];
        (0..240).for_each(|_| world.step(DT).unwrap());
        let bounds = ids.map(|id| world.body(id).unwrap().bounds());
        let gap = bounds[1].0.y - bounds[0].1.y;
        println!("gap {gap} m with proxies {proxies}");
        // Spheres reach out of the surface by up to about their radius.
        let most = if proxies { 1.25 * slab.levels()[0].report().radius } else { 0.02 };
        assert!(gap > -0.02 && gap < most, "{gap} m with proxies {proxies}");
    }
}

#[test]
fn a_sheet_of_one_layer_carries_a_finer_cube_on_its_edges() {
    let (cube, sheet) = (shape(&scenes::grid(6, 6, 6, 0.04)), shape(&scenes::grid(21, 1, 21, 0.1)));
    for turn in [0.0, 0.4, 0.9] {
        let mut world = world(9.81);
        let low = world.add_body(&sheet, &BodyDef::default()).unwrap();
        (0..sheet.particle_count()).for_each(|i| world.body_mut(low).unwrap().pin(i).unwrap());
        let rotation = Quat::from_rotation_z(turn) * Quat::from_rotation_x(turn);
        let def = BodyDef { position: Vec3::new(0.03, 0.5, 0.04), rotation, ..BodyDef::default() };
        let id = world.add_body(&cube, &def).unwrap();
        let height = |_| {
            world.step(DT).unwrap();
            world.body(id).unwrap().bounds().0.y
        };
        let heights: Vec<f32> = (0..240).map(height).collect();
        let (least, last) = (heights.iter().copied().fold(f32::INFINITY, f32::min), heights[239]);
        println!("turned by {turn}: least {least} m above the sheet, {last} m in the end");
        assert!(least > -0.01 && last > 0.0 && last < 0.1, "turned by {turn}: {least} and {last} m");
    }
}
