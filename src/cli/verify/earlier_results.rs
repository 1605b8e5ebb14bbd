//! Whether a file holds the results of an earlier run, which may be replaced: nothing else may, however it begins.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::report::verify::{Format, VERDICT_COLUMN, VERDICT_WORDS};

/// How much of the end of a file is looked at for the line of totals.
const END_BYTES: u64 = 4096;
/// How much of a JUnit report comes before its first golden, at most.
const HEAD_BYTES: u64 = 1024;
/// The longest line of results that is read.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// Whether a file holds results in this format, or nothing.
pub fn holds_results(path: &Path, format: Format) -> bool {
    let Ok(length) = std::fs::metadata(path).map(|metadata| metadata.len()) else { return false };
    let holds = match format {
        Format::Json => every_line(path, is_json_result),
        Format::Junit => is_junit_report(path),
        Format::Text => ends_in_totals(path) && first_line(path).is_some_and(|line| is_text_result(&line)),
        Format::Github => ends_in_totals(path) && every_line(path, |line| is_annotation(line) || is_total(line)),
    };
    length == 0 || holds
}

/// Whether all lines of a file are of one kind.
fn every_line(path: &Path, is_ours: impl Fn(&str) -> bool) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut file = BufReader::new(file);
    loop {
        let mut line = Vec::new();
        match file.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) => return true,
            Ok(_) if std::str::from_utf8(&line).is_ok_and(|line| is_ours(line.trim_end())) => {}
            _ => return false,
        }
    }
}

fn first_line(path: &Path) -> Option<String> {
    let mut line = String::new();
    BufReader::new(File::open(path).ok()?).take(MAX_LINE_BYTES).read_line(&mut line).ok()?;
    Some(line)
}

/// The end of a file.
fn end_of(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(END_BYTES))).ok()?;
    let mut end = Vec::new();
    file.take(END_BYTES).read_to_end(&mut end).ok()?;
    Some(String::from_utf8_lossy(&end).into_owned())
}

fn ends_in_totals(path: &Path) -> bool {
    end_of(path).is_some_and(|end| end.lines().next_back().is_some_and(is_total))
}

/// `2 passed, 1 failed`, with a shard behind it or not.
fn is_total(line: &str) -> bool {
    let is_number = |text: &str| text.parse::<u64>().is_ok();
    let Some((passed, rest)) = line.split_once(" passed, ") else { return false };
    let Some((failed, shard)) = rest.split_once(" failed") else { return false };
    let is_shard = shard.trim_start().starts_with("(shard ") && shard.ends_with(')');
    is_number(passed) && is_number(failed) && (shard.is_empty() || is_shard)
}

/// A verdict in its column, and the name of a golden behind it; of no golden at all there are only totals.
fn is_text_result(line: &str) -> bool {
    let (word, rest) = line.split_at_checked(VERDICT_COLUMN).unwrap_or((line, ""));
    let is_verdict = VERDICT_WORDS.contains(&word.trim_end()) && word.ends_with("  ") && !rest.starts_with(' ');
    is_verdict || (line.starts_with("0 passed, 0 failed") && is_total(line.trim_end()))
}

/// Keys that a verified golden has had since there are any, in which it differs from what other commands print.
#[derive(Deserialize)]
struct GoldenKeys {
    schema: u32,
    #[serde(rename = "replay")]
    _replay: String,
    verdict: String,
    #[serde(rename = "steps")]
    _steps: IgnoredAny,
    #[serde(rename = "notes")]
    _notes: Vec<IgnoredAny>,
    #[serde(rename = "warnings")]
    _warnings: Vec<IgnoredAny>,
}

fn is_json_result(line: &str) -> bool {
    const VERDICTS: [&str; 5] = ["same", "diverged", "other_semantics", "failed", "damaged"];
    let read = serde_json::from_str::<GoldenKeys>(line);
    read.is_ok_and(|golden| golden.schema == 1 && VERDICTS.contains(&golden.verdict.as_str()))
}

fn is_annotation(line: &str) -> bool {
    let kinds = ["::error file=", "::warning file="];
    kinds.iter().any(|kind| line.starts_with(kind)) && line.contains(",title=physim verify%3A ")
}

/// An XML text whose suites are those of this command, from its first element to its last.
fn is_junit_report(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    let suites = ["<testsuites name=\"physim\" ", "<testsuite name=\"physim verify\" "];
    read.is_ok()
        && head.starts_with("<?xml ")
        && suites.iter().all(|suite| head.contains(suite))
        && end_of(path).is_some_and(|end| end.trim_end().ends_with("</testsuites>"))
}
