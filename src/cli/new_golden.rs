//! `NAME.new`: what came out here, for a golden that does not hold. `physim accept` takes it from beside the golden.

use std::io::Write;
use std::path::{Component, Path, PathBuf};

use crate::analysis::Verdict;
use crate::analysis::diff::{Diff, DiffOptions};
use crate::analysis::replay_plan::replay_plan;
use crate::analysis::run_source::{RunSource, diff_sources};
use crate::analysis::verify::Verification;
use crate::replay::{
    EmptyLists, LogOptions, LogSource, PartialFile, Replay, ReplayError, looks_like_a_replay, read_strict, without_mark,
};
use crate::session::record::Unobserved;

use crate::cli::failure::Failure;
use crate::cli::guarded_program::GuardedProgram;
use crate::cli::log_origin::{is_left_by_verify, line_of_another, origin_line};
use crate::cli::output::{Destination, recording_failure, remove_partial};
use crate::cli::source::{is_dash, start_of};
use crate::report::program::command;
use crate::report::run::path_argument;

/// What is added to the name of a golden.
pub const NEW: &str = "new";
/// What is added to the name of a recording that is not whole.
pub const PARTIAL: &str = "partial";
/// What is added to the name of a log of a program that does not repeat.
pub const RACE: &str = "race";
/// What is added to the name of that of another run, where the two differ only in what they tell.
pub const OTHER_RACE: &str = "other.race";
/// What is added to the name of a log that tells more of the step in which a run differs.
pub const DETAIL: &str = "detail";
/// What is left in the folder for new results beside these, each only by a run that comes to it.
pub const OTHERS: [&str; 4] = [PARTIAL, RACE, OTHER_RACE, DETAIL];
/// How the folder begins that has the new results of goldens outside of the working directory; a number of folders to go up follows.
const OUTSIDE: &str = "outside-";

/// What the log of a program is that has to print the golden of another one.
const COPY: &str = "what another program printed than the one that the golden belongs to";

/// Where new results are left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewPlace {
    /// Nowhere.
    Nowhere,
    /// Beside their goldens.
    Beside,
    /// In a folder, under the paths of their goldens: copied over the folder in which `verify` ran, they lie beside them. That of a golden
    /// outside of it lies in a folder with a name of its own.
    Folder(PathBuf),
}

impl NewPlace {
    /// A folder, which is made if it is not there.
    pub fn folder(folder: PathBuf) -> Result<Self, Failure> {
        let cannot = |what: String| Failure::Usage(format!("--new-dir {}: {what}", folder.display()));
        if folder.exists() && !folder.is_dir() {
            return Err(cannot("it is a file; name a folder".to_owned()));
        }
        std::fs::create_dir_all(&folder).map_err(|error| cannot(format!("cannot make this folder: {error}")))?;
        Ok(Self::Folder(folder))
    }

    /// Where the new result of a golden goes; nothing where there is to be none.
    pub fn path(&self, golden: &Path) -> Option<PathBuf> {
        if !is_golden(golden) {
            return None;
        }
        match self {
            Self::Nowhere => None,
            Self::Beside => Some(new_path(golden)),
            Self::Folder(folder) => Some(new_path(&folder.join(below(golden)))),
        }
    }

    /// Where another log of a program goes than that which may be its golden: under the name of the program, where it has one, and
    /// with this behind it.
    pub fn path_of_another(&self, golden: &Path, name: Option<&str>, extension: &str) -> Option<PathBuf> {
        let Self::Folder(folder) = self else { return None };
        let path = folder.join(below(golden));
        let path = name.map_or_else(|| path.clone(), |name| with_extension(&path, &as_file_name(name)));
        Some(with_extension(&path, extension))
    }

    /// The same, of a program of the run: where programs of several lists have one name and one golden, the second and all after it with
    /// their number.
    pub fn path_of_program(&self, program: &GuardedProgram, extension: &str) -> Option<PathBuf> {
        let GuardedProgram { golden, name, namesakes, .. } = program;
        match namesakes {
            0 => self.path_of_another(golden, name.as_deref(), extension),
            before => self.path_of_another(golden, name.as_deref(), &format!("{}.{extension}", before + 1)),
        }
    }
}

