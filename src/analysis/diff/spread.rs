//! What came of a difference: how many objects it reached in each step, and by which contacts and joints it reached each body.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::diff::Diff;
use crate::analysis::diff::name::Sides;
use crate::analysis::operands::{bodies_of, without_part};
use crate::analysis::outcome::{FieldDifference, Reached, Spread};
use crate::analysis::rerun::advance_to;
use crate::math::Scalar;
use crate::world::World;
use crate::world::encode::Section;
use crate::world::encode::table::ObjectName;
use crate::world::encode::table::contact_name;

impl<S: Scalar> Sides<'_, S> {
    /// Steps both on, as long as both are as recorded; counts the objects that differ and tells how each body was reached.
    pub(super) fn follow(&mut self, window: u32, origin: Option<&FieldDifference>, diff: &mut Diff) {
        let mut reached = BTreeSet::new();
        self.look_around(origin, &mut reached, diff);
        for _ in 0..window {
            if self.has_stopped() || diff.spread.last().is_some_and(|spread| spread.objects == 0) {
                return;
            }
            let step = self.0[0].session.step_number() + 1;
            for side in &mut self.0 {
                if advance_to(side.replay, &mut side.session, step).is_err() {
                    return;
                }
            }
            // What a joint or contact kept reaches its bodies in the next step.
            let origin = origin.filter(|_| reached.is_empty());
            self.look_around(origin, &mut reached, diff);
        }
    }

    /// Takes note of what differs in the step that both have come to.
    fn look_around(&self, origin: Option<&FieldDifference>, reached: &mut BTreeSet<String>, diff: &mut Diff) {
        let step = self.0.iter().map(|side| side.session.step_number()).max().unwrap_or(0);
        let difference = self.difference(1);
        diff.spread.push(Spread { step, objects: difference.objects.len() });
        let mut differing: BTreeSet<String> = difference.objects.iter().filter_map(body_of).collect();
        // Where it began: the bodies of the object that differed first.
        let state = self.0[0].session.world().state();
        for body in origin.map(|origin| bodies_of(origin, &state)).unwrap_or_default() {
            if differing.remove(&body) && reached.insert(body.clone()) {
                diff.path.push(Reached { step, body, from: None, through: None });
            }
        }
        let links = self.links();
        loop {
            let found = differing.iter().filter(|body| !reached.contains(*body)).find_map(|body| {
                let (from, through) = links.get(body)?.iter().find(|(from, _)| reached.contains(from))?;
                let (from, through) = (Some(from.clone()), Some(through.clone()));
                Some(Reached { step, body: body.clone(), from, through })
            });
            let Some(found) = found else { break };
            reached.insert(found.body.clone());
            diff.path.push(found);
        }
        for body in differing {
            if reached.insert(body.clone()) {
                diff.path.push(Reached { step, body, from: None, through: None });
            }
        }
    }

    /// For each body what it touches or is joined to on either side: the other body, and the name of the contact or joint.
    fn links(&self) -> BTreeMap<String, BTreeSet<(String, String)>> {
        let mut links: BTreeMap<String, BTreeSet<(String, String)>> = BTreeMap::new();
        for side in &self.0 {
            let world = side.session.world();
            for (a, b, name) in contacts_by_name(world).into_iter().chain(joints_by_name(world)) {
                links.entry(a.clone()).or_default().insert((b.clone(), name.clone()));
                links.entry(b).or_default().insert((a, name));
            }
        }
        links
    }
}

/// The bodies of each contact, and its name.
fn contacts_by_name<S: Scalar>(world: &World<S>) -> Vec<(String, String, String)> {
    let body = |id: u32| world.bodies().index_of(id).map(|index| &*world.bodies().name[index]);
    let named = world.contacts().iter().filter_map(|contact| {
        let (a, b) = (body(contact.a.body)?, body(contact.b.body)?);
        Some((a.to_owned(), b.to_owned(), contact_name(body, contact.key())))
    });
    named.collect()
}

/// The bodies of each joint that joins two, and its name.
fn joints_by_name<S: Scalar>(world: &World<S>) -> Vec<(String, String, String)> {
    let body = |id: u32| world.bodies().index_of(id).map(|index| world.bodies().name[index].to_string());
    let named = world
        .joints()
        .iter()
        .filter_map(|joint| Some((body(joint.a)?, body(joint.b)?, format!("joint {}", joint.name))));
    named.collect()
}

/// The body that an object is of, where it is of one.
fn body_of(object: &ObjectName) -> Option<String> {
    match object.section {
        Section::Bodies => Some(object.object.clone()),
        Section::Colliders => Some(without_part(&object.object).to_owned()),
        _ => None,
    }
}
