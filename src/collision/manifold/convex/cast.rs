//! When two convex shapes meet on a straight way.
//!
//! G. van den Bergen, "Ray Casting against General Convex Objects with Application to Continuous Collision Detection", 2004: a plane that
//! parts the two says how much of the way is free, and from there the search for nearest points goes on with what it has.

use crate::collision::manifold::Bearing;
use crate::collision::manifold::convex::CoreParts;
use crate::collision::manifold::convex::curved::SolidPair;
use crate::collision::manifold::convex::gjk::{Simplex, Supports, nearest_points_of_question};
use crate::collision::manifold::convex::polytope::tiny_of;
use crate::collision::manifold::cuboid_cuboid;
use crate::collision::manifold::cuboid_sat::CuboidPair;
use crate::collision::manifold::cuboid_way::CuboidWay;
use crate::geometry::Shape;
use crate::math::{Mat3, Scalar, Vec3};

/// Most looks at a pair on its way: what grazes takes many.
const MOST_LOOKS: usize = 96;
/// How often a normal is asked for again by shapes that are pulled apart along it.
const SHARPENED: usize = 2;

/// Where two convex shapes come near each other; world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::collision) struct Meeting<S> {
    /// The part of the way that is done by then, 0 to 1.
    pub part: S,
    /// The unit normal from A to B.
    pub normal: Vec3<S>,
    /// The nearest points of A and B, from the origin of A.
    pub points: [Vec3<S>; 2],
    /// What is between them, metres.
    pub distance: S,
}

/// When a shape B, on a straight way of `displacement`, comes within `near` of a shape A that rests: `Some(None)` where it does not in the
/// part `until` of the way. `None` where the two overlap at the start or are nearer than a direction can be told, where the search does not
/// come to its end, and of half-spaces and whole meshes.
pub(in crate::collision) fn cast_cores<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    displacement: Vec3<S>,
    (near, until): (S, S),
) -> Option<Option<Meeting<S>>> {
    if let (&Shape::Cuboid { half_extents: half_a }, &Shape::Cuboid { half_extents: half_b }) = (a, b) {
        let cuboids = [(half_a, rotation_a), (half_b, rotation_b)];
        if let Some(told) = cast_cuboids(cuboids, offset, displacement, (near, until)) {
            return Some(told);
        }
    }
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let pair = SolidPair::with_balls((a, rotation_a, &parts_a), (b, rotation_b, &parts_b), offset)?;
    let displacement = rotation_a.transpose_mul(displacement);
    let gaps = (pair.radius() + near, pair.radius() + near * S::HALF);
    let [radius_a, radius_b] = pair.radii;
    let approach = approach(&pair, displacement, gaps, until)?;
    Some(approach.map(|Approach { part, normal, point, distance }| {
        let normal = sharp(&pair.moved(displacement * part), normal);
        let points = [point + normal * radius_a, point + normal * (distance - radius_b)];
        Meeting {
            part,
            normal: *rotation_a * normal,
            points: points.map(|point| *rotation_a * point),
            distance: distance - pair.radius(),
        }
    }))
}

/// The normal between two convex shapes that are as near as touching, better than their gap can tell it; `offset` leads from the origin of A to
/// that of B. What it was where one of them is a half-space or a whole mesh.
pub(in crate::collision) fn sharp_normal<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    normal: Vec3<S>,
) -> Vec3<S> {
    let [parts_a, parts_b] = [a, b].map(CoreParts::of);
    let pair = SolidPair::with_balls((a, rotation_a, &parts_a), (b, rotation_b, &parts_b), offset);
    pair.map_or(normal, |pair| *rotation_a * sharp(&pair, rotation_a.transpose_mul(normal)))
}

