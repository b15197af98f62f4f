//! What is where: rays, closest points and overlaps.

use glam::Vec3;

use crate::collide::events::Partner;

/// What a ray or a search for the closest point found.
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
}

impl Hit {
    /// Whichever is nearer; of two equally near ones the first.
    #[allow(dead_code, reason = "for colliders and contacts between bodies")]
    pub(crate) fn nearer(first: Option<Hit>, second: Option<Hit>) -> Option<Hit> {
        match (first, second) {
            (Some(a), Some(b)) => Some(if b.distance < a.distance { b } else { a }),
            (a, b) => a.or(b),
        }
    }
}
