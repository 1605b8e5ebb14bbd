//! `physim completions`: what a shell needs to complete our command line.

use clap::{Args, Command};
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
    let mut command = super::command_line();
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "physim", &mut script);
    let script = String::from_utf8_lossy(&script);
    console.result(&match arguments.shell {
        Shell::Elvish => with_values(&script, "    $completions[$command]\n", &elvish_values(&values(&command)), ""),
        Shell::PowerShell => {
            let start = "    $completions = @(switch ($command) {\n";
            with_values(&script, start, &powershell_values(&values(&command)), start)
        }
        _ => script.into_owned(),
    });
    ExitStatus::Done
}

/// A script whose generator leaves out the values of options, with `added` and `kept` in the place of `start`.
fn with_values(script: &str, start: &str, added: &str, kept: &str) -> String {
    script.replacen(start, &format!("{added}{kept}"), 1)
}

/// A subcommand and the option behind which the word stands, as in `run --scalar`, with the values there are. A value that
/// stands first in a subcommand is keyed by the subcommand twice.
fn values(command: &Command) -> Vec<(String, Vec<String>)> {
    let mut values = Vec::new();
    for subcommand in command.get_subcommands() {
        let name = subcommand.get_name();
        for argument in subcommand.get_arguments().filter(|argument| argument.get_action().takes_values()) {
            let words: Vec<String> =
                argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
            if words.is_empty() {
                continue;
            }
            let long = argument.get_long().map(|long| format!("--{long}"));
            let short = argument.get_short().map(|short| format!("-{short}"));
            let first = argument.is_positional().then(|| name.to_owned());
            let places = [long, short, first].into_iter().flatten();
            values.extend(places.map(|place| (format!("{name} {place}"), words.clone())));
        }
    }
    values
}

/// Values where the word before has them, else what the generator knows, else files.
fn elvish_values(values: &[(String, Vec<String>)]) -> String {
    let rows: String = values.iter().map(|(key, words)| format!("        &'{key}'= [{}]\n", words.join(" "))).collect();
    format!(
        "    var values = [\n{rows}    ]\n    var place = $words[1]' '$words[-2]\n    \
         if (has-key $values $place) {{\n        all $values[$place]\n    \
         }} elif (has-key $completions $command) {{\n        $completions[$command]\n    \
         }} else {{\n        edit:complete-filename $words[-1]\n    }}\n"
    )
}

/// Values where the word before has them; then the script ends.
fn powershell_values(values: &[(String, Vec<String>)]) -> String {
    let row = |(key, words): &(String, Vec<String>)| format!("        '{key}' {{ '{}'; break }}\n", words.join("', '"));
    let rows: String = values.iter().map(row).collect();
    format!(
        "    $elements = @($commandElements)\n    \
         $previous = if ($wordToComplete) {{ $elements[-2] }} else {{ $elements[-1] }}\n    \
         $values = @(switch (\"$($elements[1]) $previous\") {{\n{rows}    }})\n    \
         if ($values) {{\n        \
         return $values | Where-Object {{ $_ -like \"$wordToComplete*\" }} |\n            \
         ForEach-Object {{ [CompletionResult]::new($_, $_, [CompletionResultType]::ParameterValue, $_) }}\n    }}\n\n"
    )
}
