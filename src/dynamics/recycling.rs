//! The manifold of a contact that hardly moves is kept from step to step, and moved along with the bodies: contact recycling.
//!
//! What is kept is where the bodies were when the manifold was found, so that nothing adds up from step to step: gaps of now
//! follow from poses of then and of now. It is state, for a manifold that was found earlier is not the one that would be
//! found now.

use crate::collision::manifold::{FeatureId, MAX_POINTS, Manifold};
use crate::math::{Quat, Scalar, Vec3};

/// How two bodies lie to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairPose<S> {
    /// From the centre of mass of the first body to that of the second, metres, world axes.
    pub centre_offset: Vec3<S>,
    /// The orientations of both bodies.
    pub orientations: [Quat<S>; 2],
}

/// Whether a contact lies on the rim of a face of one of its shapes, where a neighbour may continue that face. The numbers are
/// those of the canonical encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Rim {
    /// Nobody has asked yet.
    #[default]
    Unknown = 0,
    /// It does not.
    Off = 1,
    /// It does.
    On = 2,
}

impl Rim {
    /// That of this number in the encoding.
    #[must_use]
    pub const fn from_u8(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Unknown),
            1 => Some(Self::Off),
            2 => Some(Self::On),
            _ => None,
        }
    }
}

/// A manifold, and how the bodies lay when it was found. All of it is state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptManifold<S> {
    /// How the bodies lay.
    pub found_at: PairPose<S>,
    /// The unit normal from the first shape to the second, world axes.
    pub normal: Vec3<S>,
    /// Of each point: midway between the surfaces, metres from the centre of mass of the first body, world axes.
    pub places: [Vec3<S>; MAX_POINTS],
    /// Of each point: the gap, metres.
    pub separations: [S; MAX_POINTS],
    /// Whether it lies on a rim of each shape.
    pub rims: [Rim; 2],
}

/// How far bodies may have moved since for a kept manifold to serve.
#[derive(Clone, Copy, Debug)]
pub struct RecyclingLimit<S> {
    /// How far the surfaces may have moved against each other, metres.
    pub moved: S,
    /// How far turning can carry each surface, metres per radian.
    pub reach: [S; 2],
}

impl<S: Scalar> Default for KeptManifold<S> {
    fn default() -> Self {
        Self {
            found_at: PairPose { centre_offset: Vec3::ZERO, orientations: [Quat::IDENTITY; 2] },
            normal: Vec3::ZERO,
            places: [Vec3::ZERO; MAX_POINTS],
            separations: [S::ZERO; MAX_POINTS],
            rims: [Rim::Unknown; 2],
        }
    }
}

impl<S: Scalar> KeptManifold<S> {
    /// That of a manifold of now; `shape_offset` leads from the centre of mass of the first body to the origin of its shape.
    #[must_use]
    pub fn of(manifold: &Manifold<S>, shape_offset: Vec3<S>, found_at: PairPose<S>) -> Self {
        let mut kept = Self { found_at, normal: manifold.normal, ..Self::default() };
        for (index, point) in manifold.points().iter().enumerate() {
            kept.places[index] = (shape_offset + point.position).canonical();
            kept.separations[index] = point.separation.canonical();
        }
        kept.found_at.centre_offset = found_at.centre_offset.canonical();
        kept.normal = kept.normal.canonical();
        kept
    }

    /// The manifold for where the bodies are now, with points of these features; `None` where they have moved too far.
    ///
    /// Each surface is carried along by its body, to first order: within the limits of `largest_turn` that misses less than a
    /// ten-millionth of the arm.
    #[must_use]
    pub fn moved_to(
        &self,
        now: &PairPose<S>,
        shape_offset: Vec3<S>,
        features: impl Iterator<Item = FeatureId>,
        limit: RecyclingLimit<S>,
    ) -> Option<Manifold<S>> {
        let Self { found_at, normal, places, separations, rims: _rims } = self;
        let way = now.centre_offset - found_at.centre_offset;
        let turn = |side: usize| small_turn_between(found_at.orientations[side], now.orientations[side]);
        let turns = [turn(0)?, turn(1)?];
        let carried = turns[0].taxicab_length() * limit.reach[0] + turns[1].taxicab_length() * limit.reach[1];
        let is_near = way.taxicab_length() + carried <= limit.moved;
        if !is_near {
            return None;
        }
        let mut manifold = Manifold::with_normal(*normal);
        for ((feature, place), separation) in features.zip(places).zip(separations) {
            let by_first = turns[0].cross(*place);
            let by_second = way + turns[1].cross(*place - found_at.centre_offset);
            let position = *place + (by_first + by_second) * S::HALF - shape_offset;
            manifold.push(position, *separation + normal.dot(by_second - by_first), feature.0);
        }
        Some(manifold)
    }
}

