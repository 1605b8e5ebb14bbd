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
/// What only comes to be in the run can be checked by its name: that of a body which an input spawns, and of a contact of two such.
pub fn check_faults(
    faults: &[Fault],
    scene: &Arc<Scene>,
    (scalar, steps): (ScalarKind, u32),
    inputs: &[Input],
) -> Result<(), Failure> {
    if faults.is_empty() {
        return Ok(());
    }
    let of_scalar = |fault: &Fault| fault.check_scalar(scalar).map_err(|why| Failure::Usage(format!("--fault: {why}")));
    faults.iter().try_for_each(of_scalar)?;
    if let Some(late) = faults.iter().find(|fault| fault.step > steps) {
        return Err(Failure::Usage(format!(
            "--fault: the last step is {steps}, and {late} comes later; plant it earlier"
        )));
    }
    let table = scalar.dispatch(FirstState { scene }).map_err(|error| Failure::building(&scene.name, &error))?;
    let spawned = scene.inputs.iter().chain(inputs).filter_map(|input| match &input.action {
        Action::Spawn(body) => Some(body.name.as_str()),
        _ => None,
    });
    let first = table.iter().filter(|object| object.name.section == Section::Bodies);
    let bodies =
        BodyNames { first: first.map(|object| object.name.object.as_str()).collect(), spawned: spawned.collect() };
    faults.iter().try_for_each(|fault| check_fault(fault, &table, &bodies)).map_err(Failure::Usage)
}

/// The names of all bodies that a run may have.
struct BodyNames<'a> {
    /// Those of step 0, by their ids.
    first: Vec<&'a str>,
    /// Those that inputs spawn, whose ids are larger.
    spawned: Vec<&'a str>,
}

impl BodyNames<'_> {
    fn has(&self, body: &str) -> bool {
        self.first.contains(&body) || self.spawned.contains(&body)
    }

    /// Where a body stands among the ids, if that can be told before the run.
    fn place(&self, body: &str) -> Option<usize> {
        let first = self.first.iter().position(|known| *known == body);
        match (first, self.spawned.contains(&body)) {
            (Some(place), false) => Some(place),
            (None, true) => Some(self.first.len()),
            _ => None,
        }
    }

    fn unknown(&self, body: &str) -> String {
        unknown("body", body, &[&self.first[..], &self.spawned].concat())
    }
}

fn check_fault(fault: &Fault, table: &[ObjectFields], bodies: &BodyNames<'_>) -> Result<(), String> {
    let Some(name) = &fault.object else { return Ok(()) };
    let objects: Vec<&ObjectFields> = table.iter().filter(|object| object.name.section == fault.section).collect();
    let named = objects.iter().find(|object| object.name.object == *name);
    match fault.section {
        Section::Contacts => return check_contact_name(name, bodies),
        Section::Bodies if named.is_none() => {
            return if bodies.has(name) { Ok(()) } else { Err(bodies.unknown(name)) };
        }
        _ => {}
    }
    if named.is_none() && bodies.spawned.is_empty() {
        let names: Vec<&str> = objects.iter().map(|object| object.name.object.as_str()).collect();
        return Err(unknown(&format!("object in section {}", fault.section.name()), name, &names));
    }
    let (Some(object), Some(field)) = (named, &fault.field) else { return Ok(()) };
    let numbers = object.fields.iter().filter(|field| matches!(field.value, FieldValue::Number(..)));
    let fields: Vec<&str> = numbers.map(|field| field.path.as_str()).collect();
    if fields.contains(&field.as_str()) {
        Ok(())
    } else {
        Err(unknown(&format!("number of {}", quoted(name)), field, &fields))
    }
}

/// Contacts come and go, so only their names can be checked: the form of them, and that there are such bodies, in their order.
fn check_contact_name(name: &str, bodies: &BodyNames<'_>) -> Result<(), String> {
    let readings = readings_of_contact(name);
    let Some(first) = readings.first() else {
        return Err(format!(
            "--fault: {} does not name a contact; a contact is `a#0 | b#0`: two bodies, the one with the smaller id (of step 0: \
             whose name sorts first) in front, each with the number of its collider; `a#0 | b#0 | 12` with facet 12 of a mesh",
            quoted(name)
        ));
    };
    let is_known = |reading: &&ContactReading| reading.bodies().into_iter().all(|body| bodies.has(body));
    let Some(reading) = readings.iter().find(is_known) else {
        let absent = first.bodies().into_iter().find(|body| !bodies.has(body));
        return Err(bodies.unknown(absent.unwrap_or(name)));
    };
    match reading.bodies().map(|body| bodies.place(body)) {
        [Some(a), Some(b)] if a > b => {
            let [a, b] = reading.colliders;
            let right = format!("{b} | {a}{}", reading.facet);
            Err(format!(
                "--fault: no contact is called {}; the body with the smaller id stands first: {}",
                quoted(name),
                quoted(&right)
            ))
        }
        _ => Ok(()),
    }
}

/// One of the ways to read the name of a contact: there may be ` | ` in the names of bodies too.
struct ContactReading<'a> {
    colliders: [&'a str; 2],
    /// ` | ` and the facet of a mesh, if there is one.
    facet: &'a str,
}

impl<'a> ContactReading<'a> {
    fn bodies(&self) -> [&'a str; 2] {
        self.colliders.map(|collider| body_of(collider).unwrap_or(collider))
    }
}

fn readings_of_contact(name: &str) -> Vec<ContactReading<'_>> {
    const BETWEEN: &str = " | ";
    let has_facet = |&(_, end): &(&str, &str)| end[BETWEEN.len()..].parse::<u32>().is_ok();
    let with_facet = name.rfind(BETWEEN).map(|at| name.split_at(at)).filter(has_facet);
    let readings = [Some((name, "")), with_facet].into_iter().flatten().flat_map(|(pair, facet)| {
        let colliders = pair.match_indices(BETWEEN).map(|(at, _)| [&pair[..at], &pair[at + BETWEEN.len()..]]);
        colliders.map(move |colliders| ContactReading { colliders, facet })
    });
    readings.filter(|reading| reading.colliders.iter().all(|collider| body_of(collider).is_some())).collect()
}

/// The body of a name such as `box#0`.
fn body_of(collider: &str) -> Option<&str> {
    let (body, part) = collider.rsplit_once('#')?;
    part.parse::<u32>().is_ok().then_some(body)
}

fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let hint = nearest_hint(name, known.iter().copied());
    let hint = if hint.is_empty() { format!("there are {}", listed(known.iter().copied())) } else { hint };
    format!("--fault: there is no {what} {}; {hint}", quoted(name))
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
