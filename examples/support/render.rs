//! A software renderer for particles: shaded spheres on a checkered ground under
//! an evening sky, with shadows; and for the colliders that are in their way.
//!
//! Two passes: the first finds which sphere each sample sees, the second shades
//! every sample once. Each pixel is the mean of 2 by 2 samples. Only multiplies,
//! adds and square roots, so a picture is the same on every platform.

use glam::{Vec2, Vec3};

use super::picture::Picture;
use super::shadow::Shadow;
use super::solids::Block;

/// Samples along each side of a pixel.
const SAMPLES: usize = 2;
/// Marks a sample that sees no sphere.
const NOTHING: u32 = u32::MAX;

const SUN: Vec3 = Vec3::new(1.0, 0.93, 0.82);
const ZENITH: Vec3 = Vec3::new(0.10, 0.18, 0.38);
const HORIZON: Vec3 = Vec3::new(0.62, 0.66, 0.72);
const BLOCK: Vec3 = Vec3::new(0.42, 0.44, 0.50);
const TILES: [Vec3; 2] = [Vec3::new(0.22, 0.23, 0.26), Vec3::new(0.36, 0.37, 0.40)];
/// Side of a tile of the ground, in metres.
const TILE: f32 = 0.5;
/// Distance at which the ground has faded half into the horizon, in metres.
const HAZE: f32 = 14.0;

/// A sphere to draw.
pub struct Splat {
    pub centre: Vec3,
    pub radius: f32,
    /// Linear red, green and blue, 0 to 1.
    pub colour: Vec3,
}

/// Where the picture is taken from.
pub struct Camera {
    pub eye: Vec3,
    pub target: Vec3,
    /// Height of the picture at a distance of 1.
    pub opening: f32,
}

/// Reusable buffers and the fixed parts of a view.
pub struct Renderer {
    width: usize,
    height: usize,
    eye: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    /// Samples a unit of distance covers at a distance of 1.
    focal: f32,
    light: Vec3,
    shadow: Shadow,
    depth: Vec<f32>,
    seen: Vec<u32>,
    /// What is drawn besides spheres; none at first.
    pub blocks: Vec<Block>,
    /// Whether there is a ground at y = 0; at first there is.
    pub ground: bool,
}

impl Renderer {
    /// A renderer of pictures of `width` by `height` pixels. Shadows are drawn
    /// within `reach` metres of the origin.
    pub fn new(width: usize, height: usize, camera: &Camera, reach: f32) -> Renderer {
        let forward = (camera.target - camera.eye).normalize();
        let right = forward.cross(Vec3::Y).normalize();
        let light = Vec3::new(-0.45, 1.0, 0.55).normalize();
        let (width, height) = (width * SAMPLES, height * SAMPLES);
        Renderer {
            width,
            height,
            eye: camera.eye,
            right,
            up: right.cross(forward),
            forward,
            focal: height as f32 / camera.opening,
            light,
            shadow: Shadow::new(light, reach),
            depth: vec![0.0; width * height],
            seen: vec![NOTHING; width * height],
            blocks: Vec::new(),
            ground: true,
        }
    }

    pub fn draw(&mut self, splats: &[Splat]) -> Picture {
        self.shadow.draw(splats);
        self.depth.fill(f32::INFINITY);
        self.seen.fill(NOTHING);
        for (index, splat) in (0..NOTHING).zip(splats) {
            self.mark(index, splat);
        }
        let mut picture = Picture::new(self.width / SAMPLES, self.height / SAMPLES);
        for y in 0..picture.height {
            for x in 0..picture.width {
                picture.set(x, y, self.pixel(x, y, splats));
            }
        }
        picture
    }

    /// Claims the samples at which `splat` is the nearest so far.
    fn mark(&mut self, index: u32, splat: &Splat) {
        let Some((middle, size, distance)) = self.project(splat) else { return };
        let span = |at: f32, end: usize| {
            ((at - size).max(0.0) as usize)..((at + size + 1.0).clamp(0.0, end as f32) as usize)
        };
        for y in span(middle.y, self.height) {
            for x in span(middle.x, self.width) {
                let off = (sample(x, y) - middle) / size;
                let inside = 1.0 - off.length_squared();
                if inside > 0.0 {
                    let depth = distance - splat.radius * inside.sqrt();
                    let at = y * self.width + x;
                    if depth < self.depth[at] {
                        self.depth[at] = depth;
                        self.seen[at] = index;
                    }
                }
            }
        }
    }

