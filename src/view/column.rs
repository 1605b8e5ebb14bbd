//! Columns of numbers in few bytes: whole multiples of a quantum, predicted from those before.
//!
//! A body that rests is predicted without error, one that flies nearly so: what is left are small numbers and zeros, which
//! the compression of the page takes care of.

/// How the next number of a column is predicted. The numbers are those in the page's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Prediction {
    /// As zero.
    Nothing = 0,
    /// As the one before.
    Same = 1,
    /// As far from the one before as that was from the one before it.
    Straight = 2,
    /// Not at all: every number is the first.
    Constant = 3,
}

/// The largest whole number a column may hold: three times it is still exact in JavaScript.
pub const LARGEST: i64 = 1 << 50;

/// A number as a whole multiple of a quantum, rounded half away from zero; `None` when it is too large or no number.
#[must_use]
pub fn quantised(number: f64, quantum: f64) -> Option<i64> {
    let multiple = (number / quantum).round();
    (multiple.abs() <= LARGEST as f64).then_some(multiple as i64)
}

/// Appends a column in the form that takes the fewest bytes.
pub fn encode(values: &[i64], bytes: &mut Vec<u8>) {
    if let Some((first, rest)) = values.split_first()
        && rest.iter().all(|value| value == first)
    {
        bytes.push(Prediction::Constant as u8);
        push_signed(*first, bytes);
        return;
    }
    let best = [Prediction::Nothing, Prediction::Same, Prediction::Straight]
        .into_iter()
        .min_by_key(|prediction| residuals(values, *prediction).map(length).sum::<usize>())
        .unwrap_or(Prediction::Nothing);
    bytes.push(best as u8);
    residuals(values, best).for_each(|residual| push_signed(residual, bytes));
}

/// What is left of each value after its prediction.
fn residuals(values: &[i64], prediction: Prediction) -> impl Iterator<Item = i64> {
    let (mut before, mut long_before) = (0, 0);
    values.iter().map(move |&value| {
        let predicted = match prediction {
            Prediction::Nothing | Prediction::Constant => 0,
            Prediction::Same => before,
            Prediction::Straight => 2 * before - long_before,
        };
        (long_before, before) = (before, value);
        value - predicted
    })
}

/// Signs go into the last bit, so that small numbers of either sign are short.
const fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The bytes that [`push_signed`] takes.
const fn length(value: i64) -> usize {
    let bits = u64::BITS - zigzag(value).leading_zeros();
    if bits == 0 { 1 } else { bits.div_ceil(7) as usize }
}

fn push_signed(value: i64, bytes: &mut Vec<u8>) {
    push_number(zigzag(value), bytes);
}

/// Appends a number seven bits at a time, the lowest first (LEB128).
pub fn push_number(value: u64, bytes: &mut Vec<u8>) {
    let mut rest = value;
    while rest >= 0x80 {
        bytes.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::{prop_assert_eq, proptest};

    use super::{LARGEST, encode, quantised};

    /// Reads a column as the page does.
    fn decode(bytes: &[u8], count: usize) -> Vec<i64> {
        let mut numbers = bytes[1..].iter();
        let mut next = || {
            let (mut value, mut shift) = (0_u64, 0);
            for byte in numbers.by_ref() {
                value |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            (value >> 1) as i64 ^ -((value & 1) as i64)
        };
        let mut values: Vec<i64> = Vec::new();
        for index in 0..count {
            let back = |steps: usize| index.checked_sub(steps).map_or(0, |index| values[index]);
            let value = match bytes[0] {
                0 => next(),
                1 => next() + back(1),
                2 => next() + 2 * back(1) - back(2),
                _ if index == 0 => next(),
                _ => back(1),
            };
            values.push(value);
        }
        values
    }

    fn encoded(values: &[i64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        encode(values, &mut bytes);
        bytes
    }

    #[test]
    fn what_does_not_change_is_written_once_and_what_flies_in_small_numbers() {
        assert_eq!(encoded(&[5; 600]).len(), 2);
        let fall: Vec<i64> = (0..100).map(|step| 1_000_000 - 3 * step * step).collect();
        assert_eq!(encoded(&fall).len(), 1 + 3 + 3 + 98);
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest_multiple_and_too_large_ones_refused() {
        assert_eq!(quantised(0.3, 0.25), Some(1));
        assert_eq!(quantised(-0.4, 0.25), Some(-2));
        assert_eq!(quantised(f64::NAN, 0.25), None);
        assert_eq!(quantised(1e30, 0.25), None);
    }

    proptest! {
        #[test]
        fn a_column_reads_back(values in vec(-LARGEST..=LARGEST, 0..50), same in -LARGEST..=LARGEST) {
            prop_assert_eq!(decode(&encoded(&values), values.len()), values);
            prop_assert_eq!(decode(&encoded(&[same; 7]), 7), vec![same; 7]);
        }
    }
}
