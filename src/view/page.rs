//! Puts a page together: the template, the modules of the player, and the data.
//!
//! Data stands in script elements that are never run, with `<`, `>` and `&` escaped, so that no name can leave its element; what in a name
//! would turn the direction of writing, or hide, is shown as on a terminal.

use std::fmt::Write as _;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter};

use crate::scene::printable::{is_to_be_shown, printable};
use crate::view::difference::PageDifference;
use crate::view::fit::{FittedFilm, compressed};
use crate::view::modules::{MODULES, Module};

/// The template, with one marker for each part.
const TEMPLATE: &str = include_str!("../../assets/viewer/page.html");
/// How every page begins, by which it is told from other files.
pub const START: &str = "<!DOCTYPE html>\n<!-- made by physim view -->\n";
/// How the page looks.
const STYLE: &str = include_str!("../../assets/viewer/style.css");

/// A page without its data, in bytes: what the limits of films leave out of account.
#[must_use]
pub fn size_without_data() -> usize {
    page(&[], None).len()
}

/// The page of one film, or of two with what differs between them.
#[must_use]
pub fn page(films: &[FittedFilm], difference: Option<&PageDifference>) -> String {
    TEMPLATE
        .replacen("<!DOCTYPE html>\n", START, 1)
        .replace("<!-- physim:style -->", &format!("<style>\n{STYLE}</style>"))
        .replace("<!-- physim:modules -->", &modules_text())
        .replace("<!-- physim:data -->", &data_text(films, difference))
}

fn modules_text() -> String {
    let elements = MODULES.iter().map(|Module { name, text }| {
        let packed = BASE64.encode(compressed(text.as_bytes()));
        format!("<script type=\"text/plain\" data-module=\"{name}\">{packed}</script>\n")
    });
    elements.collect()
}

fn data_text(films: &[FittedFilm], difference: Option<&PageDifference>) -> String {
    let mut text = String::new();
    for (key, film) in ["a", "b"].iter().zip(films) {
        let header = json(&film.header);
        let blob = BASE64.encode(&film.blob);
        // Writing to a text cannot fail.
        let _ = writeln!(text, "<script type=\"application/json\" data-film=\"{key}\">{header}</script>");
        let _ = writeln!(text, "<script type=\"text/plain\" data-film-blob=\"{key}\">{blob}</script>");
    }
    if let Some(difference) = difference {
        let json = json(difference);
        let _ = writeln!(text, "<script type=\"application/json\" data-difference>{json}</script>");
    }
    text
}

/// JSON that may stand in an element of a page.
fn json(value: &impl Serialize) -> String {
    let mut text = Vec::new();
    let written = value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Shown));
    let text = written.ok().and_then(|()| String::from_utf8(text).ok()).unwrap_or_else(|| "null".to_owned());
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Writes texts as a page shows them: what does something to the text around it, or hides in it, as it is written in quotes.
struct Shown;

impl Formatter for Shown {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> std::io::Result<()> {
        if !fragment.chars().any(is_to_be_shown) {
            return writer.write_all(fragment.as_bytes());
        }
        writer.write_all(shown(fragment).replace('\\', "\\\\").as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, writer: &mut W, escape: CharEscape) -> std::io::Result<()> {
        let control = match escape {
            CharEscape::Quote => return writer.write_all(b"\\\""),
            CharEscape::ReverseSolidus => return writer.write_all(b"\\\\"),
            CharEscape::Solidus => return writer.write_all(b"/"),
            CharEscape::Backspace => '\u{8}',
            CharEscape::FormFeed => '\u{c}',
            CharEscape::LineFeed => '\n',
            CharEscape::CarriageReturn => '\r',
            CharEscape::Tab => '\t',
            CharEscape::AsciiControl(byte) => char::from(byte),
        };
        writer.write_all(shown(&control.to_string()).replace('\\', "\\\\").as_bytes())
    }
}

/// A text with such characters in their visible form, of whatever length.
fn shown(text: &str) -> String {
    text.chars().map(|c| if is_to_be_shown(c) { printable(&c.to_string()) } else { c.to_string() }).collect()
}
