//! How the parts of a checkpoint stand in JSON: maps in written order, and numbers as the text that was written.
//!
//! A number is never made a float on the way: `0.1` and `0.10000000000000001` are two texts, and stay two.

use std::collections::BTreeSet;
use std::fmt::Formatter;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::replay::checkpoint::{FieldRecord, NumberKind};

/// Reads a hash that is there: `null` is none.
pub(crate) fn hash<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Some(Hash::deserialize(deserializer)?.0))
}

/// Reads what is there: `null` would pass for a key that is left out, and what was meant to be told would be missing silently.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Hexadecimal digits in lower case; any other text as it is.
fn normal(text: String) -> String {
    if are_digits(&text) { text.to_ascii_lowercase() } else { text }
}

/// Whether a text is hexadecimal digits, with `0x` before them or without.
fn are_digits(text: &str) -> bool {
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X")).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The text of a JSON string, number or truth value.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        match raw.bytes().next() {
            Some(b'"') => serde_json::from_str(raw).map(Self).map_err(|error| within(&error)),
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => Ok(Self(raw.to_owned())),
            _ => Err(D::Error::custom("expected a string, a number, true or false")),
        }
    }
}

/// What a value is that is neither a string nor a number.
fn kind_of(raw: &str) -> &'static str {
    match raw.bytes().next() {
        Some(b'n') => "null",
        Some(b'[') => "an array",
        Some(b'{') => "an object",
        _ => "true or false",
    }
}

/// A hash, which is never empty: one that is would be the same in every step.
struct Hash(String);

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Digits(hash) = Digits::deserialize(deserializer)?;
        if hash.trim().is_empty() {
            return Err(D::Error::custom(
                "a hash that is empty; expected its text or number, such as \"9af3\", or no such key where there is no hash",
            ));
        }
        Ok(Self(hash))
    }
}

/// Bits, which are text: whoever writes a number means its decimal digits, and they would pass for others.
struct Bits(String);

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "expected a text of hexadecimal digits, most significant first, such as \"3fc00000\"";
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        match raw.bytes().next() {
            Some(b'"') => {
                let text: String = serde_json::from_str(raw).map_err(|error| within(&error))?;
                let bits = Some(&text).filter(|text| are_digits(text)).map(|text| text.to_ascii_lowercase());
                bits.map(Self).ok_or_else(|| D::Error::custom(format!("bits that are {text:?}; {EXPECTED}")))
            }
            Some(b'-' | b'0'..=b'9') => Err(D::Error::custom(format!("bits that are the number {raw}; {EXPECTED}"))),
            _ => Err(D::Error::custom(format!("bits that are {}; {EXPECTED}", kind_of(raw)))),
        }
    }
}

/// The text of a hash.
struct Digits(String);

impl<'de> Deserialize<'de> for Digits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        match raw.bytes().next() {
            Some(b'"') => serde_json::from_str(raw).map(|text| Self(normal(text))).map_err(|error| within(&error)),
            Some(b'-' | b'0'..=b'9') => Ok(Self(normal(raw.to_owned()))),
            _ => Err(D::Error::custom(format!("a hash that is {}; expected a string or a number", kind_of(raw)))),
        }
    }
}

/// How deep arrays may stand in arrays: a matrix of vectors has three levels.
const MAX_NESTING: usize = 4;
/// The most values of one array.
const MAX_ELEMENTS: usize = 1 << 16;

/// A field as it stands in a line: one value, or an array of them with a place in it for each.
struct Values(Vec<Element>);

/// One value of a field, with its place in an array: `[2]`, or nothing where there is no array.
struct Element {
    place: String,
    value: String,
    bits: Option<String>,
    kind: Option<NumberKind>,
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct WithBits<'a> {
            #[serde(borrow)]
            value: &'a RawValue,
            #[serde(default, borrow, deserialize_with = "present")]
            bits: Option<&'a RawValue>,
            #[serde(default, rename = "type", deserialize_with = "present")]
            kind: Option<NumberKind>,
        }
        let raw = <&RawValue>::deserialize(deserializer)?;
        let read = || -> Result<Self, serde_json::Error> {
            let mut elements = Vec::new();
            if raw.get().starts_with('{') {
                let WithBits { value, bits, kind } = serde_json::from_str(raw.get())?;
                flatten(String::new(), value, bits, kind, 0, &mut elements)?;
            } else {
                flatten(String::new(), raw, None, None, 0, &mut elements)?;
            }
            Ok(Self(elements))
        };
        read().map_err(|error| {
            D::Error::custom(format!(
                "{} (a field is a value, an array of values, or {{\"value\", \"bits\", \"type\"}})",
                cause(&error)
            ))
        })
    }
}

