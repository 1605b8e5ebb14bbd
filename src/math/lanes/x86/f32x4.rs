//! Four f32 in a register of 128 bits, with SSE2.

use std::arch::x86_64::{
    __m128, _mm_add_ps, _mm_and_ps, _mm_and_si128, _mm_andnot_ps, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_cmpgt_ps,
    _mm_cmpneq_ps, _mm_div_ps, _mm_loadu_ps, _mm_max_ps, _mm_min_ps, _mm_movemask_ps, _mm_mul_ps, _mm_or_ps,
    _mm_set1_epi32, _mm_set1_ps, _mm_setr_epi32, _mm_sqrt_ps, _mm_storeu_ps, _mm_sub_ps, _mm_xor_ps,
};

use crate::math::lanes::register::{FloatRegister, Register};

impl Register for __m128 {
    type Number = f32;
    type Mask = __m128;

    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: see the module of x86-64; so everywhere below.
        unsafe { _mm_set1_ps(value) }
    }

    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        assert!(from.len() == Self::WIDTH);
        unsafe { _mm_loadu_ps(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        assert!(to.len() == Self::WIDTH);
        unsafe { _mm_storeu_ps(to.as_mut_ptr(), self) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { _mm_add_ps(self, other) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { _mm_sub_ps(self, other) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { _mm_cmpgt_ps(self, other) }
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self::Mask {
        unsafe { _mm_cmpneq_ps(self, other) }
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        unsafe { _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no)) }
    }

    #[inline(always)]
    fn mask(bits: u8) -> Self::Mask {
        unsafe {
            let lanes = _mm_setr_epi32(1, 2, 4, 8);
            let set = _mm_and_si128(_mm_set1_epi32(i32::from(bits)), lanes);
            _mm_castsi128_ps(_mm_cmpeq_epi32(set, lanes))
        }
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        (unsafe { _mm_movemask_ps(mask) }) as u8
    }

    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm_and_ps(a, b) }
    }

    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm_or_ps(a, b) }
    }

    #[inline(always)]
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm_andnot_ps(b, a) }
    }
}

impl FloatRegister for __m128 {
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { _mm_mul_ps(self, other) }
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { _mm_div_ps(self, other) }
    }

    #[inline(always)]
    fn root(self) -> Self {
        unsafe { _mm_sqrt_ps(self) }
    }

    #[inline(always)]
    fn negative(self) -> Self {
        unsafe { _mm_xor_ps(self, _mm_set1_ps(-0.0)) }
    }

    /// One instruction: the second operand where they are equal.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        unsafe { _mm_max_ps(other, self) }
    }

    /// One instruction: the second operand where they are equal.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        unsafe { _mm_min_ps(other, self) }
    }
}
