//! A triangle of a mesh, with what a contact with it needs to know of its neighbours.

use crate::geometry::aabb::Aabb;
use crate::geometry::hull::Plane;
use crate::geometry::hull::{GridPoint, on_grid, unit};
use crate::geometry::mesh::exact::{Beyond, ExactMesh, middle, scaled_down};
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

/// A triangle of a mesh in the mesh's axes, in metres. It has a front only.
#[derive(Clone, Debug, PartialEq)]
pub struct Facet<S> {
    /// From the mesh's origin to the facet's own, in its middle: what is near it is measured from there.
    origin: Vec3<S>,
    /// From the facet's origin, counter-clockwise as seen from the front.
    corners: [Vec3<S>; 3],
    /// Of its front and its back.
    planes: [Plane<S>; 2],
    /// The unit directions of its sides, each from its corner of that number to the next.
    directions: [Vec3<S>; 3],
    /// The unit directions out over its sides, in its plane.
    outwards: [Vec3<S>; 3],
    rims: [Rim<S>; 3],
    /// Over which sides there is nothing.
    is_open: [bool; 3],
    /// At which corners the surface ends or falls away, over a side of this facet or of another.
    is_sharp: [bool; 3],
    /// The largest coordinate of a corner.
    largest: S,
    /// The radius of the largest circle in it.
    inner_radius: S,
}

impl<S: Scalar> Facet<S> {
    /// A triangle of a mesh, and what is beyond its sides.
    #[must_use]
    pub fn new(mesh: &ExactMesh, triangle: usize, beyond: [Beyond; 3]) -> Self {
        let placed = mesh.placed(triangle);
        let middle = middle(&placed);
        let seen_from = |corner: GridPoint| [0, 1, 2].map(|axis| corner[axis] - middle[axis]);
        let corners = placed.map(|corner| on_grid(seen_from(corner), mesh.exponent()));
        let normal = direction::<S>(mesh.normal(triangle));
        let offset = corners.into_iter().map(|corner| normal.dot(corner)).fold(-S::MAX, S::max);
        let back = corners.into_iter().map(|corner| (-normal).dot(corner)).fold(-S::MAX, S::max);
        let side = |place: usize| {
            let (from, to) = (placed[place], placed[(place + 1) % 3]);
            direction::<S>([0, 1, 2].map(|axis| i128::from(to[axis] - from[axis])))
        };
        let directions = [0, 1, 2].map(side);
        let outwards = directions.map(|along| along.cross(normal));
        let rim = |place: usize| match beyond[place] {
            Beyond::Level => Rim::Level,
            Beyond::Nothing => Rim::Ridge { up: S::ZERO, out: S::ONE },
            Beyond::Ridge(other) => {
                let other = direction::<S>(mesh.normal(other as usize));
                let (up, out) = (other.dot(normal), other.dot(outwards[place]));
                if out <= S::ONE.scale_by_power_of_two(-10) {
                    Rim::Level // written with so many digits, a plane that leans is one
                } else if up <= S::ZERO {
                    Rim::Ridge { up: S::ZERO, out: S::ONE }
                } else {
                    Rim::Ridge { up, out }
                }
            }
        };
        let lengths = [0, 1, 2].map(|place: usize| (corners[(place + 1) % 3] - corners[place]).length());
        // Twice the area over the longest side is the height on it; a third of that is within the circle's radius.
        let longest = lengths.into_iter().fold(S::ZERO, S::max);
        let height = (0..3)
            .filter(|&place| lengths[place] == longest)
            .map(|place: usize| -outwards[place].dot(corners[(place + 2) % 3] - corners[place]));
        let height = height.reduce(S::max).unwrap_or(S::ZERO);
        let coordinates = corners.map(|corner| corner.abs().to_array());
        Self {
            origin: on_grid(middle, mesh.exponent()),
            corners,
            planes: [Plane { normal, offset }, Plane { normal: -normal, offset: back }],
            directions,
            outwards,
            rims: [0, 1, 2].map(rim),
            is_open: beyond.map(|beyond| beyond == Beyond::Nothing),
            is_sharp: [false; 3],
            largest: coordinates.as_flattened().iter().copied().fold(S::ZERO, S::max),
            inner_radius: height / S::from_i32(3),
        }
    }

