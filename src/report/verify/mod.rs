//! The report of `physim verify`, in each of its formats.

mod github;
mod json;
mod junit;
mod text;

use crate::analysis::Verdict;
use crate::analysis::verify::Verification;

use crate::report::difference::{how_to_find_out, one_line};

/// That a run has these planted faults; nothing where it has none.
pub fn planted_text(faults: &[String]) -> Option<String> {
    let what = if faults.len() == 1 { "a planted fault" } else { "planted faults" };
    (!faults.is_empty()).then(|| format!("recorded with {what}: {}", faults.join("  ")))
}

/// A replay and what verifying it found.
pub struct VerifiedReplay {
    /// Its path.
    pub name: String,
    /// What was found; or why there is nothing to be found.
    pub result: Result<Verification, String>,
    /// Where this build's own run was recorded.
    pub new: Option<String>,
}

impl VerifiedReplay {
    /// The verdict; a file that cannot be read counts as damaged.
    fn verdict(&self) -> Verdict {
        self.result.as_ref().map_or(Verdict::Damaged, |found| found.verdict)
    }

    /// What a file with the verdict `damaged` is, for people.
    fn fault(&self) -> &'static str {
        match &self.result {
            Err(_) => "unreadable",
            Ok(found) if found.is_replay => "damaged",
            Ok(_) => "not a replay",
        }
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

    /// Why the replay does not hold, and what else there is to say, a sentence each.
    fn sentences(&self) -> Vec<String> {
        match &self.result {
            Err(error) => vec![error.clone()],
            Ok(found) => {
                let mut sentences: Vec<String> = found.damage.iter().cloned().collect();
                if let (Verdict::Damaged, None, Some(steps)) = (found.verdict, &found.first, found.steps) {
                    sentences.push(format!("what is sound of it holds: steps 0 to {steps}"));
                }
                sentences.extend(found.first.as_ref().map(one_line));
                let unnamed = found.first.as_ref().filter(|first| first.field.is_none());
                sentences.extend(unnamed.map(|first| how_to_find_out(first.step)));
                sentences.extend(found.notes.iter().cloned());
                sentences.extend(self.planted());
                sentences
            }
        }
    }
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// A JSON object on a line for each replay.
    Json,
    /// A JUnit report in XML.
    Junit,
    /// Annotations for GitHub.
    Github,
}

/// Turns results into text as they come.
pub struct Reporter {
    format: Format,
    /// The width of the widest path.
    width: usize,
    passed: usize,
    failed: usize,
    shard: Option<String>,
    suite: junit::Suite,
}

impl Reporter {
    /// A reporter of replays with these names.
    pub fn new(format: Format, names: &[String], shard: Option<String>) -> Self {
        let width = names.iter().map(|name| unicode_width::UnicodeWidthStr::width(name.as_str())).max().unwrap_or(0);
        Self { format, width, passed: 0, failed: 0, shard, suite: junit::Suite::new() }
    }

    /// Takes the next replay; gives back what can be written now.
    pub fn add(&mut self, replay: &VerifiedReplay) -> String {
        if replay.verdict() == Verdict::Same {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
        match self.format {
            Format::Text => text::replay(replay, self.width),
            Format::Json => json::replay(replay),
            Format::Github => github::replay(replay),
            Format::Junit => {
                self.suite.add(replay);
                String::new()
            }
        }
    }

    /// What is written at the end.
    pub fn finish(self) -> String {
        match self.format {
            Format::Text => text::total(self.passed, self.failed, self.shard.as_deref()),
            Format::Github => github::total(self.passed, self.failed, self.shard.as_deref()),
            Format::Json => String::new(),
            Format::Junit => self.suite.finish(),
        }
    }
}
