//! The fields of a replay: every place in its messages where something else could stand.

use physim::replay::topic::Topic;
use serde_json::Value;

use crate::attack::messages::{Content, Message};

/// One field.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its message.
    pub message: usize,
    pub part: Part,
    /// What it is, whichever of several: "inputs.step".
    pub kind: String,
}

/// Where in a message.
#[derive(Clone, Debug)]
pub enum Part {
    /// A value of a record, by its JSON pointer.
    Value(String),
    /// A word or number of a text: the record's, or the scene's, from a byte on.
    Token { pointer: Option<String>, start: usize, end: usize },
    /// Bytes of a batch of hashes or of a state.
    Bytes { start: usize, end: usize },
    /// The step that the message is about.
    Sequence,
    /// Its time.
    Time,
    /// A key of a record, told twice.
    Repeated,
    /// Whether it is there, once, in its place.
    Presence,
}

/// All fields of a replay.
pub fn places(messages: &[Message]) -> Vec<Place> {
    let mut found = Vec::new();
    for (number, message) in messages.iter().enumerate() {
        let topic = message.topic.path().trim_start_matches('/');
        let mut add = |part: Part, kind: String| found.push(Place { message: number, part, kind });
        add(Part::Sequence, format!("{topic} sequence"));
        add(Part::Time, format!("{topic} time"));
        add(Part::Presence, format!("{topic} presence"));
        match &message.content {
            Content::Json(value) => {
                add(Part::Repeated, format!("{topic} key twice"));
                values(value, "", topic, &mut add);
            }
            Content::Text(text) => {
                for (start, end) in tokens(text) {
                    add(Part::Token { pointer: None, start, end }, format!("scene {}", key_before(text, start)));
                }
            }
            Content::Bytes(bytes) if message.topic == Topic::Hashes => batches(bytes, &mut add),
            Content::Bytes(bytes) => {
                for start in (0..bytes.len()).step_by(61) {
                    let end = (start + 1 + start % 8).min(bytes.len());
                    add(Part::Bytes { start, end }, format!("keyframe {}", start * 8 / bytes.len()));
                }
            }
        }
    }
    found
}

/// Tells every value of a record.
pub fn values(value: &Value, pointer: &str, kind: &str, add: &mut dyn FnMut(Part, String)) {
    add(Part::Value(pointer.to_owned()), kind.to_owned());
    match value {
        Value::Array(elements) => {
            for (number, element) in elements.iter().enumerate() {
                values(element, &format!("{pointer}/{number}"), &format!("{kind}[]"), add);
            }
        }
        Value::Object(keys) => {
            for (key, element) in keys {
                values(element, &format!("{pointer}/{key}"), &format!("{kind}.{key}"), add);
            }
        }
        Value::String(text) => {
            for (start, end) in tokens(text) {
                let key = key_before(text, start);
                let kind = if key.is_empty() { kind.to_owned() } else { format!("{kind} {key}") };
                add(Part::Token { pointer: Some(pointer.to_owned()), start, end }, kind);
            }
        }
        _ => {}
    }
}

/// First step, count, a root and a digest of each column.
fn batches(bytes: &[u8], add: &mut dyn FnMut(Part, String)) {
    let mut part = |start: usize, end: usize, kind: &str| {
        if end <= bytes.len() {
            add(Part::Bytes { start, end }, format!("hashes {kind}"));
        }
    };
    part(0, 4, "first");
    part(4, 8, "count");
    let count = bytes.get(4..8).map_or(0, |count| u32::from_le_bytes(count.try_into().expect("four bytes"))) as usize;
    for step in 0..count {
        part(8 + 32 * step, 8 + 32 * step + 32, "root");
    }
    for (number, start) in (8 + 32 * count..bytes.len()).step_by(8).enumerate() {
        part(start, start + 8, if number % 2 == 0 { "digest" } else { "another digest" });
    }
}

/// The words, numbers and quoted texts of a text.
pub fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut before = ' ';
    for (start, letter) in text.char_indices() {
        let is_part = |letter: char| letter.is_alphanumeric() || "_.-+".contains(letter);
        if is_part(letter) {
            match found.last_mut() {
                Some((_, end)) if *end == start && is_part(before) => *end = start + letter.len_utf8(),
                _ => found.push((start, start + letter.len_utf8())),
            }
        }
        before = letter;
    }
    found
}

/// The key that a place of a RON text is the value of, or within.
fn key_before(text: &str, start: usize) -> String {
    let before = &text[..start];
    let Some(colon) = before.rfind(": ").or_else(|| before.rfind(':')) else { return String::new() };
    let key = before[..colon]
        .rsplit(|letter: char| !(letter.is_alphanumeric() || letter == '_'))
        .find(|word| !word.is_empty());
    key.unwrap_or_default().to_owned()
}
