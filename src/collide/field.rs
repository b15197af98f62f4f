//! The surface of a rest shape as a field of signed distances, baked into the shape.
//!
//! Reads rest positions; holds a grid about as fine as the particles: at each node the distance from
//! the surface, negative inside, and the nearest surface particle. A contact looks up a point that a
//! cluster's inverse motion has put into rest space. What is inside comes from the particles'
//! morphological closing: dilated by about a spacing and eroded by as much, so that the gaps between them
//! are filled. Near the surface the field is that of the planes through the outer particles, blended:
//! its zero level passes through them and is as flat as they are.

mod build;
mod cells;
pub(crate) mod outline;
mod part;

use glam::{UVec3, Vec3A};
use wide::f32x8;

/// Neighbours that a surface particle knows.
pub(crate) const RING: usize = 8;

/// A particle that contacts can touch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SurfaceParticle {
    /// Its index, in spatial order.
    pub(crate) particle: u32,
    /// Where it rests.
    pub(crate) rest: Vec3A,
    /// The field's slope there: away from the body, of length 1 on a flat surface, less at edges.
    pub(crate) slope: Vec3A,
    /// The field's distance there, metres: the grid rounds edges off, the particle knows better.
    pub(crate) height: f32,
    /// The root of its size, with its sign.
    pub(crate) root: f32,
    /// The nearest others on the same side of the body, nearest first; itself where there are fewer.
    pub(crate) ring: Ring,
}

/// Surface particles around one, and the edges that lead to them, metres at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ring {
    /// As places in the list of surface particles.
    pub(crate) places: [u32; RING],
    edges: [f32x8; 3],
    /// Of the edges' lengths.
    squared: f32x8,
    /// 0 where an edge leads nowhere.
    inverse_length: f32x8,
}

impl Ring {
    fn new(here: Vec3A, places: [u32; RING], at: impl Fn(u32) -> Vec3A) -> Ring {
        let edges = places.map(|place| at(place) - here);
        let inverse = |e: Vec3A| if e == Vec3A::ZERO { 0.0 } else { 1.0 / e.length() };
        Ring {
            places,
            edges: [0, 1, 2].map(|k| edges.map(|e| e[k]).into()),
            squared: edges.map(Vec3A::length_squared).into(),
            inverse_length: edges.map(inverse).into(),
        }
    }

    /// A mask of the edges that lead somewhere.
    #[inline(always)]
    pub(crate) fn is_there(&self) -> f32x8 {
        self.inverse_length.simd_gt(f32x8::ZERO)
    }

    /// Products of all edges with a vector.
    #[inline(always)]
    fn along(&self, v: Vec3A) -> f32x8 {
        let [x, y, z] = self.edges;
        x * f32x8::splat(v.x) + y * f32x8::splat(v.y) + z * f32x8::splat(v.z)
    }

    /// The edge that together with `a` reproduces `to`, both flat along `normal`, and the shares of the two; of several
    /// the one that goes furthest along what is `left` when `a` has done its part.
    fn beside(&self, a: Vec3A, to: Vec3A, normal: Vec3A, left: Vec3A) -> Option<(usize, f32, f32)> {
        let [aa, at, none] = [a.dot(a), a.dot(to), f32::INFINITY].map(f32x8::splat);
        let (ab, bt, depth) = (self.along(a), self.along(to), self.along(normal));
        let bb = self.squared - depth * depth;
        let area = aa * bb - ab * ab;
        let (s, t) = ((at * bb - bt * ab) / area, (bt * aa - at * ab) / area);
        let short = -self.along(left) * self.inverse_length;
        let sound = area.simd_gt(aa * bb * f32x8::splat(1e-3));
        let around = sound & s.simd_gt(f32x8::ZERO) & t.simd_gt(f32x8::ZERO);
        let within = least(around.select(short, none)).filter(|(_, short)| short.is_finite());
        let (k, _) = within.or_else(|| least(sound.select(short, none)).filter(|(_, short)| *short < 0.0))?;
        Some((k, s.to_array()[k], t.to_array()[k]))
    }

    fn edge(&self, k: usize) -> Vec3A {
        Vec3A::from_array(self.edges.map(|e| e.as_array()[k]))
    }
}

/// The least of eight numbers and its place, the first of equals; none where they are not numbers.
#[inline(always)]
fn least(of: f32x8) -> Option<(usize, f32)> {
    let lesser = |a: f32, b: f32| if a < b { a } else { b };
    let [a, b, c, d, e, f, g, h] = of.to_array();
    let least = lesser(lesser(lesser(a, b), lesser(c, d)), lesser(lesser(e, f), lesser(g, h)));
    let places = of.simd_eq(f32x8::splat(least)).to_bitmask();
    (places != 0).then(|| (places.trailing_zeros() as usize, least))
}

