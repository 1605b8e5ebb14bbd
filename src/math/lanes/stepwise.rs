//! Lanes in which sums of products are rounded after each product, for what is solved in passes.
//!
//! In fixed point a product costs most where it is to be exact: a sum that is rounded once needs the parts below the last place of all its
//! products. Rounded after each, ties to the even sum, every step is one fused operation of a machine that has such, and a row of the
//! solver is as cheap as in f64. What is left out are some halves of the last place, 1e-10 m/s.

use std::ops::{Add, Mul, Neg, Sub};

use crate::math::lanes::{Block, LANES, LaneTask, Lanes};
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

/// The same lanes, but that products and sums of them are [`sum_in_steps`](Lanes::sum_in_steps). Floats are rounded so anyway.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Stepwise<L>(L);

/// A task to be done in such lanes.
pub struct InSteps<T>(pub T);

impl<S: Scalar, T: LaneTask<S>> LaneTask<S> for InSteps<T> {
    type Output = T::Output;

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) -> T::Output {
        self.0.run::<Stepwise<L>>()
    }
}

impl<L: Lanes> Stepwise<L> {
    #[inline(always)]
    fn inner<const N: usize>(numbers: [Self; N]) -> [L; N] {
        let mut inner = [L::zero(); N];
        for index in 0..N {
            inner[index] = numbers[index].0;
        }
        inner
    }
}

impl<L: Lanes> Add for Stepwise<L> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl<L: Lanes> Sub for Stepwise<L> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl<L: Lanes> Mul for Stepwise<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(L::sum_in_steps([self.0], [other.0]))
    }
}

impl<L: Lanes> Neg for Stepwise<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<L: Lanes> Lanes for Stepwise<L> {
    type Scalar = L::Scalar;
    type Mask = L::Mask;
    type Narrow = Stepwise<L::Narrow>;
    type Sum = L::Sum;

    const WIDTH: usize = L::WIDTH;
    const IS_NARROW: bool = L::IS_NARROW;

    #[inline(always)]
    fn widened(narrow: Self::Narrow) -> Self {
        Self(L::widened(narrow.0))
    }

    #[inline(always)]
    fn splat(value: L::Scalar) -> Self {
        Self(L::splat(value))
    }

    #[inline(always)]
    fn load(block: &Block<L::Scalar>, at: usize) -> Self {
        Self(L::load(block, at))
    }

    #[inline(always)]
    fn store(self, block: &mut Block<L::Scalar>, at: usize) {
        self.0.store(block, at);
    }

    #[inline(always)]
    fn dot2(a: [Self; 2], b: [Self; 2]) -> Self {
        Self::sum_in_steps(a, b)
    }

    #[inline(always)]
    fn dot3(a: [Self; 3], b: [Self; 3]) -> Self {
        Self::sum_in_steps(a, b)
    }

    #[inline(always)]
    fn begin_sum(self) -> L::Sum {
        self.0.begin_sum()
    }

    #[inline(always)]
    fn plus_product(sum: L::Sum, a: Self, b: Self) -> L::Sum {
        L::plus_product(sum, a.0, b.0)
    }

    #[inline(always)]
    fn end_sum(sum: L::Sum) -> Self {
        Self(L::end_sum(sum))
    }

    #[inline(always)]
    fn sum_in_steps<const N: usize>(a: [Self; N], b: [Self; N]) -> Self {
        Self(L::sum_in_steps(Self::inner(a), Self::inner(b)))
    }

    #[inline(always)]
    fn length3(v: [Self; 3]) -> Self {
        Self(L::length3(Self::inner(v)))
    }

    #[inline(always)]
    fn note_large(self, limit: u32, so_far: Self) -> Self {
        Self(self.0.note_large(limit, so_far.0))
    }

    #[inline(always)]
    fn was_never_large(self) -> L::Mask {
        self.0.was_never_large()
    }

    #[inline(always)]
    fn note_square(self, so_far: Self) -> Self {
        Self(self.0.note_square(so_far.0))
    }

    #[inline(always)]
    fn are_squares_within(self, limit: u32) -> L::Mask {
        self.0.are_squares_within(limit)
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> L::Mask {
        self.0.is_above(other.0)
    }

    #[inline(always)]
    fn differs(self, other: Self) -> L::Mask {
        self.0.differs(other.0)
    }

    #[inline(always)]
    fn is_longer2(v: [Self; 2], limit: Self) -> L::Mask {
        L::is_longer2(Self::inner(v), limit.0)
    }

    #[inline(always)]
    fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self(L::select(mask, yes.0, no.0))
    }

    #[inline(always)]
    fn mask(bits: u8) -> L::Mask {
        L::mask(bits)
    }

    #[inline(always)]
    fn bits(mask: L::Mask) -> u8 {
        L::bits(mask)
    }

    #[inline(always)]
    fn and(a: L::Mask, b: L::Mask) -> L::Mask {
        L::and(a, b)
    }

    #[inline(always)]
    fn or(a: L::Mask, b: L::Mask) -> L::Mask {
        L::or(a, b)
    }

    #[inline(always)]
    fn but_not(a: L::Mask, b: L::Mask) -> L::Mask {
        L::but_not(a, b)
    }

    #[inline(always)]
    fn gather(from: &[Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize) -> Vec3<Self> {
        let Vec3 { x, y, z } = L::gather(from, indices, at);
        Vec3::new(Self(x), Self(y), Self(z))
    }

    #[inline(always)]
    fn scatter(v: Vec3<Self>, to: &mut [Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize, which: u8) {
        L::scatter(Vec3::new(v.x.0, v.y.0, v.z.0), to, indices, at, which);
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
    fn over(self, divisor: Self) -> Self {
        Self(self.0.over(divisor.0))
    }

    #[inline(always)]
    fn advance(q: [Self; 4], omega: [Self; 3], half_dt: <L::Scalar as Scalar>::Fraction) -> [Self; 4] {
        let [w, x, y, z] = L::advance(Self::inner(q), Self::inner(omega), half_dt);
        [Self(w), Self(x), Self(y), Self(z)]
    }

    #[inline(always)]
    fn held_within(v: [Self; 2], limit: Self, which: L::Mask) -> [Self; 2] {
        let [x, y] = L::held_within(Self::inner(v), limit.0, which);
        [Self(x), Self(y)]
    }
}
