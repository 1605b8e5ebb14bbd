//! Features keep their names while bodies rest.

use super::{RandomShapes, capsule, collide, collide_again, cuboid, floor, number, turn, vector};
use crate::collision::manifold::{FeatureId, Manifold};
use crate::geometry::Shape;
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

fn features<S: Scalar>(manifold: &Manifold<S>) -> Vec<FeatureId> {
    manifold.points().iter().map(|point| point.feature).collect()
}

/// Asserts that a resting pair, all of whose points bear weight, keeps its features under small motions of B.
fn assert_steady<S: Scalar>(a: &Shape<S>, b: &Shape<S>, turned: f64, offset: Vec3<S>, count: usize) {
    let rest_turn = turn::<S>(Vec3::Y, turned);
    let margin = number(0.0625);
    let rest = features(&collide(a, &Mat3::IDENTITY, b, &rest_turn, offset, margin));
    assert_eq!(rest.len(), count);
    let mut random = SplitMix64::new(4);
    for _ in 0..300 {
        let jitter = random.direction() * number::<S>(0.0001);
        let tilt = turn(random.direction(), random.between(-0.01, 0.01));
        let [a, b] = [(a, &Mat3::IDENTITY), (b, &(tilt * rest_turn))];
        let moved = collide_again(a, b, offset + jitter, (margin, &rest));
        assert_eq!(features(&moved), rest, "{:?} {:?} {}", a.0, b.0, S::KIND);
    }
}

#[test]
fn resting_shapes_keep_their_features() {
    fn check<S: Scalar>() {
        let unit = cuboid::<S>(0.5, 0.5, 0.5);
        assert_steady(&unit, &unit, 0.0, vector(0.0, 1.0, 0.0), 4);
        assert_steady(&unit, &unit, 0.0, vector(0.25, 1.0, -0.125), 4);
        assert_steady(&unit, &unit, 30.0, vector(0.25, 0.9990, -0.125), 4);
        assert_steady(&unit, &unit, 0.0, vector(1.0, 0.0, 0.0), 4);
        assert_steady(&cuboid::<S>(4.0, 0.25, 4.0), &unit, 20.0, vector(1.0, 0.75, 0.5), 4);
        assert_steady(&cuboid::<S>(0.25, 0.25, 0.25), &cuboid(4.0, 0.25, 4.0), 0.0, vector(1.0, 0.5, 0.5), 4);
        assert_steady(&floor::<S>(), &unit, 20.0, vector(1.0, 0.5, 0.5), 4);
        let beside = vector(1.0, 0.0, 0.0);
        assert_steady(&capsule::<S>(1.0, 0.5), &capsule(0.5, 0.5), 0.0, beside, 2);
        assert_steady(&unit, &capsule(0.5, 0.5), 0.0, beside, 2);
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
