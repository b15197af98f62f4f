use glam::Vec3;
use wobble::{BodyDef, Error, LevelsDef, Plane, Shape, World, WorldDef};

fn main() -> Result<(), Error> {
    // A cube of 10 by 10 by 10 particles, 1 m wide; clusters at every scale are found here, once.
    let at = |i: usize| Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32) / 9.0;
    let points: Vec<Vec3> = (0..1000).map(at).collect();
    let shape = Shape::from_points(&points, None, &LevelsDef::default())?;

    // Shapes are shared: add as many bodies of one shape as you like.
    let mut world = World::new(&WorldDef::default())?;
    world.add_plane(&Plane::default())?;
    let cube = world.add_body(&shape, &BodyDef { position: Vec3::Y * 2.0, ..BodyDef::default() })?;

    let mut positions = vec![Vec3::ZERO; points.len()];
    for _frame in 0..120 {
        world.step(1.0 / 60.0)?;
        world.body(cube)?.read_positions(&mut positions)?; // in the order of `points`, metres
    }
    println!("two seconds on, the centre is at {}", world.body(cube)?.centre_of_mass());
    Ok(())
}
