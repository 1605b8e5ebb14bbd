//! The report of `physim verify`, in each of its formats.

mod github;
mod json;
mod junit;
mod text;

use std::time::Duration;

use crate::analysis::Verdict;
use crate::analysis::diff::Diff;
use crate::analysis::verify::{GoldenKind, Verification};
use unicode_width::UnicodeWidthStr;

use crate::report::diff;
use crate::report::difference::{how_to_find_out, one_line};
use crate::report::program::command;
use crate::report::style::printable;

pub use text::{VERDICT_COLUMN, VERDICT_WORDS};

/// That a run has these planted faults; nothing where it has none.
pub fn planted_text(faults: &[String]) -> Option<String> {
    let what = if faults.len() == 1 { "a planted fault" } else { "planted faults" };
    (!faults.is_empty()).then(|| format!("recorded with {what}: {}", faults.join("  ")))
}

/// A golden and what verifying it found.
pub struct VerifiedGolden {
    /// What reports call it: the path of the golden, or the name of a program in a list.
    pub name: String,
    /// The path of the golden.
    pub golden: String,
    /// What was found; or why there is nothing to be found.
    pub result: Result<Verification, String>,
    /// Where what came out here was left.
    pub new: Option<String>,
    /// How it differs in full, where nobody will look further on this machine.
    pub diagnosis: Option<Box<Diff>>,
    /// The command that was run, for a golden log.
    pub exec: Option<String>,
    /// The path of the list of programs in which it has its name.
    pub list: Option<String>,
    /// Whether there is no golden yet.
    pub is_missing: bool,
    /// The time that it took.
    pub seconds: f64,
}

impl VerifiedGolden {
    /// A golden that is called by its path, of which nothing else is known.
    pub fn new(name: String, mut result: Result<Verification, String>) -> Self {
        if let Ok(found) = &mut result {
            found.notes.iter_mut().for_each(name_program);
        }
        Self {
            golden: name.clone(),
            name,
            result,
            new: None,
            diagnosis: None,
            exec: None,
            list: None,
            is_missing: false,
            seconds: 0.0,
        }
    }

    /// The verdict; a file that cannot be read counts as damaged.
    pub fn verdict(&self) -> Verdict {
        self.result.as_ref().map_or(Verdict::Damaged, |found| found.verdict)
    }

    /// What a file with the verdict `damaged` is, for people.
    fn fault(&self) -> &'static str {
        match &self.result {
            Err(_) => "unreadable",
            Ok(found) if found.kind != GoldenKind::Other => "damaged",
            Ok(_) if self.exec.is_some() => "not a log",
            Ok(_) => "not a replay",
        }
    }

    /// Whether equal runs differ from each other, and nothing worse is known.
    fn is_race(&self) -> bool {
        self.result.as_ref().is_ok_and(|found| found.verdict == Verdict::Diverged && found.repeats == Some(false))
    }

    /// What is said of the verdict `failed`, for people.
    const fn failure(&self) -> &'static str {
        if self.is_missing { "no golden" } else { "failed" }
    }

    /// What a replay that holds does not guard.
    fn warnings(&self) -> &[String] {
        self.result.as_ref().map_or(&[], |found| found.warnings.as_slice())
    }

    /// That faults are planted in the replay, where they are: nothing that holds there holds of a plain run.
    fn planted(&self) -> Option<String> {
        let faults = self.result.as_ref().map_or(&[][..], |found| found.planted.as_slice());
        planted_text(faults)
    }

    /// How to learn more of a first difference whose field is not named. Of a log the notes say it.
    fn how_to_find_out(&self) -> Option<String> {
        let found = self.result.as_ref().ok().filter(|found| found.kind == GoldenKind::Replay)?;
        let unnamed = found.first.as_ref().filter(|first| first.field.is_none())?;
        Some(how_to_find_out(unnamed.step))
    }

    /// Why the golden does not hold, and what else there is to say, a sentence each. Whatever they quote, each is one line.
    fn sentences(&self) -> Vec<String> {
        let sentences = match &self.result {
            Err(error) => vec![error.clone()],
            Ok(found) => {
                let mut sentences: Vec<String> = found.damage.iter().cloned().collect();
                if let (Verdict::Damaged, None, Some(steps)) = (found.verdict, &found.first, found.steps) {
                    sentences.push(format!("what is sound of it holds: steps 0 to {steps}"));
                }
                let mut place: Vec<String> = found.first.as_ref().map(one_line).into_iter().collect();
                place.extend(self.how_to_find_out());
                let (failure, notes) = failure_and_notes(found);
                sentences.extend(failure.iter().cloned().chain(place).chain(notes.iter().cloned()));
                sentences.extend(self.planted());
                sentences
            }
        };
        sentences.iter().map(|sentence| printable(sentence)).collect()
    }

    /// What the difference in full has beyond what is said of it anyway; empty where nothing is known.
    fn diagnosis_text(&self) -> String {
        let Some(diff) = self.diagnosis.as_deref() else { return String::new() };
        let said = self.result.as_ref().map_or(&[][..], |found| found.notes.as_slice());
        let further = diff.notes.iter().filter(|note| !said.contains(note));
        let text = further.fold(diff::details(diff), |text, note| format!("{text}note: {}\n", printable(note)));
        if text.is_empty() { text } else { format!("in full, with a as recorded and b as this run:\n{text}") }
    }
}

