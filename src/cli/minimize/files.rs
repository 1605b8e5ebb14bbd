//! The files of a search: the smallest scene so far, from which the same command goes on, and the result.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::analysis::minimize::{Candidate, Minimised};
use crate::scene::model::Input;
use crate::scene::{self, Scene};

use crate::cli::failure::Failure;
use crate::cli::minimize::MinimizeArguments;
use crate::cli::minimize::refusal::SUGGESTED_RUNS;
use crate::cli::output::check_is_no_input;
use crate::cli::source::is_dash;
use crate::report::console::Console;
use crate::report::minimize::MARK;
use crate::report::style::printable;

/// How the text of a scene begins that is not finished.
const PARTIAL_MARK: &str = "// Unfinished, by `physim minimize`: the same command goes on from here.";

/// Where the result goes.
pub struct Files {
    output: PathBuf,
    /// Names the question that is asked.
    fingerprint: String,
}

impl Files {
    /// The files that the arguments name; what others wrote is not replaced unless that is wanted.
    pub fn new(arguments: &MinimizeArguments, fingerprint: &str) -> Result<Self, Failure> {
        let output = match (&arguments.output, arguments.paths.first()) {
            (Some(output), _) if is_dash(output) => {
                return Err(Failure::Usage("the result is a file that can be run; give its name with -o".to_owned()));
            }
            (Some(output), _) => output.clone(),
            (None, Some(path)) if !is_dash(path) => path.with_extension("min.ron"),
            (None, _) => PathBuf::from("scene.min.ron"),
        };
        let files = Self { output, fingerprint: fingerprint.to_owned() };
        let read: Vec<&Path> = arguments.paths.iter().map(PathBuf::as_path).collect();
        check_folder(&files.output)?;
        check_is_no_input(&files.output, &read, arguments.force)?;
        check_ours(&files.output, MARK, arguments.force)?;
        check_ours(&files.partial(), PARTIAL_MARK, arguments.force)?;
        Ok(files)
    }

    /// The path of the result.
    pub fn output(&self) -> &Path {
        &self.output
    }

    fn partial(&self) -> PathBuf {
        with_suffix(&self.output, ".partial")
    }

    /// Keeps the smallest scene so far, and the names of candidates that need not be tested again.
    pub fn keep(&self, best: &Candidate, rejected: &BTreeSet<u64>) -> Result<(), Failure> {
        let names: String = rejected.iter().map(|name| format!(" {name:x}")).collect();
        let head = format!("{PARTIAL_MARK}\n// {} {}{names}\n", self.fingerprint, best.start);
        write_whole(&self.partial(), head + &best.scene.to_canonical_ron())
    }

    /// The scene that an earlier search for the same came to, if it still shows it.
    pub fn resume(
        &self,
        still_shows: impl FnOnce(&Candidate) -> bool,
        console: &mut Console,
    ) -> Option<(Candidate, BTreeSet<u64>)> {
        let path = self.partial();
        let text = std::fs::read_to_string(&path).ok()?;
        let name = path.display();
        let Some((candidate, rejected)) = self.read_partial(&text) else {
            console.warning(&format!("{name} is of another search, or incomplete: it is ignored"));
            return None;
        };
        if !still_shows(&candidate) {
            console.warning(&format!("{name} does not show it any more: it is ignored"));
            return None;
        }
        console.note(&format!("going on from {}\n", printable(&name.to_string())));
        Some((candidate, rejected))
    }

    fn read_partial(&self, text: &str) -> Option<(Candidate, BTreeSet<u64>)> {
        let (head, scene) = text.strip_prefix(PARTIAL_MARK)?.trim_start().strip_prefix("// ")?.split_once('\n')?;
        let mut words = head.split(' ');
        if words.next() != Some(&self.fingerprint) {
            return None;
        }
        let start = words.next()?.parse().ok()?;
        let rejected: Option<BTreeSet<u64>> = words.map(|name| u64::from_str_radix(name, 16).ok()).collect();
        Some((Candidate { scene: scene::parse("unfinished scene", scene).ok()?, start }, rejected?))
    }

    /// Gives the result its name, once it has been read back and shown to be what it says; an unfinished search can be
    /// gone on with.
    pub fn complete(&self, text: &str, found: &Minimised, shows: impl FnOnce(Scene) -> bool) -> Result<(), Failure> {
        let new = with_suffix(&self.output, ".new");
        write_whole(&new, text)?;
        let scene = scene::load(&new)?;
        let name = new.display();
        if scene.to_canonical_ron() != found.best.scene.to_canonical_ron() {
            return Err(Failure::Usage(format!(
                "{name}: this scene was found, but is another one when it is read back; please report this, with the file"
            )));
        }
        if !shows(scene) {
            return Err(Failure::Usage(format!(
                "{name}: does not repeat: this scene showed it when it was found, and does not when it is asked about once \
                 more; search again with --repeat {SUGGESTED_RUNS}"
            )));
        }
        rename(&new, &self.output)?;
        if !found.was_ended {
            let _ = std::fs::remove_file(self.partial());
        }
        Ok(())
    }

    /// Writes the inputs that a side was given beyond those of the scene.
    pub fn write_inputs(&self, inputs: &[Vec<Input>; 2]) -> Result<(), Failure> {
        for (inputs, side) in inputs.iter().zip(["a", "b"]) {
            if !inputs.is_empty() {
                let lines: String = inputs.iter().map(|input| input.to_ron_line() + "\n").collect();
                write_whole(&inputs_path(&self.output, side), lines)?;
            }
        }
        Ok(())
    }
}

/// Where the inputs of a side are written.
pub fn inputs_path(output: &Path, side: &str) -> PathBuf {
    with_suffix(output, &format!(".{side}.inputs"))
}

pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Refuses a result in a folder that is not there, before it is searched for.
pub(super) fn check_folder(output: &Path) -> Result<(), Failure> {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Some(folder) = folder.filter(|folder| !folder.is_dir()) else { return Ok(()) };
    let (name, folder) = (output.display(), folder.display());
    Err(Failure::Usage(format!("{name}: the folder {folder} does not exist; create it first")))
}

/// Refuses to replace what this command did not write.
fn check_ours(path: &Path, mark: &str, force: bool) -> Result<(), Failure> {
    let name = path.display();
    let Ok(metadata) = std::fs::symlink_metadata(path) else { return Ok(()) };
    if !metadata.is_file() {
        return Err(Failure::Usage(format!("{name} is not a plain file; choose another name with -o")));
    }
    let is_ours = std::fs::read(path).is_ok_and(|bytes| bytes.is_empty() || bytes.starts_with(mark.as_bytes()));
    if is_ours || force {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "{name} exists and is not by `physim minimize`; choose another name with -o, or replace it with --force"
    )))
}

/// Writes a file so that whoever reads it finds all of it, or what was there before.
pub(super) fn write_whole(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let unfinished = with_suffix(path, ".writing");
    std::fs::write(&unfinished, text)
        .map_err(|error| Failure::Usage(format!("{}: cannot write it: {error}", unfinished.display())))?;
    rename(&unfinished, path)
}

pub(super) fn rename(from: &Path, to: &Path) -> Result<(), Failure> {
    std::fs::rename(from, to)
        .map_err(|error| Failure::Usage(format!("{}: cannot give it its name: {error}", to.display())))
}
