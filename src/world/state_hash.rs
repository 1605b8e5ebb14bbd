//! The hash of a state: a digest per section, and the root over them.
//!
//! Sections are hashed in bulk: a leaf per object would cost many times as much and is needed only under trace.

use crate::math::ScalarKind;
use crate::world::encode::{Encoded, Section};

/// Separates these hashes from every other use of BLAKE3; the version rises with the shape of the tree.
const ROOT_CONTEXT: &str = "physim state root 2";

/// The hash of one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHash {
    /// Over all sections.
    pub root: [u8; 32],
    /// The beginning of each section's digest, in the order of [`Section::ALL`].
    pub sections: [[u8; 8]; Section::ALL.len()],
}

impl StateHash {
    /// The hash of an encoded state of a run with this scalar.
    #[must_use]
    pub fn of(encoded: &Encoded, scalar: ScalarKind) -> Self {
        let mut root = blake3::Hasher::new();
        root.update(ROOT_CONTEXT.as_bytes());
        root.update(scalar.name().as_bytes());
        let mut sections = [[0; 8]; Section::ALL.len()];
        for (section, short) in Section::ALL.into_iter().zip(&mut sections) {
            let digest = blake3::hash(encoded.section(section));
            root.update(digest.as_bytes());
            let length = short.len();
            short.copy_from_slice(&digest.as_bytes()[..length]);
        }
        Self { root: root.finalize().into(), sections }
    }

    /// The root in hexadecimal.
    #[must_use]
    pub fn hex(&self) -> String {
        blake3::Hash::from_bytes(self.root).to_hex().to_string()
    }
}
