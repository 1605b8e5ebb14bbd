//! Verifies one golden hash log: runs the program that prints it.

use std::cell::Cell;
use std::path::PathBuf;

use crate::analysis::Verdict;
use crate::analysis::diff::Diff;
use crate::analysis::verify::Verification;
use crate::analysis::verify::log::{VerifiedLog, compare_runs, look_again, verify_log};
use crate::analysis::verify::runs::Runs;
use crate::replay::{LogEnd, LogOptions, LogSource};

use crate::cli::guarded_program::{Asked, GuardedProgram, PrintedRun, Window};
use crate::cli::new_golden::{remove_earlier, remove_stale};
use crate::cli::verify::arguments::{Request, TIME_LIMIT};
use crate::cli::verify::closer::{diagnosed, note_rollback};
use crate::cli::verify::golden_log::{Unread, read_golden};
use crate::cli::verify::kept_golden::{KeptGolden, is_there};
use crate::cli::verify::race::{self, FailedRun, Named};
use crate::report::number::counted;
use crate::report::progress::Progress;
use crate::report::run::{path_argument, quoted};
use crate::report::verify::VerifiedGolden;

/// How often a program is run whose first run does not hold, or that has no golden yet.
pub(super) const RUNS_TO_COMPARE: u32 = 2;

/// How the note begins that equal runs are equal.
pub(super) const REPEATS: &str = "it repeats: ";

/// A program under way.
pub(super) struct Guard<'a> {
    pub(super) program: &'a GuardedProgram,
    pub(super) request: &'a Request,
    progress: &'a Progress,
    name: String,
    /// The last step of the golden.
    last: Option<u32>,
    /// The golden as it was before the first program ran.
    kept: Option<&'a KeptGolden>,
    /// Whether a run changed it.
    pub(super) is_rewritten: Cell<bool>,
    /// The steps of which every run is asked for all that it can tell.
    pub(super) window: Cell<Window>,
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
        window: Cell::new(Window::NONE),
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
        let options = LogOptions {
            resimulated,
            empty_lists: program.empty_lists(Window::NONE, false),
            ..request.logs.for_files()
        };
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
pub(super) struct Verified {
    pub(super) found: Verification,
    pub(super) new: Option<PathBuf>,
    pub(super) diagnosis: Option<Diff>,
}

impl Verified {
    pub(super) const fn of(found: Verification) -> Self {
        Self { found, new: None, diagnosis: None }
    }
}

/// The run that is told of.
pub(super) struct Told<'a> {
    pub(super) run: &'a PrintedRun,
    /// Another one, where the two differ from each other only in what they tell.
    pub(super) other: Option<LogSource>,
}

/// What came of running a program again.
#[derive(Default)]
struct Again {
    /// A later run, where that is what is told of.
    told: Option<PrintedRun>,
    /// The other one of the two, where they differ only in what they tell.
    other: Option<LogSource>,
}

