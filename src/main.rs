//! The `physim` program: parses, dispatches, and exits with the status of the command.

mod cli;
mod report;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run_program()
}
