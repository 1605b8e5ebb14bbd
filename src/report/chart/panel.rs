//! One panel: grid, frame, lines, and the names of its axes.

use crate::report::chart::scale::Scale;
use crate::report::chart::svg::{Anchor, Svg, text_width};
use crate::report::chart::thin::thinned;
use crate::report::chart::ticks::Ticks;
use crate::report::chart::{LABEL_GAP, Line, MARGIN, Panel, Skipped, TEXT_SIZE, Y_NAME};

/// Lines across the panel.
const GRID: &str = "#e4e4e4";
/// The same, between.
const FAINT_GRID: &str = "#f3f3f3";
/// Ticks that stand out of the frame.
const TICK: &str = "#888888";

/// Where a panel stands, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// A panel with its place and its y axis.
pub struct PanelPlan<'a> {
    pub panel: &'a Panel,
    pub scale: Scale,
    pub frame: Frame,
    pub ticks: Ticks,
}

impl PanelPlan<'_> {
    /// Draws grid, lines and y axis; `is_last` says whether the x axis stands below.
    pub fn draw(&self, svg: &mut Svg, x: (&Scale, &Ticks), is_last: bool, skipped: &mut Skipped) {
        self.draw_grid(svg, x, is_last);
        for line in &self.panel.lines {
            self.draw_line(svg, x.0, line, skipped);
        }
        let Frame { left, top, width, height } = self.frame;
        svg.frame((left, top), (width, height));
        for tick in &self.ticks.marks {
            let y = self.y(tick.at);
            svg.line((left - 4.0, y), (left, y), TICK, 1.0);
            svg.text((left - LABEL_GAP, y + TEXT_SIZE * 0.35), TEXT_SIZE, Anchor::End, &tick.label);
        }
        svg.text_upwards((MARGIN + Y_NAME * 0.5, top + height / 2.0), TEXT_SIZE, &self.ticks.title);
    }

    /// Draws labels and name of the x axis below the panel.
    pub fn draw_x_axis(&self, svg: &mut Svg, scale: &Scale, ticks: &Ticks) {
        let Frame { left, top, width, height } = self.frame;
        let bottom = top + height;
        for tick in &ticks.marks {
            let x = left + scale.place(tick.at) * width;
            // A label at the edge stays within the picture.
            let room = text_width(&tick.label, TEXT_SIZE) / 2.0;
            let x_of_label = libm::fmin(x, left + width + 10.0 - room);
            svg.text((x_of_label, bottom + 18.0), TEXT_SIZE, Anchor::Middle, &tick.label);
        }
        svg.text((left + width / 2.0, bottom + 38.0), TEXT_SIZE, Anchor::Middle, &ticks.title);
    }

    fn draw_grid(&self, svg: &mut Svg, (scale, ticks): (&Scale, &Ticks), is_last: bool) {
        let Frame { left, top, width, height } = self.frame;
        let bottom = top + height;
        let x_of = |at: f64| left + scale.place(at) * width;
        for at in &ticks.minor {
            svg.line((x_of(*at), top), (x_of(*at), bottom), FAINT_GRID, 1.0);
        }
        for at in &self.ticks.minor {
            svg.line((left, self.y(*at)), (left + width, self.y(*at)), FAINT_GRID, 1.0);
        }
        for tick in &ticks.marks {
            let x = x_of(tick.at);
            svg.line((x, top), (x, bottom), GRID, 1.0);
            if is_last {
                svg.line((x, bottom), (x, bottom + 4.0), TICK, 1.0);
            }
        }
        for tick in &self.ticks.marks {
            svg.line((left, self.y(tick.at)), (left + width, self.y(tick.at)), GRID, 1.0);
        }
    }

    fn draw_line(&self, svg: &mut Svg, x: &Scale, line: &Line, skipped: &mut Skipped) {
        let Frame { left, width, .. } = self.frame;
        let is_on_log = |number: f64, scale: &Scale| !scale.is_log || number > 0.0;
        let mut parts: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
        for &(at, value) in &line.points {
            let is_finite = at.is_finite() && value.is_finite();
            if is_finite && is_on_log(at, x) && is_on_log(value, &self.scale) {
                let point = (left + x.place(at) * width, self.y(value));
                if let Some(part) = parts.last_mut() {
                    part.push(point);
                }
                continue;
            }
            *(if is_finite { &mut skipped.not_positive } else { &mut skipped.not_finite }) += 1;
            if parts.last().is_some_and(|part| !part.is_empty()) {
                parts.push(Vec::new());
            }
        }
        let thin: Vec<Vec<(f64, f64)>> = parts.iter().map(|part| thinned(part)).collect();
        let lengths = |parts: &[Vec<(f64, f64)>]| parts.iter().map(Vec::len).sum::<usize>() as u64;
        if lengths(&thin) < lengths(&parts) {
            skipped.thinned.0 += lengths(&parts);
            skipped.thinned.1 += lengths(&thin);
        }
        if line.is_joined {
            svg.path(&thin, line.style.colour(), line.style.dashes());
        }
        // A point with gaps on both sides has no line, but is there.
        let dots = thin.iter().filter(|part| line.has_dots || part.len() == 1).flatten();
        dots.for_each(|point| svg.dot(*point, 2.5, line.style.colour()));
    }

    fn y(&self, value: f64) -> f64 {
        self.frame.top + (1.0 - self.scale.place(value)) * self.frame.height
    }
}
