//! Does a program still print the hash log that is recorded? Every checkpoint of the recording has to come again.

use crate::analysis::compare_checkpoints::{
    CheckpointComparison, Checkpoints, Detail, Uncovered, Untold, compare_checkpoints, compare_series,
};
use crate::analysis::diff::DiffOptions;
use crate::analysis::outcome::{FirstDifference, Verdict};
use crate::analysis::run_source::foreign_note;
use crate::analysis::verify::{GoldenKind, Verification};
use crate::replay::{Checkpoint, LogEnd, LogError, LogSource};

/// What a program was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedFor {
    /// All that it tells.
    Everything,
    /// Hashes, and more of single steps at most: what a golden tells beyond them is covered by the hashes that both tell.
    Hashes,
    /// Hashes, and of these steps, from the first to the last, all that it tells.
    Steps(u32, u32),
    /// What it told before and more of a step: of what it told nothing before, nothing has to come again.
    More,
}

/// What comparing a program's log with its golden found.
#[derive(Debug)]
pub struct VerifiedLog {
    /// What is known of the golden.
    pub found: Verification,
    /// How what was printed ends, as far as it could be read.
    pub printed: LogEnd,
    /// What is wrong with what was printed.
    pub wrong: Option<LogError>,
    /// Why the difference is not named in full.
    pub unnamed: Unnamed,
    /// The first step of which the program tells what the golden does not.
    pub tells_more_in: Option<u32>,
    /// What the golden tells of objects that nothing covers of what the program tells.
    pub uncovered: Option<Uncovered>,
    /// What each of the two tells and the other does not, where nothing differs that both tell.
    pub alone: [Option<String>; 2],
    /// Whether one goes on behind the end of the other.
    pub ends_differ: bool,
}

impl VerifiedLog {
    /// Whether of two runs each is as the other in all that both tell: what compares nothing else finds no difference.
    #[must_use]
    pub fn differs_in_telling_alone(&self) -> bool {
        !self.ends_differ && self.alone.iter().any(Option::is_some)
    }

    /// What each of two runs tells and the other does not, where that is all that differs between them.
    #[must_use]
    pub fn telling(&self, names: [&str; 2]) -> Option<String> {
        let told = names.iter().zip(&self.alone);
        let told = told.filter_map(|(name, what)| Some(format!("only {name} tells {}", what.as_ref()?)));
        let told: Vec<String> = told.collect();
        (!told.is_empty()).then(|| told.join(", and "))
    }
}

/// What was noted of a difference that is not named in full, and is void where it is; and what is known of the time before it.
#[derive(Clone, Debug, Default)]
pub struct Unnamed {
    /// That of the notes which says why.
    pub naming: Option<String>,
    /// Whether that is because a side tells of no objects.
    pub tells_no_objects: bool,
    /// That of the notes which says why no stage is named.
    pub withheld: Option<String>,
    /// The last step before the difference that is known to be the same.
    pub same_until: Option<u32>,
}

/// Compares what a program printed with its golden log (side `a`).
///
/// What the golden has and the program does not print, or tells of in other terms, differs: it was not verified. What the program
/// prints beyond that is another run only where it goes on behind the recorded end.
#[must_use]
pub fn verify_log(golden: &LogSource, printed: &LogSource, asked: AskedFor) -> VerifiedLog {
    let withhold = |compared: &mut CheckpointComparison| {
        let withheld = withhold(compared);
        compared.notes.extend(compared.gap_note());
        withheld
    };
    compare_with_golden(golden, printed, asked, withhold)
}

/// The same of a program that was asked for more of the one step that is known to be the first that differs; up to `same_until` it is known
/// to have been the same. A stage is named where the step before is.
#[must_use]
pub fn verify_window(golden: &LogSource, printed: &LogSource, asked: AskedFor, same_until: Option<u32>) -> VerifiedLog {
    let withhold = |compared: &mut CheckpointComparison| {
        let step = compared.first.as_ref().map(|first| first.step);
        let is_witnessed = same_until.is_some_and(|same| Some(same + 1) == step);
        compared.may_begin_before &= !is_witnessed;
        withhold(compared)
    };
    compare_with_golden(golden, printed, asked, withhold)
}

