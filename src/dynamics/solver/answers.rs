//! Makes the rows of contacts from their directions and arms: how the bodies answer to impulses along them, and what those do
//! to each other. All lanes of a batch at once; without closures, which are not compiled for the vectors.
//!
//! Where a contact has just been put, the arms of its points stand where the Jacobians of their normal rows will be.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::settings::FrictionRows;
use crate::dynamics::solver::chunk::Chunk;
use crate::dynamics::solver::prepare::{Sources, share_of};
use crate::dynamics::solver::rows::{LaneDisc, Row, Rows, RowsView};
use crate::dynamics::solver::small::{are_small, note_small_rows};
use crate::math::lanes::{Block, HAS_NARROW_LANES, LANES, LanePath, LaneTask, Lanes, Watch};
use crate::math::{Scalar, ScalarKind, SymMat3, Vec3};

/// Up to here arms are short enough for lanes of small numbers, metres: they are multiplied with inertias up to [`STIFF`], 1/m^2.
const SHORT: u32 = 1 << 3;
/// Up to here mass times inverse inertia is small enough for that, 1/m^2.
const STIFF: u32 = 1 << 12;
/// No component of a direction comes near this.
pub(super) const UNIT: u32 = 2;

/// Makes the rows of every contact of a chunk; all have just been put.
pub(super) fn answer_chunk<S: Scalar>(chunk: &mut Chunk<S>, sources: Sources<'_, S>, lanes: LanePath) {
    let Sources { motion, friction, .. } = sources;
    lanes.run(AnswerChunk { chunk, inverse_inertia: &motion.inverse_inertia, friction });
}

/// Makes the rows of the contact at this place, which has just been put.
pub(super) fn answer_one<S: Scalar>(rows: &mut Rows<S>, place: usize, sources: Sources<'_, S>) {
    let (_, mut view) = rows.view(place);
    answer_small_or_all::<S>(&mut view, &sources.motion.inverse_inertia, sources.friction);
}

/// The rows of the contacts of a chunk, as a task for lanes.
struct AnswerChunk<'a, S: Scalar> {
    chunk: &'a mut Chunk<S>,
    inverse_inertia: &'a [SymMat3<S>],
    friction: FrictionRows,
}

impl<S: Scalar> LaneTask<S> for AnswerChunk<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { chunk, inverse_inertia, friction } = self;
        for batch in 0..chunk.len() {
            let (count, _) = chunk.lanes_of(batch);
            let mut view = chunk.view(batch);
            for part in 0..count.div_ceil(L::WIDTH) {
                view.at = part * L::WIDTH;
                answer_small_or_all::<L>(&mut view, inverse_inertia, friction);
            }
        }
    }
}

/// Makes the rows of the lanes in view: in lanes for small numbers, and where one was not small, again in those for all.
#[inline(always)]
fn answer_small_or_all<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    inverse_inertia: &[SymMat3<L::Scalar>],
    friction: FrictionRows,
) {
    if <L::Narrow as Lanes>::IS_NARROW {
        let before = BeforeAnswer::of(view);
        let mut watch = Watch::<L::Narrow>::new();
        answer(view, inverse_inertia, friction, &mut watch);
        if are_small::<L>(view, watch.small_lanes()) {
            view.bodies.has_small_rows.set::<L>(view.at, L::mask(u8::MAX), L::mask(u8::MAX));
            return;
        }
        before.put_back(view);
    }
    answer(view, inverse_inertia, friction, &mut Watch::<L>::new());
    let is_for_small = HAS_NARROW_LANES && L::Scalar::KIND == ScalarKind::Fixed;
    if is_for_small && !view.bodies.is_sequence {
        note_small_rows::<L>(view); // for the passes, whose lanes may be others
    }
}

/// What rows are made from that stands where they will be.
struct BeforeAnswer<S> {
    arms: [[Vec3<Block<S>>; 2]; MAX_POINTS],
    twist: Block<S>,
}

impl<S: Scalar> BeforeAnswer<S> {
    #[inline(always)]
    fn of(view: &RowsView<'_, S>) -> Self {
        let mut before = Self { arms: Default::default(), twist: view.common.twist.impulse };
        for (arms, point) in before.arms.iter_mut().zip(view.points.iter()) {
            *arms = point.normal.jacobian;
        }
        before
    }

    fn put_back(&self, view: &mut RowsView<'_, S>) {
        view.common.twist.impulse = self.twist;
        for (arms, point) in self.arms.iter().zip(view.points.iter_mut()) {
            point.normal.jacobian = *arms;
        }
    }
}

