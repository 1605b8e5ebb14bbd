//! Which objects the sections cover that both sides tell the hashes of.

use std::collections::BTreeSet;

use crate::replay::{Checkpoint, ObjectRecord};

/// The names of the sections whose hashes both sides tell.
pub(super) struct Sections<'a>(BTreeSet<&'a str>);

impl<'a> Sections<'a> {
    /// Those of two checkpoints; `None` where a side tells nothing of sections.
    pub(super) fn of(a: &'a Checkpoint, b: &'a Checkpoint) -> Option<Self> {
        let names = |side: &'a Checkpoint| -> Option<BTreeSet<&'a str>> {
            Some(side.sections.as_ref()?.iter().map(|digest| digest.name.as_str()).collect())
        };
        let (of_a, of_b) = (names(a)?, names(b)?);
        Some(Self(of_a.intersection(&of_b).copied().collect()))
    }

    /// Whether their hashes depend on this object: on one of no section all of them together do, and on one of a section that is not
    /// among them none does.
    pub(super) fn cover(&self, object: &ObjectRecord) -> bool {
        object.section.as_deref().map_or(!self.0.is_empty(), |section| self.0.contains(section))
    }
}
