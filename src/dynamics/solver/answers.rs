//! Makes the rows of contacts from their directions and arms: how the bodies answer to impulses along them, and what those do
//! to each other. All lanes of a batch at once; without closures, which are not compiled for the vectors.
//!
//! Where a contact has just been placed, the ways from its middle to its points stand where their levers will be.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::chunk::Chunk;
use crate::dynamics::solver::exchange::Growth;
use crate::dynamics::solver::prepare::Sources;
use crate::dynamics::solver::rows::{CommonRows, LaneDisc, LanePatch, Rows, RowsView, among_others};
use crate::dynamics::solver::small::{are_small, note_small_rows};
use crate::math::lanes::{Block, HAS_NARROW_LANES, LANES, LanePath, LaneTask, Lanes, Watch};
use crate::math::{Scalar, ScalarKind, SymMat3, Vec3};

/// Up to here arms are short enough for lanes of small numbers, metres: they are multiplied with inertias up to [`STIFF`], 1/m^2.
pub(super) const SHORT: u32 = 1 << 3;
/// Up to here mass times inverse inertia is small enough for that, 1/m^2.
pub(super) const STIFF: u32 = 1 << 12;
/// No component of a direction comes near this.
pub(super) const UNIT: u32 = 2;
/// Up to here levers are, but for contacts that reach far beyond their bodies.
pub(super) const LEVER: u32 = 1 << 2;

/// Up to here is what an impulse at one point spares another: at most the root of how much more the first moves by its own.
pub(super) const SPARED: u32 = 1 << 5;

/// Makes the rows of every contact of a chunk; all have just been placed.
pub(super) fn answer_chunk<S: Scalar>(chunk: &mut Chunk<S>, sources: Sources<'_, S>, lanes: LanePath) {
    lanes.run_in_steps(AnswerChunk { chunk, inverse_inertia: &sources.motion.inverse_inertia });
}

/// Makes the rows of the contact at this place, which has just been placed.
pub(super) fn answer_one<S: Scalar>(rows: &mut Rows<S>, place: usize, sources: Sources<'_, S>) {
    let (_, mut view) = rows.view(place);
    answer_small_or_all::<S>(&mut view, &sources.motion.inverse_inertia);
}

/// Lets the rows of the contact at this place answer with the inertia that its bodies have now. What they are made from is found from them.
pub(super) fn answer_again<S: Scalar>(rows: &mut Rows<S>, place: usize, sources: Sources<'_, S>) {
    let (_, mut view) = rows.view(place);
    let at = view.at;
    let [_, first, second] = view.common.directions_at::<S>(at);
    let length = view.common.length.0[at];
    for point in view.points.iter_mut() {
        let [about_first, about_second] = point.levers_at::<S>(at);
        point.set_offset(at, second * (about_first * length) - first * (about_second * length));
    }
    view.common.twist.impulse.0[at] *= length;
    answer_small_or_all::<S>(&mut view, &sources.motion.inverse_inertia);
}

/// The rows of the contacts of a chunk, as a task for lanes.
struct AnswerChunk<'a, S: Scalar> {
    chunk: &'a mut Chunk<S>,
    inverse_inertia: &'a [SymMat3<S>],
}

impl<S: Scalar> LaneTask<S> for AnswerChunk<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { chunk, inverse_inertia } = self;
        for batch in 0..chunk.len() {
            let count = chunk.lanes_of(batch);
            let mut view = chunk.view(batch);
            for part in 0..count.div_ceil(L::WIDTH) {
                view.at = part * L::WIDTH;
                answer_small_or_all::<L>(&mut view, inverse_inertia);
            }
        }
    }
}

