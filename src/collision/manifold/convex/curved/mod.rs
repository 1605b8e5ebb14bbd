//! Cylinders and cones against capsules, polyhedra and each other; and capsules and polyhedra where they are to be taken in the same way.
//!
//! What is apart is nearest where [`gjk`](super::gjk) finds it, what overlaps leaves along the direction of [`epa`](super::epa). A flat face,
//! or lines that touch, have a direction of their own, which the search only comes near: where that is as good, it is taken. So what
//! stands or lies on a face has the normal of that face to the last bit, step after step. Of what looks along the normal ([`feature`]) the
//! manifold is made ([`clip`]).

mod clip;
mod feature;
mod half_space;
mod solid;
mod sphere;

use crate::collision::manifold::convex::curved::clip::Touching;
use crate::collision::manifold::convex::curved::feature::{Feature, least_cosine};
use crate::collision::manifold::convex::epa::{Depth, least_depth};
use crate::collision::manifold::convex::facet::{
    is_held_on_ridge, is_left_to_neighbours, is_mostly_behind, is_on_face, seen_apart, stands_across,
};
use crate::collision::manifold::convex::gjk::{
    Found, Supports, nearest_point_of_question, nearest_points_of_question, nearest_points_within,
};
use crate::collision::manifold::convex::{CoreDepth, CoreGap, CoreParts};
use crate::collision::manifold::{Bearing, Manifold};
use crate::geometry::mesh::{Lean, MOST_SIDES};
use crate::geometry::{Facet, Shape};
use crate::math::{Mat3, Scalar, Vec3};

pub(in crate::collision::manifold) use half_space::{cone_on_half_space, cylinder_on_half_space};
pub(super) use solid::SolidPair;
pub(super) use sphere::gap_to_point;
pub(in crate::collision::manifold) use sphere::sphere_and_round;

/// The manifold of two shapes, none a ball, a half-space or a whole mesh.
pub(in crate::collision::manifold) fn solids<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let Some(pair) = SolidPair::new((a, rotation_a, &parts_a), (b, rotation_b, &parts_b), offset) else {
        return Manifold::empty();
    };
    let found = separation_within(&pair, margin + pair.radius());
    if found.gap - pair.radius() > margin {
        return Manifold::of_apart(*rotation_a * found.normal, found.gap - pair.radius());
    }
    let found = on_feature(&pair, found);
    let gap = found.gap - pair.radius();
    Touching { pair: &pair, normal: found.normal, gap, margin, bearing, over: [S::ZERO; MOST_SIDES] }
        .manifold(rotation_a)
}

/// A facet of a mesh as shape A, as a piece of its mesh where the two are no farther apart than `own`, and a cylinder or cone as shape B.
pub(super) fn facet_and_round<S: Scalar>(
    (facet, rotation_a): (&Facet<S>, &Mat3<S>),
    (a, b): (&Shape<S>, &Shape<S>),
    rotation_b: &Mat3<S>,
    offset: Vec3<S>,
    (margin, own, bearing): (S, S, Bearing),
) -> Manifold<S> {
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let Some(pair) = SolidPair::new((a, rotation_a, &parts_a), (b, rotation_b, &parts_b), offset) else {
        return Manifold::empty();
    };
    let lowest_along = |axis| pair.lowest_of_b(axis) - pair.radius();
    if let Some(apart) = seen_apart((facet, rotation_a), margin, lowest_along) {
        return apart;
    }
    let front = &facet.planes()[0];
    let touching = |normal: Vec3<S>, over: [S; MOST_SIDES]| {
        let gap = pair.gap_along(normal);
        Touching { pair: &pair, normal, gap, margin, bearing, over }
    };
    let along_front = || {
        let over = facet.carried_over(pair.smallest.scale_by_power_of_two(-3));
        touching(front.normal, over).above_facet(rotation_a)
    };
    let reach = |direction: Vec3<S>| pair.radius() - pair.gap_along(direction);
    let (before, behind) = (reach(-front.normal), reach(front.normal));
    let is_behind = is_mostly_behind(before, behind);
    if !is_behind && is_on_face(facet, behind, own, pair.smallest) {
        let manifold = along_front();
        if manifold.gap().is_some_and(|gap| gap <= own) {
            return manifold;
        }
    }
    let found = separation(&pair);
    if found.gap > own {
        // Without points, whose direction may lean over an edge that a neighbour continues.
        let seen = solids((a, rotation_a), (b, rotation_b), offset, (margin, bearing));
        return seen.gap().map_or(seen, |gap| Manifold::of_apart(seen.normal, gap));
    }
    let is_across = stands_across(before, behind, pair.smallest);
    if is_behind && !is_across {
        return Manifold::empty();
    }
    let found = on_feature(&pair, found);
    // A search that halves what is left knows its direction to the root of that only.
    match facet.lean(found.normal, S::ONE.scale_by_power_of_two(-10)) {
        Lean::OverEnd if is_across => touching(found.normal, [S::ZERO; MOST_SIDES]).manifold(rotation_a),
        Lean::OverEnd => Manifold::empty(),
        _ if is_behind => Manifold::empty(),
        Lean::Between => touching(found.normal, [S::ZERO; MOST_SIDES]).manifold(rotation_a),
        Lean::OverLevel
            if is_left_to_neighbours(facet, found.normal, (pair.radius() - found.gap, behind), pair.smallest) =>
        {
            Manifold::empty()
        }
        Lean::Face | Lean::OverLevel => along_front(),
        Lean::Beyond if found.normal == -front.normal => {
            touching(front.normal, [S::ZERO; MOST_SIDES]).above_facet(rotation_a)
        }
        Lean::Beyond
            if is_held_on_ridge(facet, (found.normal, pair.radius() - found.gap), pair.smallest, lowest_along) =>
        {
            along_front()
        }
        Lean::Beyond => Manifold::empty(),
    }
}

