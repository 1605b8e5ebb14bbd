//! Every point of every contact of a step.

use serde::Serialize;

use crate::analysis::show::StepView;
use crate::report::json::line;
use crate::report::number::{counted, short};
use crate::report::query::tuple;
use crate::report::show::csv_cell;
use crate::report::show::step::ContactJson;
use crate::report::style::{FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};

/// The first line of the table for spreadsheets.
pub const CSV_HEAD: &str = "step,time,a,b,triangle,normal_x,normal_y,normal_z,x,y,z,depth,impulse,force,feature\n";

/// For people.
pub fn text(replay: &str, view: &StepView) -> String {
    let points: usize = view.contacts.iter().map(|contact| contact.points.len()).sum();
    let contacts = counted(view.contacts.len() as u64, "contact", "contacts");
    let points = counted(points as u64, "point", "points");
    let name = TITLE.paint(printable(replay));
    let title = format!("{name}: step {}, {} s: {contacts}, {points}\n", view.step, short(view.time));
    if view.contacts.is_empty() {
        let is_first = view.step == 0;
        return if is_first { title + "  contacts are made in a step: the first are those of step 1\n" } else { title };
    }
    let has_triangles = view.contacts.iter().any(|contact| contact.triangle.is_some());
    let mut table = Table::indented(2);
    let mut heads = vec![Cell::text("contact of"), Cell::text("and")];
    heads.extend(has_triangles.then(|| Cell::number("triangle")));
    heads.extend(["normal", "point (m)"].map(Cell::text));
    heads.extend(["depth (m)", "impulse (N s)", "feature"].map(Cell::number));
    table.row(heads.into_iter().map(|cell| cell.painted(FAINT)));
    for contact in &view.contacts {
        let mut names: Vec<Cell> = contact.colliders.iter().map(|name| Cell::text(printable(name))).collect();
        let triangle = contact.triangle.map_or_else(String::new, |triangle| triangle.to_string());
        names.extend(has_triangles.then(|| Cell::number(triangle)));
        names.push(Cell::text(tuple(contact.normal)));
        let blank = vec![Cell::text(""); names.len()];
        if contact.points.is_empty() {
            names.extend([Cell::text("met and parted"), Cell::number(""), Cell::number(short(contact.impulse))]);
            table.row(names);
            continue;
        }
        for (place, point) in contact.points.iter().enumerate() {
            let own = [
                Cell::text(tuple(point.position)),
                Cell::number(short(point.depth)),
                Cell::number(short(point.impulse)),
            ];
            let before = if place == 0 { &names } else { &blank };
            let feature = Cell::number(format!("{:08x}", point.feature));
            table.row(before.iter().cloned().chain(own).chain([feature]));
        }
    }
    format!("{title}\n{}", table.render())
}

#[derive(Serialize)]
struct ContactsJson<'a> {
    schema: u32,
    step: u32,
    time: f64,
    contacts: Vec<ContactJson<'a>>,
}

/// For machines: a line for each step.
pub fn json(view: &StepView) -> String {
    let contacts = view.contacts.iter().map(ContactJson::from).collect();
    line(&ContactsJson { schema: 1, step: view.step, time: view.time, contacts })
}

/// For spreadsheets: a line for each point, under [`CSV_HEAD`].
pub fn csv(view: &StepView) -> String {
    let mut text = String::new();
    for contact in &view.contacts {
        let [a, b] = contact.colliders.each_ref().map(|name| csv_cell(name));
        let triangle = contact.triangle.map_or_else(String::new, |triangle| triangle.to_string());
        for point in &contact.points {
            let numbers = contact.normal.into_iter().chain(point.position);
            let numbers = numbers.chain([point.depth, point.impulse, point.force]).map(|number| number.to_string());
            let numbers: Vec<String> = numbers.collect();
            let row = [view.step.to_string(), view.time.to_string(), a.clone(), b.clone(), triangle.clone()];
            text += &format!("{},{},{:08x}\n", row.join(","), numbers.join(","), point.feature);
        }
    }
    text
}
