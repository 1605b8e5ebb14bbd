//! The bytes of a glTF: in its binary part, within its JSON, or in files beside it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, PAD_INDIFFERENT};
use base64::{DecodeError, Engine};

use crate::scene::error::quoted;
use crate::scene::gltf::document::{Buffer, entry, shortened};
use crate::scene::hull_file::{EXPORT_AGAIN, Wrong};
use crate::scene::scene_folder::Beside;

/// What stands at the end is what there is room for, with or without what fills it up.
const BASE64: GeneralPurpose = GeneralPurpose::new(&STANDARD, PAD_INDIFFERENT);

/// The bytes of a buffer, shared by all that read them.
pub(super) type Bytes<'a> = Rc<Cow<'a, [u8]>>;

/// The buffers of a file, each read where it is first needed.
pub(super) struct Buffers<'a, 'r> {
    listed: &'a [Buffer<'a>],
    /// Those of a binary file.
    binary: Option<&'a [u8]>,
    known: BTreeMap<u32, Bytes<'a>>,
    beside: Beside<'r>,
}

impl<'a, 'r> Buffers<'a, 'r> {
    pub(super) fn new(listed: &'a [Buffer<'a>], binary: Option<&'a [u8]>, beside: Beside<'r>) -> Self {
        Self { listed, binary, known: BTreeMap::new(), beside }
    }

    /// Takes so many vertices, indices or primitives from what may be read.
    pub(super) fn take_elements(&mut self, count: u64) -> Result<(), Wrong> {
        self.beside.take_elements(count)
    }

    /// The bytes of a buffer, as many as it says that it has.
    pub(super) fn bytes(&mut self, number: u32, by: impl Fn() -> String) -> Result<Bytes<'a>, Wrong> {
        if let Some(known) = self.known.get(&number) {
            return Ok(Rc::clone(known));
        }
        let buffer = entry(self.listed, "buffers", number, by)?;
        let bytes = self.read(number, buffer)?;
        let bytes = match usize::try_from(buffer.byte_length) {
            Ok(length) if length <= bytes.len() => match bytes {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length]),
                Cow::Owned(mut bytes) => {
                    bytes.truncate(length);
                    Cow::Owned(bytes)
                }
            },
            _ => {
                let (says, has) = (buffer.byte_length, bytes.len());
                return Err((format!("buffers[{number}] says that it has {says} bytes, and has {has}"), EXPORT_AGAIN));
            }
        };
        let bytes = Rc::new(bytes);
        self.known.insert(number, Rc::clone(&bytes));
        Ok(bytes)
    }

    fn read(&mut self, number: u32, buffer: &'a Buffer<'a>) -> Result<Cow<'a, [u8]>, Wrong> {
        let uri = buffer.uri.as_ref().map_or("", |uri| uri.0.as_ref());
        if uri.is_empty() {
            return match self.binary {
                Some(bytes) if number == 0 => Ok(Cow::Borrowed(bytes)),
                _ => Err((
                    format!("buffers[{number}] has no `uri`, and there is nothing in the file that it could mean"),
                    "a `.glb` has the bytes of its first buffer in its binary part; export it once more",
                )),
            };
        }
        if uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
            return decoded(number, &uri[5..]).map(Cow::Owned);
        }
        let shown = || quoted(&shortened(uri));
        if has_scheme(uri) {
            let why = format!("buffers[{number}] is at {}, which is no file beside it", shown());
            return Err((why, "export a `.glb`, which has everything in one file"));
        }
        let path = unescaped(uri).ok_or_else(|| {
            let why = format!("the `uri` of buffers[{number}], {}, has a `%` that stands for no letter", shown());
            (why, "in a `uri` a space is `%20`, and a percent sign is `%25`")
        })?;
        let read = self.beside.read(&path);
        read.map(Cow::Owned).map_err(|(why, hint)| (format!("buffers[{number}] is the file {}: {why}", shown()), hint))
    }
}

/// The bytes of a URI that holds them, of which this comes behind `data:`.
fn decoded(number: u32, rest: &str) -> Result<Vec<u8>, Wrong> {
    let again = EXPORT_AGAIN;
    let (_, text) = rest
        .split_once(',')
        .filter(|(head, _)| head.to_ascii_lowercase().ends_with(";base64"))
        .ok_or_else(|| (format!("the `data:` of buffers[{number}] are not in base64"), again))?;
    BASE64.decode(text).map_err(|error| {
        let place = match error {
            DecodeError::InvalidByte(place, _) | DecodeError::InvalidLastSymbol { offset: place, .. } => {
                format!("has no meaning at its byte {place}")
            }
            DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => "ends within a byte".to_owned(),
        };
        (format!("the base64 of buffers[{number}] {place}"), again)
    })
}

/// Whether a URI begins with how it is to be had, such as `https:`.
fn has_scheme(uri: &str) -> bool {
    uri.split_once(':').is_some_and(|(scheme, _)| {
        let mut letters = scheme.bytes();
        letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
            && letters.all(|letter| letter.is_ascii_alphanumeric() || b"+-.".contains(&letter))
    })
}

/// A path with the letters that `%20` and the like stand for; `None` where one stands for none.
fn unescaped(uri: &str) -> Option<String> {
    let digit = |byte: u8| char::from(byte).to_digit(16).map(|digit| digit as u8);
    let mut bytes = uri.bytes();
    let mut path = Vec::new();
    while let Some(byte) = bytes.next() {
        path.push(if byte == b'%' { 16 * digit(bytes.next()?)? + digit(bytes.next()?)? } else { byte });
    }
    String::from_utf8(path).ok().filter(|path| !path.contains('\0'))
}
