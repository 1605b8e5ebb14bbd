//! Hulls whose corners lie on balls, many of them: all small faces, none of which stands out.

use super::{RandomShapes, collide, number};
use crate::collision::gap_along;
use crate::collision::query::closest;
use crate::geometry::Shape;
use crate::math::{Fixed, Mat3, Quat, Scalar, SplitMix64, Vec3};

/// The hull of so many points on a ball of 1 m, pressed flat by up to a half along each axis.
fn pebble<S: Scalar>(points: u32, random: &mut SplitMix64) -> Shape<S> {
    let flat = [0, 1, 2].map(|_| random.between(0.5, 1.0));
    let mut corner = || {
        let direction = [0; 3].map(|_| random.between(-1.0, 1.0));
        let length = Vec3::from_array(direction).length();
        [0, 1, 2].map(|axis| flat[axis] * direction[axis] / length)
    };
    let corners: Vec<_> = (0..points).map(|_| corner()).collect();
    super::hulls::hull(&corners)
}

fn rotation<S: Scalar>(random: &mut SplitMix64) -> Mat3<S> {
    let (axis, _) = random.direction::<S>().normalise().unwrap_or((Vec3::X, S::ONE));
    Quat::from_axis_angle(axis, number(random.between(0.0, 6.0))).to_matrix()
}

/// Both hold the origin of the other, so they overlap, whatever way the search for nearest points goes: never is there no contact.
#[test]
fn pebbles_that_hold_each_other_touch() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(64);
        for round in 0..1000 {
            let shapes = [pebble::<S>(64, &mut random), pebble(if round % 2 == 0 { 64 } else { 16 }, &mut random)];
            let turns = [rotation(&mut random), rotation(&mut random)];
            let (direction, _) = random.direction::<S>().normalise().unwrap_or((Vec3::X, S::ONE));
            let reach = shapes[0].extent_along(&turns[0], direction).min(S::ONE);
            let offset = direction * (reach * number(random.between(0.0, 0.6)));
            let found = collide(&shapes[0], &turns[0], &shapes[1], &turns[1], offset, S::ZERO);
            let near = closest((&shapes[0], &turns[0]), (&shapes[1], &turns[1]), offset);
            assert!(found.gap().is_some_and(|gap| gap < S::ZERO), "{round}: {found:?} ({})", S::KIND);
            let near = near.expect("an answer");
            assert!(near.distance < S::ZERO, "{round}: {near:?} ({})", S::KIND);
            // Along no axis of both do they overlap by less than what is told, but for the stated preference of faces.
            let along = gap_along((&shapes[0], &turns[0]), (&shapes[1], &turns[1]), offset, near.normal);
            let slack = -along * S::from_ratio(1, 900) + S::from_ratio(1, 4000);
            assert!((near.distance - along).abs() <= slack, "{round}: {} of {along} ({})", near.distance, S::KIND);
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
