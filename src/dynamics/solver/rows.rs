//! Constraint rows: what a pass needs of each contact.
//!
//! Impulses are divided by the reduced mass `1 / (1/m_A + 1/m_B)` of the two bodies, so they are speeds: stored factors stay
//! near one, and in fixed point nothing overflows at any mass. Rows that only turn are multiplied by a length of the
//! contact's own size, so that their speeds are in m/s too.
//!
//! The numbers `T` are those of eight contacts side by side, with `F` for a yes or no of each; where they are stands in
//! `batches`. For one contact alone they are a scalar and a `bool`.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::collider::ContactSurface;
use crate::dynamics::solver::batches::{Batches, Lane};
use crate::dynamics::solver::chunk::BatchBodies;
use crate::dynamics::solver::refresh::Looks;
use crate::math::lanes::{Block, Flags, Lanes};
use crate::math::{Scalar, Vec3};

/// How many contacts ahead one is fetched where some 20 ns are spent on each: about as long ahead as memory takes to answer. Where
/// more is done, it is the next one.
pub(super) const FETCHED_AHEAD: usize = 4;

/// No contact, or no rows.
pub const NONE: u32 = u32::MAX;

/// One direction in which two bodies push each other: how their spins show in it, and how they answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row<T> {
    /// `r x d` of both bodies: what the angular velocity is multiplied with.
    pub jacobian: [Vec3<T>; 2],
    /// Angular velocity per unit of impulse, of both bodies.
    pub response: [Vec3<T>; 2],
}

impl<S: Scalar> Row<Block<S>> {
    /// The rows of the lanes from `at` on.
    #[inline(always)]
    #[must_use]
    pub fn at<L: Lanes<Scalar = S>>(&self, at: usize) -> Row<L> {
        let Self { jacobian: [jacobian_a, jacobian_b], response: [response_a, response_b] } = self;
        Row { jacobian: [jacobian_a.at(at), jacobian_b.at(at)], response: [response_a.at(at), response_b.at(at)] }
    }

    /// Sets the rows of the lanes from `at` on.
    #[inline(always)]
    pub(super) fn set<L: Lanes<Scalar = S>>(&mut self, at: usize, row: Row<L>) {
        for side in 0..2 {
            self.jacobian[side].set(at, row.jacobian[side]);
            self.response[side].set(at, row.response[side]);
        }
    }
}

/// A pair of rows whose impulses are held within a disc.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub struct DiscRows<T, F> {
    /// The two rows.
    pub rows: [Row<T>; 2],
    /// Inverse of their coupling, as `(0,0), (1,1), (0,1)`.
    pub inverse: [T; 3],
    /// Inverse of the larger eigenvalue of the coupling: impulse per speed of a contact that slips, alike in all directions.
    pub slip_inverse: T,
    /// By how much the speeds along the rows grow in a second, m/s^2, as the arms turn with the bodies: rows serve for a while, and
    /// what is carried round is at no time of it to slip.
    pub drift: [T; 2],
    /// Impulses of the substep, m/s.
    pub impulse: [T; 2],
    /// Whether the impulse reached its limit in the last pass.
    pub slips: F,
}

impl<S: Scalar> LaneDisc<S> {
    /// Those of one lane.
    #[must_use]
    pub fn in_lane(&self, lane: usize) -> DiscRows<S, bool> {
        DiscRows {
            rows: [self.rows[0].at(lane), self.rows[1].at(lane)],
            inverse: self.inverse.map(|entry| entry.0[lane]),
            slip_inverse: self.slip_inverse.0[lane],
            drift: self.drift.map(|drift| drift.0[lane]),
            impulse: self.impulse.map(|impulse| impulse.0[lane]),
            slips: self.slips.is_set(lane),
        }
    }

    /// Sets the impulses of one lane.
    pub(super) const fn set_impulse(&mut self, lane: usize, [first, second]: [S; 2]) {
        (self.impulse[0].0[lane], self.impulse[1].0[lane]) = (first, second);
    }

    /// The impulses of one lane.
    pub(super) const fn impulse_in(&self, lane: usize) -> [S; 2] {
        [self.impulse[0].0[lane], self.impulse[1].0[lane]]
    }
}

/// One row that only turns the bodies against each other, and its impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TwistRow<T> {
    /// The row; the Jacobians of both bodies are the axis times the contact's length.
    pub row: Row<T>,
    /// Impulse per speed.
    pub mass: T,
    /// Impulse of the substep, m/s.
    pub impulse: T,
}

