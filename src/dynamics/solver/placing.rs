//! Finds directions, arms, lengths and kept impulses of contacts from where their shapes touch, all lanes of a batch at once; without
//! closures, which are not compiled for the vectors.
//!
//! Where a contact has just been put, things stand where others will be: the offsets of the first body's shape and of the second
//! body where the arms will be, the places of points where their levers will be, what friction kept in the world's axes where
//! discs have their impulses and how they slip. The rows themselves are made from what is left here, in `answers`.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::chunk::Chunk;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::prepare::{Sources, share_of};
use crate::dynamics::solver::rows::{Arms, LaneDisc, Rows, RowsView};
use crate::math::lanes::{LanePath, LaneTask, Lanes};
use crate::math::{Scalar, Vec3};

/// Linear and angular velocities of all bodies, m/s and rad/s.
type Velocities<'a, S> = (&'a [Vec3<S>], &'a [Vec3<S>]);

fn velocities_of<S: Scalar>(sources: Sources<'_, S>) -> Velocities<'_, S> {
    (&sources.bodies.linear_velocity, &sources.bodies.angular_velocity)
}

/// Places every contact of a chunk; all have just been put.
pub(super) fn place_chunk<S: Scalar>(chunk: &mut Chunk<S>, sources: Sources<'_, S>, lanes: LanePath) {
    lanes.run(PlaceChunk { chunk, velocities: velocities_of(sources) });
}

/// Places the contact at this place of the solving order, which has just been put.
pub(super) fn place_one<S: Scalar>(rows: &mut Rows<S>, place: usize, sources: Sources<'_, S>) {
    put_in_place::<S>(&mut rows.view(place).1, velocities_of(sources));
}

/// The contacts of a chunk, as a task for lanes.
struct PlaceChunk<'a, S: Scalar> {
    chunk: &'a mut Chunk<S>,
    velocities: Velocities<'a, S>,
}

impl<S: Scalar> LaneTask<S> for PlaceChunk<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { chunk, velocities } = self;
        for batch in 0..chunk.len() {
            let count = chunk.lanes_of(batch);
            let mut view = chunk.view(batch);
            for part in 0..count.div_ceil(L::WIDTH) {
                view.at = part * L::WIDTH;
                put_in_place::<L>(&mut view, velocities);
            }
        }
    }
}

/// Places the contacts of the lanes in view.
#[inline(always)]
fn put_in_place<L: Lanes>(view: &mut RowsView<'_, L::Scalar>, velocities: Velocities<'_, L::Scalar>) {
    let at = view.at;
    let normal = view.common.directions[0].at::<L>(at);
    let tangents = tangents_of(normal);
    view.common.directions[1].set(at, tangents[0]);
    view.common.directions[2].set(at, tangents[1]);
    let arms = arms_of_points(view, normal);
    put_length(view, &arms);
    let middle = middle_of(view, &arms);
    for (point, arms) in view.points.iter_mut().zip(&arms) {
        point.set_offset(at, arms[0] - middle[0]);
    }
    for (side, middle) in middle.into_iter().enumerate() {
        let moves = view.bodies.moves[side].get::<L>(at);
        view.common.arms[side].set(at, Vec3::select(moves, middle, Vec3::zero()));
        for (to, arms) in view.arms.iter_mut().zip(&arms) {
            to.0[side].set(at, Vec3::select(moves, arms[side], Vec3::zero()));
        }
    }
    put_drifts(view, (&arms, middle), [normal, tangents[0], tangents[1]], velocities);
    for disc in view.friction.iter_mut() {
        disc.turn_kept(at, tangents, L::splat(L::Scalar::ONE));
    }
    let inverse_length = view.common.inverse_length.get(at);
    if let Some(disc) = view.rolling.as_deref_mut() {
        disc.turn_kept(at, tangents, inverse_length);
    }
}

