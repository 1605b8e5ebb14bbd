//! Laws of vectors, rotations and poses.

use proptest::prop_assert;
use proptest::prop_assert_eq;

use crate::math::fixed::Fixed;
use crate::math::pose::Pose;
use crate::math::properties::{
    distance, dot_rounding, for_all, magnitude, norm_defect, rotations, rounding, sum_rounding, vector_distance,
    vectors,
};
use crate::math::quat::Quat;
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

/// How far a turned vector of this length may be from the exactly turned one.
///
/// With a quaternion whose length is off so that `|q|^2 = 1 + d`, the matrix is `R + d (R - I)`: off by `2 |d|`. Each of its
/// nine entries is off by at most 3 `r` (a sum of two products of at most 1/2, doubled, and a sum), so it is off by 9 `r`. Each of
/// the three components is a sum of three products of at most that length together.
fn turn_error<S: Scalar>(length: f64) -> f64 {
    length * (2.0 * norm_defect::<S>() + 9.0 * rounding::<S>(1.0)) + 1.7321 * dot_rounding::<S>(3.0, 1.001 * length)
}

/// The error of a cross product of vectors of these lengths: three components of two products each.
fn cross_error<S: Scalar>(lengths: f64) -> f64 {
    1.7321 * dot_rounding::<S>(2.0, lengths)
}

fn crosses<S: Scalar>() {
    for_all(&(vectors::<S>(50), vectors::<S>(50)), |(a, b)| {
        let cross = a.cross(b);
        let (first, second) = (magnitude(a), magnitude(b));
        for factor in [a, b] {
            let length = magnitude(factor);
            let bound = cross_error::<S>(first * second) * length + dot_rounding::<S>(3.0, first * second * length);
            prop_assert!(cross.dot(factor).to_f64().abs() <= 1.001 * bound, "{:?} x {:?}", a, b);
        }
        prop_assert_eq!(a.cross(a), Vec3::ZERO);
        prop_assert!(vector_distance(cross, -b.cross(a)) <= 2.0 * cross_error::<S>(first * second));
        prop_assert_eq!(a.dot(b), b.dot(a));
        // Lagrange: |a x b|^2 + (a . b)^2 = |a|^2 |b|^2, here in f64, which is exact enough only for the coarser scalars.
        let dot = a.dot(b).to_f64();
        let (left, right) = (magnitude(cross).powi(2) + dot * dot, (first * second).powi(2));
        let error = 2.0 * first * second * (cross_error::<S>(first * second) + dot_rounding::<S>(3.0, first * second));
        prop_assert!((left - right).abs() <= 1.01 * error + 1e-14 * right, "{:?} x {:?}", a, b);
        Ok(())
    });
    assert_eq!(Vec3::<S>::X.cross(Vec3::Y), Vec3::Z);
    assert_eq!(Vec3::<S>::Y.cross(Vec3::Z), Vec3::X);
    assert_eq!(Vec3::<S>::Z.cross(Vec3::X), Vec3::Y);
}

#[test]
fn cross_products_are_perpendicular_and_right_handed() {
    crosses::<Fixed>();
    crosses::<f32>();
    crosses::<f64>();
}

fn normalises<S: Scalar>() {
    for_all(&vectors::<S>(50), |v| {
        let Some((unit, length)) = v.normalise() else { return Ok(()) };
        // Components within 1.001 r, or 7 r of themselves: three quotients, three of the sum, half of it the root, a quotient.
        let error = 1.7321 * 7.0 * rounding::<S>(1.0);
        prop_assert!((magnitude(unit) - 1.0).abs() <= error + 1e-15, "{:?}", v);
        prop_assert!((length.to_f64() - magnitude(v)).abs() <= 7.0 * rounding::<S>(magnitude(v)) + 1e-14);
        prop_assert!(vector_distance(unit * length, v) <= 100.0 * error + 1.7321 * 8.0 * rounding::<S>(100.0));
        let (first, second) = unit.tangents();
        // Each pair is a cross product of unit vectors, one of which was divided by a length of at least sqrt(2/3).
        let bound = 4.0 * (error + cross_error::<S>(1.0)) + dot_rounding::<S>(3.0, 1.01);
        for cosine in [unit.dot(first), unit.dot(second), first.dot(second)] {
            prop_assert!(cosine.to_f64().abs() <= bound, "{:?}", v);
        }
        prop_assert!(vector_distance(first.cross(second), unit) <= 3.0 * bound);
        Ok(())
    });
}

#[test]
fn directions_have_length_one_and_frames_are_right_angled() {
    normalises::<Fixed>();
    normalises::<f32>();
    normalises::<f64>();
}

