//! From up to eight points of a flat contact to the four that tell most.

use crate::collision::manifold::{Bearing, MAX_POINTS};
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
/// What bore weight goes on bearing it. A corner that is left out though the body stands on it lets the body fall until the next look,
/// is the deepest then, lifts the body, and is left out again: that rocks for ever. Only a point that has sunk deeper than all of these
/// takes the place of the one that bore least.
///
/// Where fewer bore weight the deepest of the others is next: what wobbles on a rim or a foot of many corners rolls on to that, and would
/// fall on it from where it is held otherwise. Then come the one farthest from the first, and those that add most to the area of those
/// taken, the last of them so that the four stand about the middle of all. By more than `flat` a point has to have sunk to take the place
/// of one that bears, and by a sixteenth of it one has to be deeper than another to come before it. Ties go to the smaller feature id, and
/// a rival has to be better by 1/256, so that the choice does not flicker while a body rests.
pub(super) fn reduce<S: Scalar>(candidates: &mut [Candidate<S>], flat: S, bearing: Bearing) -> usize {
    candidates.sort_unstable_by_key(|candidate| candidate.feature);
    if candidates.len() <= MAX_POINTS {
        return candidates.len();
    }
    let mut taken = take_bearing(candidates, bearing);
    let depth = |some: &[Candidate<S>]| some.iter().map(|candidate| -candidate.separation).reduce(S::max);
    let depths = depth(&candidates[..taken]).zip(depth(&candidates[taken..]));
    if taken == MAX_POINTS && depths.is_some_and(|(borne, deepest)| deepest > borne + flat) {
        taken -= 1;
    }
    if taken < MAX_POINTS {
        let nearly_flat = flat.scale_by_power_of_two(-4);
        bring_to_front(candidates, taken, nearly_flat, |_, candidate| -candidate.separation);
        taken += 1;
    }
    for position in taken..MAX_POINTS {
        bring_to_front(candidates, position, S::ZERO, spread);
    }
    if taken < MAX_POINTS {
        balance(candidates);
    }
    candidates[..MAX_POINTS].sort_unstable_by_key(|candidate| candidate.feature);
    MAX_POINTS
}

/// Of the candidates that span as much as the fourth, takes the one that brings the middle of the four nearest to the middle of all: what
/// stands on four of more corners leans to where fewer of them are.
fn balance<S: Scalar>(candidates: &mut [Candidate<S>]) {
    const FOURTH: usize = MAX_POINTS - 1;
    let (taken, rest) = candidates.split_at(FOURTH);
    let sum = |some: &[Candidate<S>]| {
        some.iter().fold([S::ZERO; 2], |[x, y], candidate| [x + candidate.place[0], y + candidate.place[1]])
    };
    let (three, all) = (sum(taken), sum(candidates));
    let share = S::from_ratio(MAX_POINTS as i64, candidates.len() as i64);
    let wanted = [all[0] * share - three[0], all[1] * share - three[1]];
    let away = |candidate: &Candidate<S>| {
        let way = difference(candidate.place, wanted);
        S::dot2(way, way)
    };
    let spanned = spread(taken, &rest[0]);
    let least = spanned - spanned.abs().scale_by_power_of_two(-6);
    let mut best = FOURTH;
    for (index, candidate) in (FOURTH..).zip(rest) {
        let nearest = away(&rest[best - FOURTH]);
        if spread(taken, candidate) >= least && away(candidate) < nearest - nearest.scale_by_power_of_two(-8) {
            best = index;
        }
    }
    candidates[FOURTH..=best].rotate_right(1);
}

/// Brings the candidates that bore weight to the front, the one that bore most first; how many these are.
fn take_bearing<S: Scalar>(candidates: &mut [Candidate<S>], bearing: Bearing) -> usize {
    let mut taken = 0;
    for feature in bearing.features() {
        let is_it = |candidate: &Candidate<S>| candidate.feature == feature.0;
        if let Some(ahead) = candidates[taken..].iter().position(is_it) {
            candidates[taken..=taken + ahead].rotate_right(1);
            taken += 1;
        }
    }
    taken
}

