//! What bodies weigh and how their mass lies.

use serde::Serialize;

use crate::analysis::mass::{BodyMass, ShapeMass};
use crate::report::json::line;
use crate::report::number::short;
use crate::report::show::{csv_cell, tuple};
use crate::report::style::{FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};

/// For people: bodies, then their shapes.
pub fn text(name: &str, of: &str, bodies: &[BodyMass]) -> String {
    let mut table = Table::indented(2);
    let heads = [Cell::text("body"), Cell::text("kind"), Cell::number("mass (kg)"), Cell::text("centre of mass (m)")];
    let more = ["moments xx, yy, zz (kg m^2)", "products xy, xz, yz (kg m^2)"].map(Cell::text);
    table.row(heads.into_iter().chain(more).map(|head| head.painted(FAINT)));
    for body in bodies {
        let [moments, products] = body.inertia.map_or([String::new(), String::new()], |[xx, yy, zz, xy, xz, yz]| {
            [tuple([xx, yy, zz]), tuple([xy, xz, yz])]
        });
        table.row([
            Cell::text(printable(&body.name)),
            Cell::text(body.kind.name()),
            Cell::number(body.mass.map_or_else(String::new, short)),
            Cell::text(if body.mass.is_some() { tuple(body.centre) } else { String::new() }),
            Cell::text(moments),
            Cell::text(products),
        ]);
    }
    let title = format!("{}: mass, {of}", TITLE.paint(printable(name)));
    format!("{title}\n{}\n{}", table.render(), shapes_text(bodies))
}

fn shapes_text(bodies: &[BodyMass]) -> String {
    let mut table = Table::indented(2);
    let heads =
        [Cell::text("shape"), Cell::text("kind"), Cell::number("volume (m^3)"), Cell::number("density (kg/m^3)")];
    let more = [Cell::number("mass (kg)"), Cell::text("centre in the body's frame (m)")];
    table.row(heads.into_iter().chain(more).map(|head| head.painted(FAINT)));
    let optional = |number: Option<f64>| Cell::number(number.map_or_else(String::new, short));
    for shape in bodies.iter().flat_map(|body| &body.shapes) {
        let corners = shape.corners.map_or_else(String::new, |corners| format!(" of {corners} corners"));
        let kind = format!("{}{corners}{}", shape.kind, if shape.is_sensor { ", a sensor" } else { "" });
        table.row([
            Cell::text(printable(&shape.name)),
            Cell::text(kind),
            size_cell(shape),
            density_cell(shape),
            optional(shape.mass),
            Cell::text(tuple(shape.centre)),
        ]);
    }
    format!("{}{}", table.render(), expressions_text(bodies))
}

/// The volume of a shape, or the area of a mesh with its unit.
fn size_cell(shape: &ShapeMass) -> Cell {
    let of_mesh = shape.area.map(|area| format!("{} m^2", short(area)));
    Cell::number(of_mesh.or_else(|| shape.volume.map(short)).unwrap_or_default())
}

/// The density of a shape, of a mesh with its unit; one that is uneven on average.
fn density_cell(shape: &ShapeMass) -> Cell {
    let mean = if shape.uneven.is_some() { "mean " } else { "" };
    let unit = if shape.area.is_some() { " kg/m^2" } else { "" };
    Cell::number(shape.density.map_or_else(String::new, |density| format!("{mean}{}{unit}", short(density))))
}

/// The expressions of the shapes whose density is uneven, and how well their masses are known.
fn expressions_text(bodies: &[BodyMass]) -> String {
    let mut table = Table::indented(2);
    let heads = [Cell::text("shape"), Cell::text("density (kg/m^3) over the shape"), Cell::number("relative error")];
    table.row(heads.map(|head| head.painted(FAINT)));
    let shapes = || bodies.iter().flat_map(|body| &body.shapes);
    let uneven = || shapes().filter_map(|shape| Some((shape, shape.uneven.as_ref()?)));
    if uneven().next().is_none() {
        return String::new();
    }
    for (shape, density) in uneven() {
        let error = Cell::number(format!("{:.0e}", density.error));
        table.row([Cell::text(printable(&shape.name)), Cell::text(printable(&density.expression)), error]);
    }
    format!("\n{}", table.render())
}

#[derive(Serialize)]
struct MassJson<'a> {
    schema: u32,
    step: u32,
    bodies: Vec<BodyJson<'a>>,
}

#[derive(Serialize)]
struct BodyJson<'a> {
    name: &'a str,
    kind: &'static str,
    mass: Option<f64>,
    centre: [f64; 3],
    inertia: Option<[f64; 6]>,
    shapes: Vec<ShapeJson<'a>>,
}

#[derive(Serialize)]
struct ShapeJson<'a> {
    name: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    corners: Option<usize>,
    sensor: bool,
    volume: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<f64>,
    density: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    mass: Option<f64>,
    centre: [f64; 3],
}

impl<'a> From<&'a ShapeMass> for ShapeJson<'a> {
    fn from(shape: &'a ShapeMass) -> Self {
        let ShapeMass { name, kind, corners, is_sensor, volume, area, density, uneven, mass, centre } = shape;
        Self {
            name,
            kind,
            corners: *corners,
            sensor: *is_sensor,
            volume: *volume,
            area: *area,
            density: *density,
            expression: uneven.as_ref().map(|uneven| uneven.expression.as_str()),
            error: uneven.as_ref().map(|uneven| uneven.error),
            mass: *mass,
            centre: *centre,
        }
    }
}

impl<'a> From<&'a BodyMass> for BodyJson<'a> {
    fn from(body: &'a BodyMass) -> Self {
        let BodyMass { name, kind, mass, centre, inertia, shapes } = body;
        let shapes = shapes.iter().map(ShapeJson::from).collect();
        Self { name, kind: kind.name(), mass: *mass, centre: *centre, inertia: *inertia, shapes }
    }
}

/// For machines.
pub fn json(step: u32, bodies: &[BodyMass]) -> String {
    line(&MassJson { schema: 1, step, bodies: bodies.iter().map(BodyJson::from).collect() })
}

/// For spreadsheets: a line for each body.
pub fn csv(bodies: &[BodyMass]) -> String {
    let mut text = "body,kind,mass,cx,cy,cz,ixx,iyy,izz,ixy,ixz,iyz\n".to_owned();
    for body in bodies {
        let inertia =
            body.inertia.map_or(",,,,,".to_owned(), |inertia| inertia.map(|entry| entry.to_string()).join(","));
        let mass = body.mass.map_or_else(String::new, |mass| mass.to_string());
        let centre = body.centre.map(|component| component.to_string()).join(",");
        text += &format!("{},{},{mass},{centre},{inertia}\n", csv_cell(&body.name), body.kind.name());
    }
    text
}
