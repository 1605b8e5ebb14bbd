//! A flat piece of a mesh, a triangle or several in one plane, with what a contact with it needs to know of its neighbours.

use std::sync::Arc;

use crate::geometry::aabb::Aabb;
use crate::geometry::hull::{GridPoint, Plane, Topology, on_grid, unit};
use crate::geometry::mesh::exact::{Beyond, ExactMesh, middle, scaled_down};
use crate::geometry::mesh::few::Few;
use crate::geometry::mesh::patches::{MOST_SIDES, Patch};
use crate::math::{Mat3, Scalar, Vec3};

/// How far a normal may lean over a side of a facet: up to the normal of its neighbour there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rim<S> {
    /// Not at all: the surface goes on in the same plane, but for a thousandth of a radian, or rises.
    Level,
    /// As far as the neighbour's normal, whose parts along that of the facet and out over the side these are; at an open end of the
    /// mesh a right angle.
    Ridge {
        /// Along the facet's own normal.
        up: S,
        /// Out over the side, in the facet's plane; positive.
        out: S,
    },
}

/// How a direction lies to the normals of a facet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lean {
    /// It is that of the facet, as far as can be told.
    Face,
    /// Between that of the facet and those of neighbours that fall away.
    Between,
    /// Over a side at which the surface goes on: what the facet pushes there it pushes along its normal.
    OverLevel,
    /// In its plane, as far as can be told, over a side with nothing beyond: what stands across the end of the surface leaves that way.
    OverEnd,
    /// Beyond a ridge, or behind: a neighbour or nothing pushes there.
    Beyond,
}

/// What of a facet a point belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its inside.
    Inside,
    /// The side of this number.
    Side(usize),
    /// The corner of this number.
    Corner(usize),
}

/// What is beyond a side of a facet, and at the corner at which it begins.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Side<S> {
    rim: Rim<S>,
    /// Whether there is nothing over it, or the other front of a surface that has two.
    is_open: bool,
    /// Whether the surface ends or falls away at its corner, over a side of this facet or of another.
    is_sharp: bool,
}

/// A convex flat piece of a mesh in the mesh's axes, in metres. It has a front only.
#[derive(Clone, Debug, PartialEq)]
pub struct Facet<S> {
    /// From the mesh's origin to the facet's own, in its middle: what is near it is measured from there.
    origin: Vec3<S>,
    /// Of its front and its back.
    planes: [Plane<S>; 2],
    /// Side by side, for facets of large meshes come from memory: the corners from the facet's origin, counter-clockwise as seen from the
    /// front; the unit directions of its sides, each from its corner of that number to the next; and those out over its sides, in its plane.
    vectors: Few<Vec3<S>, 9>,
    sides: Few<Side<S>, 3>,
    /// Of a polyhedron with a front, which is face 0, and a back; edge i leads from corner i to the next.
    topology: Arc<Topology>,
    /// The largest coordinate of a corner.
    largest: S,
    /// The radius of the largest circle in it.
    inner_radius: S,
    /// How far beside the sides of its triangles its own may lie, metres.
    off_sides: S,
}

