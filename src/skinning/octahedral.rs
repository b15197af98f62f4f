//! Directions as points of the unfolded octahedron, two 16-bit numbers in a word: as Godot's renderer takes them.
//!
//! Reads eight directions of any length, coordinate by coordinate.

use glam::Vec4;

use crate::lanes::Pair;

/// A word for each lane.
pub(super) type Words = [u32; 8];

/// Normals.
#[inline(always)]
pub(super) fn of_normals<P: Pair>([x, y, z, _]: [P; 4]) -> Words {
    let [x, y] = unfolded(x, y, z);
    words(share(x), share(y))
}

/// Tangents, whose w tells the side of the bitangent: so does the half that the second coordinate is in.
#[inline(always)]
pub(super) fn of_tangents<P: Pair>([x, y, z, w]: [P; 4]) -> Words {
    let [x, y] = unfolded(x, y, z);
    let half = share(share(y).greatest(every(1.0 / 32767.0)));
    let mut words = words(share(x), w.where_minus(every::<P>(1.0) - half, half));
    for word in &mut words {
        // This one means that there is no tangent.
        if *word == 0xffff_0000_u32.to_le() {
            *word = 0xffff_ffff;
        }
    }
    words
}

#[inline(always)]
fn every<P: Pair>(value: f32) -> P {
    P::all(Vec4::splat(value))
}

/// Points of the unfolded octahedron, each coordinate from -1 to 1. What points down is folded outwards.
#[inline(always)]
fn unfolded<P: Pair>(x: P, y: P, z: P) -> [P; 2] {
    let size = (x.abs() + y.abs()) + z.abs();
    let inverse = every::<P>(1.0) / size.greatest(every(f32::MIN_POSITIVE));
    let (x, y) = (x * inverse, y * inverse);
    let folded = |a: P, b: P| (every::<P>(1.0) - b.abs()).copysign(a);
    [z.where_minus(folded(x, y), x), z.where_minus(folded(y, x), y)]
}

/// From -1 to 1 as from 0 to 1.
#[inline(always)]
fn share<P: Pair>(coordinate: P) -> P {
    coordinate * every(0.5) + every(0.5)
}

/// Two numbers from 0 to 1 in 16 bits each, to the nearest: 2^23 more, they end with the last bit of the mantissa.
#[inline(always)]
fn words<P: Pair>(x: P, y: P) -> Words {
    let whole = |share: P| share * every(65535.0) + every(8_388_608.0);
    let mut words = whole(x).low_bits(whole(y));
    for word in &mut words {
        *word = word.to_le();
    }
    words
}
