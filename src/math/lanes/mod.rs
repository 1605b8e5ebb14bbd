//! The same arithmetic on several numbers at once, one in each lane of a vector register.
//!
//! Code that is generic over [`Lanes`] works on one scalar or on as many as the machine has lanes for, and every lane has the
//! bits that the scalar has: the same operations in the same order, rounded alike. This folder is one of the places that may
//! be `unsafe`: the instructions of a machine are, and it asks the machine for them once.
//!
//! Where a machine has them, there are lanes for small numbers beside those for all (`narrow_points`): who uses them has a
//! [`Watch`] on what is multiplied, and does the work again in the others where that was not small.
//!
//! In fixed point a factor of a product in lanes is below `2^31 - 1/2` in magnitude: beyond, in the last 2^-32 of its range,
//! its product would wrap in another way.

pub mod block;
pub mod path;
mod single;
mod stepwise;
mod watch;

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod fixed_points;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod floats;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod narrow_points;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod narrow_turns;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod register;

#[cfg(target_arch = "aarch64")]
#[path = "neon/mod.rs"]
mod native;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[path = "plain.rs"]
mod native;
#[cfg(target_arch = "x86_64")]
#[path = "x86/mod.rs"]
mod native;

#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

use crate::math::quat::Quat;
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

pub use block::{Block, Flags, LANES};
pub use native::{HAS_NARROW_LANES, NativeLanes};
pub use path::{LanePath, LaneTask};
pub use stepwise::Stepwise;
pub use watch::{SMALL, Watch};

/// Bytes that a cache brings in at once, on most machines.
const LINE: usize = 64;

/// Has the machine bring the item at a place, if there is one, into its caches while it goes on with other work. A hint, where the
/// machine takes one.
#[inline]
pub fn fetch<T>(items: &[T], place: Option<u32>) {
    let Some(item) = place.and_then(|place| items.get(place as usize)) else { return };
    let first = std::ptr::from_ref(item).cast::<u8>();
    for offset in (0..size_of::<T>() + LINE - 1).step_by(LINE) {
        native::fetch_line(first.wrapping_add(offset));
    }
}

