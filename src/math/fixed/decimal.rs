//! From decimal text to raw bits, rounded half to even, whatever the number of digits; and back, every digit.

use crate::math::fixed::natural::Natural;
use crate::math::fixed::{FRACTION_BITS, ONE};

/// Significant digits that are looked at one by one; all later ones count as one more digit, 1 if any of them is not 0.
///
/// A number halfway between two mantissas is an odd multiple of `2^e` with `e > -33 - 1330` for numbers above
/// `10^-MAGNITUDE_LIMIT`, so it has at most `33 log10(2) + 1363 log10(5) + 1 < 965` significant digits: with more than
/// that, a number is not halfway, and the last digit only has to say on which side it lies.
const DIGIT_LIMIT: usize = 1000;
/// Significant digits of a number that is read in 128 bits.
const SHORT: usize = 19;
/// A number with a mantissa and an exponent is from `10^-400` to `10^400`.
const MAGNITUDE_LIMIT: i64 = 400;

/// A decimal number other than zero: `0.d1 d2 d3 ... * 10^point`, with `d1` not zero.
struct Decimal {
    /// Whether it is below zero.
    negative: bool,
    /// The significant digits, at most [`DIGIT_LIMIT`] and one.
    digits: Vec<u8>,
    /// Where the decimal point stands.
    point: i64,
}

/// Appends every digit of a number of these raw bits; none follows the point where it is whole.
pub(super) fn write_exact(raw: i64, text: &mut Vec<u8>) {
    let magnitude = raw.unsigned_abs();
    if raw < 0 {
        text.push(b'-');
    }
    text.extend_from_slice(itoa::Buffer::new().format(magnitude >> FRACTION_BITS).as_bytes());
    let mut fraction = magnitude & (ONE as u64 - 1);
    if fraction == 0 {
        return;
    }
    text.push(b'.');
    // 32 fraction bits have at most 32 decimals. Nine at a time: a fraction times 10^9 fits 62 bits.
    while fraction != 0 {
        fraction *= 1_000_000_000;
        push_nine_digits((fraction >> FRACTION_BITS) as u32, text);
        fraction &= ONE as u64 - 1;
    }
    let trailing = text.iter().rev().take_while(|&&digit| digit == b'0').count();
    text.truncate(text.len() - trailing);
}

/// Appends a number below 10^9 with its leading zeros.
fn push_nine_digits(number: u32, text: &mut Vec<u8>) {
    let mut digits = [b'0'; 9];
    let mut rest = number;
    for digit in digits.iter_mut().rev() {
        *digit += (rest % 10) as u8;
        rest /= 10;
    }
    text.extend_from_slice(&digits);
}

/// The text as raw bits; `None` when it is not a decimal number or does not fit.
pub(super) fn parse(text: &str) -> Option<i64> {
    let Some(decimal) = read(text)? else {
        return Some(0);
    };
    // Ten digits before the point hold 2^31, and 10^-10 is below half of the smallest number, 2^-33.
    if decimal.point > 10 {
        return None;
    }
    if decimal.point < -10 {
        return Some(0);
    }
    let magnitude = decimal.short_magnitude().unwrap_or_else(|| {
        let (numerator, denominator) = decimal.ratio();
        numerator.shifted(FRACTION_BITS).divided_by(denominator, 67)
    });
    let signed = if decimal.negative { -(magnitude as i128) } else { magnitude as i128 };
    i64::try_from(signed).ok()
}

