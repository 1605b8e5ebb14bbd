//! The runs of a sweep on all cores, handed over in their order whichever is done first.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::time::Instant;

use crate::analysis::sweep::Sweep;
use crate::analysis::sweep::outcome::Outcome;
use crate::analysis::sweep::row::Row;
use crate::parallel::thread_builder;
use crate::replay::recordable::check_recordable;
use crate::replay::{Header, PartialFile, ReplayError, ReplayWriter};

use crate::cli::failure::Failure;
use crate::cli::sweep::recording::path_of;
use crate::report::progress::Progress;

/// What is to be run, and how.
pub struct Pool<'a> {
    pub sweep: &'a Sweep,
    pub runs: &'a [u64],
    /// The steps of all runs together.
    pub steps: u64,
    pub jobs: NonZeroU32,
    /// The folder for replays, if they are wanted.
    pub record: Option<&'a Path>,
}

/// Takes rows in the order of the runs.
pub type Take<'a> = &'a mut dyn FnMut(Row, &Progress) -> Result<(), Failure>;

/// Runs everything. Where a row cannot be taken or a replay not be written, no further run begins.
pub fn run_all(pool: &Pool<'_>, take: Take<'_>) -> Result<(), Failure> {
    let progress = Progress::new(pool.steps, "steps");
    let steps = AtomicU64::new(0);
    let run_one = |run| run_one(pool, run, &|| progress.reached(steps.fetch_add(1, Ordering::Relaxed) + 1));
    let ran = if pool.jobs.get() == 1 || cfg!(target_family = "wasm") {
        // Where there are no threads, not even the code that would start one may be linked.
        pool.runs.iter().try_for_each(|run| take(run_one(*run)?, &progress))
    } else {
        run_on_threads(pool, &run_one, &mut |row| take(row, &progress))
    };
    progress.finish();
    ran
}

fn run_on_threads(
    pool: &Pool<'_>,
    run_one: &(impl Fn(u64) -> Result<Row, Failure> + Sync),
    take: &mut dyn FnMut(Row) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (sender, receiver) = channel();
    let (next_to_do, is_over) = (&AtomicUsize::new(0), &AtomicBool::new(false));
    let threads = (pool.jobs.get() as usize).min(pool.runs.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            let work = move || {
                while !is_over.load(Ordering::Relaxed) {
                    let place = next_to_do.fetch_add(1, Ordering::Relaxed);
                    let Some(run) = pool.runs.get(place) else { return };
                    // Nobody is left to listen only when the program is on its way out.
                    let _ = sender.send((place, run_one(*run)));
                }
            };
            // Where the machine gives no more of them, those that it gave do it all.
            if thread_builder(threads).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for (place, row) in receiver {
            waiting.insert(place, row);
            while let Some(row) = waiting.remove(&next) {
                next += 1;
                row.and_then(&mut *take).inspect_err(|_| is_over.store(true, Ordering::Relaxed))?;
            }
        }
        Ok::<(), Failure>(())
    })?;
    // Nothing is left unless it gave none.
    let left = pool.runs.get(next_to_do.load(Ordering::Relaxed)..).unwrap_or_default();
    left.iter().try_for_each(|run| take(run_one(*run)?))
}

fn run_one(pool: &Pool<'_>, run: u64, tell: &dyn Fn()) -> Result<Row, Failure> {
    let plan = pool.sweep.plan(run)?;
    let start = now();
    let mut progress = |_| tell();
    let mut open = |header: &Header, scene: &str, state_bytes| {
        let Some(folder) = pool.record else { return Ok(None) };
        let path = path_of(folder, run);
        check_recordable(&path.display().to_string(), scene, header.bodies, state_bytes)?;
        ReplayWriter::create(&path, header, scene).map(Some)
    };
    let ran = Outcome::of(&plan, pool.sweep.bodies(), &mut open, &mut progress).and_then(|(outcome, file)| {
        file.map(PartialFile::complete).transpose()?;
        Ok(outcome)
    });
    let outcome = ran.map_err(|error| match error {
        ReplayError::Io { ref cause, .. } if cause.kind() == ErrorKind::PermissionDenied => {
            Failure::Usage(format!("--record: {error}; name a folder that can be written"))
        }
        other => Failure::writing(other),
    })?;
    let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
    let cells = pool.sweep.cells(run, &outcome, milliseconds);
    Ok(Row { run, cells })
}

#[expect(clippy::disallowed_methods, reason = "the column of times; no other result depends on it")]
fn now() -> Instant {
    Instant::now()
}