/// Swaps the candidate of highest score, beside those before `position`, among those from there on to that position.
fn bring_to_front<S: Scalar>(
    candidates: &mut [Candidate<S>],
    position: usize,
    tolerance: S,
    score: impl Fn(&[Candidate<S>], &Candidate<S>) -> S,
) {
    let mut best = position;
    let mut needed = S::ZERO;
    let (taken, rest) = candidates.split_at(position);
    for (index, candidate) in (position..).zip(rest) {
        let value = score(taken, candidate);
        if index == position || value > needed {
            best = index;
            needed = value + if tolerance > S::ZERO { tolerance } else { value.abs().scale_by_power_of_two(-8) };
        }
    }
    candidates[position..=best].rotate_right(1);
}

/// How far a candidate lies from a point that is taken, squared; what it makes with two; or what it adds to the triangle of three: twice
/// the area.
fn spread<S: Scalar>(taken: &[Candidate<S>], candidate: &Candidate<S>) -> S {
    match *taken {
        [ref first] => {
            let way = difference(candidate.place, first.place);
            S::dot2(way, way)
        }
        [ref first, ref second] => area([first, second, candidate]).abs(),
        [ref a, ref b, ref c] => {
            let is_clockwise = area([a, b, c]) < S::ZERO;
            let outside = [[a, b], [b, c], [c, a]].map(|[from, to]| {
                let inside = area([from, to, candidate]);
                if is_clockwise { inside } else { -inside }
            });
            outside[0].max(outside[1]).max(outside[2])
        }
        _ => S::ZERO,
    }
}

/// Twice the area of a triangle, positive where its corners turn counter-clockwise.
fn area<S: Scalar>([a, b, c]: [&Candidate<S>; 3]) -> S {
    let (line, way) = (difference(b.place, a.place), difference(c.place, a.place));
    S::dot2([line[0], -line[1]], [way[1], way[0]])
}

/// `to - from` in the plane.
fn difference<S: Scalar>(to: [S; 2], from: [S; 2]) -> [S; 2] {
    [to[0] - from[0], to[1] - from[1]]
}

#[cfg(test)]
mod tests {
    use super::{Candidate, reduce};
    use crate::collision::manifold::{Bearing, FeatureId, MAX_POINTS};
    use crate::math::{Fixed, Scalar, SplitMix64};

    /// Points in thousandths of a metre, gaps in millionths; the features are 0, 1 and so on.
    fn candidates<S: Scalar>(points: &[[i64; 3]]) -> Vec<Candidate<S>> {
        let numbered = (0..).zip(points);
        let candidate = |(feature, [x, y, gap]): (u32, &[i64; 3])| Candidate {
            place: [S::from_ratio(*x, 1000), S::from_ratio(*y, 1000)],
            separation: S::from_ratio(*gap, 1_000_000),
            feature,
        };
        numbered.map(candidate).collect()
    }

    fn bearing(features: &[u32]) -> Bearing {
        let mut bearing = Bearing::NONE;
        features.iter().for_each(|feature| bearing.push(FeatureId(*feature)));
        bearing
    }

    /// The features that are kept; points are equally deep within 50 millionths.
    fn kept<S: Scalar>(points: &[[i64; 3]], features: &[u32]) -> Vec<u32> {
        let mut candidates = candidates::<S>(points);
        let count = reduce(&mut candidates, S::from_ratio(50, 1_000_000), bearing(features));
        candidates[..count].iter().map(|candidate| candidate.feature).collect()
    }

