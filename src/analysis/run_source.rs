//! What can tell where two runs diverge: replays, traces, hash logs and ladders, in any mix that makes sense.

use crate::analysis::compare_checkpoints::{CheckpointComparison, Detail, compare_checkpoints, compare_series};
use crate::analysis::diff::settings::SettingDifference;
use crate::analysis::diff::{Diff, DiffOptions, diff_recovered};
use crate::analysis::outcome::{FirstDifference, Spread, Verdict};
use crate::analysis::resimulated::rollback_notes;
use crate::analysis::trace::{TracePlan, recorded_checkpoint, trace_replay};
use crate::replay::trace::{RecoveredTrace, TraceHeader};
use crate::replay::{
    Checkpoint, Ladder, LogEnd, LogError, LogPass, LogSource, Recovered, Replay, Rung, compare_ladders,
};

/// A recording of a run.
#[derive(Clone, Debug)]
pub enum RunSource {
    /// A recorded run.
    Replay(Box<Recovered>),
    /// Every checkpoint of some steps.
    Trace(Box<RecoveredTrace>),
    /// The hashes of steps as text.
    Log(LogSource),
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

    /// Whether it tells of a run step by step to its end: traces and ladders tell of some steps.
    pub(crate) const fn is_run(&self) -> bool {
        matches!(self, Self::Replay(_) | Self::Log(_))
    }

    /// What is wrong with the file, if something is; of a log only its reading tells.
    pub(crate) fn damage(&self) -> Option<String> {
        match self {
            Self::Replay(recovered) => recovered.damage.as_ref().map(ToString::to_string),
            Self::Trace(recovered) => recovered.damage.as_ref().map(ToString::to_string),
            Self::Log(_) | Self::Ladder(_) => None,
        }
    }

    /// Its checkpoints in order, with hashes cut to so many digits.
    pub(crate) fn series(&self, digits: usize) -> Series<'_> {
        let reading = match self {
            Self::Replay(recovered) => Reading::Replay(&recovered.replay, 0),
            Self::Trace(recovered) => Reading::Checkpoints(recovered.trace.checkpoints.iter()),
            Self::Log(log) => Reading::Log(Box::new(log.read())),
            Self::Ladder(ladder) => Reading::Ladder(ladder.rungs.iter()),
        };
        Series { reading, digits }
    }
}

/// The checkpoints of a recording, one after the other.
pub(crate) struct Series<'a> {
    reading: Reading<'a>,
    digits: usize,
}

enum Reading<'a> {
    /// A replay, and the next step.
    Replay(&'a Replay, u32),
    Checkpoints(std::slice::Iter<'a, Checkpoint>),
    Log(Box<LogPass<'a>>),
    Ladder(std::slice::Iter<'a, Rung>),
}

impl Iterator for Series<'_> {
    type Item = Checkpoint;

    fn next(&mut self) -> Option<Checkpoint> {
        let mut checkpoint = match &mut self.reading {
            Reading::Replay(replay, step) => {
                let checkpoint = recorded_checkpoint(replay, *step)?;
                *step += 1;
                checkpoint
            }
            Reading::Checkpoints(checkpoints) => checkpoints.next()?.clone(),
            Reading::Log(pass) => pass.next()?,
            Reading::Ladder(rungs) => rungs.next().map(|rung| Checkpoint::of_hash(rung.step, rung.hash.as_str()))?,
        };
        let hash = checkpoint.hash.as_mut();
        if let Some(hash) = hash.filter(|hash| hash.len() > self.digits && hash.is_char_boundary(self.digits)) {
            hash.truncate(self.digits);
        }
        Some(checkpoint)
    }
}

impl Series<'_> {
    /// How a log ends that has been read; nothing of what is no log.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn end(self) -> Result<Option<LogEnd>, LogError> {
        match self.reading {
            Reading::Log(pass) => pass.end().map(Some),
            _ => Ok(None),
        }
    }
}

/// Why two recordings cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// They have nothing in common: what to do instead.
    #[error("{0}")]
    Apart(String),
    /// A log is not as it must be.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// Digits of the hashes in a ladder; elsewhere they have as many as they have.
