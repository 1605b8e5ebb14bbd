//! Which replay files the arguments of a command mean.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::analysis::Verdict;
use crate::analysis::body_pattern::BodyPattern;
use crate::analysis::rerun::RerunError;
use crate::analysis::roster::name_hint;
use crate::replay::format::MAX_FILE_BYTES;
use crate::replay::{Ending, Recovered, Replay, begins_as_mcap, read_recovering, read_recovering_bytes};

use crate::session::consistency::examined;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::source::{is_dash, name_of};
use crate::report::console::Console;

/// The file name extension of replays. Those still being written end in `.partial`, new goldens in `.new`.
pub const EXTENSION: &str = "mcap";

/// As much of a stream as tells what it is.
const START_BYTES: usize = 4096;

/// The status that says a verdict to the shell.
pub const fn status_of(verdict: Verdict) -> ExitStatus {
    match verdict {
        Verdict::Same => ExitStatus::Done,
        Verdict::Diverged => ExitStatus::Differs,
        Verdict::OtherSemantics => ExitStatus::OtherSemantics,
        Verdict::Failed => ExitStatus::Failed,
        Verdict::Damaged => ExitStatus::Damaged,
    }
}

/// The status and the kind of error of a replay that could not be run again as it was recorded.
pub const fn of_rerun(error: &RerunError) -> (ExitStatus, &'static str) {
    if error.is_damage() { (ExitStatus::Damaged, "damaged") } else { (ExitStatus::Differs, "not_reproduced") }
}

/// Reads a replay as far as it is sound.
pub fn read_replay(path: &Path) -> Result<Recovered, Failure> {
    check_is_file(path)?;
    if !is_dash(path) {
        return read_recovering(path).map(examined).map_err(|error| Failure::Unreadable(error.to_string()));
    }
    read_replay_bytes(
        path,
        &read_replay_stream(&mut std::io::stdin().lock(), Vec::new()).map_err(|error| unreadable(path, &error))?,
    )
}

/// Reads on in a stream of which this is the start, as far as a replay or a trace may go; no further where it begins as neither does,
/// for it may have no end.
pub fn read_replay_stream(mut stream: impl Read, start: Vec<u8>) -> std::io::Result<Vec<u8>> {
    let mut bytes = start;
    let missing = (START_BYTES as u64).saturating_sub(bytes.len() as u64);
    stream.by_ref().take(missing).read_to_end(&mut bytes)?;
    if begins_as_mcap(&bytes) {
        stream.take(MAX_FILE_BYTES + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Unreadable(format!("{}: {error}", name_of(path)))
}

/// Reads the bytes of a replay, which came from `path`, as far as they are sound.
pub fn read_replay_bytes(path: &Path, bytes: &[u8]) -> Result<Recovered, Failure> {
    let recovered = read_recovering_bytes(bytes).map(examined);
    recovered.map_err(|error| Failure::Unreadable(format!("{}: {error}", name_of(path))))
}

/// Warns of a run that did not come to its end; whether it is one.
pub fn warn_of_stop(name: &str, replay: &Replay, console: &mut Console) -> bool {
    let stop = replay.ending.as_ref().and_then(Ending::stop);
    if let Some(message) = stop {
        console.warning(&format!("{name}: the run itself stopped on an error: {message}"));
    }
    stop.is_some()
}

/// Reads standard input, or what else can be read once only, as far as a replay may go.
pub fn read_stream(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if is_dash(path) {
        std::io::stdin().lock().take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| unreadable(path, &error))?;
    Ok(bytes)
}

/// Refuses a path at which there is no file: a slip of the hand, not damage.
pub fn check_is_file(path: &Path) -> Result<(), Failure> {
    if is_dash(path) {
        return Ok(());
    }
    let shown = path.display();
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Failure::Usage(format!("{shown}: there is no such file")))
        }
        Ok(metadata) if metadata.is_dir() => Err(Failure::Usage(format!("{shown} is a folder; name a replay in it"))),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// A pattern of `--body` that means no body of a replay.
pub fn no_such_body(missing: &BodyPattern, name: &str, names: &[String]) -> Failure {
    let hint = name_hint(missing.text(), names);
    Failure::Usage(format!("--body {missing}: {name} has no such body{hint}"))
}

/// Refuses to read standard input twice.
pub fn check_one_reader<'a>(paths: impl Iterator<Item = &'a Path>) -> Result<(), Failure> {
    match paths.filter(|path| is_dash(path)).count() {
        0 | 1 => Ok(()),
        _ => Err(Failure::Usage("only one of the files can be standard input".to_owned())),
    }
}

