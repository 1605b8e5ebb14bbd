//! Edges that are no edges: where the faces of two boxes lie flush, what slides over both must not stumble at the seam.
//!
//! Each pair of shapes is looked at alone, so the edge of a box that a neighbour continues looks like any other edge. Its
//! contact is left out when the point lies on a face of the box, within the neighbour's face at the same height, and the
//! normal is not that of the faces: the surface is flat there, and no other normal can be true.

use crate::dynamics::contact::ContactGeometry;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::poses::Scenery;
use crate::geometry::Shape;
use crate::math::{Mat3, Scalar, Vec3};

/// A face of a box, in world axes.
struct Face<S> {
    /// Outwards.
    normal: Vec3<S>,
    /// A point of its plane, from the centre of mass of the body that slides over it.
    point: Vec3<S>,
}

/// A box or a half-space, relative to the centre of mass of the body that slides over it.
struct Neighbour<S> {
    shape: Shape<S>,
    rotation: Mat3<S>,
    centre: Vec3<S>,
}

impl<S: Scalar> Solve<'_, S> {
    /// Takes the points from contacts at seams.
    pub(super) fn drop_seams(&mut self) {
        for place in 0..self.rows.contacts.len() {
            let number = self.rows.contacts[place].contact as usize;
            if self.is_at_seam(&self.geometry[number], S::ZERO) {
                self.rows.contacts[place].count = 0;
            }
        }
    }

    /// Whether a contact, as it is `time` seconds after the start of the substep, is with an edge that a neighbour continues.
    pub(super) fn is_at_seam(&self, contact: &ContactGeometry<S>, time: S) -> bool {
        let scenery = self.scenery();
        [0, 1].into_iter().any(|owner: usize| {
            let slider = contact.colliders[1 - owner];
            let Some(size) = self.colliders.shape[slider as usize].largest_half_extent() else { return false };
            let slack = size.scale_by_power_of_two(-8);
            let edges = faces_of_edge(contact, owner, (scenery, time), slack);
            edges.into_iter().flatten().any(|(face, points)| {
                self.neighbours(contact, owner).any(|neighbour| {
                    let body = [contact.body_a, contact.body_b][1 - owner];
                    points[0].is_some_and(|point| is_near(scenery, neighbour, (body, point), time))
                        && Neighbour::of(scenery, neighbour, body, time).continues(
                            &face,
                            points.iter().flatten(),
                            slack,
                        )
                })
            })
        })
    }

    /// The other colliders, with their bodies, that the collider which slides is near.
    fn neighbours(&self, contact: &ContactGeometry<S>, owner: usize) -> impl Iterator<Item = [u32; 2]> {
        let body = [contact.body_a, contact.body_b][1 - owner];
        let (slider, owner) = (contact.colliders[1 - owner], contact.colliders[owner]);
        self.impacts.links_of(body).filter_map(move |link| {
            let (colliders, bodies) = self.pair_of(link);
            let side = colliders.iter().position(|&collider| collider == slider)?;
            (colliders[1 - side] != owner).then_some([colliders[1 - side], bodies[1 - side]])
        })
    }

    /// The colliders and bodies of a link.
    pub(super) fn pair_of(&self, link: u32) -> ([u32; 2], [u32; 2]) {
        let rows = self.links_of_rows();
        if link < rows {
            let geometry = &self.geometry[self.rows.contacts[link as usize].contact as usize];
            (geometry.colliders, [geometry.body_a, geometry.body_b])
        } else {
            let open = &self.open[(link - rows) as usize];
            (open.colliders, open.bodies)
        }
    }
}

/// Points of a contact on the surface of one of its shapes, from the centre of mass of the other body.
type SurfacePoints<S> = [Option<Vec3<S>>; 4];

