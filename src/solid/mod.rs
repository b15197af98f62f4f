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
///
/// ```
/// use glam::Vec3;
/// use wobble::{Amount, LevelsDef, SamplingDef, Shape, Solid};
///
/// // A ball with a bite taken out of it.
/// let bitten = Solid::from_distance(Vec3::splat(-0.5), Vec3::splat(0.5), |p| {
///     (p.length() - 0.5).max(0.3 - p.distance(Vec3::X * 0.5))
/// })?;
/// let sampling = SamplingDef { amount: Amount::Count(300), ..SamplingDef::default() };
/// let shape = Shape::from_solid(&bitten, 16, &sampling, &LevelsDef::default(), &mut |_done| true)?;
/// assert!(shape.particle_count() > 250);
/// # Ok::<(), wobble::Error>(())
/// ```
pub struct Solid<'a> {
    low: Vec3,
    high: Vec3,
    distance: Box<dyn Fn(Vec3) -> f32 + Send + Sync + 'a>,
}

/// The closed surface of a solid as triangles.
///
/// ```
/// use wobble::Solid;
///
/// let mesh = Solid::torus(0.4, 0.1)?.mesh(24)?;
/// assert_eq!(mesh.positions.len(), mesh.normals.len());
/// assert!(mesh.as_mesh().check().is_ok());
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SolidMesh {
    /// Where vertices are, metres.
    pub positions: Vec<Vec3>,
    /// Normals of unit length.
    pub normals: Vec<Vec3>,
    /// Three indices a triangle, counterclockwise seen from outside.
    pub indices: Vec<u32>,
}

/// ```
/// let bear = wobble::Solid::gummy_bear(0.1)?.mesh(24)?;
/// assert!(bear.as_mesh().indices.len() > 300);
/// # Ok::<(), wobble::Error>(())
/// ```
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

/// ```
/// use glam::Vec3;
/// use wobble::Solid;
///
/// let solids = [
///     Solid::ball(0.5)?,
///     Solid::cuboid(Vec3::new(1.0, 0.5, 0.5))?,
///     Solid::capsule(0.2, 1.0)?,
///     Solid::torus(0.4, 0.1)?,
///     Solid::cylinder(0.3, 1.0)?,
///     Solid::gummy_bear(0.3)?,
///     Solid::from_distance(-Vec3::ONE, Vec3::ONE, |p| p.x.abs() + p.y.abs() + p.z.abs() - 0.5)?,
/// ];
/// for solid in &solids {
///     let (low, high) = solid.bounds();
///     assert!(solid.distance(high + Vec3::ONE) > 0.0, "outside");
///     assert!(solid.mesh(16)?.positions.iter().all(|p| p.cmpge(low - 0.1).all()));
/// }
/// let on_one_thread = solids[0].mesh_on(16, 1)?;
/// assert_eq!(on_one_thread.positions, solids[0].mesh(16)?.positions);
/// # Ok::<(), wobble::Error>(())
/// ```
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

/// ```
/// use wobble::{Amount, LevelsDef, SamplingDef, Shape, Solid};
///
/// let sampling = SamplingDef { amount: Amount::Count(300), density: 1300.0, ..SamplingDef::default() };
/// let bear = Solid::gummy_bear(0.1)?;
/// let shape = Shape::from_solid(&bear, 32, &sampling, &LevelsDef::default(), &mut |_done| true)?;
/// assert!(shape.skin().is_some(), "bodies carry the mesh");
/// # Ok::<(), wobble::Error>(())
/// ```
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
