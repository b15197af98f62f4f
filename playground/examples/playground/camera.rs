//! A camera on an orbit about what it looks at.

use glam::camera::rh::{proj::opengl, view};
use glam::{Mat4, Vec2, Vec3};

/// Height of the picture at a distance of 1.
const OPENING: f32 = 0.75;
const NEAREST: f32 = 0.3;
const FARTHEST: f32 = 60.0;

#[derive(Clone, Copy)]
pub struct Orbit {
    pub target: Vec3,
    /// Radians about y, and upwards.
    yaw: f32,
    pitch: f32,
    /// Metres from the target.
    pub distance: f32,
}

impl Orbit {
    pub fn new(eye: Vec3, target: Vec3) -> Orbit {
        let off = eye - target;
        let distance = off.length().clamp(NEAREST, FARTHEST);
        Orbit { target, yaw: off.x.atan2(off.z), pitch: (off.y / distance).clamp(-1.0, 1.0).asin(), distance }
    }

    fn back(&self) -> Vec3 {
        let (sine, cosine) = self.yaw.sin_cos();
        Vec3::new(sine * self.pitch.cos(), self.pitch.sin(), cosine * self.pitch.cos())
    }

    pub fn eye(&self) -> Vec3 {
        self.target + self.back() * self.distance
    }

    pub fn forward(&self) -> Vec3 {
        -self.back()
    }

    fn right(&self) -> Vec3 {
        Vec3::new(self.yaw.cos(), 0.0, -self.yaw.sin())
    }

    fn up(&self) -> Vec3 {
        self.back().cross(self.right())
    }

    /// Turns by a way of the mouse in points.
    pub fn turn(&mut self, by: Vec2) {
        self.yaw -= by.x * 0.008;
        self.pitch = (self.pitch + by.y * 0.008).clamp(-1.5, 1.5);
    }

    /// Shifts the target with the mouse, in a window of that height.
    pub fn pan(&mut self, by: Vec2, height: f32) {
        let metres = by * (OPENING * self.distance / height);
        self.target += self.up() * metres.y - self.right() * metres.x;
    }

    /// Nearer by so many notches of the wheel.
    pub fn zoom(&mut self, notches: f32) {
        self.distance = (self.distance * 0.88_f32.powf(notches)).clamp(NEAREST, FARTHEST);
    }

    /// From the world to the cube that the GPU shows.
    pub fn matrix(&self, aspect: f32) -> Mat4 {
        let near = self.distance * 0.02;
        let lens = opengl::perspective(2.0 * (OPENING * 0.5).atan(), aspect, near, self.distance + 200.0);
        lens * view::look_to_mat4(self.eye(), self.forward(), Vec3::Y)
    }

    /// The direction seen at a place of the picture, from -1 to 1 rightwards and upwards.
    pub fn ray(&self, at: Vec2, aspect: f32) -> Vec3 {
        let half = OPENING * 0.5;
        (self.forward() + self.right() * (at.x * half * aspect) + self.up() * (at.y * half)).normalize()
    }

    /// Rise of the line of sight at the middle of the picture and from there to its upper edge.
    pub fn tilt(&self) -> [f32; 2] {
        [self.forward().y, self.up().y * OPENING * 0.5]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ray_through_a_point_of_the_picture_meets_what_is_drawn_there() {
        let orbit = Orbit::new(Vec3::new(2.0, 3.0, 5.0), Vec3::new(0.5, 1.0, -0.5));
        assert!(orbit.eye().distance(Vec3::new(2.0, 3.0, 5.0)) < 1e-4);
        let (point, aspect) = (Vec3::new(0.2, 1.4, 0.3), 1.6);
        let drawn = orbit.matrix(aspect).project_point3(point).truncate();
        let off = (point - orbit.eye()).normalize();
        assert!(orbit.ray(drawn, aspect).distance(off) < 1e-4);
    }
}
