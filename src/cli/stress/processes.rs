//! What attacks with other processes share: logs held against the first run.

use crate::analysis::FirstDifference;
use crate::analysis::stress::name::first_section;
use crate::analysis::stress::{DivergedRun, baseline::Baseline};
use crate::replay::Checkpoint;
use crate::world::encode::Section;
use crate::world::state_hash::StateHash;

/// The first end of a step whose hash is not that of the first run; and how many ends were compared.
pub fn held_against(baseline: &Baseline, checkpoints: &[Checkpoint], run: &str) -> (u64, Option<DivergedRun>) {
    let mut compared = 0;
    for checkpoint in checkpoints.iter().filter(|checkpoint| checkpoint.stage.is_none()) {
        let Some(expected) = baseline.hashes.get(checkpoint.step as usize) else { continue };
        if checkpoint.hash.as_deref() != Some(expected.hex().as_str()) {
            let section = differing_section(expected, checkpoint).map(|section| section.name().to_owned());
            let first = FirstDifference { section, ..FirstDifference::in_step(checkpoint.step) };
            return (compared, Some(DivergedRun { run: run.to_owned(), first, notes: Vec::new() }));
        }
        compared += 1;
    }
    (compared, None)
}

/// The first section whose digest is another, where the log tells of sections.
fn differing_section(expected: &StateHash, checkpoint: &Checkpoint) -> Option<Section> {
    let told: Option<Vec<[u8; 8]>> = Section::ALL
        .iter()
        .map(|section| {
            let digest = checkpoint.sections().iter().find(|digest| digest.name == section.name())?;
            u64::from_str_radix(&digest.hash, 16).ok().map(u64::to_be_bytes)
        })
        .collect();
    first_section(&expected.sections, &told?)
}
