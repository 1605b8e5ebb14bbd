//! Conditions whose runs come as hash logs, from programs that somebody else runs.

use crate::analysis::bisect::ask::{Ask, Run, Told};
use crate::analysis::bisect::log_gap::{Gap, compare_logs, first_divergence};
use crate::analysis::bisect::repetition::{How, Repetition};
use crate::analysis::bisect::search::{Axis, Choice, changes_between, choices, is_repetition, label};
use crate::analysis::bisect::{Bisection, Tried};
use crate::analysis::compare_checkpoints::CheckpointComparison;
use crate::analysis::outcome::{FirstDifference, Verdict};
use crate::replay::LogSource;

/// What is wrong where a run gives no log at all.
const NOTHING_TOLD: &str = "a run told nothing";
/// How often the baseline is run again before an axis is blamed.
const BASELINE_AGAIN: u32 = 3;

/// The first step, from 0 on, whose end a log does not tell although it tells of a later one: a physim tells of every step.
#[must_use]
pub fn missing_step(log: &LogSource) -> Option<u32> {
    let ends = log.read().filter(|checkpoint| checkpoint.stage.is_none()).map(|checkpoint| checkpoint.step);
    (0_u32..).zip(ends).find(|(due, told)| due != told).map(|(due, _)| due)
}

/// Runs conditions until one diverges from the baseline, and names the difference. Before it blames an axis, it runs the
/// baseline again: where that differs from itself, no axis is to blame.
///
/// Of the fields that differ first, so many are listed.
///
/// # Errors
/// What a run answers, and when logs have nothing in common, or the axes are not as they must be.
pub fn bisect_logs(axes: &[Axis], fields: usize, run: Run<'_>) -> Result<Bisection, String> {
    let mut choices = choices(axes).map_err(|error| error.to_string())?;
    choices.sort_by_key(|choice| !is_repetition(axes, choice));
    let name = label(axes, &choices[0]);
    let baseline = run(&choices[0], Ask::Whole)?.ok_or(NOTHING_TOLD)?;
    let mut found = Bisection::new();
    found.runs = 1;
    found.conditions.push(Tried { remark: baseline.remark, ..Tried::same(&name) });
    let repetition = Repetition::of(&name, How::AcrossProcesses);
    let baseline = Agreeing { choice: &choices[0], name, log: baseline.log };
    let mut search = Search { axes, fields, baseline, fuller: Vec::new(), run, found, repetition };
    let parted = search.conditions(&choices)?;
    Ok(search.finish(parted))
}

/// A search under way.
struct Search<'a> {
    axes: &'a [Axis],
    /// How many fields to list.
    fields: usize,
    baseline: Agreeing<'a>,
    /// Those that agree with the baseline and tell what it does not: two of them may differ from each other in that.
    fuller: Vec<Agreeing<'a>>,
    run: Run<'a>,
    found: Bisection,
    /// How the baseline came out when it was run again.
    repetition: Repetition,
}

/// The baseline, or a condition that agrees with it.
#[derive(Clone)]
struct Agreeing<'a> {
    choice: &'a Choice,
    name: String,
    log: LogSource,
}

/// A condition that diverges from the baseline or from one that agrees with it, or the baseline itself, run again.
struct DivergedLog<'a> {
    choice: &'a Choice,
    log: LogSource,
    name: String,
    /// From which it diverges.
    other: Agreeing<'a>,
    compared: CheckpointComparison,
    difference: FirstDifference,
}

