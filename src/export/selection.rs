//! Which steps and bodies of a run are meant.

use crate::analysis::body_pattern::BodyPatterns;
use crate::analysis::states::StepSelection;
use crate::dynamics::body::Bodies;
use crate::math::Scalar;

/// Steps and bodies.
#[derive(Clone, Debug)]
pub struct Selection {
    /// Which steps.
    pub steps: StepSelection,
    /// Which bodies; all of them where nothing is said.
    pub bodies: Option<BodyPatterns>,
}

impl Selection {
    /// Every step and body.
    #[must_use]
    pub const fn all() -> Self {
        Self { steps: StepSelection::all(), bodies: None }
    }

    /// Whether a body of this name is meant.
    #[must_use]
    pub fn takes(&self, name: &str) -> bool {
        self.bodies.as_ref().is_none_or(|patterns| patterns.matches(name))
    }

    /// The indices of the bodies that are meant, in their order.
    pub fn indices<S: Scalar>(&self, bodies: &Bodies<S>) -> impl Iterator<Item = usize> {
        (0..bodies.len()).filter(|&index| self.takes(&bodies.name[index]))
    }
}
