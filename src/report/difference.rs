//! A first difference, as `verify` and `diff` report it.

use physim::analysis::{FieldDifference, FirstDifference, SideValue};
use serde::Serialize;

use crate::report::style::{BAD, printable};
use crate::report::table::{Cell, Table};

/// The JSON of a first difference; what is not known is `null`.
#[derive(Serialize)]
pub struct DifferenceJson<'a> {
    step: u32,
    stage: Option<&'static str>,
    section: Option<&'a str>,
    object: Option<&'a str>,
    field: Option<&'a str>,
    a: Option<SideJson<'a>>,
    b: Option<SideJson<'a>>,
    ulps: Option<u64>,
    seen_at: Option<u32>,
}

#[derive(Serialize)]
struct SideJson<'a> {
    bits: Option<&'a str>,
    value: &'a str,
}

impl<'a> From<&'a FirstDifference> for DifferenceJson<'a> {
    fn from(first: &'a FirstDifference) -> Self {
        let field = first.field.as_ref();
        let side = |value: Option<&'a SideValue>| {
            value.map(|value| SideJson {
                bits: Some(value.bits.as_str()).filter(|bits| !bits.is_empty()),
                value: value.value.as_str(),
            })
        };
        Self {
            step: first.step,
            stage: first.stage,
            section: first.section.as_deref(),
            object: field.map(|field| field.object.as_str()),
            field: field.and_then(|field| field.field.as_deref()),
            a: side(field.and_then(|field| field.a.as_ref())),
            b: side(field.and_then(|field| field.b.as_ref())),
            ulps: field.and_then(|field| field.ulps),
            seen_at: first.seen_at,
        }
    }
}

/// The rows that say where it is.
pub fn place_rows(first: &FirstDifference, table: &mut Table) {
    table.labelled("step", first.step.to_string());
    if let Some(stage) = first.stage {
        table.labelled("stage", stage);
    }
    if let Some(section) = &first.section {
        table.labelled("section", section.as_str());
    }
    let Some(field) = &first.field else { return };
    // A keyframe behind the step may show another section first.
    if first.section.as_deref() != Some(field.section) {
        table.labelled("seen in", field.section);
    }
    table.labelled("object", printable(&field.object));
    if let Some(path) = &field.field {
        table.labelled("field", path.as_str());
    }
    if let Some(seen_at) = first.seen_at.filter(|seen_at| *seen_at != first.step) {
        table.labelled("seen at", format!("the keyframe of step {seen_at}, later than the difference itself"));
    }
}

/// Both values with their bits, one above the other, and what lies between them.
pub fn value_rows(field: &FieldDifference, names: [&str; 2], table: &mut Table) {
    for (name, side) in names.into_iter().zip([&field.a, &field.b]) {
        let label = Cell::text(name).painted(crate::report::style::FAINT);
        match side {
            None => table.row([label, Cell::text("does not have it").painted(BAD)]),
            Some(SideValue { bits, value }) if bits.is_empty() => {
                table.row([label, Cell::text(printable(value)).painted(BAD)]);
            }
            Some(SideValue { bits, value }) => {
                table.row([label, Cell::number(bits.as_str()).painted(BAD), Cell::text(value.as_str())]);
            }
        }
    }
    if let Some(ulps) = field.ulps {
        table.labelled("distance", ulps_text(ulps));
    }
}

/// A distance between two numbers.
pub fn ulps_text(ulps: u64) -> String {
    crate::report::number::counted(ulps, "ulp", "ulps")
}

/// The difference on one line, as far as it is known.
pub fn one_line(first: &FirstDifference) -> String {
    let mut text = format!("first difference at step {}", first.step);
    if let Some(stage) = first.stage {
        text.push_str(&format!(", stage {stage}"));
    }
    if let Some(section) = &first.section {
        text.push_str(&format!(", section {section}"));
    }
    let Some(field) = &first.field else { return text };
    text.push_str(&format!(", object {}", printable(&field.object)));
    match (&field.field, &field.a, &field.b) {
        (Some(path), Some(a), Some(b)) => {
            text.push_str(&format!(", field {path}: {} is now {}", value_text(a), value_text(b)));
        }
        (Some(path), ..) => text.push_str(&format!(", field {path}")),
        (None, Some(_), _) => text.push_str(", which is missing now"),
        (None, ..) => text.push_str(", which is new"),
    }
    if let Some(ulps) = field.ulps {
        text.push_str(&format!(" ({})", ulps_text(ulps)));
    }
    if let Some(seen_at) = first.seen_at.filter(|seen_at| *seen_at != first.step) {
        text.push_str(&format!(", as seen at the keyframe of step {seen_at}"));
    }
    text
}

fn value_text(side: &SideValue) -> String {
    if side.bits.is_empty() { printable(&side.value) } else { format!("{} [{}]", side.value, side.bits) }
}
