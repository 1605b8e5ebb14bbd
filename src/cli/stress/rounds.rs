//! Which attack is made when: the repeat first, one round of each, then further rounds while there is time.

use std::time::Duration;

use crate::analysis::stress::{Attack, AttackVerdict, Finding};
use crate::math::ScalarKind;

use crate::cli::failure::Failure;

/// Makes rounds of attacks.
pub trait Make {
    /// The number type of the runs.
    fn scalar(&self) -> ScalarKind;

    /// Makes one round; gives back how long it took too.
    fn make(&self, attack: Attack, round: u32) -> Result<(Finding, Duration), Failure>;
}

/// What one attack found in its rounds so far, and how long the last of them took.
struct Row {
    found: Finding,
    cost: Duration,
}

impl Row {
    fn first(make: &impl Make, attack: Attack) -> Result<Self, Failure> {
        let (found, cost) = make.make(attack, 0)?;
        Ok(Self { found, cost })
    }

    /// Makes the next round.
    fn go_on(&mut self, make: &impl Make) -> Result<(), Failure> {
        let (next, cost) = make.make(self.found.attack, self.found.rounds)?;
        self.found = self.found.clone().and(next);
        self.cost = cost;
        Ok(())
    }
}

/// Makes all attacks. `has_time` says whether something that takes so long still fits the budget.
///
/// Other programs come first: what cannot be started is told at once. Then comes the repeat: where the run does not repeat, no
/// difference means what its row says, and no other row is judged.
pub fn all_rounds(
    make: &impl Make,
    mut attacks: Vec<Attack>,
    has_time: &dyn Fn(Duration) -> bool,
) -> Result<Vec<Finding>, Failure> {
    attacks.sort_by_key(|attack| (*attack != Attack::Exe, *attack));
    let mut rows: Vec<Row> = Vec::new();
    for attack in attacks {
        if rows.iter().any(|row| does_not_repeat(&row.found)) {
            let found = Finding::held(attack, make.scalar(), "");
            rows.push(Row { found, cost: Duration::ZERO });
        } else {
            rows.push(Row::first(make, attack)?);
        }
    }
    if !rows.iter().any(|row| does_not_repeat(&row.found)) {
        further_rounds(make, &mut rows, has_time)?;
        repeat_before_blame(make, &mut rows)?;
    }
    let repeats = !rows.iter().any(|row| does_not_repeat(&row.found));
    let mut findings: Vec<Finding> =
        rows.into_iter().map(|row| if repeats { row.found } else { not_judged(row.found) }).collect();
    findings.sort_by_key(|finding| finding.attack);
    Ok(findings)
}

/// Round after round of every attack that still holds, as long as there is time for one like the last.
fn further_rounds(make: &impl Make, rows: &mut [Row], has_time: &dyn Fn(Duration) -> bool) -> Result<(), Failure> {
    loop {
        let mut made = false;
        for row in &mut *rows {
            if row.found.can_go_on() && has_time(row.cost) {
                row.go_on(make)?;
                made = true;
            }
            if does_not_repeat(&row.found) {
                return Ok(());
            }
        }
        if !made {
            return Ok(());
        }
    }
}

/// Where anything is about to be blamed, the run is repeated in all rounds first, whatever the budget says and even where only other
/// attacks were asked for; the repeat is then a row where it fails.
fn repeat_before_blame(make: &impl Make, rows: &mut Vec<Row>) -> Result<(), Failure> {
    let is_blamed = |row: &Row| {
        matches!(
            row.found.verdict,
            AttackVerdict::Diverged(_) | AttackVerdict::Refused(_) | AttackVerdict::Missed { .. }
        )
    };
    let is_reported = |row: &Row| !row.found.promised;
    if !rows.iter().any(|row| is_blamed(row) && !is_reported(row)) {
        return Ok(());
    }
    let known = rows.iter().position(|row| row.found.attack == Attack::Repeat);
    let mut repeat = match known {
        Some(place) => rows.swap_remove(place),
        None => Row::first(make, Attack::Repeat)?,
    };
    while repeat.found.can_go_on() {
        repeat.go_on(make)?;
    }
    if known.is_some() || does_not_repeat(&repeat.found) {
        rows.push(repeat);
    }
    Ok(())
}

fn does_not_repeat(found: &Finding) -> bool {
    found.attack == Attack::Repeat && matches!(found.verdict, AttackVerdict::Diverged(_))
}

