//! Directions as the renderer wants them, four at a time: points of the unfolded octahedron, in two 16-bit numbers.

use glam::{Mat4, Vec3, Vec4};

/// Directions that are packed together.
const LANES: usize = 4;

/// Normals, `STRIDE` bytes from one to the next: 4, or 8 where there are tangents.
pub fn normals<const STRIDE: usize>(normals: &[Vec3], out: &mut [u8]) {
    let out = out.as_chunks_mut::<STRIDE>().0;
    for (some, out) in normals.chunks(LANES).zip(out.chunks_mut(LANES)) {
        let [x, y, z, _] = lanes(some, |n| n.extend(0.0));
        let [x, y] = unfolded(x, y, z);
        for (out, word) in out.iter_mut().zip(words(x, y)) {
            out[..4].copy_from_slice(&word.to_le_bytes());
        }
    }
}

/// Tangents, each behind the normal of its vertex. Their w tells the side of the bitangent: so does the half that the second
/// coordinate is in.
pub fn tangents(tangents: &[Vec4], out: &mut [u8]) {
    let out = out.as_chunks_mut::<8>().0;
    for (some, out) in tangents.chunks(LANES).zip(out.chunks_mut(LANES)) {
        let [x, y, z, side] = lanes(some, |t| t);
        let [x, y] = unfolded(x, y, z);
        let half = y.max(Vec4::splat(1.0 / 32767.0)) * 0.5 + 0.5;
        let y = Vec4::select(side.cmpge(Vec4::ZERO), half, 1.0 - half);
        for (out, word) in out.iter_mut().zip(words(x, y)) {
            // This one means that there is no tangent.
            let word = if word == 0xffff_0000 { 0xffff_ffff } else { word };
            out[4..].copy_from_slice(&word.to_le_bytes());
        }
    }
}

/// All first coordinates, all second ones, and so on. Those that are missing are those of the first.
#[inline(always)]
fn lanes<T: Copy>(some: &[T], vector: impl Fn(T) -> Vec4) -> [Vec4; 4] {
    let [a, b, c, d] = match *some {
        [a, b, c, d] => [a, b, c, d],
        _ => std::array::from_fn(|i| *some.get(i).unwrap_or(&some[0])),
    }
    .map(vector);
    let all = Mat4::from_cols(a, b, c, d).transpose();
    [all.x_axis, all.y_axis, all.z_axis, all.w_axis]
}

/// Unit vectors as points of the unfolded octahedron, each coordinate from 0 to 1.
#[inline(always)]
fn unfolded(x: Vec4, y: Vec4, z: Vec4) -> [Vec4; 2] {
    let size = (x.abs() + y.abs() + z.abs()).max(Vec4::splat(f32::MIN_POSITIVE));
    let (x, y, up) = (x / size, y / size, z.cmpge(Vec4::ZERO));
    // What points down is folded outwards.
    let folded = |a: Vec4, b: Vec4| Vec4::select(up, a, (1.0 - b.abs()).copysign(a)) * 0.5 + 0.5;
    [folded(x, y), folded(y, x)]
}

/// Two numbers from 0 to 1 in 16 bits each, to the nearest: 2^23 more, they end with the last bit of the mantissa.
#[inline(always)]
fn words(x: Vec4, y: Vec4) -> [u32; LANES] {
    let low = |share: Vec4| (share * 65535.0 + 8_388_608.0).to_array().map(|v| v.to_bits() & 0xffff);
    let (x, y) = (low(x), low(y));
    std::array::from_fn(|i| x[i] | y[i] << 16)
}
