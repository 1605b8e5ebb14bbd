//! Verified goldens as annotations that GitHub shows beside the files.

use crate::analysis::Verdict;

use crate::report::style::printable;
use crate::report::verify::VerifiedGolden;

/// One golden: an error when it does not hold, a warning when it holds in vain, else nothing.
pub fn golden(golden: &VerifiedGolden) -> String {
    let verdict = golden.verdict();
    let (level, what, message) = match verdict {
        Verdict::Same => match (golden.planted(), golden.warnings()) {
            (None, []) => return String::new(),
            (None, warnings) => ("warning", "guards too little".to_owned(), warnings.join("\n")),
            (Some(planted), warnings) => {
                let sentences: Vec<String> = std::iter::once(planted).chain(warnings.iter().cloned()).collect();
                ("warning", "has a planted fault".to_owned(), sentences.join("\n"))
            }
        },
        Verdict::Failed => ("error", golden.failure().to_owned(), golden.sentences().join("\n")),
        _ if golden.is_race() => ("error", "does not repeat".to_owned(), golden.sentences().join("\n")),
        _ => ("error", verdict.name().replace('_', " "), golden.sentences().join("\n")),
    };
    let of_program = if golden.list.is_some() { format!("{}: ", golden.name) } else { String::new() };
    let (file, title) = (property(&golden.golden), property(&format!("physim verify: {of_program}{what}")));
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

/// A value among the properties of an annotation. A name that would do something to the log is shown as everywhere else: no file
/// is found by it, and the message still names it.
fn property(text: &str) -> String {
    escaped(&printable(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{escaped, property};

    #[test]
    fn nothing_ends_an_annotation_early() {
        assert_eq!(escaped("100%\r\nof a: b, c"), "100%25%0D%0Aof a: b, c");
        assert_eq!(property("a:b,c%"), "a%3Ab%2Cc%25");
        assert_eq!(property("a\n\u{202e}"), "a\\n\\u{202e}");
    }
}