/// Makes the rows of the lanes in view: in lanes for small numbers, and where one was not small, again in those for all.
#[inline(always)]
fn answer_small_or_all<L: Lanes>(view: &mut RowsView<'_, L::Scalar>, inverse_inertia: &[SymMat3<L::Scalar>]) {
    if <L::Narrow as Lanes>::IS_NARROW {
        let before = BeforeAnswer::of(view);
        let mut watch = Watch::<L::Narrow>::new();
        answer(view, inverse_inertia, &mut watch);
        if are_small::<L>(view, watch.small_lanes()) {
            view.bodies.has_small_rows.set::<L>(view.at, L::mask(u8::MAX), L::mask(u8::MAX));
            return;
        }
        before.put_back(view);
    }
    answer(view, inverse_inertia, &mut Watch::<L>::new());
    let is_for_small = HAS_NARROW_LANES && L::Scalar::KIND == ScalarKind::Fixed;
    if is_for_small {
        note_small_rows::<L>(view); // for the passes, whose lanes may be others
    }
}

/// What rows are made from that stands where they will be.
struct BeforeAnswer<S> {
    offsets: [[Block<S>; 3]; MAX_POINTS],
    twist: Block<S>,
}

impl<S: Scalar> BeforeAnswer<S> {
    #[inline(always)]
    fn of(view: &RowsView<'_, S>) -> Self {
        let mut before = Self { offsets: [[Block::ZERO; 3]; MAX_POINTS], twist: view.common.twist.impulse };
        for (offset, point) in before.offsets.iter_mut().zip(view.points.iter()) {
            *offset = [point.levers[0], point.levers[1], point.radius];
        }
        before
    }

    fn put_back(&self, view: &mut RowsView<'_, S>) {
        view.common.twist.impulse = self.twist;
        for (offset, point) in self.offsets.iter().zip(view.points.iter_mut()) {
            [point.levers[0], point.levers[1], point.radius] = *offset;
        }
    }
}

/// Makes the rows of the lanes in view.
#[inline(always)]
fn answer<L: Lanes>(view: &mut RowsView<'_, L::Scalar>, inverse_inertia: &[SymMat3<L::Scalar>], watch: &mut Watch<L>) {
    let at = view.at;
    let length: L = view.common.length.get(at);
    let pair = Pair::<L>::of(view, inverse_inertia, watch);
    pair.write_inertia(view.common, at, length, watch);
    let directions = view.common.directions_at::<L>(at);
    let arms = view.common.arms_at::<L>(at);
    watch.see_within(SHORT, length);
    watch.see(view.common.inverse_length.get(at));
    watch.see_vector_within(SHORT, arms[0]);
    watch.see_vector_within(SHORT, arms[1]);
    for direction in directions {
        watch.see_vector_within(UNIT, direction);
    }
    let axes = [directions[0] * length, directions[1] * length, directions[2] * length];
    let press = pair.pushed(arms, directions[0], watch);
    let one = L::splat(L::Scalar::ONE);
    let (mut pressing, mut rolling) = (Pressing::of_one(one + coupling(&press, &press)), [L::zero(); 3]);
    if view.points.len() > 1 || view.rolling.is_some() {
        let tilting = [pair.turned(axes[1], watch), pair.turned(axes[2], watch)];
        let turned = press.turning();
        pressing.with_tilts = [axes[1].dot(turned), axes[2].dot(turned)];
        rolling = [axes[1].dot(tilting[0]), axes[2].dot(tilting[1]), axes[1].dot(tilting[1])];
        pressing.tilts = rolling;
    }
    pressing.show(watch);
    write_points(view, directions, &pressing, watch);
    write_friction(view, &pair, (arms, axes), &press, watch);
    if let Some(disc) = view.rolling.as_deref_mut() {
        disc.write(at, rolling, watch);
    }
    let surface = &view.common.surface;
    watch.see_both([surface.friction.get(at), surface.restitution.get(at)]);
    watch.see_both([surface.rolling_friction.get(at), surface.spinning_friction.get(at)]);
}

/// What presses does to the gaps of a contact, per unit of impulse: the speed in its middle, and those of its tilting.
struct Pressing<L> {
    /// By an impulse along the normal in the middle of the contact.
    at_middle: L,
    /// How that tilts the bodies, and how an impulse about each tangent moves the middle.
    with_tilts: [L; 2],
    /// How impulses about the tangents tilt the bodies: `(0,0), (1,1), (0,1)`.
    tilts: [L; 3],
}

