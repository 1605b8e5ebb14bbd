//! The shapes that bodies are made of: convex ones, and surfaces of triangles.

use std::fmt::{Display, Formatter};
use std::sync::Arc;

use crate::geometry::hull::Hull;
use crate::geometry::mesh::{Facet, Mesh};
use crate::geometry::planes::Planes;
use crate::math::{Mat3, Scalar, Vec3};

/// A shape in its own axes, about its centre of volume; a mesh and its facets, which have none, about the middle of their boxes. Lengths in metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape<S> {
    /// A ball.
    Sphere {
        /// Distance from the centre to the surface, positive.
        radius: S,
    },
    /// A box.
    Cuboid {
        /// Distances from the centre to the faces along x, y and z, all positive.
        half_extents: Vec3<S>,
    },
    /// All points within `radius` of a segment along local y.
    Capsule {
        /// Half the length of the segment, without the caps; not negative.
        half_height: S,
        /// Radius of the caps and of the cylinder between them, positive.
        radius: S,
    },
    /// A polyhedron, shared by all colliders that have it.
    Hull(Arc<Hull<S>>),
    /// All points within `radius` of the y axis between `y = -half_height` and `y = half_height`.
    Cylinder {
        /// Half the length of the axis, positive.
        half_height: S,
        /// Distance from the axis to the side, positive.
        radius: S,
    },
    /// A cone about the y axis, its top upwards. Its centre of volume stands a quarter of its height above its base: the base at
    /// `y = -half_height / 2`, the top at `y = 3/2 half_height`.
    Cone {
        /// Half the distance from the base to the top, positive.
        half_height: S,
        /// The radius of the base, positive.
        radius: S,
    },
    /// Everything below the plane through the origin; it has no volume, no mass and no box.
    HalfSpace {
        /// The unit normal that points out of the solid side.
        normal: Vec3<S>,
    },
    /// A surface, shared by all colliders that have it; it has no volume, and its mass is that of a thin shell.
    Mesh(Arc<Mesh<S>>),
    /// A piece of a mesh, seen from its own origin; no collider has it as its shape.
    Facet(Arc<Facet<S>>),
}

/// Which shape a [`Shape`] is, without its sizes. The order is the order in which pairs are dispatched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ShapeKind {
    /// [`Shape::Sphere`].
    Sphere,
    /// [`Shape::Cuboid`].
    Cuboid,
    /// [`Shape::Capsule`].
    Capsule,
    /// [`Shape::Hull`].
    Hull,
    /// [`Shape::Cylinder`].
    Cylinder,
    /// [`Shape::Cone`].
    Cone,
    /// [`Shape::HalfSpace`].
    HalfSpace,
    /// [`Shape::Mesh`], and [`Shape::Facet`] as a piece of it.
    Mesh,
}

impl ShapeKind {
    /// Every kind, in order.
    pub const ALL: [Self; 8] = [
        Self::Sphere,
        Self::Cuboid,
        Self::Capsule,
        Self::Hull,
        Self::Cylinder,
        Self::Cone,
        Self::HalfSpace,
        Self::Mesh,
    ];

    /// Whether it has a surface to roll on: the point at which it touches goes along that, and not with the body.
    #[must_use]
    pub const fn rolls(self) -> bool {
        matches!(self, Self::Sphere | Self::Capsule | Self::Cylinder | Self::Cone)
    }

    /// The name people read, in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Cuboid => "cuboid",
            Self::Capsule => "capsule",
            Self::Hull => "hull",
            Self::Cylinder => "cylinder",
            Self::Cone => "cone",
            Self::HalfSpace => "half-space",
            Self::Mesh => "mesh",
        }
    }
}

impl Display for ShapeKind {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.name())
    }
}

impl<S: Scalar> Shape<S> {
    /// Which shape this is.
    #[inline]
    #[must_use]
    pub const fn kind(&self) -> ShapeKind {
        match self {
            Self::Sphere { .. } => ShapeKind::Sphere,
            Self::Cuboid { .. } => ShapeKind::Cuboid,
            Self::Capsule { .. } => ShapeKind::Capsule,
            Self::Hull(_) => ShapeKind::Hull,
            Self::Cylinder { .. } => ShapeKind::Cylinder,
            Self::Cone { .. } => ShapeKind::Cone,
            Self::HalfSpace { .. } => ShapeKind::HalfSpace,
            Self::Mesh(_) | Self::Facet(_) => ShapeKind::Mesh,
        }
    }

    /// The sizes of the shape as three numbers: with the kind, and for a hull or a mesh its content, all there is to know about it.
    #[must_use]
    pub fn parameters(&self) -> [S; 3] {
        match *self {
            Self::Sphere { radius } => [radius, S::ZERO, S::ZERO],
            Self::Cuboid { half_extents } => half_extents.to_array(),
            Self::Capsule { half_height, radius }
            | Self::Cylinder { half_height, radius }
            | Self::Cone { half_height, radius } => [half_height, radius, S::ZERO],
            Self::Hull(ref hull) => [hull.largest_half_extent(), hull.reach(), hull.inner_radius()],
            Self::HalfSpace { normal } => normal.to_array(),
            Self::Mesh(ref mesh) => mesh.bounds().max.to_array(),
            Self::Facet(ref facet) => facet.origin().to_array(),
        }
    }

