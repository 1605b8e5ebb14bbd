//! Decimal text in and out, against big integers.

use num_bigint::BigInt;
use proptest::prelude::{any, prop_assert_eq, proptest};

use crate::math::SplitMix64;
use crate::math::fixed::tests::sample::{adversarial, sample_count};
use crate::math::fixed::{FRACTION_BITS, Fixed};
use crate::math::scalar::Scalar;
use crate::math::scaled::Scaled;

/// `digits * 10^exponent * 2^bits` for digits that are not negative, rounded half to even.
fn rounded(digits: &BigInt, exponent: i32, bits: u32) -> BigInt {
    let ten = BigInt::from(10).pow(exponent.unsigned_abs());
    let (above, below) = if exponent >= 0 { (digits * ten, BigInt::from(1)) } else { (digits.clone(), ten) };
    let above = above << bits;
    let floor: BigInt = &above / &below;
    let twice_remainder = 2 * (above - &floor * &below);
    let is_odd = floor.bit(0);
    if twice_remainder > below || (twice_remainder == below && is_odd) { floor + 1 } else { floor }
}

#[test]
fn texts_that_are_no_decimals_are_refused() {
    for text in [
        "", "+", "-", ".", "e5", "1e", "1e+", "nan", "NaN", "inf", "-inf", "infinity", "0x1", "1_000", " 1", "1 ",
        "--1", "+-1", "1.2.3", "1e5e5", "1e1.5", "1,5", "\u{0661}", "1\0",
    ] {
        assert_eq!(Fixed::from_decimal(text), None, "{text:?}");
        assert_eq!(f32::from_decimal(text), None, "{text:?}");
        assert_eq!(f64::from_decimal(text), None, "{text:?}");
        assert_eq!(Scaled::<Fixed>::from_decimal(text), None, "{text:?}");
        assert_eq!(Scaled::<f64>::from_decimal(text), None, "{text:?}");
    }
}

#[test]
fn well_formed_texts_read_as_their_number() {
    let ratio = |numerator: i64, denominator: i64| Some(Fixed::from_ratio(numerator, denominator));
    for (text, expected) in [
        ("-12.5e-3", ratio(-125, 10_000)),
        ("+3", ratio(3, 1)),
        (".5", ratio(1, 2)),
        ("5.", ratio(5, 1)),
        ("0.1", ratio(1, 10)),
        ("1E2", ratio(100, 1)),
        ("000012e-000001", ratio(12, 10)),
        ("1e-400", Some(Fixed::ZERO)),
        ("-0", Some(Fixed::ZERO)),
        ("0e999999999999999999999999", Some(Fixed::ZERO)),
        ("1e-999999999999999999999999", Some(Fixed::ZERO)),
        ("1e999999999999999999999999", None),
        ("2147483648", None),
        ("-2147483648", Some(Fixed::from_raw(i64::MIN))),
        ("2147483647.99999999976716935634613037109375", Some(Fixed::MAX)),
        ("2147483647.999999999883584678173065185546874", Some(Fixed::MAX)),
        ("2147483647.999999999883584678173065185546875", None),
        ("-2147483648.000000000116415321826934814453125", Some(Fixed::from_raw(i64::MIN))),
        ("-2147483648.000000000116415321826934814453126", None),
    ] {
        assert_eq!(Fixed::from_decimal(text), expected, "{text}");
    }
}

#[test]
fn halves_round_to_even_and_one_more_digit_decides() {
    // 2^-33 and 3 * 2^-33 are halfway between numbers.
    let (half, three_halves) = ("0.000000000116415321826934814453125", "0.000000000349245965480804443359375");
    let raw = |text: &str| Fixed::from_decimal(text).map(Fixed::to_raw);
    assert_eq!([raw(half), raw(three_halves)], [Some(0), Some(2)]);
    assert_eq!(raw(&format!("-{half}")), Some(0));
    let zeros = "0".repeat(5000);
    assert_eq!(raw(&format!("{half}{zeros}")), Some(0));
    assert_eq!(raw(&format!("{half}{zeros}1")), Some(1));
    assert_eq!(raw(&format!("{three_halves}{zeros}1")), Some(2));
    assert_eq!(raw(&format!("0.{zeros}1e5001")), Some(1 << FRACTION_BITS));
    assert_eq!(raw(&format!("1{zeros}e-5000")), Some(1 << FRACTION_BITS));
}

#[test]
fn random_texts_round_half_to_even() {
    let mut random = SplitMix64::new(16);
    for _ in 0..sample_count(50_000) {
        let length = 1 + random.below(50);
        let digits: String = (0..length).map(|_| char::from(b'0' + random.below(10) as u8)).collect();
        let exponent = random.below(30) as i32 - length as i32 - 12;
        let sign = if random.below(2) == 0 { "" } else { "-" };
        let exact = rounded(&digits.parse().expect("digits"), exponent, FRACTION_BITS);
        let exact = if sign.is_empty() { exact } else { -exact };
        let read = Fixed::from_decimal(&format!("{sign}{digits}e{exponent}"));
        assert_eq!(read.map(Fixed::to_raw), i64::try_from(exact).ok(), "{sign}{digits}e{exponent}");
    }
}

