//! A golden, replay or hash log, and the result that is to take its place: what changes, and whether it may.

mod less;

use std::collections::BTreeMap;

use crate::analysis::Verdict;
use crate::analysis::diff::{Diff, DiffOptions, diff_replays};
use crate::analysis::golden::less::told_no_more;
use crate::analysis::run_source::{DiffError, RunSource, diff_sources};
use crate::analysis::verify::log::compare_runs;
use crate::analysis::verify::verify_replay;
use crate::replay::{LogEnd, LogError, LogSource, Replay};

/// A count of what the run exercised that is another now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountChange {
    /// What is counted.
    pub name: String,
    /// In the golden.
    pub before: u64,
    /// In the new result.
    pub after: u64,
}

/// What changes from a golden to a new result.
#[derive(Clone, Debug)]
pub struct GoldenChange {
    /// Where the two diverge.
    pub diff: Diff,
    /// The counts that differ, by name.
    pub counts: Vec<CountChange>,
    /// The faults planted in the new result; the golden has them too.
    pub planted: Vec<String>,
    /// Whether there is no golden yet.
    pub is_first: bool,
    /// What a golden log tells and the new one does not, in words.
    pub less: Vec<String>,
}

/// Why a new result cannot take the place of a golden.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// They are of different scenes.
    #[error("the golden is of the scene \"{golden}\", the new result of \"{new}\"")]
    OtherScene {
        /// The name of the golden's scene.
        golden: String,
        /// The name of the new result's scene.
        new: String,
    },
    /// A fault was planted in it that the golden does not have.
    #[error("a fault is planted in the new result that the golden does not have: {fault}")]
    Planted {
        /// The first such fault.
        fault: String,
    },
    /// Nothing would change but the reason.
    #[error("the new result equals the golden")]
    Equal,
    /// The new result is not what this build gives, so that the golden would not hold either.
    #[error("the new result is of another build: this one does not give it{}", at_step(.step))]
    NotReproduced {
        /// The first step that differs, where one does.
        step: Option<u32>,
    },
}

fn at_step(step: &Option<u32>) -> String {
    step.map_or_else(String::new, |step| format!(" from step {step} on"))
}

/// Compares a golden with a new result, which must be one that this build gives.
///
/// # Errors
/// When the new result may not take the golden's place.
pub fn golden_change(
    golden: &Replay,
    new: &Replay,
    threads: u32,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<GoldenChange, Refusal> {
    if golden.header.scene_name != new.header.scene_name {
        let [golden, new] = [golden, new].map(|replay| replay.header.scene_name.clone());
        return Err(Refusal::OtherScene { golden, new });
    }
    if let Some(planted) = new.perturbations.iter().find(|planted| !golden.perturbations.contains(planted)) {
        return Err(Refusal::Planted { fault: planted.fault.clone() });
    }
    if as_a_result(golden) == as_a_result(new) {
        return Err(Refusal::Equal);
    }
    let verification = verify_replay(new, threads, progress);
    if verification.verdict != Verdict::Same {
        return Err(Refusal::NotReproduced { step: verification.first.map(|first| first.step) });
    }
    Ok(GoldenChange {
        diff: diff_replays(golden, new, DiffOptions { window: 0, ..DiffOptions::default() }),
        counts: count_changes(golden, new),
        planted: new.perturbations.iter().map(|planted| planted.fault.clone()).collect(),
        is_first: false,
        less: Vec::new(),
    })
}

/// Compares a golden log, if there is one, with what its program printed, each with how it ends. Whether the program prints it again
/// is not known here.
///
/// # Errors
/// When a log cannot be read any more.
pub fn golden_log_change(
    golden: Option<(&LogSource, &LogEnd)>,
    (new, new_end): (&LogSource, &LogEnd),
) -> Result<Result<GoldenChange, Refusal>, LogError> {
    let count = |name: &str, of: fn(&LogEnd) -> u64| CountChange {
        name: name.to_owned(),
        before: golden.map_or(0, |(_, end)| of(end)),
        after: of(new_end),
    };
    let counts =
        [count("checkpoints", |end| end.checkpoints), count("last step", |end| end.last_step.map_or(0, u64::from))];
    let counts = counts.into_iter().filter(|change| change.before != change.after).collect();
    let mut change = GoldenChange {
        diff: Diff::new(Verdict::Same),
        counts,
        planted: Vec::new(),
        is_first: golden.is_none(),
        less: golden.map_or_else(Vec::new, |(golden, _)| told_no_more(golden, new)),
    };
    let Some((golden, _)) = golden else { return Ok(Ok(change)) };
    if compare_runs(golden, new).found.verdict == Verdict::Same && change.counts.is_empty() {
        return Ok(Err(Refusal::Equal));
    }
    let [a, b] = [golden, new].map(|log| RunSource::Log(log.clone()));
    let options = DiffOptions { window: 0, ..DiffOptions::default() };
    change.diff = match diff_sources(&a, &b, options) {
        Ok(diff) => diff,
        Err(DiffError::Apart(why)) => Diff { notes: vec![why], ..Diff::new(Verdict::Diverged) },
        Err(DiffError::Log(error)) => return Err(error),
    };
    // What is lost is told by itself, and more of it.
    let of_golden = format!("only {} tells ", golden.name());
    change.diff.notes.retain(|note| change.less.is_empty() || !note.starts_with(&of_golden));
    Ok(Ok(change))
}

/// A replay without what only tells of its making.
fn as_a_result(replay: &Replay) -> Replay {
    let mut result = replay.clone();
    result.header.reason = None;
    result.header.scene_file = None;
    result.header.threads = 1;
    result.header.producer.clear();
    result
}

fn count_changes(golden: &Replay, new: &Replay) -> Vec<CountChange> {
    let counters =
        |replay: &Replay| replay.ending.as_ref().map_or_else(BTreeMap::new, |ending| ending.counters.clone());
    let (before, after) = (counters(golden), counters(new));
    let number = |counters: &BTreeMap<String, u64>, name: &String| counters.get(name).copied().unwrap_or(0);
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let changes = names.into_iter().map(|name| CountChange {
        name: name.clone(),
        before: number(&before, name),
        after: number(&after, name),
    });
    changes.filter(|change| change.before != change.after).collect()
}
