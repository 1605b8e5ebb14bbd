//! Verified goldens for people: a line each, and under it what does not hold.

use crate::analysis::Verdict;
use crate::analysis::verify::{GoldenKind, Verification};
use unicode_width::UnicodeWidthStr;

use crate::report::difference::{place_rows, value_rows};
use crate::report::style::{BAD, FAINT, GOOD, WARNING, printable};
use crate::report::table::Table;
use crate::report::verify::{VerifiedGolden, failure_and_notes};

/// All words for a verdict.
pub const VERDICT_WORDS: [&str; 9] = [
    "same",
    "diverged",
    "other semantics",
    "failed",
    "no golden",
    "damaged",
    "unreadable",
    "not a replay",
    "not a log",
];
/// The width of the longest of them.
const VERDICT_WIDTH: usize = "other semantics".len();
/// Where the names of goldens begin, in letters.
pub const VERDICT_COLUMN: usize = VERDICT_WIDTH + 2;

/// One golden.
pub fn golden(golden: &VerifiedGolden, width: usize) -> String {
    let (word, paint) = match golden.verdict() {
        Verdict::Same => ("same", GOOD),
        Verdict::Diverged => ("diverged", BAD),
        Verdict::OtherSemantics => ("other semantics", BAD),
        Verdict::Failed => (golden.failure(), BAD),
        Verdict::Damaged => (golden.fault(), BAD),
    };
    let padding = " ".repeat(VERDICT_WIDTH.saturating_sub(word.len()));
    let name = printable(&golden.name);
    let name_padding = " ".repeat(width.saturating_sub(name.width()));
    let line = format!("{}{padding}  {name}{name_padding}  {}", paint.paint(word), summary(golden));
    let details: String = details(golden);
    format!("{}\n{details}", line.trim_end())
}

fn summary(golden: &VerifiedGolden) -> String {
    let Ok(found) = &golden.result else { return String::new() };
    let of_log = if found.kind == GoldenKind::HashLog { "log" } else { "" };
    let scalar = found.scalar.map_or(of_log, |scalar| scalar.name());
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

fn details(golden: &VerifiedGolden) -> String {
    let Ok(found) = &golden.result else { return sentences(&golden.sentences()) };
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
            let sides = found.sides.as_ref().map_or(["recorded", "this run"], |[a, b]| [a, b]);
            value_rows(field, sides, &mut values);
            text.push_str(&values.render());
        } else if !found.is_explained {
            text.push_str(&sentences(&golden.how_to_find_out().into_iter().collect::<Vec<_>>()));
        }
    }
    let warning = WARNING.paint("warning:");
    let warnings = found.warnings.iter().map(|sentence| format!("    {warning} {}\n", printable(sentence)));
    let planted = golden.planted().map(|planted| format!("    {warning} {}\n", printable(&planted)));
    let (failure, notes) = failure_and_notes(found);
    let [failure, notes] = [failure, notes].map(sentences);
    failure
        + &text
        + &notes
        + &planted.unwrap_or_default()
        + &warnings.collect::<String>()
        + &indented(&golden.diagnosis_text())
}

/// A text of several lines below a golden.
fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("    {line}\n") }).collect()
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
