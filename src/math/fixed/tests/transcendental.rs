//! Every function against the 200-bit reference, with the error bounds that their documentation derives.

use num_bigint::BigInt;

use crate::math::SplitMix64;
use crate::math::fixed::tests::reference;
use crate::math::fixed::tests::sample::{adversarial, sample_count};
use crate::math::fixed::trigonometry::wide_sin_cos;
use crate::math::fixed::{FRACTION_BITS, Fixed, FixedFraction, ONE, UNIT_BITS};
use crate::math::scalar::Scalar;

/// Half a unit in the last place and `2^-excess` units.
fn half_ulp_and(excess: u32) -> BigInt {
    reference::power_of_half(FRACTION_BITS + 1) + reference::power_of_half(FRACTION_BITS + excess)
}

/// Whether a raw number with `bits` fraction bits is within `bound` of the exact one.
fn is_within(raw: i64, bits: u32, exact: &BigInt, bound: &BigInt) -> bool {
    (reference::from_raw(raw, bits) - exact).magnitude() <= bound.magnitude()
}

/// Raw numbers near the whole multiples of `pi / 4` and of 1/16, random ones of every size, and adversarial ones.
fn arguments(count: u64) -> Vec<i64> {
    let mut random = SplitMix64::new(7);
    let mut values = adversarial();
    let quarter = Fixed::PI.to_raw() / 4;
    values.extend((-40..=40).flat_map(|k| [k * quarter - 1, k * quarter, k * quarter + 1]));
    values.extend((-512..=512).map(|k| k * (ONE / 16)));
    values.extend((0..sample_count(count)).map(|_| random.sized()));
    values
}

#[test]
fn sine_and_cosine_are_within_their_bound_at_every_angle() {
    let bound = half_ulp_and(20);
    for raw in arguments(20_000) {
        let (sine, cosine) = Fixed::from_raw(raw).sin_cos();
        let (exact_sine, exact_cosine) = reference::sin_cos(&reference::from_raw(raw, FRACTION_BITS));
        assert!(is_within(sine.to_raw(), FRACTION_BITS, &exact_sine, &bound), "sin of raw {raw} is not {sine}");
        assert!(is_within(cosine.to_raw(), FRACTION_BITS, &exact_cosine, &bound), "cos of raw {raw} is not {cosine}");
    }
}

#[test]
fn sine_and_cosine_have_sixty_bits_at_every_angle() {
    let bound = reference::power_of_half(UNIT_BITS - 2);
    let mut random = SplitMix64::new(19);
    for _ in 0..sample_count(20_000) {
        // From 0 to 2^31, of every size, with 94 fraction bits.
        let angle = (u128::from(random.bits()) << 61 | u128::from(random.bits() >> 3)) >> random.below(64);
        let (sine, cosine) = wide_sin_cos(angle as i128);
        let (exact_sine, exact_cosine) = reference::sin_cos(&(BigInt::from(angle) << (reference::BITS - 94)));
        assert!(is_within(sine, UNIT_BITS, &exact_sine, &bound), "sin of {angle} / 2^94");
        assert!(is_within(cosine, UNIT_BITS, &exact_cosine, &bound), "cos of {angle} / 2^94");
    }
}

#[test]
fn sine_is_odd_and_cosine_even() {
    for raw in arguments(10_000) {
        let (sine, cosine) = Fixed::from_raw(raw).sin_cos();
        assert_eq!(
            Fixed::from_raw(raw.wrapping_neg()).sin_cos(),
            if raw == i64::MIN { (sine, cosine) } else { (-sine, cosine) }
        );
    }
    assert_eq!(Fixed::ZERO.sin_cos(), (Fixed::ZERO, Fixed::ONE));
}

#[test]
fn atan2_is_within_its_bound() {
    let bound = half_ulp_and(20);
    let mut random = SplitMix64::new(8);
    let values = adversarial();
    let pairs = (0..sample_count(30_000)).map(|index| match index % 3 {
        0 => (random.sized(), random.sized()),
        1 => (random.bits() as i64 >> 20, random.bits() as i64 >> 20),
        _ => (values[random.index(values.len())], values[random.index(values.len())]),
    });
    for (y, x) in pairs.collect::<Vec<_>>() {
        let angle = Fixed::from_raw(y).atan2(Fixed::from_raw(x));
        if (y, x) == (0, 0) {
            assert_eq!(angle, Fixed::ZERO);
            continue;
        }
        let exact = reference::half_plane_angle(&BigInt::from(y.unsigned_abs()), &BigInt::from(x));
        let exact = if y < 0 { -exact } else { exact };
        assert!(is_within(angle.to_raw(), FRACTION_BITS, &exact, &bound), "atan2({y}, {x}) is not {angle}");
    }
}

