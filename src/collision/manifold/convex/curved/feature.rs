//! What of a solid looks along a direction: a face, a line, or a point.

use crate::collision::manifold::convex::curved::solid::Solid;
use crate::collision::manifold::convex::outline::Side;
use crate::collision::manifold::convex::polytope::{Line, Polytope};
use crate::geometry::hull::Plane;
use crate::geometry::shape::{across_axis, cone_ends, on_rim};
use crate::math::{Scalar, Vec3};

/// Corners of the polygon that stands for a disc. They go with the body: what stands on its flat side keeps its points.
const SIDES: usize = 16;
/// The name of a corner of a disc that is not of the polygon, and of the side behind it; of a point of its rim that touches alone; and of the
/// end of a line that is on it.
const ON_RIM: u16 = SIDES as u16;
/// By how much the names of an upper disc come after those of a lower one.
const UPPER: u16 = 32;
/// The name of the top of a cone.
const TOP: u16 = UPPER;

/// The flat end of a cylinder or cone, in its own axes.
#[derive(Clone, Copy)]
pub(super) struct Disc<S> {
    /// Along y.
    height: S,
    radius: S,
    is_upper: bool,
    /// One more corner on its rim: where it leans the point that reaches farthest, or where it is touched.
    corner: Option<RimCorner<S>>,
}

/// A corner of a disc that is not of its polygon.
#[derive(Clone, Copy)]
struct RimCorner<S> {
    place: Vec3<S>,
    /// The corner of the polygon before it.
    before: usize,
    /// Whether the disc has it as what cuts others, too.
    cuts: bool,
}

/// Where a disc is in the axes of its solid.
#[derive(Clone, Copy)]
pub(super) struct DiscPlace<S> {
    pub(super) middle: Vec3<S>,
    /// The place of its rim opposite to the one towards which it leans; where it does not lean its middle.
    pub(super) highest: Vec3<S>,
    pub(super) radius: S,
}

/// Whether a disc that is over a plane whole is held at its corner of this name: as on a [half-space](super::half_space) at its lowest point,
/// and if it `lies` at four that go with it, a quarter apart.
pub(super) const fn is_held_on_plane(name: u16, lies: bool) -> bool {
    let place = name % UPPER;
    place == ON_RIM || lies && place.is_multiple_of(4)
}

/// A feature in the axes of its solid.
#[derive(Clone, Copy)]
pub(super) enum Feature<'a, S> {
    /// A face of a polyhedron.
    Face(Polytope<'a, S>, usize),
    Disc(Disc<S>),
    /// An edge, the axis of a capsule, or a line of a round side.
    Line {
        line: Line<S>,
        /// A point on the line from which its surface lies along the normal: of a round side whose lines are all parallel, on its axis.
        core: Vec3<S>,
        name: u16,
        /// What its ends are called where one of them alone is the [point](Self::Point).
        ends: [u16; 2],
    },
    Point(Vec3<S>, u16),
}

/// How nearly a face looks along a direction that carries a contact: 3.6 degrees.
pub(super) fn least_cosine<S: Scalar>() -> S {
    S::ONE - S::ONE.scale_by_power_of_two(-9)
}

/// How far a line may lean from the plane across a direction, as a sine.
fn most_slope<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-4)
}

impl<'a, S: Scalar> Feature<'a, S> {
    /// What looks most along a unit direction in the axes of the solid.
    pub(super) fn of(solid: &Solid<'a, S>, direction: Vec3<S>) -> Self {
        match *solid {
            Solid::Point => Self::Point(Vec3::ZERO, 0),
            Solid::Polytope(polytope) => of_polytope(polytope, direction),
            Solid::Segment { half_height } => {
                let end = Vec3::Y * half_height;
                if direction.y.abs() <= most_slope() {
                    return along([-end, end], [0, 1], (Vec3::Y, Vec3::ZERO));
                }
                if direction.y < S::ZERO { Self::Point(-end, 0) } else { Self::Point(end, 1) }
            }
            Solid::Cylinder { half_height, radius } => {
                let is_upper = direction.y > S::ZERO;
                let height = if is_upper { half_height } else { -half_height };
                if direction.y.abs() >= least_cosine() {
                    return Self::Disc(Disc::new(height, radius, is_upper, direction));
                }
                let rim = on_rim(direction, radius);
                if direction.y.abs() <= most_slope() {
                    let end = Vec3::Y * half_height;
                    return along([rim - end, rim + end], [ON_RIM, ON_RIM + UPPER], (Vec3::Y, Vec3::ZERO));
                }
                Self::Point(rim + Vec3::Y * height, if is_upper { ON_RIM + UPPER } else { ON_RIM })
            }
            Solid::Cone { half_height, radius } => of_cone(half_height, radius, direction),
        }
    }