const LADDER_DIGITS: usize = 32;

/// How many digits of hashes can be compared.
pub(crate) fn digits_of<'a>(mut sources: impl Iterator<Item = &'a RunSource>) -> usize {
    if sources.any(|source| matches!(source, RunSource::Ladder(_))) { LADDER_DIGITS } else { usize::MAX }
}

/// Compares what tells of two runs.
///
/// # Errors
/// When nothing on one side can be compared with the other, or a log cannot be read.
pub fn diff_sources(a: &RunSource, b: &RunSource, options: DiffOptions) -> Result<Diff, DiffError> {
    if let (RunSource::Replay(a), RunSource::Replay(b)) = (a, b) {
        return Ok(diff_recovered(a, b, options));
    }
    let Compared { result, ends } = match (a, b) {
        (RunSource::Ladder(a), RunSource::Ladder(b)) => of_ladders(a, b).into(),
        (RunSource::Ladder(a), RunSource::Replay(b)) => of_ladders(a, &rungs_of(b, a)).into(),
        (RunSource::Replay(a), RunSource::Ladder(b)) => of_ladders(&rungs_of(a, b), b).into(),
        _ => of_checkpoints(a, b, options)?,
    };
    let damages = [(a, &ends[0]), (b, &ends[1])]
        .map(|(source, end)| source.damage().or_else(|| end.as_ref().and_then(|end| end.damage.clone())));
    let mut diff = match result {
        Ok(diff) => diff,
        // What cannot be compared because it is damaged is damaged first of all.
        Err(why) if damages.iter().any(Option::is_some) => Diff { notes: vec![why], ..Diff::new(Verdict::Damaged) },
        Err(why) => return Err(DiffError::Apart(why)),
    };
    for ((name, source), (damage, end)) in [("first", a), ("second", b)].into_iter().zip(damages.into_iter().zip(ends))
    {
        if let Some(damage) = damage {
            diff.verdict = Verdict::Damaged;
            diff.notes
                .push(format!("the {name}, a {}, is damaged: {damage}; compared as far as it goes", source.kind()));
        }
        if let RunSource::Log(log) = source {
            diff.notes.extend(end.as_ref().and_then(|end| foreign_note(log, end)));
            diff.notes.extend(rollback_notes(log)?);
        }
    }
    Ok(diff)
}

/// What comparing two recordings gave, and how those end that are logs.
struct Compared {
    result: Result<Diff, String>,
    ends: [Option<LogEnd>; 2],
}

impl From<Result<Diff, String>> for Compared {
    fn from(result: Result<Diff, String>) -> Self {
        Self { result, ends: [None, None] }
    }
}

