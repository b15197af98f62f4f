//! Many colliders: steps take about the time that few take, and end in the same bits on any number of threads.

mod scenes;
mod support;

use std::sync::Arc;
use std::time::Instant;

use glam::{Vec3, vec3};
use support::pegs;
use wobble::{BodyDef, BodyId, LevelsDef, Shape, World};

const STEP: f32 = 1.0 / 60.0;

fn cube() -> Arc<Shape> {
    Shape::from_points(&scenes::grid(6, 6, 6, 0.2), None, &LevelsDef::default()).unwrap()
}

fn drop_on(world: &mut World, shape: &Arc<Shape>, position: Vec3) -> BodyId {
    world.add_body(shape, &BodyDef { position, ..BodyDef::default() }).unwrap()
}

#[test]
fn ten_thousand_colliders_cost_about_as_much_as_a_hundred() {
    let shape = cube();
    let mut worlds = [10, 100].map(|across| {
        let mut world = pegs(across, 1);
        drop_on(&mut world, &shape, Vec3::Y * 1.0);
        (0..90).for_each(|_| world.step(STEP).unwrap());
        world
    });
    let mut best = [f64::INFINITY; 2];
    for _ in 0..60 {
        for (world, best) in worlds.iter_mut().zip(&mut best) {
            let start = Instant::now();
            world.step(STEP).unwrap();
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    println!("{:.1} µs with 100, {:.1} µs with 10,000", best[0] * 1e6, best[1] * 1e6);
    assert!(best[1] < 1.5 * best[0], "{best:?}");
}

#[test]
fn hundreds_of_contacts_end_in_the_same_bits_on_any_number_of_threads() {
    let story = |threads: u32| {
        let mut world = pegs(40, threads);
        let shape = cube();
        for i in 0..36 {
            drop_on(
                &mut world,
                &shape,
                vec3((i % 6) as f32 * 1.5 - 4.0, 1.0 + 0.1 * (i % 4) as f32, (i / 6) as f32 * 1.5 - 4.0),
            );
        }
        let (mut hashes, mut most) = (Vec::new(), 0);
        for _ in 0..90 {
            world.step(STEP).unwrap();
            most = most.max(world.contacts().len());
            let taken: Vec<[u32; 3]> = world
                .colliders()
                .map(|(_, c)| (c.impulse() + c.torque_impulse()).to_array().map(f32::to_bits))
                .collect();
            hashes.push((world.state_hash(), taken));
        }
        assert!(most > 200, "only {most} pairs touch");
        hashes
    };
    let alone = story(1);
    for threads in [2, 3, 8] {
        assert!(alone == story(threads), "{threads} threads end differently");
    }
}