#[test]
fn scaled_decimals_keep_every_bit_of_the_mantissa() {
    let mut random = SplitMix64::new(17);
    for _ in 0..sample_count(5_000) {
        let length = 1 + random.below(40);
        let digits: BigInt = (0..length).fold(BigInt::from(1 + random.below(9)), |sum, _| sum * 10 + random.below(10));
        let exponent = random.below(700) as i32 - 360;
        let text = format!("{digits}e{exponent}");
        let Some((mantissa, binary)) = Fixed::scaled_from_decimal(&text) else { panic!("{text} was refused") };
        let raw = mantissa.to_raw();
        assert!((1 << 31..1 << 32).contains(&raw), "{text} has the mantissa {mantissa}");
        // |digits 10^exponent - raw 2^(binary - 32)| <= 2^(binary - 33), cleared of all negative powers.
        let ten = BigInt::from(10).pow(exponent.unsigned_abs());
        let (mut above, mut below) = if exponent >= 0 { (digits * ten, BigInt::from(1)) } else { (digits, ten) };
        let shift = 33 - binary;
        if shift >= 0 {
            above <<= shift;
        } else {
            below <<= -shift;
        }
        let error = above - 2 * raw * &below;
        assert!(error.magnitude() <= below.magnitude(), "{text} became {mantissa} * 2^{binary}");
    }
}

#[test]
fn scaled_decimals_at_the_edges() {
    let scaled =
        |text: &str| Fixed::scaled_from_decimal(text).map(|(mantissa, exponent)| (mantissa.to_raw(), exponent));
    assert_eq!(scaled("1"), Some((1 << 31, 1)));
    assert_eq!(scaled("-0.75"), Some((-3 << 30, 0)));
    assert_eq!(scaled("0"), Some((0, 0)));
    assert_eq!(scaled("0.99999999999999999999"), Some((1 << 31, 1)));
    // 2^32 + 1/2 has 33 bits and a half: a tie between two mantissas, to even.
    assert_eq!(scaled("8589934593"), Some((1 << 31, 34)));
    assert_eq!(scaled("8589934595"), Some(((1 << 31) + 1, 34)));
    assert_eq!(scaled("1e400"), None);
    assert_eq!(scaled("1e-402"), Some((0, 0)));
    assert_eq!(scaled("9e399").map(|(_, exponent)| exponent), Some(1329));
    assert_eq!(scaled("1e99999999999999999999"), None);
    assert_eq!(f64::scaled_from_decimal("1.7e-8"), Some((1.7e-8 * 33_554_432.0, -25)));
    assert_eq!(f32::scaled_from_decimal("-3"), Some((-0.75, 2)));
    assert_eq!(f32::scaled_from_decimal("1e39"), None);
    assert_eq!(Scaled::<Fixed>::from_decimal("0.5"), Some(Scaled { mantissa: Fixed::HALF, exponent: 0 }));
}

#[test]
fn display_is_the_shortest_text_that_reads_back() {
    let mut random = SplitMix64::new(18);
    for raw in adversarial().into_iter().chain((0..sample_count(50_000)).map(|_| random.sized())) {
        let value = Fixed::from_raw(raw);
        let text = value.to_string();
        assert_eq!(Fixed::from_decimal(&text), Some(value), "raw {raw} is shown as {text}");
        if let Some((_, fraction)) = text.split_once('.') {
            // One decimal fewer, rounded either way, must name another number.
            let places = fraction.len() as u32 - 1;
            let scale = 10_i128.pow(places);
            let below = (i128::from(raw) * scale) >> FRACTION_BITS;
            for candidate in [below, below + 1] {
                let shorter = format!("{candidate}e-{places}");
                assert_ne!(Fixed::from_decimal(&shorter), Some(value), "{text} could be {shorter}");
            }
        }
    }
}

#[test]
fn display_honours_its_format() {
    let value = Fixed::from_ratio(-5, 4);
    assert_eq!(format!("{value}"), "-1.25");
    assert_eq!(format!("{value:.3}"), "-1.250");
    assert_eq!(format!("{value:8}|{value:<8}|{:+}", Fixed::ONE), "   -1.25|-1.25   |+1");
    assert_eq!(format!("{value:?}"), "-1.25");
    assert_eq!(format!("{:.0} {:.1}", Fixed::from_ratio(5, 2), Fixed::from_ratio(1, 3)), "2 0.3");
}

proptest! {
    #[test]
    fn written_texts_have_every_digit_and_read_back(raw in any::<i64>(), shift in 0_u32..64) {
        // Small numbers and whole ones as often as others.
        for raw in [raw, raw >> shift, raw.wrapping_shl(shift), i64::MIN, 0] {
            let mut text = Vec::new();
            Fixed::from_bits(raw as u64).write_decimal(&mut text);
            let text = String::from_utf8(text).expect("digits");
            // raw / 2^32 is raw 5^32 / 10^32: the whole expansion, whose last zeros are not written.
            let expanded = BigInt::from(raw.unsigned_abs()) * BigInt::from(5).pow(FRACTION_BITS);
            let digits = format!("{expanded:0>33}");
            let (whole, fraction) = digits.split_at(digits.len() - 32);
            let fraction = fraction.trim_end_matches('0');
            let (sign, point) = (if raw < 0 { "-" } else { "" }, if fraction.is_empty() { "" } else { "." });
            prop_assert_eq!(&text, &format!("{sign}{whole}{point}{fraction}"));
            prop_assert_eq!(Fixed::from_decimal(&text), Some(Fixed::from_bits(raw as u64)));
        }
    }
}