/// The text as a raw mantissa of magnitude in [1/2, 1) and an exponent; `(0, 0)` for zero and for magnitudes below
/// `10^-401`, `None` when it is not a decimal number or its magnitude is `10^400` or more.
pub(super) fn parse_scaled(text: &str) -> Option<(i64, i32)> {
    let Some(decimal) = read(text)? else {
        return Some((0, 0));
    };
    if decimal.point > MAGNITUDE_LIMIT {
        return None;
    }
    if decimal.point < -MAGNITUDE_LIMIT {
        return Some((0, 0));
    }
    let (numerator, denominator) = decimal.ratio();
    // The numbers of bits give the exponent or one less.
    let estimate = numerator.bits() as i32 - denominator.bits() as i32;
    let (scaled, scaled_denominator) = scale(numerator, denominator, -estimate);
    let exponent = if scaled >= scaled_denominator { estimate + 1 } else { estimate };
    let (scaled, scaled_denominator) = scale(scaled, scaled_denominator, FRACTION_BITS as i32 + estimate - exponent);
    let mantissa = scaled.divided_by(scaled_denominator, FRACTION_BITS + 1) as i64;
    let (mantissa, exponent) = if mantissa == ONE { (ONE / 2, exponent + 1) } else { (mantissa, exponent) };
    Some((if decimal.negative { -mantissa } else { mantissa }, exponent))
}

/// A ratio times `2^exponent`.
fn scale(numerator: Natural, denominator: Natural, exponent: i32) -> (Natural, Natural) {
    if exponent >= 0 {
        (numerator.shifted(exponent.unsigned_abs()), denominator)
    } else {
        (numerator, denominator.shifted(exponent.unsigned_abs()))
    }
}

impl Decimal {
    /// The magnitude times 2^32, rounded to nearest, of a number of few digits and a `point` from -10 to 10, as nearly all in
    /// scenes are: without the long division of [`Natural`]. Nothing overflows: the numerator is below `10^19 2^32 < 2^96`,
    /// and the denominator at most `10^29 < 2^97`.
    fn short_magnitude(&self) -> Option<u128> {
        if self.digits.len() > SHORT {
            return None;
        }
        let digits = self.digits.iter().fold(0_u128, |number, digit| number * 10 + u128::from(*digit));
        let exponent = self.point - self.digits.len() as i64;
        let power = 10_u128.pow(exponent.unsigned_abs() as u32);
        let (numerator, denominator) = if exponent >= 0 { (digits * power, 1) } else { (digits, power) };
        let scaled = numerator << FRACTION_BITS;
        // Never halfway: an odd multiple of 2^-33 has 5^33 > 10^19 among the factors of its digits.
        let is_up = 2 * (scaled % denominator) > denominator;
        Some(scaled / denominator + u128::from(is_up))
    }

    /// The magnitude as a ratio of two natural numbers. Only for a `point` of moderate size.
    fn ratio(&self) -> (Natural, Natural) {
        let numerator = Natural::from_digits(self.digits.iter().copied());
        let exponent = self.point - self.digits.len() as i64;
        let power = exponent.unsigned_abs() as u32;
        if exponent >= 0 {
            (numerator.times_power_of_ten(power), Natural::from_digits([1]))
        } else {
            (numerator, Natural::from_digits([1]).times_power_of_ten(power))
        }
    }
}

/// Reads `[+-] digits [. digits] [e [+-] digits]`, with at least one digit before or after the point. The outer `None` is
/// for a text that is no such number, the inner one for zero.
fn read(text: &str) -> Option<Option<Decimal>> {
    let (negative, text) = split_sign(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, read_exponent(exponent)?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() == 0 || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let significant = || whole.bytes().chain(fraction.bytes()).skip_while(|&byte| byte == b'0').map(|byte| byte - b'0');
    let mut digits: Vec<u8> = significant().take(DIGIT_LIMIT).collect();
    if digits.is_empty() {
        return Some(None);
    }
    if significant().skip(DIGIT_LIMIT).any(|digit| digit != 0) {
        digits.push(1);
    }
    let leading_zeros = whole.bytes().chain(fraction.bytes()).take_while(|&byte| byte == b'0').count();
    let point = (whole.len() as i64 - leading_zeros as i64).saturating_add(exponent);
    Some(Some(Decimal { negative, digits, point }))
}

/// A whole number with an optional sign, saturated.
fn read_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = split_sign(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude =
        digits.bytes().fold(0_i64, |value, digit| value.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Some(if negative { -magnitude } else { magnitude })
}

/// Whether a text begins with a minus sign, and the text without its sign.
fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}
