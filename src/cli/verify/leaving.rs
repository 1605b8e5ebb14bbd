//! What is left of a program that does not hold: its new result, or what is for looking only.

use std::path::PathBuf;

use crate::analysis::compare_checkpoints::{Uncovered, uncovered_by};
use crate::analysis::verify::Verification;
use crate::replay::LogSource;

use crate::cli::guarded_program::PrintedRun;
use crate::cli::new_golden::{
    NewPlace, OTHER_RACE, PARTIAL, RACE, golden_of, new_path, remove_unrepeated, write_new_log, write_other_log,
};
use crate::cli::verify::outputs::new_path_of;
use crate::cli::verify::program::{Guard, Told};
use crate::cli::verify::subjects::Subject;

impl Guard<'_> {
    /// Leaves what a program printed until it failed, if it was anything, where there is a folder for it.
    pub(super) fn leave_partial(&self, what: &str, run: &PrintedRun, found: &mut Verification) {
        if run.log.read().next().is_some() {
            let path = self.request.new_place.path_of_program(self.program, PARTIAL);
            write_other_log(path, what, (&run.log, &self.program.golden), found);
        }
    }

    /// Leaves what a program printed that does not repeat, where there is a folder for it.
    pub(super) fn leave_race(&self, what: &str, run: &PrintedRun, found: &mut Verification) {
        let path = self.request.new_place.path_of_program(self.program, RACE);
        write_other_log(path, what, (&run.log, &self.program.golden), found);
    }

    /// Leaves what another run printed beside that which was left, where the two differ only in what they tell: each has what shows it.
    pub(super) fn leave_other_race(&self, log: &LogSource, found: &mut Verification) {
        let place = &self.request.new_place;
        let [race, other] = [RACE, OTHER_RACE].map(|extension| place.path_of_program(self.program, extension));
        if let Some(race) = race {
            write_other_log(other, "what another run printed", (log, &race), found);
        }
    }

    /// Leaves what a program printed where new results go. What does not repeat is left where nobody takes it for a golden, if at all.
    /// Where it differs from another run only in what it tells, that is left as well.
    pub(super) fn leave(
        &self,
        recorded: Option<&LogSource>,
        Told { run, other }: &Told<'_>,
        found: &mut Verification,
    ) -> Option<PathBuf> {
        let (place, golden) = (&self.request.new_place, &self.program.golden);
        if let Some(of) = golden_of(golden) {
            found.notes.push(of);
            return None;
        }
        if found.repeats == Some(false) {
            if *place == NewPlace::Beside && self.program.owns_golden {
                let new = new_path(golden);
                let note = format!("{} is not written: a golden of what does not repeat would not hold", new.display());
                found.notes.push(note);
            }
            self.refuse_new(found);
            self.leave_race("what it printed this time", run, found);
            if let Some(other) = other {
                self.leave_other_race(other, found);
            }
            return None;
        }
        if *place == NewPlace::Beside && !self.program.owns_golden {
            let golden = golden.display();
            found.notes.push(format!("{golden} is the golden of {}: this one has to print the same", self.owner()));
            return None;
        }
        found.notes.extend(self.request.how_to_keep());
        let new = new_path_of(&Subject::Program(self.program.clone()), place)?;
        let uncovered =
            recorded.filter(|_| self.program.owns_golden).and_then(|recorded| uncovered_by(recorded, &run.log));
        found.notes.extend(uncovered.map(|uncovered| loss_note(&uncovered)));
        write_new_log(golden, new, &run.log, self.program.owns_golden, found)
    }

    /// Whose golden it is, where it is not that of this program.
    const fn owner(&self) -> &'static str {
        if self.program.list.is_some() {
            "another program that is verified with it"
        } else {
            "another run too, under another name"
        }
    }

    /// Takes away an earlier new result of what does not repeat.
    pub(super) fn refuse_new(&self, found: &mut Verification) {
        if self.program.owns_golden {
            remove_unrepeated(&self.program.golden, &self.request.new_place, found);
        }
    }
}

/// That a golden made of a new result would not guard what this one does.
fn loss_note(uncovered: &Uncovered) -> String {
    let more = if uncovered.count > 1 { format!(" ({} checkpoints in all)", uncovered.count) } else { String::new() };
    format!(
        "a golden made of what it printed would not cover object {} of step {}{more} any more, of which it tells neither the object nor a \
         hash: {}",
        uncovered.object_text(),
        uncovered.first,
        uncovered.remedy()
    )
}