/// That a program does not repeat, and how its runs came out.
const NOTES_OF_A_RACE: usize = 2;

/// Lets a note that proposes a command name this very program, as all other proposals do.
fn name_program(note: &mut String) {
    if let Some(rest) = note.strip_prefix("next: physim ") {
        *note = format!("next: {}", command(rest));
    }
}

/// What failed, where a program did, and that it does not repeat, with how its runs came out; and what else there is to say. The former
/// comes first: a difference is what was printed before, and one that does not come again is not what is to be looked for.
fn failure_and_notes(found: &Verification) -> (&[String], &[String]) {
    let of_race = if found.runs.is_empty() { 0 } else { NOTES_OF_A_RACE };
    let first = usize::from(found.verdict == Verdict::Failed) + of_race;
    found.notes.split_at(first.min(found.notes.len()))
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// A JSON object on a line for each golden.
    Json,
    /// A JUnit report in XML.
    Junit,
    /// Annotations for GitHub.
    Github,
}

/// The widest name that others are aligned with: beyond it, a line is long enough on its own.
const WIDEST_COLUMN: usize = 120;

/// Turns results into text as they come.
pub struct Reporter {
    format: Format,
    /// The width of the widest name, as it is shown.
    width: usize,
    passed: usize,
    failed: usize,
    shard: Option<String>,
    suite: junit::Suite,
}

impl Reporter {
    /// A reporter of goldens with these names.
    pub fn new(format: Format, names: &[String], shard: Option<String>) -> Self {
        let widths = names.iter().map(|name| printable(name).width()).filter(|width| *width <= WIDEST_COLUMN);
        let width = widths.max().unwrap_or(0);
        Self { format, width, passed: 0, failed: 0, shard, suite: junit::Suite::new() }
    }

    /// Takes the next golden; gives back what can be written now.
    pub fn add(&mut self, golden: &VerifiedGolden) -> String {
        if golden.verdict() == Verdict::Same {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
        match self.format {
            Format::Text => text::golden(golden, self.width),
            Format::Json => json::golden(golden),
            Format::Github => github::golden(golden),
            Format::Junit => {
                self.suite.add(golden);
                String::new()
            }
        }
    }

    /// What is written at the end, after so much time.
    pub fn finish(self, elapsed: Duration) -> String {
        match self.format {
            Format::Text => text::total(self.passed, self.failed, self.shard.as_deref()),
            Format::Github => github::total(self.passed, self.failed, self.shard.as_deref()),
            Format::Json => String::new(),
            Format::Junit => self.suite.finish(elapsed),
        }
    }
}
