//! Sessions made from replays: the same scene, inputs and perturbations again, on this build.

use std::sync::Arc;

use crate::math::Scalar;
use crate::parallel::Parallelism;
use crate::replay::{Perturbation, Replay};
use crate::scene::input::parse_input_line;
use crate::scene::{self, SceneError};
use crate::session::Session;
use crate::world::error::BuildError;
use crate::world::fault::Fault;
use crate::world::fault::text::FaultError;
use crate::world::schedule::Schedule;

/// Why a replay cannot be run again.
#[derive(Debug, thiserror::Error)]
pub enum PlaybackError {
    /// Its scene cannot be read by this build.
    #[error("the scene inside the replay cannot be read: {0}")]
    Scene(#[from] SceneError),
    /// One of its inputs cannot be read by this build.
    #[error("an input for step {step} inside the replay cannot be read: {error}")]
    Input {
        /// The step.
        step: u32,
        /// What is wrong with it.
        error: SceneError,
    },
    /// One of the faults that were planted cannot be read by this build.
    #[error("the fault {fault:?} inside the replay cannot be read: {error}")]
    Fault {
        /// Its text.
        fault: String,
        /// What is wrong with it.
        error: FaultError,
    },
    /// Its scene makes no world.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// The faults that were planted while recording.
///
/// # Errors
/// When this build cannot read one of them.
pub fn planted_faults(replay: &Replay) -> Result<Vec<Fault>, PlaybackError> {
    let read = |planted: &Perturbation| {
        let unreadable = |error| PlaybackError::Fault { fault: planted.fault.clone(), error };
        planted.fault.parse().map_err(unreadable)
    };
    replay.perturbations.iter().map(read).collect()
}

impl<S: Scalar> Session<S> {
    /// The session at step 0 of a replay whose scalar is `S`.
    ///
    /// # Errors
    /// When scene, inputs or faults inside the replay cannot be read, or make no world.
    pub fn of_replay(replay: &Replay, threads: u32) -> Result<Self, PlaybackError> {
        Self::of_replay_with(replay, Parallelism::plain(threads))
    }

    /// As [`Session::of_replay`], its work handed out to threads in a way of the caller's choice.
    ///
    /// # Errors
    /// As for [`Session::of_replay`].
    pub fn of_replay_with(replay: &Replay, parallelism: Parallelism) -> Result<Self, PlaybackError> {
        let scene = Arc::new(scene::parse("scene of the replay", &replay.scene)?);
        let mut schedule = Schedule::default();
        for (number, recorded) in (1..).zip(&replay.inputs) {
            let input = parse_input_line("inputs of the replay", number, &recorded.text)
                .map_err(|error| PlaybackError::Input { step: recorded.step, error })?;
            schedule.push(input);
        }
        Ok(Self::with_parallelism(&scene, schedule, planted_faults(replay)?, parallelism)?)
    }
}
