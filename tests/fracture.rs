//! Cutting and breaking: pieces, what they share, what they keep.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use support::{Scene, is_finite, positions, shape, velocities};
use wobble::{
    BodyDef, BodyId, Error, Fracture, Knife, Material, Nesting, Plane, Plasticity, Shape, Stiffness, World,
    WorldDef,
};

const STEP: f32 = 1.0 / 60.0;

fn cube(nesting: Nesting) -> &'static Arc<Shape> {
    static SHAPES: OnceLock<[Arc<Shape>; 2]> = OnceLock::new();
    let make = |n| shape(&scenes::grid(12, 12, 12, 0.1), 20, n);
    &SHAPES.get_or_init(|| [Nesting::Nested, Nesting::Independent].map(make))
        [usize::from(nesting == Nesting::Independent)]
}

fn middle() -> Knife {
    Knife::Plane { point: Vec3::new(0.02, 0.0, 0.0), normal: Vec3::new(2.0, 0.3, 0.1) }
}

fn mass(world: &World) -> f64 {
    world.bodies().map(|(_, body)| f64::from(body.shape().mass())).sum()
}

/// Every particle of the whole is in exactly one body, and moves as it should.
fn check_particles(world: &World, whole: usize) {
    let count: usize = world.bodies().map(|(_, body)| body.shape().particle_count()).sum();
    assert_eq!(count, whole, "particles were lost or doubled");
    assert!(world.bodies().all(|(_, body)| is_finite(body) && !body.is_frozen()));
}

#[test]
fn a_plane_cuts_a_cube_into_halves_that_share_nothing_and_fall_apart() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let mut scene = Scene::new(cube(nesting), Material::default());
        scene.world.set_bodies_meet(false);
        let before = scene.positions();
        assert_eq!(scene.world.cut(scene.id, &middle()).unwrap(), 2);
        let events = scene.world.breaks().to_vec();
        assert_eq!(events.len(), 2);
        assert!(events[0].piece == scene.id && events[1].piece != scene.id && events[1].body == scene.id);
        assert!((mass(&scene.world) - 1.0).abs() < 1e-6);
        check_particles(&scene.world, 12 * 12 * 12);
        let mut seen = vec![false; before.len()];
        for event in &events {
            let names = &scene.world.broken_particles()[event.particles.clone()];
            for (now, &name) in positions(scene.world.body(event.piece).unwrap()).iter().zip(names) {
                assert_eq!(*now, before[name as usize]);
                assert!(!std::mem::replace(&mut seen[name as usize], true));
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
        // What one half does the other does not feel, at any level.
        let other = events[1].piece;
        scene.world.body_mut(other).unwrap().apply_impulse(Vec3::new(0.0, 3.0, 1.0)).unwrap();
        scene.run(60, STEP);
        let still = scene.body().velocity(0).unwrap();
        assert!(still.length() < 1e-4, "{nesting:?}: {still}");
        let gone = scene.world.body(other).unwrap().centre_of_mass();
        assert!(gone.y > 5.0, "{nesting:?}: {gone}");
        // And both keep the shape they have.
        assert!(scene.world.bodies().all(|(_, body)| body.shape_error() < 1e-3));
    }
}
