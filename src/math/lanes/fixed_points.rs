//! Numbers of fixed point in a register.
//!
//! A number is `high * 2^32 + low` with both halves signed, so a product is four products of 32 bits, and a sum of products
//! is exact until it is rounded once: `high` products count 2^64, mixed ones 2^32, and the `low` ones are added with an offset that
//! keeps them from being negative, for there they would have to be shifted with their sign.

use std::ops::{Add, Mul, Neg, Sub};

use crate::math::fixed::{Fixed, FixedFraction};
use crate::math::lanes::register::Register;
use crate::math::lanes::{Block, LANES, Lanes, length_one_by_one};
use crate::math::vec3::Vec3;

/// A register of 64-bit integers, which are numbers of fixed point.
pub trait IntegerRegister: Register<Number = Fixed> {
    /// The lanes for small numbers.
    type Narrow: Lanes<Scalar = Fixed>;

    /// The numbers of these.
    fn widened(narrow: Self::Narrow) -> FixedPoints<Self>;

    /// The same bits in every lane.
    fn raw(bits: i64) -> Self;

    /// The products of the lower halves, with their signs.
    fn mul_low(self, other: Self) -> Self;

    /// The upper halves, as numbers that are not negative.
    fn high_half(self) -> Self;

    /// The lower halves, as numbers that are not negative.
    fn low_half(self) -> Self;

    /// The lowest bits: 1 of odd numbers, 0 of even ones.
    fn lowest_bit(self) -> Self;

    /// The lower halves moved up, the upper ones lost.
    fn moved_up(self) -> Self;

    /// The products but for those of the lower halves: those of the upper halves, which count 2^64, and the mixed ones, which
    /// count 2^32; both upper halves are known. A machine with longer products may add up both in the second.
    #[inline(always)]
    fn upper_products(self, other: Self, high: [Self; 2]) -> [Self; 2] {
        [high[0].mul_low(high[1]), high[0].mul_low(other).add(self.mul_low(high[1]))]
    }

    /// Orientations turned: see [`Lanes::advance`].
    fn advance(
        q: [FixedPoints<Self>; 4],
        omega: [FixedPoints<Self>; 3],
        half_dt: FixedFraction,
    ) -> [FixedPoints<Self>; 4];

    /// The quotients in some lanes; those of the others are to be found one after the other.
    #[inline(always)]
    fn quotients(self, _divisors: Self) -> (Self, Self::Mask) {
        (self, Self::mask(0))
    }

    /// The lengths of vectors in some lanes; those of the others are to be found one after the other.
    #[inline(always)]
    fn lengths([x, _, _]: [Self; 3]) -> (Self, Self::Mask) {
        (x, Self::mask(0))
    }
}

/// The numbers of a register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct FixedPoints<R>(R);

/// Half of the last place that is kept.
const HALF: i64 = 1 << 31;
/// What keeps one product of low halves from being negative.
const OFFSET: i64 = 1 << 62;
/// What keeps the sum of two products of low halves from being negative, and below 2^64 with a half added: a multiple of 2^32.
const OFFSET_OF_TWO: i64 = (1_u64 << 63).wrapping_sub(1 << 32) as i64;

/// A product in parts, `high * 2^64 + mixed * 2^32 + low`.
#[derive(Clone, Copy)]
struct Product<R> {
    high: R,
    mixed: R,
    low: R,
}

impl<R: IntegerRegister> Product<R> {
    #[inline(always)]
    fn of(FixedPoints(a): FixedPoints<R>, FixedPoints(b): FixedPoints<R>) -> Self {
        let (high_a, high_b) = (a.add(R::raw(HALF)).high_half(), b.add(R::raw(HALF)).high_half());
        let [high, mixed] = a.upper_products(b, [high_a, high_b]);
        Self { high, mixed, low: a.mul_low(b) }
    }

    /// The sum of both, of the parts but the low one.
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self { high: self.high.add(other.high), mixed: self.mixed.add(other.mixed), low: self.low }
    }

    /// The sum of its parts over 2^32, with what the low ones are over 2^32 when `offset` is added to them.
    #[inline(always)]
    fn rounded(self, low: R, offset: i64) -> FixedPoints<R> {
        let offset = R::raw((offset as u64 >> 32) as i64);
        FixedPoints(self.high.moved_up().add(self.mixed).add(low).sub(offset))
    }
}

impl<R: IntegerRegister> FixedPoints<R> {
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
}

impl<R: IntegerRegister> Add for FixedPoints<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.add(other.0))
    }
}

impl<R: IntegerRegister> Sub for FixedPoints<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.sub(other.0))
    }
}

impl<R: IntegerRegister> Mul for FixedPoints<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let product = Product::of(self, other);
        let low = product.low.add(R::raw(HALF.wrapping_add(OFFSET)));
        product.rounded(low.high_half(), OFFSET)
    }
}

impl<R: IntegerRegister> Neg for FixedPoints<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(R::raw(0).sub(self.0))
    }
}

impl<R: IntegerRegister> Lanes for FixedPoints<R> {
    type Scalar = Fixed;
    type Mask = R::Mask;
    type Narrow = R::Narrow;
    type Sum = Self;

    const WIDTH: usize = R::WIDTH;
    const IS_NARROW: bool = false;

    #[inline(always)]
    fn widened(narrow: R::Narrow) -> Self {
        R::widened(narrow)
    }

    #[inline(always)]
    fn splat(value: Fixed) -> Self {
        Self(R::splat(value))
    }

    #[inline(always)]
    fn load(block: &Block<Fixed>, at: usize) -> Self {
        Self(R::load(&block.0[at..at + R::WIDTH]))
    }

    #[inline(always)]
    fn store(self, block: &mut Block<Fixed>, at: usize) {
        self.0.store(&mut block.0[at..at + R::WIDTH]);
    }

