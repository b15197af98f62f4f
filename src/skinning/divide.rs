//! The mesh of a piece, from that of the body it was torn from.
//!
//! Reads that mesh and which particles the piece has; writes the triangles about them. A vertex goes with the particle
//! nearest to it. Triangles that lie on both sides are clipped where the sides meet; where the mesh is closed the cut
//! edges form loops, and each loop is closed by a cap: a fan about its middle, with vertices of its own so that it
//! has a sharp rim. A plain function of its input; maps are ordered.

use std::collections::BTreeMap;

use glam::{Vec3, Vec3A, Vec4};

use super::{INFLUENCES, Skin, SkinParts, WHOLE};
use crate::collide::bounds::Bounds;
use crate::collide::boxes::Tree;
use crate::fracture::pieces::PartOf;
use crate::membership::Entry;
use crate::shape::Shape;

/// Where a vertex of a divided mesh lies in the mesh it was divided from: that of the body before it broke.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let shape = doc::ball()?;
/// # let (mut world, id) = doc::above_ground(&shape)?;
/// use glam::Vec3;
/// use wobble::Knife;
///
/// world.cut(id, &Knife::Plane { point: Vec3::Y, normal: Vec3::X })?;
/// let half = world.body(id)?.shape().skin().expect("the ball has a mesh");
/// let caps = half.sources().iter().filter(|source| source.is_cap).count();
/// assert!(caps > 0, "the cut is closed");
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinSource {
    /// Two vertices of that mesh; the same twice for a vertex that was there before.
    pub between: [u32; 2],
    /// The share of the second, 0 to 1.
    pub share: f32,
    /// Whether the vertex belongs to a cap.
    pub is_cap: bool,
}

/// A shape's particles, to be found by place, and which one is nearest to each vertex.
#[derive(Debug)]
pub(crate) struct Carriers {
    tree: Tree,
    nearest: Vec<u32>,
}

impl Carriers {
    pub(crate) fn of(skin: &Skin, rest: &[Vec4]) -> Carriers {
        let mut tree = Tree::default();
        tree.build(&rest.iter().map(|r| Bounds::at(Vec3A::from_vec4(*r))).collect::<Vec<_>>());
        let nearest = skin.rest().iter().map(|r| tree.nearest::<1>(Vec3A::from_vec4(*r))[0].1).collect();
        Carriers { tree, nearest }
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.nearest.capacity() * 4
    }

    /// How far a point is on the piece's side, smoothly, from about -1 to 1.
    fn side(&self, at: Vec3A, mine: &[bool]) -> f32 {
        let near = self.tree.nearest::<8>(at).map(|(d, i)| (d, i as usize));
        let known = near.into_iter().filter(|(d, i)| d.is_finite() && *i < mine.len());
        let furthest = known.clone().fold(0.0f32, |most, (d, _)| most.max(d)) * 1.01 + f32::MIN_POSITIVE;
        let sum = known.map(|(d, i)| (1.0 - d / furthest) * if mine[i] { 1.0 } else { -1.0 });
        sum.sum()
    }
}

/// The divided mesh on its way.
struct Divider<'a> {
    skin: &'a Skin,
    carriers: &'a Carriers,
    /// Which of the whole's particles are the piece's.
    mine: Vec<bool>,
    piece: &'a Shape,
    part: &'a PartOf,
    /// The piece's finest clusters that come from each of the whole's.
    from: BTreeMap<u32, Vec<u32>>,
    centre: Vec3,
    parts: SkinParts,
    sources: Vec<SkinSource>,
    /// New numbers of vertices that were there, and of those on cut edges.
    kept: BTreeMap<u32, u32>,
    cut: BTreeMap<(u32, u32), u32>,
    /// Edges that cutting left open, from vertex to vertex, as the triangle beside them has them.
    open: Vec<(u32, u32)>,
}

/// The mesh of a piece of the shape with this mesh; none if no triangle is about it.
pub(crate) fn divide(skin: &Skin, carriers: &Carriers, piece: &Shape, part: &PartOf) -> Option<Skin> {
    let mut mine = vec![false; part.whole.particle_count()];
    part.particles.iter().for_each(|&i| mine[i as usize] = true);
    let mut from: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    (0..).zip(&part.clusters).for_each(|(own, &c)| from.entry(c).or_default().push(own));
    let shift = part.whole.rest()[part.particles[0] as usize] - piece.rest()[0];
    let empty = SkinParts {
        rest: Vec::new(),
        normals: Vec::new(),
        tangents: Vec::new(),
        triangles: Vec::new(),
        influences: Vec::new(),
    };
    let mut divider = Divider {
        skin,
        carriers,
        mine,
        piece,
        part,
        from,
        centre: shift.truncate(),
        parts: empty,
        sources: Vec::new(),
        kept: BTreeMap::new(),
        cut: BTreeMap::new(),
        open: Vec::new(),
    };
    let is_whole = part.particles.len() == part.whole.particle_count();
    if is_whole {
        // Hosts are not told of cracks that part nothing: vertices keep their numbers.
        (0..skin.vertex_count() as u32).for_each(|vertex| {
            divider.keep(vertex);
        });
    }
    skin.triangles().iter().for_each(|corners| divider.add(*corners));
    divider.close();
    let Divider { parts, mut sources, .. } = divider;
    if is_whole && !skin.sources.is_empty() {
        sources.clone_from(&skin.sources);
    }
    (!parts.triangles.is_empty()).then(|| Skin { sources, ..Skin::assembled(parts) })
}