impl SurfaceParticle {
    /// At `rest`, where the field has a `slope` and this distance.
    fn new(particle: u32, rest: Vec3A, slope: Vec3A, height: f32, ring: Ring) -> SurfaceParticle {
        SurfaceParticle { particle, rest, slope, height, root: height.abs().sqrt().copysign(height), ring }
    }

    /// Whether it is at an edge or corner of the body.
    #[inline(always)]
    pub(crate) fn is_sharp(&self) -> bool {
        self.slope.length_squared() < SHARP * SHARP
    }
}

/// Slopes shorter than this are those of edges and corners.
const SHARP: f32 = 0.9;

/// The field of one shape. Without particles or extent it is empty, and nothing can touch it.
#[derive(Debug, Default)]
pub(crate) struct Field {
    /// At each node the distance from the surface, metres, negative inside.
    nodes: Vec<f32>,
    /// The surface particle nearest to each node, as a place in the list of them.
    nearest: Vec<u32>,
    /// Nodes along each axis.
    size: UVec3,
    low: Vec3A,
    high: Vec3A,
    inverse_cell: f32,
    /// Distance between neighbouring particles, about, metres.
    pub(crate) spacing: f32,
    /// How far from the field's surface a thin body begins, metres: a sheet has no inside.
    pub(crate) skin: f32,
    /// The particles on the surface, in spatial order.
    pub(crate) surface: Vec<SurfaceParticle>,
}

impl Field {
    /// Whether nothing can touch it.
    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The largest extent of the grid, metres.
    pub(crate) fn size(&self) -> f32 {
        (self.high - self.low).max_element()
    }

    /// The surface particle nearest to the grid's node at `rest`, as a place in `surface`.
    #[inline]
    pub(crate) fn nearest(&self, rest: Vec3A) -> usize {
        let at = (rest.clamp(self.low, self.high) - self.low) * self.inverse_cell + 0.5;
        let [x, y, z] = at.to_array().map(|c| c as u32);
        let last = self.size - 1;
        self.nearest[self.place(x.min(last.x), y.min(last.y), z.min(last.z))] as usize
    }

    #[inline(always)]
    fn place(&self, x: u32, y: u32, z: u32) -> usize {
        ((x * self.size.y + y) * self.size.z + z) as usize
    }

    /// Distance of a point from the surface, metres, negative inside; beyond the grid at least so much.
    #[inline]
    pub(crate) fn distance(&self, rest: Vec3A) -> f32 {
        let inside = rest.clamp(self.low, self.high);
        let distance = self.interpolated(inside);
        if inside == rest { distance } else { distance.max(0.0) + rest.distance(inside) }
    }

    /// The way out at a point: of length 1 on a flat surface, less at edges, where directions meet. Looked
    /// at over one spacing, so that it turns evenly however the grid lies.
    pub(crate) fn slope(&self, rest: Vec3A) -> Vec3A {
        let reach = 0.5 * self.spacing;
        let along = |axis: Vec3A| self.distance(rest + axis * reach) - self.distance(rest - axis * reach);
        let slope = Vec3A::new(along(Vec3A::X), along(Vec3A::Y), along(Vec3A::Z)) / (2.0 * reach);
        slope.clamp_length_max(1.0)
    }

    /// Trilinear between the eight nodes around.
    #[inline]
    fn interpolated(&self, rest: Vec3A) -> f32 {
        let at = (rest - self.low) * self.inverse_cell;
        let last = self.size - 2;
        let cell = [0, 1, 2].map(|k| (at[k] as u32).min(last[k]));
        let t = at - Vec3A::from_array(cell.map(|c| c as f32));
        let first = self.place(cell[0], cell[1], cell[2]);
        let (dx, dy) = ((self.size.y * self.size.z) as usize, self.size.z as usize);
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let along = |at: usize| mix(self.nodes[at], self.nodes[at + 1], t.z);
        let near = mix(along(first), along(first + dy), t.y);
        let far = mix(along(first + dx), along(first + dx + dy), t.y);
        mix(near, far, t.x)
    }

    /// Of a surface particle and those around it the one nearest to a point, as a place in `surface`.
    #[inline]
    pub(crate) fn nearer(&self, near: usize, rest: Vec3A) -> usize {
        let SurfaceParticle { rest: here, ring, .. } = &self.surface[near];
        // How much further each is than this one, squared.
        let further = ring.squared - ring.along(rest - here) * f32x8::splat(2.0);
        match least(further) {
            Some((k, least)) if least < 0.0 => ring.places[k] as usize,
            _ => near,
        }
    }

