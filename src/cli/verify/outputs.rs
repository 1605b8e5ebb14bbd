//! The files that results are written into beside what goes to standard output, each in a format of its own.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::replay::PartialFile;
use clap::ValueEnum;

use crate::cli::failure::Failure;
use crate::cli::new_golden::{NEW, NewPlace, OTHERS, PARTIAL, with_extension};
use crate::cli::output::{
    check_are_apart, check_is_no_input, check_replaceable, names_a_folder, real_path, remove_partial, write_whole,
};
use crate::cli::source::is_dash;
use crate::cli::verify::arguments::VerifyFormat;
use crate::cli::verify::earlier_results::holds_results;
use crate::cli::verify::kept_goldens::before_path;
use crate::cli::verify::subjects::Subject;
use crate::report::style::without_colours;
use crate::report::verify::Format;

/// What stands in place of the name of a program where a golden has another name that comes first.
const OTHER_NAME: &str = "link";

/// A file for the results.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// How they are written.
    pub format: Format,
    /// Where to.
    pub path: PathBuf,
}

impl OutputFile {
    /// Removes the results of an earlier run, so that nobody takes them for those of this one, should it end early.
    pub fn remove_earlier(&self) -> Result<(), Failure> {
        let is_own = std::fs::symlink_metadata(&self.path).is_ok_and(|file| file.is_file() && file.len() > 0)
            && holds_results(&self.path, self.format);
        let shown = self.path.display();
        let removed = if is_own { std::fs::remove_file(&self.path) } else { Ok(()) };
        // Where it is gone, another run that writes there has removed it.
        removed.or_else(|error| if error.kind() == ErrorKind::NotFound { Ok(()) } else { Err(error) }).map_err(
            |error| Failure::Usage(format!("{shown} is of an earlier run, and cannot be removed: {error}; delete it")),
        )
    }

    /// Writes the results, which are complete.
    pub fn write(&self, text: &str) -> Result<(), Failure> {
        write_whole(&self.path, &without_colours(text))
    }

    /// What it is, for messages.
    const fn what(&self) -> &'static str {
        match self.format {
            Format::Text => "results as text",
            Format::Json => "results as JSON",
            Format::Junit => "JUnit report",
            Format::Github => "list of GitHub annotations",
        }
    }

    /// What an earlier one of its kind is, for messages.
    const fn kind(&self) -> &'static str {
        match self.format {
            Format::Text => "text report of physim verify",
            Format::Json => "JSON report of physim verify",
            Format::Junit => "JUnit report of physim verify",
            Format::Github => "list of GitHub annotations of physim verify",
        }
    }

    const fn format_name(&self) -> &'static str {
        match self.format {
            Format::Text => "text",
            Format::Json => "json",
            Format::Junit => "junit",
            Format::Github => "github",
        }
    }
}

/// Refuses a folder for new results that is to be a file of results too, before it is made.
pub fn check_is_no_output(folder: &Path, outputs: &[OutputFile]) -> Result<(), Failure> {
    let is_apart = |output: &OutputFile| check_are_apart(&[(folder, "new results"), (&output.path, output.what())]);
    outputs.iter().try_for_each(is_apart)
}

/// Parses `FORMAT:FILE`.
pub fn parse_output(text: &str) -> Result<OutputFile, String> {
    let expected =
        "expected FORMAT:FILE with one of the formats text, json, junit and github, such as `junit:report.xml`";
    let (format, path) = text.split_once(':').ok_or(expected)?;
    let format = VerifyFormat::from_str(format, true).map_err(|_| expected.to_owned())?.format();
    if path.is_empty() {
        return Err(expected.to_owned());
    }
    if is_dash(Path::new(path)) {
        return Err("what goes to standard output is said by --format; give --output a file".to_owned());
    }
    Ok(OutputFile { format, path: PathBuf::from(path) })
}

/// Refuses, before anything is run, outputs that could not be written at the end, two that are one file, and one that is read.
pub fn check_outputs(
    outputs: &[OutputFile],
    subjects: &[Subject],
    paths: &[PathBuf],
    new_place: &NewPlace,
    force: bool,
) -> Result<(), Failure> {
    // The same golden may be named twice: its new result is then the same.
    let mut named = BTreeSet::new();
    let mut new: Vec<(PathBuf, String)> = Vec::new();
    for subject in subjects {
        let golden = subject.golden();
        let others = others_of(subject, new_place).into_iter().map(|path| (path, "what verify leaves"));
        for (path, what) in
            new_path_of(subject, new_place).map(|path| (path, "the new result")).into_iter().chain(others)
        {
            if named.insert((real_path(&path), real_path(golden))) {
                new.push((path, format!("{what} of {}", golden.display())));
            }
        }
    }
    let mut files: Vec<(&Path, &str)> = outputs.iter().map(|output| (output.path.as_path(), output.what())).collect();
    files.extend(new.iter().map(|(path, what)| (path.as_path(), what.as_str())));
    check_are_apart(&files)?;
    let inputs: Vec<&Path> = subjects.iter().map(Subject::golden).chain(paths.iter().map(PathBuf::as_path)).collect();
    for output in outputs {
        let (format, shown) = (output.format_name(), output.path.display());
        if !output.path.is_dir() && names_a_folder(&output.path) {
            return Err(Failure::Usage(format!(
                "--output {format}:{shown}: there is no folder {shown}; make it first, and name a file in it"
            )));
        }
        if output.path.is_dir() {
            return Err(Failure::Usage(format!(
                "--output {format}:{shown}: this is a folder; name a file in it, such as --output {format}:{}",
                output.path.join("results").display()
            )));
        }
        check_is_plain(&output.path)?;
        check_is_no_input(&output.path, &inputs, true)?;
        check_replaceable(&output.path, force, output.kind(), |path| holds_results(path, output.format))?;
        let partial = PartialFile::create(&output.path).map_err(Failure::writing)?;
        remove_partial(&output.path);
        drop(partial);
    }
    Ok(())
}

/// Refuses a link, a device or a pipe in place of a file of results or of the one that stands beside it until it is complete.
fn check_is_plain(path: &Path) -> Result<(), Failure> {
    let partial = with_extension(path, PARTIAL);
    let is_other =
        |path: &&Path| std::fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    match [path, &partial].iter().find(|path| is_other(path)) {
        None => Ok(()),
        Some(other) => Err(Failure::Usage(format!(
            "{} is a link or a device, no plain file; give --output the path of a file",
            other.display()
        ))),
    }
}

/// What else may be left of a program.
fn others_of(subject: &Subject, new_place: &NewPlace) -> Vec<PathBuf> {
    let Subject::Program(program) = subject else { return Vec::new() };
    let path = |extension| new_place.path_of_program(program, extension);
    OTHERS.into_iter().filter_map(path).chain([before_path(subject, new_place)]).collect()
}

/// Where the new result of a subject would be left.
pub fn new_path_of(subject: &Subject, new_place: &NewPlace) -> Option<PathBuf> {
    match subject {
        Subject::Program(program) if !program.owns_golden && program.name.is_none() => {
            // A golden by another of its names: beside that, this is not its new result either.
            new_place.path_of_another(&program.golden, Some(OTHER_NAME), NEW)
        }
        Subject::Program(program) if !program.owns_golden => new_place.path_of_program(program, NEW),
        _ => new_place.path(subject.golden()),
    }
}
