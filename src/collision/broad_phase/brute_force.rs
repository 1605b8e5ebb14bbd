//! Every box against every other.

use crate::collision::broad_phase::fat_aabb::FatAabb;
use crate::collision::broad_phase::pair_list::PairList;
use crate::geometry::Aabb;
use crate::math::Scalar;

/// Adds all pairs of overlapping boxes that `accept` takes: `n^2 / 2` comparisons.
pub(super) fn pairs<S: Scalar>(boxes: &[FatAabb<S>], accept: &impl Fn(u32, u32) -> bool, list: &mut PairList<'_>) {
    for (a, first) in (0_u32..).zip(boxes) {
        for (b, second) in (0_u32..).zip(boxes).skip(a as usize + 1) {
            if list.is_hopeless() {
                return;
            }
            if first.overlaps(second) {
                list.add(a, b, accept);
            }
        }
    }
}

/// The boxes that overlap one more.
pub(super) fn overlapping<S: Scalar>(boxes: &[FatAabb<S>], one: &Aabb<S>, out: &mut Vec<u32>) {
    let one = FatAabb::Bounded(*one);
    out.extend((0_u32..).zip(boxes).filter(|(_, other)| other.overlaps(&one)).map(|(index, _)| index));
}
