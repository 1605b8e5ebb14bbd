//! Polyhedra against everything round and against each other: hulls, and cuboids beside hulls.
//!
//! What is apart is nearest where [`gjk`] finds it, what overlaps leaves along the axis of [`sat`]. Along the normal that this gives, a
//! face within 3.6 degrees of it carries the contact ([`face`]), that of the first shape before that of the second: so faces that are
//! nearly parallel keep their points, under the same names, while the axes between them take turns. Else edges or corners touch
//! ([`thin`]).

mod ball;
mod borne;
mod cast;
mod chosen;
mod curved;
mod epa;
mod face;
mod facet;
mod feature;
mod gjk;
mod half_space;
mod looks;
mod outline;
mod polytope;
mod sat;
mod thin;

use crate::collision::manifold::capsule_capsule::Capsule;
use crate::collision::manifold::convex::epa::least_depth;
use crate::collision::manifold::convex::face::ReferenceFace;
use crate::collision::manifold::convex::gjk::{
    Found, Nearest, nearest_point_of_question, nearest_points, nearest_points_of_question, nearest_points_within,
};
use crate::collision::manifold::convex::polytope::{Core, CorePair, CuboidParts, Polytope, rounding_of, tiny_of};
use crate::collision::manifold::convex::sat::{Common, LeastOverlap, Separation, best_axis, least_overlap};
use crate::collision::manifold::{Bearing, Manifold, are_parallel};
use crate::geometry::{Hull, Shape};
use crate::math::{Mat3, Scalar, Vec3};

pub use crate::collision::manifold::convex::looks::{AxisLook, EpaLook, EpaRound, GjkLook, GjkRound};
pub use crate::collision::manifold::convex::sat::Axis;

pub(super) use crate::collision::manifold::convex::ball::hull_and_sphere;
pub(in crate::collision) use crate::collision::manifold::convex::cast::{Meeting, cast_cores, sharp_normal};
pub(super) use crate::collision::manifold::convex::chosen::{polyhedra_by_axes, polyhedron_and_ball};
pub(super) use crate::collision::manifold::convex::curved::{
    cone_on_half_space, cylinder_on_half_space, solids, sphere_and_round,
};
pub(super) use crate::collision::manifold::convex::facet::facet_and_convex;
pub(super) use crate::collision::manifold::convex::half_space::hull_on_half_space;
pub(in crate::collision) use crate::collision::manifold::convex::looks::{look_by_axes, look_by_epa, look_by_gjk};

/// A hull as shape A and a capsule as shape B.
pub(super) fn hull_and_capsule<S: Scalar>(
    (hull, rotation): (&Hull<S>, &Mat3<S>),
    capsule: Capsule<S>,
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let pair = CorePair::with_capsule((Polytope::of_hull(hull), rotation), capsule, offset);
    Scene { pair, rotation_a: rotation, rotation_b: rotation, offset, margin, bearing: Bearing::NONE }.manifold()
}

/// A cuboid and a hull.
pub(super) fn cuboid_and_hull<S: Scalar>(
    (half_extents, rotation_a): (Vec3<S>, &Mat3<S>),
    (hull, rotation_b): (&Hull<S>, &Mat3<S>),
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let cuboid = CuboidParts::new(half_extents);
    let b = Core::Polytope(Polytope::of_hull(hull));
    let pair = CorePair::new((cuboid.polytope(), rotation_a), (b, S::ZERO, rotation_b), offset);
    Scene { pair, rotation_a, rotation_b, offset, margin, bearing }.manifold()
}

/// Two hulls.
pub(super) fn hulls<S: Scalar>(
    (a, rotation_a): (&Hull<S>, &Mat3<S>),
    (b, rotation_b): (&Hull<S>, &Mat3<S>),
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let b = Core::Polytope(Polytope::of_hull(b));
    let pair = CorePair::new((Polytope::of_hull(a), rotation_a), (b, S::ZERO, rotation_b), offset);
    Scene { pair, rotation_a, rotation_b, offset, margin, bearing }.manifold()
}