/// A name as a part of a file's name: any two names are still two.
fn as_file_name(name: &str) -> String {
    let mut word = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => word.push(char::from(byte)),
            _ => word.push_str(&format!("%{byte:02X}")),
        }
    }
    word
}

/// A path as it stands in a folder whose content is copied over the working directory: as it is where it leads down from there, and where it
/// leads out of it in a folder of its own.
fn below(path: &Path) -> PathBuf {
    seen(path).map_or_else(|| normal_parts(path), |seen| seen.place())
}

/// The parts of a path that lead down.
fn normal_parts(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// A path as it is seen from the working directory.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    /// How many folders one has to go up.
    up: usize,
    /// The way down from there.
    down: PathBuf,
}

impl Seen {
    /// How to come from one folder to another, both without links and steps upwards.
    fn from(working: &Path, folder: &Path) -> Self {
        let shared = working.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
        let down: PathBuf = folder.components().skip(shared).collect();
        Self { up: working.components().count() - shared, down: normal_parts(&down) }
    }

    /// Its place in the folder for new results.
    fn place(&self) -> PathBuf {
        if self.up == 0 { self.down.clone() } else { Path::new(&format!("{OUTSIDE}{}", self.up)).join(&self.down) }
    }
}

/// Where a path really leads that has a root or steps upwards; nothing of other paths, and where its folder is not there.
fn seen(path: &Path) -> Option<Seen> {
    if path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return None;
    }
    let working = std::env::current_dir().and_then(std::fs::canonicalize).ok()?;
    let folder = std::fs::canonicalize(path.parent()?).ok()?;
    let Seen { up, down } = Seen::from(&working, &folder);
    Some(Seen { up, down: down.join(path.file_name()?) })
}

/// A path with more behind its name.
pub fn with_extension(path: &Path, extension: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(".");
    path.push(extension);
    PathBuf::from(path)
}

/// The new result that belongs to a golden.
pub fn new_path(golden: &Path) -> PathBuf {
    with_extension(golden, NEW)
}

/// Whether a new result may be written beside this path.
fn is_golden(path: &Path) -> bool {
    let other = path.extension().is_some_and(|extension| extension == NEW || extension == PARTIAL);
    !is_dash(path) && !other
}

/// Whether a replay is to be recorded anew: it was read, and it does not hold.
pub fn is_to_be_recorded(path: &Path, found: &Verification) -> bool {
    // What has no scalar could not be read: there is no run to make again.
    let parted = matches!(found.verdict, Verdict::Diverged | Verdict::OtherSemantics);
    parted && found.scalar.is_some() && is_golden(path)
}

/// Records what this build gives beside a replay that does not hold, and notes it; gives back where.
///
/// What cannot be written is noted too: the verdict is what counts.
pub fn write_new(
    path: &Path,
    new: PathBuf,
    found: &mut Verification,
    progress: &mut dyn FnMut(u32),
) -> Option<PathBuf> {
    match make_room(&new).and_then(|()| record_again(path, &new, progress)) {
        Ok(stopped) => {
            found.notes.extend(stopped.map(|error| format!("this build's run stops: {error}")));
            found.notes.push(how_to_accept("this build's run", path, &new));
            Some(new)
        }
        Err(what) => {
            found.notes.push(format!("{} is not written: {what}", new.display()));
            None
        }
    }
}

/// Leaves a log that a program printed as the new result of its golden, and notes it; gives back where.
pub fn write_new_log(
    golden: &Path,
    new: PathBuf,
    log: &LogSource,
    may_be_golden: bool,
    found: &mut Verification,
) -> Option<PathBuf> {
    let first_line =
        if may_be_golden { origin_line(golden).map_err(|error| error.to_string()) } else { Ok(line_of_another(COPY)) };
    let written = first_line.and_then(|first_line| write_log(&new, &first_line, log));
    match written {
        Ok(()) => {
            found.notes.push(if may_be_golden {
                how_to_accept("what it printed", golden, &new)
            } else {
                format!("what it printed is in {}", new.display())
            });
            Some(new)
        }
        Err(what) => {
            found.notes.push(format!("{} is not written: {what}", new.display()));
            None
        }
    }
}

