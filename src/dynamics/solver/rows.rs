//! Constraint rows: what a pass needs of each contact.
//!
//! Impulses are divided by the reduced mass `1 / (1/m_A + 1/m_B)` of the two bodies, so they are speeds: stored factors stay
//! near one, and in fixed point nothing overflows at any mass. Rows that only turn are multiplied by a length of the
//! contact's own size, so that their speeds are in m/s too.
//!
//! The numbers `T` are those of eight contacts side by side; where they are stands in `batches`. For one contact alone they are
//! scalars.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::collider::ContactSurface;
use crate::dynamics::solver::batches::{Batches, Lane};
use crate::dynamics::solver::chunk::{BatchBodies, PointFates};
use crate::dynamics::solver::drifts::Drifts;
use crate::dynamics::solver::refresh::Looks;
use crate::math::lanes::{Block, Lanes};
use crate::math::{Scalar, SymMat3, Vec3};

/// How many contacts ahead one is fetched where some 20 ns are spent on each: about as long ahead as memory takes to answer. Where
/// more is done, it is the next one.
pub(super) const FETCHED_AHEAD: usize = 4;

/// No contact, or no rows.
pub const NONE: u32 = u32::MAX;

/// A pair of rows whose impulses are held within a disc.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub struct DiscRows<T> {
    /// Inverse of their coupling, as `(0,0), (1,1), (0,1)`.
    pub inverse: [T; 3],
    /// Inverse of the larger eigenvalue of the coupling: impulse per speed of a contact that slips, alike in all directions.
    pub slip_inverse: T,
    /// Impulses of the substep, m/s.
    pub impulse: [T; 2],
    /// By how much the speeds along the rows grow in a second, m/s^2, as the arms turn with the bodies: rows serve for a while, and
    /// what is carried round is at no time of it to slip. Last, as passes seldom ask for it.
    pub drift: [T; 2],
}

impl<S: Scalar> LaneDisc<S> {
    /// Those of one lane.
    #[must_use]
    pub fn in_lane(&self, lane: usize) -> DiscRows<S> {
        DiscRows {
            inverse: self.inverse.map(|entry| entry.0[lane]),
            slip_inverse: self.slip_inverse.0[lane],
            impulse: self.impulse.map(|impulse| impulse.0[lane]),
            drift: self.drift.map(|drift| drift.0[lane]),
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

/// From the centres of mass of both bodies to a point, as to where friction of one point is, metres, world axes; zero for what never moves,
/// whose arms may be long and act on nothing.
pub type Arms<T> = [Vec3<T>; 2];

impl<S: Scalar> LaneArms<S> {
    /// Those of one lane.
    #[must_use]
    pub fn in_lane(&self, lane: usize) -> Arms<S> {
        self.0.map(|arm| arm.at(lane))
    }
}

/// What friction of a whole contact, a patch, knows of the other impulses there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub struct PatchRows<T> {
    /// The speed along each tangent per unit of what presses: an impulse along the normal, and one about each tangent.
    pub slide_by_press: [[T; 3]; 2],
    /// The speed about the normal per unit of the same.
    pub twist_by_press: [T; 3],
    /// The speed about the normal per unit of impulse along each tangent.
    pub twist_by_slide: [T; 2],
}

impl<S: Scalar> LanePatch<S> {
    /// That of one lane of which so many points count and in which twisting is resisted or not; zero where there is nothing.
    #[must_use]
    pub fn in_lane(&self, lane: usize, points: usize, resists_twisting: bool) -> PatchRows<S> {
        let pressed = |by_press: [Block<S>; 3], counts: bool| {
            let mut in_lane = by_press.map(|entry| if counts { entry.0[lane] } else { S::ZERO });
            if points <= 1 {
                (in_lane[1], in_lane[2]) = (S::ZERO, S::ZERO);
            }
            in_lane
        };
        PatchRows {
            slide_by_press: self.slide_by_press.map(|by_press| pressed(by_press, true)),
            twist_by_press: pressed(self.twist_by_press, resists_twisting),
            twist_by_slide: self.twist_by_slide.map(|entry| if resists_twisting { entry.0[lane] } else { S::ZERO }),
        }
    }
}

/// The row that only turns the bodies against each other, about the normal, and its impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TwistRow<T> {
    /// Impulse per speed.
    pub mass: T,
    /// Impulse of the substep, m/s.
    pub impulse: T,
}

/// The normal row of one point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub struct PointRows<T> {
    /// By how much tilting about each tangent moves the point along the normal, over the contact's length.
    pub levers: [T; 2],
    /// Distance from the middle of the contact over the contact's length: the arm of friction against twisting, of patches.
    pub radius: T,
    /// Impulse per speed.
    pub mass: T,
    /// By how much less impulse stops the point per unit of that at each other point, in their order.
    pub by_others: [T; OTHERS],
    /// Gap (positive) or overlap (negative) where the bodies were at the start of the step, metres.
    pub separation: T,
    /// Normal impulse of the substep, m/s; never negative, and zero for a point that does not count.
    pub impulse: T,
    /// By how much the speed with which the gap grows grows in a second, m/s^2, as the point goes on and the normal turns. Here and behind
    /// is what passes seldom ask for.
    pub drift: T,
    /// Normal impulses of all substeps and impacts so far, m/s.
    pub total: T,
}

