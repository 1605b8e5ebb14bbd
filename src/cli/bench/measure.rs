//! One run with a stopwatch.

use std::cell::Cell;
use std::io::Sink;
use std::time::{Duration, Instant};

use crate::analysis::benchmark::Part;
use crate::math::Scalar;
use crate::replay::ReplayWriter;
use crate::session::Session;
use crate::session::record::{RunPlan, Stepper, record_with};
use crate::world::World;
use crate::world::error::StepError;
use crate::world::stage::{Observer, Stage};

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::output::recording_failure;

/// One run of a case.
#[derive(Clone, Debug, Default)]
pub struct Round {
    /// Time of each part, all counted steps together.
    pub times: [Duration; Part::ALL.len()],
    /// How many steps were counted.
    pub counted: u32,
    /// Bodies at the end.
    pub bodies: usize,
    /// Contacts at the end.
    pub contacts: usize,
    /// The hash of the last state.
    pub hash: String,
}

impl Round {
    /// The time that a part of a step took on average.
    pub fn milliseconds(&self, part: Part) -> f64 {
        let all: Duration = match part {
            Part::Step => self.times.iter().sum::<Duration>().saturating_sub(self.times[Part::Record as usize]),
            _ => self.times[part as usize],
        };
        all.as_secs_f64() * 1000.0 / f64::from(self.counted.max(1))
    }
}

/// Runs a plan to its end; `taken` hears of each step. Its replay is written to nowhere.
pub fn measure(plan: &RunPlan, warm_up: u32, taken: &mut dyn FnMut()) -> Result<Round, Failure> {
    let stepped = Cell::new(None);
    let mut stopwatch = Stopwatch { warm_up, times: Default::default(), counted: 0, stepped: &stepped };
    let mut recording = Duration::ZERO;
    let mut open = |header: &_, scene: &str, _| ReplayWriter::new("nowhere", std::io::sink(), header, scene).map(Some);
    let recorded = record_with::<Sink>(plan, &mut open, &mut stopwatch, &mut |_| {
        recording += stepped.take().map_or(Duration::ZERO, |end| now() - end);
        taken();
    });
    let (summary, _) = recorded.map_err(|error| recording_failure(&plan.scene.name, error))?;
    if let Some(error) = summary.stopped {
        let message = format!("{}: {error}; nothing is measured of a run that stops", plan.scene.name);
        return Err(Failure::Ended { status: ExitStatus::Failed, kind: "stopped", message });
    }
    let mut times = stopwatch.times;
    times[Part::Record as usize] = recording;
    Ok(Round {
        times,
        counted: stopwatch.counted,
        bodies: summary.bodies,
        contacts: summary.contacts,
        hash: summary.hash.hex(),
    })
}

/// Takes steps and adds up the time of their parts.
struct Stopwatch<'a> {
    warm_up: u32,
    times: [Duration; Part::ALL.len()],
    counted: u32,
    /// When the last step ended, if it counts.
    stepped: &'a Cell<Option<Instant>>,
}

impl Stepper for Stopwatch<'_> {
    fn start<S: Scalar>(&mut self, _: &Session<S>) {}

    fn advance<S: Scalar>(&mut self, session: &mut Session<S>) -> Result<(), StepError> {
        if session.step_number() < self.warm_up {
            return session.advance(&mut ()).map(|_| ());
        }
        let mut laps = Laps { last: now(), times: &mut self.times };
        session.advance(&mut laps)?;
        laps.end(Part::Hash);
        self.stepped.set(Some(laps.last));
        self.counted += 1;
        Ok(())
    }
}

/// The stages of one step.
struct Laps<'a> {
    last: Instant,
    times: &'a mut [Duration; Part::ALL.len()],
}

impl Laps<'_> {
    fn end(&mut self, part: Part) {
        let now = now();
        self.times[part as usize] += now - self.last;
        self.last = now;
    }
}

impl<S: Scalar> Observer<S> for Laps<'_> {
    fn stage_ended(&mut self, stage: Stage, _: &World<S>) {
        self.end(Part::of_stage(stage));
    }
}

#[expect(clippy::disallowed_methods, reason = "this command measures time; no other result depends on it")]
fn now() -> Instant {
    Instant::now()
}
