//! Many colliders end in the same bits on any number of threads. That they cost little more than few is the row
//! `collide.pegs_growth` of the benchmark.

mod scenes;

use std::sync::Arc;

use glam::{Vec3, vec3};
use scenes::worlds::pegs;
use wobble::{BodyDef, BodyId, LevelsDef, Shape, World};

const STEP: f32 = 1.0 / 60.0;

fn cube() -> Arc<Shape> {
    Shape::from_points(&scenes::grid(6, 6, 6, 0.2), None, &LevelsDef::default()).unwrap()
}

fn drop_on(world: &mut World, shape: &Arc<Shape>, position: Vec3) -> BodyId {
    world.add_body(shape, &BodyDef { position, ..BodyDef::default() }).unwrap()
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