impl<'a> Search<'a> {
    /// Runs the conditions behind the baseline; the one that diverges from it, which is the baseline itself where that does
    /// not repeat.
    fn conditions(&mut self, choices: &'a [Choice]) -> Result<Option<DivergedLog<'a>>, String> {
        let mut earliest: Option<DivergedLog<'a>> = None;
        let repeated = choices.iter().skip(1).filter(|choice| is_repetition(self.axes, choice)).count();
        for choice in &choices[1..=repeated] {
            let parted = self.condition(choice)?;
            self.repetition.count(parted.as_ref().map(|parted| parted.difference.step));
            earliest = earlier(earliest, parted);
        }
        if earliest.is_some() {
            return Ok(earliest);
        }
        for choice in &choices[repeated + 1..] {
            if let Some(parted) = self.condition(choice)? {
                let baseline = if repeated == 0 { self.baseline_again()? } else { None };
                return Ok(baseline.or(Some(parted)));
            }
        }
        Ok(None)
    }

    /// Runs a condition and takes down whether it agrees with the baseline.
    fn condition(&mut self, choice: &'a Choice) -> Result<Option<DivergedLog<'a>>, String> {
        let name = label(self.axes, choice);
        let Compared { parted, fuller, remark } = self.compared(choice, &name)?;
        let parted = match (parted, fuller) {
            (None, Some(log)) => self.compared_with_fuller(choice, &name, log)?,
            (parted, _) => parted,
        };
        let tried = match &parted {
            None => Tried::same(&name),
            Some(parted) => Tried::parts(&name, parted.difference.step),
        };
        self.found.conditions.push(Tried { remark, ..tried });
        Ok(parted)
    }

    /// Runs the baseline again, and compares it with itself.
    fn baseline_again(&mut self) -> Result<Option<DivergedLog<'a>>, String> {
        let mut earliest = None;
        for run in 2..BASELINE_AGAIN + 2 {
            let name = format!("run {run} of {}", self.baseline.name);
            let Compared { parted, .. } = self.compared(self.baseline.choice, &name)?;
            self.repetition.count(parted.as_ref().map(|parted| parted.difference.step));
            earliest = earlier(earliest, parted);
        }
        Ok(earliest)
    }

    /// Runs a choice and compares it with the baseline.
    fn compared(&mut self, choice: &'a Choice, name: &str) -> Result<Compared<'a>, String> {
        let Told { log, remark } = (self.run)(choice, Ask::Whole)?.ok_or(NOTHING_TOLD)?;
        self.found.runs += 1;
        let compared = compare_logs(&self.baseline.log, &log, self.fields)?;
        if compared.compared == 0 {
            return Err(format!("{} and {name}: {}", self.baseline.name, compared.notes.join("; ")));
        }
        let Some(difference) = first_divergence(&compared) else {
            if let Some(uncompared) = compared.uncompared.text() {
                return Err(format!(
                    "{} and {name}: nothing that both tell alike differs, but {uncompared}",
                    self.baseline.name
                ));
            }
            if compared.only_a + compared.only_b > 0 {
                let (both, all) = (compared.compared, compared.compared + compared.only_a + compared.only_b);
                let note = format!("{name}: only {both} of {all} checkpoints are in both logs and were compared");
                self.found.notes.push(note);
            }
            self.found.notes.extend(compared.untold_notes([&self.baseline.name, name]));
            // It is the same of each condition.
            let named_alone = compared.named_alone_note().filter(|note| !self.found.notes.contains(note));
            self.found.notes.extend(named_alone);
            let tells_more = compared.untold[1].all.count > 0 || compared.only_b > 0;
            return Ok(Compared { parted: None, fuller: tells_more.then_some(log), remark });
        };
        let (name, other) = (name.to_owned(), self.baseline.clone());
        let parted = Some(DivergedLog { choice, log, name, other, compared, difference });
        Ok(Compared { parted, fuller: None, remark })
    }

    /// Compares what agrees with the baseline, and tells more, with all that do so too: that the baseline tells little must not make them
    /// agree.
    fn compared_with_fuller(
        &mut self,
        choice: &'a Choice,
        name: &str,
        log: LogSource,
    ) -> Result<Option<DivergedLog<'a>>, String> {
        for other in &self.fuller {
            let compared = compare_logs(&other.log, &log, self.fields)?;
            if let Some(difference) = first_divergence(&compared) {
                let (name, other) = (name.to_owned(), other.clone());
                self.found.notes.push(format!(
                    "{} and {name} each agree with {}, which tells less than they do, and differ from each other",
                    other.name, self.baseline.name
                ));
                return Ok(Some(DivergedLog { choice, log, name, other, compared, difference }));
            }
        }
        self.fuller.push(Agreeing { choice, name: name.to_owned(), log });
        Ok(None)
    }

    /// What was found, with the difference named.
    fn finish(self, parted: Option<DivergedLog<'_>>) -> Bisection {
        let Self { axes, fields, run, mut found, repetition, .. } = self;
        let repeats = repetition.holds();
        found.repeats = Some(repetition).filter(|repetition| repetition.runs > 1);
        let Some(parted) = parted else { return found };
        found.verdict = Verdict::Diverged;
        let other = &parted.other;
        found.sides = Some([other.name.clone(), parted.name.clone()]);
        if repeats {
            found.smallest = Some(changes_between(axes, other.choice, parted.choice));
        } else {
            found.notes.push(format!(
                "{} is the baseline run once more with nothing changed: a race, or something from outside gets in; no axis \
                 is to blame as long as the baseline does not repeat",
                parted.name
            ));
        }
        let gap = Gap {
            choices: [other.choice, parted.choice],
            names: [&other.name, &parted.name],
            told: [&other.log, &parted.log],
            fields,
            compared: parted.compared,
            difference: parted.difference,
            repeats,
        };
        gap.name(run, &mut found);
        found
    }
}

/// A run beside the baseline.
struct Compared<'a> {
    /// How it diverges, if it does.
    parted: Option<DivergedLog<'a>>,
    /// Its log, where it agrees and tells what the baseline does not.
    fuller: Option<LogSource>,
    /// What the run had to remark.
    remark: Option<String>,
}

