//! Force fields: wind, attractors, buoyancy, explosions.

mod scenes;
mod support;

use glam::Vec3;
use scenes::worlds::{DT, awake as world, cube, run};
use wobble::{BodyDef, BodyId, Error, Explosion, Field, FieldDef, Groups, LevelsDef, Shape, World};

fn add(world: &mut World, position: Vec3, group: u32) -> BodyId {
    let groups = Groups { group, ..Groups::default() };
    world.add_body(&cube(5), &BodyDef { position, groups, ..BodyDef::default() }).unwrap()
}

fn velocity(world: &World, id: BodyId) -> Vec3 {
    world.body(id).unwrap().momentum()
}

fn wind(velocity: Vec3, drag: f32) -> Field {
    Field::Wind { velocity, drag, gusts: 0.0, gust_hertz: 0.0 }
}

#[test]
fn bodies_take_on_the_velocity_of_the_wind_at_the_rate_of_its_drag() {
    for drag in [0.5, 2.0, 1e6] {
        let mut world = world(0.0, 1);
        let id = add(&mut world, Vec3::ZERO, 1);
        world.add_field(&FieldDef::new(wind(Vec3::X * 4.0, drag))).unwrap();
        run(&mut world, 60);
        let left: f32 = 4.0 - velocity(&world, id).x;
        let wanted = 4.0 * (-drag).exp();
        assert!((left - wanted).abs() < 0.02, "{drag}: {left} left, not {wanted}");
    }
}

#[test]
fn a_falling_body_reaches_the_speed_at_which_drag_carries_it() {
    let mut world = world(-9.81, 1);
    let id = add(&mut world, Vec3::ZERO, 1);
    world.add_field(&FieldDef::new(wind(Vec3::ZERO, 2.0))).unwrap();
    run(&mut world, 300);
    assert!((velocity(&world, id).y + 9.81 / 2.0).abs() < 0.02, "{}", velocity(&world, id));
}

#[test]
fn gusts_swell_and_ebb_about_the_mean() {
    let mut world = world(0.0, 1);
    let id = add(&mut world, Vec3::ZERO, 1);
    let field = Field::Wind { velocity: Vec3::X * 2.0, drag: 1e6, gusts: 0.5, gust_hertz: 1.0 };
    world.add_field(&FieldDef::new(field)).unwrap();
    let (mut low, mut high, mut sum) = (f32::MAX, f32::MIN, 0.0);
    for _ in 0..600 {
        world.step(DT).unwrap();
        let x = velocity(&world, id).x;
        (low, high, sum) = (low.min(x), high.max(x), sum + x / 600.0);
    }
    assert!(low < 1.3 && high > 2.7 && low > 0.9 && high < 3.1, "{low} to {high}");
    assert!((sum - 2.0).abs() < 0.05, "{sum}");
}

#[test]
fn an_attractor_pulls_from_all_sides_and_not_beyond_its_radius() {
    let mut world = world(0.0, 1);
    let places = [Vec3::X * 3.0, Vec3::NEG_X * 3.0, Vec3::Y * 3.0, Vec3::Z * 20.0];
    let ids = places.map(|p| add(&mut world, p, 1));
    let field = Field::Attractor { centre: Vec3::ZERO, strength: 5.0, radius: 10.0 };
    let id = world.add_field(&FieldDef::new(field)).unwrap();
    run(&mut world, 30);
    for (place, id) in places.iter().zip(&ids[..3]) {
        let towards = -velocity(&world, *id).dot(place.normalize());
        // 5 m/s² (1 - 0.3²)² for half a second, a little more as it comes nearer.
        assert!((2.0..2.4).contains(&towards), "{towards}");
    }
    assert!(velocity(&world, ids[3]).length() < 1e-5);
    world.remove_field(id).unwrap();
    let before = velocity(&world, ids[0]);
    run(&mut world, 10);
    assert!((velocity(&world, ids[0]) - before).length() < 1e-4);
    assert_eq!(world.remove_field(id), Err(Error::Stale { what: "field" }));
}

