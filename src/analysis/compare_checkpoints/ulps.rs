//! How many numbers lie between two values of a field whose bits a log gives, with what they are the bits of.

use crate::replay::{FieldRecord, NumberKind};

/// How many digits the widest number has.
const WIDEST_DIGITS: usize = 32;

/// Units in the last place between two numbers; nothing where bits are missing or are not those of one kind of number.
pub(super) fn ulps_between(a: &FieldRecord, b: &FieldRecord) -> Option<u64> {
    let kind = a.kind.filter(|kind| b.kind == Some(*kind))?;
    let digits = [digits(a)?, digits(b)?];
    let [of_a, of_b] = match kind {
        NumberKind::Fixed => fixed_points(digits)?,
        NumberKind::F32 => [f32_place(digits[0])?, f32_place(digits[1])?],
        NumberKind::F64 => [f64_place(digits[0])?, f64_place(digits[1])?],
    };
    u64::try_from(of_a.abs_diff(of_b)).ok()
}

/// The digits of the bits of a field.
fn digits(field: &FieldRecord) -> Option<&str> {
    let bits = field.bits.as_deref()?;
    Some(bits.strip_prefix("0x").unwrap_or(bits))
}

/// The place of a number among all of its kind; neighbours have neighbouring places.
fn f32_place(digits: &str) -> Option<i128> {
    let bits = u32::from_str_radix(digits, 16).ok()?;
    let magnitude = i128::from(bits & (u32::MAX >> 1));
    let is_number = digits.len() == 8 && f32::from_bits(bits).is_finite();
    is_number.then_some(if bits >> 31 == 1 { -magnitude } else { magnitude })
}

/// The same of a wider one.
fn f64_place(digits: &str) -> Option<i128> {
    let bits = u64::from_str_radix(digits, 16).ok()?;
    let magnitude = i128::from(bits & (u64::MAX >> 1));
    let is_number = digits.len() == 16 && f64::from_bits(bits).is_finite();
    is_number.then_some(if bits >> 63 == 1 { -magnitude } else { magnitude })
}

/// Two fixed-point numbers of one width, which the digits tell: all of them, or as many as a printer leaves that cuts leading zeros, as
/// `%x` does. Nothing where it may be one as well as the other, and that makes a difference.
fn fixed_points([a, b]: [&str; 2]) -> Option<[i128; 2]> {
    let [bits_a, bits_b] = [u128::from_str_radix(a, 16).ok()?, u128::from_str_radix(b, 16).ok()?];
    let signed = |digits: usize| {
        let shift = 4 * WIDEST_DIGITS.checked_sub(digits)?;
        Some([bits_a, bits_b].map(|bits| (bits << shift).cast_signed() >> shift))
    };
    let longest = a.len().max(b.len());
    // A printer that writes a leading zero writes all of them.
    let are_padded = [a, b].iter().any(|digits| digits.len() > 1 && digits.starts_with('0'));
    let is_top_set = |digits: &str| digits.starts_with(|digit| matches!(digit, '8'..='9' | 'a'..='f'));
    // The distance of two that are both negative is that of the same bits in a wider number.
    if a.len() == b.len() && (are_padded || is_top_set(a) == is_top_set(b)) {
        return signed(longest);
    }
    // Of another width it is another type, whatever both are called.
    if are_padded || (is_whole(a) && is_whole(b) && a.len() != b.len()) {
        return None;
    }
    // The top bit may be a sign, or belong to a wider number, up to the widest that there is.
    let may_be_negative = |digits: &str| digits.len() == longest && is_top_set(digits);
    let is_ambiguous = longest < WIDEST_DIGITS && (may_be_negative(a) || may_be_negative(b));
    if is_ambiguous { None } else { signed(WIDEST_DIGITS) }
}

/// Whether so many digits are all of a number of 8, 16, 32, 64 or 128 bits.
const fn is_whole(digits: &str) -> bool {
    matches!(digits.len(), 2 | 4 | 8 | 16 | WIDEST_DIGITS)
}

