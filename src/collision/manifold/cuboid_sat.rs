//! The separating axis test of two cuboids: three face normals of each and nine products of edges.
//!
//! S. Gottschalk, M. C. Lin, D. Manocha, "OBBTree: A Hierarchical Structure for Rapid Interference Detection", 1996.

use crate::collision::manifold::are_parallel;
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
    /// The unit product of one edge direction of each, in the axes of A, which leads towards B.
    Edge {
        /// Axis of A along which its edge runs.
        a: usize,
        /// Axis of B along which its edge runs.
        b: usize,
        /// The direction.
        normal: Vec3<S>,
    },
    /// From a corner of one to the nearest point of the other: no axis of the test, but that of the distance.
    Corner {
        /// The unit direction, in the axes of A, which leads towards B.
        normal: Vec3<S>,
    },
}

/// The axis along which two cuboids are farthest apart, and the gap along it (negative: overlap).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Separation<S> {
    pub axis: Axis<S>,
    pub gap: S,
}

/// By how much a later axis must beat an earlier one.
///
/// Faces come before edges and A before B. Where the boxes overlap, a later axis must be better by 1/1024 of the overlap,
/// so that equally good axes do not take turns; that is also the most this preference can cost. Where an axis shows a gap,
/// the largest gap wins, whatever shows it. Both with what rounding can feign on top.
#[derive(Clone, Copy)]
struct Preference<S> {
    /// What rounding can feign.
    rounding: S,
    /// The part of the overlap.
    part: S,
    /// The sine below which edges count as parallel.
    parallel: S,
}

impl<S: Scalar> Preference<S> {
    /// That of two cuboids, whose sizes say what rounding can do.
    fn of_pair(pair: &CuboidPair<S>) -> Self {
        Self { rounding: pair.rounding(), part: S::ONE / S::from_i32(1 << 10), parallel: S::ONE / S::from_i32(1 << 22) }
    }

