//! Polyhedra that touched before and overlap still, which the point that bore most shows without a search.
//!
//! The search asks corners and this asks planes, which may lie beyond the corners by what counts as flat, 2^-12 of the width of a hull: so
//! what is that near may overlap here and be apart there.

use crate::collision::manifold::convex::Scene;
use crate::collision::manifold::convex::feature::{self, Touch};
use crate::collision::manifold::convex::polytope::{Core, Polytope};
use crate::collision::manifold::convex::sat::Common;
use crate::collision::manifold::convex::thin::crossing;
use crate::math::{Scalar, Vec3};

impl<S: Scalar> Scene<'_, S> {
    /// A point that both shapes hold, midway through the overlap at the point that bore most; `None` where none did, or where
    /// that is not enough to tell.
    pub(super) fn common_where_borne(&self) -> Option<Common<S>> {
        let Core::Polytope(b) = &self.pair.b else { return None };
        let (touch, numbers) = feature::parts(self.bearing.most()?.0)?;
        Common::well_within(&self.pair, self.midway(touch, numbers, b)?)
    }

    /// The middle between two parts, in the axes of A; `None` where the shapes have no parts of these numbers.
    fn midway(&self, touch: Touch, [of_a, of_b]: [usize; 2], b: &Polytope<'_, S>) -> Option<Vec3<S>> {
        let (pair, a) = (&self.pair, &self.pair.a);
        match touch {
            Touch::FaceCorner => {
                let corner = pair.placed(*b.corners.get(of_b)?);
                let plane = a.planes.get(of_a)?;
                Some(corner + plane.normal * ((plane.offset - plane.normal.dot(corner)) * S::HALF))
            }
            Touch::CornerFace => {
                let corner = pair.relative.transpose_mul(*a.corners.get(of_a)? - pair.offset);
                let plane = b.planes.get(of_b)?;
                Some(pair.placed(corner + plane.normal * ((plane.offset - plane.normal.dot(corner)) * S::HALF)))
            }
            Touch::Edges if of_a < a.topology.edges().len() && of_b < b.topology.edges().len() => {
                let (on_a, on_b) = crossing(&a.line(of_a), &pair.line_of_b(of_b));
                Some((on_a + on_b) * S::HALF)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::collision::manifold::convex::Scene;
    use crate::collision::manifold::convex::gjk::{Found, nearest_points_within};
    use crate::collision::manifold::convex::polytope::{Core, CorePair, Polytope};
    use crate::collision::manifold::tests::{RandomShapes, stone};
    use crate::collision::manifold::{Bearing, FeatureId, Manifold};
    use crate::geometry::Shape;
    use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

    /// Two stones that have just touched or overlap a little.
    struct Stones<S> {
        shapes: [Shape<S>; 2],
        turns: [Mat3<S>; 2],
        offset: Vec3<S>,
    }

    impl<S: Scalar> Stones<S> {
        fn random(random: &mut SplitMix64, gap: S) -> Self {
            let shapes = [stone::<S>(random), stone(random)];
            let turns = [random.rotation::<S>(), random.rotation()];
            let direction = random.direction::<S>().direction().unwrap_or(Vec3::Y);
            let mut stones = Self { shapes, turns, offset: direction * S::from_i32(5) };
            let nearest = stones.look((S::MAX, Bearing::NONE), |scene| {
                match nearest_points_within(&scene.pair, scene.pair.tiny(), S::MAX) {
                    Found::Apart(nearest) => *scene.rotation_a * nearest.between,
                    Found::Beyond(..) | Found::Overlapping(_) => panic!("they are metres apart"),
                }
            });
            let (normal, distance) = nearest.normalise().expect("a direction");
            stones.offset -= normal * (distance - gap);
            stones
        }

        fn look<R>(&self, (margin, bearing): (S, Bearing), look: impl FnOnce(&Scene<'_, S>) -> R) -> R {
            let [Shape::Hull(a), Shape::Hull(b)] = &self.shapes else { panic!("stones are hulls") };
            let [rotation_a, rotation_b] = &self.turns;
            let b = Core::Polytope(Polytope::of_hull(b));
            let pair = CorePair::new((Polytope::of_hull(a), rotation_a), (b, S::ZERO, rotation_b), self.offset);
            look(&Scene { pair, rotation_a, rotation_b, offset: self.offset, margin, bearing })
        }

        fn manifold(&self, margin: S, bearing: Bearing) -> Manifold<S> {
            self.look((margin, bearing), |scene| scene.manifold())
        }
    }

    fn borne_by(feature: FeatureId) -> Bearing {
        let mut bearing = Bearing::NONE;
        bearing.push(feature);
        bearing
    }

    /// Whatever point bore most, the manifold is the one that is found without being told; and where it was the deepest, most often no search
    /// was needed for it.
    #[test]
    fn a_search_that_is_spared_changes_nothing() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(31);
            let margin = S::from_ratio(1, 50);
            let (mut asked, mut spared) = (0, 0);
            for _ in 0..400 {
                // More than what counts as flat.
                let stones = Stones::<S>::random(&mut random, -S::from_ratio(1, 250));
                let first = stones.manifold(margin, Bearing::NONE);
                for point in first.points() {
                    let bearing = borne_by(point.feature);
                    let found = stones.manifold(margin, bearing);
                    assert_eq!(found, stones.manifold(margin, bearing.names_only()), "{}", S::KIND);
                    if first.gap() == Some(point.separation) {
                        asked += 1;
                        let is_spared = |scene: &Scene<'_, S>| scene.common_where_borne().is_some();
                        spared += u32::from(stones.look((margin, bearing), is_spared));
                    }
                }
                // A name of parts that the stones do not have.
                let nonsense = borne_by(FeatureId(random.bits() as u32 & 0x02ff_ffff));
                stones.look((margin, nonsense), |scene| scene.common_where_borne().is_some());
            }
            assert!(spared * 2 > asked, "{spared} of {asked} ({})", S::KIND);
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// Stones that are farther apart than matters show so much room as they have, but for three quarters of it.
    #[test]
    fn a_search_ends_where_it_has_shown_enough() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(32);
            let margin = S::from_ratio(1, 50);
            for round in 0..400 {
                let gap = margin * S::from_ratio(5 + round % 60, 4);
                let stones = Stones::<S>::random(&mut random, gap);
                let manifold = stones.manifold(margin, Bearing::NONE);
                let shown = manifold.seen_apart().expect("they are farther apart than the margin");
                let least = margin.max(gap.scale_by_power_of_two(-2));
                let rounding = S::EPSILON * S::from_i32(256);
                assert!(shown > least - rounding && shown <= gap + rounding, "{shown:?} of {gap:?} ({})", S::KIND);
                let along = stones.look((margin, Bearing::NONE), |scene| {
                    scene.pair.gap_along(scene.rotation_a.transpose_mul(manifold.normal))
                });
                assert!((along - shown).abs() <= rounding, "{along:?} along a direction of {shown:?}");
            }
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }
}
