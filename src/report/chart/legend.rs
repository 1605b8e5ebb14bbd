//! Which line is which: samples and names in rows above a panel.

use crate::report::chart::palette::Style;
use crate::report::chart::svg::{Anchor, Svg, text_width};
use crate::report::chart::{Line, TEXT_SIZE};

/// Pixels of a sample of a line.
const SAMPLE: f64 = 26.0;
/// Space between a sample and its name.
const GAP: f64 = 6.0;
/// Space after a name.
const AFTER: f64 = 18.0;
/// Pixels of a row.
const ROW: f64 = 18.0;
/// Most names that are told; there are no more looks than these either.
const MOST_NAMES: usize = 35;
/// Most letters of a name.
const MOST_LETTERS: usize = 60;

/// The names of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Legend {
    entries: Vec<(String, Option<Style>)>,
}

impl Legend {
    /// The legend of these lines; empty where no name says anything.
    pub fn of(lines: &[Line]) -> Self {
        let named = lines.iter().filter(|line| !line.name.is_empty());
        let mut entries: Vec<(String, Option<Style>)> =
            named.map(|line| (shortened(&line.name), Some(line.style))).collect();
        if entries.len() > MOST_NAMES {
            let more = entries.len() - (MOST_NAMES - 1);
            entries.truncate(MOST_NAMES - 1);
            entries.push((format!("and {more} more"), None));
        }
        Self { entries }
    }

    /// What it takes of the height.
    pub fn height(&self, width: f64) -> f64 {
        let rows = self.rows(width).len();
        #[expect(clippy::cast_precision_loss, reason = "a few rows")]
        let height = rows as f64 * ROW;
        if rows == 0 { 0.0 } else { height + 4.0 }
    }

    /// Draws it above the frame that begins at `left` and `top`.
    pub fn draw(&self, svg: &mut Svg, left: f64, top: f64, width: f64) {
        let mut y = top - self.height(width) + ROW / 2.0;
        for row in self.rows(width) {
            let mut x = left;
            for (name, style) in row {
                if let Some(style) = style {
                    svg.path(&[vec![(x, y), (x + SAMPLE, y)]], style.colour(), style.dashes());
                    x += SAMPLE + GAP;
                }
                svg.text((x, y + TEXT_SIZE * 0.35), TEXT_SIZE, Anchor::Start, name);
                x += text_width(name, TEXT_SIZE) + AFTER;
            }
            y += ROW;
        }
    }

    fn rows(&self, width: f64) -> Vec<&[(String, Option<Style>)]> {
        let mut rows = Vec::new();
        let (mut start, mut x) = (0, 0.0);
        for (place, (name, _)) in self.entries.iter().enumerate() {
            let room = SAMPLE + GAP + text_width(name, TEXT_SIZE);
            if x + room > width && place > start {
                rows.push(&self.entries[start..place]);
                (start, x) = (place, 0.0);
            }
            x += room + AFTER;
        }
        if start < self.entries.len() {
            rows.push(&self.entries[start..]);
        }
        rows
    }
}

/// A long name without its middle, which says least of a path.
fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= MOST_LETTERS {
        return name.to_owned();
    }
    let (head, tail) = (&letters[..MOST_LETTERS / 3], &letters[letters.len() - MOST_LETTERS / 2..]);
    format!("{}…{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}
