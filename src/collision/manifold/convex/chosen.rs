//! Pairs by a method that is chosen for them, where [`NarrowPhase::Auto`](crate::collision::NarrowPhase) takes another.

use crate::collision::manifold::convex::epa::least_depth;
use crate::collision::manifold::convex::gjk::nearest_points;
use crate::collision::manifold::convex::polytope::{Core, CorePair};
use crate::collision::manifold::convex::sat::{LeastOverlap, Separation, least_overlap};
use crate::collision::manifold::convex::{CoreParts, Scene};
use crate::collision::manifold::{Bearing, Manifold};
use crate::geometry::Shape;
use crate::math::{Mat3, Scalar, Vec3};

/// A cuboid or hull as shape A and a ball as shape B: by nearest points where the ball's centre is outside, else by the expanding polytope.
pub(in crate::collision::manifold) fn polyhedron_and_ball<S: Scalar>(
    (shape, rotation): (&Shape<S>, &Mat3<S>),
    radius: S,
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let parts = CoreParts::of(shape);
    let Some((Core::Polytope(polytope), _)) = parts.core(shape) else { return Manifold::empty() };
    let pair = CorePair::new((polytope, rotation), (Core::Point, radius, rotation), offset);
    let scene = Scene { pair, rotation_a: rotation, rotation_b: rotation, offset, margin, bearing: Bearing::NONE };
    match nearest_points(&scene.pair, scene.pair.tiny()) {
        Ok(nearest) => scene.apart(&nearest),
        Err(_) => {
            let depth = least_depth(&scene.pair, polytope.planes.iter().map(|plane| plane.normal));
            let best = Separation { normal: depth.normal, gap: depth.gap, edges: None };
            scene.overlapping(&LeastOverlap { best, edges: None })
        }
    }
}

/// Two polyhedra, each a cuboid or a hull, by axes alone.
pub(in crate::collision::manifold) fn polyhedra_by_axes<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let (Some((Core::Polytope(first), _)), Some((second, radius))) = (parts_a.core(a), parts_b.core(b)) else {
        return Manifold::empty();
    };
    let pair = CorePair::new((first, rotation_a), (second, radius, rotation_b), offset);
    let scene = Scene { pair, rotation_a, rotation_b, offset, margin, bearing };
    scene.overlapping(&least_overlap(&scene.pair, None))
}
