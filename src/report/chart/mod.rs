//! Charts of lines as SVG: panels that stand below each other and share the x axis.
//!
//! What is drawn depends on what is given alone, so the same input gives the same bytes. Coordinates keep a hundredth of a
//! pixel, lines keep their peaks, and every text is escaped.

pub mod legend;
pub mod palette;
pub mod panel;
pub mod scale;
pub mod svg;
pub mod thin;
pub mod ticks;
pub mod unit;

use crate::report::chart::legend::Legend;
use crate::report::chart::palette::Style;
use crate::report::chart::panel::{Frame, PanelPlan};
use crate::report::chart::scale::Scale;
use crate::report::chart::svg::{Anchor, Svg, text_width};
use crate::report::chart::ticks::Ticks;
use crate::report::number::{count, counted};

/// Pixels of texts.
pub const TEXT_SIZE: f64 = 12.0;
/// Pixels of a title.
const TITLE_SIZE: f64 = 15.0;
/// Space around everything.
const MARGIN: f64 = 12.0;
/// The size of the letters of notes, and the room that each takes.
const NOTE_SIZE: f64 = 10.0;
const NOTE_ROOM: f64 = 14.0;
/// Space between two panels.
const BETWEEN_PANELS: f64 = 16.0;
/// Space for the labels and the name of the x axis.
const BELOW: f64 = 44.0;
/// Space for the name of a y axis.
const Y_NAME: f64 = 20.0;
/// Space between labels and frame.
const LABEL_GAP: f64 = 7.0;

/// What an axis shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AxisKind {
    /// Any numbers.
    Real,
    /// Whole numbers: no tick stands between two.
    Whole,
    /// Names, the first at 0, the next at 1.
    Names(Vec<String>),
}

/// An axis: its name, unit, and how numbers stand on it.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is shown.
    pub name: String,
    /// Its unit; empty for pure numbers.
    pub unit: String,
    /// What its numbers are.
    pub kind: AxisKind,
    /// Whether equal ratios take equal room.
    pub is_log: bool,
}

/// A line: its name in the legend, its looks, and its points in the order of x.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name; nothing where it needs none.
    pub name: String,
    /// Colour and dashes.
    pub style: Style,
    /// Whether every point has a dot.
    pub has_dots: bool,
    /// Whether the points are joined; those above names are not, for there is nothing between two names.
    pub is_joined: bool,
    /// The points. Those that are not finite number leave a gap.
    pub points: Vec<(f64, f64)>,
}

/// Lines above one x axis.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The y axis.
    pub y: Axis,
    /// The lines; later ones are drawn over earlier ones.
    pub lines: Vec<Line>,
}

/// A picture.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The title above it, if it has one.
    pub title: Option<String>,
    /// What it shows, for those who cannot see it.
    pub about: String,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// The x axis of all panels.
    pub x: Axis,
    /// The panels, from the top down.
    pub panels: Vec<Panel>,
    /// What has to be known of it, below: a line each.
    pub notes: Vec<String>,
}

/// A picture as text, and what the caller should know of it.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The SVG.
    pub svg: String,
    /// What was left out or thinned, as sentences.
    pub notes: Vec<String>,
}

impl Axis {
    /// An axis of numbers with a unit.
    pub fn real(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into(), kind: AxisKind::Real, is_log: false }
    }

    /// An axis of counts.
    pub fn whole(name: impl Into<String>) -> Self {
        Self { name: name.into(), unit: String::new(), kind: AxisKind::Whole, is_log: false }
    }

    /// The same with equal ratios in equal room, or not.
    pub const fn logarithmic(mut self, is_log: bool) -> Self {
        self.is_log = is_log;
        self
    }
}

