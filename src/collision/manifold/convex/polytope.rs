//! What convex shapes are to the tests of this folder: a polyhedron, or the core of something round.

use crate::collision::manifold::capsule_capsule::Capsule;
use crate::geometry::Facet;
use crate::geometry::hull::topology::CUBOID;
use crate::geometry::hull::{Edge, Hull, Plane, Topology};
use crate::math::{Mat3, Scalar, Vec3};

/// A convex polyhedron in its own axes.
#[derive(Clone, Copy)]
pub(super) struct Polytope<'a, S> {
    pub(super) corners: &'a [Vec3<S>],
    pub(super) planes: &'a [Plane<S>],
    /// The unit directions of the edges, each from its first corner to its second.
    pub(super) directions: &'a [Vec3<S>],
    pub(super) topology: &'a Topology,
    /// The largest coordinate of a corner.
    pub(super) largest: S,
    /// From the origin to the nearest face; of a facet to its nearest side.
    pub(super) smallest: S,
    /// Of a facet, which has no thickness, the directions out over its edges.
    outwards: Option<&'a [Vec3<S>]>,
    /// Of a cuboid, whose farthest corner is told by signs.
    pub(super) half_extents: Option<Vec3<S>>,
}

/// A cuboid with what a polyhedron has.
pub(super) struct CuboidParts<S> {
    half_extents: Vec3<S>,
    corners: [Vec3<S>; 8],
    planes: [Plane<S>; 6],
    directions: [Vec3<S>; 12],
}

impl<S: Scalar> CuboidParts<S> {
    /// Written out: it is made anew for every pair.
    pub(super) fn new(half_extents: Vec3<S>) -> Self {
        let Vec3 { x: right, y: top, z: front } = half_extents;
        let (left, bottom, back) = (-right, -top, -front);
        let corners = [
            Vec3::new(left, bottom, back),
            Vec3::new(right, bottom, back),
            Vec3::new(left, top, back),
            Vec3::new(right, top, back),
            Vec3::new(left, bottom, front),
            Vec3::new(right, bottom, front),
            Vec3::new(left, top, front),
            Vec3::new(right, top, front),
        ];
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z];
        let plane = |normal: Vec3<S>, offset: S| Plane { normal, offset };
        let planes =
            [plane(x, right), plane(-x, right), plane(y, top), plane(-y, top), plane(z, front), plane(-z, front)];
        Self { half_extents, corners, planes, directions: [y, z, -y, -z, z, y, -z, -y, x, -x, x, -x] }
    }

    pub(super) fn polytope(&self) -> Polytope<'_, S> {
        let Vec3 { x, y, z } = self.half_extents;
        Polytope {
            corners: &self.corners,
            planes: &self.planes,
            directions: &self.directions,
            topology: &CUBOID,
            largest: x.max(y).max(z),
            smallest: x.min(y).min(z),
            outwards: None,
            half_extents: Some(self.half_extents),
        }
    }
}

impl<'a, S: Scalar> Polytope<'a, S> {
    pub(super) fn of_hull(hull: &'a Hull<S>) -> Self {
        Self {
            corners: hull.corners(),
            planes: hull.planes(),
            directions: hull.directions(),
            topology: hull.exact().topology(),
            largest: hull.largest_half_extent(),
            smallest: hull.inner_radius(),
            outwards: None,
            half_extents: None,
        }
    }

    /// A flat polygon with a front and a back, about its own origin.
    pub(super) fn of_facet(facet: &'a Facet<S>) -> Self {
        Self {
            corners: facet.corners(),
            planes: facet.planes(),
            directions: facet.directions(),
            topology: facet.topology(),
            largest: facet.largest_half_extent(),
            smallest: facet.inner_radius(),
            outwards: Some(facet.outwards()),
            half_extents: None,
        }
    }

    /// Whether it has no thickness: then its planes do not bound it sideways.
    pub(super) const fn is_flat(&self) -> bool {
        self.outwards.is_some()
    }

    /// Whether all corners of a face are in its plane, but for so much.
    pub(super) fn is_flat_face(&self, face: usize, rounding: S) -> bool {
        let plane = &self.planes[face];
        let height = |&corner: &u16| plane.normal.dot(self.corner(corner)) - plane.offset;
        self.topology.face(face).iter().all(|corner| height(corner).abs() <= rounding)
    }

    /// A direction out of an edge: that between the normals of its faces.
    pub(super) fn outwards(&self, edge: usize) -> Vec3<S> {
        let [one, other] = self.edge(edge).faces.map(|face| self.planes[usize::from(face)].normal);
        self.outwards.map_or(one + other, |outwards| outwards[edge])
    }