/// The one of two that diverges earlier: it tells most.
fn earlier<'a>(one: Option<DivergedLog<'a>>, other: Option<DivergedLog<'a>>) -> Option<DivergedLog<'a>> {
    one.into_iter().chain(other).min_by_key(|parted| parted.difference.step)
}

#[cfg(test)]
mod tests {
    use super::bisect_logs;
    use crate::analysis::Verdict;
    use crate::analysis::bisect::Bisection;
    use crate::analysis::bisect::ask::{Ask, Told};
    use crate::analysis::bisect::repetition::{DifferingRun, How};
    use crate::analysis::bisect::search::Axis;
    use crate::replay::{ForeignLines, LogSource, read_hash_log_with};

    fn axis(values: &[&str]) -> Vec<Axis> {
        vec![Axis { name: "kind".to_owned(), values: values.iter().map(|value| (*value).to_owned()).collect() }]
    }

    fn log(text: &str) -> LogSource {
        let log = read_hash_log_with("test log", text.as_bytes(), ForeignLines::Skip).expect("a log");
        LogSource::of_checkpoints("test log", log.checkpoints)
    }

    const PLAIN: &str = "{\"step\":0,\"hash\":\"1\"}\n{\"step\":1,\"hash\":\"2\"}\n{\"step\":2,\"hash\":\"3\"}\n";

    fn told(text: &str) -> Result<Option<Told>, String> {
        Ok(Some(Told { log: log(text), remark: None }))
    }

    #[test]
    fn what_is_asked_for_names_the_stage() {
        let mut asked = Vec::new();
        let found = bisect_logs(&axis(&["a", "b", "c"]), 1, &mut |choice, ask| {
            asked.push((choice[0], ask));
            let last = if choice[0] == 1 { "9" } else { "3" };
            let text = PLAIN.replace("\"3\"", &format!("\"{last}\""));
            let stage = format!("{{\"step\":2,\"stage\":\"solve\",\"hash\":\"{last}\"}}\n{{\"step\":2");
            told(&if ask == Ask::Step(2) { text.replace("{\"step\":2", &stage) } else { text })
        });
        let found = found.expect("logs");
        assert_eq!((found.verdict, found.runs), (Verdict::Diverged, 5));
        let first = found.first.expect("a difference");
        assert_eq!((first.step, first.stage.as_deref()), (2, Some("solve")));
        let wholes = [0, 1, 0, 0, 0].map(|number| (number, Ask::Whole));
        assert_eq!(asked, [wholes.as_slice(), &[(0, Ask::Step(2)), (1, Ask::Step(2))]].concat());
        let repeats = found.repeats.expect("the baseline was run again");
        assert_eq!((repeats.holds(), repeats.runs, repeats.condition.as_str()), (true, 4, "kind=a"));
        assert_eq!(found.smallest.expect("a set")[0].to, "b");
    }