impl<L: Lanes> Pressing<L> {
    /// Where nothing tilts.
    #[inline(always)]
    fn of_one(at_middle: L) -> Self {
        Self { at_middle, with_tilts: [L::zero(); 2], tilts: [L::zero(); 3] }
    }

    #[inline(always)]
    fn show(&self, watch: &mut Watch<L>) {
        watch.see(self.at_middle);
        watch.see_both(self.with_tilts);
        for tilt in self.tilts {
            watch.see(tilt);
        }
    }

    /// How an impulse in the middle makes gaps grow.
    #[inline(always)]
    const fn growth_in_middle(&self) -> Growth<L> {
        Growth { at_middle: self.at_middle, tilts: self.with_tilts }
    }

    /// How an impulse at a point with these levers makes gaps grow.
    #[inline(always)]
    fn growth_by(&self, [first, second]: [L; 2]) -> Growth<L> {
        let ([with_first, with_second], [tilt_1, tilt_2, across]) = (self.with_tilts, self.tilts);
        Growth {
            at_middle: self.at_middle + with_first * first + with_second * second,
            tilts: [with_first + tilt_1 * first + across * second, with_second + across * first + tilt_2 * second],
        }
    }
}

/// Writes the levers of the points and how their impulses act on each other.
#[inline(always)]
fn write_points<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    [_, first, second]: [Vec3<L>; 3],
    pressing: &Pressing<L>,
    watch: &mut Watch<L>,
) {
    let at = view.at;
    let inverse_length: L = view.common.inverse_length.get(at);
    let has_several = view.points.len() > 1;
    let mut levers = [[L::zero(); 2]; MAX_POINTS];
    for (levers, point) in levers.iter_mut().zip(view.points.iter_mut()) {
        let mut radius = L::zero();
        if has_several {
            let offset = point.offset_at::<L>(at);
            watch.see_vector_within(SHORT, offset);
            *levers = [offset.dot(second) * inverse_length, -(offset.dot(first) * inverse_length)];
            watch.see_within(LEVER, levers[0]);
            watch.see_within(LEVER, levers[1]);
            radius = L::length3([levers[0], levers[1], L::zero()]);
        }
        point.levers[0].set(at, levers[0]);
        point.levers[1].set(at, levers[1]);
        point.radius.set(at, radius);
        watch.see(point.drift.get(at));
    }
    write_couplings(view, &levers, pressing, watch);
}

/// Writes what each point answers to impulses with, and what those at the others spare it.
#[inline(always)]
fn write_couplings<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    levers: &[[L; 2]; MAX_POINTS],
    pressing: &Pressing<L>,
    watch: &mut Watch<L>,
) {
    let (at, count) = (view.at, view.points.len());
    let mut coupling = [[L::zero(); MAX_POINTS]; MAX_POINTS];
    for (index, point) in view.points.iter_mut().enumerate() {
        let growth = if count > 1 { pressing.growth_by(levers[index]) } else { pressing.growth_in_middle() };
        for other in index..count {
            let speed = if count > 1 { growth.at(levers[other]) } else { growth.at_middle };
            watch.see(speed);
            (coupling[index][other], coupling[other][index]) = (speed, speed);
        }
        let mass = L::splat(L::Scalar::ONE).over(coupling[index][index]);
        watch.see_within(UNIT, mass);
        point.mass.set(at, mass);
        for (other, &speed) in coupling[index].iter().enumerate().take(count) {
            if other == index {
                continue;
            }
            let by_other = mass * speed;
            watch.see_within(SPARED, by_other);
            point.by_others[among_others(index, other)].set(at, by_other);
        }
    }
}

