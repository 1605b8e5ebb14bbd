//! One pair of shapes looked at by every method, round by round: what differs between methods, and how each came to its answer.
//!
//! For people and tests; no step asks for it, and it takes memory as it goes.

use crate::collision::manifold::{
    ContactSearch, Manifold, NarrowPhase, collide_by, look_by_axes, look_by_epa, look_by_gjk,
};
use crate::collision::query::{Closest, closest};
use crate::geometry::Shape;
use crate::math::{Mat3, Scalar, Vec3};

pub use crate::collision::manifold::{Axis, AxisLook, EpaLook, EpaRound, GjkLook, GjkRound};

/// What the methods say of a pair of shapes; `None` where a method is not for it.
#[derive(Clone, Debug)]
pub struct PairLook<S> {
    /// The contact by each setting of the narrow phase, with points up to the margin.
    pub contacts: [(NarrowPhase, Manifold<S>); 3],
    /// The nearest points, or the least way out.
    pub closest: Option<Closest<S>>,
    /// The search for nearest points: of all shapes but half-spaces and meshes.
    pub gjk: Option<GjkLook<S>>,
    /// The expanding polytope: of the same where they overlap.
    pub epa: Option<EpaLook<S>>,
    /// The axes of separation, of polyhedra beside polyhedra and capsules: the largest gap first.
    pub axes: Option<Vec<AxisLook<S>>>,
}

/// Looks at a pair by each method; `offset` leads from the origin of A to that of B along the world axes, metres, and contacts have points
/// up to a gap of `margin`.
#[must_use]
pub fn look_at<S: Scalar>(
    a: (&Shape<S>, &Mat3<S>),
    b: (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    (search, margin): (ContactSearch<S>, S),
) -> PairLook<S> {
    let contact = |method| (method, collide_by(&ContactSearch { method, ..search }, a, b, offset, margin));
    let gjk = look_by_gjk(a, b, offset);
    let overlaps = gjk.as_ref().is_some_and(|look| look.apart.is_none());
    PairLook {
        contacts: [NarrowPhase::Auto, NarrowPhase::Gjk, NarrowPhase::Sat].map(contact),
        closest: closest(a, b, offset),
        epa: if overlaps { look_by_epa(a, b, offset) } else { None },
        gjk,
        axes: axes_of(a, b, offset),
    }
}

/// The axes of a polyhedron and a polyhedron or capsule, in either order; the largest gap first.
fn axes_of<S: Scalar>(a: (&Shape<S>, &Mat3<S>), b: (&Shape<S>, &Mat3<S>), offset: Vec3<S>) -> Option<Vec<AxisLook<S>>> {
    let flipped = |look: AxisLook<S>| AxisLook { axis: look.axis.flipped(), normal: -look.normal, ..look };
    let turned_round = || {
        let looks = look_by_axes(b, a, -offset)?;
        Some(looks.into_iter().map(flipped).collect())
    };
    let mut looks: Vec<AxisLook<S>> = look_by_axes(a, b, offset).or_else(turned_round)?;
    looks.sort_by_key(|look| std::cmp::Reverse(look.gap.to_ordered()));
    Some(looks)
}

#[cfg(test)]
mod tests {
    use super::look_at;
    use crate::collision::manifold::tests::{RandomShapes, stone};
    use crate::collision::{Bearing, ContactSearch, NarrowPhase};
    use crate::geometry::Shape;
    use crate::math::{Fixed, Scalar, SplitMix64, Vec3};

    /// The difference of what has no width is no polytope, however rounding bends it: a ball in the middle of a capsule leaves sideways, by both
    /// radii, as two crossed capsules of one middle do across both.
    #[test]
    fn what_spans_no_polytope_is_left_by_the_shortest_way() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(82);
            let (radius, half) = (S::from_ratio(1, 4), S::HALF);
            for round in 0..200 {
                let capsule = || Shape::Capsule { half_height: half, radius };
                let first = if round % 2 == 0 { Shape::Sphere { radius: half } } else { capsule() };
                let expected = if round % 2 == 0 { half + radius } else { radius + radius };
                let turns = [random.rotation::<S>(), random.rotation()];
                let search = ContactSearch { method: NarrowPhase::Auto, own: S::ZERO, bearing: Bearing::NONE };
                let look = look_at((&first, &turns[0]), (&capsule(), &turns[1]), Vec3::ZERO, (search, S::HALF));
                let epa = look.epa.unwrap_or_else(|| panic!("no way out of {first:?}"));
                let beyond = (epa.depth - expected).to_f64();
                let along = turns[1].column(1).dot(epa.normal).to_f64().abs();
                assert!((-1e-5..1e-4).contains(&beyond), "{beyond} m beyond {expected} ({}): {epa:?}", S::KIND);
                assert!(along < 1e-3, "{along} along the capsule ({}): {epa:?}", S::KIND);
            }
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// Each search comes to an end between the bounds that its own rounds state, and those bounds close in; axes never show more than there is.
    #[test]
    fn rounds_close_in_on_the_answer() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(81);
            let mut seen = [0; 3];
            for _ in 0..2000 {
                let shape = |random: &mut SplitMix64| -> Shape<S> {
                    if random.bits().is_multiple_of(2) { stone(random) } else { random.shape() }
                };
                let shapes = [shape(&mut random), shape(&mut random)];
                let turns = [random.rotation::<S>(), random.rotation()];
                let offset = random.direction::<S>() * S::TWO;
                let search = ContactSearch { method: NarrowPhase::Auto, own: S::ZERO, bearing: Bearing::NONE };
                let look = look_at((&shapes[0], &turns[0]), (&shapes[1], &turns[1]), offset, (search, S::HALF));
                let slack = S::from_ratio(1, 100_000) + S::EPSILON * S::from_i32(256);
                let gjk = look.gjk.as_ref().unwrap_or_else(|| panic!("no look at {shapes:?}"));
                let distances = gjk.rounds.iter().map(|round| round.at_most);
                assert!(distances.clone().is_sorted_by(|before, after| before > after), "it comes nearer: {gjk:?}");
                if let Some((_, _, distance)) = gjk.apart {
                    let at_least = gjk.rounds.iter().map(|round| round.at_least).reduce(S::max);
                    let last = distances.last().unwrap_or_else(|| panic!("no round of {gjk:?}"));
                    assert_eq!(last, distance, "{gjk:?}");
                    assert!(at_least.is_some_and(|at_least| at_least <= distance + slack), "{gjk:?}");
                    let told = look.closest.unwrap_or_else(|| panic!("nothing is near {shapes:?}"));
                    if distance > S::ZERO {
                        assert!((told.distance - distance).abs() <= slack, "{told:?} {gjk:?}");
                    }
                    seen[0] += 1;
                }
                if let Some(epa) = look.epa.as_ref().filter(|epa| epa.has_ended) {
                    let at_least = epa.rounds.iter().map(|round| round.at_least).fold(-S::MAX, S::max);
                    let at_most = epa.rounds.iter().map(|round| round.at_most).fold(S::MAX, S::min);
                    assert!(epa.depth >= at_least - slack && epa.depth <= at_most + slack, "{epa:?}");
                    seen[1] += 1;
                }
                if let Some(axes) = &look.axes {
                    let told = look.closest.map(|closest| closest.distance);
                    assert!(axes.is_sorted_by(|one, next| one.gap >= next.gap));
                    assert!(told.is_some_and(|told| axes[0].gap <= told + slack), "{told:?} {:?}", axes[0]);
                    seen[2] += 1;
                }
            }
            assert!(seen[0] > 500 && seen[1] > 200 && seen[2] > 500, "{seen:?}");
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }
}
