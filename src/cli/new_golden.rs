//! `NAME.new`: what this build gives, beside a replay that no longer holds. `physim accept` takes it from there.

use std::path::{Path, PathBuf};

use crate::analysis::Verdict;
use crate::analysis::replay_plan::replay_plan;
use crate::analysis::verify::Verification;
use crate::replay::{Replay, read_strict};
use crate::session::record::Unobserved;

use crate::cli::output::{Destination, recording_failure};
use crate::cli::source::is_dash;
use crate::report::program::command;
use crate::report::run::quoted;

/// What is added to the name of a golden.
pub const NEW: &str = "new";
/// What is added to the name of a replay that is still being written.
const PARTIAL: &str = "partial";

/// The new result that belongs to a golden.
pub fn new_path(golden: &Path) -> PathBuf {
    let mut path = golden.as_os_str().to_owned();
    path.push(".");
    path.push(NEW);
    PathBuf::from(path)
}

/// Whether a new result may be written beside this path.
fn is_golden(path: &Path) -> bool {
    let other = path.extension().is_some_and(|extension| extension == NEW || extension == PARTIAL);
    !is_dash(path) && !other
}

/// Records what this build gives beside a replay that does not hold, and notes it; gives back where.
///
/// What cannot be written is noted too: the verdict is what counts.
pub fn write_new(path: &Path, found: &mut Verification, progress: &mut dyn FnMut(u32)) -> Option<PathBuf> {
    let parted = matches!(found.verdict, Verdict::Diverged | Verdict::OtherSemantics);
    // What has no scalar could not be read: there is no run to make again.
    if !parted || found.scalar.is_none() || !is_golden(path) {
        return None;
    }
    let new = new_path(path);
    match record_again(path, &new, progress) {
        Ok(stopped) => {
            found.notes.extend(stopped.map(|error| format!("this build's run stops: {error}")));
            let accept = command(&format!("accept {}", quoted(&path.display().to_string())));
            found.notes.push(format!("this build's run is in {}; to make it the golden: {accept}", new.display()));
            Some(new)
        }
        Err(what) => {
            found.notes.push(format!("{} is not written: {what}", new.display()));
            None
        }
    }
}

/// Runs a replay again and records the run; says why it stopped, if it did.
fn record_again(path: &Path, new: &Path, progress: &mut dyn FnMut(u32)) -> Result<Option<String>, String> {
    let replay = read_strict(path).map_err(|error| error.to_string())?;
    let plan = replay_plan(&replay).map_err(|error| error.to_string())?;
    let destination = Destination::new(Some(new.to_owned()), false).map_err(|failure| failure.to_string())?;
    let (summary, _) = destination
        .record(&plan, &mut Unobserved, progress)
        .map_err(|error| recording_failure(&plan.scene.name, error).to_string())?;
    let is_as_recorded = |new: Replay| new.header.semantics == replay.header.semantics && new.steps == replay.steps;
    if read_strict(new).is_ok_and(is_as_recorded) {
        // Nothing is lost where it cannot be removed: `accept` refuses what equals the golden.
        let _ = std::fs::remove_file(new);
        let threads = plan.threads;
        let again = command(&format!("verify --threads {threads} {}", quoted(&path.display().to_string())));
        return Err(format!(
            "run once more as it was recorded, with {threads} as the number of threads, it comes to the recorded hashes: it depends \
             on the threads, or is a race; see `{again}`"
        ));
    }
    Ok(summary.stopped.map(|error| error.to_string()))
}

/// Notes a new result that lies beside a replay which holds: accepting it would break the golden.
pub fn note_stale(path: &Path, found: &mut Verification) {
    let new = new_path(path);
    if found.verdict == Verdict::Same && is_golden(path) && new.exists() {
        found.notes.push(format!("{} is stale, for the replay holds: delete it", new.display()));
    }
}
