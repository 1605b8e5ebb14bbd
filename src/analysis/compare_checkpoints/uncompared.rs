//! What two series both tell of and could not be compared: how much, in which steps, and why. An answer that leaves such a thing out
//! would call runs the same of which nobody knows.

/// The most runs of steps that are listed.
const MAX_RUNS: usize = 5;

/// Why something could not be compared, in words but for the names of the two sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Each tells of it in terms of its own.
    Told {
        /// The object, where it is one.
        object: Option<String>,
        /// What each side tells.
        told: [String; 2],
    },
    /// No stage and phase of the step is on both sides.
    NoPlace {
        /// What each tells of first.
        first: [String; 2],
    },
    /// Neither tells anything but an empty list.
    Nothing,
}

impl Reason {
    /// In words, of sides with these names.
    #[must_use]
    pub fn text(&self, [a, b]: [&str; 2]) -> String {
        match self {
            Self::Told { object, told: [of_a, of_b] } => {
                let of = object.as_ref().map_or_else(String::new, |object| format!("of object {object} "));
                format!("{of}{a} tells {of_a}, {b} {of_b}")
            }
            Self::NoPlace { first: [of_a, of_b] } => {
                format!("no stage and phase of it is on both sides; {a} tells of {of_a}, {b} of {of_b}")
            }
            Self::Nothing => {
                "both tell nothing but an empty list, and of a program that takes {from} and {to} that says nothing, \
                              for it was not asked for the list: let it print a hash of every step"
                    .to_owned()
            }
        }
    }
}

/// What both sides tell of, in terms that cannot be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uncompared {
    /// How many checkpoints there are of it.
    pub count: usize,
    /// The first step, and why.
    pub first: Option<(u32, Reason)>,
    /// The steps, in runs from the first to the last of each; as many as are listed.
    runs: Vec<(u32, u32)>,
    /// Whether there are more steps than are listed.
    has_more: bool,
}

impl Uncompared {
    /// Takes down so many checkpoints of this step.
    pub(in crate::analysis) fn add(&mut self, step: u32, count: usize, why: impl FnOnce() -> Reason) {
        self.count += count;
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
        let why = self.why(["the first", "the second"])?;
        Some(format!(
            "{} could not be compared, in {}: {why}; log the same on both sides",
            self.counted(),
            self.steps()
        ))
    }

    /// How many checkpoints there are of it, in words.
    #[must_use]
    pub fn counted(&self) -> String {
        format!("{} {}", self.count, if self.count == 1 { "checkpoint" } else { "checkpoints" })
    }

    /// Why, of sides with these names, with the step where there are several.
    #[must_use]
    pub fn why(&self, names: [&str; 2]) -> Option<String> {
        let (step, why) = self.first.as_ref()?;
        let of = if self.is_one_step() { String::new() } else { format!("in step {step} ") };
        Some(format!("{of}{}", why.text(names)))
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
    use super::{Reason, Uncompared};

    fn of(steps: &[u32]) -> String {
        let mut found = Uncompared::default();
        let told = |step: u32| Reason::Told { object: Some(format!("p{step}")), told: ["x", "y"].map(str::to_owned) };
        steps.iter().for_each(|step| found.add(*step, 1, || told(*step)));
        found.text().unwrap_or_default()
    }

    #[test]
    fn steps_are_told_in_runs_and_the_first_with_its_reason() {
        let text = |what: &str| format!("{what}; log the same on both sides");
        assert_eq!(of(&[]), "");
        assert_eq!(
            of(&[4]),
            text("1 checkpoint could not be compared, in step 4: of object p4 the first tells x, the second y")
        );
        assert_eq!(
            of(&[4, 4]),
            text("2 checkpoints could not be compared, in step 4: of object p4 the first tells x, the second y")
        );
        assert_eq!(
            of(&[4, 5, 6, 9]),
            text(
                "4 checkpoints could not be compared, in steps 4 to 6, 9: in step 4 of object p4 the first tells x, the second y"
            )
        );
        let found = of(&[0, 2, 4, 6, 8, 10, 11]);
        assert!(found.contains("in steps 0, 2, 4, 6, 8 and more: in step 0"), "{found}");
    }
}
