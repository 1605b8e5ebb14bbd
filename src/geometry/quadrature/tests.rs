//! Closed forms of polynomial and radial densities on every shape, in `f64` and in every scalar; what has no moments.

use std::f64::consts::PI;
use std::sync::Arc;

use crate::geometry::hull::{ExactHull, Hull};
use crate::geometry::mass_properties::{Density, MassProperties};
use crate::geometry::quadrature::{LARGEST_ERROR, Moments, QuadratureError, Region, WANTED_ERROR, moments_of};
use crate::geometry::shape::Shape;
use crate::math::{Fixed, Pose, Scalar, Vec3};

/// What a solid should be: mass, centre, and inertia about the centre per mass.
struct Expected {
    mass: f64,
    centre: [f64; 3],
    inertia: [f64; 6],
}

impl Expected {
    /// From the means of `x, y, z` and of `x^2, y^2, z^2, x y, x z, y z` about the origin.
    fn from_means(mass: f64, [x, y, z]: [f64; 3], [xx, yy, zz, xy, xz, yz]: [f64; 6]) -> Self {
        let (xx, yy, zz) = (xx - x * x, yy - y * y, zz - z * z);
        Self { mass, centre: [x, y, z], inertia: [yy + zz, zz + xx, xx + yy, x * y - xy, x * z - xz, y * z - yz] }
    }
}

fn assert_near(found: f64, expected: f64, size: f64, bound: f64, what: &str) {
    assert!((found - expected).abs() <= bound * size, "{what}: found {found}, expected {expected}");
}

/// A solid on which a density is tried: the same shape in `f64` and in a scalar.
fn check<S: Scalar>(shape: &Shape<S>, origin: [f64; 3], density: &dyn Fn([f64; 3]) -> f64, expected: &Expected) {
    let region = Region::of_shape(shape, origin).expect("a solid");
    let moments = moments_of(&region, density).expect("moments");
    assert!(moments.error <= WANTED_ERROR, "{moments:?}");
    let (size, tiny) = (shape.largest_half_extent().expect("a solid").to_f64(), 2e-12);
    assert_near(moments.mass, expected.mass, expected.mass, tiny, "mass");
    for axis in 0..3 {
        assert_near(moments.centre[axis], expected.centre[axis], size, tiny, "centre");
    }
    for entry in 0..6 {
        assert_near(moments.inertia[entry], expected.inertia[entry], size * size, tiny, "inertia");
    }
    // The same in the numbers of a run: a few roundings more. Lengths in fixed point have 32 binary places, whatever their size.
    let bound = (64.0 * S::EPSILON.to_f64()).max(tiny);
    let body = MassProperties::of_shapes(&[(shape.clone(), Pose::IDENTITY, Density::Uneven(moments))]).expect("a body");
    assert_near(body.mass.to_f64(), expected.mass, expected.mass, bound, "mass of the body");
    for (found, expected) in body.centre.to_f64().into_iter().zip(expected.centre) {
        assert_near(found, expected, size.max(1.0), bound, "centre of the body");
    }
    let scale = libm::scalbn(1.0, 2 * body.inertia.length_exponent);
    for (found, expected) in body.inertia.tensor.to_array().into_iter().zip(expected.inertia) {
        assert_near(found.to_f64() * scale, expected, size * size, bound, "inertia of the body");
    }
}

/// Runs a generic check on all scalars.
fn on_all_scalars(fixed: fn(), single: fn(), double: fn()) {
    fixed();
    single();
    double();
}

fn square([x, y, z]: [f64; 3]) -> f64 {
    x * x + y * y + z * z
}

/// Sizes that every scalar holds exactly.
fn eighths<S: Scalar>(eighths: i64) -> (S, f64) {
    (S::from_ratio(eighths, 8), eighths as f64 / 8.0)
}

