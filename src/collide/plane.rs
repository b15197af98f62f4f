//! Infinite planes: the ground, walls.

use glam::{Vec3, Vec4};

use crate::error::{Error, finite, within};

/// A half-space that particles cannot enter: solid where normal·p < offset.
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

    /// Puts a particle that is inside back on the surface and changes its velocity as an
    /// impact with friction does: the impulse along the surface is at most friction times the
    /// one along the normal. What friction takes off the velocity is also taken off the way of
    /// this substep of `h` seconds, or a body at rest would creep down a slope. Slow impacts do
    /// not bounce, or it would tremble. `v.w` becomes the particle's grip, 1 minus the restitution.
    #[inline(always)]
    pub(crate) fn meet(&self, h: f32, x: &mut Vec4, v: &mut Vec4) {
        let depth = self.offset - self.normal.dot(x.truncate());
        if depth > 0.0 {
            *x += (self.normal * depth).extend(0.0);
            let velocity = v.truncate();
            v.w = 1.0 - self.restitution;
            let approach = -self.normal.dot(velocity);
            if approach > 0.0 {
                let bounce = if approach > SLOW { self.restitution } else { 0.0 };
                let sliding = velocity + self.normal * approach;
                let speed = sliding.length();
                let stopped = (self.friction * approach * (1.0 + bounce)).min(speed);
                let kept = if speed > 0.0 { (speed - stopped) / speed } else { 0.0 };
                *x += (sliding * ((kept - 1.0) * h)).extend(0.0);
                *v = (sliding * kept + self.normal * (approach * bounce)).extend(v.w);
            }
        }
    }
}

/// Impacts slower than this, m/s, do not bounce.
const SLOW: f32 = 0.25;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_particle_inside_is_put_back_and_slides_with_less_speed() {
        let plane = Plane { friction: 0.25, ..Plane::default() };
        let (mut x, mut v) = (Vec4::new(1.0, -0.1, 2.0, 1.0), Vec4::new(3.0, -4.0, 0.0, 0.0));
        plane.meet(0.1, &mut x, &mut v);
        assert!((x - Vec4::new(0.9, 0.0, 2.0, 1.0)).length() < 1e-6);
        assert!((v - Vec4::new(2.0, 0.0, 0.0, 1.0)).length() < 1e-6);
    }

    #[test]
    fn restitution_returns_its_share_of_a_fast_impact_only() {
        let plane = Plane { restitution: 0.5, friction: 0.0, ..Plane::default() };
        for (speed, leaves) in [(2.0, 1.0), (0.1, 0.0)] {
            let (mut x, mut v) = (Vec4::new(0.0, -0.1, 0.0, 1.0), Vec4::new(0.0, -speed, 0.0, 0.0));
            plane.meet(0.1, &mut x, &mut v);
            assert_eq!(v.y, leaves);
        }
    }
}