/// The faces of the box `owner` on whose rim the whole contact lies and whose normal is not that of the contact.
fn faces_of_edge<S: Scalar>(
    contact: &ContactGeometry<S>,
    owner: usize,
    (scenery, time): (Scenery<'_, S>, S),
    slack: S,
) -> [Option<(Face<S>, SurfacePoints<S>)>; 3] {
    let mut faces = [const { None }; 3];
    let bodies = [contact.body_a, contact.body_b];
    let Shape::Cuboid { half_extents } = scenery.colliders.shape[contact.colliders[owner] as usize] else {
        return faces;
    };
    let owned = Neighbour::of(scenery, [contact.colliders[owner], bodies[owner]], bodies[1 - owner], time);
    let outwards = if owner == 0 { contact.manifold.normal } else { -contact.manifold.normal };
    let from_slider = if owner == 0 { contact.between } else { Vec3::ZERO };
    let mut points = [None; 4];
    for (slot, point) in points.iter_mut().zip(contact.manifold.points()) {
        let half_gap = outwards * (point.separation * S::HALF);
        *slot = Some(contact.shape_a + point.position - from_slider - half_gap);
    }
    let local_normal = owned.rotation.transpose_mul(outwards).to_array();
    let (flat, along) = (S::ONE - S::ONE.scale_by_power_of_two(-20), -S::ONE.scale_by_power_of_two(-6));
    for (axis, slot) in faces.iter_mut().enumerate() {
        let half = half_extents.to_array()[axis];
        let mut sides = points.iter().flatten().map(|&point| owned.local(point)[axis]);
        let is_negative = sides.clone().next().is_some_and(|side| side < S::ZERO);
        let signed = |value: S| if is_negative { -value } else { value };
        let leans = signed(local_normal[axis]);
        if leans > flat || leans < along || !sides.all(|side| (signed(side) - half).abs() <= slack) {
            continue;
        }
        let normal = owned.rotation.column(axis);
        let normal = if is_negative { -normal } else { normal };
        *slot = Some((Face { normal, point: owned.centre + normal * half }, points));
    }
    faces
}

/// Whether a point, seen from the centre of mass of the body `from`, can be on the surface of a collider.
fn is_near<S: Scalar>(
    scenery: Scenery<'_, S>,
    [collider, body]: [u32; 2],
    (from, point): (u32, Vec3<S>),
    time: S,
) -> bool {
    let Shape::Cuboid { half_extents } = scenery.colliders.shape[collider as usize] else { return true };
    let reach = half_extents.taxicab_length() + scenery.colliders.local[collider as usize].position.taxicab_length();
    let way = point - (scenery.position(body, time) - scenery.position(from, time));
    way.to_array().into_iter().all(|component| component.abs() <= reach)
}

impl<S: Scalar> Neighbour<S> {
    /// A collider of a body, seen from the centre of mass of another.
    fn of(scenery: Scenery<'_, S>, [collider, body]: [u32; 2], from: u32, time: S) -> Self {
        let placement = scenery.placement(collider, body, time);
        let centre = scenery.position(body, time) - scenery.position(from, time) + placement.offset;
        Self { shape: scenery.colliders.shape[collider as usize], rotation: placement.rotation, centre }
    }

    /// A point in the axes of the shape.
    fn local(&self, point: Vec3<S>) -> [S; 3] {
        self.rotation.transpose_mul(point - self.centre).to_array()
    }

    /// Whether a face of this shape goes on where that face ends, at the same height, and holds the points.
    fn continues<'a>(&self, face: &Face<S>, mut points: impl Iterator<Item = &'a Vec3<S>>, slack: S) -> bool {
        let normal = self.rotation.transpose_mul(face.normal);
        let parallel = S::ONE - S::ONE.scale_by_power_of_two(-13);
        match self.shape {
            Shape::HalfSpace { normal: own } => {
                own.dot(normal) > parallel && face.normal.dot(face.point - self.centre).abs() <= slack
            }
            Shape::Cuboid { half_extents } => {
                let (normal, half) = (normal.to_array(), half_extents.to_array());
                let Some(axis) = normal.into_iter().position(|component| component.abs() > parallel) else {
                    return false;
                };
                let height = face.normal.dot(face.point - self.centre) - half[axis];
                height.abs() <= slack
                    && points.all(|point| {
                        let local = self.local(*point);
                        (0..3).all(|side| side == axis || local[side].abs() <= half[side] + slack)
                    })
            }
            Shape::Sphere { .. } | Shape::Capsule { .. } => false,
        }
    }
}