/// Makes the rows of the lanes in view.
#[inline(always)]
fn answer<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    inverse_inertia: &[SymMat3<L::Scalar>],
    friction: FrictionRows,
    watch: &mut Watch<L>,
) {
    let at = view.at;
    let pair = Pair::<L>::of(view, inverse_inertia, watch);
    let [normal, first, second] = &view.common.directions;
    let (normal, first, second) = (normal.at::<L>(at), first.at::<L>(at), second.at::<L>(at));
    let mut arms = [[Vec3::zero(); 2]; MAX_POINTS];
    for (arms, point) in arms.iter_mut().zip(view.points.iter()) {
        *arms = [point.normal.jacobian[0].at(at), point.normal.jacobian[1].at(at)];
        watch.see_vector_within(SHORT, arms[0]);
        watch.see_vector_within(SHORT, arms[1]);
    }
    let arms = &arms[..view.points.len()];
    write_normals(view, &pair, arms, normal, watch);
    let length: L = view.common.length.get(at);
    watch.see_within(SHORT, length);
    for direction in [normal, first, second] {
        watch.see_vector_within(UNIT, direction);
    }
    let is_patch = friction == FrictionRows::Patch;
    let mut middle = [Vec3::zero(); 2];
    if is_patch {
        middle = middle_of(view, arms);
        for (point, arms) in view.points.iter_mut().zip(arms) {
            let Vec3 { x, y, z } = arms[0] - middle[0];
            let radius = L::length3([x, y, z]).over(length);
            watch.see(radius);
            point.radius.set(at, radius);
        }
    }
    write_twist(view, &pair, normal * length, friction, watch);
    // One piece of code for both kinds of disc: unoptimised, all of this is one frame, and threads have little stack.
    let rubbing = view.friction.len();
    for (index, disc) in view.friction.iter_mut().chain(view.rolling.as_deref_mut()).enumerate() {
        let mut rows = [Row { jacobian: [Vec3::zero(); 2], response: [Vec3::zero(); 2] }; 2];
        for (row, direction) in rows.iter_mut().zip([first, second]) {
            let jacobian = match index < rubbing {
                true => jacobian(if is_patch { middle } else { arms[index] }, direction),
                false => [direction * length; 2],
            };
            *row = pair.answer(jacobian, watch);
        }
        let linear = if index < rubbing { L::splat(L::Scalar::ONE) } else { L::zero() };
        disc.write(at, rows, linear, watch);
        watch.see_both([disc.drift[0].get(at), disc.drift[1].get(at)]);
    }
    let surface = &view.common.surface;
    watch.see_both([surface.friction.get(at), surface.restitution.get(at)]);
    watch.see_both([surface.rolling_friction.get(at), surface.spinning_friction.get(at)]);
}

/// Writes the normal rows and how they act on each other.
#[inline(always)]
fn write_normals<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    pair: &Pair<L>,
    arms: &[[Vec3<L>; 2]],
    normal: Vec3<L>,
    watch: &mut Watch<L>,
) {
    let at = view.at;
    let mut rows = [Row { jacobian: [Vec3::zero(); 2], response: [Vec3::zero(); 2] }; MAX_POINTS];
    for (row, arms) in rows.iter_mut().zip(arms) {
        *row = pair.row(*arms, normal, watch);
    }
    let rows = &rows[..arms.len()];
    let one = L::splat(L::Scalar::ONE);
    for (index, (point, row)) in view.points.iter_mut().zip(rows).enumerate() {
        point.normal.set(at, *row);
        let couplings = &mut view.common.coupling[index];
        for (entry, other) in couplings.iter_mut().zip(rows) {
            let speed = one + coupling(other, row);
            watch.see(speed);
            entry.set(at, speed);
        }
        let mass = one.over(couplings[index].get(at));
        watch.see_within(UNIT, mass);
        point.mass.set(at, mass);
    }
}

/// Writes the row against twisting, where anything resists that; the kept impulse stands there as one of an axis of length one.
#[inline(always)]
fn write_twist<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    pair: &Pair<L>,
    axis: Vec3<L>,
    friction: FrictionRows,
    watch: &mut Watch<L>,
) {
    let at = view.at;
    let (surface, twist) = (&view.common.surface, &mut view.common.twist);
    let has_several = view.bodies.present[1].get::<L>(at);
    let rubs = match friction {
        FrictionRows::PerPoint => L::mask(0),
        FrictionRows::Patch => L::and(has_several, surface.friction.get::<L>(at).differs(L::zero())),
    };
    let resists = L::or(rubs, surface.spinning_friction.get::<L>(at).differs(L::zero()));
    let (mut mass, mut impulse) = (L::zero(), L::zero());
    if L::any(resists) {
        let row = pair.turning(axis, watch);
        let turning = coupling(&row, &row);
        let turns = L::and(resists, turning.is_above(L::zero()));
        mass = L::select(turns, L::splat(L::Scalar::ONE).over(turning), L::zero());
        let kept: L = twist.impulse.get(at);
        impulse = L::select(mass.differs(L::zero()), kept.over(view.common.length.get(at)), L::zero());
        watch.see_both([mass, impulse]);
        watch.see(kept);
        twist.row.set(at, row);
    }
    twist.mass.set(at, mass);
    twist.impulse.set(at, impulse);
}

