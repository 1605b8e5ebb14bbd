//! How many numbers lie between two values of a field whose bits a log gives, with what they are the bits of.

use crate::replay::{FieldRecord, NumberKind};

/// Units in the last place between two numbers; nothing where bits are missing or are not those of one kind of number.
pub(super) fn ulps_between(a: &FieldRecord, b: &FieldRecord) -> Option<u64> {
    let kind = a.kind.filter(|kind| b.kind == Some(*kind))?;
    let [bits_a, bits_b] = [digits(a)?, digits(b)?];
    // Of another width it is another type, whatever both are called.
    if bits_a.len() != bits_b.len() {
        return None;
    }
    let [of_a, of_b] = [bits_a, bits_b].map(|digits| ordered(kind, digits));
    // The distance between a negative and a positive number of 64 bits fits no signed one.
    u64::try_from((i128::from(of_a?) - i128::from(of_b?)).unsigned_abs()).ok()
}

/// The digits of the bits of a field.
fn digits(field: &FieldRecord) -> Option<&str> {
    let bits = field.bits.as_deref()?;
    Some(bits.strip_prefix("0x").unwrap_or(bits))
}

/// A place in the order of all numbers of a kind; neighbours have neighbouring places.
fn ordered(kind: NumberKind, digits: &str) -> Option<i64> {
    let width = 4 * u32::try_from(digits.len()).ok()?;
    let bits = u64::from_str_radix(digits, 16).ok()?;
    match kind {
        NumberKind::F32 => {
            let bits = u32::try_from(bits).ok().filter(|bits| width == 32 && f32::from_bits(*bits).is_finite())?;
            let magnitude = i64::from(bits & (u32::MAX >> 1));
            Some(if bits >> 31 == 1 { -magnitude } else { magnitude })
        }
        NumberKind::F64 => {
            let magnitude = i64::try_from(bits & (u64::MAX >> 1)).ok()?;
            let is_number = width == 64 && f64::from_bits(bits).is_finite();
            is_number.then_some(if bits >> 63 == 1 { -magnitude } else { magnitude })
        }
        NumberKind::Fixed if (1..=64).contains(&width) => {
            let shift = 64 - width;
            Some((bits << shift).cast_signed() >> shift)
        }
        NumberKind::Fixed => None,
    }
}

#[cfg(test)]
mod tests {
    use super::ulps_between;
    use crate::replay::{FieldRecord, NumberKind};

    fn ulps(kind: [Option<NumberKind>; 2], bits: &[String; 2]) -> Option<u64> {
        let [a, b] = [0, 1].map(|side| FieldRecord {
            path: "x".to_owned(),
            value: String::new(),
            bits: Some(bits[side].clone()),
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

    #[test]
    fn only_bits_of_one_kind_are_numbers() {
        let of = |kind: NumberKind, a: &str, b: &str| ulps([Some(kind); 2], &[a, b].map(str::to_owned));
        assert_eq!(of(NumberKind::Fixed, "ffff", "0001"), Some(2), "two's complement");
        assert_eq!(of(NumberKind::Fixed, "8000000000000000", "7fffffffffffffff"), Some(u64::MAX));
        assert_eq!(of(NumberKind::Fixed, "0x0001", "0002"), Some(1), "as wide without the mark");
        assert_eq!(of(NumberKind::Fixed, "ff", "0001"), None, "of 8 and of 16 bits");
        assert_eq!(of(NumberKind::F32, "3f80000", "3f800001"), None, "seven digits");
        assert_eq!(of(NumberKind::F64, "3f800000", "3f800001"), None, "too short");
        assert_eq!(of(NumberKind::Fixed, "", "1"), None);
        assert_eq!(of(NumberKind::F32, "x", "1"), None);
        let bits = ["3f800000", "3f800001"].map(str::to_owned);
        assert_eq!(ulps([None, None], &bits), None, "integers, for all that is known");
        assert_eq!(ulps([Some(NumberKind::F32), Some(NumberKind::Fixed)], &bits), None);
    }
}