/// How near the solids of two such shapes come to each other; `None` where they overlap, or are nearer than a direction can be told.
pub(super) fn gap_of_solids<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<CoreGap<S>> {
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let pair = SolidPair::new((a, rotation_a, &parts_a), (b, rotation_b, &parts_b), offset)?;
    let nearest = nearest_points_of_question(&pair, pair.tiny()).ok()?;
    Some(CoreGap { point: *rotation_a * nearest.point, between: *rotation_a * nearest.between })
}

/// The direction along which the solids are farthest apart or overlap least, and the gap that they show along it.
fn separation<S: Scalar>(pair: &SolidPair<'_, S>) -> Depth<S> {
    separation_within(pair, S::MAX)
}

/// The same, or any direction along which they are farther apart than `enough`.
fn separation_within<S: Scalar>(pair: &SolidPair<'_, S>, enough: S) -> Depth<S> {
    let apart = match nearest_points_within(pair, pair.tiny(), enough) {
        Found::Beyond(normal, gap) => return Depth { normal, gap, has_ended: false },
        Found::Apart(nearest) => nearest.between.normalise(),
        Found::Overlapping(_) => None,
    };
    let shown = apart.map(|(normal, _)| along(pair, normal));
    let shown = shown.filter(|shown| shown.gap > S::ZERO);
    shown.unwrap_or_else(|| least_depth(pair, pair.flats()))
}

/// By how much a direction may be worse than the best to be taken for it: by 1/1024 of the overlap, and what the search does not tell.
fn preference<S: Scalar>(pair: &SolidPair<'_, S>, found: &Depth<S>) -> S {
    let overlap = (-found.gap).max(S::ZERO).scale_by_power_of_two(-10);
    overlap + pair.rounding().scale_by_power_of_two(3) + pair.smallest.scale_by_power_of_two(-12)
}

/// Along the direction that a flat face has, or lines that touch, where that is as good as the one that was found. What along it shows of
/// a wide disc is how deep its rim is, wherever the other shape stands: so the gap stays the one that was found.
fn on_feature<S: Scalar>(pair: &SolidPair<'_, S>, found: Depth<S>) -> Depth<S> {
    let of_feature = on_flat(pair, &found).or_else(|| between_lines(pair, &found));
    of_feature.map_or(found, |feature| Depth { gap: feature.gap.max(found.gap), ..feature })
}

/// The normal of a flat face within 3.6 degrees of the best direction, that of A before that of B.
fn on_flat<S: Scalar>(pair: &SolidPair<'_, S>, found: &Depth<S>) -> Option<Depth<S>> {
    let needed = found.gap - preference(pair, found);
    let near = pair.flats().filter(|normal| normal.dot(found.normal) >= least_cosine());
    let shown = near.map(|normal| along(pair, normal));
    let best = |best: Depth<S>, next: Depth<S>| if next.gap > best.gap + preference(pair, &best) { next } else { best };
    shown.filter(|shown| shown.gap >= needed).reduce(best)
}

/// The direction that two lines have which touch there: across both, or where they are parallel across the space between them.
fn between_lines<S: Scalar>(pair: &SolidPair<'_, S>, found: &Depth<S>) -> Option<Depth<S>> {
    let [a, b] = &pair.solids;
    let towards_a = -pair.relative.transpose_mul(found.normal);
    let (Feature::Line { line: a, core: core_a, .. }, Feature::Line { line: b, core: core_b, .. }) =
        (Feature::of(a, found.normal), Feature::of(b, towards_a))
    else {
        return None;
    };
    let across = a.direction.cross(pair.relative * b.direction);
    let way = if across.length() > S::ONE.scale_by_power_of_two(-6) {
        across
    } else {
        let way = pair.placed(core_b) - core_a;
        way - a.direction * a.direction.dot(way)
    };
    let way = way.direction()?;
    let normal = if way.dot(found.normal) < S::ZERO { -way } else { way };
    Some(along(pair, normal)).filter(|shown| shown.gap >= found.gap - preference(pair, found))
}

/// What a direction shows.
fn along<S: Scalar>(pair: &SolidPair<'_, S>, normal: Vec3<S>) -> Depth<S> {
    Depth { normal, gap: pair.gap_along(normal), has_ended: false }
}

/// Where two such shapes part soonest.
pub(super) fn depth_of_solids<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
) -> Option<CoreDepth<S>> {
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let pair = SolidPair::new((a, rotation_a, &parts_a), (b, rotation_b, &parts_b), offset)?;
    let Depth { normal, gap, has_ended } = least_depth(&pair, pair.flats());
    let on_a = touching_point(&pair, normal, gap);
    Some(CoreDepth { normal: *rotation_a * normal, point: *rotation_a * on_a, gap, is_least: has_ended })
}

/// The point of the solid of A that touches B once that has moved out by the gap along a normal: of faces and edges that lie in each other any
/// common one.
fn touching_point<S: Scalar>(pair: &SolidPair<'_, S>, normal: Vec3<S>, gap: S) -> Vec3<S> {
    // A little farther, so that a direction can be told.
    let apart = pair.smallest.scale_by_power_of_two(-8).max(pair.tiny().scale_by_power_of_two(4)) - gap;
    let moved = pair.moved(normal * apart);
    nearest_point_of_question(&moved, normal, moved.tiny())
}