#[test]
fn a_light_body_floats_with_its_share_under_water_and_a_heavy_one_sinks() {
    for (density_ratio, share) in [(2.0, 0.5), (4.0, 0.25)] {
        let mut world = world(-9.81, 1);
        // A slab, which does not tilt: four layers, each of which stands for 0.125 m.
        let slab = Shape::from_points(&scenes::grid(10, 4, 10, 0.125), None, &LevelsDef::default()).unwrap();
        let id = world.add_body(&slab, &BodyDef { position: Vec3::Y, ..BodyDef::default() }).unwrap();
        let (normal, flow) = (Vec3::Y * 3.0, Vec3::ZERO);
        let field = Field::Buoyancy { normal, offset: 0.0, density_ratio, drag: 6.0, flow };
        world.add_field(&FieldDef::new(field)).unwrap();
        run(&mut world, 900);
        let (low, _) = world.body(id).unwrap().bounds();
        let under = (0.0625 - low.y) / 0.5;
        assert!((under - share).abs() < 0.05, "{density_ratio}: {under} under water");
        assert!(velocity(&world, id).length() < 0.05, "{}", velocity(&world, id));
    }
    let mut world = world(-9.81, 1);
    let id = add(&mut world, Vec3::Y, 1);
    let (normal, flow) = (Vec3::Y, Vec3::X * 2.0);
    let field = Field::Buoyancy { normal, offset: 0.0, density_ratio: 0.5, drag: 1.0, flow };
    world.add_field(&FieldDef::new(field)).unwrap();
    run(&mut world, 600);
    let v = velocity(&world, id);
    assert!((v - Vec3::new(2.0, -9.81 * 0.5, 0.0)).length() < 0.05, "sinks with the flow: {v}");
}

#[test]
fn fields_act_on_their_body_or_their_groups_alone() {
    let mut world = world(0.0, 1);
    let ids = [(0, 1), (3, 2), (6, 4)].map(|(x, group)| add(&mut world, Vec3::X * x as f32, group));
    let field = wind(Vec3::Y, 5.0);
    let single = world.add_field(&FieldDef { body: Some(ids[1]), ..FieldDef::new(field) }).unwrap();
    run(&mut world, 60);
    assert!([0, 2].into_iter().all(|i| velocity(&world, ids[i]).length() < 1e-5));
    assert!(velocity(&world, ids[1]).y > 0.9);
    world.set_field(single, &FieldDef { mask: 1 | 4, ..FieldDef::new(wind(Vec3::X, 5.0)) }).unwrap();
    assert_eq!(world.field(single).unwrap().mask, 5);
    run(&mut world, 60);
    assert!(velocity(&world, ids[0]).x > 0.9 && velocity(&world, ids[2]).x > 0.9);
    assert!(velocity(&world, ids[1]).x.abs() < 1e-5);
    let single = world.add_field(&FieldDef { body: Some(ids[1]), ..FieldDef::new(field) }).unwrap();
    world.remove_body(ids[1]).unwrap();
    assert!(world.field(single).is_err(), "a body's own field goes with it");
    assert!(world.add_field(&FieldDef { body: Some(ids[1]), ..FieldDef::new(field) }).is_err());
}

#[test]
fn an_explosion_pushes_what_is_near_away_and_leaves_the_rest_alone() {
    let mut world = world(0.0, 1);
    let ids = [(2.0, 1), (4.0, 1), (20.0, 1), (2.0, 2)].map(|(x, group)| add(&mut world, Vec3::X * x, group));
    let boom = Explosion { centre: Vec3::ZERO, radius: 8.0, speed: 10.0, mask: 1 };
    world.explode(&boom).unwrap();
    let speeds = ids.map(|id| velocity(&world, id).x);
    // 10 m/s less an eighth for each metre; a little less as the cube's sides are further away.
    assert!((7.0..7.5).contains(&speeds[0]) && (4.5..5.0).contains(&speeds[1]), "{speeds:?}");
    assert_eq!(&speeds[2..], [0.0, 0.0]);
    assert!(world.explode(&Explosion { radius: 0.0, ..boom }).is_err());
    assert!(world.explode(&Explosion { speed: f32::NAN, ..boom }).is_err());
}

#[test]
fn a_body_without_fields_moves_as_in_a_world_without_any() {
    let hash = |fields: bool| {
        let mut world = world(-9.81, 1);
        let id = add(&mut world, Vec3::Y, 1);
        if fields {
            world.add_field(&FieldDef { mask: 2, ..FieldDef::new(wind(Vec3::X, 1.0)) }).unwrap();
        }
        world.body_mut(id).unwrap().deform(|p| p * Vec3::new(1.0, 1.2, 1.0)).unwrap();
        run(&mut world, 60);
        world.state_hash()
    };
    assert_eq!(hash(true), hash(false));
}

