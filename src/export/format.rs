//! The kinds of files that states can be written as.

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

    /// How a file of this format begins, by which it is told from others.
    #[must_use]
    pub const fn magic(self) -> &'static [u8] {
        match self {
            Self::Csv | Self::Energy => b"step,time,",
            Self::Parquet => b"PAR1",
            Self::Npz => b"PK\x03\x04",
            Self::Foxglove => &FOXGLOVE_START,
            Self::Gltf => b"glTF",
        }
    }
}
