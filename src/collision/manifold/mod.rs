//! The contact points of one pair of shapes, one file per pair family.
//!
//! Only the difference of the two positions enters, so a translated scene gives the same bits in fixed point. Each pair
//! is computed in one fixed order of its shapes and mirrored for the other order, so that the order in which a caller
//! names them does not matter.

mod bearing;
mod capsule_capsule;
mod convex;
mod cuboid_capsule;
mod cuboid_clip;
mod cuboid_corner;
mod cuboid_cuboid;
mod cuboid_face;
mod cuboid_sat;
mod cuboid_way;
mod half_space;
mod mesh;
mod mesh_on_half_space;
mod method;
mod reduction;
mod round;
mod sphere_cuboid;
#[cfg(test)]
pub(crate) mod tests;

use std::cmp::Ordering;

pub use bearing::Bearing;
pub(in crate::collision) use capsule_capsule::{Capsule, nearest_places};
pub use convex::{Axis, AxisLook, EpaLook, EpaRound, GjkLook, GjkRound};
pub(in crate::collision) use convex::{CoreDepth, depth_of_cores, gap_of_cores, overlap_threshold};
pub(in crate::collision) use convex::{Meeting, cast_cores, sharp_normal};
pub(in crate::collision) use convex::{look_by_axes, look_by_epa, look_by_gjk};
pub(in crate::collision) use mesh::box_in_axes;
pub use method::{ContactSearch, NarrowPhase, collide_by};
pub(in crate::collision) use sphere_cuboid::above_box;

use crate::collision::manifold::method::in_order;
use crate::geometry::hull::ContentHash;
use crate::geometry::{Shape, ShapeKind};
use crate::math::{Mat3, Scalar, Vec3};

/// The most points a manifold holds.
pub const MAX_POINTS: usize = 4;

/// The most points that the manifold of two shapes of these kinds can have.
#[must_use]
pub fn most_points(a: ShapeKind, b: ShapeKind) -> usize {
    match (a.min(b), a.max(b)) {
        (ShapeKind::Sphere, _) => 1,
        (_, ShapeKind::Capsule) | (ShapeKind::Capsule, _) => 2,
        _ => MAX_POINTS,
    }
}

/// Whether the faces of overlapping polyhedra with these normals count as parallel, within 2^-10: what is soft gives way by no more than that.
/// The normal is then that of the larger one. A body that lies across a seam overlaps one of the two beside it least along its own face,
/// for its corners are deeper and beyond the seam: it leans, and would be pressed aside.
fn are_parallel<S: Scalar>(one: Vec3<S>, other: Vec3<S>) -> bool {
    (one - other).largest_component() <= S::ONE.scale_by_power_of_two(-10)
}

/// Names the features (vertices, edges, faces) that make a contact point, so that the point is found again in the next
/// step. Unique within a manifold; means nothing between different pairs of shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId(pub u32);

/// One contact point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ManifoldPoint<S> {
    /// Midway between the two surfaces, in metres, along the world axes, from the origin of shape A.
    pub position: Vec3<S>,
    /// The gap along the normal, in metres; negative where the shapes overlap.
    pub separation: S,
    /// What touches what.
    pub feature: FeatureId,
}

/// With which of two shapes the normal of their contact turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// With the first, whose face it is.
    First,
    /// With the second, whose face it is.
    Second,
    /// With both, half and half: it is no face's.
    #[default]
    Both,
}

impl Carrier {
    /// The same with the two shapes exchanged.
    const fn flipped(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
            Self::Both => Self::Both,
        }
    }
}

/// Where two shapes touch: up to four points and their common normal.
#[derive(Clone, Copy, Debug)]
pub struct Manifold<S> {
    /// The unit normal from A to B, along the world axes. Without points it means something only where `apart` does.
    pub normal: Vec3<S>,
    /// Without points: how far the shapes are apart along the normal, in metres; zero where that is not known.
    pub apart: S,
    /// With which shape the normal turns.
    pub carrier: Carrier,
    points: [ManifoldPoint<S>; MAX_POINTS],
    count: usize,
}

impl<S: Scalar> PartialEq for Manifold<S> {
    fn eq(&self, other: &Self) -> bool {
        (self.normal, self.apart, self.carrier) == (other.normal, other.apart, other.carrier)
            && self.points() == other.points()
    }
}

impl<S: Scalar> Manifold<S> {
    /// A manifold without points.
    #[must_use]
    pub fn empty() -> Self {
        Self::with_normal(Vec3::Y)
    }

