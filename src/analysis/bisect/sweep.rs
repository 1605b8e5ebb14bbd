//! A run restored after each of its steps in turn: for which does it break?

use crate::analysis::bisect::condition::{Condition, Recording, Runner};
use crate::analysis::outcome::steps_text;
use crate::analysis::read_back::{NotReadBack, read_back};
use crate::math::Scalar;
use crate::session::Session;
use crate::world::error::BuildError;

/// How many of the restored runs go on to the end.
const TO_THE_END: u32 = 16;
/// Most ranges of steps that are written.
const MOST_RANGES: usize = 8;

/// What restoring after every step showed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sweep {
    /// The steps after which a restore breaks the run, each with the step in which it then parts.
    pub breaks: Vec<(u32, u32)>,
    /// How many restores were tried.
    pub runs: u64,
    /// How far each was looked ahead.
    pub window: u32,
    /// The steps after which the run went on to the end.
    pub to_the_end: Vec<u32>,
    /// The steps whose states could not be read back.
    pub refused: Vec<u32>,
}

impl Sweep {
    /// The restore to look closer at, and the step in which its run is another: the first that is refused, or else the one
    /// that stands nearest before the earliest step in which any run breaks.
    #[must_use]
    pub fn nearest(&self) -> Option<(u32, u32)> {
        let refused = self.refused.first().map(|step| (*step, *step));
        refused.or_else(|| self.nearest_break())
    }

    fn nearest_break(&self) -> Option<(u32, u32)> {
        self.breaks.iter().copied().min_by_key(|(at, step)| (*step, u32::MAX - at))
    }

    /// For which steps it breaks, and how far that was looked for.
    #[must_use]
    pub fn remark(&self) -> String {
        let breaks: Vec<u32> = self.breaks.iter().map(|(at, _)| *at).collect();
        let mut parts = String::new();
        for (what, steps) in [("cannot be read back", &self.refused), ("breaks", &breaks)] {
            if !steps.is_empty() {
                parts.push_str(&format!("{what} for k = {}; ", ranges(steps)));
            }
        }
        let last = self.runs.saturating_sub(1);
        format!(
            "{parts}tried k = 0 to {last}, each {} on, and {} of them to the end",
            steps_text(u64::from(self.window)),
            self.to_the_end.len()
        )
    }
}

/// Rising numbers with runs of them drawn together: `3, 10 to 19`.
fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let text = |(first, last): &(u32, u32)| {
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    };
    let more = ranges.len().saturating_sub(MOST_RANGES);
    let shown: Vec<String> = ranges.iter().take(MOST_RANGES).map(text).collect();
    let more = if more > 0 { format!(" and {more} more ranges") } else { String::new() };
    shown.join(", ") + &more
}

/// Restores a run after each of its steps, each time into the same world filled with nonsense, and looks ahead.
///
/// # Errors
/// When the scene makes no world.
pub fn sweep<S: Scalar>(
    baseline: &Recording,
    condition: &Condition,
    window: u32,
    tell: &mut dyn FnMut(u32),
) -> Result<Sweep, BuildError> {
    let mut runner = Runner::<S>::start(condition)?;
    let mut other: Session<S> = condition.plan.session()?;
    other.count_as_restored();
    let last = baseline.last();
    let stride = last.div_ceil(TO_THE_END).max(1);
    let mut found = Sweep { window, ..Sweep::default() };
    for step in 0..last {
        let until = if step.is_multiple_of(stride) {
            found.to_the_end.push(step);
            last.saturating_add(1)
        } else {
            step.saturating_add(window)
        };
        other.scramble(u64::from(step));
        let bytes = &runner.session().encoded().to_bytes();
        let lost = match read_back(bytes, runner.session().world()) {
            Ok(()) => None,
            Err(NotReadBack::Refused(_)) => {
                found.refused.push(step);
                None
            }
            Err(NotReadBack::OtherBytes { .. } | NotReadBack::Lost { .. }) => Some(step),
        };
        if other.restore(bytes).is_ok() {
            found.breaks.extend(lost.or_else(|| look_ahead(baseline, &mut other, until)).map(|parts| (step, parts)));
        }
        found.runs += 1;
        tell(step);
        // Without the restore the condition agrees with the baseline: that was tried before.
        if runner.advance(&mut ()).is_err() {
            break;
        }
    }
    Ok(found)
}

/// The step up to `until` in which a session parts from the baseline.
fn look_ahead<S: Scalar>(baseline: &Recording, session: &mut Session<S>, until: u32) -> Option<u32> {
    loop {
        let step = session.step_number();
        if baseline.hashes.get(step as usize) != Some(session.hash()) {
            return Some(step);
        }
        let is_last = step == baseline.last() && baseline.stopped.is_none();
        if step >= until || is_last {
            return None;
        }
        if let Err(error) = session.advance(&mut ()) {
            return (!baseline.stops_so(step + 1, &error.to_string())).then_some(step + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Sweep, ranges};

    #[test]
    fn ranges_are_drawn_together() {
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[0, 3, 10, 11, 12, 14, 15]), "0, 3, 10 to 12, 14 to 15");
        let odd: Vec<u32> = (0..20).map(|number| 2 * number).collect();
        assert_eq!(ranges(&odd), "0, 2, 4, 6, 8, 10, 12, 14 and 12 more ranges");
    }

    #[test]
    fn the_nearest_restore_before_the_first_break_is_looked_at() {
        let breaks = vec![(0, 20), (5, 18), (10, 12), (11, 12), (12, 40)];
        assert_eq!(Sweep { breaks: breaks.clone(), ..Sweep::default() }.nearest(), Some((11, 12)));
        let refused = Sweep { breaks, refused: vec![7, 9], runs: 41, ..Sweep::default() };
        assert_eq!(refused.nearest(), Some((7, 7)));
        assert!(refused.remark().starts_with("cannot be read back for k = 7, 9; breaks for k = 0, 5, 10 to 12; tried"));
    }
}
