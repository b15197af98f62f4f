//! Vertices at rest to vertices in the caller's buffer, eight at a time.
//!
//! Reads a [`Skin`] and its clusters' bones; writes any of positions, normals, tangents and the
//! positions before the last step, and finds the bounds. Bones are blended linearly. A normal goes
//! by the cofactor matrix of the blended 3x3, which is right for any stretch and, unlike the inverse,
//! also where it is flat. Inverse lengths come from a square root and a division, never from an estimate:
//! the bits are the same on every x86-64 processor.

use std::sync::atomic::{AtomicU32, Ordering};

use glam::{Affine3A, DMat3, DVec3, Vec3, Vec4};

use super::Skin;
use super::influences::{Carried, PAIRS};
use super::octahedral::{self, Words};
use super::pose::{Bone, Posed};
use crate::bulk::Target;
use crate::lanes::{self, Job, Pair};
use crate::parallel::Spread;

/// Groups of eight vertices that a thread deforms at a time.
const BLOCK: usize = 64;

/// The first vertices of the pairs of a group.
type Pairs = [u32; PAIRS];

/// One coordinate of eight vertices after the other.
type Eight<P> = [P; 4];

/// The rows of the transforms of eight vertices, entry by entry.
type Maps<P> = [Eight<P>; 3];

/// Where attributes go, each with room for every vertex.
#[derive(Default)]
pub(crate) struct Targets {
    /// Three floats.
    pub(crate) positions: Option<Target>,
    /// Three floats.
    pub(crate) normals: Option<Target>,
    /// Four floats.
    pub(crate) tangents: Option<Target>,
    /// The normal as a word, and the tangent as another behind it if there is room and the mesh has tangents.
    pub(crate) octahedral: Option<Target>,
    /// Three floats.
    pub(crate) previous: Option<Target>,
    /// Whether to find the bounds of the positions.
    pub(crate) bounds: bool,
    /// From world space to that of the targets.
    pub(crate) frame: Option<Affine3A>,
}

/// Deforms all vertices; returns the bounds if asked to.
///
/// # Safety
/// The targets have room for all vertices of the skin, whose influences are bones.
pub(crate) unsafe fn deform(skin: &Skin, posed: &Posed, targets: &Targets, spread: Spread) -> [Vec3; 2] {
    let (groups, bounds) = (skin.influences.groups(), Bounds::default());
    debug_assert!(skin.influences.are_within(posed.bones.len()));
    spread.for_each(groups.div_ceil(BLOCK), |block| {
        let from = block * BLOCK;
        let job = Block { skin, posed, targets, from, to: groups.min(from + BLOCK) };
        // SAFETY: promised by the caller; blocks write to vertices of their own.
        let found = lanes::run(job);
        if targets.bounds {
            bounds.add(found);
        }
    });
    bounds.read()
}

/// A run of groups.
struct Block<'a> {
    skin: &'a Skin,
    posed: &'a Posed<'a>,
    targets: &'a Targets,
    from: usize,
    to: usize,
}

impl Job for Block<'_> {
    /// Least and greatest coordinates.
    type Out = [Vec4; 2];

    #[inline(always)]
    fn with<P: Pair>(self) -> [Vec4; 2] {
        let (skin, targets) = (self.skin, self.targets);
        let (mut low, mut high) = ([P::all(Vec4::INFINITY); 3], [P::all(Vec4::NEG_INFINITY); 3]);
        for index in self.from..self.to {
            let group = skin.influences.group(index);
            let pairs = group.vertices;
            let rest = eight::<P>(&skin.rest, &pairs);
            // SAFETY: promised to `deform`, here and below.
            let maps = unsafe { blended::<P>(self.posed.bones, &group) };
            let at = self.carried(&maps, rest);
            for k in 0..3 {
                (low[k], high[k]) = (low[k].least(at[k]), high[k].greatest(at[k]));
            }
            if let Some(target) = &targets.positions {
                unsafe { self.put::<P, 3>(target, &pairs, at) };
            }
            if let Some(target) = &targets.normals {
                unsafe { self.put::<P, 3>(target, &pairs, units(self.normals(&maps, &pairs))) };
            }
            if let Some(target) = &targets.tangents {
                unsafe { self.put::<P, 4>(target, &pairs, units(self.tangents(&maps, &pairs))) };
            }
            if let Some(target) = &targets.octahedral {
                let words = octahedral::of_normals(self.normals(&maps, &pairs));
                unsafe { self.put_words(target, 0, &pairs, words) };
                if target.stride >= 8 && !skin.tangents.is_empty() {
                    let words = octahedral::of_tangents(self.tangents(&maps, &pairs));
                    unsafe { self.put_words(target, 1, &pairs, words) };
                }
            }
            if let (Some(target), Some(before)) = (&targets.previous, self.posed.before) {
                let maps = unsafe { blended::<P>(before, &group) };
                unsafe { self.put::<P, 3>(target, &pairs, self.carried(&maps, rest)) };
            }
        }
        let (mut least, mut greatest) = (Vec4::ZERO, Vec4::ZERO);
        for k in 0..3 {
            let ([a, b], [c, d]) = (low[k].parts(), high[k].parts());
            (least[k], greatest[k]) = (a.min(b).min_element(), c.max(d).max_element());
        }
        [least, greatest]
    }
}

