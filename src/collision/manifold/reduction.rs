//! From up to eight points of a flat contact to the four that tell most.

use crate::collision::manifold::MAX_POINTS;
use crate::math::Scalar;

/// A point of a flat contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Candidate<S> {
    /// Where, in the plane of the contact.
    pub place: [S; 2],
    /// The gap there.
    pub separation: S,
    /// Its feature id.
    pub feature: u32,
}

/// Sorts candidates by feature, with the most telling four in front where there are more; returns how many to keep.
///
/// The deepest is taken first, then the one farthest from it, then those that span most area on either side of that line.
/// `flat` is the difference in depth below which points count as equally deep. Ties go to the smaller feature id, and a
/// rival has to be better by 1/256, so that the choice does not flicker while a body rests.
pub(super) fn reduce<S: Scalar>(candidates: &mut [Candidate<S>], flat: S) -> usize {
    candidates.sort_unstable_by_key(|candidate| candidate.feature);
    if candidates.len() <= MAX_POINTS {
        return candidates.len();
    }
    bring_to_front(candidates, 0, flat, |candidate| -candidate.separation);
    let first = candidates[0].place;
    bring_to_front(candidates, 1, S::ZERO, |candidate| {
        let [x, y] = difference(candidate.place, first);
        S::dot2([x, y], [x, y])
    });
    let line = difference(candidates[1].place, first);
    let area = |candidate: &Candidate<S>| {
        let [x, y] = difference(candidate.place, first);
        S::dot2([line[0], -line[1]], [y, x])
    };
    bring_to_front(candidates, 2, S::ZERO, |candidate| area(candidate).abs());
    let is_left = area(&candidates[2]) > S::ZERO;
    bring_to_front(candidates, 3, S::ZERO, |candidate| if is_left { -area(candidate) } else { area(candidate) });
    candidates[..MAX_POINTS].sort_unstable_by_key(|candidate| candidate.feature);
    MAX_POINTS
}

/// Swaps the candidate of highest score among those from `position` on to that position.
fn bring_to_front<S: Scalar>(
    candidates: &mut [Candidate<S>],
    position: usize,
    tolerance: S,
    score: impl Fn(&Candidate<S>) -> S,
) {
    let mut best = position;
    let mut needed = S::ZERO;
    for (index, candidate) in candidates.iter().enumerate().skip(position) {
        let value = score(candidate);
        if index == position || value > needed {
            best = index;
            needed = value + if tolerance > S::ZERO { tolerance } else { value.abs().scale_by_power_of_two(-8) };
        }
    }
    candidates[position..=best].rotate_right(1);
}

/// `to - from` in the plane.
fn difference<S: Scalar>(to: [S; 2], from: [S; 2]) -> [S; 2] {
    [to[0] - from[0], to[1] - from[1]]
}
