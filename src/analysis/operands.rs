//! What went into the operation that first gave two results: the object and what it touches, at the previous checkpoint.

use std::collections::BTreeMap;

use crate::analysis::outcome::{FieldDifference, Operand};
use crate::dynamics::body::Body;
use crate::dynamics::contact::Contact;
use crate::dynamics::joint::Joint;
use crate::math::{Quat, Scalar, Vec3};
use crate::world::derived::PairGeometry;
use crate::world::encode::State;
use crate::world::encode::table::contact_name;

/// Most contacts of one body that are listed.
const MOST_CONTACTS: usize = 6;
/// Most joints of one body that are listed.
const MOST_JOINTS: usize = 6;

/// The operands of the object of a field, from the states of both sides at the previous checkpoint; the geometry of contacts is
/// that of the step, where its narrow phase was before the checkpoint.
#[must_use]
pub fn operands<S: Scalar>(
    field: &FieldDifference,
    before: [&State<S>; 2],
    geometry: [&[PairGeometry<S>]; 2],
) -> Vec<Operand> {
    let [a, b] = [0, 1].map(|side| listed(field, before[side], geometry[side]));
    let mut rows: Vec<Operand> =
        a.iter().map(|(name, value)| Operand { name: name.clone(), a: Some(value.clone()), b: None }).collect();
    let of_b: BTreeMap<&String, &String> = b.iter().map(|(name, value)| (name, value)).collect();
    for row in &mut rows {
        row.b = of_b.get(&row.name).map(|value| (*value).clone());
    }
    let missing = b.iter().filter(|(name, _)| !a.iter().any(|(known, _)| known == name));
    rows.extend(missing.map(|(name, value)| Operand { name: name.clone(), a: None, b: Some(value.clone()) }));
    rows
}

/// One side's operands by name.
fn listed<S: Scalar>(field: &FieldDifference, state: &State<S>, geometry: &[PairGeometry<S>]) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    if field.section == "world" {
        rows.push(("gravity (m/s^2)".to_owned(), vector(state.globals.gravity)));
    }
    let bodies = bodies_of(field, state);
    for body in state.bodies.iter().filter(|body| bodies.iter().any(|name| **name == *body.name)) {
        list_body(body, &mut rows);
    }
    let ids: Vec<u32> =
        state.bodies.iter().filter(|body| bodies.iter().any(|name| **name == *body.name)).map(|body| body.id).collect();
    let has_joint = |joint: &&Joint<S>| {
        let is_named = field.section.starts_with("joint") && *joint.name == *field.object;
        is_named || (!field.section.starts_with("joint") && (ids.contains(&joint.a) || ids.contains(&joint.b)))
    };
    for joint in state.joints.iter().filter(has_joint).take(MOST_JOINTS) {
        rows.push((format!("joint {} kept impulse (m/s)", joint.name), vector(joint.impulse)));
    }
    let of_both = ["contacts", "pairs", "geometry", "colours", "rows"].contains(&field.section.as_str());
    let concerns = |contact: &Contact<S>| {
        let has = |id: u32| ids.contains(&id);
        if of_both { has(contact.a.body) && has(contact.b.body) } else { has(contact.a.body) || has(contact.b.body) }
    };
    for contact in state.contacts.iter().filter(|contact| concerns(contact)).take(MOST_CONTACTS) {
        let found = geometry.iter().find(|geometry| geometry.key == contact.key());
        list_contact(contact, found, state, &mut rows);
    }
    rows
}

fn list_body<S: Scalar>(body: &Body<S>, rows: &mut Vec<(String, String)>) {
    let name = &body.name;
    rows.push((format!("{name} position (m)"), vector(body.position)));
    rows.push((format!("{name} orientation"), quaternion(body.orientation)));
    rows.push((format!("{name} linear velocity (m/s)"), vector(body.linear_velocity)));
    rows.push((format!("{name} angular velocity (rad/s)"), vector(body.angular_velocity)));
}

fn list_contact<S: Scalar>(
    contact: &Contact<S>,
    geometry: Option<&PairGeometry<S>>,
    state: &State<S>,
    rows: &mut Vec<(String, String)>,
) {
    let body = |id: u32| state.bodies.iter().find(|body| body.id == id).map(|body| &*body.name);
    let name = contact_name(body, contact.key());
    if let Some(geometry) = geometry {
        rows.push((format!("{name} normal"), vector(geometry.manifold.normal)));
    }
    for (index, kept) in contact.points().iter().enumerate() {
        if let Some(point) = geometry.and_then(|geometry| geometry.manifold.points().get(index)) {
            rows.push((format!("{name} point {index} depth (m)"), (-point.separation).to_string()));
        }
        let impulse = format!("{} along the normal, {}", kept.normal_impulse, vector(kept.tangent_impulse));
        rows.push((format!("{name} point {index} kept impulse (m/s)"), impulse));
    }
}

fn vector<S: Scalar>(v: Vec3<S>) -> String {
    format!("({}, {}, {})", v.x, v.y, v.z)
}

fn quaternion<S: Scalar>(q: Quat<S>) -> String {
    format!("({}, {}, {}, {})", q.w, q.x, q.y, q.z)
}

/// The bodies that the object of a field is of, by name, in a run with this state.
pub(super) fn bodies_of<S: Scalar>(field: &FieldDifference, state: &State<S>) -> Vec<String> {
    match field.section.as_str() {
        "bodies" | "forces" => vec![field.object.clone()],
        "acting_forces" => vec![field.object.rsplit_once('[').map_or(&*field.object, |(body, _)| body).to_owned()],
        "colliders" | "placements" => vec![without_part(&field.object).to_owned()],
        "joints" | "joint_colours" | "joint_rows" => {
            let joint = state.joints.iter().find(|joint| *joint.name == *field.object);
            let is_joined = |id: u32| joint.is_some_and(|joint| joint.a == id || joint.b == id);
            state.bodies.iter().filter(|body| is_joined(body.id)).map(|body| body.name.to_string()).collect()
        }
        "contacts" | "pairs" | "geometry" | "colours" | "rows" => {
            field.object.split(" | ").map(|collider| without_part(collider).to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

/// A collider's name without the number of the part.
pub(super) fn without_part(collider: &str) -> &str {
    collider.rsplit_once('#').map_or(collider, |(body, _)| body)
}
