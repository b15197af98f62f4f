//! A body that touches many colliders asks nothing of the heap.

#[path = "../benches/core/alloc.rs"]
#[allow(dead_code)]
mod alloc;
mod scenes;

use glam::Vec3;
use scenes::worlds::pegs;
use wobble::{BodyDef, LevelsDef, Shape};

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;

const STEP: f32 = 1.0 / 60.0;

#[test]
fn a_body_that_touches_many_colliders_allocates_nothing() {
    let shape = Shape::from_points(&scenes::grid(6, 6, 6, 0.2), None, &LevelsDef::default()).unwrap();
    let mut world = pegs(20, 1);
    let id = world.add_body(&shape, &BodyDef { position: Vec3::Y * 1.5, ..BodyDef::default() }).unwrap();
    world.step(STEP).unwrap();
    let (mut most, mut allocating) = (0, 0);
    for _ in 0..120 {
        let before = alloc::calls();
        world.step(STEP).unwrap();
        allocating += usize::from(alloc::calls() > before);
        most = most.max(world.contacts().len());
    }
    assert!(world.body(id).unwrap().centre_of_mass().y > 0.3, "it fell through");
    assert!(most > 4, "it touches only {most}");
    // The test's own harness may allocate meanwhile, once.
    assert!(allocating <= 1, "{allocating} steps allocate");
}
