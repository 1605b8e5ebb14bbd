//! The report of `physim bisect`.

use crate::analysis::Verdict;
use crate::analysis::bisect::repetition::{DifferingRun, How, Repetition};
use crate::analysis::bisect::{Bisection, Change, Tried};
use serde::Serialize;

use crate::report::difference::{DifferenceJson, detail_texts, first_text};
use crate::report::json::line;
use crate::report::number::{count, counted};
use crate::report::style::{BAD, FAINT, GOOD, TITLE, printable};
use crate::report::table::{Cell, Table};

/// Most conditions that are listed to people, those that hold together.
const MOST_CONDITIONS: usize = 24;
/// Most runs that are listed to people, of those that differ from an equal one.
const MOST_DIFFERING: usize = 8;

/// What a search found, and what to do about it.
pub struct BisectReport<'a> {
    /// What was found.
    pub found: &'a Bisection,
    /// A command that goes on from here.
    pub next: Option<String>,
}

/// The report for people: what was tried, the smallest set, the first difference, the verdict and the next step.
pub fn text(report: &BisectReport<'_>) -> String {
    let BisectReport { found, next } = report;
    let mut parts = vec![conditions_text(&found.conditions)];
    if let Some(repetition) = found.not_repeating() {
        parts.push(repetition_text(repetition));
    }
    if let Some(smallest) = &found.smallest {
        parts.push(smallest_text(smallest));
    }
    if let Some(first) = &found.first {
        parts.push(first_text(first));
        parts.extend(detail_texts(first));
    }
    let mut last = verdict_text(found);
    found.notes.iter().for_each(|note| last.push_str(&format!("{}: {}\n", FAINT.paint("note"), printable(note))));
    if let Some(next) = next {
        last.push_str(&format!("{}: {}\n", FAINT.paint("next"), printable(next)));
    }
    parts.push(last);
    parts.join("\n")
}

fn conditions_text(conditions: &[Tried]) -> String {
    let mut table = Table::indented(2);
    // The last one tells why the search ended.
    let hidden = conditions.len().saturating_sub(MOST_CONDITIONS);
    for (number, tried) in conditions.iter().enumerate() {
        if (MOST_CONDITIONS - 1..MOST_CONDITIONS - 1 + hidden).contains(&number) {
            continue;
        }
        let verdict = match (tried.verdict, tried.parts_at, number) {
            (Verdict::Same, _, 0) => Cell::text("baseline").painted(FAINT),
            (Verdict::Same, ..) => Cell::text("same").painted(GOOD),
            (_, Some(step), _) => Cell::text(format!("diverges at step {step}")).painted(BAD),
            (verdict, None, _) => Cell::text(verdict.name().replace('_', " ")).painted(BAD),
        };
        let remark = Cell::text(tried.remark.as_deref().map(printable).unwrap_or_default());
        table.row([Cell::text(printable(&tried.name)), verdict, remark]);
    }
    let more =
        if hidden > 0 { format!("  and {} more that are the same\n", count(hidden as u64)) } else { String::new() };
    format!("{}\n{}{more}", TITLE.paint("conditions"), table.render())
}

/// What does not come out the same each time: which condition, how it was run, and where its runs differ.
fn repetition_text(repetition: &Repetition) -> String {
    let Repetition { condition, how, runs, differing } = repetition;
    let mut table = Table::indented(2);
    table.labelled("condition", printable(condition));
    table.labelled("run", how_text(*how));
    let differ = if differing.len() == 1 { "differs" } else { "differ" };
    table.labelled(
        "runs",
        format!("{} of {} {differ} from the first", differing.len(), counted((*runs).into(), "run", "runs")),
    );
    for DifferingRun { run, step } in differing.iter().take(MOST_DIFFERING) {
        table.labelled(&format!("run {run}"), format!("differs from step {step} on"));
    }
    let hidden = differing.len().saturating_sub(MOST_DIFFERING);
    let more = if hidden > 0 { format!("  and {} more\n", count(hidden as u64)) } else { String::new() };
    format!("{}\n{}{more}", TITLE.paint("does not repeat"), table.render())
}

const fn how_text(how: How) -> &'static str {
    match how {
        How::InProcess => "again in this process",
        How::AcrossProcesses => "again in a process of its own",
        How::AfterManyRestarts => "again in many processes, of which few differ",
    }
}

fn smallest_text(smallest: &[Change]) -> String {
    let mut table = Table::indented(2);
    for Change { axis, from, to } in smallest {
        table.row([
            Cell::text(printable(&format!("{axis}={to}"))),
            Cell::text(format!("instead of {}", printable(from))),
        ]);
    }
    format!("{}\n{}", TITLE.paint("smallest set that makes it diverge"), table.render())
}