    #[inline(always)]
    fn dot2(a: [Self; 2], b: [Self; 2]) -> Self {
        let (first, second) = (Product::of(a[0], b[0]), Product::of(a[1], b[1]));
        let low = first.low.add(second.low).add(R::raw(OFFSET_OF_TWO.wrapping_add(HALF)));
        first.and(second).rounded(low.high_half(), OFFSET_OF_TWO)
    }

    #[inline(always)]
    fn dot3(a: [Self; 3], b: [Self; 3]) -> Self {
        let (first, second, third) = (Product::of(a[0], b[0]), Product::of(a[1], b[1]), Product::of(a[2], b[2]));
        let two = first.low.add(second.low).add(R::raw(OFFSET_OF_TWO));
        let one = third.low.add(R::raw(OFFSET.wrapping_add(HALF)));
        let carry = two.low_half().add(one.low_half()).high_half();
        let low = two.high_half().add(one.high_half()).add(carry);
        first.and(second).and(third).rounded(low, OFFSET_OF_TWO.wrapping_add(OFFSET))
    }

    #[inline(always)]
    fn is_above(self, other: Self) -> R::Mask {
        self.0.is_above(other.0)
    }

    #[inline(always)]
    fn differs(self, other: Self) -> R::Mask {
        self.0.differs(other.0)
    }

    #[inline(always)]
    fn begin_sum(self) -> Self {
        self
    }

    #[inline(always)]
    fn plus_product(sum: Self, a: Self, b: Self) -> Self {
        let product = Product::of(a, b);
        let low = product.low.add(R::raw(OFFSET));
        let Self(floor) = sum + product.rounded(low.high_half(), OFFSET);
        let with_tie = low.low_half().add(R::raw(HALF - 1)).add(floor.lowest_bit());
        Self(floor.add(with_tie.high_half()))
    }

    #[inline(always)]
    fn end_sum(sum: Self) -> Self {
        sum
    }

    #[inline(always)]
    fn length3(v: [Self; 3]) -> Self {
        let (found, is_found) = R::lengths([v[0].0, v[1].0, v[2].0]);
        if R::bits(is_found) == R::bits(R::mask(u8::MAX)) {
            return Self(found);
        }
        length_one_by_one(v)
    }

    #[inline(always)]
    fn over(self, divisor: Self) -> Self {
        let (found, is_found) = self.0.quotients(divisor.0);
        let found_in = R::bits(is_found);
        if found_in == R::bits(R::mask(u8::MAX)) {
            return Self(found);
        }
        let [mut quotients, mut numerators, mut divisors] = [Block::ZERO; 3];
        Self(found).store(&mut quotients, 0);
        self.store(&mut numerators, 0);
        divisor.store(&mut divisors, 0);
        for lane in 0..R::WIDTH {
            if found_in >> lane & 1 == 0 {
                quotients.0[lane] = numerators.0[lane] / divisors.0[lane];
            }
        }
        Self::load(&quotients, 0)
    }

    /// What is no longer by the sum of its magnitudes needs no squares, which have 128 bits: those come one lane after the other.
    #[inline(always)]
    fn is_longer2(v: [Self; 2], limit: Self) -> R::Mask {
        let (across, along) = (v[0].magnitude(), v[1].magnitude());
        let (sum, none) = (across + along, Self::zero());
        // The magnitude of the lowest number is negative, and so is a sum that wraps.
        let wraps = R::or(none.is_above(sum), R::or(none.is_above(across), none.is_above(along)));
        if R::bits(R::or(wraps, sum.is_above(limit))) == 0 {
            return R::mask(0);
        }
        let [mut x, mut y, mut limits] = [Block::ZERO; 3];
        v[0].store(&mut x, 0);
        v[1].store(&mut y, 0);
        limit.store(&mut limits, 0);
        let mut bits = 0;
        for lane in 0..R::WIDTH {
            let is_longer = <Fixed as Lanes>::is_longer2([x.0[lane], y.0[lane]], limits.0[lane]);
            bits |= u8::from(is_longer) << lane;
        }
        R::mask(bits)
    }

    /// One lane after the other, as few machines divide numbers of every size in lanes.
    #[inline(always)]
    fn held_within(v: [Self; 2], limit: Self, which: R::Mask) -> [Self; 2] {
        let [mut x, mut y, mut limits] = [Block::ZERO; 3];
        v[0].store(&mut x, 0);
        v[1].store(&mut y, 0);
        limit.store(&mut limits, 0);
        let bits = R::bits(which);
        for lane in 0..R::WIDTH {
            if bits >> lane & 1 != 0 {
                let held = <Fixed as Lanes>::held_within([x.0[lane], y.0[lane]], limits.0[lane], true);
                [x.0[lane], y.0[lane]] = held;
            }
        }
        [Self::load(&x, 0), Self::load(&y, 0)]
    }

    #[inline(always)]
    fn select(mask: R::Mask, yes: Self, no: Self) -> Self {
        Self(R::select(mask, yes.0, no.0))
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
    fn advance(q: [Self; 4], omega: [Self; 3], half_dt: FixedFraction) -> [Self; 4] {
        R::advance(q, omega, half_dt)
    }

    #[inline(always)]
    fn gather(from: &[Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize) -> Vec3<Self> {
        let [x, y, z] = R::gather(from, &indices[at..at + R::WIDTH]);
        Vec3::new(Self(x), Self(y), Self(z))
    }

    #[inline(always)]
    fn scatter(v: Vec3<Self>, to: &mut [Vec3<Self::Scalar>], indices: &[u32; LANES], at: usize, which: u8) {
        R::scatter([v.x.0, v.y.0, v.z.0], to, &indices[at..at + R::WIDTH], which);
    }
}