/// Leaves what a program printed as a file that is never the golden, where new results have a folder of their own, and notes it as
/// what that is, with the command that compares it with another log, its golden for one, where that shows anything.
pub fn write_other_log(
    path: Option<PathBuf>,
    what: &str,
    (log, beside): (&LogSource, &Path),
    found: &mut Verification,
) {
    let Some(path) = path else { return };
    let written = write_log(&path, &line_of_another(what), log);
    let shown = path.display();
    found.notes.push(match written {
        Ok(()) => format!("{what} is in {shown}{}", how_to_look([beside, &path], log.options())),
        Err(why) => format!("{shown} is not written: {why}"),
    });
}

/// The command that compares two logs, as far as it shows anything: that they differ or, of two runs, that one tells what the other does not.
fn how_to_look([a, b]: [&Path; 2], options: LogOptions) -> String {
    let of_file = |path: &Path| {
        let options = LogOptions { empty_lists: EmptyLists::OfAllSteps, ..options };
        RunSource::Log(LogSource::of_file(&path.display().to_string(), path.to_owned(), options))
    };
    let is_run = a.extension().is_some_and(|extension| extension == RACE);
    let shows = |diff: &Diff| diff.verdict != Verdict::Same || (is_run && !diff.notes.is_empty());
    let compared = a.is_file().then(|| diff_sources(&of_file(a), &of_file(b), DiffOptions::default()));
    if !compared.is_some_and(|compared| compared.is_ok_and(|diff| shows(&diff))) {
        return String::new();
    }
    let diff = command(&format!("diff {} {}{}", path_argument(a), path_argument(b), options.arguments()));
    format!("; it is for looking only: {diff}")
}

/// Writes a log with its first line; only what `verify` left itself is replaced.
fn write_log(path: &Path, first_line: &str, log: &LogSource) -> Result<(), String> {
    make_room(path)?;
    check_is_own(path)?;
    let mut file = PartialFile::create(path).map_err(|error| error.to_string())?;
    let io = |cause| ReplayError::Io { name: path.display().to_string(), action: "write it", cause };
    let written = file.write_all(first_line.as_bytes()).and_then(|()| log.write_lines(&mut file));
    let written = written.map_err(io).and_then(|()| file.complete());
    written.map(|_| ()).map_err(|error| {
        remove_partial(path);
        Failure::writing(error).to_string()
    })
}

/// Refuses to replace what somebody else made, be it in this place or in that in which a file stands until it is complete.
fn check_is_own(path: &Path) -> Result<(), String> {
    for path in [path, &with_extension(path, PARTIAL)] {
        let Ok(metadata) = std::fs::symlink_metadata(path) else { continue };
        let shown = path.display();
        if metadata.is_dir() {
            return Err(format!("{shown} is a folder; rename it"));
        }
        if !metadata.is_file() {
            return Err(format!("{shown} is a link or a device, no plain file; rename it"));
        }
        if metadata.len() > 0 && !is_left_by_verify(path) {
            // Nothing but a new result can be accepted.
            let accept = if path.extension() == Some(NEW.as_ref()) { "accept it, or " } else { "" };
            return Err(format!("{shown} is there, and verify did not write it: {accept}rename or delete it"));
        }
    }
    Ok(())
}

/// Takes away what an earlier run of a program has left in the folder for new results beside the new result itself: this run comes to
/// something of its own. Gives back what is to be said of it, each with its path where it is gone.
pub fn remove_earlier(place: &NewPlace, program: &GuardedProgram) -> Vec<(Option<PathBuf>, String)> {
    let paths = OTHERS.into_iter().filter_map(|extension| place.path_of_program(program, extension));
    let earlier = paths.filter(|path| std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()));
    let removed = earlier.map(|path| {
        let shown = path.display();
        if !is_left_by_verify(&path) {
            return (None, format!("{shown} is there, and verify did not write it: it stays"));
        }
        match std::fs::remove_file(&path) {
            Ok(()) => (Some(path.clone()), format!("{shown} was of an earlier run: it was removed")),
            Err(error) => (None, format!("{shown} is of an earlier run, and cannot be removed: {error}; delete it")),
        }
    });
    removed.collect()
}

