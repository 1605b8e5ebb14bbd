//! Texts of which there are millions and which are short: names of fields, numbers, bits. Up to 22 bytes of them take no memory of their own.

use std::cmp::Ordering;
use std::ops::Deref;

use serde::{Serialize, Serializer};

/// The most bytes that stand in the text itself.
const INLINE: usize = 22;

/// A text in 24 bytes, and in memory of its own where it is longer than these have room for.
#[derive(Clone, PartialEq, Eq)]
pub struct ShortText(Stored);

#[derive(Clone, PartialEq, Eq)]
enum Stored {
    /// So many bytes of UTF-8, and zeros.
    Inline(u8, [u8; INLINE]),
    /// A longer one: what fits is never here, so that equal texts are stored alike.
    Long(Box<str>),
}

impl ShortText {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            // They come from a text, so that they are one.
            Stored::Inline(length, bytes) => {
                bytes.get(..usize::from(*length)).and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
            }
            Stored::Long(text) => text,
        }
    }
}

impl From<&str> for ShortText {
    fn from(text: &str) -> Self {
        let mut bytes = [0; INLINE];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(room), Ok(length)) => {
                room.copy_from_slice(text.as_bytes());
                Self(Stored::Inline(length, bytes))
            }
            _ => Self(Stored::Long(text.into())),
        }
    }
}

impl From<String> for ShortText {
    fn from(text: String) -> Self {
        if text.len() > INLINE { Self(Stored::Long(text.into_boxed_str())) } else { text.as_str().into() }
    }
}

impl Deref for ShortText {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialOrd for ShortText {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ShortText {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl std::fmt::Debug for ShortText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(formatter)
    }
}

impl std::fmt::Display for ShortText {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(formatter)
    }
}

impl Serialize for ShortText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::{INLINE, ShortText};

    #[test]
    fn a_text_stays_what_it_is_however_long() {
        let texts: Vec<String> =
            (0..2 * INLINE).flat_map(|length| ["x", "é", "\0", "𝄞"].map(|of| of.repeat(length))).collect();
        for text in &texts {
            let short = [ShortText::from(text.as_str()), ShortText::from(text.clone())];
            assert!(short.iter().all(|short| short.as_str() == text), "{text:?}");
            for other in &texts {
                let other_short = ShortText::from(other.as_str());
                assert!(short.iter().all(|short| (*short == other_short) == (text == other)), "{text:?} and {other:?}");
                assert_eq!(short[0].cmp(&other_short), text.cmp(other));
            }
        }
        assert_eq!((size_of::<ShortText>(), size_of::<Option<ShortText>>()), (INLINE + 2, INLINE + 2));
    }
}
