//! The separating axis test of two cuboids: three face normals of each and nine products of edges.
//!
//! S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection", 1996.

use crate::math::{Mat3, Scalar, Vec3};

/// Two cuboids, each in the axes of the other.
pub(super) struct CuboidPair<S> {
    /// Half extents of A.
    pub half_a: Vec3<S>,
    /// Half extents of B.
    pub half_b: Vec3<S>,
    /// Turns the axes of B into those of A: entry (i, j) is the cosine between axis i of A and axis j of B.
    pub relative: Mat3<S>,
    /// From the centre of A to that of B in the axes of A.
    pub offset_a: Vec3<S>,
    /// The same vector in the axes of B.
    pub offset_b: Vec3<S>,
}

/// A direction along which two cuboids are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Axis<S> {
    /// The face normal of A along its axis of this number.
    FaceA(usize),
    /// The face normal of B along its axis of this number.
    FaceB(usize),
    /// The unit product of one edge direction of each, in the axes of A, turned towards B.
    Edge {
        /// Axis of A along which its edge runs.
        a: usize,
        /// Axis of B along which its edge runs.
        b: usize,
        /// The direction.
        normal: Vec3<S>,
    },
}

/// The axis along which two cuboids are farthest apart, and the gap along it (negative: overlap).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Separation<S> {
    pub axis: Axis<S>,
    pub gap: S,
}

/// By how much a later candidate must beat an earlier one.
///
/// Faces come before edges and A before B, so a resting contact does not flicker between axes that are equally good. The
/// price is a gap that may be too small by one such step.
#[derive(Clone, Copy)]
pub(super) struct Preference<S> {
    absolute: S,
}

impl<S: Scalar> Preference<S> {
    /// 1/256 of the smallest half extent, so that thin plates keep their own scale.
    pub(super) fn of_pair(pair: &CuboidPair<S>) -> Self {
        let [x, y, z] = pair.half_a.min(pair.half_b).to_array();
        Self { absolute: x.min(y).min(z).scale_by_power_of_two(-8) }
    }

    /// The gap a candidate must exceed to replace one of gap `best`: the absolute step and 1/16 of the gap.
    #[inline(always)]
    pub(super) fn above(self, best: S) -> S {
        best + best.abs().scale_by_power_of_two(-4) + self.absolute
    }
}

impl<S: Scalar> CuboidPair<S> {
    /// The pair of these cuboids and orientations, B at `offset` from A.
    pub(super) fn new(
        (half_a, rotation_a): (Vec3<S>, &Mat3<S>),
        (half_b, rotation_b): (Vec3<S>, &Mat3<S>),
        offset: Vec3<S>,
    ) -> Self {
        Self {
            half_a,
            half_b,
            relative: rotation_a.transpose() * *rotation_b,
            offset_a: rotation_a.transpose_mul(offset),
            offset_b: rotation_b.transpose_mul(offset),
        }
    }

    /// The axis of largest gap, within the [`Preference`]; `None` when some axis shows a gap above `margin`.
    pub(super) fn most_separating_axis(&self, margin: S) -> Option<Separation<S>> {
        let cosines = self.relative.abs();
        let gaps_a = self.offset_a.abs() - self.half_a - cosines * self.half_b;
        let gaps_b = self.offset_b.abs() - self.half_b - cosines.transpose_mul(self.half_a);
        let [gaps_a, gaps_b] = [gaps_a.to_array(), gaps_b.to_array()];
        if gaps_a.iter().chain(&gaps_b).any(|&gap| gap > margin) {
            return None;
        }
        let preference = Preference::of_pair(self);
        let mut best = Separation { axis: Axis::FaceA(0), gap: gaps_a[0] };
        let faces_a = gaps_a.into_iter().enumerate().skip(1).map(|(index, gap)| (Axis::FaceA(index), gap));
        let faces_b = gaps_b.into_iter().enumerate().map(|(index, gap)| (Axis::FaceB(index), gap));
        for (axis, gap) in faces_a.chain(faces_b) {
            if gap > preference.above(best.gap) {
                best = Separation { axis, gap };
            }
        }
        self.compare_edges(best, preference, (&cosines, margin))
    }

    /// The better of `best` and the nine edge axes; `None` when one of them shows a gap above `margin`.
    fn compare_edges(
        &self,
        mut best: Separation<S>,
        preference: Preference<S>,
        (cosines, margin): (&Mat3<S>, S),
    ) -> Option<Separation<S>> {
        for a in 0..3 {
            for b in 0..3 {
                let needed = preference.above(best.gap);
                let Some((gap, normal)) = self.edge_gap((a, b), cosines, needed.min(S::ZERO)) else {
                    continue;
                };
                if gap > margin {
                    return None;
                }
                if gap > needed {
                    best = Separation { axis: Axis::Edge { a, b, normal }, gap };
                }
            }
        }
        Some(best)
    }

    /// The gap along the product of edge directions `a` and `b`, and that unit direction in the axes of A towards B.
    ///
    /// `None` for edges nearly parallel (within a milliradian, where face normals do as well), and without a division
    /// when the gap cannot exceed `needed`, which is not positive: dividing by a length below one only lowers it.
    #[inline]
    fn edge_gap(&self, (a, b): (usize, usize), cosines: &Mat3<S>, needed: S) -> Option<(S, Vec3<S>)> {
        let ([k, l], [m, n]) = (OTHERS[a], OTHERS[b]);
        let direction = self.relative.column(b).to_array();
        let length_squared = S::dot2([direction[k], direction[l]], [direction[k], direction[l]]);
        if length_squared < S::ONE.scale_by_power_of_two(-20) {
            return None;
        }
        let (half_a, half_b, offset) = (self.half_a.to_array(), self.half_b.to_array(), self.offset_a.to_array());
        let [column, row] = [cosines.column(b).to_array(), cosines.rows[a].to_array()];
        let reach = S::dot4([half_a[k], half_a[l], half_b[m], half_b[n]], [column[l], column[k], row[n], row[m]]);
        let distance = S::dot2([-direction[l], direction[k]], [offset[k], offset[l]]);
        if distance.abs() - reach <= needed {
            return None;
        }
        // Measured again along the unit vector itself, which makes it a true axis whatever its rounding.
        let scale = S::ONE / length_squared.sqrt();
        let scale = if distance < S::ZERO { -scale } else { scale };
        let mut normal = [S::ZERO; 3];
        normal[k] = -direction[l] * scale;
        normal[l] = direction[k] * scale;
        let normal = Vec3::from_array(normal);
        let reach_a = self.half_a.dot(normal.abs());
        let reach_b = self.half_b.dot(self.relative.transpose_mul(normal).abs());
        Some((normal.dot(self.offset_a) - reach_a - reach_b, normal))
    }
}

/// The two axes after each axis, in cyclic order.
pub(super) const OTHERS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