/// Writes the rows of friction along the tangents and about the normal.
#[inline(always)]
fn write_friction<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    pair: &Pair<L>,
    (arms, axes): ([Vec3<L>; 2], [Vec3<L>; 3]),
    press: &Pushed<L>,
    watch: &mut Watch<L>,
) {
    let at = view.at;
    let [_, first, second] = view.common.directions_at::<L>(at);
    let turning_by_twist = write_twist(view, pair, axes[0], watch);
    for (index, disc) in view.friction.iter_mut().enumerate() {
        let mut arms = arms;
        if let Some(of_point) = view.arms.get(index) {
            arms = of_point.at(at);
        }
        watch.see_vector_within(SHORT, arms[0]);
        watch.see_vector_within(SHORT, arms[1]);
        let slides = [pair.pushed(arms, first, watch), pair.pushed(arms, second, watch)];
        let one = L::splat(L::Scalar::ONE);
        let [first, second] = &slides;
        let (along_first, along_second) = (one + coupling(first, first), one + coupling(second, second));
        disc.write(at, [along_first, along_second, coupling(first, second)], watch);
        watch.see_both([disc.drift[0].get(at), disc.drift[1].get(at)]);
        if let Some(patch) = view.patch.as_deref_mut() {
            patch.write(at, (axes, turning_by_twist), press, &slides, watch);
        }
    }
}

impl<S: Scalar> LanePatch<S> {
    /// Writes what the patch's rows feel of the others.
    #[inline(always)]
    fn write<L: Lanes<Scalar = S>>(
        &mut self,
        at: usize,
        (axes, by_twist): ([Vec3<L>; 3], Vec3<L>),
        press: &Pushed<L>,
        slides: &[Pushed<L>; 2],
        watch: &mut Watch<L>,
    ) {
        for (to, slide) in self.slide_by_press.iter_mut().zip(slides) {
            let turning = slide.turning();
            let entries = [coupling(press, slide), axes[1].dot(turning), axes[2].dot(turning)];
            set_all(to, at, entries, watch);
        }
        let entries = [axes[0].dot(press.turning()), axes[1].dot(by_twist), axes[2].dot(by_twist)];
        set_all(&mut self.twist_by_press, at, entries, watch);
        set_all(
            &mut self.twist_by_slide,
            at,
            [axes[0].dot(slides[0].turning()), axes[0].dot(slides[1].turning())],
            watch,
        );
    }
}

/// Sets some numbers that rows are multiplied with.
#[inline(always)]
fn set_all<L: Lanes, const N: usize>(to: &mut [Block<L::Scalar>; N], at: usize, entries: [L; N], watch: &mut Watch<L>) {
    for (to, entry) in to.iter_mut().zip(entries) {
        watch.see(entry);
        to.set(at, entry);
    }
}

/// Writes the row against twisting, where anything resists that, and says how an impulse about the normal turns the bodies against
/// each other; the kept impulse stands there as one of an axis of length one.
#[inline(always)]
fn write_twist<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    pair: &Pair<L>,
    axis: Vec3<L>,
    watch: &mut Watch<L>,
) -> Vec3<L> {
    let at = view.at;
    let (surface, twist) = (&view.common.surface, &mut view.common.twist);
    let has_several = view.bodies.present[1].get::<L>(at);
    let rubs = match view.patch {
        None => L::mask(0),
        Some(_) => L::and(has_several, surface.friction.get::<L>(at).differs(L::zero())),
    };
    let resists = L::or(rubs, surface.spinning_friction.get::<L>(at).differs(L::zero()));
    let (mut mass, mut impulse, mut turned) = (L::zero(), L::zero(), Vec3::zero());
    if L::any(resists) {
        turned = pair.turned(axis, watch);
        let turning = axis.dot(turned);
        let turns = L::and(resists, turning.is_above(L::zero()));
        mass = L::select(turns, L::splat(L::Scalar::ONE).over(turning), L::zero());
        let kept: L = twist.impulse.get(at);
        watch.see(kept);
        impulse = L::select(mass.differs(L::zero()), kept * view.common.inverse_length.get(at), L::zero());
        watch.see_both([mass, impulse]);
    }
    twist.mass.set(at, mass);
    twist.impulse.set(at, impulse);
    turned
}

