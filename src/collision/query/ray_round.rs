//! Where a ray meets a cylinder or cone.
//!
//! How far a point of the ray is outside of the side and of the flat ends is convex along it. Newton's method on such a function, from where it
//! is positive, comes to its first root and never past it; lengths enter, no squares of them, so that fixed point keeps its digits.

use crate::collision::query::ray::{Ray, RayHit, inside};
use crate::geometry::Shape;
use crate::geometry::shape::{across_axis, cone_ends, cone_side};
use crate::math::{Scalar, Vec3};

/// Steps of Newton's method, which doubles the digits in each: far more than it takes but where a ray grazes.
const MOST_STEPS: u32 = 64;

/// How far a place is outside of a surface, how fast that grows along the ray, and the unit normal there.
#[derive(Clone, Copy)]
struct Outside<S> {
    height: S,
    growth: S,
    normal: Vec3<S>,
}

/// Where a ray in the axes of a cylinder or cone meets it; the normal is zero where it starts inside.
pub(super) fn round<S: Scalar>(ray: &Ray<S>, shape: &Shape<S>) -> Option<RayHit<S>> {
    let mut distance = S::ZERO;
    let mut found = outside(ray, shape, distance)?;
    if found.height <= S::ZERO {
        return Some(inside());
    }
    for _ in 0..MOST_STEPS {
        let fall = -found.growth;
        // The quotient is asked for only where it is at most the length, and does not overflow.
        if fall <= S::ZERO || found.height > (ray.length - distance) * fall {
            return None;
        }
        let next = distance + found.height / fall;
        if next <= distance {
            break;
        }
        distance = next;
        let there = outside(ray, shape, distance)?;
        if there.height <= S::ZERO {
            found.normal = there.normal;
            break;
        }
        found = there;
    }
    Some(RayHit { distance, normal: found.normal })
}

/// The surface that a place is farthest outside of.
fn outside<S: Scalar>(ray: &Ray<S>, shape: &Shape<S>, distance: S) -> Option<Outside<S>> {
    let point = ray.point(distance);
    let across = across_axis(ray.direction);
    // On the axis every way leads away from it.
    let (outwards, from_axis, growth) = match across_axis(point).normalise() {
        Some((outwards, length)) => (outwards, length, outwards.dot(across)),
        None => (across.direction().unwrap_or(Vec3::X), S::ZERO, across.length()),
    };
    let rise = ray.direction.y;
    let (side, end) = match *shape {
        Shape::Cylinder { half_height, radius } => {
            let up = if point.y < S::ZERO { -S::ONE } else { S::ONE };
            let end = Outside { height: point.y.abs() - half_height, growth: up * rise, normal: Vec3::Y * up };
            (Outside { height: from_axis - radius, growth, normal: outwards }, end)
        }
        Shape::Cone { half_height, radius } => {
            let ((base, top), slope) = (cone_ends(half_height), cone_side(half_height, radius));
            let height = S::dot2([slope.x, slope.y], [from_axis, point.y - top]);
            let growth = S::dot2([slope.x, slope.y], [growth, rise]);
            let side = Outside { height, growth, normal: outwards * slope.x + Vec3::Y * slope.y };
            (side, Outside { height: base - point.y, growth: -rise, normal: -Vec3::Y })
        }
        _ => return None,
    };
    Some(if end.height >= side.height { end } else { side })
}
