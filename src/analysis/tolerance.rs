//! Two runs compared physically, in metres and radians: for runs of different scalars, whose bits cannot agree.

use std::collections::BTreeMap;

use crate::analysis::rerun::{RerunError, is_recorded};
use crate::math::{Scalar, ScalarTask};
use crate::replay::{Outcome, Replay};
use crate::session::Session;
use crate::session::playback::PlaybackError;
use crate::world::error::StepError;

/// How far two bodies may be apart and still count as in the same place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Between their centres of mass, metres.
    pub metres: f64,
    /// Between their orientations, radians.
    pub radians: f64,
}

/// How far apart one body is in two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// The step.
    pub step: u32,
    /// The body.
    pub body: String,
    /// Between its centres of mass, metres; infinite when only one run has the body.
    pub metres: f64,
    /// Between its orientations, radians.
    pub radians: f64,
}

/// What comparing two runs physically found.
#[derive(Clone, Debug, Default)]
pub struct PhysicalDiff {
    /// The first body, by step and then by name, that is further apart than the tolerance.
    pub first: Option<Deviation>,
    /// The largest distance of all.
    pub furthest: Option<Deviation>,
    /// The largest turn of all.
    pub most_turned: Option<Deviation>,
    /// How many bodies are beyond the tolerance, step by step from the first on.
    pub beyond: Vec<(u32, usize)>,
    /// Steps that were compared beyond step 0.
    pub steps: u32,
    /// Whether one run is longer than the other, or only one stopped on an error.
    pub ends_differ: bool,
    /// What could not be known, and what else there is to say.
    pub notes: Vec<String>,
}

/// Runs two replays again and compares where their bodies are, in every step that both have.
///
/// # Errors
/// Which of the two (0 or 1) cannot be run again, and why.
pub fn diff_physically(
    a: &Replay,
    b: &Replay,
    tolerance: Tolerance,
    progress: &mut dyn FnMut(u32),
) -> Result<PhysicalDiff, (usize, RerunError)> {
    let mut runs = [player(a, 0)?, player(b, 1)?];
    let mut diff = PhysicalDiff::default();
    let last = a.steps.len().min(b.steps.len()).saturating_sub(1);
    let last = u32::try_from(last).unwrap_or(u32::MAX);
    for step in 0..=last {
        for (side, run) in runs.iter_mut().enumerate() {
            if step > 0 {
                run.advance().map_err(|error| (side, RerunError::Step(error)))?;
            }
            if !run.as_recorded() && diff.notes.len() < 2 {
                diff.notes.push(format!(
                    "this build does not reproduce step {step} of the {} replay; what is compared is the run of this build",
                    ["first", "second"][side]
                ));
            }
        }
        diff.steps = step;
        diff.compare(step, &runs[0].places(), &runs[1].places(), tolerance);
        progress(step);
    }
    diff.compare_ends(a, b);
    Ok(diff)
}

/// Where a body is: its centre of mass in metres, and its orientation.
pub type Place = ([f64; 3], [f64; 4]);

impl PhysicalDiff {
    fn compare_ends(&mut self, a: &Replay, b: &Replay) {
        let stopped =
            |replay: &Replay| replay.ending.as_ref().is_some_and(|ending| ending.outcome != Outcome::Completed);
        if a.steps.len() != b.steps.len() || stopped(a) != stopped(b) {
            self.ends_differ = true;
            let end = |replay: &Replay| {
                let last = replay.steps.len().saturating_sub(1);
                let how = if stopped(replay) { ", on an error" } else { "" };
                format!("after step {last}{how}")
            };
            self.notes.push(format!("the runs end differently: {}; and {}", end(a), end(b)));
        }
        if a.header.scene_name != b.header.scene_name {
            let (a, b) = (&a.header.scene_name, &b.header.scene_name);
            self.notes.push(format!("these are runs of different scenes: {a:?} and {b:?}"));
        }
    }

