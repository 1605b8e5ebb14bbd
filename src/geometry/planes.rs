//! The planes of the flat faces of a shape, listed there or made of its measures.

use std::ops::Deref;

use crate::geometry::hull::Plane;
use crate::math::{Scalar, Vec3};

/// The most planes of a shape that lists none.
const FEW: usize = 6;

/// Planes in the axes of their shape.
#[derive(Clone, Copy, Debug)]
pub enum Planes<'a, S> {
    /// As the shape lists them.
    Listed(&'a [Plane<S>]),
    /// So many of these.
    Few([Plane<S>; FEW], usize),
}

impl<S: Scalar> Planes<'_, S> {
    /// Those with these outward unit normals, so far from the origin along them, metres.
    pub(super) fn few<const N: usize>(sides: [(Vec3<S>, S); N]) -> Self {
        let mut planes = [Plane { normal: Vec3::Y, offset: S::ZERO }; FEW];
        for (plane, (normal, offset)) in planes.iter_mut().zip(sides) {
            *plane = Plane { normal, offset };
        }
        Self::Few(planes, N.min(FEW))
    }

    /// Those of a cuboid of these half extents: first along and then against each axis.
    pub(super) fn of_cuboid([x, y, z]: [S; 3]) -> Self {
        let [right, up, front] = [Vec3::X, Vec3::Y, Vec3::Z];
        Self::few([(right, x), (-right, x), (up, y), (-up, y), (front, z), (-front, z)])
    }
}

impl<S> Deref for Planes<'_, S> {
    type Target = [Plane<S>];

    fn deref(&self) -> &[Plane<S>] {
        match self {
            Self::Listed(planes) => planes,
            Self::Few(planes, count) => planes.get(..*count).unwrap_or(planes),
        }
    }
}
