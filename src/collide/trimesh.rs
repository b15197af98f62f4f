//! Triangle meshes as colliders: closed ones are solid, open ones are surfaces with two sides,
//! height fields are solid below.
//!
//! Which side of a closed mesh a point is on is told by the normal of the nearest face, edge or
//! corner, the latter two weighted by angle (Bærentzen and Aanæs 2005): then it holds wherever
//! the point is. Everything is a plain function of vertices and triangles.

use std::collections::BTreeMap;

use glam::{Vec3, Vec3A};

use super::bounds::Bounds;
use super::solid::Near;
use super::tree::Tree;
use super::triangle::{Feature, cast_triangle, closest_on_triangle, face_normal};
use crate::error::{Error, is_ordinary, within};
use crate::headroom;
use crate::mesh::{Indices, Mesh, Welded};

/// What is solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Interior {
    /// Nothing: a surface with two sides.
    None,
    /// What the mesh encloses.
    Enclosed,
    /// What is below a height field.
    Below(Grid),
}

/// The samples of a height field: columns along x, rows along z, about the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) columns: u32,
    pub(crate) rows: u32,
    /// Metres between samples, along x and along z.
    pub(crate) spacing: [f32; 2],
}

/// The most samples of a height field.
const MOST_SAMPLES: usize = 1 << 24;

/// What is nearer to a surface without inside is in front of it: rounding of a position a kilometre away may
/// have put it there, metres. A tenth of the surface's skin, so what lies on its back stays there.
const ROUNDING: f32 = 1e-4;

/// Bytes that a vertex and a triangle take at most while a mesh is made ready.
const READIED: [usize; 2] = [96, 256];

fn ensure_room(vertices: usize, triangles: usize) -> Result<(), Error> {
    let [vertex, triangle] = READIED;
    headroom::ensure(vertices * vertex + triangles * triangle, "the mesh of a collider")
}

/// A mesh, ready to be searched. Shared by colliders.
///
/// ```
/// use glam::Vec3;
/// use wobble::{ColliderShape, Indices, Mesh};
///
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
/// let tetrahedron = Mesh { positions: &corners, indices: Indices::U16(&faces), ..Mesh::default() };
///
/// let ColliderShape::Mesh(triangles) = ColliderShape::mesh(&tetrahedron)? else { unreachable!() };
/// assert!(triangles.is_solid());
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TriMesh {
    pub(crate) positions: Vec<Vec3A>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) interior: Interior,
    normals: Vec<Vec3A>,
    /// For each triangle those of its edges ab, bc, ca.
    edge_normals: Vec<[Vec3A; 3]>,
    vertex_normals: Vec<Vec3A>,
    tree: Tree,
    pub(crate) bounds: Bounds,
}

/// ```
/// use glam::Vec3;
/// use wobble::{ColliderShape, Indices, Mesh};
///
/// let corners = [Vec3::ZERO, Vec3::Z, Vec3::X];
/// let sail = Mesh { positions: &corners, indices: Indices::U16(&[0, 1, 2]), ..Mesh::default() };
/// let ColliderShape::Mesh(triangles) = ColliderShape::mesh(&sail)? else { unreachable!() };
/// assert!(!triangles.is_solid(), "an open mesh is a surface");
/// # Ok::<(), wobble::Error>(())
/// ```
impl TriMesh {
    /// A mesh of the caller's. Solid if it is closed: then every edge has one triangle on each
    /// side, all turning the same way. Vertices at the same place are joined; triangles without
    /// area are left out.
    pub(crate) fn new(mesh: &Mesh) -> Result<TriMesh, Error> {
        TriMesh::welded(mesh, None)
    }

    /// A mesh of the caller's that has no inside, closed or not.
    pub(crate) fn surface(mesh: &Mesh) -> Result<TriMesh, Error> {
        TriMesh::welded(mesh, Some(Interior::None))
    }

    fn welded(mesh: &Mesh, interior: Option<Interior>) -> Result<TriMesh, Error> {
        mesh.check()?;
        ensure_room(mesh.positions.len(), mesh.indices.len() / 3)?;
        let welded = Welded::new(mesh, 0.0);
        let positions = welded.positions.iter().map(|&p| p.into()).collect();
        TriMesh::assembled(positions, welded.triangles, interior)
    }

