//! How long to search, and what is told and kept on the way.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::analysis::minimize::{Candidate, Status, Watcher};

use crate::cli::failure::Failure;
use crate::cli::minimize::files::Files;
use crate::report::number::counted;
use crate::report::progress::Progress;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// After this time.
    Time(Duration),
    /// After so many tests.
    Tests(u64),
}

/// Parses `60s`, `5m` or `500`.
pub fn parse_budget(text: &str) -> Result<Budget, String> {
    let (digits, seconds_each) = match (text.strip_suffix('s'), text.strip_suffix('m')) {
        (Some(digits), _) => (digits, Some(1)),
        (_, Some(digits)) => (digits, Some(60)),
        (None, None) => (text, None),
    };
    let number: Option<u64> = digits.parse().ok().filter(|number| (1..=1_000_000_000).contains(number));
    match (number, seconds_each) {
        (Some(number), Some(each)) => Ok(Budget::Time(Duration::from_secs(number * each))),
        (Some(number), None) => Ok(Budget::Tests(number)),
        (None, _) => Err("expected seconds, minutes or a number of tests, such as 60s, 5m or 500".to_owned()),
    }
}

/// Parses a time limit in seconds.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.001..=1e6).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected seconds from 0.001 to 1000000, such as 10 or 0.5".to_owned())
}

/// Follows a search: ends it with the budget, shows how far it has come, and keeps each smaller scene.
pub struct Follower<'a> {
    budget: Budget,
    files: &'a Files,
    start: Instant,
    progress: Progress,
    failure: Option<Failure>,
}

impl<'a> Follower<'a> {
    /// Starts the clock.
    pub fn new(budget: Budget, files: &'a Files) -> Self {
        let progress = match budget {
            Budget::Time(time) => Progress::new(time.as_secs(), "s"),
            Budget::Tests(tests) => Progress::new(tests, "tests"),
        };
        Self { budget, files, start: now(), progress, failure: None }
    }

    /// Ends the search.
    pub fn finish(self) -> Result<(), Failure> {
        self.progress.finish();
        self.failure.map_or(Ok(()), Err)
    }
}

impl Watcher for Follower<'_> {
    fn go_on(&mut self, status: &Status) -> bool {
        let elapsed = self.start.elapsed();
        let (done, is_over) = match self.budget {
            Budget::Time(time) => (elapsed.as_secs(), elapsed >= time),
            Budget::Tests(tests) => (status.tests, status.tests >= tests),
        };
        self.progress.say(|| {
            let steps = counted(u64::from(status.steps), "step", "steps");
            let tests = counted(status.tests, "test", "tests");
            format!("{}, {steps}, {tests}", counted(status.bodies as u64, "body", "bodies"))
        });
        self.progress.reached(done);
        !is_over && self.failure.is_none()
    }

    fn improved(&mut self, best: &Candidate, _: &Status) {
        self.failure = self.failure.take().or_else(|| self.files.keep(best, &BTreeSet::new()).err());
    }
}

/// The time of day, for the budget and the report.
#[expect(clippy::disallowed_methods, reason = "the budget of the search: it decides when to stop, never what is found")]
pub fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Budget, parse_budget, parse_seconds};

    #[test]
    fn budgets_are_times_or_tests() {
        assert_eq!(parse_budget("60s"), Ok(Budget::Time(Duration::from_secs(60))));
        assert_eq!(parse_budget("5m"), Ok(Budget::Time(Duration::from_secs(300))));
        assert_eq!(parse_budget("500"), Ok(Budget::Tests(500)));
        for text in ["", "s", "m", "0", "0s", "-1", "1h", "1.5s", "99999999999m", "60 s"] {
            assert!(parse_budget(text).is_err(), "{text}");
        }
        assert_eq!(parse_seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["", "0", "-1", "nan", "inf", "1e9"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
