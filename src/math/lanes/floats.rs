//! Floats in a register: every operation as the scalar has it, lane by lane, and none fused.

use std::ops::{Add, Mul, Neg, Sub};

use crate::math::float::{Float, series};
use crate::math::lanes::register::FloatRegister;
use crate::math::lanes::{Block, LANES, Lanes, advance_one_by_one, length_one_by_one};
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

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

impl<R: FloatRegister<Number: Float>> Lanes for Floats<R> {
    type Scalar = R::Number;
    type Mask = R::Mask;
    type Narrow = Self;
    type Sum = Self;

    const WIDTH: usize = R::WIDTH;
    const IS_NARROW: bool = false;

    #[inline(always)]
    fn widened(narrow: Self) -> Self {
        narrow
    }

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
    fn begin_sum(self) -> Self {
        self
    }

    #[inline(always)]
    fn plus_product(sum: Self, a: Self, b: Self) -> Self {
        sum + a * b
    }

    #[inline(always)]
    fn end_sum(sum: Self) -> Self {
        sum
    }

    #[inline(always)]
    fn sum_in_steps<const N: usize>(a: [Self; N], b: [Self; N]) -> Self {
        let mut sum = a[0] * b[0];
        for index in 1..N {
            sum = sum + a[index] * b[index];
        }
        sum
    }

    #[inline(always)]
    fn length3(v: [Self; 3]) -> Self {
        let (square, zero) = (Self::dot3(v, v), Self::zero());
        let (least, most) = (Self::splat(R::Number::SAFE_SQUARE), Self::splat(R::Number::MAX));
        let is_beyond = R::or(least.is_above(square), R::but_not(R::mask(u8::MAX), most.is_above(square)));
        let is_something = R::or(v[0].differs(zero), R::or(v[1].differs(zero), v[2].differs(zero)));
        if Self::any(R::and(is_beyond, is_something)) {
            return length_one_by_one(v);
        }
        Self(square.0.root())
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
    fn gather(from: &[Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize) -> Vec3<Self> {
        let [x, y, z] = R::gather(from, &indices[at..at + R::WIDTH]);
        Vec3::new(Self(x), Self(y), Self(z))
    }

    #[inline(always)]
    fn scatter(v: Vec3<Self>, to: &mut [Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize, which: u8) {
        R::scatter([v.x.0, v.y.0, v.z.0], to, &indices[at..at + R::WIDTH], which);
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self(self.0.larger(other.0))
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self(self.0.smaller(other.0))
    }

    /// The operations of the scalar, where every lane turns by less than 7 degrees and has nearly length one.
    #[inline(always)]
    fn advance(q: [Self; 4], omega: [Self; 3], half_dt: <R::Number as Scalar>::Fraction) -> [Self; 4] {
        let half = Self::splat(R::Number::ONE.mul_fraction(half_dt));
        let [x, y, z] = omega;
        let (x, y, z) = (x * half, y * half, z * half);
        let square = Self::dot3([x, y, z], [x, y, z]);
        let is_small = Self::splat(series::limit()).is_above(square);
        let cosine = series::sum(square, series::COSINE);
        let ratio = series::sum(square, series::SINE_OVER_ANGLE);
        let (x, y, z) = (x * ratio, y * ratio, z * ratio);
        let turned = [
            dot4([cosine, -x, -y, -z], [q[0], q[1], q[2], q[3]]),
            dot4([cosine, x, y, -z], [q[1], q[0], q[3], q[2]]),
            dot4([cosine, y, z, -x], [q[2], q[0], q[1], q[3]]),
            dot4([cosine, z, x, -y], [q[3], q[0], q[2], q[1]]),
        ];
        let square = dot4(turned, turned);
        let is_near_one =
            R::and(square.is_above(Self::splat(R::Number::HALF)), Self::splat(R::Number::TWO).is_above(square));
        if R::bits(R::and(is_small, is_near_one)) != R::bits(R::mask(u8::MAX)) {
            return advance_one_by_one(q, omega, half_dt);
        }
        let none = Self::zero();
        let turns = R::or(omega[0].differs(none), R::or(omega[1].differs(none), omega[2].differs(none)));
        let length = Self(square.0.root());
        [
            Self::select(turns, turned[0].over(length), q[0]),
            Self::select(turns, turned[1].over(length), q[1]),
            Self::select(turns, turned[2].over(length), q[2]),
            Self::select(turns, turned[3].over(length), q[3]),
        ]
    }
}

/// The sum of four products.
#[inline(always)]
fn dot4<R: FloatRegister>(a: [Floats<R>; 4], b: [Floats<R>; 4]) -> Floats<R> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}
