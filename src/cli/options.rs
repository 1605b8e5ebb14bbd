//! Options that several commands share.

use std::num::NonZeroU32;

use anstream::ColorChoice;
use clap::{Args, ValueEnum};
use physim::math::ScalarKind;

/// What `--version` says in full: the versions that decide whether a replay can be replayed.
pub const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\nreplay format 1\nsemantics 1");

/// Most threads that can be asked for.
pub const MAX_THREADS: u32 = 256;

/// When to colour: `Auto` is on a terminal, unless NO_COLOR is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColourWhen {
    Auto,
    Always,
    Never,
}

impl ColourWhen {
    /// As the terminal library wants it.
    pub const fn choice(self) -> ColorChoice {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
    }
}

/// A number type by name.
pub fn parse_scalar(name: &str) -> Result<ScalarKind, String> {
    ScalarKind::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = ScalarKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("expected one of {}", names.join(", "))
    })
}

/// A number of threads.
pub fn parse_threads(text: &str) -> Result<NonZeroU32, String> {
    let number = text.parse().ok().filter(|threads: &NonZeroU32| threads.get() <= MAX_THREADS);
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_THREADS}"))
}

/// The threads this machine can run at once; 1 where that is not known or there are none.
pub fn available_threads() -> NonZeroU32 {
    let available = std::thread::available_parallelism().ok();
    available.and_then(|number| NonZeroU32::try_from(number).ok()).unwrap_or(NonZeroU32::MIN)
}

/// How the exit status of a command that compares is said.
#[derive(Clone, Copy, Debug, Args)]
pub struct BisectExit {
    /// Exit as `git bisect run` wants it: 0 the same, 1 differs, 125 cannot say (any error, damage, other semantics)
    #[arg(long)]
    pub bisect_exit: bool,
}

/// The option by its name, for command lines that cannot even be parsed: to git such a commit is not bad either.
pub const BISECT_EXIT: &str = "--bisect-exit";

/// Formats of commands with a summary for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TextOrJson {
    Text,
    Json,
}
