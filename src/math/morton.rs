//! Spatial order: neighbours in space become neighbours in memory.
//!
//! Reads points; writes their indices sorted along a Morton (Z-order) curve laid
//! over the bounding box. The order is total (ties go by index) and computed from
//! integers after one rounding, so it is the same everywhere.

use glam::{DVec3, Vec3};

/// Cells of the curve along each axis.
const CELLS: f64 = (1u64 << 21) as f64;

/// Indices of `points` in the order in which a Morton curve of 21 bits an axis
/// meets them. Coordinates must be finite; any number of points may coincide.
///
/// ```
/// use glam::Vec3;
/// let order = wobble::math::morton::order(&[Vec3::ONE, Vec3::ZERO, Vec3::X]);
/// assert_eq!(order, [1, 2, 0]);
/// ```
pub fn order(points: &[Vec3]) -> Vec<u32> {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for point in points {
        low = low.min(point.as_dvec3());
        high = high.max(point.as_dvec3());
    }
    // One scale for all axes: cells are cubes, so the curve does not stretch thin bodies.
    let extent = (high - low).max_element();
    let scale = if extent > 0.0 { CELLS / extent } else { 0.0 };
    let mut keys: Vec<(u64, u32)> = points
        .iter()
        .enumerate()
        .map(|(i, point)| (key((point.as_dvec3() - low) * scale), i as u32))
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, i)| i).collect()
}

/// Interleaved bits of a point given in cells.
fn key(cell: DVec3) -> u64 {
    let bits = |c: f64| spread(c.clamp(0.0, CELLS - 1.0) as u64);
    bits(cell.x) | (bits(cell.y) << 1) | (bits(cell.z) << 2)
}

/// Moves bit k of a 21-bit number to bit 3k.
fn spread(n: u64) -> u64 {
    let n = (n | (n << 32)) & 0x001f_0000_0000_ffff;
    let n = (n | (n << 16)) & 0x001f_0000_ff00_00ff;
    let n = (n | (n << 8)) & 0x100f_00f0_0f00_f00f;
    let n = (n | (n << 4)) & 0x10c3_0c30_c30c_30c3;
    (n | (n << 2)) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_lands_at_three_times_its_place() {
        for bit in 0..21 {
            assert_eq!(spread(1 << bit), 1 << (3 * bit));
        }
        assert_eq!(spread((1 << 21) - 1).count_ones(), 21);
    }

    #[test]
    fn the_corners_of_a_cube_come_in_z_order() {
        let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32);
        let backwards: Vec<Vec3> = (0..8).rev().map(corner).collect();
        assert_eq!(order(&backwards), [7, 6, 5, 4, 3, 2, 1, 0]);
    }

    #[test]
    fn coincident_points_keep_their_order_and_no_points_give_none() {
        assert_eq!(order(&[]), []);
        assert_eq!(order(&[Vec3::splat(3.0)]), [0]);
        assert_eq!(order(&[Vec3::splat(-1e9); 4]), [0, 1, 2, 3]);
    }

    #[test]
    fn the_order_is_a_permutation_even_at_the_ends_of_the_range() {
        let points: Vec<Vec3> = (0..500u32)
            .map(|i| {
                let hash = |k: u32| i.wrapping_mul(2_654_435_761).wrapping_add(k).wrapping_mul(40_503) as f32;
                Vec3::new(hash(1), -hash(2), hash(3) * 1e-9) - Vec3::splat(1e9)
            })
            .collect();
        let mut sorted = order(&points);
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &s)| i as u32 == s));
    }
}
