//! Steps that a log tells of more than once, as that of an engine does which rolls back and simulates steps again: the last telling
//! of a step counts.
//!
//! What is kept is 24 bytes for each step, whatever is told of it.

use std::collections::BTreeMap;
use std::io::BufRead;
use std::sync::Arc;

use crate::replay::checkpoint::{Checkpoint, CheckpointOrder};
use crate::replay::hash_log::{HashLogReader, write_checkpoint};

/// What steps of a log are told of more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resimulation {
    /// The lines, from 1, at which what counts begins, step by step.
    pub(super) lines: Arc<[u64]>,
    /// How often a step was told of once more.
    pub resimulated: u64,
    /// The first telling that is not as the one before it.
    pub changed: Option<ChangedStep>,
    /// The last step that counts and the highest that was told of before, where the log ends before it comes to that again.
    pub ends_behind: Option<(u32, u32)>,
}

/// A step of which two tellings differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangedStep {
    /// The step.
    pub step: u32,
    /// The line at which it was told of before, from 1.
    pub before: u64,
    /// The line at which it was told of again.
    pub again: u64,
}

/// One telling of a step.
#[derive(Clone, Copy)]
struct Take {
    step: u32,
    line: u64,
    digest: u64,
}

/// Reads a log through, to see what counts of it; up to what is wrong with it, which whoever reads it for good comes to as well.
pub(super) fn resimulation_of(reader: &mut HashLogReader<impl BufRead>) -> Resimulation {
    let mut index = Index::default();
    while let Ok(Some(checkpoint)) = reader.next_told() {
        index.add(&checkpoint, reader.line);
    }
    index.close();
    let lines = index.kept.iter().map(|take| take.line).collect();
    let last = index.kept.last().map(|take| take.step);
    let highest = index.undone.last_key_value().map(|(step, _)| *step);
    let ends_behind = last.zip(highest).filter(|(last, highest)| last < highest);
    Resimulation { lines, resimulated: index.resimulated, changed: index.changed, ends_behind }
}

#[derive(Default)]
struct Index {
    /// What counts so far, by rising steps.
    kept: Vec<Take>,
    /// Steps that were gone back behind and have not been told of again.
    undone: BTreeMap<u32, Take>,
    /// The telling that is being read.
    open: Option<(Take, blake3::Hasher)>,
    order: CheckpointOrder,
    resimulated: u64,
    changed: Option<ChangedStep>,
}

impl Index {
    fn add(&mut self, checkpoint: &Checkpoint, line: u64) {
        let goes_on = self.open.as_ref().is_some_and(|(open, _)| open.step == checkpoint.step)
            && !self.order.is_again(checkpoint);
        if !goes_on {
            self.close();
            self.order = CheckpointOrder::default();
            let take = Take { step: checkpoint.step, line, digest: 0 };
            self.open = Some((take, blake3::Hasher::new()));
        }
        // It is checked when it is read as one that counts.
        let _ = self.order.admit(checkpoint);
        if let Some((_, digest)) = &mut self.open {
            let _ = write_checkpoint(digest, checkpoint);
        }
    }

    /// Takes down the telling that has been read: it counts, and what was told of the same and of later steps does not.
    fn close(&mut self) {
        let Some((open, digest)) = self.open.take() else { return };
        let mut bytes = [0; 8];
        digest.finalize_xof().fill(&mut bytes);
        let take = Take { digest: u64::from_le_bytes(bytes), ..open };
        while let Some(later) = self.kept.pop_if(|kept| kept.step >= take.step) {
            self.undone.insert(later.step, later);
        }
        if let Some(before) = self.undone.remove(&take.step) {
            self.resimulated += 1;
            if before.digest != take.digest && self.changed.is_none() {
                self.changed = Some(ChangedStep { step: take.step, before: before.line, again: take.line });
            }
        }
        self.kept.push(take);
    }
}