#[cfg(test)]
mod tests {
    use super::ulps_between;
    use crate::math::SplitMix64;
    use crate::replay::{FieldRecord, NumberKind};

    fn ulps(kind: [Option<NumberKind>; 2], bits: &[String; 2]) -> Option<u64> {
        let [a, b] = [0, 1].map(|side| FieldRecord {
            path: "x".into(),
            value: "".into(),
            bits: Some(bits[side].as_str().into()),
            kind: kind[side],
        });
        ulps_between(&a, &b)
    }

    #[test]
    fn neighbours_are_one_ulp_apart_and_zeros_none() {
        let f32s = |a: f32, b: f32| {
            ulps([Some(NumberKind::F32); 2], &[a, b].map(|number| format!("{:08x}", number.to_bits())))
        };
        assert_eq!(f32s(1.0, 1.0 + f32::EPSILON), Some(1));
        assert_eq!(f32s(-1.0, -1.0 - f32::EPSILON), Some(1));
        assert_eq!(f32s(0.0, -0.0), Some(0));
        assert_eq!(f32s(f32::from_bits(1), -f32::from_bits(1)), Some(2));
        assert_eq!(f32s(f32::MIN, f32::MAX), Some(2 * u64::from(f32::MAX.to_bits())));
        assert_eq!(f32s(1.0, f32::NAN), None);
        let f64s = |a: f64, b: f64| {
            ulps([Some(NumberKind::F64); 2], &[a, b].map(|number| format!("0x{:016X}", number.to_bits())))
        };
        assert_eq!(f64s(2.0, 2.0 + 2.0 * f64::EPSILON), Some(1));
        assert_eq!(f64s(f64::MIN, f64::MAX), Some(2 * f64::MAX.to_bits()));
        assert_eq!(f64s(1.0, f64::INFINITY), None);
    }

    /// A number of this many bits by its sign and size, both at the edges of what there is or anywhere.
    fn number_of(width: usize, random: &mut SplitMix64) -> (bool, u128) {
        let half = 1_u128 << (width - 1);
        let is_negative = random.index(2) == 0;
        let anywhere = (u128::from(random.bits()) << 64) | u128::from(random.bits());
        let size = match random.index(6) {
            0 => random.index(3) as u128,
            1 => half - random.index(3) as u128,
            2 => half >> random.index(width),
            3 => (half >> random.index(width)) - 1,
            _ => anywhere >> random.index(128),
        };
        // There is one more of those below zero.
        let size = size % (half + u128::from(is_negative));
        (is_negative && size > 0, size)
    }

    /// Whatever width a fixed-point number has and however it is printed, its distance is the right one or is not told; with all digits, one
    /// of which is a leading zero, or where both have one sign, it is told.
    #[test]
    fn fixed_points_are_read_as_they_were_printed() {
        let mut random = SplitMix64::of_words(&[31, 32]);
        let mut told = 0;
        for (width, is_cut) in (0..400).flat_map(|_| (4..=128).flat_map(|width| [(width, false), (width, true)])) {
            let numbers = [(); 2].map(|()| number_of(width, &mut random));
            let length = width.div_ceil(4);
            let printed = numbers.map(|(is_negative, size)| {
                let bits = if is_negative { size.wrapping_neg() } else { size } & (u128::MAX >> (128 - 4 * length));
                let length = if is_cut { 0 } else { length };
                format!("{bits:0length$x}")
            });
            let [(a_is_negative, a), (b_is_negative, b)] = numbers;
            let is_one_sign = a_is_negative == b_is_negative;
            let distance = if is_one_sign { Some(a.abs_diff(b)) } else { a.checked_add(b) };
            let expected = distance.and_then(|distance| u64::try_from(distance).ok());
            let found = ulps([Some(NumberKind::Fixed); 2], &printed);
            assert!(
                found == expected || found.is_none(),
                "{width} bits: {printed:?} are {expected:?} apart, not {found:?}"
            );
            // Of all digits with a leading zero, or of numbers of one sign, there is no doubt.
            let is_padded = length > 1 && printed.iter().any(|digits| digits.starts_with('0'));
            if !is_cut && (is_one_sign || is_padded) {
                assert_eq!(found, expected, "{width} bits: {printed:?}");
            }
            told += u32::from(is_cut && found.is_some());
        }
        assert!(told > 15_000, "of 50000 with zeros cut: {told}");
    }

