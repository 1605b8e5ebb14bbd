//! The surface of cylinders and cones: about their axis they are rectangles and triangles turned.

use crate::geometry::Shape;
use crate::geometry::shape::{across_axis, cone_ends, cone_side};
use crate::math::{Scalar, Vec3};

/// The direction of the shortest way from the surface of a cylinder or cone to a point in its own axes, or from a point inside to the
/// surface, a unit vector outwards, and how far that is: negative inside, metres. `None` of other shapes.
pub(in crate::collision) fn nearest_surface<S: Scalar>(shape: &Shape<S>, point: Vec3<S>) -> Option<(Vec3<S>, S)> {
    let (outwards, distance) = across_axis(point).normalise().unwrap_or((Vec3::X, S::ZERO));
    let place = Profile { distance, height: point.y };
    let (normal, gap) = match *shape {
        Shape::Cylinder { half_height, radius } => place.off_cylinder(half_height, radius),
        Shape::Cone { half_height, radius } => place.off_cone(half_height, radius),
        _ => return None,
    };
    Some((outwards * normal.distance + Vec3::Y * normal.height, gap))
}

/// A point or direction in the half plane through the axis.
#[derive(Clone, Copy)]
struct Profile<S> {
    distance: S,
    height: S,
}

impl<S: Scalar> Profile<S> {
    fn off_cylinder(self, half_height: S, radius: S) -> (Self, S) {
        let up = if self.height < S::ZERO { -S::ONE } else { S::ONE };
        let (beside, above) = (self.distance - radius, self.height.abs() - half_height);
        let (side, end) = (Self { distance: S::ONE, height: S::ZERO }, Self { distance: S::ZERO, height: up });
        if beside <= S::ZERO || above <= S::ZERO {
            return if above >= beside { (end, above) } else { (side, beside) };
        }
        Self { distance: beside, height: up * above }.unit_or(side, beside)
    }

    fn off_cone(self, half_height: S, radius: S) -> (Self, S) {
        let (base, top) = cone_ends(half_height);
        let side = cone_side(half_height, radius);
        let (side, end) = (Self { distance: side.x, height: side.y }, Self { distance: S::ZERO, height: -S::ONE });
        let below = base - self.height;
        let (across, down) = ([self.distance, self.height - top], [side.height, -side.distance]);
        let outside = S::dot2([side.distance, side.height], across);
        if outside <= S::ZERO && below <= S::ZERO {
            return if below >= outside { (end, below) } else { (side, outside) };
        }
        if below > S::ZERO && self.distance <= radius {
            return (end, below);
        }
        let along = S::dot2(down, across);
        let length = Vec3::new(radius, half_height + half_height, S::ZERO).length();
        if along < S::ZERO {
            return Self { distance: self.distance, height: self.height - top }.unit_or(side, outside);
        }
        if along > length {
            return Self { distance: self.distance - radius, height: -below }.unit_or(side, outside);
        }
        (side, outside)
    }

    /// As a unit vector with its length; where it has none, something else.
    fn unit_or(self, other: Self, gap: S) -> (Self, S) {
        let unit = Vec3::new(self.distance, self.height, S::ZERO).normalise();
        unit.map_or((other, gap), |(unit, length)| (Self { distance: unit.x, height: unit.y }, length))
    }
}
