//! One pair of colliders, where they are now, looked at by every method of the narrow phase.

use crate::collision::query::{PairLook, closest, look_at, nearest_facet};
use crate::dynamics::apart::Apart;
use crate::dynamics::body::BodyKind;
use crate::dynamics::pair_filter::PairFilter;
use crate::geometry::Shape;
use crate::math::{Mat3, Scalar, Vec3};
use crate::world::World;
use crate::world::queries::Queries;
use crate::world::sensors::NamedCollider;

/// A pair and what the methods say of it.
#[derive(Clone, Debug)]
pub struct LookedAt<S: Scalar> {
    /// Which colliders.
    pub colliders: [NamedCollider; 2],
    /// Which triangle was looked at, from 0, where one of the two is a mesh.
    pub triangle: Option<u32>,
    /// The two shapes; of a mesh that triangle.
    pub shapes: [Shape<S>; 2],
    /// Their turns.
    pub rotations: [Mat3<S>; 2],
    /// Their origins, world frame, metres.
    pub origins: [Vec3<S>; 2],
    /// What the methods say, from the origin of the first.
    pub look: PairLook<S>,
    /// Why no step makes a contact of the two however they lie, if that is so.
    pub unmet: Option<Unmet>,
}

/// Why two colliders are passed over when a step looks for contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmet {
    /// Neither body is moved by forces.
    NoneDynamic,
    /// One is a sensor.
    Sensor,
    /// A joint joins the bodies, or the scene excludes them as a pair.
    Apart,
    /// Their filters.
    Filter,
    /// Both are meshes, which do not meet each other.
    Surfaces,
}

/// A collider as it is looked at.
struct Side<S: Scalar> {
    collider: u32,
    shape: Shape<S>,
    rotation: Mat3<S>,
    origin: Vec3<S>,
}

impl<S: Scalar> Queries<'_, S> {
    /// Two bodies, by id, looked at by every method: the colliders of those parts, or where none is said the pair that is nearest, sensors too.
    /// `None` where a body has no such part.
    #[must_use]
    pub fn look_at_pair(&self, bodies: [u32; 2], parts: [Option<u32>; 2]) -> Option<LookedAt<S>> {
        let [first, second] = [0, 1].map(|side| self.sides_of(bodies[side], parts[side]));
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a, b)));
        // What has no distance, as two half-spaces, comes last.
        let (a, b) = pairs.min_by_key(|(a, b)| distance(a, b).map_or(S::MAX, |distance| distance).to_ordered())?;
        Some(self.look(a, b))
    }

    fn sides_of(&self, body: u32, part: Option<u32>) -> Vec<Side<S>> {
        let numbers = self.world.colliders.of_body(body).filter_map(|collider| u32::try_from(collider).ok());
        let wanted = numbers.filter(|&collider| {
            let key = self.world.colliders.key[collider as usize];
            part.is_none_or(|part| key.part == part)
        });
        wanted.map(|collider| self.side(collider)).collect()
    }

    fn side(&self, collider: u32) -> Side<S> {
        let placed = self.placed(collider);
        let rotation = placed.placement.rotation;
        Side { collider, shape: self.shape(collider).clone(), rotation, origin: placed.origin }
    }

    fn look(&self, a: &Side<S>, b: &Side<S>) -> LookedAt<S> {
        let (first, of_first) = nearest_piece(a, b);
        let (second, of_second) = nearest_piece(b, a);
        let settings = &self.world.settings;
        let ranges = (settings.contact_search(), settings.contact_margin);
        let offset = second.origin - first.origin;
        let look = look_at((&first.shape, &first.rotation), (&second.shape, &second.rotation), offset, ranges);
        LookedAt {
            colliders: [a.collider, b.collider].map(|collider| self.named(collider)),
            triangle: of_first.or(of_second),
            rotations: [first.rotation, second.rotation],
            origins: [first.origin, second.origin],
            shapes: [first.shape, second.shape],
            look,
            unmet: self.unmet([a.collider, b.collider]),
        }
    }

    fn unmet(&self, colliders: [u32; 2]) -> Option<Unmet> {
        let World { bodies, colliders: all, joints, excluded, .. } = self.world;
        let of = colliders.map(|collider| self.body(collider));
        let mut apart = Apart::default();
        apart.find(joints, excluded);
        let filter = PairFilter { bodies, colliders: all, apart: &apart };
        if filter.push(colliders, of) {
            return None;
        }
        Some(if of.iter().all(|&body| bodies.kind[body] != BodyKind::Dynamic) {
            Unmet::NoneDynamic
        } else if colliders.iter().any(|&collider| all.is_sensor[collider as usize]) {
            Unmet::Sensor
        } else if apart.holds(bodies.id[of[0]], bodies.id[of[1]]) {
            Unmet::Apart
        } else if filter.pass_as_surfaces(colliders, of) {
            Unmet::Surfaces
        } else {
            Unmet::Filter
        })
    }
}

fn distance<S: Scalar>(a: &Side<S>, b: &Side<S>) -> Option<S> {
    closest((&a.shape, &a.rotation), (&b.shape, &b.rotation), b.origin - a.origin).map(|closest| closest.distance)
}

/// Of a mesh the facet that is nearest to the other shape, and its number; of all else, and beside a half-space, the shape.
fn nearest_piece<S: Scalar>(side: &Side<S>, other: &Side<S>) -> (Side<S>, Option<u32>) {
    let whole =
        || Side { collider: side.collider, shape: side.shape.clone(), rotation: side.rotation, origin: side.origin };
    let Shape::Mesh(mesh) = &side.shape else { return (whole(), None) };
    if matches!(other.shape, Shape::HalfSpace { .. }) {
        return (whole(), None); // met by corners, of whatever facets they are
    }
    let offset = other.origin - side.origin;
    let found = nearest_facet((mesh, &side.rotation), (&other.shape, &other.rotation), offset);
    let Some((number, _)) = found else { return (whole(), None) };
    let piece = mesh.piece(number);
    let Shape::Facet(facet) = piece else { return (whole(), None) };
    let origin = side.origin + side.rotation * facet.origin();
    (Side { shape: piece.clone(), origin, ..whole() }, Some(number))
}
