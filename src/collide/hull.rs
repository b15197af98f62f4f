//! The convex hull of points, by adding one point after the other (Barber et al. 1996, without the
//! bookkeeping that only pays for many more points).
//!
//! Distances are taken in f64, and points nearer to a face than a hair's breadth count as on it, so
//! that the faces stay a closed surface.

use glam::{DVec3, Vec3};

use crate::error::{Error, is_ordinary};

/// The most points.
const MOST: usize = 1024;
/// What counts as on a face, relative to the size of the whole.
const HAIR: f64 = 1e-7;

struct Face {
    corners: [usize; 3],
    normal: DVec3,
    offset: f64,
}

impl Face {
    fn new(points: &[DVec3], corners: [usize; 3]) -> Face {
        let [a, b, c] = corners.map(|i| points[i]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        Face { corners, normal, offset: normal.dot(a) }
    }

    fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p) - self.offset
    }
}

/// Corners and triangles of the hull, seen counterclockwise from outside.
pub(super) fn of(given: &[Vec3]) -> Result<(Vec<Vec3>, Vec<[u32; 3]>), Error> {
    if !(4..=MOST).contains(&given.len()) {
        let wanted = format!("from 4 to {MOST}");
        return Err(Error::Length { field: "points", got: given.len(), wanted });
    }
    let refused = |v: &Vec3| v.to_array().into_iter().find(|c| !is_ordinary(*c));
    if let Some((index, value)) = given.iter().enumerate().find_map(|(i, v)| Some((i, refused(v)?))) {
        let wanted = "finite and at most 1e9 in size";
        return Err(Error::Element { field: "points", index, value: value.into(), wanted });
    }
    let points: Vec<DVec3> = given.iter().map(|p| p.as_dvec3()).collect();
    let (start, hair) = first_corners(&points)?;
    let mut faces = first_faces(&points, start);
    for (i, &p) in points.iter().enumerate() {
        if !start.contains(&i) {
            add(&points, &mut faces, i, p, hair);
        }
    }
    let triangles: Vec<[usize; 3]> = faces.iter().map(|f| f.corners).collect();
    let mut used: Vec<usize> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let number = |i: &usize| used.binary_search(i).map_or(0, |n| n as u32);
    let triangles = triangles.iter().map(|[a, b, c]| [number(a), number(b), number(c)]).collect();
    Ok((used.iter().map(|&i| given[i]).collect(), triangles))
}

/// Four points that span a volume, and a hair's breadth.
fn first_corners(points: &[DVec3]) -> Result<([usize; 4], f64), Error> {
    let furthest = |of: &dyn Fn(DVec3) -> f64| {
        let further = |best: (usize, f64), (i, p): (usize, &DVec3)| {
            let d = of(*p);
            if d > best.1 { (i, d) } else { best }
        };
        points.iter().enumerate().fold((0, -1.0), further)
    };
    let a = points[0];
    let (i, size) = furthest(&|p| p.distance(a));
    let line = (points[i] - a).normalize_or_zero();
    let (j, width) = furthest(&|p| (p - a).reject_from_normalized(line).length());
    let normal = line.cross(points[j] - a).normalize_or_zero();
    let (k, height) = furthest(&|p| normal.dot(p - a).abs());
    let hair = size * HAIR;
    if size <= 0.0 || width <= 10.0 * hair || height <= 10.0 * hair {
        let wanted = "above a millionth of its size; use a mesh for what is flat";
        return Err(Error::Value { field: "points (thickness of the hull)", value: height.max(0.0), wanted });
    }
    Ok(([0, i, j, k], hair))
}

fn first_faces(points: &[DVec3], [a, b, c, d]: [usize; 4]) -> Vec<Face> {
    let outwards = Face::new(points, [a, b, c]).height(points[d]) < 0.0;
    let (b, c) = if outwards { (b, c) } else { (c, b) };
    [[a, b, c], [a, d, b], [b, d, c], [c, d, a]].map(|corners| Face::new(points, corners)).into()
}

/// Replaces the faces that see a point by ones to it.
fn add(points: &[DVec3], faces: &mut Vec<Face>, i: usize, p: DVec3, hair: f64) {
    let (seeing, rest): (Vec<Face>, Vec<Face>) =
        std::mem::take(faces).into_iter().partition(|face| face.height(p) > hair);
    *faces = rest;
    let edges: Vec<(usize, usize)> =
        seeing.iter().flat_map(|f| [0, 1, 2].map(|k| (f.corners[k], f.corners[(k + 1) % 3]))).collect();
    for &(a, b) in edges.iter().filter(|(a, b)| !edges.contains(&(*b, *a))) {
        faces.push(Face::new(points, [a, b, i]));
    }
}