fn has_inverses<S: Scalar>() {
    for_all(&(rotations::<S>(), vectors::<S>(50)), |(q, v)| {
        let product = (q * q.conjugate()).to_array();
        let bound = norm_defect::<S>() + dot_rounding::<S>(4.0, 1.001);
        prop_assert!(distance(product[0], S::ONE) <= bound, "{:?}", q);
        prop_assert_eq!([product[1], product[2], product[3]], [S::ZERO; 3]);

        let turned = q.rotate(v);
        let error = turn_error::<S>(magnitude(v));
        prop_assert!((magnitude(turned) - magnitude(v)).abs() <= error + 1e-14 * magnitude(v), "{:?}", v);
        prop_assert!(vector_distance(q.conjugate().rotate(turned), v) <= 2.001 * error, "{:?}", v);
        prop_assert_eq!(q.to_matrix().transpose(), q.conjugate().to_matrix());
        prop_assert_eq!(q.to_matrix().transpose_mul(v), q.conjugate().rotate(v));
        prop_assert_eq!(Quat::IDENTITY * q, q);
        prop_assert_eq!(q * Quat::IDENTITY, q);
        Ok(())
    });
}

#[test]
fn rotations_keep_lengths_and_have_inverses() {
    has_inverses::<Fixed>();
    has_inverses::<f32>();
    has_inverses::<f64>();
}

fn composes<S: Scalar>() {
    for_all(&(rotations::<S>(), rotations::<S>(), rotations::<S>(), vectors::<S>(50)), |(p, q, r, v)| {
        let length = magnitude(v);
        // A quaternion off by e (four components of four products) turns by 2 e more, and its length counts as a defect of 2 e.
        let product_error = 2.0 * dot_rounding::<S>(4.0, 1.001) + norm_defect::<S>();
        let bound = 3.001 * turn_error::<S>(length) + 6.0 * product_error * length;
        prop_assert!(vector_distance((p * q).rotate(v), p.rotate(q.rotate(v))) <= bound);

        let (left, right) = (((p * q) * r).to_array(), (p * (q * r)).to_array());
        let component = dot_rounding::<S>(4.0, 1.001);
        for (a, b) in left.into_iter().zip(right) {
            // Each side: four components off by e meet a factor of length one, twice e; then e again.
            prop_assert!(distance(a, b) <= 2.0 * (2.001 * component + component));
        }
        Ok(())
    });
}

#[test]
fn products_of_quaternions_are_turns_one_after_the_other() {
    composes::<Fixed>();
    composes::<f32>();
    composes::<f64>();
}

fn places<S: Scalar>() {
    for_all(&(rotations::<S>(), vectors::<S>(50), rotations::<S>(), vectors::<S>(50), vectors::<S>(20)), |values| {
        let (q, position, inner_q, inner_position, point) = values;
        let (pose, inner) = (Pose::new(position, q), Pose::new(inner_position, inner_q));
        let there = pose.transform_point(point);
        let sums = 1.7321 * sum_rounding::<S>(150.0);
        let bound = 2.0 * turn_error::<S>(120.0) + 2.0 * sums;
        prop_assert!(vector_distance(pose.inverse_transform_point(there), point) <= bound);
        let product_error = 2.0 * dot_rounding::<S>(4.0, 1.001) + norm_defect::<S>();
        let bound = 4.0 * turn_error::<S>(130.0) + 6.0 * product_error * magnitude(point) + 4.0 * sums;
        let composed = pose.transform_pose(inner).transform_point(point);
        prop_assert!(vector_distance(composed, pose.transform_point(inner.transform_point(point))) <= bound);
        Ok(())
    });
}

#[test]
fn poses_invert_and_compose() {
    places::<Fixed>();
    places::<f32>();
    places::<f64>();
}

fn turns_by_quarters<S: Scalar>() {
    let quarter = S::PI * S::HALF;
    for (axis, from, to) in [(Vec3::X, Vec3::Y, Vec3::Z), (Vec3::Y, Vec3::Z, Vec3::X), (Vec3::Z, Vec3::X, Vec3::Y)] {
        let turned = Quat::<S>::from_axis_angle(axis * S::from_i32(3), quarter).rotate(from);
        // The angle is rounded (below 2), halved, and its sine and cosine are within two roundings.
        let bound = turn_error::<S>(1.0) + rounding::<S>(2.0) + 4.0 * 1.4143 * rounding::<S>(1.0);
        assert!(vector_distance(turned, to) <= bound, "about {axis:?}");
    }
    assert_eq!(Quat::<S>::from_axis_angle(Vec3::ZERO, S::ONE), Quat::IDENTITY);
}

#[test]
fn a_quarter_turn_about_an_axis_is_right_handed() {
    turns_by_quarters::<Fixed>();
    turns_by_quarters::<f32>();
    turns_by_quarters::<f64>();
}
