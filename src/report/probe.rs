//! One pair of shapes looked at by every method, for people and machines.

use serde::Serialize;

use crate::analysis::probe::{Probe, ProbedContact};
use crate::collision::query::look::{Axis, EpaLook, GjkLook};
use crate::report::json::line;
use crate::report::number::{counted, short};
use crate::report::query::tuple;
use crate::report::style::{FAINT, TITLE, WARNING, printable};
use crate::world::queries::Unmet;

use crate::report::table::{Cell, Table};

/// Axes that are shown to people, the best ones.
const SHOWN_AXES: usize = 12;

/// For people.
pub fn text(source: &str, seconds: f64, probe: &Probe) -> String {
    let scalar = probe.scalar.name();
    let title = format!("{}: step {}, {} s, {scalar}", TITLE.paint(printable(source)), probe.step, short(seconds));
    let mut head = Table::indented(2);
    for (letter, side) in ["A", "B"].iter().zip(&probe.sides) {
        head.row([Cell::text(*letter), Cell::text(printable(&side.name)), Cell::text(&side.what)]);
    }
    let parts = [nearest_text(probe), contacts_text(probe), gjk_text(probe), epa_text(probe), axes_text(probe)];
    format!("{title}\n{}{}{}", head.render(), notes_text(probe), parts.concat())
}

/// What a step makes of the pair, where that is not what the methods show.
fn notes_text(probe: &Probe) -> String {
    let unmet = probe.unmet.map(|unmet| {
        let why = match unmet {
            Unmet::NoneDynamic => "neither body is dynamic",
            Unmet::Sensor => "one of the two is a sensor, which pushes nothing",
            Unmet::Apart => "a joint joins the two bodies, or the scene excludes them as a pair",
            Unmet::Filter => "their filters let the two pass through each other",
            Unmet::Surfaces => "both are meshes, which meet everything but each other",
        };
        format!("{why}: no step makes a contact of them, whatever is shown here")
    });
    let front = probe.front.map(|front| {
        let touches =
            probe.contacts.iter().any(|contact| contact.method == probe.narrow_phase && !contact.points.is_empty());
        let behind = match (front.is_other_behind, touches) {
            (false, _) => "",
            (true, false) => "; the other shape is behind it, and makes no contact",
            (true, true) => "; the other shape reaches behind it, and is pushed that way, not by the nearest",
        };
        format!("a triangle of a mesh pushes out of its front only, along {}{behind}", tuple(front.normal))
    });
    unmet.into_iter().chain(front).map(|note| format!("  {}: {note}\n", WARNING.paint("note"))).collect()
}

const fn unmet_name(unmet: Unmet) -> &'static str {
    match unmet {
        Unmet::NoneDynamic => "none_dynamic",
        Unmet::Sensor => "sensor",
        Unmet::Apart => "apart",
        Unmet::Filter => "filter",
        Unmet::Surfaces => "surfaces",
    }
}

fn nearest_text(probe: &Probe) -> String {
    let Some((distance, normal, [on_a, on_b])) = probe.closest else { return String::new() };
    let what = if distance < 0.0 { "they overlap by" } else { "they are apart by" };
    let mut table = Table::indented(2);
    table.labelled(what, format!("{} m along {}", short(distance.abs()), tuple(normal)));
    table.labelled("from A to B", format!("{} to {}", tuple(on_a), tuple(on_b)));
    format!("\n{}", table.render())
}

fn contacts_text(probe: &Probe) -> String {
    let mut table = Table::indented(2);
    let heads = [Cell::text("contact by"), Cell::text("normal from A to B"), Cell::text("points (m)")];
    let more = [Cell::number("gap (m)"), Cell::number("feature")];
    table.row(heads.into_iter().chain(more).map(|cell| cell.painted(FAINT)));
    for contact in &probe.contacts {
        let is_chosen = contact.method == probe.narrow_phase;
        let method = if is_chosen { format!("{}, as this run", contact.method) } else { contact.method.to_owned() };
        if contact.points.is_empty() {
            table.row([Cell::text(method), Cell::text("none within the margin")]);
            continue;
        }
        for (place, point) in contact.points.iter().enumerate() {
            let (method, normal) =
                if place == 0 { (method.clone(), tuple(contact.normal)) } else { Default::default() };
            table.row([
                Cell::text(method),
                Cell::text(normal),
                Cell::text(tuple(point.position)),
                Cell::number(short(point.gap)),
                Cell::number(format!("{:08x}", point.feature)),
            ]);
        }
    }
    format!("\n{}", table.render())
}