/// Two unit vectors that form a right-handed frame with a unit normal, `normal = first x second`, without a root.
///
/// The frame is built about the axis along which the normal is longest. So where the normal lies in a coordinate plane, one of the two is
/// exactly the axis across that plane, and what moves in the plane is not pushed out of it by a rounding.
///
/// Duff, Burgess, Christensen, Hery, Kensler, Liani and Villemin, 2017, Building an Orthonormal Basis, Revisited.
#[inline(always)]
fn tangents_of<L: Lanes>(normal: Vec3<L>) -> [Vec3<L>; 2] {
    let (one, zero) = (L::splat(L::Scalar::ONE), L::zero());
    let longest = Longest::of(normal);
    let Vec3 { x, y, z } = longest.turned(normal);
    let is_below = zero.is_above(z);
    let sign = L::select(is_below, -one, one);
    let factor = -one.over(sign + z);
    let (across, along_x, along_y) = (x * y * factor, x * x * factor, y * y * factor);
    let first =
        Vec3::new(one + L::select(is_below, -along_x, along_x), L::select(is_below, -across, across), -(sign * x));
    [longest.back(first), longest.back(Vec3::new(across, sign + along_y, -y))]
}

/// The axis along which a vector is longest.
#[derive(Clone, Copy)]
struct Longest<L: Lanes> {
    is_x: L::Mask,
    /// Of what is not longest along x.
    is_y: L::Mask,
}

impl<L: Lanes> Longest<L> {
    #[inline(always)]
    fn of(vector: Vec3<L>) -> Self {
        let Vec3 { x, y, z } = vector;
        let [x, y, z] = [x.larger(-x), y.larger(-y), z.larger(-z)];
        Self { is_x: x.is_above(y.larger(z)), is_y: y.is_above(z) }
    }

    #[inline(always)]
    fn pick(self, x: L, y: L, z: L) -> L {
        L::select(self.is_x, x, L::select(self.is_y, y, z))
    }

    /// A vector with the axes turned in a circle, so that this one becomes z.
    #[inline(always)]
    fn turned(self, Vec3 { x, y, z }: Vec3<L>) -> Vec3<L> {
        Vec3::new(self.pick(y, z, x), self.pick(z, x, y), self.pick(x, y, z))
    }

    /// The same vector turned back.
    #[inline(always)]
    fn back(self, Vec3 { x, y, z }: Vec3<L>) -> Vec3<L> {
        Vec3::new(self.pick(z, y, x), self.pick(x, z, y), self.pick(y, x, z))
    }
}

/// The arms to every point: zero of what does not count.
///
/// Where the shapes do not touch yet, each arm ends on its own surface: that is where the point will be when the gap has
/// closed. The middle of the gap would lengthen the arm, and a body that lands would be spun too fast by friction.
#[inline(always)]
fn arms_of_points<L: Lanes>(view: &RowsView<'_, L::Scalar>, normal: Vec3<L>) -> [Arms<L>; MAX_POINTS] {
    let at = view.at;
    let [shape_offset, centre_offset] = view.common.arms_at::<L>(at);
    let half = L::splat(L::Scalar::HALF);
    let mut arms = [[Vec3::zero(); 2]; MAX_POINTS];
    for (index, point) in view.points.iter().enumerate() {
        let counts = view.bodies.present[index].get::<L>(at);
        let middle = shape_offset + point.offset_at::<L>(at);
        let half_gap = normal * (point.separation.get::<L>(at).larger(L::zero()) * half);
        let (first, second) = (middle - half_gap, middle + half_gap - centre_offset);
        arms[index] = [Vec3::select(counts, first, Vec3::zero()), Vec3::select(counts, second, Vec3::zero())];
    }
    arms
}

