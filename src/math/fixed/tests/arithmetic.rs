//! Division and square root, proved exact: the result is the one that satisfies the inequality defining it.

use num_bigint::BigInt;

use crate::math::SplitMix64;
use crate::math::fixed::division::{divide, divide_wide, is_seed_safe, quotient_from_seed};
use crate::math::fixed::root::{root_from_seed, root_of_shifted, root_wide};
use crate::math::fixed::tests::sample::{adversarial, sample_count};
use crate::math::fixed::{FRACTION_BITS, Fixed};
use crate::math::scalar::Scalar;

/// Whether `quotient` is `numerator * 2^32 / denominator` rounded half away from zero and saturated.
///
/// `2 (|n| 2^32 - |q| |d|)` must lie in `[-|d|, |d|)`; all of it fits in 128 bits.
fn is_quotient(numerator: i64, denominator: i64, quotient: i64) -> bool {
    if denominator == 0 {
        return quotient == [i64::MIN, 0, i64::MAX][(numerator.signum() + 1) as usize];
    }
    let (above, below) =
        (i128::from(numerator.unsigned_abs()) << FRACTION_BITS, i128::from(denominator.unsigned_abs()));
    let negative = (numerator < 0) != (denominator < 0);
    let limit = if negative { 1_i128 << 63 } else { (1 << 63) - 1 };
    let magnitude = i128::from(quotient.unsigned_abs());
    let twice_remainder = 2 * (above - magnitude * below);
    let sign_fits = quotient == 0 || (quotient < 0) == negative;
    let saturated = magnitude == limit && twice_remainder >= below;
    sign_fits && (saturated || (-below <= twice_remainder && twice_remainder < below))
}

/// Whether `root` is `sqrt(value)` rounded to nearest, for values below 2^126: `(2 root - 1)^2 <= 4 value < (2 root + 1)^2`.
fn is_root(value: u128, root: u64) -> bool {
    let twice = 2 * u128::from(root);
    (root == 0 || (twice - 1).pow(2) < 4 * value) && 4 * value < (twice + 1).pow(2)
}

/// The same as [`is_quotient`], computed with big integers and another formula.
fn quotient_of_big_integers(numerator: i64, denominator: i64) -> BigInt {
    let (above, below) = (BigInt::from(numerator.unsigned_abs()) << 33, BigInt::from(denominator.unsigned_abs()));
    let magnitude: BigInt = (above + &below) / (2 * below);
    let quotient = if (numerator < 0) == (denominator < 0) { magnitude } else { -magnitude };
    quotient.clamp(BigInt::from(i64::MIN), BigInt::from(i64::MAX))
}

#[test]
fn adversarial_quotients_are_exact() {
    let values = adversarial();
    for &numerator in &values {
        for &denominator in &values {
            let quotient = divide(numerator, FRACTION_BITS, denominator);
            assert!(is_quotient(numerator, denominator, quotient), "{numerator} / {denominator} is not {quotient}");
            if denominator != 0 {
                assert_eq!(BigInt::from(quotient), quotient_of_big_integers(numerator, denominator));
            }
        }
    }
}

#[test]
fn random_quotients_are_exact() {
    let mut random = SplitMix64::new(1);
    for index in 0..sample_count(10_000_000) {
        let (numerator, denominator) = (random.sized(), random.sized());
        let quotient = divide(numerator, FRACTION_BITS, denominator);
        assert!(is_quotient(numerator, denominator, quotient), "{numerator} / {denominator} is not {quotient}");
        if index % 100 == 0 && denominator != 0 {
            assert_eq!(BigInt::from(quotient), quotient_of_big_integers(numerator, denominator));
        }
    }
}

#[test]
fn quotients_next_to_a_half_are_exact() {
    // (q + 1/2) d / 2^32, give or take one: the worst numerators for a given quotient and denominator.
    let mut random = SplitMix64::new(2);
    for _ in 0..sample_count(1_000_000) {
        let denominator = (random.bits() >> (1 + random.below(62))) as i64;
        let quotient = i128::from(random.bits() >> (15 + random.below(48)));
        let centre = ((2 * quotient + 1) * i128::from(denominator)) >> 33;
        let Ok(centre) = i64::try_from(centre) else { continue };
        for numerator in [centre.saturating_sub(1), centre, centre.saturating_add(1)] {
            let quotient = divide(numerator, FRACTION_BITS, denominator);
            assert!(is_quotient(numerator, denominator, quotient), "{numerator} / {denominator} is not {quotient}");
        }
    }
}

