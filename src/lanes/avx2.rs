//! Pairs in one 32-byte register.
//!
//! Every function here is called only from within [`run`], into which it is inlined.

use std::arch::x86_64::*;

use super::*;

#[target_feature(enable = "avx2")]
pub(super) fn run<J: Job>(job: J) -> J::Out {
    job.with::<Wide>()
}

#[derive(Clone, Copy)]
pub(super) struct Wide(__m256);

macro_rules! lane_by_lane {
    ($($operator:ident $method:ident $instruction:ident),+) => {$(
        impl $operator for Wide {
            type Output = Wide;
            #[inline(always)]
            fn $method(self, other: Wide) -> Wide {
                // SAFETY: reached only through `run`, where the processor has AVX2.
                Wide(unsafe { $instruction(self.0, other.0) })
            }
        }
    )+};
}
lane_by_lane!(Add add _mm256_add_ps, Sub sub _mm256_sub_ps, Mul mul _mm256_mul_ps, Div div _mm256_div_ps);

macro_rules! shuffles {
    ($($method:ident $control:literal),+) => {$(
        #[inline(always)]
        fn $method(self) -> Wide {
            // SAFETY: as above.
            Wide(unsafe { _mm256_permute_ps::<$control>(self.0) })
        }
    )+};
}

impl Lanes for Wide {
    #[inline(always)]
    fn all(v: Vec4) -> Wide {
        Pair::of(v, v)
    }
    shuffles!(xxxx 0b00_00_00_00, yyyy 0b01_01_01_01, zzzz 0b10_10_10_10, wwww 0b11_11_11_11, yzxw 0b11_00_10_01);
}

impl Pair for Wide {
    #[inline(always)]
    fn of(low: Vec4, high: Vec4) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_set_m128(high.into(), low.into()) })
    }
    #[inline(always)]
    fn load(both: &[Vec4; 2]) -> Wide {
        // SAFETY: as above, and the array is eight floats.
        Wide(unsafe { _mm256_loadu_ps(both.as_ptr().cast()) })
    }
    #[inline(always)]
    fn weights(entries: &[Entry; 2]) -> Wide {
        // SAFETY: as above. The two entries are sixteen bytes, the weights in the second and
        // fourth place; reading an index as a float is harmless, as it is not computed with.
        unsafe {
            let twice = _mm256_castpd_ps(_mm256_broadcast_pd(&_mm_loadu_pd(entries.as_ptr().cast())));
            Wide(_mm256_permutevar_ps(twice, _mm256_setr_epi32(1, 1, 1, 1, 3, 3, 3, 3)))
        }
    }
    #[inline(always)]
    fn sqrt(self) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn where_above(self, limit: Wide, value: Wide) -> Wide {
        // SAFETY: as above.
        unsafe { Wide(_mm256_and_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(self.0, limit.0), value.0)) }
    }
    #[inline(always)]
    fn where_above_else(self, limit: Wide, yes: Wide, no: Wide) -> Wide {
        // SAFETY: as above.
        unsafe { Wide(_mm256_blendv_ps(no.0, yes.0, _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, limit.0))) }
    }
    #[inline(always)]
    fn below(self, limit: Wide) -> u32 {
        // SAFETY: as above.
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, limit.0)) as u32 }
    }
    #[inline(always)]
    fn where_minus(self, yes: Wide, no: Wide) -> Wide {
        // SAFETY: as above.
        unsafe { Wide(_mm256_blendv_ps(no.0, yes.0, self.0)) }
    }
    #[inline(always)]
    fn abs(self) -> Wide {
        // SAFETY: as above.
        unsafe { Wide(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0)) }
    }
    #[inline(always)]
    fn copysign(self, other: Wide) -> Wide {
        // SAFETY: as above.
        unsafe { Wide(_mm256_or_ps(self.abs().0, _mm256_and_ps(_mm256_set1_ps(-0.0), other.0))) }
    }
    #[inline(always)]
    fn low_bits(self, high: Wide) -> [u32; 8] {
        let mut words = [0; 8];
        // SAFETY: as above; there is room for eight words.
        unsafe {
            let (low, high) = (_mm256_castps_si256(self.0), _mm256_castps_si256(high.0));
            let both = _mm256_blend_epi16::<0b1010_1010>(low, _mm256_slli_epi32::<16>(high));
            _mm256_storeu_si256(words.as_mut_ptr().cast(), both);
        }
        words
    }
    #[inline(always)]
    fn any_above(self, limit: Wide) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(self.0, limit.0)) != 0 }
    }
    #[inline(always)]
    fn parts(self) -> [Vec4; 2] {
        // SAFETY: as above.
        unsafe { [_mm256_castps256_ps128(self.0).into(), _mm256_extractf128_ps::<1>(self.0).into()] }
    }
    #[inline(always)]
    fn store(self, both: &mut [Vec4; 2]) {
        // SAFETY: as above, and the array is eight floats.
        unsafe { _mm256_storeu_ps(both.as_mut_ptr().cast(), self.0) }
    }
    #[inline(always)]
    fn regrouped(self, other: Wide) -> [Wide; 2] {
        // SAFETY: as above.
        unsafe {
            let first = _mm256_permute2f128_ps::<0x20>(self.0, other.0);
            [Wide(first), Wide(_mm256_permute2f128_ps::<0x31>(self.0, other.0))]
        }
    }
    #[inline(always)]
    fn transposed([a, b, c, d]: [Wide; 4]) -> [Wide; 4] {
        // SAFETY: as above.
        unsafe {
            let (ab, cd) = (_mm256_unpacklo_ps(a.0, b.0), _mm256_unpacklo_ps(c.0, d.0));
            let x = _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd);
            let y = _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd);
            let (ab, cd) = (_mm256_unpackhi_ps(a.0, b.0), _mm256_unpackhi_ps(c.0, d.0));
            let z = _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd);
            let w = _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd);
            [Wide(x), Wide(y), Wide(z), Wide(w)]
        }
    }
    #[inline(always)]
    fn least(self, other: Wide) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn greatest(self, other: Wide) -> Wide {
        // SAFETY: as above.
        Wide(unsafe { _mm256_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn lane_sums([x, y, z, w]: [Wide; 4]) -> Wide {
        // SAFETY: as above.
        unsafe {
            let halved = |a: __m256, b: __m256| {
                let even = _mm256_shuffle_ps::<0b10_00_10_00>(a, b);
                _mm256_add_ps(even, _mm256_shuffle_ps::<0b11_01_11_01>(a, b))
            };
            Wide(halved(halved(x.0, y.0), halved(z.0, w.0)))
        }
    }
}
