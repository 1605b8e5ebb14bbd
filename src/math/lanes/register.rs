//! What a register of several numbers can do: one instruction or two each, given by the modules of the machines.

use std::fmt::Debug;

use crate::math::scalar::Scalar;

/// A register of several numbers side by side.
///
/// Every method is `#[inline(always)]`, as those of [`Lanes`](crate::math::lanes::Lanes).
pub trait Register: Copy + Debug {
    /// The number in a lane.
    type Number: Scalar;
    /// A yes or no in each lane.
    type Mask: Copy + Debug;

    /// How many lanes there are.
    const WIDTH: usize;

    /// The same number in every lane.
    fn splat(value: Self::Number) -> Self;

    /// As many numbers as there are lanes.
    fn load(from: &[Self::Number]) -> Self;

    /// Writes as many numbers as there are lanes.
    fn store(self, to: &mut [Self::Number]);

    /// The sums.
    fn add(self, other: Self) -> Self;

    /// The differences.
    fn sub(self, other: Self) -> Self;

    /// Where a number is larger than the other.
    fn is_above(self, other: Self) -> Self::Mask;

    /// Where a number is another than the other.
    fn differs(self, other: Self) -> Self::Mask;

    /// `yes` where the mask says so, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// The mask of the lowest bits, one for each lane.
    fn mask(bits: u8) -> Self::Mask;

    /// The lanes where a mask says yes, as bits.
    fn bits(mask: Self::Mask) -> u8;

    /// Yes where both say so.
    fn and(a: Self::Mask, b: Self::Mask) -> Self::Mask;

    /// Yes where one of them says so.
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask;

    /// Yes where the first says so and the second does not.
    fn but_not(a: Self::Mask, b: Self::Mask) -> Self::Mask;
}

/// A register of floats.
pub trait FloatRegister: Register {
    /// The products.
    fn mul(self, other: Self) -> Self;

    /// The quotients.
    fn div(self, other: Self) -> Self;

    /// The square roots.
    fn root(self) -> Self;

    /// Every sign turned.
    fn negative(self) -> Self;

    /// The larger numbers; `self` where they are equal.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self::select(other.is_above(self), other, self)
    }

    /// The smaller numbers; `self` where they are equal.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self::select(self.is_above(other), other, self)
    }
}
