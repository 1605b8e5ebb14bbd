//! Names the difference of two runs: both are run again up to the step in which they part, and that step is taken once
//! to hash every moment of it, and once more to look at the first moment that differs.

use crate::analysis::bisect::condition::Runner;
use crate::analysis::compare::{StateDifference, compare_states};
use crate::analysis::moments::{Around, EachMoment, MomentName, View as MomentView};
use crate::analysis::outcome::FirstDifference;
use crate::analysis::stress::Parted;
use crate::analysis::stress::baseline::Baseline;
use crate::analysis::stress::course::Course;
use crate::analysis::stress::view::View;
use crate::math::Scalar;
use crate::world::encode::{Section, State};

/// How many fields are listed, at most.
const MOST_FIELDS: usize = 4;

/// A moment of a step and the root hash of its state as it is looked at.
type HashedMoment = (MomentName, [u8; 32]);

/// Names the difference of two courses that part in `step`; the first of them is that of the baseline.
#[must_use]
pub fn name<S: Scalar>(baseline: &Baseline, courses: [&Course; 2], step: u32) -> Parted {
    let mut parted = Parted { run: courses[1].label.clone(), first: FirstDifference::in_step(step), notes: Vec::new() };
    let reached = courses.map(|course| Reached::<S>::of(course, step));
    let [Some(a), Some(b)] = &reached else {
        parted.notes.push("run again, they do not come to that step".to_owned());
        return parted;
    };
    let first = &mut parted.first;
    let difference = match first_differing(&a.moments, &b.moments) {
        Some(index) => {
            let moment = a.moments.get(index).or(b.moments.get(index)).map(|(moment, _)| *moment);
            first.stage = moment.map(|moment| moment.stage.name().to_owned());
            first.phase = moment.and_then(|moment| moment.phase).map(|phase| phase.to_string());
            let looked = courses.map(|course| look::<S>(course, step, index));
            let [Some(a), Some(b)] = &looked else { return parted };
            compare_states(a, b, MOST_FIELDS)
        }
        None => compare_states(&a.end, &b.end, MOST_FIELDS),
    };
    take_over(first, difference);
    if baseline.hashes.get(step as usize).is_some_and(|hash| *hash != View::Whole.hash_of(a.end.clone())) {
        parted.notes.push("the first run, run again, is another one: a race".to_owned());
    } else if parted.first.field.is_none() {
        parted.notes.push("run again, both are the same: a race, or chance".to_owned());
    }
    parted
}

fn take_over(first: &mut FirstDifference, difference: StateDifference) {
    first.field = difference.first().cloned();
    first.section = first.field.as_ref().map(|field| field.section.clone());
    first.seen_at = first.field.as_ref().map(|_| first.step);
    first.objects = Some(difference.objects.len());
    first.fields = difference.fields;
}

/// A course that has come to the end of a step, or stopped in it.
struct Reached<S> {
    moments: Vec<HashedMoment>,
    end: State<S>,
}

impl<S: Scalar> Reached<S> {
    fn of(course: &Course, step: u32) -> Option<Self> {
        let mut runner = run_before::<S>(course, step)?;
        let mut moments = Vec::new();
        if step > 0 {
            let view = &course.view;
            // A step that cannot be taken to its end still had the moments before.
            let _ = runner.advance(&mut EachMoment(|moment: MomentName, seen: MomentView<'_, S>| {
                moments.push((moment, view.hash_of(seen.state()).root));
            }));
        }
        Some(Self { moments, end: course.view.of(runner.session().world().state()) })
    }
}

/// A course just before a step.
fn run_before<S: Scalar>(course: &Course, step: u32) -> Option<Runner<'_, S>> {
    let mut runner = Runner::start(&course.condition).ok()?;
    while runner.session().step_number() + 1 < step {
        runner.advance(&mut ()).ok()?;
    }
    Some(runner)
}

/// The state of a course at one moment of a step.
fn look<S: Scalar>(course: &Course, step: u32, moment: usize) -> Option<State<S>> {
    let mut runner = run_before::<S>(course, step)?;
    let mut around = Around::moment(moment);
    let _ = runner.advance(&mut around);
    around.at.map(|state| course.view.of(state))
}

/// The first moment after which the states differ; or that only one side came to.
fn first_differing(a: &[HashedMoment], b: &[HashedMoment]) -> Option<usize> {
    let parted = a.iter().zip(b).position(|(a, b)| a != b);
    parted.or_else(|| (a.len() != b.len()).then_some(a.len().min(b.len())))
}

/// The first section whose digests differ.
#[must_use]
pub fn first_section(a: &[[u8; 8]], b: &[[u8; 8]]) -> Option<Section> {
    Section::ALL.into_iter().zip(a.iter().zip(b)).find(|(_, (a, b))| a != b).map(|(section, _)| section)
}
