//! Cylinders and cones on a half-space, in closed form.
//!
//! The flat side that looks down is held at its lowest point and at four points that go with the body, a quarter apart: what stands keeps
//! these, what wobbles always has the one on which it rolls. What leans so far that its other side is not near the plane has this one alone:
//! points that go with the body would be in its way. What lies is held at both ends of its lowest line.

use crate::collision::manifold::reduction::{Candidate, reduce};
use crate::collision::manifold::{Bearing, Carrier, Manifold};
use crate::geometry::shape::{cone_ends, cone_side, on_rim};
use crate::math::{Mat3, Scalar, Vec3};

/// The feature of the lowest point of the lower and of the upper end, and of the top of a cone. The four points of a flat side have 0 to
/// 3, those of an upper one 4 to 7.
const LOWEST: [u32; 2] = [8, 9];

/// A shape and the plane below it, in the axes of the shape.
struct Above<'a, S> {
    rotation: &'a Mat3<S>,
    /// Out of the half-space, axes of the shape.
    up: Vec3<S>,
    /// The same, axes of the world.
    world_up: Vec3<S>,
    /// How high the origin of the shape is above the plane.
    height: S,
    margin: S,
}

/// A cylinder as shape A on a half-space as shape B, whose normal `up` is in the axes of the world.
pub(in crate::collision::manifold) fn cylinder_on_half_space<S: Scalar>(
    (half_height, radius, rotation): (S, S, &Mat3<S>),
    up: Vec3<S>,
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let above = Above::new(rotation, up, offset, margin);
    let is_upper = above.up.y < S::ZERO;
    let rim = on_rim(-above.up, radius);
    let end = |is_upper: bool| Vec3::Y * if is_upper { half_height } else { -half_height };
    // Which looks down more, the end or the side: its cosine is what the length of `up` across the axis is.
    if above.up.y.abs() >= -above.up.dot(on_rim(-above.up, S::ONE)) {
        return above.on_end((end(is_upper), radius), is_upper, bearing);
    }
    above.on_points(&[(rim + end(false), LOWEST[0]), (rim + end(true), LOWEST[1])])
}

/// A cone as shape A on a half-space as shape B, whose normal `up` is in the axes of the world.
pub(in crate::collision::manifold) fn cone_on_half_space<S: Scalar>(
    (half_height, radius, rotation): (S, S, &Mat3<S>),
    up: Vec3<S>,
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let above = Above::new(rotation, up, offset, margin);
    let (base, top) = cone_ends(half_height);
    let (rim, top) = (on_rim(-above.up, radius) + Vec3::Y * base, Vec3::Y * top);
    // The normal of the side where it is lowest, and that of the base: which of the two looks down more.
    let side = cone_side(half_height, radius);
    let side = on_rim(-above.up, side.x) + Vec3::Y * side.y;
    if above.up.y >= -above.up.dot(side) {
        return above.on_end((Vec3::Y * base, radius), false, bearing);
    }
    above.on_points(&[(rim, LOWEST[0]), (top, LOWEST[1])])
}

impl<'a, S: Scalar> Above<'a, S> {
    fn new(rotation: &'a Mat3<S>, up: Vec3<S>, offset: Vec3<S>, margin: S) -> Self {
        Self { rotation, up: rotation.transpose_mul(up), world_up: up, height: -up.dot(offset), margin }
    }

    fn separation(&self, point: Vec3<S>) -> S {
        self.up.dot(point) + self.height
    }

    fn manifold(&self, lowest: S) -> Manifold<S> {
        let normal = -self.world_up;
        let mut manifold =
            if lowest > self.margin { Manifold::of_apart(normal, lowest) } else { Manifold::with_normal(normal) };
        manifold.carrier = Carrier::Second;
        manifold
    }

    fn push(&self, manifold: &mut Manifold<S>, point: Vec3<S>, separation: S, feature: u32) {
        if separation <= self.margin {
            let middle = *self.rotation * point - self.world_up * (separation * S::HALF);
            manifold.push(middle, separation, feature);
        }
    }

    /// On a line or a point.
    fn on_points(&self, points: &[(Vec3<S>, u32); 2]) -> Manifold<S> {
        let separations = points.map(|(point, _)| self.separation(point));
        let mut manifold = self.manifold(separations[0].min(separations[1]));
        for ((point, feature), separation) in points.iter().zip(separations) {
            self.push(&mut manifold, *point, separation, *feature);
        }
        manifold
    }

    /// On a flat end about a point of the axis.
    fn on_end(&self, (end, radius): (Vec3<S>, S), is_upper: bool, bearing: Bearing) -> Manifold<S> {
        let first = if is_upper { 4 } else { 0 };
        let side = on_rim(-self.up, radius);
        let (lowest, highest) = (end + side, end - side);
        if self.separation(highest) > self.margin {
            let mut manifold = self.manifold(self.separation(lowest));
            self.push(&mut manifold, lowest, self.separation(lowest), LOWEST[usize::from(is_upper)]);
            return manifold;
        }
        let around = [Vec3::X, -Vec3::Z, -Vec3::X, Vec3::Z].map(|outwards| end + outwards * radius);
        let named = (first..).zip(around).map(|(feature, point)| (point, feature));
        let points = named.chain([(lowest, LOWEST[usize::from(is_upper)])]);
        let mut candidates = [Candidate::default(); 5];
        let mut all = [Vec3::ZERO; 5];
        let mut count = 0;
        for (number, (point, feature)) in points.enumerate() {
            all[number] = point;
            let separation = self.separation(point);
            if separation <= self.margin {
                candidates[count] = Candidate { place: [point.x, point.z], separation, feature };
                count += 1;
            }
        }
        let mut manifold = self.manifold(self.separation(lowest));
        let kept = reduce(&mut candidates[..count], radius.scale_by_power_of_two(-10), bearing);
        for candidate in &candidates[..kept] {
            let place = candidate.feature.checked_sub(first).filter(|place| *place < 4).unwrap_or(4);
            self.push(&mut manifold, all[place as usize], candidate.separation, candidate.feature);
        }
        manifold.reaching(self.separation(lowest).min(self.margin))
    }
}
