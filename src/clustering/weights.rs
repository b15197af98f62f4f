//! How much each level has to say (MR 4.2, Eq. 14-21).
//!
//! Reads a number of levels; writes one weight a level, finest first, with sum 1.
//! `exp` and `pow` come from libm, so all platforms agree.

use crate::error::{Error, is_ordinary, within};

/// Which end of the levels gets more weight.
///
/// ```
/// use wobble::{Towards, Weighting};
///
/// let fine = Weighting::Gaussian { towards: Towards::Fine }.level_weights(3)?;
/// let coarse = Weighting::Gaussian { towards: Towards::Coarse }.level_weights(3)?;
/// assert!(fine[0] > 0.5 && coarse[2] > 0.5);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Towards {
    /// Small clusters: softer, with more detail in the deformation.
    Fine,
    /// Large clusters: stiffer, better at returning to the rest shape.
    Coarse,
}

/// How weights are spread over levels.
///
/// ```
/// use wobble::{Towards, Weighting};
///
/// let weights = Weighting::Gaussian { towards: Towards::Fine }.level_weights(3)?;
/// assert!((weights[0] - 0.5741).abs() < 1e-4 && (weights[2] - 0.0777).abs() < 1e-4);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Weighting {
    /// All levels alike (MR Eq. 14).
    Uniform,
    /// Rising by equal steps (MR Eq. 15, 16).
    Linear {
        /// Weight of the lowest level before normalising, the step being 1. More than 0, at most 1e6.
        epsilon: f32,
        /// Where it rises to.
        towards: Towards,
    },
    /// Falling off like a normal distribution of deviation 1 (MR Eq. 17, 18).
    Gaussian {
        /// Where its peak is.
        towards: Towards,
    },
    /// (1 + b s) to the power c, s rising from 0 towards 1 (MR Eq. 19, 20).
    Polynomial {
        /// Slope. From 0 to 1e3.
        b: f32,
        /// Power. From 0 to 10.
        c: f32,
        /// Where it rises to.
        towards: Towards,
    },
    /// One weight a level, finest first; finite, at least 0, not all 0.
    Manual(Vec<f32>),
}

impl Weighting {
    /// The names that [`Weighting::named`] knows.
    pub const NAMES: &[&str] = &[
        "uniform",
        "linear_fine",
        "linear_coarse",
        "gaussian_fine",
        "gaussian_coarse",
        "polynomial_fine",
        "polynomial_coarse",
    ];

    /// The weighting called `name`. `a` is epsilon of the linear ones and b of the polynomial ones, `b` is c of
    /// the polynomial ones; the others take no notice of them.
    ///
    /// ```
    /// use wobble::{Towards, Weighting};
    /// let weighting = Weighting::named("polynomial_fine", 3.0, 2.0)?;
    /// assert_eq!(weighting, Weighting::Polynomial { b: 3.0, c: 2.0, towards: Towards::Fine });
    /// # Ok::<(), wobble::Error>(())
    /// ```
    pub fn named(name: &str, a: f32, b: f32) -> Result<Weighting, Error> {
        use Towards::{Coarse, Fine};
        let weighting = match name {
            "uniform" => Weighting::Uniform,
            "linear_fine" => Weighting::Linear { epsilon: a, towards: Fine },
            "linear_coarse" => Weighting::Linear { epsilon: a, towards: Coarse },
            "gaussian_fine" => Weighting::Gaussian { towards: Fine },
            "gaussian_coarse" => Weighting::Gaussian { towards: Coarse },
            "polynomial_fine" => Weighting::Polynomial { b: a, c: b, towards: Fine },
            "polynomial_coarse" => Weighting::Polynomial { b: a, c: b, towards: Coarse },
            _ => {
                let (got, wanted) = (name.to_string(), Weighting::NAMES.join(", "));
                return Err(Error::Name { field: "weighting", got, wanted });
            }
        };
        // Refuses parameters out of range here rather than when a body takes the weighting.
        weighting.level_weights(1)?;
        Ok(weighting)
    }

    /// The weights of `levels` levels, finest first; they sum to 1 (MR Eq. 21).
    ///
    /// ```
    /// use wobble::clustering::{Towards, Weighting};
    /// let weights = Weighting::Gaussian { towards: Towards::Fine }.level_weights(3).unwrap();
    /// assert!((weights[0] - 0.5741).abs() < 1e-4);
    /// ```
    pub fn level_weights(&self, levels: usize) -> Result<Vec<f32>, Error> {
        let weight: Box<dyn Fn(usize) -> f64> = match *self {
            Weighting::Uniform => Box::new(|_| 1.0),
            Weighting::Linear { epsilon, towards } => {
                within("epsilon", epsilon, f32::MIN_POSITIVE, 1e6, "more than 0 and at most 1e6")?;
                Box::new(move |l| rank(l, levels, towards) + f64::from(epsilon))
            }
            Weighting::Gaussian { towards } => Box::new(move |l| {
                let from_peak = (levels - 1) as f64 - rank(l, levels, towards);
                libm::exp(-0.5 * from_peak * from_peak)
            }),
            Weighting::Polynomial { b, c, towards } => {
                within("b", b, 0.0, 1e3, "from 0 to 1000")?;
                within("c", c, 0.0, 10.0, "from 0 to 10")?;
                let (b, c) = (f64::from(b), f64::from(c));
                Box::new(move |l| libm::pow(1.0 + b * rank(l, levels, towards) / levels as f64, c))
            }
            Weighting::Manual(ref weights) => {
                check_manual(weights, levels)?;
                Box::new(|l| f64::from(weights[l]))
            }
        };
        let weights: Vec<f64> = (0..levels).map(weight).collect();
        let sum: f64 = weights.iter().sum();
        Ok(weights.iter().map(|w| (w / sum) as f32).collect())
    }
}

