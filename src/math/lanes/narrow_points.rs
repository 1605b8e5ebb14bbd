//! Small numbers of fixed point in a register of floats.
//!
//! A number of fixed point that is not large is an f64 exactly, and so is the sum of some. A product is rounded where fixed point has
//! its last place by adding it to a number whose own last place is there, in one fused operation; what that leaves out is found
//! by another, exactly. So every lane has the bits of fixed point, in a third of the instructions that products of 64 bits
//! take.
//!
//! What is multiplied is within [`SMALL`](super::SMALL), or all of it together within twice that, so that sums of products stay below
//! 2^19; what is only added, compared or stored, is below that. A sum that is rounded after each product needs no second operation: it is kept
//! with that number added until it is through.

use std::ops::{Add, Mul, Neg, Sub};

use crate::math::fixed::Fixed;
use crate::math::lanes::fixed_points::{FixedPoints, IntegerRegister};
use crate::math::lanes::register::{FloatRegister, Register};
use crate::math::lanes::{Block, LANES, Lanes};
use crate::math::vec3::Vec3;

/// A register of f64 beside one of as many numbers of fixed point.
pub trait FusedRegister: FloatRegister<Number = f64> {
    /// The register of fixed point.
    type Integers: IntegerRegister<Narrow = NarrowPoints<Self>>;

    /// `self * factor + addend`, rounded once.
    fn times_plus(self, factor: Self, addend: Self) -> Self;

    /// The same bits as integers.
    fn into_bits(self) -> Self::Integers;

    /// Integers as bits.
    fn from_bits(bits: Self::Integers) -> Self;

    /// The magnitudes.
    fn magnitude(self) -> Self;

    /// The bits that are set in `so_far`, or in which the two others differ.
    fn differing_bits(self, other: Self, so_far: Self) -> Self;

    /// A product as fixed point rounds it.
    #[inline(always)]
    fn product(self, factor: Self) -> Self {
        let grid = Self::splat(GRID);
        let rounded = self.times_plus(factor, grid);
        let rest = self.times_plus(factor, grid.sub(rounded));
        rounded.add(rest.add(Self::splat(TIE))).sub(grid)
    }
}

/// The last place of what is added to this is that of fixed point, up to 2^19 in magnitude.
pub(super) const GRID: f64 = (3_u64 << 19) as f64;

/// Half of the last place of a product: with it, none lies in the middle between two numbers of fixed point. Those that did are
/// rounded up, as fixed point does.
const TIE: f64 = 1.0 / (1_u128 << 65) as f64;

/// More than what a handful of roundings changes a number by, as a part of it.
const UNSURE: f64 = 1.0 / (1_u64 << 50) as f64;

/// The numbers of a register, small ones of fixed point.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct NarrowPoints<R>(R);

impl<R: FusedRegister> NarrowPoints<R> {
    /// The numbers of this register.
    #[inline(always)]
    pub(super) const fn of(register: R) -> Self {
        Self(register)
    }

    /// Their register.
    #[inline(always)]
    pub(super) const fn register(self) -> R {
        self.0
    }

    /// The same numbers among those of every size.
    #[inline(always)]
    pub(super) fn wide(self) -> FixedPoints<R::Integers> {
        let grid = R::splat(GRID);
        FixedPoints::of(self.0.add(grid).into_bits().sub(grid.into_bits()))
    }

    /// These numbers, if they are below 2^19 in magnitude; else some that are not, or that are not numbers.
    #[inline(always)]
    pub(super) fn of_wide(numbers: FixedPoints<R::Integers>) -> Self {
        let grid = R::splat(GRID);
        Self(R::from_bits(numbers.register().add(grid.into_bits())).sub(grid))
    }

    /// The numbers of fixed point nearest to some that are known but for a few roundings of numbers of this magnitude; `None` where one
    /// may be nearest to another, in the middle between two or too large.
    #[inline(always)]
    fn nearest(numbers: R, magnitudes: R) -> Option<Self> {
        let (grid, half_of_a_place) = (R::splat(GRID), R::splat(TIE * (1_u64 << 32) as f64));
        let rounded = numbers.add(grid).sub(grid);
        let from_middle = numbers.sub(rounded).magnitude().sub(half_of_a_place).magnitude();
        let is_told = from_middle.is_above(magnitudes.mul(R::splat(UNSURE)));
        let is_sure = R::and(is_told, R::splat(GRID / 3.0).is_above(magnitudes));
        if R::bits(is_sure) == R::bits(R::mask(u8::MAX)) { Some(Self(rounded)) } else { None }
    }

    /// The sum of some products, as fixed point rounds it: `rounded` is what has been added to the grid, `rest` what that left out.
    #[inline(always)]
    fn rounded(rounded: R, rest: R) -> Self {
        Self(rounded.add(rest).sub(R::splat(GRID)))
    }
}

impl<R: FusedRegister> Add for NarrowPoints<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }
}

impl<R: FusedRegister> Sub for NarrowPoints<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(other.0))
    }
}

impl<R: FusedRegister> Mul for NarrowPoints<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.product(other.0))
    }
}

impl<R: FusedRegister> Neg for NarrowPoints<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.negative())
    }
}

impl<R: FusedRegister> Lanes for NarrowPoints<R> {
    type Scalar = Fixed;
    type Mask = R::Mask;
    type Narrow = Self;
    type Sum = R;

    const WIDTH: usize = R::WIDTH;
    const IS_NARROW: bool = true;

    #[inline(always)]
    fn widened(narrow: Self) -> Self {
        narrow
    }

    #[inline(always)]
    fn splat(value: Fixed) -> Self {
        Self::of_wide(FixedPoints::splat(value))
    }