/// With density `k r^n`: `m = 4 pi k R^(n+3) / (n+3)`, and about any axis `2/3 (n+3)/(n+5) R^2` per mass.
#[test]
fn a_ball_with_a_radial_density() {
    fn check_on<S: Scalar>() {
        let (radius, r) = eighths::<S>(5);
        for power in 0..4_i32 {
            let power_of = |base: f64, exponent: i32| (0..exponent).fold(1.0, |product, _| product * base);
            let n = f64::from(power);
            let mass = 4.0 * PI * 700.0 * power_of(r, power + 3) / (n + 3.0);
            let moment = 2.0 / 3.0 * (n + 3.0) / (n + 5.0) * r * r;
            let expected = Expected { mass, centre: [0.0; 3], inertia: [moment, moment, moment, 0.0, 0.0, 0.0] };
            let density = |point: [f64; 3]| 700.0 * power_of(square(point).sqrt(), power);
            check::<S>(&Shape::Sphere { radius }, [0.0; 3], &density, &expected);
        }
    }
    on_all_scalars(check_on::<Fixed>, check_on::<f32>, check_on::<f64>);
}

/// With density `k (1 + a x / R)` the centre is at `a R / 5`, and the moments about the origin are those of an even ball.
/// With `k (1 + b x y / R^2)` the mean of `x y` is `b R^2 / 35`, for `x^2 y^2` has the mean `R^4 / 35`.
#[test]
fn a_ball_with_a_polynomial_density() {
    fn check_on<S: Scalar>() {
        let (radius, r) = eighths::<S>(3);
        let mass = 4.0 / 3.0 * PI * r * r * r * 900.0;
        let mean = r * r / 5.0;
        let tilted = Expected::from_means(mass, [0.75 * r / 5.0, 0.0, 0.0], [mean, mean, mean, 0.0, 0.0, 0.0]);
        check::<S>(&Shape::Sphere { radius }, [0.0; 3], &|[x, ..]| 900.0 * (1.0 + 0.75 * x / r), &tilted);
        let skew = Expected::from_means(mass, [0.0; 3], [mean, mean, mean, 0.5 * r * r / 35.0, 0.0, 0.0]);
        check::<S>(&Shape::Sphere { radius }, [0.0; 3], &|[x, y, _]| 900.0 * (1.0 + 0.5 * x * y / (r * r)), &skew);
    }
    on_all_scalars(check_on::<Fixed>, check_on::<f32>, check_on::<f64>);
}

/// With half extents `a, b, c` the even powers of `x` have the means `a^2 / 3`, `a^4 / 5`, and those along other axes multiply.
#[test]
fn a_box_with_polynomial_densities() {
    fn check_on<S: Scalar>() {
        let ((x_extent, a), (y_extent, b), (z_extent, c)) = (eighths::<S>(4), eighths::<S>(8), eighths::<S>(20));
        let shape = Shape::Cuboid { half_extents: Vec3::new(x_extent, y_extent, z_extent) };
        let volume = 8.0 * a * b * c;
        let even = [a * a / 3.0, b * b / 3.0, c * c / 3.0];
        let [xx, yy, zz] = even;
        // 1 + x: the mean of x is that of x^2 of an even box.
        let leaning = Expected::from_means(volume * 1000.0, [xx, 0.0, 0.0], [xx, yy, zz, 0.0, 0.0, 0.0]);
        check::<S>(&shape, [0.0; 3], &|[x, ..]| 1000.0 * (1.0 + x), &leaning);
        // 1 + x y / 2, with products off the diagonal.
        let skew = Expected::from_means(volume * 1000.0, [0.0; 3], [xx, yy, zz, 0.5 * xx * yy, 0.0, 0.0]);
        check::<S>(&shape, [0.0; 3], &|[x, y, _]| 1000.0 * (1.0 + 0.5 * x * y), &skew);
        // 1 + x^2 / 2.
        let factor = 1.0 + 0.5 * xx;
        let along = (xx + 0.5 * a * a * a * a / 5.0) / factor;
        let hollow = Expected::from_means(volume * 1000.0 * factor, [0.0; 3], [along, yy, zz, 0.0, 0.0, 0.0]);
        check::<S>(&shape, [0.0; 3], &|[x, ..]| 1000.0 * (1.0 + 0.5 * x * x), &hollow);
        // r^2: sums of the means of x^4, x^2 y^2 and x^2 z^2.
        let factor = xx + yy + zz;
        let mean = |own: f64, half: f64| (half * half * half * half / 5.0 + own * (factor - own)) / factor;
        let means = [mean(xx, a), mean(yy, b), mean(zz, c), 0.0, 0.0, 0.0];
        let radial = Expected::from_means(volume * 1000.0 * factor, [0.0; 3], means);
        check::<S>(&shape, [0.0; 3], &|point| 1000.0 * square(point), &radial);
    }
    on_all_scalars(check_on::<Fixed>, check_on::<f32>, check_on::<f64>);
}