/// Place of level `l` counted from the end with less weight.
fn rank(l: usize, levels: usize, towards: Towards) -> f64 {
    match towards {
        Towards::Coarse => l as f64,
        Towards::Fine => (levels - 1 - l) as f64,
    }
}

fn check_manual(weights: &[f32], levels: usize) -> Result<(), Error> {
    if weights.len() != levels {
        let wanted = format!("one for each of the {levels} levels");
        return Err(Error::Length { field: "weights", got: weights.len(), wanted });
    }
    if let Some(index) = weights.iter().position(|w| !(is_ordinary(*w) && *w >= 0.0)) {
        let value = weights[index].into();
        return Err(Error::Element { field: "weights", index, value, wanted: "from 0 to 1e9" });
    }
    if levels > 0 && weights.iter().all(|&w| w == 0.0) {
        let wanted = "more than 0 for at least one level";
        return Err(Error::Element { field: "weights", index: 0, value: 0.0, wanted });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(weighting: Weighting) -> Vec<f32> {
        weighting.level_weights(3).expect("weights")
    }

    fn close(a: &[f32], b: &[f32]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 6e-5)
    }

    #[test]
    fn each_weighting_follows_its_equation_for_three_levels() {
        use Towards::{Coarse, Fine};
        assert!(close(&weights(Weighting::Uniform), &[1.0 / 3.0; 3]));
        let gaussian = [0.5741, 0.3482, 0.0777];
        assert!(close(&weights(Weighting::Gaussian { towards: Fine }), &gaussian));
        let reversed = [gaussian[2], gaussian[1], gaussian[0]];
        assert!(close(&weights(Weighting::Gaussian { towards: Coarse }), &reversed));
        // 0.5, 1.5, 2.5 of 4.5.
        let linear = [0.5 / 4.5, 1.5 / 4.5, 2.5 / 4.5];
        assert!(close(&weights(Weighting::Linear { epsilon: 0.5, towards: Coarse }), &linear));
        // (1 + 3 l/3)^2 = 1, 4, 9 of 14.
        let squares = [9.0 / 14.0, 4.0 / 14.0, 1.0 / 14.0];
        assert!(close(&weights(Weighting::Polynomial { b: 3.0, c: 2.0, towards: Fine }), &squares));
        assert!(close(&weights(Weighting::Manual(vec![3.0, 0.0, 1.0])), &[0.75, 0.0, 0.25]));
    }

    #[test]
    fn refusals_name_field_and_value() {
        let refusal = |weighting: Weighting| weighting.level_weights(2).expect_err("refused").to_string();
        let linear = Weighting::Linear { epsilon: -1.0, towards: Towards::Fine };
        assert!(refusal(linear).starts_with("epsilon is -1;"));
        let polynomial = Weighting::Polynomial { b: f32::NAN, c: 1.0, towards: Towards::Fine };
        assert!(refusal(polynomial).starts_with("b is NaN;"));
        assert!(refusal(Weighting::Manual(vec![1.0])).starts_with("weights has 1 elements;"));
        assert!(refusal(Weighting::Manual(vec![1.0, -2.0])).starts_with("weights[1] is -2;"));
        assert!(refusal(Weighting::Manual(vec![0.0, 0.0])).starts_with("weights[0] is 0;"));
    }

    #[test]
    fn every_name_is_known_and_others_are_told_which_are() {
        for name in Weighting::NAMES {
            assert!(Weighting::named(name, 1.0, 2.0).is_ok(), "{name}");
        }
        let refusal = Weighting::named("Uniform", 0.0, 0.0).expect_err("refused").to_string();
        assert!(refusal.starts_with("weighting is \"Uniform\"; it must be one of uniform, linear_fine,"));
        assert!(Weighting::named("uniform", f32::NAN, f32::NAN).is_ok(), "parameters it does not take");
        let refusal = Weighting::named("linear_fine", 0.0, 0.0).expect_err("refused").to_string();
        assert!(refusal.starts_with("epsilon is 0;"));
        assert!(Weighting::named("polynomial_coarse", 1.0, 11.0).is_err());
    }

    #[test]
    fn no_levels_have_no_weights_and_one_level_has_all() {
        let gaussian = Weighting::Gaussian { towards: Towards::Fine };
        assert_eq!(gaussian.level_weights(0), Ok(vec![]));
        assert_eq!(gaussian.level_weights(1), Ok(vec![1.0]));
    }
}
