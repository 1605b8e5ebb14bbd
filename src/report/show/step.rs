//! The state of one step.

use crate::analysis::show::{ContactPointView, ContactView, JointView, StepView};
use crate::math::Scalar;
use serde::Serialize;

use crate::report::json::line;
use crate::report::number::short;
use crate::report::run::EnergyJson;
use crate::report::show::matrices;
use crate::report::show::{BODY_COLUMNS, BodyJson, body_columns, csv_cell, tuple, vector_text};
use crate::report::style::{FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};

/// For people.
pub fn text(replay: &str, view: &StepView, with_matrices: bool) -> String {
    let mut head = Table::indented(2);
    head.labelled("hash", view.hash.as_str());
    let energy = &view.energy;
    let joules = [energy.total(), energy.kinetic, energy.potential].map(short);
    head.labelled("energy", format!("{} J: kinetic {} J, potential {} J", joules[0], joules[1], joules[2]));
    head.labelled("momentum", format!("{} kg m/s", tuple(energy.linear_momentum)));
    head.labelled("angular momentum", format!("{} kg m^2/s", tuple(energy.angular_momentum)));
    let title = format!("{}: step {}, {} s", TITLE.paint(printable(replay)), view.step, short(view.time));
    let matrices = if with_matrices { matrices::text(&view.bodies) } else { String::new() };
    let tables = [bodies_text(view), matrices, joints_text(view), contacts_text(view), overlaps_text(view)];
    format!("{title}\n{}\n{}", head.render(), tables.concat())
}

fn bodies_text(view: &StepView) -> String {
    // Where all are the same, one of them is enough.
    let has_origins = view.bodies.iter().any(|body| body.origin != body.position);
    let mut table = Table::indented(2);
    let mut heads = vec!["body", if has_origins { "centre of mass (m)" } else { "position (m)" }];
    heads.extend(has_origins.then_some("origin (m)"));
    heads.extend(["orientation (w x y z)", "velocity (m/s)", "angular velocity (rad/s)"]);
    table.row(heads.into_iter().map(|head| Cell::text(head).painted(FAINT)));
    for body in &view.bodies {
        let mut cells = vec![Cell::text(printable(&body.name)), Cell::text(vector_text(body.position))];
        cells.extend(has_origins.then(|| Cell::text(vector_text(body.origin))));
        cells.push(Cell::text(vector_text(body.orientation)));
        cells.extend([body.linear_velocity, body.angular_velocity].map(|vector| Cell::text(vector_text(vector))));
        table.row(cells);
    }
    table.render()
}

fn joints_text(view: &StepView) -> String {
    if view.joints.is_empty() {
        return String::new();
    }
    let mut table = Table::indented(2);
    let heads = ["joint", "kind", "of", "and", "at (m)"].map(Cell::text);
    let more = ["error (m)", "impulse (N s)", "force (N)"].map(Cell::number);
    table.row(heads.into_iter().chain(more).map(|cell| cell.painted(FAINT)));
    let length = |vector: Option<[f64; 3]>| {
        vector.map_or_else(String::new, |[x, y, z]| short(Scalar::sqrt(x * x + y * y + z * z)))
    };
    for joint in &view.joints {
        table.row([
            Cell::text(printable(&joint.name)),
            Cell::text(joint.kind),
            Cell::text(printable(&joint.a)),
            Cell::text(joint.b.as_deref().map_or_else(|| "the world".to_owned(), |name| printable(name).to_string())),
            Cell::text(vector_text(joint.anchor_a)),
            Cell::number(short(joint.error)),
            Cell::number(length(joint.impulse)),
            Cell::number(length(joint.force)),
        ]);
    }
    format!("\n{}", table.render())
}

fn contacts_text(view: &StepView) -> String {
    if view.contacts.is_empty() {
        return String::new();
    }
    let mut table = Table::indented(2);
    let heads = [Cell::text("contact of"), Cell::text("and"), Cell::text("normal"), Cell::number("points")];
    let more = [Cell::number("deepest (m)"), Cell::number("impulse (N s)"), Cell::number("force (N)")];
    table.row(heads.into_iter().chain(more).map(|cell| cell.painted(FAINT)));
    for contact in &view.contacts {
        let deepest = contact.points.iter().map(|point| point.depth).max_by(f64::total_cmp);
        table.row([
            Cell::text(printable(&contact.a)),
            Cell::text(printable(&contact.b)),
            Cell::text(vector_text(contact.normal)),
            Cell::number(contact.points.len().to_string()),
            Cell::number(deepest.map_or_else(String::new, short)),
            Cell::number(short(contact.impulse)),
            Cell::number(short(contact.force)),
        ]);
    }
    format!("\n{}", table.render())
}

