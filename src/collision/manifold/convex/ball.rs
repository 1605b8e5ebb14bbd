//! A ball and a hull: over a face by the plane of that face, elsewhere as any core with a radius around it.

use crate::collision::manifold::convex::Scene;
use crate::collision::manifold::convex::face::ReferenceFace;
use crate::collision::manifold::convex::feature::{self, Touch};
use crate::collision::manifold::convex::polytope::{Core, CorePair, Polytope, first_of_largest};
use crate::collision::manifold::{Bearing, Manifold};
use crate::geometry::Hull;
use crate::math::{Mat3, Scalar, Vec3};

/// A hull as shape A and a ball as shape B.
pub(in crate::collision::manifold) fn hull_and_sphere<S: Scalar>(
    (hull, rotation): (&Hull<S>, &Mat3<S>),
    radius: S,
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let pair = CorePair::new((Polytope::of_hull(hull), rotation), (Core::Point, radius, rotation), offset);
    let scene = Scene { pair, rotation_a: rotation, rotation_b: rotation, offset, margin, bearing: Bearing::NONE };
    scene.ball_over_face().unwrap_or_else(|| scene.manifold())
}

impl<S: Scalar> Scene<'_, S> {
    /// The manifold of a ball whose centre is outside, over a face that is flat: then no point is nearer than the one below it.
    ///
    /// A normal that leads from the nearest point to the centre leans by what the sizes of the hull round over the radius of the ball, so that a
    /// ball would roll on a level face as on a slope.
    fn ball_over_face(&self) -> Option<Manifold<S>> {
        let (pair, centre) = (&self.pair, self.pair.offset);
        let (face, height) = first_of_largest(pair.a.planes, |plane| plane.normal.dot(centre) - plane.offset);
        let plane = &pair.a.planes[face];
        let gap = height - pair.radius;
        if height <= S::ZERO || !pair.a.is_flat_face(face, pair.rounding()) {
            return None;
        }
        let gaps = (gap, self.margin);
        let reference = ReferenceFace {
            pair,
            face,
            normal: plane.normal,
            gaps,
            bearing: self.bearing,
            is_second: false,
            over: None,
        };
        if !reference.is_under(centre) {
            return None;
        }
        if gap > self.margin {
            return Some(Manifold::of_apart(*self.rotation_a * plane.normal, gap));
        }
        Some(self.ball_at(plane.normal, gap, feature::name(Touch::FaceCorner, [face as u32, 0], false)))
    }

    /// The one point of a ball whose surface is so far from the polyhedron along a normal.
    pub(super) fn ball_at(&self, normal: Vec3<S>, gap: S, name: u32) -> Manifold<S> {
        let mut manifold = Manifold::with_normal(*self.rotation_a * normal);
        let middle = self.pair.offset - normal * (self.pair.radius + gap * S::HALF);
        manifold.push(*self.rotation_a * middle, gap, name);
        manifold
    }
}
