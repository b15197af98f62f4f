//! Choosing particles by where they are: to pin them, to attach them, to push them.
//!
//! Numbers are the caller's, in ascending order. Sums none, changes nothing.

use glam::{Vec3, Vec4};

use crate::body::Body;
use crate::error::{Error, LARGEST, finite, within};

/// Which positions of particles are meant.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::Space;
///
/// // The body is 1 m above the origin, its rest shape about it.
/// let body = world.body(id)?;
/// assert!(body.particles_in_sphere(Vec3::ZERO, 0.2, Space::World)?.is_empty());
/// assert!(!body.particles_in_sphere(Vec3::ZERO, 0.2, Space::Rest)?.is_empty());
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// Where they are now, metres.
    #[default]
    World,
    /// Where they are in the rest shape, metres from its centre of mass.
    Rest,
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::Space;
///
/// let body = world.body_mut(id)?;
/// let top = body.particles_in_box(Vec3::new(-1.0, 0.2, -1.0), Vec3::ONE, Space::Rest)?;
/// assert_eq!(top.len(), 36);
/// top.iter().try_for_each(|&particle| body.pin(particle as usize))?; // it hangs
/// let near = body.particles_in_sphere(Vec3::Y, 0.1, Space::World)?;
/// let nearest = body.nearest_particle(Vec3::Y, Space::World)?;
/// assert!(near.contains(&nearest.expect("there are particles")));
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// The particles in a box along the axes, its faces included.
    pub fn particles_in_box(&self, low: Vec3, high: Vec3, space: Space) -> Result<Vec<u32>, Error> {
        finite("low", low)?;
        finite("high", high)?;
        Ok(self.particles_where(space, |p| p.cmpge(low).all() && p.cmple(high).all()))
    }

    /// The particles in a sphere, its surface included. The radius is 0 to 1e9 metres.
    pub fn particles_in_sphere(&self, centre: Vec3, radius: f32, space: Space) -> Result<Vec<u32>, Error> {
        finite("centre", centre)?;
        within("radius", radius, 0.0, LARGEST, "from 0 to 1e9 metres")?;
        let reach = f64::from(radius).powi(2);
        Ok(self.particles_where(space, |p| (p - centre).as_dvec3().length_squared() <= reach))
    }

    /// The particle nearest to a point; of several equally near ones the first in spatial order. A
    /// body without particles has none.
    pub fn nearest_particle(&self, point: Vec3, space: Space) -> Result<Option<u32>, Error> {
        finite("point", point)?;
        let point = glam::Vec3A::from(point);
        let mut best = (f32::INFINITY, None);
        for (i, p) in self.places(space).iter().enumerate() {
            let distance = glam::Vec3A::from_vec4(*p).distance_squared(point);
            if distance < best.0 {
                best = (distance, Some(i));
            }
        }
        Ok(best.1.map(|i| self.shape().order()[i]))
    }

    fn places(&self, space: Space) -> &[Vec4] {
        match space {
            Space::World => self.raw_positions(),
            Space::Rest => self.shape().rest(),
        }
    }

    fn particles_where(&self, space: Space, inside: impl Fn(Vec3) -> bool) -> Vec<u32> {
        let places = self.places(space).iter().zip(self.shape().order());
        let mut found: Vec<u32> = places.filter(|(p, _)| inside(p.truncate())).map(|(_, i)| *i).collect();
        found.sort_unstable();
        found
    }
}
