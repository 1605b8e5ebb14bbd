//! What two series both tell of and could not be compared: how much, in which steps, and why. An answer that leaves such a thing out
//! would call runs the same of which nobody knows.

/// The most runs of steps that are listed.
const MAX_RUNS: usize = 5;

/// What both sides tell of, in terms that cannot be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uncompared {
    /// How many checkpoints there are of it.
    pub count: usize,
    /// The first step, and why.
    pub first: Option<(u32, String)>,
    /// The steps, in runs from the first to the last of each; as many as are listed.
    runs: Vec<(u32, u32)>,
    /// Whether there are more steps than are listed.
    has_more: bool,
}

impl Uncompared {
    /// Takes down a checkpoint of this step.
    pub(in crate::analysis) fn add(&mut self, step: u32, why: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(|| (step, why()));
        let listed = self.runs.len();
        match self.runs.last_mut() {
            _ if self.has_more => {}
            Some((_, last)) if (*last..=last.saturating_add(1)).contains(&step) => *last = step,
            _ if listed < MAX_RUNS => self.runs.push((step, step)),
            _ => self.has_more = true,
        }
    }

    /// In words, with what to do; `None` where all could be compared.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        let (step, why) = self.first.as_ref()?;
        let what = if self.count == 1 { "checkpoint" } else { "checkpoints" };
        let of = if self.is_one_step() { String::new() } else { format!("in step {step} ") };
        Some(format!(
            "{} {what} could not be compared, in {}: {of}{why}; log the same on both sides",
            self.count,
            self.steps()
        ))
    }

    fn is_one_step(&self) -> bool {
        !self.has_more && matches!(self.runs.as_slice(), [(first, last)] if first == last)
    }

    /// The steps: `step 4`, or `steps 4 to 6, 9 and more`.
    #[must_use]
    pub fn steps(&self) -> String {
        let run =
            |(first, last): &(u32, u32)| if first == last { format!("{first}") } else { format!("{first} to {last}") };
        let runs: Vec<String> = self.runs.iter().map(run).collect();
        let word = if self.is_one_step() { "step" } else { "steps" };
        format!("{word} {}{}", runs.join(", "), if self.has_more { " and more" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::Uncompared;

    fn of(steps: &[u32]) -> String {
        let mut found = Uncompared::default();
        steps.iter().for_each(|step| found.add(*step, || format!("reason of {step}")));
        found.text().unwrap_or_default()
    }

    #[test]
    fn steps_are_told_in_runs_and_the_first_with_its_reason() {
        let text = |what: &str| format!("{what}; log the same on both sides");
        assert_eq!(of(&[]), "");
        assert_eq!(of(&[4]), text("1 checkpoint could not be compared, in step 4: reason of 4"));
        assert_eq!(of(&[4, 4]), text("2 checkpoints could not be compared, in step 4: reason of 4"));
        assert_eq!(
            of(&[4, 5, 6, 9]),
            text("4 checkpoints could not be compared, in steps 4 to 6, 9: in step 4 reason of 4")
        );
        let found = of(&[0, 2, 4, 6, 8, 10, 11]);
        assert!(found.contains("in steps 0, 2, 4, 6, 8 and more: in step 0"), "{found}");
    }
}
