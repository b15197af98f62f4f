//! The light's view of the scene: how high something stands at each place, seen
//! along the light, and how much of the light reaches the ground.

use glam::Vec3;

use super::render::Splat;

/// Texels along each side.
const SIDE: usize = 768;
/// How much higher an occluder must stand before it shadows a surface, in
/// metres; less than this is the surface itself.
const BIAS: f32 = 0.05;

pub struct Shadow {
    /// Towards the light; then the two axes of the map.
    axes: [Vec3; 3],
    /// Half the width of the square seen about the origin, in metres.
    reach: f32,
    height: Vec<f32>,
    shade: Vec<f32>,
    swap: Vec<f32>,
}

impl Shadow {
    pub fn new(light: Vec3, reach: f32) -> Shadow {
        let (a, b) = light.any_orthonormal_pair();
        let texels = || vec![0.0; SIDE * SIDE];
        Shadow { axes: [light, a, b], reach, height: texels(), shade: texels(), swap: texels() }
    }

    pub fn draw(&mut self, splats: &[Splat]) {
        self.height.fill(f32::NEG_INFINITY);
        for splat in splats {
            self.draw_one(splat);
        }
        for (shade, height) in self.shade.iter_mut().zip(&self.height) {
            *shade = if *height > f32::NEG_INFINITY { 1.0 } else { 0.0 };
        }
        // Three box blurs come close to the soft edge that a wide light casts.
        for radius in [5, 5, 3] {
            blur_rows_into_columns(&self.shade, &mut self.swap, radius);
            blur_rows_into_columns(&self.swap, &mut self.shade, radius);
        }
    }

    fn draw_one(&mut self, splat: &Splat) {
        let (x, y, height) = self.texel(splat.centre);
        let radius = splat.radius * SIDE as f32 / (2.0 * self.reach);
        let span = |middle: f32| {
            ((middle - radius).max(0.0) as usize)..((middle + radius + 1.0).clamp(0.0, SIDE as f32) as usize)
        };
        for row in span(y) {
            for column in span(x) {
                let (dx, dy) = ((column as f32 + 0.5 - x) / radius, (row as f32 + 0.5 - y) / radius);
                let inside = 1.0 - dx * dx - dy * dy;
                if inside > 0.0 {
                    let top = &mut self.height[row * SIDE + column];
                    *top = top.max(height + splat.radius * inside.sqrt());
                }
            }
        }
    }

    /// The share of the light that reaches `p`, 0 to 1: the mean over 4 by 4 texels.
    pub fn lit(&self, p: Vec3) -> f32 {
        let (x, y, height) = self.texel(p);
        let (column, row) = ((x - 1.5).max(0.0) as usize, (y - 1.5).max(0.0) as usize);
        let mut lit = 0;
        for row in row..(row + 4).min(SIDE) {
            for column in column..(column + 4).min(SIDE) {
                lit += u32::from(self.height[row * SIDE + column] < height + BIAS);
            }
        }
        lit as f32 / 16.0
    }

    /// How dark the ground is at `p`, 0 to 1.
    pub fn on_ground(&self, p: Vec3) -> f32 {
        let (x, y, _) = self.texel(p);
        let (x, y) = (x - 0.5, y - 0.5);
        let last = (SIDE - 2) as f32;
        if !(0.0..last).contains(&x) || !(0.0..last).contains(&y) {
            return 0.0;
        }
        let (column, row) = (x as usize, y as usize);
        let at = |r: usize, c: usize| self.shade[(row + r) * SIDE + column + c];
        let (u, v) = (x.fract(), y.fract());
        (at(0, 0) * (1.0 - u) + at(0, 1) * u) * (1.0 - v) + (at(1, 0) * (1.0 - u) + at(1, 1) * u) * v
    }

    fn texel(&self, p: Vec3) -> (f32, f32, f32) {
        let scale = SIDE as f32 / (2.0 * self.reach);
        let along = |axis: Vec3| (p.dot(axis) + self.reach) * scale;
        (along(self.axes[1]), along(self.axes[2]), p.dot(self.axes[0]))
    }
}

/// The running mean of each row of `from`, written as a column of `to`: called
/// twice it blurs both ways and reads along rows both times.
fn blur_rows_into_columns(from: &[f32], to: &mut [f32], radius: usize) {
    let weight = 1.0 / (2 * radius + 1) as f32;
    for (row, texels) in from.chunks_exact(SIDE).enumerate() {
        let mut sum: f32 = texels[..radius].iter().sum();
        for column in 0..SIDE {
            sum += texels.get(column + radius).unwrap_or(&0.0);
            to[column * SIDE + row] = sum * weight;
            sum -= column.checked_sub(radius).map_or(0.0, |leaving| texels[leaving]);
        }
    }
}