/// The nearest points of a polyhedron and the core of another shape; world axes.
#[derive(Clone, Copy, Debug)]
pub(in crate::collision) struct CoreGap<S> {
    /// From the origin of the polyhedron to its nearest point.
    pub point: Vec3<S>,
    /// From there to the nearest point of the core.
    pub between: Vec3<S>,
}

/// How near a polyhedron, cylinder or cone A comes to the core of a shape B; `None` where they overlap, or are nearer than a direction can be
/// told, and where A is another shape or B a half-space.
pub(in crate::collision) fn gap_of_cores<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<CoreGap<S>> {
    if [a, b].into_iter().any(is_round) {
        return match b {
            Shape::Sphere { .. } => curved::gap_to_point((a, rotation_a), offset),
            _ => curved::gap_of_solids((a, rotation_a), (b, rotation_b), offset),
        };
    }
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let (Core::Polytope(polytope_a), _) = parts_a.core(a)? else { return None };
    let (core, radius) = parts_b.core(b)?;
    let pair = CorePair::new((polytope_a, rotation_a), (core, radius, rotation_b), offset);
    let nearest = nearest_points_of_question(&pair, pair.tiny()).ok()?;
    Some(CoreGap { point: *rotation_a * nearest.point, between: *rotation_a * nearest.between })
}

/// What has to be made of a shape for its core, and lives as long as that.
struct CoreParts<S> {
    cuboid: Option<CuboidParts<S>>,
}

impl<S: Scalar> CoreParts<S> {
    fn of(shape: &Shape<S>) -> Self {
        let cuboid = match *shape {
            Shape::Cuboid { half_extents } => Some(CuboidParts::new(half_extents)),
            _ => None,
        };
        Self { cuboid }
    }

    /// The core of that shape, and the radius around it; `None` of what has none: cylinders, cones, half-spaces and
    /// whole meshes.
    fn core<'a>(&'a self, shape: &'a Shape<S>) -> Option<(Core<'a, S>, S)> {
        match *shape {
            Shape::Sphere { radius } => Some((Core::Point, radius)),
            Shape::Capsule { half_height, radius } => Some((Core::Segment { direction: Vec3::Y, half_height }, radius)),
            Shape::Hull(ref hull) => Some((Core::Polytope(Polytope::of_hull(hull)), S::ZERO)),
            Shape::Cuboid { .. } => Some((Core::Polytope(self.cuboid.as_ref()?.polytope()), S::ZERO)),
            Shape::Facet(ref facet) => Some((Core::Polytope(Polytope::of_facet(facet)), S::ZERO)),
            Shape::Cylinder { .. } | Shape::Cone { .. } | Shape::HalfSpace { .. } | Shape::Mesh(_) => None,
        }
    }
}

/// Where two overlapping shapes part soonest; world axes.
#[derive(Clone, Copy, Debug)]
pub(in crate::collision) struct CoreDepth<S> {
    /// The unit normal from A to B.
    pub normal: Vec3<S>,
    /// The point of the core of A from where that leads to one of the core of B, from the origin of A.
    pub point: Vec3<S>,
    /// The gap of the cores along it.
    pub gap: S,
    /// Whether the search came to its end. Else the cores may part sooner along another direction, and the point is the farthest of A along
    /// this one.
    pub is_least: bool,
}

/// Where two overlapping shapes part soonest; `None` of balls beside each other, of half-spaces and of whole meshes.
pub(in crate::collision) fn depth_of_cores<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<CoreDepth<S>> {
    let of_polyhedra = depth_of_polyhedra((a, rotation_a), (b, rotation_b), offset);
    of_polyhedra.or_else(|| curved::depth_of_solids((a, rotation_a), (b, rotation_b), offset))
}

/// The same where A is a polyhedron and B one too, or a ball or capsule.
fn depth_of_polyhedra<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<CoreDepth<S>> {
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let (Core::Polytope(polytope), _) = parts_a.core(a)? else { return None };
    let (core, radius) = parts_b.core(b)?;
    let pair = CorePair::new((polytope, rotation_a), (core, radius, rotation_b), offset);
    let common = nearest_points(&pair, pair.tiny()).err();
    // Each misses what the other sees: the axes edges that are nearly parallel, the polytope what its slivers hide.
    let axis = best_axis(&pair, common.and_then(|point| Common::of(&pair, point))).normal;
    let by_axes = pair.gap_along(axis);
    let found = least_depth(&pair, std::iter::empty());
    let (normal, gap) = if found.gap < by_axes { (axis, by_axes) } else { (found.normal, found.gap) };
    let point = touching_point(&pair, normal, gap);
    Some(CoreDepth { normal: *rotation_a * normal, point: *rotation_a * point, gap, is_least: true })
}

