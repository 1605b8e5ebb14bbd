//! Orientations turned by little, in steps that lanes of floats can take as well.
//!
//! What turns has [`FINE_BITS`] after the point, so that it is an f64 and so are its sums; each product is rounded as it is added, ties to the
//! even sum ([`plus_product`]). A machine with fused products has the same bits from them (`lanes/narrow_turns`), for
//! a tenth of the time.
//!
//! # Error
//! A half angle below 1/16 is left with `2^-53`, its sine and cosine with less than `2^-46`, and what is added to the quaternion with `2^-46` in
//! all: far below the half of `2^-32` by which its new components are rounded. Brought to length one they are rounded once more.

use crate::math::fixed::{FRACTION_BITS, UNIT_BITS, plus_product};

/// Fraction bits of what turns: all of it is below one half, and half of a substep has 53 significant bits.
pub(in crate::math) const FINE_BITS: u32 = 52;
/// Fraction bits of what the square of a length is above one.
pub(in crate::math) const EXCESS_BITS: u32 = 50;
/// Below this the half angles of a turn are small, all three together: 1/16.
pub(in crate::math) const SMALL_TURN: i64 = 1 << (FINE_BITS - 4);
/// Below this an orientation has nearly length one: `2^-22` of its square.
pub(in crate::math) const NEARLY: i64 = 1 << (EXCESS_BITS - 22);
/// Coefficients of `x^2` and `x^3` in `2 (1 - cos l)` with `x = l^2`, by their magnitudes.
pub(in crate::math) const TWICE_VERSINE: [i64; 2] = [reciprocal(12), reciprocal(360)];
/// Coefficients of `x`, `x^2` and `x^3` in `sin l / l`, by their magnitudes.
pub(in crate::math) const SINE_OVER_ANGLE: [i64; 3] = [reciprocal(6), reciprocal(120), reciprocal(5040)];

const fn reciprocal(divisor: i64) -> i64 {
    ((1 << FINE_BITS) + divisor / 2) / divisor
}

/// Half of a substep, raw, with 53 significant bits; `None` where it is so long or so short that turns are not taken here: at most 1/2, and not below
/// `2^-20`, so that whoever spins beyond `2^19` turns far.
pub(in crate::math) fn short(half_dt: i64) -> Option<i64> {
    let spare = (64 - half_dt.leading_zeros()).saturating_sub(53);
    (1 << (UNIT_BITS - 20)..=1 << (UNIT_BITS - 1)).contains(&half_dt).then_some(half_dt >> spare << spare)
}

/// A raw orientation `[w, x, y, z]` turned at a raw angular velocity for a step whose half is `half_dt`, of length one but for rounding; `None` where
/// it turns by much, or has not nearly length one.
pub(super) fn turned(q: [i64; 4], omega: [i64; 3], half_dt: i64) -> Option<[i64; 4]> {
    let half_dt = short(half_dt)?;
    let reach = omega.into_iter().fold(0_u128, |sum, component| sum + u128::from(component.unsigned_abs()));
    let to_fine = FRACTION_BITS + UNIT_BITS - FINE_BITS;
    // Rounded it would be below that.
    let is_small = reach * (half_dt as u128) < ((2 * SMALL_TURN - 1) as u128) << (to_fine - 1);
    let is_unit = q.into_iter().all(|part| part.unsigned_abs() >> (FRACTION_BITS + 1) == 0) && excess(q).abs() < NEARLY;
    if !is_small || !is_unit {
        return None;
    }
    let half = omega.map(|component| plus_product(0, component, half_dt, to_fine));
    let square = half.into_iter().fold(0, |sum, part| plus_product(sum, part, part, FINE_BITS));
    let minus_square = -square;
    let [second, third] = TWICE_VERSINE;
    let rest = plus_product(0, square, plus_product(second, minus_square, third, FINE_BITS), FINE_BITS);
    let minus_twice_versine = -plus_product(square, minus_square, rest, FINE_BITS);
    let [first, second, third] = SINE_OVER_ANGLE;
    let rest = plus_product(first, minus_square, plus_product(second, minus_square, third, FINE_BITS), FINE_BITS);
    let missing = plus_product(0, minus_square, rest, FINE_BITS);
    let [x, y, z] = half.map(|part| plus_product(part, missing, part, FINE_BITS));
    let [qw, qx, qy, qz] = q;
    let gain = |[a, b, c]: [(i64, i64); 3], own: i64| {
        let add = |sum: i64, (part, of): (i64, i64)| plus_product(sum, part, of, FRACTION_BITS);
        plus_product(add(add(add(0, a), b), c), minus_twice_versine, own, FRACTION_BITS + 1)
    };
    let gains = [
        gain([(-x, qx), (-y, qy), (-z, qz)], qw),
        gain([(x, qw), (y, qz), (-z, qy)], qx),
        gain([(y, qw), (z, qx), (-x, qz)], qy),
        gain([(z, qw), (x, qy), (-y, qx)], qz),
    ];
    Some([0, 1, 2, 3].map(|part| plus_product(q[part], gains[part], 1, FINE_BITS - FRACTION_BITS)))
}

/// A raw orientation of nearly length one brought to it: over the length is times `1 - e/2`.
pub(super) fn unit(q: [i64; 4]) -> [i64; 4] {
    let excess = excess(q);
    q.map(|part| plus_product(part, -part, excess, EXCESS_BITS + 1))
}

/// By how much the square of the length is above one, for parts below two.
fn excess(q: [i64; 4]) -> i64 {
    let bits = 2 * FRACTION_BITS - EXCESS_BITS;
    q.into_iter().fold(-1 << EXCESS_BITS, |sum, part| plus_product(sum, part, part, bits))
}
