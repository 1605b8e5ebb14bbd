//! Verified replays for people: a line each, and under it what does not hold.

use crate::analysis::Verdict;
use crate::analysis::verify::Verification;
use unicode_width::UnicodeWidthStr;

use crate::report::difference::{how_to_find_out, place_rows, value_rows};
use crate::report::program::command;
use crate::report::style::{BAD, FAINT, GOOD, WARNING, printable};
use crate::report::table::Table;
use crate::report::verify::VerifiedReplay;

/// The width of the longest word below.
const VERDICT_WIDTH: usize = "other semantics".len();

/// One replay.
pub fn replay(replay: &VerifiedReplay, width: usize) -> String {
    let (word, paint) = match replay.verdict() {
        Verdict::Same => ("same", GOOD),
        Verdict::Diverged => ("diverged", BAD),
        Verdict::OtherSemantics => ("other semantics", BAD),
        Verdict::Damaged => (replay.fault(), BAD),
    };
    let padding = " ".repeat(VERDICT_WIDTH - word.len());
    let name = printable(&replay.name);
    let name_padding = " ".repeat(width.saturating_sub(name.width()));
    let line = format!("{}{padding}  {name}{name_padding}  {}", paint.paint(word), summary(replay));
    let details: String = details(replay);
    format!("{}\n{details}", line.trim_end())
}

fn summary(replay: &VerifiedReplay) -> String {
    let Ok(found) = &replay.result else { return String::new() };
    let scalar = found.scalar.map_or("", |scalar| scalar.name());
    match (found.verdict, found.steps) {
        (Verdict::Same, Some(steps)) => {
            format!("{scalar:5}  {steps} {}{}", if steps == 1 { "step" } else { "steps" }, idle_threads(found))
        }
        _ => scalar.to_owned(),
    }
}

/// Says that threads were there and had nothing to share.
fn idle_threads(found: &Verification) -> &'static str {
    match &found.exercised {
        Some(done) if done.parallel_calls == 0 && done.threads.iter().any(|threads| *threads > 1) => {
            ", nothing in parallel"
        }
        _ => "",
    }
}

fn details(replay: &VerifiedReplay) -> String {
    let Ok(found) = &replay.result else { return sentences(&replay.sentences()) };
    let mut text = sentences(&found.damage.iter().cloned().collect::<Vec<_>>());
    if let (Verdict::Damaged, None, Some(steps)) = (found.verdict, &found.first, found.steps) {
        text.push_str(&sentences(&[format!("what is sound of it holds: steps 0 to {steps}")]));
    }
    if let Some(first) = &found.first {
        let mut place = Table::indented(4);
        place_rows(first, &mut place);
        text.push_str(&place.render());
        if let Some(field) = &first.field {
            let mut values = Table::indented(4);
            value_rows(field, ["recorded", "this run"], &mut values);
            text.push_str(&values.render());
        } else if !found.is_explained {
            text.push_str(&sentences(&[how_to_find_out(first.step)]));
        }
    }
    let warning = WARNING.paint("warning:");
    let warnings = found.warnings.iter().map(|sentence| format!("    {warning} {}\n", printable(sentence)));
    let planted = replay.planted().map(|planted| format!("    {warning} {}\n", printable(&planted)));
    text + &sentences(&found.notes.iter().map(|note| with_program(note)).collect::<Vec<_>>())
        + &planted.unwrap_or_default()
        + &warnings.collect::<String>()
}

/// A note whose proposal names this very program.
fn with_program(note: &str) -> String {
    note.strip_prefix("next: physim ").map_or_else(|| note.to_owned(), |rest| format!("next: {}", command(rest)))
}

fn sentences(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("    {}\n", printable(sentence))).collect()
}

/// The last line.
pub fn total(passed: usize, failed: usize, shard: Option<&str>) -> String {
    let shard = shard.map(|shard| FAINT.paint(format!("  ({shard})"))).unwrap_or_default();
    let count = |number: usize, word: &str| format!("{number} {word}");
    let passed = if passed > 0 { GOOD.paint(count(passed, "passed")) } else { count(passed, "passed") };
    let failed = if failed > 0 { BAD.paint(count(failed, "failed")) } else { count(failed, "failed") };
    format!("{passed}, {failed}{shard}\n")
}