impl Guard<'_> {
    /// Takes away what an earlier run has left for upload, before this one leaves what it comes to.
    fn remove_earlier(&mut self) {
        self.earlier = remove_earlier(&self.request.new_place, self.program);
    }

    pub(super) fn run(&self, number: u32) -> PrintedRun {
        let again = if number > 1 { format!(", run {number}") } else { String::new() };
        self.run_for(&again, self.window.get())
    }

    /// Runs it for all that it can tell of some steps.
    pub(super) fn run_for(&self, what: &str, window: Window) -> PrintedRun {
        let of = self.last.map_or_else(String::new, |last| format!(" of {last}"));
        self.progress.say(|| format!("{}{what}: started", self.name));
        let Request { time_limit, logs, .. } = self.request;
        let is_owed = window != Window::NONE && window == self.window.get();
        let asked = Asked { time_limit: *time_limit, options: logs.for_programs(), window, is_owed };
        let run =
            self.program.run(asked, &mut |step| self.progress.say(|| format!("{}{what}: step {step}{of}", self.name)));
        self.is_rewritten.set(self.is_rewritten.get() || self.kept.is_some_and(KeptGolden::is_changed));
        run
    }

    /// Compares a run with the golden, and more of them where it does not hold or where that is asked for.
    fn with_golden(&mut self, golden: &LogSource, golden_end: &LogEnd) -> Verified {
        self.last = golden_end.last_step;
        let (golden, was_asked) = self.ask_for_uncovered(golden);
        let golden = &golden;
        let first = self.run(1);
        let mut compared = verify_log(golden, &first.log, self.asked_for());
        note_rollback(&first.log, &mut compared.found);
        if let Some(failure) = first.failure(&compared.printed, compared.wrong.as_ref()) {
            return Verified::of(self.failed(compared.found, &failure, &first, compared.printed.last_step));
        }
        let how_to_cover = compared.uncovered.as_ref().map(|uncovered| self.how_to_cover(uncovered));
        compared.found.notes.extend(was_asked.into_iter().chain(how_to_cover));
        let VerifiedLog { mut found, unnamed, .. } = compared;
        let holds = found.verdict == Verdict::Same || (found.verdict == Verdict::Damaged && found.first.is_none());
        let runs = if holds { self.request.repeat } else { self.request.repeat.max(RUNS_TO_COMPARE) };
        let Again { told, other } = self.look_again(golden, &first, runs, &mut found);
        let told = Told { run: told.as_ref().unwrap_or(&first), other };
        // Of a golden that is another one by now nothing is known, and nothing is left.
        if self.is_rewritten.get() {
            return Verified::of(found);
        }
        if found.verdict == Verdict::Diverged {
            let detail = self.look_closer(golden, told.run, &unnamed, &mut found);
            found.notes.extend(self.how_to_name(&unnamed, &told.run.log, &found));
            let new = if self.is_rewritten.get() { None } else { self.leave(Some(golden), &told, &mut found) };
            let shown = detail.as_ref().unwrap_or(&told.run.log);
            let diagnosis = if self.request.in_full { diagnosed(golden, shown) } else { None };
            return Verified { found, new, diagnosis };
        }
        if self.program.owns_golden {
            remove_stale(&self.program.golden, &self.request.new_place, &mut found);
        }
        Verified::of(found)
    }

    /// Runs it again up to so many times, to see whether it repeats.
    fn look_again(&self, golden: &LogSource, first: &PrintedRun, runs: u32, found: &mut Verification) -> Again {
        for number in 2..=runs {
            let again = self.run(number);
            let compared = compare_runs(&first.log, &again.log);
            if let Some(failure) = again.failure(&compared.printed, compared.wrong.as_ref()) {
                self.note_failed(&FailedRun { number, run: again, failure }, first, found);
                return Again::default();
            }
            let parted = compared.found.first.as_ref().map(|first| first.step);
            let is_telling = compared.differs_in_telling_alone();
            let again_is_told = look_again(found, (golden, self.asked_for()), compared, (&again.log, number));
            if found.repeats == Some(false) {
                let mut seen = Runs::beside(Some((golden, self.asked_for())));
                seen.add_kind(1..number, &first.log);
                seen.add_kind([number], &again.log);
                self.look_further(&mut seen, number, first, found);
                match parted.map_or(Named::Nothing, |step| self.name_race(step)) {
                    Named::Difference(first) => found.notes.push(race::note(&first)),
                    Named::Failed(what) => found.notes.push(what),
                    Named::Nothing => {}
                }
                // Nothing differs that it would compare.
                if !is_telling {
                    found.notes.push(format!("next: physim {}", self.search_for_races()));
                }
                let other = if again_is_told { &first.log } else { &again.log };
                let other = is_telling.then(|| other.clone());
                return Again { told: again_is_told.then_some(again), other };
            }
        }
        if found.repeats == Some(true) && found.verdict == Verdict::Diverged {
            found.notes.push(format!("{REPEATS}{} are equal", counted(u64::from(runs), "run", "runs")));
        }
        Again::default()
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
    pub(super) fn name_race(&self, step: u32) -> Named {
        if self.program.takes_a_window() {
            race::name(step, &mut |what, step| self.run_for(what, Window::of_step(step)))
        } else {
            Named::Nothing
        }
    }

    /// The command that looks for races in a program.
    pub(super) fn search_for_races(&self) -> String {
        let Request { logs, time_limit, .. } = self.request;
        let resimulated = logs.resimulated || self.program.resimulated;
        let options = LogOptions { resimulated, ..logs.for_programs() }.arguments();
        let time_limit = match self.program.time_limit.unwrap_or(*time_limit) {
            TIME_LIMIT => String::new(),
            seconds => format!(" --time-limit {seconds}"),
        };
        let line = self.program.command_with_places(self.window.get());
        format!("bisect --exec {} --axis repeat=20{options}{time_limit}", quoted(&line))
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
    pub(super) fn by_itself(&self) -> String {
        let line = self.program.command_line_as_run(self.window.get());
        // What cannot be seen would be shown as something else, which is another command.
        let shown = quoted(&line);
        let line = if shown.starts_with('$') { format!("eval {shown}") } else { line };
        match &self.program.folder {
            Some(folder) => format!("run it by itself to see more, in {}: {line}", path_argument(folder)),
            None => format!("run it by itself to see more: {line}"),
        }
    }
}
