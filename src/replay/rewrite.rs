//! Writes a replay anew that has been read: with another header, such as one that carries a reason.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::replay::error::ReplayError;
use crate::replay::format::Ending;
use crate::replay::reader::Replay;
use crate::replay::writer::ReplayWriter;

/// Writes a whole replay into a file, which has its name only when it is complete. The bytes are those that a run with
/// the same header gives, because a run records everything from outside before its first state.
///
/// # Errors
/// If the replay has no ending, or the file cannot be written.
pub fn rewrite(replay: &Replay, path: &Path) -> Result<PathBuf, ReplayError> {
    let mut writer = ReplayWriter::create(path, &replay.header, &replay.scene)?;
    write_content(replay, &mut writer)?;
    writer.finish(ending(replay, &path.display().to_string())?)
}

/// Writes a whole replay into `sink`, which errors call `name`, as [`rewrite`] does into a file.
///
/// # Errors
/// As for [`rewrite`].
pub fn rewrite_stream<W: Write>(replay: &Replay, name: &str, sink: W) -> Result<W, ReplayError> {
    let mut writer = ReplayWriter::new(name, sink, &replay.header, &replay.scene)?;
    write_content(replay, &mut writer)?;
    writer.finish_stream(ending(replay, name)?)
}

fn write_content<W: Write>(replay: &Replay, writer: &mut ReplayWriter<W>) -> Result<(), ReplayError> {
    replay.inputs.iter().try_for_each(|input| writer.input(input))?;
    replay.perturbations.iter().try_for_each(|perturbation| writer.perturbation(perturbation))?;
    for (step, hash) in (0..).zip(replay.steps.iter()) {
        writer.step(step, &hash)?;
        if let Some(state) = replay.keyframes.get(step) {
            writer.keyframe(step, &state)?;
        }
    }
    Ok(())
}

fn ending<'a>(replay: &'a Replay, name: &str) -> Result<&'a Ending, ReplayError> {
    let what = "a replay without an ending: only a whole one can be written anew".to_owned();
    replay.ending.as_ref().ok_or_else(|| ReplayError::Refused { name: name.to_owned(), what })
}
