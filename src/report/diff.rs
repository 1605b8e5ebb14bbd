//! The report of `physim diff`.

use crate::analysis::compare_checkpoints::Basis;
use crate::analysis::diff::Diff;
use crate::analysis::diff::settings::SettingDifference;
use crate::analysis::{Reached, Spread, Verdict};
use serde::Serialize;

use crate::report::difference::{DifferenceJson, detail_texts, first_text};
use crate::report::json::line;
use crate::report::number::{count, counted};
use crate::report::style::{BAD, FAINT, GOOD, TITLE, printable};
use crate::report::table::{Cell, Table};

/// Two replays and how they differ.
pub struct DiffReport<'a> {
    /// The path of the first.
    pub a: String,
    /// The path of the second.
    pub b: String,
    /// What was found.
    pub diff: &'a Diff,
}

/// The report for people: settings first, then the place, the values, how it spread, and the verdict.
pub fn text(report: &DiffReport<'_>) -> String {
    let DiffReport { a, b, diff } = report;
    let mut parts = vec![files_text(a, b)];
    if !diff.settings.is_empty() {
        parts.push(settings_text(&diff.settings));
    }
    if let Some(first) = &diff.first {
        parts.push(first_text(first));
        parts.extend(detail_texts(first));
    }
    if diff.spread.len() > 1 {
        parts.push(spread_text(diff));
    }
    if diff.path.len() > 1 {
        parts.push(path_text(&diff.path));
    }
    parts.push(verdict_text(diff));
    parts.join("\n")
}

/// What there is to say beyond the place and the values: settings, the other fields, how it spread.
pub fn details(diff: &Diff) -> String {
    let mut parts = Vec::new();
    if !diff.settings.is_empty() {
        parts.push(settings_text(&diff.settings));
    }
    parts.extend(diff.first.iter().flat_map(detail_texts));
    if diff.spread.len() > 1 {
        parts.push(spread_text(diff));
    }
    if diff.path.len() > 1 {
        parts.push(path_text(&diff.path));
    }
    parts.join("\n")
}

fn files_text(a: &str, b: &str) -> String {
    let mut table = Table::default();
    table.labelled("a", printable(a));
    table.labelled("b", printable(b));
    table.render()
}

fn settings_text(settings: &[SettingDifference]) -> String {
    let mut table = Table::indented(2);
    table.row(["", "a", "b"].map(|label| Cell::text(label).painted(FAINT)));
    let shown = |value: &str| Cell::text(if value.is_empty() { "none".to_owned() } else { printable(value) });
    for SettingDifference { key, a, b } in settings {
        table.row([Cell::text(*key).painted(FAINT), shown(a), shown(b)]);
    }
    format!("{}\n{}", TITLE.paint("settings that differ"), table.render())
}

/// Most rows of how a difference spread.
const MOST_ROWS: usize = 16;

/// Steps in which the same number of objects differ share a row.
fn spread_text(diff: &Diff) -> String {
    let mut table = Table::indented(2);
    table.row([Cell::number("step").painted(FAINT), Cell::number("objects that differ").painted(FAINT)]);
    let runs: Vec<&[Spread]> = diff.spread.chunk_by(|a, b| a.objects == b.objects).collect();
    for run in runs.iter().take(MOST_ROWS) {
        let [first, .., last] = run else {
            table.row([Cell::number(run[0].step.to_string()), Cell::number(objects_text(&run[0]))]);
            continue;
        };
        table.row([Cell::number(format!("{} to {}", first.step, last.step)), Cell::number(objects_text(first))]);
    }
    let more = runs.len().saturating_sub(MOST_ROWS);
    let more = if more > 0 { format!("  and {more} more rows; --format json has them all\n") } else { String::new() };
    format!("{}\n{}{more}", TITLE.paint("how it spread"), table.render())
}

fn objects_text(spread: &Spread) -> String {
    count(u64::try_from(spread.objects).unwrap_or(u64::MAX))
}

/// Most bodies whose way is listed.
const MOST_REACHED: usize = 12;

fn path_text(path: &[Reached]) -> String {
    let mut table = Table::indented(2);
    for reached in path.iter().take(MOST_REACHED) {
        let how = match (&reached.from, &reached.through) {
            (Some(from), Some(through)) => format!("from {} through {}", printable(from), printable(through)),
            _ if reached.step == path[0].step => "it began here".to_owned(),
            _ => "through nothing that touches it".to_owned(),
        };
        let step = Cell::number(reached.step.to_string());
        table.row([step, Cell::text(printable(&reached.body)), Cell::text(how)]);
    }
    let more = path.len().saturating_sub(MOST_REACHED);
    let more =
        if more > 0 { format!("  and {}\n", counted(more as u64, "more body", "more bodies")) } else { String::new() };
    format!("{}\n{}{more}", TITLE.paint("how it reached each body"), table.render())
}

