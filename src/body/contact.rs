//! What a body brings to a contact.

use glam::{Vec3, Vec4};

use super::Body;
use crate::collide::surface::{Groups, Surface};
use crate::error::{Error, within};

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

    /// The cluster of the finest level whose centre is nearest to a point, as of the last match; 0
    /// if there is none.
    pub(crate) fn nearest_cluster(&self, point: Vec3) -> u32 {
        let at = point.extend(0.0) - self.origin;
        let finest = self.shape.levels().first().map_or(0, |level| level.cluster_count());
        let mut best = (f32::INFINITY, 0);
        for (c, moments) in (0..).zip(&self.moments[..finest]) {
            let distance = ((moments.centre - at) * Vec4::new(1.0, 1.0, 1.0, 0.0)).length_squared();
            if distance < best.0 {
                best = (distance, c);
            }
        }
        best.1
    }
}
