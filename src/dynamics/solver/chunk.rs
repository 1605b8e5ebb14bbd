//! A few batches of contacts of one colour, with their rows: what one thread works on at a time.
//!
//! Contacts of a colour share no body that they can push. So a pass may go over the chunks of a colour in any order, on any
//! threads, as long as it reads the bodies as the colour found them: what becomes of them is put down here, and handed to the
//! bodies when the colour is through.

use std::ops::Range;

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::collider::ContactSurface;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{CommonRows, LaneArms, LaneDisc, LanePatch, LanePoint, LaneRows, NONE, RowsView};
use crate::math::lanes::{Block, Flags, LANES, Lanes};
use crate::math::{Scalar, Vec3};

/// Batches in a chunk, at most: with eight contacts in each, a pass over it takes some microseconds.
pub(super) const BATCHES_IN_CHUNK: usize = 8;

/// The room that a contact takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Points.
    pub(super) points: usize,
    /// Discs of friction.
    pub(super) discs: usize,
    /// Whether there is one for all points.
    pub(super) is_patch: bool,
    /// Whether it resists rolling.
    pub(super) resists_rolling: bool,
}

/// What became of the points of a batch, in each lane.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointFates {
    /// Where an impact of this substep closed a gap, so that the bodies start from where they would have come from.
    pub struck: [Flags; MAX_POINTS],
    /// Where a point has pressed since the bodies moved in this substep.
    pub pressed: [Flags; MAX_POINTS],
    /// Where friction reached its limit in the last pass; of all points together it stands with the first.
    pub slips: [Flags; MAX_POINTS],
}

/// The bodies and points of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchBodies {
    /// Indices of the two bodies, in each lane.
    pub(super) indices: [[u32; LANES]; 2],
    /// The lanes whose body on each side can be pushed.
    pub(super) pushed: [Flags; 2],
    /// Those whose body moves, pushed or led.
    pub(super) moves: [Flags; 2],
    /// Those whose rows may drift: whose points turn with both bodies, and fast, or roll.
    pub(super) drifts: Flags,
    /// The lanes in which each point counts.
    pub(super) present: [Flags; MAX_POINTS],
    /// What became of each point.
    pub(super) fates: PointFates,
    /// The lanes whose contacts may strike in this substep.
    pub(super) alert: Flags,
    /// The lanes whose rows hold small numbers alone, for lanes that are for such.
    pub(super) has_small_rows: Flags,
    /// How many lanes are used.
    pub(super) count: usize,
}

/// Up to eight contacts.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
struct Batch<S: Scalar> {
    common: CommonRows<Block<S>>,
    bodies: BatchBodies,
    /// The contact of each lane, by its number in the step.
    contacts: [u32; LANES],
    points: Range<usize>,
    friction: Range<usize>,
    rolling: Range<usize>,
}

/// The motions of two bodies, in the lanes of a batch.
type LaneMotion<S> = PairMotion<Block<S>>;

/// Some batches and what they point to.
#[derive(Clone, Debug)]
pub(super) struct Chunk<S: Scalar> {
    batches: Vec<Batch<S>>,
    points: Vec<LanePoint<S>>,
    friction: Vec<LaneDisc<S>>,
    /// Beside each disc its arms, or beside each what it has to know if it is for all points; the other is empty.
    arms: Vec<LaneArms<S>>,
    patches: Vec<LanePatch<S>>,
    rolling: Vec<LaneDisc<S>>,
    /// How many of these are in use.
    used: Used,
    /// What became of the bodies of each batch in a pass, where it waits for the end of the colour.
    moved: Vec<LaneMotion<S>>,
    /// The largest change of a speed in the pass before, m/s.
    pub(super) change: S,
}

/// How many batches are in use, and how much of what they point to.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    batches: usize,
    points: usize,
    friction: usize,
    rolling: usize,
}

impl<S: Scalar> Default for Chunk<S> {
    fn default() -> Self {
        Self {
            batches: Vec::new(),
            points: Vec::new(),
            friction: Vec::new(),
            arms: Vec::new(),
            patches: Vec::new(),
            rolling: Vec::new(),
            used: Used::default(),
            moved: Vec::new(),
            change: S::ZERO,
        }
    }
}

/// The next so many of some things, which then are in use.
const fn take(used: &mut usize, count: usize) -> Range<usize> {
    let first = *used;
    *used += count;
    first..*used
}

impl<S: Scalar> Chunk<S> {
    /// Takes out all batches.
    ///
    /// What an earlier step left stays where it is until it is needed: a lane that no contact has taken pushes nothing and has no
    /// impulse, whatever else stands there.
    pub(super) fn clear(&mut self) {
        self.used = Used::default();
    }

