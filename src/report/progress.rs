//! How far a command has come, on a terminal only.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on standard error; nothing where that is no terminal.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar that counts to `total` things called `what`.
    pub fn new(total: u64, what: &str) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        let template = format!("{{bar:32}} {{pos}}/{{len}} {what}  {{per_sec}}  {{eta}} left  {{msg}}");
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("=> "));
        Self(bar)
    }

    /// So many are done.
    pub fn reached(&self, number: u64) {
        self.0.set_position(number);
    }

    /// Says what is being done, where there is anybody to see it.
    pub fn say(&self, message: impl FnOnce() -> String) {
        if !self.0.is_hidden() {
            self.0.set_message(message());
        }
    }

    /// Writes while the bar is out of the way.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.0.suspend(write);
    }

    /// Takes the bar off the terminal.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}
