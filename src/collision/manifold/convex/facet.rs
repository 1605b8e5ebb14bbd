//! A facet of a mesh and a convex shape.
//!
//! As a shape by itself a facet is a polyhedron without thickness. As a piece of a surface it pushes only along normals that the
//! surface has there: its own, and over a side that sticks out those up to its neighbour's. What lies over a side at which the surface
//! goes on is pushed along the facet's own normal where it is above the facet, and is the neighbour's business where it is not. So
//! nothing catches on a side that cannot be felt. A facet carries a little beyond such a side, where its neighbour is level with it or
//! higher: so nothing falls between the two on its way over.

use crate::collision::manifold::convex::face::ReferenceFace;
use crate::collision::manifold::convex::feature::{self, Touch};
use crate::collision::manifold::convex::gjk::nearest_points;
use crate::collision::manifold::convex::polytope::{Core, CorePair, Polytope};
use crate::collision::manifold::convex::sat::least_overlap;
use crate::collision::manifold::convex::{CoreParts, Scene};
use crate::collision::manifold::{Carrier, Manifold};
use crate::geometry::Shape;
use crate::geometry::mesh::{Facet, Lean, Rim};
use crate::math::{Mat3, Scalar, Vec3};

/// A facet as shape A and a convex shape with a volume as shape B. Where these are no farther apart than `own`, metres, the facet is
/// taken as a piece of its mesh; without it, and beyond it, as a shape by itself.
pub(in crate::collision::manifold) fn facet_and_convex<S: Scalar>(
    (facet, rotation_a): (&Facet<S>, &Mat3<S>),
    (shape, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    (margin, own): (S, Option<S>),
) -> Manifold<S> {
    let parts = CoreParts::of(shape);
    let Some((core, radius)) = parts.core(shape) else { return Manifold::empty() };
    let pair = CorePair::new((Polytope::of_facet(facet), rotation_a), (core, radius, rotation_b), offset);
    let scene = Scene { pair, rotation_a, rotation_b, offset, margin };
    match own {
        Some(own) => scene.on_surface(facet, own),
        None => scene.manifold(),
    }
}

impl<S: Scalar> Scene<'_, S> {
    /// The manifold with a facet as a piece of its mesh.
    fn on_surface(&self, facet: &Facet<S>, own: S) -> Manifold<S> {
        let front = &facet.planes()[0];
        let is_behind = front.normal.dot(self.pair.offset) < front.offset;
        let exact = S::ONE.scale_by_power_of_two(-14);
        match nearest_points(&self.pair, self.pair.tiny()) {
            Ok(nearest) => {
                let Some((normal, distance)) = nearest.between.normalise() else { return Manifold::empty() };
                if distance - self.pair.radius > own {
                    return self.apart(&nearest);
                }
                // The nearer the cores, the less is known of the direction between them.
                let slack = exact.max(self.pair.rounding() * S::TWO / distance);
                match facet.lean(normal, slack) {
                    _ if is_behind => Manifold::empty(),
                    Lean::Face => {
                        let manifold = self.along_front(facet);
                        if manifold.is_empty() { self.apart_along(front.normal, &nearest) } else { manifold }
                    }
                    Lean::Between => self.apart(&nearest),
                    Lean::OverLevel => self.along_front(facet),
                    Lean::Beyond => Manifold::empty(),
                }
            }
            Err(_) if is_behind => Manifold::empty(),
            Err(common) => {
                let overlap = least_overlap(&self.pair, common);
                match facet.lean(overlap.best.normal, exact) {
                    Lean::Between => self.overlapping(&overlap),
                    Lean::Face | Lean::OverLevel => self.along_front(facet),
                    // More of it is behind than in front: out it goes by the front all the same.
                    Lean::Beyond if overlap.best.normal == facet.planes()[1].normal => self.along_front(facet),
                    Lean::Beyond => Manifold::empty(),
                }
            }
        }
    }

    /// What is above the facet, along its normal.
    fn along_front(&self, facet: &Facet<S>) -> Manifold<S> {
        let normal = facet.normal();
        let least = self.pair.gap_along(normal) - self.pair.radius;
        let size = match self.pair.b {
            Core::Point | Core::Segment { .. } => self.pair.radius.scale_by_power_of_two(-4),
            Core::Polytope(b) => b.smallest.scale_by_power_of_two(-6),
        };
        let over = facet.rims().map(|rim| if rim == Rim::Level { size } else { S::ZERO });
        if matches!(self.pair.b, Core::Point) {
            return self.foot_on_front(facet, over, least);
        }
        let gaps = (least, self.margin);
        let face = ReferenceFace { pair: &self.pair, face: 0, normal, gaps, is_second: false, over: Some(over) };
        face.manifold(self.rotation_a)
    }

    /// A ball above the facet, or no farther beyond its sides than these.
    fn foot_on_front(&self, facet: &Facet<S>, over: [S; 3], gap: S) -> Manifold<S> {
        let (normal, centre) = (facet.normal(), self.pair.offset);
        let mut manifold = Manifold::with_normal(*self.rotation_a * normal);
        let sides = facet.outwards().iter().zip(facet.corners()).zip(over);
        let is_above = sides.into_iter().all(|((outwards, corner), over)| outwards.dot(centre - *corner) <= over);
        if is_above && gap <= self.margin {
            manifold.carrier = Carrier::First;
            let middle = centre - normal * (self.pair.radius + gap * S::HALF);
            manifold.push(*self.rotation_a * middle, gap, feature::name(Touch::FaceCorner, [0, 0], false));
        }
        manifold
    }
}