    /// How many batches there are.
    pub(super) const fn len(&self) -> usize {
        self.used.batches
    }

    /// Whether a lane of a batch is free.
    pub(super) fn has_free_lane(&self, batch: usize) -> bool {
        self.batches[batch].bodies.count < LANES
    }

    /// How many lanes of a batch are used.
    #[inline(always)]
    pub(super) fn lanes_of(&self, batch: usize) -> usize {
        self.batches[batch].bodies.count
    }

    /// The contacts of a batch, by their numbers in the step.
    pub(super) fn contacts_of(&self, batch: usize) -> ([u32; LANES], usize) {
        (self.batches[batch].contacts, self.batches[batch].bodies.count)
    }

    /// Adds an empty batch; its number.
    pub(super) fn push(&mut self, Room { points, discs, is_patch, resists_rolling }: Room) -> usize {
        let number = self.used.batches;
        self.used.batches += 1;
        let points = take(&mut self.used.points, points);
        let friction = take(&mut self.used.friction, discs);
        let rolling = take(&mut self.used.rolling, usize::from(resists_rolling));
        self.batches.resize_with(self.batches.len().max(self.used.batches), Batch::default);
        self.points.resize_with(self.points.len().max(points.end), LanePoint::default);
        self.friction.resize_with(self.friction.len().max(friction.end), LaneDisc::default);
        if is_patch {
            self.patches.resize_with(self.patches.len().max(friction.end), LanePatch::default);
        } else {
            self.arms.resize_with(self.arms.len().max(friction.end), LaneArms::default);
        }
        self.rolling.resize_with(self.rolling.len().max(rolling.end), LaneDisc::default);
        for point in &mut self.points[points.clone()] {
            point.impulse = Block::ZERO;
        }
        for disc in self.friction[friction.clone()].iter_mut().chain(&mut self.rolling[rolling.clone()]) {
            (disc.impulse, disc.slip_inverse) = ([Block::ZERO; 2], Block::ZERO);
        }
        let batch = &mut self.batches[number];
        batch.bodies = BatchBodies::default();
        (batch.common.inverse_mass, batch.common.surface) = ([Block::ZERO; 2], ContactSurface::default());
        (batch.common.twist.mass, batch.common.twist.impulse) = (Block::ZERO, Block::ZERO);
        (batch.contacts, batch.points, batch.friction, batch.rolling) = ([NONE; LANES], points, friction, rolling);
        number
    }

    /// Gives a contact between these bodies the next lane of a batch.
    pub(super) fn take_lane(&mut self, batch: usize, contact: u32, bodies: [u32; 2]) -> usize {
        let Batch { bodies: batch_bodies, contacts, .. } = &mut self.batches[batch];
        let lane = batch_bodies.count;
        batch_bodies.count += 1;
        contacts[lane] = contact;
        for (indices, body) in batch_bodies.indices.iter_mut().zip(bodies) {
            indices[lane] = body;
        }
        lane
    }