/// That lines of a log were skipped.
pub(crate) fn foreign_note(log: &LogSource, end: &LogEnd) -> Option<String> {
    let first = end.first_foreign?;
    let (name, count) = (log.name(), end.foreign_lines);
    Some(match count {
        1 => format!("{name}: line {first} is none of a hash log and was skipped"),
        _ => format!("{name}: {count} lines are none of a hash log and were skipped, the first of them line {first}"),
    })
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
fn of_checkpoints(a: &RunSource, b: &RunSource, options: DiffOptions) -> Result<Compared, LogError> {
    let digits = digits_of([a, b].into_iter());
    let (mut of_a, mut of_b) = (a.series(digits), b.series(digits));
    let detail = Detail { window: options.window, fields: options.fields, ..Detail::ALL_STEPS };
    let mut comparison = compare_series(of_a.by_ref(), of_b.by_ref(), detail);
    let ends = [of_a.end()?, of_b.end()?];
    if comparison.compared == 0 {
        return Ok(Compared { result: Err(comparison.notes.join("; ")), ends });
    }
    let mut notes = std::mem::take(&mut comparison.notes);
    if let Some(step) = comparison.first.as_ref().map(|first| first.step)
        && let Some(closer) = look_closer(a, b, step, &comparison.told, &mut notes)
    {
        // Where the first of its stages are the same it came up within the step.
        comparison.may_begin_before &= closer.first.is_none() || closer.may_begin_before;
        comparison.first = closer.first.or(comparison.first);
        notes = closer.notes;
    }
    comparison.withhold_where_it_may_begin_before(&mut notes);
    let mut diff = to_diff(&comparison);
    diff.last_same = comparison.steps.last_same.filter(|_| diff.first.is_some());
    diff.healed_at = comparison.healed_at.filter(|_| a.is_run() && b.is_run());
    diff.settings = settings(a, b);
    diff.notes = notes;
    if diff.first.is_none() {
        note_what_was_compared(a, b, &comparison, &mut diff);
    } else if let Some([last_a, last_b]) = other_ends(&comparison).filter(|_| diff.healed_at.is_some()) {
        diff.notes.push(format!("the same again as far as both go: the last steps are {last_a} and {last_b}"));
    }
    Ok(Compared { result: Ok(diff), ends })
}

/// Whether both sides tell of runs, from the same step on: what begins elsewhere may be a part of a run, and where that ends says nothing.
fn are_whole_runs(sides: [&RunSource; 2], comparison: &CheckpointComparison) -> bool {
    let [of_a, of_b] = comparison.steps.ranges.map(|range| range.map(|(first, _)| first));
    sides.iter().all(|source| source.is_run()) && of_a.zip(of_b).is_some_and(|(a, b)| a == b)
}

/// The last steps of the two sides, where they are others.
fn other_ends(comparison: &CheckpointComparison) -> Option<[u32; 2]> {
    let ends = comparison.steps.ranges.map(|range| range.map_or(0, |(_, last)| last));
    Some(ends).filter(|[a, b]| a != b)
}

/// What notes call a recording: a log by its name.
fn name_of<'a>(source: &'a RunSource, otherwise: &'a str) -> &'a str {
    if let RunSource::Log(log) = source { log.name() } else { otherwise }
}

/// Says what only one side tells, and of how many steps nothing is known; a whole run that ends before the other is another run.
fn note_what_was_compared(a: &RunSource, b: &RunSource, comparison: &CheckpointComparison, diff: &mut Diff) {
    let names = [name_of(a, "the first"), name_of(b, "the second")];
    diff.notes.extend(comparison.untold_notes(names));
    let steps = &comparison.steps;
    if let Some([last_a, last_b]) = other_ends(comparison).filter(|_| are_whole_runs([a, b], comparison)) {
        diff.verdict = Verdict::Diverged;
        diff.notes.push(format!("the same as far as both go: the last steps are {last_a} and {last_b}"));
    }
    if steps.common < steps.all {
        let (from, to) = steps.common_range.unwrap_or((0, 0));
        let (compared, all) = (steps.common, steps.all);
        diff.notes
            .push(format!("compared: {compared} of {all} steps, from {from} to {to}; of the others nothing is known"));
    }
}

/// Where one side is a replay and the other tells all of the step: traces the replay there and compares again.
fn look_closer(
    a: &RunSource,
    b: &RunSource,
    step: u32,
    told: &[Vec<Checkpoint>; 2],
    notes: &mut Vec<String>,
) -> Option<CheckpointComparison> {
    let (replay, told, replay_is_first) = match (a, b) {
        (RunSource::Replay(replay), _) => (&replay.replay, &told[1], true),
        (_, RunSource::Replay(replay)) => (&replay.replay, &told[0], false),
        _ => return None,
    };
    if !told.iter().any(|checkpoint| checkpoint.stage.is_some() || checkpoint.objects.is_some()) {
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
    Some(if replay_is_first { compare_checkpoints(&traced, told) } else { compare_checkpoints(told, &traced) })
}

/// A comparison of checkpoints as a comparison of runs.
#[must_use]
pub fn to_diff(comparison: &CheckpointComparison) -> Diff {
    let verdict = match &comparison.first {
        Some(_) => Verdict::Diverged,
        // What nobody compared is not the same.
        None if comparison.uncompared.count > 0 => Verdict::Failed,
        None => Verdict::Same,
    };
    Diff {
        first: comparison.first.clone().map(|first| FirstDifference { seen_at: Some(first.step), ..first }),
        bases: comparison.bases.clone(),
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
