//! Where a run is recorded.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, IsTerminal, Read, Write};
use std::path::{Component, Path, PathBuf};

use crate::export::ExportError;
use crate::replay::recordable::check_recordable;
use crate::replay::{Header, PartialFile, ReplayError, ReplayWriter, looks_like_a_replay};
use crate::session::record::{RecordError, RunPlan, RunSummary, Stepper, record_with};

use crate::cli::failure::Failure;
use crate::cli::source::is_dash;

/// Where the replay goes.
#[derive(Clone, Debug)]
pub enum Destination {
    /// Nowhere: the run is not recorded.
    Nowhere,
    /// To standard output, as the run goes on.
    StandardOutput,
    /// Into a file, which has its name only when it is complete.
    File(PathBuf),
}

impl Destination {
    /// The destination that `-o` names.
    ///
    /// A terminal takes no replay, and a file that is not a replay is not replaced unless `force` is given.
    pub fn new(output: Option<PathBuf>, force: bool) -> Result<Self, Failure> {
        match output {
            None => Ok(Self::Nowhere),
            Some(path) if is_dash(&path) && std::io::stdout().is_terminal() => Err(Failure::Usage(
                "refusing to write binary data to a terminal; send it to a file or a pipe".to_owned(),
            )),
            Some(path) if is_dash(&path) => Ok(Self::StandardOutput),
            Some(path) => {
                check_replaceable(&path, force, "replay", looks_like_a_replay)?;
                Ok(Self::File(path))
            }
        }
    }

    /// The path of the replay, if it has one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::File(path) => Some(path),
            Self::Nowhere | Self::StandardOutput => None,
        }
    }

    /// Runs a plan and records it here; returns the size of the replay in bytes, if it is a file.
    pub fn record(
        &self,
        plan: &RunPlan,
        stepper: &mut impl Stepper,
        progress: &mut dyn FnMut(u32),
    ) -> Result<(RunSummary, Option<u64>), RecordError> {
        match self {
            Self::Nowhere => {
                let (summary, _) = record_with::<Vec<u8>>(plan, &mut |_, _, _| Ok(None), stepper, progress)?;
                Ok((summary, None))
            }
            Self::StandardOutput => {
                let name = "standard output";
                let mut open = |header: &Header, scene: &str, state_bytes| {
                    check_recordable(name, scene, header.bodies, state_bytes)?;
                    ReplayWriter::new(name, std::io::stdout().lock(), header, scene).map(Some)
                };
                let (summary, stream) = record_with(plan, &mut open, stepper, progress)?;
                let flushed = stream.map_or(Ok(()), |mut stream| stream.flush());
                flushed.map_err(|cause| ReplayError::Io { name: name.to_owned(), action: "write it", cause })?;
                Ok((summary, None))
            }
            Self::File(path) => {
                let mut open = |header: &Header, scene: &str, state_bytes| {
                    check_recordable(&path.display().to_string(), scene, header.bodies, state_bytes)?;
                    ReplayWriter::create(path, header, scene).map(Some)
                };
                let recorded = record_with(plan, &mut open, stepper, progress).and_then(|(summary, file)| {
                    file.map(PartialFile::complete).transpose()?;
                    Ok(summary)
                });
                let summary = recorded.map_err(|error| say_what_stays(path, error))?;
                Ok((summary, std::fs::metadata(path).ok().map(|metadata| metadata.len())))
            }
        }
    }
}

/// An error for want of room says that the `.partial` takes some, and that it can be read.
fn say_what_stays(path: &Path, error: RecordError) -> RecordError {
    let wants_room = |cause: &std::io::Error| {
        matches!(cause.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
    };
    match error {
        RecordError::Replay(ReplayError::Io { name, action, cause }) if wants_room(&cause) => {
            let partial = PathBuf::from(format!("{}.partial", path.display()));
            let told = if std::fs::metadata(&partial).is_ok_and(|metadata| metadata.len() > 0) {
                let partial = partial.display();
                format!(
                    "{cause}; the steps written so far stay in {partial}, which show and verify can read: delete it to make room"
                )
            } else {
                format!("{cause}; nothing of it was written: make room, or write it elsewhere")
            };
            RecordError::Replay(ReplayError::Io { name, action, cause: std::io::Error::new(cause.kind(), told) })
        }
        other => other,
    }
}

/// Refuses to let `--force` write over what the command itself reads. Without it only files of the output's own kind are
/// replaced, and those are not input.
pub fn check_is_no_input(output: &Path, inputs: &[&Path], force: bool) -> Result<(), Failure> {
    if !force {
        return Ok(());
    }
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let is_same = |input: &&&Path| real(output).is_some_and(|output| real(input) == Some(output));
    match inputs.iter().find(is_same) {
        None => Ok(()),
        Some(_) => Err(Failure::Usage(format!("{} is what this command reads; choose another name", output.display()))),
    }
}

/// Whether a path can only be that of a folder, by how it ends: in a separator, or in `.` or `..`.
pub fn names_a_folder(path: &Path) -> bool {
    let bytes = path.as_os_str().as_encoded_bytes();
    path.file_name().is_none_or(|name| !bytes.ends_with(name.as_encoded_bytes()))
}

/// The file a path means, whichever way it is spelled and whether or not it is there, or its folder: what is not there is no link.
pub fn real_path(path: &Path) -> PathBuf {
    if let Ok(real) = std::fs::canonicalize(path) {
        return real;
    }
    let start = if path.is_absolute() { None } else { std::fs::canonicalize(".").ok() };
    path.components().fold(start.unwrap_or_default(), |mut real, component| {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                real.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => real.push(component),
        }
        std::fs::canonicalize(&real).unwrap_or(real)
    })
}

