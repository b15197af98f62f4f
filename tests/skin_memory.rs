//! A warm read of a mesh asks nothing of the heap.

#[path = "../benches/core/alloc.rs"]
#[allow(dead_code)]
mod alloc;
mod scenes;

use glam::Vec3;
use wobble::{BodyDef, LevelsDef, Particles, Plane, Shape, SkinBuffers, World, WorldDef};

#[global_allocator]
static ALLOCATOR: alloc::Counting = alloc::Counting;

#[test]
fn a_warm_read_allocates_nothing() {
    let (points, owned) = (scenes::ball(0.53, 0.1), scenes::spheres::sphere(40, 0.55));
    let particles = Particles { points: &points, ..Particles::default() };
    let shape =
        Shape::from_particles_and_mesh(&particles, &owned.mesh(), &LevelsDef::default(), &mut |_| true)
            .unwrap();
    let mut world = World::new(&WorldDef { threads: 2, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane::default()).unwrap();
    let id = world.add_body(&shape, &BodyDef { position: Vec3::Y, ..BodyDef::default() }).unwrap();
    let count = owned.positions.len();
    let (mut positions, mut normals) = (vec![Vec3::ZERO; count], vec![Vec3::ZERO; count]);
    let (mut previous, mut particles) = (positions.clone(), points.clone());
    let mut frame = |world: &mut World, fraction: f32| {
        world.step(1.0 / 60.0).unwrap();
        let mut out = SkinBuffers {
            positions: Some(&mut positions),
            normals: Some(&mut normals),
            previous: Some(&mut previous),
            ..SkinBuffers::default()
        };
        for fraction in [fraction, 1.0, 0.0] {
            world.read_skin(id, fraction, &mut out).unwrap();
        }
        world.body(id).unwrap().read_positions_at(fraction, &mut particles).unwrap();
    };
    frame(&mut world, 0.5);
    // The test's own harness may allocate meanwhile, but not every time.
    let fewest = (0..5).map(|_| {
        let before = alloc::calls();
        (1..30).for_each(|i| frame(&mut world, i as f32 / 30.0));
        alloc::calls() - before
    });
    assert_eq!(fewest.min(), Some(0));
}
