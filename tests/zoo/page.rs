//! The table of the zoo, and its place in the documentation.

use std::fmt::Write;
use std::path::Path;

use crate::examine::Row;

/// The page with the table.
const PAGE: &str = "docs/determinism.md";
/// What stands before the table in the page, and after it.
const MARKERS: [&str; 2] = ["<!-- zoo: begin -->\n", "<!-- zoo: end -->\n"];

/// What stands behind the name of a bug that strikes by chance.
const CHANCE: &str = " (chance)";

/// All rows as Markdown, with what was missed below.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| bug | kind | `verify` | `stress` | `bisect` | step | stage | object | cause | `minimize` |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for Row { name, kind, chance, verify, stress, bisect, minimize, marks, .. } in rows {
        let chance = if *chance { CHANCE } else { "" };
        let [step, stage, object, cause] = [marks.step, marks.stage, marks.object, marks.cause].map(|mark| mark.word());
        let _ = writeln!(
            text,
            "| `{name}`{chance} | {kind} | {verify} | {stress} | {bisect} | {step} | {stage} | {object} | {cause} | {minimize} |"
        );
    }
    let right = rows.iter().filter(|row| row.is_right()).count();
    let _ = writeln!(text, "\n{right} of {} have nothing wrong or empty.", rows.len());
    for row in rows.iter().filter(|row| !row.is_right()) {
        let misses: Vec<&str> = row.marks.misses.iter().map(String::as_str).collect();
        let _ = writeln!(text, "- `{}`{}: {}", row.name, if row.chance { CHANCE } else { "" }, misses.join("; "));
    }
    text
}

/// What is wrong in each bug, in a sentence.
pub fn legend(rows: &[Row]) -> String {
    rows.iter().fold(String::from("\n"), |text, Row { name, wrong, .. }| text + &format!("- `{name}`: {wrong}\n"))
}

/// Holds what was missed to the page, which tells of every miss; or writes the table there.
///
/// Which rows of `stress` show a bug, and how much is withheld, depends on what the budget allowed on this machine, and is not
/// compared. Of a bug that strikes by chance only what is wrong counts, not what was not seen this time.
pub fn check(rows: &[Row], table: &str, writes: bool) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).map_err(|error| format!("{PAGE}: {error}"))?;
    let [start, end] = MARKERS.map(|marker| page.find(marker));
    let (Some(start), Some(end)) = (start.map(|start| start + MARKERS[0].len()), end) else {
        return Err(format!("{PAGE} has no place for the table"));
    };
    if writes {
        let text = [&page[..start], table, &page[end..]].concat();
        return std::fs::write(&path, text).map_err(|error| format!("{PAGE}: {error}"));
    }
    let told = without_digits(&page[start..end]);
    let mut untold = Vec::new();
    for row in rows {
        if !told.contains(&without_digits(&format!("| `{}`", row.name))) {
            untold.push(format!("{} is not on the page", row.name));
        }
        let misses = row.marks.misses.iter().filter(|miss| !row.chance || miss.contains(" wrong "));
        let new = misses.filter(|miss| !told.contains(&without_digits(miss)));
        untold.extend(new.map(|miss| format!("{}: {miss}", row.name)));
    }
    if untold.is_empty() {
        return Ok(());
    }
    Err(format!("{PAGE} does not tell of these misses; PHYSIM_WRITE_DOCS=1 writes it anew:\n{}", untold.join("\n")))
}

/// A text without what differs from run to run.
fn without_digits(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}
