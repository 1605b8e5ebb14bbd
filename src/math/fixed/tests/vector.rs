//! Lengths are exact; directions are within the bound derived in [`crate::math::fixed::vector`].

use num_bigint::BigInt;

use crate::math::SplitMix64;
use crate::math::fixed::tests::sample::{adversarial, sample_count};
use crate::math::fixed::vector::{direction, direction_and_length, excess_of_square, length, levelled};
use crate::math::fixed::{FRACTION_BITS, Fixed};
use crate::math::scalar::Scalar;

/// The exact sum of the squares.
fn sum_of_squares(v: &[i64]) -> BigInt {
    v.iter().map(|&component| BigInt::from(component) * component).sum()
}

/// Vectors of every size and shape, extremes among them.
fn vectors<const N: usize>(count: u64) -> Vec<[i64; N]> {
    let mut random = SplitMix64::new(12);
    let special = adversarial();
    let mut vectors = Vec::new();
    for index in 0..sample_count(count) {
        let spread = random.below(64);
        vectors.push(std::array::from_fn(|_| match index % 4 {
            0 => random.sized(),
            1 => random.bits() as i64 >> spread,
            2 => special[random.index(special.len())],
            _ => (random.below(4) as i64 - 1) << 32,
        }));
    }
    vectors.extend([
        [i64::MIN; N],
        [i64::MAX; N],
        [1; N],
        [-1; N],
        [0; N],
        [1 << 47; N],
        [(1 << 48) - 1; N],
        [1 << 48; N],
    ]);
    vectors
}

#[test]
fn lengths_are_the_nearest_integers() {
    for v in vectors::<3>(200_000) {
        let squares = sum_of_squares(&v);
        let nearest: BigInt = ((squares << 2_u32).sqrt() + 1_u32) / 2_u32;
        assert_eq!(BigInt::from(length(v)), nearest.min(BigInt::from(i64::MAX)), "{v:?}");
    }
    assert_eq!(length([3 << 40, 0, -4 << 40]), 5 << 40);
}

/// Any length, and those barely on either side of half way between two units.
#[test]
fn a_length_with_its_direction_is_the_length() {
    let mut random = SplitMix64::new(13);
    // The square of y^2 + d + 1/2 is that of y^2 + d, and y^2 + d + 1/4.
    let near_halves = (0..sample_count(100_000)).map(|index| {
        let y = 1 + random.below(1 << (1 + index % 23)) as i64;
        [y * y + index as i64 % 3 - 1, y, index as i64 % 2]
    });
    for v in vectors::<3>(200_000).into_iter().chain(near_halves) {
        assert_eq!(direction_and_length(v), direction(v).map(|unit| (unit, length(v))), "{v:?}");
    }
}

fn assert_direction<const N: usize>(v: [i64; N]) {
    match direction(v) {
        Some(unit) => assert_is_direction(v, unit),
        None => assert_eq!(v, [0; N]),
    }
}

/// Checks `|unit - v / |v|| <= 0.5 + 2^-13` ulp for each component, with 64 more bits.
fn assert_is_direction<const N: usize>(v: [i64; N], unit: [i64; N]) {
    const EXTRA: u32 = 64;
    let length = (sum_of_squares(&v) << (2 * EXTRA)).sqrt();
    let bound = (BigInt::from(1) << (EXTRA - 1)) + (BigInt::from(1) << (EXTRA - 13));
    for (component, result) in v.into_iter().zip(unit) {
        let exact = (BigInt::from(component) << (FRACTION_BITS + 2 * EXTRA)) / &length;
        let error = (BigInt::from(result) << EXTRA) - exact;
        assert!(error.magnitude() <= bound.magnitude(), "{component} of {v:?} became {result}");
    }
}

#[test]
fn directions_are_within_their_bound() {
    vectors::<3>(100_000).into_iter().for_each(assert_direction);
    vectors::<4>(100_000).into_iter().for_each(assert_direction);
}

/// On both sides of where a quaternion counts as nearly of length one, and is divided by its length without a root.
#[test]
fn quaternions_of_nearly_length_one_are_within_the_same_bound() {
    let mut random = SplitMix64::new(29);
    let (mut near, mut far) = (0, 0);
    for v in vectors::<4>(50_000) {
        let Some(unit) = direction(v) else { continue };
        let spread = random.below(14);
        let q = unit.map(|component| component + (((random.bits() as i64 & 0x3fff) - 0x2000) >> spread));
        let is_near = excess_of_square(q).is_some();
        (near, far) = (near + u32::from(is_near), far + u32::from(!is_near));
        assert_is_direction(q, Fixed::normalise4(q.map(Fixed::from_raw)).map(Fixed::to_raw));
    }
    assert!(near > 1000 && far > 1000, "{near} near, {far} far");
}

#[test]
fn axes_and_identities_stay_exact() {
    let one = Fixed::ONE.to_raw();
    for size in 0..62 {
        assert_eq!(direction([0, 1 << size, 0]), Some([0, one, 0]));
        assert_eq!(direction([0, 0, 0, -1 << size]), Some([0, 0, 0, -one]));
    }
    let identity = [Fixed::ONE, Fixed::ZERO, Fixed::ZERO, Fixed::ZERO];
    assert_eq!(Fixed::normalise4([Fixed::ZERO; 4]), identity);
    assert_eq!(Fixed::normalise4(identity), identity);
    assert_eq!(Fixed::normalise3([Fixed::ZERO; 3]), None);
}

/// The largest component gets exactly so many bits, one more where rounding carries, and each is the multiple of a power of two nearest to it.
#[test]
fn vectors_are_levelled_together() {
    const BITS: i32 = 38;
    for pair in vectors::<3>(50_000).chunks_exact(2) {
        let largest = |of: [[i64; 3]; 2]| of.into_iter().flatten().map(i64::unsigned_abs).max().unwrap_or(0);
        let pair = [pair[0], pair[1]];
        let found = levelled(pair, BITS);
        if largest(pair) == 0 {
            assert_eq!(found, pair);
            continue;
        }
        let bits = 64 - largest(pair).leading_zeros() as i32;
        assert!((1 << (BITS - 1)..=1 << BITS).contains(&largest(found)), "{pair:?} {found:?}");
        for (was, is) in pair.into_iter().flatten().zip(found.into_iter().flatten()) {
            // |is - was * 2^(BITS - bits)| <= 1/2, in whole numbers.
            let [was, is] = [was, is].map(i128::from);
            let (up, down) = ((BITS - bits).max(0), (bits - BITS).max(0));
            assert!(2 * ((is << down) - (was << up)).abs() <= 1 << down, "{was} {is}");
        }
    }
}
