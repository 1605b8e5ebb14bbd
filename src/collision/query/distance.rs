//! How near two shapes are to each other, and where.

use crate::collision::manifold::{
    Capsule, CoreDepth, above_box, box_in_axes, collide, depth_of_cores, gap_of_cores, nearest_places,
    overlap_threshold,
};
use crate::geometry::{Aabb, Mesh, Shape, ShapeKind};
use crate::math::{Mat3, Scalar, Vec3};

/// The points of two shapes that are nearest to each other; of shapes that overlap, those where the least way out begins and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest<S> {
    /// Between the two points, metres; negative where the shapes overlap, by the way that parts them.
    pub distance: S,
    /// The unit normal from A to B, world axes. Between polyhedra that are apart it, and the points, are known to the root of the
    /// rounding only (0.3 mrad in `f32`): a turn by that changes the distance by less than rounding.
    pub normal: Vec3<S>,
    /// The point of A and that of B, from the origin of A, metres, world axes.
    pub points: [Vec3<S>; 2],
}

impl<S: Scalar> Closest<S> {
    /// The same with the two shapes exchanged; `offset` leads from the origin of the old A to that of the old B.
    fn flipped(self, offset: Vec3<S>) -> Self {
        let [a, b] = self.points.map(|point| point - offset);
        Self { normal: -self.normal, points: [b, a], ..self }
    }

    /// Two points of cores that lie apart, each with its radius around it.
    fn of_cores(point: Vec3<S>, between: Vec3<S>, [radius_a, radius_b]: [S; 2]) -> Option<Self> {
        let (normal, distance) = between.normalise()?;
        let points = [point + normal * radius_a, point + between - normal * radius_b];
        Some(Self { distance: distance - (radius_a + radius_b), normal, points })
    }
}

/// The nearest points of two shapes turned by their rotations; `offset` leads from the origin of A to that of B. `None` of two
/// half-spaces or meshes, and where sizes or offsets overflow the scalar.
///
/// Balls and capsules by the nearest points of their axes; half-spaces by the lowest point of the other; polyhedra apart by the method of
/// Gilbert, Johnson and Keerthi (1988). The least way out of what overlaps is found by the expanding polytope algorithm (van den Bergen 2001), beside
/// balls and between capsules in closed form; where it does not come to its end, by the contact that a step would find.
#[must_use]
pub fn closest<S: Scalar>(a: (&Shape<S>, &Mat3<S>), b: (&Shape<S>, &Mat3<S>), offset: Vec3<S>) -> Option<Closest<S>> {
    match (a.0, b.0) {
        (Shape::HalfSpace { .. }, _) | (_, Shape::HalfSpace { .. }) => {}
        (Shape::Mesh(mesh), _) => return closest_of_mesh((mesh, a.1), b, offset),
        (_, Shape::Mesh(mesh)) => {
            return closest_of_mesh((mesh, b.1), a, -offset).map(|closest| closest.flipped(-offset));
        }
        _ => {}
    }
    match (a.0, b.0) {
        (&Shape::Cuboid { half_extents }, &Shape::Sphere { radius }) => {
            return ball_beside_cuboid((half_extents, a.1), radius, offset);
        }
        (&Shape::Sphere { radius }, &Shape::Cuboid { half_extents }) => {
            return ball_beside_cuboid((half_extents, b.1), radius, -offset).map(|found| found.flipped(-offset));
        }
        _ => {}
    }
    match nearest_apart(a, b, offset) {
        Some(apart) if apart.distance > S::ZERO || is_told_by_cores(a.0, b.0) => Some(apart),
        touching => {
            let (least, shown) = depths(a, b, offset);
            // The contact prefers faces; where the search does not end, its best direction may still be the better one.
            let less = |one: Closest<S>, other: Closest<S>| if other.distance > one.distance { other } else { one };
            least.or_else(|| of_contact(a, b, offset).into_iter().chain(shown).reduce(less)).or(touching)
        }
    }
}

