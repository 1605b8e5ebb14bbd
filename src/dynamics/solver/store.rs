//! Writes the impulses back to the contacts that keep them, and counts what the solve exercised.

use crate::dynamics::contact::Contact;
use crate::dynamics::solver::rows::Rows;
use crate::math::Scalar;

/// What a solve exercised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SolveCounts {
    /// Pressed points whose friction held.
    pub stuck: u64,
    /// Pressed points whose friction reached its limit.
    pub slipped: u64,
    /// Points to which restitution was applied.
    pub bounced: u64,
}

/// Copies the impulses of all rows to their contacts.
pub fn store<S: Scalar>(rows: &Rows<S>, contacts: &mut [Contact<S>]) -> SolveCounts {
    let mut counts = SolveCounts::default();
    for block in &rows.blocks {
        let points = &rows.points[block.rows.clone()];
        for lane in 0..block.lanes {
            let contact = &mut contacts[block.contact[lane] as usize];
            let tangents = [block.direction[1].get(lane), block.direction[2].get(lane)];
            for (kept, point) in contact.points.iter_mut().zip(&points[..block.points[lane] as usize]) {
                kept.normal_impulse = point.normal_impulse[lane].canonical();
                let [first, second] = point.tangent_impulse.map(|impulse| impulse[lane]);
                kept.tangent_impulse = (tangents[0] * first + tangents[1] * second).canonical();
                if point.normal_impulse[lane] > S::ZERO {
                    counts.stuck += u64::from(!point.slips[lane]);
                    counts.slipped += u64::from(point.slips[lane]);
                }
            }
        }
    }
    counts
}
