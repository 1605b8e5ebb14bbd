//! Which points of a contact bore weight when it was looked at last.

use crate::collision::manifold::{FeatureId, MAX_POINTS};

/// The features of the points that bore weight, the one that bore most first: of more points than a manifold holds these are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bearing {
    features: [FeatureId; MAX_POINTS],
    count: u8,
    /// Whether nothing but the names counts.
    is_names_only: bool,
}

impl Bearing {
    /// Of a contact that was none, or of which nothing is asked.
    pub const NONE: Self = Self { features: [FeatureId(0); MAX_POINTS], count: 0, is_names_only: false };

    /// Adds the one that bore most of those not yet added; the fifth is left out.
    pub fn push(&mut self, feature: FeatureId) {
        if let Some(slot) = self.features.get_mut(usize::from(self.count)) {
            *slot = feature;
            self.count += 1;
        }
    }

    /// The same, where what is found must be found again from the names of its own points, in any order: where no search is spared for
    /// the one that bore most.
    #[must_use]
    pub const fn names_only(self) -> Self {
        Self { is_names_only: true, ..self }
    }

    /// The one that bore most, where a search may be spared for it.
    pub(super) fn most(self) -> Option<FeatureId> {
        self.features().next().filter(|_| !self.is_names_only)
    }

    /// Those that bore weight.
    pub fn features(self) -> impl Iterator<Item = FeatureId> {
        self.features.into_iter().take(usize::from(self.count))
    }
}
