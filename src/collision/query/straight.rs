//! When shapes meet on straight ways, without turning.

use crate::collision::manifold::{Meeting, box_in_axes, cast_cores};
use crate::geometry::{Aabb, Mesh, Shape, ShapeKind};
use crate::math::{Mat3, Scalar, Vec3};

/// A shape as it lies.
type Turned<'a, S> = (&'a Shape<S>, &'a Mat3<S>);

/// When B, `offset` from A and on a way of `displacement` as seen from A, comes within `near` of it: `Some(None)` where it does not, `None` where that is not
/// told, as of what overlaps at the start, and where there are quicker ways: of two balls or capsules, and of half-spaces.
pub(super) fn straight_meeting<S: Scalar>(
    a: Turned<'_, S>,
    b: Turned<'_, S>,
    offset: Vec3<S>,
    displacement: Vec3<S>,
    near: S,
) -> Option<Option<Meeting<S>>> {
    let has_axis = |shape: &Shape<S>| matches!(shape.kind(), ShapeKind::Sphere | ShapeKind::Capsule);
    match (a.0, b.0) {
        (Shape::HalfSpace { .. }, _) | (_, Shape::HalfSpace { .. }) | (Shape::Mesh(_), Shape::Mesh(_)) => None,
        (Shape::Mesh(mesh), _) => with_mesh((mesh, a.1), b, offset, displacement, near),
        (_, Shape::Mesh(mesh)) => with_mesh((mesh, b.1), a, -offset, -displacement, near)
            .map(|met| met.map(|met| flipped(&met, offset + displacement * met.part))),
        (one, other) if has_axis(one) && has_axis(other) => None,
        (Shape::Sphere { .. }, Shape::Cuboid { .. }) | (Shape::Cuboid { .. }, Shape::Sphere { .. }) => None,
        _ => cast_cores(a, b, offset, displacement, (near, S::ONE)),
    }
}

/// The same meeting with the two shapes exchanged; `offset` leads from the origin of the new A to that of the old.
fn flipped<S: Scalar>(met: &Meeting<S>, offset: Vec3<S>) -> Meeting<S> {
    let [a, b] = met.points.map(|point| point + offset);
    Meeting { normal: -met.normal, points: [b, a], ..*met }
}

/// A mesh as A: the facet that is met first, of those in boxes that are met first.
fn with_mesh<S: Scalar>(
    (mesh, rotation): (&Mesh<S>, &Mat3<S>),
    b: Turned<'_, S>,
    offset: Vec3<S>,
    displacement: Vec3<S>,
    near: S,
) -> Option<Option<Meeting<S>>> {
    let bounds = box_in_axes(rotation, b, offset)?.expanded(near);
    let way = rotation.transpose_mul(displacement);
    let mut first: Option<Meeting<S>> = None;
    let mut is_told = true;
    mesh.search(
        |node| part_until(node, &bounds, way),
        |number| {
            if let Shape::Facet(facet) = mesh.piece(number) {
                let origin = *rotation * facet.origin();
                let until = first.map_or(S::ONE, |first| first.part);
                match cast_cores((mesh.piece(number), rotation), b, offset - origin, displacement, (near, until)) {
                    Some(Some(met)) if first.is_none_or(|first| met.part < first.part) => {
                        first = Some(Meeting { points: met.points.map(|point| point + origin), ..met });
                    }
                    Some(_) => {}
                    None => is_told = false,
                }
            }
            // What is not told of one facet is not told at all.
            if is_told { first.map_or(S::MAX, |first| first.part) } else { S::ZERO }
        },
    );
    is_told.then_some(first)
}

/// The part of a way after which a box that goes it first overlaps one that rests; the largest number where it never does.
#[must_use]
pub fn part_until<S: Scalar>(rests: &Aabb<S>, goes: &Aabb<S>, way: Vec3<S>) -> S {
    let (mut enters, mut leaves) = (S::ZERO, S::ONE);
    let ahead = (rests.min - goes.max).to_array().into_iter().zip((goes.min - rests.max).to_array());
    for ((below, above), along) in ahead.zip(way.to_array()) {
        // How far it has to go until it overlaps along this axis, and until it does no longer.
        let (until, beyond) = if along < S::ZERO { (above, -below) } else { (below, -above) };
        let speed = along.abs();
        if until > speed || beyond < S::ZERO {
            return S::MAX;
        }
        if until > S::ZERO {
            enters = enters.max(until / speed);
        }
        if beyond < speed {
            leaves = leaves.min(beyond / speed);
        }
    }
    if enters > leaves { S::MAX } else { enters }
}