impl Divider<'_> {
    fn is_mine(&self, vertex: u32) -> bool {
        self.mine[self.carriers.nearest[vertex as usize] as usize]
    }

    /// The part of a triangle that is the piece's.
    fn add(&mut self, corners: [u32; 3]) {
        let inside = corners.map(|v| self.is_mine(v));
        match inside.iter().filter(|inside| **inside).count() {
            0 => return,
            3 => {
                let triangle = corners.map(|v| self.keep(v));
                return self.parts.triangles.push(triangle);
            }
            _ => (),
        }
        // Corners and cuts in the order of the triangle.
        let mut outline: Vec<(u32, bool)> = Vec::with_capacity(4);
        for k in 0..3 {
            let (here, next) = (corners[k], corners[(k + 1) % 3]);
            if inside[k] {
                outline.push((self.keep(here), false));
            }
            if inside[k] != inside[(k + 1) % 3] {
                outline.push((self.cut_edge(here, next), true));
            }
        }
        for k in 1..outline.len() - 1 {
            self.parts.triangles.push([outline[0].0, outline[k].0, outline[k + 1].0]);
        }
        for k in 0..outline.len() {
            let (a, b) = (outline[k], outline[(k + 1) % outline.len()]);
            if a.1 && b.1 {
                self.open.push((a.0, b.0));
            }
        }
    }

    fn keep(&mut self, vertex: u32) -> u32 {
        if let Some(&known) = self.kept.get(&vertex) {
            return known;
        }
        let at = self.skin.rest[vertex as usize].truncate() - self.centre;
        let normal = self.skin.normals[vertex as usize].truncate();
        let tangent = self.skin.tangents.get(vertex as usize).copied();
        let source = SkinSource { between: [vertex; 2], share: 0.0, is_cap: false };
        let new = self.push(at, normal, tangent, self.influences(vertex), source);
        self.kept.insert(vertex, new);
        new
    }

    /// The vertex where an edge leaves the piece. It is found from the same end for both sides, and for
    /// vertices that were split there.
    fn cut_edge(&mut self, a: u32, b: u32) -> u32 {
        let place = |v: u32| self.skin.rest[v as usize].truncate();
        let turned = place(b).to_array().partial_cmp(&place(a).to_array()) == Some(std::cmp::Ordering::Less);
        let (a, b) = if turned { (b, a) } else { (a, b) };
        if let Some(&known) = self.cut.get(&(a, b)) {
            return known;
        }
        let (from, to) = (Vec3A::from(place(a)), Vec3A::from(place(b)));
        let begins_mine = self.is_mine(a);
        let ahead = |t: f32| (self.carriers.side(from + (to - from) * t, &self.mine) >= 0.0) == begins_mine;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..10 {
            let t = 0.5 * (low + high);
            if ahead(t) { low = t } else { high = t }
        }
        let t = 0.5 * (low + high);
        let mix = |x: Vec4, y: Vec4| x + (y - x) * t;
        let normal = mix(self.skin.normals[a as usize], self.skin.normals[b as usize]).truncate();
        let own = if begins_mine { a } else { b };
        let tangent = (!self.skin.tangents.is_empty()).then(|| {
            let (x, y) = (self.skin.tangents[a as usize], self.skin.tangents[b as usize]);
            mix(x, y).truncate().normalize_or(Vec3::X).extend(x.w)
        });
        let at = Vec3::from(from + (to - from) * t) - self.centre;
        let source = SkinSource { between: [a, b], share: t, is_cap: false };
        let new = self.push(at, normal.normalize_or(Vec3::Y), tangent, self.influences(own), source);
        self.cut.insert((a, b), new);
        new
    }

    fn push(
        &mut self,
        at: Vec3,
        normal: Vec3,
        tangent: Option<Vec4>,
        influences: [(u32, u16); INFLUENCES],
        source: SkinSource,
    ) -> u32 {
        self.parts.rest.push(at);
        self.parts.normals.push(normal);
        self.parts.tangents.extend(tangent);
        self.parts.influences.push(influences);
        self.sources.push(source);
        self.parts.rest.len() as u32 - 1
    }

    /// The piece's clusters that carry a vertex of the whole: those that come from the ones that did. Of several
    /// that come from one, that which holds the nearest particle.
    fn influences(&self, vertex: u32) -> [(u32, u16); INFLUENCES] {
        let nearest = self.part.particles.binary_search(&self.carriers.nearest[vertex as usize]);
        let row = nearest.map_or(&[][..], |k| self.piece.levels()[0].held_by().row(k));
        let mut found: Vec<(u32, u32)> = Vec::with_capacity(INFLUENCES);
        for (c, share) in self.skin.influences(vertex as usize) {
            let Some(own) = self.from.get(&c).filter(|_| share > 0) else { continue };
            let holds = |own: &&u32| row.iter().any(|e| e.index == **own);
            found.push((*own.iter().find(holds).unwrap_or(&own[0]), share.into()));
        }
        if found.is_empty() {
            found = heaviest(row);
        }
        shares(found)
    }

    /// Caps the loops that cutting left open.
    fn close(&mut self) {
        let key = |p: Vec3| p.to_array().map(f32::to_bits);
        let mut next: BTreeMap<[u32; 3], Vec<(u32, u32)>> = BTreeMap::new();
        for &(a, b) in self.open.iter().rev() {
            // A cap lies on the other side of the edge.
            next.entry(key(self.parts.rest[b as usize])).or_default().push((b, a));
        }
        while let Some((&start, _)) = next.iter().find(|(_, edges)| !edges.is_empty()) {
            let (mut rim, mut here) = (Vec::new(), start);
            while let Some((from, to)) = next.get_mut(&here).and_then(Vec::pop) {
                rim.push(from);
                here = key(self.parts.rest[to as usize]);
                if here == start {
                    break;
                }
            }
            if here == start && rim.len() >= 3 {
                self.cap(&rim);
            }
        }
    }

    fn cap(&mut self, rim: &[u32]) {
        let at: Vec<Vec3> = rim.iter().map(|&v| self.parts.rest[v as usize]).collect();
        let middle = at.iter().sum::<Vec3>() / at.len() as f32;
        let spans = at.iter().zip(at.iter().cycle().skip(1));
        let area: Vec3 = spans.map(|(a, b)| (*a - middle).cross(*b - middle)).sum();
        let normal = area.normalize_or(Vec3::Y);
        let across = normal.any_orthonormal_vector().extend(1.0);
        let tangent = (!self.skin.tangents.is_empty()).then_some(across);
        let first = self.parts.rest.len() as u32;
        for (&v, &at) in rim.iter().zip(&at) {
            let source = SkinSource { is_cap: true, ..self.sources[v as usize] };
            let influences = self.parts.influences[v as usize];
            self.push(at, normal, tangent, influences, source);
        }
        let nearest = self.nearest_own(middle);
        let source = SkinSource { is_cap: true, ..self.sources[rim[0] as usize] };
        let row = self.piece.levels()[0].held_by().row(nearest);
        let centre = self.push(middle, normal, tangent, shares(heaviest(row)), source);
        let count = rim.len() as u32;
        let fan = (0..count).map(|k| [first + k, first + (k + 1) % count, centre]);
        self.parts.triangles.extend(fan);
    }

    /// The piece's particle nearest to a point.
    fn nearest_own(&self, at: Vec3) -> usize {
        let near = |r: &Vec4| r.truncate().distance_squared(at);
        let rest = self.piece.rest();
        (0..rest.len()).min_by(|&a, &b| near(&rest[a]).total_cmp(&near(&rest[b]))).unwrap_or(0)
    }
}

