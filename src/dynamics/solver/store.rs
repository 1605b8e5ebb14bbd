//! Writes the impulses back to the contacts that keep them, and counts what the solve exercised.

use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::dynamics::settings::FrictionRows;
use crate::dynamics::solver::prepare::share_of;
use crate::dynamics::solver::rows::Rows;
use crate::math::{Scalar, Vec3};

/// What a solve exercised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveCounts {
    /// Pressed points whose friction held.
    pub stuck: u64,
    /// Pressed points whose friction reached its limit.
    pub slipped: u64,
    /// Points to which restitution was applied.
    pub bounced: u64,
    /// Contacts that closed within a step from a gap that the step could have passed.
    pub caught: u64,
}

/// Copies the impulses of all rows to their contacts.
pub(super) fn store<S: Scalar>(
    rows: &Rows<S>,
    contacts: &mut [Contact<S>],
    geometry: &mut [ContactGeometry<S>],
    friction: FrictionRows,
) -> SolveCounts {
    let mut counts = SolveCounts::default();
    for (place, rows_of) in rows.contacts.iter().enumerate() {
        let number = rows_of.contact as usize;
        if rows_of.is_over(rows, place) {
            continue;
        }
        let (Some(contact), Some(geometry)) = (contacts.get_mut(number), geometry.get_mut(number)) else { continue };
        keep(rows, place, contact, friction);
        let points = &rows.points[rows_of.points.start..rows_of.points.start + rows_of.count];
        let discs = &rows.friction[rows_of.friction.clone()];
        for (index, point) in points.iter().enumerate() {
            geometry.impulses[index] = (geometry.impulses[index] + point.total).canonical();
            if point.impulse > S::ZERO {
                let slips = discs.get(index).or(discs.first()).is_some_and(|disc| disc.slips);
                counts.stuck += u64::from(!slips);
                counts.slipped += u64::from(slips);
            }
        }
    }
    counts
}

/// Copies the impulses of one contact to where they are kept.
pub(super) fn keep<S: Scalar>(rows: &Rows<S>, place: usize, contact: &mut Contact<S>, friction: FrictionRows) {
    let rows_of = &rows.contacts[place];
    let [_, first, second] = rows_of.directions;
    let points = &rows.points[rows_of.points.start..rows_of.points.start + rows_of.count];
    let discs = &rows.friction[rows_of.friction.clone()];
    let share = share_of(points.len());
    let in_world = |[along, across]: [S; 2]| (first * along + second * across).canonical();
    for (index, (kept, point)) in contact.points.iter_mut().zip(points).enumerate() {
        kept.normal_impulse = point.impulse.canonical();
        let (disc, share) = match friction {
            FrictionRows::PerPoint => (discs.get(index), S::ONE),
            FrictionRows::Patch => (discs.first(), share),
        };
        kept.tangent_impulse = disc.map_or(Vec3::ZERO, |disc| in_world(disc.impulse.map(|part| part * share)));
    }
    contact.twist_impulse = (rows_of.twist.impulse * rows_of.length).canonical();
    let rolling = rows.rolling.get(rows_of.rolling as usize).map_or([S::ZERO; 2], |rolling| rolling.impulse);
    contact.rolling_impulse = in_world(rolling.map(|impulse| impulse * rows_of.length));
}