/// The files of a folder and the folders below it that are `wanted`, by name; links to folders are not followed, for
/// they may lead in a circle. What is left alone and might have been meant is told in a sentence each.
pub fn find_files(
    folder: &Path,
    wanted: &dyn Fn(&Path) -> bool,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    add_folder(folder, wanted, tell, &mut files)?;
    Ok(files)
}

fn add_folder(
    folder: &Path,
    wanted: &dyn Fn(&Path) -> bool,
    tell: &mut dyn FnMut(&str),
    files: &mut Vec<PathBuf>,
) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::Usage(format!("{}: cannot list it: {error}", folder.display()));
    let entries: Vec<std::fs::DirEntry> =
        std::fs::read_dir(folder).and_then(|entries| entries.collect()).map_err(cannot)?;
    let mut paths: Vec<(PathBuf, bool)> = Vec::new();
    for entry in entries {
        let is_folder = entry.file_type().map_err(cannot)?.is_dir();
        paths.push((entry.path(), is_folder));
    }
    paths.sort();
    for (path, is_folder) in paths {
        if is_folder {
            add_folder(&path, wanted, tell, files)?;
            continue;
        }
        let (shown, metadata) = (path.display(), std::fs::metadata(&path));
        if metadata.as_ref().is_ok_and(std::fs::Metadata::is_dir) {
            tell(&format!("{shown} is a link to a folder, which is not followed: name it too, where it is meant"));
        } else if !wanted(&path) {
            // Whatever else lies there is nobody's business.
        } else if metadata.is_ok_and(|metadata| !metadata.is_file()) {
            // It may never say anything.
            tell(&format!("{shown} is a pipe or a device, no plain file: it was passed over"));
        } else {
            // A link that leads nowhere is no replay that holds: whoever reads it will say so.
            files.push(path);
        }
    }
    Ok(())
}

/// One of several machines that share the work: `hash:2/5` is the second of five.
///
/// Which replays it takes depends on their file names alone, so that every machine agrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 1.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

/// Parses `hash:M/N`.
pub fn parse_shard(text: &str) -> Result<Shard, String> {
    let numbers = text.strip_prefix("hash:").and_then(|fraction| fraction.split_once('/'));
    let shard =
        numbers.and_then(|(index, count)| Some(Shard { index: index.parse().ok()?, count: count.parse().ok()? }));
    shard
        .filter(|shard| 1 <= shard.index && shard.index <= shard.count)
        .ok_or_else(|| "expected `hash:M/N` with M from 1 to N, such as `hash:1/4`".to_owned())
}

impl Shard {
    /// Whether this one takes the replay.
    pub fn takes(self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let digest = blake3::hash(name.as_bytes());
        let number = digest.as_bytes().iter().take(8).fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
        number % self.count == self.index - 1
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Shard, parse_shard};

    #[test]
    fn every_replay_is_in_exactly_one_shard_and_folders_do_not_matter() {
        for number in 0..100 {
            let name = format!("scene{number}.fixed.mcap");
            let in_folder = format!("some/folder/{name}");
            let takers: Vec<u64> = (1..=3)
                .filter(|&index| {
                    let shard = Shard { index, count: 3 };
                    assert_eq!(shard.takes(Path::new(&name)), shard.takes(Path::new(&in_folder)));
                    shard.takes(Path::new(&name))
                })
                .collect();
            assert_eq!(takers.len(), 1, "{name}");
        }
    }

    #[test]
    fn what_is_no_shard_is_refused() {
        assert_eq!(parse_shard("hash:2/5"), Ok(Shard { index: 2, count: 5 }));
        for text in ["", "1/2", "hash:0/2", "hash:3/2", "hash:1/0", "hash:1", "hash:a/b", "hash:-1/2"] {
            assert!(parse_shard(text).is_err(), "{text}");
        }
    }
}
