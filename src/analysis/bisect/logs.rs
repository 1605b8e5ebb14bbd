//! Conditions whose runs come as hash logs, from programs that somebody else runs.

use crate::analysis::bisect::search::{Axis, Choice, changes, choices, is_repetition, label, race};
use crate::analysis::bisect::{Bisection, Tried};
use crate::analysis::compare_moments::{MomentComparison, MomentDifference, MomentValue, compare_moments};
use crate::analysis::outcome::{FieldDifference, FirstDifference, SideValue, Verdict};
use crate::replay::Moment;

/// What a run is to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Its whole log.
    Whole,
    /// Its whole log, with all that can be told of this step.
    Step(u32),
}

/// What a run told.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Its moments.
    pub moments: Vec<Moment>,
    /// What else there is to say of it.
    pub remark: Option<String>,
}

/// Runs a condition; `None` when it can tell no more of a step than its whole log does. An error ends the search.
pub type Run<'a> = &'a mut dyn FnMut(&Choice, Ask) -> Result<Option<Told>, String>;

/// The first step, from 0 on, whose end a log does not tell although it tells of a later one: a physim tells of every step.
#[must_use]
pub fn missing_step(moments: &[Moment]) -> Option<u32> {
    let ends = moments.iter().filter(|moment| moment.stage.is_none()).map(|moment| moment.step);
    (0_u32..).zip(ends).find(|(due, told)| due != told).map(|(due, _)| due)
}

/// Runs conditions until one parts from the baseline, and names the difference.
///
/// # Errors
/// What a run answers, and when logs have nothing in common, or the axes are not as they must be.
pub fn bisect_logs(axes: &[Axis], run: Run<'_>) -> Result<Bisection, String> {
    let choices = choices(axes).map_err(|error| error.to_string())?;
    let whole = |run: Run<'_>, choice: &Choice| run(choice, Ask::Whole).map(Option::unwrap_or_default);
    let mut found = Bisection::new();
    let baseline = whole(run, &choices[0])?;
    found.runs = 1;
    let name = label(axes, &choices[0]);
    found.conditions.push(Tried { remark: baseline.remark.clone(), ..Tried::same(&name) });
    let mut best: Option<Parted<'_>> = None;
    for choice in &choices[1..] {
        // Each repetition may part elsewhere: the earliest tells most.
        if best.is_some() && !is_repetition(axes, choice) {
            break;
        }
        let told = whole(run, choice)?;
        found.runs += 1;
        let other = label(axes, choice);
        let compared = compare_moments(&baseline.moments, &told.moments);
        if compared.compared == 0 {
            return Err(format!("{name} and {other}: {}", compared.notes.join("; ")));
        }
        let Some(difference) = first_parting(&compared) else {
            if compared.only_a + compared.only_b > 0 {
                let (both, all) = (compared.compared, compared.compared + compared.only_a + compared.only_b);
                found.notes.push(format!("{other}: only {both} of {all} moments are in both logs and were compared"));
            }
            found.conditions.push(Tried { remark: told.remark, ..Tried::same(&other) });
            continue;
        };
        let step = difference.step;
        found.conditions.push(Tried { remark: told.remark, ..Tried::parts(&other, step) });
        if best.as_ref().is_none_or(|best| step < best.difference.step) {
            best = Some(Parted { choice, moments: told.moments, name: other, compared, difference });
        }
        if !is_repetition(axes, choice) {
            break;
        }
    }
    if let Some(parted) = best {
        found.verdict = Verdict::Diverged;
        found.sides = Some([name.clone(), parted.name.clone()]);
        found.smallest = Some(changes(axes, parted.choice));
        if is_repetition(axes, parted.choice) {
            found.notes.push(race(&parted.name));
        }
        let gap = Gap {
            choices: [&choices[0], parted.choice],
            names: [&name, &parted.name],
            told: [&baseline.moments, &parted.moments],
            compared: parted.compared,
            difference: parted.difference,
        };
        gap.name(run, &mut found)?;
    }
    Ok(found)
}

/// A condition that parts from the baseline.
struct Parted<'a> {
    choice: &'a Choice,
    moments: Vec<Moment>,
    name: String,
    compared: MomentComparison,
    difference: MomentDifference,
}

