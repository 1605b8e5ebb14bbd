//! What is verified: the replays and the programs that the arguments mean.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::cli::failure::Failure;
use crate::cli::guarded_program::{GuardedProgram, Start};
use crate::cli::manifest::{MANIFEST, is_manifest, read_manifest};
use crate::cli::output::{names_a_folder, real_path};
use crate::cli::process::can_start_programs;
use crate::cli::replays::{EXTENSION, check_is_file, check_one_reader, find_files};
use crate::cli::source::{is_dash, name_of};
use crate::report::run::shell_word;

/// The file name extension of golden hash logs in folders.
pub const LOG_EXTENSION: &str = "log";
/// What stands for a golden in a command.
const PLACES: [&str; 2] = ["{name}", "{golden}"];

/// One thing that is verified.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A replay, which this build runs again.
    Replay(PathBuf),
    /// A program, which prints a log again.
    Program(GuardedProgram),
}

impl Subject {
    /// What reports call it.
    pub fn name(&self) -> String {
        match self {
            Self::Replay(path) => name_of(path),
            Self::Program(program) => program.shown_name(),
        }
    }

    /// The file that it is held to.
    pub fn golden(&self) -> &Path {
        match self {
            Self::Replay(path) => path,
            Self::Program(program) => &program.golden,
        }
    }

    /// What its part among several machines follows from.
    pub fn shard_name(&self) -> PathBuf {
        match self {
            Self::Replay(path) => path.clone(),
            Self::Program(program) => program.name.as_ref().map_or_else(|| program.golden.clone(), PathBuf::from),
        }
    }
}

/// What these paths mean: with a command golden logs, and without one replays and lists of programs. What is left alone in
/// folders is told.
pub fn find_subjects(
    paths: &[PathBuf],
    exec: Option<&str>,
    tell: &mut dyn FnMut(&str),
) -> Result<Vec<Subject>, Failure> {
    check_one_reader(paths.iter().map(PathBuf::as_path))?;
    let subjects = match exec {
        Some(command) => find_logs(paths, command, tell)?,
        None => find_goldens(paths, tell)?,
    };
    if subjects.iter().any(|subject| matches!(subject, Subject::Program(_))) {
        can_start_programs().map_err(|failure| Failure::Usage(failure.to_string()))?;
    }
    Ok(with_owners(subjects))
}

/// Of several programs that are held to one golden, whichever list or name they have it from, it is the first whose new result may be the
/// golden, but of names on the command line one that is no link; and what is left of them is told apart.
fn with_owners(mut subjects: Vec<Subject>) -> Vec<Subject> {
    let mut named = BTreeMap::new();
    let mut goldens = BTreeSet::new();
    let is_link = |program: &GuardedProgram| {
        program.name.is_none() && std::fs::symlink_metadata(&program.golden).is_ok_and(|metadata| metadata.is_symlink())
    };
    let mut programs: Vec<&mut GuardedProgram> = subjects
        .iter_mut()
        .filter_map(|subject| match subject {
            Subject::Replay(_) => None,
            Subject::Program(program) => Some(program),
        })
        .collect();
    programs.sort_by_key(|program| is_link(program));
    for program in programs {
        let golden = real_path(&program.golden);
        if let Some(name) = &program.name {
            let before: &mut usize = named.entry((golden.clone(), name.clone())).or_default();
            program.namesakes = *before;
            *before += 1;
        }
        program.owns_golden = goldens.insert(golden);
    }
    subjects
}

/// A file by the name that it is called by, however its folder is named: of one file that has two names, two.
fn by_name(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            real_path(folder).join(name)
        }
        _ => real_path(path),
    }
}

/// Replays as they are named, the programs of lists, and all of both in folders.
fn find_goldens(paths: &[PathBuf], tell: &mut dyn FnMut(&str)) -> Result<Vec<Subject>, Failure> {
    let mut subjects = Vec::new();
    let mut lists = BTreeSet::new();
    // A list that is named and in a folder too is one.
    let mut add = |path: &Path| -> Result<(), Failure> {
        if !is_manifest(path) || lists.insert(by_name(path)) {
            subjects.extend(subjects_of(path)?);
        }
        Ok(())
    };
    for path in paths {
        if !path.is_dir() {
            check_is_file(path)?;
            add(path)?;
            continue;
        }
        let is_list = |path: &Path| path.file_name().is_some_and(|name| name == MANIFEST);
        let found = find_files(path, &|path| path.extension() == Some(EXTENSION.as_ref()) || is_list(path), tell)?;
        if found.is_empty() {
            let shown = path.display();
            return Err(Failure::Usage(format!(
                "{shown}: there is no replay (*.{EXTENSION}) and no {MANIFEST} in this folder; golden hash logs need the command \
                 that prints them: --exec"
            )));
        }
        found.iter().try_for_each(|path| add(path))?;
    }
    Ok(subjects)
}