/// A capsule is a cylinder (share `2 h` of its volume) and two half balls (share `4/3 r`), whose centres are `3/8 r` off their flat sides.
#[test]
fn a_capsule_with_linear_and_radial_densities() {
    fn check_on<S: Scalar>() {
        let ((half_height, h), (radius, r)) = (eighths::<S>(6), eighths::<S>(2));
        let shape = Shape::Capsule { half_height, radius };
        let (cylinder, caps) = (2.0 * h, 4.0 / 3.0 * r);
        let share = cylinder / (cylinder + caps);
        let across = share * r * r / 4.0 + (1.0 - share) * r * r / 5.0;
        let along = share * h * h / 3.0 + (1.0 - share) * (h * h + 0.75 * h * r + r * r / 5.0);
        let mass = 500.0 * PI * r * r * (cylinder + caps);
        // 1 + y / 2.
        let linear = Expected::from_means(mass, [0.0, 0.5 * along, 0.0], [across, along, across, 0.0, 0.0, 0.0]);
        check::<S>(&shape, [0.0; 3], &|[_, y, _]| 500.0 * (1.0 + 0.5 * y), &linear);
        // s^2 for the distance s from the axis. Over the ball: s^2 has the integral 8 pi r^5 / 15, s^4 has 32 pi r^7 / 105, s^2 y^2
        // has 8 pi r^7 / 105, and over a half ball s^2 |y| has pi r^6 / 12. Over the cylinder: pi h r^4, 2/3 pi h r^6, pi h^3 r^4 / 3.
        let (r4, r5, r6, r7) = (r * r * r * r, r * r * r * r * r, r * r * r * r * r * r, r * r * r * r * r * r * r);
        let total = PI * h * r4 + 8.0 * PI * r5 / 15.0;
        let s4 = 2.0 / 3.0 * PI * h * r6 + 32.0 * PI * r7 / 105.0;
        let caps = h * h * 8.0 * PI * r5 / 15.0 + 2.0 * h * 2.0 * PI * r6 / 12.0 + 8.0 * PI * r7 / 105.0;
        let y2 = PI * h * h * h * r4 / 3.0 + caps;
        let (across, along) = (s4 / 2.0 / total, y2 / total);
        let radial = Expected::from_means(500.0 * total, [0.0; 3], [across, along, across, 0.0, 0.0, 0.0]);
        check::<S>(&shape, [0.0; 3], &|[x, _, z]| 500.0 * (x * x + z * z), &radial);
    }
    on_all_scalars(check_on::<Fixed>, check_on::<f32>, check_on::<f64>);
}

