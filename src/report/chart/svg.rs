//! SVG as text: a few elements, numbers with two decimals, texts escaped.

use std::fmt::Write;

use crate::scene::printable::is_of_xml;

/// The fonts that texts are set in, whichever is there first.
const FONTS: &str = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";
/// The colour of texts and frames.
pub const INK: &str = "#222222";

/// Which part of a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// A picture that is being written.
pub struct Svg {
    text: String,
}

impl Svg {
    /// A white picture of this size; `about` is what it shows, for those who cannot see it.
    pub fn new((width, height): (u32, u32), about: &str) -> Self {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\" fill=\"{INK}\">\n\
             <title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
            escaped(about)
        );
        Self { text }
    }

    /// A text on one line; `^` and what follows it in braces stands higher: `10^{6}`.
    pub fn text(&mut self, (x, y): (f64, f64), size: f64, anchor: Anchor, text: &str) {
        let content = with_powers(text, size);
        self.write(&format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\">{content}</text>\n",
            pixels(x),
            pixels(y),
            pixels(size),
            anchor.word()
        ));
    }

    /// A text that reads upwards, its middle at a point.
    pub fn text_upwards(&mut self, (x, y): (f64, f64), size: f64, text: &str) {
        let content = with_powers(text, size);
        let (x, y) = (pixels(x), pixels(y));
        self.write(&format!(
            "<text transform=\"translate({x} {y}) rotate(-90)\" font-size=\"{}\" text-anchor=\"middle\">{content}</text>\n",
            pixels(size)
        ));
    }

    /// A straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) {
        self.write(&format!(
            "<path d=\"M{} {}L{} {}\" stroke=\"{stroke}\" stroke-width=\"{}\" fill=\"none\"/>\n",
            pixels(from.0),
            pixels(from.1),
            pixels(to.0),
            pixels(to.1),
            pixels(width)
        ));
    }

    /// A line through points, or several with gaps between.
    pub fn path(&mut self, parts: &[Vec<(f64, f64)>], stroke: &str, dashes: &str) {
        if parts.iter().all(|part| part.len() < 2) {
            return;
        }
        let mut data = String::new();
        for part in parts.iter().filter(|part| part.len() > 1) {
            for (place, (x, y)) in part.iter().enumerate() {
                let letter = if place == 0 { "M" } else { "L" };
                // Writing to a string cannot fail.
                let _ = write!(data, "{letter}{} {}", pixels(*x), pixels(*y));
            }
        }
        let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
        self.write(&format!(
            "<path d=\"{data}\" stroke=\"{stroke}\" stroke-width=\"1.5\" stroke-linejoin=\"round\"{dashes} fill=\"none\"/>\n"
        ));
    }

    /// A dot.
    pub fn dot(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        let (x, y) = (pixels(x), pixels(y));
        self.write(&format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\"/>\n", pixels(radius)));
    }

    /// An empty frame.
    pub fn frame(&mut self, (x, y): (f64, f64), (width, height): (f64, f64)) {
        let [x, y, width, height] = [x, y, width, height].map(pixels);
        self.write(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#888888\"/>\n"
        ));
    }

    /// The whole picture.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    fn write(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// A coordinate, two decimals at most.
fn pixels(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A text as the content of an element. What XML has no character for is left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            _ if letter.is_control() || !is_of_xml(letter) => {}
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {} // what would turn the text after it round
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// A text in which `10^{6}` has its power raised.
fn with_powers(text: &str, size: f64) -> String {
    let Some((before, power, after)) = split_power(text) else { return escaped(text) };
    let (rise, small) = (pixels(size * 0.4), pixels(size * 0.75));
    let after = escaped(after);
    let after = if after.is_empty() { after } else { format!("<tspan dy=\"{rise}\">{after}</tspan>") };
    format!("{}<tspan dy=\"-{rise}\" font-size=\"{small}\">{}</tspan>{after}", escaped(before), escaped(power))
}

/// The parts of a text around a power of ten; a name that merely has a brace in it has none.
fn split_power(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("10^{")?;
    let (power, after) = rest.split_once('}')?;
    let is_number = !power.is_empty() && power.chars().all(|letter| letter.is_ascii_digit() || letter == '−');
    is_number.then(|| (text.get(..before.len() + 2).unwrap_or(before), power, after))
}

/// About how wide a text is: fonts differ, so it is a little more than most take.
pub fn text_width(text: &str, size: f64) -> f64 {
    let (before, power, after) = split_power(text).unwrap_or((text, "", ""));
    let plain: f64 = before.chars().chain(after.chars()).map(em).sum();
    let raised: f64 = power.chars().map(em).sum();
    (plain + raised * 0.75) * size
}

/// The width of a letter in parts of the size of the text.
fn em(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | '\'' | '|' | '\u{202f}' => 0.28,
        'f' | 't' | 'r' | ' ' | '(' | ')' | '[' | ']' | '/' | '-' | '\u{a0}' => 0.36,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.88,
        'A'..='Z' | '=' | '+' | '−' | '<' | '>' => 0.68,
        '\u{0}'..='\u{24ff}' => 0.58,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{Anchor, Svg, escaped, pixels, with_powers};

    #[test]
    fn what_is_markup_elsewhere_is_text_here() {
        assert_eq!(escaped("<b>&\"x\"</b>"), "&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;");
        assert_eq!(escaped("a\nb\u{0}\u{1b}[2K\u{ffff}\u{202e}"), "a b[2K");
        let edges = (0..0x20).chain([0x7f, 0x80, 0x9f, 0xd7ff, 0xe000, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x0010_ffff]);
        let all: String = edges.filter_map(char::from_u32).collect();
        assert_eq!(escaped(&all), "   \u{d7ff}\u{e000}\u{fffd}\u{10000}\u{10ffff}");
        let mut svg = Svg::new((1, 1), "</title><script>");
        svg.text((0.0, 0.0), 12.0, Anchor::Start, "]]><script>alert(1)</script>");
        assert!(!svg.finish().contains("<script"));
    }

    #[test]
    fn powers_of_ten_stand_higher_and_other_braces_stay() {
        assert_eq!(with_powers("10^{6}", 10.0), "10<tspan dy=\"-4\" font-size=\"7.5\">6</tspan>");
        assert!(with_powers("10^{−3} kg", 10.0).ends_with("<tspan dy=\"4\"> kg</tspan>"));
        assert_eq!(with_powers("10^{x}", 10.0), "10^{x}");
        assert_eq!(with_powers("a^{2}", 10.0), "a^{2}");
    }

    #[test]
    fn coordinates_are_short() {
        assert_eq!([1.0, 1.256, -0.001, 10.5].map(pixels), ["1", "1.26", "0", "10.5"]);
    }
}
