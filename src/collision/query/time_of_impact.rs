//! When two shapes meet on their ways, straight and turning.

use crate::collision::manifold::{Meeting, box_in_axes};
use crate::collision::query::distance::{Closest, closest};
use crate::collision::query::straight::{part_until, straight_meeting};
use crate::geometry::{Mesh, Shape};
use crate::math::{Pose, Quat, Scalar, Vec3};

/// Looks for one answer, at most, of a mesh at all its facets together, and of two bodies at all pairs of their shapes: what turns much and nears little takes the more of them, the
/// nearer it comes.
pub(crate) const MOST_LOOKS: u32 = 1 << 18;

/// A shape on its way.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a, S> {
    /// The shape.
    pub shape: &'a Shape<S>,
    /// Where it stands in the frame that moves and turns: identity, but for a shape of a body.
    pub local: Pose<S>,
    /// That frame's orientation at the start.
    pub orientation: Quat<S>,
    /// How far its origin goes, metres, world axes.
    pub displacement: Vec3<S>,
    /// How far it turns at one rate about one axis: a rotation vector, radians, world axes.
    pub turn: Vec3<S>,
}

/// Where two shapes meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<S> {
    /// The part of their ways that is done by then, 0 to 1.
    pub part: S,
    /// The unit normal from the first to the second, world axes.
    pub normal: Vec3<S>,
    /// Where the first is met, from where the origin of its frame stands at the start, metres, world axes.
    pub point: Vec3<S>,
    /// What is between them, metres: at most what was asked for; negative where they overlap at the start. More than that where they turn
    /// against each other so fast that the search was given up: they have not met by then, and nothing is known of later.
    pub distance: S,
}

impl<S: Scalar> Moving<'_, S> {
    /// How far a point that turning moves is from the axis through the frame's origin, at most, metres.
    fn reach(&self) -> S {
        self.shape.turning_reach() + self.local.position.length()
    }

    /// How the shape lies when a part of the way is done, from the frame's origin as it then is.
    fn placed_at(&self, part: S) -> Pose<S> {
        Pose { position: Vec3::ZERO, orientation: self.turned(part) }.transform_pose(self.local)
    }

    /// How fast a point of it goes along a direction by turning when a part of the way is done, at most: metres in the whole way.
    fn turning_along(&self, direction: Vec3<S>, part: S) -> S {
        let across = direction.cross(self.turn); // a speed along the one is a place along the other
        if across == Vec3::ZERO || matches!(self.shape, Shape::HalfSpace { .. }) {
            return S::ZERO;
        }
        let Pose { position, orientation } = self.placed_at(part);
        across.dot(position + self.shape.support(&orientation.to_matrix(), across))
    }

    /// The frame's orientation when a part of the way is done.
    fn turned(&self, part: S) -> Quat<S> {
        let Some((axis, angle)) = (self.turn * part).normalise() else { return self.orientation };
        (Quat::from_axis_angle(axis, angle) * self.orientation).normalise()
    }
}

/// The first moment at which two shapes are within `near` of each other, metres, positive; `between` leads from the origin of the first's
/// frame to that of the second's at the start. `None` where they do not come so near.
///
/// B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, section 2.3: a gap along a normal cannot close faster than
/// the displacements bring the shapes nearer along it and the turns carry their farthest points; nor faster than they do now and than what
/// turns is accelerated to its axis. Where nothing turns, the search for
/// nearest points goes on from place to place instead of anew (van den Bergen 2004). Of a mesh each facet is asked that lies on the way; two
/// meshes never meet.
#[must_use]
pub fn time_of_impact<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    near: S,
) -> Option<Impact<S>> {
    let mut looks = MOST_LOOKS;
    time_of_impact_within(first, second, between, near, &mut looks)
}

/// The same with so many looks left, of which it takes what it needs.
pub(crate) fn time_of_impact_within<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    near: S,
    looks: &mut u32,
) -> Option<Impact<S>> {
    let do_turn = first.turn != Vec3::ZERO || second.turn != Vec3::ZERO;
    let told = if do_turn { None } else { without_turning(first, second, between, near) };
    told.unwrap_or_else(|| match (first.shape, second.shape) {
        (Shape::Mesh(_), Shape::Mesh(_)) => None,
        (Shape::HalfSpace { .. }, _) | (_, Shape::HalfSpace { .. }) => {
            look_by_look(first, second, between, (near, S::ONE), looks)
        }
        (Shape::Mesh(mesh), _) => facet_by_facet((mesh, first), second, between, near, |facet, until| {
            look_by_look(facet, second, between, (near, until), looks)
        }),
        (_, Shape::Mesh(mesh)) => facet_by_facet((mesh, second), first, -between, near, |facet, until| {
            look_by_look(first, facet, between, (near, until), looks)
        }),
        _ => look_by_look(first, second, between, (near, S::ONE), looks),
    })
}