/// Bodies in everything at once, one of them large.
fn stormy(threads: u32) -> World {
    let mut world = world(-9.81, threads);
    (0..8).for_each(|i| {
        add(&mut world, Vec3::new(1.3 * i as f32, 1.0, 0.0), 1);
    });
    world.add_body(&cube(17), &BodyDef { position: Vec3::Z * 4.0, ..BodyDef::default() }).unwrap();
    let gusty = Field::Wind { velocity: Vec3::new(3.0, 0.0, 1.0), drag: 1.0, gusts: 0.7, gust_hertz: 0.8 };
    let (normal, flow) = (Vec3::Y, Vec3::X);
    let sea = Field::Buoyancy { normal, offset: 0.0, density_ratio: 2.0, drag: 3.0, flow };
    let star = Field::Attractor { centre: Vec3::new(5.0, 2.0, 2.0), strength: 6.0, radius: 9.0 };
    for field in [gusty, sea, star] {
        world.add_field(&FieldDef::new(field)).unwrap();
    }
    world
}

#[test]
fn fields_give_the_same_bits_on_any_number_of_threads_and_from_snapshots() {
    let mut alone = stormy(1);
    run(&mut alone, 30);
    let saved = alone.snapshot();
    run(&mut alone, 30);
    for threads in [2, 5] {
        let mut world = stormy(threads);
        run(&mut world, 60);
        assert_eq!(world.state_hash(), alone.state_hash());
        world.restore(&saved, &[]).unwrap();
        assert_eq!(world.fields().count(), 3);
        run(&mut world, 30);
        assert_eq!(world.state_hash(), alone.state_hash());
    }
}

#[test]
fn fields_that_cannot_be_are_refused_by_name() {
    let mut world = world(0.0, 1);
    let (velocity, normal, flow) = (Vec3::X, Vec3::Y, Vec3::ZERO);
    let refused = [
        ("velocity", wind(Vec3::NAN, 1.0)),
        ("drag", wind(velocity, -1.0)),
        ("gusts", Field::Wind { velocity, drag: 1.0, gusts: 11.0, gust_hertz: 1.0 }),
        ("gust_hertz", Field::Wind { velocity, drag: 1.0, gusts: 1.0, gust_hertz: f32::INFINITY }),
        ("radius", Field::Attractor { centre: Vec3::ZERO, strength: 1.0, radius: 0.0 }),
        ("strength", Field::Attractor { centre: Vec3::ZERO, strength: 2e9, radius: 1.0 }),
        ("normal", Field::Buoyancy { normal: Vec3::ZERO, offset: 0.0, density_ratio: 1.0, drag: 0.0, flow }),
        ("density_ratio", Field::Buoyancy { normal, offset: 0.0, density_ratio: -1.0, drag: 0.0, flow }),
    ];
    for (word, field) in refused {
        let sentence = world.add_field(&FieldDef::new(field)).unwrap_err().to_string();
        assert!(sentence.contains(word), "{sentence}");
    }
    assert_eq!(world.fields().count(), 0);
}

#[test]
fn the_strongest_fields_leave_everything_finite() {
    let mut world = world(-9.81, 1);
    let id = add(&mut world, Vec3::ZERO, 1);
    let (normal, flow) = (Vec3::Y, Vec3::splat(1e9));
    for field in [
        Field::Wind { velocity: Vec3::splat(-1e9), drag: 1e6, gusts: 10.0, gust_hertz: 1e3 },
        Field::Attractor { centre: Vec3::ZERO, strength: -1e9, radius: f32::MIN_POSITIVE },
        Field::Attractor { centre: Vec3::ZERO, strength: 1e9, radius: 1e9 },
        Field::Buoyancy { normal, offset: 1e9, density_ratio: 1e3, drag: 1e6, flow },
    ] {
        world.add_field(&FieldDef::new(field)).unwrap();
    }
    for _ in 0..100 {
        world.step(DT).unwrap();
        world.body_mut(id).unwrap().reset();
        let body = world.body(id).unwrap();
        assert!(body.raw_positions().iter().chain(body.raw_velocities()).all(|v| v.is_finite()));
    }
}
