//! Colours that colour-blind people can tell apart, on white, and dashes for more lines than there are colours.

/// The colours of Okabe and Ito (2008) without the yellow, which is faint on white; strong ones first.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Dashes and gaps in pixels; the first is a line without gaps.
const DASHES: [&str; 5] = ["", "7 3", "2 2.5", "9 3 2 3", "4 2 1 2 1 2"];

/// How many colours there are.
pub const COLOUR_COUNT: usize = COLOURS.len();

/// The looks of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    colour: usize,
    dash: usize,
}

impl Style {
    /// The style of the line with this number: first all colours, then dashes.
    pub const fn numbered(number: usize) -> Self {
        Self { colour: number % COLOUR_COUNT, dash: number / COLOUR_COUNT }
    }

    /// One of the colours with one of the dashes.
    pub const fn of(colour: usize, dash: usize) -> Self {
        Self { colour: colour % COLOUR_COUNT, dash }
    }

    /// The colour as SVG wants it.
    pub const fn colour(self) -> &'static str {
        COLOURS[self.colour % COLOURS.len()]
    }

    /// The dashes as SVG wants them; empty for none.
    pub const fn dashes(self) -> &'static str {
        DASHES[self.dash % DASHES.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::Style;

    #[test]
    fn more_lines_than_colours_differ_by_their_dashes() {
        let looks: std::collections::BTreeSet<(&str, &str)> =
            (0..35).map(Style::numbered).map(|style| (style.colour(), style.dashes())).collect();
        assert_eq!(looks.len(), 35);
        assert!((0..7).all(|number| Style::numbered(number).dashes().is_empty()));
    }
}
