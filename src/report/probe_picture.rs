//! One pair of shapes drawn flat: the shapes with their contact, the simplices of the search for nearest points, the axes of separation.
//!
//! The view is across the normal of the contact, which leads upwards: so gaps and overlaps have their true length.

use crate::analysis::outline::Outline;
use crate::analysis::probe::Probe;
use crate::math::{Scalar, Vec3};
use crate::report::chart::svg::{Anchor, INK, Svg};
use crate::report::number::short;
use crate::report::probe::axis_name;

/// Pixels of a panel's side, and around it.
const PANEL: f64 = 380.0;
const MARGIN: f64 = 24.0;
/// Room for titles above panels, and for a line of text below.
const ABOVE: f64 = 44.0;
const BELOW: f64 = 40.0;
/// Colours of the first shape, the second, and what is between them; told apart by those who see few colours too.
const COLOURS: [&str; 2] = ["#0072b2", "#d55e00"];
const BETWEEN: &str = "#222222";
const GRID: &str = "#bbbbbb";
/// Axes that are drawn, and pixels of each.
const SHOWN_AXES: usize = 14;
const AXIS_ROW: f64 = 25.0;

/// The picture.
pub fn svg(source: &str, probe: &Probe) -> String {
    let panels = if probe.axes.is_some() { 3 } else { 2 };
    let width = MARGIN + f64::from(panels) * (PANEL + MARGIN);
    let size = (width.ceil() as u32, (ABOVE + PANEL + BELOW).ceil() as u32);
    let [a, b] = [0, 1].map(|side| probe.sides[side].name.as_str());
    let mut svg = Svg::new(size, &format!("{source}, step {}: {a} and {b}", probe.step));
    svg.text((MARGIN, 20.0), 14.0, Anchor::Start, &format!("{source}, step {}: A is {a}, B is {b}", probe.step));
    let view = View::across(probe.closest.map_or([0.0, 1.0, 0.0], |(_, normal, _)| normal));
    let left = |number: i32| MARGIN + f64::from(number) * (PANEL + MARGIN);
    draw_shapes(&mut svg, left(0), &view, probe);
    draw_simplices(&mut svg, left(1), &view, probe);
    draw_axes(&mut svg, left(2), probe);
    svg.finish()
}

/// Two directions of the world that stand for right and up on the picture.
struct View {
    right: Vec3<f64>,
    up: Vec3<f64>,
}

impl View {
    /// With this unit direction upwards.
    fn across([x, y, z]: [f64; 3]) -> Self {
        let up = Vec3::new(x, y, z);
        let (right, _) = up.tangents();
        Self { right, up }
    }

    fn flat(&self, [x, y, z]: [f64; 3]) -> (f64, f64) {
        let place = Vec3::new(x, y, z);
        (self.right.dot(place), self.up.dot(place))
    }
}

/// What of the plane a panel shows: metres to pixels.
struct Fitted {
    left: f64,
    middle: (f64, f64),
    scale: f64,
}

impl Fitted {
    /// The panel at `left` that shows all these points; `None` where there is none that is finite.
    fn of(left: f64, points: &[(f64, f64)]) -> Option<Self> {
        let bounds = |of: fn(&(f64, f64)) -> f64| {
            let finite = points.iter().map(of).filter(|part| part.is_finite());
            finite.clone().reduce(Scalar::min).zip(finite.reduce(Scalar::max))
        };
        let ((x_min, x_max), (y_min, y_max)) = (bounds(|point| point.0)?, bounds(|point| point.1)?);
        let extent = Scalar::max(Scalar::max(x_max - x_min, y_max - y_min), 1e-9);
        Some(Self {
            left,
            middle: (f64::midpoint(x_min, x_max), f64::midpoint(y_min, y_max)),
            scale: (PANEL - 30.0) / extent,
        })
    }

    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let half = PANEL / 2.0;
        let across = self.left + half + (x - self.middle.0) * self.scale;
        (across, ABOVE + half - (y - self.middle.1) * self.scale)
    }
}

fn title(svg: &mut Svg, left: f64, above: &str, below: &str) {
    svg.text((left, ABOVE - 6.0), 12.0, Anchor::Start, above);
    svg.text((left, ABOVE + PANEL + 18.0), 11.0, Anchor::Start, below);
    svg.frame((left, ABOVE), (PANEL, PANEL));
}

