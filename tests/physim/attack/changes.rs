//! What is put in place of what stood there.

use physim::math::SplitMix64;
use serde_json::{Number, Value, json};

use crate::attack::messages::{Content, Message};
use crate::attack::one_of;
use crate::attack::places::{Part, Place};

/// Texts that mean something to a terminal, to CI, to a file system, or are just long.
pub const HOSTILE: [&str; 8] =
    ["", "\u{1b}[2J", "a\n::error::forged", "\u{202e}x", "../../etc/passwd", "\u{0}", "ball", "\u{200b}"];

/// Changes one field. False where there is nothing to change, as the message is gone.
pub fn change(random: &mut SplitMix64, messages: &mut Vec<Message>, place: &Place) -> bool {
    if place.message >= messages.len() {
        return false;
    }
    let message = &mut messages[place.message];
    match (&place.part, &mut message.content) {
        (Part::Sequence, _) => message.sequence = changed_number(random, u64::from(message.sequence)) as u32,
        (Part::Time, _) => message.late += 1 + random.below(1 << 40),
        (Part::Repeated, Content::Json(value)) => message.content = Content::Bytes(with_a_key_twice(random, value)),
        (Part::Presence, _) => move_message(random, messages, place.message),
        (Part::Value(pointer), Content::Json(value)) => {
            return value.pointer_mut(pointer).is_some_and(|value| {
                *value = changed_value(random, value);
                true
            });
        }
        (Part::Token { pointer: Some(pointer), start, end }, Content::Json(value)) => {
            let Some(Value::String(text)) = value.pointer_mut(pointer) else { return false };
            return change_token(random, text, *start, *end);
        }
        (Part::Token { start, end, .. }, Content::Text(text)) => return change_token(random, text, *start, *end),
        (Part::Bytes { start, end }, Content::Bytes(bytes)) => {
            let Some(part) = bytes.get_mut(*start..*end) else { return false };
            match random.below(4) {
                0 => part.fill(0),
                1 => part.fill(0xff),
                2 => part[0] = part[0].wrapping_add(1),
                _ => {
                    let byte = random.index(part.len());
                    part[byte] ^= 1 << random.below(8);
                }
            }
        }
        _ => return false,
    }
    true
}

/// A record in which one of its objects has a key twice, with two values.
fn with_a_key_twice(random: &mut SplitMix64, value: &Value) -> Vec<u8> {
    let text = value.to_string();
    let keys: Vec<(usize, &str)> = text
        .match_indices("\":")
        .map(|(end, _)| (text[..end].rfind('"').expect("a quote before"), &text[..end]))
        .map(|(start, before)| (start, &before[start + 1..]))
        .collect();
    let (start, key) = *one_of(random, &keys);
    let other = one_of(random, &["0", "1", "\"\"", "null", "[]"]);
    format!("{}\"{key}\":{other},{}", &text[..start], &text[start..]).into_bytes()
}

fn move_message(random: &mut SplitMix64, messages: &mut Vec<Message>, number: usize) {
    let other = random.index(messages.len());
    match random.below(4) {
        0 => drop(messages.remove(number)),
        1 => messages.insert(other, messages[number].clone()),
        2 => messages.swap(number, other),
        _ => {
            let content = messages[other].content.clone();
            messages[number].content = content;
        }
    }
}

fn changed_number(random: &mut SplitMix64, number: u64) -> u64 {
    match random.below(8) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 => number.saturating_mul(2),
        3 => number / 2,
        4 => 0,
        5 => u64::from(u32::MAX),
        6 => number ^ 1 << random.below(32),
        _ => random.below(1000),
    }
}

pub fn changed_value(random: &mut SplitMix64, value: &Value) -> Value {
    if random.below(16) == 0 {
        let others =
            [Value::Null, json!(-1), json!(1.5), json!("1"), json!([]), json!({}), json!(true), json!(u64::MAX)];
        return one_of(random, &others).clone();
    }
    match value {
        Value::Null => json!(one_of(random, &HOSTILE)),
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => Value::Number(Number::from(changed_number(random, number.as_u64().unwrap_or(1)))),
        Value::String(text) => Value::String(changed_text(random, text)),
        Value::Array(elements) => {
            let mut elements = elements.clone();
            let another = json!(one_of(random, &HOSTILE));
            change_list(random, &mut elements, another);
            Value::Array(elements)
        }
        Value::Object(keys) => {
            let mut keys = keys.clone();
            let name = keys.keys().nth(random.index(keys.len().max(1))).cloned().unwrap_or_default();
            let taken = if random.below(2) == 0 { keys.remove(&name) } else { keys.get(&name).cloned() };
            if random.below(2) == 0 {
                keys.insert(changed_text(random, &name), taken.unwrap_or(json!(1)));
            }
            Value::Object(keys)
        }
    }
}

/// Takes an element away, doubles one, changes their order, or adds one.
fn change_list<T: Clone>(random: &mut SplitMix64, elements: &mut Vec<T>, another: T) {
    let (a, b) = (random.index(elements.len().max(1)), random.index(elements.len().max(1)));
    match random.below(4) {
        _ if elements.is_empty() => elements.push(another),
        0 => drop(elements.remove(a)),
        1 => elements.insert(a, elements[b].clone()),
        2 => elements.swap(a, b),
        _ => elements.insert(a, another),
    }
}

pub fn changed_text(random: &mut SplitMix64, text: &str) -> String {
    let places: Vec<usize> = text.char_indices().map(|(place, _)| place).chain([text.len()]).collect();
    let place = *one_of(random, &places);
    match random.below(5) {
        0 => (*one_of(random, &HOSTILE)).to_owned(),
        1 => format!("{}{}{}", &text[..place], one_of(random, &HOSTILE), &text[place..]),
        2 => text[..place].to_owned(),
        3 => text.to_uppercase(),
        _ => {
            let letter = char::from(b'0' + random.below(75) as u8);
            let after: String = text[place..].chars().skip(1).collect();
            format!("{}{letter}{after}", &text[..place])
        }
    }
}

/// Changes a word or a number of a text in its place.
fn change_token(random: &mut SplitMix64, text: &mut String, start: usize, end: usize) -> bool {
    let Some(token) = text.get(start..end).map(str::to_owned) else { return false };
    let token = changed_token(random, &token);
    text.replace_range(start..end, &token);
    true
}

const WORDS: [&str; 14] = [
    "true",
    "false",
    "Static",
    "Dynamic",
    "Kinematic",
    "None",
    "Off",
    "Fixed",
    "F32",
    "F64",
    "Rk4",
    "Gjk",
    "ball",
    "box",
];

pub fn changed_token(random: &mut SplitMix64, token: &str) -> String {
    let Ok(number) = token.parse::<f64>() else {
        return match random.below(3) {
            0 => (*one_of(random, &WORDS)).to_owned(),
            _ => changed_text(random, token),
        };
    };
    match random.below(10) {
        0 => "0".to_owned(),
        1 => format!("-{token}"),
        2 => format!("{token}1"),
        3 => format!("1{token}"),
        4 => format!("{}", number * 2.0),
        5 => format!("{}", number + 1.0),
        6 => "1e30".to_owned(),
        7 => {
            (*one_of(random, &["4294967295", "4294967296", "18446744073709551615", "0.0001", "1000000000"])).to_owned()
        }
        8 => changed_text(random, token),
        _ => format!("{}", random.below(100)),
    }
}