    /// The corner farthest along a direction, the first of several.
    #[inline]
    pub(super) fn farthest(&self, direction: Vec3<S>) -> u16 {
        if let Some(corner) = self.half_extents.and_then(|half_extents| farthest_by_signs(half_extents, direction)) {
            return corner;
        }
        first_of_largest(self.corners, |&corner| direction.dot(corner)).0 as u16
    }

    /// How far it reaches along a direction.
    fn reach_along(&self, direction: Vec3<S>) -> S {
        match self.half_extents {
            Some(half_extents) => half_extents.dot(direction.abs()),
            None => first_of_largest(self.corners, |&corner| direction.dot(corner)).1,
        }
    }

    /// The face that looks most along a direction, the first of several, and the cosine between the two.
    pub(super) fn facing(&self, direction: Vec3<S>) -> (usize, S) {
        first_of_largest(self.planes, |plane| direction.dot(plane.normal))
    }

    /// Of the faces at the corner farthest along a direction the one that looks most along it, the first of several.
    pub(super) fn face_at_farthest(&self, direction: Vec3<S>) -> usize {
        let corner = self.farthest(direction);
        let faces = self.topology.faces_at(corner).iter().map(|&face| usize::from(face));
        let cosine = |face: usize| direction.dot(self.planes[face].normal);
        faces.reduce(|best, next| if cosine(next) > cosine(best) { next } else { best }).unwrap_or(0)
    }

    /// Whether one of the faces at a corner looks along a unit direction, but for 0.9 degrees: of more, as below a gentle dome, corners that are
    /// far and do not touch would be taken for those that do.
    pub(super) fn is_on_level_face(&self, corner: u16, direction: Vec3<S>) -> bool {
        let level = S::ONE - S::ONE.scale_by_power_of_two(-13);
        let mut faces = self.topology.faces_at(corner).iter();
        faces.any(|&face| direction.dot(self.planes[usize::from(face)].normal) >= level)
    }

    pub(super) fn corner(&self, number: u16) -> Vec3<S> {
        self.corners[usize::from(number)]
    }

    pub(super) fn edge(&self, number: usize) -> Edge {
        self.topology.edges()[number]
    }

    /// The corner in which the edges of these numbers meet.
    pub(super) fn corner_between(&self, edges: [u16; 2]) -> Option<u16> {
        let [one, other] = edges.map(|edge| self.edge(usize::from(edge)).corners);
        one.into_iter().find(|corner| other.contains(corner))
    }

    /// The edge of this number as a line: where it begins, its unit direction, its length.
    pub(super) fn line(&self, number: usize) -> Line<S> {
        let [from, to] = self.edge(number).corners.map(|corner| self.corner(corner));
        let direction = self.directions[number];
        Line { start: from, direction, length: direction.dot(to - from) }
    }
}

/// The place of the item of largest value, the first of several, and that value. (Four or eight of them side by side are no quicker:
/// measured.)
#[inline(always)]
pub(super) fn first_of_largest<T, S: Scalar>(items: &[T], value: impl Fn(&T) -> S) -> (usize, S) {
    let Some((first, rest)) = items.split_first() else { return (0, S::ZERO) };
    let mut best = (0, value(first));
    for (place, item) in (1..).zip(rest) {
        let value = value(item);
        best = if value > best.1 { (place, value) } else { best };
    }
    best
}

/// The corner of a cuboid farthest along a direction, the first of several; `None` where rounding may make several equally far.
#[inline]
fn farthest_by_signs<S: Scalar>(half_extents: Vec3<S>, direction: Vec3<S>) -> Option<u16> {
    let along = half_extents.component_mul(direction).to_array();
    let [x, y, z] = along.map(S::abs);
    let rounding = (x + y + z) * (S::EPSILON * S::from_i32(8)) + S::from_ordered(8);
    let is_told =
        along.into_iter().zip(direction.to_array()).all(|(along, part)| part == S::ZERO || along.abs() > rounding);
    let bit = |axis: usize| u16::from(along[axis] > S::ZERO) << axis;
    is_told.then(|| bit(0) | bit(1) | bit(2))
}

/// A straight piece.
#[derive(Clone, Copy)]
pub(super) struct Line<S> {
    pub(super) start: Vec3<S>,
    /// Of length one.
    pub(super) direction: Vec3<S>,
    pub(super) length: S,
}

/// A convex shape without the radius that goes around it, in its own axes.
#[derive(Clone, Copy)]
pub(super) enum Core<'a, S> {
    /// Of a ball.
    Point,
    /// Of a capsule: the unit direction of its axis and half its length. Its lower end is corner 0, its upper end corner 1.
    Segment { direction: Vec3<S>, half_height: S },
    /// A polyhedron is all core.
    Polytope(Polytope<'a, S>),
}

