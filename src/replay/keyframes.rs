//! Whole states of a run, by step: where each lies is kept in memory, the states themselves only while they are few bytes.

use std::collections::BTreeMap;
use std::ops::RangeBounds;

use crate::replay::store::{Store, Stored};

/// Whole states, by step.
///
/// A state that cannot be read back from a temporary file has no bytes, which no state has.
#[derive(Clone, Debug)]
pub struct Keyframes {
    /// Where each begins, and how long it is.
    places: BTreeMap<u32, (u64, usize)>,
    states: Stored,
}

impl Keyframes {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Whether there is one of a step.
    #[must_use]
    pub fn contains(&self, step: u32) -> bool {
        self.places.contains_key(&step)
    }

    /// The state of a step.
    #[must_use]
    pub fn get(&self, step: u32) -> Option<Vec<u8>> {
        let (place, length) = self.places.get(&step)?;
        Some(self.states.read(*place, *length).unwrap_or_default())
    }

    /// The steps, in their order.
    #[must_use]
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.places.keys().copied()
    }

    /// The steps within a range.
    pub fn within(&self, range: impl RangeBounds<u32>) -> impl DoubleEndedIterator<Item = u32> + '_ {
        self.places.range(range).map(|(step, _)| *step)
    }

    /// Changes them, for whoever makes another replay of one: all are taken into memory.
    pub fn change(&mut self, change: impl FnOnce(&mut BTreeMap<u32, Vec<u8>>)) {
        let mut all: BTreeMap<u32, Vec<u8>> = self.iter().collect();
        change(&mut all);
        *self = all.into();
    }

    /// Steps and states, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Vec<u8>)> + '_ {
        self.steps().map(|step| (step, self.get(step).unwrap_or_default()))
    }
}

impl PartialEq for Keyframes {
    fn eq(&self, other: &Self) -> bool {
        self.steps().eq(other.steps()) && self.iter().eq(other.iter())
    }
}

impl Eq for Keyframes {}

impl From<BTreeMap<u32, Vec<u8>>> for Keyframes {
    fn from(map: BTreeMap<u32, Vec<u8>>) -> Self {
        let (mut places, mut bytes) = (BTreeMap::new(), Vec::new());
        for (step, state) in map {
            places.insert(step, (bytes.len() as u64, state.len()));
            bytes.extend(state);
        }
        Self { places, states: Stored::Memory(bytes.into()) }
    }
}

impl FromIterator<(u32, Vec<u8>)> for Keyframes {
    fn from_iter<I: IntoIterator<Item = (u32, Vec<u8>)>>(states: I) -> Self {
        states.into_iter().collect::<BTreeMap<u32, Vec<u8>>>().into()
    }
}

/// Takes states as they are read.
#[derive(Debug, Default)]
pub(super) struct KeyframesTaken {
    places: BTreeMap<u32, (u64, usize)>,
    states: Store,
}

impl KeyframesTaken {
    /// Adds the state of a step.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub(super) fn insert(&mut self, step: u32, state: &[u8]) -> std::io::Result<()> {
        let place = self.states.add(state)?;
        self.places.insert(step, (place, state.len()));
        Ok(())
    }

    pub(super) fn contains(&self, step: u32) -> bool {
        self.places.contains_key(&step)
    }

    /// All that were added.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub(super) fn into_keyframes(self) -> std::io::Result<Keyframes> {
        Ok(Keyframes { places: self.places, states: self.states.into_stored()? })
    }
}
