//! Text in aligned columns.

use unicode_width::UnicodeWidthStr;

use crate::report::style::{PLAIN, Paint};

/// Spaces between two columns.
const GAP: &str = "  ";

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// One cell.
#[derive(Clone, Debug)]
pub struct Cell {
    text: String,
    paint: Paint,
    side: Side,
}

impl Cell {
    /// A text, at the left of its column.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), paint: PLAIN, side: Side::Left }
    }

    /// A number, at the right of its column.
    pub fn number(text: impl Into<String>) -> Self {
        Self { text: text.into(), paint: PLAIN, side: Side::Right }
    }

    /// The same, set off.
    pub const fn painted(mut self, paint: Paint) -> Self {
        self.paint = paint;
        self
    }

    /// The cell filled to a width; nothing follows a text that ends its line.
    fn render(&self, width: usize, is_last: bool) -> String {
        let padding = " ".repeat(width.saturating_sub(self.text.width()));
        let text = if self.text.is_empty() { String::new() } else { self.paint.paint(&self.text) };
        match self.side {
            Side::Left if is_last => text,
            Side::Left => text + &padding,
            Side::Right => padding + &text,
        }
    }
}

/// Rows whose cells stand below each other.
#[derive(Clone, Debug, Default)]
pub struct Table {
    indent: usize,
    /// How wide columns are at least.
    widths: Vec<usize>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table that begins so many columns from the left.
    pub const fn indented(indent: usize) -> Self {
        Self { indent, widths: Vec::new(), rows: Vec::new() }
    }

    /// The same with columns of these widths at least: so that tables that are written one by one stand below each other.
    pub fn at_least(mut self, widths: Vec<usize>) -> Self {
        self.widths = widths;
        self
    }

    /// Adds a row; rows may have different lengths.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Adds a label and its value.
    pub fn labelled(&mut self, label: &str, value: impl Into<String>) {
        self.row([Cell::text(label).painted(crate::report::style::FAINT), Cell::text(value)]);
    }

    /// The lines, each ended.
    pub fn render(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let mut widths = self.widths.clone();
        widths.resize(columns.max(widths.len()), 0);
        for row in &self.rows {
            // A row's last cell may run on: it makes its column no wider unless it is one number among others.
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.text.width());
            }
        }
        self.rows.iter().map(|row| self.render_row(row, &widths)).collect()
    }

    fn render_row(&self, row: &[Cell], widths: &[usize]) -> String {
        let cells = row.iter().zip(widths).enumerate();
        let line: Vec<String> =
            cells.map(|(place, (cell, width))| cell.render(*width, place + 1 == row.len())).collect();
        format!("{}{}\n", " ".repeat(self.indent), line.join(GAP)).trim_end().to_owned() + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Table};
    use crate::report::style::BAD;

    #[test]
    fn columns_align_whatever_the_letters_and_colours() {
        let mut table = Table::indented(2);
        table.row([Cell::text("a"), Cell::number("1"), Cell::text("end")]);
        table.row([Cell::text("日本").painted(BAD), Cell::number("100")]);
        table.row([]);
        let plain = anstream::adapter::strip_str(&table.render()).to_string();
        assert_eq!(plain, "  a       1  end\n  日本  100\n\n");
    }
}
