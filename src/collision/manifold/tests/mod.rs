//! Tests of all pair families on all scalars.

mod closed_form;
mod cuboids;
mod degenerate;
mod distance;
pub(super) mod facets;
mod hulls;
mod mesh_on_half_space;
mod methods;
mod names;
mod oracle;
mod persistence;
mod properties;
mod random;
mod rims;
mod rounded_stones;
mod rounds;
mod symmetry;

use crate::collision::manifold::{Bearing, ContactSearch, FeatureId, Manifold, NarrowPhase, collide, collide_by};
use crate::geometry::Shape;
use crate::math::{Mat3, Quat, Scalar, SplitMix64, Vec3};

/// What a step sees of two shapes of which the points of these features bore weight at the last look.
fn collide_again<S: Scalar>(
    a: (&Shape<S>, &Mat3<S>),
    b: (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    (margin, features): (S, &[FeatureId]),
) -> Manifold<S> {
    let mut bearing = Bearing::NONE;
    features.iter().for_each(|feature| bearing.push(*feature));
    let search = ContactSearch { method: NarrowPhase::Auto, own: S::ZERO, bearing };
    collide_by(&search, a, b, offset, margin)
}

/// The number nearest to a multiple of 2^-20, which all scalars hold exactly for magnitudes below 8.
fn number<S: Scalar>(value: f64) -> S {
    S::from_ratio((value * 1_048_576.0).round() as i64, 1_048_576)
}

/// The vector of such numbers.
fn vector<S: Scalar>(x: f64, y: f64, z: f64) -> Vec3<S> {
    Vec3::new(number(x), number(y), number(z))
}

fn sphere<S: Scalar>(radius: f64) -> Shape<S> {
    Shape::Sphere { radius: number(radius) }
}

fn cuboid<S: Scalar>(x: f64, y: f64, z: f64) -> Shape<S> {
    Shape::Cuboid { half_extents: vector(x, y, z) }
}

fn capsule<S: Scalar>(half_height: f64, radius: f64) -> Shape<S> {
    Shape::Capsule { half_height: number(half_height), radius: number(radius) }
}

fn cylinder<S: Scalar>(half_height: f64, radius: f64) -> Shape<S> {
    Shape::Cylinder { half_height: number(half_height), radius: number(radius) }
}

fn cone<S: Scalar>(half_height: f64, radius: f64) -> Shape<S> {
    Shape::Cone { half_height: number(half_height), radius: number(radius) }
}

fn floor<S: Scalar>() -> Shape<S> {
    Shape::HalfSpace { normal: Vec3::Y }
}

/// The rotation by `degrees` about an axis.
fn turn<S: Scalar>(axis: Vec3<S>, degrees: f64) -> Mat3<S> {
    Quat::from_axis_angle(axis, number::<S>(degrees) * S::PI / S::from_i32(180)).to_matrix()
}

/// The manifold of unturned shapes.
fn upright<S: Scalar>(a: &Shape<S>, b: &Shape<S>, offset: Vec3<S>, margin: f64) -> Manifold<S> {
    collide(a, &Mat3::IDENTITY, b, &Mat3::IDENTITY, offset, number(margin))
}

/// What a few dozen roundings of numbers near one can add up to.
fn rounding<S: Scalar>() -> f64 {
    64.0 * S::EPSILON.to_f64()
}

/// Asserts that two numbers agree within the rounding of numbers of that size.
fn assert_near<S: Scalar>(found: S, expected: f64, what: &str) {
    let allowed = rounding::<S>() * (1.0 + expected.abs());
    assert!((found.to_f64() - expected).abs() <= allowed, "{what}: found {found}, expected {expected} ({})", S::KIND);
}

/// Asserts that two vectors agree.
fn assert_vector_near<S: Scalar>(found: Vec3<S>, expected: [f64; 3], what: &str) {
    for (component, expected) in found.to_array().into_iter().zip(expected) {
        assert_near(component, expected, what);
    }
}

/// Positions and separations as sorted tuples, for comparison as a set.
fn sorted_points<S: Scalar>(manifold: &Manifold<S>) -> Vec<[f64; 4]> {
    let mut points: Vec<_> = manifold
        .points()
        .iter()
        .map(|point| {
            let [x, y, z] = point.position.to_f64();
            [x, y, z, point.separation.to_f64()]
        })
        .collect();
    points.sort_by(|left, right| left.partial_cmp(right).expect("no NaN"));
    points
}

/// Asserts that a manifold has this normal and exactly these points `[x, y, z, separation]`, in any order.
fn assert_manifold<S: Scalar>(manifold: &Manifold<S>, normal: [f64; 3], expected: &[[f64; 4]], what: &str) {
    assert_vector_near(manifold.normal, normal, what);
    let found = sorted_points(manifold);
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} ({})", S::KIND);
    for wanted in expected {
        let is_there = found
            .iter()
            .any(|point| point.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= rounding::<S>() * (1.0 + b.abs())));
        assert!(is_there, "{what}: no {wanted:?} in {found:?} ({})", S::KIND);
    }
}

pub(in crate::collision) use facets::mesh_of;
pub(in crate::collision) use hulls::{hull, stone};

/// Random things to collide.
pub(in crate::collision) trait RandomShapes {
    /// A vector of a cube 2 m wide.
    fn direction<S: Scalar>(&mut self) -> Vec3<S>;

    /// Any rotation, or now and then a quarter turn, where ties lurk.
    fn rotation<S: Scalar>(&mut self) -> Mat3<S>;

    /// A bounded shape with sizes from 0.2 to 1.2 m.
    fn shape<S: Scalar>(&mut self) -> Shape<S>;
}

impl RandomShapes for SplitMix64 {
    fn direction<S: Scalar>(&mut self) -> Vec3<S> {
        vector(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    fn rotation<S: Scalar>(&mut self) -> Mat3<S> {
        match self.bits() % 8 {
            0 => Mat3::IDENTITY,
            1 => Mat3::from_rows([Vec3::Y, -Vec3::X, Vec3::Z]),
            _ => turn(self.direction(), self.between(-180.0, 180.0)),
        }
    }

    fn shape<S: Scalar>(&mut self) -> Shape<S> {
        let mut size = || self.between(0.2, 1.2);
        let (x, y, z) = (size(), size(), size());
        match self.bits() % 3 {
            0 => sphere(x),
            1 => cuboid(x, y, z),
            _ => capsule(x, y * 0.5),
        }
    }
}
