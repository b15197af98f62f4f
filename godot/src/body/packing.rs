//! Directions as the renderer wants them, eight at a time: points of the unfolded octahedron, in two 16-bit numbers.
//!
//! Plain loops over eight numbers, compiled twice: where the processor has AVX2 they are single instructions. The bits are the same.

use glam::{Vec3, Vec4};

/// Directions that are packed together.
const LANES: usize = 8;
/// The same coordinate of all of them.
type Lanes = [f32; LANES];
/// What the renderer gets, a word for each.
type Words = [u32; LANES];

/// Normals, `STRIDE` bytes from one to the next: 4, or 8 where there is room for tangents.
pub fn normals<const STRIDE: usize>(normals: &[Vec3], out: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { avx2::normals::<STRIDE>(normals, out) };
    }
    pack_normals::<STRIDE>(normals, out);
}

/// The normal of each vertex and behind it its tangent. The w of a tangent tells the side of the bitangent: so does the half that
/// the second coordinate is in.
pub fn normals_and_tangents(normals: &[Vec3], tangents: &[Vec4], out: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { avx2::normals_and_tangents(normals, tangents, out) };
    }
    pack_both(normals, tangents, out);
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::*;

    #[target_feature(enable = "avx2")]
    pub(super) fn normals<const STRIDE: usize>(normals: &[Vec3], out: &mut [u8]) {
        pack_normals::<STRIDE>(normals, out);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn normals_and_tangents(normals: &[Vec3], tangents: &[Vec4], out: &mut [u8]) {
        pack_both(normals, tangents, out);
    }
}

#[inline(always)]
fn pack_normals<const STRIDE: usize>(normals: &[Vec3], out: &mut [u8]) {
    let (whole, rest) = normals.as_chunks::<LANES>();
    let (out, last) = out.split_at_mut(STRIDE * LANES * whole.len());
    for (some, out) in whole.iter().zip(out.chunks_exact_mut(STRIDE * LANES)) {
        put::<STRIDE>(&of_normals(some), out);
    }
    put::<STRIDE>(&of_normals(&filled(rest)), last);
}

/// As many words as there is room for.
#[inline(always)]
fn put<const STRIDE: usize>(words: &Words, out: &mut [u8]) {
    for (out, word) in out.chunks_exact_mut(STRIDE).zip(words) {
        out[..4].copy_from_slice(&word.to_le_bytes());
    }
}

#[inline(always)]
fn pack_both(normals: &[Vec3], tangents: &[Vec4], out: &mut [u8]) {
    let ((whole, rest), (whole_tangents, rest_tangents)) = (normals.as_chunks(), tangents.as_chunks());
    let (out, last) = out.split_at_mut(8 * LANES * whole.len());
    for ((some, tangents), out) in whole.iter().zip(whole_tangents).zip(out.as_chunks_mut().0) {
        *out = side_by_side(of_normals(some), of_tangents(tangents));
    }
    if !rest.is_empty() {
        let both = side_by_side(of_normals(&filled(rest)), of_tangents(&filled(rest_tangents)));
        last[..8 * rest.len()].copy_from_slice(&both[..8 * rest.len()]);
    }
}

/// As the renderer has them in memory, whatever the processor.
#[inline(always)]
fn side_by_side(normals: Words, tangents: Words) -> [u8; 8 * LANES] {
    let mut both = [0; 2 * LANES];
    for i in 0..LANES {
        (both[2 * i], both[2 * i + 1]) = (normals[i], tangents[i]);
    }
    let mut bytes = [0; 8 * LANES];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(&both) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

/// As many as go together. Those that are missing are zero.
#[inline(always)]
fn filled<T: Copy + Default>(some: &[T]) -> [T; LANES] {
    let mut all = [T::default(); LANES];
    all[..some.len()].copy_from_slice(some);
    all
}

#[inline(always)]
fn of_normals(some: &[Vec3; LANES]) -> Words {
    let [x, y] = unfolded(each(|i| some[i].x), each(|i| some[i].y), each(|i| some[i].z));
    words(x, y)
}

#[inline(always)]
fn of_tangents(some: &[Vec4; LANES]) -> Words {
    let [x, y] = unfolded(each(|i| some[i].x), each(|i| some[i].y), each(|i| some[i].z));
    let half = each(|i| share(if y[i] > 1.0 / 32767.0 { y[i] } else { 1.0 / 32767.0 }));
    let words = words(x, each(|i| if some[i].w >= 0.0 { half[i] } else { 1.0 - half[i] }));
    // This one means that there is no tangent.
    each(|i| if words[i] == 0xffff_0000 { 0xffff_ffff } else { words[i] })
}

/// One for each lane. Not by `from_fn`, which would not be compiled for wide registers.
#[inline(always)]
fn each<T: Copy + Default>(value: impl Fn(usize) -> T) -> [T; LANES] {
    let mut all = [T::default(); LANES];
    for (i, one) in all.iter_mut().enumerate() {
        *one = value(i);
    }
    all
}

/// Unit vectors as points of the unfolded octahedron, each coordinate from 0 to 1.
#[inline(always)]
fn unfolded(x: Lanes, y: Lanes, z: Lanes) -> [Lanes; 2] {
    let size = each(|i| x[i].abs() + y[i].abs() + z[i].abs());
    let size = each(|i| if size[i] > f32::MIN_POSITIVE { size[i] } else { f32::MIN_POSITIVE });
    let (x, y) = (each(|i| x[i] / size[i]), each(|i| y[i] / size[i]));
    // What points down is folded outwards.
    let folded = |a: f32, b: f32, z: f32| if z >= 0.0 { a } else { (1.0 - b.abs()).copysign(a) };
    [each(|i| share(folded(x[i], y[i], z[i]))), each(|i| share(folded(y[i], x[i], z[i])))]
}

/// From -1 to 1 as from 0 to 1.
#[inline(always)]
fn share(coordinate: f32) -> f32 {
    coordinate * 0.5 + 0.5
}

/// Two numbers from 0 to 1 in 16 bits each, to the nearest: 2^23 more, they end with the last bit of the mantissa.
#[inline(always)]
fn words(x: Lanes, y: Lanes) -> Words {
    let low = |share: f32| (share * 65535.0 + 8_388_608.0).to_bits() & 0xffff;
    each(|i| low(x[i]) | low(y[i]) << 16)
}
