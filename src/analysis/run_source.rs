//! What can tell where two runs diverge: replays, traces, hash logs and ladders, in any mix that makes sense.

use std::collections::BTreeSet;

use crate::analysis::compare_checkpoints::{CheckpointComparison, compare_checkpoints};
use crate::analysis::diff::settings::SettingDifference;
use crate::analysis::diff::{Diff, DiffOptions, diff_recovered};
use crate::analysis::outcome::{FirstDifference, Spread, Verdict};
use crate::analysis::trace::{TracePlan, recorded_checkpoint, trace_replay};
use crate::replay::trace::{RecoveredTrace, TraceHeader};
use crate::replay::{Checkpoint, HashLog, Ladder, Recovered, compare_ladders};

/// A recording of a run.
#[derive(Clone, Debug)]
pub enum RunSource {
    /// A recorded run.
    Replay(Box<Recovered>),
    /// Every checkpoint of some steps.
    Trace(Box<RecoveredTrace>),
    /// The hashes of steps as text.
    Log(HashLog),
    /// The hashes of a few steps.
    Ladder(Ladder),
}

impl RunSource {
    /// What it is called.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Replay(_) => "replay",
            Self::Trace(_) => "trace",
            Self::Log(_) => "hash log",
            Self::Ladder(_) => "ladder",
        }
    }

    /// What is wrong with the file, if something is.
    fn damage(&self) -> Option<String> {
        match self {
            Self::Replay(recovered) => recovered.damage.as_ref().map(ToString::to_string),
            Self::Trace(recovered) => recovered.damage.as_ref().map(ToString::to_string),
            Self::Log(log) => log.damage.clone(),
            Self::Ladder(_) => None,
        }
    }

    /// The steps whose end it tells of.
    fn steps(&self) -> BTreeSet<u32> {
        match self {
            Self::Replay(recovered) => (0_u32..).zip(&recovered.replay.steps).map(|(step, _)| step).collect(),
            Self::Trace(recovered) => recovered.trace.checkpoints.iter().map(|checkpoint| checkpoint.step).collect(),
            Self::Log(log) => log.checkpoints.iter().map(|checkpoint| checkpoint.step).collect(),
            Self::Ladder(ladder) => ladder.rungs.iter().map(|rung| rung.step).collect(),
        }
    }

    /// Its checkpoints, or those a replay recorded of these steps; hashes cut to `digits`.
    fn checkpoints(&self, steps: &BTreeSet<u32>, digits: usize) -> Vec<Checkpoint> {
        let mut checkpoints = match self {
            Self::Replay(recovered) => {
                let recorded = steps.iter().filter_map(|step| recorded_checkpoint(&recovered.replay, *step));
                recorded.collect()
            }
            Self::Trace(recovered) => recovered.trace.checkpoints.clone(),
            Self::Log(log) => log.checkpoints.clone(),
            Self::Ladder(ladder) => {
                ladder.rungs.iter().map(|rung| Checkpoint::of_hash(rung.step, rung.hash.as_str())).collect()
            }
        };
        for hash in checkpoints.iter_mut().filter_map(|checkpoint: &mut Checkpoint| checkpoint.hash.as_mut()) {
            if hash.len() > digits && hash.is_char_boundary(digits) {
                hash.truncate(digits);
            }
        }
        checkpoints
    }

    /// Whether it tells more of a step than its end.
    fn is_detailed(&self, step: u32) -> bool {
        let detailed = |checkpoints: &[Checkpoint]| {
            checkpoints.iter().any(|checkpoint| {
                checkpoint.step == step && (checkpoint.stage.is_some() || !checkpoint.objects.is_empty())
            })
        };
        match self {
            Self::Replay(_) | Self::Ladder(_) => false,
            Self::Trace(recovered) => detailed(&recovered.trace.checkpoints),
            Self::Log(log) => detailed(&log.checkpoints),
        }
    }
}

/// Digits of the hashes in a ladder; elsewhere they have as many as they have.
const LADDER_DIGITS: usize = 32;

/// Compares what tells of two runs.
///
/// # Errors
/// When nothing on one side can be compared with the other: what to do instead.
pub fn diff_sources(a: &RunSource, b: &RunSource, options: DiffOptions) -> Result<Diff, String> {
    if let (RunSource::Replay(a), RunSource::Replay(b)) = (a, b) {
        return Ok(diff_recovered(a, b, options));
    }
    let compared = match (a, b) {
        (RunSource::Ladder(a), RunSource::Ladder(b)) => of_ladders(a, b),
        (RunSource::Ladder(a), RunSource::Replay(b)) => of_ladders(a, &rungs_of(b, a)),
        (RunSource::Replay(a), RunSource::Ladder(b)) => of_ladders(&rungs_of(a, b), b),
        _ => of_checkpoints(a, b),
    };
    let is_damaged = a.damage().or(b.damage()).is_some();
    let mut diff = match compared {
        Ok(diff) => diff,
        // What cannot be compared because it is damaged is damaged first of all.
        Err(why) if is_damaged => Diff { notes: vec![why], ..Diff::new(Verdict::Damaged) },
        Err(why) => return Err(why),
    };
    for (name, source) in [("first", a), ("second", b)] {
        if let Some(damage) = source.damage() {
            diff.verdict = Verdict::Damaged;
            diff.notes
                .push(format!("the {name}, a {}, is damaged: {damage}; compared as far as it goes", source.kind()));
        }
    }
    Ok(diff)
}

