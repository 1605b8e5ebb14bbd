//! The manifold of two features: a face cuts what looks at it, lines that run side by side share a stretch, all else touches in a point.

use crate::collision::manifold::convex::curved::feature::{Feature, is_held_on_plane};
use crate::collision::manifold::convex::curved::solid::SolidPair;
use crate::collision::manifold::convex::curved::touching_point;
use crate::collision::manifold::convex::feature::{self, Touch};
use crate::collision::manifold::convex::gjk::Supports;
use crate::collision::manifold::convex::outline::{Bound, Outline, OutlineCorner, Side};
use crate::collision::manifold::convex::polytope::Line;
use crate::collision::manifold::convex::thin::{crossing, stretch};
use crate::collision::manifold::reduction::{Candidate, reduce};
use crate::collision::manifold::{Bearing, Carrier, MAX_POINTS, Manifold};
use crate::geometry::hull::Plane;
use crate::geometry::mesh::MOST_SIDES;
use crate::math::{Mat3, Scalar, Vec3};

/// Corners of both features for which an outline has room: a disc and a box, two discs, a disc and any face.
const FEW: usize = 24;
const SOME: usize = 48;
const MOST: usize = 288;

/// Two solids that touch along a direction, in the axes of A.
pub(super) struct Touching<'a, S> {
    pub(super) pair: &'a SolidPair<'a, S>,
    /// The unit normal from A to B.
    pub(super) normal: Vec3<S>,
    /// The gap of the surfaces along it.
    pub(super) gap: S,
    pub(super) margin: S,
    /// What bore weight at the last look.
    pub(super) bearing: Bearing,
    /// How far beyond each of its sides A carries, where it is a facet; see [`ReferenceFace::over`](super::super::face::ReferenceFace::over).
    pub(super) over: [S; MOST_SIDES],
}

/// One of the two features with where its solid stands.
struct Seen<'a, S> {
    feature: Feature<'a, S>,
    is_second: bool,
}

impl<S: Scalar> Seen<'_, S> {
    fn is_flat(&self) -> bool {
        self.feature.plane().is_some()
    }

    const fn is_point(&self) -> bool {
        matches!(self.feature, Feature::Point(..))
    }
}

/// The flat feature that carries a contact, in the axes of A.
struct Carrying<'a, S> {
    touching: &'a Touching<'a, S>,
    reference: &'a Seen<'a, S>,
    face: Feature<'a, S>,
    plane: Plane<S>,
    /// The direction out of it along which gaps are measured.
    towards: Vec3<S>,
}

impl<'a, S: Scalar> Carrying<'a, S> {
    fn of(touching: &'a Touching<'a, S>, reference: &'a Seen<'a, S>) -> Option<Self> {
        let face = reference.feature.as_reference();
        let own = face.plane()?;
        let normal = touching.turned(reference, own.normal);
        let plane = Plane { normal, offset: normal.dot(touching.placed(reference, own.normal * own.offset)) };
        let towards = if reference.is_second { -touching.normal } else { touching.normal };
        Some(Self { touching, reference, face, plane, towards })
    }

    /// How far a place is from the plane along the direction of gaps.
    fn gap_of(&self, place: Vec3<S>) -> S {
        let Self { plane, towards, .. } = self;
        let height = plane.normal.dot(place) - plane.offset;
        if *towards == plane.normal { height } else { height / plane.normal.dot(*towards) }
    }

    /// The sides of the face.
    fn sides(&self) -> impl Iterator<Item = Side<S>> {
        let Self { touching, reference, ref face, .. } = *self;
        (0..face.count()).map(move |place| {
            let own = face.side(place);
            let outwards = touching.turned(reference, own.outwards);
            // The side goes on as far along the plane's normal as the shapes are deep.
            let offset = if reference.is_second {
                own.offset + outwards.dot(touching.pair.offset)
            } else {
                own.offset + touching.over.get(place).copied().unwrap_or(S::ZERO)
            };
            Side { outwards, offset, edge: own.edge }
        })
    }