impl<S: Scalar> Facet<S> {
    /// A patch of a mesh, by what is beyond the sides of the mesh's triangles; `topology` is that of [`both_faces`] of its corners.
    pub(super) fn new(mesh: &ExactMesh, patch: &Patch, beyond: &[[Beyond; 3]], topology: Arc<Topology>) -> Self {
        let placed: Vec<GridPoint> = patch.corners(mesh).map(|corner| mesh.corners()[corner as usize]).collect();
        let middle = middle(&placed);
        let seen_from = |corner: GridPoint| [0, 1, 2].map(|axis| corner[axis] - middle[axis]);
        let corners: Vec<Vec3<S>> = placed.iter().map(|&corner| on_grid(seen_from(corner), mesh.exponent())).collect();
        let normal = direction::<S>(patch.area());
        let offset_along = |normal: Vec3<S>| corners.iter().map(|&corner| normal.dot(corner)).fold(-S::MAX, S::max);
        let (offset, back) = (offset_along(normal), offset_along(-normal));
        let following = placed.iter().cycle().skip(1);
        let directions = placed.iter().zip(following);
        let directions =
            directions.map(|(from, to)| direction([0, 1, 2].map(|axis| i128::from(to[axis] - from[axis]))));
        let directions: Vec<Vec3<S>> = directions.collect();
        let outwards: Vec<Vec3<S>> = directions.iter().map(|along| along.cross(normal)).collect();
        let beyond = |place: usize| {
            let (triangle, side) = patch.sides()[place].first();
            beyond[triangle as usize][side]
        };
        let side = |(place, &outwards): (usize, &Vec3<S>)| {
            let (rim, is_open) = rim(mesh, beyond(place), (normal, outwards));
            Side { rim, is_open, is_sharp: false }
        };
        Self {
            origin: on_grid(middle, mesh.exponent()),
            sides: outwards.iter().enumerate().map(side).collect(),
            largest: corners.iter().map(|corner| corner.largest_component()).fold(S::ZERO, S::max),
            // In any direction in its plane, and as much again of what is beside it.
            off_sides: on_grid::<S>([4 * patch.off(), 0, 0], mesh.exponent()).x,
            inner_radius: inner_radius(&corners, &outwards),
            planes: [Plane { normal, offset }, Plane { normal: -normal, offset: back }],
            vectors: [corners, directions, outwards].into_iter().flatten().collect(),
            topology,
        }
    }

    /// The same with what is known of its corners from all the facets that meet there: at which of them the surface ends or falls away.
    #[must_use]
    pub(super) fn with_sharp_corners(mut self, are_sharp: impl Iterator<Item = bool>) -> Self {
        for (side, is_sharp) in self.sides.iter_mut().zip(are_sharp) {
            side.is_sharp = is_sharp;
        }
        self
    }

    /// The vectors of one kind, by how many kinds come before.
    #[inline(always)]
    fn vectors(&self, kinds_before: usize) -> &[Vec3<S>] {
        let count = self.sides.len();
        &self.vectors[kinds_before * count..][..count]
    }

    /// From the mesh's origin to the facet's.
    #[inline]
    #[must_use]
    pub const fn origin(&self) -> Vec3<S> {
        self.origin
    }

    /// The corners from the facet's origin, counter-clockwise as seen from the front.
    #[inline]
    #[must_use]
    pub fn corners(&self) -> &[Vec3<S>] {
        self.vectors(0)
    }

    /// The planes of its front and its back, from its origin.
    #[inline]
    #[must_use]
    pub const fn planes(&self) -> &[Plane<S>; 2] {
        &self.planes
    }

    /// Its two faces and its sides, as of a polyhedron.
    #[inline]
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The unit normal out of the front.
    #[inline]
    #[must_use]
    pub const fn normal(&self) -> Vec3<S> {
        self.planes[0].normal
    }

    /// The unit directions of its sides.
    #[inline]
    #[must_use]
    pub fn directions(&self) -> &[Vec3<S>] {
        self.vectors(1)
    }

    /// The unit directions out over its sides.
    #[inline]
    #[must_use]
    pub fn outwards(&self) -> &[Vec3<S>] {
        self.vectors(2)
    }

    /// What lies beyond its sides.
    #[inline]
    pub fn rims(&self) -> impl Iterator<Item = Rim<S>> {
        self.sides.iter().map(|side| side.rim)
    }

    /// The planes, from its origin, of the neighbours that fall away over its sides; of one that falls away by more than a right angle that of
    /// such a one by a right angle. With each how far it leads along the facet's own normal, and a corner on it.
    #[inline]
    pub fn ridges(&self) -> impl Iterator<Item = (Plane<S>, S, Vec3<S>)> {
        let sides = self.outwards().iter().zip(self.corners()).zip(self.sides.iter());
        sides.filter_map(|((outwards, corner), side)| match side.rim {
            Rim::Ridge { up, out } if !side.is_open => {
                let normal = self.normal() * up + *outwards * out;
                Some((Plane { normal, offset: normal.dot(*corner) }, up, *corner))
            }
            Rim::Ridge { .. } | Rim::Level => None,
        })
    }