/// The arms to the middle of the points that count; those of the others are zero.
#[inline(always)]
pub(super) fn middle_of<L: Lanes>(view: &RowsView<'_, L::Scalar>, arms: &[[Vec3<L>; 2]]) -> [Vec3<L>; 2] {
    let mut share = L::splat(share_of(1));
    for count in 2..=arms.len() {
        share = L::select(view.bodies.present[count - 1].get::<L>(view.at), L::splat(share_of(count)), share);
    }
    let mut sum = [Vec3::zero(); 2];
    for arms in arms {
        sum = [sum[0] + arms[0], sum[1] + arms[1]];
    }
    [sum[0] * share, sum[1] * share]
}

impl<S: Scalar> LaneDisc<S> {
    /// Writes two rows whose speeds per unit of impulse are `linear` and what their turning adds.
    #[inline(always)]
    fn write<L: Lanes<Scalar = S>>(&mut self, at: usize, rows: [Row<L>; 2], linear: L, watch: &mut Watch<L>) {
        let (first, second) = (linear + coupling(&rows[0], &rows[0]), linear + coupling(&rows[1], &rows[1]));
        let cross = coupling(&rows[0], &rows[1]);
        watch.see_both([first, second]);
        watch.see(cross);
        let determinant = L::dot2([first, -cross], [second, cross]);
        let is_regular = determinant.is_above(L::zero());
        let half = L::splat(S::HALF);
        let spread = L::length3([(first - second) * half, cross, L::zero()]);
        let slip_inverse = L::splat(S::ONE).over((first + second) * half + spread);
        let inverse = [second.over(determinant), first.over(determinant), (-cross).over(determinant)];
        for (to, row) in self.rows.iter_mut().zip(rows) {
            to.set(at, row);
        }
        for (to, entry) in self.inverse.iter_mut().zip(inverse) {
            let entry = L::select(is_regular, entry, L::zero());
            watch.see(entry);
            to.set(at, entry);
        }
        let slip_inverse = L::select(is_regular, slip_inverse, L::zero());
        watch.see(slip_inverse);
        self.slip_inverse.set(at, slip_inverse);
    }
}

/// What an impulse along one row does to the speed of another by turning the bodies.
#[inline(always)]
fn coupling<L: Lanes>(row: &Row<L>, other: &Row<L>) -> L {
    row.jacobian[0].dot(other.response[0]) + row.jacobian[1].dot(other.response[1])
}

/// What two bodies bring to their rows.
struct Pair<L> {
    /// Reduced mass over mass of both, together 1.
    inverse_mass: [L; 2],
    /// Mass times inverse inertia, world frame, 1/m^2.
    inverse_inertia: [SymMat3<L>; 2],
}

impl<L: Lanes> Pair<L> {
    #[inline(always)]
    fn of(view: &RowsView<'_, L::Scalar>, inverse_inertia: &[SymMat3<L::Scalar>], watch: &mut Watch<L>) -> Self {
        let ([a, b], at) = (&view.bodies.indices, view.at);
        let inverse_mass = [view.common.inverse_mass[0].get(at), view.common.inverse_mass[1].get(at)];
        let inverse_inertia = [gather(inverse_inertia, a, at), gather(inverse_inertia, b, at)];
        for SymMat3 { xx, yy, zz, xy, xz, yz } in inverse_inertia {
            watch.see_vector_within(STIFF, Vec3::new(xx, yy, zz));
            watch.see_vector_within(STIFF, Vec3::new(xy, xz, yz));
        }
        Self { inverse_mass, inverse_inertia }
    }

    /// The row along `direction` at `arms` from the centres of mass.
    #[inline(always)]
    fn row(&self, arms: [Vec3<L>; 2], direction: Vec3<L>, watch: &mut Watch<L>) -> Row<L> {
        self.answer(jacobian(arms, direction), watch)
    }

    /// The row that turns the bodies against each other about `axis`, times a length.
    #[inline(always)]
    fn turning(&self, axis: Vec3<L>, watch: &mut Watch<L>) -> Row<L> {
        self.answer([axis; 2], watch)
    }

    #[inline(always)]
    fn answer(&self, jacobian: [Vec3<L>; 2], watch: &mut Watch<L>) -> Row<L> {
        let ([inertia_a, inertia_b], [inverse_mass_a, inverse_mass_b]) = (self.inverse_inertia, self.inverse_mass);
        let response = [inertia_a * jacobian[0] * inverse_mass_a, inertia_b * jacobian[1] * inverse_mass_b];
        watch.see_vector(response[0]);
        watch.see_vector(response[1]);
        Row { jacobian, response }
    }
}

/// The Jacobian of a row along `direction` at `arms` from the centres of mass.
#[inline(always)]
fn jacobian<L: Lanes>(arms: [Vec3<L>; 2], direction: Vec3<L>) -> [Vec3<L>; 2] {
    [arms[0].cross(direction), arms[1].cross(direction)]
}

/// The matrices at some indices, one in each lane.
#[inline(always)]
fn gather<L: Lanes>(from: &[SymMat3<L::Scalar>], indices: &[u32; LANES], at: usize) -> SymMat3<L> {
    let mut found = SymMat3::<Block<L::Scalar>>::default();
    for lane in 0..L::WIDTH {
        found.set(lane, from[indices[at + lane] as usize]);
    }
    found.at(0)
}