impl Block<'_> {
    /// Positions through their transforms.
    #[inline(always)]
    fn carried<P: Pair>(&self, maps: &Maps<P>, [x, y, z, w]: Eight<P>) -> Eight<P> {
        let origin = P::all(self.posed.origin);
        let row = |[a, b, c, d]: Eight<P>, origin: P| ((a * x + b * y) + (c * z + d)) + origin;
        [row(maps[0], origin.xxxx()), row(maps[1], origin.yyyy()), row(maps[2], origin.zzzz()), w]
    }

    /// Writes the vertices of some pairs.
    ///
    /// # Safety
    /// There is room for them.
    #[inline(always)]
    unsafe fn put<P: Pair, const N: usize>(&self, target: &Target, pairs: &Pairs, vectors: Eight<P>) {
        let vectors = P::transposed(vectors);
        for (&vertex, both) in pairs.iter().zip(&vectors) {
            let i = vertex as usize;
            // SAFETY: promised by the caller. At the end of an odd mesh only the first of a pair is there.
            unsafe { target.put::<N>(i, 2.min(self.skin.count - i), both.parts()) }
        }
    }

    /// Writes word number `k` of the vertices of some pairs.
    ///
    /// # Safety
    /// There is room for it.
    #[inline(always)]
    unsafe fn put_words(&self, target: &Target, k: usize, pairs: &Pairs, words: Words) {
        for (j, &vertex) in pairs.iter().enumerate() {
            let i = vertex as usize;
            // SAFETY: promised by the caller. At the end of an odd mesh only the first of a pair is there.
            unsafe {
                let at = target.start.byte_add(i * target.stride).cast::<u32>().add(k);
                at.write(words[j]);
                if i + 1 < self.skin.count {
                    at.byte_add(target.stride).write(words[PAIRS + j]);
                }
            }
        }
    }

    /// Normals, of any length but none that vanish: by the cofactors.
    #[inline(always)]
    fn normals<P: Pair>(&self, maps: &Maps<P>, pairs: &Pairs) -> Eight<P> {
        let [nx, ny, nz, w] = eight::<P>(&self.skin.normals, pairs);
        let ([x, y, z], n) = (*maps, [nx, ny, nz]);
        let found = [triple(y, z, n), triple(z, x, n), triple(x, y, n), w];
        self.sound(maps, pairs, found, normal_at_leisure)
    }

    /// Tangents, of any length but none that vanish: by the matrix itself; w is kept.
    #[inline(always)]
    fn tangents<P: Pair>(&self, maps: &Maps<P>, pairs: &Pairs) -> Eight<P> {
        let [x, y, z, w] = eight::<P>(&self.skin.tangents, pairs);
        let row = |[a, b, c, _]: Eight<P>| (a * x + b * y) + c * z;
        let found = [row(maps[0]), row(maps[1]), row(maps[2]), w];
        self.sound(maps, pairs, found, tangent_at_leisure)
    }

    /// Directions as they are, but for those whose length single precision cannot tell, which `mend` finds.
    #[inline(always)]
    fn sound<P: Pair>(
        &self,
        maps: &Maps<P>,
        pairs: &Pairs,
        vectors: Eight<P>,
        mend: fn(&Skin, usize, [Vec4; 3]) -> Vec4,
    ) -> Eight<P> {
        let squared = squared(vectors);
        let (least, most) = (P::all(Vec4::splat(SHORTEST)), P::all(Vec4::splat(LONGEST)));
        if !least.any_above(squared) && !squared.any_above(most) {
            return vectors;
        }
        let rows = [P::transposed(maps[0]), P::transposed(maps[1]), P::transposed(maps[2])];
        let mut mended = P::transposed(vectors);
        for (k, found) in mended.iter_mut().enumerate() {
            let (rows, mut both) =
                ([rows[0][k].parts(), rows[1][k].parts(), rows[2][k].parts()], found.parts());
            for (side, one) in both.iter_mut().enumerate() {
                if !(SHORTEST..=LONGEST).contains(&one.truncate().length_squared()) {
                    let of_one = [rows[0][side], rows[1][side], rows[2][side]];
                    *one = mend(self.skin, pairs[k] as usize + side, of_one);
                }
            }
            *found = P::of(both[0], both[1]);
        }
        P::transposed(mended)
    }
}