fn overlaps_text(view: &StepView) -> String {
    if view.overlaps.is_empty() {
        return String::new();
    }
    let mut table = Table::indented(2);
    table.row(["sensor", "overlaps"].map(|head| Cell::text(head).painted(FAINT)));
    for names in &view.overlaps {
        table.row(names.each_ref().map(|name| Cell::text(printable(name))));
    }
    format!("\n{}", table.render())
}

#[derive(Serialize)]
struct StepJson<'a> {
    schema: u32,
    step: u32,
    time: f64,
    hash: &'a str,
    bodies: Vec<BodyJson<'a>>,
    joints: Vec<JointJson<'a>>,
    contacts: Vec<ContactJson<'a>>,
    overlaps: Vec<OverlapJson<'a>>,
    energy: EnergyJson,
    momentum: MomentumJson,
}

#[derive(Serialize)]
struct JointJson<'a> {
    name: &'a str,
    kind: &'a str,
    a: &'a str,
    b: Option<&'a str>,
    anchor_a: [f64; 3],
    anchor_b: [f64; 3],
    error: f64,
    impulse: Option<[f64; 3]>,
    force: Option<[f64; 3]>,
}

impl<'a> From<&'a JointView> for JointJson<'a> {
    fn from(joint: &'a JointView) -> Self {
        let JointView { name, kind, a, b, anchor_a, anchor_b, error, impulse, force } = joint;
        Self {
            name,
            kind,
            a,
            b: b.as_deref(),
            anchor_a: *anchor_a,
            anchor_b: *anchor_b,
            error: *error,
            impulse: *impulse,
            force: *force,
        }
    }
}

#[derive(Serialize)]
pub(super) struct ContactJson<'a> {
    a: &'a str,
    b: &'a str,
    shapes: &'a [String; 2],
    triangle: Option<u32>,
    normal: [f64; 3],
    points: Vec<PointJson>,
    impulse: f64,
    force: f64,
}

#[derive(Serialize)]
struct OverlapJson<'a> {
    sensor: &'a str,
    other: &'a str,
}

#[derive(Serialize)]
struct PointJson {
    position: [f64; 3],
    depth: f64,
    impulse: f64,
    force: f64,
    feature: u32,
}

impl From<&ContactPointView> for PointJson {
    fn from(point: &ContactPointView) -> Self {
        let ContactPointView { position, depth, impulse, force, feature } = *point;
        Self { position, depth, impulse, force, feature }
    }
}

#[derive(Serialize)]
struct MomentumJson {
    linear: [f64; 3],
    angular: [f64; 3],
}

impl<'a> From<&'a ContactView> for ContactJson<'a> {
    fn from(contact: &'a ContactView) -> Self {
        let points = contact.points.iter().map(PointJson::from).collect();
        Self {
            a: &contact.a,
            b: &contact.b,
            shapes: &contact.colliders,
            triangle: contact.triangle,
            normal: contact.normal,
            points,
            impulse: contact.impulse,
            force: contact.force,
        }
    }
}

/// For machines.
pub fn json(view: &StepView, with_matrices: bool) -> String {
    let body = |body| if with_matrices { BodyJson::with_matrices(body) } else { BodyJson::from(body) };
    line(&StepJson {
        schema: 1,
        step: view.step,
        time: view.time,
        hash: &view.hash,
        bodies: view.bodies.iter().map(body).collect(),
        joints: view.joints.iter().map(JointJson::from).collect(),
        contacts: view.contacts.iter().map(ContactJson::from).collect(),
        overlaps: view.overlaps.iter().map(|[sensor, other]| OverlapJson { sensor, other }).collect(),
        energy: (&view.energy).into(),
        momentum: MomentumJson { linear: view.energy.linear_momentum, angular: view.energy.angular_momentum },
    })
}

/// For spreadsheets: a line for each body.
pub fn csv(view: &StepView) -> String {
    let rows = view.bodies.iter().map(|body| format!("{},{}\n", csv_cell(&body.name), body_columns(body)));
    format!("body,{BODY_COLUMNS}\n") + &rows.collect::<String>()
}