    /// A run of five steps, whose hashes are those of all others up to the step in which it goes its own way.
    fn alone_from(step: u32, run: usize, ask: Ask) -> Result<Option<Told>, String> {
        let hash = |at: u32| if at < step { format!("{at}") } else { format!("{at} of run {run}") };
        let mut text = String::new();
        for at in 0..5 {
            if ask == Ask::Step(at) {
                text.push_str(&format!("{{\"step\":{at},\"stage\":\"solve\",\"hash\":\"{}\"}}\n", hash(at)));
            }
            text.push_str(&format!("{{\"step\":{at},\"hash\":\"{}\"}}\n", hash(at)));
        }
        told(&text)
    }

    /// Bisects runs that each go their own way from these steps on, one after the other; 5 stands for never.
    fn of_race(name: &str, values: usize, steps: &[u32]) -> Bisection {
        let values: Vec<String> = (1..=values).map(|value| value.to_string()).collect();
        let axes = vec![Axis { name: name.to_owned(), values }];
        let mut runs = 0;
        let found = bisect_logs(&axes, 1, &mut |_, ask| {
            runs += 1;
            alone_from(steps[(runs - 1) % steps.len()], runs, ask)
        });
        found.expect("logs")
    }

    #[test]
    fn no_axis_is_blamed_for_what_the_baseline_does_by_itself() {
        // The second condition parts, and so does the third run of the baseline.
        let found = of_race("threads", 2, &[5, 3, 5, 2, 4, 5, 5]);
        assert_eq!((found.verdict, &found.smallest), (Verdict::Diverged, &None));
        let repeats = found.not_repeating().expect("it does not repeat");
        assert_eq!((repeats.how, repeats.runs), (How::AcrossProcesses, 4));
        assert_eq!(repeats.differing, [(3, 2), (4, 4)].map(|(run, step)| DifferingRun { run, step }));
        assert_eq!(found.sides, Some(["threads=1".to_owned(), "run 3 of threads=1".to_owned()]));
        assert!(found.notes[0].starts_with("run 3 of threads=1 is the baseline run once more"), "{:?}", found.notes);
        assert!(found.notes.iter().all(|note| !note.contains("--axis repeat")), "{:?}", found.notes);
        // Runs that are asked for as an axis are enough: the baseline is not run beside them.
        let found = of_race("repeat", 4, &[5, 5, 3, 5, 5, 5, 3]);
        let repeats = found.not_repeating().expect("it does not repeat");
        assert_eq!((repeats.runs, found.runs, &found.smallest), (4, 4, &None));
        assert_eq!(repeats.earliest(), Some(DifferingRun { run: 3, step: 3 }));
    }

    #[test]
    fn further_runs_that_differ_from_the_first_are_compared_with_each_other() {
        // The first runs diverge in step 2; the next two in step 4, of which the pair behind them tells more.
        let found = of_race("repeat", 2, &[5, 2, 5, 4, 4, 5]);
        let first = found.first.as_ref().expect("a difference");
        assert_eq!((first.step, first.stage.as_deref()), (4, Some("solve")));
        let note = found.notes.iter().find(|note| note.contains("compared with each other")).expect("a note");
        assert!(note.contains("diverge in step 4 (the first runs diverge in step 2)"), "{note}");
        // They agree once, and diverge the next time.
        let found = of_race("repeat", 2, &[5, 2, 5, 5, 2, 5]);
        let first = found.first.as_ref().expect("a difference");
        assert_eq!((first.step, first.stage.as_deref()), (2, Some("solve")));
    }

    #[test]
    fn further_runs_that_never_part_where_they_tell_more_are_given_up() {
        let found = of_race("repeat", 2, &[5, 2, 5, 3, 2, 5, 5, 3, 5, 2, 5, 3, 5, 2, 5, 3, 5, 2]);
        let first = found.first.as_ref().expect("a difference");
        assert_eq!((first.step, first.stage.as_deref()), (2, None), "what the first runs told is all that is known");
        assert!(found.notes.iter().any(|note| note.contains("of 8 further pairs of runs none")), "{:?}", found.notes);
    }

