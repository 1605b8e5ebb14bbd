//! A table as comma-separated text (RFC 4180): a row for each body and step.

use std::io::Write;

use crate::analysis::states::StateVisitor;
use crate::export::body_table::{columns, numbers};
use crate::export::selection::Selection;
use crate::export::{ExportError, Exporter};
use crate::math::Scalar;
use crate::replay::{Header, Replay};
use crate::scene::printable::{is_to_be_shown, printable};
use crate::world::World;

/// Writes the bodies of each state as rows.
pub struct CsvExporter<'a, W> {
    header: &'a Header,
    selection: &'a Selection,
    sink: W,
    /// The rows of one state.
    text: Vec<u8>,
}

impl<'a, W: Write> CsvExporter<'a, W> {
    /// Writes the line of column names.
    ///
    /// # Errors
    /// When the stream cannot be written.
    pub fn new(replay: &'a Replay, selection: &'a Selection, mut sink: W) -> Result<Self, ExportError> {
        let names: Vec<&str> = ["step", "time", "body"].into_iter().chain(columns()).collect();
        writeln!(sink, "{}", names.join(","))?;
        Ok(Self { header: &replay.header, selection, sink, text: Vec::new() })
    }
}

impl<W: Write> StateVisitor for CsvExporter<'_, W> {
    type Error = ExportError;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), ExportError> {
        let (bodies, step) = (world.bodies(), world.step_number());
        let mut moment = Vec::new();
        push_moment(step, self.header.seconds(step), &mut moment);
        self.text.clear();
        for index in self.selection.indices(bodies) {
            self.text.extend_from_slice(&moment);
            push_cell(&bodies.name[index], &mut self.text);
            for number in numbers(bodies, index) {
                self.text.push(b',');
                number.write_decimal(&mut self.text);
            }
            self.text.push(b'\n');
        }
        Ok(self.sink.write_all(&self.text)?)
    }
}

impl<W: Write> Exporter<W> for CsvExporter<'_, W> {
    fn finish(mut self) -> Result<W, ExportError> {
        self.sink.flush()?;
        Ok(self.sink)
    }
}

/// Appends the cells of step and time, with the comma after them.
pub(super) fn push_moment(step: u32, seconds: f64, text: &mut Vec<u8>) {
    text.extend_from_slice(itoa::Buffer::new().format(step).as_bytes());
    text.push(b',');
    seconds.write_decimal(text);
    text.push(b',');
}

/// Appends a text as one cell. What does something to the text around it, or hides in it, is shown as in quotes on a terminal.
pub fn push_cell(cell: &str, text: &mut Vec<u8>) {
    if cell.chars().any(is_to_be_shown) {
        return push_plain_cell(&printable(cell), text);
    }
    push_plain_cell(cell, text);
}

/// Appends a text without control characters as one cell.
fn push_plain_cell(cell: &str, text: &mut Vec<u8>) {
    if !cell.contains([',', '"']) {
        return text.extend_from_slice(cell.as_bytes());
    }
    text.push(b'"');
    for byte in cell.bytes() {
        if byte == b'"' {
            text.push(b'"');
        }
        text.push(byte);
    }
    text.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::push_cell;

    #[test]
    fn cells_keep_their_commas_and_quotes_and_stay_on_one_line() {
        let cell = |text: &str| {
            let mut bytes = Vec::new();
            push_cell(text, &mut bytes);
            String::from_utf8(bytes).expect("text")
        };
        assert_eq!(cell("ball"), "ball");
        assert_eq!(cell("wall[3,4]"), "\"wall[3,4]\"");
        assert_eq!(cell("a\"b"), "\"a\"\"b\"");
        assert_eq!(cell("a\nb\r"), "a\\nb\\r");
        assert_eq!(cell("a\u{202e},\u{2028}\"\u{1b}"), "\"a\\u{202e},\\u{2028}\"\"\\u{1b}\"");
    }
}
