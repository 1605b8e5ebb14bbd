//! A run under an attack.

use crate::analysis::bisect::condition::Condition;
use crate::analysis::stress::view::Seen;
use crate::session::record::RunPlan;

/// One way to run a scene.
#[derive(Clone, Debug)]
pub struct Trial {
    /// What reports call it.
    pub label: String,
    /// The run, and the step after which it goes on in another world, if it does.
    pub condition: Condition,
    /// How its states are looked at.
    pub view: Seen,
    /// Whether it has to stop where the first run stops.
    pub stops_alike: bool,
}

impl Trial {
    /// A run whose states are compared as they are.
    #[must_use]
    pub fn plain(label: impl Into<String>, plan: RunPlan) -> Self {
        let condition = Condition { plan, restore: None };
        Self { label: label.into(), condition, view: Seen::Whole, stops_alike: true }
    }
}
