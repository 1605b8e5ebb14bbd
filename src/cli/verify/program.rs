//! Verifies one golden hash log: runs the program that prints it.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use crate::analysis::Verdict;
use crate::analysis::compare_checkpoints::at_difference;
use crate::analysis::diff::{Diff, DiffOptions};
use crate::analysis::run_source::{RunSource, diff_sources};
use crate::analysis::verify::log::{look_again, verify_log};
use crate::analysis::verify::{GoldenKind, Verification};
use crate::replay::{HashLog, LogError, begins_as_a_replay, read_hash_log};

use crate::cli::guarded_program::{GuardedProgram, PrintedRun};
use crate::cli::new_golden::{NewPlace, new_path, note_stale, write_new_log, write_partial_log};
use crate::cli::source::{is_scene, start_of};
use crate::cli::verify::arguments::Request;
use crate::cli::verify::outputs::new_path_of;
use crate::cli::verify::subjects::Subject;
use crate::report::number::counted;
use crate::report::program::command;
use crate::report::progress::Progress;
use crate::report::run::quoted;
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
}

/// Runs a program, and compares what it prints with its golden.
pub fn verify(program: &GuardedProgram, request: &Request, progress: &Progress) -> VerifiedGolden {
    let name = program.shown_name();
    let mut guard = Guard { program, request, progress, name: name.clone(), last: None };
    let exec = Some(program.command_line());
    let golden = program.golden.display().to_string();
    let is_missing = !program.golden.exists();
    let result = if is_missing {
        Ok(guard.without_golden())
    } else {
        read_golden(&program.golden).map(|log| guard.with_golden(&log))
    };
    let Verified { found, new, diagnosis } = match result {
        Ok(verified) => verified,
        Err(Unread::Unreadable(what)) => {
            return VerifiedGolden { golden, exec, ..VerifiedGolden::new(name, Err(what)) };
        }
        Err(Unread::Damaged(found)) => Verified::of(*found),
    };
    VerifiedGolden {
        golden,
        exec,
        is_missing,
        new: new.map(|path| path.display().to_string()),
        diagnosis: diagnosis.map(Box::new),
        in_list: program.name.is_some(),
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

/// Why a golden log cannot be compared with anything.
enum Unread {
    /// The operating system refused to read it.
    Unreadable(String),
    /// It is not as it must be.
    Damaged(Box<Verification>),
}

impl Guard<'_> {
    fn run(&self, number: u32) -> PrintedRun {
        let again = if number > 1 { format!(", run {number}") } else { String::new() };
        let of = self.last.map_or_else(String::new, |last| format!(" of {last}"));
        self.progress.say(|| format!("{}{again}: started", self.name));
        self.program.run(self.request.time_limit, &mut |step| {
            self.progress.say(|| format!("{}{again}: step {step}{of}", self.name));
        })
    }

    /// Compares a run with the golden, and more of them where it does not hold or where that is asked for.
    fn with_golden(&mut self, golden: &HashLog) -> Verified {
        self.last = golden.checkpoints.last().map(|checkpoint| checkpoint.step);
        let first = self.run(1);
        let mut found = verify_log(golden, &first.log);
        if let Some(failure) = &first.failure {
            return Verified::of(self.failed(found, failure, &first));
        }
        let holds = found.verdict == Verdict::Same || (found.verdict == Verdict::Damaged && found.first.is_none());
        let runs = if holds { self.request.repeat } else { self.request.repeat.max(RUNS_TO_COMPARE) };
        let told = self.look_again(golden, &first, runs, &mut found).unwrap_or(first);
        if found.verdict == Verdict::Diverged {
            let new = self.leave(&told, &mut found);
            let diagnosis = if self.request.in_full { diagnosed(golden, &told.log) } else { None };
            return Verified { found, new, diagnosis };
        }
        note_stale(&self.program.golden, &mut found);
        Verified::of(found)
    }

    /// Runs it again up to so many times, to see whether it repeats; gives back a later run where that is what is told of.
    fn look_again(
        &self,
        golden: &HashLog,
        first: &PrintedRun,
        runs: u32,
        found: &mut Verification,
    ) -> Option<PrintedRun> {
        for number in 2..=runs {
            let again = self.run(number);
            if let Some(failure) = &again.failure {
                found.repeats = Some(false);
                found.verdict = found.verdict.max(Verdict::Failed);
                found.notes.push(format!("it does not repeat: run {number} failed: {failure}"));
                return None;
            }
            let again_is_told = look_again(found, golden, &first.log, &again.log);
            if found.repeats == Some(false) {
                found.notes.push(format!("next: physim {}", self.search_for_races()));
                return again_is_told.then_some(again);
            }
        }
        if found.repeats == Some(true) && found.verdict == Verdict::Diverged {
            found.notes.push(format!("it repeats: {} are equal", counted(u64::from(runs), "run", "runs")));
        }
        None
    }

    /// The command that looks for races in a program.
    fn search_for_races(&self) -> String {
        let line = self.program.command_line();
        let line = match &self.program.folder {
            Some(folder) => format!("cd {} && {line}", quoted(&folder.display().to_string())),
            None => line,
        };
        format!("bisect --exec {} --axis repeat=20", quoted(&line))
    }

    /// What is known of a run that did not come to its end; what it printed before is compared all the same.
    fn failed(&self, compared: Verification, failure: &str, run: &PrintedRun) -> Verification {
        let parts = compared.first.filter(|first| {
            let last = run.log.checkpoints.last();
            last.is_some_and(|last| first.step <= last.step)
        });
        let steps = run.log.checkpoints.last().map(|last| last.step);
        let mut found = Verification { first: parts, steps, ..Verification::failed(failure) };
        if compared.verdict == Verdict::Damaged {
            (found.verdict, found.damage) = (compared.verdict, compared.damage);
        }
        match (&found.first, steps) {
            (None, Some(steps)) => {
                found.notes.push(format!("what it printed before that is as recorded, up to step {steps}"));
            }
            (Some(_), _) => found.notes.push("what it printed before that differs already, as shown".to_owned()),
            (None, None) => {}
        }
        found.notes.push(self.by_itself());
        if steps.is_some() {
            write_partial_log(&self.program.golden, &self.request.new_place, &run.lines, &mut found);
        }
        found
    }

    /// How to see what a program does.
    fn by_itself(&self) -> String {
        let line = self.program.command_line();
        match &self.program.folder {
            Some(folder) => format!("run it by itself to see more, in {}: {line}", folder.display()),
            None => format!("run it by itself to see more: {line}"),
        }
    }

    /// A program that has no golden yet: runs it twice, and leaves what it printed where that repeats.
    fn without_golden(&self) -> Verified {
        let shown = self.program.golden.display();
        let first = self.run(1);
        if let Some(failure) = &first.failure {
            let mut found =
                Verification::failed(format!("there is no golden {shown} yet, and none can be made: {failure}"));
            found.notes.push(self.by_itself());
            return Verified::of(found);
        }
        let steps = first.log.checkpoints.last().map_or(0, |last| last.step);
        let mut found =
            Verification { steps: Some(steps), ..Verification::failed(format!("there is no golden {shown} yet")) };
        let again = self.run(RUNS_TO_COMPARE);
        if let Some(failure) = &again.failure {
            found.repeats = Some(false);
            found.notes.push(format!("it does not repeat: run {RUNS_TO_COMPARE} failed: {failure}"));
            return Verified::of(found);
        }
        let compared = verify_log(&first.log, &again.log);
        found.repeats = Some(compared.verdict == Verdict::Same);
        if compared.verdict != Verdict::Same {
            found.first = compared.first;
            found
                .notes
                .push("it does not repeat, so no golden is made of it: shown is how a second run differs".to_owned());
            found.notes.push(format!("next: physim {}", self.search_for_races()));
            return Verified::of(found);
        }
        let new = self.leave(&first, &mut found);
        if self.request.new_place == NewPlace::Nowhere {
            let accept = command(&format!("accept {}", quoted(&shown.to_string())));
            found.notes.push(format!(
                "to make one, verify it where CI is not set and no new result is ruled out, then: {accept}"
            ));
        }
        Verified { found, new, diagnosis: None }
    }

    /// Leaves what a program printed where new results go; a golden of what does not repeat would not hold.
    fn leave(&self, run: &PrintedRun, found: &mut Verification) -> Option<PathBuf> {
        let place = &self.request.new_place;
        if *place == NewPlace::Beside && found.repeats == Some(false) {
            let new = new_path(&self.program.golden);
            found
                .notes
                .push(format!("{} is not written: a golden of what does not repeat would not hold", new.display()));
            return None;
        }
        if *place == NewPlace::Beside && !self.program.owns_golden {
            let golden = self.program.golden.display();
            found
                .notes
                .push(format!("{golden} is the golden of another program of the list: this one has to print the same"));
            return None;
        }
        let new = new_path_of(&Subject::Program(self.program.clone()), place)?;
        let may_be_golden = self.program.owns_golden && found.repeats != Some(false);
        write_new_log(&self.program.golden, new, &run.lines, may_be_golden, found)
    }
}

/// Reads a golden log, in which every line must be one of a hash log.
fn read_golden(path: &Path) -> Result<HashLog, Unread> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Unread::Unreadable(format!("{name}: cannot open it: {error}")))?;
    read_hash_log(&name, BufReader::new(file)).map_err(|error| {
        if let LogError::Io { .. } = error {
            return Unread::Unreadable(error.to_string());
        }
        let next = "take it from its source again, or delete it and record it anew with the same command";
        let (what, kind) = match what_else(path) {
            Some(what) => (what, GoldenKind::Other),
            None => (format!("{error} ({next})"), GoldenKind::HashLog),
        };
        Unread::Damaged(Box::new(Verification::damaged_log(what, kind)))
    })
}

