//! Verifies one golden hash log: runs the program that prints it.

use std::cell::Cell;
use std::path::PathBuf;

use crate::analysis::diff::Diff;
use crate::analysis::verify::Verification;
use crate::analysis::verify::log::{
    AskedFor, NOTHING_CHANGED, Unnamed, VerifiedLog, compare_runs, look_again, verify_log, verify_window,
    who_tells_less,
};
use crate::analysis::verify::runs::Runs;
use crate::analysis::{FirstDifference, Verdict};
use crate::replay::{LogEnd, LogOptions, LogSource};

use crate::cli::guarded_program::{Asked, GuardedProgram, PrintedRun};
use crate::cli::new_golden::{
    DETAIL, NewPlace, PARTIAL, RACE, golden_of, new_path, remove_earlier, remove_stale, remove_unrepeated,
    write_new_log, write_other_log,
};
use crate::cli::verify::arguments::{Request, TIME_LIMIT};
use crate::cli::verify::closer::{diagnosed, name_closer, note_rollback};
use crate::cli::verify::golden_log::{Unread, read_golden};
use crate::cli::verify::kept_golden::{KeptGolden, is_there};
use crate::cli::verify::outputs::new_path_of;
use crate::cli::verify::race::{self, FailedRun, Named};
use crate::cli::verify::subjects::Subject;
use crate::report::number::counted;
use crate::report::program::command;
use crate::report::progress::Progress;
use crate::report::run::{path_argument, quoted};
use crate::report::verify::VerifiedGolden;

/// How often a program is run whose first run does not hold, or that has no golden yet.
const RUNS_TO_COMPARE: u32 = 2;

/// A program under way.
struct Guard<'a> {
    program: &'a GuardedProgram,
    request: &'a Request,
    progress: &'a Progress,
    name: String,
    /// The last step of the golden.
    last: Option<u32>,
    /// The golden as it was before the first program ran.
    kept: Option<&'a KeptGolden>,
    /// Whether a run changed it.
    is_rewritten: Cell<bool>,
    /// What is to be said of what an earlier run has left, each with its path where it is gone.
    earlier: Vec<(Option<PathBuf>, String)>,
}

/// Runs a program, and compares what it prints with its golden.
pub fn verify(program: &GuardedProgram, request: &Request, progress: &Progress) -> VerifiedGolden {
    let name = program.shown_name();
    let mut guard = Guard {
        program,
        request,
        progress,
        name: name.clone(),
        last: None,
        kept: request.kept.get(&program.golden),
        is_rewritten: Cell::new(false),
        earlier: Vec::new(),
    };
    let exec = Some(program.command_line());
    let golden = program.golden.display().to_string();
    let is_missing = !guard.kept.map_or_else(|| is_there(&program.golden), KeptGolden::was_there);
    let result = if let Some(found) = request.kept.changed(&program.golden) {
        Ok(Verified::of(found))
    } else if is_missing {
        guard.remove_earlier();
        Ok(guard.without_golden())
    } else {
        let resimulated = request.logs.resimulated || program.resimulated;
        let options = LogOptions { resimulated, empty_lists: program.empty_lists(0), ..request.logs.for_files() };
        read_golden(&program.golden, guard.kept, options).map(|(log, end)| {
            guard.remove_earlier();
            guard.with_golden(&log, &end)
        })
    };
    let Verified { mut found, new, diagnosis } = match result {
        Ok(verified) => verified,
        Err(Unread::Unreadable(what)) => {
            return VerifiedGolden { golden, exec, ..VerifiedGolden::new(name, Err(what)) };
        }
        Err(Unread::Damaged(found)) => Verified::of(*found),
    };
    let (mut new, mut diagnosis) = (new, diagnosis);
    let earlier = std::mem::take(&mut guard.earlier);
    if let Some(rewritten) = request.kept.rewritten(&program.golden, guard.is_rewritten.get()) {
        (found, new, diagnosis) = (rewritten, None, None);
    }
    found = request.kept.deeds(&program.golden, found);
    // That something was removed is no news where it was written anew.
    let is_gone = |removed: &Option<PathBuf>| removed.as_ref().is_none_or(|path| !path.exists());
    found.notes.extend(earlier.into_iter().filter(|(removed, _)| is_gone(removed)).map(|(_, note)| note));
    VerifiedGolden {
        golden,
        exec,
        is_missing,
        new: new.map(|path| path.display().to_string()),
        diagnosis: diagnosis.map(Box::new),
        list: program.list.as_ref().map(|path| path.display().to_string()),
        ..VerifiedGolden::new(name, Ok(found))
    }
}