/// Draws a chart.
pub fn draw(chart: &Chart) -> Drawn {
    let legends = legends(chart);
    let plans = plans(chart, &legends);
    let has_dots = chart.panels.iter().flat_map(|panel| &panel.lines).any(|line| line.has_dots);
    let x_numbers = points(chart).map(|(x, _)| x);
    // Dots would be cut in halves by the frame.
    let x_scale = if has_dots { Scale::of(x_numbers, &chart.x) } else { Scale::tight(&x_numbers, &chart.x) };
    let mut svg = Svg::new(chart.size, chart.title.as_deref().unwrap_or(&chart.about));
    if let Some(title) = &chart.title {
        svg.text((f64::from(chart.size.0) / 2.0, MARGIN + TITLE_SIZE - 2.0), TITLE_SIZE, Anchor::Middle, title);
    }
    let mut skipped = Skipped::default();
    for (place, (plan, legend)) in plans.iter().zip(&legends).enumerate() {
        let is_last = place + 1 == plans.len();
        let room = |label: &str| text_width(label, TEXT_SIZE) + 22.0;
        let x_ticks = Ticks::new(&x_scale, &chart.x, plan.frame.width, room);
        legend.draw(&mut svg, plan.frame.left, plan.frame.top, plan.frame.width);
        plan.draw(&mut svg, (&x_scale, &x_ticks), is_last, &mut skipped);
        if is_last {
            plan.draw_x_axis(&mut svg, &x_scale, &x_ticks);
        }
    }
    for (place, note) in chart.notes.iter().rev().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "a few lines")]
        let up = NOTE_ROOM * place as f64;
        svg.text((MARGIN, f64::from(chart.size.1) - MARGIN - up), NOTE_SIZE, Anchor::Start, note);
    }
    Drawn { svg: svg.finish(), notes: skipped.notes() }
}

/// Where each panel stands, and its y axis.
fn plans<'a>(chart: &'a Chart, legends: &[Legend]) -> Vec<PanelPlan<'a>> {
    let (width, height) = (f64::from(chart.size.0), f64::from(chart.size.1));
    let title_room = if chart.title.is_some() { TITLE_SIZE + 12.0 } else { 0.0 };
    #[expect(clippy::cast_precision_loss, reason = "a few panels and lines")]
    let [panels, notes] = [chart.panels.len().max(1), chart.notes.len()].map(|number| number as f64);
    // The height of a panel decides its ticks, their labels the left edge, and that the rows of the legends.
    let mut left = MARGIN + Y_NAME + 40.0;
    let mut plans = Vec::new();
    for _ in 0..2 {
        let room = width - left - MARGIN;
        let legend_rooms: Vec<f64> = legends.iter().map(|legend| legend.height(room)).collect();
        let taken = title_room + legend_rooms.iter().sum::<f64>() + 2.0 * MARGIN + BELOW + notes * NOTE_ROOM;
        let each = libm::fmax((height - taken - BETWEEN_PANELS * (panels - 1.0)) / panels, 40.0);
        let mut top = MARGIN + title_room;
        plans.clear();
        for (panel, legend_room) in chart.panels.iter().zip(&legend_rooms) {
            top += legend_room;
            let numbers = panel.lines.iter().flat_map(|line| line.points.iter().map(|(_, y)| *y));
            let scale = Scale::of(numbers, &panel.y);
            let ticks = Ticks::new(&scale, &panel.y, each, |_| TEXT_SIZE + 10.0);
            plans.push(PanelPlan { panel, scale, frame: Frame { left, top, width: room, height: each }, ticks });
            top += each + BETWEEN_PANELS;
        }
        let widest = plans.iter().map(|plan| plan.ticks.width()).fold(0.0, libm::fmax);
        left = MARGIN + Y_NAME + widest + LABEL_GAP;
    }
    plans
}

fn points(chart: &Chart) -> impl Iterator<Item = (f64, f64)> + Clone {
    chart.panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| line.points.iter().copied())
}

/// The legend of each panel: where two would say the same, the upper one says it.
fn legends(chart: &Chart) -> Vec<Legend> {
    let mut legends: Vec<Legend> = Vec::new();
    let mut shown: Vec<Legend> = Vec::new();
    for panel in &chart.panels {
        let legend = Legend::of(&panel.lines);
        let is_shown = shown.contains(&legend);
        legends.push(if is_shown { Legend::default() } else { legend.clone() });
        shown.push(legend);
    }
    legends
}

/// What of the points is not in the picture as it was given.
#[derive(Clone, Copy, Debug, Default)]
pub struct Skipped {
    /// Numbers that are not finite.
    pub not_finite: u64,
    /// Numbers that a log axis has no place for.
    pub not_positive: u64,
    /// Points of lines that were thinned, and what is left of them.
    pub thinned: (u64, u64),
}

impl Skipped {
    fn notes(self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.not_positive > 0 {
            let points = counted(self.not_positive, "point", "points");
            notes.push(format!("{points} at or below 0 left out: a log axis has no place for them"));
        }
        if self.not_finite > 0 {
            let points = counted(self.not_finite, "point", "points");
            notes.push(format!("{points} left out, whose value is not a finite number"));
        }
        if self.thinned.0 > 0 {
            let (all, left) = self.thinned;
            notes.push(format!(
                "{} points drawn as {}: of each column of pixels the first, last, lowest and highest",
                count(all),
                count(left)
            ));
        }
        notes
    }
}
