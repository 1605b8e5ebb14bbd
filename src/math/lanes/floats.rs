//! Floats in a register: every operation as the scalar has it, lane by lane, and none fused.

use std::ops::{Add, Mul, Neg, Sub};

use crate::math::lanes::register::FloatRegister;
use crate::math::lanes::{Block, Lanes};

/// The floats of a register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Floats<R>(R);

impl<R: FloatRegister> Add for Floats<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }
}

impl<R: FloatRegister> Sub for Floats<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(other.0))
    }
}

impl<R: FloatRegister> Mul for Floats<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.mul(other.0))
    }
}

impl<R: FloatRegister> Neg for Floats<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.negative())
    }
}

impl<R: FloatRegister> Lanes for Floats<R> {
    type Scalar = R::Number;
    type Mask = R::Mask;

    const WIDTH: usize = R::WIDTH;

    #[inline(always)]
    fn splat(value: R::Number) -> Self {
        Self(R::splat(value))
    }

    #[inline(always)]
    fn load(block: &Block<R::Number>, at: usize) -> Self {
        Self(R::load(&block.0[at..at + R::WIDTH]))
    }

    #[inline(always)]
    fn store(self, block: &mut Block<R::Number>, at: usize) {
        self.0.store(&mut block.0[at..at + R::WIDTH]);
    }

    #[inline(always)]
    fn dot2(a: [Self; 2], b: [Self; 2]) -> Self {
        a[0] * b[0] + a[1] * b[1]
    }

    #[inline(always)]
    fn dot3(a: [Self; 3], b: [Self; 3]) -> Self {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        Self(self.0.div(divisor.0))
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> R::Mask {
        self.0.is_above(other.0)
    }

    #[inline(always)]
    fn differs(self, other: Self) -> R::Mask {
        self.0.differs(other.0)
    }

    #[inline(always)]
    fn is_longer2(v: [Self; 2], limit: Self) -> R::Mask {
        (v[0] * v[0] + v[1] * v[1]).is_above(limit * limit)
    }

    #[inline(always)]
    fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self(R::select(mask, yes.0, no.0))
    }

    #[inline(always)]
    fn mask(bits: u8) -> R::Mask {
        R::mask(bits)
    }

    #[inline(always)]
    fn bits(mask: R::Mask) -> u8 {
        R::bits(mask)
    }

    #[inline(always)]
    fn and(a: R::Mask, b: R::Mask) -> R::Mask {
        R::and(a, b)
    }

    #[inline(always)]
    fn or(a: R::Mask, b: R::Mask) -> R::Mask {
        R::or(a, b)
    }

    #[inline(always)]
    fn but_not(a: R::Mask, b: R::Mask) -> R::Mask {
        R::but_not(a, b)
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self(self.0.larger(other.0))
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self(self.0.smaller(other.0))
    }
}
