//! The surface of a mesh, ready to be asked: what is inside, how far away, which point is closest.
//!
//! Reads a welded mesh; holes, open pieces, pieces that pass through each other and triangles that
//! face the wrong way or come twice are all fine. Works in coordinates within 1 of the origin, scaled by
//! a power of two, so that it works at every scale of length.

use glam::{DVec3, Vec3, Vec3A};

use super::repair::{self, normal};
use super::strays;
use super::tree::Tree;
use crate::error::Error;
use crate::mesh::Welded;

/// A surface that knows its inside.
///
/// ```
/// use glam::Vec3;
/// use wobble::{MeshSurface, Solid, Welded};
///
/// let mesh = Solid::ball(0.5)?.mesh(24)?;
/// let ball = MeshSurface::new(&Welded::new(&mesh.as_mesh(), 1e-5))?;
///
/// assert!(ball.contains(Vec3::ZERO) && !ball.contains(Vec3::X));
/// # Ok::<(), wobble::Error>(())
/// ```
pub struct MeshSurface {
    tree: Tree,
    /// Corners of the triangles that count, facing outwards, as places of the welded mesh.
    corners: Vec<[u32; 3]>,
    /// All places, in local coordinates.
    places: Vec<Vec3A>,
    pub(super) frame: Frame,
    /// In local coordinates.
    pub(super) low: Vec3A,
    pub(super) high: Vec3A,
    area: f64,
    is_closed: bool,
}

/// The point of a surface closest to another.
///
/// ```
/// use glam::Vec3;
/// use wobble::{MeshSurface, Solid, Welded};
///
/// let mesh = Solid::ball(0.5)?.mesh(24)?;
/// let ball = MeshSurface::new(&Welded::new(&mesh.as_mesh(), 1e-5))?;
///
/// let closest = ball.closest(Vec3::X * 2.0);
/// assert!((closest.distance - 1.5).abs() < 0.02 && (closest.point.x - 0.5).abs() < 0.02);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Where it is, metres.
    pub point: Vec3,
    /// How far away, metres.
    pub distance: f32,
    /// The places of the welded mesh at the corners of its triangle.
    pub corners: [u32; 3],
    /// The corners' shares in it; they sum up to 1.
    pub shares: [f32; 3],
}

/// From metres to local coordinates and back.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    origin: DVec3,
    scale: f64,
}

impl Frame {
    pub(super) fn local(&self, at: Vec3) -> Vec3A {
        ((at.as_dvec3() - self.origin) / self.scale).as_vec3a()
    }

    pub(super) fn outside(&self, at: Vec3A) -> Vec3 {
        (at.as_dvec3() * self.scale + self.origin).as_vec3()
    }

    /// A local length in metres.
    pub(super) fn metres(&self, length: f64) -> f64 {
        length * self.scale
    }
}

/// ```
/// use glam::Vec3;
/// use wobble::{MeshSurface, Solid, Welded};
///
/// let mesh = Solid::ball(0.5)?.mesh(24)?;
/// let ball = MeshSurface::new(&Welded::new(&mesh.as_mesh(), 1e-5))?;
///
/// assert!(ball.is_closed() && ball.contains(Vec3::ZERO));
/// assert!((ball.winding(Vec3::ZERO) - 1.0).abs() < 0.02);
/// assert!(ball.signed_distance(Vec3::ZERO) < -0.45 && ball.closest(Vec3::X).distance > 0.45);
/// assert!((ball.area() - 3.14).abs() < 0.1);
/// let (low, high) = ball.bounds();
/// assert!((high - low - 1.0).length() < 0.1);
/// # Ok::<(), wobble::Error>(())
/// ```
impl MeshSurface {
    /// The surface of a mesh; refused if no triangle of it has an area. Small pieces far away from all else
    /// are left out.
    pub fn new(welded: &Welded) -> Result<MeshSurface, Error> {
        let metres = |place: u32| welded.positions[place as usize].as_dvec3();
        let triangles = strays::left_out(&welded.triangles, welded.positions.len(), metres);
        let used = || triangles.iter().flatten().map(|&place| metres(place));
        let (low, high) =
            (used().fold(DVec3::INFINITY, DVec3::min), used().fold(DVec3::NEG_INFINITY, DVec3::max));
        let (_, exponent) = libm::frexp(((high - low) * 0.5).max_element());
        let frame = Frame { origin: (low + high) * 0.5, scale: libm::ldexp(1.0, exponent) };
        let places: Vec<Vec3A> = welded.positions.iter().map(|&p| frame.local(p)).collect();
        let at = |place: u32| places[place as usize];
        let corners = repair::repaired(&triangles, &at);
        let area: f64 = corners.iter().map(|t| normal(t.map(at)).length()).sum();
        if corners.is_empty() || area < SMALLEST_AREA {
            let why = "none of its triangles has an area; export a surface of triangles rather than lines or points";
            return Err(Error::Unsuitable { what: "mesh", why: why.into() });
        }
        let triangles: Vec<[Vec3A; 3]> = corners.iter().map(|t| t.map(at)).collect();
        let flat = || triangles.iter().flatten();
        let low = flat().fold(Vec3A::INFINITY, |low, &c| low.min(c));
        let high = flat().fold(Vec3A::NEG_INFINITY, |high, &c| high.max(c));
        let is_closed = repair::is_closed(&corners);
        Ok(MeshSurface { tree: Tree::new(&triangles), corners, places, frame, low, high, area, is_closed })
    }

