//! Text from elsewhere, such as the name of a file, as a person may see it: nothing in it moves the cursor, hides, or begins a line.

use std::borrow::Cow;

/// The longest text that is shown whole, in bytes: a name may have megabytes.
const LONGEST: usize = 16 << 10;
/// What is shown of the beginning and the end of a longer one, in bytes at most.
const KEPT: usize = 1 << 10;

/// A name from a file, or a message that quotes one, on one line of a terminal: control characters are made visible, and what
/// ends a line, turns the direction of writing or takes no room. Of what is very long the middle is left out.
#[must_use]
pub fn printable(name: &str) -> String {
    if name.len() > LONGEST {
        let start = name.get(..name.floor_char_boundary(KEPT)).unwrap_or_default();
        let end = name.get(name.ceil_char_boundary(name.len() - KEPT)..).unwrap_or_default();
        let left_out = name.len() - start.len() - end.len();
        return format!("{}[... {left_out} bytes ...]{}", printable(start), printable(end));
    }
    if !name.chars().any(is_to_be_shown) {
        return name.to_owned();
    }
    name.chars().map(|c| if is_to_be_shown(c) { escaped(c) } else { c.to_string() }).collect()
}

/// JSON as it may stand on a terminal or in the log of a CI service: the same values, with such characters as JSON's own escapes.
#[must_use]
pub fn printable_json(json: String) -> String {
    // JSON has nothing of the kind outside of its texts, and no control character of ASCII but one within them.
    if json.bytes().all(|byte| byte < 0x7f) || !json.chars().any(is_to_be_shown) {
        return json;
    }
    let mut shown = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_to_be_shown(c) && c >= ' ' {
            shown.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// A text as it may stand in XML, but for what is markup there: what XML has no character for is shown as it is written in quotes.
#[must_use]
pub fn in_xml(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_of_xml) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if is_of_xml(c) { c.to_string() } else { escaped(c) }).collect())
}

/// Whether XML has the character: `Char` of XML 1.0, <https://www.w3.org/TR/xml/#NT-Char>. What it leaves out beside these, halves of
/// pairs, are no characters of Rust either.
#[must_use]
pub const fn is_of_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// Whether a character does something to the text around it, hides in it, or is none that texts may have.
#[must_use]
pub fn is_to_be_shown(c: char) -> bool {
    c.is_control()
        || !is_of_xml(c)
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Such a character as it is written in quotes.
fn escaped(c: char) -> String {
    match c {
        '\n' | '\r' | '\t' => c.escape_default().to_string(),
        _ => c.escape_unicode().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::{in_xml, is_of_xml, printable, printable_json};

    #[test]
    fn what_acts_or_hides_is_shown_and_the_rest_stays() {
        assert_eq!(printable("größe 3×4 日本.mcap"), "größe 3×4 日本.mcap");
        assert_eq!(printable("a\u{1b}[2J\r\n\tb"), "a\\u{1b}[2J\\r\\n\\tb");
        for hidden in [
            '\u{202e}',
            '\u{200b}',
            '\u{2066}',
            '\u{feff}',
            '\u{9b}',
            '\u{2028}',
            '\u{ad}',
            '\u{e0041}',
            '\u{e0101}',
            '\u{3164}',
            '\u{fe0f}',
        ] {
            assert_eq!(printable(&hidden.to_string()), format!("\\u{{{:x}}}", u32::from(hidden)));
        }
    }

    /// The ranges of the production, written out as there.
    #[test]
    fn xml_has_the_characters_of_its_production() {
        let ranges = [(0x9, 0x9), (0xa, 0xa), (0xd, 0xd), (0x20, 0xd7ff), (0xe000, 0xfffd), (0x10000, 0x0010_ffff)];
        let mut left_out = 0;
        for c in (0..=0x0010_ffff).filter_map(char::from_u32) {
            let is_there = ranges.iter().any(|(first, last)| (*first..=*last).contains(&u32::from(c)));
            assert_eq!(is_of_xml(c), is_there, "{:x}", u32::from(c));
            let text = format!("a{c}b");
            let shown = format!("a\\u{{{:x}}}b", u32::from(c));
            assert_eq!(in_xml(&text), if is_there { text.as_str() } else { shown.as_str() });
            // On a terminal it is seen as well.
            assert!(is_there || printable(&text) == shown, "{:x}", u32::from(c));
            left_out += u32::from(!is_there);
        }
        assert_eq!(left_out, 32 - 3 + 2);
    }

    #[test]
    fn json_keeps_its_values() {
        for text in ["größe 日本", "a\u{202e}b\u{7f}\u{9b}", "\u{e0041}\u{1f600}\n\u{1b}\"\\"] {
            let json = serde_json::to_string(text).expect("a text");
            let shown = printable_json(json.clone());
            assert_eq!(serde_json::from_str::<String>(&shown).expect("JSON"), text);
            assert!(!shown.chars().any(super::is_to_be_shown), "{shown:?}");
        }
        assert_eq!(printable_json("\"\u{e0041}\"\n".to_owned()), "\"\\udb40\\udc41\"\n");
    }

    #[test]
    fn of_megabytes_the_ends_are_shown() {
        let shown = printable(&format!("begin{}end", "ß".repeat(1 << 20)));
        assert!(shown.starts_with("beginß") && shown.ends_with("ßend") && shown.len() < 3000, "{}", shown.len());
        assert!(shown.contains(" bytes ...]"));
    }
}
