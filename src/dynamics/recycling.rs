//! The manifold of a contact that hardly moves is found once and then moved along with the bodies: contact recycling.
//!
//! What a contact keeps, and what is state, is how its bodies lay when its manifold was found, and the names of its points. The manifold
//! follows from that and nothing else, so it is kept beside the state and found again after a restore. Gaps of now follow from the poses
//! of then and of now: nothing adds up from step to step.

use crate::collision::manifold::Carrier;
use crate::dynamics::solver::poses::Meeting;
use crate::math::{Pose, Quat, Scalar, Vec3};

/// How two bodies lie to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairPose<S> {
    /// From the centre of mass of the first body to that of the second, metres, world axes.
    pub centre_offset: Vec3<S>,
    /// The orientations of both bodies.
    pub orientations: [Quat<S>; 2],
}

impl<S: Scalar> PairPose<S> {
    /// How no two bodies lie: none has such an orientation.
    pub const NOWHERE: Self = {
        let none = Quat::new(S::ZERO, S::ZERO, S::ZERO, S::ZERO);
        Self { centre_offset: Vec3::ZERO, orientations: [none; 2] }
    };

    /// That of two bodies with these poses.
    #[must_use]
    pub fn of([a, b]: [Pose<S>; 2]) -> Self {
        Self { centre_offset: b.position - a.position, orientations: [a.orientation, b.orientation] }
    }
}

/// A manifold, and how the bodies lay for which it was found.
#[derive(Clone, Copy, Debug)]
pub struct KeptManifold<S> {
    /// How the bodies lay; `None` where nothing is kept.
    pub found_at: Option<PairPose<S>>,
    /// How the shapes lay, and where they touched.
    pub meeting: Meeting<S>,
    /// Whether the contact lies on the rim of a face of each shape.
    pub is_on_rim: [bool; 2],
}

impl<S: Scalar> Default for KeptManifold<S> {
    /// That of no pair.
    fn default() -> Self {
        Self { found_at: None, meeting: Meeting::default(), is_on_rim: [false; 2] }
    }
}

impl<S: Scalar> KeptManifold<S> {
    /// Says how the shapes meet where the bodies are now; `shape_offset_a` leads from the centre of mass of the first body to the origin
    /// of its shape. False where nothing is kept, the shapes have moved too far against each other, or a body has turned far.
    ///
    /// Each surface is carried along by its body to first order, and the normal turns with the body whose face it is: what that misses
    /// of the gaps is less than the square of the largest turn times the arm.
    #[must_use]
    pub fn move_to(
        &self,
        to: &mut Meeting<S>,
        now: &PairPose<S>,
        shape_offset_a: Vec3<S>,
        limit: &RecyclingLimit<S>,
    ) -> bool {
        let Self { found_at: Some(found_at), meeting, .. } = self else { return false };
        let way = now.centre_offset - found_at.centre_offset;
        let Some([turn_a, turn_b]) = limit.small_turns(found_at.orientations, now.orientations) else { return false };
        let carried = turn_a.taxicab_length() * limit.reach[0] + turn_b.taxicab_length() * limit.reach[1];
        if way.taxicab_length() + carried > limit.moved {
            return false;
        }
        let old_normal = meeting.manifold.normal;
        let normal = match meeting.manifold.carrier {
            Carrier::First => turned_a_little(old_normal, turn_a),
            Carrier::Second => turned_a_little(old_normal, turn_b),
            Carrier::Both => turned_a_little(old_normal, (turn_a + turn_b) * S::HALF),
        };
        (to.shape_offset_a, to.centre_offset) = (shape_offset_a, now.centre_offset);
        to.manifold.restart(normal);
        for point in meeting.manifold.points() {
            let place = meeting.shape_offset_a + point.position;
            let by_first = turn_a.cross(place);
            let by_second = way + turn_b.cross(place - found_at.centre_offset);
            let position = place + (by_first + by_second) * S::HALF - shape_offset_a;
            let separation = point.separation + old_normal.dot(by_second - by_first);
            to.manifold.push(position, separation, point.feature.0);
        }
        true
    }
}

/// How far two shapes may move against each other before their manifold is found anew.
#[derive(Clone, Copy, Debug)]
pub struct RecyclingLimit<S> {
    /// Metres.
    moved: S,
    /// How far each may turn, radians.
    turned: S,
    /// How far turning carries the surface of each, metres per radian.
    reach: [S; 2],
}

impl<S: Scalar> RecyclingLimit<S> {
    /// How both bodies have turned, if neither has turned too far.
    fn small_turns(&self, from: [Quat<S>; 2], to: [Quat<S>; 2]) -> Option<[Vec3<S>; 2]> {
        Some([small_turn_between(from[0], to[0], self.turned)?, small_turn_between(from[1], to[1], self.turned)?])
    }