/// The point of A that touches B once B has moved out by the gap along a normal: of faces and edges that lie in each other any common one.
fn touching_point<S: Scalar>(pair: &CorePair<'_, S>, normal: Vec3<S>, gap: S) -> Vec3<S> {
    // A little farther, so that a direction can be told.
    let apart = pair.tiny().scale_by_power_of_two(4) - gap;
    let moved = CorePair { offset: pair.offset + normal * apart, ..*pair };
    nearest_point_of_question(&moved, normal, moved.tiny())
}

/// Whether a shape is a cylinder or a cone.
fn is_round<S: Scalar>(shape: &Shape<S>) -> bool {
    matches!(shape, Shape::Cylinder { .. } | Shape::Cone { .. })
}

/// The gap up to which the search for nearest points takes shapes for overlapping whose largest half extents have this sum.
pub(in crate::collision) fn overlap_threshold<S: Scalar>(sizes: S) -> S {
    tiny_of(rounding_of(sizes))
}

/// Two shapes and how they lie in the world.
struct Scene<'a, S> {
    pair: CorePair<'a, S>,
    rotation_a: &'a Mat3<S>,
    rotation_b: &'a Mat3<S>,
    /// From A to B, world axes.
    offset: Vec3<S>,
    margin: S,
    bearing: Bearing,
}