    /// A manifold of this normal, still without points.
    #[inline]
    #[must_use]
    pub fn with_normal(normal: Vec3<S>) -> Self {
        Self {
            normal,
            apart: S::ZERO,
            carrier: Carrier::Both,
            points: [ManifoldPoint::default(); MAX_POINTS],
            count: 0,
        }
    }

    /// Makes it one of this normal, without points. What lies where points were is left as it is.
    #[inline]
    pub fn restart(&mut self, normal: Vec3<S>) {
        (self.normal, self.apart, self.carrier, self.count) = (normal, S::ZERO, Carrier::Both, 0);
    }

    /// A manifold without points of shapes that are this far apart along a direction.
    #[inline]
    #[must_use]
    fn of_apart(normal: Vec3<S>, gap: S) -> Self {
        Self { apart: gap, ..Self::with_normal(normal) }
    }

    /// The manifold of a facet that leaves what is near it to its neighbours: as near as can be, for whoever looks for a meeting has to
    /// look again soon.
    fn of_left_to_neighbours(normal: Vec3<S>) -> Self {
        Self::of_apart(normal, Self::left_gap())
    }

    /// What such a manifold says of the gap, metres.
    fn left_gap() -> S {
        S::ONE.scale_by_power_of_two(-18)
    }

    /// How far shapes are apart along the normal that have no point, metres, where that is known.
    #[inline]
    #[must_use]
    pub fn seen_apart(&self) -> Option<S> {
        (self.is_empty() && self.apart > Self::left_gap()).then_some(self.apart)
    }

    /// Whether a facet leaves what is near it to its neighbours: it may be the next that is touched.
    #[inline]
    #[must_use]
    pub fn is_left_to_neighbours(&self) -> bool {
        self.is_empty() && self.apart > S::ZERO && self.apart <= Self::left_gap()
    }

    /// A manifold without points of shapes whose cores of these radii are nearest along a vector.
    #[cold]
    #[must_use]
    fn of_apart_along(way: Vec3<S>, radii: S) -> Self {
        way.normalise().map_or_else(Self::empty, |(normal, distance)| Self::of_apart(normal, distance - radii))
    }

    /// The points, at most [`MAX_POINTS`], each feature once.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint<S>] {
        self.points.get(..self.count).unwrap_or_default()
    }

    /// The smallest gap of any point, metres; `None` without points.
    #[inline]
    #[must_use]
    pub fn gap(&self) -> Option<S> {
        self.points().iter().map(|point| point.separation).reduce(S::min)
    }

    /// The point with the least gap, the first of several: where it lies on A and on B, from the origin of A, and the gap.
    pub(in crate::collision) fn nearest(&self) -> Option<([Vec3<S>; 2], S)> {
        let points = self.points().iter();
        let nearest = points.reduce(|best, next| if next.separation < best.separation { next } else { best })?;
        let half_gap = self.normal * (nearest.separation * S::HALF);
        Some(([nearest.position - half_gap, nearest.position + half_gap], nearest.separation))
    }

    /// Whether there are no points.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a point of a feature that has none yet. Dropped when the manifold is full, or when floats overflowed on the way: no NaN leaves this module.
    #[inline]
    pub fn push(&mut self, position: Vec3<S>, separation: S, feature: u32) {
        let is_sound = position.is_finite() && separation.is_finite() && self.normal.is_finite();
        if let Some(slot) = self.points.get_mut(self.count).filter(|_| is_sound) {
            *slot = ManifoldPoint { position, separation, feature: FeatureId(feature) };
            self.count += 1;
        }
    }

    /// The same contact with its deepest point at least as deep as this gap along the normal: no pair of points shows less
    /// than the gap, but those that were looked at may be others than the nearest.
    #[must_use]
    fn reaching(mut self, gap: S) -> Self {
        let mut points = self.points.iter_mut().take(self.count);
        if let Some(first) = points.next() {
            let deepest = points.fold(first, |best, new| if new.separation < best.separation { new } else { best });
            deepest.separation = deepest.separation.min(gap);
        }
        self
    }

    /// The same contact seen from a place that lies `back` before the origin of A.
    #[must_use]
    fn moved(mut self, back: Vec3<S>) -> Self {
        self.points.iter_mut().take(self.count).for_each(|point| point.position += back);
        self
    }

    /// The same contact with the two shapes exchanged; `offset` leads from the origin of the old A to that of the old B.
    #[must_use]
    pub fn flipped(self, offset: Vec3<S>) -> Self {
        let carrier = self.carrier.flipped();
        let mut flipped = Self { carrier, ..Self::of_apart(-self.normal, self.apart) };
        for point in self.points() {
            flipped.push(point.position - offset, point.separation, point.feature.0);
        }
        flipped
    }
}

