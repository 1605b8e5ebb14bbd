//! The hash of all data of a step under way: the root of the state's hash, and a digest per derived section.

use crate::math::Scalar;
use crate::state::visitor::Writer;
use crate::world::derived::{Names, StepData, fields};
use crate::world::encode::Section;
use crate::world::state_hash::StateHash;

/// Separates these hashes from every other use of BLAKE3.
const CONTEXT: &str = "physim step data 1";

/// The hash of the data of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataHash {
    /// Over everything.
    pub root: [u8; 32],
    /// That of the state.
    pub state: StateHash,
    /// The beginning of the digest of each derived section that there is.
    pub derived: Vec<(Section, [u8; 8])>,
}

impl<S: Scalar> StepData<S> {
    /// The hash of these data, and how many bytes were hashed.
    #[must_use]
    pub fn hash_and_size(&self) -> (DataHash, usize) {
        let encoded = self.state.encode();
        let state = StateHash::of(&encoded, S::KIND);
        let mut size = Section::ALL.map(|section| encoded.length_of(section)).into_iter().sum();
        let mut root = blake3::Hasher::new();
        root.update(CONTEXT.as_bytes()).update(&state.root);
        let mut derived = Vec::new();
        for (section, bytes) in self.derived_bytes() {
            let digest = blake3::hash(&bytes);
            root.update(section.name().as_bytes()).update(digest.as_bytes());
            let mut short = [0; 8];
            short.copy_from_slice(&digest.as_bytes()[..8]);
            derived.push((section, short));
            size += bytes.len();
        }
        (DataHash { root: root.finalize().into(), state, derived }, size)
    }

    /// The bytes of each derived section that has objects, each object led by its ids.
    fn derived_bytes(&self) -> Vec<(Section, Vec<u8>)> {
        let mut sections: Vec<(Section, Vec<u8>)> = Vec::new();
        let names = Names { bodies: self.state.body_names(), joints: self.state.joint_names() };
        fields::for_each_derived(&mut self.derived.clone(), &names, &mut |name, ids, visit| {
            if sections.last().is_none_or(|(section, _)| *section != name.section) {
                sections.push((name.section, Vec::new()));
            }
            if let Some((_, bytes)) = sections.last_mut() {
                ids.iter().for_each(|id| bytes.extend_from_slice(&id.to_le_bytes()));
                visit(&mut Writer::new(bytes));
            }
        });
        sections
    }
}