fn heading(what: &str, rest: &str) -> String {
    format!("\n  {} {rest}\n", TITLE.paint(what))
}

fn gjk_text(probe: &Probe) -> String {
    let Some(GjkLook { rounds, apart }) = &probe.gjk else {
        return heading("nearest points (GJK)", "are not for half-spaces and whole meshes");
    };
    let result = match apart {
        Some((normal, _, distance)) if *distance >= 0.0 => {
            format!("apart by {} m along {}", short(*distance), tuple(normal.to_array()))
        }
        Some((normal, _, distance)) => {
            let depth = short(-distance);
            format!("only the radii overlap, by {depth} m along {}", tuple(normal.to_array()))
        }
        None if rounds.is_empty() => {
            "they touch or overlap where the search begins, and there is nothing to search".to_owned()
        }
        None => "they overlap: the simplex came to the origin".to_owned(),
    };
    let count = counted(rounds.len() as u64, "round", "rounds");
    let head = heading("nearest points (GJK)", &format!("{count}: {result}"));
    if rounds.is_empty() {
        return head;
    }
    let mut table = Table::indented(4);
    let heads = ["round", "vertices", "no farther apart (m)", "no nearer (m)"];
    table.row(heads.map(|head| Cell::number(head).painted(FAINT)));
    for (number, round) in (1..).zip(rounds) {
        let cells = [format!("{number}"), round.simplex.len().to_string(), short(round.at_most), short(round.at_least)];
        table.row(cells.map(Cell::number));
    }
    format!("{head}{}", table.render())
}

fn epa_text(probe: &Probe) -> String {
    let Some(EpaLook { rounds, normal, depth, has_ended }) = &probe.epa else { return String::new() };
    let end = match (has_ended, rounds.is_empty()) {
        (true, _) => "",
        (false, true) => ", by trying directions: points in one place or plane span no polytope",
        (false, false) => ", by trying directions around the best: the polytope did not come to an end",
    };
    let count = counted(rounds.len() as u64, "round", "rounds");
    let result = format!("{count}: {} m along {}{end}", short(*depth), tuple(normal.to_array()));
    let head = heading("least depth (EPA)", &result);
    if rounds.is_empty() {
        return head;
    }
    let mut table = Table::indented(4);
    let heads = ["round", "corners", "faces", "no less deep (m)", "no deeper (m)"];
    table.row(heads.map(|head| Cell::number(head).painted(FAINT)));
    for (number, round) in (1..).zip(rounds) {
        let sizes = [number, round.corners, round.faces].map(|size| size.to_string());
        table.row(sizes.into_iter().chain([round.at_least, round.at_most].map(short)).map(Cell::number));
    }
    format!("{head}{}", table.render())
}

fn axes_text(probe: &Probe) -> String {
    let Some(axes) = &probe.axes else {
        return heading("axes (SAT)", "are for polyhedra beside polyhedra and capsules");
    };
    let mut table = Table::indented(4);
    let heads = [Cell::text("axis"), Cell::text("direction from A to B"), Cell::number("gap (m)")];
    table.row(heads.map(|cell| cell.painted(FAINT)));
    for (axis, direction, gap) in axes.iter().take(SHOWN_AXES) {
        table.row([Cell::text(axis_name(*axis)), Cell::text(tuple(*direction)), Cell::number(short(*gap))]);
    }
    let count = counted(axes.len() as u64, "axis", "axes");
    let shown = if axes.len() > SHOWN_AXES { format!("; the best {SHOWN_AXES}") } else { String::new() };
    let won = axes.first().map_or_else(String::new, |(axis, _, gap)| {
        let what = if *gap < 0.0 { "least overlap" } else { "largest gap" };
        format!(": {what} {} m, {}", short(gap.abs()), axis_name(*axis))
    });
    format!("{}{}", heading("axes (SAT)", &format!("{count}{won}{shown}")), table.render())
}

/// Of which faces or edges an axis is.
pub fn axis_name(axis: Axis) -> String {
    match axis {
        Axis::FaceOfA(face) => format!("face {face} of A"),
        Axis::FaceOfB(face) => format!("face {face} of B"),
        Axis::Edges(of_a, of_b) => format!("edge {of_a} of A x edge {of_b} of B"),
    }
}

