//! Triangle meshes as engines have them, and what physics makes of them.
//!
//! A [`Mesh`] borrows the caller's arrays. Engines split vertices where texture coordinates or
//! normals jump; a [`Welded`] mesh has one vertex for each place, so that the body does not fall
//! apart there, and tells where each of the caller's vertices went. Both are plain functions of
//! their input: vertices meet in the order of their indices, found through sorted cells.

use glam::{Vec3, Vec4};

use crate::error::{Error, is_ordinary};
use crate::headroom;
use crate::painting::{MOST_TUNING, TOUGHNESS, check_map};

/// Three indices a triangle, counted from 0, counterclockwise seen from outside.
///
/// ```
/// use wobble::Indices;
///
/// let (short, long) = (Indices::U16(&[0, 1, 2]), Indices::U32(&[0, 1, 2]));
/// assert!(short.triangles().eq(long.triangles()));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Indices<'a> {
    /// Indices of 16 bits.
    U16(&'a [u16]),
    /// Indices of 32 bits.
    U32(&'a [u32]),
}

impl Default for Indices<'_> {
    fn default() -> Self {
        Indices::U32(&[])
    }
}

/// ```
/// use wobble::Indices;
///
/// let square = Indices::U16(&[0, 1, 2, 2, 1, 3]);
/// assert_eq!((square.len(), square.is_empty(), square.get(5)), (6, false, 3));
/// assert_eq!(square.triangles().last(), Some([2, 1, 3]));
/// ```
impl Indices<'_> {
    /// How many there are, three a triangle.
    pub fn len(&self) -> usize {
        match self {
            Indices::U16(all) => all.len(),
            Indices::U32(all) => all.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index at `at`, which must be less than [`Indices::len`].
    pub fn get(&self, at: usize) -> u32 {
        match self {
            Indices::U16(all) => all[at].into(),
            Indices::U32(all) => all[at],
        }
    }

    /// The corners of all triangles.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        (0..self.len() / 3).map(|t| [0, 1, 2].map(|k| self.get(3 * t + k)))
    }
}

/// A triangle mesh in the caller's memory. Each list that is given has one value for each vertex.
///
/// ```
/// use glam::Vec3;
/// use wobble::{Indices, Mesh};
///
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
/// let tetrahedron = Mesh { positions: &corners, indices: Indices::U16(&faces), ..Mesh::default() };
///
/// tetrahedron.check()?;
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Mesh<'a> {
    /// Where vertices are, metres.
    pub positions: &'a [Vec3],
    /// The triangles.
    pub indices: Indices<'a>,
    /// Normals of unit length. Skinning finds them from the triangles where there are none or they are zero.
    pub normals: Option<&'a [Vec3]>,
    /// Tangents of unit length; w is the side of the bitangent, 1 or -1.
    pub tangents: Option<&'a [Vec4]>,
    /// What the material's stiffness is multiplied by, from 0 to 1e6.
    pub stiffness: Option<&'a [f32]>,
    /// What the material's damping is multiplied by, from 0 to 1e6.
    pub damping: Option<&'a [f32]>,
    /// From 0 to 1: a body starts with its particles of 0.5 and more pinned.
    pub pin: Option<&'a [f32]>,
    /// What the density is multiplied by, from 1e-6 to 1e6.
    pub density: Option<&'a [f32]>,
    /// What the toughness of bodies that break is multiplied by, from 0.001 to 1e6.
    pub toughness: Option<&'a [f32]>,
}

/// The most vertices, and the most triangles, of a mesh: their numbers fit into 32 bits with room to spare.
const MOST: usize = 1 << 28;

/// The smallest and largest factor by which density can be painted.
const DENSITIES: std::ops::RangeInclusive<f32> = 1e-6..=1e6;

/// Bytes that a vertex and a triangle each take at most until a mesh is bound.
const WORKED_ON: usize = 256;

