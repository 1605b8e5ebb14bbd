//! Whether the numbers that were multiplied in lanes for small ones were small.

use crate::math::lanes::Lanes;
use crate::math::mat3::SymMat3;
use crate::math::vec3::Vec3;

/// What is within this magnitude is small: sums of up to seven products of such are below 2^19, and so exact in lanes for small numbers.
pub const SMALL: u32 = 1 << 8;
/// What the root of the sum of the squares of many numbers is below if they are small. So are the products of any of them then, summed with
/// others: no sum of products is larger than the roots of both sums of squares, one times the other, which is 2^18.
const TOGETHER: u32 = 2 * SMALL;

/// Tells in which lanes all numbers were small that it has seen. In lanes for numbers of every size it looks at nothing.
///
/// Nothing is missed if every factor of a product is seen before, or is known to be small: the first that is not is told from
/// exact numbers. Squares are only added, one operation for each number; so many numbers of a tenth of the limit are no longer small.
#[derive(Clone, Copy, Debug)]
pub struct Watch<L> {
    /// What tells of numbers that were not small within limits of their own.
    large: L,
    /// The squares of all others, in two sums that do not wait for each other.
    squares: [L; 2],
}

impl<L: Lanes> Watch<L> {
    /// One that has seen nothing.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Self { large: L::zero(), squares: [L::zero(); 2] }
    }

    /// Sees a number.
    #[inline(always)]
    pub fn see(&mut self, number: L) {
        self.squares[0] = number.note_square(self.squares[0]);
    }

    /// Sees a number that counts as small up to a limit of its own, a power of two, as what it is multiplied with is smaller or larger.
    #[inline(always)]
    pub fn see_within(&mut self, limit: u32, number: L) {
        self.large = number.note_large(limit, self.large);
    }

    /// Sees two numbers.
    #[inline(always)]
    pub fn see_both(&mut self, numbers: [L; 2]) {
        for (square, number) in self.squares.iter_mut().zip(numbers) {
            *square = number.note_square(*square);
        }
    }

    /// Sees a vector.
    #[inline(always)]
    pub fn see_vector(&mut self, Vec3 { x, y, z }: Vec3<L>) {
        self.see_both([x, y]);
        self.see(z);
    }

    /// Sees a vector whose components count as small up to a limit of their own, a power of two.
    #[inline(always)]
    pub fn see_vector_within(&mut self, limit: u32, Vec3 { x, y, z }: Vec3<L>) {
        self.see_within(limit, x);
        self.see_within(limit, y);
        self.see_within(limit, z);
    }

    /// Sees a matrix.
    #[inline(always)]
    pub fn see_matrix(&mut self, SymMat3 { xx, yy, zz, xy, xz, yz }: SymMat3<L>) {
        self.see_vector(Vec3::new(xx, yy, zz));
        self.see_vector(Vec3::new(xy, xz, yz));
    }

    /// Sees a matrix whose entries count as small up to a limit of their own, a power of two.
    #[inline(always)]
    pub fn see_matrix_within(&mut self, limit: u32, SymMat3 { xx, yy, zz, xy, xz, yz }: SymMat3<L>) {
        self.see_vector_within(limit, Vec3::new(xx, yy, zz));
        self.see_vector_within(limit, Vec3::new(xy, xz, yz));
    }

    /// The lanes in which all was small, as bits.
    #[inline(always)]
    #[must_use]
    pub fn small_lanes(&self) -> u8 {
        let are_small = (self.squares[0] + self.squares[1]).are_squares_within(TOGETHER);
        L::bits(L::and(self.large.was_never_large(), are_small))
    }
}

impl<L: Lanes> Default for Watch<L> {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}
