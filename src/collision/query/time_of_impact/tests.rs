//! Moments of impact against closed forms, and the ways to find them against each other.

use super::closest_at;
use crate::collision::manifold::tests::{RandomShapes, mesh_of, stone};
use crate::collision::query::{Moving, time_of_impact};
use crate::geometry::Shape;
use crate::math::{Fixed, Mat3, Pose, Quat, Scalar, SplitMix64, Vec3};

fn still<S: Scalar>(shape: &Shape<S>) -> Moving<'_, S> {
    Moving { shape, local: Pose::IDENTITY, orientation: Quat::IDENTITY, displacement: Vec3::ZERO, turn: Vec3::ZERO }
}

const NEAR: i64 = 10_000;

/// A ball of 1 m goes 10 m towards a cube of 2 m whose face is 4 m before it: after 3 m, but for what counts as near.
#[test]
fn a_ball_meets_a_cube_where_its_surface_does() {
    fn check<S: Scalar>() {
        let (ball, cube) = (Shape::Sphere { radius: S::ONE }, Shape::Cuboid { half_extents: Vec3::splat(S::ONE) });
        let flight = Moving { displacement: Vec3::X * S::from_i32(10), ..still(&ball) };
        let between = Vec3::X * S::from_i32(5);
        let near = S::from_ratio(1, NEAR);
        let found = time_of_impact(&flight, &still(&cube), between, near).expect("they meet");
        assert!((found.part.to_f64() - 0.3).abs() <= 1.1e-5, "{found:?}");
        assert!((found.normal - Vec3::X).length() <= S::EPSILON * S::from_i32(8), "{found:?}");
        assert!((found.point.x.to_f64() - 4.0).abs() <= 1.1e-4, "{found:?}");
        let short = Moving { displacement: Vec3::X * S::from_ratio(299, 100), ..flight };
        assert_eq!(time_of_impact(&short, &still(&cube), between, near), None);
        let away = Moving { displacement: -flight.displacement, ..flight };
        assert_eq!(time_of_impact(&away, &still(&cube), between, near), None);
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A plank of 2 m by 2 cm turns a quarter about its end, which its body carries: its other end comes down on a ball that lies
/// 45 degrees below. The long face touches it when the angle between the middle line and the way to the ball's middle is
/// `asin((0.01 + 0.1) / d)`.
#[test]
fn a_plank_that_turns_about_its_end_meets_what_lies_on_the_arc() {
    fn check<S: Scalar>() {
        let plank = Shape::Cuboid { half_extents: Vec3::new(S::ONE, S::from_ratio(1, 100), S::ONE) };
        let local = Pose { position: Vec3::X, orientation: Quat::IDENTITY };
        let quarter = Vec3::Z * -(S::PI * S::HALF);
        let turning = Moving { local, turn: quarter, ..still(&plank) };
        let ball = Shape::Sphere { radius: S::from_ratio(1, 10) };
        let between = Vec3::new(S::ONE, -S::ONE, S::ZERO);
        let near = S::from_ratio(1, NEAR);
        let found = time_of_impact(&turning, &still(&ball), between, near).expect("they meet");
        let angle = std::f64::consts::FRAC_PI_4 - libm::asin(0.11 / std::f64::consts::SQRT_2);
        let expected = angle / std::f64::consts::FRAC_PI_2;
        // What counts as near, over the arm of 1.41 m and the quarter.
        let bound = 1e-4 / std::f64::consts::SQRT_2 / std::f64::consts::FRAC_PI_2 + 1e-5;
        assert!((found.part.to_f64() - expected).abs() <= bound, "{found:?}, expected {expected}");
        let less = Moving { turn: quarter * S::HALF, ..turning };
        let found = time_of_impact(&less, &still(&ball), between, near).expect("they meet on half of that too");
        assert!((found.part.to_f64() - 2.0 * expected).abs() <= 2.0 * bound, "{found:?}");
        assert_eq!(
            time_of_impact(&Moving { turn: quarter * S::from_ratio(2, 5), ..turning }, &still(&ball), between, near),
            None
        );
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A cube comes with an edge across the side of a cylinder, which it meets in one point: the normal is the cylinder's there, however the
/// edge leans along the side and all of it is turned. Told by the last gap alone it was off by up to 1.2e-3 in `f32`, 4e-5 in fixed point.
#[test]
fn the_normal_where_an_edge_meets_a_round_side_is_sharp() {
    fn check<S: Scalar>(bound: f64) {
        let mut random = SplitMix64::new(21);
        let number = |value: f64| S::from_ratio((value * 1e6) as i64, 1_000_000);
        let mut part = || random.below(2001) as f64 / 1000.0 - 1.0;
        let cube = Shape::Cuboid { half_extents: Vec3::splat(number(0.4)) };
        let cylinder = Shape::Cylinder { half_height: number(0.5), radius: number(0.3) };
        for round in 0..200 {
            let axis = Vec3::new(number(part()), number(part()), number(part() + 2.0)).normalise();
            let turn = Quat::from_axis_angle(axis.expect("not zero").0, number(3.0 * part()));
            // With an edge ahead, along z, and then leaning along the side.
            let lean = Quat::from_axis_angle(Vec3::X, number(part()));
            let ahead = Quat::from_axis_angle(Vec3::Z, S::PI * number(0.25));
            let rests = Moving { orientation: turn, ..still(&cylinder) };
            let way = turn.rotate(-Vec3::X * S::TWO);
            for spin in [S::ZERO, number(1e-3)] {
                let comes = Moving {
                    orientation: turn * lean * ahead,
                    displacement: way,
                    turn: turn.rotate(Vec3::X * spin),
                    ..still(&cube)
                };
                let between = turn.rotate(Vec3::new(S::TWO, number(0.1 * part()), S::ZERO));
                let found = time_of_impact(&rests, &comes, between, S::from_ratio(1, 60_000)).expect("they meet");
                let off = (found.normal - turn.rotate(Vec3::X)).length().to_f64();
                assert!(off <= bound, "{} round {round}: off by {off}: {found:?}", S::KIND);
            }
        }
    }
    check::<Fixed>(5e-6);
    check::<f32>(1e-4);
    check::<f64>(5e-6);
}

/// Without turning, what is told in one search is what looks tell: within what counts as near, at the speed at which the gap closes, so
/// both are at most `near` apart there. Whether the two meet.
fn assert_told_as_by_looks<S: Scalar>(
    shapes: [&Shape<S>; 2],
    orientations: [Quat<S>; 2],
    (place, aim): (Vec3<S>, Vec3<S>),
    round: u32,
) -> bool {
    let near = S::from_ratio(1, 1000);
    let [first, second] = [0, 1].map(|side| Moving { orientation: orientations[side], ..still(shapes[side]) });
    let second = Moving { displacement: (aim - place) * S::TWO, ..second };
    let told = time_of_impact(&first, &second, place, near);
    // A turn too small to be seen has the pair looked at.
    let looking = Moving { turn: Vec3::X * S::ONE.scale_by_power_of_two(-20), ..first };
    let looked = time_of_impact(&looking, &second, place, near);
    let (Some(told), Some(looked)) = (told, looked) else {
        assert!(told.is_none() && looked.is_none(), "{round}: {told:?} {looked:?} ({})", S::KIND);
        return false;
    };
    assert!(told.distance <= near, "{told:?}");
    let apart = second.displacement.length() * (told.part - looked.part).abs();
    let closing = -second.displacement.direction().map_or(S::ONE, |way| way.dot(told.normal));
    assert!((apart * closing).abs().to_f64() <= 1.5e-3, "{round}: {told:?} {looked:?} ({})", S::KIND);
    let there = closest_at(&first, &second, place, told.part).expect("two shapes");
    assert!((there.distance - told.distance).abs().to_f64() <= 3e-5, "{there:?} {told:?} ({})", S::KIND);
    true
}

fn any_orientation<S: Scalar>(random: &mut SplitMix64) -> Quat<S> {
    let turn = random.direction::<S>().normalise();
    turn.map_or(Quat::IDENTITY, |(axis, angle)| Quat::from_axis_angle(axis, angle * S::TWO))
}

#[test]
fn a_straight_way_is_told_as_by_looks() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(7);
        let mut met = 0;
        for round in 0..600 {
            let mut shapes = [stone::<S>(&mut random), straight_shape(round, &mut random)];
            if round % 4 == 0 {
                shapes[round as usize / 4 % 2] = sheet(&mut random);
            }
            let place = random.direction::<S>() * S::from_i32(4);
            let aim = random.direction::<S>();
            let orientations = [0, 1].map(|_| any_orientation(&mut random));
            met += u32::from(assert_told_as_by_looks(shapes.each_ref(), orientations, (place, aim), round));
        }
        assert!((200..550).contains(&met), "{met} met");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Boxes of many sizes, turned in any way or parallel, that meet face to face, with edges and corners, that pass, and that begin in each
/// other or side by side.
#[test]
fn a_straight_way_of_two_boxes_is_told_as_by_looks() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(8);
        let mut met = 0;
        for round in 0..3000 {
            let size = |random: &mut SplitMix64| S::from_ratio(1 + (random.bits() % 16) as i64, 8);
            let boxes: [Shape<S>; 2] = [0, 1].map(|_| {
                let [x, y, z] = [0, 1, 2].map(|_| size(&mut random));
                Shape::Cuboid { half_extents: Vec3::new(x, y, z) }
            });
            let one = any_orientation(&mut random);
            let other = if round % 3 == 0 { one } else { any_orientation(&mut random) };
            let distance = S::from_i32(if round % 5 == 0 { 2 } else { 6 });
            let way = (random.direction::<S>() * distance, random.direction::<S>() * S::TWO);
            met += u32::from(assert_told_as_by_looks(boxes.each_ref(), [one, other], way, round));
        }
        assert!((1500..2900).contains(&met), "{met} met");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Four by four squares of 0.5 m, a quarter of a metre up or down.
fn sheet<S: Scalar>(random: &mut SplitMix64) -> Shape<S> {
    let place = |number: i64| [(number % 5 - 2) * 4, (random.bits() % 5) as i64 - 2, (number / 5 - 2) * 4];
    let points: Vec<_> = (0..25).map(place).collect();
    let square = |row: u32, column: u32| {
        let (a, b) = (row * 5 + column, (row + 1) * 5 + column);
        [[a, b, a + 1], [a + 1, b, b + 1]]
    };
    let triangles: Vec<_> = (0..4).flat_map(|row| (0..4).flat_map(move |column| square(row, column))).collect();
    Shape::Mesh(mesh_of(&points, &triangles))
}

/// A shape of each kind in turn; those with closed forms too.
fn straight_shape<S: Scalar>(round: u32, random: &mut SplitMix64) -> Shape<S> {
    let (half, quarter) = (S::HALF, S::from_ratio(1, 4));
    match round % 6 {
        0 => stone(random),
        1 => Shape::Cuboid { half_extents: Vec3::new(half, quarter, S::ONE) },
        2 => Shape::Sphere { radius: half },
        3 => Shape::Capsule { half_height: half, radius: quarter },
        4 => Shape::Cylinder { half_height: half, radius: quarter },
        _ => Shape::Cone { half_height: half, radius: half },
    }
}

/// A sheet whose lowest point is 0.25 m or less below its middle sinks 4 m on a plane 3 m below.
#[test]
fn a_mesh_meets_a_plane_with_its_lowest_corner() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(3);
        let (sheet, plane) = (sheet::<S>(&mut random), Shape::HalfSpace { normal: Vec3::Y });
        let lowest = sheet.support(&Mat3::IDENTITY, -Vec3::Y).y;
        let sinking = Moving { displacement: -Vec3::Y * S::from_i32(4), ..still(&sheet) };
        let near = S::from_ratio(1, NEAR);
        for (first, second, between) in [(&sinking, &still(&plane), -3), (&still(&plane), &sinking, 3)] {
            let found = time_of_impact(first, second, Vec3::Y * S::from_i32(between), near).expect("they meet");
            let expected = (3.0 + lowest.to_f64()) / 4.0;
            assert!((found.part.to_f64() - expected).abs() <= 1e-4, "{found:?}, {expected} expected");
        }
        assert_eq!(time_of_impact(&sinking, &still(&sheet), -Vec3::Y, near), None, "two meshes");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// What turns fast and comes near again and again meets what it meets and nothing else, however many looks that takes: a bar whose end
/// passes a wall by 2 mm, and a stick that tumbles past a ball.
#[test]
fn what_turns_and_passes_does_not_meet() {
    fn check<S: Scalar>() {
        let near = S::ONE.scale_by_power_of_two(-16);
        let thin = S::from_ratio(1, 100);
        let bar = Shape::Cuboid { half_extents: Vec3::new(S::ONE, thin, thin) };
        let wall = Shape::Cuboid { half_extents: Vec3::new(S::from_ratio(1, 10), S::ONE, S::ONE) };
        let beside = |millimetres: i64| Vec3::X * -S::from_ratio(1100 + millimetres, 1000);
        let turning = Moving { turn: Vec3::Z * S::from_i32(100), ..still(&bar) };
        assert_eq!(time_of_impact(&turning, &still(&wall), beside(2), near), None);
        // Longer than half a diagonal of the bar by a twentieth of a millimetre: nearer, and its corners meet.
        let found = time_of_impact(&turning, &still(&wall), beside(0), near).expect("they meet");
        assert!(found.distance <= near && found.part < S::from_ratio(1, 100), "{found:?} ({})", S::KIND);
        let stick = Shape::Cylinder { half_height: S::HALF, radius: S::from_ratio(1, 20) };
        let ball = Shape::Sphere { radius: S::from_ratio(1, 10) };
        let orientation = Quat::from_axis_angle(Vec3::Z, S::PI * S::HALF);
        let displacement = Vec3::X * S::from_i32(4);
        let tumbling = Moving { orientation, displacement, turn: Vec3::Y * S::from_i32(2000), ..still(&stick) };
        let between = |up: i64| Vec3::new(S::TWO, -S::from_ratio(up, 10), S::ZERO);
        assert_eq!(time_of_impact(&tumbling, &still(&ball), between(7), near), None);
        let found = time_of_impact(&tumbling, &still(&ball), between(1), near).expect("they meet");
        assert!(found.distance <= near, "{found:?}");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn what_overlaps_at_the_start_meets_at_once() {
    let ball = Shape::Sphere { radius: 1.0_f64 };
    let found = time_of_impact(&still(&ball), &still(&ball), Vec3::X, 1e-4).expect("they overlap");
    assert_eq!((found.part, found.distance), (0.0, -1.0));
}
