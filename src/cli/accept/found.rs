//! Which goldens have a new result.

use std::collections::BTreeSet;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::manifest::{MANIFEST, is_manifest, read_manifest};
use crate::cli::new_golden::{NEW, new_path};
use crate::cli::output::real_path;
use crate::cli::replays::{EXTENSION, find_files};
use crate::cli::verify::LOG_EXTENSION;

/// Where goldens are looked for when no path is named.
const REPLAYS: &str = "replays";

/// The goldens that have a new result, as the paths name them; what is left alone in folders is told.
pub fn find_goldens(paths: Vec<PathBuf>, tell: &mut dyn FnMut(&str)) -> Result<Vec<PathBuf>, Failure> {
    let mut goldens = Vec::new();
    if paths.is_empty() {
        let implied: Vec<PathBuf> =
            [REPLAYS, MANIFEST].map(PathBuf::from).into_iter().filter(|path| path.exists()).collect();
        let implied = if implied.is_empty() { vec![PathBuf::from(".")] } else { implied };
        for path in &implied {
            goldens.extend(goldens_in(path, tell)?);
        }
        if goldens.is_empty() {
            let names: Vec<String> = implied.iter().map(|path| path.display().to_string()).collect();
            return Err(nothing_new(&names.join(" and ")));
        }
    }
    for path in paths {
        let shown = path.display();
        if path.is_dir() || is_manifest(&path) {
            let found = goldens_in(&path, tell)?;
            if found.is_empty() {
                return Err(nothing_new(&shown.to_string()));
            }
            goldens.extend(found);
            continue;
        }
        let golden = if path.extension() == Some(NEW.as_ref()) { path.with_extension("") } else { path.clone() };
        let new = new_path(&golden);
        let Some(metadata) = metadata_of(&new)? else {
            return Err(Failure::Usage(format!(
                "{}: there is no such file; physim verify writes it when {} does not hold",
                new.display(),
                golden.display()
            )));
        };
        if !metadata.is_file() {
            let what = if metadata.is_dir() { "a folder" } else { "a pipe or a device" };
            return Err(Failure::Usage(format!(
                "{} is {what}, no new result; rename it, and let physim verify write one",
                new.display()
            )));
        }
        goldens.push(golden);
    }
    let mut seen = BTreeSet::new();
    goldens.retain(|golden| seen.insert(real_path(golden)));
    Ok(goldens)
}

/// What is known of a new result; nothing where it is known that there is none. In a folder that may not be entered there may be any.
fn metadata_of(new: &Path) -> Result<Option<Metadata>, Failure> {
    match std::fs::metadata(new) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(Failure::Unreadable(format!("{}: {error}", new.display()))),
    }
}

fn nothing_new(shown: &str) -> Failure {
    Failure::Usage(format!(
        "{shown}: there is no new result (*.{EXTENSION}.{NEW} or *.{LOG_EXTENSION}.{NEW}); physim verify writes one beside \
         each golden that does not hold"
    ))
}

/// The goldens with a new result in a folder and those below it, or of a list of programs.
fn goldens_in(path: &Path, tell: &mut dyn FnMut(&str)) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        let mut goldens = Vec::new();
        for program in read_manifest(path)? {
            if metadata_of(&new_path(&program.golden))?.is_some_and(|metadata| metadata.is_file()) {
                goldens.push(program.golden);
            }
        }
        return Ok(goldens);
    }
    let is_list = |path: &Path| path.file_name().is_some_and(|name| name == MANIFEST);
    let mut goldens = Vec::new();
    for found in find_files(path, &|path| is_new(path) || is_list(path), tell)? {
        if is_list(&found) {
            goldens.extend(goldens_in(&found, tell)?);
        } else {
            goldens.push(found.with_extension(""));
        }
    }
    Ok(goldens)
}

/// Whether a file in a folder is the new result of a golden.
fn is_new(path: &Path) -> bool {
    let of_golden = path.file_stem().is_some_and(|stem| {
        let extension = Path::new(stem).extension();
        extension == Some(EXTENSION.as_ref()) || extension == Some(LOG_EXTENSION.as_ref())
    });
    of_golden && path.extension() == Some(NEW.as_ref())
}