    /// Whether the surface goes on in its plane, or rises, over each of its sides.
    #[inline]
    #[must_use]
    pub fn is_level_around(&self) -> bool {
        self.rims().all(|rim| rim == Rim::Level)
    }

    /// Whether the surface neither ends nor falls away at any of its corners.
    #[inline]
    #[must_use]
    pub fn has_blunt_corners(&self) -> bool {
        !self.sides.iter().any(|side| side.is_sharp)
    }

    /// Whether one corner lies farther along a unit direction in its axes than the others, and the surface ends or falls away there.
    #[must_use]
    pub fn is_sharp_along(&self, direction: Vec3<S>) -> bool {
        let along = |corner: &Vec3<S>| direction.dot(*corner);
        let slack = self.largest.scale_by_power_of_two(-10);
        let most = self.reach_along(direction);
        let mut farthest =
            self.corners().iter().zip(self.sides.iter()).filter(|(corner, _)| along(corner) >= most - slack);
        let first = farthest.next();
        first.is_some_and(|(_, side)| side.is_sharp) && farthest.next().is_none()
    }

    /// How far beyond each of its sides it may carry so much, metres: where the surface goes on level or rises.
    #[must_use]
    pub fn carried_over(&self, size: S) -> [S; MOST_SIDES] {
        let mut over = [S::ZERO; MOST_SIDES];
        for (over, rim) in over.iter_mut().zip(self.rims()) {
            *over = if rim == Rim::Level { size } else { S::ZERO };
        }
        over
    }

    /// The largest coordinate of a corner from its origin, metres.
    #[must_use]
    pub const fn largest_half_extent(&self) -> S {
        self.largest
    }

    /// How far beside the sides of its triangles its own may lie, metres: what goes through between two facets is to meet one of them.
    #[must_use]
    pub const fn off_sides(&self) -> S {
        self.off_sides
    }

    /// At most the radius of the largest circle in it, metres.
    #[must_use]
    pub const fn inner_radius(&self) -> S {
        self.inner_radius
    }

    /// How far the facet reaches from its origin along a direction in its axes.
    #[inline]
    #[must_use]
    pub fn reach_along(&self, direction: Vec3<S>) -> S {
        self.corners().iter().map(|&corner| direction.dot(corner)).fold(-S::MAX, S::max)
    }

    /// The corner that lies farthest along a direction in its axes, the first of several.
    #[must_use]
    pub fn farthest_corner(&self, direction: Vec3<S>) -> Vec3<S> {
        let along = |corner: Vec3<S>| direction.dot(corner);
        let corners = self.corners().iter().copied();
        corners.reduce(|best, next| if along(next) > along(best) { next } else { best }).unwrap_or(Vec3::ZERO)
    }

    /// How a unit direction in its axes, from the facet to what it touches, lies to its normals; it is known up to a turn by `slack`.
    ///
    /// What counts is what is beyond the sides from which it leads. At an obtuse corner a direction out over one side leads out over the
    /// next as well, and over more of a facet with many: how the surface goes on there is of no matter to what touches this side.
    #[must_use]
    pub fn lean(&self, direction: Vec3<S>, slack: S) -> Lean {
        let along = direction.dot(self.normal());
        if along < -slack {
            return Lean::Beyond;
        }
        let mut lean = Lean::Face;
        for side in self.sides_along(direction, slack).into_iter().flatten() {
            let over = direction.dot(self.outwards()[side]);
            match self.sides[side].rim {
                Rim::Level if over > slack => lean = Lean::OverLevel,
                Rim::Ridge { up, out } if over * up > along * out + slack => return Lean::Beyond,
                Rim::Ridge { .. } if over > slack && lean == Lean::Face => lean = Lean::Between,
                Rim::Level | Rim::Ridge { .. } => {}
            }
        }
        let is_over_end = |side: &usize| self.sides[*side].is_open && direction.dot(self.outwards()[*side]) > slack;
        let is_in_plane = along <= slack && lean == Lean::Between;
        if is_in_plane && self.sides_along(direction, slack).iter().flatten().any(is_over_end) {
            return Lean::OverEnd;
        }
        // What else leaves in its plane is beyond it, but where the surface goes on there.
        if along > S::ZERO || lean == Lean::OverLevel { lean } else { Lean::Beyond }
    }