/// The normal row of one point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub struct PointRows<T, F> {
    /// The row.
    pub normal: Row<T>,
    /// Impulse per speed.
    pub mass: T,
    /// Gap (positive) or overlap (negative) where the bodies were at the start of the step, metres.
    pub separation: T,
    /// Normal impulse of the substep, m/s; never negative, and zero for a point that does not count.
    pub impulse: T,
    /// Normal impulses of all substeps and impacts so far, m/s.
    pub total: T,
    /// Distance from the middle of the contact over the contact's length: the arm of friction against twisting, of patches.
    pub radius: T,
    /// Whether an impact of this substep closed a gap here, so that the bodies start from where they would have come from.
    pub struck: F,
}

impl<S: Scalar> LanePoint<S> {
    /// That of one lane.
    #[must_use]
    pub fn in_lane(&self, lane: usize) -> PointRows<S, bool> {
        PointRows {
            normal: self.normal.at(lane),
            mass: self.mass.0[lane],
            separation: self.separation.0[lane],
            impulse: self.impulse.0[lane],
            total: self.total.0[lane],
            radius: self.radius.0[lane],
            struck: self.struck.is_set(lane),
        }
    }
}

/// What the rows of one contact have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommonRows<T> {
    /// Row directions: normal from the first body to the second, and two tangents.
    pub directions: [Vec3<T>; 3],
    /// Linear velocity per unit of impulse of both bodies, together 1.
    pub inverse_mass: [T; 2],
    /// Friction and restitution of both surfaces together.
    pub surface: ContactSurface<T>,
    /// Entry (i, j): speed of point `j` per unit of impulse at point `i`; of points that count.
    pub coupling: [[T; MAX_POINTS]; MAX_POINTS],
    /// Against twisting about the normal: by friction of the whole contact, and by spinning friction.
    pub twist: TwistRow<T>,
    /// The length that turning rows are multiplied with, metres.
    pub length: T,
    /// From the moment for which the rows were made to the middle of this substep, seconds.
    pub age: T,
}

impl<S: Scalar> CommonRows<Block<S>> {
    /// Those of one lane of which so many points count; zero where there is nothing.
    #[must_use]
    pub fn in_lane(&self, lane: usize, points: usize) -> CommonRows<S> {
        let TwistRow { row, mass, impulse } = &self.twist;
        let row = if mass.0[lane] == S::ZERO { Row::default() } else { row.at(lane) };
        let mut coupling = [[S::ZERO; MAX_POINTS]; MAX_POINTS];
        for (entries, known) in coupling.iter_mut().zip(&self.coupling).take(points) {
            for (entry, known) in entries.iter_mut().zip(known).take(points) {
                *entry = known.0[lane];
            }
        }
        let ContactSurface { friction, restitution, rolling_friction, spinning_friction } = &self.surface;
        CommonRows {
            directions: [0, 1, 2].map(|index: usize| self.directions[index].at(lane)),
            inverse_mass: self.inverse_mass.map(|share| share.0[lane]),
            surface: ContactSurface {
                friction: friction.0[lane],
                restitution: restitution.0[lane],
                rolling_friction: rolling_friction.0[lane],
                spinning_friction: spinning_friction.0[lane],
            },
            coupling,
            twist: TwistRow { row, mass: mass.0[lane], impulse: impulse.0[lane] },
            length: self.length.0[lane],
            age: self.age.0[lane],
        }
    }
}

/// One contact that has rows: what only this one has to know of it.
#[derive(Clone, Copy, Debug)]
pub struct ContactRows<S> {
    /// Which contact of the step.
    pub contact: u32,
    /// Indices of the two bodies.
    pub bodies: [u32; 2],
    /// Whether turning about its body's centre leaves each shape as it is.
    pub is_round: [bool; 2],
    /// Its pair among the open ones, if it has been one in this step; else [`NONE`].
    pub open: u32,
    /// Where its rows are.
    pub lane: Lane,
    /// How many of them count.
    pub count: usize,
    /// The substep in which the contact is to be looked at again.
    pub due: u32,
    /// One over the contact's own size, 1/m.
    pub inverse_length: S,
    /// Radians per second by which its rows turned, at most, at the last look.
    pub rate: S,
    /// Since when the rows are true, where the shapes turn so fast that this matters within a substep; seconds since its start.
    pub true_from: S,
    /// For which moment of the substep they were made then.
    pub made_for: S,
}

