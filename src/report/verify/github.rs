//! Verified replays as annotations that GitHub shows beside the files.

use crate::analysis::Verdict;

use crate::report::verify::VerifiedReplay;

/// One replay: an error when it does not hold, a warning when it holds in vain, else nothing.
pub fn replay(replay: &VerifiedReplay) -> String {
    let verdict = replay.verdict();
    let (level, what, message) = match verdict {
        Verdict::Same => match (replay.planted(), replay.warnings()) {
            (None, []) => return String::new(),
            (None, warnings) => ("warning", "guards too little".to_owned(), warnings.join("\n")),
            (Some(planted), warnings) => {
                let sentences: Vec<String> = std::iter::once(planted).chain(warnings.iter().cloned()).collect();
                ("warning", "has a planted fault".to_owned(), sentences.join("\n"))
            }
        },
        _ => ("error", verdict.name().replace('_', " "), replay.sentences().join("\n")),
    };
    let (file, title) = (property(&replay.name), property(&format!("physim verify: {what}")));
    format!("::{level} file={file},title={title}::{}\n", escaped(&message))
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