/// Writes the largest component of an arm of a body that can be pushed, metres: the contact's own size; one where there is none.
#[inline(always)]
fn put_length<L: Lanes>(view: &mut RowsView<'_, L::Scalar>, arms: &[Arms<L>; MAX_POINTS]) {
    let at = view.at;
    let mut longest = L::zero();
    for (side, pushed) in view.bodies.pushed.into_iter().enumerate() {
        let mut of_side = L::zero();
        for arms in &arms[..view.points.len()] {
            let Vec3 { x, y, z } = arms[side];
            of_side = of_side.larger(x.magnitude()).larger(y.magnitude()).larger(z.magnitude());
        }
        longest = L::select(pushed.get::<L>(at), longest.larger(of_side), longest);
    }
    let one = L::splat(L::Scalar::ONE);
    let length = L::select(longest.is_above(L::zero()), longest, one);
    let least = L::splat(L::Scalar::ONE.scale_by_power_of_two(-20)); // of less the inverse may not fit in fixed point
    view.common.length.set(at, length);
    view.common.inverse_length.set(at, one.over(length.larger(least)));
}

/// The arms to the middle of the points that count.
#[inline(always)]
fn middle_of<L: Lanes>(view: &RowsView<'_, L::Scalar>, arms: &[Arms<L>; MAX_POINTS]) -> Arms<L> {
    let mut middle = arms[0];
    let mut share = L::splat(L::Scalar::ONE);
    for (index, arms) in arms[..view.points.len()].iter().enumerate().skip(1) {
        middle = [middle[0] + arms[0], middle[1] + arms[1]];
        let counts = view.bodies.present[index].get::<L>(view.at);
        share = L::select(counts, L::splat(share_of(index + 1)), share);
    }
    [middle[0] * share, middle[1] * share]
}

/// Writes how fast rows turn away from where the bodies carry their points, in the lanes in which both do.
///
/// At the arms `r` of a moment the points of the second body have the speed `u` against those of the first. A point is fixed to one body and
/// the normal to the other, whose face it is and which turns with W: as arms and normal turn, `u` grows by `w x (w x r) - W x u`, the second
/// body's `w` and `r` less the first's, and its part along the normal by that of `w x (w x r) - 2 W x u`. Of two faces on each other either may
/// be the one that has the normal: W is that of the body that turns less, as what spins on the other slides with its corners.
/// What does not press yet is about to strike, and its body to move in another way.
#[inline(always)]
fn put_drifts<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    (arms, middle): (&[Arms<L>; MAX_POINTS], Arms<L>),
    [normal, first, second]: [Vec3<L>; 3],
    (velocities, spins): Velocities<'_, L::Scalar>,
) {
    let at = view.at;
    let drifts = view.bodies.drifts.get::<L>(at);
    let none = Vec3::zero();
    let (mut motion, mut turning) = (PairMotion { linear: [none; 2], angular: [none; 2] }, none);
    let mut presses = L::mask(0);
    if L::any(drifts) {
        for point in view.points.iter() {
            presses = L::or(presses, L::and(drifts, point.impulse.get::<L>(at).differs(L::zero())));
        }
        motion = PairMotion::gather(view, velocities, spins);
        turning = slower_turn(motion.angular);
    }
    for (point, arms) in view.points.iter_mut().zip(arms) {
        let mut drift = L::zero();
        if L::any(drifts) {
            let [growth, turned] = growth_of(&motion, *arms, turning);
            drift = L::select(presses, (growth - turned - turned).dot(normal), L::zero());
        }
        point.drift.set(at, drift);
    }
    for (index, disc) in view.friction.iter_mut().enumerate() {
        let mut drift = [L::zero(); 2];
        if L::any(drifts) {
            let [growth, turned] = growth_of(&motion, if view.patch.is_some() { middle } else { arms[index] }, turning);
            let slide = growth - turned;
            drift = [L::select(drifts, slide.dot(first), L::zero()), L::select(drifts, slide.dot(second), L::zero())];
        }
        disc.drift[0].set(at, drift[0]);
        disc.drift[1].set(at, drift[1]);
    }
}

/// The angular velocity of the body that turns less.
#[inline(always)]
fn slower_turn<L: Lanes>([first, second]: [Vec3<L>; 2]) -> Vec3<L> {
    let second_is_slower = first.sum_of_magnitudes().is_above(second.sum_of_magnitudes());
    Vec3::select(second_is_slower, second, first)
}

