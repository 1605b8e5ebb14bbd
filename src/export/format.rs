//! The kinds of files that states can be written as.

use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::replay::format::LIBRARY;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A table as text, a row for each body and step.
    Csv,
    /// A table as Apache Parquet, the same rows.
    Parquet,
    /// Arrays for numpy, one for each field.
    Npz,
    /// Messages for Foxglove and Rerun, in an MCAP file.
    Foxglove,
    /// A scene that moves, as binary glTF.
    Gltf,
    /// A table as text, a row for each step: energies, momenta, contacts.
    Energy,
}

/// How an MCAP file of ours without a profile begins: the magic, the opcode of its header, the header's length, no
/// profile. A replay has a profile.
const FOXGLOVE_START: [u8; 21] = {
    let mut start = *b"\x89MCAP0\r\n\x01\0\0\0\0\0\0\0\0\0\0\0\0";
    // Both texts have their length before them, in four bytes.
    start[9] = 4 + 4 + LIBRARY.len() as u8;
    start
};

impl ExportFormat {
    /// Every format.
    pub const ALL: [Self; 6] = [Self::Csv, Self::Parquet, Self::Npz, Self::Foxglove, Self::Gltf, Self::Energy];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::Npz => "npz",
            Self::Foxglove => "foxglove",
            Self::Gltf => "gltf",
            Self::Energy => "energy",
        }
    }

    /// The format of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// The format that the extension of a file name says; `None` where it says nothing.
    #[must_use]
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "csv" => Some(Self::Csv),
            "parquet" => Some(Self::Parquet),
            "npz" => Some(Self::Npz),
            "mcap" => Some(Self::Foxglove),
            "glb" => Some(Self::Gltf),
            _ => None,
        }
    }

    /// Whether a program that reads text can read it.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Csv | Self::Energy)
    }

    /// Whether a file was written by an export in this format: what another may take the place of.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn is_ours(self, file: &mut (impl Read + Seek)) -> std::io::Result<bool> {
        match self {
            Self::Csv => begins_with(file, b"step,time,body,"),
            Self::Energy => begins_with(file, b"step,time,bodies,"),
            Self::Foxglove => begins_with(file, &FOXGLOVE_START),
            Self::Npz => Ok(begins_with(file, b"PK\x03\x04")? && begins_at(file, ZIP_NAME, b"body.npy")?),
            Self::Parquet => Ok(begins_with(file, b"PAR1")? && ends_with_mark(file, b"physim.producer")?),
            Self::Gltf => Ok(begins_with(file, b"glTF")? && head_has_mark(file, b"\"generator\":\"physim ")?),
        }
    }
}

/// Where the name of its first file stands in a zip archive.
const ZIP_NAME: u64 = 30;
/// In so many last bytes a Parquet file of ours names its producer.
const PARQUET_FOOT: u64 = 64 << 10;
/// As much of the JSON of a glTF scene is searched.
const GLTF_HEAD: u64 = 64 << 20;

fn begins_with(file: &mut (impl Read + Seek), mark: &[u8]) -> std::io::Result<bool> {
    begins_at(file, 0, mark)
}

fn begins_at(file: &mut (impl Read + Seek), from: u64, mark: &[u8]) -> std::io::Result<bool> {
    Ok(bytes_from(file, SeekFrom::Start(from), mark.len() as u64)? == mark)
}

fn ends_with_mark(file: &mut (impl Read + Seek), mark: &[u8]) -> std::io::Result<bool> {
    let length = file.seek(SeekFrom::End(0))?;
    let foot = bytes_from(file, SeekFrom::Start(length.saturating_sub(PARQUET_FOOT)), PARQUET_FOOT)?;
    Ok(holds(&foot, mark))
}

/// Whether the JSON of a binary glTF file holds a mark: its length stands after magic, version and length of the file.
fn head_has_mark(file: &mut (impl Read + Seek), mark: &[u8]) -> std::io::Result<bool> {
    let length = bytes_from(file, SeekFrom::Start(12), 4)?;
    let length = <[u8; 4]>::try_from(length).map_or(0, u32::from_le_bytes);
    let json = bytes_from(file, SeekFrom::Start(20), u64::from(length).min(GLTF_HEAD))?;
    Ok(holds(&json, mark))
}

fn bytes_from(file: &mut (impl Read + Seek), from: SeekFrom, count: u64) -> std::io::Result<Vec<u8>> {
    file.seek(from)?;
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn holds(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark)
}