/// Takes back a stage of which it is not known whether the difference came up in it; gives back the note that says so.
fn withhold(compared: &mut CheckpointComparison) -> Option<String> {
    let mut withheld = Vec::new();
    compared.withhold_where_it_may_begin_before(&mut withheld);
    compared.notes.extend(withheld.iter().cloned());
    withheld.pop()
}

fn compare_with_golden(
    golden: &LogSource,
    printed: &LogSource,
    asked: AskedFor,
    withhold: impl Fn(&mut CheckpointComparison) -> Option<String>,
) -> VerifiedLog {
    let (mut of_golden, mut of_printed) = (golden.read(), printed.read());
    let detail = Detail {
        window: 0,
        fields: DiffOptions::FIELDS,
        names_suffice: true,
        silence_suffices: asked == AskedFor::More,
        owed: match asked {
            AskedFor::Steps(from, to) => Some((from, to)),
            AskedFor::Everything | AskedFor::Hashes | AskedFor::More => None,
        },
    };
    let mut compared = compare_series(of_golden.by_ref(), of_printed.by_ref(), detail);
    let withheld = withhold(&mut compared);
    let ((recorded, unreadable), (now, wrong)) = (of_golden.known(), of_printed.known());
    let damage = unreadable.map(|error| error.to_string()).or_else(|| {
        let damage = recorded.damage.as_ref()?;
        Some(format!("{} is damaged: {damage}", golden.name()))
    });
    let lists_none = |side: &Vec<Checkpoint>| side.iter().all(|checkpoint| checkpoint.objects.is_none());
    let unnamed = Unnamed {
        tells_no_objects: compared.first.is_some() && compared.told.iter().any(lists_none),
        naming: compared.naming.clone(),
        withheld,
        same_until: compared.steps.last_same,
    };
    let more = compared.untold[1].all.first.as_ref().map(|(step, _)| *step);
    let first_only_b = compared.first_only_b.as_ref().map(|(step, _)| *step);
    let tells_more_in = [first_only_b, more].into_iter().flatten().min();
    let (uncovered, alone) = (compared.uncovered.clone(), told_alone(&compared));
    let ends_differ = compared.only_a_from.is_some() || compared.only_b_from.is_some();
    let mut found = judged(compared, [&recorded, &now], damage, asked);
    found.notes.extend(foreign_note(golden, &recorded));
    VerifiedLog { found, printed: now, wrong, unnamed, tells_more_in, uncovered, alone, ends_differ }
}

/// What each of two tells and the other does not, in words; nothing where something differs that both tell.
fn told_alone(compared: &CheckpointComparison) -> [Option<String>; 2] {
    if compared.first.is_some() {
        return [None, None];
    }
    let more = compared.told_by_one();
    let lines = [(&compared.first_only_a, compared.only_a), (&compared.first_only_b, compared.only_b)];
    let lines = lines.map(|(first, count)| {
        let (step, stage) = first.as_ref()?;
        let what = stage.as_ref().map_or_else(|| "the end".to_owned(), |stage| format!("stage {stage}"));
        let more = if count > 1 { format!(" ({count} checkpoints in all)") } else { String::new() };
        Some(format!("{what} of step {step}{more}"))
    });
    let [a, b] = [0, 1].map(|side| {
        // Of steps of which the other tells no stage, those are told of already.
        let lines = lines[side].clone().filter(|_| compared.stages_alone[side].first.is_none());
        let parts: Vec<String> = lines.into_iter().chain(more[side].clone()).collect();
        (!parts.is_empty()).then(|| parts.join(", and "))
    });
    [a, b]
}

/// Compares two runs that have to be equal: here neither may tell more than the other.
#[must_use]
pub fn compare_runs(first: &LogSource, again: &LogSource) -> VerifiedLog {
    let mut compared = verify_log(first, again, AskedFor::Everything);
    // What cannot be compared, as names of objects alone, is equal all the same where the two print the same.
    if compared.found.verdict == Verdict::Diverged && first.read().eq(again.read()) {
        compared.found = Verification::of_log(Verdict::Same);
    }
    if let Some(step) = compared.tells_more_in.filter(|_| compared.found.verdict == Verdict::Same) {
        compared.found.verdict = Verdict::Diverged;
        compared.found.first = Some(FirstDifference::in_step(step));
    }
    compared
}

