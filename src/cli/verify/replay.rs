//! Verifies one replay.

use std::path::{Path, PathBuf};

use crate::analysis::Verdict;
use crate::analysis::diff::{Diff, DiffOptions, diff_replays};
use crate::analysis::verify::{GoldenKind, Verification, verify_file, verify_replay_with};
use crate::parallel::Parallelism;
use crate::replay::{Recovered, read_strict};

use crate::cli::new_golden::{is_to_be_recorded, record_again, remove_stale, write_new};
use crate::cli::replays::{EXTENSION, read_replay};
use crate::cli::source::{is_dash, is_scene, name_of};
use crate::cli::temporary_folder::TemporaryFolder;
use crate::cli::verify::arguments::Request;
use crate::cli::verify::golden_log::is_log;
use crate::report::program::command;
use crate::report::progress::Progress;
use crate::report::run::quoted;
use crate::report::verify::VerifiedGolden;

/// Verifies a replay, and leaves what this build gives where that is asked for.
pub fn verify(path: &Path, request: &Request, progress: &Progress) -> VerifiedGolden {
    let (name, parallelism) = (name_of(path), request.parallelism);
    let mut say = |step: u32, of: u32| progress.say(|| format!("{name}: step {step} of {of}"));
    let mut result = if is_dash(path) {
        verify_standard_input(path, parallelism, &mut say)
    } else {
        verify_file(path, parallelism, &mut say).map_err(|error| error.to_string())
    };
    let (mut new, mut diagnosis) = (None, None);
    if let Ok(found) = &mut result {
        if found.kind == GoldenKind::Other {
            found.damage = what_else(path, &name).or(found.damage.take());
        }
        if is_to_be_recorded(path, found) {
            let mut say = |step: u32| progress.say(|| format!("{name}.new: step {step}"));
            found.notes.extend(request.how_to_keep());
            new = request.new_place.path(path).and_then(|new| write_new(path, new, found, &mut say));
            if request.in_full {
                diagnosis = new.as_deref().map_or_else(|| diff_with_run(path, &mut say), |new| diff_files(path, new));
            }
        }
        remove_stale(path, &request.new_place, found);
    }
    let new = new.map(|path: PathBuf| path.display().to_string());
    VerifiedGolden {
        golden: name.clone(),
        new,
        diagnosis: diagnosis.map(Box::new),
        ..VerifiedGolden::new(name, result)
    }
}

/// What a file is that is no replay, and what to do with it.
fn what_else(path: &Path, name: &str) -> Option<String> {
    if is_scene(path) {
        return Some(scene_for_a_replay(name));
    }
    let exec = command(&format!("verify --exec COMMAND {}", quoted(name)));
    is_log(path).then(|| format!("it is a hash log, not a replay; name the command that prints it: {exec}"))
}

/// What is said of a scene where a replay is expected.
fn scene_for_a_replay(name: &str) -> String {
    let replay = Path::new(name).with_extension(EXTENSION).display().to_string();
    let [scene, replay] = [name, &replay].map(quoted);
    let (record, verify) = (command(&format!("run {scene} -o {replay}")), command(&format!("verify {replay}")));
    format!("it is a scene, not a replay; record a run of it first, `{record}`, then `{verify}`")
}

/// Verifies what comes through a pipe, as far as it is sound.
fn verify_standard_input(
    path: &Path,
    parallelism: Parallelism,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Verification, String> {
    let Recovered { replay, damage } = read_replay(path).map_err(|failure| failure.to_string())?;
    let mut found = verify_replay_with(&replay, parallelism, progress);
    if let Some(damage) = damage {
        found.verdict = Verdict::Damaged;
        found.damage = Some(format!("{} is damaged: {damage}", name_of(path)));
    }
    Ok(found)
}

/// How a replay differs from the run of this build, which is kept no longer than that takes.
fn diff_with_run(path: &Path, progress: &mut dyn FnMut(u32)) -> Option<Diff> {
    let folder = TemporaryFolder::new("verify").ok()?;
    let new = folder.path("new.mcap");
    record_again(path, &new, progress).ok()?;
    diff_files(path, &new)
}

/// How two replays differ, as `physim diff` would say it.
fn diff_files(golden: &Path, new: &Path) -> Option<Diff> {
    let (golden, new) = (read_strict(golden).ok()?, read_strict(new).ok()?);
    Some(diff_replays(&golden, &new, DiffOptions::default()))
}