impl<S: Scalar> LaneDisc<S> {
    /// Writes two rows whose speeds per unit of impulse are these: `(0,0), (1,1), (0,1)`.
    #[inline(always)]
    fn write<L: Lanes<Scalar = S>>(&mut self, at: usize, [first, second, cross]: [L; 3], watch: &mut Watch<L>) {
        watch.see_both([first, second]);
        watch.see(cross);
        let determinant = L::dot2([first, -cross], [second, cross]);
        let is_regular = determinant.is_above(L::zero());
        let half = L::splat(S::HALF);
        let spread = L::length3([(first - second) * half, cross, L::zero()]);
        let slip_inverse = L::splat(S::ONE).over((first + second) * half + spread);
        let inverse = [second.over(determinant), first.over(determinant), (-cross).over(determinant)];
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

/// What an impulse along a direction does to two bodies.
struct Pushed<L> {
    /// How their spins show along it: `arm x direction`, metres.
    jacobian: [Vec3<L>; 2],
    /// Angular velocity per unit of impulse, 1/m; that of the first body is taken from its own.
    response: [Vec3<L>; 2],
}

impl<L: Lanes> Pushed<L> {
    /// How it turns the bodies against each other.
    #[inline(always)]
    fn turning(&self) -> Vec3<L> {
        self.response[0] + self.response[1]
    }
}

/// What an impulse along one direction does to the speed along another by turning the bodies.
#[inline(always)]
fn coupling<L: Lanes>(one: &Pushed<L>, other: &Pushed<L>) -> L {
    one.jacobian[0].dot(other.response[0]) + one.jacobian[1].dot(other.response[1])
}

/// Mass times inverse inertia of two bodies, times the share that each takes of what pushes both; world axes, 1/m^2.
struct Pair<L> {
    inverse_inertia: [SymMat3<L>; 2],
}

impl<L: Lanes> Pair<L> {
    #[inline(always)]
    fn of(view: &RowsView<'_, L::Scalar>, inverse_inertia: &[SymMat3<L::Scalar>], watch: &mut Watch<L>) -> Self {
        let at = view.at;
        let mut pair = Self { inverse_inertia: [SymMat3::zero(); 2] };
        for (side, to) in pair.inverse_inertia.iter_mut().enumerate() {
            let of_body = gather(inverse_inertia, &view.bodies.indices[side], at);
            watch.see_matrix_within(STIFF, of_body);
            *to = of_body * view.common.inverse_mass[side].get::<L>(at);
        }
        pair
    }

    /// Writes what moments over the contact's length are multiplied with.
    #[inline(always)]
    fn write_inertia(&self, common: &mut CommonRows<Block<L::Scalar>>, at: usize, length: L, watch: &mut Watch<L>) {
        for (to, inverse_inertia) in common.inverse_inertia.iter_mut().zip(self.inverse_inertia) {
            let times_length = inverse_inertia * length;
            watch.see_matrix(times_length);
            to.set(at, times_length);
        }
    }

    /// What an impulse along `direction` at these arms does.
    #[inline(always)]
    fn pushed(&self, arms: [Vec3<L>; 2], direction: Vec3<L>, watch: &mut Watch<L>) -> Pushed<L> {
        let jacobian = [arms[0].cross(direction), arms[1].cross(direction)];
        let response = [self.inverse_inertia[0] * jacobian[0], self.inverse_inertia[1] * jacobian[1]];
        watch.see_vector(response[0]);
        watch.see_vector(response[1]);
        Pushed { jacobian, response }
    }

    /// How an impulse about `axis`, which is as long as the contact, turns the bodies against each other.
    #[inline(always)]
    fn turned(&self, axis: Vec3<L>, watch: &mut Watch<L>) -> Vec3<L> {
        let turned = (self.inverse_inertia[0] + self.inverse_inertia[1]) * axis;
        watch.see_vector(turned);
        turned
    }
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