    /// Where impacts are found within a step: a thousandth of the thinner shape and 2^-11 rad, and so little that no point can touch which
    /// was beyond `margin`, metres, when the manifold was found.
    #[must_use]
    pub fn close(least_thickness: S, margin: S, reach: [S; 2]) -> Self {
        let moved = least_thickness.scale_by_power_of_two(-10).min(margin.scale_by_power_of_two(-3));
        Self { moved, turned: largest_turn(), reach }
    }

    /// Where contacts are looked at once a step: eight times as far. What carrying along to first order misses is then 15 micrometres of an
    /// arm of a metre.
    #[must_use]
    pub fn wide(least_thickness: S, margin: S, reach: [S; 2]) -> Self {
        let moved = least_thickness.scale_by_power_of_two(-7).min(margin.scale_by_power_of_two(-3));
        Self { moved, turned: largest_turn::<S>().scale_by_power_of_two(3), reach }
    }
}

/// A unit vector turned by a small rotation vector, to second order.
fn turned_a_little<S: Scalar>(unit: Vec3<S>, turn: Vec3<S>) -> Vec3<S> {
    let by_turn = turn.cross(unit);
    unit + by_turn + turn.cross(by_turn) * S::HALF
}

/// How far a body may turn while a manifold of it is kept that impacts are found with, radians.
fn largest_turn<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-11)
}

/// The rotation vector from one orientation to another, world axes, radians, to first order; `None` where it is more than `most`, radians.
///
/// Found from the difference of the two, so that it is zero where they are the same.
fn small_turn_between<S: Scalar>(from: Quat<S>, to: Quat<S>, most: S) -> Option<Vec3<S>> {
    let scalar = to.w - from.w;
    let vector = Vec3::new(to.x - from.x, to.y - from.y, to.z - from.z);
    if scalar == S::ZERO && vector == Vec3::ZERO {
        return Some(Vec3::ZERO);
    }
    if scalar.abs() + vector.taxicab_length() > most {
        return None;
    }
    let axis = Vec3::new(from.x, from.y, from.z);
    let half = vector * from.w - axis * scalar - vector.cross(axis);
    let turn = half + half;
    // Not so where it is no number either.
    (turn.taxicab_length() <= most).then_some(turn)
}

#[cfg(test)]
mod tests {
    use super::{KeptManifold, PairPose, RecyclingLimit, largest_turn, small_turn_between};
    use crate::collision::manifold::collide;
    use crate::dynamics::solver::poses::Meeting;
    use crate::geometry::Shape;
    use crate::math::{Fixed, Quat, Scalar, SplitMix64, Vec3};

    /// A vector whose components are at most `size`, in steps of a millionth of that, and never zero.
    fn vector<S: Scalar>(random: &mut SplitMix64, size: S) -> Vec3<S> {
        let mut part = || size * S::from_ratio(random.below(2_000_001) as i64 - 1_000_000, 1_000_000) + S::EPSILON;
        Vec3::new(part(), part(), part())
    }

    /// An orientation turned by a rotation vector that is not zero.
    fn turned<S: Scalar>(orientation: Quat<S>, turn: Vec3<S>) -> Quat<S> {
        let (axis, angle) = turn.normalise().expect("a turn");
        (Quat::from_axis_angle(axis, angle) * orientation).normalise()
    }

    /// That of two cubes of a metre.
    fn limit<S: Scalar>() -> RecyclingLimit<S> {
        RecyclingLimit::close(S::ONE, S::from_ratio(1, 50), [S::from_ratio(7, 8); 2])
    }

    /// That manifold where the bodies lie like this.
    fn moved_to<S: Scalar>(found: &KeptManifold<S>, now: &PairPose<S>) -> Option<Meeting<S>> {
        let mut meeting = Meeting::default();
        found.move_to(&mut meeting, now, Vec3::ZERO, &limit()).then_some(meeting)
    }

    /// Two cubes of a metre that lie like this.
    fn found<S: Scalar>(found_at: PairPose<S>) -> KeptManifold<S> {
        let cube = Shape::Cuboid { half_extents: Vec3::splat(S::HALF) };
        let [a, b] = found_at.orientations.map(Quat::to_matrix);
        let manifold = collide(&cube, &a, &cube, &b, found_at.centre_offset, S::from_ratio(1, 50));
        let meeting = Meeting { shape_offset_a: Vec3::ZERO, centre_offset: found_at.centre_offset, manifold };
        KeptManifold { found_at: Some(found_at), meeting, is_on_rim: [false; 2] }
    }

