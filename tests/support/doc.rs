// What the examples in the documentation of types and functions begin with, out of sight.

use std::sync::Arc;

use glam::Vec3;
use wobble::{
    Amount, BodyDef, BodyId, Error, LevelsDef, Plane, SamplingDef, Shape, Solid, World, WorldDef,
};

/// A cube of 6 by 6 by 6 particles, 0.5 m wide, 1 kg.
pub fn cube() -> Result<Arc<Shape>, Error> {
    let at = |i: usize| Vec3::new((i % 6) as f32, (i / 6 % 6) as f32, (i / 36) as f32) * 0.1;
    Shape::from_points(&(0..216).map(at).collect::<Vec<_>>(), None, &LevelsDef::default())
}

/// A ball of 0.5 m, with a mesh that bodies carry.
pub fn ball() -> Result<Arc<Shape>, Error> {
    let sampling = SamplingDef { amount: Amount::Count(200), ..SamplingDef::default() };
    Shape::from_solid(&Solid::ball(0.25)?, 8, &sampling, &LevelsDef::default(), &mut |_done| true)
}

/// The ground, and a body of a shape with its middle 1 m above it.
pub fn above_ground(shape: &Arc<Shape>) -> Result<(World, BodyId), Error> {
    let mut world = World::new(&WorldDef::default())?;
    world.add_plane(&Plane::default())?;
    let id = world.add_body(shape, &BodyDef { position: Vec3::Y, ..BodyDef::default() })?;
    Ok((world, id))
}

/// The ground, and a cube 1 m above it.
pub fn scene() -> Result<(World, BodyId), Error> {
    above_ground(&cube()?)
}
