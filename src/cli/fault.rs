//! `--fault`: what is planted on purpose, to try out whether it is found. Checked here against what the run will have.

use std::sync::Arc;

use crate::math::{Scalar, ScalarKind, ScalarTask};
use crate::scene::Scene;
use crate::scene::error::{listed, quoted};
use crate::scene::model::{Action, Input};
use crate::scene::nearest::nearest_hint;
use crate::world::World;
use crate::world::encode::Section;
use crate::world::encode::table::{FieldValue, ObjectFields, field_table};
use crate::world::error::BuildError;
use crate::world::fault::Fault;

use crate::cli::failure::Failure;

/// Help for `--fault`, the same wherever it is taken.
pub const FAULT_HELP: &str = "Plant a fault on purpose, to try out whether it is found; may be repeated. \
    KIND@STEP[,stage=..][,object=..][,field=..], such as ulp@120,object=ball,field=position.x, lost_impulse@60 or swap@60; \
    the kinds are ulp, fma, swap, lost_impulse, stale_feature, nan, order and gather";

/// Parses a fault.
pub fn parse_fault(text: &str) -> Result<Fault, String> {
    text.parse().map_err(|error: crate::world::fault::text::FaultError| error.to_string())
}

/// Refuses faults that name what the run cannot have, before any step is taken.
///
/// What only comes to be in the run, such as contacts and spawned bodies, cannot be checked here.
pub fn check_faults(faults: &[Fault], scene: &Arc<Scene>, scalar: ScalarKind, inputs: &[Input]) -> Result<(), Failure> {
    if faults.is_empty() {
        return Ok(());
    }
    let of_scalar = |fault: &Fault| fault.check_scalar(scalar).map_err(|why| Failure::Usage(format!("--fault: {why}")));
    faults.iter().try_for_each(of_scalar)?;
    let table = scalar.dispatch(FirstState { scene }).map_err(|error| Failure::building(&scene.name, &error))?;
    let spawns = scene.inputs.iter().chain(inputs).any(|input| matches!(input.action, Action::Spawn(_)));
    faults.iter().try_for_each(|fault| check_fault(fault, &table, spawns)).map_err(Failure::Usage)
}

fn check_fault(fault: &Fault, table: &[ObjectFields], spawns: bool) -> Result<(), String> {
    let Some(name) = &fault.object else { return Ok(()) };
    let objects: Vec<&ObjectFields> = table.iter().filter(|object| object.name.section == fault.section).collect();
    let named = objects.iter().find(|object| object.name.object == *name);
    if fault.section == Section::Contacts {
        return check_contact_name(name);
    }
    if named.is_none() && !spawns {
        let names: Vec<&str> = objects.iter().map(|object| object.name.object.as_str()).collect();
        return unknown(&format!("object in section {}", fault.section.name()), name, &names);
    }
    let (Some(object), Some(field)) = (named, &fault.field) else { return Ok(()) };
    let numbers = object.fields.iter().filter(|field| matches!(field.value, FieldValue::Number(..)));
    let fields: Vec<&str> = numbers.map(|field| field.path.as_str()).collect();
    if fields.contains(&field.as_str()) {
        Ok(())
    } else {
        unknown(&format!("number of {}", quoted(name)), field, &fields)
    }
}

/// Contacts come and go, so only the form of their names can be checked.
fn check_contact_name(name: &str) -> Result<(), String> {
    let is_collider = |name: &str| name.rsplit_once('#').is_some_and(|(_, part)| part.parse::<u32>().is_ok());
    let is_facet = |text: &str| text.parse::<u32>().is_ok();
    let parts: Vec<&str> = name.split(" | ").collect();
    match parts[..] {
        [a, b] if is_collider(a) && is_collider(b) => Ok(()),
        [a, b, facet] if is_collider(a) && is_collider(b) && is_facet(facet) => Ok(()),
        _ => Err(format!(
            "--fault: {} does not name a contact; a contact is `a#0 | b#0`: two bodies, the one with the smaller id (of step 0: \
             whose name sorts first) in front, each with the number of its collider; `a#0 | b#0 | 12` with facet 12 of a mesh",
            quoted(name)
        )),
    }
}

fn unknown(what: &str, name: &str, known: &[&str]) -> Result<(), String> {
    let hint = nearest_hint(name, known.iter().copied());
    let hint = if hint.is_empty() { format!("there are {}", listed(known.iter().copied())) } else { hint };
    Err(format!("--fault: there is no {what} {}; {hint}", quoted(name)))
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
