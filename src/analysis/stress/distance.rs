//! How far apart two runs are that need not agree in every bit: the same bodies, seen from two frames.

use crate::analysis::outcome::FirstDifference;
use crate::analysis::stress::{DivergedRun, Tell};
use crate::math::Scalar;
use crate::session::Session;

/// How far apart bodies may be, in metres, to count as in the same place.
pub const BOUND: f64 = 0.001;

/// How far apart two runs came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Apart {
    /// Steps that were compared.
    pub steps: u64,
    /// The first step after which a body is not where and as it should be to the bit.
    pub inexact: Option<u32>,
    /// The largest distance in metres, with the step and the body.
    pub largest: (f64, u32, String),
    /// The first distance beyond the bound.
    pub beyond: Option<(f64, u32, String)>,
    /// Why only one of them went on, or that they stopped differently.
    pub stop: Option<(u32, String)>,
}

impl Apart {
    /// What to say of it in a few words.
    #[must_use]
    pub fn text(&self) -> String {
        match self.inexact {
            None => "the same to the bit".to_owned(),
            Some(_) if self.largest.0 == 0.0 => "every place the same".to_owned(),
            Some(_) => format!("at most {:.1e} m apart", self.largest.0),
        }
    }

    /// Where the runs diverge, if they do beyond the bound.
    #[must_use]
    pub fn parted(&self, run: &str) -> Option<DivergedRun> {
        let (largest, at, body) = &self.largest;
        let (step, note) = match (&self.beyond, &self.stop) {
            (Some((distance, step, body)), _) => {
                (*step, format!("{body} is then {distance:.1e} m away, more than {BOUND} m"))
            }
            (None, Some((step, reason))) => (*step, reason.clone()),
            (None, None) => return None,
        };
        let section = Some("bodies".to_owned()).filter(|_| self.beyond.is_some());
        let first = FirstDifference { section, ..FirstDifference::in_step(step) };
        let mut notes = vec![note];
        if *largest > 0.0 {
            notes.push(format!("the largest distance is {largest:.1e} m: {body} in step {at}"));
        }
        notes.extend(
            self.inexact
                .filter(|inexact| *inexact < step)
                .map(|step| format!("up to step {step} it is the same to the bit")),
        );
        Some(DivergedRun { run: run.to_owned(), first, notes })
    }
}

/// What two runs are compared by.
pub trait Frame<S: Scalar> {
    /// A place of the second run, in metres, as the first run has it.
    fn back(&self, place: [f64; 3], step: u32) -> [f64; 3];

    /// Whether a body of the first run is in the second exactly where and as it should be.
    fn is_exact(&self, first: &Session<S>, second: &Session<S>, body: usize) -> bool;

    /// Whether a body is compared.
    fn concerns(&self, _first: &Session<S>, _body: usize) -> bool {
        true
    }

    /// Why the comparison means nothing from this state on, if it does not.
    fn is_void(&self, first: &Session<S>) -> Option<String>;
}

/// Takes two runs to the end side by side.
///
/// # Errors
/// Why the comparison means nothing.
pub fn apart<S: Scalar>(
    frame: &impl Frame<S>,
    mut runs: [Session<S>; 2],
    steps: u32,
    tell: Tell<'_>,
) -> Result<Apart, String> {
    let mut apart = Apart::default();
    loop {
        let [first, second] = &runs;
        let step = first.step_number();
        if let Some(why) = frame.is_void(first) {
            return Err(why);
        }
        look(frame, first, second, &mut apart);
        if step >= steps {
            return Ok(apart);
        }
        let stopped = runs.each_mut().map(|run| run.advance(&mut ()).err());
        tell();
        apart.steps += 1;
        match stopped {
            [None, None] => {}
            [Some(_), Some(_)] => return Ok(apart),
            [first, second] => {
                let who = if first.is_some() { "the first run" } else { "this run" };
                let reason = first.or(second).map(|error| error.to_string()).unwrap_or_default();
                apart.stop = Some((step + 1, format!("only {who} stops in this step: {reason}")));
                apart.inexact = apart.inexact.or(Some(step + 1));
                return Ok(apart);
            }
        }
    }
}

/// Compares the present states.
fn look<S: Scalar>(frame: &impl Frame<S>, first: &Session<S>, second: &Session<S>, apart: &mut Apart) {
    let step = first.step_number();
    let (a, b) = (first.world().bodies(), second.world().bodies());
    if a.len() != b.len() {
        apart.inexact = apart.inexact.or(Some(step));
    }
    for body in (0..a.len().min(b.len())).filter(|body| frame.concerns(first, *body)) {
        if apart.inexact.is_none() && !frame.is_exact(first, second, body) {
            apart.inexact = Some(step);
        }
        let place = |position: crate::math::Vec3<S>| [position.x, position.y, position.z].map(S::to_f64);
        let (here, there) = (place(a.position[body]), frame.back(place(b.position[body]), step));
        let squares = here.iter().zip(there).map(|(here, there)| (here - there) * (here - there));
        let distance = squares.sum::<f64>().sqrt();
        let found = || (distance, step, a.name[body].to_string());
        if distance > apart.largest.0 {
            apart.largest = found();
        }
        // What is not a number is not in its place either.
        if apart.beyond.is_none() && (distance > BOUND || distance.is_nan()) {
            apart.beyond = Some(found());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Apart;

    #[test]
    fn only_what_goes_beyond_the_bound_parts() {
        let near = Apart { steps: 9, inexact: Some(3), largest: (1e-6, 5, "ball".to_owned()), ..Apart::default() };
        assert_eq!((near.text().as_str(), near.parted("it")), ("at most 1.0e-6 m apart", None));
        assert_eq!(Apart::default().text(), "the same to the bit");
        let far = Apart { beyond: Some((0.002, 7, "box".to_owned())), ..near };
        let parted = far.parted("it").unwrap_or_else(|| panic!("it parts"));
        assert_eq!(parted.first.step, 7);
        assert!(parted.notes[0].contains("box is then 2.0e-3 m away"), "{parted:?}");
        assert!(parted.notes[2].contains("up to step 3"), "{parted:?}");
    }
}