    fn compare(&mut self, step: u32, a: &BTreeMap<String, Place>, b: &BTreeMap<String, Place>, tolerance: Tolerance) {
        let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
        let mut beyond = 0;
        for body in names {
            let (metres, radians) = match (a.get(body), b.get(body)) {
                (Some(a), Some(b)) => apart(a, b),
                _ => (f64::INFINITY, 0.0),
            };
            let found = || Deviation { step, body: body.clone(), metres, radians };
            // What is not a number is beyond every tolerance.
            let within = metres <= tolerance.metres && radians <= tolerance.radians;
            beyond += usize::from(!within);
            if !within && self.first.is_none() {
                self.first = Some(found());
            }
            if self.furthest.as_ref().is_none_or(|furthest| metres > furthest.metres) {
                self.furthest = Some(found());
            }
            if self.most_turned.as_ref().is_none_or(|most| radians > most.radians) {
                self.most_turned = Some(found());
            }
        }
        if self.first.is_some() {
            self.beyond.push((step, beyond));
        }
    }
}

/// How far apart two places are: in metres and in radians.
#[must_use]
pub fn apart(a: &Place, b: &Place) -> (f64, f64) {
    (distance(a.0, b.0), turn(a.1, b.1))
}

/// Where the bodies of a run are, by name.
#[must_use]
pub fn places<S: Scalar>(session: &Session<S>) -> BTreeMap<String, Place> {
    let bodies = session.world().bodies();
    let place = |index: usize| {
        let (p, q) = (bodies.position[index], bodies.orientation[index]);
        let position = [p.x, p.y, p.z].map(S::to_f64);
        (bodies.name[index].to_string(), (position, [q.w, q.x, q.y, q.z].map(S::to_f64)))
    };
    (0..bodies.len()).map(place).collect()
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    Scalar::length3([a[0] - b[0], a[1] - b[1], a[2] - b[2]])
}

/// The angle between two orientations: twice that of their quaternions, of which each stands for the same as its negative.
///
/// Of the length of the difference rather than of the cosine, which cannot tell small angles.
fn turn(a: [f64; 4], b: [f64; 4]) -> f64 {
    let length = |sign: f64| {
        let difference: [f64; 4] = std::array::from_fn(|index| a[index] - sign * b[index]);
        f64::dot4(difference, difference).sqrt()
    };
    let chord = Scalar::min(length(1.0), length(-1.0));
    // A chord c of the unit sphere spans 2 asin(c/2), and an orientation turns by twice the angle of its quaternion.
    let half = Scalar::min(chord / 2.0, 1.0);
    4.0 * Scalar::atan2(half, (1.0 - half * half).sqrt())
}

/// A run of any scalar.
trait Player {
    fn advance(&mut self) -> Result<(), StepError>;
    fn as_recorded(&self) -> bool;
    fn places(&self) -> BTreeMap<String, Place>;
}

struct Run<'a, S: Scalar> {
    replay: &'a Replay,
    session: Session<S>,
}

impl<S: Scalar> Player for Run<'_, S> {
    fn advance(&mut self) -> Result<(), StepError> {
        self.session.advance(&mut ()).map(|_| ())
    }

    fn as_recorded(&self) -> bool {
        let recorded = self.replay.steps.get(self.session.step_number() as usize);
        recorded.is_some_and(|recorded| is_recorded(&recorded, self.session.hash()))
    }

    fn places(&self) -> BTreeMap<String, Place> {
        places(&self.session)
    }
}

fn player(replay: &Replay, side: usize) -> Result<Box<dyn Player + '_>, (usize, RerunError)> {
    let run = replay.header.scalar.dispatch(NewPlayer(replay));
    run.map_err(|error| (side, RerunError::Playback(error)))
}

struct NewPlayer<'a>(&'a Replay);

impl<'a> ScalarTask for NewPlayer<'a> {
    type Output = Result<Box<dyn Player + 'a>, PlaybackError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let session = Session::<S>::of_replay(self.0, 1)?;
        Ok(Box::new(Run { replay: self.0, session }))
    }
}

#[cfg(test)]
mod tests {
    use super::turn;

    #[test]
    fn the_turn_between_two_orientations_is_exact_for_small_and_large_angles() {
        let about_z = |angle: f64| [(angle / 2.0).cos(), 0.0, 0.0, (angle / 2.0).sin()];
        for angle in [0.0, 1e-9, 1e-3, 0.5, 1.0, 3.0, std::f64::consts::PI] {
            let found = turn(about_z(0.3), about_z(0.3 + angle));
            assert!((found - angle).abs() <= 1e-12, "{angle}: {found}");
            let negated = about_z(0.3 + angle).map(|entry| -entry);
            assert!((turn(about_z(0.3), negated) - angle).abs() <= 1e-12, "{angle} of the negative");
        }
    }
}
