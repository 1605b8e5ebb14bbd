//! Puts a page together: the template, the modules of the player, and the data.
//!
//! Data stands in script elements that are never run, with `<`, `>` and `&` escaped, so that no name can leave its element.

use std::fmt::Write as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;

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
    let text = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
