//! `physim completions`: what a shell needs to complete our command line.

use clap::Args;
use clap_complete::Shell;

use crate::cli::exit_status::ExitStatus;
use crate::report::console::Console;

const EXAMPLES: &str = "\
Examples:
  physim completions bash > ~/.local/share/bash-completion/completions/physim
  physim completions zsh > ~/.zfunc/_physim
  physim completions fish > ~/.config/fish/completions/physim.fish";

/// Write the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Runs the command.
pub fn execute(arguments: &CompletionsArguments, console: &mut Console) -> ExitStatus {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::command_line(), "physim", &mut script);
    console.result(&String::from_utf8_lossy(&script));
    ExitStatus::Done
}
