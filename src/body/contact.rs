//! What a body brings to a contact.

use glam::{Vec3, Vec4};

use super::Body;
use crate::collide::surface::{Groups, Surface, Touch};
use crate::error::{Error, within};
use crate::recluster::Reclustered;

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::{Groups, Surface, Touch};
///
/// let body = world.body_mut(id)?;
/// body.set_surface(Surface { friction: 0.1, restitution: 0.5, ..body.surface() })?; // slippery, bouncy
/// body.set_groups(Groups { group: 2, ..body.groups() });
/// body.set_particle_radius(0.02)?; // keeps 2 cm off what it touches
/// body.set_touch(Touch { itself: true, ..body.touch() })?;
/// assert_eq!(body.particle_radius(), 0.02);
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// Friction and restitution.
    pub fn surface(&self) -> Surface {
        self.surface
    }

    /// Sets friction and restitution.
    pub fn set_surface(&mut self, surface: Surface) -> Result<(), Error> {
        surface.check()?;
        if surface != self.surface {
            self.wake();
        }
        self.surface = surface;
        Ok(())
    }

    /// Whom the body meets.
    pub fn groups(&self) -> Groups {
        self.groups
    }

    /// Sets whom the body meets.
    pub fn set_groups(&mut self, groups: Groups) {
        if groups != self.groups {
            self.wake();
        }
        self.groups = groups;
    }

    /// Distance that particles keep from what they touch, metres.
    pub fn particle_radius(&self) -> f32 {
        self.radius
    }

    /// Sets the distance that particles keep from what they touch, metres, 0 to 1e6.
    pub fn set_particle_radius(&mut self, radius: f32) -> Result<(), Error> {
        within("radius", radius, 0.0, 1e6, "from 0 to 1e6 metres")?;
        if radius != self.radius {
            self.wake();
        }
        self.radius = radius;
        Ok(())
    }

    /// How the body touches other bodies, and itself.
    pub fn touch(&self) -> Touch {
        self.touch
    }

    /// Sets how the body touches other bodies, and itself.
    pub fn set_touch(&mut self, touch: Touch) -> Result<(), Error> {
        touch.check()?;
        if touch.itself {
            self.shape.field();
        }
        self.wake();
        self.touch = touch;
        Ok(())
    }

    /// The cluster of the finest level whose centre is nearest to a point, as of the last match; 0
    /// if there is none.
    pub(crate) fn nearest_cluster(&self, point: Vec3) -> u32 {
        let at = point.extend(0.0) - self.origin;
        let finest = self.finest_count();
        let mut best = (f32::INFINITY, 0);
        for (c, moments) in (0..).zip(&self.moments[..finest]) {
            if self.tables().clusters(0)[c as usize].mass == 0.0 {
                continue;
            }
            let distance = ((moments.centre - at) * Vec4::new(1.0, 1.0, 1.0, 0.0)).length_squared();
            if distance < best.0 {
                best = (distance, c);
            }
        }
        // Hosts know the shape's clusters alone.
        let member =
            |own: &Reclustered| own.tables.levels()[0].members().row(best.1 as usize).first().copied();
        let known = self.reclustered.as_deref().and_then(member).map(|e| self.shape.holder(e.index as usize));
        known.map_or(best.1, |holder| holder.unwrap_or(0))
    }
}
