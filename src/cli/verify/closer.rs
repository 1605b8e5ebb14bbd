//! What is said of a program beyond what its first run told: by a run that was asked for more of some steps, and in full.

use crate::analysis::Verdict;
use crate::analysis::compare_checkpoints::{Uncovered, uncovered_in};
use crate::analysis::diff::{Diff, DiffOptions};
use crate::analysis::resimulated::rollback_notes;
use crate::analysis::run_source::{RunSource, diff_sources};
use crate::analysis::verify::Verification;
use crate::analysis::verify::log::{AskedFor, Unnamed, VerifiedLog, verify_log, verify_window, who_tells_less};
use crate::replay::{LogOptions, LogSource};

use crate::cli::guarded_program::{PrintedRun, Window};
use crate::cli::new_golden::{DETAIL, write_other_log};
use crate::cli::verify::program::{Guard, REPEATS};

impl Guard<'_> {
    /// Runs a program once more for all that it can tell of the step in which it differs, where it can be asked for that; gives back
    /// what it told. What was noted of why it could not be named is void where it then is.
    pub(super) fn look_closer(
        &self,
        golden: &LogSource,
        told: &PrintedRun,
        unnamed: &Unnamed,
        found: &mut Verification,
    ) -> Option<LogSource> {
        let step = found.first.as_ref()?.step;
        if !self.program.takes_a_window() || found.repeats == Some(false) {
            return None;
        }
        // It ends before that step, as is said of it.
        if told.log.read().all(|checkpoint| checkpoint.step < step) {
            return None;
        }
        // Asked for step 0 alone, a program tells of hashes, as it has done.
        if step == 0 {
            found
                .notes
                .push("of step 0 no more can be asked: {from} and {to} are 0 where hashes are wanted alone".to_owned());
            return None;
        }
        let window = self.window.get();
        // Where every run was asked for that step, it has told all of it.
        let asked =
            if window.has(step) { None } else { Some(self.run_for(&format!(", for step {step}"), window.with(step))) };
        let closer = asked.as_ref().unwrap_or(told);
        if let Some(why) = self.why_not_closer(&format!("step {step}"), &told.log, closer, found) {
            found.notes.push(why);
            return None;
        }
        if closer.log.read().all(|checkpoint| checkpoint.step != step) {
            found.notes.push(format!("asked for more of step {step}, it tells nothing of that step either"));
            return None;
        }
        let named = verify_window(golden, &closer.log, AskedFor::Hashes, unnamed.same_until);
        name_closer(named, step, unnamed, found);
        let place = &self.request.new_place;
        let path = place.path_of_program(self.program, DETAIL);
        let what = format!("what it printed when it was asked for more of step {step}");
        write_other_log(path, &what, (&closer.log, &self.program.golden), found);
        if found.first.as_ref().is_some_and(|first| first.field.is_none() && first.order.is_none()) {
            found.notes.extend(who_tells_less(golden, &closer.log, step));
        }
        Some(closer.log.clone())
    }

    /// Why a run that was asked for more of some steps does not say more of a run that was not: it failed, or is another run.
    fn why_not_closer(
        &self,
        what: &str,
        told: &LogSource,
        closer: &PrintedRun,
        found: &mut Verification,
    ) -> Option<String> {
        let VerifiedLog { found: compared, printed, wrong, .. } = verify_log(told, &closer.log, AskedFor::More);
        if let Some(failure) = closer.failure(&printed, wrong.as_ref()) {
            self.leave_partial("what it printed before that", closer, found);
            return Some(format!("asked for more of {what}, it fails: {failure}"));
        }
        let differs = (compared.verdict != Verdict::Same).then_some(compared.first)?;
        let at = differs.map_or_else(String::new, |first| format!(" in step {}", first.step));
        // That the others are equal says no more that it repeats.
        let before = found.notes.len();
        found.notes.retain(|note| !note.starts_with(REPEATS));
        let are_equal = before > found.notes.len();
        found.repeats = found.repeats.filter(|_| !are_equal);
        let beside = if are_equal { ", although runs that were not asked for it are equal" } else { "" };
        Some(format!(
            "asked for more of {what}, it comes out otherwise{at}{beside}: asking for more changes it, or it does not repeat"
        ))
    }

    /// Has every run asked for the steps of which the golden tells objects that none of its hashes covers, where the program can be asked;
    /// gives back the golden as it is compared with such runs, and what is to be said of that.
    pub(super) fn ask_for_uncovered(&self, golden: &LogSource) -> (LogSource, Option<String>) {
        let Some(uncovered) = uncovered_in(golden).filter(|_| self.program.takes_a_window()) else {
            return (golden.clone(), None);
        };
        let window = Window { from: uncovered.first, to: uncovered.last };
        self.window.set(window);
        let note = format!(
            "no hash of the golden covers object {} of step {}, of which it tells: each run was asked for {}",
            uncovered.object_text(),
            uncovered.first,
            window.text()
        );
        // Of these steps the golden was asked for too, so that an empty list says that there is nothing.
        let empty_lists = self.program.empty_lists(window, true);
        (golden.clone().with_options(LogOptions { empty_lists, ..golden.options() }), Some(note))
    }

    /// What the program owes of its golden: hashes where it can be asked for more, and all of the steps that it is asked for.
    pub(super) fn asked_for(&self) -> AskedFor {
        match self.window.get() {
            Window::NONE => self.program.asked_for(),
            Window { from, to } => AskedFor::Steps(from, to),
        }
    }

    /// What to let a program print that does not tell of an object of its golden, nor a hash that covers it.
    pub(super) fn how_to_cover(&self, uncovered: &Uncovered) -> String {
        let (object, step, remedy) = (uncovered.object_text(), uncovered.first, uncovered.remedy());
        let more = match (self.program.takes_a_window(), step) {
            (true, 0) => ", or the objects of step 0 always, for it cannot be asked for them",
            (true, _) => ", or its objects in the steps from {from} to {to}",
            (false, _) => {
                ", or its objects; if that is too much, let it take {from} and {to}, and print them in these steps \
                 (docs/your-engine.md)"
            }
        };
        format!("nothing that it tells covers object {object} of step {step}: {remedy}{more}")
    }

    /// What to let a program print whose log tells of no objects, where it is not asked for more of a step.
    pub(super) fn how_to_name(&self, unnamed: &Unnamed, log: &LogSource, found: &Verification) -> Option<String> {
        let is_told = unnamed.tells_no_objects && found.repeats != Some(false) && !self.program.takes_a_window();
        is_told.then(|| {
            format!(
                "to have object and field named, let it print `objects` with `fields` (docs/your-engine.md has printers), run it where \
                 the golden still comes out, and `physim diff{}` the two",
                log.options().arguments()
            )
        })
    }
}

/// Names the difference by what a run told that was asked for more of its step; where that does not name it either, it is that run which
/// tells why.
pub fn name_closer(closer: VerifiedLog, step: u32, unnamed: &Unnamed, found: &mut Verification) {
    let Some(first) = closer.found.first.filter(|first| first.step == step) else { return };
    let Unnamed { naming, withheld, .. } = closer.unnamed;
    let is = |note: &str, of: &Option<String>| of.as_deref() == Some(note);
    found.notes.retain(|note| !is(note, &unnamed.withheld));
    found.notes.extend(withheld);
    if first.field.is_some() || first.stage.is_some() || first.order.is_some() {
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
