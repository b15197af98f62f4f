//! What is where: rays, closest points and overlaps.

mod bodies;
mod colliders;
mod gjk;
pub(crate) mod outline;

use glam::{Quat, Vec3};

use crate::body::unit;
use crate::collide::events::Partner;
use crate::collide::surface::Groups;
use crate::error::{Error, LARGEST, finite, within};
use crate::world::World;

/// What a ray or a search for the closest point found.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::{Groups, Partner};
///
/// let hit = world.cast_ray(Vec3::Y * 5.0, Vec3::NEG_Y, 100.0, Groups::default())?.expect("the cube is there");
/// assert_eq!(hit.what, Partner::Body(id));
/// assert!((hit.distance - 3.75).abs() < 0.01 && hit.particle.is_some());
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The body or collider.
    pub what: Partner,
    /// Where, metres; on its surface.
    pub point: Vec3,
    /// Direction out of it at that point, of length 1.
    pub normal: Vec3,
    /// Metres from where the search began, along the ray or straight; below 0 if a search for the
    /// closest point began inside.
    pub distance: f32,
    /// Of a body, the particle nearest to the point, in creation order.
    pub particle: Option<u32>,
    /// Of a body, the cluster of the finest level that holds this particle most.
    pub cluster: Option<u32>,
}

impl Hit {
    /// Whichever is nearer; of two equally near ones the first.
    fn nearer(first: Option<Hit>, second: Option<Hit>) -> Option<Hit> {
        match (first, second) {
            (Some(a), Some(b)) => Some(if b.distance < a.distance { b } else { a }),
            (a, b) => a.or(b),
        }
    }
}

const REACH: &str = "from 0 to 1e9 metres";

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::{Groups, Partner};
///
/// let all = Groups::default();
/// assert!(world.cast_ray(Vec3::Y * 5.0, Vec3::Y, 100.0, all)?.is_none(), "nothing is above");
/// let nearest = world.closest_point(Vec3::Y * 1.5, 1.0, all)?.expect("the top of the cube");
/// assert!((nearest.distance - 0.25).abs() < 0.01);
/// assert_eq!(world.overlap_sphere(Vec3::Y, 0.1, all)?, [Partner::Body(id)]);
/// assert_eq!(world.overlap_box(Vec3::ZERO, Vec3::ONE, Quat::IDENTITY, all)?.len(), 2);
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// The first body or collider that a ray meets within `most` metres of those that meet `groups`. A ray
    /// that begins inside one meets it at once; one that begins on a collider's surface goes in at once or leaves
    /// it. The direction may have any length but zero.
    ///
    /// Bodies are met at their mesh as it is deformed, or where they have none at the surface through
    /// their outer particles. Those that are disabled are not met. The first query after a body changed
    /// finds out where its surface is, if it may be met at all; for the first body of a shape that takes
    /// about as long as building the shape did.
    pub fn cast_ray(
        &self,
        origin: Vec3,
        direction: Vec3,
        most: f32,
        groups: Groups,
    ) -> Result<Option<Hit>, Error> {
        finite("origin", origin)?;
        finite("direction", direction)?;
        within("max_distance", most, 0.0, LARGEST, REACH)?;
        let length = direction.length();
        if length < 1e-6 {
            let wanted = "longer than 1e-6";
            return Err(Error::Value { field: "direction (length)", value: length.into(), wanted });
        }
        let direction = direction / length;
        let body = bodies::cast_ray(self, origin, direction, most, groups);
        Ok(Hit::nearer(body, colliders::cast_ray(self, origin, direction, most, groups)))
    }

    /// The point nearest to `point` on the surface of a body or collider, within `most` metres, of those that
    /// meet `groups`. From inside the way out counts, as a distance below 0.
    pub fn closest_point(&self, point: Vec3, most: f32, groups: Groups) -> Result<Option<Hit>, Error> {
        finite("point", point)?;
        within("max_distance", most, 0.0, LARGEST, REACH)?;
        let body = bodies::closest_point(self, point, most, groups);
        Ok(Hit::nearer(body, colliders::closest_point(self, point, most, groups)))
    }

    /// The bodies and colliders that a sphere has points in common with, of those that meet `groups`, in order.
    pub fn overlap_sphere(&self, centre: Vec3, radius: f32, groups: Groups) -> Result<Vec<Partner>, Error> {
        finite("centre", centre)?;
        within("radius", radius, 0.0, LARGEST, REACH)?;
        let mut found = bodies::overlap_sphere(self, centre, radius, groups);
        found.extend(colliders::overlap_sphere(self, centre, radius, groups));
        Ok(found)
    }

    /// The bodies and colliders that a turned box has points in common with, of those that meet `groups`, in
    /// order.
    pub fn overlap_box(
        &self,
        centre: Vec3,
        half_extents: Vec3,
        rotation: Quat,
        groups: Groups,
    ) -> Result<Vec<Partner>, Error> {
        finite("centre", centre)?;
        half_extents
            .to_array()
            .into_iter()
            .try_for_each(|h| within("half_extents", h, 0.0, 1e6, "from 0 to 1e6 metres"))?;
        let rotation = unit(rotation)?;
        let mut found = bodies::overlap_box(self, centre, half_extents, rotation, groups);
        found.extend(colliders::overlap_box(self, centre, half_extents, rotation, groups));
        Ok(found)
    }
}
