//! When two shapes meet on their ways, straight and turning.

use crate::collision::manifold::{Meeting, box_in_axes, sharp_normal};
use crate::collision::query::distance::{Closest, closest};
use crate::collision::query::straight::{part_until, straight_meeting};
use crate::geometry::{Mesh, Shape};
use crate::math::{Mat3, Pose, Quat, Scalar, Vec3};

/// Looks for one answer, at most, of a mesh at all its facets together, and of two bodies at all pairs of their shapes: what turns much and nears little takes the more of them, the
/// nearer it comes.
pub(crate) const MOST_LOOKS: u32 = 1 << 18;

/// A shape on its way.
#[derive(Clone, Copy, Debug)]
pub struct Moving<'a, S> {
    /// The shape.
    pub shape: &'a Shape<S>,
    /// Where it stands in the frame that moves and turns: identity, but for a shape of a body.
    pub local: Pose<S>,
    /// That frame's orientation at the start.
    pub orientation: Quat<S>,
    /// How far its origin goes, metres, world axes.
    pub displacement: Vec3<S>,
    /// How far it turns at one rate about one axis: a rotation vector, radians, world axes.
    pub turn: Vec3<S>,
}

/// Where two shapes meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact<S> {
    /// The part of their ways that is done by then, 0 to 1.
    pub part: S,
    /// The unit normal from the first to the second, world axes.
    pub normal: Vec3<S>,
    /// Where the first is met, from where the origin of its frame stands at the start, metres, world axes.
    pub point: Vec3<S>,
    /// What is between them, metres: at most what was asked for; negative where they overlap at the start. More than that where they turn
    /// against each other so fast that the search was given up: they have not met by then, and nothing is known of later.
    pub distance: S,
}

impl<S: Scalar> Moving<'_, S> {
    /// How far a point that turning moves is from the axis through the frame's origin, at most, metres.
    fn reach(&self) -> S {
        self.shape.turning_reach() + self.local.position.length()
    }

    /// How the shape lies when a part of the way is done, from the frame's origin as it then is.
    fn placed_at(&self, part: S) -> Pose<S> {
        Pose { position: Vec3::ZERO, orientation: self.turned(part) }.transform_pose(self.local)
    }

    /// How fast a point of it goes along a direction by turning when a part of the way is done, at most: metres in the whole way.
    fn turning_along(&self, direction: Vec3<S>, part: S) -> S {
        let across = direction.cross(self.turn); // a speed along the one is a place along the other
        if across == Vec3::ZERO || matches!(self.shape, Shape::HalfSpace { .. }) {
            return S::ZERO;
        }
        let Pose { position, orientation } = self.placed_at(part);
        across.dot(position + self.shape.support(&orientation.to_matrix(), across))
    }

    /// The frame's orientation when a part of the way is done.
    fn turned(&self, part: S) -> Quat<S> {
        let Some((axis, angle)) = (self.turn * part).normalise() else { return self.orientation };
        (Quat::from_axis_angle(axis, angle) * self.orientation).normalise()
    }
}

/// The first moment at which two shapes are within `near` of each other, metres, positive; `between` leads from the origin of the first's
/// frame to that of the second's at the start. `None` where they do not come so near.
///
/// B. Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, section 2.3: a gap along a normal cannot close faster than
/// the displacements bring the shapes nearer along it and the turns carry their farthest points; nor faster than they do now and than what
/// turns is accelerated to its axis. Where nothing turns, the search for
/// nearest points goes on from place to place instead of anew (van den Bergen 2004). Of a mesh each facet is asked that lies on the way; two
/// meshes never meet.
#[must_use]
pub fn time_of_impact<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    near: S,
) -> Option<Impact<S>> {
    let mut looks = MOST_LOOKS;
    time_of_impact_within(first, second, between, near, &mut looks)
}