    /// What of a feature is above the face.
    fn outline<const N: usize>(&self, incident: &Seen<'_, S>) -> Outline<S, N> {
        let (touching, feature) = (self.touching, &incident.feature);
        let disc = feature.disc().filter(|disc| self.is_over(touching.placed(incident, disc.middle), disc.radius));
        let lies = disc.is_none_or(|disc| self.gap_of(touching.placed(incident, disc.highest)) <= touching.margin);
        let (mut outline, mut spare) = (Outline::<S, N>::empty(), Outline::<S, N>::empty());
        let count = feature.count();
        for place in 0..count {
            let (corner, name) = feature.corner(place);
            let (_, before) = feature.corner(if place == 0 { count - 1 } else { place - 1 });
            if disc.is_none() || is_held_on_plane(name, lies) {
                let corner = touching.placed(incident, corner);
                let gap = self.gap_of(corner);
                let bounds = [Bound::Edge(before), Bound::Edge(name)];
                let (foot, gap) = (corner - self.towards * gap, gap - touching.pair.radius());
                outline.push(OutlineCorner { foot, gap, bounds });
            }
        }
        let slack = touching.pair.smallest.scale_by_power_of_two(-8);
        for side in self.sides().filter(|_| disc.is_none()) {
            if outline.cut(&side, slack, &mut spare) {
                std::mem::swap(&mut outline, &mut spare);
            }
        }
        outline
    }

    /// Whether all within a radius of a place is over the face.
    fn is_over(&self, place: Vec3<S>, radius: S) -> bool {
        self.sides().all(|side| side.outwards.dot(place) + radius <= side.offset)
    }
}