/// How far a body may have turned since a manifold was found, radians.
fn largest_turn<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-11)
}

/// The rotation vector from one orientation to another, world axes, radians, to first order; `None` where it is not small.
///
/// Found from the difference of the two, so that it is zero where they are the same.
fn small_turn_between<S: Scalar>(from: Quat<S>, to: Quat<S>) -> Option<Vec3<S>> {
    let scalar = to.w - from.w;
    let vector = Vec3::new(to.x - from.x, to.y - from.y, to.z - from.z);
    if scalar == S::ZERO && vector == Vec3::ZERO {
        return Some(Vec3::ZERO);
    }
    if scalar.abs() + vector.taxicab_length() > largest_turn::<S>() {
        return None; // also what is no number
    }
    let axis = Vec3::new(from.x, from.y, from.z);
    let half = vector * from.w - axis * scalar - vector.cross(axis);
    let turn = half + half;
    (turn.taxicab_length() <= largest_turn()).then_some(turn)
}

#[cfg(test)]
mod tests {
    use super::{KeptManifold, PairPose, RecyclingLimit, small_turn_between};
    use crate::collision::manifold::{Manifold, collide};
    use crate::geometry::Shape;
    use crate::math::{Fixed, Quat, Scalar, SplitMix64, Vec3};

    /// A vector whose components are at most `size`, in steps of a millionth of that.
    fn vector<S: Scalar>(random: &mut SplitMix64, size: S) -> Vec3<S> {
        let mut part = || size * S::from_ratio(random.below(2_000_001) as i64 - 1_000_000, 1_000_000);
        Vec3::new(part(), part(), part())
    }

    /// An orientation turned by a rotation vector that is not zero.
    fn turned<S: Scalar>(orientation: Quat<S>, turn: Vec3<S>) -> Quat<S> {
        let (axis, angle) = turn.normalise().expect("a turn");
        (Quat::from_axis_angle(axis, angle) * orientation).normalise()
    }

    /// Two cubes of a metre, the second above the first, and the manifold of the two.
    fn seen<S: Scalar>(now: &PairPose<S>) -> Manifold<S> {
        let cube = Shape::Cuboid { half_extents: Vec3::splat(S::HALF) };
        let [a, b] = now.orientations.map(Quat::to_matrix);
        collide(&cube, &a, &cube, &b, now.centre_offset, S::from_ratio(1, 50))
    }

    fn moved<S: Scalar>(kept: &KeptManifold<S>, found: &Manifold<S>, now: &PairPose<S>) -> Option<Manifold<S>> {
        let reach = [S::from_ratio(7, 8); 2];
        let limit = RecyclingLimit { moved: S::from_ratio(1, 1000), reach };
        kept.moved_to(now, Vec3::ZERO, found.points().iter().map(|point| point.feature), limit)
    }