/// Which of the two tells less of a step whose difference is not named in full, the golden or a run that was asked for more of it, and
/// what to do; nothing where both name objects, or where one of them does not come to that step.
#[must_use]
pub fn who_tells_less(golden: &LogSource, closer: &LogSource, step: u32) -> Option<String> {
    let of_step = |log: &LogSource| log.read().filter(|checkpoint| checkpoint.step == step).collect::<Vec<_>>();
    let sides = [golden, closer].map(of_step);
    let lists_objects = |side: &Vec<Checkpoint>| side.iter().any(|checkpoint| !checkpoint.objects().is_empty());
    // Behind the end of either there is nothing more to tell.
    if sides.iter().any(Vec::is_empty) {
        return None;
    }
    let asked = "asked for {from} and {to}";
    let run_golden = format!(
        "run the build that gives the golden with {step} for {{from}} and {{to}}, and compare both with `physim diff{}`",
        closer.options().arguments()
    );
    Some(match compare_checkpoints(&sides[0], &sides[1]).told_by_one() {
        [None, None] if sides.iter().any(lists_objects) => return None,
        [None, None] => {
            format!(
                "neither the golden nor this run, {asked}, tells of step {step} the fields of objects: let it print them then"
            )
        }
        [None, Some(what)] => {
            format!("the golden tells less than this run does when it is {asked}, namely not {what}: {run_golden}")
        }
        [Some(what), None] => {
            format!("{asked}, this run tells less than the golden does, namely not {what}: let it print that then")
        }
        [Some(golden), Some(run)] => format!(
            "the golden alone tells {golden}, and this run, {asked}, alone tells {run}: let it print both then, or {run_golden}"
        ),
    })
}

/// What is known of a golden, by how it compares and where it and the log of the program end.
fn judged(
    compared: CheckpointComparison,
    [golden, printed]: [&LogEnd; 2],
    damage: Option<String>,
    asked: AskedFor,
) -> Verification {
    let CheckpointComparison { first, only_a, only_b, notes, first_only_a: missing, uncompared, untold, .. } = compared;
    let mut found = Verification { notes, ..Verification::of_log(Verdict::Same) };
    let (recorded, now) = (golden.last_step, printed.last_step);
    let beyond = recorded.zip(now).filter(|(recorded, now)| recorded < now);
    let is_cut_off = damage.is_some();
    if let Some((step, stage)) = &missing {
        found.notes.push(missing_text((*step, stage.as_deref()), only_a, now, recorded));
    } else if let Some((recorded, now)) = beyond.filter(|_| !is_cut_off) {
        found.notes.push(format!("it goes on to step {now}, the recording ends after step {recorded}"));
    } else if only_b > 0 && beyond.is_none() {
        found.notes.push(format!("checkpoints that the golden does not have, and that were not compared: {only_b}"));
    }
    let less = less_told(&untold[0], asked);
    // What could not be compared at all is told of already, with what both sides tell.
    let is_new = |less: &&Checkpoints| uncompared.count < less.count;
    found.notes.extend(Some(less).filter(is_new).and_then(Checkpoints::text).map(|what| {
        format!("it does not tell {what}, which the golden tells: that was not verified; if it is meant so, accept the new log")
    }));
    if less.count == 0 && untold[0].all.count > 0 {
        let what = untold[0].all.text().unwrap_or_default();
        found.notes.push(format!(
            "the golden tells {what}, which the program, not asked for it, does not: compared are the hashes that both tell"
        ));
    }
    if let Some(what) = untold[1].all.text().filter(|_| uncompared.count == 0) {
        found.notes.push(format!("beyond the golden it tells {what}, which was not compared"));
    }
    let is_other =
        first.is_some() || missing.is_some() || uncompared.count + less.count > 0 || (beyond.is_some() && !is_cut_off);
    found.steps = recorded.min(now);
    if is_other {
        found.verdict = Verdict::Diverged;
        let end = beyond.map(|(recorded, _)| recorded.saturating_add(1));
        let gaps = [missing.map(|(step, _)| step), uncompared.first.map(|(step, _)| step), less.first_step()];
        let gap = gaps.into_iter().flatten().min().or(end.filter(|_| !is_cut_off));
        found.first = first.or(gap.map(FirstDifference::in_step));
        found.steps = found.first.as_ref().map(|first| first.step).or(found.steps);
    }
    if damage.is_some() {
        (found.verdict, found.damage) = (Verdict::Damaged, damage);
    }
    found
}