    /// The plane of a face or disc.
    pub(super) fn plane(&self) -> Option<Plane<S>> {
        match self {
            Self::Face(polytope, face) => Some(polytope.planes[*face]),
            Self::Disc(Disc { height, is_upper: true, .. }) => Some(Plane { normal: Vec3::Y, offset: *height }),
            Self::Disc(Disc { height, .. }) => Some(Plane { normal: -Vec3::Y, offset: -*height }),
            Self::Line { .. } | Self::Point(..) => None,
        }
    }

    /// Its number among those of its kind.
    pub(super) fn name(&self) -> u32 {
        match self {
            Self::Face(_, face) => *face as u32,
            Self::Disc(disc) => u32::from(disc.is_upper),
            Self::Line { name, .. } | Self::Point(_, name) => u32::from(*name),
        }
    }

    /// As what cuts others: a disc by its sixteen sides alone, but for where it is touched beyond these.
    pub(super) const fn as_reference(self) -> Self {
        match self {
            Self::Disc(disc @ Disc { corner: Some(RimCorner { cuts: false, .. }), .. }) => {
                Self::Disc(Disc { corner: None, ..disc })
            }
            other => other,
        }
    }

    /// Where a disc is.
    pub(super) fn disc(&self) -> Option<DiscPlace<S>> {
        let Self::Disc(Disc { height, radius, corner, .. }) = *self else { return None };
        let middle = Vec3::Y * height;
        let highest = corner.map_or(middle, |corner| middle + middle - corner.place);
        Some(DiscPlace { middle, highest, radius })
    }

    /// With a corner on the rim towards a place, in the axes of its solid, where it is a disc.
    pub(super) fn reaching(self, place: Vec3<S>) -> Self {
        match self {
            Self::Disc(disc) => Self::Disc(disc.reaching(place, true)),
            other => other,
        }
    }

    /// How many corners it has.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Face(polytope, face) => polytope.topology.face(*face).len(),
            Self::Disc(disc) => SIDES + usize::from(disc.corner.is_some()),
            Self::Line { .. } => 2,
            Self::Point(..) => 1,
        }
    }

    /// The corner of this place in their order around it, and the name of what leads on from there.
    pub(super) fn corner(&self, place: usize) -> (Vec3<S>, u16) {
        match self {
            Self::Face(polytope, face) => {
                (polytope.corner(polytope.topology.face(*face)[place]), polytope.topology.sides(*face)[place])
            }
            Self::Disc(disc) => {
                let first = if disc.is_upper { UPPER } else { 0 };
                match disc.corner {
                    Some(corner) if place == corner.before + 1 => (corner.place, first + ON_RIM),
                    Some(corner) if place > corner.before => (disc.on_rim(place - 1), first + place as u16 - 1),
                    _ => (disc.on_rim(place), first + place as u16),
                }
            }
            Self::Line { line, .. } if place == 1 => (line.start + line.direction * line.length, 1),
            Self::Line { line, .. } => (line.start, 0),
            Self::Point(point, name) => (*point, *name),
        }
    }

    /// What the corner is called from which the edge of this name leads on.
    pub(super) fn corner_before(&self, edge: u16) -> u16 {
        match self {
            Self::Face(polytope, face) => {
                let mut around = polytope.topology.sides(*face).iter().zip(polytope.topology.face(*face));
                around.find(|(side, _)| **side == edge).map_or(edge, |(_, &corner)| corner)
            }
            Self::Line { ends, .. } => ends[usize::from(edge & 1)],
            Self::Disc(_) => edge,
            Self::Point(_, name) => *name,
        }
    }

    /// What the corner is called in which two sides of a face of a polyhedron meet.
    pub(super) fn corner_between(&self, sides: [u16; 2]) -> Option<u16> {
        let Self::Face(polytope, _) = self else { return None };
        polytope.corner_between(sides)
    }

    /// The sides of a face or disc: what is cut off lies beyond them.
    pub(super) fn side(&self, place: usize) -> Side<S> {
        let following = if place + 1 == self.count() { 0 } else { place + 1 };
        let ((from, edge), (to, _)) = (self.corner(place), self.corner(following));
        let outwards = match self {
            Self::Face(polytope, face) => {
                (to - from).direction().map_or(Vec3::ZERO, |along| along.cross(polytope.planes[*face].normal))
            }
            _ => across_axis(from + to).direction().unwrap_or(Vec3::ZERO),
        };
        Side { outwards, offset: outwards.dot(from), edge }
    }
}