    /// A height field.
    pub(crate) fn height_field(grid: Grid, heights: &[f32]) -> Result<TriMesh, Error> {
        let (columns, samples) = (grid.columns as usize, grid.samples()?);
        if heights.len() != samples {
            let wanted = format!("columns times rows, {columns} times {}", grid.rows);
            return Err(Error::Length { field: "heights", got: heights.len(), wanted });
        }
        if let Some((index, value)) = heights.iter().enumerate().find(|(_, h)| !is_ordinary(**h)) {
            let (value, wanted) = ((*value).into(), "finite and at most 1e9 in size");
            return Err(Error::Element { field: "heights", index, value, wanted });
        }
        ensure_room(samples, 2 * samples)?;
        let at = |i: usize| {
            let [x, z] = grid.place((i % columns) as f32, (i / columns) as f32);
            Vec3A::new(x, heights[i], z)
        };
        let positions = (0..heights.len()).map(at).collect();
        TriMesh::assembled(positions, grid.triangles(), Some(Interior::Below(grid)))
    }

    /// Puts together what is derived. What is solid is found out unless it is told.
    pub(crate) fn assembled(
        positions: Vec<Vec3A>,
        mut triangles: Vec<[u32; 3]>,
        interior: Option<Interior>,
    ) -> Result<TriMesh, Error> {
        let corners = |t: &[u32; 3]| t.map(|i| positions[i as usize]);
        let closed = interior.is_none() && is_closed(&triangles);
        if !matches!(interior, Some(Interior::Below(_))) {
            // A sliver lies along the edges of its neighbours, which are searched all the same.
            triangles.retain(|t| face_normal(corners(t)).is_some());
        }
        if triangles.is_empty() {
            let wanted = "at least one triangle with an area".into();
            return Err(Error::Length { field: "triangles", got: 0, wanted });
        }
        if closed && volume(&triangles, &positions) < 0.0 {
            triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let normals: Vec<Vec3A> =
            triangles.iter().map(|t| face_normal(corners(t)).unwrap_or(Vec3A::Y)).collect();
        let boxes: Vec<Bounds> = triangles.iter().map(|t| Bounds::of(corners(t))).collect();
        let mut tree = Tree::default();
        tree.build(&boxes);
        Ok(TriMesh {
            edge_normals: edge_normals(&triangles, &normals),
            vertex_normals: vertex_normals(&triangles, &normals, &positions),
            bounds: boxes.iter().fold(Bounds::EMPTY, |all, b| all.with(*b)),
            interior: interior.unwrap_or(if closed { Interior::Enclosed } else { Interior::None }),
            positions,
            triangles,
            normals,
            tree,
        })
    }

    /// Whether points can be inside.
    pub fn is_solid(&self) -> bool {
        self.interior != Interior::None
    }

    /// Corners of a triangle.
    pub(crate) fn corners(&self, triangle: u32) -> [Vec3A; 3] {
        self.triangles[triangle as usize].map(|i| self.positions[i as usize])
    }

    /// The nearest point of the surface, unless it is further than `reach` and outside.
    pub(crate) fn near(&self, p: Vec3A, reach: f32) -> Option<Near> {
        let below = match self.interior {
            Interior::Below(grid) => grid.triangles_at(p).map(|pair| {
                let over = |t: u32| self.height_at(t, p).unwrap_or(f32::NEG_INFINITY);
                if p.y < self.floor() { 0.0 } else { over(pair).max(over(pair + 1)) - p.y }
            }),
            _ => None,
        };
        let limit = match self.interior {
            // Nobody knows yet which side the point is on.
            Interior::Enclosed if self.bounds.holds(p) => f32::INFINITY,
            _ => below.filter(|depth| *depth > 0.0).map_or(reach, |depth| reach.max(depth * 1.001)),
        };
        let mut found = None;
        self.tree.nearest(p, limit * limit, |triangle, best| {
            let (point, feature) = closest_on_triangle(self.corners(triangle), p);
            let distance = (p - point).length_squared();
            (distance < best || found.is_none() && distance <= best).then(|| {
                found = Some((point, triangle, feature));
                distance
            })
        });
        let (point, triangle, feature) = found?;
        let inside = match self.interior {
            Interior::None => false,
            Interior::Enclosed => (p - point).dot(self.normal_of(triangle, feature)) < 0.0,
            Interior::Below(_) => below.is_some_and(|depth| depth > 0.0),
        };
        let near = self.near_at(p, point, triangle, feature, inside);
        (near.distance <= reach).then_some(near)
    }

    /// How far down a height field is solid: as deep again as it is wide or high.
    pub(crate) fn floor(&self) -> f32 {
        self.bounds.low.y - (self.bounds.high - self.bounds.low).max_element()
    }

    fn near_at(&self, p: Vec3A, point: Vec3A, triangle: u32, feature: Feature, inside: bool) -> Near {
        let (away, face) = (p - point, self.normals[triangle as usize]);
        let length = away.length();
        let sign = if inside { -1.0 } else { 1.0 };
        // Where the point is on the surface but for rounding, its direction says nothing.
        let told = length > 1e-5 * (self.bounds.high - self.bounds.low).max_element();
        let normal = match (feature, self.interior) {
            (_, Interior::None) if length < ROUNDING => face,
            (Feature::Face, Interior::None) => face * 1f32.copysign(face.dot(away)),
            (Feature::Face, _) => face,
            (_, Interior::None) if !told => face * 1f32.copysign(face.dot(away)),
            _ if told => away * (sign / length),
            _ => self.normal_of(triangle, feature),
        };
        Near { point, normal, distance: length * sign }
    }

    fn normal_of(&self, triangle: u32, feature: Feature) -> Vec3A {
        match feature {
            Feature::Face => self.normals[triangle as usize],
            Feature::Edge(k) => self.edge_normals[triangle as usize][k],
            Feature::Corner(k) => self.vertex_normals[self.triangles[triangle as usize][k] as usize],
        }
    }

    /// Height of a triangle's plane at a point's place, if the place is in it.
    fn height_at(&self, triangle: u32, p: Vec3A) -> Option<f32> {
        let [a, b, c] = self.corners(triangle);
        let flat = |v: Vec3A| v.with_y(0.0);
        let (u, v, w) = (flat(b - a), flat(c - a), flat(p - a));
        let area = u.cross(v).y;
        let (s, t) = (w.cross(v).y / area, u.cross(w).y / area);
        let slack = -1e-5;
        (s >= slack && t >= slack && s + t <= 1.0 - slack).then(|| a.y + (b.y - a.y) * s + (c.y - a.y) * t)
    }

    /// Where a ray from outside first enters the solid, or meets the surface from either side if there is no
    /// inside. Out of a solid it goes unhindered. A surface that it begins on, within `rounding` metres, it
    /// leaves.
    pub(crate) fn cast(
        &self,
        origin: Vec3A,
        direction: Vec3A,
        most: f32,
        rounding: f32,
    ) -> Option<(f32, Vec3A)> {
        let mut found = None;
        self.tree.cast(origin, direction, most, |triangle, best| {
            if !self.can_meet(triangle, origin, direction, rounding) {
                return None;
            }
            let t = cast_triangle(self.corners(triangle), origin, direction)?;
            (t < best || found.is_none() && t <= best).then(|| {
                found = Some((t, triangle));
                t
            })
        });
        let (t, triangle) = found?;
        let normal = self.normals[triangle as usize];
        Some((t, normal * -1f32.copysign(normal.dot(direction))))
    }

    /// Whether a ray may meet a triangle, as [`TriMesh::cast`] has it.
    fn can_meet(&self, triangle: u32, origin: Vec3A, direction: Vec3A, rounding: f32) -> bool {
        let normal = self.normals[triangle as usize];
        match self.interior {
            Interior::None => normal.dot(origin - self.corners(triangle)[0]).abs() > rounding,
            Interior::Enclosed | Interior::Below(_) => normal.dot(direction) < 0.0,
        }
    }

    /// Whether `wanted` holds for a triangle that may meet `bounds`.
    pub(crate) fn any(&self, bounds: &Bounds, mut wanted: impl FnMut([Vec3A; 3]) -> bool) -> bool {
        let mut found = false;
        self.tree.visit(bounds, |triangle| found = found || wanted(self.corners(triangle)));
        found
    }
}

impl Grid {
    /// How many samples it has; refused where it cannot be.
    pub(crate) fn samples(&self) -> Result<usize, Error> {
        within("columns", self.columns as f32, 2.0, 16_777_216.0, "from 2 to 16777216")?;
        within("rows", self.rows as f32, 2.0, 16_777_216.0, "from 2 to 16777216")?;
        for spacing in self.spacing {
            within("spacing", spacing, 1e-6, 1e6, "from 1e-6 to 1e6 metres")?;
        }
        let samples = u64::from(self.columns) * u64::from(self.rows);
        if samples > MOST_SAMPLES as u64 {
            let wanted = "at most 16777216, so that there may be a height for each";
            return Err(Error::Value { field: "columns times rows", value: samples as f64, wanted });
        }
        Ok(samples as usize)
    }