/// What the golden tells and the program does not, although it was asked for it.
const fn less_told(untold: &Untold, asked: AskedFor) -> &Checkpoints {
    match asked {
        AskedFor::Everything | AskedFor::More => &untold.all,
        AskedFor::Hashes | AskedFor::Steps(..) => &untold.owed,
    }
}

/// What it means that two runs of one program differ.
pub const NOTHING_CHANGED: &str = "with nothing changed between them: a race, uninitialised memory, or something from outside, such as a clock, gets in";

/// Compares a second, equal run with the first one, which was compared with the golden, and notes, before all else, whether the program repeats
/// itself. Where it does not, and the second parts from the golden earlier, that is what is told from now on: it tells most.
///
/// `compared` is the second run beside the first one, of which it is said what only one of them tells where that is all. Gives back whether
/// it is the second that is told.
pub fn look_again(
    found: &mut Verification,
    (golden, asked): (&LogSource, AskedFor),
    compared: VerifiedLog,
    (again, number): (&LogSource, u32),
) -> bool {
    let telling = compared.telling(["run 1", &format!("run {number}")]);
    let telling = telling.map_or_else(String::new, |telling| format!(" ({telling})"));
    let compared = compared.found;
    if compared.verdict == Verdict::Same {
        found.repeats = Some(true);
        return false;
    }
    let second = verify_log(golden, again, asked).found;
    let step = |found: &Verification| found.first.as_ref().map_or(u32::MAX, |first| first.step);
    let second_is_told = step(&second) < step(found) || found.verdict == Verdict::Same;
    if second_is_told {
        *found = second;
    }
    (found.repeats, found.is_explained) = (Some(false), true);
    let at = compared.first.as_ref().map_or_else(String::new, |first| format!(" at step {}", first.step));
    // Both may hold, where the golden tells less than they do: what is known to be a race is not the same.
    if found.verdict == Verdict::Same {
        found.verdict = Verdict::Diverged;
        if found.first.is_none() {
            (found.first, found.sides) = (compared.first, Some(["first run".to_owned(), format!("run {number}")]));
        }
    }
    let note =
        format!("it does not repeat: runs 1 and {number} differ from each other{at}{telling}, {NOTHING_CHANGED}");
    found.notes.insert(0, note);
    second_is_told
}

/// The first checkpoint, by step and stage, that is recorded and did not come again, in words; and how many there are.
fn missing_text((step, stage): (u32, Option<&str>), count: usize, now: Option<u32>, recorded: Option<u32>) -> String {
    let (now, recorded) = (now.unwrap_or(0), recorded.unwrap_or(0));
    if step > now {
        return format!("it ends after step {now}, the recording goes on to step {recorded}");
    }
    let stage = stage.map_or_else(String::new, |stage| format!(", {stage}"));
    format!("recorded checkpoints that it did not print: {count}, the first of them step {step}{stage}")
}

impl Verification {
    /// What is known of a hash log of which nothing else is known yet.
    #[must_use]
    pub fn of_log(verdict: Verdict) -> Self {
        Self { kind: GoldenKind::HashLog, ..Self::new(verdict) }
    }

    /// A golden of which nothing can be verified, for this reason.
    #[must_use]
    pub fn failed(why: impl Into<String>) -> Self {
        Self::of_log(Verdict::Failed).note(why)
    }

    /// A golden log that cannot be read, for this reason.
    #[must_use]
    pub fn damaged_log(why: impl Into<String>, kind: GoldenKind) -> Self {
        Self { damage: Some(why.into()), kind, ..Self::of_log(Verdict::Damaged) }
    }
}

#[cfg(test)]
mod tests;