/// The same with so many looks left, of which it takes what it needs.
pub(crate) fn time_of_impact_within<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    near: S,
    looks: &mut u32,
) -> Option<Impact<S>> {
    let do_turn = first.turn != Vec3::ZERO || second.turn != Vec3::ZERO;
    let told = if do_turn { None } else { without_turning(first, second, between, near) };
    told.unwrap_or_else(|| match (first.shape, second.shape) {
        (Shape::Mesh(_), Shape::Mesh(_)) => None,
        (Shape::HalfSpace { .. }, _) | (_, Shape::HalfSpace { .. }) => {
            look_by_look(first, second, between, (near, S::ONE), looks)
        }
        (Shape::Mesh(mesh), _) => facet_by_facet((mesh, first), second, between, near, |facet, until| {
            look_by_look(facet, second, between, (near, until), looks)
        }),
        (_, Shape::Mesh(mesh)) => facet_by_facet((mesh, second), first, -between, near, |facet, until| {
            look_by_look(first, facet, between, (near, until), looks)
        }),
        _ => look_by_look(first, second, between, (near, S::ONE), looks),
    })
}

/// The first of the impacts of a mesh's facets. A mesh is hollow: what goes away from the nearest facet may come to another.
fn facet_by_facet<S: Scalar>(
    (mesh, of_mesh): (&Mesh<S>, &Moving<'_, S>),
    other: &Moving<'_, S>,
    between: Vec3<S>,
    near: S,
    mut look: impl FnMut(&Moving<'_, S>, S) -> Option<Impact<S>>,
) -> Option<Impact<S>> {
    let [own, placed] = [of_mesh, other].map(|moving| moving.placed_at(S::ZERO));
    let [rotation, rotation_of_other] = [own, placed].map(|pose| pose.orientation.to_matrix());
    let offset = between + placed.position - own.position;
    let way = rotation.transpose_mul(other.displacement - of_mesh.displacement);
    let bounds = box_in_axes(&rotation, (other.shape, &rotation_of_other), offset)?;
    // However far it turns, a point comes no farther than to the other side of its axis.
    let turning = [of_mesh, other].map(|moving| moving.turn.length().min(S::TWO) * moving.reach());
    let bounds = bounds.expanded(near + turning[0] + turning[1]);
    let mut first: Option<Impact<S>> = None;
    mesh.search(
        |node| part_until(node, &bounds, way),
        |number| {
            let until = first.map_or(S::ONE, |first| first.part);
            if let Shape::Facet(facet) = mesh.piece(number) {
                let local = of_mesh.local.transform_pose(Pose { position: facet.origin(), ..Pose::IDENTITY });
                let found = look(&Moving { shape: mesh.piece(number), local, ..*of_mesh }, until);
                let is_before = |one: &Impact<S>, other: &Impact<S>| {
                    one.part < other.part || (one.part == other.part && one.distance < other.distance)
                };
                first = found.filter(|found| first.is_none_or(|first| is_before(found, &first))).or(first);
            }
            // Those in boxes that are met at the same moment may be nearer.
            first.map_or(S::MAX, |first| S::from_ordered(first.part.to_ordered() + 1))
        },
    );
    first
}

/// The same by looks at the pair, each as far on as nothing can have happened in between, in the part `until` of the ways; of a mesh only of one
/// facet. Where there are no `looks` left, the last thing that was seen.
fn look_by_look<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    (near, until): (S, S),
    looks: &mut u32,
) -> Option<Impact<S>> {
    let closing = Closing::of(first, second);
    let mut part = S::ZERO;
    loop {
        let Closest { distance, normal, points } = closest_at(first, second, between, part)?;
        *looks = looks.saturating_sub(1);
        if distance <= near || *looks == 0 {
            let normal = if distance > S::ZERO { sharp_at(first, second, between, (part, normal)) } else { normal };
            return Some(Impact { part, normal, point: points[0] + first.displacement * part, distance });
        }
        let gap = distance - near * S::HALF;
        let safe = closing.safe_part(gap, normal, part)?;
        if part >= until || safe > until - part {
            return None;
        }
        let following = S::from_ordered(part.to_ordered() + 1);
        part = (part + safe).max(following).min(until);
    }
}

/// How fast a gap between two shapes can close.
struct Closing<'a, S> {
    moving: [&'a Moving<'a, S>; 2],
    /// How the second goes against the first, metres.
    straight: Vec3<S>,
    /// How far a point is carried by turning, at most, metres.
    turning: S,
    /// The root of the speed that a point gains by turning, at most, in the whole way: the same times the angle.
    root_of_gain: S,
}

