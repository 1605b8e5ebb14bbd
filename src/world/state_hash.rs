//! The hash of a state: a digest per section, and the root over them.
//!
//! Sections are hashed in bulk: a leaf per object would cost many times as much and is needed only under trace. Constant columns keep
//! their digest, so that a step pays for what moves.

use crate::math::ScalarKind;
use crate::parallel::Executor;
use crate::world::encode::{Encoded, Section};

/// Separates these hashes from every other use of BLAKE3; the version rises with the shape of the tree.
const ROOT_CONTEXT: &str = "physim state root 3";

/// So many bytes one thread hashes alone: at 5 GB/s fewer would not be worth another thread's coming.
const BYTES_ALONE: usize = 1 << 16;

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
        Self::on_threads(encoded, scalar, &mut Executor::default())
    }

    /// The same, of one section per thread.
    #[must_use]
    pub fn on_threads(encoded: &Encoded, scalar: ScalarKind, executor: &mut Executor) -> Self {
        let mut digests = [blake3::Hash::from_bytes([0; 32]); Section::ALL.len()];
        let at_once = if encoded.moving_length() > BYTES_ALONE { 1 } else { Section::ALL.len() };
        executor.for_each_part(at_once, (&Section::ALL[..], &mut digests[..]), |_, (sections, digests)| {
            for (section, digest) in sections.iter().zip(digests) {
                *digest = digest_of(encoded, *section);
            }
        });
        let mut root = blake3::Hasher::new();
        root.update(ROOT_CONTEXT.as_bytes());
        root.update(scalar.name().as_bytes());
        let mut sections = [[0; 8]; Section::ALL.len()];
        for (digest, short) in digests.iter().zip(&mut sections) {
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

/// The digest of a section: over what follows its constant columns and then, where it has such, over their digest. They come last
/// so that the bulk is hashed in whole blocks.
fn digest_of(encoded: &Encoded, section: Section) -> blake3::Hash {
    let moving = encoded.moving(section);
    match encoded.constants(section) {
        None => blake3::hash(moving),
        Some(constants) => blake3::Hasher::new().update(moving).update(constants.digest()).finalize(),
    }
}
