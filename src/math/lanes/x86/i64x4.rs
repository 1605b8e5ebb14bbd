//! Four numbers of fixed point in a register of 256 bits, with AVX2.

use std::arch::x86_64::{
    __m256d, __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_castpd_si256,
    _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_cmpgt_epi64, _mm256_loadu_si256, _mm256_movemask_pd,
    _mm256_mul_epi32, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_slli_epi64, _mm256_srli_epi64,
    _mm256_storeu_si256, _mm256_sub_epi64, _mm256_xor_si256,
};

use crate::math::fixed::{Fixed, FixedFraction};
use crate::math::lanes::fixed_points::{FixedPoints, IntegerRegister};
use crate::math::lanes::narrow_points::NarrowPoints;
use crate::math::lanes::narrow_turns::advance;
use crate::math::lanes::native::vectors::{gather_4, scatter_4};
use crate::math::lanes::register::Register;
use crate::math::vec3::Vec3;

impl Register for __m256i {
    type Number = Fixed;
    type Mask = __m256i;

    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(value: Fixed) -> Self {
        // SAFETY: see the module of x86-64; so everywhere below.
        unsafe { _mm256_set1_epi64x(value.to_raw()) }
    }

    #[inline(always)]
    fn load(from: &[Fixed]) -> Self {
        assert!(from.len() == Self::WIDTH);
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [Fixed]) {
        assert!(to.len() == Self::WIDTH);
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self) }
    }

    #[inline(always)]
    fn gather(from: &[Vec3<Fixed>], indices: &[u32]) -> [Self; 3] {
        let [x, y, z] = gather_4(from, indices);
        unsafe { [_mm256_castpd_si256(x), _mm256_castpd_si256(y), _mm256_castpd_si256(z)] }
    }

    #[inline(always)]
    fn scatter([x, y, z]: [Self; 3], to: &mut [Vec3<Fixed>], indices: &[u32], which: u8) {
        let v = unsafe { [_mm256_castsi256_pd(x), _mm256_castsi256_pd(y), _mm256_castsi256_pd(z)] };
        scatter_4(v, to, indices, which);
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { _mm256_add_epi64(self, other) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { _mm256_sub_epi64(self, other) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { _mm256_cmpgt_epi64(self, other) }
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self::Mask {
        unsafe { _mm256_xor_si256(_mm256_cmpeq_epi64(self, other), _mm256_set1_epi64x(-1)) }
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        unsafe { _mm256_blendv_epi8(no, yes, mask) }
    }

    #[inline(always)]
    fn mask(bits: u8) -> Self::Mask {
        unsafe {
            let lanes = _mm256_setr_epi64x(1, 2, 4, 8);
            let set = _mm256_and_si256(_mm256_set1_epi64x(i64::from(bits)), lanes);
            _mm256_cmpeq_epi64(set, lanes)
        }
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        (unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(mask)) }) as u8
    }

    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm256_or_si256(a, b) }
    }

    #[inline(always)]
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { _mm256_andnot_si256(b, a) }
    }
}

impl IntegerRegister for __m256i {
    type Narrow = NarrowPoints<__m256d>;

    #[inline(always)]
    fn widened(narrow: Self::Narrow) -> FixedPoints<Self> {
        narrow.wide()
    }

    #[inline(always)]
    fn raw(bits: i64) -> Self {
        unsafe { _mm256_set1_epi64x(bits) }
    }

    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        unsafe { _mm256_mul_epi32(self, other) }
    }

    #[inline(always)]
    fn high_half(self) -> Self {
        unsafe { _mm256_srli_epi64::<32>(self) }
    }

    #[inline(always)]
    fn low_half(self) -> Self {
        unsafe { _mm256_and_si256(self, _mm256_set1_epi64x(0xFFFF_FFFF)) }
    }

    #[inline(always)]
    fn lowest_bit(self) -> Self {
        unsafe { _mm256_and_si256(self, _mm256_set1_epi64x(1)) }
    }

    #[inline(always)]
    fn advance(
        q: [FixedPoints<Self>; 4],
        omega: [FixedPoints<Self>; 3],
        half_dt: FixedFraction,
    ) -> [FixedPoints<Self>; 4] {
        advance::<__m256d>(q, omega, half_dt)
    }

    #[inline(always)]
    fn moved_up(self) -> Self {
        unsafe { _mm256_slli_epi64::<32>(self) }
    }
}