    /// Centre and radius in samples, and distance along the view in metres;
    /// `None` behind the camera.
    fn project(&self, splat: &Splat) -> Option<(Vec2, f32, f32)> {
        let from_eye = splat.centre - self.eye;
        let distance = from_eye.dot(self.forward);
        let scale = self.focal / distance;
        let flat = Vec2::new(from_eye.dot(self.right), -from_eye.dot(self.up)) * scale;
        let middle = flat + Vec2::new(self.width as f32, self.height as f32) * 0.5;
        (distance > splat.radius).then_some((middle, splat.radius * scale, distance))
    }

    fn pixel(&self, x: usize, y: usize, splats: &[Splat]) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for y in y * SAMPLES..(y + 1) * SAMPLES {
            for x in x * SAMPLES..(x + 1) * SAMPLES {
                let at = y * self.width + x;
                sum += match (self.seen[at], self.block(sample(x, y), self.depth[at])) {
                    (_, Some(colour)) => colour,
                    (NOTHING, None) => self.surroundings(sample(x, y)),
                    (index, None) => self.surface(sample(x, y), &splats[index as usize]),
                };
            }
        }
        sum / (SAMPLES * SAMPLES) as f32
    }

    /// The colour of a sphere at a sample that sees it.
    fn surface(&self, at: Vec2, splat: &Splat) -> Vec3 {
        let Some((middle, size, _)) = self.project(splat) else { return HORIZON };
        let off = (at - middle) / size;
        let towards_eye = (1.0 - off.length_squared()).max(0.0).sqrt();
        let normal = self.right * off.x - self.up * off.y - self.forward * towards_eye;
        self.shaded(splat.centre + normal * splat.radius, normal, splat.colour)
    }

    /// The colour of the nearest block at a sample, if one is nearer than `depth` and the ground.
    fn block(&self, at: Vec2, depth: f32) -> Option<Vec3> {
        if self.blocks.is_empty() {
            return None;
        }
        let ray = self.ray(at);
        let floor = if self.ground && ray.y < 0.0 { -self.eye.y / ray.y } else { f32::INFINITY };
        let hits = self.blocks.iter().filter_map(|block| block.hit(self.eye, ray));
        let (t, normal) = hits.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(t, _)| *t < depth.min(floor))?;
        let point = self.eye + ray * t;
        // Far away, only planes without end are seen.
        let haze = t * t / (t * t + HAZE * HAZE * 4.0);
        Some(self.shaded(point, normal, BLOCK * (0.8 + 0.2 * checker(point))).lerp(HORIZON, haze))
    }

    /// Along the view, as long as the picture is far.
    fn ray(&self, at: Vec2) -> Vec3 {
        let flat = (at - Vec2::new(self.width as f32, self.height as f32) * 0.5) / self.focal;
        self.forward + self.right * flat.x - self.up * flat.y
    }

    /// The colour of a surface under the sun and the sky.
    fn shaded(&self, point: Vec3, normal: Vec3, colour: Vec3) -> Vec3 {
        let lit = self.shadow.lit(point);
        let diffuse = normal.dot(self.light).max(0.0) * lit;
        let halfway = (self.light - self.forward).normalize();
        let shine = normal.dot(halfway).max(0.0).powi(24) * lit;
        // Little of the sky is seen from under a body and near the ground.
        let open = (0.5 + 0.5 * normal.y) * (0.45 + 0.55 * (point.y * 1.6).clamp(0.0, 1.0));
        let ambient = TILES[0] * 0.25 + (HORIZON + ZENITH) * 0.5 * open;
        colour * (ambient + SUN * (1.15 * diffuse)) + SUN * (0.10 * shine)
    }

    /// The ground or the sky behind a sample.
    fn surroundings(&self, at: Vec2) -> Vec3 {
        let ray = self.ray(at).normalize();
        if ray.y >= 0.0 || !self.ground {
            return HORIZON.lerp(ZENITH, (ray.y.abs() * 2.2).min(1.0));
        }
        let distance = -self.eye.y / ray.y;
        let point = self.eye + ray * distance;
        let tile = (point.x / TILE).floor() + (point.z / TILE).floor();
        let odd = tile * 0.5 != (tile * 0.5).floor();
        let shade = 1.0 - 0.95 * self.shadow.on_ground(point);
        let ground = TILES[usize::from(odd)] * (0.30 + 0.80 * shade);
        let haze = distance * distance / (distance * distance + HAZE * HAZE);
        ground.lerp(HORIZON, haze)
    }
}

/// 1 on the odd ones of the tiles that space is divided into, 0 on the others.
fn checker(p: Vec3) -> f32 {
    let cells = ((p + 1e-3) / TILE).floor();
    let sum = cells.x + cells.y + cells.z;
    if sum * 0.5 == (sum * 0.5).floor() { 0.0 } else { 1.0 }
}

/// The middle of a sample.
fn sample(x: usize, y: usize) -> Vec2 {
    Vec2::new(x as f32 + 0.5, y as f32 + 0.5)
}