/// A mesh as A: the nearest of its facets, as thin plates with two sides.
fn closest_of_mesh<S: Scalar>(
    mesh: (&Mesh<S>, &Mat3<S>),
    b: (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<Closest<S>> {
    nearest_facet(mesh, b, offset).map(|(_, closest)| closest)
}

/// The facet of a mesh, by number, that is nearest to another shape, and how near; `offset` leads from the origin of the mesh to that of
/// the shape. `None` where [`closest`] is.
#[must_use]
pub fn nearest_facet<S: Scalar>(
    (mesh, rotation): (&Mesh<S>, &Mat3<S>),
    b: (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<(u32, Closest<S>)> {
    let bounds = box_in_axes(rotation, b, offset)?;
    let mut best: Option<(u32, Closest<S>)> = None;
    mesh.search(
        |node| gap_of_boxes(node, &bounds),
        |number| {
            let Shape::Facet(facet) = mesh.piece(number) else { return S::MAX };
            let origin = *rotation * facet.origin();
            if let Some(found) = closest((mesh.piece(number), rotation), b, offset - origin)
                && best.is_none_or(|(_, best)| found.distance < best.distance)
            {
                best = Some((number, Closest { points: found.points.map(|point| point + origin), ..found }));
            }
            best.map_or(S::MAX, |(_, best)| best.distance)
        },
    );
    best
}

/// How far apart two boxes are at least, metres; negative where they overlap.
fn gap_of_boxes<S: Scalar>(a: &Aabb<S>, b: &Aabb<S>) -> S {
    let (above, below) = (b.min - a.max, a.min - b.max);
    let gaps = above.to_array().into_iter().zip(below.to_array()).map(|(above, below)| above.max(below));
    gaps.fold(-S::MAX, S::max)
}

/// Whether cores that lie apart tell how deep the surfaces around them are in each other: no way out is shorter than along their nearest
/// points. Where two axes nearly meet, and at half-spaces, the contact knows better.
fn is_told_by_cores<S: Scalar>(a: &Shape<S>, b: &Shape<S>) -> bool {
    let has_axis = |shape: &Shape<S>| matches!(shape.kind(), ShapeKind::Sphere | ShapeKind::Capsule);
    let has_end = [a, b].into_iter().all(|shape| shape.kind() != ShapeKind::HalfSpace);
    has_end && !(has_axis(a) && has_axis(b))
}

/// The nearest points of shapes whose cores lie apart.
fn nearest_apart<S: Scalar>(a: (&Shape<S>, &Mat3<S>), b: (&Shape<S>, &Mat3<S>), offset: Vec3<S>) -> Option<Closest<S>> {
    if let Some(closest) = above_half_space(a, b, offset) {
        return Some(closest);
    }
    if let Some(closest) = above_half_space(b, a, -offset) {
        return Some(closest.flipped(-offset));
    }
    match (axis_of(a), axis_of(b)) {
        (Some(first), Some(second)) => {
            let (along_a, along_b) = nearest_places(first, second, offset);
            let point = first.point(along_a);
            Closest::of_cores(point, offset + second.point(along_b) - point, [first.radius, second.radius])
        }
        (None, _) => {
            let found = gap_of_cores(a, b, offset)?;
            Closest::of_cores(found.point, found.between, [S::ZERO, radius_of(b.0)])
        }
        (Some(_), None) => nearest_apart(b, a, -offset).map(|closest| closest.flipped(-offset)),
    }
}

/// A cuboid as A and a ball as B.
fn ball_beside_cuboid<S: Scalar>(
    (half_extents, rotation): (Vec3<S>, &Mat3<S>),
    radius: S,
    offset: Vec3<S>,
) -> Option<Closest<S>> {
    let centre = rotation.transpose_mul(offset);
    let (outwards, gap) = above_box(centre, half_extents);
    let normal = *rotation * outwards;
    let points = [offset - normal * gap, offset - normal * radius];
    let found = Closest { distance: gap - radius, normal, points };
    (found.distance.is_finite() && points.into_iter().all(Vec3::is_finite)).then_some(found)
}

/// A half-space as A and the lowest point of B above it.
fn above_half_space<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<Closest<S>> {
    let Shape::HalfSpace { normal } = *a else { return None };
    if b.kind() == ShapeKind::HalfSpace {
        return None;
    }
    let normal = *rotation_a * normal;
    let lowest = offset + b.support(rotation_b, -normal);
    let distance = normal.dot(lowest);
    Some(Closest { distance, normal, points: [lowest - normal * distance, lowest] })
}

/// The least way out of polyhedra, cylinders and cones that overlap, and of capsules beside these; or where the search for that does not come
/// to its end, as the second, what its best direction shows.
fn depths<S: Scalar>(
    a: (&Shape<S>, &Mat3<S>),
    b: (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> (Option<Closest<S>>, Option<Closest<S>>) {
    let both_have_axes = axis_of(a).is_some() && axis_of(b).is_some();
    let Some(CoreDepth { normal, point, gap, is_least }) =
        (if both_have_axes { None } else { depth_of_cores(a, b, offset) })
    else {
        return (None, None);
    };
    let [radius_a, radius_b] = [a, b].map(|(shape, _)| radius_of(shape));
    let points = [point + normal * radius_a, point + normal * (gap - radius_b)];
    let found = Closest { distance: gap - (radius_a + radius_b), normal, points };
    if is_least && found.distance <= S::ZERO { (Some(found), None) } else { (None, Some(found)) }
}

/// The deepest point of a contact: of shapes that overlap, or are so near that the search for nearest points tells no direction.
fn of_contact<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<Closest<S>> {
    let sizes = [a, b].into_iter().filter_map(Shape::largest_half_extent).fold(S::ZERO, |sum, size| sum + size);
    // The sum of the sizes is rounded elsewhere in another order.
    let margin = overlap_threshold(sizes) * S::TWO;
    let manifold = collide(a, rotation_a, b, rotation_b, offset, margin);
    manifold.nearest().map(|(points, distance)| Closest { distance, normal: manifold.normal, points })
}

/// A ball or capsule as an axis with a radius.
fn axis_of<S: Scalar>((shape, rotation): (&Shape<S>, &Mat3<S>)) -> Option<Capsule<S>> {
    match *shape {
        Shape::Sphere { radius } => Some(Capsule::new(S::ZERO, radius, rotation)),
        Shape::Capsule { half_height, radius } => Some(Capsule::new(half_height, radius, rotation)),
        Shape::Cuboid { .. }
        | Shape::Hull(_)
        | Shape::Cylinder { .. }
        | Shape::Cone { .. }
        | Shape::HalfSpace { .. }
        | Shape::Mesh(_)
        | Shape::Facet(_) => None,
    }
}

/// The radius around the core of a shape.
const fn radius_of<S: Scalar>(shape: &Shape<S>) -> S {
    match *shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => radius,
        Shape::Cuboid { .. }
        | Shape::Hull(_)
        | Shape::Cylinder { .. }
        | Shape::Cone { .. }
        | Shape::HalfSpace { .. }
        | Shape::Mesh(_)
        | Shape::Facet(_) => S::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::test_runner::TestCaseError;
    use proptest::{prop_assert, proptest};

    use crate::collision::gap_along;
    use crate::collision::manifold::tests::{RandomShapes, stone};
    use crate::collision::query::ray::tests::shapes;
    use crate::collision::query::{closest, contains};
    use crate::geometry::Shape;
    use crate::geometry::hull::{ExactHull, Hull};
    use crate::math::{Fixed, Mat3, Quat, Scalar, SplitMix64, Vec3};

    fn turn<S: Scalar>([x, y, z]: [f64; 3]) -> Mat3<S> {
        let part = |value: f64| S::from_ratio((value * 1000.0) as i64, 1000);
        Vec3::new(part(x), part(y), part(z))
            .normalise()
            .map_or(Mat3::IDENTITY, |(axis, angle)| Quat::from_axis_angle(axis, angle * S::TWO).to_matrix())
    }

    /// A corner of a cube of 2 m points at another's, `(1, 2, 2)` away: 3 m. Scalars know these exactly.
    #[test]
    fn corners_are_nearest_where_no_face_is() {
        fn check<S: Scalar>() {
            let cube = Shape::Cuboid { half_extents: Vec3::splat(S::ONE) };
            let offset = Vec3::new(S::from_i32(3), S::from_i32(4), S::from_i32(4));
            let found = closest((&cube, &Mat3::IDENTITY), (&cube, &Mat3::IDENTITY), offset).expect("two cubes");
            let bound = 16.0 * S::EPSILON.to_f64();
            assert!((found.distance.to_f64() - 3.0).abs() <= bound, "{found:?}");
            assert_eq!(found.points, [Vec3::splat(S::ONE), Vec3::new(S::TWO, S::from_i32(3), S::from_i32(3))]);
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// From exact touching to gaps that have many digits: no gap is too small to be told.
    #[test]
    fn polyhedra_that_nearly_touch_have_a_distance() {
        fn check<S: Scalar>() {
            let (cube, plate) = (Vec3::splat(S::HALF), Vec3::new(S::from_ratio(1, 20), S::ONE, S::from_ratio(1, 100)));
            for half_extents in [cube, plate] {
                let (a, b) = (Shape::Cuboid { half_extents: cube }, Shape::Cuboid { half_extents });
                for gap in (0..40).map(|halvings| S::ONE.scale_by_power_of_two(-halvings)).chain([S::ZERO]) {
                    let offset = Vec3::new(cube.x + half_extents.x + gap, S::from_ratio(1, 40), S::ZERO);
                    let found = closest((&a, &Mat3::IDENTITY), (&b, &Mat3::IDENTITY), offset).expect("two boxes");
                    let gap = offset.x - cube.x - half_extents.x;
                    assert!((found.distance - gap).abs() <= S::EPSILON * S::from_i32(16), "{gap}: {found:?}");
                }
            }
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    #[test]
    fn what_overlaps_is_told_by_the_least_way_out() {
        fn check<S: Scalar>() {
            let cube = Shape::Cuboid { half_extents: Vec3::splat(S::ONE) };
            let quarter = S::from_ratio(1, 4);
            let offset = Vec3::new(S::TWO - quarter, quarter, S::ZERO);
            let found = closest((&cube, &Mat3::IDENTITY), (&cube, &Mat3::IDENTITY), offset).expect("two cubes");
            assert_eq!((found.distance, found.normal), (-quarter, Vec3::X));
            assert_eq!(found.points.map(|point| point.x), [S::ONE, S::ONE - quarter]);
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// Against every normal of a face and every product of two edges of both hulls: no direction parts them sooner, to rounding, and the
    /// points of the way lie on both.
    #[test]
    fn the_depth_of_polyhedra_is_the_least() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(81);
            let mut overlaps = 0;
            for _ in 0..150 {
                let shapes = [stone::<S>(&mut random), stone(&mut random)];
                let turns = [random.rotation::<S>(), random.rotation()];
                let offset = random.direction::<S>();
                let [a, b] = [(&shapes[0], &turns[0]), (&shapes[1], &turns[1])];
                let Some(found) = closest(a, b, offset).filter(|found| found.distance < S::ZERO) else { continue };
                overlaps += 1;
                let [Shape::Hull(first), Shape::Hull(second)] = &shapes else { panic!("stones are hulls") };
                let edges = |hull: &Hull<S>, turn: &Mat3<S>| -> Vec<_> {
                    hull.directions().iter().map(|&along| *turn * along).collect()
                };
                let (along_a, along_b) = (edges(first, &turns[0]), edges(second, &turns[1]));
                let products = along_a.iter().flat_map(|a| along_b.iter().map(|b| a.cross(*b)));
                let planes = |hull: &Hull<S>, turn: &Mat3<S>| -> Vec<_> {
                    hull.planes().iter().map(|plane| *turn * plane.normal).collect()
                };
                let normals = planes(first, &turns[0]).into_iter().chain(planes(second, &turns[1]));
                // A product of less than a thousandth is mostly rounding.
                let clear = products.filter(|way| way.length().to_f64() > 1e-3);
                let units = normals.chain(clear.filter_map(|way| way.direction()));
                let best = units.flat_map(|n| [n, -n]).map(|n| gap_along(a, b, offset, n)).fold(-S::MAX, S::max);
                let bound = S::EPSILON.to_f64() * 4096.0;
                assert!((found.distance - best).to_f64() >= -bound, "{} of {best} ({})", found.distance, S::KIND);
                let along = gap_along(a, b, offset, found.normal);
                assert!((found.distance - along).abs().to_f64() <= bound, "{} of {along}", found.distance);
                for (point, (shape, turn), towards) in
                    [(found.points[0], a, found.normal), (found.points[1] - offset, b, -found.normal)]
                {
                    let off = towards.dot(point) - shape.extent_along(turn, towards);
                    assert!(off.abs().to_f64() <= 16.0 * bound, "{off} off the surface: {found:?} ({})", S::KIND);
                }
            }
            assert!(overlaps > 50, "{overlaps} overlap");
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// An upright capsule of radius 0.25 m beside an edge of a cube, its axis `(0.12, 0, 0.16)` from it: 0.05 m deep, whichever is asked first.
    #[test]
    fn cores_apart_tell_how_deep_the_surfaces_are() {
        fn check<S: Scalar>() {
            let cube = Shape::Cuboid { half_extents: Vec3::splat(S::ONE) };
            let capsule = Shape::Capsule { half_height: S::HALF, radius: S::from_ratio(1, 4) };
            let offset = Vec3::new(S::from_ratio(112, 100), S::ZERO, S::from_ratio(116, 100));
            let bound = 64.0 * S::EPSILON.to_f64();
            let (cube, capsule) = ((&cube, &Mat3::IDENTITY), (&capsule, &Mat3::IDENTITY));
            for (found, sign) in [(closest(cube, capsule, offset), 1.0), (closest(capsule, cube, -offset), -1.0)] {
                let found = found.expect("an answer");
                assert!((found.distance.to_f64() + 0.05).abs() <= bound, "{found:?}");
                let [x, y, z] = found.normal.to_f64().map(|part| part * sign);
                let leans = (x - 0.6).abs() + y.abs() + (z - 0.8).abs();
                assert!(leans <= 16.0 * bound, "{found:?}");
            }
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// Of all sizes from a millimetre to a metre, apart, touching and overlapping, by much or by the last digits: never nothing, and never less than a
    /// direction shows.
    #[test]
    fn every_pair_has_an_answer() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(4711);
            for round in 0..3000 {
                let scale = [1.0, 0.1, 0.01, 0.001][random.index(4)];
                let shapes = [sized::<S>(1.0, &mut random), sized(scale, &mut random)];
                let turns = [random.rotation::<S>(), random.rotation()];
                let [a, b] = [(&shapes[0], &turns[0]), (&shapes[1], &turns[1])];
                let (way, _) = random.direction::<S>().normalise().unwrap_or((Vec3::Y, S::ONE));
                let reach = shapes[0].extent_along(&turns[0], way) + shapes[1].extent_along(&turns[1], -way);
                let off = S::ONE.scale_by_power_of_two(-4 - random.index(26) as i32);
                let offset = way * (reach + [S::ZERO, off, -off][random.index(3)]);
                let Some(found) = closest(a, b, offset) else {
                    panic!("{round}: no answer of {:?} and {:?} at {offset:?}", shapes[0].kind(), shapes[1].kind())
                };
                let shown = gap_along(a, b, offset, way);
                assert!(found.distance >= shown - S::EPSILON * S::from_i32(4096), "{round}: {found:?}, {shown} shown");
            }
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// A shape of any kind with sizes of up to `size`.
    fn sized<S: Scalar>(size: f64, random: &mut SplitMix64) -> Shape<S> {
        let part = |value: f64| S::from_ratio((value * f64::from(1 << 30)) as i64, 1 << 30);
        let mut length = || part(random.between(0.1, 1.0) * size);
        let [x, y, z] = [length(), length(), length()];
        match random.index(6) {
            0 => Shape::Sphere { radius: x },
            1 => Shape::Cuboid { half_extents: Vec3::new(x, y, z) },
            2 => Shape::Capsule { half_height: x, radius: y },
            3 => Shape::Cylinder { half_height: x, radius: y },
            4 => Shape::Cone { half_height: x, radius: y },
            _ => {
                let points: Vec<_> = (0..64).map(|_| random.direction::<f64>().to_array()).collect();
                let points: Vec<_> = points.iter().map(|point| point.map(|part| (part * size * 5e5) as i64)).collect();
                let exponent = -19;
                let (exact, _) = ExactHull::new(&points, exponent).expect("a hull");
                Shape::Hull(Arc::new(Hull::new(Arc::new(exact))))
            }
        }
    }

    proptest! {
        /// The points lie on their shapes and as far apart as said; no plane across the way between them is crossed by either shape, so
        /// nothing can be nearer.
        #[test]
        fn no_points_are_nearer(
            (first, second) in (0..6_usize, 0..5_usize),
            offset in proptest::array::uniform3(-3.0..3.0_f64),
            (turn_a, turn_b) in (proptest::array::uniform3(-1.0..1.0_f64), proptest::array::uniform3(-1.0..1.0_f64)),
        ) {
            fn check<S: Scalar>(
                (first, second): (usize, usize), [x, y, z]: [f64; 3], turns: [[f64; 3]; 2],
            ) -> Result<(), TestCaseError> {
                let half_space = Shape::HalfSpace { normal: Vec3::Y };
                let all = shapes::<S>();
                let a = all.get(first).map_or(&half_space, |(shape, _)| shape);
                let b = &all[second].0;
                let [rotation_a, rotation_b] = turns.map(turn::<S>);
                let part = |value: f64| S::from_ratio((value * 1e6) as i64, 1_000_000);
                let offset = Vec3::new(part(x), part(y), part(z));
                let found = closest((a, &rotation_a), (b, &rotation_b), offset).expect("an answer");
                let is_searched = [a, b].into_iter().any(|shape| matches!(shape, Shape::Cylinder { .. }));
                // Gaps of round things are searched for to 2^-22 of half the thickness, which is up to 1.2 m.
                let searched = if is_searched { S::ONE.scale_by_power_of_two(-21) } else { S::ZERO };
                let bound = S::EPSILON * S::from_i32(256) + searched;
                let way = found.points[1] - found.points[0];
                prop_assert!((way - found.normal * found.distance).length() <= bound, "{found:?}");
                let mirrored = closest((b, &rotation_b), (a, &rotation_a), -offset).expect("an answer");
                // Each of the two is searched for.
                prop_assert!((mirrored.distance - found.distance).abs() <= bound + searched, "{found:?} {mirrored:?}");
                let [on_a, on_b] = found.points;
                if found.distance > S::ZERO {
                    let reach_a = match a {
                        Shape::HalfSpace { .. } => S::ZERO,
                        _ => a.extent_along(&rotation_a, found.normal),
                    };
                    // Turned by `t`, the normal shows a distance that is less by `t^2/2` of it: so `t` is known to the root of the rounding,
                    // and so is how far each shape, of up to 1.2 m, reaches along it.
                    let turn = (S::EPSILON * S::from_i32(64) + searched).sqrt();
                    let slack = bound + turn + turn;
                    prop_assert!((found.normal.dot(on_a) - reach_a).abs() <= slack, "{found:?}");
                    let lowest = found.normal.dot(offset) - b.extent_along(&rotation_b, -found.normal);
                    prop_assert!((found.normal.dot(on_b) - lowest).abs() <= slack, "{found:?}");
                }
                // A little nearer to the middle, as the normal at an edge may lie in a face: a way along it would leave by rounding.
                let inner = |point: Vec3<S>| point * S::from_ratio(499, 500);
                let sunk = if first < all.len() { inner(on_a) } else { on_a - found.normal * bound };
                prop_assert!(contains(a, &rotation_a, sunk) || found.distance < S::ZERO);
                prop_assert!(contains(b, &rotation_b, inner(on_b - offset)) || found.distance < S::ZERO);
                Ok(())
            }
            check::<Fixed>((first, second), offset, [turn_a, turn_b])?;
            check::<f32>((first, second), offset, [turn_a, turn_b])?;
            check::<f64>((first, second), offset, [turn_a, turn_b])?;
        }
    }
}
