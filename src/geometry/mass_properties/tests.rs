//! Closed forms, sums of parts and precision, with `f64` as the oracle.

use crate::geometry::mass_properties::{MassError, MassProperties};
use crate::geometry::shape::Shape;
use crate::math::{Fixed, Pose, Quat, Scalar, Scaled, Vec3};

/// The relative precision that a few roundings near one leave. Fixed point has 2^-33 per rounding of entries from 1/4 on.
fn precision<S: Scalar>() -> f64 {
    (16.0 * S::EPSILON.to_f64()).max(1e-15)
}

/// `value` as a ratio of integers: what the scalar makes of it is what the oracle is then fed with.
fn number<S: Scalar>(value: f64) -> S {
    S::from_ratio((value * 1e9).round() as i64, 1_000_000_000)
}

/// The inertia in m^2 as `[xx, yy, zz, xy, xz, yz]`.
fn specific<S: Scalar>(properties: &MassProperties<S>) -> [f64; 6] {
    let scale = libm::scalbn(1.0, 2 * properties.inertia.length_exponent);
    properties.inertia.tensor.to_array().map(|entry| entry.to_f64() * scale)
}

/// Asserts that all entries agree relative to the largest.
fn assert_entries(found: [f64; 6], expected: [f64; 6], precision: f64) {
    let largest = expected.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    for (entry, wanted) in found.iter().zip(expected) {
        assert!((entry - wanted).abs() <= precision * largest, "{found:?} {expected:?}");
    }
}

/// Asserts that two numbers agree relatively.
fn assert_relative(found: f64, expected: f64, precision: f64) {
    assert!((found - expected).abs() <= precision * expected.abs(), "{found} {expected}");
}

fn single<S: Scalar>(shape: Shape<S>, density: f64) -> MassProperties<S> {
    MassProperties::of_shapes(&[(shape, Pose::IDENTITY, number::<S>(density))]).expect("a shape with mass")
}

/// Runs a generic check on all scalars.
fn on_all_scalars(fixed: fn(), single: fn(), double: fn()) {
    fixed();
    single();
    double();
}

