//! The contact of a face: what of the other shape looks at it, clipped to its sides.
//!
//! Gaps are measured along a normal that may lean from that of the face, as where two faces are nearly parallel and edges show the
//! least overlap: then the other shape is projected along that normal.

use crate::collision::manifold::convex::feature::{self, Touch};
use crate::collision::manifold::convex::outline::{Bound, Outline, OutlineCorner, Side};
use crate::collision::manifold::convex::polytope::{Core, CorePair, Polytope};
use crate::collision::manifold::reduction::{Candidate, reduce};
use crate::collision::manifold::{Bearing, Carrier, MAX_POINTS, Manifold};
use crate::geometry::mesh::MOST_SIDES;
use crate::math::{Mat3, Scalar, Vec3};

/// Corners of both faces for which a small outline has room. Larger faces take one of [`MOST`].
const FEW: usize = 24;
/// Corners of both faces at most: 255 each.
const MOST: usize = 512;

/// The face of a polyhedron that carries the contact, in whose axes all is.
pub(super) struct ReferenceFace<'a, S> {
    pub(super) pair: &'a CorePair<'a, S>,
    pub(super) face: usize,
    /// The unit direction towards B along which gaps are measured.
    pub(super) normal: Vec3<S>,
    /// The least gap that a point shows, and the most that is kept.
    pub(super) gaps: (S, S),
    /// What bore weight at the last look.
    pub(super) bearing: Bearing,
    /// Whether the polyhedron of the face is the second of the two shapes in the names of features.
    pub(super) is_second: bool,
    /// How far beyond each of its sides it still carries: of a facet, whose surface may go on there.
    pub(super) over: Option<[S; MOST_SIDES]>,
}

