//! Convex hulls: polyhedra made of points.
//!
//! What a hull is, is decided in whole numbers ([`ExactHull`]): its points lie on a grid of a million steps, so that there are no nearly
//! coplanar faces, no order of points that matters, and no machine or scalar that sees another hull. [`Hull`] is that in the scalar of
//! a run, which holds the corners exactly: 20 bits and a sign are fewer than any scalar has.

pub mod exact;
mod faces;
pub mod quickhull;
pub mod store;
#[cfg(test)]
mod tests;
pub mod topology;

use std::sync::Arc;

pub use faces::flatness;

pub use exact::{ContentHash, ExactHull, ExactMoments, HullError};
pub use quickhull::{GridPoint, MAX_CORNERS, SPAN, enclosed_volume, widths};
pub use store::HullStore;
pub use topology::{Edge, Topology};

use crate::geometry::aabb::Aabb;
use crate::geometry::hull::quickhull::square;
use crate::math::{Mat3, Scalar, Vec3};

/// The plane of a face: `normal . x = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane<S> {
    /// The unit normal out of the polyhedron, in its axes.
    pub normal: Vec3<S>,
    /// The largest `normal . x` of a corner of the face, in metres.
    pub offset: S,
}

/// A convex hull about its origin, which is its centre of volume but for half a step of its grid. Metres, its own axes.
#[derive(Clone, Debug)]
pub struct Hull<S> {
    exact: Arc<ExactHull>,
    corners: Vec<Vec3<S>>,
    planes: Vec<Plane<S>>,
    directions: Vec<Vec3<S>>,
    extents: Extents<S>,
}

/// How far a hull reaches, in metres.
#[derive(Clone, Copy, Debug)]
struct Extents<S> {
    /// The largest coordinate of a corner along one of the axes.
    half: S,
    /// To the farthest corner.
    corner: S,
    /// To the nearest face.
    face: S,
}

impl<S: Scalar> Hull<S> {
    /// A hull in this scalar. In fixed point what is smaller than 2^-32 m is rounded.
    #[must_use]
    pub fn new(exact: Arc<ExactHull>) -> Self {
        let at = |corner: &GridPoint| on_grid(*corner, exact.exponent());
        let corners: Vec<_> = exact.corners().iter().map(at).collect();
        let planes: Vec<_> = (0..exact.topology().face_count())
            .map(|face| {
                let normal = unit(exact.face_normal(face));
                let heights =
                    exact.topology().face(face).iter().map(|&corner| normal.dot(corners[usize::from(corner)]));
                Plane { normal, offset: heights.reduce(S::max).unwrap_or(S::ZERO) }
            })
            .collect();
        let direction = |edge: &Edge| {
            let [from, to] = edge.corners.map(|corner| exact.corners()[usize::from(corner)]);
            unit([0, 1, 2].map(|axis| to[axis] - from[axis]))
        };
        let directions = exact.topology().edges().iter().map(direction).collect();
        let largest = |of: fn(Vec3<S>) -> S| corners.iter().map(|&corner| of(corner)).fold(S::ZERO, S::max);
        let extents = Extents {
            half: largest(Vec3::largest_component),
            corner: largest(Vec3::length),
            face: planes.iter().map(|plane| plane.offset).fold(S::MAX, S::min),
        };
        Self { exact, corners, planes, directions, extents }
    }

    /// A tetrahedron to read another hull into.
    #[must_use]
    pub fn blank() -> Self {
        Self::new(Arc::new(ExactHull::tetrahedron()))
    }

    /// What it is, whatever the scalar.
    #[must_use]
    pub const fn exact(&self) -> &Arc<ExactHull> {
        &self.exact
    }

    /// The corners.
    #[inline]
    #[must_use]
    pub fn corners(&self) -> &[Vec3<S>] {
        &self.corners
    }

    /// The planes of the faces.
    #[inline]
    #[must_use]
    pub fn planes(&self) -> &[Plane<S>] {
        &self.planes
    }

    /// The unit directions of the edges, each from its first corner to its second.
    #[inline]
    #[must_use]
    pub fn directions(&self) -> &[Vec3<S>] {
        &self.directions
    }

    /// The largest coordinate of a corner, metres.
    #[must_use]
    pub const fn largest_half_extent(&self) -> S {
        self.extents.half
    }

    /// The distance of the farthest corner from the origin, metres.
    #[must_use]
    pub const fn reach(&self) -> S {
        self.extents.corner
    }

    /// The radius of the largest ball about the origin that the hull holds, metres.
    #[must_use]
    pub const fn inner_radius(&self) -> S {
        self.extents.face
    }

    /// The box around the hull turned by `rotation`, about its origin.
    #[must_use]
    pub fn aabb(&self, rotation: &Mat3<S>) -> Aabb<S> {
        let turned = |&corner: &Vec3<S>| *rotation * corner;
        let boxes = self.corners.iter().map(turned).map(|corner| Aabb::new(corner, corner));
        boxes.reduce(|all, next| all.union(&next)).unwrap_or_default()
    }

    /// The surface as triangles: their corners three by three, counter-clockwise as seen from outside.
    #[must_use]
    pub fn triangles(&self) -> Vec<Vec3<S>> {
        let topology = self.exact.topology();
        let fans = (0..topology.face_count())
            .map(|face| topology.face(face))
            .flat_map(|corners| corners[1..].windows(2).flat_map(move |pair| [corners[0], pair[0], pair[1]]));
        fans.map(|corner| self.corners[usize::from(corner)]).collect()
    }

    /// The corner that lies farthest along a direction in its axes, the first of several.
    #[must_use]
    pub fn farthest_corner(&self, direction: Vec3<S>) -> Vec3<S> {
        let along = |corner: Vec3<S>| direction.dot(corner);
        let farther = |best, next| if along(next) > along(best) { next } else { best };
        self.corners.iter().copied().reduce(farther).unwrap_or(Vec3::ZERO)
    }

    /// How far the hull reaches along a direction in its axes.
    #[inline]
    #[must_use]
    pub fn reach_along(&self, direction: Vec3<S>) -> S {
        self.corners.iter().map(|&corner| direction.dot(corner)).reduce(S::max).unwrap_or(S::ZERO)
    }
}

/// Two hulls are equal when they are the same to the last bit, wherever they stand in memory.
impl<S> PartialEq for Hull<S> {
    fn eq(&self, other: &Self) -> bool {
        self.exact.content() == other.exact.content()
    }
}

/// A point of a grid with steps of `2^exponent` metres.
#[must_use]
pub fn on_grid<S: Scalar>(point: GridPoint, exponent: i32) -> Vec3<S> {
    Vec3::from_array(point.map(|steps| S::from_ratio(steps, 1 << 20).scale_by_power_of_two(20 + exponent)))
}

/// The direction of a vector of whole numbers of at most 2^42, rounded to the last bit or two.
///
/// Its longest component is first brought to 42 bits: its length then has 62, and the quotients all bits of any scalar.
#[must_use]
pub fn unit<S: Scalar>(vector: [i64; 3]) -> Vec3<S> {
    let longest = vector.into_iter().map(i64::unsigned_abs).fold(1, u64::max);
    let shift = longest.leading_zeros() as i32 - 22;
    let vector = vector.map(|component| if shift < 0 { component >> -shift } else { component << shift });
    let length = (square(vector).unsigned_abs() << 40).isqrt();
    Vec3::from_array(vector.map(|component| S::from_ratio(component << 20, length as i64)))
}
