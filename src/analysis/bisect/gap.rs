//! Names the difference of two conditions of a scene: both are run again from where they started, and the step in which
//! they diverge is looked at while they take it.
//!
//! A run that is restored before that step would be another run: whatever hides outside the state would be gone. Every
//! step is held against the hashes of the first runs. Where it does not come out as it did, the two run side by side and
//! are looked at in every step ([`twins`](super::twins)): what differs then is named from those very runs.

use crate::analysis::bisect::Host;
use crate::analysis::bisect::condition::{Condition, Divergence, Recording, Runner};
use crate::analysis::bisect::twins::watch_twins;
use crate::analysis::compare::compare_states;
use crate::analysis::outcome::{Finding, FirstDifference};
use crate::analysis::step_difference::{Keep, Named as SeenAs, TakenStep};
use crate::math::Scalar;
use crate::world::encode::{Section, State};
use crate::world::state_hash::StateHash;

/// What running the gap again told.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// The difference, as far as it is known.
    pub first: FirstDifference,
    /// What could not be known, and why.
    pub notes: Vec<String>,
}

/// Two conditions and where they diverge.
#[derive(Clone, Copy, Debug)]
pub struct Gap<'a> {
    /// What the baseline was like.
    pub baseline: &'a Recording,
    /// The baseline, and the condition that diverges from it.
    pub conditions: [&'a Condition; 2],
    /// What reports call the two.
    pub names: [&'a str; 2],
    /// Where they diverge.
    pub divergence: &'a Divergence,
    /// How many fields to list, at most.
    pub fields: usize,
}

/// The step in which the two diverge, as one side took it.
struct Taken<S> {
    step: TakenStep<S>,
    /// The state at its end; the last good one, when the side stopped.
    end: State<S>,
}

impl Gap<'_> {
    /// Names the difference.
    #[must_use]
    pub fn name<S: Scalar>(&self, host: &mut dyn Host) -> Named {
        let mut named = Named { first: self.known_from_hashes(), notes: self.stops() };
        named.first.findings = self.findings();
        if self.divergence.refused.is_some() || !self.has_parted() {
            return named;
        }
        match [0, 1].map(|side| self.take::<S>(side, Keep::All)) {
            [Ok(a), Ok(b)] => self.see(&mut named, [&a, &b]),
            [Err(step), _] => self.name_from_twins::<S>(&mut named, 0, step, host),
            [_, Err(step)] => self.name_from_twins::<S>(&mut named, 1, step, host),
        }
        named
    }

    fn see<S: Scalar>(&self, named: &mut Named, [a, b]: [&Taken<S>; 2]) {
        match named.first.see_steps([&a.step, &b.step], self.fields) {
            SeenAs::Fully => {}
            SeenAs::Nothing => named.first.take(compare_states(&a.end, &b.end, self.fields)),
            SeenAs::CheckpointOnly(checkpoint) => {
                let around = |side, first: &Taken<S>| {
                    let again = self.take::<S>(side, Keep::Around(checkpoint)).ok()?;
                    first.step.agrees_with(&again.step, checkpoint).then_some(again.step)
                };
                if let (Some(a), Some(b)) = (around(0, a), around(1, b)) {
                    named.first.see_steps([&a, &b], self.fields);
                } else {
                    named.notes.push("the object is not named: run once more, the step is another one".to_owned());
                }
            }
        }
    }

    /// A side once more gave another run: what differs is seen only where both are watched all the time.
    fn name_from_twins<S: Scalar>(&self, named: &mut Named, side: usize, step: u32, host: &mut dyn Host) {
        let name = self.names[side];
        named.notes.push(format!(
            "{name} does not repeat: run once more it is another run from step {step} on, with nothing changed (a race, or \
             something that changes from run to run)"
        ));
        let twins = watch_twins::<S>(self.conditions, self.divergence.step, self.fields, host);
        match twins {
            Some(watched) => {
                named.notes.push(watched.note());
                let findings = std::mem::take(&mut named.first.findings);
                named.first = FirstDifference { findings, ..watched.first };
            }
            None => self.tell_from_hashes(named),
        }
    }

    /// All that is known of two runs that are never had again: where more sections than one differ at the end of the step,
    /// which of them did first is not.
    fn tell_from_hashes(&self, named: &mut Named) {
        let sections = self.differing_sections();
        if sections.len() > 1 {
            named.first.section = None;
        }
        let places = if sections.is_empty() { String::new() } else { format!(" in {}", sections.join(" and ")) };
        named.notes.push(format!(
            "known from the hashes: after step {} the two differ{places}; what differed first is not: watched, they agreed up \
             to that step",
            self.divergence.step,
        ));
    }

    /// Step and section.
    fn known_from_hashes(&self) -> FirstDifference {
        let section = self.differing_sections().first().map(|&name| name.to_owned());
        FirstDifference { section, ..FirstDifference::in_step(self.divergence.step) }
    }

    /// The sections whose digests differ after the step; none where one side stopped in it.
    fn differing_sections(&self) -> Vec<&'static str> {
        let hashes = self.baseline.hashes.get(self.divergence.step as usize).zip(self.divergence.hash.as_ref());
        let Some((a, b)) = hashes else { return Vec::new() };
        let digests = a.sections.iter().zip(&b.sections);
        Section::ALL.into_iter().zip(digests).filter(|(_, (a, b))| a != b).map(|(section, _)| section.name()).collect()
    }

    /// Whether the two runs really diverge: a restore may lose something that does not come up in this run.
    const fn has_parted(&self) -> bool {
        self.divergence.hash.is_some() || self.divergence.stopped.is_some()
    }

    /// What the restore of the second condition shows by itself.
    fn findings(&self) -> Vec<Finding> {
        let Some(restored_at) = self.conditions[1].restore else { return Vec::new() };
        let run = self.names[1].to_owned();
        if let Some(refused) = &self.divergence.refused {
            return vec![Finding::RefusedRestore { run, step: refused.step, error: refused.error.to_string() }];
        }
        if self.divergence.step < restored_at {
            return Vec::new();
        }
        let not_encoded = self.divergence.not_encoded.as_ref().map(|what| Finding::NotEncoded {
            run: run.clone(),
            step: restored_at,
            what: what.to_string(),
        });
        let hidden = Finding::HiddenState { run, restored_at, differs_at: self.divergence.step, reproduces_from: 0 };
        not_encoded.into_iter().chain(self.has_parted().then_some(hidden)).collect()
    }

    /// Which side stops in the step, and why.
    fn stops(&self) -> Vec<String> {
        let of_a = self.baseline.stopped.as_ref().filter(|_| self.divergence.step > self.baseline.last());
        let sides = [of_a, self.divergence.stopped.as_ref()].into_iter().zip(self.names);
        sides.filter_map(|(reason, name)| Some(format!("{name} stops in this step: {}", reason?))).collect()
    }

    /// What the hash of a side was after a step; `None` where it stopped.
    fn expected(&self, side: usize, step: u32) -> Option<&StateHash> {
        if side == 1 && step >= self.divergence.step {
            return self.divergence.hash.as_ref();
        }
        self.baseline.hashes.get(step as usize)
    }

    /// Runs a side from its start up to and with the step in which the two diverge; the step that does not come out as it did.
    fn take<S: Scalar>(&self, side: usize, keep: Keep) -> Result<Taken<S>, u32> {
        let mut runner: Runner<'_, S> = Runner::start(self.conditions[side]).map_err(|_| 0_u32)?;
        self.check(side, &runner, false)?;
        while runner.session().step_number() + 1 < self.divergence.step {
            let stopped = runner.advance(&mut ()).is_err();
            self.check(side, &runner, stopped)?;
        }
        let mut step = TakenStep::after((self.divergence.step > 0).then(|| runner.session().world().state()));
        if self.divergence.step > 0 {
            let stopped = runner.advance(&mut step.observer(keep)).is_err();
            self.check(side, &runner, stopped)?;
        }
        Ok(Taken { step, end: runner.session().world().state() })
    }

    /// Proves that a side is what it was when it ran first.
    fn check<S: Scalar>(&self, side: usize, runner: &Runner<'_, S>, stopped: bool) -> Result<(), u32> {
        let step = runner.session().step_number() + u32::from(stopped);
        let is_same = match self.expected(side, step) {
            Some(hash) => !stopped && hash == runner.session().hash(),
            None => stopped,
        };
        if is_same { Ok(()) } else { Err(step) }
    }
}
