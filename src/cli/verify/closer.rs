//! What is said of a difference beyond what the first run told: by a run that was asked for more of its step, and in full.

use crate::analysis::diff::{Diff, DiffOptions};
use crate::analysis::resimulated::rollback_notes;
use crate::analysis::run_source::{RunSource, diff_sources};
use crate::analysis::verify::Verification;
use crate::analysis::verify::log::{Unnamed, VerifiedLog};
use crate::replay::LogSource;

/// Names the difference by what a run told that was asked for more of its step; where that does not name it either, it is that run which
/// tells why.
pub fn name_closer(closer: VerifiedLog, step: u32, unnamed: &Unnamed, found: &mut Verification) {
    let Some(first) = closer.found.first.filter(|first| first.step == step) else { return };
    let Unnamed { naming, withheld, .. } = closer.unnamed;
    let is = |note: &str, of: &Option<String>| of.as_deref() == Some(note);
    found.notes.retain(|note| !is(note, &unnamed.withheld));
    found.notes.extend(withheld);
    if first.field.is_some() || first.stage.is_some() {
        found.notes.retain(|note| !is(note, &unnamed.naming));
        found.first = Some(first);
    } else if let Some(why) = naming {
        found.notes.iter_mut().filter(|note| is(note, &unnamed.naming)).for_each(|note| note.clone_from(&why));
    }
}

/// Notes what simulating steps again changed.
pub fn note_rollback(log: &LogSource, found: &mut Verification) {
    // A log that cannot be read is a failure of its own.
    found.notes.extend(rollback_notes(log).unwrap_or_default());
}

/// How a run differs from the golden, as `physim diff` would say it, with the other fields that differ at the same checkpoint.
pub fn diagnosed(golden: &LogSource, printed: &LogSource) -> Option<Diff> {
    let sources = [golden, printed].map(|log| RunSource::Log(log.clone()));
    let mut diff = diff_sources(&sources[0], &sources[1], DiffOptions::default()).ok()?;
    // What a program prints beside its log is nobody's business.
    diff.notes.retain(|note| !note.starts_with(printed.name()));
    Some(diff)
}
