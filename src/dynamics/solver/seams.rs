//! Edges that are no edges: where the faces of two boxes, hulls or meshes lie flush, what slides over both must not stumble at the seam.
//! Within a mesh triangles know their neighbours themselves.
//!
//! Each pair of shapes is looked at alone, so the edge of a box that a neighbour continues looks like any other edge. Its
//! contact is left out when the point lies on a face of the box, within the neighbour's face at the same height, and the
//! normal is not that of the faces: the surface is flat there, and no other normal can be true. So is that with a wall whose top is level
//! with what a body lies flat on, however wide the gap.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::body::BodyKind;
use crate::dynamics::collider::Placement;
use crate::dynamics::contact::{ContactGeometry, touching_gap};
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::poses::{ColliderPair, Meeting, PlacedShapes, Scenery};
use crate::dynamics::solver::prepare::share_of;
use crate::dynamics::solver::rows::NONE;
use crate::geometry::Shape;
use crate::geometry::hull::{Hull, Plane};
use crate::math::{Mat3, Quat, Scalar, Vec3};

/// Points of a contact on which a body lies and does not only lean.
const FLAT: usize = 3;
/// Contacts that a thread looks at at a time.
const CONTACTS_AT_ONCE: usize = 64;

/// Whether two shapes that meet like this touch on the rim of a face of each.
#[must_use]
pub fn is_on_rim<S: Scalar>(placed: &PlacedShapes<'_, S>, meeting: &Meeting<S>) -> [bool; 2] {
    let Some(slack) = slack(placed.shapes) else { return [false; 2] };
    [0, 1].map(|owner: usize| {
        let from_slider = if owner == 0 { -meeting.centre_offset } else { meeting.centre_offset };
        let Placement { rotation, offset, .. } = placed.placements[owner];
        let owned = Neighbour { shape: placed.shapes[owner], rotation, centre: from_slider + offset };
        Edge::of(meeting, owner, &owned, slack).is_some()
    })
}

/// By how much faces may differ in height that continue each other, where these shapes meet: a small part of the smaller one, and of how
/// thin it is. What is large must not take the edges of small things for flush. `None` where a plane is one of them.
fn slack<S: Scalar>(shapes: [&Shape<S>; 2]) -> Option<S> {
    let [a, b] = shapes.map(Shape::largest_half_extent);
    let thicknesses = shapes.into_iter().filter_map(Shape::least_thickness);
    let least = |slack: S, thickness: S| slack.min(thickness.scale_by_power_of_two(-3));
    Some(thicknesses.fold(a?.min(b?).scale_by_power_of_two(-8), least))
}

/// How far a point may be from the centre of a hull that holds it, or is continued at it ([`Neighbour::held_of`]): planes moved out by up to
/// three times the slack are those of a hull that is as much larger as that is of the distance of the nearest of them. `None` where that is
/// more than twice as large.
fn reach_within<S: Scalar>(hull: &Hull<S>, slack: S) -> Option<S> {
    let (reach, nearest, moved) = (hull.reach(), hull.inner_radius(), slack * S::from_i32(3));
    (moved < nearest).then(|| reach + reach * (moved / nearest))
}

/// Whether a vector is no longer than this: most that are longer are so along one axis already, and need no root.
fn is_within<S: Scalar>(vector: Vec3<S>, limit: S) -> bool {
    vector.largest_component() <= limit && vector.length() <= limit
}

/// A face of a box, in world axes.
struct Face<S> {
    /// Outwards.
    normal: Vec3<S>,
    /// The way over its edge along which the normal of the contact leans: a unit vector.
    over: Vec3<S>,
    /// That normal along the face's, and along that way.
    leaning: [S; 2],
    /// By how much at most the height of what continues it may differ, metres.
    slack: S,
}

impl<S: Scalar> Face<S> {
    /// Whether the contact looks so far away from it that it is with a wall beneath.
    fn may_be_floor(&self) -> bool {
        self.leaning[0] < S::HALF
    }
}

/// A box or a half-space, relative to the centre of mass of the body that slides over it.
struct Neighbour<'a, S> {
    shape: &'a Shape<S>,
    rotation: Mat3<S>,
    centre: Vec3<S>,
}

