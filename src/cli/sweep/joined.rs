//! `physim sweep --merge`: the parts of a sweep put together.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::analysis::sweep::Sweep;
use crate::analysis::sweep::merge::{Merged, Part, merge};
use crate::analysis::sweep::row::{PartError, RowFormat};

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::output::{check_is_no_input, check_replaceable, write_whole};
use crate::cli::sweep::arguments::{SweepArguments, SweepFormat};
use crate::cli::sweep::{draw, stopped_among};
use crate::report;
use crate::report::console::Console;
use crate::report::sweep::SweepReport;
use crate::report::sweep_plot::Measured;

/// Most bytes of a part.
const MOST_BYTES: u64 = 1 << 30;

/// Joins the parts.
pub fn execute(
    arguments: &SweepArguments,
    sweep: &Sweep,
    plotted: Option<Measured>,
    console: &mut Console,
) -> Result<ExitStatus, Failure> {
    let paths = parts(&arguments.merge, arguments.file())?;
    let mut parts = paths.iter().map(|path| read_part(path, sweep)).collect::<Result<Vec<Part>, Failure>>()?;
    let older = older_table(arguments, sweep);
    let kept = older.as_ref().map_or(0, |older| only_in(older, &parts));
    let has_older = older.is_some();
    parts.extend(older);
    let Merged { rows, missing } = merge(parts, sweep.runs(), &sweep.columns()).map_err(|conflict| {
        let hint = if has_older { "; --force leaves out what the output had" } else { "" };
        Failure::Usage(format!("--merge: {conflict}{hint}"))
    })?;
    let format = match arguments.chosen_format()? {
        SweepFormat::Text => None,
        SweepFormat::Csv => Some(RowFormat::Csv),
        SweepFormat::Json => Some(RowFormat::JsonLines),
    };
    let output = arguments.file().map(Path::to_owned);
    let stopped = stopped_among(sweep, &rows);
    let report = SweepReport {
        sweep,
        rows: &rows,
        runs: usize::try_from(sweep.runs()).unwrap_or(usize::MAX),
        shard: None,
        resumed: 0,
        output: output.clone(),
        missing: &missing,
    };
    match (format, &output) {
        (None, _) => console.result(&report::sweep::table(&report)),
        (Some(format), output) => {
            let mut text = format.head(sweep);
            rows.iter().for_each(|row| text.push_str(&format.line(sweep, row)));
            match output {
                None => console.result(&text),
                Some(path) => {
                    write(path, &text, &paths, sweep, arguments)?;
                    console.result(&report::sweep::summary(&report));
                    if kept > 0 {
                        console.note(&report::sweep::kept_text(kept));
                    }
                }
            }
        }
    }
    draw(arguments, plotted, sweep, &rows, console)?;
    if stopped > 0 {
        console.warning(&report::sweep::stopped_text(stopped));
    }
    if missing.is_empty() {
        return Ok(ExitStatus::Done);
    }
    console.error(&report::sweep::missing_text(&report));
    Ok(ExitStatus::Differs)
}

/// The files that are meant: those that are named, and all tables in folders, by name; not the output.
fn parts(merge: &[PathBuf], output: Option<&Path>) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = Vec::new();
    for path in merge {
        let shown = path.display();
        if !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let cannot = |error: std::io::Error| Failure::Usage(format!("{shown}: cannot list it: {error}"));
        let mut found = Vec::new();
        for entry in std::fs::read_dir(path).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
            if ending.is_some_and(|ending| ["csv", "json", "jsonl", "ndjson"].contains(&ending.as_str())) {
                found.push(path);
            }
        }
        if found.is_empty() {
            return Err(Failure::Usage(format!("{shown}: there is not part (*.csv, *.jsonl) in this folder")));
        }
        found.sort();
        paths.extend(found);
    }
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let output = output.and_then(real);
    paths.retain(|path| output.is_none() || real(path) != output);
    Ok(paths)
}

/// The rows that the output has already, if it is a table of this sweep: they are joined in, unless it is to be begun anew.
fn older_table(arguments: &SweepArguments, sweep: &Sweep) -> Option<Part> {
    let path = arguments.file().filter(|path| !arguments.force && path.is_file())?;
    read_part(path, sweep).ok()
}

/// How many runs only this part has.
fn only_in((_, rows): &Part, parts: &[Part]) -> u64 {
    let known: BTreeSet<u64> = parts.iter().flat_map(|(_, rows)| rows.iter().map(|row| row.run)).collect();
    rows.iter().filter(|row| !known.contains(&row.run)).count() as u64
}

fn read_part(path: &Path, sweep: &Sweep) -> Result<Part, Failure> {
    let name = path.display().to_string();
    let usage = |what: String| Failure::Usage(format!("{name}: {what}"));
    let mut text = Vec::new();
    File::open(path).and_then(|file| file.take(MOST_BYTES).read_to_end(&mut text)).map_err(|error| {
        let next = if path.exists() {
            ""
        } else {
            "; --merge takes the tables that `sweep --shard K/N -o` wrote, or their folder"
        };
        usage(format!("cannot read it: {error}{next}"))
    })?;
    let Some(format) = RowFormat::of(&text) else { return Ok((name, Vec::new())) };
    let rows = format.read(sweep, &text[..format.whole_lines(&text)]).map_err(|error| match error {
        PartError::OtherSweep(_) => {
            usage(format!("{error}; scene, settings, bodies and steps must be those that the part was made with"))
        }
        _ => usage(error.to_string()),
    })?;
    Ok((name, rows))
}

/// Writes the joined table; an older one of the same sweep is replaced.
fn write(path: &Path, text: &str, parts: &[PathBuf], sweep: &Sweep, arguments: &SweepArguments) -> Result<(), Failure> {
    let mut inputs: Vec<&Path> = parts.iter().map(PathBuf::as_path).collect();
    inputs.extend([Some(arguments.scene.as_path()), arguments.matrix.as_deref()].into_iter().flatten());
    check_is_no_input(path, &inputs, true)?;
    check_replaceable(path, arguments.force, "table of this sweep", |path| {
        std::fs::read(path).is_ok_and(|text| {
            RowFormat::of(&text).is_none_or(|format| format.read(sweep, &text[..format.whole_lines(&text)]).is_ok())
        })
    })?;
    write_whole(path, text)
}