/// The hull of some whole points of a grid of 2^exponent metres, and where its origin is in their frame.
/// With density `k (1 + y / l)`, `l` above half the height: the mean height is the mean of `y^2` over `l`. Of a cylinder the mean of `y^2`
/// is `h^2 / 3`, of `x^2` `r^2 / 4`; of a cone about its centre `3/20 h^2` and `3/20 r^2`.
#[test]
fn a_cylinder_and_a_cone_with_linear_densities() {
    fn check_on<S: Scalar>() {
        let ((half_height, h), (radius, r)) = (eighths::<S>(6), eighths::<S>(5));
        let (k, l) = (700.0, 2.0);
        let density = |[_, y, _]: [f64; 3]| k * (1.0 + y / l);
        let volume = 2.0 * PI * r * r * h;
        let (xx, yy) = (r * r / 4.0, h * h / 3.0);
        // Odd means vanish by symmetry but for those of y, of which `y^3` does too.
        let expected = Expected::from_means(k * volume, [0.0, yy / l, 0.0], [xx, yy, xx, 0.0, 0.0, 0.0]);
        check(&Shape::Cylinder { half_height, radius }, [0.0; 3], &density, &expected);
        // With `s` the way from the top over the height, of density `3 s^2`, and `y = h (3/2 - 2 s)`: the mean of `y^3` is `h^3 / 20`, that
        // of `x^2 y` is `r^2 / 4 <s^2 y> = -r^2 h / 40`.
        let (xx, yy, yyy, xxy) = (0.15 * r * r, 0.15 * h * h, h * h * h / 20.0, -r * r * h / 40.0);
        let means = [xx + xxy / l, yy + yyy / l, xx + xxy / l, 0.0, 0.0, 0.0];
        let expected = Expected::from_means(k * volume / 3.0, [0.0, yy / l, 0.0], means);
        check(&Shape::Cone { half_height, radius }, [0.0; 3], &density, &expected);
    }
    on_all_scalars(check_on::<Fixed>, check_on::<f32>, check_on::<f64>);
}

fn hull_of(points: &[[i64; 3]], exponent: i32) -> (Arc<ExactHull>, [f64; 3]) {
    let (hull, origin) = ExactHull::new(points, exponent).expect("a hull");
    (Arc::new(hull), origin.map(|steps| libm::scalbn(steps as f64, exponent)))
}

/// In the tetrahedron of 0 and the three unit points the integral of `x^a y^b z^c` is `a! b! c! / (a + b + c + 3)!`
/// (A. Grundmann and H. M. Moeller 1978, "Invariant integration formulas for the n-simplex").
#[test]
fn a_tetrahedron_with_a_linear_density_in_the_frame_of_its_points() {
    fn check_on<S: Scalar>() {
        let one = 1 << 18;
        let (exact, origin) = hull_of(&[[0; 3], [one, 0, 0], [0, one, 0], [0, 0, one]], -18);
        let shape = Shape::Hull(Arc::new(Hull::<S>::new(exact)));
        // Density 6 x: mass 6/24, and about the points' own origin the means 24/60 (x), 24/120, and so on.
        let firsts = [2.0 / 5.0, 1.0 / 5.0, 1.0 / 5.0];
        let (xxx, xxy, xyz) = (24.0 * 6.0 / 720.0, 24.0 * 2.0 / 720.0, 24.0 / 720.0);
        let means = [xxx, xxy, xxy, xxy, xxy, xyz];
        let about_points = Expected::from_means(6.0 / 24.0, firsts, means);
        let centre = [0, 1, 2].map(|axis| firsts[axis] - origin[axis]);
        check::<S>(&shape, origin, &|[x, ..]| 6.0 * x, &Expected { centre, ..about_points });
    }
    on_all_scalars(check_on::<Fixed>, check_on::<f32>, check_on::<f64>);
}

#[test]
fn a_cube_is_the_same_as_a_hull_and_as_a_box() {
    let one = 1 << 18;
    let corners: Vec<_> =
        (0..8).map(|bits| [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { one } else { -one })).collect();
    let (hull, origin) = hull_of(&corners, -18);
    let hull = Region::Hull { hull, origin };
    let cuboid = Region::Cuboid { half_extents: [1.0; 3] };
    let densities: [&dyn Fn([f64; 3]) -> f64; 4] = [
        &|[x, y, z]| 1000.0 * (4.0 + x + 2.0 * y - z),
        &|[x, y, _]| 1000.0 * (2.0 + x * y),
        &|[x, y, z]| 1000.0 * libm::exp(x - y * z),
        &|[x, ..]| 1000.0 * x.abs(),
    ];
    for (number, density) in densities.into_iter().enumerate() {
        let (a, b) = (moments_of(&hull, density).expect("a hull"), moments_of(&cuboid, density).expect("a box"));
        // The kink of abs(x) lies across the tetrahedra of the hull, and is a face of cells of the box.
        let is_smooth = number < 3;
        assert!(a.error <= if is_smooth { WANTED_ERROR } else { 1e-6 } && b.error <= WANTED_ERROR, "{a:?} {b:?}");
        let bound = 4e-12 + a.error;
        assert_near(a.mass, b.mass, b.mass, bound, "mass");
        assert_near(a.volume, 8.0, 8.0, 4e-12, "volume");
        for (found, expected) in a.centre.into_iter().chain(a.inertia).zip(b.centre.into_iter().chain(b.inertia)) {
            assert_near(found, expected, 1.0, 2.0 * bound, "centre and inertia");
        }
    }
}

