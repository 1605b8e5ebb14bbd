//! Random pairs against the oracle.

use super::oracle::{Rounded, dot, gap_along, largest_gap};
use super::{RandomShapes, collide, floor, number, rounding, vector};
use crate::collision::manifold::Manifold;
use crate::geometry::{Shape, ShapeKind};
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

/// Gaps up to this are reported.
const MARGIN: f64 = 0.0625;

/// One random situation in `f64`.
struct Case<S> {
    shapes: [Shape<S>; 2],
    rounded: [Rounded; 2],
    offset: [f64; 3],
    manifold: Manifold<S>,
}

impl<S: Scalar> Case<S> {
    fn random(random: &mut SplitMix64) -> Self {
        let shapes = [random.shape::<S>(), random.shape()];
        let turns = [random.rotation(), random.rotation()];
        let rounded = [Rounded::new(&shapes[0], &turns[0]), Rounded::new(&shapes[1], &turns[1])];
        // Near touching along a random direction, from deep to just apart.
        let direction = random.direction::<S>().direction().unwrap_or(Vec3::Y);
        let reach = rounded[0].support(direction.to_f64()) + rounded[1].support(direction.to_f64());
        let offset = direction * number(reach * random.between(0.2, 1.1));
        let manifold = collide(&shapes[0], &turns[0], &shapes[1], &turns[1], offset, number(MARGIN));
        Self { shapes, rounded, offset: offset.to_f64(), manifold }
    }

    /// By how much the choice of an axis may be worse than the best one: the stated preference, nothing for round pairs.
    fn preference(&self, gap: f64) -> f64 {
        let is_cuboid = |shape: &Shape<S>| shape.kind() == ShapeKind::Cuboid;
        match &self.shapes {
            [a, b] if is_cuboid(a) && is_cuboid(b) => gap.abs() / 900.0,
            // A stretch along an edge drifts by radius / 64. Radii are below 0.6.
            _ if self.shapes.iter().any(is_cuboid) => gap.abs() / 900.0 + 0.6 / 64.0,
            // Side by side capsules drift by d = 1.2 / 64 at most over a length from 0.2 on, and ends pair up by distance along
            // one axis instead of at right angles: d^2 / 0.2.
            _ => 0.002,
        }
    }

    fn check(&self) {
        let normal = self.manifold.normal.to_f64();
        let gap = largest_gap(&self.rounded[0], &self.rounded[1], self.offset, normal);
        let rounding = 1e-7 + rounding::<S>();
        let slack = rounding + self.preference(gap);
        let points = self.manifold.points();
        if points.is_empty() {
            assert!(gap > -slack, "overlap of {gap} unseen: {:?}", self.shapes);
            return;
        }
        let along = gap_along(&self.rounded[0], &self.rounded[1], self.offset, normal);
        assert!(
            along >= gap - slack || gap > 0.0,
            "poor normal: {along} of {gap}: {:?} {:?}",
            self.shapes,
            self.manifold
        );
        let deepest = points.iter().map(|point| point.separation.to_f64()).fold(f64::MAX, f64::min);
        assert!(
            (deepest - gap).abs() <= slack || (gap > 0.0 && deepest >= along - rounding),
            "deepest {deepest}, along the normal {along}, best {gap}: {:?} {:?}",
            self.shapes,
            self.manifold
        );
        assert!(deepest >= along - rounding, "deeper than the overlap along the normal");
        let mut features: Vec<_> = points.iter().map(|point| point.feature).collect();
        features.dedup();
        assert!(features.is_sorted() && features.len() == points.len(), "{features:?}");
        self.check_places(normal, slack);
    }

    /// The surface points on either side of each contact point belong to the shapes. Before they touch, the nearest points
    /// of two edges need not lie along the axis that parts them; they are at most the margin apart.
    fn check_places(&self, normal: [f64; 3], slack: f64) {
        for point in self.manifold.points() {
            let place = point.position.to_f64();
            let half_gap = point.separation.to_f64() / 2.0;
            let on_a = [0, 1, 2].map(|axis| place[axis] - normal[axis] * half_gap);
            let on_b = [0, 1, 2].map(|axis| place[axis] + normal[axis] * half_gap - self.offset[axis]);
            let slack = if point.separation > S::ZERO { slack + MARGIN / 2.0 } else { slack };
            let (outside_a, outside_b) = (self.rounded[0].distance(on_a), self.rounded[1].distance(on_b));
            assert!(
                outside_a <= slack && outside_b <= slack,
                "{outside_a} {outside_b} off the surfaces: {:?} {:?}",
                self.shapes,
                self.manifold
            );
        }
    }
}

#[test]
fn random_pairs_agree_with_the_oracle() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(5);
        let mut touching = 0;
        for _ in 0..150 {
            let case = Case::<S>::random(&mut random);
            touching += u32::from(!case.manifold.is_empty());
            case.check();
        }
        assert!(touching > 75, "{touching} of 150 cases have points");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn random_shapes_on_a_half_space_reach_as_deep_as_their_support() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(6);
        for _ in 0..2000 {
            let (shape, turned) = (random.shape::<S>(), random.rotation());
            let offset = vector(random.between(-1.0, 1.0), random.between(-1.5, 0.5), random.between(-1.0, 1.0));
            let manifold = collide(&shape, &turned, &floor(), &Mat3::IDENTITY, offset, number(MARGIN));
            let support = Rounded::new(&shape, &turned).support([0.0, -1.0, 0.0]);
            let gap = -offset.y.to_f64() - support;
            let deepest = manifold.points().iter().map(|point| point.separation.to_f64()).fold(f64::MAX, f64::min);
            if manifold.is_empty() {
                assert!(gap >= MARGIN - rounding::<S>(), "{gap} {shape:?}");
            } else {
                assert!((deepest - gap).abs() <= rounding::<S>(), "{deepest} {gap} {shape:?}");
                assert!(dot(manifold.normal.to_f64(), [0.0, -1.0, 0.0]) == 1.0);
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
