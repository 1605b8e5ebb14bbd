//! The parts of a binary glTF file.

use crate::scene::hull_file::{EXPORT_AGAIN, Wrong};

/// What such a file begins with, and the kinds of its chunks.
const MAGIC: u32 = u32::from_le_bytes(*b"glTF");
const JSON: u32 = u32::from_le_bytes(*b"JSON");
const BINARY: u32 = u32::from_le_bytes(*b"BIN\0");

/// Whether a file is a binary one, whatever its name says.
pub(super) fn is_binary(file: &[u8]) -> bool {
    words::<1>(file).is_some_and(|([magic], _)| magic == MAGIC)
}

/// The JSON in a binary file, and the bytes behind it if there are any.
pub(super) fn chunks(file: &[u8]) -> Result<(&[u8], Option<&[u8]>), Wrong> {
    if !is_binary(file) {
        return Err(("it does not begin as a binary glTF does".to_owned(), "is it JSON? then call it `.gltf`"));
    }
    let ([_, version, length], mut rest) =
        words::<3>(file).ok_or_else(|| ("it ends within its head".to_owned(), EXPORT_AGAIN))?;
    if version != 2 {
        return Err((format!("it is of version {version} of glTF"), "export it as glTF 2.0"));
    }
    if length as usize != file.len() {
        return Err((format!("it says that it is {length} bytes long, and is {}", file.len()), EXPORT_AGAIN));
    }
    let (mut json, mut binary) = (None, None);
    while !rest.is_empty() {
        let place = file.len() - rest.len();
        let wrong = |what: &str| (format!("its chunk at byte {place} {what}"), EXPORT_AGAIN);
        let ([length, kind], after) = words::<2>(rest).ok_or_else(|| wrong("ends within its head"))?;
        let (chunk, after) = after.split_at_checked(length as usize).ok_or_else(|| wrong("is longer than the file"))?;
        match (json, kind) {
            (None, JSON) => json = Some(chunk),
            (None, _) => return Err(wrong("is not JSON, which comes first")),
            (Some(_), BINARY) if binary.is_none() => binary = Some(chunk),
            // Others may be there, and mean nothing to who does not know them.
            (Some(_), _) => {}
        }
        rest = after;
    }
    let json = json.ok_or_else(|| ("there is no JSON in it".to_owned(), EXPORT_AGAIN))?;
    Ok((json, binary))
}

/// The first words of some bytes, and what is behind them.
fn words<const COUNT: usize>(bytes: &[u8]) -> Option<([u32; COUNT], &[u8])> {
    let (head, rest) = bytes.split_at_checked(4 * COUNT)?;
    let mut words = [0; COUNT];
    for (word, bytes) in words.iter_mut().zip(head.as_chunks().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    Some((words, rest))
}