impl<S: Scalar> Solve<'_, S> {
    /// Takes the points from contacts at seams.
    pub(super) fn drop_seams(&mut self) {
        self.find_flush();
        let mut are_at_seams = std::mem::take(&mut self.rows.are_at_seams);
        are_at_seams.clear();
        are_at_seams.resize(self.geometry.len(), false);
        // All of the solve is read while threads look: so it lends the executor out.
        let mut executor = std::mem::take(self.executor);
        executor.map(CONTACTS_AT_ONCE, self.geometry, &mut are_at_seams, |geometry| {
            let owners = [0, 1].into_iter().filter(|&owner: &usize| geometry.may_be_on_rim[owner]);
            !geometry.is_open && self.is_at_seam_of(owners, geometry, geometry.ahead)
        });
        *self.executor = executor;
        for number in (0..are_at_seams.len()).filter(|&number| are_at_seams[number]) {
            let place = self.rows.place[number];
            if place != NONE {
                self.rows.set_count(place as usize, 0);
            }
        }
        self.rows.are_at_seams = are_at_seams;
    }

    /// Finds which boxes may have a face that a neighbour continues: those that are near another one with a parallel face, and
    /// those whose neighbours are no pairs of theirs, for nothing pushes them or they hold together.
    fn find_flush(&mut self) {
        let mut flush = std::mem::take(&mut self.impacts.may_be_flush);
        flush.clear();
        flush.extend((0..self.colliders.len()).map(|collider| self.holds_together(collider)));
        for (link, pair) in (0..).zip(self.impacts.links.pairs()) {
            let [a, b] = pair.colliders.map(|collider| collider as usize);
            let is_known = flush[a] && flush[b];
            if is_known || self.is_far(link) || !self.has_level_faces(*pair) {
                continue;
            }
            (flush[a], flush[b]) = (true, true);
        }
        self.impacts.may_be_flush = flush;
    }

    /// Whether a collider is of a body that nothing pushes, that is joined to others or that has other colliders; or is a mesh, whose pairs
    /// are those of its facets.
    fn holds_together(&self, collider: usize) -> bool {
        let key = self.colliders.key[collider];
        let shares_body = |other: usize| self.colliders.key.get(other).is_some_and(|other| other.body == key.body);
        let body = self.bodies.index_of(key.body);
        let is_pushed = body.is_some_and(|body| self.bodies.kind[body] == BodyKind::Dynamic);
        !is_pushed
            || self.colliders.is_mesh[collider]
            || key.part > 0
            || shares_body(collider + 1)
            || !self.joints.is_empty()
    }

    /// Whether two shapes may have faces that look the same way and are nearly at one height at the start of the step: a box and
    /// another one, or a plane, or a hull and anything.
    fn has_level_faces(&self, pair: ColliderPair) -> bool {
        if pair.shapes(self.colliders).iter().any(|shape| matches!(shape, Shape::Hull(_))) {
            return true; // of so many faces two are soon level: to look for them costs more than what it saves
        }
        let [a, b] = [0, 1].map(|side: usize| self.at_start(pair.colliders[side], pair.bodies[side], pair.bodies[0]));
        match (a.shape, b.shape) {
            (&Shape::Cuboid { half_extents }, Shape::Cuboid { .. } | Shape::HalfSpace { .. }) => {
                a.may_be_continued(half_extents, &b, self.tolerance(pair, half_extents))
            }
            (Shape::HalfSpace { .. }, &Shape::Cuboid { half_extents }) => {
                b.may_be_continued(half_extents, &a, self.tolerance(pair, half_extents))
            }
            _ => false,
        }
    }

    /// By how much the heights of two faces may differ that can come to one height within the step.
    fn tolerance(&self, pair: ColliderPair, half_extents: Vec3<S>) -> S {
        let [a, b] = pair.bodies.map(|body| self.bodies.linear_velocity[body as usize]);
        (b - a).taxicab_length() * self.settings.step_seconds + half_extents.taxicab_length().scale_by_power_of_two(-3)
    }

    /// A collider of a body at the start of the step, seen from the centre of mass of another.
    fn at_start(&self, collider: u32, body: u32, from: u32) -> Neighbour<'_, S> {
        let index = body as usize;
        let local = &self.colliders.local[collider as usize];
        let placement = Placement::of(body, local, self.motion.rotation[index]);
        let centre = self.bodies.position[index] - self.bodies.position[from as usize] + placement.offset;
        Neighbour { shape: &self.colliders.shape[collider as usize], rotation: placement.rotation, centre }
    }

    /// Whether a contact, as it is `time` seconds after the start of the substep, is with an edge that a neighbour continues.
    pub(super) fn is_at_seam(&self, contact: &ContactGeometry<S>, time: S) -> bool {
        self.is_at_seam_of([0, 1].into_iter(), contact, time)
    }

    /// The same, where the edge is one of these sides.
    fn is_at_seam_of(&self, mut owners: impl Iterator<Item = usize>, contact: &ContactGeometry<S>, time: S) -> bool {
        let scenery = self.scenery();
        owners.any(|owner| {
            if !self.impacts.may_be_flush[contact.colliders[owner] as usize] {
                return false;
            }
            let pair = ColliderPair::of(contact);
            let Some(slack) = slack(pair.shapes(self.colliders)) else { return false };
            let body = pair.bodies[1 - owner];
            let owned = Neighbour::of(scenery, (pair, owner), body, time);
            let ContactGeometry { shape_offset_a, centre_offset, manifold, .. } = *contact;
            let meeting = Meeting { shape_offset_a, centre_offset, manifold };
            let Some(edge) = Edge::of(&meeting, owner, &owned, slack) else { return false };
            let mut held = [0; 3];
            // Most are too far away to continue anything.
            self.neighbours(contact, owner).filter(|&(.., link)| !self.is_far(link)).any(|(near, side, link)| {
                let shape = near.shapes(self.colliders)[side];
                let slack = self::slack([shape; 2]).map_or(slack, |own| slack.min(own));
                let neighbour = [near.colliders[side], near.bodies[side]];
                let may_continue =
                    self.may_hold(neighbour, (body, edge.points()), time, slack) && !self.is_apart(link, time, slack);
                may_continue
                    && edge.is_continued_by(&Neighbour::of(scenery, (near, side), body, time), slack, &mut held)
                    || self.lies_level_on((link, side), &edge)
            })
        })
    }

    /// Whether what slides lies flat on that side of a link, with its weight, at the height of a face on whose rim the contact is, as with a wall:
    /// that is below it, and the gap between the two does not matter. What would hold it up is not left out.
    fn lies_level_on(&self, (link, side): (u32, usize), edge: &Edge<S>) -> bool {
        if !edge.may_be_on_floor() {
            return false;
        }
        let open = link.checked_sub(self.links_of_rows()).map(|number| &self.open[number as usize]);
        let place = open.map_or(link, |open| open.rows);
        let Some(contact) = self.rows.contacts.get(place as usize) else { return false };
        let ContactGeometry { shape_offset_a, centre_offset, manifold, .. } = self.geometry[contact.contact as usize];
        let bearing = Meeting { shape_offset_a, centre_offset, manifold };
        let (mut bears, mut count) = ([Vec3::ZERO; MAX_POINTS], 0);
        for point in manifold.points().iter().filter(|point| point.separation <= touching_gap()) {
            (bears[count], count) = (bearing.on_surface(side, point), count + 1);
        }
        let (bears, outwards) = (&bears[..count], bearing.outwards(side));
        let parallel = S::ONE - S::ONE.scale_by_power_of_two(-20);
        let middle = bears.iter().fold(Vec3::ZERO, |sum, point| sum + *point) * share_of(count);
        edge.faces.iter().flatten().any(|face| {
            let height = face.normal.dot(middle);
            let is_level = |point: &Vec3<S>| (face.normal.dot(*point) - height).abs() <= touching_gap::<S>() * S::TWO;
            // Towards the wall it bears as far as where the centre of mass is, or nearly.
            let nearly = -face.over.dot(edge.points[0]).scale_by_power_of_two(-2);
            let bears_weight = bears.iter().any(|point| face.over.dot(*point) <= nearly);
            let is_floor = face.may_be_floor() && face.normal.dot(outwards) > parallel;
            count.min(contact.count) >= FLAT && is_floor && bears_weight && edge.points().iter().all(is_level)
        })
    }

    /// The other colliders that the collider which slides is near: the pair of both, which side of it the other is, and its link. Facets of
    /// the mesh that is touched are not among them.
    fn neighbours(
        &self,
        contact: &ContactGeometry<S>,
        owner: usize,
    ) -> impl Iterator<Item = (ColliderPair, usize, u32)> {
        let body = [contact.body_a, contact.body_b][1 - owner];
        let (slider, owner) = (contact.colliders[1 - owner], contact.colliders[owner]);
        self.impacts.links.of(body).map(|link| link.number).filter_map(move |link| {
            let pair = self.impacts.links.pair_of(link);
            let side = 1 - pair.colliders.iter().position(|&collider| collider == slider)?;
            (pair.colliders[side] != owner).then_some((pair, side, link))
        })
    }

    /// Whether one of some points, seen from the centre of mass of the body `from`, may be continued or held within `slack` by a box, for the attitude that the
    /// box had at the start of the step and how far it has turned since, or of a hull, however it is turned; of other shapes it may.
    fn may_hold(&self, [collider, body]: [u32; 2], (from, points): (u32, &[Vec3<S>]), time: S, slack: S) -> bool {
        let index = body as usize;
        let local = &self.colliders.local[collider as usize];
        let scenery = self.scenery();
        let between = scenery.position(body, time) - scenery.position(from, time);
        let half_extents = match self.colliders.shape[collider as usize] {
            Shape::Cuboid { half_extents } => half_extents,
            Shape::Hull(ref hull) => {
                let Some(within) = reach_within(hull, slack) else { return true };
                let within = local.position.length() + within;
                return points.iter().any(|&point| is_within(point - between, within));
            }
            _ => return true,
        };
        let turn = self.motion.delta_rotation[index] + scenery.spin(body) * time;
        points.iter().any(|&point| {
            let way = point - between;
            let strayed = turn.taxicab_length() * way.taxicab_length() + slack * S::from_i32(3);
            let in_body = self.motion.rotation[index].transpose_mul(way) - local.position;
            let inside = if local.orientation == Quat::IDENTITY {
                in_body
            } else {
                local.orientation.to_matrix().transpose_mul(in_body)
            };
            let outside = inside.abs() - half_extents;
            (outside.x <= strayed) & (outside.y <= strayed) & (outside.z <= strayed)
        })
    }

    /// Whether a link is an open pair whose shapes stay farther than `slack` from each other for `time` seconds.
    fn is_apart(&self, link: u32, time: S, slack: S) -> bool {
        let open = link.checked_sub(self.links_of_rows()).map(|number| &self.open[number as usize]);
        open.is_some_and(|open| open.rows == NONE && open.stays_apart((self.bodies, self.motion), time, slack))
    }
}