    /// How far the shape, turned by `rotation`, reaches from its origin along a unit direction, in metres; zero for a half-space.
    #[inline]
    #[must_use]
    pub fn extent_along(&self, rotation: &Mat3<S>, direction: Vec3<S>) -> S {
        match *self {
            Self::Sphere { radius } => radius,
            Self::Cuboid { half_extents } => half_extents.dot(rotation.transpose_mul(direction).abs()),
            Self::Capsule { half_height, radius } => rotation.column(1).dot(direction).abs() * half_height + radius,
            Self::Hull(ref hull) => hull.reach_along(rotation.transpose_mul(direction)),
            Self::Cylinder { half_height, radius } => {
                let local = rotation.transpose_mul(direction);
                local.y.abs() * half_height + off_axis(local) * radius
            }
            Self::Cone { half_height, radius } => {
                let local = rotation.transpose_mul(direction);
                let (base, top) = cone_ends(half_height);
                (local.y * top).max(local.y * base + off_axis(local) * radius)
            }
            Self::HalfSpace { .. } => S::ZERO,
            Self::Mesh(ref mesh) => mesh.reach_along(rotation.transpose_mul(direction)),
            Self::Facet(ref facet) => facet.reach_along(rotation.transpose_mul(direction)),
        }
    }

    /// The point of the shape, turned by `rotation`, that lies farthest along a unit direction, from its origin, world axes, metres: of several
    /// the corner that is told first, of a flat side about the axis its middle. Of a half-space, which has no farthest point, its origin.
    #[must_use]
    pub fn support(&self, rotation: &Mat3<S>, direction: Vec3<S>) -> Vec3<S> {
        let local = rotation.transpose_mul(direction);
        let with_sign = |length: S, sign: S| if sign < S::ZERO { -length } else { length };
        match *self {
            Self::Sphere { radius } => direction * radius,
            Self::Cuboid { half_extents: Vec3 { x, y, z } } => {
                *rotation * Vec3::new(with_sign(x, local.x), with_sign(y, local.y), with_sign(z, local.z))
            }
            Self::Capsule { half_height, radius } => {
                rotation.column(1) * with_sign(half_height, local.y) + direction * radius
            }
            Self::Hull(ref hull) => *rotation * hull.farthest_corner(local),
            Self::Cylinder { half_height, radius } => {
                *rotation * (on_rim(local, radius) + Vec3::Y * with_sign(half_height, local.y))
            }
            Self::Cone { half_height, radius } => *rotation * farthest_of_cone(half_height, radius, local),
            Self::HalfSpace { .. } => Vec3::ZERO,
            Self::Mesh(ref mesh) => *rotation * mesh.farthest_corner(local),
            Self::Facet(ref facet) => *rotation * facet.farthest_corner(local),
        }
    }