impl<S: Scalar> Scene<'_, S> {
    fn manifold(&self) -> Manifold<S> {
        if let Some(common) = self.common_where_borne() {
            return self.overlapping(&least_overlap(&self.pair, Some(common)));
        }
        match nearest_points_within(&self.pair, self.pair.tiny(), self.margin + self.pair.radius) {
            Found::Apart(nearest) => self.apart(&nearest),
            Found::Beyond(normal, gap) => Manifold::of_apart(*self.rotation_a * normal, gap - self.pair.radius),
            Found::Overlapping(common) => self.overlapping(&least_overlap(&self.pair, Common::of(&self.pair, common))),
        }
    }

    /// Cores that do not overlap.
    fn apart(&self, nearest: &Nearest<S>) -> Manifold<S> {
        nearest.between.normalise().map_or_else(Manifold::empty, |(normal, _)| self.apart_along(normal, nearest))
    }

    /// The same along a normal that is known to be that of the nearest points.
    fn apart_along(&self, normal: Vec3<S>, nearest: &Nearest<S>) -> Manifold<S> {
        let (radius, distance) = (self.pair.radius, nearest.between.length());
        // What the supports show along the normal is sure; the points found are never nearer than the shapes.
        let sure = self.pair.gap_along(normal);
        if sure - radius > self.margin {
            return Manifold::of_apart(*self.rotation_a * normal, sure - radius);
        }
        let gap = distance - radius;
        let on_face = self.face_manifold(normal, gap).filter(|manifold| self.is_shown(manifold, gap));
        on_face.unwrap_or_else(|| self.thin_manifold(normal, nearest)).reaching(gap)
    }

    /// Whether the points show this gap, but for what a corner that sticks out of a face which leans by 3.6 degrees hides of it, and for
    /// what a corner shows that was left out because others bear the weight (`reduce`).
    /// Otherwise the features of the normal miss each other.
    fn is_shown(&self, manifold: &Manifold<S>, gap: S) -> bool {
        let left_out = self.pair.smallest().scale_by_power_of_two(-10);
        let hidden = self.pair.rounding().scale_by_power_of_two(3) + self.pair.smallest().scale_by_power_of_two(-12);
        let slack = hidden + left_out;
        manifold.points().iter().any(|point| point.separation <= gap + slack)
    }

    /// Cores that overlap least along this.
    fn overlapping(&self, &LeastOverlap { best: least, edges }: &LeastOverlap<S>) -> Manifold<S> {
        let best = self.along_larger_face(least);
        let gap = best.gap - self.pair.radius;
        if gap > self.margin {
            return Manifold::of_apart(*self.rotation_a * best.normal, gap);
        }
        // A face may be taken for an axis that is as good, and its gap be that of a corner far from all that touches. Then the contact is along that axis:
        // with the one point where edges cross, what lies flat would fall on the others. What is deep in another is to get out, and may tip for that.
        let is_shallow = -gap <= self.pair.smallest().scale_by_power_of_two(-2);
        let mut others =
            [Some(least), edges].into_iter().flatten().filter(|axis| is_shallow && axis.normal != best.normal);
        let on_face = self.shown_on_face(&best).or_else(|| others.find_map(|axis| self.shown_on_face(&axis)));
        let thin = || match edges.and_then(|axis| Some((axis, axis.edges?))) {
            Some((axis, edges)) => self.crossing_manifold(axis.normal, edges, axis.gap - self.pair.radius),
            None => self.deepest_manifold(best.normal, gap),
        };
        on_face.unwrap_or_else(|| thin().reaching(gap))
    }

    /// The manifold of the face that is nearly perpendicular to an axis, if its points show the overlap.
    fn shown_on_face(&self, axis: &Separation<S>) -> Option<Manifold<S>> {
        let gap = axis.gap - self.pair.radius;
        let manifold = self.face_manifold(axis.normal, gap).filter(|manifold| self.is_shown(manifold, gap))?;
        Some(manifold.reaching(gap))
    }

    /// Where polyhedra overlap along the normal of a face of the larger one, or [nearly so](are_parallel), along that.
    fn along_larger_face(&self, best: Separation<S>) -> Separation<S> {
        let pair = &self.pair;
        let Core::Polytope(b) = pair.b else { return best };
        if best.gap > S::ZERO || pair.a.is_flat() || b.is_flat() {
            return best;
        }
        let normal = if pair.a.largest >= b.largest {
            pair.a.planes[pair.a.facing(best.normal).0].normal
        } else {
            -(pair.relative * b.planes[b.facing(-pair.relative.transpose_mul(best.normal)).0].normal)
        };
        if normal == best.normal || !are_parallel(normal, best.normal) {
            return best;
        }
        Separation { normal, gap: pair.gap_along(normal), edges: None }
    }

    /// The manifold of the face that is nearly perpendicular to a normal, if there is one.
    fn face_manifold(&self, normal: Vec3<S>, gap: S) -> Option<Manifold<S>> {
        let least = S::ONE - S::ONE.scale_by_power_of_two(-9);
        if matches!(self.pair.b, Core::Point) {
            return None;
        }
        let (gaps, pair, bearing) = ((gap, self.margin), &self.pair, self.bearing);
        let (face, cosine) = pair.a.facing(normal);
        if cosine >= least {
            let normal = snapped(normal, pair.a.planes[face].normal);
            let reference = ReferenceFace { pair, face, normal, gaps, bearing, is_second: false, over: None };
            return Some(reference.manifold(self.rotation_a));
        }
        let Core::Polytope(b) = pair.b else { return None };
        let normal = -pair.relative.transpose_mul(normal);
        let (face, cosine) = b.facing(normal);
        (cosine >= least).then(|| {
            let normal = snapped(normal, b.planes[face].normal);
            let pair =
                CorePair::new((b, self.rotation_b), (Core::Polytope(pair.a), S::ZERO, self.rotation_a), -self.offset);
            let reference = ReferenceFace { pair: &pair, face, normal, gaps, bearing, is_second: true, over: None };
            reference.manifold(self.rotation_b).flipped(-self.offset)
        })
    }
}

/// A normal, or that of a face where the two differ by rounding only.
fn snapped<S: Scalar>(normal: Vec3<S>, of_face: Vec3<S>) -> Vec3<S> {
    let slack = S::EPSILON * S::from_i32(8);
    let apart = (normal - of_face).abs().to_array();
    if apart.into_iter().all(|part| part <= slack) { of_face } else { normal }
}
