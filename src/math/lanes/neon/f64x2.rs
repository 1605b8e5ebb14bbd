//! Two f64 in a register of 128 bits.

use std::arch::aarch64::{
    float64x2_t, int64x2_t, uint64x2_t, vabsq_f64, vaddq_f64, vaddvq_u64, vandq_u64, vbicq_u64, vbslq_f64, vceqq_f64,
    vcgtq_f64, vdivq_f64, vdupq_n_f64, vdupq_n_u64, veorq_u64, vfmaq_f64, vld1q_f64, vld1q_u64, vmulq_f64, vnegq_f64,
    vorrq_u64, vreinterpretq_f64_s64, vreinterpretq_f64_u64, vreinterpretq_s64_f64, vreinterpretq_u64_f64, vsqrtq_f64,
    vst1q_f64, vsubq_f64, vtstq_u64,
};

use crate::math::lanes::narrow_points::FusedRegister;
use crate::math::lanes::register::{FloatRegister, Register};

impl Register for float64x2_t {
    type Number = f64;
    type Mask = uint64x2_t;

    const WIDTH: usize = 2;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        // SAFETY: every 64-bit ARM has NEON; so everywhere below.
        unsafe { vdupq_n_f64(value) }
    }

    #[inline(always)]
    fn load(from: &[f64]) -> Self {
        assert!(from.len() == Self::WIDTH);
        unsafe { vld1q_f64(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f64]) {
        assert!(to.len() == Self::WIDTH);
        unsafe { vst1q_f64(to.as_mut_ptr(), self) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { vaddq_f64(self, other) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { vsubq_f64(self, other) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { vcgtq_f64(self, other) }
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self::Mask {
        Self::but_not(Self::mask(u8::MAX), unsafe { vceqq_f64(self, other) })
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        unsafe { vbslq_f64(mask, yes, no) }
    }

    #[inline(always)]
    fn mask(bits: u8) -> Self::Mask {
        let lanes: [u64; 2] = [1, 2];
        unsafe { vtstq_u64(vdupq_n_u64(u64::from(bits)), vld1q_u64(lanes.as_ptr())) }
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        let lanes: [u64; 2] = [1, 2];
        (unsafe { vaddvq_u64(vandq_u64(mask, vld1q_u64(lanes.as_ptr()))) }) as u8
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

impl FloatRegister for float64x2_t {
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { vmulq_f64(self, other) }
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { vdivq_f64(self, other) }
    }

    #[inline(always)]
    fn root(self) -> Self {
        unsafe { vsqrtq_f64(self) }
    }

    #[inline(always)]
    fn negative(self) -> Self {
        unsafe { vnegq_f64(self) }
    }
}

impl FusedRegister for float64x2_t {
    type Integers = int64x2_t;

    #[inline(always)]
    fn times_plus(self, factor: Self, addend: Self) -> Self {
        unsafe { vfmaq_f64(addend, self, factor) }
    }

    #[inline(always)]
    fn into_bits(self) -> int64x2_t {
        unsafe { vreinterpretq_s64_f64(self) }
    }

    #[inline(always)]
    fn from_bits(bits: int64x2_t) -> Self {
        unsafe { vreinterpretq_f64_s64(bits) }
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        unsafe { vabsq_f64(self) }
    }

    #[inline(always)]
    fn differing_bits(self, other: Self, so_far: Self) -> Self {
        unsafe {
            let differing = veorq_u64(vreinterpretq_u64_f64(self), vreinterpretq_u64_f64(other));
            vreinterpretq_f64_u64(vorrq_u64(vreinterpretq_u64_f64(so_far), differing))
        }
    }
}