    /// x and z of a sample, or between samples.
    fn place(&self, column: f32, row: f32) -> [f32; 2] {
        let [dx, dz] = self.spacing;
        [(column - (self.columns - 1) as f32 * 0.5) * dx, (row - (self.rows - 1) as f32 * 0.5) * dz]
    }

    /// Two triangles for each cell, seen counterclockwise from above.
    pub(crate) fn triangles(&self) -> Vec<[u32; 3]> {
        let cells = (0..self.rows - 1).flat_map(|r| (0..self.columns - 1).map(move |c| (r, c)));
        let corners = |(r, c): (u32, u32)| {
            let a = r * self.columns + c;
            let (b, d) = (a + 1, a + self.columns);
            [[a, d, b], [b, d, d + 1]]
        };
        cells.flat_map(corners).collect()
    }

    /// The first of the two triangles over or under a point.
    fn triangles_at(&self, p: Vec3A) -> Option<u32> {
        let along = |x: f32, count: u32, spacing: f32| {
            let at = x / spacing + (count - 1) as f32 * 0.5;
            (0.0..=(count - 1) as f32).contains(&at).then(|| (at as u32).min(count - 2))
        };
        let column = along(p.x, self.columns, self.spacing[0])?;
        let row = along(p.z, self.rows, self.spacing[1])?;
        Some(2 * (row * (self.columns - 1) + column))
    }
}

/// Whether each edge has one triangle on each side.
fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let mut edges: Vec<(u32, u32)> =
        triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
    edges.sort_unstable();
    let once = edges.windows(2).all(|w| w[0] != w[1]);
    once && edges.iter().all(|&(a, b)| edges.binary_search(&(b, a)).is_ok())
}