/// Whether a file begins as a hash log does, or is empty.
pub fn looks_like_a_log(path: &Path) -> bool {
    let start = start_of(path);
    matches!(without_mark(&start).trim_ascii_start().first(), None | Some(b'{' | b'#'))
}

/// Of a golden that is a link: what it leads to, and how a new result gets there, for links are not written through; an error where it
/// leads nowhere.
pub fn through_link(golden: &Path, new: &Path) -> Option<std::io::Result<(PathBuf, String)>> {
    if !std::fs::symlink_metadata(golden).is_ok_and(|metadata| metadata.is_symlink()) {
        return None;
    }
    Some(std::fs::canonicalize(golden).map(|real| {
        let move_there = format!("mv {} {}", path_argument(new), path_argument(&new_path(&real)));
        let accept = command(&format!("accept {}", path_argument(&real)));
        (real, format!("{move_there} && {accept}"))
    }))
}

/// Where the new result is, and how it becomes the golden.
fn how_to_accept(what: &str, golden: &Path, new: &Path) -> String {
    let shown = new.display();
    if let Some(Ok((real, accept))) = through_link(golden, new) {
        return format!(
            "{what} is in {shown}, and the golden is a link to {}; to make it the golden: {accept}",
            real.display()
        );
    }
    let accept = command(&format!("accept {}", path_argument(golden)));
    if new == new_path(golden) {
        return format!("{what} is in {shown}; to make it the golden: {accept}");
    }
    if seen(golden).is_some_and(|seen| seen.up > 0) {
        let copy = format!("cp {} {}", path_argument(new), path_argument(&new_path(golden)));
        return format!(
            "{what} is in {shown}, for its golden is outside of the working directory; to make it the golden: {copy} && {accept}"
        );
    }
    format!(
        "{what} is in {shown}; to make it the golden, put it beside the golden as {}, and: {accept}",
        new_path(golden).display()
    )
}

/// Makes the folder that a new result goes to.
fn make_room(new: &Path) -> Result<(), String> {
    let folder = new.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), |folder| {
        std::fs::create_dir_all(folder).map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))
    })
}

/// Runs a replay again and records the run; says why it stopped, if it did.
pub fn record_again(path: &Path, new: &Path, progress: &mut dyn FnMut(u32)) -> Result<Option<String>, String> {
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
        let again = command(&format!("verify --threads {threads} {}", path_argument(path)));
        return Err(format!(
            "run once more as it was recorded, with {threads} as the number of threads, it comes to the recorded hashes: it depends \
             on the threads, or is a race; see `{again}`"
        ));
    }
    Ok(summary.stopped.map(|error| error.to_string()))
}

/// Takes away a new result that lies beside a golden which holds: accepting it would break the golden. Where nothing is to be written
/// beside goldens nothing is removed there, and it is noted.
pub fn remove_stale(path: &Path, place: &NewPlace, found: &mut Verification) {
    if found.verdict == Verdict::Same && is_golden(path) {
        let what = if found.scalar.is_some() { "replay" } else { "golden" };
        remove_new(path, place, &format!("is stale, for the {what} holds"), found);
    }
}

/// Takes away an earlier new result of a program that does not repeat: a golden of it would not hold.
pub fn remove_unrepeated(golden: &Path, place: &NewPlace, found: &mut Verification) {
    remove_new(golden, place, "is of an earlier run, and the program does not repeat", found);
}

/// Removes the new result that an earlier run has left in the folder for new results, and the one beside the golden.
fn remove_new(golden: &Path, place: &NewPlace, why: &str, found: &mut Verification) {
    if matches!(place, NewPlace::Folder(_))
        && let Some(left) = place.path(golden)
    {
        remove_or_note(&left, true, why, found);
    }
    remove_or_note(&new_path(golden), *place == NewPlace::Beside, why, found);
}