/// The shapes with their contact points, and the nearest points joined.
fn draw_shapes(svg: &mut Svg, left: f64, view: &View, probe: &Probe) {
    let outlines: Vec<&Outline> = probe.sides.iter().map(|side| &side.outline).collect();
    let points =
        outlines.iter().flat_map(|outline| outline.points.iter().map(|&point| view.flat(point))).collect::<Vec<_>>();
    let below = probe.closest.map_or_else(String::new, |(distance, _, _)| {
        let what = if distance < 0.0 { "overlap" } else { "gap" };
        format!("{what} {} m; up is the normal from A to B; dots: contact points", short(distance.abs()))
    });
    title(svg, left, "the shapes (A blue, B orange)", &below);
    let Some(fitted) = Fitted::of(left, &points) else { return };
    for (outline, colour) in outlines.iter().zip(COLOURS) {
        for line in &outline.lines {
            let [from, to] = line.map(|number| fitted.at(view.flat(outline.points[number])));
            svg.line(from, to, colour, 1.0);
        }
    }
    if let Some((_, _, [on_a, on_b])) = probe.closest {
        // A half-space has no lines of its own: seen from the side it is one across the normal.
        for ((outline, colour), place) in outlines.iter().zip(COLOURS).zip([on_a, on_b]) {
            let (_, height) = fitted.at(view.flat(place));
            if outline.points.is_empty() {
                svg.line((left, height), (left + PANEL, height), colour, 2.0);
            }
        }
        svg.line(fitted.at(view.flat(on_a)), fitted.at(view.flat(on_b)), BETWEEN, 2.0);
    }
    let chosen = probe.contacts.iter().find(|contact| contact.method == probe.narrow_phase);
    for point in chosen.iter().flat_map(|contact| &contact.points) {
        svg.dot(fitted.at(view.flat(point.position)), 4.0, INK);
    }
}

/// The simplices of the difference of the shapes, round by round, and the origin that they come near.
fn draw_simplices(svg: &mut Svg, left: f64, view: &View, probe: &Probe) {
    let Some(gjk) = &probe.gjk else {
        title(svg, left, "nearest points (GJK)", "not for half-spaces and whole meshes");
        return;
    };
    let difference = |[on_a, on_b]: &[Vec3<f64>; 2]| view.flat((*on_b - *on_a).to_array());
    let simplices: Vec<Vec<(f64, f64)>> =
        gjk.rounds.iter().map(|round| round.simplex.iter().map(difference).collect()).collect();
    let mut points: Vec<(f64, f64)> = simplices.iter().flatten().copied().collect();
    points.push((0.0, 0.0));
    let rounds = gjk.rounds.len();
    let below = format!("{rounds} simplices of B less A, the last black; touching is at the cross");
    title(svg, left, "nearest points (GJK)", &below);
    let Some(fitted) = Fitted::of(left, &points) else { return };
    for (number, simplex) in (1..).zip(&simplices) {
        let is_last = number == rounds;
        let (colour, width) = if is_last { (BETWEEN, 2.0) } else { (GRID, 1.0) };
        for (place, from) in simplex.iter().enumerate() {
            for to in &simplex[place + 1..] {
                svg.line(fitted.at(*from), fitted.at(*to), colour, width);
            }
            svg.dot(fitted.at(*from), if is_last { 4.0 } else { 2.5 }, colour);
        }
    }
    let (x, y) = fitted.at((0.0, 0.0));
    svg.line((x - 7.0, y), (x + 7.0, y), COLOURS[1], 2.0);
    svg.line((x, y - 7.0), (x, y + 7.0), COLOURS[1], 2.0);
}

/// What the best axes show, as bars from zero: a gap to the right, an overlap to the left.
fn draw_axes(svg: &mut Svg, left: f64, probe: &Probe) {
    let Some(axes) = &probe.axes else { return };
    let below = format!("the best of {} axes; to the right gaps, to the left overlaps", axes.len());
    title(svg, left, "axes of separation (SAT)", &below);
    let shown = &axes[..axes.len().min(SHOWN_AXES)];
    let lengths = || shown.iter().map(|(_, _, gap)| *gap);
    let (least, most) = (lengths().fold(0.0, Scalar::min), lengths().fold(0.0, Scalar::max));
    let scale = (PANEL - 60.0) / Scalar::max(most - least, 1e-12);
    let zero = left + 30.0 - least * scale;
    svg.line((zero, ABOVE), (zero, ABOVE + PANEL), GRID, 1.0);
    let mut y = ABOVE + 16.0;
    for (place, (axis, _, gap)) in shown.iter().enumerate() {
        let colour = if place == 0 { BETWEEN } else { COLOURS[0] };
        svg.line((zero, y + 6.0), (zero + gap * scale, y + 6.0), colour, 5.0);
        let label = format!("{}: {} m", axis_name(*axis), short(*gap));
        svg.text((left + 8.0, y), 10.0, Anchor::Start, &label);
        y += AXIS_ROW;
    }
}