    /// The side that lies farthest along a direction, which is known up to a turn by `slack`, or both sides of the corner that does.
    fn sides_along(&self, direction: Vec3<S>, slack: S) -> [Option<usize>; 2] {
        let along = |corner: usize| direction.dot(self.corners()[corner]);
        let count = self.sides.len();
        let farthest = (1..count).fold(0, |best, next| if along(next) > along(best) { next } else { best });
        let before = if farthest == 0 { count - 1 } else { farthest - 1 };
        let is_level = |side: usize| direction.dot(self.directions()[side]).abs() <= slack;
        match (is_level(before), is_level(farthest)) {
            (true, false) => [Some(before), None],
            (false, true) => [Some(farthest), None],
            _ => [Some(before), Some(farthest)],
        }
    }

    /// Whether so many points in its axes all lie on its rim, where the surface falls away: what touches only there slips off, or comes
    /// from where the surface is hidden. What ends with nothing beyond is felt up to its end.
    #[must_use]
    pub fn has_on_rim(&self, points: &[Vec3<S>]) -> bool {
        let width = S::ONE.scale_by_power_of_two(-12).min(self.inner_radius * S::HALF);
        let falls_away = |side: &Side<S>| side.rim != Rim::Level && !side.is_open;
        let places = self.outwards().iter().zip(self.corners());
        let mut sides = places.zip(self.sides.iter()).filter(|(_, side)| falls_away(side)).map(|(place, _)| place);
        !points.is_empty()
            && sides.any(|(outwards, corner)| points.iter().all(|point| outwards.dot(*point - *corner) >= -width))
    }

    /// Whether something parts from the surface no later along the normal of the facet than along that of any neighbour that falls away: so
    /// on a ridge one of the two facets pushes, however the point of a tip lies to the side between them. `lowest_along` tells at what height
    /// along a direction in its axes the thing begins, from the facet's origin; two that differ by `slack`, metres, are alike.
    #[must_use]
    pub fn is_nearest_way_out(&self, lowest_along: impl Fn(Vec3<S>) -> S, slack: S) -> bool {
        let behind = |plane: Plane<S>| plane.offset - lowest_along(plane.normal);
        self.ridges().all(|(beyond, up, corner)| {
            let own = Plane { normal: self.normal(), offset: self.normal().dot(corner) };
            let later = behind(beyond) - behind(own);
            // Over an edge of 60 degrees and more it has to be clear: a wall hidden under a floor is not felt by what slides over it.
            if up > S::HALF { later >= -slack } else { later > S::ONE.scale_by_power_of_two(-10) }
        })
    }

    /// From the point of the facet that is nearest to a place in its axes to that place; and how many corners that point is between: all,
    /// the two of the side of a number, or one by its number.
    #[must_use]
    pub fn nearest(&self, place: Vec3<S>) -> (Vec3<S>, Part) {
        let (corners, outwards) = (self.corners(), self.outwards());
        let beyond = |side: usize| outwards[side].dot(place - corners[side]);
        let count = corners.len();
        if (0..count).all(|side| beyond(side) <= S::ZERO) {
            let front = &self.planes[0];
            return (front.normal * (front.normal.dot(place) - front.offset), Part::Inside);
        }
        let directions = self.directions();
        let on_side = |side: usize| {
            let next = if side + 1 == count { 0 } else { side + 1 };
            let (from, to) = (corners[side], corners[next]);
            let (way, along) = (place - from, directions[side].dot(place - from));
            match along {
                _ if along <= S::ZERO => (way, Part::Corner(side)),
                _ if along >= directions[side].dot(to - from) => (place - to, Part::Corner(next)),
                _ => (way - directions[side] * along, Part::Side(side)),
            }
        };
        let sides = (0..count).filter(|&side| beyond(side) > S::ZERO).map(on_side);
        let nearer = |best: (Vec3<S>, Part), next: (Vec3<S>, Part)| {
            if next.0.length() < best.0.length() { next } else { best }
        };
        sides.reduce(nearer).unwrap_or((Vec3::ZERO, Part::Inside))
    }

