//! Eight f32 in a register of 256 bits, with AVX2.

use std::arch::x86_64::{
    __m256, _CMP_GT_OQ, _CMP_NEQ_UQ, _mm256_add_ps, _mm256_and_ps, _mm256_and_si256, _mm256_andnot_ps,
    _mm256_blendv_ps, _mm256_castsi256_ps, _mm256_cmp_ps, _mm256_cmpeq_epi32, _mm256_div_ps, _mm256_loadu_ps,
    _mm256_max_ps, _mm256_min_ps, _mm256_movemask_ps, _mm256_mul_ps, _mm256_or_ps, _mm256_set1_epi32, _mm256_set1_ps,
    _mm256_setr_epi32, _mm256_sqrt_ps, _mm256_storeu_ps, _mm256_sub_ps, _mm256_xor_ps,
};

use crate::math::lanes::native::vectors::gather_8_short;
use crate::math::lanes::register::{FloatRegister, Register};
use crate::math::vec3::Vec3;

impl Register for __m256 {
    type Number = f32;
    type Mask = __m256;

    const WIDTH: usize = 8;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: see the module of x86-64; so everywhere below.
        unsafe { _mm256_set1_ps(value) }
    }

    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        assert!(from.len() == Self::WIDTH);
        unsafe { _mm256_loadu_ps(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        assert!(to.len() == Self::WIDTH);
        unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self) }
    }

    #[inline(always)]
    fn gather(from: &[Vec3<f32>], indices: &[u32]) -> [Self; 3] {
        gather_8_short(from, indices)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { _mm256_add_ps(self, other) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { _mm256_sub_ps(self, other) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(self, other) }
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self::Mask {
        unsafe { _mm256_cmp_ps::<_CMP_NEQ_UQ>(self, other) }
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        unsafe { _mm256_blendv_ps(no, yes, mask) }
    }

    #[inline(always)]
    fn mask(bits: u8) -> Self::Mask {
        unsafe {
            let lanes = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let set = _mm256_and_si256(_mm256_set1_epi32(i32::from(bits)), lanes);
            _mm256_castsi256_ps(_mm256_cmpeq_epi32(set, lanes))
        }
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        (unsafe { _mm256_movemask_ps(mask) }) as u8
    }

    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm256_and_ps(a, b) }
    }

    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm256_or_ps(a, b) }
    }

    #[inline(always)]
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm256_andnot_ps(b, a) }
    }
}

impl FloatRegister for __m256 {
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { _mm256_mul_ps(self, other) }
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { _mm256_div_ps(self, other) }
    }

    #[inline(always)]
    fn root(self) -> Self {
        unsafe { _mm256_sqrt_ps(self) }
    }

    #[inline(always)]
    fn negative(self) -> Self {
        unsafe { _mm256_xor_ps(self, _mm256_set1_ps(-0.0)) }
    }

    /// One instruction: the second operand where they are equal.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        unsafe { _mm256_max_ps(other, self) }
    }

    /// One instruction: the second operand where they are equal.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        unsafe { _mm256_min_ps(other, self) }
    }
}