/// The row of an attack on a run that does not repeat.
fn not_judged(found: Finding) -> Finding {
    if found.attack == Attack::Repeat {
        return found;
    }
    let verdict = match found.verdict {
        not_tried @ AttackVerdict::NotTried { .. } => not_tried,
        _ => AttackVerdict::NotJudged { why: "the run does not repeat".to_owned() },
    };
    // What was left out does not matter.
    Finding { verdict, done: String::new(), runs: 0, steps: 0, rounds: found.attack.rounds(), exercised: None, ..found }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::time::Duration;

    use crate::analysis::stress::{Attack, AttackVerdict, Finding};
    use crate::math::ScalarKind;

    use super::{Make, all_rounds};
    use crate::cli::failure::Failure;

    /// Attacks of which some part in a round; each round takes a second.
    struct Told {
        parts: Vec<(Attack, u32)>,
        made: RefCell<Vec<(Attack, u32)>>,
    }

    impl Make for Told {
        fn scalar(&self) -> ScalarKind {
            ScalarKind::Fixed
        }

        fn make(&self, attack: Attack, round: u32) -> Result<(Finding, Duration), Failure> {
            self.made.borrow_mut().push((attack, round));
            let parted = AttackVerdict::Diverged(Box::default());
            let verdict = if self.parts.contains(&(attack, round)) { parted } else { AttackVerdict::Held };
            let held = Finding::held(attack, ScalarKind::Fixed, "");
            Ok((Finding { runs: 1, rounds: round + 1, verdict, ..held }, Duration::from_secs(1)))
        }
    }

    /// The verdict of each attack, and how many rounds of it were made.
    type Outcome = (Vec<(Attack, AttackVerdict)>, Vec<(Attack, u32)>);

    fn told(parts: &[(Attack, u32)], attacks: &[Attack], seconds: u64) -> Outcome {
        let told = Told { parts: parts.to_vec(), made: RefCell::default() };
        let has_time = |cost: Duration| {
            Duration::from_secs(told.made.borrow().len() as u64) + cost <= Duration::from_secs(seconds)
        };
        let findings = all_rounds(&told, attacks.to_vec(), &has_time).unwrap_or_else(|error| panic!("{error}"));
        let verdicts = findings.into_iter().map(|finding| (finding.attack, finding.verdict)).collect();
        (verdicts, told.made.into_inner())
    }

    #[test]
    fn a_round_of_each_comes_first_and_time_left_goes_to_those_that_have_more() {
        use Attack::{Exe, FarBody, Order, Repeat};
        let (_, made) = told(&[], &[FarBody, Order, Repeat, Exe], 7);
        let first = [(Exe, 0), (Repeat, 0), (Order, 0), (FarBody, 0)];
        assert_eq!(made, [first.as_slice(), &[(Repeat, 1), (Order, 1), (Repeat, 2)]].concat());
        let (_, made) = told(&[], &[Order, FarBody], 0);
        assert_eq!(made, [(Order, 0), (FarBody, 0)]);
        let (_, made) = told(&[], &[Order, FarBody], 100);
        assert_eq!(made.len() as u32, Order.rounds() + FarBody.rounds());
    }

    #[test]
    fn where_the_run_does_not_repeat_nothing_else_is_judged() {
        use Attack::{Order, Repeat, Threads};
        for (parts, attacks) in [
            ([(Repeat, 0)].as_slice(), [Repeat, Threads, Order].as_slice()),
            (&[(Threads, 0), (Repeat, 3)], &[Repeat, Threads, Order]),
            (&[(Threads, 1), (Repeat, 4)], &[Threads, Order]),
        ] {
            let (verdicts, _) = told(parts, attacks, 4);
            assert!(matches!(verdicts[0], (Repeat, AttackVerdict::Diverged(_))), "{parts:?}: {verdicts:?}");
            assert!(
                verdicts[1..].iter().all(|(_, verdict)| matches!(verdict, AttackVerdict::NotJudged { .. })),
                "{verdicts:?}"
            );
        }
        let (verdicts, made) = told(&[(Repeat, 0)], &[Repeat, Threads], 9);
        assert_eq!((verdicts.len(), made), (2, vec![(Repeat, 0)]));
    }

    #[test]
    fn a_difference_of_a_run_that_repeats_is_judged_and_the_repeat_is_no_row_unless_asked_for() {
        use Attack::{Order, Repeat, Threads};
        let (verdicts, made) = told(&[(Threads, 0)], &[Threads, Order], 0);
        assert_eq!(verdicts.iter().map(|(attack, _)| *attack).collect::<Vec<_>>(), [Threads, Order]);
        assert!(matches!(verdicts[0].1, AttackVerdict::Diverged(_)));
        assert_eq!(made.iter().filter(|(attack, _)| *attack == Repeat).count() as u32, Repeat.rounds());
    }
}
