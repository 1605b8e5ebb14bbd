//! Laws of numbers with an exponent of their own.

use proptest::prop_assert;
use proptest::prop_assert_eq;

use crate::math::fixed::Fixed;
use crate::math::properties::{for_all, numbers, rounding};
use crate::math::scalar::{Scalar, ScalarKind};
use crate::math::scaled::Scaled;

/// Relative error of a product, a quotient or a sum.
///
/// A float rounds once. Fixed point rounds a result in [1/2, 2) by `r`, and once more by `r` when it has to halve it to get back
/// below one: at most `1.5 r` of a mantissa of at least 1/2. A sum has rounded the smaller mantissa before: `2 r` of it.
fn relative_error<S: Scalar>() -> f64 {
    let factor = if S::KIND == ScalarKind::Fixed { 4.0 } else { 1.0 };
    // The oracle, in f64, rounds as well.
    factor * rounding::<S>(1.0) + 2.3e-16
}

fn is_near<S: Scalar>(value: Scaled<S>, exact: f64) -> bool {
    let mantissa = value.mantissa.to_f64();
    (0.5..1.0).contains(&mantissa) && (value.to_f64() - exact).abs() <= relative_error::<S>() * exact.abs()
}

fn calculates<S: Scalar>() {
    for_all(&(numbers::<S>(100), -40..40, numbers::<S>(100), -40..40), |(a, a_exponent, b, b_exponent)| {
        let (p, q) = (Scaled::new(a.abs(), a_exponent), Scaled::new(b.abs(), b_exponent));
        if p.is_zero() || q.is_zero() {
            return Ok(());
        }
        let (x, y) = (p.to_f64(), q.to_f64());
        prop_assert!(is_near(p, libm::scalbn(a.abs().to_f64(), a_exponent)));
        prop_assert!(is_near(p.mul(q), x * y), "{:?} * {:?}", p, q);
        prop_assert!(is_near(p.div(q), x / y), "{:?} / {:?}", p, q);
        prop_assert!(is_near(p.add(q), x + y), "{:?} + {:?}", p, q);
        prop_assert!(is_near(p.recip(), 1.0 / x), "1 / {:?}", p);
        prop_assert_eq!(p.mul(q), q.mul(p));
        prop_assert_eq!(p.add(q), q.add(p));
        prop_assert_eq!(p.compare(q), x.total_cmp(&y));
        prop_assert_eq!(p.add(Scaled::ZERO), p);
        prop_assert_eq!(p.mul(Scaled::new(S::ONE, 0)), p);
        Ok(())
    });
}

#[test]
fn arithmetic_keeps_the_scalars_full_precision_at_any_size() {
    calculates::<Fixed>();
    calculates::<f32>();
    calculates::<f64>();
}

fn applies<S: Scalar>() {
    for_all(&(numbers::<S>(100), numbers::<S>(1), -30..3), |(value, mantissa, exponent)| {
        let factor = Scaled::new(mantissa.abs(), exponent);
        let exact = value.to_f64() * factor.to_f64();
        // One rounding of the product; in fixed point that of the exact product.
        prop_assert!(
            (factor.apply(value).to_f64() - exact).abs() <= rounding::<S>(exact.abs()) + 2.3e-16 * exact.abs()
        );
        prop_assert!((factor.to_scalar().to_f64() - factor.to_f64()).abs() <= rounding::<S>(0.0));
        Ok(())
    });
    assert_eq!(Scaled::<S>::ZERO.recip(), Scaled::ZERO);
    assert_eq!(Scaled::new(S::ONE, 5).div(Scaled::ZERO), Scaled::ZERO);
    assert_eq!(Scaled::<S>::ZERO.apply(S::MAX), S::ZERO);
}

#[test]
fn a_plain_number_times_a_scaled_one_is_rounded_once() {
    applies::<Fixed>();
    applies::<f32>();
    applies::<f64>();
}

fn reads<S: Scalar>() {
    for (text, exact) in
        [("1.7e-8", 1.7e-8), ("1", 1.0), ("0.9999999999999999999999", 1.0), ("123456.789", 123_456.789)]
    {
        let Some(value) = Scaled::<S>::from_decimal(text) else { panic!("{text} was refused") };
        // One rounding of a mantissa of at least one half, and that of the literal.
        let bound = (2.0 * rounding::<S>(0.5) + 1.2e-16) * exact;
        let bound = if S::KIND == ScalarKind::Fixed { bound } else { 2.0 * bound };
        assert!((value.to_f64() - exact).abs() <= bound, "{text} became {value:?}");
    }
}

#[test]
fn decimals_keep_the_scalars_full_precision() {
    reads::<Fixed>();
    reads::<f32>();
    reads::<f64>();
}