    /// The baseline tells hashes alone, and agrees with two that differ in stages.
    #[test]
    fn a_baseline_that_tells_little_does_not_make_others_agree() {
        let staged = |hash: &str| {
            PLAIN.replace("{\"step\":2", &format!("{{\"step\":2,\"stage\":\"s\",\"hash\":\"{hash}\"}}\n{{\"step\":2"))
        };
        let of = |stages: [Option<&str>; 4]| {
            let axes = axis(&["a", "b", "c", "d"]);
            let found = bisect_logs(&axes, 1, &mut |choice, _| match stages[choice[0]] {
                None => told(PLAIN),
                Some(hash) => told(&staged(hash)),
            });
            found.expect("logs")
        };
        let found = of([None, Some("7"), Some("7"), Some("8")]);
        assert_eq!(
            (found.verdict, found.first.and_then(|first| first.stage).as_deref()),
            (Verdict::Diverged, Some("s"))
        );
        assert_eq!(found.sides, Some(["kind=b".to_owned(), "kind=d".to_owned()]));
        let smallest = found.smallest.expect("a set");
        assert_eq!((smallest.len(), smallest[0].from.as_str(), smallest[0].to.as_str()), (1, "b", "d"));
        let verdicts: Vec<_> = found.conditions.iter().map(|tried| (tried.verdict, tried.parts_at)).collect();
        let same = (Verdict::Same, None);
        assert_eq!(verdicts, [same, same, same, (Verdict::Diverged, Some(2))]);
        let note =
            "kind=b and kind=d each agree with kind=a, which tells less than they do, and differ from each other";
        assert!(found.notes.contains(&note.to_owned()), "{:?}", found.notes);
        for stages in [[None, Some("7"), None, Some("7")], [Some("7"), None, Some("7"), None]] {
            assert_eq!(of(stages).verdict, Verdict::Same);
        }
    }

    #[test]
    fn what_hashes_show_stays_where_a_run_for_more_fails() {
        let found = bisect_logs(&axis(&["a", "b"]), 1, &mut |choice, ask| match (choice[0], ask) {
            (_, Ask::Step(_)) => Err("kind=a: it crashed".to_owned()),
            (0, _) => told(PLAIN),
            _ => told(&PLAIN.replace("\"3\"", "\"9\"")),
        });
        let found = found.expect("logs");
        assert_eq!((found.verdict, found.first.map(|first| first.step)), (Verdict::Diverged, Some(2)));
        let note = "a run that is asked for more of the step in which they differ fails, so that only the first runs were compared: \
                    kind=a: it crashed";
        assert_eq!(found.notes[0], note);
    }

    #[test]
    fn a_log_that_ends_early_parts_there() {
        let found = bisect_logs(&axis(&["a", "b"]), 1, &mut |choice, ask| match (choice[0], ask) {
            (_, Ask::Step(_)) => Ok(None),
            (0, _) => told(PLAIN),
            _ => told(PLAIN.rsplit_once("{\"step\":2").expect("step 2").0),
        });
        let found = found.expect("logs");
        assert_eq!((found.verdict, found.first.map(|first| first.step)), (Verdict::Diverged, Some(2)));
        assert_eq!(found.notes, ["kind=b ends before step 2, kind=a goes on"]);
    }

    #[test]
    fn an_object_of_which_all_tell_the_name_alone_is_named_once() {
        let names = "{\"step\":0,\"objects\":[{\"name\":\"p\"}]}";
        let found = bisect_logs(&axis(&["a", "b", "c"]), 1, &mut |_, _| told(names)).expect("logs");
        let note = "of object p of step 0 both tell the name alone, and no hash that covers it: no more of it was compared; log its fields \
                    or its hash";
        assert_eq!((found.verdict, found.notes), (Verdict::Same, vec![note.to_owned()]));
    }

    #[test]
    fn logs_without_a_common_step_are_an_error() {
        let found = bisect_logs(&axis(&["a", "b"]), 1, &mut |choice, _| match choice[0] {
            0 => told("{\"step\":0,\"hash\":\"1\"}"),
            _ => told("{\"step\":5,\"hash\":\"1\"}"),
        });
        assert!(found.expect_err("nothing in common").contains("nothing was compared"));
        assert_eq!(bisect_logs(&axis(&["a", "b"]), 1, &mut |_, _| Err("no".to_owned())), Err("no".to_owned()));
    }
}