/// A contact on the rim of one or more faces of a box whose normals are not its own.
struct Edge<S> {
    faces: [Option<Face<S>>; 3],
    /// The points of the contact on the surface of the box, from the centre of mass of the body that slides over it.
    points: [Vec3<S>; MAX_POINTS],
    /// How many there are, not zero.
    count: usize,
}

impl<S: Scalar> Edge<S> {
    /// That of a contact with the box `owner`, which is `owned`, if the whole contact lies on the rim of such a face.
    fn of(contact: &Meeting<S>, owner: usize, owned: &Neighbour<'_, S>, slack: S) -> Option<Self> {
        let (outwards, on_surface) = (contact.outwards(owner), |point| contact.on_surface(owner, point));
        let known = contact.manifold.points();
        let first = on_surface(known.first()?) - owned.centre;
        let (flat, along) = (S::ONE - S::ONE.scale_by_power_of_two(-20), -S::ONE.scale_by_power_of_two(-6));
        // A face with this normal outwards, and this far from the centre.
        let face = |normal: Vec3<S>, offset: S, slack: S| {
            let leans = normal.dot(outwards);
            let is_on_rim = |from_centre: Vec3<S>| (normal.dot(from_centre) - offset).abs() <= slack;
            // The corner opposite the first comes next: of most contacts one of the two is not on the rim.
            let mut others = [2, 1, 3].into_iter().filter_map(|index| known.get(index));
            let are_on_rim = leans <= flat
                && leans >= along
                && is_on_rim(first)
                && others.all(|point| is_on_rim(on_surface(point) - owned.centre));
            let over = if are_on_rim { (outwards - normal * leans).normalise() } else { None };
            over.map(|(over, out)| Face { normal, over, leaning: [leans, out], slack })
        };
        let mut faces = [const { None }; 3];
        match *owned.shape {
            Shape::Cuboid { half_extents } => {
                for ((axis, half), place) in half_extents.to_array().into_iter().enumerate().zip(&mut faces) {
                    let column = owned.rotation.column(axis);
                    let normal = if column.dot(first) < S::ZERO { -column } else { column };
                    *place = face(normal, half, slack);
                }
            }
            Shape::Hull(ref hull) => {
                // In the axes of the hull first, which turns no normal; by more than what that can round.
                let in_hull = owned.rotation.transpose_mul(first);
                let rounding = first.taxicab_length() * (S::EPSILON * S::from_i32(64)) + S::from_ordered(64);
                let may_be_on_rim =
                    |plane: &&Plane<S>| (plane.normal.dot(in_hull) - plane.offset).abs() <= slack + rounding;
                let near = hull.planes().iter().filter(may_be_on_rim);
                let on_rim = near.filter_map(|plane| face(owned.rotation * plane.normal, plane.offset, slack));
                faces.iter_mut().zip(on_rim).for_each(|(place, face)| *place = Some(face));
            }
            Shape::Facet(ref facet) => {
                let of = |plane: Plane<S>, slack: S| face(owned.rotation * plane.normal, plane.offset, slack);
                // What touches the edge of a wall may be on the floor that the wall ends at, and another body continues.
                let level = slack.min(touching_gap::<S>().scale_by_power_of_two(2));
                let on_ridges = facet.ridges().filter_map(|(plane, ..)| of(plane, level));
                let on_rim = of(facet.planes()[0], slack).into_iter().chain(on_ridges);
                faces.iter_mut().zip(on_rim).for_each(|(place, face)| *place = Some(face));
            }
            Shape::Sphere { .. }
            | Shape::Capsule { .. }
            | Shape::Cylinder { .. }
            | Shape::Cone { .. }
            | Shape::Mesh(_)
            | Shape::HalfSpace { .. } => return None,
        }
        if faces.iter().all(Option::is_none) {
            return None;
        }
        let mut points = [Vec3::ZERO; MAX_POINTS];
        for (place, point) in points.iter_mut().zip(known) {
            *place = on_surface(point);
        }
        Some(Self { faces, points, count: known.len() })
    }

