//! Natural numbers of any size, as far as reading decimals needs them.

use std::cmp::Ordering;

/// A natural number: its digits to the base 2^32, lowest first, the highest one not zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural(Vec<u32>);

impl Natural {
    /// The number of these decimal digits, each from 0 to 9, highest first.
    pub(super) fn from_digits(digits: impl IntoIterator<Item = u8>) -> Self {
        digits.into_iter().fold(Self(Vec::new()), |number, digit| number.multiply_add(10, u32::from(digit)))
    }

    /// The number times `10^exponent`.
    pub(super) fn times_power_of_ten(self, exponent: u32) -> Self {
        const CHUNK: u32 = 9;
        let number = (0..exponent / CHUNK).fold(self, |number, _| number.multiply_add(10_u32.pow(CHUNK), 0));
        number.multiply_add(10_u32.pow(exponent % CHUNK), 0)
    }

    /// `self * factor + addend`.
    fn multiply_add(mut self, factor: u32, addend: u32) -> Self {
        let mut carry = u64::from(addend);
        for limb in &mut self.0 {
            carry += u64::from(*limb) * u64::from(factor);
            *limb = carry as u32;
            carry >>= 32;
        }
        self.0.push(carry as u32);
        self.trimmed()
    }

    /// The number times `2^bits`.
    pub(super) fn shifted(self, bits: u32) -> Self {
        let mut limbs = vec![0; (bits / 32) as usize];
        limbs.extend(self.0);
        Self(limbs).multiply_add(1 << (bits % 32), 0)
    }

    /// The number of bits without leading zeros; 0 for zero.
    pub(super) fn bits(&self) -> u32 {
        self.0.last().map_or(0, |highest| self.0.len() as u32 * 32 - highest.leading_zeros())
    }

    /// `self / divisor` rounded to nearest, ties to even, for a quotient below `2^bits` with at most 127 `bits`.
    pub(super) fn divided_by(mut self, divisor: Self, bits: u32) -> u128 {
        let divisor = divisor.shifted(bits.saturating_sub(1));
        let mut quotient = 0_u128;
        for _ in 0..bits {
            quotient <<= 1;
            if self >= divisor {
                self = self.minus(&divisor);
                quotient |= 1;
            }
            self = self.shifted(1);
        }
        // By now `self` is twice the remainder.
        match self.cmp(&divisor) {
            Ordering::Less => quotient,
            Ordering::Equal => quotient + (quotient & 1),
            Ordering::Greater => quotient + 1,
        }
    }

    /// `self - other`, where `other` is not larger.
    fn minus(mut self, other: &Self) -> Self {
        let mut borrow = false;
        for (index, limb) in self.0.iter_mut().enumerate() {
            let (difference, first) = limb.overflowing_sub(other.0.get(index).copied().unwrap_or(0));
            let (difference, second) = difference.overflowing_sub(u32::from(borrow));
            *limb = difference;
            borrow = first || second;
        }
        self.trimmed()
    }

    /// Without leading zeros.
    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}
