//! Four f32 in a register of 128 bits.

use std::arch::aarch64::{
    float32x4_t, uint32x4_t, vaddq_f32, vaddvq_u32, vandq_u32, vbicq_u32, vbslq_f32, vceqq_f32, vcgtq_f32, vdivq_f32,
    vdupq_n_f32, vdupq_n_u32, vld1q_f32, vld1q_u32, vmulq_f32, vnegq_f32, vorrq_u32, vsqrtq_f32, vst1q_f32, vsubq_f32,
    vtstq_u32,
};

use crate::math::lanes::register::{FloatRegister, Register};

impl Register for float32x4_t {
    type Number = f32;
    type Mask = uint32x4_t;

    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: every 64-bit ARM has NEON; so everywhere below.
        unsafe { vdupq_n_f32(value) }
    }

    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        assert!(from.len() == Self::WIDTH);
        unsafe { vld1q_f32(from.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        assert!(to.len() == Self::WIDTH);
        unsafe { vst1q_f32(to.as_mut_ptr(), self) }
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { vaddq_f32(self, other) }
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { vsubq_f32(self, other) }
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> Self::Mask {
        unsafe { vcgtq_f32(self, other) }
    }

    #[inline(always)]
    fn differs(self, other: Self) -> Self::Mask {
        Self::but_not(Self::mask(u8::MAX), unsafe { vceqq_f32(self, other) })
    }

    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        unsafe { vbslq_f32(mask, yes, no) }
    }

    #[inline(always)]
    fn mask(bits: u8) -> Self::Mask {
        let lanes: [u32; 4] = [1, 2, 4, 8];
        unsafe { vtstq_u32(vdupq_n_u32(u32::from(bits)), vld1q_u32(lanes.as_ptr())) }
    }

    #[inline(always)]
    fn bits(mask: Self::Mask) -> u8 {
        let lanes: [u32; 4] = [1, 2, 4, 8];
        (unsafe { vaddvq_u32(vandq_u32(mask, vld1q_u32(lanes.as_ptr()))) }) as u8
    }

    #[inline(always)]
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { vandq_u32(a, b) }
    }

    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { vorrq_u32(a, b) }
    }

    #[inline(always)]
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        unsafe { vbicq_u32(a, b) }
    }
}

impl FloatRegister for float32x4_t {
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { vmulq_f32(self, other) }
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { vdivq_f32(self, other) }
    }

    #[inline(always)]
    fn root(self) -> Self {
        unsafe { vsqrtq_f32(self) }
    }

    #[inline(always)]
    fn negative(self) -> Self {
        unsafe { vnegq_f32(self) }
    }
}
