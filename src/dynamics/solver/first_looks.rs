//! The first look of a substep at every link: whether, and when, something happens there on the paths that the bodies have now.

use crate::dynamics::contact::touching_gap;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::alerts::find_alerts;
use crate::dynamics::solver::open::{Clearance, OpenPair, first_touch};
use crate::dynamics::solver::poses::Scenery;
use crate::dynamics::solver::rows::NONE;
use crate::math::Scalar;

/// Open pairs that a thread looks at at a time: of most it finds at once that they are far.
const OPEN_AT_ONCE: usize = 256;

/// What a look at an open pair shows that had to be taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstLook<S> {
    seen: Clearance<S>,
    touches: bool,
}

impl<S: Scalar> Solve<'_, S> {
    /// Looks at every link for the first time in this substep.
    pub(super) fn find_events(&mut self) {
        let movements = (&*self.bodies, &*self.motion);
        find_alerts(self.rows, movements, (&self.impacts.foretold, self.settings), (self.lanes, self.executor));
        let rows = self.links_of_rows();
        for link in 0..rows {
            if self.rows.batches.is_alert(self.rows.contacts[link as usize].lane) {
                self.find_strike(link, link as usize);
            }
        }
        let mut looks = std::mem::take(&mut self.impacts.first_looks);
        self.look_at_open(&mut looks);
        for (number, link) in (rows..).take(self.open.len()).enumerate() {
            match looks.get(number) {
                Some(None) if self.open[number].rows == NONE => {}
                Some(Some(FirstLook { seen, touches: false })) => {
                    self.open[number].remember(*seen, (self.bodies, self.motion, S::ZERO));
                }
                _ => self.find_event(link),
            }
        }
        self.impacts.first_looks = looks;
    }

    /// Looks at the open pairs where several threads do, and leaves nothing where there is one: it then looks at each in its turn.
    fn look_at_open(&mut self, looks: &mut Vec<Option<FirstLook<S>>>) {
        looks.clear();
        if !self.executor.would_share(self.open.len(), OPEN_AT_ONCE) {
            return;
        }
        looks.resize(self.open.len(), None);
        let (movements, foretold) = ((&*self.bodies, &*self.motion), &self.impacts.foretold);
        let (h, left) = (self.settings.substep_seconds, self.impacts.left);
        let scenery = Scenery::of(self.bodies, self.colliders, self.motion, self.settings);
        self.executor.map(OPEN_AT_ONCE, self.open, looks, |open: &OpenPair<S>| {
            let is_passed_over = open.rows != NONE
                || foretold.holds(open.bodies, open.leeway)
                || open.stays_apart(movements, h, touching_gap());
            if is_passed_over {
                return None;
            }
            let (touch, seen) = first_touch(open, scenery, (S::ZERO, h, left));
            Some(FirstLook { seen, touches: touch.is_some() })
        });
    }
}
