//! Two vectors of four side by side, in the widest registers the processor has.
//!
//! The loops over memberships are bound by the instructions they take, and a pair halves
//! them. Lanes go through the operations that IEEE 754 rounds correctly, each by itself and
//! without fusing, so the bits are the same on every processor. Work that uses pairs is a
//! [`Job`]; [`run`] compiles it twice and picks at run time.

use std::ops::{Add, Div, Mul, Sub};

use glam::{Vec4, Vec4Swizzles};

use crate::membership::Entry;

/// One vector of four or several, with the arithmetic that sums over members need.
pub(crate) trait Lanes: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// The vector in every place.
    fn all(v: Vec4) -> Self;
    /// Lane x of each vector in all four of its lanes.
    fn xxxx(self) -> Self;
    /// Lane y likewise.
    fn yyyy(self) -> Self;
    /// Lane z likewise.
    fn zzzz(self) -> Self;
    /// Lane w likewise.
    fn wwww(self) -> Self;
    /// The first three lanes turned by one.
    fn yzxw(self) -> Self;
}

/// Two vectors.
pub(crate) trait Pair: Lanes + Div<Output = Self> {
    /// Of two.
    fn of(low: Vec4, high: Vec4) -> Self;
    /// Of two that are neighbours in memory.
    fn load(both: &[Vec4; 2]) -> Self;
    /// Each entry's weight in the four lanes of one vector.
    fn weights(entries: &[Entry; 2]) -> Self;
    /// The square root of each lane.
    fn sqrt(self) -> Self;
    /// `value` in lanes where this is above `limit`, zero in others.
    fn where_above(self, limit: Self, value: Self) -> Self;
    /// `yes` in lanes where this is above `limit`, `no` in others.
    fn where_above_else(self, limit: Self, yes: Self, no: Self) -> Self;
    /// Which lanes are below their limits: a bit for each, the first one's the lowest.
    fn below(self, limit: Self) -> u32;
    /// `yes` in lanes that have a minus sign, `no` in others.
    fn where_minus(self, yes: Self, no: Self) -> Self;
    /// Without signs.
    fn abs(self) -> Self;
    /// With the signs of `other`.
    fn copysign(self, other: Self) -> Self;
    /// The low halves of the bits of each lane, and above them those of `high`'s.
    fn low_bits(self, high: Self) -> [u32; 8];
    /// True if any lane is above its limit.
    fn any_above(self, limit: Self) -> bool;
    /// The two again.
    fn parts(self) -> [Vec4; 2];
    /// Where it is kept, side by side.
    fn store(self, both: &mut [Vec4; 2]);
    /// The first vectors of two pairs, and their second ones.
    fn regrouped(self, other: Self) -> [Self; 2];
    /// Of each of the two halves: the first lanes of four pairs, their second ones, and so on.
    fn transposed(four: [Self; 4]) -> [Self; 4];
    /// The lesser of each lane.
    fn least(self, other: Self) -> Self;
    /// The greater of each lane.
    fn greatest(self, other: Self) -> Self;
    /// For each of the two the sums over the lanes of these four: (0 + 1) + (2 + 3).
    fn lane_sums(four: [Self; 4]) -> Self;
    /// The two added up.
    #[inline(always)]
    fn sum(self) -> Vec4 {
        let [low, high] = self.parts();
        low + high
    }
}

/// Work in terms of pairs.
pub(crate) trait Job {
    /// What comes of it.
    type Out;
    /// Does it. Must be `#[inline(always)]`, and so must what it calls, down to the loops: no `map` or `from_fn` over pairs.
    fn with<P: Pair>(self) -> Self::Out;
}

/// Does a job with the widest registers there are.
#[inline]
pub(crate) fn run<J: Job>(job: J) -> J::Out {
    #[cfg(test)]
    if tests::NARROW.get() {
        return job.with::<Two>();
    }
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { avx2::run(job) };
    }
    job.with::<Two>()
}

impl Lanes for Vec4 {
    #[inline(always)]
    fn all(v: Vec4) -> Vec4 {
        v
    }
    #[inline(always)]
    fn xxxx(self) -> Vec4 {
        Vec4Swizzles::xxxx(self)
    }
    #[inline(always)]
    fn yyyy(self) -> Vec4 {
        Vec4Swizzles::yyyy(self)
    }
    #[inline(always)]
    fn zzzz(self) -> Vec4 {
        Vec4Swizzles::zzzz(self)
    }
    #[inline(always)]
    fn wwww(self) -> Vec4 {
        Vec4Swizzles::wwww(self)
    }
    #[inline(always)]
    fn yzxw(self) -> Vec4 {
        Vec4Swizzles::yzxw(self)
    }
}

/// A pair on any processor.
#[derive(Clone, Copy)]
pub(crate) struct Two(Vec4, Vec4);