/// Adds a value, or each value of an array with its place; an array of bits goes with an array of values.
fn flatten(
    place: String,
    value: &RawValue,
    bits: Option<&RawValue>,
    kind: Option<NumberKind>,
    depth: usize,
    elements: &mut Vec<Element>,
) -> Result<(), serde_json::Error> {
    if !value.get().starts_with('[') {
        let Text(value) = serde_json::from_str(value.get())?;
        let bits = bits.map(|bits| serde_json::from_str(bits.get())).transpose()?.map(|Bits(bits)| bits);
        elements.push(Element { place, value, bits, kind });
        return Ok(());
    }
    if depth == MAX_NESTING {
        return Err(serde_json::Error::custom(format!("arrays in arrays are {MAX_NESTING} deep at most")));
    }
    let values: Vec<&RawValue> = serde_json::from_str(value.get())?;
    let bits: Option<Vec<&RawValue>> = bits.map(|bits| serde_json::from_str(bits.get())).transpose()?;
    if values.len() > MAX_ELEMENTS {
        return Err(serde_json::Error::custom(format!("an array of more than {MAX_ELEMENTS} values")));
    }
    if bits.as_ref().is_some_and(|bits| bits.len() != values.len()) {
        return Err(serde_json::Error::custom("an array of values and one of bits that is not as long"));
    }
    if values.is_empty() {
        elements.push(Element { place: place.clone(), value: "[]".to_owned(), bits: None, kind: None });
    }
    for (index, value) in values.iter().enumerate() {
        let bits = bits.as_ref().and_then(|bits| bits.get(index)).copied();
        flatten(format!("{place}[{index}]"), value, bits, kind, depth + 1, elements)?;
    }
    Ok(())
}

/// A field's value as it is written, alone or with its bits.
struct Written<'a>(&'a FieldRecord);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct WithBits<'a> {
            value: &'a str,
            bits: &'a str,
            #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
            kind: Option<NumberKind>,
        }
        let FieldRecord { path: _, value, bits, kind } = self.0;
        match bits {
            None => serializer.serialize_str(value),
            Some(bits) => WithBits { value, bits, kind: *kind }.serialize(serializer),
        }
    }
}

/// What a JSON error says, without the line and column, which count from the start of some part.
pub(crate) fn cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rfind(" at line ").and_then(|end| text.get(..end)).map(str::to_owned).unwrap_or(text)
}

/// The error of a part as one of the whole, which has other columns.
fn within<E: Error>(error: &serde_json::Error) -> E {
    E::custom(cause(error))
}

/// A map in written order, with no key twice.
struct Ordered<V>(PhantomData<V>);

impl<'de, V: Deserialize<'de>> Visitor<'de> for Ordered<V> {
    type Value = Vec<(String, V)>;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object of names and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut entries, mut keys) = (Vec::new(), BTreeSet::new());
        while let Some((key, value)) = map.next_entry::<String, V>()? {
            if !keys.insert(key.clone()) {
                return Err(A::Error::custom(format!("{key:?} twice; names must be unique")));
            }
            entries.push((key, value));
        }
        Ok(entries)
    }
}

/// The sections of a checkpoint as a map of hashes.
pub(crate) mod digests {
    use std::marker::PhantomData;

    use serde::{Deserializer, Serializer};

    use crate::replay::checkpoint::Digest;
    use crate::replay::checkpoint::json::{Hash, Ordered};

    pub(crate) fn serialize<S: Serializer>(digests: &Option<Vec<Digest>>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(digests.iter().flatten().map(|digest| (&digest.name, &digest.hash)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Digest>>, D::Error> {
        let entries = deserializer.deserialize_map(Ordered::<Hash>(PhantomData))?;
        Ok(Some(entries.into_iter().map(|(name, Hash(hash))| Digest { name, hash }).collect()))
    }
}

/// The fields of an object as a map of values.
pub(crate) mod fields {
    use std::collections::BTreeSet;
    use std::marker::PhantomData;

    use serde::de::Error;
    use serde::{Deserializer, Serializer};

    use crate::replay::checkpoint::FieldRecord;
    use crate::replay::checkpoint::json::{Element, Ordered, Values, Written};

    pub(crate) fn serialize<S: Serializer>(
        fields: &Option<Vec<FieldRecord>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(fields.iter().flatten().map(|field| (&field.path, Written(field))))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Vec<FieldRecord>>, D::Error> {
        let entries = deserializer.deserialize_map(Ordered::<Values>(PhantomData))?;
        let mut fields: Vec<FieldRecord> = Vec::with_capacity(entries.len());
        for (name, Values(elements)) in entries {
            fields.extend(elements.into_iter().map(|Element { place, value, bits, kind }| {
                let path = if place.is_empty() { name.clone() } else { format!("{name}{place}") };
                FieldRecord { path: path.into(), value: value.into(), bits: bits.map(Into::into), kind }
            }));
        }
        // A field may have the name that a value of an array gets.
        if fields.iter().any(|field| field.path.ends_with(']'))
            && let Some(twice) = first_twice(&fields)
        {
            return Err(D::Error::custom(format!("{twice:?} twice; names must be unique")));
        }
        Ok(Some(fields))
    }

    /// The first path that stands there twice.
    fn first_twice(fields: &[FieldRecord]) -> Option<&str> {
        let mut paths = BTreeSet::new();
        fields.iter().map(|field| field.path.as_str()).find(|path| !paths.insert(*path))
    }
}
