//! Runs of one program that does not repeat: which of them are equal, and how each comes out beside the golden.

use crate::analysis::outcome::Verdict;
use crate::analysis::verify::log::{AskedFor, compare_runs, verify_log};
use crate::replay::LogSource;

/// How one of the runs came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOutcome {
    /// Which run, from 1.
    pub run: u32,
    /// The first run that it is equal to; itself where it is equal to none before it.
    pub equal_to: u32,
    /// Whether it is as recorded; `None` where there is no golden.
    pub holds: Option<bool>,
    /// The first step in which it differs from the golden, where that is known.
    pub differs_at: Option<u32>,
}

/// Runs that are equal.
struct Kind {
    log: LogSource,
    runs: Vec<u32>,
    holds: Option<bool>,
    differs_at: Option<u32>,
}

/// The runs so far, in kinds of equal ones.
pub struct Runs<'a> {
    golden: Option<(&'a LogSource, AskedFor)>,
    kinds: Vec<Kind>,
    /// The run that failed, after which there are no more.
    failed: Option<u32>,
}

impl<'a> Runs<'a> {
    /// No runs yet, of a program that is held to this golden, if there is one.
    #[must_use]
    pub const fn beside(golden: Option<(&'a LogSource, AskedFor)>) -> Self {
        Self { golden, kinds: Vec::new(), failed: None }
    }

    /// Takes runs that are known to be equal, and like none before them.
    pub fn add_kind(&mut self, runs: impl IntoIterator<Item = u32>, log: &LogSource) {
        let found = self.golden.map(|(golden, asked)| verify_log(golden, log, asked).found);
        self.kinds.push(Kind {
            log: log.clone(),
            runs: runs.into_iter().collect(),
            holds: found.as_ref().map(|found| found.verdict == Verdict::Same),
            differs_at: found.and_then(|found| found.first).map(|first| first.step),
        });
    }

    /// Takes one more run.
    pub fn add(&mut self, run: u32, log: &LogSource) {
        let is_equal = |kind: &&mut Kind| compare_runs(&kind.log, log).found.verdict == Verdict::Same;
        match self.kinds.iter_mut().find(is_equal) {
            Some(kind) => kind.runs.push(run),
            None => self.add_kind([run], log),
        }
    }

    /// Takes down that one more run failed.
    pub const fn fails(&mut self, run: u32) {
        self.failed = Some(run);
    }

    /// How each run came out that did not fail, in their order.
    #[must_use]
    pub fn outcomes(&self) -> Vec<RunOutcome> {
        let of_kind = |kind: &Kind| {
            let (holds, differs_at) = (kind.holds, kind.differs_at);
            let equal_to = kind.runs.first().copied().unwrap_or_default();
            kind.runs.iter().map(move |run| RunOutcome { run: *run, equal_to, holds, differs_at }).collect::<Vec<_>>()
        };
        let mut outcomes: Vec<RunOutcome> = self.kinds.iter().flat_map(of_kind).collect();
        outcomes.sort_by_key(|outcome| outcome.run);
        outcomes
    }

    /// In words: `of 5 runs, run 1 differs from the golden from step 5 on; runs 2 to 5, which are equal, are as recorded`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut told: Vec<Told> = Vec::new();
        for kind in &self.kinds {
            let outcome = (kind.holds, kind.differs_at);
            let is_alone = kind.runs.len() == 1;
            // Those that are like no other and come out alike are told together.
            match told.iter_mut().find(|told| is_alone && !told.are_equal && told.outcome == outcome) {
                Some(told) => told.runs.extend(&kind.runs),
                None => told.push(Told { runs: kind.runs.clone(), are_equal: !is_alone, outcome }),
            }
        }
        let count = self.kinds.iter().map(|kind| kind.runs.len()).sum::<usize>() + usize::from(self.failed.is_some());
        let failed = self.failed.map(|run| format!("run {run} failed"));
        let told: Vec<String> = told.iter().map(Told::text).chain(failed).collect();
        format!("of {count} runs, {}", told.join("; "))
    }
}

/// Runs that are told of in one breath.
struct Told {
    runs: Vec<u32>,
    /// Whether they are equal, or each is like no other.
    are_equal: bool,
    /// Whether they hold, and the first step in which they do not.
    outcome: (Option<bool>, Option<u32>),
}

impl Told {
    fn text(&self) -> String {
        let is_one = self.runs.len() == 1;
        let runs = format!("{} {}", if is_one { "run" } else { "runs" }, listed(&self.runs));
        let (equal, differently) = match (is_one, self.are_equal) {
            (true, _) => ("", ""),
            (false, true) => (", which are equal,", ""),
            (false, false) => ("", ", each in another way"),
        };
        let [are, differ] = if is_one { ["is", "differs"] } else { ["are", "differ"] };
        match self.outcome {
            (None, _) if self.are_equal => format!("{runs} are equal"),
            (None, _) => format!("{runs} {are} equal to no other"),
            (Some(true), _) if differently.is_empty() => format!("{runs}{equal} {are} as recorded"),
            (Some(true), _) => format!("{runs} are as recorded, and differ in what the golden does not tell"),
            (Some(false), Some(step)) => {
                format!("{runs}{equal} {differ} from the golden from step {step} on{differently}")
            }
            (Some(false), None) => format!("{runs}{equal} {differ} from the golden{differently}"),
        }
    }
}

