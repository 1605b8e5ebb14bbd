//! `physim manual`, hidden: the manual pages, for those who package the program.

use std::path::PathBuf;

use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::report::console::Console;

/// Write the manual pages into a folder
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct ManualArguments {
    /// An existing folder, which gets `physim.1`, `physim-run.1` and so on
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Runs the command.
pub fn execute(arguments: &ManualArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let folder = arguments.folder.display();
    if !arguments.folder.is_dir() {
        return Err(Failure::Usage(format!("{folder}: there is no such folder; create it first")));
    }
    clap_mangen::generate_to(super::command_line(), &arguments.folder)
        .map_err(|error| Failure::Usage(format!("{folder}: cannot write the manual pages: {error}")))?;
    console.note(&format!("manual pages written to {folder}\n"));
    Ok(ExitStatus::Done)
}