impl<S: Scalar> ReferenceFace<'_, S> {
    /// The manifold, with the polyhedron of the face as shape A; `rotation` is that of the polyhedron.
    pub(super) fn manifold(&self, rotation: &Mat3<S>) -> Manifold<S> {
        let mut manifold = Manifold::with_normal(*rotation * self.normal);
        manifold.carrier = Carrier::First;
        match self.pair.b {
            Core::Point => {}
            Core::Segment { .. } => self.push_segment(&mut manifold, rotation),
            Core::Polytope(b) => {
                let incident = b.face_at_farthest(self.pair.relative.transpose_mul(-self.normal));
                let count = b.topology.face(incident).len() + self.reference().topology.face(self.face).len();
                if count <= FEW {
                    self.push_face::<FEW>((b, incident), &mut manifold, rotation);
                } else {
                    self.push_face::<MOST>((b, incident), &mut manifold, rotation);
                }
            }
        }
        manifold
    }

    const fn reference(&self) -> &Polytope<'_, S> {
        &self.pair.a
    }

    /// The sides of the face.
    fn sides(&self) -> impl Iterator<Item = Side<S>> {
        let polytope = self.reference();
        let outwards_of_face = polytope.planes[self.face].normal;
        let corners = polytope.topology.face(self.face).iter().zip(polytope.topology.sides(self.face));
        corners.map(move |(&corner, &edge)| {
            let direction = polytope.directions[usize::from(edge)];
            let is_along = polytope.edge(usize::from(edge)).corners[0] == corner;
            let outwards = (if is_along { direction } else { -direction }).cross(outwards_of_face);
            let over = self.over.map_or(S::ZERO, |over| over[usize::from(edge)]);
            Side { outwards, offset: outwards.dot(polytope.corner(corner)) + over, edge }
        })
    }

    /// Whether a place is over the face: whether the normal through it meets the face within its sides.
    pub(super) fn is_under(&self, place: Vec3<S>) -> bool {
        let (foot, _) = self.project(place);
        self.sides().all(|side| side.outwards.dot(foot) <= side.offset)
    }

    /// Where the normal through a place meets the plane of the face, and the gap along it.
    fn project(&self, place: Vec3<S>) -> (Vec3<S>, S) {
        let plane = &self.reference().planes[self.face];
        let cosine = plane.normal.dot(self.normal);
        let height = plane.normal.dot(place) - plane.offset;
        let gap = if self.normal == plane.normal { height } else { height / cosine };
        (place - self.normal * gap, gap)
    }

    /// How far a corner may stick out of the face and still be named as that corner, not as cut off.
    fn slack(&self) -> S {
        self.pair.smallest().scale_by_power_of_two(-8)
    }

    fn push_face<const N: usize>(
        &self,
        (b, incident): (Polytope<'_, S>, usize),
        manifold: &mut Manifold<S>,
        rotation: &Mat3<S>,
    ) {
        let (mut outline, mut spare) = (Outline::<S, N>::empty(), Outline::<S, N>::empty());
        let (corners, edges) = (b.topology.face(incident), b.topology.sides(incident));
        for (place, &corner) in corners.iter().enumerate() {
            let (foot, gap) = self.project(self.pair.placed(b.corner(corner)));
            let before = edges[if place == 0 { edges.len() - 1 } else { place - 1 }];
            outline.push(OutlineCorner { foot, gap, bounds: [Bound::Edge(before), Bound::Edge(edges[place])] });
        }
        let slack = self.slack();
        for side in self.sides() {
            if outline.cut(&side, slack, &mut spare) {
                std::mem::swap(&mut outline, &mut spare);
            }
        }
        let mut candidates = [Candidate::default(); N];
        let mut count = 0;
        let (least, margin) = self.gaps;
        let tangents = self.reference().planes[self.face].normal.tangents();
        for corner in outline.corners() {
            let separation = corner.gap.max(least);
            if let Some(slot) = candidates.get_mut(count).filter(|_| separation <= margin) {
                let place = [tangents.0.dot(corner.foot), tangents.1.dot(corner.foot)];
                *slot = Candidate { place, separation, feature: self.name((b, incident), corner.bounds) };
                count += 1;
            }
        }
        let count = self.add_corners((b, incident), &mut candidates, count);
        let candidates = candidates.get_mut(..count).unwrap_or_default();
        let kept = reduce(candidates, self.pair.smallest().scale_by_power_of_two(-10), self.bearing);
        let plane = &self.reference().planes[self.face];
        for candidate in candidates.iter().take(kept.min(MAX_POINTS)) {
            let [x, y] = candidate.place;
            let foot = plane.normal * plane.offset + tangents.0 * x + tangents.1 * y;
            let middle = foot + self.normal * (candidate.separation * S::HALF);
            manifold.push(*rotation * middle, candidate.separation, candidate.feature);
        }
    }

    /// Adds the other corners of B that are of faces all but level, or have sunk into the face as deep as all of the candidates; how many there are
    /// then, at most as many as there is room for.
    ///
    /// A shell whose faces are all but parallel stands on corners of several of them. With those of one alone it would fall on the others, which
    /// carry it in the next step, and so on for ever.
    fn add_corners(
        &self,
        (b, incident): (Polytope<'_, S>, usize),
        candidates: &mut [Candidate<S>],
        count: usize,
    ) -> usize {
        let Some(highest) = candidates[..count].iter().map(|candidate| candidate.separation).reduce(S::max) else {
            return 0;
        };
        let (least, margin) = self.gaps;
        let (slack, tangents) = (self.slack(), self.reference().planes[self.face].normal.tangents());
        let down = self.pair.relative.transpose_mul(-self.normal);
        let mut count = count;
        for corner in (0..).take(b.corners.len()) {
            let (foot, gap) = self.project(self.pair.placed(b.corner(corner)));
            let separation = gap.max(least);
            let has_sunk = separation <= highest.min(S::ZERO);
            let carries = has_sunk || (separation <= margin && b.is_on_level_face(corner, down));
            if !carries || b.topology.face(incident).contains(&corner) {
                continue;
            }
            let is_above = self.sides().all(|side| side.outwards.dot(foot) - side.offset <= slack);
            if let Some(slot) = candidates.get_mut(count).filter(|_| is_above) {
                let place = [tangents.0.dot(foot), tangents.1.dot(foot)];
                let numbers = [self.face as u32, corner.into()];
                *slot =
                    Candidate { place, separation, feature: feature::name(Touch::FaceCorner, numbers, self.is_second) };
                count += 1;
            }
        }
        count
    }

    /// The name of a corner of the outline: that of the corner and the face, or of the two edges, that touch there.
    fn name(&self, (b, incident): (Polytope<'_, S>, usize), bounds: [Bound; 2]) -> u32 {
        let named = |touch: Touch, of_reference: u32, of_incident: u32| {
            feature::name(touch, [of_reference, of_incident], self.is_second)
        };
        match bounds {
            [Bound::Edge(one), Bound::Edge(other)] => {
                named(Touch::FaceCorner, self.face as u32, b.corner_between([one, other]).unwrap_or(one).into())
            }
            [Bound::Side(side), Bound::Edge(edge)] => named(Touch::Edges, side.into(), edge.into()),
            [Bound::Edge(edge), Bound::Side(side)] => named(Touch::Edges, side.into(), edge.into()),
            [Bound::Side(one), Bound::Side(other)] => match self.reference().corner_between([one, other]) {
                Some(corner) => named(Touch::CornerFace, corner.into(), incident as u32),
                None => named(Touch::Sides, one.into(), other.into()),
            },
        }
    }

    /// The ends of the part of a segment that lies above the face, where the surface around it is.
    fn push_segment(&self, manifold: &mut Manifold<S>, rotation: &Mat3<S>) {
        let ends = [0, 1].map(|end: u16| self.project(self.pair.corner_of_b(end)));
        let of_end = |end: u32| feature::name(Touch::FaceCorner, [self.face as u32, end], self.is_second);
        let of_side = |edge: u16| feature::name(Touch::Edges, [u32::from(edge), 0], self.is_second);
        let mut span = [(S::ZERO, of_end(0)), (S::ONE, of_end(1))];
        let slack = self.slack();
        for side in self.sides() {
            let [low, high] = ends.map(|(foot, _)| side.outwards.dot(foot) - side.offset);
            if low <= slack && high <= slack {
                continue;
            }
            if low > slack && high > slack {
                return;
            }
            let level = if low.min(high) <= S::ZERO { S::ZERO } else { slack };
            let cut = (level - low) / (high - low);
            if high > low && cut < span[1].0 {
                span[1] = (cut, of_side(side.edge));
            } else if high < low && cut > span[0].0 {
                span[0] = (cut, of_side(side.edge));
            }
        }
        if span[0].0 > span[1].0 {
            return;
        }
        let (least, margin) = self.gaps;
        for (along, name) in span {
            let foot = ends[0].0 + (ends[1].0 - ends[0].0) * along;
            let gap = ends[0].1 + (ends[1].1 - ends[0].1) * along;
            let separation = (gap - self.pair.radius).max(least);
            if separation <= margin {
                manifold.push(*rotation * (foot + self.normal * (separation * S::HALF)), separation, name);
            }
        }
    }
}
