//! Writes the impulses back to the contacts that keep them, and counts what the solve exercised.

use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::dynamics::settings::FrictionRows;
use crate::dynamics::solver::prepare::share_of;
use crate::dynamics::solver::rows::{FETCHED_AHEAD, LaneRows, Rows};
use crate::math::lanes::fetch;
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
        let next = rows.contacts.get(place + FETCHED_AHEAD).map(|next| next.contact);
        fetch(contacts, next);
        fetch(geometry, next);
        if rows_of.is_over(rows, place) {
            continue;
        }
        let (Some(contact), Some(geometry)) = (contacts.get_mut(number), geometry.get_mut(number)) else { continue };
        keep(rows, place, contact, friction);
        let LaneRows { points, friction: discs, fates, at, .. } = rows.at(place);
        for (index, point) in points.iter().enumerate() {
            geometry.impulses[index] = (geometry.impulses[index] + point.total.0[at]).canonical();
            if point.impulse.0[at] > S::ZERO {
                let slips = fates.slips[if discs.len() > 1 { index } else { 0 }].is_set(at);
                counts.stuck += u64::from(!slips);
                counts.slipped += u64::from(slips);
            }
        }
    }
    counts
}

/// Copies the impulses of one contact to where they are kept.
pub(super) fn keep<S: Scalar>(rows: &Rows<S>, place: usize, contact: &mut Contact<S>, friction: FrictionRows) {
    let LaneRows { common, points, friction: discs, rolling, at, .. } = rows.at(place);
    let (first, second): (Vec3<S>, Vec3<S>) = (common.directions[1].at(at), common.directions[2].at(at));
    let in_world = |[along, across]: [S; 2]| (first * along + second * across).canonical();
    let share = share_of(points.len());
    let shared = match (friction, discs.first()) {
        (FrictionRows::Patch, Some(disc)) => in_world(disc.impulse_in(at).map(|part| part * share)),
        _ => Vec3::ZERO,
    };
    for (index, (kept, point)) in contact.points.iter_mut().zip(points).enumerate() {
        kept.normal_impulse = point.impulse.0[at].canonical();
        kept.tangent_impulse = match friction {
            FrictionRows::PerPoint => discs.get(index).map_or(Vec3::ZERO, |disc| in_world(disc.impulse_in(at))),
            FrictionRows::Patch => shared,
        };
    }
    let length = common.length.0[at];
    contact.twist_impulse = (common.twist.impulse.0[at] * length).canonical();
    let rolling = rolling.map_or([S::ZERO; 2], |rolling| rolling.impulse_in(at));
    contact.rolling_impulse = in_world(rolling.map(|impulse| impulse * length));
}