/// Removes a new result, where there is one, if it may and if it is one of physim's; else says that it is to be removed.
fn remove_or_note(new: &Path, may_remove: bool, why: &str, found: &mut Verification) {
    if !new.is_file() {
        return;
    }
    let shown = new.display();
    // Of a replay only its scene would tell who made it, and that can be run again.
    let is_own = is_left_by_verify(new) || looks_like_a_replay(new);
    let removed = (may_remove && is_own).then(|| std::fs::remove_file(new));
    found.notes.push(match removed {
        None if may_remove => format!("{shown} {why}, but verify did not write it: delete it"),
        None => format!("{shown} {why}: delete it"),
        Some(Ok(())) => format!("{shown} {why}: it was removed"),
        Some(Err(error)) => format!("{shown} {why}, and cannot be removed: {error}; delete it"),
    });
}

/// What to name in place of something that `verify` leaves beside goldens; nothing of a golden.
pub fn golden_of(path: &Path) -> Option<String> {
    let extension = path.extension().filter(|extension| *extension == NEW || *extension == PARTIAL)?;
    let (shown, golden) = (path.display(), path.with_extension(""));
    let itself = golden.display();
    if extension == NEW && path.exists() {
        let accept = command(&format!("accept {}", path_argument(&golden)));
        return Some(format!(
            "{shown} is a new result, not a golden: {accept} makes it the golden {itself}, which is what to name here"
        ));
    }
    Some(format!(
        "{shown} is no name of a golden, for new results and broken ones end like that: name the golden itself, {itself}"
    ))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{NEW, NewPlace, Seen};

    #[test]
    fn a_folder_takes_new_results_under_the_paths_of_their_goldens() {
        let place = NewPlace::Folder(PathBuf::from("new"));
        let path = |golden: &str| place.path(Path::new(golden));
        assert_eq!(path("a/b.log"), Some(PathBuf::from("new/a/b.log.new")));
        assert_eq!(path("./b.log"), Some(PathBuf::from("new/b.log.new")));
        assert_eq!(path("/x/../b.log"), Some(PathBuf::from("new/x/b.log.new")), "nothing leads out of the folder");
        // Where goldens really are: below the working directory, and beside it.
        let here = std::env::current_dir().expect("a folder");
        let name = here.file_name().expect("a name").to_string_lossy().into_owned();
        let within = here.join("src/b.log").display().to_string();
        for inside in [&within, "src/../src/b.log", &format!("../{name}/src/b.log")] {
            assert_eq!(path(inside), Some(PathBuf::from("new/src/b.log.new")), "{inside}");
        }
        assert_eq!(path("../b.log"), Some(PathBuf::from("new/outside-1/b.log.new")));
        assert_eq!(path("src/../../b.log"), path("../b.log"));
        let seen = |folder: &str| Seen::from(Path::new("/home/u/game/engine"), Path::new(folder)).place();
        for (folder, place) in [
            ("/home/u/game/engine/a/b", "a/b"),
            ("/home/u/game/engine", ""),
            ("/home/u/game/x", "outside-1/x"),
            ("/home/u/x", "outside-2/x"),
            ("/home/u/game", "outside-1"),
            ("/tmp/x", "outside-4/tmp/x"),
            ("/home/u/game/engine2", "outside-1/engine2"),
        ] {
            assert_eq!(seen(folder), PathBuf::from(place), "{folder}");
        }
        assert_eq!(path("-"), None);
        assert_eq!(path("b.log.new"), None);
        let other = |name: &str| place.path_of_another(Path::new("a/b.log"), Some(name), NEW);
        assert_eq!(other("game, restored/2"), Some(PathBuf::from("new/a/b.log.game%2C%20restored%2F2.new")));
        let names = ["a b", "a_b", "a%20b", "a,b", "a\u{e9}b", "a.b", "ab"];
        let paths: std::collections::BTreeSet<_> = names.into_iter().map(other).collect();
        assert_eq!(paths.len(), names.len(), "{paths:?}");
        let partial = place.path_of_another(Path::new("b.log"), None, super::PARTIAL);
        assert_eq!(partial, Some(PathBuf::from("new/b.log.partial")));
        assert_eq!(NewPlace::Beside.path_of_another(Path::new("b.log"), Some("game"), NEW), None);
    }
}