macro_rules! each_by_itself {
    ($pair:ident: $($operator:ident $method:ident),+) => {$(
        impl $operator for $pair {
            type Output = $pair;
            #[inline(always)]
            fn $method(self, other: $pair) -> $pair {
                $pair(self.0.$method(other.0), self.1.$method(other.1))
            }
        }
    )+};
}
each_by_itself!(Two: Add add, Sub sub, Mul mul, Div div);

impl Lanes for Two {
    #[inline(always)]
    fn all(v: Vec4) -> Two {
        Two(v, v)
    }
    #[inline(always)]
    fn xxxx(self) -> Two {
        Two(Lanes::xxxx(self.0), Lanes::xxxx(self.1))
    }
    #[inline(always)]
    fn yyyy(self) -> Two {
        Two(Lanes::yyyy(self.0), Lanes::yyyy(self.1))
    }
    #[inline(always)]
    fn zzzz(self) -> Two {
        Two(Lanes::zzzz(self.0), Lanes::zzzz(self.1))
    }
    #[inline(always)]
    fn wwww(self) -> Two {
        Two(Lanes::wwww(self.0), Lanes::wwww(self.1))
    }
    #[inline(always)]
    fn yzxw(self) -> Two {
        Two(Lanes::yzxw(self.0), Lanes::yzxw(self.1))
    }
}

impl Pair for Two {
    #[inline(always)]
    fn of(low: Vec4, high: Vec4) -> Two {
        Two(low, high)
    }
    #[inline(always)]
    fn load(both: &[Vec4; 2]) -> Two {
        Two(both[0], both[1])
    }
    #[inline(always)]
    fn weights(entries: &[Entry; 2]) -> Two {
        Two(Vec4::splat(entries[0].weight), Vec4::splat(entries[1].weight))
    }
    #[inline(always)]
    fn sqrt(self) -> Two {
        let root = |v: Vec4| Vec4::new(v.x.sqrt(), v.y.sqrt(), v.z.sqrt(), v.w.sqrt());
        Two(root(self.0), root(self.1))
    }
    #[inline(always)]
    fn where_above(self, limit: Two, value: Two) -> Two {
        let part = |a: Vec4, limit: Vec4, value: Vec4| Vec4::select(a.cmpgt(limit), value, Vec4::ZERO);
        Two(part(self.0, limit.0, value.0), part(self.1, limit.1, value.1))
    }
    #[inline(always)]
    fn where_above_else(self, limit: Two, yes: Two, no: Two) -> Two {
        let part = |a: Vec4, limit: Vec4, yes: Vec4, no: Vec4| Vec4::select(a.cmpgt(limit), yes, no);
        Two(part(self.0, limit.0, yes.0, no.0), part(self.1, limit.1, yes.1, no.1))
    }
    #[inline(always)]
    fn below(self, limit: Two) -> u32 {
        self.0.cmplt(limit.0).bitmask() | self.1.cmplt(limit.1).bitmask() << 4
    }
    #[inline(always)]
    fn where_minus(self, yes: Two, no: Two) -> Two {
        let part =
            |a: Vec4, yes: Vec4, no: Vec4| Vec4::select(Vec4::ONE.copysign(a).cmplt(Vec4::ZERO), yes, no);
        Two(part(self.0, yes.0, no.0), part(self.1, yes.1, no.1))
    }
    #[inline(always)]
    fn abs(self) -> Two {
        Two(self.0.abs(), self.1.abs())
    }
    #[inline(always)]
    fn copysign(self, other: Two) -> Two {
        Two(self.0.copysign(other.0), self.1.copysign(other.1))
    }
    #[inline(always)]
    fn low_bits(self, high: Two) -> [u32; 8] {
        let word = |low: f32, high: f32| low.to_bits() & 0xffff | high.to_bits() << 16;
        std::array::from_fn(|k| word(self.parts()[k / 4][k % 4], high.parts()[k / 4][k % 4]))
    }
    #[inline(always)]
    fn any_above(self, limit: Two) -> bool {
        self.0.cmpgt(limit.0).any() || self.1.cmpgt(limit.1).any()
    }
    #[inline(always)]
    fn parts(self) -> [Vec4; 2] {
        [self.0, self.1]
    }
    #[inline(always)]
    fn store(self, both: &mut [Vec4; 2]) {
        *both = [self.0, self.1];
    }
    #[inline(always)]
    fn regrouped(self, other: Two) -> [Two; 2] {
        [Two(self.0, other.0), Two(self.1, other.1)]
    }
    #[inline(always)]
    fn transposed(four: [Two; 4]) -> [Two; 4] {
        let half = |[a, b, c, d]: [Vec4; 4]| glam::Mat4::from_cols(a, b, c, d).transpose();
        let (low, high) = (half(four.map(|two| two.0)), half(four.map(|two| two.1)));
        std::array::from_fn(|k| Two(low.col(k), high.col(k)))
    }
    #[inline(always)]
    fn least(self, other: Two) -> Two {
        Two(self.0.min(other.0), self.1.min(other.1))
    }
    #[inline(always)]
    fn greatest(self, other: Two) -> Two {
        Two(self.0.max(other.0), self.1.max(other.1))
    }
    #[inline(always)]
    fn lane_sums(four: [Two; 4]) -> Two {
        Two(lane_sums(four.map(|two| two.0)), lane_sums(four.map(|two| two.1)))
    }
}