    fn choices<S: Scalar>() {
        // 0 and 1 are neighbours, all others lie on one side of both: 2 makes the largest triangle, to which 3 adds more than 4.
        let foot = [[-300, 0, 0], [300, 0, 0], [200, 290, 0], [-290, 280, 0], [220, 270, 0]];
        assert_eq!(kept::<S>(&foot, &[]), [0, 1, 2, 3], "{}", S::KIND);
        assert_eq!(kept::<S>(&foot, &[4, 1]), [0, 1, 3, 4], "{}: what bore weight stays", S::KIND);
        assert_eq!(kept::<S>(&foot, &[4, 2, 1, 0]), [0, 1, 2, 4], "{}", S::KIND);
        let sunk = |gap: i64| foot.map(|[x, y, _]| [x, y, if x == -290 { gap } else { 0 }]);
        assert_eq!(kept::<S>(&sunk(-40), &[4, 2, 1, 0]), [0, 1, 2, 4], "{}: as deep", S::KIND);
        assert_eq!(kept::<S>(&sunk(-60), &[4, 2, 1, 0]), [1, 2, 3, 4], "{}: deeper, for what bore least", S::KIND);
        // From 1 it rolls on to 0 and 2, though 3 and 4 span more.
        let rolling = [[-300, 0, -20], [300, 0, -20], [310, 10, 100], [-300, 300, 900], [300, 300, 900]];
        assert_eq!(kept::<S>(&rolling, &[1]), [0, 1, 3, 4], "{}: the deepest beside it, then what spans most", S::KIND);
        assert_eq!(
            kept::<S>(&rolling, &[1, 0]),
            [0, 1, 2, 3],
            "{}: the next deepest, however little it spans",
            S::KIND
        );
    }

    /// Of four corners of a regular foot of an even number the middle is that of the foot, wherever it is cut and whatever they are called.
    fn even_feet_stand_on_their_middle<S: Scalar>() {
        let mut random = SplitMix64::new(6);
        for corners in [6, 8, 10, 12, 14] {
            for _ in 0..20 {
                let turn = random.below(628) as f64 / 100.0;
                let mut points: Vec<[i64; 3]> = (0..corners)
                    .map(|corner| std::f64::consts::TAU * f64::from(corner) / f64::from(corners) + turn)
                    .map(|angle| [(1e4 * angle.cos()).round() as i64, (1e4 * angle.sin()).round() as i64, 0])
                    .collect();
                for last in (1..points.len()).rev() {
                    points.swap(last, random.below(last as u64 + 1) as usize);
                }
                let four = kept::<S>(&points, &[]);
                let sum = |axis: usize| four.iter().map(|&corner| points[corner as usize][axis]).sum::<i64>();
                assert!(sum(0).abs() < 8 && sum(1).abs() < 8, "{}: {four:?} of {points:?}", S::KIND);
            }
        }
    }

    /// A kept manifold is found again after a restore from its own points.
    fn chosen_points_are_chosen_again<S: Scalar>() {
        let mut random = SplitMix64::new(5);
        for _ in 0..500 {
            let mut below = |limit: u64| random.below(limit) as i64;
            let count = 5 + below(4);
            let points: Vec<[i64; 3]> = (0..count).map(|_| [below(400), below(400), -below(200)]).collect();
            let borne: Vec<u32> = (0..below(5)).map(|_| below(count as u64) as u32).collect();
            let first = kept::<S>(&points, &borne);
            assert_eq!(first.len(), MAX_POINTS);
            assert_eq!(kept::<S>(&points, &first), first, "{}: {points:?} {borne:?}", S::KIND);
        }
    }

    #[test]
    fn what_bears_weight_and_what_spans_most_is_kept() {
        choices::<Fixed>();
        choices::<f32>();
        choices::<f64>();
    }

    #[test]
    fn even_feet_stand_on_their_middle_on_every_scalar() {
        even_feet_stand_on_their_middle::<Fixed>();
        even_feet_stand_on_their_middle::<f32>();
        even_feet_stand_on_their_middle::<f64>();
    }

    #[test]
    fn chosen_points_are_chosen_again_on_every_scalar() {
        chosen_points_are_chosen_again::<Fixed>();
        chosen_points_are_chosen_again::<f32>();
        chosen_points_are_chosen_again::<f64>();
    }
}
