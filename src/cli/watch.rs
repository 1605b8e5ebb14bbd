//! What a run tells of its steps beside its replay: a hash log, or a trace.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::analysis::trace::{TracePlan, Tracer};
use crate::math::Scalar;
use crate::replay::format::TRACE_VERSION;
use crate::replay::trace::{TraceHeader, TraceWriter, looks_like_a_trace};
use crate::replay::{Checkpoint, PartialFile, ReplayError, write_checkpoint};
use crate::session::Session;
use crate::session::record::{RunPlan, Stepper, Unobserved};
use crate::world::SEMANTICS_VERSION;
use crate::world::error::StepError;

use crate::cli::failure::Failure;
use crate::cli::output::check_replaceable;
use crate::cli::source::is_dash;

/// How the first line of a hash log of a run begins, with the hash of state 0 behind it.
const OWN_LOG: &[u8] = b"{\"step\":0,\"hash\":\"";
/// Digits of such a hash.
const HASH_DIGITS: usize = 64;

/// Watches a run, or does not.
pub struct Watch {
    plan: TracePlan,
    sink: Sink,
    /// Whether it was told anything.
    has_begun: bool,
    /// What went wrong first while telling.
    failure: Option<ReplayError>,
}

/// Where checkpoints go.
enum Sink {
    Nowhere,
    StandardOutput,
    HashLog(PartialFile, PathBuf),
    Trace(Box<TraceWriter<PartialFile>>, PathBuf),
}

impl Watch {
    /// Watches nothing.
    pub const fn nothing() -> Self {
        Self { plan: TracePlan::hashes_only(), sink: Sink::Nowhere, has_begun: false, failure: None }
    }

    /// Writes what it sees as a hash log; `-` is standard output.
    pub fn hash_log(path: &Path, plan: TracePlan, force: bool) -> Result<Self, Failure> {
        let sink = if is_dash(path) {
            Sink::StandardOutput
        } else {
            check_replaceable(path, force, "hash log of physim run", is_own_log)?;
            Sink::HashLog(PartialFile::create(path).map_err(Failure::writing)?, path.to_owned())
        };
        Ok(Self { plan, sink, has_begun: false, failure: None })
    }

    /// Writes the checkpoints of some steps into a trace.
    pub fn trace(path: &Path, header: &TraceHeader, states: bool, force: bool) -> Result<Self, Failure> {
        check_replaceable(path, force, "trace", looks_like_a_trace)?;
        let writer = TraceWriter::create(path, header).map_err(Failure::writing)?;
        let plan = TracePlan { steps: header.from..=header.to, states, every_step: false };
        Ok(Self { plan, sink: Sink::Trace(Box::new(writer), path.to_owned()), has_begun: false, failure: None })
    }

    /// Whether it takes standard output for itself.
    pub const fn takes_standard_output(&self) -> bool {
        matches!(self.sink, Sink::StandardOutput)
    }

    /// Takes one checkpoint.
    pub fn take(&mut self, checkpoint: &Checkpoint) {
        self.has_begun = true;
        if self.failure.is_none() {
            self.failure = self.sink.write(checkpoint).err();
        }
    }

    /// Takes back what was written of a run that never began.
    pub fn discard_unless_begun(self) {
        if !self.has_begun {
            self.discard();
        }
    }

    /// Takes back what was written so far.
    pub fn discard(self) {
        let path = match self.sink {
            Sink::Nowhere | Sink::StandardOutput => return,
            Sink::HashLog(_, path) | Sink::Trace(_, path) => path,
        };
        let mut partial = path.into_os_string();
        partial.push(".partial");
        // Nothing is lost where it cannot be removed.
        let _ = std::fs::remove_file(partial);
    }

    /// Completes what was written and gives back its path, if it has one.
    pub fn finish(self) -> Result<Option<PathBuf>, Failure> {
        if let Some(failure) = self.failure {
            return Err(Failure::writing(failure));
        }
        match self.sink {
            Sink::Nowhere | Sink::StandardOutput => Ok(None),
            Sink::HashLog(file, _) => file.complete().map(Some).map_err(Failure::writing),
            Sink::Trace(writer, _) => writer.finish().map(Some).map_err(Failure::writing),
        }
    }
}

