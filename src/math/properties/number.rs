//! Laws of single numbers.

use proptest::prop_assert;
use proptest::prop_assert_eq;

use crate::math::fixed::Fixed;
use crate::math::properties::{distance, for_all, numbers, rounding, sum_rounding};
use crate::math::scalar::Scalar;

/// The largest operand.
const LIMIT: f64 = 100.0;

fn commutes<S: Scalar>() {
    for_all(&(numbers::<S>(100), numbers::<S>(100)), |(a, b)| {
        prop_assert_eq!(a + b, b + a);
        prop_assert_eq!(a * b, b * a);
        prop_assert_eq!(a - b, -(b - a));
        prop_assert_eq!(S::dot2([a, b], [b, a]), S::dot2([b, a], [a, b]));
        Ok(())
    });
}

#[test]
fn sums_and_products_commute_exactly() {
    commutes::<Fixed>();
    commutes::<f32>();
    commutes::<f64>();
}

fn associates<S: Scalar>() {
    for_all(&(numbers::<S>(100), numbers::<S>(100), numbers::<S>(100)), |(a, b, c)| {
        // Each side rounds a sum of two and one of three.
        let sums = 2.0 * (sum_rounding::<S>(2.0 * LIMIT) + sum_rounding::<S>(3.0 * LIMIT));
        prop_assert!(distance((a + b) + c, a + (b + c)) <= sums);
        // Each side rounds a product of two, which the third factor magnifies, and one of three.
        let products = 2.0 * (rounding::<S>(LIMIT * LIMIT) * LIMIT + rounding::<S>(LIMIT * LIMIT * LIMIT));
        prop_assert!(distance((a * b) * c, a * (b * c)) <= products);
        Ok(())
    });
}

#[test]
fn sums_and_products_associate_within_their_roundings() {
    associates::<Fixed>();
    associates::<f32>();
    associates::<f64>();
}

fn distributes<S: Scalar>() {
    for_all(&(numbers::<S>(100), numbers::<S>(100), numbers::<S>(100)), |(a, b, c)| {
        let left = sum_rounding::<S>(2.0 * LIMIT) * LIMIT + rounding::<S>(2.0 * LIMIT * LIMIT);
        let right = 2.0 * rounding::<S>(LIMIT * LIMIT) + sum_rounding::<S>(2.0 * LIMIT * LIMIT);
        prop_assert!(distance(a * (b + c), a * b + a * c) <= left + right);
        Ok(())
    });
}

#[test]
fn products_distribute_over_sums_within_their_roundings() {
    distributes::<Fixed>();
    distributes::<f32>();
    distributes::<f64>();
}

fn inverts<S: Scalar>() {
    for_all(&(numbers::<S>(100), numbers::<S>(100)), |(a, b)| {
        if b.abs() > S::EPSILON + S::EPSILON && b.abs() > S::from_ratio(1, 1000) {
            let quotient = a / b;
            let bound = rounding::<S>(quotient.to_f64().abs()) * b.to_f64().abs() + rounding::<S>(LIMIT);
            prop_assert!(distance(quotient * b, a) <= bound, "{} / {}", a, b);
        }
        let root = a.abs().sqrt();
        let error = rounding::<S>(root.to_f64());
        let bound = 2.0 * root.to_f64() * error + error * error + rounding::<S>(LIMIT);
        prop_assert!(distance(root * root, a.abs()) <= bound, "the root of {}", a);
        Ok(())
    });
}

#[test]
fn quotients_and_roots_undo_products_within_their_roundings() {
    inverts::<Fixed>();
    inverts::<f32>();
    inverts::<f64>();
}

