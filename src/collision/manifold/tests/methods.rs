//! The methods of the narrow phase against each other.

use super::{RandomShapes, number, rounding, stone};
use crate::collision::manifold::{Bearing, ContactSearch, Manifold, NarrowPhase, collide_by};
use crate::collision::{collide, gap_along};
use crate::geometry::{Shape, ShapeKind};
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

/// Gaps up to this are reported.
const MARGIN: f64 = 0.0625;

/// Two shapes near each other.
struct Pair<S> {
    shapes: [Shape<S>; 2],
    turns: [Mat3<S>; 2],
    offset: Vec3<S>,
}

impl<S: Scalar> Pair<S> {
    fn random(random: &mut SplitMix64) -> Self {
        let shape =
            |random: &mut SplitMix64| if random.bits().is_multiple_of(2) { stone(random) } else { random.shape() };
        let (shapes, turns) = ([shape(random), shape(random)], [random.rotation(), random.rotation()]);
        let direction = random.direction::<S>().direction().unwrap_or(Vec3::Y);
        let reach = shapes[0].extent_along(&turns[0], direction) + shapes[1].extent_along(&turns[1], -direction);
        let offset = direction * (reach * number(random.between(0.5, 1.0)));
        Self { shapes, turns, offset }
    }

    fn by(&self, method: NarrowPhase) -> Manifold<S> {
        let [first, second] = [0, 1].map(|side| (&self.shapes[side], &self.turns[side]));
        collide_by(
            &ContactSearch { method, own: S::ZERO, bearing: Bearing::NONE },
            first,
            second,
            self.offset,
            number(MARGIN),
        )
    }

    fn gap_along(&self, normal: Vec3<S>) -> f64 {
        let [first, second] = [0, 1].map(|side| (&self.shapes[side], &self.turns[side]));
        gap_along(first, second, self.offset, normal).to_f64()
    }

    fn has(&self, kind: ShapeKind) -> bool {
        self.shapes.iter().any(|shape| shape.kind() == kind)
    }

    /// By how much the axis that a method takes may be worse than the best: the preferences for faces that they state, of shapes up to 1.2 m.
    fn preference(&self, gap: f64) -> f64 {
        let of_axes = gap.abs() / 900.0 + 1.2 / 4096.0;
        if self.has(ShapeKind::Cuboid) && self.has(ShapeKind::Capsule) {
            return gap.abs() / 15.0 + 0.6 / 256.0 + 0.6 / 64.0;
        }
        if self.has(ShapeKind::Capsule) { of_axes + 0.002 } else { of_axes }
    }
}

fn deepest<S: Scalar>(manifold: &Manifold<S>) -> Option<f64> {
    manifold.points().iter().map(|point| point.separation.to_f64()).reduce(f64::min)
}

/// What overlaps has one depth, whichever method tells it; what is apart is as far apart by nearest points as by what is best for the pair,
/// and no farther along axes.
#[test]
fn the_methods_tell_one_depth() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(71);
        let mut seen = [0; 3];
        for _ in 0..3000 {
            let pair = Pair::<S>::random(&mut random);
            let (auto, gjk, sat) = (pair.by(NarrowPhase::Auto), pair.by(NarrowPhase::Gjk), pair.by(NarrowPhase::Sat));
            let what = || format!("{:?} {:?}\n{auto:?}\n{gjk:?}\n{sat:?}", pair.shapes, pair.offset);
            // What the search for least depth settles for where shapes are round, and what balls lose at small angles.
            let rounding = 1e-6 + 16.0 * rounding::<S>();
            let Some(gap) = deepest(&auto) else {
                let least = MARGIN - rounding - pair.preference(MARGIN);
                assert!(deepest(&gjk).is_none_or(|gap| gap >= least), "only by nearest points: {}", what());
                continue;
            };
            let slack = rounding + pair.preference(gap);
            let by_gjk = deepest(&gjk);
            assert!(by_gjk.is_none_or(|by_gjk| (by_gjk - gap).abs() <= slack), "{by_gjk:?} of {gap}: {}", what());
            assert!(by_gjk.is_some() || gap > MARGIN - slack, "nothing by nearest points: {}", what());
            if by_gjk.is_some() {
                let along = pair.gap_along(gjk.normal);
                assert!(along >= gap - slack, "along the normal of nearest points {along} of {gap}: {}", what());
            }
            seen[0] += 1;
            let of_axes = pair.shapes.iter().all(|shape| matches!(shape, Shape::Cuboid { .. } | Shape::Hull(_)));
            if !of_axes {
                assert_eq!(sat, auto, "axes are for polyhedra");
                continue;
            }
            let by_axes = deepest(&sat).unwrap_or_else(|| panic!("nothing along axes: {}", what()));
            assert!(by_axes <= gap + slack, "{by_axes} of {gap} along axes: {}", what());
            if gap < -rounding {
                assert!(by_axes >= gap - slack, "{by_axes} of {gap} along axes: {}", what());
                seen[1] += 1;
            } else {
                assert!(by_axes >= -slack, "{by_axes} of {gap} along axes: {}", what());
                seen[2] += 1;
            }
        }
        assert!(seen[0] > 1500 && seen[1] > 500 && seen[2] > 20, "{seen:?}");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// `Auto` is what [`collide`] is.
#[test]
fn the_method_of_each_pair_is_that_without_a_choice() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(72);
        for _ in 0..300 {
            let pair = Pair::<S>::random(&mut random);
            let ([a, b], [turn_a, turn_b]) = (&pair.shapes, &pair.turns);
            assert_eq!(pair.by(NarrowPhase::Auto), collide(a, turn_a, b, turn_b, pair.offset, number(MARGIN)));
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