impl<'a, S: Scalar> Closing<'a, S> {
    fn of(first: &'a Moving<'a, S>, second: &'a Moving<'a, S>) -> Self {
        let [a, b] = [first, second].map(|moving| moving.turn.length());
        let turning = a * first.reach() + b * second.reach();
        let straight = second.displacement - first.displacement;
        Self { moving: [first, second], straight, turning, root_of_gain: turning.sqrt() * a.max(b).sqrt() }
    }

    /// For which part of the way nothing can close a gap along a normal, from the part on that is done; `None` where nothing ever does.
    fn safe_part(&self, gap: S, normal: Vec3<S>, part: S) -> Option<S> {
        let coming = -self.straight.dot(normal);
        let most = coming + self.turning;
        if most <= S::ZERO {
            return None;
        }
        let [first, second] = self.moving;
        let now = coming + first.turning_along(normal, part) + second.turning_along(-normal, part);
        // By v t + a t^2 / 2, with products of roots, which fit where their squares may not.
        let (now, by_gain) = (now.max(S::ZERO), self.root_of_gain * (gap + gap).sqrt());
        let sum = now + Vec3::new(now, by_gain, S::ZERO).length();
        let by_turning = if sum > S::ZERO { (gap + gap) / sum } else { S::ZERO };
        Some((gap / most).max(by_turning))
    }
}

/// The same of shapes that do not turn; `None` where they have to be looked at again and again all the same.
fn without_turning<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    near: S,
) -> Option<Option<Impact<S>>> {
    let [a, b] = [first, second].map(|moving| moving.placed_at(S::ZERO));
    let [rotation_a, rotation_b] = [a, b].map(|pose| pose.orientation.to_matrix());
    let offset = between + b.position - a.position;
    let straight = second.displacement - first.displacement;
    let met = straight_meeting((first.shape, &rotation_a), (second.shape, &rotation_b), offset, straight, near)?;
    Some(met.map(|Meeting { part, normal, points, distance }| Impact {
        part,
        normal,
        point: points[0] + a.position + first.displacement * part,
        distance,
    }))
}

/// How two shapes lie when a part of the ways is done.
struct Placed<S> {
    rotations: [Mat3<S>; 2],
    /// Where the origin of the first stands in its frame.
    origin: Vec3<S>,
    /// From there to the origin of the second.
    offset: Vec3<S>,
}

impl<S: Scalar> Placed<S> {
    fn at(first: &Moving<'_, S>, second: &Moving<'_, S>, between: Vec3<S>, part: S) -> Self {
        let [a, b] = [first, second].map(|moving| moving.placed_at(part));
        let between = between + (second.displacement - first.displacement) * part;
        let rotations = [a, b].map(|pose| pose.orientation.to_matrix());
        Self { rotations, origin: a.position, offset: between + b.position - a.position }
    }
}

/// The normal when a part of the ways is done, where the shapes are as near as touching.
fn sharp_at<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    (part, normal): (S, Vec3<S>),
) -> Vec3<S> {
    let Placed { rotations: [a, b], offset, .. } = Placed::at(first, second, between, part);
    sharp_normal((first.shape, &a), (second.shape, &b), offset, normal)
}

/// The nearest points when a part of the ways is done, seen from the frame of the first as it then stands.
fn closest_at<S: Scalar>(
    first: &Moving<'_, S>,
    second: &Moving<'_, S>,
    between: Vec3<S>,
    part: S,
) -> Option<Closest<S>> {
    let Placed { rotations: [a, b], origin, offset } = Placed::at(first, second, between, part);
    let found = closest((first.shape, &a), (second.shape, &b), offset)?;
    Some(Closest { points: found.points.map(|point| point + origin), ..found })
}

#[cfg(test)]
mod tests;