    fn points(&self) -> &[Vec3<S>] {
        self.points.get(..self.count).unwrap_or_default()
    }

    /// Whether one of its faces may be a floor at the height of what a wall ends in.
    fn may_be_on_floor(&self) -> bool {
        self.faces.iter().flatten().any(Face::may_be_floor)
    }

    /// Whether a neighbour, with those before it, continues one of the faces; `held` has of each face which points those before it hold.
    fn is_continued_by(&self, neighbour: &Neighbour<'_, S>, slack: S, held: &mut [u8; 3]) -> bool {
        let all = (1 << self.count) - 1;
        self.faces.iter().zip(held).any(|(face, held)| {
            let Some(face) = face else { return false };
            *held |= neighbour.held_of(face, self.points(), slack.min(face.slack));
            *held == all
        })
    }
}

impl<'a, S: Scalar> Neighbour<'a, S> {
    /// One side of a pair, seen from the centre of mass of a body.
    fn of(scenery: Scenery<'a, S>, (pair, side): (ColliderPair, usize), from: u32, time: S) -> Self {
        let (shape, body) = (pair.shapes(scenery.colliders)[side], pair.bodies[side]);
        let placement = scenery.placement(pair.colliders[side], body, time).of_piece(shape);
        let centre = scenery.position(body, time) - scenery.position(from, time) + placement.offset;
        Self { shape, rotation: placement.rotation, centre }
    }

