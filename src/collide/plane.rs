//! Infinite planes: the ground, walls. Short for colliders of that shape.

use glam::Vec3;

use super::collider::{ColliderDef, ColliderShape};
use super::surface::Surface;
use crate::error::{Error, finite, within};

/// A half-space that particles cannot enter: solid where normal·p < offset.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, _id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::Plane;
///
/// world.add_plane(&Plane { normal: Vec3::new(0.2, 1.0, 0.0), friction: 0.1, ..Plane::default() })?; // a slide
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Direction out of the solid; any length but zero.
    pub normal: Vec3,
    /// Distance of the surface from the origin along the normal, metres.
    pub offset: f32,
    /// Coulomb friction, 0 or more; default 0.5.
    pub friction: f32,
    /// Share of the approach speed that a particle leaves with, 0 to 1; default 0.
    pub restitution: f32,
}

impl Default for Plane {
    /// The ground: y = 0.
    fn default() -> Self {
        Plane { normal: Vec3::Y, offset: 0.0, friction: 0.5, restitution: 0.0 }
    }
}

impl Plane {
    /// Checks the fields and makes the normal a unit vector.
    pub(crate) fn checked(&self) -> Result<Plane, Error> {
        finite("plane.normal", self.normal)?;
        within("plane.offset", self.offset, -1e9, 1e9, "finite, from -1e9 to 1e9")?;
        within("plane.friction", self.friction, 0.0, 1e6, "0 or more")?;
        within("plane.restitution", self.restitution, 0.0, 1.0, "from 0 to 1")?;
        let length = self.normal.length();
        if length < 1e-6 {
            let wanted = "a direction, longer than 1e-6";
            return Err(Error::Value { field: "plane.normal (length)", value: length.into(), wanted });
        }
        Ok(Plane { normal: self.normal / length, ..*self })
    }

    /// The collider that it is.
    pub(crate) fn collider(&self) -> Result<ColliderDef, Error> {
        let Plane { normal, offset, friction, restitution } = self.checked()?;
        let shape = ColliderShape::Plane { normal, offset };
        let surface = Surface { friction, restitution, ..Surface::default() };
        Ok(ColliderDef { shape, surface, ..ColliderDef::default() })
    }
}
