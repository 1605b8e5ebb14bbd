//! The few colours there are.

use std::fmt::Display;

pub use crate::scene::printable::{is_to_be_shown, printable};

use anstyle::{AnsiColor, Style};

/// A way to set off a text on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint(Style);

/// Plain text.
pub const PLAIN: Paint = Paint(Style::new());
/// What a report is about.
pub const TITLE: Paint = Paint(Style::new().bold());
/// Labels and what matters less.
pub const FAINT: Paint = Paint(Style::new().dimmed());
/// It holds.
pub const GOOD: Paint = Paint(AnsiColor::Green.on_default().bold());
/// It does not hold.
pub const BAD: Paint = Paint(AnsiColor::Red.on_default().bold());
/// The head of an error.
pub const ERROR: Paint = BAD;
/// The head of a warning.
pub const WARNING: Paint = Paint(AnsiColor::Yellow.on_default().bold());

impl Paint {
    /// The text with the escape sequences around it; the bare text where there is nothing to set off.
    pub fn paint(self, text: impl Display) -> String {
        let Self(style) = self;
        if style.is_plain() { text.to_string() } else { format!("{style}{text}{style:#}") }
    }
}

/// A text without its colours, for a file.
pub fn without_colours(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}
