//! Two runs side by side, both looked at in every step, so that what differs is named from the very runs that differ.
//!
//! This is for what does not repeat: a race, an address, something that a process keeps. No run of it can be had again,
//! so both are watched while they happen. It costs much, and is done only when nothing else can name a difference.

use crate::analysis::bisect::Host;
use crate::analysis::bisect::condition::{Condition, Runner};
use crate::analysis::compare::compare_states;
use crate::analysis::outcome::FirstDifference;
use crate::analysis::step_difference::{Keep, Named, TakenStep};
use crate::math::Scalar;

/// How often two runs are watched before they are taken to agree.
const TRIES: usize = 4;
/// How many steps beyond the known one are watched: what happens by chance may happen later this time.
const STEPS_BEYOND: u32 = 30;
/// What two runs that are watched are called while they run.
const NAME: &str = "two runs, watched side by side";

/// A difference that was seen while it came about.
#[derive(Clone, Debug)]
pub struct Watched {
    /// The difference.
    pub first: FirstDifference,
    /// How the work was dealt out to the threads, where that was not as in a plain run.
    pub how: Option<&'static str>,
}

impl Watched {
    /// What is said of a difference that was named so.
    #[must_use]
    pub fn note(&self) -> String {
        let (step, how) = (self.first.step, self.how.map(|how| format!(", {how}")).unwrap_or_default());
        format!("named from two more runs{how}, side by side and watched in every step, which diverge in step {step}")
    }
}

/// Runs two conditions side by side up to a little beyond `step`, some times over, and names the first difference that shows;
/// `None` when none does, or the caller has no more patience. On several threads the work of the second is cut small and dealt
/// out in another order in some of them: a race that hides on a busy machine shows then.
#[must_use]
pub fn watch_twins<S: Scalar>(
    conditions: [&Condition; 2],
    step: u32,
    fields: usize,
    host: &mut dyn Host,
) -> Option<Watched> {
    let [first, second] = conditions;
    let schedules = second.scheduled();
    let last = step.saturating_add(STEPS_BEYOND);
    schedules.iter().cycle().take(TRIES).find_map(|(second, how)| {
        let first = watch_once::<S>([first, second], last, fields, host)?;
        Some(Watched { first, how: *how })
    })
}

fn watch_once<S: Scalar>(
    conditions: [&Condition; 2],
    last: u32,
    fields: usize,
    host: &mut dyn Host,
) -> Option<FirstDifference> {
    let [first, second] = conditions;
    let mut runners: [Runner<'_, S>; 2] = [Runner::start(first).ok()?, Runner::start(second).ok()?];
    let last = last.min(first.plan.steps).min(second.plan.steps);
    loop {
        let [a, b] = &runners;
        let step = a.session().step_number();
        if a.session().hash() != b.session().hash() {
            // In state 0: there was no step to look at.
            let mut found = FirstDifference::in_step(step);
            found.take(compare_states(&a.session().world().state(), &b.session().world().state(), fields));
            return Some(found);
        }
        if step >= last || !host.may_go_on() {
            return None;
        }
        host.reached(NAME, step);
        let [a, b] = &mut runners;
        let (mut of_a, mut of_b) = (taken_after(a), taken_after(b));
        let stopped_a = a.advance(&mut of_a.observer(Keep::All)).err();
        let stopped_b = b.advance(&mut of_b.observer(Keep::All)).err();
        if stopped_a != stopped_b || (stopped_a.is_none() && a.session().hash() != b.session().hash()) {
            let mut found = FirstDifference::in_step(step + 1);
            if found.see_steps([&of_a, &of_b], fields) == Named::Nothing {
                let [a, b] = [a, b].map(|runner| runner.session().world().state());
                found.take(compare_states(&a, &b, fields));
            }
            return Some(found);
        }
        if stopped_a.is_some() {
            return None;
        }
    }
}

/// The step that a run is about to take.
fn taken_after<S: Scalar>(runner: &Runner<'_, S>) -> TakenStep<S> {
    TakenStep::after(Some(runner.session().world().state()))
}
