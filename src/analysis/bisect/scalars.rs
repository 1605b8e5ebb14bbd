//! One scene in several number types, whose bits never agree: where bodies get further apart than a tolerance.

use std::collections::BTreeMap;

use crate::analysis::bisect::{BisectError, Bisection, Change, Tried};
use crate::analysis::outcome::{FieldDifference, FirstDifference, SideValue, Verdict};
use crate::analysis::tolerance::{Place, Tolerance, apart, places};
use crate::math::{Scalar, ScalarKind, ScalarTask};
use crate::session::Session;
use crate::session::record::RunPlan;
use crate::world::error::{BuildError, StepError};

/// The axis of number types.
pub const SCALAR: &str = "scalar";

/// A scene, the number types to run it in, and how far bodies may be apart.
#[derive(Clone, Debug)]
pub struct ScalarSearch {
    /// The run; its scalar is not looked at.
    pub plan: RunPlan,
    /// The number types, the baseline first.
    pub scalars: Vec<ScalarKind>,
    /// How far bodies may be apart.
    pub tolerance: Tolerance,
    /// How many bodies that are beyond it to list, at most.
    pub bodies: usize,
}

/// Runs the scene in each number type beside the first, until one gets further apart than the tolerance; `tell` hears of
/// the condition and of each step.
///
/// # Errors
/// When there are fewer than two number types, or the scene makes no world.
pub fn bisect_scalars(search: &ScalarSearch, tell: &mut dyn FnMut(&str, u32)) -> Result<Bisection, BisectError> {
    let [baseline, others @ ..] = search.scalars.as_slice() else { return Err(BisectError::OneCondition) };
    if others.is_empty() {
        return Err(BisectError::OneCondition);
    }
    let name = |scalar: &ScalarKind| format!("{SCALAR}={scalar}");
    let mut found = Bisection::new();
    found.conditions.push(Tried::same(name(baseline)));
    for other in others {
        let compared = Pair::start(search, [*baseline, *other])?.compare(search, &mut |step| tell(&name(other), step));
        found.runs += 2;
        let remark = Some(compared.remark());
        let Some(first) = compared.first else {
            found.conditions.push(Tried { remark, ..Tried::same(name(other)) });
            continue;
        };
        found.conditions.push(Tried { remark, ..Tried::parts(name(other), first.step) });
        found.verdict = Verdict::Diverged;
        found.sides = Some([name(baseline), name(other)]);
        let [from, to] = [baseline, other].map(ToString::to_string);
        found.smallest = Some(vec![Change { axis: SCALAR.to_owned(), from, to }]);
        found.notes.extend(compared.notes);
        found.first = Some(first);
        break;
    }
    Ok(found)
}

/// What comparing two number types found.
struct Compared {
    first: Option<FirstDifference>,
    /// The largest distance of all up to there: in metres, in radians, of which body and in which step.
    furthest: Option<(f64, f64, String, u32)>,
    notes: Vec<String>,
}

impl Compared {
    fn remark(&self) -> String {
        match &self.furthest {
            None => "no body in either".to_owned(),
            Some((metres, radians, body, step)) => {
                format!("furthest apart: {body} by {} in step {step}", distance(*metres, *radians))
            }
        }
    }
}

fn distance(metres: f64, radians: f64) -> String {
    format!("{metres:.3e} m and {radians:.3e} rad")
}

/// Two runs side by side.
struct Pair([Box<dyn Run>; 2]);

impl Pair {
    fn start(search: &ScalarSearch, scalars: [ScalarKind; 2]) -> Result<Self, BuildError> {
        let [a, b] = scalars.map(|scalar| scalar.dispatch(NewRun(RunPlan { scalar, ..search.plan.clone() })));
        Ok(Self([a?, b?]))
    }

    /// Steps both until a body is beyond the tolerance, one of them stops, or the run is over.
    fn compare(mut self, search: &ScalarSearch, tell: &mut dyn FnMut(u32)) -> Compared {
        let mut compared = Compared { first: None, furthest: None, notes: Vec::new() };
        for step in 0..=search.plan.steps {
            if step > 0 && self.stops(step, &mut compared) {
                return compared;
            }
            tell(step);
            let [a, b] = &self.0;
            compared.look(step, [&a.places(), &b.places()], search);
            if compared.first.is_some() {
                break;
            }
        }
        compared
    }

    /// Takes a step on both sides; whether that ends the comparison. One side that stops diverges from one that goes on.
    fn stops(&mut self, step: u32, compared: &mut Compared) -> bool {
        let stopped = [0, 1].map(|side| self.0[side].advance().err());
        if stopped.iter().all(Option::is_none) {
            return false;
        }
        let sides = ["a", "b"].into_iter().zip(&stopped);
        let notes = sides.filter_map(|(side, error)| Some(format!("{side} stops in step {step}: {}", error.as_ref()?)));
        compared.notes.extend(notes);
        if stopped.iter().any(Option::is_none) {
            compared.first = Some(FirstDifference::in_step(step));
        }
        true
    }
}

