//! Capsule against capsule: the nearest points of their axes, or both ends of the stretch along which they lie side by side.

use crate::collision::manifold::Manifold;
use crate::collision::manifold::round::{across_axis, is_coarse, push_between};
use crate::math::{Mat3, Scalar, Vec3};

/// A capsule with its axis in the frame of the computation.
#[derive(Clone, Copy, Debug)]
pub(in crate::collision) struct Capsule<S> {
    /// Half the length of the axis.
    pub half_height: S,
    /// Radius around the axis.
    pub radius: S,
    /// Unit direction of the axis.
    pub axis: Vec3<S>,
}

impl<S: Scalar> Capsule<S> {
    /// The capsule of these sizes turned by `rotation`.
    pub(in crate::collision) fn new(half_height: S, radius: S, rotation: &Mat3<S>) -> Self {
        Self { half_height, radius, axis: rotation.column(1) }
    }

    /// Whether the axis goes on to both sides at this many metres from the centre.
    pub(super) fn goes_on_at(&self, along: S) -> bool {
        along.abs() < self.half_height
    }

    /// The point of the axis at `along` metres from the centre.
    #[inline]
    pub(in crate::collision) fn point(&self, along: S) -> Vec3<S> {
        self.axis * along
    }
}

/// The manifold of two capsules. Features: 0 a crossing, 1 and 2 the ends of a parallel stretch along A's axis.
pub(super) fn collide<S: Scalar>(a: Capsule<S>, b: Capsule<S>, offset: Vec3<S>, margin: S) -> Manifold<S> {
    let (along_a, along_b) = nearest_places(a, b, offset);
    let between = offset + b.point(along_b) - a.point(along_a);
    if between.length() > a.radius + b.radius + margin {
        return Manifold::of_apart_along(between, a.radius + b.radius);
    }
    let (normal, distance) = if is_coarse(between, a.radius + b.radius) {
        across_both((a, along_a), (b, along_b), between)
    } else {
        between.normalise().unwrap_or_else(|| (side_of_both(a.axis, b.axis), S::ZERO))
    };
    let mut manifold = Manifold::with_normal(normal);
    // Side by side: the axes drift apart by no more than 1/64 of the radii.
    let drift = a.axis.cross(b.axis) * a.half_height.min(b.half_height);
    if drift.length() <= (a.radius + b.radius).scale_by_power_of_two(-6) {
        push_parallel_stretch(&mut manifold, (a, b), offset, margin);
    }
    if manifold.is_empty() {
        push_between(&mut manifold, a.point(along_a), (a.radius, b.radius), distance, (margin, 0));
    }
    manifold.reaching(distance - (a.radius + b.radius))
}

/// The unit direction of what leads from one axis to another between these places, so short that rounding may have turned it, and how far it
/// leads: across each axis that goes on there.
fn across_both<S: Scalar>((a, at_a): (Capsule<S>, S), (b, at_b): (Capsule<S>, S), between: Vec3<S>) -> (Vec3<S>, S) {
    let side = a.axis.cross(b.axis);
    match (a.goes_on_at(at_a), b.goes_on_at(at_b)) {
        (true, true) if side.length() >= S::ONE.scale_by_power_of_two(-10) => {
            let side = side_of_both(a.axis, b.axis);
            let normal = if side.dot(between) < S::ZERO { -side } else { side };
            (normal, normal.dot(between))
        }
        (true, _) => across_axis(between, a.axis),
        (false, true) => across_axis(between, b.axis),
        (false, false) => between.normalise().unwrap_or_else(|| (side_of_both(a.axis, b.axis), S::ZERO)),
    }
}

/// A unit vector perpendicular to both directions.
fn side_of_both<S: Scalar>(first: Vec3<S>, second: Vec3<S>) -> Vec3<S> {
    first.cross(second).normalise().map_or_else(|| first.tangents().0, |(unit, _)| unit)
}

/// Where the two axes come nearest, as distances from their centres.
///
/// C. Ericson, "Real-Time Collision Detection", 2005, section 5.1.9, for unit directions. Where the axes are nearly parallel
/// the crossing is uncertain and the four ends are tried as well; they have to be nearer by more than rounding, for a
/// distance that is only just the least does not tell its direction.
pub(in crate::collision) fn nearest_places<S: Scalar>(a: Capsule<S>, b: Capsule<S>, offset: Vec3<S>) -> (S, S) {
    let cosine = a.axis.dot(b.axis);
    let (toward_a, toward_b) = (a.axis.dot(offset), b.axis.dot(offset));
    let sine_squared = a.axis.cross(b.axis).length_squared();
    let on_a = |along_b: S| (toward_a + cosine * along_b).clamp(-a.half_height, a.half_height);
    let on_b = |along_a: S| (cosine * along_a - toward_b).clamp(-b.half_height, b.half_height);
    let along_a = if sine_squared < S::ONE.scale_by_power_of_two(-20) {
        on_a(S::ZERO)
    } else {
        ((toward_a - cosine * toward_b) / sine_squared).clamp(-a.half_height, a.half_height)
    };
    let along_b = on_b(along_a);
    let crossing = (on_a(along_b), along_b);
    if sine_squared >= S::ONE.scale_by_power_of_two(-12) {
        return crossing;
    }
    let distance = |(along_a, along_b): (S, S)| (offset + b.point(along_b) - a.point(along_a)).length();
    let nearest_on_b = |along_b: S| (on_a(along_b), along_b);
    let nearest_on_a = |along_a: S| (along_a, on_b(along_a));
    // From an end to the other axis and back again, so that the points face each other at right angles if they can.
    let ends_of_a = [-a.half_height, a.half_height].map(|along| nearest_on_b(on_b(along)));
    let ends_of_b = [-b.half_height, b.half_height].map(|along| nearest_on_a(on_a(along)));
    let (places, _) =
        ends_of_a.into_iter().chain(ends_of_b).fold((crossing, distance(crossing)), |(best, least), places| {
            let new = distance(places);
            if new < least - (least + S::ONE) * (S::EPSILON * S::from_i32(16)) { (places, new) } else { (best, least) }
        });
    places
}

/// Adds the two ends of the stretch of A's axis beside which B's axis runs, when it has a length.
fn push_parallel_stretch<S: Scalar>(
    manifold: &mut Manifold<S>,
    (a, b): (Capsule<S>, Capsule<S>),
    offset: Vec3<S>,
    margin: S,
) {
    let middle = a.axis.dot(offset);
    let low = (middle - b.half_height).max(-a.half_height);
    let high = (middle + b.half_height).min(a.half_height);
    if low >= high {
        return;
    }
    let is_opposed = a.axis.dot(b.axis) < S::ZERO;
    for (feature, along) in [(1, low), (2, high)] {
        let beside = along - middle;
        let along_b = if is_opposed { -beside } else { beside };
        let between = offset + b.point(along_b) - a.point(along);
        push_between(manifold, a.point(along), (a.radius, b.radius), between.dot(manifold.normal), (margin, feature));
    }
}