/// The ladder that a replay has at the rungs of another.
fn rungs_of(recovered: &Recovered, other: &Ladder) -> Ladder {
    let steps: Vec<u32> = other.rungs.iter().map(|rung| rung.step).collect();
    Ladder::at(&recovered.replay.header, &recovered.replay.scene, &recovered.replay.steps, &steps)
}

fn of_ladders(a: &Ladder, b: &Ladder) -> Result<Diff, String> {
    let comparison = compare_ladders(a, b);
    if comparison.common == 0 {
        return Err("no step is on both sides; make both ladders with the same `--steps FROM..TO`".to_owned());
    }
    let mut diff = Diff::new(Verdict::Same);
    for setting in &comparison.settings {
        diff.settings.push(SettingDifference { key: setting.key, a: setting.a.clone(), b: setting.b.clone() });
    }
    diff.last_same = comparison.last_same;
    if let Some(step) = comparison.first_differing {
        diff.verdict = Verdict::Diverged;
        diff.first = Some(FirstDifference::in_step(step));
    } else {
        diff.notes.push(format!(
            "the same in every step that both show, {} in number; between them nothing is known",
            comparison.common
        ));
    }
    if let Some((from, to)) = comparison.narrowed() {
        diff.notes.push(format!(
            "they diverge in one of the steps {} to {to}; narrow it with `physim ladder REPLAY --steps {from}..{to}` on both sides",
            from + 1
        ));
    }
    Ok(diff)
}

/// Compares two sides of which one at least is not a replay, checkpoint by checkpoint.
fn of_checkpoints(a: &RunSource, b: &RunSource) -> Result<Diff, String> {
    let is_ladder = |source: &RunSource| matches!(source, RunSource::Ladder(_));
    let digits = if is_ladder(a) || is_ladder(b) { LADDER_DIGITS } else { usize::MAX };
    let steps = a.steps().intersection(&b.steps()).copied().collect();
    let (of_a, of_b) = (a.checkpoints(&steps, digits), b.checkpoints(&steps, digits));
    let mut comparison = compare_checkpoints(&of_a, &of_b);
    if comparison.compared == 0 {
        return Err(comparison.notes.join("; "));
    }
    let mut notes = std::mem::take(&mut comparison.notes);
    if let Some(step) = comparison.first.as_ref().map(|first| first.step)
        && let Some(closer) = look_closer(a, b, step, &mut notes)
    {
        comparison.first = closer.first.or(comparison.first);
        notes = closer.notes;
    }
    withhold_where_it_began_before(&of_a, &of_b, &mut comparison, &mut notes);
    let mut diff = to_diff(&comparison);
    diff.last_same = last_same(&steps, diff.first.as_ref());
    diff.settings = settings(a, b);
    diff.notes = notes;
    if diff.verdict == Verdict::Same {
        note_what_was_compared(a, b, &steps, &mut diff);
    }
    Ok(diff)
}

/// Of a difference in the very first checkpoint that both sides tell of nobody knows in which stage it came up.
fn withhold_where_it_began_before(
    a: &[Checkpoint],
    b: &[Checkpoint],
    comparison: &mut CheckpointComparison,
    notes: &mut Vec<String>,
) {
    let place = |checkpoint: &Checkpoint| (checkpoint.step, checkpoint.stage.clone(), checkpoint.phase.clone());
    let of_b: BTreeSet<_> = b.iter().map(place).collect();
    let Some(earliest) = a.iter().map(place).find(|place| of_b.contains(place)) else { return };
    let Some(first) = comparison.first.as_mut() else { return };
    if earliest.0 > 0 && first.stage.is_some() && (first.step, first.stage.clone(), first.phase.clone()) == earliest {
        let step = first.step;
        (first.stage, first.phase) = (None, None);
        notes.push(format!(
            "the two differ in the first checkpoint that both tell of, so no stage is named: they may have diverged before step \
             {step}; trace earlier steps, or compare the replays"
        ));
    }
}