impl Compared {
    /// Looks at where the bodies of both sides are after a step.
    fn look(&mut self, step: u32, [a, b]: [&BTreeMap<String, Place>; 2], search: &ScalarSearch) {
        let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
        let mut beyond: Vec<(FieldDifference, String)> = Vec::new();
        for body in names {
            let (of_a, of_b) = (a.get(body), b.get(body));
            let (metres, radians) = of_a.zip(of_b).map_or((f64::INFINITY, 0.0), |(a, b)| apart(a, b));
            if self.furthest.as_ref().is_none_or(|(most, ..)| metres > *most) {
                self.furthest = Some((metres, radians, body.clone(), step));
            }
            // What is not a number is beyond every tolerance.
            let (is_near, is_level) = (metres <= search.tolerance.metres, radians <= search.tolerance.radians);
            if !is_near || !is_level {
                beyond.push((difference(body, [of_a, of_b], !is_near), distance(metres, radians)));
            }
        }
        let Some((field, how_far)) = beyond.first().cloned() else { return };
        self.notes.push(format!(
            "{} is {how_far} apart in step {step}; the bits of two number types never agree, so this is where they drift \
             beyond {}",
            field.object,
            distance(search.tolerance.metres, search.tolerance.radians)
        ));
        self.first = Some(FirstDifference {
            section: Some(field.section.clone()),
            seen_at: Some(step),
            objects: Some(beyond.len()),
            fields: beyond.into_iter().take(search.bodies).map(|(field, _)| field).collect(),
            field: Some(field),
            ..FirstDifference::in_step(step)
        });
    }
}

/// Where a body is on both sides: its position, or its orientation where only that is beyond the tolerance.
fn difference(body: &str, sides: [Option<&Place>; 2], is_far: bool) -> FieldDifference {
    let [a, b] = sides.map(|side| {
        side.map(|(position, orientation)| {
            let numbers: Vec<String> = if is_far {
                position.iter().map(ToString::to_string).collect()
            } else {
                orientation.iter().map(ToString::to_string).collect()
            };
            SideValue { bits: String::new(), value: format!("({})", numbers.join(", ")) }
        })
    });
    let is_on_both = a.is_some() && b.is_some();
    let field = if is_far { "position" } else { "orientation" };
    FieldDifference {
        section: "bodies".to_owned(),
        object: body.to_owned(),
        field: is_on_both.then(|| field.to_owned()),
        a,
        b,
        ulps: None,
    }
}

/// A run of any number type.
trait Run {
    fn advance(&mut self) -> Result<(), StepError>;
    fn places(&self) -> BTreeMap<String, Place>;
}

impl<S: Scalar> Run for Session<S> {
    fn advance(&mut self) -> Result<(), StepError> {
        Self::advance(self, &mut ()).map(|_| ())
    }

    fn places(&self) -> BTreeMap<String, Place> {
        places(self)
    }
}

struct NewRun(RunPlan);

impl ScalarTask for NewRun {
    type Output = Result<Box<dyn Run>, BuildError>;

    fn run<S: Scalar>(self) -> Self::Output {
        Ok(Box::new(self.0.session::<S>()?))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{ScalarSearch, bisect_scalars};
    use crate::analysis::Verdict;
    use crate::analysis::bisect::{BisectError, Bisection};
    use crate::analysis::tolerance::Tolerance;
    use crate::math::ScalarKind;
    use crate::scene;
    use crate::session::record::RunPlan;

    fn search(scalars: &[ScalarKind], metres: f64, radians: f64) -> Result<Bisection, BisectError> {
        let text = "(version: 1, name: \"fall\", steps: 50, dt: \"1/50\", gravity: (0, -10, 0), bodies: [
            (name: \"ball\", shape: Sphere(radius: 0.5), position: Origin(0, 100, 0)),
            (name: \"spin\", shape: Sphere(radius: 0.5), gravity_scale: 0, angular_velocity: (0, 0, 1))])";
        let scene = scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"));
        let plan = RunPlan::new(Arc::new(scene));
        let tolerance = Tolerance { metres, radians };
        bisect_scalars(&ScalarSearch { plan, scalars: scalars.to_vec(), tolerance, bodies: 8 }, &mut |_, _| {})
    }

    #[test]
    fn number_types_agree_within_a_tolerance_and_part_beyond_it() {
        let all = [ScalarKind::F64, ScalarKind::Fixed, ScalarKind::F32];
        let found = search(&all, 1e-2, 1e-2).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((found.verdict, found.conditions.len(), found.first), (Verdict::Same, 3, None));
        // A number near 100 has 17 binary places in f32: 50 steps that are rounded to 2^-18 m each leave 2e-4 m at most.
        let found = search(&all, 1e-7, 1.0).unwrap_or_else(|error| panic!("{error}"));
        let first = found.first.expect("a difference");
        let field = first.field.expect("a field");
        assert_eq!((field.object.as_str(), field.field.as_deref()), ("ball", Some("position")));
        let side = |side: Option<crate::analysis::SideValue>| side.map(|side| side.value).unwrap_or_default();
        let (a, b) = (side(field.a), side(field.b));
        assert!(a != b && a.starts_with("(0, 9") && b.starts_with("(0, 9"), "{a} {b}");
        assert_eq!(found.conditions.last().and_then(|tried| tried.parts_at), Some(first.step));
        assert!(first.step > 0 && found.notes[0].starts_with("ball is "), "{:?}", found.notes);
        assert_eq!(found.smallest.expect("a set")[0].axis, "scalar");
    }

    #[test]
    fn an_orientation_is_compared_in_radians() {
        let found = search(&[ScalarKind::F64, ScalarKind::F32], 1.0, 1e-9).unwrap_or_else(|error| panic!("{error}"));
        let field = found.first.and_then(|first| first.field).expect("a field");
        assert_eq!((field.object.as_str(), field.field.as_deref()), ("spin", Some("orientation")));
    }

    #[test]
    fn one_number_type_is_nothing_to_compare() {
        assert_eq!(search(&[ScalarKind::F64], 1.0, 1.0).map(|_| ()), Err(BisectError::OneCondition));
    }
}
