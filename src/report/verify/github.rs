//! Verified replays as annotations that GitHub shows beside the files.

use physim::analysis::Verdict;

use crate::report::verify::VerifiedReplay;

/// One replay: an annotation when it does not hold, nothing when it does.
pub fn replay(replay: &VerifiedReplay) -> String {
    let verdict = replay.verdict();
    if verdict == Verdict::Same {
        return String::new();
    }
    let title = format!("physim verify: {}", verdict.name().replace('_', " "));
    let message = replay.sentences().join("\n");
    format!("::error file={},title={}::{}\n", property(&replay.name), property(&title), escaped(&message))
}

/// The last line.
pub fn total(passed: usize, failed: usize, shard: Option<&str>) -> String {
    let shard = shard.map(|shard| format!(" ({shard})")).unwrap_or_default();
    format!("{passed} passed, {failed} failed{shard}\n")
}

/// A message on one line, as the runner wants it.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value among the properties of an annotation.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{escaped, property};

    #[test]
    fn nothing_ends_an_annotation_early() {
        assert_eq!(escaped("100%\r\nof a: b, c"), "100%25%0D%0Aof a: b, c");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
    }
}
