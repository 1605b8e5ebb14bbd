//! What simulating steps again changed, in a hash log that tells of steps more than once.

use crate::analysis::compare_checkpoints::compare_checkpoints;
use crate::analysis::outcome::{FirstDifference, SideValue};
use crate::replay::{LogError, LogSource};

/// How often steps of a log were simulated again, and the first difference that this made; nothing where none was.
///
/// # Errors
/// When the log cannot be read.
pub fn rollback_note(log: &LogSource) -> Result<Option<String>, LogError> {
    let Some(resimulation) = log.resimulation().filter(|resimulation| resimulation.resimulated > 0) else {
        return Ok(None);
    };
    let (name, count) = (log.name(), resimulation.resimulated);
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

/// Place and values of a difference within a step.
fn where_and_what(first: &FirstDifference) -> String {
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
        parts.push(format!("{} became {}", value(&field.a), value(&field.b)));
    }
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) }
}
