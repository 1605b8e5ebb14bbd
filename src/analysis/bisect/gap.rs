//! Names the difference of two conditions of a scene by running the gap again: from the last state that each side kept
//! before the step in which they part, up to and with that step.

use crate::analysis::bisect::condition::{Condition, Parting, Recording, Runner};
use crate::analysis::compare::{StateDifference, compare_states};
use crate::analysis::moments::Around;
use crate::analysis::outcome::FirstDifference;
use crate::analysis::step_difference::{HashedMoment, Sight, first_differing, hash_moments};
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

/// Two conditions and where they part.
#[derive(Clone, Copy, Debug)]
pub struct Gap<'a> {
    /// What the baseline was like.
    pub baseline: &'a Recording,
    /// The baseline, and the condition that parts from it.
    pub conditions: [&'a Condition; 2],
    /// What reports call the two.
    pub names: [&'a str; 2],
    /// Where they part.
    pub parting: &'a Parting,
    /// How many fields to list, at most.
    pub fields: usize,
}

/// A state from which a side is run again; `None` from the start.
type From = Option<(u32, Vec<u8>)>;

/// One side at the end of the step in which the two part.
struct Reached {
    /// From where the step was reached: from here it is reached once more.
    from: From,
    /// The moments of the step and the root hashes of their states.
    moments: Vec<HashedMoment>,
    /// The bytes of the state at its end; of the last good one, when it stopped.
    end: Vec<u8>,
}

impl Gap<'_> {
    /// Names the difference.
    #[must_use]
    pub fn name<S: Scalar>(&self) -> Named {
        let mut named = Named { first: self.known_from_hashes(), notes: self.stops() };
        let reached = [0, 1].map(|side| self.reach_somehow::<S>(side, &mut named.notes));
        let [Some(a), Some(b)] = reached else { return named };
        match first_differing(&a.moments, &b.moments) {
            Some((index, moment)) => {
                let looked = [(0, &a), (1, &b)].map(|(side, reached)| self.look::<S>(side, &reached.from, index));
                if let [Some(a), Some(b)] = &looked {
                    named.first.see(moment, [a, b], self.fields);
                }
            }
            None => named.first.take(compare_ends::<S>(&a.end, &b.end, self.fields)),
        }
        named
    }

    /// Step and section.
    fn known_from_hashes(&self) -> FirstDifference {
        let step = self.parting.step;
        let hashes = self.baseline.hashes.get(step as usize).zip(self.parting.hash.as_ref());
        let section = hashes.and_then(|(a, b)| {
            let differing = Section::ALL.into_iter().zip(a.sections.iter().zip(&b.sections)).find(|(_, (a, b))| a != b);
            differing.map(|(section, _)| section.name().to_owned())
        });
        FirstDifference { section, ..FirstDifference::in_step(step) }
    }

    /// Which side stops in the step, and why.
    fn stops(&self) -> Vec<String> {
        let of_a = self.baseline.stopped.as_ref().filter(|_| self.parting.step > self.baseline.last());
        let sides = [of_a, self.parting.stopped.as_ref()].into_iter().zip(self.names);
        sides.filter_map(|(reason, name)| Some(format!("{name} stops in this step: {}", reason?))).collect()
    }

    /// What the hash of a side was after a step; `None` where it stopped.
    fn expected(&self, side: usize, step: u32) -> Option<&StateHash> {
        if side == 1 && step >= self.parting.step {
            return self.parting.hash.as_ref();
        }
        self.baseline.hashes.get(step as usize)
    }

    /// Runs a side again, from the start where its last keyframe does not lead to where it was.
    fn reach_somehow<S: Scalar>(&self, side: usize, notes: &mut Vec<String>) -> Option<Reached> {
        let keyframes = if side == 0 { &self.baseline.keyframes } else { &self.parting.keyframes };
        let keyframe = keyframes.before(self.parting.step).map(|(step, state)| (step, state.to_vec()));
        let name = self.names[side];
        let at = keyframe.as_ref().map_or(0, |(step, _)| *step);
        if let Ok(reached) = self.reach::<S>(side, &keyframe) {
            return Some(reached);
        }
        match self.reach::<S>(side, &None) {
            Ok(reached) => {
                notes.push(format!(
                    "{name} run on from its state after step {at} is not the same run, so it was run again from the \
                     start: state is missing from what is saved; try --axis restore"
                ));
                Some(reached)
            }
            Err(again) => {
                notes.push(format!(
                    "a race: {name} run once more gives other bits in step {again}, with nothing changed; step and \
                     section are known from the hashes, what differs is not; try --axis repeat=20"
                ));
                None
            }
        }
    }

    /// Runs a side up to and with the step in which the two part; the step that does not come out as it did.
    fn reach<S: Scalar>(&self, side: usize, from: &From) -> Result<Reached, u32> {
        let step = self.parting.step;
        let mut runner = self.run_before::<S>(side, from)?;
        let before = (step.saturating_sub(1), runner.session().encoded().bytes.clone());
        let mut moments = Vec::new();
        if step > 0 {
            let stopped = runner.advance(&mut hash_moments(&mut moments)).is_err();
            self.check(side, &runner, stopped)?;
        }
        let from = from.is_some().then_some(before);
        Ok(Reached { from, moments, end: runner.session().encoded().bytes.clone() })
    }

    /// A side just before the step in which the two part.
    fn run_before<S: Scalar>(&self, side: usize, from: &From) -> Result<Runner<'_, S>, u32> {
        let condition = self.conditions[side];
        let started = match from {
            Some((step, state)) => Runner::resume(condition, *step, state),
            None => Runner::start(condition),
        };
        let mut runner: Runner<'_, S> = started.map_err(|_| 0_u32)?;
        self.check(side, &runner, false)?;
        while runner.session().step_number() + 1 < self.parting.step {
            let stopped = runner.advance(&mut ()).is_err();
            self.check(side, &runner, stopped)?;
        }
        Ok(runner)
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

    /// Takes the step once more, to see what is around one of its moments; and the state before the step.
    fn look<S: Scalar>(&self, side: usize, from: &From, index: usize) -> Option<Sight<S>> {
        let mut runner = self.run_before::<S>(side, from).ok()?;
        let before_step = State::decode(&runner.session().encoded().bytes).ok();
        let mut around = Around::moment(index);
        // It was taken before: it ends as it did.
        let _ = runner.advance(&mut around);
        Some(Sight { before_step, around })
    }
}

fn compare_ends<S: Scalar>(a: &[u8], b: &[u8], fields: usize) -> StateDifference {
    match (State::<S>::decode(a), State::<S>::decode(b)) {
        (Ok(a), Ok(b)) => compare_states(&a, &b, fields),
        _ => StateDifference::default(),
    }
}
