//! Where the table of a sweep goes: a file that can be gone on with, or standard output.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::analysis::sweep::Sweep;
use crate::analysis::sweep::row::{PartError, Row, RowFormat};
use crate::replay::ReplayError;

use crate::cli::failure::Failure;
use crate::cli::output::check_is_no_input;
use crate::cli::sweep::arguments::{SweepArguments, SweepFormat};
use crate::report;
use crate::report::console::Console;
use crate::report::progress::Progress;
use crate::report::sweep::SweepReport;

/// The table on its way.
pub enum Output {
    /// A text for people, shown at the end.
    Text,
    /// Rows on standard output.
    Stream(RowFormat),
    /// Rows in a file.
    File { file: File, format: RowFormat, path: PathBuf },
}

impl Output {
    /// Opens the output; gives back the rows that are there already, the first of `runs`.
    pub fn open(
        arguments: &SweepArguments,
        sweep: &Sweep,
        runs: &[u64],
        console: &mut Console,
    ) -> Result<(Self, Vec<Row>), Failure> {
        let format = match arguments.chosen_format()? {
            SweepFormat::Text => return Ok((Self::Text, Vec::new())),
            SweepFormat::Csv => RowFormat::Csv,
            SweepFormat::Json => RowFormat::JsonLines,
        };
        let Some(path) = arguments.file() else {
            console.result(&format.head(sweep));
            return Ok((Self::Stream(format), Vec::new()));
        };
        let inputs: Vec<&Path> =
            [Some(arguments.scene.as_path()), arguments.matrix.as_deref()].into_iter().flatten().collect();
        // Whatever happens, what the command reads stays.
        check_is_no_input(path, &inputs, true)?;
        let (file, rows) = open_file(path, format, sweep, runs, arguments.force)?;
        Ok((Self::File { file, format, path: path.to_owned() }, rows))
    }

    /// Whether rows are gone once they are written.
    pub const fn is_stream(&self) -> bool {
        matches!(self, Self::Stream(_))
    }

    /// The file, if it is one.
    pub fn path(&self) -> Option<PathBuf> {
        match self {
            Self::File { path, .. } => Some(path.clone()),
            Self::Text | Self::Stream(_) => None,
        }
    }

    /// Writes a row.
    pub fn write(
        &mut self,
        sweep: &Sweep,
        row: &Row,
        console: &mut Console,
        progress: &Progress,
    ) -> Result<(), Failure> {
        match self {
            Self::Text => Ok(()),
            Self::Stream(format) => {
                let line = format.line(sweep, row);
                progress.suspend(|| console.result(&line));
                Ok(())
            }
            Self::File { file, format, path } => {
                // One call for a line: what is interrupted leaves at most a part of it at the end.
                file.write_all(format.line(sweep, row).as_bytes()).map_err(|cause| cannot_write(path, &cause))
            }
        }
    }

    /// Shows what there is to show at the end.
    pub fn finish(&self, report: &SweepReport<'_>, console: &mut Console) {
        match self {
            Self::Text => console.result(&report::sweep::table(report)),
            Self::Stream(_) => {}
            Self::File { .. } => console.result(&report::sweep::summary(report)),
        }
    }
}

fn cannot_write(path: &Path, cause: &std::io::Error) -> Failure {
    let name = path.display().to_string();
    let told = format!("{cause}; the rows so far stay, and the same command goes on with them");
    Failure::writing(ReplayError::Io { name, action: "write it", cause: std::io::Error::new(cause.kind(), told) })
}

/// Opens a file for this sweep alone, with the rows it has.
fn open_file(
    path: &Path,
    format: RowFormat,
    sweep: &Sweep,
    runs: &[u64],
    force: bool,
) -> Result<(File, Vec<Row>), Failure> {
    let name = path.display();
    let usage = |what: String| Failure::Usage(format!("{name}: {what}"));
    if std::fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(usage("it is not a plain file; give the path of a file, or `-` for standard output".to_owned()));
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Err(usage(format!("there is no folder {}; make it first", folder.display())));
    }
    let opened = File::options().read(true).write(true).create(true).truncate(false).open(path);
    let mut file = opened.map_err(|error| usage(format!("cannot write it: {error}")))?;
    // Where files cannot be locked, nothing is lost but this guard.
    if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
        return Err(usage("another sweep is writing it".to_owned()));
    }
    let mut text = Vec::new();
    if !force {
        file.read_to_end(&mut text).map_err(|error| usage(format!("cannot read it: {error}")))?;
    }
    let (rows, end) = sound_part(&text, format, sweep, runs).map_err(usage)?;
    file.set_len(end as u64)
        .and_then(|()| file.seek(SeekFrom::End(0)))
        .and_then(|_| if end == 0 { file.write_all(format.head(sweep).as_bytes()) } else { Ok(()) })
        .map_err(|cause| cannot_write(path, &cause))?;
    Ok((file, rows))
}

/// The rows of a file that are the first of these runs, and where they end; what follows them is half a line.
fn sound_part(text: &[u8], format: RowFormat, sweep: &Sweep, runs: &[u64]) -> Result<(Vec<Row>, usize), String> {
    const WHAT_TO_DO: &str = "choose another name, or begin anew with --force";
    let Some(found) = RowFormat::of(text) else { return Ok((Vec::new(), 0)) };
    let end = found.whole_lines(text);
    // The very first line, cut short, says nothing of whose it is; that it begins like ours is enough.
    if end == 0 {
        let head = if format == RowFormat::Csv { format.head(sweep) } else { "{\"schema\":1,\"run\":".to_owned() };
        let is_ours = head.as_bytes().starts_with(text) || text.starts_with(head.as_bytes());
        return if is_ours { Ok((Vec::new(), 0)) } else { Err(format!("it is not a table of a sweep; {WHAT_TO_DO}")) };
    }
    if found != format {
        return Err(format!("it is a table in the other format; {WHAT_TO_DO}"));
    }
    let rows = format.read(sweep, &text[..end]).map_err(|error| match error {
        PartError::Row { .. } => format!("it is damaged: {error}; {WHAT_TO_DO}"),
        _ => format!("{error}; {WHAT_TO_DO}"),
    })?;
    if !rows.iter().map(|row| &row.run).eq(runs.iter().take(rows.len())) {
        return Err(format!(
            "it has rows of another shard, or gaps; write into another file and join both with --merge, or {WHAT_TO_DO}"
        ));
    }
    Ok((rows, end))
}