fn has_functions_that_agree<S: Scalar>() {
    // Every function is within one unit in the last place, two roundings, of a result of at most that magnitude.
    let unit = |magnitude: f64| 2.0 * rounding::<S>(magnitude);
    for_all(&(numbers::<S>(100), numbers::<S>(3)), |(angle, small)| {
        let (sine, cosine) = angle.sin_cos();
        // d(s^2 + c^2) = 2 (s ds + c dc), with |s| + |c| <= sqrt 2; then two products and a sum.
        let bound = 2.0 * 1.4143 * unit(1.0) + 3.0 * rounding::<S>(1.0);
        prop_assert!(distance(S::dot2([sine, cosine], [sine, cosine]), S::ONE) <= bound, "at {}", angle);
        let (sine, cosine) = small.sin_cos();
        // An error (ds, dc) turns the point by at most sqrt 2 of it; its angle is below 4, and so rounded.
        let bound = 1.4143 * unit(1.0) + unit(4.0);
        prop_assert!(distance(sine.atan2(cosine), small) <= bound, "the angle {}", small);
        // e^x e^-x = 1: the relative errors of both factors, which in fixed point are absolute ones, and the product.
        let (power, inverse) = (small.exp(), (-small).exp());
        let (large, less) = (power.to_f64(), inverse.to_f64());
        let bound = unit(large) * less + unit(less) * large + rounding::<S>(1.0) + unit(1.0) * unit(1.0);
        prop_assert!(distance(power * inverse, S::ONE) <= 1.01 * bound, "e^{}", small);
        // ln e^x = x: the relative error of the power, and the logarithm's.
        let bound = 1.01 * unit(large) / large + unit(4.0);
        prop_assert!(distance(power.ln(), small) <= bound, "ln e^{}", small);
        Ok(())
    });
}

#[test]
fn elementary_functions_agree_with_each_other() {
    has_functions_that_agree::<Fixed>();
    has_functions_that_agree::<f32>();
    has_functions_that_agree::<f64>();
}

fn orders<S: Scalar>() {
    for_all(&(numbers::<S>(100), numbers::<S>(100)), |(a, b)| {
        prop_assert_eq!(a.partial_cmp(&b), Some(a.to_ordered().cmp(&b.to_ordered())));
        prop_assert_eq!(S::from_bits(a.to_bits()), a);
        prop_assert_eq!(S::from_decimal(&a.to_string()), Some(a));
        prop_assert_eq!(a.min(b) + a.max(b), a + b);
        prop_assert_eq!(a.clamp(S::ZERO, S::ONE), a.max(S::ZERO).min(S::ONE));
        let (mantissa, exponent) = a.to_mantissa_exponent();
        let bound = rounding::<S>(0.0) * 128.0;
        prop_assert!(distance(mantissa.scale_by_power_of_two(exponent), a) <= bound);
        Ok(())
    });
}

#[test]
fn numbers_keep_their_order_and_their_bits() {
    orders::<Fixed>();
    orders::<f32>();
    orders::<f64>();
}

fn has_fractions<S: Scalar>() {
    for_all(&(numbers::<S>(100), 1..100_000_i64), |(a, rate)| {
        // The fraction is rounded to 62 bits or as the scalar is, the product once more.
        let exact = a.to_f64() / rate as f64;
        let bound = rounding::<S>(exact.abs()) * 2.0 + 1e-16 * exact.abs();
        let product = a.mul_fraction(S::fraction(1, rate)).to_f64();
        prop_assert!((product - exact).abs() <= bound, "{} / {} became {}", a, rate, product);
        prop_assert_eq!(a.mul_fraction(S::fraction(1, 1)), a);
        Ok(())
    });
}

#[test]
fn products_with_fractions_are_within_their_roundings() {
    has_fractions::<Fixed>();
    has_fractions::<f32>();
    has_fractions::<f64>();
}

/// By squares that are exact in every scalar, and at the resolution of fixed point, where rounded squares would vanish.
fn compares_lengths<S: Scalar>() {
    let [three, four, five] = [3, 4, 5].map(S::from_i32);
    let little = S::from_ratio(1, 1 << 20);
    assert!(!S::is_longer2([three, -four], five));
    assert!(S::is_longer2([three, -four], five - little));
    assert!(!S::is_longer2([-three, four], five + little));
    let least = S::from_ratio(1, 1 << 32);
    assert!(S::is_longer2([least, least], least));
    assert!(!S::is_longer2([least, S::ZERO], least) && !S::is_longer2([S::ZERO; 2], S::ZERO));
}

#[test]
fn lengths_are_compared_by_their_squares() {
    compares_lengths::<Fixed>();
    compares_lengths::<f32>();
    compares_lengths::<f64>();
}
