//! Breaking and mending over and over takes no more and more memory.

#[path = "../benches/core/alloc.rs"]
#[allow(dead_code)]
mod alloc;
mod scenes;

use glam::Vec3;
use wobble::{BodyDef, Fracture, Knife, LevelsDef, Shape, World, WorldDef};

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;

#[test]
fn ten_thousand_breaks_and_resets_leave_no_memory_behind() {
    let shape = Shape::from_points(&scenes::grid(5, 5, 5, 0.1), None, &LevelsDef::default()).unwrap();
    let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    let id = world.add_body(&shape, &BodyDef::default()).unwrap();
    world.body_mut(id).unwrap().set_fracture(Some(Fracture::default())).unwrap();
    let mut round = |k: usize| {
        let centre = world.body(id).unwrap().centre_of_mass();
        let normal = Vec3::new(1.0, (k % 7) as f32 * 0.3, (k % 5) as f32 * 0.2);
        assert!(world.cut(id, &Knife::Plane { point: centre, normal }).unwrap() > 1);
        world.step(1.0 / 60.0).unwrap();
        world.reset_body(id).unwrap();
        assert_eq!(world.bodies().count(), 1);
    };
    (0..500).for_each(&mut round);
    let before = alloc::live_bytes();
    (500..10_000).for_each(&mut round);
    let after = alloc::live_bytes();
    assert!(after <= before + 4096, "{before} bytes became {after}");
}