impl<S: Scalar> Touching<'_, S> {
    /// The manifold, turned by the rotation of A.
    pub(super) fn manifold(&self, rotation: &Mat3<S>) -> Manifold<S> {
        let [a, b] = &self.pair.solids;
        let towards_a = -self.pair.relative.transpose_mul(self.normal);
        let first = Seen { feature: Feature::of(a, self.normal), is_second: false };
        let second = Seen { feature: Feature::of(b, towards_a), is_second: true };
        let mut manifold = self.shared_by([&first, &second], rotation);
        if !self.is_shown_by(&manifold) {
            manifold = self.touching_by([&first, &second], rotation);
        }
        manifold.reaching(self.gap)
    }

    /// What two features share that can share more than a point: one is flat, or both are lines.
    fn shared_by(&self, [first, second]: [&Seen<'_, S>; 2], rotation: &Mat3<S>) -> Manifold<S> {
        let mut manifold = self.none([first, second], rotation);
        if first.is_flat() && !second.is_point() {
            self.push_clipped([first, second], &mut manifold, rotation);
        } else if second.is_flat() && !first.is_point() {
            self.push_clipped([second, first], &mut manifold, rotation);
        } else if let (Feature::Line { line: a, .. }, Feature::Line { line: b, .. }) = (first.feature, second.feature) {
            let numbers = [first.feature.name(), second.feature.name()];
            self.push_stretch([a, self.line_of_b(b)], numbers, &mut manifold, rotation);
        }
        manifold
    }

    /// Where features touch that share nothing: in a point, or between the circle of a disc and the polygon that stands for it.
    fn touching_by(&self, seen: [&Seen<'_, S>; 2], rotation: &Mat3<S>) -> Manifold<S> {
        let mut manifold = self.none(seen, rotation);
        if self.gap > self.margin {
            return manifold;
        }
        let (middle, touch) = if let Some(single) = self.single_point(seen) {
            single
        } else {
            let place = touching_point(self.pair, self.normal, self.gap + self.pair.radius());
            let [first, second] = seen.map(|seen| self.reaching(seen, place));
            let shared = self.shared_by([&first, &second], rotation);
            if self.is_shown_by(&shared) {
                return shared;
            }
            (self.midway_from_a(place), Touch::Sides)
        };
        let name = feature::name(touch, seen.map(|seen| seen.feature.name()), false);
        manifold.push(*rotation * middle, self.gap, name);
        manifold
    }

    /// A manifold without points, whose normal turns with what is flat.
    fn none(&self, seen: [&Seen<'_, S>; 2], rotation: &Mat3<S>) -> Manifold<S> {
        let mut manifold = Manifold::with_normal(*rotation * self.normal);
        manifold.carrier = match seen.map(Seen::is_flat) {
            [true, _] => Carrier::First,
            [_, true] => Carrier::Second,
            _ => Carrier::Both,
        };
        manifold
    }

    /// A feature that reaches towards a place in the axes of A.
    fn reaching<'b>(&self, seen: &Seen<'b, S>, place: Vec3<S>) -> Seen<'b, S> {
        let own = if seen.is_second { self.pair.relative.transpose_mul(place - self.pair.offset) } else { place };
        Seen { feature: seen.feature.reaching(own), ..*seen }
    }

    /// Whether points show the gap of the surfaces, but for what rounding and nearly flat faces hide.
    fn is_shown_by(&self, manifold: &Manifold<S>) -> bool {
        let slack = self.pair.rounding().scale_by_power_of_two(3) + self.pair.smallest.scale_by_power_of_two(-8);
        manifold.points().iter().any(|point| point.separation <= self.gap + slack)
    }

    /// What of B lies above the front of A, which is a facet, along its normal; turned by the rotation of A.
    pub(super) fn above_facet(&self, rotation: &Mat3<S>) -> Manifold<S> {
        let [a, b] = &self.pair.solids;
        let towards_a = -self.pair.relative.transpose_mul(self.normal);
        let front = Seen { feature: Feature::of(a, self.normal), is_second: false };
        let seen = Seen { feature: Feature::of(b, towards_a), is_second: true };
        let mut manifold = Manifold::with_normal(*rotation * self.normal);
        manifold.carrier = Carrier::First;
        match seen.feature {
            Feature::Point(point, _) => {
                let place = self.pair.placed(point);
                let is_above = (0..front.feature.count()).zip(self.over).all(|(side, over)| {
                    let side = front.feature.side(side);
                    side.outwards.dot(place) - side.offset <= over
                });
                if is_above {
                    manifold = self.touching_by([&front, &seen], rotation);
                }
            }
            _ => self.push_clipped([&front, &seen], &mut manifold, rotation),
        }
        manifold
    }

    /// A place of a solid in the axes of A.
    fn placed(&self, seen: &Seen<'_, S>, place: Vec3<S>) -> Vec3<S> {
        if seen.is_second { self.pair.placed(place) } else { place }
    }

    fn turned(&self, seen: &Seen<'_, S>, direction: Vec3<S>) -> Vec3<S> {
        if seen.is_second { self.pair.relative * direction } else { direction }
    }

    fn line_of_b(&self, line: Line<S>) -> Line<S> {
        Line { start: self.pair.placed(line.start), direction: self.pair.relative * line.direction, ..line }
    }

    fn push_clipped(&self, seen: [&Seen<'_, S>; 2], manifold: &mut Manifold<S>, rotation: &Mat3<S>) {
        let count = seen[0].feature.count() + seen[1].feature.count();
        if count <= FEW {
            self.push_outline::<FEW>(seen, manifold, rotation);
        } else if count <= SOME {
            self.push_outline::<SOME>(seen, manifold, rotation);
        } else {
            self.push_outline::<MOST>(seen, manifold, rotation);
        }
    }

    /// The corners of the second feature above the face of the first.
    fn push_outline<const N: usize>(
        &self,
        [reference, incident]: [&Seen<'_, S>; 2],
        manifold: &mut Manifold<S>,
        rotation: &Mat3<S>,
    ) {
        let Some(carrying) = Carrying::of(self, reference) else { return };
        let outline = carrying.outline::<N>(incident);
        let Carrying { ref face, plane, towards, .. } = carrying;
        let mut candidates = [Candidate::default(); N];
        let mut found = 0;
        let tangents = plane.normal.tangents();
        for (number, corner) in outline.corners().iter().enumerate() {
            let separation = corner.gap.max(self.gap);
            // A line has two edges, one there and one back: where it is cut, both end in the same place.
            let is_known = outline.corners()[..number].iter().any(|known| known.foot == corner.foot);
            if let Some(slot) = candidates.get_mut(found).filter(|_| separation <= self.margin && !is_known) {
                let place = [tangents.0.dot(corner.foot), tangents.1.dot(corner.foot)];
                let feature = name_of([face, &incident.feature], corner.bounds, reference.is_second);
                *slot = Candidate { place, separation, feature };
                found += 1;
            }
        }
        let candidates = candidates.get_mut(..found).unwrap_or_default();
        let kept = reduce(candidates, self.pair.smallest.scale_by_power_of_two(-10), self.bearing);
        for candidate in candidates.iter().take(kept.min(MAX_POINTS)) {
            let [x, y] = candidate.place;
            let foot = plane.normal * plane.offset + tangents.0 * x + tangents.1 * y;
            // The radius around the line is that of the capsule, which is the other side of the gap.
            let middle = foot + towards * (candidate.separation * S::HALF);
            manifold.push(*rotation * middle, candidate.separation, candidate.feature);
        }
    }

    /// Both ends of what two lines share that run side by side.
    fn push_stretch(&self, lines: [Line<S>; 2], numbers: [u32; 2], manifold: &mut Manifold<S>, rotation: &Mat3<S>) {
        let [a, b] = &lines;
        if a.direction.cross(b.direction).length() > S::ONE.scale_by_power_of_two(-6) {
            return;
        }
        for (on_a, on_b, touch) in stretch(a, b) {
            let separation = (self.normal.dot(on_b - on_a) - self.pair.radius()).max(self.gap);
            if separation <= self.margin {
                let middle = on_a + self.normal * (self.pair.radii[0] + separation * S::HALF);
                manifold.push(*rotation * middle, separation, feature::name(touch, numbers, false));
            }
        }
    }

    /// The one point where features touch one of which is a point, or both lines: midway between the surfaces.
    fn single_point(&self, [first, second]: [&Seen<'_, S>; 2]) -> Option<(Vec3<S>, Touch)> {
        let from_a = |point: Vec3<S>| self.midway_from_a(point);
        let from_b = |point: Vec3<S>| point - self.normal * (self.pair.radii[1] + self.gap * S::HALF);
        match (first.feature, second.feature) {
            (Feature::Line { line: a, .. }, Feature::Line { line: b, .. }) => {
                let (on_a, on_b) = crossing(&a, &self.line_of_b(b));
                Some(((from_a(on_a) + from_b(on_b)) * S::HALF, Touch::Edges))
            }
            (Feature::Point(a, _), Feature::Point(b, _)) => {
                Some(((from_a(a) + from_b(self.pair.placed(b))) * S::HALF, Touch::Corners))
            }
            (Feature::Point(a, _), Feature::Line { .. }) => Some((from_a(a), Touch::CornerEdge)),
            (Feature::Point(a, _), _) => Some((from_a(a), Touch::CornerFace)),
            (Feature::Line { .. }, Feature::Point(b, _)) => Some((from_b(self.pair.placed(b)), Touch::EdgeCorner)),
            (_, Feature::Point(b, _)) => Some((from_b(self.pair.placed(b)), Touch::FaceCorner)),
            _ => None,
        }
    }

    /// Midway between the surfaces, from a point of the solid of A.
    fn midway_from_a(&self, point: Vec3<S>) -> Vec3<S> {
        point + self.normal * (self.pair.radii[0] + self.gap * S::HALF)
    }
}

/// The name of a corner of the outline, by what bounds it on either side: where a corner of one feature touches the other, the same as where
/// that corner touches alone.
fn name_of<S: Scalar>([face, incident]: [&Feature<'_, S>; 2], bounds: [Bound; 2], is_second: bool) -> u32 {
    let named = |touch: Touch, numbers: [u32; 2]| feature::name(touch, numbers, is_second);
    match bounds {
        [Bound::Edge(_), Bound::Edge(edge)] => {
            named(Touch::FaceCorner, [face.name(), incident.corner_before(edge).into()])
        }
        [Bound::Side(side), Bound::Edge(edge)] => named(Touch::Edges, [side.into(), edge.into()]),
        [Bound::Edge(edge), Bound::Side(side)] => named(Touch::CornerEdge, [side.into(), edge.into()]),
        [Bound::Side(one), Bound::Side(other)] => match face.corner_between([one, other]) {
            Some(corner) => named(Touch::CornerFace, [corner.into(), incident.name()]),
            None => named(Touch::Sides, [one.into(), other.into()]),
        },
    }
}