    /// Whether a face of this box looks nearly the way of a face of another shape, and is at nearly the same height.
    fn may_be_continued(&self, half_extents: Vec3<S>, other: &Neighbour<'_, S>, tolerance: S) -> bool {
        let parallel = S::ONE - S::ONE.scale_by_power_of_two(-9);
        let (way, half) = (self.centre - other.centre, half_extents.to_array());
        (0..3).any(|axis| {
            let normal = self.rotation.column(axis);
            let (seen, height) = (other.rotation.transpose_mul(normal), normal.dot(way));
            // The height of the face of this box over that of the other, both looking along the axis, or both against it.
            let is_level = |own: S, others: S| (height + own - others).abs() <= tolerance;
            match *other.shape {
                Shape::HalfSpace { normal } => {
                    let cosine = normal.dot(seen);
                    (cosine > parallel && is_level(half[axis], S::ZERO))
                        || (cosine < -parallel && is_level(-half[axis], S::ZERO))
                }
                Shape::Cuboid { half_extents } => {
                    let sides = seen.to_array().into_iter().zip(half_extents.to_array());
                    let mut parallels = sides.filter(|(cosine, _)| cosine.abs() > parallel);
                    parallels.any(|(_, others)| is_level(half[axis], others) || is_level(-half[axis], -others))
                }
                Shape::Sphere { .. }
                | Shape::Capsule { .. }
                | Shape::Hull(_)
                | Shape::Cylinder { .. }
                | Shape::Cone { .. }
                | Shape::Mesh(_)
                | Shape::Facet(_) => false,
            }
        })
    }

