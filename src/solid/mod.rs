//! Solids by rule: a ball, a box and others, or any function that tells the distance from a surface.
//!
//! A solid becomes a closed mesh (`contour.rs`), and that a shape, the same way as any mesh; so bodies
//! made of one have something to draw.

mod contour;
mod gummy_bear;

use std::sync::Arc;

use glam::{Vec2, Vec3, vec2};

use crate::clustering::LevelsDef;
use crate::error::{Error, LARGEST, finite, within};
use crate::mesh::{Indices, Mesh};
use crate::sampling::SamplingDef;
use crate::shape::Shape;

/// A solid about the origin, y up.
pub struct Solid<'a> {
    low: Vec3,
    high: Vec3,
    distance: Box<dyn Fn(Vec3) -> f32 + Send + Sync + 'a>,
}

/// The closed surface of a solid as triangles.
#[derive(Clone, Debug, Default)]
pub struct SolidMesh {
    /// Where vertices are, metres.
    pub positions: Vec<Vec3>,
    /// Normals of unit length.
    pub normals: Vec<Vec3>,
    /// Three indices a triangle, counterclockwise seen from outside.
    pub indices: Vec<u32>,
}

impl SolidMesh {
    /// The mesh, borrowed.
    pub fn as_mesh(&self) -> Mesh<'_> {
        Mesh {
            positions: &self.positions,
            indices: Indices::U32(&self.indices),
            normals: Some(&self.normals),
            ..Mesh::default()
        }
    }
}

impl<'a> Solid<'a> {
    /// A ball, metres.
    pub fn ball(radius: f32) -> Result<Self, Error> {
        length("radius", radius)?;
        Ok(Solid::within(Vec3::splat(radius), move |p| p.length() - radius))
    }

    /// A box, metres along each axis.
    pub fn cuboid(size: Vec3) -> Result<Self, Error> {
        size.to_array().into_iter().try_for_each(|side| length("size", side))?;
        let half = size * 0.5;
        Ok(Solid::within(half, move |p| {
            let q = p.abs() - half;
            q.max(Vec3::ZERO).length() + q.max_element().min(0.0)
        }))
    }

    /// A cylinder along y that ends in half balls; `height` is that of all, at least twice the radius.
    pub fn capsule(radius: f32, height: f32) -> Result<Self, Error> {
        length("radius", radius)?;
        within("height", height, 2.0 * radius, LARGEST, "at least twice the radius and at most 1e9 m")?;
        let straight = height * 0.5 - radius;
        let half = Vec3::new(radius, height * 0.5, radius);
        Ok(Solid::within(half, move |p| p.with_y(p.y - p.y.clamp(-straight, straight)).length() - radius))
    }

    /// A ring about y: `radius` to the middle of the tube, `tube` that of the tube, less than `radius`.
    pub fn torus(radius: f32, tube: f32) -> Result<Self, Error> {
        length("radius", radius)?;
        length("tube", tube)?;
        within("tube", tube, 0.0, radius * 0.999, "less than radius, so that there is a hole")?;
        let half = Vec3::new(radius + tube, tube, radius + tube);
        Ok(Solid::within(half, move |p| vec2(vec2(p.x, p.z).length() - radius, p.y).length() - tube))
    }

    /// A cylinder along y.
    pub fn cylinder(radius: f32, height: f32) -> Result<Self, Error> {
        length("radius", radius)?;
        length("height", height)?;
        let half = Vec3::new(radius, height * 0.5, radius);
        Ok(Solid::within(half, move |p| {
            let q = vec2(vec2(p.x, p.z).length() - radius, p.y.abs() - height * 0.5);
            q.max(Vec2::ZERO).length() + q.max_element().min(0.0)
        }))
    }

    /// Whatever `distance` describes: metres to the surface, less than zero inside. All of it lies between
    /// `low` and `high`; what does not is cut off. Only the sign must be right, but distances that change
    /// about as fast as the place make better normals. Many threads call it.
    pub fn from_distance(
        low: Vec3,
        high: Vec3,
        distance: impl Fn(Vec3) -> f32 + Send + Sync + 'a,
    ) -> Result<Self, Error> {
        finite("low", low)?;
        finite("high", high)?;
        (high - low).to_array().into_iter().try_for_each(|side| length("high - low", side))?;
        Ok(Solid { low, high, distance: Box::new(distance) })
    }

    /// The mascot: a gummy bear that stands on y = 0 and looks along z, metres high.
    pub fn gummy_bear(height: f32) -> Result<Self, Error> {
        length("height", height)?;
        let (low, high) = gummy_bear::BOUNDS;
        let distance = move |p| gummy_bear::distance(p / height) * height;
        Ok(Solid { low: low * height, high: high * height, distance: Box::new(distance) })
    }

    fn within(half: Vec3, distance: impl Fn(Vec3) -> f32 + Send + Sync + 'a) -> Self {
        Solid { low: -half, high: half, distance: Box::new(distance) }
    }

    /// Metres to the surface, less than zero inside.
    pub fn distance(&self, at: Vec3) -> f32 {
        (self.distance)(at)
    }

    /// Lowest and highest corner of the box about it, metres.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.low, self.high)
    }

    /// The surface as a closed mesh whose triangles are about a share 1/`cells` of the longest side wide;
    /// 4 to 256. What is thinner than that may be lost.
    pub fn mesh(&self, cells: u32) -> Result<SolidMesh, Error> {
        self.mesh_on(cells, 0)
    }

    /// The same on this many threads; 0 takes all cores, and 1 asks for distances on the caller's alone.
    pub fn mesh_on(&self, cells: u32, threads: u32) -> Result<SolidMesh, Error> {
        contour::mesh(self, cells, threads)
    }
}

impl Shape {
    /// A shape that fills a solid: its mesh of so many [`cells`](Solid::mesh), on the threads of `levels`, by
    /// [`Shape::from_mesh`].
    pub fn from_solid(
        solid: &Solid,
        cells: u32,
        sampling: &SamplingDef,
        levels: &LevelsDef,
        progress: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Arc<Shape>, Error> {
        Shape::from_mesh(&solid.mesh_on(cells, levels.threads)?.as_mesh(), sampling, levels, progress)
    }
}

fn length(field: &'static str, metres: f32) -> Result<(), Error> {
    within(field, metres, 1e-6, LARGEST, "from 1e-6 to 1e9 m")
}
