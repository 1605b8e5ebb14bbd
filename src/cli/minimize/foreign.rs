//! Files of other programs, made smaller: the lines of a text, or the values of a JSON array, that a command needs to end as it does.

use std::path::{Path, PathBuf};

use crate::analysis::minimize::ddmin::ddmin;
use serde_json::value::RawValue;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::minimize::MinimizeArguments;
use crate::cli::minimize::budget::{Budget, now};
use crate::cli::minimize::command::CommandOracle;
use crate::cli::minimize::files::{check_folder, rename, with_suffix, write_whole};
use crate::cli::options::TextOrJson;
use crate::cli::output::check_is_no_input;
use crate::cli::source::{is_dash, is_replay, is_scene};
use crate::report;
use crate::report::console::Console;
use crate::report::foreign_minimize::{ForeignReport, Unit};
use crate::report::number::counted;
use crate::report::progress::Progress;
use crate::report::style::printable;

/// The largest file that is made smaller, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// How often the whole file is asked about before a search that asks once each time.
const ASKED_FIRST: u32 = 5;

/// The file that the arguments name, where it is one of another program.
pub fn foreign_file(arguments: &MinimizeArguments) -> Option<&Path> {
    let [path] = arguments.paths.as_slice() else { return None };
    let is_ron = path.extension().is_some_and(|extension| extension == "ron");
    let is_foreign = path.is_file() && !is_dash(path) && !is_ron && !is_replay(path) && !is_scene(path);
    (arguments.test.is_some() && is_foreign).then_some(path)
}

/// What a file consists of, piece by piece.
struct Pieces {
    unit: Unit,
    pieces: Vec<Vec<u8>>,
}

impl Pieces {
    fn of(content: &[u8]) -> Self {
        if content.trim_ascii_start().starts_with(b"[")
            && let Ok(values) = serde_json::from_slice::<Vec<&RawValue>>(content)
        {
            let pieces = values.into_iter().map(|value| value.get().as_bytes().to_vec()).collect();
            return Self { unit: Unit::Values, pieces };
        }
        let lines = content.split_inclusive(|byte| *byte == b'\n');
        Self { unit: Unit::Lines, pieces: lines.map(<[u8]>::to_vec).collect() }
    }

    /// Which pieces another file consists of; `None` where it has others, or all of them.
    fn those_of(&self, content: &[u8]) -> Option<Vec<usize>> {
        let mut rest = self.pieces.iter().enumerate();
        let kept: Option<Vec<usize>> = Self::of(content)
            .pieces
            .iter()
            .map(|wanted| rest.by_ref().find(|(_, piece)| *piece == wanted).map(|(place, _)| place))
            .collect();
        kept.filter(|kept| !kept.is_empty() && kept.len() < self.pieces.len())
    }

    /// The file of some of the pieces.
    fn joined(&self, pieces: &[usize]) -> Vec<u8> {
        let kept = pieces.iter().filter_map(|piece| self.pieces.get(*piece)).map(Vec::as_slice);
        match self.unit {
            Unit::Lines => kept.collect::<Vec<_>>().concat(),
            Unit::Values => [b"[".as_slice(), &kept.collect::<Vec<_>>().join(b",\n".as_slice()), b"]\n"].concat(),
        }
    }
}