/// One shape with its orientation, as a pair function takes it.
#[derive(Clone, Copy)]
struct Placed<'a, S> {
    shape: &'a Shape<S>,
    rotation: &'a Mat3<S>,
}

/// The contact manifold of two shapes.
///
/// `offset` leads from the origin of A to the origin of B along the world axes, in metres. Points with a separation up
/// to `margin` (metres, not negative) are kept, so that a solver can stop shapes before they touch. Two half-spaces have
/// none. Exchanging A and B (and negating `offset`) gives the same points with the normal turned round, except for two
/// identical shapes in the very same place, where no direction is better than another.
///
/// Sizes and offsets whose squares overflow the scalar give no points. Of a whole mesh the facet that comes nearest touches, alone.
#[must_use]
pub fn collide<S: Scalar>(
    a: &Shape<S>,
    rotation_a: &Mat3<S>,
    b: &Shape<S>,
    rotation_b: &Mat3<S>,
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    in_order((a, rotation_a), (b, rotation_b), offset, |first, second, offset| {
        collide_ordered(first, second, offset, (margin, Bearing::NONE))
    })
}

/// Whether a pair is computed as it stands: shapes by kind, then the larger first, whose face then carries the smaller one.
///
/// Shapes of equal kind and size are ordered by where they lie along a fixed direction. That direction is far from the
/// axes and diagonals along which things are stacked, so resting bodies do not change places while they jitter.
fn is_in_order<S: Scalar>(a: Placed<'_, S>, b: Placed<'_, S>, offset: Vec3<S>) -> bool {
    let by_kind = a.shape.kind().cmp(&b.shape.kind());
    let largest = |shape: &Shape<S>| [shape.largest_half_extent().unwrap_or(S::ZERO)];
    let by_size = by_kind.then_with(|| compare(&largest(b.shape), &largest(a.shape)));
    let by_shape = by_size.then_with(|| compare(&a.shape.parameters(), &b.shape.parameters()));
    let by_content = by_shape.then_with(|| content(a.shape).cmp(&content(b.shape)));
    let by_place = by_content.then_with(|| {
        let direction = Vec3::new(S::from_i32(3), S::from_i32(7), S::from_i32(5));
        compare(&[S::ZERO], &[direction.dot(offset)]).then_with(|| compare(&[S::ZERO; 3], &offset.to_array()))
    });
    let by_rotation = by_place.then_with(|| {
        let entries = |rotation: &Mat3<S>| rotation.rows.map(Vec3::to_array);
        compare(entries(a.rotation).as_flattened(), entries(b.rotation).as_flattened())
    });
    by_rotation != Ordering::Greater
}

/// What a hull or a mesh is called by its content; of other shapes their sizes say all.
fn content<S: Scalar>(shape: &Shape<S>) -> Option<ContentHash> {
    match shape {
        Shape::Hull(hull) => Some(hull.exact().content()),
        Shape::Mesh(mesh) => Some(mesh.exact().content()),
        _ => None,
    }
}

/// The lexicographic order of two lists of numbers of equal length.
fn compare<S: Scalar>(left: &[S], right: &[S]) -> Ordering {
    left.iter().map(|number| number.to_ordered()).cmp(right.iter().map(|number| number.to_ordered()))
}