/// Six times the enclosed volume.
fn volume(triangles: &[[u32; 3]], positions: &[Vec3A]) -> f64 {
    let at = |i: u32| positions[i as usize].as_dvec3();
    let about = at(triangles[0][0]);
    triangles.iter().map(|&[a, b, c]| (at(a) - about).dot((at(b) - about).cross(at(c) - about))).sum()
}

fn edge_normals(triangles: &[[u32; 3]], normals: &[Vec3A]) -> Vec<[Vec3A; 3]> {
    let mut sums: BTreeMap<(u32, u32), Vec3A> = BTreeMap::new();
    let edges = |[a, b, c]: [u32; 3]| [(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b)));
    for (t, &normal) in triangles.iter().zip(normals) {
        edges(*t).into_iter().for_each(|e| *sums.entry(e).or_insert(Vec3A::ZERO) += normal);
    }
    let of = |(t, &normal): (&[u32; 3], &Vec3A)| edges(*t).map(|e| sums[&e].normalize_or(normal));
    triangles.iter().zip(normals).map(of).collect()
}

fn vertex_normals(triangles: &[[u32; 3]], normals: &[Vec3A], positions: &[Vec3A]) -> Vec<Vec3A> {
    let mut sums = vec![Vec3A::ZERO; positions.len()];
    for (t, &normal) in triangles.iter().zip(normals) {
        let p = t.map(|i| positions[i as usize]);
        for k in 0..3 {
            let (u, v) = (p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
            let angle = libm::atan2f(u.cross(v).length(), u.dot(v));
            sums[t[k] as usize] += normal * angle;
        }
    }
    sums.into_iter().map(|sum| sum.normalize_or(Vec3A::Y)).collect()
}

/// The mesh of a convex hull, closed.
pub(crate) fn hull(points: &[Vec3]) -> Result<TriMesh, Error> {
    let (positions, triangles) = super::hull::of(points)?;
    let indices: Vec<u32> = triangles.into_iter().flatten().collect();
    let mesh =
        TriMesh::new(&Mesh { positions: &positions, indices: Indices::U32(&indices), ..Mesh::default() })?;
    if mesh.is_solid() {
        return Ok(mesh);
    }
    let wanted = "so many that no faces overlap; leave out points that nearly coincide".into();
    Err(Error::Length { field: "points", got: points.len(), wanted })
}