/// Numbers that rise, in words: `1`, `1 and 4`, `2 to 5`, `1, 3 to 5 and 9`.
fn listed(numbers: &[u32]) -> String {
    let mut stretches: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match stretches.last_mut() {
            Some((_, last)) if *last + 1 == *number => *last = *number,
            _ => stretches.push((*number, *number)),
        }
    }
    let stretch = |(first, last): &(u32, u32)| match last - first {
        0 => vec![format!("{first}")],
        1 => vec![format!("{first}"), format!("{last}")],
        _ => vec![format!("{first} to {last}")],
    };
    let mut parts: Vec<String> = stretches.iter().flat_map(stretch).collect();
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} and {last}", parts.join(", ")),
        last => last.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::{RunOutcome, Runs, listed};
    use crate::analysis::verify::log::AskedFor;
    use crate::replay::{Checkpoint, LogSource};

    /// A log of three steps with these hashes.
    fn log(hashes: [u32; 3]) -> LogSource {
        let checkpoints = (0..).zip(hashes).map(|(step, hash)| Checkpoint::of_hash(step, hash.to_string()));
        LogSource::of_checkpoints("log", checkpoints.collect())
    }

    #[test]
    fn numbers_are_listed_in_stretches() {
        for (numbers, text) in [
            (&[][..], ""),
            (&[3], "3"),
            (&[1, 2], "1 and 2"),
            (&[1, 4], "1 and 4"),
            (&[2, 3, 4, 5], "2 to 5"),
            (&[1, 3, 4, 5, 9], "1, 3 to 5 and 9"),
            (&[1, 2, 5, 6], "1, 2, 5 and 6"),
        ] {
            assert_eq!(listed(numbers), text);
        }
    }

    #[test]
    fn runs_are_told_by_what_they_are_equal_to_and_how_they_come_out() {
        let [golden, late, early] = [[1, 2, 3], [1, 2, 9], [1, 9, 9]].map(log);
        let mut runs = Runs::beside(Some((&golden, AskedFor::Everything)));
        runs.add_kind(1..=2, &late);
        [&golden, &early, &golden, &late].into_iter().zip(3..).for_each(|(log, run)| runs.add(run, log));
        assert_eq!(
            runs.text(),
            "of 6 runs, runs 1, 2 and 6, which are equal, differ from the golden from step 2 on; \
             runs 3 and 5, which are equal, are as recorded; run 4 differs from the golden from step 1 on"
        );
        let outcome = |run, equal_to, differs_at: Option<u32>| RunOutcome {
            run,
            equal_to,
            holds: Some(differs_at.is_none()),
            differs_at,
        };
        let (late, early) = (Some(2), Some(1));
        assert_eq!(
            runs.outcomes(),
            [
                outcome(1, 1, late),
                outcome(2, 1, late),
                outcome(3, 3, None),
                outcome(4, 4, early),
                outcome(5, 3, None),
                outcome(6, 1, late)
            ]
        );
    }

    #[test]
    fn runs_that_are_like_no_other_are_told_together() {
        let golden = log([1, 2, 3]);
        let mut runs = Runs::beside(Some((&golden, AskedFor::Everything)));
        let kinds = [[1, 2, 4], [1, 2, 5], [1, 4, 4], [1, 2, 6], [1, 2, 3]];
        kinds.into_iter().zip(1..).for_each(|(hashes, run)| runs.add(run, &log(hashes)));
        runs.fails(6);
        assert_eq!(
            runs.text(),
            "of 6 runs, runs 1, 2 and 4 differ from the golden from step 2 on, each in another way; \
             run 3 differs from the golden from step 1 on; run 5 is as recorded; run 6 failed"
        );
        let mut runs = Runs::beside(None);
        kinds.into_iter().zip(1..).for_each(|(hashes, run)| runs.add(run, &log(hashes)));
        assert_eq!(runs.text(), "of 5 runs, runs 1 to 5 are equal to no other");
        // A golden of one step, of which all tell the same.
        let short = LogSource::of_checkpoints("short", vec![Checkpoint::of_hash(0, "1".to_owned())]);
        let stage = |hash: u32| {
            let within = Checkpoint { stage: Some("a".to_owned()), ..Checkpoint::of_hash(0, hash.to_string()) };
            LogSource::of_checkpoints("run", vec![within, Checkpoint::of_hash(0, "1".to_owned())])
        };
        let mut runs = Runs::beside(Some((&short, AskedFor::Everything)));
        (1..=2).for_each(|run| runs.add(run, &stage(run)));
        assert_eq!(runs.text(), "of 2 runs, runs 1 and 2 are as recorded, and differ in what the golden does not tell");
    }

    #[test]
    fn without_a_golden_only_what_is_equal_is_told() {
        let mut runs = Runs::beside(None);
        runs.add_kind([1], &log([1, 2, 9]));
        (2..=4).for_each(|run| runs.add(run, &log([1, 2, 3])));
        assert_eq!(runs.text(), "of 4 runs, run 1 is equal to no other; runs 2 to 4 are equal");
        assert_eq!(runs.outcomes()[3], RunOutcome { run: 4, equal_to: 2, holds: None, differs_at: None });
    }
}
