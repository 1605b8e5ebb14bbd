//! The report of `physim accept`: what a new golden changes.

use crate::analysis::Verdict;
use crate::analysis::compare_checkpoints::Basis;
use crate::analysis::diff::settings::SettingDifference;
use crate::analysis::golden::GoldenChange;
use serde::Serialize;

use crate::report::difference::{DifferenceJson, one_line};
use crate::report::json::line;
use crate::report::number::count;
use crate::report::style::{FAINT, GOOD, TITLE, WARNING, printable};
use crate::report::table::Table;
use crate::report::verify::planted_text;

/// A golden and its new result.
pub struct Candidate<'a> {
    /// The path of the golden.
    pub golden: &'a str,
    /// The path of the new result.
    pub new: &'a str,
    /// What became of it.
    pub outcome: Outcome<'a>,
}

/// What became of a new result.
pub enum Outcome<'a> {
    /// It may not take the golden's place, and why.
    Refused(&'a str),
    /// It stays beside the golden.
    Left {
        /// What would change.
        change: &'a GoldenChange,
        /// The reason the golden carries.
        before: Option<&'a str>,
    },
    /// It is the golden now.
    Accepted {
        /// What changed.
        change: &'a GoldenChange,
        /// The reason the golden carried.
        before: Option<&'a str>,
        /// The reason it carries now.
        reason: &'a str,
    },
}

/// What would change, for people.
pub fn text(candidate: &Candidate<'_>) -> String {
    let (Outcome::Left { change, before } | Outcome::Accepted { change, before, .. }) = &candidate.outcome else {
        return String::new();
    };
    let mut table = Table::indented(2);
    for SettingDifference { key, a, b } in &change.diff.settings {
        let shown = |value: &str| if value.is_empty() { "none".to_owned() } else { printable(value) };
        table.labelled(key, format!("{} -> {}", shown(a), shown(b)));
    }
    for changed in &change.counts {
        let change = format!("{} -> {}", count(changed.before), count(changed.after));
        table.labelled(&printable(&changed.name), change);
    }
    let mut text = format!("{}\n", TITLE.paint(printable(candidate.golden)));
    match &change.diff.first {
        _ if change.is_first => text.push_str("  there is no golden yet\n"),
        Some(first) => text.push_str(&format!("  {}\n", printable(&one_line(first)))),
        None if change.diff.verdict == Verdict::Diverged => {}
        None => text.push_str(&format!("  {}\n", Basis::same_text(&change.diff.bases))),
    }
    if change.diff.first.is_none() {
        change.diff.notes.iter().for_each(|note| text.push_str(&format!("  {}\n", printable(note))));
    }
    text.push_str(&table.render());
    for lost in &change.less {
        text.push_str(&format!("  {} it no longer tells {}\n", WARNING.paint("warning:"), printable(lost)));
    }
    if let Some(planted) = planted_text(&change.planted) {
        text.push_str(&format!("  {} {}\n", WARNING.paint("warning:"), printable(&planted)));
    }
    if let Some(before) = before {
        text.push_str(&format!("  {} {}\n", FAINT.paint("the reason of its last change:"), printable(before)));
    }
    text
}

/// What became of it, for people.
pub fn answer(candidate: &Candidate<'_>) -> String {
    match &candidate.outcome {
        Outcome::Accepted { .. } => format!("  {}\n", GOOD.paint("accepted")),
        Outcome::Left { .. } => format!("  left in {}\n", printable(candidate.new)),
        Outcome::Refused(_) => String::new(),
    }
}

#[derive(Serialize)]
struct CandidateJson<'a> {
    schema: u32,
    replay: &'a str,
    new: &'a str,
    accepted: bool,
    refused: Option<&'a str>,
    verdict: Option<&'static str>,
    settings: Option<Vec<ChangeJson<'a>>>,
    first: Option<DifferenceJson<'a>>,
    counts: Option<Vec<CountJson<'a>>>,
    reason: Option<&'a str>,
    reason_before: Option<&'a str>,
    planted: &'a [String],
    less: &'a [String],
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    key: &'static str,
    a: &'a str,
    b: &'a str,
}

#[derive(Serialize)]
struct CountJson<'a> {
    name: &'a str,
    a: u64,
    b: u64,
}

/// One golden for machines.
pub fn json(candidate: &Candidate<'_>) -> String {
    let (change, reason_before, reason, refused) = match &candidate.outcome {
        Outcome::Refused(refusal) => (None, None, None, Some(*refusal)),
        Outcome::Left { change, before } => (Some(*change), *before, None, None),
        Outcome::Accepted { change, before, reason } => (Some(*change), *before, Some(*reason), None),
    };
    let settings = change.map(|change| {
        let settings = change.diff.settings.iter();
        settings.map(|SettingDifference { key, a, b }| ChangeJson { key, a, b }).collect()
    });
    let counts = change.map(|change| {
        let counts = change.counts.iter();
        counts.map(|change| CountJson { name: &change.name, a: change.before, b: change.after }).collect()
    });
    line(&CandidateJson {
        schema: 1,
        replay: candidate.golden,
        new: candidate.new,
        accepted: reason.is_some(),
        refused,
        verdict: change.filter(|change| !change.is_first).map(|change| change.diff.verdict.name()),
        settings,
        first: change.and_then(|change| change.diff.first.as_ref()).map(DifferenceJson::from),
        counts,
        reason,
        reason_before,
        planted: change.map_or(&[], |change| change.planted.as_slice()),
        less: change.map_or(&[], |change| change.less.as_slice()),
    })
}
