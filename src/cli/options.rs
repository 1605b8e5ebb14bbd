//! Options that several commands share.

use std::ffi::OsStr;
use std::num::NonZeroU32;

use crate::math::ScalarKind;
use crate::math::lanes::LanePath;
use crate::parallel::MAX_THREADS;
use crate::scene::decimal::Decimal;
use crate::scene::nearest::nearest;
use anstream::ColorChoice;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Args, Command, ValueEnum};

/// What `--version` says in full: the versions that decide whether a replay can be replayed.
pub const LONG_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\nreplay format 1\nsemantics 38");

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

/// A number type by name, in capitals or not: scenes write `F32`.
pub fn parse_scalar(name: &str) -> Result<ScalarKind, String> {
    ScalarKind::from_name(&name.to_lowercase()).ok_or_else(|| {
        let names: Vec<&str> = ScalarKind::ALL.iter().map(|kind| kind.name()).collect();
        let meant = nearest(name, ["Fixed", "F32", "F64"]);
        let hint = meant.map_or_else(String::new, |meant| format!("; did you mean `{}`?", meant.to_lowercase()));
        format!("expected one of {}{hint}", names.join(", "))
    })
}

/// Reads the values of an option, and knows their names for completions.
#[derive(Clone)]
pub struct Listed<T: Clone> {
    names: Vec<&'static str>,
    parse: fn(&str) -> Result<T, String>,
}

/// A parser of values that have these names.
pub fn listed<T: Clone>(names: Vec<&'static str>, parse: fn(&str) -> Result<T, String>) -> Listed<T> {
    Listed { names, parse }
}

/// A parser of scalars.
pub fn scalars() -> Listed<ScalarKind> {
    listed(ScalarKind::ALL.map(ScalarKind::name).to_vec(), parse_scalar)
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Listed<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        self.parse.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

/// A whole number within limits; a number written in another way is understood and proposed.
pub fn parse_whole<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u32, String> {
    let limits = LEAST..=MOST;
    if let Some(number) = text.parse().ok().filter(|number| limits.contains(number)) {
        return Ok(number);
    }
    let plain: String = text.trim().chars().filter(|letter| !matches!(letter, '_' | '\'' | ' ')).collect();
    let meant = Decimal::new(&plain).ok().map(|decimal| decimal.exact()).filter(|exact| exact.scale() == 0);
    let meant =
        meant.and_then(|exact| u32::try_from(exact.coefficient()).ok()).filter(|number| limits.contains(number));
    let hint = meant.map_or_else(String::new, |number| format!("; did you mean {number}?"));
    let is_too_large =
        !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit()) && plain.parse::<u32>().is_err();
    let range = if MOST == u32::MAX && !is_too_large {
        format!("of at least {LEAST}")
    } else {
        format!("from {LEAST} to {MOST}")
    };
    Err(format!("expected a whole number {range}{hint}"))
}

/// A number of threads.
pub fn parse_threads(text: &str) -> Result<NonZeroU32, String> {
    let number = parse_whole::<1, MAX_THREADS>(text)?;
    NonZeroU32::new(number).ok_or_else(|| format!("expected a whole number from 1 to {MAX_THREADS}"))
}

/// The vectors to work with, which this machine has to have.
pub fn parse_lanes(name: &str) -> Result<LanePath, String> {
    let available: Vec<&str> = LanePath::available().map(LanePath::name).collect();
    let available = available.join(", ");
    match LanePath::from_name(name) {
        Some(lanes) if lanes.is_available() => Ok(lanes),
        Some(_) => Err(format!("this machine does not have them; it has {available}")),
        None => Err(format!("expected one of {available}")),
    }
}

/// A parser of the vectors to work with.
pub fn lane_paths() -> Listed<LanePath> {
    listed(LanePath::ALL.map(LanePath::name).to_vec(), parse_lanes)
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

#[cfg(test)]
mod tests {
    use crate::math::ScalarKind;

    use super::{parse_scalar, parse_whole};

    #[test]
    fn a_number_written_in_another_way_is_proposed() {
        assert_eq!(parse_whole::<0, 1000>("1000"), Ok(1000));
        let range = "expected a whole number from 0 to 1000";
        for (text, hint) in
            [("1e3", "; did you mean 1000?"), ("10.0", "; did you mean 10?"), ("1_000", "; did you mean 1000?")]
        {
            assert_eq!(parse_whole::<0, 1000>(text), Err(format!("{range}{hint}")));
        }
        for text in ["", "x", "1.5", "-1", "1e4", "1e99", "99999999999999999999", "nan"] {
            assert_eq!(parse_whole::<0, 1000>(text), Err(range.to_owned()), "{text}");
        }
        assert_eq!(parse_whole::<2, { u32::MAX }>("1"), Err("expected a whole number of at least 2".to_owned()));
        let too_large = parse_whole::<1, { u32::MAX }>("99999999999");
        assert_eq!(too_large, Err("expected a whole number from 1 to 4294967295".to_owned()));
    }

    #[test]
    fn scalars_are_known_in_capitals_too() {
        for kind in ScalarKind::ALL {
            assert_eq!(parse_scalar(kind.name()), Ok(kind));
            assert_eq!(parse_scalar(&kind.name().to_uppercase()), Ok(kind));
        }
        assert_eq!(parse_scalar("double"), Err("expected one of fixed, f32, f64; did you mean `f64`?".to_owned()));
        assert!(parse_scalar("F16").is_err());
    }
}
