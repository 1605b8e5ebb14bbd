//! The report of `physim bench`.

mod comparison;

use std::path::Path;

use crate::analysis::benchmark::comparison::Comparison;
use crate::analysis::benchmark::statistics::Milliseconds;
use crate::analysis::benchmark::{Benchmark, CaseResult, Machine, Part};
use serde::Serialize;

use crate::report::json::line;
use crate::report::number::{count, counted, short};
use crate::report::style::{FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};

/// Digits of a hash that a table shows.
const HASH_DIGITS: usize = 12;

/// A benchmark and what it is compared with.
pub struct BenchReport<'a> {
    /// What was measured.
    pub benchmark: &'a Benchmark,
    /// The file of the earlier result, if there is one.
    pub earlier: Option<&'a Path>,
    /// The comparison with it.
    pub compared: Option<&'a Comparison>,
    /// The file the result was written to, if it was.
    pub output: Option<&'a Path>,
}

/// The report for people.
pub fn text(report: &BenchReport<'_>) -> String {
    let mut table = Table::indented(2);
    table.row(headings());
    report.benchmark.cases.iter().for_each(|case| table.row(row(case)));
    let mut text = format!("{}\n{}", title(report.benchmark), table.render());
    if let (Some(compared), Some(file)) = (report.compared, report.earlier) {
        text.push_str(&comparison::text(compared, file));
    }
    if let Some(path) = report.output {
        text.push_str(&format!("{} {}\n", FAINT.paint("written:"), printable(&path.display().to_string())));
    }
    text
}

fn title(benchmark: &Benchmark) -> String {
    let Benchmark { build, machine, settings, .. } = benchmark;
    let rounds = match settings.rounds {
        1 => "one round".to_owned(),
        rounds => format!("medians of {rounds} interleaved rounds"),
    };
    let threads = counted(u64::from(settings.threads), "thread", "threads");
    let warm_up = match settings.warm_up {
        0 => "no warm-up".to_owned(),
        1 => "the first step not counted".to_owned(),
        steps => format!("the first {} steps not counted", count(u64::from(steps))),
    };
    let kind = if build.release { "release" } else { "debug" };
    format!(
        "{}: {rounds}, {threads}, {warm_up}\n  {}",
        TITLE.paint("ms per step"),
        FAINT.paint(format!(
            "physim {}, semantics {}, {kind} build; {}",
            build.version,
            build.semantics,
            machine_text(machine)
        ))
    )
}

fn machine_text(machine: &Machine) -> String {
    let Machine { system, architecture, processor, threads } = machine;
    let processor = processor.as_ref().map(|name| format!(", {}", printable(name))).unwrap_or_default();
    format!("{system} {architecture}{processor}, {}", counted(u64::from(*threads), "core", "cores"))
}

/// What a part is called at the head of its column.
const fn heading(part: Part) -> &'static str {
    match part {
        Part::Step => "step",
        Part::BroadPhase => "broad",
        Part::NarrowPhase => "narrow",
        Part::Colouring => "colouring",
        Part::Solve => "solve",
        Part::Other => "other",
        Part::Hash => "hash",
        Part::Record => "record",
    }
}

fn headings() -> impl Iterator<Item = Cell> {
    let front = [Cell::text("scene"), Cell::text("scalar")].into_iter();
    let front = front.chain(["steps", "bodies", "contacts"].map(Cell::number));
    let parts = Part::ALL.into_iter().flat_map(|part| {
        let spread = (part == Part::Step).then(|| Cell::text("min..max"));
        [Some(Cell::number(heading(part))), spread].into_iter().flatten()
    });
    front.chain(parts).chain([Cell::text("final hash")]).map(|cell| cell.painted(FAINT))
}

fn row(result: &CaseResult) -> impl Iterator<Item = Cell> {
    let CaseResult { case, bodies, contacts, hash, milliseconds } = result;
    let front = [Cell::text(printable(&case.scene)), Cell::text(printable(&case.scalar))].into_iter();
    let numbers = [u64::from(case.steps), *bodies as u64, *contacts as u64];
    let front = front.chain(numbers.map(|number| Cell::number(count(number))));
    let parts = Part::ALL.into_iter().flat_map(|part| {
        let time = milliseconds.get(&part);
        let spread = |time: &Milliseconds| format!("{}..{}", fine(time.min), fine(time.max));
        let median = time.map(|time| fine(time.median)).unwrap_or_default();
        let spread = (part == Part::Step).then(|| Cell::text(time.map(spread).unwrap_or_default()));
        [Some(Cell::number(median)), spread].into_iter().flatten()
    });
    let parts: Vec<Cell> = parts.collect();
    front.chain(parts).chain([Cell::text(hash.get(..HASH_DIGITS).unwrap_or(hash).to_owned())])
}

/// A time in milliseconds, to the microsecond.
fn fine(milliseconds: f64) -> String {
    if milliseconds < 1000.0 { format!("{milliseconds:.3}") } else { short(milliseconds) }
}

#[derive(Serialize)]
struct BenchJson<'a> {
    #[serde(flatten)]
    benchmark: &'a Benchmark,
    compare: Option<CompareJson<'a>>,
}

#[derive(Serialize)]
struct CompareJson<'a> {
    file: String,
    #[serde(flatten)]
    comparison: &'a Comparison,
}

/// The report for machines, which is also what a later benchmark can be compared with.
pub fn json(benchmark: &Benchmark, earlier: Option<&Path>, compared: Option<&Comparison>) -> String {
    let compare =
        earlier.zip(compared).map(|(path, comparison)| CompareJson { file: path.display().to_string(), comparison });
    line(&BenchJson { benchmark, compare })
}