#[test]
fn exact_halves_round_away_from_zero_whatever_the_seed() {
    // n 2^32 / d = q + 1/2 needs d = 2^33 m and n = (2 q + 1) m. Such an n may have more than 53 bits: then the seed is rounded.
    let mut random = SplitMix64::new(20);
    for _ in 0..sample_count(1_000_000) {
        let part = 1 + random.below(1 << 28);
        let quotient = random.below(((1 << 63) / part).min(1 << 49) / 2);
        let (numerator, denominator) = (((2 * quotient + 1) * part) as i64, (part << 33) as i64);
        let rounded = quotient as i64 + 1;
        assert_eq!(divide(numerator, FRACTION_BITS, denominator), rounded, "{numerator} / {denominator}");
        assert_eq!(divide(-numerator, FRACTION_BITS, denominator), -rounded, "-{numerator} / {denominator}");
    }
}

#[test]
fn wide_quotients_round_halves_away_from_zero_and_saturate() {
    assert_eq!([divide_wide(5, 2), divide_wide(-5, 2), divide_wide(5, -2), divide_wide(-5, -2)], [3, -3, -3, 3]);
    assert_eq!([divide_wide(7, 4), divide_wide(5, 4), divide_wide(-7, 4)], [2, 1, -2]);
    assert_eq!([divide_wide(i128::MAX, 1), divide_wide(i128::MIN, 1)], [i64::MAX, i64::MIN]);
    assert_eq!([divide_wide(i128::MIN, -1), divide_wide(i128::MIN, i128::MIN)], [i64::MAX, 1]);
    assert_eq!([divide_wide(1, 0), divide_wide(-1, 0), divide_wide(0, 0)], [i64::MAX, i64::MIN, 0]);
    assert_eq!(divide_wide(i128::from(i64::MIN), 1), i64::MIN);
}

#[test]
fn a_seed_wrong_by_two_units_still_gives_the_exact_quotient() {
    // Stands in for the four rounding modes, which cannot be set without unsafe code: a mode changes the seed by less.
    let mut random = SplitMix64::new(3);
    let mut corrected = 0_u32;
    for _ in 0..sample_count(1_000_000) {
        let (numerator, denominator) = (random.sized().unsigned_abs(), random.sized().unsigned_abs() | 1);
        let seed = numerator as f64 * 4_294_967_296.0 / denominator as f64;
        for offset in [-2_i64, -1, 0, 1, 2] {
            let wrong = f64::from_bits((seed.to_bits() as i64 + offset).max(0) as u64);
            if is_seed_safe(denominator, wrong) {
                let quotient = quotient_from_seed(numerator << 33, denominator, wrong);
                corrected += u32::from(quotient != (wrong + 0.5) as i64);
                let exact = ((u128::from(numerator) << 33) + u128::from(denominator)) / (2 * u128::from(denominator));
                assert_eq!(quotient as u128, exact, "{numerator} / {denominator} from {wrong}");
            }
        }
    }
    assert!(corrected > 100, "the correction was hardly needed, so it was hardly tested: {corrected}");
}

#[test]
fn a_seed_off_by_one_is_corrected() {
    for (numerator, denominator) in [(7_u64, 3_u64), (10, 4), (1 << 40, 3), (u64::MAX >> 1, (1 << 61) - 1), (6, 4)] {
        let exact = ((u128::from(numerator) << 33) + u128::from(denominator)) / (2 * u128::from(denominator));
        for offset in [-1.0, 0.0, 1.0] {
            let seed = exact as f64 + offset;
            if is_seed_safe(denominator, seed) {
                assert_eq!(quotient_from_seed(numerator << 33, denominator, seed) as u128, exact);
            }
        }
    }
}

#[test]
fn square_roots_are_exact() {
    let mut random = SplitMix64::new(4);
    let samples = (0..sample_count(10_000_000)).map(|_| random.sized());
    for raw in adversarial().into_iter().chain(samples).map(i64::unsigned_abs) {
        let root = root_of_shifted(raw);
        assert!(is_root(u128::from(raw) << FRACTION_BITS, root), "the root of {raw} is not {root}");
    }
}

