//! Vertices at rest to vertices in the caller's buffer, two at a time.
//!
//! Reads a [`Skin`] and its clusters' bones; writes any of positions, normals, tangents and the
//! positions before the last step, and finds the bounds. Bones are blended linearly. A normal goes
//! by the cofactor matrix of the blended 3x3, which is right for any stretch and, unlike the inverse,
//! also where it is flat. Lengths are divided by, never multiplied by an estimate of their inverse:
//! the bits are the same on every processor.

use std::sync::atomic::{AtomicU32, Ordering};

use glam::{Affine3A, DMat3, DVec3, Vec3, Vec4};

use super::pose::{Bone, Posed};
use super::{PairOfVertices, Skin};
use crate::bulk::Target;
use crate::lanes::{self, Job, Pair};
use crate::parallel::Spread;

/// Pairs of vertices that a thread deforms at a time.
const BLOCK: usize = 256;

/// Where attributes go, each with room for every vertex.
#[derive(Default)]
pub(crate) struct Targets {
    /// Three floats.
    pub(crate) positions: Option<Target>,
    /// Three floats.
    pub(crate) normals: Option<Target>,
    /// Four floats.
    pub(crate) tangents: Option<Target>,
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
    let (pairs, bounds) = (skin.influences.len(), Bounds::default());
    debug_assert!(skin.influences.iter().flatten().flatten().all(|e| (e.index as usize) < posed.bones.len()));
    spread.for_each(pairs.div_ceil(BLOCK), |block| {
        let from = block * BLOCK;
        let job = Block { skin, posed, targets, from, to: pairs.min(from + BLOCK) };
        // SAFETY: promised by the caller; blocks write to vertices of their own.
        let found = lanes::run(job);
        if targets.bounds {
            bounds.add(found);
        }
    });
    bounds.read()
}

/// A run of pairs.
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
        let mut bounds = [Vec4::INFINITY, Vec4::NEG_INFINITY];
        let origin = P::all(self.posed.origin);
        for pair in self.from..self.to {
            let (both, i) = (&skin.influences[pair], 2 * pair);
            let count = 2.min(skin.count - i);
            let rest = P::load(two(&skin.rest, i));
            // SAFETY: promised to `deform`, here and below.
            let rows = unsafe { blend::<P>(self.posed.bones, both) };
            let at = (carry(&rows, rest) + origin).parts();
            if targets.bounds {
                bounds = [bounds[0].min(at[0]).min(at[1]), bounds[1].max(at[0]).max(at[1])];
            }
            if let Some(target) = &targets.positions {
                unsafe { target.put::<3>(i, count, at) };
            }
            if let Some(target) = &targets.normals {
                let normals = turn_normals(&rows, two(&skin.normals, i));
                unsafe { target.put::<3>(i, count, normals) };
            }
            if let Some(target) = &targets.tangents {
                let tangents = turn_tangents(&rows, two(&skin.tangents, i));
                unsafe { target.put::<4>(i, count, tangents) };
            }
            if let (Some(target), Some(before)) = (&targets.previous, self.posed.before) {
                let rows = unsafe { blend::<P>(before, both) };
                let at = (carry(&rows, rest) + origin).parts();
                unsafe { target.put::<3>(i, count, at) };
            }
        }
        bounds
    }
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

/// The rows of the transforms of two vertices.
///
/// # Safety
/// Every influence is an index into `bones`; checking each gather costs more than the arithmetic.
#[inline(always)]
unsafe fn blend<P: Pair>(bones: &[Bone], both: &PairOfVertices) -> [P; 3] {
    let mut rows = [P::all(Vec4::ZERO); 3];
    for entries in both {
        // SAFETY: promised by the caller.
        let [a, b] = entries.map(|e| unsafe { bones.get_unchecked(e.index as usize) });
        let weight = P::weights(entries);
        for (row, (a, b)) in rows.iter_mut().zip(a.rows.into_iter().zip(b.rows)) {
            *row = *row + P::of(a, b) * weight;
        }
    }
    rows
}

/// Each vector through its transform.
#[inline(always)]
fn carry<P: Pair>(rows: &[P; 3], vectors: P) -> P {
    P::lane_sums(rows[0] * vectors, rows[1] * vectors, rows[2] * vectors)
}

/// Squares of lengths between which plain single precision does: beyond, and where a surface is
/// squashed to a line, [`normal_at_leisure`] decides.
const SHORTEST: f32 = 1e-24;
const LONGEST: f32 = 1e24;

#[inline(always)]
fn turn_normals<P: Pair>(rows: &[P; 3], rest: &[Vec4; 2]) -> [Vec4; 2] {
    let [x, y, z] = *rows;
    // Cross products of rows but for the last turn of their components, which the normal takes back.
    let crossed = |a: P, b: P| a * b.yzxw() - a.yzxw() * b;
    let turned = P::load(rest).yzxw().yzxw();
    let normals = carry(&[crossed(y, z), crossed(z, x), crossed(x, y)], turned);
    let (units, sound) = unit(normals);
    let mut out = units.parts();
    if !sound {
        let rows = rows.map(P::parts);
        for i in 0..2 {
            out[i] = normal_at_leisure(rows.map(|row| row[i]), rest[i], out[i]);
        }
    }
    out
}

/// Tangents by the matrix itself; w is kept. One that is squashed to nothing stays as at rest.
#[inline(always)]
fn turn_tangents<P: Pair>(rows: &[P; 3], rest: &[Vec4; 2]) -> [Vec4; 2] {
    let flat = P::of(rest[0].with_w(0.0), rest[1].with_w(0.0));
    let (units, sound) = unit(carry(rows, flat));
    let mut out = units.parts();
    for i in 0..2 {
        let known = sound || is_unit(out[i]);
        out[i] = if known { out[i].with_w(rest[i].w) } else { rest[i] };
    }
    out
}

/// Two vectors at unit length, and whether both are.
#[inline(always)]
fn unit<P: Pair>(vectors: P) -> (P, bool) {
    let squares = vectors * vectors;
    let length_squared = P::lane_sums(squares, squares, squares) + P::all(Vec4::W);
    let sound = !P::all(Vec4::splat(SHORTEST)).any_above(length_squared)
        && !length_squared.any_above(P::all(Vec4::splat(LONGEST)));
    (vectors / length_squared.sqrt(), sound)
}

fn is_unit(v: Vec4) -> bool {
    (v.truncate().length_squared() - 1.0).abs() < 1e-3
}

/// A normal where single precision may not do: in double precision, and as at rest where the surface
/// has none because it is squashed to a line or a point.
#[cold]
fn normal_at_leisure(rows: [Vec4; 3], rest: Vec4, found: Vec4) -> Vec4 {
    if is_unit(found) {
        return found;
    }
    let [x, y, z] = rows.map(|row| row.truncate().as_dvec3());
    let cofactors = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y)).transpose();
    let normal: DVec3 = cofactors * rest.truncate().as_dvec3();
    normal.try_normalize().map_or(rest, |n| n.as_vec3().extend(0.0))
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