/// ```
/// use glam::Vec3;
/// use wobble::{Indices, Mesh};
///
/// let two = Mesh { positions: &[Vec3::ZERO, Vec3::X], indices: Indices::U16(&[0, 1, 2]), ..Mesh::default() };
/// assert!(two.check().is_err(), "there is no vertex 2");
/// ```
impl Mesh<'_> {
    /// Refuses what cannot be a mesh: no triangles, an index past the end, numbers that are not
    /// finite, lists of the wrong length. Degenerate triangles are fine.
    pub fn check(&self) -> Result<(), Error> {
        check_counts(self.positions.len(), self.indices.len())?;
        self.check_positions()?;
        self.check_indices()?;
        let count = self.positions.len();
        let unit = |v: &f32| v.abs() <= 2.0;
        if let Some(normals) = self.normals {
            let flat = normals.iter().map(Vec3::to_array);
            check_vectors("normals", flat, normals.len(), count, unit)?;
        }
        if let Some(tangents) = self.tangents {
            let flat = tangents.iter().map(Vec4::to_array);
            check_vectors("tangents", flat, tangents.len(), count, unit)?;
        }
        let tuned = 0.0..=MOST_TUNING;
        check_map("stiffness", self.stiffness, count, tuned.clone(), "from 0 to 1e6")?;
        check_map("damping", self.damping, count, tuned, "from 0 to 1e6")?;
        check_map("pin", self.pin, count, 0.0..=1.0, "from 0 to 1")?;
        check_map("density", self.density, count, DENSITIES, "from 1e-6 to 1e6")?;
        check_map("toughness", self.toughness, count, TOUGHNESS, "from 0.001 to 1e6")
    }

    /// Refuses a mesh that there is no memory to find the inside of and to bind to a body.
    pub(crate) fn ensure_room(&self) -> Result<(), Error> {
        let elements = self.positions.len() + self.indices.len() / 3;
        headroom::ensure(elements * WORKED_ON, "the mesh of a shape")
    }

    fn check_positions(&self) -> Result<(), Error> {
        let count = self.positions.len();
        let flat = self.positions.iter().map(Vec3::to_array);
        check_vectors("positions", flat, count, count, |v| is_ordinary(*v))
    }

    fn check_indices(&self) -> Result<(), Error> {
        let (count, vertices) = (self.indices.len(), self.positions.len());
        match (0..count).find(|&i| self.indices.get(i) as usize >= vertices) {
            None => Ok(()),
            Some(index) => {
                let value = self.indices.get(index).into();
                let wanted = "less than the number of positions (indices are counted from 0)";
                Err(Error::Element { field: "indices", index, value, wanted })
            }
        }
    }
}

/// Refuses numbers of vertices and of indices that no mesh has. Who has yet to read a caller's lists asks first: a
/// count that cannot be leads past their end.
pub(crate) fn check_counts(vertices: usize, indices: usize) -> Result<(), Error> {
    if !(1..=MOST).contains(&vertices) {
        let wanted = format!("from 1 to {MOST}; hand over the vertices of a mesh");
        return Err(Error::Length { field: "positions", got: vertices, wanted });
    }
    if indices == 0 || !indices.is_multiple_of(3) || indices / 3 > MOST {
        let wanted = format!("three for each triangle, of which there may be 1 to {MOST}");
        return Err(Error::Length { field: "indices", got: indices, wanted });
    }
    Ok(())
}

fn check_vectors<const N: usize>(
    field: &'static str,
    vectors: impl Iterator<Item = [f32; N]>,
    got: usize,
    vertices: usize,
    accepted: impl Fn(&f32) -> bool,
) -> Result<(), Error> {
    if got != vertices {
        let wanted = format!("{vertices}, one for each vertex");
        return Err(Error::Length { field, got, wanted });
    }
    for (index, vector) in vectors.enumerate() {
        if let Some(value) = vector.iter().find(|v| !accepted(v)) {
            let wanted = match field {
                "positions" => "finite and at most 1e9 in size; repair the mesh where it was exported",
                _ => "finite and of unit length; leave the list out to have it found from the triangles",
            };
            return Err(Error::Element { field, index, value: (*value).into(), wanted });
        }
    }
    Ok(())
}

/// A mesh with one vertex for each place.
///
/// ```
/// use glam::Vec3;
/// use wobble::{Indices, Mesh, Welded};
///
/// // Two triangles side by side, split along their common edge.
/// let positions = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::Z, Vec3::X, Vec3::X + Vec3::Z];
/// let mesh = Mesh { positions: &positions, indices: Indices::U16(&[0, 1, 2, 3, 4, 5]), ..Mesh::default() };
/// let welded = Welded::new(&mesh, 1e-5);
///
/// assert_eq!(welded.place_of, [0, 1, 2, 2, 1, 3]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Welded {
    /// The places, metres; in the order in which the caller's vertices first take them.
    pub positions: Vec<Vec3>,
    /// Corners of the triangles that have three different places, in the caller's order.
    pub triangles: Vec<[u32; 3]>,
    /// For each of the caller's vertices, its place.
    pub place_of: Vec<u32>,
    /// For each place, the first of the caller's vertices there.
    pub first_at: Vec<u32>,
}

