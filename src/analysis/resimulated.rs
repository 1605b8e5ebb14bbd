//! What simulating steps again changed, in a hash log that tells of steps more than once.

use crate::analysis::compare_checkpoints::compare_checkpoints;
use crate::analysis::outcome::{FirstDifference, OrderDifference, SideValue};
use crate::replay::{LogError, LogSource, Resimulation};

/// How often steps of a log were simulated again, the first difference that this made, and whether the log ends in the middle of it;
/// nothing where none was.
///
/// # Errors
/// When the log cannot be read.
pub fn rollback_notes(log: &LogSource) -> Result<Vec<String>, LogError> {
    let Some(resimulation) = log.resimulation() else { return Ok(Vec::new()) };
    let end = resimulation.ends_behind.map(|(last, highest)| {
        format!(
            "{}: it ends in the middle of a rollback: it went back from step {highest}, and the last step that it simulated \
             again is {last}; what it told of later steps does not count",
            log.name()
        )
    });
    Ok(change_note(log, resimulation)?.into_iter().chain(end).collect())
}

fn change_note(log: &LogSource, resimulation: &Resimulation) -> Result<Option<String>, LogError> {
    let (name, count) = (log.name(), resimulation.resimulated);
    if count == 0 {
        return Ok(None);
    }
    let times = if count == 1 {
        "1 step was simulated again".to_owned()
    } else {
        format!("{count} steps were simulated again")
    };
    let Some(changed) = resimulation.changed else {
        return Ok(Some(format!("{name}: {times}, with no change")));
    };
    let (before, again) = (log.told_from(changed.before)?, log.told_from(changed.again)?);
    let first = compare_checkpoints(&before, &again).first.map_or_else(String::new, |first| where_and_what(&first));
    Ok(Some(format!(
        "{name}: {times}; rollback changed step {} first, as line {} tells it and line {} tells it again{first}",
        changed.step, changed.before, changed.again
    )))
}

/// Place and values of a difference within a step: what became of what.
fn where_and_what(first: &FirstDifference) -> String {
    place_and_values(first, "became")
}

/// Place and values of a difference within a step, in words; between the values stands this word.
#[must_use]
pub fn place_and_values(first: &FirstDifference, between: &str) -> String {
    let mut parts = Vec::new();
    let places = [("stage", &first.stage), ("phase", &first.phase), ("section", &first.section)];
    parts.extend(places.into_iter().filter_map(|(what, place)| place.as_ref().map(|place| format!("{what} {place}"))));
    if let Some(field) = &first.field {
        parts.push(format!("object {}", field.object));
        parts.extend(field.field.as_ref().map(|path| format!("field {path}")));
        let value = |side: &Option<SideValue>| match side {
            None => "nothing".to_owned(),
            Some(SideValue { bits, value }) if bits.is_empty() => value.clone(),
            Some(SideValue { bits, value }) => format!("{value} [{bits}]"),
        };
        parts.push(format!("{} {between} {}", value(&field.a), value(&field.b)));
    }
    if let Some(OrderDifference { of, place, a, b, .. }) = &first.order {
        parts.push(format!("another order of the {}, first at place {place}: {a} {between} {b}", of.name()));
    }
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}
