//! The `physim` program. All of it is in the library, so that the solver is compiled once and not for each of the two.

use std::process::ExitCode;

fn main() -> ExitCode {
    physim::run_program()
}
