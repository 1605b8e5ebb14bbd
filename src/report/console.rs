//! The two streams: results on standard output, everything else on standard error.
//!
//! Texts come with terminal colours in them; a stream that is not to be coloured drops them.

use std::fmt::Display;
use std::io::{ErrorKind, Stderr, Stdout, Write};

use anstream::{AutoStream, ColorChoice};

use crate::report::style::{self, printable};

/// Where a command writes.
///
/// Whoever reads the results may leave at any time (`physim show ... | head`): what follows is then dropped, and the
/// command still ends with its own status. Any other failure to write is kept for [`finish`](Self::finish).
pub struct Console {
    results: AutoStream<Stdout>,
    notes: AutoStream<Stderr>,
    /// Whether standard output is taken by a replay, so that results go to standard error.
    results_are_notes: bool,
    failure: Option<std::io::Error>,
}

impl Console {
    /// The console of this process.
    pub fn new(colour: ColorChoice) -> Self {
        Self {
            results: AutoStream::new(std::io::stdout(), colour),
            notes: AutoStream::new(std::io::stderr(), colour),
            results_are_notes: false,
            failure: None,
        }
    }

    /// From now on standard output belongs to a replay; results go to standard error.
    pub const fn give_up_standard_output(&mut self) {
        self.results_are_notes = true;
    }

    /// Writes a result.
    pub fn result(&mut self, text: &str) {
        if self.results_are_notes {
            self.note(text);
        } else if self.failure.is_none() {
            let written = self.results.write_all(text.as_bytes()).and_then(|()| self.results.flush());
            self.failure = written.err();
        }
    }

    /// Whether results still reach somebody.
    pub const fn takes_results(&self) -> bool {
        self.failure.is_none()
    }

    /// Writes what is no result. When standard error is gone there is nobody left to tell.
    pub fn note(&mut self, text: &str) {
        let _ = self.notes.write_all(text.as_bytes()).and_then(|()| self.notes.flush());
    }

    /// Writes an error, headed as one, on one line.
    pub fn error(&mut self, message: &str) {
        self.note(&headed(style::ERROR.paint("error"), message));
    }

    /// Writes a warning, headed as one, on one line.
    pub fn warning(&mut self, message: &str) {
        self.note(&headed(style::WARNING.paint("warning"), message));
    }

    /// Whether all results were written, or their reader left of its own will; otherwise says what went wrong.
    pub fn finish(&mut self) -> bool {
        match self.failure.take().filter(|failure| failure.kind() != ErrorKind::BrokenPipe) {
            None => true,
            Some(failure) => {
                self.error(&format!("cannot write to standard output: {failure}"));
                false
            }
        }
    }
}

/// A message below its head. Any message may quote a file that somebody else made: what would move the cursor, or begin a
/// line that a CI service takes for a command, is made visible.
fn headed(head: impl Display, message: &str) -> String {
    format!("{head}: {}\n", printable(message))
}

#[cfg(test)]
mod tests {
    use super::headed;

    #[test]
    fn a_message_is_one_line_whatever_it_quotes() {
        let message = "a.mcap: the run stopped: \x1b[2J\r\n::error::forged\u{9b}31m \u{202e}dessap";
        let shown = headed("warning", message);
        assert_eq!(
            shown,
            "warning: a.mcap: the run stopped: \\u{1b}[2J\\r\\n::error::forged\\u{9b}31m \\u{202e}dessap\n"
        );
    }
}