impl<S: Scalar> LanePoint<S> {
    /// Its levers.
    #[inline(always)]
    pub(super) fn levers_at<L: Lanes<Scalar = S>>(&self, at: usize) -> [L; 2] {
        [self.levers[0].get(at), self.levers[1].get(at)]
    }

    /// Where levers and radius will be: the way to the point, metres, world axes: from the origin of the first shape, and once the contact
    /// is placed from its middle. Rows are made from it.
    #[inline(always)]
    pub(super) fn offset_at<L: Lanes<Scalar = S>>(&self, at: usize) -> Vec3<L> {
        Vec3::new(self.levers[0].get(at), self.levers[1].get(at), self.radius.get(at))
    }

    /// Sets that way in the lanes from `at` on.
    #[inline(always)]
    pub(super) fn set_offset<L: Lanes<Scalar = S>>(&mut self, at: usize, Vec3 { x, y, z }: Vec3<L>) {
        self.levers[0].set(at, x);
        self.levers[1].set(at, y);
        self.radius.set(at, z);
    }

    /// That of one lane of which so many points count; zero where there is nothing.
    #[must_use]
    pub fn in_lane(&self, lane: usize, points: usize) -> PointRows<S> {
        let by_other = |other: usize| if other + 1 < points { self.by_others[other].0[lane] } else { S::ZERO };
        PointRows {
            levers: self.levers.map(|lever| lever.0[lane]),
            radius: self.radius.0[lane],
            mass: self.mass.0[lane],
            by_others: std::array::from_fn(by_other),
            separation: self.separation.0[lane],
            impulse: self.impulse.0[lane],
            drift: self.drift.0[lane],
            total: self.total.0[lane],
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
    /// Angular velocity per unit of moment of both bodies: of an impulse times its arm over the contact's length, 1/m. World axes.
    pub inverse_inertia: [SymMat3<T>; 2],
    /// From the centres of mass of both bodies to the middle of the points that count, metres; zero for what never moves. World axes.
    pub arms: [Vec3<T>; 2],
    /// The contact's own size, metres: moments are over it, and turning is multiplied with it.
    pub length: T,
    /// One over that, 1/m.
    pub inverse_length: T,
    /// Friction and restitution of both surfaces together.
    pub surface: ContactSurface<T>,
    /// Against twisting about the normal: by friction of the whole contact, and by spinning friction.
    pub twist: TwistRow<T>,
    /// From the moment for which the rows were made to the middle of this substep, seconds.
    pub age: T,
}

impl<S: Scalar> CommonRows<Block<S>> {
    /// Those of one lane.
    #[must_use]
    pub fn in_lane(&self, lane: usize) -> CommonRows<S> {
        let TwistRow { mass, impulse } = &self.twist;
        let ContactSurface { friction, restitution, rolling_friction, spinning_friction } = &self.surface;
        CommonRows {
            directions: [0, 1, 2].map(|index: usize| self.directions[index].at(lane)),
            inverse_mass: self.inverse_mass.map(|share| share.0[lane]),
            inverse_inertia: [0, 1].map(|side: usize| self.inverse_inertia[side].at(lane)),
            arms: self.arms.map(|arm| arm.at(lane)),
            length: self.length.0[lane],
            inverse_length: self.inverse_length.0[lane],
            surface: ContactSurface {
                friction: friction.0[lane],
                restitution: restitution.0[lane],
                rolling_friction: rolling_friction.0[lane],
                spinning_friction: spinning_friction.0[lane],
            },
            twist: TwistRow { mass: mass.0[lane], impulse: impulse.0[lane] },
            age: self.age.0[lane],
        }
    }
}

/// How many other points a point may have beside it.
pub const OTHERS: usize = MAX_POINTS - 1;

/// Where among the others of a point another one is.
pub(super) const fn among_others(point: usize, other: usize) -> usize {
    if other < point { other } else { other - 1 }
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
    /// Whether one of the shapes has a surface to roll on, along which a point goes that belongs to neither body.
    pub may_roll: bool,
    /// Its pair among the open ones, if it has been one in this step; else [`NONE`].
    pub open: u32,
    /// Where its rows are.
    pub lane: Lane,
    /// How many of them count.
    pub count: usize,
    /// The substep in which the contact is to be looked at again.
    pub due: u32,
    /// The substep since which its rows stand.
    pub rows_since: u32,
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
    /// Those that roll, and how their rows drift.
    pub(super) drifts: Drifts<S>,
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
            drifts: Drifts::default(),
            are_at_seams: Vec::new(),
        }
    }
}