    /// Gaps that are moved along are those that are found anew, but for the squares of the turns times the arms (0.1 mm times
    /// a half milliradian, twice) and roundings of numbers near one.
    fn a_kept_manifold_goes_where_the_bodies_go<S: Scalar>() {
        let mut random = SplitMix64::new(7);
        let mut served = 0;
        for _ in 0..500 {
            // Aslant, so that the corners of no face lie on an edge of the other, where what is found flickers.
            let aslant = turned(Quat::IDENTITY, Vec3::new(S::ZERO, S::HALF, S::ZERO));
            let start = PairPose {
                centre_offset: Vec3::new(S::from_ratio(1, 4), S::ONE, S::from_ratio(1, 8)),
                orientations: [Quat::IDENTITY, aslant],
            };
            let found = seen(&start);
            assert_eq!(found.points().len(), 4);
            let kept = KeptManifold::of(&found, Vec3::ZERO, start);
            let now = PairPose {
                centre_offset: start.centre_offset + vector(&mut random, S::from_ratio(1, 10_000)),
                orientations: start.orientations.map(|orientation| {
                    turned(orientation, vector(&mut random, S::from_ratio(1, 10_000)) + Vec3::splat(S::EPSILON))
                }),
            };
            let Some(manifold) = moved(&kept, &found, &now) else { continue };
            served += 1;
            let anew = seen(&now);
            let close = 1e-7 + 64.0 * S::EPSILON.to_f64();
            for point in anew.points() {
                let same = manifold.points().iter().find(|old| old.feature == point.feature);
                let Some(same) = same else { continue };
                let error = (same.separation - point.separation).to_f64().abs();
                assert!(error <= close, "{}: the gap is {error} m off", S::KIND);
                let way = (same.position - point.position).length().to_f64();
                assert!(way <= 5e-4, "{}: the point is {way} m off", S::KIND);
            }
        }
        assert!(served > 300, "{}: only {served} of 500 were within the limit", S::KIND);
    }

    /// What has not moved is what was found, to the last bit; what has moved too far is not served.
    fn a_manifold_serves_up_to_its_limit<S: Scalar>() {
        let start = PairPose {
            centre_offset: Vec3::new(S::ZERO, S::ONE, S::from_ratio(1, 8)),
            orientations: [Quat::IDENTITY; 2],
        };
        let found = seen(&start);
        let kept = KeptManifold::of(&found, Vec3::ZERO, start);
        assert_eq!(moved(&kept, &found, &start).as_ref().map(Manifold::points), Some(found.points()));
        let slid = PairPose { centre_offset: start.centre_offset + Vec3::X * S::from_ratio(1, 900), ..start };
        assert!(moved(&kept, &found, &slid).is_none());
        let tilt = turned(Quat::IDENTITY, Vec3::X * S::from_ratio(1, 1000));
        let tilted = PairPose { orientations: [Quat::IDENTITY, tilt], ..start };
        assert!(moved(&kept, &found, &tilted).is_none());
    }

    /// The turn between two orientations is the one that was made.
    fn small_turns_are_found<S: Scalar>() {
        let mut random = SplitMix64::new(11);
        for _ in 0..200 {
            let from = turned(Quat::IDENTITY, vector(&mut random, S::from_i32(2)) + Vec3::splat(S::EPSILON));
            let turn = vector(&mut random, S::from_ratio(1, 8192)) + Vec3::splat(S::EPSILON);
            let found = small_turn_between(from, turned(from, turn)).expect("a small turn");
            let error = (found - turn).length().to_f64();
            assert!(error <= 16.0 * S::EPSILON.to_f64() + 1e-11, "{}: {error}", S::KIND);
            assert_eq!(small_turn_between(from, from), Some(Vec3::ZERO));
        }
        let far = turned(Quat::IDENTITY, Vec3::X);
        assert!(small_turn_between(Quat::IDENTITY, far).is_none(), "a whole radian is no small turn");
    }

    #[test]
    fn kept_manifolds_go_where_the_bodies_go() {
        a_kept_manifold_goes_where_the_bodies_go::<Fixed>();
        a_kept_manifold_goes_where_the_bodies_go::<f32>();
        a_kept_manifold_goes_where_the_bodies_go::<f64>();
    }

    #[test]
    fn manifolds_serve_up_to_their_limit() {
        a_manifold_serves_up_to_its_limit::<Fixed>();
        a_manifold_serves_up_to_its_limit::<f32>();
        a_manifold_serves_up_to_its_limit::<f64>();
    }

    #[test]
    fn small_turns_between_orientations_are_found() {
        small_turns_are_found::<Fixed>();
        small_turns_are_found::<f32>();
        small_turns_are_found::<f64>();
    }
}