/// The sums over the lanes of four vectors: (0 + 1) + (2 + 3).
#[inline(always)]
pub(crate) fn lane_sums([x, y, z, w]: [Vec4; 4]) -> Vec4 {
    let t = glam::Mat4::from_cols(x, y, z, w).transpose();
    (t.x_axis + t.y_axis) + (t.z_axis + t.w_axis)
}

#[cfg(target_arch = "x86_64")]
mod avx2;

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use glam::Vec3;

    use super::*;
    use crate::{BodyDef, LevelsDef, Material, Shape, StrainLimit, World, WorldDef};

    thread_local! {
        /// Makes this thread do without wide registers.
        pub(super) static NARROW: Cell<bool> = const { Cell::new(false) };
    }

    /// Every operation on many numbers, awkward ones among them.
    struct Everything;

    impl Job for Everything {
        type Out = Vec<u32>;

        #[inline(always)]
        fn with<P: Pair>(self) -> Vec<u32> {
            let mut bits = Vec::new();
            let numbers = [0.0, -0.0, 1.0, -3.7, 1e-40, 2.5e30, f32::INFINITY, 0.1, -7e-12];
            for i in 0..numbers.len() {
                let pick = |k: usize| numbers[(i + k) % numbers.len()];
                let low = Vec4::new(pick(0), pick(2), pick(4), pick(7));
                let high = Vec4::new(pick(3), pick(1), pick(8), pick(5));
                let entries =
                    [Entry { index: 5, weight: pick(6) }, Entry { index: 1 << 31, weight: pick(2) }];
                let (a, b, w) = (P::of(low, high), P::load(&[high, low]), P::weights(&entries));
                let results = [
                    a + b,
                    a - b,
                    a * w,
                    b / w,
                    P::all(high).sqrt(),
                    a.xxxx(),
                    a.yyyy(),
                    a.zzzz(),
                    a.wwww(),
                    a.yzxw(),
                    a.where_above(b, w),
                    a.where_above_else(b, w, a),
                    a.where_minus(b, w),
                    a.abs(),
                    a.copysign(b),
                    a.regrouped(b)[0],
                    a.regrouped(b)[1],
                    P::lane_sums([a, b, w, a]),
                    P::transposed([a, b, w, a])[0],
                    P::transposed([a, b, w, a])[1],
                    P::transposed([a, b, w, a])[2],
                    P::transposed([a, b, w, a])[3],
                    a.least(b),
                    a.greatest(b),
                ];
                let mut kept = [Vec4::ZERO; 2];
                b.store(&mut kept);
                assert_eq!(
                    kept.map(|v| v.to_array().map(f32::to_bits)),
                    b.parts().map(|v| v.to_array().map(f32::to_bits))
                );
                for result in results {
                    let [low, high] = result.parts();
                    let sum = result.sum();
                    for v in [low, high, sum].iter().flat_map(|v| v.to_array()) {
                        // How a number is missing may differ, and nothing depends on it.
                        bits.push(if v.is_nan() { f32::NAN.to_bits() } else { v.to_bits() });
                    }
                }
                bits.extend(a.low_bits(b));
                bits.extend([a.below(b), b.below(a), w.below(a)]);
                bits.push(u32::from(a.any_above(b)));
                bits.push(u32::from(b.any_above(b)));
            }
            bits
        }
    }

    #[test]
    fn wide_registers_give_the_same_bits() {
        assert_eq!(run(Everything), Everything.with::<Two>());
    }

    #[test]
    fn a_body_moves_the_same_without_wide_registers() {
        let state = |narrow: bool| {
            NARROW.set(narrow);
            let points: Vec<Vec3> = (0..1000)
                .map(|i| Vec3::new((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32) * 0.1)
                .collect();
            let shape = Shape::from_points(&points, None, &LevelsDef::default()).expect("sound points");
            let strain = Some(StrainLimit::default());
            let material = Material { strain, ..Material::default() };
            let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).expect("sound");
            let body = world.add_body(&shape, &BodyDef { material, ..BodyDef::default() }).expect("sound");
            for (i, p) in points.iter().enumerate() {
                let sway = Vec3::new(p.y, -p.z, p.x * p.x) * 9.0;
                world.body_mut(body).expect("there").set_velocity_of(i, sway).expect("finite");
            }
            (0..60).for_each(|_| world.step(1.0 / 60.0).expect("stays finite"));
            NARROW.set(false);
            assert!(world.profile().strain_fits > 0, "the strain limit has to act, too");
            world.state_hash()
        };
        assert_eq!(state(false), state(true));
    }
}
