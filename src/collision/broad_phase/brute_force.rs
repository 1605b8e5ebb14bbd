//! Every box against every other.

use crate::collision::broad_phase::fat_box::FatBox;
use crate::math::Scalar;

/// Appends all pairs of overlapping boxes that `accept` takes, sorted: `n^2 / 2` comparisons.
pub fn brute_force_pairs<S: Scalar>(boxes: &[FatBox<S>], accept: impl Fn(u32, u32) -> bool, out: &mut Vec<(u32, u32)>) {
    for (a, first) in (0_u32..).zip(boxes) {
        for (b, second) in (0_u32..).zip(boxes).skip(a as usize + 1) {
            if first.overlaps(second) && accept(a, b) {
                out.push((a, b));
            }
        }
    }
}
