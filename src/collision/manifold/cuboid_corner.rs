//! Where two cuboids are nearest when a corner of one meets a corner or an edge of the other: all sixteen corners, each
//! against the other cuboid.

use crate::collision::manifold::Manifold;
use crate::collision::manifold::cuboid_sat::{Axis, CuboidPair, Separation};
use crate::collision::manifold::sphere_cuboid::clamp_to_box;
use crate::math::{Mat3, Scalar, Vec3};

/// Marks the feature id of a corner.
const CORNER_MARK: u32 = 1 << 16;

/// A corner of one cuboid and the point of the other that is nearest to it, in the axes of A.
#[derive(Clone, Copy)]
struct NearCorner<S> {
    /// The point on A.
    point: Vec3<S>,
    /// From there to the point on B.
    between: Vec3<S>,
    /// The length of that.
    distance: S,
    /// Whether the other point is a corner as well.
    is_doubled: bool,
}

/// The corners of two cuboids, first those of A.
pub(super) struct NearCorners<S> {
    corners: [NearCorner<S>; 16],
    /// The one that is nearest to the other cuboid.
    nearest: NearCorner<S>,
}

impl<S: Scalar> NearCorners<S> {
    /// The corners of this pair.
    pub(super) fn of_pair(pair: &CuboidPair<S>) -> Self {
        let corners = std::array::from_fn(|number| {
            if number < 8 {
                let point = corner(pair.half_a, number);
                let seen_from_b = pair.relative.transpose_mul(point) - pair.offset_b;
                let excess = seen_from_b - clamp_to_box(seen_from_b, pair.half_b);
                NearCorner::new(point, -(pair.relative * excess), excess)
            } else {
                let point = pair.offset_a + pair.relative * corner(pair.half_b, number);
                let foot = clamp_to_box(point, pair.half_a);
                NearCorner::new(foot, point - foot, point - foot)
            }
        });
        let nearer = |best: NearCorner<S>, new: &NearCorner<S>| if new.distance < best.distance { *new } else { best };
        let nearest = corners.iter().fold(corners[0], nearer);
        Self { corners, nearest }
    }

    /// The direction along which the nearest corner is apart, and the gap of the cuboids along it; `None` where it is inside.
    pub(super) fn separation(&self, pair: &CuboidPair<S>) -> Option<Separation<S>> {
        let normal = self.nearest.between.direction()?;
        Some(Separation { axis: Axis::Corner { normal }, gap: pair.gap_along(normal) })
    }

    /// The corners that are nearest within 1/64, as points: two where edges run side by side.
    pub(super) fn manifold(&self, rotation_a: &Mat3<S>, normal: Vec3<S>, margin: S) -> Manifold<S> {
        let mut manifold = Manifold::with_normal(*rotation_a * normal);
        let limit = self.nearest.distance + self.nearest.distance.scale_by_power_of_two(-6);
        for (number, corner) in (0_u32..).zip(&self.corners) {
            // A pair of corners is listed for both: once is enough.
            let is_repeated = corner.is_doubled && number < 8;
            let separation = normal.dot(corner.between);
            if corner.distance <= limit && separation <= margin && !is_repeated {
                let position = *rotation_a * (corner.point + corner.between * S::HALF);
                manifold.push(position, separation, CORNER_MARK | number);
            }
        }
        manifold
    }
}

impl<S: Scalar> NearCorner<S> {
    /// A corner whose point on A is this; `excess` is what parts the points, in the axes of the cuboid that has no corner here.
    fn new(point: Vec3<S>, between: Vec3<S>, excess: Vec3<S>) -> Self {
        let is_doubled = excess.x != S::ZERO && excess.y != S::ZERO && excess.z != S::ZERO;
        Self { point, between, distance: between.length(), is_doubled }
    }
}

/// The corner of this number: bit i is set on the positive side of axis i.
fn corner<S: Scalar>(half_extents: Vec3<S>, number: usize) -> Vec3<S> {
    let side = |axis: usize, extent: S| if number & (1 << axis) == 0 { -extent } else { extent };
    Vec3::new(side(0, half_extents.x), side(1, half_extents.y), side(2, half_extents.z))
}
