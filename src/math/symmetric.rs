//! Symmetric matrices: eigenvalues by cyclic Jacobi rotations, and the inverse of a
//! scatter matrix that may lack directions.
//!
//! Runs at build time and in rare fallbacks, in `f64`, with plain arithmetic only.

/// Eigenvalues, largest first, and their unit eigenvectors (`vectors[k]` belongs to
/// `values[k]`) of the symmetric matrix `a`.
///
/// ```
/// use wobble::math::symmetric::eigen;
///
/// let (values, vectors) = eigen([[2.0, 0.0], [0.0, 5.0]]);
/// assert_eq!(values, [5.0, 2.0]);
/// assert_eq!(vectors[0].map(f64::abs), [0.0, 1.0]);
/// ```
pub fn eigen<const N: usize>(a: [[f64; N]; N]) -> ([f64; N], [[f64; N]; N]) {
    let mut a = a;
    let mut v = [[0.0; N]; N];
    for (i, row) in v.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    for _ in 0..SWEEPS {
        let off: f64 = (0..N).flat_map(|p| (0..p).map(move |q| (p, q))).map(|(p, q)| a[p][q] * a[p][q]).sum();
        let diagonal: f64 = (0..N).map(|p| a[p][p] * a[p][p]).sum();
        if off <= 1e-32 * diagonal || off == 0.0 {
            break;
        }
        for p in 1..N {
            for q in 0..p {
                rotate(&mut a, &mut v, q, p);
            }
        }
    }
    let mut order: [usize; N] = std::array::from_fn(|i| i);
    order.sort_by(|&i, &j| a[j][j].total_cmp(&a[i][i]));
    (order.map(|k| a[k][k]), order.map(|k| std::array::from_fn(|i| v[i][k])))
}

/// Enough for any 4x4: convergence is quadratic, seven sweeps are typical.
const SWEEPS: usize = 30;

/// One Jacobi rotation that makes `a[p][q]` zero, p < q; `v` collects the rotations.
fn rotate<const N: usize>(a: &mut [[f64; N]; N], v: &mut [[f64; N]; N], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    let (above, below) = a.split_at_mut(q);
    for (x, y) in above[p].iter_mut().zip(&mut below[0]) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
    for row in v.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
}

/// The inverse of a positive semidefinite matrix over the directions it has; directions
/// with less than `relative` of the largest eigenvalue count as missing and give zero.
///
/// ```
/// use wobble::math::symmetric::pseudo_inverse;
///
/// let flat = [[4.0, 0.0], [0.0, 0.0]]; // nothing along y
/// assert_eq!(pseudo_inverse(flat, 1e-6), [[0.25, 0.0], [0.0, 0.0]]);
/// ```
pub fn pseudo_inverse<const N: usize>(a: [[f64; N]; N], relative: f64) -> [[f64; N]; N] {
    let (values, vectors) = eigen(a);
    let mut out = [[0.0; N]; N];
    for (value, vector) in values.iter().zip(&vectors) {
        if *value > relative * values[0] && *value > 0.0 {
            for i in 0..N {
                for j in 0..N {
                    out[i][j] += vector[i] * vector[j] / value;
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_rebuild_the_matrix() {
        let a = [[4.0, 1.0, -2.0], [1.0, 2.0, 0.5], [-2.0, 0.5, 3.0]];
        let (values, vectors) = eigen(a);
        assert!(values[0] >= values[1] && values[1] >= values[2]);
        for i in 0..3 {
            for j in 0..3 {
                let sum: f64 = (0..3).map(|k| values[k] * vectors[k][i] * vectors[k][j]).sum();
                assert!((sum - a[i][j]).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn the_inverse_of_a_flat_scatter_ignores_the_missing_direction() {
        let inverse = pseudo_inverse([[4.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1e-12]], 1e-6);
        assert_eq!(inverse, [[0.25, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.0]]);
    }
}
