//! Eight numbers of fixed point in a register of 512 bits, with AVX-512.

use std::arch::x86_64::{
    __m512i, __mmask8, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpgt_epi64_mask, _mm512_cmpneq_epi64_mask,
    _mm512_loadu_si512, _mm512_mask_blend_epi64, _mm512_mul_epi32, _mm512_set1_epi64, _mm512_slli_epi64,
    _mm512_srli_epi64, _mm512_storeu_si512, _mm512_sub_epi64,
};

use crate::math::fixed::Fixed;
use crate::math::lanes::fixed_points::IntegerRegister;
use crate::math::lanes::register::Register;

impl Register for __m512i {
    type Number = Fixed;
    type Mask = __mmask8;

    const WIDTH: usize = 8;

    #[inline(always)]
    fn splat(value: Fixed) -> Self {
        // SAFETY: see the module of x86-64; so everywhere below.
        unsafe { _mm512_set1_epi64(value.to_raw()) }
    }

    #[inline(always)]
    fn load(from: &[Fixed]) -> Self {
        assert!(from.len() == Self::WIDTH);
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [Fixed]) {
        assert!(to.len() == Self::WIDTH);
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { _mm512_add_epi64(self, other) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { _mm512_sub_epi64(self, other) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { _mm512_cmpgt_epi64_mask(self, other) }
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self::Mask {
        unsafe { _mm512_cmpneq_epi64_mask(self, other) }
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        unsafe { _mm512_mask_blend_epi64(mask, no, yes) }
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

impl IntegerRegister for __m512i {
    #[inline(always)]
    fn raw(bits: i64) -> Self {
        unsafe { _mm512_set1_epi64(bits) }
    }

    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        unsafe { _mm512_mul_epi32(self, other) }
    }

    #[inline(always)]
    fn high_half(self) -> Self {
        unsafe { _mm512_srli_epi64::<32>(self) }
    }

    #[inline(always)]
    fn low_half(self) -> Self {
        unsafe { _mm512_and_si512(self, _mm512_set1_epi64(0xFFFF_FFFF)) }
    }

    #[inline(always)]
    fn moved_up(self) -> Self {
        unsafe { _mm512_slli_epi64::<32>(self) }
    }
}