    /// The planes of its flat faces in its own axes: of a cuboid six, first along and then against each axis; of a cylinder the upper and the
    /// lower, of a cone its base; of a mesh none, and of a facet its front.
    pub fn planes(&self) -> Planes<'_, S> {
        match *self {
            Self::Sphere { .. } | Self::Capsule { .. } | Self::Mesh(_) => Planes::Listed(&[]),
            Self::Hull(ref hull) => Planes::Listed(hull.planes()),
            Self::Facet(ref facet) => Planes::Listed(&facet.planes()[..1]),
            Self::Cuboid { half_extents: Vec3 { x, y, z } } => Planes::of_cuboid([x, y, z]),
            Self::Cylinder { half_height, .. } => Planes::few([(Vec3::Y, half_height), (-Vec3::Y, half_height)]),
            Self::Cone { half_height, .. } => Planes::few([(-Vec3::Y, -cone_ends(half_height).0)]),
            Self::HalfSpace { normal } => Planes::few([(normal, S::ZERO)]),
        }
    }

    /// The largest distance along one of the shape's axes from its centre to its surface, for a hull or a mesh to a corner, in metres; `None` for a half-space.
    #[must_use]
    pub fn largest_half_extent(&self) -> Option<S> {
        match *self {
            Self::Sphere { radius } => Some(radius),
            Self::Cuboid { half_extents } => Some(half_extents.x.max(half_extents.y).max(half_extents.z)),
            Self::Capsule { half_height, radius } => Some(half_height + radius),
            Self::Hull(ref hull) => Some(hull.largest_half_extent()),
            Self::Cylinder { half_height, radius } => Some(half_height.max(radius)),
            Self::Cone { half_height, radius } => Some(cone_ends(half_height).1.max(radius)),
            Self::HalfSpace { .. } => None,
            Self::Mesh(ref mesh) => Some(mesh.largest_half_extent()),
            Self::Facet(ref facet) => Some(facet.largest_half_extent()),
        }
    }

    /// How far a point of the shape can be from an axis through its origin about which it turns, where turning moves the surface at all,
    /// in metres: zero for a ball, and for a half-space.
    #[must_use]
    pub fn turning_reach(&self) -> S {
        match *self {
            Self::Sphere { .. } | Self::HalfSpace { .. } => S::ZERO,
            Self::Capsule { half_height, .. } => half_height,
            Self::Cuboid { half_extents } => half_extents.length(),
            Self::Hull(ref hull) => hull.reach(),
            Self::Mesh(ref mesh) => mesh.reach(),
            Self::Facet(ref facet) => facet.origin().length() + facet.largest_half_extent() * S::TWO,
            Self::Cylinder { half_height, radius } => Vec3::new(radius, half_height, S::ZERO).length(),
            Self::Cone { half_height, radius } => {
                let (base, top) = cone_ends(half_height);
                top.max(Vec3::new(radius, base, S::ZERO).length())
            }
        }
    }

    /// How thick the shape is where it is thinnest, in metres, for a hull or a cone about its centre; `None` for a half-space, which has no end, and for a
    /// mesh, which has no thickness.
    #[must_use]
    pub fn least_thickness(&self) -> Option<S> {
        let half = match *self {
            Self::Sphere { radius } | Self::Capsule { radius, .. } => radius,
            Self::Cuboid { half_extents } => half_extents.x.min(half_extents.y).min(half_extents.z),
            Self::Hull(ref hull) => hull.inner_radius(),
            Self::Cylinder { half_height, radius } => half_height.min(radius),
            Self::Cone { half_height, radius } => {
                let (base, top) = cone_ends(half_height);
                (-base).min(top * cone_side(half_height, radius).y)
            }
            Self::HalfSpace { .. } | Self::Mesh(_) | Self::Facet(_) => return None,
        };
        Some(S::TWO * half)
    }
}

/// The heights of the base and of the top of a cone, in its own axes.
#[must_use]
pub fn cone_ends<S: Scalar>(half_height: S) -> (S, S) {
    let half = half_height * S::HALF;
    (-half, half_height + half)
}

/// The unit normal of the side of a cone where it looks along x: `(cos a, sin a, 0)`, with half the angle at its top, `a`.
#[must_use]
pub fn cone_side<S: Scalar>(half_height: S, radius: S) -> Vec3<S> {
    Vec3::new(half_height + half_height, radius, S::ZERO).direction().unwrap_or(Vec3::Y)
}

/// The part of a vector that is perpendicular to y.
pub fn across_axis<S: Scalar>(vector: Vec3<S>) -> Vec3<S> {
    Vec3::new(vector.x, S::ZERO, vector.z)
}

/// How much of a vector is perpendicular to y.
fn off_axis<S: Scalar>(vector: Vec3<S>) -> S {
    across_axis(vector).length()
}

/// The point of a circle about y farthest along a direction; its middle where none is.
#[must_use]
pub fn on_rim<S: Scalar>(direction: Vec3<S>, radius: S) -> Vec3<S> {
    across_axis(direction).direction().map_or(Vec3::ZERO, |outwards| outwards * radius)
}

/// The point of a cone farthest along a direction in its own axes: its top, or one of its base.
#[must_use]
pub fn farthest_of_cone<S: Scalar>(half_height: S, radius: S, direction: Vec3<S>) -> Vec3<S> {
    let (base, top) = cone_ends(half_height);
    let is_top = direction.y * (half_height + half_height) >= off_axis(direction) * radius;
    if is_top { Vec3::Y * top } else { on_rim(direction, radius) + Vec3::Y * base }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Shape, ShapeKind};
    use crate::geometry::Mesh;
    use crate::geometry::hull::{ExactHull, Hull};
    use crate::math::Vec3;

    #[test]
    fn kinds_have_distinct_names_and_follow_their_shape() {
        let (tetrahedron, _) = ExactHull::new(&[[0; 3], [4, 0, 0], [0, 4, 0], [0, 0, 4]], 0).expect("a volume");
        let shapes = [
            Shape::Sphere { radius: 1.0_f64 },
            Shape::Cuboid { half_extents: Vec3::splat(1.0) },
            Shape::Capsule { half_height: 1.0, radius: 1.0 },
            Shape::Hull(Arc::new(Hull::new(Arc::new(tetrahedron)))),
            Shape::Cylinder { half_height: 1.0, radius: 1.0 },
            Shape::Cone { half_height: 1.0, radius: 1.0 },
            Shape::HalfSpace { normal: Vec3::Y },
            Shape::Mesh(Arc::new(Mesh::blank())),
        ];
        assert_eq!(shapes.map(|shape| shape.kind()), ShapeKind::ALL);
        let mut names = ShapeKind::ALL.map(ShapeKind::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ShapeKind::ALL.len());
    }
}