/// The same in the axes of the pair. The direction of a gap is known to its length over rounding: pulled apart along the normal by what is small for
/// the shapes, and large for rounding, they tell it again, and what it was off by has shrunk by how far they are pulled over how round they are.
fn sharp<S: Scalar>(pair: &SolidPair<'_, S>, normal: Vec3<S>) -> Vec3<S> {
    let pulled = pair.smallest.scale_by_power_of_two(-2);
    if pair.radius() >= pulled {
        return normal; // of cores so far apart that it is sharp
    }
    let mut sharp = normal;
    for _ in 0..SHARPENED {
        let apart = pair.moved(sharp * pulled);
        let nearest = nearest_points_of_question(&apart, apart.tiny()).ok();
        let Some((direction, _)) = nearest.and_then(|nearest| nearest.between.normalise()) else { return normal };
        sharp = direction;
    }
    sharp
}

/// The same of two cuboids, by the axes along which they are apart; `None` where these do not tell.
fn cast_cuboids<S: Scalar>(
    [a, b]: [(Vec3<S>, &Mat3<S>); 2],
    offset: Vec3<S>,
    displacement: Vec3<S>,
    (near, until): (S, S),
) -> Option<Option<Meeting<S>>> {
    let way = a.1.transpose_mul(displacement);
    let part = match CuboidPair::new(a, b, offset).on_way(way, (near, near * S::HALF), until) {
        CuboidWay::Misses => return Some(None),
        CuboidWay::ApartUntil(part) => part?,
    };
    let manifold = cuboid_cuboid::collide(a, b, offset + displacement * part, (near, Bearing::NONE));
    manifold.nearest().map(|(points, distance)| Some(Meeting { part, normal: manifold.normal, points, distance }))
}

/// Where two cores have come near each other, in the axes of the pair.
struct Approach<S> {
    part: S,
    normal: Vec3<S>,
    /// Of A.
    point: Vec3<S>,
    distance: S,
}

/// When two cores come within the first of two gaps of each other; planes that part them are followed until they show the second, smaller
/// one. `Some(None)` where they do not come so near in the part `until` of the way, `None` where that is not told.
fn approach<S: Scalar, P: Supports<S>>(
    pair: &P,
    displacement: Vec3<S>,
    (near, followed): (S, S),
    until: S,
) -> Option<Option<Approach<S>>> {
    // Within a 64th of what counts as near it matters no more where they are nearest.
    let (rounding, tolerance) = (pair.rounding(), pair.tolerance().max((near - followed).scale_by_power_of_two(-5)));
    let mut simplex = Simplex::of_one(pair.vertex(pair.start()));
    let (mut part, mut parted) = (S::ZERO, None);
    for _ in 0..MOST_LOOKS {
        let Some((direction, distance)) = simplex.nearest().normalise() else {
            return Some(Some(met(&simplex, part, (parted?, S::ZERO))));
        };
        // Of a tiny gap the direction is mostly rounding: that from before is the better one.
        let along = if distance > tiny_of(rounding) { direction } else { parted.unwrap_or(direction) };
        let mut next = pair.vertex(direction);
        next.between += displacement * part;
        let shown = direction.dot(next.between);
        if shown > near {
            let (gap, closing) = (shown - followed, -displacement.dot(direction));
            if closing <= S::ZERO || gap > closing * (until - part) {
                return Some(None);
            }
            let after = (part + gap / closing).min(until);
            if after <= part {
                return Some(Some(met(&simplex, part, (along, distance))));
            }
            let way = displacement * (after - part);
            next.between += way;
            (simplex, part, parted) = (simplex.carried(way, next), after, Some(along));
            continue;
        }
        let is_repeated = simplex.vertices().iter().any(|vertex| pair.is_same(vertex, &next));
        let is_known = is_repeated || shown >= distance - tolerance;
        // Only a plane that parts them, now or before, tells that they do not overlap.
        if is_known && (shown > S::ZERO || parted.is_some()) {
            return Some(Some(met(&simplex, part, (along, distance))));
        }
        match simplex.with(next).ok().filter(|nearer| nearer.distance < distance) {
            Some(nearer) => simplex.keep(&nearer),
            None => return Some(Some(met(&simplex, part, (parted?, distance)))),
        }
    }
    None
}

fn met<S: Scalar>(simplex: &Simplex<S>, part: S, (normal, distance): (Vec3<S>, S)) -> Approach<S> {
    Approach { part, normal, point: simplex.point(), distance }
}