    /// A point goes where the two bodies carry it, each turned exactly: to within half the squares of the turns (1.8e-4 rad at most)
    /// times the arms (less than a metre) of both, and roundings of numbers near one.
    fn a_manifold_goes_where_the_bodies_go<S: Scalar>() {
        let mut random = SplitMix64::new(7);
        // Aslant, so that its corners are none of the other cube.
        let aslant = turned(Quat::IDENTITY, Vec3::new(S::ZERO, S::HALF, S::ZERO));
        let start = PairPose {
            centre_offset: Vec3::new(S::from_ratio(1, 4), S::ONE, S::from_ratio(1, 8)),
            orientations: [Quat::IDENTITY, aslant],
        };
        let found = found(start);
        assert_eq!(found.meeting.manifold.points().len(), 4);
        let bound = 1.8e-4 * 1.8e-4 + 64.0 * S::EPSILON.to_f64();
        for _ in 0..500 {
            let small = S::from_ratio(1, 10_000);
            let turns = [vector(&mut random, small), vector(&mut random, small)];
            let now = PairPose {
                centre_offset: start.centre_offset + vector(&mut random, small),
                orientations: [turned(Quat::IDENTITY, turns[0]), turned(aslant, turns[1])],
            };
            let moved = moved_to(&found, &now).expect("a small turn").manifold;
            let [turn_a, turn_b] = turns.map(|turn| turned(Quat::IDENTITY, turn));
            for (point, before) in moved.points().iter().zip(found.meeting.manifold.points()) {
                let by_first = turn_a.rotate(before.position);
                let by_second = now.centre_offset + turn_b.rotate(before.position - start.centre_offset);
                let gap = before.separation + found.meeting.manifold.normal.dot(by_second - by_first);
                let error = (point.separation - gap).to_f64().abs();
                assert!(error <= bound, "{}: the gap is {error} m off", S::KIND);
                let way = (point.position - (by_first + by_second) * S::HALF).length().to_f64();
                assert!(way <= bound, "{}: the point is {way} m off", S::KIND);
                assert_eq!(point.feature, before.feature);
            }
            // The face is the first cube's: of two as large the one that lies farther along a fixed direction is looked at second.
            let normal = turn_a.rotate(found.meeting.manifold.normal);
            let error = (moved.normal - normal).length().to_f64();
            assert!(error <= 1e-11 + 16.0 * S::EPSILON.to_f64(), "{}: the normal is {error} off", S::KIND);
        }
    }

    /// What has not moved is what was found, to the last bit.
    fn what_has_not_moved_is_what_was_found<S: Scalar>() {
        let start = PairPose {
            centre_offset: Vec3::new(S::ZERO, S::ONE, S::from_ratio(1, 8)),
            orientations: [Quat::IDENTITY; 2],
        };
        let found = found(start);
        let moved = moved_to(&found, &start).expect("no turn");
        assert_eq!(moved.manifold.points(), found.meeting.manifold.points());
        assert_eq!(moved.manifold.points().len(), 4);
        let slid = PairPose { centre_offset: start.centre_offset + Vec3::X * S::from_ratio(1, 900), ..start };
        assert!(moved_to(&found, &slid).is_none(), "1.1 mm of 1 m is too far");
        let tilt = turned(Quat::IDENTITY, Vec3::X * S::from_ratio(1, 1000));
        let tilted = PairPose { orientations: [Quat::IDENTITY, tilt], ..start };
        assert!(moved_to(&found, &tilted).is_none(), "a milliradian is too far");
    }

    /// The turn between two orientations is the one that was made.
    fn small_turns_are_found<S: Scalar>() {
        let mut random = SplitMix64::new(11);
        for _ in 0..200 {
            let from = turned(Quat::IDENTITY, vector(&mut random, S::from_i32(2)));
            let turn = vector(&mut random, S::from_ratio(1, 8192));
            let found = small_turn_between(from, turned(from, turn), largest_turn()).expect("a small turn");
            let error = (found - turn).length().to_f64();
            assert!(error <= 16.0 * S::EPSILON.to_f64() + 1e-11, "{}: {error}", S::KIND);
            assert_eq!(small_turn_between(from, from, largest_turn()), Some(Vec3::ZERO));
        }
        assert!(
            small_turn_between(Quat::IDENTITY, turned(Quat::IDENTITY, Vec3::<S>::X), largest_turn()).is_none(),
            "a whole radian"
        );
    }

    #[test]
    fn manifolds_go_where_the_bodies_go() {
        a_manifold_goes_where_the_bodies_go::<Fixed>();
        a_manifold_goes_where_the_bodies_go::<f32>();
        a_manifold_goes_where_the_bodies_go::<f64>();
        what_has_not_moved_is_what_was_found::<Fixed>();
        what_has_not_moved_is_what_was_found::<f32>();
        what_has_not_moved_is_what_was_found::<f64>();
    }

    #[test]
    fn small_turns_between_orientations_are_found() {
        small_turns_are_found::<Fixed>();
        small_turns_are_found::<f32>();
        small_turns_are_found::<f64>();
    }
}