/// What a file means that is no golden log.
fn subjects_of(path: &Path) -> Result<Vec<Subject>, Failure> {
    if is_manifest(path) {
        let programs = read_manifest(path)?;
        return programs.into_iter().map(subject_of_program).collect();
    }
    Ok(vec![Subject::Replay(path.to_owned())])
}

/// Golden logs, named or in folders, each with the command that prints it.
fn find_logs(paths: &[PathBuf], command: &str, tell: &mut dyn FnMut(&str)) -> Result<Vec<Subject>, Failure> {
    if command.trim().is_empty() {
        return Err(Failure::Usage("--exec: the command is empty; give one that prints a hash log".to_owned()));
    }
    let mut goldens = Vec::new();
    for path in paths {
        if is_dash(path) {
            return Err(Failure::Usage("with --exec the golden log must be a file, not standard input".to_owned()));
        }
        if !path.is_dir() {
            goldens.push(path.clone());
            continue;
        }
        let found = find_files(path, &|path| path.extension() == Some(LOG_EXTENSION.as_ref()), tell)?;
        if found.is_empty() {
            let shown = path.display();
            return Err(Failure::Usage(format!(
                "{shown}: there is no golden hash log (*.{LOG_EXTENSION}) in this folder; to record the first, name the file that \
                 it is to be"
            )));
        }
        goldens.extend(found);
    }
    // A golden by another name is printed by another command.
    let has_a_place = PLACES.iter().any(|place| command.contains(place));
    let mut seen = BTreeSet::new();
    goldens.retain(|golden| seen.insert(if has_a_place { by_name(golden) } else { real_path(golden) }));
    if goldens.len() > 1 && !has_a_place {
        return Err(Failure::Usage(format!(
            "one command cannot print {} different logs: write {{name}} or {{golden}} where the name or the path of each golden \
             belongs, such as --exec './game --level {{name}}', or list the programs in a {MANIFEST}",
            goldens.len()
        )));
    }
    goldens.into_iter().map(|golden| subject_of_program(program_of(golden, command))).collect()
}

/// The program that prints one golden.
fn program_of(golden: PathBuf, command: &str) -> GuardedProgram {
    let name = golden.file_stem().unwrap_or_default().to_owned();
    // A program may take what begins with a dash for an option of its own.
    let begins_with_a_dash = golden.as_os_str().as_encoded_bytes().starts_with(b"-");
    let path = if begins_with_a_dash { Path::new(".").join(&golden) } else { golden.clone() };
    let values = PLACES.into_iter().zip([&name, path.as_os_str()].map(shell_word)).collect();
    GuardedProgram {
        name: None,
        list: None,
        golden,
        start: Start::Shell { line: command.to_owned(), values },
        folder: None,
        time_limit: None,
        resimulated: false,
        owns_golden: true,
        namesakes: 0,
    }
}

/// A golden need not be there yet, but the folder has to be in which it is to lie.
fn subject_of_program(program: GuardedProgram) -> Result<Subject, Failure> {
    let golden = &program.golden;
    let shown = golden.display();
    if golden.is_dir() {
        return Err(Failure::Usage(format!("{shown} is a folder; name a golden hash log in it")));
    }
    // One that is no file may have no end, or give nothing the second time.
    if std::fs::metadata(golden).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(Failure::Usage(format!(
            "{shown} is a pipe or a device, no plain file, and a golden is read more than once: write what comes from it into a file \
             and name that"
        )));
    }
    // It would be read as missing, and what is written in its place would be no golden of this name.
    if let (Ok(target), Err(error)) = (std::fs::read_link(golden), std::fs::metadata(golden)) {
        return Err(Failure::Usage(format!(
            "{shown} is a link to {} that leads to no file ({error}): delete it, or let it lead to a golden",
            target.display()
        )));
    }
    if names_a_folder(golden) {
        return Err(Failure::Usage(format!(
            "there is no folder {shown}; make it first, or name the golden hash log itself"
        )));
    }
    let folder = golden.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| is_no_folder(folder)) {
        Some(folder) => Err(Failure::Usage(format!("{shown}: there is no folder {}; make it first", folder.display()))),
        None => Ok(Subject::Program(program)),
    }
}

/// Whether it is known that there is no folder at a path: in one that may not be entered there may be any, and who reads will say so.
fn is_no_folder(path: &Path) -> bool {
    match std::fs::metadata(path) {
        Ok(metadata) => !metadata.is_dir(),
        Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}
