//! What of a glTF's JSON counts here: where its vertices are, and where its meshes stand.
//!
//! The rest is skipped without being kept. What is kept is bounded by the structure of the JSON, of which so much is allowed that nothing in here
//! outgrows what the files of a scene may have.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::scene::error::quoted;
use crate::scene::hull_file::{EXPORT_AGAIN, Wrong};

/// The most entries that a list of the document may have.
const MAX_ENTRIES: usize = 1 << 16;
/// The most bytes of JSON that are neither in strings nor blank. The shortest entry takes three, and some twenty in memory.
const MAX_STRUCTURE: usize = 8 << 20;
/// The most letters of a text from the file that a message shows.
const SHOWN: usize = 80;
/// Extensions that a reader may have to know, and that are known.
const KNOWN: [&str; 1] = ["KHR_mesh_quantization"];
/// Beginnings of the names of those that change only how things look.
const LOOKS: [&str; 6] =
    ["KHR_materials_", "KHR_texture_", "EXT_texture_", "MSFT_texture_", "KHR_lights_", "EXT_lights_"];

/// A text, which stays where it is in the file if it can.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Head<'a> {
    #[serde(borrow)]
    asset: Option<Asset<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Asset<'a> {
    #[serde(borrow)]
    version: Text<'a>,
    #[serde(borrow)]
    min_version: Option<Text<'a>>,
}

/// The document, with its lists.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct Document<'a> {
    #[serde(borrow, default, deserialize_with = "entries")]
    extensions_required: Vec<Text<'a>>,
    pub(super) scene: Option<u32>,
    #[serde(default, deserialize_with = "entries")]
    pub(super) scenes: Vec<SceneNodes>,
    #[serde(default, deserialize_with = "entries")]
    pub(super) nodes: Vec<Node>,
    #[serde(default, deserialize_with = "entries")]
    pub(super) meshes: Vec<Mesh>,
    #[serde(borrow, default, deserialize_with = "entries")]
    pub(super) accessors: Vec<Accessor<'a>>,
    #[serde(default, deserialize_with = "entries")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(borrow, default, deserialize_with = "entries")]
    pub(super) buffers: Vec<Buffer<'a>>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct SceneNodes {
    #[serde(default)]
    pub(super) nodes: Vec<u32>,
}

/// Few have all that a node can have, and there may be many nodes: what is seldom there is in a box.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Node {
    #[serde(default)]
    pub(super) children: Vec<u32>,
    pub(super) mesh: Option<u32>,
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<Box<[f64; 3]>>,
    /// With the scalar part last.
    pub(super) rotation: Option<Box<[f64; 4]>>,
    pub(super) scale: Option<Box<[f64; 3]>>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Mesh {
    #[serde(default)]
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Primitive {
    #[serde(default)]
    pub(super) attributes: Attributes,
    pub(super) indices: Option<u32>,
    #[serde(default = "triangles")]
    pub(super) mode: u32,
}

const fn triangles() -> u32 {
    4
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "UPPERCASE", expecting = "an object")]
pub(super) struct Attributes {
    pub(super) position: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct Accessor<'a> {
    pub(super) buffer_view: Option<u32>,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: u64,
    #[serde(borrow, rename = "type")]
    pub(super) kind: Text<'a>,
    pub(super) sparse: Option<Box<Sparse>>,
}

/// Elements of an accessor that are others than its view has.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct SparseValues {
    pub(super) buffer_view: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct BufferView {
    pub(super) buffer: u32,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    pub(super) byte_stride: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct Buffer<'a> {
    #[serde(borrow)]
    pub(super) uri: Option<Text<'a>>,
    pub(super) byte_length: u64,
}

