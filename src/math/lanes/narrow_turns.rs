//! Orientations of fixed point turned by little, several at once in f64 with fused products: the steps of `fixed/turning`, each with its bits.
//!
//! A sum is kept with the number added whose last place is the one to which it is rounded. Nothing here is within a factor of two of where
//! that place moves, as long as turns are small and orientations have nearly length one; where not, that is seen.

use crate::math::fixed::FixedFraction;
use crate::math::fixed::turning::{EXCESS_BITS, FINE_BITS, NEARLY, SINE_OVER_ANGLE, SMALL_TURN, TWICE_VERSINE, short};
use crate::math::lanes::advance_one_by_one;
use crate::math::lanes::fixed_points::FixedPoints;
use crate::math::lanes::narrow_points::{FusedRegister, GRID, NarrowPoints};

/// The last place of what is added to this has [`FINE_BITS`] after the point.
const FINE_GRID: f64 = 1.5;
/// The last place of what is added to this has [`EXCESS_BITS`] after the point.
const EXCESS_GRID: f64 = 6.0;

/// A number of that many bits after the point.
const fn of_bits(raw: i64, bits: u32) -> f64 {
    raw as f64 / (1_u64 << bits) as f64
}

/// A sum of small products with [`FINE_BITS`] after the point.
#[derive(Clone, Copy)]
struct Fine<R>(R);

impl<R: FusedRegister> Fine<R> {
    #[inline(always)]
    fn none() -> Self {
        Self(R::splat(FINE_GRID))
    }

    #[inline(always)]
    fn from(number: R) -> Self {
        Self(number.add(R::splat(FINE_GRID)))
    }

    #[inline(always)]
    fn of(raw: i64) -> Self {
        Self::from(R::splat(of_bits(raw, FINE_BITS)))
    }

    #[inline(always)]
    fn plus(self, a: R, b: R) -> Self {
        Self(a.times_plus(b, self.0))
    }

    #[inline(always)]
    fn sum(self) -> R {
        self.0.sub(R::splat(FINE_GRID))
    }
}

/// Orientations `[w, x, y, z]` turned at angular velocities for a step whose half is `half_dt`, as the scalar does it.
#[inline(always)]
pub(super) fn advance<R: FusedRegister>(
    q: [FixedPoints<R::Integers>; 4],
    omega: [FixedPoints<R::Integers>; 3],
    half_dt: FixedFraction,
) -> [FixedPoints<R::Integers>; 4] {
    let Some(short) = short(half_dt.to_raw()) else { return advance_one_by_one(q, omega, half_dt) };
    let half_dt_in_lanes = R::splat(of_bits(short, FixedFraction::BITS));
    let wide = q;
    let q = [narrow::<R>(q[0]), narrow(q[1]), narrow(q[2]), narrow(q[3])];
    let spins = [narrow::<R>(omega[0]), narrow(omega[1]), narrow(omega[2])];
    let reach = spins[0].magnitude().add(spins[1].magnitude()).add(spins[2].magnitude());
    let turn = Fine::none().plus(reach, half_dt_in_lanes).sum();
    let is_small = R::splat(of_bits(SMALL_TURN, FINE_BITS)).is_above(turn);
    let is_unit = R::splat(of_bits(NEARLY, EXCESS_BITS)).is_above(excess(q).magnitude());
    if R::bits(R::and(is_small, is_unit)) != R::bits(R::mask(u8::MAX)) {
        return advance_one_by_one(wide, omega, half_dt);
    }
    let turned = unit(turned(q, spins, half_dt_in_lanes));
    // What does not turn stays as it is, to the bit.
    let turns = reach.is_above(R::splat(0.0));
    [
        narrow_or(turns, turned[0], q[0]),
        narrow_or(turns, turned[1], q[1]),
        narrow_or(turns, turned[2], q[2]),
        narrow_or(turns, turned[3], q[3]),
    ]
}

#[inline(always)]
fn narrow<R: FusedRegister>(numbers: FixedPoints<R::Integers>) -> R {
    NarrowPoints::of_wide(numbers).register()
}

#[inline(always)]
fn narrow_or<R: FusedRegister>(mask: R::Mask, yes: R, no: R) -> FixedPoints<R::Integers> {
    NarrowPoints::of(R::select(mask, yes, no)).wide()
}

/// The orientations after a small turn.
#[inline(always)]
fn turned<R: FusedRegister>(q: [R; 4], omega: [R; 3], half_dt: R) -> [R; 4] {
    let (mut half, mut square) = (omega, Fine::none());
    for (half, omega) in half.iter_mut().zip(omega) {
        *half = Fine::none().plus(omega, half_dt).sum();
        square = square.plus(*half, *half);
    }
    let square = square.sum();
    let minus_square = square.negative();
    let [second, third] = TWICE_VERSINE;
    let rest =
        Fine::none().plus(square, Fine::of(second).plus(minus_square, R::splat(of_bits(third, FINE_BITS))).sum()).sum();
    let minus_versine = Fine::from(square).plus(minus_square, rest).sum().mul(R::splat(-0.5));
    let [first, second, third] = SINE_OVER_ANGLE;
    let rest = Fine::of(second).plus(minus_square, R::splat(of_bits(third, FINE_BITS))).sum();
    let rest = Fine::of(first).plus(minus_square, rest).sum();
    let missing = Fine::none().plus(minus_square, rest).sum();
    for half in &mut half {
        *half = Fine::from(*half).plus(missing, *half).sum();
    }
    let ([x, y, z], [qw, qx, qy, qz]) = (half, q);
    let (minus_x, minus_y, minus_z) = (x.negative(), y.negative(), z.negative());
    let gains = [
        Fine::none().plus(minus_x, qx).plus(minus_y, qy).plus(minus_z, qz).plus(minus_versine, qw).sum(),
        Fine::none().plus(x, qw).plus(y, qz).plus(minus_z, qy).plus(minus_versine, qx).sum(),
        Fine::none().plus(y, qw).plus(z, qx).plus(minus_x, qz).plus(minus_versine, qy).sum(),
        Fine::none().plus(z, qw).plus(x, qy).plus(minus_y, qx).plus(minus_versine, qz).sum(),
    ];
    let mut turned = q;
    for (part, gain) in turned.iter_mut().zip(gains) {
        *part = part.add(R::splat(GRID)).add(gain).sub(R::splat(GRID));
    }
    turned
}

/// Orientations of nearly length one brought to it.
#[inline(always)]
fn unit<R: FusedRegister>(q: [R; 4]) -> [R; 4] {
    let minus_half = excess(q).mul(R::splat(-0.5));
    let mut unit = q;
    for part in &mut unit {
        *part = part.times_plus(minus_half, part.add(R::splat(GRID))).sub(R::splat(GRID));
    }
    unit
}

/// By how much the squares of the lengths are above one.
#[inline(always)]
fn excess<R: FusedRegister>(q: [R; 4]) -> R {
    let mut sum = R::splat(EXCESS_GRID - 1.0);
    for part in q {
        sum = part.times_plus(part, sum);
    }
    sum.sub(R::splat(EXCESS_GRID))
}