fn verdict_text(found: &Bisection) -> String {
    let runs = match found.runs {
        0 => String::new(),
        runs => format!(" ({})", counted(runs, "run", "runs")),
    };
    let sides = match &found.sides {
        None => String::new(),
        Some([a, b]) => format!(": a is {}, b is {}", printable(a), printable(b)),
    };
    match (found.verdict, &found.first) {
        (Verdict::Same, _) => {
            let conditions = counted(found.conditions.len() as u64, "condition agrees", "conditions agree");
            format!("{}: {conditions} at every step{runs}\n", GOOD.paint("same"))
        }
        (Verdict::Diverged, Some(difference)) if found.not_repeating().is_some() => {
            let step = difference.step;
            format!("{}: equal runs differ at step {step}{sides}{runs}\n", BAD.paint("does not repeat"))
        }
        (Verdict::Diverged, Some(difference)) => {
            format!("{} at step {}{sides}{runs}\n", BAD.paint("diverged"), difference.step)
        }
        (Verdict::Diverged, None) => format!("{}{sides}{runs}\n", BAD.paint("diverged")),
        (Verdict::OtherSemantics, _) => {
            format!("{}: the results differ on purpose between these versions\n", BAD.paint("other semantics"))
        }
        (Verdict::Failed, _) => format!("{}: there is no run to compare\n", BAD.paint("failed")),
        (Verdict::Damaged, Some(difference)) => {
            format!("{}; the sound parts differ at step {}\n", BAD.paint("damaged"), difference.step)
        }
        (Verdict::Damaged, None) => format!("{}; the sound parts are the same\n", BAD.paint("damaged")),
    }
}

#[derive(Serialize)]
struct BisectJson<'a> {
    schema: u32,
    verdict: &'static str,
    conditions: Vec<TriedJson<'a>>,
    repeats: Option<RepetitionJson<'a>>,
    smallest: Option<Vec<ChangeJson<'a>>>,
    first: Option<DifferenceJson<'a>>,
    a: Option<&'a str>,
    b: Option<&'a str>,
    runs: u64,
    notes: &'a [String],
    next: Option<&'a str>,
}

#[derive(Serialize)]
struct TriedJson<'a> {
    name: &'a str,
    verdict: &'static str,
    parts_at: Option<u32>,
    remark: Option<&'a str>,
}

#[derive(Serialize)]
struct RepetitionJson<'a> {
    condition: &'a str,
    how: &'static str,
    runs: u32,
    differing: Vec<DifferingJson>,
}

#[derive(Serialize)]
struct DifferingJson {
    run: u32,
    step: u32,
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    axis: &'a str,
    from: &'a str,
    to: &'a str,
}

/// The report for machines.
pub fn json(report: &BisectReport<'_>) -> String {
    let BisectReport { found, next } = report;
    let Bisection { verdict, conditions, repeats, smallest, first, sides, runs, notes } = found;
    line(&BisectJson {
        schema: 1,
        verdict: verdict.name(),
        conditions: conditions.iter().map(TriedJson::from).collect(),
        repeats: repeats.as_ref().map(RepetitionJson::from),
        smallest: smallest.as_ref().map(|smallest| smallest.iter().map(ChangeJson::from).collect()),
        first: first.as_ref().map(DifferenceJson::from),
        a: sides.as_ref().map(|[a, _]| a.as_str()),
        b: sides.as_ref().map(|[_, b]| b.as_str()),
        runs: *runs,
        notes,
        next: next.as_deref(),
    })
}

impl<'a> From<&'a Tried> for TriedJson<'a> {
    fn from(tried: &'a Tried) -> Self {
        let Tried { name, verdict, parts_at, remark } = tried;
        Self { name, verdict: verdict.name(), parts_at: *parts_at, remark: remark.as_deref() }
    }
}

impl<'a> From<&'a Repetition> for RepetitionJson<'a> {
    fn from(repetition: &'a Repetition) -> Self {
        let Repetition { condition, how, runs, differing } = repetition;
        let differing = differing.iter().map(|DifferingRun { run, step }| DifferingJson { run: *run, step: *step });
        Self { condition, how: how.name(), runs: *runs, differing: differing.collect() }
    }
}

impl<'a> From<&'a Change> for ChangeJson<'a> {
    fn from(change: &'a Change) -> Self {
        let Change { axis, from, to } = change;
        Self { axis, from, to }
    }
}
