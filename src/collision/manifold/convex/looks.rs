//! How each method comes to its answer for one pair, round by round: for people, never for a step.

use crate::collision::manifold::convex::CoreParts;
use crate::collision::manifold::convex::curved::SolidPair;
use crate::collision::manifold::convex::epa::least_depth_watched;
use crate::collision::manifold::convex::gjk::nearest_points_watched;
use crate::collision::manifold::convex::polytope::{Core, CorePair};
use crate::collision::manifold::convex::sat::{Axis, all_axes};
use crate::geometry::Shape;
use crate::math::{Mat3, Scalar, Vec3};

/// A round of the search for nearest points; lengths in metres, of the surfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct GjkRound<S> {
    /// The vertices of the simplex that have a share in its nearest point: on A and on B, from the origin of A, world axes, of the shapes
    /// without the radii around them.
    pub simplex: Vec<[Vec3<S>; 2]>,
    /// The shapes are no farther apart: the distance of the simplex from the origin.
    pub at_most: S,
    /// The shapes are no nearer: the gap along the direction to there.
    pub at_least: S,
}

/// How the search for nearest points went.
#[derive(Clone, Debug, PartialEq)]
pub struct GjkLook<S> {
    /// Its rounds, of which the last found nothing nearer.
    pub rounds: Vec<GjkRound<S>>,
    /// Where the shapes without their radii are apart: the unit normal from A to B, the nearest points of the surfaces from the origin of
    /// A, world axes, and the distance. Nothing where they overlap.
    pub apart: Option<(Vec3<S>, [Vec3<S>; 2], S)>,
}

impl<S: Scalar> GjkLook<S> {
    /// The same in the world frame as plain numbers, where the origin of A is at a place.
    #[must_use]
    pub fn in_world(&self, origin: Vec3<S>) -> GjkLook<f64> {
        let at = |place: Vec3<S>| wide(origin + place);
        let round = |round: &GjkRound<S>| GjkRound {
            simplex: round.simplex.iter().map(|pair| pair.map(at)).collect(),
            at_most: round.at_most.to_f64(),
            at_least: round.at_least.to_f64(),
        };
        let apart = self.apart.map(|(normal, points, distance)| (wide(normal), points.map(at), distance.to_f64()));
        GjkLook { rounds: self.rounds.iter().map(round).collect(), apart }
    }
}

fn wide<S: Scalar>(vector: Vec3<S>) -> Vec3<f64> {
    let [x, y, z] = vector.to_f64();
    Vec3::new(x, y, z)
}

/// A round of the expanding polytope; lengths in metres, of the surfaces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpaRound<S> {
    /// Corners of the polytope.
    pub corners: usize,
    /// Its faces.
    pub faces: usize,
    /// The shapes overlap by no less: the distance of the nearest face.
    pub at_least: S,
    /// They overlap by no more: what they do along the normal of that face.
    pub at_most: S,
}

/// How the search for the least way out went.
#[derive(Clone, Debug, PartialEq)]
pub struct EpaLook<S> {
    /// Its rounds.
    pub rounds: Vec<EpaRound<S>>,
    /// The unit normal from A to B along which B leaves, world axes.
    pub normal: Vec3<S>,
    /// By how much the surfaces overlap along it, metres.
    pub depth: S,
    /// Whether the polytope came to an end; else directions around the best were tried.
    pub has_ended: bool,
}

impl<S: Scalar> EpaLook<S> {
    /// The same as plain numbers.
    #[must_use]
    pub fn to_f64(&self) -> EpaLook<f64> {
        let round = |round: &EpaRound<S>| EpaRound {
            corners: round.corners,
            faces: round.faces,
            at_least: round.at_least.to_f64(),
            at_most: round.at_most.to_f64(),
        };
        EpaLook {
            rounds: self.rounds.iter().map(round).collect(),
            normal: wide(self.normal),
            depth: self.depth.to_f64(),
            has_ended: self.has_ended,
        }
    }
}

/// What one axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisLook<S> {
    /// Of which faces or edges it is.
    pub axis: Axis,
    /// The unit direction from A to B, world axes.
    pub normal: Vec3<S>,
    /// The gap along it, metres; negative where the shapes overlap.
    pub gap: S,
}

/// The search for nearest points of two convex shapes; `None` of half-spaces and whole meshes.
pub(in crate::collision) fn look_by_gjk<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<GjkLook<S>> {
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let pair = SolidPair::with_balls((a, rotation_a, &parts_a), (b, rotation_b, &parts_b), offset)?;
    let radius = pair.radius();
    let mut rounds = Vec::new();
    let found = nearest_points_watched(&pair, pair.tiny(), &mut |round| {
        let places = round.simplex.vertices().iter().map(|vertex| [vertex.point, vertex.point + vertex.between]);
        let simplex = places.map(|pair| pair.map(|place| *rotation_a * place)).collect();
        rounds.push(GjkRound { simplex, at_most: round.distance - radius, at_least: round.shown - radius });
    });
    let apart = found.ok().and_then(|nearest| {
        let (normal, distance) = nearest.between.normalise()?;
        let [radius_a, radius_b] = pair.radii;
        let on_a = nearest.point + normal * radius_a;
        let on_b = nearest.point + nearest.between - normal * radius_b;
        Some((*rotation_a * normal, [*rotation_a * on_a, *rotation_a * on_b], distance - radius))
    });
    Some(GjkLook { rounds, apart })
}

/// The search for the least way out of two convex shapes; `None` of half-spaces and whole meshes.
pub(in crate::collision) fn look_by_epa<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<EpaLook<S>> {
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let pair = SolidPair::with_balls((a, rotation_a, &parts_a), (b, rotation_b, &parts_b), offset)?;
    let radius = pair.radius();
    let mut rounds = Vec::new();
    let found = least_depth_watched(&pair, pair.flats(), &mut |round| {
        let (at_least, at_most) = (round.nearest + radius, round.depth + radius);
        rounds.push(EpaRound { corners: round.corners, faces: round.faces, at_least, at_most });
    });
    let normal = *rotation_a * found.normal;
    Some(EpaLook { rounds, normal, depth: radius - found.gap, has_ended: found.has_ended })
}

/// What every axis of separation of a polyhedron A and a polyhedron or capsule B shows; `None` of other shapes.
pub(in crate::collision) fn look_by_axes<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<Vec<AxisLook<S>>> {
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let (Core::Polytope(first), _) = parts_a.core(a)? else { return None };
    let (core, radius) = parts_b.core(b).filter(|(core, _)| !matches!(core, Core::Point))?;
    let pair = CorePair::new((first, rotation_a), (core, radius, rotation_b), offset);
    let looks = all_axes(&pair).into_iter().map(|(axis, found)| AxisLook {
        axis,
        normal: *rotation_a * found.normal,
        gap: found.gap - radius,
    });
    Some(looks.collect())
}
