//! The smallest scene that still shows it: parts of a scene are taken away as long as an oracle says that what is left
//! behaves as before.
//!
//! [`mod@ddmin`] decides which parts to try together. Typed reductions take out groups, bodies, inputs and steps, or
//! start the run later (`structure`); the rest is done on the canonical text of the scene, in which every key is
//! written: keys go back to their defaults and numbers lose digits (`text`). What it is that the scene shows is known
//! to the [`Oracle`] alone; one whose answers change is asked more than once ([`repeated`]).

pub mod ddmin;
pub mod repeated;
pub mod run_setup;
mod shapes;
mod structure;
mod text;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::scene::generate::body_count;
use crate::scene::model::Scene;
use crate::scene::short::Defaults;
use crate::scene::validate::validate;
use crate::session::record::RunPlan;

/// The bodies of a scene up to which what is rejected is remembered, where tests are quick.
const MAX_REMEMBERED: usize = 64;

/// A scene that may still show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The scene.
    pub scene: Scene,
    /// The step of the first scene at which this one starts: everything that happens at a step happens so much earlier.
    pub start: u32,
}

impl Candidate {
    /// Bodies at step 0.
    #[must_use]
    pub fn bodies(&self) -> usize {
        body_count(&self.scene).unwrap_or(usize::MAX)
    }
}

/// What an oracle says of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It still shows it; in this step, where that is known.
    Shows {
        /// The step. Later ones are not needed.
        step: Option<u32>,
    },
    /// It does not.
    Hides,
    /// The caller had enough before that was known.
    Interrupted,
}

/// Knows whether a scene still shows what the first one did.
pub trait Oracle {
    /// Asks about a candidate; `go_on` is asked from time to time whether to go on.
    fn ask(&mut self, candidate: &Candidate, go_on: &mut dyn FnMut() -> bool) -> Answer;

    /// Whether it says in which step a scene shows it, so that fewer steps need not be tried.
    fn knows_step(&self) -> bool;

    /// The run of a candidate from whose states a later start may be taken.
    fn run_of(&self, candidate: &Candidate) -> RunPlan;
}

/// How far the search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Candidates that were tested.
    pub tests: u64,
    /// Bodies of the smallest scene so far.
    pub bodies: usize,
    /// Its steps.
    pub steps: u32,
}

/// Follows the search and bounds it.
pub trait Watcher {
    /// Whether the search may go on. Asked before each test, and during long ones.
    fn go_on(&mut self, status: &Status) -> bool;

    /// Hears of each smaller scene.
    fn improved(&mut self, best: &Candidate, status: &Status);
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Minimised {
    /// The smallest scene.
    pub best: Candidate,
    /// Candidates that were tested.
    pub tests: u64,
    /// Whether the watcher ended the search before nothing could be taken away any more.
    pub was_ended: bool,
    /// Names of candidates that did not show it: a search that goes on need not test them again.
    pub rejected: BTreeSet<u64>,
}

/// Makes a scene that shows something smaller for as long as that helps. The caller has made sure that the oracle says
/// so of `first`.
///
/// A search that goes on after another one is given what that one `rejected`. The same answers of oracle and watcher lead
/// to the same scene.
pub fn minimise(
    mut first: Candidate,
    rejected: BTreeSet<u64>,
    oracle: &mut dyn Oracle,
    watcher: &mut dyn Watcher,
) -> Minimised {
    first.scene.queries.clear(); // they reach no state, and name bodies
    let bodies = first.bodies();
    let defaults = Defaults::default();
    let mut search = Search { oracle, watcher, best: first, bodies, tests: 0, was_ended: false, defaults, rejected };
    while !search.was_ended {
        let before = search.best.clone();
        if search.pass().is_none() || search.best == before {
            break;
        }
    }
    let Search { best, tests, was_ended, rejected, .. } = search;
    Minimised { best, tests, was_ended, rejected }
}

/// A search under way. Its steps give `None` when no more tests may be made.
struct Search<'a> {
    oracle: &'a mut dyn Oracle,
    watcher: &'a mut dyn Watcher,
    best: Candidate,
    /// The bodies of the best.
    bodies: usize,
    tests: u64,
    was_ended: bool,
    defaults: Defaults,
    /// Names of candidates that do not show it, where a test takes longer than naming them.
    rejected: BTreeSet<u64>,
}

impl Search<'_> {
    /// Tries everything once: first what makes every later test cheap.
    fn pass(&mut self) -> Option<()> {
        self.fewer_steps()?;
        self.later_start()?;
        self.fewer_groups()?;
        self.fewer_bodies()?;
        self.groups_body_by_body()?;
        self.fewer_joints()?;
        self.fewer_inputs()?;
        self.fewer_keys()?;
        self.fewer_moving_bodies()?;
        self.fewer_bodies_of_which_one_moves()?;
        self.simpler_shapes()?;
        self.simpler_numbers()
    }

    fn status(&self) -> Status {
        Status { tests: self.tests, bodies: self.bodies, steps: self.best.scene.steps }
    }

    /// Whether the watcher lets the search go on.
    fn may_go_on(&mut self) -> bool {
        let status = self.status();
        self.was_ended = self.was_ended || !self.watcher.go_on(&status);
        !self.was_ended
    }

    /// Tests a scene, which becomes the best if it still shows it. A scene that is not valid is not tested.
    fn shows(&mut self, scene: Scene, start: u32) -> Option<bool> {
        if (scene == self.best.scene && start == self.best.start) || validate(&scene).is_err() {
            return Some(false);
        }
        let mut candidate = Candidate { scene, start };
        let name = self.name_of(&candidate);
        if name.is_some_and(|name| self.rejected.contains(&name)) {
            return Some(false);
        }
        if !self.may_go_on() {
            return None;
        }
        self.tests += 1;
        let status = self.status();
        let Self { oracle, watcher, was_ended, .. } = self;
        let mut go_on = || {
            *was_ended = *was_ended || !watcher.go_on(&status);
            !*was_ended
        };
        match oracle.ask(&candidate, &mut go_on) {
            Answer::Hides => {
                self.rejected.extend(name);
                Some(false)
            }
            Answer::Interrupted => {
                self.was_ended = true;
                None
            }
            Answer::Shows { step } => {
                candidate.scene.steps = step.map_or(candidate.scene.steps, |step| step.min(candidate.scene.steps));
                self.bodies = candidate.bodies();
                self.best = candidate;
                let status = self.status();
                self.watcher.improved(&self.best, &status);
                Some(true)
            }
        }
    }

    /// What a candidate goes by, if it is worth remembering: writing a large scene takes longer than a step of it.
    fn name_of(&self, candidate: &Candidate) -> Option<u64> {
        if self.oracle.knows_step() && self.bodies > MAX_REMEMBERED {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&candidate.start.to_le_bytes());
        hasher.update(candidate.scene.to_canonical_ron().as_bytes());
        Some(hasher.finalize().as_bytes().iter().take(8).fold(0, |name, byte| (name << 8) | u64::from(*byte)))
    }

    /// Tests a scene that starts where the best does.
    fn shows_from_here(&mut self, scene: Scene) -> Option<bool> {
        self.shows(scene, self.best.start)
    }

    /// The run of the best.
    fn run_of_best(&self) -> RunPlan {
        self.oracle.run_of(&self.best)
    }
}

/// The run of a scene as it is.
#[must_use]
pub fn plain_run(scene: &Scene) -> RunPlan {
    RunPlan::new(Arc::new(scene.clone()))
}