/// What the roundings of one gap of shapes can add up to whose largest half extents have this sum: eight units in the last place of the
/// sizes, and in fixed point eight of its resolution.
pub(super) fn rounding_of<S: Scalar>(sizes: S) -> S {
    (sizes + sizes + sizes) * (S::EPSILON * S::from_i32(8)) + S::from_ordered(8)
}

/// The gap up to which shapes of that rounding count as overlapping: its direction is mostly rounding.
pub(super) fn tiny_of<S: Scalar>(rounding: S) -> S {
    rounding.scale_by_power_of_two(7)
}

/// A polyhedron, the core of another shape, and how that lies to the polyhedron, in whose axes all is.
pub(super) struct CorePair<'a, S> {
    pub(super) a: Polytope<'a, S>,
    pub(super) b: Core<'a, S>,
    /// The radius around the core.
    pub(super) radius: S,
    /// Turns the axes of B into those of A.
    pub(super) relative: Mat3<S>,
    /// From the origin of A to that of B.
    pub(super) offset: Vec3<S>,
}

impl<'a, S: Scalar> CorePair<'a, S> {
    /// A polyhedron and a core that stand like this in the world.
    pub(super) fn new(
        (a, rotation_a): (Polytope<'a, S>, &Mat3<S>),
        (b, radius, rotation_b): (Core<'a, S>, S, &Mat3<S>),
        offset: Vec3<S>,
    ) -> Self {
        let offset = rotation_a.transpose_mul(offset);
        Self { a, b, radius, relative: rotation_a.transpose() * *rotation_b, offset }
    }

    /// A polyhedron and a capsule; the capsule has its axis in the axes of the world.
    pub(super) fn with_capsule(
        (a, rotation_a): (Polytope<'a, S>, &Mat3<S>),
        capsule: Capsule<S>,
        offset: Vec3<S>,
    ) -> Self {
        let core = Core::Segment { direction: capsule.axis, half_height: capsule.half_height };
        Self::new((a, rotation_a), (core, capsule.radius, &Mat3::IDENTITY), offset)
    }

    /// A place of B in the axes of A.
    pub(super) fn placed(&self, place: Vec3<S>) -> Vec3<S> {
        self.offset + self.relative * place
    }

    /// A corner of the core in the axes of A.
    pub(super) fn corner_of_b(&self, number: u16) -> Vec3<S> {
        match self.b {
            Core::Point => self.offset,
            Core::Segment { direction, half_height } => {
                self.placed(direction * if number == 0 { -half_height } else { half_height })
            }
            Core::Polytope(b) => self.placed(b.corner(number)),
        }
    }

    /// The corner of the core farthest along a direction in the axes of A.
    pub(super) fn farthest_of_b(&self, direction: Vec3<S>) -> u16 {
        let direction = self.relative.transpose_mul(direction);
        match self.b {
            Core::Point => 0,
            Core::Segment { direction: axis, .. } => u16::from(direction.dot(axis) > S::ZERO),
            Core::Polytope(b) => b.farthest(direction),
        }
    }

    /// At what height along a unit direction in the axes of A the core begins, from the origin of A.
    pub(super) fn lowest_of_b(&self, direction: Vec3<S>) -> S {
        let along = self.relative.transpose_mul(direction);
        let reach = match self.b {
            Core::Point => S::ZERO,
            Core::Segment { direction: axis, half_height } => axis.dot(along).abs() * half_height,
            Core::Polytope(b) => b.reach_along(-along),
        };
        direction.dot(self.offset) - reach
    }

    /// How many edges the core has.
    pub(super) fn edges_of_b(&self) -> usize {
        match self.b {
            Core::Point => 0,
            Core::Segment { .. } => 1,
            Core::Polytope(b) => b.topology.edges().len(),
        }
    }

    /// Where an edge of the core begins, in the axes of A.
    pub(super) fn start_of_edge_of_b(&self, edge: usize) -> Vec3<S> {
        match self.b {
            Core::Polytope(b) => self.placed(b.corner(b.edge(edge).corners[0])),
            Core::Point | Core::Segment { .. } => self.corner_of_b(0),
        }
    }

    /// The unit direction of an edge of the core in the axes of A.
    pub(super) fn direction_of_b(&self, edge: usize) -> Vec3<S> {
        match self.b {
            Core::Polytope(b) => self.relative * b.directions[edge],
            Core::Segment { direction, .. } => self.relative * direction,
            Core::Point => Vec3::Y,
        }
    }

    /// An edge of the core as a line in the axes of A.
    pub(super) fn line_of_b(&self, edge: usize) -> Line<S> {
        let length = match self.b {
            Core::Polytope(b) => b.line(edge).length,
            Core::Segment { half_height, .. } => half_height + half_height,
            Core::Point => S::ZERO,
        };
        Line { start: self.start_of_edge_of_b(edge), direction: self.direction_of_b(edge), length }
    }

    /// The gap of the cores along a unit direction in the axes of A, from A to B.
    pub(super) fn gap_along(&self, normal: Vec3<S>) -> S {
        let (a, b) = (self.a.farthest(normal), self.farthest_of_b(-normal));
        normal.dot(self.corner_of_b(b) - self.a.corner(a))
    }

    /// What the roundings of one gap can add up to.
    pub(super) fn rounding(&self) -> S {
        let largest_b = match self.b {
            Core::Point => S::ZERO,
            Core::Segment { half_height, .. } => half_height,
            Core::Polytope(b) => b.largest,
        };
        rounding_of(self.a.largest + largest_b + self.radius)
    }

    /// Cores as near as this count as overlapping.
    pub(super) fn tiny(&self) -> S {
        tiny_of(self.rounding())
    }

    /// The least half thickness of the two.
    pub(super) fn smallest(&self) -> S {
        match self.b {
            Core::Polytope(b) => self.a.smallest.min(b.smallest),
            Core::Point | Core::Segment { .. } => self.a.smallest.min(self.radius),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CuboidParts, Polytope, farthest_by_signs, first_of_largest};
    use crate::collision::manifold::tests::RandomShapes;
    use crate::geometry::hull::topology::CUBOID;
    use crate::math::{Fixed, Scalar, SplitMix64, Vec3};

    /// Corners lie on the side that their bits tell, faces look along axes, and edges lead from corner to corner.
    #[test]
    fn a_cuboid_is_what_its_topology_says() {
        let parts = CuboidParts::new(Vec3::new(1.0, 2.0, 4.0_f32));
        for (number, corner) in parts.corners.iter().enumerate() {
            let sides = [0, 1, 2].map(|axis| if number & (1 << axis) == 0 { -1.0 } else { 1.0 });
            assert_eq!(corner.to_array(), [sides[0], 2.0 * sides[1], 4.0 * sides[2]]);
        }
        for (face, plane) in parts.planes.iter().enumerate() {
            let on_face = |&corner: &u16| plane.normal.dot(parts.corners[usize::from(corner)]) == plane.offset;
            assert!(CUBOID.face(face).iter().all(on_face), "{face}");
        }
        for (edge, direction) in CUBOID.edges().iter().zip(parts.directions) {
            let [from, to] = edge.corners.map(|corner| parts.corners[usize::from(corner)]);
            assert_eq!((to - from).direction(), Some(direction), "{edge:?}");
        }
    }

    #[test]
    fn the_first_of_the_largest_is_found_in_lists_of_any_length() {
        let mut random = SplitMix64::new(6);
        for count in 1..40 {
            for _ in 0..200 {
                let values: Vec<f64> = (0..count).map(|_| random.index(8) as f64 - 4.0).collect();
                let first = values.iter().enumerate().rev().max_by(|a, b| a.1.total_cmp(b.1));
                assert_eq!(
                    Some(first_of_largest(&values, |&value| value)),
                    first.map(|(place, &value)| (place, value))
                );
            }
        }
    }

    /// Directions along axes, nearly so and any other have the corner that a look at all of them has.
    #[test]
    fn signs_tell_the_first_of_the_farthest_corners() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(5);
            let mut told = 0;
            for _ in 0..20_000 {
                let [x, y, z] = [(); 3].map(|()| S::ONE.scale_by_power_of_two(random.index(12) as i32 - 8));
                let half_extents = Vec3::new(x, y, z);
                let small = |random: &mut SplitMix64, part: S| match random.index(4) {
                    0 => S::ZERO,
                    1 => part.scale_by_power_of_two(-(random.index(40) as i32)),
                    _ => part,
                };
                let [x, y, z] = random.direction::<S>().to_array().map(|part| small(&mut random, part));
                let direction = Vec3::new(x, y, z);
                let parts = CuboidParts::new(half_extents);
                let scanned = Polytope { half_extents: None, ..parts.polytope() }.farthest(direction);
                assert_eq!(parts.polytope().farthest(direction), scanned, "{half_extents:?} {direction:?}");
                told += u32::from(farthest_by_signs(half_extents, direction).is_some());
            }
            assert!(told > 10_000, "{told}");
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }
}
