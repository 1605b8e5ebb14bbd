//! A whole mesh and another shape, as one contact: that of the facet that comes nearest. A step takes the facets one by one instead.

use crate::collision::manifold::convex::facet_and_convex;
use crate::collision::manifold::{Bearing, Manifold, Placed};
use crate::geometry::Mesh;
use crate::geometry::mesh::turned;
use crate::geometry::{Aabb, Shape};
use crate::math::{Mat3, Scalar, Vec3};

/// A mesh as shape A and a convex shape with a volume as shape B.
pub(super) fn mesh_and_convex<S: Scalar>(
    (mesh, rotation_a): (&Mesh<S>, &Mat3<S>),
    b: Placed<'_, S>,
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let mut best = Manifold::empty();
    let mut near = Vec::new();
    let Some(bounds) = box_in_axes(rotation_a, (b.shape, b.rotation), offset) else { return best };
    mesh.near(&bounds.expanded(margin), &mut near);
    for number in near {
        let Shape::Facet(facet) = mesh.piece(number) else { continue };
        let from_facet = offset - *rotation_a * facet.origin();
        let found = facet_and_convex(
            (mesh.piece(number), rotation_a),
            (b.shape, b.rotation),
            from_facet,
            (margin, None, Bearing::NONE),
        );
        let is_nearer = match (found.gap(), best.gap()) {
            (Some(gap), Some(known)) => gap < known,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => found.apart > S::ZERO && (best.apart == S::ZERO || found.apart < best.apart),
        };
        if is_nearer {
            best = found.moved(*rotation_a * facet.origin());
        }
    }
    // Facets that were not looked at are farther than the margin.
    if best.is_empty() && best.apart <= margin { Manifold::empty() } else { best }
}

/// A box around a shape in the axes of another one, from whose origin `offset` leads to it along the world axes.
pub(in crate::collision) fn box_in_axes<S: Scalar>(
    rotation: &Mat3<S>,
    (shape, rotation_of_shape): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<Aabb<S>> {
    Some(turned(&shape.aabb(rotation_of_shape, offset)?, &rotation.transpose()))
}