impl Sink {
    fn write(&mut self, checkpoint: &Checkpoint) -> Result<(), ReplayError> {
        let io = |name: String| move |cause| ReplayError::Io { name, action: "write it", cause };
        match self {
            Self::Nowhere => Ok(()),
            Self::StandardOutput => {
                let mut stream = std::io::stdout().lock();
                write_checkpoint(&mut stream, checkpoint)
                    .and_then(|()| stream.flush())
                    .map_err(io("standard output".to_owned()))
            }
            Self::HashLog(file, path) => write_checkpoint(file, checkpoint).map_err(io(path.display().to_string())),
            Self::Trace(writer, _) => writer.checkpoint(checkpoint),
        }
    }
}

impl Stepper for Watch {
    fn start<S: Scalar>(&mut self, session: &Session<S>) {
        if !matches!(self.sink, Sink::Nowhere) {
            let plan = self.plan.clone();
            Tracer::new(plan, &mut |checkpoint| self.take(&checkpoint)).start(session);
        }
    }

    fn advance<S: Scalar>(&mut self, session: &mut Session<S>) -> Result<(), StepError> {
        if matches!(self.sink, Sink::Nowhere) {
            return Unobserved.advance(session);
        }
        let plan = self.plan.clone();
        Tracer::new(plan, &mut |checkpoint| self.take(&checkpoint)).advance(session)
    }
}

/// The header of a trace of some steps of a run.
pub fn trace_header(plan: &RunPlan, steps: &RangeInclusive<u32>, with_states: bool) -> TraceHeader {
    TraceHeader {
        format: TRACE_VERSION,
        semantics: SEMANTICS_VERSION,
        scalar: plan.scalar,
        scene_name: plan.scene.name.clone(),
        dt: plan.scene.dt.to_string(),
        from: *steps.start(),
        to: *steps.end(),
        with_states,
        producer: concat!("physim ", env!("CARGO_PKG_VERSION")).to_owned(),
    }
}

/// Whether a file is empty or a hash log of physim's own, by its first line: the log of another engine, or a golden with its reason, is
/// replaced no more than any other file.
fn is_own_log(path: &Path) -> bool {
    let start = std::fs::File::open(path).and_then(|file| {
        let mut start = Vec::new();
        let length = (OWN_LOG.len() + HASH_DIGITS + 1) as u64;
        std::io::Read::read_to_end(&mut std::io::Read::take(file, length), &mut start).map(|_| start)
    });
    let is_hash = |hash: &[u8]| {
        let digits = hash.strip_suffix(b"\"").filter(|digits| digits.len() == HASH_DIGITS);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    };
    start.is_ok_and(|start| start.is_empty() || start.strip_prefix(OWN_LOG).is_some_and(is_hash))
}

/// Parses `FROM..TO` or a single step; both ends are included.
pub fn parse_steps(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let to = to.strip_prefix('=').unwrap_or(to);
    match (from.trim().parse(), to.trim().parse()) {
        (Ok(from), Ok(to)) if from <= to => Ok(from..=to),
        (Ok::<u32, _>(from), Ok(to)) => Err(format!("step {from} comes after step {to}: the smaller goes first")),
        _ => Err("expected FROM..TO, two steps, such as 118..122, or a single step".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_steps;

    #[test]
    fn steps_are_a_range_with_both_ends_or_a_single_one() {
        assert_eq!(parse_steps("3..5"), Ok(3..=5));
        assert_eq!(parse_steps("3..=5"), Ok(3..=5));
        assert_eq!(parse_steps("7"), Ok(7..=7));
        assert_eq!(parse_steps("0..4294967295"), Ok(0..=u32::MAX));
        for text in ["", "..", "5..3", "a..b", "-1..2", "1..4294967296", "1...2"] {
            assert!(parse_steps(text).is_err(), "{text}");
        }
    }
}