/// Says of how many steps nothing is known; a whole run that ends before the other is another run.
fn note_what_was_compared(a: &RunSource, b: &RunSource, common: &BTreeSet<u32>, diff: &mut Diff) {
    let (of_a, of_b) = (a.steps(), b.steps());
    let is_whole = |source: &RunSource, steps: &BTreeSet<u32>| {
        matches!(source, RunSource::Replay(_) | RunSource::Log(_)) && steps.first().is_some_and(|first| *first <= 1)
    };
    if is_whole(a, &of_a) && is_whole(b, &of_b) && of_a.last() != of_b.last() {
        let last = |steps: &BTreeSet<u32>| steps.last().copied().unwrap_or(0);
        diff.verdict = Verdict::Diverged;
        diff.notes.push(format!("the same as far as both go: the last steps are {} and {}", last(&of_a), last(&of_b)));
    }
    let all = of_a.union(&of_b).count();
    if common.len() < all {
        let from_to = common.first().zip(common.last());
        let (from, to) = from_to.map_or((0, 0), |(from, to)| (*from, *to));
        let compared = common.len();
        diff.notes
            .push(format!("compared: {compared} of {all} steps, from {from} to {to}; of the others nothing is known"));
    }
}

/// The last step before the first difference that both sides tell of.
fn last_same(steps: &BTreeSet<u32>, first: Option<&FirstDifference>) -> Option<u32> {
    steps.range(..first?.step).next_back().copied()
}

/// Where one side is a replay and the other tells all of the step: traces the replay there and compares again.
fn look_closer(a: &RunSource, b: &RunSource, step: u32, notes: &mut Vec<String>) -> Option<CheckpointComparison> {
    let (replay, other, replay_is_first) = match (a, b) {
        (RunSource::Replay(replay), other) => (&replay.replay, other, true),
        (other, RunSource::Replay(replay)) => (&replay.replay, other, false),
        _ => return None,
    };
    if !other.is_detailed(step) {
        return None;
    }
    let plan = TracePlan { steps: step..=step, states: true, every_step: false };
    let traced_from = |start: u32| {
        let mut traced = Vec::new();
        trace_replay(replay, start, &plan, &mut |checkpoint| traced.push(checkpoint)).map(|()| traced)
    };
    let traced = match traced_from(step.saturating_sub(1)) {
        Ok(traced) => traced,
        // A restored run may be another one: from the start it is the one that was recorded, or the build is another.
        Err(error) => match traced_from(0) {
            Ok(traced) => {
                notes.push(format!("the replay was traced from its start, for restored it is another run: {error}"));
                traced
            }
            Err(_) => {
                notes.push(format!("the replay could not be traced in step {step}: {error}"));
                return None;
            }
        },
    };
    let mut told = other.checkpoints(&BTreeSet::from([step]), usize::MAX);
    told.retain(|checkpoint| checkpoint.step == step);
    Some(if replay_is_first { compare_checkpoints(&traced, &told) } else { compare_checkpoints(&told, &traced) })
}

/// A comparison of checkpoints as a comparison of runs.
#[must_use]
pub fn to_diff(comparison: &CheckpointComparison) -> Diff {
    let verdict = if comparison.first.is_some() { Verdict::Diverged } else { Verdict::Same };
    Diff {
        first: comparison.first.clone().map(|first| FirstDifference { seen_at: Some(first.step), ..first }),
        spread: comparison.spread.iter().map(|&(step, objects)| Spread { step, objects }).collect(),
        ..Diff::new(verdict)
    }
}

/// The settings in which two sides differ, as far as both tell them.
fn settings(a: &RunSource, b: &RunSource) -> Vec<SettingDifference> {
    let rows = |source: &RunSource| -> Option<[(&'static str, String); 4]> {
        let (scalar, semantics, scene, dt) = match source {
            RunSource::Replay(recovered) => {
                let header = &recovered.replay.header;
                (header.scalar, header.semantics, &header.scene_name, &header.dt)
            }
            RunSource::Trace(recovered) => {
                let TraceHeader { scalar, semantics, scene_name, dt, .. } = &recovered.trace.header;
                (*scalar, *semantics, scene_name, dt)
            }
            RunSource::Ladder(ladder) => {
                let settings = &ladder.settings;
                (settings.scalar, settings.semantics, &settings.scene_name, &settings.dt)
            }
            RunSource::Log(_) => return None,
        };
        let (scalar, semantics) = (scalar.to_string(), semantics.to_string());
        Some([("scalar", scalar), ("semantics", semantics), ("scene", scene.clone()), ("dt", dt.clone())])
    };
    let (Some(a), Some(b)) = (rows(a), rows(b)) else { return Vec::new() };
    let differing = a.into_iter().zip(b).filter(|((_, a), (_, b))| a != b);
    differing.map(|((key, a), (_, b))| SettingDifference { key, a, b }).collect()
}