#[test]
fn acos_is_within_its_bound() {
    let bound = half_ulp_and(14);
    let mut random = SplitMix64::new(9);
    let near_the_ends = (0..2000).flat_map(|k| [ONE - k, k - ONE, ONE - k * k * k, k]);
    let samples = (0..sample_count(20_000)).map(|_| random.sized() % (ONE + 1));
    for raw in near_the_ends.chain(samples).collect::<Vec<_>>() {
        let angle = Fixed::from_raw(raw).acos();
        let square = BigInt::from(ONE) * ONE - BigInt::from(raw) * raw;
        let sine = reference::sqrt(&(square << (reference::BITS - 2 * FRACTION_BITS)));
        let exact = reference::half_plane_angle(&sine, &reference::from_raw(raw, FRACTION_BITS));
        assert!(is_within(angle.to_raw(), FRACTION_BITS, &exact, &bound), "acos of raw {raw} is not {angle}");
    }
    assert_eq!(Fixed::from_raw(ONE + 1).acos(), Fixed::ZERO);
    assert_eq!(Fixed::from_raw(i64::MIN).acos(), Fixed::PI);
    assert_eq!(Fixed::ONE.acos(), Fixed::ZERO);
}

#[test]
fn exp_is_within_its_bound_and_saturates() {
    let mut random = SplitMix64::new(10);
    let samples = (0..sample_count(20_000)).map(|_| (random.bits() % (45 * ONE as u64)) as i64 - 23 * ONE);
    let small = (0..500).flat_map(|k| [k, -k, k << 20, -(k << 20)]);
    for raw in samples.chain(small).chain(adversarial()).collect::<Vec<_>>() {
        let power = Fixed::from_raw(raw).exp();
        if raw.unsigned_abs() > 40 * ONE as u64 {
            assert_eq!(power, if raw > 0 { Fixed::MAX } else { Fixed::ZERO });
            continue;
        }
        let exact = reference::exp(&reference::from_raw(raw, FRACTION_BITS));
        if exact >= reference::from_raw(i64::MAX, FRACTION_BITS) {
            assert_eq!(power, Fixed::MAX, "exp of raw {raw}");
            continue;
        }
        let bound = reference::power_of_half(FRACTION_BITS + 1) + (&exact >> 60_u32);
        assert!(is_within(power.to_raw(), FRACTION_BITS, &exact, &bound), "exp of raw {raw} is not {power}");
    }
    assert_eq!(Fixed::ZERO.exp(), Fixed::ONE);
}

#[test]
fn ln_is_within_its_bound() {
    let bound = half_ulp_and(20);
    let parts_of_the_table = (0..=64).flat_map(|k| (-1..=1).map(move |offset| ONE + k * (ONE / 32) + offset));
    for raw in arguments(20_000).into_iter().chain(parts_of_the_table) {
        let logarithm = Fixed::from_raw(raw).ln();
        if raw <= 0 {
            assert_eq!(logarithm, Fixed::from_raw(i64::MIN));
            continue;
        }
        let exact = reference::ln(&reference::from_raw(raw, FRACTION_BITS));
        assert!(is_within(logarithm.to_raw(), FRACTION_BITS, &exact, &bound), "ln of raw {raw} is not {logarithm}");
    }
    assert_eq!(Fixed::ONE.ln(), Fixed::ZERO);
}

#[test]
fn the_exponential_map_is_within_its_bound() {
    let bound = reference::power_of_half(59);
    let mut random = SplitMix64::new(11);
    let mut vectors =
        vec![[0; 3], [1, 0, 0], [i64::MIN; 3], [i64::MAX; 3], [0, 1 << 62, 0], [1 << 61, 1 << 61, 1 << 61]];
    vectors.extend((0..sample_count(20_000)).map(|index| match index % 2 {
        0 => std::array::from_fn(|_| random.sized()),
        _ => std::array::from_fn(|_| random.bits() as i64),
    }));
    for vector in vectors {
        let (scalar, direction) = Fixed::exponential_map(vector.map(FixedFraction));
        let squares = vector.into_iter().map(|part| BigInt::from(part) * part).sum::<BigInt>();
        let length = reference::sqrt(&(squares << (reference::BITS - 2 * UNIT_BITS)));
        let (sine, cosine) = reference::sin_cos(&length);
        assert!(is_within(scalar.0, UNIT_BITS, &cosine, &bound), "cos |{vector:?}| is not {scalar:?}");
        for (part, result) in vector.into_iter().zip(direction) {
            let exact = if part == 0 { BigInt::ZERO } else { reference::from_raw(part, UNIT_BITS) * &sine / &length };
            assert!(is_within(result.0, UNIT_BITS, &exact, &bound), "the part {part} of {vector:?} is not {result:?}");
        }
    }
}
