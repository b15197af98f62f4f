//! How much there is in a world: counts and memory, for hosts that show them.

use std::sync::Arc;

use crate::world::World;

/// What a world holds.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// let held = world.statistics();
/// assert_eq!((held.bodies, held.shapes, held.particles), (1, 1, 216));
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Bodies.
    pub bodies: usize,
    /// Bodies that take part in steps, unless frozen.
    pub enabled: usize,
    /// Bodies that sleep.
    pub sleeping: usize,
    /// Bodies that a step put back and stopped because they were no longer finite.
    pub frozen: usize,
    /// Shapes of these bodies, each counted once.
    pub shapes: usize,
    /// Particles of all bodies.
    pub particles: usize,
    /// Clusters of all levels of all bodies.
    pub clusters: usize,
    /// Entries that a substep blends particles' goals from: with nested levels the memberships of
    /// the finest, with independent ones those of all.
    pub memberships: usize,
    /// Colliders.
    pub colliders: usize,
    /// Heap bytes of the bodies without their shapes.
    pub body_bytes: usize,
    /// Heap bytes of the shapes, each counted once.
    pub shape_bytes: usize,
    /// Threads that step, the calling one counted.
    pub threads: u32,
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// println!("{} bytes of bodies", world.statistics().body_bytes);
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// What the world holds at present. Allocates nothing; takes a look at every body, and at those
    /// before it until one has the same shape.
    pub fn statistics(&self) -> Statistics {
        let (colliders, threads) = (self.collider_count(), self.threads());
        let mut all = Statistics { colliders, threads, ..Statistics::default() };
        for (i, (_, body)) in self.bodies().enumerate() {
            let shape = body.shape();
            all.bodies += 1;
            all.enabled += usize::from(body.is_enabled());
            all.sleeping += usize::from(body.is_sleeping());
            all.frozen += usize::from(body.is_frozen());
            all.particles += shape.particle_count();
            all.clusters += shape.all_clusters().len();
            all.memberships += shape.blended_from().len();
            all.body_bytes += body.bytes();
            if !self.bodies().take(i).any(|(_, earlier)| Arc::ptr_eq(earlier.shape(), shape)) {
                all.shapes += 1;
                all.shape_bytes += shape.bytes();
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{BodyDef, LevelsDef, Nesting, Plane, Shape, WorldDef};

    #[test]
    fn counts_are_sums_over_bodies_and_shared_shapes_count_once() {
        let points: Vec<Vec3> =
            (0..216).map(|i| Vec3::new((i % 6) as f32, (i / 6 % 6) as f32, (i / 36) as f32)).collect();
        let build = |nesting| {
            Shape::from_points(&points, None, &LevelsDef { nesting, ..LevelsDef::default() }).unwrap()
        };
        let (nested, independent) = (build(Nesting::Nested), build(Nesting::Independent));
        let mut world = World::new(&WorldDef { threads: 2, ..WorldDef::default() }).unwrap();
        assert_eq!(world.statistics(), Statistics { threads: 2, ..Statistics::default() });
        world.add_plane(&Plane::default()).unwrap();
        let ids: Vec<_> = [&nested, &independent, &nested]
            .map(|shape| world.add_body(shape, &BodyDef::default()).unwrap())
            .into();
        world.body_mut(ids[1]).unwrap().set_enabled(false);
        let found = world.statistics();
        assert_eq!((found.bodies, found.enabled, found.frozen, found.shapes), (3, 2, 0, 2));
        assert_eq!((found.particles, found.colliders), (3 * 216, 1));
        let per_shape = |of: fn(&Shape) -> usize| 2 * of(&nested) + of(&independent);
        assert_eq!(found.clusters, per_shape(|s| s.all_clusters().len()));
        let levels = |s: &Shape| s.levels().iter().map(|l| l.held_by().len()).sum::<usize>();
        assert_eq!(found.memberships, 2 * nested.levels()[0].held_by().len() + levels(&independent));
        assert_eq!(found.shape_bytes, nested.bytes() + independent.bytes());
        assert_eq!(found.body_bytes, world.bodies().map(|(_, b)| b.bytes()).sum::<usize>());
        world.remove_body(ids[0]).unwrap();
        assert_eq!((world.statistics().bodies, world.statistics().shapes), (2, 2));
    }
}