/// ```
/// use glam::Vec3;
/// use wobble::{Indices, Mesh, Welded};
///
/// // Two triangles side by side, split along their common edge.
/// let positions = [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::Z, Vec3::X, Vec3::X + Vec3::Z];
/// let mesh = Mesh { positions: &positions, indices: Indices::U16(&[0, 1, 2, 3, 4, 5]), ..Mesh::default() };
/// let welded = Welded::new(&mesh, 1e-5);
///
/// assert_eq!(welded.positions.len(), 4);
/// ```
impl Welded {
    /// Joins vertices that lie within `tolerance` times the mesh's largest extent, outliers aside, of the
    /// first of them. 0 joins those only that lie at the very same place; more than 0 means at least 2e-6. The
    /// mesh must have passed [`Mesh::check`].
    pub fn new(mesh: &Mesh, tolerance: f32) -> Welded {
        let mut first = first_at_same(mesh.positions);
        if tolerance > 0.0 {
            join_near(mesh.positions, tolerance.max(NARROWEST), &mut first);
        }
        let mut welded = Welded::default();
        for (vertex, &first) in (0u32..).zip(&first) {
            if first == vertex {
                welded.place_of.push(welded.positions.len() as u32);
                welded.positions.push(mesh.positions[vertex as usize]);
                welded.first_at.push(vertex);
            } else {
                welded.place_of.push(welded.place_of[first as usize]);
            }
        }
        let places = mesh.indices.triangles().map(|t| t.map(|vertex| welded.place_of[vertex as usize]));
        welded.triangles = places.filter(|[a, b, c]| a != b && b != c && c != a).collect();
        welded
    }
}

/// Cells from the lowest corner; who is further away lies beyond counting.
const FURTHEST: i64 = 1 << 62;

/// The smallest tolerance but 0: rounding moves no vertex that far.
const NARROWEST: f32 = 2e-6;

/// For each vertex the first at the very same place, itself perhaps.
fn first_at_same(positions: &[Vec3]) -> Vec<u32> {
    // Adding zero turns -0 into 0.
    let bits = |i: u32| (positions[i as usize] + Vec3::ZERO).to_array().map(f32::to_bits);
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.sort_unstable_by_key(|&i| (bits(i), i));
    let mut first = vec![0; positions.len()];
    for same in order.chunk_by(|&a, &b| bits(a) == bits(b)) {
        same.iter().for_each(|&i| first[i as usize] = same[0]);
    }
    first
}

/// The largest extent of all vertices but the outermost hundredth on each side: some may lie far away.
fn typical_size(positions: &[Vec3]) -> f32 {
    let outer = positions.len() / 100;
    let extent = |axis: usize| {
        let mut along: Vec<f32> = positions.iter().map(|p| p[axis]).collect();
        let last = along.len() - 1 - outer;
        let low = *along.select_nth_unstable_by(outer, f32::total_cmp).1;
        *along.select_nth_unstable_by(last, f32::total_cmp).1 - low
    };
    (0..3).map(extent).fold(0.0, f32::max)
}

