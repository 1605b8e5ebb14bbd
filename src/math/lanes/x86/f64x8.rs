//! Eight f64 in a register of 512 bits, with AVX-512.

use std::arch::x86_64::{
    __m512d, __m512i, __mmask8, _CMP_GT_OQ, _CMP_NEQ_UQ, _MM_FROUND_NO_EXC, _MM_FROUND_TO_NEG_INF, _mm512_abs_pd,
    _mm512_add_pd, _mm512_add_round_pd, _mm512_castpd_si512, _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_div_pd,
    _mm512_fmadd_pd, _mm512_fmadd_round_pd, _mm512_loadu_pd, _mm512_mask_blend_pd, _mm512_max_pd, _mm512_min_pd,
    _mm512_mul_pd, _mm512_or_pd, _mm512_set1_pd, _mm512_sqrt_pd, _mm512_storeu_pd, _mm512_sub_pd, _mm512_xor_pd,
};

use crate::math::lanes::narrow_points::{FusedRegister, GRID};
use crate::math::lanes::native::vectors::{gather_8, scatter_8};
use crate::math::lanes::register::{FloatRegister, Register};
use crate::math::vec3::Vec3;

impl Register for __m512d {
    type Number = f64;
    type Mask = __mmask8;

    const WIDTH: usize = 8;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: see the module of x86-64; so everywhere below.
        unsafe { _mm512_set1_pd(value) }
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        assert!(from.len() == Self::WIDTH);
        unsafe { _mm512_loadu_pd(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        assert!(to.len() == Self::WIDTH);
        unsafe { _mm512_storeu_pd(to.as_mut_ptr(), self) }
    }

    #[inline(always)]
    fn gather(from: &[Vec3<f64>], indices: &[u32]) -> [Self; 3] {
        gather_8(from, indices)
    }

    #[inline(always)]
    fn scatter(v: [Self; 3], to: &mut [Vec3<f64>], indices: &[u32], which: u8) {
        scatter_8(v, to, indices, which);
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { _mm512_add_pd(self, other) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { _mm512_sub_pd(self, other) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { _mm512_cmp_pd_mask::<_CMP_GT_OQ>(self, other) }
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self::Mask {
        unsafe { _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(self, other) }
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        unsafe { _mm512_mask_blend_pd(mask, no, yes) }
    }

    #[inline(always)]
    fn mask(bits: u8) -> Self::Mask {
        bits
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        mask
    }

    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a & b
    }

    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a | b
    }

    #[inline(always)]
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a & !b
    }
}

impl FloatRegister for __m512d {
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { _mm512_mul_pd(self, other) }
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { _mm512_div_pd(self, other) }
    }

    #[inline(always)]
    fn root(self) -> Self {
        unsafe { _mm512_sqrt_pd(self) }
    }

    #[inline(always)]
    fn negative(self) -> Self {
        unsafe { _mm512_sub_pd(_mm512_set1_pd(-0.0), self) }
    }

    /// One instruction: the second operand where they are equal.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        unsafe { _mm512_max_pd(other, self) }
    }

    /// One instruction: the second operand where they are equal.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        unsafe { _mm512_min_pd(other, self) }
    }
}

/// Down, and no exceptions noted.
const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;

impl FusedRegister for __m512d {
    type Integers = __m512i;

    #[inline(always)]
    fn times_plus(self, factor: Self, addend: Self) -> Self {
        unsafe { _mm512_fmadd_pd(self, factor, addend) }
    }

    #[inline(always)]
    fn into_bits(self) -> __m512i {
        unsafe { _mm512_castpd_si512(self) }
    }

    #[inline(always)]
    fn from_bits(bits: __m512i) -> Self {
        unsafe { _mm512_castsi512_pd(bits) }
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        unsafe { _mm512_abs_pd(self) }
    }

    #[inline(always)]
    fn differing_bits(self, other: Self, so_far: Self) -> Self {
        unsafe { _mm512_or_pd(so_far, _mm512_xor_pd(self, other)) }
    }

    /// With half of a place added it is rounded down: to halves, which half of the grid knows, and then to whole places.
    #[inline(always)]
    fn product(self, factor: Self) -> Self {
        let half_of_a_place = 1.0 / (1_u64 << 33) as f64;
        unsafe {
            let half_of_grid = _mm512_set1_pd(GRID / 2.0);
            let halves = _mm512_fmadd_round_pd::<DOWN>(self, factor, _mm512_set1_pd(GRID / 2.0 + half_of_a_place));
            _mm512_sub_pd(_mm512_add_round_pd::<DOWN>(halves, half_of_grid), _mm512_set1_pd(GRID))
        }
    }
}