/// Numbers side by side, one in each lane; a [`Scalar`] is one lane.
///
/// Every method is `#[inline(always)]`: what is not inlined into code compiled for the machine's vectors is twenty times slower.
pub trait Lanes:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// The number in a lane.
    type Scalar: Scalar;
    /// A yes or no in each lane.
    type Mask: Copy + Debug;
    /// As many lanes for small numbers, where the machine works faster on such; else these lanes themselves.
    type Narrow: Lanes<Scalar = Self::Scalar>;

    /// How many lanes there are: 1, 2, 4 or 8.
    const WIDTH: usize;

    /// Whether the lanes are for small numbers alone: what is multiplied is within [`SMALL`] in magnitude. A [`Watch`] tells.
    const IS_NARROW: bool;

    /// The same numbers in these lanes.
    fn widened(narrow: Self::Narrow) -> Self;

    /// The same number in every lane.
    fn splat(value: Self::Scalar) -> Self;

    /// The numbers of a block from `at` on, which is a multiple of the width.
    fn load(block: &Block<Self::Scalar>, at: usize) -> Self;

    /// Writes the numbers to a block from `at` on, which is a multiple of the width.
    fn store(self, block: &mut Block<Self::Scalar>, at: usize);

    /// `a[0] * b[0] + a[1] * b[1]`, as [`Scalar::dot2`].
    fn dot2(a: [Self; 2], b: [Self; 2]) -> Self;

    /// `a[0] * b[0] + a[1] * b[1] + a[2] * b[2]`, as [`Scalar::dot3`].
    fn dot3(a: [Self; 3], b: [Self; 3]) -> Self;

    /// A sum to which products are added.
    type Sum: Copy + Debug;

    /// The sum that is this number so far.
    fn begin_sum(self) -> Self::Sum;

    /// The sum with a product added, as [`Scalar::plus_product`].
    fn plus_product(sum: Self::Sum, a: Self, b: Self) -> Self::Sum;

    /// What a sum is.
    fn end_sum(sum: Self::Sum) -> Self;

    /// The sum of the products of `a` and `b`, rounded after each: see [`Scalar::sum_in_steps`].
    #[inline(always)]
    fn sum_in_steps<const N: usize>(a: [Self; N], b: [Self; N]) -> Self {
        let mut sum = Self::zero().begin_sum();
        for index in 0..N {
            sum = Self::plus_product(sum, a[index], b[index]);
        }
        Self::end_sum(sum)
    }

    /// The length of a vector, as [`Scalar::length3`].
    #[inline(always)]
    fn length3(v: [Self; 3]) -> Self {
        length_one_by_one(v)
    }

    /// What a [`Watch`] is to remember of a number that is small within a limit, a power of two, or is not, beside what it knows so far:
    /// of lanes for numbers of every size nothing.
    #[inline(always)]
    fn note_large(self, _limit: u32, so_far: Self) -> Self {
        so_far
    }

    /// Where what a [`Watch`] remembers tells of no number that was not small.
    #[inline(always)]
    fn was_never_large(self) -> Self::Mask {
        Self::mask(u8::MAX)
    }

    /// A sum of squares for a [`Watch`] with that of a number added, of any rounding: of lanes for numbers of every size nothing.
    #[inline(always)]
    fn note_square(self, so_far: Self) -> Self {
        so_far
    }

    /// Where such a sum is below that of a limit: what is not a number is not.
    #[inline(always)]
    fn are_squares_within(self, _limit: u32) -> Self::Mask {
        Self::mask(u8::MAX)
    }

    /// Where a number is larger than the other.
    fn is_above(self, other: Self) -> Self::Mask;

    /// Where a number is another than the other.
    fn differs(self, other: Self) -> Self::Mask;

    /// Where a vector is longer than a limit of zero or more, by their squares, as [`Scalar::is_longer2`].
    fn is_longer2(v: [Self; 2], limit: Self) -> Self::Mask;

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

    /// Whether any lane says yes.
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        Self::bits(mask) != 0
    }

    /// The larger of two numbers; `self` when they are equal.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self::select(other.is_above(self), other, self)
    }

    /// The smaller of two numbers; `self` when they are equal.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self::select(self.is_above(other), other, self)
    }

    /// The magnitudes.
    #[inline(always)]
    fn magnitude(self) -> Self {
        self.larger(-self)
    }

    /// Zero in every lane.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(Self::Scalar::ZERO)
    }

    /// The quotient; division by zero as the scalar has it. One lane after the other, unless the machine can do better.
    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        let [mut quotient, mut divisors] = [Block::ZERO; 2];
        self.store(&mut quotient, 0);
        divisor.store(&mut divisors, 0);
        for lane in 0..Self::WIDTH {
            quotient.0[lane] = quotient.0[lane] / divisors.0[lane];
        }
        Self::load(&quotient, 0)
    }

    /// Orientations `[w, x, y, z]` turned at angular velocities (world frame, rad/s) for a step whose half is `half_dt`, as
    /// [`Quat::advance_exponential`]. One lane after the other, unless the machine can do better.
    #[inline(always)]
    fn advance(q: [Self; 4], omega: [Self; 3], half_dt: <Self::Scalar as Scalar>::Fraction) -> [Self; 4] {
        advance_one_by_one(q, omega, half_dt)
    }

    /// Vectors scaled to be no longer than a limit, in the lanes of a mask; what is in the others is of no use.
    #[inline(always)]
    fn held_within(v: [Self; 2], limit: Self, which: Self::Mask) -> [Self; 2] {
        let (zero, one) = (Self::zero(), Self::splat(Self::Scalar::ONE));
        let length = Self::length3([Self::select(which, v[0], zero), Self::select(which, v[1], zero), zero]);
        let is_longer = Self::and(which, length.is_above(limit));
        let part = limit.over(Self::select(is_longer, length, one));
        [Self::select(is_longer, v[0] * part, v[0]), Self::select(is_longer, v[1] * part, v[1])]
    }

    /// The vectors at some indices, one in each lane.
    fn gather(from: &[Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize) -> Vec3<Self>;

    /// Writes the vectors of the lanes in `which` to some indices, all different.
    fn scatter(v: Vec3<Self>, to: &mut [Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize, which: u8);
}

/// The lengths of some vectors, one lane after the other.
#[inline(always)]
fn length_one_by_one<L: Lanes>(v: [L; 3]) -> L {
    let [mut x, mut y, mut z] = [Block::ZERO; 3];
    v[0].store(&mut x, 0);
    v[1].store(&mut y, 0);
    v[2].store(&mut z, 0);
    for lane in 0..L::WIDTH {
        x.0[lane] = <L::Scalar as Scalar>::length3([x.0[lane], y.0[lane], z.0[lane]]);
    }
    L::load(&x, 0)
}

/// Orientations turned one lane after the other: see [`Lanes::advance`].
#[inline(always)]
fn advance_one_by_one<L: Lanes>(q: [L; 4], omega: [L; 3], half_dt: <L::Scalar as Scalar>::Fraction) -> [L; 4] {
    let (mut orientations, mut rates) = ([Block::ZERO; 4], [Block::ZERO; 3]);
    for part in 0..4 {
        q[part].store(&mut orientations[part], 0);
    }
    for axis in 0..3 {
        omega[axis].store(&mut rates[axis], 0);
    }
    for lane in 0..L::WIDTH {
        let [w, x, y, z] = &orientations;
        let orientation = Quat::new(w.0[lane], x.0[lane], y.0[lane], z.0[lane]);
        let omega = Vec3::new(rates[0].0[lane], rates[1].0[lane], rates[2].0[lane]);
        let turned = orientation.advance_exponential(omega, half_dt).to_array();
        for part in 0..4 {
            orientations[part].0[lane] = turned[part];
        }
    }
    let [w, x, y, z] = &orientations;
    [L::load(w, 0), L::load(x, 0), L::load(y, 0), L::load(z, 0)]
}