/// A layer: dense below `y = 0.3`, light above, where none of the first cells ends. The cube of edge 2 has the mass
/// `4 (1.3 * 2 + 0.7 * 1) = 13.2`.
#[test]
fn a_step_is_found_where_it_lies_along_the_coordinates() {
    let step = |[_, y, _]: [f64; 3]| if y < 0.3 { 2.0 } else { 1.0 };
    let found = moments_of(&Region::Cuboid { half_extents: [1.0; 3] }, &step).expect("moments");
    assert_near(found.mass, 13.2, 13.2, 1e-11, "mass");
    // The mean of y: 4 (2 (0.09 - 1) / 2 + (1 - 0.09) / 2) / 13.2.
    assert_near(found.centre[1], 4.0 * (-0.91 + 0.455) / 13.2, 1.0, 1e-11, "centre");
    assert_near(found.centre[0], 0.0, 1.0, 1e-11, "centre");
}

/// What remains is told: a step across the coordinates of a ball is known less well, and still within what is said.
#[test]
fn a_step_across_the_coordinates_keeps_within_the_error_that_is_told() {
    let step = |[_, y, _]: [f64; 3]| if y < 0.3 { 2.0 } else { 1.0 };
    let found = moments_of(&Region::Sphere { radius: 1.0 }, &step);
    // A cap of height h = 0.7 has the volume pi h^2 (3 - h) / 3.
    let expected = 8.0 / 3.0 * PI - PI * 0.49 * 2.3 / 3.0;
    match found {
        Ok(Moments { mass, error, .. }) => {
            assert!(error > WANTED_ERROR && error <= LARGEST_ERROR, "{error}");
            assert_near(mass, expected, expected, error, "mass");
        }
        Err(QuadratureError::Rough { error }) => assert!(error > LARGEST_ERROR && error < 0.01, "{error}"),
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn what_has_no_moments_says_where_and_why() {
    let cuboid = Region::Cuboid { half_extents: [1.0, 2.0, 3.0] };
    let Err(QuadratureError::Value { point, value, unit }) = moments_of(&cuboid, &|[x, ..]| 1.0 + 2.0 * x) else {
        panic!("a negative density")
    };
    assert!(value < 0.0 && value == 1.0 + 2.0 * point[0], "{point:?} {value}");
    assert_eq!(unit, "kg/m^3");
    let not_a_number = moments_of(&cuboid, &|[_, _, z]| (z + 2.9).sqrt());
    assert!(matches!(not_a_number, Err(QuadratureError::Value { value, .. }) if value.is_nan()));
    // Layers of a centimetre across all axes: far more of them than samples can tell apart.
    let layers = |[x, y, z]: [f64; 3]| if libm::sin(211.0 * x + 171.0 * y + 133.0 * z) > 0.0 { 2.0 } else { 1.0 };
    assert!(matches!(moments_of(&cuboid, &layers), Err(QuadratureError::Rough { error }) if error > LARGEST_ERROR));
    assert_eq!(moments_of(&cuboid, &|_| 0.0), Err(QuadratureError::Zero));
    assert_eq!(moments_of(&cuboid, &|_| f64::MAX), Err(QuadratureError::Overflow));
}

#[test]
fn a_symmetric_density_leaves_the_centre_at_zero_and_equal_moments_equal() {
    let ball = moments_of(&Region::Sphere { radius: 0.3 }, &|point| 1.0 + square(point)).expect("moments");
    let [xx, yy, zz, products @ ..] = ball.inertia;
    assert_eq!((ball.centre, products), ([0.0; 3], [0.0; 3]));
    assert_eq!((xx, yy), (yy, zz));
}
