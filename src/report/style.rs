//! The few colours there are.

use std::fmt::Display;

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

/// A name from a file on one line of a terminal: control characters are made visible, and what ends a line or turns the
/// direction of writing.
pub fn printable(name: &str) -> String {
    if !name.chars().any(is_to_be_shown) {
        return name.to_owned();
    }
    name.chars().map(|c| if is_to_be_shown(c) { c.escape_debug().to_string() } else { c.to_string() }).collect()
}

/// Whether a character does something to the text around it.
fn is_to_be_shown(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
