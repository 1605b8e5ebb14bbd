//! The power series of the exponential map, for one float or for several side by side.

use crate::math::lanes::Lanes;
use crate::math::scalar::Scalar;

/// Those of the cosine: each term is the one before times the square over its divisor.
pub(in crate::math) const COSINE: [i32; 4] = [2, 12, 30, 56];
/// Those of the sine over the angle.
pub(in crate::math) const SINE_OVER_ANGLE: [i32; 4] = [6, 20, 42, 72];

/// The square of an angle, in rad^2, below which four terms are enough: what they leave out is below 2^-60.
#[inline(always)]
pub(in crate::math) fn limit<S: Scalar>() -> S {
    S::ONE / S::from_i32(256)
}

/// `1 - square / d1 (1 - square / d2 (1 - ...))`, summed up from the smallest term.
#[inline(always)]
pub(in crate::math) fn sum<L: Lanes>(square: L, divisors: [i32; 4]) -> L {
    let one = L::splat(L::Scalar::ONE);
    let mut sum = one;
    for index in (0..4).rev() {
        let factor = L::Scalar::ONE / L::Scalar::from_i32(divisors[index]);
        sum = one - square * L::splat(factor) * sum;
    }
    sum
}