/// Reads the JSON of a file of version 2 that asks for nothing unknown.
pub(super) fn read_document(json: &[u8]) -> Result<Document<'_>, Wrong> {
    let text = std::str::from_utf8(json)
        .map_err(|error| (format!("its JSON is not UTF-8 from its byte {} on", error.valid_up_to()), EXPORT_AGAIN))?;
    if !text.trim_start().starts_with('{') {
        return Err(("its JSON is no object, as that of a glTF is".to_owned(), EXPORT_AGAIN));
    }
    if structure(text) > MAX_STRUCTURE {
        let why = format!("its JSON has more than {} MiB outside of strings", MAX_STRUCTURE >> 20);
        return Err((why, "export only the meshes that are needed"));
    }
    // Of another version everything else may be different, too.
    check_version(parse::<Head<'_>>(text)?.asset.as_ref())?;
    let document: Document<'_> = parse(text)?;
    document.check_lengths()?;
    document.check_extensions()?;
    Ok(document)
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Wrong> {
    serde_json::from_str(text).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        let told = error.to_string();
        let told = told.rsplit_once(" at line ").map_or(told.as_str(), |(told, _)| told);
        (format!("its JSON is not that of a glTF in {place}: {}", shortened(told)), EXPORT_AGAIN)
    })
}

/// How many bytes of JSON are neither blank nor in strings.
fn structure(text: &str) -> usize {
    let (mut count, mut is_string, mut is_escaped) = (0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => count += usize::from(!is_string),
        }
    }
    count
}

fn check_version(asset: Option<&Asset<'_>>) -> Result<(), Wrong> {
    let asset = asset.ok_or_else(|| ("its JSON has no `asset`, as every glTF has".to_owned(), EXPORT_AGAIN))?;
    let version = asset.min_version.as_ref().unwrap_or(&asset.version).0.as_ref();
    let is_known = match &asset.min_version {
        Some(least) => least.0 == "2.0",
        None => version.split('.').next() == Some("2"),
    };
    if is_known {
        return Ok(());
    }
    Err((format!("it is of version {} of glTF", quoted(&shortened(version))), "export it as glTF 2.0"))
}

impl Document<'_> {
    fn check_lengths(&self) -> Result<(), Wrong> {
        let lists = [
            ("scenes", self.scenes.len()),
            ("nodes", self.nodes.len()),
            ("meshes", self.meshes.len()),
            ("accessors", self.accessors.len()),
            ("bufferViews", self.buffer_views.len()),
            ("buffers", self.buffers.len()),
            ("extensionsRequired", self.extensions_required.len()),
        ];
        match lists.into_iter().find(|(_, length)| *length > MAX_ENTRIES) {
            Some((name, _)) => {
                Err((format!("it has more than {MAX_ENTRIES} `{name}`"), "export only the meshes that are needed"))
            }
            None => Ok(()),
        }
    }

    /// Refuses what cannot be understood without an extension that is not known.
    fn check_extensions(&self) -> Result<(), Wrong> {
        let is_known = |name: &str| KNOWN.contains(&name) || LOOKS.iter().any(|start| name.starts_with(start));
        let Some(name) = self.extensions_required.iter().map(|text| text.0.as_ref()).find(|name| !is_known(name))
        else {
            return Ok(());
        };
        let hint = if name.contains("compression") {
            "export it once more, without compression of meshes"
        } else {
            "export it once more, without this extension"
        };
        Err((format!("it requires the extension {}, which is not read", quoted(&shortened(name))), hint))
    }
}

/// The entry of a list that something names by its number.
pub(super) fn entry<'l, T>(list: &'l [T], name: &str, number: u32, by: impl Fn() -> String) -> Result<&'l T, Wrong> {
    list.get(number as usize).ok_or_else(|| {
        (format!("{} names {name}[{number}], and there are {} `{name}`", by(), list.len()), EXPORT_AGAIN)
    })
}

/// The beginning of a text from the file.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// A list of at most one entry more than there may be; the others are skipped.
fn entries<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    struct List<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
        type Value = Vec<T>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut entries = Vec::new();
            while entries.len() <= MAX_ENTRIES {
                match list.next_element()? {
                    Some(entry) => entries.push(entry),
                    None => return Ok(entries),
                }
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(entries)
        }
    }

    deserializer.deserialize_seq(List(PhantomData))
}
