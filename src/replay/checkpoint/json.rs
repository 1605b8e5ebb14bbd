//! How the parts of a checkpoint stand in JSON: maps in written order, and numbers as the text that was written.
//!
//! A number is never made a float on the way: `0.1` and `0.10000000000000001` are two texts, and stay two.

use std::collections::BTreeSet;
use std::fmt::Formatter;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Reads a hash or `null`.
pub(crate) fn hash<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(Option::<Hash>::deserialize(deserializer)?.map(|hash| hash.0))
}

/// Hexadecimal digits in lower case; any other text as it is.
fn normal(text: String) -> String {
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X")).unwrap_or(&text);
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_hex { text.to_ascii_lowercase() } else { text }
}

/// The text of a JSON string, number or truth value.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        match raw.bytes().next() {
            Some(b'"') => serde_json::from_str(raw).map(Self).map_err(D::Error::custom),
            Some(b'-' | b'0'..=b'9' | b't' | b'f') => Ok(Self(raw.to_owned())),
            _ => Err(D::Error::custom("expected a string, a number, true or false")),
        }
    }
}

struct Hash(String);

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(normal(Text::deserialize(deserializer)?.0)))
    }
}

/// A field's value, alone or with its bits.
struct Value {
    value: String,
    bits: Option<String>,
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct WithBits {
            value: Text,
            #[serde(default, deserialize_with = "hash")]
            bits: Option<String>,
        }
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        let read = if raw.starts_with('{') {
            serde_json::from_str(raw).map(|WithBits { value, bits }| Self { value: value.0, bits })
        } else {
            serde_json::from_str(raw).map(|Text(value)| Self { value, bits: None })
        };
        read.map_err(|error| {
            D::Error::custom(format!("{} (a field is a value, or {{\"value\", \"bits\"}})", cause(&error)))
        })
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct WithBits<'a> {
            value: &'a str,
            bits: &'a str,
        }
        match &self.bits {
            None => serializer.serialize_str(&self.value),
            Some(bits) => WithBits { value: &self.value, bits }.serialize(serializer),
        }
    }
}

/// What a JSON error says, without the line and column, which count from the start of some part.
pub(crate) fn cause(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rfind(" at line ").and_then(|end| text.get(..end)).map(str::to_owned).unwrap_or(text)
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

    pub(crate) fn serialize<S: Serializer>(digests: &[Digest], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(digests.iter().map(|digest| (&digest.name, &digest.hash)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Digest>, D::Error> {
        let entries = deserializer.deserialize_map(Ordered::<Hash>(PhantomData))?;
        Ok(entries.into_iter().map(|(name, Hash(hash))| Digest { name, hash }).collect())
    }
}

/// The fields of an object as a map of values.
pub(crate) mod fields {
    use std::marker::PhantomData;

    use serde::{Deserializer, Serializer};

    use crate::replay::checkpoint::FieldRecord;
    use crate::replay::checkpoint::json::{Ordered, Value};

    pub(crate) fn serialize<S: Serializer>(fields: &[FieldRecord], serializer: S) -> Result<S::Ok, S::Error> {
        let value = |field: &FieldRecord| Value { value: field.value.clone(), bits: field.bits.clone() };
        serializer.collect_map(fields.iter().map(|field| (&field.path, value(field))))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<FieldRecord>, D::Error> {
        let entries = deserializer.deserialize_map(Ordered::<Value>(PhantomData))?;
        let field = |(path, Value { value, bits })| FieldRecord { path, value, bits };
        Ok(entries.into_iter().map(field).collect())
    }
}