    #[inline(always)]
    fn load(block: &Block<Fixed>, at: usize) -> Self {
        Self::of_wide(FixedPoints::load(block, at))
    }

    #[inline(always)]
    fn store(self, block: &mut Block<Fixed>, at: usize) {
        self.wide().store(block, at);
    }

    #[inline(always)]
    fn dot2(a: [Self; 2], b: [Self; 2]) -> Self {
        let grid = R::splat(GRID);
        let one = a[0].0.times_plus(b[0].0, grid);
        let two = a[1].0.times_plus(b[1].0, one);
        let rest_of_one = a[0].0.times_plus(b[0].0, grid.sub(one));
        let rest_of_two = a[1].0.times_plus(b[1].0, one.sub(two));
        Self::rounded(two, rest_of_one.add(rest_of_two.add(R::splat(TIE))))
    }

    #[inline(always)]
    fn dot3(a: [Self; 3], b: [Self; 3]) -> Self {
        let grid = R::splat(GRID);
        let one = a[0].0.times_plus(b[0].0, grid);
        let two = a[1].0.times_plus(b[1].0, one);
        let three = a[2].0.times_plus(b[2].0, two);
        let rest_of_one = a[0].0.times_plus(b[0].0, grid.sub(one));
        let rest_of_two = a[1].0.times_plus(b[1].0, one.sub(two));
        let rest_of_three = a[2].0.times_plus(b[2].0, two.sub(three));
        Self::rounded(three, rest_of_one.add(rest_of_two).add(rest_of_three.add(R::splat(TIE))))
    }

    #[inline(always)]
    fn begin_sum(self) -> R {
        self.0.add(R::splat(GRID))
    }

    #[inline(always)]
    fn plus_product(sum: R, a: Self, b: Self) -> R {
        a.0.times_plus(b.0, sum)
    }

    #[inline(always)]
    fn end_sum(sum: R) -> Self {
        Self(sum.sub(R::splat(GRID)))
    }

    #[inline(always)]
    fn length3(v: [Self; 3]) -> Self {
        let [x, y, z] = [v[0].0, v[1].0, v[2].0];
        let length = x.times_plus(x, y.times_plus(y, z.mul(z))).root();
        match Self::nearest(length, length) {
            Some(length) => length,
            None => Self::of_wide(FixedPoints::length3([v[0].wide(), v[1].wide(), v[2].wide()])),
        }
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        let quotient = self.0.div(divisor.0);
        match Self::nearest(quotient, quotient.magnitude()) {
            Some(quotient) => quotient,
            None => Self::of_wide(self.wide().over(divisor.wide())),
        }
    }

    /// Added to one and a half times a power of two, what is small leaves sign and exponent as they are.
    #[inline(always)]
    fn note_large(self, limit: u32, so_far: Self) -> Self {
        let middle = R::splat(f64::from(3 * limit));
        Self(self.0.add(middle).differing_bits(middle, so_far.0))
    }

    #[inline(always)]
    fn was_never_large(self) -> R::Mask {
        let (bits, mantissa) = (self.0.into_bits(), R::Integers::raw((1 << 52) - 1));
        let has_more = R::Integers::or(R::Integers::raw(0).is_above(bits), bits.is_above(mantissa));
        R::mask(!R::Integers::bits(has_more))
    }

    #[inline(always)]
    fn note_square(self, so_far: Self) -> Self {
        Self(self.0.times_plus(self.0, so_far.0))
    }

    #[inline(always)]
    fn are_squares_within(self, limit: u32) -> R::Mask {
        R::splat(f64::from(limit) * f64::from(limit)).is_above(self.0)
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> R::Mask {
        self.0.is_above(other.0)
    }

    #[inline(always)]
    fn differs(self, other: Self) -> R::Mask {
        self.0.differs(other.0)
    }

    /// What is no longer by the sum of its magnitudes needs no squares; and where these differ by more than they are rounded, they
    /// tell.
    #[inline(always)]
    fn is_longer2(v: [Self; 2], limit: Self) -> R::Mask {
        let may_be_longer = (v[0].magnitude() + v[1].magnitude()).is_above(limit);
        if !Self::any(may_be_longer) {
            return may_be_longer;
        }
        let (square, square_of_limit) = (v[0].0.times_plus(v[0].0, v[1].0.mul(v[1].0)), limit.0.mul(limit.0));
        let (excess, error) = (square.sub(square_of_limit), square.add(square_of_limit).mul(R::splat(UNSURE)));
        let is_longer = excess.is_above(error);
        let is_told = R::or(is_longer, error.negative().is_above(excess));
        if !Self::any(R::but_not(may_be_longer, is_told)) {
            return R::and(may_be_longer, is_longer);
        }
        let longer = FixedPoints::is_longer2([v[0].wide(), v[1].wide()], limit.wide());
        R::mask(FixedPoints::<R::Integers>::bits(longer))
    }

    #[inline(always)]
    fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self(R::select(mask, yes.0, no.0))
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self(self.0.larger(other.0))
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self(self.0.smaller(other.0))
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        Self(self.0.magnitude())
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
        let Vec3 { x, y, z } = FixedPoints::<R::Integers>::gather(from, indices, at);
        Vec3::new(Self::of_wide(x), Self::of_wide(y), Self::of_wide(z))
    }

    #[inline(always)]
    fn scatter(v: Vec3<Self>, to: &mut [Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize, which: u8) {
        FixedPoints::<R::Integers>::scatter(Vec3::new(v.x.wide(), v.y.wide(), v.z.wide()), to, indices, at, which);
    }
}
