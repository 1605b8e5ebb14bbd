//! Whether the numbers that were multiplied in lanes for small ones were small.

use crate::math::lanes::Lanes;
use crate::math::mat3::SymMat3;
use crate::math::vec3::Vec3;

/// What is within this magnitude is small: sums of a few products of such are below 2^19, and so exact in lanes for small numbers.
pub const SMALL: u32 = 1 << 8;

/// Tells in which lanes all numbers were small that it has seen. In lanes for numbers of every size it looks at nothing.
///
/// Nothing is missed if every factor of a product is seen before, or is known to be small: the first that is not is told from
/// exact numbers.
#[derive(Clone, Copy, Debug)]
pub struct Watch<L> {
    large: L,
}

impl<L: Lanes> Watch<L> {
    /// One that has seen nothing.
    #[inline(always)]
    #[must_use]
    pub fn new() -> Self {
        Self { large: L::zero() }
    }

    /// Sees a number.
    #[inline(always)]
    pub fn see(&mut self, number: L) {
        self.see_within(SMALL, number);
    }

    /// Sees a number that counts as small up to a limit of its own, a power of two, as what it is multiplied with is smaller or larger.
    #[inline(always)]
    pub fn see_within(&mut self, limit: u32, number: L) {
        self.large = number.note_large(limit, self.large);
    }

    /// Sees two numbers.
    #[inline(always)]
    pub fn see_both(&mut self, numbers: [L; 2]) {
        self.see(numbers[0]);
        self.see(numbers[1]);
    }

    /// Sees a vector.
    #[inline(always)]
    pub fn see_vector(&mut self, vector: Vec3<L>) {
        self.see_vector_within(SMALL, vector);
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
    pub fn see_matrix(&mut self, matrix: SymMat3<L>) {
        self.see_matrix_within(SMALL, matrix);
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
        L::bits(self.large.was_never_large())
    }
}

impl<L: Lanes> Default for Watch<L> {
    #[inline(always)]
    fn default() -> Self {
        Self::new()
    }
}
