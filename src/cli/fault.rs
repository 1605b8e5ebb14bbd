//! `--fault`: a number of the state that is changed on purpose, to try out whether the change is found.

use std::sync::Arc;

use physim::math::{Scalar, ScalarKind, ScalarTask};
use physim::replay::Perturbation;
use physim::scene::Scene;
use physim::scene::error::{listed, nearest_hint, quoted};
use physim::scene::model::{Action, Input};
use physim::world::World;
use physim::world::encode::Section;
use physim::world::encode::table::{FieldValue, ObjectFields, field_table};
use physim::world::error::BuildError;

use crate::cli::failure::Failure;

/// How a fault is written.
const FORM: &str = "ulp@STEP,section=SECTION,object=NAME,field=FIELD[,ulps=N]";

/// Parses `ulp@STEP,section=SECTION,object=NAME,field=FIELD[,ulps=N]`. A name may have commas in it.
pub fn parse_fault(text: &str) -> Result<Perturbation, String> {
    let malformed = |what: &str| format!("{what}; expected {FORM}");
    let (kind, rest) = text.split_once('@').ok_or_else(|| malformed("no `@`"))?;
    if kind != "ulp" {
        return Err(malformed(&format!("unknown kind of fault {}", quoted(kind))));
    }
    let (step, rest) = rest.split_once(',').ok_or_else(|| malformed("only a step"))?;
    let step = step.parse().map_err(|_| malformed(&format!("{} is no step", quoted(step))))?;
    let mut fault =
        Perturbation { step, object: String::new(), section: "bodies".to_owned(), field: String::new(), ulps: 1 };
    for (key, value) in assignments(rest).ok_or_else(|| malformed("no `KEY=`"))? {
        match key {
            "section" => fault.section = value,
            "object" => fault.object = value,
            "field" => fault.field = value,
            _ => {
                fault.ulps =
                    value.parse().map_err(|_| malformed(&format!("{} is no number of ulps", quoted(&value))))?;
            }
        }
    }
    if fault.object.is_empty() || fault.field.is_empty() {
        return Err(malformed("object and field must be named"));
    }
    if fault.ulps == 0 {
        return Err(malformed("0 ulps change nothing"));
    }
    Ok(fault)
}

/// Splits `KEY=VALUE,KEY=VALUE`, where a part that does not begin with a known key belongs to the value before it.
fn assignments(text: &str) -> Option<Vec<(&str, String)>> {
    const KEYS: [&str; 4] = ["section", "object", "field", "ulps"];
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for part in text.split(',') {
        match part.split_once('=').filter(|(key, _)| KEYS.contains(key)) {
            Some((key, value)) => pairs.push((key, value.to_owned())),
            None => {
                let (_, value) = pairs.last_mut()?;
                value.push(',');
                value.push_str(part);
            }
        }
    }
    Some(pairs)
}

/// Refuses faults that name what the run cannot have, before any step is taken.
///
/// What only comes to be in the run, such as contacts and spawned bodies, cannot be checked here.
pub fn check_faults(
    faults: &[Perturbation],
    scene: &Arc<Scene>,
    scalar: ScalarKind,
    inputs: &[Input],
) -> Result<(), Failure> {
    if faults.is_empty() {
        return Ok(());
    }
    let table = scalar.dispatch(FirstState { scene }).map_err(|error| Failure::building(&scene.name, &error))?;
    let spawns = scene.inputs.iter().chain(inputs).any(|input| matches!(input.action, Action::Spawn(_)));
    faults.iter().try_for_each(|fault| check_fault(fault, &table, spawns)).map_err(Failure::Usage)
}

fn check_fault(fault: &Perturbation, table: &[ObjectFields], spawns: bool) -> Result<(), String> {
    let wrong = |what: &str, name: &str, known: &[&str]| {
        let hint = nearest_hint(name, known.iter().copied());
        let hint = if hint.is_empty() { format!("there are {}", listed(known.iter().copied())) } else { hint };
        Err(format!("--fault: there is no {what} {}; {hint}", quoted(name)))
    };
    let sections = Section::ALL.map(Section::name);
    let Some(section) = Section::ALL.into_iter().find(|section| section.name() == fault.section) else {
        return wrong("section", &fault.section, &sections);
    };
    let objects: Vec<&ObjectFields> = table.iter().filter(|object| object.name.section == section).collect();
    let named = objects.iter().find(|object| object.name.object == fault.object);
    if named.is_none() && section != Section::Contacts && !spawns {
        let names: Vec<&str> = objects.iter().map(|object| object.name.object.as_str()).collect();
        return wrong(&format!("object in section {}", section.name()), &fault.object, &names);
    }
    let Some(object) = named else { return Ok(()) };
    let numbers = object.fields.iter().filter(|field| matches!(field.value, FieldValue::Number(..)));
    let fields: Vec<&str> = numbers.map(|field| field.path.as_str()).collect();
    if fields.contains(&fault.field.as_str()) {
        return Ok(());
    }
    wrong(&format!("number of {}", quoted(&fault.object)), &fault.field, &fields)
}

/// Lists all that the state at step 0 has.
struct FirstState<'a> {
    scene: &'a Arc<Scene>,
}

impl ScalarTask for FirstState<'_> {
    type Output = Result<Vec<ObjectFields>, BuildError>;

    fn run<S: Scalar>(self) -> Self::Output {
        Ok(field_table(&World::<S>::build(self.scene)?.state()))
    }
}

#[cfg(test)]
mod tests {
    use super::parse_fault;

    #[test]
    fn names_may_have_commas_and_defaults_hold() {
        let fault = parse_fault("ulp@7,object=wall[3,4],field=position.x").expect("well formed");
        assert_eq!((fault.step, fault.section.as_str(), fault.ulps), (7, "bodies", 1));
        assert_eq!((fault.object.as_str(), fault.field.as_str()), ("wall[3,4]", "position.x"));
        let fault =
            parse_fault("ulp@0,ulps=-3,section=contacts,object=a#0 | b#1,field=points[0].x").expect("well formed");
        assert_eq!((fault.step, fault.section.as_str(), fault.ulps), (0, "contacts", -3));
        assert_eq!(fault.object, "a#0 | b#1");
    }

    #[test]
    fn what_is_no_fault_is_refused() {
        for text in [
            "",
            "ulp@1",
            "bit@1,object=a,field=b",
            "ulp@x,object=a,field=b",
            "ulp@1,a",
            "ulp@1,object=a",
            "ulp@1,field=b",
            "ulp@1,object=a,field=b,ulps=0",
            "ulp@1,object=a,field=b,ulps=many",
        ] {
            assert!(parse_fault(text).is_err(), "{text}");
        }
    }
}
