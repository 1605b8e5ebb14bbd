//! What a register of several numbers can do: one instruction or two each, given by the modules of the machines.

use std::fmt::Debug;

use crate::math::lanes::LANES;
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

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

    /// The vectors at as many indices as there are lanes.
    #[inline(always)]
    fn gather(from: &[Vec3<Self::Number>], indices: &[u32]) -> [Self; 3] {
        let mut parts = [[Self::Number::ZERO; LANES]; 3];
        for (lane, &index) in indices.iter().enumerate() {
            let Vec3 { x, y, z } = from[index as usize];
            (parts[0][lane], parts[1][lane], parts[2][lane]) = (x, y, z);
        }
        let [x, y, z] = &parts;
        [Self::load(&x[..Self::WIDTH]), Self::load(&y[..Self::WIDTH]), Self::load(&z[..Self::WIDTH])]
    }

    /// Writes the vectors of the lanes in `which` to as many indices, all different.
    #[inline(always)]
    fn scatter(v: [Self; 3], to: &mut [Vec3<Self::Number>], indices: &[u32], which: u8) {
        let mut parts = [[Self::Number::ZERO; LANES]; 3];
        for (part, register) in parts.iter_mut().zip(v) {
            register.store(&mut part[..Self::WIDTH]);
        }
        for (lane, &index) in indices.iter().enumerate() {
            if which >> lane & 1 != 0 {
                to[index as usize] = Vec3::new(parts[0][lane], parts[1][lane], parts[2][lane]);
            }
        }
    }

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