/// Where two logs part: in what both tell, or where one of them ends.
fn first_parting(compared: &MomentComparison) -> Option<MomentDifference> {
    let ends = compared.only_a_from.or(compared.only_b_from);
    let end = ends.map(|step| MomentDifference { step, ..MomentDifference::default() });
    compared.first.clone().or(end)
}

struct Gap<'a> {
    choices: [&'a Choice; 2],
    names: [&'a str; 2],
    told: [&'a [Moment]; 2],
    compared: MomentComparison,
    difference: MomentDifference,
}

impl Gap<'_> {
    /// Names the difference, by asking both sides for more about the step where they can tell more.
    fn name(self, run: Run<'_>, found: &mut Bisection) -> Result<(), String> {
        let ends = [self.compared.only_a_from, self.compared.only_b_from];
        for (side, other) in [(0, 1), (1, 0)] {
            if let Some(from) = ends[side] {
                found
                    .notes
                    .push(format!("{} ends before step {from}, {} goes on", self.names[other], self.names[side]));
            }
        }
        if let Some((closer, [a, b])) = self.closer(run, found)? {
            found.notes.extend(closer.notes);
            let difference = closer.first.unwrap_or(self.difference);
            found.first = Some(first_difference(&difference, [&a, &b]));
        } else {
            found.notes.extend(self.compared.notes);
            found.first = Some(first_difference(&self.difference, self.told));
        }
        Ok(())
    }

    /// Both sides once more, with all that they can tell of the step; `None` when that is no more, or not to be believed.
    fn closer(&self, run: Run<'_>, found: &mut Bisection) -> Result<Option<Closer>, String> {
        let step = self.difference.step;
        let mut again = Vec::new();
        for side in [0, 1] {
            let Some(told) = run(self.choices[side], Ask::Step(step))? else { return Ok(None) };
            if let Some(at) = first_change(self.told[side], &told.moments, step) {
                found.notes.push(format!(
                    "a race: {} run once more gives another hash in step {at}, with nothing changed, so that only the \
                     first runs were compared; try --axis repeat=20",
                    self.names[side]
                ));
                return Ok(None);
            }
            again.push(told.moments.into_iter().filter(|moment| moment.step == step).collect::<Vec<Moment>>());
        }
        let [a, b] = [again.swap_remove(0), again.remove(0)];
        let closer = compare_moments(&a, &b);
        Ok(closer.first.is_some().then_some((closer, [a, b])))
    }
}

/// The step in which two sides part, with all that they can tell of it.
type Closer = (MomentComparison, [Vec<Moment>; 2]);

/// How many objects differ at the moment of a difference, where both sides list objects then.
fn objects_at(difference: &MomentDifference, sides: [&[Moment]; 2]) -> Option<usize> {
    let [a, b] = sides.map(|moments| -> Vec<Moment> {
        let is_there = |moment: &&Moment| {
            let MomentDifference { step, stage, phase, .. } = difference;
            moment.step == *step && moment.stage == *stage && moment.phase == *phase
        };
        moments.iter().filter(is_there).cloned().collect()
    });
    compare_moments(&a, &b).spread.first().map(|(_, objects)| *objects)
}

/// The first step, up to `last`, at whose end two runs of one condition have other hashes.
fn first_change(first: &[Moment], again: &[Moment], last: u32) -> Option<u32> {
    let ends = |moments: &[Moment]| -> Vec<Moment> {
        let ends = moments.iter().filter(|moment| moment.stage.is_none() && moment.step <= last);
        ends.filter_map(|moment| Some(Moment::of_hash(moment.step, moment.hash.clone()?))).collect()
    };
    let compared = compare_moments(&ends(first), &ends(again));
    first_parting(&compared).map(|difference| difference.step)
}

/// The difference of two moments as reports show it.
fn first_difference(difference: &MomentDifference, sides: [&[Moment]; 2]) -> FirstDifference {
    let MomentDifference { step, stage, phase, section, object, field, a, b, order } = difference;
    let side = |side: &Option<MomentValue>| {
        side.as_ref().map(|side| SideValue { bits: side.bits.clone().unwrap_or_default(), value: side.value.clone() })
    };
    let field = object.as_ref().map(|object| FieldDifference {
        section: section.clone().unwrap_or_default(),
        object: object.clone(),
        field: field.clone(),
        a: side(a),
        b: side(b),
        ulps: None,
    });
    FirstDifference {
        stage: stage.clone(),
        phase: phase.clone(),
        section: section.clone(),
        seen_at: field.as_ref().map(|_| *step),
        fields: field.iter().cloned().collect(),
        field,
        objects: objects_at(difference, sides).filter(|_| order.is_none()),
        order: order.clone(),
        ..FirstDifference::in_step(*step)
    }
}

#[cfg(test)]
mod tests {
    use super::{Ask, Told, bisect_logs};
    use crate::analysis::Verdict;
    use crate::analysis::bisect::search::Axis;
    use crate::replay::{ForeignLines, Moment, read_hash_log_with};

    fn axis(values: &[&str]) -> Vec<Axis> {
        vec![Axis { name: "kind".to_owned(), values: values.iter().map(|value| (*value).to_owned()).collect() }]
    }

    fn log(text: &str) -> Vec<Moment> {
        read_hash_log_with("test log", text.as_bytes(), ForeignLines::Skip).expect("a log").moments
    }

    const PLAIN: &str = "{\"step\":0,\"hash\":\"1\"}\n{\"step\":1,\"hash\":\"2\"}\n{\"step\":2,\"hash\":\"3\"}\n";

    fn told(text: &str) -> Result<Option<Told>, String> {
        Ok(Some(Told { moments: log(text), remark: None }))
    }

    #[test]
    fn what_is_asked_for_names_the_stage() {
        let mut asked = Vec::new();
        let found = bisect_logs(&axis(&["a", "b", "c"]), &mut |choice, ask| {
            asked.push((choice[0], ask));
            let last = if choice[0] == 1 { "9" } else { "3" };
            let text = PLAIN.replace("\"3\"", &format!("\"{last}\""));
            let stage = format!("{{\"step\":2,\"stage\":\"solve\",\"hash\":\"{last}\"}}\n{{\"step\":2");
            told(&if ask == Ask::Step(2) { text.replace("{\"step\":2", &stage) } else { text })
        });
        let found = found.expect("logs");
        assert_eq!((found.verdict, found.runs), (Verdict::Diverged, 2));
        let first = found.first.expect("a difference");
        assert_eq!((first.step, first.stage.as_deref()), (2, Some("solve")));
        assert_eq!(asked, [(0, Ask::Whole), (1, Ask::Whole), (0, Ask::Step(2)), (1, Ask::Step(2))]);
        assert_eq!(found.smallest.expect("a set")[0].to, "b");
    }

    #[test]
    fn a_run_that_does_not_come_out_the_same_again_is_a_race() {
        let mut runs = 0;
        let found = bisect_logs(&axis(&["a", "b"]), &mut |_, _| {
            runs += 1;
            told(&PLAIN.replace("\"3\"", &format!("\"{runs}\"")))
        });
        let found = found.expect("logs");
        assert_eq!(found.first.map(|first| first.step), Some(2));
        assert!(found.notes.iter().any(|note| note.starts_with("a race: kind=a ")), "{:?}", found.notes);
    }

    #[test]
    fn a_log_that_ends_early_parts_there() {
        let found = bisect_logs(&axis(&["a", "b"]), &mut |choice, ask| match (choice[0], ask) {
            (_, Ask::Step(_)) => Ok(None),
            (0, _) => told(PLAIN),
            _ => told(PLAIN.rsplit_once("{\"step\":2").expect("step 2").0),
        });
        let found = found.expect("logs");
        assert_eq!((found.verdict, found.first.map(|first| first.step)), (Verdict::Diverged, Some(2)));
        assert_eq!(found.notes, ["kind=b ends before step 2, kind=a goes on"]);
    }

    #[test]
    fn logs_without_a_common_step_are_an_error() {
        let found = bisect_logs(&axis(&["a", "b"]), &mut |choice, _| match choice[0] {
            0 => told("{\"step\":0,\"hash\":\"1\"}"),
            _ => told("{\"step\":5,\"hash\":\"1\"}"),
        });
        assert!(found.expect_err("nothing in common").contains("nothing was compared"));
        assert_eq!(bisect_logs(&axis(&["a", "b"]), &mut |_, _| Err("no".to_owned())), Err("no".to_owned()));
    }
}