#[test]
fn square_roots_agree_with_big_integers() {
    let mut random = SplitMix64::new(5);
    for raw in
        adversarial().into_iter().chain((0..100_000).map(|_| random.sized())).map(i64::unsigned_abs).collect::<Vec<_>>()
    {
        // floor(sqrt(4 n)) is twice the root or one more; half of it, rounded up, is the nearest root.
        let twice = (BigInt::from(raw) << (FRACTION_BITS + 2)).sqrt();
        assert_eq!(BigInt::from(root_of_shifted(raw)), (twice + 1_u32) / 2_u32, "{raw}");
        let wide = u128::from(raw) * u128::from(raw) + u128::from(random.bits());
        let twice = (BigInt::from(wide) << 2_u32).sqrt();
        assert_eq!(BigInt::from(root_wide(wide)), (twice + 1_u32) / 2_u32, "{wide}");
    }
}

#[test]
fn square_roots_next_to_a_half_are_exact() {
    // k (k + 1) is the largest whole number whose root rounds down to k, k (k + 1) + 1 the smallest that rounds up.
    let mut random = SplitMix64::new(6);
    for _ in 0..sample_count(1_000_000) {
        let root = u128::from(random.below(1 << 48) >> random.below(48));
        for value in [root * root, root * (root + 1), root * (root + 1) + 1] {
            let seed = (value as f64).sqrt();
            for offset in [-2_i64, -1, 0, 1, 2] {
                let wrong = f64::from_bits((seed.to_bits() as i64 + offset).max(0) as u64);
                let found = root_from_seed(value, wrong);
                assert!(is_root(value, found), "the root of {value} is not {found}, from {wrong}");
            }
        }
    }
    for (value, seed, root) in [(0, 0.0, 0), (1, 0.0, 1), (2, 2.0, 1), (3, 1.0, 2), (100, 11.0, 10), (100, 9.0, 10)] {
        assert_eq!(root_from_seed(value, seed), root);
    }
}

#[test]
fn operators_use_the_exact_operations() {
    let number = |value: i32| Fixed::from_i32(value);
    assert_eq!(number(7) / number(-2), Fixed::from_raw(-7 << 31));
    assert_eq!(number(-9).sqrt(), Fixed::ZERO);
    assert_eq!(number(9).sqrt(), number(3));
    assert_eq!(Fixed::MAX.sqrt(), Fixed::from_raw(199_032_864_766_430));
    assert_eq!(number(1) / Fixed::ZERO, Fixed::MAX);
    assert_eq!(Fixed::ZERO / Fixed::ZERO, Fixed::ZERO);
}

/// Whether `result` is `(sum * 2^32 + a * b) / 2^32` rounded to nearest, and between two numbers to the even one: twice what is left out is at most
/// a whole, and as much only of an even number.
fn is_sum_with_product([sum, a, b]: [i64; 3], result: i64) -> bool {
    let exact = (BigInt::from(sum) << FRACTION_BITS) + BigInt::from(a) * b;
    let twice_left_out: BigInt = 2 * (exact - (BigInt::from(result) << FRACTION_BITS));
    let whole = BigInt::from(1_u64 << FRACTION_BITS);
    let is_tie = twice_left_out == whole || twice_left_out == -whole.clone();
    -whole.clone() <= twice_left_out && twice_left_out <= whole && (!is_tie || result % 2 == 0)
}

#[test]
fn a_product_is_added_and_rounded_once_with_ties_to_the_even_number() {
    let mut random = SplitMix64::new(8);
    let mut ties = 0;
    for _ in 0..sample_count(300_000) {
        // Factors of at most 46 bits, so that the sum fits; of many, the product has few bits below the last place.
        let mut factor = || (random.sized() >> 18) & !((1 << random.index(24)) - 1);
        let numbers = [factor(), factor(), factor()];
        let [sum, a, b] = numbers.map(Fixed::from_raw);
        let result = sum.plus_product(a, b);
        assert!(is_sum_with_product(numbers, result.to_raw()), "{numbers:?} is not {}", result.to_raw());
        ties += u32::from((i128::from(numbers[1]) * i128::from(numbers[2])) as u32 == 1 << 31);
        let in_steps = Fixed::ZERO.plus_product(sum, a).plus_product(a, b).plus_product(b, sum);
        assert_eq!(Fixed::sum_in_steps([sum, a, b], [a, b, sum]), in_steps);
    }
    assert!(ties > 1000, "{ties} ties");
}
