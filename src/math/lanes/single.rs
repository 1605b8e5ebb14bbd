//! A scalar as its own single lane.

use crate::math::lanes::{Block, LANES, Lanes};
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

impl<S: Scalar> Lanes for S {
    type Scalar = S;
    type Mask = bool;
    type Narrow = S;
    type Sum = Self;

    const WIDTH: usize = 1;
    const IS_NARROW: bool = false;

    #[inline(always)]
    fn widened(narrow: S) -> S {
        narrow
    }

    #[inline(always)]
    fn splat(value: S) -> Self {
        value
    }

    #[inline(always)]
    fn load(block: &Block<S>, at: usize) -> Self {
        block.0[at]
    }

    #[inline(always)]
    fn store(self, block: &mut Block<S>, at: usize) {
        block.0[at] = self;
    }

    #[inline(always)]
    fn dot2(a: [Self; 2], b: [Self; 2]) -> Self {
        <S as Scalar>::dot2(a, b)
    }

    #[inline(always)]
    fn dot3(a: [Self; 3], b: [Self; 3]) -> Self {
        <S as Scalar>::dot3(a, b)
    }

    #[inline(always)]
    fn begin_sum(self) -> Self {
        self
    }

    #[inline(always)]
    fn plus_product(sum: Self, a: Self, b: Self) -> Self {
        <S as Scalar>::plus_product(sum, a, b)
    }

    #[inline(always)]
    fn end_sum(sum: Self) -> Self {
        sum
    }

    #[inline(always)]
    fn sum_in_steps<const N: usize>(a: [Self; N], b: [Self; N]) -> Self {
        <S as Scalar>::sum_in_steps(a, b)
    }

    #[inline(always)]
    fn length3(v: [Self; 3]) -> Self {
        <S as Scalar>::length3(v)
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        self / divisor
    }

    #[inline(always)]
    fn held_within(v: [Self; 2], limit: Self, _which: bool) -> [Self; 2] {
        let length = S::length3([v[0], v[1], S::ZERO]);
        if length > limit {
            let part = limit / length;
            return [v[0] * part, v[1] * part];
        }
        v
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> bool {
        self > other
    }

    #[inline(always)]
    fn differs(self, other: Self) -> bool {
        self != other
    }

    #[inline(always)]
    fn is_longer2(v: [Self; 2], limit: Self) -> bool {
        <S as Scalar>::is_longer2(v, limit)
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn mask(bits: u8) -> bool {
        bits & 1 != 0
    }

    #[inline(always)]
    fn bits(mask: bool) -> u8 {
        u8::from(mask)
    }

    #[inline(always)]
    fn and(a: bool, b: bool) -> bool {
        a && b
    }

    #[inline(always)]
    fn or(a: bool, b: bool) -> bool {
        a || b
    }

    #[inline(always)]
    fn but_not(a: bool, b: bool) -> bool {
        a && !b
    }

    #[inline(always)]
    fn gather(from: &[Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize) -> Vec3<Self> {
        from[indices[at] as usize]
    }

    #[inline(always)]
    fn scatter(v: Vec3<Self>, to: &mut [Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize, which: u8) {
        if which & 1 != 0 {
            to[indices[at] as usize] = v;
        }
    }
}
