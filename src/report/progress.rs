//! How far a command has come, on a terminal only.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use unicode_width::UnicodeWidthChar;

use crate::report::number::{count, duration};
use crate::report::style::printable;

/// The shortest time between two drawings.
const BETWEEN_DRAWINGS: Duration = Duration::from_millis(100);
/// What a line may take: a narrow terminal must not wrap it.
const MAX_COLUMNS: usize = 78;
/// The length of the bar.
const BAR_COLUMNS: u64 = 24;
/// Goes to the start of the line and empties it.
const CLEAR_LINE: &str = "\r\x1b[2K";

/// A line on standard error that says how much is done; nothing where that is not a terminal. It may be told from several
/// threads.
pub struct Progress {
    total: u64,
    unit: &'static str,
    /// Nothing where there is nobody to see it.
    line: Option<Mutex<Line>>,
}

/// What the line shows.
struct Line {
    start: Instant,
    drawn: Option<Instant>,
    done: u64,
    message: String,
}

impl Progress {
    /// Progress towards `total` things called `unit`.
    pub fn new(total: u64, unit: &'static str) -> Self {
        let line = std::io::stderr()
            .is_terminal()
            .then(|| Mutex::new(Line { start: now(), drawn: None, done: 0, message: String::new() }));
        Self { total, unit, line }
    }

    /// So many are done.
    pub fn reached(&self, done: u64) {
        self.change(|line| line.done = done);
    }

    /// Says what is being done, where there is anybody to see it.
    pub fn say(&self, message: impl FnOnce() -> String) {
        self.change(|line| line.message = message());
    }

    /// Writes while the line is out of the way.
    pub fn suspend(&self, write: impl FnOnce()) {
        let Some(line) = &self.line else { return write() };
        let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
        line.clear();
        write();
    }

    /// Takes the line off the terminal.
    pub fn finish(&self) {
        self.suspend(|| {});
    }

    /// Changes what the line shows, and draws it when the last drawing is long enough ago.
    fn change(&self, change: impl FnOnce(&mut Line)) {
        let Some(line) = &self.line else { return };
        let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now();
        let is_due = now.duration_since(line.drawn.unwrap_or(line.start)) >= BETWEEN_DRAWINGS;
        change(&mut line);
        if is_due {
            line.drawn = Some(now);
            let text = line.text(self.total, self.unit, now.duration_since(line.start));
            write_error(&format!("{CLEAR_LINE}{text}"));
        }
    }
}

impl Line {
    fn clear(&mut self) {
        if self.drawn.is_some() {
            write_error(CLEAR_LINE);
        }
    }

    fn text(&self, total: u64, unit: &str, elapsed: Duration) -> String {
        let filled = (self.done.saturating_mul(BAR_COLUMNS)).checked_div(total).unwrap_or(0).min(BAR_COLUMNS);
        let bar: String = (0..BAR_COLUMNS).map(|column| if column < filled { '=' } else { ' ' }).collect();
        let mut text = format!("[{bar}] {}/{} {unit}", count(self.done), count(total));
        if self.done > 0 {
            #[expect(clippy::cast_precision_loss, reason = "an estimate for people")]
            let left = elapsed.as_secs_f64() * (total.saturating_sub(self.done) as f64 / self.done as f64);
            text.push_str(&format!(", {} left", duration(left)));
        }
        if !self.message.is_empty() {
            text.push_str(&format!("  {}", self.message));
        }
        shortened(&text)
    }
}

/// As much of a text as fits one line, with names in it as everywhere else: nothing in them moves the cursor or turns the writing round.
fn shortened(text: &str) -> String {
    let mut columns = 0;
    let text = printable(text);
    let fits = |letter: &char| {
        columns += letter.width().unwrap_or(0);
        columns <= MAX_COLUMNS
    };
    text.chars().take_while(fits).collect()
}

fn write_error(text: &str) {
    // When standard error is gone there is nobody left to tell.
    let mut stream = anstream::stderr().lock();
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}

#[expect(clippy::disallowed_methods, reason = "decides when the line is drawn; no result depends on it")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Line, MAX_COLUMNS, now, shortened};

    #[test]
    fn the_line_says_how_much_is_done_and_left() {
        let line = Line { start: now(), drawn: None, done: 1500, message: "a.mcap: step 3 of 9".to_owned() };
        let text = line.text(3000, "steps", Duration::from_secs(5));
        assert_eq!(text, "[============            ] 1 500/3 000 steps, 5.00 s left  a.mcap: step 3 of 9");
        let line = Line { done: 0, message: String::new(), ..line };
        assert_eq!(line.text(0, "steps", Duration::ZERO), "[                        ] 0/0 steps");
    }

    #[test]
    fn a_line_never_wraps() {
        assert_eq!(shortened(&"a".repeat(200)).len(), MAX_COLUMNS);
        assert_eq!(shortened(&"日".repeat(200)).chars().count(), MAX_COLUMNS / 2);
        assert_eq!(shortened("a\nb\x1b[2K\u{202e}c"), "a\\nb\\u{1b}[2K\\u{202e}c");
    }
}