/// The transforms of eight vertices.
///
/// # Safety
/// Every carrier is one of `bones`; checking each costs as much as the arithmetic.
#[inline(always)]
unsafe fn blended<P: Pair>(bones: &[Bone], group: &Carried) -> Maps<P> {
    let mut maps = [[P::all(Vec4::ZERO); 4]; 3];
    for (bone, weights) in group.bones.iter().zip(group.weights) {
        // SAFETY: promised by the caller; a bone is named by its first float.
        let bone = unsafe { &*bones.as_ptr().cast::<f32>().add(*bone as usize).cast::<Bone>() };
        let weights = P::load(weights);
        for (map, row) in maps.iter_mut().zip(&bone.rows) {
            for (k, entry) in map.iter_mut().enumerate() {
                *entry = *entry + P::all(Vec4::splat(row[k])) * weights;
            }
        }
    }
    maps
}

/// What is kept of the vertices of some pairs.
#[inline(always)]
fn eight<P: Pair>(list: &[Vec4], pairs: &Pairs) -> Eight<P> {
    let load = |k: usize| P::load(two(list, pairs[k] as usize));
    P::transposed([load(0), load(1), load(2), load(3)])
}

impl Target {
    /// Writes the first `count` of two vertices from number `i` on.
    ///
    /// # Safety
    /// There is room for them.
    #[inline(always)]
    unsafe fn put<const N: usize>(&self, i: usize, count: usize, vectors: [Vec4; 2]) {
        let vectors = vectors.map(|v| std::array::from_fn::<f32, N, _>(|k| v[k]));
        // SAFETY: promised by the caller.
        unsafe {
            let at = self.start.byte_add(i * self.stride);
            at.cast::<[f32; N]>().write(vectors[0]);
            if count == 2 {
                at.byte_add(self.stride).cast::<[f32; N]>().write(vectors[1]);
            }
        }
    }
}

#[inline(always)]
fn two(list: &[Vec4], i: usize) -> &[Vec4; 2] {
    list[i..].first_chunk().expect("lists of vertices are even")
}

/// (a × b) · n.
#[inline(always)]
fn triple<P: Pair>([ax, ay, az, _]: Eight<P>, [bx, by, bz, _]: Eight<P>, n: [P; 3]) -> P {
    ((ay * bz - az * by) * n[0] + (az * bx - ax * bz) * n[1]) + (ax * by - ay * bx) * n[2]
}

/// Squares of lengths between which plain single precision does: beyond, and where a surface is
/// squashed to a line, directions are found at leisure.
const SHORTEST: f32 = 1e-24;
const LONGEST: f32 = 1e24;

#[inline(always)]
fn squared<P: Pair>([x, y, z, _]: Eight<P>) -> P {
    (x * x + y * y) + z * z
}

/// Directions at unit length, w as it was.
#[inline(always)]
fn units<P: Pair>(vectors: Eight<P>) -> Eight<P> {
    let inverse = P::all(Vec4::ONE) / squared(vectors).sqrt();
    let [x, y, z, w] = vectors;
    [x * inverse, y * inverse, z * inverse, w]
}

/// A normal where single precision may not do: in double precision, and as at rest where the surface
/// has none because it is squashed to a line or a point.
#[cold]
fn normal_at_leisure(skin: &Skin, vertex: usize, rows: [Vec4; 3]) -> Vec4 {
    let [x, y, z] = rows.map(|row| row.truncate().as_dvec3());
    let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y)).transpose();
    let rest = skin.normals[vertex];
    let normal: DVec3 = cofactors * rest.truncate().as_dvec3();
    normal.try_normalize().map_or(rest, |n| n.as_vec3().extend(0.0))
}

/// A tangent that is squashed to nothing stays as at rest.
#[cold]
fn tangent_at_leisure(skin: &Skin, vertex: usize, _: [Vec4; 3]) -> Vec4 {
    skin.tangents[vertex]
}

/// Bounds that many threads widen. Least and greatest do not depend on who comes first.
struct Bounds([AtomicU32; 6]);

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds(std::array::from_fn(|_| AtomicU32::new(0)))
    }
}

impl Bounds {
    fn add(&self, [low, high]: [Vec4; 2]) {
        for (k, value) in
            high.truncate().to_array().into_iter().chain((-low).truncate().to_array()).enumerate()
        {
            self.0[k].fetch_max(rank(value), Ordering::Relaxed);
        }
    }

    /// Least and greatest; zero where nothing was added.
    fn read(&self) -> [Vec3; 2] {
        let of = |k: usize| match self.0[k].load(Ordering::Relaxed) {
            0 => 0.0,
            rank => value(rank),
        };
        [-Vec3::new(of(3), of(4), of(5)), Vec3::new(of(0), of(1), of(2))]
    }
}

/// Numbers that sort as the floats do; above 0 for all of them.
fn rank(value: f32) -> u32 {
    let bits = value.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

fn value(rank: u32) -> f32 {
    f32::from_bits(if rank >> 31 == 1 { rank & !(1 << 31) } else { !rank })
}