/// Refuses outputs of which two are one file, or one is the file in which another is written until it is complete; each comes
/// with what goes into it.
pub fn check_are_apart(outputs: &[(&Path, &str)]) -> Result<(), Failure> {
    let partial = |path: &Path| {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        real_path(Path::new(&partial))
    };
    let files = || outputs.iter().filter(|(path, _)| !is_dash(path));
    for (path, what) in files() {
        if let Some((_, other)) = files().find(|(other, _)| partial(other) == real_path(path)) {
            let shown = path.display();
            return Err(Failure::Usage(format!(
                "{shown} cannot take {what}: {other} is written there first; name another"
            )));
        }
    }
    let mut taken = BTreeMap::new();
    for (path, what) in outputs {
        let file = if is_dash(path) { PathBuf::from(path) } else { real_path(path) };
        let Some(other) = taken.insert(file, what) else { continue };
        return Err(Failure::Usage(if is_dash(path) {
            format!("{other} and {what} cannot both go to standard output")
        } else {
            format!("{} cannot take both {other} and {what}; name two files", path.display())
        }));
    }
    Ok(())
}

/// Refuses, before anything is done for it, a text file that could not be written at the end.
pub fn check_text_file(path: &Path, force: bool, what: &str, start: &[u8]) -> Result<(), Failure> {
    let is_ours = |path: &Path| {
        let mut found = Vec::new();
        let read = File::open(path).and_then(|file| file.take(start.len() as u64).read_to_end(&mut found));
        read.is_ok() && found == start
    };
    check_replaceable(path, force, what, is_ours)?;
    let partial = PartialFile::create(path).map_err(Failure::writing)?;
    remove_partial(path);
    drop(partial);
    Ok(())
}

/// Refuses to put a replay, or what else is written, in the place of anything but one of its kind: the file takes its
/// name by being moved there, and on the way it stands beside it as `.partial`.
pub fn check_replaceable(path: &Path, force: bool, what: &str, is_ours: impl Fn(&Path) -> bool) -> Result<(), Failure> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    for path in [path, Path::new(&partial)] {
        let Ok(metadata) = std::fs::symlink_metadata(path) else { continue };
        if metadata.is_dir() {
            continue; // what is wrong with a folder is said when it is opened
        }
        let name = path.display();
        if !metadata.is_file() {
            return Err(Failure::Usage(format!(
                "{name} is a link or a device, no plain file; give the path of a file, or `-` for standard output"
            )));
        }
        // Nothing is lost with an empty file: a run that was killed early leaves one.
        if !force && metadata.len() > 0 && !is_ours(path) {
            return Err(Failure::Usage(format!(
                "{name} exists and is not a {what}; choose another name, or replace it with --force"
            )));
        }
    }
    Ok(())
}

/// Writes a text file that has its name only when it is complete; `start` is how files of its kind begin.
pub fn write_text_file(path: &Path, text: &str, force: bool, what: &str, start: &[u8]) -> Result<(), Failure> {
    let is_ours = |path: &Path| std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(start));
    check_replaceable(path, force, what, is_ours)?;
    write_whole(path, text)
}

/// Writes a file that has its name only when it is complete; where that fails, nothing of it stays.
pub fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file = PartialFile::create(path).map_err(Failure::writing)?;
    let io = |cause| ReplayError::Io { name: path.display().to_string(), action: "write it", cause };
    let written = file.write_all(text.as_bytes()).map_err(io).and_then(|()| file.complete());
    written.map(|_| ()).map_err(|error| {
        remove_partial(path);
        Failure::writing(error)
    })
}

/// What is left of a file that could not be completed is of no use, and may be what filled the disk.
pub fn remove_partial(output: &Path) {
    let mut partial = output.as_os_str().to_owned();
    partial.push(".partial");
    // Nothing is lost where it cannot be removed.
    let _ = std::fs::remove_file(partial);
}

/// States that could not be written, as the failure of a command.
pub fn exporting_failure(name: &str, error: ExportError) -> Failure {
    match error {
        ExportError::Io(cause) => {
            Failure::writing(ReplayError::Io { name: name.to_owned(), action: "write it", cause })
        }
        ExportError::Rerun(error) => Failure::Unreadable(format!("{name}: {error}")),
        ExportError::Format(what) => Failure::Usage(format!("{name}: {what}")),
    }
}

/// A run that could not be recorded, as the failure of a command.
pub fn recording_failure(scene_name: &str, error: RecordError) -> Failure {
    match error {
        RecordError::Build(error) => Failure::building(scene_name, &error),
        RecordError::Replay(error) => Failure::writing(error),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use crate::replay::ReplayError;
    use crate::session::record::RecordError;

    use super::say_what_stays;

    #[test]
    fn a_full_disk_is_told_with_the_file_that_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let told = |kind| {
            let cause = Error::new(kind, "it broke");
            let error = ReplayError::Io { name: "a.mcap.partial".to_owned(), action: "write it", cause };
            say_what_stays(&folder.path().join("a.mcap"), RecordError::Replay(error)).to_string()
        };
        let full = told(ErrorKind::StorageFull);
        assert!(full.contains("it broke; nothing of it was written: make room"), "{full}");
        std::fs::write(folder.path().join("a.mcap.partial"), "some").expect("room");
        let full = told(ErrorKind::StorageFull);
        assert!(
            full.contains("it broke; the steps written so far stay in ") && full.contains("a.mcap.partial"),
            "{full}"
        );
        assert_eq!(told(ErrorKind::PermissionDenied), "a.mcap.partial: cannot write it: it broke");
    }
}
