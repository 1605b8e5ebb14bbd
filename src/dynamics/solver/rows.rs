//! Constraint rows: what a pass needs of each contact, one record per contact in solving order.
//!
//! ```text
//! contacts: colour 0 | colour 1 | ... | overflow | those that began to touch within the step
//! points:   the normal rows of each contact, and with them its friction rows: one pair per point, or one per contact
//! ```
//!
//! Impulses are divided by the reduced mass `1 / (1/m_A + 1/m_B)` of the two bodies, so they are speeds: stored factors stay
//! near one, and in fixed point nothing overflows at any mass. Rows that only turn are multiplied by a length of the
//! contact's own size, so that their speeds are in m/s too.

use std::ops::Range;

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::collider::ContactSurface;
use crate::math::{Scalar, Vec3};

/// No contact, or no rows.
pub const NONE: u32 = u32::MAX;

/// One direction in which two bodies push each other: how their spins show in it, and how they answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row<S> {
    /// `r x d` of both bodies: what the angular velocity is multiplied with.
    pub lever: [Vec3<S>; 2],
    /// Angular velocity per unit of impulse, of both bodies.
    pub turn: [Vec3<S>; 2],
}

/// A pair of rows whose impulses are held within a disc.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DiscRows<S> {
    /// The two rows.
    pub rows: [Row<S>; 2],
    /// Inverse of their coupling, as `(0,0), (1,1), (0,1)`.
    pub inverse: [S; 3],
    /// Inverse of the larger eigenvalue of the coupling: impulse per speed of a contact that slips, alike in all directions.
    pub slip_inverse: S,
    /// Impulses of the substep, m/s.
    pub impulse: [S; 2],
    /// Whether the impulse reached its limit in the last pass.
    pub slips: bool,
}

/// One row that only turns the bodies against each other, and its impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TwistRow<S> {
    /// The row; the levers of both bodies are the axis times the contact's length.
    pub row: Row<S>,
    /// Impulse per speed.
    pub mass: S,
    /// Impulse of the substep, m/s.
    pub impulse: S,
}

/// The normal row of one point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointRows<S> {
    /// The row.
    pub normal: Row<S>,
    /// Impulse per speed.
    pub mass: S,
    /// Gap (positive) or overlap (negative) where the bodies were at the start of the step, metres.
    pub separation: S,
    /// Normal impulse of the substep, m/s; never negative.
    pub impulse: S,
    /// Normal impulses of all substeps and impacts so far, m/s.
    pub total: S,
    /// Distance from the middle of the contact over the contact's length: the arm of friction against twisting, of patches.
    pub radius: S,
    /// Whether an impact of this substep closed a gap here, so that the bodies start from where they would have come from.
    pub struck: bool,
}

/// One contact that has rows.
#[derive(Clone, Debug)]
pub struct ContactRows<S> {
    /// Which contact of the step.
    pub contact: u32,
    /// Indices of the two bodies.
    pub bodies: [u32; 2],
    /// Row directions: normal from the first body to the second, and two tangents.
    pub directions: [Vec3<S>; 3],
    /// Linear velocity per unit of impulse of both bodies, together 1.
    pub push: [S; 2],
    /// Friction and restitution of both surfaces together.
    pub surface: ContactSurface<S>,
    /// Its points among [`Rows::points`]; there is room for as many as the pair of shapes can have.
    pub points: Range<usize>,
    /// How many of them count.
    pub count: usize,
    /// Entry (i, j): speed of point `j` per unit of impulse at point `i`; zero for points that do not count.
    pub coupling: [[S; MAX_POINTS]; MAX_POINTS],
    /// Its friction among [`Rows::friction`]: one for each point, or one for all.
    pub friction: Range<usize>,
    /// Against twisting about the normal: by friction of the whole contact, and by spinning friction.
    pub twist: TwistRow<S>,
    /// Against rolling, among [`Rows::rolling`]; [`NONE`] where the surfaces do not resist it.
    pub rolling: u32,
    /// The length that turning rows are multiplied with, metres.
    pub length: S,
    /// The substep in which the contact is to be looked at again.
    pub due: u32,
    /// Radians per second by which its rows turned, at most, at the last look.
    pub rate: S,
    /// For which moment of the substep the rows were made, where the bodies turn so fast that this matters within a substep;
    /// seconds since its start.
    pub seen_at: S,
}

impl<S> ContactRows<S> {
    /// Whether the contact at this place has parted within the step and met again since: it goes on at another place.
    pub(super) fn is_over(&self, rows: &Rows<S>, place: usize) -> bool {
        rows.place.get(self.contact as usize).is_none_or(|&now| now as usize != place)
    }

    /// The friction of the points that count, or of them all.
    #[inline(always)]
    fn friction_in_use(&self) -> Range<usize> {
        self.friction.start..self.friction.end.min(self.friction.start + self.count)
    }
}

/// All rows of a step.
#[derive(Clone, Debug)]
pub struct Rows<S> {
    /// The contacts in solving order.
    pub contacts: Vec<ContactRows<S>>,
    /// Their points.
    pub points: Vec<PointRows<S>>,
    /// Their friction.
    pub friction: Vec<DiscRows<S>>,
    /// What resists rolling, of the contacts where something does.
    pub rolling: Vec<DiscRows<S>>,
    /// The place in `contacts` of each contact of the step; [`NONE`] where it has no rows.
    pub place: Vec<u32>,
}

impl<S> Default for Rows<S> {
    fn default() -> Self {
        Self { contacts: Vec::new(), points: Vec::new(), friction: Vec::new(), rolling: Vec::new(), place: Vec::new() }
    }
}

/// The rows of one contact, borrowed from [`Rows`].
#[derive(Debug)]
pub struct ContactView<'a, S> {
    /// What belongs to the whole contact.
    pub contact: &'a mut ContactRows<S>,
    /// The points that count.
    pub points: &'a mut [PointRows<S>],
    /// Friction, one for each point or one for all.
    pub friction: &'a mut [DiscRows<S>],
    /// What resists rolling, if anything does.
    pub rolling: Option<&'a mut DiscRows<S>>,
}

impl<S: Scalar> Rows<S> {
    /// Takes out all rows and makes room for this many contacts of the step.
    pub fn clear(&mut self, contacts: usize) {
        self.contacts.clear();
        self.points.clear();
        self.friction.clear();
        self.rolling.clear();
        self.place.clear();
        self.place.resize(contacts, NONE);
    }

    /// The rows at a place of the solving order.
    #[inline(always)]
    pub fn view(&mut self, place: usize) -> ContactView<'_, S> {
        let contact = &mut self.contacts[place];
        let points = &mut self.points[contact.points.start..contact.points.start + contact.count];
        let friction = &mut self.friction[contact.friction_in_use()];
        let rolling = self.rolling.get_mut(contact.rolling as usize);
        ContactView { contact, points, friction, rolling }
    }

    /// Calls `visit` with the rows of every contact, in solving order.
    #[inline(always)]
    pub fn for_each(&mut self, mut visit: impl FnMut(ContactView<'_, S>)) {
        for contact in &mut self.contacts {
            let points = &mut self.points[contact.points.start..contact.points.start + contact.count];
            let friction = &mut self.friction[contact.friction_in_use()];
            let rolling = self.rolling.get_mut(contact.rolling as usize);
            visit(ContactView { contact, points, friction, rolling });
        }
    }
}
