//! Where in a scene a value stands, such as `bodies[3].position[1]`.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::ops::Range;

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathStep {
    /// A key of a struct or a map. A variant's name is not a step.
    Key(Cow<'static, str>),
    /// A place in a list or tuple, from 0.
    Index(usize),
    /// Some bytes of a text in quotes.
    Bytes(Range<usize>),
}

/// The steps from the whole scene to a value; empty for the scene itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    steps: Vec<PathStep>,
}

impl Path {
    /// The whole scene.
    #[must_use]
    pub const fn root() -> Self {
        Self { steps: Vec::new() }
    }

    /// The path of these steps.
    #[must_use]
    pub fn from_steps(steps: &[PathStep]) -> Self {
        Self { steps: steps.to_vec() }
    }

    /// The part under a key known to the program.
    #[must_use]
    pub fn key(&self, key: &'static str) -> Self {
        self.with(PathStep::Key(Cow::Borrowed(key)))
    }

    /// The part under a name from the scene.
    #[must_use]
    pub fn name(&self, name: &str) -> Self {
        self.with(PathStep::Key(Cow::Owned(name.to_owned())))
    }

    /// The part at a place in a list or tuple, from 0.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.with(PathStep::Index(index))
    }

    /// Some bytes of the text in quotes that stands here.
    #[must_use]
    pub fn bytes(&self, bytes: Range<usize>) -> Self {
        self.with(PathStep::Bytes(bytes))
    }

    /// The steps in order.
    #[must_use]
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    fn with(&self, step: PathStep) -> Self {
        let mut steps = Vec::with_capacity(self.steps.len() + 1);
        steps.extend_from_slice(&self.steps);
        steps.push(step);
        Self { steps }
    }
}

impl Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, step) in self.steps.iter().enumerate() {
            match step {
                PathStep::Key(key) if place == 0 => write!(formatter, "{}", key.escape_debug())?,
                PathStep::Key(key) => write!(formatter, ".{}", key.escape_debug())?,
                PathStep::Index(index) => write!(formatter, "[{index}]")?,
                PathStep::Bytes(_) => {} // a person sees the text
            }
        }
        Ok(())
    }
}
