//! Numbers in memory for lanes: one for each of eight contacts, side by side.

use crate::math::lanes::Lanes;
use crate::math::mat3::SymMat3;
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

/// The lanes of a block, whatever the machine has: narrower registers take it in halves or quarters.
pub const LANES: usize = 8;

/// One number for each lane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub struct Block<S>(pub [S; LANES]);

impl<S: Scalar> Block<S> {
    /// Zero in every lane.
    pub const ZERO: Self = Self([S::ZERO; LANES]);

    /// The numbers of the lanes from `at` on.
    #[inline(always)]
    #[must_use]
    pub fn get<L: Lanes<Scalar = S>>(&self, at: usize) -> L {
        L::load(self, at)
    }

    /// Sets the numbers of the lanes from `at` on.
    #[inline(always)]
    pub fn set<L: Lanes<Scalar = S>>(&mut self, at: usize, value: L) {
        value.store(self, at);
    }
}

impl<S: Scalar> Default for Block<S> {
    fn default() -> Self {
        Self::ZERO
    }
}

/// A yes or no for each lane, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(u8);

impl Flags {
    /// The answers of the lanes from `at` on.
    #[inline(always)]
    #[must_use]
    pub fn get<L: Lanes>(self, at: usize) -> L::Mask {
        L::mask(self.0 >> at)
    }

    /// Sets the answers of the lanes from `at` on, where `which` says so.
    #[inline(always)]
    pub fn set<L: Lanes>(&mut self, at: usize, which: L::Mask, value: L::Mask) {
        let which = L::bits(which) << at;
        self.0 = self.0 & !which | L::bits(value) << at & which;
    }

    /// The answer of one lane.
    #[inline(always)]
    #[must_use]
    pub const fn is_set(self, lane: usize) -> bool {
        self.0 >> lane & 1 != 0
    }

    /// Sets the answer of one lane.
    #[inline(always)]
    pub const fn put(&mut self, lane: usize, value: bool) {
        self.0 = self.0 & !(1 << lane) | (value as u8) << lane;
    }

    /// The answers as bits, from lane `at` on.
    #[inline(always)]
    #[must_use]
    pub const fn bits_from(self, at: usize) -> u8 {
        self.0 >> at
    }
}

impl<S: Scalar> Vec3<Block<S>> {
    /// The vectors of the lanes from `at` on.
    #[inline(always)]
    #[must_use]
    pub fn at<L: Lanes<Scalar = S>>(&self, at: usize) -> Vec3<L> {
        Vec3::new(self.x.get(at), self.y.get(at), self.z.get(at))
    }

    /// Sets the vectors of the lanes from `at` on.
    #[inline(always)]
    pub fn set<L: Lanes<Scalar = S>>(&mut self, at: usize, value: Vec3<L>) {
        self.x.set(at, value.x);
        self.y.set(at, value.y);
        self.z.set(at, value.z);
    }
}

impl<L: Lanes> Vec3<L> {
    /// The same vectors in these lanes.
    #[inline(always)]
    #[must_use]
    pub fn widened(narrow: Vec3<L::Narrow>) -> Self {
        let Vec3 { x, y, z } = narrow;
        Self::new(L::widened(x), L::widened(y), L::widened(z))
    }
}

impl<S: Scalar> SymMat3<Block<S>> {
    /// The matrices of the lanes from `at` on.
    #[inline(always)]
    #[must_use]
    pub fn at<L: Lanes<Scalar = S>>(&self, at: usize) -> SymMat3<L> {
        SymMat3 {
            xx: self.xx.get(at),
            yy: self.yy.get(at),
            zz: self.zz.get(at),
            xy: self.xy.get(at),
            xz: self.xz.get(at),
            yz: self.yz.get(at),
        }
    }

    /// Sets the matrices of the lanes from `at` on.
    #[inline(always)]
    pub fn set<L: Lanes<Scalar = S>>(&mut self, at: usize, value: SymMat3<L>) {
        self.xx.set(at, value.xx);
        self.yy.set(at, value.yy);
        self.zz.set(at, value.zz);
        self.xy.set(at, value.xy);
        self.xz.set(at, value.xz);
        self.yz.set(at, value.yz);
    }
}