/// The normal rows of one point of each of eight contacts.
pub type LanePoint<S> = PointRows<Block<S>>;
/// The discs of eight contacts.
pub type LaneDisc<S> = DiscRows<Block<S>>;
/// What the patches of eight contacts know.
pub type LanePatch<S> = PatchRows<Block<S>>;

/// The arms of friction at one point of each of eight contacts.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct LaneArms<S>(pub Arms<Block<S>>);

impl<S: Scalar> Default for LaneArms<S> {
    fn default() -> Self {
        Self(Arms::default())
    }
}

/// The rows of the contacts in the lanes of a batch from `at` on, to be solved or changed.
#[derive(Debug)]
pub(super) struct RowsView<'a, S> {
    pub(super) bodies: &'a mut BatchBodies,
    pub(super) common: &'a mut CommonRows<Block<S>>,
    /// At least the points that count.
    pub(super) points: &'a mut [LanePoint<S>],
    /// Friction, one for each point or one for all.
    pub(super) friction: &'a mut [LaneDisc<S>],
    /// The arms of friction, one for each point, unless there is one for all.
    pub(super) arms: &'a mut [LaneArms<S>],
    /// What the one friction for all points knows of the other impulses.
    pub(super) patch: Option<&'a mut LanePatch<S>>,
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
    /// The arms of friction, one for each point, unless there is one for all.
    pub arms: &'a [LaneArms<S>],
    /// What the one friction for all points knows of the other impulses.
    pub patch: Option<&'a LanePatch<S>>,
    /// What resists rolling, if anything does.
    pub rolling: Option<&'a LaneDisc<S>>,
    /// What became of its points, among those of other lanes.
    pub fates: &'a PointFates,
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
        self.contacts[place].inverse_length = common.inverse_length.0[at];
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
