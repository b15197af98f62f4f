//! Sums over particles that were moved or pushed: what the body got of momentum and of spin.

use std::ops::{Add, Mul};

use glam::{Vec3A, Vec4, Vec4Swizzles};

use crate::lanes::Pair;

/// What particles got, by corrections or from inside the body. Moves give kg m and kg m², changes of
/// velocity one over seconds of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Moved {
    /// Σ m Δ.
    pub(crate) sum: Vec4,
    /// Σ m x × Δ, x being about the body's origin.
    pub(crate) turned: Vec3A,
}

impl Moved {
    /// A particle at `x` from the body's origin whose mass times change is `change`.
    #[inline(always)]
    pub(crate) fn of(x: Vec4, change: Vec4) -> Moved {
        Moved { sum: change, turned: Vec3A::from_vec4(x).cross(Vec3A::from_vec4(change)) }
    }
}

impl Add for Moved {
    type Output = Moved;

    #[inline(always)]
    fn add(self, other: Moved) -> Moved {
        Moved { sum: self.sum + other.sum, turned: self.turned + other.turned }
    }
}

impl Mul<f32> for Moved {
    type Output = Moved;

    #[inline(always)]
    fn mul(self, factor: f32) -> Moved {
        Moved { sum: self.sum * factor, turned: self.turned * factor }
    }
}

/// The same, summed up over two particles at a time.
pub(crate) struct Sums<P> {
    sum: P,
    /// The cross products, their components not yet in place.
    crossed: P,
}

impl<P: Pair> Sums<P> {
    #[inline(always)]
    pub(crate) fn zero() -> Sums<P> {
        Sums { sum: P::all(Vec4::ZERO), crossed: P::all(Vec4::ZERO) }
    }

    /// Adds two particles at `x` from the body's origin.
    #[inline(always)]
    pub(crate) fn add(&mut self, x: P, change: P) {
        self.sum = self.sum + change;
        self.crossed = self.crossed + (x * change.yzxw() - x.yzxw() * change);
    }

    #[inline(always)]
    pub(crate) fn total(self) -> Moved {
        Moved { sum: self.sum.sum(), turned: Vec3A::from_vec4(self.crossed.sum().yzxw()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Job, run};

    struct Both;

    impl Job for Both {
        type Out = (Moved, Moved);

        #[inline(always)]
        fn with<P: Pair>(self) -> (Moved, Moved) {
            let x = [Vec4::new(1.0, -2.0, 3.0, 0.0), Vec4::new(0.5, 4.0, -1.0, 0.0)];
            let change = [Vec4::new(0.25, 1.0, 2.0, 0.0), Vec4::new(-3.0, 0.125, 8.0, 0.0)];
            let mut sums = Sums::<P>::zero();
            sums.add(P::load(&x), P::load(&change));
            (sums.total(), Moved::of(x[0], change[0]) + Moved::of(x[1], change[1]))
        }
    }

    #[test]
    fn two_at_a_time_give_what_one_by_one_gives() {
        let (together, apart) = run(Both);
        assert_eq!(together, apart);
    }
}
