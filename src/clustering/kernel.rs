//! Kernels: how much a cluster holds a point at some distance (CC Eq. 8-13).
//!
//! Reads the squared distances of one point from all centres that hold it, over
//! the radius squared; writes weights that sum to 1. Only `powf` goes beyond plain
//! arithmetic, and it comes from libm, so all platforms agree.

use super::Kernel;
use crate::error::{Error, within};

impl Kernel {
    /// Refuses parameters that could give no weights or infinite ones.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match *self {
            Kernel::Box | Kernel::Poly6 => Ok(()),
            Kernel::Blend { beta } => within("kernel.beta", beta, 0.0, 1e6, "from 0 to 1e6"),
            Kernel::InvSq { epsilon } => within("kernel.epsilon", epsilon, 1e-12, 1e6, "from 1e-12 to 1e6"),
            Kernel::Fcm { m } => within("kernel.m", m, 1.001, 1e3, "from 1.001 to 1000"),
        }
    }

    /// Turns the squared distances of one point, in radii squared, into its
    /// weights in those clusters. Beyond 1, where a point was merely assigned to
    /// the nearest cluster, kernels of limited width give their border value.
    pub(crate) fn weigh(&self, row: &mut [f32]) {
        match *self {
            Kernel::Box => row.fill(1.0),
            Kernel::Poly6 => row.iter_mut().for_each(|x| *x = poly6(*x)),
            Kernel::Blend { beta } => row.iter_mut().for_each(|x| *x = beta + poly6(*x)),
            Kernel::InvSq { epsilon } => row.iter_mut().for_each(|x| *x = 1.0 / (*x + epsilon)),
            Kernel::Fcm { m } => fuzzy_c_means(row, 1.0 / (m - 1.0)),
        }
        normalise(row);
    }
}

/// CC Eq. 9 without its constant, so that it is 1 at the centre at every scale.
fn poly6(x: f32) -> f32 {
    let inside = (1.0 - x).max(0.0);
    inside * inside * inside
}

/// CC Eq. 12 multiplied out: the reciprocal of a sum of ratios is the inverse power
/// of the distance over the sum of those powers. Taken relative to the nearest
/// centre, every power lies in 0..=1; a point upon a centre belongs to it alone.
fn fuzzy_c_means(row: &mut [f32], power: f32) {
    let nearest = row.iter().fold(f32::INFINITY, |least, &x| least.min(x));
    for x in row {
        *x = if *x <= nearest { 1.0 } else { libm::powf(nearest / *x, power) };
    }
}

/// CC Eq. 13. Where all kernels vanish (upon the border) the shares are equal.
fn normalise(row: &mut [f32]) {
    let sum: f32 = row.iter().sum();
    if sum > 1e-30 {
        row.iter_mut().for_each(|w| *w /= sum);
    } else {
        let share = 1.0 / row.len() as f32;
        row.fill(share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighed(kernel: Kernel, row: &[f32]) -> Vec<f32> {
        let mut row = row.to_vec();
        kernel.weigh(&mut row);
        row
    }

    fn close(a: &[f32], b: &[f32]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
    }

    #[test]
    fn each_kernel_follows_its_equation() {
        // Distances 0.5 and 1 of a radius: squared 0.25 and 1.
        let row = [0.25, 1.0];
        assert!(close(&weighed(Kernel::Box, &row), &[0.5, 0.5]));
        assert!(close(&weighed(Kernel::Poly6, &row), &[1.0, 0.0]));
        let p = 0.75f32.powi(3);
        assert!(close(
            &weighed(Kernel::Blend { beta: 0.5 }, &row),
            &[(0.5 + p) / (1.0 + p), 0.5 / (1.0 + p)]
        ));
        let (a, b) = (1.0 / 0.26, 1.0 / 1.01);
        assert!(close(&weighed(Kernel::InvSq { epsilon: 0.01 }, &row), &[a / (a + b), b / (a + b)]));
        // Eq. 12 as printed, m = 3: exponent 1, ratios of distances 2 and 1/2.
        assert!(close(&weighed(Kernel::Fcm { m: 3.0 }, &row), &[1.0 / 1.5, 1.0 / 3.0]));
    }

    #[test]
    fn a_point_upon_a_centre_or_a_border_still_gets_shares() {
        assert!(close(&weighed(Kernel::Fcm { m: 2.0 }, &[0.0, 0.3, 0.0]), &[0.5, 0.0, 0.5]));
        assert!(close(&weighed(Kernel::Poly6, &[1.0, 1.0]), &[0.5, 0.5]));
        assert!(close(&weighed(Kernel::InvSq { epsilon: 1e-12 }, &[0.0, 0.5]), &[1.0, 0.0]));
        assert!(close(&weighed(Kernel::Fcm { m: 1.001 }, &[0.1, 0.2]), &[1.0, 0.0]));
        assert!(close(&weighed(Kernel::Poly6, &[7.0]), &[1.0]));
    }
}
