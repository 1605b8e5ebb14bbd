//! Two f64 in a register of 128 bits, with SSE2.

use std::arch::x86_64::{
    __m128d, _mm_add_pd, _mm_and_pd, _mm_andnot_pd, _mm_castsi128_pd, _mm_cmpgt_pd, _mm_cmpneq_pd, _mm_div_pd,
    _mm_loadu_pd, _mm_max_pd, _mm_min_pd, _mm_movemask_pd, _mm_mul_pd, _mm_or_pd, _mm_set_epi64x, _mm_set1_pd,
    _mm_sqrt_pd, _mm_storeu_pd, _mm_sub_pd, _mm_xor_pd,
};

use crate::math::lanes::register::{FloatRegister, Register};

impl Register for __m128d {
    type Number = f64;
    type Mask = __m128d;

    const WIDTH: usize = 2;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: see the module of x86-64; so everywhere below.
        unsafe { _mm_set1_pd(value) }
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        assert!(from.len() == Self::WIDTH);
        unsafe { _mm_loadu_pd(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        assert!(to.len() == Self::WIDTH);
        unsafe { _mm_storeu_pd(to.as_mut_ptr(), self) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { _mm_add_pd(self, other) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { _mm_sub_pd(self, other) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { _mm_cmpgt_pd(self, other) }
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self::Mask {
        unsafe { _mm_cmpneq_pd(self, other) }
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        unsafe { _mm_or_pd(_mm_and_pd(mask, yes), _mm_andnot_pd(mask, no)) }
    }

    #[inline(always)]
    fn mask(bits: u8) -> Self::Mask {
        let lane = |bit: u8| -i64::from(bits >> bit & 1);
        unsafe { _mm_castsi128_pd(_mm_set_epi64x(lane(1), lane(0))) }
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        (unsafe { _mm_movemask_pd(mask) }) as u8
    }

    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm_and_pd(a, b) }
    }

    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm_or_pd(a, b) }
    }

    #[inline(always)]
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm_andnot_pd(b, a) }
    }
}

impl FloatRegister for __m128d {
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { _mm_mul_pd(self, other) }
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { _mm_div_pd(self, other) }
    }

    #[inline(always)]
    fn root(self) -> Self {
        unsafe { _mm_sqrt_pd(self) }
    }

    #[inline(always)]
    fn negative(self) -> Self {
        unsafe { _mm_xor_pd(self, _mm_set1_pd(-0.0)) }
    }

    /// One instruction: the second operand where they are equal.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        unsafe { _mm_max_pd(other, self) }
    }

    /// One instruction: the second operand where they are equal.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        unsafe { _mm_min_pd(other, self) }
    }
}
