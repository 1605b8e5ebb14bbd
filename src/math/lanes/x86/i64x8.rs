//! Eight numbers of fixed point in a register of 512 bits, with AVX-512.

use std::arch::x86_64::{
    __m512d, __m512i, __mmask8, _CMP_LT_OQ, _mm512_abs_epi64, _mm512_add_epi64, _mm512_add_pd, _mm512_and_si512,
    _mm512_castpd_si512, _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_cmpge_epi64_mask, _mm512_cmpgt_epi64_mask,
    _mm512_cmple_epi64_mask, _mm512_cmplt_epi64_mask, _mm512_cmplt_epu64_mask, _mm512_cmpneq_epi64_mask,
    _mm512_cvtepu64_pd, _mm512_cvttpd_epi64, _mm512_div_pd, _mm512_loadu_si512, _mm512_mask_add_epi64,
    _mm512_mask_blend_epi64, _mm512_mask_sub_epi64, _mm512_movepi64_mask, _mm512_mul_epi32, _mm512_mul_pd,
    _mm512_mullo_epi64, _mm512_or_si512, _mm512_set1_epi64, _mm512_set1_pd, _mm512_slli_epi64, _mm512_sqrt_pd,
    _mm512_srai_epi64, _mm512_srli_epi64, _mm512_storeu_si512, _mm512_sub_epi64, _mm512_xor_si512,
};

use crate::math::fixed::division::{DENOMINATOR_LIMIT, SEED_LIMIT};
use crate::math::fixed::vector::SCALED_BITS;
use crate::math::fixed::{Fixed, FixedFraction};
use crate::math::lanes::fixed_points::{FixedPoints, IntegerRegister};
use crate::math::lanes::narrow_points::NarrowPoints;
use crate::math::lanes::narrow_turns::advance;
use crate::math::lanes::native::vectors::{gather_8, scatter_8};
use crate::math::lanes::register::Register;
use crate::math::vec3::Vec3;

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
    fn gather(from: &[Vec3<Fixed>], indices: &[u32]) -> [Self; 3] {
        let [x, y, z] = gather_8(from, indices);
        unsafe { [_mm512_castpd_si512(x), _mm512_castpd_si512(y), _mm512_castpd_si512(z)] }
    }

    #[inline(always)]
    fn scatter([x, y, z]: [Self; 3], to: &mut [Vec3<Fixed>], indices: &[u32], which: u8) {
        let v = unsafe { [_mm512_castsi512_pd(x), _mm512_castsi512_pd(y), _mm512_castsi512_pd(z)] };
        scatter_8(v, to, indices, which);
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
    type Narrow = NarrowPoints<__m512d>;

    #[inline(always)]
    fn widened(narrow: Self::Narrow) -> FixedPoints<Self> {
        narrow.wide()
    }

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
    fn lowest_bit(self) -> Self {
        unsafe { _mm512_and_si512(self, _mm512_set1_epi64(1)) }
    }

    #[inline(always)]
    fn advance(
        q: [FixedPoints<Self>; 4],
        omega: [FixedPoints<Self>; 3],
        half_dt: FixedFraction,
    ) -> [FixedPoints<Self>; 4] {
        advance::<__m512d>(q, omega, half_dt)
    }

    #[inline(always)]
    fn moved_up(self) -> Self {
        unsafe { _mm512_slli_epi64::<32>(self) }
    }

    #[inline(always)]
    fn upper_products(self, other: Self, [high, high_of_other]: [Self; 2]) -> [Self; 2] {
        unsafe {
            // With its sign, times all of the other: the lowest 64 bits of that are what counts of the upper and one mixed product.
            let high = _mm512_srai_epi64::<32>(_mm512_slli_epi64::<32>(high));
            [Self::raw(0), _mm512_add_epi64(_mm512_mullo_epi64(high, other), self.mul_low(high_of_other))]
        }
    }

    /// As [`Fixed`] divides: a seed in `f64`, taken up or down by one until twice the remainder is within a divisor.
    #[inline(always)]
    fn quotients(self, divisors: Self) -> (Self, Self::Mask) {
        unsafe {
            let (above, below) = (_mm512_abs_epi64(self), _mm512_abs_epi64(divisors));
            let scaled = _mm512_mul_pd(_mm512_cvtepu64_pd(above), _mm512_set1_pd((1_u64 << 32) as f64));
            let seed = _mm512_div_pd(scaled, _mm512_cvtepu64_pd(below));
            let is_safe = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(seed, _mm512_set1_pd(SEED_LIMIT))
                & _mm512_cmplt_epu64_mask(below, Self::raw(DENOMINATOR_LIMIT as i64));
            let candidate = _mm512_cvttpd_epi64(_mm512_add_pd(seed, _mm512_set1_pd(0.5)));
            let taken = _mm512_mullo_epi64(candidate, _mm512_slli_epi64::<1>(below));
            let twice_remainder = _mm512_sub_epi64(_mm512_slli_epi64::<33>(above), taken);
            let (one, zero) = (Self::raw(1), Self::raw(0));
            let too_low = _mm512_cmpge_epi64_mask(twice_remainder, below);
            let too_high = _mm512_cmplt_epi64_mask(twice_remainder, _mm512_sub_epi64(zero, below));
            let raised = _mm512_mask_add_epi64(candidate, too_low, candidate, one);
            let quotient = _mm512_mask_sub_epi64(raised, too_high, raised, one);
            let is_negative = _mm512_movepi64_mask(_mm512_xor_si512(self, divisors));
            (_mm512_mask_sub_epi64(quotient, is_negative, zero, quotient), is_safe)
        }
    }

    /// As [`Fixed`] finds them, of vectors that are short enough for a seed in `f64`.
    #[inline(always)]
    fn lengths(v: [Self; 3]) -> (Self, Self::Mask) {
        unsafe {
            let (zero, one) = (Self::raw(0), Self::raw(1));
            let (mut bits, mut squares, mut sum) = (zero, zero, _mm512_set1_pd(0.0));
            for component in v {
                let magnitude = _mm512_abs_epi64(component);
                let float = _mm512_cvtepu64_pd(magnitude);
                bits = _mm512_or_si512(bits, magnitude);
                squares = _mm512_add_epi64(squares, _mm512_mullo_epi64(magnitude, magnitude));
                sum = _mm512_add_pd(sum, _mm512_mul_pd(float, float));
            }
            let is_short = _mm512_cmplt_epu64_mask(bits, Self::raw(1 << SCALED_BITS));
            let seed = _mm512_sqrt_pd(sum);
            let candidate = _mm512_cvttpd_epi64(_mm512_add_pd(seed, _mm512_set1_pd(0.5)));
            // The squares wrap, and their difference does not.
            let remainder = _mm512_sub_epi64(squares, _mm512_mullo_epi64(candidate, candidate));
            let too_low = _mm512_cmpgt_epi64_mask(remainder, candidate);
            let too_high = _mm512_cmple_epi64_mask(remainder, _mm512_sub_epi64(zero, candidate))
                & _mm512_cmpgt_epi64_mask(candidate, zero);
            let raised = _mm512_mask_add_epi64(candidate, too_low, candidate, one);
            (_mm512_mask_sub_epi64(raised, too_high, raised, one), is_short)
        }
    }
}