impl<S: Scalar> ContactRows<S> {
    /// Whether the contact at this place has parted within the step and met again since: it goes on at another place.
    pub(super) fn is_over(&self, rows: &Rows<S>, place: usize) -> bool {
        rows.place.get(self.contact as usize).is_none_or(|&now| now as usize != place)
    }
}

/// All rows of a step.
///
/// ```text
/// contacts: colour 0 | colour 1 | ... | overflow | those that began to touch within the step
/// batches:  each colour by eights, in chunks of a few, then the others
/// ```
#[derive(Clone, Debug)]
pub struct Rows<S: Scalar> {
    /// The contacts in solving order.
    pub contacts: Vec<ContactRows<S>>,
    /// The place in `contacts` of each contact of the step; [`NONE`] where it has no rows.
    pub place: Vec<u32>,
    /// Their rows.
    pub batches: Batches<S>,
    /// Those that are to be looked at again.
    pub looks: Looks<S>,
    /// Which of them lie at seams, while those are dropped.
    pub(super) are_at_seams: Vec<bool>,
}

impl<S: Scalar> Default for Rows<S> {
    fn default() -> Self {
        Self {
            contacts: Vec::new(),
            place: Vec::new(),
            batches: Batches::default(),
            looks: Looks::default(),
            are_at_seams: Vec::new(),
        }
    }
}

/// The normal rows of one point of each of eight contacts.
pub type LanePoint<S> = PointRows<Block<S>, Flags>;
/// The discs of eight contacts.
pub type LaneDisc<S> = DiscRows<Block<S>, Flags>;

/// The rows of the contacts in the lanes of a batch from `at` on, to be solved or changed.
#[derive(Debug)]
pub(super) struct RowsView<'a, S> {
    pub(super) bodies: &'a mut BatchBodies,
    pub(super) common: &'a mut CommonRows<Block<S>>,
    /// At least the points that count.
    pub(super) points: &'a mut [LanePoint<S>],
    /// Friction, one for each point or one for all.
    pub(super) friction: &'a mut [LaneDisc<S>],
    /// What resists rolling, if anything does.
    pub(super) rolling: Option<&'a mut LaneDisc<S>>,
    pub(super) at: usize,
}

/// The rows of one contact, which is alone in its lane `at`.
#[derive(Clone, Copy, Debug)]
pub struct LaneRows<'a, S> {
    /// What its rows have in common.
    pub common: &'a CommonRows<Block<S>>,
    /// The points that count.
    pub points: &'a [LanePoint<S>],
    /// Friction, one for each point or one for all.
    pub friction: &'a [LaneDisc<S>],
    /// What resists rolling, if anything does.
    pub rolling: Option<&'a LaneDisc<S>>,
    /// The lane.
    pub at: usize,
}

impl<S: Scalar> Rows<S> {
    /// Takes out all rows and makes room for this many contacts of the step, in chunks of so many batches.
    pub fn clear(&mut self, contacts: usize, batches_in_chunk: usize) {
        self.contacts.clear();
        self.place.clear();
        self.place.resize(contacts, NONE);
        self.batches.clear(batches_in_chunk);
    }

    /// The rows at a place of the solving order, to be changed.
    #[inline(always)]
    pub(super) fn view(&mut self, place: usize) -> (&mut ContactRows<S>, RowsView<'_, S>) {
        let contact = &mut self.contacts[place];
        let rows = self.batches.view(contact.lane, contact.count);
        (contact, rows)
    }

    /// The rows at a place of the solving order.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, place: usize) -> LaneRows<'_, S> {
        let contact = &self.contacts[place];
        self.batches.at(contact.lane, contact.count)
    }

    /// Notes the size of a contact whose rows have just been made, so that nobody has to look for it among them.
    pub(super) fn note_length(&mut self, place: usize) {
        let LaneRows { common, at, .. } = self.at(place);
        let least = S::ONE.scale_by_power_of_two(-20); // of less the inverse may not fit in fixed point
        self.contacts[place].inverse_length = S::ONE / common.length.0[at].max(least);
    }

    /// Takes the impulses of all substeps and impacts so far from the points of a contact, m/s.
    pub(super) fn take_totals(&mut self, place: usize) -> S {
        self.batches.take_totals(self.contacts[place].lane)
    }

    /// Lets so many points of a contact count, as far as there is room for them.
    pub(super) fn set_count(&mut self, place: usize, count: usize) {
        let contact = &mut self.contacts[place];
        contact.count = self.batches.set_count(contact.lane, count);
    }
}
