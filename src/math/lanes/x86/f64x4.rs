//! Four f64 in a register of 256 bits, with AVX2.

use std::arch::x86_64::{
    __m256d, __m256i, _CMP_GT_OQ, _CMP_NEQ_UQ, _mm256_add_pd, _mm256_and_pd, _mm256_and_si256, _mm256_andnot_pd,
    _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castsi256_pd, _mm256_cmp_pd, _mm256_cmpeq_epi64, _mm256_div_pd,
    _mm256_fmadd_pd, _mm256_loadu_pd, _mm256_max_pd, _mm256_min_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_or_pd,
    _mm256_set1_epi64x, _mm256_set1_pd, _mm256_setr_epi64x, _mm256_sqrt_pd, _mm256_storeu_pd, _mm256_sub_pd,
    _mm256_xor_pd,
};

use crate::math::lanes::narrow_points::FusedRegister;
use crate::math::lanes::native::vectors::{gather_4, scatter_4};
use crate::math::lanes::register::{FloatRegister, Register};
use crate::math::vec3::Vec3;

impl Register for __m256d {
    type Number = f64;
    type Mask = __m256d;

    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: see the module of x86-64; so everywhere below.
        unsafe { _mm256_set1_pd(value) }
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        assert!(from.len() == Self::WIDTH);
        unsafe { _mm256_loadu_pd(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        assert!(to.len() == Self::WIDTH);
        unsafe { _mm256_storeu_pd(to.as_mut_ptr(), self) }
    }

    #[inline(always)]
    fn gather(from: &[Vec3<f64>], indices: &[u32]) -> [Self; 3] {
        gather_4(from, indices)
    }

    #[inline(always)]
    fn scatter(v: [Self; 3], to: &mut [Vec3<f64>], indices: &[u32], which: u8) {
        scatter_4(v, to, indices, which);
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { _mm256_add_pd(self, other) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { _mm256_sub_pd(self, other) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { _mm256_cmp_pd::<_CMP_GT_OQ>(self, other) }
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self::Mask {
        unsafe { _mm256_cmp_pd::<_CMP_NEQ_UQ>(self, other) }
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        unsafe { _mm256_blendv_pd(no, yes, mask) }
    }

    #[inline(always)]
    fn mask(bits: u8) -> Self::Mask {
        unsafe {
            let lanes = _mm256_setr_epi64x(1, 2, 4, 8);
            let set = _mm256_and_si256(_mm256_set1_epi64x(i64::from(bits)), lanes);
            _mm256_castsi256_pd(_mm256_cmpeq_epi64(set, lanes))
        }
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        (unsafe { _mm256_movemask_pd(mask) }) as u8
    }

    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm256_and_pd(a, b) }
    }

    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm256_or_pd(a, b) }
    }

    #[inline(always)]
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm256_andnot_pd(b, a) }
    }
}

impl FloatRegister for __m256d {
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { _mm256_mul_pd(self, other) }
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { _mm256_div_pd(self, other) }
    }

    #[inline(always)]
    fn root(self) -> Self {
        unsafe { _mm256_sqrt_pd(self) }
    }

    #[inline(always)]
    fn negative(self) -> Self {
        unsafe { _mm256_sub_pd(_mm256_set1_pd(-0.0), self) }
    }

    /// One instruction: the second operand where they are equal.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        unsafe { _mm256_max_pd(other, self) }
    }

    /// One instruction: the second operand where they are equal.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        unsafe { _mm256_min_pd(other, self) }
    }
}

impl FusedRegister for __m256d {
    type Integers = __m256i;

    #[inline(always)]
    fn times_plus(self, factor: Self, addend: Self) -> Self {
        unsafe { _mm256_fmadd_pd(self, factor, addend) }
    }

    #[inline(always)]
    fn into_bits(self) -> __m256i {
        unsafe { _mm256_castpd_si256(self) }
    }

    #[inline(always)]
    fn from_bits(bits: __m256i) -> Self {
        unsafe { _mm256_castsi256_pd(bits) }
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self) }
    }

    #[inline(always)]
    fn differing_bits(self, other: Self, so_far: Self) -> Self {
        unsafe { _mm256_or_pd(so_far, _mm256_xor_pd(self, other)) }
    }
}