/// The manifold of a pair whose kinds ascend.
fn collide_ordered<S: Scalar>(
    a: Placed<'_, S>,
    b: Placed<'_, S>,
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let (rotation_a, rotation_b) = (a.rotation, b.rotation);
    match (a.shape, b.shape) {
        (&Shape::Sphere { radius: radius_a }, &Shape::Sphere { radius: radius_b }) => {
            round::spheres(radius_a, radius_b, offset, margin)
        }
        (&Shape::Sphere { radius }, &Shape::Cuboid { half_extents }) => {
            sphere_cuboid::collide(radius, half_extents, rotation_b, offset, margin)
        }
        (&Shape::Sphere { radius: sphere }, &Shape::Capsule { half_height, radius }) => round::sphere_and_capsule(
            sphere,
            capsule_capsule::Capsule::new(half_height, radius, rotation_b),
            offset,
            margin,
        ),
        (&Shape::Sphere { radius }, &Shape::HalfSpace { normal }) => {
            half_space::sphere(radius, *rotation_b * normal, offset, margin)
        }
        (&Shape::Cuboid { half_extents: half_a }, &Shape::Cuboid { half_extents: half_b }) => {
            cuboid_cuboid::collide((half_a, rotation_a), (half_b, rotation_b), offset, (margin, bearing))
        }
        (&Shape::Cuboid { half_extents }, &Shape::Capsule { half_height, radius }) => {
            let capsule = capsule_capsule::Capsule::new(half_height, radius, rotation_b);
            cuboid_capsule::collide((half_extents, rotation_a), capsule, offset, margin)
        }
        (&Shape::Cuboid { half_extents }, &Shape::HalfSpace { normal }) => {
            half_space::cuboid((half_extents, rotation_a), *rotation_b * normal, offset, margin)
        }
        (
            &Shape::Capsule { half_height: height_a, radius: radius_a },
            &Shape::Capsule { half_height: height_b, radius: radius_b },
        ) => {
            let first = capsule_capsule::Capsule::new(height_a, radius_a, rotation_a);
            let second = capsule_capsule::Capsule::new(height_b, radius_b, rotation_b);
            capsule_capsule::collide(first, second, offset, margin)
        }
        (&Shape::Capsule { half_height, radius }, &Shape::HalfSpace { normal }) => {
            let capsule = capsule_capsule::Capsule::new(half_height, radius, rotation_a);
            half_space::capsule(capsule, *rotation_b * normal, offset, margin)
        }
        (&Shape::Sphere { radius }, Shape::Hull(hull)) => {
            convex::hull_and_sphere((hull, rotation_b), radius, -offset, margin).flipped(-offset)
        }
        (&Shape::Cuboid { half_extents }, Shape::Hull(hull)) => {
            convex::cuboid_and_hull((half_extents, rotation_a), (hull, rotation_b), offset, (margin, bearing))
        }
        (&Shape::Capsule { half_height, radius }, Shape::Hull(hull)) => {
            let capsule = capsule_capsule::Capsule::new(half_height, radius, rotation_a);
            convex::hull_and_capsule((hull, rotation_b), capsule, -offset, margin).flipped(-offset)
        }
        (Shape::Hull(hull_a), Shape::Hull(hull_b)) => {
            convex::hulls((hull_a, rotation_a), (hull_b, rotation_b), offset, (margin, bearing))
        }
        (Shape::Hull(hull), &Shape::HalfSpace { normal }) => {
            convex::hull_on_half_space((hull, rotation_a), *rotation_b * normal, offset, (margin, bearing))
        }
        (&Shape::Sphere { radius }, Shape::Cylinder { .. } | Shape::Cone { .. }) => {
            convex::sphere_and_round(radius, (b.shape, rotation_b), offset, margin)
        }
        (&Shape::Cylinder { half_height, radius }, &Shape::HalfSpace { normal }) => {
            let cylinder = (half_height, radius, rotation_a);
            convex::cylinder_on_half_space(cylinder, *rotation_b * normal, offset, (margin, bearing))
        }
        (&Shape::Cone { half_height, radius }, &Shape::HalfSpace { normal }) => convex::cone_on_half_space(
            (half_height, radius, rotation_a),
            *rotation_b * normal,
            offset,
            (margin, bearing),
        ),
        (_, Shape::Cylinder { .. } | Shape::Cone { .. }) => {
            convex::solids((a.shape, rotation_a), (b.shape, rotation_b), offset, (margin, bearing))
        }
        (_, Shape::Facet(_)) => {
            convex::facet_and_convex((b.shape, rotation_b), (a.shape, rotation_a), -offset, (margin, None, bearing))
                .flipped(-offset)
        }
        (&Shape::HalfSpace { normal }, Shape::Mesh(mesh)) => {
            let mesh = (mesh.as_ref(), rotation_b);
            mesh_on_half_space::mesh_on_half_space(mesh, *rotation_a * normal, -offset, (margin, bearing))
                .flipped(-offset)
        }
        (_, Shape::Mesh(mesh)) => mesh::mesh_and_convex((mesh, rotation_b), a, -offset, margin).flipped(-offset),
        _ => Manifold::empty(), // two half-spaces; every other pair has come in ascending order
    }
}