/// The clusters that hold a particle most, with shares of [`WHOLE`].
fn heaviest(row: &[Entry]) -> Vec<(u32, u32)> {
    let mut row: Vec<Entry> = row.to_vec();
    row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.index.cmp(&b.index)));
    row.truncate(INFLUENCES);
    row.iter().map(|e| (e.index, (e.weight * WHOLE as f32) as u32)).collect()
}

/// Shares that sum up to [`WHOLE`], largest first; each cluster once.
fn shares(mut found: Vec<(u32, u32)>) -> [(u32, u16); INFLUENCES] {
    found.sort_unstable();
    found.dedup_by(|b, a| {
        a.0 == b.0 && {
            a.1 += b.1;
            true
        }
    });
    found.sort_by_key(|&(cluster, share)| (std::cmp::Reverse(share), cluster));
    let sum = found.iter().map(|(_, share)| u64::from(*share)).sum::<u64>().max(1);
    let first = found.first().map_or(0, |(cluster, _)| *cluster);
    let mut out = [(first, 0); INFLUENCES];
    let mut left = WHOLE;
    for (out, (cluster, share)) in out.iter_mut().zip(&found).skip(1) {
        *out = (*cluster, (u64::from(*share) * u64::from(WHOLE) / sum) as u16);
        left -= u32::from(out.1);
    }
    out[0].1 = left as u16;
    out
}
