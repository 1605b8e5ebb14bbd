//! Small turns, beside the exponential map with more bits.

use crate::math::fixed::{Fixed, FixedFraction};
use crate::math::scalar::Scalar;
use crate::math::{Quat, SplitMix64};

/// The same turn by the exponential map, of length one to rounding.
fn by_exponential_map(q: [Fixed; 4], omega: [Fixed; 3], half_dt: FixedFraction) -> [Fixed; 4] {
    let (scalar, vector) = Fixed::exponential_map(Fixed::half_turn(omega, half_dt));
    Fixed::mul_quaternion_fraction(scalar, vector, q)
}

fn largest_difference(a: [Fixed; 4], b: [Fixed; 4]) -> u64 {
    a.into_iter().zip(b).fold(0, |largest, (a, b)| largest.max((a - b).to_raw().unsigned_abs()))
}

#[test]
fn small_turns_are_those_of_the_exponential_map_to_the_last_place() {
    let mut random = SplitMix64::new(9);
    let (mut small, mut apart) = (0, 0);
    for _ in 0..100_000 {
        let mut part = || Fixed::from_raw((random.bits() as i64) >> 31);
        let q = Quat::new(part(), part(), part(), part()).normalise().to_array();
        let half_dt = Fixed::fraction(1, [120, 240, 960, 1 << 14, 4, 2][random.index(6)]);
        let bits = random.index(40) as u32;
        let omega = [(); 3].map(|()| Fixed::from_raw((random.bits() as i64) >> (24 + bits)));
        let exact = by_exponential_map(q, omega, half_dt);
        if let Some(turned) = Fixed::turned_a_little(q, omega, half_dt, false) {
            // Both are within half a unit and a little.
            assert!(largest_difference(turned, exact) <= 1, "{q:?} at {omega:?}: {turned:?} is not {exact:?}");
            apart += u32::from(turned != exact);
            let (kept, brought) = (Fixed::turned_a_little(q, omega, half_dt, true), Fixed::normalise4(turned));
            assert!(kept.is_some_and(|kept| largest_difference(kept, brought) <= 1), "{kept:?} is not {brought:?}");
            small += 1;
        }
    }
    assert!(small > 50_000, "{small} small turns");
    assert!(apart < small / 1000, "{apart} of {small} differ");
}

#[test]
fn what_turns_by_much_or_has_another_length_is_left_to_the_exponential_map() {
    let (one, none, half_dt) = (Fixed::ONE, Fixed::ZERO, Fixed::fraction(1, 256));
    let is_small =
        |q: [Fixed; 4], omega: [Fixed; 3], half_dt| Fixed::turned_a_little(q, omega, half_dt, true).is_some();
    let (unit, sixteen) = ([one, none, none, none], Fixed::from_i32(16));
    assert!(is_small(unit, [none, sixteen - Fixed::EPSILON, none], half_dt));
    assert!(!is_small(unit, [none, sixteen, none], half_dt));
    assert!(!is_small(unit, [Fixed::from_i32(6), Fixed::from_i32(-6), Fixed::from_i32(6)], half_dt));
    assert!(!is_small(unit, [Fixed::MAX, Fixed::MAX, Fixed::MAX], half_dt));
    assert!(!is_small([none; 4], [one, none, none], half_dt));
    assert!(!is_small([Fixed::MAX; 4], [one, none, none], half_dt));
    assert!(!is_small(unit, [Fixed::EPSILON, none, none], Fixed::fraction(1, 1)));
    assert!(!is_small(unit, [one, none, none], Fixed::fraction(1, 1 << 21)));
}