    #[test]
    fn digits_without_leading_zeros_are_one_number() {
        let of = |a: &str, b: &str| ulps([Some(NumberKind::Fixed); 2], &[a, b].map(str::to_owned));
        let (long, longer) = ("f".repeat(31), format!("1{}", "0".repeat(31)));
        assert_eq!(of(&long, &longer), Some(1), "31 and 32 digits");
        assert_eq!(of(&longer, &longer.replace("10", "11")), None, "2^120 apart, which no number of 64 bits tells");
        assert_eq!(of(&longer, &format!("{}3", &longer[..31])), Some(3));
        assert_eq!(of(&"f".repeat(32), &format!("{}1", "0".repeat(31))), Some(2), "-1 and 1 of 128 bits");
        assert_eq!(of("fff", "1000"), Some(1));
        assert_eq!(of("0", "1ff"), Some(0x1ff));
        assert_eq!(of("1ff", "fffffffffffffe00"), None, "-512 of 64 bits, or 2^64 - 512 of 128");
        assert_eq!(of("7fffffff", "80000000"), None, "neighbours with zeros cut, the two ends of 32 bits");
        assert_eq!(of("80000000", "80000001"), Some(1), "whatever they are");
        assert_eq!(of("7ff", "800"), None, "neighbours with zeros cut, the two ends of 12 bits");
        assert_eq!(of("7fffff", "800000"), None, "the same of 24 bits");
        assert_eq!(of("000001", "ffffff"), Some(2), "of 24 bits, for zeros are written");
        assert_eq!(of("1", &"1".repeat(33)), None, "wider than any");
        let [most, least] = ["7fffffffffffffffffffffff", "800000000000000000000001"];
        assert_eq!(of(most, least), None, "2^96 - 2 apart, or neighbours but one of 128 bits");
    }

    #[test]
    fn only_bits_of_one_kind_are_numbers() {
        let of = |kind: NumberKind, a: &str, b: &str| ulps([Some(kind); 2], &[a, b].map(str::to_owned));
        assert_eq!(of(NumberKind::Fixed, "ffff", "0001"), Some(2), "two's complement");
        assert_eq!(of(NumberKind::Fixed, "8000000000000000", "0fffffffffffffff"), Some(0x8fff_ffff_ffff_ffff));
        assert_eq!(of(NumberKind::Fixed, "0x0001", "0002"), Some(1), "as wide without the mark");
        assert_eq!(of(NumberKind::Fixed, "ff", "0001"), None, "of 8 and of 16 bits");
        assert_eq!(of(NumberKind::Fixed, "7f", "1000"), None, "of 8 and of 16 bits");
        assert_eq!(of(NumberKind::F32, "3f80000", "3f800001"), None, "seven digits");
        assert_eq!(of(NumberKind::F64, "3f800000", "3f800001"), None, "too short");
        assert_eq!(of(NumberKind::Fixed, "", "1"), None);
        assert_eq!(of(NumberKind::F32, "x", "1"), None);
        let bits = ["3f800000", "3f800001"].map(str::to_owned);
        assert_eq!(ulps([None, None], &bits), None, "integers, for all that is known");
        assert_eq!(ulps([Some(NumberKind::F32), Some(NumberKind::Fixed)], &bits), None);
    }
}