    /// The surface particles around a point, as places in `surface`, beginning with `near`, and shares that
    /// reproduce the point along the surface as far as they reach.
    pub(crate) fn carriers(&self, near: usize, rest: Vec3A, normal: Vec3A) -> ([usize; 3], [f32; 3]) {
        let SurfaceParticle { rest: here, ring, .. } = &self.surface[near];
        let flat = |v: Vec3A| v - normal * normal.dot(v);
        let to = flat(rest - here);
        // Beside an edge of the body the way leads below the edge's own normal, and away from those across.
        let way = rest - here - normal * normal.dot(rest - here).max(0.0);
        let Some((first, against)) = least(ring.along(way) * -ring.inverse_length) else {
            return ([near; 3], [1.0, 0.0, 0.0]);
        };
        if against >= 0.0 {
            return ([near; 3], [1.0, 0.0, 0.0]);
        }
        let edge = ring.edge(first);
        let (a, left) = (flat(edge), way - edge * (way.dot(edge) / edge.length_squared()));
        let (second, s, t) =
            ring.beside(a, to, normal, left).unwrap_or((first, a.dot(to) / a.length_squared(), 0.0));
        let (mut s, mut t) = (s.max(0.0), t.max(0.0));
        let most = (s + t).max(1.0);
        (s, t) = (s / most, t / most);
        let other = |k: usize| ring.places[k] as usize;
        ([near, other(first), other(second)], [1.0 - s - t, s, t])
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * 4
            + self.nearest.capacity() * 4
            + self.surface.capacity() * size_of::<SurfaceParticle>()
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::clustering::LevelsDef;
    use crate::shape::Shape;

    fn cube(n: usize, spacing: f32) -> std::sync::Arc<Shape> {
        let at = |i: usize| Vec3::new((i % n) as f32, (i / n % n) as f32, (i / n / n) as f32) * spacing;
        let points: Vec<Vec3> = (0..n * n * n).map(at).collect();
        Shape::from_points(&points, None, &LevelsDef::default()).unwrap()
    }

    #[test]
    fn the_surface_of_a_cube_passes_through_its_outer_particles() {
        for spacing in [0.002, 0.25, 40.0] {
            let shape = cube(5, spacing);
            let field = shape.field();
            let half = 2.0 * spacing;
            assert_eq!(field.surface.len(), 125 - 27);
            assert!((field.spacing / spacing - 1.0).abs() < 0.2, "{}", field.spacing);
            assert_eq!(field.skin, 0.0);
            for step in 0..20 {
                let along = Vec3A::new(0.3, 1.0, 0.2 + 0.07 * step as f32) * (half * 0.5);
                for depth in [-0.4, -0.1, 0.0, 0.2, 0.5] {
                    let point = Vec3A::new(along.x, half - depth * spacing, along.z - half * 0.4);
                    let error = (field.distance(point) + depth * spacing).abs();
                    assert!(error < 0.12 * spacing, "{error} of {spacing} at {depth}");
                    let slope = field.slope(point);
                    assert!(slope.y > 0.9 && slope.normalize().y > 0.995, "{slope}");
                }
            }
        }
    }

    #[test]
    fn the_nearest_surface_particle_is_near() {
        let shape = cube(6, 0.1);
        let field = shape.field();
        for s in &field.surface {
            let rest = Vec3A::from_vec4(shape.rest()[s.particle as usize]);
            let found = field.surface[field.nearest(rest * 1.02)].particle as usize;
            let distance = Vec3A::from_vec4(shape.rest()[found]).distance(rest);
            assert!(distance < 0.18, "{distance}");
        }
    }

    #[test]
    fn a_sheet_has_a_skin_and_a_point_has_no_surface() {
        let sheet: Vec<Vec3> = (0..100).map(|i| Vec3::new((i % 10) as f32, 0.0, (i / 10) as f32)).collect();
        let sheet = Shape::from_points(&sheet, None, &LevelsDef::default()).unwrap();
        let field = sheet.field();
        assert!(field.skin > 0.3 && field.skin <= 0.75 && field.surface.len() == 100, "{}", field.skin);
        assert!(field.slope(Vec3A::Y * 0.4).y > 0.7);
        assert!(field.slope(Vec3A::Y * -0.4).y < -0.7);
        for points in [vec![], vec![Vec3::ONE], vec![Vec3::ONE; 5]] {
            let shape = Shape::from_points(&points, None, &LevelsDef::default()).unwrap();
            assert!(shape.field().is_empty());
        }
    }
}
