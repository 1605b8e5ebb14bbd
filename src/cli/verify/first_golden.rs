//! A program that has no golden yet: what it printed is left as its first golden, where it prints it again.

use crate::analysis::Verdict;
use crate::analysis::verify::Verification;
use crate::analysis::verify::log::{NOTHING_CHANGED, VerifiedLog, compare_runs};
use crate::analysis::verify::runs::Runs;

use crate::cli::guarded_program::PrintedRun;
use crate::cli::new_golden::NewPlace;
use crate::cli::verify::closer::note_rollback;
use crate::cli::verify::program::{Guard, REPEATS, RUNS_TO_COMPARE, Told, Verified};
use crate::cli::verify::race::{self, FailedRun, Named};
use crate::report::number::counted;
use crate::report::program::command;
use crate::report::run::path_argument;

impl Guard<'_> {
    /// A program that has no golden yet: runs it twice, and leaves what it printed where that repeats.
    pub(super) fn without_golden(&self) -> Verified {
        let shown = self.program.golden.display();
        let first = self.run(1);
        let mut pass = first.log.read();
        pass.by_ref().for_each(drop);
        let (printed, wrong) = pass.known();
        if let Some(failure) = first.failure(&printed, wrong.as_ref()) {
            let mut found =
                Verification::failed(format!("there is no golden {shown} yet, and none can be made: {failure}"));
            found.notes.push(self.by_itself());
            self.leave_partial("what it printed before that", &first, &mut found);
            return Verified::of(found);
        }
        let mut found = Verification {
            steps: printed.last_step,
            ..Verification::failed(format!("there is no golden {shown} yet"))
        };
        note_rollback(&first.log, &mut found);
        let runs = self.request.repeat.max(RUNS_TO_COMPARE);
        for number in 2..=runs {
            let again = self.run(number);
            let compared = compare_runs(&first.log, &again.log);
            if let Some(failure) = again.failure(&compared.printed, compared.wrong.as_ref()) {
                found.repeats = Some(false);
                found.notes.push(format!("it does not repeat: run {number} failed: {failure}"));
                self.refuse_new(&mut found);
                self.leave_partial(&format!("what run {number} printed before that"), &again, &mut found);
                self.leave_race("what its first run printed", &first, &mut found);
                return Verified::of(found);
            }
            if compared.found.verdict != Verdict::Same {
                let mut seen = Runs::beside(None);
                seen.add_kind(1..number, &first.log);
                seen.add_kind([number], &again.log);
                self.note_race((compared, number), [&first, &again], &mut seen, &mut found);
                return Verified::of(found);
            }
        }
        if self.is_rewritten.get() {
            return Verified::of(found);
        }
        found.repeats = Some(true);
        found.notes.push(format!("{REPEATS}{} are equal", counted(u64::from(runs), "run", "runs")));
        let new = self.leave(None, &Told { run: &first, other: None }, &mut found);
        if self.request.new_place == NewPlace::Nowhere {
            let accept = command(&format!("accept {}", path_argument(&self.program.golden)));
            found.notes.push(format!(
                "to make one, verify it where CI is not set and no new result is ruled out, then: {accept}"
            ));
        }
        Verified { found, new, diagnosis: None }
    }

    /// Notes that a run of a program without a golden differs from its first one, and shows how.
    fn note_race(
        &self,
        (compared, number): (VerifiedLog, u32),
        [first, again]: [&PrintedRun; 2],
        seen: &mut Runs<'_>,
        found: &mut Verification,
    ) {
        let is_telling = compared.differs_in_telling_alone();
        let telling = compared.telling(["the first", &format!("run {number}")]);
        (found.repeats, found.first) = (Some(false), compared.found.first);
        found.sides = Some(["first run".to_owned(), format!("run {number}")]);
        let failed = race::run_further(seen, number + 1, &mut |number| self.run(number));
        let shown = telling.as_ref().map_or_else(String::new, |telling| format!(" ({telling})"));
        let note = format!(
            "it does not repeat, so no golden is made of it: shown is how run {number} differs from the first{shown}, {NOTHING_CHANGED}"
        );
        // Behind that there is no golden.
        found.notes.splice(1..1, [note, seen.text()]);
        found.runs = seen.outcomes();
        if let Some(FailedRun { number, run, failure }) = &failed {
            found.notes.push(format!("run {number} failed: {failure}"));
            self.leave_partial(&format!("what run {number} printed before that"), run, found);
        }
        match found.first.as_ref().map_or(Named::Nothing, |first| self.name_race(first.step)) {
            Named::Difference(first) => {
                found.notes.push(race::note(&first));
                (found.first, found.sides) = (Some(*first), Some(["one run", "another"].map(str::to_owned)));
            }
            Named::Failed(what) => found.notes.push(what),
            Named::Nothing => {}
        }
        self.refuse_new(found);
        self.leave_race("what its first run printed", first, found);
        if is_telling {
            self.leave_other_race(&again.log, found);
        } else {
            found.notes.push(format!("next: physim {}", self.search_for_races()));
        }
    }
}