/// The first of the impacts of a mesh's facets. A mesh is hollow: what goes away from the nearest facet may come to another.
fn facet_by_facet<S: Scalar>(
    (mesh, of_mesh): (&Mesh<S>, &Moving<'_, S>),
    other: &Moving<'_, S>,
    between: Vec3<S>,
    near: S,
    mut look: impl FnMut(&Moving<'_, S>, S) -> Option<Impact<S>>,
) -> Option<Impact<S>> {
    let [own, placed] = [of_mesh, other].map(|moving| moving.placed_at(S::ZERO));
    let [rotation, rotation_of_other] = [own, placed].map(|pose| pose.orientation.to_matrix());
    let offset = between + placed.position - own.position;
    let way = rotation.transpose_mul(other.displacement - of_mesh.displacement);
    let bounds = box_in_axes(&rotation, (other.shape, &rotation_of_other), offset)?;
    // However far it turns, a point comes no farther than to the other side of its axis.
    let turning = [of_mesh, other].map(|moving| moving.turn.length().min(S::TWO) * moving.reach());
    let bounds = bounds.expanded(near + turning[0] + turning[1]);
    let mut first: Option<Impact<S>> = None;
    mesh.search(
        |node| part_until(node, &bounds, way),
        |number| {
            let until = first.map_or(S::ONE, |first| first.part);
            if let Shape::Facet(facet) = mesh.piece(number) {
                let local = of_mesh.local.transform_pose(Pose { position: facet.origin(), ..Pose::IDENTITY });
                let found = look(&Moving { shape: mesh.piece(number), local, ..*of_mesh }, until);
                let is_before = |one: &Impact<S>, other: &Impact<S>| {
                    one.part < other.part || (one.part == other.part && one.distance < other.distance)
                };
                first = found.filter(|found| first.is_none_or(|first| is_before(found, &first))).or(first);
            }
            // Those in boxes that are met at the same moment may be nearer.
            first.map_or(S::MAX, |first| S::from_ordered(first.part.to_ordered() + 1))
        },
    );
    first
}

/// The same by looks at the pair, each as far on as nothing can have happened in between, in the part `until` of the ways; of a mesh only of one
/// facet. Where there are no `looks` left, the last thing that was seen.
fn look_by_look<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    (near, until): (S, S),
    looks: &mut u32,
) -> Option<Impact<S>> {
    let closing = Closing::of(first, second);
    let mut part = S::ZERO;
    loop {
        let Closest { distance, normal, points } = closest_at(first, second, between, part)?;
        let impact = Impact { part, normal, point: points[0] + first.displacement * part, distance };
        *looks = looks.saturating_sub(1);
        if distance <= near || *looks == 0 {
            return Some(impact);
        }
        let gap = distance - near * S::HALF;
        let safe = closing.safe_part(gap, normal, part)?;
        if part >= until || safe > until - part {
            return None;
        }
        let following = S::from_ordered(part.to_ordered() + 1);
        part = (part + safe).max(following).min(until);
    }
}

/// How fast a gap between two shapes can close.
struct Closing<'a, S> {
    moving: [&'a Moving<'a, S>; 2],
    /// How the second goes against the first, metres.
    straight: Vec3<S>,
    /// How far a point is carried by turning, at most, metres.
    turning: S,
    /// The root of the speed that a point gains by turning, at most, in the whole way: the same times the angle.
    root_of_gain: S,
}

impl<'a, S: Scalar> Closing<'a, S> {
    fn of(first: &'a Moving<'a, S>, second: &'a Moving<'a, S>) -> Self {
        let [a, b] = [first, second].map(|moving| moving.turn.length());
        let turning = a * first.reach() + b * second.reach();
        let straight = second.displacement - first.displacement;
        Self { moving: [first, second], straight, turning, root_of_gain: turning.sqrt() * a.max(b).sqrt() }
    }

    /// For which part of the way nothing can close a gap along a normal, from the part on that is done; `None` where nothing ever does.
    fn safe_part(&self, gap: S, normal: Vec3<S>, part: S) -> Option<S> {
        let coming = -self.straight.dot(normal);
        let most = coming + self.turning;
        if most <= S::ZERO {
            return None;
        }
        let [first, second] = self.moving;
        let now = coming + first.turning_along(normal, part) + second.turning_along(-normal, part);
        // By v t + a t^2 / 2, with products of roots, which fit where their squares may not.
        let (now, by_gain) = (now.max(S::ZERO), self.root_of_gain * (gap + gap).sqrt());
        let sum = now + Vec3::new(now, by_gain, S::ZERO).length();
        let by_turning = if sum > S::ZERO { (gap + gap) / sum } else { S::ZERO };
        Some((gap / most).max(by_turning))
    }
}

/// The same of shapes that do not turn; `None` where they have to be looked at again and again all the same.
fn without_turning<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    near: S,
) -> Option<Option<Impact<S>>> {
    let [a, b] = [first, second].map(|moving| moving.placed_at(S::ZERO));
    let [rotation_a, rotation_b] = [a, b].map(|pose| pose.orientation.to_matrix());
    let offset = between + b.position - a.position;
    let straight = second.displacement - first.displacement;
    let met = straight_meeting((first.shape, &rotation_a), (second.shape, &rotation_b), offset, straight, near)?;
    Some(met.map(|Meeting { part, normal, points, distance }| Impact {
        part,
        normal,
        point: points[0] + a.position + first.displacement * part,
        distance,
    }))
}

/// The nearest points when a part of the ways is done, seen from the frame of the first as it then stands.
fn closest_at<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    part: S,
) -> Option<Closest<S>> {
    let [a, b] = [first, second].map(|moving| moving.placed_at(part));
    let between = between + (second.displacement - first.displacement) * part;
    let [rotation_a, rotation_b] = [a, b].map(|pose| pose.orientation.to_matrix());
    let found = closest((first.shape, &rotation_a), (second.shape, &rotation_b), between + b.position - a.position)?;
    Some(Closest { points: found.points.map(|point| point + a.position), ..found })
}

#[cfg(test)]
mod tests {
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
                time_of_impact(
                    &Moving { turn: quarter * S::from_ratio(2, 5), ..turning },
                    &still(&ball),
                    between,
                    near
                ),
                None
            );
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
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
}
