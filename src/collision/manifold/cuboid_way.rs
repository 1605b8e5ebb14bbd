//! How far one of two cuboids can go straight before they may meet, told by the axes of their [separation](super::cuboid_sat).
//!
//! Along a fixed axis the gap closes evenly, so the axis that is the last to close says where they meet; an axis along which they are then
//! going apart says that they never do (D. Eberly, "Intersection of Convex Objects: The Method of Separating Axes", 2001). Products of
//! edges are not scaled to length one: along them a gap looks smaller than it is, and so no meeting is overlooked.

use crate::collision::manifold::cuboid_sat::{CuboidPair, OTHERS};
use crate::math::{Mat3, Scalar, Vec3};

/// What the axes tell of a straight way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CuboidWay<S> {
    /// The two do not come near each other on it.
    Misses,
    /// Until this part of it is done they are apart; `None` where they are near from the start.
    ApartUntil(Option<S>),
}

/// One axis.
#[derive(Clone, Copy)]
struct Axis<S> {
    /// From centre to centre along it.
    distance: S,
    /// By how much that grows on the whole way.
    speed: S,
    /// Up to which distance the two overlap along it.
    reach: S,
}

impl<S: Scalar> Axis<S> {
    /// The gap when a part of the way is done, and by how much it closes on the whole way.
    #[inline(always)]
    fn gap_at(&self, part: S) -> (S, S) {
        let distance = self.distance + self.speed * part;
        let closing = if distance < S::ZERO { self.speed } else { -self.speed };
        (distance.abs() - self.reach, closing)
    }
}

impl<S: Scalar> CuboidPair<S> {
    /// What the axes tell of the part `until` of a way that B goes, in the axes of A: gaps above `near` are followed until they are `aim`.
    pub(super) fn on_way(&self, way: Vec3<S>, (near, aim): (S, S), until: S) -> CuboidWay<S> {
        let axes = self.axes_on(way);
        let near = near + self.rounding();
        let mut last: Option<S> = None;
        for axis in &axes {
            let (gap, closing) = axis.gap_at(S::ZERO);
            if gap <= near {
                continue;
            }
            if closing <= S::ZERO || gap - aim > closing * until {
                return CuboidWay::Misses;
            }
            let part = ((gap - aim) / closing).min(until);
            last = Some(last.map_or(part, |last| last.max(part)));
        }
        let parts_them_at = |axis: &Axis<S>, part: S| {
            let (gap, closing) = axis.gap_at(part);
            gap > near && closing <= S::ZERO
        };
        let are_past = |part: S| axes.iter().any(|axis| parts_them_at(axis, part));
        if last.is_some_and(are_past) { CuboidWay::Misses } else { CuboidWay::ApartUntil(last) }
    }

    /// The faces of A, those of B, and the products of edges.
    #[inline(always)]
    fn axes_on(&self, way: Vec3<S>) -> [Axis<S>; 15] {
        let cosines = self.relative.abs();
        let reach_a = (self.half_a + cosines * self.half_b).to_array();
        let reach_b = (self.half_b + cosines.transpose_mul(self.half_a)).to_array();
        let (offset_a, offset_b) = (self.offset_a.to_array(), self.offset_b.to_array());
        let (way_a, way_b) = (way.to_array(), self.relative.transpose_mul(way).to_array());
        let of_a = |axis: usize| Axis { distance: offset_a[axis], speed: way_a[axis], reach: reach_a[axis] };
        let of_b = |axis: usize| Axis { distance: offset_b[axis], speed: way_b[axis], reach: reach_b[axis] };
        let product = |a: usize, b: usize| self.product_on(way_a, &cosines, [a, b]);
        [
            of_a(0),
            of_a(1),
            of_a(2),
            of_b(0),
            of_b(1),
            of_b(2),
            product(0, 0),
            product(0, 1),
            product(0, 2),
            product(1, 0),
            product(1, 1),
            product(1, 2),
            product(2, 0),
            product(2, 1),
            product(2, 2),
        ]
    }

    /// The product of edge directions `a` and `b`.
    #[inline(always)]
    fn product_on(&self, way: [S; 3], cosines: &Mat3<S>, [a, b]: [usize; 2]) -> Axis<S> {
        let ([k, l], [m, n]) = (OTHERS[a], OTHERS[b]);
        let [column, row] = [cosines.column(b).to_array(), cosines.rows[a].to_array()];
        let (half_a, half_b, offset) = (self.half_a.to_array(), self.half_b.to_array(), self.offset_a.to_array());
        let edge = self.relative.column(b).to_array();
        let along = |v: [S; 3]| S::dot2([-edge[l], edge[k]], [v[k], v[l]]);
        Axis {
            distance: along(offset),
            speed: along(way),
            reach: S::dot4([half_a[k], half_a[l], half_b[m], half_b[n]], [column[l], column[k], row[n], row[m]]),
        }
    }
}