fn verdict_text(diff: &Diff) -> String {
    let verdict = match (diff.verdict, &diff.first) {
        (Verdict::Same, _) if diff.notes.is_empty() => {
            format!("{}: {}", GOOD.paint("same"), Basis::same_text(&diff.bases))
        }
        (Verdict::Same, _) => format!("{}: nothing that both tell of differs", GOOD.paint("same")),
        (Verdict::Diverged, Some(first)) if diff.last_same.is_some_and(|same| same + 1 < first.step) => {
            let same = diff.last_same.unwrap_or(0);
            format!("{}: the same at step {same}, not at step {}", BAD.paint("diverged"), first.step)
        }
        (Verdict::Diverged, Some(first)) => {
            format!("{} at step {}{}", BAD.paint("diverged"), first.step, course_text(diff))
        }
        (Verdict::Diverged, None) => BAD.paint("diverged"),
        (Verdict::OtherSemantics, _) => {
            format!("{}: the results differ on purpose between these versions", BAD.paint("other semantics"))
        }
        (Verdict::Failed, _) => {
            format!("{}: nothing that both tell alike differs, but not all could be compared", BAD.paint("cannot say"))
        }
        (Verdict::Damaged, Some(first)) => {
            format!("{}; the sound parts differ at step {}", BAD.paint("damaged"), first.step)
        }
        (Verdict::Damaged, None) => format!("{}; the sound parts are the same", BAD.paint("damaged")),
    };
    let notes: String =
        diff.notes.iter().map(|note| format!("{}: {}\n", FAINT.paint("note"), printable(note))).collect();
    format!("{verdict}\n{notes}")
}

/// What became of the difference, as far as that is known.
fn course_text(diff: &Diff) -> String {
    match (diff.healed_at, diff.spread.last()) {
        (Some(step), _) => format!("; healed: the same again from step {step} on"),
        (None, Some(last)) if diff.spread.len() > 1 => {
            let objects = counted(last.objects as u64, "object differs", "objects differ");
            let steps = counted(u64::from(last.step.saturating_sub(diff.spread[0].step)), "more step", "more steps");
            format!("; after {steps} {objects}")
        }
        _ => String::new(),
    }
}

/// The JSON of a comparison; the first five keys are the contract of schema 1.
#[derive(Serialize)]
struct DiffJson<'a> {
    schema: u32,
    verdict: &'static str,
    settings: Vec<SettingJson<'a>>,
    first: Option<DifferenceJson<'a>>,
    spread: Vec<SpreadJson>,
    a: &'a str,
    b: &'a str,
    notes: &'a [String],
    path: Vec<ReachedJson<'a>>,
    healed_at: Option<u32>,
    last_same: Option<u32>,
}

#[derive(Serialize)]
struct ReachedJson<'a> {
    step: u32,
    body: &'a str,
    from: Option<&'a str>,
    through: Option<&'a str>,
}

impl<'a> From<&'a Reached> for ReachedJson<'a> {
    fn from(reached: &'a Reached) -> Self {
        let Reached { step, body, from, through } = reached;
        Self { step: *step, body, from: from.as_deref(), through: through.as_deref() }
    }
}

#[derive(Serialize)]
struct SettingJson<'a> {
    key: &'static str,
    a: &'a str,
    b: &'a str,
}

impl<'a> From<&'a SettingDifference> for SettingJson<'a> {
    fn from(setting: &'a SettingDifference) -> Self {
        Self { key: setting.key, a: &setting.a, b: &setting.b }
    }
}

#[derive(Serialize)]
struct SpreadJson {
    step: u32,
    objects: usize,
}

/// The report for machines.
pub fn json(report: &DiffReport<'_>) -> String {
    let DiffReport { a, b, diff } = report;
    line(&DiffJson {
        schema: 1,
        verdict: diff.verdict.name(),
        settings: diff.settings.iter().map(SettingJson::from).collect(),
        first: diff.first.as_ref().map(DifferenceJson::from),
        spread: diff.spread.iter().map(|spread| SpreadJson { step: spread.step, objects: spread.objects }).collect(),
        a,
        b,
        notes: &diff.notes,
        path: diff.path.iter().map(ReachedJson::from).collect(),
        healed_at: diff.healed_at,
        last_same: diff.last_same,
    })
}
