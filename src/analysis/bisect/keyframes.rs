//! States of a run that are kept in memory, so that a gap can be run again without all that came before it.

use std::collections::BTreeMap;

/// How many bytes of states are kept. Beyond that every second one is dropped, and the gaps between them double.
const MAX_BYTES: usize = 64 << 20;

/// States of a run, evenly spaced.
#[derive(Clone, Debug)]
pub struct Keyframes {
    states: BTreeMap<u32, Vec<u8>>,
    every: u32,
    bytes: usize,
}

impl Keyframes {
    /// Keeps a state each so many steps, as long as there is room.
    #[must_use]
    pub fn new(every: u32) -> Self {
        Self { states: BTreeMap::new(), every: every.max(1), bytes: 0 }
    }

    /// Keeps the state after a step, if one is due then.
    pub fn offer(&mut self, step: u32, state: &[u8]) {
        self.offer_within(step, state, MAX_BYTES);
    }

    fn offer_within(&mut self, step: u32, state: &[u8], most: usize) {
        if !step.is_multiple_of(self.every) {
            return;
        }
        self.states.insert(step, state.to_vec());
        self.bytes += state.len();
        while self.bytes > most && self.states.len() > 1 {
            self.every = self.every.saturating_mul(2);
            self.states.retain(|step, _| step.is_multiple_of(self.every));
            self.bytes = self.states.values().map(Vec::len).sum();
        }
    }

    /// The last state that is kept before a step; in state 0, that one.
    #[must_use]
    pub fn before(&self, step: u32) -> Option<(u32, &[u8])> {
        let (step, state) = self.states.range(..step.max(1)).next_back()?;
        Some((*step, state))
    }
}

#[cfg(test)]
mod tests {
    use super::Keyframes;

    #[test]
    fn the_gaps_grow_where_room_is_short() {
        let mut keyframes = Keyframes::new(3);
        for step in 0..100 {
            keyframes.offer_within(step, &[step as u8; 10], 80);
            assert!(keyframes.bytes <= 80);
        }
        assert_eq!(keyframes.before(0).map(|(step, _)| step), Some(0));
        assert_eq!(keyframes.before(24).map(|(step, _)| step), Some(0));
        assert_eq!(keyframes.before(25), Some((24, [24; 10].as_slice())));
        assert_eq!(keyframes.before(99).map(|(step, _)| step), Some(96));
    }
}
