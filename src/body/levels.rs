//! How strongly each level of a body pulls.

use super::Body;
use crate::clustering::Weighting;
use crate::error::{Error, within};
use crate::goals::{Strength, Strengths};
use crate::material::DampingForm;
use crate::painting::Tuning;

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::{Towards, Weighting};
///
/// let body = world.body_mut(id)?;
/// body.set_weighting(&Weighting::Gaussian { towards: Towards::Coarse })?; // firm
/// body.set_level_weights(&[3.0, 1.0])?; // by hand, finest first; the sum does not matter
/// assert_eq!(body.level_weights(), [0.75, 0.25]);
/// body.set_level_stiffness(0, 0.5)?; // the finest level pulls half as hard
/// body.set_level_damping(0, 4.0)?; // and its ripples die down sooner
/// assert_eq!((body.level_stiffness(0)?, body.level_damping(0)?), (0.5, 4.0));
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// Level weights, finest first; they sum to 1.
    pub fn level_weights(&self) -> &[f32] {
        &self.weights
    }

    /// Gives the level weights by hand, finest first; they are divided by their sum.
    pub fn set_level_weights(&mut self, weights: &[f32]) -> Result<(), Error> {
        self.set_weighting(&Weighting::Manual(weights.to_vec()))
    }

    /// Sets the level weights by a scheme (MR Eq. 14-20).
    pub fn set_weighting(&mut self, weighting: &Weighting) -> Result<(), Error> {
        let weights = weighting.level_weights(self.shape.levels().len())?;
        self.wake();
        self.weights = weights;
        Ok(())
    }

    /// Multiplies the stiffness of one level, 0 or more; 1 at first.
    pub fn set_level_stiffness(&mut self, level: usize, multiplier: f32) -> Result<(), Error> {
        within("stiffness multiplier", multiplier, 0.0, 1e6, "from 0 to 1e6")?;
        self.tuning_of(level)?.stiffness = multiplier;
        self.wake();
        Ok(())
    }

    /// Multiplies the damping of one level, 0 or more; 1 at first.
    pub fn set_level_damping(&mut self, level: usize, multiplier: f32) -> Result<(), Error> {
        within("damping multiplier", multiplier, 0.0, 1e6, "from 0 to 1e6")?;
        self.tuning_of(level)?.damping = multiplier;
        self.wake();
        Ok(())
    }

    /// What the stiffness of one level is multiplied by.
    pub fn level_stiffness(&self, level: usize) -> Result<f32, Error> {
        let count = self.tuning.len();
        self.tuning.get(level).map(|t| t.stiffness).ok_or(Error::Index { field: "level", got: level, count })
    }

    /// What the damping of one level is multiplied by.
    pub fn level_damping(&self, level: usize) -> Result<f32, Error> {
        let count = self.tuning.len();
        self.tuning.get(level).map(|t| t.damping).ok_or(Error::Index { field: "level", got: level, count })
    }

    fn tuning_of(&mut self, level: usize) -> Result<&mut Tuning, Error> {
        let count = self.tuning.len();
        self.tuning.get_mut(level).ok_or(Error::Index { field: "level", got: level, count })
    }

    /// What one level pulls with in a substep of `h` seconds. The sums over the levels stay
    /// within the bounds of stability, α ≤ 2 and k_d ≤ 1, whatever the multipliers.
    pub(crate) fn strength(&self, level: usize, h: f32) -> Strength {
        self.strength_of(h)(level)
    }

    /// The same for any level.
    fn strength_of(&self, h: f32) -> impl Fn(usize) -> Strength + '_ {
        let (alpha, k_d) = (self.material.alpha(h), self.material.k_d(h));
        let sum = |of: fn(&Tuning) -> f32| {
            self.weights.iter().zip(&self.tuning).map(|(w, t)| w * of(t)).sum::<f32>()
        };
        let (stiffest, most) = (alpha * sum(|t| t.stiffness), k_d * sum(|t| t.damping));
        let within = |value: f32, limit: f32| if value > limit { limit / value } else { 1.0 };
        let (softened, freed) = (within(stiffest, 2.0), within(most, 1.0));
        move |level| {
            let (w, t) = (self.weights[level], self.tuning[level]);
            Strength {
                stiffness: w * t.stiffness * alpha * softened / h,
                damping: w * t.damping * k_d * freed,
            }
        }
    }

    /// What the clusters of one level pull with in a substep of `h` seconds. What is painted does
    /// not lead beyond the bounds of stability either.
    pub(crate) fn strengths(&self, level: usize, h: f32) -> Strengths<'_> {
        let painted = self.tables().painted();
        let painted = if painted.is_empty() { painted } else { &painted[self.tables().range(level)] };
        let total = self.total_strength(h);
        let most = Tuning { stiffness: 2.0 / (total.stiffness * h), damping: 1.0 / total.damping };
        let brakes = if level == 0 && self.grip.is_any() { &self.brakes[..] } else { &[] };
        let (spins, swell) = (self.material.damping_form == DampingForm::Rigid, self.swelling.scale);
        Strengths { level: self.strength(level, h), most, painted, brakes, spins, swell }
    }

    /// What all levels together pull with where nothing is painted.
    pub(crate) fn total_strength(&self, h: f32) -> Strength {
        let (levels, strength) = (0..self.shape.levels().len(), self.strength_of(h));
        levels.fold(Strength::default(), |sum, l| sum.plus(strength(l), 1.0))
    }
}