#[test]
fn closed_forms_hold_from_a_millimetre_to_a_hundred_metres() {
    fn check<S: Scalar>() {
        for size in [0.001, 0.005, 0.01, 0.5, 1.0, 3.0, 20.0, 100.0] {
            let (radius, height) = (number::<S>(size), number::<S>(1.5 * size));
            let (r, h) = (radius.to_f64(), height.to_f64());
            let ball = single(Shape::Sphere { radius }, 800.0);
            assert_relative(ball.mass.to_f64(), 800.0 * 4.0 / 3.0 * std::f64::consts::PI * r * r * r, precision::<S>());
            let moment = 0.4 * r * r;
            assert_entries(specific(&ball), [moment, moment, moment, 0.0, 0.0, 0.0], precision::<S>());
            assert!(ball.inertia.tensor.is_isotropic() && ball.inertia.inverse.is_isotropic());

            let block = single(Shape::Cuboid { half_extents: Vec3::new(radius, height, radius) }, 2500.0);
            assert_relative(block.mass.to_f64(), 2500.0 * 8.0 * r * r * h, precision::<S>());
            let (across, along) = ((r * r + h * h) / 3.0, 2.0 * r * r / 3.0);
            assert_entries(specific(&block), [across, along, across, 0.0, 0.0, 0.0], precision::<S>());

            let pill = single(Shape::Capsule { half_height: height, radius }, 1000.0);
            let (cylinder, caps) = (2.0 * h, 4.0 / 3.0 * r);
            assert_relative(
                pill.mass.to_f64(),
                1000.0 * std::f64::consts::PI * r * r * (cylinder + caps),
                precision::<S>(),
            );
            let share = cylinder / (cylinder + caps);
            let along = share * r * r / 2.0 + (1.0 - share) * 0.4 * r * r;
            let across = share * (r * r / 4.0 + h * h / 3.0) + (1.0 - share) * (0.4 * r * r + h * h + 0.75 * h * r);
            assert_entries(specific(&pill), [across, along, across, 0.0, 0.0, 0.0], precision::<S>());

            let can = single(Shape::Cylinder { half_height: height, radius }, 1500.0);
            assert_relative(can.mass.to_f64(), 1500.0 * 2.0 * std::f64::consts::PI * r * r * h, precision::<S>());
            let (across, along) = (r * r / 4.0 + h * h / 3.0, r * r / 2.0);
            assert_entries(specific(&can), [across, along, across, 0.0, 0.0, 0.0], precision::<S>());

            // 3/80 of the square of its height, which is `2 h`, and 3/20 of that of the radius.
            let hat = single(Shape::Cone { half_height: height, radius }, 1500.0);
            assert_relative(hat.mass.to_f64(), 500.0 * std::f64::consts::PI * r * r * 2.0 * h, precision::<S>());
            let (across, along) = (3.0 / 20.0 * r * r + 3.0 / 80.0 * 4.0 * h * h, 0.3 * r * r);
            assert_entries(specific(&hat), [across, along, across, 0.0, 0.0, 0.0], precision::<S>());
            assert!(hat.centre == Vec3::ZERO, "about its centre of volume");
        }
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn a_gram_and_a_thousand_tonnes_keep_eight_digits_in_fixed_point() {
    for (half_extent, kilograms) in [(0.005, 0.001), (10.0, 1_000_000.0)] {
        let half_extents = Vec3::splat(number::<Fixed>(half_extent));
        let side = half_extents.x.to_f64();
        let mass = Scaled::new(number::<Fixed>(kilograms), 0);
        let cube = single(Shape::Cuboid { half_extents }, 1000.0).with_total_mass(mass);
        assert_eq!(cube.mass, mass);
        let moment = 2.0 / 3.0 * side * side;
        for (found, expected) in specific(&cube).into_iter().zip([moment, moment, moment, 0.0, 0.0, 0.0]) {
            assert!((found - expected).abs() <= 1e-9 * moment, "{found} {expected}");
        }
        let scale = libm::scalbn(1.0, -2 * cube.inertia.length_exponent);
        assert_relative(cube.inertia.inverse.xx.to_f64() * scale, 1.0 / moment, 1e-9);
        assert!(cube.inertia.tensor.is_isotropic() && cube.inertia.inverse.is_isotropic());
    }
}

#[test]
fn a_capsule_without_height_is_a_sphere() {
    fn check<S: Scalar>() {
        let (radius, density) = (number::<S>(0.3), 7.0);
        let pill = single(Shape::Capsule { half_height: S::ZERO, radius }, density);
        let ball = single(Shape::Sphere { radius }, density);
        assert_entries(specific(&pill), specific(&ball), precision::<S>());
        assert_relative(pill.mass.to_f64(), ball.mass.to_f64(), precision::<S>());
        assert!(pill.inertia.tensor.is_isotropic());
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn two_half_cubes_are_a_cuboid_wherever_they_lie() {
    fn check<S: Scalar>() {
        let quarter = Shape::Cuboid { half_extents: Vec3::new(S::HALF, S::HALF, S::from_ratio(1, 4)) };
        let whole = single(Shape::Cuboid { half_extents: Vec3::splat(S::HALF) }, 10.0);
        for far in [0, 100] {
            let middle = Vec3::new(S::from_i32(far), S::from_i32(-far), S::from_i32(2 * far));
            let at = |z: S| Pose::new(middle + Vec3::new(S::ZERO, S::ZERO, z), Quat::IDENTITY);
            let parts = [
                (quarter.clone(), at(S::from_ratio(-1, 4)), S::from_i32(10)),
                (quarter.clone(), at(S::from_ratio(1, 4)), S::from_i32(10)),
            ];
            let joined = MassProperties::of_shapes(&parts).expect("two halves");
            assert_eq!(joined.centre, middle);
            assert_relative(joined.mass.to_f64(), whole.mass.to_f64(), precision::<S>());
            assert_entries(specific(&joined), specific(&whole), precision::<S>());
        }
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn parts_add_by_the_parallel_axis_theorem_with_minus_the_products() {
    fn check<S: Scalar>() {
        // Balls of radius 1/2 and densities 1 and 3 at (0, 0, 0) and (1, 2, -1): the centre at three quarters of the way.
        let ball = Shape::Sphere { radius: S::HALF };
        let second = Vec3::new(S::ONE, S::TWO, -S::ONE);
        let parts = [(ball.clone(), Pose::IDENTITY, S::ONE), (ball, Pose::new(second, Quat::IDENTITY), S::from_i32(3))];
        let pair = MassProperties::of_shapes(&parts).expect("two balls");
        let expected = [0.75, 1.5, -0.75];
        for (found, expected) in pair.centre.to_f64().into_iter().zip(expected) {
            assert!((found - expected).abs() <= precision::<S>() * 2.0);
        }
        // The reduced mass of two parts is 1/4 * 3/4 of the whole; products of (1, 2, -1).
        let (own, reduced) = (0.4 * 0.25, 0.1875);
        let tensor =
            [own + reduced * 5.0, own + reduced * 2.0, own + reduced * 5.0, -reduced * 2.0, reduced, reduced * 2.0];
        assert_entries(specific(&pair), tensor, precision::<S>());
        assert_inverse(&pair);
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

/// Asserts that tensor and inverse multiply to one.
fn assert_inverse<S: Scalar>(properties: &MassProperties<S>) {
    let inertia = properties.inertia;
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        let error = (inertia.tensor * (inertia.inverse * axis) - axis).to_f64();
        // The entries of the inverse carry the rounding, and the tensor's entries below 2 multiply it.
        let largest =
            inertia.inverse.to_array().into_iter().fold(1.0, |largest, entry| entry.to_f64().abs().max(largest));
        assert!(error.into_iter().all(|component| component.abs() <= precision::<S>() * largest), "{error:?}");
    }
}

#[test]
fn a_turned_part_turns_its_tensor() {
    fn check<S: Scalar>() {
        let block = Shape::Cuboid { half_extents: Vec3::new(S::HALF, S::ONE, S::TWO) };
        let turned = Quat::from_axis_angle(Vec3::Z, S::PI / S::from_i32(6));
        let parts = [(block, Pose::new(Vec3::X, turned), S::ONE)];
        let properties = MassProperties::of_shapes(&parts).expect("a block");
        // By half angles: xy = (xx - yy) sin 60 / 2 for principal moments 5/3 and 4.25/3.
        let (large, small) = (5.0 / 3.0, 4.25 / 3.0);
        let (mean, half) = ((large + small) / 2.0, (large - small) / 2.0);
        let (sine, cosine) = (0.75_f64.sqrt(), 0.5);
        let expected = [mean + half * cosine, mean - half * cosine, 1.25 / 3.0, half * sine, 0.0, 0.0];
        assert_entries(specific(&properties), expected, 4.0 * precision::<S>());
        assert_eq!(properties.centre, Vec3::X);
        assert_inverse(&properties);
        let cube = Shape::Cuboid { half_extents: Vec3::splat(S::HALF) };
        let cube = MassProperties::of_shapes(&[(cube, Pose::new(Vec3::X, turned), S::ONE)]).expect("a cube");
        assert!(cube.inertia.tensor.is_isotropic(), "equal moments stay equal to the bit");
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn a_slender_rod_has_a_true_inverse() {
    fn check<S: Scalar>() {
        let rod = Shape::Capsule { half_height: S::ONE, radius: number(0.02) };
        let turned = Quat::from_axis_angle(Vec3::new(S::ONE, S::TWO, S::HALF), S::ONE);
        let rod = MassProperties::of_shapes(&[(rod, Pose::new(Vec3::ZERO, turned), S::ONE)]).expect("a rod");
        assert_inverse(&rod);
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

/// The moments of a rod of length `2 l` and thickness `2 r` are as `(l^2 + r^2) / 2 r^2`: a needle of 1000 to 1 is the limit of
/// `f32` (2^19), one of 10,000 to 1 is too slender for it, and one of 80,000 to 1 for fixed point.
#[test]
fn needles_are_refused_where_the_scalar_ends() {
    fn check<S: Scalar>() -> [bool; 3] {
        [1_000, 10_000, 80_000].map(|ratio| {
            let thin = S::ONE;
            let needle = Shape::Cuboid { half_extents: Vec3::new(S::from_i32(ratio), thin, thin) };
            match MassProperties::of_shapes(&[(needle, Pose::IDENTITY, S::ONE)]) {
                Ok(_) => true,
                Err(MassError::TooSlender | MassError::NotPositiveDefinite) => false,
                Err(error) => panic!("{error}"),
            }
        })
    }
    assert_eq!(check::<f32>(), [true, false, false]);
    assert_eq!(check::<Fixed>(), [true, true, false]);
    assert_eq!(check::<f64>(), [true, true, true]);
}

/// Signed entries in kg m^2.
fn entries<S: Scalar>(values: [f64; 6]) -> [Scaled<S>; 6] {
    values.map(|value| Scaled::new(number(value), 0))
}

#[test]
fn given_numbers_come_back_and_impossible_ones_are_refused() {
    fn check<S: Scalar>() {
        let give =
            |mass: f64, values| MassProperties::<S>::given(Scaled::new(number(mass), 0), Vec3::X, entries(values));
        let values = [3.0, 2.5, 2.0, -0.25, 0.5, 0.125];
        let body = give(0.5, values).expect("a body");
        assert_entries(specific(&body), values.map(|value| value / 0.5), precision::<S>());
        assert_eq!((body.centre, body.mass), (Vec3::X, Scaled::new(S::HALF, 0)));
        assert_inverse(&body);
        assert!(give(2.0, [1.0, 1.0, 2.0, 0.0, 0.0, 0.0]).is_ok(), "a thin disc");
        assert!(give(2.0, [1.0, 1.0, 0.000_001, 0.0, 0.0, 0.0]).is_ok(), "a thin rod");
        // Moments far below one beside entries that are zero: zero has no size that could be too large.
        assert!(give(1.2, [0.006_66, 0.006_66, 0.013, -0.002_5, 0.0, 0.0]).is_ok(), "a book");
        for mass in [0.0, -1.0] {
            assert_eq!(give(mass, values), Err(MassError::Mass));
        }
        let refused = [
            ([1.0, 1.0, 2.1, 0.0, 0.0, 0.0], MassError::TriangleInequality),
            // Principal moments 2, 1/2 and 1 about turned axes.
            ([1.25, 1.25, 1.0, 0.75, 0.0, 0.0], MassError::TriangleInequality),
            ([0.0, 1.0, 1.0, 0.0, 0.0, 0.0], MassError::NotPositiveDefinite),
            ([1.0, -1.0, 1.0, 0.0, 0.0, 0.0], MassError::NotPositiveDefinite),
            ([1.0, 1.0, 1.0, 1.0, 0.0, 0.0], MassError::NotPositiveDefinite),
            ([1.0, 1.0, 1.0, 0.0, 1000.0, 0.0], MassError::NotPositiveDefinite),
            ([1.0, 1.0, 1.0, 0.6, 0.6, -0.6], MassError::NotPositiveDefinite),
        ];
        for (values, error) in refused {
            assert_eq!(give(2.0, values), Err(error), "{values:?}");
        }
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn shapes_without_mass_are_refused_by_number() {
    fn check<S: Scalar>() {
        let good = (Shape::Sphere { radius: S::ONE }, Pose::IDENTITY, S::ONE);
        let with =
            |shape: Shape<S>, density: S| MassProperties::of_shapes(&[good.clone(), (shape, Pose::IDENTITY, density)]);
        assert_eq!(MassProperties::<S>::of_shapes::<S>(&[]), Err(MassError::NoShapes));
        assert_eq!(with(Shape::HalfSpace { normal: Vec3::Y }, S::ONE), Err(MassError::HalfSpace(1)));
        assert_eq!(with(Shape::Sphere { radius: S::ZERO }, S::ONE), Err(MassError::Size(1)));
        let flat = Vec3::new(S::ONE, -S::ONE, S::ONE);
        assert_eq!(with(Shape::Cuboid { half_extents: flat }, S::ONE), Err(MassError::Size(1)));
        assert_eq!(with(Shape::Capsule { half_height: -S::ONE, radius: S::ONE }, S::ONE), Err(MassError::Size(1)));
        assert_eq!(with(good.0.clone(), S::ZERO), Err(MassError::Density(1)));
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
    let infinite = Shape::Sphere { radius: f64::INFINITY };
    assert_eq!(MassProperties::of_shapes(&[(infinite, Pose::IDENTITY, 1.0)]), Err(MassError::Size(0)));
    let ball = Shape::Sphere { radius: 1.0 };
    assert_eq!(MassProperties::of_shapes(&[(ball, Pose::IDENTITY, f64::NAN)]), Err(MassError::Density(0)));
}