    /// Whether a straight way between two places in its axes goes through it: from the front, or not; `None` where it does not.
    #[must_use]
    pub fn is_crossed(&self, from: Vec3<S>, to: Vec3<S>) -> Option<bool> {
        let height = |place: Vec3<S>| self.normal().dot(place) - self.planes[0].offset;
        let (before, behind) = (height(from), height(to));
        if (before > S::ZERO) == (behind > S::ZERO) {
            return None;
        }
        let point = from + (to - from) * (before / (before - behind));
        let mut sides = self.outwards().iter().zip(self.corners());
        sides.all(|(outwards, corner)| outwards.dot(point - *corner) <= self.off_sides).then_some(before > S::ZERO)
    }

    /// The box around it in the mesh's axes, from the mesh's origin.
    #[must_use]
    pub fn bounds(&self) -> Aabb<S> {
        box_around(self.corners().iter().map(|&corner| self.origin + corner))
    }

    /// The box around the facet turned by `rotation`, about its origin.
    #[must_use]
    pub fn aabb(&self, rotation: &Mat3<S>) -> Aabb<S> {
        box_around(self.corners().iter().map(|&corner| *rotation * corner))
    }
}

/// The loops of the two faces of so many corners in one plane, counter-clockwise each as seen from its side.
pub(super) fn both_faces(corners: usize) -> Vec<Vec<u16>> {
    let front: Vec<u16> = (0..).take(corners).collect();
    let back = front.iter().rev().copied().collect();
    vec![front, back]
}

/// How far a normal may lean over the side of a facet of this normal, by what is beyond it in this direction; and whether nothing is, or the
/// back of the facet, as at the rim of a surface with two fronts.
fn rim<S: Scalar>(mesh: &ExactMesh, beyond: Beyond, (normal, outwards): (Vec3<S>, Vec3<S>)) -> (Rim<S>, bool) {
    let end = Rim::Ridge { up: S::ZERO, out: S::ONE };
    let other = match beyond {
        Beyond::Level => return (Rim::Level, false),
        Beyond::Nothing => return (end, true),
        Beyond::Ridge(other) => direction::<S>(mesh.normal(other as usize)),
    };
    let (up, out) = (other.dot(normal), other.dot(outwards));
    let tiny = S::ONE.scale_by_power_of_two(-10);
    if up < S::ZERO && out.abs() <= tiny {
        (end, true)
    } else if out <= tiny {
        (Rim::Level, false) // written with so many digits, a plane that leans is one
    } else if up <= S::ZERO {
        (end, false)
    } else {
        (Rim::Ridge { up, out }, false)
    }
}

/// At most the radius of the largest circle in a facet, metres: from the middle of its corners to the nearest side. Of a triangle that is a
/// third of the height on its longest side.
fn inner_radius<S: Scalar>(corners: &[Vec3<S>], outwards: &[Vec3<S>]) -> S {
    let count = corners.len();
    let distance = |side: usize| {
        let others = (2..count).map(|step| corners[(side + step) % count]);
        let sum =
            others.map(|corner| -outwards[side].dot(corner - corners[side])).fold(S::ZERO, |sum, next| sum + next);
        sum / S::from_i32(i32::try_from(count).unwrap_or(i32::MAX))
    };
    (0..count).map(distance).reduce(S::min).unwrap_or(S::ZERO)
}

/// The box around some points.
fn box_around<S: Scalar>(points: impl Iterator<Item = Vec3<S>>) -> Aabb<S> {
    points.map(|point| Aabb::new(point, point)).reduce(|all, next| all.union(&next)).unwrap_or_default()
}

/// The direction of a vector of whole numbers.
pub(super) fn direction<S: Scalar>(vector: [i128; 3]) -> Vec3<S> {
    unit(scaled_down(vector).map(|component| component as i64))
}