/// Lets vertices that are first at their place follow an earlier one within reach. Those that stay
/// are further apart than a cell is wide, so no cell holds more than a few of them.
fn join_near(positions: &[Vec3], tolerance: f32, first: &mut [u32]) {
    let (low, size) = (positions.iter().fold(Vec3::INFINITY, |low, &p| low.min(p)), typical_size(positions));
    let reach = size * tolerance;
    if reach <= 0.0 {
        return;
    }
    let cell = |i: u32| ((positions[i as usize] - low) / reach).to_array().map(|c| (c as i64).min(FURTHEST));
    let mut cells: Vec<[i64; 3]> = (0..first.len() as u32).map(cell).collect();
    cells.sort_unstable();
    cells.dedup();
    let mut staying: Vec<Vec<u32>> = vec![Vec::new(); cells.len()];
    for vertex in 0..first.len() {
        let before = first[vertex] as usize;
        if before < vertex {
            first[vertex] = first[before];
            continue;
        }
        let [x, y, z] = cell(vertex as u32);
        let columns = (0..9).map(|k| [x + k / 3 - 1, y + k % 3 - 1]);
        let around = columns.flat_map(|[x, y]| {
            let from = cells.partition_point(|cell| *cell < [x, y, z - 1]);
            (from..cells.len()).take_while(|&c| cells[c] <= [x, y, z + 1]).collect::<Vec<_>>()
        });
        let near = |other: u32| positions[other as usize].distance(positions[vertex]) <= reach;
        match around.flat_map(|c| staying[c].iter().copied()).filter(|&other| near(other)).min() {
            Some(other) => first[vertex] = other,
            None => {
                let own = cells.partition_point(|c| *c < [x, y, z]);
                staying[own].push(vertex as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::vec3;

    /// A unit square of two triangles that share no vertex.
    const SPLIT: [Vec3; 6] = [
        vec3(0.0, 0.0, 0.0),
        Vec3::X,
        vec3(1.0, 1.0, 0.0),
        vec3(0.0, -0.0, 0.0),
        vec3(1.0, 1.0, 0.0),
        Vec3::Y,
    ];

    fn mesh(positions: &[Vec3]) -> Mesh<'_> {
        Mesh { positions, indices: Indices::U16(&[0, 1, 2, 3, 4, 5]), ..Mesh::default() }
    }

    #[test]
    fn split_vertices_are_one_place() {
        for tolerance in [0.0, 1e-6, 1e-2] {
            let welded = Welded::new(&mesh(&SPLIT), tolerance);
            assert_eq!(welded.place_of, [0, 1, 2, 0, 2, 3]);
            assert_eq!(welded.first_at, [0, 1, 2, 5]);
            assert_eq!(welded.triangles, [[0, 1, 2], [0, 2, 3]]);
        }
    }

    #[test]
    fn vertices_a_little_apart_meet_within_the_tolerance_only() {
        let mut positions = SPLIT;
        positions[4] += Vec3::splat(1e-4);
        assert_eq!(Welded::new(&mesh(&positions), 0.0).positions.len(), 5);
        assert_eq!(Welded::new(&mesh(&positions), 1e-4).positions.len(), 5);
        assert_eq!(Welded::new(&mesh(&positions), 2e-4).place_of, [0, 1, 2, 0, 2, 3]);
    }

    #[test]
    fn a_triangle_whose_corners_meet_is_left_out() {
        let mut positions = SPLIT;
        positions[5] = positions[4];
        assert_eq!(Welded::new(&mesh(&positions), 0.0).triangles, [[0, 1, 2]]);
        assert!(Welded::new(&mesh(&[Vec3::ONE; 6]), 1e-6).triangles.is_empty());
    }

    #[test]
    fn many_vertices_at_one_place_and_far_away_are_fine() {
        let mut positions = vec![Vec3::splat(1e9); 50_000];
        positions.push(Vec3::splat(-1e9));
        assert_eq!(Welded::new(&mesh(&positions), 1e-5).positions.len(), 2);
        assert_eq!(Welded::new(&mesh(&positions), 1.0).positions.len(), 2);
    }

    #[test]
    fn what_is_wrong_with_a_mesh_is_told_by_field_place_and_value() {
        let told = |mesh: Mesh| mesh.check().unwrap_err().to_string();
        let good = mesh(&SPLIT);
        assert_eq!(good.check(), Ok(()));
        assert!(told(Mesh::default()).starts_with("positions has 0 elements; it must have from 1"));
        assert!(told(Mesh { indices: Indices::default(), ..good }).starts_with("indices has 0 elements"));
        assert!(told(Mesh { indices: Indices::U32(&[0, 1]), ..good }).contains("three for each triangle"));
        let past = told(Mesh { indices: Indices::U32(&[0, 1, 6]), ..good });
        assert!(past.starts_with("indices[2] is 6; it must be less than the number of positions"));
        let mut positions = SPLIT;
        positions[3].y = f32::NAN;
        assert!(told(mesh(&positions)).starts_with("positions[3] is NaN; it must be finite"));
        let short = told(Mesh { normals: Some(&[Vec3::Z]), ..good });
        assert_eq!(short, "normals has 1 elements; it must have 6, one for each vertex");
        let infinite = told(Mesh { tangents: Some(&[Vec4::splat(f32::INFINITY); 6]), ..good });
        assert!(infinite.starts_with("tangents[0] is inf"));
        let heavy = told(Mesh { density: Some(&[1.0, 1.0, 0.0, 1.0, 1.0, 1.0]), ..good });
        assert_eq!(heavy, "density[2] is 0; it must be from 1e-6 to 1e6");
        assert!(told(Mesh { pin: Some(&[2.0; 6]), ..good }).starts_with("pin[0] is 2"));
    }
}
