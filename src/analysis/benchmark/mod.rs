//! What steps cost: the results of a benchmark as data, and two of them side by side.
//!
//! Nothing in here reads the clock: whoever measures hands its numbers over.

pub mod comparison;
pub mod statistics;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::analysis::benchmark::statistics::Milliseconds;
use crate::session::record::RunPlan;
use crate::world::SEMANTICS_VERSION;
use crate::world::stage::Stage;

/// How results begin as JSON: what tells them from other files.
pub const JSON_START: &str = "{\"schema\":1,\"command\":\"bench\",";

/// A part of a step's time. The order of the variants is that of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// All of the following but [`Record`](Self::Record).
    Step,
    /// Finding pairs.
    BroadPhase,
    /// Finding the contacts of the pairs.
    NarrowPhase,
    /// Colouring the contacts.
    Colouring,
    /// Solving and moving.
    Solve,
    /// All other stages.
    Other,
    /// Encoding the state and hashing it.
    Hash,
    /// What recording a replay adds to the step.
    Record,
}

impl Part {
    /// All parts in order.
    pub const ALL: [Self; 8] = [
        Self::Step,
        Self::BroadPhase,
        Self::NarrowPhase,
        Self::Colouring,
        Self::Solve,
        Self::Other,
        Self::Hash,
        Self::Record,
    ];

    /// The part that a stage belongs to.
    #[must_use]
    pub const fn of_stage(stage: Stage) -> Self {
        match stage {
            Stage::BroadPhase => Self::BroadPhase,
            Stage::NarrowPhase => Self::NarrowPhase,
            Stage::Colouring => Self::Colouring,
            Stage::Solve => Self::Solve,
            Stage::Inputs | Stage::Forces | Stage::Finish => Self::Other,
        }
    }
}

/// A value for each part of a step.
pub type ByPart<T> = BTreeMap<Part, T>;

/// The results of a benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Benchmark {
    /// The version of this form.
    pub schema: u32,
    /// Always `bench`.
    pub command: String,
    /// What measured.
    pub build: Build,
    /// Where.
    pub machine: Machine,
    /// How.
    pub settings: Settings,
    /// What came out.
    pub cases: Vec<CaseResult>,
}

/// The program that measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Its version.
    pub version: String,
    /// The version of its results.
    pub semantics: u32,
    /// Whether it was built without checks that only developers want.
    pub release: bool,
}

impl Build {
    /// This one.
    #[must_use]
    pub fn this() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            semantics: SEMANTICS_VERSION,
            release: !cfg!(debug_assertions),
        }
    }
}

/// The machine that measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Its operating system.
    pub system: String,
    /// Its architecture.
    pub architecture: String,
    /// Its processor, where that is known.
    pub processor: Option<String>,
    /// The threads it can run at once.
    pub threads: u32,
}

/// How a benchmark measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// How often each case is run, in turn with the others.
    pub rounds: u32,
    /// The first steps of each run, which are taken and not counted.
    pub warm_up: u32,
    /// The threads of each run.
    pub threads: u32,
    /// The vectors of each run; earlier versions had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lanes: Option<String>,
    /// What was set in each scene.
    pub set: Vec<String>,
}

/// A scene on a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The scene's name.
    pub scene: String,
    /// The name of the number type.
    pub scalar: String,
    /// The steps of a run, those of the warm-up included.
    pub steps: u32,
    /// The scene with all its settings, as canonical RON.
    pub text: String,
}

impl Case {
    /// What a plan runs.
    #[must_use]
    pub fn of(plan: &RunPlan) -> Self {
        // What the command line decides stands in the scene too: equal cases have equal texts.
        let mut scene = (*plan.scene).clone();
        scene.scalar = plan.scalar;
        scene.steps = plan.steps;
        Self {
            scene: scene.name.clone(),
            scalar: plan.scalar.name().to_owned(),
            steps: plan.steps,
            text: scene.to_canonical_ron(),
        }
    }

    /// Whether two cases have the same name: a benchmark has no case twice.
    #[must_use]
    pub fn is_called_as(&self, other: &Self) -> bool {
        self.scene == other.scene && self.scalar == other.scalar
    }
}

/// What a case cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case.
    #[serde(flatten)]
    pub case: Case,
    /// Bodies at the end.
    pub bodies: usize,
    /// Contacts at the end.
    pub contacts: usize,
    /// The hash of the last state.
    pub hash: String,
    /// Time of a step, over the rounds.
    pub milliseconds: ByPart<Milliseconds>,
}

#[cfg(test)]
mod tests {
    use super::Part;
    use crate::world::stage::Stage;

    #[test]
    fn parts_are_in_the_order_of_the_columns_and_every_stage_is_in_one() {
        assert!(Part::ALL.is_sorted());
        let parts = Stage::ALL.map(Part::of_stage);
        assert!(parts.iter().all(|part| Part::ALL[1..6].contains(part)), "{parts:?}");
        assert!(Part::ALL[1..6].iter().all(|part| parts.contains(part)), "{parts:?}");
    }
}
