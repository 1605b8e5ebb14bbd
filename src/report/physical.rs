//! The report of `physim diff --tolerance`.

use crate::analysis::Verdict;
use crate::analysis::tolerance::{Deviation, PhysicalDiff, Tolerance};
use serde::Serialize;

use crate::report::json::line;
use crate::report::number::{counted, short};
use crate::report::style::{BAD, FAINT, GOOD, TITLE, printable};
use crate::report::table::{Cell, Table};

/// Two replays and how far apart they are.
pub struct PhysicalReport<'a> {
    /// The path of the first.
    pub a: String,
    /// The path of the second.
    pub b: String,
    /// What counts as apart.
    pub tolerance: Tolerance,
    /// Whether one of them is damaged, so that they were compared as far as both are sound.
    pub is_damaged: bool,
    /// What was found.
    pub diff: &'a PhysicalDiff,
}

impl PhysicalReport<'_> {
    /// The verdict; damage comes first.
    pub fn verdict(&self) -> Verdict {
        match (self.is_damaged, self.diff.first.is_some() || self.diff.ends_differ) {
            (true, _) => Verdict::Damaged,
            (false, true) => Verdict::Diverged,
            (false, false) => Verdict::Same,
        }
    }
}

/// The report for people.
pub fn text(report: &PhysicalReport<'_>) -> String {
    let PhysicalReport { a, b, tolerance, diff, is_damaged: _ } = report;
    let mut table = Table::default();
    table.labelled("a", printable(a));
    table.labelled("b", printable(b));
    table.labelled("tolerance", format!("{} m, {} rad", short(tolerance.metres), short(tolerance.radians)));
    let mut found = Table::indented(2);
    for (what, deviation) in
        [("first beyond it", &diff.first), ("furthest apart", &diff.furthest), ("most turned", &diff.most_turned)]
    {
        if let Some(Deviation { step, body, metres, radians }) = deviation {
            found.row([
                Cell::text(what).painted(FAINT),
                Cell::text(printable(body)),
                Cell::text(format!("step {step}")),
                Cell::text(format!("{} m", short(*metres))),
                Cell::text(format!("{} rad", short(*radians))),
            ]);
        }
    }
    let verdict = match &diff.first {
        None if diff.ends_differ => {
            let steps = steps_text(diff);
            format!("{}: no body is further apart in {steps}, but the runs end differently", BAD.paint("apart"))
        }
        None => format!("{}: no body is further apart in {}", GOOD.paint("same"), steps_text(diff)),
        Some(first) => format!("{} at step {}", BAD.paint("apart"), first.step),
    };
    let notes: String =
        diff.notes.iter().map(|note| format!("{}: {}\n", FAINT.paint("note"), printable(note))).collect();
    format!("{}\n{}\n{}\n{verdict}\n{notes}", table.render(), TITLE.paint("in metres and radians"), found.render())
}

fn steps_text(diff: &PhysicalDiff) -> String {
    counted(u64::from(diff.steps), "step", "steps")
}

#[derive(Serialize)]
struct PhysicalJson<'a> {
    schema: u32,
    verdict: &'static str,
    tolerance: ToleranceJson,
    first: Option<DeviationJson<'a>>,
    furthest: Option<DeviationJson<'a>>,
    most_turned: Option<DeviationJson<'a>>,
    spread: Vec<SpreadJson>,
    steps: u32,
    a: &'a str,
    b: &'a str,
    notes: &'a [String],
}

#[derive(Serialize)]
struct ToleranceJson {
    metres: f64,
    radians: f64,
}

#[derive(Serialize)]
struct DeviationJson<'a> {
    step: u32,
    object: &'a str,
    metres: f64,
    radians: f64,
}

#[derive(Serialize)]
struct SpreadJson {
    step: u32,
    objects: usize,
}

impl<'a> From<&'a Deviation> for DeviationJson<'a> {
    fn from(found: &'a Deviation) -> Self {
        Self { step: found.step, object: &found.body, metres: found.metres, radians: found.radians }
    }
}

/// The report for machines.
pub fn json(report: &PhysicalReport<'_>) -> String {
    let PhysicalReport { a, b, tolerance, diff, is_damaged: _ } = report;
    line(&PhysicalJson {
        schema: 1,
        verdict: report.verdict().name(),
        tolerance: ToleranceJson { metres: tolerance.metres, radians: tolerance.radians },
        first: diff.first.as_ref().map(DeviationJson::from),
        furthest: diff.furthest.as_ref().map(DeviationJson::from),
        most_turned: diff.most_turned.as_ref().map(DeviationJson::from),
        spread: diff.beyond.iter().map(|&(step, objects)| SpreadJson { step, objects }).collect(),
        steps: diff.steps,
        a,
        b,
        notes: &diff.notes,
    })
}
