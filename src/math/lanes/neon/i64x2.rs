//! Two numbers of fixed point in a register of 128 bits.

use std::arch::aarch64::{
    float64x2_t, int64x2_t, uint64x2_t, vaddq_s64, vandq_s64, vandq_u64, vbicq_u64, vbslq_s64, vceqq_s64, vcgtq_s64,
    vdupq_n_s64, vld1q_s64, vmovn_s64, vmull_s32, vorrq_u64, vreinterpretq_s64_u64, vreinterpretq_u64_s64, vshlq_n_s64,
    vshrq_n_u64, vst1q_s64, vsubq_s64,
};

use crate::math::fixed::{Fixed, FixedFraction};
use crate::math::lanes::fixed_points::{FixedPoints, IntegerRegister};
use crate::math::lanes::narrow_points::NarrowPoints;
use crate::math::lanes::narrow_turns::advance;
use crate::math::lanes::register::Register;

impl Register for int64x2_t {
    type Number = Fixed;
    type Mask = uint64x2_t;

    const WIDTH: usize = 2;

    #[inline(always)]
    fn splat(value: Fixed) -> Self {
        // SAFETY: every 64-bit ARM has NEON; so everywhere below.
        unsafe { vdupq_n_s64(value.to_raw()) }
    }

    #[inline(always)]
    fn load(from: &[Fixed]) -> Self {
        assert!(from.len() == Self::WIDTH);
        unsafe { vld1q_s64(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [Fixed]) {
        assert!(to.len() == Self::WIDTH);
        unsafe { vst1q_s64(to.as_mut_ptr().cast(), self) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { vaddq_s64(self, other) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { vsubq_s64(self, other) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { vcgtq_s64(self, other) }
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self::Mask {
        Self::but_not(Self::mask(u8::MAX), unsafe { vceqq_s64(self, other) })
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        unsafe { vbslq_s64(mask, yes, no) }
    }

    #[inline(always)]
    fn mask(bits: u8) -> Self::Mask {
        float64x2_t::mask(bits)
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        float64x2_t::bits(mask)
    }

    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { vandq_u64(a, b) }
    }

    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { vorrq_u64(a, b) }
    }

    #[inline(always)]
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { vbicq_u64(a, b) }
    }
}

impl IntegerRegister for int64x2_t {
    type Narrow = NarrowPoints<float64x2_t>;

    #[inline(always)]
    fn widened(narrow: Self::Narrow) -> FixedPoints<Self> {
        narrow.wide()
    }

    #[inline(always)]
    fn raw(bits: i64) -> Self {
        unsafe { vdupq_n_s64(bits) }
    }

    #[inline(always)]
    fn mul_low(self, other: Self) -> Self {
        unsafe { vmull_s32(vmovn_s64(self), vmovn_s64(other)) }
    }

    #[inline(always)]
    fn high_half(self) -> Self {
        unsafe { vreinterpretq_s64_u64(vshrq_n_u64::<32>(vreinterpretq_u64_s64(self))) }
    }

    #[inline(always)]
    fn low_half(self) -> Self {
        unsafe { vandq_s64(self, vdupq_n_s64(0xFFFF_FFFF)) }
    }

    #[inline(always)]
    fn lowest_bit(self) -> Self {
        unsafe { vandq_s64(self, vdupq_n_s64(1)) }
    }

    #[inline(always)]
    fn advance(
        q: [FixedPoints<Self>; 4],
        omega: [FixedPoints<Self>; 3],
        half_dt: FixedFraction,
    ) -> [FixedPoints<Self>; 4] {
        advance::<float64x2_t>(q, omega, half_dt)
    }

    #[inline(always)]
    fn moved_up(self) -> Self {
        unsafe { vshlq_n_s64::<32>(self) }
    }
}