    /// The gap that a candidate must exceed to replace one of gap `best`.
    #[inline(always)]
    fn above(self, best: S) -> S {
        best + (-best).max(S::ZERO) * self.part + self.rounding
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

    /// What the roundings of one gap can add up to: eight units in the last place of the sizes, and in fixed point eight of
    /// its resolution.
    pub(super) fn rounding(&self) -> S {
        let [x, y, z] = (self.half_a + self.half_b).to_array();
        (x + y + z) * (S::EPSILON * S::from_i32(8)) + S::from_ordered(8)
    }

    /// The unit vector along an axis, in the axes of A, towards B.
    pub(super) fn normal(&self, axis: Axis<S>) -> Vec3<S> {
        match axis {
            Axis::FaceA(face) => towards(self.offset_a, face),
            Axis::FaceB(face) => self.relative * towards(self.offset_b, face),
            Axis::Edge { normal, .. } | Axis::Corner { normal } => normal,
        }
    }

    /// The gap along a unit direction in the axes of A, which leads from A to B.
    pub(super) fn gap_along(&self, normal: Vec3<S>) -> S {
        let reach_a = self.half_a.dot(normal.abs());
        let reach_b = self.half_b.dot(self.relative.transpose_mul(normal).abs());
        normal.dot(self.offset_a) - reach_a - reach_b
    }

    /// The axis of largest gap, within the [`Preference`]; or one that shows a gap above `margin`, if there is any.
    pub(super) fn most_separating_axis(&self, margin: S) -> Separation<S> {
        let cosines = self.relative.abs();
        let gaps_a = self.offset_a.abs() - self.half_a - cosines * self.half_b;
        let gaps_b = self.offset_b.abs() - self.half_b - cosines.transpose_mul(self.half_a);
        let [gaps_a, gaps_b] = [gaps_a.to_array(), gaps_b.to_array()];
        let gaps = [gaps_a[0], gaps_a[1], gaps_a[2], gaps_b[0], gaps_b[1], gaps_b[2]];
        let preference = Preference::of_pair(self);
        let is_apart = gaps.iter().fold(false, |is_apart, &gap| is_apart | (gap > margin));
        let (mut face, mut best) = (0, gaps[0]);
        for (number, gap) in gaps.into_iter().enumerate().skip(1) {
            let needed = if is_apart { best } else { preference.above(best) };
            (face, best) = if gap > needed { (number, gap) } else { (face, best) };
        }
        let best = Separation { axis: if face < 3 { Axis::FaceA(face) } else { Axis::FaceB(face - 3) }, gap: best };
        if is_apart {
            return best;
        }
        self.compare_edges(best, preference, (&cosines, margin))
    }

    /// Where the cuboids overlap along the normal of a face of the larger one, or [nearly so](are_parallel), along that.
    pub(super) fn along_larger_face(&self, best: Separation<S>) -> Separation<S> {
        let is_a = self.half_a.largest_component() >= self.half_b.largest_component();
        let is_it = if is_a { matches!(best.axis, Axis::FaceA(_)) } else { matches!(best.axis, Axis::FaceB(_)) };
        if best.gap > S::ZERO || is_it {
            return best;
        }
        let normal = self.normal(best.axis);
        let seen = if is_a { normal } else { self.relative.transpose_mul(normal) };
        let offset = if is_a { self.offset_a } else { self.offset_b };
        let is_along = |face: &usize| are_parallel(towards(offset, *face), seen);
        let Some(face) = (0..3).find(is_along) else { return best };
        let axis = if is_a { Axis::FaceA(face) } else { Axis::FaceB(face) };
        Separation { axis, gap: self.gap_along(self.normal(axis)) }
    }

    /// The better of `best` and the nine edge axes; or the first of them that shows a gap above `margin`.
    fn compare_edges(
        &self,
        mut best: Separation<S>,
        preference: Preference<S>,
        (cosines, margin): (&Mat3<S>, S),
    ) -> Separation<S> {
        let products = [
            self.product::<0, 0>(cosines),
            self.product::<0, 1>(cosines),
            self.product::<0, 2>(cosines),
            self.product::<1, 0>(cosines),
            self.product::<1, 1>(cosines),
            self.product::<1, 2>(cosines),
            self.product::<2, 0>(cosines),
            self.product::<2, 1>(cosines),
            self.product::<2, 2>(cosines),
        ];
        // Which of them can win is asked without branches, for no branch predicts it; what is needed only grows from here.
        let needed = preference.above(best.gap);
        let mut hopeful = products
            .iter()
            .rev()
            .fold(0_u32, |set, product| (set << 1) | u32::from(product.can_exceed(needed, preference)));
        while hopeful != 0 {
            let number = hopeful.trailing_zeros() as usize;
            hopeful &= hopeful - 1;
            let needed = preference.above(best.gap);
            let (product, [a, b]) = (products[number], [number / 3, number % 3]);
            if !product.can_exceed(needed, preference) {
                continue;
            }
            let Some((gap, normal)) = self.edge_gap((a, b), product.distance) else { continue };
            if gap > margin {
                return Separation { axis: Axis::Edge { a, b, normal }, gap };
            }
            if gap > needed {
                best = Separation { axis: Axis::Edge { a, b, normal }, gap };
            }
        }
        best
    }

    /// The product of edge directions `A` and `B`, not scaled to length one. Without branches, so that all nine are found at once.
    #[inline(always)]
    fn product<const A: usize, const B: usize>(&self, cosines: &Mat3<S>) -> Product<S> {
        let ([k, l], [m, n]) = (OTHERS[A], OTHERS[B]);
        let [column, row] = [cosines.column(B).to_array(), cosines.rows[A].to_array()];
        let (half_a, half_b, offset) = (self.half_a.to_array(), self.half_b.to_array(), self.offset_a.to_array());
        let direction = self.relative.column(B).to_array();
        let reach = S::dot4([half_a[k], half_a[l], half_b[m], half_b[n]], [column[l], column[k], row[n], row[m]]);
        let distance = S::dot2([-direction[l], direction[k]], [offset[k], offset[l]]);
        let (shortest, length) = (column[k].min(column[l]), column[k].max(column[l]));
        Product { distance, gap: distance.abs() - reach, shortest, length }
    }

    /// The gap along the product of edge directions `a` and `b`, and that unit direction in the axes of A towards B; `distance`
    /// is that from centre to centre along the product.
    #[inline]
    fn edge_gap(&self, (a, b): (usize, usize), distance: S) -> Option<(S, Vec3<S>)> {
        let [k, l] = OTHERS[a];
        let direction = self.relative.column(b).to_array();
        let mut product = [S::ZERO; 3];
        product[k] = -direction[l];
        product[l] = direction[k];
        // Measured again along the unit vector itself, which makes it a true axis whatever its rounding.
        let normal = unit_product(Vec3::from_array(product), (k, l))?;
        let normal = if distance < S::ZERO { -normal } else { normal };
        Some((self.gap_along(normal), normal))
    }
}

/// Two cuboids compared along the product of an edge direction of each, which is not of length one.
#[derive(Clone, Copy)]
struct Product<S> {
    /// From centre to centre.
    distance: S,
    /// The gap, scaled by the length of the product.
    gap: S,
    /// The smaller of the product's two components.
    shortest: S,
    /// The larger: the product is at least as long, and at most one and this with half the smaller on top.
    length: S,
}

impl<S: Scalar> Product<S> {
    /// Whether the gap along the unit vector may exceed `needed`, found without a root and a division. Never of edges that are
    /// parallel to rounding.
    #[inline(always)]
    fn can_exceed(&self, needed: S, preference: Preference<S>) -> bool {
        let longest = (self.length + self.shortest * S::HALF).min(S::ONE);
        let (apart, overlapping) = (needed * self.length, needed * longest - preference.rounding);
        let hopeless = if needed > S::ZERO { apart } else { overlapping };
        (self.gap > hopeless) & (self.length >= preference.parallel)
    }
}

/// The unit vector along or against a coordinate axis, whichever leads towards `offset`.
pub(super) fn towards<S: Scalar>(offset: Vec3<S>, axis: usize) -> Vec3<S> {
    let mut unit = [S::ZERO; 3];
    unit[axis] = if offset.to_array()[axis] < S::ZERO { -S::ONE } else { S::ONE };
    Vec3::from_array(unit)
}

/// A product of two unit vectors, with components along two axes only, scaled to length one; `None` when it is zero.
///
/// The square of its length tells that length well enough unless it is short.
fn unit_product<S: Scalar>(product: Vec3<S>, (k, l): (usize, usize)) -> Option<Vec3<S>> {
    let components = product.to_array();
    let length_squared = S::dot2([components[k], components[l]], [components[k], components[l]]);
    if length_squared < S::ONE / S::from_i32(1 << 8) {
        return product.direction();
    }
    Some(product * (S::ONE / length_squared.sqrt()))
}

/// The two axes after each axis, in cyclic order.
pub(super) const OTHERS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];