/// Of a point with these arms `w x (w x r)` and `W x u`, m/s^2.
#[inline(always)]
fn growth_of<L: Lanes>(motion: &PairMotion<L>, arms: Arms<L>, turning: Vec3<L>) -> [Vec3<L>; 2] {
    let [a, b] = motion.angular;
    let growth = b.cross(b.cross(arms[1])) - a.cross(a.cross(arms[0]));
    [growth, turning.cross(motion.between(arms))]
}

impl<S: Scalar> LaneDisc<S> {
    /// Puts down what was kept in one lane, world axes, where it will be turned into impulses along the tangents.
    pub(super) const fn put_kept(&mut self, lane: usize, Vec3 { x, y, z }: Vec3<S>) {
        (self.impulse[0].0[lane], self.impulse[1].0[lane], self.slip_inverse.0[lane]) = (x, y, z);
    }

    /// Turns what was put down into impulses along the tangents, times a factor.
    #[inline(always)]
    fn turn_kept<L: Lanes<Scalar = S>>(&mut self, at: usize, [first, second]: [Vec3<L>; 2], factor: L) {
        let kept = Vec3::new(self.impulse[0].get(at), self.impulse[1].get(at), self.slip_inverse.get(at));
        self.impulse[0].set(at, kept.dot(first) * factor);
        self.impulse[1].set(at, kept.dot(second) * factor);
    }
}

#[cfg(test)]
mod tests {
    use super::tangents_of;
    use crate::math::{Fixed, Scalar, SplitMix64, Vec3};

    /// Normals of every direction, and along the axes: each with its tangents is a right-handed frame of unit vectors, to some roundings.
    fn tangents_form_a_frame<S: Scalar>() {
        let mut random = SplitMix64::new(3);
        let mut part = || S::from_ratio(random.below(2_000_001) as i64 - 1_000_000, 1_000_000);
        let mut normals: Vec<Vec3<S>> =
            (0..2000).filter_map(|_| Vec3::new(part(), part(), part()).direction()).collect();
        normals.extend([Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]);
        let bound = 16.0 * S::EPSILON.to_f64();
        for normal in normals {
            let [first, second] = tangents_of::<S>(normal);
            let error =
                (first.cross(second) - normal).to_f64().into_iter().fold(0.0, |most: f64, part| most + part.abs());
            let lengths = [first, second].map(|tangent| (tangent.dot(tangent) - S::ONE).to_f64().abs());
            let across = first.dot(second).to_f64().abs();
            assert!(
                error <= bound && across <= bound && lengths.iter().all(|length| *length <= bound),
                "{}: {normal:?} with {first:?} and {second:?}",
                S::KIND
            );
        }
    }

    /// Of a normal in a coordinate plane one tangent is the axis across that plane, to the last bit, and the other lies in the plane.
    fn tangents_keep_to_coordinate_planes<S: Scalar>() {
        let mut random = SplitMix64::new(4);
        let mut part = || S::from_ratio(random.below(2_000_001) as i64 - 1_000_000, 1_000_000);
        for plane in 0..3 {
            for _ in 0..300 {
                let mut parts = [part(), part(), part()];
                parts[plane] = S::ZERO;
                let Some(normal) = Vec3::from_array(parts).direction() else { continue };
                let across = tangents_of::<S>(normal).map(|tangent| tangent.to_array()[plane]);
                let sizes = across.map(S::abs);
                assert!(
                    sizes == [S::ZERO, S::ONE] || sizes == [S::ONE, S::ZERO],
                    "{}: {normal:?}, across its plane {across:?}",
                    S::KIND
                );
            }
        }
    }

    #[test]
    fn tangents_in_a_coordinate_plane_do_not_leave_it() {
        tangents_keep_to_coordinate_planes::<Fixed>();
        tangents_keep_to_coordinate_planes::<f32>();
        tangents_keep_to_coordinate_planes::<f64>();
    }

    #[test]
    fn tangents_of_every_normal_form_a_frame_with_it() {
        tangents_form_a_frame::<Fixed>();
        tangents_form_a_frame::<f32>();
        tangents_form_a_frame::<f64>();
    }
}