    /// Over the edge from which of the points a face of this shape goes on, so that the contact cannot lean so far: a bit each.
    ///
    /// A little way on, and not at the point itself: where an edge ends at the inner corner of a body, or tiles meet in one corner, the
    /// neighbour is beside the edge and not over it, and the edge is felt.
    fn held_of(&self, face: &Face<S>, points: &[Vec3<S>], slack: S) -> u8 {
        let [normal, over] = [face.normal, face.over].map(|direction| self.rotation.transpose_mul(direction));
        let rounding = slack.scale_by_power_of_two(-4);
        // Up to the normal of a face that falls away beyond the edge the contact may lean.
        let hides = |plane: &Plane<S>| {
            let ([along, out], up) = (face.leaning, plane.normal.dot(normal));
            up > S::HALF && out * up > along * plane.normal.dot(over) + S::ONE.scale_by_power_of_two(-10)
        };
        let goes_on = |plane: &Plane<S>, point: Vec3<S>, is_within: &dyn Fn(Vec3<S>) -> bool| {
            let way = (over - plane.normal * plane.normal.dot(over)).normalise();
            let is_level = (plane.normal.dot(point) - plane.offset).abs() <= slack;
            is_level && way.is_some_and(|(way, _)| is_within(point + way * (slack + slack)))
        };
        let mut places = [Vec3::ZERO; MAX_POINTS];
        places.iter_mut().zip(points).for_each(|(place, point)| *place = self.local(*point));
        let held_by = |plane: &Plane<S>, is_within: &dyn Fn(Vec3<S>) -> bool| {
            let bits = places.iter().take(points.len()).enumerate();
            bits.fold(0, |held, (bit, &place)| held | u8::from(goes_on(plane, place, is_within)) << bit)
        };
        match *self.shape {
            Shape::Facet(ref facet) => {
                let front = &facet.planes()[0];
                let sides = || facet.outwards().iter().zip(facet.corners());
                let within =
                    |place: Vec3<S>| sides().all(|(outwards, corner)| outwards.dot(place - *corner) <= rounding);
                if hides(front) { held_by(front, &within) } else { 0 }
            }
            Shape::Cuboid { .. } | Shape::Hull(_) | Shape::HalfSpace { .. } => {
                let planes = self.shape.planes();
                let over = planes.iter().enumerate().filter(|(_, plane)| hides(plane));
                over.fold(0, |held, (own, plane)| {
                    let sides = || planes.iter().enumerate().filter(|&(number, _)| number != own);
                    let within =
                        |place: Vec3<S>| sides().all(|(_, side)| side.normal.dot(place) <= side.offset + rounding);
                    held | held_by(plane, &within)
                })
            }
            Shape::Sphere { .. }
            | Shape::Capsule { .. }
            | Shape::Cylinder { .. }
            | Shape::Cone { .. }
            | Shape::Mesh(_) => 0,
        }
    }

    /// A point in the axes of the shape.
    fn local(&self, point: Vec3<S>) -> Vec3<S> {
        self.rotation.transpose_mul(point - self.centre)
    }
}
