//! The same run in fresh processes of this very program: what differs from process to process shows there and nowhere else.

use std::time::Duration;

use crate::analysis::bisect::Bisection;
use crate::analysis::bisect::ask::{Ask, Told};
use crate::analysis::bisect::logs::bisect_logs;
use crate::analysis::bisect::search::{Axis, REPEAT};
use crate::replay::{Checkpoint, ForeignLines, LogSource, read_hash_log_with};
use crate::scene::generate::body_count;
use crate::session::record::RunPlan;

use crate::cli::logged_run::{log_bytes, run_words, scene_with_inputs};
use crate::cli::process::{Limits, can_start_programs, run_program};
use crate::cli::temporary_folder::TemporaryFolder;

/// Processes that a large scene is run in.
const FEW: u32 = 2;
/// Processes that a small scene is run in.
const MANY: u32 = 6;
/// How many steps of one body make a scene large.
const LARGE: u64 = 200_000;
/// The longest log that is asked for.
const MOST_LOG_BYTES: usize = 256 << 20;

/// Makes a run again in processes of its own.
pub struct FreshRuns {
    /// Holds the scene; goes with what is in it.
    _folder: TemporaryFolder,
    program: String,
    words: Vec<String>,
    limits: Limits,
    /// How many are still to be run.
    left: u32,
}

impl FreshRuns {
    /// The processes for a plan; `None` where none can be started, or its log would be too long.
    pub fn of(plan: &RunPlan, limit: Duration) -> Option<Self> {
        can_start_programs().ok()?;
        let program = std::env::current_exe().ok()?.to_str()?.to_owned();
        let output_bytes = log_bytes(plan.steps);
        if output_bytes > MOST_LOG_BYTES {
            return None;
        }
        let folder = TemporaryFolder::new("bisect").ok()?;
        let scene = folder.write("scene.ron", &scene_with_inputs(plan).to_canonical_ron()).ok()?;
        let words = run_words(plan, scene.to_str()?);
        let limits = Limits { time: limit, output_bytes };
        let bodies = body_count(&plan.scene).unwrap_or(usize::MAX) as u64;
        let is_large = bodies.saturating_mul(u64::from(plan.steps)) > LARGE;
        Some(Self { _folder: folder, program, words, limits, left: if is_large { FEW } else { MANY } })
    }

    /// The root hash of every state of the run in one more process; `None` when enough have been run, or it tells nothing.
    pub fn next(&mut self) -> Option<Vec<String>> {
        self.left = self.left.checked_sub(1)?;
        let ends = self.told(None)?.into_iter().filter(|checkpoint| checkpoint.stage.is_none());
        ends.map(|checkpoint| checkpoint.hash).collect()
    }

    /// What one more process tells of the run, and of one step all there is to tell.
    fn told(&self, step: Option<u32>) -> Option<Vec<Checkpoint>> {
        let mut words = self.words.clone();
        let mut limits = self.limits;
        if let Some(step) = step {
            words.extend([format!("--trace={step}..{step}"), "--states".to_owned()]);
            limits.output_bytes = MOST_LOG_BYTES;
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let finished = run_program(&self.program, &words, &limits).ok()?;
        let log = read_hash_log_with("its output", finished.stdout.as_slice(), ForeignLines::Refuse);
        log.ok().map(|log| log.checkpoints)
    }

    /// What differs between equal runs of which each has a process of its own, as far as it shows again.
    pub fn name(&self) -> Option<Bisection> {
        let numbers = (1..=MANY).map(|number| number.to_string());
        let axis = Axis { name: REPEAT.to_owned(), values: numbers.collect() };
        let found = bisect_logs(&[axis], 1, &mut |_, ask| {
            let step = if let Ask::Step(step) = ask { Some(step) } else { None };
            let checkpoints = self.told(step).ok_or_else(|| "a process told nothing".to_owned())?;
            Ok(Some(Told { log: LogSource::of_checkpoints("a process", checkpoints), remark: None }))
        });
        found.ok().filter(|found| found.first.is_some())
    }
}