    /// The rows of a batch, from its first lane on.
    #[inline(always)]
    pub(super) fn view(&mut self, batch: usize) -> RowsView<'_, S> {
        let Batch { common, bodies, points, friction, rolling, .. } = &mut self.batches[batch];
        RowsView {
            bodies,
            common,
            points: &mut self.points[points.clone()],
            friction: &mut self.friction[friction.clone()],
            arms: self.arms.get_mut(friction.clone()).unwrap_or_default(),
            patch: self.patches.get_mut(friction.start),
            rolling: self.rolling[rolling.clone()].first_mut(),
            at: 0,
        }
    }

    /// The rows of a contact that is alone in a lane and of which so many points count, to be changed.
    #[inline(always)]
    pub(super) fn view_lane(&mut self, batch: usize, lane: usize, count: usize) -> RowsView<'_, S> {
        let RowsView { bodies, common, points, friction, arms, patch, rolling, .. } = self.view(batch);
        let (discs, with_arms) = (friction.len().min(count), arms.len().min(count));
        let (points, friction, arms) = (&mut points[..count], &mut friction[..discs], &mut arms[..with_arms]);
        RowsView { bodies, common, points, friction, arms, patch, rolling, at: lane }
    }

    /// The rows of a contact that is alone in a lane and of which so many points count.
    #[inline(always)]
    pub(super) fn lane(&self, batch: usize, lane: usize, count: usize) -> LaneRows<'_, S> {
        let Batch { common, bodies, points, friction, rolling, .. } = &self.batches[batch];
        let (arms, patch) = (self.arms.get(friction.clone()).unwrap_or_default(), self.patches.get(friction.start));
        let (points, friction) = (&self.points[points.clone()], &self.friction[friction.clone()]);
        let (discs, with_arms) = (friction.len().min(count), arms.len().min(count));
        LaneRows {
            common,
            points: &points[..count],
            friction: &friction[..discs],
            arms: &arms[..with_arms],
            patch,
            rolling: self.rolling[rolling.clone()].first(),
            fates: &bodies.fates,
            at: lane,
        }
    }

    /// Whether the contact of a lane may strike in this substep.
    #[inline(always)]
    pub(super) fn is_alert(&self, batch: usize, lane: usize) -> bool {
        self.batches[batch].bodies.alert.is_set(lane)
    }

    /// Lets so many points of a lane count, as far as there is room for them; what the others had is gone. How many count.
    pub(super) fn set_count(&mut self, batch: usize, lane: usize, count: usize) -> usize {
        let batch = &mut self.batches[batch];
        let count = count.min(batch.points.len());
        for (index, present) in batch.bodies.present.iter_mut().enumerate() {
            present.put(lane, index < count);
        }
        for point in &mut self.points[batch.points.clone()][count..] {
            point.impulse.0[lane] = S::ZERO;
            point.set_offset(lane, Vec3::<S>::ZERO);
        }
        for disc in &mut self.friction[batch.friction.clone()].iter_mut().skip(count) {
            disc.put_kept(lane, Vec3::ZERO);
        }
        count
    }

    /// Takes the impulses of all substeps and impacts so far from the points of a lane, m/s.
    pub(super) fn take_totals(&mut self, batch: usize, lane: usize) -> S {
        let points = &mut self.points[self.batches[batch].points.clone()];
        points.iter_mut().fold(S::ZERO, |sum, point| sum + std::mem::take(&mut point.total.0[lane]))
    }

    /// Adds the normal impulses of a substep of `h` seconds to their totals, and forgets what was struck in it.
    pub(super) fn add_up(&mut self, h: S) {
        for batch in &mut self.batches[..self.used.batches] {
            batch.common.age.0.iter_mut().for_each(|age| *age += h);
            batch.bodies.fates.struck = Default::default();
        }
        for point in &mut self.points[..self.used.points] {
            for (total, impulse) in point.total.0.iter_mut().zip(point.impulse.0) {
                *total += impulse;
            }
        }
    }

    /// Whether one of the contacts pushes two bodies, and one of them by more than this share of its impulses.
    pub(super) fn has_uneven(&self, share: S) -> bool {
        let is_uneven = |a: S, b: S| (a > share && b > S::ZERO) || (b > share && a > S::ZERO);
        self.batches[..self.used.batches].iter().any(|batch| {
            let [a, b] = &batch.common.inverse_mass;
            a.0.iter().zip(b.0).take(batch.bodies.count).any(|(&a, b)| is_uneven(a, b))
        })
    }

    /// Adds the contacts, by their numbers in the step, whose points press with more than this impulse together, m/s.
    pub(super) fn add_pressed(&self, weak: S, contacts: &mut Vec<u32>) {
        for batch in &self.batches[..self.used.batches] {
            let mut sums = [S::ZERO; LANES];
            for point in &self.points[batch.points.clone()] {
                sums.iter_mut().zip(point.impulse.0).for_each(|(sum, impulse)| *sum += impulse);
            }
            let pressed = batch.contacts.iter().zip(sums).take(batch.bodies.count).filter(|(_, sum)| *sum > weak);
            contacts.extend(pressed.map(|(contact, _)| *contact));
        }
    }

    /// Sets all impulses to zero.
    pub(super) fn forget_impulses(&mut self) {
        for point in &mut self.points {
            point.impulse = Block::ZERO;
        }
        for disc in self.friction.iter_mut().chain(&mut self.rolling) {
            disc.impulse = [Block::ZERO; 2];
        }
        for batch in &mut self.batches {
            batch.common.twist.impulse = Block::ZERO;
        }
    }

    /// Makes room for what becomes of the bodies in a pass.
    pub(super) fn expect_moved(&mut self) {
        self.moved.resize(self.moved.len().max(self.len()), LaneMotion::default());
    }

    /// Puts down what became of the bodies of a batch, in the lanes from `at` on.
    #[inline(always)]
    pub(super) fn put_moved<L: Lanes<Scalar = S>>(&mut self, batch: usize, at: usize, now: &PairMotion<L>) {
        self.moved[batch].put(at, now);
    }

    /// Hands what became of them to the bodies that can be pushed.
    pub(super) fn hand_over(&self, linear: &mut [Vec3<S>], angular: &mut [Vec3<S>]) {
        for (batch, moved) in self.batches[..self.used.batches].iter().zip(&self.moved) {
            let BatchBodies { indices, pushed, count, .. } = &batch.bodies;
            moved.hand_over((indices, pushed, *count), linear, angular);
        }
    }
}
