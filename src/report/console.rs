//! The two streams: results on standard output, everything else on standard error.
//!
//! Texts come with terminal colours in them; a stream that is not to be coloured drops them.

use std::io::{ErrorKind, Stderr, Stdout, Write};

use anstream::{AutoStream, ColorChoice};

use crate::report::style;

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

    /// Writes an error, headed as one.
    pub fn error(&mut self, message: &str) {
        self.note(&format!("{}: {message}\n", style::ERROR.paint("error")));
    }

    /// Writes a warning, headed as one.
    pub fn warning(&mut self, message: &str) {
        self.note(&format!("{}: {message}\n", style::WARNING.paint("warning")));
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
