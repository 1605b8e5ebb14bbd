//! The report of `physim minimize`, and the comment in the scene that it writes.

use std::path::Path;

use crate::analysis::lockstep::{LockstepOutcome, Side};
use crate::analysis::minimize::Minimised;
use crate::analysis::minimize::repeated::Tally;
use serde::Serialize;

use crate::report::json::line;
use crate::report::number::{count, counted, duration};
use crate::report::program::command;
use crate::report::style::{FAINT, TITLE, printable};
use crate::report::table::Table;

/// How every scene begins that the command writes.
pub const MARK: &str = "// By `physim minimize`";

/// How large a scene is.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Size {
    /// Bodies at step 0.
    pub bodies: usize,
    /// Steps.
    pub steps: u32,
}

/// What a scene shows.
pub enum Shown {
    /// Two runs that diverge.
    Divergence {
        /// Where.
        outcome: LockstepOutcome,
        /// How each is run.
        conditions: [String; 2],
    },
    /// A command that ends with this status.
    Status {
        /// The status.
        status: i32,
    },
}

/// A search and what came of it.
pub struct MinimizeReport<'a> {
    /// The file of the whole scene.
    pub from: &'a str,
    /// How large that is.
    pub from_size: Size,
    /// The file of the smallest scene.
    pub to: &'a Path,
    /// How large that is.
    pub to_size: Size,
    /// What was found.
    pub found: &'a Minimised,
    /// What it shows.
    pub shown: Shown,
    /// In how many runs of the smallest scene, where each scene had several.
    pub repeat: Option<Tally>,
    /// The commands that show it again.
    pub commands: Vec<String>,
    /// Whether the search went on from where another one had stopped.
    pub was_resumed: bool,
    /// How long it took.
    pub seconds: f64,
}

impl Size {
    fn words(self) -> String {
        let bodies = counted(self.bodies as u64, "body", "bodies");
        format!("{bodies} and {}", counted(u64::from(self.steps), "step", "steps"))
    }
}

impl Shown {
    fn words(&self) -> String {
        match self {
            Self::Status { status } => format!("the command ends with status {status}"),
            Self::Divergence { outcome, .. } => match outcome {
                LockstepOutcome::At { step } => format!("two runs first differ at step {step}"),
                LockstepOutcome::Stopped { step, sides } => {
                    let stopped = sides.iter().map(|(side, message)| format!("{} stops: {message}", letter(*side)));
                    format!("two runs diverge in step {step}: {}", stopped.collect::<Vec<_>>().join("; "))
                }
                LockstepOutcome::Same { .. } | LockstepOutcome::Interrupted { .. } => "two runs that agree".to_owned(),
            },
        }
    }

    fn conditions(&self) -> &[String] {
        match self {
            Self::Divergence { conditions, .. } => conditions,
            Self::Status { .. } => &[],
        }
    }

    const fn step(&self) -> Option<u32> {
        match self {
            Self::Divergence { outcome, .. } => outcome.step(),
            Self::Status { .. } => None,
        }
    }
}

impl MinimizeReport<'_> {
    /// What it shows, and how often.
    fn shows(&self) -> String {
        let often = self.repeat.map(|Tally { runs, shown }| format!(", in {shown} of {runs} runs"));
        self.shown.words() + &often.unwrap_or_default()
    }
}

const fn letter(side: Side) -> &'static str {
    match side {
        Side::A => "a",
        Side::B => "b",
    }
}

/// The comment at the head of the scene: what it shows, how to see it, how it came to be.
pub fn comment(report: &MinimizeReport<'_>) -> String {
    let head = format!("{MARK}, from {} ({}).\n", printable(report.from), report.from_size.words());
    let mut lines = vec![format!("It shows: {}.", report.shows())];
    let sides = report.shown.conditions().iter().zip(["a", "b"]);
    lines.extend(sides.map(|(condition, side)| format!("  {side}: {condition}")));
    let is_rare = report.repeat.is_some_and(|tally| tally.shown < tally.runs);
    lines.push(if is_rare { "To see it, once or more often:" } else { "To see it:" }.to_owned());
    lines.extend(report.commands.iter().map(|command| format!("  {command}")));
    let start = report.found.best.start;
    if start > 0 {
        lines.push(format!(
            "It begins where the whole run is after step {}, and is simpler from there.",
            count(start.into())
        ));
    }
    lines.push(how(report));
    head + &lines.iter().map(|line| format!("// {}\n", printable(line))).collect::<String>()
}

/// How much was tried, and whether that was enough.
fn how(report: &MinimizeReport<'_>) -> String {
    let tests = counted(report.found.tests, "test", "tests");
    if report.found.was_ended {
        format!("Found in {tests}; the budget ended the search, so there may be a smaller one.")
    } else {
        format!("Found in {tests}; nothing more of what is tried can be taken away.")
    }
}

/// The report for people.
pub fn text(report: &MinimizeReport<'_>) -> String {
    let mut table = Table::indented(2);
    table.labelled("from", format!("{}, {}", report.from, report.from_size.words()));
    table.labelled("shows", printable(&report.shows()));
    for (condition, side) in report.shown.conditions().iter().zip(["a", "b"]) {
        table.labelled(side, printable(condition));
    }
    table.labelled("tests", format!("{} in {}", count(report.found.tests), duration(report.seconds)));
    let title = TITLE.paint(printable(&report.to.display().to_string()));
    let named = |line: &String| line.strip_prefix("physim ").map_or_else(|| line.clone(), command);
    let commands: String = report.commands.iter().map(|line| format!("  {}\n", printable(&named(line)))).collect();
    let more = if report.found.was_ended {
        format!("{} the budget ended the search; the same command goes on from here\n", FAINT.paint("note:"))
    } else {
        String::new()
    };
    let resumed = if report.was_resumed { " (resumed)" } else { "" };
    let size = report.to_size.words();
    format!("{title}: {size}{resumed}\n{}{}\n{commands}{more}", table.render(), FAINT.paint("to see it:"))
}

#[derive(Serialize)]
struct MinimizeJson<'a> {
    schema: u32,
    from: &'a str,
    from_size: Size,
    to: String,
    to_size: Size,
    step: Option<u32>,
    status: Option<i32>,
    shows: String,
    repeat: Option<TallyJson>,
    conditions: &'a [String],
    commands: &'a [String],
    start: u32,
    tests: u64,
    budget_ended: bool,
    resumed: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct TallyJson {
    runs: u32,
    shown: u32,
}

/// The report for machines.
pub fn json(report: &MinimizeReport<'_>) -> String {
    line(&MinimizeJson {
        schema: 1,
        from: report.from,
        from_size: report.from_size,
        to: report.to.display().to_string(),
        to_size: report.to_size,
        step: report.shown.step(),
        status: match report.shown {
            Shown::Status { status } => Some(status),
            Shown::Divergence { .. } => None,
        },
        shows: report.shows(),
        repeat: report.repeat.map(|Tally { runs, shown }| TallyJson { runs, shown }),
        conditions: report.shown.conditions(),
        commands: &report.commands,
        start: report.found.best.start,
        tests: report.found.tests,
        budget_ended: report.found.was_ended,
        resumed: report.was_resumed,
        seconds: report.seconds,
    })
}