/// Makes the file smaller as long as the command ends with its status.
pub fn execute(arguments: &MinimizeArguments, path: &Path, console: &mut Console) -> Result<ExitStatus, Failure> {
    let start = now();
    check_options(arguments)?;
    let output = output_of(arguments, path)?;
    let content = read(path)?;
    let pieces = Pieces::of(&content);
    let extension = path.extension().map_or_else(String::new, |extension| format!(".{}", extension.to_string_lossy()));
    let is_plain = extension.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
    let file_name = format!("candidate{}", if is_plain { extension.as_str() } else { "" });
    let template = arguments.test.as_deref().unwrap_or_default();
    let mut oracle = CommandOracle::of(template, arguments.expect, arguments.time_limit, file_name, "file")?;
    let runs = arguments.runs();
    let all: Vec<usize> = (0..pieces.pieces.len()).collect();
    if all.is_empty() {
        let what = if pieces.unit == Unit::Lines { "is empty" } else { "is an array without values" };
        let shown = path.display();
        return Err(Failure::Usage(format!(
            "{shown} {what}: there is nothing to make smaller; name the file with which the command ends as it must not"
        )));
    }
    // As it is written here: without the spaces of an array, say.
    let asked = if runs > 1 { runs } else { ASKED_FIRST };
    oracle.ask_first(&pieces.joined(&all), asked, runs > 1)?;
    let progress = match arguments.budget {
        Budget::Time(time) => Progress::new(time.as_secs(), "s"),
        Budget::Tests(tests) => Progress::new(tests, "tests"),
    };
    let (mut tests, mut was_ended, mut failure) = (0_u64, false, None);
    let partial = with_suffix(&output, ".partial");
    let start_from = match resumed(&partial, &pieces, &mut oracle, runs, console) {
        Resumed::From(kept) => kept,
        Resumed::Nothing => all.clone(),
        Resumed::Other(why) if arguments.force => {
            console.warning(&format!("{why}: it is replaced"));
            all.clone()
        }
        Resumed::Other(why) => {
            return Err(Failure::Usage(format!("{why}; choose another name with -o, or replace it with --force")));
        }
    };
    let mut fewest = start_from.len();
    let kept = ddmin(&start_from, &mut |candidate| {
        let (done, is_over) = match arguments.budget {
            Budget::Time(time) => (start.elapsed().as_secs(), start.elapsed() >= time),
            Budget::Tests(most) => (tests, tests >= most),
        };
        progress.say(|| {
            let (one, many) = pieces.unit.names();
            format!("{}, {}", counted(fewest as u64, one, many), counted(tests, "test", "tests"))
        });
        progress.reached(done);
        if is_over || failure.is_some() {
            was_ended = true;
            return None;
        }
        tests += 1;
        let content = pieces.joined(candidate);
        let shows = (0..runs).any(|_| oracle.shows(&content));
        if shows && candidate.len() < fewest {
            fewest = candidate.len();
            failure = write_whole(&partial, &content).err();
        }
        Some(shows)
    });
    progress.finish();
    failure.map_or(Ok(()), Err)?;
    let smallest = pieces.joined(&kept);
    write_whole(&with_suffix(&output, ".new"), &smallest)?;
    rename(&with_suffix(&output, ".new"), &output)?;
    if was_ended {
        write_whole(&partial, &smallest)?;
    } else {
        let _ = std::fs::remove_file(&partial);
    }
    let report = ForeignReport {
        from: &path.display().to_string(),
        to: &output.display().to_string(),
        unit: pieces.unit,
        count_from: all.len(),
        count_to: kept.len(),
        status: oracle.expected().unwrap_or_default(),
        command: oracle.line_for(&output),
        tests,
        was_ended,
        seconds: start.elapsed().as_secs_f64(),
    };
    console.result(&match arguments.format {
        TextOrJson::Text => report::foreign_minimize::text(&report),
        TextOrJson::Json => report::foreign_minimize::json(&report),
    });
    if oracle.failures.0 > 0 {
        let (count, last) = &oracle.failures;
        console.warning(&format!("{} came to no exit status, the last: {last}", counted(*count, "test", "tests")));
    }
    Ok(ExitStatus::Done)
}

/// What there is of an earlier search.
enum Resumed {
    /// No file.
    Nothing,
    /// The pieces that it came to.
    From(Vec<usize>),
    /// A file of something else, and what is known of it: hours of another search, perhaps.
    Other(String),
}

/// The pieces of what an earlier search came to, if that is a part of this file and the command still says of it what it must.
fn resumed(partial: &Path, pieces: &Pieces, oracle: &mut CommandOracle, runs: u32, console: &mut Console) -> Resumed {
    let shown = printable(&partial.display().to_string());
    let content = match std::fs::read(partial) {
        Ok(content) => content,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Resumed::Nothing,
        Err(error) => return Resumed::Other(format!("{shown} cannot be read: {error}")),
    };
    let Some(kept) = pieces.those_of(&content) else {
        return Resumed::Other(format!("{shown} is of another search"));
    };
    if !(0..runs).any(|_| oracle.shows(&pieces.joined(&kept))) {
        return Resumed::Other(format!("{shown} does not show it any more"));
    }
    console.note(&format!("going on from {shown}\n"));
    Resumed::From(kept)
}

/// Refuses what belongs to a scene.
fn check_options(arguments: &MinimizeArguments) -> Result<(), Failure> {
    let given = [("--scalar", arguments.scalar.is_some()), ("--set", !arguments.set.is_empty())];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::Usage(format!("{option} belongs to a scene; this file is none"))),
    }
}

/// Where the result goes: `NAME.min.txt` for `NAME.txt`.
fn output_of(arguments: &MinimizeArguments, path: &Path) -> Result<PathBuf, Failure> {
    let output = arguments.output.clone().unwrap_or_else(|| match path.extension() {
        Some(extension) => path.with_extension(format!("min.{}", extension.to_string_lossy())),
        None => with_suffix(path, ".min"),
    });
    let shown = output.display();
    if is_dash(&output) || output.is_dir() {
        return Err(Failure::Usage("the result is a file that can be run; give its name with -o".to_owned()));
    }
    check_folder(&output)?;
    check_is_no_input(&output, &[path], arguments.force)?;
    // What this command wrote has no mark by which it could be told: every line is the other program's.
    let is_unfinished = || {
        let partial = std::fs::read(with_suffix(&output, ".partial")).ok();
        partial.is_some_and(|partial| std::fs::read(&output).is_ok_and(|found| found == partial))
    };
    if output.exists() && !arguments.force && !is_unfinished() {
        return Err(Failure::Usage(format!("{shown} exists; choose another name with -o, or replace it with --force")));
    }
    Ok(output)
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let shown = path.display();
    let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    if size > MAX_BYTES {
        return Err(Failure::Usage(format!(
            "{shown} has {size} bytes; files of up to {MAX_BYTES} can be made smaller"
        )));
    }
    std::fs::read(path).map_err(|error| Failure::Unreadable(format!("{shown}: cannot read it: {error}")))
}