#[derive(Serialize)]
struct ProbeJson<'a> {
    schema: u32,
    step: u32,
    seconds: f64,
    scalar: &'a str,
    shapes: Vec<ShapeJson<'a>>,
    closest: Option<ClosestJson>,
    contacts: Vec<ContactJson<'a>>,
    gjk: Option<GjkJson>,
    epa: Option<EpaJson>,
    axes: Option<Vec<AxisJson>>,
    unmet: Option<&'static str>,
    front: Option<FrontJson>,
}

#[derive(Serialize)]
struct FrontJson {
    normal: [f64; 3],
    other_behind: bool,
}

#[derive(Serialize)]
struct ShapeJson<'a> {
    name: &'a str,
    what: &'a str,
}

#[derive(Serialize)]
struct ClosestJson {
    distance: f64,
    normal: [f64; 3],
    points: [[f64; 3]; 2],
}

#[derive(Serialize)]
struct ContactJson<'a> {
    method: &'a str,
    of_run: bool,
    normal: Option<[f64; 3]>,
    points: Vec<PointJson>,
}

#[derive(Serialize)]
struct PointJson {
    position: [f64; 3],
    gap: f64,
    feature: u32,
}

#[derive(Serialize)]
struct GjkJson {
    apart: Option<ClosestJson>,
    rounds: Vec<GjkRoundJson>,
}

#[derive(Serialize)]
struct GjkRoundJson {
    simplex: Vec<[[f64; 3]; 2]>,
    at_most: f64,
    at_least: f64,
}

#[derive(Serialize)]
struct EpaJson {
    depth: f64,
    normal: [f64; 3],
    ended: bool,
    rounds: Vec<EpaRoundJson>,
}

#[derive(Serialize)]
struct EpaRoundJson {
    corners: usize,
    faces: usize,
    at_least: f64,
    at_most: f64,
}

#[derive(Serialize)]
struct AxisJson {
    axis: String,
    direction: [f64; 3],
    gap: f64,
}

/// For machines: one line.
pub fn json(seconds: f64, probe: &Probe) -> String {
    let contact = |contact: &ProbedContact| ContactJson {
        method: contact.method,
        of_run: contact.method == probe.narrow_phase,
        normal: (!contact.points.is_empty()).then_some(contact.normal),
        points: contact
            .points
            .iter()
            .map(|point| PointJson { position: point.position, gap: point.gap, feature: point.feature })
            .collect(),
    };
    let axis = |&(axis, direction, gap): &(Axis, [f64; 3], f64)| AxisJson { axis: axis_name(axis), direction, gap };
    line(&ProbeJson {
        schema: 1,
        step: probe.step,
        seconds,
        scalar: probe.scalar.name(),
        shapes: probe.sides.iter().map(|side| ShapeJson { name: &side.name, what: &side.what }).collect(),
        closest: probe.closest.map(|(distance, normal, points)| ClosestJson { distance, normal, points }),
        contacts: probe.contacts.iter().map(contact).collect(),
        gjk: probe.gjk.as_ref().map(gjk_json),
        epa: probe.epa.as_ref().map(epa_json),
        axes: probe.axes.as_ref().map(|axes| axes.iter().map(axis).collect()),
        unmet: probe.unmet.map(unmet_name),
        front: probe.front.map(|front| FrontJson { normal: front.normal, other_behind: front.is_other_behind }),
    })
}

fn gjk_json(look: &GjkLook<f64>) -> GjkJson {
    let rounds = look.rounds.iter().map(|round| GjkRoundJson {
        simplex: round.simplex.iter().map(|pair| pair.map(|place| place.to_array())).collect(),
        at_most: round.at_most,
        at_least: round.at_least,
    });
    let apart = look.apart.map(|(normal, points, distance)| ClosestJson {
        distance,
        normal: normal.to_array(),
        points: points.map(|place| place.to_array()),
    });
    GjkJson { apart, rounds: rounds.collect() }
}

fn epa_json(look: &EpaLook<f64>) -> EpaJson {
    let rounds = look.rounds.iter().map(|round| EpaRoundJson {
        corners: round.corners,
        faces: round.faces,
        at_least: round.at_least,
        at_most: round.at_most,
    });
    EpaJson { depth: look.depth, normal: look.normal.to_array(), ended: look.has_ended, rounds: rounds.collect() }
}
