//! Where the rows of contacts are: eight contacts side by side, one in each lane.
//!
//! Contacts of one colour share no body that they can push, so those of a batch are solved at once. Those that found no colour,
//! or began within the step, stand in batches behind, whose lanes are taken one after the other.

use std::ops::Range;

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::collider::ContactSurface;
use crate::dynamics::solver::rows::{CommonRows, LaneDisc, LanePoint, LaneRows, NONE, RowsView};
use crate::math::lanes::{Block, Flags, LANES};
use crate::math::{Scalar, Vec3};

/// Where a contact is among the batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    pub(super) batch: u32,
    pub(super) lane: u8,
}

/// The bodies and points of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchBodies {
    /// Indices of the two bodies, in each lane.
    pub(super) indices: [[u32; LANES]; 2],
    /// The lanes whose body on each side can be pushed.
    pub(super) pushed: [Flags; 2],
    /// The lanes in which each point counts.
    pub(super) present: [Flags; MAX_POINTS],
    /// The lanes whose contacts may strike in this substep.
    pub(super) alert: Flags,
    /// How many lanes are used.
    pub(super) count: usize,
    /// Whether they are taken one after the other.
    pub(super) is_sequence: bool,
}

/// Up to eight contacts.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
struct Batch<S: Scalar> {
    common: CommonRows<Block<S>>,
    bodies: BatchBodies,
    points: Range<usize>,
    friction: Range<usize>,
    /// Against rolling, among [`Batches::rolling`]; [`NONE`] where no contact of it resists that.
    rolling: u32,
}

/// The contacts of a step in lanes, in solving order.
///
/// What an earlier step left stays where it is until it is needed: a lane that no contact has taken pushes nothing and has no
/// impulse, whatever else stands there.
#[derive(Clone, Debug)]
pub struct Batches<S: Scalar> {
    batches: Vec<Batch<S>>,
    points: Vec<LanePoint<S>>,
    friction: Vec<LaneDisc<S>>,
    rolling: Vec<LaneDisc<S>>,
    /// How many of these are in use.
    used: Used,
    /// The batch of the present colour that is being filled, by the room that its contacts have for points.
    filling: [Option<u32>; MAX_POINTS + 1],
}

impl<S: Scalar> Default for Batches<S> {
    fn default() -> Self {
        let (used, filling) = (Used::default(), [None; MAX_POINTS + 1]);
        Self { batches: Vec::new(), points: Vec::new(), friction: Vec::new(), rolling: Vec::new(), used, filling }
    }
}

/// How many batches are in use, and how much of what they point to.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    batches: usize,
    points: usize,
    friction: usize,
}

/// The room that a contact takes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Points.
    pub(super) points: usize,
    /// Discs of friction.
    pub(super) discs: usize,
    /// Whether it resists rolling.
    pub(super) resists_rolling: bool,
}

impl<S: Scalar> Batches<S> {
    /// Takes out all batches.
    pub(super) fn clear(&mut self) {
        self.used = Used::default();
        self.rolling.clear();
        self.begin_colour();
    }

    /// Begins a colour: no batch holds contacts of two.
    pub(super) const fn begin_colour(&mut self) {
        self.filling = [None; MAX_POINTS + 1];
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.used.batches
    }

    /// How many lanes of a batch are used, and whether they are taken one after the other.
    pub(super) fn lanes_of(&self, batch: usize) -> (usize, bool) {
        let BatchBodies { count, is_sequence, .. } = self.batches[batch].bodies;
        (count, is_sequence)
    }