/// What a file is that is no hash log, and what to do with it.
fn what_else(path: &Path) -> Option<String> {
    let shown = quoted(&path.display().to_string());
    if begins_as_a_replay(&start_of(path)) {
        let verify = command(&format!("verify {shown}"));
        return Some(format!("it is a replay, which physim runs by itself: `{verify}`"));
    }
    is_scene(path).then(|| "it is a scene, not a hash log; the golden is what the program printed before".to_owned())
}

/// Whether a file begins as a hash log does.
pub fn is_log(path: &Path) -> bool {
    let start = start_of(path);
    let text = String::from_utf8_lossy(&start);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| line.starts_with('{') && line.contains("\"step\""))
}

/// How a run differs from the golden, as `physim diff` would say it, with the other fields that differ at the same checkpoint.
fn diagnosed(golden: &HashLog, printed: &HashLog) -> Option<Diff> {
    let sources = [golden, printed].map(|log| RunSource::Log(log.clone()));
    let options = DiffOptions::default();
    let mut diff = diff_sources(&sources[0], &sources[1], options).ok()?;
    if let Some(first) = &mut diff.first {
        let (fields, objects) = at_difference(first, [&golden.checkpoints, &printed.checkpoints], options.fields);
        (first.fields, first.objects) = (fields, objects.filter(|objects| *objects > 0));
    }
    Some(diff)
}