/// What was found of a program, and what was left of its run.
struct Verified {
    found: Verification,
    new: Option<PathBuf>,
    diagnosis: Option<Diff>,
}

impl Verified {
    const fn of(found: Verification) -> Self {
        Self { found, new: None, diagnosis: None }
    }
}

impl Guard<'_> {
    /// Takes away what an earlier run has left for upload, before this one leaves what it comes to.
    fn remove_earlier(&mut self) {
        self.earlier = remove_earlier(&self.request.new_place, self.program);
    }

    fn run(&self, number: u32) -> PrintedRun {
        let again = if number > 1 { format!(", run {number}") } else { String::new() };
        self.run_for(&again, 0)
    }

    /// Runs it for all that it can tell of a step, or for no more than it always tells if that is 0.
    fn run_for(&self, what: &str, detail: u32) -> PrintedRun {
        let of = self.last.map_or_else(String::new, |last| format!(" of {last}"));
        self.progress.say(|| format!("{}{what}: started", self.name));
        let Request { time_limit, logs, .. } = self.request;
        let asked = Asked { time_limit: *time_limit, options: logs.for_programs(), detail };
        let run =
            self.program.run(asked, &mut |step| self.progress.say(|| format!("{}{what}: step {step}{of}", self.name)));
        self.is_rewritten.set(self.is_rewritten.get() || self.kept.is_some_and(KeptGolden::is_changed));
        run
    }

    /// Compares a run with the golden, and more of them where it does not hold or where that is asked for.
    fn with_golden(&mut self, golden: &LogSource, golden_end: &LogEnd) -> Verified {
        self.last = golden_end.last_step;
        let first = self.run(1);
        let VerifiedLog { mut found, printed, wrong, unnamed, .. } =
            verify_log(golden, &first.log, self.program.asked_for());
        note_rollback(&first.log, &mut found);
        if let Some(failure) = first.failure(&printed, wrong.as_ref()) {
            return Verified::of(self.failed(found, &failure, &first, printed.last_step));
        }
        let holds = found.verdict == Verdict::Same || (found.verdict == Verdict::Damaged && found.first.is_none());
        let runs = if holds { self.request.repeat } else { self.request.repeat.max(RUNS_TO_COMPARE) };
        let told = self.look_again(golden, &first, runs, &mut found).unwrap_or(first);
        // Of a golden that is another one by now nothing is known, and nothing is left.
        if self.is_rewritten.get() {
            return Verified::of(found);
        }
        if found.verdict == Verdict::Diverged {
            let detail = self.look_closer(golden, &told, &unnamed, &mut found);
            found.notes.extend(self.how_to_name(&unnamed, &told.log, &found));
            let new = if self.is_rewritten.get() { None } else { self.leave(&told, &mut found) };
            let shown = detail.as_ref().unwrap_or(&told.log);
            let diagnosis = if self.request.in_full { diagnosed(golden, shown) } else { None };
            return Verified { found, new, diagnosis };
        }
        if self.program.owns_golden {
            remove_stale(&self.program.golden, &self.request.new_place, &mut found);
        }
        Verified::of(found)
    }

    /// Runs it again up to so many times, to see whether it repeats; gives back a later run where that is what is told of.
    fn look_again(
        &self,
        golden: &LogSource,
        first: &PrintedRun,
        runs: u32,
        found: &mut Verification,
    ) -> Option<PrintedRun> {
        for number in 2..=runs {
            let again = self.run(number);
            let VerifiedLog { found: compared, printed, wrong, .. } = compare_runs(&first.log, &again.log);
            if let Some(failure) = again.failure(&printed, wrong.as_ref()) {
                self.note_failed(&FailedRun { number, run: again, failure }, first, found);
                return None;
            }
            let parted = compared.first.as_ref().map(|first| first.step);
            let again_is_told = look_again(found, (golden, self.program.asked_for()), compared, (&again.log, number));
            if found.repeats == Some(false) {
                let mut seen = Runs::beside(Some((golden, self.program.asked_for())));
                seen.add_kind(1..number, &first.log);
                seen.add_kind([number], &again.log);
                self.look_further(&mut seen, number, first, found);
                match parted.map_or(Named::Nothing, |step| self.name_race(step)) {
                    Named::Difference(first) => found.notes.push(race::note(&first)),
                    Named::Failed(what) => found.notes.push(what),
                    Named::Nothing => {}
                }
                found.notes.push(format!("next: physim {}", self.search_for_races()));
                return again_is_told.then_some(again);
            }
        }
        if found.repeats == Some(true) && found.verdict == Verdict::Diverged {
            found.notes.push(format!("it repeats: {} are equal", counted(u64::from(runs), "run", "runs")));
        }
        None
    }

    /// Makes a few more runs of a program that does not repeat, and says how all of them came out, behind that it does not.
    fn look_further(&self, seen: &mut Runs<'_>, last: u32, first: &PrintedRun, found: &mut Verification) {
        let failed = race::run_further(seen, last + 1, &mut |number| self.run(number));
        found.notes.insert(1, seen.text());
        found.runs = seen.outcomes();
        if let Some(failed) = failed {
            self.note_failed(&failed, first, found);
        }
    }

    /// Notes that a later run failed, before all else, and leaves what it and the first one printed.
    fn note_failed(
        &self,
        FailedRun { number, run, failure }: &FailedRun,
        first: &PrintedRun,
        found: &mut Verification,
    ) {
        found.repeats = Some(false);
        found.verdict = found.verdict.max(Verdict::Failed);
        found.notes.insert(0, format!("it does not repeat: run {number} failed: {failure}"));
        self.refuse_new(found);
        self.leave_partial(&format!("what run {number} printed before that"), run, found);
        // What came out as recorded tells nothing new.
        if found.first.is_some() {
            self.leave_race("what its first run printed", first, found);
        }
    }

    /// How two runs that differ from each other do so, where the program can be asked for more of the step in which they do.
    fn name_race(&self, step: u32) -> Named {
        if self.program.takes_a_window() {
            race::name(step, &mut |what, step| self.run_for(what, step))
        } else {
            Named::Nothing
        }
    }

    /// Runs a program once more for all that it can tell of the step in which it differs, where it can be asked for that; gives back
    /// what it told. What was noted of why it could not be named is void where it then is.
    fn look_closer(
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
        let closer = self.run_for(&format!(", for step {step}"), step);
        let VerifiedLog { found: compared, printed, wrong, .. } = verify_log(&told.log, &closer.log, AskedFor::More);
        if let Some(failure) = closer.failure(&printed, wrong.as_ref()) {
            found.notes.push(format!("asked for more of step {step}, it fails: {failure}"));
            self.leave_partial("what it printed before that", &closer, found);
            return None;
        }
        if compared.verdict != Verdict::Same {
            let at = compared.first.map_or_else(String::new, |first| format!(" in step {}", first.step));
            found.notes.push(format!(
                "asked for more of step {step}, it comes out otherwise{at}: it does not repeat, or asking for more changes it"
            ));
            return None;
        }
        let named = verify_window(golden, &closer.log, AskedFor::Hashes, unnamed.same_until);
        name_closer(named, step, unnamed, found);
        let place = &self.request.new_place;
        let path = place.path_of_program(self.program, DETAIL);
        let what = format!("what it printed when it was asked for more of step {step}");
        write_other_log(path, &what, (&closer.log, &self.program.golden), found);
        if found.first.as_ref().is_some_and(|first| first.field.is_none()) {
            found.notes.extend(who_tells_less(golden, &closer.log, step));
        }
        Some(closer.log)
    }

    /// What to let a program print whose log tells of no objects, where it is not asked for more of a step.
    fn how_to_name(&self, unnamed: &Unnamed, log: &LogSource, found: &Verification) -> Option<String> {
        let is_told = unnamed.tells_no_objects && found.repeats != Some(false) && !self.program.takes_a_window();
        is_told.then(|| {
            format!(
                "to have object and field named, let it print `objects` with `fields` (docs/your-engine.md has printers), run it where \
                 the golden still comes out, and `physim diff{}` the two",
                log.options().arguments()
            )
        })
    }

    /// The command that looks for races in a program.
    fn search_for_races(&self) -> String {
        let Request { logs, time_limit, .. } = self.request;
        let resimulated = logs.resimulated || self.program.resimulated;
        let options = LogOptions { resimulated, ..logs.for_programs() }.arguments();
        let time_limit = match self.program.time_limit.unwrap_or(*time_limit) {
            TIME_LIMIT => String::new(),
            seconds => format!(" --time-limit {seconds}"),
        };
        format!("bisect --exec {} --axis repeat=20{options}{time_limit}", quoted(&self.program.command_with_places()))
    }

    /// What is known of a run that did not come to its end; what it printed before is compared all the same.
    fn failed(&self, compared: Verification, failure: &str, run: &PrintedRun, last: Option<u32>) -> Verification {
        let parts = compared.first.filter(|first| last.is_some_and(|last| first.step <= last));
        let mut found = Verification { first: parts, steps: last, ..Verification::failed(failure) };
        if compared.verdict == Verdict::Damaged {
            (found.verdict, found.damage) = (compared.verdict, compared.damage);
        }
        match (&found.first, last) {
            (None, Some(last)) => {
                found.notes.push(format!("what it printed before that is as recorded, up to step {last}"));
            }
            (Some(_), _) => found.notes.push("what it printed before that differs already, as shown".to_owned()),
            (None, None) => {}
        }
        found.notes.push(self.by_itself());
        self.leave_partial("what it printed before that", run, &mut found);
        found
    }

    /// How to see what a program does.
    fn by_itself(&self) -> String {
        let line = self.program.command_line_as_run();
        // What cannot be seen would be shown as something else, which is another command.
        let shown = quoted(&line);
        let line = if shown.starts_with('$') { format!("eval {shown}") } else { line };
        match &self.program.folder {
            Some(folder) => format!("run it by itself to see more, in {}: {line}", path_argument(folder)),
            None => format!("run it by itself to see more: {line}"),
        }
    }

    /// A program that has no golden yet: runs it twice, and leaves what it printed where that repeats.
    fn without_golden(&self) -> Verified {
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
            let VerifiedLog { found: compared, printed, wrong, .. } = compare_runs(&first.log, &again.log);
            if let Some(failure) = again.failure(&printed, wrong.as_ref()) {
                found.repeats = Some(false);
                found.notes.push(format!("it does not repeat: run {number} failed: {failure}"));
                self.refuse_new(&mut found);
                self.leave_partial(&format!("what run {number} printed before that"), &again, &mut found);
                self.leave_race("what its first run printed", &first, &mut found);
                return Verified::of(found);
            }
            if compared.verdict != Verdict::Same {
                let mut seen = Runs::beside(None);
                seen.add_kind(1..number, &first.log);
                seen.add_kind([number], &again.log);
                self.note_race((compared.first, number), &first, &mut seen, &mut found);
                return Verified::of(found);
            }
        }
        if self.is_rewritten.get() {
            return Verified::of(found);
        }
        found.repeats = Some(true);
        found.notes.push(format!("it repeats: {} are equal", counted(u64::from(runs), "run", "runs")));
        let new = self.leave(&first, &mut found);
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
        (differs, number): (Option<FirstDifference>, u32),
        first: &PrintedRun,
        seen: &mut Runs<'_>,
        found: &mut Verification,
    ) {
        (found.repeats, found.first) = (Some(false), differs);
        found.sides = Some(["first run".to_owned(), format!("run {number}")]);
        let failed = race::run_further(seen, number + 1, &mut |number| self.run(number));
        let note = format!(
            "it does not repeat, so no golden is made of it: shown is how run {number} differs from the first, {NOTHING_CHANGED}"
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
        found.notes.push(format!("next: physim {}", self.search_for_races()));
    }

    /// Leaves what a program printed until it failed, if it was anything, where there is a folder for it.
    fn leave_partial(&self, what: &str, run: &PrintedRun, found: &mut Verification) {
        if run.log.read().next().is_some() {
            let path = self.request.new_place.path_of_program(self.program, PARTIAL);
            write_other_log(path, what, (&run.log, &self.program.golden), found);
        }
    }

    /// Leaves what a program printed that does not repeat, where there is a folder for it.
    fn leave_race(&self, what: &str, run: &PrintedRun, found: &mut Verification) {
        let place = &self.request.new_place;
        let path = place.path_of_program(self.program, RACE);
        write_other_log(path, what, (&run.log, &self.program.golden), found);
    }

    /// Leaves what a program printed where new results go. What does not repeat is left where nobody takes it for a golden, if at all.
    fn leave(&self, run: &PrintedRun, found: &mut Verification) -> Option<PathBuf> {
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
            return None;
        }
        if *place == NewPlace::Beside && !self.program.owns_golden {
            let golden = golden.display();
            found.notes.push(format!("{golden} is the golden of {}: this one has to print the same", self.owner()));
            return None;
        }
        found.notes.extend(self.request.how_to_keep());
        let new = new_path_of(&Subject::Program(self.program.clone()), place)?;
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
    fn refuse_new(&self, found: &mut Verification) {
        if self.program.owns_golden {
            remove_unrepeated(&self.program.golden, &self.request.new_place, found);
        }
    }
}
