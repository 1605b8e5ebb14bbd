//! The report of `physim diff` on more than two recordings.

use crate::analysis::Verdict;
use crate::analysis::diff::Diff;
use crate::analysis::majority::{Majority, Standing};
use serde::Serialize;

use crate::report::difference::{DifferenceJson, detail_texts, first_text};
use crate::report::json::line;
use crate::report::style::{BAD, FAINT, GOOD, printable};
use crate::report::table::{Cell, Table};

/// Several recordings and how they compare.
pub struct MajorityReport<'a> {
    /// Their paths.
    pub names: &'a [String],
    /// What was found.
    pub found: &'a Majority,
    /// Two of them, by their places, and how these differ: one of most, and the first that diverges.
    pub closer: Option<(usize, usize, Diff)>,
}

impl MajorityReport<'_> {
    fn name(&self, place: usize) -> &str {
        self.names.get(place).map_or("", String::as_str)
    }

    /// The paths of those that most agree with; nothing where no group is the largest.
    fn majority(&self) -> Option<Vec<&str>> {
        let places = 0..self.names.len();
        let held: Vec<&str> = places.filter(|&place| self.found.agrees(place)).map(|place| self.name(place)).collect();
        (self.found.split.is_none() && !self.found.ends_are_split && !held.is_empty()).then_some(held)
    }

    /// The notes of both comparisons.
    fn notes(&self) -> Vec<&str> {
        let closer = self.closer.iter().flat_map(|(.., diff)| &diff.notes);
        let further = closer.filter(|note| !self.found.notes.contains(note));
        self.found.notes.iter().chain(further).map(String::as_str).collect()
    }
}

/// The report for people: how each came out, and how the first that diverges does.
pub fn text(report: &MajorityReport<'_>) -> String {
    let mut table = Table::default();
    for (place, standing) in report.found.standings.iter().enumerate() {
        let how = match (standing.diverges_at, standing.ends_after) {
            (Some(step), _) => Cell::text(format!("diverges at step {step}")).painted(BAD),
            (None, Some(step)) if report.found.split.is_some() => {
                Cell::text(format!("{}, ends after step {step}", group_text(report, place)))
            }
            (None, Some(step)) => Cell::text(format!("ends after step {step}")).painted(BAD),
            (None, None) if report.found.unshared.contains(&place) => {
                Cell::text("no step is in another one").painted(BAD)
            }
            (None, None) => Cell::text(group_text(report, place)),
        };
        table.row([Cell::text(printable(report.name(place))), how]);
    }
    let mut parts = vec![table.render()];
    if let Some((a, b, diff)) = &report.closer {
        let mut sides = Table::default();
        sides.labelled("a", printable(report.name(*a)));
        sides.labelled("b", printable(report.name(*b)));
        parts.push(sides.render());
        parts.extend(diff.first.iter().map(first_text));
        parts.extend(diff.first.iter().flat_map(detail_texts));
    }
    let notes = report.notes().into_iter().map(|note| format!("{}: {}\n", FAINT.paint("note"), printable(note)));
    parts.push(format!("{}\n{}", verdict_text(report), notes.collect::<String>()));
    parts.join("\n")
}

/// In which group one is that did not diverge from most.
fn group_text(report: &MajorityReport<'_>, place: usize) -> String {
    let Some((step, groups)) = &report.found.split else {
        return if report.found.agrees(place) { "the same" } else { "differs in nothing that could be compared" }
            .to_owned();
    };
    match groups.iter().find(|(member, _)| *member == place) {
        Some((_, group)) => format!("group {} at step {step}", group + 1),
        None => format!("tells too little of step {step} to belong to a group"),
    }
}

fn verdict_text(report: &MajorityReport<'_>) -> String {
    let found = report.found;
    let count = found.standings.len();
    if let Some((step, groups)) = &found.split {
        let different = groups.iter().map(|(_, group)| group + 1).max().unwrap_or(0);
        return format!(
            "{} at step {step} into {different} groups, none of which is the largest: nobody can be said to be right",
            BAD.paint("diverged")
        );
    }
    let odd: Vec<String> = found
        .standings
        .iter()
        .enumerate()
        .filter(|(_, standing)| !standing.holds())
        .map(|(place, _)| printable(report.name(place)))
        .collect();
    let held = (0..count).filter(|&place| found.agrees(place)).count();
    match found.verdict() {
        Verdict::Same if found.all_tell_all => format!("{}: all {count} agree in every step", GOOD.paint("same")),
        Verdict::Same => format!("{}: no two of {count} differ in a step that both tell of", GOOD.paint("same")),
        Verdict::Damaged if odd.is_empty() => format!("{}; the sound parts are the same", BAD.paint("damaged")),
        Verdict::Damaged => format!("{}; of the sound parts differ: {}", BAD.paint("damaged"), odd.join(", ")),
        Verdict::Failed => {
            format!("{}: nothing that they tell alike differs, but not all could be compared", BAD.paint("cannot say"))
        }
        _ if found.ends_are_split => format!(
            "{}: they end after different steps, none of which is that of most: nobody can be said to be right",
            BAD.paint("diverged")
        ),
        _ => format!("{}: {} of {count} agree; not {}", BAD.paint("diverged"), held, odd.join(", ")),
    }
}

/// The JSON of several recordings.
#[derive(Serialize)]
struct MajorityJson<'a> {
    schema: u32,
    verdict: &'static str,
    inputs: Vec<InputJson<'a>>,
    majority: Option<Vec<&'a str>>,
    a: Option<&'a str>,
    b: Option<&'a str>,
    first: Option<DifferenceJson<'a>>,
    notes: Vec<&'a str>,
}

#[derive(Serialize)]
struct InputJson<'a> {
    path: &'a str,
    diverges_at: Option<u32>,
    ends_after: Option<u32>,
    group: Option<usize>,
}

/// The report for machines.
pub fn json(report: &MajorityReport<'_>) -> String {
    let group_of = |place: usize| {
        let (_, groups) = report.found.split.as_ref()?;
        groups.iter().find(|(member, _)| *member == place).map(|(_, group)| group + 1)
    };
    let input = |(place, standing): (usize, &Standing)| InputJson {
        path: report.name(place),
        diverges_at: standing.diverges_at,
        ends_after: standing.ends_after,
        group: group_of(place),
    };
    let closer = report.closer.as_ref();
    line(&MajorityJson {
        schema: 1,
        verdict: report.found.verdict().name(),
        inputs: report.found.standings.iter().enumerate().map(input).collect(),
        majority: report.majority(),
        a: closer.map(|(a, ..)| report.name(*a)),
        b: closer.map(|(_, b, _)| report.name(*b)),
        first: closer.and_then(|(.., diff)| diff.first.as_ref()).map(DifferenceJson::from),
        notes: report.notes(),
    })
}