    /// The same with what is known of its corners from all the facets that meet there: at which of them the surface ends or falls away.
    #[must_use]
    pub const fn with_sharp_corners(self, is_sharp: [bool; 3]) -> Self {
        Self { is_sharp, ..self }
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
    pub const fn corners(&self) -> &[Vec3<S>; 3] {
        &self.corners
    }

    /// The planes of its front and its back, from its origin.
    #[inline]
    #[must_use]
    pub const fn planes(&self) -> &[Plane<S>; 2] {
        &self.planes
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
    pub const fn directions(&self) -> &[Vec3<S>; 3] {
        &self.directions
    }

    /// The unit directions out over its sides.
    #[inline]
    #[must_use]
    pub const fn outwards(&self) -> &[Vec3<S>; 3] {
        &self.outwards
    }

    /// What lies beyond its sides.
    #[inline]
    #[must_use]
    pub const fn rims(&self) -> &[Rim<S>; 3] {
        &self.rims
    }

    /// Whether the surface goes on in its plane, or rises, over each of its sides.
    #[inline]
    #[must_use]
    pub fn is_level_around(&self) -> bool {
        self.rims.iter().all(|rim| *rim == Rim::Level)
    }

    /// Whether the surface neither ends nor falls away at any of its corners.
    #[inline]
    #[must_use]
    pub const fn has_blunt_corners(&self) -> bool {
        let [a, b, c] = self.is_sharp;
        !(a || b || c)
    }

    /// Whether one corner lies farther along a unit direction in its axes than the other two, and the surface ends or falls away there.
    #[must_use]
    pub fn is_sharp_along(&self, direction: Vec3<S>) -> bool {
        let along = self.corners.map(|corner| direction.dot(corner));
        let slack = self.largest.scale_by_power_of_two(-10);
        let is_alone = |place: usize| (1..3).all(|step| along[(place + step) % 3] < along[place] - slack);
        (0..3).any(|place| self.is_sharp[place] && is_alone(place))
    }

    /// How far beyond each of its sides it may carry so much, metres: where the surface goes on level or rises.
    #[must_use]
    pub fn carried_over(&self, size: S) -> [S; 3] {
        self.rims.map(|rim| if rim == Rim::Level { size } else { S::ZERO })
    }

    /// The largest coordinate of a corner from its origin, metres.
    #[must_use]
    pub const fn largest_half_extent(&self) -> S {
        self.largest
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
        let [a, b, c] = self.corners.map(|corner| direction.dot(corner));
        a.max(b).max(c)
    }

    /// The corner that lies farthest along a direction in its axes, the first of several.
    #[must_use]
    pub fn farthest_corner(&self, direction: Vec3<S>) -> Vec3<S> {
        let along = |corner: Vec3<S>| direction.dot(corner);
        self.corners
            .into_iter()
            .reduce(|best, next| if along(next) > along(best) { next } else { best })
            .unwrap_or(Vec3::ZERO)
    }

    /// How a unit direction in its axes, from the facet to what it touches, lies to its normals; it is known up to a turn by `slack`.
    #[must_use]
    pub fn lean(&self, direction: Vec3<S>, slack: S) -> Lean {
        let along = direction.dot(self.normal());
        if along < -slack {
            return Lean::Beyond;
        }
        let mut lean = Lean::Face;
        for (outwards, rim) in self.outwards.iter().zip(&self.rims) {
            let over = direction.dot(*outwards);
            match *rim {
                Rim::Level if over > slack => lean = Lean::OverLevel,
                Rim::Ridge { up, out } if over * up > along * out + slack => return Lean::Beyond,
                Rim::Ridge { .. } if over > slack && lean == Lean::Face => lean = Lean::Between,
                Rim::Level | Rim::Ridge { .. } => {}
            }
        }
        // What leaves in its plane is beyond it, but where the surface goes on there.
        if along > S::ZERO || lean == Lean::OverLevel { lean } else { Lean::Beyond }
    }

    /// Whether so many points in its axes all lie on its rim, where the surface falls away: what touches only there slips off, or comes
    /// from where the surface is hidden. What ends with nothing beyond is felt up to its end.
    #[must_use]
    pub fn has_on_rim(&self, points: &[Vec3<S>]) -> bool {
        let width = S::ONE.scale_by_power_of_two(-12).min(self.inner_radius * S::HALF);
        let falls_away = |side: &usize| self.rims[*side] != Rim::Level && !self.is_open[*side];
        let mut sides = (0..3).filter(falls_away).map(|side| (self.outwards[side], self.corners[side]));
        !points.is_empty()
            && sides.any(|(outwards, corner)| points.iter().all(|point| outwards.dot(*point - corner) >= -width))
    }

    /// From the point of the facet that is nearest to a place in its axes to that place; and how many corners that point is between: all
    /// three, the two of the side of a number, or one by its number.
    #[must_use]
    pub fn nearest(&self, place: Vec3<S>) -> (Vec3<S>, Part) {
        let beyond = |side: usize| self.outwards[side].dot(place - self.corners[side]);
        if (0..3).all(|side| beyond(side) <= S::ZERO) {
            let front = &self.planes[0];
            return (front.normal * (front.normal.dot(place) - front.offset), Part::Inside);
        }
        let on_side = |side: usize| {
            let (from, to) = (self.corners[side], self.corners[(side + 1) % 3]);
            let (way, along) = (place - from, self.directions[side].dot(place - from));
            match along {
                _ if along <= S::ZERO => (way, Part::Corner(side)),
                _ if along >= self.directions[side].dot(to - from) => (place - to, Part::Corner((side + 1) % 3)),
                _ => (way - self.directions[side] * along, Part::Side(side)),
            }
        };
        let sides = (0..3).filter(|&side| beyond(side) > S::ZERO).map(on_side);
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
        let mut sides = self.outwards.iter().zip(&self.corners);
        sides.all(|(outwards, corner)| outwards.dot(point - *corner) <= S::ZERO).then_some(before > S::ZERO)
    }

    /// The box around it in the mesh's axes, from the mesh's origin.
    #[must_use]
    pub fn bounds(&self) -> Aabb<S> {
        let boxes = self.corners.map(|corner| Aabb::new(self.origin + corner, self.origin + corner));
        boxes[0].union(&boxes[1]).union(&boxes[2])
    }

    /// The box around the facet turned by `rotation`, about its origin.
    #[must_use]
    pub fn aabb(&self, rotation: &Mat3<S>) -> Aabb<S> {
        let boxes = self.corners.map(|corner| Aabb::new(*rotation * corner, *rotation * corner));
        boxes[0].union(&boxes[1]).union(&boxes[2])
    }
}

/// The direction of a vector of whole numbers.
fn direction<S: Scalar>(vector: [i128; 3]) -> Vec3<S> {
    unit(scaled_down(vector).map(|component| component as i64))
}
