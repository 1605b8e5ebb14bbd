//! Which inputs act in which step.

use std::collections::BTreeMap;

use crate::scene::model::Input;

/// Inputs by step. Within a step they act in the order in which they were given.
#[derive(Clone, Debug, Default)]
pub struct Schedule {
    inputs: Vec<Input>,
    /// Inputs that act in one step only, by that step.
    single: BTreeMap<u32, Vec<usize>>,
    /// Inputs that act in several steps.
    lasting: Vec<usize>,
}

impl Schedule {
    /// The schedule of these inputs.
    #[must_use]
    pub fn new(inputs: Vec<Input>) -> Self {
        let mut schedule = Self::default();
        inputs.into_iter().for_each(|input| schedule.push(input));
        schedule
    }

    /// Adds an input behind all others.
    pub fn push(&mut self, input: Input) {
        let number = self.inputs.len();
        match input.through {
            Some(last) if last > input.step => self.lasting.push(number),
            _ => self.single.entry(input.step).or_default().push(number),
        }
        self.inputs.push(input);
    }

    /// The inputs that shape this step, in their order.
    #[must_use]
    pub fn acting_in(&self, step: u32) -> Vec<&Input> {
        let lasts = |number: &&usize| {
            let input = &self.inputs[**number];
            input.step <= step && input.through.is_none_or(|last| step <= last)
        };
        let mut numbers: Vec<usize> = self.lasting.iter().filter(lasts).copied().collect();
        numbers.extend(self.single.get(&step).into_iter().flatten());
        numbers.sort_unstable();
        numbers.into_iter().map(|number| &self.inputs[number]).collect()
    }

    /// All inputs in the order in which they were given.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }
}