impl<S: Scalar> Disc<S> {
    fn new(height: S, radius: S, is_upper: bool, direction: Vec3<S>) -> Self {
        let disc = Self { height, radius, is_upper, corner: None };
        let leans = across_axis(direction).length() > S::ONE.scale_by_power_of_two(-12);
        if leans { disc.reaching(direction, false) } else { disc }
    }

    /// With one more corner on the rim, along this direction across its axis; where the polygon has one there, behind that.
    fn reaching(self, direction: Vec3<S>, cuts: bool) -> Self {
        let outwards = on_rim(direction, S::ONE);
        let turn = |from: Vec3<S>, to: Vec3<S>| from.z * to.x - from.x * to.z;
        let is_between = |place: &usize| {
            let [before, behind] = [*place, (*place + 1) % SIDES].map(outwards_at);
            turn(before, outwards) >= S::ZERO && turn(outwards, behind) > S::ZERO
        };
        let place = outwards * self.radius + Vec3::Y * self.height;
        let corner = (0..SIDES).find(is_between).map(|before| RimCorner { place, before, cuts });
        Self { corner, ..self }
    }

    /// A corner of the polygon.
    fn on_rim(&self, place: usize) -> Vec3<S> {
        outwards_at(place) * self.radius + Vec3::Y * self.height
    }
}

/// The unit direction of a corner of the polygon from the axis, about y from x towards -z.
fn outwards_at<S: Scalar>(place: usize) -> Vec3<S> {
    let half = S::HALF.sqrt();
    let (long, short) = (((S::ONE + half) * S::HALF).sqrt(), ((S::ONE - half) * S::HALF).sqrt());
    let (x, y) = [(S::ONE, S::ZERO), (long, short), (half, half), (short, long)][place % 4];
    let (x, y) = [(x, y), (-y, x), (-x, -y), (y, -x)][place / 4 % 4];
    Vec3::new(x, S::ZERO, -y)
}

/// A line between two points of these names, with its direction and a point of its core.
fn along<'a, S: Scalar>(
    [start, end]: [Vec3<S>; 2],
    ends: [u16; 2],
    (direction, core): (Vec3<S>, Vec3<S>),
) -> Feature<'a, S> {
    let line = Line { start, direction, length: direction.dot(end - start) };
    Feature::Line { line, core, name: 0, ends }
}

fn of_polytope<S: Scalar>(polytope: Polytope<'_, S>, direction: Vec3<S>) -> Feature<'_, S> {
    let (face, cosine) = polytope.facing(direction);
    if cosine >= least_cosine() {
        return Feature::Face(polytope, face);
    }
    let corner = polytope.farthest(direction);
    let edges = polytope.topology.edges().iter().enumerate().filter(|(_, edge)| edge.corners.contains(&corner));
    let slope = |edge: usize| direction.dot(polytope.directions[edge]).abs();
    let most_level =
        edges.map(|(edge, _)| edge).reduce(|best, next| if slope(next) < slope(best) { next } else { best });
    match most_level.filter(|&edge| slope(edge) <= most_slope()) {
        Some(edge) => {
            let line = polytope.line(edge);
            Feature::Line { line, core: line.start, name: edge as u16, ends: polytope.edge(edge).corners }
        }
        None => Feature::Point(polytope.corner(corner), corner),
    }
}

fn of_cone<'a, S: Scalar>(half_height: S, radius: S, direction: Vec3<S>) -> Feature<'a, S> {
    let (base, top) = cone_ends(half_height);
    if -direction.y >= least_cosine() {
        return Feature::Disc(Disc::new(base, radius, false, direction));
    }
    let (rim, top) = (on_rim(direction, radius) + Vec3::Y * base, Vec3::Y * top);
    if let Some((down, _)) = (rim - top).normalise().filter(|(down, _)| down.dot(direction).abs() <= most_slope()) {
        return along([top, rim], [TOP, ON_RIM], (down, top));
    }
    let is_top = direction.dot(top) >= direction.dot(rim);
    if is_top { Feature::Point(top, TOP) } else { Feature::Point(rim, ON_RIM) }
}