    /// The rows of a batch, from its first lane on.
    #[inline(always)]
    pub(super) fn view(&mut self, batch: usize) -> RowsView<'_, S> {
        let Batch { common, bodies, points, friction, rolling } = &mut self.batches[batch];
        RowsView {
            bodies,
            common,
            points: &mut self.points[points.clone()],
            friction: &mut self.friction[friction.clone()],
            rolling: self.rolling.get_mut(*rolling as usize),
            at: 0,
        }
    }

    /// The rows of a lane.
    #[inline(always)]
    pub(super) fn at(&self, Lane { batch, lane }: Lane) -> LaneRows<'_, S> {
        let Batch { common, points, friction, rolling, .. } = &self.batches[batch as usize];
        LaneRows {
            common,
            points: &self.points[points.clone()],
            friction: &self.friction[friction.clone()],
            rolling: self.rolling.get(*rolling as usize),
            at: usize::from(lane),
        }
    }

    /// Takes a lane among contacts of the present colour.
    pub(super) fn add(&mut self, bodies: [u32; 2], room: Room) -> Lane {
        let is_free = |batch: &u32| self.batches[*batch as usize].bodies.count < LANES;
        let batch = match self.filling[room.points].filter(is_free) {
            Some(batch) => batch,
            None => self.push(room, false),
        };
        self.filling[room.points] = Some(batch);
        self.take_lane(batch, bodies, room)
    }

    /// Takes the lane behind all others.
    pub(super) fn add_behind(&mut self, bodies: [u32; 2], room: Room) -> Lane {
        let fits = |batch: &Batch<S>| {
            let BatchBodies { count, is_sequence, .. } = batch.bodies;
            is_sequence && count < LANES && batch.friction.len() == room.discs
        };
        let last = self.len().checked_sub(1);
        let batch = match last {
            Some(last) if fits(&self.batches[last]) => u32::try_from(last).unwrap_or(NONE),
            _ => self.push(Room { points: MAX_POINTS, ..room }, true),
        };
        self.take_lane(batch, bodies, room)
    }

    /// Adds an empty batch; its index.
    fn push(&mut self, Room { points, discs, .. }: Room, is_sequence: bool) -> u32 {
        let number = self.used.batches;
        let (points, friction) =
            (self.used.points..self.used.points + points, self.used.friction..self.used.friction + discs);
        self.used = Used { batches: number + 1, points: points.end, friction: friction.end };
        if self.batches.len() == number {
            self.batches.push(Batch::default());
        }
        self.points.resize_with(self.points.len().max(points.end), LanePoint::default);
        self.friction.resize_with(self.friction.len().max(friction.end), LaneDisc::default);
        for point in &mut self.points[points.clone()] {
            point.impulse = Block::ZERO;
        }
        for disc in &mut self.friction[friction.clone()] {
            (disc.impulse, disc.slips) = ([Block::ZERO; 2], Flags::default());
        }
        let batch = &mut self.batches[number];
        batch.bodies = BatchBodies { is_sequence, ..BatchBodies::default() };
        (batch.common.push, batch.common.surface) = ([Block::ZERO; 2], ContactSurface::default());
        (batch.common.twist.mass, batch.common.twist.impulse) = (Block::ZERO, Block::ZERO);
        (batch.points, batch.friction, batch.rolling) = (points, friction, NONE);
        u32::try_from(number).unwrap_or(NONE)
    }

    /// Whether the contact of a lane may strike in this substep.
    #[inline(always)]
    pub(super) fn is_alert(&self, Lane { batch, lane }: Lane) -> bool {
        self.batches[batch as usize].bodies.alert.is_set(usize::from(lane))
    }

    /// The next lane of a batch, for a contact between these bodies.
    fn take_lane(&mut self, number: u32, bodies: [u32; 2], room: Room) -> Lane {
        let batch = &mut self.batches[number as usize];
        let lane = batch.bodies.count;
        batch.bodies.count += 1;
        for (indices, body) in batch.bodies.indices.iter_mut().zip(bodies) {
            indices[lane] = body;
        }
        if room.resists_rolling && batch.rolling == NONE {
            batch.rolling = u32::try_from(self.rolling.len()).unwrap_or(NONE);
            self.rolling.push(LaneDisc::default());
        }
        Lane { batch: number, lane: lane as u8 }
    }

    /// Lets so many points of a lane count; what the others had is gone.
    pub(super) fn set_count(&mut self, Lane { batch, lane }: Lane, count: usize) {
        let (batch, lane) = (&mut self.batches[batch as usize], usize::from(lane));
        for (index, present) in batch.bodies.present.iter_mut().enumerate() {
            present.put(lane, index < count);
        }
        for point in &mut self.points[batch.points.clone()][count..] {
            point.impulse.0[lane] = S::ZERO;
            point.normal.lever.iter_mut().for_each(|lever| lever.set(lane, Vec3::<S>::ZERO));
        }
        for disc in &mut self.friction[batch.friction.clone()].iter_mut().skip(count) {
            disc.set_impulse(lane, [S::ZERO; 2]);
        }
    }

    /// Adds the normal impulses of a substep of `h` seconds to their totals, and forgets what was struck in it.
    pub(super) fn add_up(&mut self, h: S) {
        for batch in &mut self.batches[..self.used.batches] {
            batch.common.age.0.iter_mut().for_each(|age| *age += h);
        }
        for point in &mut self.points[..self.used.points] {
            for (total, impulse) in point.total.0.iter_mut().zip(point.impulse.0) {
                *total += impulse;
            }
            point.struck = Flags::default();
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
}