    /// How often the surface winds about a point: 1 inside of a closed surface, 0 outside of it, in
    /// between near a hole. Right to 0.01.
    pub fn winding(&self, at: Vec3) -> f32 {
        self.winding_local(self.frame.local(at))
    }

    /// Whether a point is inside.
    pub fn contains(&self, at: Vec3) -> bool {
        self.winding(at) > INSIDE
    }

    /// The closest point of the surface.
    pub fn closest(&self, at: Vec3) -> Closest {
        let found = self.tree.nearest(self.frame.local(at));
        let corners = self.corners[found.triangle as usize];
        let weighted = corners.iter().zip(found.shares).map(|(&p, share)| self.places[p as usize] * share);
        let distance = self.frame.metres(f64::from(found.distance_squared.sqrt())) as f32;
        Closest { point: self.frame.outside(weighted.sum()), distance, corners, shares: found.shares }
    }

    /// Distance to the surface, metres, less than zero inside.
    pub fn signed_distance(&self, at: Vec3) -> f32 {
        let local = self.frame.local(at);
        let distance = self.frame.metres(f64::from(self.distance_local(local))) as f32;
        if self.winding_local(local) > INSIDE { -distance } else { distance }
    }

    /// Lowest and highest corner of the box about it, metres.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        (self.frame.outside(self.low), self.frame.outside(self.high))
    }

    /// Whether it has no border, as a ball has none and a sheet has.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Its area, m².
    pub fn area(&self) -> f64 {
        self.frame.metres(self.frame.metres(self.area))
    }

    pub(super) fn winding_local(&self, at: Vec3A) -> f32 {
        self.tree.winding(at)
    }

    pub(super) fn distance_local(&self, at: Vec3A) -> f32 {
        self.distance_within(at, f32::INFINITY)
    }

    /// The same where it is known to be at most `most`, which makes it quicker.
    pub(super) fn distance_within(&self, at: Vec3A, most: f32) -> f32 {
        // Some more, since what is known was rounded.
        let most = most * 1.001 + 1e-6;
        self.tree.nearest_within(at, most * most).distance_squared.sqrt()
    }

    pub(super) fn area_local(&self) -> f64 {
        self.area
    }

    /// The volume that its triangles bound, in local coordinates: exact for a closed surface that does
    /// not pass through itself.
    pub(super) fn bounded_volume_local(&self) -> f64 {
        repair::volume(self.triangles(), DVec3::ZERO)
    }

    /// Triangles that count, facing outwards, in local coordinates.
    pub(super) fn triangles(&self) -> impl Iterator<Item = [Vec3A; 3]> + '_ {
        self.corners.iter().map(|t| t.map(|p| self.places[p as usize]))
    }

    /// Their corners as places of the welded mesh.
    pub(super) fn corners(&self) -> &[[u32; 3]] {
        &self.corners
    }

    /// A place of the welded mesh in local coordinates.
    pub(super) fn place(&self, place: u32) -> Vec3A {
        self.places[place as usize]
    }
}

/// The winding number from which on a point is inside.
pub(super) const INSIDE: f32 = 0.5;

/// Local; single precision does not tell less from nothing.
const SMALLEST_AREA: f64 = 1e-12;
