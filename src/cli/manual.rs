//! `physim manual`, hidden: the manual pages, for those who package the program.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::source::start_of;
use crate::report::console::Console;
use crate::report::style::printable;

/// Write the manual pages into a folder
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct ManualArguments {
    /// An existing folder, which gets `physim.1`, `physim-run.1` and so on
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,

    /// Replace what stands there under these names, even if it is no manual page
    #[arg(long)]
    force: bool,
}

/// How every page begins that clap_mangen makes.
const PAGE_START: &str = ".ie \\n(.g";

/// Refuses to write over a file that is no manual page.
fn check_pages(folder: &Path) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::Usage(format!("{}: cannot list it: {error}", folder.display()));
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("physim") && name.ends_with(".1") && !start_of(&path).starts_with(PAGE_START.as_bytes()) {
            let shown = path.display();
            return Err(Failure::Usage(format!("{shown} is not a manual page; choose another folder, or use --force")));
        }
    }
    Ok(())
}

/// Runs the command.
pub fn execute(arguments: &ManualArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let folder = arguments.folder.display();
    if !arguments.folder.is_dir() {
        return Err(Failure::Usage(format!("{folder}: there is no such folder; create it first")));
    }
    if !arguments.force {
        check_pages(&arguments.folder)?;
    }
    clap_mangen::generate_to(super::command_line(), &arguments.folder)
        .map_err(|error| Failure::Usage(format!("{folder}: cannot write the manual pages: {error}")))?;
    console.note(&format!("manual pages written to {}\n", printable(&folder.to_string())));
    Ok(ExitStatus::Done)
}
